/* Whole numbers in one, two, four and eight bytes: the same cells, the same answers, the same bytes. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include "testing.h"
#include "tables.h"
#include "table/expr.h"
#include "table/fingerprint.h"
#include "table/group.h"
#include "aggregate/value_counts.h"

enum { ROWS = 2500 };
static const int64_t ends[] = { 127, 32767, INT32_MAX, INT64_MAX }; /* the largest of each width */

/* Numbers up to both ends of what `width` holds, one in seven missing where `missing`; always in eight bytes. */
static Column *made(int width, int64_t rows, bool missing) {
    Column *column;
    int64_t most = ends[width == 1 ? 0 : width == 2 ? 1 : width == 4 ? 2 : 3];
    tables_ok(column_new(INTEGER_TYPE, "x", rows, &column, &tables_error));
    if (missing) tables_ok(column_need_valid(column, &tables_error));
    for (int64_t i = 0; i < rows; i++) {
        int64_t drawn = (int64_t)(word_hash((uint64_t)i + 1) >> 1);
        column->integer[i] = i == 3 ? most : i == 4 ? -most - 1 : (i % 2 ? 1 : -1) * (drawn % (width < 4 ? most : 100000));
        if (missing && i % 7 == 5) {
            column->integer[i] = 0;
            column_set_missing(column, i);
        }
    }
    column_seal(column);
    return column;
}

static Table *alone(Column *column) {
    Table *table;
    tables_ok(table_new("t", &column, 1, column->rows, &table, &tables_error));
    return table;
}

static void same_cells(const Column *wide, const Column *narrow) {
    int64_t *room = calloc((size_t)wide->rows + 1, sizeof *room);
    char a[33], b[33];
    const int64_t *all = column_integers(narrow, 0, narrow->rows, room);
    for (int64_t i = 0; i < wide->rows; i++) {
        assert_int_equal(column_missing(wide, i), column_missing(narrow, i));
        assert_true(column_integer(narrow, i) == wide->integer[i] && all[i] == wide->integer[i]);
        if (column_missing(wide, i)) continue;
        assert_true(column_number(wide, i) == column_number(narrow, i));
        assert_string_equal(column_cell(wide, i, a), column_cell(narrow, i, b));
    }
    assert_true(column_equal(wide, narrow) && column_equal(narrow, wide));
    free(room);
}

/* What is made of a narrow one: as narrow, save where it is to be changed. */
static void copies_agree(const Column *wide, const Column *narrow) {
    Column *one, *two;
    int64_t rows[] = { 4, -1, 3, 5, 0 };
    uint8_t *mask = calloc((size_t)wide->rows + 1, 1);
    tables_ok(column_copy(narrow, &one, &tables_error));
    assert_true(one->width == 0);
    same_cells(one, narrow);
    column_release(one);
    tables_ok(column_rename(narrow, "y", &one, &tables_error));
    assert_int_equal(one->width, narrow->width);
    same_cells(wide, one);
    column_release(one);
    tables_ok(column_take(wide, rows, wide->rows > 5 ? 5 : 0, &one, &tables_error));
    tables_ok(column_take(narrow, rows, wide->rows > 5 ? 5 : 0, &two, &tables_error));
    assert_int_equal(two->width, narrow->width);
    same_cells(one, two);
    column_release(one);
    column_release(two);
    for (int64_t i = 0; i < wide->rows; i += 3) mask[i] = 1;
    tables_ok(column_blank(wide, mask, &one, &tables_error));
    tables_ok(column_blank(narrow, mask, &two, &tables_error));
    same_cells(one, two);
    column_release(one);
    column_release(two);
    free(mask);
}

static void answers_agree(const Table *wide, const Table *narrow) {
    Work work = tables_work(2);
    unsigned char one[FINGERPRINT], two[FINGERPRINT], key[ROW_PRINT_KEY] = { 1 };
    RowPrint sum[2] = { 0 };
    Codes codes[2];
    const double *reals[2];
    const Table *tables[2] = { wide, narrow };
    table_fingerprint(wide, one);
    table_fingerprint(narrow, two);
    assert_memory_equal(one, two, FINGERPRINT);
    for (int k = 0; k < 2; k++) {
        tables_ok(rows_print(&work, tables[k], 0, key, &sum[k]));
        tables_ok(column_codes(&work, tables[k]->column[0], &codes[k]));
        tables_ok(column_reals(&work, tables[k]->column[0], &reals[k]));
    }
    assert_true(sum[0] == sum[1]);
    assert_int_equal(codes[0].count, codes[1].count);
    for (int64_t i = 0; i < wide->rows; i++) {
        assert_int_equal(codes[0].at[i], codes[1].at[i]);
        assert_true(reals[0][i] == reals[1][i] || column_missing(wide->column[0], i));
    }
    arena_free(work.arena);
}

static void every_width_agrees(void **state) {
    (void)state;
    for (int width = 1; width <= 8; width *= 2)
        for (int held = width; held <= 8; held *= 2)
            for (int k = 0; k < 6; k++) {
                Column *wide = made(width, (int64_t[]){ 0, 1, ROWS }[k / 2], k % 2), *narrow;
                tables_ok(column_copy(wide, &narrow, &tables_error));
                column_narrow_to(narrow, held);
                assert_int_equal(narrow->width, held == 8 ? 0 : held);
                assert_true((narrow->integer == NULL) == (held < 8));
                same_cells(wide, narrow);
                copies_agree(wide, narrow);
                Table *one = alone(wide), *two = alone(narrow);
                answers_agree(one, two);
                table_release(one);
                table_release(two);
                column_narrow(narrow);
                same_cells(wide, narrow);
                if (wide->rows == ROWS) assert_int_equal(narrow->width, width == 8 ? 0 : width);
                column_release(wide);
                column_release(narrow);
            }
}

/* More than are widened at once, against what each cell must give. */
static void runs_follow_one_another(void **state) {
    (void)state;
    for (int held = 1; held <= 8; held *= 2) {
        Column *column;
        Work work = tables_work(1);
        Codes codes;
        const Expr *expr;
        double *twice;
        uint8_t *large;
        tables_ok(column_new(INTEGER_TYPE, "x", ROWS, &column, &tables_error));
        for (int64_t i = 0; i < ROWS; i++) column->integer[i] = i / 300 - 3;
        column_seal(column);
        column_narrow_to(column, held);
        Table *table = alone(column);
        tables_ok(column_codes(&work, column, &codes));
        tables_ok(expr_parse(&work, table, "x * 2", &expr));
        tables_ok(expr_reals(&work, expr, table, &twice));
        tables_ok(expr_parse(&work, table, "x > 2", &expr));
        tables_ok(expr_mask(&work, expr, table, &large, NULL));
        for (int64_t i = 0; i < ROWS; i++) {
            assert_int_equal(codes.at[i], i / 300);
            assert_true(twice[i] == 2 * (double)(i / 300 - 3));
            assert_int_equal(large[i], i / 300 > 5);
        }
        table_release(table);
        column_release(column);
        arena_free(work.arena);
    }
}

static void the_ends_of_each_width(void **state) {
    (void)state;
    for (int k = 0; k < 3; k++)
        for (int negative = 0; negative < 2; negative++)
            for (int beyond = 0; beyond < 2; beyond++) {
                Column *column;
                int64_t value = negative ? -ends[k] - 1 - beyond : ends[k] + beyond;
                tables_ok(column_new(INTEGER_TYPE, "x", 2, &column, &tables_error));
                column->integer[1] = value;
                column_seal(column);
                column_narrow(column);
                assert_int_equal(column->width, (1 << k << beyond) % 8);
                assert_true(column_integer(column, 1) == value);
                column_release(column);
            }
}

/* Another's memory, and what is no whole number, stay as they are. */
static void some_are_not_narrowed(void **state) {
    (void)state;
    int64_t cells[] = { 1, 2 };
    Column *over, *real;
    tables_ok(column_over(INTEGER_TYPE, "x", 2, cells, &over, &tables_error));
    column_narrow(over);
    assert_ptr_equal(over->integer, cells);
    tables_ok(column_new(REAL_TYPE, "x", 2, &real, &tables_error));
    real->real[1] = 2;
    column_narrow(real);
    assert_true(real->width == 0 && real->real[1] == 2);
    column_release(over);
    column_release(real);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_width_agrees),
        cmocka_unit_test(runs_follow_one_another),
        cmocka_unit_test(the_ends_of_each_width),
        cmocka_unit_test(some_are_not_narrowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
