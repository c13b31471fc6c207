/* Noise: moments of each stratum. */
#include <string.h>
#include "base/elementary.h"
#include "math/linear/moments.h"
#include "math/linear/symmetric.h"
#include "protect/noise/noise.h"

/* Correlations over complete records; a column that is constant there is uncorrelated with all. */
static Status fit_correlations(Work *work, const Noise *noise, const Moments *all, NoiseFit *fit) {
    Status status = OK;
    int64_t p = noise->columns;
    NEW(work, fit->correlation, p * p);
    NEW(work, fit->root, p * p);
    for (int64_t j = 0; j < p; j++)
        for (int64_t k = 0; k < p; k++) {
            double r = moments_correlation(all, j, k);
            fit->correlation[j * p + k] = j == k ? 1 : isnan(r) ? 0 : r;
        }
    if (!semidefinite_root(fit->correlation, p, fit->root))
        TRY(fail(work->error, FAILED, "the correlation matrix is not positive semidefinite"));
done:
    return status;
}

/* `whole` is NULL for the whole table. */
static Status fit_rows(Work *work, const Noise *noise, const int64_t *row, int64_t rows, const NoiseFit *whole, NoiseFit *fit) {
    Status status = OK;
    Moments one, all;
    NEW(work, fit->mean, noise->columns);
    NEW(work, fit->sd, noise->columns);
    for (int64_t j = 0; j < noise->columns; j++) {
        TRY(moments_make(work, &noise->x[j], 1, row, rows, &one));
        fit->mean[j] = one.mean[0];
        fit->sd[j] = sqrt(one.covariance[0]);
        if (!isnan(fit->sd[j])) continue;
        fit->pooled = whole != NULL;
        if (whole) {
            fit->mean[j] = whole->mean[j];
            fit->sd[j] = whole->sd[j];
        }
    }
    if (!noise_is_joint(noise->kind)) return OK;
    TRY(moments_make(work, noise->x, noise->columns, row, rows, &all));
    if (all.rows < 2 && whole) {
        fit->pooled = true;
        fit->correlation = whole->correlation;
        fit->root = whole->root;
        return OK;
    }
    TRY(fit_correlations(work, noise, &all, fit));
done:
    return status;
}

static Status check_whole(Work *work, const Noise *noise, Columns vars, const NoiseFit *whole) {
    for (int64_t j = 0; j < noise->columns; j++)
        if (isnan(whole->sd[j])) {
            fail(work->error, BAD, "fewer than two values: noise is scaled to a column's variance, and there is none");
            return error_column(work->error, vars.at[j]->name);
        }
    return OK;
}

Status noise_fit(Work *work, Noise *noise, Columns vars) {
    Status status = OK;
    NoiseFit whole = { 0 };
    const Strata *strata = &noise->strata;
    int64_t *every = NULL;
    NEW(work, every, noise->rows + 1);
    for (int64_t i = 0; i < noise->rows; i++) every[i] = i;
    TRY(fit_rows(work, noise, every, noise->rows, NULL, &whole));
    TRY(check_whole(work, noise, vars, &whole));
    if (noise->kind == OWN_DISTRIBUTION) TRY(donors_make(work, noise->x, noise->columns, strata, &noise->donors));
    NEW(work, noise->fit, strata->count + 1);
    if (strata->count == 1) {
        noise->fit[0] = whole;
        return OK;
    }
    for (int64_t s = 0; s < strata->count; s++) {
        TRY(work_check(work));
        TRY(fit_rows(work, noise, strata->row + strata->start[s], strata->start[s + 1] - strata->start[s], &whole, &noise->fit[s]));
    }
done:
    return status;
}
