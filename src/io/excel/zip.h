/* Files within a ZIP archive that lies in memory, as much of the format as workbooks use: stored or deflated, no ZIP64, no encryption. */
#ifndef SCRIM_IO_EXCEL_ZIP_H
#define SCRIM_IO_EXCEL_ZIP_H
#include "base/status.h"

typedef struct Zip {
    const unsigned char *at;
    size_t size, entries, directory;
} Zip;
typedef struct ZipFile {
    const unsigned char *at;
    size_t packed, size;
    bool deflated;
    uint32_t check;
} ZipFile;
bool zip_open(Zip *zip, const char *bytes, size_t count);      /* false: it is no archive */
bool zip_find(const Zip *zip, const char *name, ZipFile *out); /* by its whole name, without regard to case */
/* Hands the file's bytes on, part by part; stops where `take` does not want more. False: it cannot be unpacked whole. */
bool zip_read(const ZipFile *file, bool (*take)(void *self, const char *bytes, size_t count), void *self);
#endif
