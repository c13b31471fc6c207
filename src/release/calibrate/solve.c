/* From the one thing that was given to the noise. */
#include <string.h>
#include "base/elementary.h"
#include "math/privacy/identifiability.h"
#include "math/privacy/roc.h"
#include "release/calibrate/calibrate.h"

static bool gaussian(const CalibrateArgs *a) { return a->mechanism == GAUSSIAN_NOISE || a->mechanism == DISCRETE_GAUSSIAN_NOISE; }

static Status no_promise(Run *run, const CalibrateArgs *a, const char *parameter, const char *promise) {
    fail(run->work.error, BAD, "%s noise gives no guarantee of %s at any scale", mechanism_names[a->mechanism], promise);
    error_parameter(run->work.error, parameter);
    return error_advice(run->work.error, "Use --mechanism laplace.");
}

static double sd_of(const Noise *noise) { return sqrt(noise_variance(noise)); }

static double scale_for_epsilon(const Noise *noise, double epsilon) {
    if (noise->family == STUDENT_NOISE)
        return noise->shift / (2 * sqrt(noise->df) * sinh(epsilon / (noise->df + 1))); /* noise_epsilon, turned round */
    return noise->shift / epsilon;
}

static double range_of(const Reals *values) {
    double low = INFINITY, high = -INFINITY;
    for (int64_t i = 0; i < values->count; i++) low = fmin(low, values->at[i]), high = fmax(high, values->at[i]);
    return high - low;
}

static Status check_priors(Run *run, const CalibrateArgs *a) {
    double sum = 0;
    if (!a->priors.count) return OK;
    for (int64_t i = 0; i < a->priors.count; i++) sum += a->priors.at[i];
    if (a->priors.count == a->world_values.count && fabs(sum - 1) <= 1e-9) return OK;
    fail(run->work.error, BAD,
         a->priors.count == a->world_values.count ? "must add up to 1" : "needs one probability for each of --world-values");
    return error_parameter(run->work.error, "priors");
}

/* How many worlds the adversary weighs: the reciprocal of the largest prior. */
static Status find_worlds(Run *run, const CalibrateArgs *a, double *out) {
    double largest = 0;
    *out = NAN;
    bool listed = a->world_values.count > 0, counted = a->worlds != ABSENT;
    if (!isnan(a->prior) && (listed || counted))
        return fail(run->work.error, BAD, "only one of --worlds, --prior or --world-values can be given");
    if (listed && counted && a->worlds != a->world_values.count) { /* saying both is no harm where they agree */
        fail(run->work.error, BAD, "says %lld, and --world-values lists %lld", (long long)a->worlds, (long long)a->world_values.count);
        return error_parameter(run->work.error, "worlds");
    }
    for (int64_t i = 0; i < a->priors.count; i++) largest = fmax(largest, a->priors.at[i]);
    if (!isnan(a->prior)) *out = 1 / a->prior;
    else if (a->priors.count) *out = 1 / largest;
    else if (counted) *out = (double)a->worlds;
    else if (a->world_values.count) *out = (double)a->world_values.count;
    return check_priors(run, a);
}

static Status solve_identifiability(Run *run, const CalibrateArgs *a, Calibration *c) {
    Status status = OK;
    double epsilon;
    if (!isfinite(noise_epsilon(&(Noise){ .family = c->noise.family, .scale = 1, .shift = 1, .df = a->df })))
        return no_promise(run, a, "identifiability", "identifiability below 1");
    if (isnan(c->worlds)) {
        fail(run->work.error, BAD, "needs the number of possible worlds");
        error_parameter(run->work.error, "identifiability");
        return error_advice(run->work.error, "Give --worlds, --prior or --world-values.");
    }
    if (a->tight && !a->world_values.count) {
        fail(run->work.error, BAD, "needs --world-values");
        return error_parameter(run->work.error, "tight");
    }
    if (a->tight && a->mechanism != LAPLACE_NOISE) {
        fail(run->work.error, BAD, "has a meaning only with --mechanism laplace");
        return error_parameter(run->work.error, "tight");
    }
    TRY(identifiability_epsilon(a->identifiability, c->worlds, &epsilon, run->work.error));
    if (a->tight) {
        TRY(identifiability_tight(&run->work, a->world_values.at, a->priors.count ? a->priors.at : NULL, a->world_values.count,
                                  a->identifiability, &c->noise.scale));
        if (c->noise.scale == 0) return fail(run->work.error, BAD, "all worlds have the same value: no noise is needed to hide them");
        return OK;
    }
    c->noise.scale = scale_for_epsilon(&c->noise, epsilon);
done:
    return status;
}

static Status solve_noncentrality(Run *run, const CalibrateArgs *a, Calibration *c) {
    double sum = 0;
    if (!gaussian(a)) {
        fail(run->work.error, BAD, "has a meaning only with gaussian noise");
        return error_parameter(run->work.error, "noncentrality");
    }
    for (int64_t i = 0; i < a->noncentrality.count; i++) sum += a->noncentrality.at[i];
    if (sum == 0) return fail(run->work.error, BAD, "a noncentrality of 0 would need infinite noise");
    c->vector = a->noncentrality.count > 1;
    if (c->vector) c->noise = (Noise){ .family = GAUSSIAN_NOISE, .scale = 1, .shift = sqrt(2 * sum) };
    else c->noise.scale = c->noise.shift / sqrt(2 * sum);
    return OK;
}

static Status solve_epsilon(Run *run, const CalibrateArgs *a, Calibration *c) {
    if (!isnan(a->delta)) return noise_scale_for_delta(&c->noise, a->epsilon, a->delta, run->work.error);
    if (a->mechanism == GAUSSIAN_NOISE || a->mechanism == DISCRETE_GAUSSIAN_NOISE || a->mechanism == UNIFORM_NOISE) {
        no_promise(run, a, "epsilon", "ε without a δ");
        return error_advice(run->work.error, "Give --delta, or use --mechanism laplace.");
    }
    c->noise.scale = scale_for_epsilon(&c->noise, a->epsilon);
    return OK;
}

/* The largest scale whose half-width is at most what is wanted. That of the continuous families is proportional to it; on the whole numbers
 * it moves in steps. */
static Status solve_accuracy(Run *run, const CalibrateArgs *a, Calibration *c) {
    double low = 0, high = a->accuracy;
    c->noise.scale = 1;
    if (!noise_discrete(&c->noise)) {
        c->noise.scale = a->accuracy / noise_half_width(&c->noise, calibrate_level(a));
        return OK;
    }
    for (c->noise.scale = high; noise_half_width(&c->noise, calibrate_level(a)) <= a->accuracy && high < 1e12; c->noise.scale = high) {
        low = high;
        high *= 2;
    }
    if (a->accuracy < 1) {
        fail(run->work.error, BAD, "is below 1, and this noise is a whole number");
        return error_parameter(run->work.error, "accuracy");
    }
    for (int turn = 0; turn < 100; turn++) {
        c->noise.scale = (low + high) / 2;
        if (noise_half_width(&c->noise, calibrate_level(a)) <= a->accuracy) low = c->noise.scale;
        else high = c->noise.scale;
    }
    c->noise.scale = low;
    return OK;
}

static Status solve_promise(Run *run, const CalibrateArgs *a, Calibration *c) {
    Error *error = run->work.error;
    double shift = c->noise.shift;
    if (!isnan(a->scale)) {
        c->noise.scale = a->scale;
        return OK;
    }
    if (!isnan(a->sigma)) {
        if (a->mechanism == STUDENT_NOISE && a->df <= 2)
            return fail(error, BAD, "Student's t with %s degrees of freedom has no standard deviation", a->df == 2 ? "2" : "so few");
        c->noise.scale = a->sigma;
        if (!gaussian(a)) c->noise.scale = 1, c->noise.scale = a->sigma / sd_of(&c->noise);
        return OK;
    }
    if (!isnan(a->accuracy)) return solve_accuracy(run, a, c);
    if (!isnan(a->epsilon)) return solve_epsilon(run, a, c);
    if (!isnan(a->zcdp)) {
        if (a->mechanism == UNIFORM_NOISE) return no_promise(run, a, "zcdp", "zero-concentrated differential privacy");
        if (a->mechanism == LAPLACE_NOISE) {
            c->noise.scale = shift / laplace_epsilon_for_zcdp(a->zcdp);
            return OK;
        }
        if (gaussian(a)) {
            c->noise.scale = shift / sqrt(2 * a->zcdp);
            return OK;
        }
        return noise_scale_for(&c->noise, noise_zcdp, a->zcdp, error);
    }
    if (!isnan(a->gdp)) {
        if (a->mechanism == UNIFORM_NOISE) return no_promise(run, a, "gdp", "Gaussian differential privacy");
        if (a->mechanism == GAUSSIAN_NOISE) {
            c->noise.scale = shift / a->gdp;
            return OK;
        }
        return noise_scale_for(&c->noise, noise_gdp, a->gdp, error);
    }
    if (!isnan(a->auc)) {
        if (a->mechanism == GAUSSIAN_NOISE) {
            c->noise.scale = shift / sqrt(2 * roc_noncentrality(a->auc));
            return OK;
        }
        return noise_scale_for(&c->noise, noise_auc, a->auc, error);
    }
    if (a->noncentrality.count) return solve_noncentrality(run, a, c);
    return solve_identifiability(run, a, c);
}

/* The discrete families have a standard deviation that grows with the scale, unlike the promises: solve by bisection upwards. */
static Status solve_discrete_sigma(Run *run, const CalibrateArgs *a, Calibration *c) {
    double low = 1e-3, high = 2 * a->sigma + 2;
    (void)run;
    for (int turn = 0; turn < 200 && high - low > 1e-15 * high; turn++) {
        c->noise.scale = (low + high) / 2;
        if (sd_of(&c->noise) < a->sigma) low = c->noise.scale;
        else high = c->noise.scale;
    }
    c->noise.scale = high;
    return OK;
}

Status calibrate_solve(Run *run, const CalibrateArgs *a, Calibration *c) {
    Status status = OK;
    double shift = !isnan(a->sensitivity) ? a->sensitivity : a->world_values.count > 1 ? range_of(&a->world_values) : 1;
    c->noise = (Noise){ .family = a->mechanism, .df = a->df, .shift = shift };
    if (!(shift > 0)) return fail(run->work.error, BAD, "all worlds have the same value: no noise is needed to hide them");
    if (noise_discrete(&c->noise) && (shift != floor(shift) || shift > 1e12)) {
        fail(run->work.error, BAD, "must be a whole number: %s noise lives on the whole numbers", mechanism_words[a->mechanism]);
        return error_parameter(run->work.error, "sensitivity");
    }
    TRY(find_worlds(run, a, &c->worlds));
    if (!isnan(a->sigma) && noise_discrete(&c->noise)) return solve_discrete_sigma(run, a, c);
    TRY(solve_promise(run, a, c));
done:
    return status;
}

Status calibrate_auc(Run *run, const CalibrateArgs *a, Calibration *c) {
    Status status = OK;
    double error = 0, one = c->noise.shift * c->noise.shift / (2 * c->noise.scale * c->noise.scale);
    const double *list = a->noncentrality.count ? a->noncentrality.at : &one;
    int64_t count = a->noncentrality.count ? a->noncentrality.count : 1;
    if (a->method) {
        RocEstimate estimate;
        RandomStream stream = run_stream(run, "", "draws");
        RocScore score = a->method == 1 ? SCORE_LIKELIHOOD_RATIO : a->covariates ? SCORE_STATISTICS : SCORE_LOG_COSH;
        if (!gaussian(a)) {
            fail(run->work.error, BAD, "has a meaning only with gaussian noise");
            return error_parameter(run->work.error, "method");
        }
        TRY(roc_simulate(&run->work, list, count, score, a->draws, &stream, &estimate));
        c->auc = estimate.auc;
        c->auc_lower = estimate.lower;
        c->auc_upper = estimate.upper;
        c->simulated = true;
        return OK;
    }
    if (c->vector) {
        TRY(roc_vector_auc(&run->work, list, count, &c->auc, &error));
        c->auc_error = error;
    } else c->auc = noise_auc(&c->noise);
done:
    return status;
}
