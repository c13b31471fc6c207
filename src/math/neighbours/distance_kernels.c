/* Distances between blocks of records, as many lanes at a time as the machine has. */
#include "math/neighbours/box_tree.h"
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define LANE_INLINE static inline __attribute__((always_inline)) /* sums must stay in registers */

static void reach_nominals(const Shape *shape, const double *lo, const double *hi, int64_t stride, const double *box_lo,
                           const double *box_hi, double *out) {
    for (int64_t s = shape->numbers; s < shape->slots; s += 2)
        for (int c = 0; c < FAN; c++) {
            bool same = lo[s * stride + c] == hi[s * stride + c] && box_lo[s] == box_hi[s] && lo[s * stride + c] == box_lo[s];
            bool none = lo[s * stride + c] > hi[s * stride + c];
            if (!same && !none) out[c] += hi[(s + 1) * stride + c] + box_hi[s + 1];
        }
}

#define LANE_NAME(name) plain_##name
#define LANE_TARGET
#define LANE_VECTOR double
#define LANE_COUNT 1
#define LANE_LOAD(p) (*(p))
#define LANE_STORE(p, a) (*(p) = (a))
#define LANE_SET(a) (a)
#define LANE_ADD(a, b) ((a) + (b))
#define LANE_SUBTRACT(a, b) ((a) - (b))
#define LANE_MULTIPLY(a, b) ((a) * (b))
#define LANE_MAX(a, b) ((a) > (b) ? (a) : (b))
#define LANE_MIN(a, b) ((a) < (b) ? (a) : (b))
#define LANE_SQRT(a) sqrt(a)
#define LANE_ABSOLUTE(a) fabs(a)
#define LANE_NOT_ABOVE(a, b) ((uint32_t)((a) <= (b)))
#define LANE_ADD_WHERE_FINITE(sum, a) ((a) < INFINITY ? (sum) + (a) : (sum))
#define LANE_ADD_WHERE_DIFFERENT(sum, a, b, cost) ((a) != (b) ? (sum) + (cost) : (sum))
#define LANE_ADD_WHERE_APART(sum, a, b, c, d, cost) ((a) > (b) || (c) > (d) ? (sum) + (cost) : (sum))
#include "base/elementary.h"
#include "math/neighbours/distance_kernels.h"

#if defined(__x86_64__)
#define LANE_NAME(name) sse2_##name
#define LANE_TARGET
#define LANE_VECTOR __m128d
#define LANE_COUNT 2
#define LANE_LOAD(p) _mm_loadu_pd(p)
#define LANE_STORE(p, a) _mm_storeu_pd(p, a)
#define LANE_SET(a) _mm_set1_pd(a)
#define LANE_ADD(a, b) _mm_add_pd(a, b)
#define LANE_SUBTRACT(a, b) _mm_sub_pd(a, b)
#define LANE_MULTIPLY(a, b) _mm_mul_pd(a, b)
#define LANE_MAX(a, b) _mm_max_pd(a, b)
#define LANE_MIN(a, b) _mm_min_pd(a, b)
#define LANE_SQRT(a) _mm_sqrt_pd(a)
#define LANE_ABSOLUTE(a) _mm_andnot_pd(_mm_set1_pd(-0.0), a)
#define LANE_NOT_ABOVE(a, b) ((uint32_t)_mm_movemask_pd(_mm_cmple_pd(a, b)))
#define LANE_ADD_WHERE_FINITE(sum, a) _mm_add_pd(sum, _mm_and_pd(_mm_cmplt_pd(a, _mm_set1_pd(INFINITY)), a))
#define LANE_ADD_WHERE_DIFFERENT(sum, a, b, cost) _mm_add_pd(sum, _mm_and_pd(_mm_cmpneq_pd(a, b), cost))
#define LANE_ADD_WHERE_APART(sum, a, b, c, d, cost) _mm_add_pd(sum, _mm_and_pd(_mm_or_pd(_mm_cmpgt_pd(a, b), _mm_cmpgt_pd(c, d)), cost))
#include "math/neighbours/distance_kernels.h"

#define LANE_NAME(name) avx2_##name
#define LANE_TARGET __attribute__((target("avx2")))
#define LANE_VECTOR __m256d
#define LANE_COUNT 4
#define LANE_LOAD(p) _mm256_loadu_pd(p)
#define LANE_STORE(p, a) _mm256_storeu_pd(p, a)
#define LANE_SET(a) _mm256_set1_pd(a)
#define LANE_ADD(a, b) _mm256_add_pd(a, b)
#define LANE_SUBTRACT(a, b) _mm256_sub_pd(a, b)
#define LANE_MULTIPLY(a, b) _mm256_mul_pd(a, b)
#define LANE_MAX(a, b) _mm256_max_pd(a, b)
#define LANE_MIN(a, b) _mm256_min_pd(a, b)
#define LANE_SQRT(a) _mm256_sqrt_pd(a)
#define LANE_ABSOLUTE(a) _mm256_andnot_pd(_mm256_set1_pd(-0.0), a)
#define LANE_NOT_ABOVE(a, b) ((uint32_t)_mm256_movemask_pd(_mm256_cmp_pd(a, b, _CMP_LE_OQ)))
#define LANE_ADD_WHERE_FINITE(sum, a) _mm256_add_pd(sum, _mm256_and_pd(_mm256_cmp_pd(a, _mm256_set1_pd(INFINITY), _CMP_LT_OQ), a))
#define LANE_ADD_WHERE_DIFFERENT(sum, a, b, cost) _mm256_add_pd(sum, _mm256_and_pd(_mm256_cmp_pd(a, b, _CMP_NEQ_UQ), cost))
#define LANE_ADD_WHERE_APART(sum, a, b, c, d, cost)                                                                                        \
    _mm256_add_pd(sum, _mm256_and_pd(_mm256_or_pd(_mm256_cmp_pd(a, b, _CMP_GT_OQ), _mm256_cmp_pd(c, d, _CMP_GT_OQ)), cost))
#include "math/neighbours/distance_kernels.h"
#endif

const Kernels *kernels_plain(Metric metric) { return metric == EUCLIDEAN ? &plain_squares : &plain_absolutes; }

const Kernels *kernels_for(Metric metric) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2")) return metric == EUCLIDEAN ? &avx2_squares : &avx2_absolutes;
    return metric == EUCLIDEAN ? &sse2_squares : &sse2_absolutes;
#else
    return kernels_plain(metric);
#endif
}
