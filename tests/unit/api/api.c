/* The library's edge: arguments, errors, tables through Arrow, every symbol public that should be. */
#include "testing.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "io/arrow/arrow.h"
#include "scrim.h"
#include "table/table.h"

static scrim_table *small(void) {
    static const char *const sex[] = { "m", "f", "m", NULL }, *const note[] = { "a", "", NULL, "née" };
    Column *columns[5] = { 0 };
    Table *table = NULL;
    assert_int_equal(column_category("sex", sex, 4, &columns[0], NULL), OK);
    assert_int_equal(column_text("note", note, 4, &columns[1], NULL), OK);
    assert_int_equal(column_new(REAL_TYPE, "x", 4, &columns[2], NULL), OK);
    assert_int_equal(column_new(INTEGER_TYPE, "n", 4, &columns[3], NULL), OK);
    assert_int_equal(column_new(DATE_TYPE, "day", 4, &columns[4], NULL), OK);
    assert_int_equal(column_need_valid(columns[3], NULL), OK);
    for (int i = 0; i < 4; i++) {
        columns[2]->real[i] = i * 0.25 - 1;
        columns[3]->integer[i] = INT64_C(1) << (i * 20);
        columns[4]->date[i] = i * 1000 - 500;
    }
    column_set_missing(columns[3], 1);
    for (int i = 0; i < 5; i++) column_seal(columns[i]);
    assert_int_equal(table_new("small", columns, 5, 4, &table, NULL), OK);
    for (int i = 0; i < 5; i++) column_release(columns[i]);
    return (scrim_table *)table;
}

static void arrow_round_trip(void **state) {
    (void)state;
    scrim_table *table = small(), *back = NULL;
    struct ArrowSchema schema;
    struct ArrowArray array;
    scrim_error error = { .size = sizeof error };
    assert_int_equal(scrim_table_to_arrow(table, &schema, &array, &error), SCRIM_OK);
    assert_int_equal(array.length, 4);
    assert_int_equal(array.children[3]->null_count, 1);
    assert_string_equal(schema.children[0]->name, "sex");
    assert_int_equal(scrim_table_from_arrow("small", &schema, &array, &back, &error), SCRIM_OK);
    assert_null(schema.release);
    assert_null(array.release);
    assert_true(table_equal((Table *)table, (Table *)back));
    scrim_table_free(table);
    scrim_table_free(back);
}

/* A producer whose memory may be looked at until it is told that it may go. */
static int let_go;
static void gone(struct ArrowArray *array) {
    let_go++;
    array->release = NULL;
}
static void schema_gone(struct ArrowSchema *schema) { schema->release = NULL; }

static scrim_table *of_memory(const void *cells, const char *format, int64_t rows, int64_t offset) {
    static const void *buffers[2], *none[1];
    static struct ArrowArray column, *columns[1] = { &column };
    static struct ArrowSchema field, *fields[1] = { &field };
    scrim_table *table = NULL;
    buffers[1] = cells;
    column = (struct ArrowArray){ .length = rows, .offset = offset, .n_buffers = 2, .buffers = buffers };
    field = (struct ArrowSchema){ .format = format, .name = "x" };
    struct ArrowArray array = { .length = rows, .n_buffers = 1, .buffers = none, .n_children = 1, .children = columns, .release = gone };
    struct ArrowSchema schema = { .format = "+s", .n_children = 1, .children = fields, .release = schema_gone };
    let_go = 0;
    assert_int_equal(scrim_table_from_arrow("lent", &schema, &array, &table, NULL), SCRIM_OK);
    assert_null(array.release);
    assert_null(schema.release);
    return table;
}

static void numbers_stay_where_they_are(void **state) {
    (void)state;
    static double cells[5] = { 7, 1, NAN, 3, INFINITY };
    static int64_t whole[3] = { 1, -2, INT64_MIN };
    static int32_t days[3] = { 0, -1, 20000 }, small_ones[3] = { 4, 5, 6 };
    scrim_table *table = of_memory(cells, "g", 4, 1), *more;
    Column *column = ((Table *)table)->column[0];
    assert_ptr_equal(column->real, cells + 1);
    assert_int_equal(column->missing, 1);
    assert_true(column_missing(column, 1));
    Column *held = column_retain(column);
    scrim_table_free(table);
    assert_int_equal(let_go, 0); /* someone still looks at it */
    column_release(held);
    assert_int_equal(let_go, 1);
    table = of_memory(whole, "l", 3, 0);
    assert_ptr_equal(((Table *)table)->column[0]->integer, whole);
    scrim_table_free(table);
    table = of_memory(whole, "tsu:Europe/Vienna", 3, 0);
    assert_ptr_equal(((Table *)table)->column[0]->moment, whole);
    scrim_table_free(table);
    table = of_memory(days, "tdD", 3, 0);
    assert_ptr_equal(((Table *)table)->column[0]->date, days);
    scrim_table_free(table);
    assert_int_equal(let_go, 1);
    table = of_memory(small_ones, "i", 3, 0); /* widened: a copy, and the memory is free at once */
    assert_int_equal(let_go, 1);
    assert_int_equal(column_integer(((Table *)table)->column[0], 2), 6);
    more = of_memory((char *)memcpy((char[40]){ 0 } + 3, cells, 32), "g", 4, 0); /* where a double cannot stand: a copy */
    assert_int_equal(let_go, 1);
    assert_int_equal(((Table *)more)->column[0]->missing, 1);
    assert_true(((Table *)more)->column[0]->real[3] == 3);
    scrim_table_free(more);
    scrim_table_free(table);
    table = of_memory(NULL, "g", 0, 0);
    assert_int_equal(let_go, 1);
    scrim_table_free(table);
}

/* Words that do not occur go, words said twice become one, an order is kept where there is one: against cells taken one by one. */
static void dictionaries_become_categories(void **state) {
    (void)state;
    static const char *const pool[] = { "b", "a", "", "ä", "c", "b" };
    uint32_t seed = 1;
    for (int round = 0; round < 3000; round++) {
        int32_t codes[12], offsets[7] = { 0 };
        int count = (int)((seed = seed * 1664525 + 1013904223) >> 24) % 6 + 1, rows = (int)((seed >> 12) % 13),
            first = (int)(seed >> 9) % 6;
        char bytes[32] = "";
        const char *cells[12];
        uint8_t bits[2] = { 0, 0 };
        for (int w = 0; w < count; w++) {
            strcat(bytes, pool[(first + w) % 6]);
            offsets[w + 1] = (int32_t)strlen(bytes);
        }
        for (int i = 0; i < rows; i++) {
            codes[i] = (int32_t)((seed = seed * 1664525 + 1013904223) >> 20) % (count + 1) - (i % 5 == 4);
            bool there = codes[i] >= 0 && codes[i] < count && (seed >> 8) % 4;
            if (there) bits[i / 8] |= (uint8_t)(1 << i % 8); /* an index where nothing is may be anything */
            cells[i] = there ? pool[(first + codes[i]) % 6] : NULL;
        }
        const void *buffers[2] = { bits, codes }, *texts[3] = { NULL, offsets, bytes }, *none[1] = { NULL };
        struct ArrowArray words = { .length = count, .n_buffers = 3, .buffers = texts },
                          column = { .length = rows, .null_count = -1, .n_buffers = 2, .buffers = buffers, .dictionary = &words },
                          *columns[1] = { &column };
        struct ArrowSchema said = { .format = "u" },
                           field = { .format = "i",
                                     .name = "x",
                                     .dictionary = &said,
                                     .flags = round % 2 ? ARROW_FLAG_DICTIONARY_ORDERED : 0 },
                           *fields[1] = { &field };
        struct ArrowArray array = { .length = rows, .n_buffers = 1, .buffers = none, .n_children = 1, .children = columns };
        struct ArrowSchema schema = { .format = "+s", .n_children = 1, .children = fields };
        Table *table = NULL;
        Column *expected = NULL;
        char number[33];
        assert_int_equal(arrow_import("words", &schema, &array, &table, NULL), OK);
        assert_int_equal(column_category("x", cells, rows, &expected, NULL), OK);
        const Column *got = table->column[0];
        assert_int_equal(got->words->count, expected->words->count);
        assert_int_equal(got->missing, expected->missing);
        for (int i = 0; i < rows; i++) {
            const char *cell = column_cell(got, i, number);
            assert_true(cell ? cells[i] && !strcmp(cell, cells[i]) : !cells[i]);
        }
        int last = -1;
        for (int32_t w = 0; w < got->words->count; w++) {
            if (!got->words->ordered) assert_string_equal(got->words->word[w], expected->words->word[w]);
            int place = 0;
            while (strcmp(pool[(first + place) % 6], got->words->word[w])) place++;
            if (got->words->ordered && count < 6) assert_true(place > last); /* six words: b is said twice */
            last = place;
        }
        column_release(expected);
        table_release(table);
    }
}

static void marks_and_origins(void **state) {
    (void)state;
    scrim_table *table = small(), *other = small(), *half = NULL;
    static const int64_t rows[] = { 3, 1 }, origin[] = { 3, 1 };
    assert_false(scrim_table_released(table));
    scrim_table_mark(table, "x");
    assert_true(scrim_table_released(table));
    assert_true(scrim_table_perturbed(table, "x"));
    assert_false(scrim_table_perturbed(table, "n"));
    scrim_table_mark(other, NULL);
    assert_true(scrim_table_released(other));
    assert_false(scrim_table_perturbed(other, NULL));
    assert_true(scrim_table_shares(table, table, "x"));
    assert_false(scrim_table_shares(table, other, "x"));
    assert_false(scrim_table_shares(table, table, "nobody"));
    assert_int_equal(scrim_table_origin(table, 2), 2);
    assert_int_equal(scrim_table_origin(table, 4), -1);
    assert_int_equal(table_take((Table *)table, rows, 2, (Table **)&half, NULL), OK);
    for (int i = 0; i < 2; i++) assert_int_equal(scrim_table_origin(half, i), origin[i]);
    scrim_table_free(half);
    scrim_table_free(other);
    scrim_table_free(table);
}

/* Batches, each with a dictionary of its own; then the end, or an error. */
typedef struct {
    Table *batch[3];
    int next, count, fails;
} Batches;
static int give_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out) {
    Batches *b = stream->private_data;
    struct ArrowArray array;
    assert_int_equal(arrow_export(b->batch[0], out, &array, NULL), OK);
    array.release(&array);
    return 0;
}
static int give_next(struct ArrowArrayStream *stream, struct ArrowArray *out) {
    Batches *b = stream->private_data;
    struct ArrowSchema schema;
    *out = (struct ArrowArray){ 0 };
    if (b->next == b->count) return b->fails ? 5 : 0;
    assert_int_equal(arrow_export(b->batch[b->next++], &schema, out, NULL), OK);
    schema.release(&schema);
    return 0;
}
static const char *say(struct ArrowArrayStream *stream) {
    (void)stream;
    return "the disk is gone";
}
static void end(struct ArrowArrayStream *stream) { stream->release = NULL; }

static Table *batch(const char *const *sex, int64_t rows) {
    Column *columns[3] = { 0 };
    Table *table = NULL;
    assert_int_equal(column_category("sex", sex, rows, &columns[0], NULL), OK);
    assert_int_equal(column_text("note", sex, rows, &columns[1], NULL), OK);
    assert_int_equal(column_new(INTEGER_TYPE, "n", rows, &columns[2], NULL), OK);
    assert_int_equal(column_need_valid(columns[2], NULL), OK);
    for (int64_t i = 0; i < rows; i++) columns[2]->integer[i] = rows * 10 + i;
    column_set_missing(columns[2], 0);
    column_seal(columns[2]);
    assert_int_equal(table_new("batch", columns, 3, rows, &table, NULL), OK);
    for (int i = 0; i < 3; i++) column_release(columns[i]);
    return table;
}

static void streams_are_joined(void **state) {
    (void)state;
    static const char *const one[] = { "m", "f" }, *const two[] = { "x", NULL, "a" }, *const all[] = { "m", "f", "x", NULL, "a" };
    Batches b = { .batch = { batch(one, 2), batch(two, 3) }, .count = 2 };
    Table *want = batch(all, 5);
    scrim_error error = { .size = sizeof error };
    for (b.count = 0; b.count < 3; b.count++) {
        struct ArrowArrayStream stream = { .get_schema = give_schema,
                                           .get_next = give_next,
                                           .get_last_error = say,
                                           .release = end,
                                           .private_data = &b };
        scrim_table *table = NULL;
        b.next = 0;
        assert_int_equal(scrim_table_from_stream("joined", &stream, &table, &error), SCRIM_OK);
        assert_null(stream.release);
        assert_int_equal(scrim_table_rows(table), b.count == 2 ? 5 : b.count * 2);
        assert_string_equal(scrim_table_column_type(table, 0), "category");
        const Table *t = (Table *)table;
        if (b.count == 2) {
            assert_true(column_equal(t->column[0], want->column[0]));
            assert_true(column_equal(t->column[1], want->column[1]));
            assert_int_equal(t->column[2]->missing, 2);
            assert_int_equal(column_integer(t->column[2], 4), 32);
        }
        scrim_table_free(table);
    }
    b.count = 1;
    b.next = 0;
    b.fails = 1;
    struct ArrowArrayStream stream = { .get_schema = give_schema,
                                       .get_next = give_next,
                                       .get_last_error = say,
                                       .release = end,
                                       .private_data = &b };
    assert_int_equal(scrim_table_from_stream("joined", &stream, &(scrim_table *){ NULL }, &error), SCRIM_BAD);
    assert_non_null(strstr(error.message, "the disk is gone"));
    b.count = 2;
    b.next = b.fails = 0;
    b.batch[1]->column[1]->bytes[0] = (char)0xff;
    stream.release = end;
    assert_int_equal(scrim_table_from_stream("joined", &stream, &(scrim_table *){ NULL }, &error), SCRIM_BAD);
    assert_int_equal(error.row, 2); /* of the whole, not of its batch */
    table_release(b.batch[0]);
    table_release(b.batch[1]);
    table_release(want);
}

static void stream_round_trip(void **state) {
    (void)state;
    scrim_table *table = small(), *back = NULL;
    struct ArrowArrayStream stream;
    scrim_error error = { .size = sizeof error };
    assert_int_equal(scrim_table_to_stream(table, &stream, &error), SCRIM_OK);
    assert_int_equal(scrim_table_from_stream("small", &stream, &back, &error), SCRIM_OK);
    assert_true(table_equal((Table *)table, (Table *)back));
    assert_int_equal(scrim_table_to_stream(table, &stream, &error), SCRIM_OK);
    stream.release(&stream);
    scrim_table_free(table);
    scrim_table_free(back);
}

static void errors_cross(void **state) {
    (void)state;
    scrim_result *result = NULL;
    scrim_error error = { .size = sizeof error };
    assert_int_equal(scrim_run(NULL, "risk.k-anonimity", NULL, &result, &error), SCRIM_BAD);
    assert_non_null(strstr(error.advice, "k-anonymity"));
    assert_null(result);
    assert_int_equal(scrim_run(NULL, "risk.k-anonymity", NULL, &result, NULL), SCRIM_BAD);
}

static void runs_a_method(void **state) {
    (void)state;
    scrim_table *table = small();
    scrim_args *args = scrim_args_new();
    scrim_result *result = NULL;
    scrim_error error = { .size = sizeof error };
    char *json = NULL;
    assert_int_equal(scrim_args_table(args, "data", table), SCRIM_OK);
    assert_int_equal(scrim_args_text(args, "keys", "sex"), SCRIM_OK);
    assert_int_equal(scrim_args_text(args, "missing", "category"), SCRIM_OK);
    assert_int_equal(scrim_run(NULL, "risk.k-anonymity", args, &result, &error), SCRIM_OK);
    assert_true(scrim_result_number(result, "k") == 1);
    assert_true(scrim_result_number(result, "classes") == 3);
    assert_true(isnan(scrim_result_number(result, "nowhere")));
    assert_int_equal(scrim_result_render(result, "json", 0, 0, &json, &error), SCRIM_OK);
    assert_non_null(strstr(json, "\"schema\""));
    assert_int_equal(scrim_result_render(result, "pdf", 0, 0, &(char *){ NULL }, &error), SCRIM_BAD);
    scrim_text_free(json);
    scrim_result_free(result);
    scrim_args_free(args);
    scrim_table_free(table);
}

static scrim_status lend(void *self, const char *name, scrim_table **out, scrim_error *error) {
    (void)error;
    *out = strcmp(name, "mine") ? NULL : small();
    ++*(int *)self;
    return SCRIM_OK;
}

static void host_lends_tables(void **state) {
    (void)state;
    int asked = 0;
    scrim_host host = { .size = sizeof host, .self = &asked, .table = lend };
    scrim_args *args = scrim_args_new();
    scrim_result *result = NULL;
    assert_int_equal(scrim_args_text(args, "data", "mine"), SCRIM_OK);
    assert_int_equal(scrim_args_text(args, "keys", "sex"), SCRIM_OK);
    assert_int_equal(scrim_run(&host, "risk.k-anonymity", args, &result, NULL), SCRIM_OK);
    assert_int_equal(asked, 1);
    scrim_result_free(result);
    scrim_args_free(args);
}

static void nothing_is_harmless(void **state) {
    (void)state;
    scrim_table_free(NULL);
    scrim_result_free(NULL);
    scrim_args_free(NULL);
    scrim_text_free(NULL);
    assert_null(scrim_methods_name(scrim_methods_count()));
    assert_non_null(scrim_methods_name(0));
}

/* A table from arrays, its cells, and a method on it. */
static void builds_a_table(void **state) {
    (void)state;
    static const double x[] = { 1.5, NAN, -2 };
    static const int64_t n[] = { 1, INT64_C(1) << 40, 7 };
    static const unsigned char missing[] = { 0, 0, 1 };
    static const char *const sex[] = { "m", NULL, "née" };
    char room[33];
    scrim_error error = { .size = sizeof error };
    scrim_table *table = NULL;
    assert_null(scrim_builder_new("x", -1));
    scrim_builder *builder = scrim_builder_new("people", 3);
    assert_non_null(builder);
    assert_int_equal(scrim_builder_reals(builder, "x", x, &error), SCRIM_OK);
    assert_int_equal(scrim_builder_integers(builder, "n", n, missing, &error), SCRIM_OK);
    assert_int_equal(scrim_builder_texts(builder, "sex", sex, &error), SCRIM_OK);
    assert_int_equal(scrim_builder_texts(builder, "sex", sex, &error), SCRIM_BAD); /* a name once */
    assert_string_equal(error.column, "sex");
    assert_int_equal(scrim_builder_reals(builder, NULL, x, &error), SCRIM_BAD);
    assert_int_equal(scrim_builder_texts(builder, "bad", (const char *const[]){ "\xff", "a", "b" }, &error), SCRIM_BAD);
    assert_int_equal(scrim_builder_table(builder, &table, &error), SCRIM_OK);
    scrim_builder_free(builder);
    assert_int_equal(scrim_table_rows(table), 3);
    assert_int_equal(scrim_table_columns(table), 3);
    assert_int_equal(scrim_table_find(table, "n"), 1);
    assert_int_equal(scrim_table_find(table, "y"), -1);
    assert_true(scrim_table_number(table, 0, 0) == 1.5 && scrim_table_missing(table, 0, 1) && isnan(scrim_table_number(table, 0, 1)));
    assert_true(scrim_table_integer(table, 1, 1) == INT64_C(1) << 40 && scrim_table_missing(table, 1, 2));
    assert_string_equal(scrim_table_text(table, 1, 0, room), "1");
    assert_string_equal(scrim_table_text(table, 2, 2, room), "née");
    assert_null(scrim_table_text(table, 2, 1, room));
    assert_true(isnan(scrim_table_number(table, 2, 0)) && scrim_table_missing(table, 3, 0) && scrim_table_missing(table, 0, 3));
    scrim_args *args = scrim_args_new();
    scrim_result *result = NULL;
    assert_int_equal(scrim_args_table(args, "data", table), SCRIM_OK);
    assert_int_equal(scrim_args_text(args, "keys", "sex"), SCRIM_OK);
    assert_int_equal(scrim_run(NULL, "risk.k-anonymity", args, &result, &error), SCRIM_OK);
    assert_int_equal(scrim_result_integer(result, "k"), 1); /* a missing key is a value */
    scrim_result_free(result);
    scrim_args_free(args);
    scrim_table_free(table);
    builder = scrim_builder_new(NULL, 0); /* no records, no columns */
    assert_int_equal(scrim_builder_table(builder, &table, &error), SCRIM_OK);
    assert_int_equal(scrim_table_rows(table), 0);
    scrim_table_free(table);
    scrim_builder_free(builder);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(arrow_round_trip),
                                        cmocka_unit_test(numbers_stay_where_they_are),
                                        cmocka_unit_test(dictionaries_become_categories),
                                        cmocka_unit_test(marks_and_origins),
                                        cmocka_unit_test(streams_are_joined),
                                        cmocka_unit_test(stream_round_trip),
                                        cmocka_unit_test(errors_cross),
                                        cmocka_unit_test(runs_a_method),
                                        cmocka_unit_test(host_lends_tables),
                                        cmocka_unit_test(nothing_is_harmless),
                                        cmocka_unit_test(builds_a_table) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
