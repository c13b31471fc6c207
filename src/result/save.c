/* A result as the JSON that it is read back from. */
#include <string.h>
#include "base/escape.h"
#include "result/saved.h"

/* Members and items are apart at commas: `first` is true before the first. */
static void comma(Buffer *out, bool *first) {
    if (!*first) buffer_char(out, ',');
    *first = false;
}

static void member(Buffer *out, const char *name, const char *text) {
    if (!text) return;
    buffer_print(out, ",\"%s\":", name);
    put_json_text(out, text);
}

static void flag(Buffer *out, const char *name, bool set) {
    if (set) buffer_print(out, ",\"%s\":true", name);
}

static void params(const Result *result, Buffer *out) {
    bool first = true;
    buffer_text(out, ",\"params\":[");
    for (int64_t i = 0; i < result->params; i++) {
        const Given *given = &result->param[i];
        comma(out, &first);
        buffer_text(out, "{\"name\":");
        put_json_text(out, given->name);
        if (!given->secret) member(out, "text", given->text);
        flag(out, "secret", given->secret);
        flag(out, "preset", given->preset);
        flag(out, "list", given->list);
        flag(out, "role", given->role);
        flag(out, "handle", given->handle);
        buffer_char(out, '}');
    }
    buffer_char(out, ']');
}

static void values(const Result *result, Buffer *out) {
    static const char *const kinds[] = { "null", "real", "integer", "text" };
    bool first = true;
    buffer_text(out, ",\"values\":[");
    for (int64_t i = 0; i < result->values; i++) {
        const Value *value = &result->value[i];
        comma(out, &first);
        buffer_text(out, "{\"name\":");
        put_json_text(out, value->name);
        member(out, "kind", kinds[value->kind]);
        if (value->kind == VALUE_REAL) {
            buffer_text(out, ",\"value\":");
            put_json_real(out, value->real);
        }
        if (value->kind == VALUE_INTEGER) {
            buffer_text(out, ",\"value\":");
            put_json_integer(out, value->integer);
        }
        if (value->kind == VALUE_TEXT) member(out, "value", value->text);
        if (value->kind == VALUE_NULL) member(out, "why", value->text);
        member(out, "meaning", value->meaning);
        flag(out, "public", value->public);
        buffer_char(out, '}');
    }
    buffer_char(out, ']');
}

static void cell(const Column *column, int64_t row, Buffer *out) {
    if (column_missing(column, row)) {
        buffer_text(out, "null");
        return;
    }
    switch (column->type) {
    case REAL_TYPE: put_json_real(out, column->real[row]); return;
    case INTEGER_TYPE:
    case DATETIME_TYPE: put_json_integer(out, column_integer(column, row)); return;
    case CATEGORY_TYPE:
    case DATE_TYPE: put_json_integer(out, column->code[row]); return;
    case TEXT_TYPE: put_json_text(out, column->bytes + column->offset[row]); return;
    }
}

static void words(const Dictionary *words, Buffer *out) {
    bool first = true;
    flag(out, "ordered", words->ordered);
    buffer_text(out, ",\"words\":[");
    for (int32_t i = 0; i < words->count; i++) {
        comma(out, &first);
        put_json_text(out, words->word[i]);
    }
    buffer_char(out, ']');
}

/* The rows of cells that scrim blanked. */
static void suppressed(const Column *column, Buffer *out) {
    bool first = true;
    if (!column->reason || !column_suppressed(column)) return;
    buffer_text(out, ",\"suppressed\":[");
    for (int64_t i = 0; i < column->rows; i++)
        if (column_missing(column, i) && column->reason[i] == MISSING_SUPPRESSED) {
            comma(out, &first);
            put_json_integer(out, i);
        }
    buffer_char(out, ']');
}

static void count_member(Buffer *out, const char *name, int64_t count) {
    buffer_print(out, ",\"%s\":", name);
    put_json_integer(out, count);
}

/* `elsewhere`: the place that Table.elsewhere has for it, or NULL. */
static void column_json(const Column *column, bool altered, const int64_t *elsewhere, Buffer *out) {
    bool first = true;
    buffer_text(out, "{\"name\":");
    put_json_text(out, column->name);
    member(out, "type", type_name(column->type));
    flag(out, "altered", altered);
    if (elsewhere) {
        count_member(out, "missing", column->missing);
        count_member(out, "blanked", *elsewhere);
    }
    if (column->type == CATEGORY_TYPE) words(column->words, out);
    suppressed(column, out);
    buffer_text(out, ",\"cells\":[");
    for (int64_t i = 0; i < column->rows; i++) {
        comma(out, &first);
        cell(column, i, out);
    }
    buffer_text(out, "]}");
}

static void origin(const Table *table, Buffer *out) {
    bool first = true;
    if (!table->origin || table->elsewhere) return;
    buffer_text(out, ",\"origin\":[");
    for (int64_t i = 0; i < table->rows; i++) {
        comma(out, &first);
        put_json_integer(out, table->origin[i]);
    }
    buffer_char(out, ']');
}

static void table_json(const Table *table, Buffer *out) {
    bool first = true;
    buffer_text(out, "{\"rows\":");
    put_json_integer(out, table->rows);
    member(out, "name", table->name);
    flag(out, "perturbed", table->perturbed);
    flag(out, "released", table->released);
    flag(out, "reordered", table->reordered);
    flag(out, "elsewhere", table->elsewhere);
    member(out, "label", table->label);
    member(out, "structure", table->structure);
    origin(table, out);
    buffer_text(out, ",\"columns\":[");
    for (int64_t j = 0; j < table->columns; j++) {
        comma(out, &first);
        column_json(table->column[j], table->altered[j], table->elsewhere ? &table->elsewhere[j] : NULL, out);
    }
    buffer_text(out, "]}");
}

static void records(const Result *result, Buffer *out) {
    bool first = true;
    buffer_text(out, ",\"records\":[");
    for (int64_t i = 0; i < result->columns; i++) {
        comma(out, &first);
        buffer_text(out, "{\"of\":");
        put_json_text(out, result->column[i].of);
        buffer_text(out, ",\"column\":");
        column_json(result->column[i].column, false, NULL, out);
        buffer_char(out, '}');
    }
    buffer_char(out, ']');
}

static void tables(const Result *result, Buffer *out) {
    bool first = true;
    buffer_text(out, ",\"tables\":[");
    for (int64_t i = 0; i < result->tables; i++) {
        comma(out, &first);
        buffer_text(out, "{\"name\":");
        put_json_text(out, result->table[i].name);
        member(out, "meaning", result->table[i].meaning);
        flag(out, "public", result->table[i].public);
        buffer_text(out, ",\"table\":");
        table_json(result->table[i].table, out);
        buffer_char(out, '}');
    }
    first = true;
    buffer_text(out, "],\"outputs\":[");
    for (int64_t i = 0; i < result->outputs; i++) {
        comma(out, &first);
        table_json(result->output[i], out);
    }
    buffer_char(out, ']');
}

static void numbers(const char *name, const double *at, int64_t count, Buffer *out) {
    bool first = true;
    if (!at) return;
    buffer_print(out, ",\"%s\":[", name);
    for (int64_t i = 0; i < count; i++) {
        comma(out, &first);
        put_json_real(out, at[i]);
    }
    buffer_char(out, ']');
}

static void texts(const char *name, const char *const *at, int64_t count, Buffer *out) {
    bool first = true;
    if (!at) return;
    buffer_print(out, ",\"%s\":[", name);
    for (int64_t i = 0; i < count; i++) {
        comma(out, &first);
        put_json_text(out, at[i]);
    }
    buffer_char(out, ']');
}

static void series_json(const Chart *chart, const Series *series, Buffer *out) {
    buffer_text(out, "{\"name\":");
    put_json_text(out, series->name);
    buffer_text(out, ",\"count\":");
    put_json_integer(out, series->count);
    flag(out, "emphasised", series->emphasised);
    numbers("x", series->x, series->count + (chart->kind == CHART_HISTOGRAM), out);
    numbers("y", series->y, series->count * (chart->kind == CHART_BOX ? 5 : 1), out);
    numbers("z", series->z, series->count, out);
    texts("text", series->text, series->count, out);
    numbers("x_low", series->x_low, series->count, out);
    numbers("x_high", series->x_high, series->count, out);
    numbers("y_low", series->y_low, series->count, out);
    numbers("y_high", series->y_high, series->count, out);
    buffer_char(out, '}');
}

static void chart_json(const Chart *chart, Buffer *out) {
    bool first = true;
    buffer_print(out, "{\"kind\":\"%s\"", chart_kind_name(chart->kind));
    member(out, "title", chart->title);
    member(out, "x_label", chart->x_label);
    member(out, "y_label", chart->y_label);
    member(out, "z_label", chart->z_label);
    member(out, "of", chart->of);
    flag(out, "public", chart->public);
    flag(out, "log_x", chart->log_x);
    flag(out, "log_y", chart->log_y);
    flag(out, "diagonal", chart->diagonal);
    if (chart->finding) member(out, "finding", chart->finding);
    if (chart->limit_text) {
        member(out, "limit_text", chart->limit_text);
        buffer_text(out, ",\"limit\":");
        put_json_integer(out, chart->limit);
    }
    texts("x_names", chart->x_name, chart->x_names, out);
    texts("y_names", chart->y_name, chart->y_names, out);
    buffer_text(out, ",\"series\":[");
    for (int64_t i = 0; i < chart->series_count; i++) {
        comma(out, &first);
        series_json(chart, &chart->series[i], out);
    }
    buffer_text(out, "]}");
}

static void body(const Result *result, Buffer *out) {
    bool first = true;
    member(out, "method", result->method);
    member(out, "summary", result->summary);
    params(result, out);
    values(result, out);
    records(result, out);
    tables(result, out);
    buffer_text(out, ",\"charts\":[");
    for (int64_t i = 0; i < result->charts; i++) {
        comma(out, &first);
        chart_json(result->chart[i], out);
    }
    buffer_text(out, "]");
    texts("notes", result->notes ? result->note : &(const char *const){ NULL }, result->notes, out);
    buffer_text(out, ",\"results\":[");
    first = true;
    for (int64_t i = 0; i < result->results; i++) {
        comma(out, &first);
        buffer_text(out, "{\"name\":");
        put_json_text(out, result->result[i].name);
        body(result->result[i].result, out);
        buffer_char(out, '}');
    }
    buffer_char(out, ']');
}

void result_save(const Result *result, Buffer *out) {
    buffer_text(out, "{\"scrim\":\"result\",\"schema\":1,\"version\":\"" SCRIM_VERSION "\"");
    body(result, out);
    buffer_text(out, "}\n");
}

bool result_same(const Result *a, const Result *b) {
    Buffer one = { 0 }, other = { 0 };
    result_save(a, &one);
    result_save(b, &other);
    bool same = !one.failed && !other.failed && one.count == other.count && !memcmp(one.bytes, other.bytes, one.count);
    buffer_free(&one);
    buffer_free(&other);
    return same;
}
