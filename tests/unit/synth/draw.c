/* synth.draw: what the model knew it still knows, a model read and written again is the same, models bent in every cell are refused or
 * draw, and never crash. */
#include "methods.h"
#include "synth/engine/copula.h"
#include "synth/engine/saved_trees.h"

/* y is 10·g plus noise; z is missing where g = c. */
static void make_data(int rows) {
    static char text[100000];
    char *at = text + sprintf(text, "g,h,y,z\n");
    uint64_t word = 12345;
    for (int i = 0; i < rows; i++) {
        word = word * 6364136223846793005u + 1442695040888963407u;
        int g = (int)(word >> 33) % 3, noise = (int)(word >> 40) % 5, h = (int)(word >> 50) % 4;
        at += sprintf(at, "%c,h%d,%d,", 'a' + g, h, 10 * g + noise);
        if (g < 2) at += sprintf(at, "%d", 5 + h);
        *at++ = '\n';
    }
    *at = 0;
    table_from("t", text);
}

static void save_as(const char *method, const char *options) {
    char command[200];
    snprintf(command, sizeof command, "synth %s t --save-model %s", method, options);
    run_ok(command);
    shelve("model", table_retain(output()));
}

static void save_model(const char *options) { save_as("cart", options); }

static void test_structure(void **state) {
    (void)state;
    make_data(2000);
    save_model("");
    run_ok("synth draw model --m 2");
    assert_int_equal(last_result->outputs, 2);
    run_ok("synth draw model --n 3000");
    double share[3] = { 0 };
    for (int i = 0; i < 3000; i++) {
        char number[33];
        int g = column_cell(output_column("g"), i, number)[0] - 'a';
        double y = column_number(output_column("y"), i);
        assert_true(y >= 10 * g && y < 10 * g + 5);
        assert_int_equal(column_missing(output_column("z"), i), g == 2);
        share[g] += 1 / 3000.;
    }
    for (int g = 0; g < 3; g++) near(share[g], 1 / 3., .05);
    table_from("rules", "rule\ny < 23\n");
    run_ok("synth draw model --rules rules");
    for (int64_t i = 0; i < output()->rows; i++) assert_true(column_number(output_column("y"), i) < 23);
}

/* k is the count of a Poisson law whose mean goes with g; w has two values, x is 3·y and noise, with a spike at 0 and missing cells. */
static void make_kinds(int rows) {
    static char text[200000];
    char *at = text + sprintf(text, "g,w,y,k,x,z\n");
    uint64_t word = 77;
    for (int i = 0; i < rows; i++) {
        word = word * 6364136223846793005u + 1442695040888963407u;
        int g = (int)(word >> 33) % 3, y = 50 * g + (int)(word >> 40) % 60, w = y + (int)(word >> 45) % 40 > 90;
        at += sprintf(at, "%c,%s,%d,%d,", 'a' + g, w ? "yes" : "no", y, (int)(word >> 50) % (1 + 2 * g));
        if (i % 11 != 3) at += sprintf(at, "%d", i % 5 ? 1000 + 3 * y + (int)(word >> 52) % 20 : 0);
        at += sprintf(at, ",%d.%d\n", y / 7, (int)(word >> 55) % 10);
    }
    table_from("t", text);
}

/* Regressions of all kinds: read and written again the model is the same to the last digit, and what it draws hangs together. */
static void test_regressions(void **state) {
    (void)state;
    static const char *const models[] = { "", "--models x:pmm,k:poisson,w:logistic",
                                          "--models x:normal,y:normal,g:multinomial --predictors 'x ~ y'", "--models y:cart,w:cart" };
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        make_kinds(900);
        save_as("sequential", models[i]);
        Table *model = table_retain(output()), *values = NULL, *again = NULL;
        Work work = { .arena = arena_new(), .error = &last_error, .threads = 1 };
        Session session = { .seed = seed_from_number(1), .threads = 1 };
        Run run = { .work = work, .method = method_find("synth", "draw"), .session = &session };
        SynthArgs args = { .model = model };
        Synthesis s = { 0 };
        assert_int_equal(trees_read(&s, &run, &args, &values), OK);
        assert_int_equal(trees_table(&s, &again), OK);
        assert_true(table_equal(model, again));
        synthesis_free(&s);
        table_release(values);
        table_release(again);
        table_release(model);
        arena_free(work.arena);
        run_ok("synth draw model --n 3000");
        double mean[3] = { 0 }, count[3] = { 0 }, spike = 0, missing = 0, off = 0;
        for (int64_t r = 0; r < 3000; r++) {
            char number[33];
            int g = column_cell(output_column("g"), r, number)[0] - 'a';
            double y = column_number(output_column("y"), r), x = column_number(output_column("x"), r);
            mean[g] += y;
            count[g]++;
            missing += column_missing(output_column("x"), r);
            spike += x == 0;
            if (x > 0) off += fabs(x - 1010 - 3 * y) / 3000;
        }
        for (int g = 0; g < 3; g++) near(mean[g] / count[g], 29.5 + 50 * g, 5);
        near(missing / 3000, 1 / 11., .03);
        near(spike / 3000, .2 * 10 / 11, .03);
        assert_true(off < 50); /* 130 were x to know nothing of y */
    }
}

/* Each column by itself in its own order: no row tells a record. */
static void test_no_record(void **state) {
    (void)state;
    make_data(1000);
    save_model("");
    static const char *const names[] = { "g", "h", "y", "z" };
    for (int c = 0; c < 4; c++) {
        const Column *column = table_column(output(), names[c]);
        Codes codes;
        Work work = { .arena = arena_new(), .error = &last_error, .threads = 1 };
        assert_int_equal(column_codes(&work, column, &codes), OK);
        for (int64_t i = 1; i < 1000; i++) assert_true(codes.at[i] < 0 || (codes.at[i - 1] >= 0 && codes.at[i - 1] <= codes.at[i]));
        arena_free(work.arena);
    }
}

/* Records given a condition are those that draws without it would have: the same share of g at y > 20 (test by chance: 4 sd, 1 in 10,000),
 * from trees and from a copula; and a condition that no record satisfies is an error. */
static void test_given(void **state) {
    (void)state;
    static const char *const method[] = { "cart", "copula" };
    static char text[40000];
    for (int k = 0; k < 2; k++) {
        char *at = text + sprintf(text, "g,y\n");
        for (int i = 0; i < 900; i++) at += sprintf(at, "%c,%d\n", "abc"[i % 3], 10 * (i % 3) + i * 7 % 13);
        table_from("t", text);
        save_as(method[k], "");
        run_ok("synth draw model --n 20000");
        double all = 0, share = 0, found = 0;
        for (int i = 0; i < 20000; i++) {
            char number[33];
            bool fits = column_number(output_column("y"), i) > 20;
            all += fits;
            share += fits && column_cell(output_column("g"), i, number)[0] == 'b';
        }
        run_ok("synth draw model --given 'y > 20' --n 3000");
        assert_int_equal(output()->rows, 3000);
        near(value("accepted"), all / 20000, .04);
        for (int i = 0; i < 3000; i++) {
            char number[33];
            assert_true(column_number(output_column("y"), i) > 20);
            found += column_cell(output_column("g"), i, number)[0] == 'b';
        }
        near(found / 3000, share / all, .04);
        run_bad("synth draw model --given 'y > 900'", "none of");
        run_bad("synth draw model --given 'y + 1'", "neither true nor false");
        run_bad("synth draw model --given 'nothing == 1'", "nothing");
    }
}

/* More nodes than records, a column without a value, and the model of one record. */
static void test_small(void **state) {
    (void)state;
    make_data(40);
    save_model("--min-leaf 1");
    run_ok("synth draw model");
    assert_int_equal(output()->rows, 40);
    table_from("t", "a,b\n1,\n2,\n3,\n");
    save_model("");
    run_ok("synth draw model");
    assert_int_equal(output_column("b")->missing, 3);
    table_from("t", "a\nx\n");
    save_model("");
    run_ok("synth draw model --n 2");
    /* as a file has it: a column without a value is of no type */
    table_from("model", "records of the model,b,tree of missing b,donors of missing b,tree of b,donors of b,a,tree of a,donors of a\n"
                        "2,,leaf 0 2,0,leaf 0 0,,x,leaf 0 2,0\n,,,1,,,y,,1\n");
    run_ok("synth draw model --n 5");
    assert_int_equal(output_column("b")->missing, 5);
}

/* One cell of the model made something else: an error that names it, or a table; ASan sees the rest. */
static int bend(Table *model, int64_t rows) {
    static const char *const bent[] = { "",
                                        "leaf",
                                        "leaf 0 99999",
                                        "leaf 5 5",
                                        "leaf -1 3",
                                        "7 <= 3 1 2",
                                        "0 <= 3 0 1",
                                        "0 <= -1 1 2",
                                        "0 in zz 1 2",
                                        "0 in 1 1 99",
                                        "1 in 1,2,3,4 1 2",
                                        "-3",
                                        "0",
                                        "7",
                                        "1e300",
                                        "0.5",
                                        "99999999999999999999",
                                        "x" };
    int refused = 0;
    for (int64_t j = 0; j < model->columns; j++)
        for (size_t b = 0; b < sizeof bent / sizeof *bent; b++)
            for (int64_t row = 0; row < rows; row++) {
                static char *cells[4096];
                static char room[4096][33];
                Table *made;
                for (int64_t i = 0; i < model->rows; i++) cells[i] = (char *)(uintptr_t)column_cell(model->column[j], i, room[i]);
                cells[row] = *bent[b] ? (char *)(uintptr_t)bent[b] : NULL;
                Column *column = column_of(model->column[j]->name, cells, model->rows);
                assert_int_equal(table_with(model, &column, 1, &made, &last_error), OK);
                column_release(column);
                shelve("bent", made);
                refused += !!run_seeded(1, "synth draw bent");
            }
    table_release(model);
    return refused;
}

static void test_bent(void **state) {
    (void)state;
    make_data(60);
    save_model("");
    assert_true(bend(table_retain(output()), 3) > 100);
    make_kinds(40);
    save_as("sequential", "--vars g,y,k,x --models x:pmm,k:poisson");
    assert_true(output()->rows < 4096);
    assert_true(bend(table_retain(output()), 24) > 500);
}

/* A copula read and written again is the same; what it draws has its correlations and its missing cells; rules hold. */
static void test_copula(void **state) {
    (void)state;
    make_kinds(900);
    run_ok("synth copula t");
    double before = table_value("correlations", "original", 1); /* g and y */
    save_as("copula", "");
    Table *model = table_retain(output()), *values = NULL, *again = NULL;
    Work work = { .arena = arena_new(), .error = &last_error, .threads = 1 };
    Session session = { .seed = seed_from_number(1), .threads = 1 };
    Run run = { .work = work, .method = method_find("synth", "draw"), .session = &session };
    SynthArgs args = { .model = model };
    Copula c = { .run = &run, .args = &args };
    assert_int_equal(copula_read(&c, model, &values), OK);
    args.data = values;
    assert_int_equal(copula_table(&c, &again), OK);
    assert_true(table_equal(model, again));
    table_release(values);
    table_release(again);
    table_release(model);
    arena_free(work.arena);
    run_ok("synth draw model --n 4000");
    near((double)output_column("x")->missing / 4000, 1 / 11., .02);
    shelve("drawn", table_retain(output()));
    run_ok("synth copula drawn --vars g,w,y,k");
    near(table_value("correlations", "original", 1), before, .04);
    table_from("rules", "rule\ny < 100\n");
    run_ok("synth draw model --rules rules");
    for (int64_t i = 0; i < output()->rows; i++) assert_true(column_number(output_column("y"), i) < 100);
    table_from("rules", "rule\ny < 0\n");
    run_bad("synth draw model --rules rules", "cannot be kept");
    make_kinds(40);
    save_as("copula", "--vars g,y,x");
    assert_true(bend(table_retain(output()), 4) > 100);
    run_bad("synth copula t --save-model --evaluate", "evaluate");
    table_from("t", "a\nx\n");
    save_as("copula", "");
    run_ok("synth draw model --n 2");
}

static void test_bad(void **state) {
    (void)state;
    make_data(50);
    run_bad("synth draw t", "--save-model");
    run_bad("synth cart t --save-model --strata g", "strata");
    run_bad("synth sequential t --save-model --weight y", "weight");
    run_bad("synth cart t --save-model --evaluate", "evaluate");
    table_from("rules", "rule\ny < 23\n");
    run_bad("synth cart t --save-model --rules rules", "synth draw");
    table_from("t", "a,tree of a\n1,2\n2,3\n");
    run_bad("synth cart t --save-model", "tree of a");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_structure), cmocka_unit_test(test_regressions),
                                        cmocka_unit_test(test_no_record), cmocka_unit_test(test_given),
                                        cmocka_unit_test(test_small),     cmocka_unit_test(test_bent),
                                        cmocka_unit_test(test_copula),    cmocka_unit_test(test_bad) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
