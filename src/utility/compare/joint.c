/* Measures over all numeric variables together. */
#include <string.h>
#include "base/elementary.h"
#include "math/linear/symmetric.h"
#include "utility/compare/compare.h"

/* Yancey, Winkler & Creecy 2002; Domingo-Ferrer, Mateo-Sanz & Torra 2001, as sdcMicro sums it: Σ_ij |x_ij − x′_ij| / (√2·S_j). */
static void say_il1s(Comparison *c) {
    Result *result = c->run->result;
    double sum = 0;
    int64_t cells = 0;
    if (!c->numeric) {
        result_null(result, "il1s", "il1s needs a numeric variable.");
        result_null(result, "il1s_mean", "il1s needs a numeric variable.");
        return;
    }
    if (c->table[0]->rows != c->table[1]->rows) {
        result_null(result, "il1s", "il1s compares record by record, and the tables have %lld and %lld records.",
                    (long long)c->table[0]->rows, (long long)c->table[1]->rows);
        result_real(result, "il1s_mean", NAN);
        return;
    }
    if (!table_places(c->table[1])) {
        result_null(result, "il1s", "il1s compares record by record, and the release's were put in another order.");
        result_real(result, "il1s_mean", NAN);
        return;
    }
    for (int64_t v = 0; v < c->numeric; v++) {
        const Pairing *p = &c->pair[v];
        double mean = 0, squares = 0, absolute = 0, sd;
        for (int64_t i = 0; i < p->present[0]; i++) mean += p->sorted[0][i] / (double)p->present[0];
        for (int64_t i = 0; i < p->present[0]; i++) squares += pow(p->sorted[0][i] - mean, 2);
        sd = sqrt(squares / (double)(p->present[0] - 1));
        for (int64_t i = 0; i < p->column[0]->rows; i++)
            if (!isnan(p->x[0][i]) && !isnan(p->x[1][i])) {
                absolute += fabs(p->x[0][i] - p->x[1][i]);
                cells += sd > 0;
            }
        if (sd > 0) sum += absolute / (M_SQRT2 * sd);
    }
    result_real(result, "il1s", sum);
    result_real(result, "il1s_mean", cells ? sum / (double)cells : NAN);
}

/* Correlation matrix, or false where it has no meaning (a constant column, fewer than two records). */
static bool correlations(const Moments *m, double *r) {
    for (int64_t j = 0; j < m->columns; j++)
        for (int64_t k = 0; k < m->columns; k++) {
            r[j * m->columns + k] = moments_correlation(m, j, k);
            if (isnan(r[j * m->columns + k])) return false;
        }
    return true;
}

/* Lower L with LL' = a in place, and the logarithm of a's determinant; *fine is false where a is singular. */
static void root(Work *work, double *a, int64_t n, double *log_determinant, bool *fine) {
    double largest = 0, least = INFINITY;
    Error aside = ERROR_NONE;
    Work quiet = *work;
    quiet.error = &aside;
    *log_determinant = 0;
    if (cholesky(&quiet, a, n, a)) *fine = false;
    if (!*fine) return;
    for (int64_t j = 0; j < n; j++) {
        largest = fmax(largest, a[j * n + j]);
        least = fmin(least, a[j * n + j]);
        *log_determinant += 2 * log(a[j * n + j]);
    }
    *fine = least > 1e-7 * largest;
}

/* Σ|λ_j − λ′_j|/λ_j over the eigenvalues of the two correlation matrices, in falling order. */
static Status say_eigenvalues(Comparison *c, const double *const r[2]) {
    Status status = OK;
    Work *work = &c->run->work;
    int64_t n = c->numeric;
    double *values[2] = { 0 }, sum = 0;
    for (int t = 0; t < 2; t++) {
        NEW(work, values[t], n + 1);
        TRY(symmetric_eigen(work, r[t], n, values[t], NULL));
    }
    for (int64_t j = 0; j < n; j++) sum += values[0][j] > 1e-12 ? fabs(values[0][j] - values[1][j]) / values[0][j] : NAN;
    if (isnan(sum))
        result_null(c->run->result, "eigenvalues",
                    "The original's numeric variables are linearly dependent: eigenvalues of zero cannot be compared by ratio.");
    else result_real(c->run->result, "eigenvalues", sum);
done:
    return status;
}

/* Młodak 2020: (1/√2)·‖d/‖d‖ − d′/‖d′‖‖, d the diagonal of the inverse correlation matrix. */
static Status say_correlation_loss(Comparison *c, const double *const r[2]) {
    Status status = OK;
    int64_t n = c->numeric;
    double *inverse[2] = { 0 }, *diagonal[2] = { 0 }, log_determinant, norm[2] = { 0 }, sum = 0;
    bool fine = true;
    for (int t = 0; t < 2; t++) {
        NEW(&c->run->work, inverse[t], n * n + 1);
        memcpy(inverse[t], r[t], (size_t)(n * n) * sizeof **inverse);
        NEW(&c->run->work, diagonal[t], n + 1);
        root(&c->run->work, inverse[t], n, &log_determinant, &fine);
        if (fine) TRY(triangle_inverse_diagonal(&c->run->work, inverse[t], n, diagonal[t]));
        for (int64_t j = 0; j < n; j++) norm[t] += diagonal[t][j] * diagonal[t][j];
    }
    for (int64_t j = 0; j < n; j++) sum += pow(diagonal[0][j] / sqrt(norm[0]) - diagonal[1][j] / sqrt(norm[1]), 2);
    if (fine) result_real(c->run->result, "correlation_loss", settled(sqrt(sum / 2), 1));
    else result_null(c->run->result, "correlation_loss", "A correlation matrix is singular: correlation_loss needs its inverse.");
done:
    return status;
}

/* Karr et al. 2006, section 3: the Kullback–Leibler divergence of the original from the release, both taken as normal:
 * ½(tr(Σ_r⁻¹Σ_o) − p + (μ_r−μ_o)ᵀΣ_r⁻¹(μ_r−μ_o) + ln|Σ_r|/|Σ_o|). Computed on columns scaled by the original's standard deviations. */
static Status say_kullback_leibler(Comparison *c) {
    Status status = OK;
    int64_t n = c->numeric;
    const Moments *o = &c->joint[0], *r = &c->joint[1];
    double *inverse = NULL, *copy = NULL, log_o = 0, log_r = 0, sum = -(double)n;
    bool fine = true;
    NEW(&c->run->work, inverse, n * n + 1);
    NEW(&c->run->work, copy, n * n + 1);
    for (int64_t j = 0; j < n; j++)
        for (int64_t k = 0; k < n; k++) {
            double scale = sqrt(moments_covariance(o, j, j) * moments_covariance(o, k, k));
            inverse[j * n + k] = moments_covariance(r, j, k) / scale;
            copy[j * n + k] = moments_covariance(o, j, k) / scale;
        }
    root(&c->run->work, inverse, n, &log_r, &fine);
    if (fine) TRY(triangle_inverse(&c->run->work, inverse, n, inverse));
    root(&c->run->work, copy, n, &log_o, &fine);
    for (int64_t j = 0; j < n; j++)
        for (int64_t k = 0; k < n; k++) {
            double sd_j = sqrt(moments_covariance(o, j, j)), sd_k = sqrt(moments_covariance(o, k, k));
            double spread = moments_covariance(o, j, k) / (sd_j * sd_k),
                   shift = (r->mean[j] - o->mean[j]) / sd_j * ((r->mean[k] - o->mean[k]) / sd_k);
            sum += inverse[j * n + k] * (spread + shift);
        }
    if (fine) result_real(c->run->result, "kullback_leibler", settled(fmax(0, (sum + log_r - log_o) / 2), (double)n));
    else result_null(c->run->result, "kullback_leibler", "A covariance matrix is singular: the divergence of two normals has no value.");
done:
    return status;
}

static void say_correlations(Comparison *c, const double *const r[2]) {
    Grid *grid = grid_new(c->run->result, "correlations",
                          "variable:text other:text original:real released:real difference:real relative_change:real");
    for (int64_t j = 0; j < c->numeric; j++)
        for (int64_t k = 0; k < j; k++) {
            double original = r[0][j * c->numeric + k], released = r[1][j * c->numeric + k];
            grid_text(grid, c->pair[j].name);
            grid_text(grid, c->pair[k].name);
            grid_real(grid, original);
            grid_real(grid, released);
            grid_real(grid, released - original);
            grid_real(grid, relative_change(original, released));
        }
    grid_done(grid);
}

Status compare_joint(Comparison *c) {
    Status status = OK;
    static const char *const names[] = { "eigenvalues", "correlation_loss", "kullback_leibler" };
    Work *work = &c->run->work;
    const double **x = NULL;
    double *r[2] = { 0 };
    bool fine = c->numeric > 0;
    say_il1s(c);
    NEW(work, x, c->numeric + 1);
    for (int t = 0; t < 2; t++) {
        for (int64_t j = 0; j < c->numeric; j++) x[j] = c->pair[j].x[t];
        TRY(moments_make(work, x, c->numeric, NULL, c->table[t]->rows, &c->joint[t]));
        NEW(work, r[t], c->numeric * c->numeric + 1);
        if (c->numeric) fine = correlations(&c->joint[t], r[t]) && fine;
    }
    if (c->numeric > 1) say_correlations(c, (const double *const *)r);
    if (!fine) {
        for (int i = 0; i < 3; i++) result_real(c->run->result, names[i], NAN);
        result_note(
            c->run->result,
            "eigenvalues, correlation_loss and kullback_leibler need numeric variables that vary, over two complete records or more.");
        return OK;
    }
    TRY(say_eigenvalues(c, (const double *const *)r));
    TRY(say_correlation_loss(c, (const double *const *)r));
    TRY(say_kullback_leibler(c));
done:
    return status;
}
