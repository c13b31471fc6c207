/* What the missing records are, and how often, of the many placements of a long part of a curve: a column of states after another, in a
 * corridor that leaves out next to nothing. */
#include <string.h>
#include "math/roc/placement_counts.h"

enum { LEAST_CHUNK = 1 << 16 }; /* states held in memory at once, or more where that keeps fewer first columns */

/* Columns of ways forward: chunks of them, of which the first is kept and the others are counted again when they are asked for. */
typedef struct {
    const RocBand *band;
    const RocCorridor *corridor;
    int64_t from, to, chunks, chunk_room, *chunk; /* first columns; chunk[chunks]: the last column */
    int64_t first;                                /* column that is stored first, and where the columns from it on begin */
    int64_t *start, start_room, room, power_room;
    double *number;
    int32_t *power;
    int64_t kept_room, kept_power_room, *kept_at, kept_at_room;
    double *kept;
    int32_t *kept_power;
    double *share, *positive, *weight; /* by rank from `rank` on */
    int64_t rank;
} Weigher;

static inline int64_t low_at(const Weigher *w, int64_t j) { return w->corridor->narrow.low[j - w->corridor->narrow.first]; }
static inline int64_t high_at(const Weigher *w, int64_t j) { return w->corridor->narrow.high[j - w->corridor->narrow.first]; }

/* A chunk's states and the first columns of all chunks, chunk + states/chunk·widest together, are fewest at √(states·widest). */
static Status cut_chunks(Work *work, Weigher *w) {
    Status status = OK;
    const RocWindow *window = &w->corridor->narrow;
    int64_t widest = 0;
    for (int64_t j = window->first; j <= window->last; j++) widest = roc_rows(window, j) > widest ? roc_rows(window, j) : widest;
    double best = sqrt(roc_states(window) * (double)widest);
    int64_t most = best > LEAST_CHUNK ? (int64_t)best : LEAST_CHUNK, states = most + 1, kept = 0;
    w->chunks = 0;
    for (int64_t j = window->first; j < window->last; j++) {
        if (states > most) {
            GROW(work, w->chunk, w->chunk_room, w->chunks + 2);
            GROW(work, w->kept_at, w->kept_at_room, w->chunks + 2);
            w->kept_at[w->chunks] = kept;
            w->chunk[w->chunks++] = j;
            kept += roc_rows(window, j);
            states = 0;
        }
        states += roc_rows(window, j);
    }
    w->chunk[w->chunks] = window->last;
    GROW(work, w->kept, w->kept_room, kept);
    GROW(work, w->kept_power, w->kept_power_room, kept);
done:
    return status;
}

/* 1 − part/whole. */
static double left_out(double part, int32_t part_power, double whole, int32_t whole_power) {
    int32_t apart = part_power - whole_power;
    return apart < -64 || apart > 64 ? 1 : fabs(1 - ldexp(part / whole, apart));
}

/* The first columns of all chunks, and how much of all placements the corridor leaves out. */
static Status count_chunks(Work *work, Weigher *w, double *out) {
    Status status = OK;
    RocLane lane = { 0 };
    TRY(cut_chunks(work, w));
    TRY(roc_lane_new(work, w->band, w->from, w->to, ROC_FORWARD, false, &lane));
    roc_lane_set(&lane, &w->corridor->narrow, w->chunk[0], &(double){ 1 }, &(int32_t){ 0 });
    for (int64_t c = 0; c < w->chunks; c++) {
        TRY(roc_lane_go(work, &lane, w->chunk[c]));
        roc_lane_get(&lane, w->kept + w->kept_at[c], w->kept_power + w->kept_at[c]);
    }
    TRY(roc_lane_go(work, &lane, w->chunk[w->chunks]));
    *out = left_out(lane.at[0][lane.rows], lane.power[lane.rows], w->corridor->number, w->corridor->power);
done:
    roc_lane_drop(work, &lane);
    return status;
}

static void store(void *self, const RocLane *lane, int count) {
    Weigher *w = self;
    for (int t = 1; t <= count; t++) {
        int64_t j = lane->column + t, low = low_at(w, j), rows = high_at(w, j) - low + 1;
        memcpy(w->number + w->start[j - w->first], lane->at[t] + low, (size_t)rows * sizeof *w->number);
        memcpy(w->power + w->start[j - w->first], lane->power + low, (size_t)rows * sizeof *w->power);
    }
}

/* The ways to the states of a chunk, but for those of the next one's first column. */
static Status forward_chunk(Work *work, Weigher *w, RocLane *lane, int64_t c) {
    Status status = OK;
    const RocWindow *window = &w->corridor->narrow;
    int64_t end = w->chunk[c + 1] - 1, states = 0, first = roc_rows(window, w->chunk[c]);
    w->first = w->chunk[c];
    GROW(work, w->start, w->start_room, end - w->first + 1);
    for (int64_t j = w->first; j <= end; j++) {
        w->start[j - w->first] = states;
        states += roc_rows(window, j);
    }
    GROW(work, w->number, w->room, states);
    GROW(work, w->power, w->power_room, states);
    memcpy(w->number, w->kept + w->kept_at[c], (size_t)first * sizeof *w->number);
    memcpy(w->power, w->kept_power + w->kept_at[c], (size_t)first * sizeof *w->power);
    roc_lane_set(lane, window, w->first, w->number, w->power);
    TRY(roc_lane_go(work, lane, end));
done:
    return status;
}

/* `size` missing records, `positives` of them of status 1, in the ranks from one on. */
static inline void record(Weigher *w, int64_t rank, int64_t size, int64_t positives, double share) {
    double positive = share * (double)positives / (double)size;
    for (int64_t r = rank - w->rank; r < rank - w->rank + size; r++) {
        w->positive[r] += positive;
        w->weight[r] += share;
    }
}

/* Step j holds missing records only, after as many groups as each row has. */
static void record_free(Weigher *w, int64_t j, const double *after, const int32_t *after_power) {
    const RocStep *step = &w->band->steps->at[j - 1];
    int64_t low = low_at(w, j), high = high_at(w, j - 1), before = w->start[j - 1 - w->first] + low - low_at(w, j - 1);
    const int64_t *held = w->band->held + w->from - 1;
    const double *share = w->share;
    int64_t size = (int64_t)step->positives + step->negatives, base = w->band->records[j - 1] - w->rank;
    if (high < low) return;
    roc_products(w->share, w->number + before, w->power + before, after + low, after_power + low, high - low + 1, w->corridor->power);
    if (size > 1)
        for (int64_t r = low; r <= high; r++) record(w, w->band->records[j - 1] - held[r], size, step->positives, share[r - low]);
    else {
        for (int64_t r = low; r <= high; r++) w->weight[base - held[r]] += share[r - low];
        for (int64_t r = low; step->positives && r <= high; r++) w->positive[base - held[r]] += share[r - low];
    }
}

/* Step j holds the group that follows a row, and missing records of its very score. */
static void record_tied(Weigher *w, int64_t j, const double *after, const int32_t *after_power) {
    const RocStep *step = &w->band->steps->at[j - 1];
    int64_t size = (int64_t)step->positives + step->negatives;
    int64_t low = low_at(w, j) - 1 > low_at(w, j - 1) ? low_at(w, j) - 1 : low_at(w, j - 1),
            high = high_at(w, j) - 1 < high_at(w, j - 1) ? high_at(w, j) - 1 : high_at(w, j - 1);
    int64_t before = w->start[j - 1 - w->first] + low - low_at(w, j - 1);
    if (size == 1 || high < low) return;
    roc_products(w->share, w->number + before, w->power + before, after + low + 1, after_power + low + 1, high - low + 1,
                 w->corridor->power);
    for (int64_t r = low; r <= high; r++) {
        int64_t i = w->from + r - 1, spare = size - (w->band->held[i + 1] - w->band->held[i]);
        const RocGroup *group = &w->band->known->at[i];
        if (group->positives > step->positives || group->negatives > step->negatives || spare <= 0) continue;
        record(w, w->band->records[j - 1] - w->band->held[i], spare, step->positives - group->positives, w->share[r - low]);
    }
}

static void record_column(Weigher *w, int64_t j, const double *after, const int32_t *power) {
    record_free(w, j, after, power);
    record_tied(w, j, after, power);
}

static void record_visited(void *self, const RocLane *lane, int count) {
    Weigher *w = self;
    for (int t = 1; t <= count; t++)
        if (lane->column - t > w->first) record_column(w, lane->column - t, lane->at[t], lane->power);
}

static Status weigh_chunks(Work *work, Weigher *w) {
    Status status = OK;
    RocLane forward = { 0 }, backward = { 0 };
    TRY(roc_lane_new(work, w->band, w->from, w->to, ROC_FORWARD, true, &forward));
    TRY(roc_lane_new(work, w->band, w->from, w->to, ROC_BACKWARD, true, &backward));
    forward.self = backward.self = w;
    forward.visit = store;
    backward.visit = record_visited;
    roc_lane_set(&backward, &w->corridor->narrow, w->chunk[w->chunks], &(double){ 1 }, &(int32_t){ 0 });
    for (int64_t c = w->chunks; c-- > 0;) {
        TRY(forward_chunk(work, w, &forward, c));
        record_column(w, backward.column, backward.at[0], backward.power);
        TRY(roc_lane_go(work, &backward, w->chunk[c]));
        work_show(work, "weighing solutions", 1 - (double)c / (double)w->chunks);
    }
done:
    roc_lane_drop(work, &forward);
    roc_lane_drop(work, &backward);
    return status;
}

static void drop(Work *work, Weigher *w) {
    void *all[] = { w->chunk, w->start, w->number, w->power, w->kept, w->kept_power, w->kept_at, w->share, w->positive, w->weight };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) arena_drop(work->arena, all[k]);
}

static Status weigh(Work *work, Weigher *w, RocAnswer *answer, double *weights) {
    Status status = OK;
    const RocBand *band = w->band;
    double part = 1;
    w->rank = band->records[band->first[w->from]] - band->held[w->from];
    int64_t ranks = band->records[band->last[w->to]] - band->held[w->to] - w->rank;
    NEW(work, w->share, w->to - w->from + 2);
    NEW(work, w->positive, ranks + 1);
    NEW(work, w->weight, ranks + 1);
    TRY(weigh_chunks(work, w));
    part = 1 / w->corridor->number;
    for (int64_t r = 0; r < ranks; r++) {
        answer->at[w->rank + r].positive += w->positive[r] * part;
        weights[w->rank + r] += w->weight[r] * part;
    }
done:
    return status;
}

Status roc_weigh(Work *work, const RocBand *band, int64_t from, int64_t to, RocAnswer *answer, double *weights, Scaled *total) {
    Status status = OK;
    RocCorridor corridor = { 0 };
    Weigher w = { .band = band, .corridor = &corridor, .from = from, .to = to };
    double left = 1;
    TRY(roc_corridor(work, band, from, to, &corridor));
    TRY(count_chunks(work, &w, &left));
    while (left > 1e-12 && roc_states(&corridor.narrow) < corridor.states) {
        roc_corridor_widen(&corridor);
        TRY(count_chunks(work, &w, &left));
    }
    TRY(weigh(work, &w, answer, weights));
    *total = (Scaled){ ldexp(corridor.number, corridor.power % 256), corridor.power / 256 };
done:
    drop(work, &w);
    roc_corridor_drop(work, &corridor);
    return status;
}
