/* Smooth sensitivity of the median and of quantiles (Nissim, Raskhodnikova & Smith 2007), with discrete Laplace noise. */
#include "base/elementary.h"
#include "release/query/query.h"

/* Noise of scale t = ⌈2(S + 1)/ε⌉ + K units, S the β-smooth bound in units (the 1 is for rounding to the grid). t is itself β-smooth:
 * adding a constant keeps that, and K(e^β − 1) ≥ 1 makes up for rounding up. A neighbour's answer is at most S + 1 away, which costs
 * e^(ε/2). Its scale is within e^±β, which costs e^(ε/2) again unless |noise| > tL; that has probability at most 2e^−L = δe^(−ε/2), L =
 * ln(2e^(ε/2)/δ), with β = ln(1 + ε/(2L)). */
Status plan_smooth(Plan *plan, int64_t at, const Exact *e, const Fixed *x) {
    Status status = OK;
    Measure *measure = &plan->measure[at];
    int64_t weights = 0;
    for (int64_t q = 0; q < plan->queries; q++) weights += plan->query[q].weight;
    double share = (double)weights / (double)plan->query[measure->query].weight, epsilon = plan->args->epsilon / share,
           delta = plan->args->delta / share;
    if (isnan(epsilon) || isnan(delta)) {
        fail(plan->work->error, BAD, "needs --epsilon and --delta");
        return error_parameter(plan->work->error, "smooth");
    }
    double far = log(2 / delta) + epsilon / 2,
           beta = log1p(epsilon / (2 * far)) * (1 - 1e-9); /* a little less, for the rounding of what follows */
    QuantilePlace place = quantile_place(e->n, e->statistic.share);
    double bound = (1 - place.fraction) * smooth_sensitivity(e->x, e->n, x->low, x->high, place.below, beta);
    if (place.fraction > 0)
        bound +=
            place.fraction * smooth_sensitivity(e->x, e->n, x->low, x->high, place.below + 1, beta); /* a sum of smooth bounds is one */
    bound = ldexp(bound, x->exponent - measure->exponent);
    if (plan->args->group > 1) TRY(fail(plan->work->error, BAD, "--smooth protects single people only, not groups"));
    double units = ceil(2 * (bound * (1 + 1e-12) + 1) / epsilon) + ceil(1 / expm1(beta)) + 1;
    if (!(units < 0x1p61)) TRY(fail(plan->work->error, BAD, "this guarantee needs more noise than the sampler can draw"));
    measure->smooth_units = (uint64_t)units;
done:
    return status;
}
