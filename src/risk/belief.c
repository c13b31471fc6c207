/* What an intruder believes: distributions over values. */
#include "risk/belief.h"
#include <string.h>
#include "base/number_text.h"
#include "classes/equivalence_class.h"

static Status bad(Run *run, const Table *table, const char *parameter, int64_t row, const char *what) {
    fail(run->work.error, BAD, "%s", what);
    error_file(run->work.error, table->name);
    if (row >= 0) error_row(run->work.error, row);
    error_advice(
        run->work.error,
        "It takes the columns value and probability, and record where there are several; the probabilities of a record add up to 1.");
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
    for (int32_t c = 0; c < codes.count; c++)
        out->record[c] = record ? arena_text(run->work.arena, column_cell(record, codes.first_row[c], number)) : "";
done:
    return status;
}

static Status read_row(Run *run, const Table *table, const char *parameter, int64_t i, const Column *value, const Column *probability,
                       Distribution *d) {
    char text[33];
    double p = column_missing(probability, i) ? NAN : column_number(probability, i);
    if (column_missing(value, i) || !(p >= 0))
        return bad(run, table, parameter, i, "a value is missing, or its probability is missing or negative");
    d->label[d->count] = arena_text(run->work.arena, column_cell(value, i, text));
    if (!d->label[d->count]) return out_of_memory(run->work.error);
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

static const char *class_name(Run *run, Columns keys, int64_t row) {
    Buffer name = { 0 };
    char number[33];
    for (int64_t k = 0; k < keys.count; k++) {
        const char *cell = column_cell(keys.at[k], row, number);
        buffer_print(&name, "%s%s=%s", k ? " " : "", keys.at[k]->name, cell ? cell : "");
    }
    const char *kept = arena_text(run->work.arena, buffer_get(&name));
    buffer_free(&name);
    return kept;
}

/* One pass over the rows in order of class: each value of a class found by a stamp of the class that saw it last. */
static Status count_class(Run *run, const Codes *codes, const Column *values, const int64_t *row, int64_t rows, int32_t *place,
                          Distribution *d) {
    Status status = OK;
    int64_t known = 0;
    char number[33];
    for (int64_t i = 0; i < rows; i++)
        if (codes->at[row[i]] >= 0 && place[codes->at[row[i]]] < 0) place[codes->at[row[i]]] = (int32_t)d->count++;
    NEW(&run->work, d->label, d->count + 1);
    NEW(&run->work, d->number, d->count + 1);
    NEW(&run->work, d->probability, d->count + 1);
    for (int64_t i = 0; i < rows; i++) {
        int32_t code = codes->at[row[i]];
        if (code < 0) continue;
        known++;
        if (d->probability[place[code]]++ > 0) continue;
        d->label[place[code]] = arena_text(run->work.arena, column_cell(values, row[i], number));
        d->number[place[code]] = column_numeric(values) ? column_number(values, row[i]) : NAN;
    }
    for (int64_t v = 0; v < d->count; v++) d->probability[v] /= (double)known;
    for (int64_t i = 0; i < rows; i++)
        if (codes->at[row[i]] >= 0) place[codes->at[row[i]]] = -1;
done:
    return status;
}

Status distributions_count(Run *run, Columns keys, const Column *values, Distributions *out, int64_t **people) {
    Status status = OK;
    Classes classes;
    Members members;
    Codes codes;
    int32_t *place = NULL;
    int64_t *all = NULL;
    TRY(column_codes(&run->work, values, &codes));
    NEW(&run->work, place, codes.count + 1);
    for (int32_t v = 0; v < codes.count; v++) place[v] = -1;
    if (keys.count) {
        TRY(classes_make(&run->work, keys, &classes));
        TRY(classes_members(&run->work, &classes, &members));
    } else {
        NEW(&run->work, all, values->rows + 1);
        for (int64_t i = 0; i < values->rows; i++) all[i] = i;
    }
    *out = (Distributions){ .count = keys.count ? classes.count : 1 };
    NEW(&run->work, out->record, out->count + 1);
    NEW(&run->work, out->at, out->count + 1);
    if (people) NEW(&run->work, *people, out->count + 1);
    for (int64_t c = 0; c < out->count; c++) {
        const int64_t *row = keys.count ? members.row + members.start[c] : all;
        int64_t size = keys.count ? classes.size[c] : values->rows;
        out->record[c] = keys.count ? class_name(run, keys, row[0]) : "";
        if (people) (*people)[c] = size;
        TRY(count_class(run, &codes, values, row, size, place, &out->at[c]));
        if (!out->record[c]) TRY(out_of_memory(run->work.error));
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
        if (kind == ENTROPY && p > 0) entropy -= p * log(p);
        squares += p * p;
        most = fmax(most, p);
    }
    return kind == ENTROPY ? entropy : kind == GINI ? 1 - squares : 1 - most;
}
