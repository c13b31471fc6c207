/* Log-linear risk: closed forms, the bias by numerical derivatives, sdcMicro's fitted values, a population drawn from the model, the edges.
 */
#include "methods.h"
#include "math/linear/log_linear.h"

static double h1(double lambda, double pi) { return exp(-(1 - pi) * lambda); }
static double h2(double lambda, double pi) {
    double x = (1 - pi) * lambda;
    return (1 - exp(-x)) / x;
}

/* B with derivatives by differences. */
static double bias(double (*h)(double, double), const double *f, const double *mean, int cells, double pi, double *variance) {
    double sum = 0, step = 1e-3;
    *variance = 0;
    for (int i = 0; i < cells; i++) {
        double l = mean[i] / pi, first = (h(l + step, pi) - h(l - step, pi)) / (2 * step),
               second = (h(l + step, pi) - 2 * h(l, pi) + h(l - step, pi)) / (step * step);
        double w = mean[i] * exp(-mean[i]), gap = f[i] - mean[i], a = -w * first / pi, b = w * second / (2 * pi * pi);
        sum += a * gap + b * (gap * gap - f[i]);
        *variance += a * a * mean[i] + 2 * b * b * mean[i] * mean[i];
    }
    return sum;
}

static void by_hand(void **state) {
    (void)state;
    table_from("t", "a,b\n1,x\n1,x\n1,y\n2,x\n2,z\n2,z\n2,z\n"); /* 2 × 3 cells: 2 1 0 / 1 0 3 */
    const double f[] = { 2, 1, 0, 1, 0, 3 }, row[] = { 3, 4 }, column[] = { 3, 1, 3 }, pi = 0.2;
    double mean[6], tau1 = 0, tau2 = 0, v1, v2;
    for (int i = 0; i < 6; i++) {
        mean[i] = row[i / 3] * column[i % 3] / 7;
        if (f[i] == 1) {
            tau1 += h1(mean[i] / pi, pi);
            tau2 += h2(mean[i] / pi, pi);
        }
    }
    double b1 = bias(h1, f, mean, 6, pi, &v1), b2 = bias(h2, f, mean, 6, pi, &v2);
    run_ok("risk log-linear t --keys a,b --sampling-fraction 0.2 --model independence");
    near(value("tau1"), tau1, 1e-12);
    near(value("tau2"), tau2, 1e-12);
    near(value("b1"), b1, 1e-5);
    near(value("b2"), b2, 1e-5);
    near(value("b1_standardised"), b1 / sqrt(v1), 1e-5);
    near(value("b2_standardised"), b2 / sqrt(v2), 1e-5);
    near(value("cells"), 6, 0);
    assert_string_equal(result_find(last_result, "model")->text, "a + b");
    run_ok("risk log-linear t --keys a,b --sampling-fraction 0.2 --formula '~ a + b'");
    near(value("tau1"), tau1, 1e-12);
    run_ok("risk log-linear t --keys a,b --sampling-fraction 0.2 --formula '~ a * b'"); /* saturated: every mean is its count */
    near(value("tau1"), 2 * h1(5, pi), 1e-12);
    assert_string_equal(result_find(last_result, "model")->text, "a:b");
    double saturated = value("tau2");
    run_ok("risk log-linear t --keys a,b --sampling-fraction 0.2 --model two-way");
    near(value("tau2"), saturated, 1e-12);
    run_ok("risk log-linear t --keys a,b --sampling-fraction 1 --model independence"); /* the whole population */
    near(value("tau1"), 2, 0);
    near(value("tau2"), 2, 0);
    assert_int_equal(result_find(last_result, "b1_standardised")->kind, VALUE_NULL);
}

/* sdcMicro's modRisk with the keys as factors: expected counts on the full grid, roof fastest. (With integer keys it fits slopes.) */
static void fitted(const char *path, const uint32_t *margins, int64_t count) {
    Table *data = table_from_file("data", "../shared/data/sdcmicro_testdata.csv");
    FILE *file = fopen(path, "r");
    static char text[65536];
    if (!file) skip();
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    Work work = { .arena = arena_new(), .error = &last_error, .threads = 1 };
    const char *names[] = { "sex", "water", "roof" };
    Codes codes[3];
    int32_t sizes[3];
    CellGrid grid;
    LogLinearFit fit = { 0 };
    static uint32_t f[128];
    memset(f, 0, sizeof f);
    for (int k = 0; k < 3; k++) {
        assert_int_equal(column_codes(&work, table_column(data, names[k]), &codes[k]), OK);
        sizes[k] = codes[k].count;
    }
    assert_int_equal(grid_of_cells(&work, sizes, 3, &grid), OK);
    assert_int_equal((int)grid.cells, 80);
    for (int64_t i = 0; i < data->rows; i++) f[(codes[0].at[i] * sizes[1] + codes[1].at[i]) * sizes[2] + codes[2].at[i]]++;
    assert_int_equal(log_linear_fit(&work, &grid, f, margins, count, &fit), OK);
    assert_true(fit.converged);
    char *at = strchr(strstr(text, "fitted"), '[') + 1;
    for (int64_t i = 0; i < 80; i++) {
        double peer = strtod(at, &at);
        near(fit.mean[i], peer, 1e-6 * fmax(1, peer));
        at += strspn(at, ", \n");
    }
    arena_free(work.arena);
}

static void peer(void **state) {
    (void)state;
    fitted("../shared/reference/sdcmicro/testdata_modRiskFactor_a_default.json", (const uint32_t[]){ 1, 2, 4 }, 3);
    fitted("../shared/reference/sdcmicro/testdata_modRiskFactor_b_default.json", (const uint32_t[]){ 3, 4 }, 2);
}

/* A population with one strong interaction, sampled at 10%: independence is seen to be biased, auto finds the pair, and its estimates are
 * near the truth. Fixed seed. */
static void drawn(void **state) {
    (void)state;
    enum { N = 30000 };
    static double key[4][N], sample[4][N];
    Seed seed = seed_from_number(8);
    RandomStream stream = stream_make(&seed, "test", 0, "k", "draw");
    RandomReader reader = reader_make(&stream);
    int64_t n = 0;
    static int population[12][12][10][10], in_sample[12][12][10][10];
    for (int i = 0; i < N; i++) {
        int a = (int)fmin(11, -3 * log(reader_uniform(&reader))), b = reader_below(&reader, 4) ? a : (int)reader_below(&reader, 12);
        int k[4] = { a, b, (int)fmin(9, -2 * log(reader_uniform(&reader))), (int)fmin(9, -2 * log(reader_uniform(&reader))) };
        bool taken = reader_uniform(&reader) < 0.1;
        population[k[0]][k[1]][k[2]][k[3]]++;
        in_sample[k[0]][k[1]][k[2]][k[3]] += taken;
        for (int j = 0; j < 4; j++) {
            key[j][i] = k[j];
            if (taken) sample[j][n] = k[j];
        }
        n += taken;
    }
    double tau1 = 0, tau2 = 0;
    for (int i = 0; i < N; i++) {
        int *k = (int[]){ (int)key[0][i], (int)key[1][i], (int)key[2][i], (int)key[3][i] }, F = population[k[0]][k[1]][k[2]][k[3]];
        if (in_sample[k[0]][k[1]][k[2]][k[3]] == 1) {
            tau1 += F == 1;
            tau2 += 1.0 / F / F;
        } /* each cell is met F times */
    }
    table_reals("s", (const double *const[]){ sample[0], sample[1], sample[2], sample[3] }, 4, n);
    run_ok("risk log-linear s --keys a,b,c,d --sampling-fraction 0.1 --model independence");
    assert_true(fabs(value("b2_standardised")) > 5);
    run_ok("risk log-linear s --keys a,b,c,d --sampling-fraction 0.1");
    assert_non_null(strstr(result_find(last_result, "model")->text, "a:b"));
    near(value("tau1"), tau1, 4 * sqrt(tau1) + 0.1 * tau1);
    near(value("tau2"), tau2, 4 * sqrt(tau2) + 0.1 * tau2);
    assert_true(fabs(value("b2_standardised")) < 3);
}

static void edges(void **state) {
    (void)state;
    table_from("none", "a,b\n");
    run_ok("risk log-linear none --keys a,b --sampling-fraction 0.1");
    near(value("tau1"), 0, 0);
    table_from("one", "a,b\n1,2\n");
    run_ok("risk log-linear one --keys a,b --sampling-fraction 0.5");
    near(value("tau1"), exp(-1), 1e-12);
    table_from("m", "a,b\n1,\n,2\n");
    run_ok("risk log-linear m --keys a,b --sampling-fraction 0.5");
    assert_string_equal(cells_of(last_result->column[0].column), ". .");
    table_from("t", "a,b,c\n1,1,1\n2,2,2\n");
    run_bad("risk log-linear t --keys a,b", "sampling fraction is not known");
    run_bad("risk log-linear t --keys a,b --sampling-fraction 0.1 --formula '~ a + c'", "must be keys");
    run_bad("risk log-linear t --keys a,b --sampling-fraction 0.1 --formula '~ log(a) + b'", "must be keys");
    static double big[3][400];
    for (int i = 0; i < 400; i++) big[0][i] = big[1][i] = big[2][i] = i;
    table_reals("big", (const double *const[]){ big[0], big[1], big[2] }, 3, 400);
    run_bad("risk log-linear big --keys a,b,c --sampling-fraction 0.1", "possible combinations");
}

/* At any sampling fraction the values are numbers in their range, and a fraction of 10⁻⁹ is not called a census. */
static void fractions(void **state) {
    (void)state;
    Buffer text = { 0 };
    buffer_print(&text, "a,b\n");
    for (int i = 0; i < 200; i++) buffer_print(&text, "%c,%c\n", 'a' + i * 7 % 13, 'a' + i * i % 11);
    table_from("f", buffer_get(&text));
    buffer_free(&text);
    double last = 0;
    for (int k = 15; k >= 0; k--) {
        char command[96];
        sprintf(command, "risk log-linear f --keys a,b --sampling-fraction 1e-%d --formula '~ a + b'", k);
        run_ok(command);
        assert_true(value("tau1") >= 0 && isfinite(value("tau1")) && isfinite(value("tau2")));
        assert_true(value("tau1") >= last - 1e-12); /* the larger the sample, the more of its uniques are the population's */
        last = value("tau1");
        assert_int_equal(noted("whole population"), k == 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(by_hand), cmocka_unit_test(peer), cmocka_unit_test(drawn), cmocka_unit_test(edges),
                                        cmocka_unit_test(fractions) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
