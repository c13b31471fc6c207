/* regression(y, a, b): least squares where there is next to no noise, what one person moves by enumeration, and how often the interval
 * holds the truth. */
#include "base/random.h"
#include "methods.h"

static char text[1 << 17];
/* y = 3 + 2a − b + e, a and b in [0, 10], e normal with sd 2. */
static void draw(RandomReader *reader, int n) {
    size_t at = (size_t)snprintf(text, sizeof text, "y,a,b\n");
    for (int i = 0; i < n; i++) {
        double a = 10 * reader_uniform(reader), b = 10 * reader_uniform(reader);
        at += (size_t)snprintf(text + at, sizeof text - at, "%.4f,%.4f,%.4f\n", 3 + 2 * a - b + 2 * reader_normal(reader), a, b);
    }
    table_from("data", text);
}

static void release(const char *rest) {
    char command[512];
    snprintf(command, sizeof command, "release query data --query 'regression(y, a, b)' --bounds y:-20:40,a:0:10,b:0:10 %s --no-ledger",
             rest);
    run_ok(command);
}

static void least_squares(void **state) {
    (void)state;
    static const char *const six = "1,0,0\n4,1,2\n6,2,1\n9,3,5\n11,5,4\n14,6,8\n";
    size_t at = (size_t)snprintf(text, sizeof text, "y,a,b\n");
    for (int i = 0; i < 500; i++) at += (size_t)snprintf(text + at, sizeof text - at, "%s", six);
    table_from("data", text);
    release("--epsilon 999"); /* the normal equations of the six records, solved in fractions: 95/56, 45/28, 3/8 */
    near(table_value("answers", "answer", 0), 95 / 56.0, 0.02);
    near(table_value("answers", "answer", 1), 45 / 28.0, 0.02);
    near(table_value("answers", "answer", 2), 3 / 8.0, 0.02);
    release("--epsilon 999 --unit add-remove");
    near(table_value("parts", "numbers", 0), 10, 0); /* a count, three sums, six products */
    near(table_value("parts", "sensitivity", 0), 10, 1e-9);
    release("--epsilon 1");
    near(table_value("parts", "numbers", 0), 9, 0);
    near(table_value("parts", "sensitivity", 0), 3 * 2 + 3 * 2 + 3, 1e-9);
}

/* All pairs of records on a grid of three values each: the sum of what a replacement moves, at most what the part says. */
static void exhaustive(void **state) {
    (void)state;
    double most = 0, most_squared = 0;
    for (int s = 0; s < 27; s++)
        for (int t = 0; t < 27; t++) {
            const double u[] = { s / 9 - 1, s / 3 % 3 - 1, s % 3 - 1 }, v[] = { t / 9 - 1, t / 3 % 3 - 1, t % 3 - 1 };
            double sum = 0, squared = 0;
            for (int i = 0; i < 3; i++) {
                sum += fabs(u[i] - v[i]);
                squared += (u[i] - v[i]) * (u[i] - v[i]);
                for (int j = i; j < 3; j++) {
                    double d = u[i] * u[j] - v[i] * v[j];
                    sum += fabs(d);
                    squared += d * d;
                }
            }
            most = fmax(most, sum);
            most_squared = fmax(most_squared, squared);
        }
    table_from("data", "y,a,b\n1,0,0\n4,1,2\n6,2,1\n");
    release("--epsilon 1");
    assert_true(table_value("parts", "sensitivity", 0) >= most);
    release("--zcdp 1");
    assert_true(table_value("parts", "sensitivity", 0) >= sqrt(most_squared));
}

/* 2,000 records at ε = 2, sixty samples: an interval of 95% holds both slopes in at least 85 of 100 with a false-alarm rate below 1e-4. */
static void coverage(void **state) {
    (void)state;
    Seed seed = seed_from_number(8);
    RandomStream stream = stream_make(&seed, "test", 0, "", "");
    RandomReader reader = reader_make(&stream);
    int held = 0;
    for (int i = 0; i < 60; i++) {
        draw(&reader, 2000);
        release(i % 2 ? "--epsilon 2" : "--zcdp 0.5");
        held += table_value("answers", "lower", 1) <= 2 && 2 <= table_value("answers", "upper", 1);
        held += table_value("answers", "lower", 2) <= -1 && -1 <= table_value("answers", "upper", 2);
    }
    if (held < 102) fail_msg("%d of 120", held);
}

static void refusals(void **state) {
    (void)state;
    table_from("data", "y,a,b\n1,0,0\n4,1,2\n6,2,1\n");
    run_bad("release query data --query 'regression(y)' --bounds y:0:9 --epsilon 1 --no-ledger", "regression(y, a, b)");
    run_bad("release query data --query 'regression(y, a)' --bounds y:0:9 --epsilon 1 --no-ledger", "bounds");
    run_bad("release query data --query 'regression(y, a) by b' --bounds y:0:9,a:0:9 --epsilon 1 --no-ledger", "by");
    run_bad("release query data --query 'regression(y, a)' --bounds y:0:9,a:0:9 --neighbours leave-one-out --noncentrality 1 --no-ledger",
            "global");
    release("--epsilon 0.001"); /* nothing but noise: some numbers all the same */
    assert_true(isfinite(table_value("answers", "answer", 1)));
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(least_squares), cmocka_unit_test(exhaustive), cmocka_unit_test(coverage),
                                        cmocka_unit_test(refusals) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
