/* Draws from the leaves of trees: the Bayesian bootstrap (Rubin 1981), then a systematic sample. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "math/distributions.h"
#include "synth/engine/engine.h"

enum { BLOCK = 1 << 12, LEAVES = 64 };

typedef struct Drawing {
    Synthesis *s;
    const Model *model;
    const DonorTree *tree;
    const uint16_t **at; /* feature → draft's states */
    const int64_t *rows;
    int64_t count;
    int32_t *leaf;           /* of each of the rows */
    int64_t *start, *sorted; /* rows by leaf */
    double *share;           /* donor → running sum of its leaf's weights */
    RandomStream weights, places, offsets;
    int64_t *out;
} Drawing;

static Status find_leaves(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    Drawing *d = self;
    (void)block, (void)error;
    for (int64_t i = first; i < last; i++) d->leaf[i] = donor_tree_find(d->tree, d->model->feature, d->at, d->rows[i]);
    return OK;
}

/* Dirichlet(1, …, 1) weights of a leaf's donors: exponentials, times the survey weight. */
static void weigh(const Drawing *d, const DonorNode *leaf) {
    uint64_t words[256];
    double sum = 0;
    for (int64_t i = leaf->first; i < leaf->last; i++) {
        int64_t k = (i - leaf->first) % 256, left = leaf->last - i;
        if (!k) stream_words(&d->weights, (uint64_t)i, (size_t)(left < 256 ? left : 256), words);
        double w = d->s->weight ? d->s->weight[d->tree->donor[i]] : 1;
        sum += -log(word_uniform(words[k])) * w;
        d->share[i] = sum;
    }
}

/* Every record by itself: what inference from fully synthetic tables supposes. */
static void draw_independently(const Drawing *d, const DonorNode *leaf, const int64_t *row, int64_t count) {
    double whole = d->share[leaf->last - 1];
    for (int64_t j = 0; j < count; j++) {
        uint64_t word;
        stream_words(&d->places, (uint64_t)row[j], 1, &word);
        double target = word_uniform(word) * whole;
        int64_t low = leaf->first, high = leaf->last - 1;
        while (low < high) {
            int64_t middle = (low + high) / 2;
            if (d->share[middle] < target) low = middle + 1;
            else high = middle;
        }
        d->out[row[j]] = d->tree->donor[low];
    }
}

/* The leaf's records in random order; record j of s takes the donor at (j + u)/s of the weights. A systematic sample adds next to no
 * variance to that of the weights, so that a column varies as often as one independent draw would let it, and not twice. */
static void draw_leaf(const Drawing *d, int64_t number) {
    const DonorNode *leaf = &d->tree->node[d->tree->leaf_node[number]];
    int64_t *row = d->sorted + d->start[number], count = d->start[number + 1] - d->start[number];
    uint64_t word;
    if (!count || leaf->first == leaf->last) return;
    weigh(d, leaf);
    if (d->s->independent) {
        draw_independently(d, leaf, row, count);
        return;
    }
    for (int64_t j = count - 1; j > 0; j--) { /* Fisher & Yates; each record has a word of its own */
        stream_words(&d->places, (uint64_t)row[j], 1, &word);
        int64_t other = (int64_t)word_below(word, (uint64_t)j + 1), kept = row[j];
        row[j] = row[other];
        row[other] = kept;
    }
    stream_words(&d->offsets, (uint64_t)number, 1, &word);
    double u = word_uniform(word), whole = d->share[leaf->last - 1];
    int64_t at = leaf->first;
    for (int64_t j = 0; j < count; j++) {
        double target = ((double)j + u) / (double)count * whole;
        while (at + 1 < leaf->last && d->share[at] < target) at++;
        d->out[row[j]] = d->tree->donor[at];
    }
}

static Status draw_leaves(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    (void)block, (void)error;
    for (int64_t k = first; k < last; k++) draw_leaf(self, k);
    return OK;
}

static Status sort_rows(Drawing *d) {
    Status status = OK;
    Work *work = &d->s->run->work;
    int64_t *next = NULL;
    NEW(work, d->start, d->tree->leaves + 2);
    NEW(work, next, d->tree->leaves + 2);
    NEW(work, d->sorted, d->count + 1);
    for (int64_t i = 0; i < d->count; i++) d->start[d->leaf[i] + 1]++;
    for (int64_t k = 0; k < d->tree->leaves; k++) next[k + 1] = d->start[k + 1] += d->start[k];
    for (int64_t i = 0; i < d->count; i++) d->sorted[next[d->leaf[i]]++] = d->rows[i];
done:
    arena_drop(work->arena, next);
    return status;
}

Status draw_tree(Synthesis *s, const Model *model, const DonorTree *tree, SyntheticTable *draft, const int64_t *rows, int64_t count,
                 const char *what, int64_t *out) {
    Status status = OK;
    Work *work = &s->run->work;
    const char *name = s->variable[model->variable].column->name;
    char purpose[160];
    Drawing d = { .s = s, .model = model, .tree = tree, .rows = rows, .count = count, .out = out };
    snprintf(purpose, sizeof purpose, "%s weights", what);
    d.weights = run_stream(s->run, name, purpose);
    snprintf(purpose, sizeof purpose, "%s places", what);
    d.places = run_stream(s->run, name, purpose);
    snprintf(purpose, sizeof purpose, "%s offsets", what);
    d.offsets = run_stream(s->run, name, purpose);
    NEW(work, d.at, model->predictors + 1);
    NEW(work, d.leaf, count + 1);
    NEW(work, d.share, tree->rows + 1);
    for (int32_t f = 0; f < model->predictors; f++) d.at[f] = draft->state[model->predictor[f]];
    TRY(parallel_for(work, count, BLOCK, find_leaves, &d));
    TRY(sort_rows(&d));
    TRY(parallel_for(work, tree->leaves, LEAVES, draw_leaves, &d));
done:
    arena_drop(work->arena, d.leaf);
    arena_drop(work->arena, d.share);
    arena_drop(work->arena, d.start);
    arena_drop(work->arena, d.sorted);
    return status;
}
