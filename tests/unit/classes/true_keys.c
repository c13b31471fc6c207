/* True keys in the words of the release, against counting every pair on tiny random tables; intervals written as text. */
#include "methods.h"
#include "classes/interval_label.h"

enum { ROWS = 14, KEYS_USED = 3 };

static uint64_t word(uint64_t *state) {
    *state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = (*state ^ (*state >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    return (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb) >> 20;
}

/* 0 = missing */
typedef struct {
    int rows;
    int truth[ROWS][KEYS_USED], released[ROWS][KEYS_USED];
} Twin;

static void make_twin(Twin *p, uint64_t *state) {
    p->rows = 3 + (int)(word(state) % (ROWS - 3));
    for (int i = 0; i < p->rows; i++)
        for (int k = 0; k < KEYS_USED; k++) {
            p->truth[i][k] = word(state) % 12 == 0 ? 0 : 1 + (int)(word(state) % 3);
            p->released[i][k] = word(state) % 4 == 0 ? 0 : p->truth[i][k];
        }
}

static void shelve_rows(const char *name, int rows, int cells[][KEYS_USED]) {
    char text[1000], *at = text;
    at += sprintf(at, "a,b,c\n");
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < KEYS_USED; k++) {
            if (cells[i][k]) at += sprintf(at, "%d", cells[i][k]);
            at += sprintf(at, k + 1 < KEYS_USED ? "," : "\n");
        }
    table_from(name, text);
}

static bool fits(const int *released, const int *truth) {
    for (int k = 0; k < KEYS_USED; k++)
        if (released[k] && released[k] != truth[k]) return false;
    return true;
}
static bool blank(const int *row) { return !row[0] && !row[1] && !row[2]; }
/* Is record j a candidate of person i? */
static bool is_candidate(const Twin *p, int i, int j) {
    bool exact = false, kept = false;
    for (int r = 0; r < p->rows; r++) {
        exact |= !memcmp(p->released[r], p->truth[i], sizeof p->truth[i]);
        kept |= !blank(p->released[r]) && fits(p->released[r], p->truth[i]);
    }
    if (exact) return !memcmp(p->released[j], p->truth[i], sizeof p->truth[i]);
    return fits(p->released[j], p->truth[i]) && (!kept || !blank(p->released[j]));
}

/* Reiter's intruder, who matches exactly first, by every pair. */
static void matches_by_every_pair(void **state) {
    (void)state;
    uint64_t seed = 77;
    for (int n = 0; n < 500; n++) {
        Twin p;
        int declared = 0, right = 0;
        double expected = 0;
        make_twin(&p, &seed);
        for (int i = 0; i < p.rows; i++) {
            int set = 0;
            bool own = is_candidate(&p, i, i);
            for (int j = 0; j < p.rows; j++) set += is_candidate(&p, i, j);
            expected += own ? 1. / set : 0;
            declared += set == 1;
            right += set == 1 && own;
        }
        shelve_rows("original", p.rows, p.truth);
        shelve_rows("released", p.rows, p.released);
        run_ok("risk intruder released --keys a,b,c --original original");
        near(value("expected_matches"), expected, 1e-9);
        assert_true(value("declared") == declared && value("true_matches") == right);
    }
}

static void recoded_keys(void **state) {
    (void)state;
    table_from("original", "id,age\n1,41\n2,42\n3,55\n4,58\n5,43\n");
    table_from("released", "id,age\n1,[40;50)\n2,[40;50)\n3,[50;60)\n4,[50;60)\n5,[40;50)\n");
    run_ok("risk intruder released --keys age --original original");
    near(value("expected_matches"), 2, 1e-12);
    table_from("released", "id,age\n5,[40;50)\n4,[50;60)\n3,[50;60)\n2,[40;50)\n1,[40;50)\n");
    run_ok("risk intruder released --keys age --original original --id id");
    near(value("expected_matches"), 2, 1e-12);
    table_from("released", "id,age\n7,\n");
    run_bad("risk intruder released --keys age --original original --id id", "lacks");
}

static void intervals_as_text(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool read;
        double in, out;
    } cases[] = { { "[45,60)", true, 45, 60 }, { "(45, 60]", true, 60, 45 },  { "45-60", true, 60, 61 },     { "45–60", true, 45, 44 },
                  { "90+", true, 90, 89 },     { "<5", true, 4, 5 },          { ">=5", true, 5, 4 },         { "≤ 5", true, 5, 6 },
                  { "-5-0", true, -5, -6 },    { "[-Inf,3)", true, -1e9, 3 }, { "45", false, 0, 0 },         { "north", false, 0, 0 },
                  { "60-45", false, 0, 0 },    { "45-45", true, 45, 44 },     { "2020-01-02", false, 0, 0 }, { "", false, 0, 0 },
                  { "[", false, 0, 0 } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        LabelInterval interval;
        if (interval_label_read(cases[i].text, &interval) != cases[i].read) fail_msg("'%s'", cases[i].text);
        if (cases[i].read && (!interval_label_holds(&interval, cases[i].in) || interval_label_holds(&interval, cases[i].out)))
            fail_msg("'%s' holds the wrong numbers", cases[i].text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(matches_by_every_pair), cmocka_unit_test(recoded_keys),
                                        cmocka_unit_test(intervals_as_text) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
