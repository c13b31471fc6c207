/* attack.worlds: what the adversary of Lee & Clifton believes after seeing a noisy answer. Defined after Lee & Clifton 2012:
 * docs/methods/attack-worlds.md. */
#include <stdlib.h>
#include <string.h>
#include "base/compare.h"
#include "base/elementary.h"
#include "base/extremes.h"
#include "base/number_text.h"
#include "math/combinations.h"
#include "math/exponential_mechanism.h"
#include "math/ranks.h"
#include "math/privacy/identifiability.h"
#include "math/privacy/sensitivity.h"
#include "method/method.h"

typedef struct {
    const Table *data, *universe, *world_values, *priors;
    const char *query;
    unsigned mechanism;
    double response, scale, epsilon, step;
    int64_t unknown;
    Pairs bounds;
} args;
enum { LAPLACE, EXPONENTIAL };

static const Param params[] = {
    TABLE(args, data, "Records that the adversary knows, with --universe and --query", .flags = POSITIONAL),
    TABLE(args, universe, "Everyone who could be in the table, one per row: the records of DATA and the candidates for the unknown one"),
    TEXT(args, query, NULL, "Statistic that was released: count, sum, mean, variance, sd, median or quantile, such as mean(x)"),
    TABLE(args, world_values, "Instead of DATA: the statistic in each possible world, in a column value"),
    ONE_OF("universe", "world_values"),
    ONLY_WITH("query", "universe"),
    INT(args, unknown, 1, 1, 20, "With --universe: how many records of the table the adversary does not know"),
    ONLY_WITH("unknown", "universe"),
    REAL(args, response, ABSENT, -INFINITY, INFINITY, "The released noisy answer", .flags = REQUIRED),
    CHOICE(args, mechanism, "laplace",
           "Mechanism: laplace (noise added) or exponential (a median or quantile chosen by rank, as in `release`)",
           WORDS("laplace", "exponential")),
    REAL(args, scale, ABSENT, 0, INFINITY, "Scale of the Laplace noise", .flags = EXCLUSIVE),
    ONLY_IF("scale", "mechanism", "laplace"),
    REAL(args, epsilon, ABSENT, 0, 1000, "ε of the exponential mechanism", .flags = EXCLUSIVE),
    ONLY_IF("epsilon", "mechanism", "exponential"),
    PAIRS(args, bounds, 2, "Bounds of the answer: age:18:95"),
    ONLY_IF("bounds", "mechanism", "exponential"),
    REAL(args, step, 1, 0, INFINITY, "Step between the values from which the answer was chosen", .flags = EXCLUSIVE),
    ONLY_IF("step", "mechanism", "exponential"),
    TABLE(args, priors, "Prior probabilities of the worlds, in a column prior, in their order (default: equal)"),
    END,
};

static const Return values[] = {
    VALUE(best_guess, REAL, "The statistic in the most probable world"),
    VALUE(confidence, REAL, "The adversary's posterior probability of that world. Smaller is safer"),
    VALUE(baseline, REAL, "Largest prior probability"),
    VALUE(gain, REAL, "Increase of the probability by the release. 0 = safe"),
    VALUE(lower, REAL, "Equal to gain, which is exact"),
    VALUE(upper, REAL, "Equal to gain, which is exact"),
    VALUE(worst_confidence, REAL, "Largest posterior probability over all possible responses. Smaller is safer"),
    VALUE(person_confidence, REAL,
          "With several unknown records: largest posterior probability that one person is in the table. Smaller is safer"),
    VALUE(person_baseline, REAL, "The largest such probability before the response"),
    VALUE(worst_person_confidence, REAL, "Laplace noise: largest such probability over all possible responses. Smaller is safer"),
    TABLE_OUT(people, "individual:real prior:real belief:real",
              "With several unknown records: probability that each person of the universe is in the table, before and after"),
    TABLE_OUT(worlds, "individual:real value:real density:real prior:real belief:real",
              "Each possible world: the statistic, the density (or probability) of the response, and the probability before and after"),
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
    double *known; /* of a universe: the records that the adversary knows */
    int64_t knows;
    Statistic statistic;
    double *person;          /* the individuals that are not known to be in the table, */
    int64_t people, unknown; /* of whom so many are */
    int32_t *member;         /* world → its `unknown` people */
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

/* The known records with each set of as many others as are not known: Lee & Clifton's C(|U| − k, n − k) worlds. */
static Status list_worlds(Run *run, Worlds *w) {
    const double most = 1e6;
    Status status = OK;
    double sets = 1, *sample = NULL;
    int64_t in[20], of = w->unknown, at = 0;
    if (of > w->people) TRY(fail(run->work.error, BAD, "the universe has fewer people than the adversary does not know"));
    for (int64_t j = 0; j < of; j++) sets *= (double)(w->people - j) / (double)(j + 1);
    if (sets > most) {
        fail(run->work.error, BAD, "there are more than a million possible worlds");
        TRY(error_parameter(run->work.error, "unknown"));
    }
    NEW(&run->work, w->value, (int64_t)sets + 1);
    NEW(&run->work, w->member, ((int64_t)sets + 1) * of);
    NEW(&run->work, sample, w->knows + of + 1);
    if (of == 1) w->individual = w->person;
    for (int64_t j = 0; j < of; j++) in[j] = j;
    do {
        for (int64_t j = 0; j < w->knows; j++) sample[j] = w->known[j];
        for (int64_t j = 0; j < of; j++) {
            w->member[at * of + j] = (int32_t)in[j];
            sample[w->knows + j] = w->person[in[j]];
        }
        TRY(one_world(run, w->statistic, sample, w->knows + of, &w->value[at++]));
        if (at % 4096 == 0) TRY(work_check(&run->work));
    } while (next_combination(in, of, w->people));
    w->count = at;
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
    NEW(&run->work, out->person, n + 1);
    for (int64_t i = 0; i < n; i++) {
        double x = everyone[order[i]];
        if (at < m && own[order_own[at]] == x) at++;
        else out->person[out->people++] = x;
    }
    if (at < m) TRY(fail(run->work.error, BAD, "some of the records that the adversary knows are not in the universe"));
    if (m < known->rows) TRY(fail(run->work.error, BAD, "the records that the adversary knows lack values"));
    out->known = (double *)(uintptr_t)own;
    out->knows = m;
    out->statistic = statistic;
    out->unknown = a->unknown;
    TRY(list_worlds(run, out));
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

/* ---- the exponential mechanism ---- */

/* Where a choice can fall: low + k·step for k = 0 … last. */
typedef struct Places {
    double low, step;
    int64_t last;
} Places;

static int64_t place_of(const Places *p, double value) {
    double k = rint((value - p->low) / p->step);
    return k < 0 ? 0 : k > (double)p->last ? p->last : (int64_t)k;
}

/* ln P(each place) in one world, P ∝ exp(−ε·loss/2) (McSherry & Talwar 2007; docs/methods/release-query.md). `sample` is sorted here. */
static void choice_probabilities(double *sample, int64_t m, double q, double epsilon, const Places *p, double *out) {
    double sum = 0;
    int64_t below = 0, to;
    qsort(sample, (size_t)m, sizeof *sample, ascending_real);
    for (int64_t k = 0; k <= p->last; k++) {
        while (below < m && place_of(p, sample[below]) < k) below++;
        for (to = below; to < m && place_of(p, sample[to]) == k; to++) {}
        out[k] = -epsilon / 2 * (double)quantile_loss(below, m - to, m, q);
        sum += exp(out[k]);
    }
    for (int64_t k = 0; k <= p->last; k++) out[k] -= log(sum);
}

static Status places_of(Run *run, const args *a, const Worlds *w, Places *out) {
    Error *error = run->work.error;
    if (!a->universe || w->statistic.kind != OF_QUANTILE)
        return fail(error, BAD, "--mechanism exponential chooses a median or a quantile: give --universe and --query \"median(x)\"");
    if (isnan(a->epsilon) || a->bounds.count != 1)
        return fail(error, BAD, "--mechanism exponential needs --epsilon and --bounds of one column");
    const Pair *b = &a->bounds.at[0];
    *out = (Places){ .low = b->number[0], .step = a->step };
    if (!(b->number[1] > b->number[0])) {
        fail(error, BAD, "the upper bound is not above the lower one");
        return error_parameter(error, "bounds");
    }
    double last = floor((b->number[1] - b->number[0]) / a->step + 1e-9);
    if (!(last >= 1 && last * (double)w->count <= 2e7)) {
        fail(error, BAD, "there must be at least two values to choose from, and at most 20 million with all worlds together");
        return error_parameter(error, "step");
    }
    out->last = (int64_t)last;
    return OK;
}

/* Beliefs after the response, and the largest that any response could have given. */
static Status weigh_choice(Run *run, const args *a, const Worlds *w, double *density, double *belief, double *worst) {
    Status status = OK;
    Places places = { 0 };
    double *chance = NULL, *sample = NULL, *most = NULL, *sum = NULL, total = 0;
    TRY(places_of(run, a, w, &places));
    int64_t all = places.last + 1, chosen = place_of(&places, a->response);
    NEW(&run->work, chance, all);
    NEW(&run->work, most, all);
    NEW(&run->work, sum, all);
    NEW(&run->work, sample, w->knows + w->unknown);
    for (int64_t i = 0; i < w->count; i++) {
        for (int64_t j = 0; j < w->knows; j++) sample[j] = w->known[j];
        for (int64_t j = 0; j < w->unknown; j++) sample[w->knows + j] = w->person[w->member[i * w->unknown + j]];
        choice_probabilities(sample, w->knows + w->unknown, w->statistic.share, a->epsilon, &places, chance);
        density[i] = exp(chance[chosen]);
        total += belief[i] = w->prior[i] * density[i];
        for (int64_t k = 0; k < all; k++) {
            double joint = w->prior[i] * exp(chance[k]);
            sum[k] += joint;
            most[k] = fmax(most[k], joint);
        }
        TRY(work_check(&run->work));
    }
    *worst = 0;
    for (int64_t i = 0; i < w->count; i++) belief[i] /= total;
    for (int64_t k = 0; k < all; k++) *worst = fmax(*worst, most[k] / sum[k]);
done:
    return status;
}

/* Lee & Clifton 2012, definition 3: the belief in a world is its prior times the density e^(−|R − f(ω)|/λ)/(2λ), over the sum of these. */
static Status weigh_noise(Run *run, const args *a, const Worlds *w, double *density, double *belief, double *worst) {
    if (isnan(a->scale)) {
        fail(run->work.error, BAD, "is needed: the scale of the Laplace noise");
        return error_parameter(run->work.error, "scale");
    }
    for (int64_t i = 0; i < w->count; i++) density[i] = exp(-fabs(a->response - w->value[i]) / a->scale) / (2 * a->scale);
    identifiability_beliefs(w->value, w->prior, w->count, a->scale, a->response, belief);
    return worst_of(run, w, a->scale, worst);
}

/* The probability that each person is in the table: the sum over the worlds with them. */
static void people_of(const Worlds *w, const double *world, double *person) {
    for (int64_t i = 0; i < w->people; i++) person[i] = 0;
    for (int64_t i = 0; i < w->count; i++)
        for (int64_t j = 0; j < w->unknown; j++) person[w->member[i * w->unknown + j]] += world[i];
}

static double largest_of(const double *x, int64_t count) {
    double most = 0;
    for (int64_t i = 0; i < count; i++) most = larger(most, x[i]);
    return most;
}

/* What is believed of single people, where more than one is not known. Between two worlds' values the belief is (a·e^x + b·e^−x)/(c·e^x +
 * d·e^−x), which is monotone: the worst response is a world's own value. */
static Status report_people(Run *run, const args *a, const Worlds *w, const double *belief) {
    enum { MOST = 20000 };
    Status status = OK;
    double *before = NULL, *after = NULL, *other = NULL, *then = NULL, worst = 0;
    NEW(&run->work, before, w->people + 1);
    NEW(&run->work, after, w->people + 1);
    NEW(&run->work, then, w->people + 1);
    NEW(&run->work, other, w->count + 1);
    people_of(w, w->prior, before);
    people_of(w, belief, after);
    result_real(run->result, "person_confidence", largest_of(after, w->people));
    result_real(run->result, "person_baseline", largest_of(before, w->people));
    if (a->mechanism == LAPLACE && (double)w->count * (double)w->count <= (double)MOST * MOST) {
        for (int64_t i = 0; i < w->count; i++) {
            if (i % 64 == 0) TRY(work_check(&run->work));
            identifiability_beliefs(w->value, w->prior, w->count, a->scale, w->value[i], other);
            people_of(w, other, then);
            worst = larger(worst, largest_of(then, w->people));
        }
        result_real(run->result, "worst_person_confidence", worst);
    }
    Grid *grid = grid_new(run->result, "people", "individual:real prior:real belief:real");
    for (int64_t i = 0; i < w->people; i++) {
        grid_real(grid, w->person[i]);
        grid_real(grid, before[i]);
        grid_real(grid, after[i]);
    }
    grid_done(grid);
done:
    return status;
}

static void report_worlds(Run *run, const Worlds *w, const double *density, const double *belief) {
    enum { MOST = 10000 };
    if (w->count > MOST) {
        result_note(run->result, "There are %lld possible worlds. The table worlds is left out above 10,000.", (long long)w->count);
        return;
    }
    Grid *grid = grid_new(run->result, "worlds",
                          w->individual ? "individual:real value:real density:real prior:real belief:real"
                                        : "value:real density:real prior:real belief:real");
    for (int64_t i = 0; i < w->count; i++) {
        if (w->individual) grid_real(grid, w->individual[i]);
        grid_real(grid, w->value[i]);
        grid_real(grid, density[i]);
        grid_real(grid, w->prior[i]);
        grid_real(grid, belief[i]);
    }
    grid_done(grid);
}

static Status worlds_run(Run *run, const void *p) {
    const args *a = p;
    Status status = OK;
    Worlds w = { 0 };
    double *belief = NULL, *density = NULL, worst, baseline = 0;
    int64_t best = 0;
    if (a->universe) TRY(worlds_of_universe(run, a, &w));
    else TRY(reals_of(run, a->world_values, "value", &w.value, &w.count));
    if (w.count < 2) TRY(fail(run->work.error, BAD, "there must be at least two possible worlds"));
    TRY(priors_of(run, a, &w));
    NEW(&run->work, belief, w.count);
    NEW(&run->work, density, w.count);
    TRY((a->mechanism == EXPONENTIAL ? weigh_choice : weigh_noise)(run, a, &w, density, belief, &worst));
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
    if (w.unknown > 1) TRY(report_people(run, a, &w, belief));
    report_worlds(run, &w, density, belief);
done:
    return status;
}

const Method attack_worlds = {
    .group = "attack",
    .name = "worlds",
    .summary = "Possible-worlds attack: posterior probability of each world given a noisy answer",
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
