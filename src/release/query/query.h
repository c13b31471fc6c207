/* Within release.query: from the words of a query to noisy answers.
 *
 *   parse → Query → (global | leave_one_out | worlds) → Measures and Answers → promise: scales → ledger: debit → draw → record → report
 *
 *   query.c         the method: its declaration, and the order of the steps
 *   parse.c         the words of a query                                                                       → Query
 *   rows.c          which records count: records per person, `where`, missing values, groups and their keys
 *   fixed.c         columns as whole numbers on grids, clamped to their bounds; exact.c: statistics of them in exact arithmetic
 *   global.c        how far one person can move an answer: over all tables (also quantile.c, regression.c, logistic.c, tree.c, smooth.c,
 * roc.c) → Measures, Answers leave_one_out.c over this table; worlds.c: over the worlds an adversary weighs
 *   promise.c       from the promise to each scale; sentence.c: how it is said
 *   charge.c        what it costs in each currency, what makes two requests the same, the debit and the record of the answer
 *   draw.c          noise, thresholds, answers and their intervals
 *   carry.c         the same of a table that comes in parts: what is learned of each, and added up
 *   record.c        what the ledger keeps, and what makes two requests the same; recall.c: read back, never redrawn
 *   report.c        the result
 *
 * A Measure is one or more whole numbers on a grid of 2^exponent that get noise of one scale: its sensitivities say how far one person
 * moves all of them together. An Answer is a function of the noisy measures and of what is public. No floating point stands between a
 * record and a measure's numbers. */
#ifndef SCRIM_RELEASE_QUERY_QUERY_H
#define SCRIM_RELEASE_QUERY_QUERY_H
#include <gmp.h>
#include "ledger/ledger.h"
#include "math/discrete_noise.h"
#include "math/privacy/noise.h"
#include "math/privacy/sensitivity.h"
#include "method/parts.h"

typedef enum { GLOBAL, LEAVE_ONE_OUT, WORLDS } Neighbours;
typedef enum { REPLACE_ONE, ADD_REMOVE } Unit;
typedef struct {
    const Table *data, *universe, *priors, *public_keys;
    const char *query, *request, *analyst, *account;
    const Schema *schema;
    Pairs bounds;
    const Expr *where;
    unsigned neighbours, unit, select;
    const Column *person;
    int64_t max_records, group, worlds, known;
    double epsilon, delta, zcdp, gdp, auc, identifiability, prior;
    Reals noncentrality;
    bool smooth, tight, contributions, show_scales, nonnegative, dry_run, no_ledger, insecure_reproducible;
    Ledger *ledger;
} ReleaseArgs;

/* One query as it was asked. */
typedef enum {
    QUERY_COUNT,
    QUERY_SUM,
    QUERY_MEAN,
    QUERY_VARIANCE,
    QUERY_SD,
    QUERY_COVARIANCE,
    QUERY_CORRELATION,
    QUERY_MOMENT,
    QUERY_MEDIAN,
    QUERY_QUANTILE,
    QUERY_WINSORIZED,
    QUERY_TRIMMED,
    QUERY_HISTOGRAM,
    QUERY_ROC,
    QUERY_CHISQ,
    QUERY_REGRESSION,
    QUERY_TREE,
    QUERY_LOGISTIC,
    QUERY_BOUNDS
} QueryKind;
typedef struct QueryWords {
    const char *name;
    QueryKind kind;
    int columns;
    int numbers; /* 2 = it may be left out */
    double least, most;
    const char *like;
} QueryWords;
extern const QueryWords query_words[]; /* ends with a NULL name */
typedef struct Query {
    const QueryWords *words;
    QueryKind kind;
    const char *text; /* as it was written */
    const Column *x, *y;
    Columns more;      /* regression: the predictors; x is what they predict */
    double number;     /* moment's order, quantile's and trimming's share, histogram's bins; NaN = not given */
    const Expr *where; /* or NULL; --where is in it */
    Columns by;
    int64_t weight;         /* its share of the promise against the others': mean(age) [2] */
    int64_t select_measure; /* gated by the optimal rule: the measure that says which keys are shown */
    bool gated;             /* its groups' keys are not public: a threshold decides which are shown */
} Query;
/* `source`: queries with ; between them. In the arena; BAD where it is no such text, or names what the table lacks. */
Status query_parse(Work *work, const Table *data, const char *source, int64_t *count, Query **out);

/* A numeric column as whole numbers on a grid: value ≈ at[i]·2^exponent, clamped to [low, high] (on the grid too). */
typedef struct Fixed {
    int exponent;
    int64_t low, high;
    int64_t *at;
} Fixed; /* at[i] is INT64_MIN where missing */
static const int64_t FIXED_MISSING = INT64_MIN;
typedef struct Bounds {
    double low, high;
    bool given, whole;
} Bounds; /* whole: an integer column between whole numbers */

/* Rows as logistic regression sees them: n of d numbers in 2⁻²⁰, the first of them 1. */
typedef struct Logistic {
    int64_t n, d;
    int32_t *x;
    bool *yes;
} Logistic;

typedef struct Measure {
    const char *part; /* "sum", "count", …, for the table of parts */
    int64_t query;    /* whose */
    int64_t count;
    Wide *value; /* on the grid; noisy after draw */
    int exponent;
    double divisor; /* public: what is reported is (value·2^exponent)/divisor */
    uint64_t l1;    /* sensitivity of all of them together, in units */
    unsigned __int128 l2_squared;
    const char *key;               /* what it is the sum of, over which records: queries that need the same share it; or NULL */
    int64_t share, over;           /* over/share of the promise is this measure's */
    bool exact;                    /* no noise: public, or nothing moves it */
    uint64_t scale_num, scale_den; /* Laplace, in units */
    mpz_t variance;                /* Gaussian, in units²; initialised with the measure */
    double sensitivity, scale;     /* as reported, in the answer's units */
    double epsilon, noncentrality; /* of this measure's noise, as promised */
    uint64_t smooth_units;         /* --smooth: the noise's scale, which depends on the data and must not be told; 0 = not smooth */
    double *change;                /* leave-one-out: by how much each row moves it, or NULL */
    double global;                 /* --show-scales with worlds: the sensitivity over all tables; 0 = not asked */
    bool select;                   /* how many people have each key, then whether it is shown: a choice of its own kind */
    bool choice; /* chosen by the exponential mechanism, not noise added: value is then a place, first + value·step, from 0 to last */
    double first, step, number;  /* number: the quantile's share */
    int64_t levels;              /* tree: of halvings; 0 = no tree */
    double *consistent, *linear; /* tree: the noisy counts, made to add up; the same before none is below 0 */
    double *reach;               /* tree: half of the 95% interval of a node at each depth */
    double *middle, *half;       /* regression: what each variable was scaled by; the first is the response */
    int64_t variables;
    double records;                       /* regression: their number where it is public, else NaN */
    int64_t portion;                      /* its share against the query's other measures'; 0 = 1 */
    const Logistic *logistic;             /* logistic: the rows; with `choice` the coefficients, else their information */
    int64_t last, **places, *place_count; /* each group's records, as places */
} Measure;

typedef enum {
    FORM_SELF,
    FORM_RATIO,
    FORM_VARIANCE,
    FORM_SD,
    FORM_COVARIANCE,
    FORM_COUNT,
    FORM_ROOT,
    FORM_CORRELATION,
    FORM_COEFFICIENT,
    FORM_LOGIT,
    FORM_BOUND
} Form;
typedef struct Answer {
    int64_t query;
    const char *group; /* which group, or NULL */
    Form form;
    int64_t measure[6], element; /* the measures it is made of, and its place in each */
    int measures;
    double centre, low, high; /* FORM_RATIO: what was taken off before summing, and where the answer can lie */
    int64_t gate_measure;     /* the count measure that decides whether this group is shown, or -1 */
    double value, lower, upper, sensitivity, scale;
    bool shown;
} Answer;

typedef enum {
    PROMISE_EPSILON,
    PROMISE_EPSILON_DELTA,
    PROMISE_ZCDP,
    PROMISE_GDP,
    PROMISE_AUC,
    PROMISE_NONCENTRALITY,
    PROMISE_IDENTIFIABILITY
} PromiseKind;
typedef struct Plan {
    Run *run;
    Work *work;
    const ReleaseArgs *args;
    PromiseKind promise;
    NoiseFamily noise; /* DISCRETE_LAPLACE_NOISE or DISCRETE_GAUSSIAN_NOISE */
    int64_t queries, measures, answers, measure_room, answer_room;
    Query *query;
    Measure *measure;
    Answer *answer;
    Unit unit; /* what the schema says, else what was asked */
    const Column *person;
    int64_t max_records;
    int64_t rows;                                              /* after the bound on records per person */
    int64_t *row;                                              /* row[i] of data, or NULL = all */
    bool one_removed;                                          /* leave-one-out: not differential privacy */
    double worlds;                                             /* possible worlds, NaN where there are none */
    double epsilon;                                            /* of the whole release; NaN where it has none */
    double threshold_delta;                                    /* of all thresholds on private keys together; 0 = none */
    int64_t gates;                                             /* how many queries share it */
    double tight_scale;                                        /* --tight: scale in units of the measure; 0 = not asked */
    double joint_noncentrality, auc, auc_joint, noncentrality; /* auc: the paper's, for who does not know the signs of the changes */
    const char *sentence;
    struct Carry *carry; /* the table comes in parts; NULL: it is whole */
} Plan;

/* Another measure of the plan, of so many elements; its number. plan_answer likewise adds what is to be said. */
Status plan_measure(Plan *plan, Measure measure, int64_t elements, int64_t *out);
Status plan_answer(Plan *plan, Answer answer);

/* One person stands for `records` records, a group for that many of each. */
static inline uint64_t plan_most(const Plan *plan) {
    return (uint64_t)(plan->person ? plan->max_records : 1) * (uint64_t)plan->args->group;
}
/* A product that does not fit is the largest number there is, which plan_measure refuses: a sensitivity must never wrap. */
static inline uint64_t times_most(uint64_t a, uint64_t b) { return b && a > UINT64_MAX / b ? UINT64_MAX : a * b; }

/* fixed.c */
Status bounds_of(Plan *plan, const Column *column, bool need, Bounds *out);
Status fixed_column(Plan *plan, const Column *column, const Bounds *bounds, Fixed *out);
/* x^k or x·y (centred at cx, cy) on a grid of its own. */
Status fixed_power(Plan *plan, const Fixed *x, int64_t k, int64_t centre, Fixed *out);
Status fixed_product(Plan *plan, const Fixed *x, const Fixed *y, int64_t cx, int64_t cy, Fixed *out);
void wide_to_mpz(Wide value, mpz_t out);
Status wide_from_mpz(const mpz_t value, Wide *out, Error *error);
double wide_real(Wide value, int exponent);
/* ⌊num·2^shift/den⌋ as a measure's number. */
Status grid_floor(const mpz_t num, const mpz_t den, int shift, Wide *out, Error *error);

/* exact.c: a statistic of fixed-point numbers, exactly, then rounded down to a grid of 2^grid. x (and y) hold n numbers, none missing. */
Statistic query_statistic(const Query *query);
static inline bool query_linear(const Query *query) { return query->kind >= QUERY_MEDIAN && query->kind <= QUERY_TRIMMED; }
typedef struct Sums3 {
    mpz_t x, y, xy; /* Σx, Σy (Σx again where there is no y) and Σxy */
} Sums3;
typedef struct Exact {
    Statistic statistic;
    int64_t n;
    int64_t *x, *y;
    int exponent_x, exponent_y;
    const Sums3 *sums; /* of variances and covariances, where they are known; NULL: of x and y */
} Exact;               /* x is sorted in place by linear forms */
void sums_start(Sums3 *sums);
void sums_end(Sums3 *sums);
void exact_sums(const Exact *exact, Sums3 *out);
/* The statistic in whole units of 2^grid. */
Status exact_statistic(Work *work, Exact *exact, int grid, Wide *out);

/* rows.c: which records count, and in which group. */
Status plan_rows(Plan *plan);
typedef struct GroupKeys {
    int64_t count;
    int32_t *of; /* data row → group, or -1 */
    const char **label;
    bool known; /* the keys are public */
} GroupKeys;
/* Of the kept records, those where the query's `where` is true and none of its columns is missing. */
typedef struct Subset {
    int64_t count; /* here */
    int64_t *row;
    int64_t records, missing; /* such records, and those with a missing value, in the whole table */
} Subset;
bool query_grouped(const Query *query); /* has it an answer for each of some keys? */
/* In the arena. */
Status query_subset(Plan *plan, const Query *query, Subset *out);
/* The groups of a query with `by`; one of all without. In the arena. */
Status group_keys(Plan *plan, const Query *query, const Subset *subset, GroupKeys *out);

/* carry.c: what is carried from part to part. A table that comes in parts is planned three times: on each part to learn the facts that
 * decide the plan's shape (LOOKS), on each part again to add up the exact numbers that noise will be added to (ADDS), and at the end on the
 * table without its records, with those numbers (TOTAL). */
typedef enum { LOOKS, ADDS, TOTAL } CarryStage;
typedef struct Carry {
    CarryStage stage;
    const PartState *facts; /* ADDS, TOTAL */
    PartState *into;        /* LOOKS, ADDS */
    int64_t fact_count;     /* of the whole table; LOOKS: of this part */
    mpz_t *fact;
    int64_t next;    /* how many numbers were carried so far: the plan's shape, and so their order, is the same in every part */
    int64_t numbers; /* TOTAL: sums over all records, in malloc'ed memory */
    mpz_t *number;
} Carry;
/* These whole numbers are sums over records: they are added up where the plan ADDS, and become those of the whole table where it is TOTAL.
 */
Status carry_wide(Plan *plan, Wide *value, int64_t count, bool counts); /* counts: none is below 0 */
Status carry_sums(Plan *plan, Sums3 *sums);
/* How many records of the whole table count for the query, and how many lack a value. */
Status carry_subset(Plan *plan, const Query *query, Subset *subset);
/* Keys that are not public: those of the whole table. */
Status carry_keys(Plan *plan, const Query *query, const Subset *subset, GroupKeys *keys);
bool plan_lacks(const Plan *plan, const Column *column);         /* has the column a missing value? */
Status plan_print(Plan *plan, const Table *table, Printed *out); /* for the ledger's fingerprint */
extern const InParts query_parts;

/* query.c: the steps that a table in parts goes through, too. */
Status plan_begin(Plan *plan, Run *run, const ReleaseArgs *args, Carry *carry);
Status plan_queries(Plan *plan);
Status check_secrecy(Run *run, const ReleaseArgs *args);
Status answer_plan(Plan *plan); /* scales, debit, noise, report */
Status draw_answers(Plan *plan);

/* regression.c: coefficients from noisy moments. */
Status plan_regression(Plan *plan, int64_t query, const Subset *subset, bool known);
Status form_coefficient(Plan *plan, Answer *answer);
Status expected_coefficient(Plan *plan, const Answer *answer, double *half);

/* logistic.c: coefficients by objective perturbation, then their information. */
Status plan_logistic(Plan *plan, int64_t query, const Subset *subset);
Status logistic_check(Plan *plan, Measure *measure); /* before anything is charged */
Status draw_logistic(Plan *plan, Measure *measure, RandomBits *bits);
void fill_information(const Measure *objective, Measure *measure);
Status form_logit(Plan *plan, Answer *answer);
/* Chosen by rank, so of range ε; other choices keep ε and nothing better. */
static inline bool by_rank(const Measure *b) { return b->choice && !b->select && !b->logistic; }

/* tree.c: counts of a range, its halves, quarters and so on, which add up. */
Status plan_tree(Plan *plan, int64_t query, const Subset *subset);
Status make_consistent(Plan *plan, Measure *measure);
Status tree_reach(Plan *plan, Measure *measure); /* sets `reach`: from the noise alone */
void tree_interval(const Measure *measure, int64_t element, double *lower, double *upper);

/* value_range.c: bounds for clipping, from noisy counts by powers of two. */
Status plan_range(Plan *plan, int64_t query, const Subset *subset);
void form_bound(const Plan *plan, Answer *answer);
Status report_ranges(Plan *plan);

/* chisq.c: a test of independence from the noisy counts of a table. */
Status report_chisq(Plan *plan, int64_t query);
int64_t declared_values(const SchemaColumn *column); /* how many keys it makes, missing included; 0: not listed */

/* roc.c: bins of the score, each with both statuses; and the curve from their noisy counts. */
Status roc_keys(Plan *plan, const Query *query, GroupKeys *out);
Status report_roc(Plan *plan, int64_t query);

/* The largest change of a statistic of all n records, n public, when one of them is another within the ranges of x and y. */
double largest_change(const Query *q, int64_t n, double range, double range_y);
/* Measures whose sensitivity follows from the bounds alone. */
Status plan_global(Plan *plan, int64_t query);
/* Could a table of the same schema have a missing cell here? Then how many are missing is private. */
bool can_be_missing(const Plan *plan, const Column *column, const Subset *subset);
/* Is the number of records that a query counts known beforehand? */
bool count_is_public(const Plan *plan, const Query *query, const Subset *subset);
/* select.c: which private keys are shown. */
Status plan_select(Plan *plan, int64_t query, const Subset *subset, const GroupKeys *keys);
void selection_each(const Plan *plan, const Measure *measure, double *epsilon, double *delta); /* of one key */
Status draw_selection(Plan *plan, Measure *measure, RandomBits *bits);
static inline bool gates_by_count(const Plan *plan, const Query *query) { return query->gated && !plan->args->select; }
/* quantile.c: a measure chosen by the exponential mechanism. */
Status plan_quantile(Plan *plan, int64_t query, const Bounds *bounds, const Fixed *x, const Subset *subset, const GroupKeys *keys,
                     int64_t *out);
Status draw_choice(Plan *plan, Measure *measure, RandomBits *bits);
Status choice_check(Plan *plan, Measure *measure); /* before anything is charged */
double choice_ranks(const Measure *measure);       /* how many ranks off at most, with probability 0.95 */
/* sample_part.c: the numbers of one group, as they are summed and as reals; and one statistic of them, which a person moves by at most
 * delta (0: by nothing, and it has no noise). */
typedef struct SamplePart {
    Exact exact;
    Sample sample;
    int64_t *row;
} SamplePart;
Status sample_part(Plan *plan, const Query *q, const Fixed *x, const Fixed *y, const Subset *subset, const GroupKeys *keys, int64_t group,
                   SamplePart *out);
Status plan_number(Plan *plan, int64_t query, SamplePart *part, double delta, double *changes, const char *label);
Status plan_leave_one_out(Plan *plan, int64_t query);
/* own_worlds.c: the range over the worlds of this table, for the data custodian. */
Status plan_own_worlds(Plan *plan, int64_t query);
void report_own_worlds(Plan *plan);
Status plan_worlds(Plan *plan, int64_t query);
Status plan_smooth(Plan *plan, int64_t measure, const Exact *sorted, const Fixed *x);
/* The subset's (and group's) numbers side by side. */
Status gather_numbers(Plan *plan, const Fixed *f, const Subset *subset, const GroupKeys *keys, int64_t group, int64_t **out, int64_t *n);
/* A grid on which Δ has 2³⁰ to 2³¹ units, and Δ in them, rounded up. */
int grid_of(double delta);
uint64_t units_up(double delta, int grid);

Status promise_read(Plan *plan); /* check_arguments.c */
/* promise.c */
Status promise_scales(Plan *plan);
/* charge.c: what the plan costs in each currency, under its own unit; and its way through the ledger. */
LedgerLoss plan_loss(const Plan *plan);
Status answer_by_ledger(Plan *plan);
Status request_hash(Plan *plan, char out[33]); /* of its identity: in a dry run without what the records hold */
/* Sets plan->sentence: what is promised, for people. */
void promise_sentence(Plan *plan);
/* draw.c */
Status draw_noise(Plan *plan, RandomBits *bits);
Status form_answers(Plan *plan);
double plan_threshold(const Plan *plan, const Measure *gate); /* the noisy count from which on a private key is shown */
/* dry.c: the same arguments with a table of the same shape in which nothing stands. */
Status blank_arguments(Run *run, const ReleaseArgs *args, ReleaseArgs *out, Table **table);
Status report_expected(Plan *plan);
/* query.c: the whole way to where noise could be drawn; for the audit too. */
Status plan_make(Plan *plan, Run *run, const ReleaseArgs *args);
void plan_free(Plan *plan);
Status release_report(Plan *plan);
Status report_values(Plan *plan);
void report_parts(Plan *plan);
/* record.c */
Status answers_write(Plan *plan, Buffer *out);
Status answers_read(Plan *plan, const char *text);
Status detail_write(Plan *plan, Buffer *out);
#endif
