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

static Status rendered_file(Work *work, const Result *result, const char *path) {
    Status status = OK;
    Buffer text = { 0 };
    if (ends(path, ".svg")) {
        if (!result->charts) TRY(fail(work->error, BAD, "%s has no chart to write to %s", result->method, path));
        for (int64_t i = 0; i < result->charts; i++) {
            text.count = 0;
            render_svg(result->chart[i], 800, 500, &text);
            TRY(file_write(file_numbered(work->arena, path, i + 1), text.bytes, text.count, false, work->error));
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

typedef struct Delivery { const Options *options; const FileHost *host; const Method *method; const Args *args; const Result *result; } Delivery;

/* The table as it was read: standard input cannot be read twice. */
static Status input_again(Work *work, const Delivery *d, const char *name, Table **out) {
    *out = host_kept(d->host, name);
    return *out ? OK : table_open(work, name, &d->options->csv, out);
}

/* The `which`-th name of a table, from 0. The last one takes all outputs that are left. */
static Status data_file(Work *work, const Delivery *d, int64_t which, bool last, const char *path) {
    Status status = OK;
    Table *input = NULL, *wide = NULL;
    const Result *result = d->result;
    const Options *o = d->options;
    if (result->outputs) {
        for (int64_t i = which; i < result->outputs && (i == which || last); i++) {
            const char *name = file_numbered(work->arena, path, i - which + 1);
            TRY(table_save(work, result->output[i], name, &o->csv));
            if (file_is_regular(name)) TRY(manifest_write(work, name, result, result->output[i], d->args, d->method));
        }
    } else if (result->columns) {
        const char *from = first_input(d->method, d->args, result);
        if (!from) TRY(fail(work->error, BAD, "%s has no per-record result", result->method));
        TRY(input_again(work, d, from, &input));
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

static bool is_rendered(const char *path) { return ends(path, ".html") || ends(path, ".svg") || ends(path, ".json"); }

static Status is_no_input(Work *work, const Method *method, const Args *args, const char *path) {
    for (const Param *p = method->params; p && p->kind; p++) {
        const Arg *arg = p->kind == KIND_TABLE ? args_find(args, p->name) : NULL;
        if (!arg || !arg->count || !arg->items || !table_same(arg->items[0], path)) continue;
        fail(work->error, BAD, "is the input, and would be lost");
        error_advice(work->error, "Write what is made to a file of its own.");
        return error_file(work->error, path);
    }
    return OK;
}

/* What is charged for must be seen: an output that cannot be written is found before a ledger is debited. A temporary beside it is made, and removed. */
static Status can_write_all(Work *work, const Options *o) {
    Status status = OK;
    for (int64_t i = 0; i < o->output_count && !status; i++) {
        Output *probe = NULL;
        if (is_stdout(o->outputs[i]) || (!access(o->outputs[i], F_OK) && !file_is_regular(o->outputs[i]))) continue; /* pipes and devices are written straight */
        status = output_open(o->outputs[i], false, &probe, work->error);
        output_abandon(probe);
    }
    return status;
}

Status deliver_check(Work *work, const Options *o, const Method *method, const Args *args) {
    bool releases = !strcmp(method->group, "protect") || !strcmp(method->group, "synth") || !strcmp(method->group, "scrub");
    Status status = OK;
    for (int64_t i = 0; releases && !status && i < o->output_count; i++) status = is_no_input(work, method, args, o->outputs[i]);
    for (const Param *p = method->params; p && p->kind && !status; p++)
        if (p->kind == KIND_LEDGER) status = can_write_all(work, o);
    return status;
}

Status deliver(Work *work, const Options *o, const FileHost *host, const Method *method, const Args *args, const Result *result) {
    Status status = OK;
    Delivery d = { o, host, method, args, result };
    bool to_stdout = writes_to_stdout(args);
    int64_t names = 0, which = 0;
    for (int64_t i = 0; i < o->output_count; i++) names += !is_rendered(o->outputs[i]);
    if (result->outputs && names > result->outputs)
        TRY(fail(work->error, BAD, "there %s %lld %s to write, and %lld names for them (-o)", result->outputs == 1 ? "is" : "are", (long long)result->outputs,
                 result->outputs == 1 ? "table" : "tables", (long long)names));
    for (int64_t i = 0; i < o->output_count; i++) {
        const char *path = o->outputs[i];
        to_stdout |= is_stdout(path);
        if (is_rendered(path)) TRY(rendered_file(work, result, path));
        else TRY(data_file(work, &d, which, which == names - 1, path));
        which += !is_rendered(path);
    }
    if (!to_stdout) TRY(print_result(work, result, o->format));
done:
    return status;
}
