/* Coefficients: any one record is found again, rounding leaves an interval that holds it, and a record on the plane is not told. */
#include "methods.h"

static uint64_t word = 3;
static double draw(void) {
    word = word * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(word >> 40) / (double)(1 << 24);
}

enum { ROWS = 12 };
typedef struct {
    double a, b, y;
} Row;

/* y ~ a + b by the normal equations, solved by elimination in long double. */
static void fit(const Row *row, int rows, double *beta) {
    long double m[3][4] = { { 0 } };
    for (int i = 0; i < rows; i++) {
        double x[3] = { 1, row[i].a, row[i].b };
        for (int j = 0; j < 3; j++) {
            for (int k = 0; k < 3; k++) m[j][k] += (long double)x[j] * x[k];
            m[j][3] += (long double)x[j] * row[i].y;
        }
    }
    for (int j = 0; j < 3; j++)
        for (int k = 0; k < 3; k++) {
            long double f = k == j ? 0 : m[k][j] / m[j][j];
            for (int l = 0; l < 4; l++) m[k][l] -= f * m[j][l];
        }
    for (int j = 0; j < 3; j++) beta[j] = (double)(m[j][3] / m[j][j]);
}

/* To so many decimals; below 0, to so many significant digits. */
static void publish(const Row *row, int missing, int digits) {
    char known[2048] = "a,b,y\n", published[256];
    double beta[3];
    for (int i = 0; i < ROWS; i++)
        if (i != missing)
            snprintf(known + strlen(known), sizeof known - strlen(known), "%.17g,%.17g,%.17g\n", row[i].a, row[i].b, row[i].y);
    fit(row, ROWS, beta);
    snprintf(published, sizeof published,
             digits < 0 ? "term,estimate\n(Intercept),%.*g\na,%.*g\nb,%.*g\n" : "term,estimate\n(Intercept),%.*f\na,%.*f\nb,%.*f\n",
             abs(digits), beta[0], abs(digits), beta[1], abs(digits), beta[2]);
    table_from("known", known);
    table_from("published", published);
}

static void found_again(void **state) {
    (void)state;
    for (int test = 0; test < 200; test++) {
        Row row[ROWS];
        for (int i = 0; i < ROWS; i++) row[i] = (Row){ rint(100 * draw()), rint(10 * draw()), rint(1000 * draw()) };
        int missing = test % ROWS;
        publish(row, missing, 14);
        run_ok("attack coefficients known --formula 'y ~ a + b' --coefficients published");
        if (value("determined") != 1) continue;
        double scale = 1 + fabs(1000 / value("residual"));
        near(value("response"), row[missing].y, 1e-6 * scale * 1000);
        near(table_value("record", "value", 1), row[missing].a, 1e-6 * scale * 100);
        publish(row, missing, 3);
        run_ok("attack coefficients known --formula 'y ~ a + b' --coefficients published --digits 3");
        if (value("determined") != 1) continue;
        assert_true(value("response_lower") <= row[missing].y && row[missing].y <= value("response_upper"));
        for (int j = 1; j < 3; j++) {
            double x = j == 1 ? row[missing].a : row[missing].b;
            assert_true(table_value("record", "lower", j) <= x && x <= table_value("record", "upper", j));
        }
    }
}

/* Rounded and not said so: what is told still holds the record. Where all is written out, no digit is given up. */
static void not_said(void **state) {
    (void)state;
    int told = 0;
    for (int test = 0; test < 1400; test++) {
        Row row[ROWS];
        for (int i = 0; i < ROWS; i++) row[i] = (Row){ rint(100 * draw()), rint(10 * draw()), rint(1000 * draw()) };
        int missing = test % ROWS;
        publish(row, missing, test % 14 - 7);
        run_ok("attack coefficients known --formula 'y ~ a + b' --coefficients published");
        assert_true(noted("with --digits"));
        if (value("determined") != 1) continue;
        told++;
        assert_true(value("response_lower") <= row[missing].y && row[missing].y <= value("response_upper"));
        for (int j = 1; j < 3; j++) {
            double x = j == 1 ? row[missing].a : row[missing].b;
            assert_true(table_value("record", "lower", j) <= x && x <= table_value("record", "upper", j));
        }
    }
    assert_true(told > 100);
    table_from("known", "a,y\n1,1\n2,3\n3,2\n4,7\n");
    table_from("published", "term,estimate\n(Intercept),2\na,0.33333333333333331\n");
    run_ok("attack coefficients known --formula 'y ~ a' --coefficients published");
    assert_false(noted("with --digits"));
    assert_true(value("response_upper") - value("response_lower") < 1e-9);
}

/* Sums in the thousand millions leave a residual of their own rounding, which is no residual. */
static void large(void **state) {
    (void)state;
    table_from("known", "a,y\n1000000001,1000000001.25\n1000000002,1000000001.25\n1000000003,1000000003.75\n1000000004,1000000003.75\n");
    table_from("published", "term,estimate\n(Intercept),0\na,1.0000000000000002\n"); /* of the four alone, but for the last bit */
    run_ok("attack coefficients known --formula 'y ~ a' --coefficients published");
    near(value("determined"), 0, 0);
}

static void on_the_plane(void **state) {
    (void)state;
    table_from("known", "a,y\n1,1\n2,3\n3,2\n");
    table_from("published", "term,estimate\n(Intercept),1\na,0.5\n"); /* what the three give by themselves */
    run_ok("attack coefficients known --formula 'y ~ a' --coefficients published");
    near(value("determined"), 0, 0);
    assert_int_equal(result_find(last_result, "response")->kind, VALUE_NULL);
    near(value("gain"), 0, 0);
}

static void bad(void **state) {
    (void)state;
    table_from("known", "a,y\n1,1\n2,3\n3,2\n");
    table_from("published", "term,estimate\n(Intercept),1\n");
    table_from("other", "x\n1\n");
    run_bad("attack coefficients known --formula 'y ~ a' --coefficients published", "no estimate");
    run_bad("attack coefficients known --formula 'y ~ a' --coefficients other", "term and estimate");
    run_bad("attack coefficients known --formula 'y ~ a - 1' --coefficients published", "intercept");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(found_again), cmocka_unit_test(not_said), cmocka_unit_test(large),
                                        cmocka_unit_test(on_the_plane), cmocka_unit_test(bad) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
