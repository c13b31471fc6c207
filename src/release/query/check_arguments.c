/* Which promise is asked for, and which arguments have no meaning beside which. */
#include "base/elementary.h"
#include "release/query/query.h"

static Status clash(Plan *plan, const char *parameter, const char *what) {
    fail(plan->work->error, BAD, "%s", what);
    return error_parameter(plan->work->error, parameter);
}

Status promise_read(Plan *plan) {
    const ReleaseArgs *a = plan->args;
    bool worlds = a->neighbours == WORLDS;
    plan->promise = !isnan(a->epsilon)       ? (isnan(a->delta) ? PROMISE_EPSILON : PROMISE_EPSILON_DELTA)
                    : !isnan(a->zcdp)        ? PROMISE_ZCDP
                    : !isnan(a->gdp)         ? PROMISE_GDP
                    : !isnan(a->auc)         ? PROMISE_AUC
                    : a->noncentrality.count ? PROMISE_NONCENTRALITY
                                             : PROMISE_IDENTIFIABILITY;
    bool laplace = plan->promise == PROMISE_EPSILON || plan->promise == PROMISE_IDENTIFIABILITY || a->smooth;
    plan->noise = laplace ? DISCRETE_LAPLACE_NOISE : DISCRETE_GAUSSIAN_NOISE;
    plan->worlds = a->worlds != ABSENT ? (double)a->worlds : !isnan(a->prior) ? 1 / a->prior : NAN;
    if ((a->worlds != ABSENT) + !isnan(a->prior) + (a->priors != NULL) > 1)
        return clash(plan, "worlds", "only one of --worlds, --prior and --priors can be given");
    const char *weighed = a->worlds != ABSENT  ? "worlds"
                          : !isnan(a->prior)   ? "prior"
                          : a->priors          ? "priors"
                          : a->known != ABSENT ? "known"
                                               : NULL;
    if (weighed && plan->promise != PROMISE_IDENTIFIABILITY) return clash(plan, weighed, "has a meaning only with --identifiability");
    if (a->priors && !worlds) return clash(plan, "priors", "has a meaning only with --neighbours worlds");
    if (a->smooth && plan->promise != PROMISE_EPSILON_DELTA) return clash(plan, "smooth", "needs --epsilon and --delta");
    if (a->smooth && a->neighbours != GLOBAL) return clash(plan, "smooth", "has a meaning only with --neighbours global");
    if (a->tight && (plan->promise != PROMISE_IDENTIFIABILITY || !worlds))
        return clash(plan, "tight", "has a meaning only with --identifiability and --neighbours worlds");
    if (a->tight && (a->known != ABSENT || a->worlds != ABSENT || !isnan(a->prior)))
        return clash(plan, "tight", "considers every world separately: --known, --worlds and --prior are not enough. Use --priors FILE");
    if (a->contributions && !worlds) return clash(plan, "contributions", "has a meaning only with --neighbours worlds");
    if ((a->universe || a->known != ABSENT) && !worlds)
        return clash(plan, a->universe ? "universe" : "known", "has a meaning only with --neighbours worlds");
    if (a->known != ABSENT && !a->universe) return clash(plan, "known", "needs --universe");
    if (a->known != ABSENT && (a->worlds != ABSENT || !isnan(a->prior) || a->priors))
        return clash(plan, "known", "implies the prior probability of membership: --worlds, --prior and --priors cannot be given with it");
    if (a->group > 1 && a->neighbours != GLOBAL) return clash(plan, "group", "has a meaning only with --neighbours global");
    if (plan->person && a->neighbours != GLOBAL) return clash(plan, "person", "has a meaning only with --neighbours global");
    if (plan->unit == ADD_REMOVE && a->neighbours != GLOBAL) return clash(plan, "unit", "has a meaning only with --neighbours global");
    if (a->neighbours == LEAVE_ONE_OUT && plan->promise == PROMISE_IDENTIFIABILITY)
        return clash(plan, "identifiability", "cannot be used with leave-one-out, which has no worlds. Use --neighbours worlds or global");
    if (a->show_scales && a->neighbours == GLOBAL)
        return clash(plan, "show_scales",
                     "has a meaning only with --neighbours leave-one-out or worlds: other scales are public and always shown");
    if (a->show_scales && worlds && (a->tight || a->ledger))
        return clash(plan, "show_scales",
                     a->tight ? "shows the range over the worlds, which --tight does not use"
                              : "with --neighbours worlds is for the data custodian alone and cannot be charged. Use --no-ledger");
    if (worlds && !laplace)
        return clash(plan, "neighbours",
                     "--neighbours worlds needs --identifiability or --epsilon: no other guarantee bounds the belief in a world");
    if (a->noncentrality.count > 1 && a->noncentrality.count != plan->queries)
        return clash(plan, "noncentrality", "needs one number, or one for each query");
    for (int64_t i = 0; i < a->noncentrality.count; i++)
        if (!(a->noncentrality.at[i] > 0)) return clash(plan, "noncentrality", "must be above 0");
    return OK;
}
