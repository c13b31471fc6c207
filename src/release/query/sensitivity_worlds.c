/* The sensitive range over possible worlds (Lee & Clifton 2012): the adversary knows all records but one. */
#include <stdlib.h>
#include <string.h>
#include "base/compare.h"
#include "base/elementary.h"
#include "math/combinations.h"
#include "math/ranks.h"
#include "math/privacy/identifiability.h"
#include "release/query/query.h"

static Status need_worlds(Plan *plan, const Query *q) {
    fail(plan->work->error, BAD, "%s: the possible worlds are not known", q->text);
    return error_advice(plan->work->error,
                        "An integer column with whole --bounds has them; else give --universe FILE, --worlds or --prior.");
}

static Status prior_column(Plan *plan, const double **out) {
    Status status = OK;
    const Column *column;
    double sum = 0;
    TRY(table_need(plan->args->priors, "prior", &column, plan->work->error));
    TRY(column_reals(plan->work, column, out));
    for (int64_t i = 0; i < column->rows; i++) {
        if (!((*out)[i] >= 0)) TRY(fail(plan->work->error, BAD, "a prior is a number from 0 to 1"));
        sum += (*out)[i];
    }
    if (fabs(sum - 1) > 1e-9) TRY(fail(plan->work->error, BAD, "the priors of the worlds do not add up to 1"));
done:
    return status;
}

/* With priors for everyone in the universe, those of the worlds depend on who is known to be in: at worst the likeliest individual stands
 * against the |U| − n least likely ones. */
static Status worst_prior(Plan *plan, double *out) {
    Status status = OK;
    const double *given;
    double *sorted = NULL, others = 0;
    int64_t count = plan->args->priors->rows, against = plan->args->universe ? plan->args->universe->rows - plan->rows : count - 1;
    TRY(prior_column(plan, &given));
    if (plan->args->universe && count != plan->args->universe->rows)
        TRY(fail(plan->work->error, BAD, "--priors needs one probability for each individual of the universe"));
    NEW(plan->work, sorted, count + 1);
    memcpy(sorted, given, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, ascending_real);
    for (int64_t i = 0; i < against && i < count - 1; i++) others += sorted[i];
    *out = count ? sorted[count - 1] / (sorted[count - 1] + others) : 1;
done:
    return status;
}

/* The universe must leave somebody out, and the adversary not know everybody. What is bounded is the probability that a given individual is
 * in the table: of the n − k records that are not known each of the |U| − k others may be one, so that it is (n − k)/(|U| − k) beforehand,
 * and 1/(|U| − n + 1) where all but one are known. */
static Status universe_worlds(Plan *plan, double *out) {
    const ReleaseArgs *a = plan->args;
    int64_t everyone = a->universe->rows, n = plan->rows, known = a->known == ABSENT ? n - 1 : a->known;
    if (n < 1 || everyone <= n || known >= n)
        return fail(plan->work->error, BAD, "a universe of %lld individuals leaves no choice for %lld records of which %lld are known",
                    (long long)everyone, (long long)n, (long long)known);
    *out = (double)(everyone - known) / (double)(n - known);
    return OK;
}

/* How many worlds: what was said, else the reciprocal of the largest prior, else of the probability that one individual is in, else the
 * whole numbers between the bounds. */
static Status count_worlds(Plan *plan, const Query *q, double *out) {
    Status status = OK;
    const ReleaseArgs *a = plan->args;
    Bounds b = { 0 }, by = { 0 };
    double prior;
    if (a->worlds != ABSENT) {
        *out = (double)a->worlds;
        return OK;
    }
    if (!isnan(a->prior)) {
        *out = 1 / a->prior;
        return OK;
    }
    if (a->priors) {
        TRY(worst_prior(plan, &prior));
        *out = 1 / prior;
        return OK;
    }
    if (a->universe) return universe_worlds(plan, out);
    if (!q->x) return need_worlds(plan, q);
    TRY(bounds_of(plan, q->x, false, &b));
    if (q->y) TRY(bounds_of(plan, q->y, false, &by));
    if (!b.whole || (q->y && !by.whole)) return need_worlds(plan, q);
    *out = (b.high - b.low + 1) * (q->y ? by.high - by.low + 1 : 1);
done:
    return status;
}

/* Is every record somebody of the universe? Values matched one by one, each individual used once. */
static Status check_inside(Plan *plan, const Column *column) {
    Status status = OK;
    const Column *other;
    const double *all, *own;
    int64_t *order = NULL, *order_own = NULL, n, m, j = 0;
    if (!plan->args->universe || !column) return OK;
    TRY(table_need(plan->args->universe, column->name, &other, plan->work->error));
    TRY(column_reals(plan->work, other, &all));
    TRY(column_reals(plan->work, column, &own));
    NEW(plan->work, order, other->rows + 1);
    NEW(plan->work, order_own, column->rows + 1);
    TRY(order_reals(plan->work, all, other->rows, order, &n));
    TRY(order_reals(plan->work, own, column->rows, order_own, &m));
    for (int64_t i = 0; i < n && j < m; i++) j += own[order_own[j]] == all[order[i]];
    if (j == m) return OK;
    fail(plan->work->error, BAD, "some records of the table are not in the universe");
    error_column(plan->work->error, column->name);
    return error_parameter(plan->work->error, "universe");
done:
    return status;
}

/* The statistic in each world that the adversary weighs: the known records, and one of the others. */
typedef struct Worlds {
    const Query *query;
    const int64_t *value; /* every individual's, on the grid */
    int64_t everyone, known;
    int exponent, grid;
    double *at;
    int64_t *scratch;
} Worlds;

static Status world_values(Plan *plan, const Worlds *w, const int64_t *in) {
    Status status = OK;
    Wide value;
    for (int64_t i = 0, k = 0, next = 0; i < w->everyone; i++) {
        if (k < w->known && in[k] == i) {
            k++;
            continue;
        }
        for (int64_t j = 0; j < w->known; j++) w->scratch[j] = w->value[in[j]];
        w->scratch[w->known] = w->value[i];
        Exact exact = { .statistic = query_statistic(w->query), .n = w->known + 1, .x = w->scratch, .exponent_x = w->exponent };
        TRY(exact_statistic(plan->work, &exact, w->grid, &value));
        w->at[next++] = (double)value;
    }
done:
    return status;
}

/* --tight with a universe: the least scale that keeps the promise regardless of who is known to be in the table, by going through all of them. Were
 * only this table's own worlds looked at, the scale would tell who is in it. */
static Status tighten_universe(Plan *plan, const Query *q, Measure *measure) {
    Status status = OK;
    const Column *all;
    Fixed x;
    Bounds b;
    double *priors = NULL, scale, largest = 0, sets = 1;
    const double *given = NULL;
    int64_t *in = NULL, known = plan->rows - 1, everyone = plan->args->universe->rows, worlds = everyone - known;
    if (q->kind == QUERY_MOMENT)
        TRY(fail(plan->work->error, BAD, "%s: --tight takes a moment's worlds from whole --bounds, not from a universe", q->text));
    for (int64_t j = 0; j < known; j++) sets *= (double)(everyone - j) / (double)(j + 1);
    if (sets * (double)worlds > 200000)
        TRY(fail(plan->work->error, BAD,
                 "--tight must examine every possible table, and there are too many. Without it, Lee & Clifton's bound is used"));
    TRY(table_need(plan->args->universe, q->x->name, &all, plan->work->error));
    TRY(bounds_of(plan, q->x, true, &b));
    TRY(fixed_column(plan, all, &b, &x));
    bool over = measure->divisor != 1; /* a mean is a sum over a public number */
    Query asked = *q;
    if (over) asked.kind = QUERY_SUM;
    Worlds w = { .query = &asked, .value = x.at, .everyone = everyone, .known = known, .exponent = x.exponent, .grid = measure->exponent };
    NEW(plan->work, in, known + 1);
    NEW(plan->work, w.at, worlds);
    NEW(plan->work, w.scratch, known + 2);
    NEW(plan->work, priors, worlds);
    if (plan->args->priors) TRY(prior_column(plan, &given));
    for (int64_t j = 0; j < known; j++) in[j] = j;
    do {
        double sum = 0;
        TRY(world_values(plan, &w, in));
        for (int64_t i = 0, k = 0, next = 0; given && i < everyone; i++) {
            if (k < known && in[k] == i) {
                k++;
                continue;
            }
            sum += priors[next++] = given[i];
        }
        for (int64_t i = 0; given && i < worlds; i++) priors[i] /= sum;
        TRY(identifiability_tight(plan->work, w.at, given ? priors : NULL, worlds, plan->args->identifiability, &scale));
        largest = fmax(largest, scale);
    } while (next_combination(in, known, everyone));
    if (largest == 0) TRY(fail(plan->work->error, BAD, "%s: all worlds have the same value, and no noise is needed", q->text));
    plan->tight_scale = largest;
done:
    return status;
}

/* --tight with whole bounds, for sums, means and moments: the worlds' values lie equally far apart whatever the other records are. */
static Status tighten_bounds(Plan *plan, const Query *q, Measure *measure) {
    Status status = OK;
    Bounds b;
    const double *priors = NULL;
    double *at = NULL;
    bool sums = q->kind == QUERY_SUM || q->kind == QUERY_MEAN || q->kind == QUERY_MOMENT;
    TRY(bounds_of(plan, q->x, true, &b));
    if (!b.whole || b.high - b.low > 1e5) TRY(need_worlds(plan, q));
    if (!sums)
        TRY(fail(plan->work->error, BAD,
                 "%s: --tight would depend on the other records and disclose information about them. It is available for sums, means and "
                 "moments, and for a small --universe",
                 q->text));
    int64_t worlds = (int64_t)(b.high - b.low) + 1;
    NEW(plan->work, at, worlds);
    for (int64_t k = 0; k < worlds; k++)
        at[k] = floor(ldexp(pow(b.low + (double)k, q->kind == QUERY_MOMENT ? q->number : 1), -measure->exponent));
    if (plan->args->priors) {
        if (plan->args->priors->rows != worlds)
            TRY(fail(plan->work->error, BAD, "--priors needs one probability for each whole number between the bounds"));
        TRY(prior_column(plan, &priors));
    }
    TRY(identifiability_tight(plan->work, at, priors, worlds, plan->args->identifiability, &plan->tight_scale));
done:
    return status;
}

/* C_f(i): how far the answer moves at most when i stands in another's place, or another in that of i. */
static Status list_contributions(Plan *plan, const Query *q) {
    Status status = OK;
    Bounds b;
    const Column *all = NULL;
    bool sums = q->kind == QUERY_SUM || q->kind == QUERY_MEAN;
    if (!sums)
        TRY(fail(
            plan->work->error, BAD,
            "%s: --contributions would depend on the other records and disclose information about them. It is available for sums and means",
            q->text));
    TRY(bounds_of(plan, q->x, true, &b));
    if (plan->args->universe) TRY(table_need(plan->args->universe, q->x->name, &all, plan->work->error));
    int64_t count = all ? all->rows : b.whole && b.high - b.low < 1e6 ? (int64_t)(b.high - b.low) + 1 : 2;
    Grid *grid = grid_new(plan->run->result, "contributions", "value:real contribution:real");
    for (int64_t k = 0; k < count; k++) {
        double x = all ? column_number(all, k) : count == 2 && k ? b.high : b.low + (double)k;
        grid_real(grid, x);
        grid_real(grid, fmax(b.high - x, x - b.low) / (q->kind == QUERY_MEAN ? (double)plan->rows : 1));
    }
    grid_done(grid);
done:
    return status;
}

/* The scale must be the same in every world that the adversary weighs, or it would itself name the person. Any table of n individuals is
 * joined to any other by single replacements, so that it can depend on nothing but the universe (or the bounds) and n: the largest range
 * over all of them is the global sensitivity between the smallest and the largest individual. With k < n − 1 records known it is the same:
 * worlds that hold i and worlds that do not are joined by single replacements too. */
Status plan_worlds(Plan *plan, int64_t query) {
    Status status = OK;
    const Query *q = &plan->query[query];
    double worlds = NAN;
    int64_t first = plan->measures;
    if (q->where || plan->args->where || q->by.count)
        TRY(fail(plan->work->error, BAD,
                 "%s: --neighbours worlds supports neither where nor by: the unknown record may be in or out of any group", q->text));
    if (plan->promise == PROMISE_IDENTIFIABILITY || plan->args->universe) TRY(count_worlds(plan, q, &worlds));
    plan->worlds = isnan(plan->worlds) ? worlds : fmin(plan->worlds, worlds);
    TRY(check_inside(plan, q->x));
    TRY(check_inside(plan, q->y));
    TRY(plan->args->show_scales ? plan_own_worlds(plan, query) : plan_global(plan, query));
    if (plan->args->tight && plan->queries > 1) TRY(fail(plan->work->error, BAD, "--tight supports one query at a time"));
    if (plan->args->tight && (plan->measures != first + 1 || !q->x || q->y))
        TRY(fail(plan->work->error, BAD, "--tight supports one number of one column"));
    if (plan->args->tight)
        TRY(plan->args->universe ? tighten_universe(plan, q, &plan->measure[first]) : tighten_bounds(plan, q, &plan->measure[first]));
    if (plan->args->contributions) TRY(list_contributions(plan, q));
done:
    return status;
}
