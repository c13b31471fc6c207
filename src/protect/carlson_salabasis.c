/* protect.carlson-salabasis: two random halves exchange their order statistics, column by column. Defined after Carlson & Salabasis 2002;
 * Sarathy & Muralidhar 2002: docs/methods/protect-carlson-salabasis.md. */
#include "base/elementary.h"
#include "math/ranks.h"
#include "protect/changed_table.h"
#include "classes/strata.h"

typedef struct {
    const Table *data;
    Columns vars, strata;
} args;

static const Param params[] = {
    TABLE(args, data, "Table to protect", .flags = REQUIRED | POSITIONAL),
    COLUMNS(args, vars, data, "Columns whose values are exchanged", .flags = REQUIRED | NUMERIC, .role = "numeric"),
    COLUMNS(args, strata, data, "The file is split within each stratum"),
    END,
};

/* Half of each stratum, at random: 0 or 1 per record; an odd record out falls to the first half. */
static Status split(Run *run, const Strata *strata, uint8_t *half) {
    Status status = OK;
    Work *work = &run->work;
    RandomStream stream = run_stream(run, NULL, "half");
    int64_t rows = strata->rows, *order = NULL, *laid = NULL, *begin = NULL;
    uint64_t *words = NULL;
    NEW(work, words, rows + 1);
    NEW(work, order, rows + 1);
    NEW(work, laid, rows + 1);
    NEW(work, begin, strata->count + 1);
    stream_words(&stream, 0, (size_t)rows, words);
    TRY(order_words(work, words, rows, order));
    TRY(strata_gather(work, strata, order, rows, laid, begin));
    for (int64_t s = 0; s < strata->count; s++)
        for (int64_t r = begin[s]; r < begin[s + 1]; r++) half[laid[r]] = (uint8_t)(r - begin[s] >= (begin[s + 1] - begin[s] + 1) / 2);
done:
    arena_drop(work->arena, words);
    arena_drop(work->arena, order);
    arena_drop(work->arena, laid);
    return status;
}

/* Carlson & Salabasis 2002: the r-th smallest of n₁ in one half takes the other half's order statistic of the same rank; where the halves
 * differ in size (an odd number, missing values), of rank ⌈r·n₂/n₁⌉. */
static void exchange(const int64_t *sorted, int64_t count, const uint8_t *half, int64_t *piece, int64_t *from) {
    int64_t size[2] = { 0 }, *side[2] = { piece, piece + count };
    for (int64_t r = 0; r < count; r++) side[half[sorted[r]]][size[half[sorted[r]]]++] = sorted[r];
    for (int h = 0; h < 2; h++)
        for (int64_t r = 0; r < size[h]; r++) {
            int64_t other = size[!h] ? ((r + 1) * size[!h] + size[h] - 1) / size[h] - 1 : -1;
            from[side[h][r]] = other < 0 ? side[h][r] : side[!h][other];
        }
}

static Status exchange_column(Run *run, const Column *column, const Strata *strata, const uint8_t *half, Column **out) {
    Status status = OK;
    Work *work = &run->work;
    const double *x = NULL;
    int64_t rows = column->rows, count = 0, *order = NULL, *sorted = NULL, *begin = NULL, *piece = NULL, *from = NULL;
    TRY(work_check(work));
    TRY(column_reals(work, column, &x));
    NEW(work, order, rows + 1);
    NEW(work, sorted, rows + 1);
    NEW(work, piece, 2 * rows + 1);
    NEW(work, from, rows + 1);
    NEW(work, begin, strata->count + 1);
    for (int64_t i = 0; i < rows; i++) from[i] = -1;
    TRY(order_reals(work, x, rows, order, &count));
    TRY(strata_gather(work, strata, order, count, sorted, begin));
    for (int64_t s = 0; s < strata->count; s++) exchange(sorted + begin[s], begin[s + 1] - begin[s], half, piece, from);
    TRY(column_take(column, from, rows, out, work->error));
done:
    arena_drop(work->arena, order);
    arena_drop(work->arena, sorted);
    arena_drop(work->arena, piece);
    arena_drop(work->arena, from);
    return status;
}

static Status carlson_salabasis_run(Run *run, const void *p) {
    const args *a = p;
    Status status = OK;
    Strata strata;
    uint8_t *half = NULL;
    Column **made = NULL;
    int64_t first = 0;
    NEW(&run->work, made, a->vars.count + 1);
    NEW(&run->work, half, a->data->rows + 1);
    TRY(strata_make(&run->work, a->strata, a->data->rows, &strata));
    TRY(split(run, &strata, half));
    for (int64_t v = 0; v < a->vars.count; v++) TRY(exchange_column(run, a->vars.at[v], &strata, half, &made[v]));
    TRY(output_changed(run, a->data, made, a->vars.count));
    for (int64_t i = 0; i < a->data->rows; i++) first += !half[i];
    result_integer(run->result, "first_half", first);
    result_integer(run->result, "second_half", a->data->rows - first);
    result_note(run->result,
                "Warning: this method is weak. Ranks are kept, so values stay close to the originals, and closer the larger the file. "
                "Sarathy & Muralidhar (2002) show that it gives almost no protection. Use protect shuffle or protect rank-swap.");
    result_note(run->result, "Missing values stay missing.");
done:
    columns_release(made, a->vars.count);
    return status;
}

static const Return values[] = {
    CHANGED_VALUES,
    VALUE(first_half, INTEGER, "Records in the first half", .flags = PUBLIC),
    VALUE(second_half, INTEGER, "Records in the second half", .flags = PUBLIC),
    RELEASED("The protected table"),
    END,
};

const Method protect_carlson_salabasis = {
    .group = "protect",
    .name = "carlson-salabasis",
    .summary = "Carlson–Salabasis method: two random halves exchange their order statistics (weak protection)",
    .source = "Carlson & Salabasis 2002; Sarathy & Muralidhar 2002",
    .params = params,
    .size = sizeof(args),
    .traits = PERTURBS | RANDOM | IDENTITY | ATTRIBUTE,
    .run = carlson_salabasis_run,
    .values = values,
    .example = "scrim protect carlson-salabasis examples/clinic.csv --vars income,cholesterol",
};
