/* A matrix that a table holds: dense, or sparse as columns row, column, value (from 1). */
#ifndef SCRIM_MATH_LINEAR_TABLE_MATRIX_H
#define SCRIM_MATH_LINEAR_TABLE_MATRIX_H
#include "table/table.h"

/* By columns; entries of column j are entry[start[j]] …. Those of a sparse matrix are in the order of its table. */
typedef struct {
    int64_t row;
    double value;
} MatrixEntry;
typedef struct {
    int64_t rows, columns, *start;
    MatrixEntry *entry;
} TableMatrix;

/* `what` is its name in messages. `columns`: how many a sparse one has at least; -1: it must be dense. A cell that is no number is BAD. */
MUST_CHECK Status matrix_of_table(Work *work, const Table *table, const char *what, int64_t columns, TableMatrix *out);
/* BAD, with the file, the column and the row, where the value is not finite. */
MUST_CHECK Status matrix_need_number(Work *work, const Table *table, const char *what, int64_t column, int64_t row, double value);
#endif
