/* The farthest of the records that are left, one query at a time. A box says little of who is far: its corner lies well beyond its records.
 * Seen from the average of all records, those of a subtree lie in a cone: at most ρ away, at most α from its axis. One at an angle β from
 * the direction opposite to a query that is R away from the average is √(R² + ρ² + 2Rρ·max(cos β, 0)) from the query at most, β ≥ θ − α
 * with θ the angle of the axis: near 0 a wide cone costs only the square of its width. */
#include "base/elementary.h"
#include "math/neighbours/box_tree.h"

/* ---- Cones ---- */

static const double HUGE_DISTANCE = 1e150; /* whose square is a number */

static double unit_of(const Neighbours *index, const double *x, int64_t stride, double *unit) {
    double sum = 0;
    for (int64_t s = 0; s < index->shape.slots; s++) {
        unit[s] = x[s * stride] - index->centre[s];
        sum += unit[s] * unit[s];
    }
    double length = sqrt(sum);
    for (int64_t s = 0; s < index->shape.slots; s++) unit[s] = length > 0 ? unit[s] / length : 0;
    return length;
}

/* The cone of leaves first … last−1 as child `lane` of a node: its axis is the mean direction. Cosines are lowered by more than they may be
 * rounded. */
static void cone_of(const Neighbours *index, int32_t first, int32_t last, double *cone, int lane) {
    int64_t slots = index->shape.slots;
    double unit[FEW_SLOTS], axis[FEW_SLOTS] = { 0 }, most = 0, least = 1, sum = 0;
    for (int64_t i = (int64_t)first * LEAF; i < (int64_t)last * LEAF; i++) {
        if (index->row[i] < 0) continue;
        double length = unit_of(index, leaf_points(index, (int32_t)(i / LEAF)) + i % LEAF, LEAF, unit);
        most = length > most ? length : most;
        for (int64_t s = 0; s < slots; s++) axis[s] += unit[s];
    }
    for (int64_t s = 0; s < slots; s++) sum += axis[s] * axis[s];
    for (int64_t s = 0; s < slots; s++) cone[s * FAN + lane] = axis[s] = sum > 0 ? axis[s] / sqrt(sum) : 0;
    for (int64_t i = (int64_t)first * LEAF; i < (int64_t)last * LEAF; i++) {
        double along = 0;
        if (index->row[i] < 0) continue;
        unit_of(index, leaf_points(index, (int32_t)(i / LEAF)) + i % LEAF, LEAF, unit);
        for (int64_t s = 0; s < slots; s++) along += axis[s] * unit[s];
        if (!(along >= least)) least = along;
    }
    least = least - 1e-12 > -1 ? least - 1e-12 : -1;
    cone[slots * FAN + lane] = least;
    cone[(slots + 1) * FAN + lane] = sqrt(1 - least * least);
    cone[(slots + 2) * FAN + lane] = most;
}

static Status cones_of_nodes(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    const Neighbours *index = self;
    (void)block, (void)error;
    for (int64_t i = first; i < last; i++) {
        const BoxNode *node = &index->node[i];
        for (int c = 0; c < node->fan; c++) {
            int32_t child = node->child[c];
            if (child < 0) cone_of(index, ~child, ~child + 1, node_cone(index, (int32_t)i), c);
            else cone_of(index, index->node[child].first, index->node[child].last, node_cone(index, (int32_t)i), c);
        }
    }
    return OK;
}

Status cones_build(Work *work, Neighbours *index) {
    Status status = OK;
    int64_t slots = index->shape.slots;
    arena_drop(work->arena, index->cone);
    index->cone = NULL;
    NEW(work, index->cone, (int64_t)index->nodes * (slots + 3) * FAN + 1);
    for (int64_t s = 0; s < slots; s++) {
        double sum = 0;
        for (int32_t leaf = 0; leaf < index->leaves; leaf++)
            for (int lane = 0; lane < LEAF; lane++)
                if (index->row[(int64_t)leaf * LEAF + lane] >= 0) sum += leaf_points(index, leaf)[s * LEAF + lane];
        index->centre[s] = sum / (double)(index->count ? index->count : 1);
    }
    TRY(parallel_for(work, index->nodes, 64, cones_of_nodes, index));
done:
    return status;
}

/* Greatest distances fall, from the leaf up; the cones' widths stay. */
void cones_shrink(Neighbours *index, int32_t leaf) {
    double unit[FEW_SLOTS], most = 0;
    int64_t at = (index->shape.slots + 2) * FAN;
    for (int lane = 0; lane < LEAF; lane++) {
        if (index->row[(int64_t)leaf * LEAF + lane] < 0) continue;
        double length = unit_of(index, leaf_points(index, leaf) + lane, LEAF, unit);
        most = length > most ? length : most;
    }
    int32_t node = index->leaf_node[leaf], lane = index->leaf_lane[leaf];
    while (node >= 0) {
        double *rho = node_cone(index, node) + at;
        if (rho[lane] == most) return;
        rho[lane] = most;
        most = 0;
        for (int c = 0; c < FAN; c++) most = rho[c] > most ? rho[c] : most;
        lane = index->node[node].lane;
        node = index->node[node].parent;
    }
}

Status neighbours_far_ready(Work *work, Neighbours *index) {
    Status status = OK;
    if (index->shape.gaps) return fail(work->error, FAILED, "the farthest record is not searched for among records with missing numbers");
    if (index->metric != EUCLIDEAN || index->shape.nominals || index->shape.slots > FEW_SLOTS) return OK; /* boxes alone */
    NEW(work, index->centre, index->shape.slots);
    TRY(cones_build(work, index));
    bool fit = true;
    for (int c = 0; index->count && c < FAN; c++) fit &= node_cone(index, 0)[(index->shape.slots + 2) * FAN + c] < HUGE_DISTANCE;
    if (!fit) {
        arena_drop(work->arena, index->cone);
        index->cone = NULL;
    }
done:
    return status;
}

/* ---- The search ---- */

typedef struct Far {
    Neighbours *index;
    const double *query;
    double unit[FEW_SLOTS], away; /* from the query to the centre */
    bool cones;
    Near best;
} Far;

/* What was farthest of another query, and stays, is far of this one, too: a search that begins there leaves more out. */
static void keep_far(Neighbours *index, int64_t row) {
    if (row < 0) return;
    index->far[index->far_next] = (int32_t)row + 1;
    index->far_next = (index->far_next + 1) % KEPT_FAR;
}

static Near best_kept(const Far *far) {
    const Neighbours *index = far->index;
    Near best = { -1, -1 };
    for (int i = 0; i < KEPT_FAR; i++) {
        int32_t row = index->far[i] - 1, place = row < 0 ? -1 : index->place[row];
        double measure = 0;
        if (place < 0) continue;
        const double *point = leaf_points(index, place / LEAF) + place % LEAF;
        for (int64_t s = 0; s < index->shape.slots; s++) { /* as the kernels add */
            double d = point[s * LEAF] - far->query[s];
            measure += d * d;
        }
        if (measure > best.measure || (measure == best.measure && row < best.row)) best = (Near){ measure, row };
    }
    return best;
}

static void far_leaf(Far *far, int32_t leaf) {
    Neighbours *index = far->index;
    Near *best = &far->best;
    double measure[LEAF];
    uint32_t mask;
    index->kernels->near(&index->shape, leaf_points(index, leaf), far->query, 1, (double[]){ INFINITY }, &mask, measure);
    double most[4] = { -1, -1, -1, -1 }; /* four chains side by side; a lane without a record is NaN, and loses */
    for (int lane = 0; lane < LEAF; lane += 4)
        for (int i = 0; i < 4; i++) most[i] = measure[lane + i] > most[i] ? measure[lane + i] : most[i];
    for (int i = 1; i < 4; i++) most[0] = most[i] > most[0] ? most[i] : most[0];
    if (most[0] < best->measure) return; /* nearly always */
    for (; mask; mask &= mask - 1) {
        int lane = __builtin_ctz(mask);
        int32_t row = index->row[(int64_t)leaf * LEAF + lane];
        if (measure[lane] > best->measure || (measure[lane] == best->measure && row < best->row)) {
            keep_far(index, best->row);
            *best = (Near){ measure[lane], row };
        }
    }
}

/* The children that may hold an answer, and how far it may be. */
static uint32_t far_children(const Far *far, int32_t node, double *reach) {
    const Neighbours *index = far->index;
    const double *lo = node_lo(index, node), *hi = node_hi(index, node);
    uint32_t found = 0, there = (1u << index->node[node].fan) - 1;
    if (far->cones)
        return there & index->kernels->beyond(&index->shape, lo, hi, node_cone(index, node), index->centre, far->unit, far->away,
                                              far->best.measure, reach);
    index->kernels->reach(&index->shape, lo, hi, FAN, far->query, far->query, reach);
    for (int c = 0; c < FAN; c++) found |= (uint32_t)(reach[c] >= far->best.measure) << c;
    return there & found;
}

/* The farthest first: what it has may settle the others. */
static void far_node(Far *far, int32_t node) {
    const BoxNode *at = &far->index->node[node];
    double reach[FAN];
    int order[FAN], count = 0;
    for (uint32_t found = far_children(far, node, reach); found; found &= found - 1) {
        int c = __builtin_ctz(found), to = count++;
        for (; to > 0 && reach[order[to - 1]] < reach[c]; to--) order[to] = order[to - 1];
        order[to] = c;
    }
    for (int i = 0; i < count && reach[order[i]] >= far->best.measure; i++) {
        int32_t child = at->child[order[i]];
        if (child < 0) far_leaf(far, ~child);
        else far_node(far, child);
    }
}

Near neighbours_farthest(Neighbours *index, const double *point, const double *half) {
    Far far = { .index = index, .query = index_point(index, point, half), .best = { -1, -1 } };
    if (index->cone) {
        far.away = unit_of(index, far.query, 1, far.unit);
        far.cones = far.away < HUGE_DISTANCE;
        for (int64_t s = 0; s < index->shape.slots; s++) far.unit[s] = -far.unit[s];
        far.best = best_kept(&far);
    }
    if (index->count) far_node(&far, 0);
    return far.best;
}
