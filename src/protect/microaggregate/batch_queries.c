/* Questions asked beforehand. */
#include "protect/microaggregate/batch_queries.h"

enum { LISTS = 512, SPARE = 8, FARTHEST = 48 };

Status ahead_start(Work *work, const Neighbours *index, FarthestHeap *fringe, int64_t rows, int64_t k, Ahead *out) {
    Status status = OK;
    *out = (Ahead){ .work = work, .index = index, .fringe = fringe, .wanted = k - 1, .near = k - 1 + SPARE, .far = FARTHEST };
    NEW(work, out->list, rows + 1);
    NEW(work, out->row, LISTS);
    NEW(work, out->nearest, LISTS * out->near);
    NEW(work, out->farthest, LISTS * out->far);
    for (int64_t i = 0; i < rows; i++) out->list[i] = -1;
    for (int64_t i = 0; i < LISTS; i++) out->row[i] = -1;
done:
    return status;
}

/* The first of the farthest that is left and not among these; -1 where none of the list is. */
static int64_t first_left(const Ahead *a, int64_t list, const int64_t *taken, int count) {
    for (int64_t i = 0; i < a->far; i++) {
        int64_t row = a->farthest[list * a->far + i].row;
        bool free = row < 0 || !a->fringe->gone[row];
        for (int k = 0; free && k < count; k++) free = taken[k] != row;
        if (free) return row;
    }
    return -1;
}

/* Lists for these records, in the place of the oldest. */
static Status ask(Ahead *a, const int64_t *rows, int count, bool far) {
    Status status = OK;
    if (a->oldest + count > LISTS) a->oldest = 0;
    for (int i = 0; i < count; i++) {
        int64_t at = a->oldest + i;
        if (a->row[at] >= 0) a->list[a->row[at]] = -1;
        a->row[at] = -1;
        a->farthest[at * a->far].row = -1;
    }
    TRY(neighbours_several(a->work, a->index, rows, count, a->near, a->nearest + a->oldest * a->near, far ? a->far : 0,
                           a->farthest + a->oldest * a->far));
    for (int i = 0; i < count; i++) {
        if (a->list[rows[i]] >= 0) a->row[a->list[rows[i]]] = -1; /* an older one that has run out */
        a->row[a->oldest] = rows[i];
        a->list[rows[i]] = (int32_t)a->oldest++;
    }
done:
    return status;
}

static bool runs_out(const Ahead *a, int64_t row) { return a->list[row] < 0 || first_left(a, a->list[row], NULL, 0) < 0; }

enum { TRIED = NEIGHBOURS_SEVERAL + 4 };

Status ahead_first(Ahead *a, int64_t row) {
    int64_t next[TRIED], rows[NEIGHBOURS_SEVERAL] = { row };
    int count = 1;
    if (!runs_out(a, row)) return OK;
    int64_t others = farthest_heap_next(a->fringe, row, TRIED, next);
    for (int64_t i = 0; i < others && count < NEIGHBOURS_SEVERAL; i++)
        if (runs_out(a, next[i])) rows[count++] = next[i];
    return ask(a, rows, count, true);
}

Status ahead_second(Ahead *a, int64_t row) {
    int64_t next[TRIED], rows[NEIGHBOURS_SEVERAL] = { row };
    int count = 1;
    if (a->list[row] >= 0) return OK;
    int64_t others = farthest_heap_next(a->fringe, row, TRIED, next);
    for (int64_t i = 0; i < others && count < NEIGHBOURS_SEVERAL; i++) {
        int64_t far = a->list[next[i]] < 0 ? -1 : first_left(a, a->list[next[i]], rows, count);
        if (far >= 0 && a->list[far] < 0) rows[count++] = far;
    }
    return ask(a, rows, count, false);
}

int64_t ahead_nearest(const Ahead *a, int64_t row, Near *out) {
    int64_t found = 0;
    if (a->list[row] < 0) return -1;
    const Near *nearest = a->nearest + a->list[row] * a->near;
    for (int64_t i = 0; i < a->near && found < a->wanted; i++)
        if (nearest[i].row >= 0 && !a->fringe->gone[nearest[i].row]) out[found++] = nearest[i];
    return found < a->wanted ? -1 : found;
}

int64_t ahead_farthest(const Ahead *a, int64_t row) { return a->list[row] < 0 ? -1 : first_left(a, a->list[row], NULL, 0); }
