/* The sensitive range over possible worlds (Lee & Clifton 2012): the adversary knows all records but one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "math/order.h"
#include "math/privacy/identifiability.h"
#include "release/query/inside.h"

static Status need_worlds(Plan *plan, const Query *q) {
    fail(plan->work->error, BAD, "%s: the possible worlds are not known", q->text);
    return error_advice(plan->work->error, "An integer column with whole --bounds has them; else give --universe FILE, --worlds or --prior.");
}

static double largest_prior(const ReleaseArgs *a, const Column *prior) {
    double largest = 0;
    for (int64_t i = 0; i < a->priors->rows; i++) largest = fmax(largest, column_number(prior, i));
    return largest;
}

/* How many worlds: what was said, else the reciprocal of the largest prior, else the individuals who are not known, else the whole numbers between the bounds. */
static Status count_worlds(Plan *plan, const Query *q, double *out) {
    Status status = OK;
    const ReleaseArgs *a = plan->args;
    Bounds b = { 0 }, by = { 0 };
    const Column *prior;
    if (a->worlds != ABSENT) { *out = (double)a->worlds; return OK; }
    if (!isnan(a->prior)) { *out = 1 / a->prior; return OK; }
    if (a->priors) {
        TRY(table_need(a->priors, "prior", &prior, plan->work->error));
        *out = 1 / largest_prior(a, prior);
        return OK;
    }
    if (a->universe) {
        int64_t known = a->known == ABSENT ? plan->rows - 1 : a->known;
        *out = identifiability_worlds(a->universe->rows, plan->rows, known);
        if (!(*out >= 2) || isinf(*out)) return fail(plan->work->error, BAD, "a universe of %lld individuals leaves no choice, or too much of it, for %lld records of which %lld are known", (long long)a->universe->rows, (long long)plan->rows, (long long)known);
        return OK;
    }
    if (!q->x) return need_worlds(plan, q);
    TRY(bounds_of(plan, q->x, false, &b));
    if (q->y) TRY(bounds_of(plan, q->y, false, &by));
    if (!b.whole || (q->y && !by.whole)) return need_worlds(plan, q);
    *out = (b.high - b.low + 1) * (q->y ? by.high - by.low + 1 : 1);
done:
    return status;
}

/* Individuals of the universe who are not in the table: rows matched on the columns both have, each used once. */
static Status outside(Plan *plan, const Column *column, double **out, int64_t *count) {
    Status status = OK;
    const ReleaseArgs *a = plan->args;
    const Column *other;
    const double *all, *own;
    int64_t *order = NULL, *order_own = NULL, n, m;
    TRY(table_need(a->universe, column->name, &other, plan->work->error));
    TRY(column_reals(plan->work, other, &all));
    TRY(column_reals(plan->work, column, &own));
    NEW(plan->work, order, other->rows + 1);
    NEW(plan->work, order_own, column->rows + 1);
    NEW(plan->work, *out, other->rows + 1);
    TRY(order_reals(plan->work, all, other->rows, order, &n));
    TRY(order_reals(plan->work, own, column->rows, order_own, &m));
    *count = 0;
    int64_t j = 0;
    for (int64_t i = 0; i < n; i++) {
        double value = all[order[i]];
        if (j < m && own[order_own[j]] == value) { j++; continue; } /* this one is in the table */
        (*out)[(*count)++] = value;
    }
    if (j < m) {
        fail(plan->work->error, BAD, "some records of the table are not in the universe");
        error_column(plan->work->error, column->name);
        error_parameter(plan->work->error, "universe");
        return BAD;
    }
done:
    return status;
}

/* The candidates for the unknown record, as far as the statistic's range needs them. */
static Status candidates_of(Plan *plan, const Query *q, Candidates *out) {
    Status status = OK;
    Bounds b = { 0 }, by = { 0 };
    double *x = NULL, *y = NULL;
    *out = (Candidates){ 0 };
    if (plan->args->universe) {
        if (q->y) return fail(plan->work->error, BAD, "%s: a covariance takes its worlds from whole bounds, not from a universe", q->text);
        TRY(outside(plan, q->x, &x, &out->count));
        out->x = x;
        out->own = true;
        return OK;
    }
    TRY(bounds_of(plan, q->x, true, &b));
    if (q->y) { /* bilinear in the new record: its range is reached at the corners */
        TRY(bounds_of(plan, q->y, true, &by));
        NEW(plan->work, x, 4);
        NEW(plan->work, y, 4);
        for (int k = 0; k < 4; k++) { x[k] = k & 1 ? b.high : b.low; y[k] = k & 2 ? by.high : by.low; }
        *out = (Candidates){ .count = 4, .x = x, .y = y };
        return OK;
    }
    int64_t count = b.whole && b.high - b.low < 1e7 ? (int64_t)(b.high - b.low) + 1 : 2;
    NEW(plan->work, x, count);
    for (int64_t k = 0; k < count; k++) x[k] = count == 2 && k ? b.high : b.low + (double)k;
    *out = (Candidates){ .count = count, .x = x, .between = count == 2 };
done:
    return status;
}

/* With k < n − 1 records known the worlds differ in n − k of them: a sum ranges at most from that many of the smallest to that many of the largest individuals. */
static Status several_unknown(Plan *plan, const Query *q, double *range) {
    Status status = OK;
    const ReleaseArgs *a = plan->args;
    const Column *other;
    const double *all;
    int64_t *order = NULL, n, unknown = plan->rows - a->known;
    if (q->kind != QUERY_SUM && q->kind != QUERY_MEAN) return fail(plan->work->error, BAD, "--known is for sums and means");
    TRY(table_need(a->universe, q->x->name, &other, plan->work->error));
    TRY(column_reals(plan->work, other, &all));
    NEW(plan->work, order, other->rows + 1);
    TRY(order_reals(plan->work, all, other->rows, order, &n));
    *range = 0;
    for (int64_t i = 0; i < unknown && i < n; i++) *range += all[order[n - 1 - i]] - all[order[i]];
    if (q->kind == QUERY_MEAN) *range /= (double)plan->rows;
done:
    return status;
}

static Status priors_of(Plan *plan, const Candidates *c, double **out) {
    Status status = OK;
    const ReleaseArgs *a = plan->args;
    const Column *value, *prior;
    double sum = 0;
    *out = NULL;
    if (!a->priors) return OK;
    if (c->own) return fail(plan->work->error, BAD, "--priors with --tight needs worlds from whole bounds");
    TRY(table_need(a->priors, "value", &value, plan->work->error));
    TRY(table_need(a->priors, "prior", &prior, plan->work->error));
    NEW(plan->work, *out, c->count);
    for (int64_t i = 0; i < a->priors->rows; i++)
        for (int64_t k = 0; k < c->count; k++)
            if (c->x[k] == column_number(value, i)) (*out)[k] = column_number(prior, i);
    for (int64_t k = 0; k < c->count; k++) sum += (*out)[k];
    if (fabs(sum - 1) > 1e-9) TRY(fail(plan->work->error, BAD, "the priors of the worlds do not add up to 1"));
done:
    return status;
}

/* The least scale, in units of the grid, whose worst risk over all responses is within the promise, whichever record is the unknown one. Worlds' values are rounded to the
 * grid first, as the release is. */
static Status tighten(Plan *plan, const Query *q, const Sample *sample, const Candidates *c, Measure *block) {
    Status status = OK;
    double *values = NULL, *priors = NULL, scale, largest = 0, last = NAN;
    int64_t count = c->count + c->own, tried = 0;
    bool alike = !c->own && (q->kind == QUERY_SUM || q->kind == QUERY_MEAN || q->kind == QUERY_MOMENT); /* the same distances, whoever is unknown */
    if (plan->queries > 1) return fail(plan->work->error, BAD, "--tight takes one query at a time");
    if (c->between) return need_worlds(plan, q);
    TRY(priors_of(plan, c, &priors));
    NEW(plan->work, values, count);
    for (int64_t i = 0; i < sample->n && (!alike || !tried); i++) {
        int64_t record = sample->order ? sample->order[i] : i;
        if (sample->order && i && sample->x[record] == last) continue;
        last = sample->x[record];
        if (++tried * count > 20000000) TRY(fail(plan->work->error, BAD, "too many worlds for --tight; leave it out, and Lee & Clifton's bound is used"));
        TRY(statistic_world_values(plan->work, query_statistic(q), sample, c, record, values));
        for (int64_t k = 0; k < count; k++) values[k] = floor(ldexp(values[k] * block->divisor, -block->exponent));
        TRY(identifiability_tight(plan->work, values, priors, count, plan->args->identifiability, &scale));
        largest = fmax(largest, scale);
    }
    if (largest == 0) TRY(fail(plan->work->error, BAD, "%s: all worlds have the same value, and no noise is needed", q->text));
    plan->tight_scale = largest;
done:
    return status;
}

static void list_contributions(Plan *plan, const Candidates *c, const double *values) {
    double low = INFINITY, high = -INFINITY;
    for (int64_t k = 0; k < c->count + c->own; k++) low = fmin(low, values[k]), high = fmax(high, values[k]);
    Grid *grid = grid_new(plan->run->result, "contributions", "value:real contribution:real");
    for (int64_t k = 0; k < c->count; k++) {
        grid_real(grid, c->x[k]);
        grid_real(grid, fmax(high - values[k], values[k] - low));
    }
    grid_done(grid);
}

static Status sample_of(Plan *plan, const Query *q, const Fixed *x, const Fixed *y, const Subset *subset, Exact *exact, Sample *out) {
    Status status = OK;
    double *real = NULL, *real_y = NULL;
    int64_t *order = NULL, n;
    *exact = (Exact){ .statistic = query_statistic(q), .exponent_x = x->exponent, .exponent_y = y ? y->exponent : 0 };
    TRY(gather_numbers(plan, x, subset, NULL, 0, &exact->x, &exact->n));
    if (y) TRY(gather_numbers(plan, y, subset, NULL, 0, &exact->y, &n));
    NEW(plan->work, real, exact->n + 1);
    NEW(plan->work, real_y, exact->n + 1);
    NEW(plan->work, order, exact->n + 1);
    for (int64_t i = 0; i < exact->n; i++) {
        real[i] = ldexp((double)exact->x[i], x->exponent);
        if (y) real_y[i] = ldexp((double)exact->y[i], y->exponent);
    }
    TRY(order_reals(plan->work, real, exact->n, order, &n));
    *out = (Sample){ exact->n, real, y ? real_y : NULL, order };
done:
    return status;
}

/* Statistics whose range over the worlds depends on the other records. */
static Status plan_by_range(Plan *plan, int64_t query, const Fixed *x, const Fixed *y, const Subset *subset, const Candidates *c) {
    Status status = OK;
    const Query *q = &plan->query[query];
    Exact exact;
    Sample sample;
    double range;
    int64_t at, worst;
    TRY(sample_of(plan, q, x, y, subset, &exact, &sample));
    if (plan->args->known != ABSENT) TRY(several_unknown(plan, q, &range));
    else TRY(statistic_sensitive_range(plan->work, exact.statistic, &sample, c, &range, &worst));
    if (!(range > 0)) TRY(fail(plan->work->error, BAD, "%s has the same value in every possible world: there is nothing to hide, and no noise to scale", q->text));
    int grid = grid_of(range);
    uint64_t units = units_up(range, grid);
    plan->data_dependent = true;
    TRY(plan_block(plan, (Measure){ .part = "value", .query = query, .exponent = grid, .divisor = 1, .l1 = units, .l2_squared = (unsigned __int128)units * units }, 1, &at));
    TRY(exact_statistic(plan->work, &exact, grid, plan->block[at].value));
    TRY(plan_answer(plan, (Answer){ .query = query, .blocks = 1, .block = { at }, .gate_block = -1 }));
    if (plan->args->tight) TRY(tighten(plan, q, &sample, c, &plan->block[at]));
    if (plan->args->contributions) {
        double *values = NULL;
        NEW(plan->work, values, c->count + 1);
        TRY(statistic_world_values(plan->work, exact.statistic, &sample, c, worst, values));
        list_contributions(plan, c, values);
    }
done:
    return status;
}

static bool range_is_public(const Plan *plan, const Query *q) {
    return !plan->args->universe && (q->kind == QUERY_SUM || q->kind == QUERY_MEAN || q->kind == QUERY_MOMENT || q->kind == QUERY_COUNT || q->kind == QUERY_HISTOGRAM);
}

static int by_size(const void *a, const void *b) { return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b); }

Status plan_worlds(Plan *plan, int64_t query) {
    Status status = OK;
    const Query *q = &plan->query[query];
    Subset subset;
    Candidates c;
    Bounds bounds, bounds_y;
    Fixed x, y, power;
    double worlds = NAN;
    int64_t first = plan->blocks;
    if (q->where || plan->args->where || q->by.count) TRY(fail(plan->work->error, BAD, "%s: --neighbours worlds takes neither where nor by: the unknown record may be in or out of any group", q->text));
    TRY(count_worlds(plan, q, &worlds));
    plan->worlds = isnan(plan->worlds) ? worlds : fmin(plan->worlds, worlds);
    if (q->kind == QUERY_COUNT || q->kind == QUERY_HISTOGRAM) { TRY(plan_global(plan, query)); goto done; }
    TRY(query_subset(plan, q, &subset));
    TRY(candidates_of(plan, q, &c));
    TRY(bounds_of(plan, q->x, !plan->args->universe, &bounds));
    TRY(fixed_column(plan, q->x, &bounds, &x));
    if (q->y) {
        TRY(bounds_of(plan, q->y, true, &bounds_y));
        TRY(fixed_column(plan, q->y, &bounds_y, &y));
    }
    if (!range_is_public(plan, q)) {
        if (q->kind == QUERY_MOMENT) TRY(fail(plan->work->error, BAD, "%s: a moment takes its worlds from whole bounds, not from a universe", q->text));
        TRY(plan_by_range(plan, query, &x, q->y ? &y : NULL, &subset, &c));
        goto done;
    }
    TRY(plan_global(plan, query)); /* the range depends on the bounds alone */
    if (!plan->args->tight && !plan->args->contributions) goto done;
    Exact exact;
    Sample sample;
    if (q->kind == QUERY_MOMENT) {
        double *powers = NULL;
        NEW(plan->work, powers, c.count);
        for (int64_t k = 0; k < c.count; k++) powers[k] = pow(c.x[k], q->number);
        qsort(powers, (size_t)c.count, sizeof *powers, by_size);
        TRY(fixed_power(plan, &x, (int64_t)q->number, 0, &power));
        c.x = powers;
    }
    TRY(sample_of(plan, q, q->kind == QUERY_MOMENT ? &power : &x, NULL, &subset, &exact, &sample));
    if (plan->args->tight) TRY(tighten(plan, q, &sample, &c, &plan->block[first]));
    if (plan->args->contributions) {
        double *values = NULL;
        NEW(plan->work, values, c.count + 1);
        TRY(statistic_world_values(plan->work, exact.statistic, &sample, &c, 0, values));
        list_contributions(plan, &c, values);
    }
done:
    return status;
}
