/* What an intruder believes: distributions over values. */
#include "risk/distribution.h"
#include <string.h>
#include "base/number.h"

static Status bad(Run *run, const Table *table, const char *parameter, int64_t row, const char *what) {
    fail(run->work.error, BAD, "%s", what);
    error_file(run->work.error, table->name);
    if (row >= 0) error_row(run->work.error, row);
    error_advice(run->work.error, "It takes the columns value and probability, and record where there are several; the probabilities of a record add up to 1.");
    return error_parameter(run->work.error, parameter);
}

/* Which record each row belongs to. */
static Status group_rows(Run *run, const Table *table, Distributions *out, int32_t **of) {
    Status status = OK;
    const Column *record = table_column(table, "record");
    Codes codes = { .count = 1 };
    char number[33];
    NEW(&run->work, *of, table->rows + 1);
    if (record) {
        TRY(column_codes(&run->work, record, &codes));
        for (int64_t i = 0; i < table->rows; i++) (*of)[i] = codes.at[i];
    }
    out->count = codes.count;
    NEW(&run->work, out->record, codes.count + 1);
    NEW(&run->work, out->at, codes.count + 1);
    for (int32_t c = 0; c < codes.count; c++) out->record[c] = record ? arena_text(run->work.arena, column_cell(record, codes.first_row[c], number)) : "";
done:
    return status;
}

static Status read_row(Run *run, const Table *table, const char *parameter, int64_t i, const Column *value, const Column *probability, Distribution *d) {
    char text[33];
    double p = column_missing(probability, i) ? NAN : column_number(probability, i);
    if (column_missing(value, i) || !(p >= 0)) return bad(run, table, parameter, i, "a value is missing, or its probability is missing or negative");
    d->label[d->count] = arena_text(run->work.arena, column_cell(value, i, text));
    if (!d->label[d->count]) return fail(run->work.error, FAILED, "out of memory");
    d->number[d->count] = column_numeric(value) ? column_number(value, i) : NAN;
    d->probability[d->count++] = p;
    return OK;
}

Status distributions_read(Run *run, const Table *table, const char *parameter, Distributions *out) {
    Status status = OK;
    const Column *value = table_column(table, "value"), *probability = table_column(table, "probability");
    int32_t *of = NULL;
    int64_t *size = NULL;
    *out = (Distributions){ 0 };
    if (!value || !probability || !column_numeric(probability)) TRY(bad(run, table, parameter, -1, "not a table of probabilities"));
    if (!table->rows) TRY(bad(run, table, parameter, -1, "the table of probabilities is empty"));
    TRY(group_rows(run, table, out, &of));
    NEW(&run->work, size, out->count + 1);
    for (int64_t i = 0; i < table->rows; i++) {
        if (of[i] < 0) TRY(bad(run, table, parameter, i, "the record is missing"));
        size[of[i]]++;
    }
    for (int64_t c = 0; c < out->count; c++) {
        NEW(&run->work, out->at[c].label, size[c]);
        NEW(&run->work, out->at[c].number, size[c]);
        NEW(&run->work, out->at[c].probability, size[c]);
    }
    for (int64_t i = 0; i < table->rows; i++) TRY(read_row(run, table, parameter, i, value, probability, &out->at[of[i]]));
    for (int64_t c = 0; c < out->count; c++) {
        double sum = 0;
        for (int64_t k = 0; k < out->at[c].count; k++) sum += out->at[c].probability[k];
        if (!(fabs(sum - 1) < 1e-6)) TRY(bad(run, table, parameter, -1, "the probabilities of a record do not add up to 1"));
        for (int64_t k = 0; k < out->at[c].count; k++) out->at[c].probability[k] /= sum;
    }
done:
    return status;
}

const Distribution *distribution_find(const Distributions *all, const char *record) {
    for (int64_t c = 0; c < all->count; c++)
        if (!strcmp(all->record[c], record)) return &all->at[c];
    return all->count == 1 ? &all->at[0] : NULL;
}

bool distribution_numeric(const Distribution *d) {
    for (int64_t k = 0; k < d->count; k++)
        if (isnan(d->number[k])) return false;
    return true;
}

static double variance(const Distribution *d) {
    double mean = 0, sum = 0;
    for (int64_t k = 0; k < d->count; k++) mean += d->probability[k] * d->number[k];
    for (int64_t k = 0; k < d->count; k++) sum += d->probability[k] * (d->number[k] - mean) * (d->number[k] - mean);
    return sum;
}

double uncertainty_of(const Distribution *d, Uncertainty kind) {
    double entropy = 0, squares = 0, most = 0;
    if (kind == VARIANCE) return variance(d);
    for (int64_t k = 0; k < d->count; k++) {
        double p = d->probability[k];
        if (p > 0) entropy -= p * log(p);
        squares += p * p;
        most = fmax(most, p);
    }
    return kind == ENTROPY ? entropy : kind == GINI ? 1 - squares : 1 - most;
}
