/* The cheapest moves that answer demands, and the cells to hide for them. */
#include "tabular/suppress/pattern.h"
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"

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

/* ---- corners ---- */

enum { MOST_JUDGED = 30000 };               /* hidden cells of one program: more take hours */
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
        if (pattern->near_only && s > (whole ? 0 : 1)) break;
        if (pattern->hidden_only && whole && pattern->movables > MOST_JUDGED) break;
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
    for (int64_t k = 0; k < move.count; k++) TRY(pattern_hide(pattern, move.cell[k]));
    int32_t before = pattern->demand[number].proofs;
    TRY(pattern_keep_move(pattern, &move));
    *found = pattern->demand[number].proofs > before;
done:
    pattern_drop_mover(pattern, &mover);
    return status;
}

Status pattern_meet(Pattern *pattern, int64_t number, double most, double *added, bool *met) {
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
        TRY(pattern_meet(pattern, d, INFINITY, &added, &met));
        if (!met) TRY(cannot(pattern, d));
    }
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
