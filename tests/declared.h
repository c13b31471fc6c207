/* Results held to their declarations: every value, table, per-record column, chart and output, by name and type. */
#ifndef SCRIM_TESTS_DECLARED_H
#define SCRIM_TESTS_DECLARED_H
#include "testing.h"
#include "words.h"
#include "method/method.h"
#include "result/saved.h"

static bool value_fits(const Value *value, const Return *declared) {
    if (value->kind == VALUE_NULL) return true;
    return value->kind == (declared->type == INTEGER_TYPE ? VALUE_INTEGER : declared->type == REAL_TYPE ? VALUE_REAL : VALUE_TEXT);
}

/* "f:text classes:integer" is what the table has. Its columns may be a part of those declared only where the declaration says none. */
static void table_fits(const NamedTable *named, const Return *declared) {
    Buffer have = { 0 };
    for (int64_t j = 0; j < named->table->columns; j++) {
        Type type = named->table->column[j]->type;
        buffer_print(&have, "%s%s:%s", j ? " " : "", named->table->column[j]->name, type_name(type == CATEGORY_TYPE ? TEXT_TYPE : type));
    }
    if (declared->columns && strcmp(declared->columns, buffer_get(&have)))
        fail_msg("table %s has columns '%s', declared '%s'", named->name, buffer_get(&have), declared->columns);
    buffer_free(&have);
}

/* The table parameter whose records a column is of: the one declared, else the first. */
static const char *records_of(const Method *method, const Return *declared) {
    const Param *p = method->params;
    while (p->kind != KIND_TABLE && p->kind) p++;
    return declared->of ? declared->of : p->name;
}

/* One name, one thing: who asks for it by name gets all there is. */
static void names_are_distinct(const Result *result) {
    for (int64_t i = 0; i < result->values; i++)
        for (int64_t j = 0; j < i; j++)
            if (!strcmp(result->value[i].name, result->value[j].name)) fail_msg("value '%s' is there twice", result->value[i].name);
    for (int64_t i = 0; i < result->tables; i++)
        for (int64_t j = 0; j < i; j++)
            if (!strcmp(result->table[i].name, result->table[j].name)) fail_msg("table '%s' is there twice", result->table[i].name);
}

/* A result is what the declaration says: every value, table, per-record column and output, by name and type. */
static void result_is_declared(const Method *method, const Result *result) {
    const Return *r;
    names_are_distinct(result);
    for (int64_t i = 0; i < result->values; i++) {
        if (!(r = returns_find(method->values, RETURN_VALUE, result->value[i].name)))
            fail_msg("value '%s' is not in .values", result->value[i].name);
        if (!value_fits(&result->value[i], r))
            fail_msg("value '%s' is of kind %d, declared %s", r->name, (int)result->value[i].kind, type_name(r->type));
    }
    for (int64_t i = 0; i < result->tables; i++) {
        if (!(r = returns_find(method->values, RETURN_TABLE, result->table[i].name)))
            fail_msg("table '%s' is not in .values", result->table[i].name);
        table_fits(&result->table[i], r);
    }
    for (int64_t i = 0; i < result->columns; i++) {
        const Column *column = result->column[i].column;
        if (!(r = returns_find(method->values, RETURN_RECORD, column->name)))
            fail_msg("record column '%s' (%s of %s) is not in .values", column->name, type_name(column->type), result->column[i].of);
        if (r->type != column->type && !(r->type == TEXT_TYPE && column->type == CATEGORY_TYPE))
            fail_msg("record column '%s' is %s, declared %s", r->name, type_name(column->type), type_name(r->type));
        if (!same_text(result->column[i].of, records_of(method, r)))
            fail_msg("record column '%s' is of '%s', declared of '%s'", r->name, result->column[i].of, records_of(method, r));
    }
    for (int64_t i = 0; i < result->charts; i++) {
        const char *of = result->chart[i]->of;
        if (of && !returns_find(method->values, RETURN_TABLE, of)) fail_msg("a chart of the table '%s', which is not in .values", of);
    }
    bool output = false;
    for (r = method->values; returns_more(r); r++) output |= r->kind == RETURN_OUTPUT;
    if (result->outputs && !output) fail_msg("an output is not in .values");
}

/* What a table is known to be beside its cells. */
static void table_travels(const Table *a, const Table *b) {
    assert_true(table_equal(a, b));
    assert_int_equal(a->released, b->released);
    assert_int_equal(a->perturbed, b->perturbed);
    assert_true(same_text(a->structure, b->structure) && same_text(a->label, b->label));
    assert_true(!a->origin == !b->origin);
    for (int64_t i = 0; a->origin && i < a->rows; i++) assert_int_equal(a->origin[i], b->origin[i]);
}

/* Saved and read back it is the same, to the byte; its outputs and per-record columns cell for cell. */
static void result_travels(const Result *result) {
    Buffer text = { 0 };
    Error error = ERROR_NONE;
    Result *back = NULL;
    result_save(result, &text);
    if (result_load("saved", text.bytes, text.count, &back, &error)) fail_msg("%s is not read back: %s", result->method, error.message);
    if (!result_same(result, back)) fail_msg("%s reads back as another result", result->method);
    for (int64_t i = 0; i < result->outputs; i++) table_travels(result->output[i], back->output[i]);
    for (int64_t i = 0; i < result->tables; i++) table_travels(result->table[i].table, back->table[i].table);
    for (int64_t i = 0; i < result->columns; i++) assert_true(column_equal(result->column[i].column, back->column[i].column));
    buffer_free(&text);
    result_free(back);
}
#endif
