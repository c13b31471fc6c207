/* Columns that name people: no synthesis puts out a value of theirs; what is made up is new, distinct and says nothing of the data. */
#include "methods.h"

enum { PEOPLE = 400 };

/* Numbers, names that repeat, streets and a note; `lot` hardly repeats but is called nothing. */
static void make_people(void) {
    static char text[100000];
    static const char *const surnames[] = { "Meyer", "Schmidt", "Novak", "Rossi", "Garcia", "Silva", "lastname" };
    char *at = text + sprintf(text, "mrn,lastname,street,sex,age,note,lot\n");
    for (int i = 0; i < PEOPLE; i++)
        at += sprintf(at, "%d,%s %d,%d Mill Street,%c,%d,seen by the nurse on day %d because of pain in the knee,q%d\n", 1300007 + 7 * i,
                      surnames[i % 7], i % 5, 1 + i % 90, "fm"[i % 2], 20 + i * 31 % 60, i, i);
    table_from("t", text);
}

static bool is_real(const Column *column, const char *cell) {
    char number[33];
    for (int64_t i = 0; i < column->rows; i++)
        if (!strcmp(column_cell(column, i, number), cell)) return true;
    return false;
}

/* None of the shelf's values of this column is among those made, and no two made are the same. */
static void none_is_real(const Table *table, const char *name) {
    const Column *made = table_column(table, name), *real = table_column(shelf[0], name);
    char one[33], two[33];
    assert_non_null(made);
    assert_int_equal(made->type, real->type);
    for (int64_t i = 0; i < made->rows; i++) {
        assert_false(is_real(real, column_cell(made, i, one)));
        if (i) assert_string_not_equal(column_cell(made, i, one), column_cell(made, i - 1, two));
    }
}

static void test_no_value_comes_out(void **state) {
    (void)state;
    static const char *const methods[] = { "cart t", "sequential t", "copula t", "cart t --vars mrn,lastname,street,sex,note,lot",
                                           "sequential t --n 900" };
    static const char *const direct[] = { "mrn", "lastname", "street", "note", "lot" };
    make_people();
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        char command[100];
        snprintf(command, sizeof command, "synth %s", methods[k]);
        run_ok(command);
        for (size_t c = 0; c < sizeof direct / sizeof *direct; c++) {
            none_is_real(output(), direct[c]);
            assert_true(noted(direct[c]));
        }
        assert_string_equal(output()->column[0]->name, "mrn"); /* the order of the data */
        assert_true(is_real(table_column(shelf[0], "sex"), column_cell(output_column("sex"), 0, (char[33]){ 0 })));
    }
}

/* Of several tables no number comes twice; made-up values depend on no seed. */
static void test_several(void **state) {
    (void)state;
    make_people();
    run_ok("synth cart t --m 2 --stacked");
    none_is_real(output(), "mrn");
    assert_true(column_number(output_column("mrn"), PEOPLE) > column_number(output_column("mrn"), PEOPLE - 1));
    assert_true(column_number(output_column("mrn"), 0) == 10000001);
    char number[33];
    assert_string_equal(column_cell(output_column("street"), 16, number), "street 17");
    assert_string_equal(column_cell(output_column("lastname"), 0, number), "made-up lastname 1"); /* "lastname 1" is a real value */
}

/* Roles, and what is harmless; what looks so by how rarely its values repeat is drawn where an argument says how. */
static void test_roles(void **state) {
    (void)state;
    char number[33];
    make_people();
    run_ok("synth cart t --other lastname,lot");
    none_is_real(output(), "mrn");
    assert_true(is_real(table_column(shelf[0], "lastname"), column_cell(output_column("lastname"), 3, number)));
    assert_true(is_real(table_column(shelf[0], "lot"), column_cell(output_column("lot"), 3, number)));
    run_ok("synth cart t --identifiers age --notes sex --other age,lot");
    none_is_real(output(), "age");
    none_is_real(output(), "sex");
    run_ok("synth sequential t --person age");
    none_is_real(output(), "age");
    run_ok("synth cart t --vars sex,lot --visit lot");
    assert_true(is_real(table_column(shelf[0], "lot"), column_cell(output_column("lot"), 3, number)));
    run_bad("synth cart t --visit lastname", "made up and not drawn");
    run_bad("synth cart t --strata street", "made up and not drawn");
    run_bad("synth cart t --predictors 'age ~ lastname' --visit sex,age", "made up and not drawn");
    run_bad("synth copula t --vars mrn,lastname", "nothing is left");
    table_from("rules", "rule\nmrn > 5\n");
    run_bad("synth cart t --rules rules", "made up and not drawn");
    run_bad("synth copula t --rules rules", "made up and not drawn");
}

/* A model lacks them; one that was made with them does not put them out. */
static void test_models(void **state) {
    (void)state;
    static const char *const methods[] = { "cart", "copula" };
    char command[100];
    for (int k = 0; k < 2; k++) {
        make_people();
        snprintf(command, sizeof command, "synth %s t --save-model", methods[k]);
        run_ok(command);
        assert_null(table_column(output(), "mrn"));
        assert_null(table_column(output(), "note"));
        snprintf(command, sizeof command, "synth %s t --save-model --other lastname,street,mrn", methods[k]);
        run_ok(command);
        shelve("model", table_retain(output()));
        run_ok("synth draw model");
        none_is_real(output(), "mrn");
        none_is_real(output(), "lastname");
        none_is_real(output(), "street");
        run_bad("synth draw model --given 'mrn > 5'", "made up and not drawn");
        run_ok("synth draw model --other lastname --given 'age > 30'");
        assert_true(is_real(table_column(shelf[0], "lastname"), column_cell(output_column("lastname"), 3, (char[33]){ 0 })));
        none_is_real(output(), "mrn");
    }
}

/* Where only some columns are replaced, they are not drawn, and those that stay are named. */
static void test_partial(void **state) {
    (void)state;
    make_people();
    run_bad("synth partial t --vars age,lastname", "made up and not drawn");
    run_ok("synth partial t --vars age");
    assert_true(noted("stay: mrn") && noted("lastname") && noted("note"));
    run_ok("synth partial t --vars age --other mrn,lastname,street,note,lot");
    assert_false(noted("stay: "));
    run_bad("synth keys t --keys age,lastname", "made up and not drawn");
    run_ok("synth keys t --keys age");
    assert_true(noted("stay: mrn") && noted("lastname") && noted("note"));
    run_ok("synth keys t --keys age --other mrn,lastname,street,note,lot");
    assert_false(noted("stay: "));
}

/* A frame's names do not come out either, whether or not the sample has them. */
static void test_frame(void **state) {
    (void)state;
    static char text[60000];
    make_people();
    char *at = text + sprintf(text, "lastname,sex,telephone\n");
    for (int i = 0; i < 800; i++) at += sprintf(at, "Frame%d,%c,0555-%06d\n", i, "fm"[i % 2], 1000 + i);
    const Table *frame = table_from("frame", text);
    run_ok("synth full t --frame frame --vars age");
    none_is_real(output(), "lastname");
    assert_false(is_real(table_column(frame, "lastname"), column_cell(output_column("lastname"), 0, (char[33]){ 0 })));
    assert_string_equal(column_cell(output_column("telephone"), 0, (char[33]){ 0 }), "telephone 1");
    assert_true(noted("telephone") && noted("lastname"));
}

/* Households: members' names and, from a file of their own, addresses. */
static void test_households(void **state) {
    (void)state;
    static char text[60000];
    char *at = text + sprintf(text, "hid,lastname,age\n");
    for (int i = 0; i < 600; i++) at += sprintf(at, "%d,Name%d,%d\n", i / 3, i % 50, 20 + i * 7 % 50);
    table_from("t", text);
    at = text + sprintf(text, "hid,address,region\n");
    for (int h = 0; h < 200; h++) at += sprintf(at, "%d,%d Mill Street,r%d\n", h, h, h % 3);
    table_from("houses", text);
    run_ok("synth cart t --household hid");
    none_is_real(output(), "lastname");
    run_ok("synth cart t --household hid --households houses");
    assert_int_equal(last_result->outputs, 2);
    none_is_real(last_result->output[0], "lastname");
    const Column *address = table_column(last_result->output[1], "address");
    assert_string_equal(column_cell(address, 4, (char[33]){ 0 }), "address 5");
    assert_null(table_column(last_result->output[0], "address"));
    assert_true(noted("address"));
}

/* Numbers of any length have one digit more; beyond eighteen none can be made up. */
static void test_long_numbers(void **state) {
    (void)state;
    static char text[20000];
    for (int digits = 3; digits <= 19; digits += 4) {
        char start[24];
        snprintf(start, sizeof start, "8%.*s", digits - 4, "000000000000000000");
        char *at = text + sprintf(text, "patient_id,sex,age\n");
        for (int i = 0; i < 60; i++) at += sprintf(at, "%s%03d,%c,%d\n", digits == 3 ? "" : start, i + 100, "fm"[i % 2], 20 + i % 9);
        table_from("t", text);
        if (digits == 19) run_bad("synth cart t", "none can be made up");
        else {
            run_ok("synth cart t");
            none_is_real(output(), "patient_id");
        }
    }
}

/* Every tenth name and number of a record is missing. A completed table has no other person's in its place. */
static void test_impute(void **state) {
    (void)state;
    static char text[60000];
    char *at = text + sprintf(text, "mrn,lastname,sex,age\n");
    for (int i = 0; i < PEOPLE; i++) {
        at += i % 10 ? sprintf(at, "%d,Name%d,", 1300007 + 7 * i, i % 90) : sprintf(at, ",,");
        at += i % 7 ? sprintf(at, "%c,%d\n", "fm"[i % 2], 20 + i * 31 % 60) : sprintf(at, ",\n");
    }
    table_from("t", text);
    run_ok("synth impute t");
    assert_true(noted("mrn") && noted("lastname"));
    for (int i = 0; i < PEOPLE; i++) {
        assert_int_equal(column_missing(output_column("mrn"), i), i % 10 == 0);
        assert_int_equal(column_missing(output_column("lastname"), i), i % 10 == 0);
        assert_false(column_missing(output_column("sex"), i) || column_missing(output_column("age"), i));
    }
    run_bad("synth impute t --vars lastname", "not drawn");
    run_bad("synth impute t --vars sex --identifiers sex", "not drawn");
    run_ok("synth impute t --vars lastname --other lastname");
    assert_int_equal(output_column("lastname")->missing, 0);
}

/* Cells have values of the data, or of a domain that was known before. */
static void test_dirichlet(void **state) {
    (void)state;
    make_people();
    run_bad("synth dirichlet t --vars lastname --alpha 1", "not drawn");
    run_bad("synth dirichlet t --vars sex --by lastname --alpha 1", "not drawn");
    run_bad("synth dirichlet t --vars sex,age --identifiers age --alpha 1", "not drawn");
    run_bad("synth dirichlet t --vars sex --by age --person age --alpha 1", "not drawn");
    run_ok("synth dirichlet t --vars sex,lastname --other lastname --alpha 1");
    table_from("known", "lastname\nMeyer 0\nNobody 1\n");
    run_ok("synth dirichlet t --vars lastname --domain known --alpha 1 --n 20");
    run_bad("synth dirichlet t --vars sex --domain known --by lastname --alpha 1 --n 20", "not drawn");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_no_value_comes_out),
                                        cmocka_unit_test(test_several),
                                        cmocka_unit_test(test_roles),
                                        cmocka_unit_test(test_models),
                                        cmocka_unit_test(test_partial),
                                        cmocka_unit_test(test_frame),
                                        cmocka_unit_test(test_households),
                                        cmocka_unit_test(test_long_numbers),
                                        cmocka_unit_test(test_impute),
                                        cmocka_unit_test(test_dirichlet) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
