/* A fitted copula as a table and back. */
#include <string.h>
#include "base/elementary.h"
#include "math/linear/symmetric.h"
#include "synth/engine/copula.h"
#include "synth/engine/saved.h"

Status copula_table(const Copula *c, Table **out) {
    Status status = OK;
    Work *work = &c->run->work;
    int64_t rows = c->rows > c->columns ? c->rows : c->columns, count = 0, *from = NULL;
    double records = (double)c->rows;
    Column **made = NULL;
    NEW(work, made, 2 * c->columns + 2);
    NEW(work, from, rows + 1);
    TRY(saved_column(work, SAVED_SIZE, INTEGER_TYPE, &records, 1, rows, &made[count]));
    count++;
    for (int64_t j = 0; j < c->columns; j++) {
        const Margin *m = &c->margin[j];
        const char *name = arena_print(work->arena, "copula of %s", m->column->name);
        for (int64_t i = 0; i < rows; i++) from[i] = i < c->rows ? m->order[i] : -1;
        TRY(column_take(m->column, from, rows, &made[count], work->error));
        count++;
        TRY(saved_column(work, name, REAL_TYPE, c->latent + j * c->columns, c->columns, rows, &made[count]));
        count++;
    }
    TRY(table_new(c->args->data->name, made, count, rows, out, work->error));
done:
    for (int64_t j = 0; made && j < count; j++) column_release(made[j]);
    return status;
}

/* ---- and back ---- */

bool copula_saved(Work *work, const Table *model) {
    for (int64_t j = 0; j < model->columns; j++) {
        const Column *part = NULL;
        if (!saved_part(work, model, "copula", model->column[j]->name, &part) && part) return true;
    }
    return false;
}

/* Row j of the latent correlations: 1 at itself, and what column i < j said of the two. */
static Status read_row(Copula *c, const Column *part, int64_t j) {
    Status status = OK;
    double *x = NULL;
    int64_t count, p = c->columns;
    TRY(saved_numbers(&c->run->work, part, &x, &count));
    if (count != p) TRY(not_saved(&c->run->work, part->name, 0));
    for (int64_t i = 0; i < p; i++) {
        if (!(fabs(x[i]) <= 1 + 1e-9) || (i == j && fabs(x[i] - 1) > 1e-9) || (i < j && fabs(x[i] - c->latent[i * p + j]) > 1e-9))
            TRY(not_saved(&c->run->work, part->name, i));
        c->latent[j * p + i] = x[i];
    }
done:
    return status;
}

/* The rows of a saved column stand in the order of its margin, and so do its categories. */
static Status saved_places(Copula *c, Margin *m) {
    int32_t next = 0;
    if (!m->nominal) return OK;
    for (int32_t k = 0; k <= m->codes.count; k++) m->place[k] = -1;
    for (int64_t i = 0; i < c->rows; i++) {
        int32_t *place = &m->place[m->codes.at[i] < 0 ? m->codes.count : m->codes.at[i]];
        if (*place < 0) *place = next++;
    }
    return copula_sort_places(c, m);
}

Status copula_read(Copula *c, const Table *model, Table **values) {
    Status status = OK;
    Work *work = &c->run->work;
    TRY(saved_records(work, model, &c->rows));
    TRY(saved_values(work, model, c->rows, values));
    int64_t p = c->columns = (*values)->columns;
    NEW(work, c->margin, p + 1);
    NEW(work, c->latent, p * p + 1);
    NEW(work, c->root, p * p + 1);
    for (int64_t j = 0; j < p; j++) {
        const char *name = (*values)->column[j]->name;
        const Column *part = NULL;
        TRY(saved_part(work, model, "copula", name, &part));
        if (!part) TRY(not_saved(work, name, 0));
        TRY(read_row(c, part, j));
        TRY(copula_margin(c, (*values)->column[j], &c->margin[j]));
        TRY(saved_places(c, &c->margin[j]));
    }
    if (!semidefinite_root(c->latent, p, c->root)) TRY(not_saved(work, SAVED_SIZE, 0));
done:
    return status;
}
