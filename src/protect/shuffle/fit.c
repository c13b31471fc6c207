/* Data shuffling: the conditional normal of the confidential scores given the others. */
#include <string.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "math/linear/moments.h"
#include "math/linear/symmetric.h"
#include "protect/shuffle/shuffle.h"
#include "protect/shuffle/tied_copula.h"

/* A normal copula's Pearson correlation from Spearman's: r = 2·sin(π·r_s/6) (Kruskal 1958). */
static double pearson_of(double spearman) { return isnan(spearman) ? 0 : 2 * sin(M_PI / 6 * smaller(0.99999, larger(-0.99999, spearman))); }

/* Ties shrink a column's ranks by c² = 1 − Σ(t³−t)/(n³−n), and the ties come back with the released values: the latent correlation is
 * r_s/c. */
static double tie_factor(const Moments *m, int64_t j) {
    double n = (double)m->rows, c2 = moments_covariance(m, j, j) * (n - 1) / n * 12 * n * n / (n * n - 1);
    return c2 > 0 ? sqrt(fmin(1, c2)) : 1;
}

/* Ties that a factor does not describe: above this share of them the copula is asked itself. */
static const double FEW_TIES = 0.995;

/* The latent correlation of confidential column j with one of S: its ties, and S as it is where it has ties of its own. */
static double latent_other(const TiedLevels *y, const TiedLevels *other, double sd, double seen, double tie) {
    TiedPoints points;
    if (isnan(seen) || !isfinite(sd)) return 0;
    const bool discrete = other->ties < FEW_TIES && other->count > 1;
    if (!discrete && y->ties >= FEW_TIES) return pearson_of(seen / tie);
    if (discrete) tied_points_discrete(other, 1 / sd, &points);
    else tied_points_normal(NULL, &points);
    return tied_latent(y, &points, seen);
}

static double latent_confidential(const TiedLevels *y, const TiedLevels *other, double seen, double ties) {
    TiedPoints points;
    if (isnan(seen)) return 0;
    if (y->ties >= FEW_TIES && other->ties >= FEW_TIES) return pearson_of(seen / ties);
    tied_points_normal(other, &points);
    return tied_latent(y, &points, seen);
}

/* R over (confidential, others): the correlations of the latent variables, of which ranks with ties are seen. */
static Status copula_correlations(const Shuffle *s, const Moments *m, const int64_t *row, int64_t rows, const double *sd, double *r) {
    Status status = OK;
    int64_t p = s->confidential, n = p + s->others;
    TiedLevels *levels = NULL;
    NEW(&s->run->work, levels, n + 1);
    for (int64_t k = 0; k < n; k++) TRY(tied_levels(&s->run->work, s->u[k], k < p ? NULL : s->score[k - p], row, rows, &levels[k]));
    for (int64_t j = 0; j < p; j++) {
        TRY(work_check(&s->run->work));
        r[j * n + j] = 1;
        for (int64_t k = j + 1; k < n; k++) {
            const double seen = moments_correlation(m, j, k), tie = tie_factor(m, j);
            r[j * n + k] = r[k * n + j] = k < p ? latent_confidential(&levels[j], &levels[k], seen, tie * tie_factor(m, k))
                                                : latent_other(&levels[j], &levels[k], sd[k - p], seen, tie);
        }
    }
done:
    arena_drop(s->run->work.arena, levels);
    return status;
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
    TRY(copula_correlations(s, ranks, row, rows, fit->sd, r));
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
