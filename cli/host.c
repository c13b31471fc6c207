/* The program's host: a name is a path. */
#include <string.h>
#include "base/file.h"
#include "cli.h"
#include "io/open.h"
#include "ledger/ledger.h"

static Status open_one(void *self, const char *name, Table **out, Error *error) {
    FileHost *host = self;
    Work work = *host->work;
    work.error = error;
    Status status = table_open(&work, name, host->csv, out);
    if (!status && host->keep && !host->kept) {
        host->kept = table_retain(*out);
        host->kept_name = arena_text(host->work->arena, name);
    }
    if (status || (*out)->rows || !host->need_records) return status;
    table_release(*out);
    *out = NULL;
    fail(error, BAD, "has a header and no records");
    return error_file(error, name);
}

static Status open_many(void *self, const char *name, Work *work, Tables *out, Error *error) {
    FileHost *host = self;
    Work with = *work;
    with.error = error;
    return folder_open(&with, name, host->csv, &out->count, &out->name, &out->at);
}

static Status open_ledger(void *self, const char *name, Ledger **out, Error *error) {
    FileHost *host = self;
    if (host->ledger) return fail(error, BAD, "one ledger at a time");
    Status status = ledger_open(name, &host->ledger, error);
    *out = host->ledger;
    return status;
}

static Status open_texts(void *self, const char *name, Work *work, Tables *out, Error *error) {
    FileHost *host = self;
    Work with = *work;
    CsvOptions raw = { .raw = true, .separator = host->csv ? host->csv->separator : 0, .encoding = host->csv ? host->csv->encoding : NULL };
    with.error = error;
    return folder_open(&with, name, &raw, &out->count, &out->name, &out->at);
}

static Status read_bytes(void *self, const char *name, Work *work, const char **out, size_t *count, Error *error) {
    (void)self;
    return bytes_read(work->arena, name, out, count, error);
}

void host_open(FileHost *host, Work *work, const CsvOptions *csv) {
    *host = (FileHost){ .work = work, .csv = csv };
    host->host = (Host){ .self = host, .table = open_one, .tables = open_many, .texts = open_texts, .ledger = open_ledger, .bytes = read_bytes };
}

void host_close(FileHost *host) {
    ledger_close(host->ledger);
    host->ledger = NULL;
    table_release(host->kept);
    host->kept = NULL;
}

Table *host_kept(const FileHost *host, const char *name) {
    return host->kept && host->kept_name && !strcmp(host->kept_name, name) ? table_retain(host->kept) : NULL;
}
