/* Information loss of numeric columns (Domingo-Ferrer & Torra 2001): values, means, covariances, variances, correlations. */
#include "base/elementary.h"
#include "math/linear/moments.h"
#include "utility/score/score.h"

/* Mean of |a − b|/|a| over what is not 0 in the original. */
typedef struct Variation {
    double sum;
    int64_t count;
} Variation;
static void vary(Variation *v, double a, double b) {
    if (a == 0 || isnan(a) || isnan(b)) return;
    v->sum += fabs(a - b) / fabs(a);
    v->count++;
}
static double mean_of(const Variation *v) { return v->count ? v->sum / (double)v->count : NAN; }

/* Values that one table lacks count as lost: as far apart as two values of the column are on average, √2 standard deviations (Yancey et al.
 * 2002). */
static double value_loss(const double *x, const double *y, int64_t rows, double deviation) {
    double sum = 0;
    int64_t count = 0;
    if (!(deviation > 0)) return NAN;
    for (int64_t i = 0; i < rows; i++) {
        if (isnan(x[i])) continue;
        sum += isnan(y[i]) ? 1 : fabs(x[i] - y[i]) / (sqrt(2) * deviation);
        count++;
    }
    return count ? sum / (double)count : NAN;
}

static Status column_moments(Work *work, const double *const *x, int64_t p, int64_t rows, double *mean, double *variance) {
    Status status = OK;
    for (int64_t j = 0; j < p; j++) {
        Moments m;
        TRY(moments_make(work, &x[j], 1, NULL, rows, &m));
        mean[j] = m.mean[0];
        variance[j] = m.covariance[0];
    }
done:
    return status;
}

Status score_numeric(Run *run, const Table *original, const Table *released, const char *const *names, int64_t p, Part *parts) {
    Status status = OK;
    Work *work = &run->work;
    const double **x[2] = { 0 };
    double *mean[2] = { 0 }, *variance[2] = { 0 }, values = 0, correlations = 0;
    int64_t valued = 0, correlated = 0;
    Moments joint[2];
    Variation means = { 0 }, variances = { 0 }, covariances = { 0 };
    for (int t = 0; t < 2; t++) {
        const Table *table = t ? released : original;
        NEW(work, x[t], p);
        NEW(work, mean[t], p);
        NEW(work, variance[t], p);
        for (int64_t j = 0; j < p; j++) TRY(column_reals(work, table_column(table, names[j]), &x[t][j]));
        TRY(column_moments(work, x[t], p, table->rows, mean[t], variance[t]));
        TRY(moments_make(work, x[t], p, NULL, table->rows, &joint[t]));
    }
    for (int64_t j = 0; j < p; j++) {
        double loss = value_loss(x[0][j], x[1][j], original->rows, sqrt(variance[0][j]));
        if (!isnan(loss)) {
            values += loss;
            valued++;
        }
        vary(&means, mean[0][j], mean[1][j]);
        vary(&variances, variance[0][j], variance[1][j]);
        for (int64_t k = 0; k <= j; k++) {
            double r = moments_correlation(&joint[0], j, k), s = moments_correlation(&joint[1], j, k);
            vary(&covariances, moments_covariance(&joint[0], j, k), moments_covariance(&joint[1], j, k));
            if (k < j && !isnan(r) && !isnan(s)) {
                correlations += fabs(r - s);
                correlated++;
            }
        }
    }
    parts[0] = (Part){ "values", 100 * (valued ? values / (double)valued : NAN), 0 };
    parts[1] = (Part){ "means", 100 * mean_of(&means), 0 };
    parts[2] = (Part){ "covariances", 100 * mean_of(&covariances), 0 };
    parts[3] = (Part){ "variances", 100 * mean_of(&variances), 0 };
    parts[4] = (Part){ "correlations", 100 * (correlated ? correlations / (double)correlated : NAN), 0 };
done:
    return status;
}
