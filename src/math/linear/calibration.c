/* Newton's method on the calibration equations (Deville & Särndal 1992): Σ d·F(x'λ)·x = T, F(u) = e^u or 1 + u. */
#include "base/elementary.h"
#include "base/extremes.h"
#include "math/linear/calibration.h"
#include "math/linear/symmetric.h"

enum { MOST_STEPS = 200, HALVINGS = 40 };
static const double EXACT = 1e-14, NOTHING = 1e-12;

typedef struct {
    const Calibration *c;
    CalibrationDistance distance;
    double *scale; /* each total is solved for as a share of this */
    double *lambda, *step, *gap, *matrix, *values, *vectors;
    double *weight, *row;
} Solving;

static void weights_at(Solving *s, const double *lambda) {
    for (int64_t i = 0; i < s->c->rows; i++) {
        double u = 0;
        for (int64_t j = 0; j < s->c->totals; j++) u += lambda[j] * s->c->x[j][i] / s->scale[j];
        s->weight[i] = s->c->weight[i] * (s->distance == RAKED ? exp(u) : 1 + u);
    }
}

/* What is missing from each total; the largest, and which. Sums in two parts (Neumaier), so that rounding does not grow with the rows. */
static double gaps(Solving *s, int64_t *worst) {
    double most = 0;
    *worst = 0;
    for (int64_t j = 0; j < s->c->totals; j++) {
        double sum = 0, rest = 0;
        for (int64_t i = 0; i < s->c->rows; i++) {
            double term = s->weight[i] * s->c->x[j][i], next = sum + term;
            rest += fabs(sum) >= fabs(term) ? (sum - next) + term : (term - next) + sum;
            sum = next;
        }
        s->gap[j] = (s->c->total[j] - (sum + rest)) / s->scale[j];
        if (!(fabs(s->gap[j]) <= most)) {
            most = fabs(s->gap[j]);
            *worst = j;
        }
    }
    return most;
}

/* Σ d·F'(u)·z·z'; F' = F for raking, 1 for the linear one. */
static void fill_matrix(Solving *s) {
    int64_t m = s->c->totals;
    for (int64_t k = 0; k < m * m; k++) s->matrix[k] = 0;
    for (int64_t i = 0; i < s->c->rows; i++) {
        double slope = s->distance == RAKED ? s->weight[i] : s->c->weight[i];
        for (int64_t j = 0; j < m; j++) s->row[j] = s->c->x[j][i] / s->scale[j];
        for (int64_t j = 0; j < m; j++) {
            if (s->row[j] == 0) continue;
            for (int64_t k = 0; k <= j; k++) s->matrix[j * m + k] += slope * s->row[j] * s->row[k];
        }
    }
    for (int64_t j = 0; j < m; j++)
        for (int64_t k = 0; k < j; k++) s->matrix[k * m + j] = s->matrix[j * m + k];
}

/* The least solution of matrix·step = gap: directions that the totals do not span are left out. */
static Status newton_step(Work *work, Solving *s) {
    Status status = OK;
    int64_t m = s->c->totals;
    fill_matrix(s);
    TRY(symmetric_eigen(work, s->matrix, m, s->values, s->vectors));
    for (int64_t j = 0; j < m; j++) s->step[j] = 0;
    for (int64_t v = 0; v < m; v++) {
        double product = 0;
        if (!(s->values[v] > NOTHING * s->values[m - 1])) continue;
        for (int64_t j = 0; j < m; j++) product += s->vectors[v * m + j] * s->gap[j];
        for (int64_t j = 0; j < m; j++) s->step[j] += product / s->values[v] * s->vectors[v * m + j];
    }
done:
    return status;
}

/* Takes the step, or as much of it as brings the totals nearer. False where nothing does. */
static bool take_step(Solving *s, double *error, int64_t *worst) {
    double share = 1, *trial = s->row;
    for (int halving = 0; halving < HALVINGS; halving++, share /= 2) {
        int64_t which = 0;
        for (int64_t j = 0; j < s->c->totals; j++) trial[j] = s->lambda[j] + share * s->step[j];
        weights_at(s, trial);
        double here = gaps(s, &which);
        if (!(here < *error)) continue;
        for (int64_t j = 0; j < s->c->totals; j++) s->lambda[j] = trial[j];
        *error = here;
        *worst = which;
        return true;
    }
    return false;
}

static Status prepare(Work *work, Solving *s) {
    Status status = OK;
    int64_t m = s->c->totals;
    NEW(work, s->scale, m + 1);
    NEW(work, s->lambda, m + 1);
    NEW(work, s->step, m + 1);
    NEW(work, s->gap, m + 1);
    NEW(work, s->row, m + 1);
    NEW(work, s->values, m + 1);
    NEW(work, s->matrix, m * m + 1);
    NEW(work, s->vectors, m * m + 1);
    NEW(work, s->weight, s->c->rows + 1);
    for (int64_t j = 0; j < m; j++) {
        for (int64_t i = 0; i < s->c->rows; i++) s->scale[j] += s->c->weight[i] * fabs(s->c->x[j][i]);
        s->scale[j] = larger(s->scale[j], fabs(s->c->total[j]));
        if (s->scale[j] == 0) s->scale[j] = 1;
    }
done:
    return status;
}

Status calibrate_weights(Work *work, const Calibration *calibration, CalibrationDistance distance, Calibrated *out) {
    Status status = OK;
    Solving s = { .c = calibration, .distance = distance };
    *out = (Calibrated){ 0 };
    TRY(prepare(work, &s));
    weights_at(&s, s.lambda);
    out->error = gaps(&s, &out->worst);
    while (out->error > EXACT && out->iterations < MOST_STEPS) {
        TRY(work_check(work));
        TRY(newton_step(work, &s));
        out->iterations++;
        if (!take_step(&s, &out->error, &out->worst)) break;
    }
    weights_at(&s, s.lambda);
    out->weight = s.weight;
done:
    return status;
}
