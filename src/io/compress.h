/* Bytes on their way to a file, packed where its suffix says so. */
#ifndef SCRIM_IO_COMPRESS_H
#define SCRIM_IO_COMPRESS_H
#include "base/file.h"

typedef struct Compressor Compressor;
MUST_CHECK Status compressor_open(const char *path, Compressor **out, Error *error); /* .gz, .zst, or as it is */
/* Appends, packed as it goes. */
MUST_CHECK Status compressor_write(Compressor *packer, const char *bytes, size_t count, Error *error);
MUST_CHECK Status compressor_commit(Compressor *packer, Error *error); /* frees it, whatever happens */
void compressor_abandon(Compressor *packer);                           /* NULL harmless */
#endif
