/* Transition matrices: read, made, blended, made invariant. */
#include "math/transition.h"
#include <string.h>
#include "base/elementary.h"

int64_t transition_find(const Transition *transition, const char *name) {
    for (int64_t i = 0; i < transition->count; i++)
        if (!strcmp(transition->name[i], name)) return i;
    return -1;
}

static Status allocate(Work *work, int64_t count, Transition *out) {
    Status status = OK;
    out->count = count;
    NEW(work, out->name, count + 1);
    NEW(work, out->p, count * count + 1);
done:
    return status;
}

/* Rows must sum to 1 (to six digits, then exactly); an empty row keeps its category. */
static Status settle(Work *work, Transition *t) {
    for (int64_t k = 0; k < t->count; k++) {
        double sum = 0;
        double *row = t->p + k * t->count;
        for (int64_t l = 0; l < t->count; l++) {
            if (!(row[l] >= 0))
                return fail(work->error, BAD, "the matrix has a probability that is missing or negative, in the row of '%s'", t->name[k]);
            sum += row[l];
        }
        if (sum == 0) {
            row[k] = 1;
            continue;
        }
        if (fabs(sum - 1) > 1e-6) return fail(work->error, BAD, "the matrix's row of '%s' does not sum to 1", t->name[k]);
        for (int64_t l = 0; l < t->count; l++) row[l] /= sum;
    }
    return OK;
}

static Status add_name(Work *work, Transition *t, const char *name) {
    if (transition_find(t, name) >= 0) return OK;
    t->name[t->count] = arena_text(work->arena, name);
    return t->name[t->count++] ? OK : out_of_memory(work->error);
}

static bool concerns(const Column *variable, int64_t row, const char *wanted) {
    char number[33];
    const char *cell = variable && wanted ? column_cell(variable, row, number) : NULL;
    return !cell || !strcmp(cell, wanted);
}

static Status read_long(Work *work, const Table *table, const char *wanted, Transition *out) {
    Status status = OK;
    const Column *original = table_column(table, "original"), *released = table_column(table, "released"),
                 *probability = table_column(table, "probability");
    const Column *variable = table_column(table, "variable");
    char a[33], b[33];
    NEW(work, out->name, 2 * table->rows + 1);
    for (int64_t i = 0; i < table->rows; i++) {
        const char *from = column_cell(original, i, a), *to = column_cell(released, i, b);
        if (!from || !to) {
            fail(work->error, BAD, "the matrix lacks a category here");
            TRY(error_row(work->error, i));
        }
        if (!concerns(variable, i, wanted)) continue;
        TRY(add_name(work, out, from));
        TRY(add_name(work, out, to));
    }
    NEW(work, out->p, out->count * out->count + 1);
    for (int64_t i = 0; i < table->rows; i++)
        if (concerns(variable, i, wanted))
            out->p[transition_find(out, column_cell(original, i, a)) * out->count + transition_find(out, column_cell(released, i, b))] =
                column_number(probability, i);
done:
    return status;
}

static Status read_wide(Work *work, const Table *table, Transition *out) {
    Status status = OK;
    bool named = table->columns != table->rows || !column_numeric(table->column[0]);
    int64_t first = named, released = table->columns - first;
    char number[33];
    if (released < 1) TRY(fail(work->error, BAD, "the matrix has no column of probabilities"));
    NEW(work, out->name, table->rows + released + 1);
    for (int64_t j = first; j < table->columns; j++) {
        TRY(add_name(work, out, table->column[j]->name));
        if (!column_numeric(table->column[j])) {
            fail(work->error, BAD, "the matrix holds something other than numbers");
            TRY(error_column(work->error, table->column[j]->name));
        }
    }
    for (int64_t i = 0; named && i < table->rows; i++) {
        const char *from = column_cell(table->column[0], i, number);
        if (!from) {
            fail(work->error, BAD, "the matrix lacks the name of a category");
            TRY(error_row(work->error, i));
        }
        TRY(add_name(work, out, from));
    }
    NEW(work, out->p, out->count * out->count + 1);
    for (int64_t i = 0; i < table->rows; i++) {
        int64_t row = named ? transition_find(out, column_cell(table->column[0], i, number)) : i;
        for (int64_t j = first; j < table->columns; j++)
            out->p[row * out->count + transition_find(out, table->column[j]->name)] = column_number(table->column[j], i);
    }
done:
    return status;
}

Status transition_read(Work *work, const Table *table, const char *variable, Transition *out) {
    Status status = OK;
    const Column *probability = table_column(table, "probability");
    *out = (Transition){ 0 };
    if (!table->columns) TRY(fail(work->error, BAD, "the matrix is empty"));
    bool is_long = probability && column_numeric(probability) && table_column(table, "original") && table_column(table, "released");
    TRY(is_long ? read_long(work, table, variable, out) : read_wide(work, table, out));
    TRY(settle(work, out));
done:
    if (status == BAD && table->name) error_file(work->error, table->name);
    return status;
}

Status transition_keep(Work *work, const char **name, int64_t count, double keep, Transition *out) {
    Status status = OK;
    TRY(allocate(work, count, out));
    for (int64_t k = 0; k < count; k++) {
        out->name[k] = name[k];
        for (int64_t l = 0; l < count; l++) out->p[k * count + l] = count == 1 ? 1 : k == l ? keep : (1 - keep) / (double)(count - 1);
    }
done:
    return status;
}

Status transition_with(Work *work, const Transition *from, const char **names, int64_t count, Transition *out) {
    Status status = OK;
    int64_t total = count, *place = NULL; /* of the categories of `from` */
    NEW(work, place, from->count + 1);
    for (int64_t i = 0; i < from->count; i++) {
        place[i] = -1;
        for (int64_t j = 0; j < count && place[i] < 0; j++)
            if (!strcmp(names[j], from->name[i])) place[i] = j;
        if (place[i] < 0) place[i] = total++;
    }
    TRY(allocate(work, total, out));
    for (int64_t j = 0; j < count; j++) out->name[j] = names[j];
    for (int64_t i = 0; i < from->count; i++) out->name[place[i]] = from->name[i];
    for (int64_t k = 0; k < total; k++) out->p[k * total + k] = 1;
    for (int64_t k = 0; k < from->count; k++) {
        out->p[place[k] * total + place[k]] = 0;
        for (int64_t l = 0; l < from->count; l++) out->p[place[k] * total + place[l]] = from->p[k * from->count + l];
    }
done:
    return status;
}

void transition_blend(Transition *transition, double a) {
    for (int64_t k = 0; k < transition->count; k++)
        for (int64_t l = 0; l < transition->count; l++) {
            double *p = &transition->p[k * transition->count + l];
            *p = a * *p + (k == l ? 1 - a : 0);
        }
}

Status transition_invariant(Work *work, const Transition *p, const double *counts, Transition *out) {
    Status status = OK;
    int64_t n = p->count;
    double *share = NULL; /* Σ_k p_kl·T_k */
    NEW(work, share, n + 1);
    TRY(allocate(work, n, out));
    memcpy(out->name, p->name, (size_t)n * sizeof *out->name);
    for (int64_t k = 0; k < n; k++)
        for (int64_t l = 0; l < n; l++) share[l] += p->p[k * n + l] * counts[k];
    for (int64_t k = 0; k < n; k++) {
        double sum = 0, *row = out->p + k * n;
        for (int64_t l = 0; l < n; l++) {
            if (p->p[k * n + l] == 0 || share[l] <= 0) continue;
            for (int64_t j = 0; j < n; j++) row[j] += p->p[k * n + l] * p->p[j * n + l] * counts[j] / share[l];
        }
        for (int64_t j = 0; j < n; j++) sum += row[j];
        if (sum > 0)
            for (int64_t j = 0; j < n; j++) row[j] /= sum; /* a category nobody has stays as it is */
        else row[k] = 1;
    }
done:
    arena_drop(work->arena, share);
    return status;
}
