/* Values in place of those that name people. They say nothing of the data but how long its numbers are: no gap between them tells which
 * numbers are real. */
#include <string.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "synth/engine/direct_columns.h"

enum { MOST_DIGITS = 18, MOST_OF_REALS = 15 }; /* of real numbers beyond that, not all whole ones are there */

/* The largest magnitude of a number in the column. */
static double largest(const Column *column) {
    double most = 0;
    for (int64_t i = 0; column && column_numeric(column) && i < column->rows; i++)
        if (!column_missing(column, i)) most = larger(most, fabs(column_number(column, i)));
    return most;
}

/* Numbers with one more digit than the longest: 100001, 100002 … */
static Status numbers(Run *run, const Column *column, const Column *beside, int64_t first, int64_t rows, Column **out) {
    Status status = OK;
    double most = larger(largest(column), largest(beside));
    int64_t from = 10;
    int digits = 1, limit = column->type == REAL_TYPE ? MOST_OF_REALS : MOST_DIGITS;
    for (; digits < limit && (double)from <= most; digits++) from *= 10;
    if ((double)from <= most) {
        fail(run->work.error, BAD, "has numbers of more than %d digits, beside which none can be made up", limit);
        error_column(run->work.error, column->name);
        TRY(error_advice(run->work.error, "Leave the column out with --vars, or read it as text."));
    }
    TRY(column_new(column->type, column->name, rows, out, run->work.error));
    for (int64_t i = 0; i < rows; i++) {
        if (column->type == REAL_TYPE) (*out)->real[i] = (double)(from + first + i + 1);
        else (*out)->integer[i] = from + first + i + 1;
    }
    column_seal(*out);
done:
    return status;
}

static bool begins_a_cell(const Column *column, const char *text) {
    char number[33];
    size_t length = strlen(text);
    for (int64_t i = 0; column && i < column->rows; i++) {
        const char *cell = column_cell(column, i, number);
        if (cell && !strncmp(cell, text, length)) return true;
    }
    return false;
}

/* "name 17": the column's name, and more words where a real value begins with it. */
static Status words(Run *run, const Column *column, const Column *beside, int64_t first, int64_t rows, Column **out) {
    Status status = OK;
    Work *work = &run->work;
    const char **cell = NULL, *begin = arena_print(work->arena, "%s ", column->name);
    while (begin && (begins_a_cell(column, begin) || begins_a_cell(beside, begin))) begin = arena_print(work->arena, "made-up %s", begin);
    NEW(work, cell, rows + 1);
    for (int64_t i = 0; begin && i < rows; i++) {
        cell[i] = arena_print(work->arena, "%s%lld", begin, (long long)(first + i + 1));
        if (!cell[i]) begin = NULL;
    }
    if (!begin) TRY(out_of_memory(work->error));
    TRY((column->type == TEXT_TYPE ? column_text : column_category)(column->name, cell, rows, out, work->error));
done:
    return status;
}

static Status nothing(Run *run, const Column *column, int64_t rows, Column **out) {
    Status status = OK;
    TRY(column_new(column->type, column->name, rows, out, run->work.error));
    TRY(column_need_valid(*out, run->work.error));
    for (int64_t i = 0; i < rows; i++) column_set_missing(*out, i);
    column_seal(*out);
done:
    return status;
}

Status made_up_column(Run *run, const Column *column, const Column *beside, int64_t first, int64_t rows, Column **out) {
    if (column_numeric(column)) return numbers(run, column, beside, first, rows, out);
    if (column->type == CATEGORY_TYPE || column->type == TEXT_TYPE) return words(run, column, beside, first, rows, out);
    return nothing(run, column, rows, out);
}

static const Column *made_up_of(const SynthArgs *a, const char *name) {
    for (int64_t j = 0; j < a->made_up.count; j++)
        if (!strcmp(a->made_up.at[j]->name, name)) return a->made_up.at[j];
    return NULL;
}

Status with_made_up(Run *run, const SynthArgs *a, const Table *table, int64_t set, Table **out) {
    Status status = OK;
    const Table *order[] = { a->data, table, a->frame };
    Column **made = NULL;
    int64_t count = 0, most = 0;
    for (int t = 0; t < 3; t++) most += order[t] ? order[t]->columns : 0;
    NEW(&run->work, made, most + 1);
    for (int t = 0; t < 3; t++)
        for (int64_t j = 0; order[t] && j < order[t]->columns; j++) {
            const char *name = order[t]->column[j]->name;
            const Column *column = made_up_of(a, name), *drawn = table_column(table, name);
            bool placed = (!column && !drawn) || (t && table_column(order[0], name)) || (t > 1 && drawn);
            if (placed) continue;
            if (!column) made[count] = column_retain(drawn);
            else
                TRY(made_up_column(run, column, a->frame ? table_column(a->frame, name) : NULL, set * table->rows, table->rows,
                                   &made[count]));
            count++;
        }
    TRY(table_new(table->name, made, count, table->rows, out, run->work.error));
done:
    for (int64_t j = 0; made && j < count; j++) column_release(made[j]);
    return status;
}
