/* Intruder scenarios: by hand, against a plain loop with errors and missing keys, populations, bad scenarios. */
#include "methods.h"

static void exact(void **state) {
    (void)state;
    table_from("r", "a,b,w\n1,x,10\n1,x,10\n1,y,1\n2,x,30\n2,,1\n"); /* the last agrees with the fourth */
    run_ok("risk intruder r --keys a,b");
    near(value("expected_matches"), 0.5 + 0.5 + 1 + 0.5 + 0.5, 1e-12);
    near(value("declared"), 1, 0);
    near(value("true_matches"), 1, 0);
    near(value("false_rate"), 0, 0);
    assert_string_equal(cells_of(last_result->column[0].column), "0.5 0.5 1 0.5 0.5");
    table_from("s", "scenario,key,in_sample\nsample,a,yes\nsample,b,yes\nanyone,a,no\nanyone,b,no\n");
    run_ok("risk intruder r --keys a,b --scenario s --weight w");
    assert_string_equal(result_find(last_result, "worst_scenario")->text, "sample");
    near(table_value("scenarios", "expected_matches", 0), 2. / 20 + 1 + 2. / 31, 1e-12); /* anyone: by the weights */
    near(table_value("scenarios", "expected_matches", 1), 3, 1e-12);
}

/* Swapped records: declared, and wrong. */
static void wrong(void **state) {
    (void)state;
    table_from("t", "k\na\nb\nc\nd\n");
    table_from("r", "k\na\nc\nb\nd\n");
    run_ok("risk intruder r --targets t --keys k");
    near(value("expected_matches"), 2, 0);
    near(value("false_rate"), 0.5, 0);
    table_from("q", "k\ne\ne\ne\ne\n"); /* nobody agrees */
    run_ok("risk intruder r --targets q --keys k");
    near(value("expected_matches"), 0, 0);
    assert_int_equal(result_find(last_result, "false_rate")->kind, VALUE_NULL);
}

/* The original's keys, in the release's words: recoded, blanked, in another order. */
static void original(void **state) {
    (void)state;
    table_from("o", "id,age,sex\n1,33,m\n2,38,m\n3,51,f\n4,52,f\n5,70,f\n");
    table_from("r", "id,age,sex\n3,fifties,f\n1,thirties,m\n2,,m\n4,fifties,f\n5,,f\n");
    run_ok("risk intruder r --original o --id id --keys age,sex");
    /* 3 and 4: each other, who are equal, not 5's blank; 1: its own record, not 2's blank; 2 and 5, whose ages nobody kept: their own
     * blanks alone */
    near(value("expected_matches"), 2. / 2 + 1 + 1 + 1, 1e-12);
    near(value("declared"), 3, 0);
    table_from("t",
               "age,sex\nfifties,f\nthirties,m\nforties,m\nfifties,\nsixties,f\n"); /* whose sex is not known: every record that agrees */
    run_ok("risk intruder r --targets t --keys age,sex");
    near(value("expected_matches"), 1. / 2 + 1 + 1 + 1. / 4 + 1, 1e-12);
    run_ok("risk intruder r --targets r --keys age,sex");
    run_bad("risk intruder r --targets r --original o --keys age,sex", "original");
    run_bad("risk intruder r --original o --id nobody --keys age,sex", "nobody");
}

enum { N = 40 };
static double x[2][2][N]; /* targets, release: a number, a category */

static double log_likelihood(int i, int k) {
    double sum = 0;
    if (!isnan(x[0][0][i]) && !isnan(x[1][0][k])) sum -= pow((x[0][0][i] - x[1][0][k]) / 1.5, 2) / 2;
    if (!isnan(x[0][1][i]) && !isnan(x[1][1][k]) && x[0][1][i] != x[1][1][k]) sum += log(0.1 / (0.9 * 2));
    return sum;
}

static void plain_loop(void **state) {
    (void)state;
    Seed seed = seed_from_number(12);
    RandomStream stream = stream_make(&seed, "test", 0, "x", "draw");
    RandomReader reader = reader_make(&stream);
    static char text[2][2048];
    for (int t = 0; t < 2; t++) strcpy(text[t], "a,b\n");
    for (int i = 0; i < N; i++) {
        for (int t = 0; t < 2; t++) {
            x[t][0][i] = t && reader_below(&reader, 2) ? x[0][0][i] : (double)reader_below(&reader, 12);
            x[t][1][i] = i < 3 ? i : (double)reader_below(&reader, 3);
            if (t && !reader_below(&reader, 10)) x[t][0][i] = NAN;
            sprintf(text[t] + strlen(text[t]), isnan(x[t][0][i]) ? "%.0s,%c\n" : "%s,%c\n",
                    isnan(x[t][0][i]) ? "" : (char[][4]){ "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11" }[(int)x[t][0][i]],
                    "uvw"[(int)x[t][1][i]]);
        }
    }
    table_from("t", text[0]);
    table_from("r", text[1]);
    table_from("s", "key,error\na,1.5\nb,0.1\n");
    double expected = 0;
    int declared = 0;
    for (int i = 0; i < N; i++) {
        double best = -INFINITY;
        int ties = 0;
        for (int k = 0; k < N; k++) {
            double l = log_likelihood(i, k);
            if (l > best + 1e-9) {
                best = l;
                ties = 1;
            } else if (l > best - 1e-9) ties++;
        }
        if (log_likelihood(i, i) > best - 1e-9) expected += 1.0 / ties;
        declared += ties == 1;
    }
    run_ok("risk intruder r --targets t --keys a,b --scenario s");
    near(value("expected_matches"), expected, 1e-9);
    near(value("declared"), declared, 0);
}

static void edges(void **state) {
    (void)state;
    table_from("none", "a\n");
    run_ok("risk intruder none --keys a");
    near(value("expected_matches"), 0, 0);
    table_from("one", "a\n7\n");
    run_ok("risk intruder one --keys a");
    near(value("expected_matches"), 1, 0);
    table_from("m", "a,g\n,\n,\n");
    run_ok("risk intruder m --keys a");
    near(value("expected_matches"), 1, 0);
    table_from("r", "a,g\n1,x\n2,y\n");
    table_from("s1", "key,error\nq,0\n");
    table_from("s2", "key,error\ng,1.5\n");
    table_from("s3", "key,error\na,-1\n");
    table_from("s4", "key,error,in_sample\na,0,no\n");
    table_from("s5", "x\n1\n");
    run_bad("risk intruder r --keys a,g --scenario s1", "one of --keys");
    run_bad("risk intruder r --keys a,g --scenario s2", "below 1");
    run_bad("risk intruder r --keys a,g --scenario s3", "negative");
    run_bad("risk intruder r --keys a,g --scenario s4", "needs weights");
    run_bad("risk intruder r --keys a,g --scenario s5", "not a table of scenarios");
    run_bad("risk intruder r --keys a,g --targets one", "record by record");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(original), cmocka_unit_test(exact), cmocka_unit_test(wrong),
                                        cmocka_unit_test(plain_loop), cmocka_unit_test(edges) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
