/* CSV as a format. */
#include "io/csv/csv.h"
#include "io/format.h"

const Format format_csv = {
    .name = "CSV", .suffixes = (const char *const[]){ ".csv", ".tsv", ".txt", NULL }, .packed = true, .read = csv_read, .write = csv_write
};
