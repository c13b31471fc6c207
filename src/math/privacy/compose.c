/* Composition by rule: basic, advanced, and through zero-concentrated differential privacy. */
#include "base/elementary.h"
#include "base/extremes.h"
#include "math/privacy/compose.h"

static double total_times(const Component *part, int64_t count) {
    double sum = 0;
    for (int64_t i = 0; i < count; i++) sum += (double)part[i].times;
    return sum;
}

double compose_basic(const Component *part, int64_t count, double delta) {
    double each = delta / total_times(part, count), sum = 0;
    for (int64_t i = 0; i < count; i++) sum += (double)part[i].times * noise_epsilon_at(&part[i].noise, each);
    return sum;
}

/* ε = Σ ε_i (e^ε_i − 1)/(e^ε_i + 1) + √(2 ln(1/δ′) Σ ε_i²) at δ′ + Σ δ_i. Half of δ goes to δ′ where a part has a δ of its own, else all.
 */
double compose_advanced(const Component *part, int64_t count, double delta) {
    double drift = 0, squares = 0, times = total_times(part, count);
    bool pure = true;
    for (int64_t i = 0; i < count; i++) pure &= isfinite(noise_epsilon(&part[i].noise));
    double each = pure ? 0 : delta / 2 / times, rest = pure ? delta : delta / 2;
    if (!(delta > 0)) return INFINITY;
    for (int64_t i = 0; i < count; i++) {
        double e = noise_epsilon_at(&part[i].noise, each);
        drift += (double)part[i].times * e * tanh(e / 2);
        squares += (double)part[i].times * e * e;
    }
    return drift + sqrt(2 * squares * log(1 / rest));
}

/* δ at order α: exp((α−1)(αρ − ε)) (1 − 1/α)^α / (α − 1); solved for ε. */
static double epsilon_at_order(double zcdp, double delta, double order) {
    return order * zcdp + (log(1 / delta) + order * log1p(-1 / order) - log(order - 1)) / (order - 1);
}

double zcdp_epsilon(double zcdp, double delta) {
    if (zcdp == 0) return 0;
    if (!(delta > 0) || isinf(zcdp)) return INFINITY;
    double low = 1e-6, high = 2 + 4 * sqrt(log(1 / delta) / zcdp); /* α − 1 */
    for (int turn = 0; turn < 200; turn++) {                       /* unimodal in ln(α − 1) */
        double a = low * cbrt(high / low), b = high / cbrt(high / low);
        if (epsilon_at_order(zcdp, delta, 1 + a) < epsilon_at_order(zcdp, delta, 1 + b)) high = b;
        else low = a;
    }
    return larger(epsilon_at_order(zcdp, delta, 1 + low), 0);
}

double compose_zcdp(const Component *part, int64_t count, double delta) {
    double sum = 0;
    for (int64_t i = 0; i < count; i++) sum += (double)part[i].times * noise_zcdp(&part[i].noise);
    return zcdp_epsilon(sum, delta);
}

/* The largest ρ that is (ε, δ): the conversion of Canonne, Kamath & Steinke 2020. */
double zcdp_within(double epsilon, double delta) {
    double low = 0, high = epsilon + 1;
    while (zcdp_epsilon(high, delta) < epsilon) high *= 2;
    for (int step = 0; step < 200; step++) {
        double middle = (low + high) / 2;
        if (zcdp_epsilon(middle, delta) <= epsilon) low = middle;
        else high = middle;
    }
    return low;
}
