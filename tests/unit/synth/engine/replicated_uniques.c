/* --protect replicated-uniques: by counting every pair of records, no synthetic one has the keys of a unique original one;
 * strata, rules, several tables; what cannot be protected is refused. */
#include "methods.h"
#include <unistd.h>

static const char *const everything[] = { NULL };

static bool same_record(const Table *a, int64_t i, const Table *b, int64_t k, const char *const *keys) {
    char one[33], two[33];
    if (*keys) {
        for (; *keys; keys++)
            if (!same_text(table_cell(a, *keys, i, one), table_cell(b, *keys, k, two))) return false;
        return true;
    }
    for (int64_t j = 0; j < b->columns; j++)
        if (!same_text(table_cell(a, b->column[j]->name, i, one), column_cell(b->column[j], k, two))) return false;
    return true;
}

/* Original records that are unique on the keys (all columns of the output where none is named) and occur in the output. */
static int64_t copies(const Table *data, const Table *made, const char *const *keys) {
    int64_t copied = 0;
    for (int64_t i = 0; i < data->rows; i++) {
        bool unique = true, found = false;
        for (int64_t k = 0; unique && k < data->rows; k++) {
            if (k == i) continue;
            char one[33], two[33];
            bool same = true;
            if (*keys) same = same_record(data, i, data, k, keys);
            for (int64_t j = 0; !*keys && same && j < made->columns; j++)
                same = same_text(table_cell(data, made->column[j]->name, i, one), table_cell(data, made->column[j]->name, k, two));
            unique = !same;
        }
        for (int64_t k = 0; unique && !found && k < made->rows; k++) found = same_record(data, i, made, k, keys);
        copied += found;
    }
    return copied;
}

/* Four columns of few values, with empty cells, and one that is computed from two others. */
static const Table *make_data(uint64_t seed, int records) {
    static char text[60000];
    char *at = text + sprintf(text, "a,b,c,x,total\n");
    uint64_t word = seed * 77 + 5;
    for (int i = 0; i < records; i++) {
        word = word * 6364136223846793005u + 1442695040888963407u;
        int a = (int)(word >> 33) % 6, b = (int)(word >> 40) % 5, x = (int)(word >> 45) % 30;
        at += sprintf(at, "%c,", 'p' + a * a / 6);
        at += (word >> 52) % 9 ? sprintf(at, "%c,", 'k' + b) : sprintf(at, ",");
        at += sprintf(at, "%c,%d,%d\n", (word >> 56) % 40 ? 'u' : 'v', x, 3 * x + 7);
    }
    return table_from("t", text);
}

static void test_no_copy(void **state) {
    (void)state;
    static const char *const keys[] = { "a", "b", "c", NULL };
    static const char *const methods[] = { "cart", "sequential", "copula" };
    int64_t without = 0, redrawn = 0;
    for (size_t m = 0; m < 3; m++)
        for (int seed = 1; seed <= 6; seed++) {
            char command[160];
            const Table *data = make_data((uint64_t)seed, 200);
            snprintf(command, sizeof command, "synth %s t --keys a,b,c --protect none", methods[m]);
            run_ok_seeded((uint64_t)seed, command);
            without += copies(data, output(), keys);
            snprintf(command, sizeof command, "synth %s t --keys a,b,c --protect replicated-uniques", methods[m]);
            run_ok_seeded((uint64_t)seed, command);
            assert_int_equal(output()->rows, 200);
            assert_int_equal(copies(data, output(), keys), 0);
            redrawn += (int64_t)value("redrawn_uniques");
            snprintf(command, sizeof command, "synth %s t --protect replicated-uniques --m 2 --stacked", methods[m]);
            run_ok_seeded((uint64_t)seed, command);
            assert_int_equal(output()->rows, 400);
            Table *plain = NULL;
            assert_int_equal(table_without(output(), (const char *const[]){ "set" }, 1, &plain, &(Error){ 0 }), OK);
            assert_int_equal(copies(data, plain, everything), 0);
            table_release(plain);
        }
    assert_true(without > 20 && redrawn > 20); /* else there was nothing to protect from */
}

/* Parameters decide the draw, so one that was not given is no part of it: a run without the option draws as it did before there was one. */
static void test_same_bytes(void **state) {
    (void)state;
    make_data(3, 200);
    run_ok("synth cart t --keys a,b,c --evaluate");
    for (int64_t i = 0; i < last_result->params; i++) assert_string_not_equal(last_result->param[i].name, "protect");
}

/* Rules and strata hold beside it. */
static void test_rules(void **state) {
    (void)state;
    static const char *const keys[] = { "a", "b", "c", NULL };
    const Table *data = make_data(9, 240);
    table_from("rules", "rule\nx < 20 | a == \"p\"\n");
    for (int m = 0; m < 2; m++) {
        char number[33];
        run_ok(m ? "synth copula t --keys a,b,c --protect replicated-uniques --rules rules"
                 : "synth cart t --strata c --keys a,b,c --protect replicated-uniques --rules rules");
        assert_int_equal(copies(data, output(), keys), 0);
        for (int64_t i = 0; i < output()->rows; i++) {
            const char *a = column_cell(output_column("a"), i, number);
            assert_true(column_number(output_column("x"), i) < 20 || (a && *a == 'p'));
        }
    }
}

static void test_bad(void **state) {
    (void)state;
    make_data(2, 100);
    run_bad("synth cart t --vars a,b --keys c --protect replicated-uniques", "is not synthesised");
    run_bad("synth copula t --vars x,total --keys c --protect replicated-uniques", "is not synthesised");
    run_bad("synth cart t --household a --protect replicated-uniques", "drawn whole");
    run_bad("synth cart t --protect replicated-uniques --save-model", "has no --protect");
    run_bad("synth cart t --keys a", "only with");
    run_bad("synth full t --frame t --keys a", "only with");
    table_from("t", "a,b\np,1\nq,2\nr,3\ns,4\n"); /* every value that can be drawn is someone's own */
    run_bad("synth cart t --vars a --other a --protect replicated-uniques", "values of an original record that is unique");
    run_bad("synth copula t --vars a --other a --protect replicated-uniques", "values of an original record that is unique");
}

/* Real tables: no copy of a unique record is left, by the evaluation's own count. */
static void test_files(void **state) {
    (void)state;
    static const char *const commands[][2] = {
        { "../shared/data/sd2011.csv", "synth cart t --vars sex,age,edu,marital,smoke,placesize --protect replicated-uniques --evaluate" },
        { "../shared/data/nist/tx2019.csv", "synth cart t --vars AGEP,SEX,MSP,RAC1P,HOUSING_TYPE,OWN_RENT,EDU,PINCP_DECILE,DVET,DEYE "
                                            "--protect replicated-uniques --evaluate" },
    };
    for (size_t f = 0; f < sizeof commands / sizeof *commands; f++) {
        if (access(commands[f][0], R_OK)) skip();
        table_from_file("t", commands[f][0]);
        run_ok(commands[f][1]);
        near(value("copied_uniques"), 0, 0);
        assert_true(value("redrawn_uniques") > 10);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_no_copy), cmocka_unit_test(test_same_bytes), cmocka_unit_test(test_rules),
                                        cmocka_unit_test(test_bad), cmocka_unit_test(test_files) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
