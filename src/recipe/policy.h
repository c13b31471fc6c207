/* Policies: rules that a table must keep. A rule names a method's value, a comparison and a number; one that cannot be computed is broken.
 */
#ifndef SCRIM_RECIPE_POLICY_H
#define SCRIM_RECIPE_POLICY_H
#include "recipe/yaml_args.h"

typedef enum { COMPARE_LEAST, COMPARE_MOST, COMPARE_MORE, COMPARE_LESS, COMPARE_EQUAL, COMPARE_UNEQUAL } Comparison;
typedef struct Rule {
    const char *text; /* as written */
    const Method *method;
    const char *value;
    Comparison comparison;
    double number;
    const char *at;       /* the step of a recipe that it is judged after, as written: "protect.suppress", "step 2"; NULL: the release */
    int64_t step;         /* that step, from 0; -1 before the recipe is known, and for rules on the release */
    const YamlNode *node; /* where it stands */
    bool judged;          /* at its step: what comes later leaves it as it is */
    bool met;
    const char *seen; /* the value found; NULL where there is none */
    const char *why;  /* why there is none */
} Rule;

#define RESIDUAL_LIMIT 0.1 /* unless the policy says otherwise */
typedef struct Policy {
    const char *file;  /* or NULL */
    const char *title; /* what it encodes, or NULL */
    int64_t rules;
    Rule *rule;
    const YamlNode *params; /* method → its parameters where they differ from the defaults; or NULL */
    bool refuse_residual;   /* residual: refuse. A release with residual risks is not written */
    double residual_limit;  /* residual-limit: the largest share of people re-identified that is no residual risk */
} Policy;

/* A file; or the name of one that comes with the program (`unece`). */
MUST_CHECK Status policy_read(Work *work, const char *path, Policy *out);
bool policy_is_built_in(const char *name); /* does it come with the program? */
/* A policy's path as a file in this folder gives it; the name of one that comes with the program stays. */
const char *policy_path(Work *work, const char *folder, const char *path);
/* A map with `rules`, or the list of rules itself. */
MUST_CHECK Status policy_make(Work *work, const YamlNode *node, Policy *out);
/* The rules that are judged after this step, as a policy of their own; and what became of them, back. */
MUST_CHECK Status policy_at(Work *work, const Policy *policy, int64_t step, Policy *out);
void policy_finish(Policy *policy, int64_t step, const Policy *judged);
/* The parameters that the policy gives this method. */
MUST_CHECK Status policy_args(Work *work, const Policy *policy, const Method *method, Args *out);
bool policy_names(const Policy *policy, const Method *method);
/* Judges the rules of this method by its result, or by the reason that there is none. */
MUST_CHECK Status policy_judge(Work *work, Policy *policy, const Method *method, const Result *result, const char *why_not);
/* Whether the value satisfies the rule. */
bool rule_holds(const Rule *rule, double value);
/* The step that is recommended where the rule is violated. NULL where memory is out. */
const char *rule_recommendation(Work *work, const Rule *rule);
/* "Records that are unique on the keys: must be 0, is 12". */
void rule_words(const Rule *rule, Buffer *out);
int64_t policy_broken(const Policy *policy);
#endif
