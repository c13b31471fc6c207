/* Words in the order of their bytes: the order of strcmp, equal ones as they came. Lists by group. */
#include "base/random.h"
#include "base/sort.h"
#include <stdio.h>
#include <stdlib.h>
#include "testing.h"

enum { MOST = 3000, LONGEST = 40 };

/* `letters` of the alphabet from `first` on, words of up to `length` after a common beginning. */
static void check(uint64_t number, int64_t count, int letters, unsigned first, size_t length, const char *beginning) {
    static char store[MOST][LONGEST + 1];
    static const char *text[MOST];
    static uint64_t keys[2][MOST];
    static int32_t rows[2][MOST];
    Seed seed = seed_from_number(number);
    RandomStream stream = stream_make(&seed, "test", 0, "", "words");
    RandomReader reader = reader_make(&stream);
    size_t shared = strlen(beginning);
    for (int64_t i = 0; i < count; i++) {
        size_t own = (size_t)(reader_uniform(&reader) * (double)(length + 1));
        memcpy(store[i], beginning, shared);
        for (size_t b = 0; b < own; b++) store[i][shared + b] = (char)(first + (unsigned)(reader_uniform(&reader) * letters));
        store[i][shared + own] = 0;
        text[i] = store[i];
        rows[0][i] = (int32_t)i;
    }
    text_sort_here(text, (Keyed){ keys[0], rows[0] }, (Keyed){ keys[1], rows[1] }, count);
    for (int64_t i = 1; i < count; i++) {
        int order = strcmp(text[rows[0][i - 1]], text[rows[0][i]]);
        assert_true(order < 0 || (order == 0 && rows[0][i - 1] < rows[0][i]));
    }
}

static void as_strcmp(void **state) {
    (void)state;
    for (uint64_t n = 0; n < 60; n++) {
        check(n, n < 30 ? (int64_t)n : MOST, 1, 'a', 20, "");           /* one letter: all begin alike */
        check(n, n < 30 ? (int64_t)n : MOST, 2, 'a', 20, "[1000000,");  /* long ties */
        check(n, n < 30 ? (int64_t)n : MOST, 200, 55, 9, "");           /* bytes above 127 */
        check(n, n < 30 ? (int64_t)n : MOST, 10, '0', 3, "abcdefghij"); /* many equal ones */
    }
}

static int by_word(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Keys without rows: few, and more than one thread takes; with ties of their leading digits, and of all. */
static void keys_alone(void **state) {
    (void)state;
    Error error = { 0 };
    for (int64_t count = 0; count < 100000; count = count * 5 + 1)
        for (int kind = 0; kind < 3; kind++) {
            Work work = { .arena = arena_new(), .error = &error, .threads = 2 };
            uint64_t *key = malloc((size_t)(count + 1) * sizeof *key), *sorted = malloc((size_t)(count + 1) * sizeof *sorted);
            Seed seed = seed_from_number((uint64_t)count);
            RandomStream stream = stream_make(&seed, "test", 0, "", "keys");
            RandomReader reader = reader_make(&stream);
            for (int64_t i = 0; i < count; i++) {
                double drawn = reader_uniform(&reader);
                key[i] = kind == 0 ? (uint64_t)(drawn * 0x1p63) : kind == 1 ? (uint64_t)(drawn * 50) : real_key(drawn - 0.5);
            }
            memcpy(sorted, key, (size_t)count * sizeof *key);
            qsort(sorted, (size_t)count, sizeof *sorted, by_word);
            assert_int_equal(keyed_sort(&work, (Keyed){ key, NULL }, count), OK);
            assert_memory_equal(key, sorted, (size_t)count * sizeof *key);
            free(key), free(sorted);
            arena_free(work.arena);
        }
}

/* Groups 1, none, 3, 1, 0; nothing in group 2. */
static void by_group(void **state) {
    (void)state;
    const int32_t of[] = { 1, -1, 3, 1, 0 }, in_order[] = { 4, 0, 3, 2 };
    const int64_t starts[] = { 0, 1, 3, 3, 4 };
    int64_t start[4 + 2] = { 9, 9, 9, 9, 9, 9 };
    int32_t at[5];
    list_groups(of, 5, 4, start, at);
    assert_memory_equal(start, starts, sizeof starts);
    assert_memory_equal(at, in_order, sizeof in_order);
    list_groups(of, 0, 0, start, at);
    assert_int_equal(start[0], 0);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(as_strcmp), cmocka_unit_test(keys_alone), cmocka_unit_test(by_group) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
