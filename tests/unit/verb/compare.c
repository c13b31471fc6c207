/* scrim report compare: which of two manifests is better, by measure and in words; and what is no manifest. */
#define FIND_METHOD verb_find
#include "verb/verbs.h"
#include "methods.h"

#define MANIFEST(found, k, certain, loss, input)                                                                                           \
    "'{version: 0.1.0, input: {file: " input "}, output: {file: r.csv}, steps: [{method: protect.suppress, params: {k: " k "}}], "         \
    "rules: [{rule: a, met: true}, {rule: b, met: false}], risk: {before: {}, after: {risk.reidentification: {share: " found               \
    "}, risk.k-anonymity: {k: " k "}, attack.homogeneity: {certain: " certain "}}}, utility: {utility.loss: {loss: " loss "}}}'"

static const char *said(void) { return result_find(last_result, "comparison")->text; }

static void test_words(void **state) {
    (void)state;
    run_ok("report compare " MANIFEST("0.2", "3", "4", "0.1", "aa") " " MANIFEST("0.1", "5", "0", "0.3", "aa"));
    assert_non_null(strstr(said(), "B has lower risk, A lower information loss. Neither dominates the other."));
    assert_non_null(strstr(said(), "re-identifies 20% of the people in A and 10% in B"));
    near(value("better_in_a"), 0, 0);
    near(value("better_in_b"), 3, 0); /* found, k and certain; loss is no risk */
    near(table_value("releases", "rules_broken", 0), 1, 0);
    assert_int_equal(last_result->notes, 0);
    run_ok("report compare " MANIFEST("0.2", "3", "4", "0.3", "aa") " " MANIFEST("0.1", "5", "4", "0.1", "bb"));
    assert_non_null(strstr(said(), "B has both lower risk and lower information loss."));
    near(value("same"), 1, 0);
    assert_non_null(strstr(last_result->note[0], "different files"));
    run_ok("report compare " MANIFEST("0.2", "3", "4", "0.3", "aa") " " MANIFEST("0.2", "3", "4", "0.3", "aa"));
    assert_non_null(strstr(said(), "Neither dominates"));
    near(value("same"), 3, 0);
}

/* Releases that were measured with other keys have no common risk. */
static void test_roles(void **state) {
    (void)state;
    static const char one[] = "'{version: 0.1.0, roles: {keys: [age, sex]}, risk: {after: {}}}'";
    char command[400];
    snprintf(command, sizeof command, "report compare %s '{version: 0.1.0, roles: {keys: [sex, age]}, risk: {after: {}}}'", one);
    run_ok(command);
    snprintf(command, sizeof command, "report compare %s '{version: 0.1.0, roles: {keys: [sex]}, risk: {after: {}}}'", one);
    run_bad(command, "different roles (keys): A with age, sex, B with sex");
    snprintf(command, sizeof command,
             "report compare %s '{version: 0.1.0, roles: {keys: [age, sex], numeric: [income]}, risk: {after: {}}}'", one);
    run_bad(command, "different roles (numeric): A with none, B with income");
}

static void test_bad(void **state) {
    (void)state;
    run_bad("report compare '{version: 1}' '{version: 1}'", "has no measures");
    run_bad("report compare '[1, 2]' '{version: 1}'", "manifest");
    run_bad("report compare nowhere.csv nowhere.csv", "nowhere.csv.manifest.json");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_words), cmocka_unit_test(test_roles), cmocka_unit_test(test_bad) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
