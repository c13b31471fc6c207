/* Gamma tails: a power series below, a continued fraction above, and quadrature where both would be long; quantiles by Newton's method on
 * the logarithm of a tail as a function of ln x, which is concave, so that every start leads to the root. */
#include "math/special/gamma.h"
#include "base/elementary.h"
#include "base/extremes.h"
#include "math/special/log_gamma.h"
#include "math/special/normal.h"

/* One point, and how ln x is known: below 1e-308 x itself is 0. */
typedef struct {
    double shape, x, log_x;
} Place;

/* ln of x^a e^−x/Γ(a), the density of ln X. */
static double log_density(const Place *p) {
    if (p->shape < 1) return p->shape * p->log_x - p->x - log_gamma(p->shape + 1) + log(p->shape);
    return log_poisson_term(p->shape, p->x) + log(p->shape);
}

static double fall_below(const void *law, double v) {
    const Place *p = law;
    return (p->x - p->shape) * v - p->x * expm1_minus(-v);
}
static double fall_above(const void *law, double v) {
    const Place *p = law;
    return v > 700 ? -INFINITY : (p->shape - p->x) * v - p->x * expm1_minus(v);
}

/* 1 + x/(a+1) + x²/((a+1)(a+2)) + … (DLMF 8.7.1). */
static double series_below(const Place *p) {
    double term = 1, sum = 1;
    for (double k = 1; k < 2000 && term > 1e-17 * sum; k++) sum += term *= p->x / (p->shape + k);
    return sum / p->shape;
}

/* The continued fraction of Γ(a, x) (DLMF 8.9.2), by the modified algorithm of Lentz. */
static double fraction_above(const Place *p) {
    double b = p->x + 1 - p->shape, c = 1e300, d = 1 / b, product = d;
    for (double k = 1; k < 5000; k++) {
        double step = -k * (k - p->shape);
        b += 2;
        d = 1 / (step * d + b);
        c = b + step / c;
        product *= c * d;
        if (fabs(c * d - 1) < 1e-16) break;
    }
    return product;
}

/* Q for shapes below 1 and x below 1.5: (1 − x^a/Γ(a+1)) + a·x^a/Γ(a+1)·Σ_{k≥1} −(−x)^k/((a+k) k!), each without cancellation. */
static double small_above(const Place *p) {
    double a = p->shape, log_power = a * p->log_x - log_gamma(a + 1), term = 1, sum = 0;
    for (int k = 1; k < 60; k++) {
        term *= -p->x / k;
        sum -= term / (a + k);
        if (fabs(term) < 1e-18 * fabs(sum)) break;
    }
    return -expm1(log_power) + a * exp(log_power) * sum;
}

enum { FEW = 30 };
static bool long_sums(const Place *p) { return p->shape > FEW && p->x > 0.6 * p->shape && p->x < 1.7 * p->shape; }

static Tail tail_below(const Place *p) {
    double integral = long_sums(p) ? tail_integral(fall_below, p, p->shape - p->x, p->x) : series_below(p);
    return (Tail){ log_density(p), integral };
}
static Tail tail_above(const Place *p) {
    Tail tail = { log_density(p), 0 };
    if (p->shape < 1 && p->x < 1.5) tail.integral = small_above(p) / exp(tail.log_density);
    else tail.integral = long_sums(p) ? tail_integral(fall_above, p, p->x - p->shape, p->x) : fraction_above(p);
    return tail;
}

/* Where the lower tail is the one to compute: the other is 1 less it. */
static bool lower_first(const Place *p) {
    return p->shape > FEW ? p->x <= p->shape : p->x < p->shape + 1 && !(p->shape < 1 && p->x >= 1.5);
}

static double value_of(Tail tail) { return exp(tail.log_density) * tail.integral; }

Tails gamma_tails(double shape, double x) {
    if (!(shape > 0) || isnan(x) || isinf(shape)) return (Tails){ NAN, NAN };
    if (x <= 0) return (Tails){ 0, 1 };
    if (isinf(x)) return (Tails){ 1, 0 };
    Place place = { shape, x, log(x) };
    if (!lower_first(&place)) {
        double upper = value_of(tail_above(&place));
        return (Tails){ 1 - upper, upper };
    }
    double lower = value_of(tail_below(&place));
    return (Tails){ lower, shape < 1 ? small_above(&place) : 1 - lower };
}

/* A first guess of ln x: Wilson and Hilferty's cube, and the first term of the series where that is far off. */
static double first_guess(double shape, double tail, bool above) {
    double z = above ? normal_upper_quantile(tail) : normal_quantile(tail), root = 1 - 1 / (9 * shape) + z / (3 * sqrt(shape));
    if (shape >= 0.5 && root > 0.3) return log(shape) + 3 * log(root);
    if (!above) return (log(tail) + log_gamma(shape + 1)) / shape;
    double s = -log(tail);
    return log(shape + sqrt(2 * shape * s) + s); /* right of the root (Boucheron, Lugosi & Massart 2013, section 2.4) */
}

/* Newton's steps in ln x; x is moved by factors, so that it keeps its digits where ln x has fewer. */
static Place solve(double shape, double tail, bool above) {
    double guess = first_guess(shape, tail, above), aim = log(tail), width = larger(1, sqrt(shape));
    Place p = { shape, exp(guess), guess };
    for (int turn = 0; turn < 200; turn++) {
        Tail now = above ? tail_above(&p) : tail_below(&p);
        double step = (aim - now.log_density - log(now.integral)) * now.integral * (above ? -1 : 1);
        if (step > 50) step = 50;
        p.log_x += step;
        p.x = p.log_x < -700 || fabs(step) > 1 ? exp(p.log_x) : p.x * exp(step);
        if (fabs(step) * width < 1e-9 || (fabs(step) * width < 1e-6 && turn > 12)) break;
    }
    return p;
}

static Status check(double shape, double lower, double upper, bool ends, Error *error) {
    if (!(shape > 0 && shape <= 1e15))
        return fail(error, BAD, "a gamma distribution has no quantiles at this shape: it lies outside (0, 1e15]");
    if (!(lower >= 0 && upper >= 0 && fabs(lower + upper - 1) < 1e-9))
        return fail(error, BAD, "two tails that are not between 0 and 1, or do not add up to 1, have no quantile");
    if (!ends && (lower == 0 || upper == 0))
        return fail(error, BAD, "the logarithm of a gamma quantile is finite only for probabilities strictly between 0 and 1");
    return OK;
}

Status gamma_log_quantile(double shape, double lower, double upper, double *log_x, Error *error) {
    Status status = check(shape, lower, upper, false, error);
    if (status == OK) *log_x = (lower <= upper ? solve(shape, lower, false) : solve(shape, upper, true)).log_x;
    return status;
}

Status gamma_quantile(double shape, double lower, double upper, double *x, Error *error) {
    Status status = check(shape, lower, upper, true, error);
    if (status == OK && (lower == 0 || upper == 0)) *x = lower == 0 ? 0 : INFINITY;
    else if (status == OK) *x = (lower <= upper ? solve(shape, lower, false) : solve(shape, upper, true)).x;
    return status;
}

Tails chi_square_tails(double df, double x) { return gamma_tails(df / 2, x / 2); }

Status chi_square_quantile(double df, double lower, double upper, double *x, Error *error) {
    double half;
    Status status = gamma_quantile(df / 2, lower, upper, &half, error);
    if (status == OK) *x = 2 * half;
    return status;
}

Status planar_laplace_radius(double epsilon, double u, double *radius, Error *error) {
    double scaled;
    if (!(epsilon > 0 && u > 0 && u < 1))
        return fail(error, BAD, "a planar Laplace radius needs a positive epsilon and a probability strictly between 0 and 1");
    Status status = gamma_quantile(2, u, 1 - u, &scaled, error);
    if (status == OK) *radius = scaled / epsilon;
    return status;
}
