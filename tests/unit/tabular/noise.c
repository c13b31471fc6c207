/* Noisy counts: what is measured and how wide, counts that add up, every cell of the public codes, budgets, bad input. */
#include "methods.h"

static double out(int64_t row) { return table_column(last_result->output[0], "count")->real[row]; }

static const char *cell(const char *column, int64_t row) {
    static char number[33];
    return column_cell(table_column(last_result->output[0], column), row, number);
}

static double count_at(const char *r, const char *c) {
    const Table *t = last_result->output[0];
    for (int64_t i = 0; i < t->rows; i++)
        if (!strcmp(cell("r", i), r) && !strcmp(cell("c", i), c)) return out(i);
    fail_msg("no cell %s, %s", r, c);
    return NAN;
}

static void people(void) {
    table_from(
        "t",
        "r,c,count\nTotal,Total,21\nTotal,x,16\nTotal,y,5\na,Total,12\na,x,7\na,y,5\nb,Total,9\nb,x,9\n"); /* b, y is not there: empty */
}

/* A record is in four cells: ρ = 4/(2σ²). */
static void promise(void **state) {
    (void)state;
    people();
    run_ok("tabular noise t --zcdp 0.5 --no-ledger --insecure-reproducible");
    near(value("sd"), 2, 1e-12);
    assert_true(value("reach") == 4 && value("cells") == 9 && last_result->output[0]->rows == 9);
    run_ok("tabular noise t --zcdp 0.5 --max-records 3 --no-ledger --insecure-reproducible");
    near(value("sd"), 6, 1e-12);
    run_ok("tabular noise t --epsilon 1 --delta 1e-6 --no-ledger --insecure-reproducible");
    near(value("epsilon"), 1, 1e-9);
    assert_true(value("zcdp") > 0.01 && value("zcdp") < 0.1);
}

/* Next to no noise: the counts themselves, the empty cell too. */
static void exactness(void **state) {
    (void)state;
    people();
    run_ok("tabular noise t --zcdp 999 --no-ledger --insecure-reproducible");
    static const struct {
        const char *r, *c;
        double count;
    } wanted[] = { { "a", "x", 7 }, { "a", "y", 5 }, { "b", "x", 9 }, { "b", "y", 0 }, { "Total", "Total", 21 }, { "Total", "x", 16 } };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) near(count_at(wanted[i].r, wanted[i].c), wanted[i].count, 0.3);
}

/* All sums hold to the last digit, nothing is below zero, and the mean over seeds is the count where zero is far. */
static void consistency(void **state) {
    (void)state;
    double sum = 0, square = 0;
    enum { SEEDS = 400 };
    people();
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        run_ok_seeded(seed, "tabular noise t --zcdp 0.5 --no-ledger --insecure-reproducible");
        for (int64_t i = 0; i < 9; i++) assert_true(out(i) >= 0);
        near(count_at("a", "x") + count_at("a", "y"), count_at("a", "Total"), 1e-12);
        near(count_at("a", "Total") + count_at("b", "Total"), count_at("Total", "Total"), 1e-12);
        near(count_at("Total", "x") + count_at("Total", "y"), count_at("Total", "Total"), 1e-12);
        double off = count_at("b", "x") - 9;
        sum += off;
        square += off * off;
    }
    assert_true(fabs(sum / SEEDS) < 0.5);                  /* six standard errors, and what the empty neighbour's bound adds */
    assert_true(square / SEEDS < 4 && square / SEEDS > 1); /* less than the 4 that was drawn: the totals help */
}

/* Without sums the nearest counts are the noisy ones, cut at 0: on the grid of the noise, however wide it is. */
static void wide_noise(void **state) {
    (void)state;
    static const char *const promises[] = { "1e-2", "1e-6", "1e-10", "1e-14" };
    char line[120];
    table_from("w", "r,count\na,5\nb,7\nc,9\nd,0\n");
    for (size_t k = 0; k < 4; k++) {
        double most = 0;
        snprintf(line, sizeof line, "tabular noise w --zcdp %s --no-ledger --insecure-reproducible", promises[k]);
        for (uint64_t seed = 1; seed <= 10; seed++) {
            run_ok_seeded(seed, line);
            for (int64_t i = 0; i < 4; i++) {
                near(out(i) * 1024, round(out(i) * 1024), 1e-2 + 1e-7 * value("sd"));
                most = fmax(most, out(i));
            }
        }
        assert_true(most > value("sd"));
    }
    assert_true(noted("no code of r is a sum"));
    people();
    run_ok("tabular noise t --zcdp 1 --no-ledger --insecure-reproducible");
    assert_false(noted("is a sum"));
}

static void bad_input(void **state) {
    (void)state;
    people();
    assert_int_equal(run_seeded(1, "tabular noise t --zcdp 0.5 --insecure-reproducible"), REFUSED); /* no ledger */
    run_bad("tabular noise t --epsilon 1 --no-ledger --insecure-reproducible", "δ");
    run_bad("tabular noise t --no-ledger", "one of");
    table_from("h", "r,count,status\na,,secondary\nb,2,open\nTotal,5,open\n");
    run_bad("tabular noise h --zcdp 1 --no-ledger --insecure-reproducible", "suppressed");
    table_from("n", "r,count\na,-5\nb,7\nTotal,2\n");
    run_bad("tabular noise n --zcdp 1 --no-ledger --insecure-reproducible", "count of records");
    table_from("n", "r,count\na,9000000000000000000\nTotal,9000000000000000000\n");
    run_bad("tabular noise n --zcdp 1 --no-ledger --insecure-reproducible", "count of records");
    table_from("n", "r,c,count\nTotal,x,16\na,Total,12\na,x,7\na,y,5\nb,Total,9\nb,x,9\n"); /* no grand total */
    run_bad("tabular noise n --zcdp 1 --no-ledger --insecure-reproducible", "add up");
    table_from("n",
               "a,b,c,count\nTotal,Total,Total,5\nTotal,b1,Total,5\na1,Total,Total,5\na1,b1,Total,5\nTotal,Total,c1,5\nTotal,b1,c1,5\n");
    run_bad("tabular noise n --zcdp 1 --no-ledger --insecure-reproducible", "linked"); /* a, b; b, c: what is in a, b, c is not told */
    table_from("v", "r,value\na,1.5\nTotal,1.5\n");
    run_bad("tabular noise v --zcdp 1 --no-ledger --insecure-reproducible", "counts");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(promise), cmocka_unit_test(exactness), cmocka_unit_test(consistency),
                                        cmocka_unit_test(wide_noise), cmocka_unit_test(bad_input) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
