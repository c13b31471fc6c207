/* Population uniques: ARX's answers, each model by hand or on a population drawn from it, exact counts, the edges. */
#include "draws.h"
#include "math/distributions.h"
#include "math/special/log_gamma.h"
#include "methods.h"
#include "risk/population_models.h"

/* ARX on its adult data, eight keys, sampling fraction 0.01: 18,109 classes, 14,021 uniques. Its slide negative binomial never converges
 * there. */
static void arx(void **state) {
    (void)state;
    table_from_file("adult", "../shared/data/arx/arx_adult.csv");
    const char *keys = "sex,age,race,marital-status,education,native-country,workclass,occupation";
    char command[256];
    sprintf(command, "risk population-uniques adult --keys %s --population-size 3016200 --model pitman", keys);
    run_ok(command);
    double theta = value("parameter1"), alpha = value("parameter2"); /* ARX takes the limit for N far above θ */
    near(exp(log_gamma(theta + 1) - log_gamma(theta + alpha) + alpha * log(3016200)), 361577.919, 0.01);
    near(value("population_uniques"), 361577.919, 361577.919 * theta / 3016200);
    near(value("parameter1"), 2559.86308, 1e-4);
    near(value("parameter2"), 0.70003157, 1e-7);
    near(value("sample_uniques"), 14021, 0);
    near(value("classes"), 18109, 1e-6);
    memcpy(strstr(command, "pitman"), "zayatz", 6);
    run_ok(command);
    near(value("population_uniques"), 674264.164, 0.01);
}

static void poisson_gamma(void **state) {
    (void)state;
    table_from("t", "a,b\n1,1\n1,1\n1,1\n1,1\n2,1\n2,2\n"); /* four cells: 4 0 1 1 */
    run_ok("risk population-uniques t --keys a,b --population-size 60 --model poisson-gamma");
    double s2 = (18 - 36. / 4) / 3, beta = (4 * s2 / 6 - 1) / 6, alpha = 1 / (4 * beta);
    near(value("parameter1"), alpha, 1e-12);
    near(value("parameter2"), beta, 1e-12);
    near(value("population_uniques"), 60 * pow(1 + 60 * beta, -(1 + alpha)), 1e-12);
    near(value("pu_given_su"), pow((1 + 6 * beta) / (1 + 60 * beta), 1 + alpha), 1e-12);
    run_ok("risk population-uniques t --keys a,b --population-size 60 --model poisson-gamma --cells 100");
    assert_true(value("parameter2") > beta);
    table_from("flat", "a\n1\n2\n3\n");
    run_ok("risk population-uniques flat --keys a --population-size 60 --model poisson-gamma");
    assert_int_equal(result_find(last_result, "pu")->kind, VALUE_NULL);
}

/* A population drawn from the model and a Bernoulli sample of it: the estimate is within 10% of the truth. Fixed seed. */
static void slide(void **state) {
    (void)state;
    enum { K = 200000 };
    RandomStream stream = stream_make(&(Seed){ 0 }, "test", 5, NULL, "slide");
    RandomReader reader = reader_make(&stream);
    static int64_t size[400];
    static double count[400];
    double N = 0, uniques = 0, n = 0, classes = 0;
    for (int i = 0; i < 400; i++) {
        size[i] = i + 1;
        count[i] = 0;
    }
    for (int k = 0; k < K; k++) {
        int F = 1, f = 0; /* 1 and a negative binomial with p = 0.2, r = 0.8, by its own probabilities */
        double u = reader_uniform(&reader), chance = pow(0.2, 0.8);
        for (; u > chance; F++) {
            u -= chance;
            chance *= 0.8 * (F - 1 + 0.8) / F;
        }
        for (int i = 0; i < F; i++) f += reader_uniform(&reader) < 0.2;
        N += F;
        uniques += F == 1;
        if (f) {
            assert_true(f <= 400);
            count[f - 1]++;
            n += f;
            classes++;
        }
    }
    Sizes sizes = { 400, size, count, n, classes, count[0] };
    Uniques u = slide_negative_binomial_uniques(&sizes, N);
    assert_null(u.why);
    near(u.uniques, uniques, 0.1 * uniques);
    near(u.parameter[0], 0.8, 0.1);
    near(u.parameter[1], 0.2, 0.03);
}

static void exact(void **state) {
    (void)state;
    table_from("t", "k\n1\n2\n2\n3\n4\n");
    table_from("p", "k\n1\n1\n1\n2\n2\n3\n4\n5\n");
    run_ok("risk population-uniques t --keys k --population p");
    near(value("population_uniques"), 3, 0);
    near(value("pu"), 3. / 8, 1e-15);
    near(value("pu_given_su"), 2. / 3, 1e-15); /* 3 and 4 of 1, 3, 4 */
}

static void edges(void **state) {
    (void)state;
    table_from("none", "k\n");
    table_from("u", "k\n1\n2\n3\n");
    table_from("m", "k,j\n,\n,\n");
    table_from("t", "k,w\n1,10\n2,10\n2,10\n3,10\n");
    for (int model = 0; model < 6; model++) {
        const char *names[] = { "poisson-gamma", "pitman", "zayatz", "slide-negative-binomial", "poisson", "auto" },
                   *tables[] = { "none", "u", "m", "t" };
        for (int t = 0; t < 4; t++) {
            char command[128];
            sprintf(command, "risk population-uniques %s --keys k --population-size 100 --model %s", tables[t], names[model]);
            run_ok(command);
            double pu = value("pu");
            assert_true(isnan(pu) || (pu >= 0 && pu <= 1));
        }
    }
    run_ok("risk population-uniques t --keys k --weight w");
    near(value("population_size"), 40, 0);
    run_ok("risk population-uniques t --keys k --population-size 4 --model slide-negative-binomial"); /* the sample is the population */
    near(value("population_uniques"), 2, 0);
    run_bad("risk population-uniques t --keys k", "population is not known");
    run_bad("risk population-uniques t --keys k --population-size 3", "fewer records than the sample");
    run_bad("risk population-uniques t --keys k --population-size 30 --model magic", "pitman");
}

/* Evenly spread keys: 258 or so of 20,000 people are unique, where Pitman's model says four times as many. The choice by fit is near. */
static void chosen_by_fit(void **state) {
    (void)state;
    enum { N = 20000, CELLS = 4600, DRAWN = 2000 };
    uint64_t random = 3;
    static int all[CELLS], seen[CELLS];
    static int64_t size[60];
    static double count[60];
    double truth = 0;
    for (int i = 0; i < N; i++) {
        int cell = draw_below(&random, CELLS);
        all[cell]++;
        seen[cell] += i < DRAWN;
    }
    Sizes sizes = { 60, size, count, DRAWN, 0, 0 };
    for (int i = 0; i < 60; i++) size[i] = i + 1;
    for (int c = 0; c < CELLS; c++) {
        truth += all[c] == 1;
        if (seen[c]) count[seen[c] - 1]++, sizes.classes++;
    }
    sizes.ones = count[0];
    Uniques even = poisson_uniques(&sizes, N), pitman = pitman_uniques(&sizes, N);
    assert_null(even.why);
    assert_true(fabs(even.uniques - truth) < 0.35 * truth);
    assert_true(uniques_fit(MODEL_POISSON, &sizes, &even, N, CELLS) > 0.01);
    if (!pitman.why)
        assert_true(pitman.uniques > 2 * truth &&
                    uniques_fit(MODEL_PITMAN, &sizes, &pitman, N, CELLS) < uniques_fit(MODEL_POISSON, &sizes, &even, N, CELLS));
    double scratch[60], error = uniques_error(MODEL_POISSON, &sizes, N, CELLS, scratch);
    assert_true(error > 0 && fabs(even.uniques - truth) < 4 * error);
    /* expected classes add up to those seen, under every model */
    char text[65536] = "k\n";
    for (int c = 0; c < 300; c++)
        for (int i = 0; i < 1 + (c % 7 == 0) + (c % 31 == 0) * 4; i++) sprintf(text + strlen(text), "%d\n", c);
    table_from("t", text);
    run_ok("risk population-uniques t --keys k --population-size 4000");
    assert_non_null(result_find(last_result, "model")->text);
    assert_true(value("lower") <= value("population_uniques") && value("population_uniques") <= value("upper"));
    /* the interval is that of all models that fit, and of no other */
    double low = INFINITY, high = -INFINITY;
    assert_int_equal(result_find_table(last_result, "models")->rows, 4);
    for (int64_t row = 0; row < 4; row++) {
        if (!(table_value("models", "fit", row) >= 0.01)) continue;
        low = fmin(low, table_value("models", "lower", row));
        high = fmax(high, table_value("models", "upper", row));
    }
    near(value("lower"), low, 0);
    near(value("upper"), high, 0);
    double pitman_upper = table_value("models", "upper", 2);
    run_ok("risk population-uniques t --keys k --population-size 4000 --model pitman");
    near(value("upper"), pitman_upper, 0);
    assert_null(result_find_table(last_result, "models"));
}

/* Samples of Pitman's own model by its predictive rule: the fit finds both parameters, at α = 0 (Ewens) too, or says that it has no
 * maximum; a share is a share, also where the population is hardly larger than the sample and θ far above both. */
static void pitman_of_itself(void **state) {
    (void)state;
    enum { N = 4000 };
    static const double alphas[] = { 0, 0.05, 0.3, 0.7, 0.9 }, thetas[] = { 2, 60, 3000, 200000 };
    static int64_t size[N];
    static double count[N];
    static int member[N], own[N];
    uint64_t random = 12;
    for (int c = 0; c < 20; c++) {
        double alpha = alphas[c % 5], theta = thetas[c / 5];
        int classes = 0;
        for (int i = 0; i < N; i++) { /* a new class with chance (θ + kα)/(θ + i), else that of a record, of one with f − α in f */
            double u = (double)(draw_word(&random) >> 11) * 0x1p-53 * (theta + i);
            int k = -1;
            while (u >= theta + classes * alpha && k < 0) {
                int at = draw_below(&random, i);
                if ((double)(draw_word(&random) >> 11) * 0x1p-53 * own[member[at]] < own[member[at]] - alpha) k = member[at];
            }
            if (k < 0) own[k = classes++] = 0;
            own[member[i] = k]++;
        }
        for (int i = 0; i < N; i++) count[i] = 0;
        for (int k = 0; k < classes; k++) count[own[k] - 1]++;
        double ones = count[0];
        int64_t distinct = 0;
        for (int i = 0; i < N; i++)
            if (count[i] > 0) {
                size[distinct] = i + 1;
                count[distinct++] = count[i];
            }
        Sizes sizes = { distinct, size, count, N, classes, ones };
        for (double larger = 1; larger <= 1e4; larger *= 10) {
            Uniques u = pitman_uniques(&sizes, N * larger);
            if (u.why) continue;
            assert_true(u.uniques >= 0 && u.uniques <= N * larger * (1 + 1e-9) && u.given >= 0 && u.given <= 1);
            if (larger == 1) near(u.uniques, ones, 0.25 * ones + 10);
            if (classes > 100 && classes < N / 2) near(u.parameter[1], alpha, 0.2);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arx),   cmocka_unit_test(poisson_gamma), cmocka_unit_test(slide),           cmocka_unit_test(exact),
        cmocka_unit_test(edges), cmocka_unit_test(chosen_by_fit), cmocka_unit_test(pitman_of_itself)
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
