/* Whole numbers as narrow as they are: what a file's reader makes of them, whatever its sample saw, and what goes out again. */
#include <stdlib.h>
#include <string.h>
#include "testing.h"
#include "base/text.h"
#include "io/arrow/arrow.h"
#include "io/csv/csv.h"

enum { ROWS = 200000 };
static Error error;

static Table *read_text(const Buffer *text, const CsvOptions *options) {
    Work work = { .arena = arena_new(), .error = &error, .threads = 2 };
    Table *table = NULL;
    error = ERROR_NONE;
    assert_int_equal(csv_read_bytes(&work, "t.csv", text->bytes, text->count, options, &table), OK);
    arena_free(work.arena);
    return table;
}

/* Digits, but for one cell far behind the sample. */
static int64_t cell(int64_t row, int64_t odd_row, int64_t odd) { return row == odd_row ? odd : row % 10; }

static void one_large_number_anywhere(void **state) {
    (void)state;
    static const int64_t odd[] = { 5,         -128,     127, 128, -129, 32767, -32768, 32768, INT32_MAX, INT32_MIN, INT64_C(1) << 31,
                                   INT64_MAX, INT64_MIN };
    static const int width[] = { 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 0, 0, 0 };
    for (size_t k = 0; k < sizeof odd / sizeof *odd; k++)
        for (int declared = 0; declared < 2; declared++) {
            Buffer text = { 0 };
            int64_t place = (k + (size_t)declared) % 2 ? ROWS - 1 : 12345; /* the last of a piece, or one among others */
            CsvOptions options = { .threads = 1 + (int)k % 2, .types = (const char *[]){ "a:integer" }, .type_count = declared };
            buffer_text(&text, "b,a\n");
            for (int64_t i = 0; i < ROWS; i++) {
                if (i % 11 == 3 && i != place) buffer_print(&text, "%lld,\n", (long long)(i * i));
                else buffer_print(&text, "%lld,%lld\n", (long long)(i * i), (long long)cell(i, place, odd[k]));
            }
            Table *table = read_text(&text, &options);
            const Column *a = table_column(table, "a"), *b = table_column(table, "b");
            assert_int_equal(a->type, INTEGER_TYPE);
            assert_int_equal(a->width, width[k]);
            assert_int_equal(b->width, 0);
            for (int64_t i = 0; i < ROWS; i++) {
                assert_int_equal(column_missing(a, i), i % 11 == 3 && i != place);
                assert_true(column_integer(a, i) == (column_missing(a, i) ? 0 : cell(i, place, odd[k])) && column_integer(b, i) == i * i);
            }
            Buffer again = { 0 };
            csv_write_buffer(table, NULL, &again);
            assert_true(again.count == text.count && !memcmp(again.bytes, text.bytes, text.count));
            buffer_free(&again);
            buffer_free(&text);
            table_release(table);
        }
}

/* Digits that become reals, or words, after all. */
static void another_type_in_the_end(void **state) {
    (void)state;
    for (int words = 0; words < 2; words++) {
        Buffer text = { 0 };
        buffer_text(&text, "a,b\n");
        for (int64_t i = 0; i < ROWS; i++) {
            if (i == 100000) buffer_text(&text, "70000,1\n");
            else if (i == 150000) buffer_text(&text, words ? "word,1\n" : "2.5,1\n");
            else buffer_print(&text, "%d,1\n", (int)(i % 10));
        }
        Table *table = read_text(&text, NULL);
        const Column *a = table->column[0];
        char number[33];
        assert_int_equal(a->type, words ? CATEGORY_TYPE : REAL_TYPE);
        assert_int_equal(a->width, 0);
        assert_string_equal(column_cell(a, 100000, number), "70000");
        assert_string_equal(column_cell(a, 19, number), "9");
        assert_int_equal(table->column[1]->width, 1);
        buffer_free(&text);
        table_release(table);
    }
}

/* Numbers that mean missing take no room, few or many, and whether a type is declared or not. */
static void what_means_missing_is_not_held(void **state) {
    (void)state;
    for (int few = 0; few < 2; few++)
        for (int declared = 0; declared < 2; declared++) {
            Buffer text = { 0 };
            CsvOptions options = { .na = (const char *[]){ "99999" },
                                   .na_count = 1,
                                   .types = (const char *[]){ "a:integer" },
                                   .type_count = declared };
            int64_t each = few ? ROWS - 1 : 7;
            buffer_text(&text, "a,b\n");
            for (int64_t i = 0; i < ROWS; i++) buffer_print(&text, "%d,1\n", i % each == 5 ? 99999 : (int)(i % 10));
            Table *table = read_text(&text, &options);
            const Column *a = table->column[0];
            assert_int_equal(a->width, 1);
            for (int64_t i = 0; i < ROWS; i++) {
                assert_int_equal(column_missing(a, i), i % each == 5);
                assert_int_equal(column_integer(a, i), i % each == 5 ? 0 : i % 10);
            }
            buffer_free(&text);
            table_release(table);
        }
}

/* The first cell that is no number is told of, though a larger one before it has its column read again. */
static void the_first_wrong_cell_is_told(void **state) {
    (void)state;
    Buffer text = { 0 };
    Work work = { .arena = arena_new(), .error = &error, .threads = 1 };
    CsvOptions options = { .types = (const char *[]){ "a:integer", "b:integer" }, .type_count = 2 };
    Table *table = NULL;
    char told[2048];
    buffer_text(&text, "a,b\n");
    for (int64_t i = 0; i < ROWS; i++)
        buffer_print(&text, "%s,%s\n", i == 5000 ? "70000" : i == 150000 ? "x" : "1", i == 180000 ? "y" : "2");
    error = ERROR_NONE;
    assert_int_equal(csv_read_bytes(&work, "t.csv", text.bytes, text.count, &options, &table), BAD);
    error_text(&error, told, sizeof told);
    if (!strstr(told, "line 150002, character 1, column 'a'")) fail_msg("%s", told);
    buffer_free(&text);
    arena_free(work.arena);
}

/* What goes out by Arrow's interface are int64 as ever. */
static void arrow_is_as_wide_as_ever(void **state) {
    (void)state;
    Buffer text = { 0 };
    struct ArrowSchema schema;
    struct ArrowArray array;
    buffer_text(&text, "a,b,c\n1,-300,70000\n,2,3\n-128,32767,-2147483648\n");
    Table *table = read_text(&text, NULL);
    for (int j = 0; j < 3; j++) assert_int_equal(table->column[j]->width, 1 << j);
    assert_int_equal(arrow_export(table, &schema, &array, &error), OK);
    table_release(table);
    static const int64_t want[3][3] = { { 1, 0, -128 }, { -300, 2, 32767 }, { 70000, 3, INT32_MIN } };
    for (int j = 0; j < 3; j++) {
        assert_string_equal(schema.children[j]->format, "l");
        assert_memory_equal(array.children[j]->buffers[1], want[j], sizeof want[j]);
    }
    assert_int_equal(array.children[0]->null_count, 1);
    array.release(&array);
    schema.release(&schema);
    buffer_free(&text);
}

/* A stream of batches of int16. */
static const int16_t first_batch[] = { 1, 300, -128 }, second_batch[] = { 5, -32768 };
static void schema_goes(struct ArrowSchema *schema) { schema->release = NULL; }
static void array_goes(struct ArrowArray *array) { array->release = NULL; }
static void stream_goes(struct ArrowArrayStream *stream) { stream->release = NULL; }
static int give_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out) {
    (void)stream;
    static struct ArrowSchema field, *fields[] = { &field };
    field = (struct ArrowSchema){ .format = "s", .name = "a", .release = schema_goes };
    *out = (struct ArrowSchema){ .format = "+s", .n_children = 1, .children = fields, .release = schema_goes };
    return 0;
}
static int give_next(struct ArrowArrayStream *stream, struct ArrowArray *out) {
    static const void *cells[2], *nothing[1];
    static struct ArrowArray column, *columns[] = { &column };
    int *given = stream->private_data;
    *out = (struct ArrowArray){ 0 };
    if (*given == 2) return 0;
    cells[1] = *given ? second_batch : first_batch;
    column = (struct ArrowArray){ .length = *given ? 2 : 3, .n_buffers = 2, .buffers = cells, .release = array_goes };
    *out = (struct ArrowArray){ .length = column.length,
                                .n_buffers = 1,
                                .n_children = 1,
                                .buffers = nothing,
                                .children = columns,
                                .release = array_goes };
    ++*given;
    return 0;
}
static void batches_are_joined(void **state) {
    (void)state;
    static const int64_t want[] = { 1, 300, -128, 5, -32768 };
    int given = 0;
    struct ArrowArrayStream stream = { .get_schema = give_schema, .get_next = give_next, .release = stream_goes, .private_data = &given };
    Table *table = NULL;
    error = ERROR_NONE;
    assert_int_equal(arrow_import_stream("t", &stream, &table, &error), OK);
    assert_int_equal(table->rows, 5);
    assert_int_equal(table->column[0]->width, 2);
    for (int64_t i = 0; i < 5; i++) assert_true(column_integer(table->column[0], i) == want[i]);
    table_release(table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_large_number_anywhere),
        cmocka_unit_test(another_type_in_the_end),
        cmocka_unit_test(what_means_missing_is_not_held),
        cmocka_unit_test(the_first_wrong_cell_is_told),
        cmocka_unit_test(batches_are_joined),
        cmocka_unit_test(arrow_is_as_wide_as_ever),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
