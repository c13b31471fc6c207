/* Agreements: sets of columns are walked depth first, group by group, so that a group's tuples stay in a near cache: the tuples that agree
 * on a set are those that agree on it without its last column, refined. A group in which few pairs are left leaves the walk: what its pairs
 * agree on is seen at once. */
#include "risk/linkage/agreements.h"
#include <stdlib.h>
#include <string.h>
#include "table/group.h"

enum { FEW_PAIRS = 24 };

/* A tuple in one line of memory. */
typedef struct {
    int32_t code[AGREE_COLUMNS]; /* -1 where missing */
    int32_t held[2];             /* records of the original, of the release */
} Line;

typedef struct {
    int32_t *item;
    int64_t *start, groups, item_room, group_room;
} Parts;

/* What one task keeps: the parts of one group for each depth, and counts. All counts are whole numbers: the order of the tasks does not
 * show. */
typedef struct {
    const TupleSet *t;
    const Line *line;
    Parts at[AGREE_COLUMNS]; /* depth → the group that is walked there, refined */
    int64_t *count;          /* code → items */
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
    for (int64_t a = 0; a < count; a++) {
        const Line *x = &w->line[item[a]];
        if (!x->held[0]) continue;
        for (int64_t b = 0; b < count; b++) {
            const Line *y = &w->line[item[b]];
            uint32_t agree = set;
            if (!y->held[1]) continue;
            for (int64_t j = last + 1; j < w->t->columns; j++) agree |= (uint32_t)(x->code[j] >= 0 && x->code[j] == y->code[j]) << j;
            w->few[last][agree] += (double)x->held[0] * (double)y->held[1];
        }
    }
}

/* A new group of the set: kept, counted at once, or without a pair. True where it is kept. */
static bool keep_group(Walk *w, const int32_t *item, int64_t count, uint32_t set, int last) {
    int64_t originals = 0, released = 0;
    double held[2] = { 0 };
    for (int64_t i = 0; i < count; i++) {
        const Line *line = &w->line[item[i]];
        originals += line->held[0] > 0;
        released += line->held[1] > 0;
        held[0] += line->held[0];
        held[1] += line->held[1];
    }
    if (!originals || !released) return false;
    if (originals * released <= FEW_PAIRS) {
        count_few(w, item, count, set, last);
        return false;
    }
    w->pairs[set] += held[0] * held[1];
    return true;
}

/* A group by the codes of a column. */
static bool refine(Walk *w, const int32_t *item, int64_t count, Parts *out, uint32_t set, int column) {
    int64_t touched = 0, at = 0, items = 0;
    out->groups = 0;
    for (int64_t i = 0; i < count; i++) {
        int32_t v = w->line[item[i]].code[column];
        if (v >= 0 && !w->count[v]++) w->touched[touched++] = v;
    }
    if (!room_for(out, count, touched)) return false;
    for (int64_t k = 0; k < touched; k++) {
        int64_t size = w->count[w->touched[k]];
        w->count[w->touched[k]] = at;
        at += size;
    }
    for (int64_t i = 0; i < count; i++) {
        int32_t v = w->line[item[i]].code[column];
        if (v >= 0) out->item[w->count[v]++] = item[i];
    }
    for (int64_t k = 0, first = 0; k < touched; k++) {
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
    return true;
}

/* All sets that are `set` and a column after its last one, and perhaps more; of one group. */
static bool walk_column(Walk *w, int depth, const int32_t *item, int64_t count, uint32_t set, int column) {
    const Parts *parts = &w->at[depth];
    set |= UINT32_C(1) << column;
    if (!refine(w, item, count, &w->at[depth], set, column)) return false;
    for (int64_t g = 0; g < parts->groups; g++)
        for (int next = column + 1; next < w->t->columns; next++)
            if (!walk_column(w, depth + 1, parts->item + parts->start[g], parts->start[g + 1] - parts->start[g], set, next)) return false;
    return true;
}

static void walk_free(Walk *w) {
    for (int d = 0; d < AGREE_COLUMNS; d++) {
        free(w->at[d].item);
        free(w->at[d].start);
    }
    free(w->count);
    free(w->touched);
    free(w->pairs);
    for (int j = 0; j < AGREE_COLUMNS; j++) free(w->few[j]);
}

static bool walk_make(Walk *w, const TupleSet *t, const Line *line) {
    size_t sets = (size_t)1 << t->columns, most = 1;
    *w = (Walk){ .t = t, .line = line };
    for (int64_t j = 0; j < t->columns; j++)
        if ((size_t)t->code[j].count > most) most = (size_t)t->code[j].count;
    w->count = calloc(most + 1, sizeof *w->count);
    w->touched = calloc(most + 1, sizeof *w->touched);
    w->pairs = calloc(sets, sizeof *w->pairs);
    bool fine = w->count && w->touched && w->pairs;
    for (int64_t j = 0; j < t->columns; j++) {
        w->few[j] = calloc(sets, sizeof *w->few[j]);
        fine &= w->few[j] != NULL;
    }
    return fine;
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
    Line *line;
    int32_t *all;  /* every tuple */
    double *pairs; /* first column → set → pairs */
} Counting;

/* All sets whose first column is this. */
static Status first_column(void *self, int64_t column, int64_t from, int64_t to, Error *error) {
    (void)from, (void)to;
    const Counting *c = self;
    Walk w;
    bool fine = walk_make(&w, c->t, c->line) && walk_column(&w, 0, c->all, c->t->count, 0, (int)column);
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
    NEW(work, c.line, t->count + 1);
    NEW(work, c.all, t->count + 1);
    for (int64_t g = 0; g < t->count; g++) {
        c.all[g] = (int32_t)g;
        for (int64_t j = 0; j < t->columns; j++) c.line[g].code[j] = finest.code[j].at[g];
        for (int k = 0; k < 2; k++) c.line[g].held[k] = (int32_t)t->held[k][g];
    }
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
    arena_drop(work->arena, c.line);
    arena_drop(work->arena, c.all);
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

/* The slot of a tuple's kind, and whether it is taken. Half of a hash stands in the slot: kinds that differ are seldom looked up. */
static uint64_t *find(const Matcher *m, const uint64_t *mask, uint64_t slots, const int32_t *asked, int64_t tuple, uint64_t *hash) {
    const uint64_t *own = m->packed + tuple * m->words;
    uint64_t at = 0;
    for (int w = 0; w < m->words; w++) at = word_hash(at ^ (own[w] & mask[w]));
    *hash = at & ~(uint64_t)UINT32_MAX;
    for (uint64_t place = at;; place++) {
        uint64_t *slot = &m->slot[place & (slots - 1)];
        if (!*slot) return slot;
        if ((*slot ^ at) >> 32) continue;
        const uint64_t *other = m->packed + (int64_t)asked[(uint32_t)*slot - 1] * m->words;
        uint64_t differs = 0;
        for (int w = 0; w < m->words; w++) differs |= (own[w] ^ other[w]) & mask[w];
        if (!differs) return slot;
    }
}

void matcher_count(Matcher *m, uint32_t set, const int32_t *asked, int64_t count, double *found) {
    const TupleSet *t = m->tuples;
    uint64_t mask[AGREE_COLUMNS] = { 0 }, slots = 64, hash;
    for (int64_t j = 0; j < t->columns; j++)
        for (int w = 0; w < m->words && set >> j & 1; w++) mask[w] |= m->field[j * m->words + w];
    while (slots < (uint64_t)count * 2) slots *= 2;
    memset(m->slot, 0, slots * sizeof *m->slot);
    for (int64_t i = 0; i < count; i++) {
        found[i] = 0;
        m->first[i] = -1;
        if (m->lacks[asked[i]] & set) continue;
        uint64_t *slot = find(m, mask, slots, asked, asked[i], &hash);
        if (!*slot) *slot = hash | ((uint32_t)i + 1);
        m->first[i] = (int32_t)((uint32_t)*slot - 1);
    }
    for (int64_t g = 0; g < t->count; g++) {
        if (t->held[0][g] == 0 || (m->lacks[g] & set)) continue;
        const uint64_t *slot = find(m, mask, slots, asked, g, &hash);
        if (*slot) found[(uint32_t)*slot - 1] += t->held[0][g];
    }
    for (int64_t i = 0; i < count; i++)
        if (m->first[i] >= 0) found[i] = found[m->first[i]];
}
