/* Robust location and covariance (OGK). */
#include "math/linear/robust_covariance.h"
#include <string.h>
#include "base/elementary.h"
#include "math/linear/moments.h"
#include "math/order_statistics.h"
#include "math/linear/symmetric.h"
#include "math/special/gamma.h"

typedef struct Ogk {
    Work *work;
    int64_t n, p;
    double *scratch, *spare;
    bool plain_scale;
} Ogk;

static double median(const Ogk *g, const double *v) { return median_aside(v, g->n, g->spare); }

/* Median, and 1.4826 times the median absolute deviation; the standard deviation where that is 0. */
static void location_scale(Ogk *g, const double *v, double *location, double *scale) {
    double mean = 0, square = 0;
    *location = median(g, v);
    for (int64_t i = 0; i < g->n; i++) g->scratch[i] = fabs(v[i] - *location);
    *scale = 1.482602218505602 * median(g, g->scratch);
    if (*scale > 0) return;
    for (int64_t i = 0; i < g->n; i++) mean += v[i] / (double)g->n;
    for (int64_t i = 0; i < g->n; i++) square += (v[i] - mean) * (v[i] - mean);
    *scale = sqrt(square / (double)(g->n - 1));
    g->plain_scale = true;
}

/* Robust correlation of two standardised columns: (σ(a+b)² − σ(a−b)²)/4. */
static Status pairwise(Ogk *g, double *const *y, double *v, double *u) {
    Status status = OK;
    int64_t p = g->p;
    for (int64_t j = 0; j < p; j++) {
        u[j * p + j] = 1;
        for (int64_t k = 0; k < j; k++) {
            double centre, sum, difference;
            for (int64_t i = 0; i < g->n; i++) v[i] = y[j][i] + y[k][i];
            location_scale(g, v, &centre, &sum);
            for (int64_t i = 0; i < g->n; i++) v[i] = y[j][i] - y[k][i];
            location_scale(g, v, &centre, &difference);
            u[j * p + k] = u[k * p + j] = (sum * sum - difference * difference) / 4;
        }
        TRY(work_check(g->work));
    }
done:
    return status;
}

/* One round: y becomes its coordinates along the axes of the pairwise correlations, standardised; distances are their sums of squares. */
static Status turn(Ogk *g, double **y, double *distance) {
    Status status = OK;
    int64_t p = g->p;
    double *u = NULL, *values = NULL, *axes = NULL, *row = NULL, *v = NULL, location, scale;
    NEW(g->work, u, p * p);
    NEW(g->work, values, p);
    NEW(g->work, axes, p * p);
    NEW(g->work, row, p);
    NEW(g->work, v, g->n);
    TRY(pairwise(g, y, v, u));
    TRY(principal_axes(g->work, u, p, values, axes));
    for (int64_t i = 0; i < g->n; i++) {
        for (int64_t k = 0; k < p; k++) {
            row[k] = 0;
            for (int64_t j = 0; j < p; j++) row[k] += axes[k * p + j] * y[j][i];
        }
        for (int64_t k = 0; k < p; k++) y[k][i] = row[k];
        distance[i] = 0;
    }
    for (int64_t k = 0; k < p; k++) {
        location_scale(g, y[k], &location, &scale);
        for (int64_t i = 0; i < g->n; i++) {
            y[k][i] = scale > 0 ? (y[k][i] - location) / scale : 0;
            distance[i] += y[k][i] * y[k][i];
        }
    }
done:
    arena_drop(g->work->arena, v);
    return status;
}

/* Complete records, standardised by median and scale. */
static Status standardise(Ogk *g, const double *const *x, const int64_t *row, double **y) {
    Status status = OK;
    for (int64_t j = 0; j < g->p; j++) {
        double location, scale;
        NEW(g->work, y[j], g->n);
        for (int64_t i = 0; i < g->n; i++) y[j][i] = x[j][row[i]];
        location_scale(g, y[j], &location, &scale);
        if (!(scale > 0)) TRY(fail(g->work->error, BAD, "column %lld is constant: it has no robust covariance", (long long)j + 1));
        for (int64_t i = 0; i < g->n; i++) y[j][i] = (y[j][i] - location) / scale;
    }
done:
    return status;
}

/* Mean and covariance of the records within the bound, made consistent at the normal: a covariance of the χ²-truncated part is short by
 * P(p+2)/P(p). */
static Status reweight(Ogk *g, const double *const *x, const int64_t *row, const double *distance, RobustMoments *out) {
    Status status = OK;
    double middle = median(g, distance), p = (double)g->p, half, most;
    int64_t *near = NULL, kept = 0;
    Moments m, m_all;
    NEW(g->work, near, g->n);
    TRY(chi_square_quantile(p, 0.5, 0.5, &half, g->work->error));
    TRY(chi_square_quantile(p, 0.9, 0.1, &most, g->work->error));
    double bound = most * middle / half;
    for (int64_t i = 0; i < g->n; i++)
        if (distance[i] <= bound) near[kept++] = row[i];
    TRY(moments_make(g->work, x, g->p, near, kept, &m));
    double factor = 0.9 / chi_square_tails(p + 2, most).lower;
    NEW(g->work, out->mean, g->p);
    NEW(g->work, out->covariance, g->p * g->p);
    memcpy(out->mean, m.mean, (size_t)g->p * sizeof *m.mean);
    for (int64_t i = 0; i < g->p * g->p; i++) out->covariance[i] = factor * m.covariance[i];
    for (int64_t j = 0; j < g->p; j++) { /* a rare 1 among zeros is far from all, and the rest are constant: its plain variance */
        if (m.covariance[j * g->p + j] > 0) continue;
        TRY(moments_make(g->work, &x[j], 1, row, g->n, &m_all));
        out->covariance[j * g->p + j] = moments_covariance(&m_all, 0, 0);
        g->plain_scale = true;
    }
done:
    return status;
}

/* C⁺ over the directions in which standardised columns vary: a column that follows from others adds nothing. */
static Status pseudo_inverse(Work *work, const double *c, int64_t p, double *out) {
    Status status = OK;
    double *r = NULL, *values = NULL, *vectors = NULL;
    NEW(work, r, p * p);
    NEW(work, values, p);
    NEW(work, vectors, p * p);
    for (int64_t j = 0; j < p; j++)
        for (int64_t k = 0; k < p; k++) {
            const double scale = sqrt(c[j * p + j] * c[k * p + k]);
            r[j * p + k] = scale > 0 ? c[j * p + k] / scale : 0;
        }
    TRY(symmetric_eigen(work, r, p, values, vectors));
    for (int64_t i = 0; i < p * p; i++) out[i] = 0;
    for (int64_t e = 0; e < p; e++) {
        if (!(values[e] > 1e-9 * values[p - 1])) continue;
        for (int64_t j = 0; j < p; j++)
            for (int64_t k = 0; k < p; k++)
                if (c[j * p + j] > 0 && c[k * p + k] > 0)
                    out[j * p + k] += vectors[e * p + j] * vectors[e * p + k] / (values[e] * sqrt(c[j * p + j] * c[k * p + k]));
    }
done:
    return status;
}

/* d² = (x − m)'C⁻¹(x − m). */
static Status distances(Work *work, const double *const *x, int64_t rows, RobustMoments *out) {
    Status status = OK;
    int64_t p = out->columns;
    double *inverse = NULL, *d = NULL;
    NEW(work, inverse, p * p);
    NEW(work, d, p);
    NEW(work, out->distance, rows);
    const Error before = *work->error;
    status = symmetric_inverse(work, out->covariance, p, inverse);
    if (status == BAD) {
        *work->error = before;
        status = pseudo_inverse(work, out->covariance, p, inverse);
    }
    TRY(status);
    for (int64_t i = 0; i < rows; i++) {
        double sum = 0;
        for (int64_t j = 0; j < p; j++) d[j] = x[j][i] - out->mean[j];
        for (int64_t j = 0; j < p; j++)
            for (int64_t k = 0; k < p; k++) sum += d[j] * inverse[j * p + k] * d[k];
        out->distance[i] = sum;
    }
done:
    return status;
}

Status robust_moments(Work *work, const double *const *x, int64_t columns, int64_t rows, RobustMoments *out) {
    Status status = OK;
    Ogk g = { .work = work, .p = columns };
    int64_t *row = NULL;
    double **y = NULL, *distance = NULL;
    *out = (RobustMoments){ .columns = columns };
    NEW(work, row, rows);
    for (int64_t i = 0; i < rows; i++) {
        bool complete = true;
        for (int64_t j = 0; j < columns; j++) complete = complete && !isnan(x[j][i]);
        if (complete) row[g.n++] = i;
    }
    out->rows = g.n;
    if (g.n < columns + 2)
        TRY(fail(work->error, BAD, "%lld complete records are too few for a robust covariance of %lld columns", (long long)g.n,
                 (long long)columns));
    NEW(work, g.scratch, g.n);
    NEW(work, g.spare, g.n);
    NEW(work, y, columns);
    NEW(work, distance, g.n);
    TRY(standardise(&g, x, row, y));
    for (int round = 0; round < 2; round++) TRY(turn(&g, y, distance));
    TRY(reweight(&g, x, row, distance, out));
    TRY(distances(work, x, rows, out));
    out->plain_scale = g.plain_scale;
done:
    for (int64_t j = 0; y && j < columns; j++) arena_drop(work->arena, y[j]);
    return status;
}
