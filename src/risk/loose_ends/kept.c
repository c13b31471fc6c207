/* Loose ends: what a release kept of its original. */
#include "risk/loose_ends/kept.h"
#include <stdlib.h>
#include "base/elementary.h"
#include "table/joint.h"
#include "table/truth.h"

enum { SHARED = 3 }; /* so many must share a value */

/* One column in both tables. */
typedef struct Both {
    JointCodes codes;  /* [0] original, [1] release */
    int64_t *times[2]; /* records of each code */
    int64_t *where;    /* a record of the original that has the code; NULL where the original lacks the column */
} Both;

static Status both_make(const Kept *k, const Column *column, Both *out) {
    Status status = OK;
    const Column *before = table_column(k->original, column->name);
    *out = (Both){ 0 };
    if (!before) return OK;
    TRY(joint_codes(k->work, before, column, 0, 0, &out->codes));
    for (int t = 0; t < 2; t++) NEW(k->work, out->times[t], out->codes.count + 1);
    NEW(k->work, out->where, out->codes.count + 1);
    for (int64_t i = 0; i < before->rows; i++)
        if (out->codes.at[0][i] >= 0) {
            out->times[0][out->codes.at[0][i]]++;
            out->where[out->codes.at[0][i]] = i;
        }
    for (int64_t i = 0; i < column->rows; i++)
        if (out->codes.at[1][i] >= 0) out->times[1][out->codes.at[1][i]]++;
done:
    return status;
}

static void both_drop(const Kept *k, Both *both) {
    if (!both->where) return;
    for (int t = 0; t < 2; t++) arena_drop(k->work->arena, both->times[t]);
    arena_drop(k->work->arena, both->where);
    joint_drop(k->work, &both->codes);
}

Status kept_make(Work *work, const Table *data, const Table *original, const char *id, Kept *out) {
    Status status = OK;
    *out = (Kept){ .work = work, .data = data, .original = original, .certain = id || data->origin };
    if (original && (out->certain || (original->rows == data->rows && table_places(data))))
        TRY(truth_pairs(work, data, original, id, &out->row));
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
    *out = true;
    for (int32_t c = 0; c < both.codes.count && *out; c++)
        *out = whole ? both.times[0][c] == both.times[1][c] : both.times[1][c] <= both.times[0][c];
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

static bool alone(const Both *b, int32_t code) { return code >= 0 && b->times[0][code] == 1 && b->times[1][code] == 1; }

/* By who is who: most values are as they were, and so many people have theirs alone. */
static int64_t alone_in_pairs(const Kept *k, const Both *b) {
    int64_t same = 0, known = 0, count = 0;
    for (int64_t i = 0; i < k->data->rows; i++) {
        int32_t was = b->codes.at[0][k->row[i]], is = b->codes.at[1][i];
        if (was < 0 || is < 0) continue;
        known++;
        same += was == is;
        count += was == is && alone(b, is);
    }
    return 2 * same > known ? count : 0;
}

/* How sure it is that `other` holds the same of the people whom a lone value of `b` pairs, as −log of the chance that all of them agree in
 * it; 0 where some do not. */
static Status borne_out(const Kept *k, const Both *b, const Column *other, double *out) {
    Status status = OK;
    Both o = { 0 };
    int64_t commonest = 0, present = 0, agreeing = 0;
    *out = 0;
    TRY(both_make(k, other, &o));
    if (!o.where) return OK;
    for (int32_t c = 0; c < o.codes.count; c++) {
        present += o.times[0][c];
        commonest = o.times[0][c] > commonest ? o.times[0][c] : commonest;
    }
    for (int64_t i = 0; i < k->data->rows; i++) {
        int32_t code = b->codes.at[1][i];
        if (!alone(b, code)) continue;
        int32_t was = o.codes.at[0][b->where[code]], is = o.codes.at[1][i];
        if (was != is) goto done;
        agreeing += is >= 0;
    }
    if (present && commonest < present) *out = (double)agreeing * log((double)present / (double)commonest);
done:
    both_drop(k, &o);
    return status;
}

/* By the values themselves: a number that one record alone has in both tables pairs these two, and other columns agree that they are one
 * person's, in a way that chance has less than 1% for. */
static Status alone_by_value(const Kept *k, const Column *column, const Both *b, int64_t *out) {
    Status status = OK;
    double sure = 0;
    int64_t count = 0, single = 0;
    for (int32_t c = 0; c < b->codes.count; c++) {
        count += alone(b, c);
        single += b->times[1][c] == 1;
    }
    *out = 0;
    if (!count || 2 * count <= single) return OK; /* most are nobody's number of before */
    for (int64_t j = 0; j < k->data->columns && sure < log(100); j++) {
        double more;
        if (k->data->column[j] == column) continue;
        TRY(borne_out(k, b, k->data->column[j], &more));
        sure += more;
    }
    if (sure >= log(100)) *out = count;
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
    if (k->row) *out = alone_in_pairs(k, &both);
    if (!*out && !k->certain) TRY(alone_by_value(k, column, &both, out));
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
    for (int32_t c = 0; c < codes->count && (c < small || together < SHARED); c++) {
        together += rare[c].records;
        if (rare[c].population >= (double)*out) *out = (int64_t)floor(rare[c].population) + 1;
    }
    if (together * 10 > k->data->rows) *out = 0;
done:
    arena_drop(k->work->arena, rare);
    return status;
}

/* Do the records stand where they stood, as far as this column tells? */
static bool in_place(const Kept *k, const Both *b) {
    int64_t same = 0;
    for (int64_t i = 0; i < k->data->rows; i++) same += b->codes.at[0][k->row[i]] == b->codes.at[1][i];
    return 2 * same > k->data->rows;
}

Status kept_rare(const Kept *k, const Column *column, const Column *weight, int64_t *out, int64_t *least) {
    Status status = OK;
    Codes codes = { 0 };
    Both both = { 0 };
    int64_t *size = NULL;
    *out = 0;
    TRY(column_codes(k->work, column, &codes));
    TRY(codes_sizes(k->work, &codes, column->rows, &size));
    if (k->original && k->row) TRY(both_make(k, column, &both));
    bool known = both.where && (k->certain || in_place(k, &both));
    for (int64_t i = 0; i < column->rows; i++) {
        if (codes.at[i] < 0 || size[codes.at[i]] != 1) continue;
        *out += !known || both.codes.at[0][k->row[i]] == both.codes.at[1][i] || !both.times[0][both.codes.at[1][i]];
    }
    TRY(folding(k, &codes, size, weight, least));
done:
    both_drop(k, &both);
    codes_drop(k->work, column, &codes);
    arena_drop(k->work->arena, size);
    return status;
}
