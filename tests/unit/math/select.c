/* Selection: against sorting, on random values, many ties, sorted and constant runs. */
#include "tables.h"
#include "base/random.h"
#include "math/select.h"

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void as_sorted(void **state) {
    (void)state;
    enum { MOST = 5000 };
    static double v[MOST], sorted[MOST];
    Seed seed = seed_from_number(4);
    Stream stream = stream_make(&seed, "test", 0, "", "select");
    Reader reader = reader_make(&stream);
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

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(as_sorted) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
