/* The numbers of one group of records, and a measure that is one statistic of them. */
#include "base/elementary.h"
#include "math/ranks.h"
#include "release/query/query.h"

static Status reals_of(Plan *plan, const int64_t *units, int64_t n, int exponent, double **out) {
    Status status = OK;
    NEW(plan->work, *out, n + 1);
    for (int64_t i = 0; i < n; i++) (*out)[i] = ldexp((double)units[i], exponent);
done:
    return status;
}

Status sample_part(Plan *plan, const Query *q, const Fixed *x, const Fixed *y, const Subset *subset, const GroupKeys *keys, int64_t group,
                   SamplePart *out) {
    Status status = OK;
    double *real = NULL, *real_y = NULL;
    int64_t *order = NULL, n, count = 0;
    *out = (SamplePart){ .exact = { .statistic = query_statistic(q), .exponent_x = x->exponent, .exponent_y = y ? y->exponent : 0 } };
    TRY(gather_numbers(plan, x, subset, keys, group, &out->exact.x, &out->exact.n));
    if (y) TRY(gather_numbers(plan, y, subset, keys, group, &out->exact.y, &n));
    n = out->exact.n;
    NEW(plan->work, out->row, n + 1);
    for (int64_t i = 0; i < subset->count; i++)
        if (!keys || keys->of[subset->row[i]] == group) out->row[count++] = subset->row[i];
    TRY(reals_of(plan, out->exact.x, n, x->exponent, &real));
    if (y) TRY(reals_of(plan, out->exact.y, n, y->exponent, &real_y));
    if (query_linear(q)) {
        NEW(plan->work, order, n + 1);
        TRY(order_reals(plan->work, real, n, order, &count));
    }
    out->sample = (Sample){ n, real, real_y, order };
done:
    return status;
}

/* Where nothing moves the number it has no noise, and is told on a grid that holds the halves between whole numbers. */
Status plan_number(Plan *plan, int64_t query, SamplePart *part, double delta, double *changes, const char *label) {
    Status status = OK;
    enum { FINER = 40 };
    int64_t at;
    bool moved = delta > 0;
    int grid = moved ? grid_of(delta) : part->exact.exponent_x - FINER;
    uint64_t units = moved ? units_up(delta, grid) : 0;
    Measure measure = { .part = "value",
                        .query = query,
                        .exponent = grid,
                        .divisor = 1,
                        .l1 = units,
                        .l2_squared = (unsigned __int128)units * units,
                        .change = changes,
                        .exact = !moved };
    TRY(plan_measure(plan, measure, 1, &at));
    TRY(exact_statistic(plan->work, &part->exact, grid, plan->measure[at].value));
    TRY(plan_answer(plan, (Answer){ .query = query, .group = label, .measures = 1, .measure = { at }, .gate_measure = -1 }));
done:
    return status;
}
