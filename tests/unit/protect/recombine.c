/* protect.recombine: sub-records exact, nobody's two together, only similar records, groups by association; bad input. */
#include "methods.h"
#include "base/random.h"
#include "protect/recombine/groups.h"

/* n records: a, b, c, d tell the record; x is one of three far-apart places; s a stratum. */
static void make_table(int n) {
    char *text = malloc((size_t)n * 60), *at = text + sprintf(text, "id,a,b,c,d,x,s\n");
    for (int i = 0; i < n; i++) at += sprintf(at, "%d,%d,%d.5,n%d,%d,%d,%c\n", i, i, i, i, -i, 1000 * (i * 7 % 3) + i % 5, 'p' + i % 2);
    table_from("t", text);
    free(text);
}

static int64_t origin(const char *name, int64_t row) {
    const char *cell = column_cell(output_column(name), row, (char[33]){ 0 });
    return labs(atol(cell + (*cell == 'n')));
}

static void test_sub_records(void **state) {
    (void)state;
    enum { N = 300 };
    make_table(N);
    run_ok("protect recombine t --groups a,b;c;d --match x --k 5");
    int times[3][N] = { { 0 } };
    for (int64_t i = 0; i < N; i++) {
        int64_t from[3] = { origin("a", i), origin("c", i), origin("d", i) };
        assert_int_equal(origin("b", i), from[0]);                                   /* a sub-record stays whole */
        assert_true(from[0] != i && from[1] != i && from[2] != i);                   /* and leaves its record */
        assert_true(from[0] != from[1] && from[0] != from[2] && from[1] != from[2]); /* no two of one person */
        for (int g = 0; g < 3; g++) {
            times[g][from[g]]++;
            assert_int_equal(from[g] * 7 % 3, i * 7 % 3); /* only similar records */
        }
        assert_int_equal(column_integer(output_column("id"), i), i);
    }
    for (int g = 0; g < 3; g++)
        for (int i = 0; i < N; i++) assert_int_equal(times[g][i], 1); /* each is used once */
    assert_true(value("smallest") >= 5 && value("largest") <= 9);
    near(value("untouched"), 0, 0);
    near(value("records"), N, 0);
    assert_true(output()->perturbed);
}

static void test_strata_and_missing(void **state) {
    (void)state;
    make_table(120);
    run_ok("protect recombine t --groups a,b;c --match x --k 4 --strata s");
    for (int64_t i = 0; i < 120; i++) assert_int_equal(origin("a", i) % 2, i % 2);
    table_from("m", "a,b,x\n1,1,1\n2,2,1\n3,3,1\n4,4,2\n5,5,2\n6,6,\n7,,\n");
    run_ok("protect recombine m --groups a;b --match x --k 2");
    near(value("unlike"), 2, 0);
    assert_int_equal(origin("a", 5), 7); /* the two without a match exchange */
    int64_t gone = 0;
    for (int64_t i = 0; i < 7; i++) gone += column_missing(output_column("b"), i);
    assert_int_equal(gone, 1);
    table_from("lone", "a,b,x,s\n1,1,1,p\n2,2,1,q\n3,3,1,q\n4,4,,q\n");
    run_ok("protect recombine lone --groups a;b --match x --k 2 --strata s");
    near(value("untouched"), 1, 0); /* alone in its stratum */
    near(value("unlike"), 1, 0);    /* joins the others of its stratum */
    assert_int_equal(origin("a", 0), 1);
    assert_int_not_equal(origin("a", 3), 4);
}

/* With few sub-records apart from what they match on, relations are nearly kept; recombining at random would lose them. */
static void test_keeps_relations(void **state) {
    (void)state;
    enum { N = 2000 };
    static double x[3][N];
    RandomStream stream = stream_make(&(Seed){ 0 }, "test", 0, "recombine", "x");
    RandomReader reader = reader_make(&stream);
    for (int i = 0; i < N; i++) {
        x[0][i] = reader_normal(&reader);
        x[1][i] = x[0][i] + .3 * reader_normal(&reader);
        x[2][i] = x[1][i] + .3 * reader_normal(&reader);
    }
    table_reals("t", (const double *[]){ x[0], x[1], x[2] }, 3, N);
    run_ok("protect recombine t --groups a;b;c --k 5");
    assert_true(value("correlation_change") < .02);
    run_ok("protect recombine t --groups a;b;c --k 2000");
    assert_true(value("correlation_change") > .8);
}

static double associated(const Table *table, const char *a, const char *b) {
    Work work = { .arena = arena_new(), .error = &last_error, .threads = 1 };
    double out = NAN;
    assert_int_equal(association(&work, table_column(table, a), table_column(table, b), &out), OK);
    arena_free(work.arena);
    return out;
}

/* Known answers: a map of one on the other is 1, whatever its shape; balanced independence is 0; V by hand. */
static void test_association(void **state) {
    (void)state;
    const Table *t = table_from("v", "x,y,g,h,k,c\n1,8,a,p,u,1\n2,4,a,q,u,1\n3,2,b,p,v,1\n4,1,b,q,v,1\n5,,c,p,w,1\n6,0,c,q,u,1\n");
    near(associated(t, "x", "y"), 1, 1e-12);
    near(associated(t, "g", "h"), 0, 1e-12);
    near(associated(t, "g", "g"), 1, 1e-12);
    near(associated(t, "g", "c"), 0, 0); /* a constant goes with nothing */
    near(associated(t, "x", "c"), 0, 0);
    /* g by k: counts aa-u 2, b-v 2, c-w 1, c-u 1. Σ n²/(row·column) = 4/6 + 1 + 1/2 + 1/6 = 7/3; φ² = 4/3; less 2·2/5; over 3 − 4/5 − 1. */
    near(associated(t, "g", "k"), sqrt((4. / 3 - .8) / 1.2), 1e-12);
    near(associated(t, "g", "k"), associated(t, "k", "g"), 0);
}

/* Three blocks of columns that go together are found. */
static void test_parts(void **state) {
    (void)state;
    enum { N = 400, M = 12 };
    static double x[M][N];
    const double *at[M];
    RandomStream stream = stream_make(&(Seed){ 0 }, "test", 1, "recombine", "x");
    RandomReader reader = reader_make(&stream);
    for (int i = 0; i < N; i++) {
        double factor[3] = { reader_normal(&reader), reader_normal(&reader), reader_normal(&reader) };
        for (int j = 0; j < M; j++) x[j][i] = factor[j % 3] + .4 * reader_normal(&reader);
    }
    for (int j = 0; j < M; j++) at[j] = x[j];
    table_reals("t", at, M, N);
    run_ok("protect recombine t --parts 3");
    const Column *columns = table_column(result_find_table(last_result, "groups"), "columns");
    for (int g = 0; g < 3; g++) {
        const char *names = column_cell(columns, g, (char[33]){ 0 });
        near(table_value("groups", "count", g), 4, 0);
        for (const char *p = names; *p; p++)
            if (*p >= 'a') assert_int_equal((*p - 'a') % 3, (*names - 'a') % 3);
    }
    run_ok("protect recombine t --parts 5");
    double sum = 0;
    for (int g = 0; g < 5; g++) {
        double count = table_value("groups", "count", g);
        sum += count;
        assert_true(count >= 1 && count <= 3);
    }
    near(sum, M, 0);
    run_ok("protect recombine t --parts 2 --vars a,b,d");
    near(table_value("groups", "count", 0) + table_value("groups", "count", 1), 3, 0);
}

/* Whatever the columns have in common, no group has fewer than half or more than one and a half times the average. */
static void test_sizes(void **state) {
    (void)state;
    static const int shapes[][2] = { { 35, 6 }, { 20, 8 }, { 7, 3 }, { 5, 5 }, { 13, 4 } };
    for (size_t shape = 0; shape < sizeof shapes / sizeof *shapes; shape++) {
        int m = shapes[shape][0], parts = shapes[shape][1];
        char text[16384] = "", command[64], cell[16];
        uint64_t seed = 9;
        for (int i = -1; i < 30; i++) {
            double common = 0;
            for (int j = 0; j < m; j++) {
                seed = seed * 6364136223846793005u + 1442695040888963407u;
                double noise = (double)(seed >> 44);
                if (!j) common = noise;
                if (i < 0) sprintf(cell, "v%d", j);
                else sprintf(cell, "%.0f", j < m / 2 ? common + noise / 20 : noise); /* half of them say nearly the same */
                strcat(strcat(text, cell), j + 1 < m ? "," : "\n");
            }
        }
        table_from("t", text);
        sprintf(command, "protect recombine t --parts %d", parts);
        run_ok(command);
        for (int g = 0; g < parts; g++) {
            double count = table_value("groups", "count", g);
            assert_true(2 * parts * count >= m && 2 * parts * count <= fmax(3 * m, 2 * (m + parts - 1)));
        }
    }
}

static void test_bad_input(void **state) {
    (void)state;
    make_table(20);
    run_bad("protect recombine t", "groups");
    run_bad("protect recombine t --groups a;b --parts 2", "only one");
    run_bad("protect recombine t --groups a,b;b", "named twice");
    run_bad("protect recombine t --groups a;b --strata a", "named twice");
    run_bad("protect recombine t --groups a;b --vars a", "--parts");
    run_bad("protect recombine t --parts 8 --vars a,b", "2 columns");
    run_bad("protect recombine t --groups a;b --k 1", "from 2");
    run_ok("protect recombine t --groups a;b --match x --k 100"); /* fewer records than k: all together */
    near(value("clusters"), 1, 0);
    table_from("empty", "a,b\n");
    run_ok("protect recombine empty --groups a;b");
    table_from("one", "a,b\n1,2\n");
    run_ok("protect recombine one --groups a;b");
    near(value("untouched"), 1, 0);
    table_from("same", "a,b\n1,2\n1,2\n1,2\n");
    run_ok("protect recombine same --groups a;b --k 2");
    near(value("cells"), 0, 0);
    run_ok("protect recombine same --parts 2");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_sub_records),     cmocka_unit_test(test_strata_and_missing),
                                        cmocka_unit_test(test_keeps_relations), cmocka_unit_test(test_association),
                                        cmocka_unit_test(test_parts),           cmocka_unit_test(test_sizes),
                                        cmocka_unit_test(test_bad_input) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
