/* Files: read whole, replaced atomically. */
#ifndef SCRIM_BASE_FILE_H
#define SCRIM_BASE_FILE_H
#include <sys/stat.h>
#include "base/work.h"

/* A file's bytes, read, or mapped where it is large and the process and the reader allow it ("-" for standard input). */
typedef struct Bytes {
    const char *at;
    size_t count;
    void *mapped;
    void *owned;
    struct stat about; /* of what is mapped, as it was opened */
} Bytes;
/* BAD where there is no such file or it cannot be read; the error names it. bytes_close gives it back; a zeroed one is harmless. */
MUST_CHECK Status bytes_open(const char *path, Bytes *out, Error *error);
/* The same, a large file on all of its threads; or mapped, for a reader that takes no harm where these change under its hands, and that
 * asks in the end whether they did. */
MUST_CHECK Status bytes_open_by(Work *work, const char *path, Bytes *out);
void bytes_close(Bytes *bytes);
Status file_changed(const char *path, Error *error); /* FAILED: while it was read */
/* Mapped bytes are the file's as it is now. FAILED, whatever was found in them, where someone has written to it since it was opened. */
MUST_CHECK Status bytes_unchanged(const Bytes *bytes, const char *path, Error *error);
/* What is behind [at, end) need not stay in memory; read again it comes from the file. NULL is harmless. */
void bytes_let_go(const Bytes *bytes, const char *at, const char *end);
/* For a process that handles SIGBUS, which a mapped file that becomes shorter ends in: large files are mapped. */
void bytes_map_large(bool yes);
MUST_CHECK Status bytes_read(Arena *arena, const char *path, const char **out, size_t *count,
                             Error *error); /* copied into the arena, NUL behind them */

/* The descriptor, or another of the same file where it is one of the three that are standard input and output: a host may have closed
 * these, and whatever prints or reads there would be in the file. -1 stays -1. */
int past_standard(int descriptor);

/* A file being written: to a temporary beside it, then fsync and rename on commit; symlinks are followed; FIFOs, devices and "-" are
 * written straight. An existing file keeps its mode; a new one follows the umask, or 0600 where secret. */
typedef struct Output Output;
/* BAD where nothing can be written there. Ends with output_commit or output_abandon. */
MUST_CHECK Status output_open(const char *path, bool secret, Output **out, Error *error);
/* Appends; FAILED where the disk does not take it. */
MUST_CHECK Status output_write(Output *output, const void *bytes, size_t count, Error *error);
MUST_CHECK Status output_commit(Output *output, Error *error); /* frees it, whatever happens */
void output_abandon(Output *output);                           /* removes the temporary; NULL harmless */
/* The temporaries now being written, for a signal handler to unlink: async-signal-safe. */
void outputs_abandon_all(void);
MUST_CHECK Status file_write(const char *path, const void *bytes, size_t count, bool secret, Error *error); /* all of the above at once */
bool file_is_regular(const char *path);                    /* there, and neither folder, pipe nor device */
bool file_is_stream(const char *path);                     /* standard input or output, or there and no regular file: asked at one moment */
bool file_same(const char *path, const char *other);       /* one and the same regular file */
bool file_same_place(const char *path, const char *other); /* the same, or would be where there is none yet */
const char *file_numbered(Arena *arena, const char *path, int64_t number); /* out.csv, out-2.csv, out-3.csv; NULL without memory */
MUST_CHECK Status file_hash(const char *path, char out[65], Error *error); /* BLAKE2b-256, hexadecimal */
#endif
