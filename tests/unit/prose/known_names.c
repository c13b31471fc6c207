/* Known names: the edit distance against one that tries every way, the index against comparing with each, and names in text. */
#include <stdlib.h>
#include <string.h>
#include "testing.h"
#include "prose/known_names.h"

static Error error;

/* Every way to turn a into b, a slip at a time; two letters that were swapped are not touched again. */
static int slowly(const char *a, const char *b) {
    if (!*a || !*b) return (int)(strlen(a) + strlen(b));
    int best = slowly(a + 1, b + 1) + (*a != *b), other = slowly(a + 1, b) + 1;
    if (other < best) best = other;
    other = slowly(a, b + 1) + 1;
    if (other < best) best = other;
    if (a[1] && b[1] && a[0] == b[1] && a[1] == b[0]) other = slowly(a + 2, b + 2) + 1;
    return other < best ? other : best;
}

static uint64_t word_state = 11;
static unsigned draw(unsigned below) {
    word_state = word_state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(word_state >> 33) % below;
}

static void distances(void **state) {
    (void)state;
    assert_int_equal(slips_between("oneill", "oneill", 2), 0);
    assert_int_equal(slips_between("oneill", "oneil", 2), 1);
    assert_int_equal(slips_between("hargreaves", "hargraeves", 2), 1);
    assert_int_equal(slips_between("smith", "jones", 2) > 2, 1);
    assert_int_equal(slips_between("", "ab", 2), 2);
    assert_int_equal(slips_between("a", "abcd", 2), 3);
    char a[8], b[8];
    for (int round = 0; round < 4000; round++) {
        size_t m = draw(7), n = draw(7);
        for (size_t i = 0; i < m; i++) a[i] = (char)('a' + draw(3));
        for (size_t i = 0; i < n; i++) b[i] = (char)('a' + draw(3));
        a[m] = b[n] = 0;
        int slow = slowly(a, b), fast = slips_between(a, b, 9);
        if (slow != fast) fail_msg("%s and %s: %d, not %d", a, b, fast, slow);
    }
}

typedef struct Desk {
    Work work;
    Finder finder;
    Search search;
    Names names;
} Desk;

static void desk_open(Desk *d, const char *const *names, int count) {
    *d = (Desk){ .work = { .arena = arena_new(), .error = &error, .threads = 1 } };
    assert_non_null(d->work.arena);
    assert_int_equal(finder_open(&d->work, LANGUAGE_ANY, NULL, 0, &d->finder), OK);
    d->finder.kinds = (uint64_t)1 << TRACE_PERSON;
    d->finder.threshold = .85;
    assert_int_equal(search_open(&d->finder, &d->search, &error), OK);
    for (int i = 0; i < count; i++) assert_int_equal(names_add(&d->work, &d->names, names[i]), OK);
    assert_int_equal(names_index(&d->work, &d->names), OK);
}

static void desk_close(Desk *d) {
    search_close(&d->search);
    finder_close(&d->finder);
    arena_free(d->work.arena);
}

/* Is `word` held for one of the names? Asked of the matcher alone, without the tagger and the lists. */
static bool matches(Desk *d, const char *word) {
    d->search.tokens.count = d->search.candidates.count = 0;
    assert_int_equal(tokens_cut(word, strlen(word), &d->search.tokens, &error), OK);
    assert_int_equal(names_run(&d->search, &d->names, word, &error), OK);
    return d->search.candidates.count > 0;
}

static void words_of_names(void **state) {
    (void)state;
    Desk d;
    desk_open(&d, (const char *const[]){ "O'Neill, Margaret", "Dr. Ludwig van der Zwart", "Al Bo", "" }, 4);
    assert_int_equal(d.names.count, 4); /* neither particles, titles nor words of two letters */
    assert_string_equal(d.names.word[0], "o'neill");
    assert_string_equal(d.names.word[1], "margaret");
    assert_string_equal(d.names.word[2], "ludwig");
    assert_string_equal(d.names.word[3], "zwart");
    assert_true(matches(&d, "MARGARET"));
    assert_true(matches(&d, "Márgaret"));
    assert_true(matches(&d, "Margarte"));
    assert_false(matches(&d, "Van"));
    assert_false(matches(&d, "Zw"));
    assert_false(matches(&d, "Zwxyz"));
    desk_close(&d);
}

/* Names of random letters and words a few slips away: the index must find what comparing with every name finds, and no more. */
static void index_against_all(void **state) {
    (void)state;
    enum { NAMES = 40 };
    char pool[NAMES][16];
    const char *names[NAMES];
    for (int i = 0; i < NAMES; i++) {
        size_t n = 3 + draw(10);
        for (size_t k = 0; k < n; k++) pool[i][k] = "qxzwvk"[draw(6)]; /* no list has such words */
        pool[i][n] = 0;
        names[i] = pool[i];
    }
    Desk d;
    desk_open(&d, names, NAMES);
    int64_t yes = 0;
    for (int round = 0; round < 4000; round++) {
        char word[24];
        strcpy(word, pool[draw(NAMES)]);
        for (unsigned slips = draw(4); slips; slips--) {
            size_t n = strlen(word), at = draw((unsigned)n);
            if (draw(3) == 0 && n > 3) memmove(word + at, word + at + 1, n - at);
            else if (draw(2) && at + 1 < n) {
                char c = word[at];
                word[at] = word[at + 1];
                word[at + 1] = c;
            } else word[at] = "qxzwvk"[draw(6)];
        }
        size_t length = strlen(word);
        int nearest = 9;
        for (int i = 0; i < NAMES; i++) {
            /* A short name has no forms with letters left out: near it means equal to it. */
            size_t known = strlen(pool[i]), shorter = known < length ? known : length;
            int slips = slips_between(pool[i], word, 2), most = shorter >= 9 ? 2 : shorter >= 5 ? 1 : 0;
            if (slips <= most && slips < nearest) nearest = slips;
        }
        bool found = matches(&d, word);
        yes += found;
        if (nearest < 9 && !found) fail_msg("%s is %d slips from a name and was not found", word, nearest);
        if (found) {
            int any = 9;
            for (int i = 0; i < NAMES; i++)
                if (slips_between(pool[i], word, 2) < any) any = slips_between(pool[i], word, 2);
            if (any > (length >= 9 ? 2 : length >= 5 ? 1 : 0)) fail_msg("%s was found, %d slips from any name", word, any);
        }
    }
    assert_true(yes > 500 && yes < 3900);
    desk_close(&d);
}

/* In a text: the finds are whole words, in order; an ordinary word one slip from a name stays. */
static void in_text(void **state) {
    (void)state;
    const char *text = "spoke with quimbletan; the water rose. Wader called.";
    Desk d;
    desk_open(&d, (const char *const[]){ "Quimbleton", "Wader" }, 2);
    assert_int_equal(search_text(&d.search, text, strlen(text), &d.names, &error), OK);
    assert_int_equal(d.search.finds.count, 2);
    assert_memory_equal(text + d.search.finds.at[0].start, "quimbletan", 10);
    assert_int_equal(d.search.finds.at[0].end - d.search.finds.at[0].start, 10);
    assert_memory_equal(text + d.search.finds.at[1].start, "Wader", 5);
    assert_int_equal(d.search.finds.at[1].detector, FOUND_KNOWN);
    desk_close(&d);
}

static void none(void **state) {
    (void)state;
    Desk d;
    desk_open(&d, NULL, 0);
    assert_false(matches(&d, "Anyone"));
    desk_close(&d);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(distances), cmocka_unit_test(words_of_names), cmocka_unit_test(index_against_all),
                                        cmocka_unit_test(in_text), cmocka_unit_test(none) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
