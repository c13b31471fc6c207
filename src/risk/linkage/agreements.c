/* Agreements: sets of columns are walked depth first, and the tuples that agree on a set are those that agree on it without its last
 * column, refined. A group in which few pairs are left leaves the walk: what its pairs agree on is seen at once. */
#include "risk/linkage/agreements.h"
#include <stdlib.h>
#include <string.h>
#include "table/group.h"

enum { FEW_PAIRS = 4 };

typedef struct {
    int32_t *item;
    int64_t *start, groups, item_room, group_room;
} Parts;

/* What one task keeps: a partition for each depth, and counts. All counts are whole numbers: the order of the tasks does not show. */
typedef struct {
    const TupleSet *t;
    Parts at[AGREE_COLUMNS + 1];
    int64_t *count; /* code → items */
    int32_t *touched;
    double *pairs;              /* set → pairs that agree on it at least, of groups still walked */
    double *few[AGREE_COLUMNS]; /* last column of a set → the set and what its pairs agree on after that → such pairs */
} Walk;

static bool room_for(Parts *p, int64_t items, int64_t groups) {
    if (items > p->item_room) {
        int32_t *grown = realloc(p->item, (size_t)items * 2 * sizeof *grown);
        if (!grown) return false;
        p->item = grown;
        p->item_room = items * 2;
    }
    if (groups + 1 > p->group_room) {
        int64_t *grown = realloc(p->start, ((size_t)groups + 1) * 2 * sizeof *grown);
        if (!grown) return false;
        p->start = grown;
        p->group_room = (groups + 1) * 2;
    }
    return true;
}

/* The pairs of a small group, by all that they agree on after column `last`. */
static void count_few(Walk *w, const int32_t *item, int64_t count, uint32_t set, int last) {
    const TupleSet *t = w->t;
    for (int64_t a = 0; a < count; a++)
        for (int64_t b = 0; b < count; b++) {
            double pairs = t->held[0][item[a]] * t->held[1][item[b]];
            uint32_t agree = set;
            if (pairs == 0) continue;
            for (int64_t j = last + 1; j < t->columns; j++)
                agree |= (uint32_t)(t->code[j].at[item[a]] >= 0 && t->code[j].at[item[a]] == t->code[j].at[item[b]]) << j;
            w->few[last][agree] += pairs;
        }
}

/* A new group of the set: kept, counted at once, or without a pair. True where it is kept. */
static bool keep_group(Walk *w, const int32_t *item, int64_t count, uint32_t set, int last) {
    const TupleSet *t = w->t;
    int64_t originals = 0, released = 0;
    double held[2] = { 0 };
    for (int64_t i = 0; i < count; i++) {
        originals += t->held[0][item[i]] > 0;
        released += t->held[1][item[i]] > 0;
        held[0] += t->held[0][item[i]];
        held[1] += t->held[1][item[i]];
    }
    if (!originals || !released) return false;
    if (originals * released <= FEW_PAIRS) {
        count_few(w, item, count, set, last);
        return false;
    }
    w->pairs[set] += held[0] * held[1];
    return true;
}

/* The groups of `in` by the codes of a column. */
static bool refine(Walk *w, const Parts *in, Parts *out, uint32_t set, int column) {
    const int32_t *code = w->t->code[column].at;
    out->groups = 0;
    int64_t items = 0;
    for (int64_t g = 0; g < in->groups; g++) {
        const int32_t *item = in->item + in->start[g];
        int64_t count = in->start[g + 1] - in->start[g], touched = 0, at = items;
        for (int64_t i = 0; i < count; i++) {
            int32_t v = code[item[i]];
            if (v >= 0 && !w->count[v]++) w->touched[touched++] = v;
        }
        if (!room_for(out, items + count, out->groups + touched)) return false;
        for (int64_t k = 0; k < touched; k++) {
            int64_t size = w->count[w->touched[k]];
            w->count[w->touched[k]] = at;
            at += size;
        }
        for (int64_t i = 0; i < count; i++)
            if (code[item[i]] >= 0) out->item[w->count[code[item[i]]]++] = item[i];
        for (int64_t k = 0, first = items; k < touched; k++) {
            int64_t last = w->count[w->touched[k]], size = last - first;
            w->count[w->touched[k]] = 0;
            if (keep_group(w, out->item + first, size, set, column)) {
                memmove(out->item + items, out->item + first, (size_t)size * sizeof *out->item);
                out->start[out->groups++] = items;
                items += size;
            }
            first = last;
        }
        out->start[out->groups] = items;
    }
    return true;
}

static bool walk(Walk *w, int depth, uint32_t set, int last) {
    for (int column = last + 1; column < w->t->columns && w->at[depth].groups; column++) {
        uint32_t larger = set | UINT32_C(1) << column;
        if (!refine(w, &w->at[depth], &w->at[depth + 1], larger, column) || !walk(w, depth + 1, larger, column)) return false;
    }
    return true;
}

static void walk_free(Walk *w) {
    for (int d = 0; d <= AGREE_COLUMNS; d++) {
        free(w->at[d].item);
        free(w->at[d].start);
    }
    free(w->count);
    free(w->touched);
    free(w->pairs);
    for (int j = 0; j < AGREE_COLUMNS; j++) free(w->few[j]);
}

static bool walk_make(Walk *w, const TupleSet *t) {
    size_t sets = (size_t)1 << t->columns, most = 1;
    *w = (Walk){ .t = t };
    for (int64_t j = 0; j < t->columns; j++)
        if ((size_t)t->code[j].count > most) most = (size_t)t->code[j].count;
    w->count = calloc(most + 1, sizeof *w->count);
    w->touched = calloc(most + 1, sizeof *w->touched);
    w->pairs = calloc(sets, sizeof *w->pairs);
    bool fine = w->count && w->touched && w->pairs && room_for(&w->at[0], t->count, 1);
    for (int64_t j = 0; j < t->columns; j++) {
        w->few[j] = calloc(sets, sizeof *w->few[j]);
        fine &= w->few[j] != NULL;
    }
    if (!fine) return false;
    for (int64_t i = 0; i < t->count; i++) w->at[0].item[i] = (int32_t)i;
    w->at[0].start[0] = 0;
    w->at[0].start[1] = t->count;
    w->at[0].groups = t->count > 0;
    return true;
}

/* Pairs agree also on every part of what they agree on after the last column. */
static void add_up(Walk *w, double *out) {
    const uint32_t sets = UINT32_C(1) << w->t->columns;
    for (int64_t last = 0; last < w->t->columns; last++) {
        for (int64_t j = last + 1; j < w->t->columns; j++)
            for (uint32_t set = 0; set < sets; set++)
                if (!(set >> j & 1)) w->few[last][set] += w->few[last][set | UINT32_C(1) << j];
        for (uint32_t set = 0; set < sets; set++) out[set] += w->few[last][set];
    }
    for (uint32_t set = 0; set < sets; set++) out[set] += w->pairs[set];
}

typedef struct {
    const TupleSet *t;
    double *pairs; /* first column → set → pairs */
} Counting;

/* All sets whose first column is this. */
static Status first_column(void *self, int64_t column, int64_t from, int64_t to, Error *error) {
    (void)from, (void)to;
    const Counting *c = self;
    Walk w;
    uint32_t set = UINT32_C(1) << column;
    bool fine = walk_make(&w, c->t) && refine(&w, &w.at[0], &w.at[1], set, (int)column) && walk(&w, 1, set, (int)column);
    if (fine) add_up(&w, c->pairs + (column << c->t->columns));
    walk_free(&w);
    return fine ? OK : fail(error, FAILED, "out of memory while counting agreements");
}

/* Columns of most values first: what agrees on them is soon little, and sets with them are no longer walked through all tuples. */
static void finest_first(const TupleSet *t, TupleSet *out, int *place) {
    *out = *t;
    for (int64_t j = 0; j < t->columns; j++) {
        place[j] = 0;
        for (int64_t i = 0; i < t->columns; i++)
            place[j] += t->code[i].count > t->code[j].count || (t->code[i].count == t->code[j].count && i < j);
        out->code[place[j]] = t->code[j];
    }
}

static uint32_t moved_set(uint32_t set, const int *place, int64_t columns) {
    uint32_t moved = 0;
    for (int64_t j = 0; j < columns; j++) moved |= (set >> j & 1) << place[j];
    return moved;
}

Status count_agreements(Work *work, const TupleSet *t, double *pairs) {
    Status status = OK;
    TupleSet finest;
    int place[AGREE_COLUMNS];
    Counting c = { .t = &finest };
    finest_first(t, &finest, place);
    const uint32_t sets = UINT32_C(1) << t->columns;
    double held[2] = { 0 };
    NEW(work, c.pairs, t->columns << t->columns);
    TRY(parallel_for(work, t->columns, 1, first_column, &c));
    for (int64_t g = 0; g < t->count; g++)
        for (int k = 0; k < 2; k++) held[k] += t->held[k][g];
    for (uint32_t set = 0; set < sets; set++) pairs[set] = 0;
    for (int64_t j = 0; j < t->columns; j++)
        for (uint32_t set = 0; set < sets; set++) pairs[set] += c.pairs[(j << t->columns) + moved_set(set, place, t->columns)];
    pairs[0] = held[0] * held[1];
    for (int64_t j = 0; j < t->columns; j++) /* from "at least" to "exactly" */
        for (uint32_t set = 0; set < sets; set++)
            if (!(set >> j & 1)) pairs[set] -= pairs[set | UINT32_C(1) << j];
done:
    arena_drop(work->arena, c.pairs);
    return status;
}

/* ---- originals that agree on a set ---- */

static int bits_for(int64_t values) {
    int bits = 1;
    while (INT64_C(1) << bits < values) bits++;
    return bits;
}

Status matcher_make(Work *work, const TupleSet *t, Matcher *m) {
    Status status = OK;
    int used = 0, word[AGREE_COLUMNS] = { 0 }, shift[AGREE_COLUMNS] = { 0 };
    *m = (Matcher){ .tuples = t, .words = 1 };
    for (int64_t j = 0; j < t->columns; j++) {
        int bits = bits_for((int64_t)t->code[j].count + 1);
        if (used + bits > 64) {
            m->words++;
            used = 0;
        }
        word[j] = m->words - 1;
        shift[j] = used;
        used += bits;
    }
    for (m->slots = 64; m->slots < (uint64_t)t->count * 2;) m->slots *= 2;
    NEW(work, m->packed, (t->count + 1) * m->words);
    NEW(work, m->field, AGREE_COLUMNS * m->words);
    NEW(work, m->lacks, t->count + 1);
    NEW(work, m->slot, m->slots);
    NEW(work, m->first, t->count + 1);
    for (int64_t j = 0; j < t->columns; j++) {
        m->field[j * m->words + word[j]] = ((UINT64_C(2) << (bits_for((int64_t)t->code[j].count + 1) - 1)) - 1) << shift[j];
        for (int64_t g = 0; g < t->count; g++) {
            int32_t v = t->code[j].at[g];
            m->lacks[g] |= (uint32_t)(v < 0) << j;
            m->packed[g * m->words + word[j]] |= (uint64_t)(v + 1) << shift[j];
        }
    }
done:
    return status;
}

/* The slot of a tuple's kind, and whether it is taken. */
static int32_t *find(const Matcher *m, const uint64_t *mask, uint64_t slots, const int32_t *asked, int64_t tuple) {
    const uint64_t *own = m->packed + tuple * m->words;
    uint64_t at = 0;
    for (int w = 0; w < m->words; w++) at = word_hash(at ^ (own[w] & mask[w]));
    for (at >>= 20;; at++) {
        int32_t *slot = &m->slot[at & (slots - 1)];
        if (!*slot) return slot;
        const uint64_t *other = m->packed + (int64_t)asked[*slot - 1] * m->words;
        uint64_t differs = 0;
        for (int w = 0; w < m->words; w++) differs |= (own[w] ^ other[w]) & mask[w];
        if (!differs) return slot;
    }
}

void matcher_count(Matcher *m, uint32_t set, const int32_t *asked, int64_t count, double *found) {
    const TupleSet *t = m->tuples;
    uint64_t mask[AGREE_COLUMNS] = { 0 }, slots = 64;
    for (int64_t j = 0; j < t->columns; j++)
        for (int w = 0; w < m->words && set >> j & 1; w++) mask[w] |= m->field[j * m->words + w];
    while (slots < (uint64_t)count * 2) slots *= 2;
    memset(m->slot, 0, slots * sizeof *m->slot);
    for (int64_t i = 0; i < count; i++) {
        found[i] = 0;
        m->first[i] = -1;
        if (m->lacks[asked[i]] & set) continue;
        int32_t *slot = find(m, mask, slots, asked, asked[i]);
        if (!*slot) *slot = (int32_t)i + 1;
        m->first[i] = *slot - 1;
    }
    for (int64_t g = 0; g < t->count; g++) {
        if (t->held[0][g] == 0 || (m->lacks[g] & set)) continue;
        const int32_t *slot = find(m, mask, slots, asked, g);
        if (*slot) found[*slot - 1] += t->held[0][g];
    }
    for (int64_t i = 0; i < count; i++)
        if (m->first[i] >= 0) found[i] = found[m->first[i]];
}
