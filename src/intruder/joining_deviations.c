/* Joining: how far released numbers are from their own: by the owners, by what the release says was done, or by EM; and without owners
 * whether the numbers tell anything of whose they are. */
#include <stdlib.h>
#include <string.h>
#include "base/compare.h"
#include "base/elementary.h"
#include "base/extremes.h"
#include "base/number_text.h"
#include "base/sort.h"
#include "intruder/joining_private.h"
#include "math/ranks.h"
#include "math/rounding.h"

enum { EM_ROUNDS = 30, EM_ITEMS = 100 };

/* ---- deviations ---- */

static double smallest_step(double *x, int64_t count) {
    double step = 0;
    qsort(x, (size_t)count, sizeof *x, ascending_real);
    for (int64_t i = 1; i < count; i++)
        if (x[i] > x[i - 1] && (step == 0 || x[i] - x[i - 1] < step)) step = x[i] - x[i - 1];
    return step;
}

/* A number that a release lacks speaks for its own person less than an equal one. With shares a and b of the numbers missing before and
 * after, (b - a)/(1 - a) of those that were there were suppressed; the likelihoods are divided by b, that of anybody (Fellegi & Sunter). */
static void weigh_absence(Join *join, Numbers *n) {
    for (int64_t j = 0; j < n->columns; j++) {
        double share[2];
        for (int side = 0; side < 2; side++) {
            int64_t rows = side ? join->records : join->people, missing = 0;
            for (int64_t i = 0; i < rows; i++) missing += isnan(n->x[side][j][i]);
            share[side] = (double)missing / (double)rows;
        }
        double least = 0.5 / (double)join->records, after = share[1] > least ? share[1] : least;
        double suppressed = share[0] < 1 ? (share[1] - share[0]) / (1 - share[0]) : 0;
        n->lost[j] = log((suppressed > least ? suppressed : least) / after);
        n->lacked[j] = -log(after);
    }
}

/* From a deviation, the share of values that keep to it, and the range of the column: twice the deviation of a normal density, cut where a
 * value drawn again from the range is as likely. */
static void set_scale(Numbers *n, int64_t j, double deviation, double near, double range) {
    deviation = fmax(deviation, 1e-9 * range);
    deviation = fmax(deviation, n->step[j] / 2.5066282746310002); /* on a grid no density is above one over its step */
    if (!(deviation > 0)) deviation = 1e-300;                     /* one value in both tables */
    near = smaller(larger(near, 1e-3), 1 - 1e-4);
    n->scale[j] = 1 / (2 * deviation * deviation);
    double equal = log(near * fmax(range, deviation) / (deviation * 2.5066282746310002)); /* likelier than for anybody, when equal */
    double most = equal - log(1 - near);
    n->most[j] = fmax(most, 1);
    const double lost = equal - n->lost[j], lacked = equal - n->lacked[j];
    n->absent[0][j] = lost > 0 ? lost : 0;
    n->absent[1][j] = lacked > 0 ? lacked : 0;
    n->density[j] = log(near / (deviation * 2.5066282746310002));
}

static double range_of(const double *x, int64_t rows) {
    double low = INFINITY, high = -INFINITY;
    for (int64_t i = 0; i < rows; i++) {
        if (x[i] < low) low = x[i];
        if (x[i] > high) high = x[i];
    }
    return high > low ? high - low : 0;
}

/* Owners are known: by the median of the differences, and then by those within four times that. */
static Status scale_by_owners(Join *join, Numbers *n) {
    Status status = OK;
    double *gap = NULL;
    NEW(join->work, gap, join->records + 1);
    for (int64_t j = 0; j < n->columns; j++) {
        int64_t count = 0, near = 0;
        double squares = 0, range = range_of(n->x[1][j], join->records);
        for (int64_t i = 0; i < join->records; i++) {
            double d = n->x[1][j][i] - n->x[0][j][join->owner->row[i]];
            if (!isnan(d)) gap[count++] = fabs(d);
        }
        qsort(gap, (size_t)count, sizeof *gap, ascending_real);
        double reach = count ? fmax(4 * 1.4826 * gap[count / 2], 1e-9 * range) : 0;
        for (; near < count && gap[near] <= reach; near++) squares += gap[near] * gap[near];
        set_scale(n, j, near ? sqrt(squares / (double)near) : 0, count ? (double)near / (double)count : 0.5, range);
    }
done:
    arena_drop(join->work->arena, gap);
    return status;
}

/* ---- by what the release says was done ---- */

/* The deviation that a step adds, after it has turned the person's own numbers into what it makes of them; NaN: it cannot be told. noisy: a
 * step before it added noise. */
static double follow_step(const Treatment *t, bool noisy, double *x, int64_t rows) {
    double low = NAN, high = NAN;
    switch (t->kind) {
    case TREATED_NOISY: return t->amount;
    case TREATED_DITHERED: return 0.5 * t->amount;
    case TREATED_ROUNDED:
    case TREATED_ROUNDED_DOWN:
        if (noisy) return 0.5 * t->amount;
        for (int64_t i = 0; i < rows; i++) {
            if (isnan(x[i])) continue;
            const RoundingParts part = rounding_parts(x[i], t->amount);
            const bool up = t->kind == TREATED_ROUNDED && (x[i] < 0 ? part.fraction > 0.5 : part.fraction >= 0.5);
            x[i] = rounding_multiple(part.below + up, t->amount);
        }
        return 0;
    case TREATED_CODED:
        if (!isnan(t->low) && !(t->to[0] && read_real(t->to[0], t->to[0] + strlen(t->to[0]), '.', &low))) return NAN;
        if (!isnan(t->high) && !(t->to[1] && read_real(t->to[1], t->to[1] + strlen(t->to[1]), '.', &high))) return NAN;
        for (int64_t i = 0; i < rows; i++) {
            if (x[i] < t->low) x[i] = low;
            else if (x[i] > t->high) x[i] = high;
        }
        return 0;
    default: return NAN;
    }
}

/* x: the numbers of the original, turned into what their own released ones are near to. *deviation is NaN where a step is not described. */
static void follow_steps(const Treatment *done, double *x, int64_t rows, double *deviation) {
    if (!done) {
        *deviation = 0;
        return;
    }
    follow_steps(done->before, x, rows, deviation);
    if (isnan(*deviation)) return;
    const double added = follow_step(done, *deviation > 0, x, rows);
    *deviation = sqrt(*deviation * *deviation + added * added);
}

/* Exchanged values: those of a neighbour in rank differ evenly over the window; others are those of anybody. */
static bool only_exchanged(const Treatment *t) { return t && !t->before && (t->kind == TREATED_RANKED || t->kind == TREATED_SWAPPED); }

static Status scale_by_steps(Join *join, Columns after, bool *known) {
    Status status = OK;
    Numbers *n = &join->view[AS_THEY_ARE];
    double *x[JOIN_COLUMNS], deviation[JOIN_COLUMNS];
    *known = true;
    for (int64_t j = 0; j < n->columns && *known; j++) {
        const Treatment *done = after.at[j]->treatment;
        NEW(join->work, x[j], join->people + 1);
        memcpy(x[j], n->x[0][j], (size_t)join->people * sizeof *x[j]);
        if (only_exchanged(done)) deviation[j] = done->kind == TREATED_RANKED ? done->amount / sqrt(3) : 0;
        else follow_steps(done, x[j], join->people, &deviation[j]);
        *known = !isnan(deviation[j]);
    }
    for (int64_t j = 0; j < n->columns && *known; j++) {
        const Treatment *done = after.at[j]->treatment;
        const bool ranked = only_exchanged(done) && done->kind == TREATED_RANKED;
        n->x[0][j] = ranked ? join->view[BY_RANK].x[0][j] : x[j];
        if (ranked) n->x[1][j] = join->view[BY_RANK].x[1][j];
        n->step[j] = 0; /* equal numbers are equal */
        set_scale(n, j, deviation[j], only_exchanged(done) && !ranked ? 1 - done->amount : 1, range_of(n->x[1][j], join->records));
    }
done:
    return status;
}

/* ---- without owners: deviations by EM ---- */

/* Each item comes from one of the centres, with the same chance: released records from people or, where there are as many records as people,
 * people from records. */
typedef struct {
    Join *join;
    Numbers *n;
    int64_t items, centres, tried;
    double *weight;
    const int64_t
        *stands_in;  /* tried item -> a candidate whose numbers it has in place of its own ones, and which is none any more; NULL */
    bool apart;      /* nor is one with the same numbers */
    int64_t *beside; /* tried item x column -> the candidate nearest to that one, which is moved to its number; -1: none */
    double *shift;   /* tried item x column -> added to the numbers that the item has from it */
} Em;

static inline int64_t item_of(const Em *em, int64_t t) { return t * (em->items / em->tried); }

/* Logs of the weights of all centres by the keys. */
static void weigh_by_keys(const Em *em, int64_t item) {
    const Join *join = em->join;
    const KeyGraph *g = join->graph;
    for (int64_t c = 0; c < em->centres; c++) em->weight[c] = g ? -INFINITY : 0;
    if (!g) return;
    if (join->sampled) {
        for (int64_t c = 0; c < em->centres; c++) {
            const int64_t e = key_graph_edge(g, g->truth_of[c], g->release_of[item]);
            if (e >= 0) em->weight[c] = join->weight[e];
        }
        return;
    }
    for (int64_t e = g->start[g->truth_of[item]]; e < g->start[g->truth_of[item] + 1]; e++)
        for (int64_t m = join->member_start[g->to[e]]; m < join->member_start[g->to[e] + 1]; m++)
            em->weight[join->member[m]] = join->weight[e];
}

static bool same_numbers(const Numbers *n, int side, int64_t a, int64_t b) {
    for (int64_t j = 0; j < n->columns; j++)
        if (!(n->x[side][j][a] == n->x[side][j][b] || (isnan(n->x[side][j][a]) && isnan(n->x[side][j][b])))) return false;
    return true;
}

static inline double number_of(const Em *em, int64_t t, int64_t centre, int64_t j) {
    const bool moved = em->stands_in && em->beside[t * em->n->columns + j] == centre;
    return em->n->x[em->join->sampled ? 0 : 1][j][moved ? em->stands_in[t] : centre];
}

static inline double item_number(const Em *em, int64_t t, int64_t j) {
    const int side = em->join->sampled ? 0 : 1;
    if (!em->stands_in || em->stands_in[t] < 0) return em->n->x[!side][j][item_of(em, t)];
    return em->n->x[side][j][em->stands_in[t]] + em->shift[t * em->n->columns + j];
}

/* The weights of all centres for one item under one view, all columns together, in units of the largest: their sum is in *sum. Given back is
 * the log of the item's likelihood, but for a constant; -infinity: there is no candidate. */
static double weigh_item(const Em *em, int64_t t, double *sum) {
    const Join *join = em->join;
    const Numbers *n = em->n;
    const int side = join->sampled ? 0 : 1; /* of the centres */
    const int64_t item = item_of(em, t), own = em->stands_in ? em->stands_in[t] : -1;
    double best = -INFINITY, candidates = 0;
    weigh_by_keys(em, item);
    *sum = 0;
    for (int64_t c = 0; c < em->centres; c++) {
        double *weight = &em->weight[c];
        if (own >= 0 && (c == own || (em->apart && same_numbers(n, side, c, own)))) *weight = -INFINITY;
        if (*weight == -INFINITY) continue;
        candidates += exp(*weight);
        for (int64_t j = 0; j < n->columns; j++) {
            const double centre = number_of(em, t, c, j), x = item_number(em, t, j);
            *weight -= join->sampled ? against(n, j, centre, x) : against(n, j, x, centre);
        }
        if (*weight > best) best = *weight;
    }
    if (best == -INFINITY) return best;
    for (int64_t c = 0; c < em->centres; c++) {
        em->weight[c] = em->weight[c] > best - 40 ? exp(em->weight[c] - best) : 0;
        *sum += em->weight[c];
    }
    return best + log(*sum / candidates);
}

static double density_of(const Numbers *n) {
    double density = 0;
    for (int64_t j = 0; j < n->columns; j++) density += n->density[j];
    return density;
}

/* Weighs all centres for some items and takes the deviations that these weights give; *out is the log of the likelihood before. */
static Status em_round(const Em *em, double *out) {
    Status status = OK;
    Join *join = em->join;
    Numbers *n = em->n;
    double squares[JOIN_COLUMNS] = { 0 }, known[JOIN_COLUMNS] = { 0 };
    const double density = density_of(n);
    TRY(work_check(join->work));
    *out = density * (double)em->tried;
    for (int64_t t = 0; t < em->tried; t++) {
        double sum, score = weigh_item(em, t, &sum);
        if (sum > 0) *out += score;
        for (int64_t c = 0; c < em->centres && sum > 0; c++)
            for (int64_t j = 0; j < n->columns && em->weight[c] > 0; j++) {
                double d = number_of(em, t, c, j) - item_number(em, t, j);
                if (isnan(d) || d * d * n->scale[j] >= n->most[j]) continue;
                squares[j] += em->weight[c] / sum * d * d;
                known[j] += em->weight[c] / sum;
            }
    }
    for (int64_t j = 0; j < n->columns; j++)
        if (known[j] > 0) set_scale(n, j, sqrt(squares[j] / known[j]), 0.95, range_of(n->x[1][j], join->records));
done:
    return status;
}

static Status em_on(const Em *em, double *out) {
    Status status = OK;
    double before = -INFINITY;
    for (int round = 0; round < EM_ROUNDS; round++) {
        TRY(em_round(em, out));
        if (*out - before < 0.002 * (double)em->tried) break;
        before = *out;
    }
done:
    return status;
}

static Status em_from(const Em *em, double share, double *out) {
    for (int64_t j = 0; j < em->n->columns; j++) {
        double range = range_of(em->n->x[1][j], em->join->records);
        set_scale(em->n, j, range * share, 0.95, range);
    }
    return em_on(em, out);
}

static Status set_steps(Join *join, Numbers *n) {
    Status status = OK;
    double *x = NULL;
    NEW(join->work, x, join->records + 1);
    for (int64_t j = 0; j < n->columns; j++) {
        int64_t count = 0;
        for (int64_t i = 0; i < join->records; i++)
            if (!isnan(n->x[1][j][i])) x[count++] = n->x[1][j][i];
        n->step[j] = smallest_step(x, count);
    }
done:
    arena_drop(join->work->arena, x);
    return status;
}

/* EM finds the nearest maximum of the likelihood: it starts from wide, narrow and no deviations, and goes on from the likeliest. go_on: one
 * more start is from the deviations at hand. */
static Status fit_deviations(const Em *em, bool go_on) {
    Status status = OK;
    static const double start[] = { 0, 1e-4, 1e-3, 0.01, 0.1 };
    enum { STARTS = sizeof start / sizeof *start };
    double likelihood, most = -INFINITY;
    Numbers best = *em->n;
    if (go_on) {
        TRY(em_on(em, &most));
        best = *em->n;
    }
    for (int s = 0; s < STARTS; s++) {
        TRY(em_from(em, start[s], &likelihood));
        if (likelihood <= most) continue;
        most = likelihood;
        best = *em->n;
    }
    *em->n = best;
done:
    return status;
}

/* ---- do the numbers tell whose they are? ---- */

/* Log likelihoods of items whose numbers are all there. */
static void score_items(Em *em, double *score) {
    const Numbers *n = em->n;
    const double density = density_of(n);
    for (int64_t t = 0; t < em->tried; t++) {
        double sum;
        bool whole = true;
        for (int64_t j = 0; j < n->columns; j++) whole &= !isnan(item_number(em, t, j));
        score[t] = whole ? weigh_item(em, t, &sum) + density : NAN;
    }
}

/* Share of the records that are alike in all numbers with another, by one side. */
static Status share_alike(Join *join, const Numbers *n, int side, double *out) {
    Status status = OK;
    const int64_t rows = side ? join->records : join->people;
    int64_t alike = 0, *order = NULL, present;
    NEW(join->work, order, rows + 1);
    TRY(order_reals(join->work, n->x[side][0], rows, order, &present));
    for (int64_t i = 0; i < present; i++)
        alike +=
            (i > 0 && same_numbers(n, side, order[i], order[i - 1])) || (i + 1 < present && same_numbers(n, side, order[i], order[i + 1]));
    *out = rows ? (double)alike / (double)rows : 0;
done:
    arena_drop(join->work->arena, order);
    return status;
}

/* The candidate of the weights at hand whose number is nearest to x, and how far it is; `but` is none. */
static int64_t nearest_in(const Em *em, int64_t j, double x, int64_t but, double *gap) {
    const double *number = em->n->x[em->join->sampled ? 0 : 1][j];
    int64_t nearest = -1;
    *gap = INFINITY;
    for (int64_t c = 0; c < em->centres; c++) {
        if (c == but || em->weight[c] == -INFINITY || !(fabs(number[c] - x) < *gap)) continue;
        *gap = fabs(number[c] - x);
        nearest = c;
    }
    return nearest;
}

/* Which candidate stands in for each item. In each column another candidate is moved to its number, and the item has that number as far off
 * as its own one is from the nearest of any candidate: numbers that were only exchanged between records, or that stand on a grid, do so
 * here as well. Of a single column that would leave nothing to tell. */
static Status choose_stand_ins(Em *em, int64_t *stands_in) {
    Status status = OK;
    const int64_t columns = em->n->columns;
    const int side = em->join->sampled ? 0 : 1;
    NEW(em->join->work, em->beside, em->tried * columns + 1);
    NEW(em->join->work, em->shift, em->tried * columns + 1);
    for (int64_t t = 0; t < em->tried; t++) {
        const int64_t item = item_of(em, t);
        int64_t candidates = 0, place;
        weigh_by_keys(em, item);
        for (int64_t c = 0; c < em->centres; c++) candidates += em->weight[c] > -INFINITY;
        stands_in[t] = -1;
        for (int64_t j = 0; j < columns; j++) em->beside[t * columns + j] = -1;
        if (!candidates) continue;
        place = (int64_t)(((uint64_t)(item + 1) * 0x9e3779b97f4a7c15u >> 20) % (uint64_t)candidates);
        for (int64_t c = 0; c < em->centres && stands_in[t] < 0; c++)
            if (em->weight[c] > -INFINITY && !place--) stands_in[t] = c;
        for (int64_t j = 0; j < columns && columns > 1; j++) {
            const double x = em->n->x[!side][j][item], own = em->n->x[side][j][stands_in[t]];
            double gap;
            const int64_t nearest = nearest_in(em, j, x, -1, &gap);
            if (nearest < 0) continue;
            em->shift[t * columns + j] = x - em->n->x[side][j][nearest];
            em->beside[t * columns + j] = nearest_in(em, j, own, stands_in[t], &gap);
        }
    }
done:
    return status;
}

/* The numbers tell something where people's own numbers lie nearer to some record than the numbers of another record do: with a candidate's
 * numbers instead of the person's own, and that candidate left out, likelihoods must be lower by three standard errors. A density fitted to
 * points nearby would else pass for knowledge of whose they are. */
static Status numbers_tell(Em *em, bool *out) {
    Status status = OK;
    enum { STANDARD_ERRORS = 3 };
    double *own = NULL, *other = NULL, alike[2], n = 0, sum = 0, squares = 0;
    int64_t *stands_in = NULL;
    Numbers kept = *em->n;
    const int side = em->join->sampled ? 0 : 1;
    NEW(em->join->work, own, em->tried + 1);
    NEW(em->join->work, other, em->tried + 1);
    NEW(em->join->work, stands_in, em->tried + 1);
    score_items(em, own);
    for (int s = 0; s < 2; s++) TRY(share_alike(em->join, em->n, s, &alike[s]));
    TRY(choose_stand_ins(em, stands_in));
    em->stands_in = stands_in;
    em->apart = alike[side] > alike[!side] + 0.5; /* the release made groups of equal numbers */
    TRY(fit_deviations(em, true));
    score_items(em, other);
    for (int64_t t = 0; t < em->tried; t++) {
        const double more = own[t] - other[t];
        if (!isfinite(more)) continue;
        n++;
        sum += more;
        squares += more * more;
    }
    const double mean = n > 0 ? sum / n : 0, variance = n > 1 ? (squares / n - mean * mean) / (n - 1) : 0;
    *out = n > 1 && mean > STANDARD_ERRORS * sqrt(variance > 0 ? variance : 0);
done:
    em->stands_in = NULL;
    em->apart = false;
    *em->n = kept;
    arena_drop(em->join->work->arena, own);
    arena_drop(em->join->work->arena, other);
    arena_drop(em->join->work->arena, stands_in);
    arena_drop(em->join->work->arena, em->beside);
    arena_drop(em->join->work->arena, em->shift);
    return status;
}

static Status scale_by_em(Join *join, Numbers *n, bool *tells) {
    Status status = OK;
    Em em = { .join = join, .n = n, .items = join->sampled ? join->records : join->people };
    em.centres = join->sampled ? join->people : join->records;
    em.tried = em.items < EM_ITEMS ? em.items : EM_ITEMS;
    if ((double)em.tried * (double)em.centres > 1e6) em.tried = (int64_t)(1e6 / (double)em.centres) + 1;
    NEW(join->work, em.weight, em.centres + 1);
    TRY(set_steps(join, n));
    TRY(fit_deviations(&em, false));
    TRY(numbers_tell(&em, tells));
done:
    arena_drop(join->work->arena, em.weight);
    return status;
}

Status join_scale(Join *join, Columns after) {
    Status status = OK;
    bool known = false;
    for (int v = 0; v < VIEWS; v++) {
        weigh_absence(join, &join->view[v]);
        join->tells[v] = true;
    }
    if (!join->owner->known && join->described) TRY(scale_by_steps(join, after, &known));
    if (known) join->views = AS_THEY_ARE + 1;
    for (int v = 0; v < join->views && !known; v++)
        TRY(join->owner->known ? scale_by_owners(join, &join->view[v]) : scale_by_em(join, &join->view[v], &join->tells[v]));
done:
    return status;
}
