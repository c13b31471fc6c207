/* The states that placements of known groups on a curve's steps can pass through. */
#ifndef SCRIM_MATH_ROC_BAND_H
#define SCRIM_MATH_ROC_BAND_H
#include "math/roc/roc.h"

/* State (j, i): the first i groups stand on the first j steps. It lies on some placement exactly where first[i] ≤ j ≤ last[i]: first from
 * placing each group as early as it goes, last from placing each as late. */
typedef struct RocBand {
    const RocSteps *steps;
    const RocKnown *known;
    int64_t *first, *last;
    int64_t *records; /* in the first j steps */
    int64_t *held;    /* in the first i groups */
    bool single;      /* every step holds one record */
} RocBand;

/* How many steps group i (from 1) takes when it ends on step j (from 1); 0 where it does not fit. A tie of g records takes g steps of a
 * run. */
static inline int64_t roc_taken(const RocSteps *steps, const RocGroup *group, int64_t j) {
    const RocStep *step = &steps->at[j - 1];
    if (steps->low) {
        double low = steps->low[j - 1], high = steps->high[j - 1];
        if (low == high ? group->score != low : !(group->score > low && group->score < high)) return 0;
    }
    if (!step->place) return group->positives <= step->positives && group->negatives <= step->negatives;
    int64_t size = step->positives ? group->positives : group->negatives;
    return size == (int64_t)group->positives + group->negatives && size <= step->place ? size : 0;
}

/* A count of any size: mantissa · 2^(256·power). */
typedef struct Scaled {
    double mantissa;
    int32_t power;
} Scaled;
/* a + b; what is too small to count beside the other is dropped. */
static inline Scaled scaled_add(Scaled a, Scaled b) {
    if (a.power != b.power) {
        if (a.mantissa == 0) return b;
        if (b.mantissa == 0) return a;
        if (a.power < b.power) {
            Scaled c = a;
            a = b;
            b = c;
        }
        if (a.power - b.power == 1) a.mantissa += b.mantissa * 0x1p-256;
    } else a.mantissa += b.mantissa;
    if (a.mantissa >= 0x1p128) {
        a.mantissa *= 0x1p-256;
        a.power++;
    }
    return a;
}

/* The exact count of the placements from state first[from] of group `from` to state last[to], times what is in `product` (an mpz_t). */
MUST_CHECK Status roc_count(Work *work, const RocBand *band, int64_t from, int64_t to, double log2_count, void *product);
#endif
