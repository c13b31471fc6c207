/* protect.rank-swap: the multiset, the range, the correlation asked for, strata, bad input. */
#include "methods.h"
#include "math/distributions.h"

enum { N = 5003 };
static double *x, *y, *g;

static void make_data(void) {
    x = malloc(N * sizeof *x);
    y = malloc(N * sizeof *y);
    g = malloc(N * sizeof *g);
    RandomStream a = stream_make(&(Seed){ 0 }, "test", 0, "x", "rank"), b = stream_make(&(Seed){ 0 }, "test", 0, "y", "rank");
    draw_normals(&a, 0, N, x);
    draw_normals(&b, 0, N, y);
    for (int i = 0; i < N; i++) {
        x[i] = exp(x[i]);
        y[i] = i % 50 ? floor(y[i] * 4) : NAN;
        g[i] = i % 3;
    }
    table_reals("t", (const double *const[]){ x, y, g }, 3, N);
}

static int by_value(const void *a, const void *b) {
    double p = *(const double *)a, q = *(const double *)b;
    return (p > q) - (p < q);
}

static double *sorted_copy(const Column *column, int64_t *count) {
    double *all = malloc((column->rows + 1) * sizeof *all);
    *count = 0;
    for (int64_t i = 0; i < column->rows; i++)
        if (!column_missing(column, i)) all[(*count)++] = column_number(column, i);
    qsort(all, *count, sizeof *all, by_value);
    return all;
}

static void same_multiset(const Column *a, const Column *b) {
    int64_t n, m;
    double *p = sorted_copy(a, &n), *q = sorted_copy(b, &m);
    assert_int_equal(n, m);
    assert_memory_equal(p, q, n * sizeof *p);
    free(p);
    free(q);
}

/* Ranks of a value without ties: its place; with ties, the nearest of its places. */
static int64_t place(const double *sorted, int64_t n, double value, bool last) {
    int64_t low = 0, high = n;
    while (low < high) {
        int64_t m = (low + high) / 2;
        if (sorted[m] < value || (last && sorted[m] == value)) low = m + 1;
        else high = m;
    }
    return last ? low - 1 : low;
}

static void test_range(void **state) {
    (void)state;
    double ranges[] = { .5, 5, 30, 100 };
    for (int r = 0; r < 4; r++) {
        char command[100];
        snprintf(command, sizeof command, "protect rank-swap t --vars a,b --range %g", ranges[r]);
        run_ok_seeded(r, command);
        for (int v = 0; v < 2; v++) {
            const Column *old = shelf[0]->column[v], *new = output()->column[v];
            same_multiset(old, new);
            int64_t n;
            double *sorted = sorted_copy(old, &n);
            for (int64_t i = 0; i < N; i++) {
                assert_int_equal(column_missing(old, i), column_missing(new, i));
                if (column_missing(old, i)) continue;
                int64_t a0 = place(sorted, n, old->real[i], 0), a1 = place(sorted, n, old->real[i], 1),
                        b0 = place(sorted, n, new->real[i], 0), b1 = place(sorted, n, new->real[i], 1);
                int64_t far = b0 > a1 ? b0 - a1 : a0 > b1 ? a0 - b1 : 0;
                assert_true(far <= ranges[r] / 100 * n);
            }
            free(sorted);
        }
        assert_true(value("share") > .9);
        assert_true(table_value("columns", "furthest", 0) <= ranges[r] / 100 * N);
    }
}

static void test_correlation(void **state) {
    (void)state;
    double asked[] = { .99, .9, .5 };
    for (int r = 0; r < 3; r++) {
        char command[100];
        snprintf(command, sizeof command, "protect rank-swap t --vars a,b --correlation %g", asked[r]);
        run_ok(command);
        assert_true(value("correlation") >= asked[r]);
        near(value("correlation"), asked[r], .03);
        assert_true(noted("The requested correlation"));
    }
}

static void test_strata_and_bytes(void **state) {
    (void)state;
    run_threads = 1;
    run_ok("protect rank-swap t --vars a,b --range 10 --strata c");
    Table *one = table_retain(output());
    run_threads = 3;
    run_ok("protect rank-swap t --vars a,b --range 10 --strata c");
    assert_true(table_equal(one, output()));
    double before[3] = { 0 }, after[3] = { 0 };
    for (int i = 0; i < N; i++) {
        before[i % 3] += x[i];
        after[i % 3] += output_column("a")->real[i];
    }
    for (int s = 0; s < 3; s++) near(after[s], before[s], 1e-6);
    table_release(one);
}

static void test_edges(void **state) {
    (void)state;
    table_from("e", "x,g,none,same\n1,a,,7\n2,b,,7\n3,c,,7\n");
    run_bad("protect rank-swap e --vars x", "--range or --correlation");
    run_bad("protect rank-swap e --vars g --range 5", "needs numbers");
    run_bad("protect rank-swap e --vars x --range 101", "from 0 to 100");
    run_bad("protect rank-swap e --vars x --correlation 1", "less than 1");
    run_ok("protect rank-swap e --vars x,none,same --range 100");
    same_multiset(table_column(shelf[1], "x"), output_column("x"));
    assert_int_equal(output_column("x")->type, INTEGER_TYPE);
    run_ok("protect rank-swap e --vars none --range 100");
    run_ok("protect rank-swap e --vars x --range 0");
    assert_int_equal((int)value("cells"), 0);
    table_from("empty", "x,y\n");
    run_ok("protect rank-swap empty --vars x --range 10");
    run_ok("protect rank-swap empty --vars x --correlation 0.9");
    table_from("one", "x\n1\n");
    run_ok("protect rank-swap one --vars x --range 100");
}

int main(void) {
    make_data();
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_range), cmocka_unit_test(test_correlation),
                                        cmocka_unit_test(test_strata_and_bytes), cmocka_unit_test(test_edges) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
