/* Moves through the kernel of the relations against those of the ordinary program, on tables whose codes add up in several ways; and moves
 * that nothing bounds. */
#include "draws.h"
#include "testing.h"
#include <math.h>
#include <string.h>
#include "tabular/feasibility/attacker_problem.h"

enum { CODES = 9, SUMS = 6, CELLS = CODES * CODES * CODES, RELATIONS = 3 * SUMS * CODES * CODES, PARTS = 3 };
/* Codes 0–3 are leaves; 4 = 0 + 1, 5 = 2 + 3, 6 = 0 + 2, 7 = 1 + 3; 8 = 4 + 5 = 6 + 7. The total comes last. */
static const int sum[SUMS][PARTS] = { { 0, 1, 4 }, { 2, 3, 5 }, { 0, 2, 6 }, { 1, 3, 7 }, { 4, 5, 8 }, { 6, 7, 8 } };

static Error error;
static int64_t start[CELLS + 1];
static int32_t relation[CELLS * 3 * SUMS], cells[CELLS];
static double coefficient[CELLS * 3 * SUMS], low[CELLS], high[CELLS];
static uint64_t state = 19;

static int below(int n) { return draw_below(&state, n); }

/* The relations of every cell: along each of the three dimensions, with the other two codes as they are. */
static Memberships make_table(void) {
    static const int stride[] = { 1, CODES, CODES * CODES };
    int64_t n = 0;
    for (int c = 0; c < CELLS; c++) {
        start[c] = n;
        for (int d = 0; d < 3; d++) {
            int own = c / stride[d] % CODES, others = d == 0 ? c / CODES : d == 1 ? c % CODES + c / stride[2] * CODES : c % stride[2];
            for (int s = 0; s < SUMS; s++)
                for (int p = 0; p < PARTS; p++)
                    if (sum[s][p] == own) {
                        relation[n] = (d * SUMS + s) * CODES * CODES + others;
                        coefficient[n++] = p == 2 ? -1 : 1;
                    }
        }
    }
    start[CELLS] = n;
    return (Memberships){ .start = start, .relation = relation, .coefficient = coefficient };
}

static int64_t choose_cells(int share) {
    int64_t n = 0;
    for (int c = 0; c < CELLS; c++) {
        low[c] = below(100) ? 1 + below(50) : 0;
        high[c] = below(100) ? 1 + below(50) : 0;
        if (below(100) < share) cells[n++] = c;
    }
    return n;
}

static void check_move(const Memberships *m, const Move *move) {
    static double left[RELATIONS];
    memset(left, 0, sizeof left);
    for (int64_t k = 0; k < move->count; k++) {
        int32_t c = move->cell[k];
        assert_true(move->x[k] <= high[c] * (1 + 1e-9) && -move->x[k] <= low[c] * (1 + 1e-9));
        for (int64_t e = m->start[c]; e < m->start[c + 1]; e++) left[m->relation[e]] += m->coefficient[e] * move->x[k];
    }
    for (int r = 0; r < RELATIONS; r++) assert_true(fabs(left[r]) < 1e-6);
}

/* What a move is worth: the reward of its reach less what it costs. */
static double worth(const Move *move, int32_t cell, double reward) {
    double cost = 0;
    for (int64_t k = 0; k < move->count; k++)
        if (move->cell[k] != cell) cost += fabs(move->x[k]) * (1 + move->cell[k] % 7);
    return reward * move->reach - cost;
}

static void same_answers(void **unused) {
    (void)unused;
    error = ERROR_NONE;
    Work w = { .arena = arena_new(), .error = &error, .threads = 1 };
    const Memberships member = make_table();
    int moved = 0;
    for (int round = 0; round < 4; round++) {
        AttackerProblem *plain, *shorter;
        Move one, two;
        int64_t n = choose_cells(91 + 3 * (round % 4));
        assert_int_equal(attacker_new(&w, &member, cells, n, low, high, &plain), OK);
        assert_int_equal(attacker_new(&w, &member, cells, n, low, high, &shorter), OK);
        assert_int_equal(attacker_shorten(&w, shorter), OK);
        for (int64_t i = 0; i < n; i++) attacker_cost(plain, cells[i], 1 + cells[i] % 7, 1 + cells[i] % 7);
        for (int64_t i = 0; i < n; i++) attacker_cost(shorter, cells[i], 1 + cells[i] % 7, 1 + cells[i] % 7);
        for (int k = 0; k < 6; k++) {
            int32_t cell = cells[below((int)n)];
            bool up = below(2);
            assert_int_equal(attacker_limit(plain, cell, up, &one), OK);
            assert_int_equal(attacker_limit(shorter, cell, up, &two), OK);
            assert_int_equal(one.state, LP_OPTIMAL);
            assert_int_equal(two.state, LP_OPTIMAL);
            assert_true(fabs(one.reach - two.reach) < 1e-6 * (1 + one.reach));
            check_move(&member, &two);
            moved += two.reach > 1;
            double enough = one.reach / 2, best;
            assert_int_equal(attacker_push(plain, cell, up, enough, 1e5, &one), OK);
            best = worth(&one, cell, 1e5);
            assert_int_equal(attacker_push(shorter, cell, up, enough, 1e5, &two), OK);
            check_move(&member, &two);
            assert_true(fabs(two.reach - enough) < 1e-6 * (1 + enough));
            assert_true(worth(&two, cell, 1e5) > best - 0.011 * (1e5 * enough - best) - 1e-3); /* costs are uneven by a hundredth */
        }
        attacker_free(plain);
        attacker_free(shorter);
    }
    assert_true(moved > 10);
    arena_free(w.arena);
}

/* All cells free: there is no end to it; upwards only, each is held by those below it. */
static void no_end(void **unused) {
    (void)unused;
    error = ERROR_NONE;
    Work w = { .arena = arena_new(), .error = &error, .threads = 1 };
    const Memberships member = make_table();
    AttackerProblem *mover;
    Move move;
    for (int c = 0; c < CELLS; c++) {
        cells[c] = c;
        low[c] = c % 5;
        high[c] = INFINITY;
    }
    assert_int_equal(attacker_new(&w, &member, cells, CELLS, low, high, &mover), OK);
    assert_int_equal(attacker_shorten(&w, mover), OK);
    assert_int_equal(attacker_limit(mover, CELLS - 1, true, &move), OK);
    assert_int_equal(move.state, LP_UNBOUNDED);
    assert_int_equal(attacker_limit(mover, CELLS - 1, false, &move), OK);
    assert_int_equal(move.state, LP_OPTIMAL);
    assert_true(move.reach <= (CELLS - 1) % 5 + 1e-6);
    attacker_free(mover);
    arena_free(w.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(same_answers), cmocka_unit_test(no_end) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
