/* Categories along one axis. */
#include "render/chart/category.h"
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "base/extremes.h"

static const char *text_of(const Series *series, int64_t i) { return series->text && series->text[i] ? series->text[i] : "–"; }

/* Series mostly name the same categories in the same order: look at the next one first. */
static int64_t find(const Plot *plot, const char *text, int64_t guess) {
    if (guess < plot->categories && !strcmp(plot->category[guess], text)) return guess;
    for (int64_t i = 0; i < plot->categories; i++)
        if (!strcmp(plot->category[i], text)) return i;
    return -1;
}

bool categories_find(Plot *plot) {
    const Chart *chart = plot->chart;
    int64_t marks = chart_marks(chart), mark = 0;
    plot->category = calloc((size_t)marks + 1, sizeof *plot->category);
    plot->place = calloc((size_t)marks + 1, sizeof *plot->place);
    if (!plot->category || !plot->place) {
        plot->out->failed = true;
        return false;
    }
    for (int64_t s = 0; s < chart->series_count; s++) {
        const Series *series = &chart->series[s];
        int64_t guess = 0;
        for (int64_t i = 0; i < series->count; i++, mark++, guess++) {
            /* One series: each mark is a category of its own, also where two have the same name. */
            int64_t at = chart->series_count == 1 ? -1 : find(plot, text_of(series, i), guess);
            if (at < 0) plot->category[at = plot->categories++] = text_of(series, i);
            plot->place[mark] = guess = at;
        }
    }
    return true;
}

void categories_free(Plot *plot) {
    free(plot->category);
    free(plot->place);
}

static double widest_name(const Plot *plot) {
    double widest = 0;
    for (int64_t i = 0; i < plot->categories; i++) widest = larger(widest, text_width(plot->category[i], FONT));
    return widest;
}

void categories_band(const Plot *plot, int64_t category, double *start, double *size) {
    double from = plot->sideways ? plot->top : plot->left, to = plot->sideways ? plot->bottom : plot->right;
    *size = (to - from) / (double)plot->categories;
    *start = from + *size * (double)category;
}

void categories_slot(const Plot *plot, int64_t category, int64_t series, double *start, double *size) {
    double band, at, most = 64 * (double)plot->chart->series_count;
    categories_band(plot, category, &at, &band);
    double used = fmin(band * (band < 4 ? 1 : 0.76), most);
    *size = used / (double)plot->chart->series_count;
    *start = at + (band - used) / 2 + *size * (double)series;
}

static void draw_names(Plot *plot) {
    double start, size;
    categories_band(plot, 0, &start, &size);
    int64_t every = plot->sideways ? (int64_t)ceil(14 / size) : 1;
    if (!plot->sideways && plot->categories > 1) every = (int64_t)ceil((widest_name(plot) + 6) / size);
    if (every < 1) every = 1;
    for (int64_t i = 0; i < plot->categories; i += every) {
        categories_band(plot, i, &start, &size);
        if (plot->sideways)
            put_label(plot->out, plot->left - 6, start + size / 2 + 4, "tick", "end", plot->category[i], plot->left - 6 - PADDING / 2.0);
        else put_label(plot->out, start + size / 2, plot->bottom + 17, "tick", "middle", plot->category[i], size * (double)every);
    }
}

/* Bars lie where their names would not fit side by side; but many short names stand, and some of them are named. */
bool categories_lie(int64_t count, double widest, double width) {
    return (widest + 6) * (double)count > width - 2 * PADDING - 40 && !(count > 60 && widest < 40);
}

void categories_frame(Plot *plot, Range range, bool log, bool zero) {
    double names = widest_name(plot);
    plot->sideways = categories_lie(plot->categories, names, plot->width);
    frame_begin(plot);
    if (plot->sideways) {
        plot->left = PADDING + fmin(names, plot->width * 0.4) + 6;
        frame_across(plot, range, log, zero, true);
        frame_grid(plot, true, true);
    } else {
        frame_upward(plot, range, log, zero);
        frame_grid(plot, false, true);
    }
    draw_names(plot);
}
