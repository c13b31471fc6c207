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

static void check(const char *file, const char *names, int k, double sdcmicro, double ours) {
    char command[400], path[200];
    sprintf(path, "../shared/data/%s", file);
    if (!shelve_file(path)) skip();
    sprintf(command, "protect suppress data --keys %s --k %d", names, k);
    run_ok(command);
    assert_true(value("cells") <= sdcmicro);
    assert_true(value("cells") <= ours);
    assert_true(value("lower_bound") <= value("cells") && value("k") >= k);
}

static void testdata(void **state) {
    (void)state;
    check("sdcmicro_testdata.csv", keys, 2, 157, 157);
    check("sdcmicro_testdata.csv", keys, 3, 293, 281);
    check("sdcmicro_testdata.csv", keys, 5, 500, 458);
    check("sdcmicro_testdata.csv", "urbrur,roof,walls,water,sex", 3, 24, 24);
}

static void testdata2(void **state) {
    (void)state;
    check("sdcmicro_testdata2.csv", keys, 2, 97, 93);
    check("sdcmicro_testdata2.csv", keys, 3, 117, 97);
}

static void francdat(void **state) {
    (void)state;
    check("francdat.csv", "Key1,Key2,Key3,Key4", 2, 4, 4);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(testdata), cmocka_unit_test(testdata2), cmocka_unit_test(francdat) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
