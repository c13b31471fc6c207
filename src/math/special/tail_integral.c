/* Double exponential quadrature on the half line, scaled so that the density falls by about e over a unit. */
#include "math/special/tail_integral.h"
#include "base/elementary.h"
#include "math/special/tables.h"

double tail_integral(LogDrop *drop, const void *law, double slope, double curvature) {
    double scale = 2 / (slope + sqrt(slope * slope + 2 * curvature)), sum = 0;
    for (int turn = 0; curvature > 0 && turn < 60 && drop(law, scale) > -0.6; turn++) scale *= 1.7;
    for (int turn = 0; curvature > 0 && turn < 60 && drop(law, scale) < -2; turn++) scale /= 1.7;
    for (int k = 0; k < HALF_LINE_NODES; k++) {
        double fall = drop(law, scale * HALF_LINE_PLACE[k]);
        if (fall < -50) break;
        sum += HALF_LINE_WEIGHT[k] * exp(fall);
    }
    return sum * scale;
}
