/* Log-linear models of a table of counts. */
#include "base/elementary.h"
#include "base/extremes.h"
#include "math/linear/log_linear.h"

Status grid_of_cells(Work *work, const int32_t *sizes, int64_t keys, CellGrid *out) {
    *out = (CellGrid){ .keys = keys, .cells = 1 };
    for (int64_t k = 0; k < keys; k++) {
        int32_t size = sizes[k] > 0 ? sizes[k] : 1;
        if (k >= GRID_KEYS || out->cells > GRID_CELLS / size) {
            fail(work->error, BAD, "the keys have more than %d possible combinations, too many for a log-linear model", GRID_CELLS);
            error_advice(work->error, "Take fewer keys, or coarser ones.");
            return error_parameter(work->error, "keys");
        }
        out->size[k] = size;
        out->cells *= size;
    }
    return OK;
}

/* Walks the cells, a line of the last key's values at a time, and keeps the place of the line in a margin. */
typedef struct Odometer {
    const CellGrid *grid;
    int32_t digit[GRID_KEYS];
    int64_t stride[GRID_KEYS];
    int64_t place, cells;
    int64_t line; /* cells in a line */
    bool spread;  /* a line's cells stand beside each other in the margin; else they are one there */
} Odometer;

static Odometer odometer(const CellGrid *grid, uint32_t margin) {
    Odometer o = { .grid = grid, .cells = 1, .line = grid->keys ? grid->size[grid->keys - 1] : 1 };
    for (int64_t k = grid->keys - 1; k >= 0; k--)
        if (margin >> k & 1) {
            o.stride[k] = o.cells;
            o.cells *= grid->size[k];
        }
    o.spread = grid->keys && margin >> (grid->keys - 1) & 1;
    return o;
}

static void next_line(Odometer *o) {
    int64_t k = o->grid->keys - 2;
    while (k >= 0 && o->digit[k] + 1 == o->grid->size[k]) {
        o->place -= o->digit[k] * o->stride[k];
        o->digit[k--] = 0;
    }
    if (k < 0) return;
    o->digit[k]++;
    o->place += o->stride[k];
}

/* Of counts where there are no means. */
static inline __attribute__((always_inline)) void sum_lines(const CellGrid *grid, uint32_t margin, const uint32_t *count,
                                                            const double *mean, double *sum) {
    Odometer o = odometer(grid, margin);
    for (int64_t i = 0; i < o.cells; i++) sum[i] = 0;
    for (int64_t i = 0; i < grid->cells; i += o.line, next_line(&o)) {
        double *to = sum + o.place, all = *to;
        for (int64_t j = 0; j < o.line && o.spread; j++) to[j] += mean ? mean[i + j] : (double)count[i + j];
        for (int64_t j = 0; j < o.line && !o.spread; j++) all += mean ? mean[i + j] : (double)count[i + j];
        if (!o.spread) *to = all;
    }
}
static void sum_margin(const CellGrid *grid, uint32_t margin, const double *mean, double *sum) { sum_lines(grid, margin, NULL, mean, sum); }
static void sum_counts(const CellGrid *grid, uint32_t margin, const uint32_t *count, double *sum) {
    sum_lines(grid, margin, count, NULL, sum);
}

/* Scales the cells so that their margin is the one seen; how far it was off. */
static double adjust(const CellGrid *grid, uint32_t margin, const double *seen, double *sum, double *mean) {
    Odometer o = odometer(grid, margin);
    double off = 0;
    sum_margin(grid, margin, mean, sum);
    for (int64_t i = 0; i < o.cells; i++) {
        off = larger(off, fabs(seen[i] - sum[i]));
        sum[i] = sum[i] > 0 ? seen[i] / sum[i] : 0;
    }
    for (int64_t i = 0; i < grid->cells; i += o.line, next_line(&o)) {
        const double *by = sum + o.place;
        for (int64_t j = 0; j < o.line && o.spread; j++) mean[i + j] *= by[j];
        for (int64_t j = 0; j < o.line && !o.spread; j++) mean[i + j] *= *by;
    }
    return off;
}

Status log_linear_fit(Work *work, const CellGrid *grid, const uint32_t *count, const uint32_t *margins, int64_t margin_count,
                      LogLinearFit *fit) {
    Status status = OK;
    double **seen = NULL, *sum = NULL, total = 0;
    int64_t most = 1;
    NEW(work, seen, margin_count + 1);
    for (int64_t m = 0; m < margin_count; m++) {
        int64_t cells = odometer(grid, margins[m]).cells;
        NEW(work, seen[m], cells);
        sum_counts(grid, margins[m], count, seen[m]);
        if (cells > most) most = cells;
    }
    NEW(work, sum, most);
    if (!fit->mean) NEW(work, fit->mean, grid->cells);
    for (int64_t i = 0; i < grid->cells; i++) total += count[i];
    for (int64_t i = 0; i < grid->cells; i++) fit->mean[i] = total / (double)grid->cells;
    fit->converged = false;
    for (fit->rounds = 0; fit->rounds < 1000 && !fit->converged; fit->rounds++) {
        double off = 0;
        TRY(work_check(work));
        for (int64_t m = 0; m < margin_count; m++) off = larger(off, adjust(grid, margins[m], seen[m], sum, fit->mean));
        fit->converged = off <= 1e-10 * fmax(1, total);
    }
done:
    for (int64_t m = 0; seen && m < margin_count; m++) arena_drop(work->arena, seen[m]);
    arena_drop(work->arena, sum);
    return status;
}
