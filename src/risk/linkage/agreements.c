/* Agreements: sets of columns are walked depth first, group by group: the tuples that agree on a set are those that agree on it without its
 * last column, refined. A group's lines are copied together, so that whatever is read of them lies in a row. A group in which few pairs are
 * left leaves the walk: what its pairs agree on is seen at once. */
#include "risk/linkage/agreements.h"
#include <stdlib.h>

enum { FEW_PAIRS = 24, NOWHERE = -1 };

/* Lines of one group's groups: those that are walked on, then those with few pairs. */
typedef struct {
    uint64_t *line;
    int64_t *start, groups, line_room, group_room;
} Parts;

/* What the lines of a code come to. */
typedef struct {
    int32_t lines, originals, released, place; /* lines; those that the original and the release have; where the next one goes */
    int64_t held[2];                           /* records */
} Tally;

/* What one task keeps: the parts of one group for each depth, and counts. All counts are whole numbers: the order of the tasks does not
 * show. */
typedef struct {
    const TupleSet *t;
    Field field[AGREE_COLUMNS]; /* in the order of the walk */
    Parts at[AGREE_COLUMNS];    /* depth → the group that is walked there, refined */
    Tally *tally;               /* by code */
    int32_t *touched;
    double *pairs;              /* set → pairs that agree on it at least, of groups still walked */
    double *few[AGREE_COLUMNS]; /* last column of a set → the set and what its pairs agree on after that → such pairs */
} Walk;

static bool room_for(Parts *p, int64_t words, int64_t groups) {
    if (words > p->line_room) {
        free(p->line);
        p->line = malloc((size_t)words * sizeof *p->line);
        p->line_room = p->line ? words : 0;
    }
    if (groups + 1 > p->group_room) {
        free(p->start);
        p->start = malloc(((size_t)groups + 1) * sizeof *p->start);
        p->group_room = p->start ? groups + 1 : 0;
    }
    return p->line_room >= words && p->group_room > groups;
}

/* The pairs of a small group, by all that they agree on after column `last`. */
static void count_few(Walk *w, const uint64_t *line, int64_t count, uint32_t set, int last) {
    const uint64_t *end = line + count * w->t->stride;
    for (const uint64_t *a = line; a < end; a += w->t->stride) {
        if (!line_originals(a)) continue;
        for (const uint64_t *b = line; b < end; b += w->t->stride) {
            uint32_t agree = set;
            if (!line_released(b)) continue;
            for (int64_t j = last + 1; j < w->t->columns; j++) agree |= (uint32_t)lines_agree(a, b, &w->field[j]) << j;
            w->few[last][agree] += (double)line_originals(a) * (double)line_released(b);
        }
    }
}

/* Tallies a group's lines by the codes of a column; gives how many codes there are. */
static int64_t tally_codes(Walk *w, const uint64_t *line, int64_t count, const Field *f) {
    int64_t touched = 0;
    const int stride = w->t->stride;
    for (const uint64_t *end = line + count * stride; line < end; line += stride) {
        uint64_t code = (line[f->word] & f->mask) >> f->shift;
        Tally *y = &w->tally[code];
        if (!code) continue;
        if (!y->lines++) w->touched[touched++] = (int32_t)code;
        y->originals += line_originals(line) > 0;
        y->released += line_released(line) > 0;
        y->held[0] += line_originals(line);
        y->held[1] += line_released(line);
    }
    return touched;
}

/* Says where each code's lines go: kept ones first. Gives how many lines go anywhere. */
static int64_t place_groups(Walk *w, int64_t touched, Parts *out, uint32_t set, bool last) {
    int64_t at = 0;
    out->groups = 0;
    for (int64_t k = 0; k < touched; k++) {
        Tally *y = &w->tally[w->touched[k]];
        y->place = NOWHERE;
        if (!y->originals || !y->released) continue;
        if (!last && (int64_t)y->originals * y->released <= FEW_PAIRS) continue;
        w->pairs[set] += (double)y->held[0] * (double)y->held[1];
        if (last) continue;
        out->start[out->groups++] = at;
        y->place = (int32_t)at;
        at += y->lines;
    }
    out->start[out->groups] = at;
    for (int64_t k = 0; k < touched && !last; k++) {
        Tally *y = &w->tally[w->touched[k]];
        if (y->place != NOWHERE || !y->originals || !y->released) continue;
        y->place = (int32_t)at;
        at += y->lines;
    }
    return at;
}

static void copy_lines(Walk *w, const uint64_t *line, int64_t count, const Field *f, Parts *out) {
    const int stride = w->t->stride;
    for (const uint64_t *end = line + count * stride; line < end; line += stride) {
        Tally *y = &w->tally[(line[f->word] & f->mask) >> f->shift];
        if (y->place == NOWHERE) continue;
        uint64_t *to = out->line + (int64_t)y->place++ * stride;
        to[0] = line[0];
        to[1] = line[1];
        for (int k = 2; k < stride; k++) to[k] = line[k];
    }
}

/* A group by the codes of a column. */
static bool refine(Walk *w, const uint64_t *line, int64_t count, Parts *out, uint32_t set, int column) {
    const Field *f = &w->field[column];
    int64_t touched = tally_codes(w, line, count, f);
    if (!room_for(out, count * w->t->stride, touched)) return false;
    w->tally[0].place = NOWHERE;
    if (place_groups(w, touched, out, set, column + 1 == w->t->columns)) copy_lines(w, line, count, f, out);
    for (int64_t k = 0; k < touched; k++) {
        Tally *y = &w->tally[w->touched[k]];
        int64_t first = y->place - y->lines;
        if (y->place != NOWHERE && first >= out->start[out->groups]) count_few(w, out->line + first * w->t->stride, y->lines, set, column);
        *y = (Tally){ 0 };
    }
    return true;
}

/* All sets that are `set` and a column after its last one, and perhaps more; of one group. */
static bool walk_column(Walk *w, int depth, const uint64_t *line, int64_t count, uint32_t set, int column) {
    const Parts *parts = &w->at[depth];
    set |= UINT32_C(1) << column;
    if (!refine(w, line, count, &w->at[depth], set, column)) return false;
    for (int64_t g = 0; g < parts->groups; g++)
        for (int next = column + 1; next < w->t->columns; next++)
            if (!walk_column(w, depth + 1, parts->line + parts->start[g] * w->t->stride, parts->start[g + 1] - parts->start[g], set, next))
                return false;
    return true;
}

static void walk_free(Walk *w) {
    for (int d = 0; d < AGREE_COLUMNS; d++) {
        free(w->at[d].line);
        free(w->at[d].start);
    }
    free(w->tally);
    free(w->touched);
    free(w->pairs);
    for (int j = 0; j < AGREE_COLUMNS; j++) free(w->few[j]);
}

static bool walk_make(Walk *w, const TupleSet *t, const int *place) {
    size_t sets = (size_t)1 << t->columns, most = 1;
    *w = (Walk){ .t = t };
    for (int64_t j = 0; j < t->columns; j++) {
        w->field[place[j]] = t->field[j];
        if ((size_t)t->values[j] > most) most = (size_t)t->values[j];
    }
    w->tally = calloc(most + 1, sizeof *w->tally);
    w->touched = calloc(most + 1, sizeof *w->touched);
    w->pairs = calloc(sets, sizeof *w->pairs);
    bool fine = w->tally && w->touched && w->pairs;
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
    int place[AGREE_COLUMNS]; /* column → when it is walked */
    double *pairs;            /* first column → set → pairs */
} Counting;

/* All sets whose first column is this. */
static Status first_column(void *self, int64_t column, int64_t from, int64_t to, Error *error) {
    (void)from, (void)to;
    const Counting *c = self;
    Walk w;
    bool fine = walk_make(&w, c->t, c->place) && walk_column(&w, 0, c->t->line, c->t->count, 0, (int)column);
    if (fine) add_up(&w, c->pairs + (column << c->t->columns));
    walk_free(&w);
    return fine ? OK : fail(error, FAILED, "out of memory while counting agreements");
}

/* Columns of most values first: what agrees on them is soon little, and sets with them are no longer walked through all tuples. */
static void finest_first(const TupleSet *t, int *place) {
    for (int64_t j = 0; j < t->columns; j++) {
        place[j] = 0;
        for (int64_t i = 0; i < t->columns; i++) place[j] += t->values[i] > t->values[j] || (t->values[i] == t->values[j] && i < j);
    }
}

static uint32_t moved_set(uint32_t set, const int *place, int64_t columns) {
    uint32_t moved = 0;
    for (int64_t j = 0; j < columns; j++) moved |= (set >> j & 1) << place[j];
    return moved;
}

Status count_agreements(Work *work, const TupleSet *t, double *pairs) {
    Status status = OK;
    Counting c = { .t = t };
    const uint32_t sets = UINT32_C(1) << t->columns;
    finest_first(t, c.place);
    NEW(work, c.pairs, t->columns << t->columns);
    TRY(parallel_for(work, t->columns, 1, first_column, &c));
    for (uint32_t set = 0; set < sets; set++) pairs[set] = 0;
    for (int64_t j = 0; j < t->columns; j++)
        for (uint32_t set = 0; set < sets; set++) pairs[set] += c.pairs[(j << t->columns) + moved_set(set, c.place, t->columns)];
    pairs[0] = (double)t->rows * (double)t->rows;
    for (int64_t j = 0; j < t->columns; j++) /* from "at least" to "exactly" */
        for (uint32_t set = 0; set < sets; set++)
            if (!(set >> j & 1)) pairs[set] -= pairs[set | UINT32_C(1) << j];
done:
    arena_drop(work->arena, c.pairs);
    return status;
}
