/* Risk under a Poisson log-linear model, and how biased it is (Skinner & Shlomo 2008). */
#include "risk/log_linear/log_linear.h"

/* λ = μ/π is the cell's expected size in the population; given f = 1 the rest of the cell is Poisson with mean (1−π)λ. */
static double rest_of(double mean, double fraction) { return (1 - fraction) * mean / fraction; }
double unique_in_population(double mean, double fraction) { return exp(-rest_of(mean, fraction)); }
double expected_match(double mean, double fraction) {
    double rest = rest_of(mean, fraction);
    return rest > 1e-12 ? -expm1(-rest) / rest : 1 - rest / 2;
}

/* h(λ) is what a sample unique counts: e^−x for τ₁ and (1−e^−x)/x for τ₂, x = (1−π)λ. h′ and h″ in λ; e is e^−x. */
typedef struct Curve {
    double first, second;
} Curve;
static Curve curve1(double e, double rest) { return (Curve){ -rest * e, rest * rest * e }; }
static Curve curve2(double x, double e, double rest) {
    if (x < 1e-3) return (Curve){ rest * (-0.5 + x / 3 - x * x / 8), rest * rest * (1.0 / 3 - x / 4 + x * x / 10) };
    return (Curve){ rest * (e * (x + 1) - 1) / (x * x), rest * rest * (2 - e * (x * x + 2 * x + 2)) / (x * x * x) };
}

/* The bias of τ̂ = Σ 1(f=1) h(λ̂) to second order, with λ̂ − λ replaced by −(f−μ)/π and its square by ((f−μ)² − f)/π²:
 *   B = Σ μe^−μ { −h′(λ)(f−μ)/π + h″(λ)((f−μ)² − f)/(2π²) }, over all cells, empty ones too.
 * Where the model holds, f−μ and (f−μ)² − f are uncorrelated with variances μ and 2μ², which gives the variance of B. */
typedef struct Bias {
    double sum, variance;
} Bias;
static void add_bias(Bias *bias, double f, double mean, double weight, double fraction, Curve h) {
    double a = -weight * h.first / fraction, b = weight * h.second / (2 * fraction * fraction), gap = f - mean;
    bias->sum += a * gap + b * (gap * gap - f);
    bias->variance += a * a * mean + 2 * b * b * mean * mean;
}

Status model_fit(Work *work, const Sample *sample, Model *model, double *mean) {
    Status status = OK;
    LogLinearFit fit = { .mean = mean };
    Bias one = { 0 }, two = { 0 };
    double pi = sample->fraction, rest = 1 - pi;
    TRY(log_linear_fit(work, &sample->grid, sample->count, model->margin, model->margins, &fit));
    model->tau1 = model->tau2 = 0;
    for (int64_t i = 0; i < sample->grid.cells; i++) {
        double x = rest * mean[i] / pi, e = exp(-x), weight = mean[i] * exp(-mean[i]);
        add_bias(&one, sample->count[i], mean[i], weight, pi, curve1(e, rest));
        add_bias(&two, sample->count[i], mean[i], weight, pi, curve2(x, e, rest));
        if (sample->count[i] != 1) continue;
        model->tau1 += e;
        model->tau2 += expected_match(mean[i], pi);
    }
    model->b1 = one.sum;
    model->b2 = two.sum;
    model->standard1 = one.variance > 0 ? one.sum / sqrt(one.variance) : NAN;
    model->standard2 = two.variance > 0 ? two.sum / sqrt(two.variance) : NAN;
    model->converged = fit.converged;
done:
    return status;
}

void independence(const CellGrid *grid, Model *model) {
    *model = (Model){ .margins = grid->keys };
    for (int64_t k = 0; k < grid->keys; k++) model->margin[k] = UINT32_C(1) << k;
}

void all_pairs(const CellGrid *grid, Model *model) {
    if (grid->keys < 2) {
        independence(grid, model);
        return;
    }
    *model = (Model){ 0 };
    for (int64_t i = 0; i < grid->keys; i++)
        for (int64_t j = i + 1; j < grid->keys; j++) model->margin[model->margins++] = UINT32_C(1) << i | UINT32_C(1) << j;
}

/* A margin added; the single keys within it are then no margins of their own. */
static Model with_pair(const Model *model, uint32_t pair) {
    Model out = { 0 };
    for (int64_t m = 0; m < model->margins; m++)
        if ((model->margin[m] & pair) != model->margin[m]) out.margin[out.margins++] = model->margin[m];
    out.margin[out.margins++] = pair;
    return out;
}
static bool has(const Model *model, uint32_t pair) {
    for (int64_t m = 0; m < model->margins; m++)
        if (model->margin[m] == pair) return true;
    return false;
}

/* Underfitted models leave out interactions and take the risk for too small or large; the criterion is B₂, whose measure is the more stable
 * one. */
Status model_search(Work *work, const Sample *sample, Model *model, double *mean, Model *steps, int64_t *count) {
    Status status = OK;
    const CellGrid *grid = &sample->grid;
    bool others = false; /* fitted since: mean is one of theirs */
    independence(grid, model);
    TRY(model_fit(work, sample, model, mean));
    steps[(*count)++] = *model;
    while (fabs(model->standard2) > 1.645) {
        Model best = *model;
        others = true;
        for (int64_t i = 0; i < grid->keys; i++)
            for (int64_t j = i + 1; j < grid->keys; j++) {
                uint32_t pair = UINT32_C(1) << i | UINT32_C(1) << j;
                if (has(model, pair)) continue;
                Model next = with_pair(model, pair);
                TRY(model_fit(work, sample, &next, mean));
                if (fabs(next.standard2) < fabs(best.standard2)) best = next;
            }
        if (best.margins == model->margins && best.margin[best.margins - 1] == model->margin[model->margins - 1]) break;
        *model = best;
        steps[(*count)++] = *model;
    }
    if (others) TRY(model_fit(work, sample, model, mean));
done:
    return status;
}
