/* Differencing: a person left out, a suppressed cell and its total, margins, noise. */
#include "methods.h"

static void shelve_output(const char *name) { shelve(name, table_retain(last_result->output[0])); }

static void one_person(void **state) {
    (void)state;
    table_from("all", "g,count,value\na,12,500\nb,7,210\n");
    table_from("less", "g,count,value\na,11,430\nb,7,210\n"); /* without one person, who has 70 */
    run_ok("attack differencing all less");
    assert_true(value("exposed") == 1 && value("people") == 1 && value("recovered") == 0 && value("baseline") == 0);
    assert_true(table_value("cells", "difference", 0) == 1 && table_value("cells", "value", 0) == 70);
    assert_true(value("gain") == 1 && value("lower") == 1 && value("upper") == 1);
    run_ok("attack differencing all all");
    assert_true(value("exposed") == 0);
    table_from("small", "g,count\na,1\nb,1\nc,12\n"); /* two cells show one person by themselves; the third is exposed by subtraction */
    table_from("next", "g,count\na,0\nb,1\nc,13\n");
    run_ok("attack differencing small next");
    assert_true(value("baseline") == 3 && value("exposed") == 1 && value("gain") == 1);
}

static void totals(void **state) {
    (void)state;
    table_from("inner", "g,s,count\na,f,5\na,m,\nb,f,3\nb,m,4\nb,Total,7\n");
    table_from("outer", "g,count\na,9\nb,7\n");
    run_ok("attack differencing inner outer"); /* a, m is 9 − 5; b's own margin is not counted twice */
    assert_true(value("exposed") == 1 && value("recovered") == 1);
    near(fabs(table_value("cells", "difference", 0)), 4, 1e-12);
    table_from("two", "g,s,count\na,f,\na,m,\n");
    run_ok("attack differencing two outer"); /* two unknown: neither follows */
    assert_true(value("recovered") == 0);
    table_from("small", "g,s,count\na,f,\na,m,\na,Total,8\n");
    run_ok("attack differencing small outer"); /* its cells are hidden, their sum is not */
    assert_true(value("exposed") == 1 && value("recovered") == 0 && table_value("cells", "difference", 0) == -1);
    table_from("small", "g,s,count\na,f,5\na,m,\na,Total,8\n");
    run_ok("attack differencing small outer"); /* nor are 9 people those of the 8: the cell is not 4 */
    assert_true(value("exposed") == 1 && value("recovered") == 0);
    table_from("small", "g,s,count\na,f,10\na,m,\n");
    run_ok("attack differencing small outer"); /* 9 − 10 people are none */
    assert_true(value("exposed") == 0);
    table_from("small", "g,s,count\na,f,\n");
    run_ok("attack differencing small outer"); /* all of a are f */
    assert_true(value("recovered") == 1 && value("people") == 9);
    run_ok("attack differencing outer small");
    assert_true(value("recovered") == 1 && value("people") == 9);
    table_from("x", "g,count,mean\na,12,3\n"); /* a mean is no dimension */
    table_from("y", "g,count,mean\na,11,4\n");
    run_ok("attack differencing x y");
    assert_true(value("exposed") == 1);
}

/* Regions of two levels, their totals blank, beside a table that lacks one person: what is summed is the finest level, once. */
static void subtotals(void **state) {
    (void)state;
    static const char *const levels = "r0,g0,x\nr0,g0,x\nr0,g1,y\nr1,g2,x\nr1,g2,y\nr1,g3,x\n";
    char text[256];
    snprintf(text, sizeof text, "r,g,b\n%sr1,g3,y\n", levels);
    table_from("all", text);
    run_ok("tabular build all --dims g,b --nested r,g");
    Table *table = table_retain(last_result->output[0]);
    const Column *g = table_column(table, "g");
    Column *count = (Column *)(uintptr_t)table_column(table, "count");
    char number[33];
    assert_int_equal(column_need_valid(count, &last_error), OK);
    for (int64_t i = 0; i < table->rows; i++)
        if (!strcmp(column_cell(g, i, number), "Total")) column_set_missing(count, i);
    column_seal(count);
    shelve("small", table);
    snprintf(text, sizeof text, "r,g,b\n%s", levels);
    table_from("less", text);
    run_ok("tabular build less --dims b");
    shelve_output("next");
    run_ok("attack differencing small next");
    assert_true(noted("do not add up") && value("exposed") == 2); /* in y, and in all */
    assert_true(table_value("cells", "difference", 0) == 1 && table_value("cells", "difference", 1) == 1);
    run_ok("attack differencing next small");
    assert_true(value("exposed") == 2 && table_value("cells", "difference", 0) == -1);
}

/* Everyone who is f is in a, everyone who is m in x: r by c, all hidden, is safe alone and follows from r by s and c by s together. */
static void together(void **state) {
    (void)state;
    static const char *const dims[] = { "r,s", "c,s", "r,c" }, *const names[] = { "small", "next", "outer" };
    table_from("all", "r,c,s\na,x,f\na,x,f\na,y,f\na,x,m\nb,x,m\nb,x,m\n");
    for (int t = 0; t < 3; t++) {
        char command[64];
        snprintf(command, sizeof command, "tabular build all --dims %s", dims[t]);
        run_ok(command);
        shelve_output(names[t]);
    }
    Table *hidden = table_from("less", "r,c,count\nTotal,Total,6\nTotal,x,5\nTotal,y,1\na,Total,4\na,x,\na,y,\nb,Total,2\nb,x,\nb,y,\n");
    hidden->structure = strdup(last_result->output[0]->structure);
    run_ok("tabular build all --dims r,c,s");
    Table *blank = table_from("inner", "r,c,s,count\na,x,f,\na,x,m,\na,y,f,\na,y,m,\nb,x,f,\nb,x,m,\nb,y,f,\nb,y,m,\n");
    blank->structure = strdup(last_result->output[0]->structure);
    run_ok("attack differencing less small next"); /* through cells that no table has */
    assert_true(value("exposed") == 4 && result_find_table(last_result, "intervals")->rows == 4);
    run_ok("attack differencing less small next inner");
    assert_true(value("exposed") == 12 && value("recovered") == 12 && value("gain") == 12 && value("people") == 12);
    assert_true(table_value("cells", "difference", 0) == 3 && table_value("cells", "difference", 1) == 1);
    run_ok("attack differencing less outer"); /* another table shows the cells: nothing is hidden */
    assert_true(value("exposed") == 0 && result_find_table(last_result, "intervals")->rows == 0);
    run_ok("attack differencing less small next --sd 1"); /* noisy counts have no exact intervals */
    assert_null(result_find_table(last_result, "intervals"));
    table_from("two", "r,c,s\na,x,f\na,x,f\na,y,f\nb,x,m\nb,x,m\n"); /* without one person: other data, which contradict the first */
    run_ok("tabular build two --dims r,s");
    shelve_output("less");
    run_ok("attack differencing small less");
    assert_null(result_find_table(last_result, "intervals"));
    assert_true(value("exposed") > 0);
}

static void noisy(void **state) {
    (void)state;
    table_from("x", "g,count\na,12\nb,30\n");
    table_from("y", "g,count\na,11\nb,30\n");
    run_ok("attack differencing x y --sd 0.1");
    assert_true(value("exposed") == 1 && value("lower") > 0.9 && value("upper") <= 1);
    run_ok("attack differencing x y --sd 3"); /* a difference of one may be any small number */
    assert_true(value("exposed") == 0);
    run_ok("attack differencing x y --sd 0.25"); /* 1 / (1 + 2·exp(−4)) = 0.965, but for farther ones */
    near(value("gain"), 1 / (1 + 2 * exp(-4)), 1e-5);
    table_from("parts", "g,s,count\na,1,2\na,2,2\na,3,2\na,4,6\n");
    run_ok("attack differencing parts y --sd 0.25 --certainty 0.5"); /* a sum of four has the noise of four: variance 5/16 */
    double sum = 0;
    for (int k = -9; k <= 9; k++) sum += exp(-k * k / 0.625);
    near(value("gain"), (1 + exp(-4 / 0.625)) / sum, 1e-9); /* −1 is one person, too */
    run_ok("attack differencing x y --sd 1e12");
    assert_true(value("exposed") == 0);
}

static void bad(void **state) {
    (void)state;
    table_from("x", "g,count\na,12\n");
    table_from("w", "g,count\na,many\n");
    table_from("n", "g,people\na,3\n");
    run_bad("attack differencing x", "two published");
    run_bad("attack differencing x w", "numbers");
    run_bad("attack differencing x n", "no column 'count'");
    table_from("x", "g,count,value\na,12,500\n");
    table_from("w", "g,count,value\na,11,n/a\n");
    run_bad("attack differencing x w", "values must be numbers");
    table_from("w", "g,count,value\na,11,\n");
    run_ok("attack differencing x w"); /* how many people, not what they have */
    assert_true(value("exposed") == 1 && isnan(table_value("cells", "value", 0)));
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(one_person), cmocka_unit_test(totals), cmocka_unit_test(together),
                                        cmocka_unit_test(subtotals),  cmocka_unit_test(noisy),  cmocka_unit_test(bad) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
