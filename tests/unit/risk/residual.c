/* risk.residual: identifiers, ids, order, single values, and columns that tell a blanked key; none where there is none. */
#include "methods.h"

static void residual_risks(void **state) {
    (void)state;
    static char text[20000];
    strcpy(text, "id,sex,age,agegr,hid,town\n");
    for (int i = 0; i < 300; i++)
        sprintf(text + strlen(text), "%d,%c,%d,%d,%d,%s\n", 70000 + i * 13, "fm"[i % 2], 20 + i % 10 * 5, (20 + i % 10 * 5) / 20,
                i / 3 + 500, i == 7 ? "Dunvale" : "Ashby");
    table_from("original", text);
    run_ok("protect suppress-records original --where 'age == 20' --action blank --vars age");
    shelve("released", table_retain(output()));
    run_ok("risk residual released --keys sex,age --household hid --original original");
    assert_true(value("count") >= 4);
    bool id = false, tells = false, order = false, only = false;
    const Table *ends = result_find_table(last_result, "residuals");
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
    run_ok("risk residual plain --keys sex,age");
    assert_true(value("count") == 0);
}

static const char *names(void) { return result_find(last_result, "names")->text; }

/* Unchanged, a number that one person alone has is an end; rounded, noised, swapped or as a key it is none. */
static void numbers_of_one(void **state) {
    (void)state;
    static char text[8000];
    strcpy(text, "sex,x,few\n");
    for (int i = 0; i < 100; i++) sprintf(text + strlen(text), "%c,%d.%d,%d\n", "fm"[i % 2], i / 10 * 10 * 31, i % 7, i % 5);
    strcat(text, "f,77,3\n");
    table_from("numbers", text);
    run_ok("risk residual numbers --keys sex --original numbers");
    assert_non_null(strstr(names(), "x (41 people have a unique value, unchanged from the original)"));
    assert_true(value("count") == 2); /* and the order */
    run_ok("risk residual numbers --keys sex,x --original numbers");
    assert_null(strstr(names(), "x ("));
    static const char *const steps[] = { "round numbers --vars x --base 50", "noise numbers --vars x --amount 0.1",
                                         "rank-swap numbers --vars x --range 10", "microaggregate numbers --vars x --k 3",
                                         "recode numbers --var x --breaks 0,100,200" };
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        char command[100];
        snprintf(command, sizeof command, "protect %s", steps[i]);
        run_ok(command);
        shelve("changed", table_retain(output()));
        run_ok("risk residual changed --keys sex --original numbers");
        if (strstr(names(), "x (")) fail_msg("%s: %s", steps[i], names());
    }
    run_ok("protect top-bottom numbers --var x --top 2000"); /* who was not reached is as before */
    shelve("changed", table_retain(output()));
    run_ok("risk residual changed --keys sex --original numbers");
    assert_non_null(strstr(names(), "people have a unique value, unchanged from the original)"));
}

/* The same release, read from a file in another order, or a part of it: nothing says who is who but the values. */
static void in_another_order(void **state) {
    (void)state;
    static char before[9000], after[9000], swapped[9000], part[9000];
    strcpy(before, "g,x,hid\n");
    strcpy(after, before);
    strcpy(swapped, before);
    strcpy(part, before);
    for (int i = 0; i < 200; i++) {
        int j = i * 77 % 200;
        sprintf(before + strlen(before), "%c,%d,%d\n", 'a' + i % 7, 1000 + i * i, 300 + i / 3);
        sprintf(after + strlen(after), "%c,%d,%d\n", 'a' + j % 7, 1000 + j * j, 300 + j / 3);
        sprintf(swapped + strlen(swapped), "%c,%d,%d\n", 'a' + j % 7, 1000 + (j ^ 1) * (j ^ 1), 300 + j / 3);
        if (i < 150) sprintf(part + strlen(part), "%c,%d,%d\n", 'a' + j % 7, 1000 + j * j, 300 + j / 3);
    }
    table_from("before", before);
    table_from("after", after);
    run_ok("risk residual after --original before");
    assert_non_null(strstr(names(), "x (200 people"));
    assert_non_null(strstr(names(), "hid (household numbers unchanged from the original)"));
    table_from("swapped", swapped);
    run_ok("risk residual swapped --original before");
    assert_null(strstr(names(), "x ("));
    table_from("part", part);
    run_ok("risk residual part --original before --household hid");
    assert_non_null(strstr(names(), "x (150 people"));
    assert_non_null(strstr(names(), "hid (household numbers unchanged from the original)"));
}

/* Categories that one record has; the step that is named mends it, with weights and without; what PRAM gave someone is not theirs. */
static void categories_of_one(void **state) {
    (void)state;
    static char text[9000];
    strcpy(text, "town,kind,job,w\n");
    for (int i = 0; i < 90; i++)
        sprintf(text + strlen(text), "%s,%d,j%d,10\n", i == 7 ? "Dunvale" : "Ashby\0Corley\0" + i % 2 * 6, i == 9 ? 7 : 1 + i % 3,
                i < 2    ? 90 + i
                : i == 2 ? 98
                         : i % 10);
    table_from("towns", text);
    for (int weighted = 0; weighted < 2; weighted++) {
        char command[120];
        snprintf(command, sizeof command, "risk residual towns%s", weighted ? " --weight w" : "");
        run_ok(command);
        assert_non_null(strstr(names(), "town (1 person has a unique value)"));
        assert_non_null(strstr(names(), "kind (1 person has"));
        const Table *ends = result_find_table(last_result, "residuals");
        char cell[33];
        long least = 0;
        assert_string_equal(column_cell(ends->column[3], 0, cell), "protect.suppress: {keys: [town], k: 3}"); /* folding would take half */
        assert_int_equal(sscanf(column_cell(ends->column[3], 2, cell), "protect.recode: {var: job, min-count: %ld}", &least), 1);
        snprintf(command, sizeof command, "protect recode towns --var job --min-count %ld%s", least, weighted ? " --weight w" : "");
        run_ok(command);
        shelve("mended", table_retain(output()));
        run_ok("risk residual mended");
        assert_null(strstr(names(), "job ("));
        run_ok("protect suppress towns --keys town --k 3");
        shelve("mended", table_retain(output()));
        run_ok("risk residual mended");
        assert_null(strstr(names(), "town ("));
    }
    table_from("was", "town\na\na\na\na\na\na\nb\nb\n");
    table_from("is", "town\na\na\na\na\na\na\nb\na\n"); /* one b kept */
    run_ok("risk residual is --original was");
    assert_non_null(strstr(names(), "town (1 person"));
    table_from("is", "town\na\na\na\nb\na\na\na\na\n"); /* the b was made */
    run_ok("risk residual is --original was");
    assert_null(strstr(names(), "town ("));
    strcpy(text, "town\nDunvale\n"); /* folded with three, all towns of three would go with it: more than a tenth */
    for (int i = 0; i < 49; i++) sprintf(text + strlen(text), "%s\n", i < 9 ? (const char *[]){ "Elm", "Fir", "Gum" }[i % 3] : "Ashby");
    table_from("ties", text);
    run_ok("risk residual ties");
    char cell[33];
    assert_string_equal(column_cell(result_find_table(last_result, "residuals")->column[3], 0, cell),
                        "protect.suppress: {keys: [town], k: 3}");
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
    run_ok("risk residual released --keys age");
    assert_true(value("count") == 1);
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
    run_ok("risk residual released --keys age");
    assert_true(value("count") == 1);
    assert_non_null(strstr(result_find(last_result, "names")->text, "agegr (partly determines age, which was suppressed)"));
}

/* An age has more values than a fifth of the records, and its groups follow from it all the same; a chance relation does not. */
static void a_part_of_many_values(void **state) {
    (void)state;
    static char text[9000];
    strcpy(text, "age,agegr,x\n");
    for (int i = 0; i < 240; i++) {
        int age = 18 + i * 29 % 70;
        if (i % 8 == 0) sprintf(text + strlen(text), ",%d,%d\n", age / 10, i * 7919 % 3);
        else sprintf(text + strlen(text), "%d,%d,%d\n", age, age / 10, i * 7919 % 3);
    }
    table_from("released", text);
    run_ok("risk residual released --keys age");
    assert_non_null(strstr(names(), "agegr (partly determines age, which was suppressed)"));
    assert_null(strstr(names(), "x (determines"));
}

/* Numbers that follow people through a file, and dates to the day as words. */
static void people_and_days(void **state) {
    (void)state;
    static char text[9000];
    strcpy(text, "pid,seen,x\n");
    for (int i = 0; i < 200; i++)
        sprintf(text + strlen(text), "%d,20%02d-%02d-%02d,%d\n", 500 + i / 2, 10 + i % 9, 1 + i % 12, 1 + i * 7 % 28, i % 4);
    table_from("visits", text);
    run_ok("risk residual visits --original visits");
    assert_non_null(strstr(names(), "pid (ids unchanged from the original)"));
    assert_non_null(strstr(names(), "seen (dates to the day)"));
    run_ok("protect pseudonym visits --vars pid");
    shelve("named", table_retain(output()));
    run_ok("risk residual named --original visits");
    assert_null(strstr(names(), "pid ("));
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(residual_risks),
                                        cmocka_unit_test(numbers_of_one),
                                        cmocka_unit_test(people_and_days),
                                        cmocka_unit_test(a_part_of_many_values),
                                        cmocka_unit_test(in_another_order),
                                        cmocka_unit_test(categories_of_one),
                                        cmocka_unit_test(a_column_that_tells_a_key),
                                        cmocka_unit_test(a_column_that_tells_a_part) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
