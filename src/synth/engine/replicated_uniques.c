/* Synthetic records with the keys of a unique original record are marked, and are drawn again as those that break a rule. */
#include "synth/engine/replicated_uniques.h"
#include <string.h>

/* The cells of a record, each behind its length, so that no two tuples have the same text. */
static void put_tuple(Buffer *text, const Column *const *column, int64_t columns, int64_t row) {
    char number[33];
    text->count = 0;
    for (int64_t j = 0; j < columns; j++) {
        const char *cell = column_cell(column[j], row, number);
        if (cell) buffer_print(text, "%zu %s ", strlen(cell), cell);
        else buffer_text(text, "- ");
    }
}

Status replicated_uniques_make(Work *work, Columns columns, int64_t rows, ReplicatedUniques *out) {
    Status status = OK;
    Buffer text = { 0 };
    const char **tuple = NULL;
    int64_t *size = NULL;
    *out = (ReplicatedUniques){ .columns = columns.count, .column = columns.at };
    NEW(work, tuple, rows + 1);
    for (int64_t i = 0; i < rows; i++) {
        put_tuple(&text, columns.at, columns.count, i);
        tuple[i] = text.failed ? NULL : arena_text(work->arena, buffer_get(&text));
        if (!tuple[i]) TRY(out_of_memory(work->error));
    }
    TRY(column_category("keys", tuple, rows, &out->tuples, work->error));
    const int32_t tuples = out->tuples->words->count;
    NEW(work, size, tuples + 1);
    NEW(work, out->unique, tuples + 1);
    for (int64_t i = 0; i < rows; i++) size[out->tuples->code[i]]++;
    for (int32_t k = 0; k < tuples; k++) out->unique[k] = size[k] == 1;
done:
    buffer_free(&text);
    return status;
}

void replicated_uniques_free(ReplicatedUniques *uniques) {
    column_release(uniques->tuples);
    uniques->tuples = NULL;
}

Status replicated_uniques_mark(Work *work, ReplicatedUniques *u, const Table *made, const int64_t *rows, int64_t count, int32_t *broken) {
    Status status = OK;
    Buffer text = { 0 };
    const Column **column = NULL;
    if (!u->columns) return OK;
    NEW(work, column, u->columns + 1);
    for (int64_t j = 0; j < u->columns; j++) TRY(table_need(made, u->column[j]->name, &column[j], work->error));
    for (int64_t i = 0; i < count; i++) {
        put_tuple(&text, column, u->columns, rows[i]);
        if (text.failed) TRY(out_of_memory(work->error));
        int32_t tuple = dictionary_find(u->tuples->words, buffer_get(&text));
        if (tuple < 0 || !u->unique[tuple]) continue;
        broken[rows[i]]++;
        u->redrawn++;
    }
done:
    buffer_free(&text);
    arena_drop(work->arena, column);
    return status;
}
