/* Sums of normal densities. About the middle c of a box, with u = y − c and δ = x − c, exp(−|y − x|²/2) = exp(−|u|²/2) Σ_α He_α(u) δ^α/α!
 * (Greengard & Strain 1991): the moments Σ δ^α/α! of all records in the box answer every query. */
#include "math/neighbours/series.h"
#include "base/elementary.h"

enum { ORDER = 20, PAIRS = ORDER * (ORDER + 1) / 2, FEWEST = 2 * LEAF };
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
        if (times) e *= *(const Wide *)(times + v * WIDE);
        sum += (Wide)((Bits)e & (Bits)(m <= limit)); /* nor where there is no record: NaN */
    }
    return ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
}

/* He_0 … of u: He_{n+1} = u·He_n − n·He_{n−1}. */
INLINE void hermite(const Wide *u, Wide *he) {
    he[0] = *u * 0 + 1;
    he[1] = *u;
    for (int n = 1; n + 1 < ORDER; n++) he[n + 1] = *u * he[n] - (double)n * he[n - 1];
}

INLINE void moments_times(const double *moment, Wide (*he)[ORDER], int64_t numbers, Wide *out) {
    Wide total = { 0 };
    for (int a = 0; a < ORDER; a++) {
        if (numbers == 1) {
            total += moment[a] * he[0][a];
            continue;
        }
        Wide inner = { 0 };
        for (int b = 0; a + b < ORDER; b++) inner += *moment++ * he[1][b];
        total += inner * he[0][a];
    }
    *out = total;
}

INLINE void node_sum(const Shape *shape, const double *lanes, const double *base, const double *middle, const double *moment, double *sum) {
    EACH {
        Wide he[2][ORDER], measure = { 0 }, total, least = measure - 700;
        const double *at = lanes + v * WIDE;
        for (int64_t s = 0; s < shape->numbers; s++) {
            Wide u = *(const Wide *)(at + s * LEAF) - middle[s];
            measure += u * u;
            hermite(&u, he[s]);
        }
        for (int64_t s = shape->numbers; s < shape->slots; s += 2) {
            Bits differ = *(const Wide *)(at + s * LEAF) != middle[s];
            measure += (Wide)((Bits)(*(const Wide *)(at + (s + 1) * LEAF) + middle[s + 1]) & differ);
        }
        moments_times(moment, he, shape->numbers, &total);
        Wide e = (*(const Wide *)(base + v * WIDE) - measure) * 0.5;
        Bits counts = e > least;
        e = (Wide)(((Bits)e & counts) | ((Bits)least & ~counts));
        wide_exp(&e);
        *(Wide *)(sum + v * WIDE) += total * e;
    }
}

#define KERNELS(NAME, TARGET)                                                                                                              \
    TARGET static double NAME##_leaf(const double *measure, double base, double limit, const double *times) {                              \
        return leaf_sum(measure, base, limit, times);                                                                                      \
    }                                                                                                                                      \
    TARGET static void NAME##_node(const Shape *shape, const double *lanes, const double *base, const double *middle,                      \
                                   const double *moment, double *sum) {                                                                    \
        node_sum(shape, lanes, base, middle, moment, sum);                                                                                 \
    }                                                                                                                                      \
    static const SumKernels NAME##_kernels = { NAME##_leaf, NAME##_node };

KERNELS(plain, )
#if defined(__x86_64__)
KERNELS(avx2, __attribute__((target("avx2"))))
KERNELS(avx512, __attribute__((target("avx512f,avx512dq"))))
#endif

const SumKernels *sum_kernels_plain(void) { return &plain_kernels; }

const SumKernels *sum_kernels(void) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) return &avx512_kernels;
    if (__builtin_cpu_supports("avx2")) return &avx2_kernels;
#endif
    return &plain_kernels;
}

/* ---- Moments ---- */

typedef struct {
    Work *work;
    const Neighbours *index;
    Series *series;
} Making;

/* Σ_{n ≥ ORDER} √(n+1)·R^n/√n!: by Cauchy and Schwarz no less than what all terms of an order n ≥ ORDER add up to, R half the diagonal. */
static double left_out(double radius) {
    double term = 1, sum = 0;
    for (int n = 1; n < 4 * ORDER; n++) {
        term *= radius / sqrt(n);
        if (n >= ORDER) sum += term * sqrt(n + 1);
    }
    return sum;
}

static void add_record(const Neighbours *index, const double *middle, const double *point, double times, double *moment) {
    double power[2][ORDER];
    for (int64_t s = 0; s < index->shape.numbers; s++) {
        power[s][0] = 1;
        for (int n = 1; n < ORDER; n++) power[s][n] = power[s][n - 1] * (point[s * LEAF] - middle[s]) / n;
    }
    for (int a = 0; a < ORDER; a++) {
        if (index->shape.numbers == 1) moment[a] += times * power[0][a];
        else
            for (int b = 0; a + b < ORDER; b++) *moment++ += times * power[0][a] * power[1][b];
    }
}

/* The records' number, weights counted. */
static double add_records(const Neighbours *index, const Node *node, const double *times, const double *middle, double *moment) {
    double count = 0;
    for (int64_t place = (int64_t)node->first * LEAF; place < (int64_t)node->last * LEAF; place++) {
        int32_t row = index->row[place];
        if (row < 0) continue;
        double n = times ? times[place] : 1;
        add_record(index, middle, leaf_points(index, (int32_t)(place / LEAF)) + place % LEAF, n, moment);
        count += n;
    }
    return count;
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

static Status series_node(Making *m, int32_t i, double *hi) {
    Status status = OK;
    const Neighbours *index = m->index;
    double *middle = m->series->middle + i * index->shape.slots;
    double radius = (index->node[i].last - index->node[i].first) * LEAF > FEWEST ? node_radius(index, i, middle, hi) : INFINITY;
    if (!(radius <= 1)) return OK;
    NEW(m->work, m->series->moment[i], index->shape.numbers == 1 ? ORDER : PAIRS);
    double count = add_records(index, &index->node[i], m->series->times, middle, m->series->moment[i]);
    m->series->error[i] = CRAMER * CRAMER * count * (left_out(radius) + 1e-15); /* and what is rounded */
done:
    return status;
}

Status series_make(Work *work, const Neighbours *index, const double *times, Series *out) {
    Status status = OK;
    double *hi = NULL;
    int64_t places = (int64_t)index->leaves * LEAF;
    Making m = { work, index, out };
    if (times) NEW(work, out->times, places + 1);
    for (int64_t i = 0; times && i < places; i++) out->times[i] = index->row[i] < 0 ? 0 : times[index->row[i]];
    NEW(work, out->moment, index->nodes + 1);
    NEW(work, out->error, index->nodes + 1);
    NEW(work, out->middle, (index->nodes + 1) * index->shape.slots);
    NEW(work, hi, index->shape.slots);
    for (int32_t i = 0; i < index->nodes && index->shape.numbers <= 2; i++) TRY(series_node(&m, i, hi));
done:
    return status;
}

void series_drop(Work *work, const Neighbours *index, Series *series) {
    for (int32_t i = 0; series->moment && i < index->nodes; i++) arena_drop(work->arena, series->moment[i]);
    arena_drop(work->arena, series->moment);
    arena_drop(work->arena, series->times);
    arena_drop(work->arena, series->error);
    arena_drop(work->arena, series->middle);
    *series = (Series){ 0 };
}
