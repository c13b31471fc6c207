/* Recipes: how a release is made, read from YAML or from a manifest that an earlier run left. */
#ifndef SCRIM_RECIPE_RECIPE_H
#define SCRIM_RECIPE_RECIPE_H
#include "recipe/policy.h"
#include "recipe/roles.h"

typedef struct Step {
    const YamlNode *node; /* its parameters as written, or the step itself: where errors point */
    const char *name;     /* GROUP.NAME */
    const Method *method;
    Args args;
} Step;

/* A column whose values are those of a column of another file: "vid: visits.vid". */
typedef struct ParentKey {
    const YamlNode *node;
    const char *column, *file, *parent; /* this file's column; the other file and its column */
} ParentKey;

/* One of several files that are a release together. */
typedef struct RecipeFile {
    const YamlNode *node;
    const char *name, *input, *output, *person; /* output: NULL where not given */
    const YamlNode *reading;                    /* or NULL */
    Roles roles;                                /* with the person among them */
    const char *beside;                         /* the file of its roles; NULL where they are written out */
    int64_t parents;
    ParentKey *parent;
} RecipeFile;

typedef struct Recipe {
    const char *file;
    const char *folder; /* what paths in it are relative to: "" or with a slash at its end; those below are resolved */
    const char *input;
    bool again;              /* it is a manifest: what it makes was made before */
    const YamlNode *reading; /* how the input is read, over the caller's way; or NULL */
    Roles roles;
    int64_t files; /* several files that share their people; 0: `input` alone */
    RecipeFile *linked;
    int64_t steps;
    Step *step;
    bool has_policy;
    Policy policy;
    const char *output, *report, *releases; /* NULL where not given; releases: the folder of the register */
    const char *beside[2];                  /* files of roles and of the policy; NULL where they are written out */
} Recipe;

/* A file, or the text itself; all of it in the arena. BAD with file and line. */
MUST_CHECK Status recipe_read(Work *work, const char *path, Recipe *out);
/* The parameter of a step that the table at hand fills; NULL where there is none. */
/* A step from a tree: a method with its parameters, as a recipe has them. */
MUST_CHECK Status step_read(Work *work, const YamlNode *node, Step *out);
const Param *step_subject(const Method *method);
/* `files:` of a recipe. */
MUST_CHECK Status recipe_read_files(Work *work, const YamlNode *node, Recipe *out);
#endif
