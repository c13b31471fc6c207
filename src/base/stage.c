/* The commit protocol of a command's files. */
#include "base/stage.h"
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
#include "base/file.h"
#include "base/file_inside.h"
#include "base/text.h"

enum { LONGEST = 4096 };
static const char PREFIX[] = ".scrim-";

typedef struct Folder {
    char *path, *aside;
    int lock;
} Folder; /* path ends in a slash, or is empty */
typedef struct Staged {
    int64_t folder;
    char *name, *place;
    bool secret;
} Staged; /* place: as given, for messages */
typedef struct Held {
    dev_t device;
    ino_t node;
} Held; /* a file that must stay */
struct Stage {
    Folder *folder;
    Staged *staged;
    Held *held;
    int64_t folders, files, holds;
    mode_t most;
};

Status stage_new(Stage **out, Error *error) {
    *out = calloc(1, sizeof **out);
    if (!*out) return fail(error, FAILED, "out of memory");
    (*out)->most = 07777;
    return OK;
}

static bool grown(void *list, int64_t count, size_t size) {
    void **at = list, *more = (count & (count - 1)) ? *at : realloc(*at, (size_t)(count ? 2 * count : 1) * size);
    if (more) *at = more;
    return more != NULL;
}

static void stage_free(Stage *stage) {
    for (int64_t i = 0; i < stage->folders; i++) {
        if (stage->folder[i].lock >= 0) close(stage->folder[i].lock);
        free(stage->folder[i].path);
        free(stage->folder[i].aside);
    }
    for (int64_t i = 0; i < stage->files; i++) {
        free(stage->staged[i].name);
        free(stage->staged[i].place);
    }
    free(stage->folder);
    free(stage->staged);
    free(stage->held);
    free(stage);
}

/* ---- what must stay ---- */

static Status hold(Stage *stage, const struct stat *about, Error *error) {
    if (!grown(&stage->held, stage->holds, sizeof *stage->held)) return fail(error, FAILED, "out of memory");
    stage->held[stage->holds++] = (Held){ .device = about->st_dev, .node = about->st_ino };
    return OK;
}

static Status limit(Stage *stage, const struct stat *about, Error *error) {
    (void)error;
    stage_limit_mode(stage, about->st_mode);
    return OK;
}

static Status untold(const char *path, Error *error) {
    fail(error, FAILED, "what lies in this folder cannot be told (%s)", strerror(errno));
    return error_file(error, path);
}

/* The file that is read under this name, or those of a folder; one that may not be read has none that are. */
static Status each_read(Stage *stage, const char *path, Status (*take)(Stage *stage, const struct stat *about, Error *error),
                        Error *error) {
    struct stat about;
    Status status = OK;
    if (!path || (strcmp(path, "-") ? stat(path, &about) : fstat(STDIN_FILENO, &about))) return OK;
    if (S_ISREG(about.st_mode)) return take(stage, &about, error);
    if (!S_ISDIR(about.st_mode) || !strcmp(path, "-")) return OK;
    DIR *folder = opendir(path);
    if (!folder && errno != EACCES) return untold(path, error);
    for (const struct dirent *entry; folder && !status && (entry = readdir(folder));)
        if (!fstatat(dirfd(folder), entry->d_name, &about, 0) && S_ISREG(about.st_mode)) status = take(stage, &about, error);
    if (folder) closedir(folder);
    return status;
}

Status stage_protect(Stage *stage, const char *path, Error *error) { return each_read(stage, path, hold, error); }

/* Want of memory or descriptors, not a folder that is not there or may not be read. */
static int out_of_means(const char *path, int why) {
    (void)path;
    return why == ENOMEM || why == EMFILE || why == ENFILE;
}

/* Every file below the folder that a pattern begins with: what ** may come upon, and more. */
static Status protect_below(Stage *stage, const char *pattern, Error *error) {
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
Status stage_protect_pattern(Stage *stage, const char *pattern, Error *error) {
    if (strlen(pattern) >= LONGEST || !strpbrk(pattern, "*?[")) return stage_protect(stage, pattern, error);
    if (strstr(pattern, "**")) return protect_below(stage, pattern, error);
    glob_t found = { 0 };
    int missed = glob(pattern, GLOB_NOSORT | GLOB_NOESCAPE | GLOB_PERIOD, out_of_means, &found);
    Status status = !missed || missed == GLOB_NOMATCH ? stage_protect(stage, pattern, error)
                    : missed == GLOB_ABORTED          ? untold(pattern, error)
                                                      : fail(error, FAILED, "out of memory");
    for (size_t i = 0; !missed && !status && i < found.gl_pathc; i++)
        if (dots(found.gl_pathv[i]) <= dots(pattern)) status = stage_protect(stage, found.gl_pathv[i], error);
    globfree(&found);
    return status;
}

void stage_limit(Stage *stage, const char *path) {
    if (each_read(stage, path, limit, NULL)) stage_limit_mode(stage, 0600);
}
void stage_limit_mode(Stage *stage, mode_t most) { stage->most &= most | 07000; }

Status stage_refuses(const char *path, Error *error) {
    fail(error, BAD, "is read by this command, and would be lost");
    error_advice(error, "Write what is made to a file of its own.");
    return error_file(error, path);
}

Status stage_check(const Stage *stage, const char *path, Error *error) {
    struct stat about;
    if (!strcmp(path, "-") || stat(path, &about) || !S_ISREG(about.st_mode)) return OK;
    for (int64_t i = 0; i < stage->holds; i++)
        if (about.st_dev == stage->held[i].device && about.st_ino == stage->held[i].node) return stage_refuses(path, error);
    return OK;
}

/* ---- the folder aside ---- */

/* The lock last: a folder without one is empty. */
static void remove_aside(const char *aside) {
    DIR *folder = opendir(aside);
    bool empty = folder;
    for (const struct dirent *entry; folder && (entry = readdir(folder));)
        if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..") && strcmp(entry->d_name, ".lock"))
            empty = !unlinkat(dirfd(folder), entry->d_name, 0) && empty;
    if (empty) unlinkat(dirfd(folder), ".lock", 0);
    if (folder) closedir(folder);
    if (empty) rmdir(aside);
}

static bool sync_folder(const char *path) {
    int descriptor = open(*path ? path : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool fine = descriptor >= 0 && (!fsync(descriptor) || errno == EINVAL);
    if (descriptor >= 0) close(descriptor);
    return fine;
}

/* An aside of this user that no one else can have made; ENOENT where nothing is there. */
static bool is_aside(const char *path) {
    struct stat about;
    if (lstat(path, &about)) return false;
    errno = EPERM;
    return S_ISDIR(about.st_mode) && about.st_uid == geteuid() && !(about.st_mode & 0077);
}

/* An entry of `.commit`: a name in the aside that holds it, or /FOLDER/.scrim-…/NAME in another one. */
typedef struct Entry {
    char from[3 * LONGEST], to[3 * LONGEST];
    size_t aside, folder; /* how much of `from` is the aside, of `to` the folder with its slash */
} Entry;
static bool read_entry(const char *text, const char *folder, const char *aside, Entry *out) {
    const char *name = strrchr(text, '/'), *other = name;
    while (other && other > text && other[-1] != '/') other--;
    if (!name) {
        out->aside = (size_t)snprintf(out->from, sizeof out->from, "%s/%s", aside, text) - strlen(text) - 1;
        out->folder = (size_t)snprintf(out->to, sizeof out->to, "%s%s", folder, text) - strlen(text);
        return *text;
    }
    if (*text != '/' || !name[1] || strncmp(other, PREFIX, strlen(PREFIX)) || strlen(text) >= LONGEST) return false;
    strcpy(out->from, text);
    snprintf(out->to, sizeof out->to, "%.*s%s", (int)(other - text), text, name + 1);
    out->aside = (size_t)(name - text);
    out->folder = (size_t)(other - text);
    char there[LONGEST];
    snprintf(there, sizeof there, "%.*s", (int)out->aside, text);
    return is_aside(there) || errno == ENOENT;
}

static bool sync_entry(Entry *entry) {
    char after = entry->to[entry->folder];
    entry->to[entry->folder] = 0;
    bool fine = sync_folder(entry->to);
    entry->to[entry->folder] = after;
    return fine;
}

/* What `.commit` lists, each that is still aside put in its place; when all are, no aside is left, that with `.commit` the last to go.
 * False with errno, and what could not be moved. */
static bool put_in_place(const char *folder, const char *aside, const char *names, size_t count, Entry *failed) {
    int why = 0;
    Entry entry;
    for (const char *name = names; name < names + count; name += strlen(name) + 1) {
        errno = EINVAL;
        if (read_entry(name, folder, aside, &entry) && (!rename(entry.from, entry.to) || errno == ENOENT)) continue;
        if (!why) *failed = entry;
        if (!why) why = errno;
    }
    for (const char *name = names; !why && name < names + count; name += strlen(name) + 1)
        if (read_entry(name, folder, aside, &entry) && !sync_entry(&entry)) {
            *failed = entry;
            why = errno;
        }
    for (const char *name = names; !why && name < names + count; name += strlen(name) + 1)
        if (strchr(name, '/') && read_entry(name, folder, aside, &entry)) {
            entry.from[entry.aside] = 0;
            remove_aside(entry.from);
        }
    if (!why) remove_aside(aside);
    errno = why;
    return !why;
}

/* A text that lies in an aside, NUL at its end; count 0 where it is not there, or not whole. */
static Bytes read_beside(const char *aside, const char *name) {
    char path[2 * LONGEST + 16];
    Bytes bytes = { 0 };
    snprintf(path, sizeof path, "%s/%s", aside, name);
    if (!access(path, F_OK) && !bytes_open(path, &bytes, NULL) && bytes.count && !bytes.at[bytes.count - 1]) return bytes;
    bytes_close(&bytes);
    return bytes;
}

/* What a killed run of this user left: finished where it had committed, else removed. One whose lock is held belongs to a living run. False
 * where it stays as it is. */
static bool settle_aside(const char *folder, const char *name) {
    char aside[2 * LONGEST], path[2 * LONGEST + 16];
    bool settled = true;
    snprintf(aside, sizeof aside, "%s%s", folder, name);
    if (!is_aside(aside)) return errno == ENOENT;
    snprintf(path, sizeof path, "%s/.lock", aside);
    int lock = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (lock < 0) return errno == ENOENT && !rmdir(aside); /* or one that is just being made */
    if (flock(lock, LOCK_EX | LOCK_NB)) {
        close(lock);
        return false;
    }
    Bytes names = read_beside(aside, ".commit"), first = read_beside(aside, ".with");
    Entry failed;
    if (names.count) settled = put_in_place(folder, aside, names.at, names.count, &failed);
    else if (first.count && first.count < LONGEST && strrchr(first.at, '/')) {
        snprintf(path, sizeof path, "%.*s", (int)(strrchr(first.at, '/') + 1 - first.at), first.at);
        settled = settle_aside(path, strrchr(first.at, '/') + 1);
    }
    if (settled) remove_aside(aside);
    bytes_close(&names);
    bytes_close(&first);
    close(lock);
    return settled;
}

static void settle_folder(const char *path) {
    DIR *folder = opendir(*path ? path : ".");
    for (const struct dirent *entry; folder && (entry = readdir(folder));)
        if (!strncmp(entry->d_name, PREFIX, strlen(PREFIX)) && strlen(entry->d_name) == strlen(PREFIX) + 16)
            settle_aside(path, entry->d_name);
    if (folder) closedir(folder);
}

/* The lock of a folder just made; -1 where another run took it for a dead one's before it was held. */
static int hold_lock(const char *path) {
    struct stat held, there;
    int lock = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (lock < 0 || (!flock(lock, LOCK_EX | LOCK_NB) && !fstat(lock, &held) && !stat(path, &there) && held.st_ino == there.st_ino))
        return lock;
    close(lock);
    errno = ENOENT;
    return -1;
}

static Status open_aside(Folder *folder, const char *given, Error *error) {
    char aside[2 * LONGEST], lock[2 * LONGEST + 16], hex[17];
    Status status = OK;
    settle_folder(folder->path);
    for (int tries = 0; folder->lock < 0 && tries < 100; tries++) {
        if ((status = random_name(hex, error))) return status;
        snprintf(aside, sizeof aside, "%s%s%s", folder->path, PREFIX, hex);
        if (mkdir(aside, 0700)) return file_error(error, given, "cannot write");
        snprintf(lock, sizeof lock, "%s/.lock", aside);
        if ((folder->lock = hold_lock(lock)) < 0 && errno != ENOENT) break;
    }
    folder->aside = folder->lock < 0 ? NULL : strdup(aside);
    if (folder->aside) return OK;
    status = folder->lock < 0 ? file_error(error, given, "cannot write") : fail(error, FAILED, "out of memory");
    remove_aside(aside);
    if (folder->lock >= 0) close(folder->lock);
    folder->lock = -1;
    return status;
}

static Status folder_of(Stage *stage, const char *path, size_t length, const char *given, int64_t *out, Error *error) {
    for (*out = 0; *out < stage->folders; ++*out)
        if (strlen(stage->folder[*out].path) == length && !strncmp(stage->folder[*out].path, path, length)) return OK;
    Folder fresh = { .path = strndup(path, length), .lock = -1 };
    Status status = !fresh.path || !grown(&stage->folder, stage->folders, sizeof *stage->folder) ? fail(error, FAILED, "out of memory")
                                                                                                 : open_aside(&fresh, given, error);
    if (status) free(fresh.path);
    else stage->folder[stage->folders++] = fresh;
    return status;
}

/* ---- the files ---- */

Status stage_told(Error *error, const char *now, const char *path, Status status) {
    if (status && error && !strncmp(error->file, now, sizeof error->file - 1)) return error_file(error, path);
    return status;
}

Status stage_path(Stage *stage, Arena *arena, const char *path, bool secret, const char **out, Error *error) {
    struct stat about;
    char place[LONGEST];
    *out = path;
    if (!strcmp(path, "-") || (!stat(path, &about) && !S_ISREG(about.st_mode))) return OK;
    Status status = stage_check(stage, path, error);
    if (status) return status;
    if (snprintf(place, sizeof place, "%s", path) >= (int)sizeof place) {
        errno = ENAMETOOLONG;
        return file_error(error, path, "cannot write");
    }
    if (!follow_links(place)) return file_error(error, path, "cannot write");
    const char *slash = strrchr(place, '/'), *name = slash ? slash + 1 : place;
    Staged staged = { .secret = secret };
    if ((status = folder_of(stage, place, (size_t)(name - place), path, &staged.folder, error))) return status;
    for (int64_t i = 0; i < stage->files; i++) {
        if (stage->staged[i].folder != staged.folder || strcmp(stage->staged[i].name, name)) continue;
        fail(error, BAD, "is written twice by this command");
        error_advice(error, "Give each thing that is made a file of its own.");
        return error_file(error, path);
    }
    staged.name = strdup(name);
    staged.place = strdup(path);
    *out = arena_print(arena, "%s/%s", stage->folder[staged.folder].aside, name);
    if (!staged.name || !staged.place || !*out || !grown(&stage->staged, stage->files, sizeof *stage->staged)) {
        free(staged.name);
        free(staged.place);
        return fail(error, FAILED, "out of memory");
    }
    stage->staged[stage->files++] = staged;
    return OK;
}

/* A file that takes another's place keeps its mode, and none gets more than what it was made from had. */
static Status set_mode(const Stage *stage, const Staged *staged, Error *error) {
    char from[4 * LONGEST], to[4 * LONGEST];
    struct stat new, old;
    const Folder *folder = &stage->folder[staged->folder];
    snprintf(from, sizeof from, "%s/%s", folder->aside, staged->name);
    snprintf(to, sizeof to, "%s%s", folder->path, staged->name);
    if (stat(from, &new)) return errno == ENOENT ? OK : file_error(error, staged->place, "cannot write");
    mode_t mode = staged->secret ? 0600 : (stat(to, &old) ? new.st_mode : old.st_mode) & 0777 & stage->most;
    if (mode != (new.st_mode & 0777) && chmod(from, mode)) return file_error(error, staged->place, "cannot write");
    return OK;
}

/* A text into an aside, complete or not there at all, and all that lies there synced. */
static Status write_beside(const char *aside, const char *name, const char *text, size_t count, Error *error) {
    char path[2 * LONGEST + 16];
    snprintf(path, sizeof path, "%s/%s", aside, name);
    Status status = file_write(path, text, count, true, error);
    if (!status && !sync_folder(aside)) status = fail(error, FAILED, "cannot sync a folder");
    return status;
}

/* Where an aside is, whatever folder the next run is started in. */
static Status find_aside(const char *aside, char out[LONGEST], Error *error) {
    char whole[PATH_MAX];
    if (!realpath(aside, whole)) return file_error(error, aside, "cannot write");
    if (snprintf(out, LONGEST, "%s", whole) < LONGEST) return OK;
    errno = ENAMETOOLONG;
    return file_error(error, aside, "cannot write");
}

/* The asides but the first say where that is, and will be there when it is read. */
static Status point_at_first(const Stage *stage, Error *error) {
    char first[LONGEST];
    Status status = stage->folders > 1 ? find_aside(stage->folder[0].aside, first, error) : OK;
    for (int64_t f = 1; !status && f < stage->folders; f++) {
        status = write_beside(stage->folder[f].aside, ".with", first, strlen(first) + 1, error);
        if (!status && !sync_folder(stage->folder[f].path)) status = fail(error, FAILED, "cannot sync a folder");
    }
    return status;
}

/* `.commit`: what is staged, the last first, NUL behind each. */
static Status list_entries(const Stage *stage, Buffer *out, Error *error) {
    Status status = OK;
    for (int64_t i = stage->files - 1; !status && i >= 0; i--) {
        char aside[LONGEST];
        const Staged *staged = &stage->staged[i];
        if (staged->folder) {
            status = find_aside(stage->folder[staged->folder].aside, aside, error);
            if (!status) buffer_print(out, "%s/", aside);
        }
        buffer_add(out, staged->name, strlen(staged->name) + 1);
    }
    return !status && out->failed ? fail(error, FAILED, "out of memory") : status;
}

static const char *given_name(const Stage *stage, const Entry *failed) {
    for (int64_t i = 0; i < stage->files; i++)
        if (!strcmp(strrchr(failed->from, '/') + 1, stage->staged[i].name)) return stage->staged[i].place;
    return failed->to;
}

Status stage_commit(Stage *stage, Error *error) {
    Status status = memory_lost() ? fail(error, FAILED, "out of memory") : OK;
    Buffer names = { 0 };
    Entry failed;
    for (int64_t i = 0; !status && i < stage->files; i++) status = set_mode(stage, &stage->staged[i], error);
    if (!status) status = point_at_first(stage, error);
    if (!status) status = list_entries(stage, &names, error);
    if (!status && names.count) status = write_beside(stage->folder[0].aside, ".commit", names.bytes, names.count, error);
    if (status || !names.count) stage_abandon(stage);
    else {
        if (!put_in_place(stage->folder[0].path, stage->folder[0].aside, names.bytes, names.count, &failed))
            status = file_error(error, given_name(stage, &failed), "cannot write");
        stage_free(stage);
    }
    buffer_free(&names);
    return status;
}

void stage_abandon(Stage *stage) {
    if (!stage) return;
    for (int64_t f = 0; f < stage->folders; f++) remove_aside(stage->folder[f].aside);
    stage_free(stage);
}
