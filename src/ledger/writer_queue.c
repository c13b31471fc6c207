/* Turns. SQLite's own waiting is a lottery among sleepers, and with many writers some lose for minutes. flock is another kind of lock,
 * which SQLite does not use: the kernel wakes its waiters in turn.
 *
 * SQLite's locks are POSIX locks, and those are a process's: closing any descriptor of the file drops all that the process has on it,
 * whichever thread took them. Another process that then finds the journal of a debit under way would take it for a dead one's, and roll it
 * back. So a process has one descriptor of ours to a file, shared by its threads, and closes it when the last of them is done; a mutex sets
 * the threads in turn, for flock does not tell them apart. */
#include "ledger/writer_queue.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct WriterQueue {
    dev_t device;
    ino_t inode;
    pid_t process; /* a child after fork has its parent's list, and neither its locks nor its threads */
    int file, users;
    pthread_mutex_t writing;
    WriterQueue *next;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* over the list */
static WriterQueue *turns;

static WriterQueue *find(const struct stat *about) {
    WriterQueue *turn = turns;
    while (turn && (turn->device != about->st_dev || turn->inode != about->st_ino || turn->process != getpid())) turn = turn->next;
    return turn;
}

static WriterQueue *add(int file) {
    struct stat about;
    WriterQueue *turn = fstat(file, &about) ? NULL : calloc(1, sizeof *turn);
    if (!turn) return NULL;
    *turn = (WriterQueue){ .device = about.st_dev, .inode = about.st_ino, .process = getpid(), .file = file, .next = turns };
    pthread_mutex_init(&turn->writing, NULL);
    turns = turn;
    return turn;
}

WriterQueue *writer_queue_open(const char *path, bool create) {
    struct stat about;
    pthread_mutex_lock(&lock);
    WriterQueue *turn = create || stat(path, &about) ? NULL : find(&about);
    if (!turn) {
        int file = open(path, create ? O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC : O_RDWR | O_CLOEXEC, 0600);
        if (file < 0 && !create && (errno == EACCES || errno == EROFS)) file = open(path, O_RDONLY | O_CLOEXEC); /* it can be shown */
        turn = file < 0 ? NULL : add(file);
        if (file >= 0 && !turn) {
            close(file);
            if (create) unlink(path);
            errno = ENOMEM;
        }
    }
    if (turn) turn->users++;
    pthread_mutex_unlock(&lock);
    return turn;
}

Status writer_queue_wait(WriterQueue *turn, Error *error) {
    pthread_mutex_lock(&turn->writing);
    while (flock(turn->file, LOCK_EX)) {
        if (errno == EINTR) continue;
        pthread_mutex_unlock(&turn->writing);
        return fail(error, FAILED, "the ledger cannot be locked: %s", strerror(errno));
    }
    return OK;
}

void writer_queue_pass(WriterQueue *turn) {
    flock(turn->file, LOCK_UN);
    pthread_mutex_unlock(&turn->writing);
}

void writer_queue_leave(WriterQueue *turn) {
    if (!turn) return;
    pthread_mutex_lock(&lock);
    if (!--turn->users) {
        WriterQueue **at = &turns;
        while (*at != turn) at = &(*at)->next;
        *at = turn->next;
        close(turn->file);
        pthread_mutex_destroy(&turn->writing);
        free(turn);
    }
    pthread_mutex_unlock(&lock);
}
