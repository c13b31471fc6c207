/* Comparing two tables: what each part computes. Tables come whole, or in parts that lie side by side: the values of each column are
 * learned in the first reading, and what goes by record (pairs of values, products, differences) in the second. */
#ifndef SCRIM_UTILITY_COMPARE_H
#define SCRIM_UTILITY_COMPARE_H
#include <string.h>
#include "math/linear/moments.h"
#include "method/method.h"
#include "method/parts.h"
#include "utility/common_level.h"

enum { QUANTILES = 11 };
extern const double quantile_at[QUANTILES];

/* One cell's text, and the code that both tables share for it. */
typedef struct Coded {
    const char *text;
    int64_t code;
} Coded;

/* One variable in both tables. */
typedef struct Pairing {
    const char *name;
    int64_t place;   /* among the columns compared */
    bool number;     /* compared as numbers */
    bool codes;      /* whole numbers that stand for categories */
    bool unsure;     /* codes whose release holds reals: numbers unless it recoded them */
    bool asked;      /* what became of its values in the records is asked, of these: */
    Coded *coded[2]; /* the values of each table by their text */
    int64_t coded_count[2];
    RecodedColumn coarse; /* name NULL: nothing is to be said */
    int64_t missing[2];
    double mean[2], variance[2], quantile[2][QUANTILES];
    double ks, hellinger, total_variation, entropy[2];
} Pairing;

/* Its column of a table, or NULL: mostly at its own place. */
static inline const Column *pairing_column(const Pairing *p, const Table *table) {
    const Column *likely = p->place < table->columns ? table->column[p->place] : NULL;
    return likely && !strcmp(likely->name, p->name) ? likely : table_column(table, p->name);
}

typedef struct Comparison {
    const Table *table[2]; /* in parts: without records */
    int64_t rows[2];
    bool placed;          /* a record's place tells whose it is */
    const PartState *fit; /* what was learned of the parts; NULL: the tables are whole */
    int64_t variables, numeric;
    Pairing *pair;    /* numeric variables first */
    Moments joint[2]; /* of the numeric variables, over complete records */
} Comparison;

/* ---- values (values.c) ---- */

/* A column's values, each with how many records have it. */
typedef struct Values {
    Column *column; /* held */
    int64_t *times; /* NULL: one each */
} Values;
void values_drop(Values *values);
/* Numbers in order; *own: to be freed with value_counts_free, and not learned. */
MUST_CHECK Status values_counts(Work *work, const Comparison *c, const Pairing *p, int t, ValueCounts **out, bool *own);
MUST_CHECK Status values_make(Work *work, const Comparison *c, const Pairing *p, int t, Values *out);
/* Both tables', codes as categories. */
MUST_CHECK Status values_both(Work *work, const Comparison *c, const Pairing *p, Values out[2]);
/* Into the state: a chunk's columns. */
MUST_CHECK Status values_learn(Run *run, const Comparison *c, PartState *fit);

/* ---- decisions (decide.c) ---- */

/* The variables, and how each is compared; in the arena. */
MUST_CHECK Status compare_decide(Work *work, Columns vars, Comparison *c);
/* What of the second reading is kept, by number of its roll. */
enum { DONE_PAIRS, DONE_JOINT, DONE_APART = DONE_JOINT + 2 };
/* What became of the values that are asked for, in these records. */
MUST_CHECK Status compare_pairs(Work *work, const Comparison *c, const Table *const chunk[2], PartState *done);
/* Codes whose release holds reals: are they compared as numbers after all? Only of whole tables, once their pairs are known. */
MUST_CHECK Status compare_settle(Work *work, Comparison *c, const PartState *done);
/* The original's values as the release has them; *out stays NULL where it has them alike. Fills p->coarse. */
MUST_CHECK Status compare_coarsen(Work *work, Pairing *p, const PartState *done, const Values values[2], Column **out);

/* ---- figures ---- */

/* Correlations of more variables than these are not summed exactly, and so not in parts: it would take too long. */
enum { MOST_TOGETHER = 32 };

MUST_CHECK Status compare_sums(Work *work, const Comparison *c, const Table *const chunk[2], PartState *done); /* what goes by record */
MUST_CHECK Status compare_distances(Work *work, const Comparison *c, Pairing *p, const PartState *done); /* moments, quantiles, distances */
MUST_CHECK Status compare_joint(Run *run, Comparison *c, const PartState *done); /* il1s … kullback_leibler, table correlations */
/* Table `groups`: the largest distances within each group of these columns of the original. */
MUST_CHECK Status compare_groups(Run *run, const Table *original, const Table *released, Columns vars, Columns by, bool placed);
double relative_change(double original, double released); /* NaN where the original is zero */
#endif
