/* One candidate made and measured: what it risks, what it costs, which rules it breaks. */
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include "base/elementary.h"
#include "base/escape.h"
#include "base/extremes.h"
#include "base/number_text.h"
#include "verb/plan/plan.h"

/* ---- what is to be kept ---- */

static char *trimmed(Work *work, const char *from, const char *to) {
    while (from < to && (*from == ' ' || *from == '\t')) from++;
    while (to > from && (to[-1] == ' ' || to[-1] == '\t')) to--;
    return arena_print(work->arena, "%.*s", (int)(to - from), from);
}

static Status bad_keep(Work *work, const char *text) {
    fail(work->error, BAD, "'%.200s' is neither an analysis nor a table", text);
    error_advice(work->error, "Write an analysis as \"income ~ age + sex\" and a table as \"table(region, sex)\"; \"… within 1\" bounds it "
                              "(standard errors, or total variation).");
    return error_parameter(work->error, "keep");
}

static Status read_keep(Work *work, const char *text, Keep *out) {
    Status status = OK;
    const char *end = text + strlen(text), *within = strstr(text, " within ");
    *out = (Keep){ .within = NAN };
    if (within) {
        const char *number = trimmed(work, within + 8, end);
        if (!number || !read_real(number, number + strlen(number), '.', &out->within) || !(out->within >= 0)) TRY(bad_keep(work, text));
        end = within;
    }
    const char *inner = trimmed(work, text, end);
    if (!inner) TRY(out_of_memory(work->error));
    size_t length = strlen(inner);
    out->formula = strchr(inner, '~');
    if (out->formula) out->inner = inner;
    else if (!strncmp(inner, "table(", 6) && inner[length - 1] == ')') out->inner = trimmed(work, inner + 6, inner + length - 1);
    else TRY(bad_keep(work, text));
done:
    return status;
}

Status plan_keeps(Plan *plan, Texts keep) {
    Status status = OK;
    NEW(plan->work, plan->keep, keep.count + 1);
    for (; plan->keeps < keep.count; plan->keeps++) TRY(read_keep(plan->work, keep.at[plan->keeps], &plan->keep[plan->keeps]));
done:
    return status;
}

/* ---- a release ---- */

/* One of several seeds: the first is the session's own, so that the recipe run with it gives what was measured. */
static Seed seed_of(const Session *session, int64_t number) {
    Seed seed = session->seed;
    uint8_t tag[8];
    if (!number) return seed;
    for (int i = 0; i < 8; i++) tag[i] = (uint8_t)((uint64_t)number >> (8 * i));
    crypto_generichash(seed.bytes, sizeof seed.bytes, tag, sizeof tag, session->seed.bytes, sizeof session->seed.bytes);
    return seed;
}

/* One making and measuring: its own memory, and an error of its own, since a candidate that fails is only a bad one. */
typedef struct Trial {
    Plan *plan;
    Work work;
    Session session;
    Progress silent;
    Error error;
    const Table *data;
    Table *release;
    Score *score;
    const Gene *gene;
    int64_t seed;
    Buffer *recommended; /* NULL: not asked for */
} Trial;

/* A failure that is the caller's, not the candidate's. */
static bool is_grave(Status status) { return status == INTERRUPTED || status == FAILED; }

/* ---- the shelf ---- */

static Gene keys_part(const Gene *gene) {
    Gene part = *gene;
    part.number = part.number_amount = part.after = part.after_amount = 0;
    return part;
}

static int64_t keys_steps(const Plan *plan, const Gene *gene) {
    int64_t count = gene->whole || gene->guard ? 1 : 0;
    for (int64_t k = 0; k < plan->keys.count && k < PLAN_KEYS; k++) count += gene->level[k] != 0;
    return count;
}

/* How many steps are done already; `release` is then what they made. */
static int64_t take_down(Trial *t) {
    if (!t->gene) return 0;
    Gene part = keys_part(t->gene);
    for (int i = 0; i < PLAN_SHELF; i++) {
        Guarded *g = &t->plan->shelf[i];
        if (!g->table || g->data != t->data || g->seed != t->seed || memcmp(&g->gene, &part, sizeof part)) continue;
        g->used = ++t->plan->clock;
        table_release(t->release);
        t->release = table_retain(g->table);
        return keys_steps(t->plan, t->gene);
    }
    return 0;
}

/* As many as a quarter of a gigabyte holds, two at least. */
static int shelf_room(const Trial *t) {
    double bytes = 8 * (double)t->data->rows * (double)(t->plan->keys.count + 1), room = 0x1p28 / bytes;
    return room < 2 ? 2 : room > PLAN_SHELF ? PLAN_SHELF : (int)room;
}

/* In the place of what was not used for the longest time. */
static void put_up(Trial *t) {
    Guarded *oldest = &t->plan->shelf[0];
    int room = shelf_room(t);
    for (int i = 1; i < room; i++)
        if (t->plan->shelf[i].used < oldest->used) oldest = &t->plan->shelf[i];
    table_release(oldest->table);
    *oldest = (Guarded){ keys_part(t->gene), t->data, t->seed, ++t->plan->clock, table_retain(t->release) };
}

void plan_clear(Plan *plan) {
    for (int i = 0; i < PLAN_SHELF; i++) table_release(plan->shelf[i].table);
}

static Status take_step(Trial *t, const Step *step, int64_t number) {
    Status status = OK;
    Result *made = NULL;
    const Param *original = method_param(step->method, "original");
    Arg *list = NULL;
    int64_t n = step->args.count;
    Table *handle[2] = { t->release, (Table *)(uintptr_t)t->data };
    NEW(&t->work, list, n + 2);
    if (n) memcpy(list, step->args.at, (size_t)n * sizeof *list);
    list[n++] = (Arg){ .name = step_subject(step->method)->name, .count = 1, .tables = &handle[0] };
    if (original && original->kind == KIND_TABLE && method_takes(step->method, "original", &step->args, &t->plan->roles.args))
        list[n++] = (Arg){ .name = "original", .count = 1, .tables = &handle[1] };
    t->session.step = number;
    TRY(method_run(&t->session, step->method, &(Args){ n, list }, &t->plan->roles.args, &made, &t->error));
    if (!made->outputs) goto done;
    table_release(t->release);
    t->release = table_retain(made->output[0]);
done:
    result_free(made);
    return status;
}

static Status make_release(Trial *t, const Step *steps, int64_t count) {
    Status status = OK;
    int64_t guarded = t->gene ? keys_steps(t->plan, t->gene) : -1;
    t->release = table_retain(t->data);
    for (int64_t i = take_down(t); i < count; i++) {
        TRY(take_step(t, &steps[i], i));
        if (i + 1 == guarded) put_up(t);
    }
done:
    return status;
}

/* ---- measures ---- */

static Status run_on(Trial *t, const char *dotted, const Arg *more, int64_t count, Result **out) {
    Status status = OK;
    const Method *method;
    Arg *list = NULL;
    Table *handle[2] = { (Table *)(uintptr_t)t->data, t->release };
    NEW(&t->work, list, count + 2);
    list[0] = (Arg){ .name = "original", .count = 1, .tables = &handle[0] };
    list[1] = (Arg){ .name = "released", .count = 1, .tables = &handle[1] };
    if (count) memcpy(list + 2, more, (size_t)count * sizeof *list);
    TRY(method_need(dotted, &method, &t->error));
    TRY(method_run(&t->session, method, &(Args){ count + 2, list }, NULL, out, &t->error));
done:
    return status;
}

static Status names_of(Work *work, Columns columns, const char ***out) {
    Status status = OK;
    NEW(work, *out, columns.count + 1);
    for (int64_t i = 0; i < columns.count; i++) (*out)[i] = columns.at[i]->name;
done:
    return status;
}

static void take_risk(Trial *t, const Result *made) {
    double people = result_number(made, "people");
    t->score->risk = result_number(made, "share");
    t->score->by_keys = larger_known(larger_known(result_number(made, "by_counting"), result_number(made, "by_weighing")),
                                     result_number(made, "by_assigning")) /
                        people;
    t->score->by_joining = result_number(made, "by_joining") / people;
}

/* Does a policy that has rules on risk.reidentification ask it what the planner asks? Then one measuring serves both. */
static bool is_same_measure(const Trial *t) {
    static const char *const more[] = { "person", "household", "knows", "id", "by" };
    const Plan *plan = t->plan;
    const Arg *numeric = args_find(&plan->roles.args, "numeric");
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        if (args_find(&plan->roles.args, more[i])) return false;
    return !(t->gene && t->gene->whole) && !plan->policy.params && (numeric ? numeric->count : 0) == plan->numbers.count;
}

static Status measure_risk(Trial *t, bool synthetic) {
    Status status = OK;
    Result *made = NULL;
    const char **keys, **numbers;
    Arg list[4];
    int64_t count = 0;
    const Arg *previous = args_find(&t->plan->roles.args, "previous");
    TRY(names_of(&t->work, t->plan->keys, &keys));
    TRY(names_of(&t->work, t->plan->numbers, &numbers));
    if (t->plan->keys.count) list[count++] = (Arg){ .name = "keys", .count = t->plan->keys.count, .items = keys };
    if (t->plan->numbers.count) list[count++] = (Arg){ .name = "vars", .count = t->plan->numbers.count, .items = numbers };
    if (synthetic) list[count++] = (Arg){ .name = "synthetic" };
    else if (previous) list[count++] = *previous;
    TRY(run_on(t, "risk.reidentification", list, count, &made));
    take_risk(t, made);
done:
    result_free(made);
    return status;
}

static Status measure_loss(Trial *t) {
    Status status = OK;
    Result *made = NULL;
    const char **names;
    TRY(names_of(&t->work, t->plan->vars, &names));
    TRY(run_on(t, "utility.loss", &(Arg){ .name = "vars", .count = t->plan->vars.count, .items = names }, 1, &made));
    t->score->values_lost = result_number(made, "values_lost");
    t->score->moved = result_number(made, "distributions_moved");
    t->score->pairs = result_number(made, "pairs_moved");
done:
    result_free(made);
    return status;
}

/* The largest share of its values that a predictor lost to recoding. */
static double most_coarsened(const Result *regression) {
    const Table *coarsened = result_find_table(regression, "coarsened");
    double most = 0;
    for (int64_t i = 0; coarsened && i < coarsened->rows; i++) most = larger_known(most, column_number(table_column(coarsened, "lost"), i));
    return most;
}

/* How far the coefficients moved: 1 − the overlap of the intervals on average, and the largest shift in standard errors. Fitted at a
 * coarser level, the analysis that was asked for is gone, and what is like it counts by the share of values that is still told apart. */
static Status judge_formula(Trial *t, const Keep *keep, double *lost, double *farthest) {
    Status status = OK;
    Result *made = NULL;
    *lost = 1;
    *farthest = INFINITY;
    TRY(run_on(t, "utility.regression", &(Arg){ .name = "formula", .count = 1, .items = &keep->inner }, 1, &made));
    const Table *terms = result_find_table(made, "coefficients");
    const Column *shift = terms ? table_column(terms, "difference_in_se") : NULL;
    double overlap = result_number(made, "mean_overlap");
    if (!shift || isnan(overlap)) goto done;
    double gone = most_coarsened(made);
    *lost = smaller_known(1, larger_known(0, 1 - overlap * (1 - gone)));
    *farthest = gone > 0 ? INFINITY : 0;
    for (int64_t i = 0; i < shift->rows; i++)
        *farthest = column_missing(shift, i) ? INFINITY : larger_known(*farthest, fabs(column_number(shift, i)));
done:
    result_free(made);
    return status;
}

static Status judge_table(Trial *t, const Keep *keep, double *lost, double *farthest) {
    Status status = OK;
    Result *made = NULL;
    const char **names;
    int64_t count;
    char order[24];
    const char *order_text = order;
    *lost = 1;
    *farthest = INFINITY;
    TRY(args_split(&t->work, keep->inner, &count, &names));
    for (int64_t i = 0; i < count; i++) names[i] = trimmed(&t->work, names[i], names[i] + strlen(names[i]));
    snprintf(order, sizeof order, "%lld", (long long)count);
    const Arg list[] = { { .name = "vars", .count = count, .items = names }, { .name = "order", .count = 1, .items = &order_text } };
    TRY(run_on(t, "utility.contingency", list, 2, &made));
    *lost = *farthest = result_number(made, "worst");
done:
    result_free(made);
    return status;
}

/* An analysis that cannot be done on the release is lost; one of the original that cannot be done is the caller's mistake, found before. */
static Status judge_keeps(Trial *t) {
    double sum = 0;
    for (int64_t i = 0; i < t->plan->keeps; i++) {
        const Keep *keep = &t->plan->keep[i];
        double lost, farthest;
        Status status = (keep->formula ? judge_formula : judge_table)(t, keep, &lost, &farthest);
        if (is_grave(status)) return status;
        sum += isnan(lost) ? 1 : lost;
        if (!isnan(keep->within)) t->score->broken += !(farthest <= keep->within);
    }
    t->score->analyses = t->plan->keeps ? sum / (double)t->plan->keeps : NAN;
    return OK;
}

/* Rare people who must not be found whole: none of them may still be what they were. */
static Status judge_hides(Trial *t) {
    for (int64_t i = 0; i < t->plan->hides; i++) {
        Result *made = NULL;
        Status status = run_on(t, "utility.track", &(Arg){ .name = "where", .count = 1, .items = &t->plan->hide[i] }, 1, &made);
        t->score->broken += status || result_number(made, "same_source") != 0;
        result_free(made);
        if (is_grave(status)) return status;
    }
    return OK;
}

static Status trial_begin(Trial *t) {
    const Work *work = t->plan->work;
    t->silent = progress_quiet(work->progress);
    t->session.progress = &t->silent;
    t->work =
        (Work){ .arena = arena_new(), .error = &t->error, .threads = work->threads, .progress = &t->silent, .no_files = work->no_files };
    return t->work.arena ? OK : out_of_memory(&t->error);
}

/* Analyses, tables and people that the original itself does not have are the caller's mistakes, and are told at once. */
Status plan_check(Plan *plan) {
    Status status = OK;
    const char *parameter = "keep";
    Trial t = { .plan = plan, .session = *plan->run->session, .error = ERROR_NONE, .data = plan->data };
    TRY(trial_begin(&t));
    t.release = table_retain(plan->data);
    for (int64_t i = 0; i < plan->keeps; i++) {
        double lost, farthest;
        TRY((plan->keep[i].formula ? judge_formula : judge_table)(&t, &plan->keep[i], &lost, &farthest));
    }
    parameter = "hide";
    for (int64_t i = 0; i < plan->hides; i++) {
        Result *made = NULL;
        status = run_on(&t, "utility.track", &(Arg){ .name = "where", .count = 1, .items = &plan->hide[i] }, 1, &made);
        result_free(made);
        if (status) goto done;
    }
done:
    table_release(t.release);
    arena_free(t.work.arena);
    if (!status) return OK;
    *plan->work->error = t.error;
    return is_grave(status) ? status : error_parameter(plan->work->error, parameter);
}

/* The rules that are violated, each with the observed value. */
static const char *violated(const Plan *plan, const Policy *policy) {
    Buffer text = { 0 };
    for (int64_t i = 0; i < policy->rules; i++) {
        const Rule *rule = &policy->rule[i];
        if (rule->met) continue;
        buffer_print(&text, "%s%s", text.count ? "; " : "", rule->text);
        if (!rule->seen) buffer_text(&text, " (could not be computed)");
        else buffer_print(&text, " (observed: %s)", rule->seen);
    }
    const char *copy = text.count ? arena_text(plan->work->arena, buffer_get(&text)) : NULL;
    buffer_free(&text);
    return copy;
}

/* Residual risks and direct identifiers come with steps against them; other rules need another release. */
static int64_t hard_rules(const Policy *policy) {
    int64_t count = 0;
    for (int64_t i = 0; i < policy->rules; i++) {
        const Rule *rule = &policy->rule[i];
        count += !rule->met && strcmp(rule->method->name, "residual") && strcmp(rule->value, "identifiers");
    }
    return count;
}

/* What scrim recommends for the residual risks, and for direct identifiers that are still there: a step a line. */
static void put_recommended(Trial *t, const Result *into) {
    const Result *residual = result_within(into, "risk.residual"), *detail = result_within(into, "risk.detail");
    const Table *residuals = residual ? result_find_table(residual, "residuals") : NULL,
                *identifying = detail ? result_find_table(detail, "identifying") : NULL;
    char cell[33];
    for (int64_t i = 0; residuals && i < residuals->rows; i++) {
        const char *step = table_cell(residuals, "recommendation", i, cell);
        if (step) buffer_print(t->recommended, "%s\n", step);
    }
    for (int64_t i = 0; identifying && i < identifying->rows; i++) {
        const char *column = table_cell(identifying, "column", i, cell), *person;
        const Arg *arg = args_find(&t->plan->roles.args, "person");
        person = arg && arg->count ? arg->items[0] : NULL;
        buffer_text(t->recommended, same_text(person, column) ? "protect.pseudonym: {vars: [" : "protect.drop: {vars: [");
        put_json_text(t->recommended, column);
        buffer_text(t->recommended, "]}\n");
    }
}

static Status judge_policy(Trial *t) {
    static const char *const none[] = { NULL };
    Status status = OK;
    Policy policy = t->plan->policy;
    Table **handle = NULL;
    Arg *original = NULL;
    Result *into = result_new("plan");
    if (!t->plan->has_policy) goto done;
    if (!into) return out_of_memory(&t->error);
    policy.rule = NULL;
    NEW(&t->work, policy.rule, policy.rules + 1);
    memcpy(policy.rule, t->plan->policy.rule, (size_t)policy.rules * sizeof *policy.rule);
    NEW(&t->work, handle, 1);
    NEW(&t->work, original, 1);
    *handle = (Table *)(uintptr_t)t->data;
    *original = (Arg){ .name = "original", .count = 1, .tables = handle };
    Measuring m = { .work = &t->work,
                    .session = t->session,
                    .data = t->release,
                    .extra = { 1, original },
                    .roles = &t->plan->roles,
                    .policy = &policy,
                    .into = into };
    TRY(measure(&m, none));
    t->score->broken += policy_broken(&policy);
    t->score->hard += hard_rules(&policy);
    t->score->violated = violated(t->plan, &policy);
    if (t->recommended) put_recommended(t, into);
    const Result *risk = result_within(into, "risk.reidentification");
    if (risk && is_same_measure(t)) take_risk(t, risk);
done:
    result_free(into);
    return status;
}

Status plan_recommended(Plan *plan, const Step *steps, int64_t count, const Gene *gene, Buffer *out) {
    Status status = OK;
    Score score = { 0 };
    Trial t = { .plan = plan,
                .session = *plan->run->session,
                .error = ERROR_NONE,
                .data = plan->data,
                .score = &score,
                .gene = gene,
                .recommended = out };
    t.session.seed = seed_of(plan->run->session, 0);
    TRY(trial_begin(&t));
    TRY(make_release(&t, steps, count));
    TRY(judge_policy(&t));
done:
    table_release(t.release);
    arena_free(t.work.arena);
    if (!is_grave(status)) return OK;
    *plan->work->error = t.error;
    return status;
}

static double mean_of_parts(const Score *s) {
    const double part[] = { s->values_lost, s->moved, s->pairs, s->analyses };
    double sum = 0, count = 0;
    for (int i = 0; i < 4; i++) {
        if (isnan(part[i])) continue;
        sum += part[i];
        count++;
    }
    return count > 0 ? sum / count : NAN;
}

Status plan_score(Plan *plan, const Step *steps, int64_t count, const Gene *gene, const Table *data, int64_t seed, Score *out) {
    Status status = OK;
    Trial t = { .plan = plan, .session = *plan->run->session, .error = ERROR_NONE, .data = data, .score = out, .gene = gene, .seed = seed };
    *out = (Score){ .risk = NAN, .loss = NAN, .analyses = NAN };
    t.session.seed = seed_of(plan->run->session, seed);
    TRY(trial_begin(&t));
    TRY(make_release(&t, steps, count));
    TRY(judge_policy(&t));
    if (isnan(out->risk)) TRY(measure_risk(&t, gene && gene->whole));
    TRY(measure_loss(&t));
    TRY(judge_keeps(&t));
    TRY(judge_hides(&t));
    out->loss = mean_of_parts(out);
    out->ran = !isnan(out->risk) && !isnan(out->loss);
done:
    table_release(t.release);
    arena_free(t.work.arena);
    if (!is_grave(status)) return OK;
    *plan->work->error = t.error;
    return status;
}
