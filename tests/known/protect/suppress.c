/* Local suppression on the reference data, against optima by an integer program and bounds by its relaxation. */
#include "io/open.h"
#include "methods.h"

static bool shelve_file(const char *path) {
    FILE *file = fopen(path, "r");
    if (!file) return false;
    fclose(file);
    Work work = { .arena = arena_new(), .error = &last_error, .threads = 2 };
    CsvOptions options = { 0 };
    Table *table;
    assert_int_equal(table_open(&work, path, &options, &table), OK);
    arena_free(work.arena);
    shelve("data", table);
    return true;
}

/* At most so many cells, and a bound that no suppression with `optimum` cells contradicts. */
static void check(const char *file, const char *keys, int k, double most, double optimum) {
    char command[400], path[200];
    sprintf(path, "../shared/data/%s", file);
    if (!shelve_file(path)) skip();
    sprintf(command, "protect suppress data --keys %s --k %d", keys, k);
    run_ok(command);
    if (value("cells") > most || value("lower_bound") > optimum)
        fail_msg("%s: %g cells, %g", command, value("cells"), value("lower_bound"));
    assert_true(value("k") >= k);
}

static void testdata(void **state) {
    (void)state;
    check("sdcmicro_testdata.csv", "urbrur,roof,walls,water,electcon,relat,sex", 3, 440, 357);
    check("sdcmicro_testdata.csv", "urbrur,roof,walls,water,electcon,relat,sex", 10, 1400, 1270);
}

static void survey(void **state) {
    (void)state;
    check("sd2011.csv", "sex,age,placesize,edu,marital,socprof", 3, 4344, 4249);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(testdata), cmocka_unit_test(survey) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
