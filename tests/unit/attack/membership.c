/* Membership: a copy gives all away, an independent sample nothing; the area against all pairs. */
#include "methods.h"
#include "attack/membership/membership.h"

enum { N = 200 };
static double x[3][2][N];

static void fill(double noise) {
    Seed seed = seed_from_number(9);
    RandomStream stream = stream_make(&seed, "test", 0, NULL, "x");
    RandomReader reader = reader_make(&stream);
    static const char *const names[] = { "original", "holdout", "released" };
    for (int t = 0; t < 3; t++) {
        for (int j = 0; j < 2; j++)
            for (int i = 0; i < N; i++) x[t][j][i] = reader_normal(&reader) * (t == 2 ? noise : 1) + (t == 2 && noise < 1 ? x[0][j][i] : 0);
        table_reals(names[t], (const double *[]){ x[t][0], x[t][1] }, 2, N);
    }
}

static void known(void **state) {
    (void)state;
    fill(0);
    run_ok("attack membership released original holdout"); /* the release is the original */
    assert_true(value("auc") == 1 && value("advantage") == 1);
    near(value("gain"), 0.5, 1e-15);
    assert_true(value("lower") > 0.45 && value("lower") < 0.5 &&
                value("upper") == 0.5); /* two hundred of two hundred are not all there are */
    fill(1);
    run_ok("attack membership released original holdout"); /* independent of both */
    assert_true(value("lower") < 0 && value("upper") > 0);
    near(value("auc"), 0.5, 0.1);
}

static double gower(const double a[2], const double b[2], const double range[2]) {
    return (fabs(a[0] - b[0]) / range[0] + fabs(a[1] - b[1]) / range[1]) / 2;
}

static void all_pairs(void **state) {
    (void)state;
    fill(0.1);
    double range[2], d[2][N], area = 0;
    for (int j = 0; j < 2; j++) {
        double low = 1e9, high = -1e9;
        for (int i = 0; i < N; i++) {
            low = fmin(low, x[2][j][i]);
            high = fmax(high, x[2][j][i]);
        }
        range[j] = high - low;
    }
    for (int t = 0; t < 2; t++)
        for (int i = 0; i < N; i++) {
            d[t][i] = 1e9;
            for (int k = 0; k < N; k++)
                d[t][i] = fmin(d[t][i], gower((double[]){ x[t][0][i], x[t][1][i] }, (double[]){ x[2][0][k], x[2][1][k] }, range));
        }
    for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++) area += d[0][i] < d[1][k] ? 1 : d[0][i] == d[1][k] ? 0.5 : 0;
    run_ok("attack membership released original holdout");
    near(value("auc"), area / N / N, 1e-9);
    assert_true(value("lower") > 0); /* noise of a tenth of the sd does not hide who was there */
}

static void edges(void **state) {
    (void)state;
    table_from("r", "a,b\n1,2\n");
    table_from("o", "a,b\n1,2\n3,4\n");
    table_from("h", "a,b\n");
    run_ok("attack membership r o h");
    assert_int_equal(result_find(last_result, "auc")->kind, VALUE_NULL);
    run_bad("attack membership r o h --vars z", "no column");
    run_bad("attack membership r o", "input");
}

/* Equal distances are ties, whatever scaling did to their last digits. */
static void equal_distances_tie(void **state) {
    (void)state;
    char r[2048] = "x\n", o[2048] = "x\n", h[2048] = "x\n";
    for (int i = 0; i <= 700; i += 10) {
        snprintf(r + strlen(r), sizeof r - strlen(r), "%d\n", i);
        snprintf(o + strlen(o), sizeof o - strlen(o), "%d\n", i + 1);
        snprintf(h + strlen(h), sizeof h - strlen(h), "%d\n", i < 700 ? i + 9 : 699);
    }
    table_from("ten", r);
    table_from("after", o);
    table_from("before", h);
    run_ok("attack membership ten after before --vars x");
    near(value("auc"), 0.5, 1e-12);
    near(value("advantage"), 0, 1e-12);
}

static double least_share(int64_t row) { return last_result->column[0].column->real[row]; }

static double attack_value(const char *attack, const char *column) {
    const Table *table = result_find_table(last_result, "attacks");
    char text[33];
    for (int64_t i = 0; i < table->rows; i++)
        if (!strcmp(column_cell(table_column(table, "attack"), i, text), attack)) return table_value("attacks", column, i);
    return NAN;
}

/* Every attack finds every member of a copy, as far as its score can: by distance all come before any other. */
static void copy(void **state) {
    (void)state;
    fill(0);
    run_ok("attack membership released original holdout");
    assert_string_equal(result_find(last_result, "best")->text, "distance");
    assert_true(value("best_auc") == 1 && value("best_gain") == .5 && value("p_value") < 1e-20);
    assert_true(value("best_lower") < value("lower") + .5 && value("best_lower") > .9 && value("best_upper") == 1);
    assert_true(attack_value("calibrated", "auc") == 1 && attack_value("calibrated", "others") == N / 2);
    assert_true(attack_value("distance", "others") == N && attack_value("distance", "first") == N);
    near(attack_value("distance", "first_expected"), N / (N + 1.), 1e-12);
    assert_true(attack_value("density", "lower") > .5 && attack_value("classifier", "lower") > .5);
    for (int r = 0; r < 3; r++) assert_true(table_value("rates", "true_positives", r) == 1);
    assert_true(table_value("rates", "lower", 0) == 0 && table_value("rates", "lower", 2) > .95);
    for (int i = 0; i < N; i++) near(least_share(i), 0, 0);
}

/* A copy whose members are at the same distance from each other as from anybody shows only against the population. */
static void crowded(void **state) {
    (void)state;
    Seed seed = seed_from_number(4);
    RandomStream stream = stream_make(&seed, "test", 0, NULL, "x");
    RandomReader reader = reader_make(&stream);
    for (int t = 0; t < 3; t++)
        for (int i = 0; i < N; i++) {
            double size = i % 2 ? 1000 : 1; /* half of the population is crowded, half is scattered */
            double blur = t == 2 ? .1 * size : 0;
            for (int j = 0; j < 2; j++) x[t][j][i] = t == 2 ? x[0][j][i] + blur * reader_normal(&reader) : size * reader_normal(&reader);
        }
    table_reals("original", (const double *[]){ x[0][0], x[0][1] }, 2, N);
    table_reals("holdout", (const double *[]){ x[1][0], x[1][1] }, 2, N);
    table_reals("released", (const double *[]){ x[2][0], x[2][1] }, 2, N);
    run_ok("attack membership released original holdout");
    assert_true(attack_value("calibrated", "auc") > value("auc") + .05);
    assert_true(value("best_auc") >= attack_value("calibrated", "auc"));
}

/* Independent tables of numbers, categories and gaps. Findings at the 5% level come in at most 5% of the runs: of 200, more than 20 with
 * probability 0.0008 (binomial). The intervals of all rates hold what is true, at least 95% of the time: of 200 × 12, far fewer fail. */
static void nothing_found(void **state) {
    (void)state;
    enum { RUNS = 200, ROWS = 60 };
    int found = 0, outside = 0;
    for (int run = 0; run < RUNS; run++) {
        Seed seed = seed_from_number((uint64_t)run);
        RandomStream stream = stream_make(&seed, "test", 0, NULL, "null");
        RandomReader reader = reader_make(&stream);
        for (int t = 0; t < 3; t++) {
            char text[ROWS * 40] = "a,b,c\n", *at = text + strlen(text);
            for (int i = 0; i < ROWS; i++) {
                double z = reader_normal(&reader);
                at += sprintf(at, "%.2f,%c,", z, "pqrst"[reader_below(&reader, 5)]);
                at += reader_below(&reader, 6) ? sprintf(at, "%.1f\n", z + reader_normal(&reader)) : sprintf(at, "\n");
            }
            table_from(t == 0 ? "r" : t == 1 ? "o" : "h", text);
        }
        run_ok("attack membership r o h");
        found += value("p_value") < .05;
        for (int i = 0; i < 12; i++) {
            double fpr = table_value("rates", "false_positives", i);
            outside += fpr < table_value("rates", "lower", i) || fpr > table_value("rates", "upper", i);
        }
    }
    assert_true(found <= 20);
    assert_true(outside <= RUNS * 12 / 20);
}

/* Against all orders of four members and three others. */
static void by_chance(void **state) {
    (void)state;
    for (int place = 1; place <= 3; place++)
        for (int hits = 0; hits <= 4; hits++) {
            int all = 0, so_many = 0;
            for (int set = 0; set < 128; set++) {
                int others = 0, before = 0;
                if (__builtin_popcount((unsigned)set) != 3) continue;
                for (int i = 0; i < 7 && others < place; i++) {
                    if (set >> i & 1) others++;
                    else before++;
                }
                all++;
                so_many += before >= hits;
            }
            near(before_by_chance(hits, place, 4, 3), (double)so_many / all, 1e-12);
        }
    near(before_by_chance(1, 1, 1e6, 1), 1e6 / (1e6 + 1), 1e-9);
    Interval half = exact_interval(5, 10, .025); /* the tables' 95% interval */
    near(half.low, .187086, 1e-6);
    near(half.high, .812914, 1e-6);
    assert_true(exact_interval(0, 10, .025).low == 0 && exact_interval(10, 10, .025).high == 1);
    near(exact_interval(0, 10, .025).high, 1 - pow(.025, .1), 1e-12);
}

/* Distances 1, 2, 2, 3 of members; 2 and nine of 4 or more of others: one in ten false positives finds all, and none finds one member and
 * with the tie, broken at random, two more in proportion. */
static void rates(void **state) {
    (void)state;
    table_from("r", "x\n0\n1000\n");
    table_from("o", "x\n1\n2\n2\n3\n");
    table_from("h", "x\n2\n4\n5\n6\n7\n8\n9\n10\n11\n12\n");
    run_ok("attack membership r o h");
    assert_int_equal(result_find_table(last_result, "attacks")->rows, 1); /* too few for a reference */
    near(table_value("rates", "true_positives", 0), (1 + 2 * .01) / 4, 1e-12);
    near(table_value("rates", "true_positives", 1), (1 + 2 * .1) / 4, 1e-12);
    near(table_value("rates", "true_positives", 2), 1, 1e-12);
    near(attack_value("distance", "first"), 1, 0);
    near(least_share(0), 0, 0);
    near(least_share(1), .1, 1e-15);
    near(table_value("worst", "record", 0), 1, 0);
    assert_true(value("p_value") > .01 && value("p_value") <= 1);
}

static void references(void **state) {
    (void)state;
    fill(.1);
    table_reals("more", (const double *[]){ x[1][0], x[1][1] }, 2, N / 2);
    table_reals("rest", (const double *[]){ x[1][0] + N / 2, x[1][1] + N / 2 }, 2, N / 2);
    run_ok("attack membership released original rest --reference more");
    assert_true(attack_value("classifier", "others") == N / 2 && attack_value("distance", "others") == N / 2);
    run_ok("attack membership released original holdout --attacks density");
    assert_int_equal(result_find_table(last_result, "attacks")->rows, 1);
    double area = value("best_auc"), distance = value("auc");
    run_threads = 1;
    run_ok_seeded(7, "attack membership released original holdout --attacks density,classifier");
    near(attack_value("density", "auc"), area, 0);
    near(value("auc"), distance, 0);
    run_threads = 2;
    table_reals("few", (const double *[]){ x[1][0], x[1][1] }, 2, 19);
    run_ok("attack membership released original few");
    assert_int_equal(result_find_table(last_result, "attacks")->rows, 1);
    run_bad("attack membership released original few --attacks density", "at least 20 records");
    run_bad("attack membership released original holdout --attacks magic", "no attack 'magic'");
    run_bad("attack membership released original holdout --attacks shadow", "needs the method");
    run_bad("attack membership released original holdout --method risk.k-anonymity", "randomised release");
}

/* A synthesis by trees with leaves of one record, and shadows of the same kind: its members are found, and the seed gives the draws. */
static void shadows(void **state) {
    (void)state;
    fill(1);
    run_ok_seeded(1, "synth cart original --min-leaf 1 --complexity 0");
    shelve("released", table_retain(last_result->output[0]));
    run_ok_seeded(1, "attack membership released original holdout --attacks shadow --method synth.cart --set min-leaf=1 --set "
                     "complexity=0 --shadows 4");
    double area = value("best_auc");
    assert_true(value("best_lower") > .5);
    run_ok_seeded(1, "attack membership released original holdout --attacks shadow --method synth.cart --set min-leaf=1 --set "
                     "complexity=0 --shadows 4");
    near(value("best_auc"), area, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(equal_distances_tie),
                                        cmocka_unit_test(known),
                                        cmocka_unit_test(all_pairs),
                                        cmocka_unit_test(edges),
                                        cmocka_unit_test(copy),
                                        cmocka_unit_test(crowded),
                                        cmocka_unit_test(nothing_found),
                                        cmocka_unit_test(by_chance),
                                        cmocka_unit_test(rates),
                                        cmocka_unit_test(references),
                                        cmocka_unit_test(shadows) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
