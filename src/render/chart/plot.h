/* Drawing a chart: scales, the frame around the marks, and the marks of each kind. Private to render/. */
#ifndef SCRIM_RENDER_CHART_PLOT_H
#define SCRIM_RENDER_CHART_PLOT_H
#include "base/text.h"
#include "result/chart.h"

enum { MOST_TICKS = 24, FONT = 12, TITLE_FONT = 15, PADDING = 12, LINE_HEIGHT = 18, PALETTE = 8, FEW_MARKS = 400 };

/* From data to pixels; `from` > `to` where pixels run against the numbers, as they do upwards. */
typedef struct Axis {
    bool log, scientific;
    double low, high; /* of the data shown; above 0 where log */
    double from, to;  /* pixels */
    double step;      /* between ticks; 0 where they are powers of ten */
    int ticks;
    double tick[MOST_TICKS];
} Axis;

/* The pixel of a value. */
double axis_at(const Axis *axis, double value);
/* A range to show: `zero` takes 0 in, `nice` ends it at ticks, `wanted` is about how many ticks there shall be. */
void axis_fit(Axis *axis, double low, double high, bool zero, bool nice, int wanted);
void axis_text(const Axis *axis, double tick, Buffer *out); /* the label of a tick */
double axis_widest(const Axis *axis);                       /* of the labels, in pixels */

typedef struct Range {
    double low, high;
    bool any;
} Range;
void range_add(Range *range, double value, bool log); /* values that cannot be drawn are passed over */
/* Finite, and above 0 on a logarithmic axis. */
bool drawable(double value, bool log);

typedef struct Plot {
    const Chart *chart;
    Buffer *out;
    double width, height;            /* of the picture */
    double left, right, top, bottom; /* of the field of marks */
    Axis x, y;                       /* in pixels: x runs across, y upwards, also where bars lie sideways */
    bool sideways;                   /* bars and boxes lie: categories down the left side */
    int64_t categories;              /* bar, box */
    const char **category;
    int64_t *place;   /* category of each mark, series after series */
    int64_t left_out; /* marks that no axis can show */
} Plot;

/* Pixels, to a tenth. */
void put(Buffer *out, double pixels);
void put_point(Buffer *out, double x, double y);
double text_width(const char *text, double size); /* about; errs on the wide side */
/* Anchor: "start", "middle" or "end". Cut to `room` pixels with an ellipsis; 0 = as it is. */
void put_label(Buffer *out, double x, double y, const char *class, const char *anchor, const char *text, double room);

/* The frame. frame_begin draws title, legend and the label above, and takes their room; a kind then sets its axes; frame_end draws what
 * stands below. */
void frame_begin(Plot *plot);
void frame_end(Plot *plot);
/* Two axes of numbers: fitted into the field, drawn with grid and labels. */
typedef struct Fit {
    bool zero_x, zero_y, nice_x, nice_y, grid_x;
} Fit;
void frame_numbers(Plot *plot, Range x, Range y, Fit fit);
void frame_upward(Plot *plot, Range range, bool log, bool zero);            /* the y axis alone: fits it and sets plot->left */
void frame_across(Plot *plot, Range range, bool log, bool zero, bool nice); /* the x axis, between plot->left and the right edge */
void frame_grid(Plot *plot, bool across, bool lines);                       /* ticks of x (across) or y: labels, and lines where wanted */
/* A line of that class, in pixels. */
void frame_line(Plot *plot, const char *class, double x1, double y1, double x2, double y2);
void series_open(Plot *plot, int64_t series, const char *more); /* <g> with its colour and emphasis; more attributes */
/* Ends what series_open began. */
void series_close(Plot *plot);
/* Series in drawing order: emphasised ones last. */
int64_t series_order(const Chart *chart, int64_t turn);
bool chart_emphasised(const Chart *chart);
int64_t chart_marks(const Chart *chart);

/* Marks of one series: each a path with a tooltip where they are few, else all in one path. */
typedef struct Marks {
    Plot *plot;
    bool single;
} Marks;
/* `few`: each mark by itself. Between: mark_begin, path data, mark_end for each mark. */
Marks marks_open(Plot *plot, bool few, const char *attributes);
void mark_begin(Marks *marks);
void mark_end(Marks *marks, const char *title); /* title may be NULL */
void marks_close(Marks *marks);
/* A circle, square, triangle, diamond, cross … by the number of its series. */
void put_shape(Buffer *out, int64_t series, double x, double y, double radius);
void put_box(Buffer *out, double x, double y, double width, double height); /* path data */

void draw_points(Plot *plot); /* line, scatter */
/* The marks of each kind, with their axes; draw_nothing says that there is nothing to draw. */
void draw_bars(Plot *plot);
void draw_boxes(Plot *plot);
void draw_histogram(Plot *plot);
void draw_heat(Plot *plot);
void draw_nothing(Plot *plot);

/* A chart as an <svg> element; colours come from a style sheet with chart_style's classes. */
void chart_svg(const Chart *chart, int width, int height, bool own_style, Buffer *out);
/* The rules: colours explicit, or as CSS variables that the page sets. */
void chart_style(Buffer *out, bool variables);
/* The height that suits a chart of this width. */
int chart_height(const Chart *chart, int width);
#endif
