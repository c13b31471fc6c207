/* By class: the columns that a method is given, and records of one tuple that are answered apart. */
#include <stdlib.h>
#include <string.h>
#include "method/run_private.h"

static bool is_weight(const Param *p) { return p->kind == KIND_COLUMN && param_is(p, "weight"); }

static void mark_used(const Table *table, const Columns *columns, bool *used) {
    for (int64_t i = 0; i < columns->count; i++) used[table_find(table, columns->at[i]->name)] = true;
}

Status used_columns(Frame *frame, Columns *keys, const Column **weight) {
    Status status = OK;
    const Table *table = first_table(&frame->binding);
    bool *used = NULL;
    NEW(&frame->work, used, table->columns + 1);
    NEW(&frame->work, keys->at, table->columns + 1);
    for (const Param *p = frame->binding.method->params; p && p->kind; p++) {
        const void *field = frame->binding.args + p->offset;
        const Column *const *one = field;
        const Columns *some = field;
        const Groups *groups = field;
        if (p->kind == KIND_COLUMN && is_weight(p)) *weight = *one;
        else if (p->kind == KIND_COLUMN && *one) used[table_find(table, (*one)->name)] = true;
        if (p->kind == KIND_COLUMNS) mark_used(table, some, used);
        for (int64_t g = 0; p->kind == KIND_GROUPS && g < groups->count; g++) mark_used(table, &groups->at[g], used);
    }
    for (int64_t j = 0; j < table->columns; j++)
        if (used[j]) keys->at[keys->count++] = table->column[j];
done:
    return status;
}

static Status rebind_columns(Work *work, const Table *to, Columns *columns) {
    Status status = OK;
    Columns copy = { .count = columns->count };
    NEW(work, copy.at, copy.count + 1);
    for (int64_t i = 0; i < copy.count; i++) copy.at[i] = table_column(to, columns->at[i]->name);
    *columns = copy;
done:
    return status;
}

static Status rebind_groups(Work *work, const Table *to, Groups *groups) {
    Status status = OK;
    Groups copy = { .count = groups->count };
    NEW(work, copy.at, copy.count + 1);
    for (int64_t g = 0; g < copy.count; g++) {
        copy.at[g] = groups->at[g];
        TRY(rebind_columns(work, to, &copy.at[g]));
    }
    *groups = copy;
done:
    return status;
}

/* The same arguments, of the reduced table. */
static Status rebind(Frame *frame, const Table *from, const Table *to, char **out) {
    Status status = OK;
    const Method *method = frame->binding.method;
    NEW(&frame->work, *out, method->size + 16);
    memcpy(*out, frame->binding.args, method->size);
    for (const Param *p = method->params; p && p->kind; p++) {
        void *field = *out + p->offset;
        const Table **table = field;
        const Column **one = field;
        if (p->kind == KIND_TABLE && *table == from) *table = to;
        if (p->kind == KIND_COLUMN && *one) *one = table_column(to, (*one)->name);
        if (p->kind == KIND_COLUMNS) TRY(rebind_columns(&frame->work, to, field));
        if (p->kind == KIND_GROUPS) TRY(rebind_groups(&frame->work, to, field));
    }
done:
    return status;
}

Status rows_released(Work *work, const Table *released, int64_t rows, int64_t count, int64_t *row, int64_t **kept, int64_t *out) {
    Status status = OK;
    int64_t *place = NULL, remain = 0;
    *kept = NULL;
    *out = count;
    if (released->rows == rows || !released->origin) return OK;
    NEW(work, place, rows + 1);
    NEW(work, *kept, count + 1);
    for (int64_t r = 0; r < rows; r++) place[r] = -1;
    for (int64_t i = 0; i < released->rows; i++) place[released->origin[i]] = i;
    for (int64_t i = 0; i < count; i++) {
        if (place[row[i]] < 0) continue;
        row[remain] = place[row[i]];
        (*kept)[remain++] = i;
    }
    *out = remain;
done:
    arena_drop(work->arena, place);
    return status;
}

static bool among(const Columns *columns, const char *name) {
    for (int64_t j = 0; j < columns->count; j++)
        if (!strcmp(columns->at[j]->name, name)) return true;
    return false;
}

/* Every record of the table as the row that stands for it, or none where that was left out. What was not changed stays the table's own. */
static Status spread_rows(Frame *frame, const Table *data, const Table *reduced, const Columns *keys, int64_t *row) {
    Status status = OK;
    Result *result = frame->result;
    Column **changed = NULL;
    Table *wide = NULL, *own = NULL;
    int64_t count = 0, *kept = NULL, rows;
    if (!result->outputs) return OK;
    const Table *narrow = result->output[0];
    TRY(rows_released(&frame->work, narrow, reduced->rows, data->rows, row, &kept, &rows));
    if (kept) TRY(table_take(data, kept, rows, &own, frame->work.error));
    else own = table_retain((Table *)(uintptr_t)data);
    NEW(&frame->work, changed, narrow->columns + 1);
    for (int64_t j = 0; j < narrow->columns; j++) {
        const Column *made = narrow->column[j], *before = table_column(reduced, made->name);
        if (kept ? !before || among(keys, made->name) : made != before)
            TRY(column_take(made, row, rows, &changed[count++], frame->work.error));
    }
    TRY(table_with(own, changed, count, &wide, frame->work.error));
    table_release(result->output[0]);
    result->output[0] = wide;
done:
    for (int64_t j = 0; changed && j < count; j++) column_release(changed[j]);
    table_release(own);
    return status;
}

Status run_by_class(Frame *frame) {
    Status status = OK;
    const Table *data = first_table(&frame->binding);
    Columns keys = { 0 };
    const Column *weight = NULL;
    TupleCounts *roll = NULL;
    TupleCountsRows rows;
    Table *reduced = NULL;
    int64_t *place = NULL;
    char *args = NULL;
    TRY(used_columns(frame, &keys, &weight));
    TRY(tuple_counts_new(keys.count, 0, false, &roll, frame->work.error));
    roll->signs = true;
    roll->apart = frame->binding.method->parts->apart(frame->binding.args);
    TRY(tuple_counts_add(&frame->work, roll, keys, NULL, data->rows, 0, &place));
    TRY(tuple_counts_rows(&frame->work, roll, &rows));
    for (int64_t i = 0; i < data->rows; i++) place[i] = tuple_counts_row(roll, &rows, place[i], i);
    TRY(table_take(data, rows.record, rows.count, &reduced, frame->work.error));
    free(reduced->origin); /* of what is made of it: the row here */
    reduced->origin = NULL;
    TRY(rebind(frame, data, reduced, &args));
    Run run = frame->run;
    run.work.times = rows.times;
    run.work.records = data->rows;
    status = frame->binding.method->run(&run, args);
    if (status && frame->work.error->row >= 0 && frame->work.error->row < rows.count)
        frame->work.error->row = rows.record[frame->work.error->row];
    TRY(status);
    TRY(spread_rows(frame, data, reduced, &keys, place));
done:
    tuple_counts_free(roll);
    table_release(reduced);
    return status;
}
