/* A corridor through the states of a curve: where placements are at some of the columns, and the states about a way from one to the next.
 * That it leaves out next to nothing is seen from the placements that keep to it, counted against all. */
#include <string.h>
#include "math/roc/placement_counts.h"

/* Columns at which placements are looked at, evenly from the first to the last, all ways to their states, and the states that matter. */
enum { STOPS = 64 };
typedef struct RocStops {
    int64_t column[STOPS + 1], low[STOPS + 1], high[STOPS + 1];
    double *number[STOPS + 1];
    int32_t *power[STOPS + 1];
} Stops;

static void drop_counts(Work *work, Stops *s) {
    for (int t = 0; s && t <= STOPS; t++) {
        arena_drop(work->arena, s->number[t]);
        arena_drop(work->arena, s->power[t]);
        s->number[t] = NULL;
        s->power[t] = NULL;
    }
}

/* The ways to the states of every stop, and to the end. */
static Status count_forward(Work *work, const RocBand *band, int64_t from, int64_t to, RocCorridor *c) {
    Status status = OK;
    RocLane lane = { 0 };
    Stops *s = c->stops;
    TRY(roc_lane_new(work, band, from, to, ROC_FORWARD, false, &lane));
    roc_lane_set(&lane, &c->whole, c->whole.first, &(double){ 1 }, &(int32_t){ 0 });
    for (int64_t t = 0; t <= STOPS; t++) {
        s->column[t] = c->whole.first + (c->whole.last - c->whole.first) * t / STOPS;
        TRY(roc_lane_go(work, &lane, s->column[t]));
        NEW(work, s->number[t], roc_rows(&c->whole, s->column[t]));
        NEW(work, s->power[t], roc_rows(&c->whole, s->column[t]));
        roc_lane_get(&lane, s->number[t], s->power[t]);
        work_show(work, "counting forward", (double)t / STOPS);
    }
    c->number = s->number[STOPS][0];
    c->power = s->power[STOPS][0];
done:
    roc_lane_drop(work, &lane);
    return status;
}

/* The states of the lane's column that matter; false where they may reach further down in the whole window. */
static bool find_states(const RocCorridor *c, const RocLane *lane, int stop, double *share) {
    Stops *s = c->stops;
    int64_t column = s->column[stop], at = column - c->whole.first, low = lane->window->low[at], high = lane->window->high[at];
    int64_t skip = low - c->whole.low[at], first = high + 1, last = low - 1;
    roc_products(share, s->number[stop] + skip, s->power[stop] + skip, lane->at[0] + low, lane->power + low, high - low + 1, c->power);
    for (int64_t r = low; r <= high; r++) {
        if (share[r - low] < 1e-18 * c->number) continue;
        first = r < first ? r : first;
        last = r;
    }
    s->low[stop] = first;
    s->high[stop] = last;
    return first <= last && (first > low || low == c->whole.low[at]);
}

/* The window between two stops: from the states of the later one back none lies above them, and how far below is tried. */
static void lay_near(const RocCorridor *c, int stop, double slack, RocWindow *near) {
    const Stops *s = c->stops;
    double low = (double)s->low[stop + 1] - slack;
    for (int64_t j = s->column[stop]; j <= s->column[stop + 1]; j++) {
        int64_t at = j - c->whole.first;
        near->low[at] = low > c->whole.low[at] ? (int32_t)low : c->whole.low[at];
        near->high[at] = s->high[stop + 1] < c->whole.high[at] ? (int32_t)s->high[stop + 1] : c->whole.high[at];
    }
    near->low[s->column[stop + 1] - c->whole.first] = (int32_t)s->low[stop + 1];
}

/* From the states of one stop back to those of the stop before. `number` and `power` hold the counts there. */
static Status step_back(Work *work, const RocCorridor *c, int stop, RocWindow *near, RocLane *lane, double *number, int32_t *power,
                        double *share) {
    Status status = OK;
    Stops *s = c->stops;
    int64_t columns = s->column[stop + 1] - s->column[stop], at = s->column[stop] - c->whole.first;
    double slack = (double)(s->high[stop + 1] - s->low[stop + 1]) +
                   3.0 * (double)lane->rows * (double)columns / (double)(c->whole.last - c->whole.first);
    for (bool found = false; !found; slack *= 4) {
        lay_near(c, stop, slack, near);
        roc_lane_set(lane, near, s->column[stop + 1], number, power);
        TRY(roc_lane_go(work, lane, s->column[stop]));
        found = find_states(c, lane, stop, share) || near->low[at] == c->whole.low[at];
    }
    if (s->low[stop] > s->high[stop]) goto done;
    memcpy(number, lane->at[0] + s->low[stop], (size_t)(s->high[stop] - s->low[stop] + 1) * sizeof *number);
    memcpy(power, lane->power + s->low[stop], (size_t)(s->high[stop] - s->low[stop] + 1) * sizeof *power);
done:
    return status;
}

static Status look_back(Work *work, const RocBand *band, int64_t from, int64_t to, RocCorridor *c) {
    Status status = OK;
    RocLane lane = { 0 };
    Stops *s = c->stops;
    double *number = NULL, *share = NULL;
    int32_t *power = NULL;
    NEW(work, number, to - from + 3);
    NEW(work, share, to - from + 3);
    NEW(work, power, to - from + 3);
    TRY(roc_lane_new(work, band, from, to, ROC_BACKWARD, false, &lane));
    s->low[STOPS] = s->high[STOPS] = lane.rows;
    number[0] = 1;
    for (int stop = STOPS - 1; stop >= 0; stop--) {
        TRY(step_back(work, c, stop, &c->narrow, &lane, number, power, share));
        if (s->low[stop] > s->high[stop]) break;
    }
done:
    arena_drop(work->arena, number);
    arena_drop(work->arena, share);
    arena_drop(work->arena, power);
    roc_lane_drop(work, &lane);
    return status;
}

/* From stop to stop, and the margin more on both sides, never falling; false where that leaves a column without a state. */
static bool lay_out(RocCorridor *c) {
    const Stops *s = c->stops;
    const RocWindow *whole = &c->whole;
    int64_t columns = whole->last - whole->first + 1;
    for (int64_t at = 0, t = 0; at < columns; at++) {
        while (t + 1 < STOPS && s->column[t + 1] <= whole->first + at) t++;
        double share = (double)(whole->first + at - s->column[t]) / (double)(s->column[t + 1] - s->column[t]);
        double low = (double)s->low[t] + share * (double)(s->low[t + 1] - s->low[t]) - c->margin;
        double high = (double)s->high[t] + share * (double)(s->high[t + 1] - s->high[t]) + c->margin;
        c->narrow.low[at] = low > whole->low[at] ? (int32_t)low : whole->low[at];
        c->narrow.high[at] = high < whole->high[at] ? (int32_t)high : whole->high[at];
    }
    for (int64_t at = columns - 1; at-- > 0;)
        if (c->narrow.low[at] > c->narrow.low[at + 1]) c->narrow.low[at] = c->narrow.low[at + 1];
    for (int64_t at = 1; at < columns; at++)
        if (c->narrow.high[at] < c->narrow.high[at - 1]) c->narrow.high[at] = c->narrow.high[at - 1];
    bool any = true;
    for (int64_t at = 0; at < columns; at++) any &= c->narrow.low[at] <= c->narrow.high[at];
    return any;
}

static void take_whole(RocCorridor *c) {
    size_t columns = (size_t)(c->whole.last - c->whole.first + 1);
    memcpy(c->narrow.low, c->whole.low, columns * sizeof *c->narrow.low);
    memcpy(c->narrow.high, c->whole.high, columns * sizeof *c->narrow.high);
}

void roc_corridor_widen(RocCorridor *c) {
    bool any = false;
    while (!any && isfinite(c->margin *= 2)) any = lay_out(c);
    if (!any || roc_states(&c->narrow) > 0.6 * c->states) take_whole(c);
}

Status roc_corridor(Work *work, const RocBand *band, int64_t from, int64_t to, RocCorridor *c) {
    Status status = OK;
    *c = (RocCorridor){ .margin = 2 };
    TRY(roc_window(work, band, from, to, &c->whole));
    TRY(roc_window_new(work, c->whole.first, c->whole.last, &c->narrow));
    NEW(work, c->stops, 1);
    c->states = roc_states(&c->whole);
    TRY(count_forward(work, band, from, to, c));
    TRY(look_back(work, band, from, to, c));
    for (int t = 0; t <= STOPS; t++) {
        double rows = (double)(c->stops->high[t] - c->stops->low[t]);
        c->margin = rows < 0 || !c->stops->low[t] ? INFINITY : fmax(c->margin, 0.1 * rows);
    }
    drop_counts(work, c->stops);
    roc_corridor_widen(c);
done:
    if (status) roc_corridor_drop(work, c);
    return status;
}

void roc_corridor_drop(Work *work, RocCorridor *c) {
    drop_counts(work, c->stops);
    arena_drop(work->arena, c->stops);
    c->stops = NULL;
    roc_window_drop(work, &c->whole);
    roc_window_drop(work, &c->narrow);
}
