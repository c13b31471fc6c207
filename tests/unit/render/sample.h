/* A small result with one of everything, and names that need escaping. */
#ifndef SCRIM_RENDER_SAMPLE_H
#define SCRIM_RENDER_SAMPLE_H
#include <math.h>
#include "render/render.h"
#include "testing.h"

static inline void sample_table(Result *result) {
    Grid *grid = grid_new(result, "suppressed", "key:text cells:integer share:real");
    grid_text(grid, "sex");
    grid_integer(grid, 12);
    grid_real(grid, 0.5);
    grid_text(grid, "a<b>&\"c\"");
    grid_integer(grid, 9);
    grid_real(grid, 12.25);
    grid_text(grid, NULL);
    grid_missing(grid);
    grid_real(grid, NAN);
    grid_done(grid);
}

static inline Result *sample(void) {
    Result *result = result_new("risk.k-anonymity");
    result_summary(result, "Count the records that share each combination of keys");
    result_integer(result, "k", 1);
    result_real(result, "share", 1.0 / 3);
    result_text(result, "rule", "wildcard");
    result_null(result, "theta", "theta is null: no class has two records");
    result_real(result, "scale", INFINITY);
    result_integer(result, "worlds", INT64_C(9007199254740993));
    result_describe(result, "k", "Fewest records in a class", true);
    sample_table(result);
    result_describe_table(result, "suppressed", "Cells suppressed, by key", true);
    result_note(result, "A missing key agrees with every value");
    result_param(result, "data", "clinic.csv", false, false, false);
    result_param(result, "keys", "sex,`a,b`,7", false, false, true);
    result_param(result, "k", "3", false, true, false);
    result_param(result, "code", "007", false, false, false);
    result_param(result, "password", "hunter2", true, false, false);
    Chart *chart = result_chart(result, CHART_BAR, "Cells <by> \"key\" & more", "Key", "Cells");
    chart_series(chart, "cells", 2, NULL, (double[]){ 12, 9 }, NULL, (const char *const[]){ "sex", "a<b>&\"c\"" });
    Result *inner = result_new("risk.individual");
    result_real(inner, "max_risk", 0.25);
    result_result(result, "inner", inner);
    return result;
}
#endif
