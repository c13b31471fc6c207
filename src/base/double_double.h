/* Numbers as the sum of two doubles, about 106 bits (Dekker 1971; Knuth, TAOCP 2, 4.2.2). No fused operations: the same bits everywhere. */
#ifndef SCRIM_BASE_DOUBLE_DOUBLE_H
#define SCRIM_BASE_DOUBLE_DOUBLE_H

typedef struct DoubleDouble {
    double high, low;
} DoubleDouble;

/* a + b exactly. */
static inline DoubleDouble two_sum(double a, double b) {
    double s = a + b, t = s - a;
    return (DoubleDouble){ s, (a - (s - t)) + (b - t) };
}
/* a + b exactly, |a| ≥ |b| or a = 0. */
static inline DoubleDouble fast_sum(double a, double b) {
    double s = a + b;
    return (DoubleDouble){ s, b - (s - a) };
}
/* a·b exactly, unless it is near overflow (|a|, |b| < 2^995) or below 2^-969. */
static inline DoubleDouble two_product(double a, double b) {
    const double split = 134217729; /* 2^27 + 1 */
    double p = a * b, ta = split * a, tb = split * b, ah = ta - (ta - a), bh = tb - (tb - b), al = a - ah, bl = b - bh;
    return (DoubleDouble){ p, ((ah * bh - p) + ah * bl + al * bh) + al * bl };
}
static inline DoubleDouble pair_add(DoubleDouble a, DoubleDouble b) {
    DoubleDouble s = two_sum(a.high, b.high);
    return fast_sum(s.high, s.low + (a.low + b.low));
}
static inline DoubleDouble pair_times(DoubleDouble a, DoubleDouble b) {
    DoubleDouble p = two_product(a.high, b.high);
    return fast_sum(p.high, p.low + (a.high * b.low + a.low * b.high));
}
static inline DoubleDouble pair_over(DoubleDouble a, DoubleDouble b) {
    double q = a.high / b.high;
    DoubleDouble p = two_product(q, b.high);
    double rest = ((a.high - p.high) - p.low + a.low) - q * b.low;
    return fast_sum(q, rest / b.high);
}
#endif
