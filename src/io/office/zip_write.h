/* A ZIP archive of files that are stored as they are, with the same bytes for the same files. */
#ifndef SCRIM_IO_OFFICE_ZIP_WRITE_H
#define SCRIM_IO_OFFICE_ZIP_WRITE_H
#include "base/text.h"

typedef struct ZipWriter {
    Buffer bytes, directory;
    int files;
} ZipWriter;
void zip_write_file(ZipWriter *zip, const char *name, const char *text, size_t count); /* below 4 GB in all */
/* The whole archive is then in `bytes`. False: memory ran out. */
bool zip_write_end(ZipWriter *zip);
void zip_write_free(ZipWriter *zip);
#endif
