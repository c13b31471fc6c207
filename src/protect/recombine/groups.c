/* Association of columns, and groups of columns grown from seeds. */
#include "protect/recombine/groups.h"
#include "base/elementary.h"
#include "base/extremes.h"
#include "math/linear/moments.h"
#include "math/ranks.h"
#include "table/group.h"

enum { CLASSES = 10, MOST_CELLS = 1 << 16 };

/* What is asked of a column by every pair it is in, made once. */
typedef struct {
    const Column *column;
    const double *x;     /* numbers */
    double *rank;        /* theirs among all that are present */
    const int32_t *code; /* a number's class by rank; a category's code; NULL until a pair asks for it */
    int32_t codes;
} Side;

static Status take_numbers(Work *work, Side *s) {
    Status status = OK;
    int64_t rows = s->column->rows;
    TRY(column_reals(work, s->column, &s->x));
    NEW(work, s->rank, rows + 1);
    TRY(mid_ranks(work, s->x, rows, s->rank));
done:
    return status;
}

static Status take_codes(Work *work, Side *s) {
    Status status = OK;
    Codes codes;
    int32_t *class = NULL;
    int64_t rows = s->column->rows;
    if (s->code) return OK;
    TRY(column_codes(work, s->column, &codes));
    s->code = codes.at;
    s->codes = codes.count;
    if (!s->rank || codes.count <= CLASSES) goto done;
    codes_drop(work, s->column, &codes);
    NEW(work, class, rows + 1);
    for (int64_t i = 0; i < rows; i++)
        class[i] = isnan(s->rank[i])
                       ? -1
                       : (int32_t)smaller(CLASSES - 1, floor(CLASSES * (s->rank[i] - 0.5) / (double)(rows - s->column->missing)));
    s->code = class;
    s->codes = CLASSES;
done:
    return status;
}

static void side_drop(Work *work, Side *s) {
    if (s->x != s->column->real) arena_drop(work->arena, (double *)(uintptr_t)s->x);
    if (s->code != s->column->code) arena_drop(work->arena, (int32_t *)(uintptr_t)s->code);
    arena_drop(work->arena, s->rank);
    *s = (Side){ 0 };
}

static Status side_make(Work *work, const Column *column, Side *out) {
    Status status = OK;
    *out = (Side){ .column = column };
    if (column_numeric(column)) TRY(take_numbers(work, out));
done:
    return status;
}

/* Ranks among the records that have both; those among all where nothing is missing. */
static Status spearman(Work *work, const Side *a, const Side *b, double *out) {
    Status status = OK;
    const Side *side[2] = { a, b };
    const double *rank[2] = { a->rank, b->rank };
    double *both = NULL, *fresh[2] = { NULL };
    int64_t rows = a->column->rows;
    Moments moments;
    for (int k = 0; k < 2 && (a->column->missing || b->column->missing); k++) {
        NEW(work, both, rows + 1);
        NEW(work, fresh[k], rows + 1);
        for (int64_t i = 0; i < rows; i++) both[i] = isnan(side[!k]->x[i]) ? NAN : side[k]->x[i];
        TRY(mid_ranks(work, both, rows, fresh[k]));
        arena_drop(work->arena, both);
        both = NULL;
        rank[k] = fresh[k];
    }
    TRY(moments_make(work, rank, 2, NULL, rows, &moments));
    *out = fabs(moments_correlation(&moments, 0, 1));
    if (isnan(*out)) *out = 0;
done:
    arena_drop(work->arena, both);
    for (int k = 0; k < 2; k++) arena_drop(work->arena, fresh[k]);
    return status;
}

/* φ² = Σ n_ij²/(n_i n_j) − 1; V² = φ̃²/min(r̃ − 1, c̃ − 1), each taken down by what it is expected to be without any association (Bergsma
 * 2013). */
static double corrected_v(double squares, double n, double r, double c) {
    double phi = fmax(0, squares - 1 - (r - 1) * (c - 1) / (n - 1));
    double rows = r - (r - 1) * (r - 1) / (n - 1), columns = c - (c - 1) * (c - 1) / (n - 1), least = fmin(rows, columns) - 1;
    return n > 1 && least > 1e-9 ? sqrt(fmin(1, phi / least)) : 0;
}

/* Few cells: all of them are counted. */
static Status cramer_dense(Work *work, const Side *a, const Side *b, double *out) {
    Status status = OK;
    int64_t *cell = NULL, *row = NULL, *column = NULL, n = 0, r = 0, c = 0;
    double squares = 0;
    NEW(work, cell, (int64_t)a->codes * b->codes + 1);
    NEW(work, row, a->codes + 1);
    NEW(work, column, b->codes + 1);
    for (int64_t i = 0; i < a->column->rows; i++)
        if (a->code[i] >= 0 && b->code[i] >= 0) cell[(int64_t)a->code[i] * b->codes + b->code[i]]++;
    for (int32_t j = 0; j < a->codes; j++)
        for (int32_t k = 0; k < b->codes; k++) {
            row[j] += cell[(int64_t)j * b->codes + k];
            column[k] += cell[(int64_t)j * b->codes + k];
        }
    for (int32_t j = 0; j < a->codes; j++) {
        n += row[j];
        r += row[j] > 0;
        for (int32_t k = 0; k < b->codes && row[j]; k++) {
            double count = (double)cell[(int64_t)j * b->codes + k];
            if (count > 0) squares += count * count / ((double)row[j] * (double)column[k]);
        }
    }
    for (int32_t k = 0; k < b->codes; k++) c += column[k] > 0;
    *out = corrected_v(squares, (double)n, (double)r, (double)c);
done:
    arena_drop(work->arena, cell);
    arena_drop(work->arena, row);
    arena_drop(work->arena, column);
    return status;
}

static void drop_grouping(Work *work, Grouping *g) {
    arena_drop(work->arena, g->of);
    arena_drop(work->arena, g->first);
    arena_drop(work->arena, g->size);
}

/* Many cells: those that occur. */
static Status cramer_sparse(Work *work, const Side *a, const Side *b, double *out) {
    Status status = OK;
    Grouping cells = { 0 }, side[2] = { { 0 } };
    uint64_t *words[3] = { NULL };
    int64_t n = 0;
    double squares = 0;
    for (int k = 0; k < 3; k++) NEW(work, words[k], a->column->rows + 1);
    for (int64_t i = 0; i < a->column->rows; i++) {
        if (a->code[i] < 0 || b->code[i] < 0) continue;
        words[0][n] = (uint64_t)a->code[i];
        words[1][n] = (uint64_t)b->code[i];
        words[2][n] = (uint64_t)a->code[i] << 32 | (uint64_t)b->code[i];
        n++;
    }
    for (int k = 0; k < 2; k++) TRY(group_words(work, words[k], 0, n, &side[k]));
    TRY(group_words(work, words[2], 0, n, &cells));
    for (int64_t c = 0; c < cells.count; c++) {
        int64_t first = cells.first[c];
        double count = (double)cells.size[c];
        squares += count * count / ((double)side[0].size[side[0].of[first]] * (double)side[1].size[side[1].of[first]]);
    }
    *out = corrected_v(squares, (double)n, (double)side[0].count, (double)side[1].count);
done:
    for (int k = 0; k < 3; k++) arena_drop(work->arena, words[k]);
    for (int k = 0; k < 2; k++) drop_grouping(work, &side[k]);
    drop_grouping(work, &cells);
    return status;
}

static Status associated(Work *work, Side *a, Side *b, double *out) {
    Status status = OK;
    if (a->x && b->x) return spearman(work, a, b, out);
    TRY(take_codes(work, a));
    TRY(take_codes(work, b));
    TRY(((int64_t)a->codes * b->codes <= MOST_CELLS ? cramer_dense : cramer_sparse)(work, a, b, out));
done:
    return status;
}

Status association(Work *work, const Column *a, const Column *b, double *out) {
    Status status = OK;
    Side side[2];
    TRY(side_make(work, a, &side[0]));
    TRY(side_make(work, b, &side[1]));
    TRY(associated(work, &side[0], &side[1], out));
done:
    return status;
}

/* ---- groups ---- */

typedef struct {
    int64_t columns, parts;
    double *with;
    int64_t *group, *size;
} Growing; /* group[j] is -1 until column j is in one */

/* The mean association of a column with those of a group. */
static double fit(const Growing *g, int64_t column, int64_t group) {
    double sum = 0;
    for (int64_t j = 0; j < g->columns; j++)
        if (g->group[j] == group) sum += g->with[column * g->columns + j];
    return g->size[group] ? sum / (double)g->size[group] : 0;
}

static void join(Growing *g, int64_t column, int64_t group) {
    g->group[column] = group;
    g->size[group]++;
}

/* The first seed goes best with all others; each next one goes least with the seeds so far. */
static void plant(Growing *g) {
    for (int64_t part = 0; part < g->parts; part++) {
        int64_t best = -1;
        double best_score = 0;
        for (int64_t j = 0; j < g->columns; j++) {
            double score = 0;
            if (g->group[j] >= 0) continue;
            for (int64_t k = 0; k < g->columns; k++) {
                if (k == j || (part && g->group[k] < 0)) continue;
                double with = g->with[j * g->columns + k];
                score = part ? fmin(score, -with) : score + with;
            }
            if (best < 0 || score > best_score) {
                best = j;
                best_score = score;
            }
        }
        join(g, best, part);
    }
}

static void grow(Growing *g, int64_t least) {
    for (int64_t size = 1; size < least; size++)
        for (int64_t part = 0; part < g->parts; part++) {
            int64_t best = -1;
            for (int64_t j = 0; j < g->columns; j++)
                if (g->group[j] < 0 && (best < 0 || fit(g, j, part) > fit(g, best, part))) best = j;
            if (best >= 0) join(g, best, part);
        }
}

/* The column and group that fit best of all, again and again. */
static void fill(Growing *g, int64_t left, int64_t most) {
    for (; left > 0; left--) {
        int64_t column = -1, group = 0;
        double best = -1;
        for (int64_t j = 0; j < g->columns; j++)
            for (int64_t part = 0; part < g->parts && g->group[j] < 0; part++) {
                double here = g->size[part] < most ? fit(g, j, part) : -1;
                if (here > best) {
                    best = here;
                    column = j;
                    group = part;
                }
            }
        if (column < 0) return;
        join(g, column, group);
    }
}

Status column_groups(Work *work, Columns columns, int64_t parts, Groups *out) {
    Status status = OK;
    int64_t m = columns.count, left = 0, least = (m + 2 * parts - 1) / (2 * parts), even = (m + parts - 1) / parts,
            most = 3 * m / (2 * parts) > even ? 3 * m / (2 * parts) : even;
    Growing g = { .columns = m, .parts = parts };
    Side *side = NULL;
    NEW(work, side, m + 1);
    NEW(work, g.with, m * m + 1);
    NEW(work, g.group, m + 1);
    NEW(work, g.size, parts + 1);
    for (int64_t j = 0; j < m; j++) {
        g.group[j] = -1;
        TRY(side_make(work, columns.at[j], &side[j]));
        TRY(work_check(work));
        work_show(work, "associations", (double)(j * j) / (double)(m * m));
        for (int64_t k = 0; k < j; k++) {
            TRY(associated(work, &side[j], &side[k], &g.with[j * m + k]));
            g.with[k * m + j] = g.with[j * m + k];
        }
    }
    for (int64_t j = 0; j < m; j++) side_drop(work, &side[j]);
    plant(&g);
    grow(&g, least);
    for (int64_t j = 0; j < m; j++) left += g.group[j] < 0;
    fill(&g, left, most);
    *out = (Groups){ .count = parts };
    NEW(work, out->at, parts + 1);
    for (int64_t part = 0; part < parts; part++) {
        NEW(work, out->at[part].at, g.size[part] + 1);
        for (int64_t j = 0; j < m; j++)
            if (g.group[j] == part) out->at[part].at[out->at[part].count++] = columns.at[j];
    }
done:
    return status;
}
