/* Points read off a picture: the staircase nearest to them into which the known records fit. */
#include <stdlib.h>
#include <string.h>
#include "attack/roc/roc.h"
#include "base/elementary.h"

/* A grid point that a given point may be, with the known groups placed by then (each as early as it goes: none can be placed that greed
 * cannot place), and the best way there: fewest ties, then the least sum of absolute deviations. */
typedef struct {
    int64_t tp, fp, groups, from;
    double ties, deviation, ways;
} State;
typedef struct {
    int64_t first, count;
} Layer;
typedef struct {
    int64_t tp_from, tp_to, fp_from, fp_to;
} Box;
typedef struct {
    const Points *points;
    const RocKnown *known;
    const int64_t *held; /* records in the first i groups */
    int64_t positives, negatives, missing;
    bool thinned; /* points may have been left out: a diagonal holds any number of groups */
    double error;
    int64_t count, room;
    State *at; /* all layers, one after the other */
    Layer *layer;
    int64_t slots, *slot; /* of the layer in work: state by grid point and groups, or -1 */
    int64_t transitions;
} Search;
static const double SAME = 1e-9; /* sums that differ by less are equal */
static const int64_t MOST_SLOTS = 1 << 22, MOST_TRANSITIONS = 400000000;

/* Candidates near point k; the ends of the curve are certain. */
static Box near_point(const Search *s, int64_t k) {
    double p = (double)s->positives, n = (double)s->negatives, x = s->points->fpr[k], y = s->points->tpr[k], e = s->error * (1 + 1e-9);
    if (k == 0) return (Box){ 0, 0, 0, 0 };
    if (k == s->points->count - 1) return (Box){ s->positives, s->positives, s->negatives, s->negatives };
    return (Box){ (int64_t)ceil(fmax(0, (y - e) * p) - 1e-9), (int64_t)floor(fmin(p, (y + e) * p) + 1e-9),
                  (int64_t)ceil(fmax(0, (x - e) * n) - 1e-9), (int64_t)floor(fmin(n, (x + e) * n) + 1e-9) };
}

static bool better(const State *a, const State *b) { return a->ties != b->ties ? a->ties < b->ties : a->deviation < b->deviation - SAME; }

/* Puts a state into the layer in work, or joins it with the one that is there. */
static Status offer(Work *work, Search *s, const Box *box, int64_t least, int64_t span, const State *state) {
    Status status = OK;
    int64_t place =
        ((state->tp - box->tp_from) * (box->fp_to - box->fp_from + 1) + state->fp - box->fp_from) * span + state->groups - least;
    int64_t at = s->slot[place];
    if (at < 0) {
        GROW(work, s->at, s->room, s->count + 1);
        s->slot[place] = s->count;
        s->at[s->count++] = *state;
    } else if (better(state, &s->at[at])) s->at[at] = *state;
    else if (!better(&s->at[at], state)) s->at[at].ways += state->ways;
done:
    return status;
}

static Status extend(Work *work, Search *s, int64_t k, int64_t from, const Box *box, int64_t least, int64_t span) {
    Status status = OK;
    for (int64_t tp = box->tp_from; tp <= box->tp_to; tp++)
        for (int64_t fp = box->fp_from; fp <= box->fp_to; fp++) {
            State old = s->at[from];
            if (tp < old.tp || fp < old.fp) continue;
            State next = { .tp = tp,
                           .fp = fp,
                           .from = from,
                           .ways = old.ways,
                           .ties = old.ties + (tp > old.tp && fp > old.fp),
                           .groups = (s->thinned ? groups_in_bag : groups_placed)(s->known, old.groups, tp - old.tp, fp - old.fp) };
            if (tp + fp - s->held[next.groups] > s->missing) continue;
            next.deviation = old.deviation + fabs((double)tp / (double)s->positives - s->points->tpr[k]) +
                             fabs((double)fp / (double)s->negatives - s->points->fpr[k]);
            TRY(offer(work, s, box, least, span, &next));
        }
done:
    return status;
}

static Status too_coarse(Work *work) {
    fail(work->error, BAD, "too many staircases lie within the tolerance");
    error_parameter(work->error, "tolerance");
    return error_advice(work->error, "read the picture more precisely, or give --positives");
}

static Status next_layer(Work *work, Search *s, int64_t k, const Layer *before, Layer *now) {
    Status status = OK;
    Box box = near_point(s, k);
    int64_t least = s->known->count, most = 0, spots = (box.tp_to - box.tp_from + 1) * (box.fp_to - box.fp_from + 1);
    for (int64_t i = before->first; i < before->first + before->count; i++) {
        if (s->at[i].groups < least) least = s->at[i].groups;
        int64_t reach = s->at[i].groups + (box.tp_to - s->at[i].tp) + (box.fp_to - s->at[i].fp) + 1;
        if (reach > most) most = reach;
    }
    if (most > s->known->count) most = s->known->count;
    int64_t span = most - least + 1;
    *now = (Layer){ s->count, 0 };
    if (spots <= 0 || !before->count) return OK;
    s->transitions += spots * before->count;
    if (spots * span > MOST_SLOTS || s->transitions > MOST_TRANSITIONS) return too_coarse(work);
    if (!s->slot) NEW(work, s->slot, MOST_SLOTS);
    memset(s->slot, 0xff, (size_t)(spots * span) * sizeof *s->slot);
    for (int64_t i = before->first; i < before->first + before->count; i++) TRY(extend(work, s, k, i, &box, least, span));
    now->count = s->count - now->first;
    TRY(work_check(work));
done:
    return status;
}

/* The best staircase for these numbers of positives and negatives: its last state, or -1; `reached` counts the points that could be
 * followed. */
static Status walk(Work *work, Search *s, int64_t *best, int64_t *reached) {
    Status status = OK;
    Layer layer = { 0, 1 }, next;
    s->count = s->transitions = 0;
    GROW(work, s->at, s->room, 1);
    s->at[s->count++] = (State){ .from = -1, .ways = 1 };
    *best = -1;
    for (int64_t k = 1; k < s->points->count; k++, layer = next) {
        *reached = k;
        TRY(next_layer(work, s, k, &layer, &next));
        if (!next.count) return OK;
    }
    for (int64_t i = layer.first; i < layer.first + layer.count; i++)
        if (s->at[i].groups == s->known->count && (*best < 0 || better(&s->at[i], &s->at[*best]))) *best = i;
done:
    return status;
}

static double nearest_deviation(const Points *points, int64_t positives, int64_t negatives, double error) {
    double sum = 0;
    for (int64_t k = 0; k < points->count; k++) {
        double y = points->tpr[k] * (double)positives, x = points->fpr[k] * (double)negatives;
        double dy = fabs(y - rint(y)) / (double)positives, dx = fabs(x - rint(x)) / (double)negatives;
        if (fmax(dx, dy) > error * (1 + 1e-9)) return INFINITY;
        sum += dx + dy;
    }
    return sum;
}

typedef struct {
    int64_t positives;
    double deviation;
} Guess;
static int by_deviation(const void *x, const void *y) {
    const Guess *a = x, *b = y;
    return (a->deviation > b->deviation) - (a->deviation < b->deviation);
}

static Status keep(Work *work, const Search *s, int64_t best, RocGrid *grid) {
    Status status = OK;
    grid->positives = s->positives;
    grid->negatives = s->negatives;
    grid->staircases = s->at[best].ways < 9e15 ? (int64_t)s->at[best].ways : INT64_MAX;
    grid->deviation = s->at[best].deviation;
    grid->reading = s->thinned ? THINNED : UNIT_STEPS;
    grid->joined = true;
    grid->digits = -1;
    NEW(work, grid->tp, s->points->count);
    NEW(work, grid->fp, s->points->count);
    for (int64_t k = s->points->count - 1, at = best; k >= 0; at = s->at[at].from, k--) {
        grid->tp[k] = s->at[at].tp;
        grid->fp[k] = s->at[at].fp;
    }
done:
    return status;
}

static Status nothing_near(Work *work, const Points *points, int64_t reached) {
    int64_t row = points->row[reached];
    fail(work->error, BAD, "no curve that contains the known records comes within the tolerance of point %lld", (long long)row + 1);
    if (row >= 0) error_row(work->error, row);
    return error_advice(work->error,
                        "check --n and that the known records are among those behind the curve, or allow a larger --tolerance");
}

/* Numbers of positives in order of how near the grid comes to the points; the best staircase of the first few decides. */
Status find_staircase(Work *work, const RocArgs *a, const Points *points, const RocKnown *known, RocGrid *grid) {
    enum { TRIALS = 24 };
    Status status = OK;
    Guess *guess;
    int64_t *held, guesses = 0, furthest = 0, best, reached = 0, hold = known->records - known->positives;
    State chosen = { .ties = INFINITY };
    Search s = { .points = points, .known = known, .error = a->tolerance, .missing = a->n - known->records };
    int64_t least = known->positives > 1 ? known->positives : 1, most = a->n - (hold > 1 ? hold : 1);
    if (a->positives != ABSENT) least = most = a->positives;
    *grid = (RocGrid){ .error = a->tolerance };
    NEW(work, held, known->count + 1);
    for (int64_t i = 0; i < known->count; i++) held[i + 1] = held[i] + known->at[i].positives + known->at[i].negatives;
    NEW(work, guess, most >= least ? most - least + 1 : 1);
    for (int64_t p = least; p <= most; p++) {
        double deviation = nearest_deviation(points, p, a->n - p, a->tolerance);
        if (deviation < INFINITY) guess[guesses++] = (Guess){ p, deviation };
    }
    if (guesses) qsort(guess, (size_t)guesses, sizeof *guess, by_deviation);
    s.held = held;
    s.thinned = a->collinear == COLLINEAR_THINNED;
    for (int64_t g = 0; g < guesses && g < TRIALS; g++) {
        s.positives = guess[g].positives;
        s.negatives = a->n - s.positives;
        TRY(walk(work, &s, &best, &reached));
        if (reached > furthest) furthest = reached;
        if (best >= 0 && better(&s.at[best], &chosen)) {
            chosen = s.at[best];
            TRY(keep(work, &s, best, grid));
        }
        if (g + 1 < guesses && g + 1 < TRIALS) continue;
        if (chosen.ties < INFINITY || s.thinned || a->collinear != COLLINEAR_AUTO) break;
        s.thinned = true; /* nothing fits: points may have been left out anywhere */
        g = -1;
    }
    if (chosen.ties == INFINITY) return nothing_near(work, points, furthest);
done:
    return status;
}
