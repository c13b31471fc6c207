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

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(dummies_in_closed_form), cmocka_unit_test(another_table) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
