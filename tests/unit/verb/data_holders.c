/* audit --holders: what each holder and coalition would learn of others, against counting by hand; registers with mistakes. */
#define FIND_METHOD either
#include "verb/verbs.h"
static const Method *either(const char *group, const char *name);
#include "methods.h"

/* A verb, or a method to hold it against. */
static const Method *either(const char *group, const char *name) {
    const Method *verb = verb_find(group, name);
    return verb ? verb : method_find(group, name);
}

static const char *table_text(const char *table, const char *column, int64_t row) {
    static char text[2][33];
    static int turn;
    return column_cell(table_column(result_find_table(last_result, table), column), row, text[turn ^= 1]);
}

#define ROLES "--roles '{\"keys\": [\"g\", \"h\"], \"sensitive\": [\"s\"]}' --only attack.homogeneity"
enum { N = 60 };
static int g[N], h[N], s[N], part[N];

static void make_table(void) {
    char text[4096], *at = text + sprintf(text, "g,h,s,part\n");
    for (int i = 0; i < N; i++) {
        g[i] = i * 7 % 5;
        h[i] = i * i % 4;
        s[i] = (i * 11 + i / 7) % 3;
        part[i] = i * 13 % 4;
        at += sprintf(at, "g%d,h%d,s%d,%d\n", g[i], h[i], s[i], part[i]);
    }
    table_from("t", text);
}

/* Others whose value is sure once those of `own` (a set of parts) are taken off; `knows`: 1 g, 2 h. Without: own stay in. */
static int sure(unsigned own, int knows, bool taken) {
    int count = 0;
    for (int i = 0; i < N; i++) {
        bool all = true;
        if (own >> part[i] & 1) continue;
        for (int k = 0; k < N; k++) {
            if (taken && own >> part[k] & 1) continue;
            bool same = (!(knows & 1) || g[k] == g[i]) && (!(knows & 2) || h[k] == h[i]);
            all &= !same || s[k] == s[i];
        }
        count += all;
    }
    return count;
}

static void by_hand(void **state) {
    (void)state;
    make_table();
    run_ok("verb audit t " ROLES " --holders '{\"coalition\": 2, \"holders\": [{\"party\": \"A\", \"rule\": \"part == 0\"}, "
           "{\"party\": \"B\", \"rule\": \"part == 1\", \"columns\": [\"g\"]}, {\"party\": \"C\", \"rule\": \"part >= 2\"}]}'");
    const unsigned own[] = { 1, 2, 12, 3, 13, 14 };
    const int knows[] = { 3, 1, 3, 3, 3, 3 };
    const Table *table = result_find_table(last_result, "holders");
    assert_int_equal(table->rows, 6);
    int most = 0;
    for (int c = 0; c < 6; c++) {
        near(table_value("holders", "learned", c), sure(own[c], knows[c], true), 0);
        near(table_value("holders", "baseline", c), sure(own[c], knows[c], false), 0);
        if (sure(own[c], knows[c], true) > most) most = sure(own[c], knows[c], true);
    }
    near(value("holders_certain"), most, 0);
    assert_true(noted("For consent forms: 3 parties"));
}

/* ---- Files, earlier releases and curves, of each holder and of both ---- */

enum { IN_A = 1, IN_B = 2 };
static int in_file(int i) { return (i % 5 != 0 ? IN_A : 0) | (i % 3 != 1 ? IN_B : 0); }

static void make_files(void) {
    char t[8192] = "id,g,h,part,score,sick,x\n", a[4096] = "id,g\n", b[4096] = "id,h\n", e[4][4096], u[4096] = "x\n";
    for (int k = 0; k < 4; k++) strcpy(e[k], k < 3 ? "x\n" : "g,count\n");
    for (int i = 0; i < N; i++) {
        sprintf(t + strlen(t), "%d,g%d,h%d,%d,%d,%d,%d\n", 100 + i, i * 7 % 23, i * 5 % 16, i * 13 % 4, i * 37 % 61, i * 29 % 5 < 2,
                10 * i + i * 3 % 7);
        if (in_file(i) & IN_A) sprintf(a + strlen(a), "%d,g%d\n", 100 + i, i * 7 % 23);
        if (in_file(i) & IN_B) sprintf(b + strlen(b), "%d,h%d\n", 100 + i, i * 5 % 16);
        sprintf(u + strlen(u), "%d\n", 10 * i + i * 3 % 7);
        for (int k = 0; k < 3; k++) sprintf(e[k] + strlen(e[k]), "%d\n", 10 * i + i * (5 + k) % 7);
    }
    table_from("fewer", "g,count\ng0,1\ng1,1\ng2,3\ng3,4\ng4,4\n");
    for (int k = 0; k < 5; k++) sprintf(e[3] + strlen(e[3]), "g%d,%d\n", k, k + 1);
    table_from("t", t);
    table_from("u", u);
    table_from("a", a);
    table_from("b", b);
    for (int k = 0; k < 4; k++) table_from((const char *[]){ "e0", "e1", "e2", "cells" }[k], e[k]);
}

static bool alike(int i, int k, int columns) {
    return (!(columns & IN_A) || i * 7 % 23 == k * 7 % 23) && (!(columns & IN_B) || i * 5 % 16 == k * 5 % 16);
}

/* Right claims by the people of these files who are in all of them, own records known: of t who are alike, one in t; only where t is 1 or
 * 2. */
static double found_by(int files, unsigned own) {
    double sum = 0;
    for (int i = 0; i < N; i++) {
        int ties = 0;
        if (own >> (i * 13 % 4) & 1 || (in_file(i) & files) != files) continue;
        for (int k = 0; k < N; k++) ties += !(own >> (k * 13 % 4) & 1) && (in_file(k) & files) == files && alike(i, k, files);
        if (ties <= 2) sum += 1. / ties;
    }
    return sum;
}

static double told(const char *who, const char *method) {
    const Table *table = result_find_table(last_result, "holders");
    for (int i = 0; i < (int)table->rows; i++)
        if (!strcmp(table_text("holders", "who", i), who) && !strcmp(table_text("holders", "method", i), method))
            return table_value("holders", "learned", i);
    return NAN;
}

#define BARE "--roles '{\"keys\": [\"g\", \"h\"]}' --only attack.homogeneity"

static void together_by_files(void **state) {
    (void)state;
    make_files();
    run_ok("verb audit t " BARE " --holders '{\"coalition\": 3, \"id\": \"id\", \"holders\": [{\"party\": \"A\", \"file\": \"a\"}, "
           "{\"party\": \"B\", \"file\": \"b\"}, {\"party\": \"C\", \"rule\": \"part == 2\"}]}'");
    double a = found_by(IN_A, 0), b = found_by(IN_B, 0), both = found_by(IN_A | IN_B, 0);
    assert_true(both > a && both > b && a > 0 && b > 0);
    near(told("A", "attack.linkage"), a, 1e-12);
    near(told("B", "attack.linkage"), b, 1e-12);
    near(told("A with B", "attack.linkage"), both, 1e-12);
    near(told("A with C", "attack.linkage"), found_by(IN_A, 4), 1e-12);
    near(told("A with B with C", "attack.linkage"), found_by(IN_A | IN_B, 4), 1e-12);
    assert_true(isnan(told("C", "attack.linkage")));
    assert_true(noted("A with B would be expected"));
    const Table *table = result_find_table(last_result, "holders"); /* C alone is said to hold any of those who are found */
    for (int i = 0; i < (int)table->rows; i++)
        if (!strcmp(table_text("holders", "method", i), "attack.linkage")) {
            const char *of = table_text("holders", "of", i);
            assert_true(strstr(table_text("holders", "who", i), "C") ? !of : of && !strcmp(of, "C"));
        }
    /* nothing says who is who: files of other lengths cannot be judged, and the reason stands there */
    run_ok("verb audit t " BARE " --holders '{\"coalition\": 2, \"holders\": [{\"party\": \"A\", \"file\": \"a\"}, "
           "{\"party\": \"B\", \"file\": \"b\"}]}'");
    assert_true(isnan(told("A with B", "attack.linkage")));
}

static double gain_of(const char *command) {
    run_ok(command);
    return value("gain");
}

static void together_by_releases(void **state) {
    (void)state;
    make_files();
    double one = gain_of("attack averaging u e0"), two = gain_of("attack averaging u e0 e1"),
           three = gain_of("attack averaging u e0 e1 e2");
    assert_true(one < two && two < three);
    run_ok("attack differencing cells fewer");
    double cells = value("exposed");
    run_ok("verb audit u --roles '{\"numeric\": [\"x\"]}' --only risk.detail --holders '{\"coalition\": 2, \"holders\": [{\"party\": "
           "\"A\", \"rule\": \"x > 300\", "
           "\"earlier\": [\"e0\", \"e1\", \"fewer\"]}, {\"party\": \"B\", \"rule\": \"x < 0\", \"earlier\": [\"cells\", \"e0\"]}, "
           "{\"party\": \"C\", "
           "\"rule\": \"x < 0\", \"earlier\": [\"e2\"]}]}'");
    near(told("A", "attack.averaging"), two, 1e-12);
    near(told("B", "attack.averaging"), one, 1e-12);
    near(told("A with B", "attack.averaging"), two, 1e-12); /* one release that both have averages nothing away */
    near(told("A with C", "attack.averaging"), three, 1e-12);
    assert_true(cells > 0 && isnan(told("A", "attack.differencing"))); /* one table alone has nothing to be subtracted from */
    near(told("A with B", "attack.differencing"), cells, 0);
    assert_true(isnan(told("A with C", "attack.differencing")));
}

/* Records that two of them hold are in the hands of both. */
static void together_by_curve(void **state) {
    (void)state;
    make_files();
    static const char *const rules[] = { "part <= 1", "part >= 1 & part <= 2" };
    static const unsigned own[] = { 3, 6, 7 }; /* of A, of B, of both */
    double certain[3] = { NAN, NAN, NAN };
    for (int k = 0; k < 3; k++) {
        char text[4096] = "score,sick,who\n";
        for (int i = 0; i < N; i++)
            sprintf(text + strlen(text), "%d,%d,%s\n", i * 37 % 61, i * 29 % 5 < 2, own[k] >> (i * 13 % 4) & 1 ? "own" : "rest");
        table_from("cut", text);
        run_ok("risk roc-publication cut --score score --status sick --party who");
        for (int i = 0; i < 2; i++)
            if (!strcmp(table_text("parties", "party", i), "own")) certain[k] = table_value("parties", "certain", i);
        assert_true(certain[k] >= 0);
    }
    char command[1024];
    snprintf(command, sizeof command,
             "verb audit t " BARE " --holders '{\"coalition\": 2, \"score\": \"score\", \"status\": \"sick\", \"holders\": [{\"party\": "
             "\"A\", \"rule\": \"%s\"}, {\"party\": \"B\", \"rule\": \"%s\"}]}'",
             rules[0], rules[1]);
    run_ok(command);
    near(told("A", "risk.roc-publication"), certain[0], 0);
    near(told("B", "risk.roc-publication"), certain[1], 0);
    near(told("A with B", "risk.roc-publication"), certain[2], 0);
}

static void mistakes(void **state) {
    (void)state;
    make_table();
    run_bad("verb audit t " ROLES " --holders '{\"holders\": [{\"rule\": \"part == 0\"}]}'", "needs a party");
    run_bad("verb audit t " ROLES " --holders '{\"holders\": [{\"party\": \"A\"}]}'", "a rule");
    run_bad("verb audit t " ROLES " --holders '{\"holders\": [{\"party\": \"A\", \"rule\": \"prat == 0\"}]}'", "part");
    run_bad("verb audit t " ROLES " --holders '{\"holders\": [{\"party\": \"A\", \"rule\": \"part == 0\", \"columns\": [\"q\"]}]}'", "q");
    run_bad("verb audit t " ROLES " --holders '{\"holdres\": []}'", "holders");
    run_bad("verb audit t " ROLES " --holders '{\"coalition\": 0, \"holders\": []}'", "coalition");
    run_bad("verb audit t " ROLES " --holders '{\"holders\": [{\"party\": \"A\", \"file\": \"none\"}]}'", "none");
    run_bad("verb audit t " ROLES " --holders '{\"id\": \"di\", \"holders\": []}'", "di");
    run_bad("verb audit t " ROLES " --holders '{\"holders\": [{\"party\": \"\", \"rule\": \"part == 0\"}]}'", "party");
    run_bad("verb audit t " ROLES " --holders '{\"coalition\": \"2x\", \"holders\": []}'", "coalition");
    run_bad("verb audit t " ROLES " --holders '{\"holders\": [{\"party\": \"A\", \"rule\": \"part == 0\"}, {\"party\": \"A\", \"rule\": "
            "\"part == 1\"}]}'",
            "one name");
    run_ok("verb audit t " ROLES " --holders '{\"holders\": []}'");
    /* what cannot be run says why */
    table_from("f", "g,h\ng1,h1\n");
    run_ok("verb audit t " ROLES " --holders '{\"holders\": [{\"party\": \"A\", \"file\": \"f\", \"earlier\": [\"f\"]}]}'");
    const Table *table = result_find_table(last_result, "holders");
    assert_int_equal(table->rows, 3);
    assert_false(column_missing(table_column(table, "why"), 1));
    run_ok("verb audit t " ROLES " --holders '{\"holders\": [{\"party\": \"A\", \"file\": \"f\", \"columns\": [\"g\", \"s\"]}]}'");
    assert_true(noted("lacks columns that it is said to know (s)"));
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(by_hand), cmocka_unit_test(together_by_files),
                                        cmocka_unit_test(together_by_releases), cmocka_unit_test(together_by_curve),
                                        cmocka_unit_test(mistakes) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
