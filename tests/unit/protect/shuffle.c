/* protect.shuffle: marginals exact, Spearman correlations kept, ties, strata, bad input. */
#include "methods.h"
#include "math/distributions.h"
#include "math/linear/moments.h"
#include "math/ranks.h"

enum { N = 10000, P = 4 };
static double *x[P];

/* Two confidential columns (skewed; heavy-tailed), two others; equicorrelated scores. With ties, columns 1 and 3 have few values. */
static void make_data(bool ties) {
    double *common = malloc(N * sizeof *common);
    RandomStream stream = stream_make(&(Seed){ 0 }, "test", 0, "common", "shuffle");
    draw_normals(&stream, 0, N, common);
    for (int j = 0; j < P; j++) {
        free(x[j]);
        x[j] = malloc(N * sizeof **x);
        stream = stream_make(&(Seed){ 0 }, "test", 0, (char[]){ (char)('a' + j), 0 }, "shuffle");
        draw_normals(&stream, 0, N, x[j]);
        for (int i = 0; i < N; i++) {
            double z = (j == 3 ? -1 : 1) * sqrt(.6) * common[i] + sqrt(.4) * x[j][i];
            x[j][i] = j == 0 ? exp(z) : j == 1 ? z * z * z : j == 2 ? z : 1000 + 50 * z;
            if (ties && j == 1) x[j][i] = floor(fmin(3, fmax(-3, 2 * z)));
            if (ties && j == 3) x[j][i] = z > .3;
        }
    }
    table_reals("t", (const double *const *)x, P, N);
    free(common);
}

static double spearman(const double *a, const double *b) {
    Work work = { .arena = arena_new(), .error = &last_error, .threads = 1 };
    double *ranks[2] = { malloc(N * sizeof(double)), malloc(N * sizeof(double)) };
    Moments m;
    assert_int_equal(mid_ranks(&work, a, N, ranks[0]), OK);
    assert_int_equal(mid_ranks(&work, b, N, ranks[1]), OK);
    assert_int_equal(moments_make(&work, (const double *const *)ranks, 2, NULL, N, &m), OK);
    double r = moments_correlation(&m, 0, 1);
    free(ranks[0]);
    free(ranks[1]);
    arena_free(work.arena);
    return r;
}

static int by_value(const void *a, const void *b) {
    double p = *(const double *)a, q = *(const double *)b;
    return (p > q) - (p < q);
}
static void same_multiset(const double *a, const double *b) {
    double *p = malloc(N * sizeof *p), *q = malloc(N * sizeof *q);
    memcpy(p, a, N * sizeof *p);
    memcpy(q, b, N * sizeof *q);
    qsort(p, N, sizeof *p, by_value);
    qsort(q, N, sizeof *q, by_value);
    assert_memory_equal(p, q, N * sizeof *p);
    free(p);
    free(q);
}

static void check(bool ties, double each, double mean) {
    make_data(ties);
    double sum[2][P] = { { 0 } };
    for (int seed = 0; seed < 10; seed++) {
        run_ok_seeded(seed, "protect shuffle t --confidential a,b --nonconfidential c,d");
        const double *y[P];
        for (int j = 0; j < P; j++) y[j] = output()->column[j]->real;
        for (int j = 0; j < 2; j++) {
            same_multiset(x[j], y[j]);
            for (int k = j + 1; k < P; k++) {
                double change = spearman(y[j], y[k]) - spearman(x[j], x[k]);
                assert_true(fabs(change) < each);
                sum[j][k] += change / 10;
            }
        }
        near(value("largest_change"), 0, each);
        assert_true(fabs(spearman(x[0], y[0])) < .6); /* far from the original: what S tells, squared */
    }
    for (int j = 0; j < 2; j++)
        for (int k = j + 1; k < P; k++) near(sum[j][k], 0, mean);
}

static void test_correlations(void **state) {
    (void)state;
    check(false, .04, .008);
}
static void test_with_ties(void **state) {
    (void)state;
    check(true, .04, .01);
}

/* Nearly all records have one value: 94% zeros beside two continuous columns. Over 20 seeds, 4 standard errors of the mean. */
static void test_zeros(void **state) {
    (void)state;
    make_data(false);
    for (int i = 0; i < N; i++) x[0][i] = log(x[0][i]) > 1.5548 ? x[0][i] : 0;
    table_reals("t", (const double *const *)x, P, N);
    double sum[P] = { 0 }, squares[P] = { 0 };
    enum { SEEDS = 20 };
    for (int seed = 0; seed < SEEDS; seed++) {
        run_ok_seeded(seed, "protect shuffle t --confidential a,b --nonconfidential c,d");
        for (int k = 1; k < P; k++) {
            double change = spearman(output()->column[0]->real, output()->column[k]->real) - spearman(x[0], x[k]);
            sum[k] += change / SEEDS;
            squares[k] += change * change / SEEDS;
        }
    }
    for (int k = 1; k < P; k++) near(sum[k], 0, 4 * sqrt((squares[k] - sum[k] * sum[k]) / SEEDS) + 0.004);
}

static void test_categories_and_strata(void **state) {
    (void)state;
    make_data(false);
    static char text[N * 40];
    char *at = text + sprintf(text, "v,g,s\n");
    for (int i = 0; i < 3000; i++) {
        int g = x[2][i] < -.5 ? 0 : x[2][i] < .5 ? 1 : 2;
        at += sprintf(at, "%.6f,%c,%d\n", x[0][i], "pqr"[g], i % 2);
    }
    table_from("c", text);
    run_threads = 1;
    run_ok("protect shuffle c --confidential v --nonconfidential g --strata s");
    Table *one = table_retain(output());
    run_threads = 3;
    run_ok("protect shuffle c --confidential v --nonconfidential g --strata s");
    assert_true(table_equal(one, output()));
    table_release(one);
    double sum[2][2] = { { 0 } }, mean[2][3] = { { 0 } }, count[3] = { 0 };
    const Column *old = table_column(shelf[1], "v"), *new = output_column("v"), *g = table_column(shelf[1], "g");
    for (int i = 0; i < 3000; i++) {
        sum[0][i % 2] += old->real[i];
        sum[1][i % 2] += new->real[i];
        mean[0][g->code[i]] += log(old->real[i]);
        mean[1][g->code[i]] += log(new->real[i]);
        count[g->code[i]]++;
    }
    for (int s = 0; s < 2; s++) near(sum[0][s], sum[1][s], 1e-6);                        /* values stay in their stratum */
    for (int k = 0; k < 3; k++) near(mean[1][k] / count[k], mean[0][k] / count[k], .15); /* group means are kept */
}

static void test_edges(void **state) {
    (void)state;
    table_from("e", "x,y,g,none\n1,2,a,\n2,4,b,\n,6,c,\n5,,a,\n7,1,,\n");
    run_ok("protect shuffle e --confidential x,y --nonconfidential g,none");
    assert_true(column_missing(output_column("x"), 2) && output_column("x")->missing == 1 && output_column("y")->missing == 1);
    run_ok("protect shuffle e --confidential x");
    run_bad("protect shuffle e --confidential x --nonconfidential x", "both");
    run_bad("protect shuffle e --confidential g", "needs numbers");
    run_bad("protect shuffle e", "confidential");
    run_ok("protect shuffle e --confidential none");
    table_from("empty", "x,y\n");
    run_ok("protect shuffle empty --confidential x --nonconfidential y");
    table_from("one", "x,y\n1,2\n");
    run_ok("protect shuffle one --confidential x --nonconfidential y");
    table_from("same", "x,y\n1,2\n1,2\n1,3\n1,5\n");
    run_ok("protect shuffle same --confidential x --nonconfidential y");
    run_ok("protect shuffle same --confidential y --nonconfidential x");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_correlations), cmocka_unit_test(test_with_ties), cmocka_unit_test(test_zeros),
                                        cmocka_unit_test(test_categories_and_strata), cmocka_unit_test(test_edges) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
