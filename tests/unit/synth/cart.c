/* synth.cart: structure is kept, rules are never broken, missing stays missing, the same bytes for any number of threads, bad input. */
#include "methods.h"

/* y is 10·g plus noise; z is missing where g = 2; s is a spike at 0 for half the records. */
static void make_data(int rows) {
    static char text[200000];
    char *at = text + sprintf(text, "g,h,y,z,s\n");
    uint64_t word = 12345;
    for (int i = 0; i < rows; i++) {
        word = word * 6364136223846793005u + 1442695040888963407u;
        int g = (int)(word >> 33) % 3, noise = (int)(word >> 40) % 5, h = (int)(word >> 50) % 4;
        at += sprintf(at, "%c,h%d,%d,", 'a' + g, h, 10 * g + noise);
        if (g < 2) at += sprintf(at, "%d", 5 + h);
        at += sprintf(at, ",%d\n", noise < 3 ? 0 : 100 + (int)(word >> 35) % 300);
    }
    table_from("t", text);
}

/* Where a tree can tell it, the relation holds in every synthetic record. */
static void test_structure(void **state) {
    (void)state;
    make_data(2000);
    run_ok("synth cart t");
    assert_int_equal(output()->rows, 2000);
    double share[3] = { 0 };
    for (int i = 0; i < 2000; i++) {
        char number[33];
        int g = column_cell(output_column("g"), i, number)[0] - 'a';
        double y = column_number(output_column("y"), i);
        assert_true(y >= 10 * g && y < 10 * g + 5);
        assert_int_equal(column_missing(output_column("z"), i), g == 2);
        share[g] += 1 / 2000.;
    }
    for (int g = 0; g < 3; g++) near(share[g], 1 / 3., .05);
    assert_int_equal(output_column("y")->type, INTEGER_TYPE);
}

static void test_threads_and_seeds(void **state) {
    (void)state;
    make_data(1500);
    run_threads = 1;
    run_ok_seeded(7, "synth cart t --m 2 --stacked");
    Table *one = table_retain(output());
    run_threads = 4;
    run_ok_seeded(7, "synth cart t --m 2 --stacked");
    assert_true(table_equal(one, output()));
    assert_int_equal(output()->rows, 3000);
    assert_string_equal(output()->column[0]->name, "set");
    run_ok_seeded(8, "synth cart t --m 2 --stacked");
    assert_false(table_equal(one, output()));
    table_release(one);
    run_threads = 2;
    run_ok("synth cart t --m 3");
    assert_int_equal(last_result->outputs, 3);
    assert_false(table_equal(last_result->output[0], last_result->output[1]));
}

/* Rules hold in every record, whatever was asked beside them. */
static void test_rules(void **state) {
    (void)state;
    make_data(800);
    table_from("rules", "rule\ng == 'a' -> h != 'h1'\n!(g == 'b' & s > 0)\ny < 23\n");
    static const char *const with[] = { "", "--m 2 --stacked", "--strata h", "--n 3000", "--vars g,h,y,s --visit s,y" };
    for (int k = 0; k < 5; k++) {
        char command[128], number[33];
        snprintf(command, sizeof command, "synth cart t --rules rules %s", with[k]);
        for (int seed = 1; seed < 6; seed++) {
            run_ok_seeded(seed, command);
            for (int64_t i = 0; i < output()->rows; i++) {
                char g = column_cell(output_column("g"), i, number)[0];
                assert_false(g == 'a' && !strcmp(column_cell(output_column("h"), i, number), "h1"));
                assert_false(g == 'b' && column_number(output_column("s"), i) > 0);
                assert_true(column_number(output_column("y"), i) < 23);
            }
        }
    }
    table_from("never", "rule\ng == 'a' & g == 'b'\n");
    run_bad("synth cart t --rules never", "cannot be kept");
    table_from("wrong", "rule\ng ==\n");
    run_bad("synth cart t --rules wrong", "rule");
}

/* Strata keep their sizes and what is in them, and not their places: those would tell whose record is of which. */
static void test_strata(void **state) {
    (void)state;
    static char text[20000];
    char *at = text + sprintf(text, "s,x\n");
    for (int i = 0; i < 600; i++) at += sprintf(at, "%c,%d\n", "abb"[i % 3], i % 3 ? 100 + i : i);
    table_from("t", text);
    run_ok_seeded(5, "synth cart t --strata s");
    int size = 0, there = 0;
    for (int64_t i = 0; i < 600; i++) {
        char number[33];
        bool a = column_cell(output_column("s"), i, number)[0] == 'a';
        int64_t x = (int64_t)column_number(output_column("x"), i);
        size += a;
        there += a == !(i % 3);
        assert_true(a ? x <= 597 : x >= 101);
    }
    assert_int_equal(size, 200);
    assert_true(there > 280 && there < 390); /* 333 by chance, sd 12: a false alarm in 100,000 seeds */
}

static void test_between(void **state) {
    (void)state;
    make_data(1000);
    run_ok("synth cart t");
    int zero = 0, fresh = 0;
    const Column *s = output_column("s");
    for (int i = 0; i < 1000; i++) {
        double x = column_number(s, i);
        bool known = false;
        for (int j = 0; j < 1000; j++) known |= column_number(table_column(shelf[0], "s"), j) == x;
        assert_true(x >= 0 && x < 400 && x == floor(x));
        zero += x == 0;
        fresh += !known;
    }
    near(zero / 1000., .6, .06); /* the spike stays */
    assert_true(fresh > 10);
}

/* Numbers with all their digits never come back, codes that are nominal always do, and records of one half come back hardly more often than
 * those of a half that was not seen. */
static void test_copies(void **state) {
    (void)state;
    static char text[400000];
    char *at = text + sprintf(text, "c,x,age,d\n");
    uint64_t word = 99;
    static int seen[2000][3];
    for (int i = 0; i < 2000; i++) {
        word = word * 6364136223846793005u + 1442695040888963407u;
        int c = (int)(word >> 33) % 4, age = (int)(word >> 40) % 90, d = (int)(word >> 50) % 9;
        seen[i][0] = c, seen[i][1] = age, seen[i][2] = d;
        if (i < 1000) at += sprintf(at, "%d,%.17g,%d,%d\n", (int[]){ 1, 3, 4, 19 }[c], (double)(word >> 11) * 0x1p-53, age, d);
    }
    table_from("t", text);
    run_ok("synth cart t --vars c,age,d");
    static bool made[4][90][9];
    int back[2] = { 0 };
    memset(made, 0, sizeof made);
    for (int i = 0; i < 1000; i++) {
        int c = (int)column_number(output_column("c"), i), k = c == 1 ? 0 : c == 3 ? 1 : c == 4 ? 2 : 3;
        assert_true(c == 1 || c == 3 || c == 4 || c == 19);
        made[k][(int)column_number(output_column("age"), i)][(int)column_number(output_column("d"), i)] = true;
    }
    for (int i = 0; i < 2000; i++) back[i >= 1000] += made[seen[i][0]][seen[i][1]][seen[i][2]];
    assert_true(back[0] < back[1] + 200); /* of 1,000; where donors are copied 350 more */
    run_ok("synth cart t --vars c,x");
    const Column *x = output_column("x"), *old = table_column(shelf[0], "x");
    int copied = 0;
    for (int i = 0; i < 1000; i++)
        for (int j = 0; j < 1000; j++) copied += x->real[i] == old->real[j];
    assert_int_equal(copied, 0);
}

/* To measure a synthesis does not change it; a table that comes back whole is all copies. */
static void test_evaluate_same(void **state) {
    (void)state;
    make_data(300);
    run_ok_seeded(9, "synth cart t --vars g,h,y");
    shelve("h", table_retain(output()));
    run_ok_seeded(3, "synth cart t --vars g,h,y");
    Table *one = table_retain(output());
    run_ok_seeded(3, "synth cart t --vars g,h,y --evaluate --keys g,h --holdout h");
    assert_true(table_equal(one, output()));
    assert_true(value("copied_uniques") >= 0 && value("copied_uniques") <= 1);
    assert_true(noted("unique records, which the synthesis did not see"));
    table_release(one);
    table_from("t", "a,b\n1,x\n");
    run_ok("synth cart t --evaluate");
    near(value("copied_uniques"), 1, 0);
}

/* Sums, multiples and copies hold in every synthetic record, also where rules name them; not where a model of the column is asked for, nor
 * where one record of the data differs. */
static void test_identities(void **state) {
    (void)state;
    static char text[60000];
    for (int broken = 0; broken < 2; broken++) {
        char *at = text + sprintf(text, "total,income,bonus,net,g\n");
        uint64_t word = 5;
        for (int i = 0; i < 600; i++) {
            word = word * 6364136223846793005u + 1442695040888963407u;
            int income = 1000 + (int)(word >> 33) % 8000, bonus = (int)(word >> 45) % 900;
            at += sprintf(at, "%d,%d,%d,%.1f,%c\n", income + bonus + (broken && i == 77), income, bonus, 0.6 * income - 50, "ab"[i % 2]);
        }
        table_from("t", text);
        table_from("rules", "rule\ntotal > 3000\n");
        static const char *const with[] = { "cart t", "sequential t", "cart t --rules rules", "sequential t --models total:cart" };
        for (int k = 0; k < 4; k++) {
            char command[80];
            snprintf(command, sizeof command, "synth %s", with[k]);
            run_ok(command);
            int sums = 0, multiples = 0, rule = 0, negative = 0;
            for (int i = 0; i < 600; i++) {
                double total = column_number(output_column("total"), i), income = column_number(output_column("income"), i);
                sums += total == income + column_number(output_column("bonus"), i);
                multiples += fabs(column_number(output_column("net"), i) - (0.6 * income - 50)) < 1e-9;
                rule += total > 3000;
                negative += column_number(output_column("bonus"), i) < 0;
            }
            assert_int_equal(multiples, 600);
            assert_true(!broken && k < 3 ? sums == 600 : sums < 600);
            assert_int_equal(negative, 0);
            if (k == 2) assert_int_equal(rule, 600);
            if (!broken && k < 3) assert_true(noted("total = bonus + income") || noted("total = income + bonus"));
        }
        assert_string_equal(output()->column[0]->name, "total");
    }
}

/* Codes by which cells are missing come back, those of every model. */
static void test_missing_codes(void **state) {
    (void)state;
    static const char *const with[] = { "cart", "sequential", "copula" };
    char path[] = "/tmp/scrim-codes-XXXXXX.csv";
    int handle = mkstemps(path, 4);
    assert_true(handle >= 0);
    FILE *file = fdopen(handle, "w");
    fprintf(file, "g,x,y\n");
    for (int i = 0; i < 1200; i++) {
        fprintf(file, "%c,", "ab"[i % 2]);
        i % 3 ? fprintf(file, "%d,", i * 37 % 500) : fprintf(file, "N,");
        i % 4 ? fprintf(file, "%d\n", 1 + i % 3) : fprintf(file, "N\n");
    }
    fclose(file);
    table_from_file("t", path);
    remove(path);
    for (int k = 0; k < 3; k++) {
        char command[80];
        snprintf(command, sizeof command, "synth %s t", with[k]);
        run_ok(command);
        for (int c = 0; c < 2; c++) {
            const Column *column = output_column(c ? "y" : "x");
            assert_non_null(column->reason);
            assert_true(column->missing > 200);
            for (int i = 0; i < 1200; i++) assert_true(!column_missing(column, i) || column->reason[i] >= MISSING_CODE_FIRST);
        }
    }
}

/* With weights, the share of the heavy half grows to its weight. */
static void test_weights(void **state) {
    (void)state;
    static char text[20000];
    char *at = text + sprintf(text, "g,w\n");
    for (int i = 0; i < 1000; i++) at += sprintf(at, "%c,%d\n", i % 2 ? 'a' : 'b', i % 2 ? 9 : 1);
    table_from("t", text);
    run_ok("synth cart t --weight w");
    assert_int_equal(output()->columns, 1);
    int a = 0;
    for (int i = 0; i < 1000; i++) a += output_column("g")->code[i] == 0;
    near(a / 1000., .9, .05);
}

static void test_predictors(void **state) {
    (void)state;
    make_data(1000);
    run_ok("synth cart t --visit g,h,y --predictors 'y ~ h' --vars g,h,y");
    int apart = 0;
    for (int i = 0; i < 1000; i++) {
        char number[33];
        int g = column_cell(output_column("g"), i, number)[0] - 'a';
        apart += column_number(output_column("y"), i) < 10 * g || column_number(output_column("y"), i) >= 10 * g + 5;
    }
    assert_true(apart > 300); /* y no longer knows g */
    run_bad("synth cart t --visit y,g --predictors 'y ~ g'", "drawn before");
    run_bad("synth cart t --vars g,h --visit y", "not synthesised");
    run_bad("synth cart t --n 10 --strata g", "--n");
}

static void test_evaluate(void **state) {
    (void)state;
    make_data(1000);
    run_ok("synth cart t --evaluate --keys g,h");
    assert_true(value("pmse_ratio_1") < 3 && value("pmse_ratio_2") < 3);
    near(value("uniques_original"), 0, 0);
    assert_non_null(result_within(last_result, "propensity"));
}

static const Chart *chart_named(const char *title) {
    for (int64_t i = 0; i < last_result->charts; i++)
        if (!strcmp(last_result->chart[i]->title, title)) return last_result->chart[i];
    return NULL;
}

/* b repeats a, c has nothing to do with them, x is a number: associations 1 and about 0, errors by hand, and shares that sum to 100. */
static void test_pictures(void **state) {
    (void)state;
    static char text[2][40000];
    for (int t = 0; t < 2; t++) {
        char *at = text[t] + sprintf(text[t], "a,b,c,x\n");
        for (int i = t; i < 1000 + t; i++) at += sprintf(at, "%c,%c,%c,%d\n", 'p' + i % 4, 'p' + i % 4, 'u' + i / 4 % 2, i * 7 % 500);
    }
    table_from("t", text[0]);
    table_from("h", text[1]);
    run_ok("synth cart t --evaluate --holdout h");
    const Chart *was = chart_named("Associations in the original"), *is = chart_named("Associations in the synthetic table"),
                *errors = chart_named("Errors of the tables of two columns"), *x = chart_named("x");
    assert_true(was && is && errors && x && chart_named("a"));
    assert_int_equal(was->kind, CHART_HEAT);
    assert_int_equal(was->series[0].count, 12); /* six pairs, both ways */
    for (int i = 0; i < 12; i++) {
        int u = (int)was->series[0].x[i], v = (int)was->series[0].y[i];
        if (u + v == 1) near(was->series[0].z[i], 1, 1e-12); /* a with b */
        if (u < 2 && v == 2) near(was->series[0].z[i], 0, 1e-12);
        if (u + v == 1) near(is->series[0].z[i], 1, 1e-12); /* the tree repeats it */
    }
    const Table *made = output();
    double apart = 0; /* the table of a and c, by hand */
    for (int a = 0; a < 4; a++)
        for (int c = 0; c < 2; c++) {
            double share[2] = { 0 };
            for (int i = 0; i < 1000; i++) {
                share[0] += (i % 4 == a && i / 4 % 2 == c) / 10.;
                share[1] += (made->column[0]->code[i] == a && made->column[2]->code[i] == c) / 10.;
            }
            apart += fabs(share[0] - share[1]) / 2;
        }
    for (int i = 0; i < 12; i++)
        if (errors->series[0].x[i] == 0 && errors->series[0].y[i] == 2) near(errors->series[0].z[i], apart, 1e-9);
    assert_int_equal(x->kind, CHART_HISTOGRAM);
    for (int t = 0; t < 2; t++) {
        double sum = 0;
        for (int b = 0; b < x->series[t].count; b++) sum += x->series[t].y[b];
        near(sum, 100, 1e-9);
    }
    const Chart *copies = chart_named("Unique records that are in the synthetic table"),
                *attacks = chart_named("Attacks and their baselines");
    assert_true(copies && attacks);
    near(copies->series[0].y[0], 100 * value("copied_uniques"), 1e-12);
    near(attacks->series[0].y[0], 100 * result_number(result_within(last_result, "membership"), "best_auc"), 1e-12);
    near(attacks->series[1].y[0], 50, 1e-12);
    assert_int_equal(result_find(result_within(last_result, "compare"), "il1s")->kind, VALUE_NULL); /* no pairs of records */
}

/* roc-release of the very run: what the method says when it is asked by itself, with the same draws. Large tables get a note instead. */
static void test_told(void **state) {
    (void)state;
    make_data(200);
    run_ok_seeded(3, "synth cart t --vars g,y,z --min-leaf 9 --evaluate --m 2 --keys g");
    const Result *told = result_within(last_result, "roc-release");
    assert_non_null(told);
    double auc = result_find(told, "auc")->real;
    run_ok_seeded(3, "risk roc-release t --method synth.cart --vars g,y,z --min-leaf 9 --draws 30 --among 2");
    near(value("auc"), auc, 0);
    assert_true(auc > .2 && auc < .8);
    make_data(1);
    run_ok("synth cart t --evaluate");
    assert_null(result_within(last_result, "roc-release"));
}

/* --where: only those records count; the others, which are true ones, are not in what is made, nor in a saved model. */
static void test_where(void **state) {
    (void)state;
    static const char *const commands[] = { "synth cart t --where 'g == \"a\"'", "synth sequential t --where 'g == \"a\"'",
                                            "synth copula t --where 'g == \"a\"'", "synth dirichlet t --vars g,h --where 'g == \"a\"'",
                                            "synth cart t --save-model --where 'g == \"a\"'" };
    make_data(600);
    int64_t kept = 0;
    char number[33];
    for (int64_t i = 0; i < shelf[0]->rows; i++) kept += !strcmp(column_cell(table_column(shelf[0], "g"), i, number), "a");
    for (size_t k = 0; k < sizeof commands / sizeof *commands; k++) {
        run_ok(commands[k]);
        assert_int_equal(output()->rows, kept);
        for (int64_t i = 0; i < kept; i++) assert_string_equal(column_cell(output_column("g"), i, number), "a");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_structure),     cmocka_unit_test(test_threads_and_seeds),
                                        cmocka_unit_test(test_rules),         cmocka_unit_test(test_strata),
                                        cmocka_unit_test(test_between),       cmocka_unit_test(test_evaluate_same),
                                        cmocka_unit_test(test_identities),    cmocka_unit_test(test_copies),
                                        cmocka_unit_test(test_missing_codes), cmocka_unit_test(test_weights),
                                        cmocka_unit_test(test_predictors),    cmocka_unit_test(test_evaluate),
                                        cmocka_unit_test(test_pictures),      cmocka_unit_test(test_told),
                                        cmocka_unit_test(test_where) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
