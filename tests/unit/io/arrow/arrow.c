/* Arrow arrays as others make them: what is shared and what is copied, windows, views, dictionaries, and what is refused. */
#include "testing.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "io/arrow/arrow.h"
#include "scrim.h"
#include "table/table.h"

static int released;
static void release_array(struct ArrowArray *array) {
    released++;
    array->release = NULL;
}
static void release_schema(struct ArrowSchema *schema) { schema->release = NULL; }

/* A table of one column, all of it the test's own memory. */
typedef struct {
    struct ArrowSchema schema, child, words, *children[1];
    struct ArrowArray array, cells, dictionary, *arrays[1];
    const void *none[1], *buffers[4], *word_buffers[4];
} One;

static void one(One *o, const char *format, int64_t length, int64_t nulls, const void *valid, const void *values, const void *more) {
    *o = (One){ .child = { .format = format, .name = "x", .release = release_schema }, .buffers = { valid, values, more } };
    o->cells = (struct ArrowArray){ .length = length, .null_count = nulls, .n_buffers = more ? 3 : 2, .buffers = o->buffers };
    o->children[0] = &o->child;
    o->arrays[0] = &o->cells;
    o->schema = (struct ArrowSchema){ .format = "+s", .n_children = 1, .children = o->children, .release = release_schema };
    o->array = (struct ArrowArray){ .length = length,
                                    .n_buffers = 1,
                                    .buffers = o->none,
                                    .n_children = 1,
                                    .children = o->arrays,
                                    .release = release_array };
}

static Table *take(One *o) {
    Table *table = NULL;
    Error error = ERROR_NONE;
    if (arrow_import("memory", &o->schema, &o->array, &table, &error)) fail_msg("%s", error.message);
    assert_null(o->schema.release);
    assert_null(o->array.release);
    return table;
}

static void refused(One *o, const char *why) {
    Table *table = NULL;
    Error error = ERROR_NONE;
    int before = released;
    assert_int_equal(arrow_import("memory", &o->schema, &o->array, &table, &error), BAD);
    if (!strstr(error.message, why)) fail_msg("'%s' lacks '%s'", error.message, why);
    assert_null(table);
    assert_int_equal(released, before + 1);
}

static void numbers_are_shared(void **state) {
    (void)state;
    static const double real[] = { 1.5, NAN, -2 };
    static const int64_t whole[] = { 1, 0, 3 };
    static const int32_t day[] = { 1, 0, 3 };
    static const uint8_t middle[] = { 0xFD };
    One o;
    released = 0;
    one(&o, "g", 3, 0, NULL, real, NULL);
    Table *table = take(&o), *kept = table_retain(table);
    assert_ptr_equal(table->column[0]->real, real);
    assert_int_equal(table->column[0]->missing, 1);
    assert_true(column_missing(table->column[0], 1));
    table_release(table);
    assert_int_equal(released, 0);
    table_release(kept);
    assert_int_equal(released, 1);
    one(&o, "l", 3, 1, middle, whole, NULL);
    table = take(&o);
    assert_ptr_equal(table->column[0]->integer, whole);
    assert_int_equal(table->column[0]->missing, 1);
    table_release(table);
    one(&o, "tdD", 3, -1, middle, day, NULL);
    table = take(&o);
    assert_ptr_equal(table->column[0]->date, day);
    assert_int_equal(table->column[0]->missing, 1);
    table_release(table);
    one(&o, "tsu:UTC", 3, 0, NULL, whole, NULL);
    table = take(&o);
    assert_int_equal(table->column[0]->type, DATETIME_TYPE);
    assert_ptr_equal(table->column[0]->moment, whole);
    table_release(table);
    assert_int_equal(released, 4);
}

/* A value under a missing cell is not carried along; and cells at odd addresses are moved. */
static void some_are_copied(void **state) {
    (void)state;
    static const int64_t whole[] = { 1, 77, 3 };
    static const uint8_t middle[] = { 0xFD };
    static char bytes[33];
    One o;
    released = 0;
    one(&o, "l", 3, 1, middle, whole, NULL);
    Table *table = take(&o);
    assert_int_equal(released, 1);
    assert_int_equal(column_integer(table->column[0], 1), 0);
    assert_int_equal(column_integer(table->column[0], 2), 3);
    table_release(table);
    memcpy(bytes + 4, whole, sizeof whole);
    one(&o, "l", 3, 0, NULL, (uintptr_t)bytes % 8 == 4 ? bytes : bytes + 4, NULL);
    if ((uintptr_t)o.buffers[1] % 8) {
        table = take(&o);
        assert_int_equal(released, 2);
        table_release(table);
    }
    static const uint16_t half[] = { 0x3C00, 0xC100, 0x0001, 0x7E00, 0x7BFF };
    one(&o, "e", 5, 0, NULL, half, NULL);
    table = take(&o);
    assert_true(table->column[0]->real[0] == 1 && table->column[0]->real[1] == -2.5 && table->column[0]->real[2] == 0x1p-24);
    assert_true(table->column[0]->real[4] == 65504);
    assert_int_equal(table->column[0]->missing, 1);
    table_release(table);
    static const __int128 decimal[] = { 12345, -5 };
    one(&o, "d:10,2", 2, 0, NULL, decimal, NULL);
    table = take(&o);
    assert_true(table->column[0]->real[0] == 123.45 && table->column[0]->real[1] == -0.05);
    table_release(table);
    one(&o, "n", 2, 2, NULL, NULL, NULL);
    o.cells.n_buffers = 0;
    table = take(&o);
    assert_int_equal(table->column[0]->missing, 2);
    table_release(table);
}

static void windows(void **state) {
    (void)state;
    static const int64_t whole[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 11, 12 };
    static const uint8_t bits[] = { 0xFF, 0xFD };
    One o;
    one(&o, "l", 12, 1, bits, whole, NULL);
    o.array.offset = 7;
    o.array.length = 4;
    o.cells.offset = 0;
    Table *table = take(&o);
    assert_int_equal(table->rows, 4);
    assert_ptr_equal(table->column[0]->integer, whole + 7);
    assert_true(column_missing(table->column[0], 2));
    assert_int_equal(table->column[0]->missing, 1);
    table_release(table);
    one(&o, "l", 3, 0, NULL, whole, NULL);
    o.array.length = 4;
    refused(&o, "shorter than its table");
    one(&o, "l", 3, 0, NULL, whole, NULL);
    o.array.null_count = 1;
    o.none[0] = bits + 1;
    refused(&o, "a record as a whole");
}

static void texts(void **state) {
    (void)state;
    static const int32_t offset[] = { 0, 1, 3, 3 };
    static const char bytes[] = "a\xC3\xA9", latin[] = "a\xE9x", nul[] = "a\0x";
    One o;
    one(&o, "u", 3, 0, NULL, offset, bytes);
    Table *table = take(&o);
    char number[33];
    assert_string_equal(column_cell(table->column[0], 1, number), "é");
    assert_string_equal(column_cell(table->column[0], 2, number), "");
    table_release(table);
    one(&o, "u", 3, 0, NULL, offset, latin);
    refused(&o, "not UTF-8");
    one(&o, "u", 3, 0, NULL, offset, nul);
    refused(&o, "NUL");
    one(&o, "z", 3, 0, NULL, offset, bytes);
    refused(&o, "is not one that a table holds");
    struct {
        int32_t length;
        char start[4];
        int32_t buffer, at;
    } view[2] = { { 2, "ab", 0, 0 }, { 20, "long", 0, 3 } };
    one(&o, "vu", 2, 0, NULL, view, "-- longer than 12 bytes");
    table = take(&o);
    assert_string_equal(column_cell(table->column[0], 0, number), "ab");
    assert_string_equal(column_cell(table->column[0], 1, number), "longer than 12 bytes");
    table_release(table);
}

static void dictionaries(void **state) {
    (void)state;
    static const int8_t code[] = { 2, 0, 2, 3, -1 };
    static const int32_t offset[] = { 0, 3, 6, 9, 12 };
    static const int64_t number[] = { 30, 20, 10, 20 };
    One o;
    for (int kind = 0; kind < 3; kind++) { /* sorted, in their own order, of numbers */
        one(&o, "c", 5, 0, NULL, code, NULL);
        o.words = (struct ArrowSchema){ .format = kind == 2 ? "l" : "u" };
        o.word_buffers[1] = kind == 2 ? (const void *)number : offset;
        o.word_buffers[2] = "redteabig"
                            "air";
        o.dictionary = (struct ArrowArray){ .length = 4, .n_buffers = kind == 2 ? 2 : 3, .buffers = o.word_buffers };
        o.child.dictionary = &o.words;
        o.child.flags = kind == 1 ? ARROW_FLAG_DICTIONARY_ORDERED : 0;
        o.cells.dictionary = &o.dictionary;
        Table *table = take(&o);
        const Column *column = table->column[0];
        assert_int_equal(column->type, CATEGORY_TYPE);
        assert_int_equal(column->words->count, 3); /* "tea" occurs nowhere */
        assert_int_equal(column->words->ordered, kind == 1);
        assert_string_equal(column->words->word[0], kind == 0 ? "air" : kind == 1 ? "red" : "10");
        char text[33];
        assert_string_equal(column_cell(column, 0, text), kind == 2 ? "10" : "big");
        assert_string_equal(column_cell(column, 1, text), kind == 2 ? "30" : "red");
        assert_string_equal(column_cell(column, 3, text), kind == 2 ? "20" : "air");
        assert_true(column_missing(column, 4));
        table_release(table);
    }
}

/* As pandas hands over categories of which there are none. */
static void a_dictionary_of_nothing_is_missing(void **state) {
    (void)state;
    static const int8_t code[] = { -1, 0, 1 };
    One o;
    for (int64_t length = 0; length <= 2; length += 2) {
        one(&o, "c", length ? 3 : 1, 0, NULL, code, NULL);
        o.words = (struct ArrowSchema){ .format = "n" };
        o.dictionary = (struct ArrowArray){ .length = length, .null_count = length };
        o.child.dictionary = &o.words;
        o.cells.dictionary = &o.dictionary;
        Table *table = take(&o);
        for (int64_t i = 0; i < table->rows; i++) assert_true(column_missing(table->column[0], i));
        table_release(table);
    }
    one(&o, "c", 3, 0, NULL, code, NULL);
    o.words = (struct ArrowSchema){ .format = "n" };
    o.dictionary = (struct ArrowArray){ .length = 1 };
    o.child.dictionary = &o.words;
    o.cells.dictionary = &o.dictionary;
    refused(&o, "outside of its dictionary");
}

/* A word that no cell has any more is not given out. */
static void unused_words_stay_inside(void **state) {
    (void)state;
    static const char *const cells[] = { "rare", "b", "a", NULL };
    static const int64_t rows[] = { 2, 1, 3 };
    Column *column = NULL;
    Table *table = NULL, *some = NULL, *back = NULL;
    struct ArrowSchema schema;
    struct ArrowArray array;
    assert_int_equal(column_category("x", cells, 4, &column, NULL), OK);
    assert_int_equal(table_new("all", &column, 1, 4, &table, NULL), OK);
    assert_int_equal(table_take(table, rows, 3, &some, NULL), OK);
    assert_int_equal(arrow_export(some, &schema, &array, NULL), OK);
    assert_int_equal(array.children[0]->dictionary->length, 2);
    assert_memory_equal(array.children[0]->dictionary->buffers[2], "ab", 2);
    assert_int_equal(arrow_import("some", &schema, &array, &back, NULL), OK);
    assert_true(column_equal(back->column[0], some->column[0]));
    assert_int_equal(arrow_export(table, &schema, &array, NULL), OK);
    assert_ptr_equal(array.children[0]->buffers[1], column->code); /* all are used: shared */
    schema.release(&schema);
    array.release(&array);
    column_release(column);
    table_release(table);
    table_release(some);
    table_release(back);
}

/* Text settles as a file's would; a result's columns come off the caller's memory. */
static void settled_and_owned(void **state) {
    (void)state;
    static double real[] = { 3, 1, 4 };
    static const int32_t offset[] = { 0, 1, 2, 3 };
    scrim_error error = { .size = sizeof error };
    One o;
    one(&o, "u", 3, 0, NULL, offset, "bab");
    scrim_table *text = NULL, *words = NULL;
    assert_int_equal(scrim_table_from_arrow("memory", &o.schema, &o.array, &text, &error), SCRIM_OK);
    assert_string_equal(scrim_table_column_type(text, 0), "text");
    assert_int_equal(scrim_table_infer_categories(text, &words, &error), SCRIM_OK);
    assert_string_equal(scrim_table_column_type(words, 0), "category");
    assert_string_equal(((Table *)words)->column[0]->words->word[0], "a");
    scrim_table_free(text);
    scrim_table_free(words);

    one(&o, "g", 3, 0, NULL, real, NULL);
    released = 0;
    scrim_table *table = NULL, *other = NULL;
    scrim_result *result = NULL;
    assert_int_equal(scrim_table_from_arrow("memory", &o.schema, &o.array, &table, &error), SCRIM_OK);
    other = scrim_table_share(table);
    scrim_args *args = scrim_args_new();
    assert_int_equal(scrim_args_table(args, "data", table), SCRIM_OK);
    assert_int_equal(scrim_args_text(args, "where", "x > 2"), SCRIM_OK);
    assert_int_equal(scrim_run(NULL, "protect.reorder", args, &result, &error), SCRIM_OK);
    scrim_result_free(result);
    assert_int_equal(scrim_run(NULL, "inspect", args, &result, &error), SCRIM_OK);
    scrim_result_free(result);
    scrim_args_free(args);
    args = scrim_args_new();
    assert_int_equal(scrim_args_table(args, "data", table), SCRIM_OK);
    assert_int_equal(scrim_args_text(args, "keys", "x"), SCRIM_OK);
    assert_int_equal(scrim_run(NULL, "risk.k-anonymity", args, &result, &error), SCRIM_OK);
    scrim_table *joined = scrim_result_record_joined(result);
    assert_non_null(joined);
    scrim_table_free(joined);
    scrim_args_free(args);
    scrim_table_free(table);
    scrim_table_free(other);
    assert_int_equal(released, 0); /* the result has its input */
    assert_int_equal(scrim_result_own(result, &error), SCRIM_OK);
    assert_int_equal(released, 1);
    assert_null(scrim_result_record_joined(result));
    scrim_result_free(result);
}

/* An output whose columns were left as they are lies over the input's cells until it is owned. */
static void outputs_are_owned(void **state) {
    (void)state;
    static double real[] = { 3, 1, 4 };
    scrim_error error = { .size = sizeof error };
    One o;
    one(&o, "g", 3, 0, NULL, real, NULL);
    scrim_table *table = NULL;
    scrim_result *result = NULL;
    assert_int_equal(scrim_table_from_arrow("memory", &o.schema, &o.array, &table, &error), SCRIM_OK);
    scrim_args *args = scrim_args_new();
    assert_int_equal(scrim_args_table(args, "data", table), SCRIM_OK);
    assert_int_equal(scrim_args_text(args, "var", "x"), SCRIM_OK);
    assert_int_equal(scrim_args_text(args, "top", "100"), SCRIM_OK);
    assert_int_equal(scrim_args_text(args, "where", "x > 100"), SCRIM_OK);
    if (scrim_run(NULL, "protect.top-bottom", args, &result, &error)) fail_msg("%s", error.message);
    released = 0;
    scrim_args_free(args);
    scrim_table_free(table);
    assert_int_equal(scrim_result_own(result, &error), SCRIM_OK);
    assert_int_equal(released, 1);
    real[0] = 99;
    scrim_table *output = scrim_result_output(result, 0);
    assert_true(((Table *)output)->column[0]->real[0] == 3);
    scrim_table_free(output);
    scrim_result_free(result);
}

static scrim_status lend_nothing(void *self, const char *name, scrim_table **out, scrim_error *error) {
    (void)name, (void)error;
    ++*(int *)self;
    *out = NULL;
    return SCRIM_OK;
}

static void names_may_be_paths(void **state) {
    (void)state;
    int asked = 0;
    scrim_error error = { .size = sizeof error };
    scrim_host host = { .size = sizeof host, .self = &asked, .table = lend_nothing };
    scrim_args *args = scrim_args_new();
    scrim_result *result = NULL;
    assert_int_equal(scrim_args_text(args, "data", "examples/clinic.csv"), SCRIM_OK);
    assert_int_equal(scrim_args_text(args, "keys", "sex"), SCRIM_OK);
    assert_int_equal(scrim_run(&host, "risk.k-anonymity", args, &result, &error), SCRIM_BAD);
    host.files_too = 1;
    assert_int_equal(scrim_run(&host, "risk.k-anonymity", args, &result, &error), SCRIM_OK);
    assert_int_equal(asked, 2);
    scrim_result_free(result);
    host.no_files = 1;
    assert_int_equal(scrim_run(&host, "risk.k-anonymity", args, &result, &error), SCRIM_BAD);
    scrim_args_free(args);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(numbers_are_shared),
                                        cmocka_unit_test(some_are_copied),
                                        cmocka_unit_test(windows),
                                        cmocka_unit_test(texts),
                                        cmocka_unit_test(dictionaries),
                                        cmocka_unit_test(unused_words_stay_inside),
                                        cmocka_unit_test(settled_and_owned),
                                        cmocka_unit_test(a_dictionary_of_nothing_is_missing),
                                        cmocka_unit_test(outputs_are_owned),
                                        cmocka_unit_test(names_may_be_paths) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
