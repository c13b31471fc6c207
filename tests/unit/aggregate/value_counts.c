/* Ladders: numbers in order, whatever the parts, their order, and how often they are laid aside on disk. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "testing.h"
#include "aggregate/value_counts.h"

static Error error;
static Work work;
static uint64_t state = 5;
static int64_t below(int64_t n) {
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (int64_t)((state >> 33) % (uint64_t)n);
}

enum { ROWS = 5000 };
static double value[ROWS];
static bool absent[ROWS];

static Column *column_from(int64_t first, int64_t count, bool whole) {
    Column *column;
    assert_int_equal(column_new(whole ? INTEGER_TYPE : REAL_TYPE, "x", count, &column, &error), OK);
    assert_int_equal(column_need_valid(column, &error), OK);
    for (int64_t i = 0; i < count; i++) {
        if (absent[first + i]) column_set_missing(column, i);
        else if (whole) column->integer[i] = (int64_t)value[first + i];
        else column->real[i] = value[first + i];
    }
    column_seal(column);
    return column;
}

static ValueCounts *fresh(void) {
    ValueCounts *ladder;
    assert_int_equal(value_counts_new(&ladder, &error), OK);
    return ladder;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Against all values sorted. */
static void check(const ValueCounts *ladder) {
    static double sorted[ROWS];
    int64_t present = 0, rung = -1, left = 0;
    for (int64_t i = 0; i < ROWS; i++)
        if (!absent[i]) sorted[present++] = value[i];
    qsort(sorted, (size_t)present, sizeof *sorted, ascending);
    assert_int_equal(ladder->missing, ROWS - present);
    assert_int_equal(value_counts_present(ladder), present);
    for (int64_t i = 0; i < present; i++) {
        if (!left) left = ladder_rungs(ladder)[++rung].times;
        assert_true(ladder_real(ladder, rung) == sorted[i] && !signbit(ladder_real(ladder, rung) == 0 ? ladder_real(ladder, rung) : 0));
        left--;
    }
    assert_int_equal(left, 0);
    assert_int_equal(rung + 1, ladder_count(ladder));
}

static void test_any_parts(void **unused) {
    (void)unused;
    Buffer first = { 0 }, again = { 0 };
    for (int round = 0; round < 40; round++) {
        bool whole = round / 20;
        if (round % 20 == 0) {
            for (int64_t i = 0; i < ROWS; i++) {
                value[i] = whole ? (double)(below(3000) - 1500) : below(4) ? (double)(below(2000000) - 1000000) / 7 : below(2) ? 0.0 : -0.0;
                absent[i] = !below(10);
            }
            first.count = 0;
        }
        ValueCounts *hand[3] = { fresh(), fresh(), fresh() };
        int64_t size = round % 20 ? 1 + below(below(2) ? 9 : 4000) : ROWS;
        for (int64_t at = 0; at < ROWS; at += size) {
            Column *column = column_from(at, ROWS - at < size ? ROWS - at : size, whole);
            int h = (int)below(3);
            assert_int_equal(value_counts_add(&work, hand[h], column), OK);
            if (round % 3 == 2 && h == 0 && !below(4)) assert_int_equal(value_counts_spill(hand[0], ".", &error), OK);
            column_release(column);
        }
        for (int h = 2; h > 0; h--) assert_int_equal(value_counts_merge(hand[h - 1], hand[h], &error), OK);
        assert_int_equal(value_counts_gather(hand[0], &error), OK);
        check(hand[0]);
        again.count = 0;
        value_counts_save_piece(hand[0], 0, 1, &again);
        assert_false(again.failed);
        if (!first.count) buffer_add(&first, again.bytes, again.count);
        assert_int_equal(again.count, first.count);
        assert_memory_equal(again.bytes, first.bytes, first.count);
        for (int h = 0; h < 3; h++) value_counts_free(hand[h]);
    }
    buffer_free(&first);
    buffer_free(&again);
}

/* Pieces merge to the whole; whatever is changed or cut off is refused, or is a ladder. */
static void test_bytes(void **unused) {
    (void)unused;
    Buffer bytes = { 0 };
    ValueCounts *ladder = fresh(), *all = fresh(), *one;
    Column *column = column_from(0, ROWS, true);
    assert_int_equal(value_counts_add(&work, ladder, column), OK);
    for (int64_t piece = 0; piece < 5; piece++) {
        bytes.count = 0;
        value_counts_save_piece(ladder, piece, 5, &bytes);
        const char *at = bytes.bytes;
        assert_int_equal(value_counts_load(&at, bytes.bytes + bytes.count, &one, &error), OK);
        assert_ptr_equal(at, bytes.bytes + bytes.count);
        assert_int_equal(value_counts_merge(all, one, &error), OK);
        value_counts_free(one);
    }
    assert_int_equal(value_counts_sort(all, &error), OK);
    check(all);
    for (int round = 0; round < 3000; round++) {
        char *copy = malloc(bytes.count);
        memcpy(copy, bytes.bytes, bytes.count);
        size_t count = round % 2 ? bytes.count : (size_t)below((int64_t)bytes.count);
        if (round % 2) copy[below(below(2) ? 64 : (int64_t)bytes.count)] ^= (char)(1 << below(8));
        const char *at = copy;
        if (!value_counts_load(&at, copy + count, &one, &error)) {
            for (int64_t i = 1; i < ladder_count(one); i++) assert_true(ladder_real(one, i - 1) <= ladder_real(one, i));
            value_counts_free(one);
        } else assert_null(one);
        free(copy);
    }
    Column *reals = column_from(0, 10, false);
    assert_int_equal(value_counts_add(&work, all, reals), BAD);
    assert_non_null(strstr(error.message, "numbers of another type"));
    column_release(reals);
    column_release(column);
    value_counts_free(ladder);
    value_counts_free(all);
    buffer_free(&bytes);
}

/* A folder that is not there; and after gathering nothing is added. */
static void test_refused(void **unused) {
    (void)unused;
    ValueCounts *ladder = fresh();
    Column *column = column_from(0, 100, true);
    assert_int_equal(value_counts_add(&work, ladder, column), OK);
    assert_int_equal(value_counts_spill(ladder, "/nowhere/at/all", &error), FAILED);
    assert_non_null(strstr(error.message, "cannot be laid aside"));
    assert_int_equal(value_counts_spill(ladder, ".", &error), OK);
    assert_int_equal(value_counts_gather(ladder, &error), OK);
    assert_int_equal(value_counts_add(&work, ladder, column), BAD);
    value_counts_free(ladder);
    column_release(column);
}

int main(void) {
    work = (Work){ .arena = arena_new(), .error = &error, .threads = 2 };
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_any_parts), cmocka_unit_test(test_bytes), cmocka_unit_test(test_refused) };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(work.arena);
    return failed;
}
