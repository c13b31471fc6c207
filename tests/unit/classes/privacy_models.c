/* l-diversity and t-closeness of classes: the review's tables, and the dense definitions. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "classes/privacy_models.h"
#include "table/group.h"
#include <cmocka.h> /* last: its fail() is a macro */

static Error error;
static Work work_new(void) {
    error = ERROR_NONE;
    return (Work){ .arena = arena_new(), .error = &error, .threads = 1 };
}

static Table *text_table(int64_t columns, int64_t rows, const char *const *cells) {
    Column *column[8];
    for (int64_t c = 0; c < columns; c++) {
        char name[2] = { (char)('a' + c), 0 };
        assert_int_equal(column_text(name, cells + c * rows, rows, &column[c], &error), OK);
    }
    Table *table;
    assert_int_equal(table_new("t", column, columns, rows, &table, &error), OK);
    for (int64_t c = 0; c < columns; c++) column_release(column[c]);
    return table;
}

/* The review's table 3B: classes MW (3), MB (4), FW (3). */
static const int32_t of[10] = { 0, 0, 0, 1, 1, 1, 1, 2, 2, 2 };
static const char *const disease[10] = { "Prostate Cancer", "Lung Cancer", "Gastritis",      "Lung Cancer",   "Gastric Ulcer",
                                         "Lung Cancer",     "Gastritis",   "Stomach Cancer", "Gastric Ulcer", "Gastritis" };

static void review_table_3b(void **state) {
    (void)state;
    Work work = work_new();
    Column *column;
    assert_int_equal(column_category("disease", disease, 10, &column, &error), OK);
    Codes codes;
    ClassTallies spread;
    Closeness closeness;
    assert_int_equal(column_codes(&work, column, &codes), OK);
    assert_int_equal(class_tallies_make(&work, of, 3, 10, &codes, &spread), OK);
    assert_int_equal(closeness_make(&work, EQUAL_DISTANCE, column, &codes, NULL, &closeness), OK);
    static const double t[3] = { 0.3, 0.25, 0.4 };
    for (int c = 0; c < 3; c++) {
        Tally tally = spread_tally(&spread, c);
        assert_int_equal(tally.distinct, 3);
        assert_float_equal(closeness_of(&closeness, &tally, NULL), t[c], 1e-12);
    }
    Tally first = spread_tally(&spread, 0), second = spread_tally(&spread, 1);
    int64_t scratch[4];
    assert_float_equal(entropy_l(&first), 3, 1e-12);
    assert_float_equal(entropy_l(&second), exp(-0.5 * log(0.5) - 0.5 * log(0.25)), 1e-12);
    assert_int_equal(recursive_l(&second, 1, scratch), 1);   /* 2 < 4; 2 < 2 fails */
    assert_int_equal(recursive_l(&second, 1.5, scratch), 2); /* 2 < 1.5·2; 2 < 1.5·1 fails */
    assert_int_equal(recursive_l(&second, 4, scratch), 3);
    assert_int_equal(recursive_l(&second, 0.5, scratch), 0);
    column_release(column);
    arena_free(work.arena);
}

/* Li et al.'s salary example: incomes 3k to 11k, classes {3,4,5} and {6,8,11}: ordered distances 0.375 and 0.167. */
static void li_salaries(void **state) {
    (void)state;
    Work work = work_new();
    Column *column;
    static const int64_t salary[9] = { 3, 4, 5, 6, 11, 8, 7, 9, 10 };
    static const int32_t class_of[9] = { 0, 0, 0, 1, 1, 1, 2, 2, 2 };
    assert_int_equal(column_new(INTEGER_TYPE, "s", 9, &column, &error), OK);
    memcpy(column->integer, salary, sizeof salary);
    Codes codes;
    ClassTallies spread;
    assert_int_equal(column_codes(&work, column, &codes), OK);
    assert_int_equal(class_tallies_make(&work, class_of, 3, 9, &codes, &spread), OK);
    for (Distance distance = ORDERED_DISTANCE; distance <= NUMERIC_DISTANCE; distance += 2) { /* equally spaced: both distances agree */
        Closeness closeness;
        assert_int_equal(closeness_make(&work, distance, column, &codes, NULL, &closeness), OK);
        Tally low = spread_tally(&spread, 0), wide = spread_tally(&spread, 1);
        assert_float_equal(closeness_of(&closeness, &low, NULL), 0.375, 1e-12);
        assert_float_equal(closeness_of(&closeness, &wide, NULL), 1.0 / 6, 1e-12);
    }
    column_release(column);
    arena_free(work.arena);
}

/* A dense evaluation of the tree distance, straight from the definition. */
static double dense_tree(const Hierarchy *h, const double *extra) {
    double cost = 0;
    bool rooted = h->level[h->levels - 1].count == 1;
    int64_t top = rooted ? h->levels - 1 : h->levels;
    double *below = calloc((size_t)h->leaves, sizeof *below);
    memcpy(below, extra, (size_t)h->leaves * sizeof *below);
    for (int64_t l = 1; l <= top; l++) {
        int32_t nodes = l < h->levels ? h->level[l].count : 1, children = h->level[l - 1].count;
        double *above = calloc((size_t)h->leaves, sizeof *above);
        for (int32_t n = 0; n < nodes; n++) {
            double plus = 0, minus = 0;
            for (int32_t k = 0; k < children; k++) {
                int32_t leaf = 0;
                while (h->level[l - 1].of[leaf] != k) leaf++;
                if ((l < h->levels ? h->level[l].of[leaf] : 0) != n) continue;
                if (below[k] > 0) plus += below[k];
                else minus -= below[k];
            }
            cost += fmin(plus, minus) * (double)l / (double)top;
            above[n] = plus - minus;
        }
        free(below);
        below = above;
    }
    free(below);
    return cost;
}

static void hierarchical_distance_is_the_definition(void **state) {
    (void)state;
    static const char *const cells[4][9] = { { "a", "b", "c", "d", "e", "f", "g", "h", "i" },
                                             { "x", "x", "y", "y", "y", "z", "z", "w", "w" },
                                             { "p", "p", "p", "p", "p", "q", "q", "q", "q" },
                                             { "*", "*", "*", "*", "*", "*", "*", "*", "*" } };
    for (int64_t levels = 3; levels <= 4; levels++)
        for (int missing = 0; missing < 2; missing++) {
            Work work = work_new();
            Table *table = text_table(levels, 9, &cells[0][0]);
            Hierarchy h;
            assert_int_equal(hierarchy_from_table(&work, table, "v", &h), OK);
            const char *value[60];
            int32_t class_of[60];
            uint64_t seed = 77;
            for (int i = 0; i < 60; i++) {
                value[i] = cells[0][word_hash(++seed) >> 32 & 7];
                if (missing && i % 13 == 0) value[i] = NULL;
                class_of[i] = i % 6;
            }
            Column *column;
            Codes codes;
            ClassTallies spread;
            Closeness closeness;
            assert_int_equal(column_category("v", value, 60, &column, &error), OK);
            assert_int_equal(column_codes(&work, column, &codes), OK);
            assert_int_equal(class_tallies_make(&work, class_of, 6, 60, &codes, &spread), OK);
            assert_int_equal(closeness_make(&work, HIERARCHICAL_DISTANCE, column, &codes, &h, &closeness), OK);
            double *scratch = calloc((size_t)closeness_scratch(&closeness), sizeof *scratch);
            for (int c = 0; c < 6; c++) {
                double extra[9] = { 0 }, here = 0, known = 0; /* missing values are in neither */
                for (int i = 0; i < 60; i++) {
                    here += value[i] && class_of[i] == c;
                    known += value[i] != NULL;
                }
                for (int i = 0; i < 60; i++)
                    if (value[i]) extra[value[i][0] - 'a'] += (class_of[i] == c ? 1 / here : 0) - 1 / known;
                Tally tally = spread_tally(&spread, c);
                assert_float_equal(closeness_of(&closeness, &tally, scratch), dense_tree(&h, extra), 1e-12);
            }
            free(scratch);
            column_release(column);
            table_release(table);
            arena_free(work.arena);
        }
}

static void missing_values_stand_apart(void **state) {
    (void)state;
    Work work = work_new();
    Column *column;
    Codes codes;
    ClassTallies spread;
    static const int32_t one[4] = { 0 };
    assert_int_equal(column_category("v", (const char *const[]){ "a", NULL, NULL, "b" }, 4, &column, &error), OK);
    assert_int_equal(column_codes(&work, column, &codes), OK);
    assert_int_equal(class_tallies_make(&work, one, 1, 4, &codes, &spread), OK);
    Tally tally = spread_tally(&spread, 0);
    assert_int_equal(tally.distinct, 3);
    assert_int_equal(tally.value[2], codes.count);
    assert_int_equal(tally.count[2], 2);
    Closeness closeness;
    for (Distance distance = EQUAL_DISTANCE; distance <= ORDERED_DISTANCE; distance++) {
        assert_int_equal(closeness_make(&work, distance, column, &codes, NULL, &closeness), OK);
        assert_float_equal(closeness_of(&closeness, &tally, NULL), 0, 1e-15); /* the class is the table */
        Tally a = { 2, 3, (int32_t[]){ 0, 2 }, (int64_t[]){ 1, 2 } }, none = { 1, 2, (int32_t[]){ 2 }, (int64_t[]){ 2 } };
        assert_float_equal(closeness_of(&closeness, &a, NULL), 0.5, 1e-15); /* a, and two that nobody knows, against a and b */
        assert_true(closeness_of(&closeness, &none, NULL) == 0);            /* nothing is said, nothing is learned */
    }
    column_release(column);
    arena_free(work.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(review_table_3b), cmocka_unit_test(li_salaries),
                                        cmocka_unit_test(hierarchical_distance_is_the_definition),
                                        cmocka_unit_test(missing_values_stand_apart) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
