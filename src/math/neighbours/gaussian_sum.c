/* Sums of normal densities. About the middle c of a box, with u = y − c and δ = x − c, exp(−|y − x|²/2) = exp(−|u|²/2) Σ_α He_α(u) δ^α/α!
 * (Greengard & Strain 1991): the moments Σ δ^α/α! of all records in the box answer every query. */
#include "math/neighbours/gaussian_sum.h"
#include "base/elementary.h"

enum { ORDER = 20, PAIRS = ORDER * (ORDER + 1) / 2, FEWEST = 2 * LEAF };
static const int orders[SERIES_ORDERS] = { 8, 12, 16, ORDER };
#define CRAMER 1.0865 /* |He_n(u)|·exp(−u²/4) ≤ 1.0865·√n! */

/* ---- Lanes ---- */

enum { WIDE = 8, VECTORS = LEAF / WIDE };
typedef double Wide __attribute__((vector_size(WIDE * sizeof(double)), aligned(sizeof(double)), may_alias));
typedef int64_t Bits __attribute__((vector_size(WIDE * sizeof(int64_t)), aligned(sizeof(int64_t)), may_alias));
typedef uint64_t Words __attribute__((vector_size(WIDE * sizeof(uint64_t)), aligned(sizeof(uint64_t)), may_alias));
#define INLINE static inline __attribute__((always_inline))
#define EACH for (int v = 0; v < VECTORS; v++)

/* e^x to 1e-12 for −700 ≤ x ≤ 700: x = n·ln 2 + r, and the series of e^r, its terms in pairs so that none waits for all before it. */
INLINE void wide_exp(Wide *x) {
    const double shift = 0x1.8p52, ln2_high = 0x1.62e42fefap-1, ln2_low = 0x1.cf79abc9e3b3ap-40;
    Wide t = *x * 0x1.71547652b82fep+0 + shift, n = t - shift, r = (*x - n * ln2_high) - n * ln2_low, r2 = r * r, r4 = r2 * r2;
    Wide low = (1 + r) + r2 * (1.0 / 2 + r * (1.0 / 6)), middle = (1.0 / 24 + r * (1.0 / 120)) + r2 * (1.0 / 720 + r * (1.0 / 5040));
    Wide high = (1.0 / 40320 + r * (1.0 / 362880)) + r2 * (1.0 / 3628800);
    Words scale = ((Words)t << 52) + (UINT64_C(1023) << 52); /* unsigned: lanes that do not count may hold anything */
    *x = (low + r4 * (middle + r4 * high)) * (Wide)scale;
}

INLINE double leaf_sum(const double *measure, double base, double limit, const double *times) {
    Wide sum = { 0 };
    EACH {
        Wide m = *(const Wide *)(measure + v * WIDE), e = (base - m) * 0.5;
        wide_exp(&e);
        e *= *(const Wide *)(times + v * WIDE);
        sum += (Wide)((Bits)e & (Bits)(m <= limit)); /* nor where there is no record: NaN */
    }
    return ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
}

/* He_0 … of u: He_{n+1} = u·He_n − n·He_{n−1}. */
INLINE void hermite(const Wide *u, int order, Wide *he) {
    he[0] = *u * 0 + 1;
    he[1] = *u;
    for (int n = 1; n + 1 < order; n++) he[n + 1] = *u * he[n] - (double)n * he[n - 1];
}

/* Moments of two numbers lie in rows of ORDER, ORDER − 1, …: those of a lower order begin each row. */
INLINE void moments_times(const double *moment, Wide (*he)[2][ORDER], int64_t numbers, int order, Wide *total) {
    for (int a = 0; a < order; a++) {
        Wide inner[VECTORS] = { 0 };
        if (numbers == 1) {
            EACH total[v] += moment[a] * he[v][0][a];
            continue;
        }
        for (int b = 0; a + b < order; b++) EACH inner[v] += moment[b] * he[v][1][b];
        EACH total[v] += inner[v] * he[v][0][a];
        moment += ORDER - a;
    }
}

INLINE void node_sum(const Shape *shape, const double *lanes, const double *base, const SeriesNode *node, int order, double *sum) {
    Wide he[VECTORS][2][ORDER], measure[VECTORS] = { 0 }, total[VECTORS] = { 0 }, least = measure[0] - 700;
    EACH {
        const double *at = lanes + v * WIDE;
        for (int64_t s = 0; s < shape->numbers; s++) {
            Wide u = *(const Wide *)(at + s * LEAF) - node->middle[s];
            measure[v] += u * u;
            hermite(&u, order, he[v][s]);
        }
        for (int64_t s = shape->numbers; s < shape->slots; s += 2) {
            Bits differ = *(const Wide *)(at + s * LEAF) != node->middle[s];
            measure[v] += (Wide)((Bits)(*(const Wide *)(at + (s + 1) * LEAF) + node->middle[s + 1]) & differ);
        }
    }
    moments_times(node->moment, he, shape->numbers, order, total);
    EACH {
        Wide e = (*(const Wide *)(base + v * WIDE) - measure[v]) * 0.5;
        Bits counts = e > least;
        e = (Wide)(((Bits)e & counts) | ((Bits)least & ~counts));
        wide_exp(&e);
        *(Wide *)(sum + v * WIDE) += total[v] * e;
    }
}

/* The records of a leaf into a node's moments, WIDE running sums of each. Where there is no record, times is 0 and the point anything. */
INLINE void leaf_moments(const Shape *shape, const double *points, const double *times, const double *middle, double *moment) {
    EACH {
        Wide weight = *(const Wide *)(times + v * WIDE), power[2][ORDER];
        for (int64_t s = 0; s < shape->numbers; s++) {
            Wide u = *(const Wide *)(points + s * LEAF + v * WIDE) - middle[s];
            u = (Wide)((Bits)u & (weight > 0));
            power[s][0] = u * 0 + 1;
            for (int n = 1; n < ORDER; n++) power[s][n] = power[s][n - 1] * (u * (1.0 / n));
        }
        Wide *to = (Wide *)moment;
        for (int a = 0; a < ORDER; a++) {
            Wide left = weight * power[0][a];
            if (shape->numbers == 1) to[a] += left;
            else
                for (int b = 0; a + b < ORDER; b++) *to++ += left * power[1][b];
        }
    }
}

#define KERNELS(NAME, TARGET)                                                                                                              \
    TARGET static double NAME##_leaf(const double *measure, double base, double limit, const double *times) {                              \
        return leaf_sum(measure, base, limit, times);                                                                                      \
    }                                                                                                                                      \
    TARGET static void NAME##_node(const Shape *shape, const double *lanes, const double *base, const SeriesNode *node, int order,         \
                                   double *sum) {                                                                                          \
        node_sum(shape, lanes, base, node, order, sum);                                                                                    \
    }                                                                                                                                      \
    TARGET static void NAME##_moments(const Shape *shape, const double *points, const double *times, const double *middle,                 \
                                      double *moment) {                                                                                    \
        leaf_moments(shape, points, times, middle, moment);                                                                                \
    }                                                                                                                                      \
    static const SumKernels NAME##_kernels = { NAME##_leaf, NAME##_node, NAME##_moments };

KERNELS(plain, )
#if defined(__x86_64__)
KERNELS(avx2, __attribute__((target("avx2"))))
#endif

const SumKernels *sum_kernels_plain(void) { return &plain_kernels; }

const SumKernels *sum_kernels(void) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2")) return &avx2_kernels;
#endif
    return &plain_kernels;
}

/* ---- Moments ---- */

/* Σ_{n ≥ order} √(n+1)·R^n/√n!: what all terms of these orders add up to, R half the diagonal. */
static double left_out(double radius, int order) {
    double term = 1, sum = 0;
    for (int n = 1; n < 4 * ORDER; n++) {
        term *= radius / sqrt(n);
        if (n >= order) sum += term * sqrt(n + 1);
    }
    return sum;
}

/* Half the diagonal of a node's box; +∞ where its records differ on a nominal axis. */
static double node_radius(const Neighbours *index, int32_t node, double *middle, double *hi) {
    double squares = 0;
    node_box(index, node, middle, hi, 1);
    for (int64_t s = 0; s < index->shape.slots; s++) {
        double half = (hi[s] - middle[s]) / 2;
        if (s >= index->shape.numbers && half > 0) return INFINITY;
        squares += half * half;
        middle[s] += half;
    }
    return sqrt(squares);
}

/* One number or two, none of which may be missing. */
static bool with_series(const Neighbours *index) { return index->shape.numbers <= 2 && !index->shape.gaps; }

/* Which nodes have a series, and where its moments are. */
Status series_make(Work *work, const Neighbours *index, GaussianSum *out) {
    Status status = OK;
    double *hi = NULL, *moment = NULL;
    int64_t slots = index->shape.slots, length = index->shape.numbers == 1 ? ORDER : PAIRS, count = 0;
    NEW(work, out->times, (int64_t)index->leaves * LEAF + 1);
    NEW(work, out->node, index->nodes + 1);
    NEW(work, out->middle, (index->nodes + 1) * slots);
    NEW(work, hi, slots + 1);
    for (int32_t i = 0; i < index->nodes && with_series(index); i++) {
        SeriesNode *node = &out->node[i];
        node->middle = out->middle + i * slots;
        node->radius = INFINITY;
        if ((index->node[i].last - index->node[i].first) * LEAF > FEWEST) node->radius = node_radius(index, i, node->middle, hi);
        count += node->radius <= 1;
    }
    NEW(work, out->moment, count * length + 1);
    moment = out->moment;
    for (int32_t i = 0; i < index->nodes && with_series(index); i++) {
        if (!(out->node[i].radius <= 1)) continue;
        out->node[i].moment = moment;
        moment += length;
    }
    arena_drop(work->arena, hi);
done:
    return status;
}

typedef struct {
    const Neighbours *index;
    const SumKernels *kernels;
    GaussianSum *series;
} Weighing;

static void weigh_node(const Weighing *w, int32_t i) {
    const Neighbours *index = w->index;
    SeriesNode *node = &w->series->node[i];
    double lanes[PAIRS * WIDE] = { 0 }, count = 0;
    int64_t length = index->shape.numbers == 1 ? ORDER : PAIRS;
    for (int32_t leaf = index->node[i].first; leaf < index->node[i].last; leaf++) {
        const double *times = w->series->times + (int64_t)leaf * LEAF;
        w->kernels->moments(&index->shape, leaf_points(index, leaf), times, node->middle, lanes);
        for (int lane = 0; lane < LEAF; lane++) count += times[lane];
    }
    for (int64_t k = 0; k < length; k++) {
        const double *x = lanes + k * WIDE;
        node->moment[k] = ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7]));
    }
    for (int o = 0; o < SERIES_ORDERS; o++)
        node->error[o] = CRAMER * CRAMER * count * (left_out(node->radius, orders[o]) + 1e-15); /* and what is rounded */
}

static Status weigh_nodes(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    const Weighing *w = self;
    (void)block, (void)error;
    for (int64_t i = first; i < last; i++)
        if (w->series->node[i].moment) weigh_node(w, (int32_t)i);
    return OK;
}

Status series_weigh(Work *work, const Neighbours *index, const double *times, GaussianSum *series) {
    int64_t places = (int64_t)index->leaves * LEAF;
    for (int64_t i = 0; i < places; i++) series->times[i] = index->row[i] < 0 ? 0 : times ? times[index->row[i]] : 1;
    return parallel_for(work, index->nodes, 64, weigh_nodes, &(Weighing){ index, sum_kernels(), series });
}

void series_drop(Work *work, GaussianSum *series) {
    arena_drop(work->arena, series->node);
    arena_drop(work->arena, series->moment);
    arena_drop(work->arena, series->times);
    arena_drop(work->arena, series->middle);
    *series = (GaussianSum){ 0 };
}

bool series_add(const GaussianSum *series, int32_t at, const SumKernels *kernels, const SeriesQueries *q, double *spent, double *sum) {
    const SeriesNode *node = &series->node[at];
    if (!node->moment) return false;
    for (int o = 0; o < SERIES_ORDERS; o++) {
        double error = node->error[o] * q->scale;
        if (!(error <= q->allowed / (o + 1 < SERIES_ORDERS ? 4000 : 100) && *spent + error <= q->allowed)) continue;
        *spent += error;
        kernels->node(q->shape, q->lanes, q->base, node, orders[o], sum);
        return true;
    }
    return false;
}
