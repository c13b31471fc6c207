/* A corridor through the states of a curve: where placements are at some of the rows, and the states about a way from one to the next. That
 * it leaves out next to nothing is seen from the placements that keep to it, counted against all. */
#include <string.h>
#include "math/roc/band.h"

/* Whether it fits is as good as drawn: no branch waits for it. */
static inline Scaled add_where(Scaled sum, Scaled more, bool fits) {
    if (sum.power != more.power) return fits ? scaled_add(sum, more) : sum;
    return scaled_add(sum, (Scaled){ more.mantissa * fits, more.power });
}

static inline bool plain_fit(const RocGroup *group, const RocStep *step) {
    return (group->positives <= step->positives) & (group->negatives <= step->negatives);
}

static void plain_forward(const RocBand *band, int64_t i, const Scaled *before, Scaled *now) {
    const RocGroup group = band->known->at[i - 1];
    int64_t first = band->first[i], origin = band->first[i - 1], end = band->last[i - 1] + 1, j = first;
    if (end > band->last[i]) end = band->last[i];
    Scaled sum = { 0 };
    for (; j <= origin && j <= band->last[i]; j++) now[j - first] = sum;
    for (; j <= end; j++) now[j - first] = sum = add_where(sum, before[j - 1 - origin], plain_fit(&group, &band->steps->at[j - 1]));
    for (; j <= band->last[i]; j++) now[j - first] = sum;
}

static void plain_backward(const RocBand *band, int64_t i, const Scaled *after, Scaled *now) {
    const RocGroup group = band->known->at[i];
    int64_t first = band->first[i], origin = band->first[i + 1], j = band->last[i];
    Scaled sum = { 0 };
    for (; j >= band->last[i + 1] && j >= first; j--) now[j - first] = sum;
    for (; j + 1 >= origin && j >= first; j--)
        now[j - first] = sum = add_where(sum, after[j + 1 - origin], plain_fit(&group, &band->steps->at[j]));
    for (; j >= first; j--) now[j - first] = sum;
}

void roc_forward_row(const RocBand *band, int64_t i, const Scaled *before, Scaled *now) {
    int64_t first = band->first[i], origin = band->first[i - 1];
    Scaled sum = { 0 };
    if (band->plain) {
        plain_forward(band, i, before, now);
        return;
    }
    for (int64_t j = first; j <= band->last[i]; j++) {
        int64_t taken = roc_taken(band->steps, &band->known->at[i - 1], j);
        if (taken && j - taken >= origin) sum = scaled_add(sum, before[j - taken - origin]);
        now[j - first] = sum;
    }
}

void roc_backward_row(const RocBand *band, int64_t i, const Scaled *after, Scaled *now) {
    int64_t first = band->first[i];
    Scaled sum = { 0 };
    if (band->plain) {
        plain_backward(band, i, after, now);
        return;
    }
    for (int64_t j = band->last[i]; j >= first; j--) {
        int64_t end = roc_ends(band, i, j);
        if (end) sum = scaled_add(sum, after[end - band->first[i + 1]]);
        now[j - first] = sum;
    }
}

void roc_ones(const RocBand *band, int64_t i, Scaled *row) {
    for (int64_t k = 0; k < roc_width(band, i); k++) row[k] = (Scaled){ 1, 0 };
}

/* Rows at which placements are looked at, evenly from the first to the last, and the states there that matter. */
enum { STOPS = 32 };
typedef struct {
    int64_t from, to, row[STOPS + 1], first[STOPS + 1], last[STOPS + 1];
    Scaled *forward[STOPS + 1], *rolling[2];
} Stops;

/* The placements that keep to the band; the counts at the stops are kept where there is room for them. */
static Status count_forward(Work *work, const RocBand *band, Stops *s, bool keep, Scaled *total) {
    Status status = OK;
    int stop = 0;
    for (int64_t i = s->from; i <= s->to; i++) {
        Scaled *now = s->rolling[i & 1];
        if (i == s->from) roc_ones(band, i, now);
        else roc_forward_row(band, i, s->rolling[(i - 1) & 1], now);
        if (keep && i == s->row[stop]) memcpy(s->forward[stop++], now, (size_t)roc_width(band, i) * sizeof *now);
        if (i % 256 == 0) TRY(work_check(work));
    }
    *total = s->rolling[s->to & 1][roc_width(band, s->to) - 1];
done:
    return status;
}

/* The states of `near` at a stop that matter; false where they may reach further down in the whole band. */
static bool find_states(const RocBand *band, const RocBand *near, Stops *s, int stop, const Scaled *backward, Scaled total) {
    int64_t i = s->row[stop], low = roc_width(near, i), high = -1;
    const Scaled *forward = s->forward[stop] + near->first[i] - band->first[i];
    for (int64_t k = 0; k < roc_width(near, i); k++) {
        if (roc_share(forward[k], backward[k], total) < 1e-18) continue;
        low = k < low ? k : low;
        high = k;
    }
    s->first[stop] = near->first[i] + low;
    s->last[stop] = near->first[i] + high;
    return high >= 0 && (low > 0 || near->first[i] == band->first[i]);
}

/* From the states of one stop back to those of the stop before: none lies above them, and how far below is tried. `known` holds the counts
 * at the one, then those at the other. */
static Status step_back(Work *work, const RocBand *band, Stops *s, int stop, RocBand *near, Scaled *known, Scaled total) {
    Status status = OK;
    int64_t later = s->row[stop + 1], rows = later - s->row[stop];
    double gap = (double)(band->last[s->to] - band->first[s->from]) / (double)(s->to - s->from);
    double slack = (double)(s->last[stop + 1] - s->first[stop + 1]) + 4 * gap * (double)rows;
    for (bool done = false; !done; slack *= 4) {
        double low = (double)s->first[stop + 1] - slack;
        const Scaled *after = known;
        for (int64_t i = later - 1; i >= s->row[stop]; i--) {
            near->first[i] = low > (double)band->first[i] ? (int64_t)low : band->first[i];
            near->last[i] = s->last[stop + 1] < band->last[i] ? s->last[stop + 1] : band->last[i];
            roc_backward_row(near, i, after, s->rolling[i & 1]);
            after = s->rolling[i & 1];
        }
        TRY(work_check(work));
        done = find_states(band, near, s, stop, after, total) || low <= (double)band->first[s->row[stop]];
    }
    memcpy(known, s->rolling[s->row[stop] & 1], (size_t)roc_width(near, s->row[stop]) * sizeof *known);
done:
    return status;
}

static Status look_back(Work *work, const RocBand *band, Stops *s, RocBand *near, Scaled total) {
    Status status = OK;
    Scaled *known = NULL;
    NEW(work, known, band->steps->count + 2);
    near->first[s->to] = band->first[s->to];
    near->last[s->to] = band->last[s->to];
    roc_ones(band, s->to, known);
    find_states(band, near, s, STOPS, known, total);
    for (int stop = STOPS - 1; stop >= 0; stop--) TRY(step_back(work, band, s, stop, near, known, total));
done:
    arena_drop(work->arena, known);
    return status;
}

/* From stop to stop, and `margin` more on both sides; how many states there are. */
static double lay_out(const RocBand *band, const Stops *s, double margin, RocBand *out) {
    double states = 0;
    for (int64_t i = s->from, stop = 0; i <= s->to; i++) {
        while (stop + 1 < STOPS && s->row[stop + 1] <= i) stop++;
        double share = (double)(i - s->row[stop]) / (double)(s->row[stop + 1] - s->row[stop]);
        double low = (double)s->first[stop] + share * (double)(s->first[stop + 1] - s->first[stop]) - margin;
        double high = (double)s->last[stop] + share * (double)(s->last[stop + 1] - s->last[stop]) + margin;
        out->first[i] = low > (double)band->first[i] ? (int64_t)low : band->first[i];
        out->last[i] = high < (double)band->last[i] ? (int64_t)high : band->last[i];
        states += (double)roc_width(out, i);
    }
    return states;
}

/* 1 − part/whole. */
static double left_out(Scaled part, Scaled whole) {
    int power = part.power - whole.power;
    return power < -1 || power > 1 ? 1 : fabs(1 - ldexp(part.mantissa / whole.mantissa, 256 * power));
}

static Status make_stops(Work *work, const RocBand *band, Stops *s) {
    Status status = OK;
    int64_t widest = 0;
    for (int64_t i = s->from; i <= s->to; i++) widest = roc_width(band, i) > widest ? roc_width(band, i) : widest;
    for (int b = 0; b < 2; b++) NEW(work, s->rolling[b], widest + 1);
    for (int64_t c = 0; c <= STOPS; c++) {
        s->row[c] = s->from + (s->to - s->from) * c / STOPS;
        NEW(work, s->forward[c], roc_width(band, s->row[c]) + 1);
    }
done:
    return status;
}

static bool worth_it(const RocBand *band, int64_t from, int64_t to, double states) {
    enum { FEWEST_STATES = 1 << 20, FEWEST_ROWS = 8 * STOPS };
    return band->plain && states >= FEWEST_STATES && to - from >= FEWEST_ROWS;
}

Status roc_corridor(Work *work, const RocBand *band, int64_t from, int64_t to, RocBand *out, Scaled *total, bool *found) {
    Status status = OK;
    Stops s = { .from = from, .to = to };
    Scaled within;
    double states = 0, margin = 16;
    *found = false;
    *out = *band;
    out->first = out->last = NULL;
    for (int64_t i = from; i <= to; i++) states += (double)roc_width(band, i);
    if (!worth_it(band, from, to, states)) return OK;
    TRY(make_stops(work, band, &s));
    NEW(work, out->first, band->known->count + 1);
    NEW(work, out->last, band->known->count + 1);
    TRY(count_forward(work, band, &s, true, total));
    TRY(look_back(work, band, &s, out, *total));
    bool sound = true;
    for (int c = 0; c <= STOPS; c++) {
        margin = fmax(margin, 0.1 * (double)(s.last[c] - s.first[c]));
        sound &= s.first[c] <= s.last[c];
    }
    for (; sound && !*found && lay_out(band, &s, margin, out) < 0.6 * states; margin *= 2) {
        TRY(count_forward(work, out, &s, false, &within));
        *found = left_out(within, *total) <= 1e-12;
    }
done:
    for (int b = 0; b < 2; b++) arena_drop(work->arena, s.rolling[b]);
    for (int c = 0; c <= STOPS; c++) arena_drop(work->arena, s.forward[c]);
    if (status || !*found) roc_corridor_drop(work, out);
    return status;
}

void roc_corridor_drop(Work *work, RocBand *corridor) {
    arena_drop(work->arena, corridor->first);
    arena_drop(work->arena, corridor->last);
    corridor->first = corridor->last = NULL;
}
