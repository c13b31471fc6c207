/* Policies: every one that comes with the program, rules as written, and how they are judged. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "testing.h"
#include "recipe/policy.h"

static Error error;
static Work work;

static int setup(void **state) {
    (void)state;
    error = ERROR_NONE;
    work = (Work){ .arena = arena_new(), .error = &error, .threads = 1 };
    return 0;
}
static int teardown(void **state) {
    (void)state;
    arena_free(work.arena);
    return 0;
}

static Status read_text(const char *text, Policy *out) {
    const YamlNode *node;
    Status status = yaml_parse(&work, "p.yaml", text, strlen(text), &node);
    return status ? status : policy_make(&work, node, out);
}

/* The files and what is built in are the same policies. */
static void test_shipped(void **state) {
    (void)state;
    DIR *folder = opendir("share/policies");
    int count = 0;
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        char path[512], name[256];
        const char *dot = strrchr(entry->d_name, '.');
        if (!dot || strcmp(dot, ".yaml")) continue;
        Policy by_name, by_path;
        snprintf(path, sizeof path, "share/policies/%s", entry->d_name);
        snprintf(name, sizeof name, "%.*s", (int)(dot - entry->d_name), entry->d_name);
        if (policy_read(&work, name, &by_name)) fail_msg("%s: %s", name, error.message);
        if (policy_read(&work, path, &by_path)) fail_msg("%s: %s", path, error.message);
        assert_non_null(by_name.title);
        assert_true(by_name.rules > 0);
        assert_int_equal(by_name.rules, by_path.rules);
        for (int64_t i = 0; i < by_name.rules; i++) assert_string_equal(by_name.rule[i].text, by_path.rule[i].text);
        count++;
    }
    closedir(folder);
    assert_true(count >= 4);
}

static void test_rules(void **state) {
    (void)state;
    static const char *const text = "- risk.k-anonymity.k>=3\n- \"risk.k-anonymity.k <= 3\"\n- risk.k-anonymity.k > -3.5\n- "
                                    "risk.k-anonymity.k < 1e3\n- risk.k-anonymity.k == 3\n- risk.k-anonymity.k != 3\n";
    Policy policy;
    Result *result = result_new("risk.k-anonymity");
    assert_int_equal(read_text(text, &policy), OK);
    assert_int_equal(policy.rules, 6);
    result_integer(result, "k", 3);
    assert_int_equal(policy_judge(&work, &policy, policy.rule[0].method, result, NULL), OK);
    const bool met[6] = { true, true, true, true, true, false };
    for (int i = 0; i < 6; i++) assert_int_equal(policy.rule[i].met, met[i]);
    assert_int_equal(policy_broken(&policy), 1);
    assert_string_equal(policy.rule[0].seen, "3");
    assert_true(policy.rule[2].number == -3.5);
    assert_true(policy.rule[3].number == 1000);
    result_free(result);
}

/* Null, absent, not a number, never run: all broken, with the reason. */
static void test_not_computed(void **state) {
    (void)state;
    Policy policy;
    Result *result = result_new("risk.k-anonymity");
    assert_int_equal(read_text("- risk.k-anonymity.k >= 0\n- risk.k-anonymity.uniques >= 0\n", &policy), OK);
    assert_int_equal(policy_broken(&policy), 2); /* before anything was judged */
    result_null(result, "k", "There are no records.");
    assert_int_equal(policy_judge(&work, &policy, policy.rule[0].method, result, NULL), OK);
    assert_int_equal(policy_broken(&policy), 2);
    assert_string_equal(policy.rule[0].why, "There are no records.");
    assert_null(policy.rule[0].seen);
    assert_int_equal(policy_judge(&work, &policy, policy.rule[0].method, NULL, "needs keys"), OK);
    assert_string_equal(policy.rule[1].why, "needs keys");
    result_free(result);
}

/* Rounding for people must not hide why a rule is broken. */
static void test_close_call(void **state) {
    (void)state;
    Policy policy;
    Result *result = result_new("risk.individual");
    assert_int_equal(read_text("- risk.individual.max_risk <= 0.1\n", &policy), OK);
    result_real(result, "max_risk", 0.10000000001);
    assert_int_equal(policy_judge(&work, &policy, policy.rule[0].method, result, NULL), OK);
    assert_false(policy.rule[0].met);
    assert_string_equal(policy.rule[0].seen, "0.10000000001");
    result_free(result);
}

static void refused(const char *text, const char *message, int64_t line) {
    Policy policy;
    error = ERROR_NONE;
    assert_int_equal(read_text(text, &policy), BAD);
    if (!strstr(error.message, message)) fail_msg("%s", error.message);
    assert_int_equal(error.line, line);
    assert_string_equal(error.file, "p.yaml");
}

static void test_refused(void **state) {
    (void)state;
    refused("- risk.k-anonymity.k\n", "is not a rule", 1);
    refused("- k >= 3\n", "is not a rule", 1);
    refused("- risk.k-anonymity.k >= x\n", "is not a rule", 1);
    refused("rules:\n  - risk.k-anonymity.k >= 3\n  - risk.nothing.k >= 3\n", "no method 'nothing'", 3);
    refused("rules:\n  - risk.k-anonymity.kk >= 3\n", "no value 'kk'", 2);
    refused("rules: []\nparms: {}\n", "has no 'parms'", 2);
    refused("title: x\n", "no rules", 1);
    refused("rules: []\nparams:\n  risk.k-anonymity:\n    kees: a\n", "has no 'kees'", 4);
    refused("rules:\n  risk.k-anonymity.k: 3\n", "must be a list", 2);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_shipped), cmocka_unit_test(test_rules), cmocka_unit_test(test_not_computed),
                                        cmocka_unit_test(test_close_call), cmocka_unit_test(test_refused) };
    return cmocka_run_group_tests(tests, setup, teardown);
}
