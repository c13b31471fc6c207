/* The nearest correlation matrix: Higham's example, matrices that are one already, and none of many others nearer. */
#include <math.h>
#include "math/linear/nearest_correlation.h"
#include "math/linear/symmetric.h"
#include "tables.h"

static void is_about(double got, double expected, double apart) {
    if (!(fabs(got - expected) <= apart)) fail_msg("%.15g, not %.15g", got, expected);
}

static void test_example(void **state) {
    (void)state;
    Work work = tables_work(1);
    bool bent;
    double a[] = { 1, 1, 0, 1, 1, 1, 0, 1, 1 };
    tables_ok(nearest_correlation(&work, a, 3, &bent));
    assert_true(bent);
    for (int i = 0; i < 3; i++) is_about(a[4 * i], 1, 1e-12);
    is_about(a[1], 0.7607, 5e-5); /* Higham 2002, section 4 */
    is_about(a[5], 0.7607, 5e-5);
    is_about(a[2], 0.1573, 5e-5);
    double good[] = { 1, 0.5, 0.2, 0.5, 1, -0.3, 0.2, -0.3, 1 };
    const double same[] = { 1, 0.5, 0.2, 0.5, 1, -0.3, 0.2, -0.3, 1 };
    tables_ok(nearest_correlation(&work, good, 3, &bent));
    assert_false(bent);
    for (int t = 0; t < 9; t++) is_about(good[t], same[t], 1e-12);
    double one[] = { 1 };
    tables_ok(nearest_correlation(&work, one, 1, &bent));
    is_about(one[0], 1, 1e-12);
    arena_free(work.arena);
}

static uint64_t word = 11;
static double draw(void) {
    word = word * 6364136223846793005u + 1442695040888963407u;
    return (double)(word >> 11) / 9007199254740992.0 * 2 - 1;
}

static double distance(const double *a, const double *b, int cells) {
    double sum = 0;
    for (int t = 0; t < cells; t++) sum += (a[t] - b[t]) * (a[t] - b[t]);
    return sum;
}

enum { P = 4 };
/* A correlation matrix near another: its rows as unit vectors, pushed a little. */
static void push(const double *root, double size, double *out) {
    double v[P][P];
    for (int i = 0; i < P; i++) {
        double norm = 0;
        for (int k = 0; k < P; k++) v[i][k] = root[i * P + k] + size * draw(), norm += v[i][k] * v[i][k];
        for (int k = 0; k < P; k++) v[i][k] /= sqrt(norm);
    }
    for (int i = 0; i < P; i++)
        for (int j = 0; j < P; j++) {
            out[i * P + j] = 0;
            for (int k = 0; k < P; k++) out[i * P + j] += v[i][k] * v[j][k];
        }
}

static void test_none_is_nearer(void **state) {
    (void)state;
    Work work = tables_work(1);
    for (int trial = 0; trial < 200; trial++) {
        double a[P * P], was[P * P], root[P * P], other[P * P];
        bool bent;
        for (int i = 0; i < P; i++)
            for (int j = 0; j <= i; j++) a[i * P + j] = a[j * P + i] = i == j ? 1 : draw();
        memcpy(was, a, sizeof a);
        tables_ok(nearest_correlation(&work, a, P, &bent));
        assert_true(semidefinite_root(a, P, root));
        for (int k = 0; k < 300; k++) {
            push(root, k % 3 == 0 ? 1e-3 : k % 3 == 1 ? 1e-2 : 0.3, other);
            assert_true(distance(other, was, P * P) > distance(a, was, P * P) - 1e-6);
        }
    }
    arena_free(work.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_example), cmocka_unit_test(test_none_is_nearer) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
