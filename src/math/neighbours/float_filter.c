/* The filter: bounds on distances by single precision. What it computes decides no answer, so that it may round as the processor likes. */
#include "math/neighbours/float_filter.h"
#include "base/elementary.h"
#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum { MANY = 8, LARGE = 1 << 10 };

bool filter_fits(const Neighbours *in) {
    return in->metric == EUCLIDEAN && !in->shape.gaps && in->shape.numbers >= MANY && in->count >= LARGE;
}

/* ---- Making ---- */

static FilterPass *pass_of(int width);

static void find_centre(const Neighbours *in, int64_t numbers, double *centre) {
    for (int64_t s = 0; s < numbers; s++) {
        double low = INFINITY, high = -INFINITY;
        for (int c = 0; c < in->node[0].fan; c++) {
            low = fmin(low, node_lo(in, 0)[s * FAN + c]);
            high = fmax(high, node_hi(in, 0)[s * FAN + c]);
        }
        centre[s] = low + (high - low) / 2;
    }
}

/* To the nearest, ties to even: the upper half of a float. */
static uint32_t half_of(double x) {
    FilterWord word = { .number = (float)x };
    return (word.halves + 0x7fff + (word.halves >> 16 & 1)) >> 16;
}

/* Number s of a lane into its row. */
static void put_number(const FloatFilter *f, FilterWord *rows, int64_t s, int lane, double x) {
    if (!f->halves) rows[s * LEAF + lane].number = (float)x;
    else if (s % 2) rows[s / 2 * LEAF + lane].halves |= half_of(x) << 16;
    else rows[s / 2 * LEAF + lane].halves = half_of(x);
}

static void fill_leaf(FloatFilter *f, int32_t leaf) {
    const double *points = leaf_points(f->in, leaf);
    FilterWord *out = f->leaf + (int64_t)leaf * (f->rows + 1) * LEAF;
    for (int lane = 0; lane < LEAF; lane++) {
        double square = 0;
        bool there = f->in->row[(int64_t)leaf * LEAF + lane] >= 0;
        for (int64_t s = 0; s < f->numbers; s++) {
            double x = there ? points[s * LEAF + lane] - f->centre[s] : 0;
            put_number(f, out + LEAF, s, lane, x);
            square += x * x;
        }
        out[lane].number = there ? (float)(-square / 2) : -INFINITY;        /* no record passes */
        if (!(sqrt(square) <= f->norm[leaf])) f->norm[leaf] = sqrt(square); /* NaN too, and nothing is left out */
    }
}

Status filter_make(Work *work, const Neighbours *in, int width, FloatFilter *out) {
    Status status = OK;
    *out = (FloatFilter){ .in = in, .numbers = in->shape.numbers, .pass = pass_of(width), .halves = width == FILTER_WIDTHS - 1 };
    out->rows = out->halves ? (out->numbers + 1) / 2 : out->numbers;
    NEW(work, out->centre, out->numbers);
    NEW(work, out->leaf, (int64_t)in->leaves * (out->rows + 1) * LEAF);
    NEW(work, out->norm, in->leaves);
    NEW(work, out->node, in->nodes);
    find_centre(in, out->numbers, out->centre);
    for (int32_t leaf = 0; leaf < in->leaves; leaf++) fill_leaf(out, leaf);
    for (int32_t i = 0; i < in->nodes; i++) {
        bool any = false;
        for (int c = 0; c < in->node[i].fan; c++) any |= in->node[i].child[c] < 0;
        if (any) out->node[out->nodes++] = i;
    }
done:
    return status;
}

void filter_drop(Work *work, FloatFilter *filter) {
    arena_drop(work->arena, filter->centre);
    arena_drop(work->arena, filter->leaf);
    arena_drop(work->arena, filter->norm);
    arena_drop(work->arena, filter->node);
    *filter = (FloatFilter){ 0 };
}

void filter_queries(const FloatFilter *filter, const double *lanes, Filtered *out) {
    out->most = 0;
    for (int q = 0; q < LEAF; q++) out->square[q] = 0;
    for (int64_t s = 0; s < filter->numbers; s++)
        for (int q = 0; q < LEAF; q++) {
            double x = lanes[s * LEAF + q] - filter->centre[s];
            put_number(filter, out->x, s, q, x);
            out->square[q] += x * x;
        }
    for (int q = 0; q < LEAF; q++) out->most = !(sqrt(out->square[q]) <= out->most) ? sqrt(out->square[q]) : out->most;
}

/* ---- Asking ---- */

static uint32_t plain_pass(const FilterWord *leaf, const FilterWord *queries, int64_t rows, const float *least) {
    uint32_t found = 0;
    for (int q = 0; q < LEAF; q++) {
        float sum[LEAF];
        bool any = false;
        for (int lane = 0; lane < LEAF; lane++) sum[lane] = leaf[lane].number;
        for (int64_t s = 0; s < rows; s++)
            for (int lane = 0; lane < LEAF; lane++) sum[lane] += leaf[(s + 1) * LEAF + lane].number * queries[s * LEAF + q].number;
        for (int lane = 0; lane < LEAF; lane++) any |= sum[lane] >= least[q];
        found |= (uint32_t)any << q;
    }
    return found;
}

#if defined(__x86_64__)
enum { FOUR = 4 };
__attribute__((target("avx2,fma"))) static uint32_t avx2_pass(const FilterWord *leaf, const FilterWord *queries, int64_t rows,
                                                              const float *least) {
    uint32_t found = 0;
    for (int first = 0; first < LEAF; first += FOUR) {
        __m256 low[FOUR], high[FOUR];
        for (int q = 0; q < FOUR; q++) {
            low[q] = _mm256_loadu_ps(&leaf->number);
            high[q] = _mm256_loadu_ps(&leaf[8].number);
        }
        for (int64_t s = 0; s < rows; s++) {
            __m256 x = _mm256_loadu_ps(&leaf[(s + 1) * LEAF].number), y = _mm256_loadu_ps(&leaf[(s + 1) * LEAF + 8].number);
            for (int q = 0; q < FOUR; q++) {
                __m256 at = _mm256_set1_ps(queries[s * LEAF + first + q].number);
                low[q] = _mm256_fmadd_ps(x, at, low[q]);
                high[q] = _mm256_fmadd_ps(y, at, high[q]);
            }
        }
        for (int q = 0; q < FOUR; q++) {
            __m256 bound = _mm256_set1_ps(least[first + q]);
            int any = _mm256_movemask_ps(_mm256_cmp_ps(low[q], bound, _CMP_GE_OQ)) |
                      _mm256_movemask_ps(_mm256_cmp_ps(high[q], bound, _CMP_GE_OQ));
            found |= (uint32_t)(any != 0) << (first + q);
        }
    }
    return found;
}

/* Nearly always nothing passes: seen from the greatest of all sums. */
#define WIDEST_PASS(NAME, TARGET, ROW, ADD)                                                                                                \
    __attribute__((target(TARGET))) static uint32_t NAME(const FilterWord *leaf, const FilterWord *queries, int64_t rows,                  \
                                                         const float *least) {                                                             \
        uint32_t found = 0;                                                                                                                \
        __m512 sum[LEAF], most = _mm512_set1_ps(-INFINITY), zero = _mm512_setzero_ps();                                                    \
        for (int q = 0; q < LEAF; q++) sum[q] = _mm512_sub_ps(_mm512_loadu_ps(leaf), _mm512_set1_ps(least[q]));                            \
        for (int64_t s = 0; s < rows; s++) {                                                                                               \
            ROW x = (ROW)_mm512_loadu_si512(leaf + (s + 1) * LEAF);                                                                        \
            _Pragma("GCC unroll 16") for (int q = 0; q < LEAF; q++) sum[q] =                                                               \
                ADD(sum[q], x, (ROW)_mm512_set1_epi32((int)queries[s * LEAF + q].halves));                                                 \
        }                                                                                                                                  \
        _Pragma("GCC unroll 16") for (int q = 0; q < LEAF; q++) most = _mm512_max_ps(most, sum[q]);                                        \
        if (!_mm512_cmp_ps_mask(most, zero, _CMP_GE_OQ)) return 0;                                                                         \
        for (int q = 0; q < LEAF; q++) found |= (uint32_t)(_mm512_cmp_ps_mask(sum[q], zero, _CMP_GE_OQ) != 0) << q;                        \
        return found;                                                                                                                      \
    }
#define ADD_NUMBERS(sum, x, query) _mm512_fmadd_ps(x, query, sum)
WIDEST_PASS(avx512_pass, "avx512f", __m512, ADD_NUMBERS)
WIDEST_PASS(halves_pass, "avx512f,avx512bf16", __m512bh, _mm512_dpbf16_ps)
#endif

static FilterPass *pass_of(int width) {
#if defined(__x86_64__)
    if (width == 3) return halves_pass;
    if (width == 2) return avx512_pass;
    if (width == 1) return avx2_pass;
#endif
    (void)width;
    return plain_pass;
}

bool filter_width(int width) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (width == 3) return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bf16");
    if (width == 2) return __builtin_cpu_supports("avx512f");
    if (width == 1) return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#endif
    return width == 0;
}

/* With u = 2^−24, coordinates, products and their sum of n + 2 terms, the bound among them, are off by at most (n + 6)·u·(|x||q| + |x|²/2 +
 * |q|²/2 + limit/2): twice that and more is allowed for. Halves, of eight digits, are off by 2^−8 of each coordinate, which is 2^−7·|x||q|
 * at most, and |x||q| a quarter of (|x| + |q|)². */
uint32_t filter_leaf(const FloatFilter *filter, const Filtered *queries, uint32_t asked, const double *limit, int32_t leaf) {
    double reach = filter->norm[leaf] + queries->most;
    float least[LEAF];
    if (!(reach < 1e15)) return asked; /* single precision ends at 1e38 */
    double off = (double)(filter->numbers + 8) * 0x1p-23, slack = (off + (filter->halves ? 0x1.05p-9 : 0)) * reach * reach + 1e-30;
    for (int q = 0; q < LEAF; q++) least[q] = (float)(0.5 * (queries->square[q] - limit[q] * (1 + 2 * off)) - slack);
    return asked & filter->pass(filter->leaf + (int64_t)leaf * (filter->rows + 1) * LEAF, queries->x, filter->rows, least);
}
