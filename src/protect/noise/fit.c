/* Noise: moments of each stratum. */
#include <math.h>
#include <string.h>
#include "math/moments.h"
#include "math/symmetric.h"
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
    if (!semidefinite_root(fit->correlation, p, fit->root)) TRY(fail(work->error, FAILED, "the correlation matrix is not positive semidefinite"));
done:
    return status;
}

static Status fit_donors(Work *work, const Noise *noise, const int64_t *row, int64_t rows, NoiseFit *fit) {
    Status status = OK;
    int64_t *donor = NULL;
    NEW(work, donor, rows + 1);
    for (int64_t r = 0; r < rows; r++) {
        bool complete = true;
        for (int64_t j = 0; j < noise->columns; j++) complete = complete && !isnan(noise->x[j][row[r]]);
        if (complete) donor[fit->donors++] = row[r];
    }
    fit->donor = donor;
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
        if (whole) { fit->mean[j] = whole->mean[j]; fit->sd[j] = whole->sd[j]; }
    }
    if (!noise_is_joint(noise->kind)) return OK;
    TRY(moments_make(work, noise->x, noise->columns, row, rows, &all));
    if (all.rows < 2 && whole) {
        fit->pooled = true;
        fit->correlation = whole->correlation;
        fit->root = whole->root;
        fit->donor = whole->donor;
        fit->donors = whole->donors;
        fit->donor_mean = whole->donor_mean;
        return OK;
    }
    fit->donor_mean = all.mean;
    TRY(fit_correlations(work, noise, &all, fit));
    if (noise->kind == OWN_DISTRIBUTION) TRY(fit_donors(work, noise, row, rows, fit));
done:
    return status;
}

static Status check_whole(Work *work, const Noise *noise, Columns vars, const NoiseFit *whole) {
    for (int64_t j = 0; j < noise->columns; j++)
        if (isnan(whole->sd[j])) {
            fail(work->error, BAD, "fewer than two values: noise is scaled to a column's variance, and there is none");
            return error_column(work->error, vars.at[j]->name);
        }
    if (noise->kind == OWN_DISTRIBUTION && !whole->donors) return fail(work->error, BAD, "no record has a value in every one of these columns");
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
    NEW(work, noise->fit, strata->count + 1);
    if (strata->count == 1) { noise->fit[0] = whole; return OK; }
    for (int64_t s = 0; s < strata->count; s++) {
        TRY(work_check(work));
        TRY(fit_rows(work, noise, strata->row + strata->start[s], strata->start[s + 1] - strata->start[s], &whole, &noise->fit[s]));
    }
done:
    return status;
}
