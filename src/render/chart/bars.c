/* Bars, standing or lying, and histograms. */
#include "base/elementary.h"
#include "base/extremes.h"
#include "render/chart/category.h"
#include "render/human_numbers.h"

enum { MOST_NUMBERED = 30 };

/* The axis that numbers run along, and the pixel that bars grow from. */
static const Axis *value_axis(const Plot *plot) { return plot->sideways ? &plot->x : &plot->y; }
static double base_pixel(const Plot *plot) {
    const Axis *axis = value_axis(plot);
    return axis->log || axis->low > 0 ? axis->from : axis_at(axis, smaller(larger(0, axis->low), axis->high));
}

static void put_bar(Plot *plot, double start, double size, double end) {
    double base = base_pixel(plot), low = fmin(base, end), length = fabs(end - base);
    if (plot->sideways) put_box(plot->out, low, start, length, size);
    else put_box(plot->out, start, low, size, length);
}

static void tooltip(const Plot *plot, const Series *series, const char *category, double value, Buffer *out) {
    char number[33];
    if (series->name && plot->chart->series_count > 1) buffer_print(out, "%s, ", series->name);
    buffer_print(out, "%s: %s", category, human_real(value, PEOPLE_DIGITS, number));
}

static void draw_series(Plot *plot, int64_t index, int64_t first_mark) {
    const Series *series = &plot->chart->series[index];
    series_open(plot, index, NULL);
    Marks marks = marks_open(plot, chart_marks(plot->chart) <= FEW_MARKS, "class=\"mark\"");
    for (int64_t i = 0; series->y && i < series->count; i++) {
        double start, size;
        Buffer title = { 0 };
        int64_t category = plot->place[first_mark + i];
        if (!drawable(series->y[i], plot->chart->log_y)) continue;
        categories_slot(plot, category, index, &start, &size);
        if (!marks.single) tooltip(plot, series, plot->category[category], series->y[i], &title);
        mark_begin(&marks);
        put_bar(plot, start, size > 3 ? size - 1 : size, axis_at(value_axis(plot), series->y[i]));
        mark_end(&marks, buffer_get(&title));
        buffer_free(&title);
    }
    marks_close(&marks);
    series_close(plot);
}

/* A few bars of one series carry their numbers. */
static void draw_numbers(Plot *plot) {
    const Series *series = &plot->chart->series[0];
    double start, size;
    if (plot->chart->series_count != 1 || series->count > MOST_NUMBERED) return;
    for (int64_t i = 0; i < series->count; i++) {
        char digits[33];
        Buffer number = { 0 };
        if (!drawable(series->y[i], plot->chart->log_y)) continue;
        human_grouped(&number, human_real(series->y[i], 3, digits), GROUP_DIGITS);
        categories_slot(plot, i, 0, &start, &size);
        double end = axis_at(value_axis(plot), series->y[i]), width = text_width(buffer_get(&number), FONT);
        bool down = series->y[i] < 0;
        if (plot->sideways && size >= 10) {
            bool inside = !down && end + width + 8 > plot->width - 4;
            put_label(plot->out,
                      down     ? end - 5
                      : inside ? end - 6
                               : end + 5,
                      start + size / 2 + 4, inside ? "inside" : "name", down || inside ? "end" : "start", buffer_get(&number), 0);
        } else if (!plot->sideways && size >= width * 0.8)
            put_label(plot->out, start + size / 2, down ? end + 14 : end - 5, "name", "middle", buffer_get(&number), 0);
        buffer_free(&number);
    }
}

static void draw_base(Plot *plot) {
    double base = base_pixel(plot);
    if (plot->sideways) frame_line(plot, "axis", base, plot->top, base, plot->bottom);
    else frame_line(plot, "axis", plot->left, base, plot->right, base);
}

/* The bound that a policy sets, between two categories. */
static void draw_limit(Plot *plot) {
    double start, size;
    const Chart *chart = plot->chart;
    if (!chart->limit_text || chart->limit < 1 || chart->limit >= plot->categories) return;
    categories_band(plot, chart->limit, &start, &size);
    buffer_text(plot->out, "<g class=\"s1\">");
    if (plot->sideways) frame_line(plot, "limit", plot->left, start, plot->right, start);
    else frame_line(plot, "limit", start, plot->top, start, plot->bottom);
    buffer_text(plot->out, "</g>");
    if (plot->sideways) put_label(plot->out, plot->right, start - 4, "limitText", "end", chart->limit_text, 0);
    else put_label(plot->out, start + 5, plot->top + 10, "limitText", "start", chart->limit_text, plot->right - start);
}

static int64_t marks_before(const Chart *chart, int64_t series) {
    int64_t marks = 0;
    for (int64_t i = 0; i < series; i++) marks += chart->series[i].count;
    return marks;
}

void draw_bars(Plot *plot) {
    const Chart *chart = plot->chart;
    Range range = { 0 };
    for (int64_t s = 0; s < chart->series_count; s++)
        for (int64_t i = 0; i < chart->series[s].count; i++) {
            if (!chart->series[s].y || !drawable(chart->series[s].y[i], chart->log_y)) plot->left_out++;
            else range_add(&range, chart->series[s].y[i], chart->log_y);
        }
    if (!range.any) {
        draw_nothing(plot);
        return;
    }
    if (!categories_find(plot)) {
        categories_free(plot);
        return;
    }
    if (chart->log_y) range.low *= 0.6; /* the least bar must be seen */
    categories_frame(plot, range, chart->log_y, true);
    for (int64_t turn = 0; turn < chart->series_count; turn++) {
        int64_t index = series_order(chart, turn);
        draw_series(plot, index, marks_before(chart, index));
    }
    draw_numbers(plot);
    draw_base(plot);
    draw_limit(plot);
    frame_end(plot);
    categories_free(plot);
}

static void bin_range(Plot *plot, Range *x, Range *y) {
    const Chart *chart = plot->chart;
    for (int64_t s = 0; s < chart->series_count; s++) {
        const Series *series = &chart->series[s];
        for (int64_t i = 0; i < series->count; i++) {
            bool good = series->x && series->y && drawable(series->y[i], chart->log_y) && drawable(series->x[i], chart->log_x) &&
                        drawable(series->x[i + 1], chart->log_x);
            if (!good) {
                plot->left_out++;
                continue;
            }
            range_add(x, series->x[i], chart->log_x);
            range_add(x, series->x[i + 1], chart->log_x);
            range_add(y, series->y[i], chart->log_y);
        }
    }
}

static void draw_bins(Plot *plot, int64_t index) {
    const Series *series = &plot->chart->series[index];
    bool log_x = plot->chart->log_x, several = plot->chart->series_count > 1;
    series_open(plot, index, NULL);
    Marks marks = marks_open(plot, chart_marks(plot->chart) <= FEW_MARKS, several ? "class=\"mark overlaid\"" : "class=\"mark\"");
    for (int64_t i = 0; series->x && series->y && i < series->count; i++) {
        if (!drawable(series->y[i], plot->chart->log_y) || !drawable(series->x[i], log_x) || !drawable(series->x[i + 1], log_x)) continue;
        char low[33], high[33], count[33];
        Buffer title = { 0 };
        double from = axis_at(&plot->x, series->x[i]), to = axis_at(&plot->x, series->x[i + 1]), gap = to - from > 4 && !several ? 1 : 0;
        if (several && series->name) buffer_print(&title, "%s, ", series->name);
        buffer_print(&title, "%s to %s: %s", human_real(series->x[i], PEOPLE_DIGITS, low),
                     human_real(series->x[i + 1], PEOPLE_DIGITS, high), human_real(series->y[i], PEOPLE_DIGITS, count));
        mark_begin(&marks);
        put_bar(plot, from + gap / 2, to - from - gap, axis_at(&plot->y, series->y[i]));
        mark_end(&marks, buffer_get(&title));
        buffer_free(&title);
    }
    marks_close(&marks);
    series_close(plot);
}

void draw_histogram(Plot *plot) {
    Range x = { 0 }, y = { 0 };
    bin_range(plot, &x, &y);
    if (!x.any) {
        draw_nothing(plot);
        return;
    }
    if (plot->chart->log_y) y.low *= 0.6;
    frame_begin(plot);
    frame_numbers(plot, x, y, (Fit){ .zero_y = true });
    for (int64_t turn = 0; turn < plot->chart->series_count; turn++) draw_bins(plot, series_order(plot->chart, turn));
    draw_base(plot);
    frame_end(plot);
}
