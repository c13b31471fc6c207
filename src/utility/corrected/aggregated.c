/* Matrix masking Y = A·X·B + C with known matrices, and aggregated records: generalised least squares on the rows of Y − C. */
#include <string.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "math/linear/least_squares.h"
#include "math/linear/table_matrix.h"
#include "utility/corrected/corrected.h"

/* A by rows; row r's entries are value[start[r]] … of originals column[…]. Without A, row r is the mean of size[r] originals. */
typedef struct {
    Run *run;
    const CorrectedArgs *a;
    int64_t originals, *start, *column;
    double *value, *sum; /* sum of a row: what the intercept becomes */
    const double *size;
    int64_t dropped, contradicted; /* rows that follow from others; those that contradict them */
} Aggregation;

static Status read_A(Aggregation *g) {
    Status status = OK;
    Work *work = &g->run->work;
    const Table *table = g->a->A, *released = g->a->released;
    TableMatrix A;
    TRY(matrix_of_table(work, table, "A", 1, &A));
    if (A.rows != released->rows) {
        fail(work->error, BAD, "A is %lld × %lld, but the release has %lld records: one row of A per released record is needed",
             (long long)A.rows, (long long)A.columns, (long long)released->rows);
        TRY(error_parameter(work->error, "A"));
    }
    int64_t used = A.start[A.columns], *next = NULL;
    g->originals = A.columns;
    NEW(work, g->start, A.rows + 1);
    NEW(work, next, A.rows + 1);
    NEW(work, g->column, used + 1);
    NEW(work, g->value, used + 1);
    for (int64_t e = 0; e < used; e++) g->start[A.entry[e].row + 1]++;
    for (int64_t r = 0; r < A.rows; r++) next[r + 1] = g->start[r + 1] += g->start[r];
    for (int64_t j = 0; j < A.columns; j++)
        for (int64_t e = A.start[j]; e < A.start[j + 1]; e++) {
            int64_t at = next[A.entry[e].row]++;
            g->column[at] = j;
            g->value[at] = A.entry[e].value;
            g->sum[A.entry[e].row] += A.entry[e].value;
        }
done:
    return status;
}

static Status read_sizes(Aggregation *g) {
    Status status = OK;
    Work *work = &g->run->work;
    TRY(column_reals(work, g->a->group_size, &g->size));
    for (int64_t i = 0; i < g->a->released->rows; i++) {
        if (g->size[i] >= 1 && !isinf(g->size[i])) continue;
        fail(work->error, BAD, "a number of records must be 1 or more");
        TRY(error_column(work->error, g->a->group_size->name));
    }
done:
    return status;
}

static Status aggregation_make(Run *run, const CorrectedArgs *a, Aggregation *g) {
    Status status = OK;
    int64_t rows = a->released->rows;
    *g = (Aggregation){ .run = run, .a = a };
    NEW(&run->work, g->sum, rows + 1);
    if (a->A) TRY(read_A(g));
    for (int64_t i = 0; i < rows && !a->A; i++) g->sum[i] = 1;
    if (a->group_size) TRY(read_sizes(g));
    if (a->C && a->C->rows != rows) {
        fail(run->work.error, BAD, "C has %lld rows, but the release has %lld records", (long long)a->C->rows, (long long)rows);
        TRY(error_parameter(run->work.error, "C"));
    }
    for (int64_t j = 0; a->C && j < a->C->columns; j++)
        if (!table_column(a->released, a->C->column[j]->name)) {
            fail(run->work.error, BAD, "C has a column that the release does not have: its columns are named like those of the release");
            error_column(run->work.error, a->C->column[j]->name);
            TRY(error_parameter(run->work.error, "C"));
        }
done:
    return status;
}

/* x − C of a column, for `count` records. */
static Status take_off(const Aggregation *g, const char *name, const int64_t *row, int64_t count, const double *x, double *out) {
    const Column *c = g->a->C ? table_column(g->a->C, name) : NULL;
    for (int64_t i = 0; i < count; i++) {
        double added = !c ? 0 : column_numeric(c) ? column_number(c, row[i]) : NAN;
        if (!isfinite(added)) return matrix_need_number(&g->run->work, g->a->C, "C", table_find(g->a->C, name), row[i], NAN);
        out[i] = x[i] - added;
    }
    return OK;
}

/* ---- Rows made independent, of equal variance ---- */

typedef struct {
    const int64_t *row;
    int64_t rows, columns;
    double **z;     /* by columns; becomes L⁻¹z, where AA' = LL' */
    double *spread; /* root mean square of each, beforehand */
    bool *kept;
} Whitening;

static int64_t root_of(int64_t *parent, int64_t r) {
    while (parent[r] != r) r = parent[r] = parent[parent[r]];
    return r;
}

/* Rows that share originals, directly or through others: the rows listed component by component. */
static Status list_components(const Aggregation *g, const Whitening *w, int64_t **list, int64_t **start, int64_t *count) {
    Status status = OK;
    Work *work = &g->run->work;
    int64_t *parent = NULL, *holder = NULL, *number = NULL, *next = NULL;
    NEW(work, parent, w->rows + 1);
    NEW(work, number, w->rows + 1);
    NEW(work, next, w->rows + 2);
    NEW(work, *list, w->rows + 1);
    NEW(work, *start, w->rows + 2);
    NEW(work, holder, g->originals + 1); /* a row that has this original, + 1 */
    *count = 0;
    for (int64_t i = 0; i < w->rows; i++) {
        parent[i] = i;
        for (int64_t e = g->start ? g->start[w->row[i]] : 0; g->start && e < g->start[w->row[i] + 1]; e++) {
            int64_t *held = &holder[g->column[e]];
            if (*held) parent[root_of(parent, i)] = root_of(parent, *held - 1);
            *held = i + 1;
        }
    }
    for (int64_t i = 0; i < w->rows; i++) {
        int64_t *of = &number[root_of(parent, i)];
        if (!*of) *of = ++*count;
        (*start)[*of]++;
    }
    for (int64_t c = 0; c < *count; c++) next[c] = (*start)[c], (*start)[c + 1] += (*start)[c];
    for (int64_t i = 0; i < w->rows; i++) (*list)[next[number[root_of(parent, i)] - 1]++] = i;
done:
    return status;
}

/* The row of L of record t of a component, by its products with the records kept before it; false where it follows from them. */
static bool factor_row(const Aggregation *g, const Whitening *w, const int64_t *kept, int64_t count, int64_t record, double *scattered,
                       double *lower, int64_t width) {
    double *row = lower + count * width, total = 0, left;
    int64_t first = g->start ? g->start[w->row[record]] : 0, last = g->start ? g->start[w->row[record] + 1] : 0;
    for (int64_t e = first; e < last; e++) scattered[g->column[e]] += g->value[e];
    for (int64_t e = first; e < last; e++) { total += g->value[e] * scattered[g->column[e]]; }
    if (!g->start) total = g->size ? 1 / g->size[w->row[record]] : 1;
    left = total;
    for (int64_t k = 0; k < count; k++) {
        double product = 0;
        for (int64_t e = g->start[w->row[kept[k]]]; e < g->start[w->row[kept[k]] + 1]; e++)
            product += g->value[e] * scattered[g->column[e]];
        for (int64_t l = 0; l < k; l++) product -= row[l] * lower[k * width + l];
        row[k] = product / lower[k * width + k];
        left -= row[k] * row[k];
    }
    for (int64_t e = first; e < last; e++) scattered[g->column[e]] = 0;
    if (!(left > 1e-10 * total)) return false;
    row[count] = sqrt(left);
    return true;
}

/* z_t becomes (z_t − Σ L_tk z_k)/L_tt. A row that follows from the others must do so in the data, too, but for what rounding leaves. */
static void whiten_row(Aggregation *g, Whitening *w, const int64_t *kept, int64_t count, int64_t record, const double *row, bool follows) {
    bool contradicts = false;
    for (int64_t c = 0; c < w->columns; c++) {
        for (int64_t k = 0; k < count; k++) w->z[c][record] -= row[k] * w->z[c][kept[k]];
        contradicts |= fabs(w->z[c][record]) > 1e-3 * w->spread[c];
        if (!follows) w->z[c][record] /= row[count];
    }
    g->dropped += follows;
    g->contradicted += follows && contradicts && count;
    w->kept[record] = !follows;
}

static Status whiten_component(Aggregation *g, Whitening *w, const int64_t *list, int64_t size, double *scattered) {
    enum { MOST = 4000 };
    Status status = OK;
    Work *work = &g->run->work;
    int64_t *kept = NULL, count = 0;
    double *lower = NULL;
    if (size > MOST) {
        fail(work->error, BAD, "more than %d released records share original records through A", MOST);
        return error_parameter(work->error, "A");
    }
    NEW(work, kept, size + 1);
    NEW(work, lower, (size + 1) * (size + 1));
    for (int64_t t = 0; t < size; t++) {
        TRY(work_check(work));
        bool more = factor_row(g, w, kept, count, list[t], scattered, lower, size + 1);
        whiten_row(g, w, kept, count, list[t], lower + count * (size + 1), !more);
        if (more) kept[count++] = list[t];
    }
done:
    arena_drop(work->arena, lower);
    arena_drop(work->arena, kept);
    return status;
}

/* The columns z (the first is the intercept's) at the records `row`, less those that follow from others. `rows` becomes their number. */
static Status whiten(Aggregation *g, const int64_t *row, int64_t *rows, int64_t columns, double **z) {
    Status status = OK;
    Work *work = &g->run->work;
    Whitening w = { .row = row, .rows = *rows, .columns = columns, .z = z };
    int64_t *list = NULL, *start = NULL, count = 0, at = 0;
    double *scattered = NULL;
    NEW(work, w.kept, w.rows + 1);
    NEW(work, w.spread, columns + 1);
    NEW(work, scattered, g->originals + 1);
    for (int64_t c = 0; c < columns; c++) {
        for (int64_t i = 0; i < w.rows; i++) w.spread[c] += z[c][i] * z[c][i] / (double)w.rows;
        w.spread[c] = sqrt(w.spread[c]);
    }
    int64_t dropped = g->dropped, contradicted = g->contradicted; /* the most of any column */
    g->dropped = g->contradicted = 0;
    TRY(list_components(g, &w, &list, &start, &count));
    for (int64_t c = 0; c < count; c++) TRY(whiten_component(g, &w, list + start[c], start[c + 1] - start[c], scattered));
    for (int64_t i = 0; i < w.rows; i++) {
        if (!w.kept[i]) continue;
        for (int64_t c = 0; c < columns; c++) z[c][at] = z[c][i];
        at++;
    }
    *rows = at;
    if (dropped > g->dropped) g->dropped = dropped;
    if (contradicted > g->contradicted) g->contradicted = contradicted;
done:
    return status;
}

static void say(Run *run, const CorrectedArgs *a, const Aggregation *g, int64_t rows) {
    corrected_say_rows(run, a, rows);
    if (g->dropped)
        result_note(run->result,
                    "%lld released records follow from others through A, or hold no original record. They carry no information and were "
                    "left out.",
                    (long long)g->dropped);
    if (g->contradicted)
        result_note(
            run->result,
            "Warning: %lld released records differ from what A and C say they must be. Check that A and C are those of this release.",
            (long long)g->contradicted);
    result_note(run->result,
                "The correction is valid if A and C were chosen without regard to the response. Standard errors assume errors of "
                "equal variance that are independent between original records.");
}

/* ---- Regression ---- */

static Status check_columns(Run *run, const CorrectedArgs *a) {
    Status status = OK;
    for (int64_t c = 0; a->formula && c < formula_columns(a->formula); c++) {
        const char *name = formula_column_at(a->formula, c);
        if (!a->A && !a->group_size && !(a->C && table_column(a->C, name))) continue;
        TRY(corrected_need_plain(run, a, name));
        const Column *column = table_column(a->released, name);
        if (column && column_numeric(column)) continue;
        fail(run->work.error, BAD, "matrix masking applies to numbers");
        TRY(error_column(run->work.error, name));
    }
done:
    return status;
}

/* R² is one minus the residual sum of squares over that of the intercept alone. */
static Status fit(Work *work, double **z, int64_t rows, int64_t p, bool intercept, LinearFit *out, double *r2) {
    Status status = OK;
    LinearFit alone;
    double *x = NULL, total = 0;
    NEW(work, x, rows * p + 1);
    for (int64_t j = 0; j < p; j++) memcpy(x + j * rows, z[j], (size_t)rows * sizeof *x);
    LinearModel model = { .rows = rows, .columns = p, .x = x, .y = z[p] }, mean = model;
    if (rows <= p)
        TRY(fail(work->error, BAD, "%lld records that carry information are too few for %lld terms", (long long)rows, (long long)p));
    TRY(least_squares(work, &model, out));
    if (out->rank < p) TRY(fail(work->error, BAD, "the terms are collinear"));
    mean.columns = 1;
    if (intercept) TRY(least_squares(work, &mean, &alone));
    for (int64_t i = 0; i < rows; i++) total += z[p][i] * z[p][i];
    if (intercept) total = alone.residual_sum;
    *r2 = total > 0 ? 1 - out->residual_sum / total : NAN;
done:
    return status;
}

/* W = A·w + c and U = A·X + C: (W − c) = (U − C)β + A·1·β₀ + A·ε, and Var(A·ε) = σ²·AA' (Little 1993). */
Status aggregated_regression(Run *run, const CorrectedArgs *a) {
    Status status = OK;
    Work *work = &run->work;
    Aggregation g;
    Design design;
    LinearFit plain, right;
    double **z = NULL, r2 = NAN;
    TRY(corrected_design(run, a, false, &design));
    TRY(check_columns(run, a));
    TRY(aggregation_make(run, a, &g));
    int64_t p = design.columns, rows = design.rows;
    NEW(work, z, p + 2);
    for (int64_t j = 0; j <= p; j++) {
        NEW(work, z[j], rows + 1);
        if (j == 0 && design.intercept)
            for (int64_t i = 0; i < rows; i++) z[j][i] = g.sum[design.row[i]];
        else TRY(take_off(&g, j < p ? design.term[j] : design.response, design.row, rows, j < p ? design.x + j * rows : design.y, z[j]));
    }
    LinearModel model = { .rows = rows, .columns = p, .x = design.x, .y = design.y, .intercept = design.intercept };
    TRY(least_squares(work, &model, &plain));
    TRY(whiten(&g, design.row, &rows, p + 1, z));
    TRY(fit(work, z, rows, p, design.intercept, &right, &r2));
    for (int64_t k = 0; k < p * p; k++) right.unscaled[k] *= right.dispersion;
    say(run, a, &g, design.rows);
    TRY(corrected_say_coefficients(run, a,
                                   &(Coefficients){ .count = p,
                                                    .term = design.term,
                                                    .plain = plain.coefficient,
                                                    .plain_se = plain.standard_error,
                                                    .beta = right.coefficient,
                                                    .variance = right.unscaled,
                                                    .r2_plain = plain.r2,
                                                    .r2 = r2 }));
done:
    return status;
}

/* ---- Means, variances, correlations ---- */

/* The mean μ of a column by least squares on the rows' sums; z becomes the residuals, whose mean square is the variance. */
static Answer mean_of_rows(const double *sum, double *z, int64_t rows, double *variance) {
    double square = 0, product = 0;
    *variance = 0;
    for (int64_t i = 0; i < rows; i++) {
        square += sum[i] * sum[i];
        product += sum[i] * z[i];
    }
    double mean = product / square;
    for (int64_t i = 0; i < rows; i++) {
        z[i] -= sum[i] * mean;
        *variance += z[i] * z[i] / (double)(rows - 1);
    }
    return square > 0 ? (Answer){ mean, sqrt(*variance / square) } : (Answer){ NAN, NAN };
}

static Answer of_residuals(const double *u, const double *v, int64_t rows, double u2, double v2, bool correlation) {
    double value = 0, sum = 0;
    for (int64_t i = 0; i < rows; i++) value += u[i] * v[i] / (double)(rows - 1);
    if (correlation) value /= sqrt(u2 * v2);
    for (int64_t i = 0; i < rows; i++) {
        double part = correlation ? u[i] * v[i] / sqrt(u2 * v2) - value / 2 * (u[i] * u[i] / u2 + v[i] * v[i] / v2) : u[i] * v[i] - value;
        sum += part * part;
    }
    return (Answer){ value, sqrt(sum / (double)rows / (double)(rows - 1)) };
}

static Status measure(Aggregation *g, Columns vars, Grid *grid, int64_t *most) {
    Status status = OK;
    Work *work = &g->run->work;
    Masked plain;
    Masking none = { .released = g->a->released, .scale = NAN };
    unsigned statistic = g->a->statistic;
    int64_t *row, rows, q = vars.count;
    double **z = NULL, *variance = NULL;
    Answer *mean = NULL;
    TRY(corrected_complete_rows(work, g->a, vars, &row, &rows));
    TRY(corrected_terms(g->run, vars, row, rows, &plain));
    TRY(masked_make(work, &none, NULL, NULL, &plain));
    NEW(work, z, q + 1);
    NEW(work, variance, q + 1);
    NEW(work, mean, q + 1);
    for (int64_t j = 0; j <= q; j++) {
        NEW(work, z[j], rows + 1);
        for (int64_t i = 0; i < rows && !j; i++) z[0][i] = g->sum[row[i]];
        if (j) TRY(take_off(g, vars.at[j - 1]->name, row, rows, plain.term[j - 1].seen, z[j]));
    }
    if (rows > *most) *most = rows;
    int64_t used = rows;
    TRY(whiten(g, row, &used, q + 1, z));
    if (used < 2) TRY(fail(work->error, BAD, "fewer than two records carry information"));
    for (int64_t j = 0; j < q; j++) mean[j] = mean_of_rows(z[0], z[j + 1], used, &variance[j]);
    for (int64_t j = 0; j < q; j++)
        for (int64_t k = statistic == CORRELATION ? 0 : j; k < j || (k == j && statistic != CORRELATION); k++)
            corrected_say_answer(
                grid, g->a, vars.at[j]->name, vars.at[k]->name, rows, corrected_answer(&plain, statistic, j, k),
                statistic == MEAN ? mean[j] : of_residuals(z[j + 1], z[k + 1], used, variance[j], variance[k], statistic == CORRELATION));
done:
    return status;
}

Status aggregated_statistics(Run *run, const CorrectedArgs *a) {
    Status status = OK;
    Aggregation g;
    int64_t most = 0;
    for (int64_t v = 0; v < a->vars.count; v++)
        if (!column_numeric(a->vars.at[v])) {
            fail(run->work.error, BAD, "matrix masking applies to numbers");
            TRY(error_column(run->work.error, a->vars.at[v]->name));
        }
    TRY(aggregation_make(run, a, &g));
    Grid *grid = corrected_grid(run, a);
    if (a->statistic == CORRELATION) TRY(measure(&g, a->vars, grid, &most));
    for (int64_t v = 0; v < a->vars.count && a->statistic != CORRELATION; v++)
        TRY(measure(&g, (Columns){ .count = 1, .at = a->vars.at + v }, grid, &most));
    grid_done(grid);
    say(run, a, &g, most);
done:
    return status;
}
