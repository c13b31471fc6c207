/* Leave-one-out and possible worlds against recomputing every statistic from scratch. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "testing.h"
#include "base/random.h"
#include "math/ranks.h"
#include "math/privacy/sensitivity.h"

static Error error;
static Work work;
static const Statistic all[] = {
    { OF_COUNT, 0 },         { OF_SUM, 0 },       { OF_MEAN, 0 },       { OF_VARIANCE, 0 },   { OF_SD, 0 },           { OF_COVARIANCE, 0 },
    { OF_QUANTILE, 0.5 },    { OF_QUANTILE, 0 },  { OF_QUANTILE, 1 },   { OF_QUANTILE, 0.9 }, { OF_WINSORIZED, 0.2 }, { OF_WINSORIZED, 0 },
    { OF_WINSORIZED, 0.45 }, { OF_TRIMMED, 0.1 }, { OF_TRIMMED, 0.25 }, { OF_TRIMMED, 0 }
};
enum { KINDS = sizeof all / sizeof *all };

static int by_value(const void *a, const void *b) {
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}
static double quantile7(const double *s, int n, double p) {
    double h = (n - 1) * p;
    int j = (int)floor(h);
    return j >= n - 1 ? s[n - 1] : s[j] + (h - j) * (s[j + 1] - s[j]);
}
/* Straight from the definitions. */
static double plainly(Statistic s, const double *x, const double *y, int n) {
    double sorted[64], sum = 0, sum_y = 0, products = 0;
    if (s.kind == OF_COUNT) return n;
    memcpy(sorted, x, (size_t)n * sizeof *x);
    qsort(sorted, (size_t)n, sizeof *sorted, by_value);
    for (int i = 0; i < n; i++) {
        sum += x[i];
        sum_y += y[i];
    }
    for (int i = 0; i < n; i++) products += (x[i] - sum / n) * (s.kind == OF_COVARIANCE ? y[i] - sum_y / n : x[i] - sum / n);
    if (s.kind == OF_SUM) return sum;
    if (s.kind == OF_MEAN) return sum / n;
    if (s.kind == OF_VARIANCE || s.kind == OF_COVARIANCE) return products / (n - 1);
    if (s.kind == OF_SD) return sqrt(products / (n - 1));
    if (s.kind == OF_QUANTILE) return quantile7(sorted, n, s.share);
    if (s.kind == OF_WINSORIZED) {
        double low = quantile7(sorted, n, s.share), high = quantile7(sorted, n, 1 - s.share), total = 0;
        for (int i = 0; i < n; i++) total += fmin(fmax(x[i], low), high);
        return total / n;
    }
    int each = (int)floor(n * s.share);
    double total = 0;
    for (int i = each; i < n - each; i++) total += sorted[i];
    return total / (n - 2 * each);
}

static void make(RandomReader *r, int n, bool ties, double *x, double *y) {
    for (int i = 0; i < n; i++) {
        x[i] = ties ? (double)reader_below(r, 6) : 100 + 10 * reader_normal(r);
        y[i] = reader_normal(r) + x[i] / 10;
    }
}

static void near(double seen, double wanted, const Statistic *s, int n) {
    if (fabs(seen - wanted) > 1e-9 * (1 + fabs(wanted)))
        fail_msg("kind %d share %g n %d: saw %.15g, wanted %.15g", s->kind, s->share, n, seen, wanted);
}

static void leave_one_out(void **state) {
    (void)state;
    Seed seed = seed_from_number(5);
    RandomStream stream = stream_make(&seed, "t", 0, "x", "y");
    RandomReader reader = reader_make(&stream);
    double x[64], y[64], change[64], rx[64], ry[64], largest;
    int64_t order[64], count;
    for (int n = 3; n < 40; n++) {
        make(&reader, n, n % 3 == 0, x, y);
        assert_int_equal(order_reals(&work, x, n, order, &count), OK);
        Sample sample = { n, x, y, order };
        for (int k = 0; k < KINDS; k++) {
            double whole = plainly(all[k], x, y, n), most = 0;
            near(statistic_value(all[k], &(Sample){ n, x, all[k].kind == OF_COVARIANCE ? y : NULL, order }), whole, &all[k], n);
            sample.y = all[k].kind == OF_COVARIANCE ? y : NULL;
            assert_int_equal(statistic_leave_one_out(&work, all[k], &sample, change, &largest), OK);
            for (int i = 0; i < n; i++) {
                int m = 0;
                for (int j = 0; j < n; j++)
                    if (j != i) {
                        rx[m] = x[j];
                        ry[m++] = y[j];
                    }
                double wanted = whole - plainly(all[k], rx, ry, n - 1);
                most = fmax(most, fabs(wanted));
                near(change[i], wanted, &all[k], n);
            }
            near(largest, most, &all[k], n);
        }
    }
}

/* All tables of few records with values on a small grid between the bounds: none moves further than the bound, and one of them as far. */
static void leave_one_out_bound(void **state) {
    (void)state;
    double x[6], y[6], largest, bound;
    int64_t order[6], count;
    for (int n = 3; n <= 6; n++)
        for (int k = 0; k < KINDS; k++) {
            bool pairs = all[k].kind == OF_COVARIANCE;
            int base = pairs ? 4 : n < 6 ? 5 : 3, tables = 1;
            double most = 0;
            for (int i = 0; i < n; i++) tables *= base;
            assert_int_equal(statistic_leave_one_out_bound(&work, all[k], n, -1, 3, pairs ? 2 : 4, &bound), OK);
            for (int t = 0; t < tables; t++) {
                for (int i = 0, rest = t; i < n; i++, rest /= base) {
                    x[i] = pairs ? (rest % 2 ? 3 : -1) : -1 + 4.0 * (rest % base) / (base - 1);
                    y[i] = rest % base / 2 ? 7 : 5;
                }
                assert_int_equal(order_reals(&work, x, n, order, &count), OK);
                assert_int_equal(statistic_leave_one_out(&work, all[k], &(Sample){ n, x, pairs ? y : NULL, order }, NULL, &largest), OK);
                most = fmax(most, largest);
            }
            near(bound, most, &all[k], n);
        }
    assert_int_equal(statistic_leave_one_out_bound(&work, all[3], 2, 0, 1, 1, &bound), BAD);
}

/* Linear forms: the weights give the value, and the largest weight times the range is reached by no replacement. */
static void weights(void **state) {
    (void)state;
    for (int n = 1; n < 40; n++)
        for (int k = 6; k < KINDS; k++) {
            double sum = 0, most = 0;
            for (int i = 0; i < n; i++) {
                sum += statistic_weight(all[k], n, i);
                most = fmax(most, statistic_weight(all[k], n, i));
            }
            near(sum, 1, &all[k], n);
            near(statistic_largest_weight(all[k], n), most, &all[k], n);
        }
    /* reached: zeros and ones around the heaviest rank */
    for (int k = 6; k < KINDS; k++) {
        int n = 17, at = 0;
        double low[64] = { 0 }, high[64] = { 0 }, y[64] = { 0 };
        for (int i = 0; i < n; i++)
            if (statistic_weight(all[k], n, i) > statistic_weight(all[k], n, at)) at = i;
        for (int i = 0; i < n; i++) {
            low[i] = i > at;
            high[i] = i >= at;
        }
        near(plainly(all[k], high, y, n) - plainly(all[k], low, y, n), statistic_largest_weight(all[k], n), &all[k], n);
    }
}

static void possible_worlds(void **state) {
    (void)state;
    Seed seed = seed_from_number(6);
    RandomStream stream = stream_make(&seed, "t", 0, "x", "y");
    RandomReader reader = reader_make(&stream);
    double x[64], y[64], cx[32], cy[32], values[33], range;
    int64_t order[64], count, worst;
    for (int n = 3; n < 30; n++) {
        make(&reader, n, n % 2 == 0, x, y);
        int m = 1 + n % 20;
        make(&reader, m, n % 2 == 0, cx, cy);
        qsort(cx, (size_t)m, sizeof *cx, by_value);
        assert_int_equal(order_reals(&work, x, n, order, &count), OK);
        for (int k = 0; k < KINDS; k++) {
            bool own = n % 3 == 1, pairs = all[k].kind == OF_COVARIANCE;
            Sample sample = { n, x, pairs ? y : NULL, order };
            WorldCandidates candidates = { .count = m, .x = cx, .y = pairs ? cy : NULL, .own = own };
            double most = 0;
            assert_int_equal(statistic_sensitive_range(&work, all[k], &sample, &candidates, &range, &worst), OK);
            for (int i = 0; i < n; i++) {
                double low = INFINITY, high = -INFINITY, keep = x[i], keep_y = y[i];
                assert_int_equal(statistic_world_values(&work, all[k], &sample, &candidates, i, values), OK);
                for (int c = 0; c < m + own; c++) {
                    if (c < m) {
                        x[i] = cx[c];
                        y[i] = cy[c];
                    }
                    double f = plainly(all[k], x, y, n);
                    near(values[c], f, &all[k], n);
                    low = fmin(low, f);
                    high = fmax(high, f);
                    x[i] = keep;
                    y[i] = keep_y;
                }
                most = fmax(most, high - low);
            }
            near(range, most, &all[k], n);
        }
    }
}

/* The smooth sensitivity of an order statistic, by trying every pair. */
static void smooth(void **state) {
    (void)state;
    Seed seed = seed_from_number(7);
    RandomStream stream = stream_make(&seed, "t", 0, "x", "y");
    RandomReader reader = reader_make(&stream);
    for (int n = 1; n < 40; n++) {
        int64_t x[64];
        double reals[64];
        for (int i = 0; i < n; i++) reals[i] = (double)reader_below(&reader, n % 2 ? 1000 : 12);
        qsort(reals, (size_t)n, sizeof *reals, by_value);
        for (int i = 0; i < n; i++) x[i] = (int64_t)reals[i];
        for (int m = 0; m < n; m += 3)
            for (double beta = 0.02; beta < 2; beta *= 3) {
                double best = 0;
                for (int i = -1; i <= m; i++)
                    for (int j = m; j <= n; j++) {
                        if (j <= i) continue;
                        double gap = (j == n ? 1000 : (double)x[j]) - (i < 0 ? 0 : (double)x[i]);
                        best = fmax(best, gap * exp(-beta * (j - i - 1)));
                    }
                near(smooth_sensitivity(x, n, 0, 1000, m, beta), best, &all[6], n);
            }
    }
}

static void too_few(void **state) {
    (void)state;
    double x[] = { 1, 2 }, largest;
    int64_t order[] = { 0, 1 };
    Sample two = { 2, x, NULL, order }, none = { 0, x, NULL, order };
    assert_int_equal(statistic_leave_one_out(&work, all[3], &two, NULL, &largest), BAD);
    assert_int_equal(statistic_leave_one_out(&work, all[6], &two, NULL, &largest), OK);
    assert_true(largest == 0.5);
    assert_int_equal(statistic_leave_one_out(&work, all[1], &none, NULL, &largest), BAD);
}

int main(void) {
    error = ERROR_NONE;
    work = (Work){ .arena = arena_new(), .error = &error, .threads = 1 };
    const struct CMUnitTest tests[] = { cmocka_unit_test(leave_one_out), cmocka_unit_test(leave_one_out_bound),
                                        cmocka_unit_test(weights),       cmocka_unit_test(possible_worlds),
                                        cmocka_unit_test(smooth),        cmocka_unit_test(too_few) };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(work.arena);
    return failed;
}
