/* Leave-one-out sensitivity (Matthews & Harel 2012): the largest change when one record is removed. The paper takes it from the table at
 * hand; noise of that scale tells of the records by its own size (a median that nobody moves would come out as it is), and no printing less
 * hides that. A release takes the largest over all tables of as many records between the bounds, which is the same whatever the records
 * are; with --show-scales the table's own is taken, and shown, for the steward. */
#include "base/elementary.h"
#include "release/query/query.h"

/* For the steward: this table's own sensitivity, of all its records or of a group's. */
static Status own_measure(Plan *plan, int64_t query, SamplePart *part, bool keep_changes, const char *label) {
    Status status = OK;
    const Query *q = &plan->query[query];
    double delta, *change = NULL, *by_row = NULL;
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
    if (!(delta > 0))
        result_note(
            plan->run->result,
            "%s%s%s: no single record of this table changes this answer (sensitivity 0), so that it has no noise. This holds for no "
            "other table.",
            q->text, label ? ", " : "", label ? label : "");
    TRY(plan_number(plan, query, part, delta, by_row, label));
done:
    arena_drop(plan->work->arena, change);
    return status;
}

/* Where the number of records is not public, nothing but bounds limits what leaving a mean or a median does. */
static Status needs_the_number(Plan *plan, const Query *q) {
    fail(plan->work->error, BAD, "%s: with leave-one-out the number of records that count must be public", q->text);
    return error_advice(plan->work->error,
                        "Leave out `where` and `by`, and columns whose values can be missing; or use --neighbours global.");
}

/* The largest over all tables of as many records between the bounds: anyone who is in the table, it is the same. */
static Status bound_measure(Plan *plan, int64_t query, SamplePart *part, const Fixed *x, const Fixed *y) {
    double low = ldexp((double)x->low, x->exponent), high = ldexp((double)x->high, x->exponent),
           span = y ? ldexp((double)(y->high - y->low), y->exponent) : high - low, delta;
    int64_t n = plan->query[query].kind == QUERY_SUM ? 1 : part->exact.n; /* a sum moves alike, however many it is of */
    Status status = statistic_leave_one_out_bound(plan->work, part->exact.statistic, n, low, high, span, &delta);
    if (status) {
        char text[256];
        error_text(plan->work->error, text, sizeof text);
        return fail(plan->work->error, BAD, "%s: %s", plan->query[query].text, text);
    }
    if (!(delta > 0))
        return fail(plan->work->error, BAD, "%s: bounds that leave one value leave nothing to release", plan->query[query].text);
    return plan_number(plan, query, part, delta, NULL, NULL);
}

/* Counts: removing a record takes one from one of them. */
static Status count_measure(Plan *plan, int64_t query, const Subset *subset, const GroupKeys *keys) {
    Status status = OK;
    int64_t at;
    TRY(plan_measure(plan, (Measure){ .part = "count", .query = query, .divisor = 1, .l1 = 1, .l2_squared = 1 }, keys ? keys->count : 1,
                     &at));
    if (!keys && plan->args->show_scales) {
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
    bool second = q->kind == QUERY_COVARIANCE, own = plan->args->show_scales;
    if (!own && q->kind != QUERY_SUM && !count_is_public(plan, q, subset)) TRY(needs_the_number(plan, q));
    if (!own && keys)
        TRY(fail(plan->work->error, BAD, "%s: with leave-one-out only counts can be grouped. Use --neighbours global", q->text));
    TRY(bounds_of(plan, q->x, !own, &bounds));
    TRY(fixed_column(plan, q->x, &bounds, &x));
    if (second) {
        TRY(bounds_of(plan, q->y, !own, &bounds_y));
        TRY(fixed_column(plan, q->y, &bounds_y, &y));
    }
    if (q->kind == QUERY_MOMENT) TRY(fixed_power(plan, &x, (int64_t)q->number, 0, &power));
    for (int64_t g = 0; g < (keys ? keys->count : 1); g++) {
        SamplePart part;
        const Fixed *of = q->kind == QUERY_MOMENT ? &power : &x, *with = second ? &y : NULL;
        TRY(sample_part(plan, q, of, with, subset, keys, g, &part));
        TRY(own ? own_measure(plan, query, &part, !keys, keys ? keys->label[g] : NULL) : bound_measure(plan, query, &part, of, with));
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
        TRY(fail(plan->work->error, BAD, "%s: a correlation is made of sums, which --neighbours leave-one-out does not support", q->text));
    plan->one_removed = true;
    TRY(query_subset(plan, q, &subset));
    if (can_be_missing(plan, q->x, &subset) || can_be_missing(plan, q->y, &subset))
        result_note(plan->run->result, "%s: records without a value are left out.", q->text);
    if (grouped) TRY(group_keys(plan, q, &subset, &keys));
    if (grouped && !keys.known) { /* a key that one record alone has would be gone without it: no noise hides that */
        fail(plan->work->error, BAD, "%s: with leave-one-out the keys of the groups must be public", q->text);
        return error_advice(plan->work->error, "Give --public-keys FILE with all possible keys, or a --schema that lists them.");
    }
    if (q->kind == QUERY_COUNT || q->kind == QUERY_HISTOGRAM) TRY(count_measure(plan, query, &subset, grouped ? &keys : NULL));
    else TRY(numbers(plan, query, &subset, grouped ? &keys : NULL));
done:
    return status;
}
