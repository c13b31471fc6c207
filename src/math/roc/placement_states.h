/* The states that placements of known groups on a curve's steps can pass through. */
#ifndef SCRIM_MATH_ROC_PLACEMENT_STATES_H
#define SCRIM_MATH_ROC_PLACEMENT_STATES_H
#include "base/elementary.h"
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
    bool plain;       /* no thresholds and no runs: a group takes one step, whatever its score */
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

/* The product times 2^(256·power), rounded once: shares are of the order of one or less, and below power −5 nothing is left of them. */
static inline double roc_share(Scaled forward, Scaled backward, Scaled total) {
    enum { LOWEST = -5, HIGHEST = 1 };
    static const double factor[][2] = { { 0x1p-640, 0x1p-640 }, { 0x1p-512, 0x1p-512 }, { 0x1p-768, 1 },
                                        { 0x1p-512, 1 },        { 0x1p-256, 1 },        { 1, 1 },
                                        { 0x1p256, 1 } };
    double product = forward.mantissa * (backward.mantissa / total.mantissa);
    int power = forward.power + backward.power - total.power;
    if (power < LOWEST) return 0;
    if (power > HIGHEST) return ldexp(product, 256 * power);
    return product * factor[power - LOWEST][0] * factor[power - LOWEST][1];
}

/* Where group i+1 ends when it begins after step j; 0 where it cannot. */
static inline int64_t roc_ends(const RocBand *band, int64_t i, int64_t j) {
    const RocGroup *group = &band->known->at[i];
    if (j >= band->steps->count) return 0;
    int64_t end = j + (band->steps->at[j].place ? (int64_t)group->positives + group->negatives : 1);
    return end >= band->first[i + 1] && end <= band->last[i + 1] && roc_taken(band->steps, group, end) == end - j ? end : 0;
}

static inline int64_t roc_width(const RocBand *band, int64_t i) { return band->last[i] - band->first[i] + 1; }
/* F(j, i), the ways to reach state (j, i): by leaving step j to missing records, or by group i ending on it. */
void roc_forward_row(const RocBand *band, int64_t i, const Scaled *before, Scaled *now);
/* B(j, i), the ways from state (j, i) to the end. */
void roc_backward_row(const RocBand *band, int64_t i, const Scaled *after, Scaled *now);
void roc_ones(const RocBand *band, int64_t i, Scaled *row); /* where counting begins */

/* How often each missing record of rows from…to has status 1, into answer->at[].positive and `weights` by rank; nothing else of the answer.
 * For long parts of curves without thresholds and runs: what is left out is at most 1e-12 of the placements. *total: all of them. */
MUST_CHECK Status roc_weigh(Work *work, const RocBand *band, int64_t from, int64_t to, RocAnswer *answer, double *weights, Scaled *total);

/* The exact count of the placements from state first[from] of group `from` to state last[to], times what is in `product` (an mpz_t). */
MUST_CHECK Status roc_count(Work *work, const RocBand *band, int64_t from, int64_t to, double log2_count, void *product);
#endif
