/* Small counts: known tables, nothing suppressed can be computed, and the range that rounding leaves equals an enumeration of all tables. */
#include "cells.h"

static const char *cell(int64_t column, int64_t row) {
    static char number[33];
    const Table *t = result_find_table(last_result, "table");
    return column_cell(t->column[column], row, number);
}

static void known(void **state) {
    (void)state;
    table_from("d", "sex,arm\nf,a\nf,a\nf,a\nf,a\nf,a\nf,b\nm,a\nm,a\nm,a\nm,a\nm,a\nm,b\nm,b\nm,b\nm,b\nm,b\nm,b\n");
    run_ok("tabular small-counts d --vars sex --by arm --threshold 3");
    assert_true(value("small") == 1 && value("suppressed") == 4);
    assert_string_equal(cell(3, 1), "x");
    assert_string_equal(cell(4, 0), "17");
    assert_string_equal(cell(4, 1), "6 (35.3%)");
    run_ok("tabular small-counts d --vars sex --by arm --method midpoint --percent none");
    assert_string_equal(cell(2, 1), "3");
    assert_string_equal(cell(2, 0), "9");
    assert_string_equal(cell(4, 1), "6");
    run_ok("tabular small-counts d --vars sex --threshold 3 --percent row --digits 0");
    assert_true(value("suppressed") == 0);
    assert_string_equal(cell(2, 2), "11");
}

/* Every table of counts with the same rounded form, of two variables with a common total: the fewest values that a count can have. */
static int fewest_left(const int *x, int nx, const int *y, int ny, int base, bool totals_known) {
    int lo[8], count = nx + ny, at[8], seen_low[8], seen_high[8], total = 0, least = 1000;
    const int *from[2] = { x, y };
    for (int i = 0; i < nx; i++) total += x[i];
    for (int i = 0; i < count; i++) {
        const int c = i < nx ? from[0][i] : from[1][i - nx];
        lo[i] = c ? (c - 1) / base * base + 1 : 0;
        seen_low[i] = 1000;
        seen_high[i] = -1;
        at[i] = 0;
    }
    for (bool more = true; more;) {
        int a = 0, b = 0;
        for (int i = 0; i < count; i++) *(i < nx ? &a : &b) += lo[i] + at[i];
        const bool possible = a == b && (totals_known ? a == total : (a ? (a - 1) / base : -1) == (total ? (total - 1) / base : -1));
        for (int i = 0; i < count && possible; i++) {
            if (lo[i] + at[i] < seen_low[i]) seen_low[i] = lo[i] + at[i];
            if (lo[i] + at[i] > seen_high[i]) seen_high[i] = lo[i] + at[i];
        }
        int i = 0;
        while (i < count && (!lo[i] || ++at[i] == base)) at[i++] = 0;
        more = i < count;
    }
    for (int i = 0; i < count; i++)
        if (lo[i] && seen_high[i] - seen_low[i] + 1 < least) least = seen_high[i] - seen_low[i] + 1;
    return least;
}

static void ranges_by_enumeration(void **state) {
    (void)state;
    uint64_t seed = 11;
    int refused = 0, answered = 0;
    for (int t = 0; t < 150; t++) {
        int x[8] = { 0 }, y[8] = { 0 }, nx = 0, ny = 0, rows = 1 + (int)(box_word(&seed) % 12), base = 2 + (int)(box_word(&seed) % 3);
        char text[4096] = "u,v\n";
        for (int i = 0; i < rows; i++) {
            const int u = (int)(box_word(&seed) % 3), v = (int)(box_word(&seed) % 2);
            x[u]++;
            y[v]++;
            snprintf(text + strlen(text), sizeof text - strlen(text), "%c,%c\n", 'a' + u, 'p' + v);
        }
        for (int i = 0; i < 3; i++)
            if (x[i]) x[nx++] = x[i];
        for (int i = 0; i < 2; i++)
            if (y[i]) y[ny++] = y[i];
        if (nx < 2 || ny < 2) continue;
        table_from("d", text);
        for (int k = 0; k < 2; k++) {
            char words[160];
            const int least = fewest_left(x, nx, y, ny, base, k);
            snprintf(words, sizeof words, "tabular small-counts d --vars u,v --method midpoint --base %d%s", base,
                     k ? " --totals-known" : "");
            if (least == 1) {
                assert_int_equal(run_seeded(1, words), REFUSED);
                refused++;
            } else {
                run_ok(words);
                assert_true(value("narrowest") == least);
                answered++;
            }
        }
    }
    assert_true(refused > 5 && answered > 50);
}

static void bad(void **state) {
    (void)state;
    table_from("d", "sex,arm\nf,a\nm,b\n");
    run_bad("tabular small-counts d --vars sex --by sex", "--vars and in --by");
    run_bad("tabular small-counts d --vars sex --base 5", "midpoint");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(known), cmocka_unit_test(ranges_by_enumeration), cmocka_unit_test(bad) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
