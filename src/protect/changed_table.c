/* New columns into a new table, and the count of cells and records that changed. */
#include "protect/changed_table.h"
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"

static bool all_whole(const double *values, int64_t rows) {
    for (int64_t i = 0; i < rows; i++)
        if (!isnan(values[i]) && (values[i] != floor(values[i]) || fabs(values[i]) > 0x1p53)) return false;
    return true;
}

static Status no_number(const Column *like, int64_t row, Error *error) {
    fail(error, FAILED, "a protected value came out as no finite number");
    error_column(error, like->name);
    return error_row(error, row);
}

Status column_of_draws(const Column *like, const double *values, Column **out, Error *error) {
    for (int64_t i = 0; i < like->rows; i++)
        if (isnan(values[i]) && !column_missing(like, i)) return no_number(like, i, error);
    return column_of_reals(like, values, out, error);
}

Status column_of_reals(const Column *like, const double *values, Column **out, Error *error) {
    Status status = OK;
    Column *column = NULL;
    bool whole = like->type == INTEGER_TYPE && all_whole(values, like->rows), missing = false;
    for (int64_t i = 0; i < like->rows; i++)
        if (isinf(values[i])) TRY(no_number(like, i, error));
    TRY(column_new(whole ? INTEGER_TYPE : REAL_TYPE, like->name, like->rows, &column, error));
    for (int64_t i = 0; i < like->rows; i++) {
        if (isnan(values[i])) missing = true;
        else if (whole) column->integer[i] = (int64_t)values[i];
        else column->real[i] = values[i];
    }
    if (missing) TRY(column_need_valid(column, error));
    for (int64_t i = 0; missing && i < like->rows; i++)
        if (isnan(values[i])) column_set_missing(column, i);
    column_seal(column);
    column_narrow(column);
    *out = column;
done:
    if (status) column_release(column);
    return status;
}

static bool cell_changed(const Column *before, const Column *after, int64_t row) {
    bool gone = column_missing(after, row), absent = column_missing(before, row);
    char a[33], b[33];
    if (gone || absent) return gone != absent;
    if (before->type == INTEGER_TYPE && after->type == INTEGER_TYPE) return column_integer(before, row) != column_integer(after, row);
    if (column_numeric(before) && column_numeric(after)) return column_number(before, row) != column_number(after, row);
    if (before->type == after->type && before->words == after->words && !type_wide(before->type) && before->type != TEXT_TYPE)
        return before->code[row] != after->code[row];
    return strcmp(column_cell(before, row, a), column_cell(after, row, b)) != 0;
}

typedef struct {
    const Table *data;
    Column *const *columns;
    int64_t count;
    const Column **before;
    int64_t *cells, *records;
    const int64_t *times;
} Counting;
static Status count_block(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    Counting *c = self;
    (void)error;
    for (int64_t i = first; i < last; i++) {
        int64_t cells = 0;
        for (int64_t j = 0; j < c->count; j++) cells += !c->before[j] || cell_changed(c->before[j], c->columns[j], i);
        int64_t times = c->times ? c->times[i] : 1;
        c->cells[block] += cells * times;
        c->records[block] += (cells > 0) * times;
    }
    return OK;
}

enum { CELLS = 0, RECORDS = 1 }; /* places in PartState.count */

static Status count_changes(Run *run, const Table *data, Column *const *columns, int64_t count, PartState *did) {
    enum { BLOCK = 1 << 14 };
    Status status = OK;
    Counting c = { .data = data, .columns = columns, .count = count, .times = run->work.times };
    int64_t blocks = blocks_of(data->rows, BLOCK);
    NEW(&run->work, c.before, count + 1);
    NEW(&run->work, c.cells, blocks + 1);
    NEW(&run->work, c.records, blocks + 1);
    for (int64_t j = 0; j < count; j++) c.before[j] = table_column(data, columns[j]->name);
    TRY(parallel_for(&run->work, data->rows, BLOCK, count_block, &c));
    for (int64_t b = 0; b < blocks; b++) {
        did->count[CELLS] += c.cells[b];
        did->count[RECORDS] += c.records[b];
    }
done:
    return status;
}

void say_changed(Run *run, const PartState *did) {
    result_integer(run->result, "cells", did->count[CELLS]);
    result_integer(run->result, "records", did->count[RECORDS]);
    result_real(run->result, "share", did->rows ? (double)did->count[RECORDS] / (double)did->rows : NAN);
}

Status output_part(Run *run, const Table *data, Column *const *columns, int64_t count, PartState *did) {
    Status status = OK;
    Table *table = NULL;
    TRY(count_changes(run, data, columns, count, did));
    TRY(table_with(data, columns, count, &table, run->work.error));
    result_output(run->result, table);
done:
    return status;
}

Status output_changed(Run *run, const Table *data, Column *const *columns, int64_t count) {
    PartState did = { 0 };
    Status status = output_part(run, data, columns, count, &did);
    for (int64_t i = 0; i < data->rows; i++) did.rows += work_times(&run->work, i);
    if (!status) say_changed(run, &did);
    return status;
}

void columns_release(Column **columns, int64_t count) {
    for (int64_t j = 0; columns && j < count; j++) column_release(columns[j]);
}
