/* Columns of words that become numbers or dates beside such a column of another table. */
#include "tables.h"
#include "table/common_types.h"

static Column *words(const char *const *cells, int64_t rows) {
    Column *column;
    Error error = ERROR_NONE;
    tables_ok(column_category("x", cells, rows, &column, &error));
    return column;
}

static Column *line(Type type, const int64_t *cells, int64_t rows) {
    Column *column;
    Error error = ERROR_NONE;
    tables_ok(column_new(type, "x", rows, &column, &error));
    for (int64_t i = 0; i < rows; i++) {
        if (type == DATE_TYPE) column->date[i] = (int32_t)cells[i];
        else column->integer[i] = cells[i];
    }
    column_seal(column);
    return column;
}

static Table *table_of_one(Column *column) {
    Table *table;
    Error error = ERROR_NONE;
    tables_ok(table_new("t", &column, 1, column->rows, &table, &error));
    column_release(column);
    return table;
}

/* The words beside a column of the type; NULL where they stay. */
static Table *beside(Type type, const char *const *cells, int64_t rows) {
    Work work = tables_work(1);
    const int64_t numbers[] = { 1, 2, 3 };
    Table *changed[2], *one = table_of_one(line(type, numbers, 3)), *two = table_of_one(words(cells, rows));
    const Table *both[] = { one, two };
    tables_ok(tables_common_types(&work, both, 2, changed));
    assert_null(changed[0]);
    table_release(one);
    table_release(two);
    arena_free(work.arena);
    return changed[1];
}

static void test_numbers(void **state) {
    (void)state;
    Table *t = beside(INTEGER_TYPE, (const char *[]){ "15400.0", "15400", "1.54e4", "007" }, 4);
    assert_int_equal(t->column[0]->type, INTEGER_TYPE);
    for (int i = 0; i < 3; i++) assert_int_equal(column_integer(t->column[0], i), 15400);
    assert_int_equal(column_integer(t->column[0], 3), 7);
    table_release(t);
    t = beside(INTEGER_TYPE, (const char *[]){ "1.5", "2", NULL }, 3);
    assert_int_equal(t->column[0]->type, REAL_TYPE);
    assert_true(column_number(t->column[0], 0) == 1.5 && column_missing(t->column[0], 2));
    table_release(t);
}

/* A code is missing by its own name; an empty cell without one. */
static void test_codes(void **state) {
    (void)state;
    char text[33];
    Table *t = beside(INTEGER_TYPE, (const char *[]){ "5", "N", NULL, "refused" }, 4);
    const Column *c = t->column[0];
    assert_int_equal(c->missing, 3);
    assert_string_equal(code_text(c->about->missing_of[c->reason[1] - MISSING_CODE_FIRST], text), "N");
    assert_int_equal(c->reason[2], MISSING_CODE_NONE);
    assert_string_equal(code_text(c->about->missing_of[c->reason[3] - MISSING_CODE_FIRST], text), "refused");
    table_release(t);
}

/* Intervals, top codes and plain categories are a release's own words. */
static void test_words_stay(void **state) {
    (void)state;
    assert_null(beside(INTEGER_TYPE, (const char *[]){ "20", "[30,40)" }, 2));
    assert_null(beside(INTEGER_TYPE, (const char *[]){ "20", "90+" }, 2));
    assert_null(beside(INTEGER_TYPE, (const char *[]){ "young", "old" }, 2));
    assert_null(beside(DATE_TYPE, (const char *[]){ "2020-02-30" }, 1));
}

static void test_dates(void **state) {
    (void)state;
    Table *t = beside(DATE_TYPE, (const char *[]){ "1970-01-03", "N" }, 2);
    assert_int_equal(t->column[0]->type, DATE_TYPE);
    assert_true(column_number(t->column[0], 0) == 2 && column_missing(t->column[0], 1));
    table_release(t);
    t = beside(DATETIME_TYPE, (const char *[]){ "1970-01-03", "1970-01-01T00:00:01" }, 2);
    assert_int_equal(t->column[0]->moment[1], 1000000);
    assert_int_equal(t->column[0]->moment[0], INT64_C(2) * 86400000000);
    table_release(t);
}

/* A column that holds nothing but the other table's missing code. */
static void test_only_codes(void **state) {
    (void)state;
    Work work = tables_work(1);
    Table *changed[3], *one = beside(INTEGER_TYPE, (const char *[]){ "5", "N" }, 2), *two = table_of_one(words((const char *[]){ "N" }, 1)),
                       *three = table_of_one(words((const char *[]){ "M" }, 1));
    const Table *both[] = { one, two, NULL };
    tables_ok(tables_common_types(&work, both, 3, changed));
    assert_int_equal(changed[1]->column[0]->missing, 1);
    table_release(changed[1]);
    both[2] = three; /* all or none */
    tables_ok(tables_common_types(&work, both, 3, changed));
    assert_true(!changed[0] && !changed[1] && !changed[2]);
    table_release(one);
    table_release(two);
    table_release(three);
    arena_free(work.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_numbers), cmocka_unit_test(test_codes), cmocka_unit_test(test_words_stay),
                                        cmocka_unit_test(test_dates), cmocka_unit_test(test_only_codes) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
