/* Trees grown: records stay sorted by every predictor as they are divided, so that no node sorts again. */
#include "math/tree/tree.h"
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "math/tree/split.h"

Status tree_columns(Work *work, Columns columns, TreeColumn *out) {
    Status status = OK;
    for (int64_t j = 0; j < columns.count; j++) {
        const Column *column = columns.at[j];
        out[j] = (TreeColumn){ 0 };
        if (column->type == CATEGORY_TYPE || column->type == TEXT_TYPE) {
            Codes codes;
            TRY(column_codes(work, column, &codes));
            out[j].code = codes.at;
            out[j].codes = codes.count;
        } else TRY(packed_reals_of(work, column, &out[j].number));
    }
done:
    return status;
}

static void mark_fresh(const TreeColumn *column, const int32_t *order, int64_t present, uint64_t *fresh) {
    for (int64_t i = 0; i < present; i++) {
        bool other = !i || tree_number(column, order[i]) > tree_number(column, order[i - 1]);
        fresh[i >> 6] |= (uint64_t)other << (i & 63);
    }
}

Status tree_data(Work *work, const TreeColumn *columns, int64_t count, int64_t rows, TreeData *out) {
    Status status = OK;
    if (rows > INT32_MAX) return fail(work->error, FAILED, "a tree of more than 2^31 records");
    int32_t *plain = NULL;
    *out = (TreeData){ .rows = rows, .columns = count };
    NEW(work, out->column, count);
    NEW(work, out->order, count);
    NEW(work, out->fresh, count);
    for (int64_t j = 0; j < count; j++) {
        int64_t present = 0;
        const TreeColumn *column = &columns[j];
        out->column[j] = *column;
        if (!tree_numbers(column)) {
            if (!plain) NEW(work, plain, rows);
            out->order[j] = plain;
            continue;
        }
        NEW(work, out->order[j], rows);
        NEW(work, out->fresh[j], blocks_of(rows, 64));
        TRY(packed_reals_order(work, &column->number, rows, out->order[j], &present));
        mark_fresh(column, out->order[j], present, out->fresh[j]);
    }
    for (int64_t i = 0; plain && i < rows; i++) plain[i] = (int32_t)i;
done:
    return status;
}

enum { FEW = 4096 }; /* records that are not worth a second thread */

/* The growing tree. */
typedef struct Grower {
    Work *work;
    const TreeData *data;
    const TreeResponse *response;
    TreeOptions options;
    Tree *tree;
    int64_t room;
    int32_t **order; /* the data's; once a node is split, of its own: divided as the tree grows */
    bool owns;
    int32_t *spare; /* all rows, where there is no column */
    uint8_t *left;  /* by row: goes left in the node at hand */
    Split *split;   /* by column */
    int64_t ones;   /* of a response of bits, in the node at hand */
    Patch patch;
} Grower;

typedef struct Waiting {
    int32_t node, depth;
    int64_t first, last;
} Waiting;

/* Zeros and ones: Σ(y−ȳ)² is ones·zeros/count. */
static void describe_bits(Grower *g, TreeNode *node, const int32_t *row, int64_t first, int64_t last, double *impurity) {
    int64_t ones = 0;
    for (int64_t i = first; i < last; i++) ones += (int64_t)(g->response->bits[row[i] >> 6] >> (row[i] & 63) & 1);
    g->ones = ones;
    node->weight = (double)node->count;
    node->mean = (double)ones / node->weight;
    *impurity = (double)ones * ((double)(node->count - ones) / node->weight);
}

/* Count, weight, mean or shares of the node's records, and its impurity: Σw(y−ȳ)², or W(1 − Σp²). */
static Status describe(Grower *g, int32_t number, int64_t first, int64_t last, double *impurity) {
    Status status = OK;
    TreeNode *node = &g->tree->node[number];
    const TreeResponse *r = g->response;
    double sum = 0, squares = 0, *share = NULL;
    const int32_t *row = g->data->columns ? g->order[0] : g->spare;
    *node = (TreeNode){ .column = -1, .left = -1, .right = -1, .count = last - first };
    if (r->bits) {
        describe_bits(g, node, row, first, last, impurity);
        return OK;
    }
    if (!r->real) NEW(g->work, share, r->codes);
    for (int64_t i = first; i < last; i++) {
        double w = r->weight ? r->weight[row[i]] : 1;
        node->weight += w;
        if (r->real) sum += w * r->real[row[i]];
        else share[r->code[row[i]]] += w;
    }
    node->mean = r->real ? sum / node->weight : NAN;
    for (int64_t i = first; r->real && i < last; i++) {
        double d = r->real[row[i]] - node->mean;
        squares += (r->weight ? r->weight[row[i]] : 1) * d * d;
    }
    *impurity = r->real ? squares : node->weight;
    for (int32_t c = 0; !r->real && c < r->codes && node->weight > 0; c++) {
        share[c] /= node->weight;
        *impurity -= node->weight * share[c] * share[c];
    }
    node->share = share;
done:
    return status;
}

static Status try_column(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    Grower *g = self;
    (void)block, (void)last;
    return best_split(&g->patch, first, &g->split[first], error);
}

static bool goes_left(const TreeNode *node, const TreeColumn *column, int64_t row) {
    if (tree_numbers(column)) {
        double x = tree_number(column, row);
        return isnan(x) ? node->missing_left : x <= node->threshold;
    }
    int32_t code = column->code[row];
    return code < 0 || code >= column->codes ? node->missing_left : node->goes_left[code];
}

typedef struct Division {
    Grower *g;
    int64_t first, last, middle;
} Division;

/* The first column whose records stand in the same order for good: categories are divided alike. */
static int64_t same_order(const TreeData *data, int64_t column) {
    int64_t first = 0;
    while (data->order[first] != data->order[column]) first++;
    return first;
}

/* Keeps the order within both halves of one column. */
static Status divide_column(void *self, int64_t block, int64_t column, int64_t end, Error *error) {
    (void)block, (void)end;
    const Division *d = self;
    int32_t *order = d->g->order[column];
    const uint8_t *goes = d->g->left;
    int64_t left = d->first, right = 0;
    if (same_order(d->g->data, column) != column) return OK; /* done with that one */
    int32_t *spare = malloc((size_t)(d->last - d->middle + 1) * sizeof *spare);
    if (!spare) return out_of_memory(error);
    for (int64_t i = d->first; i < d->last; i++) { /* without a branch: which way a record goes is no habit of the one before it */
        int32_t row = order[i];
        int64_t here = goes[row];
        order[left] = row;
        spare[right] = row;
        left += here;
        right += !here;
    }
    memcpy(order + d->middle, spare, (size_t)right * sizeof *order);
    free(spare);
    return OK;
}

/* Records in the order of all columns, of its own from the first division on: a tree without one leaves them as they are. */
static Status own_order(Grower *g) {
    Status status = OK;
    int64_t rows = g->data->rows, columns = g->data->columns;
    if (g->owns) return OK;
    g->owns = true;
    g->order = NULL;
    NEW(g->work, g->order, columns);
    for (int64_t j = 0; j < columns; j++) {
        int64_t same = same_order(g->data, j);
        if (same < j) {
            g->order[j] = g->order[same];
            continue;
        }
        NEW(g->work, g->order[j], rows);
        memcpy(g->order[j], g->data->order[j], (size_t)rows * sizeof **g->order);
    }
done:
    return status;
}

static Status divide(Grower *g, const TreeNode *node, int64_t first, int64_t last, int64_t *middle) {
    const TreeColumn *column = &g->data->column[node->column];
    Division d = { g, first, last, first };
    Work quiet = *g->work;
    Status status = own_order(g);
    if (status) return status;
    for (int64_t i = first; i < last; i++) {
        int32_t row = g->order[0][i];
        g->left[row] = goes_left(node, column, row);
        d.middle += g->left[row];
    }
    *middle = d.middle;
    if (last - first < FEW) quiet.threads = 1;
    return parallel_for(&quiet, g->data->columns, 1, divide_column, &d);
}

/* The column with the most gain; -1 where no split is worth it. */
static int64_t choose(const Grower *g) {
    int64_t best = -1;
    for (int64_t j = 0; j < g->data->columns; j++)
        if (g->split[j].found && (best < 0 || g->split[j].gain > g->split[best].gain * (1 + 1e-12))) best = j;
    if (best >= 0 && (g->split[best].gain <= g->tree->impurity * 1e-12 || g->split[best].gain < g->options.complexity * g->tree->impurity))
        return -1;
    return best;
}

static Status split_node(Grower *g, Waiting w, Waiting *below, bool *done_splitting) {
    Status status = OK;
    Tree *tree = g->tree;
    double impurity, before = tree->impurity;
    TRY(describe(g, w.node, w.first, w.last, &impurity));
    if (w.node == 0) tree->impurity = before = impurity;
    *done_splitting = true;
    if (w.depth >= g->options.depth || w.last - w.first < g->options.min_split || !(impurity > before * 1e-12)) return OK;
    g->patch =
        (Patch){ g->data, g->response, g->order, w.first, w.last, g->options.min_leaf, tree->node[w.node].mean, g->ones, w.node == 0 };
    Work quiet = *g->work;
    if (w.last - w.first < FEW) quiet.threads = 1;
    TRY(parallel_for(&quiet, g->data->columns, 1, try_column, g));
    int64_t best = choose(g);
    if (best < 0) return OK;
    GROW(g->work, tree->node, g->room, tree->nodes + 2);
    TreeNode *node = &tree->node[w.node];
    const Split *split = &g->split[best];
    int32_t codes = g->data->column[best].codes;
    uint8_t *sides = NULL;
    NEW(g->work, sides, codes + 1);
    if (!tree_numbers(&g->data->column[best])) memcpy(sides, split->goes_left, (size_t)codes);
    node->column = (int32_t)best;
    node->threshold = split->threshold;
    node->missing_left = split->missing_left;
    node->goes_left = sides;
    node->gain = split->gain;
    node->left = (int32_t)tree->nodes++;
    node->right = (int32_t)tree->nodes++;
    int64_t middle;
    TRY(divide(g, node, w.first, w.last, &middle));
    below[0] = (Waiting){ node->left, w.depth + 1, w.first, middle };
    below[1] = (Waiting){ node->right, w.depth + 1, middle, w.last };
    *done_splitting = false;
done:
    return status;
}

static Status prepare(Grower *g) {
    Status status = OK;
    int64_t rows = g->data->rows, columns = g->data->columns;
    if (!columns) NEW(g->work, g->spare, rows);
    NEW(g->work, g->left, rows);
    NEW(g->work, g->split, columns);
    NEW(g->work, g->tree->leaf, rows);
    for (int64_t i = 0; g->spare && i < rows; i++) g->spare[i] = (int32_t)i;
    for (int64_t j = 0; j < columns; j++) NEW(g->work, g->split[j].goes_left, g->data->column[j].codes + 1);
    g->order = g->data->order;
    GROW(g->work, g->tree->node, g->room, 1);
    g->tree->nodes = 1;
done:
    return status;
}

static Status grow(Grower *g) {
    Status status = OK;
    Waiting *stack = NULL;
    int64_t deep = 0, room = 0;
    GROW(g->work, stack, room, 1);
    stack[deep++] = (Waiting){ 0, 0, 0, g->data->rows };
    while (deep) {
        Waiting w = stack[--deep], below[2];
        bool leaf;
        TRY(work_check(g->work));
        TRY(split_node(g, w, below, &leaf));
        if (leaf) {
            const int32_t *row = g->data->columns ? g->order[0] : g->spare;
            for (int64_t i = w.first; i < w.last; i++) g->tree->leaf[row[i]] = w.node;
            g->tree->leaves++;
            continue;
        }
        GROW(g->work, stack, room, deep + 2);
        stack[deep++] = below[1];
        stack[deep++] = below[0];
    }
done:
    arena_drop(g->work->arena, stack);
    return status;
}

Status tree_grow(Work *work, const TreeData *data, const TreeResponse *response, const TreeOptions *options, Tree *out) {
    Status status = OK;
    Grower g = { .work = work, .data = data, .response = response, .options = *options, .tree = out };
    *out = (Tree){ 0 };
    if (g.options.min_leaf < 1) g.options.min_leaf = 1;
    if (g.options.min_split < 2 * g.options.min_leaf) g.options.min_split = 2 * g.options.min_leaf;
    if (g.options.depth < 1) g.options.depth = 30;
    TRY(prepare(&g));
    TRY(grow(&g));
done:
    for (int64_t j = 0; g.owns && g.order && j < data->columns; j++) arena_drop(work->arena, g.order[j]);
    arena_drop(work->arena, g.spare);
    arena_drop(work->arena, g.left);
    return status;
}

int32_t tree_find(const Tree *tree, const TreeColumn *columns, int64_t row) {
    int32_t at = 0;
    while (tree->node[at].column >= 0) {
        const TreeNode *node = &tree->node[at];
        at = goes_left(node, &columns[node->column], row) ? node->left : node->right;
    }
    return at;
}
