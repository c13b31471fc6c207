/* One of many things chosen with probabilities ∝ weight·e^(−loss·rate), exactly: the exponential mechanism (McSherry & Talwar 2007) without
 * floating point. */
#ifndef SCRIM_MATH_EXPONENTIAL_MECHANISM_H
#define SCRIM_MATH_EXPONENTIAL_MECHANISM_H
#include "base/work.h"
#include "math/random_bits.h"

typedef struct Choice {
    uint64_t weight, loss;
} Choice;
/* rate = num/den, above 0 and at most 2²⁰. Choices in the order of their loss, some weight above 0. */
MUST_CHECK Status exponential_mechanism(Work *work, RandomBits *bits, uint64_t num, uint64_t den, const Choice *choice, int64_t count,
                                        int64_t *chosen);
/* Of a place where a p-quantile may be, with so many of m records below and above it. */
uint64_t quantile_loss(int64_t below, int64_t above, int64_t m, double p);
#endif
