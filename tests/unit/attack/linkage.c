/* Linkage to an identified file: all pairs by hand, ties shared out, ids out of order, no one in common. */
#include "methods.h"

static void identity(void **state) {
    (void)state;
    table_from("aux", "id,x,g\n1,1,a\n2,2,a\n3,9,b\n4,4,b\n");
    table_from("rel", "id,x,g\n3,9,b\n1,1,a\n4,4,b\n2,2,a\n");
    run_ok("attack linkage rel aux --id id");
    assert_true(value("claims") == 4 && value("correct") == 4 && value("precision") == 1 && value("recall") == 1);
    near(value("baseline"), 0.25, 1e-15);
    near(value("gain"), 0.75, 1e-15);
    run_bad("attack linkage rel aux --vars z", "no column");
}

static void ties(void **state) {
    (void)state;
    table_from("aux", "id,x\n1,5\n2,5\n3,5\n4,9\n");
    table_from("rel", "id,x\n1,5\n4,9\n");
    run_ok("attack linkage rel aux --id id --confidence 0.5"); /* among three equals no claim is made */
    assert_true(value("claims") == 1 && value("correct") == 1);
    run_ok("attack linkage rel aux --id id --confidence 0");
    near(value("correct"), 1 + 1.0 / 3, 1e-12);
    near(value("recall"), (1 + 1.0 / 3) / 2, 1e-12);
    run_bad("attack linkage rel aux", "must identify the people");
}

/* 60 records with noise, by the plain double loop on range-scaled columns. */
static void brute(void **state) {
    (void)state;
    enum { N = 60 };
    static double x[2][N], y[2][N];
    Seed seed = seed_from_number(4);
    RandomStream stream = stream_make(&seed, "test", 0, NULL, "x");
    RandomReader reader = reader_make(&stream);
    double low[2] = { 1e9, 1e9 }, high[2] = { -1e9, -1e9 };
    int right = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < 2; j++) {
            x[j][i] = reader_normal(&reader);
            y[j][i] = x[j][i] + 0.2 * reader_normal(&reader);
            low[j] = fmin(low[j], x[j][i]);
            high[j] = fmax(high[j], x[j][i]);
        }
    for (int i = 0; i < N; i++) {
        int best = 0;
        double least = 1e9;
        for (int k = 0; k < N; k++) {
            double d = 0;
            for (int j = 0; j < 2; j++) d += fabs(y[j][i] - x[j][k]) / (high[j] - low[j]) / 2;
            if (d < least) {
                least = d;
                best = k;
            }
        }
        right += best == i;
    }
    table_reals("aux", (const double *[]){ x[0], x[1] }, 2, N);
    table_reals("rel", (const double *[]){ y[0], y[1] }, 2, N);
    run_ok("attack linkage rel aux");
    assert_true(value("correct") == right && value("claims") == N);
}

static void edges(void **state) {
    (void)state;
    table_from("none", "id,x\n");
    table_from("aux", "id,x\n1,5\n2,6\n");
    run_ok("attack linkage none aux --id id");
    assert_true(value("claims") == 0 && value("gain") == 0);
    table_from("strangers", "id,x\n8,5\n9,\n");
    run_ok("attack linkage strangers aux --id id");
    assert_true(value("claims") == 2 && value("correct") == 0); /* a missing value is as far from one as from the other */
    table_from("apart", "q\n1\n2\n");
    run_bad("attack linkage apart aux", "no column in common");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(identity), cmocka_unit_test(ties), cmocka_unit_test(brute),
                                        cmocka_unit_test(edges) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
