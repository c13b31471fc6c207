/* logistic(y, a, b): logistic regression by objective perturbation (Chaudhuri, Monteleoni & Sarwate 2011; the determinant as Kifer, Smith &
 * Thakurta 2012 have it), with noise in the norm that fits the rows (Awan & Slavković 2021), and a mask over what rounding leaves
 * (approximate minima: Iyengar, Near, Song, Thakkar, Thakurta & Wang 2019).
 *
 * A row is x = (1, u₁ … u_m), each u in [−1, 1] (clamped to its bounds), y = ±1 by whether the response lies above the middle of its
 * bounds. Released is the minimiser θ* of J(θ) = Σ log(1 + e^(−y x′θ)) + Λ‖θ‖²/2 + b′θ,     b with density ∝ e^(−β‖b‖∞) in d = m + 1
 * dimensions. θ* ↔ b is one to one, b = −Σ∇ℓ(θ*) − Λθ*, so that two tables' densities at θ* differ by two factors. Noise: a row's gradient
 * has every coordinate within (−1, 1); K rows replaced move b by less than Δ = 2K in ‖·‖∞, added or removed by K: e^(βΔ). Determinant: a
 * row adds c·xx′, 0 ≤ c ≤ 1/4, ‖x‖² ≤ d, to a matrix of at least Λ: a factor from 1 to 1 + d/(4Λ). Replaced rows are taken off and put on:
 * at most (1 + d/(4Λ))^K either way. Rows that do not count add nothing to either. Nothing here depends on the number of rows. Mask:
 * computed is θ̂ with ‖θ̂ − θ*‖₂ ≤ √d·e/Λ, where e bounds each coordinate of ∇J at θ̂ for the real b: what is left of the gradient, its
 * rounding, and the distance of the drawn b from a real one. Given θ*, two tables' θ̂ are therefore at most 2de/Λ apart in sum; discrete
 * Laplace noise on a grid hides that. ε = ε_noise + ε_determinant + ε_mask. */
#include <stdlib.h>
#include "base/compare.h"
#include "base/elementary.h"
#include "base/extremes.h"
#include "release/query/query.h"

enum { UNITS = 20, THETA = 48, SLOPE = 52, DRAWN = 30, MOST_TERMS = 9, STEPS = 400, REDRAWS = 1000 };
static const int64_t MOST_ROWS = INT64_C(1) << 26;
static const double LEFT = 0x1p-20; /* what may be left of a coordinate of the gradient, before Λ */

typedef struct Split {
    double noise, determinant, mask, ridge, beta, error;
    int grid;
    uint64_t apart;
} Split;

/* The shares are fixed: a quarter for the determinant (never more than 1 per row, or Λ would vanish), a sixty-fourth for the mask. All of
 * it is public. */
static Split split_of(const Plan *plan, const Measure *b) {
    double d = (double)b->logistic->d, most = (double)plan_most(plan), epsilon = b->epsilon * (1 - 1e-12);
    Split s = { .mask = epsilon / 64, .determinant = fmin(epsilon / 4, most) };
    s.noise = epsilon - s.mask - s.determinant;
    s.ridge = d / (4 * expm1(s.determinant / most)) * (1 + 1e-9);
    s.beta = s.noise / ((plan->unit == REPLACE_ONE ? 2 : 1) * most);
    s.error = 2 * LEFT * fmax(1, s.ridge) + (d + 1) * ldexp(1, -DRAWN) / s.beta;
    double apart = 2 * d * s.error / s.ridge;
    s.grid = ilogb(apart) - 10;
    s.apart = (uint64_t)ceil(ldexp(apart, -s.grid) * (1 + 1e-9)) + (uint64_t)d; /* rounding to the grid moves each by one more */
    return s;
}

Status logistic_check(Plan *plan, Measure *b) {
    if (!(b->epsilon >= 1e-6))
        return fail(plan->work->error, BAD, "%s: this guarantee is out of the sampler's range", plan->query[b->query].text);
    Split s = split_of(plan, b);
    b->step = ldexp(1, s.grid);
    return s.grid > -THETA && s.grid < 0
               ? OK
               : fail(plan->work->error, BAD, "%s: this guarantee is out of the sampler's range", plan->query[b->query].text);
}

static int64_t scaled(const Fixed *x, int64_t row) {
    Wide middle = (Wide)x->low + x->high, width = (Wide)x->high - x->low, off = (2 * (Wide)x->at[row] - middle) * ((Wide)1 << UNITS);
    int64_t u = (int64_t)(off / width), one = (int64_t)1 << UNITS;
    return u > one ? one : u < -one ? -one : u;
}

/* Entries of Σ p(1 − p) xx′: a square lies in [0, 1/4], the others in [−1/4, 1/4]. */
static void information_sensitivity(const Plan *plan, int64_t d, Measure *measure) {
    uint64_t quarter = UINT64_C(1) << (2 * UNITS - 2), wide = plan->unit == REPLACE_ONE ? 2 * quarter : quarter,
             others = (uint64_t)(d * (d - 1) / 2), most = plan_most(plan);
    measure->l1 = times_most(others * wide + (uint64_t)d * quarter, most);
    measure->l2_squared =
        measure->l1 > UINT64_C(1) << 61
            ? 0
            : ((unsigned __int128)wide * wide * others + (unsigned __int128)quarter * quarter * (uint64_t)d) * most * most;
}

static Status read_rows(Plan *plan, const Query *q, const Subset *subset, Logistic *l, Measure *made) {
    Status status = OK;
    Fixed x[MOST_TERMS];
    Bounds bounds;
    for (int64_t i = 0; i < l->d; i++) {
        const Column *column = i ? q->more.at[i - 1] : q->x;
        TRY(bounds_of(plan, column, true, &bounds));
        TRY(fixed_column(plan, column, &bounds, &x[i]));
        made->middle[i] = ldexp((double)x[i].low + (double)x[i].high, x[i].exponent - 1);
        made->half[i] = ldexp((double)(x[i].high - x[i].low), x[i].exponent - 1);
    }
    NEW(plan->work, l->x, l->n * l->d + 1);
    NEW(plan->work, l->yes, l->n + 1);
    for (int64_t k = 0; k < l->n; k++) {
        l->yes[k] = scaled(&x[0], subset->row[k]) > 0;
        l->x[k * l->d] = 1 << UNITS;
        for (int64_t i = 1; i < l->d; i++) l->x[k * l->d + i] = (int32_t)scaled(&x[i], subset->row[k]);
    }
done:
    return status;
}

Status plan_logistic(Plan *plan, int64_t query, const Subset *subset) {
    Status status = OK;
    const Query *q = &plan->query[query];
    Logistic *l = NULL;
    int64_t objective, information, d = q->more.count + 1;
    NEW(plan->work, l, 1);
    *l = (Logistic){ .n = subset->count, .d = d };
    if (l->n > MOST_ROWS)
        TRY(fail(plan->work->error, BAD, "%s: more than %lld records are beyond the bound on rounding", q->text, (long long)MOST_ROWS));
    Measure made = { .part = "objective",
                     .query = query,
                     .divisor = 1,
                     .choice = true,
                     .logistic = l,
                     .portion = 3,
                     .l1 = 1,
                     .l2_squared = 1,
                     .variables = d };
    NEW(plan->work, made.middle, d);
    NEW(plan->work, made.half, d);
    TRY(read_rows(plan, q, subset, l, &made));
    TRY(plan_measure(plan, made, d, &objective));
    Measure second = { .part = "information", .query = query, .divisor = 1, .exponent = -2 * UNITS, .logistic = l, .portion = 1 };
    information_sensitivity(plan, d, &second);
    TRY(plan_measure(plan, second, d * (d + 1) / 2, &information));
    for (int64_t i = 0; i < d; i++)
        TRY(plan_answer(plan, (Answer){ .query = query,
                                        .group = i ? q->more.at[i - 1]->name : "(intercept)",
                                        .form = FORM_LOGIT,
                                        .measures = 1,
                                        .measure = { objective, information },
                                        .element = i,
                                        .gate_measure = -1 }));
done:
    return status;
}

/* An exponential variable of mean 1 is, in units of 2⁻³⁰, a geometric whole number and an independent rest below 1: the whole number is
 * drawn exactly (a discrete Laplace that is not negative), and the rest taken as one half. */
static Status draw_exponential(RandomBits *bits, double *out) {
    Status status = OK;
    Wide k;
    do TRY(draw_discrete_laplace(bits, UINT64_C(1) << DRAWN, 1, &k));
    while (k < 0);
    *out = ldexp(fmin((double)k, 0x1p36) + 0.5, -DRAWN);
done:
    return status;
}

/* Density ∝ e^(−β‖b‖∞): a radius of d + 1 exponentials over β, times a point of the cube. */
static Status draw_vector(RandomBits *bits, int64_t d, double beta, double *b) {
    Status status = OK;
    double radius = 0, one;
    for (int64_t i = 0; i <= d; i++) {
        TRY(draw_exponential(bits, &one));
        radius += one;
    }
    for (int64_t i = 0; i < d; i++) b[i] = radius / beta * ((double)(int64_t)bits_word(bits) * 0x1p-63);
done:
    return status;
}

/* J, its gradient and its matrix at θ in units of 2⁻⁴⁸. x′θ is exact; each row's slope is off by at most 2⁻⁵⁰ and summed exactly, so that
 * the gradient of 2²⁶ rows is off by less than 2⁻²⁴. */
typedef struct At {
    double value, gradient[MOST_TERMS], matrix[MOST_TERMS][MOST_TERMS];
} At;

static double linear(const Logistic *l, int64_t k, const int64_t *theta) {
    Wide sum = 0;
    for (int64_t i = 0; i < l->d; i++) sum += (Wide)theta[i] * l->x[k * l->d + i];
    return ldexp((double)sum, -THETA - UNITS);
}

static void evaluate(const Logistic *l, const Split *s, const double *b, const int64_t *theta, At *at) {
    Wide sum[MOST_TERMS] = { 0 };
    *at = (At){ 0 };
    for (int64_t k = 0; k < l->n; k++) {
        const int32_t *x = &l->x[k * l->d];
        double t = linear(l, k, theta), off = l->yes[k] ? t : -t, slope = 1 / (1 + exp(off)),
               weight = ldexp(slope * (1 - slope), -2 * UNITS);
        int64_t whole = (int64_t)rint(ldexp(slope, SLOPE));
        at->value += off > 0 ? log1p(exp(-off)) : log1p(exp(off)) - off;
        for (int64_t i = 0; i < l->d; i++) {
            sum[i] += (l->yes[k] ? -(Wide)whole : (Wide)whole) * x[i];
            for (int64_t j = 0; j <= i; j++) at->matrix[i][j] += weight * (double)x[i] * (double)x[j];
        }
    }
    for (int64_t i = 0; i < l->d; i++) {
        double here = ldexp((double)theta[i], -THETA);
        at->gradient[i] = ldexp((double)sum[i], -SLOPE - UNITS) + s->ridge * here + b[i];
        at->value += s->ridge * here * here / 2 + b[i] * here;
        at->matrix[i][i] += s->ridge;
    }
}

static bool factor(double a[MOST_TERMS][MOST_TERMS], int64_t d) { /* the lower half, in place */
    for (int64_t i = 0; i < d; i++)
        for (int64_t j = 0; j <= i; j++) {
            double sum = a[i][j];
            for (int64_t k = 0; k < j; k++) sum -= a[i][k] * a[j][k];
            if (i == j && !(sum > 0)) return false;
            a[i][j] = i == j ? sqrt(sum) : sum / a[j][j];
        }
    return true;
}

static void back(double l[MOST_TERMS][MOST_TERMS], int64_t d, double *x) { /* L′x = x */
    for (int64_t i = d - 1; i >= 0; i--) {
        for (int64_t k = i + 1; k < d; k++) x[i] -= l[k][i] * x[k];
        x[i] /= l[i][i];
    }
}

static void solve(double l[MOST_TERMS][MOST_TERMS], int64_t d, double *x) {
    for (int64_t i = 0; i < d; i++) {
        for (int64_t k = 0; k < i; k++) x[i] -= l[i][k] * x[k];
        x[i] /= l[i][i];
    }
    back(l, d, x);
}

static double largest(const double *x, int64_t d) {
    double most = 0;
    for (int64_t i = 0; i < d; i++) most = larger(most, fabs(x[i]));
    return most;
}

/* Newton's steps, halved until J or the gradient becomes smaller. J(θ) ≤ J(0) = n log 2 keeps |θ| below 2¹⁵ for 2²⁶ rows and any b that is
 * ever drawn. */
static Status minimise(const Logistic *l, const Split *s, const double *b, int64_t *theta, Error *error) {
    At at, next;
    double done = LEFT * fmax(1, s->ridge), step[MOST_TERMS];
    int64_t moved[MOST_TERMS];
    for (int64_t i = 0; i < l->d; i++) theta[i] = 0;
    evaluate(l, s, b, theta, &at);
    for (int k = 0; k < STEPS && largest(at.gradient, l->d) > done; k++) {
        if (!factor(at.matrix, l->d)) break;
        for (int64_t i = 0; i < l->d; i++) step[i] = at.gradient[i];
        solve(at.matrix, l->d, step);
        for (double part = 1; part > 0x1p-40; part /= 2) {
            for (int64_t i = 0; i < l->d; i++)
                moved[i] = (int64_t)rint(smaller(larger((double)theta[i] - ldexp(part * step[i], THETA), -0x1p62), 0x1p62));
            evaluate(l, s, b, moved, &next);
            if (next.value < at.value || largest(next.gradient, l->d) < largest(at.gradient, l->d)) break;
        }
        for (int64_t i = 0; i < l->d; i++) theta[i] = moved[i];
        at = next;
    }
    return largest(at.gradient, l->d) <= done ? OK : fail(error, FAILED, "the minimum was not computed accurately enough to be released");
}

/* The coefficients in scaled units, as they are released: everything after looks at these. */
Status draw_logistic(Plan *plan, Measure *measure, RandomBits *bits) {
    Status status = OK;
    const Logistic *l = measure->logistic;
    Split s = split_of(plan, measure);
    int64_t theta[MOST_TERMS] = { 0 };
    double b[MOST_TERMS] = { 0 };
    Wide noise;
    uint64_t scale = (uint64_t)ceil((double)s.apart / s.mask);
    TRY(draw_vector(bits, l->d, s.beta, b));
    TRY(minimise(l, &s, b, theta, plan->work->error));
    for (int64_t i = 0; i < l->d; i++) {
        TRY(draw_discrete_laplace(bits, scale, 1, &noise));
        measure->value[i] = ((Wide)theta[i] >> (THETA + s.grid)) + noise;
    }
done:
    return status;
}

/* Fisher's information at the released coefficients, before its own noise: a function of each row by itself, rounded and clamped, so that
 * its sensitivity does not hang on how exp is computed. */
void fill_information(const Measure *objective, Measure *measure) {
    const Logistic *l = measure->logistic;
    double theta[MOST_TERMS] = { 0 };
    for (int64_t i = 0; i < l->d; i++) theta[i] = objective->step * (double)(int64_t)objective->value[i];
    for (int64_t k = 0; k < l->n; k++) {
        const int32_t *x = &l->x[k * l->d];
        double t = 0;
        for (int64_t i = 0; i < l->d; i++) t += theta[i] * ldexp(x[i], -UNITS);
        double p = 1 / (1 + exp(-t));
        int64_t weight = (int64_t)smaller(floor(ldexp(p * (1 - p), UNITS)), 1 << (UNITS - 2)), at = 0;
        for (int64_t i = 0; i < l->d; i++)
            for (int64_t j = 0; j <= i; j++) measure->value[at++] += (Wide)weight * ((int64_t)x[i] * x[j]) / ((Wide)1 << UNITS);
    }
}

/* Back in the variables' own units: logit = θ₀ + Σθ_i (x_i − middle_i)/half_i. */
static double unscaled(const Measure *b, const double *theta, int64_t term) {
    if (term) return theta[term] / b->half[term];
    double out = theta[0];
    for (int64_t i = 1; i < b->variables; i++) out -= theta[i] * b->middle[i] / b->half[i];
    return out;
}

/* The released information with noise of its scale drawn again, and the least ridge that makes it positive definite beside Λ. `with` is A +
 * Λ, factored; `without` is A, factored. */
static void information_again(const Plan *plan, const Measure *info, double ridge, RandomReader *reader,
                              double with[MOST_TERMS][MOST_TERMS], double without[MOST_TERMS][MOST_TERMS]) {
    int64_t d = info->logistic->d, at = 0;
    double a[MOST_TERMS][MOST_TERMS], more = 0;
    for (int64_t i = 0; i < d; i++)
        for (int64_t j = 0; j <= i; j++, at++) {
            double u = reader_uniform(reader) - 0.5,
                   noise = plan->noise == DISCRETE_LAPLACE_NOISE ? copysign(log(1 - 2 * fabs(u)), u) : reader_normal(reader);
            a[i][j] = wide_real(info->value[at], info->exponent) + noise * info->scale;
        }
    for (bool good = false; !good; more = more > 0 ? 2 * more : 1e-3) {
        for (int64_t i = 0; i < d; i++)
            for (int64_t j = 0; j <= i; j++) {
                without[i][j] = a[i][j] + (i == j ? more : 0);
                with[i][j] = without[i][j] + (i == j ? ridge : 0);
            }
        good = factor(without, d) && factor(with, d);
    }
}

/* θ̂ is off from the truth by about (A + Λ)⁻¹(score − b − Λθ): the score normal with covariance A, b of its own law. Drawn again; nothing is
 * looked at but what was released. */
static Status interval(Plan *plan, const Measure *b, const Measure *info, const double *theta, Answer *a) {
    Status status = OK;
    double *off = NULL, with[MOST_TERMS][MOST_TERMS], without[MOST_TERMS][MOST_TERMS], z[MOST_TERMS], e[MOST_TERMS];
    Split s = split_of(plan, b);
    Seed seed = seed_from_number(0);
    RandomStream stream = stream_make(&seed, "release.query", 0, "logistic", "redraw");
    RandomReader reader = reader_make(&stream);
    int64_t d = b->variables;
    NEW(plan->work, off, REDRAWS);
    for (int k = 0; k < REDRAWS; k++) {
        double radius = 0;
        information_again(plan, info, s.ridge, &reader, with, without);
        for (int64_t i = 0; i <= d; i++) radius -= log(1 - reader_uniform(&reader));
        for (int64_t i = 0; i < d; i++) z[i] = reader_normal(&reader);
        for (int64_t i = 0; i < d; i++) {
            e[i] = -radius / s.beta * (2 * reader_uniform(&reader) - 1) - s.ridge * theta[i];
            for (int64_t j = 0; j <= i; j++) e[i] += without[i][j] * z[j];
        }
        solve(with, d, e);
        if (a->element) off[k] = e[a->element] / b->half[a->element];
        else off[k] = unscaled(b, e, 0);
    }
    qsort(off, REDRAWS, sizeof *off, ascending_real);
    a->lower = a->value - off[REDRAWS - 1 - REDRAWS / 40];
    a->upper = a->value - off[REDRAWS / 40];
    arena_drop(plan->work->arena, off);
done:
    return status;
}

Status form_logit(Plan *plan, Answer *a) {
    const Measure *b = &plan->measure[a->measure[0]], *info = &plan->measure[a->measure[1]];
    double theta[MOST_TERMS] = { 0 };
    for (int64_t i = 0; i < b->variables; i++) theta[i] = b->step * (double)(int64_t)b->value[i];
    a->value = unscaled(b, theta, a->element);
    a->sensitivity = a->scale = NAN;
    return interval(plan, b, info, theta, a);
}
