/* Dense codes: in the order of values, the first row of each, for every type and with missing values. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "table/group.h"
#include <cmocka.h> /* last: its fail() is a macro */

static Error error;

static int compare(const Column *column, int64_t a, int64_t b) {
    char x[33], y[33];
    if (column->type == TEXT_TYPE || column->type == CATEGORY_TYPE) return strcmp(column_cell(column, a, x), column_cell(column, b, y));
    double u = column_number(column, a), v = column_number(column, b);
    return (u > v) - (u < v);
}

static void check(const Column *column, int threads) {
    error = ERROR_NONE;
    Work work = { .arena = arena_new(), .error = &error, .threads = threads };
    Codes codes;
    assert_int_equal(column_codes(&work, column, &codes), OK);
    for (int32_t v = 1; v < codes.count; v++) assert_true(compare(column, codes.first_row[v - 1], codes.first_row[v]) < 0);
    bool *met = calloc((size_t)codes.count + 1, 1);
    for (int64_t i = 0; i < column->rows; i++) {
        assert_int_equal(codes.at[i] < 0, column_missing(column, i));
        if (codes.at[i] < 0) continue;
        assert_int_equal(compare(column, i, codes.first_row[codes.at[i]]), 0);
        if (!met[codes.at[i]]) assert_int_equal(codes.first_row[codes.at[i]], i);
        met[codes.at[i]] = true;
    }
    for (int32_t v = 0; v < codes.count; v++) assert_true(met[v]);
    free(met);
    arena_free(work.arena);
}

static Column *made(Type type, int64_t rows, uint64_t top, int64_t step, uint64_t missing) {
    Column *column;
    uint64_t seed = top + (uint64_t)rows;
    const char **cells = calloc((size_t)rows + 1, sizeof *cells);
    char *text = calloc((size_t)rows + 1, 24);
    if (type == TEXT_TYPE || type == CATEGORY_TYPE) {
        for (int64_t i = 0; i < rows; i++) {
            snprintf(text + i * 24, 24, "w%llu", (unsigned long long)((word_hash(++seed) >> 20) % top));
            cells[i] = (word_hash(++seed) >> 20) % 100 < missing ? NULL : text + i * 24;
        }
        assert_int_equal((type == TEXT_TYPE ? column_text : column_category)("c", cells, rows, &column, &error), OK);
    } else {
        assert_int_equal(column_new(type, "c", rows, &column, &error), OK);
        assert_int_equal(column_need_valid(column, &error), OK);
        for (int64_t i = 0; i < rows; i++) {
            int64_t value = ((int64_t)((word_hash(++seed) >> 20) % top) - (int64_t)top / 2) * step;
            if (type == REAL_TYPE) column->real[i] = value ? (double)value / 8 : (i % 2 ? -0.0 : 0.0);
            else if (type == INTEGER_TYPE) column->integer[i] = value;
            else column->date[i] = (int32_t)value;
            if ((word_hash(++seed) >> 20) % 100 < missing) column_set_missing(column, i);
        }
        column_seal(column);
    }
    free(cells);
    free(text);
    return column;
}

static void every_type(void **state) {
    (void)state;
    static const struct {
        int64_t rows;
        uint64_t top;
        int64_t step;
        uint64_t missing;
    } cases[] = {
        { 0, 5, 1, 0 },
        { 1, 5, 1, 0 },
        { 1, 5, 1, 100 },
        { 500, 7, 1, 0 },
        { 500, 7, 3, 20 },
        { 3000, 900, 1000, 5 },
        { 3000, 100000, 1000, 0 },
        { 200000, 50, 2, 1 },
        { 200000, 90, 1, 0 },
        { 50000, 1 << 30, 1 << 20, 3 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (Type type = REAL_TYPE; type <= DATE_TYPE; type++) {
            Column *column = made(type, cases[i].rows, cases[i].top, cases[i].step, cases[i].missing);
            check(column, 1);
            check(column, 2);
            column_release(column);
        }
}

static void extreme_integers(void **state) {
    (void)state;
    Column *column;
    assert_int_equal(column_new(INTEGER_TYPE, "c", 4, &column, &error), OK);
    memcpy(column->integer, (int64_t[]){ INT64_MAX, INT64_MIN, 0, INT64_MAX }, 32);
    check(column, 1);
    column_release(column);
}

/* Texts of two letters: many agree in their first eight, sixteen, … bytes, some are beginnings of others, many are equal; and the records
 * of each code. */
static void texts_that_begin_alike(void **state) {
    (void)state;
    enum { ROWS = 20000, LONG = 64 };
    static const unsigned bends[] = { 1, 3, 40, 1000 };
    for (size_t b = 0; b < sizeof bends / sizeof *bends; b++) {
        const char **cells = calloc(ROWS, sizeof *cells);
        char *text = calloc(ROWS, LONG);
        uint64_t seed = b;
        Column *column;
        for (int64_t i = 0; i < ROWS; i++) {
            size_t length = (size_t)((word_hash(++seed) >> 20) % (LONG - 1));
            for (size_t c = 0; c < length; c++) text[i * LONG + (int64_t)c] = (word_hash(++seed) >> 20) % bends[b] ? 'a' : (char)0xc3;
            cells[i] = i % 97 ? text + i * LONG : NULL;
        }
        assert_int_equal(column_text("c", cells, ROWS, &column, &error), OK);
        check(column, 1);
        check(column, 2);
        Work work = { .arena = arena_new(), .error = &error, .threads = 2 };
        Codes codes;
        int64_t *size, sum = 0;
        assert_int_equal(column_codes(&work, column, &codes), OK);
        assert_int_equal(codes_sizes(&work, &codes, ROWS, &size), OK);
        for (int32_t c = 0; c < codes.count; c++) sum += size[c];
        for (int64_t i = 0; i < ROWS; i++)
            if (codes.at[i] >= 0) size[codes.at[i]]--;
        for (int32_t c = 0; c < codes.count; c++) assert_int_equal(size[c], 0);
        assert_int_equal(sum, ROWS - column->missing);
        arena_free(work.arena);
        column_release(column);
        free(cells);
        free(text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(every_type), cmocka_unit_test(extreme_integers),
                                        cmocka_unit_test(texts_that_begin_alike) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
