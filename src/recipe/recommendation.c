/* A rule in words, and the step that is recommended where it is violated. */
#include "base/elementary.h"
#include <string.h>
#include "base/number_text.h"
#include "recipe/policy.h"

/* The step for a rule's value; N stands for the number that the rule asks for, K for the k that makes 1/k as small. */
static const struct {
    const char *method, *value, *step;
} steps[] = {
    { "k-anonymity", "k", "protect.suppress: {k: N}, after protect.recode or protect.generalize where many cells would be suppressed." },
    { "k-anonymity", NULL, "protect.suppress, after protect.recode or protect.generalize where many cells would be suppressed." },
    { "individual", "max_risk", "protect.suppress: {k: K}, or with weights protect.recode until no small class remains." },
    { "individual", NULL, "protect.recode or protect.generalize." },
    { "l-diversity", NULL, "protect.generalize: {l: N}." },
    { "t-closeness", NULL, "protect.generalize: {t: N}." },
    { "homogeneity", NULL, "protect.generalize: {k: 2, l: 2}, or a larger k in protect.suppress." },
    { "background", NULL, "protect.generalize with a larger l." },
    { "skewness", NULL, "protect.generalize: {t: 0.2}." },
    { "detail", "identifiers", "protect.drop (table found names the columns)." },
    { "detail", "dates", "protect.recode to years, or protect.drop; under other policies protect.shift-dates." },
    { "detail", "ages_above", "protect.top-bottom: {var: AGE, top: 90, replace: label}." },
    { "detail", "top_share", "protect.top-bottom: {top-quantile: 0.995}." },
    { "detail", "key_count", "protect.drop." },
    { "detail", NULL, "protect.recode with min-count, or coarser areas." },
    { "safe-harbour", "areas", "protect.recode to states, or protect.drop (table kinds names the columns)." },
    { "safe-harbour", "dates", "protect.recode to years, protect.top-bottom: {var: AGE, top: 90, replace: label}, or protect.drop." },
    { "safe-harbour", NULL, "protect.drop, or scrim scrub for free text (table kinds names the columns)." },
    { "residual", NULL, "the recommended steps against each residual risk." },
    { "reidentification", NULL, "protect.recode or protect.suppress on the keys, protect.microaggregate or protect.noise on the numbers." },
    { "linkage", NULL, "more noise or larger groups (protect.noise, protect.microaggregate)." },
    { NULL, NULL, NULL }
};

static const char *step_of(const Rule *rule) {
    for (int i = 0; steps[i].method; i++)
        if (!strcmp(steps[i].method, rule->method->name) && (!steps[i].value || !strcmp(steps[i].value, rule->value))) return steps[i].step;
    return NULL;
}

const char *rule_recommendation(Work *work, const Rule *rule) {
    char number[33];
    Buffer text = { 0 };
    const char *step = step_of(rule);
    if (!step) return arena_text(work->arena, "Read the notes of the measure.");
    buffer_text(&text, "Try ");
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

/* ---- in words ---- */

static const Return *value_of(const Rule *rule) {
    for (const Return *r = rule->method->values; returns_more(r); r++)
        if (r->kind == RETURN_VALUE && !strcmp(r->name, rule->value)) return r;
    return NULL;
}

/* The first phrase of what a value means, without its range, direction and option names. */
static void put_name(const Rule *rule, const char *meaning, Buffer *out) {
    static const char *const ends[] = { ". ", ": ", "; ", " (", ", 0 to 1" };
    const char *end = meaning ? meaning + strlen(meaning) : NULL;
    for (size_t i = 0; meaning && i < sizeof ends / sizeof *ends; i++) {
        const char *found = strstr(meaning, ends[i]);
        if (found && found < end) end = found;
    }
    if (!meaning || end == meaning) {
        buffer_print(out, "%s of %s %s", rule->value, rule->method->group, rule->method->name);
        return;
    }
    buffer_char(out, meaning[0] >= 'a' && meaning[0] <= 'z' ? (char)(meaning[0] - 'a' + 'A') : meaning[0]);
    for (const char *at = meaning + 1; at < end; at++) {
        if (at[-1] == ' ' && at[0] == '-' && at[1] == '-') at++;
        else buffer_char(out, *at);
    }
}

static bool is_share(const Return *value) {
    return value && value->type == REAL_TYPE && value->meaning &&
           (!strncmp(value->meaning, "Share ", 6) || strstr(value->meaning, "0 to 1"));
}

/* Three digits, or as many as the verdict needs. */
static void put_number(const Rule *rule, bool percent, double value, bool judged, Buffer *out) {
    char text[33];
    double read = value;
    for (int digits = 3; digits <= 17; digits += 3) {
        real_short(value, digits, text);
        if (!judged || (read_real(text, text + strlen(text), '.', &read) && rule_holds(rule, read) == rule->met)) break;
    }
    if (percent) buffer_print(out, "%s%%", real_short(100 * read, 15, text));
    else buffer_text(out, text);
}

void rule_words(const Rule *rule, Buffer *out) {
    static const char *const words[] = { [COMPARE_LEAST] = "at least ", [COMPARE_MOST] = "at most ", [COMPARE_MORE] = "more than ",
                                         [COMPARE_LESS] = "less than ", [COMPARE_EQUAL] = "",        [COMPARE_UNEQUAL] = "other than " };
    const Return *value = value_of(rule);
    double seen = NAN;
    bool is_number = rule->seen && read_real(rule->seen, rule->seen + strlen(rule->seen), '.', &seen);
    bool percent = is_share(value) && rule->number >= 0 && rule->number <= 1 && !(is_number && (seen < 0 || seen > 1));
    put_name(rule, value ? value->meaning : NULL, out);
    if (rule->at) buffer_print(out, " (after %s)", rule->at);
    buffer_print(out, ": must be %s", words[rule->comparison]);
    put_number(rule, percent, rule->number, false, out);
    if (is_number) {
        buffer_text(out, ", is ");
        put_number(rule, percent, seen, true, out);
    } else if (rule->seen) buffer_print(out, ", is %s", rule->seen);
    else buffer_text(out, ", could not be computed");
}
