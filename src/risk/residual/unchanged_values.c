/* Residual risks: what a release kept of its original. */
#include "risk/residual/unchanged_values.h"
#include <stdlib.h>
#include "base/elementary.h"
#include "risk/residual/value_linkage.h"
#include "classes/true_keys.h"

enum { SHARED = 3 }; /* so many must share a value */

/* Do most records have their value by position, beyond what a random order leaves in place: Cohen's κ = (s − e)/(n − e) over ½, s records
 * in place, e = Σ n₀(c) n₁(c)/n of them by chance? */
static bool stays(const Kept *k, const Both *b) {
    double same = 0, chance = 0, n = (double)k->data->rows;
    for (int64_t i = 0; i < k->data->rows; i++) same += b->codes.at[1][i] >= 0 && b->codes.at[0][k->row[i]] == b->codes.at[1][i];
    for (int32_t c = 0; c < b->codes.count; c++) chance += (double)b->times[0][c] * (double)b->times[1][c] / n;
    return 2 * (same - chance) > n - chance;
}

/* Do records agree in more cells with those that the values lead to than with those in their place? Else some columns were moved, and the
 * rest stayed. `moved`: records that the values lead elsewhere. */
static Status better_by_value(const Kept *k, const int64_t *likely, bool *out, int64_t *moved) {
    Status status = OK;
    int64_t by_value = 0, by_position = 0;
    *moved = 0;
    for (int64_t i = 0; i < k->data->rows; i++) *moved += likely[i] >= 0 && likely[i] != k->row[i];
    for (int64_t j = 0; j < k->data->columns; j++) {
        Both both = { 0 };
        TRY(both_make(k, k->data->column[j], &both));
        for (int64_t i = 0; both.where && i < k->data->rows; i++) {
            if (likely[i] < 0 || both.codes.at[1][i] < 0) continue;
            by_value += both.codes.at[0][likely[i]] == both.codes.at[1][i];
            by_position += both.codes.at[0][k->row[i]] == both.codes.at[1][i];
        }
        both_drop(k, &both);
    }
    *out = by_value > by_position;
done:
    return status;
}

/* Have the records moved, though as many as before? Position is believed, unless
 * - some column has the same values as often, and no column has most of them in their place, beyond what chance leaves there; or
 * - values that one record alone has in either table lead to others than position does, and other columns bear them out: most such values
 *   of a column, where another column stayed in place, since two people who are alike may have been swapped. */
static Status has_moved(Kept *k, bool *out) {
    Status status = OK;
    bool in_place = false, shuffled = false, odd = false;
    int64_t moved = 0, lone = 0;
    *out = false;
    for (int64_t j = 0; j < k->data->columns; j++) {
        Both both = { 0 };
        TRY(both_make(k, k->data->column[j], &both));
        if (!both.where) continue;
        Found found = both_found(k, &both);
        odd |= found.wrong > found.right;
        lone = found.right + found.wrong > lone ? found.right + found.wrong : lone;
        in_place |= stays(k, &both);
        shuffled |= both.codes.count > 1 && both_as_often(&both);
        both_drop(k, &both);
    }
    if (odd) {
        TRY(whose_by_value(k, &k->likely));
        TRY(better_by_value(k, k->likely, out, &moved));
    }
    *out = (*out && (!in_place || 2 * moved > lone)) || (shuffled && !in_place);
done:
    return status;
}

Status kept_make(Work *work, const Table *data, const Table *original, const char *id, Kept *out) {
    Status status = OK;
    bool moved = true;
    *out = (Kept){ .work = work, .data = data, .original = original, .certain = id || data->origin };
    if (!original) return OK;
    if (out->certain || (original->rows == data->rows && table_places(data))) {
        TRY(true_keys_pairs(work, data, original, id, &out->row));
        moved = false;
    }
    if (out->row && !out->certain) TRY(has_moved(out, &moved));
    if (!moved) return OK;
    out->row = NULL;
    if (!out->likely) TRY(whose_by_value(out, &out->likely));
done:
    return status;
}

static bool in_pairs(const Kept *k, const Both *b) {
    for (int64_t i = 0; i < k->data->rows; i++)
        if (b->codes.at[0][k->row[i]] != b->codes.at[1][i]) return false;
    return true;
}

Status kept_as_before(const Kept *k, const Column *column, bool *out) {
    Status status = OK;
    Both both = { 0 };
    bool whole = k->original && k->data->rows == k->original->rows;
    *out = false;
    if (!k->original) return OK;
    TRY(both_make(k, column, &both));
    if (!both.where) return OK;
    *out = k->row && in_pairs(k, &both);
    if (*out || k->certain) goto done;
    *out = whole ? both_as_often(&both) : both_no_oftener(&both);
done:
    both_drop(k, &both);
    return status;
}

Status kept_changed(const Kept *k, const Column *column, bool *out) {
    Status status = OK;
    Both both = { 0 };
    int64_t same = 0, known = 0;
    *out = table_altered(k->data, column->name);
    if (*out || !k->row || !k->certain) return OK;
    TRY(both_make(k, column, &both));
    if (!both.where) return OK;
    for (int64_t i = 0; i < column->rows; i++) {
        int32_t was = both.codes.at[0][k->row[i]], is = both.codes.at[1][i];
        known += was >= 0 && is >= 0;
        same += was >= 0 && was == is;
    }
    *out = 2 * same <= known;
done:
    both_drop(k, &both);
    return status;
}

Status kept_none(const Kept *k, const Column *column, bool *out) {
    Status status = OK;
    Both both = { 0 };
    uint8_t *met = NULL;
    int64_t distinct = 0, old = 0;
    *out = false;
    if (!k->original || column_linear(column) || !table_column(k->original, column->name)) return OK;
    TRY(both_make(k, column, &both));
    NEW(k->work, met, both.codes.count + 1);
    for (int64_t i = 0; i < k->original->rows; i++)
        if (both.codes.at[0][i] >= 0) met[both.codes.at[0][i]] = 1;
    for (int64_t i = 0; i < column->rows; i++) {
        const int32_t code = both.codes.at[1][i];
        if (code < 0) continue;
        old += met[code] == 1;
        distinct += !met[code];
        if (!met[code]) met[code] = 2;
    }
    *out = 2 * distinct > column->rows - column->missing && 20 * old <= column->rows;
done:
    arena_drop(k->work->arena, met);
    both_drop(k, &both);
    return status;
}

Status kept_order(const Kept *k, bool *out) {
    Status status = OK;
    const int64_t *from = k->data->origin ? k->data->origin : k->row;
    *out = false;
    if (!k->row || k->data->rows < 2) return OK;
    for (int64_t i = 1; i < k->data->rows; i++)
        if (from[i] <= from[i - 1]) return OK;
    for (int64_t j = 0; j < k->data->columns && !*out; j++) {
        Both both = { 0 };
        int32_t values = 0;
        TRY(both_make(k, k->data->column[j], &both));
        for (int32_t c = 0; c < both.codes.count; c++) values += both.times[1][c] > 0;
        *out = values > 2 && in_pairs(k, &both);
        both_drop(k, &both);
    }
done:
    return status;
}

Status kept_alone(const Kept *k, const Column *column, int64_t *out) {
    Status status = OK;
    Both both = { 0 };
    *out = 0;
    if (!k->original) return OK;
    TRY(both_make(k, column, &both));
    if (!both.where) return OK;
    Found found = both_found(k, &both);
    if (found.right > found.wrong) *out = found.right;
done:
    both_drop(k, &both);
    return status;
}

/* A category: its records, and what recoding counts, their weights where there are some. */
typedef struct Rare {
    int64_t records;
    double population;
} Rare;

static int by_population(const void *a, const void *b) {
    const Rare *x = a, *y = b;
    return (x->population > y->population) - (x->population < y->population);
}

/* The least count below which lie all categories of fewer than SHARED records, and so many records together; 0 where they are many. */
static Status folding(const Kept *k, const Codes *codes, const int64_t *size, const Column *weight, int64_t *out) {
    Status status = OK;
    Rare *rare = NULL;
    int64_t together = 0;
    int32_t small = 0;
    NEW(k->work, rare, codes->count + 1);
    for (int32_t c = 0; c < codes->count; c++) rare[c] = (Rare){ size[c], weight ? 0 : (double)size[c] };
    for (int64_t i = 0; weight && i < k->data->rows; i++)
        if (codes->at[i] >= 0 && !column_missing(weight, i)) rare[codes->at[i]].population += column_number(weight, i);
    qsort(rare, (size_t)codes->count, sizeof *rare, by_population);
    for (int32_t c = 0; c < codes->count; c++) small = rare[c].records < SHARED ? c + 1 : small;
    *out = SHARED;
    for (int32_t c = 0; c < codes->count && (c < small || together < SHARED || rare[c].population < (double)*out); c++) {
        together += rare[c].records;
        if (rare[c].population >= (double)*out) *out = (int64_t)floor(rare[c].population) + 1;
    }
    if (together * 10 > k->data->rows) *out = 0;
done:
    arena_drop(k->work->arena, rare);
    return status;
}

Status kept_rare(const Kept *k, const Column *column, const Column *weight, int64_t *out, int64_t *least) {
    Status status = OK;
    Codes codes = { 0 };
    Both both = { 0 };
    int64_t *size = NULL;
    *out = 0;
    TRY(column_codes(k->work, column, &codes));
    TRY(codes_sizes(k->work, &codes, column->rows, &size));
    if (k->original) TRY(both_make(k, column, &both));
    for (int64_t i = 0; i < column->rows; i++) {
        if (codes.at[i] < 0 || size[codes.at[i]] != 1) continue;
        int64_t from = both.where ? kept_whose(k, i) : -1;
        *out += from < 0 || both.codes.at[0][from] == both.codes.at[1][i] || !both.times[0][both.codes.at[1][i]];
    }
    TRY(folding(k, &codes, size, weight, least));
done:
    both_drop(k, &both);
    codes_drop(k->work, column, &codes);
    arena_drop(k->work->arena, size);
    return status;
}
