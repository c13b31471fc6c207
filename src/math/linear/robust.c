/* Robust regression: Huber's M-estimator by iteratively reweighted least squares. */
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "math/linear/least_squares.h"
#include "math/order_statistics.h"

static const double BEND = 1.345; /* 95% efficient at the normal */
enum { MOST_ITERATIONS = 200 };

/* Weights ψ(u)/u at u = √w·residual/scale. Returns the scale: the median absolute residual over 0.6745. */
static void reweight(const LinearModel *m, const double *fitted, double *absolute, double *huber, double *scale) {
    int64_t counted = 0;
    for (int64_t i = 0; i < m->rows; i++)
        absolute[i] = m->weight && m->weight[i] == 0 ? NAN : fabs(m->y[i] - fitted[i]) * (m->weight ? sqrt(m->weight[i]) : 1);
    for (int64_t i = 0; i < m->rows; i++)
        if (!isnan(absolute[i])) huber[counted++] = absolute[i]; /* room for the median, until the weights go there */
    *scale = select_median(huber, counted) / 0.6745;
    for (int64_t i = 0; i < m->rows; i++)
        huber[i] = isnan(absolute[i]) ? 0 : absolute[i] <= BEND * *scale ? 1 : BEND * *scale / absolute[i];
}

/* Huber 1981, eq. 6.5: K²·[Σψ²/(n−p)]/[Σψ'/n]²·(X'X)⁻¹, K = 1 + (p/n)·var(ψ')/mean(ψ')². */
static void standard_errors(const LinearModel *m, const LinearFit *plain, const double *absolute, const double *huber, double scale,
                            LinearFit *out) {
    double squares = 0, slopes = 0;
    int64_t n = 0, p = m->columns;
    for (int64_t i = 0; i < m->rows; i++) {
        if (isnan(absolute[i])) continue;
        squares += huber[i] * absolute[i] * huber[i] * absolute[i];
        slopes += absolute[i] <= BEND * scale;
        n++;
    }
    double mean = slopes / (double)n, variance = n > 1 ? slopes * (1 - mean) / (double)(n - 1) : 0;
    double kappa = 1 + (double)out->rank * variance / ((double)n * mean * mean);
    double deviation = sqrt(squares / (double)out->residual_df) * kappa / mean;
    out->dispersion = deviation * deviation;
    memcpy(out->unscaled, plain->unscaled, (size_t)(p * p) * sizeof *out->unscaled);
    for (int64_t j = 0; j < p; j++) out->standard_error[j] = deviation * sqrt(plain->unscaled[j * p + j]);
}

static double change(const double *before, const double *after, int64_t n) {
    double moved = 0, size = 1e-300;
    for (int64_t i = 0; i < n; i++) {
        moved += (after[i] - before[i]) * (after[i] - before[i]);
        size += before[i] * before[i];
    }
    return sqrt(moved / size);
}

Status robust_fit(Work *work, const LinearModel *m, LinearFit *out) {
    Status status = OK;
    LinearFit plain;
    LinearModel weighted = *m;
    double *absolute = NULL, *huber = NULL, *weight = NULL, *before = NULL, scale = 0, moved = INFINITY;
    TRY(least_squares(work, m, &plain));
    *out = plain;
    NEW(work, absolute, m->rows);
    NEW(work, huber, m->rows);
    NEW(work, weight, m->rows);
    NEW(work, before, m->rows);
    weighted.weight = weight;
    memcpy(before, plain.fitted, (size_t)m->rows * sizeof *before);
    int iteration = 0;
    for (; iteration < MOST_ITERATIONS && moved > 1e-10; iteration++) {
        TRY(work_check(work));
        reweight(m, before, absolute, huber, &scale);
        if (!(scale > 0)) break; /* more than half the residuals vanish: the fit through them stands */
        for (int64_t i = 0; i < m->rows; i++) weight[i] = huber[i] * (m->weight ? m->weight[i] : 1);
        if (out->fitted != plain.fitted) arena_drop(work->arena, out->fitted);
        TRY(least_squares(work, &weighted, out));
        moved = change(before, out->fitted, m->rows);
        memcpy(before, out->fitted, (size_t)m->rows * sizeof *before);
    }
    reweight(m, before, absolute, huber, &scale);
    out->iterations = iteration;
    out->converged = moved <= 1e-10 || !(scale > 0);
    out->rows = plain.rows;
    out->residual_df = plain.rows - out->rank;
    if (out->residual_df > 0 && scale > 0) standard_errors(m, &plain, absolute, huber, scale, out);
done:
    arena_drop(work->arena, absolute);
    arena_drop(work->arena, huber);
    arena_drop(work->arena, weight);
    arena_drop(work->arena, before);
    return status;
}
