/* Matloff & Tendick's first call on twenty samples of 5,000: regression coefficients stay within 20% in the median, and rare people do not
 * stay as they were. */
#include "methods.h"

enum { SAMPLES = 20, SIZE = 5000, TERMS = 5 };
static const char *const terms[TERMS] = { "age", "sex", "wkswrkd", "ms", "phd" };

static double coefficient(const char *term) {
    const Table *t = result_find_table(last_result, "coefficients");
    char number[33];
    for (int64_t i = 0; i < t->rows; i++)
        if (!strcmp(column_cell(table_column(t, "term"), i, number), term))
            return column_number(table_column(t, "released"), i) / column_number(table_column(t, "original"), i);
    return NAN;
}

static int rising(const void *a, const void *b) {
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

static bool rare(const Table *t, int64_t i) {
    return column_number(table_column(t, "sex"), i) == 2 && column_number(table_column(t, "phd"), i) == 1 &&
           column_number(table_column(t, "age"), i) < 31;
}

static void test_first_call(void **state) {
    (void)state;
    double change[TERMS][SAMPLES];
    int tracked = 0, unchanged = 0;
    Table *all = table_from_file("all", "../shared/data/prgeng_msphd.csv");
    for (uint64_t s = 0; s < SAMPLES; s++) {
        Work work = { .arena = arena_new(), .error = &last_error, .threads = 1 };
        Seed seed = seed_from_number(s + 100);
        RandomStream stream = stream_make(&seed, "test", 0, "sample", "rows");
        int64_t *order;
        Table *sample;
        assert_int_equal(arena_array(work.arena, all->rows, sizeof *order, &order, &last_error), OK);
        assert_int_equal(stream_permutation(&work, &stream, all->rows, order), OK);
        assert_int_equal(table_take(all, order, SIZE, &sample, &last_error), OK);
        shelve("sample", sample);
        run_ok_seeded(s, "protect nbrs sample --eps 0.6 --weights sex:0.2,ms:0.2,phd:0.2");
        Table *released = table_retain(output());
        for (int64_t i = 0; i < SIZE; i++)
            if (rare(sample, i)) {
                tracked++;
                unchanged += rare(released, i) &&
                             column_number(table_column(released, "wageinc"), i) == column_number(table_column(sample, "wageinc"), i);
            }
        shelve("released", released);
        run_ok("utility regression sample released --formula 'wageinc ~ age + sex + wkswrkd + ms + phd'");
        for (int k = 0; k < TERMS; k++) change[k][s] = fabs(coefficient(terms[k]) - 1);
        arena_free(work.arena);
    }
    for (int k = 0; k < TERMS; k++) {
        qsort(change[k], SAMPLES, sizeof **change, rising);
        double median = (change[k][SAMPLES / 2 - 1] + change[k][SAMPLES / 2]) / 2;
        if (!(median < 0.2)) fail_msg("%s moves by %.1f%% in the median", terms[k], 100 * median);
    }
    assert_true(tracked > 20 && unchanged <= 3);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_first_call) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
