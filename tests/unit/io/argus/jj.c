/* JJ files: what is read, what is written and read back, and files that are none. */
#include <unistd.h>
#include "base/file.h"
#include "io/open.h"
#include "table/cell_structure.h"
#include "tables.h"

static char path[] = "/tmp/scrim-jj-XXXXXX.jj";

static Status read_jj(Work *work, const char *text, Table **out) {
    assert_int_equal(file_write(path, text, strlen(text), false, work->error), OK);
    return table_open(work, path, NULL, out);
}

static const char small[] = "0\n3\n0 10 10 s 0 30 0 0 0\n1 4 4.5 u 0 20 1 2 0\r\n2 6 6 z 6 6 0 0 0\n1\n0.0 3 : 0 (-1) 1(1) 2 ( 1 )\n";

static void reads(void **state) {
    (void)state;
    Work work = tables_work(1);
    Table *table = NULL;
    Structure s;
    tables_ok(read_jj(&work, small, &table));
    assert_int_equal(table->rows, 3);
    assert_true(table_column(table, "value")->real[1] == 4 && table_column(table, "cost")->real[1] == 4.5);
    assert_true(table_column(table, "lower")->real[1] == 4 && table_column(table, "upper")->real[1] == 16);
    assert_true(table_column(table, "upper")->real[2] == 0 && table_column(table, "protection_upper")->real[1] == 2);
    tables_ok(structure_read(&work, table, NULL, &s));
    assert_true(s.names == 3 && s.relations.count == 1 && s.relations.start[1] == 3 && s.relations.coefficient[0] == -1);
    table_release(table);
    arena_free(work.arena);
}

static void round_trip(void **state) {
    (void)state;
    Work work = tables_work(1);
    Table *table = NULL, *again = NULL;
    Structure s, t;
    tables_ok(read_jj(&work, small, &table));
    tables_ok(table_save(&work, table, path, NULL));
    char beside[64];
    snprintf(beside, sizeof beside, "%s.structure.json", path);
    assert_false(file_is_regular(beside)); /* all of it is inside */
    tables_ok(table_open(&work, path, NULL, &again));
    static const char *const names[] = { "value", "cost", "lower", "upper", "protection_lower", "protection_upper" };
    for (int k = 0; k < 6; k++)
        for (int64_t i = 0; i < 3; i++) assert_true(table_column(table, names[k])->real[i] == table_column(again, names[k])->real[i]);
    tables_ok(structure_read(&work, table, NULL, &s));
    tables_ok(structure_read(&work, again, NULL, &t));
    assert_true(s.relations.count == t.relations.count && !memcmp(s.relations.cell, t.relations.cell, 3 * sizeof *s.relations.cell));
    table_release(table);
    table_release(again);
    arena_free(work.arena);
}

static void bad(void **state) {
    (void)state;
    static const char *const wrong[][2] = {
        { "", "ends too early" },
        { "0\n999999999999\n", "no larger than" },
        { "0\n1\n0 5 5 s 0 9 0 0 0\n", "ends too early" },
        { "0\n1\n1 5 5 s 0 9 0 0 0\n0\n", "no larger" },
        { "0\n1\n0 5 5 q 0 9 0 0 0\n0\n", "a status is" },
        { "0\n1\n0 5 5 s 6 9 0 0 0\n0\n", "outside of its own bounds" },
        { "0\n1\n0 5 5 u 0 9 -1 0 0\n0\n", "below 0" },
        { "0\n1\n0 5 5 u 0 9 1 1 9\n0\n", "sliding" },
        { "0\n1\n0 5 5 s 0 9 0 0 0\n1\n3 1 : 0 (1)\n", "right side" },
        { "0\n1\n0 5 5 s 0 9 0 0 0\n1\n0 1 : 7 (1)\n", "no larger" },
        { "0\n1\n0 5 5 s 0 9 0 0 0\n1\n0 1 : 0 1\n", "brackets" },
        { "0\n1\n0 5 5 s 0 9 0 0 0\n0\n0\n", "follows the last" },
        { "0\n1\n0 five 5 s 0 9 0 0 0\n0\n", "a number" },
    };
    Work work = tables_work(1);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        Table *table = NULL;
        assert_int_equal(read_jj(&work, wrong[i][0], &table), BAD);
        if (!strstr(work.error->message, wrong[i][1])) fail_msg("file %zu: %s", i, work.error->message);
        *work.error = ERROR_NONE;
    }
    arena_free(work.arena);
}

int main(void) {
    close(mkstemps(path, 3));
    const struct CMUnitTest tests[] = { cmocka_unit_test(reads), cmocka_unit_test(round_trip), cmocka_unit_test(bad) };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return failed;
}
