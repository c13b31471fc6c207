/* What a release promises, in one sentence that says no more than holds. */
#include <stdio.h>
#include "base/elementary.h"
#include "base/number_text.h"
#include "math/privacy/roc.h"
#include "release/query/query.h"

static const char *person_words(const Plan *plan) {
    if (plan->args->neighbours == WORLDS) return "the one record that the adversary does not know";
    if (plan->args->group > 1)
        return plan->unit == ADD_REMOVE ? "the presence of any group of that many people" : "what any group of that many people reported";
    return plan->unit == ADD_REMOVE ? "the presence of any one person" : "what any one person reported";
}

/* e^ε as people read it. */
static const char *factor(double epsilon, char out[40]) {
    if (epsilon < 14) return real_short(exp(epsilon), 4, out);
    out[0] = 'e', out[1] = '^';
    real_short(epsilon, 6, out + 2);
    return out;
}

/* Keys that are not public are shown by a threshold, which fails with probability δ: whatever else is promised holds but for that. */
static const char *but_for(const Plan *plan, double delta) {
    char text[40];
    return delta > 0 ? arena_print(plan->work->arena, "Except with probability %s, ", real_short(delta, 3, text)) : "";
}

static const char *sentence_epsilon(const Plan *plan) {
    const ReleaseArgs *a = plan->args;
    char one[40], two[40], three[40];
    double delta = isnan(a->delta) ? 0 : a->delta;
    return arena_print(plan->work->arena,
                       "%s%s conclusion from this release is more than %s times as likely, or as unlikely, because of %s (ε = %s%s%s).",
                       but_for(plan, delta), delta > 0 ? "no" : "No", factor(a->epsilon, one), person_words(plan),
                       real_short(a->epsilon, 6, two), delta > 0 ? ", δ = " : "", delta > 0 ? real_short(delta, 3, three) : "");
}

/* Two tables, one and the same without a record, and the same noise on both: that is all that the sensitivity was taken from. */
static const char *sentence_leave_one_out(const Plan *plan) {
    const ReleaseArgs *a = plan->args;
    char one[40], two[40];
    Arena *arena = plan->work->arena;
    const char *what = NULL;
    if (plan->promise == PROMISE_EPSILON)
        what = arena_print(arena, "each answer would be at most %s times as likely, or as unlikely (ε = %s)", factor(a->epsilon, one),
                           real_short(a->epsilon, 6, two));
    else if (plan->promise == PROMISE_EPSILON_DELTA)
        what = arena_print(arena, "each set of answers would be at most %s times as likely as here, plus %s", factor(a->epsilon, one),
                           real_short(a->delta, 3, two));
    else if (plan->promise == PROMISE_ZCDP)
        what = arena_print(arena, "the answers would differ from these by no more information than ρ = %s allows",
                           real_short(a->zcdp, 6, one));
    else if (plan->promise == PROMISE_GDP)
        what = arena_print(arena,
                           "deciding which table was used would be at least as hard as distinguishing two normal distributions whose means "
                           "are %s standard deviations apart",
                           real_short(a->gdp, 6, one));
    else
        what = arena_print(
            arena,
            "an adversary who receives two such releases and knows in which direction the record moves the answers, but not this table, "
            "would rank pairs from different tables above pairs from the same table with probability at most %s (0.5 = chance)",
            real_short(roc_auc(plan->noncentrality), 6, one));
    if (a->show_scales)
        return arena_print(
            arena,
            "For the data custodian only: if any one record of this table were removed and noise of the same scale added, %s. Nothing more "
            "is guaranteed: the scale was computed from this table and discloses information about its records.",
            what);
    return arena_print(
        arena,
        "If any one record were removed and noise of the same scale added, %s. This holds for every table with this number of records and "
        "these bounds, and all of them have this scale. Nothing more is guaranteed about the content of a record.",
        what);
}

static const char *sentence_roc(const Plan *plan) {
    char one[40], two[40], three[40];
    const char *also =
        plan->threshold_delta > 0
            ? arena_print(plan->work->arena, " With probability at least 1 − %s (δ), keys that are not public do not increase this.",
                          real_short(plan->threshold_delta, 3, three))
            : "";
    return arena_print(
        plan->work->arena,
        "An adversary who receives two such releases, knows in which direction %s moves the answers, and knows neither table, ranks pairs "
        "from different tables above pairs from the same table with probability at most %s (area under the ROC curve; 0.5 = chance). An "
        "adversary who knows the table and the change ranks single releases with probability at most %s.%s",
        person_words(plan), real_short(roc_auc(plan->noncentrality), 6, one), real_short(roc_auc_informed(plan->noncentrality), 6, two),
        also);
}

static const char *sentence_identifiability(const Plan *plan) {
    const ReleaseArgs *a = plan->args;
    char one[40], two[40], three[40], known[160];
    bool all_but_one = a->known == ABSENT;
    snprintf(known, sizeof known, "%lld of the %lld records", (long long)a->known, (long long)plan->rows);
    return arena_print(
        plan->work->arena, "%s%s who knows %s, %s assigns %s a probability of at most %s after seeing this release. It was %s before.",
        but_for(plan, plan->threshold_delta), plan->threshold_delta > 0 ? "an adversary" : "An adversary",
        all_but_one ? "all records but one" : known,
        all_but_one ? arena_print(plan->work->arena, "and %s possibilities for the remaining one,", real_short(plan->worlds, 8, three))
                    : "and who else could be in the table,",
        all_but_one ? "the true value" : "any person's membership", real_short(a->identifiability, 6, one),
        real_short(1 / plan->worlds, 3, two));
}

void promise_sentence(Plan *plan) {
    const ReleaseArgs *a = plan->args;
    char one[40], two[40];
    Arena *arena = plan->work->arena;
    const char *who = person_words(plan), *but = but_for(plan, plan->threshold_delta);
    bool gated = plan->threshold_delta > 0;
    if (a->neighbours == LEAVE_ONE_OUT) {
        plan->sentence = sentence_leave_one_out(plan);
        return;
    }
    switch (plan->promise) {
    case PROMISE_EPSILON:
    case PROMISE_EPSILON_DELTA: plan->sentence = sentence_epsilon(plan); break;
    case PROMISE_ZCDP:
        plan->sentence = arena_print(arena,
                                     "%s%s information that this release carries about %s is at most that of normal noise whose variance "
                                     "is %s times the square of the change (ρ = %s).",
                                     but, gated ? "the" : "The", who, real_short(1 / (2 * a->zcdp), 4, one), real_short(a->zcdp, 6, two));
        break;
    case PROMISE_GDP:
        plan->sentence = arena_print(arena,
                                     "%s%s from this release %s is at least as hard as distinguishing one draw of a normal distribution "
                                     "from a draw of another whose mean is %s standard deviations away (μ = %s).",
                                     but, gated ? "determining" : "Determining", who, real_short(a->gdp, 4, one), one);
        break;
    case PROMISE_AUC:
    case PROMISE_NONCENTRALITY: plan->sentence = sentence_roc(plan); break;
    default: plan->sentence = sentence_identifiability(plan);
    }
    if (a->show_scales)
        plan->sentence =
            arena_print(arena,
                        "For the data custodian only. %s Nothing more is guaranteed: the scale was computed from this table and "
                        "discloses information about its records.",
                        plan->sentence);
}
