/* How few cells can do: Lagrangian relaxation of the candidates that open classes want. */
#include "base/elementary.h"
#include "protect/suppress/hide.h"

/* Let U be the classes of fewer than k people who have all keys: every record of them loses a key, and d_t = k − n_t others must be made to
 * fit t ∈ U. With a price π_t ≥ 0 for each candidate wanting,
 *
 *     L(π) = Σ_t d_t π_t + Σ_r min_P (|P| − Σ_{t ≠ r fitted by r without P} π_t)
 *
 * is at most the cells of any suppression: P runs over the sets that record r may lose, the empty one only outside U. Valid for every π, so
 * that rounding in the ascent does no harm; the sum itself is trusted to 1e-6. Needs all sets of keys at hand. */
enum { WORK = 200 * 1000 * 1000, ROUNDS = 400 };

typedef struct {
    const Hide *h;
    uint8_t *in;   /* class → is it in U */
    double *price; /* class → π */
    double **sum;  /* set → group → Σ π */
    double **load; /* set → group → records that chose it */
    double all;    /* Σ π: what a record without any key would fit */
    double alone;  /* records that chose to lack every key */
    double *slope;
} Dual;

static Status make_dual(Work *work, const Hide *h, Dual *d) {
    Status status = OK;
    *d = (Dual){ .h = h };
    NEW(work, d->in, h->classes + 1);
    NEW(work, d->price, h->classes + 1);
    NEW(work, d->slope, h->classes + 1);
    NEW(work, d->sum, h->sets + 1);
    NEW(work, d->load, h->sets + 1);
    for (int64_t c = 0; c < h->classes; c++) d->in[c] = h->start[c + 1] - h->start[c] < h->k && !h->lacks[c];
    for (int s = 0; s < h->sets; s++) {
        NEW(work, d->sum[s], h->opens + 1);
        NEW(work, d->load[s], h->opens + 1);
    }
done:
    return status;
}

static void add_up(Dual *d) {
    const Hide *h = d->h;
    d->all = d->alone = 0;
    for (int64_t c = 0; c < h->classes; c++) d->all += d->price[c];
    for (int s = 0; s < h->sets; s++) {
        for (int64_t g = 0; g < h->opens; g++) d->sum[s][g] = d->load[s][g] = 0;
        for (int64_t c = 0; c < h->classes; c++)
            if (d->in[c]) d->sum[s][h->group[s][c]] += d->price[c];
    }
}

/* What one record of class c adds to L, and which set it would choose: -1 none, -2 all keys. */
static double cheapest(const Dual *d, int64_t c, int *chosen) {
    const Hide *h = d->h;
    double least = d->in[c] ? INFINITY : 0, own = d->in[c] ? d->price[c] : 0;
    *chosen = -1;
    for (int s = 0; s < h->sets; s++) {
        if ((h->lacks[c] & ~h->set[s]) || h->group[s][c] < 0) continue;
        double cost = __builtin_popcountll(h->set[s] & ~h->lacks[c]) - (d->sum[s][h->group[s][c]] - own);
        if (cost < least) {
            least = cost;
            *chosen = s;
        }
    }
    double blank = __builtin_popcountll(h->among & ~h->lacks[c]) - (d->all - own);
    if (blank < least) {
        least = blank;
        *chosen = -2;
    }
    return least;
}

static double value_of(Dual *d) {
    const Hide *h = d->h;
    double sum = 0;
    add_up(d);
    for (int64_t c = 0; c < h->classes; c++) {
        int chosen;
        double size = (double)(h->start[c + 1] - h->start[c]);
        if (d->in[c]) sum += ((double)h->k - size) * d->price[c];
        double cost = cheapest(d, c, &chosen);
        sum += size * cost;
        if (chosen >= 0) d->load[chosen][h->group[chosen][c]] += size;
        if (chosen == -2) d->alone += size;
        d->slope[c] = chosen == -1 ? 0 : -size; /* its own records, counted among those that chose */
    }
    return sum;
}

/* slope_t = d_t − the records that would fit t. */
static double slopes(Dual *d) {
    const Hide *h = d->h;
    double norm = 0;
    for (int64_t c = 0; c < h->classes; c++) {
        if (!d->in[c]) {
            d->slope[c] = 0;
            continue;
        }
        double fits = d->alone + d->slope[c];
        for (int s = 0; s < h->sets; s++) fits += d->load[s][h->group[s][c]];
        d->slope[c] = (double)(h->k - (h->start[c + 1] - h->start[c])) - fits;
        if (d->price[c] <= 0 && d->slope[c] < 0) d->slope[c] = 0;
        norm += d->slope[c] * d->slope[c];
    }
    return norm;
}

static bool all_sets(const Hide *h) {
    int keys = __builtin_popcountll(h->among);
    return keys < 20 && h->sets == (keys > 1 ? (1 << keys) - 2 : 0);
}

Status hide_bound(Work *work, const Hide *h, int64_t cells, int64_t *bound) {
    Status status = OK;
    Dual d;
    if (!h->opens || !all_sets(h) || *bound >= cells) return OK;
    TRY(make_dual(work, h, &d));
    double steps = (double)(h->sets + 1) * (double)(h->classes + h->opens), rounds = fmin(ROUNDS, fmax(4, WORK / steps)), most = -INFINITY,
           pace = 1;
    for (int64_t round = 0, still = 0; round < (int64_t)rounds; round++) {
        TRY(work_check(work));
        double value = value_of(&d), norm = slopes(&d);
        still = value > most + 1e-9 ? 0 : still + 1;
        if (value > most) most = value;
        if (still > 8) {
            pace /= 2;
            still = 0;
        }
        if (norm <= 0 || ceil(most - 1e-6) >= (double)cells) break;
        double step = pace * fmax((double)cells - value, 1e-3) / norm;
        for (int64_t c = 0; c < h->classes; c++)
            if (d.in[c]) d.price[c] = fmax(0, d.price[c] + step * d.slope[c]);
    }
    int64_t proven = (int64_t)ceil(most - 1e-6);
    if (proven > *bound) *bound = proven;
done:
    return status;
}
