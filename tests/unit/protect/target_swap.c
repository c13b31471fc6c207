/* protect.target-swap: whole households move, areas keep their counts, the risky first, those at risk always; bad input. */
#include "methods.h"
#include "base/random.h"

enum { HOMES = 600 };

/* Households of 1–4 in 3 regions of 4 districts; keys sex and age; one in a hundred has a rare job. */
static void make_table(void) {
    char *text = malloc(HOMES * 4 * 64), *at = text + sprintf(text, "hid,region,district,sex,age,job,zip,w\n");
    RandomStream stream = stream_make(&(Seed){ 0 }, "test", 0, "target-swap", "x");
    RandomReader reader = reader_make(&stream);
    for (int h = 0; h < HOMES; h++) {
        int region = (int)reader_below(&reader, 3), district = (int)reader_below(&reader, 4), size = 1 + (int)reader_below(&reader, 4);
        for (int i = 0; i < size; i++)
            at += sprintf(at, "%d,r%d,d%d,%c,%d,%s,z%d,%d.5\n", h, region, district, reader_below(&reader, 2) ? 'm' : 'f',
                          10 * (int)reader_below(&reader, 5), reader_below(&reader, 100) ? "plain" : "rare", h,
                          1 + (int)reader_below(&reader, 9));
    }
    table_from("t", text);
    free(text);
}

static int64_t code_at(const Column *column, int64_t row) {
    return column->type == CATEGORY_TYPE ? column->code[row] : column_integer(column, row);
}

/* Counts of a tuple of columns agree before and after. */
static bool same_counts(const char *const *names, int count) {
    enum { CELLS = 100000 };
    static int change[CELLS];
    memset(change, 0, sizeof change);
    for (int64_t i = 0; i < shelf[0]->rows; i++) {
        int64_t a = 0, b = 0;
        for (int k = 0; k < count; k++) {
            a = a * 50 + code_at(table_column(shelf[0], names[k]), i);
            b = b * 50 + code_at(output_column(names[k]), i);
        }
        change[a % CELLS]++;
        change[b % CELLS]--;
    }
    for (int c = 0; c < CELLS; c++)
        if (change[c]) return false;
    return true;
}

static bool moved(int64_t row) {
    return code_at(table_column(shelf[0], "region"), row) != code_at(output_column("region"), row) ||
           code_at(table_column(shelf[0], "district"), row) != code_at(output_column("district"), row);
}

static void test_moves(void **state) {
    (void)state;
    make_table();
    run_ok("protect target-swap t --geography region,district --household hid --keys sex,age,job --rate 0.2 --similar sex --carry zip");
    near(value("rate"), .2, 2. / HOMES);
    near(value("swapped"), .2 * HOMES, 1);
    near(value("unlike"), 0, 0);
    assert_true(same_counts((const char *[]){ "region", "district" }, 2));
    assert_true(same_counts((const char *[]){ "region", "district", "sex" }, 3)); /* partners are alike in sex */
    const Column *hid = table_column(shelf[0], "hid");
    int64_t homes = 0;
    for (int64_t i = 0; i < shelf[0]->rows; i++) {
        if (i && column_integer(hid, i) == column_integer(hid, i - 1))
            assert_int_equal(moved(i), moved(i - 1)); /* a household moves as a whole */
        else homes += moved(i);
        bool carried = code_at(table_column(shelf[0], "zip"), i) != code_at(output_column("zip"), i);
        assert_int_equal(carried, moved(i));
        assert_int_equal(code_at(table_column(shelf[0], "age"), i), code_at(output_column("age"), i));
    }
    near((double)homes, value("swapped"), 0);
    assert_true(last_result->output[0]->perturbed);
}

/* Within the next coarser area where that is possible: the coarse tables stay exactly as they are. */
static void test_levels(void **state) {
    (void)state;
    make_table();
    run_ok("protect target-swap t --geography region,district --household hid --keys sex,age --rate 0.3 --exact");
    for (int64_t i = 0; i < shelf[0]->rows; i++)
        assert_int_equal(code_at(table_column(shelf[0], "region"), i), code_at(output_column("region"), i));
    near(table_value("tables", "total_variation", 0), 0, 0);
    assert_true(table_value("tables", "total_variation", 3) > 0);
    near(value("distance"), fmax(table_value("tables", "total_variation", 2), table_value("tables", "total_variation", 3)), 1e-15);
}

/* k: whoever has a member whose keys fewer than k share in the area moves out of it, whatever the rate. */
static void test_at_risk(void **state) {
    (void)state;
    make_table();
    run_ok("protect target-swap t --geography region --household hid --keys sex,age,job --rate 0 --k 3");
    const Column *hid = table_column(shelf[0], "hid"), *region = table_column(shelf[0], "region"), *sex = table_column(shelf[0], "sex"),
                 *age = table_column(shelf[0], "age"), *job = table_column(shelf[0], "job");
    int64_t rows = shelf[0]->rows, homes = 0, last = -1;
    for (int64_t i = 0; i < rows; i++) {
        int share = 0;
        for (int64_t j = 0; j < rows; j++)
            share += region->code[i] == region->code[j] && sex->code[i] == sex->code[j] &&
                     column_integer(age, i) == column_integer(age, j) && job->code[i] == job->code[j];
        if (share >= 3) continue;
        assert_int_not_equal(code_at(output_column("region"), i), region->code[i]);
        homes += column_integer(hid, i) != last;
        last = column_integer(hid, i);
    }
    assert_true(homes > 3);
    near(value("at_risk"), (double)homes, 0);
    near(value("left"), 0, 0);
}

/* The riskier, the likelier: with rate 0.05 households with a unique member are drawn far more often than the rest. */
static void test_targets(void **state) {
    (void)state;
    make_table();
    double rare = 0, rare_moved = 0, plain = 0, plain_moved = 0;
    for (int seed = 0; seed < 40; seed++) {
        run_ok_seeded(seed, "protect target-swap t --geography region --keys sex,age,job --rate 0.05");
        for (int64_t i = 0; i < shelf[0]->rows; i++) {
            bool is_rare = !strcmp(column_cell(table_column(shelf[0], "job"), i, (char[33]){ 0 }), "rare");
            *(is_rare ? &rare : &plain) += 1;
            *(is_rare ? &rare_moved : &plain_moved) += moved(i);
        }
    }
    assert_true(rare_moved / rare > 5 * plain_moved / plain);
}

static void test_edges(void **state) {
    (void)state;
    table_from("split", "h,g,k\n1,a,1\n1,b,1\n2,b,2\n");
    run_bad("protect target-swap split --geography g --household h --keys k", "another area");
    run_bad("protect target-swap split --geography g --keys g", "geography");
    run_bad("protect target-swap split --geography g --keys k --carry g", "geography");
    run_bad("protect target-swap split --geography g --keys k --rate 2", "from 0 to 1");
    run_bad("protect target-swap split --keys k", "geography");
    table_from("m", "h,g,k\n1,,1\n2,a,2\n,b,3\n,a,4\n3,b,5\n"); /* a missing place, and records without a household */
    run_ok("protect target-swap m --geography g --household h --keys k --rate 1");
    assert_true(column_missing(output_column("g"), 0));
    near(value("households"), 5, 0);
    near(value("swapped"), 4, 0);
    assert_string_equal(cells_of(output_column("g")), ". b a b a");
    table_from("part", "h,g,k\n1,a,1\n1,,1\n2,b,2\n2,b,2\n3,a,2\n3,a,1\n"); /* one member's place is missing: the household stays */
    run_ok("protect target-swap part --geography g --household h --keys k --rate 1");
    assert_string_equal(cells_of(output_column("g")), "a . a a b b");
    table_from("oneplace", "g,k\na,1\na,2\na,3\n");
    run_ok("protect target-swap oneplace --geography g --keys k --rate 1 --k 2");
    near(value("swapped"), 0, 0);
    near(value("left"), 3, 0);
    table_from("empty", "g,k\n");
    run_ok("protect target-swap empty --geography g --keys k");
    table_from("one", "g,k\na,1\n");
    run_ok("protect target-swap one --geography g --keys k --rate 1");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_moves), cmocka_unit_test(test_levels), cmocka_unit_test(test_at_risk),
                                        cmocka_unit_test(test_targets), cmocka_unit_test(test_edges) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
