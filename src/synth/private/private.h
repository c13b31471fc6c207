/* Within synth.private: select marginals, measure them with noise, fit a graphical model, draw rows.
 *
 *   schema → Domain (what a value can be) → Records (codes) → mst | aim: Measured marginals → Tree, fitted by mirror descent → rows → table
 *
 * The confidential records are read in two places only: count_marginal, whose counts get exact discrete Gaussian noise before anything else
 * sees them, and choose_marginal, the exponential mechanism. All else works on noisy numbers. */
#ifndef SCRIM_SYNTH_PRIVATE_PRIVATE_H
#define SCRIM_SYNTH_PRIVATE_PRIVATE_H
#include "ledger/ledger.h"
#include "math/discrete_noise.h"
#include "method/method.h"
#include "synth/engine/engine.h"
#include "table/edit_rules.h"
#include "table/schema.h"

enum { MOST_ATTRIBUTES = 64 };
typedef uint64_t Set; /* of attributes, a bit each */

typedef struct PrivateArgs {
    SynthArgs roles; /* first, so that the family's parameters apply: the roles of columns */
    const Table *data, *rules;
    const Schema *schema;
    enum { MST, AIM } method;
    double epsilon, delta, zcdp, max_model_size;
    int64_t workload, n, bins;
    Ledger *ledger;
    const char *analyst, *account, *request;
    bool no_ledger, insecure_reproducible;
} PrivateArgs;

/* What an attribute's values can be, from the schema alone. Few numbers: a code each; many: intervals, which hold whole steps where there are
 * steps, beside a code of its own for each bound (where what is clamped gathers) and for each point that the schema names. Missing, where it
 * is possible, is the last code. */
typedef struct Attribute {
    const SchemaColumn *column;
    int32_t size;
    bool missing;
    int32_t bins;            /* numbers: codes of values or intervals */
    const double *from, *to; /* of each, ascending: the least and the largest value; NULL: code k is the value low + k·step */
    int32_t merged;          /* codes after rare values were merged; size unless MST merged some */
    int32_t *merge;          /* code → merged code */
} Attribute;

typedef struct Domain {
    int32_t count;
    Attribute *at;
} Domain;
/* From what is public alone; numbers are cut into `bins`. In the arena. */
MUST_CHECK Status domain_make(Work *work, const Schema *schema, int64_t bins, Domain *out);
/* attribute → row → code; the table has the domain's columns. A cell that is missing and may not be counts as the first category, or the
 * middle. */
MUST_CHECK Status domain_codes(Work *work, const Domain *domain, const Table *data, uint16_t **codes);
/* Drawn codes (merged ones) as a table: merged values are spread evenly, intervals uniformly, by word word_at[i] of the column's stream. */
MUST_CHECK Status domain_table(Run *run, const Domain *domain, const char *name, uint16_t *const *codes, const int64_t *word_at,
                               int64_t rows, Table **out);

/* BAD where the schema has a column that names people. Decided from its names and categories, which are public: whether a run fails tells
 * nothing of the data. */
MUST_CHECK Status refuse_named(Run *run, const PrivateArgs *args);

/* ---- sets of attributes and tables over them: attributes ascend, the last is the fastest ---- */
int64_t set_cells(const Domain *domain, Set set); /* INT64_MAX where too many to count */
/* map[cell of `from`] = cell of `to`, a part of it. */
void project_map(const Domain *domain, Set from, Set to, int32_t *map);

/* ---- what was measured ---- */
typedef struct Measured {
    Set set;
    int64_t cells;
    double *noisy;
    double sigma;
    double *parameter;                         /* the model's: log potentials */
    double *sum;                               /* with those of the marginals within this one */
    double *share;                             /* the model's */
    double *gradient, *before, *origin, *last; /* of the fit */
} Measured;
MUST_CHECK Status measured_room(Work *work, Measured *m); /* by its cells */

/* The data, its noise and its budget. */
typedef struct Private {
    Run *run;
    const PrivateArgs *args;
    Domain domain;
    int64_t rows;      /* of the confidential table */
    uint16_t **code;   /* attribute → row → code */
    bool replace;      /* neighbours replace one record; else they add or remove one */
    bool count_public; /* the number of records: of records replaced one by one, but not of people, whose records may be none or many */
    double zcdp;       /* the whole promise */
    double spent;
    double total; /* records that the model stands for: public, or estimated */
    RandomBits bits;
    int64_t measured, room;
    Measured *at;
    int turns;     /* of the last fit */
    bool momentum; /* of fits */
} Private;

/* How far one record moves a marginal: its squared Euclidean and its absolute length. */
static inline double reach_squared(const Private *p) { return p->replace ? 2 : 1; }
static inline double reach(const Private *p) { return p->replace ? 2 : 1; }

/* The exact counts, without noise: never to be shown. In the arena. */
MUST_CHECK Status count_marginal(Private *p, Set set, int32_t **out, int64_t *cells);
/* Cells of rows that were drawn from the model, counted into `out`. */
void count_drawn(const Private *p, uint16_t *const *codes, int64_t rows, Set set, double each, double *out);
/* Counts with discrete Gaussian noise of this sigma: spends reach²/(2σ²). */
MUST_CHECK Status measure_marginal(Private *p, Set set, double sigma);
/* The exponential mechanism over quality scores, one record moving each by `sensitivity` at most: spends ε²/8. */
MUST_CHECK Status choose_marginal(Private *p, const double *quality, int64_t count, double sensitivity, double epsilon, int64_t *chosen);

/* ---- the model ---- */
typedef struct Clique {
    Set set, separator;            /* shared with the parent */
    int64_t cells, between;        /* cells of the clique, of the separator */
    int32_t parent;                /* -1: the root */
    double *belief;                /* a probability after calibration */
    double *message;               /* to the parent: a logarithm per cell of the separator */
    int32_t *own_map, *parent_map; /* cell → cell of the separator: in this clique, in the parent */
} Clique;
typedef struct Tree {
    int32_t count;
    Clique *clique; /* parents before children */
    int32_t *home;  /* measured → clique that holds it */
    int32_t *host;  /* measured → a larger marginal that was measured too and holds it, through which it is reached; -1: none */
    int32_t *order; /* the measured, hosts before what they hold */
    int32_t **map;  /* measured → cell of its host, or of its clique → its cell */
} Tree;
/* Cliques of the measured sets, triangulated; bytes that they take. */
MUST_CHECK Status tree_cliques(const Domain *domain, const Set *sets, int64_t count, Set *cliques, int32_t *found, double *cells);
MUST_CHECK Status tree_make(Private *p, Tree *out);
void tree_drop(Private *p, Tree *tree);
MUST_CHECK Status tree_calibrate(Private *p, Tree *tree);
void tree_shares(Private *p, const Tree *tree); /* of every measured marginal, after calibration */
/* The model's shares of any marginal. */
MUST_CHECK Status tree_marginal(Private *p, const Tree *tree, Set set, double *out);
double tree_cost(Private *p, const Tree *tree, Set set); /* cells that this walks; 0 where one clique has it */
/* Minimises Σ‖N·p_r − y_r‖²/(2σ_r²) over graphical models, by entropic mirror descent, with momentum where p says so. */
MUST_CHECK Status tree_fit(Private *p, Tree *tree, int turns);

/* Which marginals are measured, and their measuring: McKenna, Miklau & Sheldon 2021 (MST), McKenna et al. 2022 (AIM). */
MUST_CHECK Status mst_select(Private *p);
MUST_CHECK Status aim_select(Private *p);
/* attribute → row → code of so many rows; `what` names the draw. */
MUST_CHECK Status rows_draw(Private *p, const Tree *tree, int64_t rows, const char *what, uint16_t **codes);
/* How many rows to draw for so many to be kept, a multiple of them; and which of that pool are kept, so that the tables of the workload
 * come near to the pool's. */
int64_t balance_pool(int64_t rows);
MUST_CHECK Status rows_balance(Private *p, uint16_t *const *codes, int64_t pool, int64_t rows, int64_t *pick);
/* Before anything is spent: reads the rules, and finds out those that no row of the schema keeps. */
MUST_CHECK Status lawful_check(Private *p, EditRules *rules);
/* So many rows of the model that all keep the rules. */
MUST_CHECK Status lawful_table(Private *p, const EditRules *rules, const Tree *tree, int64_t count, Table **out);
void estimate_total(Private *p); /* from the marginals measured so far */
#endif
