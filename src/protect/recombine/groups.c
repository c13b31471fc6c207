/* Association of columns, and groups of columns grown from seeds. */
#include "protect/recombine/groups.h"
#include "base/elementary.h"
#include "math/linear/moments.h"
#include "math/order.h"
#include "table/group.h"

enum { CLASSES = 10 };

static Status spearman(Work *work, const Column *a, const Column *b, double *out) {
    Status status = OK;
    const Column *column[2] = { a, b };
    const double *x[2] = { NULL };
    double *both[2] = { NULL }, *rank[2] = { NULL };
    Moments moments;
    for (int k = 0; k < 2; k++) {
        TRY(column_reals(work, column[k], &x[k]));
        NEW(work, both[k], a->rows + 1);
        NEW(work, rank[k], a->rows + 1);
    }
    for (int k = 0; k < 2; k++) {
        for (int64_t i = 0; i < a->rows; i++) both[k][i] = isnan(x[!k][i]) ? NAN : x[k][i];
        TRY(mid_ranks(work, both[k], a->rows, rank[k]));
    }
    TRY(moments_make(work, (const double *const *)rank, 2, NULL, a->rows, &moments));
    *out = fabs(moments_correlation(&moments, 0, 1));
    if (isnan(*out)) *out = 0;
done:
    for (int k = 0; k < 2; k++) {
        arena_drop(work->arena, both[k]);
        arena_drop(work->arena, rank[k]);
    }
    return status;
}

/* A number's class by rank; a category's code. */
static Status few_codes(Work *work, const Column *column, const int32_t **out) {
    Status status = OK;
    Codes codes;
    const double *x;
    double *rank = NULL;
    int32_t *class = NULL;
    TRY(column_codes(work, column, &codes));
    *out = codes.at;
    if (!column_numeric(column) || codes.count <= CLASSES) goto done;
    NEW(work, rank, column->rows + 1);
    NEW(work, class, column->rows + 1);
    TRY(column_reals(work, column, &x));
    TRY(mid_ranks(work, x, column->rows, rank));
    for (int64_t i = 0; i < column->rows; i++)
        class[i] =
            isnan(rank[i]) ? -1 : (int32_t)fmin(CLASSES - 1, floor(CLASSES * (rank[i] - 0.5) / (double)(column->rows - column->missing)));
    *out = class;
done:
    arena_drop(work->arena, rank);
    return status;
}

/* φ² = Σ n_ij²/(n_i n_j) − 1; V² = φ̃²/min(r̃ − 1, c̃ − 1), each taken down by what it is expected to be without any association (Bergsma
 * 2013). */
static double corrected_v(double squares, double n, double r, double c) {
    double phi = fmax(0, squares - 1 - (r - 1) * (c - 1) / (n - 1));
    double rows = r - (r - 1) * (r - 1) / (n - 1), columns = c - (c - 1) * (c - 1) / (n - 1), least = fmin(rows, columns) - 1;
    return n > 1 && least > 1e-9 ? sqrt(fmin(1, phi / least)) : 0;
}

static Status cramer(Work *work, const Column *a, const Column *b, double *out) {
    Status status = OK;
    const int32_t *code[2];
    Grouping cells, side[2];
    uint64_t *words[3] = { NULL };
    int64_t n = 0;
    double squares = 0;
    TRY(few_codes(work, a, &code[0]));
    TRY(few_codes(work, b, &code[1]));
    for (int k = 0; k < 3; k++) NEW(work, words[k], a->rows + 1);
    for (int64_t i = 0; i < a->rows; i++) {
        if (code[0][i] < 0 || code[1][i] < 0) continue;
        words[0][n] = (uint64_t)code[0][i];
        words[1][n] = (uint64_t)code[1][i];
        words[2][n] = (uint64_t)code[0][i] << 32 | (uint64_t)code[1][i];
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
    return status;
}

Status association(Work *work, const Column *a, const Column *b, double *out) {
    return (column_numeric(a) && column_numeric(b) ? spearman : cramer)(work, a, b, out);
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
    int64_t m = columns.count, left = 0, least = m / (2 * parts) > 1 ? m / (2 * parts) : 1, even = (m + parts - 1) / parts,
            most = 3 * m / (2 * parts) > even ? 3 * m / (2 * parts) : even;
    Growing g = { .columns = m, .parts = parts };
    NEW(work, g.with, m * m + 1);
    NEW(work, g.group, m + 1);
    NEW(work, g.size, parts + 1);
    for (int64_t j = 0; j < m; j++) {
        g.group[j] = -1;
        TRY(work_check(work));
        work_show(work, "associations", (double)(j * j) / (double)(m * m));
        for (int64_t k = 0; k < j; k++) {
            TRY(association(work, columns.at[j], columns.at[k], &g.with[j * m + k]));
            g.with[k * m + j] = g.with[j * m + k];
        }
    }
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
