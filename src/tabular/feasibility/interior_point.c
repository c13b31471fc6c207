/* A primal-dual interior-point method for separable least squares (Wright 1997, chapter 8). In units of each cell's own weight, so that the
 * objective is Σ x²; the normal equations A·D⁻¹·Aᵀ are factored in a fixed order, the same on every processor, each row from its first
 * entry on (the envelope, which the factor keeps: George & Liu 1981, chapter 4): sums along one dimension meet few others of it. */
#include "tabular/feasibility/interior_point.h"
#include <string.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "math/linear/dense.h"

typedef struct Quadratic {
    int64_t n, rows;
    int64_t *start; /* free cells' entries, by relation */
    int32_t *column;
    double *a; /* scaled coefficients */
    double *x, *y, *low, *high, *zl, *zu, *d, *g, *dx, *dy, *right, *matrix, *offset;
    double *step_l, *step_u;
    double *centre;
    double *fixed;  /* what the cells that cannot move add to each relation */
    int64_t *first; /* row of the matrix → its first column that is not 0 */
} Quadratic;

/* ---- linear algebra ---- */

static void normal_matrix(Quadratic *q) {
    memset(q->matrix, 0, (size_t)(q->rows * q->rows) * sizeof *q->matrix);
    for (int64_t r = 0; r < q->rows; r++)
        for (int64_t k = q->start[r]; k < q->start[r + 1]; k++) q->offset[q->column[k]] = 0;
    for (int64_t r = 0; r < q->rows; r++) {
        for (int64_t k = q->start[r]; k < q->start[r + 1]; k++) q->offset[q->column[k]] = q->a[k] / q->d[q->column[k]];
        for (int64_t s = 0; s <= r; s++) {
            double sum = 0;
            for (int64_t k = q->start[s]; k < q->start[s + 1]; k++) sum += q->offset[q->column[k]] * q->a[k];
            q->matrix[r * q->rows + s] = sum;
        }
        for (int64_t k = q->start[r]; k < q->start[r + 1]; k++) q->offset[q->column[k]] = 0;
    }
}

static void find_envelope(Quadratic *q) {
    for (int64_t i = 0; i < q->rows; i++) {
        q->first[i] = 0;
        while (q->first[i] < i && q->matrix[i * q->rows + q->first[i]] == 0) q->first[i]++;
    }
}

/* Cholesky by rows. Relations that follow from others leave a pivot of nothing: their multiplier is 0. */
static void factor(Quadratic *q) {
    int64_t m = q->rows;
    find_envelope(q);
    for (int64_t i = 0; i < m; i++) {
        int64_t from = q->first[i];
        double *row = q->matrix + i * m, pivot = row[i];
        for (int64_t j = from; j < i; j++) {
            const double *other = q->matrix + j * m;
            int64_t k = from > q->first[j] ? from : q->first[j];
            double sum = row[j] - dense_dot(row + k, other + k, j - k);
            row[j] = other[j] > 0 ? sum / other[j] : 0;
        }
        double sum = pivot - dense_dot(row + from, row + from, i - from);
        row[i] = sum > 1e-11 * pivot ? sqrt(sum) : 0;
    }
}

static void solve(const Quadratic *q, double *b) {
    int64_t m = q->rows;
    for (int64_t i = 0; i < m; i++) {
        const double *row = q->matrix + i * m;
        double sum = b[i] - dense_dot(row + q->first[i], b + q->first[i], i - q->first[i]);
        b[i] = row[i] > 0 ? sum / row[i] : 0;
    }
    for (int64_t i = m - 1; i >= 0; i--) {
        const double *row = q->matrix + i * m;
        b[i] = row[i] > 0 ? b[i] / row[i] : 0;
        dense_add(-b[i], row + q->first[i], i - q->first[i], b + q->first[i]);
    }
}

static void times(const Quadratic *q, const double *x, double *out) {
    for (int64_t r = 0; r < q->rows; r++) {
        double sum = 0;
        for (int64_t k = q->start[r]; k < q->start[r + 1]; k++) sum += q->a[k] * x[q->column[k]];
        out[r] = sum;
    }
}

/* How much each relation is off. */
static void residuals(const Quadratic *q, double *out) {
    times(q, q->x, out);
    for (int64_t r = 0; r < q->rows; r++) out[r] += q->fixed[r];
}

static void turned_times(const Quadratic *q, const double *y, double *out) {
    memset(out, 0, (size_t)q->n * sizeof *out);
    for (int64_t r = 0; r < q->rows; r++)
        for (int64_t k = q->start[r]; k < q->start[r + 1]; k++) out[q->column[k]] += q->a[k] * y[r];
}

/* ---- the path ---- */

static double complementarity(const Quadratic *q, int64_t *pairs) {
    double sum = 0;
    *pairs = 0;
    for (int64_t i = 0; i < q->n; i++) {
        if (isfinite(q->low[i])) {
            sum += q->zl[i] * (q->x[i] - q->low[i]);
            ++*pairs;
        }
        if (isfinite(q->high[i])) {
            sum += q->zu[i] * (q->high[i] - q->x[i]);
            ++*pairs;
        }
    }
    return sum;
}

/* One Newton step towards complementarity `target`, and how far it can be taken. */
static void direction(Quadratic *q, double target) {
    double *back = q->offset;
    turned_times(q, q->y, back);
    for (int64_t i = 0; i < q->n; i++) {
        double gradient = 2 * (q->x[i] - q->centre[i]) - back[i];
        q->d[i] = 2;
        q->g[i] = -gradient;
        if (isfinite(q->low[i])) {
            double s = q->x[i] - q->low[i];
            q->d[i] += q->zl[i] / s;
            q->g[i] += target / s;
        }
        if (isfinite(q->high[i])) {
            double t = q->high[i] - q->x[i];
            q->d[i] += q->zu[i] / t;
            q->g[i] -= target / t;
        }
    }
    normal_matrix(q);
    factor(q);
    residuals(q, q->right);
    for (int64_t i = 0; i < q->n; i++) q->dx[i] = q->g[i] / q->d[i];
    times(q, q->dx, q->dy);
    for (int64_t r = 0; r < q->rows; r++) q->dy[r] = -q->right[r] - q->dy[r];
    solve(q, q->dy);
    turned_times(q, q->dy, back);
    for (int64_t i = 0; i < q->n; i++) q->dx[i] = (q->g[i] + back[i]) / q->d[i];
}

static double longest(Quadratic *q, double target) {
    double t = 1;
    for (int64_t i = 0; i < q->n; i++) {
        q->step_l[i] = q->step_u[i] = 0;
        if (isfinite(q->low[i])) {
            double s = q->x[i] - q->low[i];
            q->step_l[i] = (target - q->zl[i] * q->dx[i]) / s - q->zl[i];
            if (q->dx[i] < 0) t = fmin(t, -0.995 * s / q->dx[i]);
            if (q->step_l[i] < 0) t = fmin(t, -0.995 * q->zl[i] / q->step_l[i]);
        }
        if (isfinite(q->high[i])) {
            double s = q->high[i] - q->x[i];
            q->step_u[i] = (target + q->zu[i] * q->dx[i]) / s - q->zu[i];
            if (q->dx[i] > 0) t = fmin(t, 0.995 * s / q->dx[i]);
            if (q->step_u[i] < 0) t = fmin(t, -0.995 * q->zu[i] / q->step_u[i]);
        }
    }
    return t;
}

static double size_of(const Quadratic *q) {
    double sum = 0;
    for (int64_t i = 0; i < q->n; i++) sum += q->x[i] * q->x[i];
    return sum;
}

/* How far the gradient is from what the bounds and sums hold back: where it is not near 0, a point that lacks nothing else is not the
 * nearest yet. */
static double pull(Quadratic *q, double *size) {
    double worst = 0;
    *size = 1;
    turned_times(q, q->y, q->offset);
    for (int64_t i = 0; i < q->n; i++) {
        double lower = isfinite(q->low[i]) ? q->zl[i] : 0, upper = isfinite(q->high[i]) ? q->zu[i] : 0;
        worst = larger(worst, fabs(2 * (q->x[i] - q->centre[i]) - q->offset[i] - lower + upper));
        *size = larger(*size, larger(fabs(q->x[i]), fabs(q->centre[i])));
    }
    return worst;
}

static bool follow(Quadratic *q, Work *work, Status *status) {
    for (int step = 0; step < 200; step++) {
        int64_t pairs;
        double gap = complementarity(q, &pairs), off = 0, objective = size_of(q), size, left = pull(q, &size);
        if ((*status = work_check(work))) return false;
        residuals(q, q->right);
        for (int64_t r = 0; r < q->rows; r++) off = larger(off, fabs(q->right[r]));
        if (off <= 1e-9 * sqrt(1 + objective) && gap <= 1e-10 * (1 + objective) && left <= 1e-7 * size) return true;
        double target = pairs ? 0.1 * gap / (double)pairs : 0;
        direction(q, target);
        double t = longest(q, target);
        if (!(t > 1e-13)) return false;
        for (int64_t i = 0; i < q->n; i++) {
            q->x[i] += t * q->dx[i];
            q->zl[i] += t * q->step_l[i];
            q->zu[i] += t * q->step_u[i];
        }
        for (int64_t r = 0; r < q->rows; r++) q->y[r] += t * q->dy[r];
    }
    return false;
}

/* ---- from a table and back ---- */

/* Inside its bounds: in the middle, or a unit from the only one. */
static double inside(double low, double high) {
    if (isfinite(low) && isfinite(high)) return low + smaller(larger(0.5 * (high - low), 0), larger(1, 0.01 * fabs(low)));
    return isfinite(low) ? fmax(low + 1, 0) : isfinite(high) ? fmin(high - 1, 0) : 0;
}

static Status room_for(Work *work, Quadratic *q, int64_t cells) {
    Status status = OK;
    double **const by_cell[] = { &q->x, &q->low, &q->high,   &q->zl,     &q->zu,     &q->d,
                                 &q->g, &q->dx,  &q->offset, &q->step_l, &q->step_u, &q->centre };
    double **const by_row[] = { &q->y, &q->dy, &q->right, &q->fixed };
    for (size_t i = 0; i < sizeof by_cell / sizeof *by_cell; i++) NEW(work, *by_cell[i], cells + 1);
    for (size_t i = 0; i < sizeof by_row / sizeof *by_row; i++) NEW(work, *by_row[i], q->rows + 1);
    NEW(work, q->start, q->rows + 1);
    NEW(work, q->first, q->rows + 1);
    NEW(work, q->matrix, q->rows * q->rows + 1);
done:
    return status;
}

Status quadratic_nearest(Work *work, const Relations *r, const double *weight, const double *centre, const double *low, const double *high,
                         double *x, bool *found) {
    Status status = OK;
    Quadratic q = { .rows = r->count };
    int32_t *place = NULL;
    if (r->count > QUADRATIC_MOST)
        TRY(fail(work->error, BAD, "least squares supports tables of at most 4,000 sums; this table has %lld", (long long)r->count));
    TRY(room_for(work, &q, r->cells));
    NEW(work, place, r->cells + 1);
    NEW(work, q.column, r->start[r->count] + 1);
    NEW(work, q.a, r->start[r->count] + 1);
    for (int64_t i = 0; i < r->cells; i++) {
        place[i] = -1;
        x[i] = low[i];
        if (!(low[i] < high[i])) continue; /* fixed */
        double unit = sqrt(weight[i]);
        q.low[q.n] = low[i] * unit;
        q.high[q.n] = high[i] * unit;
        q.centre[q.n] = centre ? centre[i] * unit : 0;
        q.x[q.n] = inside(q.low[q.n], q.high[q.n]);
        q.zl[q.n] = isfinite(low[i]);
        q.zu[q.n] = isfinite(high[i]);
        place[i] = (int32_t)q.n++;
    }
    int64_t at = 0;
    for (int64_t i = 0; i < r->count; i++) {
        for (int64_t k = r->start[i]; k < r->start[i + 1]; k++)
            if (place[r->cell[k]] >= 0) {
                q.column[at] = place[r->cell[k]];
                q.a[at++] = r->coefficient[k] / sqrt(weight[r->cell[k]]);
            } else q.fixed[i] += r->coefficient[k] * low[r->cell[k]];
        q.start[i + 1] = at;
    }
    *found = follow(&q, work, &status);
    if (status) goto done;
    for (int64_t i = 0; i < r->cells; i++)
        if (place[i] >= 0) x[i] = q.x[place[i]] / sqrt(weight[i]);
done:
    return status;
}

/* ---- cells that have no room ---- */

/* The least that terms of a relation come to: the sum of those that have a least, and how many have none. */
typedef struct Room {
    double sum;
    int infinite;
} Room;

static double end_of(const double *low, const double *high, int32_t cell, double coefficient) {
    return coefficient > 0 ? coefficient * low[cell] : coefficient * high[cell];
}

/* How small (or, with the sign turned, how large) the sum of a relation's terms can be. */
static Room smallest(const Relations *r, int64_t relation, const double *low, const double *high, double sign) {
    Room room = { 0 };
    for (int64_t k = r->start[relation]; k < r->start[relation + 1]; k++) {
        double end = end_of(low, high, r->cell[k], sign * r->coefficient[k]);
        if (isfinite(end)) room.sum += end;
        else room.infinite++;
    }
    return room;
}

/* sign·coefficient·x ≤ −(the least of the other terms): a bound of x. Whether it is nearer than what was known. */
static bool draw_in(const Relations *r, int64_t k, const Room *room, double sign, double *low, double *high) {
    int32_t cell = r->cell[k];
    double coefficient = sign * r->coefficient[k], own = end_of(low, high, cell, coefficient);
    if (room->infinite > !isfinite(own)) return false;
    double bound = -(room->sum - (isfinite(own) ? own : 0)) / coefficient, *end = coefficient > 0 ? &high[cell] : &low[cell];
    double nearer = coefficient > 0 ? *end - bound : bound - *end;
    if (!(nearer > 1e-9 * larger(1, fabs(bound)))) return false;
    *end = bound;
    return true;
}

enum { PASSES = 50 };

/* Bounds that follow from others, relation by relation: where they leave a cell one value it has no inside, and a method that comes from
 * there would find none. False where they leave it none. */
static bool fix_cells(const Relations *r, double *low, double *high) {
    bool changed = true;
    for (int pass = 0; pass < PASSES && changed; pass++) {
        changed = false;
        for (int64_t i = 0; i < r->count; i++)
            for (int side = 0; side < 2; side++) {
                double sign = side ? -1 : 1;
                Room room = smallest(r, i, low, high, sign);
                bool moved = false;
                for (int64_t k = r->start[i]; k < r->start[i + 1] && !moved; k++) moved = draw_in(r, k, &room, sign, low, high);
                changed |= moved;
            }
    }
    for (int64_t c = 0; c < r->cells; c++)
        if (low[c] > high[c] + 1e-7 * larger(1, fabs(high[c]))) return false;
    return true;
}

Status quadratic_least(Work *work, const Relations *r, const double *weight, const double *low, const double *high, double *x,
                       bool *found) {
    Status status = OK;
    double *from = NULL, *to = NULL;
    NEW(work, from, r->cells + 1);
    NEW(work, to, r->cells + 1);
    memcpy(from, low, (size_t)r->cells * sizeof *from);
    memcpy(to, high, (size_t)r->cells * sizeof *to);
    *found = fix_cells(r, from, to);
    if (!*found) goto done;
    for (int64_t i = 0; i < r->cells; i++) {
        bool one = to[i] - from[i] <= 1e-9 * larger(1, fabs(from[i]));
        if (one) to[i] = from[i];
        else {
            from[i] = low[i];
            to[i] = high[i];
        }
    }
    TRY(quadratic_nearest(work, r, weight, NULL, from, to, x, found));
done:
    return status;
}
