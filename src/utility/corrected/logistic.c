/* Logistic regression whose predictors have normal noise of known covariance: the conditional score (Stefanski & Carroll 1987). */
#include <string.h>
#include "base/elementary.h"
#include "math/linear/least_squares.h"
#include "math/linear/symmetric.h"
#include "utility/corrected/corrected.h"

/* p coefficients, those of q masked terms behind the intercept. */
typedef struct {
    Work *work;
    const Design *design;
    const Masked *masked;
    int64_t p, first;
    double share;                  /* of the noise: the solution is followed from none to all of it */
    double *noise;                 /* Σβ, for the β at hand */
    double *psi, *slope, *outer;   /* mean of ψ, of its derivative by columns, and of ψψ' */
    double *z, *eta_slope, *delta; /* of one record */
} Score;

static double covariance(const Score *s, int64_t j, int64_t k) {
    return j < s->first || k < s->first ? 0 : s->share * s->masked->noise[(j - s->first) * s->masked->terms + k - s->first];
}

/* Released is W = X + U with U ~ N(0, Σ). Given Δ = W + yΣβ, which is sufficient for X, logit P(y = 1 | Δ) = β₀ + β'Δ − ½β'Σβ whatever X is.
 * So ψ = (y − F(η))·(1, Δ) has mean 0 at the true β, with η = β₀ + β'W + (y − ½)β'Σβ. Its derivative: −F(1 − F)·(1, Δ)(1, W + (2y − 1)Σβ)'
 * + (y − F)·yΣ. */
static void add_record(Score *s, int64_t i, const double *beta, double quadratic) {
    int64_t p = s->p, n = s->design->rows;
    double y = s->design->y[i], eta = (y - 0.5) * quadratic;
    for (int64_t j = 0; j < p; j++) {
        s->z[j] = s->design->x[j * n + i];
        eta += beta[j] * s->z[j];
        s->delta[j] = s->z[j] + y * s->noise[j];
        s->eta_slope[j] = s->z[j] + (2 * y - 1) * s->noise[j];
    }
    double mean = family_mean(BINOMIAL, eta), left = y - mean, weight = mean * (1 - mean);
    for (int64_t j = 0; j < p; j++) {
        s->psi[j] += left * s->delta[j] / (double)n;
        for (int64_t k = 0; k < p; k++) {
            s->slope[k * p + j] += (left * y * covariance(s, j, k) - weight * s->delta[j] * s->eta_slope[k]) / (double)n;
            s->outer[k * p + j] += left * left * s->delta[j] * s->delta[k] / (double)n;
        }
    }
}

static void evaluate(Score *s, const double *beta) {
    int64_t p = s->p;
    double quadratic = 0;
    memset(s->psi, 0, (size_t)p * sizeof *s->psi);
    memset(s->slope, 0, (size_t)(p * p) * sizeof *s->slope);
    memset(s->outer, 0, (size_t)(p * p) * sizeof *s->outer);
    for (int64_t j = 0; j < p; j++) {
        s->noise[j] = 0;
        for (int64_t k = 0; k < p; k++) s->noise[j] += covariance(s, j, k) * beta[k];
        quadratic += s->noise[j] * beta[j];
    }
    for (int64_t i = 0; i < s->design->rows; i++) add_record(s, i, beta, quadratic);
}

/* The largest part of Newton's step −slope⁻¹ψ, in standard deviations of the score; the step itself in `step`. */
static Status newton_step(Score *s, double *step, double *size) {
    Status status = linear_solve(s->work, s->slope, s->p, s->psi, 1, step);
    *size = 0;
    for (int64_t j = 0; j < s->p && !status; j++) {
        double scaled = fabs(s->psi[j]) / sqrt(s->outer[j * s->p + j] + 1e-300);
        if (!(scaled <= *size)) *size = scaled;
    }
    return status;
}

static Status no_solution(const Score *s) {
    fail(s->work->error, BAD, "the corrected equations have no solution: the noise is too large for this number of records");
    return error_advice(s->work->error, "Check --noise-variance. It is a variance, in squared units of its column.");
}

/* Newton's method, a step halved until the score falls. */
static Status solve(Score *s, double *beta) {
    enum { MOST_STEPS = 50, MOST_HALVES = 30 };
    Status status = OK;
    double *step = NULL, *tried = NULL, *next = NULL, size = 0, now = 0;
    NEW(s->work, step, s->p + 1);
    NEW(s->work, tried, s->p + 1);
    NEW(s->work, next, s->p + 1);
    evaluate(s, beta);
    for (int k = 0; k < MOST_STEPS; k++) {
        status = newton_step(s, step, &size);
        if (status == BAD) return no_solution(s);
        TRY(status);
        if (size < 1e-12) return OK;
        int half = 0;
        for (double length = 1; half < MOST_HALVES; half++, length /= 2) {
            for (int64_t j = 0; j < s->p; j++) tried[j] = beta[j] - length * step[j];
            evaluate(s, tried);
            status = newton_step(s, next, &now);
            if (status && status != BAD) goto done;
            if (!status && now < size) break;
        }
        if (half == MOST_HALVES) {
            evaluate(s, beta);
            return size < 1e-8 ? OK : no_solution(s);
        }
        memcpy(beta, tried, (size_t)s->p * sizeof *beta);
    }
    status = no_solution(s);
done:
    return status;
}

/* The variance of the root of a mean of ψ: slope⁻¹·outer·slope⁻¹' / n. */
static Status sandwich(Score *s, double *variance) {
    Status status = OK;
    int64_t p = s->p;
    double *half = NULL, *turned = NULL;
    NEW(s->work, half, p * p + 1);
    NEW(s->work, turned, p * p + 1);
    TRY(linear_solve(s->work, s->slope, p, s->outer, p, half)); /* slope⁻¹·outer, by columns */
    for (int64_t j = 0; j < p; j++)
        for (int64_t k = 0; k < p; k++) turned[j * p + k] = half[k * p + j];
    TRY(linear_solve(s->work, s->slope, p, turned, p, variance));
    for (int64_t j = 0; j < p * p; j++) variance[j] /= (double)(s->design->rows - p);
done:
    return status;
}

/* Linear in the design: whether a column stands alone, for masked_make. */
static bool stands_alone(const void *self, const char *column) { return formula_plain(((const CorrectedArgs *)self)->formula, column); }

static Status noise_of(Run *run, const CorrectedArgs *a, const Design *design, Masked *m) {
    Status status = OK;
    Masking masking = corrected_masking(a);
    int64_t first = design->intercept, q = design->columns - first;
    *m = (Masked){ .rows = design->rows, .row = design->row, .terms = q + 1, .centred = design->intercept };
    NEW(&run->work, m->term, q + 2);
    for (int64_t j = 0; j < q; j++) {
        m->term[j].name = design->term[first + j];
        corrected_find_column(a, m->term[j].name, &m->term[j].column, &m->term[j].level);
        m->term[j].seen = design->x + (first + j) * design->rows;
    }
    m->term[q] = (Term){ .name = design->response, .column = design->response, .seen = design->y };
    TRY(masked_make(&run->work, &masking, stands_alone, a, m));
    for (int64_t j = 0; j <= q; j++)
        if (m->noise[q * m->terms + j] != 0) {
            fail(run->work.error, BAD, "the response of a logistic regression is a category and cannot have added noise");
            TRY(error_column(run->work.error, design->response));
        }
done:
    return status;
}

/* About the means, so that columns of any size are as good as others: x = c + d, and β₀ of d is β₀ + c'β. */
static Status centre(Work *work, Design *design, double **means) {
    Status status = OK;
    double *x = NULL;
    int64_t n = design->rows;
    NEW(work, x, n * design->columns + 1);
    NEW(work, *means, design->columns + 1);
    for (int64_t j = 0; j < design->columns; j++) {
        bool constant = !design->intercept || j == 0;
        for (int64_t i = 0; i < n && !constant; i++) (*means)[j] += design->x[j * n + i] / (double)n;
        for (int64_t i = 0; i < n; i++) x[j * n + i] = design->x[j * n + i] - (*means)[j];
    }
    design->x = x;
done:
    return status;
}

static void uncentre(const double *means, int64_t p, double *beta, double *variance) {
    for (int64_t j = 1; j < p; j++) beta[0] -= means[j] * beta[j];
    for (int64_t pass = 0; pass < 2; pass++) /* row 0, then column 0 */
        for (int64_t k = 0; k < p; k++)
            for (int64_t j = 1; j < p; j++) variance[pass ? k * p : k] -= means[j] * variance[pass ? k * p + j : j * p + k];
}

Status logistic_corrected(Run *run, const CorrectedArgs *a) {
    enum { STEPS = 8 };
    Status status = OK;
    Work *work = &run->work;
    Design design;
    Masked masked;
    LinearFit plain;
    double *beta = NULL, *variance = NULL, *means = NULL;
    TRY(corrected_design(run, a, true, &design));
    for (int64_t i = 0; i < design.rows; i++)
        if (design.y[i] != 0 && design.y[i] != 1) {
            fail(work->error, BAD, "the formula needs two categories, or 0 and 1, on its left side");
            TRY(error_parameter(work->error, "formula"));
        }
    TRY(noise_of(run, a, &design, &masked));
    LinearModel model = { .rows = design.rows, .columns = design.columns, .x = design.x, .y = design.y, .intercept = design.intercept };
    TRY(glm_fit(work, BINOMIAL, &model, &plain));
    int64_t p = design.columns;
    if (plain.separated || !plain.converged || plain.rank < p)
        TRY(fail(work->error, BAD, "the logistic regression on the release has no finite estimate, or its terms are collinear"));
    TRY(centre(work, &design, &means));
    Score s = { .work = work, .design = &design, .masked = &masked, .p = p, .first = design.intercept };
    double **const room[] = { &s.noise, &s.psi, &s.z, &s.eta_slope, &s.delta, &beta }, **const square[] = { &s.slope, &s.outer, &variance };
    for (int k = 0; k < 6; k++) NEW(work, *room[k], p + 1);
    for (int k = 0; k < 3; k++) NEW(work, *square[k], p * p + 1);
    for (int64_t j = 0; j < p; j++) beta[j] = plain.coefficient[j];
    for (int64_t j = 1; j < p && design.intercept; j++) beta[0] += means[j] * beta[j];
    for (int k = 0; k <= STEPS; k++) {
        s.share = k / (double)STEPS;
        TRY(solve(&s, beta));
    }
    TRY(sandwich(&s, variance));
    if (design.intercept) uncentre(means, p, beta, variance);
    corrected_say_rows(run, a, design.rows);
    result_note(run->result, "The noise must be normal. Standard errors are those of the conditional score (sandwich).");
    TRY(corrected_say_coefficients(run, a,
                                   &(Coefficients){ .count = p,
                                                    .term = design.term,
                                                    .plain = plain.coefficient,
                                                    .plain_se = plain.standard_error,
                                                    .beta = beta,
                                                    .variance = variance,
                                                    .r2_plain = NAN,
                                                    .r2 = NAN }));
done:
    return status;
}
