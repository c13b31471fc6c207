/* What a synthesis says of itself: each column's model and how it came out; and the tables. */
#include <stdio.h>
#include "base/elementary.h"
#include "synth/engine/direct_columns.h"
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

static int64_t worst_partner(const Fits *f, int64_t v) {
    int64_t worst = -1, n = f->g->columns;
    for (int64_t u = 0; u < n; u++)
        if (u != v && (worst < 0 || f->pair[v * n + u] > f->pair[v * n + worst])) worst = u;
    return worst;
}

/* One column's row; the height of its second bar. */
static double model_row(Grid *grid, const Fits *f, const Synthesis *s, const Model *m, int64_t v) {
    const Grouped *g = f->g;
    int64_t worst = worst_partner(f, v);
    double pair = worst >= 0 ? f->pair[v * g->columns + worst] : NAN;
    grid_text(grid, s->variable[m->variable].column->name);
    grid_text(grid, m->predictors || m->regression ? model_name(m->kind) : "sample");
    grid_integer(grid, m->predictors);
    grid_integer(grid, size_of(s, m));
    grid_real(grid, explained(s, m));
    grid_real(grid, f->alone[v]);
    grid_text(grid, worst >= 0 ? g->name[worst] : NULL);
    grid_real(grid, pair);
    return pair;
}

typedef struct Bars {
    int64_t count;
    const char **name;
    double *alone, *pair; /* S_pMSE of the column by itself, and in its worst pair */
} Bars;

static Status level_rows(Run *run, const SynthLevel *level, Grid *grid, Bars *bars) {
    Status status = OK;
    Work *work = &run->work;
    Grouped g;
    Fits f = { .g = &g };
    if (!level->data->rows || !level->synthetic->rows) return OK;
    TRY(grouped_make(work, level->data, level->synthetic, &g));
    NEW(work, f.alone, g.columns + 1);
    NEW(work, f.pair, g.columns * g.columns + 1);
    TRY(parallel_for(work, g.columns * g.columns, 1, cross_pairs, &f));
    for (int64_t k = 0; k < level->s->visits; k++) {
        const Model *m = &level->s->model[k];
        int64_t v = place_in(&g, level->s->variable[m->variable].column->name);
        if (v < 0) continue;
        bars->name[bars->count] = g.name[v];
        bars->alone[bars->count] = f.alone[v];
        bars->pair[bars->count++] = model_row(grid, &f, level->s, m, v);
    }
    grouped_drop(work, &g);
done:
    return status;
}

Status report_levels(Run *run, const SynthLevel *level, int64_t count) {
    Status status = OK;
    Bars bars = { 0 };
    int64_t most = 0;
    for (int64_t l = 0; l < count; l++) most += level[l].s->visits;
    NEW(&run->work, bars.name, most + 1);
    NEW(&run->work, bars.alone, most + 1);
    NEW(&run->work, bars.pair, most + 1);
    Grid *grid =
        grid_new(run->result, "models",
                 "column:text model:text predictors:integer size:integer explained:real ratio:real worst_with:text worst_ratio:real");
    for (int64_t l = 0; l < count; l++) TRY(level_rows(run, &level[l], grid, &bars));
    grid_done(grid);
    Chart *chart = result_chart(run->result, CHART_BAR, "Where the models fit worst", "column", "S_pMSE");
    chart_series(chart, "by itself", bars.count, NULL, bars.alone, NULL, bars.name);
    chart_series(chart, "in its worst pair", bars.count, NULL, bars.pair, NULL, bars.name);
done:
    return status;
}

/* ---- a synthesis that its own diagnostics contradict ---- */

enum { FEWEST_EXPECTED = 50, FACTOR = 10 };
static const double OFF_RATIO = 100,
                    OFF_PMSE = 0.01; /* both: 100 times what is expected, and no small effect that many records make visible */

/* A value that has at least 50 records in one table and, for as many records, a tenth as many in the other. */
static bool value_is_off(const int64_t *count, const int64_t *rows) {
    double o = (double)count[0] / (double)rows[0] * (double)rows[1], s = (double)count[1];
    return (o >= FEWEST_EXPECTED && s * FACTOR < o) || (s >= FEWEST_EXPECTED && o * FACTOR < s);
}

static Status column_is_off(Work *work, const Grouped *g, int64_t v, bool *out) {
    Status status = OK;
    int64_t(*count)[2] = NULL;
    Crossing c;
    NEW(work, count, g->values[v] + 1);
    for (int t = 0; t < 2; t++)
        for (int64_t i = 0; i < g->rows[t]; i++) count[g->at[t][v][i] + 1][t]++;
    TRY(crossing(g, &(int32_t){ (int32_t)v }, 1, &c, work->error));
    *out = c.ratio > OFF_RATIO && c.pmse > OFF_PMSE;
    for (int32_t k = 0; k < g->values[v]; k++) *out |= value_is_off(count[k], g->rows);
done:
    arena_drop(work->arena, count);
    return status;
}

/* Drawn columns whose distribution is off by orders of magnitude: nothing that a right model draws. Not asked where the synthetic records
 * are to differ from those of the data: weights, rules, a frame. */
static Status check_columns(const Synthesis *s, const Table *synthetic) {
    Status status = OK;
    Work *work = &s->run->work;
    Grouped g;
    bool off = false;
    if (s->weight || s->rules.count || s->args->frame) return OK;
    TRY(grouped_make(work, s->args->data, synthetic, &g));
    for (int64_t k = 0; k < s->visits; k++) {
        const Model *m = &s->model[k];
        const char *name = s->variable[m->variable].column->name;
        int64_t v = place_in(&g, name);
        if (v >= 0) TRY(column_is_off(work, &g, v, &off));
        if (!off) continue;
        fail(work->error, FAILED, "the synthetic column '%s' does not have the distribution of the data: its %s model failed", name,
             model_name(m->kind));
        TRY(error_advice(work->error, "Give the column another model (--models '%s:cart'), or predictors of its own.", name));
    }
    grouped_drop(work, &g);
done:
    return status;
}

Status report_models(Synthesis *s, const Table *synthetic) {
    Status status = OK;
    if (!s->args->data->rows || !synthetic->rows) return OK;
    TRY(check_columns(s, synthetic));
    TRY(report_levels(s->run, &(SynthLevel){ s, s->args->data, synthetic }, 1));
done:
    return status;
}

static Status stack_column(Work *work, Table **tables, int64_t count, int64_t j, int64_t rows, Column **out) {
    Status status = OK;
    Type type = tables[0]->column[j]->type;
    const char *name = tables[0]->column[j]->name, **cells = NULL;
    bool words = type == CATEGORY_TYPE || type == TEXT_TYPE;
    int64_t at = 0;
    if (words) NEW(work, cells, rows + 1);
    else TRY(column_new(type, name, rows, out, work->error));
    if (!words) TRY(column_need_valid(*out, work->error));
    for (int64_t k = 0; k < count; k++) {
        const Column *from = tables[k]->column[j];
        for (int64_t i = 0; i < from->rows; i++, at++) {
            char number[33];
            if (words) cells[at] = column_cell(from, i, number);
            else if (column_missing(from, i)) column_set_missing(*out, at);
            else if (type == DATE_TYPE) (*out)->date[at] = from->date[i];
            else (*out)->integer[at] = column_integer(from, i); /* the same eight bytes for reals */
        }
    }
    if (words) TRY((type == TEXT_TYPE ? column_text : column_category)(name, cells, rows, out, work->error));
    else column_seal(*out);
done:
    arena_drop(work->arena, cells);
    return status;
}

Status stack_tables(Run *run, Table **tables, int64_t count, Table **out) {
    Status status = OK;
    Work *work = &run->work;
    int64_t columns = tables[0]->columns, rows = 0, at = 0;
    Column **made = NULL;
    for (int64_t k = 0; k < count; k++) rows += tables[k]->rows;
    NEW(work, made, columns + 2);
    TRY(column_new(INTEGER_TYPE, table_column(tables[0], "set") ? "synthetic_set" : "set", rows, &made[0], work->error));
    for (int64_t k = 0; k < count; k++)
        for (int64_t i = 0; i < tables[k]->rows; i++) made[0]->integer[at++] = k + 1;
    for (int64_t j = 0; j < columns; j++) TRY(stack_column(work, tables, count, j, rows, &made[j + 1]));
    TRY(table_new(tables[0]->name, made, columns + 1, rows, out, work->error));
done:
    for (int64_t j = 0; made && j <= columns; j++) column_release(made[j]);
    return status;
}

static Status put_out(Run *run, Table **tables, int64_t count, bool stacked) {
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

Status report_outputs(Run *run, const SynthArgs *a, Table **tables) {
    Status status = OK;
    Table **whole = NULL;
    if (!a->made_up.count) return put_out(run, tables, a->m, a->stacked);
    NEW(&run->work, whole, a->m + 1);
    for (int64_t k = 0; k < a->m; k++) TRY(with_made_up(run, a, tables[k], k, &whole[k]));
    TRY(put_out(run, whole, a->m, a->stacked));
done:
    for (int64_t k = 0; whole && k < a->m; k++) table_release(whole[k]);
    return status;
}
