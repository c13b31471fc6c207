/* Student's t through the beta distribution of t²/(df + t²), whose shapes are ½ and df/2. */
#include "math/special/student.h"
#include "base/elementary.h"
#include "math/special/beta.h"
#include "math/special/log_gamma.h"
#include "math/special/normal.h"

/* A point by s = t²/df and its logarithm; s itself may be 0 or infinite. */
typedef struct {
    double df, s, log_s;
} Place;
enum { FAR = 200 }; /* beyond ln s = 200 the tail is a power of s, to all digits */

/* The tail P(T > t) (`*tail`), or the centre P(|T| < t), whichever the beta distribution has on its near side; in ln s. */
static Tail near_side(const Place *p, bool *centre) {
    double a = p->df / 2;
    if (p->log_s > FAR || p->log_s < -FAR) {
        double edge = log_gamma_difference(a, 0.5) - log_gamma(0.5); /* −ln B(½, a) */
        *centre = p->log_s < 0;
        return *centre ? (Tail){ p->log_s / 2 + edge, 2 } : (Tail){ -a * p->log_s + edge - M_LN2, 1 / a };
    }
    Tail tail = beta_near_tail(0.5, a, p->s / (1 + p->s), 1 / (1 + p->s), centre);
    if (!*centre) tail.log_density -= M_LN2;
    return tail;
}

static Place place_of(double df, double size) {
    double root = size / sqrt(df);
    return (Place){ df, size < 1e150 && size > 1e-150 ? size * size / df : root * root, 2 * log(size) - log(df) };
}

Tails student_tails(double df, double t) {
    if (!(df > 0) || isinf(df) || isnan(t)) return (Tails){ NAN, NAN };
    if (t == 0 || isinf(t)) return t == 0 ? (Tails){ 0.5, 0.5 } : t > 0 ? (Tails){ 1, 0 } : (Tails){ 0, 1 };
    bool centre;
    Place place = place_of(df, fabs(t));
    Tail near = near_side(&place, &centre);
    double value = exp(near.log_density) * near.integral;
    double upper = centre ? 0.5 - value / 2 : value, lower = centre ? 0.5 + value / 2 : 1 - value;
    return t > 0 ? (Tails){ lower, upper } : (Tails){ upper, lower };
}

double student_upper(double df, double t) { return student_tails(df, t).upper; }

double student_log_upper(double df, double t) {
    Tails both = student_tails(df, t);
    if (!(both.upper < 1e-290) || isinf(t)) return both.upper > 0.5 ? log1p(-both.lower) : log(both.upper);
    bool centre;
    Place place = place_of(df, t);
    Tail far = near_side(&place, &centre);
    return far.log_density + log(far.integral);
}

/* Wallace 1959: the normal quantile of the tail, for df ≥ 1 within a few per cent even far out. */
static double first_guess(double df, double tail) {
    double z = normal_upper_quantile(tail) * (8 * df + 3) / (8 * df + 1), power = z * z / df;
    return power > 30 ? power : log(expm1(power));
}

/* Newton's method on the logarithm of the near side's probability, which is concave in ln s. */
static Place solve(double df, double tail, double inside) {
    double log_s = tail < 0.4 ? first_guess(df, tail) : 2 * (log(inside) - log_gamma_difference(df / 2, 0.5) + log_gamma(0.5) - M_LN2);
    Place p = { df, exp(log_s), log_s };
    for (int turn = 0; turn < 300; turn++) {
        bool centre;
        Tail now = near_side(&p, &centre);
        double aim = centre ? log(inside) : log(tail),
               step = (aim - now.log_density - log(now.integral)) * now.integral * (centre ? 1 : -1);
        if (step > 100) step = 100;
        p.log_s += step;
        p.s = fabs(p.log_s) > 600 || fabs(step) > 1 ? exp(p.log_s) : p.s * exp(step);
        if (fabs(step) < 1e-9 || (fabs(step) < 1e-6 && turn > 20)) break;
    }
    return p;
}

static Status check(double df, double lower, double upper, Error *error) {
    if (!(df > 0 && df <= 1e18)) return fail(error, BAD, "Student's distribution has no quantiles at this df: it lies outside (0, 1e18]");
    if (!(lower >= 0 && upper >= 0 && fabs(lower + upper - 1) < 1e-9))
        return fail(error, BAD, "two tails that are not between 0 and 1, or do not add up to 1, have no quantile");
    return OK;
}

Status student_quantile(double df, double lower, double upper, double *t, Error *error) {
    Status status = check(df, lower, upper, error);
    if (status) return status;
    double tail = lower < upper ? lower : upper, sign = lower < upper ? -1 : 1, inside = fabs(upper - lower);
    if (inside == 0 || tail == 0) {
        *t = inside == 0 ? 0 : sign * INFINITY;
        return OK;
    }
    if (tail < 0.1) inside = 1 - 2 * tail;
    Place p = solve(df, tail, inside);
    double log_t = (p.log_s + log(df)) / 2;
    *t = sign * (log_t > 709.7 ? INFINITY : fabs(p.log_s) < 600 ? sqrt(p.s) * sqrt(df) : exp(log_t));
    return isinf(*t) ? fail(error, BAD, "this quantile of Student's distribution is larger than any number that a double holds") : OK;
}

Status student_log_quantile(double df, double upper, double *log_t, Error *error) {
    Status status = check(df, 1 - upper, upper, error);
    if (status) return status;
    if (!(upper > 0 && upper < 0.5))
        return fail(error, BAD, "the logarithm of a quantile needs an upper tail strictly between 0 and one half");
    *log_t = (solve(df, upper, 1 - 2 * upper).log_s + log(df)) / 2;
    return OK;
}

/* Powers of z²/4, z = √df·|u|, for df < 1: Γ(1−a)((z/2)^a I₋ₐ(z) − (z/2)^a Iₐ(z)), a = df/2, by DLMF 10.27.2 and 10.25.2. */
static double characteristic_series(double a, double z) {
    double log_other = 2 * a * log(z / 2) + log_gamma(1 - a) - log_gamma(1 + a), other = exp(log_other);
    double power = 1, first = 1, second = 1, sum = -expm1(log_other);
    for (int k = 1; k < 40; k++) {
        power *= z * z / 4 / k;
        first /= k - a;
        second /= k + a;
        sum += power * (first - other * second);
    }
    return sum;
}

/* T is normal with a variance of df/(2G), G of the gamma distribution with shape a = df/2, so E cos(uT) = E e^(−z²/(4G)), z² = df·u². In
 * v = ln(G/g), g the mode of the integrand, it falls off exponentially to the left and doubly so to the right: with v = c·sinh w the
 * trapezoidal rule converges exponentially. */
double student_characteristic(double df, double u) {
    enum { STEPS = 200 };
    if (!(df > 0) || isinf(df) || isnan(u)) return NAN;
    if (u == 0) return 1;
    double a = df / 2, z = sqrt(df) * fabs(u), quarter = z * z / 4;
    if (isinf(quarter)) return 0;
    if (df < 1 && z < 1) return characteristic_series(a, z);
    double root = hypot(a, z), g = (a + root) / 2, r = quarter / g, width = 1 / sqrt(g + r), reach = 60 / a, sum = 0;
    if (log1p(60 / r) + 4 < reach) reach = log1p(60 / r) + 4; /* to the left it falls as e^(av) at least, and as e^(−re^−v) */
    double top = asinh(reach / width > 12 ? reach / width : 12);
    for (int k = -STEPS; k <= STEPS; k++) {
        double w = top * k / STEPS, v = width * sinh(w);
        if (v > 700) break;
        double fall = v < -600 ? a * v : -g * expm1_minus(v) - r * expm1_minus(-v);
        if (fall > -745) sum += exp(fall) * cosh(w);
    }
    const double value = exp(log_poisson_term(a, g) + log(a) - r) * sum * width * top / STEPS;
    return value < 1 ? value : 1; /* rounding beside 1 */
}
