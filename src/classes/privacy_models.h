/* Privacy models of one class of records: l-diversity, t-closeness, δ-presence. */
#ifndef SCRIM_CLASSES_PRIVACY_MODELS_H
#define SCRIM_CLASSES_PRIVACY_MODELS_H
#include "table/hierarchy.h"

/* The sensitive values of one class: distinct values ascending, and how many records have each. */
typedef struct Tally {
    int64_t distinct, total;
    const int32_t *value;
    const int64_t *count;
} Tally;

/* The tallies of all classes, end to end. A missing sensitive value is a value of its own, after all others: code `codes->count`. */
typedef struct ClassTallies {
    int64_t classes;
    int64_t *start;
    int32_t *value;
    int64_t *count;
    int64_t *total;
    int64_t most_distinct;
} ClassTallies;
/* `of`: row → class. In the arena. */
MUST_CHECK Status class_tallies_make(Work *work, const int32_t *of, int64_t classes, int64_t rows, const Codes *sensitive,
                                     ClassTallies *out);
/* The tally of class c, borrowed. */
static inline Tally spread_tally(const ClassTallies *spread, int64_t c) {
    return (Tally){ spread->start[c + 1] - spread->start[c], spread->total[c], spread->value + spread->start[c],
                    spread->count + spread->start[c] };
}

/* Without the missing values (code `missing`, which comes last): what is missing cannot be learned and hides nobody. */
static inline Tally tally_present(Tally tally, int32_t missing) {
    if (!tally.distinct || tally.value[tally.distinct - 1] != missing) return tally;
    tally.distinct--;
    tally.total -= tally.count[tally.distinct];
    return tally;
}

/* l-diversity (Machanavajjhala et al. 2007). Distinct l is tally.distinct. */
double entropy_l(const Tally *tally); /* exp(H), H = −Σ p ln p */
/* The largest l with r_1 < c(r_l + … + r_m), r the counts in falling order; 0 where even l = 1 fails. scratch: distinct numbers. */
int64_t recursive_l(const Tally *tally, double c, int64_t *scratch);

/* t-closeness (Li et al. 2007): the earth mover's distance between a class and the whole table. A missing value is unknown to the intruder:
 * it counts neither in the one nor in the other. */
typedef enum { EQUAL_DISTANCE, ORDERED_DISTANCE, HIERARCHICAL_DISTANCE, NUMERIC_DISTANCE } Distance;
typedef struct Closeness {
    Distance distance;
    int32_t values;
    double *share;              /* of each value in the table */
    double *gap, *cumulated;    /* ordered, numeric: the step from value i to i+1, and the share up to i */
    double *gaps, *areas;       /* prefix sums of gap and of gap·cumulated */
    const Hierarchy *hierarchy; /* hierarchical */
    int32_t *leaf;              /* code → leaf */
    double **node_share;        /* level → value of that level → its share */
} Closeness;
/* Codes for the ordered distance: a column's own order where it has one, else numbers by their size (1, 2, 10), then words. */
MUST_CHECK Status codes_along_line(Work *work, const Column *column, Codes *out);
/* `column` gives values their places (numeric) and leaves (hierarchical, with `hierarchy`); sensitive are its codes. */
MUST_CHECK Status closeness_make(Work *work, Distance distance, const Column *column, const Codes *sensitive, const Hierarchy *hierarchy,
                                 Closeness *out);
int64_t closeness_scratch(const Closeness *closeness); /* numbers of scratch, zeroed once, that closeness_of needs */
double closeness_of(const Closeness *closeness, const Tally *tally, double *scratch); /* 0 for a class whose values are all missing */
#endif
