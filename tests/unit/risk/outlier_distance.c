/* Robust-distance risk: against a plain loop over pairs, wider intervals for outliers, hiding, the edges. */
#include "methods.h"
#include "math/linear/robust_covariance.h"

enum { N = 120 };
static double x[2][N], y[2][N];

static void draw(double noise) {
    Seed seed = seed_from_number(21);
    RandomStream stream = stream_make(&seed, "test", 0, "x", "draw");
    RandomReader reader = reader_make(&stream);
    for (int i = 0; i < N; i++) {
        x[0][i] = reader_normal(&reader);
        x[1][i] = x[0][i] + reader_normal(&reader);
        if (i < 5) {
            x[0][i] += 30;
            x[1][i] -= 20 * (i + 1);
        }
        for (int j = 0; j < 2; j++) y[j][i] = x[j][i] + noise * reader_normal(&reader);
    }
    table_reals("o", (const double *const[]){ x[0], x[1] }, 2, N);
    table_reals("r", (const double *const[]){ y[0], y[1] }, 2, N);
}

static void plain_loop(void **state) {
    (void)state;
    draw(0.1);
    Work work = { .arena = arena_new(), .error = &last_error, .threads = 1 };
    RobustMoments m;
    assert_int_equal(robust_moments(&work, (const double *const[]){ x[0], x[1] }, 2, N, &m), OK);
    double s[2] = { sqrt(m.covariance[0]), sqrt(m.covariance[3]) }, weight = 0, weighted = 0;
    int one = 0, two = 0, outliers = 0;
    for (int i = 0; i < N; i++) {
        double d = sqrt(m.distance[i]);
        bool inside = fabs(x[0][i] - y[0][i]) <= 0.05 * d * s[0] && fabs(x[1][i] - y[1][i]) <= 0.05 * d * s[1];
        int near = 0;
        for (int k = 0; k < N; k++) near += k != i && hypot((y[0][i] - y[0][k]) / s[0], (y[1][i] - y[1][k]) / s[1]) <= 0.2;
        one += inside;
        two += inside && near < 2;
        outliers += inside && i < 5;
        weight += d;
        weighted += inside * d;
    }
    run_ok("risk outlier-distance o r --width 0.05 --near 0.2 --hidden 2");
    near(value("risk1"), (double)one / N, 1e-15);
    near(value("risk2"), (double)two / N, 1e-15);
    near(value("weighted1"), weighted / weight, 1e-12);
    assert_int_equal(outliers, 5); /* noise does not hide them */
    assert_true(two < one && value("weighted1") > value("risk1"));
    arena_free(work.arena);
}

static void edges(void **state) {
    (void)state;
    draw(0);
    run_ok("risk outlier-distance o o");
    near(value("risk1"), 1, 0); /* unchanged */
    run_ok("risk outlier-distance o o --near 1000");
    near(value("risk2"), 0, 0);
    table_from("c", "a,b\n1,1\n1,2\n1,3\n1,5\n1,4\n");
    run_bad("risk outlier-distance c c", "constant");
    table_from("few", "a,b\n1,1\n2,2\n");
    run_bad("risk outlier-distance few few", "");
    table_from("none", "a,b\n");
    run_bad("risk outlier-distance none none", "empty");
    run_bad("risk outlier-distance o few", "record by record");
}

/* Rare 0/1 columns, of which most robust subsets have one value, are no reason for no answer; too few complete records are. */
static void rare_values(void **state) {
    (void)state;
    enum { ROWS = 400 };
    static double z[4][ROWS], w[4][ROWS];
    Seed seed = seed_from_number(4);
    RandomStream stream = stream_make(&seed, "test", 0, "rare", "draw");
    RandomReader reader = reader_make(&stream);
    for (int i = 0; i < ROWS; i++) {
        z[0][i] = reader_normal(&reader);
        z[1][i] = reader_normal(&reader) + z[0][i];
        z[2][i] = i % 50 == 0;
        z[3][i] = i % 97 == 0 ? 1000 * reader_normal(&reader) : 0;
        for (int j = 0; j < 4; j++) w[j][i] = z[j][i];
    }
    table_reals("z", (const double *const[]){ z[0], z[1], z[2], z[3] }, 4, ROWS);
    run_ok("risk outlier-distance z z --vars a,b,c,d");
    near(value("risk1"), 1, 0);
    near(value("compared"), ROWS, 0);
    for (int i = 0; i < ROWS; i++)
        if (i % 5 < 3) w[1][i] = NAN; /* two of five are complete */
    table_reals("w", (const double *const[]){ w[0], w[1], w[2], w[3] }, 4, ROWS);
    run_ok("risk outlier-distance z w --vars a,b,c,d");
    assert_int_equal(result_find(last_result, "risk1")->kind, VALUE_NULL);
    assert_true(noted("160 of 400 records"));
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(plain_loop), cmocka_unit_test(edges), cmocka_unit_test(rare_values) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
