/* Original and synthetic records crossed in the same groups, and how far apart the tables lie. */
#include <stdlib.h>
#include <string.h>
#include "base/compare.h"
#include "synth/engine/engine.h"
#include "classes/joint_codes.h"

enum { GROUPS_OF_NUMBERS = 5, FEW = 8 };
static const double DENSE = 1 << 22, DENSE_FOR_EACH = 4; /* cells that are counted in a table of all of them, and how many for a record */

Status grouped_make(Work *work, const Table *original, const Table *synthetic, Grouped *out) {
    Status status = OK;
    *out = (Grouped){ .rows = { original->rows, synthetic->rows } };
    TRY(common_columns(work, original, synthetic, (Columns){ 0 }, &out->name, &out->columns));
    NEW(work, out->values, out->columns + 1);
    NEW(work, out->at[0], out->columns + 1);
    NEW(work, out->at[1], out->columns + 1);
    for (int64_t v = 0; v < out->columns; v++) {
        JointCodes codes;
        const Column *a = table_column(original, out->name[v]), *b = table_column(synthetic, out->name[v]);
        bool number = column_numeric(a) || a->type == DATE_TYPE;
        TRY(joint_codes(work, a, b, FEW, number ? GROUPS_OF_NUMBERS : 0, &codes));
        out->values[v] = codes.count + 1; /* missing is a value too: 0 */
        out->at[0][v] = codes.at[0];
        out->at[1][v] = codes.at[1];
    }
done:
    return status;
}

void grouped_drop(Work *work, Grouped *grouped) {
    for (int t = 0; t < 2; t++)
        for (int64_t v = 0; v < grouped->columns; v++) {
            arena_drop(work->arena, (int32_t *)(uintptr_t)grouped->at[t][v]);
            grouped->at[t][v] = NULL;
        }
}

static int64_t cell_of(const Grouped *g, const int32_t *subset, int32_t order, int t, int64_t row) {
    int64_t cell = 0;
    for (int32_t k = 0; k < order; k++) cell = cell * g->values[subset[k]] + g->at[t][subset[k]][row] + 1;
    return cell;
}

/* pMSE = Σ (o+s)·(s/(o+s) − c)²/N over the cells, c the synthetic share; its mean under a right synthesis is df·c(1−c)²/N (Snoke et al.
 * 2018). */
static void add_cell(double o, double s, double c, Crossing *out) {
    if (o + s <= 0) return;
    double p = s / (o + s) - c;
    out->pmse += (o + s) * p * p;
    out->df++;
}

static Status count_dense(const Grouped *g, const int32_t *subset, int32_t order, int64_t size, double c, Crossing *out, Error *error) {
    int32_t *count = calloc((size_t)size * 2, sizeof *count);
    if (!count) return out_of_memory(error);
    for (int t = 0; t < 2; t++)
        for (int64_t i = 0; i < g->rows[t]; i++) count[2 * cell_of(g, subset, order, t, i) + t]++;
    for (int64_t k = 0; k < size; k++) add_cell(count[2 * k], count[2 * k + 1], c, out);
    free(count);
    return OK;
}

static Status count_sparse(const Grouped *g, const int32_t *subset, int32_t order, double c, Crossing *out, Error *error) {
    int64_t *at[2] = { malloc((size_t)(g->rows[0] + 1) * 8), malloc((size_t)(g->rows[1] + 1) * 8) }, i = 0, j = 0;
    if (!at[0] || !at[1]) {
        free(at[0]);
        free(at[1]);
        return out_of_memory(error);
    }
    for (int t = 0; t < 2; t++) {
        for (int64_t r = 0; r < g->rows[t]; r++) at[t][r] = cell_of(g, subset, order, t, r);
        qsort(at[t], (size_t)g->rows[t], 8, ascending_int64);
    }
    while (i < g->rows[0] || j < g->rows[1]) {
        int64_t cell = j >= g->rows[1] || (i < g->rows[0] && at[0][i] < at[1][j]) ? at[0][i] : at[1][j], a = i, b = j;
        while (i < g->rows[0] && at[0][i] == cell) i++;
        while (j < g->rows[1] && at[1][j] == cell) j++;
        add_cell((double)(i - a), (double)(j - b), c, out);
    }
    free(at[0]);
    free(at[1]);
    return OK;
}

Status crossing(const Grouped *g, const int32_t *subset, int32_t order, Crossing *out, Error *error) {
    double size = 1, total = (double)(g->rows[0] + g->rows[1]), c = total > 0 ? (double)g->rows[1] / total : 0;
    *out = (Crossing){ .df = -1 };
    for (int32_t k = 0; k < order; k++) size *= g->values[subset[k]];
    if (size > 9e18) return fail(error, BAD, "columns of this many values cannot be crossed");
    bool dense = size <= DENSE && (size <= 1 << 16 || size <= total * DENSE_FOR_EACH);
    Status status = dense ? count_dense(g, subset, order, (int64_t)size, c, out, error) : count_sparse(g, subset, order, c, out, error);
    out->pmse /= total > 0 ? total : 1;
    double expected = (double)out->df * c * (1 - c) * (1 - c) / total;
    out->ratio = out->df > 0 && expected > 0 ? out->pmse / expected : 0;
    return status;
}
