/* Permutations by a sort of words, and the first of them as a set. */
#include <stdlib.h>
#include <string.h>
#include "testing.h"
#include "base/random.h"

static const uint64_t *sorting;
static int by_word(const void *a, const void *b) {
    int64_t i = *(const int64_t *)a, j = *(const int64_t *)b;
    if (sorting[i] != sorting[j]) return sorting[i] < sorting[j] ? -1 : 1;
    return (i > j) - (i < j);
}

static void check(int64_t n, int threads) {
    Error error = ERROR_NONE;
    Work work = { .arena = arena_new(), .error = &error, .threads = threads };
    Seed seed = seed_from_number((uint64_t)n);
    RandomStream stream = stream_make(&seed, "test", 0, "", "permutation");
    uint64_t *word = calloc((size_t)n + 1, sizeof *word), *chosen = calloc((size_t)n / 64 + 1, sizeof *chosen);
    int64_t *wanted = calloc((size_t)n + 1, sizeof *wanted), *order = calloc((size_t)n + 1, sizeof *order);
    bool *in = calloc((size_t)n + 1, 1);
    stream_words(&stream, 0, (size_t)n, word);
    for (int64_t i = 0; i < n; i++) wanted[i] = i;
    sorting = word;
    qsort(wanted, (size_t)n, sizeof *wanted, by_word);
    assert_int_equal(stream_permutation(&work, &stream, n, order), OK);
    assert_memory_equal(order, wanted, (size_t)n * sizeof *order);
    int64_t counts[] = { 0, 1, n / 3, n - 1, n };
    for (int c = 0; c < 5; c++) {
        if (counts[c] < 0 || counts[c] > n) continue;
        assert_int_equal(stream_choose(&work, &stream, n, counts[c], chosen), OK);
        memset(in, 0, (size_t)n + 1);
        for (int64_t i = 0; i < counts[c]; i++) in[wanted[i]] = true;
        for (int64_t i = 0; i < n; i++) assert_int_equal(chosen[i >> 6] >> (i & 63) & 1, in[i]);
    }
    arena_free(work.arena);
    free(word);
    free(chosen);
    free(wanted);
    free(order);
    free(in);
}

static void permutations_sort_words(void **state) {
    (void)state;
    for (int64_t n = 0; n < 200000; n = n * 3 + 1) {
        check(n, 1);
        check(n, 3);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(permutations_sort_words) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
