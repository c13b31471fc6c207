/* utility.corrected: a regression on a release with known noise, corrected for it. */
#include <gsl/gsl_cdf.h>
#include <string.h>
#include "base/elementary.h"
#include "math/linear/linear.h"
#include "math/linear/symmetric.h"
#include "method/method.h"

typedef struct {
    const Table *released, *noise_covariance;
    const Formula *formula;
    Pairs noise_variance;
} args;

static const Param params[] = {
    TABLE(args, released, "The released table", .flags = REQUIRED | POSITIONAL),
    FORMULA(args, formula, released, "The model: y ~ a + b", .flags = REQUIRED),
    PAIRS(args, noise_variance, 1, "Variance of the noise that was added to each column: income:2500,age:4"),
    TABLE(args, noise_covariance,
          "Covariances of the noise: a table with columns variable, other, covariance (as protect noise reports them)"),
    ONE_OF("noise-variance", "noise-covariance"),
    END,
};

/* The model with moments: X'X/n and X'y/n about the means; the noise's covariances, by term; p terms, the intercept among them. */
typedef struct Problem {
    Run *run;
    Design design;
    int64_t p;
    double *mean;      /* of each column; 0 for the intercept */
    double y_mean, yy; /* yy about the mean */
    double *xx, *xy;
    double *noise, *noise_y; /* Σ_uu, Σ_uw */
    double noise_yy;         /* σ_ww */
    double *beta, *se;
    double s, r2;
} Problem;

/* The place of a column among the terms; p for the response; -1 where it is neither. */
static int64_t place_of(const Problem *m, const char *name) {
    if (!strcmp(m->design.response, name)) return m->p;
    for (int64_t j = 0; j < m->p; j++)
        if (!strcmp(m->design.term[j], name)) return j;
    return -1;
}

static Status add_noise(Problem *m, const args *a, const char *one, const char *other, double covariance) {
    const Column *column;
    Work *work = &m->run->work;
    Status status = table_need(a->released, one, &column, work->error);
    if (!status) status = table_need(a->released, other, &column, work->error);
    if (status) return status;
    if (isnan(covariance) || isinf(covariance) || (!strcmp(one, other) && covariance < 0))
        return fail(work->error, BAD, "the noise variance of '%s' must be a number of 0 or more", one);
    if (!formula_plain(a->formula, one) || !formula_plain(a->formula, other)) {
        fail(work->error, BAD,
             "the correction is known only for columns that stand by themselves, not in a function, a factor or an interaction");
        return error_column(work->error, formula_plain(a->formula, one) ? other : one);
    }
    int64_t j = place_of(m, one), k = place_of(m, other);
    if (j < 0 || k < 0) return OK;
    if (j == m->p && k == m->p) m->noise_yy = covariance;
    else if (j == m->p || k == m->p) m->noise_y[j == m->p ? k : j] = covariance;
    else m->noise[j * m->p + k] = m->noise[k * m->p + j] = covariance;
    return OK;
}

static Status read_noise(Problem *m, const args *a) {
    Status status = OK;
    Work *work = &m->run->work;
    const Column *one, *other, *covariance;
    char b1[33], b2[33];
    for (int64_t i = 0; i < a->noise_variance.count; i++) {
        status = add_noise(m, a, a->noise_variance.at[i].name, a->noise_variance.at[i].name, a->noise_variance.at[i].number[0]);
        if (status) {
            error_parameter(work->error, "noise-variance");
            return status;
        }
    }
    if (!a->noise_covariance) return OK;
    if (table_column(a->noise_covariance, "stratum"))
        return fail(work->error, BAD, "the noise differs between strata, and one regression over all of them cannot be corrected for it");
    TRY(table_need(a->noise_covariance, "variable", &one, work->error));
    TRY(table_need(a->noise_covariance, "other", &other, work->error));
    TRY(table_need(a->noise_covariance, "covariance", &covariance, work->error));
    for (int64_t i = 0; i < a->noise_covariance->rows; i++) {
        const char *x = column_cell(one, i, b1), *y = column_cell(other, i, b2);
        if (!x || !y) return fail(work->error, BAD, "row %lld of the noise's covariances names no columns", (long long)i + 1);
        TRY(add_noise(m, a, x, y, column_number(covariance, i)));
    }
done:
    return status;
}

/* Means first, then products about them, in blocks of fixed size. */
static void moments(Problem *m) {
    const Design *d = &m->design;
    double n = (double)d->rows;
    for (int64_t j = 0; j < m->p; j++) {
        double sum = 0;
        for (int64_t i = 0; i < d->rows; i++) sum += d->x[j * d->rows + i];
        m->mean[j] = d->intercept && j ? sum / n : 0;
    }
    for (int64_t i = 0; i < d->rows && d->intercept; i++) m->y_mean += d->y[i] / n;
    for (int64_t i = 0; i < d->rows; i++) m->yy += (d->y[i] - m->y_mean) * (d->y[i] - m->y_mean) / n;
    for (int64_t j = 0; j < m->p; j++) {
        const double *x = d->x + j * d->rows;
        for (int64_t i = 0; i < d->rows; i++) m->xy[j] += (x[i] - m->mean[j]) * (d->y[i] - m->y_mean) / n;
        for (int64_t k = 0; k <= j; k++) {
            const double *z = d->x + k * d->rows;
            double sum = 0;
            for (int64_t i = 0; i < d->rows; i++) sum += (x[i] - m->mean[j]) * (z[i] - m->mean[k]);
            m->xx[j * m->p + k] = m->xx[k * m->p + j] = sum / n;
        }
    }
}

/* The mean square of y − Xβ. */
static double residual_variance(const Problem *m) {
    const Design *d = &m->design;
    double sum = 0;
    for (int64_t i = 0; i < d->rows; i++) {
        double v = d->y[i] - m->y_mean;
        for (int64_t j = 0; j < m->p; j++) v -= (d->x[j * d->rows + i] - m->mean[j]) * m->beta[j];
        sum += v * v;
    }
    return sum / (double)(d->rows - m->p);
}

/* Fuller 1987, section 2.2: with A = M_xx − Σ_uu, β = A⁻¹(M_xy − Σ_uw); its variance is n⁻¹[A⁻¹s + A⁻¹(Σ_uu·s + Σ_uv·Σ_vu)A⁻¹], s the mean
 * square of v = y − xβ, Σ_uv = Σ_uw − Σ_uu·β. */
static Status correct(Problem *m, double *variance) {
    Status status = OK;
    Work *work = &m->run->work;
    int64_t p = m->p;
    double *a = NULL, *inverse = NULL, *uv = NULL, *middle = NULL;
    NEW(work, a, p * p);
    NEW(work, inverse, p * p);
    NEW(work, uv, p);
    NEW(work, middle, p * p);
    for (int64_t i = 0; i < p * p; i++) a[i] = m->xx[i] - m->noise[i];
    if (symmetric_inverse(work, a, p, inverse)) {
        fail(work->error, BAD, "the noise is as large as the spread of the columns it was added to, or the terms cannot be told apart");
        TRY(error_advice(work->error, "Check --noise-variance: it is a variance, in the squared units of its column."));
    }
    for (int64_t j = 0; j < p; j++)
        for (int64_t k = 0; k < p; k++) m->beta[j] += inverse[j * p + k] * (m->xy[k] - m->noise_y[k]);
    m->s = residual_variance(m);
    for (int64_t j = 0; j < p; j++) {
        uv[j] = m->noise_y[j];
        for (int64_t k = 0; k < p; k++) uv[j] -= m->noise[j * p + k] * m->beta[k];
    }
    for (int64_t j = 0; j < p; j++)
        for (int64_t k = 0; k < p; k++) middle[j * p + k] = a[j * p + k] * m->s + m->noise[j * p + k] * m->s + uv[j] * uv[k];
    for (int64_t j = 0; j < p; j++)
        for (int64_t k = 0; k < p; k++) {
            double sum = 0;
            for (int64_t q = 0; q < p; q++)
                for (int64_t r = 0; r < p; r++) sum += inverse[j * p + q] * middle[q * p + r] * inverse[r * p + k];
            variance[j * p + k] = sum / (double)m->design.rows;
        }
    double explained = 0;
    for (int64_t j = 0; j < p; j++)
        for (int64_t k = 0; k < p; k++) explained += m->beta[j] * a[j * p + k] * m->beta[k];
    if (m->design.intercept) explained -= m->beta[0] * m->beta[0] * a[0];
    m->r2 = m->yy > m->noise_yy ? explained / (m->yy - m->noise_yy) : NAN;
done:
    return status;
}

/* From coefficients about the means to those of the columns as they are: only the intercept changes. */
static void uncentre(Problem *m, double *variance) {
    int64_t p = m->p;
    if (!m->design.intercept) return;
    m->beta[0] += m->y_mean;
    for (int64_t j = 1; j < p; j++) m->beta[0] -= m->mean[j] * m->beta[j];
    double sum = 0;
    for (int64_t j = 0; j < p; j++)
        for (int64_t k = 0; k < p; k++) sum += (j ? -m->mean[j] : 1) * (k ? -m->mean[k] : 1) * variance[j * p + k];
    variance[0] = sum;
}

static Status make(Problem *m, const args *a) {
    Status status = OK;
    Work *work = &m->run->work;
    TRY(formula_design(work, a->formula, a->released, NULL, &m->design));
    if (!m->design.y || m->design.level) {
        fail(work->error, BAD, "the formula needs a number on its left side");
        return error_parameter(work->error, "formula");
    }
    m->p = m->design.columns;
    if (m->design.rows <= m->p)
        return fail(work->error, BAD, "%lld complete records are too few for %lld terms", (long long)m->design.rows, (long long)m->p);
    NEW(work, m->mean, m->p);
    NEW(work, m->xx, m->p * m->p);
    NEW(work, m->xy, m->p);
    NEW(work, m->noise, m->p * m->p);
    NEW(work, m->noise_y, m->p);
    NEW(work, m->beta, m->p);
    NEW(work, m->se, m->p);
    TRY(read_noise(m, a));
    moments(m);
done:
    return status;
}

static Status draw(const Problem *m, const LinearFit *plain) {
    Status status = OK;
    double *five = NULL, z = gsl_cdf_ugaussian_Pinv(0.975);
    static const double at[5] = { -1, -0.344, 0, 0.344, 1 };
    NEW(&m->run->work, five, 5 * m->p);
    Chart *chart = result_chart(m->run->result, CHART_BOX, "Coefficients: 95% intervals (boxes 50%), in corrected standard errors", "term",
                                "difference from the corrected");
    for (int side = 0; side < 2; side++) {
        for (int64_t j = 0; j < m->p; j++)
            for (int k = 0; k < 5; k++)
                five[5 * j + k] =
                    ((side ? m->beta[j] : plain->coefficient[j]) - m->beta[j] + at[k] * z * (side ? m->se[j] : plain->standard_error[j])) /
                    m->se[j];
        chart_series(chart, side ? "corrected" : "uncorrected", m->p, NULL, five, NULL, m->design.term);
    }
done:
    return status;
}

static Status corrected_run(Run *run, const void *p) {
    const args *a = p;
    Status status = OK;
    Problem m = { .run = run };
    double *variance = NULL;
    LinearFit plain;
    TRY(make(&m, a));
    NEW(&run->work, variance, m.p * m.p);
    TRY(least_squares(&run->work, &(LinearModel){ m.design.rows, m.p, m.design.x, m.design.y, NULL, m.design.intercept }, &plain));
    TRY(correct(&m, variance));
    uncentre(&m, variance);
    Grid *grid = grid_new(run->result, "coefficients", "term:text uncorrected:real uncorrected_se:real corrected:real corrected_se:real");
    for (int64_t j = 0; j < m.p; j++) {
        m.se[j] = sqrt(variance[j * m.p + j]);
        grid_text(grid, m.design.term[j]);
        grid_real(grid, plain.coefficient[j]);
        grid_real(grid, plain.standard_error[j]);
        grid_real(grid, m.beta[j]);
        grid_real(grid, m.se[j]);
    }
    grid_done(grid);
    result_real(run->result, "r2_uncorrected", plain.r2);
    result_real(run->result, "r2_corrected", m.r2);
    result_integer(run->result, "rows", m.design.rows);
    if (m.design.rows < a->released->rows)
        result_note(run->result, "%lld of %lld records have no missing value in the model and are fitted.", (long long)m.design.rows,
                    (long long)a->released->rows);
    result_note(run->result, "The correction holds for noise that was added independently of the data, with the variances given.");
    TRY(draw(&m, &plain));
done:
    return status;
}

static const Return values[] = {
    VALUE(r2_uncorrected, REAL, "R² of the regression as it stands", .flags = PUBLIC),
    VALUE(r2_corrected, REAL, "R² that the data without noise would have", .flags = PUBLIC),
    VALUE(rows, INTEGER, "Records that were fitted", .flags = PUBLIC),
    TABLE_OUT(coefficients, "term:text uncorrected:real uncorrected_se:real corrected:real corrected_se:real",
              "Each term as it stands and corrected, with standard errors"),
    END,
};

const Method utility_corrected = {
    .group = "utility",
    .name = "corrected",
    .summary = "Correct a regression for the noise that was added to a release",
    .source = "Fuller 1987, 1993; Little 1993",
    .params = params,
    .size = sizeof(args),
    .run = corrected_run,
    .values = values,
    .example = "scrim utility corrected examples/clinic-released.csv --formula 'cholesterol ~ bmi + visits' --noise-variance "
               "bmi:1,visits:0.72,cholesterol:0.0625",
};
