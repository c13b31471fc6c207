/* A ROC curve as people publish it: false and true positive rates, or specificities and sensitivities, with or without thresholds. */
#include <string.h>
#include <strings.h>
#include "attack/roc/roc.h"
#include "base/elementary.h"
#include "base/extremes.h"
#include "base/number_text.h"

static const Column *by_names(const Table *table, const char *const *names) {
    for (; *names; names++)
        for (int64_t c = 0; c < table->columns; c++)
            if (!strcasecmp(table->column[c]->name, *names)) return table->column[c];
    return NULL;
}

/* A rate read off a picture may lie beyond an end by as much as its error. */
static Status rates(Work *work, const Column *column, bool complement, double error, const double **out) {
    Status status = OK;
    double *rate = NULL, most = 0;
    if (!column_numeric(column) || column->missing) {
        fail(work->error, BAD, column->missing ? "the curve has a missing rate" : "the curve's rates must be numbers");
        return error_column(work->error, column->name);
    }
    NEW(work, rate, column->rows);
    for (int64_t i = 0; i < column->rows; i++) most = larger(most, column_number(column, i));
    for (int64_t i = 0; i < column->rows; i++) {
        rate[i] = column_number(column, i) / (most == 100 ? 100 : 1);
        if (!(rate[i] >= -error && rate[i] <= 1 + error)) {
            fail(work->error, BAD, "point %lld of the curve: a rate must lie between 0 and 1", (long long)i + 1);
            error_column(work->error, column->name);
            return error_row(work->error, i);
        }
        rate[i] = smaller(1, larger(0, complement ? 1 - rate[i] : rate[i]));
    }
    *out = rate;
done:
    return status;
}

/* From (0, 0) to (1, 1): a curve written from the other end is turned, an end that was left out is added. */
static Status in_order(Work *work, const double *fpr, const double *tpr, const double *threshold, int64_t rows, Points *out) {
    Status status = OK;
    bool turned = rows > 1 && fpr[0] + tpr[0] > fpr[rows - 1] + tpr[rows - 1];
    NEW(work, out->fpr, rows + 2);
    NEW(work, out->tpr, rows + 2);
    NEW(work, out->row, rows + 2);
    if (threshold) NEW(work, out->threshold, rows + 2);
    int64_t count = 0;
    for (int64_t k = -1; k <= rows; k++) {
        int64_t i = turned ? rows - 1 - k : k;
        bool added = k < 0 || k == rows;
        double x = added ? k >= 0 : fpr[i], y = added ? k >= 0 : tpr[i];
        if (k < 0 && rows && fpr[turned ? rows - 1 : 0] == 0 && tpr[turned ? rows - 1 : 0] == 0) continue;
        if (k == rows && count && out->fpr[count - 1] == 1 && out->tpr[count - 1] == 1) continue;
        out->fpr[count] = x;
        out->tpr[count] = y;
        out->row[count] = added ? -1 : i;
        if (threshold)
            out->threshold[count] = added                  ? (k < 0 ? INFINITY : -INFINITY)
                                    : !isnan(threshold[i]) ? threshold[i]
                                    : count                ? -INFINITY
                                                           : INFINITY;
        count++;
    }
    out->count = count;
done:
    return status;
}

static Status falls(Work *work, const Points *points, int64_t k, const char *what) {
    fail(work->error, BAD, "point %lld of the curve: %s", (long long)points->row[k] + 1, what);
    error_row(work->error, points->row[k]);
    return error_advice(work->error,
                        "both rates must rise together along a ROC curve; check the order of the points and which column is which");
}

/* Empty cells of a threshold column are its infinite ends (some programs write them so). */
static Status read_thresholds(Work *work, const Column *column, bool negate, const double **out) {
    Status status = OK;
    double *threshold = NULL;
    char text[33];
    NEW(work, threshold, column->rows);
    for (int64_t i = 0; i < column->rows; i++) {
        double x = NAN;
        if (column_numeric(column) && !column_missing(column, i)) x = column_number(column, i);
        else if (!column_missing(column, i)) {
            const char *cell = column_cell(column, i, text);
            const char *word = cell + (*cell == '-' || *cell == '+');
            if (!strcasecmp(word, "inf") || !strcasecmp(word, "infinity")) x = *cell == '-' ? -INFINITY : INFINITY;
            else if (!read_real(cell, cell + strlen(cell), '.', &x)) {
                fail(work->error, BAD, "point %lld of the curve: the threshold is not a number", (long long)i + 1);
                error_column(work->error, column->name);
                return error_row(work->error, i);
            }
        }
        threshold[i] = negate ? -x : x;
    }
    *out = threshold;
done:
    return status;
}

static Status check_rising(Work *work, const Points *points, double error) {
    double slack = fmax(1e-12, 2 * error);
    for (int64_t k = 1; k < points->count; k++) {
        if (points->fpr[k] < points->fpr[k - 1] - slack) return falls(work, points, k, "the false positive rate falls");
        if (points->tpr[k] < points->tpr[k - 1] - slack) return falls(work, points, k, "the true positive rate falls");
        if (points->threshold && points->threshold[k] > points->threshold[k - 1])
            return falls(work, points, k, "the threshold rises as the rates rise");
    }
    return OK;
}

Status read_points(Work *work, const Table *table, bool lower_is_positive, double error, Points *out) {
    Status status = OK;
    const double *fpr, *tpr, *threshold = NULL;
    *out = (Points){ 0 };
    const Column *x = by_names(table, (const char *const[]){ "fpr", "false_positive_rate", NULL }),
                 *y = by_names(table, (const char *const[]){ "tpr", "true_positive_rate", "sensitivity", "sensitivities", NULL });
    const Column *specificity = by_names(table, (const char *const[]){ "specificity", "specificities", "tnr", NULL }),
                 *cut = by_names(table, (const char *const[]){ "threshold", "thresholds", NULL });
    if ((!x && !specificity) || !y) {
        fail(work->error, BAD, "the curve needs columns fpr and tpr (or specificity and sensitivity)");
        error_file(work->error, table->name ? table->name : "");
        return error_advice(work->error, "rename its columns");
    }
    if (!table->rows) return fail(work->error, BAD, "the curve has no points");
    TRY(rates(work, x ? x : specificity, !x, error, &fpr));
    TRY(rates(work, y, false, error, &tpr));
    if (cut) TRY(read_thresholds(work, cut, lower_is_positive, &threshold));
    TRY(in_order(work, fpr, tpr, threshold, table->rows, out));
    TRY(check_rising(work, out, error));
done:
    return status;
}
