/* Tables that are compared are read alike: one word in a column of numbers, or numbers written in another way, change nothing else. */
#include "methods.h"

enum { N = 400 };

/* A table of drawn people; `form` writes an income, and the record `odd` gets the word N. */
static void shelve_people(const char *name, int first, const char *form, int odd) {
    static char text[N * 40 + 100];
    char *at = text + sprintf(text, "income,age,sex\n");
    for (int i = first; i < first + N; i++) {
        unsigned long long s = (unsigned long long)(i + 1) * 6364136223846793005ULL + 1442695040888963407ULL;
        s ^= s >> 29, s *= 0xBF58476D1CE4E5B9ULL, s ^= s >> 32;
        if (i - first == odd) at += sprintf(at, "N");
        else at += sprintf(at, form, (double)(s % 90000));
        at += sprintf(at, ",%d,%d\n", (int)((s >> 20) % 60), (int)((s >> 40) % 2));
    }
    table_from(name, text);
}

/* The value for an identical copy, for one written with decimals, and for one with a word: all nearly the same. */
static void same(const char *command, const char *name, double tolerance) {
    shelve_people("o", 0, "%.0f", -1);
    shelve_people("h", N, "%.0f", -1);
    shelve_people("r", 0, "%.0f", -1);
    run_ok(command);
    double copy = value(name);
    shelve_people("r", 0, "%.2f", -1);
    run_ok(command);
    near(value(name), copy, 1e-12);
    shelve_people("r", 0, "%.0f", 7);
    run_ok(command);
    near(value(name), copy, tolerance);
    shelve_people("r", 0, "%.1f", 7);
    run_ok(command);
    near(value(name), copy, tolerance);
}

static void test_attacks(void **state) {
    (void)state;
    same("attack membership r o h --vars income,age", "auc", .01);
    same("attack inference r o h --sensitive income --known age,sex,income", "accuracy", .02);
    same("attack inference r o h --sensitive sex --known age,income", "accuracy", .02);
}

static void test_risks(void **state) {
    (void)state;
    same("risk reidentification o r --vars income,age", "share", .01);
    same("risk linkage o r --vars income,age", "confidentiality", .01);
    same("risk interval o r --vars income,age", "inside", 1e-12);
    same("risk intruder r --original o --keys income,sex", "true_matches", 2);
}

/* A sample beside its population. */
static void test_population(void **state) {
    (void)state;
    same("risk presence r --population o --keys income,sex", "certain_present", 2);
    same("risk population-uniques r --population o --keys income,sex", "pu", .02);
    same("risk theta r --population o --keys income,sex", "theta", .02);
}

/* A column that was named and cannot be used is an error, not a shorter list. */
static void test_named_columns(void **state) {
    (void)state;
    table_from("o", "x,y\n1,1\n2,2\n3,3\n4,4\n");
    table_from("r", "x,y\n0-2,1\n1-3,2\n2-4,3\n3-5,4\n");
    run_bad("risk interval o r --vars x,y", "x");
    run_bad("risk reidentification o r --vars x,y", "x");
    run_bad("risk outlier-distance o r --vars x,y", "x");
    run_ok("risk interval o r"); /* not named: what both have as numbers */
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_attacks), cmocka_unit_test(test_risks), cmocka_unit_test(test_population),
                                        cmocka_unit_test(test_named_columns) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
