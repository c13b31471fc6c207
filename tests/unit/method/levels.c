/* Codes are categories for methods that take them so; what they make goes out as it came in. */
#include "methods.h"

/* Ages, and races of which the first is commonest; deterministic, 60 records. */
static void people(const char *name, const char *codes) {
    Buffer text = { 0 };
    buffer_print(&text, "age,race,sex,w\n");
    for (int i = 0; i < 60; i++)
        buffer_print(&text, "%d,%c,%d,%d\n", 20 + i * 7 % 50, codes[i * i % 11 % (int)strlen(codes)], 1 + i * 3 % 5 % 2, 1 + i % 3);
    table_from(name, buffer_get(&text));
    buffer_free(&text);
}

static void only_codes(const char *column, int64_t most) {
    const Column *c = output_column(column);
    assert_int_equal(c->type, INTEGER_TYPE);
    for (int64_t i = 0; i < c->rows; i++) assert_true(column_integer(c, i) >= 1 && column_integer(c, i) <= most);
}

static void test_microaggregate(void **state) {
    (void)state;
    people("t", "11236789");
    run_ok("protect microaggregate t --vars age,race,sex --k 4");
    only_codes("race", 9);
    only_codes("sex", 2);
    assert_true(column_numeric(output_column("age")));
    run_ok("protect microaggregate t --vars age --k 4"); /* untouched columns are the input's own */
    assert_true(column_equal(output_column("race"), table_column(shelf[0], "race")));
    assert_false(table_altered(output(), "race"));
}

/* No sex or race that nobody has. */
static void test_massc(void **state) {
    (void)state;
    people("t", "11236789");
    for (int seed = 1; seed <= 30; seed++) {
        static const char *const ways[] = { "synth", "synthesis", "swap" };
        char command[160];
        snprintf(command, sizeof command, "protect massc t --core race,sex --substitute %s --weight w", ways[seed % 3]);
        run_ok_seeded((uint64_t)seed, command);
        only_codes("race", 9);
        only_codes("sex", 2);
    }
}

/* The answer does not depend on whether the codes are declared. */
static void test_regression(void **state) {
    (void)state;
    people("t", "11236789");
    people("words", "aabcfghi");
    run_ok("attack regression t --sensitive race --predictors age,sex");
    double within = value("within"), gain = value("gain");
    run_ok("attack regression words --sensitive race --predictors age,sex");
    near(value("within"), within, 1e-9);
    near(value("gain"), gain, 1e-9);
    run_ok("risk predictive t --sensitive race --predictors age,sex");
    double r2 = value("r2");
    run_ok("risk predictive words --sensitive race --predictors age,sex");
    near(value("r2"), r2, 1e-9);
}

/* A code is learned when it is the same, not when it is near. */
static void test_inference(void **state) {
    (void)state;
    Buffer one = { 0 }, two = { 0 };
    buffer_print(&one, "age,race\n");
    buffer_print(&two, "age,race\n");
    for (int i = 0; i < 40; i++) {
        buffer_print(&one, "%d,%d\n", i, i % 4 + 1);
        buffer_print(&two, "%d,%d\n", i, (i + 1) % 4 + 1);
    }
    table_from("o", buffer_get(&one));
    table_from("r", buffer_get(&two));
    run_ok("attack inference r o o --sensitive race --known age --tolerance 5");
    near(value("accuracy"), 0, 0);
    buffer_free(&one);
    buffer_free(&two);
}

/* Numbers or letters for the same races: linkage, canonical correlations and best guesses are the same. */
static void test_the_same_as_letters(void **state) {
    (void)state;
    static const struct {
        const char *command, *value;
    } asked[] = { { "risk linkage %s %s --vars age,race", "linked" },
                  { "risk linkage %s %s --vars age,race,sex --distance gower", "linked" },
                  { "attack linkage %s %s --vars age,race --confidence 0", "correct" },
                  { "risk discriminant %s %s --vars age,race", "threatened" },
                  { "risk canonical %s --confidential race --nonconfidential age,sex", "largest_squared" },
                  { "risk decision %s --sensitive race --vars age,sex", "mean_uncertainty" } };
    people("t", "11236789");
    people("words", "aabcfghi");
    for (size_t k = 0; k < sizeof asked / sizeof *asked; k++) {
        char command[160];
        snprintf(command, sizeof command, asked[k].command, "t", "t");
        run_ok(command);
        double numbers = value(asked[k].value);
        snprintf(command, sizeof command, asked[k].command, "words", "words");
        run_ok(command);
        near(value(asked[k].value), numbers, 1e-9);
    }
}

/* Without names, codes are left out where numbers are compared; named, they are an error; in a formula they have no logarithm. */
static void test_left_out(void **state) {
    (void)state;
    people("t", "11236789");
    run_ok("risk interval t t");
    assert_true(noted("codes (see inspect): race, sex, w."));
    assert_int_equal(result_find_table(last_result, "columns")->rows, 1);
    run_ok("risk outlier-distance t t");
    assert_true(noted("codes (see inspect): race, sex, w."));
    run_bad("attack averaging t t --vars race", "--types race:numeric");
    run_bad("attack coefficients t --formula 'age ~ log(race)' --coefficients t", "--types race:numeric");
}

/* Codes named where a quantity is needed are an error that says how to declare them. */
static void test_quantities(void **state) {
    (void)state;
    people("t", "11236789");
    run_bad("protect noise t --vars race --amount 0.1", "--types race:numeric");
    run_bad("protect shuffle t --confidential age,sex", "codes");
    run_ok("protect noise t --vars age --amount 0.1");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_microaggregate),      cmocka_unit_test(test_massc),
                                        cmocka_unit_test(test_regression),          cmocka_unit_test(test_inference),
                                        cmocka_unit_test(test_the_same_as_letters), cmocka_unit_test(test_left_out),
                                        cmocka_unit_test(test_quantities) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
