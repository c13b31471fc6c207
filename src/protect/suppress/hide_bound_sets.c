/* The bound of hide_bound.c where keys are few: Σ π by the groups of every set of keys, which are made once. */
#include "base/elementary.h"
#include "protect/suppress/hide_bound.h"

typedef struct {
    const Hide *h;
    int32_t **group; /* set → class → its group by the keys outside the set */
    uint8_t *in;     /* class → is it in U */
    double *price;   /* class → π */
    int64_t *groups; /* set → how many */
    double **sum;    /* set → group → Σ π */
    double **load;   /* set → group → records that chose it */
    double all;      /* Σ π: what a record without any key would fit */
    double alone;    /* records that chose to lack every key */
    double *slope;
} BySets;

static Status make_sets(Work *work, const Hide *h, BySets *d) {
    Status status = OK;
    *d = (BySets){ .h = h };
    NEW(work, d->in, h->classes + 1);
    NEW(work, d->price, h->classes + 1);
    NEW(work, d->slope, h->classes + 1);
    NEW(work, d->sum, h->sets + 1);
    NEW(work, d->load, h->sets + 1);
    for (int64_t c = 0; c < h->classes; c++) d->in[c] = h->size[c] < h->k && !h->lacks[c];
    NEW(work, d->group, h->sets + 1);
    NEW(work, d->groups, h->sets + 1);
    for (int s = 0; s < h->sets; s++) {
        TRY(work_check(work));
        TRY(hide_group(work, h, h->set[s], &d->group[s], &d->groups[s]));
        NEW(work, d->sum[s], d->groups[s] + 1);
        NEW(work, d->load[s], d->groups[s] + 1);
    }
done:
    return status;
}

static void add_up(BySets *d) {
    const Hide *h = d->h;
    d->all = d->alone = 0;
    for (int64_t c = 0; c < h->classes; c++) d->all += d->price[c];
    for (int s = 0; s < h->sets; s++) {
        for (int64_t g = 0; g < d->groups[s]; g++) d->sum[s][g] = d->load[s][g] = 0;
        for (int64_t c = 0; c < h->classes; c++)
            if (d->in[c]) d->sum[s][d->group[s][c]] += d->price[c];
    }
}

/* What one record of class c adds to L, and which set it would choose: -1 none, -2 all keys. */
static double cheapest(const BySets *d, int64_t c, int *chosen) {
    const Hide *h = d->h;
    double least = d->in[c] ? INFINITY : 0, own = d->in[c] ? d->price[c] : 0;
    *chosen = -1;
    for (int s = 0; s < h->sets; s++) {
        if (h->lacks[c] & ~h->set[s]) continue;
        double cost = __builtin_popcountll(h->set[s] & ~h->lacks[c]) - (d->sum[s][d->group[s][c]] - own);
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

static double value_of(BySets *d) {
    const Hide *h = d->h;
    double sum = 0;
    add_up(d);
    for (int64_t c = 0; c < h->classes; c++) {
        int chosen;
        double size = (double)h->size[c];
        if (d->in[c]) sum += ((double)h->k - size) * d->price[c];
        double cost = cheapest(d, c, &chosen);
        sum += size * cost;
        if (chosen >= 0) d->load[chosen][d->group[chosen][c]] += size;
        if (chosen == -2) d->alone += size;
        d->slope[c] = chosen == -1 ? 0 : -size; /* its own records, counted among those that chose */
    }
    return sum;
}

/* slope_t = d_t − the records that would fit t. */
static double slopes(BySets *d) {
    const Hide *h = d->h;
    double norm = 0;
    for (int64_t c = 0; c < h->classes; c++) {
        if (!d->in[c]) {
            d->slope[c] = 0;
            continue;
        }
        double fits = d->alone + d->slope[c];
        for (int s = 0; s < h->sets; s++) fits += d->load[s][d->group[s][c]];
        d->slope[c] = (double)(h->k - h->size[c]) - fits;
        if (d->price[c] <= 0 && d->slope[c] < 0) d->slope[c] = 0;
        norm += d->slope[c] * d->slope[c];
    }
    return norm;
}

bool bound_suits_sets(const Hide *h, double pairs_once) {
    enum { PLACES_MOST = 8 * 1000 * 1000 };
    int keys = __builtin_popcountll(h->among);
    double places = (double)h->sets * (double)h->classes;
    return keys < 20 && h->sets == (keys > 1 ? (1 << keys) - 2 : 0) && places <= PLACES_MOST && 4 * places < pairs_once;
}

Status bound_by_sets(Work *work, const Hide *h, int64_t cells, double *most) {
    Status status = OK;
    BySets d;
    TRY(make_sets(work, h, &d));
    double steps = (double)(h->sets + 1) * (double)(h->classes + h->opens);
    Ascent a = { .members = h->classes, .rounds = (int64_t)fmin(400, fmax(4, 200e6 / steps)), .price = d.price, .slope = d.slope };
    for (int64_t round = 0; round < a.rounds; round++) {
        TRY(work_check(work));
        double value = value_of(&d), norm = slopes(&d);
        if (ascent_step(&a, value, norm, cells, most) || problem_late(h->problem)) break;
    }
done:
    for (int s = 0; !status && s < h->sets; s++) {
        arena_drop(work->arena, d.group[s]);
        arena_drop(work->arena, d.sum[s]);
        arena_drop(work->arena, d.load[s]);
    }
    return status;
}
