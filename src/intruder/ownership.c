/* Whose record each released record is. */
#include "intruder/ownership.h"
#include <string.h>
#include "base/elementary.h"
#include "classes/interval_label.h"
#include "classes/joint_codes.h"

enum { STANDARD_ERRORS = 10 };

/* ---- by an id ---- */

static Status owner_by_id(Work *work, const Table *released, const Table *original, const char *id, int64_t **out) {
    Status status = OK;
    const Column *here, *there;
    JointCodes codes = { 0 };
    int64_t *row = NULL;
    TRY(table_need(released, id, &here, work->error));
    TRY(table_need(original, id, &there, work->error));
    TRY(joint_codes(work, there, here, 0, 0, &codes));
    NEW(work, *out, released->rows + 1);
    NEW(work, row, codes.count + 1);
    for (int64_t i = 0; i < original->rows; i++) {
        int32_t c = codes.at[0][i];
        if (c < 0) continue;
        if (row[c]) {
            fail(work->error, BAD, "two records of the original have the same id");
            error_column(work->error, id);
            TRY(error_row(work->error, i));
        }
        row[c] = i + 1;
    }
    for (int64_t i = 0; i < released->rows; i++) {
        int32_t c = codes.at[1][i];
        (*out)[i] = c >= 0 ? row[c] - 1 : -1;
        if ((*out)[i] < 0) {
            fail(work->error, BAD, "a released record has an id that the original lacks");
            error_column(work->error, id);
            TRY(error_row(work->error, i));
        }
    }
done:
    arena_drop(work->arena, row);
    joint_drop(work, &codes);
    return status;
}

/* ---- by what the tables know of themselves ---- */

static int64_t origin_of(const Table *table, int64_t i) { return table->origin ? table->origin[i] : i; }

/* False where a released record stems from none of the original's. */
static Status owner_by_origin(Work *work, const Table *released, const Table *original, int64_t **out, bool *all) {
    Status status = OK;
    int64_t *row = NULL, most = -1;
    *all = true;
    NEW(work, *out, released->rows + 1);
    for (int64_t i = 0; i < original->rows; i++)
        if (origin_of(original, i) > most) most = origin_of(original, i);
    NEW(work, row, most + 2);
    for (int64_t i = 0; i < original->rows; i++)
        if (origin_of(original, i) >= 0) row[origin_of(original, i)] = i + 1;
    for (int64_t i = 0; i < released->rows; i++) {
        int64_t from = origin_of(released, i);
        (*out)[i] = from >= 0 && from <= most ? row[from] - 1 : -1;
        *all &= (*out)[i] >= 0;
    }
done:
    arena_drop(work->arena, row);
    return status;
}

/* ---- by position ---- */

/* Numbers; intervals as the middle of their finite ends; else NaN. */
static Status positions_on_a_line(Work *work, const Column *column, double **out, int64_t *known) {
    Status status = OK;
    char text[33];
    *known = 0;
    NEW(work, *out, column->rows + 1);
    for (int64_t i = 0; i < column->rows; i++) {
        LabelInterval interval;
        (*out)[i] = NAN;
        if (column_missing(column, i)) continue;
        if (column_linear(column)) (*out)[i] = column_number(column, i);
        else if (interval_label_read(column_cell(column, i, text), &interval))
            (*out)[i] = isinf(interval.low) ? interval.high : isinf(interval.high) ? interval.low : (interval.low + interval.high) / 2;
        *known += !isnan((*out)[i]);
    }
done:
    return status;
}

/* The correlation of two columns in standard errors of a random order, which are 1/sqrt(n - 1) exactly. */
static double correlation_by_position(const double *x, const double *y, int64_t rows) {
    double n = 0, sx = 0, sy = 0, xx = 0, yy = 0, xy = 0;
    for (int64_t i = 0; i < rows; i++) {
        if (isnan(x[i]) || isnan(y[i])) continue;
        n++;
        sx += x[i];
        sy += y[i];
    }
    for (int64_t i = 0; i < rows && n > 1; i++) {
        if (isnan(x[i]) || isnan(y[i])) continue;
        double a = x[i] - sx / n, b = y[i] - sy / n;
        xx += a * a;
        yy += b * b;
        xy += a * b;
    }
    return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) * sqrt(n - 1) : 0;
}

/* Records with equal cells in the same place, less those expected in a random order, in standard errors of that. With a_c records of
 * value c in one table and b_c in the other, the mean is sum(a_c b_c)/n and the variance is
 * (sum(a_c b_c) - sum(a_c b_c^2)/n - sum(a_c^2 b_c)/n + (sum(a_c b_c))^2/n^2) / (n - 1)   (Hoeffding 1951). */
static Status agreement_by_position(Work *work, const Column *before, const Column *after, double *out) {
    Status status = OK;
    JointCodes codes = { 0 };
    int64_t *times[2] = { 0 };
    double n = (double)after->rows, same = 0, ab = 0, aab = 0, abb = 0;
    TRY(joint_codes(work, before, after, 0, 0, &codes));
    for (int side = 0; side < 2; side++) NEW(work, times[side], codes.count + 1);
    for (int64_t i = 0; i < after->rows; i++) {
        int32_t a = codes.at[0][i], b = codes.at[1][i];
        if (a >= 0) times[0][a]++;
        if (b >= 0) times[1][b]++;
        same += a >= 0 && a == b;
    }
    for (int32_t c = 0; c < codes.count; c++) {
        double a = (double)times[0][c], b = (double)times[1][c];
        ab += a * b;
        aab += a * a * b;
        abb += a * b * b;
    }
    double variance = n > 1 ? (ab - aab / n - abb / n + ab * ab / (n * n)) / (n - 1) : 0;
    *out = variance > 0 ? (same - ab / n) / sqrt(variance) : 0;
done:
    for (int side = 0; side < 2; side++) arena_drop(work->arena, times[side]);
    joint_drop(work, &codes);
    return status;
}

static Status column_stays(Work *work, const Column *before, const Column *after, bool *out) {
    Status status = OK;
    double z, *x = NULL, *y = NULL;
    int64_t here = 0, there = 0;
    TRY(agreement_by_position(work, before, after, &z));
    *out = z >= STANDARD_ERRORS;
    if (*out || !column_linear(before)) goto done;
    TRY(positions_on_a_line(work, before, &x, &here));
    TRY(positions_on_a_line(work, after, &y, &there));
    *out = 2 * there > after->rows && correlation_by_position(x, y, after->rows) >= STANDARD_ERRORS;
done:
    arena_drop(work->arena, x);
    arena_drop(work->arena, y);
    return status;
}

static Status order_stays(Work *work, const Table *released, const Table *original, bool *out) {
    Status status = OK;
    *out = false;
    for (int64_t j = 0; j < released->columns && !*out; j++) {
        const Column *before = table_column(original, released->column[j]->name);
        if (before) TRY(column_stays(work, before, released->column[j], out));
    }
done:
    return status;
}

Status ownership_find(Work *work, const Table *released, const Table *original, const char *id, Ownership *out) {
    Status status = OK;
    bool stays = true;
    *out = (Ownership){ 0 };
    if (id) {
        TRY(owner_by_id(work, released, original, id, &out->row));
        *out = (Ownership){ true, "id", out->row };
        return OK;
    }
    if (released->origin || original->origin) {
        bool all = false;
        TRY(owner_by_origin(work, released, original, &out->row, &all));
        if (all) *out = (Ownership){ true, "recipe", out->row };
        else *out = (Ownership){ 0 };
        return OK;
    }
    if (released->rows != original->rows || !table_places(released)) return OK;
    if (!released->released) TRY(order_stays(work, released, original, &stays));
    if (!stays) return OK;
    NEW(work, out->row, released->rows + 1);
    for (int64_t i = 0; i < released->rows; i++) out->row[i] = i;
    out->known = true;
    out->how = "position";
done:
    return status;
}
