/* MDAV on an index that shrinks: the farthest record and the nearest ones among those left, exact at every step. */
#include "protect/microaggregate/batch_queries.h"
#include "protect/microaggregate/average.h"
#include "protect/microaggregate/farthest_heap.h"
#include "protect/microaggregate/partition.h"

typedef struct {
    Work *work;
    const Space *space;
    Neighbours *index;
    Average average;
    FarthestHeap fringe;
    Ahead ahead; /* on many axes */
    bool many, *gone;
    Partition *out;
    int64_t k;
    double *point, *half;
    Near *near;
} Mdav;

static void set_point(Mdav *m, int64_t row) {
    for (int64_t j = 0; j < m->space->axes; j++) {
        m->point[j] = m->space->axis[j].x[row];
        m->half[j] = m->space->axis[j].half ? m->space->axis[j].half[row] : 0;
    }
}

static Status take_record(Mdav *m, int64_t row) {
    m->out->group[row] = (int32_t)m->out->groups;
    m->gone[row] = true;
    average_count(&m->average, row, -1);
    return neighbours_remove(m->work, m->index, row);
}

/* Distances that are no numbers order nothing: no record is then the farthest, or too few are near. */
static Status no_order(Work *work) { return fail(work->error, FAILED, "distances between records are no finite numbers"); }

/* The record and its k−1 nearest. */
static Status take_group(Mdav *m, int64_t row) {
    Status status = OK;
    if (row < 0) return no_order(m->work);
    TRY(take_record(m, row));
    set_point(m, row);
    int64_t found = m->many ? ahead_nearest(&m->ahead, row, m->near) : -1;
    if (found < 0) found = neighbours_at(m->index, m->point, m->half, m->k - 1, m->near);
    if (found < m->k - 1) TRY(no_order(m->work));
    for (int64_t i = 0; i < found; i++) TRY(take_record(m, m->near[i].row));
    m->out->groups++;
done:
    return status;
}

static Status take_rest(Mdav *m, const int64_t *rows, int64_t count) {
    for (int64_t i = 0; i < count; i++)
        if (m->out->group[rows[i]] < 0) m->out->group[rows[i]] = (int32_t)m->out->groups;
    m->out->groups++;
    return OK;
}

static int64_t farthest_from_average(Mdav *m) {
    average_take(&m->average);
    return farthest_heap_top(&m->fringe, m->average.point, m->average.half);
}

/* The farthest from a record whose group is gone: it is never in it, even where all are alike. */
static int64_t farthest_from(Mdav *m, int64_t row) {
    int64_t far = m->many ? ahead_farthest(&m->ahead, row) : -1;
    return far >= 0 ? far : neighbours_farthest(m->index, m->point, m->half).row;
}

Status part_mdav(Work *work, const Space *space, const int64_t *rows, int64_t count, int64_t k, Partition *out) {
    Status status = OK;
    Mdav m = { .work = work, .space = space, .out = out, .k = k };
    NEW(work, m.point, space->axes + 1);
    NEW(work, m.half, space->axes + 1);
    NEW(work, m.near, k + 1);
    NEW(work, m.gone, space->rows + 1);
    TRY(farthest_heap_start(work, space, rows, count, m.gone, &m.fringe));
    TRY(average_start(work, space, rows, count, &m.average));
    TRY(neighbours_make(work, space, rows, count, &m.index));
    TRY(neighbours_far_ready(work, m.index));
    m.many = neighbours_many_axes(m.index);
    if (m.many) TRY(ahead_start(work, m.index, &m.fringe, space->rows, k, &m.ahead));
    for (int64_t rounds = 0; m.average.left >= 3 * k; rounds++) {
        int64_t first = farthest_from_average(&m);
        if (m.many && first >= 0) TRY(ahead_first(&m.ahead, first));
        TRY(take_group(&m, first));
        int64_t second = farthest_from(&m, first);
        if (m.many && second >= 0) TRY(ahead_second(&m.ahead, second));
        TRY(take_group(&m, second));
        if (rounds % 256 == 0) {
            TRY(work_check(work));
            work_show(work, "groups", 1 - (double)m.average.left / (double)count);
        }
    }
    if (m.average.left >= 2 * k) TRY(take_group(&m, farthest_from_average(&m)));
    if (m.average.left > 0) TRY(take_rest(&m, rows, count));
done:
    neighbours_drop(work, m.index);
    return status;
}
