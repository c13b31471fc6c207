/* The privacy loss of a Dirichlet-multinomial draw: its largest value, and the value that is exceeded with a small probability
 * (Machanavajjhala et al. 2008). */
#include "synth/dirichlet/guarantee.h"
#include <stdlib.h>
#include "base/elementary.h"
#include "base/extremes.h"

static const double MOST_LISTED = 500000, MOST_COMPARED = 1e8, MOST_BOUNDED = 1e9;

/* Moving one record from cell i to cell j multiplies the probability of synthetic counts k by (α_i + n_i − 1)/(α_i + n_i − 1 + k_i) · (α_j
 * + n_j + k_j)/(α_j + n_j): the loss is largest where all m counts lie in one of the two. */
double histogram_pair_loss(const Histogram *h, int64_t i, int64_t j) {
    return larger(log1p(h->m / (h->alpha[i] + h->n[i] - 1)), log1p(h->m / (h->alpha[j] + h->n[j])));
}

double histogram_largest_loss(const Histogram *h) {
    double worst = 0;
    int64_t filled = 0, last = -1;
    for (int64_t c = 0; c < h->cells; c++)
        if (h->n[c] > 0) {
            filled++;
            last = c;
        }
    for (int64_t c = 0; c < h->cells && h->cells > 1; c++) {
        if (h->n[c] > 0) worst = larger(worst, log1p(h->m / (h->alpha[c] + h->n[c] - 1)));
        if (filled > 1 || (filled == 1 && last != c)) worst = larger(worst, log1p(h->m / (h->alpha[c] + h->n[c])));
    }
    return worst;
}

/* log of a(a + 1)…(a + k − 1), for k from 0 to m. */
static Status rising(Work *work, double a, int64_t m, double **out) {
    Status status = OK;
    NEW(work, *out, m + 1);
    for (int64_t k = 0; k < m; k++) (*out)[k + 1] = (*out)[k] + log(a + (double)k);
done:
    return status;
}

/* ---- an upper bound ---- */

/* The least k with P(count > k) ≤ chance, the count of a cell among m being beta-binomial: P(k−1)/P(k) = k(m − k + b)/((m − k + 1)(k − 1 +
 * a)), and P(m) = a(a + 1)…/((a + b)(a + b + 1)…). */
static double tail_count(double a, double b, double m, double chance) {
    double above = 0, k = m, log_p = 0;
    for (double x = 0; x < m; x++) log_p += log((a + x) / (a + b + x));
    for (; k > 0; k--) {
        above += exp(log_p);
        if (above > chance) return k;
        log_p += log(k * (m - k + b) / ((m - k + 1) * (k - 1 + a)));
    }
    return k;
}

/* The chance that some cell's loss exceeds ε is δ at most, by a union over the cells: of the counts drawn from this table, against one
 * record less in the cell; and of the counts drawn from a neighbour with one more in it, against this table. */
static double union_bound(const Histogram *h, double delta) {
    double worst = 0, alphas = 0, share = delta / (double)h->cells;
    for (int64_t c = 0; c < h->cells; c++) alphas += h->alpha[c];
    for (int64_t c = 0; c < h->cells; c++) {
        double a = h->alpha[c] + h->n[c], b = h->total + alphas - a;
        if (h->n[c] > 0) worst = larger(worst, log1p(tail_count(a, b, h->m, share) / (a - 1)));
        if (b > 1) worst = larger(worst, log1p(tail_count(a + 1, b - 1, h->m, share) / a));
    }
    return worst;
}

/* ---- all synthetic counts, listed ---- */

typedef struct {
    double loss, chance;
} Outcome;

static int by_loss(const void *x, const void *y) {
    const Outcome *a = x, *b = y;
    return (a->loss < b->loss) - (a->loss > b->loss);
}

/* The loss that is exceeded with probability delta at most. Losses that are equal but for rounding count as one. */
static double quantile(Outcome *outcome, int64_t count, double delta) {
    double above = 0;
    qsort(outcome, (size_t)count, sizeof *outcome, by_loss);
    for (int64_t k = 0; k < count;) {
        double loss = outcome[k].loss, level = 0;
        for (; k < count && outcome[k].loss >= loss - 1e-12; k++) level += outcome[k].chance;
        above += level;
        if (above > delta * (1 + 1e-9)) return loss;
    }
    return 0;
}

typedef struct {
    const Histogram *h;
    double **rising, *whole, *factorial; /* of α_c + n_c, cell by cell; of their sum; of 1 */
    int64_t *k, count;
    Outcome *outcome;
} Listing;

/* The loss of counts k against the neighbour that distinguishes them best: ln(1 + k_i/(α_i + n_i − 1)) − ln(1 + k_j/(α_j + n_j)), a record
 * from i to j. */
static double worst_loss(const Listing *l) {
    const Histogram *h = l->h;
    double worst = 0;
    for (int64_t i = 0; i < h->cells; i++) {
        if (h->n[i] < 1) continue;
        double out = log1p((double)l->k[i] / (h->alpha[i] + h->n[i] - 1));
        for (int64_t j = 0; j < h->cells; j++)
            if (j != i) worst = larger(worst, fabs(out - log1p((double)l->k[j] / (h->alpha[j] + h->n[j]))));
    }
    return worst;
}

/* Counts of cells c… that sum to `left`, the ones before given. */
static void list_counts(Listing *l, int64_t c, int64_t left, double log_chance) {
    const Histogram *h = l->h;
    for (int64_t k = c + 1 == h->cells ? left : 0; k <= left; k++) {
        double log_here = log_chance + l->rising[c][k] - l->factorial[k];
        l->k[c] = k;
        if (c + 1 < h->cells) list_counts(l, c + 1, left - k, log_here);
        else l->outcome[l->count++] = (Outcome){ worst_loss(l), exp(log_here) };
    }
}

/* Counts drawn from the neighbour with a record moved from i to j, against this table: only k_i and k_j count. */
static Status neighbour_loss(Work *work, Listing *l, int64_t i, int64_t j, double delta, double *out) {
    Status status = OK;
    const Histogram *h = l->h;
    double *rest = NULL, *from = NULL, *to = NULL, sum = 0, a = h->alpha[i] + h->n[i], b = h->alpha[j] + h->n[j];
    int64_t m = (int64_t)h->m;
    for (int64_t c = 0; c < h->cells; c++) sum += c == i || c == j ? 0 : h->alpha[c] + h->n[c];
    TRY(rising(work, a - 1, m, &from));
    TRY(rising(work, b + 1, m, &to));
    if (h->cells > 2) TRY(rising(work, sum, m, &rest));
    l->count = 0;
    for (int64_t x = 0; x <= m; x++)
        for (int64_t y = rest ? 0 : m - x; x + y <= m; y++) {
            double log_chance = l->factorial[m] - l->whole[m] + from[x] - l->factorial[x] + to[y] - l->factorial[y] +
                                (rest ? rest[m - x - y] - l->factorial[m - x - y] : 0);
            l->outcome[l->count++] = (Outcome){ fabs(log1p((double)x / (a - 1)) - log1p((double)y / b)), exp(log_chance) };
        }
    *out = quantile(l->outcome, l->count, delta);
    arena_drop(work->arena, from);
    arena_drop(work->arena, to);
    arena_drop(work->arena, rest);
done:
    return status;
}

/* C(m + c − 1, c − 1) counts, and c² neighbours with (m + 1)(m + 2)/2 each. */
static bool is_listable(const Histogram *h) {
    double lists = 1, pairs = (h->m + 1) * (h->m + 2) / 2;
    for (int64_t c = 1; c < h->cells && lists <= MOST_LISTED; c++) lists *= (h->m + (double)c) / (double)c;
    double moves = (double)h->cells * (double)h->cells;
    return lists <= MOST_LISTED && pairs <= MOST_LISTED && lists * moves <= MOST_COMPARED && pairs * moves <= MOST_COMPARED / 10;
}

static Status list_losses(Work *work, const Histogram *h, double delta, double *out) {
    Status status = OK;
    int64_t m = (int64_t)h->m;
    double sum = 0;
    Listing l = { .h = h };
    NEW(work, l.rising, h->cells + 1);
    NEW(work, l.k, h->cells + 1);
    NEW(work, l.outcome, (int64_t)MOST_LISTED + 1);
    for (int64_t c = 0; c < h->cells; c++) {
        TRY(rising(work, h->alpha[c] + h->n[c], m, &l.rising[c]));
        sum += h->alpha[c] + h->n[c];
    }
    TRY(rising(work, sum, m, &l.whole));
    TRY(rising(work, 1, m, &l.factorial));
    list_counts(&l, 0, m, l.factorial[m] - l.whole[m]);
    *out = quantile(l.outcome, l.count, delta);
    for (int64_t i = 0; i < h->cells; i++)
        for (int64_t j = 0; j < h->cells; j++) {
            double loss = 0;
            if (i == j || h->n[i] < 1) continue;
            TRY(work_check(work));
            TRY(neighbour_loss(work, &l, i, j, delta, &loss));
            *out = fmax(*out, loss);
        }
done:
    for (int64_t c = 0; l.rising && c < h->cells; c++) arena_drop(work->arena, l.rising[c]);
    arena_drop(work->arena, l.outcome);
    arena_drop(work->arena, l.whole);
    arena_drop(work->arena, l.factorial);
    return status;
}

Status histogram_probable_loss(Work *work, const Histogram *h, double delta, double *out, bool *exact) {
    *exact = h->cells < 2 || is_listable(h);
    *out = 0;
    if (h->cells < 2) return OK;
    if (*exact) return list_losses(work, h, delta, out);
    *out = h->m * (double)h->cells <= MOST_BOUNDED ? union_bound(h, delta) : INFINITY;
    return OK;
}
