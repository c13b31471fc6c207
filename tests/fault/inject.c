/* Loaded before a program (LD_PRELOAD): makes the n-th call of a kind fail, once or from then on, be the program's end, as by kill -9, or
 * stop it there. FAULT=malloc:17, FAULT=write:3+, FAULT=rename:2!, FAULT=rename:2=; with FAULT_COUNTS=FILE the numbers of calls are written
 * there at the end, which is how a campaign knows how far to go. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

enum { MALLOC, OPEN, WRITE, SYNC, RENAME, MKDIR, UNLINK, LINK, KINDS };
static const char *const names[KINDS] = { "malloc", "open", "write", "fsync", "rename", "mkdir", "unlink", "link" };
static atomic_long *calls; /* of the program and of what it forks, which is why they are not its own memory */
static pid_t first;
static int kind = -1;
static long nth = -1;
static int onward, kills, pauses;
static char counts[4096];

__attribute__((constructor)) static void begin(void) {
    const char *what = getenv("FAULT"), *file = getenv("FAULT_COUNTS");
    if (file) snprintf(counts, sizeof counts, "%s", file);
    void *shared = mmap(NULL, KINDS * sizeof *calls, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) abort();
    first = getpid();
    for (int i = 0; what && i < KINDS; i++) {
        size_t length = strlen(names[i]);
        if (strncmp(what, names[i], length) || what[length] != ':') continue;
        char *end;
        nth = strtol(what + length + 1, &end, 10);
        onward = *end == '+';
        kills = *end == '!';
        pauses = *end == '=';
        kind = i;
    }
    calls = shared;
    unsetenv("LD_PRELOAD"); /* what the program starts is left alone; what it forks is not */
}

__attribute__((destructor)) static void end(void) {
    if (!counts[0]) return;
    char line[256];
    size_t at = 0;
    for (int i = 0; i < KINDS; i++) at += (size_t)snprintf(line + at, sizeof line - at, "%s %ld\n", names[i], atomic_load(&calls[i]));
    long fd = syscall(SYS_openat, AT_FDCWD, counts, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd >= 0) syscall(SYS_write, fd, line, at);
}

static int fails(int of, int error) {
    if (!calls) return 0; /* before the program's own */
    long at = atomic_fetch_add(&calls[of], 1) + 1;
    if (of != kind || (onward ? at < nth : at != nth)) return 0;
    if (pauses) { /* until someone sends SIGCONT */
        raise(SIGSTOP);
        return 0;
    }
    if (kills) {
        kill(first, SIGKILL);
        raise(SIGKILL);
    }
    errno = error;
    return 1;
}

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t), *__libc_memalign(size_t, size_t);
void *malloc(size_t size) { return fails(MALLOC, ENOMEM) ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return fails(MALLOC, ENOMEM) ? NULL : __libc_calloc(count, size); }
void *realloc(void *old, size_t size) { return fails(MALLOC, ENOMEM) ? NULL : __libc_realloc(old, size); }
void *aligned_alloc(size_t to, size_t size) { return fails(MALLOC, ENOMEM) ? NULL : __libc_memalign(to, size); }
int posix_memalign(void **out, size_t to, size_t size) {
    if (fails(MALLOC, ENOMEM) || !(*out = __libc_memalign(to, size))) return ENOMEM;
    return 0;
}

static int opened(int folder, const char *path, int flags, mode_t mode) {
    return fails(OPEN, EMFILE) ? -1 : (int)syscall(SYS_openat, folder, path, flags, mode);
}
#define MODE(flags, out)                                                                                                                   \
    mode_t out = 0;                                                                                                                        \
    if ((flags) & (O_CREAT | O_TMPFILE)) {                                                                                                 \
        va_list more;                                                                                                                      \
        va_start(more, flags);                                                                                                             \
        out = (mode_t)va_arg(more, int);                                                                                                   \
        va_end(more);                                                                                                                      \
    }
int open(const char *path, int flags, ...) {
    MODE(flags, mode)
    return opened(AT_FDCWD, path, flags, mode);
}
int open64(const char *path, int flags, ...) {
    MODE(flags, mode)
    return opened(AT_FDCWD, path, flags, mode);
}
int openat(int folder, const char *path, int flags, ...) {
    MODE(flags, mode)
    return opened(folder, path, flags, mode);
}
ssize_t write(int fd, const void *bytes, size_t count) { return fails(WRITE, ENOSPC) ? -1 : syscall(SYS_write, fd, bytes, count); }
ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) {
    return fails(WRITE, ENOSPC) ? -1 : syscall(SYS_pwrite64, fd, bytes, count, at);
}
ssize_t pwrite64(int fd, const void *bytes, size_t count, off_t at) { return pwrite(fd, bytes, count, at); }
int fsync(int fd) { return fails(SYNC, EIO) ? -1 : (int)syscall(SYS_fsync, fd); }
int fdatasync(int fd) { return fails(SYNC, EIO) ? -1 : (int)syscall(SYS_fdatasync, fd); }
int rename(const char *from, const char *to) {
    return fails(RENAME, EIO) ? -1 : (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}
int renameat(int a, const char *from, int b, const char *to) {
    return fails(RENAME, EIO) ? -1 : (int)syscall(SYS_renameat2, a, from, b, to, 0);
}
int mkdir(const char *path, mode_t mode) { return fails(MKDIR, EACCES) ? -1 : (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode); }
int mkdirat(int folder, const char *path, mode_t mode) { return fails(MKDIR, EACCES) ? -1 : (int)syscall(SYS_mkdirat, folder, path, mode); }
int link(const char *from, const char *to) { return fails(LINK, EPERM) ? -1 : (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0); }
int unlinkat(int folder, const char *path, int flags) {
    return fails(UNLINK, EACCES) ? -1 : (int)syscall(SYS_unlinkat, folder, path, flags);
}
int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }
int rmdir(const char *path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }
