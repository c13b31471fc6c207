/* Runs on disk, and their merging: a stretch of hashes at a time. */
#include "aggregate/tuple_counts_spill.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "base/temporary.h"
#include "aggregate/tuple_counts_private.h"

enum { STRETCHES = 64 }; /* of hashes: one of all runs is in memory while they are merged */

typedef struct Run {
    int64_t at[STRETCHES + 1]; /* where each stretch begins in the file */
} Run;

/* Where the merged roll's parts lie in its file. */
typedef struct Image {
    int file;
    int64_t times, first, hash, at, length, weight, early_start, early, bytes;
    int64_t count, earlies, letters;
} Image;

struct Spill {
    char *folder;
    int file;
    int64_t end, runs, room, tuples, earlies;
    Run *run;
    bool weighted, apart;
};

Status spill_new(const char *folder, Spill **out, Error *error) {
    Status status = OK;
    Spill *s = calloc(1, sizeof *s);
    if (!s || !(s->folder = strdup(folder))) TRY(out_of_memory(error));
    s->file = -1;
    TRY(temporary_open(folder, &s->file, error));
    *out = s;
    s = NULL;
done:
    spill_free(s);
    return status;
}

void spill_free(Spill *s) {
    if (!s) return;
    if (s->folder && s->file >= 0) close(s->file);
    free(s->folder);
    free(s->run);
    free(s);
}

Status spill_run(Spill *s, TupleCounts *roll, Error *error) {
    Status status = OK;
    Buffer bytes = { 0 };
    if (s->runs == s->room) {
        Run *more = realloc(s->run, (size_t)(2 * s->room + 4) * sizeof *more);
        if (!more) return out_of_memory(error);
        s->run = more;
        s->room = 2 * s->room + 4;
    }
    Run *run = &s->run[s->runs];
    for (int64_t i = 0; i < STRETCHES; i++) {
        bytes.count = 0;
        tuple_counts_save_piece(roll, i, STRETCHES, &bytes);
        if (bytes.failed) TRY(out_of_memory(error));
        run->at[i] = s->end;
        TRY(temporary_write(s->file, bytes.bytes, bytes.count, s->end, error));
        s->end += (int64_t)bytes.count;
    }
    run->at[STRETCHES] = s->end;
    s->runs++;
    s->tuples += roll->count;
    for (int64_t i = 0; roll->apart && i < roll->count; i++) s->earlies += roll->early[i].count;
    s->weighted = roll->weighted;
    s->apart = roll->apart > 0;
done:
    buffer_free(&bytes);
    return status;
}

/* One stretch of one run. */
static Status load_stretch(Spill *s, const Run *run, int64_t stretch, TupleCounts **out, Error *error) {
    Status status = OK;
    size_t count = (size_t)(run->at[stretch + 1] - run->at[stretch]);
    char *bytes = malloc(count + 1);
    if (!bytes) return out_of_memory(error);
    const char *at = bytes;
    TRY(temporary_read(s->file, bytes, count, run->at[stretch], error));
    TRY(tuple_counts_load(&at, bytes + count, out, error));
done:
    free(bytes);
    return status;
}

static Status merge_stretch(Spill *s, int64_t stretch, TupleCounts **out, Error *error) {
    Status status = OK;
    TupleCounts *more = NULL;
    *out = NULL;
    for (int64_t r = 0; r < s->runs; r++) {
        TRY(load_stretch(s, &s->run[r], stretch, &more, error));
        if (!*out) {
            *out = more;
            more = NULL;
            continue;
        }
        TRY(tuple_counts_merge(*out, more, error));
        tuple_counts_free(more);
        more = NULL;
    }
    early_sort(*out);
done:
    tuple_counts_free(more);
    if (status) {
        tuple_counts_free(*out);
        *out = NULL;
    }
    return status;
}

/* ---- the merged roll's file ---- */

/* Room for as many tuples as all runs have: what merging leaves empty takes no disk. */
static Image image_of(const Spill *s) {
    int64_t n = 8 * (s->tuples + 1);
    Image i = { .file = -1, .weight = 0 };
    i.times = s->weighted ? 2 * n : 0;
    i.first = i.times + n;
    i.hash = i.first + n;
    i.at = i.hash + n;
    i.length = i.at + n;
    i.early_start = i.length + n;
    i.early = i.early_start + n;
    i.bytes = i.early + 8 * s->earlies;
    return i;
}

typedef struct {
    uint64_t hash;
    int64_t tuple;
} HashPlace;
static int by_hash(const void *a, const void *b) {
    const HashPlace *x = a, *y = b;
    return (x->hash > y->hash) - (x->hash < y->hash);
}

/* Numbers of each tuple of a stretch, in the order of their hashes, side by side as the file has them. */
typedef struct Side {
    int64_t *times, *first, *at, *length, *start;
    uint64_t *hash;
    WeightSum *weight;
    Buffer early, bytes;
} Side;

static bool side_open(Side *s, int64_t count) {
    size_t n = (size_t)count + 1;
    *s = (Side){ 0 };
    s->weight = calloc(n, sizeof *s->weight);
    s->times = calloc(6 * n, sizeof *s->times);
    if (!s->weight || !s->times) return false;
    s->first = s->times + n;
    s->at = s->first + n;
    s->length = s->at + n;
    s->start = s->length + n;
    s->hash = (uint64_t *)(s->start + n);
    return true;
}

static void side_close(Side *s) {
    free(s->weight);
    free(s->times);
    buffer_free(&s->early);
    buffer_free(&s->bytes);
}

static void side_fill(Side *s, const Image *image, const TupleCounts *roll, const HashPlace *order) {
    for (int64_t i = 0; i < roll->count; i++) {
        int64_t t = order[i].tuple;
        s->times[i] = roll->times[t];
        s->first[i] = roll->first[t];
        s->hash[i] = roll->hash[t];
        s->length[i] = (int64_t)roll->length[t];
        s->at[i] = image->letters + (int64_t)s->bytes.count;
        s->start[i] = image->earlies + (int64_t)(s->early.count / 8);
        if (roll->weighted) s->weight[i] = roll->weight[t];
        buffer_add(&s->bytes, roll->bytes.bytes ? roll->bytes.bytes + roll->at[t] : "", roll->length[t]);
        if (roll->apart) buffer_add(&s->early, (const char *)roll->early[t].at, (size_t)roll->early[t].count * 8);
    }
}

static Status image_add(Image *image, const TupleCounts *roll, Error *error) {
    Status status = OK;
    Side s;
    HashPlace *order = malloc(((size_t)roll->count + 1) * sizeof *order);
    bool room = side_open(&s, roll->count);
    if (!order || !room) TRY(out_of_memory(error));
    for (int64_t i = 0; i < roll->count; i++) order[i] = (HashPlace){ roll->hash[i], i };
    qsort(order, (size_t)roll->count, sizeof *order, by_hash);
    side_fill(&s, image, roll, order);
    if (s.bytes.failed || s.early.failed) TRY(out_of_memory(error));
    size_t n = (size_t)roll->count * 8;
    int64_t from = image->count * 8;
    TRY(temporary_write(image->file, s.times, n, image->times + from, error));
    TRY(temporary_write(image->file, s.first, n, image->first + from, error));
    TRY(temporary_write(image->file, s.hash, n, image->hash + from, error));
    TRY(temporary_write(image->file, s.at, n, image->at + from, error));
    TRY(temporary_write(image->file, s.length, n, image->length + from, error));
    TRY(temporary_write(image->file, s.start, n, image->early_start + from, error));
    if (roll->weighted) TRY(temporary_write(image->file, s.weight, 2 * n, image->weight + 2 * from, error));
    TRY(temporary_write(image->file, s.early.bytes, s.early.count, image->early + 8 * image->earlies, error));
    TRY(temporary_write(image->file, s.bytes.bytes, s.bytes.count, image->bytes + image->letters, error));
    image->count += roll->count;
    image->earlies += (int64_t)(s.early.count / 8);
    image->letters += (int64_t)s.bytes.count;
done:
    side_close(&s);
    free(order);
    return status;
}

/* The file as a roll; `like` has its keys. */
static Status image_map(const Image *image, const TupleCounts *like, TupleCounts **out, Error *error) {
    Status status = OK;
    TupleCounts *roll = NULL;
    size_t size = (size_t)(image->bytes + image->letters) + 1;
    TRY(temporary_write(image->file, "", 1, (int64_t)size - 1, error));
    TRY(tuple_counts_like(like, &roll, error));
    char *base = mmap(NULL, size, PROT_READ, MAP_SHARED, image->file, 0);
    if (base == MAP_FAILED) TRY(fail(error, FAILED, "what was learned cannot be read again"));
    roll->mapped = base;
    roll->mapped_size = size;
    roll->count = image->count;
    roll->times = (int64_t *)(void *)(base + image->times);
    roll->first = (int64_t *)(void *)(base + image->first);
    roll->hash = (uint64_t *)(void *)(base + image->hash);
    roll->at = (size_t *)(void *)(base + image->at);
    roll->length = (size_t *)(void *)(base + image->length);
    if (roll->weighted) roll->weight = (WeightSum *)(void *)(base + image->weight);
    roll->bytes = (Buffer){ .bytes = base + image->bytes, .count = (size_t)image->letters };
    *out = roll;
    roll = NULL;
done:
    tuple_counts_free(roll);
    return status;
}

static Status map_early(const Image *image, TupleCounts *roll, Error *error) {
    if (!roll->apart) return OK;
    char *base = roll->mapped;
    const int64_t *start = (const int64_t *)(void *)(base + image->early_start);
    roll->early = calloc((size_t)roll->count + 1, sizeof *roll->early);
    if (!roll->early) return out_of_memory(error);
    for (int64_t i = 0; i < roll->count; i++) {
        int64_t end = i + 1 < roll->count ? start[i + 1] : image->earlies;
        roll->early[i] = (Early){ .at = (int64_t *)(void *)(base + image->early) + start[i], .count = end - start[i] };
        roll->early[i].settled = roll->early[i].room = roll->early[i].count;
    }
    return OK;
}

void spill_rest(const TupleCounts *roll) {
    if (roll->mapped) madvise(roll->mapped, roll->mapped_size, MADV_DONTNEED);
}

Status spill_merge(Spill *s, TupleCounts **out, Error *error) {
    Status status = OK;
    Image image = image_of(s);
    TupleCounts *part = NULL;
    *out = NULL;
    TRY(temporary_open(s->folder, &image.file, error));
    for (int64_t i = 0; i < STRETCHES; i++) {
        TRY(merge_stretch(s, i, &part, error));
        TRY(image_add(&image, part, error));
        if (i + 1 < STRETCHES) {
            tuple_counts_free(part);
            part = NULL;
        }
    }
    TRY(image_map(&image, part, out, error));
    TRY(map_early(&image, *out, error));
done:
    if (status) {
        tuple_counts_free(*out);
        *out = NULL;
    }
    tuple_counts_free(part);
    if (image.file >= 0) close(image.file);
    return status;
}
