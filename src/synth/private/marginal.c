/* Any marginal of a calibrated tree: the cliques that bear on it are reduced to what is asked and shared, and multiplied along the tree. */
#include "base/elementary.h"
#include <stdlib.h>
#include <string.h>
#include "synth/private/private.h"

/* A table over a set. */
typedef struct Factor {
    Set set;
    int64_t cells;
    double *at;
} Factor;

static Status factor_new(Private *p, Set set, Factor *out) {
    Status status = OK;
    *out = (Factor){ .set = set, .cells = set_cells(&p->domain, set) };
    NEW(&p->run->work, out->at, out->cells + 1);
done:
    return status;
}

/* Steps of each attribute of `within` in the table over `set`, the fastest first. */
static void strides(const Domain *d, Set within, Set set, int64_t *stride) {
    int64_t step = 1;
    int many = 0;
    for (int32_t j = d->count - 1; j >= 0; j--) {
        if (!(within >> j & 1)) continue;
        stride[many++] = set >> j & 1 ? step : 0;
        if (set >> j & 1) step *= d->at[j].merged;
    }
}

/* out = Σ over what out lacks of a·b: walks the cells of both together. */
static Status contract(Private *p, const Factor *a, const Factor *b, Set keep, Factor *out) {
    Status status = OK;
    Set all = a->set | b->set;
    int32_t size[MOST_ATTRIBUTES], digit[MOST_ATTRIBUTES] = { 0 };
    int64_t step[3][MOST_ATTRIBUTES], at[3] = { 0 }, cells = set_cells(&p->domain, all);
    int many = 0;
    TRY(factor_new(p, keep & all, out));
    for (int32_t j = p->domain.count - 1; j >= 0; j--)
        if (all >> j & 1) size[many++] = p->domain.at[j].merged;
    strides(&p->domain, all, a->set, step[0]);
    strides(&p->domain, all, b->set, step[1]);
    strides(&p->domain, all, out->set, step[2]);
    for (int64_t c = 0; c < cells; c++) {
        out->at[at[2]] += a->at[at[0]] * b->at[at[1]];
        for (int k = 0; k < many; k++) {
            for (int f = 0; f < 3; f++) at[f] += step[f][k];
            if (++digit[k] < size[k]) break;
            for (int f = 0; f < 3; f++) at[f] -= step[f][k] * size[k];
            digit[k] = 0;
        }
    }
done:
    return status;
}

/* The clique's belief summed down to `keep`. */
static Status reduce(Private *p, const Clique *c, Set keep, Factor *out) {
    Status status = OK;
    int32_t size[MOST_ATTRIBUTES], digit[MOST_ATTRIBUTES] = { 0 };
    int64_t step[MOST_ATTRIBUTES], at = 0;
    int many = 0;
    TRY(factor_new(p, keep & c->set, out));
    for (int32_t j = p->domain.count - 1; j >= 0; j--)
        if (c->set >> j & 1) size[many++] = p->domain.at[j].merged;
    strides(&p->domain, c->set, out->set, step);
    for (int64_t i = 0; i < c->cells; i++) {
        out->at[at] += c->belief[i];
        for (int k = 0; k < many; k++) {
            at += step[k];
            if (++digit[k] < size[k]) break;
            at -= step[k] * size[k];
            digit[k] = 0;
        }
    }
done:
    return status;
}

/* P(asked attributes below k | separator) as a table over both, or the whole at the root. */
static Status below(Private *p, const Tree *tree, int32_t k, Set asked, const Set *beneath, Factor *out) {
    Status status = OK;
    const Clique *c = &tree->clique[k];
    Set keep = c->separator | (asked & c->set);
    Factor here = { 0 };
    for (int32_t t = k + 1; t < tree->count; t++)
        if (tree->clique[t].parent == k && (asked & beneath[t] & ~c->set)) keep |= tree->clique[t].separator;
    TRY(reduce(p, c, keep, &here));
    if (c->separator) { /* conditional on the separator */
        Factor whole;
        TRY(reduce(p, c, c->separator, &whole));
        for (int64_t s = 0; s < whole.cells; s++) whole.at[s] = whole.at[s] > 0 ? 1 / whole.at[s] : 0;
        Factor next;
        TRY(contract(p, &here, &whole, here.set, &next));
        arena_drop(p->run->work.arena, here.at);
        arena_drop(p->run->work.arena, whole.at);
        here = next;
    }
    for (int32_t t = k + 1; t < tree->count; t++) {
        Set wanted = asked & beneath[t] & ~c->set;
        if (tree->clique[t].parent != k || !wanted) continue;
        Factor child, next;
        TRY(below(p, tree, t, asked, beneath, &child));
        Set stay = c->separator | asked;
        for (int32_t u = t + 1; u < tree->count; u++)
            if (tree->clique[u].parent == k && (asked & beneath[u] & ~c->set)) stay |= tree->clique[u].separator;
        TRY(contract(p, &here, &child, stay, &next));
        arena_drop(p->run->work.arena, here.at);
        arena_drop(p->run->work.arena, child.at);
        here = next;
    }
    *out = here;
done:
    return status;
}

/* Cells that `below` would walk, and the set it would leave. */
static double walk(Private *p, const Tree *tree, int32_t k, Set asked, const Set *beneath, Set *left) {
    const Clique *c = &tree->clique[k];
    double cells = (double)c->cells;
    Set here = c->separator | (asked & c->set);
    for (int32_t t = k + 1; t < tree->count; t++)
        if (tree->clique[t].parent == k && (asked & beneath[t] & ~c->set)) here |= tree->clique[t].separator;
    for (int32_t t = k + 1; t < tree->count; t++) {
        Set child;
        if (tree->clique[t].parent != k || !(asked & beneath[t] & ~c->set)) continue;
        cells += walk(p, tree, t, asked, beneath, &child);
        cells += (double)set_cells(&p->domain, here | child);
        here |= child & asked;
    }
    *left = here & (c->separator | asked);
    return cells;
}

/* The deepest clique above everything asked: walking down from it is enough. */
static int32_t top_of(const Tree *tree, Set asked, const Set *beneath) {
    int32_t top = 0;
    for (int32_t k = 0; k < tree->count; k++)
        if (!(asked & ~beneath[k])) top = k; /* parents come first */
    return top;
}

double tree_cost(Private *p, const Tree *tree, Set set) {
    Set beneath[MOST_ATTRIBUTES + 1], left;
    for (int32_t k = 0; k < tree->count; k++) {
        beneath[k] = tree->clique[k].set;
        if (!(set & ~tree->clique[k].set)) return 0;
    }
    for (int32_t k = tree->count - 1; k > 0; k--) beneath[tree->clique[k].parent] |= beneath[k];
    return walk(p, tree, top_of(tree, set, beneath), set, beneath, &left);
}

Status tree_marginal(Private *p, const Tree *tree, Set set, double *out) {
    Status status = OK;
    Set beneath[MOST_ATTRIBUTES + 1];
    Factor f = { 0 }, rest = { 0 };
    for (int32_t k = 0; k < tree->count; k++) {
        beneath[k] = tree->clique[k].set;
        if (set & ~tree->clique[k].set) continue;
        TRY(reduce(p, &tree->clique[k], set, &f));
        memcpy(out, f.at, (size_t)f.cells * sizeof *out);
        goto done;
    }
    for (int32_t k = tree->count - 1; k > 0; k--) beneath[tree->clique[k].parent] |= beneath[k];
    int32_t top = top_of(tree, set, beneath);
    TRY(below(p, tree, top, set, beneath, &f));
    Factor prior;
    TRY(reduce(p, &tree->clique[top], tree->clique[top].separator, &prior)); /* the top's separator is not asked: weigh it out */
    TRY(contract(p, &f, &prior, set, &rest));
    memcpy(out, rest.at, (size_t)rest.cells * sizeof *out);
    arena_drop(p->run->work.arena, prior.at);
done:
    arena_drop(p->run->work.arena, f.at);
    arena_drop(p->run->work.arena, rest.at);
    return status;
}
