/* Small tables: the facility location problem as a whole-number program, solved to the end.
 *
 * Minimise the cost of x(link) subject to: a class's units are all released; a tuple holds k people where it is used (y = 1), and nobody
 * where it is not. */
#include "math/lp/program.h"
#include "protect/suppress/suppress.h"

enum { LINKS_MOST = 600, NODES = 4000 };

typedef struct Builder {
    const Problem *p;
    ProgramRow *row;
    ProgramColumn *column;
    int32_t *at;
    double *of;
    int64_t rows, entries;
} Builder;

static void begin_row(Builder *b, double low, double high) {
    b->row[b->rows++] = (ProgramRow){ 0, b->at + b->entries, b->of + b->entries, low, high };
}

static void add_entry(Builder *b, int64_t column, double coefficient) {
    b->at[b->entries] = (int32_t)column;
    b->of[b->entries++] = coefficient;
    b->row[b->rows - 1].count++;
}

static Status make_program(Work *work, Builder *b) {
    Status status = OK;
    const Problem *p = b->p;
    NEW(work, b->row, p->classes + p->tuples + p->links + 1);
    NEW(work, b->column, p->links + p->tuples + 1);
    NEW(work, b->at, 4 * p->links + p->tuples + 1);
    NEW(work, b->of, 4 * p->links + p->tuples + 1);
    for (int64_t l = 0; l < p->links; l++) {
        int64_t c = p->owner[l], stay = p->own[c] == l ? p->units[c] - p->movable : 0;
        b->column[l] = (ProgramColumn){ (double)link_cost(p, l), stay > 0 ? (double)stay : 0, (double)p->units[c], true };
    }
    for (int64_t t = 0; t < p->tuples; t++) b->column[p->links + t] = (ProgramColumn){ 0, 0, 1, true };
    for (int64_t c = 0; c < p->classes; c++) {
        begin_row(b, (double)p->units[c], (double)p->units[c]);
        for (int64_t l = p->start[c]; l < p->start[c + 1]; l++) add_entry(b, l, 1);
    }
    for (int64_t t = 0; t < p->tuples; t++) {
        begin_row(b, 0, INFINITY);
        for (int64_t i = p->begin[t]; i < p->begin[t + 1]; i++)
            if (p->counts[p->owner[p->member[i]]]) add_entry(b, p->member[i], 1);
        add_entry(b, p->links + t, -(double)p->k);
    }
    for (int64_t l = 0; l < p->links; l++) {
        begin_row(b, -INFINITY, 0);
        add_entry(b, l, 1);
        add_entry(b, p->links + p->tuple[l], -(double)p->units[p->owner[l]]);
    }
done:
    return status;
}

Status assignment_exact(Work *work, const Problem *p, Assignment *assignment, bool *proven) {
    Status status = OK;
    Builder b = { .p = p };
    Solution solution;
    int64_t *units = NULL, before = assignment->cost;
    *proven = false;
    if (!p->tuples || p->links > LINKS_MOST) return OK;
    TRY(make_program(work, &b));
    const Program program = { .rows = b.rows, .columns = p->links + p->tuples, .row = b.row, .column = b.column, .nodes = NODES };
    TRY(program_solve(work, &program, &solution));
    if (solution.state != PROGRAM_OPTIMAL || !solution.x) return OK;
    *proven = true;
    if (solution.objective > (double)before - 0.5) return OK;
    NEW(work, units, p->links + 1);
    for (int64_t l = 0; l < p->links; l++) units[l] = (int64_t)(solution.x[l] + 0.5);
    assignment_restore(p, assignment, units);
done:
    return status;
}
