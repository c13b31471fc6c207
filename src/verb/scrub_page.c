/* The page for review, written as the text goes by, so that a long text needs no more memory than a short one. */
#include <stdlib.h>
#include <string.h>
#include "base/escape.h"
#include "base/file.h"
#include "base/number_text.h"
#include "verb/scrub_page.h"

struct ScrubPage {
    Output *output;
    Buffer text;
};

static Status flush(ScrubPage *page, bool all, Error *error) {
    if (page->text.failed) return out_of_memory(error);
    if (!all && page->text.count < 1 << 16) return OK;
    Status status = output_write(page->output, page->text.bytes, page->text.count, error);
    page->text.count = 0;
    return status;
}

Status scrub_page_open(Work *work, const char *path, const char *title, ScrubPage **out) {
    Status status = OK;
    ScrubPage *page = *out = calloc(1, sizeof *page);
    if (!page) return out_of_memory(work->error);
    TRY(output_open(path, true, &page->output, work->error));
    buffer_text(&page->text, "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
                             "content=\"width=device-width\"><title>Finds in ");
    xml_text(&page->text, title);
    buffer_text(&page->text,
                "</title>\n<style>body{font:16px/1.6 system-ui,sans-serif;max-width:56rem;margin:2rem auto;padding:0 "
                "1rem;color:#1b1b1b;background:#fff}"
                "pre{white-space:pre-wrap;overflow-wrap:anywhere;font:inherit;border-top:1px solid #ddd;padding-top:.75rem}"
                "mark{background:#ffe9a8;border-radius:.2em;padding:0 .15em}mark.low{background:#ffd0c4;outline:1px dashed #b3391e}"
                "mark::after{content:\" \" attr(data-kind) \" \" attr(data-sure);font-size:.7em;color:#555}.row{color:#666;font-size:.85em}"
                "@media(prefers-color-scheme:dark){body{background:#161616;color:#eee}mark{background:#5a4a12;color:#fff}mark.low{"
                "background:#6b2a1c}mark::after{color:#ccc}}</style></head><body>\n<h1>Finds in ");
    xml_text(&page->text, title);
    buffer_text(&page->text, "</h1>\n<p>This page contains confidential text: protect it like the original. Findings are marked, with kind "
                             "and confidence; dashed marks have a confidence below 0.8. Move the pointer to a mark to see its replacement. "
                             "Text without a mark is unchanged.</p>\n");
done:
    return status;
}

static const char *after_points(const char *p, const char *end, int64_t points) {
    for (; points > 0 && p < end; points--) {
        int length = utf8_length(p, end);
        p += length ? length : 1;
    }
    return p;
}

static void put_part(Buffer *out, Buffer *scratch, const char *from, const char *to) {
    scratch->count = 0;
    buffer_add(scratch, from, (size_t)(to - from));
    xml_text(out, buffer_get(scratch));
}

static void put_mark(ScrubPage *page, Buffer *scratch, const Table *finds, int64_t i, const char *from, const char *to) {
    char cell[33], sure[33];
    double confidence = column_number(table_column(finds, "confidence"), i);
    buffer_print(&page->text, "<mark%s data-kind=\"", confidence < 0.8 ? " class=\"low\"" : "");
    xml_text(&page->text, column_cell(table_column(finds, "kind"), i, cell));
    buffer_print(&page->text, "\" data-sure=\"%s\" title=\"", real_short(confidence, 3, sure));
    xml_text(&page->text, column_cell(table_column(finds, "replacement"), i, cell));
    buffer_text(&page->text, "\">");
    put_part(&page->text, scratch, from, to);
    buffer_text(&page->text, "</mark>");
}

/* One cell with the finds [first, last) of it, in order. */
static void put_cell(ScrubPage *page, const char *text, const Table *finds, int64_t first, int64_t last) {
    Buffer scratch = { 0 };
    const char *at = text, *end = text + strlen(text);
    int64_t point = 0;
    for (int64_t i = first; i < last; i++) {
        int64_t start = column_integer(table_column(finds, "start"), i), stop = column_integer(table_column(finds, "end"), i);
        const char *from = after_points(at, end, start - point), *to = after_points(from, end, stop - start);
        put_part(&page->text, &scratch, at, from);
        put_mark(page, &scratch, finds, i, from, to);
        at = to;
        point = stop;
    }
    put_part(&page->text, &scratch, at, end);
    buffer_free(&scratch);
}

Status scrub_page_add(ScrubPage *page, const Table *data, const Table *finds, bool plain, Error *error) {
    Status status = OK;
    char cell[33], name[33];
    const Column *rows = table_column(finds, "row");
    for (int64_t row = 0, i = 0; row < data->rows; row++) {
        bool found = i < finds->rows && column_integer(rows, i) == row;
        if (plain && !found) { /* shown all the same: what was not found is what a reviewer looks for */
            buffer_text(&page->text, "<pre>");
            put_cell(page, column_cell(data->column[0], row, cell), finds, i, i);
            buffer_text(&page->text, "</pre>\n");
            TRY(flush(page, false, error));
        }
        while (i < finds->rows && column_integer(rows, i) == row) {
            const char *column = column_cell(table_column(finds, "column"), i, name);
            int64_t last = i;
            while (last < finds->rows && column_integer(rows, last) == row &&
                   !strcmp(column_cell(table_column(finds, "column"), last, cell), column))
                last++;
            if (!plain) buffer_print(&page->text, "<p class=\"row\">record %lld, ", (long long)row);
            if (!plain) xml_text(&page->text, column);
            buffer_text(&page->text, plain ? "<pre>" : "</p><pre>");
            put_cell(page, column_cell(table_column(data, column), row, cell), finds, i, last);
            buffer_text(&page->text, "</pre>\n");
            TRY(flush(page, false, error));
            i = last;
        }
    }
done:
    return status;
}

Status scrub_page_close(ScrubPage **out, Error *error) {
    Status status = OK;
    ScrubPage *page = *out;
    buffer_text(&page->text, "</body></html>\n");
    TRY(flush(page, true, error));
    Output *done = page->output;
    page->output = NULL;
    TRY(output_commit(done, error));
done:
    scrub_page_abandon(page);
    *out = NULL;
    return status;
}

void scrub_page_abandon(ScrubPage *page) {
    if (!page) return;
    output_abandon(page->output);
    buffer_free(&page->text);
    free(page);
}
