/* Lee & Clifton's table 4 through the whole release, on UCI Adult: the exact values. */
#include "math/privacy/identifiability.h"
#include "math/privacy/sensitivity.h"
#include "methods.h"

static void check_release(const char *query, const char *column, double low, double high, double risk, double wanted_range,
                          double wanted_scale) {
    char command[256];
    snprintf(command, sizeof command,
             "release query adult --query %s(%s) --neighbours worlds --bounds %s:%g:%g --identifiability %g --no-ledger", query, column,
             column, low, high, risk);
    if (isnan(wanted_scale)) {
        run_bad(command, "least possible");
        return;
    }
    run_ok(command);
    if (!isnan(wanted_range)) near(value("sensitivity") / wanted_range, 1, 4e-6);
    near(value("scale") / wanted_scale, 1, 4e-6);
}

/* The standard deviation's range over the worlds of this table, as the paper means it: for the steward. A release takes the largest over
 * all tables, or its scale would tell of this one. */
static void check_range(const Table *table, const char *name, double low, double high, double wanted_range, double wanted_scale) {
    Work work = { .arena = arena_new(), .error = &last_error, .threads = 1 };
    const Column *column = table_column(table, name);
    const double *x;
    double *each = malloc((size_t)(high - low + 1) * sizeof *each);
    for (int64_t k = 0; k <= (int64_t)(high - low); k++) each[k] = low + (double)k;
    double range, epsilon;
    int64_t worst;
    assert_int_equal(column_reals(&work, column, &x), OK);
    Sample sample = { column->rows, x, NULL, NULL };
    assert_int_equal(statistic_sensitive_range(&work, (Statistic){ .kind = OF_SD }, &sample,
                                               &(WorldCandidates){ .count = (int64_t)(high - low) + 1, .x = each }, &range, &worst),
                     OK);
    near(range / wanted_range, 1, 4e-6);
    assert_int_equal(identifiability_epsilon(0.1, high - low + 1, &epsilon, &last_error), OK);
    near(range / epsilon / wanted_scale, 1, 4e-6);
    arena_free(work.arena);
    free(each);
}

static void table_4(void **state) {
    (void)state;
    const Table *table = table_from_file("adult", "../shared/data/adult.csv");
    static const struct {
        const char *column;
        double low, high, mean, mean_thousandth, range, sd;
    } list[] = { { "age", 17, 90, 0.000714022, NAN, 0.00196943, 0.000940854 },
                 { "education-num", 1, 16, 0.000601209, NAN, 0.000328157, 0.000642404 },
                 { "capital-gain", 0, 99999, 0.219779, 0.444491, 13.4549, 1.44433 },
                 { "capital-loss", 0, 4356, 0.0144264, 0.0605652, 0.463110, 0.0749116 },
                 { "hours-per-week", 1, 99, 0.000840321, NAN, 0.00283507, 0.00118734 } };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        check_release("mean", list[i].column, list[i].low, list[i].high, 0.1, NAN, list[i].mean);
        check_release("mean", list[i].column, list[i].low, list[i].high, 0.001, NAN, list[i].mean_thousandth);
        check_range(table, list[i].column, list[i].low, list[i].high, list[i].range, list[i].sd);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(table_4) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
