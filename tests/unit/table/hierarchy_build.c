/* Hierarchies made by rule: each kind, and what it refuses. */
#include "table/hierarchy_build.h"
#include "tables.h"

static const char *row_text(const HierarchyBuilder *b, int64_t leaf) {
    static char text[400];
    size_t at = 0;
    for (int64_t level = 0; level < b->levels; level++) at += (size_t)sprintf(text + at, "%s%s", level ? "|" : "", b->cell[level][leaf]);
    return text;
}

static void finish(Work *work, HierarchyBuilder *b, int64_t levels) {
    Table *table;
    tables_ok(build_top(work, b));
    assert_int_equal(b->levels, levels);
    tables_ok(build_table(work, b, "v", &table));
    assert_int_equal(table->columns, levels);
    table_release(table);
}

static void intervals(void **state) {
    (void)state;
    Work work = tables_work(1);
    Column *age = column_of("age:integer 23 18 40 NA"), *depth = column_of("d:real -1.5 2.25"), *word = column_of("w:category x y");
    HierarchyBuilder b;
    tables_ok(build_start(&work, age, NAN, NAN, &b));
    tables_ok(build_intervals(&work, &b, 5));
    tables_ok(build_intervals(&work, &b, 20));
    finish(&work, &b, 4);
    assert_string_equal(row_text(&b, 0), "18|15-19|0-19|*");
    assert_string_equal(row_text(&b, 2), "40|40-44|40-59|*");
    tables_ok(build_start(&work, age, 10, 40, &b));
    assert_int_equal(b.leaves, 31);
    tables_ok(build_start(&work, depth, NAN, NAN, &b));
    tables_ok(build_intervals(&work, &b, 2.5));
    finish(&work, &b, 3);
    assert_string_equal(row_text(&b, 0), "-1.5|[-2.5,0)|*");
    assert_string_equal(row_text(&b, 1), "2.25|[0,2.5)|*");
    tables_ok(build_start(&work, word, NAN, NAN, &b));
    assert_int_equal(build_intervals(&work, &b, 5), BAD);
    assert_null(strstr(tables_error.message, "x")); /* no value in the message */
    column_release(age);
    column_release(depth);
    column_release(word);
    arena_free(work.arena);
}

static void masks(void **state) {
    (void)state;
    Work work = tables_work(1);
    Column *zip = column_of("zip:category 02138 02139 é1");
    HierarchyBuilder b;
    tables_ok(build_start(&work, zip, NAN, NAN, &b));
    tables_ok(build_masks(&work, &b, true));
    finish(&work, &b, 6);
    assert_string_equal(row_text(&b, 0), "02138|0213*|021**|02***|0****|*");
    assert_string_equal(row_text(&b, 2), "é1|é*|**|**|**|*");
    tables_ok(build_start(&work, zip, NAN, NAN, &b));
    tables_ok(build_masks(&work, &b, false));
    finish(&work, &b, 6);
    assert_string_equal(row_text(&b, 0), "02138|*2138|**138|***38|****8|*");
    column_release(zip);
    arena_free(work.arena);
}

static void groups(void **state) {
    (void)state;
    Work work = tables_work(1);
    Column *school = column_of("s:category none basic high college");
    const char *const order[] = { "none", "basic", "high", "college", "doctor" };
    HierarchyBuilder b;
    tables_ok(build_start(&work, school, NAN, NAN, &b));
    tables_ok(build_order(&work, &b, 5, order));
    tables_ok(build_groups(&work, &b, 2));
    tables_ok(build_groups(&work, &b, 2));
    finish(&work, &b, 4);
    assert_string_equal(row_text(&b, 1), "basic|none … basic|none … college|*");
    assert_string_equal(row_text(&b, 4), "doctor|doctor|doctor|*");
    tables_ok(build_start(&work, school, NAN, NAN, &b));
    assert_int_equal(build_order(&work, &b, 3, order), BAD);
    tables_ok(build_named_groups(&work, &b, "low=none,basic;upper=high,college"));
    finish(&work, &b, 3);
    assert_string_equal(row_text(&b, 0), "basic|low|*");
    tables_ok(build_start(&work, school, NAN, NAN, &b));
    assert_int_equal(build_named_groups(&work, &b, "low=none,basic"), BAD);
    tables_ok(build_start(&work, school, NAN, NAN, &b));
    assert_int_equal(build_named_groups(&work, &b, "low=none,basic,nowhere"), BAD);
    column_release(school);
    arena_free(work.arena);
}

static void periods(void **state) {
    (void)state;
    Work work = tables_work(1);
    Column *day = column_of("d:date 1999-12-31 2024-05-07");
    HierarchyBuilder b;
    tables_ok(build_start(&work, day, NAN, NAN, &b));
    tables_ok(build_period(&work, &b, "month"));
    tables_ok(build_period(&work, &b, "quarter"));
    tables_ok(build_period(&work, &b, "year"));
    tables_ok(build_period(&work, &b, "decade"));
    finish(&work, &b, 6);
    assert_string_equal(row_text(&b, 0), "1999-12-31|1999-12|1999-Q4|1999|1990s|*");
    assert_string_equal(row_text(&b, 1), "2024-05-07|2024-05|2024-Q2|2024|2020s|*");
    assert_int_equal(build_period(&work, &b, "week"), BAD);
    column_release(day);
    arena_free(work.arena);
}

static void levels_must_rise(void **state) {
    (void)state;
    Work work = tables_work(1);
    Column *age = column_of("age:integer 3 6 9");
    HierarchyBuilder b;
    Table *table;
    tables_ok(build_start(&work, age, NAN, NAN, &b));
    tables_ok(build_intervals(&work, &b, 5));
    tables_ok(build_intervals(&work, &b, 7));
    assert_int_equal(build_table(&work, &b, "age", &table), BAD);
    assert_non_null(strstr(tables_error.message, "level 2"));
    column_release(age);
    arena_free(work.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(intervals), cmocka_unit_test(masks), cmocka_unit_test(groups),
                                        cmocka_unit_test(periods), cmocka_unit_test(levels_must_rise) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
