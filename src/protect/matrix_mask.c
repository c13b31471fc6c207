/* protect.matrix-mask: Y = A·X·B + C. Defined after Cox 1980, 1994; Little 1993: docs/methods/protect-matrix-mask.md. */
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "math/linear/table_matrix.h"
#include "protect/changed_table.h"

typedef struct {
    const Table *data, *A, *B, *C;
    Columns vars;
} args;

static const Param params[] = {
    TABLE(args, data, "Table to protect", .flags = REQUIRED | POSITIONAL),
    COLUMNS(args, vars, data, "Columns of X", .flags = REQUIRED | NUMERIC, .role = "numeric"),
    TABLE(args, A, "Matrix A on the left, acts on records. Dense, or sparse as columns row, column, value (from 1). Default: identity"),
    TABLE(args, B, "Matrix B on the right, acts on variables; its column names become the new variables. Default: identity"),
    TABLE(args, C, "Matrix C that is added. Default: zero. A missing cell suppresses the cell"),
    END,
};

static Status bad_shape(Work *work, const char *left, int64_t a, int64_t b, const char *right, int64_t c, int64_t d) {
    return fail(work->error, BAD, "%s is %lld × %lld and %s is %lld × %lld: they do not fit", left, (long long)a, (long long)b, right,
                (long long)c, (long long)d);
}

/* Y = A·X, column by column. A missing value of X is felt only where A does not multiply it by zero. */
static Status times_left(Work *work, const TableMatrix *A, double **x, int64_t columns) {
    Status status = OK;
    for (int64_t v = 0; v < columns; v++) {
        double *y = NULL;
        TRY(work_check(work));
        NEW(work, y, A->rows + 1);
        for (int64_t j = 0; j < A->columns; j++)
            for (int64_t e = A->start[j]; e < A->start[j + 1]; e++) y[A->entry[e].row] += A->entry[e].value * x[v][j];
        x[v] = y;
    }
done:
    return status;
}

static Status times_right(Work *work, const TableMatrix *B, double **x, int64_t rows, double ***out) {
    Status status = OK;
    double **y = NULL;
    NEW(work, y, B->columns + 1);
    for (int64_t j = 0; j < B->columns; j++) {
        NEW(work, y[j], rows + 1);
        for (int64_t e = B->start[j]; e < B->start[j + 1]; e++)
            for (int64_t i = 0; i < rows; i++) y[j][i] += B->entry[e].value * x[B->entry[e].row][i];
    }
    *out = y;
done:
    return status;
}

/* The state of the product: its columns, and what they are called. */
typedef struct {
    int64_t rows, columns;
    double **x;
    const char **name;
} Product;

static Status start(Work *work, const args *a, Product *y) {
    Status status = OK;
    *y = (Product){ .rows = a->data->rows, .columns = a->vars.count };
    NEW(work, y->x, y->columns + 1);
    NEW(work, y->name, y->columns + 1);
    for (int64_t v = 0; v < y->columns; v++) {
        const double *reals;
        TRY(column_reals(work, a->vars.at[v], &reals));
        NEW(work, y->x[v], y->rows + 1);
        memcpy(y->x[v], reals, (size_t)y->rows * sizeof *reals);
        y->name[v] = a->vars.at[v]->name;
    }
done:
    return status;
}

static Status apply_left(Work *work, const args *a, Product *y) {
    Status status = OK;
    TableMatrix A;
    if (!a->A) return OK;
    TRY(matrix_of_table(work, a->A, "A", y->rows, &A));
    if (A.columns != y->rows) {
        bad_shape(work, "A", A.rows, A.columns, "X", y->rows, y->columns);
        TRY(error_parameter(work->error, "A"));
    }
    TRY(times_left(work, &A, y->x, y->columns));
    y->rows = A.rows;
done:
    return status;
}

static Status apply_right(Work *work, const args *a, Product *y) {
    Status status = OK;
    TableMatrix B;
    if (!a->B) return OK;
    TRY(matrix_of_table(work, a->B, "B", -1, &B));
    if (B.rows != y->columns) {
        bad_shape(work, a->A ? "AX" : "X", y->rows, y->columns, "B", B.rows, B.columns);
        TRY(error_parameter(work->error, "B"));
    }
    TRY(times_right(work, &B, y->x, y->rows, &y->x));
    y->columns = B.columns;
    y->name = NULL;
    NEW(work, y->name, y->columns + 1);
    for (int64_t j = 0; j < y->columns; j++) y->name[j] = a->B->column[j]->name;
done:
    return status;
}

static Status add(Work *work, const args *a, Product *y) {
    if (!a->C) return OK;
    if (a->C->rows != y->rows || a->C->columns != y->columns) {
        bad_shape(work, a->A && a->B ? "AXB" : a->A ? "AX" : a->B ? "XB" : "X", y->rows, y->columns, "C", a->C->rows, a->C->columns);
        return error_parameter(work->error, "C");
    }
    for (int64_t j = 0; j < y->columns; j++)
        for (int64_t i = 0; i < y->rows; i++) {
            double value = column_number(a->C->column[j], i);
            if (!column_numeric(a->C->column[j]) && !column_missing(a->C->column[j], i))
                return matrix_need_number(work, a->C, "C", j, i, NAN);
            y->x[j][i] += value; /* NaN, a missing cell, makes it missing */
        }
    return OK;
}

static Status make_columns(Work *work, const args *a, const Product *y, Column **made) {
    Status status = OK;
    for (int64_t j = 0; j < y->columns; j++) {
        const Column *like = table_column(a->data, y->name[j]);
        Column shape = { .type = like ? like->type : REAL_TYPE, .name = (char *)(uintptr_t)y->name[j], .rows = y->rows };
        TRY(column_of_reals(&shape, y->x[j], &made[j], work->error));
    }
done:
    return status;
}

/* Records unchanged: the new variables stand where the old ones stood. Records mixed: the other columns belong to nobody any more. */
static Status deliver(Run *run, const args *a, const Product *y, Column **made) {
    Status status = OK;
    Table *table = NULL, *others = NULL;
    const char **names = NULL;
    if (a->A) TRY(table_new(a->data->name, made, y->columns, y->rows, &table, run->work.error));
    else if (!a->B) {
        TRY(output_changed(run, a->data, made, y->columns));
        return OK;
    } else {
        NEW(&run->work, names, a->vars.count + 1);
        for (int64_t v = 0; v < a->vars.count; v++) names[v] = a->vars.at[v]->name;
        TRY(table_without(a->data, names, a->vars.count, &others, run->work.error));
        for (int64_t j = 0; j < y->columns; j++)
            if (table_column(others, y->name[j])) {
                fail(run->work.error, BAD, "names a new variable '%s' like a column that is kept", y->name[j]);
                TRY(error_parameter(run->work.error, "B"));
            }
        TRY(table_with(others, made, y->columns, &table, run->work.error));
    }
    result_output(run->result, table);
    if (a->A && a->data->columns > a->vars.count)
        result_note(run->result, "A mixes records, so the %lld other columns no longer belong to single records and were left out.",
                    (long long)(a->data->columns - a->vars.count));
done:
    table_release(others);
    return status;
}

static Status matrix_mask_run(Run *run, const void *p) {
    const args *a = p;
    Status status = OK;
    Product y;
    Column **made = NULL;
    if (!a->A && !a->B && !a->C) return fail(run->work.error, BAD, "protect matrix-mask needs at least one of --A, --B and --C");
    TRY(start(&run->work, a, &y));
    TRY(apply_left(&run->work, a, &y));
    TRY(apply_right(&run->work, a, &y));
    TRY(add(&run->work, a, &y));
    NEW(&run->work, made, y.columns + 1);
    TRY(make_columns(&run->work, a, &y, made));
    TRY(deliver(run, a, &y, made));
    result_integer(run->result, "rows", y.rows);
    result_integer(run->result, "columns", y.columns);
    result_note(run->result,
                "An analyst needs A, B and C, or the way they were drawn, to correct estimates: E Y = A·E X·B + E C (Little 1993).");
done:
    columns_release(made, made ? y.columns : 0);
    return status;
}

static const Return values[] = {
    VALUE(rows, INTEGER, "Records of Y", .flags = PUBLIC),
    VALUE(columns, INTEGER, "Variables of Y", .flags = PUBLIC),
    CHANGED_VALUES,
    RELEASED("The protected table"),
    END,
};

const Method protect_matrix_mask = {
    .group = "protect",
    .name = "matrix-mask",
    .summary = "Matrix masking of numeric data, Y = A·X·B + C",
    .source = "Cox 1980, 1994; Little 1993",
    .params = params,
    .size = sizeof(args),
    .traits = PERTURBS | IDENTITY | ATTRIBUTE,
    .run = matrix_mask_run,
    .values = values,
    .example = "scrim protect matrix-mask examples/clinic.csv --vars cholesterol,bmi --B examples/mask-B.csv",
};
