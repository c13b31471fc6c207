/* A result as one page of HTML. */
#include "render/html.h"
#include "base/escape.h"
#include "render/chart/plot.h"
#include "render/human_numbers.h"
#include "table/display_layout.h"

enum {
    MOST_ROWS = 1000,
    CHART_WIDTH = 840,
    SQUARE_WIDTH = 560,
    COLUMN_WIDTH = 460,
    MANY_CHARTS = 6,
    LEAST_HEIGHT = 300,
    LAST_LEVEL = 6,
    LONG_TABLE = 60
};

void html_text(Buffer *out, const char *text) {
    Buffer plain = { 0 };
    for (const char *at = text; at && *at; at++) {
        bool option = at[0] == '-' && at[1] == '-' && at[2] >= 'a' && at[2] <= 'z' && (at == text || at[-1] == ' ' || at[-1] == '(');
        if (option) at += 2;
        buffer_char(&plain, *at);
    }
    if (plain.count) xml_text(out, buffer_get(&plain));
    buffer_free(&plain);
}

static void heading(Buffer *out, int level, const char *text) {
    char tag[] = "h2";
    tag[1] = (char)('0' + (level > LAST_LEVEL ? LAST_LEVEL : level));
    html_element(out, tag, NULL, text);
}

static void values(const Result *result, Buffer *out) {
    if (!result->values) return;
    buffer_text(out, "<table class=\"values\"><tbody>\n");
    for (int64_t i = 0; i < result->values; i++) {
        const Value *value = &result->value[i];
        char number[33];
        const char *text = human_value(value, number);
        buffer_text(out, "<tr><th scope=\"row\"><code>");
        xml_text(out, value->name);
        buffer_print(out, "</code></th><td%s>", value->kind == VALUE_TEXT ? " class=\"text\"" : "");
        if (!text) buffer_text(out, "<span class=\"missing\">–</span>");
        else if (value->kind == VALUE_TEXT) xml_text(out, text);
        else human_grouped(out, text, GROUP_DIGITS);
        buffer_text(out, "</td><td>");
        html_text(out, value->meaning);
        buffer_text(out, "</td></tr>\n");
    }
    buffer_text(out, "</tbody></table>\n");
}

static int widest_fraction(const Column *column, int64_t rows) {
    int widest = 0;
    for (int64_t i = 0; column_numeric(column) && i < rows; i++) {
        char number[33];
        const char *cell = human_cell(column, i, number);
        int fraction = cell ? human_fraction(cell) : 0;
        if (fraction > widest) widest = fraction;
    }
    return widest;
}

/* Points under one another: a number with fewer decimals gets that much more padding, so that what is copied is the number alone. */
static void cell(const Column *column, int64_t row, int widest, Buffer *out) {
    char number[33];
    const char *text = human_cell(column, row, number);
    bool numeric = column_numeric(column);
    int fraction = numeric && text ? human_fraction(text) : 0, less = text ? widest - fraction : 0;
    buffer_text(out, numeric ? "<td class=\"number\"" : "<td");
    if (numeric && less > 0)
        buffer_print(out, " style=\"--less:%d%sch\"", fraction ? less : less - 1,
                     fraction ? "" : ".5"); /* a point is half as wide as a digit */
    buffer_char(out, '>');
    if (text) xml_text(out, text);
    else buffer_text(out, "<span class=\"missing\">–</span>");
    buffer_text(out, "</td>");
}

/* A cell of a laid out table: what heads a row is set in, what is hidden is marked. */
static void laid_cell(const Table *table, int64_t j, int64_t row, Buffer *out) {
    static const char *const class[] = { "", "number", "number hidden" };
    char number[33];
    const char *text = human_cell(table->column[j], row, number);
    DisplayKind kind = display_layout_kind(table, j, text);
    const char *why = display_layout_why(table, j, row);
    int depth = display_layout_depth(table, j, row);
    if (why) kind = LAID_HIDDEN;
    if (kind == LAID_HEAD) {
        buffer_text(out, "<th scope=\"row\"");
        if (depth) buffer_print(out, " style=\"padding-left:%d.4em\"", depth);
    } else buffer_print(out, "<td class=\"%s\"", class[kind]);
    if (why) {
        buffer_text(out, " tabindex=\"0\" title=\"");
        xml_text(out, why);
        buffer_char(out, '"');
    }
    buffer_char(out, '>');
    if (text) xml_text(out, text);
    else buffer_text(out, "<span class=\"missing\">–</span>");
    buffer_text(out, kind == LAID_HEAD ? "</th>" : "</td>");
}

static void table_rows(const Table *table, int64_t rows, Buffer *out) {
    enum { KNOWN = 64 };
    int fractions[KNOWN];
    for (int64_t j = 0; j < table->columns && j < KNOWN; j++) fractions[j] = widest_fraction(table->column[j], rows);
    for (int64_t i = 0; i < rows; i++) {
        buffer_text(out, "<tr>");
        for (int64_t j = 0; j < table->columns; j++)
            if (table->layout) laid_cell(table, j, i, out);
            else cell(table->column[j], i, j < KNOWN ? fractions[j] : 0, out);
        buffer_text(out, "</tr>\n");
    }
}

static void table_html(const Table *table, const char *name, Buffer *out) {
    int64_t rows = table->rows > MOST_ROWS ? MOST_ROWS : table->rows;
    if (!table->rows || !table->columns) {
        html_element(out, "p", "quiet", "(empty)");
        return;
    }
    buffer_text(out, "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"");
    xml_text(out, name);
    buffer_text(out, "\"><table><thead><tr>");
    for (int64_t j = 0; j < table->columns; j++) {
        buffer_print(out, "<th scope=\"col\"%s>",
                     column_numeric(table->column[j]) || display_layout_kind(table, j, NULL) != LAID_HEAD ? " class=\"number\"" : "");
        xml_text(out, table->column[j]->name);
        buffer_text(out, "</th>");
    }
    buffer_text(out, "</tr></thead><tbody>\n");
    table_rows(table, rows, out);
    buffer_text(out, "</tbody></table></div>\n");
    if (rows == table->rows) return;
    Buffer more = { 0 };
    buffer_text(&more, "… and ");
    human_count(&more, table->rows - rows, "more row", "more rows");
    html_element(out, "p", "quiet", buffer_get(&more));
    buffer_free(&more);
}

static void tables(const Result *result, int level, Buffer *out) {
    for (int64_t i = 0; i < result->tables; i++) {
        bool folded = result->table[i].table->rows > LONG_TABLE;
        if (folded) {
            buffer_text(out, "<details><summary><b>");
            xml_text(out, result->table[i].name);
            buffer_text(out, "</b> ");
            human_count(out, result->table[i].table->rows, "row", "rows");
            buffer_text(out, "</summary>\n");
        } else heading(out, level, result->table[i].name);
        if (result->table[i].meaning) {
            buffer_text(out, "<p class=\"quiet\">");
            html_text(out, result->table[i].meaning);
            buffer_text(out, "</p>\n");
        }
        table_html(result->table[i].table, result->table[i].name, out);
        if (folded) buffer_text(out, "</details>\n");
    }
}

/* Many charts stand in columns, to be compared; few have the whole width. */
static void charts(const Result *result, Buffer *out) {
    bool many = result->charts >= MANY_CHARTS;
    if (many) buffer_text(out, "<div class=\"pictures\">\n");
    for (int64_t i = 0; i < result->charts; i++) {
        const Chart *chart = result->chart[i];
        int width = many ? COLUMN_WIDTH : chart->diagonal ? SQUARE_WIDTH : CHART_WIDTH, height = chart_height(chart, width);
        buffer_text(out, "<figure tabindex=\"0\">"); /* on a narrow screen it is moved sideways, by keys too */
        chart_svg(chart, width, many && height < LEAST_HEIGHT ? LEAST_HEIGHT : height, false, out);
        buffer_text(out, "</figure>\n");
    }
    if (many) buffer_text(out, "</div>\n");
}

void html_notes(Buffer *out, const char *const *notes, int64_t count) {
    if (!count) return;
    buffer_text(out, "<ul>\n");
    for (int64_t i = 0; i < count; i++) {
        buffer_text(out, "<li>");
        html_text(out, notes[i]);
        buffer_text(out, "</li>\n");
    }
    buffer_text(out, "</ul>\n");
}

static void params(const Result *result, int level, Buffer *out) {
    if (!result->params) return;
    heading(out, level, "Parameters");
    buffer_text(out, "<ul class=\"params\">\n");
    for (int64_t i = 0; i < result->params; i++) {
        const Given *given = &result->param[i];
        buffer_print(out, "<li%s><code>", given->preset ? " class=\"preset\"" : "");
        xml_text(out, given->name);
        buffer_text(out, " = ");
        xml_text(out, given->secret ? "(secret)" : given->text ? given->text : "–");
        buffer_print(out, "</code>%s</li>\n", given->preset ? " (default)" : "");
    }
    buffer_text(out, "</ul>\n");
}

static void outputs(const Result *result, Buffer *out) {
    for (int64_t i = 0; i < result->outputs; i++) {
        Buffer text = { 0 };
        buffer_text(&text, "The table made has ");
        human_count(&text, result->output[i]->rows, "row and ", "rows and ");
        human_count(&text, result->output[i]->columns, "column.", "columns.");
        html_element(out, "p", "quiet", buffer_get(&text));
        buffer_free(&text);
    }
}

void html_result(const Result *result, int level, Buffer *out) {
    values(result, out);
    charts(result, out);
    tables(result, level, out);
    if (result->notes) {
        heading(out, level, "Notes");
        html_notes(out, result->note, result->notes);
    }
    outputs(result, out);
    for (int64_t i = 0; i < result->results; i++) {
        buffer_text(out, "<section>\n");
        heading(out, level, result->result[i].name);
        if (result->result[i].result->summary) html_element(out, "p", "quiet", result->result[i].result->summary);
        html_result(result->result[i].result, level + 1, out);
        buffer_text(out, "</section>\n");
    }
    params(result, level, out);
}

void render_html(const Result *result, const char *title, Buffer *out) {
    if (!title) title = result->method ? result->method : "scrim";
    html_begin(title, out);
    html_element(out, "h1", NULL, title);
    if (result->summary) html_element(out, "p", "lead", result->summary);
    html_result(result, 3, out);
    buffer_text(out, "<footer><p>");
    if (result->method) xml_text(out, result->method);
    buffer_text(out, " · scrim " SCRIM_VERSION "</p></footer>\n");
    html_end(out);
}
