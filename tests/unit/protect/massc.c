/* protect.massc: calibrated totals, strata of risk, rates, each way of substituting, risk and loss; bad input. */
#include "methods.h"
#include "base/random.h"

enum { N = 800 };

static void make_table(void) {
    char *text = malloc(N * 60), *at = text + sprintf(text, "id,sex,age,region,job,income,y,w\n");
    RandomStream stream = stream_make(&(Seed){ 0 }, "test", 0, "massc", "x");
    RandomReader reader = reader_make(&stream);
    for (int i = 0; i < N; i++) {
        at += sprintf(at, "%d,%c,%d,r%d,j%d,", i, reader_below(&reader, 2) ? 'm' : 'f', 20 + (int)reader_below(&reader, 60),
                      (int)reader_below(&reader, 5), (int)reader_below(&reader, 4));
        at += i % 29 ? sprintf(at, "%d.5,", 1000 + (int)reader_below(&reader, 5000)) : sprintf(at, ",");
        at += sprintf(at, "%d,%d.25\n", (int)reader_below(&reader, 2), 5 + (int)reader_below(&reader, 10));
    }
    table_from("t", text);
    free(text);
}

/* Σ w·x of a number; of a category's words, Σ w where the first letters agree. */
static double total(const Table *table, const char *name, const char *word) {
    const Column *column = table_column(table, name), *weight = table_column(table, "w");
    double sum = 0;
    for (int64_t i = 0; i < table->rows; i++) {
        if (column_missing(column, i)) continue;
        sum += column_number(weight, i) * (word ? !strcmp(column_cell(column, i, (char[33]){ 0 }), word) : column_number(column, i));
    }
    return sum;
}

static void test_totals(void **state) {
    (void)state;
    make_table();
    static const char *const ways[] = { "swap", "noise --amount 0.3", "round --base 10", "recode --min-count 3", "synthesis", "synth" };
    for (int way = 0; way < 6; way++)
        for (int greg = 0; greg < 2; greg++) {
            char command[300];
            snprintf(command, sizeof command,
                     "protect massc t --core sex,age,region --noncore job --weight w --sample-rate 0.7 --substitute-rate 0.3 --calibrate "
                     "sex,region,age,income,y --calibration %s --substitute %s",
                     greg ? "greg" : "raking", ways[way]);
            run_ok_seeded(way, command);
            near(value("calibration_error"), 0, 1e-9);
            static const char *const word[][2] = { { "sex", "f" },  { "sex", "m" },     { "region", "r0" }, { "region", "r4" },
                                                   { "age", NULL }, { "income", NULL }, { "y", NULL } };
            for (int k = 0; k < 7; k++) near(total(output(), word[k][0], word[k][1]) / total(shelf[0], word[k][0], word[k][1]), 1, 1e-9);
            near(value("released"), .7 * N, 3);
            assert_int_equal(output()->rows, (int64_t)value("released"));
            assert_true(value("risk") < .75 * value("risk_original") && value("risk") > 0);
            assert_true(value("loss") > 0 && value("loss") < .2);
            assert_true(output()->perturbed);
            if (!greg) assert_true(value("factor_least") > 0);
        }
}

/* The rates that targets ask for: risk within its bound and close to it, the riskiest stratum first; what cannot be is said. */
/* synth draws the keys of the chosen from trees on the rest: nobody else's cell changes, words and types stay, and what goes with a key
 * still does (hours are the job's times ten, so that a drawn job fits its hours). */
static void test_synth(void **state) {
    (void)state;
    static char text[60000];
    char *at = text + sprintf(text, "job,day,hours\n");
    for (int i = 0; i < 900; i++) at += sprintf(at, "j%d,2020-01-%02d,%d\n", i % 4, 1 + i / 4 % 28, 10 * (i % 4) + i / 4 % 3);
    table_from("t", text);
    run_ok("protect massc t --core job,day --substitute synth --substitute-rate 0.5 --sample-rate 1");
    const Column *old = table_column(shelf[0], "day");
    int changed = 0;
    assert_int_equal(output_column("day")->type, old->type);
    for (int64_t i = 0; i < 900; i++) {
        char one[33], two[33], three[33], four[33];
        bool other = strcmp(column_cell(output_column("day"), i, one), column_cell(old, i, two)) != 0;
        const char *job = column_cell(output_column("job"), i, three);
        assert_int_equal((int)column_number(output_column("hours"), i) / 10, job[1] - '0');
        assert_string_equal(job, column_cell(table_column(shelf[0], "job"), i, four));
        changed += other;
    }
    assert_true(changed > 300 && changed <= 450);
    near(value("substituted"), changed, 0);
}

static void test_targets(void **state) {
    (void)state;
    make_table();
    static const char *const ways[] = { "swap", "synthesis" };
    for (int way = 0; way < 2; way++) {
        char command[256];
        snprintf(command, sizeof command, "protect massc t --core sex,age,region --noncore job --weight w --substitute %s --max-risk 0.03",
                 ways[way]);
        run_ok_seeded(way, command);
        assert_true(value("risk") <= .03 && value("risk") > .0275);
        assert_true(noted("Solution: --substitute-rate"));
        double share[3];
        for (int h = 0; h < 3; h++) share[h] = table_value("strata", "chosen", h) / fmax(1, table_value("strata", "records", h));
        assert_true(share[0] >= share[1] - .02 && share[1] >= share[2] - .02);
    }
    double loss = value("loss");
    run_ok("protect massc t --core sex,age,region --noncore job --weight w --max-risk 0.99");
    near(value("substituted"), 0, 0);
    run_ok("protect massc t --core sex,age,region --noncore job --weight w --max-risk 0.03 --max-loss 0.9");
    run_ok("protect massc t --core sex,age,region --noncore job --weight w --max-loss 0.9");
    near(table_value("strata", "chosen", 0), table_value("strata", "records", 0), 0);
    char command[256];
    snprintf(command, sizeof command, "protect massc t --core sex,age,region --noncore job --weight w --max-loss %.17g", .9 * loss);
    run_ok(command);
    assert_true(value("loss") <= .9 * loss);
    run_bad("protect massc t --core sex,age,region --noncore job --weight w --max-loss 1e-6 --sample-rate 0.9", "subsampling alone");
    run_bad("protect massc t --core sex,age,region --noncore job --weight w --max-risk 0.01 --substitute recode --min-count 0 "
            "--sample-rate 0.9",
            "with every key substituted the risk");
    run_bad("protect massc t --core sex,age,region --noncore job --weight w --max-risk 0.03 --max-loss 1e-6",
            "with the least loss have loss");
    run_bad("protect massc t --core sex --max-risk 0.1 --substitute-rate 0.1", "solve for");
}

/* The sampling rate is solved for where it is not given: substitution that changes nothing leaves all of it to subsampling. */
static void test_sampling_target(void **state) {
    (void)state;
    make_table();
    run_ok("protect massc t --core sex,age,region --noncore job --weight w --sample-rate 1 --substitute-rate 0");
    double whole = value("risk_original");
    static const double shares[] = { .95, .55, .25 };
    for (int i = 0; i < 3; i++) {
        char command[256];
        snprintf(command, sizeof command,
                 "protect massc t --core sex,age,region --noncore job --weight w --substitute recode --min-count 0 --max-risk %.17g",
                 shares[i] * whole);
        run_ok(command);
        assert_true(value("risk") <= shares[i] * whole);
        near(value("substituted"), 0, 0);
        double rate = value("released") / N; /* a tenth at most above what it must be, and never more than that */
        assert_true(rate <= shares[i] + .05 && rate >= .1 - 1 / (double)N);
        snprintf(command, sizeof command, "--sample-rate 0.%d", (int)lrint(10 * rate));
        assert_true(noted(command));
    }
    run_bad("protect massc t --core sex,age,region --noncore job --weight w --substitute recode --min-count 0 --max-risk 1e-4",
            "a tenth released");
    run_ok("protect massc t --core sex,age,region --noncore job --weight w --max-loss 1e-6 --substitute noise");
    assert_true(value("loss") <= 1e-6);
    near(value("released"), N, 0); /* nothing but all of it, as it was, loses so little */
    run_ok("protect pram t --vars sex --keep 0.8");
    shelve("redrawn", table_retain(output()));
    run_ok("protect massc redrawn --core sex,age --noncore job --weight w --max-risk 0.03");
    assert_true(noted("'sex' was perturbed before"));
    run_ok("protect massc redrawn --core age --noncore job --weight w --max-risk 0.03");
    assert_false(noted("perturbed before"));
    table_from("one", "a,w\n1,1\n");
    run_bad("protect massc one --core a --weight w --max-risk 0.5", "no weights reproduce the totals");
    /* rates at which a category loses its last record are passed over, where they need not be used */
    table_from("rare", "a,b,w\n1,x,1\n2,y,1\n3,y,1\n4,y,1\n5,y,1\n6,y,1\n7,y,1\n8,y,1\n");
    run_ok("protect massc rare --core a --weight w --calibrate b --max-risk 0.5");
    assert_true(value("risk") <= .5);
}

/* Unweighted Pearson correlation. */
static double pearson(const Table *table, const char *a, const char *b) {
    const Column *x = table_column(table, a), *y = table_column(table, b);
    double n = (double)table->rows, sum[5] = { 0 };
    for (int64_t i = 0; i < table->rows; i++) {
        double p = column_number(x, i), q = column_number(y, i), add[] = { p, q, p * p, q * q, p * q };
        for (int k = 0; k < 5; k++) sum[k] += add[k] / n;
    }
    return (sum[4] - sum[0] * sum[1]) / sqrt((sum[2] - sum[0] * sum[0]) * (sum[3] - sum[1] * sum[1]));
}

/* Swapping keeps every distribution and destroys associations: the loss says so, and --max-loss holds on them. */
static void test_associations(void **state) {
    (void)state;
    static char text[80000];
    char *at = text + sprintf(text, "sex,age,region,income,w\n");
    Seed seed = seed_from_number(1);
    RandomStream stream = stream_make(&seed, "test", 0, "massc", "associations");
    RandomReader reader = reader_make(&stream);
    for (int i = 0; i < 2000; i++) {
        int age = 18 + (int)reader_below(&reader, 63), male = (int)reader_below(&reader, 2);
        at += sprintf(at, "%c,%d,r%d,%d,10\n", male ? 'm' : 'f', age, (int)reader_below(&reader, 4),
                      800 * age + 20000 * male + (int)(8000 * reader_normal(&reader)));
    }
    table_from("t", text);
    double r = pearson(shelf[0], "age", "income");
    run_ok_seeded(1,
                  "protect massc t --core sex,age,region --weight w --substitute-rate 1 --sample-rate 1 --formula \"income ~ age + sex\"");
    near(value("loss_distributions"), 0, 1e-12);
    near(value("loss_correlations"), fabs(r - pearson(output(), "age", "income")), 1e-9);
    assert_true(value("loss_correlations") > 0.6 && value("loss_tables") > 0.05 && value("loss_regression") > 0.9);
    near(value("loss"), fmax(value("loss_correlations"), fmax(value("loss_tables"), value("loss_regression"))), 0);
    static const double targets[] = { 0.001, 0.02, 0.1 };
    for (int k = 0; k < 3; k++) {
        char command[256];
        snprintf(command, sizeof command, "protect massc t --core sex,age,region --weight w --sample-rate 1 --max-loss %g%s", targets[k],
                 k == 1 ? " --formula \"income ~ age + sex\"" : "");
        run_ok_seeded(k, command);
        assert_true(value("loss") <= targets[k]);
        assert_true(fabs(r - pearson(output(), "age", "income")) <= targets[k]);
        if (k == 2) assert_true(value("substituted") > 20);
    }
    run_bad("protect massc t --core sex,age --weight w --max-loss 0.1 --formula \"income ~ nothing\"", "nothing");
}

/* Strata against brute force; shares within them; what is changed lies among the chosen. */
static void test_strata(void **state) {
    (void)state;
    make_table();
    run_ok("protect massc t --core sex,age --noncore region,job --weight w --substitute-rate 0.5,0.2,0 --sample-rate 0.5,0.75,1");
    const Table *t = shelf[0];
    static const char *const keys[] = { "sex", "age", "region", "job" };
    double count[3] = { 0 };
    for (int64_t i = 0; i < N; i++) {
        int core = 0, all = 0;
        for (int64_t j = 0; j < N; j++) {
            bool same[4];
            for (int k = 0; k < 4; k++) same[k] = column_number(table_column(t, keys[k]), i) == column_number(table_column(t, keys[k]), j);
            core += same[0] && same[1];
            all += same[0] && same[1] && same[2] && same[3];
        }
        count[core == 1 ? 0 : all == 1 ? 1 : 2]++;
    }
    static const double substitute[] = { .5, .2, 0 }, sample[] = { .5, .75, 1 };
    for (int h = 0; h < 3; h++) {
        near(table_value("strata", "records", h), count[h], 0);
        near(table_value("strata", "chosen", h), substitute[h] * count[h], 1);
        near(table_value("strata", "released", h), sample[h] * count[h], 1);
        assert_true(table_value("strata", "substituted", h) <= table_value("strata", "chosen", h));
        assert_true(table_value("strata", "risk", h) <= table_value("strata", "risk_original", h) + 1e-12);
    }
    double sum = 0;
    for (int64_t i = 0; i < output()->rows; i++) sum += column_number(output_column("w"), i);
    near(sum / total(t, "sex", "f") - total(t, "sex", "m") / total(t, "sex", "f"), 1, 1e-9);
}

/* Nothing substituted, all released: the table as it was. Keys swapped among the chosen: the same multiset, other columns untouched. */
static void test_limits(void **state) {
    (void)state;
    make_table();
    run_ok("protect massc t --core sex,age --weight w --substitute-rate 0 --sample-rate 1 --calibrate income");
    assert_int_equal(output()->rows, N);
    assert_true(table_equal(output(), shelf[0]));
    near(value("risk"), value("risk_original"), 1e-15);
    near(value("loss"), 0, 1e-12);
    static const char *const ways[] = { "swap", "noise", "round", "recode", "synthesis" };
    for (int way = 0; way < 5; way++) {
        char command[200];
        snprintf(command, sizeof command,
                 "protect massc t --core age,job,region --weight w --substitute-rate 0.5 --sample-rate 1 --substitute %s%s", ways[way],
                 way == 3 ? " --min-count 190" : "");
        run_ok(command);
        int64_t changed = 0;
        double age = 0;
        for (int64_t i = 0; i < N; i++) {
            assert_int_equal(column_integer(output_column("id"), i), i);
            near(column_number(output_column("y"), i), column_number(table_column(shelf[0], "y"), i), 0);
            assert_int_equal(output_column("age")->type, INTEGER_TYPE);
            bool other = false;
            for (int k = 0; k < 3; k++) {
                const char *name = (const char *[]){ "age", "job", "region" }[k];
                other |= strcmp(column_cell(output_column(name), i, (char[33]){ 0 }),
                                column_cell(table_column(shelf[0], name), i, (char[33]){ 0 })) != 0;
            }
            changed += other;
            age += column_number(output_column("age"), i) - column_number(table_column(shelf[0], "age"), i);
        }
        near(value("substituted"), (double)changed, 0);
        assert_true(changed > N / 20 && changed <= N / 2 + 1);
        if (way == 0) near(age, 0, 0);
    }
}

/* Every record is released with the rate's chance, whatever its stratum: 600 seeds, ±4.5 standard errors. */
static void test_chances(void **state) {
    (void)state;
    table_from("c", "id,k,g\n0,1,a\n1,2,a\n2,3,b\n3,3,b\n4,4,b\n5,4,a\n6,4,a\n7,5,b\n");
    double times[8] = { 0 };
    for (int seed = 0; seed < 600; seed++) {
        run_ok_seeded(seed, "protect massc c --core k --strata g --substitute-rate 0 --sample-rate 0.5");
        for (int64_t i = 0; i < output()->rows; i++) times[column_integer(output_column("id"), i)]++;
    }
    for (int i = 0; i < 8; i++) near(times[i] / 600, .5, 4.5 * sqrt(.25 / 600));
}

static void test_bad_input(void **state) {
    (void)state;
    make_table();
    run_bad("protect massc t --core sex,age --sample-rate 0.5,0.5", "three");
    run_bad("protect massc t --core sex,age --sample-rate 0", "above 0");
    run_bad("protect massc t --core sex,age --substitute-rate 2", "from 0 to 1");
    run_bad("protect massc t --core sex,age --noncore age", "named twice");
    run_bad("protect massc t --core sex,w --weight w", "named twice");
    run_bad("protect massc t --core sex,region --substitute noise", "none of the keys");
    run_bad("protect massc t --core age --substitute recode", "none of the keys");
    run_bad("protect massc t --core age --base 4", "base");
    run_bad("protect massc t", "core");
    table_from("weights", "k,w\n1,2\n2,\n3,4\n");
    run_bad("protect massc weights --core k --weight w", "1 of 3 weights is missing");
    table_from("named", "k,weight\n1,2\n2,3\n");
    run_bad("protect massc named --core k", "of this name already");
    table_from("rare", "k,g\n1,a\n1,a\n1,a\n1,a\n1,a\n1,a\n1,b\n2,a\n");
    bool refused = false;
    for (int seed = 0; seed < 40; seed++) {
        Status status = run_seeded(seed, "protect massc rare --core k --sample-rate 0.4 --calibrate g");
        refused |= status == BAD && strstr(last_error.message, "no records left");
    }
    assert_true(refused);
    table_from("empty", "k\n");
    run_bad("protect massc empty --core k", "no records");
    table_from("one", "k\n1\n");
    run_ok("protect massc one --core k --sample-rate 1");
    near(column_number(output_column("weight"), 0), 1, 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_totals),       cmocka_unit_test(test_synth),
                                        cmocka_unit_test(test_associations), cmocka_unit_test(test_strata),
                                        cmocka_unit_test(test_targets),      cmocka_unit_test(test_sampling_target),
                                        cmocka_unit_test(test_limits),       cmocka_unit_test(test_chances),
                                        cmocka_unit_test(test_bad_input) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
