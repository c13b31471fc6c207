/* protect.randomized-response: a sensitive yes/no answer is turned round, or replaced by an unrelated one, with known probability.
 * Defined after Warner 1965; Greenberg, Abul-Ela, Simmons & Horvitz 1969: docs/methods/protect-randomized-response.md. */
#include <string.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "protect/changed_table.h"
#include "classes/strata.h"

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
    REAL(args, p, NAN, 0, 1,
         "Probability of the true answer (with --unrelated: of answering the sensitive question). Smaller = more protection",
         .flags = REQUIRED | EXCLUSIVE),
    REAL(args, unrelated, NAN, 0, 1,
         "π_Y: share of yes to the unrelated question; without it Warner's design, in which the answer is reversed"),
    TEXT(args, yes, NULL, "Value that means yes (default: the second of the two in order)"),
    COLUMNS(args, strata, data, "Estimates for each stratum"),
    COLUMN(args, weight, data, "Sampling weights, for the estimates", .flags = NUMERIC),
    END,
};

/* One stratum's answers. */
typedef struct {
    int64_t records;
    double weight, squares, yes;
} Answers;
/* As exact sums: n, Σw, Σw², Σw over yes. */
enum { ANSWERS, WEIGHTS, SQUARES, YES, SUMS };

/* The two answers, from all of the table: their cells as a column of two rows, in order. */
typedef struct {
    Column *cells;
    Codes codes;
    const int64_t *code; /* tuple of the roll → its code, or -1 */
    int32_t yes;
} Words;

typedef struct {
    double lambda, estimate, mechanism, variance;
} Estimate;

static Status find_yes(Work *work, const args *a, const Column *cells, const Codes *codes, int32_t *yes) {
    char number[33];
    if (codes->count > 2) {
        fail(work->error, BAD, "has %d values: randomized response needs a column of two", codes->count);
        error_advice(work->error, "protect pram redraws columns of more values.");
        return error_column(work->error, a->var->name);
    }
    *yes = codes->count - 1;
    if (!a->yes) return OK;
    for (*yes = 0; *yes < codes->count; ++*yes)
        if (!strcmp(column_cell(cells, codes->first_row[*yes], number), a->yes)) return OK;
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

static Status find_words(Run *run, const args *a, const PartState *fit, Words *out) {
    Status status = OK;
    Table *table = NULL;
    int64_t *order, *code = NULL;
    *out = (Words){ 0 };
    if (isnan(a->unrelated) && a->p == 0.5) {
        fail(run->work.error, BAD, "= 0.5 leaves no information in the answers");
        TRY(error_parameter(run->work.error, "p"));
    }
    const TupleCounts *roll = fit->roll[0];
    TRY(tuple_counts_order(&run->work, roll, &order));
    TRY(tuple_counts_table(&run->work, roll, NULL, order, &table));
    out->cells = column_retain(table->column[0]);
    TRY(column_codes(&run->work, out->cells, &out->codes));
    TRY(find_yes(&run->work, a, out->cells, &out->codes, &out->yes));
    if (out->codes.count == 1) {
        fail(run->work.error, BAD, "has only one value, so there is no other answer");
        TRY(error_column(run->work.error, a->var->name));
    }
    NEW(&run->work, code, roll->count + 1);
    for (int64_t i = 0; i < roll->count; i++) code[order[i]] = out->codes.at[i];
    out->code = code;
done:
    table_release(table);
    return status;
}

/* Each record's answer, as a row of the two; -1 where it is missing. */
static Status draw(Run *run, const args *a, const PartState *fit, const Words *w, int64_t *from) {
    Status status = OK;
    RandomStream stream = run_stream(run, a->var->name, "answer");
    uint64_t *words = NULL;
    int64_t rows = a->data->rows, *place = NULL;
    NEW(&run->work, words, 2 * rows + 2);
    TRY(tuple_counts_find(&run->work, fit->roll[0], (Columns){ 1, (const Column **)(uintptr_t)&a->var }, rows, &place));
    stream_words(&stream, (uint64_t)(2 * run->first_row), (size_t)(2 * rows), words);
    for (int64_t i = 0; i < rows; i++) {
        if (place[i] < 0)
            TRY(fail(run->work.error, BAD, "protect randomized-response was not shown this part of the table when it learned"));
        int64_t code = w->code[place[i]];
        from[i] = -1;
        if (code < 0) continue;
        bool said = answer(a, code == w->yes, words + 2 * i);
        from[i] = w->codes.first_row[said ? w->yes : w->codes.count - 1 - w->yes];
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
    double share = smaller(1, larger(0, e.estimate));
    e.mechanism = (share * high * (1 - high) + (1 - share) * low * (1 - low)) * over_n / (p * p);
    e.variance = e.lambda * (1 - e.lambda) * over_n / (p * p);
    return e;
}

static void count_answer(const args *a, const Words *w, const int64_t *from, int64_t i, ExactSum *s) {
    double weight = a->weight ? column_number(a->weight, i) : 1;
    if (from[i] < 0 || isnan(weight)) return;
    exact_sum_add(&s[ANSWERS], 1);
    exact_sum_add(&s[WEIGHTS], weight);
    exact_sum_add_product(&s[SQUARES], weight, weight);
    if (from[i] == w->codes.first_row[w->yes]) exact_sum_add(&s[YES], weight);
}

static Answers answers_of(const ExactSum *s) {
    return (Answers){ (int64_t)exact_sum_real(&s[ANSWERS]), exact_sum_real(&s[WEIGHTS]), exact_sum_real(&s[SQUARES]),
                      exact_sum_real(&s[YES]) };
}

static Status say_estimates(Run *run, const args *a, const TupleCounts *roll) {
    Status status = OK;
    ExactSum *all = NULL;
    int64_t *order;
    const char **names;
    NEW(&run->work, all, SUMS);
    for (int64_t t = 0; t < roll->count; t++)
        for (int i = 0; i < SUMS; i++) exact_sum_merge(&all[i], &roll->sum[t * SUMS + i]);
    Answers answers = answers_of(all);
    Estimate e = estimate_of(a, &answers);
    result_real(run->result, "lambda", e.lambda);
    result_real(run->result, "estimate", e.estimate);
    result_real(run->result, "mechanism_variance", e.mechanism);
    result_real(run->result, "variance", e.variance);
    if (!a->strata.count) return OK;
    TRY(tuple_counts_order(&run->work, roll, &order));
    TRY(tuple_counts_names(&run->work, roll, &names));
    Grid *grid =
        grid_new(run->result, "estimates", "stratum:text records:integer lambda:real estimate:real mechanism_variance:real variance:real");
    for (int64_t s = 0; s < roll->count; s++) {
        answers = answers_of(&roll->sum[order[s] * SUMS]);
        e = estimate_of(a, &answers);
        grid_text(grid, names[s]);
        grid_integer(grid, answers.records);
        grid_real(grid, e.lambda);
        grid_real(grid, e.estimate);
        grid_real(grid, e.mechanism);
        grid_real(grid, e.variance);
    }
    grid_done(grid);
done:
    return status;
}

/* ---- in parts ---- */

static Status learn_answers(Run *run, const void *p, PartState *fit) {
    const args *a = p;
    TupleCounts *roll;
    int64_t *place;
    Status status = state_tuple_counts(fit, 0, 1, 0, false, &roll, run->work.error);
    if (status) return status;
    return tuple_counts_add(&run->work, roll, (Columns){ 1, (const Column **)(uintptr_t)&a->var }, NULL, a->data->rows, run->first_row,
                            &place);
}

static Status give_answers(Run *run, const void *p, const PartState *fit, PartState *did) {
    const args *a = p;
    Status status = OK;
    Work *work = &run->work;
    Column *made = NULL;
    Words words = { 0 };
    TupleCounts *roll;
    int64_t *from = NULL, *place;
    TRY(find_words(run, a, fit, &words));
    NEW(work, from, a->data->rows + 1);
    TRY(draw(run, a, fit, &words, from));
    TRY(column_take(words.cells, from, a->data->rows, &made, work->error));
    TRY(output_part(run, a->data, &made, 1, did));
    TRY(state_tuple_counts(did, 0, a->strata.count, SUMS, false, &roll, work->error));
    TRY(tuple_counts_add(work, roll, a->strata, NULL, a->data->rows, run->first_row, &place));
    for (int64_t i = 0; i < a->data->rows; i++) count_answer(a, &words, from, i, &roll->sum[place[i] * SUMS]);
done:
    column_release(words.cells);
    column_release(made);
    return status;
}

static Status say_answers(Run *run, const void *p, const PartState *fit, const PartState *did) {
    const args *a = p;
    Status status = OK;
    Words words = { 0 };
    TRY(find_words(run, a, fit, &words));
    say_changed(run, did);
    if (words.codes.count && did->roll[0]) TRY(say_estimates(run, a, did->roll[0]));
    if (isnan(a->unrelated))
        result_note(run->result, "To analyse: π̂ = (λ̂ + p − 1)/(2p − 1), with λ̂ the share of yes in the release. Use mechanism_variance for "
                                 "the table itself, and variance if the table is a sample.");
    else
        result_note(run->result, "To analyse: π̂ = (λ̂ − (1 − p)·π_Y)/p, with λ̂ the share of yes in the release. Use mechanism_variance for "
                                 "the table itself, and variance if the table is a sample.");
    result_note(run->result, "Missing answers stay missing and are not counted.");
done:
    column_release(words.cells);
    return status;
}

static const InParts in_parts = { .shape = BY_ROW, .fit = learn_answers, .apply = give_answers, .say = say_answers };

static const Return values[] = {
    CHANGED_VALUES,
    VALUE(lambda, REAL, "Share of yes in the release", .flags = PUBLIC),
    VALUE(estimate, REAL, "Unbiased estimate of the true share of yes", .flags = PUBLIC),
    VALUE(mechanism_variance, REAL, "Variance of the estimate from the mechanism alone, for this table", .flags = PUBLIC),
    VALUE(variance, REAL, "Variance of the estimate if the table is itself a random sample", .flags = PUBLIC),
    TABLE_OUT(estimates, "stratum:text records:integer lambda:real estimate:real mechanism_variance:real variance:real",
              "The same for each stratum"),
    RELEASED("The protected table"),
    END,
};

const Method protect_randomized_response = {
    .group = "protect",
    .name = "randomized-response",
    .summary = "Randomised response: change yes/no answers with known probability",
    .source = "Warner 1965; Greenberg, Abul-Ela, Simmons & Horvitz 1969",
    .params = params,
    .size = sizeof(args),
    .traits = PERTURBS | RANDOM | ATTRIBUTE,
    .parts = &in_parts,
    .values = values,
    .example = "scrim protect randomized-response examples/clinic.csv --var smoker --p 0.8",
};
