/* The private folder, and saved recipes. */
#include "place.h"
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *where) {
    (void)about, (void)kind, (void)where;
    return remove(path);
}

static void remove_all(const char *folder) { nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS); }

/* A folder's owner holds a lock in it as long as it lives. */
static int lock_folder(const char *folder) {
    char path[4200];
    snprintf(path, sizeof path, "%s/.lock", folder);
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0 || !flock(file, LOCK_EX | LOCK_NB)) return file;
    close(file);
    return -1;
}

/* What a server that was killed left behind. */
static void sweep(const char *base) {
    DIR *dir = opendir(base);
    struct stat about;
    char path[4096], lock[4200];
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        if (strncmp(entry->d_name, "scrim-", 6)) continue;
        snprintf(path, sizeof path, "%.3000s/%s", base, entry->d_name);
        snprintf(lock, sizeof lock, "%s/.lock", path);
        if (lstat(path, &about) || !S_ISDIR(about.st_mode) || about.st_uid != getuid() || (about.st_mode & 0777) != 0700 ||
            access(lock, F_OK))
            continue;
        int file = lock_folder(path);
        if (file < 0) continue;
        remove_all(path);
        close(file);
    }
    if (dir) closedir(dir);
}

scrim_status place_make(Place *place, scrim_error *error) {
    const char *base = getenv("XDG_RUNTIME_DIR"); /* in memory, and the user's alone, where there is one */
    char whole[PATH_MAX];
    if (!base || !*base || access(base, W_OK)) base = getenv("TMPDIR");
    if (!base || !*base) base = "/tmp";
    if (realpath(base, whole)) base = whole; /* the server leaves the folder it was started in */
    sweep(base);
    int length = snprintf(place->folder, sizeof place->folder, "%s/scrim-XXXXXX", base);
    if (length < (int)sizeof place->folder && mkdtemp(place->folder) && (place->lock = lock_folder(place->folder)) >= 0)
        return SCRIM_OK; /* 0700 by itself */
    place->folder[0] = 0;
    fail(error, SCRIM_FAILED, "no folder could be made there for what is uploaded");
    return of_file(error, base);
}

void place_remove(Place *place) {
    if (!place->folder[0]) return;
    remove_all(place->folder);
    close(place->lock);
    place->folder[0] = 0;
}

void place_path(const Place *place, const char *name, char path[4096]) { snprintf(path, 4096, "%s/%s", place->folder, name); }

bool name_is_plain(const char *name) {
    size_t length = strlen(name);
    if (!length || length > 200 || name[0] == '.' || name[0] == '-') return false;
    for (const char *c = name; *c; c++)
        if (*c == '/' || *c == '\\' || *c == ':' || (unsigned char)*c < 32 || *c == 127) return false;
    return true;
}

static bool state_folder(char folder[4096]) {
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    if (state && *state == '/') snprintf(folder, 4000, "%s/scrim", state);
    else if (home && *home == '/') snprintf(folder, 4000, "%s/.local/state/scrim", home);
    else return false;
    for (char *at = folder + 1; (at = strchr(at, '/')); at++) {
        *at = 0;
        mkdir(folder, 0700);
        *at = '/';
    }
    mkdir(folder, 0700);
    return !access(folder, W_OK);
}

/* The same bytes under another name are the same data. What cannot be read as a file (a database) goes by its name. */
void data_hash(const char *data, char hex[33]) {
    unsigned char hash[16], block[65536];
    crypto_generichash_state state;
    ssize_t count = 0;
    struct stat about;
    int file = open(data, O_RDONLY | O_CLOEXEC);
    bool regular = file >= 0 && !fstat(file, &about) && S_ISREG(about.st_mode);
    crypto_generichash_init(&state, NULL, 0, sizeof hash);
    if (!regular) crypto_generichash_update(&state, (const unsigned char *)data, strlen(data));
    while (regular && (count = read(file, block, sizeof block)) > 0) crypto_generichash_update(&state, block, (size_t)count);
    if (file >= 0) close(file);
    crypto_generichash_final(&state, hash, sizeof hash);
    sodium_bin2hex(hex, 33, hash, sizeof hash);
}

void saved_path(const char *hex, char path[4096]) {
    char folder[4096];
    path[0] = 0;
    if (!state_folder(folder)) return;
    snprintf(path, 4096, "%.4000s/%s.json", folder, hex);
}

bool file_save(const char *path, const char *text) {
    char now[4200];
    size_t count = strlen(text);
    snprintf(now, sizeof now, "%s.XXXXXX", path);
    int file = mkstemp(now); /* 0600 by itself */
    if (file < 0) return false;
    bool good = write(file, text, count) == (ssize_t)count && !fsync(file);
    good = !close(file) && good;
    if (good && !rename(now, path)) return true;
    unlink(now);
    return false;
}

bool file_load(const char *path, Buffer *out) {
    FILE *file = fopen(path, "re");
    char block[65536];
    if (!file) return false;
    for (size_t count; (count = fread(block, 1, sizeof block, file));) buffer_add(out, block, count);
    bool good = !ferror(file);
    fclose(file);
    return good;
}
