/* Branch and cut: a master program in s with the inequalities found so far; the intruder's problem adds more; branches on what stays
 * fractional. */
#include "tabular/suppress/optimal.h"
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "tabular/suppress/capacity_cuts.h"

/* A node: what it fixes beside its parent. */
typedef struct Node {
    int64_t parent;
    int32_t column;
    bool one;
    double bound;
    bool open;
} Node;

typedef struct Search {
    Pattern *pattern;
    Cuts cuts;
    Separator separator;
    Lp *master;
    int32_t *cell, columns;       /* column → cell */
    int32_t *column;              /* cell → column, or -1 */
    double *low, *high;           /* global bounds of each column */
    int64_t *row, rows, row_room; /* the master's rows: cuts, by number */
    uint8_t *in;                  /* cut → is it in the master? */
    int64_t in_room, looked;      /* cuts before `looked` may be out of it */
    double best;                  /* cost of the best pattern */
    uint8_t *best_hidden;
    bool whole_costs;
    Node *node;
    int64_t nodes, node_room;
    double given_up;              /* the least bound of the nodes that the solver gave up: nothing is proven of them */
    double deadline, most_effort; /* infinite where there is none */
    double *x;
    double *reduced, *root_x, root_bound; /* at the root: what each column would add */
} Search;

static bool late(const Search *z) {
    return (z->deadline > 0 && work_seconds() > z->deadline) || pattern_effort(z->pattern) + lp_effort(z->master) > z->most_effort;
}

/* A bound that no pattern below the best can have: whole costs leave no room between whole numbers. */
static bool hopeless(const Search *z, double bound) {
    return z->whole_costs ? ceil(bound - 1e-6) >= z->best - 0.5 : bound >= z->best * (1 - 1e-9) - 1e-9;
}

/* ---- making ---- */

static Status search_make(Pattern *pattern, double seconds, Search *z) {
    Status status = OK;
    const Model *m = pattern->m;
    Work *work = pattern->work;
    *z = (Search){ .pattern = pattern, .whole_costs = true, .given_up = INFINITY, .deadline = seconds > 0 ? work_seconds() + seconds : 0 };
    NEW(work, z->cell, m->cells + 1);
    NEW(work, z->column, m->cells + 1);
    NEW(work, z->low, m->cells + 1);
    NEW(work, z->high, m->cells + 1);
    NEW(work, z->x, m->cells + 1);
    NEW(work, z->reduced, m->cells + 1);
    NEW(work, z->root_x, m->cells + 1);
    NEW(work, z->best_hidden, m->cells + 1);
    for (int64_t i = 0; i < m->cells; i++) {
        z->column[i] = -1;
        if (!pattern->may[i] || m->status[i] == CELL_PRIMARY) continue;
        z->high[z->columns] = 1;
        z->cell[z->columns] = (int32_t)i;
        z->column[i] = z->columns++;
        z->whole_costs &= pattern->cost[i] == floor(pattern->cost[i]);
    }
    TRY(separator_make(pattern, &z->cuts, &z->separator));
    for (int64_t i = 0; i < m->cells; i++) z->separator.s[i] = m->status[i] == CELL_PRIMARY;
    TRY(lp_new(work->error, 0, z->columns, &z->master));
    for (int32_t j = 0; j < z->columns; j++) {
        lp_column(z->master, j, 0, 1);
        lp_cost(z->master, j, pattern->cost[z->cell[j]]);
    }
done:
    return status;
}

/* Cuts of one round: in large tables more, since a round takes long. */
static int64_t cuts_at_once(const Search *z) { return z->pattern->demands > 1200 ? z->pattern->demands / 8 : 150; }

/* ---- the master ---- */

static Status add_row(Search *z, int64_t c, int32_t *column) {
    Status status = OK;
    const Cut *cut = &z->cuts.at[c];
    int n = 0;
    double *coefficient = NULL;
    NEW(z->pattern->work, coefficient, cut->count + 1);
    for (int32_t k = 0; k < cut->count; k++) {
        int32_t j = z->column[cut->cell[k]];
        if (z->high[j] > 0) {
            column[n] = j;
            coefficient[n++] = cut->coefficient[k];
        }
    }
    TRY(lp_add_row(z->master, n, column, coefficient, 1, INFINITY));
    GROW(z->pattern->work, z->row, z->row_room, z->rows + 1);
    z->row[z->rows++] = c;
    z->in[c] = 1;
done:
    arena_drop(z->pattern->work->arena, coefficient);
    return status;
}

static double reach_of(const Search *z, const Cut *cut) {
    double sum = 0;
    for (int32_t k = 0; k < cut->count; k++) sum += cut->coefficient[k] * z->separator.s[cut->cell[k]];
    return sum;
}

/* Cuts that are out of the master and violated: those that are new, and old ones that were slack for a while. */
static Status add_cuts(Search *z, int64_t *added) {
    Status status = OK;
    int32_t *column = NULL;
    int64_t room = z->in_room;
    NEW(z->pattern->work, column, z->columns + 1);
    GROW(z->pattern->work, z->in, z->in_room, z->cuts.count + 1);
    if (z->in_room > room) memset(z->in + room, 0, (size_t)(z->in_room - room));
    *added = 0;
    for (int64_t c = 0; c < z->cuts.count; c++) {
        if (z->in[c] || (c < z->looked && reach_of(z, &z->cuts.at[c]) > 1 - 1e-5)) continue;
        TRY(add_row(z, c, column));
        ++*added;
    }
    z->looked = z->cuts.count;
done:
    arena_drop(z->pattern->work->arena, column);
    return status;
}

/* Rows that are slack leave: the master stays small, and they come back when they are violated. */
static Status purge(Search *z) {
    Status status = OK;
    int32_t *out = NULL;
    int n = 0;
    int64_t kept = 0;
    if (z->rows < 200) return OK;
    NEW(z->pattern->work, out, z->rows + 1);
    for (int64_t r = 0; r < z->rows; r++) {
        bool slack = lp_row_basic(z->master, (int)r) && lp_activity(z->master, (int)r) > 1 + 1e-6;
        if (slack) {
            out[n++] = (int32_t)r;
            z->in[z->row[r]] = 0;
        } else z->row[kept++] = z->row[r];
    }
    z->rows = kept;
    TRY(lp_drop_rows(z->master, n, out));
done:
    arena_drop(z->pattern->work->arena, out);
    return status;
}

static void set_bounds(Search *z, int64_t node) {
    for (int32_t j = 0; j < z->columns; j++) lp_column(z->master, j, z->low[j], z->high[j]);
    for (; node > 0; node = z->node[node].parent) lp_column(z->master, z->node[node].column, z->node[node].one, z->node[node].one);
}

/* A solver that gave up gets a second try from the first basis. */
static Status solve_master(Search *z, LpState *state, double *bound) {
    Status status = OK;
    TRY(lp_solve(z->master, true, state));
    if (*state != LP_OPTIMAL && *state != LP_INFEASIBLE) TRY(lp_solve(z->master, false, state));
    *bound = lp_objective(z->master);
    for (int32_t j = 0; j < z->columns && *state == LP_OPTIMAL; j++) {
        z->x[j] = smaller(larger(lp_x(z->master, j), 0), 1);
        z->separator.s[z->cell[j]] = z->x[j];
    }
done:
    return status;
}

/* The most undecided column, dear ones first; -1 where all are 0 or 1. */
static int32_t undecided(const Search *z) {
    int32_t best = -1;
    double most = 0;
    for (int32_t j = 0; j < z->columns; j++) {
        double f = fmin(z->x[j], 1 - z->x[j]);
        if (f < 1e-6) continue;
        double score = f * sqrt(z->pattern->cost[z->cell[j]]);
        if (score > most) {
            most = score;
            best = j;
        }
    }
    return best;
}

/* ---- patterns ---- */

static void note_best(Search *z) {
    int64_t secondary;
    double cost = pattern_cost(z->pattern, &secondary);
    if (cost >= z->best * (1 - 1e-12)) return;
    z->best = cost;
    memcpy(z->best_hidden, z->pattern->hidden, (size_t)z->pattern->m->cells);
}

/* Pattern s is whole and no inequality is violated: it protects, unless only fractions of counts move. */
static Status take_pattern(Search *z, bool *good) {
    Status status = OK;
    Pattern *pattern = z->pattern;
    int64_t failing, exposed = 0, secondary;
    int32_t first;
    for (int64_t i = 0; i < pattern->m->cells; i++)
        pattern->hidden[i] = pattern->m->status[i] == CELL_PRIMARY || (z->column[i] >= 0 && z->x[z->column[i]] > 0.5);
    const bool cut = pattern->cut;
    pattern_forget(pattern);
    pattern->cut = false;
    TRY(pattern_prove(pattern, false, &failing));
    if (!failing) TRY(pattern_exposed(pattern, &exposed, &first));
    *good = !failing && !exposed;
    if (*good) note_best(z);
    else if (pattern->cut) z->given_up = smaller(z->given_up, pattern_cost(pattern, &secondary)); /* it may protect for all that is known */
    pattern->cut |= cut;
done:
    return status;
}

/* It does not: some cell more must be hidden. */
static Status forbid(Search *z) {
    Status status = OK;
    Cut cut = { 0 };
    Work *work = z->pattern->work;
    NEW(work, cut.cell, z->columns + 1);
    NEW(work, cut.coefficient, z->columns + 1);
    for (int32_t j = 0; j < z->columns; j++)
        if (z->x[j] < 0.5) {
            cut.cell[cut.count] = z->cell[j];
            cut.coefficient[cut.count++] = 1;
        }
    GROW(work, z->cuts.at, z->cuts.room, z->cuts.count + 1);
    z->cuts.at[z->cuts.count++] = cut;
done:
    return status;
}

/* The heuristic again, with cells that the master likes made cheap. */
static Status follow_master(Search *z) {
    Status status = OK;
    Pattern *pattern = z->pattern;
    const double *cost = pattern->cost;
    double *guided = NULL;
    NEW(pattern->work, guided, pattern->m->cells + 1);
    for (int64_t i = 0; i < pattern->m->cells; i++) {
        double x = z->column[i] >= 0 ? z->x[z->column[i]] : 0;
        guided[i] = cost[i] * fmax(1 - x, 0.01);
        pattern->hidden[i] = pattern->m->status[i] == CELL_PRIMARY || x > 0.999;
    }
    pattern_forget(pattern);
    pattern->cost = guided;
    status = pattern_protect(pattern);
    pattern->cost = cost;
    if (status == REFUSED) {
        status = OK;
        goto done;
    }
    TRY(status);
    TRY(pattern_improve(pattern, 2));
    note_best(z);
done:
    pattern->cost = cost;
    return status;
}

/* The cells of s hidden, and what is missing then; opened again where it is not needed. */
static Status complete(Search *z) {
    Status status = OK;
    Pattern *pattern = z->pattern;
    for (int64_t i = 0; i < pattern->m->cells; i++) pattern->hidden[i] = z->separator.s[i] > 0.5;
    pattern_forget(pattern);
    status = pattern_protect(pattern);
    if (status == REFUSED) return OK;
    TRY(status);
    TRY(pattern_improve(pattern, 1));
    note_best(z);
done:
    return status;
}

/* The master's best choice of whole cells, as far as a search of GLPK's own finds it whose nodes are fewer the larger the master is. */
static Status choose_whole(Search *z, double effort, bool *found) {
    Status status = OK;
    LpState state;
    int64_t nodes = (int64_t)smaller(larger(effort / ((double)z->rows * z->columns + 1), 20), 1000);
    TRY(lp_solve(z->master, true, &state));
    for (int32_t j = 0; j < z->columns; j++) lp_whole(z->master, j, true);
    if (state == LP_OPTIMAL) TRY(lp_solve_whole(z->master, 0, nodes, &state));
    *found = lp_whole_found(z->master) && (state == LP_OPTIMAL || state == LP_STOPPED);
    for (int32_t j = 0; j < z->columns && *found; j++) z->separator.s[z->cell[j]] = z->x[j] = lp_whole_x(z->master, j) > 0.5;
done:
    for (int32_t j = 0; j < z->columns; j++) lp_whole(z->master, j, false);
    return status;
}

/* Whole choices of the master one after another, each with the inequalities that the one before it broke: near the optimum long before the
 * branches are (after Fischetti & Salazar 2001). */
static Status whole_masters(Search *z, int tries, double effort) {
    Status status = OK;
    int64_t added;
    bool found, good;
    set_bounds(z, 0);
    for (int t = 0; t < tries && !late(z); t++) {
        TRY(work_check(z->pattern->work));
        TRY(choose_whole(z, effort, &found));
        double cost = 0;
        for (int32_t j = 0; j < z->columns && found; j++) cost += z->x[j] * z->pattern->cost[z->cell[j]];
        if (!found || hopeless(z, cost)) break;
        TRY(separator_run(&z->separator, cuts_at_once(z), &added));
        if (added) TRY(complete(z));
        else TRY(take_pattern(z, &good));
        if (!added && good) break;
        if (!added) TRY(forbid(z));
        TRY(add_cuts(z, &added));
    }
done:
    return status;
}

/* ---- nodes ---- */

/* The master again, without what is fixed at 0. */
static Status rebuild(Search *z) {
    Status status = OK;
    int64_t added;
    lp_free(z->master);
    z->master = NULL;
    TRY(lp_new(z->pattern->work->error, 0, z->columns, &z->master));
    for (int32_t j = 0; j < z->columns; j++) {
        lp_column(z->master, j, z->low[j], z->high[j]);
        lp_cost(z->master, j, z->pattern->cost[z->cell[j]]);
    }
    for (int64_t r = 0; r < z->rows; r++) z->in[z->row[r]] = 0;
    z->rows = 0;
    TRY(add_cuts(z, &added));
done:
    return status;
}

static Status add_node(Search *z, int64_t parent, int32_t column, bool one, double bound) {
    Status status = OK;
    GROW(z->pattern->work, z->node, z->node_room, z->nodes + 1);
    z->node[z->nodes++] = (Node){ parent, column, one, bound, true };
done:
    return status;
}

/* What costs too much to ever enter a better pattern is fixed at 0, and the other way round; told again whenever a better pattern is found.
 */
static Status fix_by_cost(Search *z) {
    double room = z->best - z->root_bound - (z->whole_costs ? 1 - 1e-6 : 0), slack = 1e-9 * fabs(z->best);
    int fixed = 0;
    for (int32_t j = 0; j < z->columns; j++) {
        if (z->high[j] > 0 && z->root_x[j] < 1e-9 && z->reduced[j] > room + slack) {
            z->high[j] = 0;
            fixed++;
        }
        if (z->low[j] < 1 && z->root_x[j] > 1 - 1e-9 && -z->reduced[j] > room + slack) z->low[j] = 1;
    }
    return fixed ? rebuild(z) : OK;
}

static void keep_root(Search *z, double bound) {
    z->root_bound = bound;
    for (int32_t j = 0; j < z->columns; j++) {
        z->reduced[j] = lp_reduced(z->master, j);
        z->root_x[j] = z->x[j];
    }
}

/* Cuts until the node is settled: hopeless, a pattern, or to be branched on. */
static Status work_node(Search *z, int64_t n, int rounds) {
    Status status = OK;
    LpState state;
    double bound, before = -INFINITY;
    int64_t added;
    int stalled = 0;
    set_bounds(z, n);
    for (int round = 0;; round++) {
        TRY(work_check(z->pattern->work));
        TRY(solve_master(z, &state, &bound));
        if (state != LP_OPTIMAL && state != LP_INFEASIBLE) {
            z->node[n].open = false;
            z->given_up = fmin(z->given_up, z->node[n].bound);
            goto done;
        }
        if (state == LP_INFEASIBLE || hopeless(z, bound)) {
            z->node[n].open = false;
            z->node[n].bound = INFINITY;
            goto done;
        }
        z->node[n].bound = fmax(z->node[n].bound, bound);
        if (late(z)) goto done;
        bool whole = undecided(z) < 0;
        stalled = bound > before + 1e-4 * fabs(bound) ? 0 : stalled + 1;
        before = bound;
        if (!whole && (round >= rounds || stalled > 6)) break;
        TRY(add_cuts(z, &added));
        if (added) continue;
        if (!whole) TRY(separator_cover(&z->separator, 0, &added));
        if (!added) TRY(separator_run(&z->separator, cuts_at_once(z), &added));
        if (!added && whole) {
            bool good;
            TRY(take_pattern(z, &good));
            if (!good) TRY(forbid(z));
            else {
                z->node[n].open = false;
                z->node[n].bound = INFINITY;
                goto done;
            }
        } else if (!added) break;
        TRY(add_cuts(z, &added));
    }
    if (n == 0) keep_root(z, bound);
    int32_t column = undecided(z);
    z->node[n].open = false;
    bound = z->node[n].bound;
    if (column < 0) goto done;
    TRY(add_node(z, n, column, false, bound));
    TRY(add_node(z, n, column, true, bound));
    TRY(purge(z));
done:
    return status;
}

/* The lowest bound first; among equals the youngest, which is the deepest. */
static int64_t next_node(const Search *z) {
    int64_t best = -1;
    for (int64_t n = 0; n < z->nodes; n++)
        if (z->node[n].open && (best < 0 || z->node[n].bound <= z->node[best].bound + 1e-9)) best = n;
    return best;
}

static double lower_bound(const Search *z) {
    double lower = fmin(z->best, z->given_up);
    for (int64_t n = 0; n < z->nodes; n++)
        if (z->node[n].open) lower = fmin(lower, z->node[n].bound);
    return z->whole_costs ? smaller(z->best, ceil(lower - 1e-6)) : lower;
}

/* Branches, `turns` of them at most (0: no limit). */
static Status branch(Search *z, int64_t turns, int64_t follow) {
    Status status = OK;
    double best = INFINITY;
    for (int64_t n, turn = 1; !late(z) && (!turns || turn <= turns) && (n = next_node(z)) >= 0; turn++) {
        if (z->best < best * (1 - 1e-12)) {
            best = z->best;
            TRY(fix_by_cost(z));
        }
        if (hopeless(z, z->node[n].bound)) {
            z->node[n].open = false;
            continue;
        }
        work_show(z->pattern->work, "branching", smaller(1, lower_bound(z) / z->best));
        TRY(work_node(z, n, 12));
        if (turn % follow == 0) TRY(follow_master(z));
    }
done:
    return status;
}

static const double SHORT_SEARCH = 6e7; /* effort: two or three seconds */

/* A step of the simplex method counts as many units as the program is large, and takes less than in proportion. */
static double short_search(const Pattern *pattern) { return SHORT_SEARCH * smaller(larger((double)pattern->movables / 4000, 1), 25); }

enum { FIRST_TURNS = 20 }; /* of branching, which settle most tables, before whole choices are looked for, which take longer */

static Status run_search(Search *z, int64_t most) {
    Status status = OK;
    int64_t follow = most ? 10 : 40, first = most && most < FIRST_TURNS ? most : FIRST_TURNS;
    TRY(add_node(z, -1, -1, false, 0));
    TRY(work_node(z, 0, most ? 40 : 200));
    if (z->nodes > 1 && !late(z)) TRY(follow_master(z));
    z->most_effort -= short_search(z->pattern) / 2;
    TRY(branch(z, first, follow));
    z->most_effort += short_search(z->pattern) / 2;
    if (next_node(z) < 0) goto done;
    TRY(whole_masters(z, most ? 8 : 40, most ? 1e7 : 4e7));
    if (!most || most > first) TRY(branch(z, most ? most - first : 0, follow));
done:
    return status;
}

Status pattern_search(Pattern *pattern, double seconds, int64_t nodes, double *lower) {
    Status status = OK;
    Search z = { 0 };
    int64_t failing;
    TRY(search_make(pattern, seconds, &z));
    z.best = INFINITY;
    z.most_effort = nodes ? pattern_effort(pattern) + short_search(pattern) : INFINITY;
    note_best(&z);
    TRY(run_search(&z, nodes));
    *lower = lower_bound(&z);
    memcpy(pattern->hidden, z.best_hidden, (size_t)pattern->m->cells);
    pattern_forget(pattern);
    TRY(pattern_prove(pattern, false, &failing));
    if (failing) TRY(pattern_protect(pattern)); /* whole moves that were found before are not found again: hide what they need */
done:
    lp_free(z.master);
    return status;
}
