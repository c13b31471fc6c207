/* Minimal sample uniques. The sets of keys are walked depth first: a set's partition of the tuples is that of the set without its last key,
 * refined. A tuple that is alone leaves the partition, for it stands in nobody's way. Who is unique on a set is kept as a bitmap, so that
 * minimality (Manning, Haglin & Keane 2008) is a look at the sets with one key less. */
#include "risk/suda/search.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Parts of the tuples that agree on a set of keys. ~t: tuple t stands in the way of others but is itself not looked for, having several
 * records or lacking a key. */
typedef struct Parts {
    int32_t *item;
    int64_t *start;
    int64_t items, parts, item_room, part_room;
} Parts;

typedef struct Search {
    const Work *work;
    const SudaTuples *t;
    int64_t max_size, words;
    const int64_t *choose;  /* n·(keys + 2) + k: n over k, for ranks */
    const int64_t *base;    /* size → the first set of that size, among all */
    uint64_t *unique;       /* set → bitmap of the tuples that are unique on it */
    _Atomic int64_t *found; /* set → minimal uniques */
    int32_t **msus;         /* size → tuple → minimal uniques of that size */
} Search;

/* What is counted of a code within a part: its tuples, their records, whether one is looked for, where they go. */
typedef struct Bin {
    int64_t weight, place;
    int32_t number;
    bool wanted;
} Bin;

/* What one task needs: a partition for each depth, counts by code, the keys chosen so far. */
typedef struct Walk {
    const Search *s;
    Parts *at;
    Bin *bin;
    int32_t *touched;
    int64_t *key;
    int64_t depth;
    uint64_t *spare;
} Walk;

/* The place among all sets of an ascending set: Σ (key_i over i+1) within its size; `without` leaves out one key. */
static int64_t set_of(const Search *s, const int64_t *key, int64_t count, int64_t without) {
    int64_t rank = 0, place = 0;
    for (int64_t i = 0; i < count; i++)
        if (i != without) rank += s->choose[key[i] * (s->t->keys + 2) + ++place];
    return s->base[place] + rank;
}

static bool parts_room(Parts *p, int64_t items, int64_t parts) {
    if (items > p->item_room) {
        int32_t *grown = realloc(p->item, (size_t)(2 * items) * sizeof *grown);
        if (!grown) return false;
        p->item = grown;
        p->item_room = 2 * items;
    }
    if (parts + 1 > p->part_room) {
        int64_t *grown = realloc(p->start, (size_t)(2 * parts + 2) * sizeof *grown);
        if (!grown) return false;
        p->start = grown;
        p->part_room = 2 * parts + 2;
    }
    return true;
}

/* Counts one part by the codes of a key. Returns how many codes were touched. */
typedef struct Missing {
    int64_t number, weight;
} Missing;
static int32_t tally(Walk *w, const int32_t *item, int64_t count, const int32_t *code, Missing *missing) {
    const int64_t *size = w->s->t->size;
    int32_t touched = 0;
    *missing = (Missing){ 0 };
    for (int64_t i = 0; i < count; i++) {
        int32_t t = item[i] ^ (item[i] >> 31), v = code[t]; /* ~ where negative */
        if (v < 0) {
            missing->number++;
            missing->weight += size[t];
            continue;
        }
        Bin *bin = &w->bin[v];
        if (!bin->number++) {
            w->touched[touched++] = v;
            bin->weight = 0;
            bin->wanted = false;
        }
        bin->weight += size[t];
        bin->wanted |= item[i] >= 0;
    }
    return touched;
}

/* Gives the codes of a part their places: -1 for those that are alone (or nobody is looked for among them), and counts items and parts. */
static void give_places(Walk *w, int32_t touched, Missing missing, int64_t *items, int64_t *parts) {
    for (int32_t k = 0; k < touched; k++) {
        Bin *bin = &w->bin[w->touched[k]];
        bool keep = bin->wanted && bin->weight + missing.weight > 1;
        bin->place = keep ? *items : -1;
        *items += keep ? bin->number + missing.number : 0;
        *parts += keep;
    }
}

/* A part's children: those of two records or more among which somebody is looked for. Tuples that lack the key go into each, to stand in
 * the way. */
static bool refine_part(Walk *w, const int32_t *item, int64_t count, const int32_t *code, uint64_t *unique, Parts *out) {
    Missing missing;
    int32_t touched = tally(w, item, count, code, &missing);
    int64_t items = out->items, parts = out->parts, first = parts;
    give_places(w, touched, missing, &items, &parts);
    if (!parts_room(out, items, parts)) return false;
    for (int32_t k = 0; k < touched; k++) {
        Bin *bin = &w->bin[w->touched[k]];
        if (bin->place >= 0) out->start[first++] = bin->place;
        bin->number = 0;
    }
    for (int64_t i = 0; i < count; i++) {
        int32_t v = code[item[i] ^ (item[i] >> 31)];
        if (v < 0) continue;
        Bin *bin = &w->bin[v];
        if (bin->place >= 0) out->item[bin->place++] = item[i];
        else if (item[i] >= 0) unique[item[i] >> 6] |= UINT64_C(1) << (item[i] & 63); /* wanted, and not kept: alone */
    }
    for (int64_t i = 0; missing.number && i < count; i++) {
        int32_t t = item[i] ^ (item[i] >> 31);
        for (int32_t k = 0; code[t] < 0 && k < touched; k++)
            if (w->bin[w->touched[k]].place >= 0) out->item[w->bin[w->touched[k]].place++] = ~t;
    }
    out->items = items;
    out->parts = parts;
    out->start[parts] = items;
    return true;
}

/* The same where no larger set will be asked for: only who is alone. */
static void close_part(Walk *w, const int32_t *item, int64_t count, const int32_t *code, uint64_t *unique) {
    Missing missing;
    int32_t touched = tally(w, item, count, code, &missing);
    for (int64_t i = 0; missing.weight == 0 && i < count; i++) {
        int32_t t = item[i];
        if (t >= 0 && code[t] >= 0 && w->bin[code[t]].weight == 1) unique[t >> 6] |= UINT64_C(1) << (t & 63);
    }
    for (int32_t k = 0; k < touched; k++) w->bin[w->touched[k]].number = 0;
}

/* Adds a key to the set: who was unique stays so, and some become it. `spare`: the bitmap of this set is another task's. */
static bool add_key(Walk *w, int64_t key, bool spare) {
    const Search *s = w->s;
    if (work_stopped(s->work)) return false;
    const Parts *in = &w->at[w->depth];
    Parts *out = &w->at[w->depth + 1];
    w->key[w->depth] = key;
    uint64_t *unique = spare ? w->spare : s->unique + set_of(s, w->key, w->depth + 1, -1) * s->words;
    if (w->depth) memcpy(unique, s->unique + set_of(s, w->key, w->depth, -1) * s->words, (size_t)s->words * sizeof *unique);
    out->items = out->parts = 0;
    for (int64_t p = 0; p < in->parts; p++) {
        const int32_t *item = in->item + in->start[p];
        int64_t count = in->start[p + 1] - in->start[p];
        if (w->depth + 1 == s->max_size) close_part(w, item, count, s->t->code[key], unique);
        else if (!refine_part(w, item, count, s->t->code[key], unique, out)) return false;
    }
    w->depth++;
    return true;
}

/* All larger sets that begin with the keys chosen so far. */
static bool walk(Walk *w) {
    if (w->depth == w->s->max_size) return true;
    for (int64_t key = w->key[w->depth - 1] + 1; key < w->s->t->keys; key++) {
        if (!add_key(w, key, false) || !walk(w)) return false;
        w->depth--;
    }
    return true;
}

static bool walk_make(Walk *w, const Search *s) {
    int64_t most = 1;
    for (int64_t k = 0; k < s->t->keys; k++)
        if (s->t->values[k] > most) most = s->t->values[k];
    size_t codes = (size_t)most + 1, depths = (size_t)s->max_size + 1;
    *w = (Walk){ .s = s,
                 .at = calloc(depths, sizeof *w->at),
                 .bin = calloc(codes, sizeof *w->bin),
                 .touched = calloc(codes, sizeof *w->touched),
                 .key = calloc(depths, sizeof *w->key),
                 .spare = calloc((size_t)s->words + 1, sizeof *w->spare) };
    if (!w->at || !w->bin || !w->touched || !w->key || !w->spare || !parts_room(&w->at[0], s->t->count + 1, 1)) return false;
    Parts *all = &w->at[0];
    all->items = s->t->count;
    all->parts = s->t->count ? 1 : 0;
    all->start[0] = 0;
    all->start[1] = all->items;
    for (int32_t t = 0; t < (int32_t)s->t->count; t++) all->item[t] = s->t->size[t] > 1 ? ~t : t;
    return true;
}

static void walk_free(Walk *w) {
    for (int64_t d = 0; w->at && d <= w->s->max_size; d++) {
        free(w->at[d].item);
        free(w->at[d].start);
    }
    free(w->at);
    free(w->bin);
    free(w->touched);
    free(w->key);
    free(w->spare);
}

static Status ended(const Search *s, Error *error) {
    return work_stopped(s->work) ? fail(error, INTERRUPTED, "interrupted") : out_of_memory(error);
}

/* The sets of one key. */
static Status one_key(void *self, int64_t key, int64_t from, int64_t to, Error *error) {
    Walk w;
    (void)from;
    (void)to;
    bool fine = walk_make(&w, self) && add_key(&w, key, false);
    walk_free(&w);
    return fine ? OK : ended(self, error);
}

/* All sets that begin with one pair of keys, after those of one key. */
static Status one_pair(void *self, int64_t pair, int64_t from, int64_t to, Error *error) {
    const Search *s = self;
    Walk w;
    int64_t i = 0, j = pair;
    (void)from;
    (void)to;
    while (j >= s->t->keys - 1 - i) j -= s->t->keys - 1 - i++;
    bool fine = walk_make(&w, s) && add_key(&w, i, true) && add_key(&w, i + 1 + j, false) && walk(&w);
    walk_free(&w);
    return fine ? OK : ended(s, error);
}

/* ---- Minimal ones, and the scores ---- */

/* The next set of `size` keys in order of rank: the lowest key that can move does. */
static void next_set(int64_t *key, int64_t size) {
    int64_t i = 0;
    while (i < size - 1 && key[i] + 1 == key[i + 1]) {
        key[i] = i;
        i++;
    }
    key[i]++;
}

/* Minimal on a set: unique on it and on none with one key less. For some words of the bitmaps, over all sets. */
static Status minimal_block(void *self, int64_t block, int64_t from, int64_t to, Error *error) {
    const Search *s = self;
    (void)block;
    for (int64_t size = 1; size <= s->max_size; size++) {
        int64_t key[64];
        for (int64_t i = 0; i < size; i++) key[i] = i;
        for (int64_t set = s->base[size]; set < s->base[size + 1]; set++, next_set(key, size)) {
            if (work_stopped(s->work)) return ended(s, error);
            const uint64_t *less[64];
            int64_t found = 0;
            for (int64_t i = 0; i < size; i++) less[i] = size > 1 ? s->unique + set_of(s, key, size, i) * s->words : NULL;
            for (int64_t k = from; k < to; k++) {
                uint64_t word = s->unique[set * s->words + k];
                for (int64_t i = 0; word && size > 1 && i < size; i++) word &= ~less[i][k];
                for (found += __builtin_popcountll(word); word; word &= word - 1) s->msus[size][k * 64 + __builtin_ctzll(word)]++;
            }
            atomic_fetch_add_explicit(&s->found[set], found, memory_order_relaxed);
        }
    }
    return OK;
}

/* Sums of whole numbers: the order of the threads does not show. */
static void add_scores(const Search *s, SudaFound *out) {
    for (int64_t size = 1; size <= s->max_size; size++) {
        double weight = 1;
        int64_t key[64];
        for (int64_t i = size; i < s->max_size; i++) weight *= (double)(s->t->keys - i);
        for (int64_t t = 0; t < s->t->count; t++) {
            out->msus[t] += s->msus[size][t];
            out->score[t] += weight * s->msus[size][t];
        }
        for (int64_t i = 0; i < size; i++) key[i] = i;
        for (int64_t set = s->base[size]; set < s->base[size + 1]; set++, next_set(key, size)) {
            for (int64_t i = 0; i < size; i++) out->key_score[key[i]] += weight * (double)s->found[set];
            out->by_size[size] += s->found[set];
        }
    }
}

double suda_sets(int64_t keys, int64_t max_size) {
    double sets = 0, choose = 1;
    for (int64_t k = 1; k <= max_size && k <= keys; k++) sets += choose *= (double)(keys - k + 1) / (double)k;
    return sets;
}

/* How many sets there are of each size, and where they begin. */
static Status number_sets(Work *work, Search *s) {
    Status status = OK;
    int64_t keys = s->t->keys, width = keys + 2, *choose = NULL, *base = NULL;
    NEW(work, choose, (keys + 1) * width);
    NEW(work, base, s->max_size + 2);
    for (int64_t n = 0; n <= keys; n++)
        for (int64_t k = 0; k <= s->max_size && k <= n; k++)
            choose[n * width + k] = !k ? 1 : choose[(n - 1) * width + k - 1] + choose[(n - 1) * width + k];
    for (int64_t size = 1; size <= s->max_size; size++) base[size + 1] = base[size] + choose[keys * width + size];
    s->choose = choose;
    s->base = base;
done:
    return status;
}

Status suda_search(Work *work, const SudaTuples *t, int64_t max_size, SudaFound *out) {
    Status status = OK;
    Search s = { .work = work, .t = t, .words = (t->count + 63) / 64, .max_size = max_size };
    NEW(work, out->key_score, t->keys + 1);
    NEW(work, out->by_size, max_size + 1);
    TRY(number_sets(work, &s));
    int64_t sets = s.base[max_size + 1];
    NEW(work, s.unique, sets * s.words + 1);
    NEW(work, s.found, sets + 1);
    TRY(parallel_for(work, t->keys, 1, one_key, &s));
    work_show(work, "unique sets", 0.1);
    if (max_size > 1) TRY(parallel_for(work, t->keys * (t->keys - 1) / 2, 1, one_pair, &s));
    work_show(work, "unique sets", 0.9);
    NEW(work, s.msus, max_size + 1);
    for (int64_t size = 1; size <= max_size; size++) NEW(work, s.msus[size], s.words * 64 + 1);
    TRY(parallel_for(work, s.words, 64, minimal_block, &s));
    arena_drop(work->arena, s.unique);
    NEW(work, out->msus, t->count + 1);
    NEW(work, out->score, t->count + 1);
    add_scores(&s, out);
    for (int64_t size = 1; size <= max_size; size++) arena_drop(work->arena, s.msus[size]);
done:
    return status;
}
