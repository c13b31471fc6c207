/* regression(y, a, b): least squares from noisy moments (Vu & Slavković 2009; Wang 2018), with intervals that cover noise and sampling. */
#include <stdlib.h>
#include "base/compare.h"
#include "base/elementary.h"
#include "base/extremes.h"
#include "release/query/query.h"

/* Every variable is brought to [−1, 1] about the middle of its bounds, in whole units of 2⁻²⁰: a function of its own record and of the
 * bounds, in whole numbers. The moments are sums of products of two of them, or of one and 1, in units of 2⁻⁴⁰: first the number of records
 * where that is not public, then each Σu_i, then each Σu_i u_j, i ≤ j. */
enum { UNITS = 20 };

static int64_t scaled(const Fixed *x, int64_t row) {
    Wide middle = (Wide)x->low + x->high, width = (Wide)x->high - x->low,
         off = (2 * (Wide)x->at[row] - middle) * ((Wide)1 << UNITS); /* twice the distance, over the width */
    int64_t u = (int64_t)(off / width), one = (int64_t)1 << UNITS;
    return u > one ? one : u < -one ? -one : u;
}

/* A square lies in [0, 1], all else in [−1, 1], and a record that does not count adds 0. Replaced, a record moves a square by 1 and the
 * others by 2; added or removed, everything by 1. */
static void moment_sensitivity(const Plan *plan, int64_t variables, bool known, Measure *measure) {
    uint64_t one = UINT64_C(1) << (2 * UNITS), most = plan_most(plan), sum = 0;
    unsigned __int128 squares = 0;
    int64_t others = variables + variables * (variables - 1) / 2, own = variables + !known; /* squares, and the count */
    uint64_t wide = plan->unit == REPLACE_ONE ? 2 * one : one;
    sum = (uint64_t)others * wide + (uint64_t)own * one;
    squares = (unsigned __int128)wide * wide * (uint64_t)others + (unsigned __int128)one * one * (uint64_t)own;
    measure->l1 = times_most(sum, most);
    measure->l2_squared = measure->l1 == UINT64_MAX ? 0 : squares * most * most;
}

static void add_moments(const int64_t *u, int64_t m, bool known, Wide *sum) {
    int64_t at = 0;
    if (!known) sum[at++] += (Wide)1 << (2 * UNITS);
    for (int64_t i = 0; i < m; i++) sum[at++] += (Wide)u[i] * ((Wide)1 << UNITS);
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = i; j < m; j++) sum[at++] += (Wide)u[i] * u[j];
}

Status plan_regression(Plan *plan, int64_t query, const Subset *subset, bool known) {
    Status status = OK;
    const Query *q = &plan->query[query];
    int64_t m = q->more.count + 1, measure, u[9];
    Fixed x[9];
    Measure made = { .part = "moments",
                     .query = query,
                     .exponent = -2 * UNITS,
                     .divisor = 1,
                     .variables = m,
                     .records = known ? (double)subset->records : NAN };
    NEW(plan->work, made.middle, m);
    NEW(plan->work, made.half, m);
    for (int64_t i = 0; i < m; i++) {
        const Column *column = i ? q->more.at[i - 1] : q->x;
        Bounds b;
        TRY(bounds_of(plan, column, true, &b));
        TRY(fixed_column(plan, column, &b, &x[i]));
        made.middle[i] = ldexp((double)x[i].low + (double)x[i].high, x[i].exponent - 1);
        made.half[i] = ldexp((double)(x[i].high - x[i].low), x[i].exponent - 1);
    }
    moment_sensitivity(plan, m, known, &made);
    TRY(plan_measure(plan, made, !known + m + m * (m + 1) / 2, &measure));
    for (int64_t k = 0; k < subset->count; k++) {
        for (int64_t i = 0; i < m; i++) u[i] = scaled(&x[i], subset->row[k]);
        add_moments(u, m, known, plan->measure[measure].value);
    }
    TRY(carry_wide(plan, plan->measure[measure].value, plan->measure[measure].count, false));
    for (int64_t i = 0; i < m; i++)
        TRY(plan_answer(plan, (Answer){ .query = query,
                                        .group = i ? q->more.at[i - 1]->name : "(intercept)",
                                        .form = FORM_COEFFICIENT,
                                        .measures = 1,
                                        .measure = { measure },
                                        .element = i,
                                        .gate_measure = -1 }));
done:
    return status;
}

/* The normal equations: matrix of 1 and the predictors, right-hand side with the response, Σy². */
typedef struct Normal {
    int64_t size;
    double a[9][9], b[9], yy, n;
} Normal;

static Normal normal_of(const Measure *measure, const double *moment) {
    int64_t m = measure->variables, at = 0;
    double second[9][9] = { 0 }, first[9] = { 0 };
    Normal e = { .size = m, .n = isnan(measure->records) ? fmax(moment[at++], 1) : fmax(measure->records, 1) };
    for (int64_t i = 0; i < m; i++) first[i] = moment[at++];
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = i; j < m; j++) second[i][j] = second[j][i] = moment[at++];
    e.a[0][0] = e.n;
    e.b[0] = first[0];
    e.yy = second[0][0];
    for (int64_t i = 1; i < m; i++) {
        e.a[0][i] = e.a[i][0] = first[i];
        e.b[i] = second[0][i];
        for (int64_t j = 1; j < m; j++) e.a[i][j] = second[i][j];
    }
    return e;
}

/* Cholesky of the matrix with `ridge` added to its diagonal; false where it is not positive definite. */
static bool cholesky(const Normal *e, double ridge, double l[9][9]) {
    for (int64_t i = 0; i < e->size; i++)
        for (int64_t j = 0; j <= i; j++) {
            double sum = e->a[i][j] + (i == j && i ? ridge : 0);
            for (int64_t k = 0; k < j; k++) sum -= l[i][k] * l[j][k];
            if (i == j && !(sum > 1e-9 * e->n)) return false;
            l[i][j] = i == j ? sqrt(sum) : sum / l[j][j];
        }
    return true;
}

static void solve(const double l[9][9], int64_t size, const double *right, double *out) {
    for (int64_t i = 0; i < size; i++) {
        out[i] = right[i];
        for (int64_t k = 0; k < i; k++) out[i] -= l[i][k] * out[k];
        out[i] /= l[i][i];
    }
    for (int64_t i = size - 1; i >= 0; i--) {
        for (int64_t k = i + 1; k < size; k++) out[i] -= l[k][i] * out[k];
        out[i] /= l[i][i];
    }
}

/* The coefficients in scaled units. The least ridge, doubled from next to nothing, that makes the noisy matrix positive definite: it looks
 * at released numbers only. */
static void fit(const Normal *e, double l[9][9], double *beta) {
    double ridge = 0;
    while (!cholesky(e, ridge, l)) ridge = ridge > 0 ? 2 * ridge : 1e-6 * e->n;
    solve(l, e->size, e->b, beta);
}

/* Back in the variables' own units: y = middle + half·(β₀ + Σβ_i (x_i − middle_i)/half_i). */
static double unscaled(const Measure *b, const double *beta, int64_t term) {
    if (term) return beta[term] * b->half[0] / b->half[term];
    double out = b->middle[0] + b->half[0] * beta[0];
    for (int64_t i = 1; i < b->variables; i++) out -= beta[i] * b->half[0] / b->half[i] * b->middle[i];
    return out;
}

/* What noise and sampling do to the coefficient: noise of the known scale drawn again around the released moments, and errors N(0, s²A⁻¹) of
 * a sample. */
enum { REDRAWS = 1000 };
static Status interval(Plan *plan, const Measure *b, const double *moment, int64_t term, double here, bool sampling, Answer *a) {
    Status status = OK;
    double *off = NULL, *again = NULL, beta[9], base[9], l[9][9], z[9], error[9], l_base[9][9];
    Seed seed = seed_from_number(0);
    RandomStream stream = stream_make(&seed, "release.query", 0, "regression", "redraw");
    RandomReader reader = reader_make(&stream);
    Normal released = normal_of(b, moment);
    NEW(plan->work, off, REDRAWS);
    NEW(plan->work, again, b->count);
    fit(&released, l_base, base);
    double rss = released.yy, left = fmax(released.n - (double)b->variables, 1);
    for (int64_t i = 0; i < b->variables; i++) rss -= base[i] * released.b[i];
    double s = sampling ? sqrt(smaller(larger(rss / left, 0), 1)) : 0; /* a response in [−1, 1] has no larger spread */
    for (int k = 0; k < REDRAWS; k++) {
        for (int64_t i = 0; i < b->count; i++) {
            double u = reader_uniform(&reader) - 0.5;
            again[i] =
                moment[i] + b->scale * (plan->noise == DISCRETE_LAPLACE_NOISE ? copysign(log(1 - 2 * fabs(u)), u) : reader_normal(&reader));
        }
        Normal e = normal_of(b, again);
        fit(&e, l, beta);
        for (int64_t i = 0; i < b->variables; i++) z[i] = reader_normal(&reader);
        for (int64_t i = b->variables - 1; i >= 0; i--) { /* L′⁻¹z has covariance A⁻¹ */
            error[i] = z[i];
            for (int64_t j = i + 1; j < b->variables; j++) error[i] -= l_base[j][i] * error[j];
            error[i] /= l_base[i][i];
        }
        for (int64_t i = 0; i < b->variables; i++) beta[i] += s * error[i];
        off[k] = unscaled(b, beta, term) - here;
    }
    qsort(off, REDRAWS, sizeof *off, ascending_real);
    a->lower = here - off[REDRAWS - 1 - REDRAWS / 40];
    a->upper = here - off[REDRAWS / 40];
    arena_drop(plan->work->arena, off);
done:
    return status;
}

Status form_coefficient(Plan *plan, Answer *a) {
    Status status = OK;
    const Measure *b = &plan->measure[a->measure[0]];
    double *moment = NULL, beta[9], l[9][9];
    NEW(plan->work, moment, b->count);
    for (int64_t i = 0; i < b->count; i++) moment[i] = wide_real(b->value[i], b->exponent);
    Normal e = normal_of(b, moment);
    fit(&e, l, beta);
    a->value = unscaled(b, beta, a->element);
    a->sensitivity = a->scale = NAN;
    TRY(interval(plan, b, moment, a->element, a->value, true, a));
done:
    return status;
}

/* Before anything is looked at: what the noise does to a coefficient where the records lie evenly between the bounds, no variable goes with
 * another, and their number is the table's. Data that crowd together leave more. */
Status expected_coefficient(Plan *plan, const Answer *answer, double *half) {
    Status status = OK;
    const Measure *b = &plan->measure[answer->measure[0]];
    int64_t m = b->variables, at = 0;
    double *moment = NULL, n = isnan(b->records) ? (double)plan->rows : b->records, beta[9], l[9][9];
    Answer tried = *answer;
    *half = NAN;
    if (plan->query[answer->query].where || plan->args->where || !(n > 0)) goto done; /* how many would count is not known */
    NEW(plan->work, moment, b->count);
    if (isnan(b->records)) moment[at++] = n;
    at += m;
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = i; j < m; j++) moment[at++] = i == j ? n / 3 : 0;
    Normal e = normal_of(b, moment);
    fit(&e, l, beta);
    TRY(interval(plan, b, moment, answer->element, unscaled(b, beta, answer->element), false, &tried));
    *half = (tried.upper - tried.lower) / 2;
done:
    return status;
}
