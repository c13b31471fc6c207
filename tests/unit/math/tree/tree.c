/* Trees: the root's split against trying every split, known shapes, stopping rules, missing values, threads. */
#include "tables.h"
#include "base/random.h"
#include "math/tree/tree.h"

enum { N = 200 };
static double number[N], target[N], weight[N];
static int32_t word[N], class_of[N];

static void make_data(uint64_t seed_number, bool missing) {
    Seed seed = seed_from_number(seed_number);
    RandomStream stream = stream_make(&seed, "test", 0, "", "tree");
    RandomReader reader = reader_make(&stream);
    for (int i = 0; i < N; i++) {
        number[i] = missing && reader_below(&reader, 5) == 0 ? NAN : (double)reader_below(&reader, 30);
        word[i] = missing && reader_below(&reader, 5) == 0 ? -1 : (int32_t)reader_below(&reader, 6);
        target[i] = reader_normal(&reader) + (number[i] > 12) + (word[i] == 2 || word[i] == 5) * 1.5;
        class_of[i] = target[i] > 1 ? 2 : target[i] > 0;
        weight[i] = 1 + (double)reader_below(&reader, 3);
    }
}

static double impurity_of(const TreeResponse *r, const uint8_t *in, int64_t *count) {
    double w = 0, sum = 0, squares = 0, classes[3] = { 0 };
    *count = 0;
    for (int i = 0; i < N; i++) {
        if (!in[i]) continue;
        double v = r->weight ? r->weight[i] : 1;
        ++*count;
        w += v;
        if (r->real) {
            sum += v * r->real[i];
            squares += v * r->real[i] * r->real[i];
        } else classes[r->code[i]] += v;
    }
    if (w == 0) return 0;
    return r->real ? squares - sum * sum / w : w - (classes[0] * classes[0] + classes[1] * classes[1] + classes[2] * classes[2]) / w;
}

static double gain_of(const TreeResponse *r, const uint8_t *left, int64_t min_leaf) {
    uint8_t right[N], all[N];
    int64_t a, b, n;
    for (int i = 0; i < N; i++) {
        right[i] = !left[i];
        all[i] = 1;
    }
    double gain = impurity_of(r, all, &n) - impurity_of(r, left, &a) - impurity_of(r, right, &b);
    return a < min_leaf || b < min_leaf ? -1 : gain;
}

/* Every threshold and every set of words, the missing on either side. */
static double best_by_trying(const TreeResponse *r, int64_t min_leaf) {
    double best = -1;
    uint8_t left[N];
    for (int missing = 0; missing < 2; missing++) {
        for (int t = 0; t <= 30; t++) {
            for (int i = 0; i < N; i++) left[i] = isnan(number[i]) ? missing : number[i] <= t;
            best = fmax(best, gain_of(r, left, min_leaf));
        }
        for (int set = 0; set < 64; set++) {
            for (int i = 0; i < N; i++) left[i] = word[i] < 0 ? missing : (set >> word[i]) & 1;
            best = fmax(best, gain_of(r, left, min_leaf));
        }
    }
    return best;
}

/* Numbers from 0 to 29 by their place among them. */
static PackedReals by_place(void) {
    static uint16_t place[N];
    static double value[31];
    for (int v = 0; v <= 30; v++) value[v] = v < 30 ? v : NAN;
    for (int i = 0; i < N; i++) place[i] = isnan(number[i]) ? 30 : (uint16_t)number[i];
    return (PackedReals){ .place = place, .value = value, .values = 30 };
}

static void grow(Work *work, const TreeResponse *r, const TreeOptions *options, Tree *tree, TreeColumn columns[2]) {
    TreeData data, placed;
    Tree other;
    columns[0] = (TreeColumn){ .number = by_place() };
    columns[1] = (TreeColumn){ .code = word, .codes = 6 };
    tables_ok(tree_data(work, columns, 2, N, &placed));
    tables_ok(tree_grow(work, &placed, r, options, &other));
    columns[0] = (TreeColumn){ .number.real = number };
    tables_ok(tree_data(work, columns, 2, N, &data));
    tables_ok(tree_grow(work, &data, r, options, tree));
    assert_int_equal(tree->nodes, other.nodes);
    for (int64_t k = 0; k < tree->nodes; k++) {
        assert_int_equal(tree->node[k].column, other.node[k].column);
        assert_int_equal(tree->node[k].count, other.node[k].count);
        assert_true(tree->node[k].gain == other.node[k].gain);
        if (!tree->node[k].column) assert_true(tree->node[k].threshold == other.node[k].threshold);
    }
    assert_memory_equal(tree->leaf, other.leaf, N * sizeof *other.leaf);
}

static void root_split_is_the_best(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        Work work = tables_work(1);
        Tree tree;
        TreeColumn columns[2];
        make_data(seed, seed % 2);
        TreeResponse numeric = { .real = target, .weight = seed % 3 ? NULL : weight };
        grow(&work, &numeric, &(TreeOptions){ .min_leaf = 7, .depth = 1 }, &tree, columns);
        assert_true(fabs(tree.node[0].gain - best_by_trying(&numeric, 7)) < 1e-9);
        for (int i = 0; i < N; i++) class_of[i] = class_of[i] > 0;
        TreeResponse classes = { .code = class_of, .codes = 2 };
        grow(&work, &classes, &(TreeOptions){ .min_leaf = 7, .depth = 1 }, &tree, columns);
        assert_true(fabs(tree.node[0].gain - best_by_trying(&classes, 7)) < 1e-9);
        arena_free(work.arena);
    }
}

static void whole_tree_holds_together(void **state) {
    (void)state;
    for (int missing = 0; missing < 2; missing++) {
        Work work = tables_work(2);
        Tree tree;
        TreeColumn columns[2];
        make_data(99, missing);
        TreeResponse classes = { .code = class_of, .codes = 3 };
        grow(&work, &classes, &(TreeOptions){ .min_leaf = 5 }, &tree, columns);
        int64_t count[512] = { 0 }, leaves = 0;
        double share[512][3] = { { 0 } };
        for (int i = 0; i < N; i++) {
            assert_int_equal(tree_find(&tree, columns, i), tree.leaf[i]);
            count[tree.leaf[i]]++;
            share[tree.leaf[i]][class_of[i]]++;
        }
        assert_true(tree.leaves > 5);
        for (int64_t k = 0; k < tree.nodes; k++) {
            if (tree.node[k].column >= 0) {
                assert_int_equal(tree.node[k].count, tree.node[tree.node[k].left].count + tree.node[tree.node[k].right].count);
                continue;
            }
            leaves++;
            assert_true(count[k] >= 5 && count[k] == tree.node[k].count);
            for (int c = 0; c < 3; c++) assert_true(fabs(share[k][c] / (double)count[k] - tree.node[k].share[c]) < 1e-12);
        }
        assert_int_equal(leaves, tree.leaves);
        arena_free(work.arena);
    }
}

static void rules_stop_it(void **state) {
    (void)state;
    Work work = tables_work(1);
    Tree tree;
    TreeColumn columns[2];
    make_data(5, false);
    for (int i = 0; i < N; i++) target[i] = (number[i] > 9.5) * 10 + (word[i] == 3);
    TreeResponse r = { .real = target };
    grow(&work, &r, &(TreeOptions){ 0 }, &tree, columns);
    assert_int_equal(tree.leaves, 4);
    assert_true(tree.node[0].column == 0 && tree.node[0].threshold == 9.5);
    for (int i = 0; i < N; i++) assert_true(fabs(tree.node[tree.leaf[i]].mean - target[i]) < 1e-12);
    grow(&work, &r, &(TreeOptions){ .complexity = 0.5 }, &tree, columns);
    assert_int_equal(tree.leaves, 2);
    grow(&work, &r, &(TreeOptions){ .min_leaf = N }, &tree, columns);
    assert_int_equal(tree.leaves, 1);
    for (int i = 0; i < N; i++) target[i] = 4;
    grow(&work, &r, &(TreeOptions){ 0 }, &tree, columns);
    assert_true(tree.leaves == 1 && tree.node[0].mean == 4);
    TreeData none;
    tables_ok(tree_data(&work, NULL, 0, N, &none));
    tables_ok(tree_grow(&work, &none, &r, &(TreeOptions){ 0 }, &tree));
    assert_int_equal(tree.leaves, 1);
    tables_ok(tree_data(&work, columns, 2, 0, &none));
    tables_ok(tree_grow(&work, &none, &r, &(TreeOptions){ 0 }, &tree));
    assert_int_equal(tree.leaves, 1);
    arena_free(work.arena);
}

/* Zeros and ones as bits: the root's split gains what it does with them as numbers (further down, ties may fall otherwise), and counts,
 * means and gains of all nodes are those of their records. */
static void bits_are_numbers(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        Work work = tables_work(1 + (int)(seed % 2));
        Tree a, b;
        TreeColumn columns[2];
        uint64_t bits[(N + 63) / 64] = { 0 };
        TreeOptions options = { .min_leaf = (int64_t)(seed % 9), .complexity = seed % 5 ? 0 : 0.01 };
        make_data(seed, seed % 3);
        for (int i = 0; i < N; i++) {
            target[i] = target[i] > (double)(seed % 7) / 3;
            bits[i / 64] |= (uint64_t)(target[i] > 0) << i % 64;
        }
        grow(&work, &(TreeResponse){ .real = target }, &options, &a, columns);
        grow(&work, &(TreeResponse){ .bits = bits }, &options, &b, columns);
        int32_t up[512];
        up[0] = -1;
        for (int32_t k = 0; k < b.nodes; k++)
            if (b.node[k].column >= 0) up[b.node[k].left] = up[b.node[k].right] = k;
        assert_true(fabs(a.impurity - b.impurity) < 1e-9);
        assert_true(fabs(a.node[0].gain - b.node[0].gain) < 1e-9);
        double ones[512] = { 0 };
        int64_t count[512] = { 0 };
        for (int i = 0; i < N; i++) {
            assert_int_equal(tree_find(&b, columns, i), b.leaf[i]);
            for (int32_t k = b.leaf[i]; k >= 0; k = up[k]) {
                ones[k] += target[i];
                count[k]++;
            }
        }
        for (int64_t k = 0; k < b.nodes; k++) {
            const TreeNode *node = &b.node[k];
            assert_int_equal(node->count, count[k]);
            assert_true(node->mean == ones[k] / (double)count[k]);
            if (node->column < 0) continue;
            double p = node->mean, l = b.node[node->left].mean, r = b.node[node->right].mean;
            double gain =
                (double)count[k] * p * (1 - p) - (double)count[node->left] * l * (1 - l) - (double)count[node->right] * r * (1 - r);
            assert_true(count[node->left] >= options.min_leaf && count[node->right] >= options.min_leaf);
            assert_true(fabs(node->gain - gain) < 1e-9);
        }
        arena_free(work.arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(root_split_is_the_best), cmocka_unit_test(whole_tree_holds_together),
                                        cmocka_unit_test(rules_stop_it), cmocka_unit_test(bits_are_numbers) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
