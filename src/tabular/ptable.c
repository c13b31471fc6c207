/* Designing perturbation tables by maximum entropy (Fraser & Wooton 2005; Giessing 2016). */
#include "tabular/ptable.h"
#include <string.h>
#include "base/elementary.h"

/* Changes with equal chances form a block: m of them, with sums of v and of v². Without monotonicity every change is a block of its own. */
typedef struct Bunch {
    int from, to;
    double m, s1, s2, p;
} Bunch;

/* p_g = exp(α + β·s1/m + γ·s2/m) maximises −Σ m·p·log p under Σ m·p = 1, Σ s1·p = 0, Σ s2·p = V. Mean and variance at (β, γ). */
static void moments(Bunch *b, int n, double beta, double gamma, double *mean, double *variance, double covariance[3]) {
    double most = -INFINITY, sum = 0, e1 = 0, e2 = 0, c11 = 0, c12 = 0, c22 = 0;
    for (int g = 0; g < n; g++) {
        b[g].p = beta * b[g].s1 / b[g].m + gamma * b[g].s2 / b[g].m;
        most = fmax(most, b[g].p);
    }
    for (int g = 0; g < n; g++) {
        b[g].p = exp(b[g].p - most);
        sum += b[g].m * b[g].p;
    }
    for (int g = 0; g < n; g++) {
        b[g].p /= sum;
        e1 += b[g].s1 * b[g].p;
        e2 += b[g].s2 * b[g].p;
        c11 += b[g].p * b[g].s1 * b[g].s1 / b[g].m;
        c12 += b[g].p * b[g].s1 * b[g].s2 / b[g].m;
        c22 += b[g].p * b[g].s2 * b[g].s2 / b[g].m;
    }
    *mean = e1;
    *variance = e2;
    covariance[0] = c11 - e1 * e1;
    covariance[1] = c12 - e1 * e2;
    covariance[2] = c22 - e2 * e2;
}

/* The convex dual log Σ m·exp(β·s1/m + γ·s2/m) − γ·V, by Newton's method with halved steps; γ = 0 where the variance stays below V by
 * itself. */
static double dual(const Bunch *b, int n, double V, double beta, double gamma) {
    double most = -INFINITY, sum = 0;
    for (int g = 0; g < n; g++) most = fmax(most, beta * b[g].s1 / b[g].m + gamma * b[g].s2 / b[g].m);
    for (int g = 0; g < n; g++) sum += b[g].m * exp(beta * b[g].s1 / b[g].m + gamma * b[g].s2 / b[g].m - most);
    return most + log(sum) - gamma * V;
}

static bool fit(Bunch *b, int n, double V, bool tight) {
    double beta = 0, gamma = tight ? -1 / (2 * V) : 0, mean, variance, c[3];
    for (int step = 0; step < 500; step++) {
        moments(b, n, beta, gamma, &mean, &variance, c);
        double g1 = mean, g2 = tight ? variance - V : 0;
        if (fabs(g1) < 1e-13 && fabs(g2) < 1e-13 * fmax(1, V)) break;
        double det = c[0] * c[2] - c[1] * c[1], d1, d2;
        if (tight && det > 1e-300) {
            d1 = (c[2] * g1 - c[1] * g2) / det;
            d2 = (c[0] * g2 - c[1] * g1) / det;
        } else {
            d1 = c[0] > 0 ? g1 / c[0] : 0;
            d2 = 0;
        }
        double now = dual(b, n, tight ? V : 0, beta, gamma), t = 1;
        while (t > 1e-12 && !(dual(b, n, tight ? V : 0, beta - t * d1, gamma - t * d2) <= now + 1e-15)) t /= 2;
        beta -= t * d1;
        gamma -= t * d2;
        if (!isfinite(beta) || !isfinite(gamma)) return false;
    }
    moments(b, n, beta, gamma, &mean, &variance, c);
    return fabs(mean) < 1e-9 && (tight ? fabs(variance - V) < 1e-8 * V && gamma <= 1e-9 : variance <= V * (1 + 1e-9));
}

/* Blocks that break p ≤ next p below and at 0 are joined, until none does. Not from a paper: inferred from ptable's matrices, which it
 * reproduces. */
static bool design_row(const int *v, int n, double V, double *p) {
    Bunch b[2 * PTABLE_MOST + 2];
    int blocks = n;
    for (int k = 0; k < n; k++) b[k] = (Bunch){ k, k, 1, v[k], (double)v[k] * v[k], 0 };
    for (;;) {
        if (!fit(b, blocks, V, false) && !fit(b, blocks, V, true)) return false;
        int at = -1;
        double worst = 1e-12;
        for (int g = 0; g + 1 < blocks && v[b[g + 1].to] <= 0; g++)
            if (b[g].p - b[g + 1].p > worst) {
                worst = b[g].p - b[g + 1].p;
                at = g;
            }
        if (at < 0) break;
        b[at] = (Bunch){ b[at].from, b[at + 1].to, b[at].m + b[at + 1].m, b[at].s1 + b[at + 1].s1, b[at].s2 + b[at + 1].s2, 0 };
        memmove(b + at + 1, b + at + 2, (size_t)(blocks - at - 2) * sizeof *b);
        blocks--;
    }
    for (int g = 0; g < blocks; g++)
        for (int k = b[g].from; k <= b[g].to; k++) p[k] = b[g].p;
    return true;
}

Status ptable_design(Work *work, int D, double V, int js, PTable *out) {
    memset(out, 0, sizeof *out);
    out->rows = D + 1 + (js ? js + 1 : 0); /* from there on no change meets 0 or a small count */
    out->count[0] = 1;
    out->p[0][0] = 1; /* empty cells stay empty */
    for (int i = 1; i < out->rows; i++) {
        int v[2 * PTABLE_MOST + 2], n = 0;
        double p[2 * PTABLE_MOST + 2];
        for (int j = i - D < 0 ? 0 : i - D; j <= i + D; j++)
            if (j == 0 || j > js) v[n++] = j - i;
        if (!design_row(v, n, V, p)) {
            fail(work->error, BAD,
                 "no perturbation with mean 0 and this variance changes a count of %d by at most %d without a result from 1 to %d", i, D,
                 js);
            return error_advice(work->error,
                                "Allow larger changes (--maximum), another --variance, or exclude fewer small counts (--no-small).");
        }
        out->first[i] = v[0];
        out->count[i] = v[n - 1] - v[0] + 1;
        for (int k = 0; k < n; k++) out->p[i][v[k] - v[0]] = p[k];
    }
    return OK;
}

int ptable_change(const PTable *t, int64_t count, double key) {
    int row = count < t->rows ? (int)count : t->rows - 1;
    double sum = 0;
    int last = 0;
    for (int k = 0; k < t->count[row]; k++) {
        if (t->p[row][k] <= 0) continue;
        last = k;
        sum += t->p[row][k];
        if (key < sum) return t->first[row] + k;
    }
    return t->first[row] + last;
}

Status ptable_halves(Work *work, int D, double V, Halves *out) {
    int v[2 * PTABLE_MOST + 2];
    out->most = 2 * D;
    for (int k = 0; k <= 2 * out->most; k++) v[k] = k - out->most;
    if (design_row(v, 2 * out->most + 1, 4 * V, out->p)) return OK;
    fail(work->error, BAD, "no perturbation with mean 0 and this variance changes a contribution by at most %d units", D);
    return error_advice(work->error, "Allow larger changes (--maximum), or another --variance.");
}

double halves_change(const Halves *h, double key) {
    double sum = 0;
    for (int k = 0; k < 2 * h->most; k++) {
        sum += h->p[k];
        if (key < sum) return (k - h->most) / 2.0;
    }
    return h->most / 2.0;
}
