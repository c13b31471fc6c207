/* tree(x, k): noisy counts of a range, of its halves, quarters and so on down to 2^k parts, made consistent (Hay, Rastogi, Miklau & Suciu
 * 2010): sums over any interval are made of few of them. */
#include "base/elementary.h"
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
        double x = fmin(fmax(column_number(q->x, subset->row[i]), b.low), b.high);
        int64_t leaf = (int64_t)fmin(floor((x - b.low) / (b.high - b.low) * (double)leaves), (double)(leaves - 1));
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
        if (!label) TRY(fail(plan->work->error, FAILED, "out of memory"));
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
        *a = fmin(fmax(*a + more, 0), out[i]);
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
    if (plan->args->nonnegative) lift(out, b->count);
    b->consistent = out;
done:
    return status;
}
