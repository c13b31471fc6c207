/* The result of a release: answers, what they are made of, and what was promised. */
#include <math.h>
#include "base/number.h"
#include "release/query/inside.h"

static void report_values(Plan *plan) {
    Result *result = plan->run->result;
    const ReleaseArgs *a = plan->args;
    bool laplace = plan->noise == DISCRETE_LAPLACE_NOISE;
    if (laplace && !plan->data_dependent) result_real(result, "epsilon", plan->tight_scale > 0 ? plan->block[0].epsilon : plan->epsilon);
    if (plan->promise == PROMISE_EPSILON_DELTA && !a->smooth) result_real(result, "epsilon", a->epsilon);
    if (!isnan(a->delta)) result_real(result, "delta", a->delta);
    if (plan->promise == PROMISE_IDENTIFIABILITY) {
        result_real(result, "identifiability", a->identifiability);
        result_real(result, "worlds", plan->worlds);
    }
    if (!laplace) {
        if (!plan->data_dependent) result_real(result, "zcdp", plan->promise == PROMISE_ZCDP ? a->zcdp : plan->noncentrality);
        if (!plan->data_dependent) result_real(result, "gdp_mu", plan->promise == PROMISE_GDP ? a->gdp : sqrt(2 * plan->noncentrality));
        result_real(result, "noncentrality", plan->noncentrality);
        result_real(result, "auc", plan->auc);
        if (!isnan(plan->auc_joint)) {
            result_real(result, "noncentrality_joint", plan->joint_noncentrality);
            result_real(result, "auc_joint", plan->auc_joint);
        }
    }
    if (plan->blocks == 1 && !plan->block[0].exact && !plan->block[0].smooth_units) {
        result_real(result, "sensitivity", plan->block[0].sensitivity);
        result_real(result, "scale", plan->block[0].scale);
    }
    if (plan->threshold_delta > 0)
        for (int64_t i = 0; i < plan->answers; i++)
            if (plan->answer[i].gate_block >= 0) { result_real(result, "threshold", plan_threshold(plan, &plan->block[plan->answer[i].gate_block])); break; }
    result_text(result, "promise", plan->sentence);
}

static void report_answers(Plan *plan) {
    bool grouped = false;
    for (int64_t i = 0; i < plan->answers; i++) grouped |= plan->answer[i].group != NULL;
    Grid *grid = grid_new(plan->run->result, "answers", grouped ? "query:text group:text answer:real lower:real upper:real sensitivity:real scale:real" : "query:text answer:real lower:real upper:real sensitivity:real scale:real");
    for (int64_t i = 0; i < plan->answers; i++) {
        const Answer *a = &plan->answer[i];
        const Measure *b = &plan->block[a->block[0]];
        bool single = a->blocks == 1;
        if (!a->shown) continue;
        grid_text(grid, plan->query[a->query].text);
        if (grouped) grid_text(grid, a->group);
        grid_real(grid, a->value);
        grid_real(grid, a->lower);
        grid_real(grid, a->upper);
        grid_real(grid, !single ? NAN : b->exact ? 0 : b->sensitivity);
        grid_real(grid, !single ? NAN : b->exact ? 0 : b->scale);
    }
    grid_done(grid);
    if (plan->threshold_delta > 0) result_note(plan->run->result, "Groups whose noisy count stayed below the threshold are left out, and so are keys that nobody has.");
}

static void report_parts(Plan *plan) {
    Grid *grid = grid_new(plan->run->result, "parts", "query:text part:text numbers:integer sensitivity:real scale:real grid:real");
    for (int64_t i = 0; i < plan->blocks; i++) {
        const Measure *b = &plan->block[i];
        bool keys_are_private = false;
        for (int64_t k = 0; k < plan->answers; k++) keys_are_private |= plan->answer[k].gate_block >= 0 && plan->answer[k].query == b->query;
        grid_text(grid, plan->query[b->query].text);
        grid_text(grid, b->part);
        if (keys_are_private) grid_missing(grid); else grid_integer(grid, b->count);
        grid_real(grid, b->exact ? 0 : b->sensitivity);
        grid_real(grid, b->exact ? 0 : b->scale);
        grid_real(grid, plan->data_dependent ? NAN : ldexp(1, b->exponent) / b->divisor);
    }
    grid_done(grid);
}

static Status chart_groups(Plan *plan, int64_t query) {
    Status status = OK;
    const char **label = NULL;
    double *height = NULL;
    int64_t count = 0;
    NEW(plan->work, label, plan->answers + 1);
    NEW(plan->work, height, plan->answers + 1);
    for (int64_t i = 0; i < plan->answers; i++) {
        const Answer *a = &plan->answer[i];
        if (a->query != query || !a->group || !a->shown) continue;
        label[count] = a->group;
        height[count++] = a->value;
    }
    if (!count) return OK;
    Chart *chart = result_chart(plan->run->result, CHART_BAR, plan->query[query].text, "group", "noisy answer");
    chart_of(chart, "answers");
    chart_series(chart, plan->query[query].text, count, NULL, height, NULL, label);
done:
    return status;
}

static void report_notes(Plan *plan) {
    Result *result = plan->run->result;
    const ReleaseArgs *a = plan->args;
    if (a->neighbours == LEAVE_ONE_OUT) result_note(result, "Leave-one-out sensitivity is taken from this table. This is NOT differential privacy: the amount of noise itself tells something about the data.");
    else if (plan->data_dependent) result_note(result, "The sensitive range is taken from this table's other records, which the adversary is assumed to know. It is not differential privacy.");
    if (a->smooth) result_note(result, "The scale of this noise depends on the data and is not told; neither is an interval.");
    if (plan->queries > 1 && plan->promise != PROMISE_NONCENTRALITY) result_note(result, "The promise is for all answers together: each query has an equal share of it.");
    if (plan->promise == PROMISE_NONCENTRALITY && plan->blocks > 1) result_note(result, "The noncentrality is that of each query; together they add up.");
    if (!a->ledger) result_note(result, "No ledger was debited: nobody counts what this release has spent.");
    if (a->insecure_reproducible) result_note(result, "Warning: the noise was drawn from a seed (--insecure-reproducible). Whoever knows the seed can take it off: this is a test, not a release.");
}

Status release_report(Plan *plan) {
    Status status = OK;
    report_values(plan);
    report_answers(plan);
    report_parts(plan);
    report_notes(plan);
    for (int64_t q = 0; q < plan->queries; q++) TRY(plan->query[q].kind == QUERY_ROC ? report_roc(plan, q) : chart_groups(plan, q));
done:
    return status;
}
