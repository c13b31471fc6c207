/* ROC privacy of a release: areas known in closed form lie in their intervals; a release that shows everybody tells everything, one that
 * shows nothing nothing. */
#include "methods.h"

static void holds(double area) {
    if (!(value("lower") <= area && area <= value("upper"))) fail_msg("%.6f is outside %.6f … %.6f", area, value("lower"), value("upper"));
    assert_true(value("upper") - value("lower") < 0.1);
}

/* The Dirichlet-multinomial release of (3, 2), one draw of m = 2 and 10, against (2, 2) and (2, 3), α = 1: Pr(count higher) + ½ Pr(equal)
 * of beta-binomials. Each interval fails one time in twenty by chance; the seed is fixed. */
static void beta_binomial(void **state) {
    (void)state;
    table_from("five", "x\na\na\na\nb\nb\n");
    run_ok("risk roc-release five --method synth.dirichlet --vars x --alpha 1 --n 2 --statistic estimates --estimates share(x=a) --records "
           "1 --draws 3000");
    holds(0.551020);
    run_ok("risk roc-release five --method synth.dirichlet --vars x --alpha 1 --n 10 --statistic estimates --estimates share(x=a) "
           "--records 1 --draws 3000");
    holds(0.585077);
    run_ok("risk roc-release five --method synth.dirichlet --vars x --alpha 1 --n 2 --statistic estimates --estimates share(x=a) --records "
           "1 --draws 3000 --replacement 4");
    holds(0.602041);
    run_ok("risk roc-release five --method synth.dirichlet --vars x --alpha 1 --n 10 --statistic estimates --estimates share(x=a) "
           "--records 1 --draws 3000 --replacement 4");
    holds(0.670155);
}

/* A mean with normal noise at noncentrality l = 0.1, to an attacker who knows the distance only: Φ(√(l/2))² + Φ(−√(l/2))² = 0.515653. Of
 * 200 values ±1 one +1 less moves the mean by 1/199; noise of variance δ·200/199 on each makes a mean of variance δ/199, and
 * (1/199)²/(δ/199) = 0.1 gives δ. */
static void noisy_mean(void **state) {
    (void)state;
    char text[2048] = "x\n", command[256];
    for (int i = 0; i < 100; i++) strcat(text, "1\n-1\n");
    table_from("signs", text);
    snprintf(command, sizeof command,
             "risk roc-release signs --method protect.noise --vars x --amount %.9f --statistic estimates --estimates mean(x) --attacker "
             "distance --records 1 --draws 4000",
             1 / 19.9);
    run_ok(command);
    holds(0.515653);
    near(value("privacy"), 1 - value("auc"), 1e-12);
}

static void extremes(void **state) {
    (void)state;
    table_from("rich", "x,y\n1,1\n2,2\n3,3\n4,4\n5,5\n6,6\n7,7\n8,8\n9,9\n1000,10\n");
    run_ok("risk roc-release rich --method protect.noise --vars x,y --amount 0.000000000001 --statistic energy --draws 40");
    near(value("worst_auc"), 1, 1e-9); /* hardly any noise */
    near(table_value("records", "record", 0), 10, 0);
    run_ok("risk roc-release rich --method protect.noise --set method=laplace --vars x --amount 0.1 --statistic estimates --estimates "
           "mean(y) --records 3 --draws 20");
    near(value("auc"), 1, 0); /* y is released as it is: its mean tells */
    near(value("lower"), table_value("records", "lower", 0), 0);
    assert_true(value("lower") < 1); /* twenty draws that all agree are still twenty draws */
    run_ok("risk roc-release rich --method protect.noise --vars x --amount 5 --statistic pmse --records 5 --draws 20");
    assert_true(value("auc") >= 0 && value("auc") <= 1 && value("linked") >= 0);
}

static void bad(void **state) {
    (void)state;
    table_from("few", "x\n1\n2\n3\n4\n");
    run_bad("risk roc-release few --method risk.k-anonymity --keys x", "not make a randomised release");
    run_bad("risk roc-release few --method protect.nois", "noise");
    run_bad("risk roc-release few --method protect.noise --vars x --amount 1 --records 9", "records");
    run_bad("risk roc-release few --method protect.noise --vars x --amount 1 --records 2,1,2", "record 2 twice");
    run_bad("risk roc-release few --method protect.noise --vars x --amount 1 --records 1 --replacement 9", "replacement");
    run_bad("risk roc-release few --method protect.noise --vars x --amount 1 --statistic estimates", "at least one");
    run_bad("risk roc-release few --method protect.noise --vars x --amount 1 --statistic estimates --estimates mode(x)", "not an estimate");
    run_bad("risk roc-release few --method protect.noise --vars x --amount 1 --statistic estimates --estimates mean(z)", "'z'");
    run_bad("risk roc-release few --method protect.noise --vars x --amount 1 --statistic estimates --estimates mean(x),sd(x)", "distance");
    run_bad("risk roc-release few --method protect.noise --vars x --amount 1 --set k", "NAME=VALUE");
    run_bad("risk roc-release few --method protect.recombine --groups x;x --statistic pmse",
            "twice"); /* a draw that fails, and leaves nothing */
    run_bad("risk roc-release few --method protect.recombine --groups x;x --statistic estimates --estimates mean(x)", "twice");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(beta_binomial), cmocka_unit_test(noisy_mean), cmocka_unit_test(extremes),
                                        cmocka_unit_test(bad) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
