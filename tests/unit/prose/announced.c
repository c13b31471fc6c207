/* Rules of share/scrub/announced.txt: every example gives its find, and bad lines are told. */
#include <stdlib.h>
#include <string.h>
#include "testing.h"
#include "prose/announced.h"

/* The example without its brackets; where the find begins and ends. */
static void unbracket(const char *example, char *text, uint32_t *from, uint32_t *to) {
    size_t n = 0;
    for (const char *at = example; *at; at++) {
        if (*at == '[') *from = (uint32_t)n;
        else if (*at == ']') *to = (uint32_t)n;
        else text[n++] = *at;
    }
    text[n] = 0;
}

static void examples(void **state) {
    (void)state;
    Arena *arena = arena_new();
    Error error = { 0 };
    Work work = { .arena = arena, .error = &error };
    Finder finder;
    Search search = { 0 };
    assert_int_equal(finder_open(&work, LANGUAGE_ANY, NULL, 0, &finder), OK);
    assert_int_equal(search_open(&finder, &search, &error), OK);
    char *copy = strdup(lists_file("announced")), *next = NULL;
    int rules = 0;
    for (char *line = strtok_r(copy, "\n", &next); line; line = strtok_r(NULL, "\n", &next)) {
        if (line[0] == '#') continue;
        char text[256];
        uint32_t from = 0, to = 0;
        bool found = false;
        rules++;
        unbracket(strrchr(line, '\t') + 1, text, &from, &to);
        assert_true(to > from);
        search.tokens.count = search.candidates.count = 0;
        assert_int_equal(tokens_cut(text, strlen(text), &search.tokens, &error), OK);
        lists_mark(&finder.lists, text, &search.tokens);
        assert_int_equal(announced_run(&search, text, strlen(text), &error), OK);
        for (int64_t f = 0; f < search.candidates.count; f++) {
            const Find *find = &search.candidates.at[f];
            found |= find->start == from && find->end == to && !strncmp(trace_name(NULL, find->kind), line, strcspn(line, "\t"));
        }
        if (!found) fail_msg("no find in the example of rule %d: %s", rules, text);
    }
    assert_true(rules > 20);
    free(copy);
    search_close(&search);
    finder_close(&finder);
    arena_free(arena);
}

/* Numbers that a word announces, and the same numbers behind words that do not, or as quantities. */
static void only_announced(void **state) {
    (void)state;
    static const char *const none[] = {
        "given 4471 ml", "extension of 45 degrees",      "ext 5 mg", "bed 12: stable", "Kamer 9 leeg", "pain 3/10",
        "fecha 12 mg",   "claim that 12 of 40 patients", "Fall 2021"
    };
    Arena *arena = arena_new();
    Error error = { 0 };
    Work work = { .arena = arena, .error = &error };
    Finder finder;
    Search search = { 0 };
    assert_int_equal(finder_open(&work, LANGUAGE_ANY, NULL, 0, &finder), OK);
    assert_int_equal(search_open(&finder, &search, &error), OK);
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        search.tokens.count = search.candidates.count = 0;
        assert_int_equal(tokens_cut(none[i], strlen(none[i]), &search.tokens, &error), OK);
        lists_mark(&finder.lists, none[i], &search.tokens);
        assert_int_equal(announced_run(&search, none[i], strlen(none[i]), &error), OK);
        if (search.candidates.count) fail_msg("a find in: %s", none[i]);
    }
    search_close(&search);
    finder_close(&finder);
    arena_free(arena);
}

static void bad_lines(void **state) {
    (void)state;
    static const char *const lines[] = { "PHONE\t0.9\tbehind\text\t\\d+", "NOBODY\t0.9\tbehind\text\t\\d+\text [1]",
                                         "PHONE\t1.5\tbehind\text\t\\d+\text [1]", "PHONE\t0.9\tbefore\text\t\\d+\text [1]",
                                         "PHONE\t0.9\tbehind\text\t(\\d+\text [1]" };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        Arena *arena = arena_new();
        Error error = { 0 };
        Work work = { .arena = arena, .error = &error };
        Announced *announced = NULL;
        assert_int_equal(announced_open(&work, lines[i], &announced), BAD);
        assert_non_null(strstr(error.message, "line 1"));
        announced_close(announced);
        arena_free(arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(examples), cmocka_unit_test(only_announced), cmocka_unit_test(bad_lines) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
