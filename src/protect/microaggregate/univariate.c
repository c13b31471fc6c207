/* Groups of consecutive records: by a score, or the optimal ones of a single column. */
#include "base/power_scale.h"
#include "math/ranks.h"
#include "protect/microaggregate/partition.h"

static Status in_order(Work *work, const double *score, const int64_t *rows, int64_t count, int64_t **out) {
    Status status = OK;
    double *x = NULL;
    int64_t *order = NULL, used;
    NEW(work, x, count + 1);
    NEW(work, order, count + 1);
    for (int64_t i = 0; i < count; i++) x[i] = score[rows[i]];
    TRY(order_reals(work, x, count, order, &used));
    for (int64_t i = 0; i < used; i++) order[i] = rows[order[i]];
    *out = order;
done:
    arena_drop(work->arena, x);
    return status;
}

Status part_sorted(Work *work, const double *score, const int64_t *rows, int64_t count, int64_t k, Partition *out) {
    Status status = OK;
    int64_t *order = NULL, groups = count / k;
    TRY(in_order(work, score, rows, count, &order));
    for (int64_t i = 0; i < count; i++) out->group[order[i]] = (int32_t)(out->groups + (i / k < groups ? i / k : groups - 1));
    out->groups += groups;
done:
    arena_drop(work->arena, order);
    return status;
}

/* Hansen & Mukherjee 2003: an arc from i to j, k ≤ j − i < 2k, costs the sum of squares of values i … j−1 about their mean; the shortest
 * path from 0 to n is the optimal partition. The sum of squares grows with each value taken in by (m−1)/m·(x − mean)² (Welford), which does
 * not cancel. */
static void shortest_path(const double *x, int64_t count, int64_t k, double *cost, int64_t *from) {
    cost[0] = 0;
    for (int64_t end = 1; end <= count; end++) {
        double mean = 0, squares = 0;
        cost[end] = INFINITY;
        for (int64_t size = 1; size < 2 * k && size <= end; size++) {
            double d = x[end - size] - mean;
            mean += d / (double)size;
            squares += d * (x[end - size] - mean);
            if (size < k || !(cost[end - size] + squares < cost[end])) continue;
            cost[end] = cost[end - size] + squares;
            from[end] = end - size;
        }
    }
}

Status part_optimal(Work *work, const double *x, const int64_t *rows, int64_t count, int64_t k, Partition *out) {
    Status status = OK;
    int64_t *order = NULL, *from = NULL, groups = 0;
    double *sorted = NULL, *cost = NULL;
    PowerScale power;
    TRY(in_order(work, x, rows, count, &order));
    NEW(work, sorted, count + 1);
    NEW(work, cost, count + 1);
    NEW(work, from, count + 1);
    for (int64_t i = 0; i < count; i++) sorted[i] = x[order[i]];
    power = power_scale(largest_size(sorted, count));
    for (int64_t i = 0; i < count; i++) sorted[i] = sorted[i] * power.first * power.second;
    TRY(work_check(work));
    shortest_path(sorted, count, k, cost, from);
    for (int64_t end = count; end > 0; end = from[end]) groups++;
    for (int64_t end = count, g = groups - 1; end > 0; end = from[end], g--)
        for (int64_t i = from[end]; i < end; i++) out->group[order[i]] = (int32_t)(out->groups + g);
    out->groups += groups;
done:
    arena_drop(work->arena, order);
    arena_drop(work->arena, sorted);
    arena_drop(work->arena, cost);
    arena_drop(work->arena, from);
    return status;
}
