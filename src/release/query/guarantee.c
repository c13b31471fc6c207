/* From the promise to the noise of each measure. */
#include "math/special/normal.h"
#include <string.h>
#include "base/elementary.h"
#include "base/number_text.h"
#include "math/privacy/identifiability.h"
#include "math/privacy/roc.h"
#include "release/query/query.h"

static int64_t portion(const Measure *b) { return b->portion ? b->portion : 1; }

/* Every query has a share of the promise by its weight, and every measure of a query its portion of that, equal ones but for a logistic
 * regression. Measures that need no noise have none, nor have queries that are made of others' measures. */
static void share_out(Plan *plan) {
    int64_t weights = 0;
    for (int64_t q = 0; q < plan->queries; q++) {
        int64_t noisy = 0;
        for (int64_t b = 0; b < plan->measures; b++)
            noisy += plan->measure[b].query == q && !plan->measure[b].exact ? portion(&plan->measure[b]) : 0;
        weights += noisy > 0 ? plan->query[q].weight : 0;
        for (int64_t b = 0; b < plan->measures; b++)
            if (plan->measure[b].query == q) {
                plan->measure[b].share = noisy > 0 ? noisy : 1;
                plan->measure[b].over = plan->query[q].weight * portion(&plan->measure[b]);
            }
    }
    for (int64_t b = 0; b < plan->measures; b++) plan->measure[b].share *= weights > 0 ? weights : 1;
}

/* ⌈num·times/(rate·over)⌉ for a double rate, exactly. */
static Status divide_up(const mpz_t num, int64_t times, int64_t over, double rate, mpz_t out, Error *error) {
    mpq_t r, n;
    if (!(rate > 0) || !isfinite(rate)) return fail(error, BAD, "a guarantee of 0 needs infinite noise");
    mpq_init(r);
    mpq_init(n);
    mpq_set_d(r, rate);
    mpz_mul_si(mpq_numref(r), mpq_numref(r), over);
    mpq_canonicalize(r);
    mpq_set_z(n, num);
    mpz_mul_si(mpq_numref(n), mpq_numref(n), times);
    mpq_div(n, n, r);
    mpz_cdiv_q(out, mpq_numref(n), mpq_denref(n));
    mpq_clear(r);
    mpq_clear(n);
    return OK;
}

static void wide_unsigned(unsigned __int128 value, mpz_t out) {
    mpz_set_ui(out, (uint64_t)(value >> 64));
    mpz_mul_2exp(out, out, 64);
    mpz_add_ui(out, out, (uint64_t)value);
}

enum { FINE = 20 };
/* Discrete Laplace of scale l1·share/ε; counts stay whole numbers, with a scale in 2⁻²⁰. */
static Status laplace_scale(Plan *plan, Measure *b, double epsilon) {
    Status status = OK;
    mpz_t num;
    mpz_init(num);
    b->scale_den = b->l1 < UINT64_C(1) << FINE ? UINT64_C(1) << FINE : 1;
    mpz_set_ui(num, b->l1);
    mpz_mul_ui(num, num, b->scale_den);
    if (b->smooth_units) mpz_set_ui(num, b->smooth_units), b->scale_den = 1;
    else if (plan->tight_scale > 0) mpz_set_d(num, ceil(plan->tight_scale * (1 + 1e-8) * (double)b->scale_den));
    else TRY(divide_up(num, b->share, b->over, epsilon, num, plan->work->error));
    if (mpz_sizeinbase(num, 2) > 62) TRY(fail(plan->work->error, BAD, "this guarantee needs more noise than the sampler can draw"));
    b->scale_num = mpz_get_ui(num);
    b->epsilon = (double)b->l1 * (double)b->scale_den / (double)b->scale_num;
    b->sensitivity = ldexp((double)b->l1, b->exponent) / b->divisor;
    b->scale = ldexp((double)b->scale_num / (double)b->scale_den, b->exponent) / b->divisor;
    if (b->smooth_units) b->epsilon = epsilon * (double)b->over / (double)b->share, b->sensitivity = b->scale = NAN;
done:
    mpz_clear(num);
    return status;
}

/* A measure of few units gets a finer grid: the discrete Gaussian is then the normal distribution, rounded, to one part in 10⁹, and keeps
 * its promises. */
static void refine(Measure *b) {
    if (b->l1 >= UINT64_C(1) << FINE) return;
    b->exponent -= FINE;
    b->l1 <<= FINE;
    b->l2_squared <<= 2 * FINE;
    for (int64_t i = 0; i < b->count; i++) b->value[i] *= 1 << FINE;
}

/* σ² = Δ²/(2l) in units, l = μ²/2 = ρ. */
static Status gaussian_variance(Plan *plan, Measure *b, double noncentrality, int64_t share, int64_t over) {
    Status status = OK;
    mpz_t squared;
    mpz_init(squared);
    refine(b);
    wide_unsigned(b->l2_squared, squared);
    TRY(divide_up(squared, share, over, 2 * noncentrality, b->variance, plan->work->error));
    if (mpz_sizeinbase(b->variance, 2) > 120)
        TRY(fail(plan->work->error, BAD, "this guarantee needs more noise than the sampler can draw"));
    double delta = sqrt(ldexp((double)(uint64_t)(b->l2_squared >> 64), 64) + (double)(uint64_t)b->l2_squared),
           sigma = sqrt(mpz_get_d(b->variance));
    b->noncentrality = delta * delta / (2 * sigma * sigma);
    b->sensitivity = ldexp(delta, b->exponent) / b->divisor;
    b->scale = ldexp(sigma, b->exponent) / b->divisor;
done:
    mpz_clear(squared);
    return status;
}

/* A choice made with e^(−ε·loss/2Δ) is ε-differentially private, of range ε, and so ε²/8-zCDP (Cesar & Rogers 2021); whether a key is shown
 * and what minimises a noisy objective are ε-differentially private and no more, so ε²/2-zCDP (Bun & Steinke 2016); by its two extreme
 * tests it is μ-GDP with μ = 2Φ⁻¹(e^ε/(1 + e^ε)) (Dong, Roth & Su 2022), hence composes with normal noise as if it had l = μ²/2. */
static Status choice_scale(Plan *plan, Measure *b, double epsilon, double noncentrality) {
    double half = sqrt(2 * noncentrality) / 2;
    if (plan->noise == DISCRETE_LAPLACE_NOISE) b->epsilon = epsilon;
    else if (plan->promise == PROMISE_ZCDP) b->epsilon = sqrt((by_rank(b) ? 8 : 2) * noncentrality);
    else b->epsilon = log(normal_lower(half) / normal_upper(half));
    b->epsilon *= 1 - 1e-12;
    b->noncentrality = plan->promise == PROMISE_ZCDP
                           ? pow(pure_gdp(b->epsilon), 2) / 2
                           : noncentrality; /* what ρ allows a choice is more, as μ, than what it allows normal noise */
    b->sensitivity = b->scale = NAN;
    return choice_check(plan, b);
}

static Status release_epsilon(Plan *plan) {
    Status status = OK;
    plan->epsilon = plan->args->epsilon;
    if (plan->promise != PROMISE_IDENTIFIABILITY) return OK;
    if (isnan(plan->worlds)) {
        fail(plan->work->error, BAD, "needs the number of possible worlds");
        error_parameter(plan->work->error, "identifiability");
        return error_advice(plan->work->error,
                            "Give --worlds or --prior, or --neighbours worlds with --bounds of an integer column or --universe.");
    }
    TRY(identifiability_epsilon(plan->args->identifiability, plan->worlds, &plan->epsilon, plan->work->error));
    if (plan->unit == ADD_REMOVE) plan->epsilon /= 2; /* one person taken out and another put in: twice */
done:
    return status;
}

/* Noncentrality of the whole release, or of each query where a list says so. */
static void release_noncentrality(Plan *plan, double *whole) {
    const ReleaseArgs *a = plan->args;
    double slack = 1 - 1e-9; /* see refine() */
    *whole = NAN;
    switch (plan->promise) {
    case PROMISE_ZCDP: *whole = a->zcdp; break;
    case PROMISE_GDP: *whole = a->gdp * a->gdp / 2 * slack; break;
    case PROMISE_EPSILON_DELTA: {
        double mu = gaussian_mu(a->epsilon * slack, (plan->threshold_delta > 0 ? a->delta / 2 : a->delta) * slack);
        *whole = mu * mu / 2;
        break;
    }
    case PROMISE_AUC: *whole = roc_noncentrality(a->auc) * slack; break; /* for who knows in which direction a record moves all of them */
    default: break;
    }
}

static Status gaussian_scales(Plan *plan) {
    Status status = OK;
    double whole;
    release_noncentrality(plan, &whole);
    for (int64_t i = 0; i < plan->measures; i++) {
        Measure *b = &plan->measure[i];
        if (b->exact) continue;
        int64_t share = b->share, over = b->over;
        double l = whole;
        if (plan->promise == PROMISE_NONCENTRALITY) { /* as the paper gives it: to each query, not to all together */
            const Reals *list = &plan->args->noncentrality;
            l = list->at[list->count > 1 ? b->query : 0];
            share = 0;
            over = 1;
            for (int64_t j = 0; j < plan->measures; j++) share += plan->measure[j].query == b->query && !plan->measure[j].exact;
        }
        if (b->choice) TRY(choice_scale(plan, b, NAN, l * (double)over / (double)share));
        else TRY(gaussian_variance(plan, b, l, share, over));
        plan->noncentrality += b->noncentrality;
    }
done:
    return status;
}

Status promise_scales(Plan *plan) {
    Status status = OK;
    for (int64_t q = 0; q < plan->queries; q++) plan->gates += plan->query[q].gated;
    bool gated = plan->gates > 0;
    if (gated && isnan(plan->args->delta)) {
        fail(plan->work->error, BAD, "the keys of the groups are not public, so the presence of a key discloses that someone has it");
        error_parameter(plan->work->error, "delta");
        return error_advice(
            plan->work->error,
            "Give --delta, so that keys of few records are left out by a threshold, or --public-keys FILE with all possible keys.");
    }
    plan->threshold_delta = gated ? (plan->promise == PROMISE_EPSILON_DELTA ? plan->args->delta / 2 : plan->args->delta) : 0;
    share_out(plan);
    plan->epsilon = NAN;
    if (plan->noise == DISCRETE_LAPLACE_NOISE) {
        TRY(release_epsilon(plan));
        for (int64_t b = 0; b < plan->measures; b++)
            if (plan->measure[b].choice)
                TRY(choice_scale(plan, &plan->measure[b], plan->epsilon * (double)plan->measure[b].over / (double)plan->measure[b].share,
                                 NAN));
            else if (!plan->measure[b].exact) TRY(laplace_scale(plan, &plan->measure[b], plan->epsilon));
    } else {
        TRY(gaussian_scales(plan));
    }
done:
    return status;
}
