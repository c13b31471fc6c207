/* Which of the writers that take parts. */
#include "io/sheet.h"
#include <stdlib.h>
#include "io/csv_parted.h"
#include "io/format.h"
#include "io/ipc.h"
#include "io/open.h"

struct Sheet {
    CsvSheet *csv;
    IpcSheet *arrow;
};

bool sheet_can(const char *path) {
    Error ignored = ERROR_NONE;
    const Format *format = NULL;
    return !table_format(path, &format, &ignored) && (format == &format_csv || format == &format_arrow);
}

Status sheet_open(Work *work, const char *path, const CsvOptions *options, Sheet **out) {
    Status status = OK;
    const Format *format = NULL;
    Sheet *sheet = calloc(1, sizeof *sheet);
    if (!sheet) TRY(fail(work->error, FAILED, "out of memory"));
    TRY(table_format(path, &format, work->error));
    if (format == &format_arrow) TRY(ipc_sheet_open(work, path, &sheet->arrow));
    else TRY(csv_sheet_open(work, path, options, &sheet->csv));
    *out = sheet;
    sheet = NULL;
done:
    sheet_abandon(sheet);
    return status;
}

Status sheet_add(Sheet *sheet, Work *work, const Table *part) {
    return sheet->arrow ? ipc_sheet_add(sheet->arrow, work, part) : csv_sheet_add(sheet->csv, work, part);
}

bool sheet_again(const Sheet *sheet) { return sheet->arrow ? ipc_sheet_again(sheet->arrow) : csv_sheet_again(sheet->csv); }

Status sheet_rewind(Sheet *sheet, Work *work) {
    return sheet->arrow ? ipc_sheet_rewind(sheet->arrow, work) : csv_sheet_rewind(sheet->csv, work);
}

Status sheet_commit(Sheet *sheet, Work *work) {
    Status status = sheet->arrow ? ipc_sheet_commit(sheet->arrow, work) : csv_sheet_commit(sheet->csv, work);
    free(sheet);
    return status;
}

void sheet_abandon(Sheet *sheet) {
    if (!sheet) return;
    csv_sheet_abandon(sheet->csv);
    ipc_sheet_abandon(sheet->arrow);
    free(sheet);
}
