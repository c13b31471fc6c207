/* What takes a find's place, for finds of every kind and of hardly any length: a surer find may leave a letter of another. */
#include <stdlib.h>
#include <string.h>
#include "testing.h"
#include "prose/replace.h"

static void scraps(void **state) {
    (void)state;
    static const char *const texts[] = { "K", "DE", "7", "-", "é", "A1", "x.y", "@", "D8 9" };
    Error error = ERROR_NONE;
    Work work = { .arena = arena_new(), .error = &error, .threads = 1 };
    Finder finder;
    Seed seed = seed_from_number(1);
    People nobody = { .subject = "" };
    assert_int_equal(finder_open(&work, LANGUAGE_ANY, NULL, 0, &finder), OK);
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++)
        for (int kind = 0; kind < TRACES; kind++)
            for (int how = REPLACE_PSEUDO; how < REPLACEMENTS; how++) {
                size_t size = strlen(texts[t]);
                char *text = malloc(size); /* nothing behind it, so that reading on is seen */
                memcpy(text, texts[t], size);
                Replacer replacer = replacer_make(&finder, &seed, (How)how, LANGUAGE_ANY, 365);
                Find find = { .start = 0, .end = (uint32_t)size, .kind = (uint8_t)kind };
                Buffer out = { 0 };
                replace_text(&replacer, &nobody, text, size, &find, 1, &out, NULL);
                assert_true(out.count < 64);
                buffer_free(&out);
                free(text);
            }
    finder_close(&finder);
    arena_free(work.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(scraps) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
