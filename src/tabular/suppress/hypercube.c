/* Corners of boxes. A dimension's part of a move is a line: the code, a path down from it to a finest one, and the same below another code
 * of its sum with the opposite sign. The product of a line in every dimension leaves every sum as it is. */
#include "tabular/suppress/hypercube.h"
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "base/extremes.h"

enum { MOST_DIMS = 6, MOST_LINES = 64, MOST_CODES = 16, MOST_CORNERS = 512, OWN_PATHS = 3, WIDE_PATHS = 12, MANY_BOXES = 10000 };
static const double MOST_PLACES = 1 << 27;

typedef struct Line {
    double price; /* of its cells, all other codes being the cell's own */
    int32_t count;
    int32_t code[MOST_CODES]; /* the first is the cell's own */
    int8_t sign[MOST_CODES];
} Line;

struct Cubes {
    const Model *m;
    int32_t **at; /* dimension → cell → code */
    int64_t stride[MOST_DIMS];
    int32_t *row;                                 /* place → 1 + cell */
    int32_t *above[MOST_DIMS], *below[MOST_DIMS]; /* code → 1 + the sum that it is a part, or the total, of */
    Line line[MOST_DIMS][MOST_LINES];
    int lines[MOST_DIMS], own_paths, other_paths; /* paths down from a code, at most */
    /* the search: corners so far, dimension by dimension */
    const CubeAsk *ask;
    double x, best;
    int64_t place[MOST_CORNERS];
    int8_t sign[MOST_CORNERS];
    int32_t cell[MOST_CORNERS], found[MOST_CORNERS];
    double change[MOST_CORNERS];
    int64_t founds;
};

/* ---- the table ---- */

static bool sums_are_a_tree(const Dimension *dim, int32_t *above, int32_t *below) {
    for (int64_t s = 0; s < dim->sums; s++) {
        if (below[dim->sum[s].total]) return false;
        below[dim->sum[s].total] = (int32_t)s + 1;
        for (int32_t k = 0; k < dim->sum[s].count; k++) {
            if (above[dim->sum[s].part[k]]) return false;
            above[dim->sum[s].part[k]] = (int32_t)s + 1;
        }
    }
    return true;
}

static int64_t place_of(const Cubes *c, int32_t cell) {
    int64_t place = 0;
    for (int64_t d = 0; d < c->m->structure.dims; d++) place += c->stride[d] * c->at[d][cell];
    return place;
}

Status cubes_make(Work *work, const Model *m, Cubes **out) {
    Status status = OK;
    const Structure *s = &m->structure;
    Cubes *c = NULL;
    double places = 1;
    *out = NULL;
    if (!s->dims || s->dims > MOST_DIMS) return OK;
    for (int64_t d = 0; d < s->dims; d++) places *= s->dim[d].codes;
    if (places > MOST_PLACES || places > 64 * (double)m->cells + 1e6) return OK;
    NEW(work, c, 1);
    c->m = m;
    for (int64_t d = s->dims, stride = 1; d-- > 0; stride *= s->dim[d].codes) {
        c->stride[d] = stride;
        NEW(work, c->above[d], s->dim[d].codes + 1);
        NEW(work, c->below[d], s->dim[d].codes + 1);
        if (!sums_are_a_tree(&s->dim[d], c->above[d], c->below[d])) return OK;
    }
    TRY(structure_places(work, s, m->table, &c->at));
    NEW(work, c->row, (int64_t)places + 1);
    for (int64_t i = 0; i < m->table->rows; i++) c->row[place_of(c, (int32_t)i)] = (int32_t)i + 1;
    *out = c;
done:
    return status;
}

/* ---- lines ---- */

static double price_at(const Cubes *c, int64_t place, int sign) {
    int32_t row = c->row[place];
    return row ? c->ask->price(c->ask->self, row - 1, sign * c->x) : INFINITY;
}

/* One more code on the line; false where its cell cannot move so, or the line is too long. */
static bool step(const Cubes *c, int64_t d, int64_t rest, int32_t code, int sign, Line *line) {
    if (line->count == MOST_CODES) return false;
    double price = price_at(c, rest + c->stride[d] * code, sign);
    line->code[line->count] = code;
    line->sign[line->count++] = (int8_t)sign;
    line->price += price;
    return isfinite(line->price);
}

/* The cheapest part of a sum whose bit is not set; -1 where none can move so. */
static int32_t cheapest_part(const Cubes *c, int64_t d, int64_t rest, int sign, const Sum *sum, uint64_t tried) {
    double least = INFINITY;
    int32_t best = -1;
    for (int32_t k = 0; k < sum->count; k++) {
        if (k < 64 && tried >> k & 1) continue;
        double price = price_at(c, rest + c->stride[d] * sum->part[k], sign);
        if (price >= least) continue;
        least = price;
        best = k;
    }
    return best;
}

/* Lines from one on down to finest codes, the cheapest cells first; how many of at most `room`. */
static int descend(const Cubes *c, int64_t d, int64_t rest, int sign, const Line *from, Line *out, int room) {
    int32_t below = c->below[d][from->code[from->count - 1]], k;
    uint64_t tried = 0;
    int n = 0;
    if (!below) {
        *out = *from;
        return 1;
    }
    const Sum *sum = &c->m->structure.dim[d].sum[below - 1];
    while (n < room && (k = cheapest_part(c, d, rest, sign, sum, tried)) >= 0) {
        Line line = *from;
        if (step(c, d, rest, sum->part[k], sign, &line)) n += descend(c, d, rest, sign, &line, out + n, (room - n + 1) / 2);
        if (k > 63) break;
        tried |= UINT64_C(1) << k;
    }
    return n;
}

/* Keeps the cheapest lines, in order. */
static void keep_line(Cubes *c, int64_t d, int most, const Line *line) {
    Line *list = c->line[d];
    int n = c->lines[d], at = n < most ? n : most;
    while (at > 0 && list[at - 1].price > line->price) at--;
    if (at == most) return;
    if (n < most) n = ++c->lines[d];
    memmove(list + at + 1, list + at, (size_t)(n - 1 - at) * sizeof *list);
    list[at] = *line;
}

/* The line with every other part of the sum above `top`, the highest code that goes up with the cell's own. */
static void add_others(Cubes *c, int64_t d, int32_t top, int64_t rest, int most, const Line *up) {
    const Sum *sum = &c->m->structure.dim[d].sum[c->above[d][top] - 1];
    Line path[WIDE_PATHS];
    for (int32_t k = 0; k < sum->count; k++) {
        Line both = *up;
        if (sum->part[k] == top || !step(c, d, rest, sum->part[k], -1, &both)) continue;
        int paths = descend(c, d, rest, -1, &both, path, c->other_paths);
        for (int i = 0; i < paths; i++) keep_line(c, d, most, &path[i]);
    }
}

/* Lines through the cell along one dimension: its own paths down; with each the codes above it, none, one, …, and another part of the sum
 * that the last of them is in. */
static void find_lines(Cubes *c, int64_t d, int32_t own, int64_t rest, int most) {
    const Line start = { .count = 1, .code = { own }, .sign = { 1 } };
    Line path[WIDE_PATHS];
    c->lines[d] = 0;
    int paths = descend(c, d, rest, 1, &start, path, c->own_paths);
    for (int i = 0; i < paths; i++) {
        Line *up = &path[i];
        int32_t top = own;
        bool can = true;
        for (; can && c->above[d][top]; can = step(c, d, rest, top, 1, up)) {
            add_others(c, d, top, rest, most, up);
            top = c->m->structure.dim[d].sum[c->above[d][top] - 1].total;
        }
        if (can) keep_line(c, d, most, up);
    }
}

/* ---- boxes ---- */

/* The corners so far times one line: those with the cell's own code are there already. */
static int widen(Cubes *c, int64_t d, const Line *line, int32_t own, int corners, double *price) {
    int n = corners;
    if (corners * line->count > MOST_CORNERS) return 0;
    for (int k = 1; k < line->count; k++)
        for (int i = 0; i < corners; i++, n++) {
            c->place[n] = c->place[i] + c->stride[d] * (line->code[k] - own);
            c->sign[n] = (int8_t)(c->sign[i] * line->sign[k]);
            *price += price_at(c, c->place[n], c->sign[n]);
            if (!(*price < c->best)) return 0;
            c->cell[n] = c->row[c->place[n]] - 1;
        }
    return n;
}

static void take_box(Cubes *c, int corners, double price) {
    c->best = price;
    c->founds = corners;
    for (int i = 0; i < corners; i++) {
        c->found[i] = c->cell[i];
        c->change[i] = c->sign[i] * c->x;
    }
}

static void search(Cubes *c, int32_t cell, int64_t d, int corners, double price) {
    if (d == c->m->structure.dims) {
        take_box(c, corners, price);
        return;
    }
    for (int k = 0; k < c->lines[d]; k++) {
        double sum = price;
        int n = widen(c, d, &c->line[d][k], c->at[d][cell], corners, &sum);
        if (n) search(c, cell, d + 1, n, sum);
    }
}

void cube_find(Cubes *c, int32_t cell, double x, const CubeAsk *ask, CubeMove *out) {
    int64_t dims = c->m->structure.dims, place = place_of(c, cell);
    int most = (int)smaller(MOST_LINES - 1, pow((double)ask->boxes, 1.0 / (double)dims));
    bool wide = ask->boxes > MANY_BOXES;
    c->own_paths = wide ? WIDE_PATHS : OWN_PATHS;
    c->other_paths = wide ? WIDE_PATHS : 1;
    c->ask = ask;
    c->x = x;
    c->best = ask->most;
    c->founds = 0;
    c->place[0] = place;
    c->sign[0] = 1;
    c->cell[0] = cell;
    bool all = true;
    for (int64_t d = 0; d < dims && all; d++) {
        find_lines(c, d, c->at[d][cell], place - c->stride[d] * c->at[d][cell], most);
        all = c->lines[d] > 0;
    }
    if (all && isfinite(price_at(c, place, 1))) search(c, cell, 0, 1, 0);
    *out = (CubeMove){ .count = c->founds, .cell = c->found, .x = c->change, .price = c->best };
}
