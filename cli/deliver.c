/* Where results go: standard output in the format asked for, and each -o by its suffix. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "base/file.h"
#include "cli.h"
#include "io/open.h"
#include "recipe/manifest.h"
#include "recipe/report.h"

Status print_out(const Buffer *text, Error *error) {
    const char *at = text->bytes;
    for (size_t left = text->count; left;) {
        ssize_t wrote = write(1, at, left);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote < 0 && errno == EPIPE) return OK; /* the reader has seen enough */
        if (wrote < 0) return fail(error, FAILED, "cannot write to standard output: %s", strerror(errno));
        at += wrote;
        left -= (size_t)wrote;
    }
    return OK;
}

static bool ends(const char *path, const char *suffix) {
    size_t a = strlen(path), b = strlen(suffix);
    return a > b && !strcmp(path + a - b, suffix);
}

static int terminal_width(void) {
    struct winsize size;
    return ioctl(1, TIOCGWINSZ, &size) == 0 && size.ws_col > 40 ? size.ws_col : 100;
}

/* The result as a page: many results under one verdict where it is a report. */
static void as_html(Work *work, const Result *result, Buffer *text) {
    Report report;
    if (report_from(work, result, false, &report)) render_report(&report, text);
    else render_html(result, result->method, text);
}

static void as_text(Work *work, const Result *result, Buffer *text) {
    Report report;
    if (report_from(work, result, true, &report)) render_report_text(&report, terminal_width(), isatty(1), text);
    else render_text(result, terminal_width(), isatty(1), text);
}

static Status print_result(Work *work, const Result *result, Format format) {
    Buffer text = { 0 };
    if (format == FORMAT_JSON) render_json(result, &text);
    else if (format == FORMAT_CSV) render_csv(result, &text);
    else if (format == FORMAT_HTML) as_html(work, result, &text);
    else as_text(work, result, &text);
    if (text.count && text.bytes[text.count - 1] != '\n') buffer_char(&text, '\n');
    Status status = text.failed ? fail(work->error, FAILED, "out of memory") : print_out(&text, work->error);
    buffer_free(&text);
    return status;
}

/* out.csv, out-2.csv, out-3.csv where there are more outputs than names. */
static const char *numbered(Work *work, const char *path, int64_t number) {
    const char *slash = strrchr(path, '/'), *dot = strchr(slash ? slash : path, '.');
    size_t stem = dot ? (size_t)(dot - path) : strlen(path);
    return number == 1 ? path : arena_print(work->arena, "%.*s-%lld%s", (int)stem, path, (long long)number, path + stem);
}

static Status rendered_file(Work *work, const Result *result, const char *path) {
    Status status = OK;
    Buffer text = { 0 };
    if (ends(path, ".svg")) {
        if (!result->charts) TRY(fail(work->error, BAD, "%s has no chart to write to %s", result->method, path));
        for (int64_t i = 0; i < result->charts; i++) {
            text.count = 0;
            render_svg(result->chart[i], 800, 500, &text);
            TRY(file_write(numbered(work, path, i + 1), text.bytes, text.count, false, work->error));
        }
    } else {
        if (ends(path, ".json")) render_json(result, &text);
        else as_html(work, result, &text);
        TRY(file_write(path, text.bytes, text.count, false, work->error));
    }
done:
    buffer_free(&text);
    return status;
}

/* The input table with the per-record columns added. */
static Status with_columns(Work *work, const Table *input, const Result *result, Table **out) {
    Status status = OK;
    Column **columns = NULL;
    int64_t count = 0;
    NEW(work, columns, result->columns + 1);
    for (int64_t i = 0; i < result->columns; i++)
        if (result->column[i].column->rows == input->rows) columns[count++] = result->column[i].column;
    TRY(table_with(input, columns, count, out, work->error));
done:
    return status;
}

static const char *first_input(const Method *method, const Args *args, const Result *result) {
    const char *of = result->columns ? result->column[0].of : NULL;
    for (const Param *p = method->params; p && p->kind; p++) {
        if (p->kind != KIND_TABLE || (of && !param_is(p, of))) continue;
        const Arg *arg = args_find(args, p->name);
        return arg && arg->count ? arg->items[0] : NULL;
    }
    return NULL;
}

static Status data_file(Work *work, const Options *o, const Method *method, const Args *args, const Result *result, int64_t which, const char *path) {
    Status status = OK;
    Table *input = NULL, *wide = NULL;
    if (result->outputs) {
        bool last = which == o->output_count - 1; /* the last name takes what is left */
        for (int64_t i = which; i < result->outputs && (i == which || last); i++) {
            const char *name = numbered(work, path, i - which + 1);
            TRY(table_save(work, result->output[i], name, &o->csv));
            if (file_is_regular(name)) TRY(manifest_write(work, name, result, result->output[i], args, method));
        }
        if (which >= result->outputs) TRY(fail(work->error, BAD, "there are %lld outputs and more names (-o)", (long long)result->outputs));
    } else if (result->columns) {
        const char *from = first_input(method, args, result);
        if (!from) TRY(fail(work->error, BAD, "%s has no per-record result", result->method));
        TRY(table_open(work, from, &o->csv, &input));
        TRY(with_columns(work, input, result, &wide));
        TRY(table_save(work, wide, path, &o->csv));
    } else if (result->tables) TRY(table_save(work, result->table[0].table, path, &o->csv));
    else {
        fail(work->error, BAD, "%s makes no table to write to %s", result->method, path);
        TRY(error_advice(work->error, "Use -o with .json or .html for the result itself."));
    }
done:
    table_release(input);
    table_release(wide);
    return status;
}

static bool is_stdout(const char *path) { return !strcmp(path, "-") || !strcmp(path, "/dev/stdout"); }

/* A verb that writes for itself has put its table there already. */
static bool writes_to_stdout(const Args *args) {
    const Arg *out = args_find(args, "output");
    return out && out->count && is_stdout(out->items[0]);
}

Status deliver(Work *work, const Options *o, const Method *method, const Args *args, const Result *result) {
    Status status = OK;
    bool to_stdout = writes_to_stdout(args);
    for (int64_t i = 0; i < o->output_count; i++) {
        const char *path = o->outputs[i];
        bool rendered = ends(path, ".html") || ends(path, ".svg") || ends(path, ".json");
        to_stdout |= is_stdout(path);
        TRY(rendered ? rendered_file(work, result, path) : data_file(work, o, method, args, result, i, path));
    }
    if (!to_stdout) TRY(print_result(work, result, o->format));
done:
    return status;
}
