/* The planner's parts: what a candidate is, how it is made and measured, which are kept. Private to recipe/plan/. */
#ifndef SCRIM_VERB_PLAN_PLAN_H
#define SCRIM_VERB_PLAN_PLAN_H
#include "verb/measure.h"
#include "recipe/recipe.h"

enum { PLAN_SHELF = 48, PLAN_KEYS = 32, PLAN_LEVELS = 4, PLAN_GENE_STEPS = PLAN_KEYS + 4, PLAN_AMOUNTS = 6, PLAN_SEEDS = 3 };

/* A candidate as choices: the level that each key is recoded to, what guards the keys, what is done to the numbers, and then to them again;
 * or one synthesis of everything. Amounts are places in the option's list. Zero is: nothing. */
typedef struct Gene {
    int8_t level[PLAN_KEYS];
    int8_t guard, guard_amount, number, number_amount, after, after_amount, whole, whole_amount;
    int8_t thorough; /* its suppression searches for the fewest cells, as it does by itself; else the quick one, where that is offered */
} Gene;

/* One thing that can be done in a slot, weakest first. */
typedef struct Option {
    const char *method;  /* NULL: nothing */
    const char *columns; /* the parameter that takes the slot's columns; NULL: the roles fill it */
    const char *fixed;   /* "method=mdav", or NULL */
    const char *varies;  /* the parameter that `amount` is for; NULL: none */
    const char *amount[PLAN_AMOUNTS];
} Option;
typedef struct Options {
    int count;
    Option at[16];
} Options;

typedef struct Score {
    bool ran;             /* every step and measure */
    const char *violated; /* those of the policy, each with the value seen and by how much; in the plan's arena; NULL: none */
    int64_t hard;         /* rules of the policy that do not hold and have no recommendation that is a step */
    int64_t broken;       /* rules of the policy, and of what is to be kept, that do not hold */
    double risk;          /* risk.reidentification: share */
    double by_keys, by_joining;
    double loss; /* the mean of the parts */
    double values_lost, moved, pairs, analyses;
} Score;

typedef struct Candidate {
    Gene gene;
    int64_t given; /* a recipe to compare with, by its number; -1: of the search */
    Step *remedy;  /* steps behind those of the gene: what scrim recommends for its residual risks */
    int64_t remedies;
    bool full;     /* measured on all records */
    bool random;   /* draws at random */
    int64_t seeds; /* measured with so many */
    Score score;   /* means over seeds; the most rules broken of any */
    double risk_low, risk_high, loss_low, loss_high;
    bool front;
} Candidate;

/* A table whose keys are guarded already: candidates that differ only in what is done to the numbers start from it. */
typedef struct Guarded {
    Gene gene; /* its keys' part */
    const Table *data;
    int64_t seed, used;
    Table *table;
} Guarded;

/* What --keep names: an analysis, or a table, perhaps within so much. */
typedef struct Keep {
    const char *inner; /* the formula, or the table's columns */
    bool formula;
    double within; /* NaN: as near as can be */
} Keep;

/* How a key can be recoded, coarser and coarser. */
typedef struct KeyLevels {
    const char *name;
    int count;
    const char *param[PLAN_LEVELS]; /* "breaks", "merge" or "min-count" */
    const char *text[PLAN_LEVELS];  /* its value; of min-count a share of the records */
} KeyLevels;

typedef struct Plan {
    Run *run;
    Work *work;
    const Table *data; /* without identifiers and free text */
    Columns notes;     /* free text of the original, which every recipe scrubs */
    bool dates;        /* the data have a column of dates */
    Table *sample;     /* races are run on it; NULL: on all records */
    Roles roles;
    Policy policy;
    bool has_policy;
    int64_t k;                   /* what the policy asks for, or 3 */
    Columns keys, numbers, vars; /* vars: all that loss is measured on */
    KeyLevels levels[PLAN_KEYS];
    Options guards, number_options, afters, wholes;
    bool quick; /* the search takes the quick form of suppression */
    int64_t keeps;
    Keep *keep;
    int64_t hides;
    const char *const *hide;
    int64_t givens;
    Recipe *given;
    int64_t count, room;
    Candidate *candidate;
    bool grid;                 /* options crossed in random order, in place of races: to compare with */
    int64_t ruled_out;         /* genes that could keep no rule, found without making a release */
    int64_t most;              /* candidates of the races */
    int64_t early;             /* made of all records while the races went on */
    int64_t measured, planned; /* releases made so far, and in all */
    double deadline, started;  /* of the clock; infinite: none */
    bool cut;                  /* the clock ended a race */
    bool ended;                /* a race ended since nothing improved any more */
    RandomReader random;
    Guarded shelf[PLAN_SHELF];
    int64_t clock; /* counts uses of the shelf */
} Plan;

/* space.c */
MUST_CHECK Status plan_space(Plan *plan);
/* The steps that a gene stands for, on a table of so many records; in the arena of `work`. */
MUST_CHECK Status plan_steps(Plan *plan, Work *work, const Gene *gene, int64_t rows, Step *steps, int64_t *count);
/* The same of a candidate, in the arena of `work`: those of its gene, then its remedies; or those of the recipe that was given. */
MUST_CHECK Status plan_candidate_steps(Plan *plan, Work *work, const Candidate *c, const Step **steps, int64_t *count);
const char *plan_said(Work *work, const Step *steps, int64_t count); /* "suppress k=3, noise amount=0.1" */
bool plan_is_quick(const Plan *plan, const Gene *gene);              /* takes the quick form of suppression */
void plan_tidy(const Plan *plan, Gene *gene);                        /* what cannot be is nothing; equal releases are equal genes */

/* evaluate.c */
MUST_CHECK Status plan_keeps(Plan *plan, Texts keep);
MUST_CHECK Status plan_check(Plan *plan); /* what is to be kept and hidden, tried on the original */
/* Makes the release and measures it; gene NULL: of a recipe that was given. Only an interruption or lack of memory fails; a step that
 * cannot be done scores as not run. */
MUST_CHECK Status plan_score(Plan *plan, const Step *steps, int64_t count, const Gene *gene, const Table *data, int64_t seed, Score *out);
/* Makes the release and lists what scrim recommends for it, as steps of a recipe: a line each. */
MUST_CHECK Status plan_recommended(Plan *plan, const Step *steps, int64_t count, const Gene *gene, Buffer *out);
void plan_clear(Plan *plan); /* the shelf */

/* remedies.c */
MUST_CHECK Status
plan_remedies(Plan *plan); /* where no candidate on all records keeps the policy: the nearest, with what scrim recommends */

/* search.c */
MUST_CHECK Status plan_add(Plan *plan, const Candidate *candidate); /* made, measured and kept */
MUST_CHECK Status plan_strong(Plan *plan, bool full);               /* candidates that guard most, until some satisfy the policy */
MUST_CHECK Status plan_search(Plan *plan, int64_t races);
const Candidate *plan_best(const Plan *plan);    /* on the front, with the least loss; NULL where none meets the policy */
const Candidate *plan_nearest(const Plan *plan); /* breaks the fewest rules; NULL where nothing ran on all records */

/* say.c */
MUST_CHECK Status plan_say(Plan *plan, const char *folder); /* folder NULL: nothing is written, and the recipes are in the result */

/* write.c */
MUST_CHECK Status plan_recipe(Plan *plan, const Candidate *candidate, const char *folder, const char *note, Buffer *out);
#endif
