/* A result as a page of text. */
#include "render/text.h"
#include <stdlib.h>
#include <stdio.h>
#include "base/elementary.h"
#include "render/human_numbers.h"

enum { INDENT = 2, WIDEST_VALUE = 24 };

static void heading(const Page *page, const char *text, const char *more) {
    buffer_char(page->out, '\n');
    page_bold(page, text);
    int at = utf8_width(text) + 2;
    if (!more) {
        buffer_char(page->out, '\n');
        return;
    }
    buffer_text(page->out, "  ");
    page_wrap(page, more, at, at <= WIDEST_VALUE ? at : 2 * INDENT); /* further lines stand under the first */
}

/* Widths of the names and of the values that share a column. */
static void measure(const Result *result, int *names, int *numbers) {
    char number[33];
    for (int64_t i = 0; i < result->values; i++) {
        const char *text = human_value(&result->value[i], number);
        int name = utf8_width(result->value[i].name), width = text ? utf8_width(text) : 1;
        if (name > *names) *names = name;
        if (width > *numbers && width <= WIDEST_VALUE) *numbers = width;
    }
}

static void put_value(const Page *page, const Value *value, int names, int numbers) {
    char number[33];
    const char *text = human_value(value, number);
    if (!text) text = "–";
    int width = utf8_width(text), at = INDENT + names + 2, after = at + numbers + 3;
    bool left = value->kind == VALUE_TEXT;
    page_spaces(page, INDENT);
    buffer_text(page->out, value->name);
    page_spaces(page, names - utf8_width(value->name) + 2);
    if (left && width > WIDEST_VALUE) {
        page_wrap(page, text, at, at);
        if (!value->meaning) return;
        page_spaces(page, after);
        page_wrap(page, value->meaning, after, after);
        return;
    }
    if (!left) page_spaces(page, numbers - width);
    page_bold(page, text);
    if (!value->meaning) {
        buffer_char(page->out, '\n');
        return;
    }
    page_spaces(page, 3 + (left ? numbers - width : 0));
    page_wrap(page, value->meaning, after, after);
}

void page_values(const Page *page, const Result *result) {
    int names = 0, numbers = 0;
    if (!result->values) return;
    measure(result, &names, &numbers);
    buffer_char(page->out, '\n');
    for (int64_t i = 0; i < result->values; i++) put_value(page, &result->value[i], names, numbers);
}

static void put_tables(const Page *page, const Result *result) {
    for (int64_t i = 0; i < result->tables; i++) {
        heading(page, result->table[i].name, result->table[i].meaning);
        page_table(page, result->table[i].table);
    }
}

static void put_notes(const Page *page, const char *const *notes, int64_t count) {
    if (count) heading(page, "Notes", NULL);
    for (int64_t i = 0; i < count; i++) {
        buffer_text(page->out, "  - ");
        page_wrap(page, notes[i], 4, 4);
    }
}

static char *param_text(const Given *given) {
    Buffer text = { 0 };
    buffer_print(&text, "%s = %s%s", given->name,
                 given->secret ? "(secret)"
                 : given->text ? given->text
                               : "–",
                 given->preset ? " (default)" : "");
    buffer_get(&text);
    return text.failed ? NULL : text.bytes;
}

static void put_params(const Page *page, const Result *result) {
    char *items[64] = { 0 };
    int64_t count = 0;
    if (!result->params) return;
    heading(page, "Parameters", NULL);
    for (int64_t i = 0; i < result->params && count < 64; i++)
        if ((items[count] = param_text(&result->param[i]))) count++;
    page_spaces(page, INDENT);
    page_items(page, (const char *const *)items, count, "; ", INDENT, INDENT);
    for (int64_t i = 0; i < count; i++) free(items[i]);
}

/* What a page of text cannot hold, and how to get it. */
static void put_more(const Page *page, const Result *result) {
    Buffer more = { 0 };
    for (int64_t i = 0; i < result->outputs; i++) {
        buffer_text(&more, i ? "; " : "Output (-o FILE): ");
        human_count(&more, result->output[i]->rows, "row, ", "rows, ");
        human_count(&more, result->output[i]->columns, "column", "columns");
    }
    if (result->columns) {
        if (more.count) buffer_text(&more, ". ");
        buffer_text(&more, "Per record (-o FILE):");
        for (int64_t i = 0; i < result->columns; i++) buffer_print(&more, "%s %s", i ? "," : "", result->column[i].column->name);
    }
    if (result->charts) {
        if (more.count) buffer_text(&more, ". ");
        human_count(&more, result->charts, "chart", "charts");
        buffer_text(&more, " (--format html)");
    }
    if (more.count) {
        buffer_char(page->out, '\n');
        page_wrap(page, buffer_get(&more), 0, INDENT);
    }
    buffer_free(&more);
}

void page_result(const Page *page, const Result *result, const char *name) {
    const char *title = name ? name : result->method ? result->method : "result";
    page_bold(page, title);
    if (result->summary) {
        buffer_text(page->out, "  ");
        page_wrap(page, result->summary, utf8_width(title) + 2, 2 * INDENT);
    } else buffer_char(page->out, '\n');
    page_values(page, result);
    put_tables(page, result);
    put_notes(page, result->note, result->notes);
    for (int64_t i = 0; i < result->results; i++) {
        buffer_char(page->out, '\n');
        page_result(page, result->result[i].result, result->result[i].name);
    }
    put_params(page, result);
    put_more(page, result);
}

void render_text(const Result *result, int width, bool colour, Buffer *out) {
    Page page = { .out = out, .width = width > 0 ? width < 40 ? 40 : width : 80, .colour = colour };
    page_result(&page, result, NULL);
}

static void put_rule(const Page *page, const ReportRule *rule) {
    page_spaces(page, INDENT);
    if (page->colour) buffer_text(page->out, rule->passed ? "\x1b[32m" : "\x1b[31m");
    buffer_text(page->out, rule->passed ? "satisfied  " : "violated   ");
    if (page->colour) buffer_text(page->out, "\x1b[0m");
    Buffer text = { 0 };
    if (rule->words) buffer_print(&text, "%s  (%s)", rule->words, rule->rule);
    else buffer_print(&text, "%s  %s%s", rule->rule, rule->seen ? "observed: " : "could not be computed", rule->seen ? rule->seen : "");
    if (rule->why && !rule->seen) buffer_print(&text, " (%s)", rule->why);
    page_wrap(page, buffer_get(&text), INDENT + 11, INDENT + 11);
    buffer_free(&text);
}

static void put_line(const Page *page, const ReportLine *line) {
    char before[33], after[33];
    Buffer text = { 0 };
    double scale = line->share ? 100 : 1;
    if (!isnan(line->before)) buffer_print(&text, "%s → ", human_amount(scale * line->before, before));
    buffer_print(&text, "%s %s", isnan(line->after) ? "–" : human_amount(scale * line->after, after), line->what);
    page_spaces(page, INDENT);
    page_wrap(page, buffer_get(&text), INDENT, 2 * INDENT + 2);
    buffer_free(&text);
}

static void put_pair(const Page *page, const char *what, const char *more) {
    Buffer text = { 0 };
    buffer_print(&text, "%s: %s", what, more);
    page_spaces(page, INDENT);
    page_wrap(page, buffer_get(&text), INDENT, 2 * INDENT);
    buffer_free(&text);
}

static void put_measures(const Page *page, const Report *report) {
    for (int64_t i = 0; i < report->measures; i++) {
        const ReportMeasure *m = &report->measure[i];
        Buffer text = { 0 };
        if (!i || !same_text(m->kind, report->measure[i - 1].kind)) heading(page, m->kind && *m->kind ? m->kind : "other", NULL);
        buffer_print(&text, "%s.%s  ", m->measure, m->value);
        if (m->before) buffer_print(&text, "%s → ", m->before);
        buffer_print(&text, "%s%s%s%s  %s", m->after ? m->after : "–", m->change ? " (" : "", m->change ? m->change : "",
                     m->change ? ")" : "", m->meaning ? m->meaning : "");
        page_spaces(page, INDENT);
        page_wrap(page, buffer_get(&text), INDENT, 2 * INDENT + 2);
        buffer_free(&text);
    }
}

/* What else there is, and how to see it. */
static void put_rest(const Page *page, const Report *report) {
    char text[160];
    snprintf(text, sizeof text, "%lld measures and %lld notes: --all prints them, -o report.html shows them with charts.",
             (long long)report->measures, (long long)report->notes);
    buffer_char(page->out, '\n');
    page_wrap(page, text, 0, 0);
}

void render_report_text(const Report *report, int width, bool colour, Buffer *out) {
    Page page = { .out = out, .width = width > 0 ? width < 40 ? 40 : width : 80, .colour = colour };
    if (report->title) {
        page_dim(&page, report->title);
        buffer_char(out, '\n');
    }
    if (colour)
        buffer_text(out, report->level == VERDICT_GOOD ? "\x1b[1;32m" : report->level == VERDICT_WARN ? "\x1b[1;33m" : "\x1b[1;31m");
    page_wrap(&page, report->verdict, 0, 0);
    if (colour) buffer_text(out, "\x1b[0m");
    if (report->rules) heading(&page, "Rules", NULL);
    for (int64_t i = 0; i < report->rules; i++) put_rule(&page, &report->rule[i]);
    if (report->lines) heading(&page, "People at risk", NULL);
    for (int64_t i = 0; i < report->lines; i++) put_line(&page, &report->line[i]);
    if (report->kinds && !report->brief) heading(&page, "The four kinds of disclosure", NULL);
    for (int64_t i = 0; !report->brief && i < report->kinds; i++) put_pair(&page, report->kind[i].what, report->kind[i].text);
    if (report->holders) heading(&page, "Disclosure to holders of parts of the data", NULL);
    for (int64_t i = 0; i < report->holders; i++) put_pair(&page, report->holder[i].what, report->holder[i].text);
    if (report->costs) heading(&page, "Information loss", NULL);
    for (int64_t i = 0; i < report->costs && (!report->brief || i < 3); i++) put_pair(&page, report->cost[i].what, report->cost[i].text);
    if (report->nexts) heading(&page, "Recommendations", NULL);
    for (int64_t i = 0; i < report->nexts; i++) {
        page_spaces(&page, INDENT);
        page_wrap(&page, report->next[i], INDENT, 2 * INDENT);
    }
    if (report->brief) put_rest(&page, report);
    else {
        put_measures(&page, report);
        put_notes(&page, report->note, report->notes);
    }
    if (report->provenances) buffer_char(out, '\n');
    for (int64_t i = 0; i < report->provenances; i++) {
        page_dim(&page, report->provenance[i]);
        buffer_char(out, '\n');
    }
}
