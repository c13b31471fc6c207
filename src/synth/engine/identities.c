/* Linear identities: found by regressions that leave nothing, and kept only where they hold to the last digit in every record. */
#include "synth/engine/identities.h"
#include <string.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "base/number_text.h"
#include "synth/engine/regression.h"
#include "table/measurement_level.h"

enum { LEARNED = 2000, FEWEST = 30, MOST = 100, MOST_DECIMALS = 15, FEW_VALUES = 3 };
static const double LEFT = 1e-5;     /* share of a column's variance that rounding may leave */
static const double STEPS = 10000;   /* coefficients are multiples of 1/10,000 */
static const double RELATIVE = 1e-9; /* of numbers with all their digits */

/* Columns that are missing in the same records, and their numbers. */
typedef struct Group {
    int64_t count, rows;
    const Column **column;
    const double **x;
    bool *fixed;
    int64_t *row;                   /* rows in which they are present */
    double *mean, *sd, *covariance; /* of a sample of these; standardised */
} Group;

static int decimals_of(const double *x, const int64_t *row, int64_t rows) {
    int digits = 0;
    double scale = 1;
    for (int64_t i = 0; i < rows; i++)
        while (fabs(x[row[i]] * scale - nearbyint(x[row[i]] * scale)) > 1e-12 * larger(1, fabs(x[row[i]] * scale))) {
            if (++digits >= MOST_DECIMALS) return MOST_DECIMALS;
            scale *= 10;
        }
    return digits;
}

static bool same_missing(const Column *a, const Column *b) {
    if (a->missing != b->missing) return false;
    for (int64_t i = 0; a->missing && i < a->rows; i++)
        if (column_missing(a, i) != column_missing(b, i)) return false;
    return true;
}

/* A number, and no code, of at least three values. */
static bool may_belong(const Column *column, const double *x) {
    double seen[FEW_VALUES];
    int values = 0;
    if (!column_numeric(column) || column_level(column) != MEASURE_SCALE || column->rows - column->missing < FEWEST) return false;
    for (int64_t i = 0; i < column->rows && values < FEW_VALUES; i++) {
        bool known = isnan(x[i]);
        for (int k = 0; k < values; k++) known |= seen[k] == x[i];
        if (!known) seen[values++] = x[i];
    }
    return values == FEW_VALUES;
}

static Status measure(Work *work, Group *g) {
    Status status = OK;
    int64_t p = g->count, used = g->rows < LEARNED ? g->rows : LEARNED;
    NEW(work, g->mean, p + 1);
    NEW(work, g->sd, p + 1);
    NEW(work, g->covariance, p * p + 1);
    for (int64_t j = 0; j < p; j++) {
        for (int64_t i = 0; i < used; i++) g->mean[j] += g->x[j][g->row[i * g->rows / used]] / (double)used;
        for (int64_t i = 0; i < used; i++) g->sd[j] += pow(g->x[j][g->row[i * g->rows / used]] - g->mean[j], 2);
        g->sd[j] = g->sd[j] > 0 ? sqrt(g->sd[j]) : 1;
    }
    for (int64_t a = 0; a < p; a++)
        for (int64_t b = 0; b <= a; b++) {
            double sum = 0;
            for (int64_t i = 0; i < used; i++) {
                int64_t row = g->row[i * g->rows / used];
                sum += (g->x[a][row] - g->mean[a]) / g->sd[a] * ((g->x[b][row] - g->mean[b]) / g->sd[b]);
            }
            g->covariance[a * p + b] = g->covariance[b * p + a] = sum;
        }
done:
    return status;
}

static double rounded(double y, int digits) {
    double scale = pow(10, digits);
    return digits < MOST_DECIMALS && fabs(y) * scale < 1e15 ? nearbyint(y * scale) / scale : y;
}

static double value_of(const Identity *e, const double *const *x, int64_t row) {
    double y = e->constant;
    for (int64_t k = 0; k < e->terms; k++) y += e->coefficient[k] * x[k][row];
    return rounded(y, e->digits);
}

static bool holds(const Group *g, const Identity *e, int64_t target, const double *const *x) {
    for (int64_t i = 0; i < g->rows; i++) {
        double wanted = g->x[target][g->row[i]];
        if (fabs(value_of(e, x, g->row[i]) - wanted) > RELATIVE * larger(fabs(wanted), 1)) return false;
    }
    return true;
}

/* The regression of one column on the others that are drawn, its coefficients rounded; does it hold in every record? `near`: it leaves next
 * to nothing, so that with this column beside them no coefficient would be certain. */
static Status try_column(Work *work, const Group *g, const int64_t *basis, int64_t count, int64_t target, Identity *e, bool *found,
                         bool *near) {
    Status status = OK;
    int64_t p = g->count;
    double *root = NULL, *b = NULL, left = 1;
    const double **x = NULL;
    *found = *near = false;
    *e = (Identity){ .column = g->column[target], .constant = g->mean[target], .absent = -1 };
    NEW(work, root, count * count + 1);
    NEW(work, b, count + 1);
    NEW(work, x, count + 1);
    NEW(work, e->term, count + 1);
    NEW(work, e->coefficient, count + 1);
    for (int64_t i = 0; i < count; i++) {
        b[i] = g->covariance[target * p + basis[i]];
        for (int64_t k = 0; k < count; k++) root[i * count + k] = g->covariance[basis[i] * p + basis[k]] + (i == k ? 1e-13 : 0);
    }
    if (!count || !lower_root(root, (int32_t)count)) return OK;
    lower_solve(root, (int32_t)count, b);
    for (int64_t i = 0; i < count; i++) left -= b[i] * g->covariance[target * p + basis[i]];
    if (left > LEFT) return OK;
    *near = true;
    for (int64_t i = 0; i < count; i++) {
        double coefficient = nearbyint(b[i] * g->sd[target] / g->sd[basis[i]] * STEPS) / STEPS;
        if (coefficient == 0) continue;
        x[e->terms] = g->x[basis[i]];
        e->term[e->terms] = g->column[basis[i]];
        e->coefficient[e->terms++] = coefficient;
        e->constant -= coefficient * g->mean[basis[i]];
    }
    e->digits = decimals_of(g->x[target], g->row, g->rows);
    e->constant = nearbyint(e->constant * STEPS) / STEPS;
    *found = e->terms && holds(g, e, target, x);
done:
    return status;
}

/* bonus = total − income says total = income + bonus: the sum is computed, so that no part of it becomes negative. True where one term has a
 * positive coefficient and all others a negative one. */
static bool is_part(const Identity *e, int64_t *sum) {
    int64_t positive = 0;
    for (int64_t k = 0; k < e->terms; k++)
        if (e->coefficient[k] > 0) {
            positive++;
            *sum = k;
        }
    return positive == 1 && e->terms > 1;
}

static bool used(const Identities *all, const Column *column) {
    for (int64_t i = 0; i < all->count; i++)
        for (int64_t k = 0; k < all->at[i].terms; k++)
            if (all->at[i].term[k] == column) return true;
    return false;
}

/* The identity with the sum on its left; the basis follows. A part is never computed: where the sum cannot be, nothing is found. */
static Status turn(Work *work, const Group *g, int64_t *basis, int64_t count, int64_t target, const Identities *all, Identity *e,
                   bool *found) {
    Status status = OK;
    int64_t sum = 0, other = -1, place = -1;
    bool near;
    if (!is_part(e, &sum)) return OK;
    for (int64_t i = 0; i < count; i++)
        if (g->column[basis[i]] == e->term[sum]) place = i;
    other = basis[place];
    *found = false;
    if (g->fixed[other] || used(all, e->term[sum])) return OK;
    basis[place] = target;
    TRY(try_column(work, g, basis, count, other, e, found, &near));
    if (!*found) basis[place] = other;
done:
    return status;
}

static Status find_in_group(Work *work, const Group *g, Identities *out) {
    Status status = OK;
    int64_t *basis = NULL, count = 0;
    NEW(work, basis, g->count + 1);
    for (int64_t j = 0; j < g->count; j++) {
        Identity e;
        bool found, near;
        TRY(work_check(work));
        TRY(try_column(work, g, basis, count, j, &e, &found, &near));
        if (found) TRY(turn(work, g, basis, count, j, out, &e, &found));
        if (found && e.column == g->column[j] && g->fixed[j]) found = false;
        if (!found && !near) basis[count++] = j;
        if (!found) continue;
        for (int64_t i = 0; i < e.column->rows && e.absent < 0; i++)
            if (column_missing(e.column, i)) e.absent = i;
        out->at[out->count++] = e;
    }
done:
    return status;
}

Status identities_find(Work *work, Columns columns, const bool *fixed, Identities *out) {
    Status status = OK;
    const double **x = NULL;
    bool *done_with = NULL;
    *out = (Identities){ 0 };
    NEW(work, x, columns.count + 1);
    NEW(work, done_with, columns.count + 1);
    NEW(work, out->at, columns.count + 1);
    for (int64_t j = 0; j < columns.count; j++) {
        if (column_numeric(columns.at[j])) TRY(column_reals(work, columns.at[j], &x[j]));
        done_with[j] = !x[j] || !may_belong(columns.at[j], x[j]);
    }
    for (int64_t j = 0; j < columns.count; j++) {
        Group g = { 0 };
        if (done_with[j]) continue;
        NEW(work, g.column, columns.count + 1);
        NEW(work, g.x, columns.count + 1);
        NEW(work, g.fixed, columns.count + 1);
        for (int64_t k = j; k < columns.count && g.count < MOST; k++) {
            if (done_with[k] || !same_missing(columns.at[j], columns.at[k])) continue;
            done_with[k] = true;
            g.column[g.count] = columns.at[k];
            g.fixed[g.count] = fixed[k];
            g.x[g.count++] = x[k];
        }
        if (g.count < 2) continue;
        NEW(work, g.row, columns.at[j]->rows + 1);
        for (int64_t i = 0; i < columns.at[j]->rows; i++)
            if (!column_missing(columns.at[j], i)) g.row[g.rows++] = i;
        if (g.rows < 3 * g.count) continue;
        TRY(measure(work, &g));
        TRY(find_in_group(work, &g, out));
    }
done:
    return status;
}

const char *equation_text(Work *work, const Identity *e) {
    Buffer text = { 0 };
    char number[33];
    buffer_print(&text, "%s =", e->column->name);
    for (int64_t k = 0; k < e->terms; k++) {
        double c = e->coefficient[k];
        buffer_print(&text, k ? (c < 0 ? " − " : " + ") : c < 0 ? " −" : " ");
        if (fabs(c) != 1) buffer_print(&text, "%s ", real_text(fabs(c), number));
        buffer_print(&text, "%s", e->term[k]->name);
    }
    if (e->constant != 0) buffer_print(&text, " %s %s", e->constant < 0 ? "−" : "+", real_text(fabs(e->constant), number));
    const char *copy = arena_text(work->arena, buffer_get(&text));
    buffer_free(&text);
    return copy ? copy : "";
}

const Identity *identity_of(const Identities *all, const char *name) {
    for (int64_t i = 0; i < all->count; i++)
        if (!strcmp(all->at[i].column->name, name)) return &all->at[i];
    return NULL;
}

Status identity_values(Work *work, const Identity *e, Column *const *made, int64_t count, int64_t rows, double **out) {
    Status status = OK;
    const double **x = NULL;
    NEW(work, x, e->terms + 1);
    NEW(work, *out, rows + 1);
    for (int64_t k = 0; k < e->terms; k++)
        for (int64_t j = 0; j < count; j++)
            if (made[j] && !strcmp(made[j]->name, e->term[k]->name)) TRY(column_reals(work, made[j], &x[k]));
    for (int64_t i = 0; i < rows; i++) (*out)[i] = value_of(e, x, i);
done:
    return status;
}
