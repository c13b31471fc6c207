/* Two thousand random programs of moves, from tables of two and three dimensions, hierarchies and relations of any kind, degenerate ones
 * among them: the kernel's simplex method against GLPK's in exact arithmetic. */
#include "draws.h"
#include "tabular/feasibility/null_space_simplex.h"
#include <glpk.h>
#include <math.h>
#include <string.h>
#include "testing.h"

enum { CELLS = 64, ROWS = 400, ENTRIES = 8 };
static Error error;
static uint64_t state = 1985;

static int below(int n) { return draw_below(&state, n); }

/* Relations by row, then as the kernel takes them, by cell. */
static int cells, rows, length[ROWS], cell_of[ROWS][ENTRIES];
static double of[ROWS][ENTRIES], low[CELLS], high[CELLS], down[CELLS], up[CELLS];

static void relate(int row, int cell, double coefficient) {
    cell_of[row][length[row]] = cell;
    of[row][length[row]++] = coefficient;
}

/* Codes 0 … size − 1 of each dimension, the first being the total of the others; deep: 1 is the total of 2 and 3. */
static void make_box(int dims, const int *size, bool deep) {
    int stride[3] = { 1, size[0], size[0] * size[1] };
    cells = dims == 2 ? size[0] * size[1] : size[0] * size[1] * size[2];
    rows = 0;
    for (int d = 0; d < dims; d++)
        for (int c = 0; c < cells; c++) {
            int own = c / stride[d] % size[d];
            if (own != 0 && !(own == 1 && deep && d == 0)) continue;
            length[rows] = 0;
            relate(rows, c, -1);
            for (int k = own ? 2 : 1; k < size[d]; k++)
                if (own || !deep || d != 0 || k == 1 || k > 3) relate(rows, c + (k - own) * stride[d], 1);
            rows++;
        }
}

/* Sums of a few cells with coefficients of any kind, a cell at most once in each. */
static void make_any(void) {
    cells = 6 + below(20);
    rows = cells / 3 + below(cells / 3);
    for (int r = 0; r < rows; r++) {
        length[r] = 0;
        for (int k = 0, c = below(3); k < 5 && c < cells; k++, c += 1 + below(cells / 3))
            relate(r, c, (1 + below(3)) * (below(2) ? 1 : -1) * (below(4) ? 1 : 0.5));
    }
}

/* The same relations again and again, in other units: what is wanted are few free cells beside many relations. */
static void repeat_rows(void) {
    for (int had = rows; rows < 3 * cells + 3; rows++) {
        int same = below(had);
        double times = below(2) ? 1 : -2;
        length[rows] = 0;
        for (int k = 0; k < length[same]; k++) relate(rows, cell_of[same][k], times * of[same][k]);
    }
}

static void make_program(int kind) {
    int size[3] = { 4 + below(2), 2 + below(3), 2 + below(2) };
    if (kind % 4 == 3) make_any();
    else make_box(kind % 4 == 0 ? 2 : 3, size, kind % 4 == 2);
    repeat_rows();
    static const double far[] = { 0, 1, 1, 3, 7.25, 1000, 123456.5 };
    bool level = below(3) == 0; /* all bounds alike: many ties */
    for (int c = 0; c < cells; c++) {
        low[c] = level ? 1 : far[below(7)];
        high[c] = level ? 1 : far[below(7)];
        down[c] = level ? 1 : below(5);
        up[c] = level ? 1 : below(5);
    }
    int wanted = below(cells);
    bool rise = below(2);
    down[wanted] = rise ? 1000 : -1000;
    up[wanted] = -down[wanted];
    if (below(2))
        for (int c = 0; c < cells; c++)
            if (c != wanted) down[c] = up[c] = 0; /* as far as it goes */
}

/* The least Σ cost, exactly. */
static double exact_least(void) {
    static int index[2 * ENTRIES + 1];
    static double value[2 * ENTRIES + 1];
    glp_prob *p = glp_create_prob();
    glp_smcp how;
    glp_term_out(GLP_OFF);
    glp_add_rows(p, rows);
    glp_add_cols(p, 2 * cells);
    for (int c = 0; c < cells; c++) {
        glp_set_col_bnds(p, 2 * c + 1, high[c] > 0 ? GLP_DB : GLP_FX, 0, high[c]);
        glp_set_col_bnds(p, 2 * c + 2, low[c] > 0 ? GLP_DB : GLP_FX, 0, low[c]);
        glp_set_obj_coef(p, 2 * c + 1, up[c]);
        glp_set_obj_coef(p, 2 * c + 2, down[c]);
    }
    for (int r = 0; r < rows; r++) {
        int n = 0;
        for (int k = 0; k < length[r]; k++) {
            index[++n] = 2 * cell_of[r][k] + 1;
            value[n] = of[r][k];
            index[++n] = 2 * cell_of[r][k] + 2;
            value[n] = -of[r][k];
        }
        glp_set_mat_row(p, r + 1, n, index, value);
        glp_set_row_bnds(p, r + 1, GLP_FX, 0, 0);
    }
    glp_init_smcp(&how);
    how.msg_lev = GLP_MSG_OFF;
    assert_int_equal(glp_simplex(p, &how), 0); /* a basis to begin with */
    assert_int_equal(glp_exact(p, &how), 0);
    assert_int_equal(glp_get_status(p), GLP_OPT);
    double least = glp_get_obj_val(p);
    glp_delete_prob(p);
    return least;
}

static void by_cell(Sparse *out) {
    static int64_t start[CELLS + 1];
    static int32_t at[ROWS * ENTRIES];
    static double coefficient[ROWS * ENTRIES];
    int64_t n = 0;
    for (int c = 0; c < cells; c++) {
        for (int r = 0; r < rows; r++)
            for (int k = 0; k < length[r]; k++)
                if (cell_of[r][k] == c) {
                    at[n] = r;
                    coefficient[n++] = of[r][k];
                }
        start[c + 1] = n;
    }
    *out = (Sparse){ .count = cells, .width = rows, .start = start, .at = at, .coefficient = coefficient };
}

/* A move that no relation notices, within all bounds, as cheap as the exact one. */
static void judge(int t, const double *x) {
    double cost = 0, size = 1;
    for (int c = 0; c < cells; c++) {
        double bound = x[c] > 0 ? high[c] : low[c];
        if (fabs(x[c]) > bound + 1e-8 * fmax(1, bound)) fail_msg("program %d: cell %d goes by %g, and no more than %g", t, c, x[c], bound);
        double one = x[c] > 0 ? up[c] * x[c] : -down[c] * x[c];
        cost += one;
        size += fabs(one);
    }
    for (int r = 0; r < rows; r++) {
        double sum = 0, most = 1;
        for (int k = 0; k < length[r]; k++) {
            sum += of[r][k] * x[cell_of[r][k]];
            most += fabs(of[r][k] * x[cell_of[r][k]]);
        }
        if (fabs(sum) > 1e-9 * most) fail_msg("program %d: relation %d is off by %g", t, r, sum);
    }
    double least = exact_least();
    if (fabs(cost - least) > 1e-7 * size) fail_msg("program %d: %.12g, and %.12g is the least", t, cost, least);
}

static void thousands(void **unused) {
    (void)unused;
    int judged = 0, stopped = 0, moved = 0;
    for (int t = 0; t < 2000; t++) {
        Work w = { .arena = arena_new(), .error = &error, .threads = 1 };
        double x[CELLS];
        Sparse relations;
        NullSpaceSimplex *dual;
        LpState answer;
        error = ERROR_NONE;
        make_program(t);
        by_cell(&relations);
        assert_int_equal(dual_new(&w, &relations, &dual), OK);
        assert_non_null(dual);
        for (int again = 0; again < 2; again++) { /* the second begins where the first ended */
            for (int c = 0; c < cells; c++) dual_cell(dual, c, low[c], high[c], down[c], up[c]);
            assert_int_equal(dual_solve(dual, &w, &answer, x), OK);
            if (answer == LP_OPTIMAL) judge(t, x);
            judged += answer == LP_OPTIMAL;
            stopped += answer != LP_OPTIMAL;
            for (int c = 0; c < cells; c++) moved += x[c] != 0;
            int other = below(cells);
            low[other] = below(5);
            high[other] = below(5);
        }
        dual_free(dual);
        arena_free(w.arena);
    }
    if (stopped > 20 || moved < 10000) fail_msg("%d judged, %d stopped, %d moved", judged, stopped, moved);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(thousands) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
