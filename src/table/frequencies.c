/* How many records agree with each class, under either rule for missing keys. */
#include <string.h>
#include "table/classes.h"
#include "table/group.h"

/* Two classes agree under the wildcard rule when they are equal on the keys that neither lacks. Classes are sorted by their pattern of missing
 * keys; for each pair of patterns those of the smaller side go into a hash table by what both sides have, and those of the larger look there.
 *
 * A class carries one word: the sum over its keys of part(key, code), a missing key adding nothing. Leaving a key out of account is one
 * subtraction. The parts are digits of a mixed-radix number where that fits 64 bits, and equal words are equal tuples; else they are hashes,
 * and equal words are compared key by key. */
enum { BLOCK = 1 << 14, MOST_PATTERN_KEYS = 64 };

typedef struct { int64_t sum; double weight; } Sum;
typedef struct { uint64_t word; int32_t example; int32_t used; Sum small, large; } Slot; /* example: a class of the smaller side */

typedef struct {
    const Classes *classes;
    bool exact;
    int64_t lacking;          /* keys that are missing somewhere */
    int64_t *key;             /* which they are */
    int32_t *order;           /* classes by pattern: places below are into this */
    uint64_t *word;           /* place → the word of the whole class */
    uint64_t **part;          /* lacking key → place → its part of the word */
    Sum *own, *total;         /* place → the class's own records; all that agree */
    int64_t patterns;
    uint64_t *mask;           /* pattern → bits of lacking keys */
    int64_t *start;           /* pattern → first place, and the end */
    Slot *slot;
    int32_t *slot_of;         /* place → slot, or -1, of the pair at hand */
    uint64_t slots;           /* of the pair at hand, a power of two */
    uint64_t small_drop, large_drop; /* lacking keys to leave out on either side */
} Wildcard;

static uint64_t part_of(const Wildcard *w, int64_t key, uint64_t stride, int32_t code) {
    if (code < 0) return 0;
    return w->exact ? (uint64_t)(code + 1) * stride : word_hash((uint64_t)key << 32 | (uint32_t)code);
}

static uint64_t projected(const Wildcard *w, int64_t place, uint64_t drop) {
    uint64_t word = w->word[place];
    for (; drop; drop &= drop - 1) word -= w->part[__builtin_ctzll(drop)][place];
    return word;
}

/* Equal on every key that neither side lacks? Needed only where words are hashes. */
static bool agree(const Wildcard *w, int32_t a, int32_t b) {
    int64_t row_a = w->classes->first[w->order[a]], row_b = w->classes->first[w->order[b]];
    for (int64_t key = 0; key < w->classes->keys; key++) {
        int32_t x = w->classes->codes[key].at[row_a], y = w->classes->codes[key].at[row_b];
        if (x != y && x >= 0 && y >= 0) return false;
    }
    return true;
}

static int32_t find_slot(const Wildcard *w, uint64_t word, int32_t place) {
    uint64_t h = word_hash(word) >> 20 & (w->slots - 1);
    while (w->slot[h].used && !(w->slot[h].word == word && (w->exact || agree(w, w->slot[h].example, place)))) h = (h + 1) & (w->slots - 1);
    return (int32_t)h;
}

static void add(Sum *to, Sum what) {
    to->sum += what.sum;
    to->weight += what.weight;
}

static void fill_slots(Wildcard *w, int64_t first, int64_t last) {
    w->slots = 16;
    while (w->slots < (uint64_t)(last - first) * 2) w->slots *= 2;
    memset(w->slot, 0, w->slots * sizeof *w->slot);
    for (int64_t place = first; place < last; place++) {
        uint64_t word = projected(w, place, w->small_drop);
        int32_t h = find_slot(w, word, (int32_t)place);
        if (!w->slot[h].used) w->slot[h] = (Slot){ .word = word, .example = (int32_t)place, .used = 1 };
        add(&w->slot[h].small, w->own[place]);
        w->slot_of[place] = h;
    }
}

typedef struct { Wildcard *w; int64_t first; } Probe;

static Status probe_block(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    (void)block, (void)error;
    const Probe *probe = self;
    Wildcard *w = probe->w;
    for (int64_t place = probe->first + first; place < probe->first + last; place++) {
        int32_t h = find_slot(w, projected(w, place, w->large_drop), (int32_t)place);
        w->slot_of[place] = w->slot[h].used ? h : -1;
        if (w->slot[h].used) add(&w->total[place], w->slot[h].small);
    }
    return OK;
}

/* Each class of one pattern meets those of another. */
static Status meet(Work *work, Wildcard *w, int64_t p, int64_t q) {
    Status status = OK;
    int64_t count_p = w->start[p + 1] - w->start[p], count_q = w->start[q + 1] - w->start[q];
    int64_t small = count_p <= count_q ? p : q, large = count_p <= count_q ? q : p;
    w->small_drop = w->mask[large] & ~w->mask[small];
    w->large_drop = w->mask[small] & ~w->mask[large];
    fill_slots(w, w->start[small], w->start[small + 1]);
    Probe probe = { w, w->start[large] };
    TRY(parallel_for(work, w->start[large + 1] - w->start[large], BLOCK, probe_block, &probe));
    for (int64_t place = w->start[large]; place < w->start[large + 1]; place++)
        if (w->slot_of[place] >= 0) add(&w->slot[w->slot_of[place]].large, w->own[place]);
    for (int64_t place = w->start[small]; place < w->start[small + 1]; place++) add(&w->total[place], w->slot[w->slot_of[place]].large);
done:
    return status;
}

static Status find_lacking(Work *work, Wildcard *w) {
    Status status = OK;
    const Classes *classes = w->classes;
    NEW(work, w->key, classes->keys);
    for (int64_t key = 0; key < classes->keys; key++) {
        bool lacks = false;
        for (int64_t c = 0; c < classes->count && !lacks; c++) lacks = classes->codes[key].at[classes->first[c]] < 0;
        if (lacks) w->key[w->lacking++] = key;
    }
    if (w->lacking > MOST_PATTERN_KEYS) {
        fail(work->error, BAD, "%lld keys have missing values, and the wildcard rule counts with at most %d such keys", (long long)w->lacking, MOST_PATTERN_KEYS);
        return error_advice(work->error, "Give --missing category, or fewer keys.");
    }
done:
    return status;
}

/* Sorts classes by pattern: patterns are numbered in order of first appearance, classes within one keep their order. */
static Status sort_by_pattern(Work *work, Wildcard *w) {
    Status status = OK;
    const Classes *classes = w->classes;
    uint64_t *mask = NULL;
    Grouping patterns = { 0 };
    NEW(work, mask, classes->count);
    for (int64_t bit = 0; bit < w->lacking; bit++) {
        const int32_t *code = classes->codes[w->key[bit]].at;
        for (int64_t c = 0; c < classes->count; c++) mask[c] |= (uint64_t)(code[classes->first[c]] < 0) << bit;
    }
    TRY(group_words(work, mask, w->lacking < 18 ? UINT64_C(1) << w->lacking : 0, classes->count, &patterns));
    w->patterns = patterns.count;
    NEW(work, w->start, patterns.count + 2);
    NEW(work, w->mask, patterns.count);
    NEW(work, w->order, classes->count);
    for (int64_t p = 0; p < patterns.count; p++) {
        w->mask[p] = mask[patterns.first[p]];
        w->start[p + 2] = w->start[p + 1] + patterns.size[p];
    }
    for (int64_t c = 0; c < classes->count; c++) w->order[w->start[patterns.of[c] + 1]++] = (int32_t)c;
done:
    arena_drop(work->arena, mask);
    arena_drop(work->arena, patterns.of);
    return status;
}

static Status make_words(Work *work, Wildcard *w) {
    Status status = OK;
    const Classes *classes = w->classes;
    uint64_t stride = 1, range = 1;
    w->exact = true;
    for (int64_t key = 0; key < classes->keys && w->exact; key++)
        w->exact = !__builtin_mul_overflow(range, (uint64_t)classes->codes[key].count + 1, &range);
    NEW(work, w->word, classes->count);
    NEW(work, w->part, w->lacking);
    for (int64_t key = 0, bit = 0; key < classes->keys; key++) {
        uint64_t *part = NULL;
        if (bit < w->lacking && w->key[bit] == key) {
            NEW(work, w->part[bit], classes->count);
            part = w->part[bit++];
        }
        for (int64_t place = 0; place < classes->count; place++) {
            uint64_t value = part_of(w, key, stride, classes->codes[key].at[classes->first[w->order[place]]]);
            w->word[place] += value;
            if (part) part[place] = value;
        }
        stride *= (uint64_t)classes->codes[key].count + 1;
    }
done:
    return status;
}

static Status wildcard_sums(Work *work, const Classes *classes, int64_t *f, double *F) {
    Status status = OK;
    Wildcard w = { .classes = classes };
    int64_t widest = 0, slots = 16;
    TRY(find_lacking(work, &w));
    if (!w.lacking) goto done;
    TRY(sort_by_pattern(work, &w));
    TRY(make_words(work, &w));
    NEW(work, w.own, classes->count);
    NEW(work, w.total, classes->count);
    NEW(work, w.slot_of, classes->count);
    for (int64_t p = 0, count; p < w.patterns; p++, widest = count > widest ? count : widest) count = w.start[p + 1] - w.start[p];
    if (widest > classes->count / 2) widest = classes->count - widest > 0 ? classes->count - widest : 1; /* the smaller side of any pair */
    while (slots < widest * 2) slots *= 2;
    NEW(work, w.slot, slots);
    for (int64_t place = 0; place < classes->count; place++) w.own[place] = w.total[place] = (Sum){ f[w.order[place]], F[w.order[place]] };
    for (int64_t p = 0; p < w.patterns; p++) {
        TRY(work_check(work));
        work_show(work, "counting agreeing records", (double)p / (double)w.patterns);
        for (int64_t q = p + 1; q < w.patterns; q++) TRY(meet(work, &w, p, q));
    }
    for (int64_t place = 0; place < classes->count; place++) {
        f[w.order[place]] = w.total[place].sum;
        F[w.order[place]] = w.total[place].weight;
    }
done:
    for (int64_t bit = 0; w.part && bit < w.lacking; bit++) arena_drop(work->arena, w.part[bit]);
    arena_drop(work->arena, w.word);
    arena_drop(work->arena, w.own);
    arena_drop(work->arena, w.total);
    arena_drop(work->arena, w.slot_of);
    arena_drop(work->arena, w.slot);
    arena_drop(work->arena, w.order);
    return status;
}

static Status weigh(Work *work, const Classes *classes, const Column *weight, double *F) {
    Status status = OK;
    const double *value = NULL;
    if (!weight) {
        for (int64_t c = 0; c < classes->count; c++) F[c] = (double)classes->size[c];
        return OK;
    }
    TRY(column_reals(work, weight, &value));
    for (int64_t i = 0; i < classes->rows; i++) {
        if (column_missing(weight, i)) {
            fail(work->error, BAD, "a weight is missing");
            error_advice(work->error, "Leave such records out with --where, or give no --weight.");
            error_column(work->error, weight->name);
            return error_row(work->error, i);
        }
        F[classes->of[i]] += value[i];
    }
done:
    return status;
}

Status classes_frequencies(Work *work, const Classes *classes, MissingRule rule, const Column *weight, Frequencies *out) {
    Status status = OK;
    int64_t *f = NULL;
    double *F = NULL;
    NEW(work, f, classes->count);
    NEW(work, F, classes->count);
    for (int64_t c = 0; c < classes->count; c++) f[c] = classes->size[c];
    TRY(weigh(work, classes, weight, F));
    if (rule == WILDCARD && classes->any_missing) TRY(wildcard_sums(work, classes, f, F));
    *out = (Frequencies){ f, F };
done:
    return status;
}
