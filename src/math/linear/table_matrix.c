/* Matrices out of tables. */
#include "math/linear/table_matrix.h"
#include <string.h>
#include "base/elementary.h"

Status matrix_need_number(Work *work, const Table *table, const char *what, int64_t column, int64_t row, double value) {
    if (isfinite(value)) return OK;
    fail(work->error, BAD, "%s has a cell that is missing or not a number", what);
    if (table->name) error_file(work->error, table->name);
    error_column(work->error, table->column[column]->name);
    return error_row(work->error, row);
}

static bool is_sparse(const Table *table) {
    return table->columns == 3 && table_column(table, "row") && table_column(table, "column") && table_column(table, "value");
}

static Status read_dense(Work *work, const Table *table, const char *what, TableMatrix *out) {
    Status status = OK;
    int64_t used = 0;
    *out = (TableMatrix){ .rows = table->rows, .columns = table->columns };
    NEW(work, out->start, table->columns + 1);
    NEW(work, out->entry, table->rows * table->columns + 1);
    for (int64_t j = 0; j < table->columns; j++) {
        for (int64_t i = 0; i < table->rows; i++) {
            double value = column_numeric(table->column[j]) ? column_number(table->column[j], i) : NAN;
            TRY(matrix_need_number(work, table, what, j, i, value));
            if (value != 0) out->entry[used++] = (MatrixEntry){ i, value };
        }
        out->start[j + 1] = used;
    }
done:
    return status;
}

static Status sparse_place(Work *work, const Table *table, const char *what, const Column *column, int64_t i, int64_t *place) {
    double number = column_number(column, i);
    if (number >= 1 && number <= 1e15 && number == floor(number)) {
        *place = (int64_t)number - 1;
        return OK;
    }
    fail(work->error, BAD, "%s, given as row, column, value, has a position that is not a whole number from 1", what);
    if (table->name) error_file(work->error, table->name);
    error_column(work->error, column->name);
    return error_row(work->error, i);
}

/* The size is that of the largest row, and `columns` as X wants it. */
static Status read_sparse(Work *work, const Table *table, const char *what, int64_t columns, TableMatrix *out) {
    Status status = OK;
    const Column *row = table_column(table, "row"), *column = table_column(table, "column"), *value = table_column(table, "value");
    int64_t *next = NULL, r = 0, c = 0;
    *out = (TableMatrix){ .columns = columns };
    for (int64_t i = 0; i < table->rows; i++) {
        TRY(sparse_place(work, table, what, row, i, &r));
        TRY(sparse_place(work, table, what, column, i, &c));
        TRY(matrix_need_number(work, table, what, table_find(table, "value"), i, column_numeric(value) ? column_number(value, i) : NAN));
        if (r >= out->rows) out->rows = r + 1;
        if (c >= out->columns) out->columns = c + 1;
    }
    NEW(work, out->start, out->columns + 1);
    NEW(work, next, out->columns + 1);
    NEW(work, out->entry, table->rows + 1);
    for (int64_t i = 0; i < table->rows; i++) out->start[(int64_t)column_number(column, i)]++;
    for (int64_t j = 0; j < out->columns; j++) next[j + 1] = out->start[j + 1] += out->start[j];
    for (int64_t i = 0; i < table->rows; i++)
        out->entry[next[(int64_t)column_number(column, i) - 1]++] =
            (MatrixEntry){ (int64_t)column_number(row, i) - 1, column_number(value, i) };
done:
    return status;
}

Status matrix_of_table(Work *work, const Table *table, const char *what, int64_t columns, TableMatrix *out) {
    return columns >= 0 && is_sparse(table) ? read_sparse(work, table, what, columns, out) : read_dense(work, table, what, out);
}
