/* Lee & Clifton 2012, figures 1 to 4, for the statistic at hand: the risk that is reached against the one that is promised, and the noise
 * ratio (R − f(D))/U by promise. Exact quantiles take the place of a thousand drawn responses. */
#include <stdio.h>
#include <stdlib.h>
#include "base/compare.h"
#include "base/elementary.h"
#include "base/number_text.h"
#include "math/privacy/identifiability.h"
#include "release/calibrate/calibrate.h"

/* Figure 1: with the scale of the bound, which knows the range of the worlds' values alone. */
static Status reached_risk(Run *run, const CalibrateArgs *a, const Calibration *c) {
    enum { POINTS = 100 };
    Status status = OK;
    int64_t count = a->world_values.count;
    double *value = NULL, *scratch = NULL, x[POINTS], y[POINTS];
    NEW(&run->work, value, count);
    NEW(&run->work, scratch, count);
    for (int64_t i = 0; i < count; i++) value[i] = a->world_values.at[i];
    qsort(value, (size_t)count, sizeof *value, ascending_real);
    int shown = 0;
    for (int i = 1; i < POINTS; i++) {
        double epsilon, risk = 1 / c->worlds + (1 - 1 / c->worlds) * i / POINTS;
        TRY(identifiability_epsilon(risk, c->worlds, &epsilon, run->work.error));
        x[shown] = risk;
        y[shown++] = identifiability_worst(value, NULL, count, (value[count - 1] - value[0]) / epsilon, scratch);
    }
    Chart *chart = result_chart(run->result, CHART_LINE, "Largest risk over all responses by promised identifiability",
                                "promised identifiability", "largest risk");
    chart->diagonal = true;
    chart_series(chart, "risk", shown, x, y, NULL, NULL);
done:
    return status;
}

/* Box: half of the responses, and 99.9% of them. */
static void five_numbers(double scale, double range, double *five) {
    static const double tail[5] = { 0.0005, 0.25, 0.5, 0.75, 0.9995 };
    for (int k = 0; k < 5; k++) {
        double p = tail[k];
        five[k] = (p < 0.5 ? log(2 * p) : p > 0.5 ? -log(2 * (1 - p)) : 0) * scale / range;
    }
}

typedef struct Boxes {
    int count;
    double five[5 * 16];
    char text[16][24];
} Boxes;
static void add_box(Boxes *boxes, double at, double scale, double range) {
    five_numbers(scale, range, boxes->five + 5 * boxes->count);
    real_short(at, 3, boxes->text[boxes->count++]);
}

static void draw_boxes(Run *run, const char *title, const char *axis, const Boxes *boxes) {
    const char *label[16];
    for (int i = 0; i < boxes->count; i++) label[i] = boxes->text[i];
    if (!boxes->count) return;
    Chart *chart = result_chart(run->result, CHART_BOX, title, axis, "noise / range");
    chart_series(chart, "half and 99.9% of the responses", boxes->count, NULL, boxes->five, NULL, label);
}

/* Figures 2 and 4 (by r) and 3 (by ε). No r at or below 1/m can be promised. */
static void noise_ratios(Run *run, const CalibrateArgs *a, const Calibration *c) {
    static const double risks[] = { 0.0005, 0.001, 0.015, 0.02, 0.05, 0.075, 0.1, 0.2, 0.3, 0.5 },
                        epsilons[] = { 0.01, 0.05, 0.1, 0.5, 1, 2, 5 };
    Boxes by_risk = { 0 }, by_epsilon = { 0 };
    for (size_t i = 0; i < sizeof risks / sizeof *risks; i++) {
        double epsilon;
        Error impossible = ERROR_NONE;
        if (isnan(c->worlds) || identifiability_epsilon(risks[i], c->worlds, &epsilon, &impossible)) continue;
        add_box(&by_risk, risks[i], c->noise.shift / epsilon, a->range);
    }
    for (size_t i = 0; i < sizeof epsilons / sizeof *epsilons; i++)
        add_box(&by_epsilon, epsilons[i], c->noise.shift / epsilons[i], a->range);
    draw_boxes(run, "Noise over the range of the data, by identifiability", "identifiability", &by_risk);
    draw_boxes(run, "Noise over the range of the data, by ε", "ε", &by_epsilon);
}

Status calibrate_figures(Run *run, const CalibrateArgs *a, const Calibration *c) {
    if (c->noise.family != LAPLACE_NOISE || a->priors.count) return OK;
    if (!isnan(a->range)) noise_ratios(run, a, c);
    return a->world_values.count > 1 ? reached_risk(run, a, c) : OK;
}
