/* Linear models: what R's lm, glm and MASS::rlm give, aliasing, separation, threads, edges. */
#include "tables.h"
#include "math/linear/symmetric.h"
#include "math/linear/least_squares.h"

enum { N = 40 };
static double x[4][N], y[N], w[N], count[N], binary[N], design[4 * N];

static void make_data(void) {
    for (int i = 0; i < N; i++) {
        int k = i + 1;
        x[0][i] = 1;
        x[1][i] = k % 7 + k / 10.0;
        x[2][i] = (k * k) % 11;
        x[3][i] = x[1][i] + 2 * x[2][i];
        y[i] = 2 + 0.5 * x[1][i] - 0.3 * x[2][i] + ((k * 7919) % 13 - 6) / 5.0 + (k == 5 ? 30 : 0);
        w[i] = 1 + k % 3;
        count[i] = (k * 31) % 9;
        binary[i] = (k * 17) % 7 + x[1][i] > 6;
    }
}

static LinearModel model(const int *columns, int n, const double *response, const double *weight) {
    for (int j = 0; j < n; j++) memcpy(design + j * N, x[columns[j]], sizeof x[0]);
    return (LinearModel){ .rows = N, .columns = n, .x = design, .y = response, .weight = weight, .intercept = columns[0] == 0 };
}

static void close_to(double got, double expected) {
    if (!(fabs(got - expected) <= 1e-10 * (1 + fabs(expected)))) fail_msg("%.15g, not %.15g", got, expected);
}

static void check(const LinearFit *fit, const double *expected) { /* estimate, standard error, … */
    for (int64_t j = 0; j < fit->columns; j++) {
        close_to(fit->coefficient[j], expected[2 * j]);
        close_to(fit->standard_error[j], expected[2 * j + 1]);
    }
}

static void as_lm(void **state) {
    (void)state;
    Work work = tables_work(1);
    LinearFit fit;
    make_data();
    LinearModel m = model((int[]){ 0, 1, 2 }, 3, y, NULL);
    tables_ok(least_squares(&work, &m, &fit));
    check(&fit, (double[]){ 2.630408608735, 2.419553539010, 0.581580392252, 0.351103506187, -0.377133232002, 0.294427659756 });
    close_to(fit.r2, 0.122355514176);
    close_to(fit.dispersion, 25.553117327315);
    m.weight = w;
    tables_ok(least_squares(&work, &m, &fit));
    check(&fit, (double[]){ 3.082672557689, 2.938649779011, 0.631267479812, 0.426794289140, -0.457641422748, 0.365201931809 });
    close_to(fit.r2, 0.109856922509);
    close_to(fit.dispersion, 74.754605837104);
    m = model((int[]){ 1, 2 }, 2, y, NULL);
    tables_ok(least_squares(&work, &m, &fit));
    check(&fit, (double[]){ 0.890198996119, 0.207099939791, -0.183343484109, 0.234894616245 });
    close_to(fit.r2, 0.436076711312);
    arena_free(work.arena);
}

static void aliased(void **state) {
    (void)state;
    Work work = tables_work(1);
    LinearFit fit;
    make_data();
    LinearModel m = model((int[]){ 0, 1, 3, 2 }, 4, y, NULL);
    tables_ok(least_squares(&work, &m, &fit));
    assert_int_equal(fit.rank, 3);
    close_to(fit.coefficient[1], 0.770147008253);
    close_to(fit.coefficient[2], -0.188566616001);
    assert_true(isnan(fit.coefficient[3]) && isnan(fit.standard_error[3]));
    m = model((int[]){ 0, 0, 1, 2 }, 4, y, NULL);
    tables_ok(least_squares(&work, &m, &fit));
    assert_true(isnan(fit.coefficient[1]));
    close_to(fit.coefficient[3], -0.377133232002);
    close_to(fit.standard_error[3], 0.294427659756);
    arena_free(work.arena);
}

/* R's own standard errors are one step short: these are (X'WX)⁻¹ at R's fitted values with epsilon 1e-30. */
static void as_glm(void **state) {
    (void)state;
    Work work = tables_work(1);
    LinearFit fit;
    make_data();
    LinearModel m = model((int[]){ 0, 1, 2 }, 3, binary, NULL);
    tables_ok(glm_fit(&work, BINOMIAL, &m, &fit));
    check(&fit, (double[]){ -4.9338360822269, 2.2532254992671, 1.7123978101709, 0.6287838414544, -0.1102562686214, 0.2187141427115 });
    close_to(fit.deviance, 18.0587538792);
    close_to(fit.null_deviance, 44.9868115695);
    assert_true(fit.converged && !fit.separated);
    m.weight = w;
    tables_ok(glm_fit(&work, BINOMIAL, &m, &fit));
    check(&fit, (double[]){ -4.2234622663871, 1.5460291205019, 1.5248398206297, 0.3899489523395, -0.1062151561685, 0.1614278977224 });
    m = model((int[]){ 0, 1, 2 }, 3, count, NULL);
    tables_ok(glm_fit(&work, POISSON, &m, &fit));
    check(&fit, (double[]){ 1.5158660948270, 0.2328661824751, 0.0123503463519, 0.0339110198968, -0.0399733090979, 0.0295411863638 });
    close_to(fit.deviance, 77.7842533481);
    close_to(fit.null_deviance, 79.9795358138);
    m.y = y;
    assert_int_equal(glm_fit(&work, BINOMIAL, &m, &fit), BAD);
    m.y = x[1];
    assert_int_equal(glm_fit(&work, BINOMIAL, &m, &fit), BAD);
    arena_free(work.arena);
}

static void separation_is_told(void **state) {
    (void)state;
    Work work = tables_work(1);
    LinearFit fit;
    double apart[N];
    make_data();
    for (int i = 0; i < N; i++) apart[i] = x[2][i] > 4.5;
    LinearModel m = model((int[]){ 0, 2 }, 2, apart, NULL);
    tables_ok(glm_fit(&work, BINOMIAL, &m, &fit));
    assert_true(fit.separated);
    arena_free(work.arena);
}

static void as_rlm(void **state) {
    (void)state;
    Work work = tables_work(1);
    LinearFit fit;
    make_data();
    LinearModel m = model((int[]){ 0, 1, 2 }, 3, y, NULL);
    tables_ok(robust_fit(&work, &m, &fit));
    check(&fit, (double[]){ 1.724262735400, 0.3990377947187, 0.537096573491, 0.0579047194320, -0.280061861544, 0.0485576211308 });
    assert_true(fit.converged);
    arena_free(work.arena);
}

static void threads_give_the_same_bits(void **state) {
    (void)state;
    enum { BIG = 30000, P = 5 };
    double *a = malloc(BIG * P * sizeof *a), *b = malloc(BIG * sizeof *b), first[P];
    for (int i = 0; i < BIG; i++) {
        for (int j = 0; j < P; j++) a[j * BIG + i] = j == 0 ? 1 : sin(i * (j + 0.37)) + 100 * j;
        b[i] = a[BIG + i] - 3 * a[4 * BIG + i] + cos(i * 1.7);
    }
    for (int threads = 1; threads <= 3; threads++) {
        Work work = tables_work(threads);
        LinearFit fit;
        LinearModel m = { .rows = BIG, .columns = P, .x = a, .y = b, .intercept = true };
        tables_ok(least_squares(&work, &m, &fit));
        if (threads == 1) memcpy(first, fit.coefficient, sizeof first);
        assert_memory_equal(first, fit.coefficient, sizeof first);
        assert_true(fabs(fit.coefficient[4] + 3) < 0.05);
        arena_free(work.arena);
    }
    free(a);
    free(b);
}

/* Rows in order of a matrix that lies somewhere. */
static void read_held(const void *self, int64_t first, int64_t count, double *out) {
    const LinearModel *m = self;
    for (int64_t j = 0; j < m->columns; j++) memcpy(out + j * count, m->x + j * m->rows + first, (size_t)count * sizeof *out);
}

static void rows_read_give_the_same_bits(void **state) {
    (void)state;
    enum { ROWS = 9001, COLUMNS = 5 };
    Work work = tables_work(3);
    double *a = malloc(sizeof(double) * ROWS * COLUMNS), *z = malloc(sizeof(double) * ROWS), *weight = malloc(sizeof(double) * ROWS);
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < COLUMNS; j++) a[j * ROWS + i] = j ? (i * (7 + j * j) + j) % 31 - 15 : 1;
        z[i] = (i * 13) % 29 + a[ROWS + i] > 14;
        weight[i] = i % 4;
    }
    for (int weighted = 0; weighted < 2; weighted++)
        for (Family family = GAUSSIAN; family <= BINOMIAL; family++) {
            LinearModel held = { .rows = ROWS, .columns = COLUMNS, .x = a, .y = z, .weight = weighted ? weight : NULL, .intercept = true };
            LinearModel asked = held;
            LinearFit one, two;
            asked.x = NULL;
            asked.read = read_held;
            asked.self = &held;
            tables_ok(glm_fit(&work, family, &held, &one));
            tables_ok(glm_fit(&work, family, &asked, &two));
            assert_memory_equal(one.coefficient, two.coefficient, COLUMNS * sizeof(double));
            assert_memory_equal(one.standard_error, two.standard_error, COLUMNS * sizeof(double));
            assert_memory_equal(one.fitted, two.fitted, ROWS * sizeof(double));
            assert_true(one.deviance == two.deviance && one.r2 == two.r2);
        }
    arena_free(work.arena);
    free(a);
    free(z);
    free(weight);
}

static void edges(void **state) {
    (void)state;
    Work work = tables_work(1);
    LinearFit fit;
    double one = 1, bad[2] = { 1, -1 };
    LinearModel m = { .rows = 0, .columns = 1, .x = &one, .y = &one, .intercept = true };
    tables_ok(least_squares(&work, &m, &fit));
    assert_true(fit.rank == 0 && isnan(fit.coefficient[0]) && isnan(fit.r2));
    m.rows = 1;
    tables_ok(least_squares(&work, &m, &fit));
    close_to(fit.coefficient[0], 1);
    assert_true(isnan(fit.standard_error[0]) && isnan(fit.r2));
    m = (LinearModel){ .rows = 2, .columns = 1, .x = bad, .y = bad, .weight = bad };
    assert_int_equal(least_squares(&work, &m, &fit), BAD);
    double zero[3] = { 0, 0, 0 }, ones[3] = { 1, 1, 1 };
    m = (LinearModel){ .rows = 3, .columns = 1, .x = ones, .y = zero, .intercept = true };
    tables_ok(glm_fit(&work, POISSON, &m, &fit));
    assert_true(fit.deviance < 1e-6);
    tables_ok(robust_fit(&work, &m, &fit));
    assert_true(fabs(fit.coefficient[0]) < 1e-12);
    arena_free(work.arena);
}

static void eigenvalues(void **state) {
    (void)state;
    Work work = tables_work(1);
    double a[9] = { 4, 1, 0, 1, 3, 1, 0, 1, 2 }, values[3], vectors[9], root[9], inverse[9], solution[3], b[3] = { 1, 2, 3 };
    tables_ok(principal_axes(&work, a, 3, values, vectors));
    close_to(values[0] + values[1] + values[2], 9);
    close_to(values[0], 3 + sqrt(3)); /* the characteristic polynomial is (3 − λ)(λ² − 6λ + 6) */
    close_to(values[1], 3);
    assert_true(vectors[0] > 0);
    tables_ok(cholesky(&work, a, 3, root));
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            close_to(root[3 * i] * root[3 * j] + root[3 * i + 1] * root[3 * j + 1] + root[3 * i + 2] * root[3 * j + 2], a[3 * i + j]);
    tables_ok(symmetric_inverse(&work, a, 3, inverse));
    tables_ok(linear_solve(&work, a, 3, b, 1, solution));
    for (int i = 0; i < 3; i++) close_to(inverse[i] + 2 * inverse[3 + i] + 3 * inverse[6 + i], solution[i]);
    double singular[4] = { 1, 1, 1, 1 };
    assert_int_equal(symmetric_inverse(&work, singular, 2, inverse), BAD);
    assert_int_equal(linear_solve(&work, singular, 2, b, 1, solution), BAD);
    atomic_int stop = 1; /* told apart from what is singular */
    work.progress = &(Progress){ .cancel = &stop };
    assert_int_equal(cholesky(&work, a, 3, root), INTERRUPTED);
    assert_int_equal(triangle_inverse(&work, root, 3, inverse), INTERRUPTED);
    assert_int_equal(linear_solve(&work, a, 3, b, 1, solution), INTERRUPTED);
    assert_int_equal(symmetric_eigen(&work, a, 1, solution, inverse), INTERRUPTED);
    work.progress = NULL;
    arena_free(work.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(as_lm),
                                        cmocka_unit_test(aliased),
                                        cmocka_unit_test(as_glm),
                                        cmocka_unit_test(separation_is_told),
                                        cmocka_unit_test(as_rlm),
                                        cmocka_unit_test(threads_give_the_same_bits),
                                        cmocka_unit_test(edges),
                                        cmocka_unit_test(eigenvalues),
                                        cmocka_unit_test(rows_read_give_the_same_bits) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
