/* Loose ends: identifiers, ids, order, single values, and columns that tell a blanked key; none where there is none. */
#include "methods.h"

static void loose_ends(void **state) {
    (void)state;
    static char text[20000];
    strcpy(text, "id,sex,age,agegr,hid,town\n");
    for (int i = 0; i < 300; i++)
        sprintf(text + strlen(text), "%d,%c,%d,%d,%d,%s\n", 70000 + i * 13, "fm"[i % 2], 20 + i % 10 * 5, (20 + i % 10 * 5) / 20,
                i / 3 + 500, i == 7 ? "Dunvale" : "Ashby");
    table_from("original", text);
    run_ok("protect suppress-records original --where 'age == 20' --action blank --vars age");
    shelve("released", table_retain(output()));
    run_ok("risk loose-ends released --keys sex,age --household hid --original original");
    assert_true(value("loose_ends") >= 4);
    bool id = false, tells = false, order = false, only = false;
    const Table *ends = result_find_table(last_result, "ends");
    for (int64_t i = 0; i < ends->rows; i++) {
        char a[33], b[33];
        const char *column = column_cell(ends->column[0], i, a), *what = column_cell(ends->column[1], i, b);
        id |= column && !strcmp(column, "id");
        order |= !column;
        only |= column && !strcmp(column, "town");
        tells |= column && !strcmp(column, "hid") && strstr(what, "household");
    }
    assert_true(id && order && only && tells);
    table_from("plain", "sex,age\nf,30\nf,30\nm,30\nm,30\n");
    run_ok("risk loose-ends plain --keys sex,age");
    assert_true(value("loose_ends") == 0);
}

/* Named, not counted; rounded they are no longer as they were. */
static void numbers_of_one(void **state) {
    (void)state;
    static char text[8000];
    strcpy(text, "sex,x,few\n");
    for (int i = 0; i < 100; i++) sprintf(text + strlen(text), "%c,%d.%d,%d\n", "fm"[i % 2], i * 31, i % 7, i % 5);
    table_from("numbers", text);
    run_ok("risk loose-ends numbers --keys sex --original numbers");
    assert_true(value("loose_ends") == 1 && noted("x: numbers as in the original"));
    run_ok("protect round numbers --vars x --base 5000");
    shelve("rounded", table_retain(output()));
    run_ok("risk loose-ends rounded --keys sex --original numbers");
    assert_false(noted("numbers as in the original"));
    run_ok("risk loose-ends numbers --keys sex,x --original numbers");
    assert_false(noted("numbers as in the original"));
}

/* agegr tells nearly all of age: kept beside it, what was blanked can be read off. */
static void a_column_that_tells_a_key(void **state) {
    (void)state;
    static char text[20000];
    strcpy(text, "age,agegr,x\n");
    for (int i = 0; i < 400; i++) {
        int age = 20 + i % 4 * 10;
        if (i % 50 == 0) sprintf(text + strlen(text), ",%d,%d\n", age / 10, i * 7919 % 3);
        else sprintf(text + strlen(text), "%d,%d,%d\n", age, age / 10, i * 7919 % 3);
    }
    table_from("released", text);
    run_ok("risk loose-ends released --keys age");
    assert_true(value("loose_ends") == 1);
}

/* An age group follows from the age, and leaves twenty ages open: still a part of what was blanked. What does not follow tells nothing. */
static void a_column_that_tells_a_part(void **state) {
    (void)state;
    static char text[20000];
    strcpy(text, "age,agegr,x\n");
    for (int i = 0; i < 800; i++) {
        int age = 20 + i % 40;
        if (i % 7 == 0) sprintf(text + strlen(text), ",%s,%d\n", age < 40 ? "young" : "old", i * 7919 % 3);
        else sprintf(text + strlen(text), "%d,%s,%d\n", age, age < 40 ? "young" : "old", i * 7919 % 3);
    }
    table_from("released", text);
    run_ok("risk loose-ends released --keys age");
    assert_true(value("loose_ends") == 1);
    assert_non_null(strstr(result_find(last_result, "names")->text, "agegr (tells a part of age, which was blanked)"));
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(loose_ends), cmocka_unit_test(numbers_of_one),
                                        cmocka_unit_test(a_column_that_tells_a_key), cmocka_unit_test(a_column_that_tells_a_part) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
