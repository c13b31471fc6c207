/* A file's bytes from the first to the last, unpacked as they come: for what is too large to be held. */
#ifndef SCRIM_IO_FEED_H
#define SCRIM_IO_FEED_H
#include "base/status.h"

typedef struct Feed Feed;
MUST_CHECK Status feed_open(const char *path, Feed **out, Error *error); /* BAD where it cannot be read twice: a pipe, or a device */
/* Up to `room` bytes; 0 only at the end. */
MUST_CHECK Status feed_read(Feed *feed, char *to, size_t room, size_t *count, Error *error);
MUST_CHECK Status feed_rewind(Feed *feed, Error *error);
double feed_share(const Feed *feed); /* how much of the file has been read */
void feed_close(Feed *feed);         /* NULL is harmless */
#endif
