/* Top and bottom coding with known bounds: maximum likelihood of the normal distribution and of the tobit model. */
#include <string.h>
#include "base/elementary.h"
#include "math/linear/least_squares.h"
#include "math/linear/symmetric.h"
#include "math/special/normal.h"
#include "utility/corrected/corrected.h"

/* n records, p terms; x and y about their means where there is an intercept, in units of their spread, and the bounds likewise. */
typedef struct {
    Work *work;
    int64_t n, p;
    bool intercept;
    double *x, *y, *centre, *unit; /* those of y are last */
    double top, bottom;            /* NaN: none */
    int64_t above, below;
    double *gradient, *hessian; /* of p + 1 parameters */
} Tobit;

static Status prepare(Tobit *t, const double *x, const double *y) {
    Status status = OK;
    int64_t n = t->n, p = t->p;
    NEW(t->work, t->x, n * p + 1);
    NEW(t->work, t->y, n + 1);
    NEW(t->work, t->centre, p + 1);
    NEW(t->work, t->unit, p + 1);
    NEW(t->work, t->gradient, p + 2);
    NEW(t->work, t->hessian, (p + 1) * (p + 1));
    for (int64_t j = 0; j <= p; j++) {
        const double *from = j < p ? x + j * n : y;
        double *to = j < p ? t->x + j * n : t->y, square = 0;
        for (int64_t i = 0; i < n && t->intercept && j; i++) t->centre[j] += from[i] / (double)n;
        for (int64_t i = 0; i < n; i++) square += (from[i] - t->centre[j]) * (from[i] - t->centre[j]) / (double)n;
        t->unit[j] = square > 0 ? sqrt(square) : 1;
        for (int64_t i = 0; i < n; i++) to[i] = (from[i] - t->centre[j]) / t->unit[j];
    }
    t->top = (t->top - t->centre[p]) / t->unit[p];
    t->bottom = (t->bottom - t->centre[p]) / t->unit[p];
    for (int64_t i = 0; i < n; i++) {
        t->above += t->y[i] >= t->top;
        t->below += t->y[i] <= t->bottom;
    }
done:
    return status;
}

/* ln φ(s)/(1 − Φ(s)) without the cancellation of its parts. */
static double hazard(double s) { return exp(-0.5 * s * s - 0.91893853320467274178 - normal_log_upper(s)); }

/* One record of Olsen's form (1978), which is concave in γ = β/σ and θ = 1/σ, with s = θy − xγ: seen, ln θ − s²/2; at or above the top c,
 * ln(1 − Φ(θc − xγ)); at or below the bottom, ln Φ(θc − xγ). `slope` and `curvature` are those in s. */
static double record(const Tobit *t, int64_t i, const double *at, double *slope, double *curvature, double *bound) {
    double linear = 0, y = t->y[i];
    int side = y >= t->top ? 1 : y <= t->bottom ? -1 : 0;
    for (int64_t j = 0; j < t->p; j++) linear += t->x[j * t->n + i] * at[j];
    *bound = side > 0 ? t->top : side < 0 ? t->bottom : y;
    double s = at[t->p] * *bound - linear;
    if (!side) {
        *slope = -s;
        *curvature = -1;
        return log(at[t->p]) - s * s / 2;
    }
    double h = hazard(side * s);
    *slope = -side * h;
    *curvature = -h * (h - side * s);
    return normal_log_upper(side * s);
}

static double likelihood(Tobit *t, const double *at) {
    int64_t m = t->p + 1;
    double sum = 0, slope, curvature, bound;
    memset(t->gradient, 0, (size_t)m * sizeof *t->gradient);
    memset(t->hessian, 0, (size_t)(m * m) * sizeof *t->hessian);
    for (int64_t i = 0; i < t->n; i++) {
        sum += record(t, i, at, &slope, &curvature, &bound);
        bool seen = !(t->y[i] >= t->top) && !(t->y[i] <= t->bottom);
        for (int64_t j = 0; j < m; j++) {
            double dj = j < t->p ? -t->x[j * t->n + i] : bound;
            t->gradient[j] += slope * dj;
            for (int64_t k = 0; k < m; k++) t->hessian[k * m + j] -= curvature * dj * (k < t->p ? -t->x[k * t->n + i] : bound);
        }
        if (!seen) continue;
        t->gradient[t->p] += 1 / at[t->p];
        t->hessian[m * m - 1] += 1 / (at[t->p] * at[t->p]);
    }
    return sum;
}

static Status no_maximum(const Tobit *t) {
    return fail(t->work->error, BAD, "the likelihood has no maximum: too few records lie within the bounds, or the terms are collinear");
}

/* Newton's method; the hessian here is that of minus the likelihood. A step is halved until the likelihood grows. */
static Status maximise(Tobit *t, double *at) {
    enum { MOST_STEPS = 200, MOST_HALVES = 60 };
    Status status = OK;
    int64_t m = t->p + 1;
    double *step = NULL, *tried = NULL;
    NEW(t->work, step, m + 1);
    NEW(t->work, tried, m + 1);
    double now = likelihood(t, at);
    for (int k = 0; k < MOST_STEPS; k++) {
        double gain = 0, next = NAN;
        status = linear_solve(t->work, t->hessian, m, t->gradient, 1, step);
        if (status == BAD) return no_maximum(t);
        TRY(status);
        for (int64_t j = 0; j < m; j++) gain += step[j] * t->gradient[j];
        bool last = gain < 1e-10; /* the square of the step in standard errors: the next would be below 1e-9 of them */
        int half = 0;
        for (double length = 1; half < MOST_HALVES; half++, length /= 2) {
            for (int64_t j = 0; j < m; j++) tried[j] = at[j] + length * step[j];
            if (!(tried[t->p] > 0)) continue;
            next = likelihood(t, tried);
            if (next >= now || last) break;
        }
        if (half == MOST_HALVES) {
            (void)likelihood(t, at);
            return gain < 1e-9 ? OK : no_maximum(t);
        }
        memcpy(at, tried, (size_t)m * sizeof *at);
        if (last) return OK;
        now = next;
    }
    status = no_maximum(t);
done:
    return status;
}

/* out = J·v·J' for m × m, row-major; in place of v. */
static Status turn(Work *work, const double *jacobian, int64_t m, double *v) {
    Status status = OK;
    double *half = NULL;
    NEW(work, half, m * m + 1);
    for (int64_t j = 0; j < m; j++)
        for (int64_t k = 0; k < m; k++)
            for (int64_t l = 0; l < m; l++) half[j * m + k] += jacobian[j * m + l] * v[l * m + k];
    memset(v, 0, (size_t)(m * m) * sizeof *v);
    for (int64_t j = 0; j < m; j++)
        for (int64_t k = 0; k < m; k++)
            for (int64_t l = 0; l < m; l++) v[j * m + k] += half[j * m + l] * jacobian[k * m + l];
done:
    return status;
}

/* β and σ in the units of the data, from γ and θ, and their variance: the inverse of the observed information, turned twice. */
static Status transform(const Tobit *t, const double *at, double *beta, double *variance) {
    Status status = OK;
    Work *work = t->work;
    int64_t p = t->p, m = p + 1;
    double *jacobian = NULL, theta = at[p];
    NEW(work, jacobian, m * m + 1);
    status = symmetric_inverse(work, t->hessian, m, variance);
    if (status == BAD) return no_maximum(t);
    TRY(status);
    for (int64_t j = 0; j < m; j++) {
        double unit = t->unit[p] / (j < p ? t->unit[j] : 1);
        beta[j] = (j < p ? at[j] : 1) / theta * unit;
        if (j < p) jacobian[j * m + j] = unit / theta;
        jacobian[j * m + p] = -(j < p ? at[j] : 1) / (theta * theta) * unit;
    }
    TRY(turn(work, jacobian, m, variance));
    if (!t->intercept) return OK;
    beta[0] += t->centre[p];
    memset(jacobian, 0, (size_t)(m * m) * sizeof *jacobian);
    for (int64_t j = 0; j < m; j++) jacobian[j * m + j] = 1;
    for (int64_t j = 1; j < p; j++) {
        beta[0] -= t->centre[j] * beta[j];
        jacobian[j] = -t->centre[j];
    }
    TRY(turn(work, jacobian, m, variance));
done:
    return status;
}

/* beta: p coefficients and σ; variance: (p + 1)². */
static Status tobit(Tobit *t, const double *x, const double *y, double *beta, double *variance) {
    Status status = OK;
    LinearFit start;
    double *at = NULL;
    TRY(prepare(t, x, y));
    if (t->n - t->above - t->below <= t->p)
        TRY(fail(t->work->error, BAD, "%lld records lie within the bounds, too few for the %lld terms",
                 (long long)(t->n - t->above - t->below), (long long)t->p));
    NEW(t->work, at, t->p + 2);
    LinearModel model = { .rows = t->n, .columns = t->p, .x = t->x, .y = t->y };
    TRY(least_squares(t->work, &model, &start));
    if (start.rank < t->p) TRY(fail(t->work->error, BAD, "the terms are collinear"));
    double spread = start.dispersion > 0 ? sqrt(start.dispersion) : 0;
    if (!(spread > 1e-10)) return no_maximum(t);
    for (int64_t j = 0; j < t->p; j++) at[j] = start.coefficient[j] / spread;
    at[t->p] = 1 / spread;
    TRY(maximise(t, at));
    TRY(transform(t, at, beta, variance));
done:
    return status;
}

/* ---- What was coded ---- */

static double bound_of(const Pairs *pairs, const char *name) {
    for (int64_t i = 0; i < pairs->count; i++)
        if (!strcmp(pairs->at[i].name, name)) return pairs->at[i].number[0];
    return NAN;
}

/* Each bound is a number and belongs to a name of `names`. */
static Status check_bounds(Run *run, const Pairs *pairs, const char *parameter, const char *const *names, int64_t count,
                           const char *advice) {
    for (int64_t i = 0; i < pairs->count; i++) {
        const Pair *pair = &pairs->at[i];
        bool known = false;
        for (int64_t k = 0; k < count; k++) known |= !strcmp(names[k], pair->name);
        if (known && isfinite(pair->number[0])) continue;
        if (known) fail(run->work.error, BAD, "the bound of '%s' must be a number", pair->name);
        else fail(run->work.error, BAD, "'%s' %s", pair->name, advice);
        return error_parameter(run->work.error, parameter);
    }
    return OK;
}

static Status check_all(Run *run, const CorrectedArgs *a, const char *const *names, int64_t count, const char *advice) {
    Status status = OK;
    TRY(check_bounds(run, &a->top_coded, "top-coded", names, count, advice));
    TRY(check_bounds(run, &a->bottom_coded, "bottom-coded", names, count, advice));
    for (int64_t k = 0; k < count; k++) {
        double top = bound_of(&a->top_coded, names[k]), bottom = bound_of(&a->bottom_coded, names[k]);
        if (bottom >= top) TRY(fail(run->work.error, BAD, "the bottom bound of '%s' is not below its top bound", names[k]));
    }
done:
    return status;
}

static void say(Run *run, const char *name, const Tobit *t) {
    if (t->above || t->below)
        result_note(run->result, "%s: %lld records are at or above the top bound and %lld at or below the bottom bound, of %lld.", name,
                    (long long)t->above, (long long)t->below, (long long)t->n);
    else result_note(run->result, "%s: no record is at a bound, so nothing was corrected.", name);
}

static void say_model(Run *run) {
    result_note(run->result,
                "Maximum likelihood under a normal distribution. The coded tail is not observed, so the estimates depend on that "
                "assumption: for a skewed column use its logarithm.");
}

/* ---- Regression ---- */

Status coded_regression(Run *run, const CorrectedArgs *a) {
    Status status = OK;
    Work *work = &run->work;
    Design design;
    LinearFit plain;
    double *beta = NULL, *variance = NULL, *answer = NULL, r2 = NAN, mean = 0, explained = 0;
    TRY(corrected_design(run, a, false, &design));
    TRY(check_all(run, a, &design.response, 1,
                  "is not the left side of the formula: only a coded response can be corrected, with the bound in the units of the "
                  "formula, log(income):11.5"));
    int64_t n = design.rows, p = design.columns;
    NEW(work, beta, p + 2);
    NEW(work, variance, (p + 1) * (p + 1));
    NEW(work, answer, p * p + 1);
    LinearModel model = { .rows = n, .columns = p, .x = design.x, .y = design.y, .intercept = design.intercept };
    TRY(least_squares(work, &model, &plain));
    Tobit t = { .work = work,
                .n = n,
                .p = p,
                .intercept = design.intercept,
                .top = bound_of(&a->top_coded, design.response),
                .bottom = bound_of(&a->bottom_coded, design.response) };
    TRY(tobit(&t, design.x, design.y, beta, variance));
    for (int64_t j = 0; j < p; j++)
        for (int64_t k = 0; k < p; k++) answer[j * p + k] = variance[j * (p + 1) + k];
    for (int pass = 0; pass < 2; pass++) /* the variance of xβ, which with σ² makes up that of y */
        for (int64_t i = 0; i < n; i++) {
            double linear = 0;
            for (int64_t j = 0; j < p; j++) linear += design.x[j * n + i] * beta[j];
            if (pass) explained += (linear - mean) * (linear - mean) / (double)n;
            else mean += design.intercept ? linear / (double)n : 0;
        }
    r2 = explained / (explained + beta[p] * beta[p]);
    corrected_say_rows(run, a, n);
    say(run, design.response, &t);
    say_model(run);
    TRY(corrected_say_coefficients(run, a,
                                   &(Coefficients){ .count = p,
                                                    .term = design.term,
                                                    .plain = plain.coefficient,
                                                    .plain_se = plain.standard_error,
                                                    .beta = beta,
                                                    .variance = answer,
                                                    .r2_plain = plain.r2,
                                                    .r2 = r2 }));
done:
    return status;
}

/* ---- Mean and variance ---- */

static Status measure(Run *run, const CorrectedArgs *a, const Column *column, Grid *grid, int64_t *most) {
    Status status = OK;
    Work *work = &run->work;
    Masked plain;
    Masking none = { .released = a->released, .scale = NAN };
    int64_t *row, rows;
    double *one = NULL, both[2] = { 0 }, variance[4] = { 0 };
    Columns vars = { .count = 1, .at = &column };
    TRY(corrected_complete_rows(work, a, vars, &row, &rows));
    TRY(corrected_terms(run, vars, row, rows, &plain));
    TRY(masked_make(work, &none, NULL, NULL, &plain));
    Answer before = corrected_answer(&plain, a->statistic, 0, 0), after = before;
    Tobit t = { .work = work,
                .n = rows,
                .p = 1,
                .intercept = true,
                .top = bound_of(&a->top_coded, column->name),
                .bottom = bound_of(&a->bottom_coded, column->name) };
    if (!isnan(t.top) || !isnan(t.bottom)) {
        NEW(work, one, rows + 1);
        for (int64_t i = 0; i < rows; i++) one[i] = 1;
        TRY(tobit(&t, one, plain.term[0].seen, both, variance));
        after =
            a->statistic == MEAN ? (Answer){ both[0], sqrt(variance[0]) } : (Answer){ both[1] * both[1], 2 * both[1] * sqrt(variance[3]) };
        say(run, column->name, &t);
    }
    corrected_say_answer(grid, a, column->name, NULL, rows, before, after);
    if (rows > *most) *most = rows;
done:
    return status;
}

Status coded_statistics(Run *run, const CorrectedArgs *a) {
    Status status = OK;
    int64_t most = 0;
    const char **names = NULL;
    if (a->statistic == CORRELATION)
        TRY(fail(run->work.error, BAD, "correlations cannot be corrected for top and bottom coding: use a regression of the coded column"));
    NEW(&run->work, names, a->vars.count + 1);
    for (int64_t v = 0; v < a->vars.count; v++) {
        names[v] = a->vars.at[v]->name;
        if (column_numeric(a->vars.at[v])) continue;
        fail(run->work.error, BAD, "top and bottom coding applies to numbers");
        TRY(error_column(run->work.error, names[v]));
    }
    TRY(check_all(run, a, names, a->vars.count, "is not one of the columns"));
    Grid *grid = corrected_grid(run, a);
    for (int64_t v = 0; v < a->vars.count; v++) TRY(measure(run, a, a->vars.at[v], grid, &most));
    grid_done(grid);
    corrected_say_rows(run, a, most);
    say_model(run);
done:
    return status;
}
