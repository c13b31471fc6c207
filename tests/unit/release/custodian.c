/* release.query --show-scales: Lee & Clifton's range over the worlds of this table, against all of them listed; vectors with elements that no
 * record moves, as Matthews & Harel print them. */
#include "draws.h"
#include "methods.h"

static char command[1024];
static void release(const char *table, const char *query, const char *rest) {
    snprintf(command, sizeof command, "release query %s --query '%s' %s --show-scales --no-ledger", table, query, rest);
    run_ok(command);
}
static void bad(const char *table, const char *query, const char *rest, const char *part) {
    snprintf(command, sizeof command, "release query %s --query '%s' %s --show-scales --no-ledger", table, query, rest);
    run_bad(command, part);
}

enum { N = 5, LOW = 0, HIGH = 7, KINDS = 5 };
static const char *const query[KINDS] = { "sum(x)", "mean(x)", "variance(x)", "sd(x)", "median(x)" };

static int rising(const void *a, const void *b) {
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}
static double statistic(int kind, const double *given) {
    double x[N], sum = 0, squares = 0;
    memcpy(x, given, sizeof x);
    for (int i = 0; i < N; i++) sum += x[i];
    for (int i = 0; i < N; i++) squares += (x[i] - sum / N) * (x[i] - sum / N);
    qsort(x, N, sizeof *x, rising);
    return kind == 0 ? sum : kind == 1 ? sum / N : kind == 2 ? squares / (N - 1) : kind == 3 ? sqrt(squares / (N - 1)) : x[N / 2];
}

/* Every record replaced by every world: the largest range of the statistic. */
static double listed_range(int kind, const double *x, const double *world, int worlds) {
    double largest = 0;
    for (int i = 0; i < N; i++) {
        double changed[N], low = INFINITY, high = -INFINITY;
        memcpy(changed, x, sizeof changed);
        for (int k = 0; k <= worlds; k++) {
            changed[i] = k < worlds ? world[k] : x[i];
            double f = statistic(kind, changed);
            low = fmin(low, f), high = fmax(high, f);
        }
        largest = fmax(largest, high - low);
    }
    return largest;
}

static void ranges_of_worlds(void **state) {
    (void)state;
    uint64_t random = 5;
    for (int round = 0; round < 40; round++) {
        double x[N], whole[HIGH - LOW + 1], rest[4];
        char text[256], everyone[256];
        size_t at = (size_t)snprintf(text, sizeof text, "x\n"), all = (size_t)snprintf(everyone, sizeof everyone, "x\n");
        for (int i = 0; i < N; i++) {
            x[i] = (double)draw_below(&random, HIGH - LOW + 1);
            at += (size_t)snprintf(text + at, sizeof text - at, "%g\n", x[i]);
            all += (size_t)snprintf(everyone + all, sizeof everyone - all, "%g\n", x[i]);
        }
        for (int k = 0; k < 4; k++) {
            rest[k] = k < 2 ? k * HIGH : (double)draw_below(&random, HIGH - LOW + 1);
            all += (size_t)snprintf(everyone + all, sizeof everyone - all, "%g\n", rest[k]);
        }
        for (int k = 0; k <= HIGH - LOW; k++) whole[k] = LOW + k;
        table_from("five", text);
        table_from("all", everyone);
        for (int kind = 0; kind < KINDS; kind++)
            for (int of = 0; of < 2; of++) {
                double wanted = of ? listed_range(kind, x, rest, 4) : listed_range(kind, x, whole, HIGH - LOW + 1),
                       worlds = of ? 5 : HIGH - LOW + 1;
                const char *given = of ? "--universe all --neighbours worlds --identifiability 0.4"
                                       : "--bounds x:0:7 --neighbours worlds --identifiability 0.4";
                if (wanted == 0) {
                    bad("five", query[kind], given, "same value");
                    continue;
                }
                release("five", query[kind], given);
                near(table_value("sensitive_ranges", "range", 0), wanted, 1e-6);
                near(table_value("sensitive_ranges", "scale", 0), wanted / log((worlds - 1) * 0.4 / 0.6), 1e-6);
                assert_true(table_value("sensitive_ranges", "global_range", 0) >= wanted - 1e-6);
                near(table_value("answers", "answer", 0), statistic(kind, x), 60 * table_value("sensitive_ranges", "scale", 0));
                assert_null(result_find(last_result, "epsilon")); /* not differential privacy */
            }
    }
}

static void refusals(void **state) {
    (void)state;
    table_from("five", "x,y\n1,2\n2,1\n4,3\n8,8\n16,10\n");
    table_from("gaps", "x,y\n1,1\n,2\n3,3\n");
    bad("five", "covariance(x,y)", "--bounds x:0:20,y:0:20 --neighbours worlds --identifiability 0.2", "quantiles");
    bad("five", "mean(x)", "--bounds x:0:20 --neighbours worlds --identifiability 0.2 --tight", "tight");
    bad("five", "mean(x)", "--bounds x:0:20 --epsilon 1", "leave-one-out or worlds");
    bad("gaps", "mean(x)", "--bounds x:0:20 --neighbours worlds --identifiability 0.2", "every record");
}

/* Medians of 0/1 columns with three of five alike stay as they are; ages do not. */
static void unmoved_elements(void **state) {
    (void)state;
    table_from("people", "age,gender,race\n31,0,1\n40,0,1\n44,0,1\n58,0,1\n60,1,0\n61,0,1\n75,1,0\n80,1,1\n90,0,1\n");
    release("people", "median(age); median(gender); median(race)", "--neighbours leave-one-out --noncentrality 0.1");
    assert_true(table_value("answers", "sensitivity", 0) > 0);
    for (int64_t i = 1; i < 3; i++) {
        near(table_value("answers", "sensitivity", i), 0, 0);
        near(table_value("answers", "scale", i), 0, 0);
        near(table_value("answers", "lower", i), (double)(i - 1), 0);
        near(table_value("answers", "answer", i), (double)(i - 1), 0);
    }
    near(value("noncentrality"), 0.1, 1e-6); /* of the one element that is moved */
    near(value("noncentrality_joint"), 0.1, 1e-6);
    bad("people", "median(gender); median(race)", "--neighbours leave-one-out --noncentrality 0.1", "no single record");
    table_from("halves", "g\n0\n0\n0\n1\n1\n1\n");
    release("halves", "median(g)", "--neighbours leave-one-out --noncentrality 0.1");
    near(table_value("answers", "sensitivity", 0), 0.5, 1e-6);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(ranges_of_worlds), cmocka_unit_test(refusals),
                                        cmocka_unit_test(unmoved_elements) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
