/* Numbers: the same as column_reals, by place where they have few values; in order, those without one last. */
#include "tables.h"
#include "base/random.h"
#include "table/column_cache.h"
#include "table/packed_reals.h"

enum { ROWS = 3000, MANY = 70000 };

static Column *made(Type type, int64_t rows, int64_t values, int64_t from, bool missing) {
    Column *column;
    Seed seed = seed_from_number((uint64_t)(rows + values));
    RandomStream stream = stream_make(&seed, "test", 0, "", "numbers");
    RandomReader reader = reader_make(&stream);
    tables_ok(column_new(type, "x", rows, &column, NULL));
    if (missing) tables_ok(column_need_valid(column, NULL));
    for (int64_t i = 0; i < rows; i++) {
        int64_t value = from + (int64_t)(values ? reader_below(&reader, (uint64_t)values) : (uint64_t)i);
        if (missing && reader_below(&reader, 7) == 0) column_set_missing(column, i);
        else if (type == REAL_TYPE) column->real[i] = (double)value / 4;
        else if (type_wide(type)) column->integer[i] = value;
        else column->date[i] = (int32_t)value;
    }
    column_seal(column);
    return column;
}

static void check(Column *column, bool few) {
    Work work = tables_work(2);
    PackedReals numbers;
    const double *reals;
    int32_t *order = NULL;
    int64_t present = -1, seen = 0;
    tables_ok(packed_reals_of(&work, column, &numbers));
    tables_ok(column_reals(&work, column, &reals));
    assert_true(numbers_any(&numbers));
    assert_int_equal(numbers.place != NULL, few);
    for (int64_t i = 0; i < column->rows; i++) {
        double x = number_at(&numbers, i);
        assert_true(x == reals[i] || (isnan(x) && isnan(reals[i])));
    }
    for (int32_t v = 0; few && v + 1 < numbers.values; v++) assert_true(numbers.value[v] < numbers.value[v + 1]);
    tables_ok(arena_array(work.arena, column->rows + 1, sizeof *order, &order, NULL));
    tables_ok(packed_reals_order(&work, &numbers, column->rows, order, &present));
    assert_int_equal(present, column->rows - column->missing);
    for (int64_t i = 0; i < column->rows; i++) {
        double a = i ? reals[order[i - 1]] : NAN, b = reals[order[i]];
        assert_int_equal(isnan(b), i >= present);
        if (i && i != present) assert_true(a < b || ((a == b || isnan(b)) && order[i - 1] < order[i]));
        seen += order[i];
    }
    assert_int_equal(seen, column->rows * (column->rows - 1) / 2);
    arena_free(work.arena);
    column_release(column);
}

static void as_reals(void **state) {
    (void)state;
    for (int missing = 0; missing < 2; missing++) {
        check(made(INTEGER_TYPE, ROWS, 9, -4, missing), true);
        check(made(INTEGER_TYPE, ROWS, 1000, INT64_MAX - 1000, missing), true);
        check(made(INTEGER_TYPE, ROWS, 3, INT64_MIN, missing), true);
        check(made(DATE_TYPE, ROWS, 500, -20000, missing), true);
        check(made(DATETIME_TYPE, ROWS, 50, -86400000000, missing), true);
        check(made(INTEGER_TYPE, MANY, 0, 5, missing), missing);
        check(made(INTEGER_TYPE, 65534, 0, 5, false), true);
        check(made(INTEGER_TYPE, 65535, 0, 5, false), false);
        check(made(REAL_TYPE, ROWS, 9, 0, missing), false);
        check(made(INTEGER_TYPE, 1, 1, 7, false), true);
        check(made(INTEGER_TYPE, 0, 1, 7, false), true);
    }
}

static void all_missing(void **state) {
    (void)state;
    for (int type = 0; type < 2; type++) {
        Column *column;
        tables_ok(column_new(type ? INTEGER_TYPE : REAL_TYPE, "x", 100, &column, NULL));
        tables_ok(column_need_valid(column, NULL));
        for (int i = 0; i < 100; i++) column_set_missing(column, i);
        column_seal(column);
        check(column, type);
    }
}

static void check_stacked(Column *first, Column *second, bool few) {
    Work work = tables_work(1);
    const Column *const both[2] = { first, second };
    PackedReals stack;
    tables_ok(packed_reals_stack(&work, both, &stack));
    assert_int_equal(stack.place != NULL, few);
    for (int32_t v = 0; few && v + 1 < stack.values; v++) assert_true(stack.value[v] < stack.value[v + 1]);
    for (int t = 0; t < 2; t++)
        for (int64_t i = 0; i < both[t]->rows; i++) {
            double x = number_at(&stack, (t ? first->rows : 0) + i), y = column_number(both[t], i);
            assert_true(x == y || (isnan(x) && isnan(y)));
        }
    arena_free(work.arena);
    column_release(first);
    column_release(second);
}

static void stacked(void **state) {
    (void)state;
    check_stacked(made(INTEGER_TYPE, ROWS, 9, 0, true), made(INTEGER_TYPE, 500, 20, 4, false), true);
    check_stacked(made(INTEGER_TYPE, ROWS, 9, 0, false), made(DATE_TYPE, 500, 20, -4, true), true);
    check_stacked(made(INTEGER_TYPE, ROWS, 9, 0, false), made(REAL_TYPE, 500, 20, 0, true), false);
    check_stacked(made(REAL_TYPE, ROWS, 9, 0, false), made(REAL_TYPE, 500, 20, 0, false), false);
    check_stacked(made(INTEGER_TYPE, 40000, 0, 0, false), made(INTEGER_TYPE, 40000, 0, 20000, false), true);
    check_stacked(made(INTEGER_TYPE, 40000, 0, 0, false), made(INTEGER_TYPE, 40000, 0, 25534, false), true);
    check_stacked(made(INTEGER_TYPE, 40000, 0, 0, false), made(INTEGER_TYPE, 40000, 0, 25535, false), false);
    check_stacked(made(INTEGER_TYPE, 40000, 0, 0, true), made(INTEGER_TYPE, 40000, 0, 40000, true), false);
    check_stacked(made(INTEGER_TYPE, 10, 3, INT64_MAX - 3, false), made(INTEGER_TYPE, 10, 3, INT64_MIN, false), true);
    check_stacked(made(INTEGER_TYPE, 0, 3, 0, false), made(INTEGER_TYPE, 10, 3, 0, false), true);
}

static void kept_once(void **state) {
    (void)state;
    Column *column = made(INTEGER_TYPE, ROWS, 9, 0, false);
    Work work = tables_work(1);
    PackedReals one, two;
    tables_ok(cache_make(&work, (Columns){ 1, (const Column **)&column }, &work.memo));
    tables_ok(packed_reals_of(&work, column, &one));
    tables_ok(packed_reals_of(&work, column, &two));
    assert_ptr_equal(one.place, two.place);
    cache_free(work.memo);
    arena_free(work.arena);
    column_release(column);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(as_reals), cmocka_unit_test(all_missing), cmocka_unit_test(stacked),
                                        cmocka_unit_test(kept_once) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
