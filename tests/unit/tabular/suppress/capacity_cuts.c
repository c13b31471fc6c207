/* The inequalities of branch and cut on tables so small that every pattern can be tried: no pattern that protects breaks one, and every
 * pattern that does not is cut off. */
#include "draws.h"
#include "methods.h"
#include "tabular/suppress/capacity_cuts.h"

enum { ROWS = 3, COLUMNS = 4, CELLS = ROWS * COLUMNS };
static uint64_t seed = 5;
static Error error;
static uint8_t safe[1 << CELLS]; /* by pattern, a bit for each cell */

static int below(int n) { return draw_below(&seed, n); }

/* A table of 2 × 3 with its margins, some cells primary; small bounds leave some of them little room. */
static Table *draw_table(void) {
    char text[1024];
    int value[ROWS][COLUMNS] = { { 0 } },
        n = sprintf(text, "r,c,value,status,lower,upper,protection_lower,protection_upper,protection_either\n");
    for (int r = 1; r < ROWS; r++)
        for (int c = 1; c < COLUMNS; c++) {
            int v = value[r][c] = 1 + below(9);
            value[r][0] += v;
            value[0][c] += v;
            value[0][0] += v;
        }
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++) {
            bool primary = r && c && !below(3);
            char row[8] = "Total", column[8] = "Total";
            if (r) sprintf(row, "r%d", r);
            if (c) sprintf(column, "c%d", c);
            int both = primary && below(2) ? 1 + below(4) : 0, either = primary && !both ? 1 + below(4) : 0;
            n += sprintf(text + n, "%s,%s,%d,%s,%d,%d,%d,%d,%d\n", row, column, value[r][c], primary ? "primary" : "open",
                         below(3) ? 0 : value[r][c] - 1, value[r][c] + (below(3) ? 50 : 2), both, both, either);
        }
    return table_from("t", text);
}

/* Three people: in a third of the cells one of them is alone or has a part, in some two have. */
static void draw_contributors(const Model *m, Contributors *c) {
    static int64_t cell_start[CELLS + 1], who_start[4];
    static Share of_cell[2 * CELLS], of_who[2 * CELLS];
    static uint8_t alone[CELLS];
    static double unnamed[CELLS], count[CELLS];
    int64_t n = 0;
    for (int i = 0; i < CELLS; i++) {
        int who = below(3), shares = below(3) ? 0 : 1 + below(2);
        alone[i] = shares == 1 && below(2);
        for (int k = 0; k < shares; k++) of_cell[n++] = (Share){ (who + k) % 3, alone[i] ? m->value[i] : m->value[i] / (2 + k) };
        unnamed[i] = below(4) || !shares ? 0 : m->value[i] / 4;
        count[i] = shares + (unnamed[i] > 0);
        cell_start[i + 1] = n;
    }
    n = 0;
    for (int who = 0; who < 3; who++) {
        for (int i = 0; i < CELLS; i++)
            for (int64_t k = cell_start[i]; k < cell_start[i + 1]; k++)
                if (of_cell[k].other == who) of_who[n++] = (Share){ i, of_cell[k].own };
        who_start[who + 1] = n;
    }
    *c = (Contributors){ .people = 3,
                         .named = true,
                         .bounds = true,
                         .cell_start = cell_start,
                         .of_cell = of_cell,
                         .who_start = who_start,
                         .of_who = of_who,
                         .alone = alone,
                         .unnamed = unnamed,
                         .count = count };
}

/* The cells of the pattern are hidden: does every primary one move as far as it must, for everybody? */
static bool protects(Pattern *pattern, int bits) {
    int64_t failing;
    for (int i = 0; i < CELLS; i++) pattern->hidden[i] = pattern->m->status[i] == CELL_PRIMARY || bits >> i & 1;
    pattern_forget(pattern);
    assert_int_equal(pattern_prove(pattern, false, &failing), OK);
    return !failing;
}

static void try_patterns(Pattern *pattern) {
    for (int bits = 0; bits < 1 << CELLS; bits++) {
        bool plain = true; /* of cells that are a choice */
        for (int i = 0; i < CELLS && plain; i++) plain = !(bits >> i & 1) || (pattern->may[i] && pattern->m->status[i] != CELL_PRIMARY);
        safe[bits] = plain ? 1 + protects(pattern, bits) : 0;
    }
}

static void check_cuts(const Cuts *cuts, int64_t from, const Pattern *pattern) {
    for (int64_t c = from; c < cuts->count; c++)
        for (int bits = 0; bits < 1 << CELLS; bits++) {
            double reach = 0;
            if (safe[bits] != 2) continue;
            for (int32_t k = 0; k < cuts->at[c].count; k++) {
                assert_true(pattern->m->status[cuts->at[c].cell[k]] != CELL_PRIMARY);
                reach += (bits >> cuts->at[c].cell[k] & 1) * cuts->at[c].coefficient[k];
            }
            assert_true(reach > 1 - 1e-9);
        }
}

static void set_pattern(Separator *q, const Pattern *pattern, int bits, bool fractions) {
    for (int i = 0; i < CELLS; i++)
        q->s[i] = pattern->m->status[i] == CELL_PRIMARY ? 1
                  : !pattern->may[i]                    ? 0
                  : fractions                           ? (below(3) ? below(101) / 100.0 : below(2))
                                                        : bits >> i & 1;
}

static void judge(Pattern *pattern, int64_t *unsafe) {
    Cuts cuts = { 0 };
    Separator q;
    int64_t added;
    assert_int_equal(separator_make(pattern, &cuts, &q), OK);
    for (int bits = 0; bits < 1 << CELLS; bits += 1 + below(60)) {
        int64_t from = cuts.count;
        set_pattern(&q, pattern, bits, false);
        if (safe[bits]) {
            assert_int_equal(separator_run(&q, 150, &added), OK);
            assert_int_equal(added > 0, safe[bits] == 1);
            *unsafe += safe[bits] == 1;
        }
        set_pattern(&q, pattern, 0, true);
        assert_int_equal(separator_run(&q, 150, &added), OK);
        assert_int_equal(separator_cover(&q, from, &added), OK);
        check_cuts(&cuts, from, pattern);
    }
}

static void every_pattern(void **state) {
    (void)state;
    int64_t unsafe = 0;
    for (int t = 0; t < 30; t++) {
        Work work = { .arena = arena_new(), .error = &error, .threads = 1 };
        Contributors contributors;
        double cost[CELLS];
        Model m;
        Pattern pattern = { 0 };
        assert_int_equal(model_make(&work, draw_table(), "Total", &m), OK);
        m.whole = false; /* inequalities are of real numbers */
        for (int i = 0; i < CELLS; i++) cost[i] = 1 + below(9);
        draw_contributors(&m, &contributors);
        assert_int_equal(pattern_make(&work, &m, cost, NULL, t % 2 ? &contributors : NULL, false, &pattern), OK);
        try_patterns(&pattern);
        judge(&pattern, &unsafe);
        pattern_free(&pattern);
        arena_free(work.arena);
    }
    assert_true(unsafe > 300);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(every_pattern) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
