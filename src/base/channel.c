/* A ring of blocks in shared memory, and two counts: of those that were sent, and of those that are free. */
#include "base/channel.h"
#include <errno.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <time.h>

enum { BLOCKS = 4 };
struct Channel {
    sem_t sent, spare;
    size_t count[BLOCKS];
    int filled, taken; /* the child's and the parent's own: which block is next */
    _Alignas(64) char block[BLOCKS][CHANNEL_BLOCK];
};

Channel *channel_new(void) {
    Channel *c = mmap(NULL, sizeof *c, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (c == MAP_FAILED) return NULL;
    sem_init(&c->sent, 1, 0);
    sem_init(&c->spare, 1, BLOCKS);
    return c;
}

void channel_free(Channel *c) {
    if (c) munmap(c, sizeof *c);
}

char *channel_block(Channel *c) {
    while (sem_wait(&c->spare) && errno == EINTR) continue; /* its parent gone, the child is ended (base/apart.c) */
    return c->block[c->filled];
}

void channel_send(Channel *c, size_t count) {
    c->count[c->filled] = count;
    c->filled = (c->filled + 1) % BLOCKS;
    sem_post(&c->sent);
}

bool channel_take(Channel *c, int milliseconds, const char **bytes, size_t *count) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += (long)milliseconds * 1000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    if (sem_clockwait(&c->sent, CLOCK_MONOTONIC, &until)) return false;
    *bytes = c->block[c->taken];
    *count = c->count[c->taken] < CHANNEL_BLOCK ? c->count[c->taken] : CHANNEL_BLOCK; /* whatever a child that went wrong says */
    return true;
}

void channel_back(Channel *c) {
    c->taken = (c->taken + 1) % BLOCKS;
    sem_post(&c->spare);
}
