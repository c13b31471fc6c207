/* Tables one below the other: batches of a stream become one table. */
#include "io/concatenate.h"
#include <string.h>
#include "io/column_builder.h"

static bool is_words(const Column *column) { return column->type == CATEGORY_TYPE || column->type == TEXT_TYPE; }

static bool add_cell(ColumnBuilder *build, const Column *column, int64_t row) {
    char number[33];
    if (column_missing(column, row)) return builder_missing(build, column->reason ? column->reason[row] : MISSING_CODE_NONE);
    if (is_words(column) || build->type == TEXT_TYPE) {
        const char *text = column_cell(column, row, number);
        return builder_convert(build, TEXT_TYPE) && builder_text(build, text, strlen(text));
    }
    if (column->type == INTEGER_TYPE) return builder_number(build, column_integer(column, row));
    if (column->type == REAL_TYPE)
        return builder_convert(build, REAL_TYPE) ? builder_real(build, column->real[row]) : builder_words(build, column->real[row]);
    if (builder_convert(build, column->type))
        return column->type == DATE_TYPE ? builder_date(build, column->date[row]) : builder_moment(build, column->moment[row]);
    const char *text = column_cell(column, row, number);
    return builder_convert(build, TEXT_TYPE) && builder_text(build, text, strlen(text));
}

/* An order of categories that every table has in common is kept. */
static const Dictionary *common_order(Table *const *tables, int64_t count, int64_t place) {
    const Dictionary *first = NULL;
    for (int64_t t = 0; t < count; t++) {
        const Column *column = tables[t]->column[place];
        if (column->type != CATEGORY_TYPE || !column->words->ordered) return NULL;
        if (!first) first = column->words;
        for (int32_t w = 0; first != column->words && w < column->words->count; w++)
            if (dictionary_find(first, column->words->word[w]) < 0) return NULL;
    }
    return first;
}

/* The joined column's words in that order. */
static Status reorder(Column *column, const Dictionary *order, Error *error) {
    if (column->type != CATEGORY_TYPE) return OK;
    Dictionary *words = NULL;
    Status status = dictionary_new(order->word, order->count, true, &words, error);
    if (status) return status;
    for (int64_t i = 0; i < column->rows; i++)
        if (!column_missing(column, i)) column->code[i] = dictionary_find(words, column->words->word[column->code[i]]);
    dictionary_release(column->words);
    column->words = words;
    return OK;
}

static Status join_column(Work *work, Table *const *tables, int64_t count, int64_t place, int64_t rows, Column **out) {
    Status status = OK;
    ColumnBuilder build = { 0 };
    const Column *first = tables[0]->column[place];
    const Dictionary *order = common_order(tables, count, place);
    TRY(builder_open(&build, first->name, is_words(first) ? TEXT_TYPE : first->type, rows, work->error));
    build.about = metadata_retain(first->about);
    for (int64_t t = 0; t < count; t++)
        for (int64_t row = 0; row < tables[t]->rows; row++)
            if (!add_cell(&build, tables[t]->column[place], row)) TRY(out_of_memory(work->error));
    TRY(builder_close(&build, work, out));
    if (order) TRY(reorder(*out, order, work->error));
done:
    builder_free(&build);
    return status;
}

Status tables_concatenate(Work *work, const char *name, Table *const *tables, int64_t count, Table **out) {
    Status status = OK;
    Column **columns = NULL;
    int64_t made = 0, rows = 0;
    if (count == 1) {
        *out = table_retain(tables[0]);
        return OK;
    }
    for (int64_t t = 0; t < count; t++) {
        rows += tables[t]->rows;
        if (tables[t]->columns != tables[0]->columns) {
            fail(work->error, BAD, "its parts differ in their columns");
            return error_file(work->error, name);
        }
    }
    NEW(work, columns, tables[0]->columns + 1);
    for (; made < tables[0]->columns; made++) TRY(join_column(work, tables, count, made, rows, &columns[made]));
    TRY(table_new(name, columns, made, rows, out, work->error));
done:
    for (int64_t i = 0; i < made; i++) column_release(columns[i]);
    return status;
}
