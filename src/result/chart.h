/* A chart as data: what to draw, not how. At most 10,000 marks. */
#ifndef SCRIM_RESULT_CHART_H
#define SCRIM_RESULT_CHART_H
#include "base/arena.h"

typedef enum { CHART_LINE, CHART_SCATTER, CHART_BAR, CHART_HISTOGRAM, CHART_HEAT, CHART_BOX } ChartKind;

enum { CHART_KINDS = CHART_BOX + 1 };
const char *chart_kind_name(ChartKind kind); /* "line", "scatter", …, as JSON has it */

/* line, scatter: points (x, y), text optional (a mark's label). bar: text[i] and y[i]. histogram: bins [x[i], x[i+1]) with y[i] (x has one
 * more). heat: cell (x[i], y[i]) with z[i]. box: text[i] and five numbers y[5i…5i+4]: least, lower quartile, median, upper quartile, most.
 */
typedef struct Series {
    const char *name;
    int64_t count;
    double *x, *y, *z;
    const char **text;
    bool emphasised;                         /* drawn to stand out (non-dominated points, broken rules) */
    double *x_low, *x_high, *y_low, *y_high; /* scatter: bars of error, all four or none (chart_spread) */
} Series;

typedef struct Chart {
    Arena *arena; /* the result's */
    bool *failed; /* the result's */
    ChartKind kind;
    const char *title, *x_label, *y_label, *z_label;
    const char *of; /* the table of the result that it draws, by name (chart_of); NULL: more than any table tells */
    bool public;    /* that table is declared PUBLIC; set by the runner */
    bool log_x, log_y;
    bool diagonal;          /* draw y = x (ROC) */
    const char *finding;    /* what the picture shows, in a sentence, for who cannot see it; NULL: only what is drawn is said */
    const char *limit_text; /* bar: a line before category number `limit`, with these words (a policy's bound); NULL: none */
    int64_t limit;
    int64_t series_count, room;
    Series *series;
    int64_t x_names, y_names;      /* heat: words for the positions 0, 1, 2, … of an axis; 0 = the positions are numbers */
    const char **x_name, **y_name; /* with words, row 0 is drawn at the top, as a matrix is read */
} Chart;

/* Copies. Arrays that the kind does not use may be NULL. More than 10,000 marks are thinned evenly. */
void chart_series(Chart *chart, const char *name, int64_t count, const double *x, const double *y, const double *z,
                  const char *const *text);
/* How far the marks of the last series may be off: arrays as long as it. Not for a series that was thinned. */
void chart_spread(Chart *chart, const double *x_low, const double *x_high, const double *y_low, const double *y_high);
void chart_finding(Chart *chart, const char *sentence);           /* copied */
void chart_limit(Chart *chart, int64_t before, const char *text); /* copied */
/* It shows this table of the same result and nothing that the table does not tell: it is public where the table is. */
void chart_of(Chart *chart, const char *table);
/* Words for the columns (x) and rows (y) of a heat map. Copied; either may be NULL with count 0. */
void chart_names(Chart *chart, int64_t x_names, const char *const *x_name, int64_t y_names, const char *const *y_name);
#endif
