/* Leave-one-out sensitivity: the largest change when one record of this table is removed (Matthews & Harel 2012). It depends on the data.
 */
#include "base/elementary.h"
#include "math/order.h"
#include "release/query/inside.h"

/* The numbers of one group, as they are summed and as reals. */
typedef struct Part {
    Exact exact;
    Sample sample;
    int64_t *row;
} Part;

static Status reals_of(Plan *plan, const int64_t *units, int64_t n, int exponent, double **out) {
    Status status = OK;
    NEW(plan->work, *out, n + 1);
    for (int64_t i = 0; i < n; i++) (*out)[i] = ldexp((double)units[i], exponent);
done:
    return status;
}

static Status part_make(Plan *plan, const Query *q, const Fixed *x, const Fixed *y, const Subset *subset, const GroupKeys *keys,
                        int64_t group, Part *out) {
    Status status = OK;
    double *real = NULL, *real_y = NULL;
    int64_t *order = NULL, n, count = 0;
    *out = (Part){ .exact = { .statistic = query_statistic(q), .exponent_x = x->exponent, .exponent_y = y ? y->exponent : 0 } };
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

/* One number with a sensitivity of its own. */
static Status number_measure(Plan *plan, int64_t query, Part *part, bool keep_changes, const char *label) {
    Status status = OK;
    const Query *q = &plan->query[query];
    double delta, *change = NULL, *by_row = NULL;
    int64_t at;
    if (keep_changes) {
        NEW(plan->work, change, part->sample.n + 1);
        NEW(plan->work, by_row, plan->args->data->rows + 1);
    }
    status = statistic_leave_one_out(plan->work, part->exact.statistic, &part->sample, change, &delta);
    if (status) {
        char text[256];
        error_text(plan->work->error, text, sizeof text);
        return fail(plan->work->error, BAD, "%s: %s", q->text, text);
    }
    for (int64_t i = 0; keep_changes && i < part->sample.n; i++) by_row[part->row[i]] = change[i];
    if (!(delta > 0)) { /* told as it is it would cost nothing, and hold for no other table */
        fail(plan->work->error, BAD,
             "%s%s%s: no single record of this table moves this, so that leave-one-out gives no noise to hide it with", q->text,
             label ? ", " : "", label ? label : "");
        return error_advice(plan->work->error, "Declare --bounds and use --neighbours global.");
    }
    int grid = grid_of(delta);
    uint64_t units = units_up(delta, grid);
    Measure measure = { .part = "value",
                        .query = query,
                        .exponent = grid,
                        .divisor = 1,
                        .l1 = units,
                        .l2_squared = (unsigned __int128)units * units,
                        .change = by_row };
    TRY(plan_measure(plan, measure, 1, &at));
    TRY(exact_statistic(plan->work, &part->exact, grid, plan->measure[at].value));
    TRY(plan_answer(plan, (Answer){ .query = query, .group = label, .measures = 1, .measure = { at }, .gate_measure = -1 }));
done:
    arena_drop(plan->work->arena, change);
    return status;
}

/* Counts: removing a record takes one from one of them. */
static Status count_measure(Plan *plan, int64_t query, const Subset *subset, const GroupKeys *keys) {
    Status status = OK;
    int64_t at;
    TRY(plan_measure(plan, (Measure){ .part = "count", .query = query, .divisor = 1, .l1 = 1, .l2_squared = 1 }, keys ? keys->count : 1,
                     &at));
    if (!keys) {
        NEW(plan->work, plan->measure[at].change, plan->args->data->rows + 1);
        for (int64_t i = 0; i < subset->count; i++) plan->measure[at].change[subset->row[i]] = 1;
    }
    for (int64_t i = 0; i < subset->count; i++) {
        int64_t group = keys ? keys->of[subset->row[i]] : 0;
        if (group >= 0) plan->measure[at].value[group]++;
    }
    for (int64_t g = 0; g < (keys ? keys->count : 1); g++)
        TRY(plan_answer(plan, (Answer){ .query = query,
                                        .group = keys ? keys->label[g] : NULL,
                                        .form = FORM_COUNT,
                                        .measures = 1,
                                        .measure = { at },
                                        .element = g,
                                        .gate_measure = -1 }));
done:
    return status;
}

static Status numbers(Plan *plan, int64_t query, const Subset *subset, const GroupKeys *keys) {
    Status status = OK;
    const Query *q = &plan->query[query];
    Bounds bounds, bounds_y;
    Fixed x, y, power;
    bool second = q->kind == QUERY_COVARIANCE;
    TRY(bounds_of(plan, q->x, false, &bounds));
    TRY(fixed_column(plan, q->x, &bounds, &x));
    if (second) {
        TRY(bounds_of(plan, q->y, false, &bounds_y));
        TRY(fixed_column(plan, q->y, &bounds_y, &y));
    }
    if (q->kind == QUERY_MOMENT) TRY(fixed_power(plan, &x, (int64_t)q->number, 0, &power));
    for (int64_t g = 0; g < (keys ? keys->count : 1); g++) {
        Part part;
        TRY(part_make(plan, q, q->kind == QUERY_MOMENT ? &power : &x, second ? &y : NULL, subset, keys, g, &part));
        TRY(number_measure(plan, query, &part, !keys, keys ? keys->label[g] : NULL));
    }
done:
    return status;
}

Status plan_leave_one_out(Plan *plan, int64_t query) {
    Status status = OK;
    const Query *q = &plan->query[query];
    Subset subset;
    GroupKeys keys;
    bool grouped = q->by.count || q->kind == QUERY_HISTOGRAM;
    if (q->kind == QUERY_CORRELATION)
        TRY(fail(plan->work->error, BAD, "%s: a correlation is made of sums, and has no --neighbours leave-one-out", q->text));
    plan->data_dependent = true;
    TRY(query_subset(plan, q, &subset));
    if (subset.missing) result_note(plan->run->result, "%s: records without a value are left out.", q->text);
    if (grouped) TRY(group_keys(plan, q, &subset, &keys));
    if (grouped && !keys.known) { /* a key that one record alone has would be gone without it: no noise hides that */
        fail(plan->work->error, BAD, "%s: with leave-one-out the keys of the groups must be public", q->text);
        return error_advice(plan->work->error, "Give --public-keys FILE with all keys there can be, or a --schema that lists them.");
    }
    if (q->kind == QUERY_COUNT || q->kind == QUERY_HISTOGRAM) TRY(count_measure(plan, query, &subset, grouped ? &keys : NULL));
    else TRY(numbers(plan, query, &subset, grouped ? &keys : NULL));
done:
    return status;
}
