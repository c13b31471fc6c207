/* The incomplete beta function by quadrature from its edge outwards: constant time. */
#include "math/special/beta.h"
#include "base/double_double.h"
#include "base/elementary.h"
#include "math/special/log_gamma.h"

/* The upper tail in w = −ln(1 − x), where it ends as e^(−bw): with v = w − w₀ the integrand x^(a−1) e^(−bw) over that at the edge is
 * exp(−bv)·(1 + z)^(a−1), z = (1 − e^−v)(1−x)/x. */
typedef struct {
    double a, odds, slope; /* odds (1−x)/x; slope b − (a−1)·odds */
} Edge;

/* Its logarithm; the terms of first order in v are in `slope`, so that nothing large cancels. */
static double fall(const void *law, double v) {
    const Edge *e = law;
    double rest = expm1_minus(-v), z = e->odds * (v - rest);
    if (v > 1) return -e->slope * v + (e->a - 1) * (log1p(-e->odds * expm1(-v)) - e->odds * v);
    return -e->slope * v + (e->a - 1) * (log1p_minus(z) - e->odds * rest);
}

static Tail tail_above(double a, double b, double x, double y, double excess) {
    Edge edge = { a, y / x, (y - excess) / x };
    double scale = a < 1 ? b : edge.slope, curvature = a < 1 ? 0 : (a - 1) * edge.odds / x;
    return (Tail){ log_binomial_term(a, b, x, y) + log(a) - log1p(a / b), tail_integral(fall, &edge, scale, curvature) / x };
}

/* a − (a+b)x from the smaller of x and y, whose digits decide. */
static double excess_of(double a, double b, double x, double y) {
    double smaller = x <= y ? x : y;
    DoubleDouble n = two_sum(a, b), product = two_product(n.high, smaller);
    double low = product.low + n.low * smaller;
    return x <= y ? (a - product.high) - low : (product.high - b) + low;
}

Tail beta_near_tail(double a, double b, double x, double y, bool *below) {
    double excess = excess_of(a, b, x, y);
    *below = excess >= 0;
    return *below ? tail_above(b, a, y, x, -excess) : tail_above(a, b, x, y, excess);
}

Tails beta_tails(double a, double b, double x, double y) {
    if (!(a > 0 && b > 0 && x >= 0 && y >= 0 && x <= 1 && y <= 1) || isinf(a) || isinf(b)) return (Tails){ NAN, NAN };
    if (x == 0 || y == 0) return x == 0 ? (Tails){ 0, 1 } : (Tails){ 1, 0 };
    bool below;
    Tail tail = beta_near_tail(a, b, x, y, &below);
    double near = exp(tail.log_density) * tail.integral;
    return below ? (Tails){ near, 1 - near } : (Tails){ 1 - near, near };
}

Tails binomial_tails(double k, double n, double p) {
    if (!(n >= 0 && p >= 0 && p <= 1) || isnan(k) || isinf(n)) return (Tails){ NAN, NAN };
    if (k < 0) return (Tails){ 0, 1 };
    k = floor(k);
    if (k >= n) return (Tails){ 1, 0 };
    Tails at = beta_tails(k + 1, n - k, p, 1 - p); /* P(X > k) = P(B ≤ p) */
    return (Tails){ at.upper, at.lower };
}
