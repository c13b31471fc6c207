/* audit --holders: what each holder and coalition would learn of others, against counting by hand; registers with mistakes. */
#define FIND_METHOD verb_find
#include "recipe/verbs.h"
#include "methods.h"

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
    run_ok("verb audit t " ROLES " --holders '{\"holders\": []}'");
    /* what cannot be run says why */
    table_from("f", "g,h\ng1,h1\n");
    run_ok("verb audit t " ROLES " --holders '{\"holders\": [{\"party\": \"A\", \"file\": \"f\", \"earlier\": [\"f\"]}]}'");
    const Table *table = result_find_table(last_result, "holders");
    assert_int_equal(table->rows, 3);
    assert_false(column_missing(table_column(table, "why"), 1));
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(by_hand), cmocka_unit_test(mistakes) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
