/* A broken rule: by how much it is missed, and the step that would mend it. */
#include "base/elementary.h"
#include <string.h>
#include "base/number_text.h"
#include "recipe/policy.h"

/* The step for a rule's value; N stands for the number that the rule asks for, K for the k that makes 1/k as small. */
static const struct {
    const char *method, *value, *step;
} steps[] = {
    { "k-anonymity", "k", "protect.suppress: {k: N}, after protect.recode or protect.generalize where many cells would go" },
    { "k-anonymity", NULL, "protect.suppress, after protect.recode or protect.generalize where many cells would go" },
    { "individual", "max_risk", "protect.suppress: {k: K}, or with weights protect.recode until rare classes are gone" },
    { "individual", NULL, "protect.recode or protect.generalize" },
    { "l-diversity", NULL, "protect.generalize: {l: N}" },
    { "t-closeness", NULL, "protect.generalize: {t: N}" },
    { "homogeneity", NULL, "protect.generalize: {k: 2, l: 2}, or a larger k in protect.suppress" },
    { "background", NULL, "protect.generalize with a larger l" },
    { "skewness", NULL, "protect.generalize: {t: 0.2}" },
    { "detail", "identifiers", "protect.drop (table found names the columns)" },
    { "detail", "dates", "protect.recode to years, or protect.drop; under other policies protect.shift-dates" },
    { "detail", "ages_above", "protect.top-bottom: {var: AGE, top: 90, replace: label}" },
    { "detail", "top_share", "protect.top-bottom: {top-quantile: 0.995}" },
    { "detail", "key_count", "protect.drop" },
    { "detail", NULL, "protect.recode with min-count, or coarser areas" },
    { "safe-harbour", "areas", "protect.recode to states, or protect.drop (table kinds names the columns)" },
    { "safe-harbour", "dates", "protect.recode to years, protect.top-bottom: {var: AGE, top: 90, replace: label}, or protect.drop" },
    { "safe-harbour", NULL, "protect.drop, or scrim scrub for free text (table kinds names the columns)" },
    { "residual", NULL, "the recommendations in the table residuals of risk.residual" },
    { "reidentification", NULL, "protect.recode or protect.suppress on the keys, protect.microaggregate or protect.noise on the numbers" },
    { "linkage", NULL, "more noise or larger groups (protect.noise, protect.microaggregate)" },
    { NULL, NULL, NULL }
};

static const char *step_of(const Rule *rule) {
    for (int i = 0; steps[i].method; i++)
        if (!strcmp(steps[i].method, rule->method->name) && (!steps[i].value || !strcmp(steps[i].value, rule->value))) return steps[i].step;
    return NULL;
}

const char *rule_recommendation(Work *work, const Rule *rule, double seen) {
    char number[33], missed[33];
    Buffer text = { 0 };
    const char *step = step_of(rule);
    buffer_print(&text, "missed by %s", real_short(fabs(seen - rule->number), 4, missed));
    if (step) buffer_text(&text, "; next: ");
    for (const char *at = step; at && *at; at++) {
        bool word = at == step || !((at[-1] >= 'a' && at[-1] <= 'z') || (at[-1] >= 'A' && at[-1] <= 'Z'));
        bool end = !((at[1] >= 'a' && at[1] <= 'z') || (at[1] >= 'A' && at[1] <= 'Z'));
        if (*at == 'N' && word && end) buffer_text(&text, real_short(rule->number, 6, number));
        else if (*at == 'K' && word && end) buffer_text(&text, real_short(rule->number > 0 ? ceil(1 / rule->number - 1e-9) : 2, 6, number));
        else buffer_char(&text, *at);
    }
    const char *copy = arena_text(work->arena, buffer_get(&text));
    buffer_free(&text);
    return copy;
}
