/* scrub.facts: the facts of plain sentences, and k over them. */
#include "methods.h"

static void told(void **state) {
    (void)state;
    table_from("data", "note\nA 93 year old woman with diabetes fell and was admitted.\nShe is 91 years old: diabetes; she fell; "
                       "admitted.\nEl paciente de 47 años ingreso por dolor.\nnothing\n");
    run_ok("scrub facts data --columns note");
    assert_string_equal(cells_of(last_result->column[0].column), "90+ 90+ 40–49 .");
    assert_string_equal(last_result->column[3].column->name, "events");
    assert_true(value("k") == 1 && value("uniques") == 2 && value("below_3") == 4 && value("without") == 1);
}

static void edges(void **state) {
    (void)state;
    table_from("none", "note\n");
    run_ok("scrub facts none --columns note");
    assert_int_equal(result_find(last_result, "k")->kind, VALUE_NULL);
    run_bad("scrub facts none --columns other", "other");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(told), cmocka_unit_test(edges) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
