/* Rows as tables: builders opened for each part, filled by the reader, and closed into a table that has its release's mark. */
#include <string.h>
#include "io/release_mark.h"
#include "io/sql/row_builder.h"

static Status open_builders(RowBuilder *r, Work *work) {
    Status status = OK;
    NEW(work, r->build, r->columns + 1);
    for (int64_t i = 0; i < r->columns; i++) TRY(r->open(r, work, i));
done:
    return status;
}

Status row_builder_next(void *self, Work *work, Table **out) {
    Status status = OK;
    RowBuilder *r = self;
    int64_t rows = 0;
    *out = NULL;
    if (r->done) return OK;
    TRY(open_builders(r, work));
    status = r->take(r, work, &rows);
    if (status) error_part(work->error, r->given);
    r->given += rows;
    TRY(status);
    if (r->done && !rows && r->limit != INT64_MAX) goto done;
    status = builders_table(work, r->name, r->build, r->columns, rows, out); /* which ends every builder */
    r->build = NULL;
    for (int64_t i = 0; i < r->marks && !status; i++) status = release_mark_apply(work, r->mark[i], strlen(r->mark[i]), r->whole, *out);
done:
    if (status) {
        table_release(*out);
        *out = NULL;
    }
    for (int64_t i = 0; r->build && i < r->columns; i++) builder_free(&r->build[i]);
    r->build = NULL;
    return status;
}

Status row_builder_whole(Work *work, const char *name, const CsvOptions *options,
                         Status (*chunks)(Work *work, const char *name, const CsvOptions *options, int64_t rows, Chunks *out),
                         Table **out) {
    Chunks parts;
    Status status = chunks(work, name, options, 0, &parts);
    if (status) return status;
    status = parts.next(parts.self, work, out);
    parts.close(parts.self);
    return status;
}
