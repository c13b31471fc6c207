/* A grid of parameters: eps=0.1:1:0.1 and modify=0.2,0.5,1 make thirty points, the first varying slowest. */
#ifndef SCRIM_VERB_PARAMETER_GRID_H
#define SCRIM_VERB_PARAMETER_GRID_H
#include "method/method.h"

typedef struct TuneAxis {
    const Param *param;
    bool numbers;
    int64_t count;
    const char **text;
    double *number;
} TuneAxis;
typedef struct TuneGrid {
    int64_t axes, points;
    TuneAxis *axis;
} TuneGrid;

/* Each names a parameter of the method and lists its values, or gives a number's range as from:to:step, both ends included. */
MUST_CHECK Status grid_parse(Work *work, const Method *method, Texts over, TuneGrid *out);
const char *const *grid_text_at(const TuneGrid *grid, int64_t point, int64_t axis);
double grid_number_at(const TuneGrid *grid, int64_t point, int64_t axis);
const char *grid_label(Work *work, const TuneGrid *grid, int64_t point); /* "eps=0.1, modify=1" */
#endif
