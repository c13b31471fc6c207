/* scrim convert IN OUT: a table from one format to another. */
#include <string.h>
#include "base/file.h"
#include "base/file_transaction.h"
#include "io/format.h"
#include "io/open.h"
#include "recipe/manifest.h"
#include "verb/verbs.h"

typedef struct {
    const Table *data;
    const char *output;
} args;
static const Param params[] = {
    TABLE(args, data, "The table to read", .flags = REQUIRED | POSITIONAL),
    TEXT(args, output, NULL, "File to write. Its suffix or prefix decides the format (docs/files.md)", .flags = REQUIRED | POSITIONAL),
    END,
};

/* A note for each thing that the target cannot hold. */
static Status say_losses(Run *run, const args *a) {
    Buffer lost = { 0 };
    Status status = format_losses(&run->work, a->data, a->output, &lost);
    const char *at = buffer_get(&lost);
    for (const char *end; !status && (end = strchr(at, '\n')); at = end + 1) result_note(run->result, "%.*s", (int)(end - at), at);
    if (!status && lost.failed) status = out_of_memory(run->work.error);
    buffer_free(&lost);
    return status;
}

static Status convert_run(Run *run, const void *p) {
    const args *a = p;
    const CsvOptions *reading = run->session->host ? run->session->host->reading : NULL;
    CsvOptions csv = { .decimal = '.', .threads = run->work.threads, .spreadsheet_safe = reading && reading->spreadsheet_safe };
    const Arg *input = args_find(run->given, "data");
    const char *from = input && input->items ? input->items[0] : NULL, *now = a->output;
    Transaction *stage = NULL;
    Status status = OK;
    TRY(work_files(&run->work));
    TRY(transaction_new(&stage, run->work.error));
    TRY(table_protect(stage, from, run->work.error));
    TRY(table_save_staged(&run->work, stage, a->data, a->output, &csv, &now));
    if ((a->data->perturbed || a->data->reordered) && now != a->output)
        TRY(manifest_write_copy(&run->work, stage, a->output, now, from, a->data));
    status = transaction_commit(stage, run->work.error);
    stage = NULL;
    if (!status) status = say_losses(run, a);
    result_integer(run->result, "rows", a->data->rows);
    result_integer(run->result, "columns", a->data->columns);
done:
    transaction_rollback(stage);
    return status;
}

const Method verb_convert = {
    .group = "verb",
    .name = "convert",
    .summary = "Convert a table to another file format",
    .params = params,
    .size = sizeof(args),
    .run = convert_run,
    .values = (const Return[]){ VALUE(rows, INTEGER, "Records written", .flags = PUBLIC),
                                VALUE(columns, INTEGER, "Columns written", .flags = PUBLIC), END },
    .example = "scrim convert examples/clinic.csv clinic.tsv",
};
