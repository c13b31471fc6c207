/* scrub.restore: the original text from scrubbed text and the key file, which is the report of the run that scrubbed it. Nothing can be
 * restored without that file: the scrubbed table does not hold what was replaced. */
#include <stdlib.h>
#include <string.h>
#include "method/method.h"
#include "prose/token.h"

typedef struct {
    const Table *data, *key;
} args;
static const Param params[] = {
    TABLE(args, data, "The scrubbed table, with its records in the order in which it was written", .flags = REQUIRED | POSITIONAL),
    TABLE(args, key,
          "The key file: the report of the run that scrubbed the table (`scrim scrub --report`), with row, column, start, end, text and "
          "replacement",
          .flags = REQUIRED),
    END,
};
static const Return values[] = {
    VALUE(restored, INTEGER, "Places where the original text was restored", .flags = PUBLIC),
    VALUE(records, INTEGER, "Records that were changed", .flags = PUBLIC),
    OUTPUT("The table with its original text", .flags = KEEPERS),
    END,
};

typedef struct Entry { /* one line of the key file */
    int64_t row, start, end;
    const char *column, *text, *made;
} Entry;
typedef struct Restoring {
    Run *run;
    const args *a;
    Entry *at;
    int64_t count, records;
} Restoring;

static int by_place(const void *a, const void *b) {
    const Entry *x = a, *y = b;
    int order = strcmp(x->column, y->column);
    if (order) return order;
    if (x->row != y->row) return x->row < y->row ? -1 : 1;
    return (x->start > y->start) - (x->start < y->start);
}

static Status bad_key(Error *error, int64_t line, const char *what) {
    fail(error, BAD, "line %lld %s", (long long)line + 1, what);
    error_advice(error, "Give the report (--report) of the run that wrote this table, and the table unchanged.");
    return error_parameter(error, "key");
}

static Status whole(const Table *key, const char *name, int64_t line, int64_t *out, Error *error) {
    Status status = OK;
    const Column *column;
    TRY(table_need(key, name, &column, error));
    double value = column_numeric(column) && !column_missing(column, line) ? column_number(column, line) : -1;
    if (!(value >= 0 && value < 4294967296.0) || value != (double)(int64_t)value) TRY(bad_key(error, line, "has a place that is none"));
    *out = (int64_t)value;
done:
    return status;
}

static Status read_word(Work *work, const Column *column, int64_t line, const char **out) {
    char number[33];
    const char *cell = column_cell(column, line, number);
    *out = arena_text(work->arena, cell ? cell : "");
    return *out ? OK : out_of_memory(work->error);
}

static Status read_key(Restoring *r) {
    Status status = OK;
    Work *work = &r->run->work;
    const Table *key = r->a->key;
    const Column *column, *text, *made;
    TRY(table_need(key, "column", &column, work->error));
    TRY(table_need(key, "text", &text, work->error));
    TRY(table_need(key, "replacement", &made, work->error));
    NEW(work, r->at, key->rows + 1);
    for (int64_t i = 0; i < key->rows; i++) {
        Entry *e = &r->at[r->count++];
        TRY(whole(key, "row", i, &e->row, work->error));
        TRY(whole(key, "start", i, &e->start, work->error));
        TRY(whole(key, "end", i, &e->end, work->error));
        TRY(read_word(work, column, i, &e->column));
        TRY(read_word(work, text, i, &e->text));
        TRY(read_word(work, made, i, &e->made));
        if (e->row >= r->a->data->rows) TRY(bad_key(work->error, i, "is about a record that the table does not have"));
    }
    qsort(r->at, (size_t)r->count, sizeof *r->at, by_place);
    for (int64_t i = 1; i < r->count; i++)
        if (!strcmp(r->at[i].column, r->at[i - 1].column) && r->at[i].row == r->at[i - 1].row && r->at[i].start < r->at[i - 1].end)
            TRY(bad_key(work->error, i, "overlaps another place of its record"));
done:
    return status;
}

/* The bytes of the next `points` code points; −1 where the text ends before. */
static int64_t bytes_of(const char *text, int64_t points) {
    const char *p = text, *end = text + strlen(text);
    for (int length; points > 0 && p < end; points--, p += length) (void)code_point(p, end, &length);
    return points ? -1 : p - text;
}

static Status not_as_written(Error *error, int64_t row) {
    fail(error, BAD, "does not fit the table: record %lld does not hold its replacements where the key file has them", (long long)row + 1);
    error_advice(error, "Give the report (--report) of the run that wrote this table, and the table unchanged.");
    return error_parameter(error, "key");
}

/* One cell: what stands between two places is copied, and each replacement must stand where the key file has it. */
static Status restore_cell(Restoring *r, const char *cell, int64_t first, int64_t last, Buffer *out) {
    Error *error = r->run->work.error;
    int64_t at = 0; /* code points of the original that were written */
    out->count = 0;
    for (int64_t i = first; i < last; i++) {
        const Entry *e = &r->at[i];
        int64_t between = bytes_of(cell, e->start - at), length = bytes_of(e->text, e->end - e->start);
        if (between < 0 || length < 0 || e->text[length] || strncmp(cell + between, e->made, strlen(e->made)))
            return not_as_written(error, e->row);
        buffer_print(out, "%.*s%s", (int)between, cell, e->text);
        cell += between + (int64_t)strlen(e->made);
        at = e->end;
    }
    buffer_text(out, cell);
    return out->failed ? out_of_memory(error) : OK;
}

/* One column of the key file: its entries from `first` to `last`. */
static Status restore_column(Restoring *r, int64_t first, int64_t last, Column **out) {
    Status status = OK;
    Work *work = &r->run->work;
    Buffer made = { 0 };
    const Column *column;
    const char **cells = NULL;
    char number[33];
    column = table_column(r->a->data, r->at[first].column);
    if (!column) {
        fail(work->error, BAD, "names a column that the table does not have");
        TRY(error_parameter(work->error, "key"));
    }
    NEW(work, cells, r->a->data->rows + 1);
    for (int64_t row = 0; row < r->a->data->rows; row++)
        if (!column_missing(column, row)) TRY(read_word(work, column, row, &cells[row]));
    for (int64_t i = first, next; i < last; i = next) {
        for (next = i; next < last && r->at[next].row == r->at[i].row; next++) continue;
        const char *cell = cells[r->at[i].row] ? cells[r->at[i].row] : column_cell(column, r->at[i].row, number);
        TRY(restore_cell(r, cell ? cell : "", i, next, &made));
        buffer_char(&made, 0);
        if (made.failed || !(cells[r->at[i].row] = arena_text(work->arena, made.bytes))) TRY(out_of_memory(work->error));
        r->records++;
    }
    TRY(column_text(r->at[first].column, cells, r->a->data->rows, out, work->error));
done:
    buffer_free(&made);
    return status;
}

static Status restore_run(Run *run, const void *p) {
    Status status = OK;
    Restoring r = { .run = run, .a = p };
    Column **columns = NULL;
    Table *made = NULL;
    int64_t count = 0;
    TRY(read_key(&r));
    NEW(&run->work, columns, r.count + 1);
    for (int64_t i = 0, next; i < r.count; i = next) {
        for (next = i; next < r.count && !strcmp(r.at[next].column, r.at[i].column); next++) continue;
        TRY(restore_column(&r, i, next, &columns[count++]));
    }
    TRY(table_with(r.a->data, columns, count, &made, run->work.error));
    result_output(run->result, made);
    result_integer(run->result, "restored", r.count);
    result_integer(run->result, "records", r.records);
    result_note(run->result, "The output holds the original text. Keep it, and the key file, as the original notes are kept.");
done:
    for (int64_t c = 0; columns && c < count; c++) column_release(columns[c]);
    return status;
}

const Method scrub_restore = { .group = "scrub",
                               .name = "restore",
                               .summary = "Restore the original text of a scrubbed table with the key file of its run",
                               .params = params,
                               .size = sizeof(args),
                               .traits = OWN_WHERE | UNAUDITED,
                               .run = restore_run,
                               .values = values,
                               .example = "scrim scrub restore examples/notes-scrubbed.csv --key examples/notes-key.csv" };
