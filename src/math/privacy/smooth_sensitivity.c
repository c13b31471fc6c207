/* Smooth sensitivity of an order statistic (Nissim, Raskhodnikova & Smith 2007). */
#include "base/elementary.h"
#include "math/privacy/sensitivity.h"

/* The largest (x_j − x_i)·e^(−β(j−i−1)) over i ≤ m ≤ j, i < j, where x₋₁ is the lower bound and x_n the upper: the local sensitivity of
 * x₍ₘ₎ at distance j−i−1, discounted. The best j does not fall as i rises, so halving the i's halves the j's: O(n log n). */
typedef struct Search {
    const int64_t *x;
    int64_t n, low, high;
    double beta, best;
} Search;

static double value_at(const Search *s, int64_t i) { return (double)(i < 0 ? s->low : i >= s->n ? s->high : s->x[i]); }

static void search(Search *s, int64_t first_i, int64_t last_i, int64_t first_j, int64_t last_j) {
    if (first_i > last_i) return;
    int64_t i = first_i + (last_i - first_i) / 2, at = first_j;
    double most = -1;
    for (int64_t j = first_j; j <= last_j; j++) {
        if (j <= i) continue;
        double gain = (value_at(s, j) - value_at(s, i)) * exp(-s->beta * (double)(j - i - 1));
        if (gain > most) {
            most = gain;
            at = j;
        }
    }
    if (most > s->best) s->best = most;
    search(s, first_i, i - 1, first_j, at);
    search(s, i + 1, last_i, at, last_j);
}

double smooth_sensitivity(const int64_t *sorted, int64_t n, int64_t low, int64_t high, int64_t rank, double beta) {
    Search s = { .x = sorted, .n = n, .low = low, .high = high, .beta = beta };
    search(&s, -1, rank, rank, n);
    return s.best;
}
