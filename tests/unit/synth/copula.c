/* synth.copula: margins and correlations come back, any kind of column, the same bytes for any number of threads, bad input. */
#include "methods.h"
#include "math/distributions.h"

enum { N = 3000 };

/* Log-normal a, b = a power of it with noise, c two-valued. */
static void make_data(void) {
    static double z[3 * N], a[N], b[N], c[N];
    RandomStream stream = stream_make(&(Seed){ 0 }, "test", 0, "x", "copula");
    draw_normals(&stream, 0, 3 * N, z);
    for (int i = 0; i < N; i++) {
        a[i] = exp(z[i]);
        b[i] = pow(z[i] + .5 * z[N + i], 3);
        c[i] = z[i] + z[2 * N + i] > .5;
    }
    table_reals("t", (const double *const[]){ a, b, c }, 3, N);
}

static void test_correlations(void **state) {
    (void)state;
    make_data();
    run_ok("synth copula t --n 20000");
    for (int k = 0; k < 3; k++) near(table_value("correlations", "synthetic", k), table_value("correlations", "original", k), .05);
    double mean[2] = { 0 };
    for (int i = 0; i < N; i++) mean[0] += table_column(shelf[0], "a")->real[i] / N;
    for (int i = 0; i < 20000; i++) mean[1] += output_column("a")->real[i] / 20000;
    near(mean[1] / mean[0], 1, .06);
    for (int i = 0; i < 20000; i++) assert_true(output_column("c")->real[i] == 0 || output_column("c")->real[i] == 1);
}

static void test_census(void **state) {
    (void)state;
    table_from_file("census", "../shared/data/census_casc.csv");
    run_ok("synth copula census --n 20000");
    assert_true(value("largest_difference") < .12); /* heavy tails: the correlations' own sampling error is several times 1/√n */
}

static void test_kinds(void **state) {
    (void)state;
    static char text[60000];
    char *at = text + sprintf(text, "g,x,y\n");
    for (int i = 0; i < 1500; i++) {
        at += sprintf(at, "%c,%d,", 'a' + i % 3, i % 3 * 10 + i % 7);
        at += i % 5 ? sprintf(at, "%d\n", i % 11) : sprintf(at, "\n");
    }
    table_from("u", text);
    run_threads = 1;
    run_ok("synth copula u --m 2 --stacked");
    Table *one = table_retain(output());
    run_threads = 3;
    run_ok("synth copula u --m 2 --stacked");
    assert_true(table_equal(one, output()));
    table_release(one);
    int64_t missing = output_column("y")->missing;
    near((double)missing / 3000, .2, .04);
    run_ok("synth copula t --vars a,b");
    int fresh = 0;
    for (int i = 1; i < N; i++) fresh += output_column("a")->real[i] != output_column("a")->real[0];
    assert_true(fresh > N - 5);
    table_from("empty", "a,b\n");
    run_bad("synth copula empty", "empty");
    table_from("constant", "a,b\n1,2\n1,3\n1,4\n");
    run_ok("synth copula constant");
}

/* z goes with small numbers, a missing cell with middle ones, a with large and m with the largest: no order of words has them so. The
 * synthetic table keeps it, and so do draws from the saved model. */
static void test_unordered(void **state) {
    (void)state;
    static const char *const words[] = { "z", "", "a", "m" };
    static char text[60000];
    char *at = text + sprintf(text, "g,x,h\n");
    for (int i = 0; i < 2000; i++) at += sprintf(at, "%s,%d,%c\n", words[i % 4], i % 4 * 100 + i / 4 % 50, i % 4 < 2 ? 'k' : 'l');
    table_from("u", text);
    for (int saved = 0; saved < 2; saved++) {
        if (saved) {
            run_ok("synth copula u --save-model");
            shelve("model", table_retain(output()));
            run_ok("synth draw model --n 2000");
        } else run_ok("synth copula u");
        int right = 0;
        for (int i = 0; i < 2000; i++) {
            char number[33];
            const char *word = column_cell(output_column("g"), i, number);
            int group = (int)column_number(output_column("x"), i) / 100;
            right += !strcmp(word ? word : "", words[group < 4 ? group : 3]);
        }
        assert_true(right > 1700);
    }
}

/* Rules hold in every record; what they leave has the margins that it had. */
static void test_rules(void **state) {
    (void)state;
    static char text[60000];
    char *at = text + sprintf(text, "g,x\n");
    for (int i = 0; i < 1500; i++) at += sprintf(at, "%c,%d\n", 'a' + i % 3, i % 3 * 10 + i % 7);
    table_from("u", text);
    table_from("rules", "rule\ng == 'a' -> x < 5\nx != 12\n");
    for (int seed = 1; seed < 6; seed++) {
        run_ok_seeded(seed, "synth copula u --rules rules");
        for (int64_t i = 0; i < output()->rows; i++) {
            char number[33];
            double x = column_number(output_column("x"), i);
            assert_true(x != 12 && (column_cell(output_column("g"), i, number)[0] != 'a' || x < 5));
        }
    }
    table_from("never", "rule\nx > 100\n");
    run_bad("synth copula u --rules never", "cannot be kept");
    table_from("rare", "rule\nx == 26\n"); /* one in twenty-one: sixty draws leave hardly any, and those are copies */
    run_ok("synth copula u --n 200 --rules rare");
    for (int64_t i = 0; i < 200; i++) assert_true(column_number(output_column("x"), i) == 26);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_correlations), cmocka_unit_test(test_kinds), cmocka_unit_test(test_unordered),
                                        cmocka_unit_test(test_rules), cmocka_unit_test(test_census) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
