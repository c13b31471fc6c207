/* Synthesis column by column: each is drawn from a model of those before it, fitted on the confidential table. */
#ifndef SCRIM_SYNTH_ENGINE_ENGINE_H
#define SCRIM_SYNTH_ENGINE_ENGINE_H
#include "method/method.h"
#include "synth/engine/grow.h"
#include "synth/engine/discretize.h"
#include "synth/engine/identities.h"
#include "synth/engine/replicated_uniques.h"
#include "table/edit_rules.h"
#include "classes/strata.h"

/* What the methods of this family may be asked for; each declares the parameters it has. */
typedef struct SynthArgs {
    const Table *data, *rules, *frame, *model;
    Columns vars, visit, strata, keys;
    Texts predictors;
    Pairs models;
    const Column *weight, *household, *order;
    const Expr *where, *given;
    int64_t m, n, min_leaf, k, close;
    double complexity;
    bool stacked, evaluate, future, save_model, allow_own;
    unsigned method, learn, protect;
    const Table *holdout, *cells, *households;
    Columns identifiers, notes, other;
    const Column *person;
    Columns made_up; /* no argument: columns that are not drawn, as they name people (direct_columns.h) */
} SynthArgs;

/* A synthetic table in the making. */
typedef struct SyntheticTable {
    int64_t rows;
    uint16_t **state;     /* variable → row → state */
    double **real;        /* numeric variables where some model needs or makes numbers, else NULL */
    int64_t **donor;      /* variable → row → the original row whose cell it takes, -1 missing */
    const uint8_t **keep; /* variable → row → 1: this cell is not drawn but stays; NULL: every cell is drawn */
} SyntheticTable;

typedef enum {
    MODEL_CART,
    MODEL_NORMAL,
    MODEL_RANK_NORMAL,
    MODEL_LOGISTIC,
    MODEL_MULTINOMIAL,
    MODEL_ORDERED,
    MODEL_POISSON,
    MODEL_PMM,
    MODEL_SAMPLE
} ModelKind;
/* As --models names it. */
const char *model_name(ModelKind kind);
/* Does it draw numbers that need not occur in the data? */
bool model_makes_numbers(ModelKind kind);

struct Regression; /* regression.h */
/* One variable's model: per stratum two stages, first which cells are missing (or, for regressions, a spike at an end of the values), then
 * the value. */
enum { CELL_ORDINARY, CELL_MISSING, CELL_SPIKE }; /* CELL_SPIKE + k: the k-th of them */
typedef struct Model {
    ModelKind kind;
    int64_t variable;
    int32_t predictors;
    int32_t *predictor;            /* variables */
    Feature *feature;              /* of each */
    DonorTree *missing;            /* stratum → tree of the cell's kind; none where all are ordinary */
    DonorTree *value;              /* stratum → tree of the value (or, for regressions, none) */
    struct Regression *regression; /* stratum → fitted regression */
    uint16_t *absent;              /* row → the kind of its cell */
    int32_t kinds;
} Model;

typedef struct Synthesis {
    Run *run;
    const SynthArgs *args;
    int64_t variables;
    Variable *variable;
    int64_t visits;
    int64_t *visit; /* variables that are drawn, in order */
    Model *model;   /* of each visit */
    bool *known;    /* variable → not drawn: it keeps what the draft holds */
    Strata strata;  /* of the data */
    GrowOptions grow;
    const double *weight; /* by row, or NULL */
    bool numbers;         /* some model needs those of its predictors */
    bool independent;     /* records of a leaf are drawn independently, not as a systematic sample */
    EditRules rules;
    Identities identities;      /* columns that are computed from the drawn ones */
    ReplicatedUniques *uniques; /* NULL: none is protected */
    const uint8_t *usable;      /* rows to learn from, NULL: all */
} Synthesis;

/* Variables are the columns of `modelled` then of `known`; the order of visits is --visit, then what is left, cheap first. */
MUST_CHECK Status synthesis_plan(Synthesis *s, Run *run, const SynthArgs *args, Columns modelled, Columns known);
/* The columns that are not drawn and may predict: not those that are different in nearly every record, which are names. */
MUST_CHECK Status columns_beside(Run *run, const Table *data, Columns drawn, Columns *out);
/* The variable becomes the model's next predictor; there must be room. */
void model_predict_from(Model *m, const Synthesis *s, int64_t variable);
/* Room for what the model's kind needs in every stratum, and the kinds of its cells. */
MUST_CHECK Status model_prepare(Synthesis *s, Model *m);
MUST_CHECK Status synthesis_fit(Synthesis *s);
void synthesis_free(Synthesis *s);
int64_t synthesis_find(const Synthesis *s, const char *name); /* the variable, or -1 */
/* Are the variable's numbers drawn, and not taken from records of the data? */
bool makes_numbers(const Synthesis *s, const Model *m);
const Model *synthesis_model(const Synthesis *s, int64_t variable); /* NULL where it is known */

/* Room for so many rows of every variable, in the arena. */
MUST_CHECK Status synthetic_table_make(Synthesis *s, int64_t rows, SyntheticTable *out);
void synthetic_table_drop(Synthesis *s, SyntheticTable *draft); /* gives it back early */
/* The data as it stands: known variables, and the start of a partial synthesis. row[i]: the data's row behind draft row i. */
MUST_CHECK Status synthetic_table_fill(Synthesis *s, SyntheticTable *d, int64_t variable, const int64_t *row);
/* Draws the visited variables, from visit `from` on, for these rows of the draft; stratum[i] is that of draft row i (NULL: all one). `what`
 * names the draw: the same name gives the same draws. */
MUST_CHECK Status synthetic_table_draw(Synthesis *s, SyntheticTable *d, const int64_t *rows, int64_t count, const int32_t *stratum,
                                       const char *what);
/* Numbers as a column like `from`. NaN is missing, by the code of the donor's cell. */
MUST_CHECK Status drawn_numbers(const Column *from, const double *real, const int64_t *donor, int64_t rows, Column **out, Error *error);
/* A table of the draft's columns; known variables come from `base` (the same rows) where it is given, and are left out where it has them
 * not. Columns in the order of the data. */
MUST_CHECK Status synthetic_table_of(Synthesis *s, const SyntheticTable *d, const Table *base, Table **out);
/* How often what breaks a rule is drawn again, and what is said where nothing helps. */
enum { ROUNDS = 60 };
#define RULES_FAIL "the rules cannot be kept: in %d draws no record satisfies them all"
/* The same, redrawing the rows that break a rule until none does. BAD where no row can be found that keeps them. */
MUST_CHECK Status synthetic_table_edit_rules(Synthesis *s, SyntheticTable *d, const int64_t *rows, int64_t count, const int32_t *stratum,
                                             const char *what, const Table *base, Table **out);

/* The same for table number `set`, from 0 on, of several, under a name of its own. */
MUST_CHECK Status synthetic_table_set(Synthesis *s, SyntheticTable *d, const int64_t *rows, int64_t count, const int32_t *stratum,
                                      int64_t set, const Table *base, Table **out);
/* All tables of a partial synthesis: the data, these rows of which are drawn again in each. `made` has room for them. */
MUST_CHECK Status synthetic_table_replace(Synthesis *s, SyntheticTable *d, const int64_t *rows, int64_t count, Table **made);

/* Trees for all columns (cart), or the models that --models names and else those that fit the column's kind (sequential). */
typedef enum { BY_CART, BY_REGRESSION } SynthMethod;
/* Sets s->model; BAD where a model does not fit its column. */
MUST_CHECK Status choose_models(Synthesis *s);
/* M tables of so many records, put out; `first` is the first of them, for the caller to release. */
MUST_CHECK Status draw_tables(Synthesis *s, int64_t rows, Table **first);
/* --save-model: BAD beside what a saved model cannot hold; and the model put out (it is taken), with what it gives away. */
MUST_CHECK Status check_saved(Run *run, const SynthArgs *args);
/* --protect: of --keys, or of all columns that are drawn. BAD where it cannot be kept, or --keys names a column that is not drawn. */
MUST_CHECK Status protect_uniques(Run *run, const SynthArgs *args, Columns drawn, ReplicatedUniques *out);
MUST_CHECK Status uniques_impossible(Run *run); /* BAD: every draw is a copy */
void say_protected(Run *run, const ReplicatedUniques *uniques);
void give_model(Run *run, const SynthArgs *args, Table *model, const char *ties);
/* Plans, fits, draws and reports a whole table; of households and their members where --household is given (linked_synthesis). */
MUST_CHECK Status whole_synthesis(Run *run, const SynthArgs *args);
MUST_CHECK Status linked_synthesis(Run *run, const SynthArgs *args);

/* Within the room: draws of one visit. */
MUST_CHECK Status draw_tree(Synthesis *s, const Model *model, const DonorTree *tree, SyntheticTable *d, const int64_t *rows, int64_t count,
                            const char *what, int64_t *out);

/* What the methods say: the models, how each column came out, and the tables themselves. */
MUST_CHECK Status report_models(Synthesis *s, const Table *synthetic);
typedef struct SynthLevel {
    const Synthesis *s;
    const Table *data, *synthetic;
} SynthLevel;
MUST_CHECK Status report_levels(Run *run, const SynthLevel *level, int64_t count);    /* households and members, each judged by itself */
MUST_CHECK Status stack_tables(Run *run, Table **tables, int64_t count, Table **out); /* one of all, with a first column `set` */
/* M tables, or one of all; columns that are made up are added. */
MUST_CHECK Status report_outputs(Run *run, const SynthArgs *args, Table **tables);
/* Both sides of a synthetic table: utility, and what an intruder learns. */
MUST_CHECK Status evaluate(Run *run, const Table *original, const Table *synthetic, const Table *holdout, Columns keys);

/* pMSE of one crossing over what is expected where the synthesis is right (Raab, Nowok & Dibben 2017). */
typedef struct Crossing {
    double pmse, ratio;
    int64_t df;
} Crossing;
typedef struct Grouped {
    int64_t columns;
    const char **name;
    int32_t *values;
    const int32_t **at[2];
    int64_t rows[2];
} Grouped;
/* Both tables' columns in the same codes, in the arena. */
MUST_CHECK Status grouped_make(Work *work, const Table *original, const Table *synthetic, Grouped *out);
void grouped_drop(Work *work, Grouped *grouped); /* gives the codes back early; names and numbers stay */
/* Of these columns (`order` of them). */
MUST_CHECK Status crossing(const Grouped *g, const int32_t *subset, int32_t order, Crossing *out, Error *error);

#define SYNTH_VALUES                                                                                                                       \
    VALUE(records, INTEGER, "Records of each synthetic table", .flags = PUBLIC),                                                           \
        VALUE(tables_made, INTEGER, "Synthetic tables", .flags = PUBLIC),                                                                  \
        TABLE_OUT(models,                                                                                                                  \
                  "column:text model:text predictors:integer size:integer explained:real ratio:real worst_with:text worst_ratio:real",     \
                  "Each column: model, number of leaves or parameters, share of variation explained, S_pMSE of the column and of its "     \
                  "worst pair (about 1 if the model is correct)"),                                                                         \
        RELEASED("The synthetic table")
#endif
