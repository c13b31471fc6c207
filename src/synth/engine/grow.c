/* A tree grown from the root down: nodes wait on a stack, and their records lie together. */
#include "synth/engine/grow.h"
#include <stdlib.h>
#include <string.h>
#include "synth/engine/split.h"

/* A node of few records, and all below it, look at copies of their states that lie together: in the whole table's columns every cell of a
 * small node would be a cache line of its own. Nodes are visited depth first, so that one block at a time is enough. */
enum { NEAR_ROWS = 65536 };
typedef struct Near {
    uint16_t *state; /* record by record */
    int32_t *place;  /* of donors[first…last): which record of the block each is */
    int32_t *spare;
    int64_t first, last;
} Near;

typedef struct Waiting {
    int32_t node, depth;
    int64_t first, last;
} Waiting;

typedef struct Grower {
    const Feature *feature;
    int32_t features;
    const Target *target;
    GrowOptions options;
    DonorTree *tree;
    Bench bench;
    Near block;
    int64_t room, word_room, leaf_room;
    int32_t *spare;
    uint16_t *class, *local; /* of the node's records; class → its number in this node + 1 */
    uint16_t *seen;          /* classes that occur here */
    double *y, *w;
    Division best;
    Waiting *stack;
    int64_t deep, stack_room;
    Error *error;
} Grower;

static Status grow_room(void *pointer, size_t size, int64_t *room, int64_t need, Error *error) {
    void **at = pointer;
    if (need <= *room) return OK;
    int64_t wanted = *room * 2 > need ? *room * 2 : need + 64;
    void *more = realloc(*at, (size_t)wanted * size);
    if (!more) return out_of_memory(error);
    *at = more;
    *room = wanted;
    return OK;
}

/* Numbers centred on the node's mean. */
static void gather_numbers(Grower *g, const int32_t *row, Node *n, double *impurity) {
    double sum = 0, squares = 0;
    for (int64_t i = 0; i < n->count; i++) {
        g->y[i] = g->target->real[row[i]];
        sum += (n->w ? n->w[i] : 1) * g->y[i];
    }
    double mean = n->weight > 0 ? sum / n->weight : 0;
    sum = 0;
    for (int64_t i = 0; i < n->count; i++) {
        double w = n->w ? n->w[i] : 1;
        g->y[i] -= mean;
        sum += w * g->y[i];
        squares += w * g->y[i] * g->y[i];
    }
    n->y = g->y;
    n->quality = n->weight > 0 ? sum * sum / n->weight : 0;
    *impurity = squares;
}

/* Classes renumbered in the order in which they come. */
static void gather_classes(Grower *g, const int32_t *row, Node *n, double *impurity) {
    int32_t found = 0;
    double squares = 0, *count = g->bench.left;
    for (int64_t i = 0; i < n->count; i++) {
        uint16_t c = g->target->class[row[i]];
        if (!g->local[c]) {
            g->seen[found] = c;
            count[found] = 0;
            g->local[c] = (uint16_t)++found;
        }
        g->class[i] = (uint16_t)(g->local[c] - 1);
        count[g->class[i]] += n->w ? n->w[i] : 1;
    }
    for (int32_t k = 0; k < found; k++) {
        g->local[g->seen[k]] = 0;
        squares += count[k] * count[k];
    }
    n->class = g->class;
    n->classes = found;
    n->quality = n->weight > 0 ? squares / n->weight : 0;
    *impurity = n->weight - n->quality;
}

static void gather(Grower *g, const int32_t *row, int64_t count, Node *n, double *impurity) {
    *n = (Node){ .count = count, .min_leaf = g->options.min_leaf, .row = row, .weight = (double)count };
    if (g->target->weight) {
        n->weight = 0;
        for (int64_t i = 0; i < count; i++) n->weight += g->w[i] = g->target->weight[row[i]];
        n->w = g->w;
    }
    if (g->target->real) gather_numbers(g, row, n, impurity);
    else gather_classes(g, row, n, impurity);
}

static bool bit_of(const uint64_t *words, uint16_t state) { return words[state >> 6] >> (state & 63) & 1; }

static bool goes_left(const DonorTree *tree, const DonorNode *node, const Feature *f, uint16_t state) {
    if (!f->ordered) return bit_of(tree->word + node->set, state);
    if (f->missing && state == f->states - 1) return node->missing_left;
    return state <= node->threshold;
}

/* The categories that go left, as bits; those that the node never saw go with the larger side. */
static Status keep_set(Grower *g, DonorNode *node, const Feature *f) {
    Status status = OK;
    const Division *d = &g->best;
    int64_t words = f->states / 64 + 1;
    TRY(grow_room(&g->tree->word, sizeof *g->tree->word, &g->word_room, g->tree->words + words, g->error));
    node->set = g->tree->words;
    uint64_t *word = g->tree->word + node->set;
    bool others = d->lefts < 0;
    memset(word, others ? 0xff : 0, (size_t)words * sizeof *word);
    for (int32_t k = 0; k < abs(d->lefts); k++) word[d->left[k] >> 6] ^= UINT64_C(1) << (d->left[k] & 63);
    g->tree->words += words;
done:
    return status;
}

static bool in_block(const Near *b, int64_t first, int64_t last) { return first >= b->first && last <= b->last; }

/* Where the node is small: its block, made unless it is part of the one at hand. */
static void look_closely(Grower *g, int64_t first, int64_t last) {
    Near *b = &g->block;
    if (last - first > NEAR_ROWS || in_block(b, first, last)) return;
    b->first = first;
    b->last = last;
    for (int64_t i = 0; i < last - first; i++) b->place[i] = (int32_t)i;
    for (int32_t f = 0; f < g->features; f++)
        for (int64_t i = 0; i < last - first; i++) b->state[i * g->features + f] = g->feature[f].state[g->tree->donor[first + i]];
}

/* A node within the block is divided by it: places move with their donors. */
static int64_t divide_block(Grower *g, const DonorNode *node, int64_t first, int64_t last) {
    const Feature *f = &g->feature[node->feature];
    int32_t *donor = g->tree->donor, *place = g->block.place - g->block.first;
    int64_t left = first, right = 0;
    for (int64_t i = first; i < last; i++) {
        int32_t row = donor[i], at = place[i];
        if (goes_left(g->tree, node, f, g->block.state[(int64_t)at * g->features + node->feature])) {
            donor[left] = row;
            place[left++] = at;
        } else {
            g->spare[right] = row;
            g->block.spare[right++] = at;
        }
    }
    memcpy(donor + left, g->spare, (size_t)right * sizeof *donor);
    memcpy(place + left, g->block.spare, (size_t)right * sizeof *place);
    return left;
}

static int64_t divide(Grower *g, const DonorNode *node, int64_t first, int64_t last) {
    const Feature *f = &g->feature[node->feature];
    int32_t *donor = g->tree->donor;
    int64_t left = first, right = 0;
    if (in_block(&g->block, first, last)) return divide_block(g, node, first, last);
    for (int64_t i = first; i < last; i++) {
        int32_t row = donor[i];
        if (goes_left(g->tree, node, f, f->state[row])) donor[left++] = row;
        else g->spare[right++] = row;
    }
    memcpy(donor + left, g->spare, (size_t)right * sizeof *donor);
    return left;
}

static Status make_leaf(Grower *g, Waiting w) {
    Status status = OK;
    DonorTree *tree = g->tree;
    TRY(grow_room(&tree->leaf_node, sizeof *tree->leaf_node, &g->leaf_room, tree->leaves + 1, g->error));
    tree->node[w.node].leaf = (int32_t)tree->leaves;
    tree->leaf_node[tree->leaves++] = w.node;
done:
    return status;
}

static bool find_division(Grower *g, Waiting w) {
    Node n;
    double impurity = 0;
    gather(g, g->tree->donor + w.first, w.last - w.first, &n, &impurity);
    if (w.node == 0) g->tree->impurity = impurity;
    if (n.count < g->options.min_split || w.depth >= g->options.depth || !(impurity > 1e-12 * g->tree->impurity)) return false;
    look_closely(g, w.first, w.last);
    if (in_block(&g->block, w.first, w.last)) {
        n.block = g->block.state;
        n.place = g->block.place + (w.first - g->block.first);
        n.features = g->features;
    }
    g->best.gain = g->options.complexity * g->tree->impurity + 1e-12 * impurity;
    g->best.feature = -1;
    for (int32_t f = 0; f < g->features; f++) split_by(&g->bench, &n, &g->feature[f], f, &g->best);
    return g->best.feature >= 0;
}

static Status visit(Grower *g, Waiting w) {
    Status status = OK;
    DonorTree *tree = g->tree;
    tree->node[w.node] = (DonorNode){ .feature = -1, .first = (int32_t)w.first, .last = (int32_t)w.last, .leaf = -1 };
    if (!find_division(g, w)) return make_leaf(g, w);
    TRY(grow_room(&tree->node, sizeof *tree->node, &g->room, tree->nodes + 2, g->error));
    DonorNode *node = &tree->node[w.node];
    node->feature = g->best.feature;
    node->threshold = g->best.threshold;
    node->missing_left = g->best.missing_left;
    node->left = (int32_t)tree->nodes++;
    node->right = (int32_t)tree->nodes++;
    tree->explained += g->best.gain;
    if (!g->feature[node->feature].ordered) TRY(keep_set(g, node, &g->feature[node->feature]));
    int64_t middle = divide(g, node, w.first, w.last);
    TRY(grow_room(&g->stack, sizeof *g->stack, &g->stack_room, g->deep + 2, g->error));
    g->stack[g->deep++] = (Waiting){ node->right, w.depth + 1, middle, w.last };
    g->stack[g->deep++] = (Waiting){ node->left, w.depth + 1, w.first, middle };
done:
    return status;
}

static Status open_grower(Grower *g, const int32_t *rows, int64_t count) {
    int32_t states = 1;
    Status status = OK;
    size_t n = (size_t)count + 1, classes = (size_t)g->target->classes + 1;
    for (int32_t f = 0; f < g->features; f++)
        if (g->feature[f].states > states) states = g->feature[f].states;
    TRY(bench_open(&g->bench, states, g->target->classes, count, g->error));
    size_t block = count < NEAR_ROWS ? n : NEAR_ROWS;
    g->block = (Near){ .state = malloc(block * ((size_t)g->features + 1) * sizeof *g->block.state),
                       .place = malloc(block * sizeof *g->block.place),
                       .spare = malloc(block * sizeof *g->block.spare) };
    g->spare = malloc(n * sizeof *g->spare);
    g->class = malloc(n * sizeof *g->class);
    g->local = calloc(classes, sizeof *g->local);
    g->seen = calloc(classes, sizeof *g->seen);
    g->y = g->target->real ? malloc(n * sizeof *g->y) : NULL;
    g->w = g->target->weight ? malloc(n * sizeof *g->w) : NULL;
    g->best.left = calloc((size_t)states + 1, sizeof *g->best.left);
    g->tree->donor = malloc(n * sizeof *g->tree->donor);
    if (!g->spare || !g->class || !g->local || !g->seen || (g->target->real && !g->y) || (g->target->weight && !g->w) || !g->best.left ||
        !g->tree->donor || !g->block.state || !g->block.place || !g->block.spare)
        TRY(out_of_memory(g->error));
    if (count) memcpy(g->tree->donor, rows, (size_t)count * sizeof *rows);
    TRY(grow_room(&g->tree->node, sizeof *g->tree->node, &g->room, 1, g->error));
    TRY(grow_room(&g->stack, sizeof *g->stack, &g->stack_room, 1, g->error));
    g->tree->nodes = 1;
    g->tree->rows = count;
done:
    return status;
}

Status donor_tree_grow(const Feature *feature, int32_t features, const Target *target, const int32_t *rows, int64_t count,
                       const GrowOptions *options, DonorTree *out, Error *error) {
    Status status = OK;
    Grower g = { .feature = feature, .features = features, .target = target, .options = *options, .tree = out, .error = error };
    *out = (DonorTree){ 0 };
    TRY(open_grower(&g, rows, count));
    g.stack[g.deep++] = (Waiting){ 0, 0, 0, count };
    while (g.deep) {
        if (work_stopped(options->work)) TRY(fail(error, INTERRUPTED, "interrupted"));
        TRY(visit(&g, g.stack[--g.deep]));
    }
done:
    bench_close(&g.bench);
    free(g.block.state);
    free(g.block.place);
    free(g.block.spare);
    free(g.spare);
    free(g.class);
    free(g.local);
    free(g.seen);
    free(g.y);
    free(g.w);
    free(g.best.left);
    free(g.stack);
    if (status) donor_tree_free(out);
    return status;
}

void donor_tree_free(DonorTree *tree) {
    free(tree->node);
    free(tree->word);
    free(tree->donor);
    free(tree->leaf_node);
    *tree = (DonorTree){ 0 };
}

int32_t donor_tree_find(const DonorTree *tree, const Feature *feature, const uint16_t *const *at, int64_t row) {
    const DonorNode *node = tree->node;
    while (node->feature >= 0) {
        int32_t f = node->feature;
        node = &tree->node[goes_left(tree, node, &feature[f], at[f][row]) ? node->left : node->right];
    }
    return node->leaf;
}
