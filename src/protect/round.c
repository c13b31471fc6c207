/* protect.round: values to multiples of a base: to the nearest, down, at random without bias, or so that sums are kept too. Defined after
 * Cox 1987; Matthews & Harel 2011, section 2.1: docs/methods/protect-round.md. */
#include "base/elementary.h"
#include "base/extremes.h"
#include "math/distributions.h"
#include "math/ranks.h"
#include "math/rounding.h"
#include "protect/changed_table.h"
#include "classes/strata.h"

typedef struct {
    const Table *data;
    Columns vars, strata;
    double base;
    unsigned method;
} args;
enum { NEAREST, DOWN, RANDOM_ROUNDING, CONTROLLED };
static const TreatmentKind treatments[] = { TREATED_ROUNDED, TREATED_ROUNDED_DOWN, TREATED_DITHERED, TREATED_DITHERED };

static const Param params[] = {
    TABLE(args, data, "Table to protect", .flags = REQUIRED | POSITIONAL),
    COLUMNS(args, vars, data, "Columns to round", .flags = REQUIRED | NUMERIC, .role = "numeric"),
    REAL(args, base, NAN, 0, INFINITY, "Rounding base: values become multiples of it. Larger = more protection",
         .flags = REQUIRED | EXCLUSIVE),
    CHOICE(args, method, "nearest",
           "nearest (halves away from zero), down, random (unbiased), or controlled (unbiased, and the sum becomes an adjacent multiple of "
           "the true sum)",
           WORDS("nearest", "down", "random", "controlled")),
    COLUMNS(args, strata, data, "controlled: the sum of each stratum becomes an adjacent multiple too"),
    END,
};

static void round_plainly(const args *a, const double *x, double *y) {
    for (int64_t i = 0; i < a->data->rows; i++) {
        y[i] = NAN;
        if (isnan(x[i])) continue;
        RoundingParts part = rounding_parts(x[i], a->base);
        bool up = a->method == NEAREST && (x[i] < 0 ? part.fraction > 0.5 : part.fraction >= 0.5);
        y[i] = rounding_multiple(part.below + up, a->base);
    }
}

static void round_at_random(Run *run, const args *a, const char *name, const double *x, double *y) {
    RandomStream stream = run_stream(run, name, "round");
    draw_uniforms(&stream, (uint64_t)run->first_row, a->data->rows, y);
    for (int64_t i = 0; i < a->data->rows; i++) {
        RoundingParts part = isnan(x[i]) ? (RoundingParts){ NAN, NAN } : rounding_parts(x[i], a->base);
        y[i] = rounding_multiple(part.below + (y[i] < part.fraction), a->base);
    }
}

/* Cox 1987 in one dimension. The fractions are laid end to end from a uniform start; a record is rounded up where a whole number falls into
 * its stretch. Each goes up with probability equal to its fraction, and any run of them has as many ups as the sum of its fractions rounded
 * down or up: the whole column, and each stratum when strata lie end to end. Records are laid in random order, in fixed point so that
 * nothing is lost in adding. */
static Status round_controlled(Run *run, const args *a, const Strata *strata, const char *name, const double *x, double *y) {
    Status status = OK;
    Work *work = &run->work;
    int64_t rows = a->data->rows, *order = NULL, *laid = NULL, *begin = NULL;
    uint64_t *words = NULL, start;
    NEW(work, order, rows + 1);
    NEW(work, laid, rows + 1);
    NEW(work, begin, strata->count + 1);
    NEW(work, words, rows + 1);
    RandomStream places = run_stream(run, name, "order"), starts = run_stream(run, name, "start");
    stream_words(&places, 0, (size_t)rows, words);
    stream_words(&starts, 0, 1, &start);
    TRY(order_words(work, words, rows, order));
    TRY(strata_gather(work, strata, order, rows, laid, begin));
    unsigned __int128 place = start >> 2;
    for (int64_t r = 0; r < rows; r++) {
        int64_t i = laid[r];
        y[i] = NAN;
        if (isnan(x[i])) continue;
        RoundingParts part = rounding_parts(x[i], a->base);
        unsigned __int128 next = place + (uint64_t)(part.fraction * 0x1p62);
        y[i] = rounding_multiple(part.below + (double)((next >> 62) != (place >> 62)), a->base);
        place = next;
    }
done:
    arena_drop(work->arena, words);
    arena_drop(work->arena, order);
    arena_drop(work->arena, laid);
    return status;
}

/* Of each column: n, Σx, Σy, Σ(y − x)², and Σ of the variance that random rounding adds. */
enum { COUNT, ORIGINAL_SUM, RELEASED_SUM, SQUARES, VARIANCES, SUMS };
static void add_sums(const args *a, const double *x, const double *y, ExactSum *s) {
    for (int64_t i = 0; i < a->data->rows; i++) {
        if (isnan(x[i])) continue;
        double fraction = rounding_parts(x[i], a->base).fraction;
        exact_sum_add(&s[COUNT], 1);
        exact_sum_add(&s[ORIGINAL_SUM], x[i]);
        exact_sum_add(&s[RELEASED_SUM], y[i]);
        exact_sum_add(&s[SQUARES], (y[i] - x[i]) * (y[i] - x[i]));
        exact_sum_add(&s[VARIANCES], a->base * a->base * fraction * (1 - fraction));
    }
}

static void say(Run *run, const args *a, const ExactSum *sums) {
    bool random = a->method >= RANDOM_ROUNDING;
    Grid *grid = grid_new(run->result, "sums", "variable:text original:real released:real mean_square_change:real expected_variance:real");
    for (int64_t v = 0; v < a->vars.count; v++) {
        grid_text(grid, a->vars.at[v]->name);
        const ExactSum *s = sums + v * SUMS;
        int64_t count = (int64_t)exact_sum_real(&s[COUNT]);
        grid_real(grid, exact_sum_real(&s[ORIGINAL_SUM]));
        grid_real(grid, exact_sum_real(&s[RELEASED_SUM]));
        grid_real(grid, exact_mean(&s[SQUARES], count));
        grid_real(grid, random ? exact_mean(&s[VARIANCES], count) : NAN);
    }
    grid_done(grid);
    if (random) result_note(run->result, "Rounding is unbiased. Means need no correction; subtract expected_variance from a variance.");
    else
        result_note(run->result, "Rounding %s: values differ from the originals by at most %s. It is not unbiased.",
                    a->method == DOWN ? "down" : "to the nearest", a->method == DOWN ? "one base" : "half a base");
    if (a->method == CONTROLLED)
        result_note(run->result, "Each column's sum%s is an adjacent multiple of the true sum.",
                    a->strata.count ? ", and each stratum's," : "");
    result_note(run->result, "Missing values stay missing.");
}

static Status round_part(Run *run, const void *p, const PartState *fit, PartState *did) {
    const args *a = p;
    Status status = OK;
    Work *work = &run->work;
    Column **made = NULL;
    Strata strata = { 0 };
    TupleCounts *roll;
    int64_t *place;
    (void)fit;
    NEW(work, made, a->vars.count + 1);
    if (a->strata.count && a->method != CONTROLLED) {
        fail(work->error, BAD, "has a meaning only with --method controlled");
        TRY(error_parameter(work->error, "strata"));
    }
    if (a->method == CONTROLLED) TRY(strata_make(work, a->strata, a->data->rows, &strata));
    TRY(state_tuple_counts(did, 0, 0, a->vars.count * SUMS, false, &roll, work->error));
    TRY(tuple_counts_add(work, roll, (Columns){ 0 }, NULL, a->data->rows, run->first_row, &place));
    arena_drop(work->arena, place); /* all in one tuple */
    for (int64_t v = 0; v < a->vars.count; v++) {
        const double *x = NULL;
        double *y = NULL;
        TRY(work_check(work));
        TRY(column_reals(work, a->vars.at[v], &x));
        NEW(work, y, a->data->rows + 1);
        if (a->method == CONTROLLED) TRY(round_controlled(run, a, &strata, a->vars.at[v]->name, x, y));
        else if (a->method == RANDOM_ROUNDING) round_at_random(run, a, a->vars.at[v]->name, x, y);
        else round_plainly(a, x, y);
        if (roll->count) add_sums(a, x, y, roll->sum + v * SUMS);
        TRY(column_of_reals(a->vars.at[v], y, &made[v], work->error));
        TRY(column_treat(made[v], treatment_of_amount(treatments[a->method], a->base), work->error));
        arena_drop(work->arena, y);
        arena_drop(work->arena, (double *)(uintptr_t)x); /* unless it is the column's own */
    }
    TRY(output_part(run, a->data, made, a->vars.count, did));
    for (int64_t v = 0; a->method >= RANDOM_ROUNDING && v < a->vars.count; v++) table_perturb(run->result->output[0], a->vars.at[v]->name);
done:
    columns_release(made, a->vars.count);
    return status;
}

static Status round_say(Run *run, const void *p, const PartState *fit, const PartState *did) {
    const args *a = p;
    Status status = OK;
    ExactSum *none = NULL;
    (void)fit;
    NEW(&run->work, none, a->vars.count * SUMS + 1);
    say_changed(run, did);
    say(run, a, did->roll[0] && did->roll[0]->count ? did->roll[0]->sum : none);
done:
    return status;
}

static const char *round_whole(const void *p) {
    return ((const args *)p)->method == CONTROLLED ? "controlled rounding balances over all records" : NULL;
}
static const InParts in_parts = { .shape = BY_ROW, .whole = round_whole, .apply = round_part, .say = round_say };

static const Return values[] = {
    CHANGED_VALUES,
    TABLE_OUT(sums, "variable:text original:real released:real mean_square_change:real expected_variance:real",
              "Each column: its sum before and after, the mean square of the changes, and the variance that random rounding adds"),
    RELEASED("The protected table"),
    END,
};

/* Controlled rounding keeps sums. */
static bool looks_at_one(const Args *given) {
    const Arg *method = args_find(given, "method");
    return !method || (method->count == 1 && method->items && strcmp(method->items[0], "controlled"));
}

const Method protect_round = {
    .group = "protect",
    .name = "round",
    .summary = "Rounding of numeric values to a base: nearest, down, random or controlled",
    .source = "Cox 1987; Matthews & Harel 2011, section 2.1",
    .params = params,
    .size = sizeof(args),
    .record_by_record = looks_at_one,
    .traits = RANDOM | IDENTITY | ATTRIBUTE,
    .parts = &in_parts,
    .values = values,
    .example = "scrim protect round examples/clinic.csv --vars income --base 1000 --method random",
};
