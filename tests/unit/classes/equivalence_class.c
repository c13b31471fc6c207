/* Classes and frequencies: against counting every pair, the reference counts, and the edges. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "classes/equivalence_class.h"
#include "table/group.h"
#include <cmocka.h> /* last: its fail() is a macro */

static Error error;
static Work work_new(int threads) {
    error = ERROR_NONE;
    return (Work){ .arena = arena_new(), .error = &error, .threads = threads };
}

static Column *integers(const char *name, const int64_t *values, int64_t rows, int64_t missing) {
    Column *column;
    assert_int_equal(column_new(INTEGER_TYPE, name, rows, &column, &error), OK);
    assert_int_equal(column_need_valid(column, &error), OK);
    for (int64_t i = 0; i < rows; i++) {
        column->integer[i] = values[i];
        if (values[i] == missing) column_set_missing(column, i);
    }
    column_seal(column);
    return column;
}

static uint64_t next_word(uint64_t *state) { return word_hash(++*state) >> 20; }

/* n rows of `keys` random columns; values 0…top-1 times `step`, missing with chance share/100. */
static void random_keys(Column **out, int64_t keys, int64_t rows, uint64_t top, int64_t step, uint64_t share, uint64_t seed) {
    int64_t *values = malloc((size_t)rows * sizeof *values);
    for (int64_t key = 0; key < keys; key++) {
        for (int64_t i = 0; i < rows; i++) values[i] = next_word(&seed) % 100 < share ? -7 : (int64_t)(next_word(&seed) % top) * step;
        out[key] = integers("k", values, rows, -7);
    }
    free(values);
}

static bool rows_agree(Column **keys, int64_t count, int64_t a, int64_t b, MissingRule rule) {
    for (int64_t key = 0; key < count; key++) {
        bool lacks_a = column_missing(keys[key], a), lacks_b = column_missing(keys[key], b);
        if (lacks_a || lacks_b) {
            if (rule == CATEGORY_RULE && lacks_a != lacks_b) return false;
        } else if (column_integer(keys[key], a) != column_integer(keys[key], b)) return false;
    }
    return true;
}

static void check_against_pairs(int64_t keys, int64_t rows, uint64_t top, int64_t step, uint64_t share, int threads) {
    Work work = work_new(threads);
    Column *column[80];
    random_keys(column, keys, rows, top, step, share, (uint64_t)rows * 31 + top);
    Classes classes;
    assert_int_equal(classes_make(&work, (Columns){ keys, (const Column **)column }, &classes), OK);
    for (MissingRule rule = WILDCARD; rule <= CATEGORY_RULE; rule++) {
        Frequencies frequencies;
        assert_int_equal(classes_frequencies(&work, &classes, rule, NULL, &frequencies), OK);
        for (int64_t i = 0; i < rows; i++) {
            int64_t f = 0;
            for (int64_t j = 0; j < rows; j++) f += rows_agree(column, keys, i, j, rule);
            assert_int_equal(frequencies.f[classes.of[i]], f);
            assert_true(frequencies.F[classes.of[i]] == (double)f);
        }
    }
    for (int64_t key = 0; key < keys; key++) column_release(column[key]);
    arena_free(work.arena);
}

static void frequencies_equal_counting_every_pair(void **state) {
    (void)state;
    check_against_pairs(3, 400, 3, 1, 25, 2);
    check_against_pairs(5, 600, 4, 1, 8, 1);
    check_against_pairs(1, 100, 5, 1, 50, 1);
    check_against_pairs(2, 200, 3, 1, 0, 1);
    check_against_pairs(4, 100, 3, 1, 100, 1);
    check_against_pairs(20, 300, 60, 1000000007, 30, 2); /* the tuples do not fit one word */
    check_against_pairs(12, 500, 2, 1000000007, 20, 2);
    check_against_pairs(13, 300, 280, 1, 10, 2);
}

static void check_numbering(int64_t keys) {
    enum { ROWS = 200000 };
    int32_t *before = NULL;
    for (int threads = 1; threads <= 3; threads++) {
        Work work = work_new(threads);
        Column *column[6];
        random_keys(column, keys, ROWS, 70, 12345678901, 2, 5);
        Classes classes;
        assert_int_equal(classes_make(&work, (Columns){ keys, (const Column **)column }, &classes), OK);
        int64_t next = 0, total = 0;
        for (int64_t i = 0; i < ROWS; i++) {
            assert_true(classes.of[i] <= next);
            if (classes.of[i] == next) assert_int_equal(classes.first[next++], i);
            assert_true(rows_agree(column, keys, i, classes.first[classes.of[i]], CATEGORY_RULE));
        }
        assert_int_equal(next, classes.count);
        Members members;
        assert_int_equal(classes_members(&work, &classes, &members), OK);
        for (int64_t c = 0; c < classes.count; c++) {
            assert_int_equal(members.start[c + 1] - members.start[c], classes.size[c]);
            assert_int_equal(members.row[members.start[c]], classes.first[c]);
            total += classes.size[c];
        }
        assert_int_equal(total, ROWS);
        if (!before) before = malloc(ROWS * sizeof *before), memcpy(before, classes.of, ROWS * sizeof *before);
        assert_memory_equal(before, classes.of, ROWS * sizeof *before);
        for (int64_t key = 0; key < keys; key++) column_release(column[key]);
        arena_free(work.arena);
    }
    free(before);
}
static void numbering_is_by_first_appearance(void **state) {
    (void)state;
    check_numbering(3); /* tuples of 32 bits */
    check_numbering(6); /* of more */
}

static void small_and_large_ranges_number_alike(void **state) {
    (void)state;
    enum { ROWS = 50000 };
    Work work = work_new(2);
    uint64_t *word = malloc(ROWS * sizeof *word), seed = 9;
    for (int64_t i = 0; i < ROWS; i++) word[i] = next_word(&seed) % 3000;
    Grouping direct, hashed;
    assert_int_equal(group_words(&work, word, 3000, ROWS, &direct), OK);
    assert_int_equal(group_words(&work, word, 0, ROWS, &hashed), OK);
    assert_int_equal(direct.count, hashed.count);
    assert_memory_equal(direct.of, hashed.of, ROWS * sizeof *direct.of);
    assert_memory_equal(direct.size, hashed.size, (size_t)direct.count * sizeof *direct.size);
    free(word);
    arena_free(work.arena);
}

/* Tuples that fill 32 bits to the last, and that go one key's value beyond: two that differ by 2^32 are two. */
static void tuples_around_32_bits(void **state) {
    (void)state;
    static const int32_t first[] = { -1, 65534, 65534, -1, 65534 };
    for (int beyond = 0; beyond < 2; beyond++) {
        int32_t second[] = { -1, 0, 65534 + beyond, -1, 0 };
        Codes codes[] = { { .count = 65535, .at = first }, { .count = 65535 + beyond, .at = second } };
        Work work = work_new(2);
        Grouping groups;
        assert_int_equal(group_codes(&work, codes, 2, 5, &groups), OK);
        assert_int_equal(groups.count, 3);
        assert_memory_equal(groups.of, ((int32_t[]){ 0, 1, 2, 0, 1 }), 5 * sizeof(int32_t));
        assert_memory_equal(groups.first, ((int32_t[]){ 0, 1, 2 }), 3 * sizeof(int32_t));
        assert_memory_equal(groups.size, ((int64_t[]){ 2, 2, 1 }), 3 * sizeof(int64_t));
        arena_free(work.arena);
    }
}

static void edges(void **state) {
    (void)state;
    Work work = work_new(1);
    Classes classes;
    Frequencies frequencies;
    Column *empty = integers("k", NULL, 0, 0);
    assert_int_equal(classes_make(&work, (Columns){ 1, (const Column *[]){ empty } }, &classes), OK);
    assert_int_equal(classes.count, 0);
    assert_int_equal(classes_frequencies(&work, &classes, WILDCARD, NULL, &frequencies), OK);
    Column *one = integers("k", (int64_t[]){ 5 }, 1, 5);
    assert_int_equal(classes_make(&work, (Columns){ 1, (const Column *[]){ one } }, &classes), OK);
    assert_int_equal(classes.count, 1);
    assert_true(classes.any_missing);
    assert_int_equal(classes_frequencies(&work, &classes, WILDCARD, NULL, &frequencies), OK);
    assert_int_equal(frequencies.f[0], 1);
    column_release(empty);
    column_release(one);
    arena_free(work.arena);
}

/* francdat of the individual-risk papers: keys 1 to 4 and the weight. */
static void francdat(void **state) {
    (void)state;
    Work work = work_new(1);
    static const int64_t key[4][8] = { { 1, 1, 1, 3, 4, 4, 6, 1 },
                                       { 2, 2, 2, 3, 3, 3, 2, 2 },
                                       { 5, 1, 1, 1, 1, 1, 1, 5 },
                                       { 1, 1, 1, 5, 4, 1, 5, 1 } };
    static const double w[8] = { 18, 45.5, 39, 17, 541, 8, 5, 92 }, F[8] = { 110, 84.5, 84.5, 17, 541, 8, 5, 110 };
    static const int64_t f[8] = { 2, 2, 2, 1, 1, 1, 1, 2 };
    Column *column[4], *weight;
    for (int k = 0; k < 4; k++) column[k] = integers("k", key[k], 8, -1);
    assert_int_equal(column_new(REAL_TYPE, "w", 8, &weight, &error), OK);
    memcpy(weight->real, w, sizeof w);
    Classes classes;
    Frequencies frequencies;
    assert_int_equal(classes_make(&work, (Columns){ 4, (const Column **)column }, &classes), OK);
    assert_int_equal(classes_frequencies(&work, &classes, WILDCARD, weight, &frequencies), OK);
    for (int i = 0; i < 8; i++) {
        assert_int_equal(frequencies.f[classes.of[i]], f[i]);
        assert_true(frequencies.F[classes.of[i]] == F[i]);
    }
    for (int k = 0; k < 4; k++) column_release(column[k]);
    column_release(weight);
    arena_free(work.arena);
}

static double cell(char **at) { /* the next field of a line; NA is -1 */
    char *end = *at + strcspn(*at, ",\r\n");
    double value = !strncmp(*at, "NA", 2) || end == *at ? -1 : strtod(*at, NULL);
    *at = *end == ',' ? end + 1 : end;
    return value;
}

static void reference_with_missing_keys(void **state) {
    (void)state;
    FILE *input = fopen("../shared/reference/sdcmicro/na_wildcard_input.csv", "r"),
         *answer = fopen("../shared/reference/sdcmicro/na_wildcard_freq.csv", "r");
    if (!input || !answer) skip();
    enum { MOST = 5000 };
    static int64_t key[3][MOST];
    static double w[MOST];
    char line[400], other[400];
    int64_t rows = 0;
    assert_non_null(fgets(line, sizeof line, input));
    while (fgets(line, sizeof line, input)) {
        char *at = line;
        for (int k = 0; k < 3; k++) key[k][rows] = (int64_t)cell(&at);
        w[rows++] = cell(&at);
    }
    Work work = work_new(2);
    Column *column[3], *weight;
    for (int k = 0; k < 3; k++) column[k] = integers("k", key[k], rows, -1);
    assert_int_equal(column_new(REAL_TYPE, "w", rows, &weight, &error), OK);
    memcpy(weight->real, w, (size_t)rows * sizeof *w);
    Classes classes;
    Frequencies frequencies;
    assert_int_equal(classes_make(&work, (Columns){ 3, (const Column **)column }, &classes), OK);
    assert_int_equal(classes_frequencies(&work, &classes, WILDCARD, weight, &frequencies), OK);
    assert_non_null(fgets(other, sizeof other, answer));
    for (int64_t i = 0; i < rows; i++) {
        assert_non_null(fgets(other, sizeof other, answer));
        char *at = other;
        cell(&at), cell(&at);
        assert_int_equal(frequencies.f[classes.of[i]], (int64_t)cell(&at));
        assert_float_equal(frequencies.F[classes.of[i]], cell(&at), 1e-6);
    }
    for (int k = 0; k < 3; k++) column_release(column[k]);
    column_release(weight);
    arena_free(work.arena);
    fclose(input);
    fclose(answer);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frequencies_equal_counting_every_pair),
        cmocka_unit_test(numbering_is_by_first_appearance),
        cmocka_unit_test(small_and_large_ranges_number_alike),
        cmocka_unit_test(tuples_around_32_bits),
        cmocka_unit_test(edges),
        cmocka_unit_test(francdat),
        cmocka_unit_test(reference_with_missing_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
