/* The graphical model's junction tree: cliques by greedy elimination, beliefs calibrated by passing messages up and down. */
#include "base/elementary.h"
#include <string.h>
#include "synth/private/private.h"

static int bits_in(Set set) { return __builtin_popcountll(set); }

/* Vertices are eliminated, each time the one whose clique has the fewest cells; cliques within others are dropped. */
Status tree_cliques(const Domain *domain, const Set *sets, int64_t count, Set *cliques, int32_t *found, double *cells) {
    Set next_to[MOST_ATTRIBUTES] = { 0 }, left = domain->count == 64 ? ~UINT64_C(0) : (UINT64_C(1) << domain->count) - 1;
    *found = 0;
    *cells = 0;
    for (int64_t r = 0; r < count; r++)
        for (int32_t j = 0; j < domain->count; j++)
            if (sets[r] >> j & 1) next_to[j] |= sets[r];
    while (left) {
        int32_t best = -1;
        double least = INFINITY;
        for (int32_t j = 0; j < domain->count; j++) {
            double size = (double)set_cells(domain, (next_to[j] & left) | UINT64_C(1) << j);
            if ((left >> j & 1) && size < least) {
                least = size;
                best = j;
            }
        }
        Set clique = (next_to[best] & left) | UINT64_C(1) << best;
        bool within = false;
        for (int32_t k = 0; k < *found; k++) within |= (clique & ~cliques[k]) == 0;
        if (!within) {
            cliques[(*found)++] = clique;
            *cells += least;
        }
        for (int32_t j = 0; j < domain->count; j++)
            if (clique >> j & 1) next_to[j] |= clique;
        left &= ~(UINT64_C(1) << best);
    }
    return OK;
}

/* Prim: each clique joins where it shares most; sharing nothing is allowed, the parts are independent then. */
static void join(const Set *cliques, int32_t count, Tree *tree) {
    bool in[MOST_ATTRIBUTES + 1] = { false };
    int32_t place[MOST_ATTRIBUTES + 1];
    for (int32_t k = 0; k < count; k++) {
        int32_t best = -1, from = -1, most = -1;
        for (int32_t c = 0; c < count; c++) {
            if (in[c]) continue;
            if (k == 0) {
                best = 0;
                from = -1;
                break;
            }
            for (int32_t t = 0; t < count; t++)
                if (in[t] && bits_in(cliques[c] & cliques[t]) > most) {
                    most = bits_in(cliques[c] & cliques[t]);
                    best = c;
                    from = t;
                }
        }
        in[best] = true;
        place[best] = k;
        tree->clique[k].set = cliques[best];
        tree->clique[k].parent = from < 0 ? -1 : place[from];
        tree->clique[k].separator = from < 0 ? 0 : cliques[best] & cliques[from];
    }
}

static Status clique_room(Private *p, Tree *tree, Clique *c) {
    Status status = OK;
    Work *work = &p->run->work;
    c->cells = set_cells(&p->domain, c->set);
    c->between = set_cells(&p->domain, c->separator);
    if (c->cells > INT32_MAX) TRY(fail(work->error, BAD, "the model would have a table of more than 2^31 cells"));
    NEW(work, c->belief, c->cells + 1);
    NEW(work, c->message, c->between + 1);
    NEW(work, c->own_map, c->cells + 1);
    project_map(&p->domain, c->set, c->separator, c->own_map);
    if (c->parent < 0) goto done;
    NEW(work, c->parent_map, tree->clique[c->parent].cells + 1);
    project_map(&p->domain, tree->clique[c->parent].set, c->separator, c->parent_map);
done:
    return status;
}

/* Larger sets first, and of equal ones the first measured: so hosts come before what they hold. */
static void put_in_order(const Set *sets, int32_t count, int32_t *order) {
    int32_t at = 0;
    for (int size = MOST_ATTRIBUTES; size >= 0; size--)
        for (int32_t r = 0; r < count; r++)
            if (bits_in(sets[r]) == size) order[at++] = r;
}

/* The smallest measured set that holds set r, of those before it in the order. */
static int32_t host_of(const Private *p, const Set *sets, const int32_t *order, int32_t place) {
    int32_t host = -1, r = order[place];
    for (int32_t k = 0; k < place; k++)
        if (!(sets[r] & ~sets[order[k]]) && (host < 0 || p->at[order[k]].cells < p->at[host].cells)) host = order[k];
    return host;
}

/* How each measured marginal is reached: from its host, else from the smallest clique that holds it. */
static Status reach_measured(Private *p, Tree *tree, const Set *sets) {
    Status status = OK;
    Work *work = &p->run->work;
    NEW(work, tree->home, p->measured + 1);
    NEW(work, tree->host, p->measured + 1);
    NEW(work, tree->order, p->measured + 1);
    NEW(work, tree->map, p->measured + 1);
    put_in_order(sets, (int32_t)p->measured, tree->order);
    for (int32_t place = 0; place < p->measured; place++) {
        int32_t r = tree->order[place], home = -1, host = tree->host[r] = host_of(p, sets, tree->order, place);
        for (int32_t k = 0; k < tree->count; k++)
            if (!(sets[r] & ~tree->clique[k].set) && (home < 0 || tree->clique[k].cells < tree->clique[home].cells)) home = k;
        tree->home[r] = home;
        NEW(work, tree->map[r], (host < 0 ? tree->clique[home].cells : p->at[host].cells) + 1);
        project_map(&p->domain, host < 0 ? tree->clique[home].set : sets[host], sets[r], tree->map[r]);
    }
done:
    return status;
}

Status tree_make(Private *p, Tree *tree) {
    Status status = OK;
    Work *work = &p->run->work;
    Set cliques[MOST_ATTRIBUTES], *sets = NULL;
    double cells;
    *tree = (Tree){ 0 };
    NEW(work, sets, p->measured + 1);
    for (int64_t r = 0; r < p->measured; r++) sets[r] = p->at[r].set;
    TRY(tree_cliques(&p->domain, sets, p->measured, cliques, &tree->count, &cells));
    NEW(work, tree->clique, tree->count + 1);
    join(cliques, tree->count, tree);
    for (int32_t k = 0; k < tree->count; k++) TRY(clique_room(p, tree, &tree->clique[k]));
    TRY(reach_measured(p, tree, sets));
done:
    arena_drop(work->arena, sets);
    return status;
}

void tree_drop(Private *p, Tree *tree) {
    Arena *arena = p->run->work.arena;
    for (int32_t k = 0; tree->clique && k < tree->count; k++) {
        arena_drop(arena, tree->clique[k].belief);
        arena_drop(arena, tree->clique[k].message);
        arena_drop(arena, tree->clique[k].own_map);
        arena_drop(arena, tree->clique[k].parent_map);
    }
    for (int64_t r = 0; tree->map && r < p->measured; r++) arena_drop(arena, tree->map[r]);
    *tree = (Tree){ 0 };
}

/* Sums of the log potentials: of each marginal within another into that one, then of these into the cliques. */
static void potentials(Private *p, Tree *tree) {
    for (int32_t k = 0; k < tree->count; k++) memset(tree->clique[k].belief, 0, (size_t)tree->clique[k].cells * sizeof(double));
    for (int64_t r = 0; r < p->measured; r++) memcpy(p->at[r].sum, p->at[r].parameter, (size_t)p->at[r].cells * sizeof(double));
    for (int64_t place = p->measured - 1; place >= 0; place--) {
        int32_t r = tree->order[place], host = tree->host[r];
        const int32_t *map = tree->map[r];
        const double *sum = p->at[r].sum;
        double *to = host < 0 ? tree->clique[tree->home[r]].belief : p->at[host].sum;
        int64_t cells = host < 0 ? tree->clique[tree->home[r]].cells : p->at[host].cells;
        for (int64_t i = 0; i < cells; i++) to[i] += sum[map[i]];
    }
}

void tree_shares(Private *p, const Tree *tree) {
    for (int64_t place = 0; place < p->measured; place++) {
        int32_t r = tree->order[place], host = tree->host[r];
        const int32_t *map = tree->map[r];
        const double *from = host < 0 ? tree->clique[tree->home[r]].belief : p->at[host].share;
        int64_t cells = host < 0 ? tree->clique[tree->home[r]].cells : p->at[host].cells;
        double *share = p->at[r].share;
        memset(share, 0, (size_t)p->at[r].cells * sizeof *share);
        for (int64_t i = 0; i < cells; i++) share[map[i]] += from[i];
    }
}

/* Log potentials become P(clique | separator), the message ln Σ e^potential per cell of the separator. The largest of each such cell is
 * brought to 1, so that every sum is at least 1: potentials of any size, and cliques that all but exclude each other, stay in range. */
static void condition(Clique *c, double *most) {
    for (int64_t s = 0; s < c->between; s++) {
        most[s] = -INFINITY;
        c->message[s] = 0;
    }
    for (int64_t i = 0; i < c->cells; i++) most[c->own_map[i]] = fmax(most[c->own_map[i]], c->belief[i]);
    for (int64_t i = 0; i < c->cells; i++) c->message[c->own_map[i]] += c->belief[i] = exp(c->belief[i] - most[c->own_map[i]]);
    for (int64_t i = 0; i < c->cells; i++) c->belief[i] /= c->message[c->own_map[i]];
    for (int64_t s = 0; s < c->between; s++) c->message[s] = most[s] + log(c->message[s]);
}

static void pass_up(const Clique *c, Clique *parent) {
    for (int64_t i = 0; i < parent->cells; i++) parent->belief[i] += c->message[c->parent_map[i]];
}

/* P(clique) = P(clique | separator)·P(separator), the latter from the parent. */
static void pass_down(Clique *c, const Clique *parent, double *share) {
    memset(share, 0, (size_t)c->between * sizeof *share);
    for (int64_t i = 0; i < parent->cells; i++) share[c->parent_map[i]] += parent->belief[i];
    for (int64_t i = 0; i < c->cells; i++) c->belief[i] *= share[c->own_map[i]];
}

Status tree_calibrate(Private *p, Tree *tree) {
    Status status = OK;
    int64_t widest = 1;
    double *share = NULL;
    for (int32_t k = 0; k < tree->count; k++)
        if (tree->clique[k].between > widest) widest = tree->clique[k].between;
    NEW(&p->run->work, share, widest + 1);
    potentials(p, tree);
    for (int32_t k = tree->count - 1; k >= 0; k--) {
        Clique *c = &tree->clique[k];
        condition(c, share);
        if (k) pass_up(c, &tree->clique[c->parent]);
    }
    for (int32_t k = 1; k < tree->count; k++) pass_down(&tree->clique[k], &tree->clique[tree->clique[k].parent], share);
done:
    arena_drop(p->run->work.arena, share);
    return status;
}
