/* A ring of blocks in shared memory, and two counts: of those that were sent, and of those that are free. */
#include "base/shared_ring.h"
#include <errno.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <time.h>

enum { BLOCKS = 4 };
struct SharedRing {
    sem_t sent, spare;
    size_t count[BLOCKS];
    int filled, taken; /* the child's and the parent's own: which block is next */
    _Alignas(64) char block[BLOCKS][RING_BLOCK];
};

SharedRing *ring_new(void) {
    SharedRing *c = mmap(NULL, sizeof *c, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (c == MAP_FAILED) return NULL;
    sem_init(&c->sent, 1, 0);
    sem_init(&c->spare, 1, BLOCKS);
    return c;
}

void ring_free(SharedRing *c) {
    if (c) munmap(c, sizeof *c);
}

char *ring_block(SharedRing *c) {
    while (sem_wait(&c->spare) && errno == EINTR) continue; /* its parent gone, the child is ended (base/helper_process.c) */
    return c->block[c->filled];
}

void ring_send(SharedRing *c, size_t count) {
    c->count[c->filled] = count;
    c->filled = (c->filled + 1) % BLOCKS;
    sem_post(&c->sent);
}

bool ring_take(SharedRing *c, int milliseconds, const char **bytes, size_t *count) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += (long)milliseconds * 1000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    if (sem_clockwait(&c->sent, CLOCK_MONOTONIC, &until)) return false;
    *bytes = c->block[c->taken];
    *count = c->count[c->taken] < RING_BLOCK ? c->count[c->taken] : RING_BLOCK; /* whatever a child that went wrong says */
    return true;
}

void ring_back(SharedRing *c) {
    c->taken = (c->taken + 1) % BLOCKS;
    sem_post(&c->spare);
}
