/* Noise: moments of each stratum, from exact sums: the same bits from any cut of the table into parts. */
#include <string.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "math/linear/symmetric.h"
#include "protect/noise/noise.h"

/* A stratum's sums: for each column n, Σx, Σx²; where columns go together also, over complete records, n, Σx_j, and Σx_j·x_k for k ≤ j. */
typedef struct {
    ExactSum *n, *x, *xx; /* of each column */
    ExactSum *all, *one, *two;
} Sums;

int64_t noise_sums(NoiseKind kind, int64_t columns) {
    return 3 * columns + (noise_is_joint(kind) ? 1 + columns + columns * (columns + 1) / 2 : 0);
}

static Sums sums_at(ExactSum *sum, int64_t columns) {
    return (Sums){ sum, sum + columns, sum + 2 * columns, sum + 3 * columns, sum + 3 * columns + 1, sum + 4 * columns + 1 };
}

static void add_complete(const Noise *noise, int64_t i, Sums *s) {
    int64_t p = noise->columns;
    for (int64_t j = 0; j < p; j++)
        if (isnan(noise->x[j][i])) return;
    exact_sum_add(s->all, 1);
    for (int64_t j = 0, at = 0; j < p; j++) {
        exact_sum_add(&s->one[j], noise->x[j][i]);
        for (int64_t k = 0; k <= j; k++, at++) exact_sum_add_product(&s->two[at], noise->x[j][i], noise->x[k][i]);
    }
}

void noise_learn(const Noise *noise, TupleCounts *roll, const int64_t *place) {
    for (int64_t i = 0; i < noise->rows; i++) {
        Sums s = sums_at(roll->sum + place[i] * roll->sums, noise->columns);
        for (int64_t j = 0; j < noise->columns; j++) {
            double x = noise->x[j][i];
            if (isnan(x)) continue;
            exact_sum_add(&s.n[j], 1);
            exact_sum_add(&s.x[j], x);
            exact_sum_add_product(&s.xx[j], x, x);
        }
        if (noise_is_joint(noise->kind)) add_complete(noise, i, &s);
    }
}

/* Correlations over complete records; a column that is constant there is uncorrelated with all. */
static Status fit_correlations(Work *work, const Noise *noise, const Sums *s, NoiseFit *fit) {
    Status status = OK;
    int64_t p = noise->columns, n = (int64_t)exact_sum_real(s->all);
    double *variance = NULL;
    NEW(work, fit->correlation, p * p);
    NEW(work, fit->root, p * p);
    NEW(work, variance, p);
    for (int64_t j = 0; j < p; j++) variance[j] = exact_covariance(&s->two[j * (j + 1) / 2 + j], &s->one[j], &s->one[j], n);
    for (int64_t j = 0; j < p; j++)
        for (int64_t k = 0; k <= j; k++) {
            double r = exact_covariance(&s->two[j * (j + 1) / 2 + k], &s->one[j], &s->one[k], n) / sqrt(variance[j] * variance[k]);
            r = j == k ? 1 : isfinite(r) ? smaller(1, larger(-1, r)) : 0;
            fit->correlation[j * p + k] = fit->correlation[k * p + j] = r;
        }
    if (!semidefinite_root(fit->correlation, p, fit->root))
        TRY(fail(work->error, FAILED, "the correlation matrix is not positive semidefinite"));
done:
    return status;
}

/* `whole` is NULL for the whole table. */
static Status fit_stratum(Work *work, const Noise *noise, const Sums *s, const NoiseFit *whole, NoiseFit *fit) {
    Status status = OK;
    NEW(work, fit->mean, noise->columns);
    NEW(work, fit->sd, noise->columns);
    for (int64_t j = 0; j < noise->columns; j++) {
        int64_t n = (int64_t)exact_sum_real(&s->n[j]);
        fit->mean[j] = exact_mean(&s->x[j], n);
        fit->sd[j] = sqrt(exact_covariance(&s->xx[j], &s->x[j], &s->x[j], n));
        if (!isnan(fit->sd[j])) continue;
        fit->pooled = whole != NULL;
        if (whole) {
            fit->mean[j] = whole->mean[j];
            fit->sd[j] = whole->sd[j];
        }
    }
    if (!noise_is_joint(noise->kind)) return OK;
    if (exact_sum_real(s->all) < 2 && whole) {
        fit->pooled = true;
        fit->correlation = whole->correlation;
        fit->root = whole->root;
        return OK;
    }
    TRY(fit_correlations(work, noise, s, fit));
done:
    return status;
}

static Status check_whole(Work *work, const Noise *noise, Columns vars, const NoiseFit *whole) {
    for (int64_t j = 0; j < noise->columns; j++)
        if (isnan(whole->sd[j])) {
            fail(work->error, BAD,
                 "fewer than two values, or values too large: noise is scaled to the column's variance, which is no finite number");
            return error_column(work->error, vars.at[j]->name);
        }
    return OK;
}

Status noise_fit(Work *work, Noise *noise, Columns vars, const TupleCounts *roll, const int64_t *order) {
    Status status = OK;
    NoiseFit whole = { 0 };
    ExactSum *all = NULL;
    NEW(work, all, roll->sums);
    for (int64_t s = 0; s < roll->count; s++)
        for (int64_t i = 0; i < roll->sums; i++) exact_sum_merge(&all[i], &roll->sum[s * roll->sums + i]);
    Sums sums = sums_at(all, noise->columns);
    TRY(fit_stratum(work, noise, &sums, NULL, &whole));
    TRY(check_whole(work, noise, vars, &whole));
    NEW(work, noise->fit, noise->strata + 1);
    if (noise->strata == 1) {
        noise->fit[0] = whole;
        return OK;
    }
    for (int64_t s = 0; s < noise->strata; s++) {
        TRY(work_check(work));
        sums = sums_at(roll->sum + order[s] * roll->sums, noise->columns);
        TRY(fit_stratum(work, noise, &sums, &whole, &noise->fit[s]));
    }
done:
    return status;
}
