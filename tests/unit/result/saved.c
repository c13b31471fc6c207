/* Results saved and read back: every kind of value, column, chart and result within; and bytes that are no result. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "testing.h"
#include "result/saved.h"

static Error error;

static Column *made(Type type, const char *name, int64_t rows) {
    Column *column = NULL;
    assert_int_equal(column_new(type, name, rows, &column, &error), OK);
    return column;
}

/* Numbers that formats lose: −0, the least and the largest double, whole numbers that no double holds. */
static Table *odd_table(void) {
    Column *column[6];
    Table *table = NULL;
    column[0] = made(REAL_TYPE, "real", 5);
    const double reals[] = { -0.0, 0.1, 5e-324, -1.7976931348623157e308, INFINITY };
    memcpy(column[0]->real, reals, sizeof reals);
    column[1] = made(INTEGER_TYPE, "whole", 5);
    const int64_t wholes[] = { INT64_MIN + 1, INT64_MAX, 9007199254740993, 0, -1 };
    memcpy(column[1]->integer, wholes, sizeof wholes);
    assert_int_equal(column_need_valid(column[1], &error), OK);
    column_set_missing(column[1], 3);
    assert_int_equal(column_need_reason(column[1], &error), OK);
    column[1]->reason[3] = MISSING_SUPPRESSED;
    const char *cells[] = { "b", NULL, "a", "é \"\\\n", "" };
    assert_int_equal(column_category("category", cells, 5, &column[2], &error), OK);
    assert_int_equal(column_text("text", cells, 5, &column[3], &error), OK);
    column[4] = made(DATE_TYPE, "date", 5);
    column[4]->date[0] = -719468;
    column[5] = made(DATETIME_TYPE, "moment", 5);
    column[5]->moment[1] = INT64_C(-62135596800000000);
    for (int i = 0; i < 6; i++) column_seal(column[i]);
    assert_int_equal(table_new("odd", column, 6, 5, &table, &error), OK);
    for (int i = 0; i < 6; i++) column_release(column[i]);
    table_perturb(table, "real");
    return table;
}

static Result *sample(void) {
    Result *result = result_new("risk.sample"), *inner = result_new("risk.inner");
    const double x[] = { 0, 1, 2 }, y[] = { 1, NAN }, five[] = { 1, 2, 3, 4, 5 };
    const char *words[] = { "one", NULL };
    error = ERROR_NONE;
    result_real(result, "real", -0.0);
    result_real(result, "infinite", -INFINITY);
    result_integer(result, "whole", INT64_MAX);
    result_text(result, "text", "a\tb");
    result_null(result, "nothing", "because %d", 3);
    result_describe(result, "real", "What it means", true);
    result_note(result, "A note");
    result_param(result, "keys", "a,`b,c`", false, false, true);
    result_param(result, "password", "secret", true, false, false);
    result_param(result, "k", "3", false, true, false);
    Table *table = odd_table();
    result_column(result, "data", column_retain(table->column[2]));
    result_table(result, "empty", table_retain(table));
    result_output(result, table);
    Chart *chart = result_chart(result, CHART_HISTOGRAM, "Title", "x", "y");
    chart_of(chart, "empty");
    chart_series(chart, "s", 2, x, y, NULL, NULL);
    chart_series(result_chart(result, CHART_BOX, "Boxes", "x", "y"), "b", 1, NULL, five, NULL, words + 1);
    chart = result_chart(result, CHART_HEAT, "Heat", "x", "y");
    chart_series(chart, "h", 2, x, x, y, words);
    chart_names(chart, 1, words, 1, words);
    chart = result_chart(result, CHART_SCATTER, "Map", "x", "y");
    chart_series(chart, "p", 2, x, x, NULL, NULL);
    chart_spread(chart, x, x, x, x);
    chart_finding(chart, "It falls.");
    chart_limit(chart, 1, "a bound");
    result_describe_table(result, "empty", "A table", true);
    result_integer(inner, "k", 1);
    result_result(result, "within", inner);
    assert_false(result->failed);
    return result;
}

static void reads_back(void **state) {
    (void)state;
    Result *result = sample(), *back = NULL;
    Buffer text = { 0 };
    result_save(result, &text);
    assert_null(strstr(buffer_get(&text), "secret\",\"text"));
    assert_int_equal(result_load("x", text.bytes, text.count, &back, &error), OK);
    assert_true(result_same(result, back));
    assert_true(signbit(result_find(back, "real")->real));
    assert_true(result_find(back, "real")->public);
    assert_true(result_find(back, "infinite")->real == -INFINITY);
    assert_true(result_find(back, "whole")->integer == INT64_MAX);
    assert_string_equal(result_find(back, "nothing")->text, "because 3");
    assert_true(table_equal(result->output[0], back->output[0]));
    assert_true(signbit(back->output[0]->column[0]->real[0]));
    assert_true(back->output[0]->perturbed && back->output[0]->altered[0] && !back->output[0]->altered[1]);
    assert_int_equal(column_suppressed(back->output[0]->column[1]), 1);
    assert_true(back->chart[0]->public);
    assert_true(isnan(back->chart[0]->series[0].y[1]));
    const Chart *map = back->chart[back->charts - 1];
    assert_true(map->series[0].y_high && map->series[0].y_high[1] == map->series[0].x[1]);
    assert_string_equal(map->finding, "It falls.");
    assert_string_equal(map->limit_text, "a bound");
    assert_int_equal(map->limit, 1);
    assert_int_equal(result_within(back, "within")->value[0].integer, 1);
    result_free(back);
    result_free(result);
    buffer_free(&text);
}

/* What is known of a table beside its cells: that it is a release, what its rows stem from, how its cells add up; and one whose records
 * were written as they were made. */
static void facts_of_tables_travel(void **state) {
    (void)state;
    static const int64_t rows[] = { 4, 0, -1 };
    Result *result = result_new("protect.sample"), *back = NULL;
    Table *table = odd_table(), *some = NULL, *none = NULL;
    Buffer text = { 0 };
    error = ERROR_NONE;
    assert_int_equal(table_take(table, rows, 3, &some, &error), OK);
    assert_int_equal(table_take(table, rows, 0, &none, &error), OK);
    some->released = true;
    some->label = strdup("a survey");
    some->structure = strdup("{\"total\":\"T\"}");
    none->rows = 1000;
    none->elsewhere = calloc(7, sizeof *none->elsewhere);
    none->elsewhere[2] = 3;
    none->column[2]->missing = 5;
    result_output(result, some);
    result_output(result, none);
    result_save(result, &text);
    assert_int_equal(result_load("x", text.bytes, text.count, &back, &error), OK);
    assert_true(result_same(result, back));
    const Table *read = back->output[0];
    assert_true(read->released);
    for (int i = 0; i < 3; i++) assert_int_equal(read->origin[i], rows[i]);
    assert_string_equal(read->label, "a survey");
    assert_string_equal(read->structure, "{\"total\":\"T\"}");
    read = back->output[1];
    assert_int_equal(read->rows, 1000);
    assert_false(read->released);
    assert_int_equal(read->column[2]->missing, 5);
    assert_int_equal(read->elsewhere[2], 3);
    result_free(back);
    result_free(result);
    table_release(table);
    buffer_free(&text);
}

/* Bytes that say of a table what cannot be. */
static void facts_that_cannot_be(void **state) {
    (void)state;
    static const char *const tables[] = {
        "\"outputs\":[{\"rows\":2,\"origin\":[1],\"columns\":[]}]",
        "\"outputs\":[{\"rows\":1,\"origin\":[-2],\"columns\":[]}]",
        "\"outputs\":[{\"rows\":1,\"origin\":[\"9223372036854775807\"],\"columns\":[]}]",
        "\"outputs\":[{\"rows\":1,\"elsewhere\":true,\"columns\":[{\"name\":\"x\",\"type\":\"real\",\"cells\":[],\"missing\":2,\"blanked\":"
        "0}]}]",
        "\"outputs\":[{\"rows\":1,\"elsewhere\":true,\"columns\":[{\"name\":\"x\",\"type\":\"real\",\"cells\":[],\"missing\":1,\"blanked\":"
        "2}]}]",
        "\"outputs\":[{\"rows\":1,\"elsewhere\":true,\"columns\":[{\"name\":\"x\",\"type\":\"real\",\"cells\":[1],\"missing\":0,"
        "\"blanked\":0}]}]",
        "\"outputs\":[],\"tables\":[{\"name\":\"t\",\"table\":{\"rows\":9,\"elsewhere\":true,\"columns\":[]}}]",
    };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        char text[1024];
        Result *back = NULL;
        snprintf(text, sizeof text,
                 "{\"scrim\":\"result\",\"schema\":1,\"method\":\"m\",\"params\":[],\"values\":[],\"records\":[],\"charts\":[],%s%s,"
                 "\"notes\":[],\"results\":[]}",
                 strstr(tables[i], "\"tables\"") ? "" : "\"tables\":[],", tables[i]);
        assert_int_equal(result_load("x", text, strlen(text), &back, &error), BAD);
        assert_null(back);
    }
}

/* Cut short anywhere, or with a byte changed anywhere: an error, or a result; never a crash, and never another reading of what was left
 * whole. */
static void broken_bytes_are_met(void **state) {
    (void)state;
    Result *result = sample(), *back = NULL;
    Buffer text = { 0 };
    result_save(result, &text);
    for (size_t cut = 0; cut + 2 < text.count; cut += 7) {
        assert_int_equal(result_load("x", text.bytes, cut, &back, &error), BAD);
        assert_null(back);
    }
    const char put[] = "\"{}[]:,9-e.nx\\\xff";
    for (size_t i = 0; i < text.count; i += 2)
        for (size_t j = 0; j < sizeof put; j += 1 + i % 3) {
            char old = text.bytes[i];
            text.bytes[i] = put[j];
            Status status = result_load("x", text.bytes, text.count, &back, &error);
            assert_true(status == OK || status == BAD);
            result_free(back);
            text.bytes[i] = old;
        }
    result_free(result);
    buffer_free(&text);
}

static void no_result_is_refused(void **state) {
    (void)state;
    static const char *const texts[] = {
        "",    "[]", "{}", "{\"scrim\":\"result\",\"schema\":2,\"method\":\"m\"}", "{\"scrim\":\"result\",\"schema\":1,\"method\":\"m\"}",
        "null"
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Result *back = NULL;
        assert_int_equal(result_load("file.json", texts[i], strlen(texts[i]), &back, &error), BAD);
        assert_string_equal(error.file, "file.json");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(reads_back), cmocka_unit_test(facts_of_tables_travel),
                                        cmocka_unit_test(facts_that_cannot_be), cmocka_unit_test(broken_bytes_are_met),
                                        cmocka_unit_test(no_result_is_refused) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
