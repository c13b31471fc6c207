/* utility.propensity: the score of one category by hand, chance, releases that are easily told, both models, seeds, bad input. */
#include "methods.h"
#include "math/distributions.h"

/* One category: p̂ is the release's share in each, so pMSE is their variance. Originals a,a,a,b; released a,b,b,b: p̂ = 1/4 or 3/4. */
static void test_by_hand(void **state) {
    (void)state;
    table_from("o", "g\na\na\na\nb\n");
    table_from("r", "g\na\nb\nb\nb\n");
    run_ok("utility propensity o r");
    near(value("pmse"), 1. / 16, 1e-9);
    near(value("expected"), .5 * .5 * .5 / 8, 1e-12); /* one parameter beside the intercept */
    near(value("ratio"), 4, 1e-7);
    near(value("largest_pmse"), .25, 0);
    near(table_value("terms", "estimate", 0), 2 * log(3), 1e-6);
    run_ok("utility propensity o r --model cart --min-leaf 1 --permutations 5");
    near(value("pmse"), 1. / 16, 1e-12);
    near(table_value("importance", "share", 0), 1, 1e-12);
}

static void test_same(void **state) {
    (void)state;
    table_from("o", "g,x\na,1\na,2\nb,3\nb,\n,5\nc,6\n");
    run_ok("utility propensity o o");
    near(value("pmse"), 0, 1e-12);
    run_ok("utility propensity o o --order 2 --vars x,g");
    near(value("pmse"), 0, 1e-12);
    run_ok("utility propensity o o --model cart --min-leaf 1");
    near(value("pmse"), 0, 1e-12);
    assert_true(value("expected") > 0);
}

static void draw_table(const char *name, uint64_t seed_number, int n, double shift, double bend) {
    double *x[3];
    Seed seed = seed_from_number(seed_number);
    for (int j = 0; j < 3; j++) {
        x[j] = malloc((size_t)n * sizeof **x);
        RandomStream stream = stream_make(&seed, "test", j, "", "propensity");
        draw_normals(&stream, 0, n, x[j]);
    }
    for (int i = 0; i < n; i++) { x[1][i] = x[1][i] * (1 + bend) + shift; }
    table_reals(name, (const double *const *)x, 3, n);
    for (int j = 0; j < 3; j++) free(x[j]);
}

/* Two independent samples of one distribution: N·pMSE/(c(1−c)) is χ²(3), that is, twice its closed-form null at c = ½, which takes the
 * original as given. Over 40 draws its mean is 3 ± 4·√(6/40). */
static void test_chance(void **state) {
    (void)state;
    double sum = 0, cart = 0;
    for (uint64_t k = 0; k < 40; k++) {
        draw_table("o", 100 + k, 500, 0, 0);
        draw_table("r", 900 + k, 500, 0, 0);
        run_ok("utility propensity o r");
        sum += value("pmse") * 1000 / .25 / 40;
        if (k % 10) continue;
        run_ok("utility propensity o r --model cart --permutations 20");
        cart += value("ratio") / 4;
    }
    near(sum, 3, 4 * sqrt(6. / 40));
    near(cart, 1, .25);
}

/* A shifted column is seen by both models; a spread that the mean does not show only by the tree. */
static void test_told_apart(void **state) {
    (void)state;
    draw_table("o", 1, 2000, 0, 0);
    draw_table("r", 2, 2000, .5, 0);
    run_ok("utility propensity o r");
    assert_true(value("ratio") > 30);
    assert_true(fabs(table_value("terms", "z", 1)) > 8);
    draw_table("r", 2, 2000, 0, 1);
    run_ok("utility propensity o r --model cart --permutations 10");
    assert_true(value("expected") > 0 && value("ratio") > 1); /* trees of chance split, too: the ratio is never null */
    run_ok("utility propensity o r --model cart --permutations 10 --complexity 0.001");
    double cart = value("ratio");
    assert_true(cart > 3 && table_value("importance", "share", 1) > .6);
    run_threads = 1;
    run_ok("utility propensity o r --model cart --permutations 10 --complexity 0.001");
    near(value("ratio"), cart, 0);
    run_threads = 2;
    run_ok_seeded(2, "utility propensity o r --model cart --permutations 10 --complexity 0.001");
    assert_true(value("ratio") != cart);
}

/* Columns that are right by themselves and wrong together show in no single split: the tree is grown in full. */
static void test_together(void **state) {
    (void)state;
    static char text[2][20000];
    for (int t = 0; t < 2; t++) {
        char *at = text[t] + sprintf(text[t], "a,b\n");
        for (int i = 0; i < 1000; i++)
            at += sprintf(at, "%d.5,%d.5\n", i % 40, t ? i % 40 : (int)((uint64_t)i * 0x9e3779b97f4a7c15u >> 40) % 40);
        table_from(t ? "r" : "o", text[t]);
    }
    run_ok("utility propensity o r --model cart --permutations 10");
    assert_true(value("ratio") > 3);
    run_ok("utility propensity o r --model cart --permutations 10 --complexity 0.5");
    near(value("pmse"), 0, 0);
    run_ok("utility propensity o o --model cart --permutations 10");
    assert_true(value("ratio") < 1.5);
}

/* A permuted column passes neither default model; `--order 1` is the definition without pairs. */
static void test_permuted(void **state) {
    (void)state;
    static char text[2][60000];
    for (int t = 0; t < 2; t++) {
        char *at = text[t] + sprintf(text[t], "age,g,income\n");
        for (int i = 0; i < 1500; i++) {
            uint64_t w = (uint64_t)(i + 1) * 0x9e3779b97f4a7c15u;
            int age = (int)(w >> 40) % 60, other = t ? (i * 7 + 3) % 1500 : i;
            int theirs = (int)((uint64_t)(other + 1) * 0x9e3779b97f4a7c15u >> 40) % 60;
            at += sprintf(at, "%d,%c,%d\n", 20 + age, "pqr"[w >> 60 & 1],
                          1000 + 50 * theirs + (int)((uint64_t)other * 0xd6e8feb86659fd93u >> 50) % 700);
        }
        table_from(t ? "r" : "o", text[t]);
    }
    run_ok("utility propensity o r");
    assert_true(value("ratio") > 10);
    assert_true(noted("age × income"));
    assert_false(noted("g × "));
    run_ok("utility propensity o r --model cart --permutations 20");
    assert_true(value("ratio") > 10);
    run_ok("utility propensity o r --order 1");
    near(value("pmse"), 0, 1e-12);
}

/* Independent samples of one law: no pair in 100 tries (a false alarm once in 10⁴). */
static void test_no_false_alarm(void **state) {
    (void)state;
    static char text[2][60000];
    uint64_t w = 88172645463325252u;
    for (int try = 0; try < 100; try++) {
        for (int t = 0; t < 2; t++) {
            char *at = text[t] + sprintf(text[t], "a,b,c\n");
            for (int i = 0; i < 400; i++) {
                w ^= w << 13, w ^= w >> 7, w ^= w << 17;
                int a = (int)(w >> 50) % 30;
                at += sprintf(at, "%d,%d,%c\n", 20 + a, a * 3 + (int)(w >> 40 & 31), "pqrst"[(a + (int)(w >> 30 & 7)) % 5]);
            }
            table_from(t ? "r" : "o", text[t]);
        }
        run_ok("utility propensity o r");
        assert_false(noted("go together otherwise in the release"));
    }
}

/* A quarter are children, and children are not married. The release keeps the shares of both columns, but 36% of it are married children or
 * adults with the code of children: every model that is asked for by default says so, and says of a second original that it is right. */
static void test_impossible(void **state) {
    (void)state;
    enum { ROWS = 2000 };
    static char text[3][40000];
    Seed seed = seed_from_number(6);
    RandomStream stream = stream_make(&seed, "test", 0, NULL, "ages");
    RandomReader reader = reader_make(&stream);
    for (int t = 0; t < 3; t++) {
        char *at = text[t] + sprintf(text[t], "age,state\n");
        for (int i = 0; i < ROWS; i++) {
            int age = (int)reader_below(&reader, 60), other = t == 1 ? (int)reader_below(&reader, 60) : age;
            at += sprintf(at, "%d,%s\n", age, other < 15 ? "n" : reader_below(&reader, 2) ? "m" : "s");
        }
        table_from(t == 0 ? "o" : t == 1 ? "r" : "s", text[t]);
    }
    run_ok("utility propensity o r");
    assert_true(value("ratio") > 20 && value("standardised") > 20);
    run_ok("utility propensity o r --order 1"); /* the columns by themselves are right: df 3, and twice the closed form */
    assert_true(value("ratio") < 10);
    run_ok("utility propensity o r --model cart --permutations 20");
    assert_true(value("ratio") > 10 && value("standardised") > 20);
    assert_true(noted("was chosen by cross-validation"));
    run_ok("utility propensity o s");
    assert_true(value("ratio") < 8); /* twice the closed form, and chance */
    run_ok("utility propensity o s --model cart --permutations 20");
    assert_true(value("ratio") < 1.5);
}

/* Four columns of twenty categories have six pairs of 361 products: five have room within 2,000 terms. */
static void test_limit(void **state) {
    (void)state;
    static char text[60000];
    char *at = text + sprintf(text, "a,b,c,d\n");
    for (int i = 0; i < 200; i++)
        for (int j = 0; j < 4; j++) {
            int value = (int)(((uint64_t)(i * 4 + j) * 0x9e3779b97f4a7c15u) >> 40) % 20;
            at += sprintf(at, "v%d%c", value, j < 3 ? ',' : '\n');
        }
    table_from("o", text);
    run_ok("utility propensity o o --order 2");
    assert_true(noted("Of 6 pairs of columns the model has products of 5"));
    assert_int_equal(result_find_table(last_result, "terms")->rows, 4 * 19 + 5 * 361);
    run_ok("utility propensity o o --order 2 --vars a,b,c");
    assert_int_equal(result_find_table(last_result, "terms")->rows, 3 * 19 + 3 * 361);
    near(value("pmse"), 0, 1e-9);
}

/* A variable that nobody has a value of tells nothing, and leaves the one before it as it is. */
static void test_nothing_there(void **state) {
    (void)state;
    table_from("o", "g,n\na,\na,\na,\nb,\n");
    table_from("r", "g,n\na,\nb,\nb,\nb,\n");
    run_ok("utility propensity o r");
    near(value("pmse"), 1. / 16, 1e-9);
    near(table_value("terms", "estimate", 0), 2 * log(3), 1e-6);
}

static void draw_wide(const char *name, uint64_t seed_number, double shift) {
    enum { COLUMNS = 26, ROWS = 30000 };
    double *x[COLUMNS];
    const Seed seed = seed_from_number(seed_number);
    for (int j = 0; j < COLUMNS; j++) {
        const RandomStream stream = stream_make(&seed, "test", j, "", "propensity");
        x[j] = malloc(ROWS * sizeof **x);
        draw_normals(&stream, 0, ROWS, x[j]);
        for (int i = 0; i < ROWS; i++) x[j][i] += shift;
    }
    table_reals(name, (const double *const *)x, COLUMNS, ROWS);
    for (int j = 0; j < COLUMNS; j++) free(x[j]);
}

/* 352 terms and 60,000 records: the model is fitted to a sample of the share f of either table, drawn by itself. Of one law N·pMSE/((1−c)c)
 * is χ²(351), and a table against itself has (1−f) of that, since its samples are of the same records: within five standard deviations. */
static void test_sample(void **state) {
    (void)state;
    const double f = 16141. / 30000, unit = 351 * .25 / 32282;
    draw_wide("o", 1, 0);
    draw_wide("r", 2, 0);
    run_ok("utility propensity o r --order 2");
    assert_true(noted("a random sample of 16141 records of the original and 16141 of the release"));
    near(value("pmse") / unit, 1, 5 * sqrt(2. / 351));
    near(value("expected"), unit * (1 - f / 2), 1e-12);
    const double first = value("pmse");
    run_threads = 1;
    run_ok("utility propensity o r --order 2");
    near(value("pmse"), first, 0);
    run_threads = 2;
    run_ok("utility propensity o o --order 2");
    near(value("pmse") / unit, 1 - f, 5 * (1 - f) * sqrt(2. / 351));
    draw_wide("r", 2, .1);
    run_ok("utility propensity o r --order 2");
    assert_true(value("ratio") > 2);
    run_ok("utility propensity o r --order 1");
    assert_false(noted("random sample"));
}

static void test_edges(void **state) {
    (void)state;
    table_from("o", "g,x\na,1\na,2\nb,3\nb,4\n");
    table_from("e", "g,x\n");
    table_from("k", "g,x\nz,1\nz,1\nz,1\nz,1\n");
    table_from("n", "q\n1\n");
    table_from("m", "g,x\n,\n,\n,\n,\n");
    run_bad("utility propensity o e", "empty");
    run_bad("utility propensity o n", "no column in common");
    run_bad("utility propensity o k --order 2 --model cart", "--model logistic");
    run_ok("utility propensity o k"); /* told apart without fail */
    near(value("pmse"), .25, 1e-3);
    run_ok("utility propensity o m");
    near(value("pmse"), .25, 1e-3);
    run_ok("utility propensity k k");
    near(value("expected"), 0, 0);
    assert_true(isnan(value("ratio")));
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_by_hand),  cmocka_unit_test(test_same),
                                        cmocka_unit_test(test_permuted), cmocka_unit_test(test_no_false_alarm),
                                        cmocka_unit_test(test_chance),   cmocka_unit_test(test_told_apart),
                                        cmocka_unit_test(test_together), cmocka_unit_test(test_impossible),
                                        cmocka_unit_test(test_limit),    cmocka_unit_test(test_nothing_there),
                                        cmocka_unit_test(test_edges),    cmocka_unit_test(test_sample) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
