/* The built-in lists: what words are known as, by themselves and by their form. */
#include <stdlib.h>
#include <string.h>
#include "testing.h"
#include "prose/lists.h"

static Lists lists;
static Work work;
static Error error;

static int open_lists(void **state) {
    (void)state;
    work = (Work){ .arena = arena_new(), .error = &error, .threads = 1 };
    return lists_read(&work, LANGUAGE_ANY, &lists) != OK;
}
static int close_lists(void **state) {
    (void)state;
    arena_free(work.arena);
    return 0;
}

/* The lists that know a word that stands alone. With and without a memory the answer is the same. */
static uint32_t marks_of(const char *word) {
    uint32_t found[3];
    Tokens tokens = { 0 };
    for (int i = 0; i < 3; i++) {
        tokens.count = 0;
        assert_int_equal(tokens_cut(word, strlen(word), &tokens, &error), OK);
        assert_int_equal(tokens.count, 1);
        if (i == 1) tokens.memo = calloc(MEMO, sizeof *tokens.memo); /* then remembered */
        lists_mark(&lists, word, &tokens);
        found[i] = tokens.at[0].lists;
    }
    assert_true(found[0] == found[1] && found[1] == found[2]);
    tokens_free(&tokens);
    return found[0];
}

static void words(void **state) {
    (void)state;
    assert_true(marks_of("Margaret") & LIST_FEMALE);
    assert_true(marks_of("Norwich") & LIST_CITY);
    assert_true(marks_of("copies") & LIST_ORDINARY);
    assert_true(marks_of("Beschluss") & LIST_ORDINARY);
    assert_true(marks_of("Zeugin") & LIST_ROLE);
    assert_false(marks_of("Xyqarth"));
}

static void forms(void **state) {
    (void)state;
    assert_true(marks_of("Jean-Baptiste") & LIST_MALE);
    assert_true(marks_of("Smith-Jones") & LIST_SURNAME);
    assert_true(marks_of("Linux-Kernel") & LIST_ORDINARY);
    assert_true(marks_of("C-x") & LIST_ORDINARY);
    assert_true(marks_of("Hilfeinformationen") & LIST_ORDINARY);
    assert_true(marks_of("Veilchenstraße") & LIST_STREET_SUFFIX);
    assert_false(marks_of("Zimmermann") & LIST_ORDINARY); /* a name, whatever its parts are */
}

static void titles(void **state) {
    (void)state;
    assert_true(lists_find(&lists, letters_hash("Frau", 4))->lists & LIST_WOMAN);
    assert_true(lists_find(&lists, letters_hash("Herr", 4))->lists & LIST_MAN);
    assert_false(lists_find(&lists, letters_hash("Dr", 2))->lists & (LIST_WOMAN | LIST_MAN));
    for (int set = 0; set < SETS; set++) assert_true(lists.set[set].count > 0); /* each has its line in cues.txt */
    assert_true(set_has(&lists, SET_YEARS_ALONE, letters_hash("ans", 3)));
    assert_false(set_has(&lists, SET_YEARS_ALONE, letters_hash("xyz", 3)));
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(words), cmocka_unit_test(forms), cmocka_unit_test(titles) };
    return cmocka_run_group_tests(tests, open_lists, close_lists);
}
