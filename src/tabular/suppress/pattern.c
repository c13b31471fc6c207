/* Demands, proofs, and the cheapest cells to hide for them. */
#include "tabular/suppress/pattern.h"
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"

static bool knows(const Proof *proof, int32_t contributor) {
    for (int32_t k = 0; k < proof->knowers; k++)
        if (proof->knower[k] == contributor) return true;
    return false;
}

int32_t pattern_undeceived(const Pattern *pattern, const Demand *d) {
    if (!d->proofs) return -2;
    const Proof *first = &pattern->proof[d->proof[0]];
    int32_t own = pattern->sole ? pattern->sole[d->cell] : -1;
    for (int32_t k = 0; k < first->knowers; k++) {
        bool all = first->knower[k] != own;
        for (int32_t i = 1; i < d->proofs && all; i++) all = knows(&pattern->proof[d->proof[i]], first->knower[k]);
        if (all) return first->knower[k];
    }
    return -1;
}

/* A program's answer is whole to a part in a million. */
static double change(const Pattern *pattern, double x) { return pattern->m->whole && fabs(x - round(x)) < 1e-6 ? round(x) : x; }

bool pattern_allows(const Pattern *pattern, int32_t cell, double x) {
    return x <= pattern->high[cell] * (1 + 1e-9) + 1e-9 && -x <= pattern->low[cell] * (1 + 1e-9) + 1e-9;
}

static bool move_allowed(const Pattern *pattern, const Move *move, double sign) {
    for (int64_t k = 0; k < move->count; k++)
        if (!pattern_allows(pattern, move->cell[k], change(pattern, sign * move->x[k]))) return false;
    return true;
}

static Status add_proof(Pattern *pattern, const Move *move, double sign, int32_t *out) {
    Status status = OK;
    GROW(pattern->work, pattern->proof, pattern->proof_room, pattern->proofs + 1);
    Proof *p = &pattern->proof[pattern->proofs];
    *p = (Proof){ .count = (int32_t)move->count };
    NEW(pattern->work, p->cell, move->count + 1);
    NEW(pattern->work, p->x, move->count + 1);
    NEW(pattern->work, p->knower, move->count + 1);
    for (int64_t k = 0; k < move->count; k++) {
        p->cell[k] = move->cell[k];
        p->x[k] = change(pattern, sign * move->x[k]);
        int32_t who = pattern->sole ? pattern->sole[move->cell[k]] : -1;
        if (who >= 0 && !knows(p, who)) p->knower[p->knowers++] = who;
    }
    *out = (int32_t)pattern->proofs++;
done:
    return status;
}

static Status note_user(Work *work, Users *users, int64_t demand) {
    Status status = OK;
    if (users->count && users->demand[users->count - 1] == demand) return OK;
    GROW(work, users->demand, users->room, users->count + 1);
    users->demand[users->count++] = demand;
done:
    return status;
}

static Status give_proof(Pattern *pattern, Demand *d, int32_t proof) {
    Status status = OK;
    int64_t room = d->room;
    for (int32_t i = 0; i < d->proofs; i++)
        if (d->proof[i] == proof) return OK;
    GROW(pattern->work, d->proof, room, d->proofs + 1);
    d->room = (int32_t)room;
    d->proof[d->proofs++] = proof;
    const Proof *p = &pattern->proof[proof];
    TRY(note_user(pattern->work, &pattern->given, d - pattern->demand));
    for (int32_t k = 0; k < p->count; k++)
        if (pattern->m->status[p->cell[k]] != CELL_PRIMARY) TRY(note_user(pattern->work, &pattern->users[p->cell[k]], d - pattern->demand));
done:
    return status;
}

/* Whatever other demands the move answers, it answers. */
static Status share_proof(Pattern *pattern, int32_t proof) {
    Status status = OK;
    const Proof p = pattern->proof[proof];
    for (int32_t k = 0; k < p.count; k++) {
        int64_t at = pattern->demand_at[2 * p.cell[k] + (p.x[k] > 0)];
        if (at && demand_met(&pattern->demand[at - 1], p.x[k]) && pattern_undeceived(pattern, &pattern->demand[at - 1]) != -1)
            TRY(give_proof(pattern, &pattern->demand[at - 1], proof));
    }
done:
    return status;
}

/* The move and, where bounds allow, its opposite. */
static Status keep_move(Pattern *pattern, const Move *move) {
    Status status = OK;
    for (int sign = 1; sign >= -1; sign -= 2) {
        int32_t proof;
        if (!move_allowed(pattern, move, sign)) continue;
        TRY(add_proof(pattern, move, sign, &proof));
        TRY(share_proof(pattern, proof));
    }
done:
    return status;
}

/* ---- pushing ---- */

static double clip(double x) { return fmin(fmax(x, 1e-2), 1e4); }

/* What moving a cell by one costs, in units of a typical cell. What is hidden already costs next to nothing, so that moves stay short. */
static double unit_cost(const Pattern *pattern, int32_t i, double room, double need, double typical) {
    return pattern->hidden[i] ? 1e-4 : room > 0 ? clip(pattern->cost[i] / fmin(room, need) / typical) : 1;
}

static void set_costs(const Pattern *pattern, Mover *mover, const int32_t *cells, int64_t count, double need) {
    double sum = 0;
    int64_t n = 0;
    for (int64_t k = 0; k < count; k++)
        if (!pattern->hidden[cells[k]]) {
            sum += log(pattern->cost[cells[k]] / need);
            n++;
        }
    double typical = n ? exp(sum / (double)n) : 1;
    for (int64_t k = 0; k < count; k++)
        mover_cost(mover, cells[k], unit_cost(pattern, cells[k], pattern->high[cells[k]], need, typical),
                   unit_cost(pattern, cells[k], pattern->low[cells[k]], need, typical));
}

/* Cells that stay as they are for this push: those that the contributor knows, the banned one, open ones where none may be hidden. */
static bool stays(const Pattern *pattern, int32_t i, int32_t who) {
    return !pattern->may[i] || i == pattern->banned || (who >= 0 && pattern->sole[i] == who) ||
           (pattern->hidden_only && !pattern->hidden[i]);
}

static int by_number(const void *a, const void *b) {
    return (*(const int32_t *)a > *(const int32_t *)b) - (*(const int32_t *)a < *(const int32_t *)b);
}

/* A relation's hidden cells and its cheapest open ones. */
static int64_t walk_relation(Pattern *pattern, int32_t relation, int32_t who, int64_t count, int64_t most) {
    const Relations *r = &pattern->m->relations;
    int open = 4, closed = 24;
    for (int64_t k = r->start[relation]; k < r->start[relation + 1] && count < most && (open || closed); k++) {
        int32_t i = pattern->ranked[k];
        if (pattern->seen_cell[i] == pattern->seen || stays(pattern, i, who)) continue;
        int *left = pattern->hidden[i] ? &closed : &open;
        if (!*left) continue;
        --*left;
        pattern->seen_cell[i] = pattern->seen;
        pattern->near[count++] = i;
    }
    return count;
}

/* Cells around one: through its relations, on through those of the cells found, until there are enough. */
static int64_t walk(Pattern *pattern, int32_t cell, int32_t who, int64_t most) {
    const Memberships *member = &pattern->m->member;
    int64_t count = 1;
    pattern->seen++;
    pattern->near[0] = cell;
    pattern->seen_cell[cell] = pattern->seen;
    for (int64_t at = 0; at < count && count < most; at++)
        for (int64_t k = member->start[pattern->near[at]]; k < member->start[pattern->near[at] + 1]; k++) {
            if (pattern->seen_relation[member->relation[k]] == pattern->seen) continue;
            pattern->seen_relation[member->relation[k]] = pattern->seen;
            count = walk_relation(pattern, member->relation[k], who, count, most);
        }
    qsort(pattern->near, (size_t)count, sizeof *pattern->near, by_number);
    return count;
}

static Status push_near(Pattern *pattern, const Demand *d, int32_t who, int64_t most, Mover **mover, Move *move) {
    Status status = OK;
    int64_t count = walk(pattern, d->cell, who, most);
    TRY(mover_new(pattern->work, &pattern->m->member, pattern->near, count, pattern->low, pattern->high, mover));
    set_costs(pattern, *mover, pattern->near, count, d->need);
    pattern->pushes++;
    TRY(mover_push(*mover, d->cell, d->up, d->need, 1e7, move));
done:
    return status;
}

static Status push_all(Pattern *pattern, const Demand *d, int32_t who, Move *move) {
    Status status = OK;
    if (!pattern->all) {
        TRY(mover_new(pattern->work, &pattern->m->member, pattern->movable, pattern->movables, pattern->low, pattern->high, &pattern->all));
        TRY(mover_shorten(pattern->work, pattern->all));
    }
    for (int64_t k = 0; k < pattern->movables; k++) {
        int32_t i = pattern->movable[k];
        bool off = stays(pattern, i, who);
        mover_bounds(pattern->all, i, off ? 0 : pattern->low[i], off ? 0 : pattern->high[i]);
    }
    set_costs(pattern, pattern->all, pattern->movable, pattern->movables, d->need);
    pattern->pushes++;
    TRY(mover_push(pattern->all, d->cell, d->up, d->need, 1e7, move));
done:
    return status;
}

static bool reached(const Move *move, const Demand *d) { return move->state == LP_OPTIMAL && move->reach >= d->need * (1 - 1e-7); }

/* What is newly hidden for the move costs this much. */
static double price(const Pattern *pattern, const Move *move) {
    double sum = 0;
    for (int64_t k = 0; k < move->count; k++) sum += pattern->hidden[move->cell[k]] ? 0 : pattern->cost[move->cell[k]];
    return sum;
}

static Status hide(Pattern *pattern, int32_t cell) {
    if (pattern->hidden[cell]) return OK;
    pattern->hidden[cell] = 1;
    return note_user(pattern->work, &pattern->newly, cell);
}

/* ---- corners ---- */

enum { WHOLE_NODES = 500, FEW_NODES = 20 }; /* of a search for whole moves: where nothing else is left, and where cells could be hidden */
enum { HIDDEN_NEAR = 600, SOON = 150 };     /* cells; up to which a search of few nodes takes little */

typedef struct Corner {
    const Pattern *pattern;
    int32_t who;
} Corner;
static double corner_price(void *self, int32_t cell, double x) {
    const Corner *c = self;
    const double *bound = x > 0 ? c->pattern->high : c->pattern->low;
    if (stays(c->pattern, cell, c->who) || fabs(x) > bound[cell] * (1 + 1e-9)) return INFINITY;
    return c->pattern->hidden[cell] ? 0 : c->pattern->cost[cell];
}

/* The cheapest corners of a box that answer the demand, for less than `most`. */
static bool push_corners(Pattern *pattern, const Demand *d, int32_t who, double most, Move *move) {
    Corner corner = { pattern, who };
    CubeAsk ask = { &corner, corner_price, most, 1000 };
    CubeMove found;
    double x = pattern->m->whole ? ceil(d->need * (1 - 1e-9)) : d->need;
    if (!pattern->cubes) return false;
    pattern->pushes++;
    cube_find(pattern->cubes, d->cell, d->up ? x : -x, &ask, &found);
    ask.boxes = 200000;
    if (!found.count && !pattern->opening) cube_find(pattern->cubes, d->cell, d->up ? x : -x, &ask, &found);
    *move = (Move){ .state = LP_OPTIMAL, .reach = x, .count = found.count, .cell = found.cell, .x = found.x };
    return found.count > 0;
}

static bool is_whole(const Move *move) {
    for (int64_t k = 0; k < move->count; k++)
        if (fabs(move->x[k] - round(move->x[k])) >= 1e-6) return false;
    return true;
}

enum { MOST_TIMES = 6 };

/* A move of halves or thirds is a whole one twice or three times over, if bounds leave room for that; of the same cells, for the same
 * price.
 */
static bool go_on(Pattern *pattern, Move *move) {
    for (int times = 2; times <= MOST_TIMES; times++) {
        bool good = true;
        for (int64_t k = 0; k < move->count && good; k++) {
            double x = pattern->times[k] = times * move->x[k];
            good = fabs(x - round(x)) < 1e-6 && pattern_allows(pattern, move->cell[k], round(x));
        }
        if (!good) continue;
        move->x = pattern->times;
        move->reach *= times;
        return true;
    }
    return false;
}

/* Counts move by whole steps: where the program's answer is none, several times that, corners of a box, or, if there is nothing else, a
 * search, which takes long. */
static Status push_whole(Pattern *pattern, const Demand *d, int32_t who, Mover *mover, int64_t nodes, Move *move, bool *found) {
    Status status = OK;
    *found = go_on(pattern, move) || push_corners(pattern, d, who, INFINITY, move);
    if (*found || !nodes) return OK;
    pattern->pushes++;
    TRY(mover_push_whole(mover, d->cell, d->up, ceil(d->need * (1 - 1e-9)), 1e7, nodes, move));
    *found = reached(move, d);
    pattern->cut |= !*found;
done:
    return status;
}

/* By what is hidden already, for which nothing is paid. */
static Status push_hidden(Pattern *pattern, const Demand *d, int32_t who, Mover **mover, Move *move, bool *found) {
    const bool cut = pattern->cut;
    pattern->hidden_only = true;
    Status status = push_near(pattern, d, who, HIDDEN_NEAR, mover, move);
    if (!status) *found = reached(move, d);
    if (*found && pattern->m->whole && !is_whole(move))
        status = push_whole(pattern, d, who, *mover, mover_cells(*mover) <= SOON ? FEW_NODES : 0, move, found);
    pattern->hidden_only = false;
    pattern->cut = cut;
    return status;
}

/* By a linear program over the cells around the demand, over more of them, over all. */
static Status push_program(Pattern *pattern, const Demand *d, int32_t who, Mover **mover, Move *move, bool *found) {
    Status status = OK;
    static const int64_t sizes[] = { 120, 600, 4000, INT64_MAX };
    if (!pattern->hidden_only) TRY(push_hidden(pattern, d, who, mover, move, found));
    for (int s = 0; s < 4 && !*found; s++) {
        bool whole = sizes[s] >= pattern->movables;
        if (sizes[s] == 4000 && !whole && !pattern->large) continue;
        pattern->wide += whole && s > 0;
        pattern_drop_mover(pattern, mover);
        if (whole) TRY(push_all(pattern, d, who, move));
        else TRY(push_near(pattern, d, who, sizes[s], mover, move));
        *found = reached(move, d);
        if (whole && !*found) break;
        if (*found && pattern->m->whole && !is_whole(move))
            TRY(push_whole(pattern, d, who, whole ? pattern->all : *mover, WHOLE_NODES, move, found));
    }
done:
    return status;
}

/* One move that answers the demand and that contributor `who` cannot see through; nothing where there is none or it costs more than `most`.
 */
static Status find_move(Pattern *pattern, int64_t number, int32_t who, double most, double *added, bool *found) {
    Status status = OK;
    Mover *mover = NULL;
    Move move = { 0 };
    const Demand *d = &pattern->demand[number];
    *found = pattern->large && push_corners(pattern, d, who, most - *added, &move);
    if (!*found && pattern->large && pattern->opening) goto done;
    if (!*found) TRY(push_program(pattern, d, who, &mover, &move, found));
    if (!*found) goto done;
    *added += price(pattern, &move);
    if (*added > most) {
        *found = false;
        goto done;
    }
    for (int64_t k = 0; k < move.count; k++) TRY(hide(pattern, move.cell[k]));
    int32_t before = pattern->demand[number].proofs;
    TRY(keep_move(pattern, &move));
    *found = pattern->demand[number].proofs > before;
done:
    pattern_drop_mover(pattern, &mover);
    return status;
}

/* Moves until the demand is met; *added: what the newly hidden cells cost, no more than `most`. *met: whether it is. */
static Status meet(Pattern *pattern, int64_t number, double most, double *added, bool *met) {
    Status status = OK;
    for (int32_t who; (who = pattern_undeceived(pattern, &pattern->demand[number])) != -1;) {
        TRY(find_move(pattern, number, who, most, added, met));
        if (!*met) goto done;
    }
    *met = true;
done:
    return status;
}

static Status cannot(Pattern *pattern, int64_t number) {
    fail(pattern->work->error, REFUSED, "a primary cell %s even with every other cell hidden: %s",
         pattern->cut ? "could not be proven safe by whole numbers" : "cannot be protected",
         model_cell_name(pattern->work, pattern->m, pattern->demand[number].cell));
    return error_advice(
        pattern->work->error,
        "Merge categories, allow cells that --keep holds open or that are known (lower and upper of 0), or lower its protection.");
}

Status pattern_protect(Pattern *pattern) {
    Status status = OK;
    double added = 0;
    bool met;
    for (int64_t d = 0; d < pattern->demands; d++) {
        if (pattern_undeceived(pattern, &pattern->demand[d]) == -1) continue;
        TRY(work_check(pattern->work));
        work_show(pattern->work, "hiding", (double)d / (double)pattern->demands);
        TRY(meet(pattern, d, INFINITY, &added, &met));
        if (!met) TRY(cannot(pattern, d));
    }
done:
    return status;
}

/* ---- improving ---- */

static bool touches(const Pattern *pattern, const Demand *d, int32_t cell, int32_t *which) {
    for (int32_t i = 0; i < d->proofs; i++) {
        const Proof *p = &pattern->proof[d->proof[i]];
        for (int32_t k = 0; k < p->count; k++)
            if (p->cell[k] == cell) {
                *which = i;
                return true;
            }
    }
    return false;
}

/* How the pattern stood, to go back to. */
typedef struct Undo {
    int64_t count, room, given;
    struct {
        int64_t demand;
        int32_t proofs;
        int32_t *proof;
    } * at;
    int64_t newly;
    int32_t cell;
} Undo;

static Status drop_proofs(Pattern *pattern, int32_t cell, Undo *undo) {
    Status status = OK;
    int32_t which;
    undo->count = 0;
    undo->given = pattern->given.count;
    for (int64_t u = 0; u < pattern->users[cell].count; u++) {
        int64_t n = pattern->users[cell].demand[u];
        Demand *d = &pattern->demand[n];
        if (!touches(pattern, d, cell, &which)) continue;
        GROW(pattern->work, undo->at, undo->room, undo->count + 1);
        undo->at[undo->count].demand = n;
        undo->at[undo->count].proofs = d->proofs;
        undo->at[undo->count].proof = NULL;
        NEW(pattern->work, undo->at[undo->count].proof, d->proofs);
        memcpy(undo->at[undo->count++].proof, d->proof, (size_t)d->proofs * sizeof *d->proof);
        while (touches(pattern, d, cell, &which)) d->proof[which] = d->proof[--d->proofs];
    }
done:
    return status;
}

static void go_back(Pattern *pattern, const Undo *undo) {
    for (int64_t k = undo->newly; k < pattern->newly.count; k++) pattern->hidden[pattern->newly.demand[k]] = 0;
    pattern->newly.count = undo->newly;
    pattern->hidden[undo->cell] = 1;
    for (int64_t u = 0; u < undo->count; u++) {
        Demand *d = &pattern->demand[undo->at[u].demand];
        d->proofs = undo->at[u].proofs;
        memcpy(d->proof, undo->at[u].proof, (size_t)d->proofs * sizeof *d->proof);
    }
    /* demands that gained a proof since then may lean on cells that open again: such proofs are dropped */
    for (int64_t g = undo->given; g < pattern->given.count; g++) {
        Demand *d = &pattern->demand[pattern->given.demand[g]];
        for (int32_t i = 0; i < d->proofs; i++) {
            const Proof *p = &pattern->proof[d->proof[i]];
            bool stands = true;
            for (int32_t k = 0; k < p->count && stands; k++) stands = pattern->hidden[p->cell[k]];
            if (!stands) d->proof[i--] = d->proof[--d->proofs];
        }
    }
}

/* Opens a cell if what must be hidden in its place costs less. */
static Status try_open(Pattern *pattern, int32_t cell, Undo *undo, bool *better) {
    Status status = OK;
    double added = 0;
    bool met = true;
    undo->newly = pattern->newly.count;
    undo->cell = cell;
    TRY(drop_proofs(pattern, cell, undo));
    pattern->hidden[cell] = 0;
    pattern->banned = cell;
    for (int64_t u = 0; u < undo->count && met; u++) {
        int64_t n = undo->at[u].demand;
        if (pattern_undeceived(pattern, &pattern->demand[n]) == -1) continue;
        TRY(meet(pattern, n, pattern->cost[cell] * (1 - 1e-9), &added, &met));
    }
    *better = met && added < pattern->cost[cell] * (1 - 1e-9);
    if (!*better) go_back(pattern, undo);
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

/* ---- judging ---- */

void pattern_forget(Pattern *pattern) {
    for (int64_t d = 0; d < pattern->demands; d++) pattern->demand[d].proofs = 0;
    pattern->proofs = 0;
}

/* Programs of these cells alone from now on: those that are hidden, or all that may be. */
static void set_movable(Pattern *pattern, bool hidden_only) {
    pattern->hidden_only = hidden_only;
    if (!pattern->large) return; /* a small program is soon told that the others stay */
    pattern_drop_mover(pattern, &pattern->all);
    pattern->movables = 0;
    for (int64_t i = 0; i < pattern->m->cells; i++)
        if (pattern->may[i] && (!hidden_only || pattern->hidden[i])) pattern->movable[pattern->movables++] = (int32_t)i;
}

Status pattern_prove(Pattern *pattern, int64_t *failing) {
    Status status = OK;
    double added = 0;
    uint8_t *bad = NULL;
    *failing = 0;
    NEW(pattern->work, bad, pattern->m->cells + 1);
    set_movable(pattern, true);
    for (int64_t d = 0; d < pattern->demands; d++) {
        bool met = false;
        int32_t cell = pattern->demand[d].cell;
        if (pattern->hidden[cell]) TRY(meet(pattern, d, INFINITY, &added, &met));
        if (!met && !bad[cell]) {
            bad[cell] = 1;
            ++*failing;
        }
    }
done:
    set_movable(pattern, false);
    return status;
}
