/* Hierarchies: read as they stand, with and without a header, checked, matched. */
#include "table/hierarchy.h"
#include "io/csv/csv.h"
#include "tables.h"

static Table *raw(Work *work, const char *text) {
    Table *table = NULL;
    CsvOptions options = { .raw = true };
    tables_ok(csv_read_bytes(work, "file.csv", text, strlen(text), &options, &table));
    return table;
}

static void with_and_without_a_header(void **state) {
    (void)state;
    static const char *const files[] = { "level0,level1,level2\n01234,0123*,*\n01239,0123*,*\n1.0,x,*\n",
                                         "01234,0123*,*\n01239,0123*,*\n1.0,x,*\n", "01234;0123*;*\r\n01239;0123*;*\r\n1.0;x;*\r\n" };
    for (int i = 0; i < 3; i++) {
        Work work = tables_work(1);
        Table *table = raw(&work, files[i]);
        Hierarchy h;
        tables_ok(hierarchy_from_table(&work, table, "zip", &h));
        assert_int_equal(h.leaves, 3);
        assert_int_equal(h.levels, 3);
        assert_string_equal(h.level[0].word[0], "01234"); /* leading zeros and trailing ones are kept */
        assert_string_equal(h.level[0].word[2], "1.0");
        assert_int_equal(h.level[1].count, 2);
        assert_int_equal(h.level[1].of[1], 0);
        assert_int_equal(h.level[1].leaves[0], 2);
        assert_int_equal(h.level[2].count, 1);
        table_release(table);
        arena_free(work.arena);
    }
}

static void bad_hierarchy(const char *text, int64_t row, const char *part) {
    Work work = tables_work(1);
    Table *table = raw(&work, text);
    Hierarchy h;
    assert_int_equal(hierarchy_from_table(&work, table, "v", &h), BAD);
    assert_non_null(strstr(tables_error.message, part));
    assert_int_equal(tables_error.row, row);
    assert_string_equal(tables_error.column, "v");
    table_release(table);
    arena_free(work.arena);
}

static void what_breaks_is_named(void **state) {
    (void)state;
    bad_hierarchy("a,x,*\nb,x,*\na,y,*\n", 2, "level 0");
    bad_hierarchy("level0,level1,level2\na,x,p\nb,x,q\n", 1, "level 2");
    bad_hierarchy("a,x,*\nb,,*\n", 1, "empty");
    bad_hierarchy("level0,level1\n", -1, "no values");
}

static void columns_are_matched(void **state) {
    (void)state;
    Work work = tables_work(1);
    Table *tables[2] = { raw(&work, "1,low,*\n2,low,*\n10,high,*\n"), raw(&work, "x,*\n") };
    const char *names[2] = { "adult_hierarchy_age", "sex" };
    Column *age = column_of("age:integer 10 1 NA 10"), *lost = column_of("age:integer 10 3"), *sex = column_of("s:category x x");
    Hierarchy h;
    bool found;
    Codes codes;
    int32_t *leaf;
    tables_ok(hierarchy_find(&work, 2, names, (const Table *const *)tables, sex, &h, &found));
    assert_false(found);
    tables_ok(hierarchy_find(&work, 2, names, (const Table *const *)tables, age, &h, &found));
    assert_true(found);
    tables_ok(column_codes(&work, age, &codes));
    tables_ok(hierarchy_match(&work, &h, age, &codes, &leaf));
    assert_true(leaf[0] == 0 && leaf[1] == 2);
    tables_ok(column_codes(&work, lost, &codes));
    assert_int_equal(hierarchy_match(&work, &h, lost, &codes, &leaf), BAD);
    assert_int_equal(tables_error.row, 1);
    assert_null(strstr(tables_error.message, "3")); /* the value itself is not shown */
    column_release(age);
    column_release(lost);
    column_release(sex);
    table_release(tables[0]);
    table_release(tables[1]);
    arena_free(work.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(with_and_without_a_header), cmocka_unit_test(what_breaks_is_named),
                                        cmocka_unit_test(columns_are_matched) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
