/* chisq(a, b): a dependent table is found, an independent one is not more often than it should be, and what one person moves. */
#include "base/random.h"
#include "methods.h"

static const char schema[] = "{columns: {a: {categories: [p, q, r]}, b: {categories: [u, v], missing: possible}}}";

static void test_of(const char *rest) {
    char command[512];
    snprintf(command, sizeof command, "release query data --query 'chisq(a, b)' --schema '%s' %s --no-ledger", schema, rest);
    run_ok(command);
}

/* Records drawn with P(b = v) = share[a]. */
static void draw(RandomReader *reader, const double share[3]) {
    static char text[1 << 16];
    size_t at = (size_t)snprintf(text, sizeof text, "a,b\n");
    for (int i = 0; i < 1000; i++) {
        int a = (int)(reader_uniform(reader) * 3);
        at += (size_t)snprintf(text + at, sizeof text - at, "%c,%c\n", 'p' + a, reader_uniform(reader) < share[a] ? 'v' : 'u');
    }
    table_from("data", text);
}

static void dependence(void **state) {
    (void)state;
    Seed seed = seed_from_number(3);
    RandomStream stream = stream_make(&seed, "test", 0, "", "");
    RandomReader reader = reader_make(&stream);
    draw(&reader, (double[]){ 0.2, 0.5, 0.8 });
    test_of("--epsilon 1");
    assert_true(table_value("tests", "p_value", 0) <= 0.01 && table_value("tests", "df", 0) == 2);
    assert_int_equal(result_find_table(last_result, "answers")->rows, 9); /* missing among them */
    near(table_value("answers", "sensitivity", 0), 2, 0);
    test_of("--zcdp 0.2");
    assert_true(table_value("tests", "p_value", 0) <= 0.01);
    /* independent: of 60 tables at 5%, more than 10 rejections has a chance below 1e-3, with fresh noise each time */
    int rejected = 0;
    for (int i = 0; i < 60; i++) {
        draw(&reader, (double[]){ 0.4, 0.4, 0.4 });
        test_of("--epsilon 0.3");
        rejected += table_value("tests", "p_value", 0) <= 0.05;
    }
    assert_true(rejected <= 10);
}

/* With next to no noise it is Pearson's: (20, 30; 30, 20; 25, 25) has χ² = 4. */
static void known(void **state) {
    (void)state;
    static char text[4096];
    size_t at = (size_t)snprintf(text, sizeof text, "a,b\n");
    const int counts[3][2] = { { 20, 30 }, { 30, 20 }, { 25, 25 } };
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++)
            for (int k = 0; k < counts[i][j]; k++) at += (size_t)snprintf(text + at, sizeof text - at, "%c,%c\n", 'p' + i, 'u' + j);
    table_from("data", text);
    test_of("--epsilon 999");
    near(table_value("tests", "chi_squared", 0), 4, 1e-9);
    near(table_value("tests", "p_value", 0), 0.1353, 0.04); /* e^−2 */
    run_bad("release query data --query 'chisq(a, b)' --epsilon 1 --no-ledger", "public");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(dependence), cmocka_unit_test(known) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
