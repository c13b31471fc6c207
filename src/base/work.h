/* What any computation carries: where memory comes from, where errors go, how many threads, and whether to stop. */
#ifndef SCRIM_BASE_WORK_H
#define SCRIM_BASE_WORK_H
#include <pthread.h>
#include <stdatomic.h>
#include "base/arena.h"
#include "base/exact_sum.h"

/* The caller's side of a long computation. Any member may be NULL. */
typedef struct Progress {
    void (*show)(void *self, const char *what, double share); /* share in 0…1; called from the calling thread only */
    void *self;
    const atomic_int *cancel; /* non-zero: stop soon */
} Progress;
/* The same, which shows nothing: for a part of a computation that shows its own, and for other threads. */
static inline Progress progress_quiet(const Progress *progress) { return (Progress){ .cancel = progress ? progress->cancel : NULL }; }

typedef struct Work {
    Arena *arena;
    Error *error;
    int threads;
    const Progress *progress;
    bool no_files; /* the caller's texts are never opened as paths, nor written to */
    /* Where the table at hand is a roll (aggregate/tuple_counts.h), and only there: how many records each of its rows stands for, and what their
     * weights add up to (NULL where there are none). */
    const int64_t *times;
    const WeightSum *weights;
    int64_t records;          /* all that they stand for */
    struct ColumnCache *memo; /* what is made of columns and kept for others (table/column_cache.h); NULL: nothing is */
} Work;
/* How many records a table of that many rows stands for. */
static inline int64_t work_records(const Work *work, int64_t rows) { return work->times ? work->records : rows; }
static inline int64_t work_times(const Work *work, int64_t row) { return work->times ? work->times[row] : 1; }
/* What a row adds to a sum of weights: `own`, or what the weights of all that it stands for add up to. */
MUST_CHECK static inline Status work_weight(const Work *work, int64_t row, double own, WeightSum *out) {
    if (!work->weights) return weight_sum(own, out, work->error);
    *out = work->weights[row];
    return OK;
}

/* NEW(work, pointer, count): zeroed array for `pointer`, else goto done with status set. */
#define NEW(work, pointer, count) TRY(arena_array((work)->arena, (int64_t)(count), sizeof *(pointer), &(pointer), (work)->error))
/* A growing array: capacity is an int64_t; room for at least `need` elements, what is there kept. */
#define GROW(work, pointer, capacity, need) TRY(work_grow((work), sizeof *(pointer), &(pointer), &(capacity), (int64_t)(need)))
/* What GROW calls: doubles the capacity until `need` fits; from the arena, what is new zeroed. */
MUST_CHECK Status work_grow(Work *work, size_t size, void *pointer, int64_t *capacity, int64_t need);

/* Runs `body` with an arena of its own that goes back when it ends: what is to stay lies elsewhere. */
MUST_CHECK Status work_with_arena(Work *work, Status (*body)(void *self), void *self);

void work_show(Work *work, const char *what, double share); /* tells how far it is; cheap, rate-limited by the receiver */
MUST_CHECK Status work_files(Work *work);                   /* BAD where the caller opens and writes no files */
MUST_CHECK Status work_check(Work *work);                   /* INTERRUPTED when asked to stop */
double work_seconds(void);                                  /* by a clock that only goes forward: for time limits, never for an answer */
bool work_stopped(const Work *work);                        /* was it asked to stop? from any thread, in the middle of a block */

/* Rows [first, last) of block number `block`. Runs on any thread: use only `error`, never work->error or the arena. */
typedef Status Block(void *self, int64_t block, int64_t first, int64_t last, Error *error);
/* Cuts 0…count into blocks of `size` rows, the same for any number of threads, and runs them on work->threads threads, testing for cancel
 * per block. The error of the lowest failing block wins. To sum in a fixed order, write one partial per block and merge in block order. */
MUST_CHECK Status parallel_for(Work *work, int64_t count, int64_t size, Block *body, void *self);
/* A thread of the library's, which the host's signals do not go to; false where none can be had. */
bool thread_start(pthread_t *thread, void *(*body)(void *), void *self);
/* Memory that blocks take and give back, a pad of `bytes` for each thread that may run at once: what is allocated and freed block by
 * block goes back to the system each time and comes again page by page. Not zeroed. */
typedef struct ScratchPool {
    int count;
    void **pad;
    atomic_flag *taken;
} ScratchPool;
MUST_CHECK Status scratch_pool_make(Work *work, int64_t blocks, size_t bytes, ScratchPool *out); /* for a loop of so many blocks */
void *scratch_pool_take(ScratchPool *pads); /* never NULL within a block of the work that made them */
void scratch_pool_give(ScratchPool *pads, const void *pad);
void scratch_pool_drop(Work *work, ScratchPool *pads);
static inline int64_t blocks_of(int64_t count, int64_t size) { return count <= 0 ? 0 : (count + size - 1) / size; }
#endif
