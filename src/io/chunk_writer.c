/* Which of the writers that take parts. */
#include "io/chunk_writer.h"
#include <stdlib.h>
#include "io/csv/chunks.h"
#include "io/format.h"
#include "io/arrow/ipc.h"
#include "io/open.h"

struct ChunkWriter {
    CsvSheet *csv;
    IpcSheet *arrow;
};

bool chunk_writer_can(const char *path) {
    Error ignored = ERROR_NONE;
    const Format *format = NULL;
    return !table_format(path, &format, &ignored) && (format == &format_csv || format == &format_arrow);
}

Status chunk_writer_open(Work *work, const char *path, const CsvOptions *options, ChunkWriter **out) {
    Status status = OK;
    const Format *format = NULL;
    ChunkWriter *sheet = calloc(1, sizeof *sheet);
    if (!sheet) TRY(out_of_memory(work->error));
    TRY(table_format(path, &format, work->error));
    if (format == &format_arrow) TRY(ipc_sheet_open(work, path, &sheet->arrow));
    else TRY(csv_sheet_open(work, path, options, &sheet->csv));
    *out = sheet;
    sheet = NULL;
done:
    chunk_writer_abandon(sheet);
    return status;
}

Status chunk_writer_add(ChunkWriter *sheet, Work *work, const Table *part) {
    return sheet->arrow ? ipc_sheet_add(sheet->arrow, work, part) : csv_sheet_add(sheet->csv, work, part);
}

bool chunk_writer_again(const ChunkWriter *sheet) { return sheet->arrow ? ipc_sheet_again(sheet->arrow) : csv_sheet_again(sheet->csv); }

Status chunk_writer_rewind(ChunkWriter *sheet, Work *work) {
    return sheet->arrow ? ipc_sheet_rewind(sheet->arrow, work) : csv_sheet_rewind(sheet->csv, work);
}

Status chunk_writer_commit(ChunkWriter *sheet, Work *work) {
    Status status = sheet->arrow ? ipc_sheet_commit(sheet->arrow, work) : csv_sheet_commit(sheet->csv, work);
    free(sheet);
    return status;
}

void chunk_writer_abandon(ChunkWriter *sheet) {
    if (!sheet) return;
    csv_sheet_abandon(sheet->csv);
    ipc_sheet_abandon(sheet->arrow);
    free(sheet);
}
