/* Local suppression on the reference data: never more cells than sdcMicro. */
#include "io/open.h"
#include "methods.h"

static const char keys[] = "urbrur,roof,walls,water,electcon,relat,sex";

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

static void check(const char *file, const char *names, int k, const char *more, double sdcmicro, double ours) {
    char command[400], path[200];
    sprintf(path, "../shared/data/%s", file);
    if (!shelve_file(path)) skip();
    sprintf(command, "protect suppress data --side released --keys %s --k %d %s", names, k, more);
    run_ok(command);
    if (value("cells") > sdcmicro || value("cells") > ours) fail_msg("%s: %g cells", command, value("cells"));
    assert_true(value("lower_bound") <= value("cells") && value("k") >= (*more == '-' && more[2] == 'c' ? 3 : k));
}

static void testdata(void **state) {
    (void)state;
    check("sdcmicro_testdata.csv", keys, 2, "--fewest", 157, 95);
    check("sdcmicro_testdata.csv", keys, 3, "--fewest", 293, 150);
    check("sdcmicro_testdata.csv", keys, 5, "--fewest", 500, 250);
    check("sdcmicro_testdata.csv", "urbrur,roof,walls,water,sex", 3, "--fewest", 24, 16);
    check("sdcmicro_testdata.csv", keys, 5, "--combinations 3:5,2:3 --fewest", 128, 100);
    check("sdcmicro_testdata.csv", keys, 2, "", 157, 157);
    check("sdcmicro_testdata.csv", keys, 3, "", 293, 281);
    check("sdcmicro_testdata.csv", keys, 5, "", 500, 458);
}

static void testdata2(void **state) {
    (void)state;
    check("sdcmicro_testdata2.csv", keys, 2, "--fewest", 97, 55);
    check("sdcmicro_testdata2.csv", keys, 3, "--fewest", 117, 75);
    check("sdcmicro_testdata2.csv", keys, 3, "", 117, 97);
}

static void francdat(void **state) {
    (void)state;
    check("francdat.csv", "Key1,Key2,Key3,Key4", 2, "--fewest", 4, 3);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(testdata), cmocka_unit_test(testdata2), cmocka_unit_test(francdat) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
