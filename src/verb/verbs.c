/* The list of verbs. */
#include "verb/verbs.h"
#include <string.h>

#define VERB(symbol) extern const Method symbol;
#include "verb/verbs.def"
#undef VERB
static const Method *const verbs[] = {
#define VERB(symbol) &symbol,
#include "verb/verbs.def"
#undef VERB
    NULL
};

int64_t verbs_count(void) { return (int64_t)(sizeof verbs / sizeof *verbs) - 1; }
const Method *verbs_at(int64_t index) { return verbs[index]; }

const Method *verb_find(const char *group, const char *name) {
    for (const Method *const *v = verbs; *v; v++)
        if (!strcmp((*v)->group, group) && !strcmp((*v)->name, name)) return *v;
    return NULL;
}

Status verb_status(const Result *result, Error *error) {
    const Value *broken = result_find(result, "rules_broken"), *which = result_find(result, "rules_broken_names"),
                *state = result_find(result, "state");
    if (broken && broken->kind == VALUE_INTEGER && broken->integer)
        return fail(error, REFUSED, "the policy is violated: %s", which && which->text ? which->text : "see the rules");
    if (state && state->kind == VALUE_TEXT && same_text(state->text, "not ready") && result_find(result, "question"))
        return fail(error, REFUSED, "a question must be answered first: whose are the records?");
    if (state && state->kind == VALUE_TEXT && same_text(state->text, "not ready"))
        return fail(error, REFUSED, "the policy refuses residual risks: see the recommendations");
    return OK;
}
