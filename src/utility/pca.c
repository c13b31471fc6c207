/* utility.pca: principal components of the original and of the release, side by side. Defined after Matloff & Tendick; Maronna & Zamar
 * 2002: docs/methods/utility-pca.md. */
#include <string.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "base/number_text.h"
#include "math/linear/moments.h"
#include "math/linear/robust_covariance.h"
#include "math/linear/symmetric.h"
#include "method/method.h"
#include "table/measurement_level.h"

typedef struct {
    const Table *original, *released;
    Columns vars;
    bool robust;
} args;

static const Param params[] = {
    TABLE(args, original, "The original file", .flags = REQUIRED | POSITIONAL),
    TABLE(args, released, "The protected file", .flags = REQUIRED | POSITIONAL),
    COLUMNS(args, vars, BOTH, "Numeric columns (default: all common numeric columns)", .flags = NUMERIC, .role = "numeric"),
    FLAG(args, robust, "Use a robust correlation matrix, which outliers do not affect"),
    END,
};

typedef struct Side {
    int64_t rows;
    double *correlation, *value, *vector;
} Side;

static Status robust_correlation(Run *run, const double *const *x, int64_t p, int64_t rows, Side *side) {
    Status status = OK;
    RobustMoments m;
    TRY(robust_moments(&run->work, x, p, rows, &m));
    side->rows = m.rows;
    for (int64_t j = 0; j < p; j++)
        for (int64_t k = 0; k < p; k++)
            side->correlation[j * p + k] = j == k ? 1 : m.covariance[j * p + k] / sqrt(m.covariance[j * p + j] * m.covariance[k * p + k]);
    if (m.plain_scale)
        result_note(run->result, "A column has one value in most of its records. Its standard deviation replaces the robust scale.");
done:
    return status;
}

static Status analyse(Run *run, const Table *table, const char *which, const char *const *name, int64_t p, bool robust, Side *side) {
    Status status = OK;
    Work *work = &run->work;
    const double **x = NULL;
    Moments m;
    NEW(work, x, p);
    NEW(work, side->correlation, p * p);
    NEW(work, side->value, p);
    NEW(work, side->vector, p * p);
    for (int64_t j = 0; j < p; j++) {
        const Column *column;
        TRY(table_need(table, name[j], &column, work->error));
        if (!column_numeric(column)) {
            fail(work->error, BAD, "the %s table has no numbers in this column", which);
            return error_column(work->error, name[j]);
        }
        TRY(column_reals(work, column, &x[j]));
    }
    TRY(moments_make(work, x, p, NULL, table->rows, &m));
    side->rows = m.rows;
    for (int64_t j = 0; j < p; j++) {
        if (m.covariance[j * p + j] > 0) continue;
        fail(work->error, BAD, m.rows < 2 ? "the %s table has fewer than two complete records" : "the column is constant in the %s table",
             which);
        if (m.rows >= 2) error_column(work->error, name[j]);
        return BAD;
    }
    for (int64_t i = 0; i < p * p; i++) side->correlation[i] = i / p == i % p ? 1 : moments_correlation(&m, i / p, i % p);
    if (robust) TRY(robust_correlation(run, x, p, table->rows, side));
    TRY(principal_axes(work, side->correlation, p, side->value, side->vector));
done:
    return status;
}

/* An axis has no direction: the release's points the way the original's does. Returns the cosine of the angle between them. */
static double align(const double *original, double *released, int64_t p) {
    double dot = 0;
    for (int64_t j = 0; j < p; j++) dot += original[j] * released[j];
    for (int64_t j = 0; j < p && dot < 0; j++) released[j] = -released[j];
    return smaller(1, fabs(dot));
}

static void say(Run *run, const char *const *name, int64_t p, const Side *o, Side *r) {
    Grid *values =
        grid_new(run->result, "eigenvalues",
                 "component:integer original:real released:real relative_change:real original_share:real released_share:real angle:real");
    Grid *loadings = grid_new(run->result, "loadings", "component:integer variable:text original:real released:real difference:real");
    double first = NAN, change = 0;
    for (int64_t k = 0; k < p; k++) {
        double angle = acos(align(o->vector + k * p, r->vector + k * p, p)) * 180 / M_PI,
               relative = o->value[k] > 1e-12 ? (r->value[k] - o->value[k]) / o->value[k] : NAN;
        if (!k) first = angle;
        if (!isnan(relative)) change = larger(change, fabs(relative));
        grid_integer(values, k + 1);
        grid_real(values, o->value[k]);
        grid_real(values, r->value[k]);
        grid_real(values, relative);
        grid_real(values, o->value[k] / (double)p);
        grid_real(values, r->value[k] / (double)p);
        grid_real(values, angle);
        for (int64_t j = 0; j < p; j++) {
            grid_integer(loadings, k + 1);
            grid_text(loadings, name[j]);
            grid_real(loadings, o->vector[k * p + j]);
            grid_real(loadings, r->vector[k * p + j]);
            grid_real(loadings, r->vector[k * p + j] - o->vector[k * p + j]);
        }
    }
    grid_done(values);
    grid_done(loadings);
    result_real(run->result, "largest_change", change);
    result_real(run->result, "first_angle", first);
    result_integer(run->result, "rows_original", o->rows);
    result_integer(run->result, "rows_released", r->rows);
}

static Status draw(Run *run, const char *const *name, int64_t p, const Side *o, const Side *r) {
    Status status = OK;
    double *x = NULL;
    NEW(&run->work, x, p);
    for (int64_t k = 0; k < p; k++) x[k] = (double)(k + 1);
    Chart *scree = result_chart(run->result, CHART_LINE, "Eigenvalues", "component", "eigenvalue");
    chart_series(scree, "original", p, x, o->value, NULL, NULL);
    chart_series(scree, "released", p, x, r->value, NULL, NULL);
    Chart *loadings = result_chart(run->result, CHART_BAR, "Loadings of the first component", "variable", "loading");
    chart_series(loadings, "original", p, NULL, o->vector, NULL, name);
    chart_series(loadings, "released", p, NULL, r->vector, NULL, name);
done:
    return status;
}

/* Those named, else every column that both tables hold as numbers. */
static Status choose(Work *work, const args *a, const char ***out, int64_t *count) {
    Status status = OK;
    int64_t n = 0;
    const char **name = NULL;
    NEW(work, name, a->original->columns + a->vars.count);
    for (int64_t j = 0; j < a->vars.count; j++) name[n++] = a->vars.at[j]->name;
    for (int64_t j = 0; j < a->original->columns && !a->vars.count; j++) {
        const Column *column = a->original->column[j], *other = table_column(a->released, column->name);
        if (column_numeric(column) && !column_is_codes(column) && other && column_numeric(other)) name[n++] = column->name;
    }
    if (n < 2) TRY(fail(work->error, BAD, "principal components need two numeric columns that both tables have"));
    *out = name;
    *count = n;
done:
    return status;
}

static Status pca_run(Run *run, const void *args_) {
    const args *a = args_;
    Status status = OK;
    const char **name = NULL;
    int64_t p = 0;
    Side o = { 0 }, r = { 0 };
    TRY(choose(&run->work, a, &name, &p));
    TRY(analyse(run, a->original, "original", name, p, a->robust, &o));
    TRY(analyse(run, a->released, "released", name, p, a->robust, &r));
    say(run, name, p, &o, &r);
    TRY(draw(run, name, p, &o, &r));
    result_note(run->result,
                "Components of the %scorrelation matrix of the records without missing values in these columns: %lld of %lld in the "
                "original, %lld of %lld in the release.",
                a->robust ? "robust " : "", (long long)o.rows, (long long)a->original->rows, (long long)r.rows,
                (long long)a->released->rows);
    for (int64_t k = 0; k + 1 < p; k++)
        if (o.value[k] - o.value[k + 1] < 0.05 * o.value[k]) {
            result_note(run->result,
                        "Components %lld and %lld of the original have nearly equal variance, so their axes are arbitrary and their angle "
                        "has little meaning.",
                        (long long)k + 1, (long long)k + 2);
            break;
        }
done:
    return status;
}

static const Return values[] = {
    VALUE(largest_change, REAL, "Largest |released − original|/original over the eigenvalues. 0 = unchanged", .flags = PUBLIC | LESS),
    VALUE(first_angle, REAL, "Angle between the first axes of original and release, in degrees. 0 = unchanged", .flags = PUBLIC),
    VALUE(rows_original, INTEGER, "Complete records of the original", .flags = PUBLIC),
    VALUE(rows_released, INTEGER, "Complete records of the release", .flags = PUBLIC),
    TABLE_OUT(eigenvalues,
              "component:integer original:real released:real relative_change:real original_share:real released_share:real angle:real",
              "Eigenvalue and share of variance of each component in both files, and the angle between its axes in degrees"),
    TABLE_OUT(loadings, "component:integer variable:text original:real released:real difference:real",
              "Loadings of each component in both files; signs follow the original"),
    END,
};

const Method utility_pca = {
    .group = "utility",
    .name = "pca",
    .summary = "Compare the principal components of original and release",
    .source = "Matloff & Tendick; Maronna & Zamar 2002",
    .params = params,
    .size = sizeof(args),
    .run = pca_run,
    .headline = "-largest_change",
    .values = values,
    .example = "scrim utility pca examples/clinic.csv examples/clinic-released.csv --vars age,income,visits,cholesterol,bmi",
};
