/* How often the intervals of regression, logistic regression and correlation hold the truth: of samples drawn from a known law, released
 * with noise. `test-statistical-release_coverage 400` is the long form (`make coverage-release`); without an argument it is the short form
 * that `make check` runs, with a false-alarm rate below 1e-4 for each line. */
#include "base/random.h"
#include "methods.h"

static int samples = 40;
static char text[1 << 17];
static RandomReader reader;

/* a and b uniform in [0, 10]; y = 3 + 2a − b + e, e normal with sd 4; v = 1 with logit −1 + 0.5a − 0.3b. */
static const double noise_sd = 4;
static void draw(int n) {
    size_t at = (size_t)snprintf(text, sizeof text, "y,a,b,v\n");
    for (int i = 0; i < n; i++) {
        double a = 10 * reader_uniform(&reader), b = 10 * reader_uniform(&reader);
        int yes = reader_uniform(&reader) < 1 / (1 + exp(1 - 0.5 * a + 0.3 * b));
        at += (size_t)snprintf(text + at, sizeof text - at, "%.4f,%.4f,%.4f,%d\n", 3 + 2 * a - b + noise_sd * reader_normal(&reader), a, b,
                               yes);
    }
    table_from("data", text);
}

typedef struct Study {
    const char *query, *promise;
    int n, first, count;
    double truth[3];
} Study;

/* Var a = 100/12: cov(y, a) = 2·Var a, Var y = 5·Var a + sd². */
static void study(const Study *s) {
    char command[512];
    int held = 0, all = samples * s->count;
    double width = 0;
    for (int i = 0; i < samples; i++) {
        draw(s->n);
        snprintf(command, sizeof command, "release query data --query '%s' --bounds y:-20:40,a:0:10,b:0:10,v:0:1 %s --no-ledger", s->query,
                 s->promise);
        run_ok(command);
        for (int k = 0; k < s->count; k++) {
            double lower = table_value("answers", "lower", s->first + k), upper = table_value("answers", "upper", s->first + k);
            held += lower <= s->truth[k] && s->truth[k] <= upper;
            width += (upper - lower) / all;
        }
    }
    double share = (double)held / all, least = 0.94 - 3.8 * sqrt(0.05 * 0.95 / samples); /* answers of one sample are not independent */
    printf("%-20s %-28s n = %4d  %5.1f%% of %d held, mean width %.4f\n", s->query, s->promise, s->n, 100 * share, all, width);
    if (share < least) fail_msg("%s %s: %.3f, at least %.3f", s->query, s->promise, share, least);
}

static void coverage(void **state) {
    (void)state;
    Seed seed = seed_from_number(21);
    RandomStream stream = stream_make(&seed, "test", 0, "coverage", "");
    reader = reader_make(&stream);
    double va = 100 / 12.0, r = 2 * va / sqrt(va * (5 * va + noise_sd * noise_sd));
    const Study studies[] = {
        { "regression(y, a, b)", "--epsilon 2", 2000, 0, 3, { 3, 2, -1 } },
        { "regression(y, a, b)", "--zcdp 0.1", 1000, 0, 3, { 3, 2, -1 } },
        { "regression(y, a, b)", "--epsilon 1 --unit add-remove", 2000, 0, 3, { 3, 2, -1 } },
        { "logistic(v, a, b)", "--epsilon 2", 2000, 0, 3, { -1, 0.5, -0.3 } },
        { "logistic(v, a, b)", "--epsilon 1", 1000, 0, 3, { -1, 0.5, -0.3 } },
        { "logistic(v, a, b)", "--zcdp 0.5", 2000, 0, 3, { -1, 0.5, -0.3 } },
        { "correlation(y, a)", "--epsilon 1", 1000, 0, 1, { r } },
        { "correlation(y, a)", "--epsilon 0.3", 2000, 0, 1, { r } },
        { "correlation(y, a)", "--zcdp 0.1 --unit add-remove", 1000, 0, 1, { r } },
        { "correlation(a, b)", "--epsilon 1", 500, 0, 1, { 0 } },
    };
    for (size_t i = 0; i < sizeof studies / sizeof *studies; i++) study(&studies[i]);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(coverage) };
    if (argc > 1) samples = atoi(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
