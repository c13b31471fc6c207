/* GMP prints and aborts where it gets no memory, and cannot be told otherwise than by never answering no. */
#include "base/whole_memory.h"
#include <dlfcn.h>
#include <gmp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "base/status.h"

/* Numbers here have some hundred digits; loops stop at the next work_check or word of randomness after a loss. */
enum { RESERVE = 1 << 20 };
static _Alignas(16) char reserve[RESERVE];
static atomic_size_t used;
static atomic_int live;
static void *(*before_new)(size_t);

static bool reserved(const void *block) {
    return (uintptr_t)block >= (uintptr_t)reserve && (uintptr_t)block < (uintptr_t)reserve + RESERVE;
}

static void *from_reserve(size_t size) {
    size_t rounded = (size + 15) & ~(size_t)15, at = atomic_fetch_add(&used, rounded);
    memory_lost_note();
    if (at + rounded > RESERVE) return before_new(size); /* GMP's own, with its own end */
    atomic_fetch_add(&live, 1);
    return reserve + at;
}

static void *take(size_t size) {
    void *block = malloc(size);
    return block ? block : from_reserve(size);
}

static void drop(void *block, size_t size) {
    (void)size;
    if (!reserved(block)) free(block);
    else if (atomic_fetch_sub(&live, 1) == 1) atomic_store(&used, 0);
}

static void *change(void *block, size_t before, size_t size) {
    void *fresh = reserved(block) ? NULL : realloc(block, size);
    if (fresh) return fresh;
    fresh = take(size);
    memcpy(fresh, block, before < size ? before : size);
    drop(block, before);
    return fresh;
}

static void install(void) {
    void *(*change_now)(void *, size_t, size_t);
    void (*drop_now)(void *, size_t);
    Dl_info theirs, gmp;
    mp_get_memory_functions(&before_new, &change_now, &drop_now);
    bool own =
        dladdr((void *)(uintptr_t)before_new, &theirs) && dladdr((void *)(uintptr_t)mpz_init, &gmp) && theirs.dli_fbase == gmp.dli_fbase;
    if (own) mp_set_memory_functions(take, change, drop);
}

void whole_memory(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install);
}
