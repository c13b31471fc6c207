/* scrim tune: the grid, measures as they are written, what is handed on to the method, and the points that no other beats. */
#define FIND_METHOD verb_find
#include "verb/verbs.h"
#include "methods.h"
#include "verb/measure_expression.h"
#include "verb/parameter_grid.h"

static void make_data(void) {
    char text[16384], *at = text + sprintf(text, "a,b,g\n");
    for (int i = 0; i < 300; i++) at += sprintf(at, "%d,%d,%c\n", (i * 37) % 101, (i * 37) % 101 * 2 + i % 13, "xyz"[i % 3]);
    table_from("data", text);
}

static void test_grid(void **state) {
    (void)state;
    make_data();
    run_ok("verb tune protect nbrs data --over eps=0.1:0.3:0.1 --over modify=0.5,1 --utility 'regression(b ~ a)' --risk 'track(a > 95)'");
    near(value("points"), 6, 0);
    near(table_value("points", "eps", 2), 0.2, 0);
    near(table_value("points", "modify", 2), 0.5, 0);
    near(table_value("points", "eps", 5), 0.3, 0);
    near(table_value("points", "modify", 5), 1, 0);
    assert_int_equal(last_result->charts, 1);
    /* each point is what the method and the measure give on their own */
    Table *original = NULL;
    double wanted = table_value("points", "regression_mean_overlap", 3);
    for (int s = 0; shelf[s]; s++)
        if (!strcmp(shelf[s]->name, "data")) original = shelf[s];
    const char *eps = "0.2", *modify = "1", *formula = "b ~ a";
    Session session = { .seed = seed_from_number(1), .threads = 1 };
    Result *release, *fit;
    Arg list[] = { { .name = "data", .count = 1, .tables = &original },
                   { .name = "eps", .count = 1, .items = &eps },
                   { .name = "modify", .count = 1, .items = &modify } };
    assert_int_equal(method_run(&session, method_find("protect", "nbrs"), &(Args){ 3, list }, NULL, &release, &last_error), OK);
    Arg both[] = { { .name = "original", .count = 1, .tables = &original },
                   { .name = "released", .count = 1, .tables = release->output },
                   { .name = "formula", .count = 1, .items = &formula } };
    assert_int_equal(method_run(&session, method_find("utility", "regression"), &(Args){ 3, both }, NULL, &fit, &last_error), OK);
    near(result_find(fit, "mean_overlap")->real, wanted, 0);
    result_free(release);
    result_free(fit);
}

/* Checked against the definition: a point is marked unless another is at least as good in all and better in one. */
static void test_front(void **state) {
    (void)state;
    make_data();
    run_ok("verb tune protect noise data --vars a,b --over amount=0.05:1:0.1 --over method=independent,correlated,laplace --utility "
           "compare --utility 'regression(b ~ a)' --risk 'track(a > 90).unchanged' --repeats 2");
    int64_t n = (int64_t)value("points"), marked = 0;
    near((double)n, 30, 0);
    assert_int_equal(last_result->charts, 2);
    for (int64_t i = 0; i < n; i++) {
        bool beaten = false;
        for (int64_t k = 0; k < n; k++) {
            double better[3] = { table_value("points", "track_unchanged", i) - table_value("points", "track_unchanged", k),
                                 table_value("points", "compare_hellinger", i) - table_value("points", "compare_hellinger", k),
                                 table_value("points", "regression_mean_overlap", k) -
                                     table_value("points", "regression_mean_overlap", i) };
            beaten |= better[0] >= 0 && better[1] >= 0 && better[2] >= 0 && (better[0] > 0 || better[1] > 0 || better[2] > 0);
        }
        near(table_value("points", "non_dominated", i), !beaten, 0);
        marked += !beaten;
    }
    near(value("non_dominated"), (double)marked, 0);
    assert_true(noted("mean of 2 releases"));
    const Column *method = table_column(result_find_table(last_result, "points"), "method");
    assert_string_equal(column_cell(method, 1, (char[33]){ 0 }), "correlated");
}

/* What tune does not know belongs to the method: values, lists, choices, flags of its own. */
static void test_handed_on(void **state) {
    (void)state;
    make_data();
    run_ok("verb tune protect microaggregate data --vars a,b --method vmdav --gamma 0.5 --over k=2:6:2 --utility compare.il1s --risk "
           "'track(a > 90)'");
    near(value("points"), 3, 0);
    double loss = table_value("points", "compare_il1s", 2);
    run_ok("verb tune protect microaggregate data --vars a,b --method pca --over k=2:6:2 --utility compare.il1s --risk 'track(a > 90)'");
    assert_true(table_value("points", "compare_il1s", 2) != loss);
    bool seen = false;
    for (int64_t i = 0; i < last_result->params; i++)
        seen |= !strcmp(last_result->param[i].name, "method") && !strcmp(last_result->param[i].text, "pca");
    assert_true(seen);
    run_ok("verb tune protect nbrs data --weights g:0.1,b:0.5 --over neighbours=3,9 --utility '-regression(b ~ "
           "a).largest_relative_difference' --risk 'track(a > 90)'");
    near(value("points"), 2, 0);
    run_ok("verb tune protect nbrs data --where 'a > 50' --over neighbours=3 --utility compare --risk 'track(a <= 50).unchanged'");
    near(table_value("points", "track_unchanged", 0), 152, 0); /* only those above 50 may change */
}

static MeasureExpression parsed(Work *work, const char *text, bool less) {
    static const char *const groups[] = { "utility", "risk", NULL };
    MeasureExpression call;
    if (measure_expression_parse(work, text, groups, less, &call)) fail_msg("%s: %s", text, last_error.message);
    return call;
}

/* By the columns that stay as they were everyone is found: linkage is by those that changed, however the method names them. */
static void test_linkage_of_changed(void **state) {
    (void)state;
    char text[16384], *at = text + sprintf(text, "a,b,c,g,h\n");
    for (int i = 0; i < 300; i++) at += sprintf(at, "%d,%d,%d,%c,%c\n", i, (i * 37) % 300, (i * 53) % 300, "xyz"[i % 3], "uv"[i % 2]);
    table_from("wide", text);
    run_ok("verb tune protect top-bottom wide --var a --over top=149 --risk linkage --utility compare");
    near(table_value("points", "linkage_confidentiality", 0), 0.5, 1e-12); /* 0 to 149 are found; 150 others lead to 149 */
    run_ok("verb tune protect pram wide --vars g,h --over keep=0.5 --risk linkage --utility contingency");
    assert_true(table_value("points", "linkage_confidentiality", 0) > 0.9); /* the numbers did not change, and do not count */
    run_ok("verb tune protect recode wide --var g --over min-count=200 --risk linkage --utility compare");
    near(table_value("points", "linkage_confidentiality", 0), 299. / 300, 1e-12);
    run_ok("verb tune protect noise wide --vars a --over amount=0.5 --risk linkage --utility compare");
    double by_vars = table_value("points", "linkage_confidentiality", 0);
    run_ok("verb tune protect noise wide --roles 'numeric: [a]' --over amount=0.5 --risk linkage --utility compare");
    near(table_value("points", "linkage_confidentiality", 0), by_vars, 0); /* roles fill the method's own columns */
    run_ok("verb tune protect noise wide --vars a --roles 'numeric: [a, b, c]' --over amount=0.5 --risk linkage --utility compare");
    near(table_value("points", "linkage_confidentiality", 0), by_vars, 0);
    run_ok("verb tune protect top-bottom wide --var a --over top=300,149 --risk linkage --utility compare"); /* nothing changes at first */
    near(table_value("points", "linkage_confidentiality", 0), 0, 0);
    near(table_value("points", "linkage_confidentiality", 1), 0.5, 1e-12);
}

/* A first point that changes nothing does not decide by what columns the others, or it, are measured. */
static void test_nothing_changed_first(void **state) {
    (void)state;
    make_data();
    run_ok("verb tune protect top-bottom data --var a --over top=1000,60,30 --risk linkage --utility compare");
    double unchanged = table_value("points", "linkage_confidentiality", 0), cut = table_value("points", "linkage_confidentiality", 1);
    run_ok("verb tune protect top-bottom data --var a --over top=60,1000,30 --risk linkage --utility compare");
    near(table_value("points", "linkage_confidentiality", 1), unchanged, 1e-12);
    near(table_value("points", "linkage_confidentiality", 0), cut, 1e-12);
    near(unchanged, 1 - 101. / 300, 1e-12); /* by a alone, which has 101 values */
}

static void test_calls(void **state) {
    (void)state;
    Work work = { .arena = arena_new(), .error = &last_error };
    MeasureExpression call = parsed(&work, "regression(y ~ a + log(b), family = poisson)", false);
    assert_string_equal(call.method->name, "regression");
    assert_string_equal(args_find(&call.args, "formula")->items[0], "y ~ a + log(b)");
    assert_string_equal(args_find(&call.args, "family")->items[0], "poisson");
    assert_false(call.less);
    call = parsed(&work, "track(sex == 2 & g %in% c(1, 2) & name == \"a, b)\")", true);
    assert_string_equal(args_find(&call.args, "where")->items[0], "sex == 2 & g %in% c(1, 2) & name == \"a, b)\"");
    assert_true(call.less);
    call = parsed(&work, " - compare ( vars = a , `b c`, d ) . ks ", false);
    assert_int_equal(args_find(&call.args, "vars")->count, 3);
    assert_string_equal(args_find(&call.args, "vars")->items[1], "b c");
    assert_string_equal(call.value, "ks");
    assert_true(call.less);
    call = parsed(&work, "risk.k-anonymity(keys = sex, age).below_3", true);
    assert_string_equal(call.method->name, "k-anonymity");
    assert_string_equal(call.value, "below_3");
    assert_true(call.less);
    assert_false(parsed(&work, "k-anonymity", true).less); /* its headline, k, is the better the more */
    arena_free(work.arena);
}

static void test_bad(void **state) {
    (void)state;
    make_data();
    run_bad("verb tune protect nbrs data --over eps=0.1:0.3 --utility compare --risk 'track(a > 95)'", "from:to:step");
    run_bad("verb tune protect nbrs data --over eps=0.3:0.1:0.1 --utility compare --risk 'track(a > 95)'", "goes up");
    run_bad("verb tune protect nbrs data --over epps=1 --utility compare --risk 'track(a > 95)'", "eps");
    run_bad("verb tune protect nbrs data --over eps=x --utility compare --risk 'track(a > 95)'", "numbers");
    run_bad("verb tune protect nbrs data --over eps=1 --over eps=2 --utility compare --risk 'track(a > 95)'", "already");
    run_bad("verb tune protect nbrs data --over eps=0.001:1:0.00001 --utility compare --risk 'track(a > 95)'", "10,000");
    run_bad("verb tune protect nbrs data --over eps=1 --utility conpare --risk 'track(a > 95)'", "compare");
    run_bad("verb tune protect nbrs data --over eps=1 --utility compare.helinger --risk 'track(a > 95)'", "hellinger");
    run_bad("verb tune protect nbrs data --over eps=1 --utility 'regression(b ~ q)' --risk 'track(a > 95)'", "q");
    run_bad("verb tune protect nbrs data --over eps=1 --utility 'regression(b ~ a' --risk 'track(a > 95)'", "closed");
    run_bad("verb tune protect nbrs data --over eps=1 --wieghts a:1 --utility compare --risk 'track(a > 95)'", "weights");
    run_bad("verb tune protect nbr data --over eps=1 --utility compare --risk 'track(a > 95)'", "nbrs");
    run_bad("verb tune utility compare data --over vars=a --utility compare --risk 'track(a > 95)'", "not make a release");
    run_bad("verb tune protect nbrs data --over metric=euclidean,cosine --utility compare --risk 'track(a > 95)'", "one of");
}

static void test_force(void **state) {
    (void)state;
    make_data();
    run_bad("verb tune protect nbrs data --over eps=1 --utility compare --risk 'k-anonymity(a,g)'", "perturbed");
    run_ok("verb tune protect nbrs data --over eps=1 --utility compare --risk 'k-anonymity(a,g).below_3' --force");
    assert_true(table_value("points", "k_anonymity_below_3", 0) > 0);
}

/* A point that cannot be made is left out, and said; the others stand. */
static void test_points_that_fail(void **state) {
    (void)state;
    make_data();
    run_ok("verb tune protect nbrs data --over eps=1 --over metric=euclidean,cosine --utility compare --risk 'track(a > 95)'");
    near(value("failed"), 1, 0);
    near(value("non_dominated"), 1, 0);
    assert_true(noted("metric=cosine"));
    run_ok("verb tune protect microaggregate data --vars a,b --over k=3,400 --utility compare --risk 'track(a > 95)'");
    near(value("failed"), 1, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grid),
        cmocka_unit_test(test_front),
        cmocka_unit_test(test_handed_on),
        cmocka_unit_test(test_linkage_of_changed),
        cmocka_unit_test(test_calls),
        cmocka_unit_test(test_nothing_changed_first),
        cmocka_unit_test(test_bad),
        cmocka_unit_test(test_force),
        cmocka_unit_test(test_points_that_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
