/* Saved models as tables: the columns and cells that trees, regressions and copulas share. */
#include "synth/engine/saved.h"

const char SAVED_SIZE[] = "records of the model";

Status not_saved(Work *work, const char *column, int64_t row) {
    fail(work->error, BAD, "is not what `--save-model` wrote");
    error_column(work->error, column);
    return error_row(work->error, row);
}

Status saved_column(Work *work, const char *name, Type type, const double *x, int64_t count, int64_t rows, Column **out) {
    Status status = OK;
    Column *made = NULL;
    if (!name) TRY(out_of_memory(work->error));
    TRY(column_new(type, name, rows, &made, work->error));
    TRY(column_need_valid(made, work->error));
    for (int64_t i = 0; i < rows; i++) {
        if (i >= count) column_set_missing(made, i);
        else if (type == INTEGER_TYPE) made->integer[i] = (int64_t)x[i];
        else made->real[i] = x[i];
    }
    column_seal(made);
    *out = made;
    made = NULL;
done:
    column_release(made);
    return status;
}

Status saved_part(Work *work, const Table *model, const char *part, const char *column, const Column **out) {
    const char *name = arena_print(work->arena, "%s of %s", part, column);
    if (!name) return out_of_memory(work->error);
    *out = table_column(model, name);
    return OK;
}

Status saved_numbers(Work *work, const Column *column, double **out, int64_t *count) {
    Status status = OK;
    *count = column->rows - column->missing;
    NEW(work, *out, *count + 1);
    if (!column_numeric(column) || !*count) TRY(not_saved(work, column->name, 0));
    for (int64_t i = 0; i < *count; i++) {
        if (column_missing(column, i)) TRY(not_saved(work, column->name, i));
        (*out)[i] = column_number(column, i);
    }
done:
    return status;
}

Status saved_records(Work *work, const Table *model, int64_t *out) {
    const Column *size = table_column(model, SAVED_SIZE);
    if (!size || size->type != INTEGER_TYPE || !model->rows || column_missing(size, 0) || column_integer(size, 0) < 1 ||
        column_integer(size, 0) > model->rows || column_integer(size, 0) > INT32_MAX)
        return not_saved(work, SAVED_SIZE, 0);
    *out = column_integer(size, 0);
    return OK;
}

static Status has_part(Work *work, const Table *model, const char *column, bool *out) {
    static const char *const parts[] = { "tree", "regression", "copula" };
    Status status = OK;
    *out = false;
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        const Column *part = NULL;
        TRY(saved_part(work, model, parts[k], column, &part));
        *out |= part != NULL;
    }
done:
    return status;
}

Status saved_values(Work *work, const Table *model, int64_t records, Table **out) {
    Status status = OK;
    Column **made = NULL;
    int64_t count = 0, *rows = NULL;
    NEW(work, made, model->columns + 1);
    NEW(work, rows, records + 1);
    for (int64_t i = 0; i < records; i++) rows[i] = i;
    for (int64_t j = 0; j < model->columns; j++) {
        bool drawn;
        TRY(has_part(work, model, model->column[j]->name, &drawn));
        if (!drawn) continue;
        TRY(column_take(model->column[j], rows, records, &made[count], work->error));
        count++;
    }
    if (!count) TRY(not_saved(work, SAVED_SIZE, 0));
    TRY(table_new(model->name, made, count, records, out, work->error));
done:
    for (int64_t j = 0; made && j < count; j++) column_release(made[j]);
    return status;
}
