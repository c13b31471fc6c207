/* Predictive disclosure: an exact relation is learned to the last digit, no relation no better than the mean. */
#include "methods.h"

static void exact(void **state) {
    (void)state;
    table_from("r", "y,a,g\n3,1,u\n5,2,u\n7,3,u\n14,1,v\n16,2,v\n18,3,v\n");
    table_from("t", "y,a,g\n13,6,u\n30,9,v\n1,1,w\n");
    run_ok("attack regression r --sensitive y --predictors a,g --target t --tolerance 1e-9");
    assert_true(value("targets") == 2 && value("within") == 1 && value("baseline") == 0 && value("gain") == 1);
    near(value("r2"), 1, 1e-12);
}

static void against_the_mean(void **state) {
    (void)state;
    table_from("r", "y,a\n10,1\n10,2\n12,1\n8,2\n10,1\n10,2\n");
    run_ok("attack regression r --sensitive y --predictors a --tolerance 0.1");
    near(value("r2"), 1 - (2 * (4.0 / 9 + 4.0 / 9 + 16.0 / 9)) / 8, 1e-12); /* two group means, 10 2/3 and 9 1/3 */
    assert_true(value("baseline") > 0 && value("gain") == value("within") - value("baseline"));
}

static double record(const char *name, int64_t row) {
    for (int64_t c = 0; c < last_result->columns; c++)
        if (!strcmp(last_result->column[c].column->name, name)) return column_number(last_result->column[c].column, row);
    fail_msg("no column %s", name);
    return NAN;
}

/* Targets outside the data: predicted, the known ones judged. */
static void outside(void **state) {
    (void)state;
    table_from("r", "y,a,g\n3,1,u\n5,2,u\n7,3,u\n14,1,v\n16,2,v\n18,3,v\n");
    table_from("t", "a,g\n6,u\n9,v\n");
    run_ok("attack regression r --sensitive y --predictors a,g --target t");
    near(value("targets"), 2, 0);
    near(value("known"), 0, 0);
    assert_true(isnan(value("within")) && isnan(value("gain")) && isnan(value("r2")));
    near(record("prediction", 0), 13, 1e-9);
    near(record("prediction", 1), 30, 1e-9);
    table_from("t", "a,g,y\n6,u,\n9,v,30\n");
    run_ok("attack regression r --sensitive y --predictors a,g --target t");
    near(value("known"), 1, 0);
    near(value("within"), 1, 0);
    near(record("prediction", 0), 13, 1e-9);
}

/* Of whom the model tells nothing, nothing is told: categories that only incomplete records have, and predictors that are constant in the
 * release, or run together, where a target's do not. */
static void beyond(void **state) {
    (void)state;
    table_from("r", "y,a,g,h\n3,1,u,p\n5,2,u,p\n8,3,u,p\n14,1,v,p\n16,2,v,p\n18,3,v,p\n,3,w,p\n7,,w,p\n");
    table_from("t", "a,g,h\n6,u,p\n6,w,p\n6,v,p\n6,x,p\n");
    run_ok("attack regression r --sensitive y --predictors a,g --target t");
    near(value("targets"), 2, 0);
    assert_true(isnan(record("prediction", 1)) && isnan(record("prediction", 3)) && !isnan(record("prediction", 2)));
    assert_true(noted("1 targets have a category"));              /* x; of w nothing is known where a is there */
    run_ok("attack regression r --sensitive y --predictors a,g"); /* the released records themselves */
    near(value("targets"), 7, 0);                                 /* all that have a y */
    run_ok("attack regression r --sensitive h --predictors a,g --target t");
    near(value("targets"), 3, 0); /* h is known where y is not */
    table_from("r", "y,a,b,c,d\n3,1,2,5,p\n5,2,4,5,q\n8,3,6,5,p\n9,4,8,5,q\n11,5,10,5,q\n");
    table_from("t", "a,b,c\n6,12,5\n6,13,5\n6,12,4\n");
    for (int word = 0; word < 2; word++) {
        run_ok(word ? "attack regression r --sensitive d --predictors a,b,c --target t"
                    : "attack regression r --sensitive y --predictors a,b,c --target t");
        near(value("targets"), 1, 0);
        assert_true(noted("2 targets lie outside"));
        const char *name = word ? "probability" : "prediction";
        assert_true(!isnan(record(name, 0)) && isnan(record(name, 1)) && isnan(record(name, 2)));
    }
}

/* One predictor with a group each: the model is saturated, and its chances are the shares within the groups. */
static void categories(void **state) {
    (void)state;
    table_from("r", "d,g\na,u\na,u\nb,u\nc,u\nb,v\nb,v\nc,v\na,v\nb,v\n,v\n");
    table_from("t", "d,g\na,u\nc,v\n,v\nz,u\n");
    run_ok("attack regression r --sensitive d --predictors g --target t");
    near(record("probability", 0), .5, 1e-6);
    near(record("probability", 1), .6, 1e-6);
    near(record("probability", 2), .6, 1e-6);
    for (int64_t i = 0; i < last_result->columns; i++)
        if (!strcmp(last_result->column[i].column->name, "probabilities"))
            assert_string_equal(cells_of(last_result->column[i].column),
                                "a 0.5, b 0.25, c 0.25 b 0.6, a 0.2, c 0.2 b 0.6, a 0.2, c 0.2 a 0.5, b 0.25, c 0.25");
    near(value("targets"), 4, 0);
    near(value("known"), 3, 0);
    near(value("within"), 1. / 3, 1e-12);
    near(value("baseline"), 0, 0); /* b is the commonest, and nobody's here */
    near(value("true_probability"), (.5 + .2 + 0) / 3, 1e-6);
    near(table_value("categories", "mean_probability", 0), (2 * .5 + 2 * .2) / 4, 1e-6);
    /* separated classes: sure, and finite */
    table_from("s", "d,x\na,1\na,2\na,3\nb,7\nb,8\nb,9\n");
    run_ok("attack regression s --sensitive d --predictors x");
    near(value("within"), 1, 0);
    assert_true(record("probability", 0) > .99 && record("probability", 0) <= 1);
}

/* The fit is a maximum: the chances reproduce the totals of every predictor (the score is 0). */
static void score_is_zero(void **state) {
    (void)state;
    char text[8192], *at = text + sprintf(text, "d,x\n");
    double have[3] = { 0 };
    for (int i = 0; i < 200; i++) {
        int x = i * 7 % 11, d = (x + i * i % 5) % 3;
        have[d] += 1 / 200.;
        at += sprintf(at, "%c,%d\n", "abc"[d], x);
    }
    table_from("r", text);
    run_ok("attack regression r --sensitive d --predictors x");
    const Table *t = result_find_table(last_result, "categories");
    for (int64_t c = 0; c < 3; c++) {
        char cell[33];
        near(table_value("categories", "mean_probability", c), have[column_cell(table_column(t, "category"), c, cell)[0] - 'a'], 1e-6);
    }
}

/* Where the sensitive column is a predictor too, the intervals are as narrow as rounding: every true value lies within them, and is predicted,
 * in whatever order the records stand. */
static void exact_fit_in_any_order(void **state) {
    (void)state;
    enum { ROWS = 150 };
    for (int order = 0; order < 6; order++) {
        char text[16384], *at = text + sprintf(text, "y,a,b\n");
        for (int i = 0; i < ROWS; i++) {
            int k = i * (int[]){ 1, 7, 11, 49, 77, 143 }[order] % ROWS; /* coprime to 150 */
            at += sprintf(at, "%d,%d,%.2f\n", k % 4 ? 0 : k * k * 31, k * 53 % 47, .01 * (k * 37 % 1009));
        }
        table_from("r", text);
        run_ok("attack regression r --sensitive y --predictors a,b,y");
        assert_true(value("covered") == 1 && value("within") == 1);
    }
}

static void bad(void **state) {
    (void)state;
    table_from("few", "y,a\n1,2\n2,3\n");
    run_bad("attack regression few --sensitive y --predictors a", "too few");
    table_from("words", "y,a\nu,2\nv,3\n");
    run_bad("attack regression words --sensitive y --predictors a", "too few");
    table_from("r", "y,a\n3,1\n5,2\n8,3\n");
    table_from("w", "y,a\nx,1\n");
    run_bad("attack regression r --sensitive y --predictors a --target w", "holds words");
    run_bad("attack regression few --sensitive y", "predictors");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(exact),         cmocka_unit_test(against_the_mean),
                                        cmocka_unit_test(bad),           cmocka_unit_test(outside),
                                        cmocka_unit_test(beyond),        cmocka_unit_test(categories),
                                        cmocka_unit_test(score_is_zero), cmocka_unit_test(exact_fit_in_any_order) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
