/* Tables from microdata: totals at every level, contributors, holdings, linked tables, the structure kept. */
#include "methods.h"
#include "table/cell_structure.h"

/* The number in a column of the row whose first two columns hold these codes. */
static double cell(const Table *t, const char *a, const char *b, const char *column) {
    char x[33], y[33];
    for (int64_t i = 0; i < t->rows; i++)
        if (!strcmp(column_cell(t->column[0], i, x), a) && (!b || !strcmp(column_cell(t->column[1], i, y), b)))
            return column_number(table_column(t, column), i);
    fail_msg("no cell %s, %s", a, b ? b : "");
    return NAN;
}

static void flat(void **state) {
    (void)state;
    table_from("d", "r,c,x\na,u,5\na,u,3\na,v,10\nb,v,1\nb,v,2\nb,v,4\n");
    run_ok("tabular build d --dims r,c");
    assert_true(value("cells") == 9 && value("relations") == 6 && value("empty") == 1 && value("records") == 6);
    assert_true(cell(output(), "a", "u", "count") == 2 && cell(output(), "b", "u", "count") == 0 &&
                cell(output(), "Total", "v", "count") == 4 && cell(output(), "Total", "Total", "count") == 6);
    run_ok("tabular build d --dims r,c --response x --top 3 --mean");
    assert_true(cell(output(), "b", "Total", "value") == 7 && cell(output(), "Total", "Total", "max1") == 10 &&
                cell(output(), "Total", "Total", "max2") == 5 && cell(output(), "b", "v", "max3") == 1);
    near(cell(output(), "Total", "Total", "mean"), 25.0 / 6, 1e-12);
    assert_true(isnan(cell(output(), "b", "u", "mean")));
}

static void nested(void **state) {
    (void)state;
    table_from("d", "g1,g2,s\nN,n1,f\nN,n1,m\nN,n2,f\nS,s1,f\nS,s1,f\n");
    run_ok("tabular build d --dims g2,s --nested g1,g2");
    assert_true(value("cells") == 18 && value("records") == 5);
    assert_true(cell(output(), "N", "Total", "count") == 3 && cell(output(), "N", "f", "count") == 2 &&
                cell(output(), "S", "m", "count") == 0);
    run_ok("tabular build d --dims 'g2,s;g1' --nested g1,g2"); /* the coarser table has no cell of its own */
    assert_true(value("cells") == 18);
    run_ok("tabular build d --dims 'g1,s;g2' --nested g1,g2"); /* linked: by g1 and s, by g2 */
    assert_true(value("cells") == 9 + 3);
    assert_true(cell(output(), "n1", "Total", "count") == 2 && isnan(cell(output(), "N", "Total", "holder")) &&
                cell(output(), "n2", "Total", "holder") == 3); /* who is alone in cells of several tables is known to be one */
    table_from("d", "g1,g2,s\nN,n1,f\nN,n1,m\nN,n2,f\nS,s1,f\n,,f\nX,X,m\n");
    run_ok("tabular build d --dims 'g1,s;g2' --nested g1,g2"); /* a code that stands at both levels is in the coarse table, too */
    assert_true(cell(output(), "Total", "Total", "count") == 6 && cell(output(), "Missing", "f", "count") == 1 &&
                cell(output(), "X", "m", "count") == 1);
    table_from("d", "g1,g2\nN,n1\nS,n1\n");
    run_bad("tabular build d --dims g2 --nested g1,g2", "under two");
}

/* The variables of equations are a dimension: their own values, contributors and sums; a hidden one does not follow from the others. */
static void equations(void **state) {
    (void)state;
    table_from("d", "r,t,d,e,n,w\na,10.5,10,0.5,3,x\na,7,3,4,2,y\nb,5,5,0,9,x\nb,6,,6,1,x\n");
    run_ok("tabular build d --dims r --response 't = d + e; n'");
    const Table *t = output();
    assert_true(t->rows == 12 && value("relations") == 7); /* r adds up for four variables, t = d + e for three codes */
    assert_string_equal(t->column[1]->name, "variable");
    assert_string_equal(cells_of(table_column(t, "variable")), "t d e n t d e n t d e n");
    assert_string_equal(cells_of(table_column(t, "value")), "22.5 18 4.5 14 17.5 13 4.5 5 5 5 0 9");
    assert_string_equal(cells_of(table_column(t, "holdings")), "3 3 3 3 2 2 2 2 1 1 1 1");
    assert_true(column_number(table_column(t, "max1"), 4) == 10.5 &&
                column_number(table_column(t, "by1"), 4) == column_number(table_column(t, "by1"), 5));
    run_ok("tabular build d --dims r --response 't - d = e'");
    assert_true(value("relations") == 6);
    run_ok("tabular build d --dims r --response t");
    assert_true(output()->rows == 3);
    run_bad("tabular build d --dims r --response 't = d + n'", "does not hold in a record");
    run_bad("tabular build d --dims r --response 't = d + d'", "twice");
    run_bad("tabular build d --dims r --response 't = d'", "at least two others");
    run_bad("tabular build d --dims r --response 't = d +'", "at least two others");
    run_bad("tabular build d --dims r --response 't + d = e + n'", "one variable that is the sum");
    run_bad("tabular build d --dims r --response 't = d + zz'", "zz");
    run_bad("tabular build d --dims r --response 't = d + e' --mean", "a single response");
    run_bad("tabular build d --dims r --response w", "must hold numbers");
    run_bad("tabular build d --dims r --response 't;'", "missing");
}

/* Hidden cells of every sum are at least two, variables' sums included. */
static void equations_protected(void **state) {
    (void)state;
    Buffer text = { 0 };
    buffer_text(&text, "r,t,d,e\n");
    for (int i = 0; i < 60; i++) {
        int d = 5 + i * 7 % 23 + (i == 3 ? 400 : 0), e = 1 + i * 5 % 11;
        buffer_print(&text, "%c,%d,%d,%d\n", 'a' + i % 5, d + e, d, e);
    }
    table_from("d", buffer_get(&text));
    buffer_free(&text);
    run_ok("tabular build d --dims r --response 't = d + e'");
    shelve("t", table_retain(output()));
    run_ok("tabular primary t --p-percent 60");
    shelve("p", table_retain(output()));
    assert_true(value("primary") > 0);
    run_ok("tabular suppress p");
    const Table *s = output();
    int by_code[8] = { 0 }, by_variable[3] = { 0 };
    for (int64_t i = 0; i < s->rows; i++) {
        char word[33];
        if (!strcmp(column_cell(table_column(s, "status"), i, word), "open")) continue;
        by_code[i / 3]++;
        by_variable[i % 3]++;
    }
    for (int k = 0; k < 6; k++) assert_int_not_equal(by_code[k], 1);
    for (int k = 0; k < 3; k++) assert_int_not_equal(by_variable[k], 1);
}

static void holdings(void **state) {
    (void)state;
    table_from("d", "r,h,x\na,A,5\na,A,4\na,B,6\nb,A,1\n");
    run_ok("tabular build d --dims r --response x --holding h");
    assert_true(cell(output(), "a", NULL, "max1") == 9 && cell(output(), "a", NULL, "max2") == 6 &&
                cell(output(), "a", NULL, "holdings") == 2);
    assert_true(cell(output(), "Total", NULL, "max1") == 10 && cell(output(), "b", NULL, "holdings") == 1 &&
                cell(output(), "b", NULL, "holder") == 1);
    assert_true(isnan(cell(output(), "a", NULL, "holder")));
}

static void weights_and_missing(void **state) {
    (void)state;
    table_from("d", "r,w,x\na,2,5\na,1,\nb,3,1\n,1,7\n");
    run_ok("tabular build d --dims r --response x --weight w");
    assert_true(value("records") == 3 && cell(output(), "a", NULL, "value") == 10 && cell(output(), "Missing", NULL, "count") == 1 &&
                cell(output(), "Total", NULL, "value") == 20);
}

static void structure_stays(void **state) {
    (void)state;
    table_from("d", "g1,g2,s\nN,n1,f\nN,n1,m\nN,n2,f\nS,s1,f\nS,s1,f\n");
    run_ok("tabular build d --dims g2,s --nested g1,g2");
    Work work = { .arena = arena_new(), .error = &last_error, .threads = 1 };
    Structure s;
    Relations r;
    assert_int_equal(structure_read(&work, output(), NULL, &s), OK);
    assert_true(s.dims == 2 && s.whole && s.dim[0].codes == 6 && s.dim[0].sums == 3);
    assert_int_equal(structure_relations(&work, &s, output(), &r), OK);
    for (int64_t i = 0; i < r.count; i++) { /* every relation holds of the counts */
        double sum = 0;
        for (int64_t k = r.start[i]; k < r.start[i + 1]; k++)
            sum += r.coefficient[k] * column_number(table_column(output(), "count"), r.cell[k]);
        assert_true(sum == 0);
    }
    arena_free(work.arena);
}

/* Which linked table has which codes is kept; one that tells of codes that are not there is refused. */
static void extents_stay(void **state) {
    (void)state;
    static const char *const wrong[] = { "[[[0,9],[0]]]", "[[[0]]]", "[[[0,-1],[0]]]" };
    table_from("d", "g1,g2,s\nN,n1,f\nN,n2,m\nS,s1,f\n");
    run_ok("tabular build d --dims 'g1,s;g2' --nested g1,g2");
    Work work = { .arena = arena_new(), .error = &last_error, .threads = 1 };
    Structure s;
    assert_int_equal(structure_read(&work, output(), NULL, &s), OK);
    assert_true(s.extents == 2 && structure_covers(&s, (int32_t[]){ 0, 1 }));
    int covered = 0;
    for (int32_t g = 0; g < s.dim[0].codes; g++)
        for (int32_t c = 0; c < s.dim[1].codes; c++) covered += structure_covers(&s, (int32_t[]){ g, c });
    assert_int_equal(covered, 9 + 3);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        Table *t = table_from("t", "r,c,count\na,b,1\n");
        char text[256];
        snprintf(text, sizeof text,
                 "{\"schema\":1,\"dimensions\":[{\"name\":\"r\",\"codes\":[\"a\"],\"sums\":[]},{\"name\":\"c\",\"codes\":"
                 "[\"b\"],\"sums\":[]}],\"tables\":%s}",
                 wrong[i]);
        t->structure = strdup(text);
        assert_int_equal(structure_read(&work, t, NULL, &s), BAD);
    }
    arena_free(work.arena);
}

static void reference(void **state) {
    (void)state;
    table_from_file("h", "../shared/reference/tabular/hier/h1k.csv");
    run_ok("tabular build h --dims geo3,act3 --nested 'geo1,geo2,geo3;act1,act2,act3'");
    assert_true(value("cells") == 1089 && value("relations") == 594 && value("records") == 4000);
}

/* Codes of a hierarchy that nobody has: with --all-codes the cells are the same, whoever is in the data. */
static void all_codes(void **state) {
    (void)state;
    static const char *const data[] = { "r,z\n1,u\n2,u\n", "r,z\n10,u\n", "r,z\n,v\n3,u\n" };
    char codes[512] = "";
    table_from("r", "level0,level1\n1,N\n2,N\n10,S\n3,S\n");
    table_from("d", data[1]);
    run_ok("tabular build d --dims r --hierarchies r");
    assert_true(value("cells") == 2);
    for (int i = 0; i < 3; i++) {
        table_from("d", data[i]);
        run_ok("tabular build d --dims r --hierarchies r --all-codes");
        assert_true(value("cells") == 8); /* Total, N, 1, 2, S, 10, 3, Missing */
        if (!i) snprintf(codes, sizeof codes, "%s", cells_of(output_column("r")));
        assert_string_equal(cells_of(output_column("r")), codes);
        assert_true(cell(output(), "Total", NULL, "count") == (i == 1 ? 1 : 2) && cell(output(), "Missing", NULL, "count") == (i == 2) &&
                    cell(output(), "N", NULL, "count") == (i == 0 ? 2 : 0) && cell(output(), "10", NULL, "count") == (i == 1));
    }
    run_bad("tabular build d --dims r,z --hierarchies r --all-codes", "no hierarchy");
    run_bad("tabular build d --dims r --nested z,r --hierarchies r --all-codes", "nested");
    run_bad("tabular build d --dims r --all-codes", "--hierarchies");
}

static void bad(void **state) {
    (void)state;
    table_from("d", "count,r,Total\n1,a,1\n2,Total,2\n");
    run_bad("tabular build d --dims count", "gets by itself");
    run_bad("tabular build d --dims r", "total");
    run_bad("tabular build d --dims r,r", "twice");
}

/* One variable under two names in linked tables: refused, be it the same words, other words or a coarser column; not what goes together in
 * few records by chance, and not within one table, whose empty cells say it. */
static void two_names(void **state) {
    (void)state;
    Buffer text = { 0 };
    buffer_print(&text, "nace,nace2,other,coarse,size\n");
    for (int i = 0; i < 60; i++) {
        int at = i * 7 % 5;
        buffer_print(&text, "n%d,n%d,o%d,k%d,s%d\n", at, at, 4 - at, at / 2, i % 3);
    }
    table_from("d", buffer_get(&text));
    buffer_free(&text);
    run_bad("tabular build d --dims 'nace,size;nace2,size'", "nace is the same as nace2");
    run_bad("tabular build d --dims 'nace,size;other,size'", "nace determines other");
    run_bad("tabular build d --dims 'coarse,size;nace,size'", "nace determines coarse");
    run_ok("tabular build d --dims 'nace,nace2;nace,size'");
    run_ok("tabular build d --dims 'nace,coarse,size'");
    table_from("d", "a,b,c\na0,b0,c0\na1,b1,c0\na2,b0,c1\na2,b0,c1\n");
    run_ok("tabular build d --dims 'a,c;b,c'");
}

/* The same in tables that come without their data. */
static void two_names_later(void **state) {
    (void)state;
    table_from("t",
               "x,y,s,count,status\nA,Total,u,4,open\nA,Total,v,5,open\nA,Total,Total,9,open\nB,Total,u,1,primary\nB,Total,v,3,open\n"
               "B,Total,Total,4,open\nC,Total,u,6,open\nC,Total,v,2,open\nC,Total,Total,8,open\nTotal,A,u,4,open\nTotal,A,v,5,open\n"
               "Total,A,Total,9,open\nTotal,B,u,1,primary\nTotal,B,v,3,open\nTotal,B,Total,4,open\nTotal,C,u,6,open\nTotal,C,v,2,open\n"
               "Total,C,Total,8,open\nTotal,Total,u,11,open\nTotal,Total,v,10,open\nTotal,Total,Total,21,open\n");
    run_bad("tabular suppress t", "'x' and 'y' are one variable under two names");
    run_bad("tabular audit t", "'x' and 'y' are one variable under two names");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_names),    cmocka_unit_test(two_names_later),     cmocka_unit_test(flat),
        cmocka_unit_test(nested),       cmocka_unit_test(equations),           cmocka_unit_test(equations_protected),
        cmocka_unit_test(holdings),     cmocka_unit_test(weights_and_missing), cmocka_unit_test(structure_stays),
        cmocka_unit_test(extents_stay), cmocka_unit_test(reference),           cmocka_unit_test(all_codes),
        cmocka_unit_test(bad)
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
