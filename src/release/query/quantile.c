/* Medians and quantiles by the exponential mechanism (McSherry & Talwar 2007; Smith 2011), on the grid that the schema or the bounds
 * declare, sampled exactly. */
#include <stdlib.h>
#include "base/compare.h"
#include "base/elementary.h"
#include "base/number_text.h"
#include "math/exponential_mechanism.h"
#include "release/query/query.h"

/* Where the answer can lie: first + k·step for k = 0 … last. The schema's step, whole numbers, or the fine grid of the column. */
typedef struct Places {
    double first, step;
    int64_t last;
} Places;

static Status places_of(Plan *plan, const Query *q, const Bounds *b, const Fixed *x, Places *out) {
    const SchemaColumn *declared = schema_find(plan->args->schema, q->x->name);
    *out = (Places){ .first = b->low, .step = declared && declared->step > 0 ? declared->step : b->whole ? 1 : 0 };
    if (out->step > 0 && (b->high - b->low) / out->step < 0x1p40) out->last = (int64_t)floor((b->high - b->low) / out->step);
    else *out = (Places){ .first = ldexp((double)x->low, x->exponent), .step = ldexp(1, x->exponent), .last = x->high - x->low };
    return out->last < 1 ? fail(plan->work->error, BAD, "%s: only one answer is possible", q->text) : OK;
}

typedef struct Stretch {
    Choice choice;
    int64_t from;
} Stretch; /* weight places from `from` on, all of one loss */
static int by_loss(const void *a, const void *b) {
    return (((const Stretch *)a)->choice.loss > ((const Stretch *)b)->choice.loss) -
           (((const Stretch *)a)->choice.loss < ((const Stretch *)b)->choice.loss);
}

/* The stretches between records, and the records' own places, sorted by loss. */
static Status stretches_of(Plan *plan, int64_t *at, int64_t m, int64_t last, double p, Stretch **out, int64_t *count) {
    Status status = OK;
    int64_t next = 0;
    NEW(plan->work, *out, 2 * m + 2);
    *count = 0;
    qsort(at, (size_t)m, sizeof *at, ascending_int64);
    for (int64_t i = 0; i < m;) {
        int64_t j = i;
        while (j < m && at[j] == at[i]) j++;
        if (at[i] > next) (*out)[(*count)++] = (Stretch){ { (uint64_t)(at[i] - next), quantile_loss(i, m - i, m, p) }, next };
        (*out)[(*count)++] = (Stretch){ { 1, quantile_loss(i, m - j, m, p) }, at[i] };
        next = at[i] + 1;
        i = j;
    }
    if (next <= last) (*out)[(*count)++] = (Stretch){ { (uint64_t)(last - next) + 1, quantile_loss(m, 0, m, p) }, next };
    qsort(*out, (size_t)*count, sizeof **out, by_loss);
done:
    return status;
}

enum { FINE = 40 }; /* bits behind the point of the rate */
static double choice_rate(const Measure *b) {
    return floor(ldexp(b->epsilon / 2 / (double)b->l1, FINE));
} /* rounded down: never more than promised */

Status choice_check(Plan *plan, Measure *b) {
    if (b->logistic) return logistic_check(plan, b);
    double rate = choice_rate(b);
    if (b->select) return OK; /* any ε will do */
    return rate >= 1 && rate < 0x1p59
               ? OK
               : fail(plan->work->error, BAD, "%s: this guarantee is out of the sampler's range", plan->query[b->query].text);
}

Status draw_choice(Plan *plan, Measure *b, RandomBits *bits) {
    Status status = OK;
    double rate = choice_rate(b);
    for (int64_t g = 0; g < b->count; g++) {
        Stretch *stretch = NULL;
        Choice *choice = NULL;
        int64_t count, chosen;
        TRY(stretches_of(plan, b->places[g], b->place_count[g], b->last, b->number, &stretch, &count));
        NEW(plan->work, choice, count);
        for (int64_t i = 0; i < count; i++) choice[i] = stretch[i].choice;
        TRY(exponential_mechanism(plan->work, bits, (uint64_t)rate, UINT64_C(1) << FINE, choice, count, &chosen));
        b->value[g] = stretch[chosen].from + (int64_t)bits_below(bits, stretch[chosen].choice.weight);
        arena_drop(plan->work->arena, choice);
        arena_drop(plan->work->arena, stretch);
    }
done:
    return status;
}

/* With probability 0.95 the loss, in ranks, stays below (ln(places/0.05))/rate (McSherry & Talwar 2007, theorem 6): known beforehand. */
double choice_ranks(const Measure *b) { return log(((double)b->last + 1) / 0.05) * 2 * (double)b->l1 / b->epsilon; }

static int64_t place_at(const Places *places, const Fixed *x, int64_t row) {
    double k = rint((ldexp((double)x->at[row], x->exponent) - places->first) / places->step);
    return k < 0 ? 0 : k > (double)places->last ? places->last : (int64_t)k;
}

/* Where one person's record leaves one group for another, both are moved, by at most 1 each. */
Status plan_quantile(Plan *plan, int64_t query, const Bounds *bounds, const Fixed *x, const Subset *subset, const GroupKeys *keys,
                     int64_t *out) {
    Status status = OK;
    const Query *q = &plan->query[query];
    int64_t groups = keys ? keys->count : 1;
    Places places;
    TRY(places_of(plan, q, bounds, x, &places));
    Measure made = { .part = "choice",
                     .query = query,
                     .divisor = 1,
                     .choice = true,
                     .l1 = times_most(plan_most(plan), keys && plan->unit == REPLACE_ONE ? 2 : 1),
                     .l2_squared = 1,
                     .first = places.first,
                     .step = places.step,
                     .last = places.last,
                     .number = query_statistic(q).share };
    NEW(plan->work, made.places, groups + 1);
    NEW(plan->work, made.place_count, groups + 1);
    for (int64_t i = 0; i < subset->count; i++)
        made.place_count[keys ? (keys->of[subset->row[i]] < 0 ? groups : keys->of[subset->row[i]]) : 0]++;
    for (int64_t g = 0; g <= groups; g++) {
        if (g == groups && !keys) break;
        NEW(plan->work, made.places[g], made.place_count[g] + 1);
        made.place_count[g] = 0;
    }
    for (int64_t i = 0; i < subset->count; i++) {
        int64_t row = subset->row[i], g = keys ? (keys->of[row] < 0 ? groups : keys->of[row]) : 0;
        made.places[g][made.place_count[g]++] = place_at(&places, x, row);
    }
    TRY(plan_measure(plan, made, groups, out));
done:
    return status;
}
