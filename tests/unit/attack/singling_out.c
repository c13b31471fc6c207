/* Singling out: a copy of unique records is singled out always, a table of equals never; the same seed the same answer. */
#include "draws.h"
#include "methods.h"

static void copies(void **state) {
    (void)state;
    table_from("o", "a,b\nu,1\nv,2\nw,3\nx,4\n");
    table_from("h", "a,b\nq,9\nq,9\nq,9\nq,9\n");
    run_ok("attack singling-out o o h --columns 2 --attempts 50");
    assert_true(value("attempts") == 4 && value("singled_out") == 4 && value("baseline") == 0 && value("gain") == 1);
    run_ok("attack singling-out o o o --columns 2 --attempts 50"); /* luck does as well */
    assert_true(value("gain") == 0);
    table_from("same", "a,b\nu,1\nu,1\nu,1\n");
    run_ok("attack singling-out same same h --attempts 20");
    assert_true(value("attempts") == 0 && value("singled_out") == 0); /* no predicate is unique in the release */
}

/* One number: at or beyond the value, away from the median 3: of ≥ 3, ≥ 4, ≥ 5, ≤ 1, ≤ 2 two match one released record. */
static void extremes(void **state) {
    (void)state;
    table_from("o", "a\n1\n2\n3\n4\n5\n");
    table_from("h", "a\n2\n3\n3\n3\n4\n");
    run_ok("attack singling-out o o h --columns 1 --attempts 200");
    assert_true(value("attempts") == 2 && value("singled_out") == 2 && value("baseline") == 0);
}

/* Two of four originals match u, one of two in the holdout: two of four are expected by luck, exactly one with 2/e^2. A holdout that is
 * the larger: exactly one of two of its four records in 4 of 6 ways. */
static void unequal_sizes(void **state) {
    (void)state;
    table_from("r", "a\nu\n");
    table_from("o", "a\nu\nu\nv\nw\n");
    table_from("h", "a\nu\nq\n");
    run_ok("attack singling-out r o h --columns 1");
    assert_true(value("attempts") == 1 && value("singled_out") == 0 && value("rate") == 0);
    near(value("baseline"), 2 * exp(-2), 1e-12);
    run_ok("attack singling-out r h o --columns 1");
    assert_true(value("singled_out") == 1 && value("rate") == 1);
    near(value("baseline"), 4.0 / 6, 1e-12);
}

/* An unprotected copy is not cleared, and a table in which nobody is unique is. */
static void unprotected(void **state) {
    (void)state;
    Table *table;
    Work work = { .arena = arena_new(), .error = &last_error, .threads = 1 };
    assert_int_equal(table_open(&work, "examples/clinic.csv", NULL, &table), OK);
    shelve("o", table);
    assert_int_equal(table_open(&work, "examples/clinic-holdout.csv", NULL, &table), OK);
    shelve("h", table);
    arena_free(work.arena);
    run_ok("attack singling-out o o h --vars sex,age,region,education,visits");
    assert_true(value("attempts") >= 20 && value("rate") == 1 && value("gain") > .5 && value("lower") > .3);
}

/* In a large table few predicates are unique, and many are drawn for each that is tried: of 3,000 records with three values each, a copy is
 * singled out a thousand times of a thousand; two alike records for everyone leave none, after a thousand draws for each. */
static void large(void **state) {
    (void)state;
    static char text[80000], twice[80000];
    uint64_t random = 1;
    size_t at = (size_t)snprintf(text, sizeof text, "a,b,c\n"), two = (size_t)snprintf(twice, sizeof twice, "a,b,c\n");
    for (int i = 0; i < 3000; i++) {
        int a = draw_below(&random, 40), b = draw_below(&random, 400), c = draw_below(&random, 40);
        at += (size_t)snprintf(text + at, sizeof text - at, "%d,w%d,%d\n", a, b, c);
        if (i % 2) two += (size_t)snprintf(twice + two, sizeof twice - two, "%d,w%d,%d\n%d,w%d,%d\n", a, b, c, a, b, c);
    }
    table_from("o", text);
    table_from("two", twice);
    run_ok("attack singling-out o o two");
    assert_true(value("attempts") == 1000 && value("singled_out") == 1000);
    run_ok("attack singling-out two o o --attempts 20");
    assert_true(value("attempts") == 0);
    assert_non_null(strstr(last_result->note[0], "20480 random predicates"));
}

static void edges(void **state) {
    (void)state;
    table_from("o", "a,b\n1,2\n");
    table_from("none", "a,b\n");
    run_bad("attack singling-out none o o", "no records");
    run_bad("attack singling-out o o o --vars z", "no column");
    run_ok("attack singling-out o o none");
    assert_true(value("singled_out") == 1 && value("baseline") == 0);
    table_from("holes", "a,b\n,\n");
    run_ok("attack singling-out holes o o");
    assert_true(value("attempts") == 0 && value("rate") == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(copies),      cmocka_unit_test(extremes), cmocka_unit_test(unequal_sizes),
                                        cmocka_unit_test(unprotected), cmocka_unit_test(large),    cmocka_unit_test(edges) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
