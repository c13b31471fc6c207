/* The professor's exam: exact bounds, against brute force over whole numbers. */
#include "methods.h"

static void exam(void **state) {
    (void)state;
    run_ok("attack mean-bounds --mean 61 --n 4 --known 90,85,67 --min 0 --max 100"); /* the last one's mark is out: 244 − 242 */
    near(value("least"), 2, 1e-12);
    near(value("most"), 2, 1e-12);
    near(value("gain"), 1, 1e-12);
    run_ok("attack mean-bounds --mean 95 --n 3 --known 98 --min 0 --max 100"); /* 187 over two: none below 87 */
    near(value("least"), 87, 1e-12);
    near(value("most"), 100, 1e-12);
    near(value("gain"), 0.87, 1e-12);
    run_ok("attack mean-bounds --mean 50 --n 2 --known 50,50 --min 0 --max 100");
    assert_true(value("remaining") == 0 && value("gain") == 0 && value("lower") == 0 && value("upper") == 0 && value("baseline") == 0);
}

/* Every way to fill in three whole marks from 0 to 6. */
static void brute(void **state) {
    (void)state;
    for (int sum = 0; sum <= 23; sum++) {
        int least = 99, most = -1;
        char command[256];
        for (int x = 0; x < 7; x++)
            for (int y = 0; y < 7; y++)
                for (int z = 0; z < 7; z++) {
                    char shown[16], wanted[16];
                    snprintf(shown, sizeof shown, "%.1f", (x + y + z + 5) / 4.0);
                    snprintf(wanted, sizeof wanted, "%.1f", sum / 4.0);
                    if (strcmp(shown, wanted)) continue;
                    if (x < least) least = x;
                    if (x > most) most = x;
                }
        snprintf(command, sizeof command, "attack mean-bounds --mean %.1f --n 4 --known 5 --min 0 --max 6 --digits 1 --whole", sum / 4.0);
        if (most < 0) {
            run_bad(command, "no values");
            continue;
        }
        run_ok(command);
        assert_true(value("least") == least && value("most") == most);
    }
}

static void noisy_mean(void **state) {
    (void)state;
    run_ok("attack mean-bounds --mean 80 --n 3 --known 90,85 --sd 2 --noise normal --min 0 --max 100");
    near(value("estimate"), 65, 1e-12);
    near(value("estimate_sd"), 6, 1e-12);
    near(value("estimate_upper"), 65 + 6 * 1.959963984540054, 1e-9);
    near(value("gain"), 1 - 2 * 6 * 1.959963984540054 / 100, 1e-9);
    assert_int_equal(result_find(last_result, "least")->kind, VALUE_NULL); /* noise excludes nothing */
    run_ok("attack mean-bounds --mean 80 --n 3 --known 90,85 --sd 2 --noise laplace --max 70");
    near(value("estimate_lower"), 65 - 6 / sqrt(2) * log(20), 1e-9); /* Pr(|e| > b ln 20) = 0.05 */
    near(value("estimate_upper"), 70, 0);
    run_ok("attack mean-bounds --mean 80 --n 3 --known 90 --sd 2");
    near(value("remaining_mean"), 75, 1e-12);
    assert_int_equal(result_find(last_result, "estimate")->kind, VALUE_NULL);
    run_bad("attack mean-bounds --mean 80 --n 3 --known 90 --noise laplace", "sd");
    run_ok("attack mean-bounds --mean 80 --n 3 --known 90,85 --sd 2 --digits 0"); /* rounding widens by n/2 */
    near(value("estimate_upper"), 65 + 1.5 + 6 * 1.959963984540054, 1e-9);
    run_ok("attack mean-bounds --mean 80 --n 3 --known 90,85 --sd 2 --whole");
    assert_true(value("estimate_lower") == 54 && value("estimate_upper") == 76);
    run_ok("attack mean-bounds --mean 80 --n 3 --known 90,85 --sd 2 --min 90 --max 100"); /* 65 ± 11.8 is nowhere near */
    near(value("estimate"), 65, 1e-12);
    assert_int_equal(result_find(last_result, "estimate_lower")->kind, VALUE_NULL);
    assert_int_equal(result_find(last_result, "gain")->kind, VALUE_NULL);
}

static void bad(void **state) {
    (void)state;
    run_bad("attack mean-bounds --mean 5 --n 2 --known 1,2,3", "more values");
    run_bad("attack mean-bounds --mean 5 --n 2 --known 1 --min 3 --max 2", "max");
    run_bad("attack mean-bounds --mean 500 --n 2 --min 0 --max 100", "no values");
    run_bad("attack mean-bounds --mean 5", "--n");
    run_ok("attack mean-bounds --mean 5 --n 3 --known 4");
    assert_int_equal(result_find(last_result, "gain")->kind, VALUE_NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(exam), cmocka_unit_test(brute), cmocka_unit_test(noisy_mean),
                                        cmocka_unit_test(bad) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
