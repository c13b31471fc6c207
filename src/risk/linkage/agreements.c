/* Agreements: sets of columns are walked depth first, group by group: the tuples that agree on a set are those that agree on it without its
 * last column, refined. A group's lines are copied together, so that whatever is read of them lies in a row. Columns of few values come
 * last, and a group's agreements on those of which there are fewer combinations than tuples are counted by a cube; a group in which few
 * pairs are left leaves the walk: what its pairs agree on is seen at once. */
#include "risk/linkage/agreements.h"
#include <stdlib.h>
#include "risk/linkage/at_once.h"

enum { NOWHERE = -1 };
enum { MOST_CELLS = 1 << 17, CELLS_A_LINE = 4 };             /* of a cube: what a near cache holds, and what is worth the lines */
enum { CELL_TAKES = 2, LINE_TAKES = 4, REFINED_TAKES = 16 }; /* times what a pair takes */

/* Of a group: its lines, and those that the original and the release have. */
typedef struct {
    int64_t start;
    int32_t lines, originals, released;
} Group;

/* Lines of one group's groups. */
typedef struct {
    uint64_t *line;
    Group *group;
    int64_t groups, line_room, group_room;
} Parts;

/* What the lines of a code come to. */
typedef struct {
    int32_t lines, originals, released, place; /* lines; those that the original and the release have; where the next one goes */
    uint64_t held;                             /* records: of the original the low half, of the release the high one */
} Tally;

/* What one task keeps: the parts of one group for each depth, and counts. All counts are whole numbers: the order of the tasks does not
 * show. */
typedef struct {
    const Work *work;
    const TupleSet *t;
    Field field[AGREE_COLUMNS]; /* by place */
    int32_t values[AGREE_COLUMNS];
    Parts at[AGREE_COLUMNS]; /* depth → the group that is walked there, refined */
    Tally *tally;            /* by code */
    int32_t *touched;
    uint64_t *cell; /* of a cube */
    Chunk chunk;
    uint64_t *pairs;              /* set → pairs that agree on it at least, of groups still walked */
    uint64_t *few[AGREE_COLUMNS]; /* last column of a set → the set, and below it what its pairs agree on after that → such pairs */
} Walk;

static bool room_for(Parts *p, int64_t words, int64_t groups) {
    if (words > p->line_room) {
        free(p->line);
        p->line = malloc((size_t)words * sizeof *p->line);
        p->line_room = p->line ? words : 0;
    }
    if (groups > p->group_room) {
        free(p->group);
        p->group = malloc((size_t)groups * sizeof *p->group);
        p->group_room = p->group ? groups : 0;
    }
    return p->line_room >= words && p->group_room >= groups;
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
        y->held += line[0];
    }
    return touched;
}

/* Says where each code's lines go. Gives how many lines go anywhere: after the last column none. */
static int64_t place_groups(Walk *w, int64_t touched, Parts *out, uint32_t set, bool last) {
    int64_t at = 0;
    out->groups = 0;
    for (int64_t k = 0; k < touched; k++) {
        Tally *y = &w->tally[w->touched[k]];
        y->place = NOWHERE;
        if (!y->originals || !y->released) continue;
        if (last) {
            w->pairs[set] += (y->held & UINT32_MAX) * (y->held >> 32);
            continue;
        }
        out->group[out->groups++] = (Group){ at, y->lines, y->originals, y->released };
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
    for (int64_t k = 0; k < touched; k++) w->tally[w->touched[k]] = (Tally){ 0 };
    return true;
}

/* The first of the columns after `last` that a cube of this many lines takes. */
static int cube_from(const Walk *w, int64_t lines, int last) {
    int64_t most = lines < MOST_CELLS / CELLS_A_LINE ? lines * CELLS_A_LINE : MOST_CELLS;
    int first = last + 1;
    while (cube_cells(w->t, w->values, first, most) > most) first++;
    return first;
}

static bool walk_column(Walk *w, int depth, const uint64_t *line, int64_t count, uint32_t set, int column);

/* All sets that are `set`, whose last column is `last`, and perhaps more after it; of one group that agrees on it. */
static bool walk_group(Walk *w, int depth, const uint64_t *line, const Group *g, uint32_t set, int last) {
    int columns = (int)w->t->columns, from = cube_from(w, g->lines, last);
    int64_t cells = cube_cells(w->t, w->values, from, MOST_CELLS), refined = from - last - 1;
    int64_t takes = cells * CELL_TAKES + g->lines * (LINE_TAKES + refined * REFINED_TAKES);
    if ((int64_t)g->originals * g->released <= takes) {
        agree_pairwise(w->t, line, g->lines, last + 1, &w->chunk, w->few[last] + ((size_t)set << (columns - last - 1)));
        return true;
    }
    if (from < columns) agree_by_cube(w->t, w->values, line, g->lines, from, w->cell, w->pairs + set);
    uint64_t held = 0;
    for (int64_t i = 0; i < g->lines; i++) held += line[i * w->t->stride];
    w->pairs[set] += (held & UINT32_MAX) * (held >> 32);
    for (int next = last + 1; next < from; next++)
        if (!walk_column(w, depth, line, g->lines, set, next)) return false;
    return true;
}

/* All sets that are `set` and a column after its last one, and perhaps more; of one group. */
static bool walk_column(Walk *w, int depth, const uint64_t *line, int64_t count, uint32_t set, int column) {
    const Parts *parts = &w->at[depth];
    set |= UINT32_C(1) << column;
    if (work_stopped(w->work) || !refine(w, line, count, &w->at[depth], set, column)) return false;
    for (int64_t g = 0; g < parts->groups; g++)
        if (!walk_group(w, depth + 1, parts->line + parts->group[g].start * w->t->stride, &parts->group[g], set, column)) return false;
    return true;
}

static void walk_free(Walk *w) {
    if (!w) return;
    for (int d = 0; d < AGREE_COLUMNS; d++) {
        free(w->at[d].line);
        free(w->at[d].group);
        free(w->few[d]);
    }
    free(w->tally);
    free(w->touched);
    free(w->cell);
    free(w->pairs);
    free(w);
}

/* NULL where memory is out. */
static Walk *walk_make(const Work *work, const TupleSet *t) {
    size_t sets = (size_t)1 << t->columns, most = 1;
    Walk *w = calloc(1, sizeof *w);
    if (!w) return NULL;
    w->work = work;
    w->t = t;
    for (int64_t j = 0; j < t->columns; j++) {
        w->field[t->place[j]] = t->field[j];
        w->values[t->place[j]] = t->values[j];
        if ((size_t)t->values[j] > most) most = (size_t)t->values[j];
    }
    w->tally = calloc(most + 1, sizeof *w->tally);
    w->touched = calloc(most + 1, sizeof *w->touched);
    w->cell = calloc(MOST_CELLS, sizeof *w->cell);
    w->pairs = calloc(sets, sizeof *w->pairs);
    bool fine = w->tally && w->touched && w->cell && w->pairs;
    for (int64_t j = 0; j < t->columns; j++) {
        w->few[j] = calloc(sets, sizeof *w->few[j]);
        fine &= w->few[j] != NULL;
    }
    if (fine) return w;
    walk_free(w);
    return NULL;
}

/* Pairs agree also on every part of what they agree on after the last column. */
static void add_up(Walk *w, uint64_t *out) {
    const uint32_t sets = UINT32_C(1) << w->t->columns;
    for (int64_t last = 0; last < w->t->columns; last++) {
        const int first = (int)last + 1, after = (int)w->t->columns - first;
        for (int j = 0; j < after; j++)
            for (uint32_t i = 0; i < sets; i++)
                if (!(i >> j & 1)) w->few[last][i] += w->few[last][i | UINT32_C(1) << j];
        for (uint32_t i = 0; i < sets; i++) out[i >> after | (i & ((UINT32_C(1) << after) - 1)) << first] += w->few[last][i];
    }
    for (uint32_t set = 0; set < sets; set++) out[set] += w->pairs[set];
}

typedef struct {
    const Work *work;
    const TupleSet *t;
    uint64_t *pairs; /* first column → set → pairs */
} Counting;

/* All sets whose first column is this; of those that a cube of all tuples takes, all at once. */
static Status first_column(void *self, int64_t column, int64_t from, int64_t to, Error *error) {
    (void)from, (void)to;
    const Counting *c = self;
    const TupleSet *t = c->t;
    Walk *w = walk_make(c->work, t);
    if (!w) return fail(error, FAILED, "out of memory while counting agreements");
    int cube = cube_from(w, t->count, -1);
    bool fine = column >= cube || walk_column(w, 0, t->line, t->count, 0, (int)column);
    if (column == cube) agree_by_cube(t, w->values, t->line, t->count, cube, w->cell, w->pairs);
    if (fine) add_up(w, c->pairs + (column << t->columns));
    walk_free(w);
    if (work_stopped(c->work)) return fail(error, INTERRUPTED, "interrupted");
    return fine ? OK : fail(error, FAILED, "out of memory while counting agreements");
}

static uint32_t moved_set(uint32_t set, const int *place, int64_t columns) {
    uint32_t moved = 0;
    for (int64_t j = 0; j < columns; j++) moved |= (set >> j & 1) << place[j];
    return moved;
}

Status count_agreements(Work *work, const TupleSet *t, double *pairs) {
    Status status = OK;
    Counting c = { .work = work, .t = t };
    const uint32_t sets = UINT32_C(1) << t->columns;
    NEW(work, c.pairs, t->columns << t->columns);
    TRY(parallel_for(work, t->columns, 1, first_column, &c));
    for (uint32_t set = 0; set < sets; set++) pairs[set] = 0;
    for (int64_t j = 0; j < t->columns; j++)
        for (uint32_t set = 0; set < sets; set++) pairs[set] += (double)c.pairs[(j << t->columns) + moved_set(set, t->place, t->columns)];
    pairs[0] = (double)t->rows * (double)t->rows;
    for (int64_t j = 0; j < t->columns; j++) /* from "at least" to "exactly" */
        for (uint32_t set = 0; set < sets; set++)
            if (!(set >> j & 1)) pairs[set] -= pairs[set | UINT32_C(1) << j];
done:
    arena_drop(work->arena, c.pairs);
    return status;
}
