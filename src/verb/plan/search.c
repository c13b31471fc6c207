/* The search: candidates raced against one another on a sample, the winners measured on all records, and those drawn at random again with
 * other seeds. Counted in releases made, so that a seed gives the same plan on every machine unless the clock cuts it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "verb/plan/plan.h"

enum { ELITE = 20, FINALISTS = 24, LEAST_FINALISTS = 3, ROUNDS_OF_SEEDS = 64, EARLY = 3, PATIENCE = 60, LARGE = 20000 };
#define ENOUGH 0.99 /* less than this share of the best loss is an improvement */
#define NEAR 1.25   /* the thorough suppression may save as much of the loss of the quick one */

/* May another release be made? `share` of the time is for this part of the search and those before it. */
static bool in_time(Plan *plan, double share) {
    if (isinf(plan->deadline) || work_seconds() < plan->started + share * (plan->deadline - plan->started)) return true;
    plan->cut = true;
    return false;
}

/* ---- candidates ---- */

static bool is_known(const Plan *plan, const Gene *gene, bool full) {
    for (int64_t i = 0; i < plan->count; i++)
        if (plan->candidate[i].given < 0 && !plan->candidate[i].remedies && plan->candidate[i].full == full &&
            !memcmp(&plan->candidate[i].gene, gene, sizeof *gene))
            return true;
    return false;
}

static bool draws(const Step *steps, int64_t count) {
    for (int64_t i = 0; i < count; i++)
        if (steps[i].method->traits & RANDOM) return true;
    return false;
}

static void take_score(Candidate *c, const Score *s) {
    double n = (double)c->seeds;
#define MEAN(f) c->score.f = (c->score.f * n + s->f) / (n + 1)
    if (!c->seeds) {
        c->score = *s;
        c->risk_low = c->risk_high = s->risk;
        c->loss_low = c->loss_high = s->loss;
    } else {
        MEAN(risk), MEAN(by_keys), MEAN(by_joining), MEAN(loss), MEAN(values_lost), MEAN(moved), MEAN(pairs), MEAN(analyses);
        c->score.ran &= s->ran;
        if (s->broken > c->score.broken) c->score.broken = s->broken;
        c->risk_low = fmin(c->risk_low, s->risk);
        c->risk_high = fmax(c->risk_high, s->risk);
        c->loss_low = fmin(c->loss_low, s->loss);
        c->loss_high = fmax(c->loss_high, s->loss);
    }
#undef MEAN
    c->seeds++;
}

static bool is_acceptable(const Candidate *c) { return c->given < 0 && c->score.ran && !c->score.broken; }

/* Candidates that satisfy every rule, on all records or on the sample. */
static int64_t acceptable(const Plan *plan, bool full) {
    int64_t count = 0;
    for (int64_t i = 0; i < plan->count; i++) count += plan->candidate[i].full == full && is_acceptable(&plan->candidate[i]);
    return count;
}

/* Makes and measures it once more, with the next seed. */
static Status try_once(Plan *plan, Candidate *c) {
    Status status = OK;
    Work work = *plan->work;
    const Step *steps;
    int64_t count;
    Score score;
    char what[96];
    work.arena = arena_new();
    if (!work.arena) return out_of_memory(plan->work->error);
    TRY(work_check(plan->work));
    snprintf(what, sizeof what, "release %lld of about %lld; %lld on all records satisfy the policy", (long long)plan->measured + 1,
             (long long)(plan->planned > plan->measured ? plan->planned : plan->measured + 1), (long long)acceptable(plan, true));
    work_show(plan->work, what, plan->planned ? fmin(1, (double)plan->measured / (double)plan->planned) : 0);
    TRY(plan_candidate_steps(plan, &work, c, &steps, &count));
    c->random = draws(steps, count);
    TRY(plan_score(plan, steps, count, c->given < 0 ? &c->gene : NULL, c->full ? plan->data : plan->sample, c->seeds, &score));
    take_score(c, &score);
    plan->measured++;
done:
    arena_free(work.arena);
    return status;
}

static Status add(Plan *plan, const Gene *gene, int64_t given, bool full) {
    Status status = OK;
    GROW(plan->work, plan->candidate, plan->room, plan->count + 1);
    plan->candidate[plan->count] = (Candidate){ .given = given, .full = full };
    if (gene) plan->candidate[plan->count].gene = *gene;
    TRY(try_once(plan, &plan->candidate[plan->count]));
    plan->count++;
done:
    return status;
}

Status plan_add(Plan *plan, const Candidate *candidate) {
    Status status = OK;
    GROW(plan->work, plan->candidate, plan->room, plan->count + 1);
    plan->candidate[plan->count] = *candidate;
    plan->candidate[plan->count].seeds = 0;
    TRY(try_once(plan, &plan->candidate[plan->count]));
    plan->count++;
done:
    return status;
}

/* A cheap bound: a rule that counts frequencies of the keys cannot be computed once keys are drawn at random, and is broken then. */
static bool is_hopeless(const Plan *plan, const Gene *gene) {
    const char *name = gene->whole ? plan->wholes.at[gene->whole].method : plan->guards.at[gene->guard].method;
    const Method *method = NULL;
    if (!name || method_need(name, &method, NULL) || !((method->traits & PERTURBS) || gene->whole)) return false;
    for (int64_t i = 0; plan->has_policy && i < plan->policy.rules; i++) {
        const Method *judge = plan->policy.rule[i].method;
        if ((judge->traits & FREQUENCY) && method_param(judge, "keys")) return true;
    }
    return false;
}

/* What satisfies the policy on the sample is made of all records at once, so that an acceptable release is at hand while the races go on. */
static Status try_early(Plan *plan) {
    const Candidate *c = &plan->candidate[plan->count - 1];
    if (!plan->has_policy || c->full || !is_acceptable(c) || plan->early == EARLY || acceptable(plan, true)) return OK;
    const Gene gene = c->gene;
    plan->early++;
    return is_known(plan, &gene, true) ? OK : add(plan, &gene, -1, true);
}

/* A gene that is new: on the sample where there is one, else on all records. */
static Status consider(Plan *plan, Gene gene, bool full, double share) {
    Status status = OK;
    plan_tidy(plan, &gene);
    bool enough = full == !plan->sample && plan->count - plan->givens >= plan->most; /* of the races; finals are counted apart */
    bool first = plan->count == plan->givens;                                        /* one is tried, whatever the clock says */
    if (enough || is_known(plan, &gene, full) || !(first || in_time(plan, share))) return OK;
    if (is_hopeless(plan, &gene)) {
        plan->ruled_out++;
        return OK;
    }
    TRY(add(plan, &gene, -1, full));
    TRY(try_early(plan));
done:
    return status;
}

static bool is_called(const Option *option, const char *method) { return option->method && !strcmp(option->method, method); }

/* Keys guarded by suppression or Mondrian at four times k and more, numbers synthesised or shuffled: what is most likely to satisfy rules on
 * re-identification. The amount grows until one of them does. */
Status plan_strong(Plan *plan, bool full) {
    Status status = OK;
    const int64_t most = plan->most;
    const bool numbers = plan->number_options.count > 1;
    plan->most = INT64_MAX;
    for (int g = plan->guards.count - 1; g > 0; g--) /* Mondrian first, which takes the least time */
        for (int8_t amount = 2; amount < PLAN_AMOUNTS && (amount <= 3 || !acceptable(plan, full)); amount++)
            for (int n = numbers; n < plan->number_options.count; n++) {
                const Option *guard = &plan->guards.at[g], *number = &plan->number_options.at[n];
                if (guard->fixed || !(is_called(guard, "protect.suppress") || is_called(guard, "protect.mondrian"))) continue;
                if (numbers && !is_called(number, "synth.partial") && !is_called(number, "protect.shuffle")) continue;
                TRY(consider(plan, (Gene){ .guard = (int8_t)g, .guard_amount = amount, .number = (int8_t)n, .number_amount = 1 }, full,
                             .9));
            }
done:
    plan->most = most;
    return status;
}

/* ---- who beats whom ---- */

/* Fewer broken rules first; then no worse on both axes and better on one. */
static bool beats(const Candidate *a, const Candidate *b) {
    if (a->score.broken != b->score.broken) return a->score.broken < b->score.broken;
    return a->score.risk <= b->score.risk && a->score.loss <= b->score.loss &&
           (a->score.risk < b->score.risk || a->score.loss < b->score.loss);
}

typedef struct {
    int64_t at, beaten;
    double loss;
} Place;

static int by_place(const void *a, const void *b) {
    const Place *x = a, *y = b;
    if (x->beaten != y->beaten) return x->beaten < y->beaten ? -1 : 1;
    if (x->loss != y->loss) return x->loss < y->loss ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* Candidates of one kind (sample or full), the least beaten first. */
static Status placed(Plan *plan, bool full, Place **out, int64_t *count) {
    Status status = OK;
    Place *place = NULL;
    *count = 0;
    NEW(plan->work, place, plan->count + 1);
    for (int64_t i = 0; i < plan->count; i++) {
        const Candidate *c = &plan->candidate[i];
        if (c->full != full || !c->score.ran || c->given >= 0) continue;
        Place p = { i, 0, c->score.loss };
        for (int64_t j = 0; j < plan->count; j++) {
            const Candidate *d = &plan->candidate[j];
            p.beaten += d->full == full && d->score.ran && d->given < 0 && beats(d, c);
        }
        place[(*count)++] = p;
    }
    if (*count) qsort(place, (size_t)*count, sizeof *place, by_place);
    *out = place;
done:
    return status;
}

/* ---- the first candidates ---- */

/* How much of the time is for the races: all but that for seeds, unless winners are measured on all records afterwards. */
static double race_share(const Plan *plan) { return plan->sample ? .5 : .85; }

/* The keys recoded to this level: all together, with suppression beside it and without; and at the first level one at a time. */
static Status first_levels(Plan *plan, int level, bool full, double share) {
    Status status = OK;
    Gene all = { .guard = 1 };
    for (int64_t k = 0; k < plan->keys.count && k < PLAN_KEYS; k++) all.level[k] = (int8_t)level;
    TRY(consider(plan, all, full, share));
    all.guard = 0;
    TRY(consider(plan, all, full, share));
    for (int64_t k = 0; level == 1 && k < plan->keys.count && k < PLAN_KEYS; k++) {
        Gene one = { .guard = 1 };
        one.level[k] = 1;
        TRY(consider(plan, one, full, share));
    }
done:
    return status;
}

/* What hides the numbers, over the keys guarded by suppression, which is then at hand: cheap, so at every amount, a middling one first.
 * What else guards the keys is dear, and tried weak and strong only: what lies between comes by breeding. */
static Status first_ones(Plan *plan, bool full) {
    static const int8_t amount[PLAN_AMOUNTS] = { 3, 0, 5, 1, 4, 2 };
    Status status = OK;
    double share = race_share(plan) * .6;
    TRY(consider(plan, (Gene){ 0 }, full, share));
    TRY(consider(plan, (Gene){ .guard = 1 }, full, share));
    for (int i = 0; i < PLAN_AMOUNTS; i++) {
        int8_t dear = i == 0 ? 0 : i == 2 ? 3 : -1;
        for (int n = 1; n < plan->number_options.count; n++)
            TRY(consider(plan, (Gene){ .guard = 1, .number = (int8_t)n, .number_amount = amount[i] }, full, share));
        for (int8_t g = 0; dear >= 0 && g < plan->guards.count; g++)
            TRY(consider(plan, (Gene){ .guard = g, .guard_amount = dear }, full, share));
        for (int8_t w = 1; dear >= 0 && w < plan->wholes.count; w++)
            TRY(consider(plan, (Gene){ .whole = w, .whole_amount = dear }, full, share));
        if (i + 1 < PLAN_LEVELS) TRY(first_levels(plan, i + 1, full, share));
    }
done:
    return status;
}

/* ---- children ---- */

static int below(Plan *plan, int n) { return n > 0 ? (int)reader_below(&plan->random, (uint64_t)n) : 0; }

/* Keys of one parent, numbers of the other: what is done to one hardly bears on the other. */
static Gene crossed(const Gene *keys, const Gene *numbers) {
    Gene child = *keys;
    child.whole = child.whole_amount = 0;
    child.number = numbers->number;
    child.number_amount = numbers->number_amount;
    child.after = numbers->after;
    child.after_amount = numbers->after_amount;
    return child;
}

static void mutate(Plan *plan, Gene *g) {
    int step = below(plan, 2) ? 1 : -1;
    switch (below(plan, 7)) {
    case 0: g->guard = (int8_t)below(plan, plan->guards.count); break;
    case 1: g->guard_amount = (int8_t)(g->guard_amount + step); break;
    case 2: g->number = (int8_t)below(plan, plan->number_options.count); break;
    case 3: g->number_amount = (int8_t)(g->number_amount + step); break;
    case 4: g->after = (int8_t)below(plan, plan->afters.count); break;
    case 5: g->after_amount = (int8_t)(g->after_amount + step); break;
    default:
        if (plan->keys.count) {
            int k = below(plan, (int)(plan->keys.count < PLAN_KEYS ? plan->keys.count : PLAN_KEYS));
            g->level[k] = (int8_t)(g->level[k] + step);
        }
    }
    if (below(plan, 3) == 0) g->whole = 0;
}

/* Of a large table a child is made on the sample first: one that violates the policy there is not made of all records. */
static Status survives(Plan *plan, Gene gene, bool *out) {
    Status status = OK;
    const int64_t most = plan->most;
    *out = true;
    if (!plan->sample || !plan->has_policy || !acceptable(plan, true)) return OK;
    plan_tidy(plan, &gene);
    *out = false;
    plan->most = INT64_MAX;
    TRY(consider(plan, gene, false, .8));
    for (int64_t i = 0; i < plan->count; i++) {
        const Candidate *c = &plan->candidate[i];
        if (!c->full && c->given < 0 && !memcmp(&c->gene, &gene, sizeof gene)) *out = is_acceptable(c);
    }
done:
    plan->most = most;
    return status;
}

/* One round: children of the elite, as many as the elite. */
static Status breed(Plan *plan, bool full, double share, int64_t *left) {
    Status status = OK;
    Place *place;
    int64_t count, before = plan->count;
    TRY(placed(plan, full, &place, &count));
    int elite = (int)(count < ELITE ? count : ELITE);
    for (int i = 0; i < 2 * ELITE && elite && *left > 0 && in_time(plan, share); i++) {
        Gene child = plan->candidate[place[below(plan, elite)].at].gene;
        if (below(plan, 2)) child = crossed(&child, &plan->candidate[place[below(plan, elite)].at].gene);
        mutate(plan, &child);
        if (below(plan, 3) == 0) mutate(plan, &child);
        int64_t was = plan->count;
        bool alive = true;
        if (full) TRY(survives(plan, child, &alive));
        if (alive) TRY(consider(plan, child, full, share));
        *left -= plan->count - was;
    }
    if (plan->count == before) *left -= ELITE; /* nothing new: a round all the same, so that it ends */
done:
    return status;
}

/* Every guard at every amount with every treatment of the numbers at every amount, in random order. */
static Status try_grid(Plan *plan, bool full) {
    Status status = OK;
    int64_t guards = (int64_t)plan->guards.count * PLAN_AMOUNTS, numbers = (int64_t)plan->number_options.count * PLAN_AMOUNTS,
            *order = NULL;
    RandomStream stream = run_stream(plan->run, NULL, "grid");
    NEW(plan->work, order, guards * numbers + 1);
    TRY(stream_permutation(plan->work, &stream, guards * numbers, order));
    for (int64_t i = 0; i < guards * numbers; i++) {
        int64_t g = order[i] / numbers, n = order[i] % numbers;
        TRY(consider(plan,
                     (Gene){ .guard = (int8_t)(g / PLAN_AMOUNTS),
                             .guard_amount = (int8_t)(g % PLAN_AMOUNTS),
                             .number = (int8_t)(n / PLAN_AMOUNTS),
                             .number_amount = (int8_t)(n % PLAN_AMOUNTS) },
                     full, race_share(plan)));
    }
done:
    return status;
}

/* ---- the races ---- */

/* Of a large table: none of the last so many candidates had clearly less loss than the best before it, or fewer broken rules. */
static bool is_stale(Plan *plan, bool full, int64_t patience) {
    int64_t since = 0;
    const Candidate *best = NULL;
    if (!plan->sample) return false;
    for (int64_t i = 0; i < plan->count; i++) {
        const Candidate *c = &plan->candidate[i];
        if (c->full != full || c->given >= 0 || !c->score.ran) continue;
        since++;
        if (best &&
            (c->score.broken > best->score.broken || (c->score.broken == best->score.broken && c->score.loss >= ENOUGH * best->score.loss)))
            continue;
        best = c;
        since = 0;
    }
    if (since < patience) return false;
    plan->ended = true;
    return true;
}

/* How many candidates are made of all records: fewer of a larger table. */
static int64_t finalists(const Plan *plan) {
    double share = (double)LARGE / (double)plan->data->rows;
    int64_t count = share >= 1 ? FINALISTS : (int64_t)(FINALISTS * share);
    return count < LEAST_FINALISTS ? LEAST_FINALISTS : count;
}

static Status race(Plan *plan, int64_t races) {
    Status status = OK;
    bool full = !plan->sample;
    int64_t left;
    if (plan->grid) return try_grid(plan, full);
    if (!full && plan->has_policy) TRY(plan_strong(plan, false));
    TRY(first_ones(plan, full));
    left = races - (plan->count - plan->givens);
    while (left > 0 && in_time(plan, race_share(plan)) && !is_stale(plan, full, PATIENCE)) TRY(breed(plan, full, race_share(plan), &left));
done:
    return status;
}

/* The winners on all records, then children of those. */
static Status final(Plan *plan, int64_t races) {
    Status status = OK;
    Place *place;
    int64_t count, most = finalists(plan), left = races * most / (4 * FINALISTS), first = 0;
    if (!plan->sample) return OK;
    TRY(placed(plan, false, &place, &count));
    bool some = acceptable(plan, true);
    while (first < count && !place[first].beaten) first++;
    for (int64_t i = 0; i < count && i < most; i++) {
        int64_t at = first > most ? i * (first - 1) / (most - 1) : i; /* across the whole front, where not all of it is made */
        Gene gene = plan->candidate[place[at].at].gene;
        if (some && plan->candidate[place[at].at].score.broken) break; /* it would not be on the front */
        TRY(consider(plan, gene, true, i ? .8 : INFINITY));            /* one at least, whatever the clock says */
    }
    while (!plan->grid && left > 0 && in_time(plan, .8) && !is_stale(plan, true, most)) TRY(breed(plan, true, .8, &left));
done:
    return status;
}

static void mark_front(Plan *plan) {
    for (int64_t i = 0; i < plan->count; i++) {
        Candidate *c = &plan->candidate[i];
        c->front = c->full && c->given < 0 && c->score.ran && !c->score.broken;
        for (int64_t j = 0; j < plan->count && c->front; j++) {
            const Candidate *d = &plan->candidate[j];
            if (!d->full || d->given >= 0 || !d->score.ran) continue;
            bool same = d->score.risk == c->score.risk && d->score.loss == c->score.loss && !d->score.broken && j < i;
            c->front = !(beats(d, c) || same);
        }
    }
}

/* With how many seeds: chance moves the figures of a large table little, and each release takes long. */
static int64_t seeds_of(const Plan *plan) {
    int64_t rows = plan->data->rows;
    return rows <= LARGE ? PLAN_SEEDS : rows <= 10 * (int64_t)LARGE ? 2 : 1;
}

/* What draws at random is drawn again: a release that wins by luck falls back, and another comes to the front. */
static Status repeat(Plan *plan) {
    Status status = OK;
    bool again = true;
    for (int round = 0; round < ROUNDS_OF_SEEDS && again; round++) {
        again = false;
        mark_front(plan);
        for (int64_t i = 0; i < plan->count; i++) {
            Candidate *c = &plan->candidate[i];
            while (c->full && (c->front || c->given >= 0) && c->random && c->seeds < seeds_of(plan) && in_time(plan, 1)) {
                TRY(try_once(plan, c));
                again = true;
            }
        }
    }
    mark_front(plan);
done:
    return status;
}

/* The quickly suppressed release with the least loss, suppressed again with the fewest cells, where that may make it the best. */
static Status finish_best(Plan *plan) {
    Status status = OK;
    const Candidate *best = plan_best(plan), *quick = NULL;
    for (int64_t i = 0; i < plan->count; i++) {
        const Candidate *c = &plan->candidate[i];
        if (!c->full || !is_acceptable(c) || !plan_is_quick(plan, &c->gene)) continue;
        if (!quick || c->score.loss < quick->score.loss) quick = c;
    }
    if (!best || !quick || quick->score.loss > NEAR * best->score.loss || !in_time(plan, 1)) return OK;
    Candidate c = { .gene = quick->gene, .given = -1, .remedy = quick->remedy, .remedies = quick->remedies, .full = true };
    c.gene.thorough = 1;
    TRY(plan_add(plan, &c));
    TRY(repeat(plan));
done:
    return status;
}

Status plan_search(Plan *plan, int64_t races) {
    Status status = OK;
    plan->most = races;
    plan->started = work_seconds();
    if (!isinf(plan->deadline)) plan->deadline += plan->started;
    plan->planned = races + (plan->sample ? finalists(plan) * (1 + races / (4 * FINALISTS)) : 0) + plan->givens + 2 * ELITE;
    for (int64_t i = 0; i < plan->givens; i++) TRY(add(plan, NULL, i, true));
    TRY(race(plan, races));
    TRY(final(plan, races));
    TRY(plan_remedies(plan));
    TRY(repeat(plan));
    TRY(finish_best(plan));
done:
    return status;
}

const Candidate *plan_best(const Plan *plan) {
    const Candidate *best = NULL;
    for (int64_t i = 0; i < plan->count; i++)
        if (plan->candidate[i].front && (!best || plan->candidate[i].score.loss < best->score.loss)) best = &plan->candidate[i];
    return best;
}

const Candidate *plan_nearest(const Plan *plan) {
    const Candidate *best = NULL;
    for (int64_t i = 0; i < plan->count; i++) {
        const Candidate *c = &plan->candidate[i];
        if (!c->full || !c->score.ran || c->given >= 0) continue;
        if (!best || c->score.broken < best->score.broken || (c->score.broken == best->score.broken && c->score.loss < best->score.loss))
            best = c;
    }
    return best;
}
