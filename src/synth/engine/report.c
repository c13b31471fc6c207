/* What a synthesis says of itself: each column's model and how it came out; and the tables. */
#include <stdio.h>
#include "base/elementary.h"
#include "synth/engine/engine.h"
#include "synth/engine/regression.h"

typedef struct Fits {
    const Grouped *g;
    double *alone;
    double *pair;
    Error *error;
} Fits;

/* Every pair of columns, by number. */
static Status cross_pairs(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    Fits *f = self;
    Status status = OK;
    int64_t n = f->g->columns;
    (void)block;
    for (int64_t k = first; k < last; k++) {
        int32_t subset[2] = { (int32_t)(k / n), (int32_t)(k % n) };
        Crossing c;
        if (subset[0] > subset[1]) continue;
        TRY(crossing(f->g, subset, subset[0] == subset[1] ? 1 : 2, &c, error));
        if (subset[0] == subset[1]) f->alone[subset[0]] = c.ratio;
        else f->pair[subset[0] * n + subset[1]] = f->pair[subset[1] * n + subset[0]] = c.ratio;
    }
done:
    return status;
}

static double explained(const Synthesis *s, const Model *m) {
    double off = 0, whole = 0;
    for (int64_t t = 0; t < s->strata.count; t++) {
        if (m->regression) {
            off += m->regression[t].null_deviance - m->regression[t].deviance;
            whole += m->regression[t].null_deviance;
        } else {
            off += m->value[t].explained;
            whole += m->value[t].impurity;
        }
    }
    return whole > 0 ? fmax(0, off / whole) : NAN;
}

static int64_t size_of(const Synthesis *s, const Model *m) {
    int64_t size = 0;
    for (int64_t t = 0; t < s->strata.count; t++) size += m->regression ? m->regression[t].parameters : m->value[t].leaves;
    return size;
}

static int64_t place_in(const Grouped *g, const char *name) {
    for (int64_t v = 0; v < g->columns; v++)
        if (same_text(g->name[v], name)) return v;
    return -1;
}

Status report_models(Synthesis *s, const Table *synthetic) {
    Status status = OK;
    Work *work = &s->run->work;
    Grouped g;
    Fits f = { .g = &g };
    const char **name = NULL;
    double *height = NULL;
    if (!s->args->data->rows || !synthetic->rows) return OK;
    TRY(grouped_make(work, s->args->data, synthetic, &g));
    NEW(work, f.alone, g.columns + 1);
    NEW(work, f.pair, g.columns * g.columns + 1);
    NEW(work, name, s->visits + 1);
    NEW(work, height, s->visits + 1);
    TRY(parallel_for(work, g.columns * g.columns, 1, cross_pairs, &f));
    Grid *grid =
        grid_new(s->run->result, "models",
                 "column:text model:text predictors:integer size:integer explained:real ratio:real worst_with:text worst_ratio:real");
    for (int64_t k = 0; k < s->visits; k++) {
        const Model *m = &s->model[k];
        const char *column = s->variable[m->variable].column->name;
        int64_t v = place_in(&g, column), worst = -1;
        if (v < 0) continue;
        for (int64_t u = 0; u < g.columns; u++)
            if (u != v && (worst < 0 || f.pair[v * g.columns + u] > f.pair[v * g.columns + worst])) worst = u;
        grid_text(grid, column);
        grid_text(grid, m->predictors || m->regression ? model_name(m->kind) : "sample");
        grid_integer(grid, m->predictors);
        grid_integer(grid, size_of(s, m));
        grid_real(grid, explained(s, m));
        grid_real(grid, f.alone[v]);
        grid_text(grid, worst >= 0 ? g.name[worst] : NULL);
        grid_real(grid, worst >= 0 ? f.pair[v * g.columns + worst] : NAN);
        name[k] = column;
        height[k] = worst >= 0 ? f.pair[v * g.columns + worst] : f.alone[v];
    }
    grid_done(grid);
    Chart *chart = result_chart(s->run->result, CHART_BAR, "Where the models fit worst: each column's worst pair", "column", "S_pMSE");
    chart_series(chart, "S_pMSE", s->visits, NULL, height, NULL, name);
done:
    return status;
}

/* One table of all, with a first column `set`. */
static Status stack_tables(Run *run, Table **tables, int64_t count, Table **out) {
    Status status = OK;
    Work *work = &run->work;
    int64_t rows = tables[0]->rows, columns = tables[0]->columns;
    Column **made = NULL;
    const char **cells = NULL;
    NEW(work, made, columns + 2);
    NEW(work, cells, rows * count + 1);
    TRY(column_new(INTEGER_TYPE, table_column(tables[0], "set") ? "synthetic_set" : "set", rows * count, &made[0], work->error));
    for (int64_t i = 0; i < rows * count; i++) made[0]->integer[i] = i / rows + 1;
    for (int64_t j = 0; j < columns; j++) {
        Type type = tables[0]->column[j]->type;
        bool words = type == CATEGORY_TYPE || type == TEXT_TYPE;
        if (!words) {
            TRY(column_new(type, tables[0]->column[j]->name, rows * count, &made[j + 1], work->error));
            TRY(column_need_valid(made[j + 1], work->error));
        }
        for (int64_t i = 0; i < rows * count; i++) {
            const Column *from = tables[i / rows]->column[j];
            int64_t row = i % rows;
            char number[33];
            if (words) cells[i] = column_cell(from, row, number);
            else if (column_missing(from, row)) column_set_missing(made[j + 1], i);
            else if (type == DATE_TYPE) made[j + 1]->date[i] = from->date[row];
            else made[j + 1]->integer[i] = from->integer[row]; /* the same eight bytes for reals */
        }
        if (words)
            TRY((type == TEXT_TYPE ? column_text : column_category)(tables[0]->column[j]->name, cells, rows * count, &made[j + 1],
                                                                    work->error));
        else column_seal(made[j + 1]);
    }
    TRY(table_new(tables[0]->name, made, columns + 1, rows * count, out, work->error));
done:
    for (int64_t j = 0; made && j <= columns; j++) column_release(made[j]);
    return status;
}

Status report_outputs(Run *run, Table **tables, int64_t count, bool stacked) {
    Status status = OK;
    Table *one = NULL;
    result_integer(run->result, "records", count ? tables[0]->rows : 0);
    result_integer(run->result, "tables_made", count);
    if (stacked && count) {
        TRY(stack_tables(run, tables, count, &one));
        result_output(run->result, one);
        return OK;
    }
    for (int64_t k = 0; k < count; k++) result_output(run->result, table_retain(tables[k]));
done:
    return status;
}
