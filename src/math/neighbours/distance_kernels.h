/* The kernels once, included for each width with LANE_* defined. No include guard: that is the purpose. */

#define LANE_VECTORS (LEAF / LANE_COUNT)
#define LANE_EACH _Pragma("GCC unroll 16") for (int v = 0; v < LANE_VECTORS; v++)

/* Nominal axes: records whose codes differ are half + half apart. */
LANE_TARGET LANE_INLINE void LANE_NAME(add_nominals)(const Shape *shape, const double *leaf, const double *query, LANE_VECTOR *sum) {
    for (int64_t s = shape->numbers; s < shape->slots; s += 2) {
        LANE_VECTOR code = LANE_SET(query[s]), half = LANE_SET(query[s + 1]);
        LANE_EACH {
            LANE_VECTOR cost = LANE_ADD(LANE_LOAD(leaf + (s + 1) * LEAF + v * LANE_COUNT), half);
            sum[v] = LANE_ADD_WHERE_DIFFERENT(sum[v], LANE_LOAD(leaf + s * LEAF + v * LANE_COUNT), code, cost);
        }
    }
}

/* Many axes: where all lanes are past the limit after every eighth, the rest cannot bring one back. */
#define LANE_NEAR(NAME, TERM)                                                                                                              \
    LANE_TARGET LANE_INLINE void LANE_NAME(NAME##_add)(const double *leaf, const double *query, int64_t s, int64_t stop,                   \
                                                       LANE_VECTOR *sum) {                                                                 \
        for (; s < stop; s++) {                                                                                                            \
            LANE_VECTOR q = LANE_SET(query[s]);                                                                                            \
            LANE_EACH {                                                                                                                    \
                LANE_VECTOR d = LANE_SUBTRACT(LANE_LOAD(leaf + s * LEAF + v * LANE_COUNT), q);                                             \
                sum[v] = LANE_ADD(sum[v], TERM(d));                                                                                        \
            }                                                                                                                              \
        }                                                                                                                                  \
    }                                                                                                                                      \
    LANE_TARGET LANE_INLINE void LANE_NAME(NAME##_gaps)(const double *leaf, const double *query, int64_t s, int64_t stop,                  \
                                                        LANE_VECTOR *sum) {                                                                \
        for (; s < stop; s++) {                                                                                                            \
            LANE_VECTOR q = LANE_SET(query[s]);                                                                                            \
            LANE_EACH {                                                                                                                    \
                LANE_VECTOR d = LANE_SUBTRACT(LANE_LOAD(leaf + s * LEAF + v * LANE_COUNT), q), term = TERM(d);                             \
                sum[v] = LANE_ADD_WHERE_FINITE(sum[v], term);                                                                              \
            }                                                                                                                              \
        }                                                                                                                                  \
    }                                                                                                                                      \
    LANE_TARGET static void LANE_NAME(NAME)(const Shape *shape, const double *leaf, const double *queries, uint32_t asked,                 \
                                            const double *limit, uint32_t *mask, double *out) {                                            \
        int64_t numbers = shape->numbers - shape->gaps, slots = shape->slots;                                                              \
        for (; asked; asked &= asked - 1) {                                                                                                \
            int i = __builtin_ctz(asked);                                                                                                  \
            const double *query = queries + i * slots;                                                                                     \
            LANE_VECTOR sum[LANE_VECTORS], bound = LANE_SET(limit[i]);                                                                     \
            uint32_t found = 0;                                                                                                            \
            LANE_EACH sum[v] = LANE_SET(0.0);                                                                                              \
            int64_t s = 0;                                                                                                                 \
            for (; numbers - s > 10; s += 8) {                                                                                             \
                LANE_NAME(NAME##_add)(leaf, query, s, s + 8, sum);                                                                         \
                found = 0;                                                                                                                 \
                LANE_EACH found |= LANE_NOT_ABOVE(sum[v], bound);                                                                          \
                if (!found) break;                                                                                                         \
            }                                                                                                                              \
            if (s == 0 || found) {                                                                                                         \
                LANE_NAME(NAME##_add)(leaf, query, s, numbers, sum);                                                                       \
                if (shape->gaps) LANE_NAME(NAME##_gaps)(leaf, query, numbers, shape->numbers, sum);                                        \
                if (shape->nominals) LANE_NAME(add_nominals)(shape, leaf, query, sum);                                                     \
                found = 0;                                                                                                                 \
                LANE_EACH found |= LANE_NOT_ABOVE(sum[v], bound) << (v * LANE_COUNT);                                                      \
            }                                                                                                                              \
            mask[i] = found;                                                                                                               \
            if (out) { LANE_EACH LANE_STORE(out + i * LEAF + v * LANE_COUNT, sum[v]); }                                                    \
        }                                                                                                                                  \
    }

#define LANE_ABLE(NAME, TERM)                                                                                                              \
    LANE_TARGET static uint32_t LANE_NAME(NAME)(const Shape *shape, const double *lanes, const double *lo, const double *hi,               \
                                                const double *limit) {                                                                     \
        LANE_VECTOR sum[LANE_VECTORS], zero = LANE_SET(0.0);                                                                               \
        uint32_t found = 0;                                                                                                                \
        const int64_t whole = shape->numbers - shape->gaps;                                                                                \
        LANE_EACH sum[v] = zero;                                                                                                           \
        for (int64_t s = 0; s < shape->numbers; s++) {                                                                                     \
            LANE_VECTOR low = LANE_SET(lo[s * FAN]), high = LANE_SET(hi[s * FAN]);                                                         \
            LANE_EACH {                                                                                                                    \
                LANE_VECTOR q = LANE_LOAD(lanes + s * LEAF + v * LANE_COUNT);                                                              \
                LANE_VECTOR d = LANE_MAX(LANE_MAX(LANE_SUBTRACT(low, q), LANE_SUBTRACT(q, high)), zero);                                   \
                LANE_VECTOR term = TERM(d);                                                                                                \
                sum[v] = s < whole ? LANE_ADD(sum[v], term) : LANE_ADD_WHERE_FINITE(sum[v], term);                                         \
            }                                                                                                                              \
        }                                                                                                                                  \
        for (int64_t s = shape->numbers; s < shape->slots; s += 2) {                                                                       \
            LANE_VECTOR low = LANE_SET(lo[s * FAN]), high = LANE_SET(hi[s * FAN]), half = LANE_SET(lo[(s + 1) * FAN]);                     \
            LANE_EACH {                                                                                                                    \
                LANE_VECTOR q = LANE_LOAD(lanes + s * LEAF + v * LANE_COUNT);                                                              \
                LANE_VECTOR cost = LANE_ADD(LANE_LOAD(lanes + (s + 1) * LEAF + v * LANE_COUNT), half);                                     \
                sum[v] = LANE_ADD_WHERE_APART(sum[v], low, q, q, high, cost);                                                              \
            }                                                                                                                              \
        }                                                                                                                                  \
        LANE_EACH found |= LANE_NOT_ABOVE(sum[v], LANE_LOAD(limit + v * LANE_COUNT)) << (v * LANE_COUNT);                                  \
        return found;                                                                                                                      \
    }

/* A number with gaps is infinite where it is missing, and adds nothing there: in a box with one of those it reaches from −∞ to +∞. Whether
 * both are missing or one of them is told by a nominal axis beside it. Bounds from above do not know gaps. */

/* Between boxes on a number: max(lo_c − hi, lo − hi_c, 0) at least, max(hi_c − lo, hi − lo_c) at most. On a nominal axis: disjoint ranges
 * of codes differ at least by the least halves; at most by the greatest, unless both hold one and the same code. */
LANE_TARGET LANE_INLINE LANE_VECTOR LANE_NAME(gap_nominals)(const Shape *shape, const double *lo, const double *hi, int64_t stride,
                                                            const double *box_lo, const double *box_hi, LANE_VECTOR sum) {
    for (int64_t s = shape->numbers; s < shape->slots; s += 2) {
        LANE_VECTOR cost = LANE_ADD(LANE_LOAD(lo + (s + 1) * stride), LANE_SET(box_lo[s + 1]));
        sum = LANE_ADD_WHERE_APART(sum, LANE_LOAD(lo + s * stride), LANE_SET(box_hi[s]), LANE_SET(box_lo[s]), LANE_LOAD(hi + s * stride),
                                   cost);
    }
    return sum;
}

#define LANE_GAP_NOMINALS(sum, at) LANE_NAME(gap_nominals)(shape, lo + (at), hi + (at), stride, box_lo, box_hi, sum)
#define LANE_NO_NOMINALS(sum, at) (sum)
#define LANE_BOXES(NAME, FIRST, SECOND, THIRD, FOURTH, TERM, NOMINALS, AFTER)                                                              \
    LANE_TARGET static void LANE_NAME(NAME)(const Shape *shape, const double *lo, const double *hi, int64_t stride, const double *box_lo,  \
                                            const double *box_hi, double *out) {                                                           \
        LANE_VECTOR zero = LANE_SET(0.0);                                                                                                  \
        const int64_t whole = shape->numbers - shape->gaps;                                                                                \
        for (int at = 0; at < FAN; at += LANE_COUNT) {                                                                                     \
            LANE_VECTOR sum = zero;                                                                                                        \
            for (int64_t s = 0; s < shape->numbers; s++) {                                                                                 \
                LANE_VECTOR child_lo = LANE_LOAD(lo + s * stride + at), child_hi = LANE_LOAD(hi + s * stride + at);                        \
                LANE_VECTOR here_lo = LANE_SET(box_lo[s]), here_hi = LANE_SET(box_hi[s]);                                                  \
                LANE_VECTOR d = LANE_MAX(LANE_MAX(LANE_SUBTRACT(FIRST, SECOND), LANE_SUBTRACT(THIRD, FOURTH)), zero);                      \
                LANE_VECTOR term = TERM(d);                                                                                                \
                sum = s < whole ? LANE_ADD(sum, term) : LANE_ADD_WHERE_FINITE(sum, term);                                                  \
            }                                                                                                                              \
            LANE_STORE(out + at, NOMINALS(sum, at));                                                                                       \
        }                                                                                                                                  \
        AFTER;                                                                                                                             \
    }

/* How far a record of a child may lie along `unit`: not beyond its box, and not beyond ρ·cos(max(θ − α, 0)), which is ρ·(t·cos α + √(1 −
 * t²)·sin α) with t = min(cos θ, cos α), or 0 where that is below (a record may be nearer to the centre than ρ). Empty boxes make no number
 * of the first, and the second counts. */
LANE_TARGET static uint32_t LANE_NAME(beyond)(const Shape *shape, const double *lo, const double *hi, const double *cone,
                                              const double *centre, const double *unit, double away, double most, double *out) {
    const double *rest = cone + shape->slots * FAN;
    uint32_t found = 0;
    for (int at = 0; at < FAN; at += LANE_COUNT) {
        LANE_VECTOR t = LANE_SET(0.0), box = LANE_SET(0.0), far = LANE_SET(away);
        for (int64_t s = 0; s < shape->slots; s++) {
            LANE_VECTOR u = LANE_SET(unit[s]), c = LANE_SET(centre[s]);
            LANE_VECTOR low = LANE_MULTIPLY(LANE_SUBTRACT(LANE_LOAD(lo + s * FAN + at), c), u);
            LANE_VECTOR high = LANE_MULTIPLY(LANE_SUBTRACT(LANE_LOAD(hi + s * FAN + at), c), u);
            box = LANE_ADD(box, LANE_MAX(low, high));
            t = LANE_ADD(t, LANE_MULTIPLY(LANE_LOAD(cone + s * FAN + at), u));
        }
        LANE_VECTOR cosine = LANE_LOAD(rest + at), sine = LANE_LOAD(rest + FAN + at), rho = LANE_LOAD(rest + 2 * FAN + at);
        t = LANE_MAX(LANE_MIN(t, cosine), LANE_SET(-1.0));
        LANE_VECTOR side = LANE_SQRT(LANE_SUBTRACT(LANE_SET(1.0), LANE_MULTIPLY(t, t)));
        LANE_VECTOR along = LANE_MULTIPLY(rho, LANE_ADD(LANE_MULTIPLY(t, cosine), LANE_MULTIPLY(side, sine)));
        along = LANE_MIN(box, LANE_MAX(along, LANE_SET(0.0)));
        LANE_VECTOR sum = LANE_ADD(rho, far), given = LANE_MULTIPLY(LANE_SET(1e-10), LANE_MULTIPLY(sum, sum));
        LANE_VECTOR both = LANE_MULTIPLY(LANE_MULTIPLY(LANE_SET(2.0), far), along);
        LANE_VECTOR bound = LANE_ADD(LANE_ADD(LANE_MULTIPLY(rho, rho), LANE_MULTIPLY(far, far)), LANE_ADD(both, given));
        LANE_STORE(out + at, bound);
        found |= LANE_NOT_ABOVE(LANE_SET(most), bound) << at;
    }
    return found;
}

#define LANE_SQUARE(d) LANE_MULTIPLY(d, d)
#define LANE_SAME(d) (d)
LANE_NEAR(near_squares, LANE_SQUARE)
LANE_NEAR(near_absolutes, LANE_ABSOLUTE)
LANE_ABLE(able_squares, LANE_SQUARE)
LANE_ABLE(able_absolutes, LANE_SAME)
LANE_BOXES(gap_squares, child_lo, here_hi, here_lo, child_hi, LANE_SQUARE, LANE_GAP_NOMINALS, )
LANE_BOXES(gap_absolutes, child_lo, here_hi, here_lo, child_hi, LANE_SAME, LANE_GAP_NOMINALS, )
LANE_BOXES(reach_squares, child_hi, here_lo, here_hi, child_lo, LANE_SQUARE, LANE_NO_NOMINALS,
           reach_nominals(shape, lo, hi, stride, box_lo, box_hi, out))
LANE_BOXES(reach_absolutes, child_hi, here_lo, here_hi, child_lo, LANE_SAME, LANE_NO_NOMINALS,
           reach_nominals(shape, lo, hi, stride, box_lo, box_hi, out))

static const Kernels LANE_NAME(squares) = { LANE_NAME(near_squares), LANE_NAME(able_squares), LANE_NAME(gap_squares),
                                            LANE_NAME(reach_squares), LANE_NAME(beyond) };
static const Kernels LANE_NAME(absolutes) = { LANE_NAME(near_absolutes), LANE_NAME(able_absolutes), LANE_NAME(gap_absolutes),
                                              LANE_NAME(reach_absolutes), NULL };

#undef LANE_NEAR
#undef LANE_EACH
#undef LANE_VECTORS
#undef LANE_BOXES
#undef LANE_GAP_NOMINALS
#undef LANE_NO_NOMINALS
#undef LANE_ABLE
#undef LANE_SQUARE
#undef LANE_SAME
#undef LANE_NAME
#undef LANE_TARGET
#undef LANE_VECTOR
#undef LANE_COUNT
#undef LANE_LOAD
#undef LANE_STORE
#undef LANE_SET
#undef LANE_ADD
#undef LANE_SUBTRACT
#undef LANE_MULTIPLY
#undef LANE_MAX
#undef LANE_MIN
#undef LANE_SQRT
#undef LANE_ABSOLUTE
#undef LANE_NOT_ABOVE
#undef LANE_ADD_WHERE_FINITE
#undef LANE_ADD_WHERE_DIFFERENT
#undef LANE_ADD_WHERE_APART
