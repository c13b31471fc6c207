/* Results: grown by methods, read by renderers. */
#include "result/result.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"

Result *result_new(const char *method) {
    Arena *arena = arena_new();
    Result *result = NULL;
    if (!arena || arena_array(arena, 1, sizeof *result, &result, NULL)) {
        arena_free(arena);
        return NULL;
    }
    result->arena = arena;
    result->method = arena_text(arena, method);
    return result;
}

void result_free(Result *result) {
    if (!result) return;
    for (int64_t i = 0; i < result->columns; i++) {
        column_release(result->column[i].column);
        table_release(result->column[i].input);
    }
    for (int64_t i = 0; i < result->tables; i++) table_release(result->table[i].table);
    for (int64_t i = 0; i < result->outputs; i++) table_release(result->output[i]);
    for (int64_t i = 0; i < result->results; i++) result_free(result->result[i].result);
    arena_free(result->arena);
}

/* Room for one more in list number `which`; false once memory is out. */
static bool room(Result *result, int which, void *list, size_t size, int64_t count) {
    if (result->failed) return false;
    Work work = { .arena = result->arena };
    if (work_grow(&work, size, list, &result->room[which], count + 1)) result->failed = true;
    return !result->failed;
}
static const char *keep(Result *result, const char *text) {
    const char *copy = arena_text(result->arena, text);
    if (text && !copy) result->failed = true;
    return copy;
}

static Value *add_value(Result *result, const char *name, ValueKind kind) {
    static _Thread_local Value spare;
    for (int64_t i = 0; i < result->values; i++)
        if (!strcmp(result->value[i].name, name)) {
            result->value[i] = (Value){ .name = result->value[i].name, .kind = kind };
            return &result->value[i];
        }
    if (!room(result, 0, &result->value, sizeof *result->value, result->values)) return &spare;
    Value *value = &result->value[result->values];
    *value = (Value){ .name = keep(result, name), .kind = kind };
    if (result->failed) return &spare;
    result->values++;
    return value;
}

void result_real(Result *result, const char *name, double value) {
    add_value(result, name, isnan(value) ? VALUE_NULL : VALUE_REAL)->real = value;
}
void result_integer(Result *result, const char *name, int64_t value) { add_value(result, name, VALUE_INTEGER)->integer = value; }
void result_text(Result *result, const char *name, const char *value) {
    add_value(result, name, value ? VALUE_TEXT : VALUE_NULL)->text = keep(result, value);
}

static const char *note(Result *result, const char *format, va_list args) {
    char text[2048];
    vsnprintf(text, sizeof text, format, args);
    for (int64_t i = 0; i < result->notes; i++)
        if (!strcmp(result->note[i], text)) return result->note[i];
    if (!room(result, 1, &result->note, sizeof *result->note, result->notes)) return NULL;
    result->note[result->notes] = keep(result, text);
    return result->failed ? NULL : result->note[result->notes++];
}

void result_null(Result *result, const char *name, const char *why, ...) {
    va_list args;
    Value *value = add_value(result, name, VALUE_NULL);
    va_start(args, why);
    value->text = note(result, why, args);
    va_end(args);
}

void result_note(Result *result, const char *format, ...) {
    va_list args;
    va_start(args, format);
    note(result, format, args);
    va_end(args);
}
void result_urgent(Result *result, const char *format, ...) {
    va_list args;
    va_start(args, format);
    result->urgent = note(result, format, args);
    va_end(args);
}

void result_column(Result *result, const char *of, Column *column) {
    if (!column || !room(result, 2, &result->column, sizeof *result->column, result->columns)) {
        column_release(column);
        return;
    }
    column_seal(column);
    result->column[result->columns++] = (RecordColumn){ .of = keep(result, of), .column = column };
}
void result_table(Result *result, const char *name, Table *table) {
    if (!table || !room(result, 3, &result->table, sizeof *result->table, result->tables)) {
        table_release(table);
        return;
    }
    result->table[result->tables++] = (NamedTable){ .name = keep(result, name), .table = table };
}
void result_output(Result *result, Table *table) {
    if (!table || !room(result, 4, &result->output, sizeof *result->output, result->outputs)) {
        table_release(table);
        return;
    }
    result->output[result->outputs++] = table;
}
void result_result(Result *result, const char *name, Result *inner) {
    if (!inner || !room(result, 5, &result->result, sizeof *result->result, result->results)) {
        result_free(inner);
        return;
    }
    result->result[result->results++] = (NamedResult){ keep(result, name), inner };
}
void result_param(Result *result, const char *name, const char *text, bool secret, bool preset, bool list) {
    if (!room(result, 6, &result->param, sizeof *result->param, result->params)) return;
    result->param[result->params++] =
        (Given){ .name = keep(result, name), .text = secret ? NULL : keep(result, text), .secret = secret, .preset = preset, .list = list };
}
void result_read(Result *result, const char *path) {
    if (room(result, 8, &result->read, sizeof *result->read, result->reads)) result->read[result->reads++] = keep(result, path);
}

Chart *result_chart(Result *result, ChartKind kind, const char *title, const char *x, const char *y) {
    static _Thread_local Chart spare;
    static bool spare_failed = true; /* never read back: series given to the spare are dropped */
    Chart *chart = NULL;
    if (!room(result, 7, &result->chart, sizeof *result->chart, result->charts) ||
        arena_array(result->arena, 1, sizeof *chart, &chart, NULL)) {
        result->failed = true;
        spare = (Chart){ .failed = &spare_failed };
        return &spare;
    }
    *chart = (Chart){ .arena = result->arena,
                      .failed = &result->failed,
                      .kind = kind,
                      .title = keep(result, title),
                      .x_label = keep(result, x),
                      .y_label = keep(result, y) };
    result->chart[result->charts++] = chart;
    return chart;
}

void result_summary(Result *result, const char *summary) { result->summary = keep(result, summary); }
void result_describe(Result *result, const char *name, const char *meaning, bool public) {
    for (int64_t i = 0; i < result->values; i++) {
        if (strcmp(result->value[i].name, name)) continue;
        result->value[i].meaning = keep(result, meaning);
        result->value[i].public = public;
    }
}

void result_describe_table(Result *result, const char *name, const char *meaning, bool public) {
    for (int64_t i = 0; i < result->tables; i++) {
        if (strcmp(result->table[i].name, name)) continue;
        result->table[i].meaning = keep(result, meaning);
        result->table[i].public = public;
    }
    for (int64_t i = 0; i < result->charts; i++)
        if (result->chart[i]->of && !strcmp(result->chart[i]->of, name)) result->chart[i]->public = public;
}

const Value *result_find(const Result *result, const char *name) {
    for (int64_t i = 0; i < result->values; i++)
        if (!strcmp(result->value[i].name, name)) return &result->value[i];
    return NULL;
}

double result_number(const Result *result, const char *name) {
    const Value *value = result_find(result, name);
    return !value ? NAN : value->kind == VALUE_REAL ? value->real : value->kind == VALUE_INTEGER ? (double)value->integer : NAN;
}
const Table *result_find_table(const Result *result, const char *name) {
    for (int64_t i = 0; i < result->tables; i++)
        if (!strcmp(result->table[i].name, name)) return result->table[i].table;
    return NULL;
}

const Result *result_within(const Result *result, const char *name) {
    for (int64_t i = 0; i < result->results; i++)
        if (!strcmp(result->result[i].name, name)) return result->result[i].result;
    return NULL;
}
