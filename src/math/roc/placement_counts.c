/* Columns of counts: blocks of steps in plain doubles, the powers of two of every row fixed for a block. */
#include "math/roc/placement_counts.h"
#include <string.h>

/* Beyond which a block is counted again, in fewer columns: what counts beside it is still a double, and so are products of two of them
 * where columns are visited. */
static const double MOST = 0x1p900, MOST_VISITED = 0x1p250;
enum { FARTHEST = 400 }; /* of powers of neighbours */

/* ---- Windows ---- */

Status roc_window_new(Work *work, int64_t first, int64_t last, RocWindow *out) {
    Status status = OK;
    *out = (RocWindow){ .first = first, .last = last };
    NEW(work, out->low, last - first + 1);
    NEW(work, out->high, last - first + 1);
done:
    return status;
}

void roc_window_drop(Work *work, RocWindow *w) {
    arena_drop(work->arena, w->low);
    arena_drop(work->arena, w->high);
    w->low = w->high = NULL;
}

Status roc_window(Work *work, const RocBand *band, int64_t from, int64_t to, RocWindow *out) {
    Status status = OK;
    int64_t low = from, high = from;
    TRY(roc_window_new(work, band->first[from], band->last[to], out));
    for (int64_t j = out->first; j <= out->last; j++) {
        while (band->last[low] < j) low++;
        while (high < to && band->first[high + 1] <= j) high++;
        out->low[j - out->first] = (int32_t)(low - from + 1);
        out->high[j - out->first] = (int32_t)(high - from + 1);
    }
done:
    return status;
}

double roc_states(const RocWindow *w) {
    double states = 0;
    for (int64_t j = w->first; j <= w->last; j++) states += (double)roc_rows(w, j);
    return states;
}

/* ---- Many at once ---- */

/* 2^p, and 0 below what a double holds. */
static inline double two_to(int64_t p) {
    uint64_t bits = (uint64_t)((p < -1023 ? -1023 : p) + 1023) << 52;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

typedef double Wide __attribute__((vector_size(64), aligned(8)));
typedef int64_t Bits __attribute__((vector_size(64), aligned(8)));
typedef int32_t Half __attribute__((vector_size(32), aligned(4)));
enum { WIDE = 8 };

typedef struct Kernels {
    void (*advance)(double *restrict to, const double *from, const double *restrict factor, int64_t count, int shift);
    void (*choose)(double *restrict to, const double *scale, const int32_t *positives, const int32_t *negatives, int64_t count,
                   const RocStep *step);
    void (*products)(double *restrict to, const double *a, const int32_t *ap, const double *b, const int32_t *bp, int64_t count,
                     int32_t power);
} Kernels;

#define INLINE static inline __attribute__((always_inline))
INLINE void advance(double *restrict to, const double *from, const double *restrict factor, int64_t count, int shift) {
    const double *beside = from + shift;
    int64_t k = 0;
    for (; k + WIDE <= count; k += WIDE)
        *(Wide *)(to + k) = *(const Wide *)(from + k) + *(const Wide *)(factor + k) * *(const Wide *)(beside + k);
    for (; k < count; k++) to[k] = from[k] + factor[k] * beside[k];
}

/* scale where the group fits the step, else 0. */
INLINE void choose(double *restrict to, const double *scale, const int32_t *positives, const int32_t *negatives, int64_t count,
                   const RocStep *step) {
    int64_t k = 0;
    for (; k + WIDE <= count; k += WIDE) {
        Half fit = (*(const Half *)(positives + k) <= step->positives) & (*(const Half *)(negatives + k) <= step->negatives);
        *(Wide *)(to + k) = (Wide)(*(const Bits *)(scale + k) & __builtin_convertvector(fit, Bits));
    }
    for (; k < count; k++) to[k] = positives[k] <= step->positives && negatives[k] <= step->negatives ? scale[k] : 0;
}

INLINE void products(double *restrict to, const double *a, const int32_t *ap, const double *b, const int32_t *bp, int64_t count,
                     int32_t power) {
    int64_t k = 0;
    for (; k + WIDE <= count; k += WIDE) {
        Half p = *(const Half *)(ap + k) + *(const Half *)(bp + k) - (power - 1023);
        p &= p > 0;
        *(Wide *)(to + k) = *(const Wide *)(a + k) * *(const Wide *)(b + k) * (Wide)(__builtin_convertvector(p, Bits) << 52);
    }
    for (; k < count; k++) to[k] = a[k] * b[k] * two_to((int64_t)ap[k] + bp[k] - power);
}

#define KERNELS(NAME, TARGET)                                                                                                              \
    TARGET static void NAME##_advance(double *restrict to, const double *from, const double *restrict factor, int64_t count, int shift) {  \
        advance(to, from, factor, count, shift);                                                                                           \
    }                                                                                                                                      \
    TARGET static void NAME##_choose(double *restrict to, const double *scale, const int32_t *positives, const int32_t *negatives,         \
                                     int64_t count, const RocStep *step) {                                                                 \
        choose(to, scale, positives, negatives, count, step);                                                                              \
    }                                                                                                                                      \
    TARGET static void NAME##_products(double *restrict to, const double *a, const int32_t *ap, const double *b, const int32_t *bp,        \
                                       int64_t count, int32_t power) {                                                                     \
        products(to, a, ap, b, bp, count, power);                                                                                          \
    }                                                                                                                                      \
    static const Kernels NAME##_kernels = { NAME##_advance, NAME##_choose, NAME##_products };

KERNELS(plain, )
#if defined(__x86_64__)
KERNELS(wide, __attribute__((target("avx2"))))
static const Kernels *kernels(void) { return __builtin_cpu_supports("avx2") ? &wide_kernels : &plain_kernels; }
#else
static const Kernels *kernels(void) { return &plain_kernels; }
#endif

void roc_products(double *to, const double *a, const int32_t *ap, const double *b, const int32_t *bp, int64_t count, int32_t power) {
    kernels()->products(to, a, ap, b, bp, count, power);
}

/* ---- Lanes ---- */

Status roc_lane_new(Work *work, const RocBand *band, int64_t from, int64_t to, int shift, bool visited, RocLane *out) {
    Status status = OK;
    *out = (RocLane){ .band = band, .from = from, .rows = to - from + 1, .shift = shift, .buffers = visited ? ROC_VISITED + 1 : 2 };
    for (int k = 0; k < out->buffers; k++) NEW(work, out->at[k], out->rows + 2);
    for (int k = 0; k < ROC_KINDS; k++) NEW(work, out->factor[k], out->rows + 2);
    NEW(work, out->saved, out->rows + 2);
    NEW(work, out->scale, out->rows + 2);
    NEW(work, out->power, out->rows + 2);
    NEW(work, out->far, out->rows + 2);
    NEW(work, out->spare, out->rows + 2);
    NEW(work, out->positives, out->rows + 2);
    NEW(work, out->negatives, out->rows + 2);
    for (int64_t r = 0; r <= out->rows + 1; r++) { /* by which group a row is reached, or left */
        int64_t group = from + r - 1 - (shift < 0);
        bool any = group >= from && group < to;
        out->positives[r] = any ? band->known->at[group].positives : INT32_MAX;
        out->negatives[r] = any ? band->known->at[group].negatives : INT32_MAX;
    }
    out->block = out->longest = visited ? ROC_VISITED : ROC_BLOCK;
done:
    return status;
}

void roc_lane_drop(Work *work, RocLane *lane) {
    for (int k = 0; k < lane->buffers; k++) arena_drop(work->arena, lane->at[k]);
    for (int k = 0; k < ROC_KINDS; k++) arena_drop(work->arena, lane->factor[k]);
    void *all[] = { lane->saved, lane->scale, lane->power, lane->far, lane->spare, lane->positives, lane->negatives };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) arena_drop(work->arena, all[k]);
    *lane = (RocLane){ 0 };
}

static inline int32_t low_at(const RocLane *lane, int64_t column) { return lane->window->low[column - lane->window->first]; }
static inline int32_t high_at(const RocLane *lane, int64_t column) { return lane->window->high[column - lane->window->first]; }

/* Rows that the next column asks for and that this one does not have are 0. */
static void pad(const RocLane *lane, double *counts, int64_t column, int64_t next) {
    for (int64_t r = low_at(lane, next) - 1; r < low_at(lane, column); r++) counts[r] = 0;
    for (int64_t r = high_at(lane, next) + 1; r > high_at(lane, column); r--) counts[r] = 0;
}

void roc_lane_set(RocLane *lane, const RocWindow *window, int64_t column, const double *number, const int32_t *power) {
    lane->window = window;
    lane->column = column;
    lane->left = 0;
    memcpy(lane->at[0] + low_at(lane, column), number, (size_t)roc_rows(window, column) * sizeof *number);
    memcpy(lane->power + low_at(lane, column), power, (size_t)roc_rows(window, column) * sizeof *power);
}

void roc_lane_get(const RocLane *lane, double *number, int32_t *power) {
    int64_t rows = roc_rows(lane->window, lane->column);
    memcpy(number, lane->at[0] + low_at(lane, lane->column), (size_t)rows * sizeof *number);
    memcpy(power, lane->power + low_at(lane, lane->column), (size_t)rows * sizeof *power);
}

/* Numbers from 1 to 2 for the columns up to `end`, and rows that have no count yet as their neighbour from whom they will take. */
static void level(RocLane *lane, int64_t end) {
    int64_t low = low_at(lane, lane->column), high = high_at(lane, lane->column), step = -lane->shift;
    lane->low = lane->shift < 0 ? low : low_at(lane, end);
    lane->high = lane->shift < 0 ? high_at(lane, end) : high;
    int64_t first = lane->shift < 0 ? low : high, last = lane->shift < 0 ? lane->high : lane->low;
    double *counts = lane->at[0];
    int32_t power = 0;
    for (int64_t r = first; r != last + step; r += step) {
        if (r >= low && r <= high && counts[r] != 0) {
            uint64_t bits;
            memcpy(&bits, &counts[r], sizeof bits);
            int32_t more = (int32_t)(bits >> 52) - 1023;
            counts[r] *= two_to(-more);
            power = lane->power[r] += more;
        } else lane->power[r] = power;
    }
}

/* The step between a column and the next on the way. */
static inline const RocStep *step_of(const RocLane *lane, int64_t column) {
    return &lane->band->steps->at[lane->shift < 0 ? column : column - 1];
}

static inline bool fits(const RocLane *lane, const RocStep *step, int64_t r) {
    return lane->positives[r] <= step->positives && lane->negatives[r] <= step->negatives;
}

/* What a row that is reached takes from its neighbour, unless that is too far above it. */
static inline bool scale_row(RocLane *lane, int64_t r) {
    int32_t apart = lane->power[r + lane->shift] - lane->power[r];
    lane->scale[r] = two_to(apart > FARTHEST ? 0 : apart);
    return apart <= FARTHEST;
}

/* `far`: those for which it is, of groups that have not fitted for long. */
static void scale_rows(RocLane *lane) {
    lane->far_count = 0;
    for (int64_t r = lane->low; r <= lane->high; r++) {
        lane->far[lane->far_count] = (int32_t)r;
        lane->far_count += !scale_row(lane, r);
    }
    lane->kinds = 0;
}

/* How many of the next columns leave such rows as they are. */
static int64_t columns_before_far(const RocLane *lane, int64_t count) {
    for (int64_t c = 0; c < count; c++) {
        const RocStep *step = step_of(lane, lane->column - lane->shift * c);
        for (int64_t f = 0; f < lane->far_count; f++)
            if (fits(lane, step, lane->far[f])) return c;
    }
    return count;
}

static const double *factors(RocLane *lane, const RocStep *step, const Kernels *with) {
    int have = lane->kinds < ROC_KINDS ? lane->kinds : ROC_KINDS;
    for (int k = 0; k < have; k++)
        if (lane->kind[k].positives == step->positives && lane->kind[k].negatives == step->negatives) return lane->factor[k];
    int slot = lane->kinds++ % ROC_KINDS;
    int64_t low = lane->low;
    lane->kind[slot] = *step;
    with->choose(lane->factor[slot] + low, lane->scale + low, lane->positives + low, lane->negatives + low, lane->high - low + 1, step);
    return lane->factor[slot];
}

static bool small(const double *counts, int64_t low, int64_t high, double most) {
    bool all = true;
    for (int64_t r = low; r <= high; r++) all &= counts[r] <= most;
    return all;
}

/* Counts only grow, until a row is left behind: those that are. */
static bool small_left(const RocLane *lane, const double *counts, int64_t column, int64_t next) {
    int64_t low = low_at(lane, column), high = high_at(lane, column), next_low = low_at(lane, next), next_high = high_at(lane, next);
    double most = lane->visit ? MOST_VISITED : MOST;
    return small(counts, low, next_low - 1 < high ? next_low - 1 : high, most) &&
           small(counts, next_high + 1 > low ? next_high + 1 : low, high, most);
}

static bool fast_column(RocLane *lane, int64_t column, int at, int to, const Kernels *with) {
    int64_t next = column - lane->shift, low = low_at(lane, next);
    if (!small_left(lane, lane->at[at], column, next)) return false;
    pad(lane, lane->at[at], column, next);
    with->advance(lane->at[to] + low, lane->at[at] + low, factors(lane, step_of(lane, column), with) + low, high_at(lane, next) - low + 1,
                  lane->shift);
    return true;
}

/* False where numbers grew too much. */
static bool fast_block(RocLane *lane, int64_t count, const Kernels *with) {
    int at = 0;
    int64_t column = lane->column;
    for (int64_t c = 0; c < count; c++, column -= lane->shift) {
        int to = lane->visit ? at + 1 : at ^ 1;
        if (!fast_column(lane, column, at, to, with)) return false;
        at = to;
    }
    return small(lane->at[at], low_at(lane, column), high_at(lane, column), lane->visit ? MOST_VISITED : MOST);
}

/* A row whose power, or whose neighbour's, is another one now; is it far below? */
static bool is_far(RocLane *lane, int64_t r) {
    if (r < lane->low || r > lane->high) return false;
    bool far = !scale_row(lane, r);
    for (int k = 0; k < lane->kinds && k < ROC_KINDS; k++) lane->factor[k][r] = fits(lane, &lane->kind[k], r) ? lane->scale[r] : 0;
    return far;
}

/* Rows of `far` that took from their neighbours have their power now, and may be far above the next: `far` again, in order. */
static void settle_far(RocLane *lane, const RocStep *step) {
    int64_t count = lane->far_count, kept = 0;
    int32_t *to = lane->spare;
    for (int64_t f = 0; f < count; f++) {
        int32_t r = lane->far[f], beside = r - lane->shift;
        if (!fits(lane, step, r)) {
            to[kept++] = r;
            continue;
        }
        bool still = is_far(lane, r), above = is_far(lane, beside);
        if (above && lane->shift > 0 && !(kept && to[kept - 1] == beside)) to[kept++] = beside;
        if (still) to[kept++] = r;
        if (above && lane->shift < 0 && !(f + 1 < count && lane->far[f + 1] == beside)) to[kept++] = beside;
    }
    lane->spare = lane->far;
    lane->far = to;
    lane->far_count = kept;
}

/* A column at which such rows take from their neighbours, next to which what they have is nothing. */
static bool far_column(RocLane *lane, const Kernels *with) {
    const RocStep *step = step_of(lane, lane->column);
    int64_t next = lane->column - lane->shift, count = lane->far_count;
    if (!fast_column(lane, lane->column, 0, 1, with)) return false;
    for (int64_t k = 0; k < count; k++) {
        int64_t r = lane->far[lane->shift < 0 ? count - 1 - k : k];
        if (!fits(lane, step, r) || r < low_at(lane, next) || r > high_at(lane, next) || lane->at[0][r + lane->shift] == 0) continue;
        int64_t apart = (int64_t)lane->power[r + lane->shift] - lane->power[r];
        lane->at[1][r] = lane->at[0][r + lane->shift] + lane->at[0][r] * two_to(-apart);
        lane->power[r] += (int32_t)apart;
    }
    settle_far(lane, step);
    return true;
}

/* One column, whatever the powers. */
static void slow_column(RocLane *lane, int64_t end) {
    const RocStep *step = step_of(lane, lane->column);
    int64_t low = low_at(lane, end), high = high_at(lane, end), first = lane->shift < 0 ? high : low, last = lane->shift < 0 ? low : high;
    pad(lane, lane->at[0], lane->column, end);
    for (int64_t r = first; r != last + lane->shift; r += lane->shift) {
        double own = lane->at[0][r], more = fits(lane, step, r) ? lane->at[0][r + lane->shift] : 0;
        int64_t apart = (int64_t)lane->power[r + lane->shift] - lane->power[r];
        if (more == 0) lane->at[1][r] = own;
        else if (own == 0 || apart > 0) {
            lane->at[1][r] = more + (own == 0 ? 0 : own * two_to(-apart));
            lane->power[r] += (int32_t)apart;
        } else lane->at[1][r] = own + more * two_to(apart);
    }
}

static void arrive(RocLane *lane, int64_t count) {
    if (lane->visit) lane->visit(lane->self, lane, (int)count);
    int64_t last = lane->visit ? count : count & 1;
    double *counts = lane->at[last];
    lane->at[last] = lane->at[0];
    lane->at[0] = counts;
    lane->column -= lane->shift * count;
}

/* Some columns at least, of `most`. Powers stay for a block; where numbers grew too much within it, for a shorter one. */
static void go_on(RocLane *lane, int64_t most, const Kernels *with) {
    if (!lane->left) {
        lane->left = most < lane->block ? most : lane->block;
        level(lane, lane->column - lane->shift * lane->left);
        scale_rows(lane);
    }
    int64_t count = columns_before_far(lane, lane->left), low = low_at(lane, lane->column);
    size_t size = (size_t)roc_rows(lane->window, lane->column) * sizeof *lane->saved;
    memcpy(lane->saved, lane->at[0] + low, size);
    bool well = count ? fast_block(lane, count, with) : far_column(lane, with);
    count = count ? count : 1;
    if (!well) {
        memcpy(lane->at[0] + low, lane->saved, size);
        if (count > 1 || lane->left > 1) {
            lane->block = count > 1 ? count / 2 : 1;
            lane->left = 0;
            return;
        }
        slow_column(lane, lane->column - lane->shift);
        count = 1;
    }
    arrive(lane, count);
    lane->left -= count;
    if (!lane->left) lane->block = 2 * lane->block < lane->longest ? 2 * lane->block : lane->longest;
}

Status roc_lane_go(Work *work, RocLane *lane, int64_t column) {
    Status status = OK;
    const Kernels *with = kernels();
    while (lane->column != column) {
        go_on(lane, lane->shift < 0 ? column - lane->column : lane->column - column, with);
        TRY(work_check(work));
    }
    level(lane, column);
done:
    return status;
}
