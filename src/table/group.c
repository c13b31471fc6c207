/* Grouping equal words: direct addressing where their range is small, else partitions that fit the cache, each hashed on its own. */
#include "table/group.h"
#include <stdlib.h>

enum { DIRECT = 1 << 18, BLOCK = 1 << 16, PACK = 1 << 13, PARTITION = 1 << 13, PARTITIONS = 1 << 10 };

#define INLINE static inline __attribute__((always_inline))

/* Words that may take 32 bits each: where they do, half as much memory is cleared, written and read. */
typedef struct Words {
    const void *at;
    bool narrow;
} Words;
INLINE uint64_t word_at(const void *words, bool narrow, int64_t i) {
    return narrow ? ((const uint32_t *)words)[i] : ((const uint64_t *)words)[i];
}
INLINE void word_set(void *words, bool narrow, int64_t i, uint64_t word) {
    if (narrow) ((uint32_t *)words)[i] = (uint32_t)word;
    else ((uint64_t *)words)[i] = word;
}

INLINE int64_t number_direct(const void *words, bool narrow, int64_t rows, int32_t *number, Grouping *out) {
    int32_t count = 0;
    for (int64_t i = 0; i < rows; i++) {
        uint64_t word = word_at(words, narrow, i);
        int32_t group = number[word] - 1;
        if (group < 0) {
            group = count++;
            number[word] = count;
            out->first[group] = (int32_t)i;
        }
        out->of[i] = group;
        out->size[group]++;
    }
    return count;
}

static Status group_direct(Work *work, Words words, uint64_t range, int64_t rows, Grouping *out) {
    Status status = OK;
    int32_t *number = NULL;
    int64_t most = (int64_t)range < rows ? (int64_t)range : rows;
    NEW(work, number, range);
    NEW(work, out->first, most);
    NEW(work, out->size, most);
    out->count = words.narrow ? number_direct(words.at, true, rows, number, out) : number_direct(words.at, false, rows, number, out);
done:
    arena_drop(work->arena, number);
    return status;
}

/* Thirty-two rows: which of them lead, and how many before them do. */
typedef struct Leaders {
    uint32_t bits, before;
} Leaders;

typedef struct {
    Words words;
    int64_t rows;
    int bits;       /* log2 of the number of partitions */
    int64_t *place; /* block × partition: where the block's next row of that partition goes */
    int64_t *start; /* of each partition, and the end of the last */
    void *word; /* words and rows in order of partition, then of row; of a partition that is done, the sizes and leaders of its groups */
    int32_t *row;
    int32_t *of;      /* row → first row with the same word; in the end, its number */
    int64_t *found;   /* distinct words in each partition */
    Leaders *leaders; /* of every 32 rows */
    Grouping *out;
} Partitions;

INLINE int64_t partition_of(const Partitions *p, uint64_t word) { return p->bits ? (int64_t)(word_hash(word) >> (64 - p->bits)) : 0; }

INLINE void count_rows(const Partitions *p, bool narrow, int64_t *count, int64_t first, int64_t last) {
    for (int64_t i = first; i < last; i++) count[partition_of(p, word_at(p->words.at, narrow, i))]++;
}
static Status count_block(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    (void)error;
    Partitions *p = self;
    int64_t *count = p->place + (block << p->bits);
    if (p->words.narrow) count_rows(p, true, count, first, last);
    else count_rows(p, false, count, first, last);
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

INLINE void scatter_rows(const Partitions *p, bool narrow, int64_t *place, int64_t first, int64_t last) {
    for (int64_t i = first; i < last; i++) {
        uint64_t word = word_at(p->words.at, narrow, i);
        int64_t at = place[partition_of(p, word)]++;
        word_set(p->word, narrow, at, word);
        p->row[at] = (int32_t)i;
    }
}
static Status scatter_block(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    (void)error;
    Partitions *p = self;
    int64_t *place = p->place + (block << p->bits);
    if (p->words.narrow) scatter_rows(p, true, place, first, last);
    else scatter_rows(p, false, place, first, last);
    return OK;
}

/* Rows of a partition are ascending, so that the first one met with a word is its leader. Words and leaders found move to the partition's
 * front, where nothing is read any more; in the end sizes take the words' place. */
INLINE int64_t lead_rows(const Partitions *p, bool narrow, int64_t start, int64_t count, int32_t *slot, uint64_t size, int32_t *members) {
    void *word = (char *)p->word + start * (narrow ? 4 : 8);
    int32_t *row = p->row + start, found = 0;
    for (int64_t i = 0; i < count; i++) {
        uint64_t here = word_at(word, narrow, i), h = (word_hash(here) >> 16) & (size - 1);
        while (slot[h] && word_at(word, narrow, slot[h] - 1) != here) h = (h + 1) & (size - 1);
        int32_t own = row[i];
        if (!slot[h]) {
            word_set(word, narrow, found, here);
            row[found] = own;
            slot[h] = ++found;
        }
        p->of[own] = row[slot[h] - 1];
        members[slot[h] - 1]++;
    }
    for (int64_t g = 0; g < found; g++) word_set(word, narrow, g, (uint64_t)members[g]);
    return found;
}

/* The table of hashes is small and goes back at once: the next one gets the same memory, still near. */
static Status lead_partition(void *self, int64_t part, int64_t first, int64_t last, Error *error) {
    (void)first, (void)last;
    Partitions *p = self;
    int64_t start = p->start[part], count = p->start[part + 1] - start;
    uint64_t size = 64;
    while (size < (uint64_t)count * 2) size *= 2;
    int32_t *slot = calloc(size + (uint64_t)count, sizeof *slot);
    if (!slot) return out_of_memory(error);
    p->found[part] = p->words.narrow ? lead_rows(p, true, start, count, slot, size, slot + size)
                                     : lead_rows(p, false, start, count, slot, size, slot + size);
    free(slot);
    return OK;
}

static inline uint32_t bits_set(uint32_t x) {
    x -= x >> 1 & 0x55555555u;
    x = (x & 0x33333333u) + (x >> 2 & 0x33333333u);
    return ((x + (x >> 4)) & 0x0F0F0F0Fu) * 0x01010101u >> 24;
}

static Status mark_block(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    (void)block, (void)error;
    const Partitions *p = self;
    for (int64_t i = first; i < last; i++) p->leaders[i / 32].bits |= (uint32_t)(p->of[i] == i) << (i % 32);
    return OK;
}

/* A leader's number is how many lead before it. */
static inline int32_t number_of(const Partitions *p, int32_t leader) {
    Leaders here = p->leaders[leader / 32];
    return (int32_t)(here.before + bits_set(here.bits & ((UINT32_C(1) << (leader % 32)) - 1)));
}

static Status number_block(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    (void)block, (void)error;
    const Partitions *p = self;
    for (int64_t i = first; i < last; i++) p->of[i] = number_of(p, p->of[i]);
    return OK;
}

static Status tell_partition(void *self, int64_t part, int64_t first, int64_t last, Error *error) {
    (void)first, (void)last, (void)error;
    const Partitions *p = self;
    for (int64_t at = p->start[part]; at < p->start[part] + p->found[part]; at++) {
        int32_t group = number_of(p, p->row[at]);
        p->out->first[group] = p->row[at];
        p->out->size[group] = (int64_t)word_at(p->word, p->words.narrow, at);
    }
    return OK;
}

/* Groups are numbered in the order of their leaders. */
static Status number_leaders(Work *work, Partitions *p) {
    Status status = OK;
    int64_t parts = (int64_t)1 << p->bits, stretches = blocks_of(p->rows, 32);
    uint32_t before = 0;
    NEW(work, p->leaders, stretches);
    TRY(parallel_for(work, p->rows, BLOCK, mark_block, p));
    for (int64_t i = 0; i < stretches; i++) {
        p->leaders[i].before = before;
        before += bits_set(p->leaders[i].bits);
    }
    p->out->count = before;
    NEW(work, p->out->first, before);
    NEW(work, p->out->size, before);
    TRY(parallel_for(work, p->rows, BLOCK, number_block, p));
    TRY(parallel_for(work, parts, 1, tell_partition, p));
done:
    arena_drop(work->arena, p->leaders);
    return status;
}

static Status group_hashed(Work *work, Words words, int64_t rows, Grouping *out) {
    Status status = OK;
    Partitions p = { .words = words, .rows = rows, .of = out->of, .out = out };
    char *word = NULL;
    while (((int64_t)PARTITION << p.bits) < rows && 1 << p.bits < PARTITIONS) p.bits++;
    int64_t parts = (int64_t)1 << p.bits;
    NEW(work, p.place, blocks_of(rows, BLOCK) * parts);
    NEW(work, p.start, parts + 1);
    NEW(work, p.found, parts);
    NEW(work, word, rows * (words.narrow ? 4 : 8));
    p.word = word;
    NEW(work, p.row, rows);
    TRY(parallel_for(work, rows, BLOCK, count_block, &p));
    place_blocks(&p);
    TRY(parallel_for(work, rows, BLOCK, scatter_block, &p));
    TRY(parallel_for(work, parts, 1, lead_partition, &p));
    TRY(number_leaders(work, &p));
done:
    arena_drop(work->arena, p.place);
    arena_drop(work->arena, p.start);
    arena_drop(work->arena, p.found);
    arena_drop(work->arena, word);
    arena_drop(work->arena, p.row);
    return status;
}

static Status group_any(Work *work, Words words, uint64_t range, int64_t rows, Grouping *out) {
    Status status = OK;
    *out = (Grouping){ 0 };
    if (rows > INT32_MAX) return fail(work->error, FAILED, "more than 2^31 records cannot be grouped at once");
    NEW(work, out->of, rows);
    if (range && range <= DIRECT) return group_direct(work, words, range, rows, out);
    return group_hashed(work, words, rows, out);
done:
    return status;
}

Status group_words(Work *work, const uint64_t *words, uint64_t range, int64_t rows, Grouping *out) {
    return group_any(work, (Words){ words, false }, range, rows, out);
}

typedef struct {
    Words words;
    void *to; /* the same */
    const Codes *codes;
    int64_t first_key, last_key;
} Pack;

static uint64_t radix(const Codes *codes) { return (uint64_t)codes->count + 1; } /* code -1 is a digit too */

INLINE void pack_rows(const Pack *p, bool narrow, int64_t first, int64_t last) {
    for (int64_t key = p->first_key; key < p->last_key; key++) {
        const int32_t *code = p->codes[key].at;
        uint64_t times = radix(&p->codes[key]);
        for (int64_t i = first; i < last; i++) word_set(p->to, narrow, i, word_at(p->to, narrow, i) * times + (uint64_t)(code[i] + 1));
    }
}
static Status pack_block(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    (void)block, (void)error;
    const Pack *p = self;
    if (p->words.narrow) pack_rows(p, true, first, last);
    else pack_rows(p, false, first, last);
    return OK;
}

/* All keys in one word of 32 bits? */
static bool all_narrow(const Codes *codes, int64_t keys) {
    uint64_t range = 1;
    for (int64_t key = 0; key < keys; key++)
        if (__builtin_mul_overflow(range, radix(&codes[key]), &range) || range > UINT64_C(1) << 32) return false;
    return true;
}

Status group_codes(Work *work, const Codes *codes, int64_t keys, int64_t rows, Grouping *out) {
    Status status = OK;
    Pack pack = { .codes = codes, .words.narrow = all_narrow(codes, keys) };
    uint64_t range = 1, *wide = NULL;
    uint32_t *narrow = NULL;
    *out = (Grouping){ 0 };
    if (pack.words.narrow) NEW(work, narrow, rows);
    else NEW(work, wide, rows);
    pack.words.at = pack.to = narrow ? (void *)narrow : wide;
    do { /* as many keys as one word holds; the groups so far are then the first digit of the next word */
        pack.first_key = pack.last_key;
        while (pack.last_key < keys && !__builtin_mul_overflow(range, radix(&codes[pack.last_key]), &range)) pack.last_key++;
        if (pack.last_key < keys) range = 0;
        TRY(parallel_for(work, rows, PACK, pack_block, &pack));
        TRY(group_any(work, pack.words, range, rows, out));
        if (pack.last_key == keys) break;
        for (int64_t i = 0; i < rows; i++) wide[i] = (uint64_t)out->of[i];
        range = (uint64_t)out->count + 1;
        arena_drop(work->arena, out->of);
        arena_drop(work->arena, out->first);
        arena_drop(work->arena, out->size);
    } while (true);
done:
    arena_drop(work->arena, narrow);
    arena_drop(work->arena, wide);
    return status;
}

void grouping_drop(Work *work, Grouping *groups) {
    arena_drop(work->arena, groups->of);
    arena_drop(work->arena, groups->first);
    arena_drop(work->arena, groups->size);
    *groups = (Grouping){ 0 };
}
