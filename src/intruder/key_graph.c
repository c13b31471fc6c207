/* Which released records may be whose: classes, and the trie that finds their edges. */
#include "intruder/key_graph.h"
#include "table/group.h"

/* A trie over released classes. Nodes of a level are sorted by parent, then by code; the children of node v of level k are the nodes
 * first[k][v] ... first[k][v + 1] - 1 of level k + 1. A leaf is a class, of the same number. */
typedef struct {
    Work *work;
    KeyGraph *graph;
    int64_t **first;      /* level -> node -> its first child */
    int32_t **code;       /* level -> node -> the code that leads to it; levels 1 ... keys */
    int32_t **truth_code; /* key -> class of people -> code */
    int64_t room_to, room_likelihood, edges;
    bool counting; /* edges are counted, and end at `limit` */
    int64_t limit;
} Trie;

/* ---- classes ---- */

static Status make_classes(Work *work, KeyGraph *graph, bool original, int64_t rows) {
    Status status = OK;
    Codes *codes = NULL;
    Grouping groups = { 0 };
    NEW(work, codes, graph->keys + 1);
    for (int64_t k = 0; k < graph->keys; k++)
        codes[k] = (Codes){ .count = graph->channel[k].values + 1, .at = original ? graph->channel[k].truth : graph->channel[k].released };
    TRY(group_codes(work, codes, graph->keys, rows, &groups));
    if (original) {
        graph->truths = groups.count;
        graph->truth_of = groups.of;
        graph->truth_size = groups.size;
    } else {
        graph->releases = groups.count;
        graph->release_of = groups.of;
        graph->release_size = groups.size;
    }
done:
    arena_drop(work->arena, codes);
    return status;
}

/* Each class's code on every key. */
static Status codes_of_classes(Work *work, const KeyGraph *graph, bool original, int32_t ***out) {
    Status status = OK;
    const int64_t rows = original ? graph->people : graph->records, classes = original ? graph->truths : graph->releases;
    const int32_t *of = original ? graph->truth_of : graph->release_of;
    NEW(work, *out, graph->keys + 1);
    for (int64_t k = 0; k < graph->keys; k++) {
        const int32_t *at = original ? graph->channel[k].truth : graph->channel[k].released;
        NEW(work, (*out)[k], classes + 1);
        for (int64_t i = 0; i < rows; i++) (*out)[k][of[i]] = at[i];
    }
done:
    return status;
}

/* ---- the trie ---- */

/* Classes in the order of their codes, key by key: a counting sort from the last key to the first. */
static Status sort_classes(Work *work, const KeyGraph *graph, int32_t *const *code, int32_t **out) {
    Status status = OK;
    int32_t *from = NULL, *to = NULL;
    int64_t *place = NULL, n = graph->releases;
    NEW(work, from, n + 1);
    NEW(work, to, n + 1);
    for (int64_t r = 0; r < n; r++) from[r] = (int32_t)r;
    for (int64_t k = graph->keys - 1; k >= 0; k--) {
        NEW(work, place, graph->channel[k].values + 3);
        for (int64_t r = 0; r < n; r++) place[code[k][r] + 1]++;
        for (int32_t c = 0; c <= graph->channel[k].values; c++) place[c + 1] += place[c];
        for (int64_t i = 0; i < n; i++) to[place[code[k][from[i]]]++] = from[i];
        int32_t *swap = from;
        from = to;
        to = swap;
        arena_drop(work->arena, place);
    }
    *out = from;
done:
    arena_drop(work->arena, to);
    return status;
}

/* Classes of records are numbered again, in the order of the trie's leaves: the edges of a class of people then ascend. */
static Status renumber(Work *work, KeyGraph *graph, const int32_t *order) {
    Status status = OK;
    int32_t *place = NULL, *of = NULL;
    int64_t *size = NULL;
    NEW(work, place, graph->releases + 1);
    NEW(work, of, graph->records + 1);
    NEW(work, size, graph->releases + 1);
    for (int64_t i = 0; i < graph->releases; i++) {
        place[order[i]] = (int32_t)i;
        size[i] = graph->release_size[order[i]];
    }
    for (int64_t i = 0; i < graph->records; i++) of[i] = place[graph->release_of[i]];
    graph->release_of = of;
    graph->release_size = size;
done:
    arena_drop(work->arena, place);
    return status;
}

static Status trie_make(Work *work, KeyGraph *graph, Trie *trie) {
    Status status = OK;
    int32_t **code = NULL, *order = NULL;
    int64_t n = graph->releases, nodes = 1, *node = NULL; /* class in order -> its node of the level at hand */
    *trie = (Trie){ .work = work, .graph = graph };
    TRY(codes_of_classes(work, graph, false, &code));
    TRY(codes_of_classes(work, graph, true, &trie->truth_code));
    TRY(sort_classes(work, graph, code, &order));
    NEW(work, trie->first, graph->keys + 1);
    NEW(work, trie->code, graph->keys + 2);
    NEW(work, node, n + 1);
    for (int64_t k = 0; k < graph->keys; k++) {
        int64_t children = 0, before = -1;
        NEW(work, trie->first[k], nodes + 1);
        NEW(work, trie->code[k + 1], n + 1);
        for (int64_t i = 0; i < n; i++) {
            const int64_t parent = node[i];
            const int32_t c = code[k][order[i]];
            if (parent != before || c != trie->code[k + 1][children - 1]) trie->code[k + 1][children++] = c;
            before = parent;
            node[i] = children - 1;
            trie->first[k][parent + 1] = children;
        }
        nodes = children;
    }
    TRY(renumber(work, graph, order));
done:
    arena_drop(work->arena, node);
    arena_drop(work->arena, order);
    for (int64_t k = 0; code && k < graph->keys; k++) arena_drop(work->arena, code[k]);
    return status;
}

/* ---- edges ---- */

static Status add_edge(Trie *trie, int32_t release, double likelihood) {
    Status status = OK;
    KeyGraph *g = trie->graph;
    GROW(trie->work, g->to, trie->room_to, trie->edges + 1);
    GROW(trie->work, g->likelihood, trie->room_likelihood, trie->edges + 1);
    g->to[trie->edges] = release;
    g->likelihood[trie->edges++] = likelihood;
done:
    return status;
}

static int64_t find_child(const Trie *trie, int64_t level, int64_t from, int64_t to, int32_t code) {
    const int32_t *at = trie->code[level + 1];
    while (from < to) {
        int64_t middle = (from + to) / 2;
        if (at[middle] < code) from = middle + 1;
        else to = middle;
    }
    return from;
}

/* All leaves below a node that class t may have become. */
static Status walk(Trie *trie, int64_t level, int64_t node, int64_t t, double likelihood) {
    Status status = OK;
    const KeyGraph *g = trie->graph;
    if (level == g->keys) {
        trie->edges += trie->counting;
        return trie->counting ? OK : add_edge(trie, (int32_t)node, likelihood);
    }
    if (trie->counting && trie->edges > trie->limit) return OK;
    const Channel *channel = &g->channel[level];
    const int32_t *code = trie->code[level + 1], truth = trie->truth_code[level][t];
    int64_t child = trie->first[level][node], end = trie->first[level][node + 1];
    for (int64_t e = channel->start[truth]; e < channel->start[truth + 1] && child < end; e++) {
        const int32_t wanted = channel->to[e];
        if (end - child > 8) child = find_child(trie, level, child, end, wanted);
        else
            while (child < end && code[child] < wanted) child++;
        if (child < end && code[child] == wanted) TRY(walk(trie, level + 1, child, t, likelihood * channel->likelihood[e]));
    }
done:
    return status;
}

/* Every `step`th class of people, so that there are at most EDGES_MOST edges: counted for a few classes first. */
static Status choose_step(Trie *trie, int64_t *step) {
    enum { TRIED = 200 };
    Status status = OK;
    const int64_t truths = trie->graph->truths, apart = truths / TRIED + 1;
    int64_t tried = 0;
    *trie = (Trie){ .work = trie->work,
                    .graph = trie->graph,
                    .first = trie->first,
                    .code = trie->code,
                    .truth_code = trie->truth_code,
                    .counting = true,
                    .limit = EDGES_MOST };
    for (int64_t t = 0; t < truths; t += apart, tried++) TRY(walk(trie, 0, 0, t, 1));
    double all = tried ? (double)trie->edges / (double)tried * (double)truths : 0;
    *step = all > EDGES_MOST ? (int64_t)(all / EDGES_MOST) + 1 : 1;
    trie->counting = false;
    trie->edges = 0;
done:
    return status;
}

static Status find_edges(Work *work, KeyGraph *graph, Trie *trie) {
    Status status = OK;
    bool *has = NULL;
    int64_t step = 1;
    TRY(choose_step(trie, &step));
    NEW(work, graph->start, graph->truths + 2);
    NEW(work, has, graph->truths + 1);
    for (int64_t t = 0; t < graph->truths; t++) {
        graph->start[t] = trie->edges;
        if (!(t & 1023)) TRY(work_check(work));
        has[t] = t % step == 0;
        if (has[t]) TRY(walk(trie, 0, 0, t, 1));
    }
    graph->start[graph->truths] = trie->edges;
    graph->sampled = step > 1;
    graph->has_edges = has;
    for (int64_t k = 0; k < graph->keys; k++) arena_drop(work->arena, trie->truth_code[k]);
done:
    return status;
}

Status key_graph_make(Work *work, Columns before, Columns after, const Ownership *owner, const bool *altered, KeyGraph *out) {
    Status status = OK;
    Channel *channel = NULL;
    Trie trie;
    *out = (KeyGraph){ .keys = after.count, .people = before.at[0]->rows, .records = after.at[0]->rows };
    NEW(work, channel, after.count + 1);
    for (int64_t k = 0; k < after.count; k++) TRY(channel_make(work, before.at[k], after.at[k], owner, altered && altered[k], &channel[k]));
    out->channel = channel;
    TRY(make_classes(work, out, true, out->people));
    TRY(make_classes(work, out, false, out->records));
    TRY(trie_make(work, out, &trie));
    TRY(find_edges(work, out, &trie));
done:
    return status;
}

int64_t key_graph_edge(const KeyGraph *graph, int64_t truth, int32_t release) {
    int64_t from = graph->start[truth], to = graph->start[truth + 1];
    while (from < to) {
        int64_t middle = (from + to) / 2;
        if (graph->to[middle] < release) from = middle + 1;
        else to = middle;
    }
    return from < graph->start[truth + 1] && graph->to[from] == release ? from : -1;
}
