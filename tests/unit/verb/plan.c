/* scrim plan: what is on the front, that its recipes do what was measured, that a seed decides, what is to be kept and hidden, bad input.
 */
#define FIND_METHOD verb_find
#include "verb/verbs.h"
#include "methods.h"
#include "recipe/recipe.h"

static void make_data(void) {
    char text[32768], *at = text + sprintf(text, "sex,age,place,income,debt\n");
    unsigned seed = 7;
    for (int i = 0; i < 240; i++) {
        unsigned draw[5];
        for (int k = 0; k < 5; k++) seed = seed * 1103515245u + 12345u, draw[k] = seed >> 16;
        at += sprintf(at, "%c,%u,%c,%u,%u\n", "fm"[draw[0] % 2], 18 + draw[1] % 60, "abcd"[draw[2] % 4],
                      1000 + draw[3] % 5000 + 20 * (draw[1] % 60), draw[4] % 900);
    }
    table_from("people", text);
}

#define ROLES "--roles '{keys: [sex, age, place], numeric: [income, debt]}'"
#define POLICY " --policy '{rules: [risk.k-anonymity.k >= 3]}'"

static int64_t rows_of(const char *table) {
    const Table *t = result_find_table(last_result, table);
    return t ? t->rows : -1;
}

/* By the definition: of two on the front neither has less of both, and everything measured that keeps the rules is beaten or on it. */
static void test_front(void **state) {
    (void)state;
    make_data();
    run_ok("verb plan people " ROLES POLICY " --candidates 80");
    int64_t n = rows_of("front");
    assert_true(n >= 3);
    near(value("candidates"), (double)rows_of("candidates"), 0);
    near(value("front_size"), (double)n, 0);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            double a = table_value("front", "risk", i), b = table_value("front", "risk", j);
            double x = table_value("front", "loss", i), y = table_value("front", "loss", j);
            assert_false(a < b && x < y);
        }
    for (int64_t i = 0; i < n; i++) { /* within what the seeds gave */
        assert_true(table_value("front", "risk", i) >= table_value("intervals", "risk_low", i) - 1e-12);
        assert_true(table_value("front", "loss", i) <= table_value("intervals", "loss_high", i) + 1e-12);
    }
    near(value("best_loss"), table_value("front", "loss", 0), 0);
    near(value("rules_broken"), 0, 0);
}

static void test_same_by_seed(void **state) {
    (void)state;
    char *first = NULL;
    make_data();
    for (int round = 0; round < 2; round++) {
        run_threads = 1 + 2 * round;
        run_ok("verb plan people " ROLES POLICY " --candidates 60");
        const Table *front = result_find_table(last_result, "recipes");
        char all[65536] = "", cell[33];
        for (int64_t i = 0; i < front->rows; i++) strncat(all, column_cell(front->column[1], i, cell), sizeof all - strlen(all) - 1);
        if (round) assert_string_equal(first, all);
        else first = strdup(all);
    }
    run_threads = 2;
    free(first);
}

/* A recipe of the front is read back, and each step is one that the method binds. */
static void test_recipes(void **state) {
    (void)state;
    char cell[33];
    make_data();
    run_ok("verb plan people " ROLES POLICY " --candidates 80");
    const Table *recipes = result_find_table(last_result, "recipes");
    Error error = ERROR_NONE;
    Work work = { .arena = arena_new(), .error = &error, .threads = 1, .no_files = true };
    for (int64_t i = 0; i < recipes->rows; i++) {
        Recipe recipe;
        if (recipe_read(&work, column_cell(recipes->column[1], i, cell), &recipe)) fail_msg("%s", error.message);
        assert_true(recipe.has_policy);
    }
    arena_free(work.arena);
}

static void test_keep_and_hide(void **state) {
    (void)state;
    make_data();
    run_ok("verb plan people " ROLES POLICY " --candidates 60 --keep 'income ~ age + sex'");
    for (int64_t i = 0; i < rows_of("parts"); i++) assert_false(isnan(table_value("parts", "analyses_moved", i)));
    run_ok("verb plan people " ROLES POLICY " --candidates 60");
    double free_loss = value("best_loss");
    assert_true(isnan(table_value("parts", "analyses_moved", 0)));
    run_ok("verb plan people " ROLES POLICY " --candidates 90 --hide 'income > 4000 & debt > 700'");
    assert_true(value("best_loss") > free_loss); /* numbers as they are would show them */
    run_ok("verb plan people " ROLES POLICY " --candidates 60 --keep 'table(sex, place) within 0'");
    run_bad("verb plan people " ROLES POLICY " --candidates 60 --keep 'incom ~ age'", "incom");
    run_bad("verb plan people " ROLES POLICY " --candidates 60 --keep 'table(sex, plaze)'", "plaze");
    run_bad("verb plan people " ROLES POLICY " --candidates 60 --hide 'agee > 3'", "agee");
    run_bad("verb plan people " ROLES POLICY " --candidates 60 --keep 'income'", "neither an analysis nor a table");
    run_bad("verb plan people " ROLES POLICY " --candidates 60 --keep 'income ~ age within much'", "neither an analysis nor a table");
}

/* No release keeps this: the nearest is named, and nothing is called the best. */
static void test_none(void **state) {
    (void)state;
    make_data();
    run_ok("verb plan people " ROLES " --candidates 40 --policy '{rules: [risk.k-anonymity.k >= 100000]}'");
    near(value("feasible"), 0, 0);
    assert_true(isnan(value("best_loss")));
    assert_true(value("rules_broken") >= 1);
    assert_int_equal(rows_of("front"), 0);
}

static bool tried(const char *word) {
    const Table *all = result_find_table(last_result, "candidates");
    char cell[33];
    for (int64_t i = 0; i < all->rows; i++)
        if (strstr(column_cell(all->column[0], i, cell), word)) return true;
    return false;
}

/* What draws keys at random cannot keep a rule that counts them, and is not made; where no rule counts them it is. */
static void test_bounds(void **state) {
    (void)state;
    make_data();
    run_ok("verb plan people " ROLES POLICY " --candidates 90");
    assert_true(value("ruled_out") > 0);
    assert_false(tried("pram"));
    run_ok("verb plan people " ROLES " --candidates 90 --policy '{rules: [risk.linkage.confidentiality >= 0.5]}'");
    near(value("ruled_out"), 0, 0);
    assert_true(tried("pram"));
    run_ok("verb plan people " ROLES POLICY " --candidates 90 --search grid");
    assert_false(tried("recode"));
    assert_true(tried("suppress"));
}

/* A recipe to compare with is carried out whole, however long it is. */
static void test_long_recipe(void **state) {
    (void)state;
    enum { STEPS = 90 };
    char recipe[8192], line[9000], cell[33], *at = recipe + sprintf(recipe, "input: people\nsteps:\n");
    for (int i = 0; i < STEPS; i++) at += sprintf(at, "  - protect.round: {vars: [income], base: %d}\n", i + 1);
    make_data();
    snprintf(line, sizeof line, "verb plan people " ROLES POLICY " --candidates 10 --against '%s'", recipe);
    run_ok(line);
    const char *steps = column_cell(table_column(result_find_table(last_result, "against"), "steps"), 0, cell);
    int count = 0;
    for (const char *word = steps; (word = strstr(word, "round")); word++) count++;
    assert_int_equal(count, STEPS);
    assert_non_null(strstr(steps, "base=90"));
}

static void test_bad(void **state) {
    (void)state;
    make_data();
    run_bad("verb plan people --roles '{sensitive: [place]}'", "nothing to protect");
    run_bad("verb plan people " ROLES " --budget soon", "is not a time");
    run_bad("verb plan people " ROLES " --budget -3s", "is not a time");
    run_bad("verb plan people --roles '{keys: [sexx]}'", "sexx");
    run_bad("verb plan people " ROLES " --policy '{rules: [risk.k-anonymity.k >= 3 at protect.suppress]}'", "after a step");
    table_from("none", "sex,age,place,income,debt\n");
    run_bad("verb plan none " ROLES, "no records");
    table_from("one", "sex,age,place,income,debt\nf,30,a,1,2\n");
    run_ok("verb plan one " ROLES POLICY " --candidates 20");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_front),   cmocka_unit_test(test_same_by_seed),
                                        cmocka_unit_test(test_recipes), cmocka_unit_test(test_keep_and_hide),
                                        cmocka_unit_test(test_none),    cmocka_unit_test(test_bad),
                                        cmocka_unit_test(test_bounds),  cmocka_unit_test(test_long_recipe) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
