/* Substitution: the chosen records' keys are changed by one of five methods. */
#include <string.h>
#include "base/elementary.h"
#include "base/number_text.h"
#include "math/neighbours/neighbours.h"
#include "protect/massc/massc.h"
#include "protect/changed_table.h"

enum { DONORS = 10 };
#define ROW_NAME "(row)"

/* Runs another protect method on a table at hand, over these columns. */
static Status run_on(Massc *m, const char *method, const Table *table, const char *columns_name, const char *const *columns, int64_t count,
                     const char *option, double value, const char *choice, Result **out) {
    Table *data = (Table *)(uintptr_t)table;
    char number[33];
    const char *text = real_text(value, number);
    Arg arg[4] = { { .name = "data", .count = 1, .tables = &data },
                   { .name = columns_name, .count = count, .items = columns },
                   { .name = option, .count = 1, .items = &text },
                   { .name = "method", .count = 1, .items = &choice } };
    return run_method(m->run, method, &(Args){ choice ? 4 : 3, arg }, out);
}

/* ---- values from other records ---- */

/* The chosen records exchange their keys, all together, by protect.swap; a column of row numbers goes along and tells whose they got. */
static Status swap_rows(Massc *m, int64_t *from) {
    Status status = OK;
    Work *work = &m->run->work;
    Column *row = NULL;
    Table *numbered = NULL, *some = NULL;
    Result *result = NULL;
    const char **names = NULL;
    int64_t *rows = NULL, count = 0;
    NEW(work, rows, m->rows + 1);
    NEW(work, names, m->keys.count + 2);
    for (int64_t i = 0; i < m->rows; i++)
        if (m->chosen[i]) rows[count++] = i;
    TRY(column_new(INTEGER_TYPE, ROW_NAME, m->rows, &row, work->error));
    for (int64_t i = 0; i < m->rows; i++) row->integer[i] = i;
    TRY(table_with(m->a->data, &row, 1, &numbered, work->error));
    TRY(table_take(numbered, rows, count, &some, work->error));
    for (int64_t k = 0; k < m->keys.count; k++) names[k] = m->keys.at[k]->name;
    names[m->keys.count] = ROW_NAME;
    TRY(run_on(m, "protect.swap", some, "vars", names, m->keys.count + 1, "rate", 1, NULL, &result));
    const Column *got = table_column(result->output[0], ROW_NAME);
    for (int64_t k = 0; k < count; k++) from[rows[k]] = column_integer(got, k);
done:
    column_release(row);
    table_release(numbered);
    table_release(some);
    result_free(result);
    return status;
}

static bool among(const Column *column, Columns columns) {
    for (int64_t k = 0; k < columns.count; k++)
        if (columns.at[k] == column) return true;
    return false;
}

/* What donors must resemble: --like, else all numbers that are no keys. */
static Status like_columns(Massc *m, Columns *out) {
    Status status = OK;
    *out = m->a->like;
    if (out->count) goto done;
    NEW(&m->run->work, out->at, m->a->data->columns + 1);
    for (int64_t j = 0; j < m->a->data->columns; j++) {
        const Column *column = m->a->data->column[j];
        if (column_numeric(column) && column != m->a->weight && !among(column, m->keys)) out->at[out->count++] = column;
    }
done:
    return status;
}

/* Hot-deck imputation: the keys of a donor drawn from the ten records that are nearest on the other columns. Who lacks one of these takes
 * any record's. */
static Status donor_rows(Massc *m, int64_t *from) {
    Status status = OK;
    Work *work = &m->run->work;
    Columns like = { 0 };
    const Scale *scale;
    Space space;
    Neighbours *all = NULL, *asking = NULL;
    RandomStream stream = run_stream(m->run, NULL, "donor");
    int64_t *rows = NULL, *near = NULL, count = 0;
    uint64_t *words = NULL;
    NEW(work, rows, m->rows + 1);
    NEW(work, words, m->rows + 1);
    NEW(work, near, m->rows * DONORS + 1);
    stream_words(&stream, 0, (size_t)m->rows, words);
    for (int64_t i = 0; i < m->rows * DONORS; i++) near[i] = -1;
    for (int64_t i = 0; i < m->rows; i++)
        if (m->chosen[i]) rows[count++] = i;
    TRY(like_columns(m, &like));
    if (like.count) {
        TRY(scale_make(work, like, NULL, EUCLIDEAN, &scale));
        TRY(scale_space(work, scale, like, &space));
        TRY(neighbours_make(work, &space, NULL, m->rows, &all));
        TRY(neighbours_make(work, &space, rows, count, &asking));
        TRY(neighbours_k(work, asking, all, true, DONORS, near, NULL));
    }
    for (int64_t k = 0; k < count; k++) {
        int64_t i = rows[k], found = 0;
        while (found < DONORS && near[i * DONORS + found] >= 0) found++;
        from[i] =
            found ? near[i * DONORS + (int64_t)word_below(words[i], (uint64_t)found)] : (int64_t)word_below(words[i], (uint64_t)m->rows);
    }
done:
    arena_drop(work->arena, near);
    return status;
}

static Status keys_from_rows(Massc *m) {
    Status status = OK;
    int64_t *from = NULL;
    NEW(&m->run->work, from, m->rows + 1);
    for (int64_t i = 0; i < m->rows; i++) from[i] = i;
    TRY(m->a->substitute == BY_SWAP ? swap_rows(m, from) : donor_rows(m, from));
    for (int64_t k = 0; k < m->keys.count; k++) {
        column_release(m->key[k]);
        m->key[k] = NULL;
        TRY(column_of_rows(m->keys.at[k], from, &m->key[k], m->run->work.error));
    }
done:
    return status;
}

/* ---- values of the record's own, made coarser or noisy ---- */

/* The chosen cells of `other` in place of the column's. Whole numbers stay whole. */
static Status mix_numbers(Massc *m, const Column *column, const Column *other, Column **out) {
    Status status = OK;
    double *mixed = NULL;
    NEW(&m->run->work, mixed, m->rows + 1);
    for (int64_t i = 0; i < m->rows; i++) {
        double value = column_number(m->chosen[i] ? other : column, i);
        mixed[i] = column->type == INTEGER_TYPE ? round(value) : value;
    }
    TRY(column_of_draws(column, mixed, out, m->run->work.error));
done:
    return status;
}

static Status mix_words(Massc *m, const Column *column, const Column *other, Column **out) {
    Status status = OK;
    const char **cells = NULL;
    char number[33];
    NEW(&m->run->work, cells, m->rows + 1);
    for (int64_t i = 0; i < m->rows; i++) {
        const char *cell = column_cell(m->chosen[i] ? other : column, i, number);
        cells[i] = cell == number ? arena_text(m->run->work.arena, cell) : cell;
    }
    TRY(column_category(column->name, cells, m->rows, out, m->run->work.error));
done:
    return status;
}

static Status no_keys(Massc *m, const char *what) {
    fail(m->run->work.error, BAD, "changes %s, and none of the keys is one", what);
    error_advice(m->run->work.error, "swap, synthesis and synth change keys of any kind.");
    return error_parameter(m->run->work.error, "substitute");
}

/* One key of the result of a method, laid over the original. */
static Status lay_over(Massc *m, int64_t k, const Result *result) {
    Status status = OK;
    const Column *column = m->keys.at[k], *other = table_column(result->output[0], column->name);
    Column *mixed = NULL;
    TRY((column_numeric(column) && column_numeric(other) ? mix_numbers : mix_words)(m, column, other, &mixed));
    column_release(m->key[k]);
    m->key[k] = mixed;
done:
    return status;
}

static Status perturb_numbers(Massc *m) {
    Status status = OK;
    Result *result = NULL;
    const char **names = NULL;
    int64_t count = 0;
    bool noise = m->a->substitute == BY_NOISE;
    NEW(&m->run->work, names, m->keys.count + 1);
    for (int64_t k = 0; k < m->keys.count; k++)
        if (column_numeric(m->keys.at[k])) names[count++] = m->keys.at[k]->name;
    if (!count) TRY(no_keys(m, "numbers"));
    TRY(run_on(m, noise ? "protect.noise" : "protect.round", m->a->data, "vars", names, count, noise ? "amount" : "base",
               noise ? m->a->amount : m->a->base, noise ? "independent" : "random", &result));
    for (int64_t k = 0; k < m->keys.count; k++)
        if (column_numeric(m->keys.at[k])) TRY(lay_over(m, k, result));
done:
    result_free(result);
    return status;
}

static Status recode_categories(Massc *m) {
    Status status = OK;
    Result *result = NULL;
    int64_t count = 0;
    for (int64_t k = 0; k < m->keys.count; k++) {
        if (column_linear(m->keys.at[k])) continue;
        TRY(run_on(m, "protect.recode", m->a->data, "var", (const char *[]){ m->keys.at[k]->name }, 1, "min-count", m->a->min_count, NULL,
                   &result));
        TRY(lay_over(m, k, result));
        result_free(result);
        result = NULL;
        count++;
    }
    if (!count) TRY(no_keys(m, "categories"));
done:
    result_free(result);
    return status;
}

/* Which keys of which records are drawn: all of the chosen ones'. */
static Status mark_chosen(Massc *m, Table **out) {
    Status status = OK;
    Column **mark = NULL;
    NEW(&m->run->work, mark, m->keys.count + 1);
    for (int64_t k = 0; k < m->keys.count; k++) {
        TRY(column_new(INTEGER_TYPE, m->keys.at[k]->name, m->rows, &mark[k], m->run->work.error));
        for (int64_t i = 0; i < m->rows; i++) mark[k]->integer[i] = m->chosen[i];
        column_seal(mark[k]);
    }
    TRY(table_new("chosen", mark, m->keys.count, m->rows, out, m->run->work.error));
done:
    for (int64_t k = 0; mark && k < m->keys.count; k++) column_release(mark[k]);
    return status;
}

/* Keys drawn given all other columns, by synth partial; what is not chosen it leaves as it is. */
static Status draw_keys(Massc *m) {
    Status status = OK;
    Result *result = NULL;
    Table *data = (Table *)(uintptr_t)m->a->data, *cells = NULL;
    const char **names = NULL;
    NEW(&m->run->work, names, m->keys.count + 1);
    for (int64_t k = 0; k < m->keys.count; k++) names[k] = m->keys.at[k]->name;
    TRY(mark_chosen(m, &cells));
    Arg arg[] = { { .name = "data", .count = 1, .tables = &data },
                  { .name = "vars", .count = m->keys.count, .items = names },
                  { .name = "cells", .count = 1, .tables = &cells } };
    TRY(run_method(m->run, "synth.partial", &(Args){ 3, arg }, &result));
    for (int64_t k = 0; k < m->keys.count; k++) {
        column_release(m->key[k]);
        m->key[k] = column_retain(table_column(result->output[0], names[k]));
    }
done:
    table_release(cells);
    result_free(result);
    return status;
}

static bool same_cell(const Column *a, const Column *b, int64_t row) {
    char x[33], y[33];
    const char *one = column_cell(a, row, x), *other = column_cell(b, row, y);
    return one && other ? !strcmp(one, other) : one == other;
}

Status massc_substitute(void *self) {
    Status status = OK;
    Massc *m = self;
    int64_t chosen = 0;
    for (int64_t k = 0; k < m->keys.count; k++) m->key[k] = column_retain(m->keys.at[k]);
    for (int64_t i = 0; i < m->rows; i++) chosen += m->chosen[i];
    if (!chosen) goto done;
    if (m->a->substitute == BY_SWAP || m->a->substitute == BY_SYNTHESIS) TRY(keys_from_rows(m));
    else if (m->a->substitute == BY_SYNTH) TRY(draw_keys(m));
    else TRY(m->a->substitute == BY_RECODE ? recode_categories(m) : perturb_numbers(m));
    for (int64_t i = 0; i < m->rows; i++)
        for (int64_t k = 0; k < m->keys.count && m->chosen[i]; k++) m->changed[i] |= !same_cell(m->keys.at[k], m->key[k], i);
done:
    return status;
}
