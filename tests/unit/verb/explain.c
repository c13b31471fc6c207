/* scrim explain: counted by hand, and minimal unique sets against all subsets. */
#define FIND_METHOD verb_find
#include "verb/verbs.h"
#include "methods.h"

static bool has_note(const char *part) {
    for (int64_t i = 0; i < last_result->notes; i++)
        if (strstr(last_result->note[i], part)) return true;
    return false;
}

static void test_by_hand(void **state) {
    (void)state;
    table_from("t", "sex,age,town,ill,x\nf,30,A,flu,1\nf,30,A,flu,1.1\nf,31,A,flu,1.2\nm,30,B,cold,5\nm,40,B,flu,9\n");
    run_ok("verb explain t --record 1 --keys sex,age,town --sensitive ill --vars x");
    assert_int_equal((int)value("f"), 2);
    assert_int_equal((int)value("unique_sets"), 0);
    assert_true(has_note("shares its sex, age and town with 1 other record"));
    assert_true(has_note("All records with its keys have the same ill"));
    run_ok("verb explain t --record 4 --keys sex,age,town");
    assert_int_equal((int)value("f"), 1);
    assert_int_equal((int)value("unique_sets"), 2); /* sex with age, age with town */
    assert_int_equal((int)value("smallest_set"), 2);
    assert_true(has_note("Record 4 is unique"));
    assert_true(has_note("Suppressing age would help most: the record would then share its keys with 1 other record"));
    assert_int_equal((int)table_value("keys", "same", 1), 3);
    assert_int_equal((int)table_value("keys", "without", 1), 2);
    run_ok("verb explain t --record 5 --keys sex,age,town");
    assert_int_equal((int)value("smallest_set"), 1);
    assert_true(has_note("It is unique on age alone"));
}

/* Values stay out of the sentences unless they are asked for. */
static void test_values_hidden(void **state) {
    (void)state;
    table_from("t", "sex,town\nf,Zanzibar\nm,Zanzibar\nf,Rome\n");
    run_ok("verb explain t --record 1 --keys sex,town");
    assert_false(has_note("Zanzibar"));
    run_ok("verb explain t --record 1 --keys sex,town --show-values");
    assert_true(has_note("town (Zanzibar)"));
}

static void as_release(const char *name) {
    for (int s = 0; shelf[s]; s++)
        if (!strcmp(shelf[s]->name, name)) shelf[s]->released = true;
}

/* 200 small tables, originals and releases: every subset of five keys, missing values included. */
static void test_unique_sets(void **state) {
    (void)state;
    unsigned seed = 1;
    for (int round = 0; round < 200; round++) {
        char text[2048] = "a,b,c,d,e\n", cell[8];
        int rows = 12, key[12][5];
        for (int i = 0; i < rows; i++)
            for (int k = 0; k < 5; k++) {
                seed = seed * 1103515245u + 12345u;
                key[i][k] = (int)(seed >> 16) % 4; /* 3 is missing */
                snprintf(cell, sizeof cell, key[i][k] == 3 ? "" : "%d", key[i][k]);
                strcat(strcat(text, cell), k < 4 ? "," : "\n");
            }
        bool unique[32]; /* a missing key is a value, in a release too */
        int found = 0, smallest = 0;
        for (int set = 1; set < 32; set++) {
            unique[set] = true;
            for (int i = 1; i < rows; i++) {
                bool agrees = true;
                for (int k = 0; k < 5; k++) agrees &= !(set >> k & 1) || key[0][k] == key[i][k];
                unique[set] &= !agrees;
            }
        }
        for (int set = 1; set < 32; set++) {
            bool minimal = unique[set];
            for (int k = 0; k < 5; k++) minimal &= !(set >> k & 1) || set == 1 << k || !unique[set & ~(1 << k)];
            if (!minimal) continue;
            found++;
            if (!smallest || __builtin_popcount((unsigned)set) < smallest) smallest = __builtin_popcount((unsigned)set);
        }
        table_from("t", text);
        if (round % 2) as_release("t");
        run_ok("verb explain t --record 1 --keys a,b,c,d,e --max-size 5");
        assert_int_equal((int)value("unique_sets"), found);
        if (found) assert_int_equal((int)value("smallest_set"), smallest);
    }
}

static void test_mistakes(void **state) {
    (void)state;
    table_from("t", "a,b\n1,2\n");
    run_bad("verb explain t --record 2 --keys a", "the table has 1 record");
    run_bad("verb explain t --record 0 --keys a", "must be");
    run_bad("verb explain t --record 1", "no keys are known");
    run_ok("verb explain t --keys a");
    run_ok("verb explain t --record 1 --keys a,b --vars a,b");
    assert_int_equal((int)value("f"), 1);
}

/* Without a record: the riskiest first, each in a sentence. */
static void test_riskiest(void **state) {
    (void)state;
    table_from("p", "sex,town,job,ill\nf,north,x,flu\nm,north,x,flu\nf,isle,x,gout\nf,south,x,gout\nf,south,x,gout\nm,south,x,gout\n");
    run_ok("verb explain p --keys sex,town,job --sensitive ill");
    near(table_value("riskiest", "record", 0), 3, 0);
    near(table_value("riskiest", "records_that_fit", 0), 1, 0);
    near(table_value("riskiest", "records_that_fit", 5), 2, 0);
    run_bad("verb explain p", "no keys are known");
}

/* The sentences and the measures count missing keys alike. */
static void test_missing_keys(void **state) {
    (void)state;
    table_from("gaps", "sex,town,ill\nf,north,flu\n,north,gout\nf,,flu\nm,south,gout\nm,south,flu\n");
    run_ok("verb explain gaps --record 1 --keys sex,town");
    assert_int_equal((int)value("f"), 1);
    near(value("risk"), 1, 0);
    assert_true(has_note("A missing key is a value of its own."));
    run_ok("verb explain gaps --keys sex,town");
    for (int i = 0; i < 5; i++) near(table_value("riskiest", "records_that_fit", i), i < 3 ? 1 : 2, 0);
    as_release("gaps");
    run_ok("verb explain gaps --record 1 --keys sex,town");
    assert_int_equal((int)value("f"), 1);
    assert_true(has_note("A missing key is a value of its own."));
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_by_hand),     cmocka_unit_test(test_values_hidden),
                                        cmocka_unit_test(test_unique_sets), cmocka_unit_test(test_mistakes),
                                        cmocka_unit_test(test_riskiest),    cmocka_unit_test(test_missing_keys) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
