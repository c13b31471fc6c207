/* V-MDAV: groups of variable size, begun at the fringe and grown where the next record is close. */
#include <stdlib.h>
#include "base/elementary.h"
#include "protect/microaggregate/average.h"
#include "protect/microaggregate/partition.h"

typedef struct {
    Work *work;
    const Space *space;
    Neighbours *index;
    Partition *out;
    int64_t k, left;
    double stretch; /* gamma, as it acts on measures */
    double *point, *half;
    int64_t *member, members; /* of the group being made */
    Near *nearest;            /* of each member, among the records left */
    Near *near;
} Growing;

static void set_point(Growing *g, int64_t row) {
    for (int64_t j = 0; j < g->space->axes; j++) {
        g->point[j] = g->space->axis[j].x[row];
        g->half[j] = g->space->axis[j].half ? g->space->axis[j].half[row] : 0;
    }
}

static Status take(Growing *g, int64_t row) {
    g->out->group[row] = (int32_t)g->out->groups;
    g->nearest[g->members] = (Near){ -1, -1 }; /* not known yet */
    g->member[g->members++] = row;
    g->left--;
    return neighbours_remove(g->work, g->index, row);
}

/* The record left that is nearest to any member. A member's own nearest is asked again only once it has been taken. */
static Near next_record(Growing *g) {
    Near best = { INFINITY, -1 };
    for (int64_t i = 0; i < g->members; i++) {
        Near *known = &g->nearest[i];
        if (known->row < 0 || g->out->group[known->row] >= 0) {
            set_point(g, g->member[i]);
            if (!neighbours_at(g->index, g->point, g->half, 1, known)) continue;
        }
        if (best.row < 0 || known->measure < best.measure || (known->measure == best.measure && known->row < best.row)) best = *known;
    }
    return best;
}

static Status grow(Growing *g) {
    Status status = OK;
    while (g->members < 2 * g->k - 1 && g->left > 0) {
        Near next = next_record(g), pair[2];
        if (next.row < 0) return fail(g->work->error, FAILED, "distances between records are no finite numbers");
        set_point(g, next.row);
        int64_t found = neighbours_at(g->index, g->point, g->half, 2, pair); /* itself, and its nearest of the rest (or a twin first) */
        if (found == 2 && !(next.measure < g->stretch * pair[1].measure)) break;
        TRY(take(g, next.row));
    }
done:
    return status;
}

static Status make_group(Growing *g, int64_t seed) {
    Status status = OK;
    g->members = 0;
    TRY(take(g, seed));
    set_point(g, seed);
    int64_t found = neighbours_at(g->index, g->point, g->half, g->k - 1, g->near);
    for (int64_t i = 0; i < found; i++) TRY(take(g, g->near[i].row));
    TRY(grow(g));
    g->out->groups++;
done:
    return status;
}

/* ---- Fewer than k are left: each joins the nearest group that has room ---- */

typedef struct {
    double *sum;
    int64_t size;
} Centre;

static double to_centre(const Growing *g, const Centre *centre, int64_t row) {
    double sum = 0;
    for (int64_t j = 0; j < g->space->axes; j++) {
        const Axis *axis = &g->space->axis[j];
        double d = axis->x[row] - centre->sum[j] / (double)centre->size;
        if (!axis->half) sum += g->space->metric == EUCLIDEAN ? d * d : fabs(d);
    }
    return sum;
}

static Status centres_make(Growing *g, const int64_t *rows, int64_t count, int64_t first, Centre **out) {
    Status status = OK;
    Centre *centre = NULL;
    double *sums = NULL;
    int64_t groups = g->out->groups - first, axes = g->space->axes + 1;
    NEW(g->work, centre, groups + 1);
    NEW(g->work, sums, groups * axes + 1);
    for (int64_t c = 0; c < groups; c++) centre[c].sum = sums + c * axes;
    for (int64_t i = 0; i < count; i++) {
        int64_t c = g->out->group[rows[i]] - first;
        if (c < 0) continue;
        centre[c].size++;
        for (int64_t j = 0; j < g->space->axes; j++) centre[c].sum[j] += g->space->axis[j].x[rows[i]];
    }
    *out = centre;
done:
    return status;
}

/* Every group is full: the nearest one and the records left are 2k or more, and are parted again by MDAV. */
static Status part_again(Growing *g, const int64_t *rows, int64_t count, int64_t nearest) {
    Status status = OK;
    int64_t *some = NULL, found = 0, last = g->out->groups - 1;
    NEW(g->work, some, count + 1);
    for (int64_t i = 0; i < count; i++) {
        int32_t *at = &g->out->group[rows[i]];
        bool in_it = *at == nearest || *at < 0;
        if (*at == last && nearest != last) *at = (int32_t)nearest; /* its number is free now */
        if (in_it) {
            *at = -1;
            some[found++] = rows[i];
        }
    }
    g->out->groups--;
    TRY(part_mdav(g->work, g->space, some, found, g->k, g->out));
done:
    return status;
}

static Status share_out(Growing *g, const int64_t *rows, int64_t count, int64_t first) {
    Status status = OK;
    Centre *centre = NULL;
    int64_t groups = g->out->groups - first;
    TRY(centres_make(g, rows, count, first, &centre));
    for (int64_t i = 0; i < count; i++) {
        if (g->out->group[rows[i]] >= 0) continue;
        double best = INFINITY, best_full = INFINITY;
        int64_t to = -1, full = 0;
        for (int64_t c = 0; c < groups; c++) {
            double d = to_centre(g, &centre[c], rows[i]);
            if (centre[c].size < 2 * g->k - 1 ? d < best : false) {
                best = d;
                to = c;
            }
            if (d < best_full) {
                best_full = d;
                full = c;
            }
        }
        if (to < 0) return part_again(g, rows, count, first + full);
        g->out->group[rows[i]] = (int32_t)(first + to);
        centre[to].size++;
        for (int64_t j = 0; j < g->space->axes; j++) centre[to].sum[j] += g->space->axis[j].x[rows[i]];
    }
done:
    return status;
}

static int farthest_first(const void *a, const void *b) {
    const Near *x = a, *y = b;
    if (x->measure != y->measure) return (x->measure < y->measure) - (x->measure > y->measure);
    return (x->row > y->row) - (x->row < y->row);
}

/* All records by their distance from the average, which does not move. */
static Status from_average(Work *work, const Space *space, const int64_t *rows, int64_t count, Near **out) {
    Status status = OK;
    Average average;
    TRY(average_start(work, space, rows, count, &average));
    average_take(&average);
    NEW(work, *out, count + 1);
    for (int64_t i = 0; i < count; i++) {
        double sum = 0;
        for (int64_t j = 0; j < space->axes; j++) {
            const Axis *axis = &space->axis[j];
            double d = axis->x[rows[i]] - average.point[j];
            sum += axis->half ? (d != 0 ? axis->half[rows[i]] + average.half[j] : 0) : d * d;
        }
        (*out)[i] = (Near){ sum, rows[i] };
    }
    qsort(*out, (size_t)count, sizeof **out, farthest_first);
done:
    return status;
}

Status part_vmdav(Work *work, const Space *space, const int64_t *rows, int64_t count, int64_t k, double gamma, Partition *out) {
    Status status = OK;
    Growing g = { .work = work, .space = space, .out = out, .k = k, .left = count, .stretch = measure_of_distance(space->metric, gamma) };
    Near *seeds = NULL;
    int64_t first = out->groups;
    NEW(work, g.point, space->axes + 1);
    NEW(work, g.half, space->axes + 1);
    NEW(work, g.near, k + 1);
    NEW(work, g.member, 2 * k);
    NEW(work, g.nearest, 2 * k);
    TRY(from_average(work, space, rows, count, &seeds));
    TRY(neighbours_make(work, space, rows, count, &g.index));
    for (int64_t i = 0; i < count && g.left >= k; i++) {
        if (out->group[seeds[i].row] >= 0) continue;
        TRY(make_group(&g, seeds[i].row));
        if (out->groups % 256 == 0) {
            TRY(work_check(work));
            work_show(work, "groups", 1 - (double)g.left / (double)count);
        }
    }
    if (g.left) TRY(share_out(&g, rows, count, first));
done:
    neighbours_drop(work, g.index);
    return status;
}
