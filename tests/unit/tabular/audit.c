/* Exact intervals: a textbook table, random ones against a linear program of the test's own, tables that are only safe apart. */
#include "cells.h"

/* Fischetti & Salazar's example: the 22 can be anything from 5 to 30. */
static void textbook(void **state) {
    (void)state;
    table_from("t", "r,c,count,status\n1,1,20,open\n1,2,50,open\n1,3,10,open\n1,Total,80,open\n2,1,,secondary\n2,2,19,open\n2,3,,"
                    "primary\n2,Total,49,open\n3,1,,secondary\n3,2,32,open\n"
                    "3,3,,secondary\n3,Total,61,open\nTotal,1,45,open\nTotal,2,101,open\nTotal,3,44,open\nTotal,Total,190,open\n");
    run_ok("tabular audit t");
    assert_true(value("exposed") == 0 && value("hidden") == 4);
    assert_true(table_value("intervals", "lower", 1) == 5 && table_value("intervals", "upper", 1) == 30);
}

static void random_tables(void **state) {
    (void)state;
    uint64_t seed = 7;
    Box b;
    for (int t = 0; t < 120; t++) {
        int inner[3] = { 2 + (int)(box_word(&seed) % 3), 2 + (int)(box_word(&seed) % 3), 2 + (int)(box_word(&seed) % 2) }, at = 0;
        box_make(&b, t % 2 ? 2 : 3, inner, 6, &seed);
        for (int c = 0; c < b.cells; c++) b.hidden[c] = box_word(&seed) % 3 == 0 ? 2 : 0;
        box_shelve(&b, "t", true);
        run_ok("tabular audit t --hide-zeros");
        assert_true(value("unproven") == 0);
        for (int c = 0; c < b.cells; c++) {
            if (!b.hidden[c]) continue;
            double low = box_bound(&b, c, false, -1, true), high = box_bound(&b, c, true, -1, true),
                   seen = table_value("intervals", "upper", at);
            near(table_value("intervals", "lower", at), low, 1e-6);
            if (isinf(high)) assert_true(isnan(seen));
            else near(seen, high, 1e-6);
            at++;
        }
    }
}

/* Reals: no rounding to whole numbers. */
static void magnitudes(void **state) {
    (void)state;
    table_from("t", "r,value\na,\nb,\nc,1.25\nTotal,4.5\n");
    run_ok("tabular audit t");
    near(table_value("intervals", "upper", 0), 3.25, 1e-9);
    table_from("t", "r,value\na,\nb,2\nc,1.25\nTotal,4.5\n");
    run_ok("tabular audit t");
    assert_true(value("exposed") == 1);
    near(table_value("intervals", "lower", 0), 1.25, 1e-9);
}

/* A dimension may have any name. */
static void names_with_spaces(void **state) {
    (void)state;
    table_from("t", "type of unit,count\na,\nb,\nTotal,4\n");
    run_ok("tabular audit t");
    assert_true(table_value("intervals", "lower", 1) == 0 && table_value("intervals", "upper", 1) == 4);
    assert_non_null(table_column(result_find_table(last_result, "intervals"), "type of unit"));
}

static Status lend(void *self, const char *name, Work *work, Tables *out, Error *error) {
    (void)self;
    (void)error;
    const Table **at = NULL;
    const char **names = NULL;
    char *copy = arena_text(work->arena, name);
    int64_t n = 0;
    assert_int_equal(arena_array(work->arena, 8, sizeof *at, &at, error), OK);
    assert_int_equal(arena_array(work->arena, 8, sizeof *names, &names, error), OK);
    for (char *part; (part = strsep(&copy, ",")); n++) {
        Table *table = NULL;
        assert_int_equal(test_host.table(NULL, part, &table, error), OK);
        at[n] = table;
        names[n] = part;
    }
    *out = (Tables){ n, names, at };
    return OK;
}

/* Two tables that each keep a cell in doubt give it away together. */
static void jointly(void **state) {
    (void)state;
    test_host.tables = lend;
    table_from("one", "r,s,count\na,f,\na,m,\na,Total,9\nb,f,4\nb,m,2\nb,Total,6\nTotal,f,9\nTotal,m,6\nTotal,Total,15\n");
    run_ok("tabular audit one");
    assert_true(value("exact") == 2);
    table_from("one", "r,s,count\na,f,\na,m,\na,Total,9\nb,f,\nb,m,\nb,Total,6\nTotal,f,9\nTotal,m,6\nTotal,Total,15\n");
    run_ok("tabular audit one");
    assert_true(value("exact") == 0 && value("hidden") == 4);
    table_from("two", "r,s,count\na,f,5\n");
    run_ok("tabular audit one,two");
    assert_true(value("exact") == 3 && value("hidden") == 3);
    table_from("two", "r,s,count\na,Total,8\n");
    run_bad("tabular audit one,two", "different values");
}

/* Counts beside magnitudes: not all are whole. */
static void jointly_not_whole(void **state) {
    (void)state;
    test_host.tables = lend;
    table_from("one", "r,value\na,\nb,\nTotal,4.5\n");
    table_from("two", "r,count\nc,1\nTotal,\n");
    run_ok("tabular audit one,two");
    near(table_value("intervals", "upper", 0), 4.5, 1e-9);
}

static void contributors(void **state) {
    (void)state;
    table_from("p", "r,count,status,protection_lower,protection_upper\na,1,primary,1,1\nb,1,primary,1,1\nc,5,open,,\nTotal,7,open,,\n");
    table_from("s", "r,count,status\na,,primary\nb,,primary\nc,5,open\nTotal,7,open\n");
    run_ok("tabular audit s --original p"); /* to outsiders each may be 0 to 2; the one who is a knows b */
    assert_true(value("exposed") == 0 && value("contributors") == 2);
    run_ok("tabular audit s --original p --no-singletons");
    assert_true(value("exposed") == 0);
}

/* A primary cell that went out is exposed; one that lies too close is, without being known exactly; what the original's bounds tell is
 * known. */
static void by_the_original(void **state) {
    (void)state;
    table_from("p", "r,count,status,protection\na,5,primary,1\nb,3,open,\nc,2,open,\nTotal,10,open,\n");
    table_from("s", "r,count,status\na,5,open\nb,3,open\nc,,secondary\nTotal,10,open\n");
    run_ok("tabular audit s --original p");
    assert_true(value("exposed") == 1 && value("hidden") == 1 && noted("Exposed: r=a."));
    table_from("s", "r,count,status\na,,primary\nb,3,open\nc,,secondary\nTotal,10,open\n");
    table_from("p", "r,count,status,protection\na,5,primary,3\nb,3,open,\nc,2,open,\nTotal,10,open,\n");
    run_ok("tabular audit s --original p"); /* 0 to 7, and 2 to 8 is wanted */
    assert_true(value("exposed") == 1 && value("exact") == 0);
    table_from("p", "r,count,status,protection_lower,protection_upper\na,5,primary,5,2\nb,3,open,,\nc,2,open,,\nTotal,10,open,,\n");
    run_ok("tabular audit s --original p");
    assert_true(value("exposed") == 0);
    table_from("p", "r,count,status,lower,upper,protection_lower,protection_upper\na,5,primary,1,2,1,1\nb,3,open,3,9,,\nc,2,open,2,1,,\n"
                    "Total,10,open,10,9,,\n");
    run_ok("tabular audit s --original p"); /* c at most 3, a at least 4 by its own bound */
    assert_true(table_value("intervals", "lower", 0) == 4 && table_value("intervals", "upper", 0) == 7 && value("exposed") == 0);
    table_from("p", "r,count,status,lower,upper,protection_lower,protection_upper\na,5,primary,0,2,0,1\nb,3,open,3,9,,\nc,2,open,2,1,,\n"
                    "Total,10,open,10,9,,\n");
    run_ok("tabular audit s --original p");
    assert_true(table_value("intervals", "lower", 0) == 5);
    table_from("p", "r,count,status,lower,upper,protection\na,5,primary,1,9,3\nb,3,open,3,9,\nc,2,open,2,9,\nTotal,10,open,10,9,\n");
    run_ok("tabular audit s --original p"); /* 4 is known before, 2 is wanted */
    assert_true(value("exposed") == 1 && value("exact") == 0 && noted("Exposed: r=a."));
    table_from("p", "r,count,status,lower,upper,protection_lower,protection_upper\na,5,primary,10,9,8,0\nb,3,open,3,9,,\nc,2,open,2,6,,\n"
                    "Total,10,open,10,9,,\n");
    run_ok("tabular audit s --original p"); /* below 0 by its own bound: −1 at the least, and −3 is wanted */
    assert_true(value("exposed") == 1 && table_value("intervals", "lower", 0) == -1);
    table_from("p", "r,count,status,lower,upper,protection\na,5,primary,5,9,6\nb,3,open,3,9,\nc,2,open,2,9,\nTotal,10,open,10,9,\n");
    table_from("s", "r,count,status\na,,primary\nb,,secondary\nc,,secondary\nTotal,,open\n");
    run_ok("tabular audit s --original p"); /* no count lies below 0, whoever knows it */
    assert_true(value("exposed") == 0);
}

/* Where nothing is marked all blanks count; where something is, the rest does not. */
static void what_counts(void **state) {
    (void)state;
    table_from("t", "r,c,count,status\na,u,,primary\na,v,,secondary\na,Total,9,open\nb,u,,open\nb,v,2,open\nb,Total,6,open\n");
    run_ok("tabular audit t");
    assert_true(value("exposed") == 0 && value("exact") == 1);
    table_from("t", "r,c,count\na,u,\na,v,\na,Total,9\nb,u,\nb,v,2\nb,Total,6\n");
    run_ok("tabular audit t");
    assert_true(value("exposed") == 1 && value("exact") == 1);
}

/* Where a published cell is below 0, so may the blanks be: nothing bounds these. */
static void below_zero(void **state) {
    (void)state;
    table_from("t", "r,value\na,\nb,\nc,-2\nTotal,-9\n");
    run_ok("tabular audit t");
    assert_true(isnan(table_value("intervals", "lower", 0)) && isnan(table_value("intervals", "upper", 0)) && value("exposed") == 0);
    table_from("t", "r,value\na,\nc,-2\nTotal,-9\n");
    run_ok("tabular audit t");
    assert_true(table_value("intervals", "lower", 0) == -7 && value("exact") == 1);
}

/* Sums that can be below 0 do not show that a cell is empty. Published counts do. */
static void empty_below_zero(void **state) {
    (void)state;
    table_from("t", "r,c,count,value\na,u,,\na,v,,\na,Total,0,0\nb,u,,\nb,v,,\nb,Total,4,-2\nTotal,u,2,3\nTotal,v,2,-5\n"
                    "Total,Total,4,-2\n");
    run_ok("tabular audit t");
    assert_true(value("exact") == 4 && table_value("intervals", "upper", 2) == 3);
    table_from("t", "r,c,count,value\na,u,,\na,v,,\na,Total,3,0\nb,u,,\nb,v,,\nb,Total,4,-2\nTotal,u,4,3\nTotal,v,3,-5\n"
                    "Total,Total,7,-2\n");
    run_ok("tabular audit t");
    assert_true(value("exact") == 0);
}

/* An end that is 0 but for rounding errors is 0: 0.4 − 0.1 − (0.7 − 0.4). */
static void ends_at_zero(void **state) {
    (void)state;
    table_from("t", "r,c,value\na,u,\na,v,\na,w,0.1\na,Total,0.4\nb,u,\nb,v,\nb,w,1\nb,Total,3\nc,u,5\nc,v,0.4\nc,w,2\nc,Total,7.4\n"
                    "Total,u,7\nTotal,v,0.7\nTotal,w,3.1\nTotal,Total,10.8\n");
    run_ok("tabular audit t");
    for (int i = 0; i < 4; i++) {
        double low = table_value("intervals", "lower", i);
        assert_true(low == 0 || low > 0.1);
    }
    assert_true(table_value("intervals", "lower", 0) == 0 && table_value("intervals", "lower", 1) == 0);
}

/* The table as a file: with what went out, hidden counts blank; or as the original, one primary cell protected so widely that no table
 * does, and bounded so closely that it cannot be another. */
static void put_table(const char *name, const Table *original, bool blank) {
    char *text = NULL, number[33];
    size_t size;
    FILE *out = open_memstream(&text, &size);
    const Column *status = blank ? output_column("status") : table_column(original, "status"), *count = table_column(original, "count");
    bool first = true;
    fprintf(out, "a,b,c,count,status%s\n", blank ? "" : ",protection,lower,upper");
    for (int64_t i = 0; i < original->rows; i++) {
        bool open = !strcmp(column_cell(status, i, number), "open");
        for (int d = 0; d < 3; d++) fprintf(out, "%s,", column_cell(original->column[d], i, number));
        fprintf(out, "%s,", blank && !open ? "" : column_cell(count, i, number));
        fprintf(out, "%s", column_cell(status, i, number));
        if (!blank) fprintf(out, ",%s", open ? ",9999,9999" : first ? "100000,0,0" : "1,9999,9999");
        if (!open) first = false;
        fprintf(out, "\n");
    }
    fclose(out);
    table_from(name, text);
    free(text);
}

/* More cells hang together than exact intervals are computed of: each is still proven to be in doubt, or counted; what is told is no wider
 * than what is so. */
/* Of the first interval. */
static const char *cell_text(const char *column) {
    static char number[33];
    return column_cell(table_column(result_find_table(last_result, "intervals"), column), 0, number);
}

static const Table *suppress_records(int codes) {
    uint64_t seed = 3;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    fprintf(out, "a,b,c\n");
    for (int i = 0; i < 3600; i++) {
        int w = (int)(box_word(&seed) % (uint64_t)(codes * codes * codes));
        fprintf(out, "x%d,y%d,z%d\n", w % codes, w / codes % codes, w / codes / codes);
    }
    fclose(out);
    table_from("d", text);
    free(text);
    run_ok("tabular build d --dims a,b,c");
    shelve("t", table_retain(output()));
    run_ok("tabular primary t --threshold 3");
    const Table *original = shelve("t", table_retain(output()));
    run_ok("tabular suppress t --quick");
    return original;
}

static void large_parts(void **state) {
    (void)state;
    const Table *original = suppress_records(11);
    put_table("s", original, true);
    put_table("o", original, false);
    run_ok("tabular audit s --original t");
    assert_true(value("exposed") == 0 && value("exact") == 0 && value("contributors") == 0 && value("at_least") > 400);
    assert_true(noted("a proven lower bound") && !strcmp(cell_text("told"), "at least"));
    run_ok("tabular audit s --original o --no-singletons");
    assert_true(value("exposed") == 1 && value("exact") == 1 && noted("For 1 of these no second value was found"));
}

/* Without the original and with too many cells to find a table that agrees: bounds by each sum alone, around every count. */
static void too_many(void **state) {
    (void)state;
    const Table *original = suppress_records(22);
    const Table *published = shelve("s", table_retain(output()));
    run_ok("tabular audit s");
    assert_true(value("unproven") > 3000 && value("at_least") == 0 && noted("each sum was evaluated alone"));
    assert_string_equal(cell_text("told"), "at most");
    const Table *intervals = result_find_table(last_result, "intervals");
    for (int64_t i = 0, at = 0; i < published->rows; i++) {
        if (!column_missing(table_column(published, "count"), i)) continue;
        double v = column_number(table_column(original, "count"), i);
        double upper = table_value("intervals", "upper", at); /* missing: nothing bounds it */
        assert_true(table_value("intervals", "lower", at) <= v && (isnan(upper) || upper >= v));
        at++;
        assert_true(at <= intervals->rows);
    }
    run_ok("attack differencing s s");
    assert_true(value("exposed") == 0 && noted("may be narrower"));
}

/* A table of three dimensions with its totals, which come last: all finest cells blank but two. */
static void shelve_counts(const char *leaf, const int *size, int shown, int shown_too) {
    char text[4096];
    int n = sprintf(text, "a,b,c,count\n"), cells = (size[0] + 1) * (size[1] + 1) * (size[2] + 1);
    for (int cell = 0; cell < cells; cell++) {
        const int code[] = { cell / (size[2] + 1) / (size[1] + 1), cell / (size[2] + 1) % (size[1] + 1), cell % (size[2] + 1) };
        int sum = 0, number = (code[0] * size[1] + code[1]) * size[2] + code[2];
        bool inner = code[0] < size[0] && code[1] < size[1] && code[2] < size[2];
        for (int i = 0; leaf[i]; i++) {
            const int at[] = { i / size[2] / size[1], i / size[2] % size[1], i % size[2] };
            bool in = true;
            for (int d = 0; d < 3; d++) in &= code[d] == size[d] || code[d] == at[d];
            if (in) sum += leaf[i] - '0';
        }
        for (int d = 0; d < 3; d++) n += code[d] == size[d] ? sprintf(text + n, "Total,") : sprintf(text + n, "%c%d,", 'a' + d, code[d]);
        n += inner && number != shown && number != shown_too ? sprintf(text + n, "\n") : sprintf(text + n, "%d\n", sum);
    }
    table_from("t", text);
}

/* Ends are whole to the last digit, whatever the program's steps leave behind them. */
static void whole_ends(void **state) {
    (void)state;
    shelve_counts("100021202012212120112110210001220201", (const int[]){ 3, 4, 3 }, 23, -1);
    run_ok("tabular audit t --hide-zeros");
    assert_true(value("hidden") == 35 && value("unproven") == 0);
    for (int64_t i = 0; i < 35; i++) {
        assert_true(table_value("intervals", "lower", i) == round(table_value("intervals", "lower", i)));
        assert_true(table_value("intervals", "upper", i) == round(table_value("intervals", "upper", i)));
    }
}

static void bad(void **state) {
    (void)state;
    table_from("t", "r,count\na,3\nb,\nTotal,2\n");
    run_bad("tabular audit t", "contradict");
    table_from("t", "r,value\na,\nb,5.5\nTotal,3\n");
    run_bad("tabular audit t", "no table without negative values agrees");
    table_from("t", "r,c,value\na,x,\na,y,1\na,Total,5\nb,x,1\nb,y,2\nb,Total,3\nTotal,x,11\nTotal,y,3\nTotal,Total,14\n");
    run_ok("tabular audit t"); /* 4 by its row, 10 by its column */
    assert_true(noted("do not add up") && value("residual") > 0);
    table_from("t", "r,c,value\na,x,\na,y,1\na,Total,5\nb,x,1\nb,y,2\nb,Total,3\nTotal,x,5\nTotal,y,3\nTotal,Total,8\n");
    run_ok("tabular audit t");
    assert_false(noted("do not add up") || result_find(last_result, "residual"));
}

/* In real numbers the last cell but one goes up to 2.5, in the five tables of whole numbers that agree to 2, and a move of another cell
 * comes as far. */
static void whole_before_real(void **state) {
    (void)state;
    shelve_counts("100001010210000102000020001110112011", (const int[]){ 3, 3, 4 }, 3, 9);
    run_ok("tabular audit t --hide-zeros");
    assert_true(value("hidden") == 34 && value("exact") == 13 && value("unproven") == 0);
    assert_true(table_value("intervals", "lower", 32) == 1 && table_value("intervals", "upper", 32) == 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(textbook),          cmocka_unit_test(random_tables),     cmocka_unit_test(magnitudes),
        cmocka_unit_test(contributors),      cmocka_unit_test(large_parts),       cmocka_unit_test(bad),
        cmocka_unit_test(jointly),           cmocka_unit_test(names_with_spaces), cmocka_unit_test(by_the_original),
        cmocka_unit_test(jointly_not_whole), cmocka_unit_test(what_counts),       cmocka_unit_test(below_zero),
        cmocka_unit_test(ends_at_zero),      cmocka_unit_test(whole_ends),        cmocka_unit_test(whole_before_real),
        cmocka_unit_test(too_many),          cmocka_unit_test(empty_below_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
