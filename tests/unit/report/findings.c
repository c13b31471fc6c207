/* What audit says of an intruder: how many people are found and what of them, by kind; the riskiest records; what is better than before. */
#define FIND_METHOD verb_find
#include "verb/verbs.h"
#include "methods.h"
#include "report/findings.h"

static const char *cell_of(const char *table, const char *column, int64_t row) {
    static char out[4][33];
    static int next;
    const Table *t = result_find_table(last_result, table);
    const Column *c = t ? table_column(t, column) : NULL;
    assert_non_null(c);
    assert_true(row < t->rows);
    return column_cell(c, row, out[next++ % 4]);
}

static int64_t row_of(const char *table, const char *column, const char *part) {
    const Table *t = result_find_table(last_result, table);
    for (int64_t i = 0; i < t->rows; i++)
        if (strstr(cell_of(table, column, i), part)) return i;
    fail_msg("%s has no '%s'", table, part);
    return -1;
}

/* a and b are alone; c and d share keys and illness; e and f share keys, not the illness. */
static const char people[] = "sex,town,ill\nf,north,flu\nm,north,flu\nf,south,gout\nf,south,gout\nm,south,flu\nm,south,gout\n";
#define ROLES " --roles '{keys: [sex, town], sensitive: [ill]}'"

static void test_sentence(void **state) {
    (void)state;
    table_from("people", people);
    run_ok("verb audit people" ROLES);
    const char *verdict = result_find(last_result, "verdict")->text;
    assert_string_equal(verdict,
                        "2 of 6 people (33%) are unique on sex and town: an intruder who knows they are in the file re-identifies "
                        "them with certainty. The ill of 4 people can be inferred with certainty from sex and town alone. No policy "
                        "was given, so nothing is judged.");
    near(table_value("exposure", "after", row_of("exposure", "what", "unique on sex and town")), 2, 0);
    near(table_value("exposure", "after", row_of("exposure", "what", "whose ill can be inferred with certainty from sex and town")), 4, 0);
    assert_string_equal(cell_of("exposure", "kind", row_of("exposure", "label", "attribute inferred")), "attribute");
    assert_true(isnan(table_value("exposure", "before", 0)));
    run_ok("verb audit people" ROLES " --policy '{rules: [risk.k-anonymity.k >= 2, attack.homogeneity.certain == 0]}'");
    assert_non_null(strstr(result_find(last_result, "verdict")->text, "Not ready: 2 of 6 people (33%) are unique on sex and town: "));
    assert_non_null(strstr(result_find(last_result, "verdict")->text, "both rules of the policy are violated."));
    assert_string_equal(result_find(last_result, "state")->text, "not ready");
    assert_int_equal(last_result->charts, 2);
    assert_non_null(strstr(last_result->chart[0]->finding, "2 people are unique"));
    assert_non_null(strstr(last_result->chart[0]->limit_text, "2 or more"));
    assert_int_equal(last_result->chart[0]->limit, 1);
}

/* Each kind once: measured, how bad, and what could not be measured. */
static void test_kinds(void **state) {
    (void)state;
    static const char *const kinds[] = { "identity", "attribute", "inferential", "population" };
    table_from("people", people);
    run_ok("verb audit people" ROLES);
    const Table *table = result_find_table(last_result, "kinds");
    assert_int_equal(table->rows, 4);
    for (int64_t i = 0; i < 4; i++) assert_string_equal(cell_of("kinds", "kind", i), kinds[i]);
    assert_string_equal(cell_of("kinds", "how_bad", 0), "2 people unique on sex and town");
    assert_string_equal(cell_of("kinds", "how_bad", 1), "4 people whose ill can be inferred with certainty from sex and town");
    assert_true(table_value("kinds", "measured", 0) >= 2);
    assert_non_null(strstr(cell_of("kinds", "not_measured", 0), "attack.linkage")); /* it needs an original */
    assert_null(strstr(cell_of("kinds", "not_measured", 0), "risk.k-anonymity"));
    run_ok("verb audit people --roles '{keys: [sex, town]}'"); /* nothing is sensitive: nobody looked */
    assert_int_equal((int)table_value("kinds", "measured", 1), 0);
    assert_null(cell_of("kinds", "how_bad", 1));
    table_from("alike", "sex,town,ill\nf,north,flu\nf,north,gout\nf,north,pox\nf,north,mumps\nf,north,cold\n");
    run_ok("verb audit alike" ROLES);
    assert_string_equal(cell_of("kinds", "how_bad", 1), "nobody, by what was measured");
}

/* What is few is what the policy says. */
static void test_few(void **state) {
    (void)state;
    table_from("pairs", "sex,town,ill\nf,north,flu\nf,north,gout\nm,south,gout\nm,south,flu\nm,south,pox\n");
    run_ok("verb audit pairs --roles '{keys: [sex, town]}' --policy '{rules: [risk.k-anonymity.k >= 3]}'");
    assert_string_equal(cell_of("kinds", "how_bad", 0),
                        "2 people in equivalence classes (people with the same sex and town) of fewer than three");
    run_ok("verb audit pairs --roles '{keys: [sex, town]}'");
    assert_string_equal(cell_of("kinds", "how_bad", 0),
                        "5 people in equivalence classes (people with the same sex and town) of fewer than five");
}

/* A release without its original: what true keys leave cannot be seen, with a policy or without. */
static void test_release_alone(void **state) {
    (void)state;
    table_from("people", "sex,town,ill\nf,north,flu\nf,north,gout\nm,south,gout\nm,south,flu\n");
    for (int s = 0; shelf[s]; s++)
        if (!strcmp(shelf[s]->name, "people")) shelf[s]->released = true;
    static const char *const commands[] = { "verb audit people" ROLES,
                                            "verb audit people" ROLES " --policy '{rules: [risk.k-anonymity.k >= 2]}'" };
    for (int i = 0; i < 2; i++) {
        run_ok(commands[i]);
        const char *verdict = result_find(last_result, "verdict")->text,
                   *first = strstr(verdict, "cannot be measured without the original file.");
        assert_non_null(strstr(verdict, "Every record shares sex and town with at least 1 other."));
        assert_non_null(first);
        assert_null(strstr(first + 1, "cannot be measured")); /* once */
    }
}

/* What may not be said: the worst column's count for all of them; keys' comfort where names are left. */
static void test_no_more_than_true(void **state) {
    (void)state;
    table_from("two", "name,sex,ill,pay\na,f,flu,1\nb,f,flu,2\nc,m,gout,3\nd,m,flu,3\ne,x,flu,1\ng,x,gout,2\n"); /* f: ill, m: pay */
    run_ok("verb audit two --roles '{identifiers: [name], keys: [sex], sensitive: [ill, pay]}'");
    const char *verdict = result_find(last_result, "verdict")->text;
    assert_non_null(strstr(verdict, "The ill or pay of 2 people or more can be inferred with certainty from these columns alone."));
    assert_non_null(strstr(verdict, "The table still has direct identifiers: name."));
    assert_non_null(
        strstr(cell_of("exposure", "what", row_of("exposure", "label", "attribute inferred")), "by the most disclosive column"));
    run_ok("verb audit two --roles '{identifiers: [name], keys: [sex], sensitive: [pay]}' --policy '{rules: [risk.k-anonymity.k >= 2]}'");
    verdict = result_find(last_result, "verdict")->text;
    assert_non_null(strstr(verdict, "The rules are satisfied, but "));
    assert_non_null(strstr(verdict, "direct identifiers: name"));
    table_from("one", "sex,town,ill\nf,north,flu\n");
    run_ok("verb audit one" ROLES);
    assert_non_null(strstr(result_find(last_result, "verdict")->text, "1 of 1 people (100%) are unique"));
}

/* People with several records: the verdict says that the intruder knows one record of each, and a measure without persons says so. */
static void test_histories(void **state) {
    (void)state;
    static const char limit[] = "This is for an intruder who knows one record of each person.";
    char rows[3000] = "pid,sex,age\n", own[3000] = "pid,sex,age\n";
    for (int i = 0; i < 60; i++) {
        sprintf(rows + strlen(rows), "p%d,%c,%d\n", i / 3, "fm"[i / 3 % 2], 30 + i % 3);
        sprintf(own + strlen(own), "p%d,%c,%d\n", i, "fm"[i / 3 % 2], 30 + i % 3);
    }
    for (int several = 0; several < 2; several++) {
        table_from("was", several ? rows : own);
        run_ok("verb audit was --original was --roles '{keys: [sex, age], person: pid}'");
        const Result *best = result_within(last_result, "risk.reidentification");
        assert_non_null(best);
        assert_int_equal(result_within(last_result, "risk.suda") == NULL, several); /* it counts records */
        if (several) assert_non_null(strstr(cell_of("skipped", "why", row_of("skipped", "method", "risk.suda")), "one record per person"));
        assert_int_equal(strstr(result_find(last_result, "verdict")->text, limit) != NULL, several);
        assert_int_equal(best->notes && strstr(best->note[0], "the intruder knows 1 record,") != NULL, several);
    }
}

/* The three states. Ready; the rules are satisfied, but numbers as they were re-identify everyone; the same, refused; a rule violated. */
static void test_states(void **state) {
    (void)state;
    static const struct {
        const char *policy, *state, *first;
    } cases[] = {
        { "{rules: [risk.k-anonymity.k >= 2]}", "residual risk",
          "The rules are satisfied, but 60 of 60 people (100%) are re-identified in a simulated attack by an intruder who knows sex and "
          "pay. " },
        { "{rules: [risk.k-anonymity.k >= 2], residual: refuse}", "not ready",
          "Not ready: the rules are satisfied, but 60 of 60 people (100%) are re-identified in a simulated attack by an intruder who knows "
          "sex and pay. The policy refuses "
          "residual "
          "risks. " },
        { "{rules: [risk.k-anonymity.k >= 31]}", "not ready",
          "Not ready: 60 of 60 people (100%) are re-identified in a simulated attack by an intruder who knows sex and pay, and the one "
          "rule of the policy is violated. " },
        { "{rules: [risk.k-anonymity.k >= 2, risk.reidentification.share <= 0.1]}", "not ready",
          "Not ready: 60 of 60 people (100%) are re-identified in a simulated attack by an intruder who knows sex and pay, and 1 of the 2 "
          "rules of the policy is violated. " },
        { "{rules: [risk.k-anonymity.k >= 2], residual-limit: 1}", "residual risk",
          "The rules are satisfied, but 2 residual risks remain, and" },
    };
    char rows[3000] = "sex,pay\n", other[3000] = "sex,pay\n";
    for (int i = 0; i < 60; i++) {
        sprintf(rows + strlen(rows), "%c,%d\n", "fm"[i % 2], 1000 + i * 37 % 601);
        sprintf(other + strlen(other), "%c,%d\n", "fm"[i % 2], 5 + i % 2);
    }
    table_from("was", rows);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char command[400];
        snprintf(command, sizeof command, "verb audit was --original was --roles '{keys: [sex], numeric: [pay]}' --policy '%s'",
                 cases[i].policy);
        run_ok(command);
        assert_string_equal(result_find(last_result, "state")->text, cases[i].state);
        const char *verdict = result_find(last_result, "verdict")->text;
        if (strncmp(verdict, cases[i].first, strlen(cases[i].first))) fail_msg("%s", verdict);
        assert_int_equal(verb_status(last_result, &last_error) == REFUSED, !strcmp(cases[i].state, "not ready"));
    }
    table_from("was", other);
    Table *is = table_from("is", other);
    is->released = is->reordered = true;
    run_ok("verb audit is --original was --roles '{keys: [sex], numeric: [pay]}' --policy '{rules: [risk.k-anonymity.k >= 2]}'");
    assert_string_equal(result_find(last_result, "state")->text, "ready");
    assert_non_null(strstr(result_find(last_result, "verdict")->text,
                           "Ready: the one rule of the policy is satisfied, and 2 of 60 people (3.3%) are re-identified in a simulated "
                           "attack by an intruder who knows sex "
                           "(the intruder's own estimate, because the true links are not known). Every record shares sex with "
                           "at least 29 others."));
    run_bad("verb audit is --roles '{keys: [sex]}' --policy '{rules: [risk.k-anonymity.k >= 2], residual: maybe}'", "residual is 'maybe'");
    run_bad("verb audit is --roles '{keys: [sex]}' --policy '{rules: [risk.k-anonymity.k >= 2], residual-limit: 7}'", "from 0 to 1");
}

/* Sampling does not seem to raise the risk: before, everybody of the original counts; after, those in the release. */
static void test_sampling(void **state) {
    (void)state;
    char rows[3000] = "sex,town\n";
    for (int i = 0; i < 60; i++) sprintf(rows + strlen(rows), "%c,t%d\n", "fm"[i % 2], i / 2);
    table_from("all", rows);
    run_ok("verb run 'input: all\nroles: {keys: [sex, town]}\nsteps:\n  - protect.sample: {n: 20}\n'");
    int64_t row = row_of("exposure", "label", "re-identified");
    near(table_value("exposure", "before", row), 60, 1e-9);
    near(table_value("exposure", "after", row), 20, 1e-9);
}

/* Small classes: below the policy's k where the sizes tell, else than five. */
static void test_few_by_policy(void **state) {
    (void)state;
    static const struct {
        int k;
        const char *label, *what;
        double people;
    } cases[] = { { 2, "classes below 5", "fewer than five", 9 },   { 3, "classes below 3", "fewer than three", 2 },
                  { 4, "classes below 4", "fewer than four", 5 },   { 7, "classes below 5", "fewer than five", 9 },
                  { 10, "classes below 10", "fewer than ten", 15 }, { 20, "classes below 20", "fewer than 20", 15 } };
    table_from("sizes", "sex,town,ill\na,b,1\na,b,2\nc,b,1\nc,b,2\nc,b,3\nd,b,1\nd,b,1\nd,b,2\nd,b,2\n"
                        "e,b,1\ne,b,1\ne,b,2\ne,b,2\ne,b,2\ne,b,2\n"); /* classes of 2, 3, 4 and 6 */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char command[200];
        snprintf(command, sizeof command, "verb audit sizes" ROLES " --policy '{rules: [risk.k-anonymity.k >= %d]}'", cases[i].k);
        run_ok(command);
        int64_t row = row_of("exposure", "label", cases[i].label);
        assert_non_null(strstr(cell_of("exposure", "what", row), cases[i].what));
        near(table_value("exposure", "after", row), cases[i].people, 0);
    }
}

static void test_riskiest(void **state) {
    (void)state;
    table_from("people", people);
    run_ok("verb audit people" ROLES);
    assert_int_equal(result_find_table(last_result, "riskiest")->rows, 6);
    near(table_value("riskiest", "record", 0), 1, 0);
    near(table_value("riskiest", "records_that_fit", 1), 1, 0);
    assert_non_null(strstr(cell_of("riskiest", "why", 0), "Unique on sex and town alone; an intruder who knows the keys infers the ill."));
    assert_non_null(
        strstr(cell_of("riskiest", "why", 2), "Shares its keys with 1 other record; an intruder who knows the keys infers the ill."));
    assert_string_equal(cell_of("riskiest", "why", 4), "Shares its keys with 1 other record.");
    /* one key alone singles out the third: it comes first of those who are alone */
    table_from("people", "sex,town,job,ill\nf,north,x,flu\nm,north,x,flu\nf,isle,x,gout\nf,south,x,gout\nf,south,x,gout\nm,south,x,gout\n");
    run_ok("verb audit people --roles '{keys: [sex, town, job], sensitive: [ill]}'");
    near(table_value("riskiest", "record", 0), 3, 0);
    assert_non_null(strstr(cell_of("riskiest", "why", 0), "nique on town alone"));
    table_from("none", "sex,town,ill\n");
    run_ok("verb audit none" ROLES);
    run_ok("verb audit people --roles '{numeric: [ill]}'"); /* no keys: no table */
    assert_null(result_find_table(last_result, "riskiest"));
}

/* What methods say of each record is let go once they ran, but for what orders the riskiest. */
static void test_no_records(void **state) {
    (void)state;
    int64_t kept = 0;
    table_from("people", people);
    run_ok("verb audit people" ROLES);
    for (int64_t i = 0; i < last_result->results; i++) {
        const Result *inner = last_result->result[i].result;
        for (int64_t c = 0; c < inner->columns; c++, kept++) assert_string_equal(inner->column[c].column->name, "suda_score");
    }
    assert_int_equal(kept, 1);
}

/* Before and after, from results made by hand. */
static Result *measures(double k, double certain) {
    Result *all = result_new("x"), *anonymity = result_new("risk.k-anonymity"), *attack = result_new("attack.homogeneity");
    result_integer(anonymity, "k", (int64_t)k);
    result_integer(anonymity, "uniques", 7);
    result_integer(attack, "certain", (int64_t)certain);
    result_result(all, "risk.k-anonymity", anonymity);
    result_result(all, "attack.homogeneity", attack);
    return all;
}

static void test_better(void **state) {
    (void)state;
    Error error = ERROR_NONE;
    Work work = { .arena = arena_new(), .error = &error };
    Result *before = measures(1, 5), *after = measures(3, 9);
    result_free(last_result);
    last_result = result_new("made");
    measures_table(&work, last_result, before, after, NULL);
    assert_string_equal(cell_of("measures", "change", row_of("measures", "measure", "k-anonymity")), "better");
    assert_string_equal(cell_of("measures", "change", row_of("measures", "measure", "homogeneity")), "worse");
    assert_string_equal(cell_of("measures", "before", row_of("measures", "measure", "homogeneity")), "5");
    assert_string_equal(cell_of("measures", "kind", row_of("measures", "measure", "homogeneity")), "attribute");
    result_free(before);
    result_free(after);
    arena_free(work.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_sentence),
                                        cmocka_unit_test(test_kinds),
                                        cmocka_unit_test(test_few),
                                        cmocka_unit_test(test_states),
                                        cmocka_unit_test(test_histories),
                                        cmocka_unit_test(test_sampling),
                                        cmocka_unit_test(test_no_more_than_true),
                                        cmocka_unit_test(test_few_by_policy),
                                        cmocka_unit_test(test_riskiest),
                                        cmocka_unit_test(test_release_alone),
                                        cmocka_unit_test(test_better),
                                        cmocka_unit_test(test_no_records) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
