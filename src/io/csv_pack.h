/* Bytes on their way to a file, packed where its suffix says so. */
#ifndef SCRIM_IO_CSV_PACK_H
#define SCRIM_IO_CSV_PACK_H
#include "base/file.h"

typedef struct Packer Packer;
MUST_CHECK Status packer_open(const char *path, Packer **out, Error *error); /* .gz, .zst, or as it is */
/* Appends, packed as it goes. */
MUST_CHECK Status packer_write(Packer *packer, const char *bytes, size_t count, Error *error);
MUST_CHECK Status packer_commit(Packer *packer, Error *error); /* frees it, whatever happens */
void packer_abandon(Packer *packer);                           /* NULL harmless */
#endif
