/* logistic(y, a, b): the maximum likelihood where there is next to no noise, the densities of neighbours by enumeration, and what is
 * refused. */
#include "base/random.h"
#include "methods.h"
#include "release/query/query.h"

static char text[1 << 19];

/* Two groups of 2,000: 400 and 1,200 of them say yes. The logits are log(1/4) and log(3/2), in closed form. */
static void maximum_likelihood(void **state) {
    (void)state;
    size_t at = (size_t)snprintf(text, sizeof text, "y,a\n");
    for (int i = 0; i < 4000; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "%d,%d\n", i < 2000 ? i % 5 == 0 : i % 5 < 3, i < 2000 ? 2 : 6);
    table_from("data", text);
    const char *const promises[] = { "--epsilon 500", "--zcdp 5000", "--gdp 30", "--epsilon 500 --unit add-remove" };
    for (int i = 0; i < 4; i++) {
        char command[256];
        snprintf(command, sizeof command, "release query data --query 'logistic(y, a)' --bounds y:0:1,a:0:8 %s --no-ledger", promises[i]);
        run_ok(command);
        double slope = (log(1.5) - log(0.25)) / 4;
        near(table_value("answers", "answer", 1), slope, 0.01);
        near(table_value("answers", "answer", 0), log(0.25) - 2 * slope, 0.05);
        assert_true(table_value("answers", "lower", 1) < slope && slope < table_value("answers", "upper", 1));
        near(table_value("parts", "numbers", 0), 2, 0);
        near(table_value("parts", "numbers", 1), 3, 0);
    }
    near(table_value("parts", "sensitivity", 1), 0.75, 1e-9); /* three entries of at most 1/4 */
}

/* The page's formulas, written down once more. */
static double promised_noise(double epsilon, int d, int rows, bool replace, double *ridge, double *beta) {
    double determinant = fmin(epsilon / 4, rows), noise = epsilon - epsilon / 64 - determinant;
    *ridge = d / (4 * expm1(determinant / rows));
    *beta = noise / (replace ? 2 * rows : rows);
    return noise + determinant;
}

typedef struct Row {
    double x[3];
    int y;
} Row; /* y: −1, 1; 0 = does not count */

static void add_row(const Row *r, const double *theta, double *gradient, double h[3][3]) {
    double t = 0;
    for (int i = 0; i < 3; i++) t += r->x[i] * theta[i];
    double p = 1 / (1 + exp(r->y * t));
    for (int i = 0; r->y && i < 3; i++) {
        gradient[i] -= r->y * r->x[i] * p;
        for (int j = 0; j < 3; j++) h[i][j] += p * (1 - p) * r->x[i] * r->x[j];
    }
}

/* log density of θ: b = −gradient − Λθ, −β‖b‖∞ + log det(H). */
static double log_density(const Row *rows, int n, const double *theta, double ridge, double beta) {
    double g[3] = { 0 }, h[3][3] = { { ridge, 0, 0 }, { 0, ridge, 0 }, { 0, 0, ridge } }, most = 0;
    for (int i = 0; i < n; i++) add_row(&rows[i], theta, g, h);
    for (int i = 0; i < 3; i++) most = fmax(most, fabs(g[i] + ridge * theta[i]));
    double det = h[0][0] * (h[1][1] * h[2][2] - h[1][2] * h[2][1]) - h[0][1] * (h[1][0] * h[2][2] - h[1][2] * h[2][0]) +
                 h[0][2] * (h[1][0] * h[2][1] - h[1][1] * h[2][0]);
    return log(det) - beta * most;
}

static Row row_of(int code) { return (Row){ { 1, code % 3 - 1, code / 3 % 3 - 1 }, code / 9 % 3 - 1 }; }

/* Every pair of records on a grid (one of them may not count), beside up to three others, at many θ. */
static void neighbours(void **state) {
    (void)state;
    Seed seed = seed_from_number(4);
    RandomStream stream = stream_make(&seed, "test", 0, "", "");
    RandomReader reader = reader_make(&stream);
    double closest = 0;
    for (int turn = 0; turn < 400; turn++) {
        double epsilon = exp(4 * reader_uniform(&reader) - 2), ridge, beta, theta[3], most = 0;
        int others = turn % 4;
        bool replace = turn & 4;
        Row rows[4];
        double limit = promised_noise(epsilon, 3, 1, replace, &ridge, &beta);
        for (int i = 0; i < 3; i++) theta[i] = 6 * (reader_uniform(&reader) - 0.5) * (turn % 3);
        for (int i = 0; i < others; i++) rows[i] = row_of((int)(27 * reader_uniform(&reader)));
        for (int s = 0; s < 27; s++)
            for (int t = 0; t < 27; t++) {
                if (!replace && row_of(t).y) continue; /* one of them is not there */
                rows[others] = row_of(s);
                double here = log_density(rows, others + 1, theta, ridge, beta);
                rows[others] = row_of(t);
                most = fmax(most, fabs(here - log_density(rows, others + 1, theta, ridge, beta)));
            }
        if (most > limit * (1 + 1e-12)) fail_msg("ε = %g, %d others: %g, promised %g", epsilon, others, most, limit);
        closest = fmax(closest, most / limit);
    }
    assert_true(closest > 0.3); /* the search comes near enough to find something */
}

/* All that is printed but the answers is the same for neighbours, whatever they hold. */
static void nothing_else_tells(void **state) {
    (void)state;
    double seen[4] = { 0 };
    const char *const last[] = { "0,0", "1,8", "1,0", "7,99" };
    for (int i = 0; i < 4; i++) {
        snprintf(text, sizeof text, "y,a\n0,1\n1,2\n1,3\n%s\n", last[i]);
        table_from("data", text);
        run_ok("release query data --query 'logistic(y, a)' --bounds y:0:1,a:0:8 --epsilon 1 --no-ledger");
        const double now[] = { table_value("parts", "grid", 0), table_value("parts", "scale", 1), table_value("parts", "sensitivity", 1),
                               table_value("parts", "grid", 1) };
        for (int k = 0; k < 4; k++) {
            if (i) near(now[k], seen[k], 0);
            seen[k] = now[k];
        }
    }
    near(seen[2], 3 * 0.25 + 0.25, 1e-9); /* two squares, and a product that can change its sign */
}

static bool has_note(const char *words) {
    for (int64_t i = 0; i < last_result->notes; i++)
        if (strstr(last_result->note[i], words)) return true;
    return false;
}

/* Without a schema every column that was used is named, predictors and short names too. */
static void public_facts(void **state) {
    (void)state;
    table_from("data", "y,a,b\n0,1,2\n1,2,1.5\n1,3,4\n");
    run_ok("release query data --query 'logistic(y, a, b)' --bounds y:0:1,a:0:9,b:0:9 --epsilon 1 --no-ledger");
    assert_true(has_note("'y' holds whole numbers") && has_note("'a' holds whole numbers") && has_note("'b' holds numbers"));
}

static void refusals(void **state) {
    (void)state;
    table_from("data", "y,a\n0,1\n1,2\n1,3\n");
    run_bad("release query data --query 'logistic(y)' --bounds y:0:1 --epsilon 1 --no-ledger", "logistic(y, a, b)");
    run_bad("release query data --query 'logistic(y, a)' --bounds y:0:1 --epsilon 1 --no-ledger", "bounds");
    run_bad("release query data --query 'logistic(y, a) by a' --bounds y:0:1,a:0:9 --epsilon 1 --no-ledger", "by");
    run_bad("release query data --query 'logistic(y, a)' --bounds y:0:1,a:0:9 --neighbours leave-one-out --noncentrality 1 --no-ledger",
            "global");
    run_ok("release query data --query 'logistic(y, a)' --bounds y:0:1,a:0:9 --epsilon 0.001 --no-ledger"); /* nothing but noise */
    assert_true(isfinite(table_value("answers", "answer", 1)));
    run_ok("release query data --query 'logistic(y, a) where a > 5' --bounds y:0:1,a:0:9 --epsilon 1 --no-ledger"); /* no record at all */
    assert_true(isfinite(table_value("answers", "answer", 1)));
    run_ok("release query data --query 'logistic(y, a); median(a)' --bounds y:0:1,a:0:9 --zcdp 0.5 --no-ledger");
    assert_true(value("gdp_mu") > 1.2); /* ρ = 1/2 allows choices more than μ = 1 */
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(maximum_likelihood), cmocka_unit_test(neighbours),
                                        cmocka_unit_test(nothing_else_tells), cmocka_unit_test(public_facts), cmocka_unit_test(refusals) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
