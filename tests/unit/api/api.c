/* The library's edge: arguments, errors, tables through Arrow, every symbol public that should be. */
#include "testing.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "io/arrow.h"
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

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(arrow_round_trip), cmocka_unit_test(errors_cross), cmocka_unit_test(runs_a_method),
                                        cmocka_unit_test(host_lends_tables), cmocka_unit_test(nothing_is_harmless) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
