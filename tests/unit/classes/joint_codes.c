/* Joint codes: the same code is the same value in both tables; numbers ascend; intervals hold equally many of the first table. */
#include "tables.h"
#include "base/random.h"
#include "classes/joint_codes.h"

static double value_of(const Column *c, int64_t i) { return column_number(c, i); }

static void check(const Column *a, const Column *b, int64_t few, int32_t bins, int threads) {
    Work work = tables_work(threads);
    JointCodes joint;
    const Column *column[2] = { a, b };
    char x[33], y[33];
    tables_ok(joint_labelled(&work, a, b, few, bins, &joint));
    bool numbers = (column_linear(a) || a->missing == a->rows) && (column_linear(b) || b->missing == b->rows); /* nothing is of any kind */
    for (int t = 0; t < 2; t++)
        for (int64_t i = 0; i < column[t]->rows; i++) {
            assert_int_equal(joint.at[t][i] < 0, column_missing(column[t], i));
            assert_true(joint.at[t][i] < joint.count);
        }
    for (int s = 0; s < 2; s++)
        for (int t = 0; t < 2; t++)
            for (int64_t i = 0; i < column[s]->rows; i++)
                for (int64_t j = 0; j < column[t]->rows; j++) {
                    int32_t one = joint.at[s][i], other = joint.at[t][j];
                    if (one < 0 || other < 0) continue;
                    double u = value_of(column[s], i), v = value_of(column[t], j);
                    if (numbers && joint.binned) assert_true(u < v ? one <= other : u > v ? one >= other : one == other);
                    else if (numbers) assert_true(u < v ? one < other : u > v ? one > other : one == other);
                    else {
                        int order = strcmp(column_cell(column[s], i, x), column_cell(column[t], j, y));
                        assert_true(order < 0 ? one < other : order > 0 ? one > other : one == other);
                    }
                }
    for (int t = 0; t < 2 && !joint.binned; t++)
        for (int64_t i = 0; i < column[t]->rows; i++)
            if (joint.at[t][i] >= 0 && (t == 0 || !numbers)) assert_string_equal(joint.label[joint.at[t][i]], column_cell(column[t], i, x));
    if (joint.binned) assert_true(joint.count <= bins);
    JointCodes bare; /* the same codes, without a label */
    tables_ok(joint_codes(&work, a, b, few, bins, &bare));
    assert_true(bare.count == joint.count && bare.binned == joint.binned && !bare.label);
    for (int t = 0; t < 2; t++) assert_memory_equal(bare.at[t], joint.at[t], (size_t)column[t]->rows * sizeof(int32_t));
    joint_drop(&work, &bare);
    joint_drop(&work, &joint);
    arena_free(work.arena);
}

static Column *drawn(Type type, int64_t rows, uint64_t top, uint64_t seed, bool missing) {
    Column *column;
    Error error = ERROR_NONE;
    const char **cells = calloc((size_t)rows + 1, sizeof *cells);
    char *text = calloc((size_t)rows + 1, 24);
    Seed from = seed_from_number(seed);
    RandomStream stream = stream_make(&from, "test", 0, "", "joint");
    RandomReader reader = reader_make(&stream);
    if (type == CATEGORY_TYPE || type == TEXT_TYPE) {
        for (int64_t i = 0; i < rows; i++) {
            snprintf(text + i * 24, 24, "%llu", (unsigned long long)reader_below(&reader, top));
            cells[i] = missing && reader_below(&reader, 4) == 0 ? NULL : text + i * 24;
        }
        tables_ok((type == TEXT_TYPE ? column_text : column_category)("c", cells, rows, &column, &error));
    } else {
        tables_ok(column_new(type, "c", rows, &column, &error));
        tables_ok(column_need_valid(column, &error));
        for (int64_t i = 0; i < rows; i++) {
            int64_t value = (int64_t)reader_below(&reader, top) - (int64_t)top / 2;
            if (type == REAL_TYPE) column->real[i] = (double)value / 2;
            else column->integer[i] = value;
            if (missing && reader_below(&reader, 4) == 0) column_set_missing(column, i);
        }
        column_seal(column);
    }
    free(cells);
    free(text);
    return column;
}

static void two_of_every_type(void **state) {
    (void)state;
    static const Type types[] = { REAL_TYPE, INTEGER_TYPE, CATEGORY_TYPE, TEXT_TYPE };
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 4; b++)
            for (uint64_t k = 0; k < 12; k++) {
                Column *x = drawn(types[a], k % 4 ? 60 : 0, k % 3 ? 9 : 1000, k, k % 2),
                       *y = drawn(types[b], 45, k % 3 ? 12 : 1000, k + 50, k % 5 == 1);
                check(x, y, 0, 0, 1);
                check(x, y, 5, 4, 2);
                check(x, y, 20, 7, 1);
                column_release(x);
                column_release(y);
            }
}

/* Doubles do not tell these apart; whole numbers do. */
static void large_whole_numbers(void **state) {
    (void)state;
    Work work = tables_work(1);
    Table *a = table_of("x:integer 9007199254740992 9007199254740993 9007199254740995", NULL),
          *b = table_of("x:integer 9007199254740993 7", NULL);
    JointCodes joint;
    tables_ok(joint_codes(&work, a->column[0], b->column[0], 0, 0, &joint));
    assert_int_equal(joint.count, 4);
    assert_int_equal(joint.at[0][1], joint.at[1][0]);
    assert_true(joint.at[0][0] < joint.at[0][1] && joint.at[0][1] < joint.at[0][2] && joint.at[1][1] == 0);
    table_release(a);
    table_release(b);
    arena_free(work.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(two_of_every_type), cmocka_unit_test(large_whole_numbers) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
