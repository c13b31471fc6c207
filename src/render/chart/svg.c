/* A chart as one <svg> element, and the style sheet that colours it. */
#include "base/elementary.h"
#include "base/extremes.h"
#include "base/escape.h"
#include "base/number_text.h"
#include "render/chart/category.h"
#include "render/human_numbers.h"
#include "render/render.h"

enum { LEAST_WIDTH = 160, LEAST_HEIGHT = 120, MOST_SIZE = 20000 };

/* Colours: the rule, what it sets, on white, and the page's variable. The series are Okabe and Ito's, which the colour-blind tell apart. */
static const struct {
    const char *rule, *property, *colour, *variable;
} colours[] = {
    { "text", "fill", "#333a42", "ink" },     { ".title", "fill", "#14181c", "ink" },   { ".label,.tick", "fill", "#59626c", "quiet" },
    { ".grid", "stroke", "#e4e7eb", "grid" }, { ".axis", "stroke", "#8b939c", "axis" }, { ".reference", "stroke", "#8b939c", "axis" },
    { ".s0", "color", "#0072b2", "s0" },      { ".s1", "color", "#d55e00", "s1" },      { ".s2", "color", "#009e73", "s2" },
    { ".s3", "color", "#b7559a", "s3" },      { ".s4", "color", "#b58900", "s4" },      { ".s5", "color", "#3fa0d9", "s5" },
    { ".s6", "color", "#6b4f9e", "s6" },      { ".s7", "color", "#5a6068", "s7" },
};
static const char shapes[] =
    ".chart text{font:12px system-ui,-apple-system,'Segoe UI',Helvetica,Arial,'DejaVu Sans',sans-serif}"
    ".chart .title{font-size:15px;font-weight:600}"
    ".chart .onDark,.chart .inside{fill:#fff}.chart .onLight{fill:#14181c}"
    ".chart .grid,.chart .axis,.chart .reference{fill:none;stroke-width:1}"
    ".chart .reference{stroke-dasharray:5 4}"
    ".chart .mark{fill:currentColor;stroke:none}"
    ".chart .overlaid{fill-opacity:.5}"
    ".chart .cell{shape-rendering:crispEdges}"
    ".chart .line{fill:none;stroke:currentColor;stroke-width:2;stroke-linejoin:round;stroke-linecap:butt}"
    ".chart .d1 .line{stroke-dasharray:7 3}.chart .d2 .line{stroke-dasharray:2 2.5}.chart .d3 .line{stroke-dasharray:9 3 2 3}"
    ".chart .dots{fill:none;stroke:currentColor;stroke-width:4;stroke-linecap:round;stroke-opacity:.45}"
    ".chart .box{fill:currentColor;fill-opacity:.22;stroke:currentColor;stroke-width:1.3}"
    ".chart .error{fill:none;stroke:currentColor;stroke-width:1.3;stroke-opacity:.75}"
    ".chart .limit{fill:none;stroke:currentColor;stroke-width:1.6;stroke-dasharray:6 3}.chart .limitText{font-weight:600}"
    ".chart .median{fill:none;stroke:currentColor;stroke-width:3}"
    ".chart .muted{opacity:.4}.chart .strong .line{stroke-width:3.2;stroke-dasharray:none}";

void chart_style(Buffer *out, bool variables) {
    buffer_text(out, shapes);
    for (size_t i = 0; i < sizeof colours / sizeof *colours; i++) {
        const char *rule = colours[i].rule;
        buffer_text(out, ".chart ");
        for (; *rule; rule++) {
            buffer_char(out, *rule);
            if (*rule == ',') buffer_text(out, ".chart ");
        }
        if (variables) buffer_print(out, "{%s:var(--%s)}", colours[i].property, colours[i].variable);
        else buffer_print(out, "{%s:%s}", colours[i].property, colours[i].colour);
    }
}

void draw_nothing(Plot *plot) {
    frame_begin(plot);
    put_label(plot->out, plot->width / 2, (plot->top + plot->bottom) / 2, "label", "middle", "Nothing to draw", 0);
    frame_end(plot);
}

static const char *kind_text(ChartKind kind) {
    static const char *const names[] = { "Line chart", "Scatter plot", "Bar chart", "Histogram", "Heat map", "Box plot" };
    return names[kind];
}

/* What a screen reader says: the kind, what is along which axis, how many series and marks. */
static void describe(const Chart *chart, Buffer *out) {
    if (chart->finding) buffer_print(out, "%s ", chart->finding);
    buffer_print(out, "%s", kind_text(chart->kind));
    if (chart->y_label && chart->y_label[0]) buffer_print(out, " of %s", chart->y_label);
    if (chart->x_label && chart->x_label[0]) buffer_print(out, " by %s", chart->x_label);
    buffer_text(out, ": ");
    human_count(out, chart_marks(chart), "mark", "marks");
    if (chart->series_count > 1) {
        buffer_text(out, " in ");
        human_count(out, chart->series_count, "series", "series");
        for (int64_t i = 0; i < chart->series_count && i < PALETTE; i++)
            buffer_print(out, "%s %s", i ? "," : ":", chart->series[i].name ? chart->series[i].name : "(unnamed)");
        if (chart->series_count > PALETTE) buffer_text(out, ", …");
    }
    buffer_char(out, '.');
}

static void draw(Plot *plot) {
    switch (plot->chart->kind) {
    case CHART_LINE:
    case CHART_SCATTER: draw_points(plot); break;
    case CHART_BAR: draw_bars(plot); break;
    case CHART_HISTOGRAM: draw_histogram(plot); break;
    case CHART_HEAT: draw_heat(plot); break;
    case CHART_BOX: draw_boxes(plot); break;
    }
}

static int within(int value, int least) { return value < least ? least : value > MOST_SIZE ? MOST_SIZE : value; }

void chart_svg(const Chart *chart, int width, int height, bool own_style, Buffer *out) {
    width = within(width, LEAST_WIDTH);
    height = within(height, LEAST_HEIGHT);
    Buffer description = { 0 };
    buffer_print(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" role=\"img\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n<title>",
        width, height, width, height);
    xml_text(out, chart->title && chart->title[0] ? chart->title : kind_text(chart->kind));
    buffer_text(out, "</title>\n<desc>");
    describe(chart, &description);
    xml_text(out, buffer_get(&description));
    buffer_text(out, "</desc>\n");
    if (own_style) {
        buffer_text(out, "<style>");
        chart_style(out, false);
        buffer_text(out, "</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
    }
    draw(&(Plot){ .chart = chart, .out = out, .width = width, .height = height });
    buffer_text(out, "</svg>\n");
    buffer_free(&description);
}

void render_svg(const Chart *chart, int width, int height, Buffer *out) {
    buffer_text(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    chart_svg(chart, width, height, true, out);
}

int chart_height(const Chart *chart, int width) {
    int64_t most = 0;
    double widest = 0;
    if (chart->diagonal) return width * 15 / 16;
    for (int64_t s = 0; s < chart->series_count; s++) {
        const Series *series = &chart->series[s];
        if (series->count > most) most = series->count;
        for (int64_t i = 0; series->text && i < series->count; i++)
            if (series->text[i]) widest = larger(widest, text_width(series->text[i], FONT));
    }
    if (chart->kind == CHART_HEAT && chart->y_names) return within((int)(chart->y_names < 40 ? chart->y_names * 26 + 120 : 1160), 240);
    if ((chart->kind == CHART_BAR || chart->kind == CHART_BOX) && categories_lie(most, widest, width))
        return (int)(most < 40 ? 130 + most * 22 : 1000);
    return width / 2;
}
