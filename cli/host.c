/* The program's host: a name is a path. */
#include <string.h>
#include "cli.h"
#include "io/open.h"

static Status open_one(void *self, const char *name, Table **out, Error *error) {
    FileHost *host = self;
    Work work = *host->work;
    work.error = error;
    return table_open(&work, name, host->csv, out);
}

static Status open_many(void *self, const char *name, Work *work, Tables *out, Error *error) {
    FileHost *host = self;
    Work with = *work;
    with.error = error;
    return folder_open(&with, name, host->csv, &out->count, &out->name, &out->at);
}

void host_open(FileHost *host, Work *work, const CsvOptions *csv) {
    *host = (FileHost){ .work = work, .csv = csv };
    host->host = (Host){ .self = host, .table = open_one, .tables = open_many };
}

void host_close(FileHost *host) { (void)host; }
