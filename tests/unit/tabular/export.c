/* Forms of a table: wide, and back through cells and relations. */
#include "methods.h"
#include "render/render.h"
#include "table/display_layout.h"

static void wide(void **state) {
    (void)state;
    table_from("t", "r,c,count,status\na,u,,primary\na,v,,secondary\na,Total,9,open\nb,u,4,open\nb,v,2,open\nb,Total,6,open\n");
    run_ok("tabular export t");
    assert_true(value("rows") == 2 && value("hidden") == 2);
    assert_string_equal(cells_of(output_column("u")), "x 4"); /* one mark for all */
    assert_string_equal(cells_of(output_column("v")), "x 2");
    assert_string_equal(output()->column[3]->name, "Total");
    assert_string_equal(cells_of(table_column(result_find_table(last_result, "table"), "v")), "x 2"); /* what reports show */
    run_ok("tabular export t --across r --mark P");
    assert_string_equal(cells_of(output_column("a")), "P P 9");
    run_bad("tabular export t --across z", "no dimension");
}

/* Text and HTML show what the layout says: heads set in by their level, numbers right, hidden cells by their kind. */
static void laid_out(void **state) {
    (void)state;
    Buffer text = { 0 }, html = { 0 };
    table_from("d",
               "g,h,b\nA,a1,u\nA,a1,v\nA,a2,u\nB,b1,u\nB,b1,v\nB,b2,v\nB,b2,v\nB,b2,u\nA,a2,v\nA,a2,v\nA,a1,u\nB,b1,u\nB,b1,v\nA,a1,v\n");
    run_ok("tabular build d --dims h,b --nested g,h");
    shelve("t", table_retain(output()));
    run_ok("tabular primary t --threshold 2");
    shelve("t", table_retain(output()));
    run_ok("tabular suppress t");
    shelve("t", table_retain(output()));
    run_ok("tabular export t");
    assert_true(display_layout_depth(output(), 0, 0) == 0 && display_layout_depth(output(), 0, 1) == 1 &&
                display_layout_depth(output(), 0, 2) == 2);
    assert_true(display_layout_depth(output(), 1, 2) == 0 && display_layout_kind(output(), 0, "x") == LAID_HEAD);
    assert_string_equal(output()->layout->note, "x: suppressed, because the cell is unsafe or protects another one.");
    render_text(last_result, 100, false, &text);
    assert_non_null(strstr(buffer_get(&text),
                           "\n  h       u  v  Total\n  Total   6  8     14\n    A     3  4      7\n      a1  x  x      4\n      a2  x"));
    render_html(last_result, NULL, &html);
    assert_non_null(strstr(buffer_get(&html), "<th scope=\"row\" style=\"padding-left:2.4em\">a1</th><td class=\"number hidden\">x</td>"));
    buffer_free(&text);
    buffer_free(&html);
}

/* The footnote says no more than the table does. */
static void footnotes(void **state) {
    (void)state;
    table_from("t", "r,count\na,1\nb,\nTotal,9\n");
    run_ok("tabular export t");
    assert_true(noted("x: suppressed, because the cell is unsafe or protects another one."));
    table_from("t", "r,count\na,1\nb,8\nTotal,9\n");
    run_ok("tabular export t --unprotected");
    assert_true(!noted("suppressed, because") && !output()->layout->note);
}

/* Hidden cells that still have their values, and codes that are named as a dimension is. */
static void never_shown(void **state) {
    (void)state;
    Buffer text = { 0 }, html = { 0 };
    table_from("t", "r,c,count,status\na,u,71,primary\na,v,72,secondary\na,r,9,open\nb,u,4,open\nb,v,2,open\nb,r,6,open\n");
    run_ok("tabular export t");
    assert_string_equal(cells_of(output_column("u")), "x 4");
    assert_string_equal(cells_of(output_column("v")), "x 2");
    assert_string_equal(cells_of(output_column("c=r")), "9 6");
    render_text(last_result, 100, false, &text);
    render_html(last_result, NULL, &html);
    assert_null(strstr(buffer_get(&text), "71"));
    assert_null(strstr(buffer_get(&text), "72"));
    assert_null(strstr(buffer_get(&html), ">71<"));
    assert_null(strstr(buffer_get(&html), ">72<"));
    buffer_free(&text);
    buffer_free(&html);
}

/* A table of which nothing was suppressed is not written as if it had been. */
static void unprotected(void **state) {
    (void)state;
    table_from("d", "r,c\na,u\na,u\na,v\na,v\na,v\nb,u\nb,u\nb,u\nb,v\nb,v\nb,v\nb,v\n");
    run_ok("tabular build d --dims r,c");
    shelve("t", table_retain(output()));
    assert_int_equal(run_seeded(1, "tabular export t"), REFUSED);
    run_ok("tabular export t --unprotected");
    assert_true(noted("is not protected"));
    run_ok("tabular primary t --threshold 3");
    shelve("p", table_retain(output()));
    assert_int_equal(run_seeded(1, "tabular export p"), REFUSED);
    static const char *const ways[] = { "tabular suppress p", "tabular adjust p", "tabular round t --base 3",
                                        "tabular cell-key d --dims r,c" };
    for (int k = 0; k < 4; k++) {
        run_ok(ways[k]);
        shelve("s", table_retain(output()));
        run_ok("tabular export s");
        assert_false(noted("is not protected"));
    }
}

/* Sums of decimals are decimals. */
static void decimals(void **state) {
    (void)state;
    table_from("d", "r,x\na,0.1\na,0.2\na,83102.1\nb,0.7\nb,0.1\n");
    run_ok("tabular build d --dims r --response x");
    assert_string_equal(cells_of(output_column("value")), "83103.2 83102.4 0.8");
}

/* Bars within codes do not make one name of two. */
static void bars(void **state) {
    (void)state;
    table_from("t", "r,c,count\na|b,c,1\na,b|c,2\na|b,b|c,3\na,c,4\na\\,c,7\n");
    run_ok("tabular export t --form cells");
    assert_string_equal(cells_of(output_column("cell")), "a\\|b|c a|b\\|c a\\|b|b\\|c a|c a\\\\|c");
}

static void there_and_back(void **state) {
    (void)state;
    table_from("t", "r,count,status\na,1,primary\nb,4,open\nc,5,open\nTotal,10,open\n");
    run_ok("tabular export t --form cells");
    shelve("c", table_retain(last_result->output[0]));
    run_ok("tabular export t --form relations");
    shelve("r", table_retain(last_result->output[0]));
    run_ok("tabular import --cells c --relations r --counts");
    assert_true(value("cells") == 4 && value("relations") == 1 && value("residual") == 0);
    shelve("u", table_retain(last_result->output[0]));
    run_ok("tabular suppress u");
    assert_true(value("cost") == 4);
}

/* A row for each cell: no value and one word where it is hidden; it is read back as a published table. */
static void long_forms(void **state) {
    (void)state;
    table_from("t", "r,c,count,status\na,u,3,primary\na,v,,secondary\na,Total,9,open\nb,u,4,open\nb,v,2,open\nb,Total,6,open\n");
    run_ok("tabular export t --form long");
    assert_true(output()->columns == 4 && output()->rows == 6);
    assert_string_equal(cells_of(output_column("status")), "hidden hidden open open open open");
    assert_true(column_missing(output_column("count"), 0) && column_number(output_column("count"), 2) == 9);
    shelve("l", table_retain(output()));
    run_ok("tabular audit l");
    assert_true(value("hidden") == 2 && value("exact") == 0);
    run_ok("tabular export t --form sdmx --dataflow 'ESTAT:X(2.1)'");
    assert_string_equal(output()->column[0]->name, "STRUCTURE");
    assert_string_equal(cells_of(output_column("STRUCTURE_ID")),
                        "ESTAT:X(2.1) ESTAT:X(2.1) ESTAT:X(2.1) ESTAT:X(2.1) ESTAT:X(2.1) ESTAT:X(2.1)");
    assert_string_equal(cells_of(output_column("CONF_STATUS")), "C C F F F F");
    assert_true(column_missing(output_column("OBS_VALUE"), 0));
    table_from("o", "r,count,status\na,4,open\nTotal,4,open\n");
    assert_int_equal(run_seeded(1, "tabular export o --form sdmx"), REFUSED);
}

/* The custodian's page names every rule of a primary cell and what a secondary one protects, in the table with values too; and it asks for an
 * original that has every cell. */
static void reviewed(void **state) {
    (void)state;
    Buffer html = { 0 };
    table_from("p", "r,c,count,status,rule\na,u,1,primary,threshold "
                    "p-percent\na,v,8,open,\na,Total,9,open,\nb,u,4,open,\nb,v,2,open,\nb,Total,6,open,\n");
    table_from("s", "r,c,count,status,protects\na,u,,primary,\na,v,,secondary,c=<u>\na,Total,9,open,\nb,u,4,open,\nb,v,2,open,\n"
                    "b,Total,6,open,\n");
    run_ok("tabular export s --form review --original p");
    assert_string_equal(cells_of(table_column(result_find_table(last_result, "before"), "u")), "1 4");
    assert_string_equal(cells_of(table_column(result_find_table(last_result, "after"), "v")), "x 2");
    render_html(last_result, NULL, &html);
    assert_non_null(
        strstr(buffer_get(&html), "<td class=\"number hidden\" tabindex=\"0\" title=\"Primary (threshold, p-percent). Value: 1\">1</td>"));
    assert_non_null(strstr(buffer_get(&html), "title=\"Secondary: protects c=&lt;u&gt;. Value: 8\">x</td>"));
    buffer_free(&html);
    table_from("p", "r,c,count,status\na,u,1,primary\na,v,8,open\na,Total,9,open\n");
    run_bad("tabular export s --form review --original p", "lacks a cell");
    run_bad("tabular export s --original p", "only with");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(wide),        cmocka_unit_test(laid_out),   cmocka_unit_test(footnotes),
                                        cmocka_unit_test(never_shown), cmocka_unit_test(bars),       cmocka_unit_test(unprotected),
                                        cmocka_unit_test(decimals),    cmocka_unit_test(long_forms), cmocka_unit_test(there_and_back),
                                        cmocka_unit_test(reviewed) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
