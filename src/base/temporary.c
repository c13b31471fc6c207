/* Linux opens files that never had a name; elsewhere the name is taken away at once. */
#include "base/temporary.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/file.h"

static Status cannot(const char *what, Error *error) {
    fail(error, FAILED, "what was learned cannot be %s: %s", what, errno ? strerror(errno) : "the file is shorter than it was");
    return error_advice(error, "It is laid aside beside the output, or in TMPDIR. Make room there, or allow more memory.");
}

static int open_named(const char *folder) {
    char name[4096];
    if (snprintf(name, sizeof name, "%s/.scrim-XXXXXX", folder) >= (int)sizeof name) {
        errno = ENAMETOOLONG;
        return -1;
    }
    int file = mkostemp(name, O_CLOEXEC); /* mode 0600 */
    if (file >= 0) unlink(name);
    return file;
}

Status temporary_open(const char *folder, int *file, Error *error) {
    *file = -1;
#ifdef O_TMPFILE
    *file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
#endif
    if (*file < 0) *file = open_named(folder);
    *file = past_standard(*file);
    return *file >= 0 ? OK : cannot("laid aside", error);
}

Status temporary_write(int file, const void *bytes, size_t count, int64_t at, Error *error) {
    const char *from = bytes;
    while (count) {
        ssize_t put = pwrite(file, from, count < (1 << 30) ? count : 1 << 30, at);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) return cannot("laid aside", error);
        from += put;
        at += put;
        count -= (size_t)put;
    }
    return OK;
}

Status temporary_read(int file, void *bytes, size_t count, int64_t at, Error *error) {
    char *to = bytes;
    while (count) {
        errno = 0;
        ssize_t got = pread(file, to, count < (1 << 30) ? count : 1 << 30, at);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return cannot("read again", error);
        to += got;
        at += got;
        count -= (size_t)got;
    }
    return OK;
}
