/* Tables in parts: as --max-memory asks, or because the table would not fit. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "cli.h"

/* ---- to standard output ---- */

/* How a column is written may depend on its last cell: what goes to standard output lies in a file of its own until it is whole. */
typedef struct {
    char folder[4096], table[4128], manifest[4160];
} Aside;

static scrim_status aside_open(Aside *aside, scrim_error *error) {
    const char *folder = getenv("TMPDIR");
    snprintf(aside->folder, sizeof aside->folder, "%s/scrim-XXXXXX", folder && *folder ? folder : "/tmp");
    if (!mkdtemp(aside->folder)) {
        fail(error, SCRIM_FAILED, "cannot make a folder there: %s", strerror(errno));
        aside->folder[0] = 0;
        return of_file(error, folder && *folder ? folder : "/tmp");
    }
    snprintf(aside->table, sizeof aside->table, "%s/table.csv", aside->folder);
    snprintf(aside->manifest, sizeof aside->manifest, "%s.manifest.json", aside->table);
    return SCRIM_OK;
}

static void aside_close(const Aside *aside) {
    if (!aside->folder[0]) return;
    unlink(aside->table);
    unlink(aside->manifest);
    rmdir(aside->folder);
}

static scrim_status show(const char *path, scrim_error *error) {
    char bytes[1 << 16];
    scrim_status status = SCRIM_OK;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = file < 0 ? -1 : 1;
    while (!status && got > 0) {
        got = read(file, bytes, sizeof bytes);
        if (got < 0 && errno == EINTR) got = 1;
        else if (got > 0) status = print_out(bytes, (size_t)got, error);
    }
    if (got < 0) {
        fail(error, SCRIM_FAILED, "cannot be read again: %s", strerror(errno));
        status = of_file(error, path);
    }
    if (file >= 0) close(file);
    return status;
}

/* ---- running ---- */

/* Of -o, what shows the result stays in `o`, and the one table is told. */
static scrim_status take_table(Options *o, const char **table, scrim_error *error) {
    int64_t left = 0;
    for (int64_t i = 0; i < o->output_count; i++) {
        if (scrim_result_renders(o->outputs[i])) { /* written with the table, at the end: what cannot be is found before */
            scrim_status status = is_stdout(o->outputs[i]) ? SCRIM_OK : scrim_writable(o->outputs[i], error);
            if (status) return status;
            o->outputs[left++] = o->outputs[i];
            continue;
        }
        if (*table) return fail(error, SCRIM_BAD, "in parts one table is written, and -o names two");
        *table = o->outputs[i];
    }
    o->output_count = left;
    return SCRIM_OK;
}

/* The table goes to its file as it is made, and what else -o names changes with it. Where it goes to standard output, the rest follows. */
scrim_status run_out_of_core(const Method *method, Options *o, const scrim_host *host, const scrim_args *args, scrim_result **out,
                             scrim_error *error) {
    const char *table = NULL;
    Aside aside = { 0 };
    scrim_status status = take_table(o, &table, error);
    if (status) return status;
    o->table_shown = table && is_stdout(table);
    scrim_parts parts = { .size = sizeof parts, .max_memory = o->max_memory, .rows = o->part_rows, .output = table, .everyone = o->public };
    if (o->table_shown) {
        status = aside_open(&aside, error);
        parts.output = aside.table;
    } else {
        parts.pages = o->outputs;
        parts.page_count = o->output_count;
    }
    if (!status) status = scrim_run_parts(host, method->id, args, &parts, out, error);
    if (!status && table && !scrim_result_outputs(*out) && !scrim_result_records(*out)) { /* of no records: a table of the result */
        o->outputs[o->output_count++] = table;
        o->table_shown = false;
    } else o->in_place = !status && table && !o->table_shown;
    if (o->in_place) o->output_count = 0;
    if (!status && o->table_shown) status = show(aside.table, error);
    aside_close(&aside);
    return status;
}

/* What may be used in parts where the table would not fit, and what is to be written can be written so; else 0. */
static int64_t memory_in_parts(const Method *method, const Options *o, const scrim_args *args) {
    const char *table = NULL;
    for (int64_t i = 0; i < o->output_count; i++) {
        if (scrim_result_renders(o->outputs[i])) continue;
        if (table) return 0;
        table = o->outputs[i];
    }
    return o->public ? 0 : scrim_parts_memory(method->id, args, table && is_stdout(table) ? NULL : table);
}

/* The table at once; in parts where it would not fit and they would do, which gives the same bytes. */
scrim_status run_as_it_fits(const Method *method, Options *o, const scrim_host *host, const scrim_args *args, scrim_result **out,
                            scrim_error *error) {
    const int64_t memory = memory_in_parts(method, o, args), count = o->output_count;
    const scrim_error none = *error;
    const char **outputs = memory ? malloc(((size_t)count + 1) * sizeof *outputs) : NULL;
    if (!outputs) return scrim_run(host, method->id, args, out, error);
    if (count) memcpy(outputs, o->outputs, (size_t)count * sizeof *outputs);
    o->max_memory = memory;
    scrim_status status = run_out_of_core(method, o, host, args, out, error);
    if (status == SCRIM_BAD) { /* these arguments need the whole table, or it is bad as it is: said of the whole */
        if (count) memcpy(o->outputs, outputs, (size_t)count * sizeof *outputs);
        o->output_count = count;
        o->table_shown = false;
        *error = none;
        status = scrim_run(host, method->id, args, out, error);
    }
    free(outputs);
    return status;
}

/* Plain text is scrubbed as a stream already, whatever its length. */
bool streams(const Method *method, const scrim_args *args) { return !strcmp(method->id, "scrub") && scrim_args_count(args, "columns") < 0; }

scrim_status run_stream(const Method *method, const Options *o, const scrim_host *host, const scrim_args *args, scrim_result **out,
                        scrim_error *error) {
    if (o->part_rows) {
        fail(error, SCRIM_BAD, "is of tables, and plain text has no records");
        return of_parameter(error, "part-rows");
    }
    if (o->max_memory < (int64_t)80 << 20) {
        fail(error, SCRIM_BAD, "plain text takes up to 80 MB, whatever its length");
        return of_parameter(error, "max-memory");
    }
    return scrim_run(host, method->id, args, out, error);
}
