/* The one Host: a name becomes what the caller lends, or else what lies at that path. */
#include <string.h>
#include "api/api.h"
#include "base/file.h"
#include "io/open.h"
#include "ledger/ledger.h"

CsvOptions api_reading(const scrim_reading *reading, int threads) {
    scrim_reading r = { 0 };
    if (reading) memcpy(&r, reading, reading->size < sizeof r ? reading->size : sizeof r);
    return (CsvOptions){ .separator = r.separator,
                         .decimal = r.decimal ? r.decimal : '.',
                         .na = (const char **)(uintptr_t)r.na,
                         .na_count = r.na_count,
                         .types = (const char **)(uintptr_t)r.types,
                         .type_count = r.type_count,
                         .encoding = r.encoding,
                         .sheet = r.sheet,
                         .codes = r.codes,
                         .spreadsheet_safe = r.spreadsheet_safe,
                         .threads = r.threads > 0 ? r.threads : threads };
}

Status api_sized(const scrim_reading *reading, Error *error) {
    return !reading || reading->size >= sizeof reading->size ? OK : fail(error, BAD, "the size of a scrim_reading is not set");
}

static bool has(const scrim_reading *reading, size_t end) { return reading && reading->size >= end; }
bool api_shows_values(const scrim_reading *reading) {
    return has(reading, offsetof(scrim_reading, spreadsheet_safe)) && reading->show_values;
}
bool api_needs_records(const scrim_reading *reading) { return has(reading, offsetof(scrim_reading, show_values)) && reading->need_records; }

static void show(void *self, const char *what, double share) {
    HostAdapter *lender = self;
    if (lender->lent.progress && lender->lent.progress(lender->lent.self, what, share)) atomic_store(lender->cancel, 1);
}

static Status no_files(const char *name, Error *error) {
    return fail(error, BAD, "there is no table '%s': this caller opens no files", name);
}

static bool files_too(const HostAdapter *lender) { return lender->lent.files_too && !lender->lent.no_files; }

/* A table that the caller lends; none where the name may be a path's. */
static Status lent(HostAdapter *lender, const char *name, Table **out, Error *error) {
    scrim_error told = { .size = sizeof told, .row = -1, .line = -1, .place = -1 };
    scrim_table *table = NULL;
    scrim_status status = lender->lent.table(lender->lent.self, name, &table, &told);
    if (status == SCRIM_OK && !table) return files_too(lender) ? OK : fail(error, BAD, "there is no table '%s'", name);
    if (status == SCRIM_OK) {
        *out = api_table(table);
        return OK;
    }
    scrim_table_free(table);
    if (status != SCRIM_BAD && status != SCRIM_REFUSED && status != SCRIM_INTERRUPTED) status = SCRIM_FAILED; /* its own numbers */
    told.message[sizeof told.message - 1] = told.advice[sizeof told.advice - 1] = 0;
    if (!told.message[0]) return fail(error, (Status)status, "the table '%s' could not be had", name);
    told.status = status;
    api_error_back(&told, error);
    return (Status)status;
}

static Status open_table_as(void *self, const char *name, const CsvOptions *reading, Table **out, Error *error) {
    HostAdapter *lender = self;
    *out = NULL;
    if (lender->lent.table) {
        Status status = lent(lender, name, out, error);
        if (status || *out) return status;
    }
    if (lender->lent.no_files) return no_files(name, error);
    Work work = *lender->work;
    CsvOptions csv = *reading;
    work.error = error;
    Status status = api_open(&work, name, &csv, out);
    if (status || (*out)->rows || reading->empty || !lender->needs_records) return status;
    table_release(*out);
    *out = NULL;
    fail(error, BAD, "has a header and no records");
    return error_file(error, name);
}

static Status open_table(void *self, const char *name, Table **out, Error *error) {
    HostAdapter *lender = self;
    return open_table_as(self, name, &lender->reading, out, error);
}

static Status open_table_any(void *self, const char *name, bool schema, Table **out, Error *error) {
    HostAdapter *lender = self;
    CsvOptions reading = lender->reading;
    reading.odd_bytes = schema ? ODD_BYTES_KEPT : ODD_BYTES_MISSING;
    return open_table_as(self, name, &reading, out, error);
}

/* Among several, a table goes by its name alone, as a file of a folder does: age.csv is age. */
static const char *plain_name(Work *work, const char *name) {
    size_t length = strlen(name);
    bool suffix = length > 4 && (!strcmp(name + length - 4, ".csv") || !strcmp(name + length - 4, ".tsv"));
    return suffix ? arena_print(work->arena, "%.*s", (int)length - 4, name) : arena_text(work->arena, name);
}

/* A folder, or a table that the caller lends under that name. `raw`: cells as they stand. */
static Status open_several(HostAdapter *lender, const char *name, bool raw, Work *work, Tables *out, Error *error) {
    Status status = OK;
    Work with = *work;
    Table *one = NULL;
    CsvOptions csv = api_reading(lender->lent.reading, work->threads);
    if (raw) csv = (CsvOptions){ .raw = true, .separator = csv.separator, .encoding = csv.encoding };
    with.error = error;
    if (!lender->lent.table && lender->lent.no_files) return no_files(name, error);
    if (lender->lent.table) TRY(lent(lender, name, &one, error));
    if (!one) return folder_open(&with, name, &csv, &out->count, &out->name, &out->at);
    status = arena_array(work->arena, 1, sizeof *out->name, &out->name, error);
    if (!status) status = arena_array(work->arena, 1, sizeof *out->at, &out->at, error);
    if (status) {
        table_release(one);
        goto done;
    }
    out->name[0] = plain_name(work, name);
    out->at[0] = one;
    out->count = 1;
done:
    return status;
}

static Status open_tables(void *self, const char *name, Work *work, Tables *out, Error *error) {
    return open_several(self, name, false, work, out, error);
}
static Status open_texts(void *self, const char *name, Work *work, Tables *out, Error *error) {
    return open_several(self, name, true, work, out, error);
}

static Status open_ledger(void *self, const char *name, Ledger **out, Error *error) {
    HostAdapter *lender = self;
    if (lender->lent.no_files) return fail(error, BAD, "this caller opens no ledgers");
    if (lender->ledger && strcmp(lender->ledger_name, name)) return fail(error, BAD, "one ledger at a time");
    if (!lender->ledger) { /* a table in parts asks for it again and again */
        if (!(lender->ledger_name = arena_text(lender->work->arena, name))) return out_of_memory(error);
        Status status = ledger_open(name, &lender->ledger, error);
        if (status) return status;
    }
    *out = lender->ledger;
    return OK;
}

static Status read_bytes(void *self, const char *name, Work *work, const char **out, size_t *count, Error *error) {
    HostAdapter *lender = self;
    if (lender->lent.no_files) return fail(error, BAD, "this caller opens no files: give the text itself");
    return bytes_read(work->arena, name, out, count, error);
}

void host_adapter_open(HostAdapter *lender, const scrim_host *host, Work *work) {
    *lender = (HostAdapter){ .work = work };
    lender->lent.size = sizeof lender->lent;
    lender->lent.no_files = !host; /* who lends nothing is not asked to mean a path by a text */
    if (host) lender->lent.size = host->size;
    if (host) memcpy(&lender->lent, host, host->size < sizeof lender->lent ? host->size : sizeof lender->lent);
    if (lender->lent.threads > 0) work->threads = lender->lent.threads;
    work->no_files = lender->lent.no_files;
    lender->cancel = lender->lent.cancel ? api_cancel(lender->lent.cancel) : &lender->stop;
    lender->progress = (Progress){ .show = show, .self = lender, .cancel = lender->cancel };
    work->progress = &lender->progress;
    lender->reading = api_reading(lender->lent.reading, work->threads);
    lender->needs_records = api_needs_records(lender->lent.reading);
    lender->host = (Host){ .self = lender,
                           .reading = lender->lent.table ? NULL : &lender->reading,
                           .table_as = open_table_as,
                           .table_any = open_table_any,
                           .table = open_table,
                           .tables = open_tables,
                           .texts = open_texts,
                           .ledger = open_ledger,
                           .bytes = read_bytes };
}

Status host_adapter_method(HostAdapter *lender, const char *name, const Method **out, Error *error) {
    Status status = api_method(name, out, error);
    if (!status && method_promises(*out)) lender->needs_records = false;
    return status;
}

void host_adapter_close(HostAdapter *lender) { ledger_close(lender->ledger); }
