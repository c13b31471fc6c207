/* Heat maps: cells at (x, y) coloured by z; pale to dark blue, or orange through pale to blue where z has both signs. */
#include <stdlib.h>
#include "base/compare.h"
#include "base/elementary.h"
#include "base/extremes.h"
#include "base/number_text.h"
#include "render/chart/plot.h"
#include "render/human_numbers.h"

enum { SHADES = 64, LEGEND = 70 };
typedef struct {
    double r, g, b;
} Colour;
typedef struct Grid {
    int64_t count;
    double *at;
} Grid; /* the distinct positions on an axis, ascending_real */
typedef struct Heat {
    Plot *plot;
    Grid x, y;
    double low, high;
    bool both;
} Heat;

static bool shown(const Series *series, int64_t i) {
    return series->x && series->y && series->z && isfinite(series->x[i]) && isfinite(series->y[i]) && isfinite(series->z[i]);
}

static bool positions(const Chart *chart, bool across, Grid *grid) {
    int64_t names = across ? chart->x_names : chart->y_names, found = 0;
    double *at = calloc((size_t)(chart_marks(chart) + names) + 1, sizeof *at);
    if (!at) return false;
    for (int64_t i = 0; i < names; i++) at[found++] = (double)i;
    for (int64_t s = 0; s < chart->series_count; s++)
        for (int64_t i = 0; i < chart->series[s].count; i++)
            if (shown(&chart->series[s], i)) at[found++] = across ? chart->series[s].x[i] : chart->series[s].y[i];
    qsort(at, (size_t)found, sizeof *at, ascending_real);
    *grid = (Grid){ .at = at };
    for (int64_t i = 0; i < found; i++)
        if (!i || at[i] > grid->at[grid->count - 1]) grid->at[grid->count++] = at[i];
    return true;
}

static int64_t position(const Grid *grid, double value) {
    const double *found = bsearch(&value, grid->at, (size_t)grid->count, sizeof *grid->at, ascending_real);
    return found ? found - grid->at : 0;
}

/* Anchors of the two scales, from low to high. */
static Colour shade(double share, bool both) {
    static const Colour one[] = { { 240, 245, 250 }, { 190, 214, 236 }, { 110, 170, 214 }, { 33, 113, 181 }, { 8, 48, 107 } };
    static const Colour two[] = { { 166, 68, 0 }, { 230, 146, 86 }, { 244, 244, 242 }, { 100, 168, 214 }, { 0, 78, 140 } };
    const Colour *anchor = both ? two : one;
    double at = smaller(larger(share, 0), 1) * 4;
    int from = at >= 4 ? 3 : (int)at;
    double part = at - from;
    return (Colour){ anchor[from].r + part * (anchor[from + 1].r - anchor[from].r),
                     anchor[from].g + part * (anchor[from + 1].g - anchor[from].g),
                     anchor[from].b + part * (anchor[from + 1].b - anchor[from].b) };
}

static bool is_dark(Colour colour) { return 0.299 * colour.r + 0.587 * colour.g + 0.114 * colour.b < 140; }

static void put_colour(Buffer *out, Colour colour) {
    buffer_print(out, "#%02x%02x%02x", (unsigned)lround(colour.r), (unsigned)lround(colour.g), (unsigned)lround(colour.b));
}

static double share_of(const Heat *heat, double z) {
    return heat->high > heat->low ? (z / 2 - heat->low / 2) / (heat->high / 2 - heat->low / 2) : 0.5;
}

static void cell_box(const Heat *heat, const Series *series, int64_t i, double *x, double *y, double *width, double *height) {
    const Plot *plot = heat->plot;
    int64_t row = position(&heat->y, series->y[i]);
    if (!plot->chart->y_names) row = heat->y.count - 1 - row;
    *width = (plot->right - plot->left) / (double)heat->x.count;
    *height = (plot->bottom - plot->top) / (double)heat->y.count;
    *x = plot->left + *width * (double)position(&heat->x, series->x[i]);
    *y = plot->top + *height * (double)row;
}

static void put_name(const Heat *heat, bool across, double position_value, Buffer *out) {
    const Chart *chart = heat->plot->chart;
    int64_t names = across ? chart->x_names : chart->y_names, at = (int64_t)position_value;
    const char *const *name = across ? chart->x_name : chart->y_name;
    char number[33];
    if (names && at >= 0 && at < names && (double)at == position_value) buffer_text(out, name[at]);
    else human_grouped(out, human_real(position_value, 4, number), GROUP_DIGITS);
}

static void draw_cell(const Heat *heat, const Series *series, int64_t i) {
    Plot *plot = heat->plot;
    double x, y, width, height;
    char number[33];
    Buffer title = { 0 };
    cell_box(heat, series, i, &x, &y, &width, &height);
    Colour colour = shade(share_of(heat, series->z[i]), heat->both);
    put_name(heat, false, series->y[i], &title);
    buffer_text(&title, ", ");
    put_name(heat, true, series->x[i], &title);
    buffer_print(&title, ": %s%s", series->text && series->text[i] ? series->text[i] : "", series->text && series->text[i] ? ", " : "");
    buffer_text(&title, human_real(series->z[i], PEOPLE_DIGITS, number));
    buffer_text(plot->out, "<g fill=\"");
    put_colour(plot->out, colour);
    buffer_text(plot->out, "\">");
    Marks marks = marks_open(plot, true, "class=\"cell\"");
    mark_begin(&marks);
    put_box(plot->out, x, y, width, height);
    mark_end(&marks, buffer_get(&title));
    marks_close(&marks);
    buffer_text(plot->out, "</g>");
    human_real(series->z[i], 2, number);
    if (height >= 15 && width >= text_width(number, FONT) + 4)
        put_label(plot->out, x + width / 2, y + height / 2 + 4, is_dark(colour) ? "onDark" : "onLight", "middle", number, 0);
    buffer_free(&title);
}

/* Very many cells: one path for each of 64 shades. */
static void draw_shades(const Heat *heat) {
    const Chart *chart = heat->plot->chart;
    for (int level = 0; level < SHADES; level++) {
        Buffer path = { 0 };
        for (int64_t s = 0; s < chart->series_count; s++)
            for (int64_t i = 0; i < chart->series[s].count; i++) {
                double x, y, width, height;
                if (!shown(&chart->series[s], i) || (int)smaller(share_of(heat, chart->series[s].z[i]) * SHADES, SHADES - 1) != level)
                    continue;
                cell_box(heat, &chart->series[s], i, &x, &y, &width, &height);
                put_box(&path, x, y, width, height);
            }
        if (path.count) {
            buffer_text(heat->plot->out, "<path class=\"cell\" fill=\"");
            put_colour(heat->plot->out, shade((level + 0.5) / SHADES, heat->both));
            buffer_print(heat->plot->out, "\" d=\"%s\"/>\n", buffer_get(&path));
        }
        buffer_free(&path);
    }
}

/* Every 1st, 2nd, 5th, 10th, … position is named. */
static int64_t nice_every(int64_t least) {
    for (int64_t power = 1;; power *= 10)
        for (int i = 0; i < 3; i++)
            if (power * (i ? 3 * i - 1 : 1) >= least) return power * (i ? 3 * i - 1 : 1);
}

static void draw_names(const Heat *heat, bool across) {
    Plot *plot = heat->plot;
    const Grid *grid = across ? &heat->x : &heat->y;
    double size = (across ? plot->right - plot->left : plot->bottom - plot->top) / (double)grid->count, widest = 14;
    bool words = across ? plot->chart->x_names : plot->chart->y_names;
    for (int64_t i = 0; across && i < grid->count; i++) {
        Buffer name = { 0 };
        put_name(heat, true, grid->at[i], &name);
        widest = larger(widest, text_width(buffer_get(&name), FONT) + 8);
        buffer_free(&name);
    }
    if (across && words) widest = smaller(widest, larger(size, 48)); /* long words are cut */
    int64_t every = (int64_t)larger(1, ceil((words || across ? widest : 24) / size - 1e-9));
    if (!words) every = nice_every(every);
    for (int64_t i = 0; i < grid->count; i += every) {
        Buffer name = { 0 };
        double middle = size * ((double)i + 0.5);
        put_name(heat, across, grid->at[i], &name);
        if (across)
            put_label(plot->out, plot->left + middle, plot->bottom + 17, "tick", "middle", buffer_get(&name), size * (double)every - 3);
        else
            put_label(plot->out, plot->left - 6, (words ? plot->top + middle : plot->bottom - middle) + 4, "tick", "end", buffer_get(&name),
                      plot->left - 6 - PADDING / 2.0);
        buffer_free(&name);
    }
}

/* A bar of colours at the right, with its ends and middle named. */
static void draw_scale(const Heat *heat) {
    Plot *plot = heat->plot;
    double x = plot->width - PADDING - LEGEND + 14, height = fmin(plot->bottom - plot->top, 200), step = height / SHADES;
    for (int level = 0; level < SHADES; level++) {
        buffer_text(plot->out, "<path class=\"cell\" fill=\"");
        put_colour(plot->out, shade((level + 0.5) / SHADES, heat->both));
        buffer_text(plot->out, "\" d=\"");
        put_box(plot->out, x, plot->top + height - step * (level + 1), 12, step + 0.3);
        buffer_text(plot->out, "\"/>");
    }
    for (int i = 0; i < 3; i++) {
        char number[33];
        Buffer label = { 0 };
        human_grouped(&label, human_real(heat->low + (heat->high - heat->low) * i / 2, 2, number), GROUP_DIGITS);
        put_label(plot->out, x + 17,
                  plot->top + height - height * i / 2 +
                      (i == 0   ? 0
                       : i == 1 ? 4
                                : 9),
                  "tick", "start", buffer_get(&label), LEGEND - 26);
        buffer_free(&label);
    }
}

static double widest_row(const Heat *heat) {
    double widest = 0;
    for (int64_t i = 0; i < heat->y.count; i++) {
        Buffer name = { 0 };
        put_name(heat, false, heat->y.at[i], &name);
        widest = larger(widest, text_width(buffer_get(&name), FONT));
        buffer_free(&name);
    }
    return fmin(widest, heat->plot->width * 0.3);
}

static void draw_cells(const Heat *heat) {
    const Chart *chart = heat->plot->chart;
    if (chart_marks(chart) > FEW_MARKS) {
        draw_shades(heat);
        return;
    }
    for (int64_t s = 0; s < chart->series_count; s++)
        for (int64_t i = 0; i < chart->series[s].count; i++)
            if (shown(&chart->series[s], i)) draw_cell(heat, &chart->series[s], i);
}

void draw_heat(Plot *plot) {
    const Chart *chart = plot->chart;
    Heat heat = { .plot = plot };
    Range z = { 0 };
    for (int64_t s = 0; s < chart->series_count; s++)
        for (int64_t i = 0; i < chart->series[s].count; i++) {
            if (shown(&chart->series[s], i)) range_add(&z, chart->series[s].z[i], false);
            else plot->left_out++;
        }
    if (!z.any) {
        draw_nothing(plot);
        return;
    }
    if (!positions(chart, true, &heat.x) || !positions(chart, false, &heat.y)) {
        plot->out->failed = true;
        goto done;
    }
    heat.both = z.low < 0 && z.high > 0;
    double most = larger(fabs(z.low), fabs(z.high));
    heat.low = heat.both ? -most : z.low > 0 && z.low < 0.1 * z.high ? 0 : z.low;
    heat.high = heat.both ? most : z.high;
    frame_begin(plot);
    plot->left = PADDING + widest_row(&heat) + 6;
    plot->right = plot->width - PADDING - LEGEND;
    draw_cells(&heat);
    draw_names(&heat, true);
    draw_names(&heat, false);
    draw_scale(&heat);
    if (chart->z_label && chart->z_label[0])
        put_label(plot->out, plot->width - PADDING, plot->top - 8, "label", "end", chart->z_label, plot->width / 3);
    frame_end(plot);
done:
    free(heat.x.at);
    free(heat.y.at);
}
