/* Small random tables with totals, and an intruder's interval by a linear program of its own: what tests of the tabular group judge by. */
#ifndef SCRIM_TESTS_CELLS_H
#define SCRIM_TESTS_CELLS_H
#include "methods.h"
#include "math/lp/program.h"

enum { BOX_CELLS = 256 };
/* Cells of a box with totals: code 0 of each dimension is its total. */
typedef struct Box {
    int dims, size[3], cells;
    int value[BOX_CELLS];
    int hidden[BOX_CELLS];
    int least; /* what a hidden cell is known to be at least */
} Box;

static UNUSED uint64_t box_word(uint64_t *state) {
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static UNUSED void box_codes(const Box *b, int cell, int *code) {
    for (int d = b->dims - 1; d >= 0; d--) {
        code[d] = cell % b->size[d];
        cell /= b->size[d];
    }
}
static UNUSED int box_cell(const Box *b, const int *code) {
    int cell = 0;
    for (int d = 0; d < b->dims; d++) cell = cell * b->size[d] + code[d];
    return cell;
}

/* Random counts up to `most`, summed up. */
static UNUSED void box_make(Box *b, int dims, const int *inner, int most, uint64_t *state) {
    *b = (Box){ .dims = dims, .cells = 1 };
    for (int d = 0; d < dims; d++) b->cells *= b->size[d] = inner[d] + 1;
    for (int c = 0; c < b->cells; c++) {
        int code[3], leaf = 1;
        box_codes(b, c, code);
        for (int d = 0; d < dims; d++) leaf &= code[d] > 0;
        if (leaf) b->value[c] = (int)(box_word(state) % (uint64_t)(most + 1));
    }
    for (int c = b->cells - 1; c >= 0; c--) {
        int code[3];
        box_codes(b, c, code);
        for (int d = 0; d < dims; d++) {
            if (code[d]) continue;
            b->value[c] = 0;
            for (int k = 1; k < b->size[d]; k++) {
                code[d] = k;
                b->value[c] += b->value[box_cell(b, code)];
            }
            break;
        }
    }
}

/* As a table on the shelf: columns a, b, c, the measure (count, value), status (hidden[] 0 open, 1 primary, 2 secondary); hidden cells
 * blank where asked. */
static UNUSED void box_shelve_as(const Box *b, const char *measure, const char *name, bool blank) {
    static const char *const words[] = { "open", "primary", "secondary" };
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    for (int d = 0; d < b->dims; d++) fprintf(out, "%c,", 'a' + d);
    fprintf(out, "%s,status\n", measure);
    for (int c = 0; c < b->cells; c++) {
        int code[3];
        box_codes(b, c, code);
        for (int d = 0; d < b->dims; d++) {
            if (code[d]) fprintf(out, "x%d,", code[d]);
            else fprintf(out, "Total,");
        }
        if (blank && b->hidden[c]) fprintf(out, ",%s\n", words[b->hidden[c]]);
        else fprintf(out, "%d,%s\n", b->value[c], words[b->hidden[c]]);
    }
    fclose(out);
    table_from(name, text);
    free(text);
}

static UNUSED void box_shelve(const Box *b, const char *name, bool blank) { box_shelve_as(b, "count", name, blank); }

/* The least or most that a hidden cell can be, by GLPK on all relations; `known`: a cell whose value the intruder holds, or -1. whole: by
 * whole numbers. */
static UNUSED double box_bound(const Box *b, int cell, bool most, int known, bool whole) {
    static ProgramColumn columns[BOX_CELLS];
    static ProgramRow rows[3 * BOX_CELLS];
    static int32_t index[3 * BOX_CELLS][16];
    static double coefficient[3 * BOX_CELLS][16];
    int n = 0;
    for (int c = 0; c < b->cells; c++) {
        bool open = !b->hidden[c] || c == known;
        columns[c] = (ProgramColumn){ .cost = c == cell,
                                      .low = open ? b->value[c] : b->least,
                                      .high = open ? b->value[c] : INFINITY,
                                      .whole = whole };
    }
    for (int c = 0; c < b->cells; c++)
        for (int d = 0; d < b->dims; d++) {
            int code[3], k = 0;
            box_codes(b, c, code);
            if (code[d]) continue;
            index[n][k] = c;
            coefficient[n][k++] = -1;
            for (int v = 1; v < b->size[d]; v++) {
                code[d] = v;
                index[n][k] = box_cell(b, code);
                coefficient[n][k++] = 1;
            }
            rows[n] = (ProgramRow){ k, index[n], coefficient[n], 0, 0 };
            n++;
        }
    Program program = { .maximise = most, .rows = n, .columns = b->cells, .row = rows, .column = columns };
    Solution solution;
    Work work = { .arena = arena_new(), .error = &last_error, .threads = 1 };
    assert_int_equal(program_solve(&work, &program, &solution), OK);
    double answer = solution.state == PROGRAM_OPTIMAL ? solution.objective : solution.state == PROGRAM_UNBOUNDED ? INFINITY : NAN;
    arena_free(work.arena);
    return answer;
}
#endif
