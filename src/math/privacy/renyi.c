/* Rényi divergences of Student's, logistic and discrete Laplace noise: ln ∫ p^α q^(1−α) over α − 1, p moved by the shift, or the
 * Kullback–Leibler divergence at α = 1 (Bun & Steinke 2016). */
#include "base/elementary.h"
#include "math/gauss_legendre.h"
#include "math/privacy/noise.h"
#include "math/special/log_gamma.h"

/* The two densities' logarithms at one point, and what the point stands for. */
typedef struct Pair {
    double log_here, log_there, log_weight;
} Pair;

/* Σ of p^α q^(1−α), or of p·r at α = 1, r = ln p/q, over points; the largest exponent is taken out so that nothing overflows or vanishes.
 * Where α·r is small everywhere that sum is 1 and a little (or a little, of both signs), so what is summed is the little alone:
 * q·(e^(αr) − 1 − α(e^r − 1)), or p·(e^−r − 1 + r). */
typedef struct Integral {
    double order, top, sum;
    bool close;
} Integral;
static double exponent(const Integral *s, Pair p) { return p.log_weight + p.log_there + (s->order - 1) * (p.log_there - p.log_here); }
static void add(Integral *s, Pair p, double weight) {
    double r = p.log_there - p.log_here, a = s->order;
    if (!s->close) s->sum += exp(exponent(s, p) - s->top) * weight * (a == 1 ? r : 1);
    else if (a == 1) s->sum += exp(p.log_weight + p.log_there) * weight * expm1_minus(-r);
    else s->sum += exp(p.log_weight + p.log_here) * weight * (expm1_minus(a * r) - a * expm1_minus(r));
}
static double divergence(const Integral *s) {
    if (s->close) return s->order == 1 ? s->sum : log1p(s->sum) / (s->order - 1);
    return s->order == 1 ? exp(s->top) * s->sum : (s->top + log(s->sum)) / (s->order - 1);
}
static Integral integral_of(const Noise *noise, double order) {
    return (Integral){ .order = order, .close = order * noise_epsilon(noise) < 3 };
}

/* ---- Student ---- */

enum { FAR = 680 };
typedef struct Student {
    double df, d, log_peak; /* ln of the density at 0 */
} Student;

static double log_bell(const Student *s, double x) {
    double size = fabs(x);
    return s->log_peak - (s->df + 1) * (size < 1e140 ? log1p(x * x / s->df) / 2 : log(size) - log(s->df) / 2);
}

/* x = c + √ν sinh t, with c at 0 or d. */
static Pair student_pair(const Student *s, bool there, double t) {
    double away = sqrt(s->df) * sinh(t), x = there ? s->d + away : away;
    return (Pair){ log_bell(s, x), log_bell(s, there ? away : x - s->d), log(sqrt(s->df) * cosh(t)) };
}

/* Where p^α q^(1−α) is largest: the one root above d of x³ + (α−2)d·x² + (ν − (α−1)d²)·x − ανd, and below where the ratio is largest. */
static double student_peak(const Student *s, double order) {
    double low = s->d, high = (s->d + sqrt(s->d * s->d + 4 * s->df)) / 2;
    for (int turn = 0; turn < 200 && high - low > 1e-15 * high; turn++) {
        double x = low + (high - low) / 2, away = x - s->d;
        double slope = (order - 1) * x / (s->df + x * x) - order * away / (s->df + away * away);
        if (slope > 0) low = x;
        else high = x;
    }
    return low;
}

/* From a point outwards in panels that widen, until the edge, or until nothing is left: beyond its peak the integrand only falls. */
static void student_side(Integral *sum, const Student *s, bool there, double from, double edge, double width) {
    double step = width, at = from, side = edge < from ? -1 : 1;
    while ((edge - at) * side > 0) {
        double to = at + side * step;
        if ((to - edge) * side > 0) to = edge;
        for (int i = 0; i < GAUSS_LEGENDRE_POINTS; i++) {
            QuadratureNode node = gauss_legendre(at, to, i);
            add(sum, student_pair(s, there, node.x), side * node.weight);
        }
        at = to;
        if (step < 0.4) step *= 1.4;
        if (fabs(at - from) > 20 * width && exponent(sum, student_pair(s, there, at)) < sum->top - 60) return;
    }
    /* out here the two densities are alike, and fall by e^−ν over a unit */
    if (fabs(edge) == FAR && !sum->close && sum->order > 1) sum->sum += exp(exponent(sum, student_pair(s, there, at)) - sum->top) / s->df;
}

static double student_divergence(const Noise *noise, double order) {
    Student s = { noise->df, noise->shift / noise->scale, 0 };
    s.log_peak = log_gamma_difference(s.df / 2, 0.5) - log(s.df * M_PI) / 2;
    double root = sqrt(s.df), peak = asinh((student_peak(&s, order) - s.d) / root), middle = asinh(s.d / 2 / root);
    double width = 0.5 / sqrt(order * (s.df + 1));
    Integral sum = integral_of(noise, order);
    sum.top = exponent(&sum, student_pair(&s, true, peak));
    student_side(&sum, &s, true, peak, FAR, width);
    student_side(&sum, &s, true, peak, -middle, width);
    student_side(&sum, &s, false, 0, middle, width);
    student_side(&sum, &s, false, 0, -FAR, width);
    return divergence(&sum);
}

/* ---- logistic ---- */

static double logistic_log_density(double x) { return -fabs(x) - 2 * log1p(exp(-fabs(x))); }

/* On an even grid, on which the trapezoidal rule converges exponentially; left of d − 60 the rest is below e^−60 of the whole, and right of
 * d + ln 2α + 60 too. */
static double logistic_divergence(const Noise *noise, double order) {
    const double step = 0.125;
    double d = noise->shift / noise->scale, from = d < 60 ? -60 : d - 120, to = d + 60 + log(2 * order);
    Integral sum = integral_of(noise, order);
    sum.top = (order - 1) * d;
    for (int64_t i = 0; from + (double)i * step <= to; i++) {
        double x = from + (double)i * step;
        add(&sum, (Pair){ logistic_log_density(x), logistic_log_density(x - d), 0 }, step);
    }
    return divergence(&sum);
}

/* ---- discrete Laplace ---- */

/* With q = e^(−1/b) the sum is three geometric series: up to 0, between 0 and the shift, and from the shift on; at α = 1 it is
 * (E|X + s| − E|X|)/b, E|X + s| = s + 2q^(s+1)/(1−q²). */
static double discrete_laplace_divergence(const Noise *noise, double order) {
    double b = noise->scale, s = noise->shift, less = -expm1(-1 / b), q = exp(-1 / b);
    if (order == 1) return (s + 2 * q * expm1(-s / b) / -expm1(-2 / b)) / b;
    double rate = (2 * order - 1) / b, between = s > 1 ? exp(-rate) * expm1(-rate * (s - 1)) / expm1(-rate) : 0;
    double sum = less / (1 + q) * (1 / less + exp(-rate * s) / less + between);
    return s / b + log(sum) / (order - 1);
}

double renyi_over_order(const Noise *noise, double order) {
    if (noise->family == DISCRETE_LAPLACE_NOISE) return discrete_laplace_divergence(noise, order) / order;
    return (noise->family == LOGISTIC_NOISE ? logistic_divergence(noise, order) : student_divergence(noise, order)) / order;
}
