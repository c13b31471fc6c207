/* Parallel loops whose answers do not depend on the number of threads. */
#include "base/work.h"
#include <string.h>

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

void work_show(Work *work, const char *what, double share) {
    if (work->progress && work->progress->show) work->progress->show(work->progress->self, what, share);
}

static bool cancelled(const Work *work) { return work->progress && work->progress->cancel && atomic_load_explicit(work->progress->cancel, memory_order_relaxed); }

Status work_check(Work *work) { return cancelled(work) ? fail(work->error, INTERRUPTED, "interrupted") : OK; }

Status parallel_for(Work *work, int64_t count, int64_t size, Block *body, void *self) {
    int64_t blocks = blocks_of(count, size);
    Status worst = OK;
    int64_t worst_block = blocks;
    Error worst_error = ERROR_NONE;
    bool show = work->error && work->error->show_values;
#pragma omp parallel for schedule(dynamic, 1) num_threads(work->threads > 0 ? work->threads : 1) if (blocks > 1 && work->threads > 1)
    for (int64_t block = 0; block < blocks; block++) {
        Error error = ERROR_NONE;
        error.show_values = show;
        int64_t seen;
#pragma omp atomic read
        seen = worst_block;
        if (block > seen) continue;
        int64_t first = block * size, last = first + size < count ? first + size : count;
        Status status = cancelled(work) ? fail(&error, INTERRUPTED, "interrupted") : body(self, block, first, last, &error);
        if (status != OK) {
#pragma omp critical(scrim_parallel_for)
            if (block < worst_block) {
#pragma omp atomic write
                worst_block = block;
                worst = status;
                worst_error = error;
            }
        }
    }
    if (worst != OK && work->error) *work->error = worst_error;
    return worst;
}
