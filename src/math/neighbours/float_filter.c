/* The filter: bounds on distances by single precision. What it computes decides no answer, so that it may round as the processor likes. */
#include "math/neighbours/float_filter.h"
#include "base/elementary.h"
#include "base/extremes.h"
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
            low = smaller(low, node_lo(in, 0)[s * FAN + c]);
            high = larger(high, node_hi(in, 0)[s * FAN + c]);
        }
        centre[s] = low + (high - low) / 2;
    }
}

static void fill_leaf(FloatFilter *f, int32_t leaf) {
    const double *points = leaf_points(f->in, leaf);
    float *out = f->leaf + (int64_t)leaf * (f->numbers + 1) * LEAF;
    for (int lane = 0; lane < LEAF; lane++) {
        double square = 0;
        bool there = f->in->row[(int64_t)leaf * LEAF + lane] >= 0;
        for (int64_t s = 0; s < f->numbers; s++) {
            double x = there ? points[s * LEAF + lane] - f->centre[s] : 0;
            out[(s + 1) * LEAF + lane] = (float)x;
            square += x * x;
        }
        out[lane] = there ? (float)(-square / 2) : -INFINITY;               /* no record passes */
        if (!(sqrt(square) <= f->norm[leaf])) f->norm[leaf] = sqrt(square); /* NaN too, and nothing is left out */
    }
}

Status filter_make(Work *work, const Neighbours *in, int width, FloatFilter *out) {
    Status status = OK;
    *out = (FloatFilter){ .in = in, .numbers = in->shape.numbers, .pass = pass_of(width) };
    NEW(work, out->centre, out->numbers);
    NEW(work, out->leaf, (int64_t)in->leaves * (out->numbers + 1) * LEAF);
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
            out->x[s * LEAF + q] = (float)x;
            out->square[q] += x * x;
        }
    for (int q = 0; q < LEAF; q++) out->most = !(sqrt(out->square[q]) <= out->most) ? sqrt(out->square[q]) : out->most;
}

/* ---- Asking ---- */

static uint32_t plain_pass(const float *leaf, const float *queries, int64_t rows, const float *least) {
    uint32_t found = 0;
    for (int q = 0; q < LEAF; q++) {
        float sum[LEAF];
        bool any = false;
        for (int lane = 0; lane < LEAF; lane++) sum[lane] = leaf[lane];
        for (int64_t s = 0; s < rows; s++)
            for (int lane = 0; lane < LEAF; lane++) sum[lane] += leaf[(s + 1) * LEAF + lane] * queries[s * LEAF + q];
        for (int lane = 0; lane < LEAF; lane++) any |= sum[lane] >= least[q];
        found |= (uint32_t)any << q;
    }
    return found;
}

#if defined(__x86_64__)
enum { FOUR = 4 };
__attribute__((target("avx2,fma"))) static uint32_t avx2_pass(const float *leaf, const float *queries, int64_t rows, const float *least) {
    uint32_t found = 0;
    for (int first = 0; first < LEAF; first += FOUR) {
        __m256 low[FOUR], high[FOUR];
        for (int q = 0; q < FOUR; q++) {
            low[q] = _mm256_loadu_ps(leaf);
            high[q] = _mm256_loadu_ps(&leaf[8]);
        }
        for (int64_t s = 0; s < rows; s++) {
            __m256 x = _mm256_loadu_ps(&leaf[(s + 1) * LEAF]), y = _mm256_loadu_ps(&leaf[(s + 1) * LEAF + 8]);
            for (int q = 0; q < FOUR; q++) {
                __m256 at = _mm256_set1_ps(queries[s * LEAF + first + q]);
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

#endif

static FilterPass *pass_of(int width) {
#if defined(__x86_64__)
    if (width == 1) return avx2_pass;
#endif
    (void)width;
    return plain_pass;
}

bool filter_width(int width) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (width == 1) return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#endif
    return width == 0;
}

/* With u = 2^−24, coordinates, products and their sum of n + 2 terms, the bound among them, are off by at most (n + 6)·u·(|x||q| + |x|²/2 +
 * |q|²/2 + limit/2): twice that and more is allowed for. */
uint32_t filter_leaf(const FloatFilter *filter, const Filtered *queries, uint32_t asked, const double *limit, int32_t leaf) {
    double reach = filter->norm[leaf] + queries->most;
    float least[LEAF];
    if (!(reach < 1e15)) return asked; /* single precision ends at 1e38 */
    double off = (double)(filter->numbers + 8) * 0x1p-23, slack = off * reach * reach + 1e-30;
    for (int q = 0; q < LEAF; q++) least[q] = (float)(0.5 * (queries->square[q] - limit[q] * (1 + 2 * off)) - slack);
    return asked & filter->pass(filter->leaf + (int64_t)leaf * (filter->numbers + 1) * LEAF, queries->x, filter->numbers, least);
}
