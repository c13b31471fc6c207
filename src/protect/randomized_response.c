/* protect.randomized-response: a sensitive yes/no answer is turned round, or replaced by an unrelated one, with known probability. */
#include <string.h>
#include "base/elementary.h"
#include "protect/output.h"
#include "table/strata.h"

typedef struct {
    const Table *data;
    const Column *var, *weight;
    Columns strata;
    double p, unrelated;
    const char *yes;
} args;

static const Param params[] = {
    TABLE(args, data, "Table to protect", .flags = REQUIRED | POSITIONAL),
    COLUMN(args, var, data, "Column with two values, yes and no", .flags = REQUIRED),
    REAL(args, p, NAN, 0, 1, "Probability of the true answer (with --unrelated: of answering the sensitive question at all)",
         .flags = REQUIRED | EXCLUSIVE),
    REAL(args, unrelated, NAN, 0, 1,
         "π_Y: share of yes to the unrelated question; else Warner's design, in which the answer is turned round"),
    TEXT(args, yes, NULL, "The value that means yes; the second of the two, in order, unless given"),
    COLUMNS(args, strata, data, "Estimates for each stratum"),
    COLUMN(args, weight, data, "Sampling weights, for the estimates", .flags = NUMERIC),
    END,
};

/* One stratum's answers: Σw, Σw², Σw over yes. */
typedef struct {
    int64_t records;
    double weight, squares, yes;
} Answers;
typedef struct {
    double lambda, estimate, mechanism, variance;
} Estimate;

static Status find_words(Work *work, const args *a, const Codes *codes, int32_t *yes) {
    char number[33];
    if (codes->count > 2) {
        fail(work->error, BAD, "has %d values: randomized response needs a column of two", codes->count);
        error_advice(work->error, "protect pram redraws columns of more values.");
        return error_column(work->error, a->var->name);
    }
    *yes = codes->count - 1;
    if (!a->yes) return OK;
    for (*yes = 0; *yes < codes->count; ++*yes)
        if (!strcmp(column_cell(a->var, codes->first_row[*yes], number), a->yes)) return OK;
    if (!codes->count) return OK;
    fail(work->error, BAD, "has no value that means yes");
    error_parameter(work->error, "yes");
    return error_column(work->error, a->var->name);
}

/* The answer of record i: words 2i and 2i+1 decide. */
static bool answer(const args *a, bool truth, const uint64_t *words) {
    if (word_uniform(words[0]) < a->p) return truth;
    return isnan(a->unrelated) ? !truth : word_uniform(words[1]) < a->unrelated;
}

static Status draw(Run *run, const args *a, const Codes *codes, int32_t yes, int64_t *from) {
    Status status = OK;
    Stream stream = run_stream(run, a->var->name, "answer");
    uint64_t *words = NULL;
    int64_t rows = a->data->rows;
    NEW(&run->work, words, 2 * rows + 2);
    stream_words(&stream, 0, (size_t)(2 * rows), words);
    for (int64_t i = 0; i < rows; i++) {
        if (codes->at[i] < 0) {
            from[i] = -1;
            continue;
        }
        bool said = answer(a, codes->at[i] == yes, words + 2 * i);
        from[i] = codes->first_row[said ? yes : codes->count - 1 - yes];
    }
done:
    arena_drop(run->work.arena, words);
    return status;
}

/* Warner 1965: π̂ = (λ̂ + p − 1)/(2p − 1); on a fixed table Var π̂ = p(1−p)/(n(2p−1)²), plus π(1−π)/n where the table is a sample.
 * Greenberg et al. 1969: π̂ = (λ̂ − (1−p)π_Y)/p, Var π̂ = λ(1−λ)/(np²); of it, on a fixed table, only what the mechanism adds:
 * (π·a(1−a) + (1−π)·b(1−b))/(np²) with a = p + (1−p)π_Y and b = (1−p)π_Y the chances of a yes. 1/n is Σw²/(Σw)² with weights. */
static Estimate estimate_of(const args *a, const Answers *s) {
    Estimate e = { NAN, NAN, NAN, NAN };
    double p = a->p, over_n = s->squares / (s->weight * s->weight);
    if (!(s->weight > 0)) return e;
    e.lambda = s->yes / s->weight;
    if (isnan(a->unrelated)) {
        e.estimate = (e.lambda + p - 1) / (2 * p - 1);
        e.mechanism = p * (1 - p) * over_n / pow(2 * p - 1, 2);
        e.variance = e.lambda * (1 - e.lambda) * over_n / pow(2 * p - 1, 2);
        return e;
    }
    double low = (1 - p) * a->unrelated, high = low + p;
    e.estimate = (e.lambda - low) / p;
    double share = fmin(1, fmax(0, e.estimate));
    e.mechanism = (share * high * (1 - high) + (1 - share) * low * (1 - low)) * over_n / (p * p);
    e.variance = e.lambda * (1 - e.lambda) * over_n / (p * p);
    return e;
}

static void count_answer(const args *a, const Codes *codes, int32_t yes, const int64_t *from, int64_t i, Answers *s) {
    double weight = a->weight ? column_number(a->weight, i) : 1;
    if (from[i] < 0 || isnan(weight)) return;
    s->records++;
    s->weight += weight;
    s->squares += weight * weight;
    if (from[i] == codes->first_row[yes]) s->yes += weight;
}

static Status say(Run *run, const args *a, const Codes *codes, int32_t yes, const int64_t *from) {
    Status status = OK;
    Strata strata;
    Answers all = { 0 }, *each = NULL;
    TRY(strata_make(&run->work, a->strata, a->data->rows, &strata));
    NEW(&run->work, each, strata.count + 1);
    for (int64_t i = 0; i < a->data->rows; i++) {
        count_answer(a, codes, yes, from, i, &all);
        count_answer(a, codes, yes, from, i, &each[strata.of[i]]);
    }
    Estimate e = estimate_of(a, &all);
    result_real(run->result, "lambda", e.lambda);
    result_real(run->result, "estimate", e.estimate);
    result_real(run->result, "mechanism_variance", e.mechanism);
    result_real(run->result, "variance", e.variance);
    if (!a->strata.count) return OK;
    Grid *grid =
        grid_new(run->result, "estimates", "stratum:text records:integer lambda:real estimate:real mechanism_variance:real variance:real");
    for (int64_t s = 0; s < strata.count; s++) {
        e = estimate_of(a, &each[s]);
        grid_text(grid, strata_name(&run->work, a->strata, &strata, s));
        grid_integer(grid, each[s].records);
        grid_real(grid, e.lambda);
        grid_real(grid, e.estimate);
        grid_real(grid, e.mechanism);
        grid_real(grid, e.variance);
    }
    grid_done(grid);
done:
    return status;
}

static Status randomized_response_run(Run *run, const void *p) {
    const args *a = p;
    Status status = OK;
    Work *work = &run->work;
    Column *made = NULL;
    Codes codes;
    int32_t yes = 0;
    int64_t *from = NULL;
    if (isnan(a->unrelated) && a->p == 0.5) {
        fail(work->error, BAD, "= 0.5 leaves nothing of the answers to estimate from");
        TRY(error_parameter(work->error, "p"));
    }
    TRY(column_codes(work, a->var, &codes));
    TRY(find_words(work, a, &codes, &yes));
    if (codes.count == 1) {
        fail(work->error, BAD, "has one value only: there is no other answer to give");
        TRY(error_column(work->error, a->var->name));
    }
    NEW(work, from, a->data->rows + 1);
    TRY(draw(run, a, &codes, yes, from));
    TRY(column_take(a->var, from, a->data->rows, &made, work->error));
    TRY(output_changed(run, a->data, &made, 1));
    if (codes.count) TRY(say(run, a, &codes, yes, from));
    if (isnan(a->unrelated))
        result_note(run->result, "To analyse: π̂ = (λ̂ + p − 1)/(2p − 1), λ̂ the share of yes in the release. Use mechanism_variance for the "
                                 "table itself, variance where the table is a sample.");
    else
        result_note(run->result, "To analyse: π̂ = (λ̂ − (1 − p)·π_Y)/p, λ̂ the share of yes in the release. Use mechanism_variance for the "
                                 "table itself, variance where the table is a sample.");
    result_note(run->result, "Missing answers stay missing and are not counted.");
done:
    column_release(made);
    return status;
}

static const Return values[] = {
    CHANGED_VALUES,
    VALUE(lambda, REAL, "Share of yes in the release", .flags = PUBLIC),
    VALUE(estimate, REAL, "Unbiased estimate of the true share of yes", .flags = PUBLIC),
    VALUE(mechanism_variance, REAL, "Its variance from the mechanism alone: for this table", .flags = PUBLIC),
    VALUE(variance, REAL, "Its variance where the table is itself a random sample", .flags = PUBLIC),
    TABLE_OUT(estimates, "stratum:text records:integer lambda:real estimate:real mechanism_variance:real variance:real",
              "The same for each stratum"),
    OUTPUT("The protected table"),
    END,
};

const Method protect_randomized_response = {
    .group = "protect",
    .name = "randomized-response",
    .summary = "Turn yes/no answers round, or replace them, with known probability",
    .source = "Warner 1965; Greenberg, Abul-Ela, Simmons & Horvitz 1969",
    .params = params,
    .size = sizeof(args),
    .traits = PERTURBS | RANDOM | ATTRIBUTE,
    .run = randomized_response_run,
    .values = values,
    .example = "scrim protect randomized-response examples/clinic.csv --var smoker --p 0.8",
};
