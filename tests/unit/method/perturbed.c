/* Perturbed column by column: a method that counts frequencies declines where it would count one that was changed at random, and only
 * there. */
#include "methods.h"

static const char people[] = "g,age,income\nu,30,10.5\nu,30,20.25\nv,40,30.5\nv,40,40.75\nu,30,52.5\nv,40,61.25\nu,30,71.5\nv,40,80.25\n";

/* The last output, under another name, for the next command. */
static void keep(const char *name) { shelve(name, table_retain(output())); }

static void only_what_changed(void **state) {
    (void)state;
    table_from("data", people);
    run_ok("protect noise data --vars income --amount 0.0001");
    assert_true(output()->perturbed && table_altered(output(), "income") && !table_altered(output(), "g") &&
                !table_altered(output(), "age"));
    keep("noisy");
    run_ok("risk k-anonymity noisy --keys g,age");
    assert_true(value("k") == 4);
    run_bad("risk k-anonymity noisy --keys g,income", "no longer show its risk");
    assert_non_null(strstr(last_error.advice, "risk linkage"));
    run_ok("risk l-diversity noisy --keys g --sensitive age");
    run_bad("risk l-diversity noisy --keys g --sensitive income", "attack inference");
    run_bad("risk k-anonymity noisy --keys g,age --weight income", "perturbed");
    run_ok("risk k-anonymity noisy --keys g,income --force");
    assert_non_null(strstr(last_result->note[0], "Warning"));
    run_ok("risk k-anonymity noisy --keys g --where 'age > 35'");
    run_bad("risk k-anonymity noisy --keys income --where 'age > 35'", "perturbed");
}

static void through_later_steps(void **state) {
    (void)state;
    table_from("data", people);
    run_ok("protect noise data --vars income --amount 0.5");
    keep("noisy");
    run_ok("protect recode noisy --var income --breaks 0,40"); /* not random, but of random values */
    assert_true(table_altered(output(), "income") && !table_altered(output(), "g"));
    run_ok("protect round noisy --vars age --base 20");
    assert_true(table_altered(output(), "income") && !table_altered(output(), "age"));
    run_ok("protect round noisy --vars age --base 7 --method random");
    assert_true(table_altered(output(), "income") && table_altered(output(), "age") && !table_altered(output(), "g"));
    run_ok("protect sample noisy --n 4"); /* fewer records, the same columns */
    assert_true(table_altered(output(), "income") && !table_altered(output(), "age"));
}

static void by_where(void **state) {
    (void)state;
    table_from("data", people);
    run_ok("protect noise data --vars income --amount 0.5 --where 'age > 35'"); /* every column is put together anew */
    assert_true(output()->perturbed && table_altered(output(), "income") && !table_altered(output(), "g") &&
                !table_altered(output(), "age"));
    run_ok("protect swap data --vars age --rate 1");
    assert_true(table_altered(output(), "age") && !table_altered(output(), "g"));
}

static void by_attacks(void **state) {
    (void)state;
    table_from("data", people);
    run_ok("protect noise data --vars income --amount 0.5");
    keep("noisy");
    run_ok("attack homogeneity noisy --keys g --sensitive age");
    for (int64_t i = 0; i < last_result->notes; i++) assert_null(strstr(last_result->note[i], "perturbed"));
    run_ok("attack homogeneity noisy --keys g --sensitive income");
    assert_non_null(strstr(last_result->note[0], "perturbed"));
}

/* Methods that promise k say where they count what was changed at random; and only there. */
static void promised_of_noise(void **state) {
    (void)state;
    static const char *const promise[] = { "protect suppress noisy --keys %s --k 2", "protect mondrian noisy --keys %s --k 2" };
    table_from("data", people);
    run_ok("protect noise data --vars income --amount 0.5");
    keep("noisy");
    for (int i = 0; i < 2; i++) {
        char command[96];
        snprintf(command, sizeof command, promise[i], "g,income");
        run_ok(command);
        assert_true(noted("the key 'income' was perturbed before"));
        snprintf(command, sizeof command, promise[i], "g,age");
        run_ok(command);
        assert_false(noted("perturbed before"));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(only_what_changed), cmocka_unit_test(through_later_steps),
                                        cmocka_unit_test(by_where), cmocka_unit_test(by_attacks), cmocka_unit_test(promised_of_noise) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
