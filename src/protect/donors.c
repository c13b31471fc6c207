/* Donor pools and their means. */
#include "protect/donors.h"
#include "base/elementary.h"
#include "math/linear/moments.h"

/* sd of all values over sd of the donors'; 1 where all are donors, or neither varies. */
static Status stretches(Work *work, const double *const *x, int64_t columns, const int64_t *row, int64_t rows, const Moments *donors,
                        DonorPool *pool) {
    Status status = OK;
    double *stretch = NULL;
    int64_t *present = NULL;
    NEW(work, stretch, columns + 1);
    NEW(work, present, rows + 1);
    for (int64_t j = 0; j < columns; j++) {
        Moments all;
        int64_t count = 0;
        stretch[j] = 1;
        for (int64_t r = 0; r < rows; r++)
            if (!isnan(x[j][row[r]])) present[count++] = row[r];
        if (count == pool->count || pool->count < 2) continue;
        TRY(moments_make(work, &x[j], 1, present, count, &all));
        const double own = moments_covariance(donors, j, j), whole = moments_covariance(&all, 0, 0);
        if (own > 0 && whole > 0) stretch[j] = sqrt(whole / own);
    }
    pool->stretch = stretch;
    arena_drop(work->arena, present);
done:
    return status;
}

static Status pool_make(Work *work, const double *const *x, int64_t columns, const int64_t *row, int64_t rows, DonorPool *pool) {
    Status status = OK;
    int64_t *kept = NULL;
    Moments moments;
    *pool = (DonorPool){ 0 };
    NEW(work, kept, rows + 1);
    for (int64_t r = 0; r < rows; r++) {
        bool complete = true;
        for (int64_t j = 0; j < columns; j++) complete = complete && !isnan(x[j][row[r]]);
        if (complete) kept[pool->count++] = row[r];
    }
    TRY(moments_make(work, x, columns, kept, pool->count, &moments));
    pool->row = kept;
    pool->mean = moments.mean;
    TRY(stretches(work, x, columns, row, rows, &moments, pool));
done:
    return status;
}

Status donors_make(Work *work, const double *const *x, int64_t columns, const Strata *strata, Donors *out) {
    Status status = OK;
    *out = (Donors){ .columns = columns };
    TRY(pool_make(work, x, columns, strata->row, strata->rows, &out->whole));
    if (!out->whole.count) TRY(fail(work->error, BAD, "no record has a value in every one of these columns"));
    NEW(work, out->pool, strata->count + 1);
    for (int64_t s = 0; s < strata->count; s++) {
        if (strata->count == 1) {
            out->pool[s] = out->whole;
            continue;
        }
        TRY(work_check(work));
        TRY(pool_make(work, x, columns, strata->row + strata->start[s], strata->start[s + 1] - strata->start[s], &out->pool[s]));
        if (out->pool[s].count >= 2) continue;
        out->pool[s] = out->whole;
        out->pool[s].borrowed = true;
        out->borrowed++;
    }
done:
    return status;
}
