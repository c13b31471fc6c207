/* A result read back from what result_save wrote. The bytes may come from anywhere: nothing in them is taken on trust. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include "base/compare.h"
#include "base/elementary.h"
#include "base/json_memory.h"
#include "base/number_text.h"
#include "result/saved.h"

/* Inside: who is reading, for errors and memory. Texts of the JSON tree live as long as it does; the result copies them. */
typedef struct {
    const char *name;
    Arena *arena;
    Error *error;
    Result *result;
} Loader;

static Status bad(const Loader *l, const char *what) {
    fail(l->error, BAD, "is no saved result: %s", what);
    return error_file(l->error, l->name ? l->name : "");
}

static const char *text_of(const json_t *object, const char *name) {
    return json_string_value(json_object_get(object, name));
} /* NULL where it is no text */
static bool flag_of(const json_t *object, const char *name) { return json_is_true(json_object_get(object, name)); }
static const json_t *list_of(const json_t *object, const char *name) {
    const json_t *list = json_object_get(object, name);
    return json_is_array(list) ? list : NULL;
}
static int64_t length(const json_t *list) { return (int64_t)json_array_size(list); }

/* A number, or ±∞ as text; NaN is null. */
static bool real_of(const json_t *item, double *out) {
    const char *text = json_string_value(item);
    *out = json_is_null(item) ? NAN : json_number_value(item);
    if (text && (!strcmp(text, "Infinity") || !strcmp(text, "-Infinity"))) *out = text[0] == '-' ? -INFINITY : INFINITY;
    else if (!json_is_number(item) && !json_is_null(item)) return false;
    return true;
}

/* A whole number; beyond ±2^53 it is text, so that no reader rounds it. */
static bool integer_of(const json_t *item, int64_t *out) {
    const char *text = json_string_value(item);
    double number = json_number_value(item);
    if (text) return read_integer(text, text + strlen(text), out);
    if (!json_is_number(item) || number != floor(number) || fabs(number) > 0x1p53) return false;
    *out = (int64_t)number;
    return true;
}

/* ---- columns and tables ---- */

static Status find_type(const Loader *l, const char *name, Type *out) {
    for (Type type = REAL_TYPE; type <= DATETIME_TYPE; type++)
        if (name && !strcmp(type_name(type), name)) {
            *out = type;
            return OK;
        }
    return bad(l, "a column of no known type");
}

/* Texts of a list, every one of them there; in the arena. */
static Status texts_of(const Loader *l, const json_t *list, const char ***out) {
    Status status = OK;
    const char **texts = NULL;
    TRY(arena_array(l->arena, length(list) + 1, sizeof *texts, &texts, l->error));
    for (int64_t i = 0; i < length(list); i++)
        if (!(texts[i] = json_string_value(json_array_get(list, (size_t)i)))) TRY(bad(l, "a text is missing"));
    *out = texts;
done:
    return status;
}

static Status dictionary_of(const Loader *l, const json_t *object, Dictionary **out) {
    Status status = OK;
    const json_t *list = list_of(object, "words");
    const char **words = NULL, **sorted = NULL;
    bool ordered = flag_of(object, "ordered");
    if (!list || length(list) > INT32_MAX) return bad(l, "a category without its words");
    TRY(texts_of(l, list, &words));
    TRY(texts_of(l, list, &sorted));
    qsort(sorted, (size_t)length(list), sizeof *sorted, compare_texts);
    for (int64_t i = 0; i < length(list); i++) {
        if (i && !strcmp(sorted[i - 1], sorted[i])) TRY(bad(l, "a word stands twice in a dictionary"));
        if (!ordered && strcmp(sorted[i], words[i])) TRY(bad(l, "a dictionary is out of order"));
    }
    TRY(dictionary_new(words, (int32_t)length(list), ordered, out, l->error));
done:
    return status;
}

static Status set_cell(const Loader *l, Column *column, int64_t row, const json_t *item) {
    int64_t whole = 0;
    if (json_is_null(item)) {
        column_set_missing(column, row);
        return OK;
    }
    if (column->type == REAL_TYPE) return real_of(item, &column->real[row]) ? OK : bad(l, "a cell is no number");
    if (!integer_of(item, &whole)) return bad(l, "a cell is no whole number");
    if (type_wide(column->type)) {
        column->integer[row] = whole;
        return OK;
    }
    if (whole < INT32_MIN || whole > INT32_MAX || (column->type == CATEGORY_TYPE && (whole < 0 || whole >= column->words->count)))
        return bad(l, "a code out of range");
    column->code[row] = (int32_t)whole;
    return OK;
}

static Status text_column(const Loader *l, const char *name, const json_t *cells, Column **out) {
    Status status = OK;
    const char **texts = NULL;
    TRY(arena_array(l->arena, length(cells) + 1, sizeof *texts, &texts, l->error));
    for (int64_t i = 0; i < length(cells); i++) {
        const json_t *item = json_array_get(cells, (size_t)i);
        texts[i] = json_string_value(item);
        if (!texts[i] && !json_is_null(item)) TRY(bad(l, "a cell is no text"));
    }
    TRY(column_text(name, texts, length(cells), out, l->error));
done:
    return status;
}

static Status set_suppressed(const Loader *l, Column *column, const json_t *list) {
    Status status = OK;
    if (!list) return OK;
    TRY(column_need_reason(column, l->error));
    for (int64_t i = 0; i < length(list); i++) {
        int64_t row = -1;
        if (!integer_of(json_array_get(list, (size_t)i), &row) || row < 0 || row >= column->rows || !column_missing(column, row))
            TRY(bad(l, "a suppressed cell that is not missing"));
        column->reason[row] = MISSING_SUPPRESSED;
    }
done:
    return status;
}

static Status column_of(const Loader *l, const json_t *object, Column **out) {
    Status status = OK;
    Column *column = NULL;
    Type type = REAL_TYPE;
    const json_t *cells = list_of(object, "cells");
    const char *name = text_of(object, "name");
    if (!name || !cells) return bad(l, "a column without a name or cells");
    TRY(find_type(l, text_of(object, "type"), &type));
    if (type == TEXT_TYPE) TRY(text_column(l, name, cells, &column));
    else {
        TRY(column_new(type, name, length(cells), &column, l->error));
        if (type == CATEGORY_TYPE) TRY(dictionary_of(l, object, &column->words));
        TRY(column_need_valid(column, l->error));
        for (int64_t i = 0; i < length(cells); i++) TRY(set_cell(l, column, i, json_array_get(cells, (size_t)i)));
    }
    TRY(set_suppressed(l, column, list_of(object, "suppressed")));
    column_seal(column);
    *out = column;
    column = NULL;
done:
    column_release(column);
    return status;
}

/* The rows of the original that its rows stem from: as many, each a row or -1. */
static Status load_origin(const Loader *l, const json_t *list, Table *table) {
    if (!list) return OK;
    if (length(list) != table->rows) return bad(l, "a table's rows and where they stem from differ in number");
    table->origin = malloc((size_t)(table->rows + 1) * sizeof *table->origin);
    if (!table->origin) return out_of_memory(l->error);
    for (int64_t i = 0; i < table->rows; i++)
        if (!integer_of(json_array_get(list, (size_t)i), &table->origin[i]) || table->origin[i] < -1 || table->origin[i] > INT64_C(1) << 53)
            return bad(l, "a row stems from no row");
    return OK;
}

/* A table whose records were written as they were made: only their number is here, and of each column how many are missing or blanked. */
static Status load_elsewhere(const Loader *l, const json_t *columns, int64_t rows, Table *table) {
    table->elsewhere = calloc((size_t)table->columns + 1, sizeof *table->elsewhere);
    if (!table->elsewhere) return out_of_memory(l->error);
    table->rows = rows;
    for (int64_t j = 0; j < table->columns; j++) {
        const json_t *column = json_array_get(columns, (size_t)j);
        int64_t missing = 0;
        if (!integer_of(json_object_get(column, "missing"), &missing) || missing < 0 || missing > rows ||
            !integer_of(json_object_get(column, "blanked"), &table->elsewhere[j]) || table->elsewhere[j] < 0 ||
            table->elsewhere[j] > missing)
            return bad(l, "a column's missing cells are not counted");
        table->column[j]->missing = missing;
    }
    return OK;
}

static Status copy_text(const Loader *l, const char *text, char **out) {
    return !text || (*out = strdup(text)) ? OK : out_of_memory(l->error);
}

/* What is known of a table beside its cells. */
static Status table_facts(const Loader *l, const json_t *object, int64_t rows, Table *table) {
    Status status = OK;
    const json_t *columns = list_of(object, "columns");
    table->perturbed = flag_of(object, "perturbed");
    table->released = flag_of(object, "released");
    table->reordered = flag_of(object, "reordered");
    for (int64_t j = 0; j < table->columns; j++) table->altered[j] = flag_of(json_array_get(columns, (size_t)j), "altered");
    TRY(copy_text(l, text_of(object, "label"), &table->label));
    TRY(copy_text(l, text_of(object, "structure"), &table->structure));
    if (flag_of(object, "elsewhere")) TRY(load_elsewhere(l, columns, rows, table));
    else TRY(load_origin(l, list_of(object, "origin"), table));
done:
    return status;
}

static Status table_of(const Loader *l, const json_t *object, Table **out) {
    Status status = OK;
    const json_t *list = list_of(object, "columns");
    Column **columns = NULL;
    int64_t rows = 0, made = 0;
    Table *table = NULL;
    if (!list || !integer_of(json_object_get(object, "rows"), &rows) || rows < 0) return bad(l, "a table without columns or rows");
    int64_t here = flag_of(object, "elsewhere") ? 0 : rows;
    TRY(arena_array(l->arena, length(list) + 1, sizeof *columns, &columns, l->error));
    for (; made < length(list); made++) {
        TRY(column_of(l, json_array_get(list, (size_t)made), &columns[made]));
        if (columns[made]->rows != here) {
            column_release(columns[made]);
            TRY(bad(l, "columns of different lengths"));
        }
    }
    TRY(table_new(text_of(object, "name"), columns, made, here, &table, l->error));
    TRY(table_facts(l, object, rows, table));
    *out = table;
    table = NULL;
done:
    for (int64_t j = 0; j < made; j++) column_release(columns[j]);
    table_release(table);
    return status;
}

/* ---- the parts of a result; each is called for one item of the list of its name ---- */

static Status load_param(Loader *l, const json_t *item) {
    const char *name = text_of(item, "name");
    if (!name) return bad(l, "a parameter without a name");
    result_param(l->result, name, text_of(item, "text"), flag_of(item, "secret"), flag_of(item, "preset"), flag_of(item, "list"));
    if (l->result->failed) return OK;
    l->result->param[l->result->params - 1].role = flag_of(item, "role");
    l->result->param[l->result->params - 1].handle = flag_of(item, "handle");
    return OK;
}

static Status load_value(Loader *l, const json_t *item) {
    const char *name = text_of(item, "name"), *kind = text_of(item, "kind");
    const json_t *value = json_object_get(item, "value");
    double real = NAN;
    int64_t integer = 0;
    if (!name || !kind) return bad(l, "a value without a name or kind");
    if (result_find(l->result, name)) return bad(l, "a value that stands twice");
    if (!strcmp(kind, "real") && real_of(value, &real) && !isnan(real)) result_real(l->result, name, real);
    else if (!strcmp(kind, "integer") && integer_of(value, &integer)) result_integer(l->result, name, integer);
    else if (!strcmp(kind, "text") && json_is_string(value)) result_text(l->result, name, json_string_value(value));
    else if (!strcmp(kind, "null")) {
        result_text(l->result, name, NULL);
        if (!l->result->failed && text_of(item, "why"))
            l->result->value[l->result->values - 1].text = arena_text(l->result->arena, text_of(item, "why"));
    } else return bad(l, "a value that is not of its kind");
    result_describe(l->result, name, text_of(item, "meaning"), flag_of(item, "public"));
    return OK;
}

static Status load_record(Loader *l, const json_t *item) {
    Column *column = NULL;
    Status status = column_of(l, json_object_get(item, "column"), &column);
    if (!status) result_column(l->result, text_of(item, "of"), column);
    return status;
}

static Status load_table(Loader *l, const json_t *item) {
    const char *name = text_of(item, "name");
    Table *table = NULL;
    Status status = name ? table_of(l, json_object_get(item, "table"), &table) : bad(l, "a table without a name");
    if (!status && table->elsewhere) { /* only what was made is written as it is made */
        table_release(table);
        return bad(l, "a table without its records");
    }
    if (status) return status;
    result_table(l->result, name, table);
    result_describe_table(l->result, name, text_of(item, "meaning"), flag_of(item, "public"));
    return OK;
}

static Status load_output(Loader *l, const json_t *item) {
    Table *table = NULL;
    Status status = table_of(l, item, &table);
    if (!status) result_output(l->result, table);
    return status;
}

static Status load_note(Loader *l, const json_t *item) {
    if (!json_is_string(item)) return bad(l, "a note is no text");
    result_note(l->result, "%s", json_string_value(item));
    return OK;
}

/* ---- charts ---- */

static Status packed_reals_of(const Loader *l, const json_t *list, int64_t count, double **out) {
    Status status = OK;
    double *at = NULL;
    if (!list) return OK;
    if (length(list) != count) return bad(l, "a chart's numbers are too few or too many");
    TRY(arena_array(l->arena, count + 1, sizeof *at, &at, l->error));
    for (int64_t i = 0; i < count; i++)
        if (!real_of(json_array_get(list, (size_t)i), &at[i])) TRY(bad(l, "a chart's mark is no number"));
    *out = at;
done:
    return status;
}

static Status load_series(Loader *l, Chart *chart, const json_t *item) {
    Status status = OK;
    int64_t count = 0;
    double *x = NULL, *y = NULL, *z = NULL;
    const char **text = NULL;
    const json_t *texts = list_of(item, "text");
    if (!integer_of(json_object_get(item, "count"), &count) || count < 0 || count > 1000000)
        return bad(l, "a chart's series without a count");
    TRY(packed_reals_of(l, list_of(item, "x"), count + (chart->kind == CHART_HISTOGRAM), &x));
    TRY(packed_reals_of(l, list_of(item, "y"), count * (chart->kind == CHART_BOX ? 5 : 1), &y));
    TRY(packed_reals_of(l, list_of(item, "z"), count, &z));
    if (texts && length(texts) != count) TRY(bad(l, "a chart's labels are too few or too many"));
    TRY(arena_array(l->arena, count + 1, sizeof *text, &text, l->error));
    for (int64_t i = 0; texts && i < count; i++) text[i] = json_string_value(json_array_get(texts, (size_t)i)); /* a mark may have none */
    chart_series(chart, text_of(item, "name"), count, x, y, z, texts ? text : NULL);
    if (!l->result->failed) chart->series[chart->series_count - 1].emphasised = flag_of(item, "emphasised");
    if (list_of(item, "x_low")) {
        double *low = NULL, *high = NULL;
        TRY(packed_reals_of(l, list_of(item, "x_low"), count, &x));
        TRY(packed_reals_of(l, list_of(item, "x_high"), count, &y));
        TRY(packed_reals_of(l, list_of(item, "y_low"), count, &low));
        TRY(packed_reals_of(l, list_of(item, "y_high"), count, &high));
        chart_spread(chart, x, y, low, high);
    }
done:
    return status;
}

static Status load_chart(Loader *l, const json_t *item) {
    Status status = OK;
    const char *kind = text_of(item, "kind"), **x = NULL, **y = NULL;
    const json_t *x_names = list_of(item, "x_names"), *y_names = list_of(item, "y_names"), *series = list_of(item, "series");
    unsigned which = 0;
    while (kind && which < CHART_KINDS && strcmp(chart_kind_name((ChartKind)which), kind)) which++;
    if (!kind || which == CHART_KINDS) return bad(l, "a chart of no known kind");
    Chart *chart = result_chart(l->result, (ChartKind)which, text_of(item, "title"), text_of(item, "x_label"), text_of(item, "y_label"));
    chart->z_label = arena_text(l->result->arena, text_of(item, "z_label"));
    chart->of = arena_text(l->result->arena, text_of(item, "of"));
    chart->public = flag_of(item, "public");
    chart->log_x = flag_of(item, "log_x");
    chart->log_y = flag_of(item, "log_y");
    chart->diagonal = flag_of(item, "diagonal");
    if (text_of(item, "finding")) chart_finding(chart, text_of(item, "finding"));
    if (text_of(item, "limit_text")) {
        int64_t limit = 0;
        if (!integer_of(json_object_get(item, "limit"), &limit)) return bad(l, "a chart's limit without its place");
        chart_limit(chart, limit, text_of(item, "limit_text"));
    }
    if (x_names) TRY(texts_of(l, x_names, &x));
    if (y_names) TRY(texts_of(l, y_names, &y));
    chart_names(chart, x ? length(x_names) : 0, x, y ? length(y_names) : 0, y);
    for (int64_t i = 0; series && i < length(series); i++) TRY(load_series(l, chart, json_array_get(series, (size_t)i)));
done:
    return status;
}

/* ---- the whole ---- */

static Status load_body(Loader *l, const json_t *object);

static Status load_result(Loader *l, const json_t *item) {
    Status status = OK;
    const char *name = text_of(item, "name"), *method = text_of(item, "method");
    if (!name || !method) return bad(l, "a result within has no name or method");
    Loader inner = { l->name, l->arena, l->error, result_new(method) };
    if (!inner.result) return out_of_memory(l->error);
    TRY(load_body(&inner, item));
    result_result(l->result, name, inner.result);
    inner.result = NULL;
done:
    result_free(inner.result);
    return status;
}

static Status load_body(Loader *l, const json_t *object) {
    /* charts before tables: result_describe_table tells the charts of a table whether it is public, as they say themselves */
    static const struct {
        const char *name;
        Status (*load)(Loader *, const json_t *);
    } parts[] = {
        { "params", load_param }, { "values", load_value },   { "records", load_record }, { "charts", load_chart },
        { "tables", load_table }, { "outputs", load_output }, { "notes", load_note },     { "results", load_result },
    };
    Status status = OK;
    if (text_of(object, "summary")) result_summary(l->result, text_of(object, "summary"));
    for (size_t part = 0; part < sizeof parts / sizeof *parts; part++) {
        const json_t *list = list_of(object, parts[part].name);
        if (!list) return bad(l, "a part is missing");
        for (int64_t i = 0; i < length(list); i++) TRY(parts[part].load(l, json_array_get(list, (size_t)i)));
    }
    if (l->result->failed) TRY(out_of_memory(l->error));
done:
    return status;
}

Status result_load(const char *name, const char *bytes, size_t count, Result **out, Error *error) {
    Status status = OK;
    json_error_t where;
    int64_t schema = 0;
    Loader l = { .name = name, .arena = arena_new(), .error = error };
    *out = NULL;
    json_memory();
    /* every number as a double: -0 keeps its sign, and whole numbers that a double cannot hold stand as text */
    json_t *whole = json_loadb(bytes, count, JSON_DECODE_INT_AS_REAL | JSON_REJECT_DUPLICATES, &where);
    if (!l.arena) TRY(out_of_memory(error));
    if (!whole || !same_text(text_of(whole, "scrim"), "result") || !text_of(whole, "method")) TRY(bad(&l, "it is not written as one"));
    if (!integer_of(json_object_get(whole, "schema"), &schema) || schema != 1) TRY(bad(&l, "its schema is not known to this version"));
    if (!(l.result = result_new(text_of(whole, "method")))) TRY(out_of_memory(error));
    TRY(load_body(&l, whole));
    *out = l.result;
    l.result = NULL;
done:
    result_free(l.result);
    json_decref(whole);
    arena_free(l.arena);
    return status;
}
