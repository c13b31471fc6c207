/* Series and their marks. */
#include "base/escape.h"
#include "render/chart/plot.h"

bool chart_emphasised(const Chart *chart) {
    for (int64_t i = 0; i < chart->series_count; i++)
        if (chart->series[i].emphasised) return true;
    return false;
}

int64_t series_order(const Chart *chart, int64_t turn) {
    for (int pass = 0; pass < 2; pass++)
        for (int64_t i = 0; i < chart->series_count; i++)
            if (chart->series[i].emphasised == (pass == 1) && turn-- == 0) return i;
    return 0;
}

int64_t chart_marks(const Chart *chart) {
    int64_t marks = 0;
    for (int64_t i = 0; i < chart->series_count; i++) marks += chart->series[i].count;
    return marks;
}

void series_open(Plot *plot, int64_t series, const char *more) {
    const char *stress = !chart_emphasised(plot->chart) ? "" : plot->chart->series[series].emphasised ? " strong" : " muted";
    buffer_print(plot->out, "<g class=\"s%d d%d%s\"%s>", (int)(series % PALETTE), (int)(series % 4), stress, more ? more : "");
}
void series_close(Plot *plot) { buffer_text(plot->out, "</g>\n"); }

Marks marks_open(Plot *plot, bool few, const char *attributes) {
    Marks marks = { plot, !few };
    buffer_print(plot->out, marks.single ? "<path %s d=\"" : "<g %s>", attributes);
    return marks;
}
void mark_begin(Marks *marks) {
    if (!marks->single) buffer_text(marks->plot->out, "<path d=\"");
}
void mark_end(Marks *marks, const char *title) {
    Buffer *out = marks->plot->out;
    if (marks->single) return;
    buffer_text(out, title ? "\"><title>" : "\"/>");
    if (!title) return;
    xml_text(out, title);
    buffer_text(out, "</title></path>");
}
void marks_close(Marks *marks) { buffer_text(marks->plot->out, marks->single ? "\"/>" : "</g>"); }

static void put_circle(Buffer *out, double x, double y, double r) {
    buffer_char(out, 'M');
    put_point(out, x - r, y);
    for (int half = 0; half < 2; half++) {
        buffer_char(out, 'a');
        put_point(out, r, r);
        buffer_text(out, " 0 1 0 ");
        put(out, half ? -2 * r : 2 * r);
        buffer_text(out, " 0");
    }
    buffer_char(out, 'z');
}

/* A closed outline through steps from a first point. */
static void put_outline(Buffer *out, double x, double y, const double (*steps)[2], int count, double r) {
    buffer_char(out, 'M');
    put_point(out, x + steps[0][0] * r, y + steps[0][1] * r);
    for (int i = 1; i < count; i++) {
        buffer_char(out, 'L');
        put_point(out, x + steps[i][0] * r, y + steps[i][1] * r);
    }
    buffer_char(out, 'z');
}

void put_shape(Buffer *out, int64_t series, double x, double y, double r) {
    static const double triangle[][2] = { { 0, -1.15 }, { 1.05, 0.75 }, { -1.05, 0.75 } },
                        diamond[][2] = { { 0, -1.25 }, { 1.05, 0 }, { 0, 1.25 }, { -1.05, 0 } };
    switch (series % 4) {
    case 0: put_circle(out, x, y, r); break;
    case 1: put_outline(out, x, y, diamond, 4, r); break;
    case 2: put_outline(out, x, y, triangle, 3, r); break;
    default: put_box(out, x - 0.88 * r, y - 0.88 * r, 1.76 * r, 1.76 * r);
    }
}
