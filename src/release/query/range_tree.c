/* tree(x, k): noisy counts of a range, of its halves, quarters and so on down to 2^k parts, made consistent (Hay, Rastogi, Miklau & Suciu
 * 2010): sums over any interval are made of few of them. */
#include "math/special/normal.h"
#include <string.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "base/number_text.h"
#include "release/query/query.h"

/* Nodes as a heap: 0 is the whole range, the halves of i are 2i + 1 and 2i + 2, the leaves stand last. One record is counted once on every
 * level: added or removed it moves one node of each by 1, replaced by another two. */
Status plan_tree(Plan *plan, int64_t query, const Subset *subset) {
    Status status = OK;
    const Query *q = &plan->query[query];
    int64_t levels = (int64_t)q->number, leaves = (int64_t)1 << levels, nodes = 2 * leaves - 1, measure;
    uint64_t most = plan_most(plan), moved = (uint64_t)(levels + 1) * (plan->unit == REPLACE_ONE ? 2 : 1);
    Measure made = { .part = "counts",
                     .query = query,
                     .divisor = 1,
                     .levels = levels,
                     .l1 = times_most(moved, most),
                     .l2_squared = (unsigned __int128)moved * most * most };
    Bounds b;
    TRY(bounds_of(plan, q->x, true, &b));
    TRY(plan_measure(plan, made, nodes, &measure));
    for (int64_t i = 0; i < subset->count; i++) {
        double x = b.low;
        TRY(clamp_finite(column_number(q->x, subset->row[i]), b.low, b.high, &x, plan->work->error));
        int64_t leaf = (int64_t)smaller(floor((x - b.low) / (b.high - b.low) * (double)leaves), (double)(leaves - 1));
        for (int64_t node = leaves - 1 + leaf;; node = (node - 1) / 2) {
            plan->measure[measure].value[node]++;
            if (!node) break;
        }
    }
    TRY(carry_wide(plan, plan->measure[measure].value, nodes, true));
    for (int64_t node = 0, level = 0; node < nodes; node++) {
        char low[33], high[33];
        if (node + 1 == (int64_t)2 << level) level++;
        int64_t first = node + 1 - ((int64_t)1 << level);
        double width = (b.high - b.low) / (double)((int64_t)1 << level);
        real_text(b.low + width * (double)first, low);
        real_text(b.low + width * (double)(first + 1), high);
        const char *label =
            arena_print(plan->work->arena, "%s in [%s,%s%s", q->x->name, low, high, first + 1 == (int64_t)1 << level ? "]" : ")");
        if (!label) TRY(out_of_memory(plan->work->error));
        TRY(plan_answer(
            plan, (Answer){ .query = query, .group = label, .measures = 1, .measure = { measure }, .element = node, .gate_measure = -1 }));
    }
done:
    return status;
}

/* Up: z of a node at height h (leaves have 1) is the best of its own count and its halves' together, (2^h − 2^(h−1))/(2^h − 1) and (2^(h−1)
 * − 1)/(2^h − 1) of each. Down: what the node has more than its halves' z is shared between them. Least squares, by two passes (theorem 3
 * of the paper). */
static void least_squares(const double *noisy, double *z, double *out, int64_t nodes, int64_t levels) {
    for (int64_t i = nodes - 1; i >= 0; i--) {
        if (2 * i + 2 >= nodes) {
            z[i] = noisy[i];
            continue;
        }
        int64_t depth = 0;
        for (int64_t k = i + 1; k > 1; k >>= 1) depth++;
        double whole = ldexp(1, (int)(levels + 1 - depth)), half = whole / 2;
        z[i] = ((whole - half) * noisy[i] + (half - 1) * (z[2 * i + 1] + z[2 * i + 2])) / (whole - 1);
    }
    out[0] = z[0];
    for (int64_t i = 0; 2 * i + 2 < nodes; i++) {
        double more = (out[i] - z[2 * i + 1] - z[2 * i + 2]) / 2;
        out[2 * i + 1] = z[2 * i + 1] + more;
        out[2 * i + 2] = z[2 * i + 2] + more;
    }
}

/* From the top: halves that add up to their node, and where one would be below 0, all to the other. */
static void lift(double *out, int64_t nodes) {
    out[0] = fmax(out[0], 0);
    for (int64_t i = 0; 2 * i + 2 < nodes; i++) {
        double *a = &out[2 * i + 1], *b = &out[2 * i + 2], more = (out[i] - *a - *b) / 2;
        *a = smaller(larger(*a + more, 0), out[i]);
        *b = out[i] - *a;
    }
}

/* From the noisy counts alone. */
Status make_consistent(Plan *plan, Measure *b) {
    Status status = OK;
    double *noisy = NULL, *z = NULL, *out = NULL;
    NEW(plan->work, noisy, b->count);
    NEW(plan->work, z, b->count);
    NEW(plan->work, out, b->count);
    for (int64_t i = 0; i < b->count; i++) noisy[i] = wide_real(b->value[i], b->exponent);
    least_squares(noisy, z, out, b->count, b->levels);
    NEW(plan->work, b->linear, b->count);
    memcpy(b->linear, out, (size_t)b->count * sizeof *out);
    if (plan->args->nonnegative) lift(out, b->count);
    b->consistent = out;
    TRY(tree_reach(plan, b));
done:
    return status;
}

/* ---- intervals ---- */

/* Least squares with noise of one variance is the orthogonal projection P onto trees that add up, so that a node's error is Σ P_vu X_u and
 * its variance P_vv·Var X. P's row is the projection of one unit on v. For the leftmost node of a depth the entries on each depth depend
 * only on the number of binary digits of the place: these groups, each with its weight and how many nodes it has. */
typedef struct Weights {
    int64_t count;
    double weight[32 * 32], times[32 * 32];
} Weights;

static Status weights_of(Plan *plan, const Measure *b, int64_t depth, Weights *out) {
    Status status = OK;
    double *unit = NULL, *z = NULL, *row = NULL;
    int64_t node = ((int64_t)1 << depth) - 1;
    NEW(plan->work, unit, b->count);
    NEW(plan->work, z, b->count);
    NEW(plan->work, row, b->count);
    unit[node] = 1;
    least_squares(unit, z, row, b->count, b->levels);
    out->count = 0;
    for (int64_t k = 0; k <= b->levels; k++)
        for (int64_t digits = 0; digits <= k; digits++) {
            int64_t place = digits ? (int64_t)1 << (digits - 1) : 0;
            out->weight[out->count] = fabs(row[((int64_t)1 << k) - 1 + place]);
            out->times[out->count++] = digits ? (double)place : 1;
        }
done:
    arena_drop(plan->work->arena, row);
    arena_drop(plan->work->arena, z);
    arena_drop(plan->work->arena, unit);
    return status;
}

/* P(|E| > h) for E = Σ w X with Laplace noise of scale 1, by its characteristic function Π 1/(1 + w²t²): P(E > h) = ½ − (1/π) Σ φ((m + ½)δ)
 * sin((m + ½)δh)/(m + ½) (Davies 1973). Solved for 0.05 by bisection; E's standard deviation is s. */
static double laplace_half(const Weights *w, double s) {
    enum { MODES = 1500 };
    double phi[MODES], step = 2 * M_PI / (60 * s), low = 0, high = 12 * s;
    for (int m = 0; m < MODES; m++) {
        double t = (m + 0.5) * step, sum = 0;
        for (int64_t i = 0; i < w->count; i++) sum += w->times[i] * log1p(w->weight[i] * w->weight[i] * t * t);
        phi[m] = exp(-sum);
    }
    for (int turn = 0; turn < 40; turn++) {
        double h = (low + high) / 2, sum = 0;
        for (int m = 0; m < MODES && phi[m] > 1e-12; m++) sum += phi[m] * sin((m + 0.5) * step * h) / (m + 0.5);
        if (1 - 2 * sum / M_PI > 0.05) low = h;
        else high = h;
    }
    return high;
}

Status tree_reach(Plan *plan, Measure *b) {
    Status status = OK;
    Weights w = { .count = 0 };
    NEW(plan->work, b->reach, b->levels + 1);
    for (int64_t depth = 0; depth <= b->levels; depth++) {
        double squares = 0;
        TRY(weights_of(plan, b, depth, &w));
        for (int64_t i = 0; i < w.count; i++) squares += w.times[i] * w.weight[i] * w.weight[i];
        b->reach[depth] = plan->noise == DISCRETE_LAPLACE_NOISE ? b->scale * laplace_half(&w, sqrt(2 * squares))
                                                                : b->scale * sqrt(squares) * normal_upper_quantile(0.025);
    }
done:
    return status;
}

/* Around the least-squares count; where no count is below 0 the part below is cut off, since the truth is not there, and what is told is
 * in it. */
void tree_interval(const Measure *b, int64_t element, double *lower, double *upper) {
    int64_t depth = 0;
    for (int64_t k = element + 1; k > 1; k >>= 1) depth++;
    double value = b->consistent[element], centre = b->linear[element];
    bool lifted = value != centre;
    *lower = centre - b->reach[depth];
    *upper = centre + b->reach[depth];
    if (!lifted) return;
    *lower = smaller(larger(*lower, 0), value);
    *upper = fmax(*upper, value);
}
