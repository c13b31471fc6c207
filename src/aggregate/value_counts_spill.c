/* Ladders that outgrow memory: runs on disk, merged into one that is read from there. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "base/temporary.h"
#include "aggregate/value_counts_private.h"

struct Shelf {
    char *folder;
    int file;
    int64_t end; /* in rungs */
    int64_t runs, room;
    int64_t *start; /* of each run, and the end of the last */
};

void shelf_free(Shelf *shelf) {
    if (!shelf) return;
    if (shelf->file >= 0) close(shelf->file);
    free(shelf->folder);
    free(shelf->start);
    free(shelf);
}

static Status shelf_new(const char *folder, Shelf **out, Error *error) {
    Status status = OK;
    Shelf *shelf = calloc(1, sizeof *shelf);
    if (!shelf) return out_of_memory(error);
    shelf->file = -1;
    if (!(shelf->folder = strdup(folder))) TRY(out_of_memory(error));
    TRY(temporary_open(folder, &shelf->file, error));
    *out = shelf;
    shelf = NULL;
done:
    shelf_free(shelf);
    return status;
}

static Status lay_aside(Shelf *shelf, const ValueCountRun *run, Error *error) {
    Status status = OK;
    if (shelf->runs == shelf->room) {
        int64_t *more = realloc(shelf->start, (size_t)(2 * shelf->room + 9) * sizeof *more);
        if (!more) return out_of_memory(error);
        shelf->start = more;
        shelf->room = 2 * shelf->room + 8;
    }
    TRY(temporary_write(shelf->file, run->rung, (size_t)run->count * sizeof *run->rung, shelf->end * (int64_t)sizeof *run->rung, error));
    shelf->start[shelf->runs++] = shelf->end;
    shelf->end += run->count;
    shelf->start[shelf->runs] = shelf->end;
done:
    return status;
}

Status value_counts_spill(ValueCounts *ladder, const char *folder, Error *error) {
    Status status = OK;
    if (!ladder->runs || ladder->mapped) return OK;
    if (!ladder->shelf) TRY(shelf_new(folder, &ladder->shelf, error));
    for (int64_t i = 0; i < ladder->runs; i++) TRY(lay_aside(ladder->shelf, &ladder->run[i], error));
    value_counts_drop_runs(ladder);
done:
    return status;
}

static Status map_file(int file, int64_t rungs, void **out, size_t *size, Error *error) {
    *size = (size_t)rungs * sizeof(ValueCount);
    void *at = mmap(NULL, *size, PROT_READ, MAP_PRIVATE, file, 0);
    if (at == MAP_FAILED) return fail(error, FAILED, "what was laid aside cannot be read again");
    madvise(at, *size, MADV_SEQUENTIAL);
    *out = at;
    return OK;
}

/* Of the runs' heads the least, with all records of it; false at the end. */
static bool next_rung(const Shelf *shelf, const ValueCount *all, int64_t *at, ValueCount *out) {
    bool any = false;
    for (int64_t r = 0; r < shelf->runs; r++) {
        if (at[r] == shelf->start[r + 1]) continue;
        if (!any || all[at[r]].key < out->key) *out = (ValueCount){ all[at[r]].key, 0 };
        any = true;
    }
    for (int64_t r = 0; any && r < shelf->runs; r++)
        if (at[r] < shelf->start[r + 1] && all[at[r]].key == out->key) out->times += all[at[r]++].times;
    return any;
}

enum { WRITTEN = 1 << 16 }; /* rungs at a time */
static Status merge_shelf(const Shelf *shelf, int file, int64_t *count, Error *error) {
    Status status = OK;
    void *mapped = NULL;
    size_t size = 0;
    int64_t held = 0, *at = malloc((size_t)(shelf->runs + 1) * sizeof *at);
    ValueCount *out = malloc(WRITTEN * sizeof *out);
    *count = 0;
    if (!at || !out) TRY(out_of_memory(error));
    memcpy(at, shelf->start, (size_t)shelf->runs * sizeof *at);
    TRY(map_file(shelf->file, shelf->end, &mapped, &size, error));
    for (bool more = true; more;) {
        more = next_rung(shelf, mapped, at, &out[held]);
        held += more;
        if (held < WRITTEN && more) continue;
        TRY(temporary_write(file, out, (size_t)held * sizeof *out, *count * (int64_t)sizeof *out, error));
        *count += held;
        held = 0;
        madvise(mapped, size, MADV_DONTNEED); /* what was read of the runs is not read again */
    }
done:
    if (mapped) munmap(mapped, size);
    free(at);
    free(out);
    return status;
}

void value_counts_rest(const ValueCounts *ladder) {
    if (ladder->mapped) madvise(ladder->mapped, ladder->mapped_size, MADV_DONTNEED);
}

Status value_counts_gather(ValueCounts *ladder, Error *error) {
    Status status = OK;
    int file = -1;
    int64_t count;
    if (!ladder->shelf) return value_counts_sort(ladder, error);
    TRY(value_counts_spill(ladder, ladder->shelf->folder, error));
    TRY(temporary_open(ladder->shelf->folder, &file, error));
    TRY(merge_shelf(ladder->shelf, file, &count, error));
    TRY(map_file(file, count, &ladder->mapped, &ladder->mapped_size, error));
    ladder->run[0] = (ValueCountRun){ ladder->mapped, count };
    ladder->runs = 1;
    shelf_free(ladder->shelf);
    ladder->shelf = NULL;
done:
    if (file >= 0) close(file);
    return status;
}
