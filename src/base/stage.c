/* The commit protocol of a command's files. */
#include "base/stage.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/file.h"
#include "base/file_inside.h"

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

Status stage_protect(Stage *stage, const char *path, Error *error) {
    struct stat about;
    Status status = OK;
    if (!path || !strcmp(path, "-") || stat(path, &about)) return OK;
    if (S_ISREG(about.st_mode)) return hold(stage, &about, error);
    DIR *folder = S_ISDIR(about.st_mode) ? opendir(path) : NULL;
    for (const struct dirent *entry; folder && !status && (entry = readdir(folder));)
        if (!fstatat(dirfd(folder), entry->d_name, &about, 0) && S_ISREG(about.st_mode)) status = hold(stage, &about, error);
    if (folder) closedir(folder);
    return status;
}

void stage_limit(Stage *stage, const char *path) {
    struct stat about;
    if (path && strcmp(path, "-") && !stat(path, &about) && S_ISREG(about.st_mode)) stage->most &= about.st_mode | 07000;
}

Status stage_check(const Stage *stage, const char *path, Error *error) {
    struct stat about;
    if (!strcmp(path, "-") || stat(path, &about) || !S_ISREG(about.st_mode)) return OK;
    for (int64_t i = 0; i < stage->holds; i++) {
        if (about.st_dev != stage->held[i].device || about.st_ino != stage->held[i].node) continue;
        fail(error, BAD, "is read by this command, and would be lost");
        error_advice(error, "Write what is made to a file of its own.");
        return error_file(error, path);
    }
    return OK;
}

/* ---- the folder aside ---- */

static void remove_aside(const char *aside) {
    DIR *folder = opendir(aside);
    for (const struct dirent *entry; folder && (entry = readdir(folder));)
        if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..")) unlinkat(dirfd(folder), entry->d_name, 0);
    if (folder) closedir(folder);
    rmdir(aside);
}

static bool sync_folder(const char *path) {
    int descriptor = open(*path ? path : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool fine = descriptor >= 0 && (!fsync(descriptor) || errno == EINVAL);
    if (descriptor >= 0) close(descriptor);
    return fine;
}

/* The names that `.commit` lists, each that is still aside put in its place. */
static bool put_in_place(const char *folder, const char *aside, const char *names, size_t count) {
    bool fine = true;
    for (const char *name = names; name < names + count; name += strlen(name) + 1) {
        char from[4 * LONGEST], to[4 * LONGEST];
        if (strchr(name, '/') || !*name) return false;
        snprintf(from, sizeof from, "%s/%s", aside, name);
        snprintf(to, sizeof to, "%s%s", folder, name);
        fine = (!rename(from, to) || errno == ENOENT) && fine;
    }
    return sync_folder(folder) && fine;
}

/* A folder that a killed run of this user left: finished where it had committed, else removed. One whose lock is held belongs to a living
 * run. */
static void settle_aside(const char *folder, const char *name) {
    char aside[2 * LONGEST], path[2 * LONGEST + 16];
    struct stat about;
    snprintf(aside, sizeof aside, "%s%s", folder, name);
    if (lstat(aside, &about) || !S_ISDIR(about.st_mode) || about.st_uid != geteuid() || (about.st_mode & 0077)) return;
    snprintf(path, sizeof path, "%s/.lock", aside);
    int lock = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB)) {
        close(lock);
        return;
    }
    Bytes names = { 0 };
    snprintf(path, sizeof path, "%s/.commit", aside);
    bool committed = !access(path, F_OK) && !bytes_open(path, &names, NULL) && names.count && !names.at[names.count - 1];
    if (!committed || put_in_place(folder, aside, names.at, names.count)) remove_aside(aside);
    bytes_close(&names);
    if (lock >= 0) close(lock);
}

static void settle_folder(const char *path) {
    DIR *folder = opendir(*path ? path : ".");
    for (const struct dirent *entry; folder && (entry = readdir(folder));)
        if (!strncmp(entry->d_name, PREFIX, strlen(PREFIX)) && strlen(entry->d_name) == strlen(PREFIX) + 16)
            settle_aside(path, entry->d_name);
    if (folder) closedir(folder);
}

static Status open_aside(Folder *folder, const char *given, Error *error) {
    char aside[2 * LONGEST], lock[2 * LONGEST + 16], hex[17];
    settle_folder(folder->path);
    Status status = random_name(hex, error);
    if (status) return status;
    snprintf(aside, sizeof aside, "%s%s%s", folder->path, PREFIX, hex);
    if (mkdir(aside, 0700)) return file_error(error, given, "cannot write");
    snprintf(lock, sizeof lock, "%s/.lock", aside);
    folder->lock = open(lock, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    folder->aside = strdup(aside);
    if (folder->lock >= 0 && !flock(folder->lock, LOCK_EX | LOCK_NB) && folder->aside) return OK;
    status = folder->aside ? file_error(error, given, "cannot write") : fail(error, FAILED, "out of memory");
    unlink(lock);
    rmdir(aside);
    free(folder->aside);
    if (folder->lock >= 0) close(folder->lock);
    folder->aside = NULL;
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

/* `.commit`: the names of this folder, NUL behind each; complete or not there at all. */
static Status write_journal(const Stage *stage, int64_t folder, Error *error) {
    char path[2 * LONGEST + 16];
    size_t count = 0, at = 0;
    for (int64_t i = 0; i < stage->files; i++) count += stage->staged[i].folder == folder ? strlen(stage->staged[i].name) + 1 : 0;
    char *names = malloc(count + 1);
    if (!names) return fail(error, FAILED, "out of memory");
    for (int64_t i = stage->files - 1; i >= 0; i--)
        if (stage->staged[i].folder == folder) {
            strcpy(names + at, stage->staged[i].name);
            at += strlen(stage->staged[i].name) + 1;
        }
    snprintf(path, sizeof path, "%s/.commit", stage->folder[folder].aside);
    Status status = file_write(path, names, count, true, error);
    if (!status && !sync_folder(stage->folder[folder].aside)) status = fail(error, FAILED, "cannot sync a folder");
    free(names);
    return status;
}

Status stage_commit(Stage *stage, Error *error) {
    Status status = memory_lost() ? fail(error, FAILED, "out of memory") : OK;
    for (int64_t i = 0; !status && i < stage->files; i++) status = set_mode(stage, &stage->staged[i], error);
    for (int64_t f = 0; !status && f < stage->folders; f++) status = write_journal(stage, f, error);
    if (status) {
        stage_abandon(stage);
        return status;
    }
    for (int64_t i = stage->files - 1; i >= 0; i--) {
        char from[4 * LONGEST], to[4 * LONGEST];
        const Folder *folder = &stage->folder[stage->staged[i].folder];
        snprintf(from, sizeof from, "%s/%s", folder->aside, stage->staged[i].name);
        snprintf(to, sizeof to, "%s%s", folder->path, stage->staged[i].name);
        if (rename(from, to) && errno != ENOENT && !status) status = file_error(error, stage->staged[i].place, "cannot write");
    }
    for (int64_t f = 0; f < stage->folders; f++) {
        if (!sync_folder(stage->folder[f].path) && !status) status = fail(error, FAILED, "cannot sync a folder");
        if (!status) remove_aside(stage->folder[f].aside);
    }
    stage_free(stage);
    return status;
}

void stage_abandon(Stage *stage) {
    if (!stage) return;
    for (int64_t f = 0; f < stage->folders; f++) remove_aside(stage->folder[f].aside);
    stage_free(stage);
}
