/* Noise families: variances, the optimal test, areas under its curve, and pure ε. */
#include "math/privacy/noise.h"
#include "base/elementary.h"
#include "base/extremes.h"
#include "math/gauss_legendre.h"
#include "math/special/log_gamma.h"
#include "math/special/normal.h"
#include "math/special/student.h"

bool noise_discrete(const Noise *noise) { return noise->family == DISCRETE_LAPLACE_NOISE || noise->family == DISCRETE_GAUSSIAN_NOISE; }

Noise noise_continuous(const Noise *noise) {
    Noise out = *noise;
    if (noise->family == DISCRETE_LAPLACE_NOISE) out.family = LAPLACE_NOISE;
    if (noise->family == DISCRETE_GAUSSIAN_NOISE) out.family = GAUSSIAN_NOISE;
    return out;
}

/* Σ k² over the discrete Gaussian; past σ = 8 it is σ² to more digits than a double has (Poisson summation: the error is of order
 * e^(−2π²σ²)). */
static double discrete_gaussian_variance(double sigma) {
    double sum = 1, squares = 0;
    if (sigma > 8) return sigma * sigma;
    for (int k = 1; k < 45 * sigma + 2; k++) {
        double p = 2 * exp(-0.5 * k * k / (sigma * sigma));
        sum += p;
        squares += p * k * k;
    }
    return squares / sum;
}

double noise_variance(const Noise *noise) {
    double s = noise->scale;
    switch (noise->family) {
    case LAPLACE_NOISE: return 2 * s * s;
    case GAUSSIAN_NOISE: return s * s;
    case DISCRETE_LAPLACE_NOISE: {
        double h = 2 * sinh(1 / (2 * s));
        return 2 / (h * h);
    } /* 2q/(1−q)², q = e^(−1/b) */
    case DISCRETE_GAUSSIAN_NOISE: return discrete_gaussian_variance(s);
    case UNIFORM_NOISE: return s * s / 3;
    case STUDENT_NOISE: return noise->df > 2 ? s * s * noise->df / (noise->df - 2) : INFINITY;
    case LOGISTIC_NOISE: return s * s * M_PI * M_PI / 3;
    case RANDOMIZED_RESPONSE: break;
    }
    return NAN;
}

/* Σ |k|·exp(−k²/2σ²) over Σ exp(−k²/2σ²). */
static double discrete_gaussian_mean_absolute(double s) {
    double top = 0, all = 1;
    if (s > 1e4) return s * sqrt(2 / M_PI); /* the sum is the integral to the last digit */
    for (double k = 1; k <= 40 * s + 1; k++) {
        double weight = 2 * exp(-k * k / (2 * s * s));
        top += k * weight;
        all += weight;
    }
    return top / all;
}

double noise_mean_absolute(const Noise *noise) {
    double s = noise->scale, df = noise->df;
    switch (noise->family) {
    case LAPLACE_NOISE: return s;
    case GAUSSIAN_NOISE: return s * sqrt(2 / M_PI);
    case DISCRETE_LAPLACE_NOISE: return 1 / sinh(1 / s); /* 2q/(1 − q²), q = e^(−1/b) */
    case DISCRETE_GAUSSIAN_NOISE: return discrete_gaussian_mean_absolute(s);
    case UNIFORM_NOISE: return s / 2;
    case STUDENT_NOISE: return df > 1 ? s * 2 * sqrt(df / M_PI) / (df - 1) * exp(log_gamma_difference(df / 2, 0.5)) : INFINITY;
    case LOGISTIC_NOISE: return s * 2 * M_LN2;
    case RANDOMIZED_RESPONSE: break;
    }
    return NAN;
}

static double not_negative(double x) { return x < 0 ? 0 : x; } /* an unknown scale stays unknown */

static double student_half_width(double df, double tail) {
    double t;
    return student_quantile(df, 1 - tail, tail, &t, NULL) ? INFINITY : t; /* larger than any double, at few degrees of freedom */
}

double noise_half_width(const Noise *noise, double level) {
    double s = noise->scale, tail = (1 - level) / 2;
    switch (noise->family) {
    case LAPLACE_NOISE: return -s * log(2 * tail);
    case GAUSSIAN_NOISE: return s * normal_upper_quantile(tail);
    case DISCRETE_LAPLACE_NOISE:
        return not_negative(ceil(-s * log(tail * (1 + exp(-1 / s)))) - 1); /* P(|x| > h) = 2q^(h+1)/(1+q), q = e^(−1/s) */
    case DISCRETE_GAUSSIAN_NOISE: return not_negative(ceil(s * normal_upper_quantile(tail) - 0.5));
    case UNIFORM_NOISE: return s * level;
    case STUDENT_NOISE: return s * student_half_width(noise->df, tail);
    case LOGISTIC_NOISE: return s * log((1 - tail) / tail);
    case RANDOMIZED_RESPONSE: break;
    }
    return NAN;
}

static RocPoint gaussian_test(double mu, double c) { return (RocPoint){ normal_upper(c / mu + mu / 2), normal_upper(c / mu - mu / 2) }; }

/* The log ratio is |x| − |x − d|: it rises from −d at 0 to d at d. */
static RocPoint laplace_test(double d, double c) {
    if (c >= d) return (RocPoint){ 0, 0 };
    if (c < -d) return (RocPoint){ 1, 1 };
    return (RocPoint){ exp(-(c + d) / 2) / 2, 1 - exp((c - d) / 2) / 2 };
}

/* With y = e^−x the ratio is e^d ((1+y)/(1+ye^d))²; it exceeds e^c where y < (1−r)/(re^d − 1), r = e^((c−d)/2). ln y, since e^d itself is
 * larger than any double from d = 710 on. */
static double logistic_log_odds(double d, double c) {
    double beyond = (c + d) / 2;
    return log(-expm1((c - d) / 2)) - (beyond > 40 ? beyond : log(expm1(beyond)));
}
static RocPoint logistic_test(double d, double c) {
    if (c >= d) return (RocPoint){ 0, 0 };
    if (c <= -d) return (RocPoint){ 1, 1 };
    double y = logistic_log_odds(d, c);
    return (RocPoint){ 1 / (1 + exp(-y)), 1 / (1 + exp(-d - y)) };
}

/* The ratio ((ν+x²)/(ν+(x−d)²))^((ν+1)/2) exceeds e^c between the roots of a quadratic (c > 0), beyond them (c < 0), or above d/2 (c = 0).
 * `none`: at no x, or (c < 0) at every x. */
typedef struct StudentRegion {
    double near, far;
    int sign; /* of c */
    bool none;
} StudentRegion;
static StudentRegion student_region(double d, double df, double c) {
    double a = 2 * c / (df + 1), k = exp(a), more = expm1(a), inside = k * d * d - df * more * more;
    StudentRegion region = { .sign = (c > 0) - (c < 0), .none = !(inside > 0) || (isinf(k) && c > 0) };
    if (region.none) return region;
    double q = k * d + sqrt(inside);
    region.near = (df * more + k * d * d) / q;
    region.far = more != 0 ? q / more : copysign(INFINITY, c);
    return region;
}
static RocPoint student_test(double d, double df, double c) {
    StudentRegion r = student_region(d, df, c);
    if (r.none) return c > 0 ? (RocPoint){ 0, 0 } : (RocPoint){ 1, 1 };
    RocPoint point = { student_upper(df, r.near), student_upper(df, r.near - d) };
    if (r.sign > 0) return (RocPoint){ point.fpr - student_upper(df, r.far), point.tpr - student_upper(df, r.far - d) };
    if (r.sign < 0) return (RocPoint){ point.fpr + student_tails(df, r.far).lower, point.tpr + student_tails(df, r.far - d).lower };
    return point;
}
/* ln of the first, where it is too small for a double. */
static double student_log_fpr(double d, double df, double c) {
    StudentRegion r = student_region(d, df, c);
    if (r.none) return c > 0 ? -INFINITY : 0;
    double near = student_log_upper(df, r.near), far = r.sign ? student_log_upper(df, fabs(r.far)) : -INFINITY;
    if (far == -INFINITY) return near;
    return r.sign > 0 ? near + log(-expm1(far - near)) : near + log1p(exp(far - near));
}

static RocPoint uniform_test(double d, double c) {
    double outside = fmin(d / 2, 1);
    return c >= 0 ? (RocPoint){ 0, outside } : (RocPoint){ 1 - outside, 1 };
}

/* The loss of a value k is (2k − shift)/scale between 0 and shift (Laplace), or (2k − shift)·shift/(2 scale²) (Gaussian). What the division
 * rounds is put right by the sign of the exact difference: a threshold that lies a last digit below a value's loss is below it. */
double noise_place(const Noise *noise, double c) {
    double shift = noise->shift, s = noise->scale;
    if (noise->family != DISCRETE_LAPLACE_NOISE) return floor(c * s * s / shift + shift / 2);
    double place = floor((c * s + shift) / 2);
    if (fabs(place) > 0x1p51) return place;
    if (fma(c, s, shift - 2 * place) < 0) return place - 1;
    return fma(c, s, shift - 2 * (place + 1)) >= 0 ? place + 1 : place;
}

static double discrete_log_fpr(const Noise *noise, double c) {
    double place = noise_place(noise, c);
    if (noise->family == DISCRETE_LAPLACE_NOISE && (place >= noise->shift || place < 0)) return place < 0 ? 0 : -INFINITY;
    return fabs(place) > 0x1p60 ? (place > 0 ? -INFINITY : 0) : discrete_log_tail(noise, (int64_t)place + 1);
}

/* Outside 0 … shift Laplace's loss is constant: ±shift/scale. */
static RocPoint discrete_test(const Noise *noise, double c) {
    double shift = noise->shift, place = noise_place(noise, c);
    if (noise->family == DISCRETE_LAPLACE_NOISE && place >= shift) return (RocPoint){ 0, 0 };
    if (noise->family == DISCRETE_LAPLACE_NOISE && place < 0) return (RocPoint){ 1, 1 };
    if (fabs(place) > 0x1p60) return place > 0 ? (RocPoint){ 0, 0 } : (RocPoint){ 1, 1 };
    int64_t from = (int64_t)place + 1;
    return (RocPoint){ discrete_tail(noise, from), discrete_tail(noise, from - (int64_t)shift) };
}

RocPoint noise_test(const Noise *noise, double threshold) {
    double d = noise->shift / noise->scale;
    if (d == 0) return threshold < 0 ? (RocPoint){ 1, 1 } : (RocPoint){ 0, 0 };
    switch (noise->family) {
    case LAPLACE_NOISE: return laplace_test(d, threshold);
    case GAUSSIAN_NOISE: return gaussian_test(d, threshold);
    case UNIFORM_NOISE: return uniform_test(d, threshold);
    case STUDENT_NOISE: return student_test(d, noise->df, threshold);
    case LOGISTIC_NOISE: return logistic_test(d, threshold);
    case RANDOMIZED_RESPONSE:
        return threshold >= d   ? (RocPoint){ 0, 0 }
               : threshold < -d ? (RocPoint){ 1, 1 }
                                : (RocPoint){ 1 / (1 + exp(d)), 1 / (1 + exp(-d)) };
    default: return discrete_test(noise, threshold);
    }
}

double noise_log_fpr(const Noise *noise, double threshold) {
    double d = noise->shift / noise->scale, fpr = noise_test(noise, threshold).fpr;
    if (fpr > 1e-290 || d == 0) return log(fpr);
    switch (noise->family) {
    case LAPLACE_NOISE: return threshold >= d ? -INFINITY : -(threshold + d) / 2 - M_LN2;
    case GAUSSIAN_NOISE: return normal_log_upper(threshold / d + d / 2);
    case STUDENT_NOISE: return student_log_fpr(d, noise->df, threshold);
    case LOGISTIC_NOISE: return threshold >= d ? -INFINITY : logistic_log_odds(d, threshold);
    case RANDOMIZED_RESPONSE: return threshold >= d ? -INFINITY : -d;
    case UNIFORM_NOISE: return log(fpr);
    default: return discrete_log_fpr(noise, threshold);
    }
}

double noise_epsilon(const Noise *noise) {
    double d = noise->shift / noise->scale;
    if (d == 0) return 0;
    switch (noise->family) {
    case LAPLACE_NOISE:
    case DISCRETE_LAPLACE_NOISE:
    case LOGISTIC_NOISE:
    case RANDOMIZED_RESPONSE: return d;
    /* The ratio (ν+x²)/(ν+(x−d)²) is largest at x = (d + √(d²+4ν))/2, where its logarithm is 2 asinh(d/(2√ν)). */
    case STUDENT_NOISE: return (noise->df + 1) * asinh(d / (2 * sqrt(noise->df)));
    default: return INFINITY;
    }
}

double noise_advantage(const Noise *noise) {
    if (noise->shift == 0) return 0;
    if (noise->family == LAPLACE_NOISE) return -expm1(-noise->shift / noise->scale / 2);
    RocPoint point = noise_test(noise, 0);
    return point.tpr - point.fpr;
}

/* Triangular differences on [−2, 2], scaled: pieces are cubics, so two-point Gauss-Legendre on each is exact. */
static double uniform_auc(double d) {
    double cut[6] = { -2, fmax(-d, -2), 0, fmax(-2, -d - 2), fmin(2, 2 - d), 2 }, sum = 0;
    for (int i = 0; i < 6; i++)
        for (int j = i + 1; j < 6; j++)
            if (cut[j] < cut[i]) {
                double t = cut[i];
                cut[i] = cut[j];
                cut[j] = t;
            }
    for (int i = 0; i < 5; i++) {
        double half = (cut[i + 1] - cut[i]) / 2, middle = (cut[i + 1] + cut[i]) / 2;
        for (int side = -1; side <= 1; side += 2) {
            double y = middle + side * half / sqrt(3), r = smaller(fabs(y + d), 2), density = (2 - fabs(y)) / 4;
            sum += half * density * (1 - (2 - r) * (2 - r) / 4);
        }
    }
    return sum;
}

/* The characteristic function of one draw, scale 1. */
static double characteristic(const Noise *noise, double u) {
    if (u == 0) return 1;
    if (noise->family == LOGISTIC_NOISE) return M_PI * u / sinh(M_PI * u);
    return student_characteristic(noise->df, u);
}

static double sinc(double x) { return fabs(x) < 1e-4 ? 1 - x * x / 6 : sin(x) / x; }

/* With φ the characteristic function of x − x′, P(|x − x′ + d| > |y − y′|) is a principal value in (u, v) that, made symmetric, becomes
 * ½ + (d²/π²) ∫∫ φ(u) φ(v) sinc((u+v)d/2) sinc((u−v)d/2) du dv over u, v > 0; for the normal it factors into the closed form. φ falls off
 * exponentially. */
enum { PANELS = 400, POINTS = GAUSS_LEGENDRE_POINTS };
static double smooth_auc(const Noise *noise, double d) {
    double u[PANELS * POINTS], weight[PANELS * POINTS], sum = 0, top = noise->family == LOGISTIC_NOISE ? 7 : 20 / sqrt(noise->df) + 5.5;
    /* 1 − AUC is at most the chance that one of four draws is beyond d/4. Not quite 1 beyond 2000, but a risk may be overstated. */
    double far = noise->family == LOGISTIC_NOISE ? exp(-d / 4) : student_upper(noise->df, d / 4);
    if (8 * far < 1e-9 || d > 2000) return 1;
    int panels = (int)fmin(PANELS, 12 + top * d / 4), count = panels * POINTS;
    for (int i = 0; i < count; i++) { /* panels grow from the origin: Student's φ is rough there */
        double from = (double)(i / POINTS) / panels, to = (double)(i / POINTS + 1) / panels;
        QuadratureNode node = gauss_legendre(top * from * from, top * to * to, i % POINTS);
        double phi = characteristic(noise, node.x);
        u[i] = node.x;
        weight[i] = node.weight * phi * phi;
    }
    for (int i = 0; i < count; i++) {
        sum += weight[i] * weight[i] * sinc(u[i] * d);
        for (int j = 0; j < i; j++) sum += 2 * weight[i] * weight[j] * sinc((u[i] + u[j]) * d / 2) * sinc((u[i] - u[j]) * d / 2);
    }
    double area = 0.5 + d * d * sum / (M_PI * M_PI);
    return area > 1 ? 1 : area < 0.5 ? 0.5 : area;
}

/* Laplace differences have density (1+|y|)e^−|y|/4; integrated piecewise, AUC = 1 − e^−d (2 + 2d + 3d²/4 + d³/12)/4. */
static double laplace_auc(double d) { return 1 - exp(-d) * (2 + d * (2 + d * (0.75 + d / 12))) / 4; }

double noise_auc(const Noise *noise) {
    double d = noise->shift / noise->scale;
    if (d == 0) return 0.5;
    switch (noise->family) {
    case LAPLACE_NOISE: return laplace_auc(d);
    case GAUSSIAN_NOISE: {
        double half = normal_centre(d / 2);
        return 0.5 + 2 * half * half;
    }
    case UNIFORM_NOISE: return uniform_auc(d);
    case STUDENT_NOISE:
    case LOGISTIC_NOISE: return smooth_auc(noise, d);
    default: return discrete_auc(noise, true);
    }
}

/* Student's ratio is not monotone in x: integrate the curve itself. Thresholds are the ratios at x from d/2 to where the ratio is largest,
 * denser at the start; the other half of the curve is its mirror image (1 − tpr, 1 − fpr). Trapezia over every point and over every other
 * one; together their error of second order cancels (Romberg). */
static double student_one_release(const Noise *noise) {
    enum { STEPS = 2000 };
    double d = noise->shift / noise->scale, v = noise->df, top = (d + sqrt(d * d + 4 * v)) / 2, sum[2] = { 0 };
    RocPoint first = noise_test(noise, 0), last[2] = { first, first };
    for (int i = 1; i <= STEPS; i++) {
        double share = (double)i / STEPS, x = d / 2 + (top - d / 2) * share * share;
        RocPoint point = i == STEPS ? (RocPoint){ 0, 0 } : noise_test(noise, (v + 1) / 2 * log((v + x * x) / (v + (x - d) * (x - d))));
        for (int coarse = 0; coarse < 2; coarse++) {
            if (coarse && i % 2) continue;
            RocPoint before = last[coarse];
            sum[coarse] += (before.fpr - point.fpr) * (before.tpr + point.tpr) / 2;     /* this half, under the curve */
            sum[coarse] += (before.tpr - point.tpr) * (2 - before.fpr - point.fpr) / 2; /* its mirror image */
            last[coarse] = point;
        }
    }
    return (4 * sum[0] - sum[1]) / 3;
}

double noise_auc_one_release(const Noise *noise) {
    double d = noise->shift / noise->scale;
    if (d == 0) return 0.5;
    switch (noise->family) {
    case LAPLACE_NOISE: return 1 - exp(-d) * (2 + d) / 4;
    case GAUSSIAN_NOISE: return normal_lower(d / M_SQRT2);
    case UNIFORM_NOISE: {
        double free = fmax(1 - d / 2, 0);
        return 1 - free * free / 2;
    }
    case LOGISTIC_NOISE: { /* P(x + d > x′) for logistic x, x′ */
        if (d < 1e-3) return 0.5 + d / 6;
        double low = -expm1(-d);
        return (low - d * exp(-d)) / (low * low);
    }
    case STUDENT_NOISE: return student_one_release(noise);
    default: return discrete_auc(noise, false);
    }
}
