/* Neighbourhood sampling: who stands alone, by the number of records and of columns (section 5.2) and by how far out they are (section 8).
 */
#include <stdlib.h>
#include "base/compare.h"
#include "base/elementary.h"
#include "math/ranks.h"
#include "protect/nbrs/report.h"

/* ---- The roles of n and p ---- */

enum { SIZES = 5, MOST_WIDTHS = 8 };

/* Gower's distance is a mean over the columns: an axis that is left out must leave the weights it is divided by, too. */
static double share_compared(const Sampling *s, int64_t columns) {
    double all = 0, here = 0;
    if (s->metric != GOWER) return 1;
    for (int64_t j = 0; j < s->vars.count; j++) {
        all += s->weight[j];
        here += j < columns ? s->weight[j] : 0;
    }
    return all > 0 && here < all ? here / all : 1;
}

/* The share of the first `rows` of this order that have no other among them nearer than ε, on the axes of the first `columns`. */
static Status share_alone(Work *outer, const Sampling *s, const int64_t *order, int64_t rows, int64_t columns, double *out) {
    Status status = OK;
    Work own = *outer, *work = &own;
    Neighbours *index;
    double *limit = NULL;
    int64_t *count = NULL, alone = 0, compared = 0;
    own.arena = arena_new();
    if (!own.arena) return out_of_memory(outer->error);
    Space space = *s->space;
    for (space.axes = 0; space.axes < s->space->axes && s->space->column[space.axes] < columns; space.axes++) continue;
    NEW(work, limit, s->rows + 1);
    NEW(work, count, s->rows + 1);
    for (int64_t i = 0; i < s->rows; i++) {
        limit[i] = measure_of_distance(s->metric, s->eps) * share_compared(s, columns);
        count[i] = -1;
    }
    TRY(neighbours_make(work, &space, order, rows, &index));
    TRY(neighbours_within_count(work, index, index, true, limit, false, count));
    for (int64_t i = 0; i < s->rows; i++) {
        compared += count[i] >= 0;
        alone += count[i] == 0;
    }
    *out = compared ? (double)alone / (double)compared : NAN;
done:
    arena_free(own.arena);
    return status;
}

Status report_sizes(Run *run, const Sampling *s) {
    Status status = OK;
    Work *work = &run->work;
    int64_t *order = NULL, widths = s->vars.count < MOST_WIDTHS ? s->vars.count : MOST_WIDTHS;
    double x[SIZES], y[SIZES];
    RandomStream stream = run_stream(run, NULL, "sizes");
    NEW(work, order, s->rows + 1);
    TRY(stream_permutation(work, &stream, s->rows, order));
    Grid *grid = grid_new(run->result, "alone", "columns:integer records:integer alone:real");
    Chart *chart =
        result_chart(run->result, CHART_LINE, "Records without a neighbour within ε, by number of records and columns", "records", "share");
    chart_of(chart, "alone");
    for (int64_t w = 1; w <= widths; w++) {
        int64_t columns = w * s->vars.count / widths, points = 0;
        for (int size = 0; size < SIZES; size++) {
            int64_t rows = s->rows >> (SIZES - 1 - size);
            if (rows < 2) continue;
            TRY(work_check(work));
            TRY(share_alone(work, s, order, rows, columns, &y[points]));
            x[points] = (double)rows;
            grid_integer(grid, columns);
            grid_integer(grid, rows);
            grid_real(grid, y[points++]);
        }
        chart_series(chart, arena_print(work->arena, "%lld columns", (long long)columns), points, x, y, NULL, NULL);
    }
    grid_done(grid);
done:
    return status;
}

/* ---- The fringes ---- */

enum { BANDS = 10 };

/* From the centroid: numbers from their mean; a category's dummies d_a from their shares p_a, Σ_j (d_j − p_j)²/s_j² = (1 − 2p_a)/s_a² +
 * Σ_j p_j²/s_j², and without squares (1 − 2p_a)/s_a + Σ_j p_j/s_j. */
static Status add_axis(Work *work, const Sampling *s, const Axis *axis, double *measure) {
    Status status = OK;
    double mean = 0, *share = NULL, *half = NULL, all = 0, codes = 0;
    int64_t present = 0;
    for (int64_t i = 0; i < s->rows; i++) {
        if (isnan(axis->x[i])) continue;
        present++;
        mean += axis->x[i];
        codes = fmax(codes, axis->x[i] + 1);
    }
    mean /= fmax(1, (double)present);
    if (!axis->half) {
        for (int64_t i = 0; i < s->rows; i++) {
            double d = axis->x[i] - mean;
            if (!isnan(d)) measure[i] += s->metric == EUCLIDEAN ? d * d : fabs(d);
        }
        return OK;
    }
    NEW(work, share, (int64_t)codes + 1);
    NEW(work, half, (int64_t)codes + 1);
    for (int64_t i = 0; i < s->rows; i++) {
        if (isnan(axis->x[i])) continue;
        share[(int64_t)axis->x[i]] += 1 / (double)present;
        half[(int64_t)axis->x[i]] = axis->half[i];
    }
    for (int64_t c = 0; c < (int64_t)codes; c++) all += (s->metric == EUCLIDEAN ? share[c] * share[c] : share[c]) * half[c];
    for (int64_t i = 0; i < s->rows; i++)
        if (!isnan(axis->x[i])) measure[i] += axis->half[i] * (1 - 2 * share[(int64_t)axis->x[i]]) + all;
done:
    return status;
}

typedef struct {
    double measure;
    int64_t row;
} Place;

static int inwards_first(const void *a, const void *b) {
    const Place *x = a, *y = b;
    if (x->measure != y->measure) return x->measure < y->measure ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

static void say_band(const Sampling *s, const Place *place, int64_t count, double *sizes, Grid *grid, double *empty) {
    *empty = 0;
    for (int64_t i = 0; i < count; i++) {
        sizes[i] = (double)s->neighbours[place[i].row];
        *empty += (sizes[i] == 0) / (double)count;
    }
    qsort(sizes, (size_t)count, sizeof *sizes, ascending_real);
    grid_integer(grid, count);
    grid_real(grid, distance_of_measure(s->metric, fmax(0, place[count - 1].measure)));
    grid_real(grid, *empty);
    grid_real(grid, sorted_quantile(sizes, count, 0.5));
}

Status report_fringes(Run *run, const Sampling *s) {
    Status status = OK;
    Work *work = &run->work;
    double *measure = NULL, *sizes = NULL, band[BANDS], empty[BANDS];
    Place *place = NULL;
    int64_t count = 0, bands = 0;
    if (s->modified < BANDS) return OK;
    NEW(work, measure, s->rows + 1);
    NEW(work, sizes, s->modified + 1);
    NEW(work, place, s->modified + 1);
    for (int64_t a = 0; a < s->space->axes; a++) TRY(add_axis(work, s, &s->space->axis[a], measure));
    for (int64_t i = 0; i < s->rows; i++)
        if (s->neighbours[i] >= 0) place[count++] = (Place){ measure[i], i };
    qsort(place, (size_t)count, sizeof *place, inwards_first);
    Grid *grid = grid_new(run->result, "fringes", "band:integer records:integer distance:real empty:real neighbours_median:real");
    for (; bands < BANDS; bands++) {
        int64_t from = bands * count / BANDS, to = (bands + 1) * count / BANDS;
        grid_integer(grid, bands + 1);
        say_band(s, place + from, to - from, sizes, grid, &empty[bands]);
        band[bands] = (double)bands + 1;
    }
    grid_done(grid);
    result_real(run->result, "fringe_empty", empty[BANDS - 1]);
    Chart *chart =
        result_chart(run->result, CHART_LINE, "Empty neighbourhoods, from the centre to the fringes", "tenth of the records", "share");
    chart_of(chart, "fringes");
    chart_series(chart, "empty", BANDS, band, empty, NULL, NULL);
done:
    arena_drop(work->arena, measure);
    arena_drop(work->arena, sizes);
    arena_drop(work->arena, place);
    return status;
}
