/* Known records given to released ones: a flow between classes of records, and the sum over all ways. */
#include <string.h>
#include "base/extremes.h"
#include "intruder/history_graph.h"

enum {
    STATES_MOST = 256, /* of a known history of which every way is added up */
    RECORDS_MOST = 30,
    MATRIX_MOST = 30000000 /* likelihoods kept for every pair of classes */
};
static const double least_likelihood = 1e-280;

Status history_fit_prepare(HistoryFit *f) {
    Status status = OK;
    const KeyGraph *g = f->rows;
    if (g->truths > MATRIX_MOST / (g->releases + 1)) return OK;
    NEW(f->work, f->matrix, g->truths * g->releases + 1);
    for (int64_t t = 0; t < g->truths; t++)
        for (int64_t e = g->start[t]; e < g->start[t + 1]; e++) f->matrix[t * g->releases + g->to[e]] = g->likelihood[e];
done:
    return status;
}

static double likelihood_of(const HistoryFit *f, int32_t known, int32_t released) {
    if (f->matrix) return f->matrix[known * f->rows->releases + released];
    const int64_t e = key_graph_edge(f->rows, known, released);
    return e < 0 ? 0 : f->rows->likelihood[e];
}

/* Likelihoods of all pairs of runs. False as soon as one that needs a partner has none. */
static Status weigh_runs(HistoryFit *f, const History *known, const History *released, bool *out) {
    Status status = OK;
    GROW(f->work, f->weight, f->room_weight, known->runs * released->runs + 1);
    for (int64_t j = 0; j < known->runs && *out; j++) {
        double any = 0;
        for (int64_t i = 0; i < released->runs; i++)
            any += f->weight[j * released->runs + i] = likelihood_of(f, known->class[j], released -> class[i]);
        f->steps += (double)released->runs;
        *out = any > 0 || f->whole;
    }
    for (int64_t i = 0; i < released->runs && f->whole && *out; i++) {
        double any = 0;
        for (int64_t j = 0; j < known->runs; j++) any += f->weight[j * released->runs + i];
        *out = any > 0;
    }
done:
    return status;
}

/* The two sides of a flow: every record of `from` needs one of `to`. */
typedef struct Sides {
    HistoryFit *f;
    const History *from, *to;
    int64_t by_from, by_to; /* steps in the matrix of weights */
} Sides;

static int64_t cell(const Sides *s, int64_t from, int64_t to) { return from * s->by_from + to * s->by_to; }

/* One more record of run `from`, where need be by moving others (augmenting paths). */
static bool place_record(const Sides *s, int64_t from) {
    HistoryFit *f = s->f;
    for (int64_t to = 0; to < s->to->runs; to++) {
        f->steps++;
        if (f->seen[to] || f->weight[cell(s, from, to)] <= 0) continue;
        f->seen[to] = true;
        if (f->used[to] < s->to->times[to]) {
            f->used[to]++;
            f->flow[cell(s, from, to)]++;
            return true;
        }
        for (int64_t other = 0; other < s->from->runs; other++) {
            if (other == from || !f->flow[cell(s, other, to)] || !place_record(s, other)) continue;
            f->flow[cell(s, other, to)]--;
            f->flow[cell(s, from, to)]++;
            return true;
        }
    }
    return false;
}

Status history_fits(HistoryFit *f, const History *known, const History *released, bool *out) {
    Status status = OK;
    Sides s = { f, known, released, released->runs, 1 };
    *out = f->whole ? released->records <= known->records : known->records <= released->records;
    if (!*out) return OK;
    TRY(weigh_runs(f, known, released, out));
    if (!*out) return OK;
    if (f->whole) s = (Sides){ f, released, known, 1, released->runs };
    GROW(f->work, f->flow, f->room_flow, known->runs * released->runs + 1);
    GROW(f->work, f->used, f->room_used, s.to->runs + 1);
    GROW(f->work, f->seen, f->room_seen, s.to->runs + 1);
    memset(f->flow, 0, (size_t)(known->runs * released->runs) * sizeof *f->flow);
    memset(f->used, 0, (size_t)s.to->runs * sizeof *f->used);
    for (int64_t from = 0; from < s.from->runs && *out; from++)
        for (int64_t r = 0; r < s.from->times[from] && *out; r++) {
            memset(f->seen, 0, (size_t)s.to->runs * sizeof *f->seen);
            *out = place_record(&s, from);
        }
done:
    return status;
}

/* How often each known run is used, as one number: states 0 … their product − 1. 0: too many. */
static int64_t count_states(const History *known) {
    int64_t states = 1;
    if (known->records > RECORDS_MOST) return 0;
    for (int64_t j = 0; j < known->runs; j++) {
        states *= known->times[j] + 1;
        if (states > STATES_MOST) return 0;
    }
    return states;
}

/* One way, the flow's. */
static double one_way(const HistoryFit *f, int64_t cells) {
    double product = 1;
    for (int64_t i = 0; i < cells; i++)
        for (int64_t r = 0; r < f->flow[i]; r++) product *= f->weight[i];
    return larger(product, least_likelihood);
}

/* All ways, a released record at a time: it is one of the known records that are not used yet, or, where others are unknown, none. */
static void next_record(const HistoryFit *f, const History *known, const History *released, int64_t i, int64_t states, const double *from,
                        double *to) {
    for (int64_t s = 0; s < states; s++) to[s] = f->whole ? 0 : from[s];
    for (int64_t s = 0; s < states; s++) {
        int64_t unit = 1;
        if (from[s] <= 0) continue;
        for (int64_t j = 0; j < known->runs; unit *= known->times[j++] + 1) {
            const int64_t used = s / unit % (known->times[j] + 1);
            if (used < known->times[j]) to[s + unit] += from[s] * (double)(known->times[j] - used) * f->weight[j * released->runs + i];
        }
    }
}

Status history_likelihood(HistoryFit *f, const History *known, const History *released, double *out, bool *approximate) {
    Status status = OK;
    const int64_t states = count_states(known);
    if (!states) {
        *approximate = true;
        *out = one_way(f, known->runs * released->runs);
        return OK;
    }
    for (int k = 0; k < 2; k++)
        if (!f->state[k]) NEW(f->work, f->state[k], STATES_MOST);
    double *now = f->state[0], *then = f->state[1];
    for (int64_t s = 0; s < states; s++) now[s] = s == 0;
    for (int64_t i = 0; i < released->runs; i++)
        for (int64_t r = 0; r < released->times[i]; r++) {
            next_record(f, known, released, i, states, now, then);
            double *swap = now;
            now = then;
            then = swap;
        }
    f->steps += (double)(states * released->records * known->runs);
    double sum = 0;
    for (int64_t s = f->whole ? 0 : states - 1; s < states; s++) sum += now[s];
    const int64_t more = f->whole ? known->records : released->records, fewer = f->whole ? released->records : known->records;
    for (int64_t k = 0; k < fewer; k++) sum /= (double)(more - k);
    *out = larger(sum, least_likelihood);
done:
    return status;
}
