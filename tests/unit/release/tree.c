/* tree(x, k): counts that add up, what one record moves by enumeration, less error than without consistency. */
#include "methods.h"

static void release(const char *query, const char *rest) {
    char command[256];
    snprintf(command, sizeof command, "release query data --query '%s' --bounds x:0:16 %s --no-ledger", query, rest);
    run_ok(command);
}
static double node(int64_t i) { return table_value("answers", "answer", i); }

static void adds_up(void **state) {
    (void)state;
    static const char *const rests[] = { "--epsilon 0.5", "--zcdp 0.1", "--epsilon 0.05 --nonnegative", "--epsilon 1 --unit add-remove" };
    table_from("data", "x\n0\n1\n1\n3\n9\n15\n16\n");
    release("tree(x, 3)", "--epsilon 999");
    static const double wanted[] = { 7, 4, 3, 4, 0, 1, 2, 3, 1, 0, 0, 1, 0, 0, 2 };
    for (int64_t i = 0; i < 15; i++) near(node(i), wanted[i], 0.2);
    for (size_t r = 0; r < 4; r++) {
        release("tree(x, 4)", rests[r]);
        assert_int_equal(result_find_table(last_result, "answers")->rows, 31);
        for (int64_t i = 0; i < 15; i++) near(node(i), node(2 * i + 1) + node(2 * i + 2), 1e-6 * (1 + fabs(node(i))));
        for (int64_t i = 0; i < 31 && strstr(rests[r], "nonnegative"); i++) assert_true(node(i) >= 0);
    }
}

/* Any two leaves of sixteen: the nodes on their two ways to the top. */
static void exhaustive(void **state) {
    (void)state;
    int most = 0;
    for (int s = 0; s < 16; s++)
        for (int t = 0; t < 16; t++) {
            int moved[31] = { 0 }, sum = 0;
            for (int k = 15 + s;; k = (k - 1) / 2) {
                moved[k]++;
                if (!k) break;
            }
            for (int k = 15 + t;; k = (k - 1) / 2) {
                moved[k]--;
                if (!k) break;
            }
            for (int k = 0; k < 31; k++) sum += abs(moved[k]);
            most = sum > most ? sum : most;
        }
    table_from("data", "x\n0\n1\n");
    release("tree(x, 4)", "--epsilon 1");
    assert_true(table_value("parts", "sensitivity", 0) >= most &&
                table_value("parts", "sensitivity", 0) <= most + 2); /* 2 for the whole, which a where could move */
    release("tree(x, 4)", "--epsilon 1 --unit add-remove");
    near(table_value("parts", "sensitivity", 0), 5, 0);
    release("tree(x, 4)", "--zcdp 1");
    near(table_value("parts", "sensitivity", 0), sqrt(10), 1e-9);
}

/* The whole range has noise of one node at most: its mean square over 300 draws, 2b²·0.52 in theory, stays below that of a single noisy
 * count. */
static void less_error(void **state) {
    (void)state;
    double sum = 0, scale = 0;
    table_from("data", "x\n0\n1\n1\n3\n9\n15\n16\n");
    for (int i = 0; i < 300; i++) {
        release("tree(x, 3)", "--epsilon 1");
        sum += (node(0) - 7) * (node(0) - 7);
        scale = table_value("parts", "scale", 0);
    }
    assert_true(sum / 300 < 2 * scale * scale);
}

/* The 95% intervals hold the truth in 95% of draws, on every depth: 4 · 120 · 31 nodes, of which those of one draw hang together; a share
 * outside 92.5% … 97.5% comes by chance less than once in a million runs. */
static void coverage(void **state) {
    (void)state;
    static const char *const how[] = { "--epsilon 1", "--zcdp 0.5", "--epsilon 1 --nonnegative", "--epsilon 0.1 --unit add-remove" };
    char text[4096] = "x\n";
    double truth[31] = { 0 };
    for (int i = 0; i < 200; i++) {
        int leaf = i * i % 16;
        sprintf(text + strlen(text), "%d.5\n", leaf);
        for (int k = 15 + leaf;; k = (k - 1) / 2) {
            truth[k]++;
            if (!k) break;
        }
    }
    table_from("data", text);
    for (int way = 0; way < 4; way++) {
        int inside = 0, deepest = 0;
        for (int turn = 0; turn < 120; turn++) {
            release("tree(x, 4)", how[way]);
            for (int k = 0; k < 31; k++) {
                bool in = table_value("answers", "lower", k) <= truth[k] && truth[k] <= table_value("answers", "upper", k);
                inside += in;
                deepest += in && k >= 15;
                assert_true(table_value("answers", "lower", k) <= node(k) && node(k) <= table_value("answers", "upper", k));
            }
        }
        assert_true(inside >= 0.925 * 120 * 31 && deepest >= 0.925 * 120 * 16);
        if (way != 2) assert_true(inside <= 0.975 * 120 * 31 && deepest <= 0.975 * 120 * 16); /* what is lifted to 0 is held more often */
    }
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(adds_up), cmocka_unit_test(exhaustive), cmocka_unit_test(less_error),
                                        cmocka_unit_test(coverage) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
