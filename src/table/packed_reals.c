/* Numbers of few values: two bytes each in place of eight. */
#include "table/packed_reals.h"
#include "base/elementary.h"
#include "base/sort.h"
#include "table/column_cache.h"

enum { FEW_VALUES = UINT16_MAX };

/* *out stays empty where there are too many. */
static Status make_places(Work *work, Columns columns, int how, void *made) {
    Status status = OK;
    Work own = *work;
    const Column *column = columns.at[0];
    PackedReals *out = made;
    Codes codes = { 0 };
    uint16_t *place = NULL, *of = NULL;
    int32_t values = 0;
    double *value = NULL;
    (void)how;
    *out = (PackedReals){ 0 };
    own.memo = NULL; /* the codes need not stay */
    TRY(column_codes(&own, column, &codes));
    if (codes.count < FEW_VALUES) {
        NEW(work, place, column->rows + 1);
        NEW(work, value, codes.count + 1);
        NEW(work, of, codes.count + 1);
        for (int32_t c = 0; c < codes.count; c++) {
            double x = column_number(column, codes.first_row[c]);
            if (!values || x > value[values - 1]) value[values++] = x; /* whole numbers beyond 2^53 may be one and the same as reals */
            of[c] = (uint16_t)(values - 1);
        }
        value[values] = NAN;
        for (int64_t i = 0; i < column->rows; i++) place[i] = codes.at[i] < 0 ? (uint16_t)values : of[codes.at[i]];
        *out = (PackedReals){ .place = place, .value = value, .values = values };
    }
done:
    arena_drop(work->arena, of);
    codes_drop(&own, column, &codes);
    return status;
}

Status packed_reals_of(Work *work, const Column *column, PackedReals *out) {
    Status status = OK;
    *out = (PackedReals){ 0 };
    if (column->type != REAL_TYPE && column_linear(column) && column->rows <= INT32_MAX)
        TRY(cache_take(work, CACHE_NUMBERS, (Columns){ .count = 1, .at = &column }, 0, make_places, out, sizeof *out));
    if (!out->place) TRY(column_reals(work, column, &out->real));
done:
    return status;
}

static void numbers_drop(Work *work, const Column *column, PackedReals *numbers) {
    if (column->type != REAL_TYPE || numbers->real != column->real) arena_drop(work->arena, (double *)(uintptr_t)numbers->real);
    arena_drop(work->arena, (uint16_t *)(uintptr_t)numbers->place);
    arena_drop(work->arena, (double *)(uintptr_t)numbers->value);
}

/* Values of both, each once, and where those of each have gone; false where they are too many. */
static bool merge_values(const PackedReals half[2], double *value, int32_t *values, uint16_t *const to[2]) {
    int32_t at[2] = { 0 };
    for (*values = 0; at[0] < half[0].values || at[1] < half[1].values; ++*values) {
        double next = INFINITY;
        for (int t = 0; t < 2; t++) next = at[t] < half[t].values ? fmin(next, half[t].value[at[t]]) : next;
        for (int t = 0; t < 2; t++)
            if (at[t] < half[t].values && half[t].value[at[t]] == next) to[t][at[t]++] = (uint16_t)*values;
        if (*values + 1 >= FEW_VALUES) return false;
        value[*values] = next;
    }
    for (int t = 0; t < 2; t++) to[t][half[t].values] = (uint16_t)*values;
    value[*values] = NAN;
    return true;
}

static Status stack_places(Work *work, const PackedReals half[2], const int64_t rows[2], PackedReals *out) {
    Status status = OK;
    uint16_t *to[2] = { 0 }, *place = NULL;
    double *value = NULL;
    int32_t values = 0;
    for (int t = 0; t < 2; t++) NEW(work, to[t], half[t].values + 1);
    NEW(work, value, half[0].values + half[1].values + 1);
    if (merge_values(half, value, &values, to)) {
        NEW(work, place, rows[0] + rows[1] + 1);
        for (int t = 0; t < 2; t++)
            for (int64_t i = 0; i < rows[t]; i++) place[(t ? rows[0] : 0) + i] = to[t][half[t].place[i]];
        *out = (PackedReals){ .place = place, .value = value, .values = values };
    } else arena_drop(work->arena, value);
done:
    for (int t = 0; t < 2; t++) arena_drop(work->arena, to[t]);
    return status;
}

Status packed_reals_stack(Work *work, const Column *const column[2], PackedReals *out) {
    Status status = OK;
    Work own = *work;
    PackedReals half[2] = { { 0 } };
    const int64_t rows[2] = { column[0]->rows, column[1]->rows };
    double *real = NULL;
    own.memo = NULL;
    *out = (PackedReals){ 0 };
    for (int t = 0; t < 2; t++) TRY(packed_reals_of(&own, column[t], &half[t]));
    if (half[0].place && half[1].place) TRY(stack_places(work, half, rows, out));
    if (!out->place) {
        NEW(work, real, rows[0] + rows[1] + 1);
        for (int t = 0; t < 2; t++)
            for (int64_t i = 0; i < rows[t]; i++) real[(t ? rows[0] : 0) + i] = number_at(&half[t], i);
        out->real = real;
    }
done:
    for (int t = 0; t < 2; t++) numbers_drop(&own, column[t], &half[t]);
    return status;
}

static Status order_reals_of(Work *work, const double *x, int64_t rows, int32_t *out, int64_t *present) {
    Status status = OK;
    Keyed keyed = { 0 };
    int64_t used = 0;
    TRY(keyed_new(work, rows + 1, &keyed));
    for (int64_t i = 0; i < rows; i++) {
        keyed.key[used] = real_key(x[i]);
        keyed.row[used] = (int32_t)i;
        used += !isnan(x[i]);
    }
    TRY(keyed_sort(work, keyed, used));
    for (int64_t i = 0; i < used; i++) out[i] = keyed.row[i];
    *present = used;
    for (int64_t i = 0; used < rows; i++)
        if (isnan(x[i])) out[used++] = (int32_t)i;
done:
    keyed_drop(work, &keyed);
    return status;
}

/* By counting. */
static Status order_places(Work *work, const PackedReals *numbers, int64_t rows, int32_t *out, int64_t *present) {
    Status status = OK;
    int64_t *start = NULL;
    NEW(work, start, numbers->values + 2);
    for (int64_t i = 0; i < rows; i++) start[numbers->place[i] + 1]++;
    *present = rows - start[numbers->values + 1];
    for (int32_t v = 0; v < numbers->values; v++) start[v + 1] += start[v];
    for (int64_t i = 0; i < rows; i++) out[start[numbers->place[i]]++] = (int32_t)i;
done:
    arena_drop(work->arena, start);
    return status;
}

Status packed_reals_order(Work *work, const PackedReals *numbers, int64_t rows, int32_t *out, int64_t *present) {
    if (rows > INT32_MAX) return fail(work->error, FAILED, "more than 2^31 records cannot be sorted at once");
    return numbers->place ? order_places(work, numbers, rows, out, present) : order_reals_of(work, numbers->real, rows, out, present);
}
