/* What stands around the marks: title, legend, axes, labels. */
#include <string.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "render/chart/plot.h"
#include "render/human_numbers.h"

static const double BOLD = 1.18; /* how much wider bold letters are */
enum { LEGEND_ROWS = 4, SWATCH = 22, TICK_GAP = 6 };

static bool has_legend(const Chart *chart) { return chart->series_count > 1 && chart->kind != CHART_HEAT; }

static const char *series_name(const Chart *chart, int64_t i) {
    return chart->series[i].name && chart->series[i].name[0] ? chart->series[i].name : "(unnamed)";
}

/* Title in at most two lines, broken at a space. */
static void draw_title(Plot *plot) {
    const char *title = plot->chart->title;
    double room = plot->width - 2 * PADDING;
    if (!title || !title[0]) return;
    size_t end = strlen(title);
    if (text_width(title, TITLE_FONT) * BOLD > room) {
        size_t best = 0;
        for (size_t i = 1; title[i]; i++) {
            char head[512];
            if (title[i] != ' ' || i >= sizeof head) continue;
            memcpy(head, title, i);
            head[i] = 0;
            if (text_width(head, TITLE_FONT) * BOLD <= room) best = i;
        }
        if (best) end = best;
    }
    Buffer first = { 0 };
    buffer_add(&first, title, end);
    plot->top += 4;
    put_label(plot->out, PADDING, plot->top += TITLE_FONT - 4, "title", "start", buffer_get(&first),
              title[end] ? 0 : room * FONT / TITLE_FONT / BOLD);
    if (title[end]) put_label(plot->out, PADDING, plot->top += 20, "title", "start", title + end + 1, room * FONT / TITLE_FONT / BOLD);
    plot->top += 9;
    buffer_free(&first);
}

static void draw_swatch(Plot *plot, int64_t i, double x, double y) {
    ChartKind kind = plot->chart->kind;
    series_open(plot, i, NULL);
    if (kind == CHART_LINE) {
        buffer_text(plot->out, "<path class=\"line\" d=\"M");
        put_point(plot->out, x, y - 4);
        buffer_text(plot->out, "h16\"/>");
    } else if (kind == CHART_SCATTER) {
        buffer_text(plot->out, "<path class=\"mark\" d=\"");
        put_shape(plot->out, i, x + 8, y - 4, 4.5);
        buffer_text(plot->out, "\"/>");
    } else {
        buffer_text(plot->out, "<path class=\"mark\" d=\"");
        put_box(plot->out, x + 3, y - 9, 11, 11);
        buffer_text(plot->out, "\"/>");
    }
    series_close(plot);
}

static void draw_legend(Plot *plot) {
    double x = PADDING, room = plot->width - 2 * PADDING;
    int rows = 1;
    plot->top += 13;
    for (int64_t i = 0; i < plot->chart->series_count; i++) {
        const char *name = series_name(plot->chart, i);
        double width = smaller(text_width(name, FONT), room - SWATCH - 8);
        if (x > PADDING && x + SWATCH + width > PADDING + room) {
            if (rows++ == LEGEND_ROWS) {
                put_label(plot->out, x, plot->top, "label", "start", "…", 0);
                break;
            }
            x = PADDING;
            plot->top += LINE_HEIGHT;
        }
        draw_swatch(plot, i, x, plot->top);
        put_label(plot->out, x + SWATCH, plot->top, "name", "start", name, width + 1);
        x += SWATCH + width + 16;
    }
    plot->top += 9;
}

/* Bars that lie show their numbers across, and so do their labels. */
static const char *label_above(const Plot *plot) { return plot->sideways ? plot->chart->x_label : plot->chart->y_label; }
static const char *label_below(const Plot *plot) { return plot->sideways ? plot->chart->y_label : plot->chart->x_label; }

void frame_begin(Plot *plot) {
    const char *above = label_above(plot), *below = label_below(plot);
    plot->top = PADDING;
    plot->left = PADDING;
    plot->right = plot->width - PADDING - 8;
    plot->bottom = plot->height - PADDING - 6;
    draw_title(plot);
    if (has_legend(plot->chart)) draw_legend(plot);
    if (above && above[0]) {
        put_label(plot->out, PADDING, plot->top += 13, "label", "start", above, plot->width - 2 * PADDING);
        plot->top += 6;
    }
    plot->top += 8;
    if (below && below[0]) plot->bottom -= LINE_HEIGHT;
    if (plot->left_out) plot->bottom -= LINE_HEIGHT - 3;
    plot->bottom -= 14;
}

void frame_end(Plot *plot) {
    const char *below = label_below(plot);
    double y = plot->height - PADDING;
    if (plot->left_out) {
        Buffer text = { 0 };
        human_count(&text, plot->left_out, "mark not drawn: ", "marks not drawn: ");
        buffer_text(&text, plot->chart->log_x || plot->chart->log_y ? "missing, infinite, or not above 0" : "missing or infinite");
        put_label(plot->out, PADDING, y, "label", "start", buffer_get(&text), plot->width - 2 * PADDING);
        buffer_free(&text);
        y -= LINE_HEIGHT - 3;
    }
    if (below && below[0]) put_label(plot->out, (plot->left + plot->right) / 2, y, "label", "middle", below, plot->width - 2 * PADDING);
}

void frame_line(Plot *plot, const char *class, double x1, double y1, double x2, double y2) {
    buffer_print(plot->out, "<path class=\"%s\" d=\"M", class);
    put_point(plot->out, x1, y1);
    buffer_char(plot->out, 'L');
    put_point(plot->out, x2, y2);
    buffer_text(plot->out, "\"/>\n");
}

void frame_upward(Plot *plot, Range range, bool log, bool zero) {
    plot->y = (Axis){ .log = log, .from = plot->bottom, .to = plot->top };
    axis_fit(&plot->y, range.low, range.high, zero, true, (int)((plot->bottom - plot->top) / 45));
    plot->left = PADDING + axis_widest(&plot->y) + TICK_GAP;
}

/* Fewer ticks until their labels stand apart. */
void frame_across(Plot *plot, Range range, bool log, bool zero, bool nice) {
    double room = plot->right - plot->left;
    for (int wanted = (int)(room / 60);; wanted--) {
        plot->x = (Axis){ .log = log };
        axis_fit(&plot->x, range.low, range.high, zero, nice, wanted);
        double widest = axis_widest(&plot->x) + 14;
        plot->x.from = plot->left;
        plot->x.to = plot->right;
        double nearest = room;
        for (int i = 1; i < plot->x.ticks; i++)
            nearest = smaller(nearest, axis_at(&plot->x, plot->x.tick[i]) - axis_at(&plot->x, plot->x.tick[i - 1]));
        if (nearest >= widest || wanted <= 2) break;
    }
    /* The last label must not leave the picture. */
    double over = axis_at(&plot->x, plot->x.tick[plot->x.ticks ? plot->x.ticks - 1 : 0]) + axis_widest(&plot->x) / 2 - (plot->width - 4);
    if (plot->x.ticks && over > 0) plot->x.to = plot->right -= over;
}

void frame_grid(Plot *plot, bool across, bool lines) {
    const Axis *axis = across ? &plot->x : &plot->y;
    for (int i = 0; i < axis->ticks; i++) {
        double at = axis_at(axis, axis->tick[i]);
        Buffer label = { 0 };
        axis_text(axis, axis->tick[i], &label);
        if (across && lines) frame_line(plot, "grid", at, plot->top, at, plot->bottom);
        else if (across) frame_line(plot, "axis", at, plot->bottom, at, plot->bottom + 4);
        else frame_line(plot, "grid", plot->left, at, plot->right, at);
        if (across) put_label(plot->out, at, plot->bottom + 17, "tick", "middle", buffer_get(&label), 0);
        else put_label(plot->out, plot->left - TICK_GAP, at + 4, "tick", "end", buffer_get(&label), 0);
        buffer_free(&label);
    }
}

void frame_numbers(Plot *plot, Range x, Range y, Fit fit) {
    const Chart *chart = plot->chart;
    if (chart->diagonal) { /* both axes alike, the field square */
        range_add(&x, y.low, false);
        range_add(&x, y.high, false);
        y = x;
        fit.nice_x = true;
    }
    frame_upward(plot, y, chart->log_y, fit.zero_y);
    if (chart->diagonal) {
        double size = fmin(plot->right - plot->left, plot->bottom - plot->top);
        plot->right = plot->left + size;
        plot->y.from = plot->bottom = plot->top + size;
    }
    frame_across(plot, x, chart->log_x, fit.zero_x, fit.nice_x);
    frame_grid(plot, false, true);
    frame_grid(plot, true, fit.grid_x);
    frame_line(plot, "axis", plot->left, plot->bottom, plot->right, plot->bottom);
    if (chart->diagonal)
        frame_line(plot, "reference", axis_at(&plot->x, plot->x.low), axis_at(&plot->y, plot->x.low), axis_at(&plot->x, plot->x.high),
                   axis_at(&plot->y, plot->x.high));
}
