/* Trees against brute force: the best of all divisions, counts that add up, every record in the leaf that it is found in. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "testing.h"
#include "synth/engine/grow.h"

enum { ROWS = 14 };
static uint64_t word = 5;
static int below(int n) {
    word = word * 6364136223846793005u + 1442695040888963407u;
    return (int)((word >> 33) % (uint64_t)n);
}

typedef struct {
    double y[ROWS];
    uint16_t class[ROWS], state[ROWS];
    int classes, states;
    double weight[ROWS];
    bool weighted, numbers;
} Case;

static double quality(const Case *c, const bool *in, bool side, int *count) {
    double sum = 0, whole = 0, of[8] = { 0 };
    *count = 0;
    for (int i = 0; i < ROWS; i++) {
        if (in[i] != side) continue;
        double w = c->weighted ? c->weight[i] : 1;
        (*count)++;
        whole += w;
        sum += w * c->y[i];
        of[c->class[i]] += w;
    }
    if (whole <= 0) return 0;
    if (c->numbers) return sum * sum / whole;
    double squares = 0;
    for (int k = 0; k < 8; k++) squares += of[k] * of[k];
    return squares / whole;
}

/* The most that dividing the states in two can gain: any subset, or (ordered) thresholds with the last state, missing, on either side. */
static double best_by_force(const Case *c, bool ordered, bool missing, int least) {
    bool none[ROWS] = { false };
    int n;
    double best = 0, whole = quality(c, none, false, &n);
    for (int set = 1; set < 1 << c->states; set++) {
        bool in[ROWS], fits = true;
        int left, right, top = missing ? c->states - 1 : c->states;
        for (int s = 1; ordered && s < top; s++) fits &= !((set >> s & 1) && !(set >> (s - 1) & 1)); /* a run from the bottom */
        if (!fits) continue;
        for (int i = 0; i < ROWS; i++) in[i] = set >> c->state[i] & 1;
        double gain = quality(c, in, true, &left) + quality(c, in, false, &right) - whole;
        if (left >= least && right >= least) best = fmax(best, gain);
    }
    return best;
}

static void draw_case(Case *c, int trial) {
    *c = (Case){ .states = 2 + trial % 5, .classes = trial % 3 == 2 ? 4 : 2, .numbers = trial % 3 == 0, .weighted = trial / 3 % 2 };
    for (int i = 0; i < ROWS; i++) {
        c->state[i] = (uint16_t)below(c->states);
        c->y[i] = below(20) - 5;
        c->class[i] = (uint16_t)below(c->classes);
        c->weight[i] = 1 + below(3);
    }
}

static void test_best(void **state) {
    (void)state;
    int32_t rows[ROWS];
    double worst = 1, share = 0;
    int many = 0;
    for (int i = 0; i < ROWS; i++) rows[i] = i;
    for (int trial = 0; trial < 6000; trial++) {
        Case c;
        DonorTree tree;
        Error error;
        draw_case(&c, trial);
        bool ordered = trial / 6 % 2, missing = ordered && trial / 12 % 2;
        int least = 1 + trial / 24 % 3;
        Feature feature = { .state = c.state, .states = c.states, .ordered = ordered, .missing = missing };
        Target target = { .real = c.numbers ? c.y : NULL,
                          .class = c.class,
                          .classes = c.numbers ? 0 : c.classes,
                          .weight = c.weighted ? c.weight : NULL };
        GrowOptions options = { .min_leaf = least, .min_split = 2, .depth = 1 };
        assert_int_equal(donor_tree_grow(&feature, 1, &target, rows, ROWS, &options, &tree, &error), OK);
        double best = best_by_force(&c, ordered, missing, least);
        if (best < 1e-9) assert_true(tree.explained < 1e-9);
        else if (ordered || (least == 1 && (c.numbers || c.classes == 2))) {
            if (fabs(tree.explained - best) > 1e-9 * (1 + best)) fail_msg("trial %d: gain %g, best %g", trial, tree.explained, best);
        } else {
            worst = fmin(worst, tree.explained / best);
            share += tree.explained / best;
            many++;
        }
        donor_tree_free(&tree);
    }
    assert_true(share / many > .95 &&
                worst >= 0); /* several classes, or leaves that may not be small: cuts along one axis, which are nearly always the best */
}

/* Grown deep, on few rows and on more than are looked at together: leaves hold every row once, none under the least, and a row is found
 * where it lies. */
static void test_leaves(void **state) {
    (void)state;
    enum { N = 150000, F = 4 };
    static uint16_t states[F][N], class[N];
    static double y[N];
    static int32_t rows[N];
    const uint16_t *at[F] = { states[0], states[1], states[2], states[3] };
    Feature feature[F] = { { .state = at[0], .states = 100, .ordered = true, .missing = true },
                           { .state = at[1], .states = 300 },
                           { .state = at[2], .states = 2 },
                           { .state = at[3], .states = 9, .ordered = true } };
    for (int i = 0; i < N; i++) {
        rows[i] = i;
        for (int f = 0; f < F; f++) states[f][i] = (uint16_t)below(feature[f].states);
        y[i] = states[0][i] / 10 + (states[1][i] % 7) * states[2][i] + below(3);
        class[i] = (uint16_t)((states[0][i] / 30 + states[1][i]) % 5);
    }
    for (int k = 0; k < 4; k++) {
        const int count = k < 2 ? 3000 : N;
        static bool seen[N];
        DonorTree tree;
        Error error;
        Target target = { .real = k % 2 ? NULL : y, .class = class, .classes = k % 2 ? 5 : 0 };
        GrowOptions options = { .min_leaf = 5, .min_split = 15, .depth = 64 };
        memset(seen, 0, sizeof seen);
        assert_int_equal(donor_tree_grow(feature, F, &target, rows, count, &options, &tree, &error), OK);
        assert_true(tree.leaves >= 20 && tree.explained > .5 * tree.impurity);
        for (int64_t l = 0; l < tree.leaves; l++) {
            const DonorNode *node = &tree.node[tree.leaf_node[l]];
            assert_true(node->last - node->first >= 5);
            for (int32_t i = node->first; i < node->last; i++) {
                assert_false(seen[tree.donor[i]]);
                seen[tree.donor[i]] = true;
                assert_int_equal(donor_tree_find(&tree, feature, at, tree.donor[i]), (int32_t)l);
            }
        }
        for (int i = 0; i < count; i++) assert_true(seen[i]);
        donor_tree_free(&tree);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_best), cmocka_unit_test(test_leaves) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
