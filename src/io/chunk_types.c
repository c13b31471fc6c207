/* Types of columns, joined over parts. */
#include "io/chunk_types.h"
#include <stdlib.h>
#include "table/table.h"

void chunk_types_free(ChunkTypes *joined) {
    free(joined->type);
    free(joined->decided);
    *joined = (ChunkTypes){ 0 };
}

static Type join(Type a, Type b) {
    if (a == b) return a;
    if ((a == INTEGER_TYPE && b == REAL_TYPE) || (a == REAL_TYPE && b == INTEGER_TYPE)) return REAL_TYPE;
    if ((a == DATE_TYPE && b == DATETIME_TYPE) || (a == DATETIME_TYPE && b == DATE_TYPE)) return DATETIME_TYPE;
    return CATEGORY_TYPE;
}

Status chunk_types_add(ChunkTypes *joined, const Table *part, Error *error) {
    if (!joined->type) {
        joined->columns = part->columns;
        joined->type = calloc((size_t)part->columns + 1, sizeof *joined->type);
        joined->decided = calloc((size_t)part->columns + 1, sizeof *joined->decided);
        if (!joined->type || !joined->decided) return out_of_memory(error);
        for (int64_t j = 0; j < part->columns; j++) joined->type[j] = plain_type(part->column[j]->type);
    }
    for (int64_t j = 0; j < part->columns && j < joined->columns; j++) {
        const Column *column = part->column[j];
        if (column->missing == column->rows) continue;
        joined->type[j] = joined->decided[j] ? join(joined->type[j], plain_type(column->type)) : plain_type(column->type);
        joined->decided[j] = true;
    }
    return OK;
}

static Status as_words(Work *work, const Column *column, Column **out) {
    Status status = OK;
    const char **cell = NULL;
    char number[33];
    NEW(work, cell, column->rows + 1);
    for (int64_t i = 0; i < column->rows; i++) {
        const char *text = column_cell(column, i, number);
        cell[i] = text == number ? arena_text(work->arena, text) : text;
        if (text && !cell[i]) TRY(out_of_memory(work->error));
    }
    TRY(column_category(column->name, cell, column->rows, out, work->error));
    (*out)->by_number = true; /* as at once, where the first of these words decided */
done:
    return status;
}

static Status as_type(Work *work, const Column *column, Type type, Column **out) {
    Status status = OK;
    bool none = column->missing == column->rows;
    if (type == CATEGORY_TYPE) return as_words(work, column, out);
    if (!none && !(column->type == INTEGER_TYPE && type == REAL_TYPE) && !(column->type == DATE_TYPE && type == DATETIME_TYPE))
        TRY(fail(work->error, FAILED, "has changed while it was being read"));
    TRY(column_new(type, column->name, column->rows, out, work->error));
    if (column->missing) TRY(column_need_valid(*out, work->error));
    for (int64_t i = 0; i < column->rows; i++) {
        if (column_missing(column, i)) column_set_missing(*out, i);
        else if (type == REAL_TYPE) (*out)->real[i] = (double)column_integer(column, i);
        else (*out)->integer[i] = column->date[i] * INT64_C(86400000000); /* a day begins */
    }
    column_seal(*out);
done:
    return status;
}

Status chunk_types_part(const ChunkTypes *joined, Work *work, const Table *part, Table **out) {
    Status status = OK;
    Column **made = NULL;
    int64_t count = 0;
    if (part->columns != joined->columns) return fail(work->error, FAILED, "has changed while it was being read");
    NEW(work, made, part->columns + 1);
    for (int64_t j = 0; j < part->columns; j++) {
        if (plain_type(part->column[j]->type) == joined->type[j]) continue;
        TRY(as_type(work, part->column[j], joined->type[j], &made[count]));
        count++;
    }
    TRY(table_with(part, made, count, out, work->error));
done:
    for (int64_t j = 0; made && j <= count && j < part->columns; j++) column_release(made[j]);
    return status;
}
