/* Noise drawn, thresholds kept, answers formed, and the intervals that the noise alone gives them. */
#include "math/special/normal.h"
#include <stdlib.h>
#include "base/compare.h"
#include "base/elementary.h"
#include "base/extremes.h"
#include "release/query/query.h"

static Status draw_measure(Measure *b, NoiseFamily family, RandomBits *bits, Error *error) {
    Status status = OK;
    DiscreteGaussian gaussian = { 0 };
    bool laplace = family == DISCRETE_LAPLACE_NOISE;
    Wide noise;
    if (!laplace) TRY(discrete_gaussian_open(&gaussian, b->variance, error));
    for (int64_t i = 0; i < b->count; i++) {
        TRY(laplace ? draw_discrete_laplace(bits, b->scale_num, b->scale_den, &noise) : draw_discrete_gaussian(bits, &gaussian, &noise));
        b->value[i] += noise;
    }
done:
    discrete_gaussian_close(&gaussian);
    return status;
}

/* The coefficients first; their information is that at the coefficients as released. */
static Status draw_logit(Plan *plan, int64_t i, RandomBits *bits) {
    Measure *b = &plan->measure[i];
    if (b->choice) return draw_logistic(plan, b, bits);
    fill_information(&plan->measure[i - 1], b);
    return draw_measure(b, plan->noise, bits, plan->work->error);
}

Status draw_noise(Plan *plan, RandomBits *bits) {
    Status status = OK;
    for (int64_t i = 0; i < plan->measures; i++)
        if (plan->measure[i].logistic) TRY(draw_logit(plan, i, bits));
        else if (plan->measure[i].select) TRY(draw_selection(plan, &plan->measure[i], bits));
        else if (plan->measure[i].choice) TRY(draw_choice(plan, &plan->measure[i], bits));
        else if (!plan->measure[i].exact) TRY(draw_measure(&plan->measure[i], plan->noise, bits, plan->work->error));
    for (int64_t i = 0; i < plan->measures; i++)
        if (plan->measure[i].levels) TRY(make_consistent(plan, &plan->measure[i]));
done:
    return status;
}

static double measure_value(const Measure *b, int64_t element) {
    return b->consistent ? b->consistent[element]
           : b->choice   ? b->first + b->step * (double)(int64_t)b->value[element]
                         : wide_real(b->value[element], b->exponent) / b->divisor;
}

/* From the sums of x, xy, y, x² and y² about the middles: 0 where the noise leaves no spread, and never beyond ±1. */
static double correlation(const double *part, double n) {
    double xx = part[4] - part[1] * part[1] / n, yy = part[5] - part[3] * part[3] / n, xy = part[2] - part[1] * part[3] / n;
    return xx > 0 && yy > 0 ? smaller(larger(xy / sqrt(xx * yy), -1), 1) : 0;
}

/* A function of noisy numbers and of what is public. */
static double form(const Answer *a, const double *part) {
    double n = fmax(a->form == FORM_RATIO ? part[1] : part[0], 1);
    switch (a->form) {
    case FORM_RATIO: return smaller(larger(a->centre + part[0] / n, a->low), a->high);
    case FORM_VARIANCE: return larger((part[2] - part[1] * part[1] / n) / larger(n - 1, 1), 0);
    case FORM_SD: return sqrt(larger((part[2] - part[1] * part[1] / n) / larger(n - 1, 1), 0));
    case FORM_COVARIANCE: return (part[2] - part[1] * part[3] / n) / fmax(n - 1, 1);
    case FORM_ROOT: return sqrt(fmax(part[0], 0));
    case FORM_CORRELATION: return correlation(part, n);
    default: return part[0];
    }
}

/* Where several noisy parts make one answer: noise of the known scales, drawn again around what was released, and the middle 95% of what
 * comes of it. This looks at nothing but the release, so that it costs nothing; its random numbers need no secrecy. A correlation's
 * interval covers sampling too: Fisher's z has variance 1/(n − 3) beside the noise. */
enum { REDRAWS = 2000 };
static Status redrawn_interval(Plan *plan, Answer *a) {
    Status status = OK;
    double *outcome = NULL, released[6], part[6];
    Seed seed = seed_from_number(0);
    RandomStream stream = stream_make(&seed, "release.query", 0, "interval", "redraw");
    RandomReader reader = reader_make(&stream);
    NEW(plan->work, outcome, REDRAWS);
    for (int i = 0; i < a->measures; i++) released[i] = measure_value(&plan->measure[a->measure[i]], a->element);
    for (int k = 0; k < REDRAWS; k++) {
        for (int i = 0; i < a->measures; i++) {
            const Measure *b = &plan->measure[a->measure[i]];
            double u = reader_uniform(&reader) - 0.5,
                   noise = plan->noise == DISCRETE_LAPLACE_NOISE ? copysign(log(1 - 2 * fabs(u)), u) : reader_normal(&reader);
            part[i] = released[i] + (b->exact ? 0 : noise * b->scale);
        }
        outcome[k] = form(a, part);
        if (a->form == FORM_CORRELATION)
            outcome[k] =
                tanh(atanh(smaller(larger(outcome[k], -1 + 1e-12), 1 - 1e-12)) + reader_normal(&reader) / sqrt(fmax(part[0] - 3, 1)));
    }
    qsort(outcome, REDRAWS, sizeof *outcome, ascending_real);
    a->lower = outcome[REDRAWS / 40];
    a->upper = outcome[REDRAWS - 1 - REDRAWS / 40];
    arena_drop(plan->work->arena, outcome);
done:
    return status;
}

static Status form_answer(Plan *plan, Answer *a) {
    const Measure *first = &plan->measure[a->measure[0]];
    double part[6] = { 0 };
    for (int i = 0; i < a->measures; i++) part[i] = measure_value(&plan->measure[a->measure[i]], a->element);
    a->value = form(a, part);
    a->sensitivity = a->scale = NAN;
    if (a->measures > 1 || a->form == FORM_ROOT) return redrawn_interval(plan, a);
    if (a->form == FORM_COEFFICIENT) return form_coefficient(plan, a);
    if (a->form == FORM_LOGIT) return form_logit(plan, a);
    if (a->form == FORM_BOUND) {
        form_bound(plan, a);
        return OK;
    }
    if (first->choice) {
        a->lower = a->upper = NAN;
        return OK;
    }
    if (a->form == FORM_COUNT) a->value = rint(a->value);
    double unit = a->form == FORM_COUNT ? 1 : ldexp(1, first->exponent) / first->divisor; /* the steps in which the answer can move */
    Noise noise = { .family = plan->noise, .scale = first->scale / unit };
    double half = first->exact ? 0 : noise_half_width(&noise, 0.95) * unit;
    a->lower = a->value - half;
    a->upper = a->value + half;
    if (first->levels) tree_interval(first, a->element, &a->lower, &a->upper);
    a->sensitivity = first->exact ? 0 : first->sensitivity;
    a->scale = first->exact ? 0 : first->scale;
    return OK;
}

/* A key that only one person has is shown with probability at most δ: its count, at most `most`, plus noise must reach the threshold, and
 * that person has at most `most` such keys, in each of the queries that share δ. For discrete Laplace P(noise ≥ k + 1) ≤ e^(−k/b)/2; the
 * discrete Gaussian of a fine grid has the normal tail, and the 1 is more than its rounding. */
double plan_threshold(const Plan *plan, const Measure *gate) {
    double most = (double)plan_most(plan), tail = plan->threshold_delta / (double)plan->gates / most;
    double reach = plan->noise == DISCRETE_LAPLACE_NOISE ? -gate->scale * log(2 * tail) : gate->scale * normal_upper_quantile(tail);
    return most + fmax(reach, 0) + 1;
}

Status form_answers(Plan *plan) {
    Status status = OK;
    for (int64_t i = 0; i < plan->answers; i++) {
        Answer *a = &plan->answer[i];
        a->shown = true;
        if (a->gate_measure >= 0) {
            const Measure *gate = &plan->measure[a->gate_measure];
            a->shown = gate->select ? gate->value[a->element] != 0 : measure_value(gate, a->element) >= plan_threshold(plan, gate);
        }
        if (a->shown) TRY(form_answer(plan, a));
    }
done:
    return status;
}
