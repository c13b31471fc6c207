/* The bound of hide_bound.c where keys are few: Σ π by the groups of every set of keys, which are made once.
 *
 * Here classes of people who lack keys from the start count too. Let W be those of fewer than k: n_t of its own records, j_t of others that
 * were blanked to look like them. Either each of its own loses a key, or j_t ≥ d_t = k − n_t others look like it; so that
 * lost_t/n_t + j_t/d_t ≥ 1. With a price n_t·α_t on that, α ≥ 0, a record of t that loses anything earns α_t, one that comes to look like t
 * earns n_t·α_t/d_t, and L has Σ_W n_t·α_t more. */
#include "base/elementary.h"
#include "protect/suppress/hide_bound.h"

typedef struct {
    const Hide *h;
    int32_t **group;  /* set → class → its group by the keys outside the set */
    uint8_t *in;      /* class → is it in U */
    uint8_t *lacking; /* class → is it in W */
    int32_t **like;   /* set → group → the class of W that lacks this very set, or -1; NULL: none lacks it */
    double *guests;   /* class of W → records that chose to look like it */
    double *price;    /* class → π, or α */
    int64_t *groups;  /* set → how many */
    double **sum;     /* set → group → Σ π */
    double **load;    /* set → group → records that chose it */
    double all;       /* Σ π: what a record without any key would fit */
    double alone;     /* records that chose to lack every key */
    double *slope;
} BySets;

static bool is_lacking(const Hide *h, int64_t c) { return h->size[c] < h->k && h->lacks[c] && h->lacks[c] != h->among; }

static Status note_lacking(Work *work, BySets *d, int64_t c) {
    Status status = OK;
    int s = hide_find(d->h, d->h->lacks[c]);
    if (!d->like[s]) {
        NEW(work, d->like[s], d->groups[s] + 1);
        for (int64_t g = 0; g < d->groups[s]; g++) d->like[s][g] = -1;
    }
    d->like[s][d->group[s][c]] = (int32_t)c; /* the only one in its group that lacks all of the set */
done:
    return status;
}

/* The class of W that a record of class c would look like without the keys of set s; -1: none. */
static int32_t look_alike(const BySets *d, int64_t c, int s) {
    int32_t t = d->like[s] ? d->like[s][d->group[s][c]] : -1;
    return t == c ? -1 : t;
}

static Status make_sets(Work *work, const Hide *h, BySets *d) {
    Status status = OK;
    *d = (BySets){ .h = h };
    NEW(work, d->in, h->classes + 1);
    NEW(work, d->price, h->classes + 1);
    NEW(work, d->slope, h->classes + 1);
    NEW(work, d->sum, h->sets + 1);
    NEW(work, d->load, h->sets + 1);
    NEW(work, d->lacking, h->classes + 1);
    NEW(work, d->guests, h->classes + 1);
    NEW(work, d->like, h->sets + 1);
    for (int64_t c = 0; c < h->classes; c++) {
        d->in[c] = h->size[c] < h->k && !h->lacks[c];
        d->lacking[c] = is_lacking(h, c);
    }
    NEW(work, d->group, h->sets + 1);
    NEW(work, d->groups, h->sets + 1);
    for (int s = 0; s < h->sets; s++) {
        TRY(work_check(work));
        TRY(hide_group(work, h, h->set[s], &d->group[s], &d->groups[s]));
        NEW(work, d->sum[s], d->groups[s] + 1);
        NEW(work, d->load[s], d->groups[s] + 1);
    }
    for (int64_t c = 0; c < h->classes; c++)
        if (d->lacking[c]) TRY(note_lacking(work, d, c));
done:
    return status;
}

static void add_up(BySets *d) {
    const Hide *h = d->h;
    d->all = d->alone = 0;
    for (int64_t c = 0; c < h->classes; c++) {
        d->all += d->in[c] ? d->price[c] : 0;
        d->guests[c] = 0;
    }
    for (int s = 0; s < h->sets; s++) {
        for (int64_t g = 0; g < d->groups[s]; g++) d->sum[s][g] = d->load[s][g] = 0;
        for (int64_t c = 0; c < h->classes; c++)
            if (d->in[c]) d->sum[s][d->group[s][c]] += d->price[c];
    }
}

/* What one record of class c adds to L, and which set it would choose: -1 none, -2 all keys. */
static double cheapest(const BySets *d, int64_t c, int *chosen) {
    const Hide *h = d->h;
    double least = d->in[c] ? INFINITY : 0, own = d->in[c] ? d->price[c] : 0, earned = d->lacking[c] ? d->price[c] : 0;
    *chosen = -1;
    for (int s = 0; s < h->sets; s++) {
        if (h->lacks[c] & ~h->set[s]) continue;
        int32_t t = look_alike(d, c, s);
        double cost = __builtin_popcountll(h->set[s] & ~h->lacks[c]) - (d->sum[s][d->group[s][c]] - own);
        if (h->set[s] != h->lacks[c]) cost -= earned;
        if (t >= 0) cost -= (double)h->size[t] * d->price[t] / (double)(h->k - h->size[t]);
        if (cost < least) {
            least = cost;
            *chosen = s;
        }
    }
    double blank = __builtin_popcountll(h->among & ~h->lacks[c]) - (d->all - own) - earned;
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
        if (d->lacking[c]) sum += size * d->price[c];
        double cost = cheapest(d, c, &chosen);
        sum += size * cost;
        if (chosen >= 0) d->load[chosen][d->group[chosen][c]] += size;
        if (chosen >= 0 && look_alike(d, c, chosen) >= 0) d->guests[look_alike(d, c, chosen)] += size;
        if (chosen == -2) d->alone += size;
        bool stays = chosen == -1 || (chosen >= 0 && h->set[chosen] == h->lacks[c]);
        d->slope[c] = stays ? 0 : -size; /* its own records, counted among those that chose */
    }
    return sum;
}

/* slope_t = d_t − the records that would fit t; of W: n_t − its own that lose a key − n_t/d_t for each that looks like it. */
static double slope_of(const BySets *d, int64_t c) {
    const Hide *h = d->h;
    double size = (double)h->size[c], fits = d->alone + d->slope[c];
    if (d->lacking[c]) return size + d->slope[c] - size / ((double)h->k - size) * d->guests[c];
    if (!d->in[c]) return 0;
    for (int s = 0; s < h->sets; s++) fits += d->load[s][d->group[s][c]];
    return (double)h->k - size - fits;
}

static double slopes(BySets *d) {
    const Hide *h = d->h;
    double norm = 0;
    for (int64_t c = 0; c < h->classes; c++) {
        d->slope[c] = slope_of(d, c);
        if (d->price[c] <= 0 && d->slope[c] < 0) d->slope[c] = 0;
        norm += d->slope[c] * d->slope[c];
    }
    return norm;
}

static bool some_lacking(const Hide *h) {
    for (int64_t c = 0; c < h->classes; c++)
        if (is_lacking(h, c)) return true;
    return false;
}

/* Comparing classes leaves W out: where there is any, this is worth more room and time. */
bool bound_suits_sets(const Hide *h, double pairs_once) {
    enum { PLACES_MOST = 8 * 1000 * 1000, PLACES_MORE = 20 * 1000 * 1000 };
    int keys = __builtin_popcountll(h->among);
    double places = (double)h->sets * (double)h->classes;
    if (keys >= 20 || h->sets != (keys > 1 ? (1 << keys) - 2 : 0)) return false;
    return some_lacking(h) ? places <= PLACES_MORE : places <= PLACES_MOST && 4 * places < pairs_once;
}

Status bound_by_sets(Work *work, const Hide *h, int64_t cells, double *most) {
    Status status = OK;
    BySets d;
    TRY(make_sets(work, h, &d));
    double steps = (double)(h->sets + 1) * (double)(h->classes + h->opens);
    Ascent a = { .members = h->classes,
                 .rounds = (int64_t)fmin(400, fmax(4, (some_lacking(h) ? 800e6 : 200e6) / steps)),
                 .price = d.price,
                 .slope = d.slope };
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
