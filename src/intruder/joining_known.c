/* Joining where it is known whose each record is: is the own record the likeliest, and how strongly is it believed in? */
#include <stdlib.h>
#include "intruder/joining_private.h"

enum { FEW = 8 };               /* records of which none need be sought in order */
static const double tie = 1e-9; /* scores that differ by less */

/* ---- sets of columns ---- */

typedef struct {
    const Numbers *n;
    View view;
    int64_t first, last; /* its columns: first ... last - 1 */
} ColumnSet;

/* In the order of compare_record (intruder/joining.c): each view with all columns, then (but for axes) with each alone. */
static ColumnSet set_of(const Join *join, int64_t set) {
    int64_t at = 0;
    for (int v = 0; v < VIEWS; v++) {
        const Numbers *n = &join->view[v];
        if (v == BY_AXES && n->columns < 2) continue;
        if (at++ == set) return (ColumnSet){ n, (View)v, 0, n->columns };
        for (int64_t j = 0; j < n->columns && v != BY_AXES && join->singly; j++)
            if (at++ == set) return (ColumnSet){ n, (View)v, j, j + 1 };
    }
    return (ColumnSet){ &join->view[0], AS_THEY_ARE, 0, join->view[0].columns };
}

static inline double cost_of(const ColumnSet *s, int64_t person, int64_t record) {
    double cost = 0;
    for (int64_t j = s->first; j < s->last; j++) cost += against(s->n, j, s->n->x[0][j][person], s->n->x[1][j][record]);
    return cost;
}

/* ---- records in order ---- */

typedef struct {
    double x;
    int32_t record;
} Placed;

static int by_place(const void *a, const void *b) {
    const Placed *p = a, *q = b;
    return p->x != q->x ? (p->x > q->x) - (p->x < q->x) : (p->record > q->record) - (p->record < q->record);
}

/* Records of each class by x, those without it last. */
static Status order_column(Join *join, const double *x, int32_t **out) {
    Status status = OK;
    const KeyGraph *graph = join->graph;
    Placed *placed = NULL;
    int64_t count = 0, *next = NULL;
    const int64_t classes = graph ? graph->releases : 1;
    NEW(join->work, placed, join->records + 1);
    NEW(join->work, *out, join->records + 1);
    NEW(join->work, next, classes + 1);
    for (int64_t r = 0; r < join->records; r++)
        if (!isnan(x[r])) placed[count++] = (Placed){ x[r], (int32_t)r };
    qsort(placed, (size_t)count, sizeof *placed, by_place);
    for (int64_t c = 0; c < classes; c++) next[c] = graph ? join->member_start[c] : 0;
    for (int64_t k = 0; k < count; k++) (*out)[next[graph ? graph->release_of[placed[k].record] : 0]++] = placed[k].record;
    for (int64_t r = 0; r < join->records; r++)
        if (isnan(x[r])) (*out)[next[graph ? graph->release_of[r] : 0]++] = (int32_t)r;
done:
    arena_drop(join->work->arena, placed);
    arena_drop(join->work->arena, next);
    return status;
}

/* Ranks and standardised numbers stand in the order of the numbers themselves. */
Status join_order_records(Join *join) {
    Status status = OK;
    for (int axes = 0; axes < 2; axes++) {
        const Numbers *n = &join->view[axes ? BY_AXES : AS_THEY_ARE];
        for (int64_t j = 0; j < n->columns && !(axes && n->columns < 2); j++) TRY(order_column(join, n->x[1][j], &join->order[axes][j]));
    }
done:
    return status;
}

/* A class of records in some column's order: places from ... to - 1. */
typedef struct {
    int64_t from, to;
} Places;

static Places places_of(const Join *join, int64_t class) {
    return join->graph ? (Places){ join->member_start[class], join->member_start[class + 1] } : (Places){ 0, join->records };
}

/* The first of these places whose value is not below x; above: that is above x. A missing value is above every number. */
static int64_t place_of(const double *value, const int32_t *order, Places in, double x, bool above) {
    while (in.from < in.to) {
        int64_t middle = in.from + (in.to - in.from) / 2;
        double v = value[order[middle]];
        if (v < x || (above && v == x)) in.from = middle + 1;
        else in.to = middle;
    }
    return in.from;
}

/* Records of a class that may cost no more than `most` lie between from and to of a column's order, or lack the column. */
typedef struct {
    const int32_t *order;
    Places near, lacking;
} Window;

static Window window_of(const Join *join, const ColumnSet *s, int64_t person, double most, Places class) {
    const int axes = s->view == BY_AXES;
    Window best = { join->order[axes][s->first], class, { 0, 0 } };
    int64_t fewest = class.to - class.from;
    for (int64_t j = s->first; j < s->last && fewest > FEW; j++) {
        const double truth = s->n->x[0][j][person], *value = s->n->x[1][j];
        const int32_t *order = join->order[axes][j];
        Window w = { .order = order };
        if (most >= s->n->most[j]) continue; /* any number may cost as little */
        if (!isnan(truth)) {
            double reach = sqrt(fmax(most, 0) / s->n->scale[j]) * (1 + 1e-9) + fabs(truth) * 1e-12;
            w.near.from = place_of(value, order, class, truth - reach, false);
            w.near.to = place_of(value, order, (Places){ w.near.from, class.to }, truth + reach, true);
        }
        if (s->n->absent[isnan(truth)][j] <= most) w.lacking = (Places){ place_of(value, order, class, INFINITY, true), class.to };
        int64_t count = w.near.to - w.near.from + w.lacking.to - w.lacking.from;
        if (count >= fewest) continue;
        fewest = count;
        best = w;
    }
    return best;
}

/* ---- guesses ---- */

typedef struct {
    const Join *join;
    ColumnSet set;
    int64_t person, own, ties;
    double score; /* of the own record */
} Guess;

/* False where the record is likelier than the own one. */
static inline bool meets(Guess *g, int64_t record, double weight) {
    double score = weight - cost_of(&g->set, g->person, record);
    if (score > g->score + tie) return false;
    g->ties += score >= g->score - tie;
    return true;
}

/* Against the records of one class. */
static bool guess_in_class(Guess *g, int64_t class, double weight) {
    const Window w = window_of(g->join, &g->set, g->person, weight + tie - g->score, places_of(g->join, class));
    for (int64_t k = w.near.from; k < w.near.to; k++)
        if (!meets(g, w.order[k], weight)) return false;
    for (int64_t k = w.lacking.from; k < w.lacking.to; k++)
        if (!meets(g, w.order[k], weight)) return false;
    return true;
}

static bool guess(Guess *g) {
    const Join *join = g->join;
    const KeyGraph *graph = join->graph;
    if (!graph) return guess_in_class(g, 0, 0);
    const int64_t truth = graph->truth_of[g->person];
    for (int64_t e = graph->start[truth]; e < graph->start[truth + 1]; e++) {
        if (join->weight[e] < g->score - tie) continue; /* even a record that costs nothing */
        if (!guess_in_class(g, graph->to[e], join->weight[e])) return false;
    }
    return true;
}

/* The weight of the own record by the keys; -infinity: they do not fit it. */
static double own_weight(const Join *join, int64_t person, int64_t own) {
    if (!join->graph) return 0;
    int64_t e = key_graph_edge(join->graph, join->graph->truth_of[person], join->graph->release_of[own]);
    return e < 0 ? -INFINITY : join->weight[e];
}

Status join_guess_known(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    const Join *join = self;
    (void)error;
    double *right = join->right + block * join->sets, *squares = join->squares + block * join->sets;
    for (int64_t k = first; k < last; k++) {
        const int64_t own = k * join->step, person = join->owner->row[own];
        const double weight = own_weight(join, person, own);
        for (int64_t s = 0; s < join->sets && weight > -INFINITY; s++) {
            Guess g = { .join = join, .set = set_of(join, s), .person = person, .own = own };
            g.score = weight - cost_of(&g.set, person, own);
            if (!guess(&g)) continue;
            double share = 1 / (double)(g.ties > 0 ? g.ties : 1);
            right[s] += share;
            squares[s] += share * share;
        }
    }
    return OK;
}

/* ---- beliefs by the chosen set ---- */

static void score_all(const Join *join, const ColumnSet *set, int64_t person, int64_t own, Score *out) {
    const KeyGraph *g = join->graph;
    *out = (Score){ -INFINITY, 0, 0, -INFINITY };
    if (!g) {
        for (int64_t r = 0; r < join->records; r++) score_add(out, -cost_of(set, person, r), r == own);
        return;
    }
    const int64_t truth = g->truth_of[person];
    for (int64_t e = g->start[truth]; e < g->start[truth + 1]; e++)
        for (int64_t m = join->member_start[g->to[e]]; m < join->member_start[g->to[e] + 1]; m++)
            score_add(out, join->weight[e] - cost_of(set, person, join->member[m]), join->member[m] == own);
}

Status join_believe_known(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    const Join *join = self;
    const ColumnSet set = set_of(join, join->chosen);
    (void)error;
    double *worst = join->worst + block * join->sets + join->chosen;
    for (int64_t k = first; k < last; k++) {
        const int64_t own = k * join->step;
        Score score;
        score_all(join, &set, join->owner->row[own], own, &score);
        const bool any = score.best > -INFINITY, fits = score.own > -INFINITY;
        join->own_right[own] = any && score.own >= score.best - tie ? 1 / score.ties : 0;
        join->own_belief[own] = any && fits ? exp(score.own - score.best) / score.sum : 0;
        *worst = fmax(*worst, join->own_belief[own]);
    }
    return OK;
}
