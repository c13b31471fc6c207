/* Text becomes a category where its words repeat, so that a frame and the file it was written to are the same table. */
#include "io/infer_categories.h"
#include <string.h>
#include "io/column_builder.h"

static Status settle_column(Work *work, const Column *column, Column **out) {
    Status status = OK;
    ColumnBuilder build = { 0 };
    char number[33];
    TRY(builder_open(&build, column->name, TEXT_TYPE, column->rows, work->error));
    for (int64_t i = 0; i < column->rows; i++) {
        const char *cell = column_cell(column, i, number);
        if (!(cell ? builder_text(&build, cell, strlen(cell)) : builder_missing(&build, column->reason ? column->reason[i] : 0)))
            TRY(out_of_memory(work->error));
    }
    TRY(builder_close(&build, work, out));
done:
    builder_free(&build);
    return status;
}

Status table_infer_categories(Work *work, const Table *table, Table **out) {
    Status status = OK;
    Column **columns = NULL;
    int64_t count = 0;
    NEW(work, columns, table->columns + 1);
    for (int64_t i = 0; i < table->columns; i++)
        if (table->column[i]->type == TEXT_TYPE) {
            TRY(settle_column(work, table->column[i], &columns[count]));
            count++;
        }
    TRY(table_with(table, columns, count, out, work->error));
done:
    for (int64_t i = 0; i < count; i++) column_release(columns[i]);
    return status;
}
