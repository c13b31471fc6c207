/* The empirical ROC curve as a sequence of steps, and every way that known records fit into it. */
#ifndef SCRIM_MATH_ROC_H
#define SCRIM_MATH_ROC_H
#include "table/table.h"

/* One step of the curve: the records at one distinct score. `place` is 0 for such a step; in a curve that dropped collinear points a run
 * along an axis is cut into steps of one record, and place is 1, 2, 3 … within the run: how the run was tied is not known. */
typedef struct RocStep {
    int32_t positives, negatives;
    int64_t place;
} RocStep;
typedef struct RocSteps {
    int64_t count, positives, negatives;
    RocStep *at;
    double *low, *high; /* thresholds given: what they say of the score of each step, open; low = high where it is the score. Else NULL */
} RocSteps;

/* Known records in groups of equal score, descending. */
typedef struct RocGroup {
    double score;
    int32_t positives, negatives;
    int64_t row; /* a record that has it */
} RocGroup;
typedef struct RocKnown {
    int64_t count, records, positives;
    RocGroup *at;
} RocKnown;

/* 0 and 1 from a column: numbers 0 and 1, or one word of two (`positive`, else the later in order). -1 where missing. */
MUST_CHECK Status roc_statuses(Work *work, const Column *column, const char *positive, int8_t **out);
/* Rows whose score (NaN) or status (-1) is missing are left out. */
MUST_CHECK Status roc_known(Work *work, const double *score, const int8_t *status, int64_t rows, RocKnown *out);
/* The curve of these very records: its steps are their groups. */
MUST_CHECK Status roc_steps(Work *work, const RocKnown *records, RocSteps *out);
/* Area under the steps' curve (ties as diagonals: the Mann–Whitney statistic). */
double roc_area(const RocSteps *steps);

/* A missing record, by its rank. */
typedef struct RocMissing {
    double positive; /* share of the solutions in which its status is 1; among tied missing records, the share of 1s */
    double lower,
        upper; /* hull over the solutions of the open interval of its score; infinite where unbounded; equal where the score is known */
    bool may_be_0, may_be_1;
} RocMissing;

typedef struct RocAnswer {
    int64_t missing, positives, certain; /* records; statuses 1 among them; of how many the status is the same in every solution */
    double solutions_log10;
    const char *solutions; /* the exact count in decimal, or NULL where it would take too long */
    RocMissing *at;        /* in descending rank */
} RocAnswer;

/* The first group that finds no step when each takes the earliest it can, or -1 where all fit. *after: the steps already taken. */
int64_t roc_misfit(const RocSteps *steps, const RocKnown *known, int64_t *after);
/* Counts every order-preserving placement of the known groups on the steps; all must fit. `exact`: the count too, not only its logarithm.
 */
MUST_CHECK Status roc_embed(Work *work, const RocSteps *steps, const RocKnown *known, bool exact, RocAnswer *out);

/* Every order, tie and placement that the records of each bag (the way between two points) may have: widens what each of the missing
 * records, in descending rank, may be (may_be_0, may_be_1) and the interval of its score, ends included. `at` begins with what is known of
 * nobody: false, false, ∞, −∞. */
MUST_CHECK Status roc_widen(Work *work, const RocSteps *bags, const RocKnown *known, RocMissing *at, bool *possible);

/* A thinner curve: of the points, only the last at or before each multiple of 1/cells of the false positive rate. Its steps are bags of
 * records, in no known order. */
MUST_CHECK Status roc_thin(Work *work, const RocSteps *steps, int64_t cells, RocSteps *out);
/* The attack on such a curve: every order of each bag's records, and every placement of the known groups in it, counts alike; a tie of
 * known records stands together. `exact`: the count too, where it does not take too long. */
MUST_CHECK Status roc_embed_bags(Work *work, const RocSteps *bags, const RocKnown *known, bool exact, RocAnswer *out);
/* The first group that finds no room when each is placed as early as possible, or -1 where all fit. *after: the bags up to the one before. */
MUST_CHECK Status roc_bags_misfit(Work *work, const RocSteps *bags, const RocKnown *known, int64_t *group, int64_t *after);
#endif
