/* Columns as charts. */
#include "report/column_charts.h"
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "base/extremes.h"

enum { MOST_BINS = 20, MOST_BARS = 12 };

typedef struct Bar {
    const char *name;
    int64_t count[2]; /* in the table, and in the one beside it */
} Bar;

/* ---- numbers ---- */

static void widen(const Column *column, double *low, double *high) {
    for (int64_t i = 0; i < column->rows; i++) {
        double x = column_missing(column, i) ? NAN : column_number(column, i);
        if (!isfinite(x)) continue;
        *low = fmin(*low, x);
        *high = fmax(*high, x);
    }
}

/* Whole numbers get bins of whole width, so that none is wider than another. */
static int64_t set_breaks(double low, double high, bool whole, double breaks[MOST_BINS + 1]) {
    double width = high > low ? (high - low) / MOST_BINS : 1;
    if (whole) width = larger(1, ceil((high - low + 1) / MOST_BINS));
    int64_t bins = 0;
    breaks[0] = low;
    while (bins < MOST_BINS && (bins == 0 || breaks[bins] <= high)) {
        bins++;
        breaks[bins] = low + width * (double)bins;
    }
    if (!whole && high > low) breaks[bins] = high;
    return bins;
}

static void fill(const Column *column, const double *breaks, int64_t bins, double *count) {
    double width = breaks[1] - breaks[0];
    for (int64_t i = 0; i < column->rows; i++) {
        double x = column_missing(column, i) ? NAN : column_number(column, i);
        if (!isfinite(x)) continue;
        int64_t bin = (int64_t)((x - breaks[0]) / width);
        count[bin < 0 ? 0 : bin >= bins ? bins - 1 : bin]++;
    }
}

static const char *axis_label(Run *run, const Column *column, const Column *beside) {
    const char *name = column->name;
    if (!beside && !column->missing) return name;
    if (!beside) return arena_print(run->work.arena, "%s (%lld missing)", name, (long long)column->missing);
    if (!column->missing && !beside->missing) return name;
    return arena_print(run->work.arena, "%s (missing: %lld before, %lld after)", name, (long long)column->missing,
                       (long long)beside->missing);
}

static void draw_numbers(Run *run, const Column *column, const Column *beside) {
    double low = INFINITY, high = -INFINITY, breaks[MOST_BINS + 1], count[2][MOST_BINS] = { { 0 } };
    bool whole = column->type == INTEGER_TYPE && (!beside || beside->type == INTEGER_TYPE);
    widen(column, &low, &high);
    if (beside) widen(beside, &low, &high);
    if (low > high) return; /* nothing but missing */
    int64_t bins = set_breaks(low, high, whole, breaks);
    fill(column, breaks, bins, count[0]);
    if (beside) fill(beside, breaks, bins, count[1]);
    Chart *chart = result_chart(run->result, CHART_HISTOGRAM, column->name, axis_label(run, column, beside), "records");
    chart_series(chart, "before", bins, breaks, count[0], NULL, NULL);
    if (beside) chart_series(chart, "after", bins, breaks, count[1], NULL, NULL);
}

/* ---- words ---- */

/* A day is told by its year. */
static const char *word_of(Run *run, const Column *column, int64_t row) {
    char cell[33];
    const char *text = column_cell(column, row, cell);
    if (!text) return "";
    bool day = column->type == DATE_TYPE || column->type == DATETIME_TYPE;
    const char *copy = day ? arena_print(run->work.arena, "%.4s", text) : arena_text(run->work.arena, text);
    return copy ? copy : "";
}

static int by_name(const void *a, const void *b) { return strcmp(((const Bar *)a)->name, ((const Bar *)b)->name); }
static int by_count(const void *a, const void *b) {
    const Bar *x = a, *y = b;
    int64_t most_x = x->count[0] + x->count[1], most_y = y->count[0] + y->count[1];
    return most_x != most_y ? (most_x < most_y ? 1 : -1) : strcmp(x->name, y->name);
}

static Status count_words(Run *run, const Column *column, int side, Bar *bars, int64_t *count) {
    Status status = OK;
    Codes codes;
    int64_t *records = NULL;
    TRY(column_codes(&run->work, column, &codes));
    TRY(codes_sizes(&run->work, &codes, column->rows, &records));
    for (int32_t c = 0; c < codes.count; c++) {
        bars[*count].name = word_of(run, column, codes.first_row[c]);
        bars[(*count)++].count[side] += records[c];
    }
done:
    return status;
}

/* The same word of both tables is one bar. */
static int64_t merge(Bar *bars, int64_t count) {
    int64_t kept = 0;
    qsort(bars, (size_t)count, sizeof *bars, by_name);
    for (int64_t i = 0; i < count; i++) {
        if (kept && !strcmp(bars[kept - 1].name, bars[i].name)) {
            bars[kept - 1].count[0] += bars[i].count[0];
            bars[kept - 1].count[1] += bars[i].count[1];
        } else bars[kept++] = bars[i];
    }
    return kept;
}

static int64_t distinct(Run *run, const Column *column) {
    Codes codes;
    return column && !column_codes(&run->work, column, &codes) ? codes.count : 0;
}

/* The commonest, and all others as one. Few words stand in their own order, as ages and years should. */
static void draw_bars(Run *run, const Column *column, const Column *beside, Bar *bars, int64_t count) {
    const char *names[MOST_BARS + 1];
    double records[2][MOST_BARS + 1];
    int64_t shown = count <= MOST_BARS ? count : MOST_BARS - 1, rest[2] = { 0, 0 };
    if (count > MOST_BARS) qsort(bars, (size_t)count, sizeof *bars, by_count);
    for (int64_t i = shown; i < count; i++)
        for (int side = 0; side < 2; side++) rest[side] += bars[i].count[side];
    for (int64_t i = 0; i < shown; i++) {
        names[i] = bars[i].name;
        for (int side = 0; side < 2; side++) records[side][i] = (double)bars[i].count[side];
    }
    if (count > shown) {
        names[shown] = arena_print(run->work.arena, "%lld others", (long long)(count - shown));
        for (int side = 0; side < 2; side++) records[side][shown] = (double)rest[side];
        shown++;
    }
    Chart *chart = result_chart(run->result, CHART_BAR, column->name, axis_label(run, column, beside), "records");
    chart_series(chart, "before", shown, NULL, records[0], NULL, names);
    if (beside) chart_series(chart, "after", shown, NULL, records[1], NULL, names);
}

static Status draw_words(Run *run, const Column *column, const Column *beside) {
    Status status = OK;
    Bar *bars = NULL;
    int64_t count = 0;
    NEW(&run->work, bars, distinct(run, column) + distinct(run, beside) + 1);
    TRY(count_words(run, column, 0, bars, &count));
    if (beside) TRY(count_words(run, beside, 1, bars, &count));
    count = merge(bars, count);
    if (count) draw_bars(run, column, beside, bars, count);
done:
    return status;
}

static Status draw_column(Run *run, const Column *column, const Column *beside) {
    bool numbers = column_numeric(column);
    if (beside && column_numeric(beside) != numbers) {
        Status status = draw_column(run, column, NULL);
        return status ? status : draw_column(run, beside, NULL);
    }
    if (!numbers) return draw_words(run, column, beside);
    draw_numbers(run, column, beside);
    return OK;
}

static bool is_among(Columns columns, const Column *column) {
    for (int64_t i = 0; i < columns.count; i++)
        if (columns.at[i] == column) return true;
    return !columns.count;
}

Status column_charts(Run *run, const Table *data, const Table *beside, Columns vars) {
    Status status = OK;
    for (int64_t j = 0; j < data->columns; j++) {
        const Column *column = data->column[j];
        if (!is_among(vars, column)) continue;
        TRY(draw_column(run, column, beside ? table_column(beside, column->name) : NULL));
        TRY(work_check(&run->work));
    }
done:
    return status;
}
