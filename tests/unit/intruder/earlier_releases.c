/* Releases over time: k, certain people and expected re-identifications of two and three releases against enumeration of all complete
 * assignments of linked records to people; links by id, original and manifest; what cannot be linked. */
#include "methods.h"

enum { PEOPLE = 6, KEYS = 2, RELEASES = 3, CASES = 2700, ABSENT_HERE = -2 };

static uint64_t state = 20261119;
static int draw(int below) {
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((state >> 33) % (uint64_t)below);
}

/* Person -> true keys; release -> person -> released keys: -1 suppressed, ABSENT_HERE where the person is not in it. */
typedef struct {
    int people, releases, records, truth[PEOPLE][KEYS], released[RELEASES][PEOPLE][KEYS], of[PEOPLE]; /* of: joint record -> person */
} Case;

static bool is_in(const Case *c, int release, int person) { return c->released[release][person][0] != ABSENT_HERE; }

static void random_case(Case *c, int releases, bool dropping) {
    *c = (Case){ .people = 2 + draw(PEOPLE - 1), .releases = releases };
    for (int i = 0; i < c->people; i++) {
        bool anywhere = false;
        for (int k = 0; k < KEYS; k++) c->truth[i][k] = draw(2 + k);
        for (int t = 0; t < releases; t++) {
            bool here = !dropping || (i == 0 && t == 0) || draw(4);
            anywhere |= here;
            for (int k = 0; k < KEYS; k++) c->released[t][i][k] = !here ? ABSENT_HERE : draw(3) ? c->truth[i][k] : -1;
        }
        if (anywhere) c->of[c->records++] = i;
    }
}

/* ---- by hand ---- */

static bool fits(const Case *c, int person, int record) {
    for (int t = 0; t < c->releases; t++)
        for (int k = 0; k < KEYS; k++) {
            int value = c->released[t][c->of[record]][k];
            if (value >= 0 && value != c->truth[person][k]) return false;
        }
    return true;
}

typedef struct {
    const Case *c;
    bool taken[PEOPLE];
    int person_of[PEOPLE];
    double all, pair[PEOPLE][PEOPLE];
} Enumeration;

static void enumerate(Enumeration *e, int record) {
    const Case *c = e->c;
    if (record == c->records) {
        e->all++;
        for (int r = 0; r < c->records; r++) e->pair[e->person_of[r]][r]++;
        return;
    }
    for (int i = 0; i < c->people; i++) {
        if (e->taken[i] || !fits(c, i, record)) continue;
        e->taken[i] = true;
        e->person_of[record] = i;
        enumerate(e, record + 1);
        e->taken[i] = false;
    }
}

static int certain_people(const Enumeration *e) {
    int certain = 0;
    for (int i = 0; i < e->c->people; i++) {
        int possible = 0;
        double sum = 0;
        for (int r = 0; r < e->c->records; r++) {
            possible += e->pair[i][r] > 0;
            sum += e->pair[i][r];
        }
        certain += possible == 1 && sum > e->all - .5;
    }
    return certain;
}

/* Right best guesses, ties shared, by beliefs over assignments and by a uniform choice among what fits. */
static double right_guesses(const Enumeration *e, bool counting) {
    const Case *c = e->c;
    double sum = 0;
    for (int r = 0; r < c->records; r++) {
        int i = c->of[r], ties = 0;
        double best = 0;
        for (int s = 0; s < c->records; s++) {
            double value = counting ? fits(c, i, s) : e->pair[i][s];
            if (value > best) best = value, ties = 0;
            ties += value == best && best > 0;
        }
        if ((counting ? fits(c, i, r) : e->pair[i][r]) == best && best > 0) sum += 1.0 / ties;
    }
    return sum;
}

/* People who are alike in all releases, at least. */
static int fewest_alike(const Case *c) {
    int fewest = PEOPLE + 1;
    for (int r = 0; r < c->records; r++) {
        int alike = 0;
        for (int s = 0; s < c->records; s++) {
            bool same = true;
            for (int t = 0; t < c->releases; t++)
                for (int k = 0; k < KEYS; k++) same &= c->released[t][c->of[r]][k] == c->released[t][c->of[s]][k];
            alike += same;
        }
        fewest = alike < fewest ? alike : fewest;
    }
    return fewest;
}

/* ---- as tables ---- */

static void table_of_release(const Case *c, int release, const char *name) {
    char text[512], *at = text + sprintf(text, "id,a,b\n");
    int order[PEOPLE];
    for (int i = 0; i < c->people; i++) {
        int j = draw(i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    for (int p = 0; p < c->people; p++) {
        const int i = order[p];
        if (release >= 0 && !is_in(c, release, i)) continue;
        at += sprintf(at, "p%d", i);
        for (int k = 0; k < KEYS; k++) {
            int value = release < 0 ? c->truth[i][k] : c->released[release][i][k];
            if (value >= 0) at += sprintf(at, ",v%d", value);
            else at += sprintf(at, ",");
        }
        at += sprintf(at, "\n");
    }
    table_from(name, text);
}

static void check_case(const Case *c) {
    Enumeration e = { .c = c };
    const char *earlier = c->releases == 2 ? "s" : "s,t";
    char command[128];
    enumerate(&e, 0);
    table_of_release(c, -1, "o");
    table_of_release(c, 0, "r");
    table_of_release(c, 1, "s");
    if (c->releases > 2) table_of_release(c, 2, "t");
    snprintf(command, sizeof command, "risk reidentification o r --keys a,b --id id --previous %s", earlier);
    run_ok(command);
    near(value("people"), c->records, 0);
    near(value("certain"), certain_people(&e), 0);
    near(value("by_assigning"), right_guesses(&e, false), 1e-9);
    near(value("by_counting"), right_guesses(&e, true), 1e-9);
    snprintf(command, sizeof command, "risk k-anonymity r --keys a,b --id id --previous %s", earlier);
    run_ok(command);
    near(value("k"), fewest_alike(c), 0);
}

static void test_enumerated(int releases, bool dropping) {
    for (int round = 0; round < CASES; round++) {
        Case c;
        random_case(&c, releases, dropping);
        check_case(&c);
    }
}

static void test_two(void **unused) {
    (void)unused;
    test_enumerated(2, false);
}

static void test_three_with_absences(void **unused) {
    (void)unused;
    test_enumerated(3, true);
}

/* ---- links ---- */

/* Two releases with k = 2 and 3 that together leave everybody alone; linked by position, by an id, and through the original. */
static void test_links(void **unused) {
    (void)unused;
    table_from("o", "id,a,b\n1,x,p\n2,x,q\n3,x,r\n4,y,p\n5,y,q\n6,y,r\n");
    table_from("r", "id,a,b\n6,y,\n5,y,\n4,y,\n3,x,\n2,x,\n1,x,\n");
    table_from("s", "id,a,b\n1,,p\n2,,q\n3,,r\n4,,p\n5,,q\n6,,r\n");
    run_ok("risk k-anonymity r --keys a,b");
    near(value("k"), 3, 0);
    run_ok("risk k-anonymity r --keys a,b --previous s --id id");
    near(value("k"), 1, 0);
    near(value("uniques"), 6, 0);
    run_ok("risk k-anonymity r --keys a,b --previous s --person id");
    near(value("k"), 1, 0);
    run_ok("risk reidentification o r --keys a,b --id id --previous s");
    near(value("certain"), 6, 0);
    near(value("share"), 1, 1e-12);
    near(value("releases"), 2, 0);
    run_ok("risk reidentification o r --keys a,b --id id");
    near(value("certain"), 0, 0);
    run_bad("risk k-anonymity r --keys a,b --previous s", "nothing says whose its records are");
    run_bad("risk reidentification o r --keys a,b --previous s", "nothing says whose its records are");
    table_from("u", "id,c\n1,x\n");
    run_bad("risk k-anonymity r --keys a,b --previous u --id id", "none of the quasi-identifiers");
    table_from("u", "a,b\nx,p\n");
    run_bad("risk k-anonymity r --keys a,b --previous u --id id", "lacks the column 'id'");
}

/* Numbers of an earlier release are joined as well: noise averages away. */
static void test_numbers(void **unused) {
    (void)unused;
    static char o[8192], r[8192], s[8192];
    char *a = o + sprintf(o, "id,x\n"), *b = r + sprintf(r, "id,x\n"), *c = s + sprintf(s, "id,x\n");
    for (int i = 0; i < 200; i++) {
        a += sprintf(a, "%d,%d\n", i, 10 * i);
        b += sprintf(b, "%d,%d\n", i, 10 * i + draw(61) + draw(61) + draw(61) - 90);
        c += sprintf(c, "%d,%d\n", i, 10 * i + draw(61) + draw(61) + draw(61) - 90);
    }
    table_from("o", o);
    table_from("r", r);
    table_from("s", s);
    run_ok("risk reidentification o r --vars x --id id");
    double alone = value("expected");
    run_ok("risk reidentification o r --vars x --id id --previous s");
    assert_true(value("expected") > 1.15 * alone);
}

/* People with several records are linked by person, with all that each release says of them. */
static void test_histories(void **unused) {
    (void)unused;
    table_from("r", "pid,a\n1,x\n2,x\n3,x\n4,x\n");
    table_from("s", "pid,a\n1,p\n1,q\n2,q\n2,p\n3,p\n3,p\n4,p\n4,p\n");
    run_ok("risk k-anonymity r --keys a --person pid --previous s");
    near(value("k"), 2, 0);
    table_from("s", "pid,a\n1,p\n1,q\n2,q\n2,p\n3,p\n3,p\n4,p\n5,p\n");
    run_ok("risk k-anonymity r --keys a --person pid --previous s");
    near(value("k"), 1, 0);
    near(value("uniques"), 3, 0); /* 3, 4, and 5, who is absent from the later release */
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_two), cmocka_unit_test(test_three_with_absences),
                                        cmocka_unit_test(test_links), cmocka_unit_test(test_numbers), cmocka_unit_test(test_histories) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
