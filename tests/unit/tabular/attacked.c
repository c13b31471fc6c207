/* A thousand random tables of two and three dimensions with totals, up to 6 × 6 × 4, counts and magnitudes: what suppression gives out is
 * attacked, and the audit's intervals are checked, by a simplex method that stands here alone: of the program's own code it uses nothing.
 */
#include "cells.h"

enum { ROWS = 3 * BOX_CELLS };
static const double NEAR = 1e-7;

/* A y = b, y ≥ 0 in the hidden cells y, solved for its basic ones: y[basis[i]] = … − Σ a[i][j] y[j] over the others. */
typedef struct Simplex {
    int rows, n, cell[BOX_CELLS], place[BOX_CELLS]; /* the hidden cells */
    int basis[ROWS], row_of[BOX_CELLS];
    double a[ROWS][BOX_CELLS], y[BOX_CELLS];
} Simplex;
static Simplex s;
static double least_hidden; /* what everybody knows of a hidden cell: 1 in counts, whose empty cells are published, 0 in sums */

static void pivot(int row, int column) {
    double *p = s.a[row], by = p[column];
    for (int j = 0; j < s.n; j++) p[j] /= by;
    p[column] = 1;
    for (int i = 0; i < s.rows; i++) {
        double times = s.a[i][column];
        if (i == row || times == 0) continue;
        for (int j = 0; j < s.n; j++) {
            s.a[i][j] -= times * p[j];
            if (fabs(s.a[i][j]) < 1e-11) s.a[i][j] = 0;
        }
        s.a[i][column] = 0;
    }
    if (s.basis[row] >= 0) s.row_of[s.basis[row]] = -1;
    s.basis[row] = column;
    s.row_of[column] = row;
}

/* Moves column j by `way` (1 up, −1 down to 0) until something reaches 0; whether it goes on for ever. A basic one that stops it leaves. */
static bool go(int j, int way) {
    double step = way > 0 ? INFINITY : s.y[j];
    int stop = -1;
    for (int i = 0; i < s.rows; i++) {
        double slope = s.a[i][j] * way; /* how fast the basic one falls */
        if (slope < NEAR) continue;
        double most = s.y[s.basis[i]] / slope;
        if (most < step - 1e-12 || (stop >= 0 && most <= step && s.basis[i] < s.basis[stop])) {
            step = most;
            stop = i;
        }
    }
    if (isinf(step)) return true;
    for (int i = 0; i < s.rows; i++) s.y[s.basis[i]] -= step * way * s.a[i][j];
    s.y[j] += step * way;
    if (stop >= 0) {
        s.y[s.basis[stop]] = 0;
        pivot(stop, j);
    } else s.y[j] = 0;
    return false;
}

/* Sums of hidden cells, freed of those that follow from others; then the true table is led to a corner. known: cells whose values the
 * intruder holds beside what is published. */
static void prepare(const Box *b, const bool *known) {
    s.n = s.rows = 0;
    for (int c = 0; c < b->cells; c++) {
        s.place[c] = b->hidden[c] && !(known && known[c]) ? s.n : -1;
        if (s.place[c] >= 0) s.cell[s.n++] = c;
    }
    for (int j = 0; j < s.n; j++) {
        s.y[j] = b->value[s.cell[j]] - least_hidden;
        s.row_of[j] = -1;
    }
    for (int c = 0; c < b->cells; c++)
        for (int d = 0; d < b->dims; d++) {
            int code[3];
            box_codes(b, c, code);
            if (code[d]) continue;
            double *row = s.a[s.rows];
            for (int j = 0; j < s.n; j++) row[j] = 0;
            if (s.place[c] >= 0) row[s.place[c]] = -1;
            while (++code[d] < b->size[d])
                if (s.place[box_cell(b, code)] >= 0) row[s.place[box_cell(b, code)]] = 1;
            for (int i = 0; i < s.rows; i++) {
                double times = row[s.basis[i]];
                for (int j = 0; j < s.n && times != 0; j++) row[j] -= times * s.a[i][j];
            }
            int best = -1;
            for (int j = 0; j < s.n; j++)
                if (fabs(row[j]) > NEAR && (best < 0 || fabs(row[j]) > fabs(row[best]))) best = j;
            if (best < 0) continue;
            s.basis[s.rows++] = -1;
            pivot(s.rows - 1, best);
        }
    for (int j = 0; j < s.n; j++)
        if (s.row_of[j] < 0 && s.y[j] > 0) assert_true(!go(j, -1));
}

/* The most (or least) of a hidden cell: while a column can raise it, the first such one is taken (Bland), so that it ends. */
static double bound(int cell, bool most) {
    int p = s.place[cell];
    for (int steps = 0; steps < 100000; steps++) {
        int enter = -1;
        for (int j = 0; j < s.n && enter < 0; j++) {
            if (s.row_of[j] >= 0) continue;
            double rate = j == p ? 1 : s.row_of[p] >= 0 ? -s.a[s.row_of[p]][j] : 0;
            if ((most ? rate : -rate) > NEAR) enter = j;
        }
        if (enter < 0 || (!most && enter == p)) return s.y[p] + least_hidden;
        if (go(enter, 1)) return INFINITY;
    }
    fail_msg("the test's own program does not end");
    return NAN;
}

static double need(const Box *b, int cell, bool reals) { return reals ? b->value[cell] / 10.0 : 1; }

/* It must be able to be something else: a count by one, a sum by a tenth, above or below. */
static bool is_exposed(const Box *b, int cell, bool reals) {
    double v = b->value[cell];
    return fmax(v - bound(cell, false), bound(cell, true) - v) < need(b, cell, reals) - 1e-6;
}

/* Is the finest cell part of the other one? */
static bool under(const Box *b, int leaf, int cell) {
    int of[3], code[3];
    box_codes(b, leaf, of);
    box_codes(b, cell, code);
    for (int d = 0; d < b->dims; d++)
        if (!of[d] || (code[d] && code[d] != of[d])) return false;
    return true;
}

static void attack(const Box *b, int t, bool reals) {
    prepare(b, NULL);
    for (int c = 0; c < b->cells; c++)
        if (b->hidden[c] == 1 && is_exposed(b, c, reals)) fail_msg("table %d: cell %d is exposed to everybody", t, c);
}

/* Somebody who is alone in a finest cell knows every count of one that it is part of. */
static int attack_from_within(const Box *b, int t) {
    int attackers = 0;
    for (int leaf = t % b->cells, seen = 0; seen < b->cells && attackers < 2; seen++, leaf = (leaf + 1) % b->cells) {
        bool known[BOX_CELLS];
        if (b->value[leaf] != 1 || !b->hidden[leaf] || !under(b, leaf, leaf)) continue;
        for (int c = 0; c < b->cells; c++) known[c] = b->value[c] == 1 && under(b, leaf, c);
        prepare(b, known);
        for (int c = 0; c < b->cells; c++)
            if (b->hidden[c] == 1 && !known[c] && is_exposed(b, c, false))
                fail_msg("table %d: cell %d is exposed to whoever is alone in %d", t, c, leaf);
        attackers++;
    }
    return attackers;
}

/* Reals: the same interval. Counts: within it, and in two dimensions, where every corner is whole, the same. */
static void compare_audit(const Box *b, int t, bool reals) {
    int64_t at = 0;
    prepare(b, NULL);
    for (int c = 0; c < b->cells; c++) {
        if (!b->hidden[c]) continue;
        double low = table_value("intervals", "lower", at), high = table_value("intervals", "upper", at);
        double least = bound(c, false), most = bound(c, true);
        if (isnan(high)) high = INFINITY;
        bool same = fabs(low - least) < 1e-5 && (high == most || fabs(high - most) < 1e-5),
             within = low > least - 1e-5 && high <= most + 1e-5;
        if (!(reals || b->dims == 2 ? same : within)) fail_msg("table %d, cell %d: %g to %g, not %g to %g", t, c, low, high, least, most);
        at++;
    }
    assert_int_equal(at, (int64_t)value("hidden"));
}

static void thousand_tables(void **state) {
    (void)state;
    uint64_t seed = 2001;
    Box b;
    int judged = 0, attackers = 0, largest = 0;
    for (int t = 0; t < 1000; t++) {
        bool reals = t % 4 == 3;
        int inner[3] = { 2 + (int)(box_word(&seed) % 5), 2 + (int)(box_word(&seed) % 5), 2 + (int)(box_word(&seed) % 3) };
        box_make(&b, t % 2 ? 2 : 3, inner, 3 + (int)(box_word(&seed) % 17), &seed);
        for (int c = 0; c < b.cells; c++) b.hidden[c] = b.value[c] > 0 && b.value[c] < 3;
        least_hidden = !reals;
        box_shelve_as(&b, reals ? "value" : "count", "t", false); /* magnitudes are not whole */
        Status done = run_seeded(1, b.dims == 3 && b.cells > 40 ? "tabular suppress t --quick" : "tabular suppress t");
        if (done == REFUSED) continue; /* nothing is given out where nothing is safe */
        assert_int_equal(done, OK);
        for (int c = 0; c < b.cells; c++) b.hidden[c] = output_column("status")->code[c];
        attack(&b, t, reals);
        if (!reals) attackers += attack_from_within(&b, t);
        shelve("s", table_retain(output()));
        run_ok("tabular audit s");
        assert_true(value("exposed") == 0);
        compare_audit(&b, t, reals);
        judged++;
        largest = b.cells > largest ? b.cells : largest;
    }
    if (judged < 900 || attackers < 300 || largest < 245) fail_msg("%d judged, %d attackers, %d cells at most", judged, attackers, largest);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(thousand_tables) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
