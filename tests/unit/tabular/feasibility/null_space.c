/* The kernel of relations many of which follow from the others: as many free cells as there are, whatever rounding leaves behind. */
#include "draws.h"
#include "tabular/feasibility/null_space.h"
#include <math.h>
#include "testing.h"

enum { CELLS = 60, OWN = 40, ROWS = 200 };
static Error error;
static uint64_t state = 1847;

static int below(int n) { return draw_below(&state, n); }

/* OWN relations of six cells each, one of which no other has, so that none follows from the others; then combinations of these. */
static void make_rows(double of[ROWS][CELLS], int largest) {
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < CELLS; c++) of[r][c] = 0;
    for (int r = 0; r < OWN; r++) {
        of[r][r] = 1 + below(largest);
        for (int k = 0; k < 5; k++) {
            int c = r + 1 + below(CELLS - r - 1);
            of[r][c] = (1 + below(largest)) * (below(2) ? 1 : -1);
        }
    }
    for (int r = OWN; r < ROWS; r++)
        for (int k = 0; k < 4; k++) {
            int from = below(OWN), times = 1 + below(largest);
            for (int c = 0; c < CELLS; c++) of[r][c] += times * of[from][c];
        }
    for (int r = 0; r < ROWS; r++) { /* in any order */
        int other = below(ROWS);
        for (int c = 0; c < CELLS; c++) {
            double kept = of[r][c];
            of[r][c] = of[other][c];
            of[other][c] = kept;
        }
    }
}

static void by_cell(double of[ROWS][CELLS], Sparse *out) {
    static int64_t start[CELLS + 1];
    static int32_t at[CELLS * ROWS];
    static double coefficient[CELLS * ROWS];
    int64_t n = 0;
    for (int c = 0; c < CELLS; c++) {
        for (int r = 0; r < ROWS; r++)
            if (of[r][c] != 0) {
                at[n] = r;
                coefficient[n++] = of[r][c];
            }
        start[c + 1] = n;
    }
    *out = (Sparse){ CELLS, ROWS, start, at, coefficient };
}

/* No free cell moves a relation. */
static void judge(double of[ROWS][CELLS], const Sparse *kernel) {
    assert_int_equal(kernel->width, CELLS - OWN);
    for (int r = 0; r < ROWS; r++) {
        double sum[CELLS] = { 0 };
        for (int c = 0; c < CELLS; c++)
            for (int64_t k = kernel->start[c]; k < kernel->start[c + 1]; k++) sum[kernel->at[k]] += of[r][c] * kernel->coefficient[k];
        for (int f = 0; f < kernel->width; f++) assert_true(fabs(sum[f]) <= 1e-7);
    }
}

static void all_free_cells(void **unused) {
    (void)unused;
    static double of[ROWS][CELLS];
    int founds = 0;
    for (int t = 0; t < 60; t++) {
        Work w = { .arena = arena_new(), .error = &error, .threads = 1 };
        Sparse relations, kernel;
        bool found;
        make_rows(of, t < 30 ? 3 : 9);
        by_cell(of, &relations);
        assert_int_equal(kernel_make(&w, &relations, CELLS, &kernel, &found), OK);
        if (found) judge(of, &kernel);
        founds += found;
        sparse_free(&kernel);
        arena_free(w.arena);
    }
    assert_true(founds >= 30);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(all_free_cells) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
