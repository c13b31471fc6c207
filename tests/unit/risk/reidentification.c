/* risk.reidentification: releases whose risk other measures understated, each with the figure an intruder achieves; truth, samples,
 * groups, households, synthetic records, bad input. */
#include "methods.h"

static const char six[] = "sex,age,region,education,occupation,marital";

static void open_as(const char *name, const char *path) {
    Table *table;
    Work work = { .arena = arena_new(), .error = &last_error, .threads = 1 };
    assert_int_equal(table_open(&work, path, NULL, &table), OK);
    shelve(name, table);
    arena_free(work.arena);
}

/* ---- false figures ---- */

/* Every record of this release of clinic.csv is fitted by five people or more, which a count of fitting records calls safe. An intruder
 * who knows everybody's keys rules out impossible assignments: 198 of 300 people have one record left. */
static void test_fitting_is_not_protection(void **state) {
    (void)state;
    char command[256];
    open_as("o", "examples/clinic.csv");
    open_as("r", "tests/intruder/fitting.csv");
    snprintf(command, sizeof command, "risk reidentification o r --keys %s", six);
    run_ok(command);
    near(value("certain"), 198, 0);
    assert_true(value("share") > .8);
    assert_true(value("by_counting") < 60);
}

/* Eight rows, "two candidates or more": all 40,320 assignments leave four people one record. */
static void test_eight_rows(void **state) {
    (void)state;
    table_from("o", "id,a,b,c\n1,b,z,1\n2,b,y,3\n3,a,y,3\n4,b,z,1\n5,b,z,2\n6,b,y,1\n7,a,x,1\n8,b,x,1\n");
    table_from("r", "id,a,b,c\n1,b,z,1\n2,,y,3\n3,a,,\n4,b,z,1\n5,b,,2\n6,b,,\n7,a,,1\n8,b,,1\n");
    run_ok("risk reidentification o r --keys a,b,c --id id");
    near(value("certain"), 4, 0);
}

/* PRAM of three keys, 0.3 kept: five people by counting, many more when the method is known. */
static void test_known_method(void **state) {
    (void)state;
    open_as("o", "examples/clinic.csv");
    run_ok("protect pram o --vars sex,region,education --keep 0.3");
    shelve("r", table_retain(last_result->output[0]));
    run_ok("risk reidentification o r --keys sex,region,education");
    assert_true(value("by_counting") < 5);
    run_ok("risk reidentification o r --keys sex,age,region,education");
    assert_true(value("expected") > 70);
}

/* Numbers in other units, and turned in space: ranks and axes link everybody. */
static void test_other_units(void **state) {
    (void)state;
    enum { N = 500 };
    static char o[N * 120], z[N * 120], turned[N * 120];
    unsigned long long s = 11;
    char *a = o + sprintf(o, "x,y,v,w\n"), *b = z + sprintf(z, "x,y,v,w\n"), *c = turned + sprintf(turned, "x,y,v,w\n");
    for (int i = 0; i < N; i++) {
        double u[4];
        for (int j = 0; j < 4; j++) {
            s = s * 6364136223846793005ULL + 1442695040888963407ULL;
            u[j] = (double)((s >> 33) % 1000003) / 1000003;
            u[j] = u[j] * u[j] * (j + 1);
        }
        a += sprintf(a, "%.9f,%.9f,%.9f,%.9f\n", u[0], u[1], u[2], u[3]);
        b += sprintf(b, "%.9f,%.9f,%.9f,%.9f\n", 1000 * u[0] - 7, 3 * u[1], 0.01 * u[2] + 5, 40 * u[3]);
        c +=
            sprintf(c, "%.9f,%.9f,%.9f,%.9f\n", .6 * u[0] + .8 * u[1], .8 * u[0] - .6 * u[1], .6 * u[2] + .8 * u[3], .8 * u[2] - .6 * u[3]);
    }
    table_from("o", o);
    table_from("r", z);
    run_ok("risk reidentification o r --vars x,y,v,w");
    near(value("expected"), N, 0);
    assert_string_equal(result_find(last_result, "best")->text, "joining");
    table_from("r", turned);
    run_ok("risk reidentification o r --vars x,y,v,w");
    assert_true(value("expected") > 1);
}

/* Keys and numbers together find more than either. */
static void test_together(void **state) {
    (void)state;
    open_as("o", "examples/clinic.csv");
    run_ok("protect microaggregate o --vars income,cholesterol --k 5");
    shelve("r", table_retain(last_result->output[0]));
    run_ok("risk reidentification o r --vars income,cholesterol");
    double numbers = value("expected");
    run_ok("risk reidentification o r --keys sex,region");
    double keys = value("expected");
    run_ok("risk reidentification o r --keys sex,region --vars income,cholesterol");
    assert_true(value("by_joining") > 2 * numbers && value("by_joining") > 2 * keys);
}

/* A number that was top-coded (or lies between two that were rounded to one) and then suppressed fits the records of that value as well. */
static void test_top_coded_and_suppressed(void **state) {
    (void)state;
    table_from("o", "id,a\n1,1\n2,2\n3,7\n4,8\n5,9\n6,10\n");
    table_from("r", "id,a\n1,1\n2,2\n3,7\n4,7\n5,7\n6,\n");
    run_ok("risk reidentification o r --keys a --id id");
    near(value("certain"), 2, 0); /* 1 and 2; not 6, who may have any of the sevens */
    near(value("by_assigning"), 3, 1e-9);
    table_from("o", "id,a\n1,11\n2,12\n3,13\n4,30\n5,30\n");
    table_from("r", "id,a\n1,10\n2,\n3,10\n4,30\n5,30\n");
    run_ok("risk reidentification o r --keys a --id id");
    near(value("certain"), 0, 0);
}

/* ---- people who have several records ---- */

static double known_by(const char *knows, const char *column) {
    const Table *table = result_find_table(last_result, "knowledge");
    char text[33];
    int64_t i = 0;
    assert_non_null(table);
    while (i < table->rows && strcmp(table_cell(table, "knows", i, text), knows) != 0) i++;
    assert_true(i < table->rows);
    return table_number(table, column, i);
}

/* Wards A B, B C, C A: each ward has two people, each pair of wards one. Two released people have no other's wards but one of each. */
static void test_histories(void **state) {
    (void)state;
    table_from("o", "row,pid,ward,pay\n1,1,A,1\n2,1,B,9\n3,2,B,1\n4,2,C,5\n5,3,C,3\n6,3,A,2\n");
    run_ok("risk reidentification o o --keys ward --id row --person pid");
    near(value("people"), 3, 0);
    near(value("by_counting"), 1.5, 1e-12);
    near(value("certain"), 1, 0); /* of 1 and 3 ward A is known, of 2 B */
    assert_string_equal(result_find(last_result, "knows")->text, "one");
    near(known_by("two", "certain"), 3, 0);
    run_ok("risk reidentification o o --keys ward --id row --person pid --knows all");
    near(value("certain"), 3, 0);
    near(value("class_certain"), 3, 0);
    near(value("expected"), 3, 1e-12);
    near(known_by("one", "certain"), 1, 0);
    /* a suppressed ward: person 2 may be 1 or 2 by all records, and 3 is left to 3 */
    table_from("r", "row,pid,ward\n1,1,\n2,1,B\n3,2,B\n4,2,\n5,3,C\n6,3,A\n");
    run_ok("risk reidentification o r --keys ward --id row --person pid --knows all");
    near(value("certain"), 1, 0);
    near(value("by_counting"), 2, 1e-12);
}

/* Records that were dropped: the known ones need not all be there. */
static void test_dropped_records(void **state) {
    (void)state;
    table_from("o", "row,pid,ward\n1,1,A\n2,1,B\n3,2,A\n4,2,C\n5,3,C\n6,3,C\n");
    table_from("r", "row,pid,ward\n1,1,A\n3,2,A\n4,2,C\n5,3,C\n6,3,C\n");
    run_ok("risk reidentification o r --keys ward --id row --person pid --knows all");
    near(value("by_counting"), 2.5, 1e-12); /* 1 fits the one A alone; 2 fits A and A C */
    near(value("certain"), 3, 0);           /* for A C can be nobody else's */
}

/* Each person's incomes are shared by others, not their mean. */
static void test_numbers_of_histories(void **state) {
    (void)state;
    char text[4000] = "row,pid,pay\n";
    for (int p = 0; p < 20; p++)
        sprintf(text + strlen(text), "%d,%d,%d\n%d,%d,%d\n", 2 * p, p, p % 5 * 7, 2 * p + 1, p, 1000 + p / 5 * 100);
    table_from("o", text);
    run_ok("risk reidentification o o --vars pay --id row --person pid");
    const double one = value("by_joining");
    run_ok("risk reidentification o o --vars pay --id row --person pid --knows all");
    near(value("by_joining"), 20, 1e-9);
    assert_true(value("by_joining") >= one);
    near(value("people"), 20, 0);
}

static void test_knows_is_of_people(void **state) {
    (void)state;
    table_from("o", "row,pid,ward\n1,1,A\n2,1,B\n3,2,A\n");
    run_bad("risk reidentification o o --keys ward --knows all", "needs --person");
    run_bad("risk reidentification o o --keys ward --person pid --id row --knows 0", "number of records");
    run_bad("risk reidentification o o --keys ward --person pid --id row --previous o --knows 2", "--previous");
}

/* ---- truth ---- */

static void test_order_is_not_trusted(void **state) {
    (void)state;
    open_as("o", "examples/clinic.csv");
    run_ok("risk reidentification o o --keys sex,age,region,education");
    double share = value("share");
    assert_string_equal(result_find(last_result, "truth")->text, "position");
    run_ok("protect reorder o");
    Table *mixed = table_retain(last_result->output[0]);
    free(mixed->origin);
    mixed->origin = NULL; /* as a file without a manifest */
    mixed->reordered = mixed->released = false;
    shelve("r", mixed);
    run_ok("risk reidentification o r --keys sex,age,region,education");
    assert_string_equal(result_find(last_result, "truth")->text, "unknown");
    near(value("share"), share, .05);
    assert_true(value("share") > .8);
    run_ok("risk reidentification o r --keys sex,age,region,education --id id");
    assert_string_equal(result_find(last_result, "truth")->text, "id");
    near(value("share"), share, 1e-9);
}

/* A tenth of a file whose people are unique by their keys: those in it are certain, the rest counts for nothing. */
static void test_sample(void **state) {
    (void)state;
    table_from("o", "id,a\n1,p\n2,q\n3,r\n4,s\n5,s\n6,t\n");
    table_from("r", "id,a\n3,r\n4,s\n");
    run_ok("risk reidentification o r --keys a --id id");
    near(value("people"), 2, 0);
    near(value("certain"), 1, 0);
    near(value("by_assigning"), 2, 1e-9); /* the record s is the only one that fits either of two people: the guess is right for its own */
    near(value("by_counting"), 2, 1e-9);
}

/* ---- groups, households, synthetic records, bad input ---- */

static void test_groups(void **state) {
    (void)state;
    table_from("o", "id,a,g,h\n1,p,u,1\n2,q,u,1\n3,s,v,2\n4,s,v,3\n");
    run_ok("risk reidentification o o --keys a --id id --by g --household h");
    const Table *groups = result_find_table(last_result, "groups");
    assert_int_equal(groups->rows, 2);
    near(table_number(groups, "share", 0), 1, 1e-12);
    near(table_number(groups, "share", 1), .5, 1e-12);
    near(table_number(groups, "certain", 0), 2, 0);
    near(table_number(groups, "certain", 1), 0, 0);
    near(value("households"), 3, 0);
    near(value("household_expected"), 2, 1e-12);
    near(value("household_share"), 2 / 3., 1e-12);
}

static void test_synthetic(void **state) {
    (void)state;
    table_from("o", "a,b\nx,1\nx,2\ny,1\ny,1\n");
    table_from("r", "a,b\ny,1\nx,2\ny,1\nx,2\n");
    run_ok("risk reidentification o r --keys a,b --synthetic");
    near(value("share"), 0, 0);
    table_from("r", "a,b\ny,1\ny,1\nx,1\ny,1\n");
    run_ok("risk reidentification o r --keys a,b --synthetic");
    near(value("share"), .25, 0);
}

static void test_missing_values(void **state) {
    (void)state;
    /* a cell that was missing before may be anybody's whose value was suppressed, but hardly is */
    table_from("o", "id,a,b\n1,p,1\n2,,1\n3,q,2\n4,q,2\n");
    run_ok("risk reidentification o o --keys a,b --id id");
    near(value("expected"), 3, 1e-9);
    table_from("r", "id,a,b\n1,,1\n2,,1\n3,q,2\n4,q,2\n");
    run_ok("risk reidentification o r --keys a,b --id id");
    near(value("expected"), 2, 1e-9);
    near(value("certain"), 0, 0);
}

/* Half of the people, without an id, in an order of their own, with and without noise: the beliefs add up to what an intruder who is told
 * the truth finds. One row less with an id is as risky as before. */
static void test_half_sample(void **state) {
    (void)state;
    enum { N = 300 };
    static char o[N * 60], r[2][N * 60], less[N * 60];
    for (int noisy = 0; noisy < 2; noisy++) {
        char *a = o + sprintf(o, "id,x,y\n"), *b = r[noisy] + sprintf(r[noisy], "id,x,y\n"), *c = less + sprintf(less, "id,x,y\n");
        for (int i = 0; i < N; i++) {
            unsigned long long s = (unsigned long long)(i + 77) * 6364136223846793005ULL + 1442695040888963407ULL;
            s ^= s >> 29, s *= 0xBF58476D1CE4E5B9ULL, s ^= s >> 32;
            int x = (int)(s % 60), y = (int)((s >> 8) % 400) * 100, place = (i * 67) % N;
            a += sprintf(a, "%d,%d,%d\n", i, x, y);
            if (i) c += sprintf(c, "%d,%d,%d\n", i, x, y);
            s = (unsigned long long)(place + 77) * 6364136223846793005ULL + 1442695040888963407ULL;
            s ^= s >> 29, s *= 0xBF58476D1CE4E5B9ULL, s ^= s >> 32;
            x = (int)(s % 60), y = (int)((s >> 8) % 400) * 100;
            s *= 0x94D049BB133111EBULL, s ^= s >> 31;
            if (noisy) x += (int)(s % 5) - 2, y += (int)((s >> 20) % 1001) - 500;
            if (i % 2) b += sprintf(b, "%d,%d,%d\n", place, x, y);
        }
        table_from("o", o);
        table_from("r", r[noisy]);
        table_from("less", less);
        run_ok("risk reidentification o r --vars x,y --id id");
        double truth = value("share");
        run_ok("risk reidentification o r --vars x,y");
        assert_string_equal(result_find(last_result, "truth")->text, "unknown");
        near(value("share"), truth, noisy ? .08 : .02);
        assert_true(truth > .2);
        run_ok("risk reidentification o less --vars x,y --id id");
        assert_true(value("share") > .9);
        run_ok("risk reidentification o less --vars x,y");
        assert_true(value("share") > .9);
    }
}

static void test_bad(void **state) {
    (void)state;
    table_from("o", "id,a,b\n1,x,1\n1,x,2\n");
    run_bad("risk reidentification o o", "neither keys nor numbers");
    run_bad("risk reidentification o o --keys a --id id", "same id");
    table_from("r", "id,a,b\n9,x,1\n");
    table_from("o", "id,a,b\n1,x,1\n2,x,2\n");
    run_bad("risk reidentification o r --keys a --id id", "the original lacks");
    table_from("e", "a,b\n");
    run_ok("risk reidentification e e --keys a,b");
    assert_true(isnan(value("share")));
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_fitting_is_not_protection),
                                        cmocka_unit_test(test_eight_rows),
                                        cmocka_unit_test(test_histories),
                                        cmocka_unit_test(test_dropped_records),
                                        cmocka_unit_test(test_numbers_of_histories),
                                        cmocka_unit_test(test_knows_is_of_people),
                                        cmocka_unit_test(test_known_method),
                                        cmocka_unit_test(test_other_units),
                                        cmocka_unit_test(test_together),
                                        cmocka_unit_test(test_top_coded_and_suppressed),
                                        cmocka_unit_test(test_order_is_not_trusted),
                                        cmocka_unit_test(test_sample),

                                        cmocka_unit_test(test_groups),
                                        cmocka_unit_test(test_synthetic),
                                        cmocka_unit_test(test_missing_values),
                                        cmocka_unit_test(test_half_sample),
                                        cmocka_unit_test(test_bad) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
