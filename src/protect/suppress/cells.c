/* Cells to blank: of one combination of keys, or of several, which are made alike in turn until all are. */
#include <string.h>
#include "protect/suppress/suppress.h"

typedef struct Task {
    Work *work;
    const Request *request;
    uint64_t *blank;
    int64_t *lower_bound;
    bool search;
} Task;

static int64_t assignment_cells(const Problem *p, const Assignment *assignment) {
    int64_t cells = 0;
    for (int64_t l = 0; l < p->links; l++) cells += assignment->units[l] * p->records[p->owner[l]] * link_cells(p, l);
    return cells;
}

static Status run_task(void *self) {
    Status status = OK;
    Task *t = self;
    Problem problem;
    Assignment assignment;
    TRY(problem_make(t->work, t->request, t->blank, &problem));
    int64_t cells = INT64_MAX / 1000000, least = 0;
    if (t->search) {
        TRY(assignment_search(t->work, &problem, t->request->effort, &assignment));
        cells = assignment_cells(&problem, &assignment);
    }
    TRY(problem_bound(t->work, &problem, t->request->bound, cells, &least));
    if (t->lower_bound) *t->lower_bound = least;
    if (t->search) {
        bool unit_prices = true;
        for (int64_t key = 0; key < problem.keys; key++) unit_prices &= t->request->price[key] == 1;
        TRY(assignment_improve(t->work, &problem, t->request->effort, unit_prices ? least : 0, &assignment));
        if (least < assignment_cells(&problem, &assignment) && !problem_late(&problem)) {
            bool proven;
            TRY(assignment_exact(t->work, &problem, &assignment, &proven));
            if (proven && unit_prices && t->lower_bound) *t->lower_bound = assignment_cells(&problem, &assignment);
        }
        TRY(assignment_apply(t->work, &problem, &assignment, t->blank));
    }
done:
    return status;
}

Status suppress_cells(Work *work, const Request *request, uint64_t *blank, int64_t *lower_bound) {
    Task task = { work, request, blank, lower_bound, true };
    return work_with_arena(work, run_task, &task);
}

static int64_t rows_of(const Request *request) { return request->keys.count ? request->keys.at[0]->rows : 0; }

static int64_t cost_of_all(const Work *work, const Request *request, const uint64_t *blank) {
    int64_t cost = 0;
    for (int64_t i = 0; i < rows_of(request); i++)
        for (uint64_t left = blank[i]; left; left &= left - 1) cost += request->price[__builtin_ctzll(left)] * work_times(work, i);
    return cost;
}

/* The largest of the combinations' own bounds: blanks of one may serve another. */
static Status bound_all(Work *work, const Request *request, const Combinations *combinations, uint64_t *blank, int64_t *lower_bound) {
    Status status = OK;
    *lower_bound = 0;
    for (int64_t c = 0; c < combinations->count; c++) {
        Request one = *request;
        int64_t bound = 0;
        one.among = combinations->at[c].keys;
        one.k = combinations->at[c].k;
        Task task = { work, &one, blank, &bound, false };
        TRY(work_with_arena(work, run_task, &task));
        if (bound > *lower_bound) *lower_bound = bound;
    }
done:
    return status;
}

/* Each combination in turn, those of most keys first, until none needs a blank: blanks of one can leave a tuple of another too small. */
static Status in_turn(Work *work, const Request *request, const Combinations *combinations, uint64_t *blank) {
    Status status = OK;
    int64_t cost = -1;
    while (cost != cost_of_all(work, request, blank)) {
        cost = cost_of_all(work, request, blank);
        for (int64_t size = request->keys.count; size > 0; size--)
            for (int64_t c = 0; c < combinations->count; c++) {
                Request one = *request;
                if (__builtin_popcountll(combinations->at[c].keys) != size) continue;
                one.among = combinations->at[c].keys;
                one.k = combinations->at[c].k;
                one.effort = request->effort / combinations->count;
                TRY(suppress_cells(work, &one, blank, NULL));
            }
    }
done:
    return status;
}

Status suppress_combinations(Work *work, const Request *request, const Combinations *combinations, uint64_t *blank, int64_t *lower_bound) {
    Status status = OK;
    uint64_t *together = NULL;
    Request all = *request;
    all.among = 0;
    all.k = 0;
    for (int64_t c = 0; c < combinations->count; c++) {
        all.among |= combinations->at[c].keys;
        if (combinations->at[c].k > all.k) all.k = combinations->at[c].k;
    }
    if (combinations->count == 1) return suppress_cells(work, &all, blank, lower_bound);
    TRY(bound_all(work, request, combinations, blank, lower_bound));
    NEW(work, together, rows_of(request) + 1);
    memcpy(together, blank, (size_t)rows_of(request) * sizeof *together);
    TRY(in_turn(work, request, combinations, blank));
    TRY(suppress_cells(work, &all, together, NULL)); /* what is alike on all keys is alike on each combination */
    if (cost_of_all(work, request, together) < cost_of_all(work, request, blank))
        memcpy(blank, together, (size_t)rows_of(request) * sizeof *together);
done:
    arena_drop(work->arena, together);
    return status;
}
