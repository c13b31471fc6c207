/* Lines and scatters. */
#include <string.h>
#include "base/elementary.h"
#include "base/number_text.h"
#include "render/chart/plot.h"
#include "render/human_numbers.h"

enum { DOTTED = 25, MOST_LABELS = 60, LAYERS = 16 };

static bool shown(const Plot *plot, const Series *series, int64_t i) {
    return drawable(series->x[i], plot->chart->log_x) && drawable(series->y[i], plot->chart->log_y);
}
static double at_x(const Plot *plot, const Series *series, int64_t i) { return axis_at(&plot->x, series->x[i]); }
static double at_y(const Plot *plot, const Series *series, int64_t i) { return axis_at(&plot->y, series->y[i]); }

/* "series, label: x, y" */
static void tooltip(const Plot *plot, const Series *series, int64_t i, Buffer *out) {
    char x[33], y[33];
    if (series->name && plot->chart->series_count > 1) buffer_print(out, "%s: ", series->name);
    if (series->text && series->text[i]) buffer_print(out, "%s: ", series->text[i]);
    buffer_print(out, "%s, %s", human_real(series->x[i], PEOPLE_DIGITS, x), human_real(series->y[i], PEOPLE_DIGITS, y));
}

static void draw_line(Plot *plot, const Series *series) {
    bool drawing = false;
    buffer_text(plot->out, "<path class=\"line\" d=\"");
    for (int64_t i = 0; i < series->count; i++) {
        if (!shown(plot, series, i)) {
            drawing = false;
            continue;
        }
        buffer_char(plot->out, drawing ? 'L' : 'M');
        put_point(plot->out, at_x(plot, series, i), at_y(plot, series, i));
        drawing = true;
    }
    buffer_text(plot->out, "\"/>");
}

static void draw_shapes(Plot *plot, int64_t index, double radius) {
    const Series *series = &plot->chart->series[index];
    Marks marks = marks_open(plot, chart_marks(plot->chart) <= FEW_MARKS, "class=\"mark\"");
    for (int64_t i = 0; i < series->count; i++) {
        if (!shown(plot, series, i)) continue;
        Buffer title = { 0 };
        if (!marks.single) tooltip(plot, series, i, &title);
        mark_begin(&marks);
        put_shape(plot->out, plot->chart->kind == CHART_LINE ? 0 : index, at_x(plot, series, i), at_y(plot, series, i), radius);
        mark_end(&marks, buffer_get(&title));
        buffer_free(&title);
    }
    marks_close(&marks);
}

/* Very many marks: dots in a few see-through layers, so that where they are dense it is dark. */
static void draw_dots(Plot *plot, const Series *series) {
    int64_t layers = series->count < LAYERS ? 1 : LAYERS;
    for (int64_t layer = 0; layer < layers; layer++) {
        buffer_text(plot->out, "<path class=\"dots\" d=\"");
        for (int64_t i = layer; i < series->count; i += layers)
            if (shown(plot, series, i)) {
                buffer_char(plot->out, 'M');
                put_point(plot->out, at_x(plot, series, i), at_y(plot, series, i));
                buffer_text(plot->out, "h0");
            }
        buffer_text(plot->out, "\"/>\n");
    }
}

/* A cross through each mark, from the least to the most on either axis. */
static void draw_errors(Plot *plot, const Series *series) {
    buffer_text(plot->out, "<path class=\"error\" d=\"");
    for (int64_t i = 0; i < series->count; i++) {
        if (!shown(plot, series, i)) continue;
        double x = at_x(plot, series, i), y = at_y(plot, series, i);
        buffer_char(plot->out, 'M');
        put_point(plot->out, axis_at(&plot->x, series->x_low[i]), y);
        buffer_char(plot->out, 'L');
        put_point(plot->out, axis_at(&plot->x, series->x_high[i]), y);
        buffer_char(plot->out, 'M');
        put_point(plot->out, x, axis_at(&plot->y, series->y_low[i]));
        buffer_char(plot->out, 'L');
        put_point(plot->out, x, axis_at(&plot->y, series->y_high[i]));
    }
    buffer_text(plot->out, "\"/>");
}

static void draw_series(Plot *plot, int64_t index) {
    const Series *series = &plot->chart->series[index];
    bool line = plot->chart->kind == CHART_LINE, many = chart_marks(plot->chart) > FEW_MARKS;
    if (!series->x || !series->y) return;
    series_open(plot, index, NULL);
    if (line) draw_line(plot, series);
    if (!line && series->x_low) draw_errors(plot, series);
    if (line && series->count <= DOTTED) draw_shapes(plot, index, series->emphasised ? 4 : 3);
    if (!line && many && !series->emphasised) draw_dots(plot, series);
    else if (!line) draw_shapes(plot, index, series->emphasised ? 5.5 : 4);
    series_close(plot);
}

/* Labels of marks, where each finds room: right, left, above or below its mark. */
typedef struct Place {
    double left, top, right, bottom;
} Place;
typedef struct Placed {
    int64_t count;
    Place at[MOST_LABELS + FEW_MARKS];
} Placed;

static bool is_free(const Plot *plot, const Placed *placed, Place place) {
    if (place.left < plot->left || place.right > plot->width - 2 || place.top < plot->top - 6 || place.bottom > plot->bottom) return false;
    for (int64_t i = 0; i < placed->count; i++) {
        const Place *other = &placed->at[i];
        if (place.left < other->right && other->left < place.right && place.top < other->bottom && other->top < place.bottom) return false;
    }
    return true;
}

static bool put_mark_label(Plot *plot, Placed *placed, double x, double y, const char *text) {
    static const char *const anchors[] = { "start", "end", "middle", "middle" };
    double width = text_width(text, FONT);
    const double lefts[] = { x + 8, x - 8 - width, x - width / 2, x - width / 2 }, tops[] = { y - 7, y - 7, y - 21, y + 7 };
    for (int i = 0; i < 4; i++) {
        Place place = { lefts[i], tops[i], lefts[i] + width, tops[i] + 14 };
        if (!is_free(plot, placed, place)) continue;
        put_label(plot->out, i == 0 ? place.left : i == 1 ? place.right : x, place.bottom - 3, "name", anchors[i], text, 0);
        placed->at[placed->count++] = place;
        return true;
    }
    return false;
}

/* Where a label finds no room and begins with a number ("12 suppress+noise"), the number alone may. */
static void put_number_label(Plot *plot, Placed *placed, double x, double y, const char *text) {
    char number[8];
    size_t digits = strspn(text, "0123456789");
    if (!digits || digits >= sizeof number || text[digits] != ' ') return;
    memcpy(number, text, digits);
    number[digits] = 0;
    (void)put_mark_label(plot, placed, x, y, number);
}

/* The marks themselves are in the way of labels. */
static void place_marks(const Plot *plot, Placed *placed) {
    for (int64_t s = 0; s < plot->chart->series_count; s++) {
        const Series *series = &plot->chart->series[s];
        for (int64_t i = 0; series->x && series->y && i < series->count && placed->count < FEW_MARKS; i++) {
            if (!shown(plot, series, i)) continue;
            double x = at_x(plot, series, i), y = at_y(plot, series, i);
            placed->at[placed->count++] = (Place){ x - 4, y - 4, x + 4, y + 4 };
        }
    }
}

static void draw_labels(Plot *plot) {
    const Chart *chart = plot->chart;
    Placed placed = { 0 };
    int left = MOST_LABELS;
    if (chart_marks(chart) <= FEW_MARKS) place_marks(plot, &placed);
    for (int64_t turn = chart->series_count - 1; turn >= 0; turn--) {
        const Series *series = &chart->series[series_order(chart, turn)];
        bool wanted = series->text && (series->emphasised || (!chart_emphasised(chart) && series->count <= MOST_LABELS));
        for (int64_t i = 0; wanted && i < series->count && left > 0; i++)
            if (series->text[i] && shown(plot, series, i)) {
                double x = at_x(plot, series, i), y = at_y(plot, series, i);
                if (!put_mark_label(plot, &placed, x, y, series->text[i])) put_number_label(plot, &placed, x, y, series->text[i]);
                left--;
            }
    }
}

static void padded(Range *range, bool log) {
    double pad = (range->high / 2 - range->low / 2) * 0.06;
    if (log) {
        double factor = pow(range->high / range->low, 0.03);
        range->low /= factor;
        range->high *= factor;
        return;
    }
    range->low -= pad;
    range->high += pad;
}

void draw_points(Plot *plot) {
    const Chart *chart = plot->chart;
    Range x = { 0 }, y = { 0 };
    for (int64_t s = 0; s < chart->series_count; s++) {
        const Series *series = &chart->series[s];
        for (int64_t i = 0; i < series->count; i++) {
            if (!series->x || !series->y || !shown(plot, series, i)) {
                plot->left_out++;
                continue;
            }
            range_add(&x, series->x[i], chart->log_x);
            range_add(&y, series->y[i], chart->log_y);
            if (!series->x_low) continue;
            range_add(&x, series->x_low[i], chart->log_x);
            range_add(&x, series->x_high[i], chart->log_x);
            range_add(&y, series->y_low[i], chart->log_y);
            range_add(&y, series->y_high[i], chart->log_y);
        }
    }
    if (!x.any) {
        draw_nothing(plot);
        return;
    }
    frame_begin(plot);
    bool line = chart->kind == CHART_LINE;
    bool zero = y.low >= 0 && y.low <= 0.5 * y.high; /* a line that comes near zero is shown from zero */
    if (!line && !chart->diagonal) {
        padded(&x, chart->log_x);
        if (!(zero && y.low >= 0)) padded(&y, chart->log_y);
    }
    frame_numbers(plot, x, y, (Fit){ .zero_y = zero, .grid_x = true });
    for (int64_t turn = 0; turn < chart->series_count; turn++) draw_series(plot, series_order(chart, turn));
    draw_labels(plot);
    frame_end(plot);
}
