/* Charts as data. */
#include "result/chart.h"
#include "base/work.h"

enum { MOST_MARKS = 10000 };

static int64_t source(int64_t i, int64_t shown, int64_t count) { return shown < 2 || shown == count ? i : i * (count - 1) / (shown - 1); }

const char *chart_kind_name(ChartKind kind) {
    static const char *const names[CHART_KINDS] = { "line", "scatter", "bar", "histogram", "heat", "box" };
    return names[kind];
}

static double *numbers(Chart *chart, const double *from, int64_t shown, int64_t count, int64_t width) {
    double *to = NULL;
    if (!from || arena_array(chart->arena, shown * width, sizeof *to, &to, NULL)) return NULL;
    for (int64_t i = 0; i < shown; i++)
        for (int64_t j = 0; j < width; j++) to[i * width + j] = from[source(i, shown, count) * width + j];
    return to;
}

void chart_series(Chart *chart, const char *name, int64_t count, const double *x, const double *y, const double *z,
                  const char *const *text) {
    if (!chart->arena || *chart->failed) return;
    Work work = { .arena = chart->arena };
    if (work_grow(&work, sizeof *chart->series, &chart->series, &chart->room, chart->series_count + 1)) {
        *chart->failed = true;
        return;
    }
    bool histogram = chart->kind == CHART_HISTOGRAM;
    int64_t shown = count > MOST_MARKS && !histogram ? MOST_MARKS : count;
    Series *series = &chart->series[chart->series_count];
    *series = (Series){ .name = arena_text(chart->arena, name), .count = shown };
    series->x = numbers(chart, x, shown + histogram, count + histogram, 1);
    series->y = numbers(chart, y, shown, count, chart->kind == CHART_BOX ? 5 : 1);
    series->z = numbers(chart, z, shown, count, 1);
    if (text && arena_array(chart->arena, shown, sizeof *series->text, &series->text, NULL)) series->text = NULL;
    for (int64_t i = 0; text && series->text && i < shown; i++) series->text[i] = arena_text(chart->arena, text[source(i, shown, count)]);
    chart->series_count++;
}

static const char **names(Chart *chart, const char *const *from, int64_t count) {
    const char **to = NULL;
    if (!from || arena_array(chart->arena, count, sizeof *to, &to, NULL)) return NULL;
    for (int64_t i = 0; i < count; i++) to[i] = arena_text(chart->arena, from[i]);
    return to;
}

void chart_names(Chart *chart, int64_t x_names, const char *const *x_name, int64_t y_names, const char *const *y_name) {
    if (!chart->arena || *chart->failed) return;
    chart->x_name = names(chart, x_name, x_names);
    chart->y_name = names(chart, y_name, y_names);
    chart->x_names = chart->x_name ? x_names : 0;
    chart->y_names = chart->y_name ? y_names : 0;
}

void chart_of(Chart *chart, const char *table) {
    if (!chart->arena || *chart->failed) return;
    chart->of = arena_text(chart->arena, table);
    if (!chart->of) *chart->failed = true;
}

void chart_spread(Chart *chart, const double *x_low, const double *x_high, const double *y_low, const double *y_high) {
    if (!chart->arena || *chart->failed || !chart->series_count) return;
    Series *series = &chart->series[chart->series_count - 1];
    double *copy[4];
    const double *const from[4] = { x_low, x_high, y_low, y_high };
    for (int i = 0; i < 4; i++)
        if (!(copy[i] = numbers(chart, from[i], series->count, series->count, 1))) return;
    series->x_low = copy[0];
    series->x_high = copy[1];
    series->y_low = copy[2];
    series->y_high = copy[3];
}

void chart_finding(Chart *chart, const char *sentence) {
    if (!chart->arena || *chart->failed) return;
    chart->finding = arena_text(chart->arena, sentence);
}

void chart_limit(Chart *chart, int64_t before, const char *text) {
    if (!chart->arena || *chart->failed) return;
    chart->limit = before;
    chart->limit_text = arena_text(chart->arena, text);
}
