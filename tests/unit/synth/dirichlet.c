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

static int by_loss(const void *x, const void *y) {
    const double *a = x, *b = y;
    return (a[0] < b[0]) - (a[0] > b[0]);
}

/* The least loss that is exceeded with probability delta at most. */
static double exceeded(double (*outcome)[2], int count, double delta) {
    double above = 0;
    qsort(outcome, (size_t)count, sizeof *outcome, by_loss);
    for (int k = 0; k < count; k++) {
        above += outcome[k][1];
        if (above > delta && (k + 1 == count || outcome[k + 1][0] < outcome[k][0] - 1e-9)) return outcome[k][0];
    }
    return 0;
}

/* P(k) of counts drawn from n, and the loss of k between n and n with a record moved from i to j, from the law itself. */
static double chance_of(const double *n, double alpha, const int *k, int cells) {
    double all[3] = { alpha, alpha, alpha }, sum = log_chance(n, all, k, cells), m = 0, whole = 0;
    for (int c = 0; c < cells; c++) {
        sum -= lgamma(k[c] + 1);
        m += k[c];
        whole += n[c] + alpha;
    }
    return exp(sum + lgamma(m + 1) + lgamma(whole) - lgamma(whole + m));
}
static double moved_loss(const double *n, double alpha, const int *k, int cells, int i, int j) {
    double moved[3] = { n[0], n[1], cells > 2 ? n[2] : 0 };
    moved[i]--;
    moved[j]++;
    return fabs(log(chance_of(n, alpha, k, cells) / chance_of(moved, alpha, k, cells)));
}

static double probable_by_force(const double *n, double alpha, int cells, int m, double delta) {
    static double outcome[5000][2];
    double worst = 0;
    for (int i = -1; i < cells; i++) /* −1: drawn from this table, against all neighbours at once */
        for (int j = 0; j < cells; j++) {
            if (i == j || (i >= 0 && n[i] < 1) || (i < 0 && j)) continue;
            double from[3] = { n[0], n[1], cells > 2 ? n[2] : 0 };
            int count = 0;
            if (i >= 0) {
                from[i]--;
                from[j]++;
            }
            for (int x = 0; x <= m; x++)
                for (int y = cells > 2 ? 0 : m - x; x + y <= m; y++) {
                    int k[3] = { x, y, m - x - y };
                    double loss = i >= 0 ? moved_loss(n, alpha, k, cells, i, j) : 0;
                    for (int p = 0; i < 0 && p < cells; p++)
                        for (int q = 0; q < cells; q++)
                            if (p != q && n[p] >= 1) loss = fmax(loss, moved_loss(n, alpha, k, cells, p, q));
                    outcome[count][0] = loss;
                    outcome[count++][1] = chance_of(from, alpha, k, cells);
                }
            worst = fmax(worst, exceeded(outcome, count, delta));
        }
    return worst;
}

/* ε for a δ by listing every synthetic count; it is never above the bound by a union, which was all there was before. */
static void test_probable(void **state) {
    (void)state;
    char command[160];
    table_from("known", "c\na\na\na\nb\nb\nb\nb\nb\n");
    run_ok("synth dirichlet known --vars c --alpha 0.5 --n 5 --delta 0.1");
    near(value("epsilon_probable"), log(2.2), 1e-9); /* by hand: 0.7885, where the bound is ln 2.6 = 0.9555 */
    assert_true(noted("exact"));
    for (int a = 0; a <= 3; a++)
        for (int b = 0; b <= 3; b++)
            for (int cells = 2; cells <= 3; cells++) {
                double n[3] = { a, b, 2 }, alpha = 0.7, delta = a % 2 ? 0.02 : 0.2;
                char text[128] = "c\n", domain[64], *at = text + 2;
                if (cells == 2) n[2] = 0;
                if (n[0] + n[1] + n[2] < 1) continue;
                for (int c = 0; c < cells; c++)
                    for (int i = 0; i < (int)n[c]; i++) at += sprintf(at, "%c\n", 'a' + c);
                snprintf(domain, sizeof domain, "c\na\nb\n%s", cells > 2 ? "c\n" : "");
                table_from("t", text);
                table_from("d", domain);
                snprintf(command, sizeof command, "synth dirichlet t --vars c --domain d --alpha %g --n 6 --delta %g", alpha, delta);
                run_ok(command);
                near(value("epsilon_probable"), probable_by_force(n, alpha, cells, 6, delta), 1e-9);
            }
}

/* α for a wanted loss: the least that keeps it. */
static void test_alpha(void **state) {
    (void)state;
    table_from("t", "c\na\na\na\na\na\nb\nb\nb\n");
    run_ok("synth dirichlet t --vars c --n 10 --epsilon 1");
    near(value("alpha"), 10 / expm1(1), 1e-9);
    assert_true(value("epsilon") <= 1);
    run_ok("synth dirichlet t --vars c --n 10 --epsilon-probable 0.8 --delta 0.01");
    double alpha = value("alpha");
    char command[128];
    assert_true(value("epsilon_probable") <= 0.8 && value("epsilon") > 0.8);
    snprintf(command, sizeof command, "synth dirichlet t --vars c --n 10 --alpha %.17g --delta 0.01", 0.999 * alpha);
    run_ok(command);
    assert_true(value("epsilon_probable") > 0.8);
    run_bad("synth dirichlet t --vars c --epsilon 1 --alpha 2", "one of --alpha");
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
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_known),    cmocka_unit_test(test_loss_by_force),
                                        cmocka_unit_test(test_probable), cmocka_unit_test(test_alpha),
                                        cmocka_unit_test(test_law),      cmocka_unit_test(test_groups_and_domain) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
