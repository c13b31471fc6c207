/* The cheapest moves that answer demands, and the cells to hide for them. */
#include "tabular/suppress/pattern.h"
#include <stdlib.h>
#include <string.h>
#include "base/compare.h"
#include "base/elementary.h"
#include "base/extremes.h"

/* ---- pushing ---- */

static double clip(double x) { return smaller(larger(x, 1e-2), 1e4); }

/* What moving a cell by one costs, in units of a typical cell. What is hidden already costs next to nothing, so that moves stay short. */
static double unit_cost(const Pattern *pattern, int32_t i, double room, double need, double typical) {
    return pattern->hidden[i] ? 1e-4 : room > 0 ? clip(pattern->cost[i] / fmin(room, need) / typical) : 1;
}

static void set_costs(const Pattern *pattern, AttackerProblem *mover, const int32_t *cells, int64_t count, double need) {
    double sum = 0;
    int64_t n = 0;
    for (int64_t k = 0; k < count; k++)
        if (!pattern->hidden[cells[k]]) {
            sum += log(pattern->cost[cells[k]] / need);
            n++;
        }
    double typical = n ? exp(sum / (double)n) : 1;
    for (int64_t k = 0; k < count; k++)
        attacker_cost(mover, cells[k], unit_cost(pattern, cells[k], pattern->high[cells[k]], need, typical),
                      unit_cost(pattern, cells[k], pattern->low[cells[k]], need, typical));
}

/* One way to answer a demand: the cell up (or down) by `need`, as the present reader of the pattern knows the cells. */
typedef struct Ask {
    int32_t cell;
    bool up;
    double need;
} Ask;

/* Cells that stay as they are for this push: those that the reader knows, the banned one, open ones where none may be hidden. */
static bool stays(const Pattern *pattern, int32_t i) {
    return !pattern->may[i] || i == pattern->banned || (pattern->low[i] <= 0 && pattern->high[i] <= 0) ||
           (pattern->hidden_only && !pattern->hidden[i]);
}

/* Can the cell change by x, as the reader knows it? */
static bool fits(const Pattern *pattern, int32_t cell, double x) {
    return x <= pattern->high[cell] * (1 + 1e-9) + 1e-9 && -x <= pattern->low[cell] * (1 + 1e-9) + 1e-9;
}

/* A relation's hidden cells and its cheapest open ones: of both some that can go down, since many a count is 1 and cannot. */
static int64_t walk_relation(Pattern *pattern, int32_t relation, int64_t count, int64_t most) {
    const Relations *r = &pattern->m->relations;
    int left[2][2] = { { 3, 4 }, { 12, 24 } }; /* open or hidden; can it go down? */
    for (int64_t k = r->start[relation]; k < r->start[relation + 1] && count < most; k++) {
        int32_t i = pattern->ranked[k];
        if (pattern->seen_cell[i] == pattern->seen || stays(pattern, i)) continue;
        int *quota = &left[pattern->hidden[i]][pattern->low[i] > 0];
        if (!*quota) {
            if (left[0][0] + left[0][1] + left[1][0] + left[1][1] == 0) break;
            continue;
        }
        --*quota;
        pattern->seen_cell[i] = pattern->seen;
        pattern->near[count++] = i;
    }
    return count;
}

/* Cells around one: through its relations, on through those of the cells found, until there are enough. */
static int64_t walk(Pattern *pattern, int32_t cell, int64_t most) {
    const Memberships *member = &pattern->m->member;
    int64_t count = 1;
    pattern->seen++;
    pattern->near[0] = cell;
    pattern->seen_cell[cell] = pattern->seen;
    for (int64_t at = 0; at < count && count < most; at++)
        for (int64_t k = member->start[pattern->near[at]]; k < member->start[pattern->near[at] + 1]; k++) {
            if (pattern->seen_relation[member->relation[k]] == pattern->seen) continue;
            pattern->seen_relation[member->relation[k]] = pattern->seen;
            count = walk_relation(pattern, member->relation[k], count, most);
        }
    qsort(pattern->near, (size_t)count, sizeof *pattern->near, ascending_int32);
    return count;
}

static Status push_near(Pattern *pattern, const Ask *d, int64_t most, AttackerProblem **mover, Move *move) {
    Status status = OK;
    int64_t count = walk(pattern, d->cell, most);
    TRY(attacker_new(pattern->work, &pattern->m->member, pattern->near, count, pattern->low, pattern->high, mover));
    set_costs(pattern, *mover, pattern->near, count, d->need);
    pattern->pushes++;
    TRY(attacker_push(*mover, d->cell, d->up, d->need, 1e7, move));
done:
    return status;
}

static Status push_all(Pattern *pattern, const Ask *d, Move *move) {
    Status status = OK;
    if (!pattern->all) {
        TRY(attacker_new(pattern->work, &pattern->m->member, pattern->movable, pattern->movables, pattern->low, pattern->high,
                         &pattern->all));
        TRY(attacker_shorten(pattern->work, pattern->all));
    }
    for (int64_t k = 0; k < pattern->movables; k++) {
        int32_t i = pattern->movable[k];
        bool off = stays(pattern, i);
        attacker_bounds(pattern->all, i, off ? 0 : pattern->low[i], off ? 0 : pattern->high[i]);
    }
    set_costs(pattern, pattern->all, pattern->movable, pattern->movables, d->need);
    pattern->pushes++;
    TRY(attacker_push(pattern->all, d->cell, d->up, d->need, 1e7, move));
done:
    return status;
}

static bool reached(const Move *move, const Ask *d) { return move->state == LP_OPTIMAL && is_reached(move->reach, d->need); }

/* What is newly hidden for the move costs this much. */
static double price(const Pattern *pattern, const Move *move) {
    double sum = 0;
    for (int64_t k = 0; k < move->count; k++) sum += pattern->hidden[move->cell[k]] ? 0 : pattern->cost[move->cell[k]];
    return sum;
}

/* ---- corners ---- */

enum { MOST_JUDGED = 30000 };               /* hidden cells of one program: more take hours */
enum { WHOLE_NODES = 500, FEW_NODES = 20 }; /* of a search for whole moves: where nothing else is left, and where cells could be hidden */
enum { MANY_CELLS = 16000 };                /* a program of all of them takes long: one of 4,000 is tried before */
enum { HIDDEN_NEAR = 600, SOON = 150 };     /* cells; up to which a search of few nodes takes little */

static double corner_price(void *self, int32_t cell, double x) {
    const Pattern *pattern = self;
    const double *bound = x > 0 ? pattern->high : pattern->low;
    if (stays(pattern, cell) || fabs(x) > bound[cell] * (1 + 1e-9)) return INFINITY;
    return pattern->hidden[cell] ? 0 : pattern->cost[cell];
}

/* Cells that stand for several hidden ones change with them. */
static void complete_corners(Pattern *pattern, const CubeMove *found, Move *move) {
    const Model *m = pattern->m;
    const int64_t sums = m->cells - m->table->rows, first = m->relations.count - sums;
    int64_t n = found->count;
    memcpy(pattern->corner_cell, found->cell, (size_t)n * sizeof *found->cell);
    memcpy(pattern->corner_x, found->x, (size_t)n * sizeof *found->x);
    for (int64_t k = 0; k < found->count && sums; k++)
        for (int64_t e = m->member.start[found->cell[k]]; e < m->member.start[found->cell[k] + 1]; e++) {
            int64_t at = found->count, v = m->table->rows + m->member.relation[e] - first;
            if (m->member.relation[e] < first) continue;
            while (at < n && pattern->corner_cell[at] != v) at++;
            if (at == n) pattern->corner_x[n++] = 0;
            pattern->corner_cell[at] = (int32_t)v;
            pattern->corner_x[at] += found->x[k];
        }
    *move = (Move){ .state = LP_OPTIMAL, .cell = pattern->corner_cell, .x = pattern->corner_x };
    for (int64_t k = 0; k < n; k++) {
        if (pattern->corner_x[k] == 0) continue;
        pattern->corner_cell[move->count] = pattern->corner_cell[k];
        pattern->corner_x[move->count++] = pattern->corner_x[k];
    }
}

/* The cheapest corners of a box that answer the demand, for less than `most`. */
static bool push_corners(Pattern *pattern, const Ask *d, double most, Move *move) {
    CubeAsk ask = { pattern, corner_price, most, 1000 };
    CubeMove found;
    double x = pattern->m->whole ? ceil(d->need * (1 - 1e-9)) : d->need;
    if (!pattern->cubes || d->cell >= pattern->m->table->rows) return false;
    pattern->pushes++;
    cube_find(pattern->cubes, d->cell, d->up ? x : -x, &ask, &found);
    ask.boxes = 200000;
    if (!found.count && !pattern->opening) cube_find(pattern->cubes, d->cell, d->up ? x : -x, &ask, &found);
    if (found.count) complete_corners(pattern, &found, move);
    move->reach = x;
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
            good = fabs(x - round(x)) < 1e-6 && fits(pattern, move->cell[k], round(x));
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
static Status push_whole(Pattern *pattern, const Ask *d, AttackerProblem *mover, int64_t nodes, Move *move, bool *found) {
    Status status = OK;
    *found = go_on(pattern, move) || push_corners(pattern, d, INFINITY, move);
    if (*found || !nodes) return OK;
    pattern->pushes++;
    TRY(attacker_push_whole(mover, d->cell, d->up, ceil(d->need * (1 - 1e-9)), 1e7, nodes, move));
    *found = reached(move, d);
    pattern->cut |= !*found;
done:
    return status;
}

/* By what is hidden already, for which nothing is paid. */
static Status push_hidden(Pattern *pattern, const Ask *d, AttackerProblem **mover, Move *move, bool *found) {
    const bool cut = pattern->cut;
    pattern->hidden_only = true;
    Status status = push_near(pattern, d, HIDDEN_NEAR, mover, move);
    if (!status) *found = reached(move, d);
    if (*found && pattern->m->whole && !is_whole(move))
        status = push_whole(pattern, d, *mover, attacker_cells(*mover) <= SOON ? FEW_NODES : 0, move, found);
    pattern->hidden_only = false;
    pattern->cut = cut;
    return status;
}

/* By a linear program over the cells around the demand, over more of them, over all. */
static Status push_program(Pattern *pattern, const Ask *d, AttackerProblem **mover, Move *move, bool *found) {
    Status status = OK;
    static const int64_t sizes[] = { 120, 600, 4000, INT64_MAX };
    if (!pattern->hidden_only) TRY(push_hidden(pattern, d, mover, move, found));
    for (int s = 0; s < 4 && !*found; s++) {
        bool whole = sizes[s] >= pattern->movables;
        if (pattern->near_only && s > (whole ? 0 : 1)) break;
        if (pattern->hidden_only && whole && pattern->movables > MOST_JUDGED) break;
        if (sizes[s] == 4000 && !whole && !pattern->large && pattern->movables < MANY_CELLS) continue;
        pattern->wide += whole && s > 0;
        pattern_drop_mover(pattern, mover);
        if (whole) TRY(push_all(pattern, d, move));
        else TRY(push_near(pattern, d, sizes[s], mover, move));
        *found = reached(move, d);
        if (whole && !*found) break;
        if (*found && pattern->m->whole && !is_whole(move))
            TRY(push_whole(pattern, d, whole ? pattern->all : *mover, WHOLE_NODES, move, found));
    }
done:
    return status;
}

/* The cheapest move that was found one way; nothing where there is none or it costs more than `most`. */
static Status find_way(Pattern *pattern, const Ask *ask, double most, AttackerProblem **mover, Move *move, bool *found) {
    Status status = OK;
    *found = pattern->large && push_corners(pattern, ask, most, move);
    if (!*found && pattern->large && pattern->opening) return OK;
    if (!*found) TRY(push_program(pattern, ask, mover, move, found));
    *found = *found && price(pattern, move) <= most;
done:
    return status;
}

/* A copy that outlives the mover, until the next one. */
static void put_aside(Pattern *pattern, Move *move) {
    memcpy(pattern->aside_cell, move->cell, (size_t)move->count * sizeof *move->cell);
    memcpy(pattern->aside_x, move->x, (size_t)move->count * sizeof *move->x);
    move->cell = pattern->aside_cell;
    move->x = pattern->aside_x;
}

/* Up or down, where either will do the cheaper one. */
static Status find_ways(Pattern *pattern, const Demand *d, double need, double most, AttackerProblem **mover, Move *move, bool *found) {
    Status status = OK;
    Ask ask = { d->cell, d->way != WAY_DOWN, need };
    Move up;
    bool up_found = false;
    double up_price = most;
    TRY(find_way(pattern, &ask, most, mover, move, found));
    bool room = pattern->low[d->cell] >= need * (1 - 1e-7);
    if (d->way != WAY_EITHER || !room || (*found && price(pattern, move) <= 0)) return OK;
    up = *move;
    if ((up_found = *found)) {
        up_price = price(pattern, move);
        put_aside(pattern, &up);
    }
    pattern_drop_mover(pattern, mover);
    ask.up = false;
    TRY(find_way(pattern, &ask, up_found ? up_price * (1 - 1e-9) : most, mover, move, found));
    if (*found || !up_found) goto done;
    *move = up;
    *found = true;
done:
    return status;
}

/* In tables of many cells, where those around the cell do not suffice: corners of a box, one way or the other. */
static bool find_corners(Pattern *pattern, const Demand *d, double need, double most, Move *move) {
    if (pattern->movables < MANY_CELLS || pattern->opening || pattern->hidden_only) return false;
    for (int up = d->way != WAY_DOWN; up >= (d->way == WAY_UP); up--)
        if (push_corners(pattern, &(Ask){ d->cell, up, need }, most, move)) return true;
    return false;
}

/* Both ways around the cell first: programs over all cells take long. */
static Status find_cheapest(Pattern *pattern, const Demand *d, double need, double most, AttackerProblem **mover, Move *move, bool *found) {
    Status status = OK;
    const bool near_only = pattern->near_only;
    pattern->near_only = true;
    status = find_ways(pattern, d, need, most, mover, move, found);
    pattern->near_only = near_only;
    if (status || *found || near_only) return status;
    if ((*found = find_corners(pattern, d, need, most, move))) return OK;
    pattern_drop_mover(pattern, mover);
    return find_ways(pattern, d, need, most, mover, move, found);
}

/* One move that answers the demand for this reader; nothing where there is none or it costs more than `most`. */
static Status find_move(Pattern *pattern, int64_t number, int32_t who, double most, double *added, bool *found) {
    Status status = OK;
    AttackerProblem *mover = NULL;
    Move move = { 0 };
    const Demand *d = &pattern->demand[number];
    pattern_read_as(pattern, who == OUTSIDER ? -1 : who);
    status = find_cheapest(pattern, d, demand_need(pattern, d, who), most - *added, &mover, &move, found);
    pattern_read_as(pattern, -1);
    TRY(status);
    if (!*found) goto done;
    *added += price(pattern, &move);
    for (int64_t k = 0; k < move.count; k++) TRY(pattern_hide(pattern, move.cell[k]));
    TRY(pattern_keep_move(pattern, &move));
    *found = pattern_undeceived(pattern, &pattern->demand[number]) != who;
done:
    pattern_drop_mover(pattern, &mover);
    return status;
}

Status pattern_meet(Pattern *pattern, int64_t number, double most, double *added, bool *met) {
    Status status = OK;
    for (int32_t who; (who = pattern_undeceived(pattern, &pattern->demand[number])) != NOBODY;) {
        TRY(find_move(pattern, number, who, most, added, met));
        if (!*met) goto done;
    }
    *met = true;
done:
    return status;
}

/* ---- hidden cells of one sum ---- */

Status relation_unsafe(Pattern *pattern, int64_t relation, int32_t also, bool *unsafe) {
    Status status = OK;
    const Model *m = pattern->m;
    const Relations *r = &m->relations;
    Unions *u = &pattern->unions;
    int64_t count = 0;
    int broken = 0;
    *unsafe = false;
    if (!u->rules) return OK;
    const double sign = relation_part_sign(r, relation);
    if (sign == 0) return OK;
    for (int64_t k = r->start[relation]; k < r->start[relation + 1]; k++) {
        int32_t i = r->cell[k];
        if (!pattern->hidden[i] && i != also) continue;
        if (r->coefficient[k] != sign || i >= m->seen) return OK; /* the total is hidden, too, or cells that no table shows */
        if (m->status[i] == CELL_PRIMARY) broken |= m->rule[i];
        u->cell[count++] = i;
    }
    if (count < 2 || !broken) return OK;
    TRY(union_make(pattern->work, m, pattern->contributors, u->cell, count, &u->scratch));
    *unsafe = union_unsafe(u->rules, broken, &u->scratch);
done:
    return status;
}

/* Hides the cheapest cell of the relation with which its hidden cells are safe together, or the cheapest of all and so on. */
static Status mend_relation(Pattern *pattern, int64_t relation, bool *safe) {
    Status status = OK;
    const Relations *r = &pattern->m->relations;
    for (bool unsafe = true;;) {
        int32_t first = -1, best = -1;
        TRY(relation_unsafe(pattern, relation, -1, &unsafe));
        *safe = !unsafe;
        if (*safe) goto done;
        for (int64_t k = r->start[relation]; k < r->start[relation + 1] && best < 0; k++) {
            int32_t i = pattern->ranked[k];
            if (pattern->hidden[i] || !pattern->may[i] || i == pattern->banned) continue;
            if (first < 0) first = i;
            TRY(relation_unsafe(pattern, relation, i, &unsafe));
            if (!unsafe) best = i;
        }
        if (first < 0) goto done;
        TRY(pattern_hide(pattern, best >= 0 ? best : first));
    }
done:
    return status;
}

static Status unsafe_together(Pattern *pattern, int64_t relation) {
    int32_t cell = -1;
    for (int64_t k = pattern->m->relations.start[relation]; k < pattern->m->relations.start[relation + 1]; k++)
        if (pattern->m->status[pattern->m->relations.cell[k]] == CELL_PRIMARY) cell = pattern->m->relations.cell[k];
    fail(pattern->work->error, REFUSED,
         "suppressed cells of one sum violate the rule together, and no further cell of the sum can be suppressed: %s is one of them",
         model_cell_name(pattern->work, pattern->m, cell));
    return error_advice(pattern->work->error, "Allow suppression of cells that --keep protects, or merge categories.");
}

/* Hides what is needed so that the hidden cells of every sum are safe together. */
static Status protect_unions(Pattern *pattern) {
    Status status = OK;
    bool safe = true;
    for (int64_t r = 0; r < pattern->m->relations.count && pattern->unions.rules; r++) {
        TRY(mend_relation(pattern, r, &safe));
        if (!safe && !pattern->skip) TRY(unsafe_together(pattern, r));
    }
done:
    return status;
}

static Status cannot(Pattern *pattern, int64_t number) {
    fail(pattern->work->error, REFUSED, "a primary cell %s even if every other cell is suppressed: %s",
         pattern->cut ? "could not be proven safe over whole numbers" : "cannot be protected",
         model_cell_name(pattern->work, pattern->m, pattern->demand[number].cell));
    return error_advice(pattern->work->error, "Merge categories, allow suppression of cells that --keep protects or that are known (lower "
                                              "and upper of 0), or lower the protection level.");
}

static void skip_demand(Pattern *pattern, Demand *d) {
    pattern->skipped[d->cell] = 1;
    d->need = d->most = 0;
    for (int64_t k = d->own_at; k < d->own_end; k++) pattern->own[k].need = 0;
}

Status pattern_protect(Pattern *pattern) {
    Status status = OK;
    double added = 0;
    bool met;
    for (int64_t d = 0; d < pattern->demands; d++) {
        if (pattern_undeceived(pattern, &pattern->demand[d]) == NOBODY) continue;
        TRY(work_check(pattern->work));
        work_show(pattern->work, "hiding", (double)d / (double)pattern->demands);
        TRY(pattern_meet(pattern, d, INFINITY, &added, &met));
        if (!met && !pattern->skip) TRY(cannot(pattern, d));
        if (!met) skip_demand(pattern, &pattern->demand[d]);
    }
    TRY(protect_unions(pattern));
done:
    return status;
}

/* ---- judging ---- */

/* Programs of these cells alone from now on: those that are hidden, or all that may be. */
static void set_movable(Pattern *pattern, bool hidden_only) {
    pattern->hidden_only = hidden_only;
    if (!pattern->large) return; /* a small program is soon told that the others stay */
    pattern_drop_mover(pattern, &pattern->all);
    pattern->movables = 0;
    for (int64_t i = 0; i < pattern->m->cells; i++)
        if (pattern->may[i] && (!hidden_only || pattern->hidden[i])) pattern->movable[pattern->movables++] = (int32_t)i;
}

/* Moves for every demand that lacks one; *failing: primary cells that are left. */
static Status prove_all(Pattern *pattern, uint8_t *bad, int64_t *failing) {
    Status status = OK;
    double added = 0;
    memset(bad, 0, (size_t)pattern->m->cells);
    *failing = 0;
    for (int64_t d = 0; d < pattern->demands; d++) {
        int32_t cell = pattern->demand[d].cell;
        bool met = false;
        if (pattern->hidden[cell]) TRY(pattern_meet(pattern, d, INFINITY, &added, &met));
        if (met || bad[cell]) continue;
        bad[cell] = 1;
        ++*failing;
    }
done:
    return status;
}

Status pattern_prove(Pattern *pattern, bool near, int64_t *failing) {
    Status status = OK;
    uint8_t *bad = NULL;
    NEW(pattern->work, bad, pattern->m->cells + 1);
    set_movable(pattern, true);
    *failing = 1;
    for (int wide = !pattern->large && !near; wide < (near ? 1 : 2) && *failing; wide++) {
        pattern->near_only = !wide;
        TRY(prove_all(pattern, bad, failing));
    }
done:
    pattern->near_only = false;
    set_movable(pattern, false);
    return status;
}
