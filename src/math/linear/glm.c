/* Generalised linear models by iteratively reweighted least squares. */
#include <string.h>
#include "base/elementary.h"
#include "math/linear/least_squares.h"

enum { MOST_ITERATIONS = 50 };

double family_mean(Family family, double eta) {
    if (family == GAUSSIAN) return eta;
    if (family == POISSON) return exp(eta < 700 ? eta : 700);
    return eta >= 0 ? 1 / (1 + exp(-eta)) : exp(eta) / (1 + exp(eta));
}

static double link(Family family, double mu) { return family == POISSON ? log(mu) : log(mu / (1 - mu)); }

static double xlogx(double x, double over) { return x == 0 || x == over ? 0 : x * log(x / over); }

/* The mean at eta, and the deviance of a row there: twice the log likelihood ratio against the saturated model. Binomial means go by eta,
 * so that 1 − μ does not vanish. */
static double row_deviance(Family family, double y, double eta, double *mu) {
    if (family == POISSON) {
        *mu = family_mean(POISSON, eta);
        return 2 * (xlogx(y, *mu) - (y - *mu));
    }
    double e = exp(eta >= 0 ? -eta : eta), tail = log1p(e), log_mu = eta >= 0 ? -tail : eta - tail,
           log_rest = eta >= 0 ? -eta - tail : -tail;
    *mu = eta >= 0 ? 1 / (1 + e) : e / (1 + e);
    return 2 * (xlogx(y, 1) - y * log_mu + xlogx(1 - y, 1) - (1 - y) * log_rest);
}

typedef struct Iteration {
    Family family;
    const LinearModel *model;
    const double *eta;
    double *z, *w, *mu, *deviance;
} Iteration;

/* Working response and weight: z = η + (y − μ)/μ', w = prior·μ' (canonical links: μ' is the variance function). */
static Status prepare(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    const Iteration *it = self;
    const LinearModel *m = it->model;
    double sum = 0;
    (void)error;
    for (int64_t i = first; i < last; i++) {
        double mu, prior = m->weight ? m->weight[i] : 1, deviance = row_deviance(it->family, m->y[i], it->eta[i], &mu),
                   slope = it->family == POISSON ? mu : mu * (1 - mu);
        if (slope < 1e-15) slope = 1e-15;
        it->mu[i] = mu;
        it->z[i] = it->eta[i] + (m->y[i] - mu) / slope;
        it->w[i] = prior * slope;
        sum += prior > 0 ? prior * deviance : 0;
    }
    it->deviance[block] = sum;
    return OK;
}

static Status deviance_at(Work *work, Iteration *it, const double *eta, double *out) {
    it->eta = eta;
    Status status = parallel_for(work, it->model->rows, 4096, prepare, it);
    *out = 0;
    for (int64_t b = 0; b < blocks_of(it->model->rows, 4096); b++) *out += it->deviance[b];
    return status;
}

static Status check_response(Work *work, Family family, const LinearModel *m) {
    for (int64_t i = 0; i < m->rows; i++) {
        if (m->y[i] >= 0 && (family == POISSON || m->y[i] <= 1)) continue;
        fail(work->error, BAD,
             family == POISSON ? "a Poisson response must be 0 or more"
                               : "a binomial response must lie between 0 and 1, or be a category of two levels");
        return error_row(work->error, i);
    }
    return OK;
}

/* The deviance of the mean alone (or, without an intercept, of η = 0). */
static double null_deviance(Family family, const LinearModel *m) {
    double weight = 0, sum = 0, deviance = 0;
    for (int64_t i = 0; i < m->rows; i++) {
        double w = m->weight ? m->weight[i] : 1;
        weight += w;
        sum += w * m->y[i];
    }
    double mean = sum / weight;
    if (m->intercept && (mean == 0 || (family == BINOMIAL && mean == 1))) return 0;
    double eta = m->intercept ? link(family, mean) : 0, mu, of = NAN, row = 0;
    for (int64_t i = 0; i < m->rows; i++) {
        if (m->y[i] != of) row = row_deviance(family, of = m->y[i], eta, &mu);
        deviance += (m->weight ? m->weight[i] : 1) * row;
    }
    return deviance;
}

static double largest_step(const double *a, const double *b, int64_t n) {
    double most = 0;
    for (int64_t i = 0; i < n; i++) most = fabs(a[i] - b[i]) > most ? fabs(a[i] - b[i]) : most;
    return most;
}

/* Halves the step while the deviance is worse than before it. */
static Status shorten(Work *work, Iteration *it, const double *before, double *after, double was, double *now) {
    Status status = OK;
    for (int half = 0; half < 30 && !(*now <= was * (1 + 1e-10) + 1e-10); half++) {
        for (int64_t i = 0; i < it->model->rows; i++) after[i] = (before[i] + after[i]) / 2;
        TRY(deviance_at(work, it, after, now));
    }
done:
    return status;
}

/* Fit and deviance swing together until the deviance settles; eta ends where the fit is. Perfectly separated rows walk on by about one unit
 * of η each step, though the deviance settles: that is how separation shows. */
static Status iterate(Work *work, Iteration *it, double *eta, LinearFit *fit) {
    Status status = OK;
    const LinearModel *m = it->model;
    double was, now, step = 0;
    TRY(deviance_at(work, it, eta, &was));
    bool converged = false, last = false; /* once settled, one more round takes the weights of standard errors there too */
    int iteration = 0;
    while (iteration < MOST_ITERATIONS && !last) {
        LinearModel working = *m;
        working.y = it->z;
        working.weight = it->w;
        TRY(work_check(work));
        arena_drop(work->arena, iteration ? fit->fitted : NULL);
        TRY(least_squares(work, &working, fit));
        double *next = fit->fitted;
        TRY(deviance_at(work, it, next, &now));
        if (iteration++) TRY(shorten(work, it, eta, next, was, &now));
        step = largest_step(eta, next, m->rows);
        memcpy(eta, next, (size_t)m->rows * sizeof *eta);
        last = converged;
        converged = converged || fabs(now - was) / (fabs(now) + 0.1) < 1e-12;
        was = now;
    }
    fit->iterations = iteration;
    fit->converged = converged;
    fit->separated = it->family == BINOMIAL && step > 0.1;
    fit->deviance = was;
    arena_drop(work->arena, fit->fitted); /* on the scale of η: the means take its place */
done:
    return status;
}

Status glm_fit(Work *work, Family family, const LinearModel *m, LinearFit *out) {
    Status status = OK;
    Iteration it = { .family = family, .model = m };
    double *eta = NULL;
    if (family == GAUSSIAN) return least_squares(work, m, out);
    TRY(check_response(work, family, m));
    NEW(work, eta, m->rows);
    NEW(work, it.z, m->rows);
    NEW(work, it.w, m->rows);
    NEW(work, it.mu, m->rows);
    NEW(work, it.deviance, blocks_of(m->rows, 4096));
    for (int64_t i = 0; i < m->rows; i++) {
        double w = m->weight ? m->weight[i] : 1;
        eta[i] = link(family, family == POISSON ? m->y[i] + 0.1 : (w * m->y[i] + 0.5) / (w + 1));
    }
    TRY(iterate(work, &it, eta, out));
    int64_t counted = 0;
    for (int64_t i = 0; i < m->rows; i++) counted += !m->weight || m->weight[i] > 0;
    out->fitted = it.mu;
    out->rows = counted;
    out->residual_df = counted - out->rank;
    out->dispersion = 1;
    out->null_deviance = null_deviance(family, m);
    out->r2 = out->null_deviance > 0 ? 1 - out->deviance / out->null_deviance : NAN;
    for (int64_t j = 0; j < m->columns; j++) out->standard_error[j] = sqrt(out->unscaled[j * m->columns + j]);
done:
    arena_drop(work->arena, eta);
    return status;
}
