/* Canonical correlations between the confidential columns and the rest: what any linear combination can tell of any other. Defined after
 * Sarathy & Muralidhar 2002: docs/methods/risk-canonical.md. */
#include "base/elementary.h"
#include "base/extremes.h"
#include "math/linear/dense.h"
#include "math/linear/symmetric.h"
#include "risk/design_matrix.h"

typedef struct {
    const Table *data;
    Columns confidential, nonconfidential;
} args;
static const Param params[] = {
    TABLE(args, data, "Table to examine: the release with its confidential columns", .flags = REQUIRED | POSITIONAL),
    COLUMNS(args, confidential, data, "Sensitive columns that the intruder wants to infer", .flags = REQUIRED, .role = "sensitive"),
    COLUMNS(args, nonconfidential, data, "Columns that the intruder may know", .flags = REQUIRED, .role = "keys"),
    END,
};
static const Return values[] = {
    VALUE(largest_squared, REAL,
          "Largest squared canonical correlation, 0 to 1: the share of variance of some combination of the confidential columns that is "
          "known. Smaller is safer",
          .flags = PUBLIC),
    VALUE(security, REAL, "1 − largest_squared: the share of variance of every combination that stays unknown, at least. Larger is safer",
          .flags = PUBLIC),
    VALUE(records, INTEGER, "Records used (without missing values)", .flags = PUBLIC),
    TABLE_OUT(correlations, "number:integer correlation:real squared:real", "All canonical correlations", .flags = PUBLIC),
    END,
};

/* The columns of a design but for its intercept and what is constant, to be standardised, over records that are complete. Rows are made
 * when they are asked for. */
typedef struct ColumnBlock {
    const Design *d;
    int64_t rows, columns;
    const int64_t *record;
    int32_t *column;      /* of the design */
    double *mean, *scale; /* of the design's columns */
} ColumnBlock;

enum { BLOCK = 256 };

/* Means, then sums of squares about them, each column's in the order of its rows. */
static void add_moments(const ColumnBlock *b, bool squares, double *x) {
    for (int64_t first = 0; first < b->rows; first += BLOCK) {
        int64_t count = b->rows - first < BLOCK ? b->rows - first : BLOCK;
        design_read_records(b->d, b->record + first, count, x);
        for (int64_t j = b->d->intercept; j < b->d->columns; j++) {
            const double *at = x + j * count;
            double mean = b->mean[j], sum = b->scale[j];
            for (int64_t i = 0; i < count && squares; i++) sum += (at[i] - mean) * (at[i] - mean);
            for (int64_t i = 0; i < count && !squares; i++) mean += at[i] / (double)b->rows;
            b->mean[j] = mean;
            b->scale[j] = sum;
        }
    }
}

static Status standardise(Work *work, const Design *d, const int64_t *record, int64_t rows, ColumnBlock *out) {
    Status status = OK;
    double *x = NULL;
    *out = (ColumnBlock){ .d = d, .rows = rows, .record = record };
    NEW(work, out->column, d->columns + 1);
    NEW(work, out->mean, d->columns + 1);
    NEW(work, out->scale, d->columns + 1);
    NEW(work, x, BLOCK * d->columns + 1);
    add_moments(out, false, x);
    add_moments(out, true, x);
    for (int64_t j = d->intercept; j < d->columns; j++) {
        double mean = out->mean[j], sum = out->scale[j];
        if (!(sum > 1e-24 * (double)rows * (1 + mean * mean))) continue;
        out->scale[j] = sqrt(sum);
        out->column[out->columns++] = (int32_t)j;
    }
done:
    arena_drop(work->arena, x);
    return status;
}

/* Both blocks side by side, row by row, for their products. */
typedef struct Both {
    const ColumnBlock *block[2];
    ScratchPool *pads;
} Both;

static void both_rows(const void *self, int64_t first, int64_t count, DensePanels out) {
    const Both *both = self;
    int64_t at = 0;
    double *x = scratch_pool_take(both->pads);
    for (int side = 0; side < 2; side++) {
        const ColumnBlock *b = both->block[side];
        design_read_records(b->d, b->record + first, count, x);
        for (int64_t c = 0; c < b->columns; c++, at++) {
            int64_t j = b->column[c];
            double *to = dense_place(out, at / DENSE_PANEL, 0) + at % DENSE_PANEL;
            for (int64_t i = 0; i < count; i++) to[i * DENSE_PANEL] = (x[j * count + i] - b->mean[j]) / b->scale[j];
        }
    }
    scratch_pool_give(both->pads, x);
}

/* X'X of both; the product reads no more than 256 rows at once. */
static Status cross(Work *work, const ColumnBlock *a, const ColumnBlock *b, double *out) {
    Status status = OK;
    ScratchPool pads = { 0 };
    int64_t widest = a->d->columns > b->d->columns ? a->d->columns : b->d->columns;
    TRY(scratch_pool_make(work, blocks_of(a->rows, DENSE_ROWS), (size_t)(DENSE_ROWS * widest) * sizeof *out, &pads));
    TRY(dense_cross(work, both_rows, &(Both){ { a, b }, &pads }, a->rows, a->columns + b->columns, out));
done:
    scratch_pool_drop(work, &pads);
    return status;
}

/* Rows of the result: directions in which the block has unit variance; those that others already span are left out. */
static Status whiten(Run *run, const double *products, int64_t stride, int64_t p, double **out, int64_t *rank) {
    Status status = OK;
    double *r = NULL, *value = NULL, *vector = NULL;
    NEW(&run->work, r, p * p + 1);
    NEW(&run->work, value, p + 1);
    NEW(&run->work, vector, p * p + 1);
    NEW(&run->work, *out, p * p + 1);
    for (int64_t j = 0; j < p; j++)
        for (int64_t k = 0; k < p; k++) r[j * p + k] = products[j * stride + k];
    TRY(symmetric_eigen(&run->work, r, p, value, vector));
    *rank = 0;
    for (int64_t k = p - 1; k >= 0; k--) {
        if (value[k] < 1e-10 * value[p - 1]) break;
        for (int64_t j = 0; j < p; j++) (*out)[*rank * p + j] = vector[k * p + j] / sqrt(value[k]);
        ++*rank;
    }
done:
    return status;
}

/* The singular values of the whitened cross-correlation are the canonical correlations (Hotelling 1936): here as roots of the eigenvalues
 * of M·Mᵀ. */
static Status correlations(Run *run, const ColumnBlock *a, const ColumnBlock *b, double **out, int64_t *count) {
    Status status = OK;
    double *wa, *wb, *c = NULL, *half = NULL, *m = NULL, *square = NULL;
    int64_t ra, rb, stride = a->columns + b->columns;
    NEW(&run->work, c, stride * stride + 1);
    TRY(cross(&run->work, a, b, c));
    TRY(whiten(run, c, stride, a->columns, &wa, &ra));
    TRY(whiten(run, c + a->columns * stride + a->columns, stride, b->columns, &wb, &rb));
    NEW(&run->work, half, ra * b->columns + 1);
    NEW(&run->work, m, ra * rb + 1);
    NEW(&run->work, square, ra * ra + 1);
    NEW(&run->work, *out, ra + 1);
    for (int64_t i = 0; i < ra; i++)
        for (int64_t j = 0; j < a->columns; j++)
            for (int64_t k = 0; k < b->columns; k++) half[i * b->columns + k] += wa[i * a->columns + j] * c[j * stride + a->columns + k];
    for (int64_t i = 0; i < ra; i++)
        for (int64_t l = 0; l < rb; l++)
            for (int64_t k = 0; k < b->columns; k++) m[i * rb + l] += half[i * b->columns + k] * wb[l * b->columns + k];
    for (int64_t i = 0; i < ra; i++)
        for (int64_t j = 0; j < ra; j++)
            for (int64_t l = 0; l < rb; l++) square[i * ra + j] += m[i * rb + l] * m[j * rb + l];
    TRY(symmetric_eigen(&run->work, square, ra, *out, NULL));
    *count = ra < rb ? ra : rb;
    for (int64_t i = 0; i < ra / 2; i++) {
        double t = (*out)[i];
        (*out)[i] = (*out)[ra - 1 - i];
        (*out)[ra - 1 - i] = t;
    }
done:
    return status;
}

/* The records that are in both designs. */
static Status common_records(Run *run, const Design *a, const Design *b, int64_t **out, int64_t *count) {
    Status status = OK;
    NEW(&run->work, *out, a->rows + 1);
    *count = 0;
    for (int64_t i = 0, j = 0; i < a->rows && j < b->rows;) {
        if (a->row[i] < b->row[j]) i++;
        else if (a->row[i] > b->row[j]) j++;
        else {
            (*out)[(*count)++] = a->row[i++];
            j++;
        }
    }
done:
    return status;
}

static Status report(Run *run, const double *squared, int64_t count, int64_t rows, int64_t of) {
    const char *reason = count ? NULL : "One side has no column that varies.";
    if (2 * rows < of) reason = "Fewer than half of the records have all values.";
    result_note(run->result, "%lld of %lld records have all values and are used. Categories count as dummy variables.", (long long)rows,
                (long long)of);

    Grid *grid = grid_new(run->result, "correlations", "number:integer correlation:real squared:real");
    for (int64_t k = 0; k < count; k++) {
        double s = smaller(1, larger(0, squared[k]));
        grid_integer(grid, k + 1);
        grid_real(grid, sqrt(s));
        grid_real(grid, s);
    }
    grid_done(grid);
    if (!reason) {
        result_real(run->result, "largest_squared", fmin(1, squared[0]));
        result_real(run->result, "security", fmax(0, 1 - squared[0]));
    } else {
        result_null(run->result, "largest_squared", "%s", reason);
        result_null(run->result, "security", "%s", reason);
    }
    result_integer(run->result, "records", rows);
    return OK;
}

static Status canonical_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    Design da, db;
    ColumnBlock ba, bb;
    int64_t *record = NULL, rows, count = 0;
    double *squared = NULL;
    TRY(design_of_columns(&run->work, a->data, NULL, a->confidential, &da));
    TRY(design_of_columns(&run->work, a->data, NULL, a->nonconfidential, &db));
    TRY(common_records(run, &da, &db, &record, &rows));
    TRY(standardise(&run->work, &da, record, rows, &ba));
    TRY(standardise(&run->work, &db, record, rows, &bb));
    if (ba.columns && bb.columns) TRY(correlations(run, &ba, &bb, &squared, &count));
    TRY(report(run, squared, count, rows, a->data->rows));
    if (rows <= ba.columns + bb.columns)
        result_note(run->result, "There are no more records than columns, so the correlations are 1 whatever the data are.");
done:
    return status;
}

const Method risk_canonical = {
    .group = "risk",
    .name = "canonical",
    .summary = "Canonical correlations between confidential and known columns (inferential disclosure)",
    .source = "Sarathy & Muralidhar 2002",
    .params = params,
    .size = sizeof(args),
    .traits = INFERENTIAL | CODES_AS_CATEGORIES,
    .run = canonical_run,
    .values = values,
    .example = "scrim risk canonical examples/clinic.csv --confidential income,visits,cholesterol --nonconfidential age,bmi,sex",
};
