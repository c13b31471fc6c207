/* Counting and weighing: beliefs in the records that fit, one person at a time. */
#include "base/elementary.h"
#include "base/extremes.h"
#include "intruder/beliefs.h"

enum { ROUNDS = 30 };
static const double as_good = 1 - 1e-9; /* beliefs that differ by less are a tie */

/* The best guess of each class of people, and how many records share it. */
typedef struct {
    double *best;
    int64_t *ties;
} Guesses;

static Status best_guesses(Work *work, const KeyGraph *graph, const double *value, Guesses *out) {
    Status status = OK;
    NEW(work, out->best, graph->truths + 1);
    NEW(work, out->ties, graph->truths + 1);
    for (int64_t t = 0; t < graph->truths; t++) {
        for (int64_t e = graph->start[t]; e < graph->start[t + 1]; e++)
            if (value[e] > out->best[t]) out->best[t] = value[e];
        for (int64_t e = graph->start[t]; e < graph->start[t + 1]; e++)
            if (value[e] >= out->best[t] * as_good) out->ties[t] += graph->release_size[graph->to[e]];
    }
done:
    return status;
}

/* Owners are known: each person's best guess is right or not. */
static Status judge_guesses(Work *work, const KeyGraph *graph, const Ownership *owner, const double *value, const Guesses *guesses,
                            Beliefs *out) {
    Status status = OK;
    double sum = 0, squares = 0, tried = 0;
    NEW(work, out->right, graph->records + 1);
    NEW(work, out->belief, graph->records + 1);
    for (int64_t i = 0; i < graph->records; i++) {
        int64_t t = graph->truth_of[owner->row[i]];
        out->right[i] = out->belief[i] = NAN;
        if (!graph->has_edges[t]) continue;
        int64_t e = key_graph_edge(graph, t, graph->release_of[i]);
        out->belief[i] = e < 0 ? 0 : value[e];
        out->right[i] = e >= 0 && value[e] > 0 && value[e] >= guesses->best[t] * as_good ? 1 / (double)guesses->ties[t] : 0;
        sum += out->right[i];
        squares += out->right[i] * out->right[i];
        tried++;
        out->worst = fmax(out->worst, out->belief[i]);
    }
    double n = (double)graph->records, mean = tried > 0 ? sum / tried : 0;
    out->total = tried < n ? mean * n : sum;
    if (tried > 1 && tried < n) out->error = n * sqrt(fmax(squares / tried - mean * mean, 0) / tried * (1 - tried / n));
done:
    return status;
}

/* Owners are not known: the belief in the best guess, over everybody, for as many people as there are records. */
static void believe_guesses(const KeyGraph *graph, const Guesses *guesses, Beliefs *out) {
    double sum = 0, people = 0;
    for (int64_t t = 0; t < graph->truths; t++) {
        if (!graph->has_edges[t]) continue;
        double n = (double)graph->truth_size[t];
        sum += n * guesses->best[t];
        people += n;
        out->worst = fmax(out->worst, guesses->best[t]);
    }
    out->total = people > 0 ? sum / people * (double)graph->records : 0;
}

Status beliefs_from_edges(Work *work, const KeyGraph *graph, const Ownership *owner, const double *value, Beliefs *out) {
    Status status = OK;
    Guesses guesses = { 0 };
    *out = (Beliefs){ .ran = true };
    TRY(best_guesses(work, graph, value, &guesses));
    if (owner->known) TRY(judge_guesses(work, graph, owner, value, &guesses, out));
    else believe_guesses(graph, &guesses, out);
done:
    arena_drop(work->arena, guesses.best);
    arena_drop(work->arena, guesses.ties);
    return status;
}

/* Weights of edges become beliefs: they add up to 1 over the records of a class of people. */
static void normalise(const KeyGraph *graph, double *value) {
    for (int64_t t = 0; t < graph->truths; t++) {
        double sum = 0;
        for (int64_t e = graph->start[t]; e < graph->start[t + 1]; e++) sum += value[e] * (double)graph->release_size[graph->to[e]];
        for (int64_t e = graph->start[t]; e < graph->start[t + 1] && sum > 0; e++) value[e] /= sum;
    }
}

Status believe_by_counting(Work *work, const KeyGraph *graph, const Ownership *owner, Beliefs *out) {
    Status status = OK;
    double *value = NULL;
    NEW(work, value, graph->start[graph->truths] + 1);
    for (int64_t e = 0; e < graph->start[graph->truths]; e++) value[e] = 1;
    normalise(graph, value);
    TRY(beliefs_from_edges(work, graph, owner, value, out));
done:
    arena_drop(work->arena, value);
    return status;
}

Status edge_weights(Work *work, const KeyGraph *graph, double **out) {
    Status status = OK;
    double *mean = NULL;
    NEW(work, *out, graph->start[graph->truths] + 1);
    NEW(work, mean, graph->releases + 1);
    for (int64_t t = 0; t < graph->truths; t++)
        for (int64_t e = graph->start[t]; e < graph->start[t + 1]; e++)
            mean[graph->to[e]] += (double)graph->truth_size[t] * graph->likelihood[e];
    double people = 0;
    for (int64_t t = 0; t < graph->truths; t++) people += graph->has_edges[t] ? (double)graph->truth_size[t] : 0;
    for (int64_t e = 0; e < graph->start[graph->truths]; e++) (*out)[e] = graph->likelihood[e] * people / mean[graph->to[e]];
done:
    arena_drop(work->arena, mean);
    return status;
}

/* ---- EM for the probability that a value was kept ---- */

static bool estimates(const KeyGraph *graph) {
    for (int64_t k = 0; k < graph->keys; k++)
        if (graph->channel[k].kind == CHANNEL_MIXED) return true;
    return false;
}

/* The codes of every class, by key. */
static Status class_codes(Work *work, const KeyGraph *graph, int32_t ***truth, int32_t ***released) {
    Status status = OK;
    NEW(work, *truth, graph->keys + 1);
    NEW(work, *released, graph->keys + 1);
    for (int64_t k = 0; k < graph->keys; k++) {
        NEW(work, (*truth)[k], graph->truths + 1);
        NEW(work, (*released)[k], graph->releases + 1);
        for (int64_t i = 0; i < graph->people; i++) (*truth)[k][graph->truth_of[i]] = graph->channel[k].truth[i];
        for (int64_t i = 0; i < graph->records; i++) (*released)[k][graph->release_of[i]] = graph->channel[k].released[i];
    }
done:
    return status;
}

/* A likelihood of one key with another probability to keep: p' where it was p. */
static double rekept(const Channel *c, double likelihood, bool same, double to) {
    double moved = (likelihood - (same ? c->kept : 0)) / (1 - c->kept);
    return (same ? to : 0) + (1 - to) * fmax(moved, 0);
}

/* One round: beliefs by the parameters there are, then for each mixed key the share of belief that lies in values kept. */
static Status em_round(Work *work, KeyGraph *graph, int32_t *const *truth, int32_t *const *released) {
    Status status = OK;
    double *weight = NULL, *kept = NULL, *seen = NULL;
    NEW(work, kept, graph->keys + 1);
    NEW(work, seen, graph->keys + 1);
    TRY(edge_weights(work, graph, &weight));
    normalise(graph, weight);
    for (int64_t t = 0; t < graph->truths; t++)
        for (int64_t e = graph->start[t]; e < graph->start[t + 1]; e++)
            for (int64_t k = 0; k < graph->keys; k++) {
                const Channel *c = &graph->channel[k];
                const int32_t a = truth[k][t], b = released[k][graph->to[e]];
                if (c->kind != CHANNEL_MIXED || a == c->values || b == c->values) continue;
                double w = weight[e] * (double)(graph->release_size[graph->to[e]] * graph->truth_size[t]), own = 0;
                for (int64_t x = c->start[a]; a == b && x < c->start[a + 1]; x++)
                    if (c->to[x] == b) own = c->kept / c->likelihood[x];
                seen[k] += w;
                kept[k] += w * own;
            }
    for (int64_t k = 0; k < graph->keys; k++) {
        Channel *c = (Channel *)(uintptr_t)&graph->channel[k];
        if (c->kind != CHANNEL_MIXED || !(seen[k] > 0)) continue;
        double to = smaller(larger(kept[k] / seen[k], 1e-6), 1 - 1e-6);
        for (int32_t v = 0; v < c->values; v++)
            for (int64_t x = c->start[v]; x < c->start[v + 1]; x++)
                if (c->to[x] != c->values) c->likelihood[x] = rekept(c, c->likelihood[x], c->to[x] == v, to);
        c->kept = to;
    }
done:
    arena_drop(work->arena, weight);
    arena_drop(work->arena, kept);
    arena_drop(work->arena, seen);
    return status;
}

/* Likelihoods of edges by the channels as they are now. */
static void reweigh(KeyGraph *graph, int32_t *const *truth, int32_t *const *released) {
    for (int64_t t = 0; t < graph->truths; t++)
        for (int64_t e = graph->start[t]; e < graph->start[t + 1]; e++) {
            graph->likelihood[e] = 1;
            for (int64_t k = 0; k < graph->keys; k++) {
                const Channel *c = &graph->channel[k];
                const int32_t a = truth[k][t], b = released[k][graph->to[e]];
                for (int64_t x = c->start[a]; x < c->start[a + 1]; x++)
                    if (c->to[x] == b) graph->likelihood[e] *= c->likelihood[x];
            }
        }
}

static Status estimate_kept(Work *work, KeyGraph *graph) {
    Status status = OK;
    int32_t **truth = NULL, **released = NULL;
    int rounds = ROUNDS;
    const double edges = (double)graph->start[graph->truths];
    if (edges * ROUNDS > 1e8) rounds = edges > 2e7 ? 3 : (int)(1e8 / edges) + 1;
    TRY(class_codes(work, graph, &truth, &released));
    for (int i = 0; i < rounds; i++) {
        TRY(work_check(work));
        TRY(em_round(work, graph, truth, released));
        reweigh(graph, truth, released);
    }
done:
    return status;
}

Status believe_by_weighing(Work *work, KeyGraph *graph, const Ownership *owner, Beliefs *out) {
    Status status = OK;
    double *value = NULL;
    if (!owner->known && estimates(graph)) TRY(estimate_kept(work, graph));
    TRY(edge_weights(work, graph, &value));
    normalise(graph, value);
    TRY(beliefs_from_edges(work, graph, owner, value, out));
done:
    arena_drop(work->arena, value);
    return status;
}
