/* synth.dirichlet: the catalogue's answers, the loss by brute force over all synthetic counts, the law of the draws. */
#include "methods.h"

static void test_known(void **state) {
    (void)state;
    table_from("t", "c\na\na\na\nb\nb\n");
    run_ok("synth dirichlet t --vars c --alpha 1 --n 10");
    near(value("epsilon"), 2.397895, 1e-6);
    near(table_value("losses", "loss", 0), 1.466337, 1e-6); /* (3,2) against (2,3) */
    assert_int_equal(output()->rows, 10);
}

/* log Γ(k+a)/Γ(a), summed: the Dirichlet-multinomial's probability up to the factor that both tables share. */
static double log_chance(const double *n, const double *alpha, const int *k, int cells) {
    double sum = 0;
    for (int c = 0; c < cells; c++) sum += lgamma(k[c] + n[c] + alpha[c]) - lgamma(n[c] + alpha[c]);
    return sum;
}

/* Every table of 6 in three cells, every neighbour, every synthetic count of 5: the largest loss is what the method says. */
static void test_loss_by_force(void **state) {
    (void)state;
    const double alpha[3] = { 0.5, 1, 2 };
    for (int a = 1; a <= 4; a++)
        for (int b = 1; a + b <= 5; b++) {
            double n[3] = { a, b, 6 - a - b }, worst = 0;
            char text[128] = "c\n", *at = text + 2;
            for (int c = 0; c < 3; c++)
                for (int i = 0; i < (int)n[c]; i++) at += sprintf(at, "%c\n", 'a' + c);
            table_from("t", text);
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                    for (int x = 0; x <= 5 && i != j && n[i] > 0; x++)
                        for (int y = 0; x + y <= 5; y++) {
                            int k[3] = { x, y, 5 - x - y };
                            double m[3] = { n[0], n[1], n[2] };
                            m[i]--;
                            m[j]++;
                            worst = fmax(worst, fabs(log_chance(n, alpha, k, 3) - log_chance(m, alpha, k, 3)));
                        }
            run_ok("synth dirichlet t --vars c --alpha 0.5,1,2 --n 5");
            near(value("epsilon_table"), worst, 1e-9);
            assert_true(value("epsilon_probable") <= worst + 1e-9 && value("epsilon") >= worst - 1e-9);
        }
}

/* Pólya's urn: counts of m = 4 from two cells with n + α = 3 and 2 follow the beta-binomial. 4,000 draws; false alarms under 1e-4 (χ²
 * above 23.5, 4 df). */
static void test_law(void **state) {
    (void)state;
    double seen[5] = { 0 }, chi = 0;
    table_from("t", "c\na\na\nb\n");
    for (int s = 0; s < 4000; s++) {
        int count = 0;
        run_ok_seeded(1000 + s, "synth dirichlet t --vars c --n 4");
        for (int i = 0; i < 4; i++) count += output_column("c")->code[i] == 0;
        seen[count]++;
    }
    for (int k = 0; k <= 4; k++) {
        double p =
            exp(lgamma(5) - lgamma(k + 1) - lgamma(5 - k) + lgamma(k + 3) + lgamma(6 - k) - lgamma(9) - lgamma(3) - lgamma(2) + lgamma(5));
        chi += pow(seen[k] - 4000 * p, 2) / (4000 * p);
    }
    assert_true(chi < 23.5);
}

static void test_groups_and_domain(void **state) {
    (void)state;
    table_from("t", "g,c\nx,a\nx,a\ny,b\n,b\nx,\n");
    run_ok("synth dirichlet t --vars c --by g");
    assert_int_equal(output()->rows, 4);
    table_from("d", "c\na\nb\nz\n");
    run_ok("synth dirichlet t --vars c --domain d --n 50 --alpha 3");
    near(value("cells"), 3, 0);
    near(value("epsilon"), log(1 + 50 / 3.), 1e-12);
    table_from("twice", "c\na\na\n");
    run_bad("synth dirichlet t --vars c --domain twice", "twice");
    run_bad("synth dirichlet t --vars c --alpha 1,2,3", "numbers for 2 cells");
    run_bad("synth dirichlet t --vars c --alpha 0", "more than 0");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_known), cmocka_unit_test(test_loss_by_force), cmocka_unit_test(test_law),
                                        cmocka_unit_test(test_groups_and_domain) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
