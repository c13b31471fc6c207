/* What sensitivity.c and worlds.c share. */
#ifndef SCRIM_MATH_PRIVACY_SENSITIVITY_PRIVATE_H
#define SCRIM_MATH_PRIVACY_SENSITIVITY_PRIVATE_H
#include "math/privacy/sensitivity.h"

typedef struct Centre {
    double shift_x, shift_y, mean_x, mean_y, products;
} Centre; /* products: Σ(x−x̄)(y−ȳ), or of squares */
Centre sample_centre(const Sample *sample);
#endif
