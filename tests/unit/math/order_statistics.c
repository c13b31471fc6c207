/* Selection: against sorting, on random values, many ties, sorted and constant runs. */
#include "tables.h"
#include "base/random.h"
#include "math/order_statistics.h"

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void as_sorted(void **state) {
    (void)state;
    enum { MOST = 5000 };
    static double v[MOST], sorted[MOST];
    Seed seed = seed_from_number(4);
    RandomStream stream = stream_make(&seed, "test", 0, "", "select");
    RandomReader reader = reader_make(&stream);
    for (int round = 0; round < 400; round++) {
        int n = 1 + (int)reader_below(&reader, round % 4 ? 60 : MOST), kind = round % 5;
        for (int i = 0; i < n; i++)
            v[i] = kind == 0 ? reader_normal(&reader) : kind == 1 ? (double)reader_below(&reader, 3) : kind == 2 ? i : kind == 3 ? -i : 7;
        memcpy(sorted, v, sizeof v);
        qsort(sorted, (size_t)n, sizeof *sorted, by_value);
        int64_t k = (int64_t)reader_below(&reader, (uint64_t)n);
        assert_true(select_kth(v, n, k) == sorted[k]);
        for (int64_t i = 0; i < n; i++) assert_true(i < k ? v[i] <= v[k] : v[i] >= v[k]);
        double middle = n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
        assert_true(fabs(select_median(v, n) - middle) < 1e-12);
    }
    assert_true(isnan(select_median(v, 0)));
}

/* Large ones, whose sample tells and misleads: sorted, tied, with every value that is sampled far from the others, and with half of all
 * values just below those that are looked at again, or just up to them. */
static void medians_aside(void **state) {
    (void)state;
    enum { MOST = 40001 };
    static double v[MOST], kept[MOST], room[MOST];
    Seed seed = seed_from_number(5);
    RandomStream stream = stream_make(&seed, "test", 0, "", "median");
    RandomReader reader = reader_make(&stream);
    for (int n = MOST - 3; n <= MOST; n++)
        for (int kind = 0; kind < 9; kind++) {
            for (int i = 0; i < n; i++)
                v[i] = kind == 0   ? reader_normal(&reader)
                       : kind == 1 ? (double)reader_below(&reader, 3)
                       : kind == 2 ? i
                       : kind == 3 ? -i
                       : kind == 4 ? 7
                       : kind == 5 ? (double)reader_below(&reader, 2)
                                   : reader_normal(&reader);
            for (int64_t i = 0; kind == 6 && i < 1024; i++) v[i * n / 1024] = 1e9 + (double)i;
            if (kind > 6) {
                int low = n / 2 - 448 - (kind == 8 ? 129 : 0); /* 448 of the sample are below what is kept of it, 129 */
                for (int i = 0; i < n; i++) v[i] = 1e9;
                for (int64_t i = 0; i < 1024; i++) v[i * n / 1024] = (double)i;
                for (int i = 0; low; i++)
                    if (v[i] == 1e9) v[i] = -1, low--;
            }
            memcpy(kept, v, sizeof v);
            double middle = median_aside(v, n, room);
            assert_memory_equal(v, kept, sizeof v);
            assert_true(middle == select_median(v, n));
        }
    for (int n = 0; n < 9; n++) {
        double middle = median_aside(v, n, room), same = select_median(kept, 0);
        if (n) same = select_median(memcpy(kept, v, sizeof v), n);
        assert_true(n ? middle == same : isnan(middle) && isnan(same));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(as_sorted), cmocka_unit_test(medians_aside) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
