/* A node divided by one feature: numbers by a sweep over their states, categories along an axis on which they differ most. */
#include "synth/engine/split.h"
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "base/extremes.h"

Status bench_open(Bench *b, int32_t states, int32_t classes, int64_t rows, Error *error) {
    size_t s = (size_t)states + 1, c = (size_t)classes + 1, n = (size_t)rows + 1;
    *b = (Bench){ .count = calloc(s, sizeof *b->count),
                  .weight = calloc(s, sizeof *b->weight),
                  .sum = calloc(s, sizeof *b->sum),
                  .start = calloc(s + 1, sizeof *b->start),
                  .sorted = calloc(n, sizeof *b->sorted),
                  .sorted_weight = calloc(n, sizeof *b->sorted_weight),
                  .listed = calloc(s, sizeof *b->listed),
                  .key = calloc(s, sizeof *b->key),
                  .left = calloc(4 * c, sizeof *b->left),
                  .best_left = calloc(s, sizeof *b->best_left) };
    if (!b->count || !b->weight || !b->sum || !b->start || !b->sorted || !b->sorted_weight || !b->listed || !b->key || !b->left ||
        !b->best_left) {
        bench_close(b);
        return out_of_memory(error);
    }
    b->right = b->left + c;
    b->axis = b->right + c;
    b->next = b->axis + c;
    return OK;
}

void bench_close(Bench *b) {
    free(b->count);
    free(b->weight);
    free(b->sum);
    free(b->start);
    free(b->sorted);
    free(b->sorted_weight);
    free(b->listed);
    free(b->key);
    free(b->left);
    free(b->best_left);
    *b = (Bench){ 0 };
}

enum { AHEAD = 24 }; /* how far ahead cells are asked for: a node's records lie apart */

/* Where the states of a node's records stand, for one feature. */
typedef struct States {
    const uint16_t *of;
    const int32_t *at;
    int64_t step;
} States;
static States states_of(const Node *n, const Feature *f, int32_t number) {
    return n->block ? (States){ n->block + number, n->place, n->features } : (States){ f->state, n->row, 1 };
}
static uint16_t state_at(const States *s, int64_t i) { return s->of[s->at[i] * s->step]; }

/* Counts, and sums of a numeric target, by state; the states that occur. */
static int32_t tally(Bench *b, const Node *n, const Feature *f, const States *states) {
    int32_t found = 0, words = f->states / 64 + 1;
    for (int64_t i = 0; i < n->count; i++) {
        if (i + AHEAD < n->count) __builtin_prefetch(&states->of[states->at[i + AHEAD] * states->step]);
        uint16_t s = state_at(states, i);
        double w = n->w ? n->w[i] : 1;
        b->used[s >> 6] |= UINT64_C(1) << (s & 63);
        b->count[s]++;
        b->weight[s] += w;
        if (!n->classes) b->sum[s] += w * n->y[i];
    }
    for (int32_t k = 0; k < words; k++) {
        for (uint64_t bits = b->used[k]; bits; bits &= bits - 1) b->listed[found++] = (uint16_t)(64 * k + __builtin_ctzll(bits));
        b->used[k] = 0;
    }
    return found;
}

static void wipe(Bench *b, int32_t found) {
    for (int32_t k = 0; k < found; k++) {
        b->count[b->listed[k]] = 0;
        b->weight[b->listed[k]] = b->sum[b->listed[k]] = 0;
    }
}

/* Classes of the records brought together by state. */
static void sort_classes(Bench *b, const Node *n, const States *states, int32_t found) {
    int64_t at = 0;
    for (int32_t k = 0; k < found; k++) {
        b->start[b->listed[k]] = at;
        at += b->count[b->listed[k]];
    }
    for (int64_t i = 0; i < n->count; i++) {
        int64_t to = b->start[state_at(states, i)]++;
        b->sorted[to] = n->class[i];
        if (n->w) b->sorted_weight[to] = n->w[i];
    }
    for (int32_t k = 0; k < found; k++) b->start[b->listed[k]] -= b->count[b->listed[k]];
}

/* Left and right of a cut as it moves: count, weight, and the sum (numbers) or the sum of squared class weights. */
typedef struct Cut {
    int64_t count[2];
    double weight[2], part[2];
} Cut;

static double quality(const Node *n, const Cut *c, int side) {
    if (!(c->weight[side] > 0)) return 0;
    return (n->classes ? c->part[side] : c->part[side] * c->part[side]) / c->weight[side];
}

/* A state's records from side 1 to side 0 (or back). */
static void shift(Bench *b, const Node *n, Cut *c, uint16_t state, int to) {
    int from = !to;
    c->count[to] += b->count[state];
    c->count[from] -= b->count[state];
    c->weight[to] += b->weight[state];
    c->weight[from] -= b->weight[state];
    if (!n->classes) {
        c->part[to] += b->sum[state];
        c->part[from] -= b->sum[state];
        return;
    }
    double *a = to ? b->right : b->left, *z = to ? b->left : b->right;
    const uint16_t *class = b->sorted + b->start[state];
    for (int32_t i = 0; i < b->count[state]; i++) {
        double w = n->w ? b->sorted_weight[b->start[state] + i] : 1;
        c->part[to] += w * (2 * a[class[i]] + w);
        c->part[from] -= w * (2 * z[class[i]] - w);
        a[class[i]] += w;
        z[class[i]] -= w;
    }
}

/* Everything on the right. */
static Cut cut_start(Bench *b, const Node *n, int32_t found) {
    Cut c = { .count = { 0, n->count }, .weight = { 0, n->weight } };
    if (!n->classes) {
        for (int32_t k = 0; k < found; k++) c.part[1] += b->sum[b->listed[k]];
        return c;
    }
    memset(b->left, 0, (size_t)n->classes * sizeof *b->left);
    memset(b->right, 0, (size_t)n->classes * sizeof *b->right);
    for (int64_t i = 0; i < n->count; i++) b->right[b->sorted[i]] += n->w ? b->sorted_weight[i] : 1;
    for (int32_t k = 0; k < n->classes; k++) c.part[1] += b->right[k] * b->right[k];
    return c;
}

/* Better by more than rounding: among equals the first stays. */
static bool judge(const Node *n, const Cut *c, Division *best) {
    if (c->count[0] < n->min_leaf || c->count[1] < n->min_leaf) return false;
    double gain = quality(n, c, 0) + quality(n, c, 1) - n->quality;
    if (!(gain > best->gain * (1 + 1e-10))) return false;
    best->gain = gain;
    return true;
}

/* Numbers: each threshold, with the missing on either side; and the missing against the rest. */
static void split_ordered(Bench *b, const Node *n, const Feature *f, int32_t number, int32_t found, Division *best) {
    bool missing = f->missing && found && b->listed[found - 1] == f->states - 1;
    for (int left = 0; left <= (missing ? 1 : 0); left++) {
        Cut c = cut_start(b, n, found);
        if (left) shift(b, n, &c, b->listed[found - 1], 0);
        for (int32_t k = 0; k + 1 < found; k++) {
            bool all = missing && k + 2 == found; /* every value on the left */
            shift(b, n, &c, b->listed[k], 0);
            if (all && left) break;
            if (!judge(n, &c, best)) continue;
            best->feature = number;
            best->threshold = b->listed[k];
            best->missing_left = missing ? left : c.count[0] >= c.count[1];
        }
    }
}

/* The axis on which the categories' class shares differ most: the first principal component of their weighted shares (Coppersmith, Hong &
 * Hosking 1999), by power iteration. With a = Σ_l s_l·n_l·p_l, s_l = (p_l − p̄)'v, an iteration reads each record once. */
static void class_axis(Bench *b, const Node *n, int32_t found) {
    enum { TURNS = 8 };
    int32_t k = n->classes;
    double *v = b->axis, *next = b->next;
    for (int32_t c = 0; c < k; c++) v[c] = c ? -1.0 / (1 + c) : 1;
    for (int turn = 0; turn <= TURNS; turn++) {
        double middle = 0, most = 0;
        for (int32_t c = 0; c < k; c++) {
            middle += b->right[c] * v[c] / n->weight;
            next[c] = 0;
        }
        for (int32_t l = 0; l < found; l++) {
            uint16_t s = b->listed[l];
            const uint16_t *class = b->sorted + b->start[s];
            const double *w = n->w ? b->sorted_weight + b->start[s] : NULL;
            double score = 0;
            for (int32_t i = 0; i < b->count[s]; i++) score += (w ? w[i] : 1) * v[class[i]];
            b->key[s] = score / b->weight[s] - middle;
            for (int32_t i = 0; i < b->count[s]; i++) next[class[i]] += (w ? w[i] : 1) * b->key[s];
        }
        for (int32_t c = 0; c < k; c++) most = larger(most, fabs(next[c]));
        if (!(most > 0)) return;
        for (int32_t c = 0; c < k; c++) v[c] = next[c] / most;
    }
}

/* Along which the categories are cut: the mean of a number or the share of one of two classes (exact: Breiman et al. 1984, theorem 4.5),
 * else the axis above. */
static void category_keys(Bench *b, const Node *n, int32_t found) {
    if (n->classes > 2) {
        class_axis(b, n, found);
        return;
    }
    for (int32_t k = 0; k < found; k++) {
        uint16_t s = b->listed[k];
        double sum = b->sum[s];
        if (n->classes) {
            sum = 0;
            for (int32_t i = 0; i < b->count[s]; i++)
                if (b->sorted[b->start[s] + i]) sum += n->w ? b->sorted_weight[b->start[s] + i] : 1;
        }
        b->key[s] = b->weight[s] > 0 ? sum / b->weight[s] : 0;
    }
}

/* Shell's sort: the lists are short, and it needs no context. Ties by state. */
static void sort_by_key(uint16_t *state, int32_t count, const double *key) {
    for (int32_t gap = count / 2; gap > 0; gap /= 2)
        for (int32_t i = gap; i < count; i++) {
            uint16_t s = state[i];
            int32_t j = i;
            for (; j >= gap && (key[state[j - gap]] > key[s] || (key[state[j - gap]] == key[s] && state[j - gap] > s)); j -= gap)
                state[j] = state[j - gap];
            state[j] = s;
        }
}

static void split_categories(Bench *b, const Node *n, int32_t number, int32_t found, Division *best) {
    Cut c = cut_start(b, n, found);
    int32_t cut = -1;
    category_keys(b, n, found);
    sort_by_key(b->listed, found, b->key);
    for (int32_t k = 0; k + 1 < found; k++) {
        shift(b, n, &c, b->listed[k], 0);
        if (!judge(n, &c, best)) continue;
        best->missing_left = c.count[0] >= c.count[1]; /* where categories go that are not here */
        cut = k;
    }
    if (cut < 0) return;
    best->feature = number;
    best->lefts = cut + 1;
    memcpy(best->left, b->listed, (size_t)(cut + 1) * sizeof *best->left);
    if (!best->missing_left) return;
    best->lefts = -(found - cut - 1); /* negative: these go right, all others left */
    memcpy(best->left, b->listed + cut + 1, (size_t)(found - cut - 1) * sizeof *best->left);
}

void split_by(Bench *b, const Node *n, const Feature *f, int32_t number, Division *best) {
    const States states = states_of(n, f, number);
    int32_t found = tally(b, n, f, &states);
    if (found > 1) {
        if (n->classes) sort_classes(b, n, &states, found);
        if (f->ordered) split_ordered(b, n, f, number, found, best);
        else split_categories(b, n, number, found, best);
    }
    wipe(b, found);
}
