/* What a release promises, tried by enumeration: the cases of an audit, each kept. */
#include "math/special/normal.h"
#include "base/random.h"
#include "math/privacy/roc.h"
#include "methods.h"

static char command[2048];
static Status release(const char *table, const char *query, const char *rest) {
    snprintf(command, sizeof command, "release query %s --query '%s' %s --no-ledger", table, query, rest);
    return run_seeded(1, command);
}

/* Everything that is seen but the noisy answer itself: exit code, error, values, notes, parts, scales, and how wide the interval is. */
static void add_cell(char *out, size_t size, double value) {
    size_t at = strlen(out);
    snprintf(out + at, size - at, "|%.17g", value);
}
static const char *visible(Status status) {
    static char seen[1 << 16];
    size_t at =
        (size_t)snprintf(seen, sizeof seen, "%d %s %s", (int)status, status ? last_error.message : "", status ? last_error.advice : "");
    if (status) return seen;
    for (int64_t i = 0; i < last_result->values; i++) {
        const Value *v = &last_result->value[i];
        at += (size_t)snprintf(seen + at, sizeof seen - at, "|%s=%.17g %s", v->name, v->real, v->text ? v->text : "");
    }
    for (int64_t i = 0; i < last_result->notes; i++) at += (size_t)snprintf(seen + at, sizeof seen - at, "|%s", last_result->note[i]);
    const Table *answers = result_find_table(last_result, "answers"), *parts = result_find_table(last_result, "parts");
    at += (size_t)snprintf(seen + at, sizeof seen - at, "|%lld", (long long)answers->rows);
    for (int64_t i = 0; i < answers->rows; i++) {
        add_cell(seen, sizeof seen, table_value("answers", "sensitivity", i));
        add_cell(seen, sizeof seen, table_value("answers", "scale", i));
        if (!isnan(table_value("answers", "scale", i)))
            add_cell(seen, sizeof seen, (float)(table_value("answers", "upper", i) - table_value("answers", "lower", i)));
    }
    for (int64_t i = 0; i < parts->rows; i++) {
        add_cell(seen, sizeof seen, table_value("parts", "numbers", i));
        add_cell(seen, sizeof seen, table_value("parts", "scale", i));
        add_cell(seen, sizeof seen, table_value("parts", "grid", i));
    }
    return seen;
}

/* The next set of `count` places below `top`; false after the last. */
static bool next_set(int *in, int count, int top) {
    int j = count - 1;
    while (j >= 0 && in[j] == top - count + j) j--;
    if (j < 0) return false;
    for (in[j]++, j++; j < count; j++) in[j] = in[j - 1] + 1;
    return true;
}

static void table_of_set(const char *name, const char *const *cells, const int *in, int count) {
    char text[512];
    size_t at = (size_t)snprintf(text, sizeof text, "x\n");
    for (int j = 0; j < count; j++) at += (size_t)snprintf(text + at, sizeof text - at, "%s\n", cells[in ? in[j] : j]);
    table_from(name, text);
}

/* 1: all tables of three of a small universe, and of whole bounds. */
static void the_scale_names_nobody(void **state) {
    (void)state;
    static const char *const whole[] = { "1", "2", "3", "5", "8", "10" }, *const mixed[] = { "1", "2.5", "3", "3", "7.25", "10" };
    static const char *const queries[] = { "mean(x)",           "sum(x)",          "sd(x)",         "variance(x)", "median(x)",
                                           "quantile(x, 0.25)", "trimmed(x, 0.1)", "mean(x); sd(x)" };
    static const char *const rests[] = { "--universe u --identifiability 0.4", "--universe u --identifiability 0.4 --tight",
                                         "--universe u --known 1 --identifiability 0.5", "--bounds x:1:10 --identifiability 0.4" };
    for (int u = 0; u < 2; u++)
        for (size_t q = 0; q < sizeof queries / sizeof *queries; q++)
            for (size_t r = 0; r < (u ? 3 : 4); r++) {
                static char first[1 << 16];
                int in[3] = { 0, 1, 2 };
                char rest[256];
                snprintf(rest, sizeof rest, "--neighbours worlds %s", rests[r]);
                table_of_set("u", u ? mixed : whole, NULL, 6);
                first[0] = 0;
                do {
                    table_of_set("d", u ? mixed : whole, in, 3);
                    const char *seen = visible(release("d", queries[q], rest));
                    if (!first[0]) strcpy(first, seen);
                    if (strcmp(first, seen))
                        fail_msg("%s %s: {%d %d %d} shows\n%s\nand another table\n%s", queries[q], rest, in[0], in[1], in[2], seen, first);
                } while (next_set(in, 3, 6));
            }
}

/* 1, too: leave-one-out. Whatever the records between the bounds are, equal ones, one apart, all at the ends or missing where the schema
 * lets them be, nothing but the noisy answer differs; and the answer stands on one grid. */
static void leave_one_out_names_nobody(void **state) {
    (void)state;
    static const char *const cells[] = { "0", "3", "3.5", "10", "n.a." };
    static const char *const queries[] = { "mean(x)",
                                           "sum(x)",
                                           "sd(x)",
                                           "variance(x)",
                                           "median(x)",
                                           "moment(x, 2)",
                                           "quantile(x, 0.25)",
                                           "trimmed(x, 0.2)",
                                           "winsorized(x, 0.3)",
                                           "covariance(x, x)",
                                           "count()",
                                           "mean(x); sd(x)",
                                           "sum(x) where x > 3",
                                           "histogram(x, 4)" };
    static const char *const schemas[] = { "{columns: {x: {type: real, bounds: [0, 10]}}}",
                                           "{columns: {x: {type: real, bounds: [0, 10], missing: possible}}}" };
    static const char *const promises[] = { "--epsilon 1", "--auc 0.6", "--noncentrality 0.1", "--zcdp 0.2" };
    for (size_t s = 0; s < 2; s++)
        for (size_t q = 0; q < sizeof queries / sizeof *queries; q++)
            for (size_t p = 0; p < 4; p++) {
                static char first[1 << 16];
                int in[4] = { 0 };
                first[0] = 0;
                do { /* all tables of four of five cells, in order of size: others show what these do */
                    const char *row[4] = { cells[in[0]], cells[in[1]], cells[in[2]], cells[in[3]] };
                    char rest[512];
                    table_of_set("d", row, NULL, 4);
                    snprintf(rest, sizeof rest, "--neighbours leave-one-out --schema '%s' %s", schemas[s], promises[p]);
                    Status status = release("d", queries[q], rest);
                    const char *seen = visible(status);
                    if (!first[0]) strcpy(first, seen);
                    if (strcmp(first, seen))
                        fail_msg("%s %s: {%s %s %s %s} shows\n%s\nand another table\n%s", queries[q], rest, row[0], row[1], row[2], row[3],
                                 seen, first);
                    if (!status) { /* refusals are by the schema and the query alone */
                        double step = table_value("parts", "grid", 0), answer = table_value("answers", "answer", 0);
                        assert_true(step > 0 && fabs(answer / step - rint(answer / step)) < 1e-9);
                    }
                    int j = 3;
                    while (j >= 0 && in[j] == 4) j--;
                    if (j < 0) break;
                    for (int value = in[j] + 1; j < 4; j++) in[j] = value;
                } while (true);
            }
}

/* 2: the probability that an individual is in the table, summed over the worlds that hold it, at the printed scale. */
static double inclusion(const double *everyone, int known, const int *others, double response, double scale, int individual) {
    double with = 0, all = 0;
    for (int i = 0; i < 9; i++)
        for (int j = i + 1; j < 9; j++) {
            double mean = (everyone[known] + everyone[others[i]] + everyone[others[j]]) / 3, density = exp(-fabs(response - mean) / scale);
            all += density;
            if (others[i] == individual || others[j] == individual) with += density;
        }
    return with / all;
}
static void people_not_worlds(void **state) {
    (void)state;
    static const char *const cells[] = { "1", "2", "3", "4", "5", "6", "7", "8", "9", "10" };
    double everyone[10];
    for (int i = 0; i < 10; i++) everyone[i] = i + 1;
    table_of_set("u", cells, NULL, 10);
    table_from("d", "x\n1\n3\n7\n");
    assert_int_equal(release("d", "mean(x)", "--universe u --known 1 --neighbours worlds --identifiability 0.1"), BAD);
    assert_int_equal(release("d", "mean(x)", "--universe u --known 1 --neighbours worlds --identifiability 0.2222"), BAD);
    for (double risk = 0.23; risk < 0.9; risk += 0.11) {
        char rest[128];
        snprintf(rest, sizeof rest, "--universe u --known 1 --neighbours worlds --identifiability %.17g", risk);
        assert_int_equal(release("d", "mean(x)", rest), OK);
        double scale = value("scale"), worst = 0;
        for (int known = 0; known < 10; known++) {
            int others[9], count = 0;
            for (int i = 0; i < 10; i++)
                if (i != known) others[count++] = i;
            for (double response = -3; response <= 14; response += 1 / 6.0)
                for (int i = 0; i < 9; i++) worst = fmax(worst, inclusion(everyone, known, others, response, scale, others[i]));
        }
        assert_true(worst <= risk * (1 + 1e-9));
    }
}

/* 3: seven means, and an attacker who ranks pairs by |⟨d, change⟩|. */
static void the_direction_is_known(void **state) {
    (void)state;
    enum { PAIRS_DRAWN = 40000 };
    table_from("seven", "a,b,c,d,e,f,g\n1,1,1,1,1,1,1\n0,0,0,0,0,0,0\n");
    assert_int_equal(release("seven", "mean(a); mean(b); mean(c); mean(d); mean(e); mean(f); mean(g)",
                             "--bounds a:0:1,b:0:1,c:0:1,d:0:1,e:0:1,f:0:1,g:0:1 --auc 0.55"),
                     OK);
    near(value("auc_direction"), 0.55, 1e-8);
    near(value("noncentrality"), roc_noncentrality(0.55), 1e-8);
    near(value("auc_informed"), normal_lower(sqrt(value("noncentrality"))), 1e-12);
    assert_true(value("auc") < 0.55);
    assert_non_null(strstr(result_find(last_result, "promise")->text, "direction"));
    double shift = table_value("parts", "sensitivity", 0) / table_value("parts", "scale", 0);
    static double same[PAIRS_DRAWN], other[PAIRS_DRAWN];
    Seed seed = seed_from_number(5);
    RandomStream stream = stream_make(&seed, "test", 0, "", "");
    RandomReader reader = reader_make(&stream);
    for (int i = 0; i < PAIRS_DRAWN; i++) {
        double sum = 0, moved = 0;
        for (int k = 0; k < 7; k++) sum += reader_normal(&reader) - reader_normal(&reader);
        for (int k = 0; k < 7; k++) moved += reader_normal(&reader) - reader_normal(&reader) + shift;
        same[i] = fabs(sum);
        other[i] = fabs(moved);
    }
    double wins = 0;
    for (int i = 0; i < PAIRS_DRAWN; i++)
        for (int k = 0; k < 25; k++) wins += other[i] > same[(i + 977 * k) % PAIRS_DRAWN];
    near(wins / 25 / PAIRS_DRAWN, 0.55, 0.008); /* four standard errors and more: a false alarm in 10⁴ */
}

/* 4: δ is that of the whole release: however many queries show private keys, and at however many thresholds. */
static void delta_once(void **state) {
    (void)state;
    char query[2048] = "";
    table_from("g", "x,g\n1,a\n2,a\n3,b\n");
    for (int count = 1; count <= 20; count += 19) {
        query[0] = 0;
        for (int i = 0; i < count; i++)
            snprintf(query + strlen(query), sizeof query - strlen(query), "%scount() where x < %d by g", i ? "; " : "", i + 31);
        assert_int_equal(release("g", query, "--epsilon 1 --delta 0.05"), OK);
        double tail = normal_upper((value("threshold") - 1) / table_value("parts", "scale", 0));
        assert_true(tail * count <= 0.025); /* the other half is the noise's */
    }
    char none[8192];
    table_from("none", "x,g\n1,a\n"); /* no key that counts, or one: nothing may differ */
    strcpy(none, visible(release("none", "count() where x > 5 by g; mean(x) by g", "--bounds x:0:9 --epsilon 1 --delta 1e-9")));
    table_from("none", "x,g\n9,b\n");
    assert_string_equal(visible(release("none", "count() where x > 5 by g; mean(x) by g", "--bounds x:0:9 --epsilon 1 --delta 1e-9")),
                        none);
    assert_int_equal(release("none", "count() where x > 5 by g", "--epsilon 1"), BAD); /* refused whether or not a key occurs */
}

/* 5: bounds × records × group: what is printed is right, or nothing is. */
static void nothing_wraps(void **state) {
    (void)state;
    static const double highs[] = { 1, 3, 1000, 1e9, 1e13, 1e15, 0.5 }, records[] = { 1, 2, 652805, 1000000 },
                        groups[] = { 1, 26317, 100000 };
    static const char *const queries[] = { "sum(x)",  "sum(x) where x > 0", "moment(x, 3) where x > 0",
                                           "mean(x)", "sum(x) by g",        "trimmed(x, 0.1) where x > 0" };
    table_from("r", "id,x,g\n1,0,a\n2,1,b\n3,1,a\n");
    table_from("keys", "g\na\nb\n");
    for (size_t b = 0; b < 7; b++)
        for (size_t m = 0; m < 4; m++)
            for (size_t k = 0; k < 3; k++)
                for (size_t q = 0; q < 6; q++) {
                    char rest[256];
                    snprintf(rest, sizeof rest,
                             "--bounds x:0:%.17g --person id --max-records %.0f --group %.0f --epsilon 1 --public-keys keys", highs[b],
                             records[m], groups[k]);
                    Status status = release("r", queries[q], rest);
                    if (status) {
                        assert_int_equal(status, BAD);
                        continue;
                    }
                    double most = records[m] * groups[k], wanted = q < 2    ? highs[b] * most
                                                                   : q == 4 ? 2 * highs[b] * most
                                                                   : q == 2 ? pow(highs[b], 3) / 2 * most
                                                                   : q == 3 ? highs[b] / 2 * most
                                                                            : highs[b];
                    double seen = table_value("parts", "sensitivity", 0);
                    assert_true(seen >= wanted * (1 - 1e-9));
                    assert_true(q == 2 || q == 3 || seen <= wanted * (1 + 1e-5));
                }
    assert_int_equal(release("r", "sum(x)", "--bounds x:0:1 --person id --max-records 652805 --group 26317 --epsilon 1"), OK);
    near(value("sensitivity"), 17179869185.0, 0);
}

/* 6: whatever one cell says, and whatever type the file then seems to have. */
static void one_cell_shows_nowhere(void **state) {
    (void)state;
    static const char *const cells[] = { "30", "30.5", "n.a.", "", "999", "-1e300", "0030" }, *const words[] = { "a", "b", "", "z", "1" };
    static const char *const schemas[] = {
        "{columns: {age: {type: integer, bounds: [0, 100], missing: possible}, g: {categories: [a, b], missing: possible}}}",
        "{columns: {age: {type: integer, bounds: [0, 100]}, g: {categories: [a, b, other]}}}",
        "{unit: add-remove, columns: {age: {type: real, bounds: [0, 100]}, g: {categories: [a, b]}}}"
    };
    static const char *const queries[] = { "mean(age); histogram(age, 5); count() by g",
                                           "count()",
                                           "sd(age)",
                                           "mean(age) where age > 20 by g",
                                           "histogram(g)",
                                           "sum(age); covariance(age, age)" };
    for (size_t s = 0; s < 3; s++)
        for (size_t q = 0; q < 6; q++) {
            static char first[1 << 16];
            first[0] = 0;
            for (size_t i = 0; i < 7; i++)
                for (size_t j = 0; j < 5; j++) {
                    char text[512], rest[512];
                    snprintf(text, sizeof text, "age,g\n%s,%s\n31,a\n35,b\n40,a\n44,b\n", cells[i], words[j]);
                    table_from("t", text);
                    snprintf(rest, sizeof rest, "--epsilon 1 --schema '%s'", schemas[s]);
                    const char *seen = visible(release("t", queries[q], rest));
                    if (!first[0]) strcpy(first, seen);
                    assert_int_equal(seen[0], '0');
                    if (strcmp(first, seen))
                        fail_msg("%s: cells '%s' and '%s' show\n%s\nand others\n%s", queries[q], cells[i], words[j], seen, first);
                }
        }
    assert_int_equal(release("t", "mean(age)", "--epsilon 1 --bounds age:0:100"), OK);
    assert_non_null(strstr(last_result->note[last_result->notes - 2], "No schema"));
}

/* 8 and 10: each sentence says what it is. */
static void sentences(void **state) {
    (void)state;
    static const struct {
        const char *query, *rest, *with, *without;
    } list[] = { { "mean(x)", "--bounds x:0:9 --epsilon 1", "No conclusion", "Except with" },
                 { "mean(x)", "--neighbours leave-one-out --bounds x:0:9 --epsilon 1", "If any one record were removed", "No conclusion" },
                 { "mean(x)", "--neighbours leave-one-out --epsilon 1 --show-scales", "For the data custodian only", "No conclusion" },
                 { "mean(x)", "--neighbours leave-one-out --bounds x:0:9 --noncentrality 0.1", "every table with this number of records",
                   "No conclusion" },
                 { "count() by g", "--zcdp 0.5 --delta 1e-5", "Except with probability 0.00001", "No conclusion" },
                 { "count() by g", "--gdp 0.5 --delta 1e-5", "Except with probability 0.00001", "No conclusion" },
                 { "count() by g", "--epsilon 0.5 --delta 1e-5", "Except with probability 0.00001", "No conclusion" },
                 { "count() by g", "--noncentrality 0.5 --delta 1e-5", "With probability at least 1 − 0.00001", "No conclusion" },
                 { "count() by g", "--identifiability 0.5 --worlds 10 --delta 1e-5", "Except with probability 0.00001", "No conclusion" },
                 { "mean(x)", "--bounds x:0:9 --zcdp 0.5", "The information", "Except with" } };
    table_from("d", "x,g\n1,a\n2,a\n5,b\n9,b\n");
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        assert_int_equal(release("d", list[i].query, list[i].rest), OK);
        const char *text = result_find(last_result, "promise")->text;
        if (!strstr(text, list[i].with) || strstr(text, list[i].without)) fail_msg("%s %s: %s", list[i].query, list[i].rest, text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(the_scale_names_nobody),
                                        cmocka_unit_test(leave_one_out_names_nobody),
                                        cmocka_unit_test(people_not_worlds),
                                        cmocka_unit_test(the_direction_is_known),
                                        cmocka_unit_test(delta_once),
                                        cmocka_unit_test(nothing_wraps),
                                        cmocka_unit_test(one_cell_shows_nowhere),
                                        cmocka_unit_test(sentences) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
