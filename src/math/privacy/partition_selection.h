/* Which keys may be shown: the optimal rule of partition selection (Desfontaines, Voss, Gipson & Mandayam 2022). */
#ifndef SCRIM_MATH_PRIVACY_PARTITION_SELECTION_H
#define SCRIM_MATH_PRIVACY_PARTITION_SELECTION_H
#include <stdint.h>

/* The largest probability with which a key that `people` have can be shown under (ε, δ), one person more or less, such that a key that
 * nobody has never is. */
double selection_probability(double epsilon, double delta, int64_t people);
#endif
