/* Splitters from a sample cut the keys into partitions that fit the cache; each is then sorted by its leading digits, and what these leave
 * tied by the next. */
#include "base/sort.h"
#include <stdlib.h>
#include "base/compare.h"

enum { BLOCK = 1 << 16, PARTITION = 1 << 12, SMALL = 1 << 15, PARTITIONS = 1 << 10, SAMPLE = 16, FEW = 24, DIGIT = 8, DIGITS = 1 << DIGIT };

Status keyed_new(Work *work, int64_t count, Keyed *out) {
    Status status = OK;
    NEW(work, out->key, count);
    NEW(work, out->row, count);
done:
    return status;
}

void keyed_drop(Work *work, Keyed *keyed) {
    arena_drop(work->arena, keyed->key);
    arena_drop(work->arena, keyed->row);
    *keyed = (Keyed){ 0 };
}

/* ---- on one thread ---- */

static void insert(Keyed here, int64_t count) {
    for (int64_t i = 1; i < count; i++) {
        uint64_t key = here.key[i];
        int32_t row = here.row ? here.row[i] : 0;
        int64_t at = i;
        for (; at > 0 && here.key[at - 1] > key; at--) {
            here.key[at] = here.key[at - 1];
            if (here.row) here.row[at] = here.row[at - 1];
        }
        here.key[at] = key;
        if (here.row) here.row[at] = row;
    }
}

static void scatter(Keyed from, Keyed to, int64_t count, int shift, int64_t *place) {
    for (int64_t i = 0; i < count; i++) {
        int64_t at = place[from.key[i] >> shift & (DIGITS - 1)]++;
        to.key[at] = from.key[i];
        to.row[at] = from.row[i];
    }
}
static void scatter_keys(const uint64_t *from, uint64_t *to, int64_t count, int shift, int64_t *place) {
    for (int64_t i = 0; i < count; i++) to[place[from[i] >> shift & (DIGITS - 1)]++] = from[i];
}

/* Stable by one digit, from `from` to `to`. */
static void move(Keyed from, Keyed to, int64_t count, int shift) {
    int64_t place[DIGITS] = { 0 }, sum = 0;
    for (int64_t i = 0; i < count; i++) place[from.key[i] >> shift & (DIGITS - 1)]++;
    for (int d = 0; d < DIGITS; d++) {
        int64_t here = place[d];
        place[d] = sum;
        sum += here;
    }
    if (from.row) scatter(from, to, count, shift, place);
    else scatter_keys(from.key, to.key, count, shift, place);
}

static void copy(Keyed from, Keyed to, int64_t count) {
    memcpy(to.key, from.key, (size_t)count * sizeof *to.key);
    if (to.row) memcpy(to.row, from.row, (size_t)count * sizeof *to.row);
}

static uint64_t differing(const uint64_t *key, int64_t count) {
    uint64_t bits = 0;
    for (int64_t i = 1; i < count; i++) bits |= key[i] ^ key[0];
    return bits;
}

/* By as many of the leading bits that differ as tell nearly all of them apart, least digit first; then each run that these leave tied. */
void keyed_sort_here(Keyed here, Keyed there, int64_t count) {
    uint64_t bits = count > FEW ? differing(here.key, count) : 0;
    if (count <= FEW) insert(here, count);
    if (!bits) return;
    int top = 64 - __builtin_clzll(bits), wanted = 1, shift = 0;
    while (wanted < 8 && INT64_C(1) << (DIGIT * wanted - 3) < count) wanted++;
    if (top > DIGIT * wanted) shift = top - DIGIT * wanted;
    Keyed from = here, to = there;
    for (int at = shift; at < top; at += DIGIT) {
        move(from, to, count, at);
        Keyed swap = from;
        from = to;
        to = swap;
    }
    if (from.key != here.key) copy(from, here, count);
    for (int64_t first = 0, last; shift && first < count; first = last) {
        for (last = first + 1; last < count && here.key[last] >> shift == here.key[first] >> shift;) last++;
        if (last > first + 1) keyed_sort_here(keyed_from(here, first), keyed_from(there, first), last - first);
    }
}

/* ---- on all threads ---- */

typedef struct {
    Keyed here, there;
    int64_t count;
    int bits;           /* log2 of the number of partitions */
    uint64_t *splitter; /* partition p holds the keys from splitter[p] up to, and without, splitter[p + 1] */
    uint16_t *part;     /* position → partition */
    int64_t *place;     /* block × partition: where the block's next row of that partition goes */
    int64_t *start;     /* of each partition, and the end of the last */
} Cut;

static Status find_splitters(Work *work, Cut *c) {
    Status status = OK;
    uint64_t *sample = NULL;
    int64_t parts = INT64_C(1) << c->bits, size = parts * SAMPLE;
    NEW(work, sample, size);
    for (int64_t i = 0; i < size; i++) sample[i] = c->here.key[(int64_t)((__int128)i * c->count / size)];
    qsort(sample, (size_t)size, sizeof *sample, ascending_uint64);
    for (int64_t p = 1; p < parts; p++) c->splitter[p] = sample[p * SAMPLE];
done:
    arena_drop(work->arena, sample);
    return status;
}

/* The last partition whose splitter is not above the key. */
static inline uint16_t part_of(const Cut *c, uint64_t key) {
    uint32_t at = 0;
    for (uint32_t step = UINT32_C(1) << c->bits >> 1; step; step >>= 1) at += c->splitter[at + step] <= key ? step : 0;
    return (uint16_t)at;
}

static Status count_block(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    (void)error;
    Cut *c = self;
    int64_t *count = c->place + (block << c->bits);
    for (int64_t i = first; i < last; i++) {
        c->part[i] = part_of(c, c->here.key[i]);
        count[c->part[i]]++;
    }
    return OK;
}

static void place_blocks(Cut *c) {
    int64_t blocks = blocks_of(c->count, BLOCK), parts = INT64_C(1) << c->bits, at = 0;
    for (int64_t part = 0; part < parts; part++) {
        c->start[part] = at;
        for (int64_t block = 0; block < blocks; block++) {
            int64_t count = c->place[(block << c->bits) + part];
            c->place[(block << c->bits) + part] = at;
            at += count;
        }
    }
    c->start[parts] = at;
}

static Status scatter_block(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    (void)error;
    Cut *c = self;
    int64_t *place = c->place + (block << c->bits);
    for (int64_t i = first; i < last; i++) {
        int64_t at = place[c->part[i]]++;
        c->there.key[at] = c->here.key[i];
        if (c->here.row) c->there.row[at] = c->here.row[i];
    }
    return OK;
}

/* Sorted where it was scattered to, and copied back. */
static Status sort_partition(void *self, int64_t part, int64_t first, int64_t last, Error *error) {
    (void)first, (void)last, (void)error;
    const Cut *c = self;
    int64_t start = c->start[part], count = c->start[part + 1] - start;
    Keyed here = keyed_from(c->here, start), there = keyed_from(c->there, start);
    keyed_sort_here(there, here, count);
    copy(there, here, count);
    return OK;
}

Status keyed_sort(Work *work, Keyed here, int64_t count) {
    Status status = OK;
    Cut c = { .here = here, .count = count };
    if (count < 2) return OK;
    NEW(work, c.there.key, count);
    if (here.row) NEW(work, c.there.row, count);
    while (count > SMALL && ((int64_t)PARTITION << c.bits) < count && 1 << c.bits < PARTITIONS) c.bits++; /* few are not worth a thread */
    if (!c.bits) {
        keyed_sort_here(here, c.there, count);
        goto done;
    }
    int64_t parts = INT64_C(1) << c.bits;
    NEW(work, c.splitter, parts);
    NEW(work, c.part, count);
    NEW(work, c.place, blocks_of(count, BLOCK) * parts);
    NEW(work, c.start, parts + 1);
    TRY(find_splitters(work, &c));
    TRY(parallel_for(work, count, BLOCK, count_block, &c));
    place_blocks(&c);
    TRY(parallel_for(work, count, BLOCK, scatter_block, &c));
    arena_drop(work->arena, c.part);
    c.part = NULL;
    TRY(parallel_for(work, parts, 1, sort_partition, &c));
done:
    keyed_drop(work, &c.there);
    arena_drop(work->arena, c.splitter);
    arena_drop(work->arena, c.part);
    arena_drop(work->arena, c.place);
    arena_drop(work->arena, c.start);
    return status;
}

/* ---- lists by group ---- */

/* start[g + 1]: where group g begins; a list that is filled walks it to the group's end. */
static void find_starts(const int32_t *of, int64_t count, int64_t groups, int64_t *start) {
    memset(start, 0, ((size_t)groups + 2) * sizeof *start);
    for (int64_t i = 0; i < count; i++)
        if (of[i] >= 0) start[of[i] + 2]++;
    for (int64_t g = 0; g < groups; g++) start[g + 2] += start[g + 1];
}

void list_groups(const int32_t *of, int64_t count, int64_t groups, int64_t *start, int32_t *at) {
    find_starts(of, count, groups, start);
    for (int64_t i = 0; i < count; i++)
        if (of[i] >= 0) at[start[of[i] + 1]++] = (int32_t)i;
}

Status groups_listed(Work *work, const int32_t *of, int64_t count, int64_t groups, int64_t **start, int32_t **at) {
    Status status = OK;
    NEW(work, *start, groups + 2);
    NEW(work, *at, count + 1);
    list_groups(of, count, groups, *start, *at);
done:
    return status;
}

Status rows_listed(Work *work, const int32_t *of, int64_t rows, int64_t groups, int64_t **start, int64_t **row) {
    Status status = OK;
    NEW(work, *start, groups + 2);
    NEW(work, *row, rows + 1);
    find_starts(of, rows, groups, *start);
    for (int64_t i = 0; i < rows; i++)
        if (of[i] >= 0) (*row)[(*start)[of[i] + 1]++] = i;
done:
    return status;
}
