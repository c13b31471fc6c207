/* Parallel loops whose answers do not depend on the number of threads. */
#include "base/work.h"
#include <signal.h>
#include <string.h>
#include <time.h>

Status work_grow(Work *work, size_t size, void *pointer, int64_t *capacity, int64_t need) {
    if (need <= *capacity) return OK;
    int64_t room = *capacity < 8 ? 16 : *capacity * 2;
    if (room < need) room = need;
    void *old, *fresh = NULL;
    memcpy(&old, pointer, sizeof old);
    Status status = arena_array(work->arena, room, size, &fresh, work->error);
    if (status) return status;
    if (old) memcpy(fresh, old, (size_t)*capacity * size);
    arena_drop(work->arena, old);
    memcpy(pointer, &fresh, sizeof fresh);
    *capacity = room;
    return OK;
}

Status work_with_arena(Work *work, Status (*body)(void *self), void *self) {
    Arena *kept = work->arena;
    work->arena = arena_new();
    Status status = work->arena ? body(self) : out_of_memory(work->error);
    arena_free(work->arena);
    work->arena = kept;
    return status;
}

void work_show(Work *work, const char *what, double share) {
    if (work->progress && work->progress->show) work->progress->show(work->progress->self, what, share);
}

bool work_stopped(const Work *work) {
    return work && work->progress && work->progress->cancel && atomic_load_explicit(work->progress->cancel, memory_order_relaxed);
}

double work_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

Status work_files(Work *work) { return work->no_files ? fail(work->error, BAD, "this caller opens no files") : OK; }

Status work_check(Work *work) {
    if (memory_lost()) return out_of_memory(work->error);
    return work_stopped(work) ? fail(work->error, INTERRUPTED, "interrupted") : OK;
}

/* One loop, shared by the threads that run it. */
typedef struct Loop {
    const Work *work;
    int64_t count, size, blocks;
    Block *body;
    void *self;
    bool show_values;
    atomic_int_fast64_t next;   /* the next block to take */
    atomic_int_fast64_t failed; /* the lowest block that failed, or `blocks` */
    pthread_mutex_t lock;       /* over what follows */
    Status status;
    Error error;
} Loop;

static void note_failure(Loop *loop, int64_t block, Status status, const Error *error) {
    pthread_mutex_lock(&loop->lock);
    if (block < atomic_load(&loop->failed)) {
        atomic_store(&loop->failed, block);
        loop->status = status;
        loop->error = *error;
    }
    pthread_mutex_unlock(&loop->lock);
}

/* Takes blocks in order until none is left. Blocks after one that failed are not begun: the lowest failure is found all the same. */
static void *take_blocks(void *p) {
    Loop *loop = p;
    for (;;) {
        int64_t block = atomic_fetch_add(&loop->next, 1);
        if (block >= loop->blocks || block > atomic_load(&loop->failed)) return NULL;
        Error error = ERROR_NONE;
        error.show_values = loop->show_values;
        int64_t first = block * loop->size, last = first + loop->size < loop->count ? first + loop->size : loop->count;
        Status status =
            work_stopped(loop->work) ? fail(&error, INTERRUPTED, "interrupted") : loop->body(loop->self, block, first, last, &error);
        if (status == OK && memory_lost()) status = out_of_memory(&error); /* noted by thread: told to the caller's here */
        if (status != OK) note_failure(loop, block, status, &error);
    }
}

/* A fault of the thread's own (a mapped file that became shorter) must reach the handler that the host has for it: blocked, it ends the
 * process at once. */
bool thread_start(pthread_t *thread, void *(*body)(void *), void *self) {
    static const int own[] = { SIGBUS, SIGSEGV, SIGFPE, SIGILL };
    sigset_t others, before;
    sigfillset(&others);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) sigdelset(&others, own[i]);
    pthread_sigmask(SIG_SETMASK, &others, &before);
    bool runs = !pthread_create(thread, NULL, body, self);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return runs;
}

/* Threads live as long as the loop: starting one costs some tens of microseconds, and none spins or sleeps between loops. Where no thread
 * can be had the caller does all the work. */
Status parallel_for(Work *work, int64_t count, int64_t size, Block *body, void *self) {
    enum { MOST = 1024 };
    Loop loop = { .work = work, .count = count, .size = size, .blocks = blocks_of(count, size), .body = body, .self = self };
    loop.show_values = work->error && work->error->show_values;
    loop.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    atomic_init(&loop.next, 0);
    atomic_init(&loop.failed, loop.blocks);
    pthread_t helper[MOST];
    int64_t wanted = work->threads < loop.blocks ? work->threads : loop.blocks, helpers = 0;
    if (wanted > MOST) wanted = MOST;
    while (helpers + 1 < wanted && thread_start(&helper[helpers], take_blocks, &loop)) helpers++;
    take_blocks(&loop);
    for (int64_t i = 0; i < helpers; i++) pthread_join(helper[i], NULL);
    if (loop.status != OK && work->error) *work->error = loop.error;
    return loop.status;
}

Status scratch_pool_make(Work *work, int64_t blocks, size_t bytes, ScratchPool *out) {
    Status status = OK;
    int most = blocks < work->threads ? (int)blocks : work->threads;
    *out = (ScratchPool){ .count = most > 1 ? most : 1 };
    NEW(work, out->pad, out->count);
    NEW(work, out->taken, out->count);
    for (int i = 0; i < out->count; i++) {
        atomic_flag_clear(&out->taken[i]);
        TRY(arena_array(work->arena, (int64_t)bytes, 1, &out->pad[i], work->error));
    }
done:
    return status;
}

/* No more threads than pads run at once: one of them is free. */
void *scratch_pool_take(ScratchPool *pads) {
    for (int i = 0;; i = (i + 1) % pads->count)
        if (!atomic_flag_test_and_set(&pads->taken[i])) return pads->pad[i];
}

void scratch_pool_give(ScratchPool *pads, const void *pad) {
    for (int i = 0; i < pads->count; i++)
        if (pads->pad[i] == pad) atomic_flag_clear(&pads->taken[i]);
}

void scratch_pool_drop(Work *work, ScratchPool *pads) {
    for (int i = 0; pads->pad && i < pads->count; i++) arena_drop(work->arena, pads->pad[i]);
    *pads = (ScratchPool){ 0 };
}
