/* Numbers of any size brought to the size of one by a power of two, so that their squares neither overflow nor underflow. It rounds nothing.
 */
#ifndef SCRIM_BASE_POWER_SCALE_H
#define SCRIM_BASE_POWER_SCALE_H
#include <stdint.h>
#include "base/elementary.h"

/* x·first·second: the power alone may not be a number. */
typedef struct PowerScale {
    double first, second;
} PowerScale;

/* The largest |x|, NaN left out; +∞ where one is infinite. */
static inline double largest_size(const double *x, int64_t count) {
    double most = 0;
    for (int64_t i = 0; i < count; i++) {
        double size = fabs(x[i]);
        if (size > most) most = size;
    }
    return most;
}

/* For numbers of which the largest |x| is `most`, a finite number. */
static inline PowerScale power_scale(double most) {
    int exponent = 0;
    (void)frexp(most, &exponent);
    return (PowerScale){ ldexp(1, -exponent / 2), ldexp(1, -exponent - -exponent / 2) };
}
#endif
