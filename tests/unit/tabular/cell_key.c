/* The cell-key method: perturbation tables as ptable designs them, and the same change for the same cell. */
#include "methods.h"

static double chance(int i, int v) {
    const Table *t = result_find_table(last_result, "perturbation");
    for (int64_t r = 0; r < t->rows; r++)
        if (column_number(t->column[0], r) == i && column_number(t->column[1], r) == v) return column_number(t->column[2], r);
    return 0;
}

static void designs(void **state) {
    (void)state;
    table_from("d", "r,id\na,1\nb,2\n");
    run_ok("tabular cell-key d --dims r --maximum 2 --variance 1");
    near(chance(1, -1), .36648551, 1e-6);
    near(chance(1, 0), .36648550, 1e-6);
    near(chance(1, 2), .09945652, 1e-6);
    near(chance(2, -2), .06382714, 1e-6);
    near(chance(2, 0), .38296282, 1e-6);
}

static void like_ptable(void **state) {
    (void)state;
    static const struct {
        const char *file;
        int D;
        double V;
        int js;
    } known[] = { { "D2_V1_js0", 2, 1, 0 }, { "D3_V1_js0", 3, 1, 0 }, { "D3_V1.05_js1", 3, 1.05, 1 },
                  { "D5_V2_js0", 5, 2, 0 }, { "D5_V3_js0", 5, 3, 0 }, { "D5_V3_js2", 5, 3, 2 },
                  { "D8_V4_js0", 8, 4, 0 }, { "D8_V4_js2", 8, 4, 2 }, { "D9_V5_js3", 9, 5, 3 } };
    table_from("d", "r,id\na,1\nb,2\n");
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        char path[256], command[256], number[33];
        snprintf(path, sizeof path, "../shared/reference/tabular/cellkey/ptable_%s.csv", known[k].file);
        Table *t = table_from_file("p", path);
        snprintf(command, sizeof command, "tabular cell-key d --dims r --maximum %d --variance %s --no-small %d", known[k].D,
                 real_text(known[k].V, number), known[k].js);
        run_ok(command);
        for (int64_t r = 0; r < t->rows; r++)
            near(chance((int)column_number(table_column(t, "i"), r), (int)column_number(table_column(t, "v"), r)),
                 column_number(table_column(t, "p"), r), 1e-6);
    }
}

/* Keys that the records have: the change of a cell is that of the sum of its keys modulo 1, by the perturbation table. */
static void given_keys(void **state) {
    (void)state;
    table_from("d", "r,k,n\na,0.75,3221225472\na,0.5,2147483648\na,0.125,536870912\na,0.25,1073741824\nb,0.875,3758096384\n");
    for (int whole = 0; whole < 2; whole++) {
        run_ok(whole ? "tabular cell-key d --dims r --record-key n" : "tabular cell-key d --dims r --record-key k");
        const Table *p = result_find_table(last_result, "perturbation");
        static const struct {
            int64_t row;
            int count;
            double key;
        } cells[] = { { 0, 5, .5 }, { 1, 4, .625 }, { 2, 1, .875 } };
        for (int c = 0; c < 3; c++) {
            double below = 0;
            int64_t most = 0, change = 0;
            for (int64_t r = 0; r < p->rows; r++)
                if (column_number(p->column[0], r) > (double)most) most = (int64_t)column_number(p->column[0], r);
            int64_t row = cells[c].count < most ? cells[c].count : most;
            bool found = false;
            for (int64_t r = 0; r < p->rows && !found; r++) {
                if ((int64_t)column_number(p->column[0], r) != row) continue;
                below += column_number(p->column[2], r);
                change = (int64_t)column_number(p->column[1], r);
                found = cells[c].key < below;
            }
            assert_true(found);
            assert_int_equal((int64_t)column_number(output_column("count"), cells[c].row), cells[c].count + change);
        }
    }
    run_bad("tabular cell-key d --dims r --record-key k --id n", "only one can be given");
    table_from("e", "r,k,m,s\na,0.5,1,3\nb,1.5,,3\n");
    run_bad("tabular cell-key e --dims r --record-key k", "out of range");
    run_bad("tabular cell-key e --dims r --record-key m", "no key");
    run_bad("tabular cell-key e --dims r --record-key s", "the same key");
}

/* One cell, two tables: one count. */
static void consistent(void **state) {
    (void)state;
    char text[4096] = "r,s,id\n", *at = text + strlen(text);
    for (int i = 0; i < 60; i++) at += sprintf(at, "%c,%c,p%d\n", 'a' + i % 3, 'f' + i % 2, i);
    table_from("d", text);
    run_ok("tabular cell-key d --dims r --id id");
    double a = column_number(output_column("count"), 1);
    run_ok("tabular cell-key d --dims r,s --id id");
    const Table *t = output();
    bool found = false;
    for (int64_t i = 0; i < t->rows; i++) {
        char x[33], y[33];
        if (strcmp(column_cell(t->column[0], i, x), "a") || strcmp(column_cell(t->column[1], i, y), "Total")) continue;
        assert_true(column_number(table_column(t, "count"), i) == a);
        found = true;
    }
    assert_true(found);
}

static void own_table(void **state) {
    (void)state;
    table_from("d", "r,id\na,1\na,2\nb,2\n");
    table_from("p", "i,v,p\n0,0,1\n1,2,1\n2,-1,1\n");
    run_ok("tabular cell-key d --dims r --perturbation p");
    assert_string_equal(cells_of(output_column("count")), "2 1 3"); /* Total 3 → 2, a 2 → 1, b 1 → 3 */
    table_from("p", "i,v,p\n0,0,1\n1,2,0.5\n");
    run_bad("tabular cell-key d --dims r --perturbation p", "do not sum to 1");
    table_from("p", "i,v,p\n0,0,1\n1,-2,1\n"); /* 1 − 2 is no count */
    run_bad("tabular cell-key d --dims r --perturbation p", "not a count, a change and a probability");
    table_from("p", "i,v,p\n0,none,1\n1,some,1\n");
    run_bad("tabular cell-key d --dims r --perturbation p", "must hold numbers");
    run_bad("tabular cell-key d --dims r --maximum 1 --variance 1 --no-small 3", "no perturbation with mean 0");
}

/* Chances of half units as ptable 1.0.0 gives them (D = 5, V = 2, its row for large values). */
static void magnitudes_like_ptable(void **state) {
    (void)state;
    Table *t = table_from_file("p", "../shared/reference/tabular/cellkey/ptable_num_D5_V2_icat135.csv");
    table_from("d", "r,x\na,10\nb,20\n");
    run_ok("tabular cell-key d --dims r --response x");
    int64_t at = 0;
    for (int64_t r = 0; r < t->rows; r++) {
        if (column_number(table_column(t, "i"), r) != 5) continue;
        near(table_value("magnitudes", "v", at), column_number(table_column(t, "v"), r), 1e-9);
        near(table_value("magnitudes", "p", at++), column_number(table_column(t, "p"), r), 1e-6);
    }
    assert_int_equal(at, 21);
}

/* No change is more than D·m of the largest contributions; over seeds it is 0 on average (six standard errors: a false alarm in 10^8). */
static void magnitudes(void **state) {
    (void)state;
    double sum = 0, squares = 0;
    int changed = 0;
    table_from("d", "r,x,id\na,1000,1\na,10,2\na,10,3\nb,50,4\nc,0,5\n");
    for (uint64_t seed = 1; seed <= 2000; seed++) {
        run_ok_seeded(seed, "tabular cell-key d --dims r --response x --percent 10 --id id");
        double change = column_number(output_column("value"), 1) - 1020;
        assert_true(fabs(change) <= 500 + 1e-9 && column_number(output_column("value"), 2) >= 25 - 1e-9);
        assert_true(column_number(output_column("value"), 3) == 0);
        changed += change != 0;
        sum += change;
        squares += change * change;
    }
    near(sum / 2000, 0, 6 * sqrt(2.0) * 100 / sqrt(2000));
    near(squares / 2000, 2 * 100 * 100, 2500); /* V units squared, 100 being the unit; six standard errors */
    assert_true(changed > 1500);
    assert_null(table_column(output(), "max1"));
    assert_null(table_column(output(), "status"));
}

static void magnitudes_consistent(void **state) {
    (void)state;
    char text[8192] = "r,s,id,x,w\n", *at = text + strlen(text);
    for (int i = 0; i < 60; i++) at += sprintf(at, "%c,%c,p%d,%d,2\n", 'a' + i % 3, 'f' + i % 2, i, 1 + i * i);
    table_from("d", text);
    run_ok("tabular cell-key d --dims r --id id --response x --top 3 --weight w");
    double a = column_number(output_column("value"), 1);
    run_ok("tabular cell-key d --dims 's,r;s' --id id --response x --top 3 --weight w");
    const Table *t = output();
    char x[33], y[33];
    int found = 0;
    for (int64_t i = 0; i < t->rows; i++)
        if (!strcmp(column_cell(t->column[0], i, x), "Total") && !strcmp(column_cell(t->column[1], i, y), "a")) {
            assert_true(column_number(table_column(t, "value"), i) == a);
            found++;
        }
    assert_int_equal(found, 1);
    run_bad("tabular cell-key d --dims r --response x --percent 30", "at most 100");
    run_bad("tabular cell-key d --dims r --percent 3", "--response");
}

/* Changes of two sizes under one seed are not one change and its double, which would give the true sums back. */
static void sizes_are_apart(void **state) {
    (void)state;
    int back = 0, same = 0;
    double value[40];
    char text[2048] = "r,x,id\n", *at = text + strlen(text);
    for (int i = 0; i < 40; i++) at += sprintf(at, "c%02d,%d,%d\n", i, 1000 + i, i);
    table_from("d", text);
    run_ok_seeded(3, "tabular cell-key d --dims r --response x --id id --percent 5");
    for (int i = 0; i < 40; i++) value[i] = column_number(output_column("value"), i + 1);
    run_ok_seeded(3, "tabular cell-key d --dims r --response x --id id --percent 10");
    for (int i = 0; i < 40; i++) back += fabs(2 * value[i] - column_number(output_column("value"), i + 1) - (1000 + i)) < 1e-6;
    assert_true(back < 20); /* all 40 by one key; about 5 by chance */
    run_ok_seeded(3, "tabular cell-key d --dims r --response x --id id --percent 5 --top 2");
    for (int i = 0; i < 40; i++) same += value[i] == column_number(output_column("value"), i + 1);
    assert_true(same < 20);
}

static int like(const double *count, const Table *t) {
    int same = 0;
    for (int i = 0; i < 40; i++) same += count[i] == column_number(table_column(t, "count"), i + 1);
    return same;
}

/* The same of counts, for V, D, js and tables of one's own; whichever step of a recipe it is, nothing changes. */
static void counts_are_apart(void **state) {
    (void)state;
    double count[40];
    char text[16384] = "r,id\n", *at = text + strlen(text);
    for (int i = 0; i < 1200; i++) at += sprintf(at, "c%02d,%d\n", i % 40, i);
    table_from("d", text);
    table_from("p", "i,v,p\n0,0,1\n1,0,1\n2,-1,0.25\n2,0,0.5\n2,1,0.25\n");
    table_from("q", "i,v,p\n0,0,1\n1,0,1\n2,-2,0.25\n2,0,0.5\n2,2,0.25\n");
    run_ok_seeded(3, "tabular cell-key d --dims r --id id --maximum 60 --variance 90");
    for (int i = 0; i < 40; i++) count[i] = column_number(output_column("count"), i + 1);
    run_ok_seeded(3, "tabular cell-key d --dims r --id id --maximum 60 --variance 90.001"); /* by one key nearly all are alike */
    assert_true(like(count, output()) < 20);
    run_ok_seeded(3, "tabular cell-key d --dims r --id id --maximum 61 --variance 90");
    assert_true(like(count, output()) < 20);
    run_ok_seeded(3, "tabular cell-key d --dims r --id id --maximum 60 --variance 90 --no-small 1");
    assert_true(like(count, output()) < 20);
    run_ok_seeded(3, "tabular cell-key d --dims r --id id --perturbation p");
    for (int i = 0; i < 40; i++) count[i] = 30 + 2 * (column_number(output_column("count"), i + 1) - 30);
    run_ok_seeded(3, "tabular cell-key d --dims r --id id --perturbation q");
    assert_true(like(count, output()) < 30);
}

/* The table that a run printed, given to the next one: the same bytes, if the design is the same; any other has keys of its own. */
static void given_as_designed(void **state) {
    (void)state;
    static const char *const size[] = { "", " --maximum 4 --variance 2.5 --no-small 1" };
    char text[4096], command[160], before[4096];
    int n = sprintf(text, "r,id\n");
    for (int i = 0; i < 200; i++) n += sprintf(text + n, "r%d,%d\n", i * i % 23, i);
    table_from("d", text);
    for (int k = 0; k < 2; k++) {
        snprintf(command, sizeof command, "tabular cell-key d --dims r --id id%s", size[k]);
        run_ok_seeded(7, command);
        snprintf(before, sizeof before, "%s", cells_of(output_column("count")));
        shelve("p", table_retain((Table *)result_find_table(last_result, "perturbation")));
        snprintf(command, sizeof command, "tabular cell-key d --dims r --id id --perturbation p%s", size[k]);
        run_ok_seeded(7, command);
        assert_string_equal(cells_of(output_column("count")), before);
        snprintf(command, sizeof command, "tabular cell-key d --dims r --id id --perturbation p%s", size[1 - k]);
        run_ok_seeded(7, command);
        assert_string_not_equal(cells_of(output_column("count")), before);
    }
}

/* Two tables of one's own that differ in the row of a count that no cell has are two designs: no cell has its change by the same key, or who
 * has both outputs could combine them. */
static void own_designs_are_apart(void **state) {
    (void)state;
    char text[4096], first[4096];
    int n = sprintf(text, "r,id\n");
    for (int i = 0; i < 200; i++) n += sprintf(text + n, "r%d,%d\n", i, i);
    table_from("d", text);
    for (int last = 0; last < 3; last++) {
        snprintf(text, sizeof text, "i,v,p\n0,0,1\n1,0,0.5\n1,1,0.5\n2,%d,1\n", last % 2 ? 1 : -1);
        table_from("p", text);
        run_ok_seeded(7, "tabular cell-key d --dims r --id id --perturbation p");
        const char *now = strchr(cells_of(output_column("count")), ' '); /* without the total */
        if (!last) snprintf(first, sizeof first, "%s", now);
        else if (last == 1) assert_string_not_equal(now, first);
        else assert_string_equal(now, first);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(designs),
                                        cmocka_unit_test(given_as_designed),
                                        cmocka_unit_test(own_designs_are_apart),
                                        cmocka_unit_test(like_ptable),
                                        cmocka_unit_test(given_keys),
                                        cmocka_unit_test(consistent),
                                        cmocka_unit_test(own_table),
                                        cmocka_unit_test(magnitudes_like_ptable),
                                        cmocka_unit_test(magnitudes),
                                        cmocka_unit_test(magnitudes_consistent),
                                        cmocka_unit_test(sizes_are_apart),
                                        cmocka_unit_test(counts_are_apart) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
