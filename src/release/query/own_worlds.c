/* Lee & Clifton's sensitive range S(f) of this table's own possible worlds, as their table 4 prints it. A scale made from it tells of the
 * records (a release takes the range over all tables), so that it is the data custodian's figure, and stands beside the global one. */
#include <string.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "math/ranks.h"
#include "release/query/query.h"

/* Individuals of the universe that are not in the table: what the one unknown record can be, beside what it is. */
static Status left_out(Plan *plan, const Query *q, const Sample *sample, const Bounds *b, WorldCandidates *out) {
    Status status = OK;
    const Column *all;
    const double *everyone;
    double *rest = NULL;
    int64_t *order = NULL, n, at = 0;
    TRY(table_need(plan->args->universe, q->x->name, &all, plan->work->error));
    TRY(column_reals(plan->work, all, &everyone));
    NEW(plan->work, order, all->rows + 1);
    TRY(order_reals(plan->work, everyone, all->rows, order, &n));
    NEW(plan->work, rest, n + 1);
    *out = (WorldCandidates){ .x = rest, .own = true };
    int64_t *own = NULL, present;
    NEW(plan->work, own, sample->n + 1);
    TRY(order_reals(plan->work, sample->x, sample->n, own, &present));
    for (int64_t i = 0; i < n; i++) {
        double x = smaller(larger(everyone[order[i]], b->low), b->high);
        if (at < present && sample->x[own[at]] == x) at++;
        else rest[out->count++] = x;
    }
done:
    return status;
}

/* The whole numbers between the bounds, or everything between them. */
static Status between_bounds(Plan *plan, const Bounds *b, WorldCandidates *out) {
    Status status = OK;
    bool whole = b->whole && b->high - b->low < 1e7;
    int64_t count = whole ? (int64_t)(b->high - b->low) + 1 : 2;
    double *x = NULL;
    NEW(plan->work, x, count);
    for (int64_t k = 0; k < count; k++) x[k] = whole ? b->low + (double)k : k ? b->high : b->low;
    *out = (WorldCandidates){ .count = count, .x = x, .between = !whole };
done:
    return status;
}

Status plan_own_worlds(Plan *plan, int64_t query) {
    Status status = OK;
    const Query *q = &plan->query[query];
    bool known = q->kind == QUERY_SUM || q->kind == QUERY_MEAN || q->kind == QUERY_VARIANCE || q->kind == QUERY_SD || query_linear(q);
    Subset subset;
    Bounds b;
    Fixed x;
    SamplePart part;
    WorldCandidates candidates;
    double range;
    int64_t worst;
    if (!known || plan->args->known != ABSENT)
        TRY(fail(
            plan->work->error, BAD,
            "%s: --show-scales has the range over the worlds of sums, means, variances, standard deviations, quantiles, winsorized and "
            "trimmed means, for an adversary who knows all records but one",
            q->text));
    TRY(query_subset(plan, q, &subset));
    if (subset.missing || plan->person || plan->args->group > 1)
        TRY(fail(plan->work->error, BAD, "%s: --show-scales with worlds needs a value in every record, and one record for each person",
                 q->text));
    TRY(bounds_of(plan, q->x, true, &b));
    TRY(fixed_column(plan, q->x, &b, &x));
    TRY(sample_part(plan, q, &x, NULL, &subset, NULL, 0, &part));
    TRY(plan->args->universe ? left_out(plan, q, &part.sample, &b, &candidates) : between_bounds(plan, &b, &candidates));
    if (!part.sample.order) { /* equal values then come together */
        int64_t *order = NULL, present;
        NEW(plan->work, order, part.sample.n + 1);
        TRY(order_reals(plan->work, part.sample.x, part.sample.n, order, &present));
        part.sample.order = order;
    }
    TRY(statistic_sensitive_range(plan->work, part.exact.statistic, &part.sample, &candidates, &range, &worst));
    if (!(range > 0))
        TRY(fail(plan->work->error, BAD, "%s: all worlds of this table have the same value, and no noise is needed", q->text));
    TRY(plan_number(plan, query, &part, range, NULL, NULL));
    plan->measure[plan->measures - 1].global = largest_change(q, part.sample.n, b.high - b.low, 0);
done:
    return status;
}

/* The custodian's range beside the one that a release takes. The scale of Laplace noise is proportional to it. */
void report_own_worlds(Plan *plan) {
    if (!plan->args->show_scales || plan->args->neighbours != WORLDS) return;
    Grid *grid = grid_new(plan->run->result, "sensitive_ranges", "query:text range:real scale:real global_range:real global_scale:real");
    for (int64_t i = 0; i < plan->measures; i++) {
        const Measure *b = &plan->measure[i];
        grid_text(grid, plan->query[b->query].text);
        grid_real(grid, b->sensitivity);
        grid_real(grid, b->scale);
        grid_real(grid, b->global);
        grid_real(grid, b->scale * (b->global / b->sensitivity));
    }
    grid_done(grid);
}
