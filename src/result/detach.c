/* Copies what a result still shares with the caller's memory. */
#include "result/detach.h"
#include <stdlib.h>

static Status own_table(Table **table, Error *error) {
    Status status = OK;
    Table *owned = NULL;
    int64_t count = 0;
    Column **columns = calloc((size_t)(*table)->columns + 1, sizeof *columns);
    if (!columns) return out_of_memory(error);
    for (int64_t i = 0; i < (*table)->columns; i++)
        if ((*table)->column[i]->drop) {
            TRY(column_copy((*table)->column[i], &columns[count], error));
            count++;
        }
    if (!count) goto done;
    TRY(table_with(*table, columns, count, &owned, error));
    table_release(*table);
    *table = owned;
done:
    for (int64_t i = 0; i < count; i++) column_release(columns[i]);
    free(columns);
    return status;
}

static Status own_record(RecordColumn *record, Error *error) {
    Status status = OK;
    Column *copy = NULL;
    table_release(record->input);
    record->input = NULL;
    if (!record->column->drop) return OK;
    TRY(column_copy(record->column, &copy, error));
    column_release(record->column);
    record->column = copy;
done:
    return status;
}

Status result_detach(Result *result, Error *error) {
    Status status = OK;
    for (int64_t i = 0; i < result->outputs; i++) TRY(own_table(&result->output[i], error));
    for (int64_t i = 0; i < result->tables; i++) TRY(own_table(&result->table[i].table, error));
    for (int64_t i = 0; i < result->columns; i++) TRY(own_record(&result->column[i], error));
    for (int64_t i = 0; i < result->results; i++) TRY(result_detach(result->result[i].result, error));
done:
    return status;
}
