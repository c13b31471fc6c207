/* attack.worlds: what the adversary of Lee & Clifton believes after seeing a noisy answer. Defined after Lee & Clifton 2012:
 * docs/methods/attack-worlds.md. */
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "base/number_text.h"
#include "math/ranks.h"
#include "math/privacy/identifiability.h"
#include "math/privacy/sensitivity.h"
#include "method/method.h"

typedef struct {
    const Table *data, *universe, *world_values, *priors;
    const char *query;
    double response, scale;
} args;

static const Param params[] = {
    TABLE(args, data, "The records that the adversary knows, with --universe and --query", .flags = POSITIONAL),
    TABLE(args, universe, "Everyone who could be in the table, one a row: those in DATA and those who may be the last one"),
    TEXT(args, query, NULL, "What was released of the whole table: count, sum, mean, variance, sd, median or quantile, such as mean(x)"),
    TABLE(args, world_values, "Instead of DATA: the statistic in each possible world, in a column value"),
    ONE_OF("universe", "world_values"),
    ONLY_WITH("query", "universe"),
    REAL(args, response, ABSENT, -INFINITY, INFINITY, "The noisy answer that was released", .flags = REQUIRED),
    REAL(args, scale, ABSENT, 0, INFINITY, "Scale of its Laplace noise", .flags = REQUIRED | EXCLUSIVE),
    TABLE(args, priors, "Probabilities of the worlds beforehand, in a column prior, in their order; all alike unless given"),
    END,
};

static const Return values[] = {
    VALUE(best_guess, REAL, "The statistic in the likeliest world"),
    VALUE(confidence, REAL, "The adversary's belief in it"),
    VALUE(baseline, REAL, "The largest belief before the release"),
    VALUE(gain, REAL, "By how much the release raised it"),
    VALUE(lower, REAL, "The gain is exact: the same"),
    VALUE(upper, REAL, "The gain is exact: the same"),
    VALUE(worst_confidence, REAL, "The largest belief that any response could have given"),
    TABLE_OUT(worlds, "individual:real value:real density:real prior:real belief:real",
              "Each possible world: the statistic, the density of the response, and the belief before and after"),
    END,
};

/* "mean(x)", "quantile(x, 0.9)". */
static Status read_query(Run *run, const char *text, char name[128], Statistic *out) {
    static const struct {
        const char *word;
        Statistic statistic;
    } known[] = { { "count", { OF_COUNT, 0 } },        { "sum", { OF_SUM, 0 } }, { "mean", { OF_MEAN, 0 } },
                  { "variance", { OF_VARIANCE, 0 } },  { "sd", { OF_SD, 0 } },   { "median", { OF_QUANTILE, 0.5 } },
                  { "quantile", { OF_QUANTILE, NAN } } };
    const char *open = text ? strchr(text, '(') : NULL, *close = text ? strrchr(text, ')') : NULL,
               *comma = text ? strrchr(text, ',') : NULL;
    for (size_t i = 0; open && close > open && i < sizeof known / sizeof *known; i++) {
        if (strlen(known[i].word) != (size_t)(open - text) || strncmp(known[i].word, text, (size_t)(open - text))) continue;
        *out = known[i].statistic;
        const char *end = isnan(out->share) && comma ? comma : close, *from = open + 1;
        if (isnan(out->share)) {
            const char *number = comma ? comma + 1 + strspn(comma + 1, " ") : close;
            if (!comma || !read_real(number, close, '.', &out->share) || !(out->share >= 0 && out->share <= 1)) break;
        }
        while (from < end && *from == ' ') from++;
        while (end > from && end[-1] == ' ') end--;
        if (end - from > 127 || (end == from && out->kind != OF_COUNT)) break;
        memcpy(name, from, (size_t)(end - from));
        name[end - from] = 0;
        return OK;
    }
    fail(run->work.error, BAD, "expects one statistic of one column, such as mean(x) or quantile(x, 0.9)");
    return error_parameter(run->work.error, "query");
}

/* Possible worlds: what the statistic is in each, whose record makes it (or NaN), and how likely it was. */
typedef struct Worlds {
    int64_t count;
    double *value, *individual, *prior;
} Worlds;

static Status one_world(Run *run, Statistic statistic, double *sample, int64_t n, double *out) {
    Status status = OK;
    int64_t *order = NULL, present;
    NEW(&run->work, order, n + 1);
    TRY(order_reals(&run->work, sample, n, order, &present));
    *out = statistic_value(statistic, &(Sample){ n, sample, NULL, order });
    arena_drop(run->work.arena, order);
done:
    return status;
}

/* The known records and each individual of the universe that is not one of them. */
static Status worlds_of_universe(Run *run, const args *a, Worlds *out) {
    Status status = OK;
    char name[128];
    Statistic statistic;
    const Column *all, *known;
    const double *everyone, *own;
    double *sample = NULL;
    int64_t *order = NULL, *order_own = NULL, n, m, at = 0;
    if (!a->data || !a->query)
        return fail(run->work.error, BAD, "the worlds of a universe need DATA, the records that the adversary knows, and --query");
    TRY(read_query(run, a->query, name, &statistic));
    TRY(table_need(a->universe, name, &all, run->work.error));
    TRY(table_need(a->data, name, &known, run->work.error));
    if (!column_numeric(all) || !column_numeric(known))
        TRY(fail(run->work.error, BAD, "the column '%s' must hold numbers in both tables", name));
    TRY(column_reals(&run->work, all, &everyone));
    TRY(column_reals(&run->work, known, &own));
    NEW(&run->work, order, all->rows + 1);
    NEW(&run->work, order_own, known->rows + 1);
    TRY(order_reals(&run->work, everyone, all->rows, order, &n));
    TRY(order_reals(&run->work, own, known->rows, order_own, &m));
    NEW(&run->work, out->value, n + 1);
    NEW(&run->work, out->individual, n + 1);
    NEW(&run->work, sample, m + 1);
    for (int64_t i = 0; i < n; i++) {
        double x = everyone[order[i]];
        if (at < m && own[order_own[at]] == x) {
            at++;
            continue;
        }
        for (int64_t j = 0; j < m; j++) sample[j] = own[j];
        sample[m] = x;
        out->individual[out->count] = x;
        TRY(one_world(run, statistic, sample, m + 1, &out->value[out->count++]));
    }
    if (at < m) TRY(fail(run->work.error, BAD, "some of the records that the adversary knows are not in the universe"));
    if (m < known->rows) TRY(fail(run->work.error, BAD, "the records that the adversary knows lack values"));
done:
    return status;
}

static Status reals_of(Run *run, const Table *table, const char *name, double **out, int64_t *count) {
    Status status = OK;
    const Column *column;
    TRY(table_need(table, name, &column, run->work.error));
    if (!column_numeric(column) || column->missing)
        TRY(fail(run->work.error, BAD, "the column '%s' must hold numbers, none missing", name));
    NEW(&run->work, *out, column->rows + 1);
    for (int64_t i = 0; i < column->rows; i++) (*out)[i] = column_number(column, i);
    *count = column->rows;
done:
    return status;
}

static Status priors_of(Run *run, const args *a, Worlds *out) {
    Status status = OK;
    int64_t count = out->count;
    double sum = 0;
    if (!a->priors) {
        NEW(&run->work, out->prior, count + 1);
        for (int64_t i = 0; i < count; i++) out->prior[i] = 1 / (double)count;
        return OK;
    }
    TRY(reals_of(run, a->priors, "prior", &out->prior, &count));
    for (int64_t i = 0; i < count; i++) sum += out->prior[i] >= 0 ? out->prior[i] : NAN;
    if (count == out->count && fabs(sum - 1) <= 1e-9) return OK;
    fail(run->work.error, BAD,
         count == out->count ? "must be from 0 to 1 and add up to 1" : "needs one probability for each world, and there are %lld",
         (long long)out->count);
    return error_parameter(run->work.error, "priors");
done:
    return status;
}

typedef struct World {
    double value, prior;
} World;
static int by_value(const void *a, const void *b) {
    return (((const World *)a)->value > ((const World *)b)->value) - (((const World *)a)->value < ((const World *)b)->value);
}

/* The largest belief over all responses is reached where the response is a world's own value. */
static Status worst_of(Run *run, const Worlds *w, double scale, double *out) {
    Status status = OK;
    World *sorted = NULL;
    double *value = NULL, *prior = NULL, *scratch = NULL;
    NEW(&run->work, sorted, w->count);
    NEW(&run->work, value, w->count);
    NEW(&run->work, prior, w->count);
    NEW(&run->work, scratch, w->count);
    for (int64_t i = 0; i < w->count; i++) sorted[i] = (World){ w->value[i], w->prior[i] };
    qsort(sorted, (size_t)w->count, sizeof *sorted, by_value);
    for (int64_t i = 0; i < w->count; i++) value[i] = sorted[i].value, prior[i] = sorted[i].prior;
    *out = identifiability_worst(value, prior, w->count, scale, scratch);
done:
    return status;
}

/* Lee & Clifton 2012, definition 3: the belief in a world is its prior times the density e^(−|R − f(ω)|/λ)/(2λ), over the sum of these. */
static Status worlds_run(Run *run, const void *p) {
    const args *a = p;
    Status status = OK;
    Worlds w = { 0 };
    double *belief = NULL, worst, baseline = 0;
    int64_t best = 0;
    if (a->universe) TRY(worlds_of_universe(run, a, &w));
    else TRY(reals_of(run, a->world_values, "value", &w.value, &w.count));
    if (w.count < 2) TRY(fail(run->work.error, BAD, "there must be at least two possible worlds"));
    TRY(priors_of(run, a, &w));
    NEW(&run->work, belief, w.count);
    identifiability_beliefs(w.value, w.prior, w.count, a->scale, a->response, belief);
    TRY(worst_of(run, &w, a->scale, &worst));
    for (int64_t i = 0; i < w.count; i++) {
        if (belief[i] > belief[best]) best = i;
        baseline = fmax(baseline, w.prior[i]);
    }
    result_real(run->result, "best_guess", w.value[best]);
    result_real(run->result, "confidence", belief[best]);
    result_real(run->result, "baseline", baseline);
    result_real(run->result, "gain", belief[best] - baseline);
    result_real(run->result, "lower", belief[best] - baseline);
    result_real(run->result, "upper", belief[best] - baseline);
    result_real(run->result, "worst_confidence", worst);
    Grid *grid = grid_new(run->result, "worlds",
                          w.individual ? "individual:real value:real density:real prior:real belief:real"
                                       : "value:real density:real prior:real belief:real");
    for (int64_t i = 0; i < w.count; i++) {
        if (w.individual) grid_real(grid, w.individual[i]);
        grid_real(grid, w.value[i]);
        grid_real(grid, exp(-fabs(a->response - w.value[i]) / a->scale) / (2 * a->scale));
        grid_real(grid, w.prior[i]);
        grid_real(grid, belief[i]);
    }
    grid_done(grid);
done:
    return status;
}

const Method attack_worlds = {
    .group = "attack",
    .name = "worlds",
    .summary = "Weigh the possible worlds behind a noisy answer",
    .source = "Lee & Clifton 2012",
    .params = params,
    .size = sizeof(args),
    .traits = UNAUDITED | IDENTITY,
    .run = worlds_run,
    .values = values,
    .headline = "confidence",
    .example = "scrim attack worlds examples/worlds-known.csv --universe examples/worlds-universe.csv --query \"mean(x)\" --scale 2.128628 "
               "--response 2",
};
