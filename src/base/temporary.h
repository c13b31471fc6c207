/* Files without a name: gone with the process, however it ends. */
#ifndef SCRIM_BASE_TEMPORARY_H
#define SCRIM_BASE_TEMPORARY_H
#include "base/status.h"

/* Opened to be written and read, mode 0600, in this folder; close() it. */
MUST_CHECK Status temporary_open(const char *folder, int *file, Error *error);
/* All of it, at this place. FAILED where the disk is full. */
MUST_CHECK Status temporary_write(int file, const void *bytes, size_t count, int64_t at, Error *error);
MUST_CHECK Status temporary_read(int file, void *bytes, size_t count, int64_t at, Error *error);
#endif
