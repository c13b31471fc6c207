/* Search of the lattice. Every node has a lower bound on its loss, from generalising alone at first; nodes whose bound exceeds the best are
 * never counted. A node that no finer one can correct closes all of those; one that must suppress raises their bounds. Nodes are counted from
 * the snapshot of a finer node where there is one. The nodes to check next are taken from the middle of what is open, ordered by bound,
 * where a valid one halves what is open from above; once some bound is known they climb to the coarsest open node, where an invalid one
 * closes most from below. */
#include "protect/generalize/lattice.h"
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "base/extremes.h"

enum { BATCH = 4, NODES_MOST = 20 * 1000 * 1000, SNAPSHOTS = 400, ENTRIES_WORTH_THREADS = 1 << 16 };
static const double slack = 1e-12; /* losses nearer than this, relatively, are equal */

typedef struct {
    const Checker *checker;
    Search *search;
    int64_t levels[KEYS_MOST], stride[KEYS_MOST];
    double *bound; /* node → its sum is at least this */
    uint8_t *closed;
    int32_t *open; /* nodes still to be decided, by their first bound */
    int64_t opens;
    Entries snapshot[SNAPSHOTS];
    int64_t snapshots, kept; /* how many; entries in them */
    Scratch scratch[BATCH];
    const Entries *from[BATCH];
    LatticeNode batch[BATCH];
    int64_t number[BATCH];
    int64_t count;
} Lattice;

static void levels_of(const Lattice *l, int64_t node, uint8_t *level) {
    for (int64_t key = 0; key < l->search->keys; key++) level[key] = (uint8_t)(node / l->stride[key] % l->levels[key]);
}

static double threshold(const Lattice *l) {
    const Search *s = l->search;
    return s->found < s->wanted ? INFINITY : s->best[s->wanted - 1].sum;
}

static bool beyond(double bound, double limit) { return bound > limit + fabs(limit) * slack; }

/* ---- bounds ---- */

/* The most values that a node's classes could have, capped. */
static double most_classes(const Checker *c, const uint8_t *level) {
    double most = 1;
    for (int64_t key = 0; key < c->domains->count; key++) most *= (double)c->domains->at[key].count[level[key]];
    return fmin(most, (double)c->records);
}

/* What aecs and discernibility are at least, with s records suppressed for sure and at most `classes` classes. */
static double class_bound(const Checker *c, double classes, int64_t sure) {
    double n = (double)c->records, k = (double)(c->model->k > 1 ? c->model->k : 1), left = n - (double)sure;
    if (c->loss == AECS) return n > 0 ? n / (smaller(classes, floor(left / k)) + 1) : 0;
    return fmax(n * (double)sure + k * left, n * n / classes);
}

static void first_bounds(Lattice *l) {
    const Checker *c = l->checker;
    double term[KEYS_MOST][64];
    for (int64_t key = 0; key < l->search->keys; key++)
        for (int64_t level = 0; level < l->levels[key]; level++)
            term[key][level] = loss_is_additive(c->loss) ? loss_term(c, key, level, 0, 0) : 0;
    for (int64_t node = 0; node < l->search->nodes; node++) {
        uint8_t level[KEYS_MOST];
        double sum = 0;
        levels_of(l, node, level);
        if (!loss_is_additive(c->loss)) sum = class_bound(c, most_classes(c, level), 0);
        else
            for (int64_t key = 0; key < l->search->keys; key++) sum += term[key][level[key]];
        l->bound[node] = sum;
    }
}

typedef struct {
    Lattice *l;
    const uint8_t *level;
    double term[KEYS_MOST][64];
    double all;
    int64_t closed;
} Walk;

/* Every node that is not coarser than the walk's: raises its bound, or closes it. */
static void walk_down(Walk *w, int64_t key, int64_t node, double sum, bool close) {
    Lattice *l = w->l;
    if (key < 0) {
        if (close) {
            w->closed += !l->closed[node];
            l->closed[node] = 1;
        } else if (sum > l->bound[node]) l->bound[node] = sum;
        return;
    }
    for (int64_t level = 0; level <= w->level[key]; level++)
        walk_down(w, key - 1, node + level * l->stride[key], sum + (close ? 0 : w->term[key][level]), close);
}

static void walk_up(Walk *w, int64_t key, int64_t node) {
    Lattice *l = w->l;
    if (key < 0) {
        if (w->all > l->bound[node]) l->bound[node] = w->all;
        return;
    }
    for (int64_t level = w->level[key]; level < l->levels[key]; level++) walk_up(w, key - 1, node + level * l->stride[key]);
}

static void learn(Lattice *l, const LatticeNode *node) {
    const Checker *c = l->checker;
    const Outcome *o = &node->outcome;
    Walk w = { .l = l, .level = node->level };
    int64_t last = l->search->keys - 1;
    if (o->hopeless) {
        walk_down(&w, last, 0, 0, true);
        l->search->pruned += w.closed;
        return;
    }
    if (loss_is_additive(c->loss)) {
        if (!o->surely) return;
        for (int64_t key = 0; key <= last; key++)
            for (int64_t level = 0; level <= node->level[key]; level++)
                w.term[key][level] = loss_term(c, key, level, o->sure_extra[key], o->surely);
        walk_down(&w, last, 0, 0, false);
        return;
    }
    w.term[0][0] = 0;
    double down = class_bound(c, INFINITY, o->surely);
    for (int64_t level = 0; level < 64; level++) w.term[0][level] = down;
    if (o->surely) walk_down(&w, last, 0, 0, false);
    w.all = c->loss == AECS ? (double)c->records / (double)(o->all_classes + 1) : o->all_squares;
    walk_up(&w, last, 0);
}

/* ---- checking ---- */

static bool finer(const Entries *entries, const uint8_t *level, int64_t keys) {
    for (int64_t key = 0; key < keys; key++)
        if (entries->level[key] > level[key]) return false;
    return true;
}

static const Entries *source(const Lattice *l, const uint8_t *level) {
    const Entries *best = &l->checker->all;
    for (int64_t i = 0; i < l->snapshots; i++)
        if (l->snapshot[i].count < best->count && finer(&l->snapshot[i], level, l->search->keys)) best = &l->snapshot[i];
    return best;
}

static Status check_block(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    (void)first, (void)last, (void)error;
    Lattice *l = self;
    LatticeNode *node = &l->batch[block];
    check_node(l->checker, &l->scratch[block], l->from[block], node->level, &node->outcome);
    return OK;
}

static int better(const LatticeNode *a, const LatticeNode *b) {
    if (beyond(a->sum, b->sum)) return -1;
    if (beyond(b->sum, a->sum)) return 1;
    return a->total < b->total ? 1 : a->total > b->total ? -1 : memcmp(b->level, a->level, sizeof a->level);
}

static void keep(Search *s, const LatticeNode *node) {
    int64_t at = s->found < s->wanted ? s->found++ : s->wanted;
    if (at == s->wanted && better(node, &s->best[--at]) <= 0) return;
    s->best[at] = *node;
    for (; at > 0 && better(&s->best[at], &s->best[at - 1]) > 0; at--) {
        LatticeNode other = s->best[at];
        s->best[at] = s->best[at - 1];
        s->best[at - 1] = other;
    }
}

static double sum_of(const Checker *c, const LatticeNode *node) {
    double sum = 0;
    if (!loss_is_additive(c->loss)) return node->outcome.score;
    for (int64_t key = 0; key < c->domains->count; key++)
        sum += loss_term(c, key, node->level[key], node->outcome.extra[key], node->outcome.suppressed);
    return sum;
}

static Status take_in(Work *work, Lattice *l, int64_t at) {
    Status status = OK;
    LatticeNode *node = &l->batch[at];
    int64_t groups = node->outcome.groups;
    node->sum = sum_of(l->checker, node);
    l->search->checked++;
    if (!l->closed[l->number[at]]) l->closed[l->number[at]] = 1;
    if (node->outcome.valid) keep(l->search, node);
    learn(l, node);
    if (l->snapshots < SNAPSHOTS && groups * 3 < l->from[at]->count * 2 && l->kept + groups < 4 * l->checker->all.count + 100000) {
        TRY(snapshot_make(work, l->checker, &l->scratch[at], l->from[at], node->level, &l->snapshot[l->snapshots]));
        l->kept += l->snapshot[l->snapshots++].count;
    }
done:
    return status;
}

static Status check_batch(Work *work, Lattice *l) {
    Status status = OK;
    int64_t entries = 0;
    for (int64_t i = 0; i < l->count; i++) {
        LatticeNode *node = &l->batch[i];
        *node = (LatticeNode){ 0 };
        levels_of(l, l->number[i], node->level);
        for (int64_t key = 0; key < l->search->keys; key++) node->total += node->level[key];
        l->from[i] = source(l, node->level);
        entries += l->from[i]->count;
    }
    Work few = *work;
    if (entries < ENTRIES_WORTH_THREADS) few.threads = 1; /* waking threads would cost more than they do */
    TRY(parallel_for(&few, l->count, 1, check_block, l));
    for (int64_t i = 0; i < l->count; i++) TRY(take_in(work, l, i));
done:
    return status;
}

/* Drops what is decided; what is left keeps its order. */
static void sweep(Lattice *l) {
    double limit = threshold(l);
    int64_t left = 0;
    for (int64_t i = 0; i < l->opens; i++) {
        int32_t node = l->open[i];
        if (l->closed[node]) continue;
        if (beyond(l->bound[node], limit)) {
            l->closed[node] = 1;
            l->search->pruned++;
        } else l->open[left++] = node;
    }
    l->opens = left;
}

/* A coarsest open node above this one, by the steps that cost least. */
static int64_t climb(const Lattice *l, int64_t node, double limit) {
    for (;;) {
        int64_t next = -1;
        for (int64_t key = 0; key < l->search->keys; key++) {
            int64_t above = node + l->stride[key];
            if (node / l->stride[key] % l->levels[key] + 1 == l->levels[key] || l->closed[above] || beyond(l->bound[above], limit))
                continue;
            if (next < 0 || l->bound[above] < l->bound[next]) next = above;
        }
        if (next < 0) return node;
        node = next;
    }
}

static void choose_batch(Lattice *l) {
    double limit = threshold(l);
    int64_t climbers = loss_is_additive(l->checker->loss) ? BATCH : BATCH / 2; /* the bounds of the others say less about what is above */
    l->count = 0;
    for (int64_t i = 0; i < BATCH && i < l->opens; i++) {
        int64_t node = l->open[l->opens <= BATCH ? i : l->opens * (i + 1) / (BATCH + 1)];
        if (isfinite(limit) && i < climbers) node = climb(l, node, limit);
        bool again = false;
        for (int64_t j = 0; j < l->count; j++) again |= l->number[j] == node;
        if (!again) l->number[l->count++] = node;
    }
}

typedef struct {
    double bound;
    int32_t node;
} Order;

static int by_bound(const void *a, const void *b) {
    const Order *x = a, *y = b;
    if (x->bound != y->bound) return x->bound < y->bound ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

static Status sort_open(Work *work, Lattice *l) {
    Status status = OK;
    Order *order = NULL;
    NEW(work, order, l->search->nodes);
    for (int64_t i = 0; i < l->search->nodes; i++) order[i] = (Order){ l->bound[i], (int32_t)i };
    qsort(order, (size_t)l->search->nodes, sizeof *order, by_bound);
    for (int64_t i = 0; i < l->search->nodes; i++) l->open[i] = order[i].node;
    l->opens = l->search->nodes;
done:
    arena_drop(work->arena, order);
    return status;
}

/* Nodes of other levels than the settled ones are closed beforehand. */
static void close_others(Lattice *l, const int64_t *settled) {
    for (int64_t node = 0; settled && node < l->search->nodes; node++) {
        uint8_t level[KEYS_MOST];
        levels_of(l, node, level);
        for (int64_t key = 0; key < l->search->keys; key++)
            if (settled[key] >= 0 && level[key] != settled[key]) l->closed[node] = 1;
    }
}

static Status lay_out(Work *work, Lattice *l) {
    Status status = OK;
    Search *s = l->search;
    double nodes = 1;
    s->keys = l->checker->domains->count;
    for (int64_t key = 0; key < s->keys; key++) {
        l->levels[key] = l->checker->domains->at[key].levels;
        l->stride[key] = (int64_t)nodes;
        nodes *= (double)l->levels[key];
        if (l->levels[key] > 63)
            TRY(fail(work->error, BAD, "the hierarchy of %s has more than 63 levels", l->checker->domains->at[key].column->name));
        if (nodes > NODES_MOST) {
            fail(work->error, BAD, "the lattice has more than %d nodes", NODES_MOST);
            TRY(error_advice(work->error, "Use fewer keys, or hierarchies of fewer levels."));
        }
    }
    s->nodes = (int64_t)nodes;
    NEW(work, l->bound, s->nodes);
    NEW(work, l->closed, s->nodes);
    NEW(work, l->open, s->nodes);
    NEW(work, s->best, s->wanted);
    first_bounds(l);
    TRY(sort_open(work, l));
    for (int64_t i = 0; i < BATCH; i++) TRY(scratch_make(work, l->checker, &l->scratch[i]));
done:
    return status;
}

/* The least that an undecided node could score. */
static double open_bound(const Lattice *l) {
    double least = INFINITY;
    for (int64_t i = 0; i < l->opens; i++)
        if (l->bound[l->open[i]] < least) least = l->bound[l->open[i]];
    return least;
}

Status lattice_search(Work *work, const Checker *checker, const int64_t *settled, int64_t wanted, double time_limit, Search *out) {
    Status status = OK;
    Lattice *l = NULL;
    double start = work_seconds();
    *out = (Search){ .wanted = wanted < 2 ? 2 : wanted };
    NEW(work, l, 1);
    l->checker = checker;
    l->search = out;
    TRY(lay_out(work, l));
    close_others(l, settled);
    for (sweep(l); l->opens; sweep(l)) {
        TRY(work_check(work));
        work_show(work, "searching the lattice", 1 - (double)l->opens / (double)out->nodes);
        if (out->checked && work_seconds() - start > time_limit) break;
        choose_batch(l);
        TRY(check_batch(work, l));
    }
    out->finished = !l->opens;
    double sum = out->found ? out->best[0].sum : INFINITY;
    if (!out->finished) sum = smaller(sum, open_bound(l));
    out->bound = loss_is_additive(checker->loss) ? loss_of_sum(checker, sum) : sum;
    out->tied = out->found > 1 && !beyond(out->best[1].sum, out->best[0].sum);
done:
    for (int64_t i = 0; l && i < l->snapshots; i++) snapshot_drop(work, &l->snapshot[i]);
    return status;
}
