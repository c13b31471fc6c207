/* Answers as the ledger keeps them, and what makes two requests the same. */
#include "base/elementary.h"
#include "base/escape.h"
#include "release/query/query.h"

/* {"answers":[[query, group, answer, lower, upper],…]}: what was drawn, and nothing that can be computed again. */
Status answers_write(Plan *plan, Buffer *out) {
    const char *comma = "";
    buffer_text(out, "{\"answers\":[");
    for (int64_t i = 0; i < plan->answers; i++) {
        const Answer *a = &plan->answer[i];
        if (!a->shown) continue;
        buffer_print(out, "%s[%lld,", comma, (long long)a->query);
        put_json_text(out, a->group);
        const double number[] = { a->value, a->lower, a->upper };
        for (int k = 0; k < 3; k++) {
            buffer_char(out, ',');
            put_json_real(out, number[k]);
        }
        buffer_char(out, ']');
        comma = ",";
    }
    buffer_text(out, "]}");
    return out->failed ? out_of_memory(plan->work->error) : OK;
}

static void put_epsilons(const Plan *plan, bool ranked, Buffer *out) {
    const char *comma = "";
    for (int64_t i = 0; i < plan->measures; i++) {
        if (!plan->measure[i].choice || by_rank(&plan->measure[i]) != ranked) continue;
        buffer_text(out, comma);
        put_json_real(out, plan->measure[i].epsilon);
        comma = ",";
    }
}

/* What was released with what noise, for composition later: {"noise":"discrete-gaussian","parts":[[shift, scale],…],"choices":[ε,…] (of
 * range ε),"pure":[ε,…],"smooth":[ε, δ],"threshold":δ,"promise":[ε, δ],"steward":true}, the last two where there is such. Measures have one
 * pair each: how far one person moves all of its numbers together.
 */
Status detail_write(Plan *plan, Buffer *out) {
    bool laplace = plan->noise == DISCRETE_LAPLACE_NOISE;
    const char *comma = "";
    buffer_print(out, "{\"noise\":\"%s\",\"parts\":[", laplace ? "discrete-laplace" : "discrete-gaussian");
    for (int64_t i = 0; i < plan->measures; i++) {
        const Measure *b = &plan->measure[i];
        if (b->exact || b->choice || b->smooth_units) continue;
        double scale = laplace ? (double)b->scale_num / (double)b->scale_den : 1,
               shift = laplace ? (double)b->l1 : sqrt(2 * b->noncentrality);
        buffer_print(out, "%s[", comma);
        put_json_real(out, shift);
        buffer_char(out, ',');
        put_json_real(out, scale);
        buffer_char(out, ']');
        comma = ",";
    }
    buffer_text(out, "],\"choices\":[");
    put_epsilons(plan, true, out);
    buffer_text(out, "],\"pure\":[");
    put_epsilons(plan, false, out);
    buffer_text(out, "],\"smooth\":[");
    if (plan->args->smooth) {
        put_json_real(out, plan->args->epsilon);
        buffer_char(out, ',');
        put_json_real(out, plan->args->delta);
    }
    buffer_text(out, "],\"threshold\":");
    put_json_real(out, plan->threshold_delta);
    if (plan->promise == PROMISE_EPSILON_DELTA) {
        buffer_text(out, ",\"promise\":[");
        put_json_real(out, plan->args->epsilon);
        buffer_char(out, ',');
        put_json_real(out, plan->args->delta);
        buffer_char(out, ']');
    }
    if (plan->args->show_scales) buffer_text(out, ",\"steward\":true");
    buffer_char(out, '}');
    return out->failed ? out_of_memory(plan->work->error) : OK;
}
