/* Files: read whole, replaced atomically. */
#include "base/file.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sodium.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "base/file_private.h"

Status file_error(Error *error, const char *path, const char *doing) {
    int code = errno;
    Status status =
        code == ENOENT || code == ENOTDIR || code == EISDIR || code == EACCES || code == ENAMETOOLONG || code == ELOOP ? BAD : FAILED;
    const char *what = code != ENOENT ? strerror(code) : strstr(doing, "write") ? "there is no such folder" : "there is no such file";
    fail(error, status, "%s: %s", doing, what);
    if (code == ENOSPC) error_advice(error, "Nothing was written; free some space and run it again.");
    return error_file(error, path);
}

int past_standard(int descriptor) {
    if (descriptor < 0 || descriptor > STDERR_FILENO) return descriptor;
    int past = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1), code = errno;
    close(descriptor);
    errno = code;
    return past;
}

/* A pipe's open waits for its other end; a signal is no reason to give up (anyone who wants to end the program will). */
static int open_waiting(const char *path, int flags) {
    int descriptor;
    do descriptor = open(path, flags | O_CLOEXEC);
    while (descriptor < 0 && errno == EINTR);
    return past_standard(descriptor);
}

static Status read_stream(int descriptor, const char *path, Bytes *out, Error *error) {
    size_t room = 1 << 16, used = 0;
    char *bytes = malloc(room);
    for (;;) {
        if (!bytes) return out_of_memory(error);
        ssize_t got = read(descriptor, bytes + used, room - used);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) {
            file_error(error, path, "cannot read");
            free(bytes);
            return error ? error->status : FAILED;
        }
        if (got == 0) break;
        used += (size_t)got;
        if (used == room) {
            room *= 2;
            char *more = realloc(bytes, room);
            if (!more) free(bytes);
            bytes = more;
        }
    }
    *out = (Bytes){ .at = bytes, .count = used, .owned = bytes };
    return OK;
}

/* Memory that is mapped goes away with a file that becomes shorter, and takes the process with it (SIGBUS). Only what is large is mapped,
 * and only where the process said that it has a handler for that end, which is as much its own, and one, as this switch. */
enum { LARGE = 16 << 20, STRETCH = 4 << 20 };
static atomic_bool mapping;
void bytes_map_large(bool yes) { atomic_store(&mapping, yes); }

typedef struct Reading {
    int descriptor;
    const char *path;
    char *bytes;
} Reading;

static Status read_stretch(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    (void)block;
    const Reading *reading = self;
    while (first < last) {
        ssize_t more = pread(reading->descriptor, reading->bytes + first, (size_t)(last - first), first);
        if (more < 0 && errno == EINTR) continue;
        if (more < 0) return file_error(error, reading->path, "cannot read");
        if (!more) {
            fail(error, FAILED, "became shorter while it was read");
            return error_file(error, reading->path);
        }
        first += more;
    }
    return OK;
}

/* Not written to since; another file that has its name now leaves it as it is. */
static bool unchanged(const struct stat *before, const struct stat *now) {
    return before->st_dev != now->st_dev || before->st_ino != now->st_ino ||
           (before->st_size == now->st_size && before->st_mtim.tv_sec == now->st_mtim.tv_sec &&
            before->st_mtim.tv_nsec == now->st_mtim.tv_nsec);
}

Status file_changed(const char *path, Error *error) {
    fail(error, FAILED, "changed while it was read");
    return error_file(error, path);
}

Status bytes_unchanged(const Bytes *bytes, const char *path, Error *error) {
    struct stat now;
    return !bytes->mapped || stat(path, &now) || unchanged(&bytes->about, &now) ? OK : file_changed(path, error);
}

static Status read_sized(Work *work, int descriptor, const char *path, const struct stat *about, Bytes *out) {
    const size_t size = (size_t)about->st_size;
    struct stat now;
    Reading reading = { descriptor, path, memory_new(size) };
    if (!reading.bytes) return out_of_memory(work->error);
    Status status = parallel_for(work, (int64_t)size, STRETCH, read_stretch, &reading);
    if (!status && (fstat(descriptor, &now) || !unchanged(about, &now))) status = file_changed(path, work->error);
    if (status) free(reading.bytes);
    else *out = (Bytes){ .at = reading.bytes, .count = size, .owned = reading.bytes };
    return status;
}

static Status map_whole(int descriptor, const char *path, const struct stat *about, Bytes *out, Error *error) {
    const size_t size = (size_t)about->st_size;
    void *mapped = mmap(NULL, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (mapped == MAP_FAILED) return read_stream(descriptor, path, out, error);
    *out = (Bytes){ .at = mapped, .count = size, .mapped = mapped, .about = *about };
    return OK;
}

static Status open_bytes(Work *work, const char *path, bool map, Bytes *out) {
    *out = (Bytes){ 0 };
    if (!strcmp(path, "-")) return read_stream(0, "standard input", out, work->error);
    int descriptor = open_waiting(path, O_RDONLY);
    if (descriptor < 0) return file_error(work->error, path, "cannot open");
    struct stat about;
    Status status = OK;
    if (fstat(descriptor, &about)) status = file_error(work->error, path, "cannot open");
    else if (S_ISDIR(about.st_mode)) {
        fail(work->error, BAD, "is a folder, not a file");
        status = error_file(work->error, path);
    } else if (!S_ISREG(about.st_mode) || about.st_size <= 0) status = read_stream(descriptor, path, out, work->error);
    else if (about.st_size < LARGE || !map || !atomic_load(&mapping)) status = read_sized(work, descriptor, path, &about, out);
    else status = map_whole(descriptor, path, &about, out, work->error);
    close(descriptor);
    return status;
}

Status bytes_open(const char *path, Bytes *out, Error *error) {
    Work alone = { .error = error, .threads = 1 };
    return open_bytes(&alone, path, false, out);
}

Status bytes_open_by(Work *work, const char *path, Bytes *out) { return open_bytes(work, path, true, out); }

void bytes_let_go(const Bytes *bytes, const char *at, const char *end) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), first = ((uintptr_t)at + page - 1) / page * page,
              last = (uintptr_t)end / page * page;
    if (!bytes || !bytes->mapped || first >= last) return;
    if (madvise((char *)bytes->mapped + (first - (uintptr_t)bytes->mapped), last - first, MADV_DONTNEED)) { /* as good without */
    }
}

void bytes_close(Bytes *bytes) {
    if (bytes->mapped) munmap(bytes->mapped, bytes->count);
    free(bytes->owned);
    *bytes = (Bytes){ 0 };
}

Status bytes_read(Arena *arena, const char *path, const char **out, size_t *count, Error *error) {
    Status status = OK;
    Bytes bytes = { 0 };
    char *copy = NULL;
    TRY(bytes_open(path, &bytes, error));
    TRY(arena_array(arena, (int64_t)bytes.count + 1, 1, &copy, error));
    if (bytes.count) memcpy(copy, bytes.at, bytes.count);
    *out = copy;
    *count = bytes.count;
done:
    bytes_close(&bytes);
    return status;
}

struct Output {
    int descriptor;
    bool straight, closed;
    int slot;
    char name[256], path[4096], temporary[4160];
}; /* name: as given, for messages */

/* Temporaries now open, for the signal handler: slots are claimed and freed atomically. */
enum { SLOTS = 64 };
static char slot_path[SLOTS][4160];
static atomic_int slot_state[SLOTS]; /* 0 free, 1 being set, 2 set */

static int slot_claim(const char *path) {
    for (int i = 0; i < SLOTS; i++) {
        int expected = 0;
        if (!atomic_compare_exchange_strong(&slot_state[i], &expected, 1)) continue;
        snprintf(slot_path[i], sizeof slot_path[i], "%s", path);
        atomic_store(&slot_state[i], 2);
        return i;
    }
    return -1;
}

void outputs_abandon_all(void) {
    for (int i = 0; i < SLOTS; i++)
        if (atomic_load(&slot_state[i]) == 2) unlink(slot_path[i]);
}

bool follow_links(char path[4096]) {
    struct stat about;
    for (int i = 0; i < 40; i++) {
        char target[4096], next[4096];
        if (lstat(path, &about) || !S_ISLNK(about.st_mode)) return true;
        ssize_t length = readlink(path, target, sizeof target - 1);
        if (length < 0) return false;
        target[length] = 0;
        const char *slash = target[0] == '/' ? NULL : strrchr(path, '/');
        int count = snprintf(next, sizeof next, "%.*s%s", slash ? (int)(slash - path + 1) : 0, path, target);
        if (count >= (int)sizeof next) {
            errno = ENAMETOOLONG;
            return false;
        }
        memcpy(path, next, (size_t)count + 1);
    }
    errno = ELOOP;
    return false;
}

Status random_name(char out[17], Error *error) {
    unsigned char random[8];
    if (sodium_init() < 0) return fail(error, FAILED, "no random numbers are to be had");
    randombytes_buf(random, sizeof random);
    sodium_bin2hex(out, 17, random, sizeof random);
    return OK;
}

static Status open_temporary(Output *output, const struct stat *old, bool secret, const char *path, Error *error) {
    char hex[17];
    Status status = random_name(hex, error);
    if (status) return status;
    snprintf(output->temporary, sizeof output->temporary, "%s.%s", output->path, hex);
    /* open applies the umask itself: asking for it would change it for a moment, for all threads */
    output->descriptor = past_standard(open(output->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, secret || old ? 0600 : 0666));
    if (output->descriptor < 0) return file_error(error, path, "cannot write");
    if (!secret && old && fchmod(output->descriptor, old->st_mode & 07777)) { /* keep the safe 0600 */
    }
    output->slot = slot_claim(output->temporary);
    return OK;
}

Status output_open(const char *path, bool secret, Output **out, Error *error) {
    Output *output = calloc(1, sizeof *output);
    if (!output) return out_of_memory(error);
    output->slot = -1;
    snprintf(output->name, sizeof output->name, "%s", !strcmp(path, "-") ? "standard output" : path);
    struct stat old;
    bool exists = strcmp(path, "-") && stat(path, &old) == 0;
    Status status = OK;
    if (!strcmp(path, "-")) {
        output->straight = true;
        output->descriptor = dup(1);
        if (output->descriptor < 0) status = file_error(error, "standard output", "cannot write");
    } else if (exists && S_ISDIR(old.st_mode)) {
        fail(error, BAD, "is a folder, not a file");
        status = error_file(error, path);
    } else if (exists && !S_ISREG(old.st_mode)) {
        output->straight = true;
        output->descriptor = open_waiting(path, O_WRONLY);
        if (output->descriptor < 0) status = file_error(error, path, "cannot write");
    } else {
        int length = snprintf(output->path, sizeof output->path, "%s", path);
        if (length >= (int)sizeof output->path) {
            errno = ENAMETOOLONG;
            status = file_error(error, path, "cannot write");
        } else if (!follow_links(output->path)) status = file_error(error, path, "cannot write");
        else status = open_temporary(output, exists ? &old : NULL, secret, path, error);
    }
    if (status) {
        free(output);
        return status;
    }
    *out = output;
    return OK;
}

Status output_write(Output *output, const void *bytes, size_t count, Error *error) {
    const char *at = bytes;
    while (count && !output->closed) {
        ssize_t wrote = write(output->descriptor, at, count);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote < 0 && errno == EPIPE) {
            output->closed = true;
            break;
        } /* the reader has seen enough */
        if (wrote < 0) return file_error(error, output->name, "cannot write");
        at += wrote;
        count -= (size_t)wrote;
    }
    return OK;
}

static void output_end(Output *output) {
    if (output->slot >= 0) atomic_store(&slot_state[output->slot], 0);
    free(output);
}

Status output_commit(Output *output, Error *error) {
    Status status = memory_lost() ? out_of_memory(error) : OK;
    bool straight = output->straight;
    if (!status && !straight && fsync(output->descriptor)) status = file_error(error, output->name, "cannot write");
    if (close(output->descriptor) && !status) status = file_error(error, output->name, "cannot write");
    if (!straight && !status && rename(output->temporary, output->path)) status = file_error(error, output->name, "cannot write");
    if (!straight && status) unlink(output->temporary);
    output_end(output);
    return status;
}

void output_abandon(Output *output) {
    if (!output) return;
    close(output->descriptor);
    if (!output->straight) unlink(output->temporary);
    output_end(output);
}

Status file_write(const char *path, const void *bytes, size_t count, bool secret, Error *error) {
    Output *output;
    Status status = output_open(path, secret, &output, error);
    if (status) return status;
    status = output_write(output, bytes, count, error);
    if (status) {
        output_abandon(output);
        return status;
    }
    return output_commit(output, error);
}

bool file_is_regular(const char *path) {
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

bool file_is_stream(const char *path) {
    struct stat about;
    return !strcmp(path, "-") || (stat(path, &about) == 0 && !S_ISREG(about.st_mode));
}

bool file_same(const char *path, const char *other) {
    struct stat a, b;
    return !stat(path, &a) && !stat(other, &b) && S_ISREG(a.st_mode) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* The folder must exist for a file to be made in it: it is compared as a folder, the name as a name. */
bool file_same_place(const char *path, const char *other) {
    const char *name[2] = { path, other };
    struct stat about[2];
    if (file_same(path, other)) return true;
    for (int i = 0; i < 2; i++) {
        const char *whole = name[i], *slash = strrchr(whole, '/');
        char folder[PATH_MAX] = ".";
        if (slash && (size_t)(slash - whole) + 2 > sizeof folder) return false;
        if (slash) snprintf(folder, sizeof folder, "%.*s/", (int)(slash - whole), whole);
        if (slash) name[i] = slash + 1;
        if (stat(folder, &about[i])) return !strcmp(path, other);
    }
    return about[0].st_dev == about[1].st_dev && about[0].st_ino == about[1].st_ino && !strcmp(name[0], name[1]);
}

const char *file_numbered(Arena *arena, const char *path, int64_t number) {
    const char *slash = strrchr(path, '/'), *dot = strchr(slash ? slash : path, '.');
    size_t stem = dot ? (size_t)(dot - path) : strlen(path);
    return number == 1 ? path : arena_print(arena, "%.*s-%lld%s", (int)stem, path, (long long)number, path + stem);
}

/* Block by block: a file may be larger than memory. */
Status file_hash(const char *path, char out[65], Error *error) {
    enum { BLOCK = 1 << 16 };
    unsigned char block[BLOCK], hash[32];
    crypto_generichash_state state;
    ssize_t got;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        fail(error, BAD, "cannot open: %s", errno == ENOENT ? "there is no such file" : strerror(errno));
        return error_file(error, path);
    }
    crypto_generichash_init(&state, NULL, 0, sizeof hash);
    do {
        got = read(file, block, sizeof block);
        if (got > 0) crypto_generichash_update(&state, block, (unsigned long long)got);
    } while (got > 0 || (got < 0 && errno == EINTR));
    int why = errno;
    close(file);
    if (got < 0) {
        fail(error, FAILED, "cannot be read: %s", strerror(why));
        return error_file(error, path);
    }
    crypto_generichash_final(&state, hash, sizeof hash);
    sodium_bin2hex(out, 65, hash, sizeof hash);
    return OK;
}
