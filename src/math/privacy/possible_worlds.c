/* Possible worlds: a statistic of D with one record replaced by each candidate, and the largest range of it. */
#include <stdlib.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "math/privacy/sensitivity.h"
#include "math/privacy/sensitivity_private.h"

/* A linear form after one replacement needs only sums over stretches of ranks that stay, move up one, or move down one. */
typedef struct Replacing {
    Work *work;
    Statistic statistic;
    const Sample *sample;
    Centre centre;
    double sum, *sorted, *stay, *up, *down; /* prefix sums of w_k x_k, w_{k+1} x_k, w_{k−1} x_k */
    int64_t *rank;                          /* of each record */
} Replacing;

static Status replacing_make(Work *work, Statistic s, const Sample *sample, Replacing *out) {
    Status status = OK;
    int64_t n = sample->n;
    *out = (Replacing){ .work = work, .statistic = s, .sample = sample };
    if (n < 1) return fail(work->error, BAD, "there is no record");
    if (!statistic_linear(s)) {
        out->centre = sample_centre(sample);
        for (int64_t i = 0; s.kind == OF_SUM && i < n; i++) out->sum += sample->x[i];
        return OK;
    }
    NEW(work, out->sorted, n);
    NEW(work, out->stay, n + 1);
    NEW(work, out->up, n + 1);
    NEW(work, out->down, n + 1);
    NEW(work, out->rank, n);
    for (int64_t k = 0; k < n; k++) {
        double x = out->sorted[k] = sample->x[sample->order[k]];
        out->rank[sample->order[k]] = k;
        out->stay[k + 1] = out->stay[k] + statistic_weight(s, n, k) * x;
        out->up[k + 1] = out->up[k] + (k + 1 < n ? statistic_weight(s, n, k + 1) : 0) * x;
        out->down[k + 1] = out->down[k] + (k > 0 ? statistic_weight(s, n, k - 1) : 0) * x;
    }
done:
    return status;
}

/* How many of the sorted values are below v. */
static int64_t rank_of(const double *sorted, int64_t n, double v) {
    int64_t low = 0, high = n;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (sorted[middle] < v) low = middle + 1;
        else high = middle;
    }
    return low;
}

static double linear_replaced(const Replacing *p, int64_t record, double v) {
    int64_t n = p->sample->n, r = p->rank[record], q = rank_of(p->sorted, n, v);
    const double *stay = p->stay, *up = p->up, *down = p->down;
    if (q <= r) return stay[q] + statistic_weight(p->statistic, n, q) * v + (up[r] - up[q]) + (stay[n] - stay[r + 1]);
    q--; /* its rank once r is gone */
    return stay[r] + (down[q + 1] - down[r + 1]) + statistic_weight(p->statistic, n, q) * v + (stay[n] - stay[q + 1]);
}

/* f(D − record + (v, u)). */
static double replaced(const Replacing *p, int64_t record, double v, double u) {
    const Sample *s = p->sample;
    double n = (double)s->n, x = s->x ? s->x[record] : 0;
    StatisticKind kind = p->statistic.kind;
    if (kind == OF_COUNT) return n;
    if (statistic_linear(p->statistic)) return linear_replaced(p, record, v);
    if (kind == OF_SUM) return p->sum - x + v;
    double mean = p->centre.mean_x + (v - x) / n;
    if (kind == OF_MEAN) return mean;
    /* the sum of products about the mean of the others, then with the new record: each step is n/(n−1) resp. (n−1)/n of a product of
     * deviations */
    double y = kind == OF_COVARIANCE ? s->y[record] : x, w = kind == OF_COVARIANCE ? u : v;
    double mean_y = kind == OF_COVARIANCE ? p->centre.mean_y : p->centre.mean_x;
    if (s->n < 2) return NAN;
    double rest_x = p->centre.mean_x - (x - p->centre.mean_x) / (n - 1), rest_y = mean_y - (y - mean_y) / (n - 1);
    double products = p->centre.products - n / (n - 1) * (x - p->centre.mean_x) * (y - mean_y) + (n - 1) / n * (v - rest_x) * (w - rest_y);
    if (kind == OF_COVARIANCE) return products / (n - 1);
    double variance = fmax(products, 0) / (n - 1);
    return kind == OF_SD ? sqrt(variance) : variance;
}

/* The candidates where f can be largest or smallest, given which record is replaced: the ends for what is monotone in v; for a variance
 * also the candidates nearest to the others' mean; for a covariance all. */
static void range_at(const Replacing *p, int64_t record, const WorldCandidates *c, double *low, double *high) {
    double x = p->sample->x ? p->sample->x[record] : 0, n = (double)p->sample->n;
    StatisticKind kind = p->statistic.kind;
    *low = INFINITY;
    *high = -INFINITY;
#define TRY_VALUE(v, u)                                                                                                                    \
    do {                                                                                                                                   \
        double f = replaced(p, record, (v), (u));                                                                                          \
        *low = fmin(*low, f);                                                                                                              \
        *high = fmax(*high, f);                                                                                                            \
    } while (0)
    if (c->own) TRY_VALUE(x, p->sample->y ? p->sample->y[record] : 0);
    if (kind == OF_COVARIANCE) {
        for (int64_t k = 0; k < c->count; k++) TRY_VALUE(c->x[k], c->y[k]);
        return;
    }
    if (!c->count) return;
    TRY_VALUE(c->x[0], 0);
    TRY_VALUE(c->x[c->count - 1], 0);
    if (kind != OF_VARIANCE && kind != OF_SD) return;
    double rest = p->centre.mean_x - (x - p->centre.mean_x) / (n - 1);
    if (c->between) {
        TRY_VALUE(smaller(larger(rest, c->x[0]), c->x[c->count - 1]), 0);
        return;
    }
    int64_t near = rank_of(c->x, c->count, rest);
    if (near < c->count) TRY_VALUE(c->x[near], 0);
    if (near > 0) TRY_VALUE(c->x[near - 1], 0);
#undef TRY_VALUE
}

Status statistic_sensitive_range(Work *work, Statistic s, const Sample *sample, const WorldCandidates *candidates, double *range,
                                 int64_t *worst) {
    Status status = OK;
    Replacing p;
    double low, high, last = NAN;
    *range = 0;
    *worst = 0;
    TRY(replacing_make(work, s, sample, &p));
    if ((s.kind == OF_VARIANCE || s.kind == OF_SD || s.kind == OF_COVARIANCE) && sample->n < 2)
        TRY(fail(work->error, BAD, "this statistic needs at least two records"));
    for (int64_t i = 0; i < sample->n; i++) {
        int64_t record = sample->order ? sample->order[i] : i; /* in order, equal values come together and are done once */
        if (s.kind != OF_COVARIANCE && sample->order && i && sample->x[record] == last) continue;
        last = sample->x ? sample->x[record] : 0;
        if ((i & 1023) == 0) TRY(work_check(work));
        range_at(&p, record, candidates, &low, &high);
        if (high - low > *range) {
            *range = high - low;
            *worst = record;
        }
        if (s.kind == OF_COUNT) break;
    }
done:
    return status;
}

Status statistic_world_values(Work *work, Statistic s, const Sample *sample, const WorldCandidates *c, int64_t record, double *values) {
    Status status = OK;
    Replacing p;
    TRY(replacing_make(work, s, sample, &p));
    for (int64_t k = 0; k < c->count; k++) values[k] = replaced(&p, record, c->x[k], c->y ? c->y[k] : 0);
    if (c->own) values[c->count] = replaced(&p, record, sample->x[record], sample->y ? sample->y[record] : 0);
done:
    return status;
}
