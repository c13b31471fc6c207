/* Where results go: standard output in the format asked for, and each -o by its suffix. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>
#include "cli.h"

scrim_status print_out(const char *text, size_t count, scrim_error *error) {
    while (count) {
        ssize_t wrote = write(1, text, count);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote < 0 && errno == EPIPE) return SCRIM_OK; /* the reader has seen enough */
        if (wrote < 0) return fail(error, SCRIM_FAILED, "cannot write to standard output: %s", strerror(errno));
        text += wrote;
        count -= (size_t)wrote;
    }
    return SCRIM_OK;
}

static bool ends(const char *path, const char *suffix) {
    size_t a = strlen(path), b = strlen(suffix);
    return a > b && !strcmp(path + a - b, suffix);
}

static int terminal_width(void) {
    struct winsize size;
    return ioctl(1, TIOCGWINSZ, &size) == 0 && size.ws_col > 40 ? size.ws_col : 100;
}

static scrim_status print_text(const char *text, scrim_error *error) {
    size_t count = strlen(text);
    scrim_status status = print_out(text, count, error);
    if (!status && count && text[count - 1] != '\n') status = print_out("\n", 1, error);
    return status;
}

bool is_stdout(const char *path) { return path && (!strcmp(path, "-") || !strcmp(path, "/dev/stdout")); }
static scrim_status same_place(const char *read, const char *path, scrim_error *error) {
    const int same = scrim_table_same(read, path);
    if (!same) return SCRIM_OK;
    if (same < 0) return fail(error, SCRIM_FAILED, "out of memory, or of files that may be open at once");
    fail(error, SCRIM_BAD, "is an input of this command, and would be overwritten");
    advise(error, "Choose another output file.");
    return of_file(error, path);
}

/* A text may name a file, such as one of roles or a policy; that a folder is called like a column says nothing. */
static bool may_be_read(const Param *p, const char *item) {
    struct stat about;
    if (p->kind == KIND_TEXT || p->kind == KIND_TEXTS || p->kind == KIND_OTHER) return !stat(item, &about) && S_ISREG(about.st_mode);
    return p->kind == KIND_TABLE || p->kind == KIND_TABLES || p->kind == KIND_LEDGER || p->kind == KIND_SCHEMA;
}

static scrim_status is_none_of(const Param *params, const scrim_args *args, const char *path, scrim_error *error) {
    scrim_status status = SCRIM_OK;
    for (const Param *p = params; p->kind; p++) {
        const char *item;
        if (!p->name || !strcmp(p->name, "output") || !strcmp(p->name, "report")) continue;
        for (int64_t i = 0; !status && (item = scrim_args_item(args, p->name, i)); i++)
            if (may_be_read(p, item)) status = same_place(item, path, error);
    }
    return status;
}

/* Whatever names a file among the arguments is read: tables, lists with commas, recipes, roles, ledgers, and the seed. */
static scrim_status is_no_input(const Options *o, const Method *method, const scrim_args *args, const char *path, scrim_error *error) {
    scrim_status status = o->seed_file ? same_place(o->seed_file, path, error) : SCRIM_OK;
    if (!status) status = is_none_of(method->params, args, path, error);
    return status ? status : is_none_of(common_params(), args, path, error);
}

/* What is charged for must be seen: an output that cannot be written is found before a ledger is debited. A release has a chart always, a
 * method that makes a table has none. */
static scrim_status can_write_all(const Options *o, bool charts, scrim_error *error) {
    scrim_status status = SCRIM_OK;
    for (int64_t i = 0; i < o->output_count && !status; i++) {
        if (!charts && ends(o->outputs[i], ".svg"))
            return fail(error, SCRIM_BAD, "there will be no chart for %s; nothing was charged", o->outputs[i]);
        if (!is_stdout(o->outputs[i])) status = scrim_writable(o->outputs[i], error);
    }
    return status;
}

scrim_status deliver_check(const Options *o, const Method *method, const scrim_args *args, scrim_error *error) {
    scrim_status status = SCRIM_OK;
    const char *output = scrim_args_item(args, "output", 0),
               *report = scrim_args_item(args, "report", 0); /* of verbs that write for themselves */
    for (int64_t i = 0; !status && i < o->output_count; i++) status = is_no_input(o, method, args, o->outputs[i], error);
    if (output && !status) status = is_no_input(o, method, args, output, error);
    if (report && !status) status = is_no_input(o, method, args, report, error);
    for (const Param *p = method->params; p->kind && !status; p++)
        if (p->kind == KIND_LEDGER) status = can_write_all(o, strcmp(method->group, "synth") != 0, error);
    return status;
}

/* With --public only its edition for everyone is rendered; tables that a method makes are written as they are, single records are not. */
static scrim_status edition(const Options *o, const scrim_result *result, int64_t names, scrim_result **out, scrim_error *error) {
    if (!o->public) return SCRIM_OK;
    if (names && !scrim_result_outputs(result))
        return fail(error, SCRIM_BAD, "--public writes nothing about single records: use -o with .html or .json");
    return scrim_result_public(result, out, error);
}

scrim_status deliver(const Options *o, const scrim_args *args, const scrim_result *result, scrim_error *error) {
    scrim_status status = SCRIM_OK;
    /* a verb that writes for itself, and a table in parts, is there already */
    bool to_stdout = o->table_shown || is_stdout(scrim_args_item(args, "output", 0));
    int64_t names = 0;
    scrim_result *public = NULL;
    char *text = NULL;
    for (int64_t i = 0; i < o->output_count; i++) names += !scrim_result_renders(o->outputs[i]);
    TRY(edition(o, result, names, &public, error));
    for (int64_t i = 0; i < o->output_count; i++) to_stdout |= is_stdout(o->outputs[i]);
    if (!to_stdout) /* first: what cannot be shown is not written */
        TRY(scrim_result_render(public ? public : result, o->format, terminal_width(), isatty(1), &text, error));
    if (o->output_count) TRY(scrim_result_write_all(result, public, o->outputs, o->output_count, &o->reading, error));
    if (text && (status = print_text(text, error)) && o->output_count) advise(error, "The output is complete.");
done:
    scrim_text_free(text);
    scrim_result_free(public);
    return status;
}
