/* Rounding: multiples, sums that add up, the least change, and cells that are right on average. */
#include "cells.h"

static void known(void **state) {
    (void)state;
    table_from("t", "r,count\na,1\nb,7\nc,10\nTotal,18\n");
    run_ok("tabular round t --base 5 --method nearest");
    assert_string_equal(cells_of(output_column("count")), "0 5 10 20");
    assert_true(value("unbalanced") == 1 && value("change") == 5);
    run_ok("tabular round t --base 5");
    assert_true(value("unbalanced") == 0 && value("change") == 1 + 3 + 2 && value("least") == 6);
}

static void adds_up(void **state) {
    (void)state;
    uint64_t seed = 3;
    Box b;
    for (int t = 0; t < 15; t++) {
        box_make(&b, 2, (int[]){ 2 + (int)(box_word(&seed) % 4), 2 + (int)(box_word(&seed) % 4) }, 30, &seed);
        box_shelve(&b, "t", false);
        for (int k = 0; k < 2; k++) {
            run_ok_seeded((uint64_t)t, k ? "tabular round t --base 5 --unbiased" : "tabular round t --base 5");
            assert_true(value("unbalanced") == 0);
            for (int c = 0; c < b.cells; c++) {
                double x = column_number(output_column("count"), c);
                assert_true(fmod(x, 5) == 0 && fabs(x - b.value[c]) < 5);
            }
        }
    }
}

/* Every controlled rounding of a small table, by hand: none changes less. */
static void least(void **state) {
    (void)state;
    uint64_t seed = 9;
    Box b;
    for (int t = 0; t < 20; t++) {
        box_make(&b, 2, (int[]){ 2, 3 }, 20, &seed);
        box_shelve(&b, "t", false);
        run_ok("tabular round t --base 3");
        double best = INFINITY;
        for (int set = 0; set < 64; set++) { /* up or down for each of the six inner cells */
            Box r = b;
            int k = 0;
            bool right = true;
            for (int c = 0; c < b.cells; c++) {
                int code[3];
                box_codes(&b, c, code);
                if (!code[0] || !code[1]) continue;
                int low = b.value[c] / 3 * 3, up = set >> k++ & 1;
                if (up && b.value[c] % 3 == 0) right = false;
                r.value[c] = low + 3 * up;
            }
            for (int c = b.cells - 1; c >= 0 && right; c--) {
                int code[3];
                box_codes(&b, c, code);
                if (code[0] && code[1]) continue;
                int d = code[0] ? 1 : 0, sum = 0;
                for (int v = 1; v < b.size[d]; v++) {
                    code[d] = v;
                    sum += r.value[box_cell(&b, code)];
                }
                r.value[c] = sum;
                right = abs(sum - b.value[c]) < 3 && (b.value[c] % 3 || sum == b.value[c]);
            }
            double change = 0;
            for (int c = 0; c < b.cells; c++) change += abs(r.value[c] - b.value[c]);
            if (right && change < best) best = change;
        }
        near(value("change"), best, 1e-9);
        near(value("least"), best, 1e-6);
    }
}

/* 300 seeds: each mean within five standard errors of the cell (1 in 10^5 for all twelve by chance). */
static void right_on_average(void **state) {
    (void)state;
    uint64_t seed = 4;
    Box b;
    double sum[BOX_CELLS] = { 0 };
    enum { DRAWS = 300 };
    box_make(&b, 2, (int[]){ 2, 3 }, 9, &seed);
    box_shelve(&b, "t", false);
    for (int t = 0; t < DRAWS; t++) {
        run_ok_seeded((uint64_t)t, "tabular round t --base 5 --unbiased");
        for (int c = 0; c < b.cells; c++) sum[c] += column_number(output_column("count"), c);
    }
    for (int c = 0; c < b.cells; c++) near(sum[c] / DRAWS, b.value[c], 5 * 2.5 / sqrt(DRAWS) + 1e-9);
}

/* One hierarchy: 2,000 seeds, each mean within five standard errors. */
static void hierarchy_on_average(void **state) {
    (void)state;
    enum { DRAWS = 2000, CELLS = 24 };
    double sum[CELLS] = { 0 }, true_count[CELLS];
    table_from("d", "g1,g2,s\nN,n1,f\nN,n1,m\nN,n2,f\nN,n2,f\nN,n2,m\nN,n3,f\nS,s1,f\nS,s1,f\nS,s2,m\nS,s2,m\nS,s2,m\n");
    run_ok("tabular build d --dims g2,s --nested g1,g2");
    shelve("t", table_retain(output()));
    assert_true(value("cells") == 24);
    for (int c = 0; c < CELLS; c++) true_count[c] = column_number(output_column("count"), c);
    for (int t = 0; t < DRAWS; t++) {
        run_ok_seeded((uint64_t)t, "tabular round t --base 5 --unbiased");
        assert_true(value("unbalanced") == 0);
        for (int c = 0; c < CELLS; c++) {
            double x = column_number(output_column("count"), c);
            assert_true(fabs(x - true_count[c]) < 5);
            sum[c] += x;
        }
    }
    for (int c = 0; c < CELLS; c++) near(sum[c] / DRAWS, true_count[c], 5 * 2.5 / sqrt(DRAWS) + 1e-9);
}

/* 1 + 2 = 3 to the base 5: with these means only (5, 0) has chance 1/5, (0, 5) 2/5 and (0, 0) 2/5. χ² of two degrees of freedom: a false
 * alarm in 10^6. */
static void exact_chances(void **state) {
    (void)state;
    enum { DRAWS = 3000 };
    static const double chance[] = { 0.4, 0.2, 0.4 };
    double seen[3] = { 0 }, far = 0;
    table_from("t", "r,count\na,1\nb,2\nTotal,3\n");
    for (int t = 0; t < DRAWS; t++) {
        run_ok_seeded((uint64_t)t, "tabular round t --base 5 --unbiased");
        const Column *c = output_column("count");
        assert_true(column_number(c, 0) + column_number(c, 1) == column_number(c, 2) && column_number(c, 2) <= 5);
        seen[column_number(c, 0) > 0 ? 1 : column_number(c, 1) > 0 ? 2 : 0]++;
    }
    for (int k = 0; k < 3; k++) far += (seen[k] - DRAWS * chance[k]) * (seen[k] - DRAWS * chance[k]) / (DRAWS * chance[k]);
    assert_true(far < 27.6);
}

static void optima(void **state) {
    (void)state;
    static const struct {
        const char *name;
        int base;
        double change;
    } known[] = { { "h1k", 3, 858 }, { "h1k", 5, 1458 }, { "micro3000", 3, 544 } };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        char path[256], command[128];
        snprintf(path, sizeof path, "../shared/reference/tabular/csp/%s_cells.csv", known[i].name);
        table_from_file("c", path);
        snprintf(path, sizeof path, "../shared/reference/tabular/csp/%s_relations.csv", known[i].name);
        table_from_file("r", path);
        run_ok("tabular import --cells c --relations r");
        shelve("t", table_retain(last_result->output[0]));
        snprintf(command, sizeof command, "tabular round t --base %d", known[i].base);
        run_ok(command);
        near(value("change"), known[i].change, 1e-6);
    }
}

static void bad(void **state) {
    (void)state;
    table_from("t", "r,count\na,1\nb,\nTotal,18\n");
    run_bad("tabular round t", "no value");
    table_from("t", "r,count\na,1\nb,2\nTotal,18\n");
    run_bad("tabular round t", "do not add up");
    run_bad("tabular round t --base 1", "base");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(known),
                                        cmocka_unit_test(adds_up),
                                        cmocka_unit_test(least),
                                        cmocka_unit_test(right_on_average),
                                        cmocka_unit_test(hierarchy_on_average),
                                        cmocka_unit_test(exact_chances),
                                        cmocka_unit_test(optima),
                                        cmocka_unit_test(bad) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
