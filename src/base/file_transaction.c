/* The files of one command: what must stay, where the new ones are written, and their modes. The commit itself is base/file_journal.c. */
#include "base/file_transaction.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/file_private.h"
#include "base/file_journal.h"

enum { LONGEST = 4096 };

typedef struct Held {
    dev_t device;
    ino_t node;
} Held; /* a file that must stay */
struct Transaction {
    SideFolder *folder;
    NewFile *staged;
    Held *held;
    int64_t folders, files, holds;
};

Status transaction_new(Transaction **out, Error *error) {
    *out = calloc(1, sizeof **out);
    if (!*out) return out_of_memory(error);
    return OK;
}

static bool grown(void *list, int64_t count, size_t size) {
    void **at = list, *more = (count & (count - 1)) ? *at : realloc(*at, (size_t)(count ? 2 * count : 1) * size);
    if (more) *at = more;
    return more != NULL;
}

static void stage_free(Transaction *stage) {
    for (int64_t i = 0; i < stage->folders; i++) {
        if (stage->folder[i].lock >= 0) close(stage->folder[i].lock);
        free(stage->folder[i].path);
        free(stage->folder[i].aside);
    }
    for (int64_t i = 0; i < stage->files; i++) {
        free(stage->staged[i].name);
        free(stage->staged[i].given);
    }
    free(stage->folder);
    free(stage->staged);
    free(stage->held);
    free(stage);
}

/* ---- what must stay ---- */

static Status hold(void *self, const struct stat *about, Error *error) {
    Transaction *stage = self;
    if (!grown(&stage->held, stage->holds, sizeof *stage->held)) return out_of_memory(error);
    stage->held[stage->holds++] = (Held){ .device = about->st_dev, .node = about->st_ino };
    return OK;
}

static Status untold(const char *path, Error *error) {
    fail(error, FAILED, "this folder cannot be read (%s)", strerror(errno));
    return error_file(error, path);
}

/* The file that is read under this name, or those of a folder; one that may not be read has none that are. */
static Status each_read(void *self, const char *path, Status (*take)(void *self, const struct stat *about, Error *error), Error *error) {
    struct stat about;
    Status status = OK;
    if (!path || (strcmp(path, "-") ? stat(path, &about) : fstat(STDIN_FILENO, &about))) return OK;
    if (S_ISREG(about.st_mode)) return take(self, &about, error);
    if (!S_ISDIR(about.st_mode) || !strcmp(path, "-")) return OK;
    DIR *folder = opendir(path);
    if (!folder && errno != EACCES) return untold(path, error);
    for (const struct dirent *entry; folder && !status && (entry = readdir(folder));)
        if (!fstatat(dirfd(folder), entry->d_name, &about, 0) && S_ISREG(about.st_mode)) status = take(self, &about, error);
    if (folder) closedir(folder);
    return status;
}

Status transaction_guard_input(Transaction *stage, const char *path, Error *error) { return each_read(stage, path, hold, error); }

/* Want of memory or descriptors, not a folder that is not there or may not be read. */
static int out_of_means(const char *path, int why) {
    (void)path;
    return why == ENOMEM || why == EMFILE || why == ENFILE;
}

/* Every file below the folder that a pattern begins with: what ** may come upon, and more. */
static Status protect_below(Transaction *stage, const char *pattern, Error *error) {
    char start[LONGEST];
    const char *mark = strpbrk(pattern, "*?["), *slash = memrchr(pattern, '/', (size_t)(mark - pattern));
    snprintf(start, sizeof start, "%.*s", slash ? (int)(slash - pattern + 1) : 1, slash ? pattern : ".");
    FTS *tree = fts_open((char *[]){ start, NULL }, FTS_LOGICAL | FTS_NOCHDIR, NULL);
    Status status = OK;
    if (!tree) return errno == ENOENT ? OK : untold(start, error);
    for (FTSENT *entry; !status;) {
        errno = 0;
        if (!(entry = fts_read(tree))) break;
        errno = entry->fts_errno;
        if (entry->fts_info == FTS_F) status = hold(stage, entry->fts_statp, error);
        else if ((entry->fts_info == FTS_DNR || entry->fts_info == FTS_ERR || entry->fts_info == FTS_NS) && out_of_means(NULL, errno))
            break;
    }
    if (!status && out_of_means(NULL, errno)) status = untold(start, error);
    fts_close(tree);
    return status;
}

/* How many of its folders are . or .. */
static int dots(const char *path) {
    int count = 0;
    for (; *path; path += strcspn(path, "/"), path += strspn(path, "/")) {
        const size_t length = strcspn(path, "/");
        count += length && length <= 2 && !strncmp(path, "..", length);
    }
    return count;
}

/* Of what * fits, hidden files, too; but not the folder itself and the one above. */
Status transaction_guard_pattern(Transaction *stage, const char *pattern, Error *error) {
    if (strlen(pattern) >= LONGEST || !strpbrk(pattern, "*?[")) return transaction_guard_input(stage, pattern, error);
    if (strstr(pattern, "**")) return protect_below(stage, pattern, error);
    glob_t found = { 0 };
    int missed = glob(pattern, GLOB_NOSORT | GLOB_NOESCAPE | GLOB_PERIOD, out_of_means, &found);
    Status status = !missed || missed == GLOB_NOMATCH ? transaction_guard_input(stage, pattern, error)
                    : missed == GLOB_ABORTED          ? untold(pattern, error)
                                                      : out_of_memory(error);
    for (size_t i = 0; !missed && !status && i < found.gl_pathc; i++)
        if (dots(found.gl_pathv[i]) <= dots(pattern)) status = transaction_guard_input(stage, found.gl_pathv[i], error);
    globfree(&found);
    return status;
}

static Status add_closed(void *self, const struct stat *about, Error *error) {
    (void)error;
    *(unsigned *)self |= ~about->st_mode & 0077;
    return OK;
}

unsigned stage_closed(const char *path) {
    unsigned closed = 0;
    return each_read(&closed, path, add_closed, NULL) ? 0077 : closed;
}

Status transaction_refuses(const char *path, Error *error) {
    fail(error, BAD, "is read by this command, and would be lost");
    error_advice(error, "Write what is made to a file of its own.");
    return error_file(error, path);
}

Status transaction_check(const Transaction *stage, const char *path, Error *error) {
    struct stat about;
    if (!strcmp(path, "-") || stat(path, &about) || !S_ISREG(about.st_mode)) return OK;
    for (int64_t i = 0; i < stage->holds; i++)
        if (about.st_dev == stage->held[i].device && about.st_ino == stage->held[i].node) return transaction_refuses(path, error);
    return OK;
}

/* ---- the files ---- */

static Status folder_of(Transaction *stage, const char *path, size_t length, const char *given, int64_t *out, Error *error) {
    for (*out = 0; *out < stage->folders; ++*out)
        if (strlen(stage->folder[*out].path) == length && !strncmp(stage->folder[*out].path, path, length)) return OK;
    SideFolder fresh = { .path = strndup(path, length), .lock = -1 };
    Status status = !fresh.path || !grown(&stage->folder, stage->folders, sizeof *stage->folder) ? out_of_memory(error)
                                                                                                 : side_folder_open(&fresh, given, error);
    if (status) free(fresh.path);
    else stage->folder[stage->folders++] = fresh;
    return status;
}

Status transaction_restore_path(Error *error, const char *now, const char *path, Status status) {
    if (status && error && !strncmp(error->file, now, sizeof error->file - 1)) return error_file(error, path);
    return status;
}

Status transaction_path(Transaction *stage, Arena *arena, const char *path, unsigned closed, const char **out, Error *error) {
    struct stat about;
    char place[LONGEST];
    *out = path;
    if (!strcmp(path, "-") || (!stat(path, &about) && !S_ISREG(about.st_mode))) return OK;
    Status status = transaction_check(stage, path, error);
    if (status) return status;
    if (snprintf(place, sizeof place, "%s", path) >= (int)sizeof place) {
        errno = ENAMETOOLONG;
        return file_error(error, path, "cannot write");
    }
    if (!follow_links(place)) return file_error(error, path, "cannot write");
    const char *slash = strrchr(place, '/'), *name = slash ? slash + 1 : place;
    NewFile staged = { .closed = closed };
    if (side_folder_keeps(name)) {
        fail(error, BAD, "is a name that commands keep for themselves while they write");
        return error_file(error, path);
    }
    if ((status = folder_of(stage, place, (size_t)(name - place), path, &staged.folder, error))) return status;
    for (int64_t i = 0; i < stage->files; i++) {
        if (stage->staged[i].folder != staged.folder || strcmp(stage->staged[i].name, name)) continue;
        fail(error, BAD, "is written twice by this command");
        error_advice(error, "Give each thing that is made a file of its own.");
        return error_file(error, path);
    }
    staged.name = strdup(name);
    staged.given = strdup(path);
    *out = arena_print(arena, "%s/%s", stage->folder[staged.folder].aside, name);
    if (!staged.name || !staged.given || !*out || !grown(&stage->staged, stage->files, sizeof *stage->staged)) {
        free(staged.name);
        free(staged.given);
        return out_of_memory(error);
    }
    stage->staged[stage->files++] = staged;
    return OK;
}

void stage_close(Transaction *stage, const char *path, unsigned closed) {
    for (int64_t i = 0; i < stage->files; i++)
        if (!strcmp(stage->staged[i].given, path)) stage->staged[i].closed |= closed;
}

/* A file that takes another's place keeps its mode, without the bits that are closed. */
static Status set_mode(const Transaction *stage, const NewFile *staged, Error *error) {
    char from[4 * LONGEST], to[4 * LONGEST];
    struct stat new, old;
    const SideFolder *folder = &stage->folder[staged->folder];
    snprintf(from, sizeof from, "%s/%s", folder->aside, staged->name);
    snprintf(to, sizeof to, "%s%s", folder->path, staged->name);
    if (stat(from, &new)) return errno == ENOENT ? OK : file_error(error, staged->given, "cannot write");
    mode_t mode = (stat(to, &old) ? new.st_mode : old.st_mode) & 0777 & ~(mode_t)staged->closed;
    if (mode != (new.st_mode & 0777) && chmod(from, mode)) return file_error(error, staged->given, "cannot write");
    return OK;
}

Status transaction_commit(Transaction *stage, Error *error) {
    Status status = memory_lost() ? out_of_memory(error) : OK;
    for (int64_t i = 0; !status && i < stage->files; i++) status = set_mode(stage, &stage->staged[i], error);
    if (status || !stage->files) {
        transaction_rollback(stage);
        return status;
    }
    status = journal_commit(stage->folder, stage->folders, stage->staged, stage->files, error);
    stage_free(stage);
    return status;
}

void transaction_rollback(Transaction *stage) {
    if (!stage) return;
    for (int64_t f = 0; f < stage->folders; f++) side_folder_remove(&stage->folder[f]);
    stage_free(stage);
}
