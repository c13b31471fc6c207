/* A result, or one of its tables, as CSV. */
#include "base/escape.h"
#include "base/number_text.h"
#include "render/render.h"

void render_csv_table(const Table *table, Buffer *out) {
    char number[33];
    for (int64_t j = 0; j < table->columns; j++) {
        if (j) buffer_char(out, ',');
        csv_text(out, table->column[j]->name);
    }
    buffer_char(out, '\n');
    for (int64_t i = 0; i < table->rows; i++) {
        for (int64_t j = 0; j < table->columns; j++) {
            if (j) buffer_char(out, ',');
            csv_text(out, column_cell(table->column[j], i, number));
        }
        buffer_char(out, '\n');
    }
}

static void csv_value(const Value *value, Buffer *out) {
    char number[33];
    if (value->kind == VALUE_REAL) buffer_text(out, real_text(value->real, number));
    else if (value->kind == VALUE_INTEGER) buffer_add(out, number, write_integer(value->integer, number));
    else if (value->kind == VALUE_TEXT) csv_text(out, value->text);
}

static void csv_values(const Result *result, const char *prefix, Buffer *out) {
    for (int64_t i = 0; i < result->values; i++) {
        Buffer name = { 0 };
        buffer_print(&name, "%s%s", prefix, result->value[i].name);
        csv_text(out, buffer_get(&name));
        buffer_char(out, ',');
        csv_value(&result->value[i], out);
        buffer_char(out, '\n');
        buffer_free(&name);
    }
    for (int64_t i = 0; i < result->results; i++) {
        Buffer inner = { 0 };
        buffer_print(&inner, "%s%s.", prefix, result->result[i].name);
        csv_values(result->result[i].result, buffer_get(&inner), out);
        buffer_free(&inner);
    }
}

void render_csv(const Result *result, Buffer *out) {
    if (result->tables == 1) {
        render_csv_table(result->table[0].table, out);
        return;
    }
    buffer_text(out, "name,value\n");
    csv_values(result, "", out);
}
