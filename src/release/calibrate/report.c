/* What the noise promises, in every currency; composition; charts. */
#include <string.h>
#include "base/elementary.h"
#include "base/number_text.h"
#include "base/text.h"
#include "math/privacy/compose.h"
#include "math/privacy/identifiability.h"
#include "math/privacy/roc.h"
#include "release/calibrate/calibrate.h"

static void report_or_null(Run *run, const Calibration *c, const CalibrateArgs *a, const char *name, double value, const char *what) {
    (void)c;
    if (isfinite(value)) result_real(run->result, name, value);
    else result_null(run->result, name, "%s noise gives no guarantee of %s.", mechanism_names[a->mechanism], what);
}

static void report_amount(Run *run, const CalibrateArgs *a, const Calibration *c) {
    Result *result = run->result;
    if (c->vector) {
        result_null(result, "scale", "The elements of the vector have different noise: see the table elements.");
        result_null(result, "sigma", "sigma and variance, likewise, are in the table elements.");
        result_real(result, "variance", NAN);
        Grid *grid = grid_new(result, "elements", "element:integer noncentrality:real sigma:real variance:real auc:real");
        for (int64_t i = 0; i < a->noncentrality.count; i++) {
            double l = a->noncentrality.at[i], shift = isnan(a->sensitivity) ? 1 : a->sensitivity;
            grid_integer(grid, i + 1);
            grid_real(grid, l);
            grid_real(grid, l > 0 ? shift / sqrt(2 * l) : NAN);
            grid_real(grid, l > 0 ? shift * shift / (2 * l) : NAN);
            grid_real(grid, roc_auc(l));
        }
        grid_done(grid);
        return;
    }
    double variance = noise_variance(&c->noise);
    result_real(result, "scale", c->noise.scale);
    result_real(result, "half_width", noise_half_width(&c->noise, calibrate_level(a)));
    /* Lee & Clifton 2012, section 5: |R − f(D)| over the range of the universe; here its mean, which any release has */
    if (!isnan(a->range)) report_or_null(run, c, a, "noise_ratio", noise_mean_absolute(&c->noise) / a->range, "a mean size");
    if (isinf(variance)) {
        result_null(result, "sigma", "Student's t with two degrees of freedom or fewer has no variance.");
        result_real(result, "variance", NAN);
        return;
    }
    result_real(result, "sigma", sqrt(variance));
    result_real(result, "variance", variance);
}

static void report_epsilon(Run *run, const CalibrateArgs *a, const Calibration *c) {
    const char *word = mechanism_names[a->mechanism];
    double pure = noise_epsilon(&c->noise), epsilon = isnan(a->delta) ? pure : noise_epsilon_at(&c->noise, a->delta);
    if (isfinite(epsilon)) {
        result_real(run->result, "epsilon", epsilon);
        result_real(run->result, "delta", isnan(a->delta) ? 0 : a->delta);
        if (!isnan(a->delta) && epsilon == 0) result_note(run->result, "At this δ the guarantee holds even with ε = 0.");
        return;
    }
    if (isnan(a->delta))
        result_null(run->result, "epsilon", "%s noise has no ε without a δ. Give --delta to obtain ε; the table curve has both.", word);
    else result_null(run->result, "epsilon", "%s noise of this scale has no ε at this δ.", word);
    result_real(run->result, "delta", a->delta);
}

/* The paper's area of a vector is that of an attacker who does not know the signs of its changes; one record fixes them all. Along their
 * direction the vector is one normal release of noncentrality Σl. For a single statistic the two are the same. */
static void report_attackers(Run *run, const Calibration *c) {
    double d = c->noise.shift / c->noise.scale;
    result_real(run->result, "auc_direction", c->vector ? roc_auc(d * d / 2) : noise_auc(&c->noise));
    result_real(run->result, "auc_informed", c->vector ? roc_auc_informed(d * d / 2) : noise_auc_one_release(&c->noise));
}

static void report_auc(Run *run, const CalibrateArgs *a, const Calibration *c) {
    result_real(run->result, "auc", c->auc);
    if (c->simulated) {
        result_real(run->result, "auc_lower", c->auc_lower);
        result_real(run->result, "auc_upper", c->auc_upper);
        if (a->method == 2 && a->covariates)
            result_note(run->result, "A risk score on the test statistics is not the likelihood ratio. Its area is a lower bound.");
    }
    if (c->vector && !c->simulated) result_real(run->result, "auc_error", c->auc_error);
    result_real(run->result, "privacy", 1 - c->auc);
    report_attackers(run, c);
    bool normal = c->noise.family == GAUSSIAN_NOISE || c->noise.family == DISCRETE_GAUSSIAN_NOISE;
    double d = c->noise.shift / c->noise.scale;
    if (normal) result_real(run->result, "noncentrality", d * d / 2);
    else
        result_null(run->result, "noncentrality",
                    "A noncentrality belongs to normal noise; the two-release area of %s noise is that of ranking by |x − x′|.",
                    mechanism_names[a->mechanism]);
    result_real(run->result, "auc_one_release", noise_auc_one_release(&c->noise));
    result_real(run->result, "advantage", noise_advantage(&c->noise));
}

/* With the worlds' values the worst risk is known; else ε bounds it. */
static Status report_identifiability(Run *run, const CalibrateArgs *a, const Calibration *c) {
    Status status = OK;
    Result *result = run->result;
    double pure = noise_epsilon(&c->noise);
    if (!isfinite(pure)) {
        result_null(result, "identifiability",
                    "%s noise has no identifiability below 1: some responses identify the individual almost with certainty.",
                    mechanism_names[a->mechanism]);
        result_null(result, "bayes_factor", "There is no bound on the Bayes factor either.");
        return OK;
    }
    if (isnan(c->worlds))
        result_null(result, "identifiability",
                    "The risk of identification needs the number of possible worlds: --worlds, --prior or --world-values.");
    else if (a->tight) result_real(result, "identifiability", a->identifiability);
    else result_real(result, "identifiability", identifiability_risk(pure, c->worlds));
    result_real(result, "bayes_factor", exp(pure));
    if (a->tight) {
        char bound[33];
        double epsilon;
        TRY(identifiability_epsilon(a->identifiability, c->worlds, &epsilon, run->work.error));
        result_note(result, "The bound of Lee & Clifton, which uses only the range of the values, requires a scale of %s.",
                    real_short(c->noise.shift / epsilon, 7, bound));
    }
done:
    return status;
}

/* 201 points of the (ε, δ) curve: from 0 to the pure ε, or to where δ falls below 1e-12. */
enum { CURVE = 201 };
static void curve_of(const Noise *noise, double *epsilon, double *delta) {
    double top = noise_epsilon(noise);
    if (!isfinite(top)) top = noise_epsilon_at(noise, 1e-12);
    if (!isfinite(top)) top = 5;
    for (int i = 0; i < CURVE; i++) {
        epsilon[i] = top * i / (CURVE - 1);
        delta[i] = noise_delta(noise, epsilon[i]);
    }
}

Status calibrate_report(Run *run, const CalibrateArgs *a, const Calibration *c) {
    Status status = OK;
    double epsilon[CURVE], delta[CURVE];
    report_amount(run, a, c);
    report_epsilon(run, a, c);
    report_or_null(run, c, a, "zcdp", noise_zcdp(&c->noise), "zero-concentrated differential privacy");
    report_or_null(run, c, a, "gdp_mu", noise_gdp(&c->noise), "Gaussian differential privacy");
    report_auc(run, a, c);
    TRY(report_identifiability(run, a, c));
    curve_of(&c->noise, epsilon, delta);
    Grid *grid = grid_new(run->result, "curve", "epsilon:real delta:real");
    for (int i = 0; i < CURVE; i += 10) {
        grid_real(grid, epsilon[i]);
        grid_real(grid, delta[i]);
    }
    grid_done(grid);
done:
    return status;
}

static Status read_component(Run *run, const Pair *pair, double df, Component *out) {
    int family = 0;
    while (mechanism_words[family] && strcmp(mechanism_words[family], pair->name)) family++;
    size_t count = 0;
    while (mechanism_words[count]) count++;
    if (!mechanism_words[family]) {
        const char *near = nearest_name(pair->name, mechanism_words, count);
        fail(run->work.error, BAD, "there is no mechanism '%s'", pair->name);
        error_parameter(run->work.error, "with");
        return near ? error_advice(run->work.error, "Did you mean %s?", near) : BAD;
    }
    *out =
        (Component){ .noise = { .family = (NoiseFamily)family, .shift = pair->number[0], .scale = pair->number[1], .df = df }, .times = 1 };
    bool whole = !noise_discrete(&out->noise) || out->noise.shift == floor(out->noise.shift);
    if (out->noise.shift > 0 && out->noise.scale > 0 && whole) return OK;
    fail(run->work.error, BAD, "expects mechanism:sensitivity:scale with numbers above 0%s",
         whole ? "" : ", and a whole sensitivity for discrete noise");
    return error_parameter(run->work.error, "with");
}

static void composition_row(Grid *grid, const char *rule, double epsilon, double delta) {
    grid_text(grid, rule);
    grid_real(grid, isfinite(epsilon) ? epsilon : NAN);
    grid_real(grid, delta);
}

Status calibrate_compose(Run *run, const CalibrateArgs *a, const Calibration *c) {
    Status status = OK;
    Component *part = NULL;
    int64_t count = a->with.count + 1;
    double delta = isnan(a->delta) ? 1e-6 : a->delta, zcdp = 0;
    LossDistribution above, below;
    NEW(&run->work, part, count);
    part[0] = (Component){ c->noise, a->times };
    for (int64_t i = 1; i < count; i++) TRY(read_component(run, &a->with.at[i - 1], a->df, &part[i]));
    TRY(compose_exact(&run->work, part, count, &above, &below));
    for (int64_t i = 0; i < count; i++) zcdp += (double)part[i].times * noise_zcdp(&part[i].noise);
    double epsilon = loss_epsilon(&above, delta);
    if (isfinite(epsilon)) result_real(run->result, "composed_epsilon", epsilon);
    else result_null(run->result, "composed_epsilon", "No ε reaches this δ, or δ is below the numerical precision.");
    result_real(run->result, "composed_epsilon_lower", loss_epsilon(&below, delta));
    result_real(run->result, "composed_delta", delta);
    report_or_null(run, c, a, "composed_zcdp", zcdp, "zero-concentrated differential privacy");
    Grid *grid = grid_new(run->result, "composition", "rule:text epsilon:real delta:real");
    composition_row(grid, "basic, pure", compose_basic(part, count, 0), 0);
    composition_row(grid, "basic", compose_basic(part, count, delta), delta);
    composition_row(grid, "advanced", compose_advanced(part, count, delta), delta);
    composition_row(grid, "zcdp", compose_zcdp(part, count, delta), delta);
    composition_row(grid, "exact", epsilon, delta);
    composition_row(grid, "exact, rounded down", loss_epsilon(&below, delta), delta);
    grid_done(grid);
    if (isnan(a->delta)) result_note(run->result, "The composition is reported at δ = 0.000001. Choose another with --delta.");
done:
    return status;
}

Status calibrate_charts(Run *run, const CalibrateArgs *a, const Calibration *c) {
    Status status = OK;
    double x[CURVE], y[CURVE], top = noise_epsilon(&c->noise);
    int64_t count = 0;
    Chart *roc = result_chart(run->result, CHART_LINE, "Ability of an adversary to distinguish neighbouring tables", "false positive rate",
                              "true positive rate");
    roc->diagonal = true;
    if (!isfinite(top)) top = c->noise.shift / c->noise.scale * (6 + c->noise.shift / c->noise.scale / 2);
    x[count] = y[count] = 0, count++;
    for (int i = 1; i + 1 < CURVE; i++) {
        RocPoint point = noise_test(&c->noise, top * (1 - 2.0 * i / (CURVE - 1)));
        x[count] = point.fpr, y[count] = point.tpr, count++;
    }
    x[count] = y[count] = 1, count++;
    chart_series(roc, "one release, both tables known", count, x, y, NULL, NULL);
    if (c->noise.family == GAUSSIAN_NOISE) {
        double one = c->noise.shift * c->noise.shift / (2 * c->noise.scale * c->noise.scale);
        TRY(roc_vector_curve(&run->work, c->vector ? a->noncentrality.at : &one, c->vector ? a->noncentrality.count : 1, CURVE, x, y));
        chart_series(roc, "two releases, same table or not", CURVE, x, y, NULL, NULL);
    }
    curve_of(&c->noise, x, y);
    for (count = 0; count < CURVE && y[count] > 0; count++) {}
    Chart *curve = result_chart(run->result, CHART_LINE, "Privacy profile: smallest δ at each ε", "epsilon", "delta");
    chart_of(curve, "curve");
    curve->log_y = true;
    chart_series(curve, mechanism_words[a->mechanism], count, x, y, NULL, NULL);
done:
    return status;
}
