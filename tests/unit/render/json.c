/* JSON: it parses, and holds what the result holds. */
#include <jansson.h>
#include <string.h>
#include "sample.h"

static json_t *parsed(const Result *result) {
    Buffer out = { 0 };
    json_error_t error;
    render_json(result, &out);
    json_t *json = json_loadb(out.bytes, out.count, 0, &error);
    if (!json) fail_msg("%s at %d: %s", error.text, error.line, buffer_get(&out));
    buffer_free(&out);
    return json;
}

static json_t *at(json_t *json, const char *first, const char *second) {
    json_t *found = json_object_get(json_object_get(json, first), second);
    assert_non_null(found);
    return found;
}

static void everything(void **state) {
    (void)state;
    Result *result = sample();
    json_t *json = parsed(result);
    assert_int_equal(json_integer_value(json_object_get(json, "schema")), 1);
    assert_string_equal(json_string_value(json_object_get(json, "method")), "risk.k-anonymity");
    assert_string_equal(json_string_value(json_object_get(json, "version")), SCRIM_VERSION);
    assert_int_equal(json_integer_value(at(json, "values", "k")), 1);
    assert_true(json_real_value(at(json, "values", "share")) == 1.0 / 3);
    assert_string_equal(json_string_value(at(json, "values", "rule")), "wildcard");
    assert_true(json_is_null(at(json, "values", "theta")));
    assert_string_equal(json_string_value(at(json, "values", "scale")), "Infinity");
    assert_string_equal(json_string_value(at(json, "values", "worlds")), "9007199254740993");
    json_t *rows = json_object_get(at(json, "tables", "suppressed"), "rows");
    assert_int_equal(json_array_size(rows), 3);
    assert_string_equal(json_string_value(json_array_get(json_array_get(rows, 1), 0)), "a<b>&\"c\"");
    for (size_t j = 0; j < 3; j++) assert_true(json_is_null(json_array_get(json_array_get(rows, 2), j)));
    assert_int_equal(json_array_size(json_object_get(json, "charts")), 1);
    assert_int_equal(json_array_size(json_object_get(json, "notes")), 2);
    assert_true(json_real_value(at(json_object_get(json_object_get(json, "results"), "inner"), "values", "max_risk")) == 0.25);
    json_decref(json);
    result_free(result);
}

static void params(void **state) {
    (void)state;
    Result *result = sample();
    json_t *json = parsed(result), *keys = at(json, "params", "keys");
    assert_int_equal(json_array_size(keys), 3);
    assert_string_equal(json_string_value(json_array_get(keys, 1)), "a,b");
    assert_int_equal(json_integer_value(json_array_get(keys, 2)), 7);
    assert_int_equal(json_integer_value(at(json, "params", "k")), 3);
    assert_string_equal(json_string_value(at(json, "params", "code")), "007"); /* not a number's own form */
    assert_null(json_object_get(json_object_get(json, "params"), "password"));
    json_decref(json);
    result_free(result);
}

static void outputs(void **state) {
    (void)state;
    Result *result = result_new("protect.noise");
    Column *column = NULL;
    Table *table = NULL;
    assert_int_equal(column_new(REAL_TYPE, "x\ny", 4, &column, NULL), OK);
    assert_int_equal(table_new("t", &column, 1, 4, &table, NULL), OK);
    column_release(column);
    result_output(result, table);
    json_t *json = parsed(result), *output = json_array_get(json_object_get(json, "outputs"), 0);
    assert_int_equal(json_integer_value(json_object_get(output, "rows")), 4);
    assert_string_equal(json_string_value(json_array_get(json_object_get(output, "columns"), 0)), "x\ny");
    json_decref(json);
    result_free(result);
}

static void nothing(void **state) {
    (void)state;
    static const char *const members[] = { "params", "values", "tables", "charts", "notes", "results", "outputs" };
    Result *result = result_new("risk.nothing");
    grid_done(grid_new(result, "empty", "a:integer"));
    json_t *json = parsed(result);
    for (size_t i = 0; i < 7; i++) assert_non_null(json_object_get(json, members[i]));
    assert_int_equal(json_array_size(json_object_get(at(json, "tables", "empty"), "rows")), 0);
    json_decref(json);
    result_free(result);
}

static void charts(void **state) {
    (void)state;
    Result *result = result_new("risk.chart");
    Chart *chart = result_chart(result, CHART_HEAT, "h", NULL, NULL);
    chart_series(chart, "z", 1, (double[]){ 0 }, (double[]){ 0 }, (double[]){ NAN }, NULL);
    chart_names(chart, 1, (const char *const[]){ "a\\" }, 0, NULL);
    chart = result_chart(result, CHART_HISTOGRAM, "h", "x", "y");
    chart_series(chart, "n", 2, (double[]){ 0, 1, 2 }, (double[]){ 5, 6 }, NULL, NULL);
    json_t *json = parsed(result), *list = json_object_get(json, "charts");
    json_t *heat = json_array_get(json_object_get(json_array_get(list, 0), "series"), 0),
           *bins = json_array_get(json_object_get(json_array_get(list, 1), "series"), 0);
    assert_true(json_is_null(json_array_get(json_object_get(heat, "z"), 0)));
    assert_int_equal(json_array_size(json_object_get(bins, "x")), 3);
    assert_int_equal(json_array_size(json_object_get(bins, "y")), 2);
    json_decref(json);
    result_free(result);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(everything), cmocka_unit_test(params), cmocka_unit_test(outputs),
                                        cmocka_unit_test(nothing), cmocka_unit_test(charts) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
