/* What an attacker computes of a release: named estimates, or how far it lies from the data. */
#include "base/elementary.h"
#include <string.h>
#include "math/order_statistics.h"
#include "risk/roc_release/roc_release.h"

static Status bad_estimate(Work *work, const char *text) {
    fail(work->error, BAD, "'%s' is not an estimate", text);
    error_parameter(work->error, "estimates");
    return error_advice(work->error, "Write mean(x), sd(x), variance(x) or median(x) of a column of numbers, or share(x=value).");
}

static Status parse_one(Work *work, const Table *data, const char *text, Estimate *out) {
    static const char *const names[] = { "mean", "variance", "sd", "median", "share" };
    const char *open = strchr(text, '('), *close = strrchr(text, ')');
    if (!open || !close || close < open || close[1]) return bad_estimate(work, text);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        if ((size_t)(open - text) != strlen(names[k]) || strncmp(text, names[k], strlen(names[k]))) continue;
        char *inside = arena_text(work->arena, open + 1);
        if (!inside) return out_of_memory(work->error);
        inside[close - open - 1] = 0;
        *out = (Estimate){ .kind = (EstimateKind)k, .column = inside };
        char *equal = k == SHARE ? strchr(inside, '=') : NULL;
        if (k == SHARE && !equal) return bad_estimate(work, text);
        if (equal) {
            *equal = 0;
            out->value = equal + 1;
        }
        const Column *column;
        Status status = table_need(data, out->column, &column, work->error);
        if (status) return error_parameter(work->error, "estimates");
        return k == SHARE || column_numeric(column) ? OK : bad_estimate(work, text);
    }
    return bad_estimate(work, text);
}

Status estimates_parse(Work *work, const Table *data, Texts texts, Estimates *out) {
    Status status = OK;
    *out = (Estimates){ 0 };
    NEW(work, out->at, texts.count + 1);
    for (int64_t i = 0; i < texts.count; i++) TRY(parse_one(work, data, texts.at[i], &out->at[out->count++]));
done:
    return status;
}

static double share_of(const Column *column, const char *value) {
    int64_t equal = 0, known = 0;
    char number[33];
    for (int64_t i = 0; i < column->rows; i++) {
        const char *cell = column_cell(column, i, number);
        known += cell != NULL;
        equal += cell && !strcmp(cell, value);
    }
    return known ? (double)equal / (double)known : NAN;
}

static double moment_of(EstimateKind kind, double *x, int64_t n) {
    double mean = 0, square = 0;
    if (kind == MEDIAN) return select_median(x, n);
    for (int64_t i = 0; i < n; i++) mean += x[i] / (double)n;
    if (kind == MEAN) return n ? mean : NAN;
    for (int64_t i = 0; i < n; i++) square += (x[i] - mean) * (x[i] - mean);
    double variance = n > 1 ? square / (double)(n - 1) : NAN;
    return kind == SD ? sqrt(variance) : variance;
}

Status estimates_of(Work *work, const Estimates *estimates, const Table *table, double *out) {
    Status status = OK;
    double *x = NULL;
    NEW(work, x, table->rows + 1);
    for (int64_t e = 0; e < estimates->count; e++) {
        const Estimate *estimate = &estimates->at[e];
        const Column *column = table_column(table, estimate->column);
        int64_t n = 0;
        out[e] = NAN;
        if (!column) continue; /* the release dropped it */
        if (estimate->kind == SHARE) {
            out[e] = share_of(column, estimate->value);
            continue;
        }
        for (int64_t i = 0; column_numeric(column) && i < table->rows; i++)
            if (!column_missing(column, i)) x[n++] = column_number(column, i);
        out[e] = moment_of(estimate->kind, x, n);
    }
done:
    return status;
}

Status energy_make(Work *work, const Table *data, const Table *release, int64_t most, Energy *out) {
    Status status = OK;
    *out = (Energy){ .most = most };
    NEW(work, out->columns.at, data->columns + 1);
    for (int64_t j = 0; j < data->columns; j++)
        if (table_column(release, data->column[j]->name)) out->columns.at[out->columns.count++] = data->column[j];
    if (!out->columns.count) TRY(fail(work->error, BAD, "the release has no column of the table by which they could be compared"));
    TRY(scale_make(work, out->columns, NULL, GOWER, &out->scale));
    TRY(scale_space(work, out->scale, out->columns, &out->space));
done:
    return status;
}

/* Mean distance of all pairs whose records are complete. */
static double mean_distance(const Space *a, const Space *b, int64_t most) {
    double sum = 0, pairs = 0;
    for (int64_t i = 0; i < a->rows && i < most; i++)
        for (int64_t j = 0; j < b->rows && j < most; j++) {
            double d = space_measure(a, i, b, j);
            if (isnan(d)) continue;
            sum += d;
            pairs++;
        }
    return pairs > 0 ? sum / pairs : NAN;
}

Status energy_of(Work *work, const Energy *energy, const Table *release, double *out) {
    Status status = OK;
    Columns columns = { .count = energy->columns.count };
    Space space;
    NEW(work, columns.at, columns.count + 1);
    for (int64_t j = 0; j < columns.count; j++) TRY(table_need(release, energy->columns.at[j]->name, &columns.at[j], work->error));
    TRY(scale_space(work, energy->scale, columns, &space));
    *out = 2 * mean_distance(&space, &energy->space, energy->most) - mean_distance(&space, &space, energy->most);
done:
    return status;
}
