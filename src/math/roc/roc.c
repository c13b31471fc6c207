/* Records to groups, groups to steps, statuses from columns. */
#include "math/roc/roc.h"
#include <string.h>
#include "base/elementary.h"
#include "math/ranks.h"

static Status numeric_statuses(Work *work, const Column *column, int8_t *out) {
    for (int64_t i = 0; i < column->rows; i++) {
        if (column_missing(column, i)) {
            out[i] = -1;
            continue;
        }
        double x = column_number(column, i);
        if (x != 0 && x != 1) {
            fail(work->error, BAD, "a status is neither 0 nor 1");
            error_column(work->error, column->name);
            error_row(work->error, i);
            return error_advice(work->error, "give a column of 0 and 1, or of two words");
        }
        out[i] = (int8_t)x;
    }
    return OK;
}

/* The code of the word that means 1. */
static Status positive_code(Work *work, const Column *column, const char *positive, const Codes *codes, int32_t *out) {
    char text[33];
    for (int32_t c = 0; positive && c < codes->count; c++)
        if (!strcmp(column_cell(column, codes->first_row[c], text), positive)) {
            *out = c;
            return OK;
        }
    if (positive && codes->count < 2) {
        *out = codes->count;
        return OK;
    } /* known records may all be of the other status */
    if (codes->count == 2 && !positive) {
        *out = 1;
        return OK;
    }
    if (positive) fail(work->error, BAD, "no record has the status '%s'", positive);
    else fail(work->error, BAD, "a status must have two values, this column has %d", codes->count);
    error_column(work->error, column->name);
    return error_advice(work->error, "say which word means 1 with --positive, or give a column of 0 and 1");
}

Status roc_statuses(Work *work, const Column *column, const char *positive, int8_t **out) {
    Status status = OK;
    Codes codes;
    int32_t one = 0;
    NEW(work, *out, column->rows);
    if (column_numeric(column) && !positive) return numeric_statuses(work, column, *out);
    TRY(column_codes(work, column, &codes));
    TRY(positive_code(work, column, positive, &codes, &one));
    for (int64_t i = 0; i < column->rows; i++) (*out)[i] = codes.at[i] < 0 ? -1 : codes.at[i] == one;
done:
    return status;
}

Status roc_known(Work *work, const double *score, const int8_t *given, int64_t rows, RocKnown *out) {
    Status status = OK;
    int64_t *order, count;
    double *present;
    *out = (RocKnown){ 0 };
    if (rows > INT32_MAX) return fail(work->error, BAD, "more than %d records", INT32_MAX);
    NEW(work, present, rows);
    NEW(work, order, rows);
    for (int64_t i = 0; i < rows; i++) present[i] = given[i] < 0 ? NAN : score[i];
    TRY(order_reals(work, present, rows, order, &count));
    NEW(work, out->at, count);
    for (int64_t k = count; k-- > 0;) {
        int64_t row = order[k];
        RocGroup *group = out->count ? &out->at[out->count - 1] : NULL;
        if (!group || group->score != score[row]) {
            group = &out->at[out->count++];
            *group = (RocGroup){ .score = score[row], .row = row };
        }
        group->positives += given[row];
        group->negatives += !given[row];
        out->positives += given[row];
    }
    out->records = count;
done:
    return status;
}

Status roc_steps(Work *work, const RocKnown *records, RocSteps *out) {
    Status status = OK;
    *out = (RocSteps){ .count = records->count, .positives = records->positives, .negatives = records->records - records->positives };
    NEW(work, out->at, records->count);
    for (int64_t i = 0; i < records->count; i++) out->at[i] = (RocStep){ records->at[i].positives, records->at[i].negatives, 0 };
done:
    return status;
}

double roc_area(const RocSteps *steps) {
    double positives = 0, area = 0;
    for (int64_t j = 0; j < steps->count; j++) {
        area += steps->at[j].negatives * (positives + 0.5 * steps->at[j].positives);
        positives += steps->at[j].positives;
    }
    return area / ((double)steps->positives * (double)steps->negatives);
}
