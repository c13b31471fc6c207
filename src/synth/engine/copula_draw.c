/* Records from a normal copula: latent normals, each taken to the value at its rank. */
#include "math/special/normal.h"
#include <stdio.h>
#include <string.h>
#include "base/elementary.h"
#include "math/distributions.h"
#include "math/ranks.h"
#include "synth/engine/copula.h"
#include "table/measurement_level.h"

/* Ties share their middle rank. x: NaN where missing. */
static void rank_margin(Copula *c, const double *x, Margin *m) {
    for (int64_t i = 0, j = 0; i < c->rows; i = j) {
        double at = x[m->order[i]];
        for (j = i; j < c->rows && (x[m->order[j]] == at || (isnan(at) && isnan(x[m->order[j]]))); j++) {}
        for (int64_t k = i; k < j; k++) m->value[m->order[k]] = m->number ? at : (double)(i + j) / 2 / (double)c->rows;
    }
    for (int64_t i = 0; i < c->rows; i++) m->sorted[i] = m->value[m->order[i]];
}

Status copula_sort_places(Copula *c, Margin *m) {
    Status status = OK;
    Work *work = &c->run->work;
    double *x = NULL;
    int64_t present;
    NEW(work, x, c->rows + 1);
    for (int64_t i = 0; i < c->rows; i++) x[i] = m->place[m->codes.at[i] < 0 ? m->codes.count : m->codes.at[i]];
    TRY(order_reals(work, x, c->rows, m->order, &present));
    rank_margin(c, x, m);
    arena_drop(work->arena, x);
done:
    return status;
}

/* Missing first, then the categories as they come: an order to start from. */
static Status nominal_margin(Copula *c, Margin *m) {
    Status status = OK;
    Work *work = &c->run->work;
    m->nominal = true;
    TRY(column_codes(work, m->column, &m->codes));
    NEW(work, m->place, m->codes.count + 1);
    for (int32_t k = 0; k < m->codes.count; k++) m->place[k] = k + 1;
    TRY(copula_sort_places(c, m));
done:
    return status;
}

Status copula_margin(Copula *c, const Column *column, Margin *m) {
    Status status = OK;
    Work *work = &c->run->work;
    int64_t present = 0, missing = 0;
    const double *x = NULL;
    *m = (Margin){ .column = column };
    NEW(work, m->order, c->rows + 1);
    NEW(work, m->value, c->rows + 1);
    NEW(work, m->sorted, c->rows + 1);
    if (!(column_numeric(column) || column->type == DATE_TYPE) || column_level(column) == MEASURE_NOMINAL) return nominal_margin(c, m);
    m->number = !column->missing;
    TRY(column_reals(work, column, &x));
    for (int64_t i = 0; i < c->rows; i++)
        if (isnan(x[i])) m->order[missing++] = i;
    TRY(order_reals(work, x, c->rows, m->order + missing, &present));
    for (int64_t i = 0; i < present; i++) m->sorted[i] = x[m->order[missing + i]];
    TRY(spacing_make(work, m->sorted, present, present, column->type == DATE_TYPE, &m->spacing));
    rank_margin(c, x, m);
done:
    return status;
}

/* u → the row at that rank; where its value is rare, a number between it and its neighbours. */
static Status draw_column(Copula *c, int64_t j, const double *z, int64_t rows, Column **out) {
    Status status = OK;
    Work *work = &c->run->work;
    const Margin *m = &c->margin[j];
    int64_t *from = NULL;
    double *real = NULL;
    NEW(work, from, rows + 1);
    if (m->spacing.fine) NEW(work, real, rows + 1);
    for (int64_t i = 0; i < rows; i++) {
        double rank = normal_lower(z[i * c->columns + j]) * (double)c->rows;
        int64_t at = (int64_t)rank;
        at = at < 0 ? 0 : at >= c->rows ? c->rows - 1 : at;
        from[i] = m->order[at];
        if (!real) continue;
        real[i] = column_missing(m->column, from[i]) ? NAN : column_number(m->column, from[i]);
        if (!isnan(real[i])) real[i] = spacing_near(&m->spacing, real[i], rank - floor(rank));
    }
    TRY(real ? drawn_numbers(m->column, real, from, rows, out, work->error) : column_take(m->column, from, rows, out, work->error));
done:
    arena_drop(work->arena, from);
    arena_drop(work->arena, real);
    return status;
}

/* Latent normals of these rows. */
static Status draw_latent(Copula *c, const char *purpose, const int64_t *rows, int64_t count, double *z) {
    Status status = OK;
    Work *work = &c->run->work;
    int64_t p = c->columns;
    double *e = NULL;
    RandomStream stream = run_stream(c->run, NULL, purpose);
    NEW(work, e, p + 1);
    for (int64_t i = 0; i < count; i++) {
        double *to = z + rows[i] * p;
        draw_normals(&stream, (uint64_t)(rows[i] * p), p, e);
        for (int64_t j = 0; j < p; j++) {
            to[j] = 0;
            for (int64_t k = 0; k <= j; k++) to[j] += c->root[j * p + k] * e[k];
        }
    }
done:
    return status;
}

static Status make_table(Copula *c, const double *z, int64_t rows, Table **out) {
    Status status = OK;
    Column **made = NULL;
    NEW(&c->run->work, made, c->columns + 1);
    for (int64_t j = 0; j < c->columns; j++) TRY(draw_column(c, j, z, rows, &made[j]));
    TRY(table_new(c->args->data->name, made, c->columns, rows, out, c->run->work.error));
done:
    for (int64_t j = 0; made && j < c->columns; j++) column_release(made[j]);
    return status;
}

/* Rows that break a rule first, then those that keep all. */
static int64_t split_rows(const int32_t *broken, int64_t rows, int64_t *out) {
    int64_t bad = 0, good = 0;
    for (int64_t i = 0; i < rows; i++) bad += broken[i] > 0;
    for (int64_t i = 0, at = 0; i < rows; i++) {
        if (broken[i]) out[at++] = i;
        else out[bad + good++] = i;
    }
    return bad;
}

/* What sixty draws do not correct takes the place of a record that keeps the rules. */
static void copy_lawful(Copula *c, const char *purpose, const int64_t *split, int64_t bad, int64_t rows, double *z) {
    RandomStream stream = run_stream(c->run, NULL, purpose);
    for (int64_t i = 0; i < bad; i++) {
        uint64_t word;
        stream_words(&stream, (uint64_t)split[i], 1, &word);
        int64_t from = split[bad + (int64_t)word_below(word, (uint64_t)(rows - bad))];
        memcpy(z + split[i] * c->columns, z + from * c->columns, (size_t)c->columns * sizeof *z);
    }
}

Status copula_draw(Copula *c, int64_t set, int64_t rows, Table **out) {
    Status status = OK;
    Work *work = &c->run->work;
    double *z = NULL;
    int32_t *broken = NULL;
    int64_t *split = NULL, bad = rows;
    char purpose[64];
    NEW(work, z, rows * c->columns + 1);
    NEW(work, broken, rows + 1);
    NEW(work, split, rows + 1);
    for (int64_t i = 0; i < rows; i++) split[i] = i;
    for (int round = 0;; round++) {
        snprintf(purpose, sizeof purpose, round ? "set %lld round %d" : "set %lld", (long long)set + 1, round);
        if (round > ROUNDS && bad == rows && !c->rules.count) TRY(uniques_impossible(c->run));
        if (round > ROUNDS && bad == rows) TRY(fail(work->error, BAD, RULES_FAIL, ROUNDS));
        if (round > ROUNDS) copy_lawful(c, purpose, split, bad, rows, z);
        else TRY(draw_latent(c, purpose, split, bad, z));
        TRY(make_table(c, z, rows, out));
        if (!c->rules.count && !c->uniques.columns) break;
        TRY(edit_rules_broken(work, &c->rules, *out, broken, NULL));
        TRY(replicated_uniques_mark(work, &c->uniques, *out, split, bad, broken));
        if (!(bad = split_rows(broken, rows, split))) break;
        table_release(*out);
        *out = NULL;
    }
done:
    arena_drop(work->arena, z);
    return status;
}
