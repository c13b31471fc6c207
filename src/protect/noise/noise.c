/* protect.noise: additive or multiplicative noise, and what an analyst needs to correct for it. Defined after Kim 1986; Fuller 1993;
 * Bowden & Sim 1992: docs/methods/protect-noise.md. */
#include <string.h>
#include "base/elementary.h"
#include "base/number_text.h"
#include "protect/noise/noise.h"
#include "protect/changed_table.h"

typedef struct {
    const Table *data;
    Columns vars, strata;
    unsigned method, round;
    double amount, scale;
} args;

static const Param params[] = {
    TABLE(args, data, "Table to protect", .flags = REQUIRED | POSITIONAL),
    COLUMNS(args, vars, data, "Numeric columns to which noise is added", .flags = REQUIRED | NUMERIC, .role = "numeric"),
    CHOICE(args, method, "independent", "Noise distribution and correlation",
           WORDS("independent", "correlated", "kim", "multiplicative", "laplace", "own-distribution")),
    REAL(args, amount, NAN, 0, 1e6,
         "δ: variance of the noise as a share of the column's variance (multiplicative: variance of the factor). Larger = more protection",
         .flags = REQUIRED | EXCLUSIVE),
    REAL(args, scale, NAN, 0, 1e6,
         "kim, own-distribution: factor a of Kim's z = a·y + b, which preserves means. Default for kim: 1/√(1+δ), which also preserves "
         "variances; for own-distribution: 1",
         .flags = EXCLUSIVE),
    ONLY_IF("scale", "method", "kim", "own-distribution"),
    COLUMNS(args, strata, data, "Variances and covariances are computed within each stratum"),
    CHOICE(args, round, "none", "own: the release has as many decimals as the column; none: not rounded", WORDS("none", "own")),
    END,
};

enum { AS_DRAWN, OWN_DECIMALS, MOST_DECIMALS = 12 };

/* The most decimals that a value of the column is written with. */
static int decimals_of(const Column *column, const double *x) {
    int most = 0;
    char text[33];
    for (int64_t i = 0; column->type != INTEGER_TYPE && i < column->rows; i++) {
        if (isnan(x[i])) continue;
        real_text(x[i], text);
        const char *point = strchr(text, '.'), *power = strpbrk(text, "eE");
        int64_t exponent = 0;
        if (power && !read_integer(power[1] == '+' ? power + 2 : power + 1, text + strlen(text), &exponent)) continue;
        int digits = point ? (int)((power ? power : text + strlen(text)) - point) - 1 : 0;
        if (digits - exponent > most) most = (int)(digits - exponent);
    }
    return most;
}

/* Noise in more decimals than the data ever had says which cells were changed, and reads as a precision that is not there. */
static void round_as_before(Noise *noise, const PartState *fit) {
    static const double ten[MOST_DECIMALS + 1] = { 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12 };
    for (int64_t j = 0; j < noise->columns; j++) {
        int64_t decimals = fit->most[j];
        if (decimals > MOST_DECIMALS) continue;
        for (int64_t i = 0; i < noise->rows; i++) {
            double scaled = noise->out[j][i] * ten[decimals];
            if (fabs(scaled) < 0x1p52) noise->out[j][i] = floor(scaled + .5) / ten[decimals] + 0.; /* no -0 */
        }
    }
}

/* Noise below half of the last decimal is undone by rounding: true values are released. */
static void say_given_back(Run *run, const args *a, const PartState *did) {
    int64_t cells = did->rows * a->vars.count, same = cells - result_find(run->result, "cells")->integer;
    if (same * 10 > cells)
        result_note(run->result,
                    "%lld of %lld cells are unchanged, because rounding removes noise below half of the last decimal. Use a larger "
                    "--amount or --round none.",
                    (long long)same, (long long)cells);
}

static void say_rounding(Run *run, const args *a, const PartState *fit) {
    for (int64_t j = 0; j < a->vars.count; j++)
        if (fit->most[j] > MOST_DECIMALS)
            result_note(run->result, "'%s' has more than %d decimals and was not rounded.", a->vars.at[j]->name, MOST_DECIMALS);
    result_note(run->result, "Rounded to each column's own decimals d. This adds about 10^(−2d)/12 to the variance of the noise, which the "
                             "table does not include.");
}

static void say_table(Run *run, const args *a, const Noise *noise, const char **names) {
    Grid *grid = grid_new(run->result, "noise",
                          a->strata.count ? "stratum:text variable:text noise_variance:real scale:real shift:real variance_ratio:real"
                                          : "variable:text noise_variance:real scale:real shift:real variance_ratio:real");
    for (int64_t s = 0; s < noise->strata; s++) {
        const NoiseFit *fit = &noise->fit[s];
        for (int64_t j = 0; j < noise->columns; j++) {
            if (a->strata.count) grid_text(grid, names[s]);
            grid_text(grid, a->vars.at[j]->name);
            grid_real(grid, noise_covariance(noise, fit, j, j));
            grid_real(grid, noise->scale);
            grid_real(grid, (1 - noise->scale) * fit->mean[j]);
            grid_real(grid, noise_variance_ratio(noise, fit, j));
        }
    }
    grid_done(grid);
}

static void say_covariance(Run *run, const args *a, const Noise *noise, const char **names) {
    Grid *grid =
        grid_new(run->result, "covariance",
                 a->strata.count ? "stratum:text variable:text other:text covariance:real" : "variable:text other:text covariance:real");
    for (int64_t s = 0; s < noise->strata; s++)
        for (int64_t j = 0; j < noise->columns; j++)
            for (int64_t k = 0; k <= j; k++) {
                if (a->strata.count) grid_text(grid, names[s]);
                grid_text(grid, a->vars.at[j]->name);
                grid_text(grid, a->vars.at[k]->name);
                grid_real(grid, noise_covariance(noise, &noise->fit[s], j, k));
            }
    grid_done(grid);
}

/* How to get from moments of the release to those of the original. */
static void say_correction(Run *run, const Noise *noise) {
    char d[33], a[33], ratio[33];
    real_short(noise->amount, 6, d);
    real_short(noise->scale, 6, a);
    real_short(noise->scale * noise->scale * (1 + noise->amount), 6, ratio);
    switch (noise->scale != 1 ? KIM : noise->kind) {
    case INDEPENDENT:
    case LAPLACE_NOISE:
        result_note(run->result,
                    "To correct: divide variances by 1 + %s. Means and covariances between columns need no correction. A regression on "
                    "these columns needs `utility corrected` with the noise variances below.",
                    d);
        break;
    case CORRELATED:
    case OWN_DISTRIBUTION:
        result_note(run->result,
                    "To correct: divide all variances and covariances by 1 + %s. Means, correlations and regressions among these columns "
                    "need no correction.",
                    d);
        break;
    case KIM:
        result_note(run->result,
                    "To correct: z = %s·(x + e) + shift. Variances and covariances are %s times those of the original. Means, correlations "
                    "and regressions among these columns need no correction. Divide covariances with other columns by %s.",
                    a, ratio, a);
        break;
    case MULTIPLICATIVE:
        result_note(run->result,
                    "To correct: Var(x) = (Var(y) − %s·mean(y)²)/(1 + %s). Means and covariances between columns need no correction.", d,
                    d);
        break;
    }
}

static void say_oddities(Run *run, const args *a, const Noise *noise) {
    int64_t pooled = 0, constant = 0;
    for (int64_t s = 0; s < noise->strata; s++) {
        pooled += noise->fit[s].pooled;
        for (int64_t j = 0; j < noise->columns; j++) constant += noise->kind != MULTIPLICATIVE && noise->fit[s].sd[j] == 0;
    }
    if (pooled)
        result_note(run->result, "%lld of %lld strata have fewer than two values of a column and use the moments of the whole table.",
                    (long long)pooled, (long long)noise->strata);
    if (constant && a->strata.count)
        result_note(run->result, "Warning: a column is constant in %lld strata, and received no noise there.", (long long)constant);
    if (constant && !a->strata.count)
        result_note(run->result, "Warning: %lld of the columns are constant and received no noise.", (long long)constant);
    if (noise_is_joint(noise->kind))
        result_note(run->result, "Correlations are those of the records that have a value in every column; missing values stay missing.");
}

/* ---- in parts ---- */

static Status noise_of(Run *run, const args *a, Noise *out) {
    Status status = OK;
    Work *work = &run->work;
    *out = (Noise){ .kind = a->method,
                    .amount = a->amount,
                    .scale = 1,
                    .columns = a->vars.count,
                    .rows = a->data->rows,
                    .first_row = run->first_row };
    if (!isnan(a->scale)) out->scale = a->scale;
    else if (out->kind == KIM) out->scale = 1 / sqrt(1 + a->amount);
    NEW(work, out->x, a->vars.count + 1);
    for (int64_t j = 0; j < a->vars.count; j++) TRY(column_reals(work, a->vars.at[j], &out->x[j]));
done:
    return status;
}

static Status noise_learn_chunk(Run *run, const void *p, PartState *fit) {
    const args *a = p;
    Status status = OK;
    Noise noise;
    TupleCounts *roll;
    int64_t *place;
    if (a->vars.count > STATE_MOST) TRY(fail(run->work.error, BAD, "at most %d columns at once", STATE_MOST));
    TRY(noise_of(run, a, &noise));
    TRY(state_tuple_counts(fit, 0, a->strata.count, noise_sums(noise.kind, noise.columns), false, &roll, run->work.error));
    TRY(tuple_counts_add(&run->work, roll, a->strata, NULL, noise.rows, run->first_row, &place));
    noise_learn(&noise, roll, place);
    for (int64_t j = 0; a->round == OWN_DECIMALS && j < noise.columns; j++) {
        int decimals = decimals_of(a->vars.at[j], noise.x[j]);
        if (decimals > fit->most[j]) fit->most[j] = decimals;
    }
done:
    return status;
}

/* What the state says; and each row's stratum. */
static Status noise_ready(Run *run, const args *a, const PartState *fit, Noise *noise) {
    Status status = OK;
    const TupleCounts *roll = fit->roll[0];
    int64_t *order = NULL, *rank = NULL, *place = NULL;
    TRY(noise_of(run, a, noise));
    TRY(tuple_counts_order(&run->work, roll, &order));
    noise->strata = roll->count;
    TRY(noise_fit(&run->work, noise, a->vars, roll, order));
    NEW(&run->work, rank, roll->count + 1);
    for (int64_t s = 0; s < roll->count; s++) rank[order[s]] = s;
    TRY(tuple_counts_find(&run->work, roll, a->strata, noise->rows, &place));
    for (int64_t i = 0; i < noise->rows; i++) {
        if (place[i] < 0) TRY(fail(run->work.error, BAD, "protect noise was not shown this part of the table when it learned"));
        place[i] = rank[place[i]];
    }
    noise->stratum = place;
done:
    return status;
}

/* Of strata with deviations of their own, and of values that were scaled, nothing is stated. */
static Status state_treatment(Work *work, const Noise *noise, int64_t j, Column *made) {
    const bool scaled = noise->kind == MULTIPLICATIVE;
    if (noise->strata != 1 || noise->scale != 1) return OK;
    const double deviation = sqrt(noise->amount) * (scaled ? 1 : noise->fit[0].sd[j]);
    return column_treat(made, treatment_of_amount(scaled ? TREATED_SCALED : TREATED_NOISY, deviation), work->error);
}

static Status noise_make(Run *run, const void *p, const PartState *fit, PartState *did) {
    const args *a = p;
    Status status = OK;
    Work *work = &run->work;
    Column **made = NULL;
    Strata strata;
    Noise noise;
    TRY(noise_ready(run, a, fit, &noise));
    NEW(work, noise.out, a->vars.count + 1);
    NEW(work, noise.stream, a->vars.count + 1);
    NEW(work, made, a->vars.count + 1);
    for (int64_t j = 0; j < a->vars.count; j++) {
        NEW(work, noise.out[j], noise.rows + 1);
        noise.stream[j] = run_stream(run, a->vars.at[j]->name, "noise");
    }
    noise.donor_stream = run_stream(run, NULL, "donor");
    if (noise.kind == OWN_DISTRIBUTION) {
        TRY(strata_make(work, a->strata, noise.rows, &strata));
        TRY(donors_make(work, noise.x, noise.columns, &strata, &noise.donors));
    }
    TRY(noise_apply(work, &noise));
    if (a->round == OWN_DECIMALS) round_as_before(&noise, fit);
    arena_drop(work->arena, (int64_t *)(uintptr_t)noise.stratum);
    for (int64_t j = 0; j < a->vars.count; j++) {
        TRY(column_of_draws(a->vars.at[j], noise.out[j], &made[j], work->error));
        TRY(state_treatment(work, &noise, j, made[j]));
        arena_drop(work->arena, noise.out[j]);
    }
    TRY(output_part(run, a->data, made, a->vars.count, did));
done:
    columns_release(made, a->vars.count);
    return status;
}

static Status noise_say(Run *run, const void *p, const PartState *fit, const PartState *did) {
    const args *a = p;
    Status status = OK;
    Noise noise;
    const char **names = NULL;
    TRY(noise_ready(run, a, fit, &noise));
    TRY(tuple_counts_names(&run->work, fit->roll[0], &names));
    say_changed(run, did);
    if (a->round == OWN_DECIMALS) {
        say_rounding(run, a, fit);
        say_given_back(run, a, did);
    }
    say_table(run, a, &noise, names);
    if (noise_is_joint(noise.kind)) say_covariance(run, a, &noise, names);
    say_correction(run, &noise);
    say_oddities(run, a, &noise);
done:
    return status;
}

static const char *noise_whole(const void *p) {
    const args *a = p;
    return a->method == OWN_DISTRIBUTION ? "own-distribution uses values of other records" : NULL;
}
static const InParts in_parts = { .shape = BY_ROW, .whole = noise_whole, .fit = noise_learn_chunk, .apply = noise_make, .say = noise_say };

static const Return values[] = {
    CHANGED_VALUES,
    TABLE_OUT(noise, "variable:text noise_variance:real scale:real shift:real variance_ratio:real",
              "By column: variance of the noise, scale and shift of z = scale·y + shift, and expected Var(released)/Var(original)"),
    TABLE_OUT(covariance, "variable:text other:text covariance:real", "Covariances of the noise between columns"),
    RELEASED("The protected table"),
    END,
};

const Method protect_noise = {
    .group = "protect",
    .name = "noise",
    .summary = "Noise addition to numeric columns: independent, correlated, multiplicative or Laplace",
    .source = "Kim 1986; Fuller 1993; Bowden & Sim 1992",
    .params = params,
    .size = sizeof(args),
    .traits = PERTURBS | RANDOM | IDENTITY | ATTRIBUTE,
    .parts = &in_parts,
    .values = values,
    .example = "scrim protect noise examples/clinic.csv --vars income,visits --method correlated --amount 0.1",
};
