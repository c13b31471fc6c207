/* Honest inference: 95% intervals from synthetic tables, combined by the rule of their design, cover the truth in 92 to 98 of 100 samples;
 * and what a wrong model does to them. 1,000 replications: the standard error of a coverage of 0.95 is 0.007, so that a right design is
 * taken for wrong less than once in 10,000 runs (seeds are fixed all the same). */
#include "methods.h"
#include "math/distributions.h"

enum { REPLICATIONS = 1000, N = 80, FRAME = 1000 };
typedef struct {
    double q, u;
} Estimate;

static double mean_of(const double *x, int64_t n) {
    double sum = 0;
    for (int64_t i = 0; i < n; i++) sum += x[i];
    return sum / (double)n;
}

/* The mean of y, and its slope on x, with their variances. */
static void estimate(const Table *table, Estimate *out) {
    const double *x = table_column(table, "a")->real, *y = table_column(table, "b")->real, n = (double)table->rows,
                 mx = mean_of(x, table->rows), my = mean_of(y, table->rows);
    double xx = 0, xy = 0, yy = 0;
    for (int64_t i = 0; i < table->rows; i++) {
        xx += (x[i] - mx) * (x[i] - mx);
        xy += (x[i] - mx) * (y[i] - my);
        yy += (y[i] - my) * (y[i] - my);
    }
    out[0] = (Estimate){ my, yy / (n - 1) / n };
    out[1] = (Estimate){ xy / xx, (yy - xy * xy / xx) / (n - 2) / xx };
}

/* Does the combined interval of estimate `which` hold the truth? */
static bool covers(const char *design, const Estimate *all, int m, int which, double truth) {
    static char text[16384];
    char command[128], *at = text + sprintf(text, "q,u\n");
    for (int k = 0; k < m; k++) at += sprintf(at, "%.17g,%.17g\n", all[2 * k + which].q, all[2 * k + which].u);
    table_from("e", text);
    snprintf(command, sizeof command, "synth combine --estimates e --design %s --n %d --n-synthetic %d", design, N, N);
    run_ok(command);
    return table_value("estimates", "lower", 0) <= truth && truth <= table_value("estimates", "upper", 0);
}

/* A sample of y = 1 + x/2 + e (and bend·x² on top of it) under the name t. */
static void draw_sample(int replication, double bend) {
    static double x[N], y[N], e[N];
    RandomStream stream = stream_make(&(Seed){ .bytes = { 7 } }, "test", replication, "x", "coverage");
    draw_normals(&stream, 0, N, x);
    draw_normals(&stream, N, N, e);
    for (int i = 0; i < N; i++) y[i] = 1 + x[i] / 2 + bend * (x[i] * x[i] - 1) + e[i];
    table_reals("t", (const double *const[]){ x, y }, 2, N);
}

static void study(const char *command, const char *design, int m, double bend, double *coverage) {
    static Estimate all[200];
    int held[2] = { 0 };
    for (int r = 0; r < REPLICATIONS; r++) {
        draw_sample(r, bend);
        run_ok_seeded((uint64_t)r + 1, command);
        for (int k = 0; k < m; k++) estimate(last_result->output[k], all + 2 * k);
        held[0] += covers(design, all, m, 0, 1);
        held[1] += covers(design, all, m, 1, .5);
    }
    for (int w = 0; w < 2; w++) coverage[w] = held[w] / (double)REPLICATIONS;
    print_message("%s: mean %.3f, slope %.3f\n", command, coverage[0], coverage[1]);
}

static void honest(const double *coverage) {
    for (int w = 0; w < 2; w++) assert_true(coverage[w] >= .92 && coverage[w] <= .98);
}

static void test_partial(void **state) {
    (void)state;
    double coverage[2];
    study("synth partial t --vars b --method sequential --models b:normal --m 5", "partial", 5, 0, coverage);
    honest(coverage);
    study("synth partial t --vars b --where 'a > 0' --method sequential --models b:normal --m 5", "partial", 5, 0, coverage);
    honest(coverage);
}

static void test_full(void **state) {
    (void)state;
    static double x[FRAME];
    double coverage[2];
    RandomStream stream = stream_make(&(Seed){ .bytes = { 9 } }, "test", 0, "x", "frame");
    draw_normals(&stream, 0, FRAME, x);
    double mean = mean_of(x, FRAME);
    for (int i = 0; i < FRAME; i++) x[i] -= mean; /* so that the truth is 1 in the frame, too */
    table_reals("frame", (const double *const[]){ x }, 1, FRAME);
    study("synth full t --frame frame --method sequential --models b:normal --m 50", "full", 50, 0, coverage);
    honest(coverage);
}

/* A bend that the linear model lacks: the mean is still right, the slope's interval is not. */
static void test_wrong(void **state) {
    (void)state;
    double coverage[2];
    study("synth partial t --vars b --method sequential --models b:normal --m 5", "partial", 5, 1.5, coverage);
    assert_true(coverage[1] < .92);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_partial), cmocka_unit_test(test_full), cmocka_unit_test(test_wrong) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
