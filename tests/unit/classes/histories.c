/* Histories: candidates against every set of records of every person, listed and searched. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include "classes/histories.h"
#include "table/group.h"
#include <cmocka.h> /* last: its fail() is a macro */

enum { ROWS = 14, KINDS = 4, PEOPLE = 6 };
static Error error;
static uint64_t state;
static uint64_t next_word(void) { return word_hash(++state) >> 20; }

static Column *column_of(const char *name, const int64_t *values, int64_t rows) {
    Column *column;
    assert_int_equal(column_new(INTEGER_TYPE, name, rows, &column, &error), OK);
    assert_int_equal(column_need_valid(column, &error), OK);
    for (int64_t i = 0; i < rows; i++) {
        column->integer[i] = values[i];
        if (values[i] < 0) column_set_missing(column, i);
    }
    column_seal(column);
    return column;
}

/* A missing person is a person of its own. */
static bool same_person(const int64_t *who, int64_t a, int64_t b) { return a == b || (who[a] >= 0 && who[a] == who[b]); }
static bool first_of_person(const int64_t *who, int64_t i) {
    for (int64_t j = 0; j < i; j++)
        if (same_person(who, i, j)) return false;
    return true;
}

static void count_kinds(const int64_t *who, const int64_t *key, int64_t rows, int64_t person, unsigned mask, int64_t count[KINDS + 1]) {
    for (int v = 0; v <= KINDS; v++) count[v] = 0;
    for (int64_t i = 0; i < rows; i++)
        if (same_person(who, person, i) && (mask >> i & 1)) count[key[i] < 0 ? KINDS : key[i]]++;
}

/* By the definition: over all sets of so many of the person's records the fewest people whose history has them. */
static int64_t by_every_set(const int64_t *who, const int64_t *key, int64_t rows, int64_t person, int64_t knows) {
    int64_t least = INT64_MAX, own = 0, set[KINDS + 1], other[KINDS + 1];
    for (int64_t i = 0; i < rows; i++) own += same_person(who, person, i);
    int64_t size = knows == KNOWS_ALL || knows > own ? own : knows;
    for (unsigned mask = 0; mask < 1u << rows; mask++) {
        int64_t chosen = 0, people = 0;
        bool inside = true;
        for (int64_t i = 0; i < rows; i++) {
            if (!(mask >> i & 1)) continue;
            inside &= same_person(who, person, i);
            chosen++;
        }
        if (!inside || chosen != size) continue;
        count_kinds(who, key, rows, person, mask, set);
        for (int64_t i = 0; i < rows; i++) {
            bool fits = first_of_person(who, i);
            count_kinds(who, key, rows, i, ~0u, other);
            for (int v = 0; v <= KINDS && fits; v++) fits = knows == KNOWS_ALL ? other[v] == set[v] : other[v] >= set[v];
            people += fits;
        }
        if (people < least) least = people;
    }
    return least;
}

static void one_table(int64_t rows, int64_t *found) {
    static const int64_t knows[] = { 1, 2, 3, 5, KNOWS_ALL };
    Work work = { .arena = arena_new(), .error = &error, .threads = 1 };
    int64_t who[ROWS], key[ROWS];
    Classes classes;
    Histories h;
    for (int64_t i = 0; i < rows; i++) {
        who[i] = (int64_t)(next_word() % (PEOPLE + 1)) - 1;
        key[i] = (int64_t)(next_word() % (KINDS + 1)) - 1;
    }
    Column *person = column_of("who", who, rows), *keys = column_of("key", key, rows);
    assert_int_equal(classes_make_by(&work, (Columns){ 1, (const Column **)&keys }, CATEGORY_RULE, &classes), OK);
    assert_int_equal(histories_make(&work, &classes, person, &h), OK);
    for (size_t n = 0; n < sizeof knows / sizeof *knows; n++) {
        KnownPeople listed, searched;
        PeopleCounts counts;
        int64_t k = INT64_MAX, uniques = 0, people = 0;
        assert_int_equal(histories_candidates(&work, &h, classes.count, knows[n], KNOWN_SETS_MOST, &listed), OK);
        assert_int_equal(histories_candidates(&work, &h, classes.count, knows[n], 0, &searched), OK);
        assert_int_equal(people_counts(&work, &h, classes.count, knows[n], &counts), OK);
        assert_false(listed.sampled || searched.bounded);
        for (int64_t i = 0; i < rows; i++) {
            int64_t truth = by_every_set(who, key, rows, i, knows[n]);
            assert_int_equal(listed.candidates[h.of[i]], truth);
            assert_int_equal(searched.candidates[h.of[i]], truth);
            if (!first_of_person(who, i)) continue;
            people++;
            uniques += truth == 1;
            k = truth < k ? truth : k;
        }
        assert_int_equal(counts.people, people);
        assert_int_equal(h.people, people);
        assert_int_equal(counts.k, k);
        assert_int_equal(counts.uniques, uniques);
        *found += uniques;
    }
    column_release(person);
    column_release(keys);
    arena_free(work.arena);
}

static void against_every_set(void **unused) {
    int64_t found = 0;
    (void)unused;
    for (int round = 0; round < 120; round++) one_table(1 + round % (ROWS - 3), &found);
    assert_true(found > 100);
}

static void frequencies_and_shares(void **unused) {
    (void)unused;
    Work work = { .arena = arena_new(), .error = &error, .threads = 1 };
    const int64_t who[] = { 1, 1, 1, 2, 2, -1 }, key[] = { 0, 0, 1, 0, 1, 0 }, weight[] = { 10, 20, 5, 40, 7, 3 };
    Column *person = column_of("who", who, 6), *keys = column_of("key", key, 6), *w = column_of("w", weight, 6);
    Classes classes;
    Histories h;
    Frequencies f;
    assert_int_equal(classes_make_by(&work, (Columns){ 1, (const Column **)&keys }, CATEGORY_RULE, &classes), OK);
    assert_int_equal(histories_make(&work, &classes, person, &h), OK);
    assert_int_equal(histories_frequencies(&work, &h, &classes, w, &f), OK);
    assert_int_equal(h.people, 3);
    assert_true(f.f[0] == 3 && f.F[0] == 15 + 40 + 3);
    assert_true(f.f[1] == 2 && f.F[1] == 5 + 7);
    assert_true(largest_share(&h, &classes) == 0.5);
    column_release(person);
    column_release(keys);
    column_release(w);
    arena_free(work.arena);
}

static void words_of_knows(void **unused) {
    (void)unused;
    int64_t knows;
    assert_true(knows_read("one", &knows, &error) == OK && knows == 1);
    assert_true(knows_read("all", &knows, &error) == OK && knows == KNOWS_ALL);
    assert_true(knows_read("3", &knows, &error) == OK && knows == 3);
    assert_int_equal(knows_read("0", &knows, &error), BAD);
    assert_int_equal(knows_read("two", &knows, &error), BAD);
    assert_int_equal(knows_read("2x", &knows, &error), BAD);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(against_every_set), cmocka_unit_test(frequencies_and_shares),
                                        cmocka_unit_test(words_of_knows) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
