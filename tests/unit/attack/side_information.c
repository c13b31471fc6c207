/* Terry Gross is two inches shorter than the average Lithuanian woman: once the average is out, so is she. */
#include "methods.h"

static void relations(void **state) {
    (void)state;
    run_ok("attack side-information --statistic 64 --relation '2 inches below the mean'");
    assert_true(value("estimate") == 62 && value("least") == 62 && value("most") == 62);
    run_ok("attack side-information --statistic 64 --relation '3 above'");
    assert_true(value("estimate") == 67);
    run_ok("attack side-information --statistic 50 --relation '1.5 times the mean' --sd 2 --noise normal --spread 12");
    assert_true(value("estimate") == 75 && value("sd") == 3);
    near(value("most"), 75 + 1.959963984540054 * 3, 1e-12);
    near(value("gain"), 0.75, 1e-15);
    run_ok("attack side-information --statistic 200 --relation '10 percent below it'");
    near(value("estimate"), 180, 1e-12);
    run_ok("attack side-information --statistic 7 --relation equal --sd 1.4142135623730951");
    near(value("most") - 7, log(20), 1e-12); /* Laplace of scale 1 */
}

/* Numbers as people say them, and standard deviations that are no units of the statistic. */
static void words(void **state) {
    (void)state;
    static const struct {
        const char *relation;
        double estimate;
    } said[] = { { "two inches shorter than the average", 62 },
                 { "an inch taller", 65 },
                 { "half an inch below", 63.5 },
                 { "half the mean", 32 },
                 { "twice the mean", 128 },
                 { "0.5 sd above the mean", 65.25 },
                 { "two standard deviations below it", 59 },
                 { "1 sigma above", 66.5 },
                 { "10% lower", 57.6 },
                 { "ten percent more", 70.4 },
                 { "12 years older", 76 },
                 { "0.5 sdr above", 64.5 } };
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        char command[160];
        sprintf(command, "attack side-information --statistic 64 --spread 2.5 --relation '%s'", said[i].relation);
        run_ok(command);
        near(value("estimate"), said[i].estimate, 1e-12);
    }
    run_bad("attack side-information --statistic 64 --relation '0.5 sd above the mean'", "standard deviations");
    run_bad("attack side-information --statistic 64 --relation '2 times more'", "relation");
    run_bad("attack side-information --statistic 64 --relation 'two inches'", "relation");
    run_bad("attack side-information --statistic 64 --relation 'more or less'", "relation");
}

static void bad(void **state) {
    (void)state;
    run_bad("attack side-information --statistic 64 --relation 'somewhat smaller'", "relation");
    run_bad("attack side-information --statistic 64 --relation '2 away'", "relation");
    run_bad("attack side-information --statistic 64 --relation 'two hundred above the mean'", "relation"); /* was taken for two */
    run_bad("attack side-information --statistic 64 --relation 'two and a half above the mean'", "relation");
    run_bad("attack side-information --statistic 64 --relation '2 to 3 above the mean'", "relation");
    run_bad("attack side-information --statistic 64 --relation 'one foot two inches taller'", "relation");
    static const char *const unclear[] = { "a third below",
                                           "a few inches above",
                                           "a couple of inches above",
                                           "half as much above",
                                           "equal to half the mean",
                                           "equal to twice the mean",
                                           "equally tall",
                                           "-2 below",
                                           "at least two above",
                                           "two inches at most below",
                                           "not two below",
                                           "2 percent of an sd above" };
    for (size_t i = 0; i < sizeof unclear / sizeof *unclear; i++) {
        char command[128];
        snprintf(command, sizeof command, "attack side-information --statistic 64 --spread 3 --relation '%s'", unclear[i]);
        run_bad(command, "is not understood");
    }
    run_ok("attack side-information --statistic 64 --relation 'Half an Inch taller'");
    near(value("estimate"), 64.5, 0);
    run_ok("attack side-information --statistic 64 --relation 'Equal to the mean'");
    near(value("estimate"), 64, 0);
    run_bad("attack side-information --statistic 64", "relation");
    run_bad("attack side-information --statistic 64 --relation equal --sd -1", "at least 0");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(relations), cmocka_unit_test(words), cmocka_unit_test(bad) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
