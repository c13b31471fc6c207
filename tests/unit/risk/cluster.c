/* Clusters: groups that are plain to see, one outlier, a small group; Lloyd's fixed point; threads; the edges. */
#include "methods.h"

enum { N = 210 };
static double x[2][N];

/* Two wide groups of 100 and 106, three records apart from both, one far from its group. */
static void draw(void) {
    Seed seed = seed_from_number(4);
    RandomStream stream = stream_make(&seed, "test", 0, "x", "draw");
    RandomReader reader = reader_make(&stream);
    for (int i = 0; i < N; i++) {
        int group = i < 100 ? 0 : i < 207 ? 1 : 2;
        x[0][i] = (double[]){ 0, 20, 60 }[group] + reader_normal(&reader);
        x[1][i] = (double[]){ 0, 20, -40 }[group] + reader_normal(&reader);
    }
    x[1][50] += 12;
    table_reals("t", (const double *const[]){ x[0], x[1] }, 2, N);
}

static void groups(void **state) {
    (void)state;
    draw();
    run_ok("risk cluster t --vars a,b --clusters 3");
    near(value("in_small_clusters"), 3, 0);
    near(value("far"), 1, 0);
    near(value("exposed"), 4, 0);
    const Column *of = last_result->column[0].column, *distance = last_result->column[1].column;
    for (int i = 1; i < 100; i++) assert_true(of->real[i] == of->real[0]);
    for (int i = 101; i < 207; i++) assert_true(of->real[i] == of->real[100]);
    assert_true(of->real[0] != of->real[100] && of->real[207] != of->real[0] && of->real[207] == of->real[209]);
    for (int i = 0; i < N; i++) assert_true(i == 50 || distance->real[i] < distance->real[50]);
    run_ok("risk cluster t --vars a,b --clusters 3 --min-size 2");
    near(value("in_small_clusters"), 0, 0);
    run_ok("risk cluster t --vars a,b --clusters 1"); /* the distance to the mean */
    double mean[2] = { 0 }, variance[2] = { 0 };
    for (int j = 0; j < 2; j++) {
        for (int i = 0; i < N; i++) mean[j] += x[j][i] / N;
        for (int i = 0; i < N; i++) variance[j] += pow(x[j][i] - mean[j], 2) / (N - 1);
    }
    for (int i = 0; i < N; i++)
        near(last_result->column[1].column->real[i],
             sqrt(pow(x[0][i] - mean[0], 2) / variance[0] + pow(x[1][i] - mean[1], 2) / variance[1]), 1e-9);
}

/* An odd number of columns, and records that lack something: the distance to the mean of the others. */
static void by_hand(void **state) {
    (void)state;
    static const double rows[4][3] = { { 1, 2, 10 }, { 2, 7, 11 }, { 4, 1, 19 }, { 9, 6, 12 } };
    const char *const vars[] = { "", "a", "a,b", "a,b,c" };
    char command[64];
    table_from("u", "a,b,c\n1,2,10\n2,7,11\n,3,\n4,1,19\n100,,\n9,6,12\n");
    for (int d = 2; d < 4; d++) {
        double mean[3] = { 0 }, variance[3] = { 0 };
        snprintf(command, sizeof command, "risk cluster u --vars %s --clusters 1", vars[d]);
        run_ok(command);
        for (int j = 0; j < d; j++) {
            for (int i = 0; i < 4; i++) mean[j] += rows[i][j] / 4;
            for (int i = 0; i < 4; i++) variance[j] += pow(rows[i][j] - mean[j], 2) / 3;
        }
        for (int i = 0; i < 4; i++) {
            double square = 0;
            for (int j = 0; j < d; j++) square += pow(rows[i][j] - mean[j], 2) / variance[j];
            near(last_result->column[1].column->real[(int[]){ 0, 1, 3, 5 }[i]], sqrt(square), 1e-12);
        }
    }
    run_ok("risk cluster u --vars a,b,c --clusters 4"); /* each is its own centre */
    for (int i = 0; i < 6; i++) assert_true(i == 2 || i == 4 || last_result->column[1].column->real[i] < 1e-12);
}

static void same_for_any_threads(void **state) {
    (void)state;
    double seen[2];
    draw();
    for (int t = 0; t < 2; t++) {
        run_threads = t ? 4 : 1;
        run_ok("risk cluster t --vars a,b --clusters 7");
        seen[t] = value("mean_distance");
    }
    run_threads = 2;
    assert_true(seen[0] == seen[1]);
}

static void edges(void **state) {
    (void)state;
    table_from("none", "x\n");
    run_ok("risk cluster none --vars x");
    near(value("records"), 0, 0);
    table_from("one", "x\n3\n");
    run_ok("risk cluster one --vars x");
    near(value("in_small_clusters"), 1, 0);
    table_from("c", "x\n3\n3\n3\n");
    run_ok("risk cluster c --vars x --clusters 2 --min-size 1");
    near(value("exposed"), 0, 0);
    table_from("m", "x,y\n1,\n,2\n3,3\n");
    run_ok("risk cluster m --vars x,y");
    near(value("records"), 1, 0);
    assert_string_equal(cells_of(last_result->column[0].column), ". . 1");
    table_from("w", "x\na\nb\n");
    run_bad("risk cluster w --vars x", "numbers");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(groups), cmocka_unit_test(by_hand), cmocka_unit_test(same_for_any_threads),
                                        cmocka_unit_test(edges) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
