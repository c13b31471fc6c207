/* Jansson takes malloc's NULL for a token that is invalid. */
#include "base/json_memory.h"
#include <jansson.h>
#include <pthread.h>
#include <stdlib.h>
#include "base/status.h"

static void *take(size_t size) {
    void *block = malloc(size);
    if (!block) memory_lost_note();
    return block;
}

static void install(void) {
    json_malloc_t take_now;
    json_free_t drop_now;
    json_get_alloc_funcs(&take_now, &drop_now);
    if (take_now == malloc && drop_now == free) json_set_alloc_funcs(take, free);
}

void json_memory(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install);
}
