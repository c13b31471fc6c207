/* The elementary functions, the same bits on every processor: glibc picks among variants by what the processor can do, and their last bits
 * differ. In place of <math.h>: after this header `exp` is ours; a test holds that nothing of the library asks libm for them. */
#ifndef SCRIM_BASE_ELEMENTARY_H
#define SCRIM_BASE_ELEMENTARY_H
#include <math.h>

/* Additions, products and square roots of doubles only, each rounded once, so IEEE 754 decides every bit. Error under 0.51 units in the
 * last place for the first two lines, under 2 for the rest (tests/unit/base/elementary.c). Limits, signs of zero, infinities and NaN as C17
 * Annex F says. */
double fixed_exp(double x), fixed_exp2(double x), fixed_expm1(double x), fixed_log(double x), fixed_log1p(double x), fixed_log2(double x),
    fixed_log10(double x);
double fixed_pow(double x, double y), fixed_cbrt(double x), fixed_sin(double x), fixed_cos(double x);
double fixed_tan(double x), fixed_asin(double x), fixed_acos(double x), fixed_atan(double x), fixed_atan2(double y, double x),
    fixed_hypot(double x, double y);
double fixed_sinh(double x), fixed_cosh(double x), fixed_tanh(double x), fixed_asinh(double x), fixed_acosh(double x),
    fixed_atanh(double x);
void fixed_sincos(double x, double *sine, double *cosine);

/* 0 where x is a rounding residue: below 1e-12 of what it is measured by. For differences that people read. */
static inline double snap_to_zero(double x, double scale) { return fabs(x) < 1e-12 * fabs(scale) ? 0 : x; }

#define exp(x) fixed_exp(x)
#define exp2(x) fixed_exp2(x)
#define expm1(x) fixed_expm1(x)
#define log(x) fixed_log(x)
#define log1p(x) fixed_log1p(x)
#define log2(x) fixed_log2(x)
#define log10(x) fixed_log10(x)
#define pow(x, y) fixed_pow(x, y)
#define cbrt(x) fixed_cbrt(x)
#define sin(x) fixed_sin(x)
#define cos(x) fixed_cos(x)
#define tan(x) fixed_tan(x)
#define asin(x) fixed_asin(x)
#define acos(x) fixed_acos(x)
#define atan(x) fixed_atan(x)
#define atan2(y, x) fixed_atan2(y, x)
#define hypot(x, y) fixed_hypot(x, y)
#define sinh(x) fixed_sinh(x)
#define cosh(x) fixed_cosh(x)
#define tanh(x) fixed_tanh(x)
#define asinh(x) fixed_asinh(x)
#define acosh(x) fixed_acosh(x)
#define atanh(x) fixed_atanh(x)
#define sincos(x, s, c) fixed_sincos(x, s, c)
#endif
