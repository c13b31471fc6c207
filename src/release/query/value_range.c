/* bounds(x): bounds for clipping, bought from the budget: noisy counts of records by powers of two, and the range of those that are not noise.
 * For a steward who cannot declare bounds without looking at the data. */
#include <string.h>
#include "base/elementary.h"
#include "base/number_text.h"
#include "release/query/query.h"

/* Bins: −2^63 … −2^−32, 0, 2^−32 … 2^63, each from a power of two to the next, away from 0. They are the same for every table. */
enum { LEAST = -32, MOST = 62, SIDE = MOST - LEAST + 1, BINS = 2 * SIDE + 1 };

static int64_t bin_of(double x) {
    int exponent;
    if (x == 0) return SIDE;
    frexp(x, &exponent);
    int64_t place = exponent - 1 < LEAST ? 0 : exponent - 1 > MOST ? SIDE - 1 : exponent - 1 - LEAST;
    return x > 0 ? SIDE + 1 + place : SIDE - 1 - place;
}

/* The end of a bin on one side. */
static double bin_end(int64_t bin, bool upper) {
    int64_t place = bin > SIDE ? bin - SIDE - 1 : SIDE - 1 - bin;
    if (bin == SIDE) return 0;
    double near = ldexp(1, (int)place + LEAST), far = 2 * near;
    if (bin > SIDE) return upper ? far : place ? near : 0;
    return upper ? (place ? -near : 0) : -far;
}

/* One record is in one bin: added or removed it moves one count by 1, replaced by another two. */
Status plan_range(Plan *plan, int64_t query, const Subset *subset) {
    Status status = OK;
    const Query *q = &plan->query[query];
    uint64_t most = plan_most(plan), moved = plan->unit == REPLACE_ONE ? 2 : 1;
    int64_t measure;
    Measure made = { .part = "counts",
                     .query = query,
                     .divisor = 1,
                     .l1 = times_most(moved, most),
                     .l2_squared = (unsigned __int128)moved * most * most };
    TRY(plan_measure(plan, made, BINS, &measure));
    for (int64_t i = 0; i < subset->count; i++) plan->measure[measure].value[bin_of(column_number(q->x, subset->row[i]))]++;
    TRY(carry_wide(plan, plan->measure[measure].value, BINS, true));
    for (int64_t end = 0; end < 2; end++)
        TRY(plan_answer(plan, (Answer){ .query = query,
                                        .group = end ? "upper bound" : "lower bound",
                                        .form = FORM_BOUND,
                                        .measures = 1,
                                        .measure = { measure },
                                        .element = end,
                                        .gate_measure = -1 }));
done:
    return status;
}

/* A bin counts where its noisy count is larger than the noise of all empty ones together with probability 0.95. Missing where none is. */
void form_bound(const Plan *plan, Answer *a) {
    const Measure *b = &plan->measure[a->measure[0]];
    const Noise noise = { .family = plan->noise, .scale = b->scale / ldexp(1, b->exponent) };
    double least = noise_half_width(&noise, 1 - 0.05 / BINS) * ldexp(1, b->exponent);
    a->value = a->lower = a->upper = a->sensitivity = a->scale = NAN;
    for (int64_t bin = 0; bin < BINS; bin++) {
        if (!(wide_real(b->value[bin], b->exponent) > least)) continue;
        a->value = bin_end(bin, a->element == 1);
        if (a->element == 0) return;
    }
}

/* A line for each such query that declares its column in a schema, from what was released. */
Status report_ranges(Plan *plan) {
    Status status = OK;
    Grid *grid = NULL;
    char low[33], high[33];
    for (int64_t i = 0; i + 1 < plan->answers; i++) {
        const Answer *lower = &plan->answer[i], *upper = &plan->answer[i + 1];
        const Query *q = &plan->query[lower->query];
        if (lower->form != FORM_BOUND || lower->element != 0) continue;
        if (isnan(lower->value) || isnan(upper->value)) {
            result_note(plan->run->result,
                        "%s: no power of two has more records than noise alone could produce. A larger share of the budget gives a result.",
                        q->text);
            continue;
        }
        const char *line = arena_print(plan->work->arena, "%s: {type: %s, bounds: [%s, %s]}", q->x->name,
                                       plain_type(q->x->type) == INTEGER_TYPE ? "integer" : "real", real_text(lower->value, low),
                                       real_text(upper->value, high));
        if (!line) TRY(out_of_memory(plan->work->error));
        if (!grid) grid = grid_new(plan->run->result, "ranges", "column:text low:real high:real schema:text");
        grid_text(grid, q->x->name);
        grid_real(grid, lower->value);
        grid_real(grid, upper->value);
        grid_text(grid, line);
    }
    if (grid)
        result_note(plan->run->result, "Bounds that were estimated with a part of the budget may be used as declared ones: in --bounds, or "
                                       "as lines of a schema (table `ranges`). A few values may lie beyond them; they are clamped.");
done:
    if (grid) grid_done(grid);
    return status;
}
