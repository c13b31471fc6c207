/* Files larger than memory: fit, finish, apply, part by part. */
#include "verb/out_of_core.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "base/number_text.h"
#include "io/paired_reader.h"
#include "io/format.h"
#include "io/open.h"
#include "io/chunk_writer.h"
#include "method/parts.h"
#include "recipe/manifest.h"

/* Of the memory allowed, one part's text takes a thirty-second: the table, what is made of it and the text of that are some ten times as
 * large. Half is for what is learned. */
enum { SHARE = 32, LEAST_BYTES = 1 << 16, MOST_BYTES = 1 << 25 };

typedef struct Running {
    Work *work;
    const Session *session;
    const Method *method;
    const Args *given, *roles;
    const PartPlan *plan;
    int tables; /* that come in parts */
    const char *input[PAIRED_FILES];
    PairedReader *parts;
    Job *job;
    Transaction *stage;
    ChunkWriter *sheet;
    const char *now; /* where the output lies until the stage puts it in place */
} Running;

/* A table takes about twice its file, a packed file some six times its bytes more, and what is done with it as much again. */
static double bytes_whole(const char *path) {
    struct stat about;
    size_t length = strlen(path);
    bool packed = (length > 3 && !strcmp(path + length - 3, ".gz")) || (length > 4 && !strcmp(path + length - 4, ".zst"));
    if (stat(path, &about) || !S_ISREG(about.st_mode)) return 0;
    return (double)about.st_size * (packed ? 6 : 1) * 4;
}

/* The tables that come in parts, by their names; NULL where one was handed over. */
static const char *named(const Method *method, const Args *given, int table) {
    const Param *subject = parts_subject(method, table);
    const Arg *arg = subject ? args_find(given, subject->name) : NULL;
    return arg && arg->items && arg->count == 1 ? arg->items[0] : NULL;
}

static int tables_of(const Method *method) { return method->parts && method->parts->beside ? 2 : 1; }

int64_t parts_memory(const Method *method, const Args *given, const char *output) {
    Error ignored = ERROR_NONE;
    const Format *read = NULL, *written = &format_csv;
    double left = (double)memory_left(), whole = 0;
    for (int t = 0; method->parts && t < tables_of(method); t++) {
        const char *path = named(method, given, t);
        if (!path || table_format(path, &read, &ignored) || read != &format_csv) return 0;
        whole += bytes_whole(path);
    }
    if (whole <= left || (output && table_format(output, &written, &ignored))) return 0;
    return written == &format_csv ? (int64_t)(left / 2) : 0; /* as CSV: the same bytes as at once */
}

static Status find_input(Running *r) {
    r->tables = tables_of(r->method);
    for (int t = 0; t < r->tables; t++) {
        if (!(r->input[t] = named(r->method, r->given, t))) return fail(r->work->error, BAD, "in parts a table is named, not handed over");
        if (strcmp(r->input[t], "-")) continue;
        fail(r->work->error, BAD, "standard input can be read once only, and a table in parts is read again");
        return error_advice(r->work->error, "Save it to a file first.");
    }
    return OK;
}

static void release_parts(Table *part[PAIRED_FILES]) {
    for (int t = 0; t < PAIRED_FILES; t++) {
        table_release(part[t]);
        part[t] = NULL;
    }
}

/* ---- what cannot ---- */

/* Bytes that a part takes in memory. */
static double part_bytes(const Table *part) {
    double bytes = 0;
    for (int64_t j = 0; j < part->columns; j++) {
        const Column *column = part->column[j];
        bytes += (column->width ? column->width : type_wide(column->type) ? 8 : 4) * (double)part->rows;
        if (column->type == TEXT_TYPE) bytes += (double)column->offset[part->rows] + 4 * (double)part->rows;
    }
    return bytes;
}

/* The methods of the same group that do. */
static void list_those(const Method *like, Buffer *out) {
    for (int64_t i = 0; i < methods_count(); i++) {
        const Method *m = methods_at(i);
        if (m->parts && !strcmp(m->group, like->group)) buffer_print(out, "%s%s", out->count ? ", " : "", m->name);
    }
}

/* A method that needs the whole table says how much that is, as far as the first part tells, and which would not. */
static Status refuse_whole(Running *r, int64_t bytes) {
    char said[128], size[33], allowed[33];
    Error ignored = ERROR_NONE;
    Work quiet = *r->work;
    Table *part[PAIRED_FILES] = { 0 };
    int64_t first;
    double whole = 0;
    Buffer those = { 0 };
    quiet.error = &ignored;
    if (!find_input(r) && !paired_reader_open(&quiet, r->input, r->tables, &r->plan->csv, (size_t)bytes, 0, &r->parts) &&
        !paired_reader_next(r->parts, &quiet, part, &first) && part[0] && paired_reader_share(r->parts) > 0)
        whole = part_bytes(part[0]) / paired_reader_share(r->parts);
    release_parts(part);
    method_said(r->method, said);
    bool fits = whole > 0 && whole < (double)r->plan->memory / 4;
    const char *some = whole < 1e6 ? "less than 1" : real_short(whole / 1e6, 2, size);
    if (fits) fail(r->work->error, BAD, "%s needs the whole table in memory, %s MB before it begins", said, some);
    else if (whole > 0)
        fail(r->work->error, BAD, "%s needs the whole table in memory, some %s MB before it begins, and --max-memory allows %s", said, some,
             real_short((double)r->plan->memory / 1e6, 3, allowed));
    else fail(r->work->error, BAD, "%s does not run in parts: it needs the whole table in memory", said);
    list_those(r->method, &those);
    const char *hint = fits ? "This table seems to fit: leave --max-memory out. " : "";
    if (those.count) error_advice(r->work->error, "%sOf %s, these run in parts: %s.", hint, r->method->group, buffer_get(&those));
    else error_advice(r->work->error, "%sscrim methods --in-parts lists the methods that run in parts.", hint);
    buffer_free(&those);
    return BAD;
}

/* ---- learning ---- */

static Status too_many(const Running *r, int64_t rows) {
    char said[128], size[33], allowed[33];
    fail(r->work->error, REFUSED, "%s has learned %s MB from the first %lld records, and --max-memory allows %s MB for it",
         method_said(r->method, said), real_short((double)job_size(r->job) / 1e6, 3, size), (long long)rows,
         real_short((double)r->plan->memory / 2e6, 3, allowed));
    static const struct {
        const char *parameter, *less;
    } ways[] = { { "strata", "fewer strata" },   { "subject", "fewer subjects" }, { "fraction", "a smaller sample" },
                 { "n", "a smaller sample" },    { "query", "fewer groups" },     { "vars", "fewer columns, or coarser categories" },
                 { "var", "coarser categories" } };
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (args_find(r->given, ways[i].parameter))
            return error_advice(r->work->error, "Allow more memory, or let it learn less: %s.", ways[i].less);
    return error_advice(r->work->error, "Allow more memory, or leave out columns that have almost as many values as records.");
}

static Status too_many_tuples(const Running *r, size_t bytes, int64_t tuples) {
    char said[128], size[33], allowed[33];
    fail(r->work->error, REFUSED, "%s would run on %lld distinct tuples, which take some %s MB, and --max-memory allows %s MB",
         method_said(r->method, said), (long long)tuples, real_short((double)bytes / 1e6, 3, size),
         real_short((double)r->plan->memory / 1e6, 3, allowed));
    return error_advice(r->work->error, "The keys tell too many records apart: recode them, name fewer, or allow more memory.");
}

/* Beside the output; where there is none, where temporary files go. */
static const char *folder_of(Running *r) {
    const char *path = r->plan->output, *slash = path ? strrchr(path, '/') : NULL, *folder = getenv("TMPDIR");
    if (slash) return slash == path ? "/" : arena_print(r->work->arena, "%.*s", (int)(slash - path), path);
    return path ? "." : folder && *folder ? folder : "/tmp";
}

/* What has outgrown its half of the memory is laid aside, where the method can take it up again. */
static Status make_way(Running *r, int64_t rows) {
    if (job_size(r->job) <= (size_t)r->plan->memory / 2) return OK;
    if (!job_can_spill(r->job)) return too_many(r, rows);
    const char *folder = folder_of(r);
    if (!folder) return out_of_memory(r->work->error);
    Status status = job_spill(r->job, folder, r->work->error);
    return status || job_size(r->job) <= (size_t)r->plan->memory / 2 ? status : too_many(r, rows); /* words stay */
}

static Status fit_once(Running *r, int64_t rows[PAIRED_FILES]) {
    Status status = OK;
    Table *part[PAIRED_FILES] = { 0 };
    int64_t first;
    rows[0] = rows[1] = 0;
    TRY(job_new(r->session, r->method, r->given, r->roles, &r->job, r->work->error));
    for (;;) {
        TRY(work_check(r->work));
        TRY(paired_reader_next(r->parts, r->work, part, &first));
        if (!part[0]) break;
        work_show(r->work, "learning", paired_reader_share(r->parts));
        TRY(job_fit_both(r->job, (const Table *const *)part, first, r->work->error));
        for (int t = 0; t < r->tables; t++) rows[t] += part[t]->rows;
        release_parts(part);
        TRY(make_way(r, rows[0]));
    }
done:
    release_parts(part);
    return status;
}

/* What was refused may have been so because the file's beginning has narrower types than all of it ("0" before "a"): the rest of it says.
 */
static bool too_soon(Running *r) {
    Error ignored = ERROR_NONE;
    Work quiet = *r->work;
    Table *part[PAIRED_FILES] = { 0 };
    int64_t first;
    quiet.error = &ignored;
    do release_parts(part);
    while (!work_check(&quiet) && !paired_reader_next(r->parts, &quiet, part, &first) && part[0]);
    release_parts(part);
    return paired_reader_again(r->parts);
}

/* Once more where the file turned out to hold wider types than its beginning. */
static Status fit_all(Running *r) {
    Status status = OK;
    int64_t rows[PAIRED_FILES];
    const Error before = *r->work->error;
    for (;;) {
        status = fit_once(r, rows);
        if (status && (status != BAD || !too_soon(r))) return status;
        if (status) *r->work->error = before;
        if (!paired_reader_again(r->parts)) break;
        job_free(r->job);
        r->job = NULL;
        TRY(paired_reader_rewind(r->parts, r->work));
    }
    for (int t = 0; t < r->tables && r->plan->need_records; t++) {
        if (rows[t]) continue;
        fail(r->work->error, BAD, "has a header and no records");
        return error_file(r->work->error, r->input[t]);
    }
done:
    return status;
}

static Status gather(Running *r) {
    size_t bytes;
    int64_t tuples;
    Status status = job_gather(r->job, &bytes, &tuples, r->work->error);
    return status || bytes <= (size_t)r->plan->memory ? status : too_many_tuples(r, bytes, tuples);
}

/* ---- writing ---- */

static Status check_output(const Running *r) {
    const char *path = r->plan->output;
    const Format *format = NULL;
    Status status = table_format(path, &format, r->work->error);
    if (status || (strcmp(path, "-") && strcmp(path, "/dev/stdout") && chunk_writer_can(path))) return status;
    fail(r->work->error, BAD, "in parts a table is written as CSV (.csv, .tsv, also .gz or .zst) or as Arrow (.arrow, .arrows)");
    error_advice(r->work->error, "scrim convert makes any other format of them.");
    return error_file(r->work->error, path);
}

static Status makes_none(const Running *r) {
    fail(r->work->error, BAD, "%s.%s makes no table to write to %s", r->method->group, r->method->name, r->plan->output);
    return error_advice(r->work->error, "Use -o with .json or .html for the result itself.");
}

static Status open_output(Running *r) {
    Status status = OK;
    TRY(transaction_new(&r->stage, r->work->error));
    for (int t = 0; t < r->tables; t++) TRY(table_protect(r->stage, r->input[t], r->work->error));
    TRY(transaction_path(r->stage, r->work->arena, r->plan->output, 0, &r->now, r->work->error));
    TRY(transaction_restore_path(r->work->error, r->now, r->plan->output, chunk_writer_open(r->work, r->now, &r->plan->csv, &r->sheet)));
done:
    return status;
}

static Status apply_once(Running *r) {
    Status status = OK;
    Table *part[PAIRED_FILES] = { 0 }, *made = NULL;
    int64_t first;
    TRY(paired_reader_rewind(r->parts, r->work));
    for (;;) {
        TRY(work_check(r->work));
        TRY(paired_reader_next(r->parts, r->work, part, &first));
        if (!part[0]) break;
        work_show(r->work, "writing", paired_reader_share(r->parts));
        TRY(job_apply_both(r->job, (const Table *const *)part, first, &made, r->work->error));
        if (made && r->sheet)
            TRY(transaction_restore_path(r->work->error, r->now, r->plan->output, chunk_writer_add(r->sheet, r->work, made)));
        release_parts(part);
        table_release(made);
        made = NULL;
    }
    const int changed = paired_reader_again(r->parts);
    if (changed) {
        fail(r->work->error, FAILED, "has changed while it was being read");
        TRY(error_file(r->work->error, r->input[changed - 1]));
    }
done:
    release_parts(part);
    table_release(made);
    return status;
}

static Status apply_all(Running *r) {
    Status status = OK;
    TRY(apply_once(r));
    while (r->sheet && chunk_writer_again(r->sheet)) {
        job_forget(r->job);
        TRY(transaction_restore_path(r->work->error, r->now, r->plan->output, chunk_writer_rewind(r->sheet, r->work)));
        TRY(apply_once(r));
    }
done:
    return status;
}

static Status close_output(Running *r, Result *result) {
    Status status = OK;
    ChunkWriter *sheet = r->sheet;
    r->sheet = NULL;
    unsigned closed = 0;
    for (int t = 0; t < r->tables; t++) closed |= table_closed(r->input[t]);
    TRY(result_close(r->method, result, closed, r->work->error));
    stage_close(r->stage, r->plan->output, result->outputs ? result->output[0]->closed : result->closed);
    TRY(transaction_restore_path(r->work->error, r->now, r->plan->output, chunk_writer_commit(sheet, r->work)));
    if (result->outputs)
        TRY(manifest_write(r->work, r->stage, r->plan->output, r->now, result, result->output[0], r->given, r->method, &r->plan->csv));
    if (r->plan->also) TRY(r->plan->also(r->plan->self, r->work, r->stage, result));
    Transaction *stage = r->stage;
    r->stage = NULL;
    TRY(transaction_commit(stage, r->work->error));
done:
    return status;
}

Status run_out_of_core(Work *work, const Session *session, const Method *method, const Args *given, const Args *roles, const PartPlan *plan,
                       Result **out) {
    Status status = OK;
    Running r = { .work = work, .session = session, .method = method, .given = given, .roles = roles, .plan = plan };
    Result *result = NULL;
    CsvOptions reading = plan->csv;
    int64_t bytes = plan->memory / SHARE;
    *out = NULL;
    bytes = bytes < LEAST_BYTES ? LEAST_BYTES : bytes > MOST_BYTES ? MOST_BYTES : bytes;
    if (!method->parts) TRY(refuse_whole(&r, bytes));
    TRY(find_input(&r));
    if (plan->output) TRY(check_output(&r));
    if (method_promises(method))
        reading.odd_bytes = method_under_schema(method, parts_subject(method, 0)->name, given, roles) ? ODD_BYTES_KEPT : ODD_BYTES_MISSING;
    TRY(paired_reader_open(work, r.input, r.tables, &reading, (size_t)bytes, plan->rows, &r.parts));
    TRY(fit_all(&r));
    TRY(gather(&r));
    TRY(job_finish(r.job, work->error));
    if (plan->output && !job_makes(r.job)) TRY(makes_none(&r));
    if (plan->output) TRY(open_output(&r));
    if (r.sheet || method->parts->shape == BY_ROW) TRY(apply_all(&r));
    TRY(job_result(r.job, &result, work->error));
    if (r.sheet && (result->outputs || result->columns)) TRY(close_output(&r, result)); /* else nothing was made of the records */
    *out = result;
    result = NULL;
done:
    chunk_writer_abandon(r.sheet);
    transaction_rollback(r.stage);
    job_free(r.job);
    paired_reader_close(r.parts);
    result_free(result);
    return status;
}
