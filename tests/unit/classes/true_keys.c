/* Both sides of k: against counting every pair on tiny random tables; recoded keys, pairing by id and by origin, records without keys,
 * intervals. */
#include "methods.h"
#include "classes/interval_label.h"
#include "table/column_cache.h"
#include "classes/true_keys.h"

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

static const Table *shelve_rows(const char *name, int rows, int cells[][KEYS_USED]) {
    char text[1000], *at = text;
    at += sprintf(at, "a,b,c\n");
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < KEYS_USED; k++) {
            if (cells[i][k]) at += sprintf(at, "%d", cells[i][k]);
            at += sprintf(at, k + 1 < KEYS_USED ? "," : "\n");
        }
    return table_from(name, text);
}

static bool fits(const int *released, const int *truth) {
    for (int k = 0; k < KEYS_USED; k++)
        if (released[k] && released[k] != truth[k]) return false;
    return true;
}
static bool blank(const int *row) { return !row[0] && !row[1] && !row[2]; }
static bool agree(const int *a, const int *b) {
    for (int k = 0; k < KEYS_USED; k++)
        if (a[k] && b[k] && a[k] != b[k]) return false;
    return true;
}

static int candidates(const Twin *p, int i) {
    int exact = 0, all = 0, unkeyed = 0;
    for (int j = 0; j < p->rows; j++) {
        exact += !memcmp(p->released[j], p->truth[i], sizeof p->truth[i]);
        all += !blank(p->released[j]) && fits(p->released[j], p->truth[i]);
        unkeyed += blank(p->released[j]);
    }
    return exact ? exact : all ? all : unkeyed;
}

/* Is a person's own record among the candidates? Not where another's equals the true keys and the own one lost some. */
static bool is_own(const Twin *p, int i) {
    bool exact = false, kept = false;
    for (int j = 0; j < p->rows; j++) {
        exact |= !memcmp(p->released[j], p->truth[i], sizeof p->truth[i]);
        kept |= !blank(p->released[j]) && fits(p->released[j], p->truth[i]);
    }
    if (exact) return !memcmp(p->released[i], p->truth[i], sizeof p->truth[i]);
    return fits(p->released[i], p->truth[i]) && (!kept || !blank(p->released[i]));
}

static int agreeing(const Twin *p, int i) {
    int f = 0;
    for (int j = 0; j < p->rows; j++) f += blank(p->released[i]) || (!blank(p->released[j]) && agree(p->released[i], p->released[j]));
    return f;
}

static void both_sides_by_every_pair(void **state) {
    (void)state;
    uint64_t seed = 12;
    for (int n = 0; n < 1500; n++) {
        Twin p;
        int released = ROWS, intruder = ROWS, one = 0, found = 0;
        make_twin(&p, &seed);
        shelve_rows("original", p.rows, p.truth);
        shelve_rows("released", p.rows, p.released);
        run_threads = 1 + n % 2;
        run_ok("risk k-anonymity released --keys a,b,c --original original");
        const Column *fk = last_result->column[0].column, *count = last_result->column[2].column;
        assert_string_equal(count->name, "candidates");
        for (int i = 0; i < p.rows; i++) {
            int c = candidates(&p, i), f = agreeing(&p, i);
            assert_int_equal(column_integer(count, i), c);
            assert_int_equal(column_integer(fk, i), f);
            if (c < intruder) intruder = c;
            if (f < released) released = f;
            one += c == 1;
            found += c == 1 && is_own(&p, i);
        }
        assert_true(value("k_intruder") == intruder && value("k_released") == released &&
                    value("k") == (intruder < released ? intruder : released));
        assert_true(value("one_candidate") == one && value("found") == found && value("mistaken") == one - found);
        assert_true(value("no_candidate") == 0);
    }
}

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

static void shelve_with_illness(const char *name, int rows, int cells[][KEYS_USED], const int *ill) {
    char text[2000], *at = text;
    at += sprintf(at, "a,b,c,ill\n");
    for (int i = 0; i < rows; i++) {
        for (int k = 0; k < KEYS_USED; k++) at += cells[i][k] ? sprintf(at, "%d,", cells[i][k]) : sprintf(at, ",");
        at += sprintf(at, "%c\n", 'u' + ill[i]);
    }
    table_from(name, text);
}

/* A class is a candidate set for those who match, who know others, and who suspect. */
static void attacks_by_every_pair(void **state) {
    (void)state;
    uint64_t seed = 77;
    for (int n = 0; n < 500; n++) {
        Twin p;
        int ill[ROWS], people[4] = { 0 }, knows = n % 3, declared = 0, right = 0, certain = 0, suspected = 0;
        double expected = 0;
        char command[120];
        make_twin(&p, &seed);
        for (int i = 0; i < p.rows; i++) people[ill[i] = (int)(word(&seed) % 4)]++;
        for (int i = 0; i < p.rows; i++) {
            int set = 0, of[4] = { 0 };
            bool own = is_candidate(&p, i, i), suspect = false;
            for (int j = 0; j < p.rows; j++) {
                if (!is_candidate(&p, i, j)) continue;
                set++;
                of[ill[j]]++;
            }
            expected += own ? 1. / set : 0;
            declared += set == 1;
            right += set == 1 && own;
            certain += of[ill[i]] && set - of[ill[i]] <= knows;
            for (int v = 0; v < 4; v++) suspect |= of[v] && 10 * people[v] <= 3 * p.rows && of[v] * p.rows >= 2 * people[v] * set;
            suspected += suspect;
        }
        shelve_with_illness("original", p.rows, p.truth, ill);
        shelve_with_illness("released", p.rows, p.released, ill);
        run_ok("risk intruder released --keys a,b,c --original original");
        near(value("expected_matches"), expected, 1e-9);
        assert_true(value("declared") == declared && value("true_matches") == right);
        sprintf(command, "attack background released --keys a,b,c --sensitive ill --colluding %d --original original", knows);
        run_ok(command);
        assert_int_equal(value("certain"), certain);
        run_ok("attack skewness released --keys a,b,c --sensitive ill --factor 2 --rare 0.3 --original original");
        assert_int_equal(value("exposed"), suspected);
    }
}

/* Keys exchanged between records, outside scrim: whose one candidate is whose, by every pair. The first rows keep theirs, so that no value
 * is taken for recoded. */
static void exchanged_keys_mislead(void **state) {
    (void)state;
    uint64_t seed = 13;
    int64_t mistakes = 0;
    for (int n = 0; n < 500; n++) {
        Twin p = { .rows = ROWS };
        int one = 0, found = 0, none = 0;
        for (int i = 0; i < ROWS; i++)
            for (int k = 0; k < KEYS_USED; k++) p.truth[i][k] = i < 3 ? i + 1 : 1 + (int)(word(&seed) % 3);
        memcpy(p.released, p.truth, sizeof p.truth);
        for (int times = 0; times < 4; times++) {
            int a = 3 + (int)(word(&seed) % (ROWS - 3)), b = 3 + (int)(word(&seed) % (ROWS - 3)), k = (int)(word(&seed) % KEYS_USED);
            int other = p.released[a][k];
            p.released[a][k] = p.released[b][k];
            p.released[b][k] = other;
        }
        shelve_rows("original", p.rows, p.truth);
        shelve_rows("released", p.rows, p.released);
        run_ok("risk k-anonymity released --keys a,b,c --original original");
        for (int i = 0; i < p.rows; i++) {
            int c = candidates(&p, i);
            one += c == 1;
            none += !c;
            found += c == 1 && is_own(&p, i);
        }
        assert_true(value("one_candidate") == one && value("found") == found && value("mistaken") == one - found);
        assert_true(value("no_candidate") == none);
        mistakes += one - found;
    }
    assert_true(mistakes > 100);
}

/* The record of Dunvale: it lost its region, and nobody else of its sex and age lives there or lost the region. */
static void the_record_of_dunvale(void **state) {
    (void)state;
    table_from("original", "sex,age,region\nf,40,Ashby\nf,40,Ashby\nf,40,Ashby\nf,40,Dunvale\n");
    table_from("released", "sex,age,region\nf,40,Ashby\nf,40,Ashby\nf,40,Ashby\nf,40,\n");
    run_ok("risk k-anonymity released --keys sex,age,region --missing wildcard");
    assert_true(value("k") == 4 || value("k") == 3);
    run_ok("risk k-anonymity released --keys sex,age,region --original original");
    assert_true(value("k") == 1 && value("k_intruder") == 1 && value("one_candidate") == 1 && value("k_released") == 4);
}

static void keys_recoded(void **state) {
    (void)state;
    table_from("original", "id,age\n1,41\n2,42\n3,55\n4,58\n5,43\n");
    table_from("released", "id,age\n1,[40;50)\n2,[40;50)\n3,[50;60)\n4,[50;60)\n5,\n"); /* 43 is seen nowhere: it lies in [40;50) */
    run_ok("risk k-anonymity released --keys age --original original");
    assert_true(value("k_intruder") == 2);
    table_from("released", "id,age\n5,\n4,[50;60)\n3,[50;60)\n2,[40;50)\n1,[40;50)\n");
    run_ok("risk k-anonymity released --keys age --original original --id id");
    assert_true(value("k_intruder") == 2);
    /* at a hierarchy's top a missing value is as all others are, and so is one that no record kept */
    table_from("original", "sex,town\nf,a\nf,\nf,b\nf,\nf,c\nf,a\n");
    table_from("released", "sex,town\nf,*\nf,*\nf,*\nf,*\nf,\nf,*\n");
    run_ok("risk k-anonymity released --keys sex,town --original original");
    assert_true(value("k_intruder") == 5 && value("no_candidate") == 0);
    /* but a star that the original has, or one among other values, is not what became of others */
    table_from("original", "id,town\n1,*\n2,*\n3,*\n4,b\n5,d\n6,d\n");
    table_from("released", "id,town\n1,*\n2,*\n3,*\n4,\n5,d\n6,d\n");
    run_ok("risk k-anonymity released --keys town --original original");
    assert_true(value("k_intruder") == 1 && value("found") == 1);
    table_from("original", "id,town\n1,a\n2,a\n3,b\n4,x\n5,y\n");
    table_from("released", "id,town\n1,ab\n2,ab\n3,\n4,*\n5,*\n");
    run_ok("risk k-anonymity released --keys town --original original");
    assert_true(value("k_intruder") == 1 && value("found") == 1);
    table_from("original", "id,age\n1,[0;10)\n2,[0;10)\n3,5\n4,[0;10)\n");
    table_from("released", "id,age\n1,[0;10)\n2,[0;10)\n3,\n4,[0;10)\n");
    run_ok("risk k-anonymity released --keys age --original original");
    assert_true(value("k_intruder") == 1 && value("found") == 1);
    table_from("original", "sex,town\nf,a\nf,\nf,b\nf,\nf,c\nf,a\n");
    /* filled in, a missing value is nothing that everybody would know */
    table_from("released", "sex,town\nf,a\nf,a\nf,b\nf,c\nf,c\nf,a\n");
    run_ok("risk k-anonymity released --keys sex,town --original original");
    assert_true(value("no_candidate") == 2);
    table_from("original", "id,age\n1,41\n2,42\n3,55\n4,58\n5,43\n");
    table_from("released", "id,age\n7,\n");
    run_bad("risk k-anonymity released --keys age --original original --id id", "lacks");
}

static void missing_in_an_original_is_an_answer(void **state) {
    (void)state;
    table_from("data", "sex,income\nf,1\nf,2\nm,3\nm,\nf,\n");
    run_ok("risk k-anonymity data --keys sex,income");
    assert_true(value("k") == 1 && value("uniques") == 5);
    run_ok("risk k-anonymity data --keys sex,income --missing wildcard");
    assert_true(value("k") == 2);
}

static void candidate_sets_are_the_classes_of_attacks(void **state) {
    (void)state;
    table_from("original", "sex,region,ill\nf,a,yes\nf,a,no\nf,a,no\nf,b,yes\n");
    table_from("released", "sex,region,ill\nf,a,yes\nf,a,no\nf,a,no\nf,,yes\n");
    run_ok("attack homogeneity released --keys sex,region --sensitive ill");
    assert_true(value("certain") == 1); /* the table says of itself only that it has a missing cell: category */
    run_ok("attack homogeneity released --keys sex,region --sensitive ill --missing wildcard");
    assert_true(value("certain") == 0);
    run_ok("attack homogeneity released --keys sex,region --sensitive ill --original original");
    assert_true(value("certain") == 1);
    run_ok("risk l-diversity released --keys sex,region --sensitive ill --original original");
    assert_true(value("l") == 1);
    run_ok("risk individual released --keys sex,region --original original");
    assert_true(value("max_risk") == 1);
    run_ok("risk t-closeness released --keys sex,region --sensitive ill --original original");
    assert_true(fabs(value("t") - 0.5) < 1e-12);
}

/* A release with the original's own keys, blanks and all: the candidates are those that matching finds, and a memo keeps them. */
static void unchanged_keys_find_themselves(void **state) {
    (void)state;
    uint64_t seed = 11;
    for (int trial = 0; trial < 200; trial++) {
        Twin p;
        Error error = ERROR_NONE;
        TrueKeys truth, kept, again;
        Tuples tuples;
        Candidates matched;
        make_twin(&p, &seed);
        const Table *table = shelve_rows("kept.csv", p.rows, p.released);
        Columns keys = { .count = KEYS_USED, .at = (const Column **)table->column };
        Work work = { .arena = arena_new(), .error = &error, .threads = 1 };
        assert_int_equal(true_keys_make(&work, table, keys, table, NULL, &truth), OK);
        assert_int_equal(tuples_of_classes(&work, &truth.truth, &tuples), OK);
        assert_int_equal(candidates_make(&work, &tuples, &tuples, 7, 0, true, &matched), OK);
        for (int64_t t = 0; t < truth.truth.count; t++) {
            assert_int_equal(truth.candidates.exact[t], matched.exact[t]);
            assert_int_equal(truth.candidates.count[t], matched.count[t]);
            assert_int_equal(truth.candidates.start[t + 1], matched.start[t + 1]);
            assert_int_equal(truth.candidates.node[t], matched.node[t]);
        }
        assert_int_equal(cache_make(&work, keys, &work.memo), OK);
        assert_int_equal(true_keys_make(&work, table, keys, table, NULL, &kept), OK);
        assert_int_equal(true_keys_make(&work, table, keys, table, NULL, &again), OK);
        assert_ptr_equal(kept.candidates.count, again.candidates.count);
        assert_memory_equal(kept.truth.of, truth.truth.of, (size_t)p.rows * sizeof *truth.truth.of);
        cache_free(work.memo);
        arena_free(work.arena);
    }
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
    const struct CMUnitTest tests[] = { cmocka_unit_test(both_sides_by_every_pair),
                                        cmocka_unit_test(attacks_by_every_pair),
                                        cmocka_unit_test(exchanged_keys_mislead),
                                        cmocka_unit_test(the_record_of_dunvale),
                                        cmocka_unit_test(keys_recoded),
                                        cmocka_unit_test(missing_in_an_original_is_an_answer),
                                        cmocka_unit_test(candidate_sets_are_the_classes_of_attacks),
                                        cmocka_unit_test(unchanged_keys_find_themselves),
                                        cmocka_unit_test(intervals_as_text) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
