/* What contributors know: their own contributions in every cell, and what hidden cells of one sum are together; what the rules ask for
 * each of them. Suppression is then judged by the same programs over again, as the reader who is named would solve them. */
#include "cells.h"
#include "tabular/contributors.h"

static const char *const other_cells =
    "h0,A,z,60\nh1,A,z,61\nh2,A,z,62\nh3,A,z,63\nh4,B,x,64\nh5,B,x,65\nh6,B,x,66\nh7,B,x,67\nh8,B,y,68\nh9,B,y,69\ni0,B,y,70\ni1,B,y,71\n"
    "i2,B,z,72\ni3,B,z,73\ni4,B,z,74\ni5,B,z,75\ni6,C,x,76\ni7,C,x,77\ni8,C,x,78\ni9,C,x,79\nj0,C,y,80\nj1,C,y,81\nj2,C,y,82\nj3,C,y,83\n"
    "j4,C,z,84\nj5,C,z,85\nj6,C,z,86\nj7,C,z,87\n";

/* Microdata with these records before the others, built by holding and marked, on the shelf as "p". */
static void mark(const char *records, const char *rule) {
    char text[2048], line[128];
    snprintf(text, sizeof text, "ent,a,b,v\n%s%s", records, other_cells);
    table_from("d", text);
    run_ok("tabular build d --dims a,b --response v --holding ent");
    shelve("t", table_retain(output()));
    snprintf(line, sizeof line, "tabular primary t %s", rule);
    run_ok(line);
    shelve("p", table_retain(output()));
}

static const char *status_of(const char *a, const char *b) {
    static char number[33];
    for (int64_t i = 0; i < output()->rows; i++) {
        char one[33], two[33];
        if (!strcmp(column_cell(output_column("a"), i, one), a) && !strcmp(column_cell(output_column("b"), i, two), b))
            return column_cell(output_column("status"), i, number);
    }
    return "";
}

static bool hidden(const char *a, const char *b) { return strcmp(status_of(a, b), "open") != 0; }

/* f3 has 1 of (A, x) and 9 of (A, y): if these two alone were hidden in their row, f1's part would be within 1% for it. */
static void own_in_two_cells(void **state) {
    (void)state;
    mark("f1,A,x,100\nf3,A,x,1\nf3,A,y,9\nf4,A,y,1\n", "--p-percent 10");
    for (int k = 0; k < 2; k++) {
        run_ok(k ? "tabular suppress p --method optimal" : "tabular suppress p");
        assert_true(hidden("A", "x") && hidden("A", "y") && (hidden("A", "z") || hidden("A", "Total")));
        shelve("s", table_retain(output()));
        run_ok("tabular audit s --original p");
        assert_true(value("exposed") == 0 && value("contributors") == 0);
    }
    /* The two and two below them: safe from outsiders, not from f3. */
    run_ok("tabular suppress p --no-singletons");
    shelve("s", table_retain(output()));
    if (!hidden("A", "z") && !hidden("A", "Total")) {
        run_ok("tabular audit s --original p");
        assert_true(value("contributors") > 0);
    }
}

/* Each cell is safe from the other's contributors, but 411 − 310 − 1 is f1's total. */
static void together(void **state) {
    (void)state;
    mark("f1,A,x,60\nf3,A,x,0.5\nf1,A,y,40\nf3,A,y,0.5\n", "--p-percent 10");
    for (int k = 0; k < 2; k++) {
        run_ok(k ? "tabular suppress p --method optimal" : "tabular suppress p");
        assert_true(hidden("A", "x") && hidden("A", "y") && (hidden("A", "z") || hidden("A", "Total")));
        shelve("s", table_retain(output()));
        run_ok("tabular audit s --original p");
        assert_true(value("exposed") == 0 && value("contributors") == 0);
    }
}

/* A count of two people and one of one, 4 being the least that is safe: together they are 3. */
static void counts_together(void **state) {
    (void)state;
    table_from(
        "d",
        "a,b\nA,x\nA,y\nA,y\nA,z\nA,z\nA,z\nA,z\nA,z\nB,x\nB,x\nB,x\nB,x\nB,x\nB,y\nB,y\nB,y\nB,y\nB,y\nB,y\nB,z\nB,z\nB,z\nB,z\nB,z\n");
    run_ok("tabular build d --dims a,b");
    shelve("t", table_retain(output()));
    run_ok("tabular primary t --threshold 4");
    shelve("p", table_retain(output()));
    run_ok("tabular suppress p");
    assert_true(hidden("A", "x") && hidden("A", "y") && (hidden("A", "z") || hidden("A", "Total")));
}

/* Contributors who report nothing are contributors; a table with such a cell is protected. */
static void nothing_reported(void **state) {
    (void)state;
    mark("e1,A,x,0\ne2,A,x,0\nf1,A,y,70\nf2,A,y,50\nf3,A,y,55\n", "--threshold 3");
    run_ok("tabular suppress p");
    assert_true(hidden("A", "x") && value("exposed") == 0);
}

/* 80, 12, 5, 3 of 100, p = 20: 16 is asked. Who has 12 knows that the others have 88, of which 8 are not the largest one's: 8 more. Who has
 * 80 may be told nothing of 12 within 2.4: it is safe. An outsider knows that the largest has 96 at the most: nothing is asked. */
static void needs(void **state) {
    (void)state;
    Error error = ERROR_NONE;
    Work w = { .arena = arena_new(), .error = &error, .threads = 1 };
    const Share of[] = { { 7, 80 }, { 3, 12 }, { 5, 5 }, { 1, 3 } };
    SafetyRules rules = { .coalition = 1, .p_percent = 20 };
    Needs n = { 0 };
    assert_int_equal(needs_find(&w, &rules, 1 << BY_P, 100, of, 4, 0, &n), OK);
    assert_true(n.others == 0 && n.count == 4 && n.of[0].who == 7 && n.of[0].need == 0);
    near(n.of[1].need, 8, 1e-12);
    near(n.of[2].need, 1, 1e-12);
    assert_true(n.of[3].need == 0);
    rules.coalition = 2; /* 12 and 5 together: 3 is left */
    assert_int_equal(needs_find(&w, &rules, 1 << BY_P, 100, of, 4, 0, &n), OK);
    near(n.of[1].need, 13, 1e-12);
    rules = (SafetyRules){ .coalition = 1, .dominances = 1, .dominance = { { 1, 50 } } };
    assert_int_equal(needs_find(&w, &rules, 1 << BY_DOMINANCE, 100, of, 4, 0, &n), OK);
    near(n.others, 60, 1e-12);
    near(n.of[2].need, 60, 1e-12);
    arena_free(w.arena);
}

/* By holding: f1 has 100 of 101 together. Rules that were not broken by the cells are not asked. */
static void unions(void **state) {
    (void)state;
    const Share one[] = { { 0, 100 }, { 1, 1 } };
    const Union f1 = { .value = 101, .people = 2, .count = 2, .of = (Share *)(uintptr_t)one };
    SafetyRules rules = { .coalition = 1, .p_percent = 10, .threshold = 3 };
    assert_true(union_unsafe(&rules, 1 << BY_P, &f1) && union_unsafe(&rules, 1 << BY_THRESHOLD, &f1));
    assert_false(union_unsafe(&rules, 1 << BY_DOMINANCE | 1 << BY_FLAG, &f1));
    rules.threshold = 2;
    assert_false(union_unsafe(&rules, 1 << BY_THRESHOLD, &f1));
}

/* Sums that do not add up are not protected. */
static void sums(void **state) {
    (void)state;
    table_from("t", "r,count,status\na,1,primary\nb,4,open\nc,5,open\nTotal,11,open\n");
    run_bad("tabular suppress t", "the table does not add up");
    run_bad("tabular primary t --threshold 3", "the table does not add up");
    run_bad("tabular adjust t", "r=Total");
}

static void bad(void **state) {
    (void)state;
    table_from("t", "r,count,value,max1,by1,status\na,1,5,5,0,primary\nb,4,9,7,1,open\nTotal,5,14,7,1,open\n");
    run_bad("tabular suppress t", "contributors are identified");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(own_in_two_cells),
                                        cmocka_unit_test(together),
                                        cmocka_unit_test(counts_together),
                                        cmocka_unit_test(nothing_reported),
                                        cmocka_unit_test(needs),
                                        cmocka_unit_test(unions),
                                        cmocka_unit_test(sums),
                                        cmocka_unit_test(bad) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
