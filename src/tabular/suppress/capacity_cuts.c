/* Capacity inequalities. At a pattern s, perhaps fractional, the intruder's bound on primary cell p is
 *     max x_p  subject to  M x = 0,  −low_i·s_i ≤ x_i ≤ high_i·s_i.
 * For any multipliers λ of the relations, x_p = Σ d_i·x_i with d = e_p − λM, so that x_p ≤ Σ (d_i⁺·high_i + d_i⁻·low_i)·s_i; where the
 * program's own λ leaves that below the need, the inequality Σ (d_i⁺·high_i + d_i⁻·low_i)·s_i ≥ need cuts s off. Coefficients above the
 * right side can be clipped to it, since s is 0 or 1 (Fischetti & Salazar 2001, sections 3 and 4). */
#include "tabular/suppress/capacity_cuts.h"
#include <string.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "base/sort.h"
#include "tabular/feasibility/feasibility_interval.h"

static const double NONE = 1e-7; /* an s below this is 0 */

Status separator_make(Pattern *pattern, Cuts *cuts, Separator *out) {
    Status status = OK;
    int64_t n = pattern->m->cells;
    *out = (Separator){ .pattern = pattern, .cuts = cuts };
    NEW(pattern->work, out->s, n + 1);
    NEW(pattern->work, out->at, n + 1);
    NEW(pattern->work, out->part, n + 1);
    NEW(pattern->work, out->list, n + 1);
    NEW(pattern->work, out->list_start, n + 2);
    NEW(pattern->work, out->low, n + 1);
    NEW(pattern->work, out->high, n + 1);
    NEW(pattern->work, out->mover, n + 1);
    NEW(pattern->work, out->dual, pattern->m->relations.count + 1);
    NEW(pattern->work, out->used, pattern->m->relations.count + 1);
    NEW(pattern->work, out->told, n + 1);
    NEW(pattern->work, out->asked, pattern->demands + 1);
    NEW(pattern->work, out->knows, (pattern->contributors ? pattern->contributors->people : 0) + 1);
    NEW(pattern->work, out->side, n + 1);
    NEW(pattern->work, out->fresh, n + 1);
    NEW(pattern->work, out->list_cut, 2 * n + 1);
done:
    return status;
}

/* ---- the inequality ---- */

static double capacity(const Pattern *pattern, double d, int32_t i) { return d > 0 ? d * pattern->high[i] : -d * pattern->low[i]; }

static double slope(const Separator *q, int32_t i, int32_t p) {
    const Memberships *member = &q->pattern->m->member;
    double d = i == p;
    for (int64_t k = member->start[i]; k < member->start[i + 1]; k++) d -= q->dual[member->relation[k]] * member->coefficient[k];
    return fabs(d) < 1e-9 ? 0 : d;
}

/* Cells in relations with a multiplier are the only ones with a slope, beside p. */
static int64_t touched(Separator *q, int32_t p, int32_t *list) {
    const Relations *r = &q->pattern->m->relations;
    Pattern *pattern = q->pattern;
    int64_t n = 0;
    pattern->seen++;
    pattern->seen_cell[p] = pattern->seen;
    list[n++] = p;
    for (int64_t i = 0; i < q->useds; i++)
        for (int64_t k = r->start[q->used[i]]; k < r->start[q->used[i] + 1]; k++) {
            if (pattern->seen_cell[r->cell[k]] == pattern->seen) continue;
            pattern->seen_cell[r->cell[k]] = pattern->seen;
            list[n++] = r->cell[k];
        }
    return n;
}

/* From the multipliers of the relations in use, x_p = Σ slope·x; for the way down the same holds of −x_p, with low and high exchanged.
 * Writes the inequality Σ coefficient·s ≥ 1 of one way, by cell into `side` (over what stands there, the larger of both), its cells into
 * `list`. With `cover`, cells that are hidden for certain count with all that they have, as primary ones do. *holds: the way is open. */
static int64_t one_side(Separator *q, const Demand *d, bool up, double need, bool cover, int32_t *list, int64_t count, bool *holds) {
    const Pattern *pattern = q->pattern;
    double right = need;
    int64_t n = touched(q, d->cell, pattern->near), from = count;
    for (int64_t k = 0; k < n; k++) {
        int32_t i = pattern->near[k];
        if (!pattern->may[i]) continue;
        double slope_up = slope(q, i, d->cell), c = capacity(pattern, up ? slope_up : -slope_up, i);
        if (c <= 0) continue;
        if (pattern->m->status[i] == CELL_PRIMARY || (cover && q->at[i] > 1 - NONE)) {
            right -= c;
            continue;
        }
        q->fresh[i] = c;
        list[count++] = i;
    }
    *holds = right <= 1e-7 * need; /* what is hidden anyway suffices */
    for (int64_t k = from; k < count; k++) {
        q->side[list[k]] = larger(q->side[list[k]], *holds ? 1 : smaller(q->fresh[list[k]] / right, 1));
        q->fresh[list[k]] = 0;
    }
    return count;
}

static void forget_multipliers(Separator *q) {
    for (int64_t i = 0; i < q->useds; i++) q->dual[q->used[i]] = 0;
    q->useds = 0;
}

/* The cells of `list` (some perhaps twice) and their coefficients in `side` become an inequality, if it is violated. */
static Status keep_cut(Separator *q, const int32_t *list, int64_t count, bool *violated) {
    Status status = OK;
    Cut cut = { 0 };
    double reach = 0;
    NEW(q->pattern->work, cut.cell, count + 1);
    NEW(q->pattern->work, cut.coefficient, count + 1);
    for (int64_t k = 0; k < count; k++) {
        if (q->side[list[k]] <= 0) continue;
        reach += q->side[list[k]] * q->s[list[k]];
        cut.cell[cut.count] = list[k];
        cut.coefficient[cut.count++] = q->side[list[k]];
        q->side[list[k]] = 0;
    }
    if (reach > 1 - 1e-5) goto done;
    GROW(q->pattern->work, q->cuts->at, q->cuts->room, q->cuts->count + 1);
    q->cuts->at[q->cuts->count++] = cut;
    *violated = true;
done:
    return status;
}

static bool is_whole_pattern(const Separator *q) {
    for (int64_t i = 0; i < q->pattern->m->cells; i++)
        if (q->at[i] > NONE && q->at[i] < 1 - NONE) return false;
    return true;
}

/* One way: its inequality. Where either way will do, one of both holds, and with the larger coefficients their sum does (a disjunction);
 * of whole patterns that is always violated if what they hide is given its full share beforehand. */
static Status make_cut(Separator *q, const Demand *d, double need, bool *violated) {
    Status status = OK;
    bool holds;
    *violated = false;
    int64_t count = one_side(q, d, d->way != WAY_DOWN, need, false, q->list_cut, 0, &holds);
    forget_multipliers(q);
    if (holds)
        for (int64_t k = 0; k < count; k++) q->side[q->list_cut[k]] = 0;
    else TRY(keep_cut(q, q->list_cut, count, violated));
done:
    return status;
}

/* ---- what is told at once ---- */

/* Where in the cell's memberships, from `k` on, stands a relation whose other live cells were all told before it; -1: there is none. */
static int64_t telling(const Separator *q, int32_t cell, int64_t k) {
    const Relations *r = &q->pattern->m->relations;
    const Memberships *member = &q->pattern->m->member;
    for (; k < member->start[cell + 1]; k++) {
        bool tells = true;
        for (int64_t e = r->start[member->relation[k]]; e < r->start[member->relation[k] + 1] && tells; e++) {
            int32_t other = q->part[r->cell[e]];
            tells = r->cell[e] == cell || other == -1 || (other < -1 && other > q->part[cell]);
        }
        if (tells) return k;
    }
    return -1;
}

/* Gives a relation its multiplier; cells of it that are told join those whose slope is still to be looked at. */
static void use_relation(Separator *q, int32_t relation, double multiplier) {
    const Relations *r = &q->pattern->m->relations;
    int32_t *seen = q->pattern->seen_cell, now = q->pattern->seen;
    q->dual[relation] = multiplier;
    q->used[q->useds++] = relation;
    for (int64_t e = r->start[relation]; e < r->start[relation + 1]; e++) {
        if (q->part[r->cell[e]] >= -1 || seen[r->cell[e]] == now) continue;
        seen[r->cell[e]] = now;
        q->told[q->tolds++] = r->cell[e];
    }
}

/* Takes from the list the cell that was told last; -1 where it is empty. */
static int32_t last_told(Separator *q) {
    int64_t last = 0;
    if (!q->tolds) return -1;
    for (int64_t i = 1; i < q->tolds; i++)
        if (q->part[q->told[i]] < q->part[q->told[last]]) last = i;
    int32_t cell = q->told[last];
    q->told[last] = q->told[--q->tolds];
    return cell;
}

/* A cell that is told does not move, however much of it is hidden: by the relation that tells it it goes out of the sum for x_p, and what
 * is not live comes in. */
static void replace_told(Separator *q, int32_t p) {
    const Memberships *member = &q->pattern->m->member;
    for (int32_t cell; (cell = last_told(q)) >= 0;) {
        double d = slope(q, cell, p);
        int64_t k = d == 0 ? -1 : telling(q, cell, member->start[cell]);
        if (k >= 0) use_relation(q, member->relation[k], d / member->coefficient[k]);
    }
}

static void begin_cut(Separator *q) {
    q->pattern->seen++;
    q->useds = q->tolds = 0;
}

/* The multipliers of the intruder's program, last solved for `up`: those of a way down are of −x_p. */
static void take_multipliers(Separator *q, const AttackerProblem *mover, int32_t cell, bool up) {
    const int32_t *relation;
    int rows = attacker_relations(mover, &relation);
    begin_cut(q);
    for (int i = 0; i < rows; i++) {
        double l = attacker_dual(mover, i);
        if (fabs(l) >= 1e-9) use_relation(q, relation[i], up ? l : -l);
    }
    replace_told(q, cell);
}

/* The present reader's program went too short a way. */
static Status program_cut(Separator *q, AttackerProblem *mover, const Demand *d, double need, bool *violated) {
    Status status = OK;
    bool holds[2], cover = q->whole;
    Move move;
    if (d->way != WAY_EITHER) {
        take_multipliers(q, mover, d->cell, d->way == WAY_UP);
        return make_cut(q, d, need, violated);
    }
    int64_t count = 0;
    *violated = false;
    for (int up = 0; up < 2; up++) { /* the program for the way down was solved last */
        if (up) TRY(attacker_push(mover, d->cell, true, need, 1, &move));
        take_multipliers(q, mover, d->cell, up);
        count = one_side(q, d, up, need, cover, q->list_cut, count, &holds[up]);
        forget_multipliers(q);
    }
    if (!holds[0] && !holds[1]) return keep_cut(q, q->list_cut, count, violated);
    for (int64_t k = 0; k < count; k++) q->side[q->list_cut[k]] = 0;
done:
    return status;
}

/* A cell alone in a relation is in no part: it is known, and each relation that tells it gives an inequality. */
static Status lone_cuts(Separator *q, const Demand *d, bool *violated) {
    Status status = OK;
    const Memberships *member = &q->pattern->m->member;
    *violated = false;
    for (int64_t k = member->start[d->cell]; (k = telling(q, d->cell, k)) >= 0; k++) {
        bool one = false, holds[2] = { false, false };
        int64_t count = 0;
        begin_cut(q);
        use_relation(q, member->relation[k], 1 / member->coefficient[k]);
        replace_told(q, d->cell);
        for (int up = d->way == WAY_UP; up < (d->way == WAY_DOWN ? 1 : 2); up++)
            count = one_side(q, d, up, d->most, d->way == WAY_EITHER && q->whole, q->list_cut, count, &holds[up]);
        forget_multipliers(q);
        if (!holds[0] && !holds[1]) TRY(keep_cut(q, q->list_cut, count, &one));
        for (int64_t i = 0; i < count; i++) q->side[q->list_cut[i]] = 0;
        *violated |= one;
    }
done:
    return status;
}

/* ---- the intruder ---- */

static Status prepare(Separator *q) {
    Status status = OK;
    Pattern *pattern = q->pattern;
    const Model *m = pattern->m;
    uint8_t *live = NULL;
    NEW(pattern->work, live, m->cells + 1);
    for (int64_t i = 0; i < m->cells; i++) {
        live[i] = pattern->may[i] && q->at[i] > NONE;
        q->low[i] = live[i] ? pattern->low[i] * q->at[i] : 0;
        q->high[i] = live[i] ? pattern->high[i] * q->at[i] : 0;
    }
    TRY(hidden_parts(pattern->work, &m->relations, &m->member, live, q->part, &q->parts));
    list_groups(q->part, m->cells, q->parts, q->list_start, q->list);
done:
    arena_drop(pattern->work->arena, live);
    return status;
}

static void put_away(Separator *q) {
    for (int32_t p = 0; p < q->parts; p++) pattern_drop_mover(q->pattern, &q->mover[p]);
}

/* The program's bounds are from now on what this contributor knows (-1: an outsider). */
static void read_as(Separator *q, AttackerProblem *mover, int32_t who) {
    Pattern *pattern = q->pattern;
    const Contributors *c = pattern->contributors;
    int32_t reader = who >= 0 ? who : pattern->reader;
    pattern_read_as(pattern, who);
    for (int64_t k = reader < 0 ? 0 : c->who_start[reader]; reader >= 0 && k < c->who_start[reader + 1]; k++) {
        int32_t i = c->of_who[k].other;
        if (attacker_has(mover, i)) attacker_bounds(mover, i, pattern->low[i] * q->at[i], pattern->high[i] * q->at[i]);
    }
}

/* ---- what a move shows ---- */

static bool is_listed(const Pattern *pattern, const Demand *d, int32_t who) {
    for (int64_t k = d->own_at; k < d->own_end; k++)
        if (pattern->own[k].who == who) return true;
    return false;
}

/* Who can rule the move out, the way of its sign: q->knows is q->known then. */
static void mark_knowers(Separator *q, const Move *move, int sign) {
    const Contributors *c = q->pattern->contributors;
    q->known++;
    for (int64_t k = 0; k < move->count && c; k++)
        for (int64_t e = c->cell_start[move->cell[k]]; e < c->cell_start[move->cell[k] + 1]; e++)
            if (contributor_knows(q->pattern, &c->of_cell[e], move->cell[k], sign * move->x[k])) q->knows[c->of_cell[e].other] = q->known;
}

/* Of the contributors to be asked for a demand only those who can rule out this move, too; at its first move, all who can. Contributors of
 * the cell, who have needs of their own, are asked anyway. */
static Status narrow(Separator *q, const Demand *d, const Move *move, int sign) {
    Status status = OK;
    Pattern *pattern = q->pattern;
    const Contributors *c = pattern->contributors;
    Asked *asked = &q->asked[d - pattern->demand];
    int64_t kept = 0;
    for (int64_t k = 0; k < asked->count && asked->answered; k++)
        if (q->knows[asked->who[k]] == q->known) asked->who[kept++] = asked->who[k];
    for (int64_t k = 0; k < move->count && c && !asked->answered; k++)
        for (int64_t e = c->cell_start[move->cell[k]]; e < c->cell_start[move->cell[k] + 1]; e++) {
            int32_t who = c->of_cell[e].other;
            bool there = !contributor_knows(pattern, &c->of_cell[e], move->cell[k], sign * move->x[k]) || is_listed(pattern, d, who);
            for (int64_t i = 0; i < kept && !there; i++) there = asked->who[i] == who;
            if (there) continue;
            GROW(pattern->work, asked->who, asked->room, kept + 1);
            asked->who[kept++] = who;
        }
    asked->count = kept;
    asked->answered = true;
done:
    return status;
}

static bool turns(const Separator *q, const Move *move) {
    for (int64_t k = 0; k < move->count; k++)
        if (move->x[k] > q->low[move->cell[k]] || -move->x[k] > q->high[move->cell[k]]) return false;
    return true;
}

/* A move answers every demand that it goes far enough for, and its opposite does where bounds allow it. */
static Status note_move(Separator *q, const Move *move) {
    Status status = OK;
    Pattern *pattern = q->pattern;
    for (int sign = 1; sign >= (turns(q, move) ? -1 : 1); sign -= 2) {
        mark_knowers(q, move, sign);
        for (int64_t k = 0; k < move->count; k++)
            for (int way = 0; way < WAYS; way++) {
                double x = sign * move->x[k];
                int64_t at = pattern->demand_at[WAYS * move->cell[k] + way];
                if (at && pattern->demand[at - 1].need > 0 && is_reached(way_reach((Way)way, x), pattern->demand[at - 1].need))
                    TRY(narrow(q, &pattern->demand[at - 1], move, sign));
            }
    }
done:
    return status;
}

/* How far the present reader lets the cell go, by the program. */
static Status push(Separator *q, AttackerProblem *mover, const Demand *d, double need, Move *move, bool *reached) {
    Status status = OK;
    (void)q;
    *reached = true;
    for (int up = d->way != WAY_DOWN; up >= (d->way == WAY_UP); up--) {
        TRY(attacker_push(mover, d->cell, up, need, 1, move));
        if (move->state != LP_OPTIMAL || move->reach >= need * (1 - 1e-6)) goto done;
    }
    *reached = false;
done:
    return status;
}

/* The demand as one contributor sees it; a cut where its bound is too tight. */
static Status ask_one(Separator *q, AttackerProblem *mover, const Demand *d, int32_t who, bool *violated) {
    Status status = OK;
    Move move;
    bool reached;
    const double need = demand_need(q->pattern, d, who);
    if (need <= 0) return OK;
    read_as(q, mover, who);
    status = push(q, mover, d, need, &move, &reached);
    if (!status && !reached) status = program_cut(q, mover, d, need, violated);
    read_as(q, mover, -1);
    if (!status && reached && move.state == LP_OPTIMAL) status = note_move(q, &move);
    return status;
}

/* Every contributor who can rule out each move so far is asked for a move of its own, and those of the cell; the first whose bound is too
 * tight gives a cut. */
static Status ask_contributors(Separator *q, AttackerProblem *mover, const Demand *d, bool *violated) {
    Status status = OK;
    Asked *asked = &q->asked[d - q->pattern->demand];
    while (asked->count && !*violated) {
        int32_t who = asked->who[--asked->count];
        TRY(ask_one(q, mover, d, who, violated));
    }
    for (int64_t k = d->own_at; k < d->own_end && !*violated; k++) TRY(ask_one(q, mover, d, q->pattern->own[k].who, violated));
done:
    return status;
}

static Status ask(Separator *q, const Demand *d, bool *violated) {
    Status status = OK;
    Pattern *pattern = q->pattern;
    int32_t part = q->part[d->cell];
    Asked *asked = &q->asked[d - pattern->demand];
    Move move;
    bool reached;
    *violated = false;
    if (part < 0) return lone_cuts(q, d, violated);
    if (asked->answered && !asked->count && d->own_at == d->own_end) return OK;
    if (!q->mover[part])
        TRY(attacker_new(pattern->work, &pattern->m->member, q->list + q->list_start[part], q->list_start[part + 1] - q->list_start[part],
                         q->low, q->high, &q->mover[part]));
    if (!asked->answered && d->need > 0) {
        TRY(push(q, q->mover[part], d, d->need, &move, &reached));
        if (!reached) {
            TRY(program_cut(q, q->mover[part], d, d->need, violated));
            goto done;
        }
        if (move.state == LP_OPTIMAL) TRY(note_move(q, &move));
    }
    TRY(ask_contributors(q, q->mover[part], d, violated));
done:
    return status;
}

/* Hidden cells of a sum that break a rule together ask for one more of its cells: rules are subadditive, so that fewer of them are no safer
 * (Cox 1981). */
static Status union_cuts(Separator *q, int64_t *added) {
    Status status = OK;
    Pattern *pattern = q->pattern;
    const Relations *r = &pattern->m->relations;
    for (int64_t i = 0; i < pattern->m->cells; i++) pattern->hidden[i] = pattern->m->status[i] == CELL_PRIMARY || q->at[i] > NONE;
    for (int64_t k = 0; k < r->count && pattern->unions.rules; k++) {
        bool unsafe, violated = false;
        int64_t count = 0;
        TRY(relation_unsafe(pattern, k, -1, &unsafe));
        for (int64_t e = r->start[k]; e < r->start[k + 1] && unsafe; e++) {
            int32_t i = r->cell[e];
            if (pattern->hidden[i] || !pattern->may[i]) continue;
            q->side[i] = 1;
            q->list_cut[count++] = i;
        }
        if (unsafe) TRY(keep_cut(q, q->list_cut, count, &violated));
        *added += violated;
    }
done:
    return status;
}

static Status run_at(Separator *q, int64_t most, int64_t *added) {
    Status status = OK;
    Pattern *pattern = q->pattern;
    TRY(prepare(q));
    q->whole = is_whole_pattern(q);
    TRY(union_cuts(q, added));
    for (int64_t k = 0; k < pattern->demands; k++) {
        q->asked[k].answered = false;
        q->asked[k].count = 0;
    }
    for (int64_t k = 0; k < pattern->demands && *added < most; k++) {
        bool violated;
        TRY(work_check(pattern->work));
        TRY(ask(q, &pattern->demand[(q->next + k) % pattern->demands], &violated));
        *added += violated;
    }
    q->next = pattern->demands ? (q->next + 7) % pattern->demands : 0;
done:
    put_away(q);
    return status;
}

/* Whole patterns near s give the stronger inequalities: cells from a share on count as hidden, the others as open. Only where none of those
 * is violated, s itself. */
Status separator_run(Separator *q, int64_t most, int64_t *added) {
    Status status = OK;
    static const double shares[] = { 0.7, 0.3, 1e-6 };
    int64_t n = q->pattern->m->cells;
    bool whole = true;
    *added = 0;
    for (int64_t i = 0; i < n; i++) whole &= q->s[i] < NONE || q->s[i] > 1 - NONE;
    for (int k = 0; k < 3 && !whole && !*added; k++) {
        for (int64_t i = 0; i < n; i++) q->at[i] = q->s[i] >= shares[k];
        TRY(run_at(q, most, added));
    }
    if (*added) goto done;
    memcpy(q->at, q->s, (size_t)n * sizeof *q->at);
    TRY(run_at(q, most, added));
done:
    return status;
}

static Status cover(Separator *q, int64_t of, double share, bool *violated) {
    Status status = OK;
    const Cut *from = &q->cuts->at[of];
    Cut cut = { 0 };
    double right = 1, reach = 0;
    *violated = false;
    for (int32_t k = 0; k < from->count; k++)
        if (q->s[from->cell[k]] >= share) right -= from->coefficient[k];
    if (right <= 1e-3 || right >= 1) return OK;
    for (int32_t k = 0; k < from->count; k++)
        if (q->s[from->cell[k]] < share) reach += fmin(from->coefficient[k] / right, 1) * q->s[from->cell[k]];
    if (reach > 1 - 1e-3) return OK;
    NEW(q->pattern->work, cut.cell, from->count + 1);
    NEW(q->pattern->work, cut.coefficient, from->count + 1);
    for (int32_t k = 0; k < from->count; k++) {
        if (q->s[from->cell[k]] >= share) continue;
        cut.cell[cut.count] = from->cell[k];
        cut.coefficient[cut.count++] = fmin(from->coefficient[k] / right, 1);
    }
    GROW(q->pattern->work, q->cuts->at, q->cuts->room, q->cuts->count + 1);
    q->cuts->at[q->cuts->count++] = cut;
    *violated = true;
done:
    return status;
}

Status separator_cover(Separator *q, int64_t first, int64_t *added) {
    Status status = OK;
    static const double shares[] = { 1 - 1e-6, 0.8, 0.6, 0.4 };
    int64_t end = q->cuts->count;
    *added = 0;
    for (int64_t c = first; c < end; c++) {
        bool violated = false;
        for (int k = 0; k < 4 && !violated; k++) TRY(cover(q, c, shares[k], &violated));
        *added += violated;
    }
done:
    return status;
}
