/* Box plots: least, lower quartile, median, upper quartile, most. */
#include "base/elementary.h"
#include "render/chart/category.h"
#include "render/human_numbers.h"

static bool whole_box(const Series *series, int64_t i, bool log) {
    for (int k = 0; series->y && k < 5; k++)
        if (!drawable(series->y[5 * i + k], log)) return false;
    return series->y != NULL;
}

/* A line from (along1, side1) to (along2, side2): along the numbers, and across them. */
static void put_segment(Plot *plot, double along1, double side1, double along2, double side2) {
    buffer_char(plot->out, 'M');
    if (plot->sideways) put_point(plot->out, along1, side1);
    else put_point(plot->out, side1, along1);
    buffer_char(plot->out, 'L');
    if (plot->sideways) put_point(plot->out, along2, side2);
    else put_point(plot->out, side2, along2);
}

static void put_title(const Plot *plot, const Series *series, const char *category, const double *five, Buffer *out) {
    static const char *const names[] = { "least", "lower quartile", "median", "upper quartile", "most" };
    char number[33];
    if (series->name && plot->chart->series_count > 1) buffer_print(out, "%s, ", series->name);
    buffer_print(out, "%s: ", category);
    for (int k = 0; k < 5; k++) buffer_print(out, "%s%s %s", k ? ", " : "", names[k], human_real(five[k], PEOPLE_DIGITS, number));
}

static void draw_box(Plot *plot, Marks *marks, const double *five, double start, double size, const char *title) {
    const Axis *axis = plot->sideways ? &plot->x : &plot->y;
    double at[5], middle = start + size / 2;
    for (int k = 0; k < 5; k++) at[k] = axis_at(axis, five[k]);
    double low = fmin(at[1], at[3]), length = fabs(at[3] - at[1]);
    mark_begin(marks);
    if (plot->sideways) put_box(plot->out, low, start, length, size);
    else put_box(plot->out, start, low, size, length);
    put_segment(plot, at[0], middle, at[1], middle);
    put_segment(plot, at[3], middle, at[4], middle);
    put_segment(plot, at[0], middle - size / 4, at[0], middle + size / 4);
    put_segment(plot, at[4], middle - size / 4, at[4], middle + size / 4);
    mark_end(marks, title);
}

static void draw_medians(Plot *plot, int64_t index, int64_t first_mark) {
    const Series *series = &plot->chart->series[index];
    buffer_text(plot->out, "<path class=\"median\" d=\"");
    for (int64_t i = 0; i < series->count; i++) {
        double start, size;
        if (!whole_box(series, i, plot->chart->log_y)) continue;
        categories_slot(plot, plot->place[first_mark + i], index, &start, &size);
        double at = axis_at(plot->sideways ? &plot->x : &plot->y, series->y[5 * i + 2]);
        put_segment(plot, at, start, at, start + size - 2);
    }
    buffer_text(plot->out, "\"/>");
}

static void draw_series(Plot *plot, int64_t index, int64_t first_mark) {
    const Series *series = &plot->chart->series[index];
    series_open(plot, index, NULL);
    Marks marks = marks_open(plot, chart_marks(plot->chart) <= FEW_MARKS, "class=\"box\"");
    for (int64_t i = 0; i < series->count; i++) {
        double start, size;
        Buffer title = { 0 };
        int64_t category = plot->place[first_mark + i];
        if (!whole_box(series, i, plot->chart->log_y)) continue;
        categories_slot(plot, category, index, &start, &size);
        put_title(plot, series, plot->category[category], &series->y[5 * i], &title);
        draw_box(plot, &marks, &series->y[5 * i], start, size - 2, buffer_get(&title));
        buffer_free(&title);
    }
    marks_close(&marks);
    draw_medians(plot, index, first_mark);
    series_close(plot);
}

void draw_boxes(Plot *plot) {
    const Chart *chart = plot->chart;
    Range range = { 0 };
    for (int64_t s = 0; s < chart->series_count; s++)
        for (int64_t i = 0; i < chart->series[s].count; i++) {
            if (!whole_box(&chart->series[s], i, chart->log_y)) {
                plot->left_out++;
                continue;
            }
            for (int k = 0; k < 5; k++) range_add(&range, chart->series[s].y[5 * i + k], chart->log_y);
        }
    if (!range.any) {
        draw_nothing(plot);
        return;
    }
    if (!categories_find(plot)) {
        categories_free(plot);
        return;
    }
    categories_frame(plot, range, chart->log_y, false);
    int64_t first = 0;
    for (int64_t s = 0; s < chart->series_count; first += chart->series[s++].count) draw_series(plot, s, first);
    frame_end(plot);
    categories_free(plot);
}
