/* From a problem to the cells to blank, and from those to the new table. */
#include <string.h>
#include "protect/suppress/small.h"

enum { STEPS = 60 * 1000 * 1000 }; /* elementary steps spent on a small problem: a fraction of a second */

Status problem_improve(Work *work, Problem *problem, uint64_t *blank) {
    Status status = OK;
    Small small;
    bool fits;
    TRY(small_make(work, problem, blank, STEPS, &small, &fits));
    if (!fits) return OK;
    TRY(small_search(work, &small, problem->lower_bound));
    if (small.cells > problem->lower_bound) TRY(small_prove(work, &small, &problem->lower_bound));
    for (int64_t i = 0; i < small.records; i++) blank[small.row[i]] = small.set[i];
done:
    return status;
}

static int64_t read_blanks(const Problem *p, uint64_t *blank) {
    int64_t cells = 0;
    for (int64_t i = 0; i < p->rows; i++) {
        blank[i] = p->blanked[p->of[i]];
        cells += __builtin_popcountll(blank[i]);
    }
    return cells;
}

Status suppress_cells(Work *work, Problem *p, uint64_t *blank) {
    Status status = OK;
    if (p->unsafe) TRY(problem_alone(work, p));
    if (!p->own && p->unsafe) {
        TRY(problem_cover(work, p, blank));
        if (!problem_late(p)) TRY(problem_bound(work, p));
        TRY(problem_split(work, p, blank));
    }
    TRY(problem_solve_greedily(work, p));
    if (read_blanks(p, blank) > p->lower_bound && !problem_late(p)) TRY(problem_improve(work, p, blank));
done:
    return status;
}

Status suppress_apply(Work *work, const Table *table, Columns keys, const uint64_t *blank, Table **out) {
    Status status = OK;
    Column **changed = NULL;
    uint8_t *mask = NULL;
    int64_t count = 0;
    NEW(work, changed, keys.count);
    NEW(work, mask, table->rows);
    for (int64_t key = 0; key < keys.count; key++) {
        bool any = false;
        for (int64_t i = 0; i < table->rows; i++) {
            mask[i] = blank[i] >> key & 1;
            any |= mask[i];
        }
        if (any) TRY(column_blank(keys.at[key], mask, &changed[count++], work->error));
    }
    TRY(table_with(table, changed, count, out, work->error));
done:
    for (int64_t i = 0; i < count; i++) column_release(changed[i]);
    return status;
}
