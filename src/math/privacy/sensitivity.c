/* Statistics as they depend on one record: linear forms of order statistics, moments, and what is left without a record. */
#include "base/elementary.h"
#include "base/extremes.h"
#include "math/privacy/sensitivity.h"
#include "math/privacy/sensitivity_private.h"

QuantilePlace quantile_place(int64_t n, double probability) {
    double h = (double)(n - 1) * probability;
    int64_t below = (int64_t)floor(h);
    if (below > n - 1) below = n - 1;
    return (QuantilePlace){ below, below >= n - 1 ? 0 : h - (double)below };
}

int64_t trimmed_each(int64_t n, double share) { return (int64_t)floor((double)n * share); }

bool statistic_linear(Statistic s) { return s.kind == OF_QUANTILE || s.kind == OF_WINSORIZED || s.kind == OF_TRIMMED; }

static double place_weight(QuantilePlace place, int64_t i) {
    return i == place.below ? 1 - place.fraction : i == place.below + 1 ? place.fraction : 0;
}

/* Winsorized: the below+1 lowest records stand at the lower quantile, the n−1−below′ highest at the upper one, the rest for themselves. */
double statistic_weight(Statistic s, int64_t n, int64_t i) {
    if (s.kind == OF_QUANTILE) return place_weight(quantile_place(n, s.share), i);
    if (s.kind == OF_TRIMMED) {
        int64_t each = trimmed_each(n, s.share);
        return i >= each && i < n - each ? 1 / (double)(n - 2 * each) : 0;
    }
    QuantilePlace low = quantile_place(n, s.share), high = quantile_place(n, 1 - s.share);
    double own = i > low.below && i <= high.below;
    return (own + (double)(low.below + 1) * place_weight(low, i) + (double)(n - 1 - high.below) * place_weight(high, i)) / (double)n;
}

double statistic_largest_weight(Statistic s, int64_t n) {
    double largest = 0;
    QuantilePlace at[2] = { quantile_place(n, s.share), quantile_place(n, 1 - s.share) };
    int64_t each = trimmed_each(n, s.share);
    if (s.kind == OF_TRIMMED) return 1 / (double)(n - 2 * each);
    for (int k = 0; k < 2; k++)
        for (int64_t i = at[k].below - 1; i <= at[k].below + 2; i++)
            if (i >= 0 && i < n) largest = larger(largest, statistic_weight(s, n, i));
    return largest;
}

/* Means about the first value, so that a large common part costs no digits; summed in one pass over deviations. */
Centre sample_centre(const Sample *s) {
    Centre c = { .shift_x = s->n ? s->x[0] : 0, .shift_y = s->n && s->y ? s->y[0] : 0 };
    double sum_x = 0, sum_y = 0;
    for (int64_t i = 0; i < s->n; i++) {
        sum_x += s->x[i] - c.shift_x;
        if (s->y) sum_y += s->y[i] - c.shift_y;
    }
    c.mean_x = c.shift_x + sum_x / (double)s->n;
    c.mean_y = c.shift_y + sum_y / (double)s->n;
    for (int64_t i = 0; i < s->n; i++) {
        double dx = s->x[i] - c.mean_x, dy = s->y ? s->y[i] - c.mean_y : dx;
        c.products += dx * dy;
    }
    return c;
}

static double linear_value(Statistic s, const Sample *sample) {
    int64_t n = sample->n;
    const double *x = sample->x;
    const int64_t *o = sample->order;
    QuantilePlace low = quantile_place(n, s.share), high = quantile_place(n, 1 - s.share);
    double shift = x[o[n / 2]], sum = 0;
    if (s.kind == OF_QUANTILE)
        return low.fraction > 0 ? x[o[low.below]] + low.fraction * (x[o[low.below + 1]] - x[o[low.below]]) : x[o[low.below]];
    if (s.kind == OF_TRIMMED) {
        int64_t each = trimmed_each(n, s.share);
        for (int64_t i = each; i < n - each; i++) sum += x[o[i]] - shift;
        return shift + sum / (double)(n - 2 * each);
    }
    double bottom = x[o[low.below]] + (low.fraction > 0 ? low.fraction * (x[o[low.below + 1]] - x[o[low.below]]) : 0);
    double top = x[o[high.below]] + (high.fraction > 0 ? high.fraction * (x[o[high.below + 1]] - x[o[high.below]]) : 0);
    for (int64_t i = low.below + 1; i <= high.below; i++) sum += x[o[i]] - shift;
    sum += (double)(low.below + 1) * (bottom - shift) + (double)(n - 1 - high.below) * (top - shift);
    return shift + sum / (double)n;
}

double statistic_value(Statistic s, const Sample *sample) {
    double n = (double)sample->n, sum = 0;
    if (s.kind == OF_COUNT) return n;
    if (!sample->n) return s.kind == OF_SUM ? 0 : NAN;
    if (statistic_linear(s)) return linear_value(s, sample);
    if (s.kind == OF_SUM) {
        for (int64_t i = 0; i < sample->n; i++) sum += sample->x[i];
        return sum;
    }
    Centre c = sample_centre(sample);
    if (s.kind == OF_MEAN) return c.mean_x;
    double variance = sample->n > 1 ? c.products / (n - 1) : NAN;
    return s.kind == OF_SD ? sqrt(variance) : variance;
}

/* f(D) − f(D−i) for each rank r of a linear form: with weights w of n and w′ of n−1, f(D−r) = Σ_{k<r} w′_k x_k + Σ_{k>r} w′_{k−1} x_k, so
 * that stepping r adds w′_r (x_r − x_{r+1}). It falls as r grows: the largest change is at an end. */
static void linear_changes(Statistic s, const Sample *sample, double *change, double *largest) {
    int64_t n = sample->n;
    const double *x = sample->x;
    const int64_t *o = sample->order;
    double value = linear_value(s, sample), first;
    Sample rest = { .n = n - 1, .x = x, .order = o + 1 };
    first = value - linear_value(s, &rest);
    QuantilePlace low = quantile_place(n - 1, s.share), high = quantile_place(n - 1, 1 - s.share);
    double now = first, own = 1 / (double)(n - 1);
    bool winsorized = s.kind == OF_WINSORIZED;
    *largest = 0;
    for (int64_t r = 0; r < n; r++) {
        *largest = larger(*largest, fabs(now));
        if (change) change[o[r]] = now;
        if (r + 1 == n) break;
        bool plain = winsorized && r > low.below + 1 && r < high.below; /* most ranks: their weight is 1/(n−1) */
        double weight = plain ? own : statistic_weight(s, n - 1, r);
        if (weight > 0) now += weight * (x[o[r + 1]] - x[o[r]]);
    }
}

/* One record leaves: the sum of products loses n/(n−1)·dx·dy, and the divisor becomes n−2. */
static double without(Statistic s, const Centre *c, double n, double dx, double dy) {
    double rest = fmax((c->products - n / (n - 1) * dx * dy) / (n - 2), s.kind == OF_COVARIANCE ? -INFINITY : 0);
    return s.kind == OF_SD ? sqrt(rest) : rest;
}

static Status enough_without_one(Work *work, Statistic s, int64_t n) {
    int64_t least = s.kind == OF_COUNT || s.kind == OF_SUM                                ? 1
                    : s.kind == OF_VARIANCE || s.kind == OF_SD || s.kind == OF_COVARIANCE ? 3
                                                                                          : 2;
    if (n >= least) return OK;
    return fail(work->error, BAD,
                "a statistic that is to stay defined without any one record needs at least %lld records, and there are %lld",
                (long long)least, (long long)n);
}

/* A linear form of ordered values in [0, 1] is largest where the lowest k are 0 and the rest 1: with W(k) = w_k + … + w_{n−1} of n records
 * and W′ of n−1, one of the zeros leaving takes W(k) to W′(k−1), one of the ones to W′(k). */
static double linear_bound(Statistic s, int64_t n) {
    double whole = 0, rest = 0, largest = 0;
    for (int64_t k = n - 1; k >= 0; k--) {
        double after = rest; /* W′(k) */
        whole += statistic_weight(s, n, k);
        if (k > 0) rest += statistic_weight(s, n - 1, k - 1);
        largest = larger(largest, fabs(whole - after));
        if (k > 0) largest = larger(largest, fabs(whole - rest));
    }
    return largest + (double)n * 0x1p-52; /* what adding up n weights may have lost */
}

/* With one record at one end and all others at the other, a mean moves by R/n. Of S, the sum of squares about the mean, and d, a record's
 * distance from it, a variance moves by (n·d² − S)/((n−1)(n−2)), between R²/n (that same table: S = n·d²/(n−1), d = R(n−1)/n) and
 * −R²/(4(n−2)), which is less from three records on; a standard deviation by the root of that at most, and that same table reaches it. A
 * covariance is linear in either column, so that all values stand at ends, and R_x·R_y/n is again the largest (a test tries all such tables
 * of few records). */
Status statistic_leave_one_out_bound(Work *work, Statistic s, int64_t n, double low, double high, double span, double *out) {
    Status status = OK;
    double range = high - low, count = (double)n;
    TRY(enough_without_one(work, s, n));
    switch (s.kind) {
    case OF_COUNT: *out = 1; break;
    case OF_SUM: *out = larger(fabs(low), fabs(high)); break;
    case OF_MEAN: *out = range / count; break;
    case OF_VARIANCE: *out = range * range / count; break;
    case OF_SD: *out = range / sqrt(count); break;
    case OF_COVARIANCE: *out = range * span / count; break;
    default: *out = range * linear_bound(s, n);
    }
done:
    return status;
}

Status statistic_leave_one_out(Work *work, Statistic s, const Sample *sample, double *change, double *largest) {
    int64_t n = sample->n;
    *largest = 0;
    Status status = enough_without_one(work, s, n);
    if (status) return status;
    if (statistic_linear(s)) {
        linear_changes(s, sample, change, largest);
        return OK;
    }
    Centre c = s.kind == OF_COUNT || s.kind == OF_SUM ? (Centre){ 0 } : sample_centre(sample);
    double real = (double)n, whole = s.kind == OF_SD ? sqrt(c.products / (real - 1)) : c.products / (real - 1);
    for (int64_t i = 0; i < n; i++) {
        double x = s.kind == OF_COUNT ? 1 : sample->x[i], move = x;
        if (s.kind == OF_MEAN) move = (x - c.mean_x) / (real - 1);
        else if (s.kind >= OF_VARIANCE)
            move = whole - without(s, &c, real, x - c.mean_x, s.kind == OF_COVARIANCE ? sample->y[i] - c.mean_y : x - c.mean_x);
        *largest = larger(*largest, fabs(move));
        if (change) change[i] = move;
    }
    return OK;
}
