/* Agreements: sets of columns are walked depth first, group by group: the tuples that agree on a set are those that agree on it without its
 * last column, refined. A group's lines are copied together, so that whatever is read of them lies in a row. Columns of few values come
 * last, and a group's agreements on those of which there are fewer combinations than tuples are counted by a cube. Groups leave the walk
 * where few pairs are left, which are seen one by one, or where few of them agree on any column that the cube does not have. */
#include "risk/linkage/agreements.h"
#include <stdlib.h>
#include "risk/linkage/group_pairs.h"

enum { MOST_CELLS = 1 << 17, CELLS_A_LINE = 4 };       /* of a cube: what a near cache holds, and what is worth the lines */
enum { COMMON_CELLS = 1 << 10, MOST_CODES = 1 << 16 }; /* of the cube whose cells lines know; of the columns that have bits */
enum { CELL_TAKES = 1, LINE_TAKES = 3, REFINED_TAKES = 28, BIT_TAKES = 3 }; /* times what a pair takes */

/* Lines of one group's groups, by side. */
typedef struct {
    uint64_t *line[2];
    Group *group;
    int64_t groups, line_room[2], group_room;
} Parts;

/* Of a code: its lines by side, and where the next one goes. */
typedef struct {
    int32_t lines[2], place[2];
} Tally;

/* What one task keeps: the parts of one group for each depth, and counts. All counts are whole numbers: the order of the tasks does not
 * show. */
typedef struct {
    const Work *work;
    const TupleSet *t;
    Layout layout;
    Parts at[AGREE_COLUMNS + 1]; /* depth → the group that is walked there, refined */
    Tally *tally;                /* by code */
    int32_t *touched;
    uint64_t *cell; /* of a cube */
    uint64_t *bits; /* by code of the columns before the common cube; NULL where they are too many */
    int64_t codes[AGREE_COLUMNS];
    double share[AGREE_COLUMNS + 1]; /* place → of all pairs, about how many agree on a column from there to before the cube */
    uint64_t *pairs;                 /* set → pairs that agree on it at least, of groups still walked */
    uint64_t *few[AGREE_COLUMNS];    /* last column of a set → the set, and below it what its pairs agree on after that → such pairs */
    uint64_t *some[AGREE_COLUMNS];   /* the same of pairs that agree on some column before the cube */
} Walk;

static bool room_for(Parts *p, const int64_t lines[2], int stride, int64_t groups) {
    bool fine = true;
    for (int side = 0; side < 2; side++) {
        if (lines[side] > p->line_room[side]) {
            free(p->line[side]);
            p->line[side] = malloc((size_t)(lines[side] * stride) * sizeof(uint64_t) + LINE_PAD);
            p->line_room[side] = p->line[side] ? lines[side] : 0;
        }
        fine &= p->line_room[side] >= lines[side];
    }
    if (groups > p->group_room) {
        free(p->group);
        p->group = malloc((size_t)groups * sizeof *p->group);
        p->group_room = p->group ? groups : 0;
    }
    return fine && p->group_room >= groups;
}

static inline uint64_t code_in(const uint64_t *line, const Field *f) { return (line[f->word] & f->mask) >> f->shift; }

/* Tallies a group's lines by the codes of a column: of the release only those of codes that the original has. Gives how many codes that
 * has. */
static int64_t tally_codes(Walk *w, const Group *g, const Field *f) {
    int64_t touched = 0;
    const int stride = w->t->stride;
    const uint64_t *line = g->line[0], *end = line + g->count[0] * stride;
    for (; line < end; line += stride) {
        uint64_t code = code_in(line, f);
        if (code && !w->tally[code].lines[0]++) w->touched[touched++] = (int32_t)code;
    }
    line = g->line[1], end = line + g->count[1] * stride;
    for (; line < end; line += stride) {
        Tally *y = &w->tally[code_in(line, f)];
        y->lines[1] += y->lines[0] > 0;
    }
    return touched;
}

/* Codes that both have become groups. */
static void place_groups(Walk *w, int64_t touched, Parts *out) {
    int64_t at[2] = { 0 };
    const int stride = w->t->stride;
    out->groups = 0;
    for (int64_t k = 0; k < touched; k++) {
        Tally *y = &w->tally[w->touched[k]];
        if (!y->lines[1]) continue;
        Group *g = &out->group[out->groups++];
        for (int side = 0; side < 2; side++) {
            g->line[side] = out->line[side] + at[side] * stride;
            g->count[side] = y->lines[side];
            y->place[side] = (int32_t)at[side];
            at[side] += y->lines[side];
        }
    }
}

static void copy_lines(Walk *w, const Group *g, int side, const Field *f, Parts *out) {
    const int stride = w->t->stride;
    const uint64_t *line = g->line[side];
    for (const uint64_t *end = line + g->count[side] * stride; line < end; line += stride) {
        Tally *y = &w->tally[code_in(line, f)];
        if (!y->lines[1]) continue;
        uint64_t *to = out->line[side] + (int64_t)y->place[side]++ * stride;
        to[0] = line[0];
        to[1] = line[1];
        for (int k = 2; k < stride; k++) to[k] = line[k];
    }
}

/* A group by the codes of a column. */
static bool refine(Walk *w, const Group *g, Parts *out, int column) {
    const Field *f = &w->layout.field[column];
    int64_t touched = tally_codes(w, g, f);
    if (!room_for(out, g->count, w->t->stride, touched)) return false;
    place_groups(w, touched, out);
    for (int side = 0; side < 2 && out->groups; side++) copy_lines(w, g, side, f, out);
    for (int64_t k = 0; k < touched; k++) w->tally[w->touched[k]] = (Tally){ 0 };
    return true;
}

/* The first of the columns after `last` that a cube of this many lines takes. */
static int cube_from(const Layout *l, int64_t lines, int last) {
    int64_t most = lines < MOST_CELLS / CELLS_A_LINE ? lines * CELLS_A_LINE : MOST_CELLS;
    int first = last + 1;
    while (cube_cells(l, first, most) > most) first++;
    return first;
}

static bool walk_column(Walk *w, int depth, const Group *g, uint32_t set, int column);

/* All sets that are `set`, whose last column is `last`, and perhaps more after it; of one group that agrees on it. */
static bool walk_group(Walk *w, int depth, const Group *g, uint32_t set, int last) {
    const Layout *l = &w->layout;
    const int64_t lines = g->count[0] + g->count[1];
    const int from = cube_from(l, lines, last), common = l->cube > last + 1 ? l->cube : last + 1, after = l->columns - last - 1;
    const double pairs = (double)g->count[0] * (double)g->count[1], refined = from - last - 1, bits = common - last - 1;
    const double walked = (double)cube_cells(l, from, MOST_CELLS) * CELL_TAKES + (double)lines * (LINE_TAKES + refined * REFINED_TAKES);
    const double by_bits = (double)cube_cells(l, common, MOST_CELLS) * CELL_TAKES + (double)lines * (LINE_TAKES + bits * BIT_TAKES) +
                           pairs * w->share[last + 1];
    if (pairs <= walked && pairs <= by_bits) {
        agree_pairwise(l, g, last + 1, w->few[last] + ((size_t)set << after));
        return true;
    }
    if (w->bits && by_bits <= walked) {
        agree_by_cube(l, g, common, w->cell, w->pairs + set);
        if (common > last + 1) agree_by_bits(l, g, last + 1, common, w->codes, w->bits, w->some[last] + ((size_t)set << after));
        return true;
    }
    agree_by_cube(l, g, from, w->cell, w->pairs + set);
    for (int next = last + 1; next < from; next++)
        if (!walk_column(w, depth, g, set, next)) return false;
    return true;
}

/* All sets that are `set` and a column after its last one, and perhaps more; of one group. */
static bool walk_column(Walk *w, int depth, const Group *g, uint32_t set, int column) {
    const Parts *parts = &w->at[depth];
    set |= UINT32_C(1) << column;
    if (work_stopped(w->work) || !refine(w, g, &w->at[depth], column)) return false;
    for (int64_t k = 0; k < parts->groups; k++)
        if (!walk_group(w, depth + 1, &parts->group[k], set, column)) return false;
    return true;
}

/* ---- The first column: all tuples, which are lines of both sides at once ---- */

/* The tuples of each code of a column, ascending: code c has those of tuple[start[c]] … tuple[start[c + 1] - 1]. */
static bool by_code(const TupleSet *t, const Field *f, int32_t values, int64_t **start, int32_t **tuple) {
    *start = calloc((size_t)values + 3, sizeof **start);
    *tuple = malloc(((size_t)t->count + 1) * sizeof **tuple);
    if (!*start || !*tuple) return false;
    int64_t *next = *start + 2;
    for (int64_t g = 0; g < t->count; g++) next[code_in(tuple_line(t, g), f)]++;
    for (int32_t c = 1; c <= values; c++) next[c] += next[c - 1];
    for (int64_t g = 0; g < t->count; g++) (*tuple)[next[(int64_t)code_in(tuple_line(t, g), f) - 1]++] = (int32_t)g;
    return true;
}

/* Tuples lie far from one another: those ahead are asked for early. */
static const uint64_t *tuple_ahead(const TupleSet *t, const int32_t *tuple, int64_t i, int64_t count) {
    enum { AHEAD = 12 };
    if (i + AHEAD < count) __builtin_prefetch(tuple_line(t, tuple[i + AHEAD]));
    return tuple_line(t, tuple[i]);
}

/* How many lines there are for so many records. */
static inline uint32_t lines_for(const Walk *w, uint32_t records) { return w->layout.single ? records : records > 0; }

/* Some tuples as a group. */
static bool gather(Walk *w, const int32_t *tuple, int64_t count, Parts *out, Group *g) {
    const int stride = w->t->stride;
    int64_t lines[2] = { 0 };
    for (int64_t i = 0; i < count; i++) {
        const uint64_t *line = tuple_ahead(w->t, tuple, i, count);
        lines[0] += lines_for(w, line_originals(line));
        lines[1] += lines_for(w, line_released(line));
    }
    if (!room_for(out, lines, stride, 0)) return false;
    *g = (Group){ { out->line[0], out->line[1] }, { lines[0], lines[1] } };
    uint64_t *to[2] = { out->line[0], out->line[1] };
    for (int64_t i = 0; i < count; i++) {
        const uint64_t *line = tuple_ahead(w->t, tuple, i, count), cell = (uint64_t)cube_cell(&w->layout, line) << 32;
        const uint32_t records[2] = { line_originals(line), line_released(line) };
        for (int side = 0; side < 2; side++)
            for (uint32_t left = lines_for(w, records[side]); left; left--, to[side] += stride) {
                to[side][0] = cell | (w->layout.single ? 1 : records[side]);
                for (int k = 1; k < stride; k++) to[side][k] = line[k];
            }
    }
    return true;
}

/* All sets whose first column is this. */
static bool walk_first(Walk *w, int column) {
    int64_t *start = NULL;
    int32_t *tuple = NULL;
    bool fine = by_code(w->t, &w->layout.field[column], w->layout.values[column], &start, &tuple);
    for (int32_t c = 1; fine && c <= w->layout.values[column]; c++) {
        Group g;
        fine = !work_stopped(w->work) && gather(w, tuple + start[c], start[c + 1] - start[c], &w->at[0], &g);
        if (fine && g.count[0] && g.count[1]) fine = walk_group(w, 1, &g, UINT32_C(1) << column, column);
    }
    free(start);
    free(tuple);
    return fine;
}

static void walk_free(Walk *w) {
    if (!w) return;
    for (int d = 0; d <= AGREE_COLUMNS; d++) {
        free(w->at[d].line[0]);
        free(w->at[d].line[1]);
        free(w->at[d].group);
    }
    for (int j = 0; j < AGREE_COLUMNS; j++) {
        free(w->few[j]);
        free(w->some[j]);
    }
    free(w->tally);
    free(w->touched);
    free(w->cell);
    free(w->bits);
    free(w->pairs);
    free(w);
}

/* How columns stand in lines, and which of them the common cube has. */
static void lay_out(Walk *w) {
    const TupleSet *t = w->t;
    Layout *l = &w->layout;
    int64_t codes = 0;
    *l = (Layout){ .tuples = t, .columns = (int)t->columns, .single = t->count * 3 > t->rows * 2 }; /* few are alike: they stand apart */
    l->apart = (INT64_C(1) << t->columns) + 24;                                                     /* in other lines of a cache */
    for (int64_t j = 0; j < t->columns; j++) {
        l->field[t->place[j]] = t->field[j];
        l->values[t->place[j]] = t->values[j];
    }
    while (cube_cells(l, l->cube, COMMON_CELLS) > COMMON_CELLS) l->cube++;
    for (int j = 0; j < l->cube; j++) {
        w->codes[j] = codes;
        codes += (int64_t)l->values[j] + 1;
    }
    for (int j = l->cube - 1; j >= 0; j--) w->share[j] = w->share[j + 1] + 1 / (double)(l->values[j] > 1 ? l->values[j] : 1);
    if (codes <= MOST_CODES) w->bits = calloc((size_t)codes * BIT_WORDS + 1, sizeof *w->bits);
}

/* NULL where memory is out. */
static Walk *walk_make(const Work *work, const TupleSet *t) {
    size_t sets = (size_t)1 << t->columns, most = 1;
    Walk *w = calloc(1, sizeof *w);
    if (!w) return NULL;
    w->work = work;
    w->t = t;
    lay_out(w);
    for (int64_t j = 0; j < t->columns; j++)
        if ((size_t)t->values[j] > most) most = (size_t)t->values[j];
    w->tally = calloc(most + 1, sizeof *w->tally);
    w->touched = calloc(most + 1, sizeof *w->touched);
    w->cell = calloc(MOST_CELLS, sizeof *w->cell);
    w->pairs = calloc(sets, sizeof *w->pairs);
    bool fine = w->tally && w->touched && w->cell && w->pairs;
    for (int64_t j = 0; j < t->columns; j++) {
        w->few[j] = calloc((size_t)w->layout.apart * ABREAST, sizeof *w->few[j]);
        w->some[j] = calloc((size_t)w->layout.apart * ABREAST, sizeof *w->some[j]);
        fine &= w->few[j] && w->some[j];
    }
    if (fine) return w;
    walk_free(w);
    return NULL;
}

/* Pairs agree also on every part of what they agree on after the last column. Of those that agree on some column before the cube, only
 * parts with such a column count: the cube has the others. */
static void add_parts(const Walk *w, int last, uint64_t *count, uint32_t counted, uint64_t *out) {
    const uint32_t sets = UINT32_C(1) << w->t->columns;
    const int first = last + 1, after = (int)w->t->columns - first;
    for (int k = 1; k < ABREAST; k++)
        for (uint32_t i = 0; i < sets; i++) count[i] += count[k * w->layout.apart + i];
    for (int j = 0; j < after; j++)
        for (uint32_t i = 0; i < sets; i++)
            if (!(i >> j & 1)) count[i] += count[i | UINT32_C(1) << j];
    for (uint32_t i = 0; i < sets; i++) {
        const uint32_t part = (i & ((UINT32_C(1) << after) - 1)) << first;
        if (!counted || part & counted) out[i >> after | part] += count[i];
    }
}

static void add_up(const Walk *w, uint64_t *out) {
    const uint32_t sets = UINT32_C(1) << w->t->columns;
    for (int last = 0; last < (int)w->t->columns; last++) {
        add_parts(w, last, w->few[last], 0, out);
        if (last + 1 < w->layout.cube) add_parts(w, last, w->some[last], (UINT32_C(1) << w->layout.cube) - 1, out);
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
    if (!w) return out_of_memory(error);
    int cube = cube_from(&w->layout, t->count, -1);
    bool fine = column >= cube || walk_first(w, (int)column);
    if (column == cube) agree_all_by_cube(&w->layout, cube, w->cell, w->pairs);
    if (fine) add_up(w, c->pairs + (column << t->columns));
    walk_free(w);
    if (work_stopped(c->work)) return fail(error, INTERRUPTED, "interrupted");
    return fine ? OK : out_of_memory(error);
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
