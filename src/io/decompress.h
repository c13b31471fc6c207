/* A file's bytes from the first to the last, unpacked as they come: for what is too large to be held. */
#ifndef SCRIM_IO_DECOMPRESS_H
#define SCRIM_IO_DECOMPRESS_H
#include "base/status.h"

typedef struct Decompressor Decompressor;
MUST_CHECK Status decompressor_open(const char *path, Decompressor **out,
                                    Error *error); /* BAD where it cannot be read twice: a pipe, or a device */
/* Up to `room` bytes; 0 only at the end. */
MUST_CHECK Status decompressor_read(Decompressor *feed, char *to, size_t room, size_t *count, Error *error);
MUST_CHECK Status decompressor_rewind(Decompressor *feed, Error *error);
double decompressor_share(const Decompressor *feed); /* how much of the file has been read */
void decompressor_close(Decompressor *feed);         /* NULL is harmless */
#endif
