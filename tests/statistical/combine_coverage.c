/* Intervals from fully synthetic tables: coverage and width of every combining rule, for 1 to 20 tables. 4,000 replications: the standard
 * error of a coverage of 0.95 is 0.0034, so that a right rule falls outside 93% to 97% less than once in 10^8 runs. Seeds are fixed. */
#include "methods.h"
#include "math/distributions.h"

enum { REPLICATIONS = 4000, MOST = 20, BATCH = 200 };

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* A mean with variance 1 in the original; each synthetic table's estimate is normal about it (simple), or about a draw of the mean from its
 * posterior (proper), with variance n/n_syn. */
static void study(const char *synthesis, int tables, double *coverage, double *width) {
    static double widths[REPLICATIONS];
    static char text[BATCH * MOST * 64];
    double e[2 * MOST + 1];
    char command[160];
    bool proper = strcmp(synthesis, "simple") != 0;
    RandomStream stream = stream_make(&(Seed){ .bytes = { 11 } }, "test", tables, synthesis, "combine");
    snprintf(command, sizeof command, "synth combine --estimates e --design full --n 500 --n-synthetic 500 --synthesis %s", synthesis);
    *coverage = 0;
    for (int first = 0; first < REPLICATIONS; first += BATCH) {
        char *at = text + sprintf(text, "term,q,u\n");
        for (int r = first; r < first + BATCH; r++) {
            draw_normals(&stream, (uint64_t)r * (2 * MOST + 2), 2 * MOST + 1, e);
            for (int k = 0; k < tables; k++) at += sprintf(at, "t%d,%.17g,1\n", r, e[2 * MOST] + (proper ? e[2 * k] : 0) + e[2 * k + 1]);
        }
        table_from("e", text);
        run_ok(command);
        for (int r = 0; r < BATCH; r++) {
            double lower = table_value("estimates", "lower", r), upper = table_value("estimates", "upper", r);
            *coverage += (lower <= 0 && upper >= 0) / (double)REPLICATIONS;
            widths[first + r] = (upper - lower) / (2 * 1.959964);
        }
    }
    qsort(widths, REPLICATIONS, sizeof *widths, by_size);
    *width = widths[REPLICATIONS / 2];
    print_message("%s, %d tables: coverage %.3f, median width %.2f of the original's, widest %.2f\n", synthesis, tables, *coverage, *width,
                  widths[REPLICATIONS - 1]);
}

static void test_by_synthesis(void **state) {
    (void)state;
    static const int tables[] = { 1, 2, 3, 5, 10, 20 };
    for (int k = 0; k < 6; k++)
        for (int proper = 0; proper < 2; proper++) {
            double coverage, width;
            study(proper ? "proper" : "simple", tables[k], &coverage, &width);
            assert_true(coverage >= .93 && coverage <= .97);
            near(width, sqrt(1 + (proper ? 2.0 : 1.0) / tables[k]), 1e-6);
            if (tables[k] >= 5) assert_true(width <= 1.2);
        }
}

/* Where the synthesis is not known: no interval is endless; with few tables the rule's coverage is what the page says. */
static void test_unknown(void **state) {
    (void)state;
    static const int tables[] = { 5, 10, 20 };
    for (int k = 0; k < 3; k++) {
        double coverage, width;
        study("unknown", tables[k], &coverage, &width);
        assert_true(coverage >= .93 && coverage <= .995);
        assert_true(isfinite(width) && width < 4);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_by_synthesis), cmocka_unit_test(test_unknown) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
