/* National numbers of share/scrub/national.txt: every example is found and passes its check, a changed one does not, bad lines are told. */
#include <string.h>
#include "testing.h"
#include "prose/lists.h"
#include "prose/national_numbers.h"

static bool passes(const char *check, const char *text) { return national_check(check, text, strlen(text)); }

static void checks(void **state) {
    (void)state;
    assert_true(passes("none", "anything"));
    assert_true(passes("luhn", "811218-9876") && !passes("luhn", "811218-9875"));
    static const char ahv[] = "mod 10 1 3 1 3 1 3 1 3 1 3 1 3 1";
    assert_true(passes(ahv, "756.9217.0769.85") && !passes(ahv, "756.9217.0769.84"));
    static const char hetu[] = "letter 31 0123456789ABCDEFHJKLMNPRSTUVWXY";
    assert_true(passes(hetu, "131052-308T") && !passes(hetu, "131052-308U") && !passes(hetu, "131053-308T"));
    assert_true(passes("letter 23 TRWAGMYFPDXBNJZSQVHLCKE", "12345678Z"));
    static const char two[] = "mod 11 3 7 6 1 8 9 4 5 2 1 0 & mod 11 5 4 3 2 7 6 5 4 3 2 1";
    assert_true(passes(two, "15067210260") && !passes(two, "15067210261") && !passes(two, "15067210250"));
    assert_false(passes("mod 11 1 2", "12 3")); /* more digits than weights */
    assert_false(passes("mod 11 1 2 3", "55")); /* fewer */
    assert_false(passes("mod 1 1", "5") || passes("letter 31 ABC", "12A") || passes("sum 3", "12") || passes("letter 3 ABC", ""));
}

static Status read(const char *text, NationalNumber *out, int *count, Error *error) {
    Arena *arena = arena_new();
    Work work = { .arena = arena, .error = error };
    Status status = national_numbers_read(&work, text, out, count);
    arena_free(arena);
    return status;
}

static void lines(void **state) {
    (void)state;
    NationalNumber number[NATIONAL_MOST];
    Error error = { 0 };
    int count = -1;
    assert_int_equal(read("# a comment\nXX number\t\\d{3}\tmod 10 1 1 1\tcue\t127\n", number, &count, &error), OK);
    assert_int_equal(count, 1);
    assert_int_equal(read("XX\t\\d{3}\tnone\tcue\n", number, &count, &error), BAD);
    assert_int_equal(read("XX\t\\d{3}\tnone\tsometimes\t127\n", number, &count, &error), BAD);
    assert_int_equal(read("XX\t\\d{3}\tmod 10 1 1 1\tcue\t128\n", number, &count, &error), BAD);
    assert_int_equal(read("XX\t\t\tcue\t128\n", number, &count, &error), BAD);
    assert_int_equal(read("XX\t\\d\tnone\tcue\t1\tmore\n", number, &count, &error), BAD);
    assert_int_equal(read(lists_file("national"), number, &count, &error), OK);
    assert_true(count > 10);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(checks), cmocka_unit_test(lines) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
