/* risk detail: what each guideline forbids, counted by hand. */
#include "methods.h"

static void people(void) {
    table_from("t", "name,tag,age,town,sex,income,w\nAda,a,91,X,f,10,100\nBob,b,89,X,m,20,200\nCyd,c,90,Y,f,30,50\nDan,d,30,Y,m,30,25\nEve,"
                    "e,40,,f,5,10\nFay,f,50,Y,f,,5\nGus,g,60,Y,m,1,5\nHal,h,70,X,m,2,5\nIda,i,20,X,f,3,5\nJim,j,21,X,m,4,5\n");
}

static void test_counts(void **state) {
    (void)state;
    people();
    run_ok("risk detail t --keys sex,town --weight w --vars income --order 2");
    assert_int_equal((int)value("ages_above"), 2);
    near(value("least_area"), 85, 0);     /* Y: 50 + 25 + 5 + 5 */
    near(value("least_category"), 85, 0); /* f: 170, m: 240, X: 315, Y: 85 */
    near(value("least_pair"), 30, 0);     /* m in Y; f with a missing town is in no pair */
    near(value("least_records"), 2, 0);   /* f in Y: Cyd and Fay; m in Y: Dan and Gus */
    assert_int_equal((int)value("key_count"), 2);
    near(value("top_share"), 2.0 / 9, 1e-15);
    assert_true(isnan(value("least_triple")));
    run_ok("risk detail t --keys sex,town --weight w --oldest 90");
    assert_int_equal((int)value("ages_above"), 1);
    assert_true(isnan(value("top_share")));
}

/* One record of weight 100 is not a hundred people. */
static void test_one_heavy_record(void **state) {
    (void)state;
    table_from("h", "a,b,c,w\n1,1,1,100\n2,2,2,50\n2,2,2,50\n2,2,2,50\n");
    run_ok("risk detail h --keys a,b,c --weight w --order 3");
    near(value("least_triple"), 100, 0);
    near(value("least_records"), 1, 0);
    run_ok("risk detail h --keys a --weight w --order 1");
    near(value("least_records"), 1, 0);
}

static void test_identifiers(void **state) {
    (void)state;
    people();
    run_ok("risk detail t");
    assert_int_equal((int)value("identifiers"), 2); /* name, and `tag`, which never repeats */
    assert_int_equal((int)value("dates"), 0);
    near(value("least_area"), 4, 0); /* records, without a weight */
    table_from_file("clinic", "examples/clinic.csv");
    run_ok("risk detail clinic --weight w");
    assert_int_equal((int)value("identifiers"), 6);
    assert_int_equal((int)value("dates"), 1);
}

/* Pairs and triples against counting every combination. */
static void test_triples(void **state) {
    (void)state;
    table_from("u", "a,b,c\n1,1,1\n1,1,2\n1,2,1\n2,1,1\n2,2,2\n2,2,2\n1,1,1\n2,1,2\n");
    run_ok("risk detail u --keys a,b,c --order 3");
    near(value("least_category"), 3, 0); /* b = 2 */
    near(value("least_pair"), 1, 0);
    near(value("least_triple"), 1, 0);
}

/* Who holds a figure that everybody has heard of, and who alone. */
static void test_public_figures(void **state) {
    (void)state;
    table_from("t", "job,town,age\nmayor,Aue,50\nclerk,Aue,99\nclerk,Bad Ems,99\nsurgeon,Öhr,40\nsurgeon,,41\nclerk,Aue,30\n");
    table_from("news", "column,value,pattern\njob,mayor,\nage,99,\ntown,,?hr\ntown,,Bad*\njob,king,\n");
    run_ok("risk detail t --keys job --public-figures news");
    assert_int_equal((int)value("public_figures"), 4);
    assert_int_equal((int)value("public_alone"), 3); /* the mayor, and whoever lives in Öhr and in Bad Ems; one clerk of 99 is not alone */
    assert_string_equal(cells_of(last_result->column[0].column), "1 2 1 1 0 0");
    assert_string_equal(cells_of(table_column(result_find_table(last_result, "public"), "records")), "1 2 1 1 0");
    table_from("all", "column,pattern\njob,*\njob,*o*\n");
    run_ok("risk detail t --keys job --public-figures all");
    assert_string_equal(cells_of(last_result->column[0].column), "3 6 6 3 3 6");
    table_from("mixed", "column,value\nage,50.0\nage,+4e1\njob,king\nage,old\n"); /* a column of text, for it holds words */
    run_ok("risk detail t --keys job --public-figures mixed");
    assert_string_equal(cells_of(table_column(result_find_table(last_result, "public"), "records")), "1 1 0 0");
    table_from("loud", "column,value,pattern\njob,Mayor,\ntown,öHR,\ntown,,öH*\ntown,,B?D e*\njob,,CLERK?\njob,mayo,\njob,mayors,\n");
    run_ok("risk detail t --keys job --public-figures loud"); /* whatever its case, beyond ASCII too; a value is no pattern */
    assert_string_equal(cells_of(table_column(result_find_table(last_result, "public"), "records")), "1 1 1 1 0 0 0");
    table_from("stars", "job\na*c\nabc\nA*C\n");
    table_from("star", "column,value,pattern\njob,a*c,\njob,,a*c\n");
    run_ok("risk detail stars --keys job --public-figures star");
    assert_string_equal(cells_of(table_column(result_find_table(last_result, "public"), "records")), "2 3");
    run_ok("risk detail t --keys job");
    assert_int_equal(result_find(last_result, "public_figures")->kind, VALUE_NULL);
    table_from("odd", "column,value\nnobody,1\n");
    run_bad("risk detail t --keys job --public-figures odd", "no column 'nobody'");
    table_from("odd", "what,value\njob,1\n");
    run_bad("risk detail t --keys job --public-figures odd", "value");
    table_from("odd", "column,value,pattern\njob,clerk,c*\n");
    run_bad("risk detail t --keys job --public-figures odd", "pattern");
}

/* What could not be computed is null, never a number that satisfies a rule. */
static void test_nothing(void **state) {
    (void)state;
    table_from("v", "x,u\n1,1\n2,1\n");
    run_ok("risk detail v");
    assert_int_equal(result_find(last_result, "least_area")->kind, VALUE_NULL);
    assert_int_equal(result_find(last_result, "least_category")->kind, VALUE_NULL);
    assert_int_equal(result_find(last_result, "least_records")->kind, VALUE_NULL);
    run_ok("risk detail v --keys x");
    assert_int_equal(result_find(last_result, "least_area")->kind, VALUE_NULL); /* nobody said what u is */
    near(value("least_pair"), 1, 0);                                            /* of all keys that there are */
    run_ok("risk detail v --keys x,u");
    near(value("least_area"), 2, 0); /* no column is a place: everybody is in one */
    table_from("v", "x,PUMA,w\n1,a,10\n2,b,30\n2,a,5\n");
    run_ok("risk detail v --keys x --weight w");
    near(value("least_area"), 15, 0); /* whatever its role */
    table_from("v", "x\n1\n2\n");
    run_ok("risk detail v");
    assert_int_equal((int)value("ages_above"), 0);
    run_bad("risk detail v --order 4", "must be from 1 to 3");
    run_bad("risk detail v --oldest -1", "must be from 0 to 200");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_counts),         cmocka_unit_test(test_one_heavy_record),
                                        cmocka_unit_test(test_identifiers),    cmocka_unit_test(test_triples),
                                        cmocka_unit_test(test_public_figures), cmocka_unit_test(test_nothing) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
