/* release.query: true values under next to no noise, sensitivities, groups and thresholds, refusals. */
#include "methods.h"

static char command[1024];
static void release(const char *table, const char *query, const char *rest) {
    snprintf(command, sizeof command, "release query %s --query '%s' %s --no-ledger", table, query, rest);
    run_ok(command);
}
static double answer(int64_t row) { return table_value("answers", "answer", row); }
static double scale(void) { return table_value("answers", "scale", 0); }
static double sensitivity(void) { return table_value("answers", "sensitivity", 0); }
static void bad(const char *table, const char *query, const char *rest, const char *part) {
    snprintf(command, sizeof command, "release query %s --query '%s' %s --no-ledger", table, query, rest);
    run_bad(command, part);
}

/* x = 1 … 20 with y = x², a group g and a status s; one x beyond the bounds is clamped. */
static void small(void) {
    static char text[4096];
    size_t at = (size_t)snprintf(text, sizeof text, "x,y,g,s,id\n");
    for (int i = 1; i <= 20; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "%d,%d,%s,%d,%d\n", i == 20 ? 500 : i, i * i, i <= 12 ? "a" : "b", i % 2,
                               (i + 1) / 2);
    table_from("small", text);
}

#define TIGHTLY "--bounds x:0:20,y:0:400 --epsilon 999"
static void true_values(void **state) {
    (void)state;
    small();
    static const struct {
        const char *query;
        double wanted;
    } list[] = { { "sum(x)", 210 },
                 { "mean(x)", 10.5 },
                 { "variance(x)", 35 },
                 { "sd(x)", 5.916079783099616 },
                 { "covariance(x, y)", 735 },
                 { "moment(x, 2)", 143.5 },
                 { "moment(x, 3)", 2205 },
                 { "median(x)", 10.5 },
                 { "quantile(x, 0.25)", 5.75 },
                 { "quantile(x, 1)", 20 },
                 { "winsorized(x, 0.2)", 10.5 },
                 { "winsorized(y, 0.2)", 130.46 },
                 { "trimmed(x, 0.1)", 10.5 },
                 { "trimmed(y, 0.25)", 118.5 },
                 { "count() where x > 15", 5 },
                 { "sum(x) where g == \"b\"", 132 },
                 { "mean(x) where g == \"b\"", 16.5 },
                 { "variance(x) where x <= 12", 13 },
                 { "sd(y) where g == \"b\"", 80.9814793641 },
                 { "covariance(x,y) where x <= 12", 169 },
                 { "median(x) where g == \"a\"", 6.5 },
                 { "count where x > 100", 1 } };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        release("small", list[i].query, TIGHTLY);
        near(answer(0), list[i].wanted, 0.1 + fabs(list[i].wanted) * 0.2);
        if (!isnan(scale())) near(answer(0), list[i].wanted, 30 * scale() + 1e-9 * fabs(list[i].wanted));
        if (!strstr(list[i].query, "median") && !strstr(list[i].query, "quantile"))
            assert_true(table_value("answers", "lower", 0) <= answer(0) && answer(0) <= table_value("answers", "upper", 0));
    }
    release("small", "count()", "--epsilon 1"); /* public under replace-one */
    assert_true(answer(0) == 20 && scale() == 0);
}

/* Counts move in whole steps: of the discrete Laplace with scale 2 P(|x| > 5) = 0.062 and P(|x| > 6) = 0.038, of the discrete Gaussian with
 * σ = 1 P(|x| > 1) = 0.117. */
static void intervals_of_counts(void **state) {
    (void)state;
    small();
    static const struct {
        const char *rest;
        double half;
    } list[] = { { "--epsilon 0.5", 6 }, { "--zcdp 0.5", 2 }, { "--epsilon 999", 0 } };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        release("small", "count() where x > 3", list[i].rest);
        near(answer(0) - table_value("answers", "lower", 0), list[i].half, 0);
        near(table_value("answers", "upper", 0) - answer(0), list[i].half, 0);
    }
}

static void global_sensitivities(void **state) {
    (void)state;
    small();
    static const struct {
        const char *query, *rest;
        double wanted;
    } list[] = { { "sum(x)", "", 20 },
                 { "sum(x)", "--unit add-remove", 20 },
                 { "mean(x)", "", 1 },
                 { "variance(x)", "", 20 },
                 { "sd(x)", "", 4.47213595499958 },
                 { "covariance(x,y)", "", 400 },
                 { "moment(x,2)", "", 20 },
                 { "trimmed(x,0.1)", "", 1.25 },
                 { "winsorized(x,0)", "", 1 },
                 { "count() where x > 3", "", 1 },
                 { "winsorized(x,0.2) where x > 3", "", 20 },
                 { "mean(x)", "--group 3", 3 },
                 { "trimmed(x,0.1)", "--group 30", 20 },
                 { "histogram(s)", "", 2 },
                 { "histogram(s)", "--unit add-remove", 1 },
                 { "histogram(s)", "--person id --max-records 2", 4 },
                 { "sum(x) where x > 3", "--person id --max-records 2", 40 },
                 { "sum(z) where x > 3", "", 30 },
                 { "sum(z)", "", 20 } };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        char rest[256];
        if (strstr(list[i].query, "sum(z)")) table_from("small", "z,x\n11,1\n12,5\n30,6\n");
        snprintf(rest, sizeof rest, "--bounds x:0:20,y:0:400,s:0:1,z:10:30 --epsilon 0.5 %s", list[i].rest);
        release("small", list[i].query, rest);
        near(sensitivity(), list[i].wanted, 1e-8 * list[i].wanted);
        near(scale(), list[i].wanted / 0.5, 1e-6 * list[i].wanted);
    }
}

/* Quantiles under ROC privacy are moved by noise, as the paper has them. */
static void noisy_quantiles(void **state) {
    (void)state;
    small();
    static const struct {
        const char *query, *rest;
        double wanted;
    } list[] = { { "median(x)", "", 10 },
                 { "quantile(x,0.25)", "", 15 },
                 { "quantile(x,0)", "", 20 },
                 { "median(x) where x > 3", "", 20 },
                 { "median(x)", "--group 3", 20 } };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        char rest[256];
        snprintf(rest, sizeof rest, "--bounds x:0:20 --noncentrality 0.5 %s", list[i].rest);
        release("small", list[i].query, rest);
        near(sensitivity(), list[i].wanted, 1e-8 * list[i].wanted);
    }
}

/* Each promise gives its scale. */
static void promises(void **state) {
    (void)state;
    small();
    release("small", "mean(x)", "--bounds x:0:20 --zcdp 0.02");
    near(scale(), 1 / sqrt(0.04), 1e-8);
    release("small", "mean(x)", "--bounds x:0:20 --gdp 0.2");
    near(scale(), 5, 1e-8);
    release("small", "mean(x)", "--bounds x:0:20 --noncentrality 0.1");
    near(scale(), 1 / sqrt(0.2), 1e-8);
    near(value("auc"), 0.515653, 1e-6);
    release("small", "mean(x)", "--bounds x:0:20 --auc 0.55");
    near(value("auc"), 0.55, 1e-8);
    release("small", "mean(x); mean(y)",
            "--bounds x:0:20,y:0:400 --auc 0.55"); /* the AUC is that of the whole release, for who knows the direction */
    near(value("auc_direction"), 0.55, 1e-6);
    assert_true(value("auc") < 0.55 && value("auc_informed") > 0.55);
    release("small", "mean(x); mean(y)",
            "--bounds x:0:20,y:0:400 --noncentrality 0.1"); /* the noncentrality that of each query, as the paper has it */
    near(value("auc"), 0.524386, 1e-6);
    near(value("noncentrality"), 0.2, 1e-8);
    release("small", "mean(x)", "--bounds x:0:20 --epsilon 1 --delta 1e-5"); /* Balle & Wang: σ = 3.7306…·Δ */
    near(scale(), 3.7306316348, 1e-6);
    release("small", "mean(x); mean(y)", "--bounds x:0:20,y:0:400 --epsilon 1"); /* halves of ε */
    near(scale(), 2, 1e-8);
    release("small", "mean(x)", "--bounds x:0:20 --identifiability 0.2 --worlds 21");
    near(scale(), 1 / log(20 * 0.2 / 0.8), 1e-8);
    release("small", "mean(x)", "--bounds x:0:20 --identifiability 0.2 --neighbours worlds");
    near(scale(), 1 / log(20 * 0.2 / 0.8), 1e-8);
    near(value("worlds"), 21, 0);
    bad("small", "mean(x)", "--bounds x:0:20 --identifiability 0.04 --neighbours worlds", "1/21");
    assert_non_null(strstr(
        result_find(last_result ? last_result
                                : (run_ok("release query small --query mean(x) --bounds x:0:20 --epsilon 1 --no-ledger"), last_result),
                    "promise")
            ->text,
        "2.718"));
}

/* U = 1…10, D = {1, 2, 3}: Lee & Clifton's example through the whole pipeline. */
static void lee_and_clifton(void **state) {
    (void)state;
    table_from("d", "v\n1\n2\n3\n");
    table_from("u", "v\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n");
    release("d", "mean(v)", "--neighbours worlds --universe u --identifiability 0.3333333333333333 --contributions");
    assert_true(value("worlds") == 8);
    near(sensitivity(), (10 - 1) / 3.0, 1e-8);                             /* the largest over all tables of three */
    near(table_value("contributions", "contribution", 4), 5 / 3.0, 1e-12); /* individual 5 against 10 */
    table_from("three", "v\n1\n3\n7\n");
    table_from("ten", "v\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n");
    release("three", "mean(v)", "--neighbours worlds --universe ten --identifiability 0.3333333333333333 --tight");
    double tight = scale();
    assert_true(tight >= 1.185398 && tight < 3 / log(3.5)); /* the paper's D′ = {1, 3} is one of those that it must hold for */
    table_from("three", "v\n2\n9\n10\n");
    release("three", "mean(v)", "--neighbours worlds --universe ten --identifiability 0.3333333333333333 --tight");
    assert_true(scale() == tight);
    bad("three", "mean(v)", "--neighbours worlds --universe ten --identifiability 0.3333333333333333 --tight --known 1", "tight");
    release("d", "mean(v)", "--neighbours worlds --bounds v:1:10 --identifiability 0.3333333333333333 --tight");
    near(sensitivity(), 3, 1e-8);
    assert_true(scale() < 3 / log(9 * 0.5));
    release("d", "mean(v)", "--neighbours worlds --universe u --known 1 --identifiability 0.3333333333333333");
    near(value("worlds"), 4.5, 1e-12); /* two of nine: in with 2/9 beforehand */
    release("d", "median(v)", "--neighbours worlds --universe u --known 1 --identifiability 0.333");
    bad("d", "mean(v)", "--neighbours worlds --universe u --known 1 --identifiability 0.2", "0.222");
    table_from("strange", "v\n1\n2\n77\n");
    bad("strange", "mean(v)", "--neighbours worlds --universe u --identifiability 0.3", "not in the universe");
}

/* An option that changes nothing is refused: worlds and priors are of identifiability alone. */
static void worlds_of_identifiability(void **state) {
    (void)state;
    small();
    table_from("prior", "value,prior\n0,0.5\n1,0.5\n");
    table_from("u", "x\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n");
    static const char *const idle[] = { "--worlds 5", "--prior 0.3", "--priors prior", "--known 1 --universe u" };
    static const char *const beside[] = { "--epsilon 1 --neighbours worlds", "--epsilon 1", "--zcdp 1" };
    for (size_t i = 0; i < sizeof idle / sizeof *idle; i++)
        for (size_t j = 0; j < sizeof beside / sizeof *beside; j++) {
            char rest[128];
            snprintf(rest, sizeof rest, "--bounds x:0:20 %s %s", beside[j], idle[i]);
            bad("small", "mean(x)", rest, i < 3 || !j ? "only with --identifiability" : "only with");
        }
    bad("small", "mean(x)", "--bounds x:0:20 --identifiability 0.5 --worlds 5 --priors prior", "only one of");
    bad("small", "mean(x)", "--bounds x:0:20 --identifiability 0.5 --priors prior", "--neighbours worlds");
    release("small", "mean(x)", "--bounds x:0.5:20 --epsilon 1 --neighbours worlds"); /* for which the number of worlds is not needed */
    near(sensitivity(), 19.5 / 20, 1e-7);
}

/* What is asked beside a schema agrees with it, whichever of the two relations it says; where it says none, the option decides. */
static void unit_and_schema(void **state) {
    (void)state;
    small();
    static const char *const units[] = { "replace-one", "add-remove" };
    for (int said = 0; said < 3; said++)
        for (int asked = 0; asked < 3; asked++) {
            char rest[256];
            snprintf(rest, sizeof rest, "--schema '{%s%s columns: {x: {type: integer, bounds: [0, 20]}}}' --epsilon 1 %s %s",
                     said < 2 ? "unit: " : "",
                     said == 0   ? "replace-one,"
                     : said == 1 ? "add-remove,"
                                 : "",
                     asked < 2 ? "--unit" : "", asked < 2 ? units[asked] : "");
            if (said < 2 && asked < 2 && said != asked) {
                bad("small", "sum(x)", rest, said ? "says add-remove" : "says replace-one");
                continue;
            }
            release("small", "count()", rest); /* noise on the number of records under add-remove alone */
            near(sensitivity(), (said == 1 || (said == 2 && asked == 1)) ? 1 : 0, 0);
        }
}

static void leave_one_out(void **state) {
    (void)state;
    table_from("five", "x,y\n1,2\n2,1\n4,3\n8,8\n16,10\n");
    static const struct {
        const char *query;
        double wanted;
    } list[] = { { "mean(x)", 2.45 },
                 { "sum(x)", 16 },
                 { "count()", 1 },
                 { "median(x)", 2 },
                 { "variance(x)", 27.616666666666667 },
                 { "sd(x)", 3.00348 },
                 { "covariance(x,y)", 13.633333333 },
                 { "quantile(x,1)", 8 },
                 { "winsorized(x, 0.2)", 1.78 },
                 { "trimmed(x, 0.2)", 7.5 - 14 / 3.0 } };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        release("five", list[i].query, "--neighbours leave-one-out --noncentrality 0.1 --show-scales");
        near(sensitivity(), list[i].wanted, 1e-3);
        near(scale(), sensitivity() / sqrt(0.2), 1e-6);
    }
    table_from("flat", "x\n3\n3\n3\n3\n");
    bad("flat", "median(x)", "--neighbours leave-one-out --noncentrality 0.1 --show-scales", "no single record");
    release("flat", "median(x)", "--neighbours leave-one-out --noncentrality 0.1 --bounds x:0:10");
    near(sensitivity(), 5, 1e-7); /* whoever is in the table: half of the bounds' distance, of four records */
    bad("flat", "median(x)", "--neighbours leave-one-out --noncentrality 0.1", "bounds");
    bad("flat", "mean(x) where x > 1", "--neighbours leave-one-out --noncentrality 0.1 --bounds x:0:10", "must be public");
    bad("five", "mean(x)", "--neighbours leave-one-out --identifiability 0.5 --worlds 5", "has no worlds");
    bad("five", "variance(x) where x < 3", "--neighbours leave-one-out --noncentrality 0.1 --show-scales", "3 records");
}

static void groups(void **state) {
    (void)state;
    static char text[20000];
    size_t at = (size_t)snprintf(text, sizeof text, "g,x\n");
    for (int i = 0; i < 900; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "%s,%d\n", i == 0 ? "rare" : i % 3 ? "a" : "b", i % 10);
    table_from("many", text);
    bad("many", "count() by g", "--epsilon 1", "delta");
    release("many", "count() by g", "--epsilon 5 --delta 1e-6");
    const Table *answers = result_find_table(last_result, "answers");
    assert_int_equal(answers->rows, 2); /* the rare key does not appear */
    assert_true(fabs(answer(0) - 600) < 20 && fabs(answer(1) - 299) < 20);
    assert_true(value("threshold") > 2);
    table_from("keys", "g\na\nb\nrare\nnever\n");
    release("many", "mean(x) by g", "--bounds x:0:9 --epsilon 100 --public-keys keys");
    assert_int_equal(result_find_table(last_result, "answers")->rows, 4);
    near(answer(0), 4.5, 0.5);
    release("many", "histogram(x)", "--bounds x:0:9 --epsilon 100");
    assert_int_equal(result_find_table(last_result, "answers")->rows, 10);
    near(answer(3), 90, 5);
    release("many", "histogram(x, 5)", "--bounds x:0:9 --epsilon 100");
    assert_int_equal(result_find_table(last_result, "answers")->rows, 5);
    release("many", "median(x) by g", "--bounds x:0:9 --epsilon 800 --public-keys keys");
    near(answer(1), 4.5, 1.5);
    release("many", "variance(x) by g", "--bounds x:0:9 --epsilon 800 --delta 1e-6");
    assert_int_equal(result_find_table(last_result, "answers")->rows, 2);
    table_from("two", "g\na\nb\n");
    release("many", "histogram(g); mean(x) by g", "--bounds x:0:9 --neighbours leave-one-out --public-keys two --auc 0.6 --show-scales");
    assert_int_equal(result_find_table(last_result, "answers")->rows, 4);
    bad("many", "histogram(g)", "--neighbours leave-one-out --auc 0.6", "public");
    bad("many", "sum(x) by g", "--bounds x:0:9 --neighbours leave-one-out --public-keys two --auc 0.6", "only counts");
    release("many", "histogram(g)", "--neighbours leave-one-out --public-keys two --auc 0.6");
}

/* Keys by the optimal rule: no count is needed, those that many have are shown, that which one has is not. */
static void selected_keys(void **state) {
    (void)state;
    static char text[20000];
    size_t at = (size_t)snprintf(text, sizeof text, "g,x,id\n");
    for (int i = 0; i < 900; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "%s,%d,%d\n", i == 0 ? "rare" : i % 3 ? "a" : "b", i % 10, i / 2);
    table_from("many", text);
    static const struct {
        const char *query, *rest;
        int64_t rows, parts;
    } list[] = { { "sum(x) by g", "--epsilon 5 --delta 1e-6", 2, 2 },
                 { "count() by g", "--zcdp 1 --delta 1e-6", 2, 2 },
                 { "median(x) by g", "--epsilon 5 --delta 1e-6", 2, 2 },
                 { "mean(x) by g", "--gdp 2 --delta 1e-6 --unit add-remove", 2, 3 },
                 { "count() by g", "--epsilon 5 --delta 1e-6 --person id --max-records 2", 2, 2 },
                 { "count() where x > 50 by g", "--epsilon 5 --delta 1e-6", 0, 2 } };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        char rest[256];
        snprintf(rest, sizeof rest, "--bounds x:0:9 --select optimal %s", list[i].rest);
        release("many", list[i].query, rest);
        assert_int_equal(result_find_table(last_result, "answers")->rows, list[i].rows);
        assert_int_equal(result_find_table(last_result, "parts")->rows, list[i].parts);
        assert_null(result_find(last_result, "threshold"));
        assert_non_null(strstr(result_find(last_result, "promise")->text, "Except with probability"));
    }
}

/* Two records a person at most, of five: the rest go. */
static void people(void **state) {
    (void)state;
    table_from("visits", "id,x\n1,1\n1,1\n1,1\n1,1\n1,1\n2,1\n,1\n");
    release("visits", "count()", "--person id --max-records 2 --epsilon 999");
    near(answer(0), 3, 0.5);
    release("visits", "count()", "--person id --epsilon 999"); /* how many persons there are is not public */
    assert_true(scale() > 0);
}

/* 400 people whose k-th visit costs 10·k: the mean of a random visit is 30, of the first one 10. 10 is nine standard errors away. */
static void random_records(void **state) {
    (void)state;
    Buffer text = { 0 };
    buffer_print(&text, "id,cost\n");
    for (int i = 0; i < 2000; i++) buffer_print(&text, "%d,%d\n", i / 5, 10 * (i % 5 + 1));
    table_from("visits", buffer_get(&text));
    buffer_free(&text);
    release("visits", "mean(cost)", "--bounds cost:0:60 --person id --epsilon 50");
    near(answer(0), 30, 4);
    release("visits", "mean(cost)", "--bounds cost:0:60 --person id --max-records 5 --epsilon 50");
    near(answer(0), 30, 0.5);
    bool said = false;
    for (int64_t i = 0; i < last_result->notes; i++) said |= strstr(last_result->note[i], "drawn at random") != NULL;
    assert_true(said);
}

/* Missing values have a bin of their own in a histogram; other queries say that they leave them out. */
static void missing_values(void **state) {
    (void)state;
    table_from("lacking", "x,g,s\n1,a,0\n2,a,1\n,b,0\n2,,1\n,b,1\n");
    release("lacking", "histogram(x)", "--bounds x:1:2 --epsilon 999");
    const Table *answers = result_find_table(last_result, "answers");
    assert_int_equal(answers->rows, 3);
    char cell[33];
    assert_string_equal(table_cell(answers, "group", 2, cell), "x = (missing)");
    near(answer(2), 2, 0.5);
    release("lacking", "histogram(x, 2)", "--bounds x:1:2 --epsilon 999");
    near(answer(2), 2, 0.5);
    static const char *const leave_out[] = { "median(x)",        "quantile(x, 0.3)", "mean(x)",
                                             "regression(s, x)", "logistic(s, x)",   "roc(x, s, 2)" };
    for (size_t i = 0; i < sizeof leave_out / sizeof *leave_out; i++) {
        bool said = false;
        release("lacking", leave_out[i], "--bounds x:1:2,s:0:1 --epsilon 5");
        for (int64_t k = 0; k < last_result->notes; k++) said |= strstr(last_result->note[k], "without a value are left out") != NULL;
        if (!said) fail_msg("%s: no word of missing values", leave_out[i]);
    }
}

static void smooth(void **state) {
    (void)state;
    static char text[20000];
    size_t at = (size_t)snprintf(text, sizeof text, "x\n");
    for (int i = 0; i < 1000; i++) at += (size_t)snprintf(text + at, sizeof text - at, "%.1f\n", 40 + i / 50.0);
    table_from("dense", text);
    release("dense", "median(x); quantile(x, 0.9)", "--bounds x:0:100 --epsilon 2 --delta 1e-6 --smooth");
    near(answer(0), 50, 40);
    near(answer(1), 58, 60);
    assert_true(isnan(scale()) && isnan(table_value("answers", "lower", 0)));
    bad("dense", "mean(x)", "--bounds x:0:100 --epsilon 2 --delta 1e-6 --smooth", "median");
    bad("dense", "median(x)", "--bounds x:0:100 --epsilon 2 --smooth", "delta");
}

static void refusals(void **state) {
    (void)state;
    small();
    assert_int_equal(run_seeded(1, "release query small --query mean(x) --bounds x:0:20 --epsilon 1"), REFUSED);
    assert_non_null(strstr(last_error.advice, "ledger create"));
    bad("small", "mean(x)", "--epsilon 1", "bounds");
    bad("small", "mean(x)", "--bounds x:20:0 --epsilon 1", "order");
    bad("small", "mean(x)", "--bounds x:a:b --epsilon 1", "two numbers");
    bad("small", "maen(x)", "--epsilon 1", "mean");
    bad("small", "mean(xx)", "--epsilon 1", "xx");
    bad("small", "mean(g)", "--epsilon 1", "numbers are needed");
    bad("small", "mean(x", "--epsilon 1", "expected");
    bad("small", "quantile(x, 2)", "--epsilon 1", "0 to 1");
    bad("small", "mean(x) where x", "--epsilon 1", "true or false");
    bad("small", "mean(x) mean(y)", "--epsilon 1", "expected");
    bad("small", ";", "--epsilon 1", "no query");
    bad("small", "mean(x)", "--bounds x:0:20", "one of");
    bad("small", "mean(x)", "--bounds x:0:20 --epsilon 1 --zcdp 1", "only one");
    bad("small", "mean(x) where x > 1", "--bounds x:0:20 --neighbours worlds --identifiability 0.2", "where");
    bad("small", "mean(x)", "--bounds x:0:20 --neighbours worlds --zcdp 1", "identifiability");
    bad("small", "mean(x)", "--bounds x:0:20 --epsilon 1 --tight", "tight");
    table_from("none", "x\n");
    bad("none", "mean(x)", "--bounds x:0:20 --epsilon 1", "no record");
    bad("none", "sd(x)", "--bounds x:0:20 --epsilon 1", "record");
    release("none", "median(x)", "--bounds x:0:20 --epsilon 1"); /* any place */
    release("none", "mean(x) where x > 1", "--bounds x:0:20 --epsilon 1");
    release("none", "sum(x)", "--bounds x:0:20 --epsilon 1");
    table_from("blank", "x,y\n,1\n,2\n");
    release("blank", "mean(x)", "--bounds x:0:20 --epsilon 1");
}

/* Mean |noise| over the width of the bounds: b for Laplace, σ√(2/π) for Gaussian noise; none where the number is not in that unit. */
/* bounds: bins without records are taken for data in 0.025 of all releases (191 bins, one side of the noise). Of 600 that is 15 on average;
 * a right program would fail with other seeds in 1 of 10,000 cases. */
static void bounds_without_data(void **state) {
    (void)state;
    static char text[8192];
    int wider = 0;
    size_t at = (size_t)snprintf(text, sizeof text, "x\n");
    for (int i = 0; i < 500; i++) at += (size_t)snprintf(text + at, sizeof text - at, "%d\n", i % 2 ? 5 : 6);
    table_from("fives", text);
    for (uint64_t i = 0; i < 600; i++) {
        run_ok_seeded(i, "release query fives --query bounds(x) --epsilon 1 --no-ledger --insecure-reproducible");
        double low = table_value("ranges", "low", 0), high = table_value("ranges", "high", 0);
        assert_true(low <= 4 && high >= 8);
        wider += low < 4 || high > 8;
    }
    if (wider < 3 || wider > 32) fail_msg("%d of 600 releases found bounds where no record is", wider);
}

static void noise_ratios(void **state) {
    (void)state;
    static const char *const none[] = { "variance(x)", "moment(x, 2)",        "histogram(x, 4)", "count() where x > 3",
                                        "roc(s, x)",   "mean(x); mean(y)",    "median(x)",       "covariance(x, y)",
                                        "count()",     "mean(x) where s == 1" };
    small();
    release("small", "mean(x)", "--bounds x:0:20 --epsilon 0.5");
    near(value("noise_ratio"), 1 / 20. / 0.5, 1e-6);
    release("small", "sum(x)", "--bounds x:-30:20 --epsilon 0.5"); /* the width, not the larger end */
    near(value("noise_ratio"), 1 / 0.5, 1e-6);
    release("small", "sum(x)", "--bounds x:0:20 --zcdp 0.02");
    near(value("noise_ratio"), 5 * sqrt(2 / M_PI), 1e-6);
    release("small", "sd(x)", "--bounds x:0:20 --epsilon 1");
    near(value("noise_ratio"), scale() / 20, 1e-12);
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        release("small", none[i], "--bounds x:0:20,y:0:400,s:0:1 --epsilon 1");
        assert_null(result_find(last_result, "noise_ratio"));
    }
}

static void reproducible(void **state) {
    (void)state;
    small();
    run_ok_seeded(7, "release query small --query mean(x);median(x) --bounds x:0:20 --epsilon 1 --no-ledger --insecure-reproducible");
    double first = answer(0), second = answer(1);
    run_ok_seeded(7, "release query small --query mean(x);median(x) --bounds x:0:20 --epsilon 1 --no-ledger --insecure-reproducible");
    assert_true(answer(0) == first && answer(1) == second);
    run_ok_seeded(8, "release query small --query mean(x);median(x) --bounds x:0:20 --epsilon 1 --no-ledger --insecure-reproducible");
    assert_true(answer(0) != first);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(true_values),
                                        cmocka_unit_test(intervals_of_counts),
                                        cmocka_unit_test(global_sensitivities),
                                        cmocka_unit_test(noisy_quantiles),
                                        cmocka_unit_test(promises),
                                        cmocka_unit_test(lee_and_clifton),
                                        cmocka_unit_test(worlds_of_identifiability),
                                        cmocka_unit_test(unit_and_schema),
                                        cmocka_unit_test(leave_one_out),
                                        cmocka_unit_test(groups),
                                        cmocka_unit_test(selected_keys),
                                        cmocka_unit_test(people),
                                        cmocka_unit_test(random_records),
                                        cmocka_unit_test(missing_values),
                                        cmocka_unit_test(smooth),
                                        cmocka_unit_test(refusals),
                                        cmocka_unit_test(bounds_without_data),
                                        cmocka_unit_test(noise_ratios),
                                        cmocka_unit_test(reproducible) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
