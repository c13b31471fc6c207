/* scrim run: what its files share. */
#ifndef SCRIM_VERB_RUN_PRIVATE_H
#define SCRIM_VERB_RUN_PRIVATE_H
#include "base/file_transaction.h"
#include "recipe/read_options.h"
#include "recipe/recipe.h"

typedef struct {
    const char *recipe, *output, *report, *releases, *author, *date;
    bool keep, public, all;
    double time;
} RunArgs;

/* One recipe under way. */
typedef struct RecipeRun {
    Run *run;
    Work *work;
    const RunArgs *args;
    Recipe recipe;
    CsvOptions reading;
    Table *original, *input, *current; /* as read; without identifiers; after the steps so far */
    Table *aligned;                    /* the input in the order of the current table */
    Table *const *outputs;             /* of the last step, where it made several */
    int64_t output_count;
    int64_t promise;           /* see recipe_guarantee */
    bool answers;              /* see recipe_answers */
    bool random;               /* a step drew random numbers by the seed */
    const char *const *except; /* methods that run_measure leaves out */
    const char *folder;        /* the register of releases; NULL: none */
    char input_hash[65];       /* with a register: of the input */
    Tables earlier;            /* earlier releases that the register has */
    Transaction *stage;        /* output, manifest, seed and report change together */
} RecipeRun;

/* Reads the input as its recipe says, checks the roles, and drops the identifiers: `identifiers` says how many. */
MUST_CHECK Status run_open_input(RecipeRun *k, int64_t *identifiers);
/* The table at hand for a step with these arguments, and the original where the method compares with it. */
MUST_CHECK Status run_step_args(RecipeRun *k, const Step *step, const Args *own, Args *out);
MUST_CHECK Status run_take_outputs(RecipeRun *k, int64_t number, const Result *made);
/* Measures a table by the roles of `k` into a result within the run's. `beside`: the original, or NULL. */
MUST_CHECK Status run_measure(RecipeRun *k, const char *name, const Table *data, Table *beside, Policy *policy, const char *const *groups,
                              Grid *skipped);
/* The release and its manifest, put in place with the rest; a row of `files` for each. */
MUST_CHECK Status run_write_tables(RecipeRun *k, const char *output, Grid *files);
MUST_CHECK Status run_write_seed(RecipeRun *k, const char *output);
MUST_CHECK Status run_write_report(RecipeRun *k, const char *path);
void run_warn_of_seed(RecipeRun *k);
/* Everything that the recipe names is not to be overwritten. */
MUST_CHECK Status run_guard_inputs(RecipeRun *k);
/* The register of releases: what it has, and the new release entered with the rest of the files. */
MUST_CHECK Status run_find_earlier(RecipeRun *k);
MUST_CHECK Status run_enter(RecipeRun *k, const char *output);
void run_drop_earlier(RecipeRun *k);
void run_close(RecipeRun *k); /* lets its tables go */

/* A recipe of several files. */
MUST_CHECK Status run_linked(RecipeRun *k);
#endif
