/* Analyses of masked data, corrected for the masking: 95% intervals cover the truth in 92 to 98 of 100 samples, where those that ignore it
 * do not. 1,000 replications: the standard error of a coverage of 0.95 is 0.007, so that a right correction is taken for wrong less than
 * once in 10,000 runs (seeds are fixed all the same). */
#include "methods.h"
#include "math/distributions.h"

enum { REPLICATIONS = 1000, N = 400, ANSWERS = 4 };
static const char *const asked[ANSWERS] = { "mean", "variance", "correlation", "slope" };

/* a ~ N(5, 1), b = a/2 + N(0, 1), d = 1 with probability 0.1 where a < 5, else 0.3; c = 1 + 2a − b + 3d + N(0, 1). */
static void draw_sample(int replication) {
    static double x[4][N], e[3][N], u[N];
    RandomStream stream = stream_make(&(Seed){ .bytes = { 9 } }, "test", replication, "x", "coverage");
    for (int k = 0; k < 3; k++) draw_normals(&stream, (uint64_t)k * N, N, e[k]);
    draw_uniforms(&stream, 3 * N, N, u);
    for (int i = 0; i < N; i++) {
        x[0][i] = 5 + e[0][i];
        x[1][i] = x[0][i] / 2 + e[1][i];
        x[3][i] = u[i] < (x[0][i] < 5 ? .1 : .3);
        x[2][i] = 1 + 2 * x[0][i] - x[1][i] + 3 * x[3][i] + e[2][i];
    }
    table_reals("t", (const double *const[]){ x[0], x[1], x[2], x[3] }, 4, N);
}

typedef struct {
    const char *protect, *how; /* how: what is told of the masking; %s takes the noise's covariances */
    bool noise, first_is_d;
} Mask;

static void protect(const Mask *mask, int replication) {
    char text[512] = "variable,other,covariance\n";
    run_ok_seeded((uint64_t)replication + 1, mask->protect);
    Table *released = table_retain(output());
    if (mask->noise) {
        const Table *joint = result_find_table(last_result, "covariance"), *noise = joint ? joint : result_find_table(last_result, "noise");
        const Column *one = table_column(noise, "variable"), *other = joint ? table_column(noise, "other") : one,
                     *size = table_column(noise, joint ? "covariance" : "noise_variance");
        for (int64_t i = 0; i < noise->rows; i++) {
            char a[33], b[33];
            sprintf(text + strlen(text), "%s,%s,%.17g\n", column_cell(one, i, a), column_cell(other, i, b), column_number(size, i));
        }
        table_from("noise", text);
    }
    shelve("r", released);
}

static void ask(const Mask *mask, int which, double truth, double *held, double *naive) {
    char command[256];
    const char *x = mask->first_is_d ? "d" : "a", *y = mask->first_is_d ? "a" : "b", *table = which == 3 ? "coefficients" : "estimates";
    if (which == 3) snprintf(command, sizeof command, "utility corrected r --formula 'c ~ a + b + d' %s", mask->how);
    else snprintf(command, sizeof command, "utility corrected r --statistic %s --vars %s,%s %s", asked[which], x, y, mask->how);
    run_ok(command);
    int64_t row = which < 2 ? 0 : which == 2 ? 0 : mask->first_is_d ? 3 : 1;
    for (int side = 0; side < 2; side++) {
        double value = table_value(table, side ? "corrected" : "uncorrected", row),
               se = table_value(table, side ? "corrected_se" : "uncorrected_se", row);
        *(side ? held : naive) += fabs(value - truth) <= 1.959963984540054 * se;
    }
}

static void study(const Mask *mask, double *naive) {
    double p = .2, of_a[ANSWERS] = { 5, 1, .5 / sqrt(1.25), 2 };
    /* Cov(a, d) = 0.2·E|a − 5|/2 = 0.1·√(2/π) */
    double of_d[ANSWERS] = { p, p * (1 - p), .1 * sqrt(2 / M_PI) / sqrt(p * (1 - p)), 3 }, *truth = mask->first_is_d ? of_d : of_a;
    double held[ANSWERS] = { 0 };
    for (int w = 0; w < ANSWERS; w++) naive[w] = 0;
    for (int r = 0; r < REPLICATIONS; r++) {
        draw_sample(r);
        protect(mask, r);
        for (int w = 0; w < ANSWERS; w++) ask(mask, w, truth[w], &held[w], &naive[w]);
    }
    print_message("%s\n", mask->protect);
    for (int w = 0; w < ANSWERS; w++) {
        held[w] /= REPLICATIONS;
        naive[w] /= REPLICATIONS;
        print_message("  %s: corrected %.3f, uncorrected %.3f\n", asked[w], held[w], naive[w]);
    }
    for (int w = 0; w < ANSWERS; w++) assert_true(held[w] >= .92 && held[w] <= .98);
}

static void test_added(void **state) {
    (void)state;
    double naive[ANSWERS];
    study(&(Mask){ "protect noise t --vars a,b --method independent --amount 0.3", "--noise-covariance noise", true, false }, naive);
    assert_true(naive[1] < .5 && naive[3] < .5);
    study(&(Mask){ "protect noise t --vars a,b --method correlated --amount 0.3", "--noise-covariance noise", true, false }, naive);
    study(
        &(Mask){ "protect noise t --vars a,b --method kim --amount 0.3 --scale 0.7", "--noise-covariance noise --scale 0.7", true, false },
        naive);
    assert_true(naive[1] < .5);
}

static void test_factor(void **state) {
    (void)state;
    double naive[ANSWERS];
    study(&(Mask){ "protect noise t --vars a,b --method multiplicative --amount 0.02", "--factor-variance a:0.02,b:0.02", false, false },
          naive);
    assert_true(naive[1] < .5 && naive[3] < .5);
}

static void test_rounding(void **state) {
    (void)state;
    double naive[ANSWERS];
    study(&(Mask){ "protect round t --vars a,b --base 1.5", "--rounded a:1.5,b:1.5", false, false }, naive);
    study(&(Mask){ "protect round t --vars a,b --base 1.5 --method random", "--rounded a:1.5,b:1.5 --rounding random", false, false },
          naive);
    assert_true(naive[1] < .5 && naive[3] < .5);
    study(&(Mask){ "protect round t --vars a,b --base 1.5 --method down", "--rounded a:1.5,b:1.5 --rounding down", false, false }, naive);
    assert_true(naive[0] < .5);
}

static void test_pram(void **state) {
    (void)state;
    double naive[ANSWERS];
    table_from("p", "variable,original,released,probability\nd,0,0,0.8\nd,0,1,0.2\nd,1,0,0.1\nd,1,1,0.9\n");
    study(&(Mask){ "protect pram t --vars d --matrix p", "--pram p", false, true }, naive);
    assert_true(naive[0] < .9 && naive[3] < .5);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_added), cmocka_unit_test(test_factor), cmocka_unit_test(test_rounding),
                                        cmocka_unit_test(test_pram) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
