/* What was done to the columns of an output, by what the method says and by what its values show. */
#include "method/treated.h"
#include <string.h>

/* Output record -> input record, by where both stem from; NULL: the same place. *known: it can be told. */
static Status rows_of(const Binding *b, const Table *output, int64_t **out, bool *known) {
    Status status = OK;
    int64_t *place = NULL, most = -1;
    const int64_t *from = b->whole->origin;
    *out = NULL;
    *known = true;
    if (!output->origin && !from) {
        *known = output->rows == b->whole->rows;
        return OK;
    }
    if (!output->origin) { /* it says nothing: each record in its place, or drawn again */
        *known = output->rows == b->whole->rows;
        return OK;
    }
    for (int64_t i = 0; i < b->whole->rows; i++)
        if ((from ? from[i] : i) > most) most = from ? from[i] : i;
    NEW(b->work, place, most + 2);
    NEW(b->work, *out, output->rows + 1);
    for (int64_t i = 0; i < b->whole->rows; i++)
        if ((from ? from[i] : i) >= 0) place[from ? from[i] : i] = i + 1;
    for (int64_t i = 0; i < output->rows; i++) {
        const int64_t at = output->origin[i];
        (*out)[i] = at >= 0 && at <= most ? place[at] - 1 : -1;
        *known &= (*out)[i] >= 0;
    }
done:
    arena_drop(b->work->arena, place);
    return status;
}

static bool same_cell(const Column *now, int64_t i, const Column *old, int64_t j) {
    char here[33], there[33];
    if (column_missing(old, j)) return false;
    if (column_linear(now) && column_linear(old)) return column_number(now, i) == column_number(old, j);
    return !strcmp(column_cell(now, i, here), column_cell(old, j, there));
}

static bool values_stay(const Column *now, const Column *old, const int64_t *row) {
    for (int64_t i = 0; i < now->rows; i++)
        if (!column_missing(now, i) && !same_cell(now, i, old, row ? row[i] : i)) return false;
    return true;
}

static Status follow(const Column *old, Column *now, bool stays, Error *error) {
    const bool stated = now->treatment && now->treatment != old->treatment;
    if (now == old || (!stated && stays && now->treatment == old->treatment)) return OK;
    if (stays && !stated) {
        treatment_release(now->treatment);
        now->treatment = treatment_retain(old->treatment);
        return OK;
    }
    if (stated) return column_treat(now, treatment_after(now->treatment, old->treatment), error);
    return column_treat(now, treatment_of_amount(TREATED_OTHERWISE, 0), error);
}

Status treatments_follow(const Binding *b, Table *output) {
    Status status = OK;
    int64_t *row = NULL;
    bool known = false, asked = false;
    const bool synthetic = (b->method->traits & ANEW) || method_promises(b->method);
    if (!b->whole || !(synthetic || returns_release(b->method->values)) || atomic_load(&output->references) > 1) return OK;
    for (int64_t j = 0; j < output->columns; j++) {
        Column *now = output->column[j];
        const Column *old = table_column(b->whole, now->name);
        if ((now == old && !synthetic) || now->rows != output->rows) continue;
        if (atomic_load(&now->references) > 1) { /* another holds it as it is */
            Column *own = NULL;
            TRY(column_rename(now, now->name, &own, b->work->error));
            column_release(now);
            output->column[j] = now = own;
        }
        if (!old || synthetic) { /* no released value is made of one value */
            TRY(column_treat(now, treatment_of_amount(TREATED_OTHERWISE, 0), b->work->error));
            continue;
        }
        const bool stated = now->treatment && now->treatment != old->treatment;
        if (!asked && !stated) TRY(rows_of(b, output, &row, &known));
        asked |= !stated;
        TRY(follow(old, now, stated ? false : known && values_stay(now, old, row), b->work->error));
    }
done:
    arena_drop(b->work->arena, row);
    return status;
}
