/* Opening again: cells that are not needed, or that cheaper ones can stand in for. */
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "tabular/suppress/pattern.h"

static bool touches(const Pattern *pattern, const Demand *d, int32_t cell, int32_t *which) {
    for (int32_t i = 0; i < d->proofs; i++) {
        const Proof *p = &pattern->proof[d->proof[i]];
        for (int32_t k = 0; k < p->count; k++)
            if (proof_cell(pattern, p, k) == cell) {
                *which = i;
                return true;
            }
    }
    return false;
}

/* The demands whose proofs use a cell, and all their proofs, one demand's after another's: to go back to. */
typedef struct Undo {
    int64_t count, room, proof_room;
    struct {
        int32_t demand, proofs;
        int64_t at;
    } * of;
    int32_t *proof;
} Undo;

/* Takes the proofs that use the cell from their demands; the list of its users is then of these alone. */
static Status drop_proofs(Pattern *pattern, int32_t cell, Undo *undo) {
    Status status = OK;
    List *users = &pattern->users[cell];
    int64_t held = 0;
    int32_t which;
    undo->count = 0;
    for (int64_t u = 0; u < users->count; u++) {
        int32_t n = users->at[u];
        Demand *d = &pattern->demand[n];
        if (!touches(pattern, d, cell, &which)) continue;
        GROW(pattern->work, undo->of, undo->room, undo->count + 1);
        GROW(pattern->work, undo->proof, undo->proof_room, held + d->proofs + 1);
        undo->of[undo->count].demand = n;
        undo->of[undo->count].proofs = d->proofs;
        undo->of[undo->count].at = held;
        memcpy(undo->proof + held, d->proof, (size_t)d->proofs * sizeof *d->proof);
        held += d->proofs;
        users->at[undo->count++] = n;
        while (touches(pattern, d, cell, &which)) d->proof[which] = d->proof[--d->proofs];
    }
    users->count = undo->count;
done:
    return status;
}

static void go_back(Pattern *pattern, int32_t cell, const Undo *undo) {
    pattern_back(pattern);
    pattern->hidden[cell] = 1;
    for (int64_t u = 0; u < undo->count; u++) {
        Demand *d = &pattern->demand[undo->of[u].demand];
        d->proofs = undo->of[u].proofs;
        memcpy(d->proof, undo->proof + undo->of[u].at, (size_t)d->proofs * sizeof *d->proof);
    }
}

/* Are the hidden cells of all sums that the cell is in safe together? */
static Status sums_safe(Pattern *pattern, int32_t cell, bool *safe) {
    Status status = OK;
    const Memberships *member = &pattern->m->member;
    bool unsafe = false;
    for (int64_t k = member->start[cell]; k < member->start[cell + 1] && !unsafe; k++)
        TRY(relation_unsafe(pattern, member->relation[k], -1, &unsafe));
    *safe = !unsafe;
done:
    return status;
}

/* Opens a cell if what must be hidden in its place costs less. */
static Status try_open(Pattern *pattern, int32_t cell, Undo *undo, bool *better) {
    Status status = OK;
    double added = 0;
    bool met = true;
    TRY(drop_proofs(pattern, cell, undo));
    pattern_mark(pattern);
    pattern->hidden[cell] = 0;
    pattern->banned = cell;
    for (int64_t u = 0; u < undo->count && met; u++) {
        int32_t n = undo->of[u].demand;
        if (pattern_undeceived(pattern, &pattern->demand[n]) == NOBODY) continue;
        TRY(pattern_meet(pattern, n, pattern->cost[cell] * (1 - 1e-9), &added, &met));
    }
    if (met) TRY(sums_safe(pattern, cell, &met));
    *better = met && added < pattern->cost[cell] * (1 - 1e-9);
    if (*better) pattern->users[cell].count = 0;
    else go_back(pattern, cell, undo);
done:
    pattern->banned = -1;
    return status;
}

typedef struct {
    double cost;
    int32_t cell;
} Candidate;

static int dearest(const void *a, const void *b) {
    const Candidate *x = a, *y = b;
    if (x->cost != y->cost) return x->cost > y->cost ? -1 : 1;
    return (x->cell > y->cell) - (x->cell < y->cell);
}

enum { PUSHES_TO_OPEN = 4 }; /* times the demands, in a large table */

/* How many pushes over all cells opening may take: as many as there are demands, fewer where each takes long. */
static int64_t wide_pushes(const Pattern *pattern) {
    double size = (double)pattern->movables * (double)pattern->m->relations.count + 1;
    return 1 + (int64_t)((double)pattern->demands * fmin(1, 1e6 / size));
}

Status pattern_improve(Pattern *pattern, int passes) {
    Status status = OK;
    Undo undo = { 0 };
    Candidate *list = NULL;
    const int64_t most = pattern->wide + wide_pushes(pattern);
    const int64_t enough_pushes = pattern->large ? pattern->pushes + PUSHES_TO_OPEN * pattern->demands : INT64_MAX;
    NEW(pattern->work, list, pattern->m->cells + 1);
    pattern->opening = true;
    for (int pass = 0; pass < passes; pass++) {
        int64_t n = 0, opened = 0;
        for (int64_t i = 0; i < pattern->m->cells; i++)
            if (pattern->hidden[i] && pattern->m->status[i] != CELL_PRIMARY) list[n++] = (Candidate){ pattern->cost[i], (int32_t)i };
        qsort(list, (size_t)n, sizeof *list, dearest);
        for (int64_t k = 0; k < n && pattern->wide < most && pattern->pushes < enough_pushes; k++) {
            bool better = false;
            TRY(work_check(pattern->work));
            work_show(pattern->work, "opening", (double)k / (double)n);
            if (pattern->hidden[list[k].cell]) TRY(try_open(pattern, list[k].cell, &undo, &better));
            opened += better;
        }
        if (!opened) break;
    }
done:
    pattern->opening = false;
    return status;
}
