/* The result of a release: answers, what they are made of, and what was promised. */
#include <string.h>
#include "base/elementary.h"
#include "base/number_text.h"
#include "math/privacy/roc.h"
#include "release/query/query.h"

/* A variance is in squares of its column's unit, a histogram's and a ROC curve's numbers are counts. */
static bool in_units_of_column(QueryKind kind) {
    return kind == QUERY_SUM || kind == QUERY_MEAN || kind == QUERY_SD || kind == QUERY_WINSORIZED || kind == QUERY_TRIMMED;
}

/* Lee & Clifton 2012, section 5: |R − f(D)| over the range of the universe. Its mean is told, for the noise itself is secret. */
static void report_noise_ratio(Plan *plan) {
    const Query *query = &plan->query[plan->measure[0].query];
    Bounds bounds;
    if (plan->measure[0].count != 1 || query->by.count || !in_units_of_column(query->kind)) return;
    if (bounds_of(plan, query->x, false, &bounds) || !bounds.given || !(bounds.high > bounds.low)) return;
    Noise noise = { .family = plan->noise == DISCRETE_LAPLACE_NOISE ? LAPLACE_NOISE : GAUSSIAN_NOISE, .scale = plan->measure[0].scale };
    result_real(plan->run->result, "noise_ratio", noise_mean_absolute(&noise) / (bounds.high - bounds.low));
}

/* The vector's AUC with each measure's largest change, and with the changes that one and the same record makes. */
static Status release_auc(Plan *plan) {
    Status status = OK;
    double *each = NULL, most = 0;
    int64_t noisy = 0, worst = -1;
    bool joint = plan->args->neighbours == LEAVE_ONE_OUT;
    NEW(plan->work, each, plan->measures + 1);
    for (int64_t b = 0; b < plan->measures; b++) {
        if (plan->measure[b].exact) continue;
        each[noisy++] = plan->measure[b].noncentrality;
        joint &= plan->measure[b].change != NULL;
    }
    TRY(roc_vector_auc(plan->work, each, noisy, &plan->auc, NULL));
    plan->auc_joint = plan->joint_noncentrality = NAN;
    if (!joint) goto done;
    for (int pass = 0; pass < 2; pass++) /* find the record, then its own vector */
        for (int64_t i = pass ? worst : 0; i >= 0 && i < (pass ? worst + 1 : plan->args->data->rows); i++) {
            double sum = 0;
            noisy = 0;
            for (int64_t k = 0; k < plan->measures; k++) {
                const Measure *b = &plan->measure[k];
                if (b->exact) continue;
                double share = b->change[i] / b->sensitivity;
                each[noisy] = fmin(share * share, 1) * b->noncentrality;
                sum += each[noisy++];
            }
            if (sum > most) {
                most = sum;
                worst = i;
            }
        }
    plan->joint_noncentrality = most;
    TRY(roc_vector_auc(plan->work, each, worst < 0 ? 0 : noisy, &plan->auc_joint, NULL));
done:
    return status;
}

Status report_values(Plan *plan) {
    Status status = OK;
    Result *result = plan->run->result;
    const ReleaseArgs *a = plan->args;
    bool laplace = plan->noise == DISCRETE_LAPLACE_NOISE;
    if (laplace && !plan->one_removed && !a->show_scales)
        result_real(result, "epsilon", plan->tight_scale > 0 ? plan->measure[0].epsilon : plan->epsilon);
    if (plan->promise == PROMISE_EPSILON_DELTA && !a->smooth) result_real(result, "epsilon", a->epsilon);
    if (!isnan(a->delta)) result_real(result, "delta", a->delta);
    if (plan->promise == PROMISE_IDENTIFIABILITY) {
        result_real(result, "identifiability", a->identifiability);
        result_real(result, "worlds", plan->worlds);
    }
    if (!laplace) {
        TRY(release_auc(plan));
        if (!plan->one_removed) result_real(result, "zcdp", plan->promise == PROMISE_ZCDP ? a->zcdp : plan->noncentrality);
        if (!plan->one_removed) result_real(result, "gdp_mu", plan->promise == PROMISE_GDP ? a->gdp : sqrt(2 * plan->noncentrality));
        result_real(result, "noncentrality", plan->noncentrality);
        result_real(result, "auc", plan->auc);
        result_real(result, "auc_direction", roc_auc(plan->noncentrality));
        result_real(result, "auc_informed", roc_auc_informed(plan->noncentrality));
        if (!isnan(plan->auc_joint)) {
            result_real(result, "noncentrality_joint", plan->joint_noncentrality);
            result_real(result, "auc_joint", plan->auc_joint);
        }
    }
    if (plan->measures == 1 && !plan->measure[0].exact && !plan->measure[0].smooth_units && !plan->measure[0].choice) {
        result_real(result, "sensitivity", plan->measure[0].sensitivity);
        result_real(result, "scale", plan->measure[0].scale);
        report_noise_ratio(plan);
    }
    for (int64_t b = 0; plan->gates && b < plan->measures; b++) /* whether or not a key occurs */
        if (gates_by_count(plan, &plan->query[plan->measure[b].query]) && !strcmp(plan->measure[b].part, "count")) {
            result_real(result, "threshold", plan_threshold(plan, &plan->measure[b]));
            break;
        }
    result_text(result, "promise", plan->sentence);
done:
    return status;
}

static void report_answers(Plan *plan) {
    bool grouped = false;
    for (int64_t q = 0; q < plan->queries; q++) grouped |= plan->query[q].gated; /* keys that are not public may all be missing */
    for (int64_t i = 0; i < plan->answers; i++) grouped |= plan->answer[i].group != NULL;
    Grid *grid = grid_new(plan->run->result, "answers",
                          grouped ? "query:text group:text answer:real lower:real upper:real sensitivity:real scale:real"
                                  : "query:text answer:real lower:real upper:real sensitivity:real scale:real");
    for (int64_t i = 0; i < plan->answers; i++) {
        const Answer *a = &plan->answer[i];
        const Measure *b = &plan->measure[a->measure[0]];
        bool single = a->measures == 1 && a->form < FORM_ROOT;
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
    if (plan->threshold_delta > 0)
        result_note(plan->run->result, "Groups that %s are left out, as are keys that no record has.",
                    plan->args->select ? "have too few people, by a partly random rule," : "had a noisy count below the threshold");
}

void report_parts(Plan *plan) {
    Grid *grid = grid_new(plan->run->result, "parts", "query:text part:text numbers:integer sensitivity:real scale:real grid:real");
    for (int64_t i = 0; i < plan->measures; i++) {
        const Measure *b = &plan->measure[i];
        grid_text(grid, plan->query[b->query].text);
        grid_text(grid, b->part);
        if (plan->query[b->query].gated) grid_missing(grid);
        else grid_integer(grid, b->count);
        grid_real(grid, b->exact ? 0 : b->sensitivity);
        grid_real(grid, b->exact ? 0 : b->scale);
        grid_real(grid, b->select ? NAN : b->choice ? b->step : ldexp(1, b->exponent) / b->divisor);
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

/* A release has a chart, whatever it holds: that one is asked for (-o x.svg) must not come to nothing after the debit. */
static Status chart_answers(Plan *plan) {
    Status status = OK;
    const char **label = NULL;
    double *height = NULL;
    int64_t count = 0;
    NEW(plan->work, label, plan->answers + 1);
    NEW(plan->work, height, plan->answers + 1);
    for (int64_t i = 0; i < plan->answers; i++) {
        if (!plan->answer[i].shown) continue;
        label[count] = plan->query[plan->answer[i].query].text;
        height[count++] = plan->answer[i].value;
    }
    Chart *chart = result_chart(plan->run->result, CHART_BAR, "Answers", "query", "noisy answer");
    chart_of(chart, "answers");
    if (count) chart_series(chart, "answers", count, NULL, height, NULL, label);
done:
    return status;
}

/* "'name' holds" stands in it: a short name may be part of any word. */
static bool already_named(const char *text, const char *name) {
    size_t length = strlen(name);
    for (const char *at = strstr(text, name); at && length; at = strstr(at + 1, name))
        if (at > text && at[-1] == '\'' && !strncmp(at + length, "' holds ", 8)) return true;
    return false;
}

/* Without a schema the file itself says what its columns are: anyone who is in it may have shaped that. */
static void note_public_facts(Plan *plan) {
    Buffer text = { 0 };
    for (int64_t q = 0; q < plan->queries; q++) {
        const Query *asked = &plan->query[q];
        for (int64_t k = 0; k < 2 + asked->more.count; k++) {
            const Column *used = k > 1 ? asked->more.at[k - 2]
                                 : k   ? asked->y
                                       : asked->x,
                         *everyone = used && plan->args->universe ? table_column(plan->args->universe, used->name) : NULL;
            if (everyone) continue; /* the universe says it, regardless of who is in the table */
            if (used && !already_named(buffer_get(&text), used->name))
                buffer_print(&text, "%s'%s' holds %s, %s missing", text.count ? ", " : "", used->name, type_values(plain_type(used->type)),
                             plan_lacks(plan, used) ? "some" : "none");
        }
    }
    result_note(plan->run->result,
                "No schema was given. The file itself is the source of its columns%s%s%s, which are treated as public. One unusual cell "
                "could change them. Declare them beforehand with --schema FILE.",
                plan->unit == REPLACE_ONE && !plan->person ? ", the number of its records" : "", text.count ? ", and that " : "",
                buffer_get(&text));
    buffer_free(&text);
}

static void report_notes(Plan *plan) {
    Result *result = plan->run->result;
    const ReleaseArgs *a = plan->args;
    if (a->show_scales && a->neighbours == WORLDS)
        result_note(result, "The range over the worlds was computed from this table (--show-scales). This is NOT differential privacy and "
                            "must not be published: the amount of noise discloses information about the records.");
    else if (a->show_scales)
        result_note(result, "Leave-one-out sensitivity was computed from this table (--show-scales). This is NOT differential privacy and "
                            "must not be published: the amount of noise discloses information about the records.");
    else if (a->neighbours == LEAVE_ONE_OUT)
        result_note(result,
                    "Leave-one-out compares tables with this number of records with tables of one record less, and treats the number of "
                    "records as public. This is NOT differential privacy, whose scale would hold for any number of records.");
    if (!a->schema) note_public_facts(plan);
    if (plan->person)
        result_note(
            result,
            "Answers describe %s, drawn at random from the records of each person (fewer where a person has fewer). A person with "
            "more records counts no more than that, so that a mean is one over people rather than over records. The intervals cover "
            "the noise, not this draw.",
            plan->max_records == 1 ? "one record per person"
                                   : arena_print(plan->work->arena, "at most %lld records per person", (long long)plan->max_records));
    for (int64_t i = 0; i < plan->measures; i++) {
        char ranks[40];
        const Measure *b = &plan->measure[i];
        if (by_rank(b))
            result_note(result, "%s was chosen by the exponential mechanism: with probability 0.95 its rank error is at most %s records.",
                        plan->query[b->query].text, real_short(ceil(choice_ranks(b)), 6, ranks));
    }
    for (int64_t i = 0; i < plan->answers; i++) {
        const Answer *answer = &plan->answer[i];
        if (answer->form != FORM_VARIANCE && answer->form != FORM_SD && answer->form != FORM_ROOT) continue;
        result_note(result, "%s: noise can make a variance negative. It is then reported as 0 and has little meaning.",
                    plan->query[answer->query].text);
        break;
    }
    if (a->smooth) result_note(result, "The scale of this noise depends on the data. Neither the scale nor an interval is shown.");
    if (plan->queries > 1 && plan->promise != PROMISE_NONCENTRALITY)
        result_note(result, "The guarantee is for all answers together. Each query has an equal share of it.");
    if (plan->promise == PROMISE_NONCENTRALITY && plan->measures > 1)
        result_note(result, "The noncentrality is that of each query. Together they add up.");
    if (!a->ledger) result_note(result, "No ledger was charged. The privacy loss of this release is not recorded.");
    if (a->insecure_reproducible)
        result_note(result, "Warning: the noise was drawn from a seed (--insecure-reproducible). Anyone who knows the seed can remove it. "
                            "This is a test, not a release.");
}

Status release_report(Plan *plan) {
    Status status = OK;
    TRY(report_values(plan));
    report_answers(plan);
    report_own_worlds(plan);
    report_parts(plan);
    report_notes(plan);
    for (int64_t q = 0; q < plan->queries; q++)
        TRY(plan->query[q].kind == QUERY_ROC     ? report_roc(plan, q)
            : plan->query[q].kind == QUERY_CHISQ ? report_chisq(plan, q)
                                                 : chart_groups(plan, q));
    TRY(report_ranges(plan));
    if (!plan->run->result->charts) TRY(chart_answers(plan));
done:
    return status;
}
