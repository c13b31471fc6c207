/* A result as JSON. */
#include <stdlib.h>
#include <string.h>
#include "base/escape.h"
#include "base/number_text.h"
#include "render/render.h"

static void line(Buffer *out, int depth) {
    buffer_char(out, '\n');
    for (int i = 0; i < depth; i++) buffer_text(out, "  ");
}

/* Begins member `name` of an object whose members stand `depth` deep. */
static void member(Buffer *out, int depth, bool first, const char *name) {
    if (!first) buffer_char(out, ',');
    line(out, depth);
    put_json_text(out, name);
    buffer_text(out, ": ");
}

static void close_list(Buffer *out, int depth, bool empty, char bracket) {
    if (!empty) line(out, depth);
    buffer_char(out, bracket);
}

/* A parameter's item: a number where the text is that number's own shortest form, true and false, else text. */
static void item(Buffer *out, const char *text, size_t count) {
    char digits[33], *copy = strndup(text, count);
    double real;
    int64_t integer;
    if (!copy) {
        out->failed = true;
        return;
    }
    if (read_integer(copy, copy + count, &integer)) {
        if (write_integer(integer, digits) == count && !memcmp(digits, copy, count)) put_json_integer(out, integer);
        else put_json_text(out, copy);
    } else if (read_real(copy, copy + count, '.', &real) && write_real(real, digits) == count && !memcmp(digits, copy, count))
        put_json_real(out, real);
    else if (!strcmp(copy, "true") || !strcmp(copy, "false")) buffer_text(out, copy);
    else put_json_text(out, copy);
    free(copy);
}

/* Items are split at commas; backticks protect a name that has one. */
static void items(Buffer *out, const char *text) {
    bool first = true;
    buffer_char(out, '[');
    for (const char *p = text; *text; first = false) {
        bool quoted = false;
        for (p = text; *p && (quoted || *p != ','); p++) quoted ^= *p == '`';
        if (!first) buffer_text(out, ", ");
        bool wrapped = p - text >= 2 && *text == '`' && p[-1] == '`';
        item(out, text + wrapped, (size_t)(p - text) - 2 * wrapped);
        text = *p ? p + 1 : p;
    }
    buffer_char(out, ']');
}

static void params(const Result *result, int depth, Buffer *out) {
    bool first = true;
    buffer_char(out, '{');
    for (int64_t i = 0; i < result->params; i++) {
        const Given *given = &result->param[i];
        if (given->secret) continue;
        member(out, depth + 1, first, given->name);
        first = false;
        if (!given->text) buffer_text(out, "null");
        else if (given->list) items(out, given->text);
        else item(out, given->text, strlen(given->text));
    }
    close_list(out, depth, first, '}');
}

static void values(const Result *result, int depth, Buffer *out) {
    buffer_char(out, '{');
    for (int64_t i = 0; i < result->values; i++) {
        const Value *value = &result->value[i];
        member(out, depth + 1, !i, value->name);
        if (value->kind == VALUE_REAL) put_json_real(out, value->real);
        else if (value->kind == VALUE_INTEGER) put_json_integer(out, value->integer);
        else put_json_text(out, value->kind == VALUE_TEXT ? value->text : NULL);
    }
    close_list(out, depth, !result->values, '}');
}

static void cell(const Column *column, int64_t row, Buffer *out) {
    char text[33];
    if (column_missing(column, row)) buffer_text(out, "null");
    else if (column->type == REAL_TYPE) put_json_real(out, column->real[row]);
    else if (column->type == INTEGER_TYPE) put_json_integer(out, column_integer(column, row));
    else put_json_text(out, column_cell(column, row, text));
}

static void column_names(const Table *table, Buffer *out) {
    buffer_char(out, '[');
    for (int64_t j = 0; j < table->columns; j++) {
        if (j) buffer_text(out, ", ");
        put_json_text(out, table->column[j]->name);
    }
    buffer_char(out, ']');
}

static void table_json(const Table *table, int depth, Buffer *out) {
    buffer_text(out, "{\"columns\": ");
    column_names(table, out);
    buffer_text(out, ", \"rows\": [");
    for (int64_t i = 0; i < table->rows; i++) {
        if (i) buffer_char(out, ',');
        line(out, depth + 1);
        buffer_char(out, '[');
        for (int64_t j = 0; j < table->columns; j++) {
            if (j) buffer_text(out, ", ");
            cell(table->column[j], i, out);
        }
        buffer_char(out, ']');
    }
    close_list(out, depth, !table->rows, ']');
    buffer_char(out, '}');
}

static void numbers(const char *name, const double *at, int64_t count, Buffer *out) {
    if (!at) return;
    buffer_print(out, ", \"%s\": [", name);
    for (int64_t i = 0; i < count; i++) {
        if (i) buffer_char(out, ',');
        put_json_real(out, at[i]);
    }
    buffer_char(out, ']');
}

static void texts(const char *name, const char *const *at, int64_t count, Buffer *out) {
    if (!at) return;
    buffer_print(out, ", \"%s\": [", name);
    for (int64_t i = 0; i < count; i++) {
        if (i) buffer_char(out, ',');
        put_json_text(out, at[i]);
    }
    buffer_char(out, ']');
}

static void series_json(const Chart *chart, const Series *series, Buffer *out) {
    buffer_text(out, "{\"name\": ");
    put_json_text(out, series->name);
    if (series->emphasised) buffer_text(out, ", \"emphasised\": true");
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

static void chart_json(const Chart *chart, int depth, Buffer *out) {
    const char *const labels[] = { "title", chart->title, "x_label", chart->x_label, "y_label", chart->y_label, "z_label", chart->z_label };
    buffer_print(out, "{\"kind\": \"%s\"", chart_kind_name(chart->kind));
    for (int i = 0; i < 8; i += 2)
        if (labels[i + 1]) {
            buffer_print(out, ", \"%s\": ", labels[i]);
            put_json_text(out, labels[i + 1]);
        }
    if (chart->log_x) buffer_text(out, ", \"log_x\": true");
    if (chart->log_y) buffer_text(out, ", \"log_y\": true");
    if (chart->diagonal) buffer_text(out, ", \"diagonal\": true");
    if (chart->finding) {
        buffer_text(out, ", \"finding\": ");
        put_json_text(out, chart->finding);
    }
    if (chart->limit_text) {
        buffer_print(out, ", \"limit\": %lld, \"limit_text\": ", (long long)chart->limit);
        put_json_text(out, chart->limit_text);
    }
    texts("x_names", chart->x_name, chart->x_names, out);
    texts("y_names", chart->y_name, chart->y_names, out);
    buffer_text(out, ", \"series\": [");
    for (int64_t i = 0; i < chart->series_count; i++) {
        if (i) buffer_char(out, ',');
        line(out, depth + 1);
        series_json(chart, &chart->series[i], out);
    }
    close_list(out, depth, !chart->series_count, ']');
    buffer_char(out, '}');
}

static void tables(const Result *result, int depth, Buffer *out) {
    buffer_char(out, '{');
    for (int64_t i = 0; i < result->tables; i++) {
        member(out, depth + 1, !i, result->table[i].name);
        table_json(result->table[i].table, depth + 1, out);
    }
    close_list(out, depth, !result->tables, '}');
}

static void charts(const Result *result, int depth, Buffer *out) {
    buffer_char(out, '[');
    for (int64_t i = 0; i < result->charts; i++) {
        if (i) buffer_char(out, ',');
        line(out, depth + 1);
        chart_json(result->chart[i], depth + 1, out);
    }
    close_list(out, depth, !result->charts, ']');
}

static void notes(const Result *result, int depth, Buffer *out) {
    buffer_char(out, '[');
    for (int64_t i = 0; i < result->notes; i++) {
        if (i) buffer_char(out, ',');
        line(out, depth + 1);
        put_json_text(out, result->note[i]);
    }
    close_list(out, depth, !result->notes, ']');
}

static void outputs(const Result *result, int depth, Buffer *out) {
    buffer_char(out, '[');
    for (int64_t i = 0; i < result->outputs; i++) {
        if (i) buffer_char(out, ',');
        line(out, depth + 1);
        buffer_text(out, "{\"rows\": ");
        put_json_integer(out, result->output[i]->rows);
        buffer_text(out, ", \"columns\": ");
        column_names(result->output[i], out);
        buffer_char(out, '}');
    }
    close_list(out, depth, !result->outputs, ']');
}

static void body(const Result *result, int depth, Buffer *out);

static void results(const Result *result, int depth, Buffer *out) {
    buffer_char(out, '{');
    for (int64_t i = 0; i < result->results; i++) {
        member(out, depth + 1, !i, result->result[i].name);
        body(result->result[i].result, depth + 1, out);
    }
    close_list(out, depth, !result->results, '}');
}

static void body(const Result *result, int depth, Buffer *out) {
    static const struct {
        const char *name;
        void (*write)(const Result *, int, Buffer *);
    } parts[] = {
        { "params", params }, { "values", values },   { "tables", tables },   { "charts", charts },
        { "notes", notes },   { "results", results }, { "outputs", outputs },
    };
    int inner = depth + 1;
    buffer_char(out, '{');
    if (!depth) {
        member(out, inner, true, "schema");
        buffer_char(out, '1');
    }
    member(out, inner, depth > 0, "method");
    put_json_text(out, result->method);
    if (!depth) {
        member(out, inner, false, "version");
        put_json_text(out, SCRIM_VERSION);
    }
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        member(out, inner, false, parts[i].name);
        parts[i].write(result, inner, out);
    }
    close_list(out, depth, false, '}');
}

void render_json(const Result *result, Buffer *out) {
    body(result, 0, out);
    buffer_char(out, '\n');
}

void render_chart_json(const Chart *chart, Buffer *out) {
    chart_json(chart, 0, out);
    buffer_char(out, '\n');
}
