/* Data shuffling: the conditional normal of the confidential scores given the others. */
#include "math/special/normal.h"
#include <string.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "math/linear/moments.h"
#include "math/linear/symmetric.h"
#include "protect/shuffle/shuffle.h"

/* A normal copula's Pearson correlation from Spearman's: r = 2·sin(π·r_s/6) (Kruskal 1958). */
static double pearson_of(double spearman) { return isnan(spearman) ? 0 : 2 * sin(M_PI / 6 * smaller(0.99999, larger(-0.99999, spearman))); }

/* Ties shrink a column's ranks by c² = 1 − Σ(t³−t)/(n³−n), and the ties come back with the released values: the latent correlation is
 * r_s/c. */
static double tie_factor(const Moments *m, int64_t j) {
    double n = (double)m->rows, c2 = moments_covariance(m, j, j) * (n - 1) / n * 12 * n * n / (n * n - 1);
    return c2 > 0 ? sqrt(fmin(1, c2)) : 1;
}

/* The distinct values of a column of S, where they are few. */
enum { FEW = 40 };
typedef struct {
    int count;
    double u[FEW], score[FEW], share[FEW];
} Levels;

static bool levels_of(const Shuffle *s, int64_t k, const int64_t *row, int64_t rows, double sd, Levels *levels) {
    const double *u = s->u[s->confidential + k];
    double present = 0;
    levels->count = 0;
    for (int64_t r = 0; r < rows; r++) {
        int64_t i = row ? row[r] : r;
        int m = 0;
        if (isnan(u[i])) continue;
        while (m < levels->count && levels->u[m] != u[i]) m++;
        if (m == FEW) return false;
        if (m == levels->count) {
            levels->u[m] = u[i];
            levels->score[m] = s->score[k][i] / sd;
            levels->share[m] = 0;
            levels->count++;
        }
        levels->share[m]++;
        present++;
    }
    for (int m = 0; m < levels->count; m++) levels->share[m] /= present;
    return levels->count > 1;
}

/* Spearman's correlation of Y* = b·S* + √(1−b²)·z with a column S of few values s_m, shares π_m and mid-ranks u_m. The rank of Y* has
 * conditional mean E[U | m] = Σ_l π_l·Φ(b(s_m − s_l)/√(2(1−b²))), and variance 1/12. */
static double spearman_of(const Levels *l, double b) {
    double covariance = 0, variance = 0, width = sqrt(2 * (1 - b * b));
    for (int m = 0; m < l->count; m++) {
        double rank = 0;
        for (int k = 0; k < l->count; k++) rank += l->share[k] * normal_lower(b * (l->score[m] - l->score[k]) / width);
        covariance += l->share[m] * (rank - 0.5) * (l->u[m] - 0.5);
        variance += l->share[m] * (l->u[m] - 0.5) * (l->u[m] - 0.5);
    }
    return variance > 0 ? covariance / sqrt(variance / 12) : 0;
}

/* The b at which that is the correlation seen. */
static double serial_pearson(const Levels *levels, double spearman) {
    double low = -0.9999, high = 0.9999;
    if (isnan(spearman)) return 0;
    for (int step = 0; step < 50; step++) {
        double middle = (low + high) / 2;
        if (spearman_of(levels, middle) < spearman) low = middle;
        else high = middle;
    }
    return (low + high) / 2;
}

/* R over (confidential, others): the confidential ones freed of their ties; columns of S with few values by their own law. */
static void copula_correlations(const Shuffle *s, const Moments *m, const int64_t *row, int64_t rows, const double *sd, double *r) {
    int64_t p = s->confidential, n = p + s->others;
    for (int64_t k = 0; k < n; k++) {
        Levels levels = { 0 };
        bool few = k >= p && isfinite(sd[k - p]) && levels_of(s, k - p, row, rows, sd[k - p], &levels);
        for (int64_t j = 0; j < p; j++) {
            double seen = moments_correlation(m, j, k) / tie_factor(m, j) / (k < p ? tie_factor(m, k) : 1);
            r[j * n + k] = r[k * n + j] = j == k ? 1 : few ? serial_pearson(&levels, seen) : pearson_of(seen);
        }
    }
}

/* a⁺ of a symmetric matrix: directions of (nearly) no variance are left out. */
static Status pseudo_inverse(Work *work, const double *a, int64_t n, double *out) {
    Status status = OK;
    double *values = NULL, *vectors = NULL;
    NEW(work, values, n + 1);
    NEW(work, vectors, n * n + 1);
    TRY(symmetric_eigen(work, a, n, values, vectors));
    memset(out, 0, (size_t)(n * n) * sizeof *out);
    for (int64_t e = 0; e < n; e++) {
        if (!(values[e] > 1e-9 * values[n - 1])) continue;
        for (int64_t j = 0; j < n; j++)
            for (int64_t k = 0; k < n; k++) out[j * n + k] += vectors[e * n + j] * vectors[e * n + k] / values[e];
    }
done:
    return status;
}

/* The nearest positive semidefinite matrix (negative eigenvalues become 0), as its lower-triangular root. */
static Status clipped_root(Work *work, const double *a, int64_t n, double *root) {
    Status status = OK;
    double *values = NULL, *vectors = NULL, *fixed = NULL;
    NEW(work, values, n + 1);
    NEW(work, vectors, n * n + 1);
    NEW(work, fixed, n * n + 1);
    TRY(symmetric_eigen(work, a, n, values, vectors));
    for (int64_t e = 0; e < n; e++)
        for (int64_t j = 0; j < n; j++)
            for (int64_t k = 0; k < n; k++) fixed[j * n + k] += fmax(0, values[e]) * vectors[e * n + j] * vectors[e * n + k];
    for (int64_t j = 0; j < n; j++) fixed[j * n + j] += 1e-12;
    if (!semidefinite_root(fixed, n, root)) TRY(fail(work->error, FAILED, "the conditional covariance has no root"));
done:
    return status;
}

/* Muralidhar & Sarathy 2006: Y* given S* is normal with mean R_XS·R_SS⁻¹·S* and covariance R_XX − R_XS·R_SS⁻¹·R_SX. R_SS is that of the
 * scores themselves, so that Y* has exactly the covariance R_XS with them also where S has ties. */
static Status conditional(Shuffle *s, const Moments *ranks, const Moments *scores, const int64_t *row, int64_t rows, ShuffleFit *fit) {
    Status status = OK;
    Work *work = &s->run->work;
    int64_t p = s->confidential, q = s->others, n = p + q;
    double *r = NULL, *within = NULL, *inverse = NULL, *covariance = NULL;
    NEW(work, r, n * n + 1);
    NEW(work, within, q * q + 1);
    NEW(work, inverse, q * q + 1);
    NEW(work, covariance, p * p + 1);
    NEW(work, fit->slope, p * q + 1);
    NEW(work, fit->root, p * p + 1);
    NEW(work, fit->sd, q + 1);
    for (int64_t k = 0; k < q; k++) {
        double variance = moments_covariance(scores, k, k);
        fit->sd[k] = variance > 0 ? sqrt(variance) : INFINITY; /* a constant column tells nothing */
        for (int64_t l = 0; l < q; l++) {
            double correlation = moments_correlation(scores, k, l);
            within[k * q + l] = k == l ? 1 : isnan(correlation) ? 0 : correlation;
        }
    }
    copula_correlations(s, ranks, row, rows, fit->sd, r);
    if (q) TRY(pseudo_inverse(work, within, q, inverse));
    for (int64_t j = 0; j < p; j++)
        for (int64_t k = 0; k < q; k++)
            for (int64_t l = 0; l < q; l++) fit->slope[j * q + k] += r[j * n + p + l] * inverse[l * q + k];
    for (int64_t j = 0; j < p; j++)
        for (int64_t k = 0; k < p; k++) {
            covariance[j * p + k] = r[j * n + k];
            for (int64_t l = 0; l < q; l++) covariance[j * p + k] -= fit->slope[j * q + l] * r[k * n + p + l];
        }
    TRY(clipped_root(work, covariance, p, fit->root));
done:
    return status;
}

/* Ranks and scores of the same records: those that have every confidential value. */
static Status fit_rows(Shuffle *s, const int64_t *all, int64_t count, ShuffleFit *fit) {
    Status status = OK;
    Moments ranks, scores;
    int64_t *row = NULL, rows = 0;
    NEW(&s->run->work, row, count + 1);
    for (int64_t r = 0; r < count; r++) {
        const int64_t i = all ? all[r] : r;
        bool complete = true;
        for (int64_t j = 0; j < s->confidential; j++) complete = complete && !isnan(s->u[j][i]);
        if (complete) row[rows++] = i;
    }
    TRY(moments_make(&s->run->work, (const double *const *)s->u, s->confidential + s->others, row, rows, &ranks));
    TRY(moments_make(&s->run->work, (const double *const *)s->score, s->others, row, rows, &scores));
    TRY(conditional(s, &ranks, &scores, row, rows, fit));
done:
    return status;
}

/* Strata too small for correlations of their own share those pooled over all strata's ranks. */
Status shuffle_fit(Shuffle *s) {
    Status status = OK;
    ShuffleFit whole = { 0 };
    int64_t least = 3 * (s->confidential + s->others) + 20;
    NEW(&s->run->work, s->fit, s->strata.count + 1);
    TRY(fit_rows(s, NULL, s->rows, &whole));
    for (int64_t k = 0; k < s->strata.count; k++) {
        int64_t rows = s->strata.start[k + 1] - s->strata.start[k];
        s->fit[k] = whole;
        s->fit[k].pooled = s->strata.count > 1 && rows < least;
        if (s->strata.count == 1 || rows < least) continue;
        TRY(work_check(&s->run->work));
        TRY(fit_rows(s, s->strata.row + s->strata.start[k], rows, &s->fit[k]));
    }
done:
    return status;
}
