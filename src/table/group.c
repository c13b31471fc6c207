/* Grouping equal words: direct addressing where their range is small, else partitions that fit the cache, each hashed on its own. */
#include "table/group.h"
#include <stdlib.h>

enum { DIRECT = 1 << 18, BLOCK = 1 << 16, PACK = 1 << 13, PARTITION = 1 << 13, PARTITIONS = 1 << 10 };

static Status group_direct(Work *work, const uint64_t *words, uint64_t range, int64_t rows, Grouping *out) {
    Status status = OK;
    int32_t *number = NULL, count = 0;
    int64_t most = (int64_t)range < rows ? (int64_t)range : rows;
    NEW(work, number, range);
    NEW(work, out->first, most);
    NEW(work, out->size, most);
    for (int64_t i = 0; i < rows; i++) {
        int32_t group = number[words[i]] - 1;
        if (group < 0) {
            group = count++;
            number[words[i]] = count;
            out->first[group] = i;
        }
        out->of[i] = group;
        out->size[group]++;
    }
    out->count = count;
done:
    arena_drop(work->arena, number);
    return status;
}

typedef struct {
    const uint64_t *words;
    int64_t rows;
    int bits;       /* log2 of the number of partitions */
    int64_t *place; /* block × partition: where the block's next row of that partition goes */
    int64_t *start; /* of each partition, and the end of the last */
    uint64_t *word; /* words and rows in order of partition, then of row */
    int32_t *row;
    int32_t *leader; /* row → first row with the same word */
    int64_t *found;  /* distinct words in each partition */
} Partitions;

static inline int64_t partition_of(const Partitions *p, uint64_t word) {
    return p->bits ? (int64_t)(word_hash(word) >> (64 - p->bits)) : 0;
}

static Status count_block(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    (void)error;
    Partitions *p = self;
    int64_t *count = p->place + (block << p->bits);
    for (int64_t i = first; i < last; i++) count[partition_of(p, p->words[i])]++;
    return OK;
}

static void place_blocks(Partitions *p) {
    int64_t blocks = blocks_of(p->rows, BLOCK), at = 0;
    for (int64_t part = 0; part < (int64_t)1 << p->bits; part++) {
        p->start[part] = at;
        for (int64_t block = 0; block < blocks; block++) {
            int64_t count = p->place[(block << p->bits) + part];
            p->place[(block << p->bits) + part] = at;
            at += count;
        }
    }
    p->start[(int64_t)1 << p->bits] = at;
}

static Status scatter_block(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    (void)error;
    Partitions *p = self;
    int64_t *place = p->place + (block << p->bits);
    for (int64_t i = first; i < last; i++) {
        uint64_t word = p->words[i];
        int64_t at = place[partition_of(p, word)]++;
        p->word[at] = word;
        p->row[at] = (int32_t)i;
    }
    return OK;
}

/* Rows of a partition are ascending, so that the first one met with a word is its leader. Its table of hashes is small and goes back at
 * once: the next one gets the same memory, still near. */
static Status lead_partition(void *self, int64_t part, int64_t first, int64_t last, Error *error) {
    (void)first, (void)last;
    Partitions *p = self;
    int64_t start = p->start[part], count = p->start[part + 1] - start, found = 0;
    uint64_t size = 64;
    while (size < (uint64_t)count * 2) size *= 2;
    int32_t *slot = calloc(size, sizeof *slot);
    if (!slot) return fail(error, FAILED, "out of memory");
    const uint64_t *word = p->word + start;
    const int32_t *row = p->row + start;
    for (int64_t i = 0; i < count; i++) {
        uint64_t h = (word_hash(word[i]) >> 16) & (size - 1);
        while (slot[h] && word[slot[h] - 1] != word[i]) h = (h + 1) & (size - 1);
        if (!slot[h]) {
            slot[h] = (int32_t)(i + 1);
            found++;
        }
        p->leader[row[i]] = row[slot[h] - 1];
    }
    p->found[part] = found;
    free(slot);
    return OK;
}

/* Leaders come before those they lead: one pass in the order of rows turns leaders into numbers. */
static Status number_leaders(Work *work, const Partitions *p, Grouping *out) {
    Status status = OK;
    int64_t groups = 0, count = 0;
    for (int64_t part = 0; part < (int64_t)1 << p->bits; part++) groups += p->found[part];
    NEW(work, out->first, groups);
    NEW(work, out->size, groups);
    for (int64_t i = 0; i < p->rows; i++) {
        if (p->leader[i] == i) {
            out->first[count] = i;
            out->of[i] = (int32_t)count++;
        } else {
            out->of[i] = out->of[p->leader[i]];
        }
        out->size[out->of[i]]++;
    }
    out->count = groups;
done:
    return status;
}

static Status group_hashed(Work *work, const uint64_t *words, int64_t rows, Grouping *out) {
    Status status = OK;
    Partitions p = { .words = words, .rows = rows, .leader = out->of };
    while (((int64_t)PARTITION << p.bits) < rows && 1 << p.bits < PARTITIONS) p.bits++;
    int64_t parts = (int64_t)1 << p.bits;
    NEW(work, p.place, blocks_of(rows, BLOCK) * parts);
    NEW(work, p.start, parts + 1);
    NEW(work, p.found, parts);
    NEW(work, p.word, rows);
    NEW(work, p.row, rows);
    TRY(parallel_for(work, rows, BLOCK, count_block, &p));
    place_blocks(&p);
    TRY(parallel_for(work, rows, BLOCK, scatter_block, &p));
    TRY(parallel_for(work, parts, 1, lead_partition, &p));
    TRY(number_leaders(work, &p, out));
done:
    arena_drop(work->arena, p.place);
    arena_drop(work->arena, p.start);
    arena_drop(work->arena, p.found);
    arena_drop(work->arena, p.word);
    arena_drop(work->arena, p.row);
    return status;
}

Status group_words(Work *work, const uint64_t *words, uint64_t range, int64_t rows, Grouping *out) {
    Status status = OK;
    *out = (Grouping){ 0 };
    if (rows > INT32_MAX) return fail(work->error, FAILED, "more than 2^31 records cannot be grouped at once");
    NEW(work, out->of, rows);
    if (range && range <= DIRECT) return group_direct(work, words, range, rows, out);
    return group_hashed(work, words, rows, out);
done:
    return status;
}

typedef struct {
    uint64_t *words;
    const Codes *codes;
    int64_t first_key, last_key;
} Pack;

static uint64_t radix(const Codes *codes) { return (uint64_t)codes->count + 1; } /* code -1 is a digit too */

static Status pack_block(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    (void)block, (void)error;
    const Pack *p = self;
    uint64_t *word = p->words;
    for (int64_t key = p->first_key; key < p->last_key; key++) {
        const int32_t *code = p->codes[key].at;
        uint64_t times = radix(&p->codes[key]);
        for (int64_t i = first; i < last; i++) word[i] = word[i] * times + (uint64_t)(code[i] + 1);
    }
    return OK;
}

Status group_codes(Work *work, const Codes *codes, int64_t keys, int64_t rows, Grouping *out) {
    Status status = OK;
    Pack pack = { .codes = codes };
    uint64_t range = 1;
    *out = (Grouping){ 0 };
    NEW(work, pack.words, rows);
    do { /* as many keys as one word holds; the groups so far are then the first digit of the next word */
        pack.first_key = pack.last_key;
        while (pack.last_key < keys && !__builtin_mul_overflow(range, radix(&codes[pack.last_key]), &range)) pack.last_key++;
        if (pack.last_key < keys) range = 0;
        TRY(parallel_for(work, rows, PACK, pack_block, &pack));
        TRY(group_words(work, pack.words, range, rows, out));
        if (pack.last_key == keys) break;
        for (int64_t i = 0; i < rows; i++) pack.words[i] = (uint64_t)out->of[i];
        range = (uint64_t)out->count + 1;
        arena_drop(work->arena, out->of);
        arena_drop(work->arena, out->first);
        arena_drop(work->arena, out->size);
    } while (true);
done:
    arena_drop(work->arena, pack.words);
    return status;
}
