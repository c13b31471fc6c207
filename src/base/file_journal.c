/* The commit protocol of a command's files: journal, undo, and what is done about a killed process. */
#include "base/file_journal.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "base/file.h"
#include "base/file_private.h"
#include "base/text.h"

enum { LONGEST = 4096, HASHED_UP_TO = 1 << 30, LOCK_WAITS = 3000 }; /* of 10 ms */
static const char PREFIX[] = ".scrim-", HEADER[] = "scrim journal 1", ABSENT[] = "absent";

static void (*_Atomic teller)(const char *text);
void file_notices(void (*tell)(const char *text)) { atomic_store(&teller, tell); }
static FORMAT(1, 2) void notice(const char *format, ...) {
    char text[2 * LONGEST];
    void (*tell)(const char *) = atomic_load(&teller);
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    char printable[sizeof text];
    text_printable(text, printable, sizeof printable);
    if (tell) tell(printable);
}

/* ---- side folders ---- */

/* The journal first: without it, the rest is rubbish. The lock last: a folder without one is empty. */
static void remove_aside(const char *aside) {
    DIR *folder = opendir(aside);
    bool empty = folder && (!unlinkat(dirfd(folder), ".journal", 0) || errno == ENOENT);
    for (const struct dirent *entry; empty && (entry = readdir(folder));)
        if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..") && strcmp(entry->d_name, ".lock"))
            empty = !unlinkat(dirfd(folder), entry->d_name, 0) || errno == ENOENT;
    if (empty) unlinkat(dirfd(folder), ".lock", 0);
    if (folder) closedir(folder);
    if (empty) rmdir(aside);
}
void side_folder_remove(const SideFolder *folder) { remove_aside(folder->aside); }

bool side_folder_keeps(const char *name) {
    static const char *const own[] = { ".lock", ".journal", ".with", ".undo" };
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (!strcmp(name, own[i])) return true;
    return !strncmp(name, ".old-", 5);
}

static bool sync_folder(const char *path) {
    int descriptor = open(*path ? path : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool fine = descriptor >= 0 && (!fsync(descriptor) || errno == EINVAL);
    if (descriptor >= 0) close(descriptor);
    return fine;
}

/* A side folder of this user that no one else can have made; ENOENT where nothing is there. */
static bool is_aside(const char *path) {
    struct stat about;
    if (lstat(path, &about)) return false;
    errno = EPERM;
    return S_ISDIR(about.st_mode) && about.st_uid == geteuid() && !(about.st_mode & 0077);
}

/* ---- locks of the folders that are changed ---- */

typedef struct FolderLocks {
    int *at;
    int64_t count;
} FolderLocks;

static void unlock_folders(FolderLocks *locks) {
    for (int64_t i = 0; i < locks->count; i++) close(locks->at[i]);
    free(locks->at);
    *locks = (FolderLocks){ 0 };
}

static int by_inode(const void *a, const void *b) {
    struct stat one, other;
    if (fstat(*(const int *)a, &one) || fstat(*(const int *)b, &other)) return 0;
    if (one.st_dev != other.st_dev) return one.st_dev < other.st_dev ? -1 : 1;
    return one.st_ino < other.st_ino ? -1 : one.st_ino > other.st_ino;
}

/* A file system that cannot lock folders (some of the network) has none locked; false where another process keeps one. */
static bool lock_one(int folder) {
    for (int i = 0; flock(folder, LOCK_EX | LOCK_NB); i++) {
        if (errno != EWOULDBLOCK && errno != EINTR) return true;
        if (i == LOCK_WAITS) return false;
        nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
    }
    return true;
}

/* Each folder once, in the order of their inodes, so that two processes never wait for one another. A folder that may be written to and not
 * listed cannot be opened, and is not locked. */
static bool lock_folders(const char *const *path, int64_t count, FolderLocks *out) {
    *out = (FolderLocks){ .at = calloc((size_t)count + 1, sizeof *out->at) };
    bool fine = out->at;
    for (int64_t i = 0; fine && i < count; i++) {
        int folder = open(*path[i] ? path[i] : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (folder >= 0) out->at[out->count++] = folder;
    }
    if (fine) qsort(out->at, (size_t)out->count, sizeof *out->at, by_inode);
    for (int64_t i = 0; fine && i < out->count; i++)
        if (!i || by_inode(&out->at[i - 1], &out->at[i])) fine = lock_one(out->at[i]);
    if (!fine) unlock_folders(out);
    return fine;
}

/* ---- what a file was ---- */

/* "absent", or "INODE SIZE SECONDS NANOSECONDS HASH" with the hash 0 where the file is very large or may not be read. False with errno
 * where there is something else than a file. */
static bool identify(const char *path, bool hashed, char out[160]) {
    struct stat about;
    char hash[65] = "0";
    if (lstat(path, &about)) {
        snprintf(out, 160, "%s", ABSENT);
        return errno == ENOENT;
    }
    errno = EEXIST;
    if (!S_ISREG(about.st_mode)) return false;
    if (hashed && about.st_size <= HASHED_UP_TO && file_hash(path, hash, NULL)) strcpy(hash, "0");
    snprintf(out, 160, "%llu %lld %lld %ld %s", (unsigned long long)about.st_ino, (long long)about.st_size, (long long)about.st_mtim.tv_sec,
             about.st_mtim.tv_nsec, hash);
    return true;
}

static bool is_still(const char *path, const char *identity) {
    char now[160];
    return identify(path, strcmp(identity, ABSENT) && strcmp(strrchr(identity, ' '), " 0"), now) && !strcmp(now, identity);
}

/* ---- one replacement ---- */

/* An entry of the journal: `from` is NAME in the side folder that has the journal, or /FOLDER/.scrim-…/NAME; `was` and `is` identify the
 * replaced file and the new one. */
typedef struct Entry {
    char from[3 * LONGEST], to[3 * LONGEST], old[3 * LONGEST];
    size_t aside, folder; /* how much of `from` is the side folder, of `to` the folder with its slash */
    const char *name, *was, *is;
} Entry;

/* What was read, and how far. */
typedef struct Journal {
    const char *folder, *aside; /* of the journal: folder with its slash */
    const char *text, *end;
} Journal;

static bool locate(const Journal *journal, const char *text, Entry *out) {
    const char *name = strrchr(text, '/'), *other = name;
    while (other && other > text && other[-1] != '/') other--;
    if (!name) {
        out->aside = (size_t)snprintf(out->from, sizeof out->from, "%s/%s", journal->aside, text) - strlen(text) - 1;
        out->folder = (size_t)snprintf(out->to, sizeof out->to, "%s%s", journal->folder, text) - strlen(text);
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

static const char *next_text(const char **at, const char *end) {
    const char *text = *at;
    if (text >= end) return NULL;
    *at += strlen(text) + 1;
    return text;
}

/* Entry number `n`, or false: there are no more, or (`broken`) it is none of ours. */
static bool read_entry(const Journal *journal, int64_t n, Entry *out, bool *broken) {
    const char *at = journal->text + strlen(journal->text) + 1, *text[3];
    for (int64_t i = 0; i <= n; i++)
        for (int j = 0; j < 3; j++)
            if (!(text[j] = next_text(&at, journal->end))) {
                *broken |= j > 0;
                return false;
            }
    if (!locate(journal, text[0], out)) {
        *broken = true;
        return false;
    }
    out->name = out->to + out->folder;
    out->was = text[1];
    out->is = text[2];
    snprintf(out->old, sizeof out->old, "%.*s/.old-%lld", (int)out->aside, out->from, (long long)n);
    return true;
}

/* The replaced file gets a second name in the side folder, or only that one where a file system has no hard links. */
static bool replace(const Entry *entry) {
    if (strcmp(entry->was, ABSENT) && access(entry->old, F_OK) && link(entry->to, entry->old) && rename(entry->to, entry->old))
        return false;
    return !rename(entry->from, entry->to);
}

/* Where the target is the new file, or nothing, what stood there comes back. */
static bool undo(const Entry *entry) {
    const bool replaced = strcmp(entry->was, ABSENT), placed = is_still(entry->to, entry->is);
    if (!placed && (!replaced || access(entry->old, F_OK) || !access(entry->to, F_OK))) return true;
    return replaced ? !rename(entry->old, entry->to) : !rename(entry->to, entry->from);
}

/* Not yet done, and its target is what it was (or lies aside already). */
static bool waits(const Entry *entry) { return !access(entry->from, F_OK); }
static bool can_replace(const Entry *entry) {
    if (is_still(entry->to, entry->was)) return true;
    return strcmp(entry->was, ABSENT) && is_still(entry->to, ABSENT) && is_still(entry->old, entry->was);
}

static bool sync_target(Entry *entry) {
    char after = entry->to[entry->folder];
    entry->to[entry->folder] = 0;
    bool fine = sync_folder(entry->to);
    entry->to[entry->folder] = after;
    return fine;
}

/* ---- all of them ---- */

static void remove_asides(const Journal *journal) {
    Entry entry;
    bool broken = false;
    for (int64_t n = 0; read_entry(journal, n, &entry, &broken); n++) {
        entry.from[entry.aside] = 0;
        if (strcmp(entry.from, journal->aside)) remove_aside(entry.from);
    }
    remove_aside(journal->aside); /* the last to go, with the journal */
}

/* Undoes from entry number n − 1 to 0. False where one could not be, which `entry` is then. */
static bool undo_before(const Journal *journal, int64_t n, Entry *entry) {
    char mark[2 * LONGEST + 16];
    bool fine = true, broken = false;
    snprintf(mark, sizeof mark, "%s/.undo", journal->aside);
    int file = open(mark, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (file >= 0) close(file);
    while (n-- > 0) {
        Entry one;
        if (!read_entry(journal, n, &one, &broken)) continue;
        if (undo(&one)) {
            (void)sync_target(&one); /* a disk that does not sync promises nothing, the old file is there all the same */
            continue;
        }
        *entry = one;
        fine = false;
    }
    return fine;
}

/* Carries out what waits. False with errno and the entry that failed, once what was done before it is undone; *torn where that failed. */
static bool carry_out(const Journal *journal, Entry *entry, bool *torn) {
    int64_t n = 0, count;
    bool fine = true, broken = false;
    for (; fine && read_entry(journal, n, entry, &broken); n += fine) fine = !waits(entry) || replace(entry);
    count = n + !fine;
    for (n = 0; fine && n < count && read_entry(journal, n, entry, &broken); n++) fine = sync_target(entry);
    int why = broken ? EINVAL : errno;
    if (!fine || broken) {
        Entry stuck;
        *torn = !undo_before(journal, count, &stuck);
        if (*torn) *entry = stuck;
        else remove_asides(journal);
        errno = why;
        return false;
    }
    remove_asides(journal);
    return true;
}

/* The new files go beside their targets, where they are seen. */
static void set_beside(const Journal *journal) {
    Entry entry;
    bool broken = false, fine = true;
    for (int64_t n = 0; read_entry(journal, n, &entry, &broken); n++) {
        char beside[4 * LONGEST];
        if (!waits(&entry)) continue;
        snprintf(beside, sizeof beside, "%s.interrupted-%s", entry.to, journal->aside + strlen(journal->aside) - 8);
        if (!rename(entry.from, beside)) {
            notice("%s: a command was killed before it replaced this file, which has changed since and stays as it is. What the command "
                   "made is %s.",
                   entry.to, beside);
        } else fine = false;
    }
    if (fine) remove_asides(journal);
}

/* ---- what a killed process left ---- */

/* A text that lies in a side folder, NUL at its end; count 0 where it is not there, or not whole. */
static Bytes read_beside(const char *aside, const char *name) {
    char path[2 * LONGEST + 16];
    Bytes bytes = { 0 };
    snprintf(path, sizeof path, "%s/%s", aside, name);
    if (!access(path, F_OK) && !bytes_open(path, &bytes, NULL) && bytes.count && !bytes.at[bytes.count - 1]) return bytes;
    bytes_close(&bytes);
    return bytes;
}

/* The folders that a journal is about, locked. */
static bool lock_targets(const Journal *journal, FolderLocks *locks) {
    enum { MOST = 64 };
    char *path[MOST];
    int64_t count = 0;
    Entry entry;
    bool broken = false, fine = true;
    for (int64_t n = 0; read_entry(journal, n, &entry, &broken); n++) {
        bool seen = false;
        for (int64_t i = 0; i < count && !seen; i++) seen = strlen(path[i]) == entry.folder && !strncmp(path[i], entry.to, entry.folder);
        if (seen || count == MOST) continue;
        if (!(path[count] = strndup(entry.to, entry.folder))) fine = false;
        else count++;
    }
    fine = fine && lock_folders((const char *const *)path, count, locks);
    for (int64_t i = 0; i < count; i++) free(path[i]);
    return fine;
}

/* Undone, finished, or set beside: true where nothing is left to do. */
static bool settle_journal(const Journal *journal) {
    Entry entry;
    FolderLocks locks;
    char mark[2 * LONGEST + 16];
    int64_t n = 0;
    bool broken = false, changed = false, torn = false, settled;
    if (journal->end - journal->text < (ptrdiff_t)sizeof HEADER || strcmp(journal->text, HEADER)) return true;
    if (!lock_targets(journal, &locks)) return false;
    snprintf(mark, sizeof mark, "%s/.undo", journal->aside);
    for (; read_entry(journal, n, &entry, &broken); n++) changed |= waits(&entry) && !can_replace(&entry);
    if (!access(mark, F_OK)) {
        settled = undo_before(journal, n, &entry);
        if (settled) remove_asides(journal);
    } else if (changed) {
        set_beside(journal);
        settled = true;
    } else settled = carry_out(journal, &entry, &torn) || !torn;
    unlock_folders(&locks);
    return settled;
}

/* What a killed process of this user left. One whose lock is held belongs to a living one. False where it stays as it is. */
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
    Bytes text = read_beside(aside, ".journal"), first = read_beside(aside, ".with");
    if (text.count) settled = settle_journal(&(Journal){ folder, aside, text.at, text.at + text.count });
    else if (first.count && first.count < LONGEST && strrchr(first.at, '/')) {
        snprintf(path, sizeof path, "%.*s", (int)(strrchr(first.at, '/') + 1 - first.at), first.at);
        settled = settle_aside(path, strrchr(first.at, '/') + 1);
    }
    if (settled) remove_aside(aside);
    bytes_close(&text);
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

/* ---- a new side folder ---- */

/* The lock of a folder just made; -1 where another process took it for a dead one's before it was held. */
static int hold_lock(const char *path) {
    struct stat held, there;
    int lock = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (lock < 0 || (!flock(lock, LOCK_EX | LOCK_NB) && !fstat(lock, &held) && !stat(path, &there) && held.st_ino == there.st_ino))
        return lock;
    close(lock);
    errno = ENOENT;
    return -1;
}

Status side_folder_open(SideFolder *folder, const char *given, Error *error) {
    char aside[2 * LONGEST], lock[2 * LONGEST + 16], hex[17];
    Status status = OK;
    folder->lock = -1;
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
    status = folder->lock < 0 ? file_error(error, given, "cannot write") : out_of_memory(error);
    remove_aside(aside);
    if (folder->lock >= 0) close(folder->lock);
    folder->lock = -1;
    return status;
}

/* ---- commit ---- */

/* A text into a side folder, complete or not there at all, and all that lies there synced. */
static Status write_beside(const char *aside, const char *name, const char *text, size_t count, Error *error) {
    char path[2 * LONGEST + 16];
    snprintf(path, sizeof path, "%s/%s", aside, name);
    Status status = file_write(path, text, count, true, error);
    if (!status && !sync_folder(aside)) status = fail(error, FAILED, "cannot sync a folder");
    return status;
}

/* Where a side folder is, whatever folder the next process is started in. */
static Status find_aside(const char *aside, char out[LONGEST], Error *error) {
    char whole[PATH_MAX];
    if (!realpath(aside, whole)) return file_error(error, aside, "cannot write");
    if (snprintf(out, LONGEST, "%s", whole) < LONGEST) return OK;
    errno = ENAMETOOLONG;
    return file_error(error, aside, "cannot write");
}

/* The side folders but the first say where that is, and will be there when it is read. */
static Status point_at_first(const SideFolder *folder, int64_t folders, Error *error) {
    char first[LONGEST];
    Status status = folders > 1 ? find_aside(folder[0].aside, first, error) : OK;
    for (int64_t f = 1; !status && f < folders; f++) {
        status = write_beside(folder[f].aside, ".with", first, strlen(first) + 1, error);
        if (!status && !sync_folder(folder[f].path)) status = fail(error, FAILED, "cannot sync a folder");
    }
    return status;
}

static Status add_entry(const SideFolder *folder, const NewFile *file, Buffer *out, Error *error) {
    char path[4 * LONGEST], was[160], is[160];
    Status status = OK;
    snprintf(path, sizeof path, "%s%s", folder->path, file->name);
    if (!identify(path, true, was)) return file_error(error, file->given, "cannot write");
    snprintf(path, sizeof path, "%s/%s", folder->aside, file->name);
    if (!identify(path, false, is)) return file_error(error, file->given, "cannot write");
    if (!strcmp(is, ABSENT)) return OK; /* nothing was written for this name */
    if (file->folder) {
        TRY(find_aside(folder->aside, path, error));
        buffer_print(out, "%s/", path);
    }
    buffer_add(out, file->name, strlen(file->name) + 1);
    buffer_add(out, was, strlen(was) + 1);
    buffer_add(out, is, strlen(is) + 1);
done:
    return status;
}

/* `.journal`: a header, then for each replacement its name and two identities, NUL behind each text; the last file first. */
static Status write_journal(const SideFolder *folder, const NewFile *file, int64_t files, Buffer *out, Error *error) {
    Status status = OK;
    buffer_add(out, HEADER, sizeof HEADER);
    for (int64_t i = files - 1; !status && i >= 0; i--) status = add_entry(&folder[file[i].folder], &file[i], out, error);
    if (!status && out->failed) status = out_of_memory(error);
    return status ? status : write_beside(folder[0].aside, ".journal", out->bytes, out->count, error);
}

static const char *given_name(const NewFile *file, int64_t files, const Entry *failed) {
    for (int64_t i = 0; i < files; i++)
        if (!strcmp(strrchr(failed->from, '/') + 1, file[i].name)) return file[i].given;
    return failed->to;
}

static Status lock_all(const SideFolder *folder, int64_t folders, FolderLocks *locks, Error *error) {
    const char **path = calloc((size_t)folders + 1, sizeof *path);
    if (!path) return out_of_memory(error);
    for (int64_t f = 0; f < folders; f++) path[f] = folder[f].path;
    bool locked = lock_folders(path, folders, locks);
    free(path);
    if (locked) return OK;
    fail(error, FAILED, "another program keeps the folder locked");
    error_advice(error, "Nothing was written; run the command again when the other one has ended.");
    return error_file(error, *folder[0].path ? folder[0].path : ".");
}

Status journal_commit(const SideFolder *folder, int64_t folders, const NewFile *file, int64_t files, Error *error) {
    Status status = OK;
    Buffer text = { 0 };
    Entry failed = { 0 };
    FolderLocks locks = { 0 };
    bool torn = false;
    TRY(lock_all(folder, folders, &locks, error));
    TRY(point_at_first(folder, folders, error));
    TRY(write_journal(folder, file, files, &text, error));
    const Journal journal = { folder[0].path, folder[0].aside, text.bytes, text.bytes + text.count };
    if (!carry_out(&journal, &failed, &torn)) {
        status = file_error(error, given_name(file, files, &failed), torn ? "was replaced and cannot be restored" : "cannot write");
        if (torn) error_advice(error, "The next command that writes to its folder restores it.");
    }
done:
    for (int64_t f = folders - 1; !torn && f >= 0; f--) remove_aside(folder[f].aside);
    unlock_folders(&locks);
    buffer_free(&text);
    return status;
}
