/* Formulas: designs as R's model.matrix makes them, levels, errors, edges. */
#include "tables.h"
#include "table/formula.h"

static Table *sample(void) {
    return table_of("y:real 1 2 3 4 5 6", "x:real 1 2 3 4 5 NA", "z:integer 2 1 2 1 3 1", "a:category p q r p q r", "b:text u v u v u v",
                    "c:integer 1 2 1 3 2 1", "hours-per-week:integer 1 2 3 4 5 6", NULL);
}

static void make(Work *work, const Table *table, const char *source, Design *design) {
    const Formula *formula;
    tables_ok(formula_parse(work, table, source, &formula));
    tables_ok(formula_design(work, formula, table, NULL, design));
}

/* One number that any cell out of place changes: sum over cells of x · row · column · weight(column), as R computed it. */
static double signature(const Design *d) {
    static const double weight[] = { 1, -2, 3, 0.5, 7 };
    double sum = 0;
    for (int64_t j = 0; j < d->columns; j++)
        for (int64_t i = 0; i < d->rows; i++) sum += d->x[j * d->rows + i] * (double)(i + 1) * (double)(j + 1) * weight[j % 5];
    return sum;
}

/* The design that is not filled in has the same rows, a few at a time and by record. */
static void check_read(Work *work, const Table *table, const char *source, const Design *filled) {
    const Formula *formula;
    Design d;
    double x[64];
    tables_ok(formula_parse(work, table, source, &formula));
    tables_ok(formula_design_unfilled(work, formula, table, NULL, &d));
    assert_null(d.x);
    assert_int_equal(d.rows, filled->rows);
    assert_int_equal(d.columns, filled->columns);
    for (int64_t first = 0; first < d.rows; first += 2) {
        int64_t count = d.rows - first < 2 ? 1 : 2;
        for (int by_record = 0; by_record < 2; by_record++) {
            if (by_record) design_read_records(&d, filled->row + first, count, x);
            else design_read(&d, first, count, x);
            for (int64_t j = 0; j < d.columns; j++)
                assert_memory_equal(x + j * count, filled->x + j * d.rows + first, (size_t)count * sizeof *x);
        }
    }
}

static void check(const char *source, const char *terms, double expected) {
    Table *t = sample();
    Work work = tables_work(2);
    Design design;
    char names[1024] = "";
    make(&work, t, source, &design);
    for (int64_t j = 0; j < design.columns; j++)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", j ? " " : "", design.term[j]);
    if (strcmp(names, terms)) fail_msg("%s gives %s, not %s", source, names, terms);
    if (fabs(signature(&design) - expected) > 1e-9) fail_msg("%s: %.17g, not %.17g", source, signature(&design), expected);
    check_read(&work, t, source, &design);
    arena_free(work.arena);
    table_release(t);
}

static void as_model_matrix(void **state) {
    (void)state;
    check("y~a", "(Intercept) aq ar", 74);
    check("y~x+a", "(Intercept) x aq ar", -136);
    check("y ~ a - 1", "ap aq ar", 58);
    check("y ~ 0 + a", "ap aq ar", 58);
    check("y~a+b-1", "ap aq ar bv", 82);
    check("y~x+a-1", "x ap aq ar", 104);
    check("y~a:b", "(Intercept) ap:bu aq:bu ar:bu ap:bv aq:bv ar:bv", 136);
    check("y~a*b", "(Intercept) aq ar bv aq:bv ar:bv", 204);
    check("y~x:a", "(Intercept) x:ap x:aq x:ar", 226);
    check("y~x+x:a", "(Intercept) x x:aq x:ar", 74);
    check("y~a+x:a", "(Intercept) aq ar ap:x aq:x ar:x", 1117);
    check("y~a+a:b", "(Intercept) aq ar ap:bv aq:bv ar:bv", 188);
    check("y~x*z*a", "(Intercept) x z aq ar x:z x:aq x:ar z:aq z:ar x:z:aq x:z:ar", 1608.5);
    check("y~factor(c)*x", "(Intercept) factor(c)2 factor(c)3 x factor(c)2:x factor(c)3:x", 1244);
    check("y~(a+b+x)^2", "(Intercept) aq ar bv x aq:bv ar:bv aq:x ar:x bv:x", 4099.5);
    check("y~x:a-1", "x:ap x:aq x:ar", -18);
    check("y~b:a+a", "(Intercept) aq ar bv:ap bv:aq bv:ar", 188);
    check("y~a*b*x-a:b", "(Intercept) aq ar bv x aq:x ar:x bv:x aq:bv:x ar:bv:x", 2497);
    check("y~0+x:b+a", "ap aq ar x:bu x:bv", 774);
    check("y ~ log(z) + I(z^2)", "(Intercept) log(z) I(z^2)", 644.9373993376787);
    check("~ 1", "(Intercept)", 21);
    check("y ~ hours-per-week", "(Intercept) hours-per-week", -343);
    check("y ~ `hours-per-week`", "(Intercept) hours-per-week", -343);
    check("y ~ a + a + 1", "(Intercept) aq ar", 74);
}

static void responses(void **state) {
    (void)state;
    Table *t = sample();
    Work work = tables_work(1);
    Design d;
    make(&work, t, "b ~ x", &d);
    assert_int_equal(d.rows, 5);
    assert_int_equal(d.levels, 2);
    assert_string_equal(d.level[1], "v");
    assert_true(d.y[0] == 0 && d.y[1] == 1);
    make(&work, t, "a ~ 1", &d);
    assert_true(d.levels == 3 && d.y[2] == 2);
    make(&work, t, "log(y) ~ 1", &d);
    assert_string_equal(d.response, "log(y)");
    assert_true(fabs(d.y[1] - log(2)) < 1e-15 && d.level == NULL);
    make(&work, t, "factor(c) ~ .", &d);
    assert_string_equal(d.term[1], "y");
    assert_int_equal(d.levels, 3);
    make(&work, t, "y > 3 ~ x", &d);
    assert_true(d.y[0] == 0 && d.y[4] == 1);
    make(&work, t, "~ x", &d);
    assert_true(d.y == NULL && d.response == NULL);
    const Formula *f;
    tables_ok(formula_parse(&work, t, "y ~ a:x + log(x + z)", &f));
    assert_int_equal(formula_columns(f), 4);
    assert_string_equal(formula_column_at(f, 0), "y");
    arena_free(work.arena);
    table_release(t);
}

static void shared_levels(void **state) {
    (void)state;
    Table *t = sample(), *other = table_of("y:real 1 2 3", "a:category r q r", NULL),
          *more = table_of("y:real 1 2", "a:category p t", NULL);
    Work work = tables_work(1);
    const Formula *f;
    Design d;
    tables_ok(formula_parse(&work, t, "y ~ a", &f));
    tables_ok(formula_design(&work, f, other, NULL, &d));
    assert_int_equal(d.columns, 2);
    assert_string_equal(d.term[1], "ar");
    tables_ok(formula_design(&work, f, other, t, &d));
    assert_int_equal(d.columns, 3);
    assert_true(d.x[3] == 0 && d.x[4] == 1 && d.x[6] == 1 && d.x[7] == 0);
    assert_int_equal(formula_design(&work, f, more, t, &d), BAD);
    assert_non_null(strstr(tables_error.message, "'a' has a level"));
    assert_null(strstr(tables_error.message, "«"));
    const Table *both[] = { t, more };
    tables_ok(formula_design_over(&work, f, more, both, 2, &d));
    assert_int_equal(d.columns, 4);
    assert_string_equal(d.term[3], "at");
    arena_free(work.arena);
    table_release(t);
    table_release(other);
    table_release(more);
}

static void check_bad(const char *source, const char *says) {
    Table *t = sample();
    Work work = tables_work(1);
    const Formula *f;
    char text[2048];
    if (formula_parse(&work, t, source, &f) != BAD) fail_msg("%s should be bad", source);
    error_text(&tables_error, text, sizeof text);
    if (!strstr(text, says)) fail_msg("%s: \"%s\" does not say \"%s\"", source, text, says);
    arena_free(work.arena);
    table_release(t);
}

static void bad_input(void **state) {
    (void)state;
    check_bad("y + x", "has no ~");
    check_bad("y ~ xx", "Did you mean 'x'?");
    check_bad("y ~ x + hours-per-weak", "character 9");
    check_bad("yy ~ x", "there is no column 'yy'");
    check_bad("y ~ ", "ends where a term");
    check_bad("y ~ x +", "ends where a term");
    check_bad("y ~ x 2", "does not belong");
    check_bad("y ~ 2", "where a term should");
    check_bad("y ~ log(x", "not closed");
    check_bad("y ~ (x + z", "not closed");
    check_bad("y ~ lag(x)", "there is no function 'lag'");
    check_bad("y ~ log(q)", "there is no column 'q'");
    check_bad("y ~ x^z", "whole number");
    check_bad("y ~ lower(a)", "cannot stand in a formula");
    check_bad("y ~ log(a)", "needs a number");
    Table *t = table_of("y:real 1 2 3", "x:real 0 1 2", NULL);
    Work work = tables_work(1);
    const Formula *f;
    Design d;
    tables_ok(formula_parse(&work, t, "y ~ log(x)", &f));
    assert_int_equal(formula_design(&work, f, t, NULL, &d), BAD);
    assert_non_null(strstr(tables_error.message, "infinite"));
    assert_int_equal(tables_error.row, 0);
    arena_free(work.arena);
    table_release(t);
}

static void edges(void **state) {
    (void)state;
    Work work = tables_work(1);
    Design d;
    Table *empty = table_of("y:real", "a:text", NULL), *missing = table_of("y:real NA NA", "a:text p NA", NULL),
          *constant = table_of("y:real 1 2", "a:text p p", NULL);
    make(&work, empty, "y ~ a", &d);
    assert_true(d.rows == 0 && d.columns == 1);
    make(&work, missing, "y ~ a", &d);
    assert_int_equal(d.rows, 0);
    make(&work, constant, "y ~ a", &d);
    assert_true(d.rows == 2 && d.columns == 1);
    make(&work, constant, "y ~ a - 1", &d);
    assert_true(d.rows == 2 && d.columns == 1 && d.x[1] == 1);
    arena_free(work.arena);
    table_release(empty);
    table_release(missing);
    table_release(constant);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(as_model_matrix), cmocka_unit_test(responses), cmocka_unit_test(shared_levels),
                                        cmocka_unit_test(bad_input), cmocka_unit_test(edges) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
