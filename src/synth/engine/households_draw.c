/* Linked records drawn: households first, then their members one after another; how tied neighbours came out. */
#include <string.h>
#include "base/elementary.h"
#include "synth/engine/households.h"

/* ---- one synthetic table ---- */

typedef struct Making {
    HouseholdModel *l;
    const Table *units;
    const char *what;
    int64_t rows, longest;
    int64_t *unit, *place; /* of each record, from 0 */
    int32_t *stratum;
    Table *base; /* the household's number, what it shares, size and place */
    SyntheticTable draft;
} Making;

static Status count_members(Making *m) {
    Status status = OK;
    Work *work = &m->l->run->work;
    const Column *size = table_column(m->units, m->l->size);
    for (int64_t u = 0; u < m->units->rows; u++) m->rows += column_integer(size, u);
    NEW(work, m->unit, m->rows + 1);
    NEW(work, m->place, m->rows + 1);
    NEW(work, m->stratum, m->rows + 1);
    int64_t row = 0;
    for (int64_t u = 0; u < m->units->rows; u++)
        for (int64_t p = 0; p < column_integer(size, u); p++, row++) {
            m->unit[row] = u;
            m->place[row] = p;
            m->stratum[row] = p > 0; /* strata are numbered as they appear, and the first record is a first member */
            if (p >= m->longest) m->longest = p + 1;
        }
done:
    return status;
}

Status number_households(Work *work, const Column *old, const int64_t *of, int64_t rows, Column **out) {
    Status status = OK;
    bool number = column_numeric(old);
    const char **cell = NULL;
    if (number) TRY(whole_numbers(work, old->name, rows, out));
    else NEW(work, cell, rows + 1);
    for (int64_t i = 0; i < rows; i++) {
        int64_t unit = of ? of[i] : i;
        if (number) (*out)->integer[i] = unit + 1;
        else if (of && i && of[i - 1] == unit) cell[i] = cell[i - 1];
        else cell[i] = arena_print(work->arena, "%lld", (long long)unit + 1);
        if (!number && !cell[i]) TRY(out_of_memory(work->error));
    }
    if (!number) TRY(column_category(old->name, cell, rows, out, work->error));
done:
    return status;
}

static Status make_base(Making *m) {
    Status status = OK;
    Work *work = &m->l->run->work;
    Column **made = NULL;
    int64_t count = 0;
    NEW(work, made, m->units->columns + 3);
    TRY(number_households(work, m->l->args->household, m->unit, m->rows, &made[0]));
    count = 1;
    for (int64_t j = 0; j < m->units->columns; j++, count++)
        TRY(column_take(m->units->column[j], m->unit, m->rows, &made[count], work->error));
    TRY(whole_numbers(work, m->l->place, m->rows, &made[count]));
    count++;
    for (int64_t i = 0; i < m->rows; i++) made[count - 1]->integer[i] = m->place[i] + 1;
    TRY(table_new(m->l->args->data->name, made, count, m->rows, &m->base, work->error));
done:
    for (int64_t j = 0; made && j < count; j++) column_release(made[j]);
    return status;
}

/* What the household gives, as the models know it. */
static Status fill_known(Making *m) {
    Status status = OK;
    Synthesis *s = &m->l->member;
    for (int64_t v = 0; v < s->variables; v++) {
        const Column *column = s->known[v] ? table_column(m->base, s->variable[v].column->name) : NULL;
        if (!column) continue;
        TRY(variable_states_of(&m->l->run->work, &s->variable[v], column, m->draft.state[v]));
        for (int64_t i = 0; m->draft.real[v] && i < m->rows; i++) m->draft.real[v][i] = column_number(column, i);
    }
done:
    return status;
}

/* What the member before was drawn with; before the first there is none. */
static void fill_lags(Making *m, const int64_t *rows, int64_t count) {
    const HouseholdModel *l = m->l;
    const Synthesis *s = &l->member;
    SyntheticTable *d = &m->draft;
    for (int64_t j = 0; j < l->own.count; j++) {
        int64_t v = synthesis_find(s, l->own.at[j]->name), lag = l->lag[j];
        if (lag < 0) continue;
        bool made = makes_numbers(s, synthesis_model(s, v));
        for (int64_t i = 0; i < count; i++) {
            int64_t row = rows[i], donor = m->place[row] ? d->donor[v][row - 1] : -1;
            double real = m->place[row] && d->real[v] ? d->real[v][row - 1] : NAN;
            if (made) d->state[lag][row] = variable_state(&s->variable[lag], real);
            else d->state[lag][row] = donor < 0 ? (uint16_t)s->variable[lag].bins : l->lag_state[j][donor];
            if (d->real[lag]) d->real[lag][row] = real;
        }
    }
}

static Status draw_members(Making *m) {
    Status status = OK;
    Work *work = &m->l->run->work;
    Synthesis *s = &m->l->member;
    int64_t *rows = NULL;
    NEW(work, rows, m->rows + 1);
    for (int64_t p = 0; p < m->longest; p++) {
        int64_t count = 0;
        const char *what = arena_print(work->arena, "%s member %lld", m->what, (long long)p + 1);
        Table *made = NULL;
        for (int64_t i = 0; i < m->rows; i++)
            if (m->place[i] == p) rows[count++] = i;
        if (!what) TRY(out_of_memory(work->error));
        fill_lags(m, rows, count);
        if (s->rules.count) TRY(synthetic_table_edit_rules(s, &m->draft, rows, count, m->stratum, what, m->base, &made));
        else TRY(synthetic_table_draw(s, &m->draft, rows, count, m->stratum, what));
        table_release(made);
    }
    arena_drop(work->arena, rows);
done:
    return status;
}

/* Steps summed up within a household. */
static Status order_again(const Making *m, const Column *step, Column **out) {
    Status status = OK;
    Type type = m->l->order->type;
    double at = 0;
    TRY(column_new(type, step->name, m->rows, out, m->l->run->work.error));
    for (int64_t i = 0; i < m->rows; i++) {
        at = (m->place[i] ? at : 0) + column_number(step, i);
        if (type == REAL_TYPE) (*out)->real[i] = at;
        else if (type == INTEGER_TYPE) (*out)->integer[i] = (int64_t)at;
        else (*out)->date[i] = (int32_t)at;
    }
done:
    return status;
}

/* The columns in the order of the data. */
static Status assemble(Making *m, const Table *drawn, Table **out) {
    Status status = OK;
    Work *work = &m->l->run->work;
    const Table *data = m->l->args->data;
    Column **made = NULL;
    int64_t count = 0;
    NEW(work, made, data->columns + 1);
    for (int64_t j = 0; j < data->columns; j++) {
        const Column *column = table_column(drawn, data->column[j]->name);
        if (!column) continue;
        if (data->column[j] == m->l->order) TRY(order_again(m, column, &made[count]));
        else made[count] = column_retain(column);
        count++;
    }
    TRY(table_new(data->name, made, count, m->rows, out, work->error));
done:
    for (int64_t j = 0; made && j < count; j++) column_release(made[j]);
    return status;
}

static Status draw_units(HouseholdModel *l, const char *what, Table **out) {
    Status status = OK;
    Work *work = &l->run->work;
    int64_t units = l->args->n == ABSENT ? l->units : l->args->n, *all = NULL;
    SyntheticTable draft;
    TRY(synthetic_table_make(&l->unit, units, &draft));
    NEW(work, all, units + 1);
    for (int64_t u = 0; u < units; u++) all[u] = u;
    TRY(synthetic_table_edit_rules(&l->unit, &draft, all, units, NULL, what, NULL, out));
    arena_drop(work->arena, all);
done:
    return status;
}

static Status make_one(HouseholdModel *l, int64_t set, Table **units, Table **out) {
    Status status = OK;
    Table *drawn = NULL;
    Making m = { .l = l, .what = arena_print(l->run->work.arena, "set %lld", (long long)set + 1) };
    if (!m.what) TRY(out_of_memory(l->run->work.error));
    TRY(draw_units(l, m.what, units));
    m.units = *units;
    TRY(count_members(&m));
    TRY(make_base(&m));
    TRY(synthetic_table_make(&l->member, m.rows, &m.draft));
    TRY(fill_known(&m));
    TRY(draw_members(&m));
    TRY(synthetic_table_of(&l->member, &m.draft, m.base, &drawn));
    TRY(assemble(&m, drawn, out));
done:
    table_release(drawn);
    table_release(m.base);
    return status;
}

/* ---- how tied those are who stand next to one another ---- */

/* Correlation of numbers, share of equals of other columns, over pairs of records next to each other in a household. */
static double tie(const Column *column, const Column *unit) {
    double n = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0, same = 0;
    char a[33], b[33];
    for (int64_t i = 1; i < column->rows; i++) {
        if (column_missing(column, i) || column_missing(column, i - 1)) continue;
        if (strcmp(column_cell(unit, i, a), column_cell(unit, i - 1, b))) continue;
        n++;
        if (!column_linear(column)) {
            same += !strcmp(column_cell(column, i, a), column_cell(column, i - 1, b));
            continue;
        }
        double u = column_number(column, i - 1), v = column_number(column, i);
        x += u, y += v, xx += u * u, yy += v * v, xy += u * v;
    }
    if (!column_linear(column)) return n > 0 ? same / n : NAN;
    double spread = (xx - x * x / n) * (yy - y * y / n);
    return n > 1 && spread > 0 ? (xy - x * y / n) / sqrt(spread) : NAN;
}

static Status report_ties(HouseholdModel *l, const Table *synthetic) {
    Status status = OK;
    Work *work = &l->run->work;
    Column *unit = NULL;
    TRY(column_take(l->args->household, l->row, l->args->data->rows, &unit, work->error));
    Grid *grid = grid_new(l->run->result, "ties", "column:text measure:text original:real synthetic:real");
    for (int64_t j = 0; j < l->own.count; j++) {
        if (l->own.at[j] == l->order) continue;
        const Column *made = table_column(synthetic, l->own.at[j]->name);
        grid_text(grid, made->name);
        grid_text(grid, column_linear(made) ? "correlation" : "share equal");
        grid_real(grid, tie(l->member_data->column[j], unit));
        grid_real(grid, tie(made, table_column(synthetic, l->args->household->name)));
    }
    grid_done(grid);
done:
    column_release(unit);
    return status;
}

static Status report(HouseholdModel *l, const Table *units, const Table *synthetic) {
    Status status = OK;
    Error *error = l->run->work.error;
    const char *id = l->args->household->name;
    Table *data = NULL, *made = NULL;
    TRY(table_without(l->args->data, &id, 1, &data, error));
    TRY(table_without(synthetic, &id, 1, &made, error));
    const SynthLevel levels[] = { { &l->unit, l->unit_data, units }, { &l->member, data, made } };
    TRY(report_levels(l->run, levels, 2));
    TRY(report_ties(l, synthetic));
    if (!l->args->evaluate) goto done;
    TRY(evaluate(l->run, data, made, l->args->holdout, l->args->keys));
    result_note(l->run->result, "S_pMSE of records supposes that they are drawn one by one. Those of a household are alike, so that what "
                                "they share comes out above 1 where the synthesis is right; 'models' judges it by households.");
done:
    table_release(data);
    table_release(made);
    return status;
}

Status linked_synthesis(Run *run, const SynthArgs *a) {
    Status status = OK;
    HouseholdModel l = { .run = run, .args = a, .order = a->order, .households = a->households };
    Table **made = NULL, **units = NULL;
    if (a->households) TRY(linked_join(&l));
    TRY(linked_learn(&l));
    NEW(&run->work, made, a->m + 1);
    NEW(&run->work, units, a->m + 1);
    for (int64_t set = 0; set < a->m; set++) TRY(make_one(&l, set, &units[set], &made[set]));
    TRY(a->households ? linked_outputs(&l, made, units) : report_outputs(run, a, made));
    result_integer(run->result, "households", a->n == ABSENT ? l.units : a->n);
    TRY(report(&l, units[0], made[0]));
done:
    for (int64_t k = 0; units && k < a->m; k++) {
        table_release(made[k]);
        table_release(units[k]);
    }
    linked_free(&l);
    return status;
}
