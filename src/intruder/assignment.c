/* Complete assignments: a maximum flow between classes, and the strongly connected components of its residual graph. */
#include "intruder/assignment.h"

/* Edges by released class: those of class r are edge[start[r]] ... edge[start[r + 1] - 1], and the class of people of each edge. */
typedef struct {
    int64_t *start;
    int32_t *edge;  /* EDGES_MOST fits */
    int32_t *truth; /* edge -> class of people */
} Reversed;

typedef struct {
    Work *work;
    const KeyGraph *graph;
    Assignment *out;
    int64_t *need; /* class of records -> records that nobody has yet */
    Reversed back;
} Flow;

static Status truths_of_edges(Work *work, const KeyGraph *g, int32_t **out) {
    Status status = OK;
    NEW(work, *out, g->start[g->truths] + 1);
    for (int64_t t = 0; t < g->truths; t++)
        for (int64_t e = g->start[t]; e < g->start[t + 1]; e++) (*out)[e] = (int32_t)t;
done:
    return status;
}

/* flowing: only edges that carry flow. */
static Status reverse_edges(Work *work, const KeyGraph *g, const int64_t *flowing, Reversed *out) {
    Status status = OK;
    const int64_t edges = g->start[g->truths];
    int64_t count = 0;
    TRY(truths_of_edges(work, g, &out->truth));
    NEW(work, out->start, g->releases + 3);
    for (int64_t e = 0; e < edges; e++)
        if (!flowing || flowing[e]) {
            out->start[g->to[e] + 2]++;
            count++;
        }
    NEW(work, out->edge, count + 1);
    for (int64_t r = 0; r < g->releases; r++) out->start[r + 2] += out->start[r + 1];
    for (int64_t e = 0; e < edges; e++)
        if (!flowing || flowing[e]) out->edge[out->start[g->to[e] + 1]++] = (int32_t)e;
done:
    return status;
}

static void reversed_drop(Work *work, Reversed *back) {
    arena_drop(work->arena, back->start);
    arena_drop(work->arena, back->edge);
    arena_drop(work->arena, back->truth);
    *back = (Reversed){ 0 };
}

/* ---- a maximum flow ---- */

static void start_from_owners(Flow *f, const Ownership *owner) {
    const KeyGraph *g = f->graph;
    for (int64_t i = 0; owner->known && i < g->records; i++) {
        int64_t t = g->truth_of[owner->row[i]], e = key_graph_edge(g, t, g->release_of[i]);
        if (e < 0 || !f->out->left[t]) continue;
        f->out->flow[e]++;
        f->out->left[t]--;
        f->need[g->release_of[i]]--;
    }
}

static void start_greedily(Flow *f) {
    const KeyGraph *g = f->graph;
    for (int64_t t = 0; t < g->truths; t++)
        for (int64_t e = g->start[t]; e < g->start[t + 1] && f->out->left[t]; e++) {
            int64_t *need = &f->need[g->to[e]], most = *need < f->out->left[t] ? *need : f->out->left[t];
            f->out->flow[e] += most;
            f->out->left[t] -= most;
            *need -= most;
        }
}

/* Distances from records that are needed: to classes of people by any edge, and on to records by edges that carry flow. */
typedef struct {
    int32_t *truth, *release; /* distance + 1, or 0 */
    int64_t *next;            /* class of records -> the next reversed edge to try */
    int64_t *at;              /* class of people -> the next edge to try */
    int32_t *queue;
    bool reached;
} Levels;

static Status levels_make(Work *work, const KeyGraph *g, Levels *out) {
    Status status = OK;
    NEW(work, out->truth, g->truths + 1);
    NEW(work, out->release, g->releases + 1);
    NEW(work, out->next, g->releases + 1);
    NEW(work, out->at, g->truths + 1);
    NEW(work, out->queue, g->releases + 1);
done:
    return status;
}

static void find_levels(const Flow *f, Levels *l) {
    const KeyGraph *g = f->graph;
    int64_t head = 0, tail = 0;
    l->reached = false;
    for (int64_t t = 0; t < g->truths; t++) {
        l->truth[t] = 0;
        l->at[t] = g->start[t];
    }
    for (int64_t r = 0; r < g->releases; r++) {
        l->release[r] = f->need[r] > 0;
        l->next[r] = f->back.start[r];
        if (f->need[r] > 0) l->queue[tail++] = (int32_t)r;
    }
    while (head < tail) {
        int32_t r = l->queue[head++];
        for (int64_t x = f->back.start[r]; x < f->back.start[r + 1]; x++) {
            int32_t t = f->back.truth[f->back.edge[x]];
            if (l->truth[t]) continue;
            l->truth[t] = l->release[r] + 1;
            l->reached |= f->out->left[t] > 0;
            for (int64_t e = g->start[t]; e < g->start[t + 1]; e++)
                if (f->out->flow[e] && !l->release[g->to[e]]) {
                    l->release[g->to[e]] = l->truth[t] + 1;
                    l->queue[tail++] = g->to[e];
                }
        }
    }
}

/* One record more for class r, along a path of falling distance; the path is kept in `path`, an edge in and an edge out for each class of
 * people on it. */
static bool augment(Flow *f, Levels *l, int32_t r, int64_t *path) {
    const KeyGraph *g = f->graph;
    int64_t depth = 0; /* edges on the path: in, out, in, ... */
    for (;;) {
        bool stepped = false;
        for (; l->next[r] < f->back.start[r + 1] && !stepped;) {
            int64_t in = f->back.edge[l->next[r]];
            int32_t t = f->back.truth[in];
            if (l->truth[t] != l->release[r] + 1) {
                l->next[r]++;
                continue;
            }
            if (f->out->left[t] > 0) {
                f->out->left[t]--;
                f->out->flow[in]++;
                for (int64_t k = 0; k < depth; k++) f->out->flow[path[k]] += k % 2 ? -1 : 1;
                return true;
            }
            for (; l->at[t] < g->start[t + 1]; l->at[t]++) {
                int64_t away = l->at[t];
                if (!f->out->flow[away] || l->release[g->to[away]] != l->truth[t] + 1) continue;
                path[depth++] = in;
                path[depth++] = away;
                r = g->to[away];
                stepped = true;
                break;
            }
            if (!stepped) l->next[r]++;
        }
        if (stepped) continue;
        if (!depth) return false;
        l->at[f->back.truth[path[depth - 1]]]++; /* nothing beyond: back, and another way on */
        depth -= 2;
        r = g->to[path[depth]];
    }
}

/* Dinic's phases: as many shortest paths as there are, until no record that is needed can be reached. */
static Status complete_flow(Flow *f) {
    Status status = OK;
    const KeyGraph *g = f->graph;
    Levels l = { 0 };
    int64_t *path = NULL, missing = 0;
    for (int64_t r = 0; r < g->releases; r++) missing += f->need[r];
    if (!missing) goto done;
    TRY(reverse_edges(f->work, g, NULL, &f->back));
    TRY(levels_make(f->work, g, &l));
    NEW(f->work, path, 2 * (g->truths + g->releases) + 2);
    while (missing) {
        TRY(work_check(f->work));
        find_levels(f, &l);
        if (!l.reached) break;
        for (int64_t r = 0; r < g->releases; r++)
            while (f->need[r] && augment(f, &l, (int32_t)r, path)) {
                f->need[r]--;
                missing--;
            }
    }
    reversed_drop(f->work, &f->back);
done:
    f->out->complete = !missing;
    return status;
}

/* ---- strongly connected components ---- */

/* Nodes: classes of people, then classes of records, then "not released". */
typedef struct {
    const KeyGraph *graph;
    const Assignment *a;
    Reversed back;
    int32_t *spare; /* classes of people with some who get no record */
    int64_t spares;
} Residual;

/* The k-th node that a node leads to; -1: there is none. */
static int64_t residual_next(const Residual *x, int64_t node, int64_t k) {
    const KeyGraph *g = x->graph;
    if (node < g->truths) {
        int64_t edges = g->start[node + 1] - g->start[node];
        if (k < edges) return g->truths + g->to[g->start[node] + k];
        return k == edges && x->a->unreleased ? g->truths + g->releases : -1;
    }
    if (node < g->truths + g->releases) {
        int64_t r = node - g->truths, at = x->back.start[r] + k;
        return at < x->back.start[r + 1] ? x->back.truth[x->back.edge[at]] : -1;
    }
    return k < x->spares ? x->spare[k] : -1;
}

typedef struct {
    int32_t *index, *low, *component, *stack, *path;
    int64_t *next; /* node -> which of its ways is tried next */
    int64_t indexed, stacked, components;
} Tarjan;

/* Tarjan 1972, without recursion. */
static void components_from(const Residual *x, Tarjan *s, int64_t root) {
    int64_t depth = 0;
    s->path[depth++] = (int32_t)root;
    s->index[root] = s->low[root] = (int32_t)++s->indexed;
    s->stack[s->stacked++] = (int32_t)root;
    while (depth) {
        int32_t v = s->path[depth - 1];
        int64_t w = residual_next(x, v, s->next[v]++);
        if (w >= 0 && !s->index[w]) {
            s->index[w] = s->low[w] = (int32_t)++s->indexed;
            s->stack[s->stacked++] = (int32_t)w;
            s->path[depth++] = (int32_t)w;
        } else if (w >= 0) {
            if (s->component[w] < 0 && s->index[w] < s->low[v]) s->low[v] = s->index[w];
        } else {
            depth--;
            if (depth && s->low[v] < s->low[s->path[depth - 1]]) s->low[s->path[depth - 1]] = s->low[v];
            if (s->low[v] != s->index[v]) continue;
            int32_t top;
            do {
                top = s->stack[--s->stacked];
                s->component[top] = (int32_t)s->components;
            } while (top != v);
            s->components++;
        }
    }
}

static Status find_components(Work *work, Assignment *a) {
    Status status = OK;
    const KeyGraph *g = a->graph;
    const int64_t nodes = g->truths + g->releases + (a->unreleased > 0);
    Residual x = { .graph = g, .a = a };
    Tarjan s = { 0 };
    TRY(reverse_edges(work, g, a->flow, &x.back));
    NEW(work, x.spare, g->truths + 1);
    for (int64_t t = 0; t < g->truths; t++)
        if (a->left[t]) x.spare[x.spares++] = (int32_t)t;
    NEW(work, s.index, nodes + 1);
    NEW(work, s.low, nodes + 1);
    NEW(work, s.component, nodes + 1);
    NEW(work, s.stack, nodes + 1);
    NEW(work, s.path, nodes + 1);
    NEW(work, s.next, nodes + 1);
    for (int64_t v = 0; v < nodes; v++) s.component[v] = -1;
    for (int64_t v = 0; v < nodes; v++)
        if (!s.index[v]) components_from(&x, &s, v);
    a->components = s.components;
    a->truth_in = s.component;
    a->release_in = s.component + g->truths;
    a->unreleased_in = a->unreleased ? s.component[g->truths + g->releases] : -1;
done:
    arena_drop(work->arena, s.index);
    arena_drop(work->arena, s.low);
    arena_drop(work->arena, s.stack);
    arena_drop(work->arena, s.path);
    arena_drop(work->arena, s.next);
    arena_drop(work->arena, x.spare);
    reversed_drop(work, &x.back);
    return status;
}

Status assignment_make(Work *work, const KeyGraph *graph, const Ownership *owner, Assignment *out) {
    Status status = OK;
    Flow f = { .work = work, .graph = graph, .out = out };
    *out = (Assignment){ .graph = graph, .unreleased = graph->people - graph->records };
    if (out->unreleased < 0 || graph->sampled) return OK;
    NEW(work, out->flow, graph->start[graph->truths] + 1);
    NEW(work, out->left, graph->truths + 1);
    NEW(work, f.need, graph->releases + 1);
    for (int64_t t = 0; t < graph->truths; t++) out->left[t] = graph->truth_size[t];
    for (int64_t r = 0; r < graph->releases; r++) f.need[r] = graph->release_size[r];
    start_from_owners(&f, owner);
    start_greedily(&f);
    TRY(complete_flow(&f));
    if (out->complete) TRY(find_components(work, out));
done:
    arena_drop(work->arena, f.need);
    return status;
}
