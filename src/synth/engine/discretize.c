/* Columns become states: categories by their words, numbers by intervals that hold equally many records. */
#include "synth/engine/discretize.h"
#include <string.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "math/ranks.h"
#include "table/measurement_level.h"

/* Decimals that every value needs, at most 15: what is drawn shall look like what is there. */
static int decimals_of(const double *x, int64_t rows) {
    int digits = 0;
    for (int64_t i = 0; i < rows && digits < 15; i++) {
        if (isnan(x[i])) continue;
        for (double scale = pow(10, digits); digits < 15; scale *= 10) {
            double y = x[i] * scale;
            if (fabs(y - nearbyint(y)) <= 1e-9 * larger(1, fabs(y)) * 1e-3 || fabs(y) > 1e15) break;
            digits++;
        }
    }
    return digits;
}

/* Upper edges of the intervals: one for each value where they are few, else cut where equally many records lie between. */
static Status make_edges(Work *work, Variable *v, const int64_t *order, int64_t count) {
    Status status = OK;
    int64_t distinct = 0;
    for (int64_t i = 0; i < count; i++) distinct += !i || v->real[order[i]] != v->real[order[i - 1]];
    bool each = distinct <= MOST_BINS;
    NEW(work, v->edge, (each ? distinct : MOST_BINS) + 1);
    for (int64_t i = 0; i < count; i++) {
        double at = v->real[order[i]];
        bool ends = i + 1 == count || v->real[order[i + 1]] != at;
        bool due = each || i + 1 == count || (i + 1) * MOST_BINS >= (v->bins + 1) * count;
        if (ends && due) v->edge[v->bins++] = at;
    }
done:
    return status;
}

enum { FEW = 20 };
static const double SPIKE = 0.03;

/* Columns of few values have no spikes, and their values are drawn as they are. */
static Status space(Work *work, Variable *v, const int64_t *order, int64_t count) {
    Status status = OK;
    double *sorted = NULL;
    bool few = v->bins <= FEW;
    int64_t spike = few ? count : (int64_t)(SPIKE * (double)v->column->rows);
    NEW(work, sorted, count + 1);
    for (int64_t i = 0; i < count; i++) sorted[i] = v->real[order[i]];
    TRY(spacing_make(work, sorted, count, spike, v->column->type == DATE_TYPE, &v->spacing));
    v->spaced = v->spacing.count > FEW;
done:
    arena_drop(work->arena, sorted);
    return status;
}

static Status numbers(Work *work, Variable *v) {
    Status status = OK;
    int64_t rows = v->column->rows, count = 0, *order = NULL;
    TRY(column_reals(work, v->column, &v->real));
    NEW(work, order, rows + 1);
    TRY(order_reals(work, v->real, rows, order, &count));
    v->missing = count < rows;
    v->least = count ? v->real[order[0]] : NAN;
    v->most = count ? v->real[order[count - 1]] : NAN;
    v->digits = decimals_of(v->real, rows);
    v->whole = v->digits == 0;
    TRY(make_edges(work, v, order, count));
    v->states = v->bins + v->missing;
    for (int64_t k = 0, bin = 0; k < count; k++) {
        while (v->real[order[k]] > v->edge[bin]) bin++;
        v->state[order[k]] = (uint16_t)bin;
    }
    for (int64_t i = 0; i < rows; i++)
        if (isnan(v->real[i])) v->state[i] = (uint16_t)v->bins;
    NEW(work, v->first_row, v->bins + 1);
    for (int64_t k = count - 1; k >= 0; k--) v->first_row[v->state[order[k]]] = (int32_t)order[k];
    v->nominal = column_is_codes(v->column) && column_level(v->column) == MEASURE_NOMINAL;
    if (!v->nominal) TRY(space(work, v, order, count));
done:
    arena_drop(work->arena, order);
    return status;
}

static Status categories(Work *work, Variable *v) {
    Status status = OK;
    Codes codes;
    TRY(column_codes(work, v->column, &codes));
    if (codes.count >= MOST_STATES) {
        fail(work->error, BAD, "has %d different values, too many to be modelled as categories", (int)codes.count);
        error_column(work->error, v->column->name);
        TRY(error_advice(work->error, "An identifier is not to be synthesised: leave it out with --vars."));
    }
    v->bins = codes.count;
    v->first_row = codes.first_row;
    for (int64_t i = 0; i < v->column->rows; i++) {
        v->missing |= codes.at[i] < 0;
        v->state[i] = (uint16_t)(codes.at[i] < 0 ? codes.count : codes.at[i]);
    }
    v->states = v->bins + v->missing;
done:
    return status;
}

Status variable_make(Work *work, const Column *column, Variable *out) {
    Status status = OK;
    *out = (Variable){ .column = column, .numeric = column_numeric(column) || column->type == DATE_TYPE };
    NEW(work, out->state, column->rows + 1);
    TRY(out->numeric ? numbers(work, out) : categories(work, out));
    NEW(work, out->absent_row, column->missing + 1);
    for (int64_t i = 0; column->missing && i < column->rows; i++)
        if (column_missing(column, i)) out->absent_row[out->absent++] = (int32_t)i;
done:
    return status;
}

uint16_t variable_state(const Variable *v, double value) {
    if (isnan(value)) return (uint16_t)(v->missing ? v->bins : v->bins / 2);
    int32_t low = 0, high = v->bins - 1;
    while (low < high) {
        int32_t middle = (low + high) / 2;
        if (v->edge[middle] < value) low = middle + 1;
        else high = middle;
    }
    return (uint16_t)(low > 0 ? low : 0);
}

static uint16_t state_of_word(const Variable *v, const char *word, uint16_t other) {
    int32_t low = 0, high = v->bins - 1;
    char number[33];
    while (word && low <= high) { /* unordered words are sorted by their bytes */
        int32_t middle = (low + high) / 2, order = strcmp(column_cell(v->column, v->first_row[middle], number), word);
        if (!order) return (uint16_t)middle;
        if (order < 0) low = middle + 1;
        else high = middle - 1;
    }
    for (int32_t s = 0; word && v->column->type == CATEGORY_TYPE && v->column->words->ordered && s < v->bins; s++)
        if (!strcmp(column_cell(v->column, v->first_row[s], number), word)) return (uint16_t)s;
    return other;
}

Status variable_states_of(Work *work, const Variable *v, const Column *other, uint16_t *out) {
    Status status = OK;
    int64_t *count = NULL, most = 0;
    char number[33];
    NEW(work, count, v->states + 1);
    for (int64_t i = 0; i < v->column->rows; i++) count[v->state[i]]++;
    for (int32_t s = 0; s < v->states; s++)
        if (count[s] > count[most]) most = s;
    uint16_t unknown = (uint16_t)(v->missing ? v->bins : most);
    for (int64_t i = 0; i < other->rows; i++) {
        if (v->numeric) out[i] = variable_state(v, column_number(other, i));
        else out[i] = state_of_word(v, column_cell(other, i, number), unknown);
    }
done:
    return status;
}

Status variable_spikes(Work *work, const Variable *v, bool **out) {
    Status status = OK;
    int64_t *count = NULL;
    NEW(work, *out, v->bins + 1);
    NEW(work, count, v->bins + 1);
    for (int64_t i = 0; i < v->column->rows; i++)
        if (!isnan(v->real[i]) && v->real[i] == v->edge[v->state[i]]) count[v->state[i]]++;
    for (int32_t b = 0; b < v->bins; b++) (*out)[b] = v->bins > FEW && count[b] > (int64_t)(SPIKE * (double)v->column->rows);
done:
    return status;
}

double variable_round(const Variable *v, double value) {
    double scale = v->digits < 15 ? pow(10, v->digits) : 0;
    if (scale > 0 && fabs(value) * scale < 1e15) value = nearbyint(value * scale) / scale;
    return value < v->least ? v->least : value > v->most ? v->most : value;
}
