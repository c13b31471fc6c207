/* protect.matrix-mask: the product, its special cases (noise, sample, dropping variables, suppression, added records), shapes. */
#include "methods.h"

static void test_product(void **state) {
    (void)state;
    table_from("t", "k,x,y\na,1,2\nb,3,4\nc,5,6\n");
    table_from("A", "c1,c2,c3\n1,1,0\n0,0.5,0.5\n");
    table_from("B", "sum,difference\n1,1\n1,-1\n");
    table_from("C", "p,q\n100,0\n0,200\n");
    run_ok("protect matrix-mask t --vars x,y --A A --B B --C C");
    assert_string_equal(cells_of(output_column("sum")), "110 9");
    assert_string_equal(cells_of(output_column("difference")), "-2 199");
    assert_int_equal(output()->columns, 2);
    run_ok("protect matrix-mask t --vars x,y --B B");
    assert_string_equal(cells_of(output_column("sum")), "3 7 11");
    assert_string_equal(cells_of(output_column("k")), "a b c");
    assert_null(table_column(output(), "x"));
    table_from("S", "row,column,value\n1,1,1\n1,2,1\n2,2,0.5\n2,3,0.5\n");
    run_ok("protect matrix-mask t --vars x,y --A S --B B --C C");
    assert_string_equal(cells_of(output_column("sum")), "110 9");
}

static Table *with(Column *a, Column *b) {
    Table *table;
    assert_int_equal(table_new("m", (Column *[]){ a, b }, b ? 2 : 1, a->rows, &table, &last_error), OK);
    return table;
}

/* Y = X + C with C the noise that `noise` adds. */
static void test_noise(void **state) {
    (void)state;
    table_from("t", "x,y\n1,2\n3,4.5\n5,6\n8,1\n");
    run_ok("protect noise t --vars x,y --amount 0.2");
    Table *noisy = table_retain(output());
    double c[2][4];
    for (int j = 0; j < 2; j++)
        for (int i = 0; i < 4; i++) c[j][i] = column_number(noisy->column[j], i) - column_number(shelf[0]->column[j], i);
    table_reals("C", (const double *const[]){ c[0], c[1] }, 2, 4);
    run_ok("protect matrix-mask t --vars x,y --C C");
    for (int j = 0; j < 2; j++)
        for (int i = 0; i < 4; i++) near(column_number(output()->column[j], i), column_number(noisy->column[j], i), 1e-12);
    table_release(noisy);
}

/* A picks the sampled records. */
static void test_sample(void **state) {
    (void)state;
    table_from("t", "x,y\n1,2\n3,4\n5,6\n8,1\n9,9\n");
    run_ok("protect sample t --n 3");
    Table *sampled = table_retain(output());
    char text[400], *at = text + sprintf(text, "row,column,value\n");
    for (int r = 0; r < 3; r++)
        for (int i = 0; i < 5; i++)
            if (column_number(sampled->column[0], r) == column_number(shelf[0]->column[0], i)) at += sprintf(at, "%d,%d,1\n", r + 1, i + 1);
    table_from("A", text);
    run_ok("protect matrix-mask t --vars x,y --A A");
    assert_true(table_equal(output(), sampled));
    table_release(sampled);
    table_from("B", "y\n0\n1\n"); /* dropping x */
    run_ok("protect matrix-mask t --vars x,y --B B");
    Table *wanted = with(shelf[0]->column[1], NULL);
    assert_true(table_equal(output(), wanted));
    table_release(wanted);
}

static void test_cells_and_records(void **state) {
    (void)state;
    table_from("t", "x,y\n1,2\n3,\n5,6\n");
    table_from("C", "x,y\n0,\n0,0\n0,0\n");
    run_ok("protect matrix-mask t --vars x,y --C C"); /* a cell suppressed, a missing one stays */
    assert_string_equal(cells_of(output_column("y")), ". . 6");
    assert_int_equal((int)value("cells"), 1);
    table_from("A", "a,b,c\n1,0,0\n0,1,0\n0,0,1\n0,0,0\n"); /* a simulated record at the end */
    table_from("D", "x,y\n0,0\n0,0\n0,0\n7,7\n");
    run_ok("protect matrix-mask t --vars x,y --A A --C D");
    assert_string_equal(cells_of(output_column("x")), "1 3 5 7");
    assert_string_equal(cells_of(output_column("y")), "2 . 6 7"); /* zero times missing is not missing */
}

static void test_bad_shapes(void **state) {
    (void)state;
    table_from("t", "x,y,g\n1,2,a\n3,4,b\n5,6,c\n");
    table_from("M", "a,b\n1,2\n3,4\n");
    table_from("W", "a,b\n1,x\n3,4\n");
    table_from("Z", "row,column,value\n0,1,1\n");
    table_from("G", "g\n1\n1\n");
    table_from("H", "a,b\n1,\n2,3\n");
    run_bad("protect matrix-mask t --vars x,y --A M", "A is 2 × 2 and X is 3 × 2");
    run_bad("protect matrix-mask t --vars x --B M", "X is 3 × 1 and B is 2 × 2");
    run_bad("protect matrix-mask t --vars x,y --C M", "X is 3 × 2 and C is 2 × 2");
    run_bad("protect matrix-mask t --vars x,y --B W", "not a number");
    run_bad("protect matrix-mask t --vars x,y --B H", "missing");
    run_bad("protect matrix-mask t --vars x,y --A Z", "whole number from 1");
    run_bad("protect matrix-mask t --vars x,y --B G", "'g'");
    run_bad("protect matrix-mask t --vars x,y", "at least one");
    run_bad("protect matrix-mask t --vars g --B M", "needs numbers");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_product), cmocka_unit_test(test_noise), cmocka_unit_test(test_sample),
                                        cmocka_unit_test(test_cells_and_records), cmocka_unit_test(test_bad_shapes) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
