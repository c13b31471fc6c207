/* Counting agreeing tuples by pattern of lacking keys. */
#include "classes/wildcard_count.h"
#include <string.h>
#include "base/sort.h"
#include "table/group.h"

/* Two tuples agree when they are equal on the keys that neither lacks. Tuples equal on the keys asked about are grouped first; groups are
 * sorted by their pattern of lacking keys; for each pair of patterns those of the smaller side go into a hash table by what both sides
 * have, and those of the larger look there.
 *
 * A group carries one word: the sum over its keys of part(key, code), a lacking key adding nothing. Leaving a key out of account is one
 * subtraction. The parts are digits of a mixed-radix number where that fits 64 bits, and equal words are equal tuples; else they are
 * hashes, and equal words are compared key by key. */
enum { BLOCK = 1 << 14 };

typedef struct {
    int64_t size;
    double weight;
} Sum;
typedef struct {
    uint64_t word;
    int32_t example;
    int32_t used;
    Sum small, large;
} Slot; /* example: a place of the smaller side */

typedef struct {
    const Tuples *tuples;
    uint64_t among;
    bool exact;
    uint64_t stride[TUPLE_KEYS];
    int32_t *of; /* tuple → group; NULL where every tuple is its own */
    int64_t groups;
    int32_t *example; /* group → a tuple of it */
    Sum *sum;         /* group → its records; then all that agree */
    int64_t patterns;
    uint64_t *mask;             /* pattern → the keys it lacks */
    int64_t *start;             /* pattern → first place, and the end */
    int32_t *order;             /* place → group */
    uint64_t *word;             /* place → the word of the whole tuple */
    uint64_t *part[TUPLE_KEYS]; /* key → place → its part of the word; only keys that some group lacks */
    Sum *own, *total;           /* place */
    Slot *slot;
    int32_t *slot_of;                /* place → slot of the pair at hand, or -1 */
    uint64_t slots;                  /* in use, a power of two */
    uint64_t small_drop, large_drop; /* keys to leave out on either side */
} Count;

static bool lacks(const Count *c, int64_t tuple, int64_t key) { return c->tuples->lacks[tuple] >> key & 1; }

static uint64_t part_of(const Count *c, int64_t key, int64_t tuple) {
    if (lacks(c, tuple, key)) return 0;
    int32_t code = c->tuples->code[key][tuple];
    return c->exact ? (uint64_t)(code + 1) * c->stride[key] : word_hash((uint64_t)(key + 1) << 32 | (uint32_t)code);
}

static void choose_words(Count *c) {
    uint64_t range = 1;
    c->exact = true;
    for (uint64_t left = c->among; left && c->exact; left &= left - 1) {
        int key = __builtin_ctzll(left);
        c->stride[key] = range;
        c->exact = !__builtin_mul_overflow(range, (uint64_t)c->tuples->values[key] + 1, &range);
    }
}

typedef struct {
    const Count *count;
    uint64_t *words;
} Pack;

static Status pack_block(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    (void)block, (void)error;
    const Pack *p = self;
    const Tuples *t = p->count->tuples;
    for (uint64_t left = p->count->among; left; left &= left - 1) {
        int key = __builtin_ctzll(left);
        uint64_t stride = p->count->stride[key];
        for (int64_t i = first; i < last; i++) p->words[i] += t->lacks[i] >> key & 1 ? 0 : (uint64_t)(t->code[key][i] + 1) * stride;
    }
    return OK;
}

static Status group_exact(Work *work, Count *c, Grouping *out) {
    Status status = OK;
    Pack pack = { .count = c };
    NEW(work, pack.words, c->tuples->count);
    TRY(parallel_for(work, c->tuples->count, BLOCK, pack_block, &pack));
    uint64_t range = 1;
    for (uint64_t left = c->among; left; left &= left - 1) range *= (uint64_t)c->tuples->values[__builtin_ctzll(left)] + 1;
    TRY(group_words(work, pack.words, range, c->tuples->count, out));
done:
    arena_drop(work->arena, pack.words);
    return status;
}

/* Where the tuples do not fit one word: by codes, a lacking key as code -1. */
static Status group_wide(Work *work, Count *c, Grouping *out) {
    Status status = OK;
    Codes codes[TUPLE_KEYS];
    int32_t *copy[TUPLE_KEYS] = { 0 };
    int64_t keys = 0;
    for (uint64_t left = c->among; left; left &= left - 1, keys++) {
        int key = __builtin_ctzll(left);
        NEW(work, copy[keys], c->tuples->count);
        for (int64_t i = 0; i < c->tuples->count; i++) copy[keys][i] = lacks(c, i, key) ? -1 : c->tuples->code[key][i];
        codes[keys] = (Codes){ .count = c->tuples->values[key], .at = copy[keys] };
    }
    TRY(group_codes(work, codes, keys, c->tuples->count, out));
done:
    for (int key = 0; key < TUPLE_KEYS; key++) arena_drop(work->arena, copy[key]);
    return status;
}

static Status make_groups(Work *work, Count *c, bool distinct) {
    Status status = OK;
    Grouping grouping = { .count = c->tuples->count };
    choose_words(c);
    if (!distinct) TRY(c->exact ? group_exact(work, c, &grouping) : group_wide(work, c, &grouping));
    c->of = grouping.of;
    c->groups = grouping.count;
    NEW(work, c->example, c->groups);
    NEW(work, c->sum, c->groups);
    for (int64_t g = 0; g < c->groups; g++) c->example[g] = (int32_t)(distinct ? g : grouping.first[g]);
    for (int64_t i = 0; i < c->tuples->count; i++) {
        Sum *sum = &c->sum[c->of ? c->of[i] : i];
        sum->size += c->tuples->size[i];
        if (c->tuples->weight) sum->weight += c->tuples->weight[i];
    }
done:
    arena_drop(work->arena, grouping.first);
    arena_drop(work->arena, grouping.size);
    return status;
}

static uint64_t projected(const Count *c, int64_t place, uint64_t drop) {
    uint64_t word = c->word[place];
    for (; drop; drop &= drop - 1) word -= c->part[__builtin_ctzll(drop)][place];
    return word;
}

/* Equal on every key that neither side lacks? Needed only where words are hashes. */
static bool agree(const Count *c, int32_t a, int32_t b) {
    int64_t x = c->example[c->order[a]], y = c->example[c->order[b]];
    for (uint64_t left = c->among & ~c->tuples->lacks[x] & ~c->tuples->lacks[y]; left; left &= left - 1) {
        const int32_t *code = c->tuples->code[__builtin_ctzll(left)];
        if (code[x] != code[y]) return false;
    }
    return true;
}

static int32_t find_slot(const Count *c, uint64_t word, int32_t place) {
    uint64_t h = word_hash(word) >> 20 & (c->slots - 1);
    while (c->slot[h].used && !(c->slot[h].word == word && (c->exact || agree(c, c->slot[h].example, place)))) h = (h + 1) & (c->slots - 1);
    return (int32_t)h;
}

static void add(Sum *to, Sum what) {
    to->size += what.size;
    to->weight += what.weight;
}

static void fill_slots(Count *c, int64_t first, int64_t last) {
    c->slots = 16;
    while (c->slots < (uint64_t)(last - first) * 2) c->slots *= 2;
    memset(c->slot, 0, c->slots * sizeof *c->slot);
    for (int64_t place = first; place < last; place++) {
        uint64_t word = projected(c, place, c->small_drop);
        int32_t h = find_slot(c, word, (int32_t)place);
        if (!c->slot[h].used) c->slot[h] = (Slot){ .word = word, .example = (int32_t)place, .used = 1 };
        add(&c->slot[h].small, c->own[place]);
        c->slot_of[place] = h;
    }
}

typedef struct {
    Count *count;
    int64_t first;
} Probe;

static Status probe_block(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    (void)block, (void)error;
    const Probe *probe = self;
    Count *c = probe->count;
    for (int64_t place = probe->first + first; place < probe->first + last; place++) {
        int32_t h = find_slot(c, projected(c, place, c->large_drop), (int32_t)place);
        c->slot_of[place] = c->slot[h].used ? h : -1;
        if (c->slot[h].used) add(&c->total[place], c->slot[h].small);
    }
    return OK;
}

/* Each group of one pattern meets those of another. */
static Status meet(Work *work, Count *c, int64_t p, int64_t q) {
    Status status = OK;
    int64_t count_p = c->start[p + 1] - c->start[p], count_q = c->start[q + 1] - c->start[q];
    int64_t small = count_p <= count_q ? p : q, large = count_p <= count_q ? q : p;
    c->small_drop = c->mask[large] & ~c->mask[small];
    c->large_drop = c->mask[small] & ~c->mask[large];
    fill_slots(c, c->start[small], c->start[small + 1]);
    Probe probe = { c, c->start[large] };
    TRY(parallel_for(work, c->start[large + 1] - c->start[large], BLOCK, probe_block, &probe));
    for (int64_t place = c->start[large]; place < c->start[large + 1]; place++)
        if (c->slot_of[place] >= 0) add(&c->slot[c->slot_of[place]].large, c->own[place]);
    for (int64_t place = c->start[small]; place < c->start[small + 1]; place++) add(&c->total[place], c->slot[c->slot_of[place]].large);
done:
    return status;
}

/* Sorts groups by pattern: patterns in order of first appearance, groups within one in their own order. */
static Status sort_by_pattern(Work *work, Count *c) {
    Status status = OK;
    uint64_t *mask = NULL;
    Grouping patterns = { 0 };
    NEW(work, mask, c->groups);
    for (int64_t g = 0; g < c->groups; g++) mask[g] = c->tuples->lacks[c->example[g]] & c->among;
    TRY(group_words(work, mask, c->tuples->keys <= 16 ? UINT64_C(1) << c->tuples->keys : 0, c->groups, &patterns));
    c->patterns = patterns.count;
    NEW(work, c->mask, patterns.count);
    for (int64_t p = 0; p < patterns.count; p++) c->mask[p] = mask[patterns.first[p]];
    TRY(groups_listed(work, patterns.of, c->groups, patterns.count, &c->start, &c->order));
done:
    arena_drop(work->arena, mask);
    arena_drop(work->arena, patterns.of);
    arena_drop(work->arena, patterns.first);
    arena_drop(work->arena, patterns.size);
    return status;
}

static Status make_words(Work *work, Count *c) {
    Status status = OK;
    uint64_t lacking = 0;
    for (int64_t p = 0; p < c->patterns; p++) lacking |= c->mask[p];
    NEW(work, c->word, c->groups);
    for (uint64_t left = c->among; left; left &= left - 1) {
        int key = __builtin_ctzll(left);
        if (lacking >> key & 1) NEW(work, c->part[key], c->groups);
        for (int64_t place = 0; place < c->groups; place++) {
            uint64_t part = part_of(c, key, c->example[c->order[place]]);
            c->word[place] += part;
            if (c->part[key]) c->part[key][place] = part;
        }
    }
done:
    return status;
}

static Status make_places(Work *work, Count *c) {
    Status status = OK;
    int64_t widest = 0, slots = 16;
    NEW(work, c->own, c->groups);
    NEW(work, c->total, c->groups);
    NEW(work, c->slot_of, c->groups);
    for (int64_t p = 0; p < c->patterns; p++)
        if (c->start[p + 1] - c->start[p] > widest) widest = c->start[p + 1] - c->start[p];
    if (widest > c->groups - widest) widest = c->groups - widest; /* the smaller side of any pair */
    while (slots < widest * 2) slots *= 2;
    NEW(work, c->slot, slots);
    for (int64_t place = 0; place < c->groups; place++) c->own[place] = c->total[place] = c->sum[c->order[place]];
done:
    return status;
}

static Status count_patterns(Work *work, Count *c) {
    Status status = OK;
    TRY(sort_by_pattern(work, c));
    TRY(make_words(work, c));
    TRY(make_places(work, c));
    for (int64_t p = 0; p < c->patterns; p++) {
        TRY(work_check(work));
        for (int64_t q = p + 1; q < c->patterns; q++) TRY(meet(work, c, p, q));
    }
    for (int64_t place = 0; place < c->groups; place++) c->sum[c->order[place]] = c->total[place];
done:
    for (int key = 0; key < TUPLE_KEYS; key++) arena_drop(work->arena, c->part[key]);
    arena_drop(work->arena, c->word);
    arena_drop(work->arena, c->own);
    arena_drop(work->arena, c->total);
    arena_drop(work->arena, c->slot_of);
    arena_drop(work->arena, c->slot);
    arena_drop(work->arena, c->order);
    arena_drop(work->arena, c->start);
    arena_drop(work->arena, c->mask);
    return status;
}

Status wildcard_frequencies(Work *work, const Tuples *tuples, uint64_t among, bool distinct, int64_t *f, double *F) {
    Status status = OK;
    Count c = { .tuples = tuples, .among = among };
    uint64_t lacking = 0;
    for (int64_t i = 0; i < tuples->count; i++) lacking |= tuples->lacks[i];
    if (distinct && !(lacking & among)) { /* each agrees with itself alone */
        for (int64_t i = 0; i < tuples->count; i++) {
            f[i] = tuples->size[i];
            if (F) F[i] = tuples->weight ? tuples->weight[i] : 0;
        }
        return OK;
    }
    TRY(make_groups(work, &c, distinct));
    if (lacking & among) TRY(count_patterns(work, &c));
    for (int64_t i = 0; i < tuples->count; i++) {
        const Sum *sum = &c.sum[c.of ? c.of[i] : i];
        f[i] = sum->size;
        if (F) F[i] = sum->weight;
    }
done:
    arena_drop(work->arena, c.of);
    arena_drop(work->arena, c.example);
    arena_drop(work->arena, c.sum);
    return status;
}

Status tuples_of_classes(Work *work, const Classes *classes, Tuples *out) {
    Status status = OK;
    *out = (Tuples){ .count = classes->count, .keys = classes->keys };
    if (classes->keys > TUPLE_KEYS) {
        fail(work->error, BAD, "%lld keys are more than the %d that can be counted together under the wildcard rule",
             (long long)classes->keys, TUPLE_KEYS);
        return error_advice(work->error, "Give fewer keys, or --missing category where the method takes it.");
    }
    NEW(work, out->code, classes->keys);
    NEW(work, out->values, classes->keys);
    NEW(work, out->lacks, classes->count);
    NEW(work, out->size, classes->count);
    for (int64_t key = 0; key < classes->keys; key++) {
        NEW(work, out->code[key], classes->count);
        out->values[key] = classes->codes[key].count;
        for (int64_t c = 0; c < classes->count; c++) {
            out->code[key][c] = classes->codes[key].at[classes->first[c]];
            if (out->code[key][c] < 0) out->lacks[c] |= UINT64_C(1) << key;
        }
    }
    memcpy(out->size, classes->size, (size_t)classes->count * sizeof *out->size);
done:
    return status;
}

void tuples_drop(Work *work, Tuples *tuples) {
    for (int64_t key = 0; tuples->code && key < tuples->keys; key++) arena_drop(work->arena, tuples->code[key]);
    arena_drop(work->arena, tuples->lacks);
    arena_drop(work->arena, tuples->size);
    arena_drop(work->arena, tuples->weight);
    *tuples = (Tuples){ 0 };
}
