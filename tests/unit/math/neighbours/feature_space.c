/* Spaces: columns of two tables on one scale, by the closed form of dummies and by hand. */
#include <math.h>
#include <string.h>
#include "math/neighbours/feature_space.h"
#include "testing.h"

static Error error;
static Work work_new(int threads) {
    error = ERROR_NONE;
    return (Work){ .arena = arena_new(), .error = &error, .threads = threads };
}

static Column *reals(const char *name, const double *values, int64_t rows) {
    Column *column;
    assert_int_equal(column_new(REAL_TYPE, name, rows, &column, &error), OK);
    assert_int_equal(column_need_valid(column, &error), OK);
    for (int64_t i = 0; i < rows; i++) {
        column->real[i] = isnan(values[i]) ? 0 : values[i];
        if (isnan(values[i])) column_set_missing(column, i);
    }
    column_seal(column);
    return column;
}

/* The closed form against dummies made by hand. */
static void dummies_in_closed_form(void **unused) {
    (void)unused;
    const char *cells[] = { "b", "a", "c", "a", "b", "b", "c", "a" }, *words[] = { "a", "b", "c" };
    double x[] = { 1, 2, 3, 4, 5, 6, 7, NAN }, weights[] = { 1, 0.5 };
    Work work = work_new(1);
    Column *columns[2] = { reals("x", x, 8), NULL };
    assert_int_equal(column_category("g", cells, 8, &columns[1], &error), OK);
    for (Metric metric = EUCLIDEAN; metric <= GOWER; metric++) {
        const Scale *scale;
        Space space;
        Columns both = { 2, (const Column **)columns };
        assert_int_equal(scale_make(&work, both, weights, metric, &scale), OK);
        assert_int_equal(scale_space(&work, scale, both, &space), OK);
        assert_int_equal(space.axes, 2);
        for (int i = 0; i < 7; i++)
            for (int k = 0; k < 7; k++) {
                double dx = fabs(x[i] - x[k]) / sqrt(28.0 / 6), sum = metric == EUCLIDEAN ? dx * dx : dx;
                if (metric == GOWER) sum = (fabs(x[i] - x[k]) / 6 + 0.5 * (strcmp(cells[i], cells[k]) != 0)) / 1.5;
                for (int w = 1; metric != GOWER && w < 3; w++) {
                    double count = w == 1 ? 3 : 2, share = count / 8, sd = sqrt(share * (1 - share) * 8 / 7);
                    double d = 0.5 * (!strcmp(cells[i], words[w]) - !strcmp(cells[k], words[w])) / sd;
                    sum += metric == EUCLIDEAN ? d * d : fabs(d);
                }
                assert_float_equal(space_measure(&space, i, &space, k), sum, 1e-12);
            }
        assert_true(isnan(space_measure(&space, 7, &space, 0)));
    }
    column_release(columns[0]);
    column_release(columns[1]);
    arena_free(work.arena);
}

static void another_table(void **unused) {
    (void)unused;
    const char *cells[] = { "b", "a", "c" }, *others[] = { "z", "c", NULL };
    double x[] = { 1, 2, 3 }, y[] = { 5, 3, 0 }, constant[] = { 4, 4, 4 };
    Work work = work_new(1);
    const Scale *scale;
    Space original, released;
    Column *a[3] = { reals("x", x, 3), NULL, reals("k", constant, 3) }, *b[3] = { reals("x", y, 3), NULL, reals("k", constant, 3) };
    assert_int_equal(column_category("g", cells, 3, &a[1], &error), OK);
    assert_int_equal(column_category("g", others, 3, &b[1], &error), OK);
    assert_int_equal(scale_make(&work, (Columns){ 3, (const Column **)a }, NULL, EUCLIDEAN, &scale), OK);
    assert_int_equal(scale_space(&work, scale, (Columns){ 3, (const Column **)a }, &original), OK);
    assert_int_equal(scale_space(&work, scale, (Columns){ 3, (const Column **)b }, &released), OK);
    assert_int_equal(original.axes, 2); /* the constant makes none */
    assert_float_equal(space_measure(&original, 2, &released, 1), 0, 0);
    assert_true(space_measure(&original, 0, &released, 0) > 16);
    assert_true(isnan(space_measure(&original, 0, &released, 2)));
    assert_true(scale_divisor(scale, 0) == 1 && isnan(scale_divisor(scale, 1)) && isinf(scale_divisor(scale, 2)));
    const Column *swapped[3] = { b[1], b[0], b[2] };
    assert_int_equal(scale_space(&work, scale, (Columns){ 3, swapped }, &released), BAD); /* words where numbers were */
    for (int i = 0; i < 3; i++) {
        column_release(a[i]);
        column_release(b[i]);
    }
    arena_free(work.arena);
}

/* Missing values are values: two alike are at distance 0; a missing number is as far from any as two random ones are on average, which is
 * 2 squared, √2 and 1; numbers that are there are as far apart as ever. */
static void missing_values(void **unused) {
    (void)unused;
    Work work = work_new(1);
    for (uint64_t seed = 1; seed < 40; seed++) {
        double x[200], y[200], all = 0, wanted[] = { 2, sqrt(2), 1 };
        const char *g[200];
        for (int i = 0; i < 200; i++) {
            uint64_t a = (seed * 1000 + (uint64_t)i) * UINT64_C(0x9e3779b97f4a7c15), b = a ^ (a >> 31);
            x[i] = b % 7 ? (double)(b % 1000) / 17 : NAN;
            y[i] = b % 5 ? (double)(b % 900) / 11 : NAN;
            g[i] = b % 11 ? (const char *[]){ "p", "q", "r" }[b % 3] : NULL;
        }
        Column *a[2] = { reals("x", x, 200), NULL }, *b[2] = { reals("x", y, 200), NULL };
        assert_int_equal(column_category("g", g, 200, &a[1], &error), OK);
        assert_int_equal(column_category("g", g, 200, &b[1], &error), OK);
        for (Metric metric = EUCLIDEAN; metric <= GOWER; metric++) {
            const Scale *scale, *plain;
            Space from, in, without;
            Columns mine = { 1, (const Column **)a }, theirs = { 1, (const Column **)b };
            assert_int_equal(scale_make_with_missing(&work, mine, &theirs, 1, metric, &scale), OK);
            assert_int_equal(scale_make(&work, mine, NULL, metric, &plain), OK);
            assert_int_equal(scale_space(&work, scale, mine, &from), OK);
            assert_int_equal(scale_space(&work, scale, theirs, &in), OK);
            assert_int_equal(scale_space(&work, plain, mine, &without), OK);
            all = 0;
            for (int i = 0; i < 200; i++)
                for (int k = 0; k < 200; k++) {
                    double m = space_measure(&from, i, &in, k), own = space_measure(&from, i, &from, k);
                    if (isnan(x[i]) && isnan(y[k])) assert_true(m == 0);
                    else if (isnan(x[i]) || isnan(y[k])) assert_float_equal(m, wanted[metric], 1e-12);
                    if (!isnan(x[i]) && !isnan(x[k])) assert_true(own == space_measure(&without, i, &without, k));
                    if (!isnan(x[i]) && !isnan(x[k])) all += own;
                }
            int present = 200 - (int)a[0]->missing;
            if (metric == EUCLIDEAN) assert_float_equal(all / present / (present - 1), 2, 1e-9); /* so far are two random values */
        }
        Columns words = { 1, (const Column **)a + 1 }, others = { 1, (const Column **)b + 1 };
        const Scale *scale;
        Space space;
        assert_int_equal(scale_make_with_missing(&work, words, &others, 1, GOWER, &scale), OK);
        assert_int_equal(scale_space(&work, scale, words, &space), OK);
        for (int i = 0; i < 200; i++)
            for (int k = 0; k < 200; k++) assert_true(space_measure(&space, i, &space, k) == (g[i] != g[k]));
        for (int c = 0; c < 2; c++) {
            column_release(a[c]);
            column_release(b[c]);
        }
    }
    arena_free(work.arena);
}

/* Numbers of any size lie as they would at size one, bit by bit where the unit is a power of two; an infinite one is refused. */
static void any_size(void **unused) {
    (void)unused;
    double x[50], tiny[50];
    Work work = work_new(1);
    for (int i = 0; i < 50; i++) x[i] = (double)(i * i % 37) / 7;
    int powers[] = { -1020, -560, -200, 200, 560, 1018 };
    for (int p = 0; p < 6; p++) {
        const Scale *one, *other;
        Space a, b;
        for (int i = 0; i < 50; i++) tiny[i] = ldexp(x[i], powers[p]);
        Column *columns[2] = { reals("x", x, 50), reals("x", tiny, 50) };
        for (Metric metric = EUCLIDEAN; metric <= GOWER; metric++) {
            assert_int_equal(scale_make(&work, (Columns){ 1, (const Column **)columns }, NULL, metric, &one), OK);
            assert_int_equal(scale_make(&work, (Columns){ 1, (const Column **)columns + 1 }, NULL, metric, &other), OK);
            assert_int_equal(scale_space(&work, one, (Columns){ 1, (const Column **)columns }, &a), OK);
            assert_int_equal(scale_space(&work, other, (Columns){ 1, (const Column **)columns + 1 }, &b), OK);
            for (int i = 0; i < 50; i++)
                for (int k = 0; k < 50; k++) assert_true(space_measure(&a, i, &a, k) == space_measure(&b, i, &b, k));
        }
        /* beside a table of another size altogether, far away but a number */
        assert_int_equal(scale_space(&work, one, (Columns){ 1, (const Column **)columns + 1 }, &b), OK);
        for (int i = 0; i < 50; i++) assert_true(isfinite(space_measure(&a, 3, &b, i)));
        column_release(columns[0]);
        column_release(columns[1]);
    }
    x[7] = INFINITY;
    Column *column = reals("x", x, 50);
    const Scale *scale;
    assert_int_equal(scale_make(&work, (Columns){ 1, (const Column **)&column }, NULL, EUCLIDEAN, &scale), BAD);
    column_release(column);
    arena_free(work.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(dummies_in_closed_form), cmocka_unit_test(another_table),
                                        cmocka_unit_test(missing_values), cmocka_unit_test(any_size) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
