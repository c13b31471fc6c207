/* Bounds by one sum at a time: never narrower than those of all together, exact where sums tell them one after another. */
#include "cells.h"
#include "tabular/feasibility/shuttle.h"
#include "tabular/model.h"

static Error error;

static Status bounds_of(Work *work, const Box *b, bool whole, double *low, double *high, bool *possible) {
    Model m;
    box_shelve_as(b, whole ? "count" : "value", "t", true);
    assert_int_equal(model_make(work, shelf[0], "Total", &m), OK);
    for (int c = 0; c < b->cells; c++) {
        low[c] = b->hidden[c] ? 0 : b->value[c];
        high[c] = b->hidden[c] ? INFINITY : b->value[c];
    }
    return shuttle_bounds(work, &m.relations, &m.member, whole, low, high, possible);
}

static void random_tables(void **state) {
    (void)state;
    uint64_t seed = 29;
    int points = 0, ends = 0;
    for (int t = 0; t < 150; t++) {
        Work work = { .arena = arena_new(), .error = &error, .threads = 1 };
        double low[BOX_CELLS], high[BOX_CELLS];
        const bool whole = t % 2;
        bool possible;
        Box b;
        box_make(&b, t % 3 ? 3 : 2, (const int[]){ 2 + t % 2, 3, 2 }, 5, &seed);
        for (int c = 0; c < b.cells; c++) b.hidden[c] = 2 * (box_word(&seed) % 3 == 0);
        assert_int_equal(bounds_of(&work, &b, whole, low, high, &possible), OK);
        assert_true(possible);
        for (int c = 0; c < b.cells; c++) {
            if (!b.hidden[c]) continue;
            double least = box_bound(&b, c, false, -1, whole), most = box_bound(&b, c, true, -1, whole);
            assert_true(low[c] <= least + 1e-6 && high[c] >= most - 1e-6);
            points += high[c] - low[c] < 1e-6;
            ends += fabs(low[c] - least) < 1e-6 && fabs(high[c] - most) < 1e-6;
        }
        arena_free(work.arena);
    }
    assert_true(points > 100 && ends > 1000);
}

/* Fischetti & Salazar's table of 3 × 3. */
static void textbook(void **state) {
    (void)state;
    Work work = { .arena = arena_new(), .error = &error, .threads = 1 };
    double low[BOX_CELLS], high[BOX_CELLS];
    bool possible;
    Box b = { .dims = 2, .size = { 4, 4 }, .cells = 16, .value = { 190, 45, 101, 44, 80, 20, 50, 10, 49, 8, 19, 22, 61, 17, 32, 12 } };
    const int hidden[] = { 9, 11, 13, 15 };
    for (int i = 0; i < 4; i++) b.hidden[hidden[i]] = 2;
    assert_int_equal(bounds_of(&work, &b, false, low, high, &possible), OK);
    near(low[11], 5, 1e-9);
    near(high[11], 30, 1e-9);
    b.value[8] = 5; /* less than what the row shows */
    assert_int_equal(bounds_of(&work, &b, true, low, high, &possible), OK);
    assert_false(possible);
    arena_free(work.arena);
}

/* Two cells that sum to nothing are nothing, to the last digit, beside one of a hundred millions; so what they leave of their columns
 * follows. */
static void rounding(void **state) {
    (void)state;
    Work work = { .arena = arena_new(), .error = &error, .threads = 1 };
    double low[BOX_CELLS], high[BOX_CELLS];
    bool possible;
    Box b = { .dims = 2,
              .size = { 3, 4 },
              .cells = 12,
              .value = { 100000030, 10, 20, 100000000, 100000000, 0, 0, 100000000, 30, 10, 20, 0 } };
    const int hidden[] = { 5, 6, 9, 10 };
    for (int i = 0; i < 4; i++) b.hidden[hidden[i]] = 2;
    assert_int_equal(bounds_of(&work, &b, false, low, high, &possible), OK);
    assert_true(possible && low[5] == 0 && high[5] == 0 && low[6] == 0 && high[6] == 0);
    assert_true(low[9] == high[9] && low[10] == high[10]);
    near(low[9], 10, 1e-3);
    arena_free(work.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(random_tables), cmocka_unit_test(textbook), cmocka_unit_test(rounding) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
