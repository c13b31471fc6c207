/* Categories along one axis of a chart: bars and boxes. Private to render/. */
#ifndef SCRIM_RENDER_CHART_CATEGORY_H
#define SCRIM_RENDER_CHART_CATEGORY_H
#include "render/chart/plot.h"

/* Names the categories of all series in the order met, and places each mark; false where memory is out. */
bool categories_find(Plot *plot);
void categories_free(Plot *plot);
/* Decides whether bars stand or lie, sets the axes and draws them. */
void categories_frame(Plot *plot, Range range, bool log, bool zero);
bool categories_lie(int64_t count, double widest, double width);
/* Where category i lies: its band's start and size along its axis, in pixels. */
void categories_band(const Plot *plot, int64_t category, double *start, double *size);
/* Within a band, the part of one of several series. */
void categories_slot(const Plot *plot, int64_t category, int64_t series, double *start, double *size);
#endif
