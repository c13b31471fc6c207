/* attack.worlds: Lee & Clifton's two examples, the worst response by search, bad input. */
#include "methods.h"

static void known_answers(void **state) {
    (void)state;
    table_from("w", "value\n2.5\n2.75\n4\n");
    run_ok("attack worlds --world-values w --scale 1.125 --response 5.041");
    static const double density[] = { 0.0464399, 0.0579964, 0.1761775 };
    for (int64_t i = 0; i < 3; i++) near(table_value("worlds", "density", i), density[i], 5e-8);
    near(value("confidence"), 0.627829, 1e-6);
    near(value("best_guess"), 4, 0);
    near(value("baseline"), 1 / 3.0, 1e-12);
    near(value("gain"), 0.627829 - 1 / 3.0, 1e-6);
    table_from("known", "x\n1\n3\n");
    table_from("u", "x\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n");
    run_ok("attack worlds known --universe u --query mean(x) --scale 2.128628 --response 2");
    near(value("confidence"), 0.229438, 1e-6);
    near(table_value("worlds", "individual", 0), 2, 0);
    assert_int_equal(result_find_table(last_result, "worlds")->rows, 8);
}

/* No response gives more than worst_confidence, and one gives it. */
static void worst(void **state) {
    (void)state;
    table_from("w", "value\n0\n1\n1.5\n4\n9\n");
    table_from("p", "prior\n0.1\n0.2\n0.3\n0.25\n0.15\n");
    double most = 0, said = 0;
    for (int i = -40; i <= 130; i++) {
        char command[256];
        snprintf(command, sizeof command, "attack worlds --world-values w --priors p --scale 0.8 --response %.1f", i / 10.0);
        run_ok(command);
        most = fmax(most, value("confidence"));
        said = value("worst_confidence");
        near(value("baseline"), 0.3, 0);
    }
    near(most, said, 1e-12);
}

static void queries(void **state) {
    (void)state;
    table_from("known", "x\n1\n3\n4\n");
    table_from("u", "x\n1\n2\n3\n4\n5\n");
    static const struct {
        const char *query;
        double first, second;
    } list[] = { { "sum(x)", 10, 13 },
                 { "median(x)", 2.5, 3.5 },
                 { "'quantile(x, 1)'", 4, 5 },
                 { "sd(x)", 1.2909944487, 1.7078251277 },
                 { "count(x)", 4, 4 } };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        char command[256];
        snprintf(command, sizeof command, "attack worlds known --universe u --query %s --scale 1 --response 3", list[i].query);
        run_ok(command);
        near(table_value("worlds", "value", 0), list[i].first, 1e-9);
        near(table_value("worlds", "value", 1), list[i].second, 1e-9);
    }
    run_bad("attack worlds known --universe u --query range(x) --scale 1 --response 3", "mean(x)");
    run_bad("attack worlds known --universe u --query 'quantile(x, 2)' --scale 1 --response 3", "mean(x)");
    run_bad("attack worlds known --universe u --scale 1 --response 3", "query");
    run_bad("attack worlds --scale 1 --response 3", "one of");
    run_bad("attack worlds --world-values u --scale 1 --response 3", "value");
    table_from("odd", "x\n1\n77\n");
    run_bad("attack worlds odd --universe u --query mean(x) --scale 1 --response 3", "not in the universe");
    table_from("w", "value\n1\n2\n");
    table_from("p", "prior\n0.5\n0.4\n");
    run_bad("attack worlds --world-values w --priors p --scale 1 --response 3", "add up");
}

/* Two of five people are not known: ten worlds. Beliefs of worlds and of people by hand; the responses that are tried never give more than the
 * largest over the worlds' values. */
static void several_unknown(void **state) {
    (void)state;
    const double u[5] = { 1, 2, 4, 7, 9 };
    table_from("known", "x\n3\n");
    table_from("u", "x\n1\n2\n3\n4\n7\n9\n");
    double most = 0, said = 0;
    for (int step = -10; step <= 60; step++) {
        char command[200];
        double response = step / 4.0, weight[10], total = 0, person[5] = { 0 };
        snprintf(command, sizeof command, "attack worlds known --universe u --unknown 2 --query mean(x) --scale 0.7 --response %g",
                 response);
        run_ok(command);
        int at = 0;
        for (int i = 0; i < 5; i++)
            for (int j = i + 1; j < 5; j++, at++) total += weight[at] = exp(-fabs(response - (3 + u[i] + u[j]) / 3) / 0.7);
        at = 0;
        for (int i = 0; i < 5; i++)
            for (int j = i + 1; j < 5; j++, at++) {
                near(table_value("worlds", "belief", at), weight[at] / total, 1e-12);
                person[i] += weight[at] / total, person[j] += weight[at] / total;
            }
        for (int i = 0; i < 5; i++) {
            near(table_value("people", "belief", i), person[i], 1e-12);
            near(table_value("people", "prior", i), 0.4, 1e-12);
            most = fmax(most, person[i]);
        }
        near(value("baseline"), 0.1, 1e-12);
        near(value("person_baseline"), 0.4, 1e-12);
        said = value("worst_person_confidence");
    }
    assert_true(most <= said + 1e-12 && said < 1);
    run_ok(
        "attack worlds known --universe u --unknown 2 --query median(x) --mechanism exponential --epsilon 1 --bounds x:1:9 --response 3");
    double sum = 0;
    for (int i = 0; i < 5; i++) sum += table_value("people", "belief", i);
    near(sum, 2, 1e-12);
    run_bad("attack worlds known --universe u --unknown 6 --query mean(x) --scale 1 --response 3", "fewer people");
    run_bad("attack worlds --world-values u --unknown 2 --scale 1 --response 3", "universe");
}

/* A median of three chosen by rank from 1 … 5: the probabilities of 3 by hand, where the losses of 1 … 5 are 0 0 0 1 1 with 2 as the third
 * record, 0 0 0 0 1 with 4, and 0 throughout with 5. */
static void exponential(void **state) {
    (void)state;
    double e = exp(-0.5), chance[] = { 1 / (3 + 2 * e), 1 / (4 + e), 0.2 }, sum = chance[0] + chance[1] + chance[2];
    table_from("known", "x\n1\n3\n");
    table_from("u", "x\n1\n2\n3\n4\n5\n");
    run_ok("attack worlds known --universe u --query median(x) --mechanism exponential --epsilon 1 --bounds x:1:5 --response 3");
    for (int i = 0; i < 3; i++) {
        near(table_value("worlds", "density", i), chance[i], 1e-12);
        near(table_value("worlds", "belief", i), chance[i] / sum, 1e-12);
    }
    assert_true(value("worst_confidence") >= value("confidence"));
    run_bad("attack worlds known --universe u --query mean(x) --mechanism exponential --epsilon 1 --bounds x:1:5 --response 3", "median");
    run_bad("attack worlds known --universe u --query median(x) --mechanism exponential --bounds x:1:5 --response 3", "epsilon");
    run_bad("attack worlds known --universe u --query median(x) --mechanism exponential --epsilon 1 --bounds x:5:1 --response 3", "upper");
    run_bad("attack worlds known --universe u --query mean(x) --response 3", "scale");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(known_answers), cmocka_unit_test(worst), cmocka_unit_test(queries),
                                        cmocka_unit_test(several_unknown), cmocka_unit_test(exponential) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
