/* The normal distribution: its tail is the density times Mills' ratio, tabulated as polynomials; its quantile is Wichura's AS 241. */
#include "math/special/normal.h"
#include "base/double_double.h"
#include "base/elementary.h"
#include "math/special/tables.h"

static double polynomial(const double *c, int terms, double x) {
    double sum = c[terms - 1];
    for (int k = terms - 2; k >= 0; k--) sum = sum * x + c[k];
    return sum;
}

/* Q(x)/φ(x) for x ≥ 0. The polynomials are in y = 1/(x + 2), which maps the half line to (0, ½]. */
static double mills(double x) {
    double y = 1 / (x + 2), place = y * MILLS_SEGMENTS;
    int segment = (int)place;
    if (segment >= MILLS_SEGMENTS / 2) segment = MILLS_SEGMENTS / 2 - 1;
    return y * polynomial(MILLS + segment * MILLS_TERMS, MILLS_TERMS, place - segment - 0.5);
}

double normal_centre(double x) {
    if (fabs(x) < 0.7) return x * polynomial(ERROR_SERIES, sizeof ERROR_SERIES / sizeof *ERROR_SERIES, x * x);
    return x > 0 ? 0.5 - normal_upper(x) : normal_upper(-x) - 0.5;
}

/* The square is kept as two doubles: e^(−x²/2) would otherwise lose a digit for every factor of ten in x². */
double normal_upper(double x) {
    if (fabs(x) < 0.7) return 0.5 - normal_centre(x);
    if (x < 0) return 1 - normal_upper(-x);
    if (x > 40) return 0;
    if (isnan(x)) return x;
    DoubleDouble square = two_product(x, x);
    return exp(-square.high / 2) * (1 - square.low / 2) * mills(x) / ROOT_TWO_PI;
}

double normal_lower(double x) { return normal_upper(-x); }

double normal_log_upper(double x) {
    if (x == INFINITY) return -INFINITY;
    if (x < 0.7) return x < -1 ? log1p(-normal_upper(-x)) : log(normal_upper(x));
    return log(mills(x)) - HALF_LOG_TWO_PI - x * x / 2;
}

static const double NEAR_TOP[] = { 3.387132872796366608,  133.14166789178437745, 1971.5909503065514427, 13731.693765509461125,
                                   45921.953931549871457, 67265.770927008700853, 33430.575583588128105, 2509.0809287301226727 };
static const double NEAR_BOTTOM[] = { 1,
                                      42.313330701600911252,
                                      687.1870074920579083,
                                      5394.1960214247511077,
                                      21213.794301586595867,
                                      39307.89580009271061,
                                      28729.085735721942674,
                                      5226.495278852854561 };
static const double MIDDLE_TOP[] = { 1.42343711074968357734, 4.6303378461565452959,  5.7694972214606914055,    3.64784832476320460504,
                                     1.27045825245236838258, 0.24178072517745061177, 0.0227238449892691845833, 7.7454501427834140764e-4 };
static const double MIDDLE_BOTTOM[] = { 1,
                                        2.05319162663775882187,
                                        1.6763848301838038494,
                                        0.68976733498510000455,
                                        0.14810397642748007459,
                                        0.0151986665636164571966,
                                        5.475938084995344946e-4,
                                        1.05075007164441684324e-9 };
static const double FAR_TOP[] = { 6.6579046435011037772,   5.4637849111641143699,    1.7848265399172913358,     0.29656057182850489123,
                                  0.026532189526576123093, 0.0012426609473880784386, 2.71155556874348757815e-5, 2.01033439929228813265e-7 };
static const double FAR_BOTTOM[] = { 1,
                                     0.59983220655588793769,
                                     0.13692988092273580531,
                                     0.0148753612908506148525,
                                     7.868691311456132591e-4,
                                     1.8463183175100546818e-5,
                                     1.4215117583164458887e-7,
                                     2.04426310338993978564e-15 };

/* Wichura 1988, Algorithm AS 241, in the smaller of the two tails. */
static double from_tail(double tail) {
    double r = sqrt(-log(tail));
    if (r <= 5) return polynomial(MIDDLE_TOP, 8, r - 1.6) / polynomial(MIDDLE_BOTTOM, 8, r - 1.6);
    return polynomial(FAR_TOP, 8, r - 5) / polynomial(FAR_BOTTOM, 8, r - 5);
}
static double from_centre(double distance) {
    double r = 0.180625 - distance * distance;
    return distance * (polynomial(NEAR_TOP, 8, r) / polynomial(NEAR_BOTTOM, 8, r));
}

double normal_quantile(double p) {
    if (!(p >= 0 && p <= 1)) return NAN;
    if (p == 0 || p == 1) return p == 0 ? -INFINITY : INFINITY;
    if (fabs(p - 0.5) <= 0.425) return from_centre(p - 0.5);
    return p < 0.5 ? -from_tail(p) : from_tail(1 - p);
}

double normal_upper_quantile(double q) { return -normal_quantile(q); }

/* Newton's method on ln(1 − Φ), whose slope is −1 over Mills' ratio; concave, so that from the first step on it closes in from one side. */
double normal_log_upper_quantile(double log_q) {
    if (!(log_q <= 0)) return NAN;
    if (log_q > -M_LN2) return normal_quantile(-expm1(log_q)); /* the digits are in Φ(x) */
    if (log_q > -690) return normal_upper_quantile(exp(log_q));
    if (isinf(log_q)) return INFINITY;
    double x = sqrt(-2 * log_q);
    for (int turn = 0; turn < 12; turn++) {
        double step = (normal_log_upper(x) - log_q) * mills(x);
        x += step;
        if (fabs(step) < 1e-14 * x) break;
    }
    return x;
}
