/* The discrete families on the whole numbers: tails and areas, by closed forms and sums. */
#include "math/special/normal.h"
#include <stdlib.h>
#include "base/elementary.h"
#include "math/privacy/noise.h"

/* P(X ≥ j) = q^j/(1+q) for j ≥ 0, q = e^(−1/b). */
static double laplace_tail(double b, int64_t from) {
    double q = exp(-1 / b);
    if (from >= 0) return exp(-(double)from / b) / (1 + q);
    return 1 - exp((double)(from - 1) / b) / (1 + q);
}

/* Below σ = 64 by summing; above it by Euler and Maclaurin from the middle between two whole numbers, whose next term is of order σ⁻⁴/1000.
 */
static double gaussian_tail(double sigma, int64_t from) {
    if (sigma >= 64) {
        double x = ((double)from - 0.5) / sigma, density = exp(-x * x / 2) / sqrt(2 * M_PI);
        return normal_upper(x) - x * density / (24 * sigma * sigma);
    }
    int64_t reach = (int64_t)(40 * sigma) + 2;
    double sum = 0, total = 0;
    if (from > reach) return 0;
    for (int64_t k = reach; k >= -reach; k--) {
        double p = exp(-(double)(k * k) / (2 * sigma * sigma));
        total += p;
        if (k >= from) sum += p;
    }
    return sum / total;
}

/* Where the tails are too small to add up: relative to its first term, which the others follow down. */
static double gaussian_log_tail(double sigma, int64_t from) {
    double first = (double)from, sum = 0, total = sigma >= 8 ? sigma * sqrt(2 * M_PI) : 0;
    for (int64_t k = 0; k < 2000; k++) {
        double x = (double)k, term = exp(-x * (2 * first + x) / (2 * sigma * sigma));
        sum += term;
        if (term < 1e-18) break;
    }
    for (int64_t k = -80; sigma < 8 && k <= 80; k++) total += exp(-(double)(k * k) / (2 * sigma * sigma));
    return -first * first / (2 * sigma * sigma) + log(sum / total);
}

double discrete_log_tail(const Noise *noise, int64_t from) {
    double tail = discrete_tail(noise, from), x = ((double)from - 0.5) / noise->scale;
    if (tail > 1e-290) return log(tail);
    if (noise->family == DISCRETE_LAPLACE_NOISE) return -(double)from / noise->scale - log1p(exp(-1 / noise->scale));
    return noise->scale >= 64 ? normal_log_upper(x) : gaussian_log_tail(noise->scale, from);
}

double discrete_tail(const Noise *noise, int64_t from) {
    return noise->family == DISCRETE_LAPLACE_NOISE ? laplace_tail(noise->scale, from) : gaussian_tail(noise->scale, from);
}

/* P(x − x′ = n), not normalised: Laplace q^n (n + (1+q²)/(1−q²)); Gaussian e^(−n²/4σ²) times a sum that only asks whether n is even. */
typedef struct Differences {
    const Noise *noise;
    double even, odd;
} Differences;
static Differences differences(const Noise *noise) {
    Differences d = { .noise = noise };
    double s = noise->scale;
    if (noise->family == DISCRETE_LAPLACE_NOISE) {
        d.even = d.odd = (1 + exp(-2 / s)) / -expm1(-2 / s);
        return d;
    }
    if (s > 6) {
        d.even = d.odd = 1;
        return d;
    }
    for (int k = -60; k <= 60; k++) {
        d.even += exp(-k * k / (s * s));
        d.odd += exp(-(k - 0.5) * (k - 0.5) / (s * s));
    }
    return d;
}
static double difference_mass(const Differences *d, int64_t n) {
    double s = d->noise->scale, size = fabs((double)n), theta = n & 1 ? d->odd : d->even;
    if (d->noise->family == DISCRETE_LAPLACE_NOISE) return exp(-size / s) * (size + theta);
    return exp(-size * size / (4 * s * s)) * theta;
}

/* Two releases: E over y of P(|y′| < |y + shift|) + ½P(=); one release: P(y > −shift) + ½P(=). Above a scale of 20,000 the continuous
 * family's answer is the same to 1e-9. */
double discrete_auc(const Noise *noise, bool two_releases) {
    Noise smooth = noise_continuous(noise);
    double s = noise->scale;
    if (s > 20000) return two_releases ? noise_auc(&smooth) : noise_auc_one_release(&smooth);
    int64_t shift = (int64_t)noise->shift, reach = (int64_t)(noise->family == DISCRETE_LAPLACE_NOISE ? 50 * s : 14 * s) + 8;
    Differences d = differences(noise);
    double total = 0, sum = 0, inside = 0; /* inside: mass of |y′| < r, as r moves up with |y + shift| on both branches */
    for (int64_t n = -reach; n <= reach; n++) total += difference_mass(&d, n);
    if (!two_releases) {
        for (int64_t n = reach; n >= -reach && n >= -shift; n--) sum += difference_mass(&d, n) * (n == -shift ? 0.5 : 1);
        return sum / total;
    }
    for (int64_t r = 0; r <= reach + shift; r++) { /* no mass lies between what one release reaches and what the other does */
        if (r > reach && r < shift - reach) r = shift - reach;
        double here = r <= reach ? (r ? 2 : 1) * difference_mass(&d, r) : 0;
        double mass = (llabs(r - shift) <= reach ? difference_mass(&d, r - shift) : 0) +
                      (r && r + shift <= reach ? difference_mass(&d, r + shift) : 0);
        sum += mass * (inside + here / 2);
        inside += here;
    }
    double area = sum / (total * total);
    return area > 1 ? 1 : area;
}
