/* One variable under two names in tables that were built apart: other codes, groups of codes, hidden cells. No pair of which one determines
 * the other may go by in silence. */
#include "cells.h"

static Status lend(void *self, const char *name, Work *work, Tables *out, Error *error) {
    (void)self;
    const Table **at = NULL;
    const char **names = NULL;
    char *copy = arena_text(work->arena, name);
    int64_t n = 0;
    assert_int_equal(arena_array(work->arena, 2, sizeof *at, &at, error), OK);
    assert_int_equal(arena_array(work->arena, 2, sizeof *names, &names, error), OK);
    for (char *part; (part = strsep(&copy, ",")); n++) {
        Table *table = NULL;
        assert_int_equal(test_host.table(NULL, part, &table, error), OK);
        at[n] = table;
        names[n] = part;
    }
    *out = (Tables){ n, names, at };
    return OK;
}

/* Codes of one dimension by a common one of at most three. */
enum { CODES = 8, SIZES = 3 };
typedef struct Side {
    char letter;
    int codes, sizes;
    int64_t cell[CODES][SIZES];
} Side;

/* As a table; of every hundred cells that are no grand totals `hidden` are blank. */
static void put_side(const Side *s, const char *name, int hidden, uint64_t *seed) {
    char text[4096];
    size_t at = (size_t)snprintf(text, sizeof text, "%c,size,count\n", s->letter);
    for (int c = 0; c <= s->codes; c++)
        for (int k = 0; k <= s->sizes; k++) {
            int64_t sum = 0;
            for (int i = 0; i < s->codes; i++)
                for (int j = 0; j < s->sizes; j++) sum += (c == s->codes || c == i) && (k == s->sizes || k == j) ? s->cell[i][j] : 0;
            bool blank = (c < s->codes || k < s->sizes) && (int)(box_word(seed) % 100) < hidden;
            char code[24] = "Total", size[24] = "Total", count[24] = "";
            if (c < s->codes) snprintf(code, sizeof code, "%c%d", s->letter, c);
            if (k < s->sizes) snprintf(size, sizeof size, "s%d", k);
            if (!blank) snprintf(count, sizeof count, "%lld", (long long)sum);
            at += (size_t)snprintf(text + at, sizeof text - at, "%s,%s,%s\n", code, size, count);
        }
    table_from(name, text);
}

static void random_side(Side *s, char letter, int codes, int sizes, int64_t most, uint64_t *seed) {
    *s = (Side){ .letter = letter, .codes = codes, .sizes = sizes };
    for (int c = 0; c < codes; c++)
        for (int k = 0; k < sizes; k++) s->cell[c][k] = 1 + (int64_t)(box_word(seed) % (uint64_t)most);
}

/* Every code of `fine` goes into one of `coarse`, each of which gets one at least. */
static void group(const Side *fine, Side *coarse, int codes, uint64_t *seed) {
    *coarse = (Side){ .letter = 'y', .codes = codes, .sizes = fine->sizes };
    for (int c = 0; c < fine->codes; c++) {
        int to = c < codes ? codes - 1 - c : (int)(box_word(seed) % (uint64_t)codes);
        for (int k = 0; k < fine->sizes; k++) coarse->cell[to][k] += fine->cell[c][k];
    }
}

static bool is_refused(const char *command) {
    if (!run_seeded(1, command)) return false;
    assert_true(strstr(last_error.message, "one variable under two names") || strstr(last_error.message, "determines"));
    return true;
}

static void never_in_silence(void **state) {
    (void)state;
    uint64_t seed = 11;
    int refused = 0, noted = 0;
    test_host.tables = lend;
    for (int t = 0; t < 400; t++) {
        Side fine, coarse;
        int codes = 2 + (int)(box_word(&seed) % (CODES - 1)), sizes = 1 + (int)(box_word(&seed) % SIZES),
            hidden = t % 3 ? (int)(box_word(&seed) % 40) : 0;
        random_side(&fine, 'x', codes, sizes, t % 2 ? 9 : 900, &seed);
        group(&fine, &coarse, 2 + (int)(box_word(&seed) % (uint64_t)(codes - 1)), &seed);
        put_side(&fine, "fine", hidden, &seed);
        put_side(&coarse, "coarse", hidden, &seed);
        if (is_refused(t % 4 < 2 ? "tabular audit fine,coarse" : "tabular audit coarse,fine")) {
            refused++;
            continue;
        }
        assert_true(value("uncompared") == 1);
        noted++;
    }
    if (!(refused > 100 && noted > 20)) fail_msg("%d refused, %d noted", refused, noted);
}

/* Variables that have nothing to do with each other are not refused, and mostly nothing needs saying. */
static void others_go_by(void **state) {
    (void)state;
    uint64_t seed = 5;
    int silent = 0;
    enum { CASES = 200 };
    test_host.tables = lend;
    for (int t = 0; t < CASES; t++) {
        Side one, other;
        random_side(&one, 'x', 2 + (int)(box_word(&seed) % (CODES - 1)), SIZES, 900, &seed);
        other = (Side){ .letter = 'y', .codes = 2 + (int)(box_word(&seed) % (CODES - 1)), .sizes = SIZES };
        for (int c = 0; c < one.codes; c++) /* person by person */
            for (int k = 0; k < SIZES; k++)
                for (int64_t i = 0; i < one.cell[c][k]; i++) other.cell[box_word(&seed) % (uint64_t)other.codes][k]++;
        put_side(&one, "fine", 0, &seed);
        put_side(&other, "coarse", 0, &seed);
        run_ok("tabular audit fine,coarse");
        silent += value("uncompared") == 0;
    }
    assert_true(silent > CASES * 9 / 10);
}

/* A table of industries under two codings, each suppressed for itself: the hidden 336 is open in the other. With little to compare the two
 * by, it is said that they may be one; with more of it, they are refused. */
static void other_codes(void **state) {
    (void)state;
    test_host.tables = lend;
    table_from("s1", "nace,size,count,status\n1,s,686,open\n1,l,12,open\n1,Total,698,open\n2,s,,primary\n2,l,20,open\n2,Total,,secondary\n"
                     "3,s,,secondary\n3,l,31,open\n3,Total,,secondary\nTotal,s,1300,open\nTotal,l,63,open\nTotal,Total,1363,open\n");
    table_from("s2", "section,size,count,status\nA,s,686,open\nA,l,12,open\nA,Total,698,open\nB,s,336,open\nB,l,20,open\nB,Total,356,open\n"
                     "C,s,278,open\nC,l,31,open\nC,Total,309,open\nTotal,s,1300,open\nTotal,l,63,open\nTotal,Total,1363,open\n");
    run_ok("tabular audit s1,s2");
    assert_true(value("exposed") == 0 && value("uncompared") == 1);
    bool said = false;
    for (int64_t k = 0; k < last_result->notes; k++) said |= strstr(last_result->note[k], "nace and section") != NULL;
    assert_true(said);
    table_from("s1", "nace,size,count,status\n1,s,686,open\n1,m,150,open\n1,l,12,open\n2,s,,primary\n2,m,77,open\n2,l,20,open\n"
                     "3,s,,secondary\n3,m,141,open\n3,l,31,open\nTotal,s,1300,open\nTotal,m,368,open\nTotal,l,63,open\n");
    table_from("s2", "section,size,count,status\nC,s,686,open\nC,m,150,open\nC,l,12,open\nB,s,336,open\nB,m,77,open\nB,l,20,open\n"
                     "A,s,278,open\nA,m,141,open\nA,l,31,open\nTotal,s,1300,open\nTotal,m,368,open\nTotal,l,63,open\n");
    assert_true(is_refused("tabular audit s1,s2"));
    assert_non_null(strstr(last_error.message, "'nace' and 'section'"));
    assert_non_null(strstr(last_error.message, "one to one"));
}

/* What one `tabular build` compared in the data is compared. */
static void built_together(void **state) {
    (void)state;
    table_from_file("clinic", "examples/clinic.csv");
    run_ok("tabular build clinic --dims 'region,sex;region,smoker'");
    shelve("both", table_retain(last_result->output[0]));
    run_ok("tabular audit both");
    assert_true(value("uncompared") == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(never_in_silence), cmocka_unit_test(others_go_by), cmocka_unit_test(other_codes),
                                        cmocka_unit_test(built_together) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
