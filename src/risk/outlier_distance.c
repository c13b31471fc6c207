/* Robust-distance-based risk (RMDID1, RMDID2: Templ & Meindl 2008): outliers are recognised in wider intervals, unless others hide them. */
#include "base/elementary.h"
#include "math/neighbours/neighbours.h"
#include "math/proportion.h"
#include "math/linear/robust_covariance.h"
#include "risk/paired_columns.h"

typedef struct {
    const Table *original, *released;
    Columns vars;
    double width, near;
    int64_t hidden;
} args;
static const Param params[] = {
    TABLE(args, original, "The original file", .flags = REQUIRED | POSITIONAL),
    TABLE(args, released, "The protected file, in the same record order", .flags = REQUIRED | POSITIONAL),
    COLUMNS(args, vars, BOTH, "Numeric columns (default: all common numeric columns)", .flags = NUMERIC, .role = "numeric"),
    REAL(args, width, 0.01, 0, 1e9, "Half-width of a record's interval, in robust standard deviations per unit of its robust distance"),
    REAL(args, near, 0.05, 0, 1e9, "risk2: released records within this distance, in robust standard deviations, hide a record"),
    INT(args, hidden, 1, 1, 1000000000, "risk2: number of such records that make a record safe"),
    END,
};
static const Return values[] = {
    VALUE(risk1, REAL,
          "Share of records whose released values all lie in the interval around the original (RMDID1), 0 to 1. Smaller is safer",
          .flags = PUBLIC),
    VALUE(lower, REAL, "Lower end of the 95% confidence interval of risk1", .flags = PUBLIC),
    VALUE(upper, REAL, "Upper end of the 95% confidence interval of risk1", .flags = PUBLIC),
    VALUE(risk2, REAL, "Share that in addition has too few released records nearby (RMDID2). Smaller is safer", .flags = PUBLIC),
    VALUE(weighted1, REAL, "risk1 with each record weighted by its robust distance", .flags = PUBLIC),
    VALUE(weighted2, REAL, "risk2 with each record weighted by its robust distance", .flags = PUBLIC),
    VALUE(compared, INTEGER, "Records without missing values in either file", .flags = PUBLIC),
    RECORD(risk1, REAL, "1 = the original lies in the interval around it", .of = "released"),
    RECORD(risk2, REAL, "1 = in addition, too few other records are nearby", .of = "released"),
    RECORD(rmd, REAL, "Robust Mahalanobis distance", .of = "released"),
    END,
};

/* Released values in robust standard deviations, as a space to search. */
static Status space_of(Run *run, const double *const *y, const RobustMoments *m, int64_t rows, Space *out) {
    Status status = OK;
    Axis *axis = NULL;
    NEW(&run->work, axis, m->columns);
    for (int64_t j = 0; j < m->columns; j++) {
        double *x = NULL, sd = sqrt(m->covariance[j * m->columns + j]);
        NEW(&run->work, x, rows);
        for (int64_t i = 0; i < rows; i++) x[i] = y[j][i] / sd;
        axis[j] = (Axis){ .x = x };
    }
    *out = (Space){ .metric = EUCLIDEAN, .rows = rows, .axes = m->columns, .axis = axis };
done:
    return status;
}

/* How many other released records are near each that is recognised: the rest hide without them. */
static Status count_near(Run *run, const args *a, const Space *space, const double *risk1, int64_t *near) {
    Status status = OK;
    Neighbours *index;
    double *limit = NULL;
    NEW(&run->work, limit, space->rows);
    for (int64_t i = 0; i < space->rows; i++) limit[i] = risk1[i] > 0 ? a->near * a->near : -1;
    TRY(neighbours_make(&run->work, space, NULL, 0, &index));
    TRY(neighbours_within_count(&run->work, index, index, true, limit, true, near));
done:
    return status;
}

/* The interval of record i on column j is x_ij ± width·d_i·s_j, d the robust distance, s the robust standard deviation: the farther out,
 * the wider. */
static bool recognised(const args *a, const double *const *x, const double *const *y, const RobustMoments *m, int64_t i) {
    for (int64_t j = 0; j < m->columns; j++)
        if (fabs(x[j][i] - y[j][i]) > a->width * sqrt(m->distance[i] * m->covariance[j * m->columns + j])) return false;
    return true;
}

static Status outlier_distance_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    PairColumns pair;
    const double **x, **y;
    RobustMoments m;
    Space space;
    int64_t *near = NULL, rows = a->original->rows, compared = 0, one = 0, two = 0;
    double *risk1 = NULL, *risk2 = NULL, *distance = NULL, weight = 0, weight1 = 0, weight2 = 0;
    TRY(pair_columns(run, a->original, a->released, a->vars, true, &pair));
    TRY(columns_reals(&run->work, pair.original, &x));
    TRY(columns_reals(&run->work, pair.released, &y));
    TRY(robust_moments(&run->work, x, pair.original.count, rows, &m));
    TRY(space_of(run, y, &m, rows, &space));
    NEW(&run->work, near, rows);
    NEW(&run->work, risk1, rows);
    NEW(&run->work, risk2, rows);
    NEW(&run->work, distance, rows);
    for (int64_t i = 0; i < rows; i++) {
        bool whole = !isnan(m.distance[i]);
        for (int64_t j = 0; j < m.columns; j++) whole &= !isnan(y[j][i]);
        risk1[i] = whole ? recognised(a, x, y, &m, i) : NAN;
    }
    TRY(count_near(run, a, &space, risk1, near));
    for (int64_t i = 0; i < rows; i++) {
        distance[i] = sqrt(m.distance[i]);
        risk2[i] = NAN;
        if (isnan(risk1[i])) continue;
        compared++;
        risk2[i] = risk1[i] > 0 && near[i] < a->hidden;
        one += risk1[i] > 0;
        two += risk2[i] > 0;
        weight += distance[i];
        weight1 += risk1[i] * distance[i];
        weight2 += risk2[i] * distance[i];
    }
    Interval interval = wilson_interval((double)one, (double)compared);
    const bool enough = compared > 0 && 2 * compared >= rows;
    if (enough) result_real(run->result, "risk1", (double)one / (double)compared);
    else
        result_null(run->result, "risk1", "Only %lld of %lld records have all values in both tables.", (long long)compared,
                    (long long)rows);
    result_real(run->result, "lower", enough ? interval.low : NAN);
    result_real(run->result, "upper", enough ? interval.high : NAN);
    result_real(run->result, "risk2", enough ? (double)two / (double)compared : NAN);
    result_real(run->result, "weighted1", enough && weight > 0 ? weight1 / weight : NAN);
    result_real(run->result, "weighted2", enough && weight > 0 ? weight2 / weight : NAN);
    result_integer(run->result, "compared", compared);
    if (m.plain_scale)
        result_note(run->result,
                    "More than half of a column has one value. Its ordinary standard deviation was used instead of a robust one.");
    result_note(run->result, "%lld of %lld records have all values in both tables and are compared.", (long long)compared, (long long)rows);
    TRY(put_reals(run, "released", "rmd", distance, rows));
    TRY(put_reals(run, "released", "risk1", risk1, rows));
    TRY(put_reals(run, "released", "risk2", risk2, rows));
done:
    return status;
}

const Method risk_outlier_distance = {
    .group = "risk",
    .name = "outlier-distance",
    .summary = "Outlier risk after perturbation by robust Mahalanobis distances (RMDID)",
    .source = "Templ & Meindl 2008",
    .params = params,
    .size = sizeof(args),
    .traits = IDENTITY | ATTRIBUTE,
    .run = outlier_distance_run,
    .values = values,
    .example = "scrim risk outlier-distance examples/clinic.csv examples/clinic-released.csv --vars income,cholesterol,bmi --width 0.1",
};
