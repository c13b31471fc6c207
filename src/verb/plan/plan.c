/* scrim plan DATA: searches methods, parameters and sequences of them for the releases that no other beats on risk and loss. */
#include <string.h>
#include "base/elementary.h"
#include "base/number_text.h"
#include "report/open_columns.h"
#include "verb/plan/plan.h"
#include "verb/verbs.h"
#include "verb/whose.h"

enum { SAMPLE = 3000 };

typedef struct {
    const Table *data;
    const char *roles, *policy, *budget, *output;
    Texts keep, hide, against;
    int64_t candidates;
    unsigned search;
} args;

static const Param params[] = {
    TABLE(args, data, "The original file", .flags = REQUIRED | POSITIONAL),
    TEXT(args, roles, NULL, "Roles of the columns: a YAML file (keys, sensitive, numeric, weight, household, identifiers)",
         .flags = REQUIRED),
    TEXT(args, policy, NULL, "Rules that the release must satisfy: a YAML file, or a built-in policy (unece, hipaa, …)"),
    TEXTS(args, keep,
          "An analysis to preserve: a model, \"income ~ age + sex\", or a table, \"table(region, sex)\". With \"… within 1\" no "
          "coefficient may change by more standard errors, no table by more total variation. Can be repeated",
          .flags = WHOLE),
    TEXTS(args, hide, "Rare people whose true values must not appear in the release: \"age > 90 & sex == 'f'\". Can be repeated",
          .flags = WHOLE),
    TEXTS(args, against, "Recipes to compare: they are measured and drawn on the risk–utility map", .flags = WHOLE),
    INT(args, candidates, 300, 10, 100000, "Number of candidate releases to make and measure, not counting repetitions with other seeds"),
    CHOICE(args, search, "race",
           "Search strategy. race: new candidates are derived from the best so far. grid: all combinations of options in random order, for "
           "comparison",
           WORDS("race", "grid")),
    TEXT(args, budget, NULL, "Time limit of the search: 90s, 10m, 1h. The best candidate so far is returned"),
    TEXT(args, output, NULL, "Folder for best.yaml, front/*.yaml and plan.html (-o)"),
    END,
};

/* ---- what was asked ---- */

static Status read_budget(Work *work, const char *text, double *out) {
    *out = INFINITY;
    if (!text) return OK;
    size_t length = strlen(text);
    char unit = length ? text[length - 1] : 0;
    double each = unit == 'h' ? 3600 : unit == 'm' ? 60 : 1;
    if (unit == 'h' || unit == 'm' || unit == 's') length--;
    if (read_real(text, text + length, '.', out) && *out > 0) {
        *out *= each;
        return OK;
    }
    fail(work->error, BAD, "'%.40s' is not a time", text);
    error_advice(work->error, "Write 90s, 10m or 1h.");
    return error_parameter(work->error, "budget");
}

static Status columns_by_role(Plan *plan, const Table *table, const char *role, bool numeric, Columns *out) {
    Status status = OK;
    const Arg *arg = args_find(&plan->roles.args, role);
    if (!arg) return OK;
    NEW(plan->work, out->at, arg->count + 1);
    for (int64_t i = 0; i < arg->count; i++) {
        const Column *column;
        TRY(table_need(table, arg->items[i], &column, plan->work->error));
        if (!numeric || column_numeric(column)) out->at[out->count++] = column;
    }
done:
    return status;
}

static bool among(Columns columns, const Column *column) {
    for (int64_t i = 0; i < columns.count; i++)
        if (columns.at[i] == column) return true;
    return false;
}

/* Loss is that of every column that a role names: keys, numbers and sensitive ones; numbers that are keys are guarded as keys. */
static Status take_columns(Plan *plan) {
    Status status = OK;
    Columns numbers = { 0 }, sensitive = { 0 };
    TRY(columns_by_role(plan, plan->data, "keys", false, &plan->keys));
    TRY(columns_by_role(plan, plan->data, "numeric", true, &numbers));
    TRY(columns_by_role(plan, plan->data, "sensitive", false, &sensitive));
    if (plan->keys.count > PLAN_KEYS) TRY(fail(plan->work->error, BAD, "the planner takes at most %d keys", PLAN_KEYS));
    NEW(plan->work, plan->numbers.at, numbers.count + 1);
    NEW(plan->work, plan->vars.at, plan->keys.count + numbers.count + sensitive.count + 1);
    for (int64_t i = 0; i < numbers.count; i++)
        if (!among(plan->keys, numbers.at[i])) plan->numbers.at[plan->numbers.count++] = numbers.at[i];
    const Columns all[] = { plan->keys, plan->numbers, sensitive };
    for (int c = 0; c < 3; c++)
        for (int64_t i = 0; i < all[c].count; i++)
            if (!among(plan->vars, all[c].at[i])) plan->vars.at[plan->vars.count++] = all[c].at[i];
    if (plan->keys.count || plan->numbers.count) return OK;
    fail(plan->work->error, BAD, "the roles name neither keys nor numbers: there is nothing to protect");
    status = error_parameter(plan->work->error, "roles");
done:
    return status;
}

/* The k that the policy asks for. */
static int64_t policy_k(const Plan *plan) {
    double k = 3;
    for (int64_t i = 0; plan->has_policy && i < plan->policy.rules; i++) {
        const Rule *rule = &plan->policy.rule[i];
        if (strcmp(rule->method->group, "risk") || strcmp(rule->method->name, "k-anonymity") || strcmp(rule->value, "k")) continue;
        if (rule->comparison == COMPARE_LEAST) k = rule->number;
        if (rule->comparison == COMPARE_MORE) k = rule->number + 1;
    }
    return k >= 2 && k < 1e6 ? (int64_t)ceil(k) : 3;
}

/* A sample for the races: rows in their order, drawn by the seed. */
static Status draw_sample(Plan *plan) {
    Status status = OK;
    int64_t *order = NULL, *rows = NULL, count = 0, n = plan->data->rows;
    uint8_t *taken = NULL;
    RandomStream stream = run_stream(plan->run, NULL, "sample");
    RandomStream search = run_stream(plan->run, NULL, "search");
    plan->random = reader_make(&search);
    if (n <= 2 * SAMPLE) return OK;
    NEW(plan->work, order, n);
    NEW(plan->work, rows, SAMPLE);
    NEW(plan->work, taken, n);
    TRY(stream_permutation(plan->work, &stream, n, order));
    for (int64_t i = 0; i < SAMPLE; i++) taken[order[i]] = 1;
    for (int64_t i = 0; i < n; i++)
        if (taken[i]) rows[count++] = i;
    TRY(table_take(plan->data, rows, count, &plan->sample, plan->work->error));
done:
    return status;
}

static Status read_givens(Plan *plan, Texts against) {
    Status status = OK;
    NEW(plan->work, plan->given, against.count + 1);
    for (; plan->givens < against.count; plan->givens++) TRY(recipe_read(plan->work, against.at[plan->givens], &plan->given[plan->givens]));
done:
    return status;
}

/* What no role names is neither protected nor measured. */
static void note_undecided(Plan *plan, const Table *data) {
    Buffer text = { 0 };
    put_undecided_sentence(&plan->roles, data, &text);
    if (text.count) result_note(plan->run->result, "%s", buffer_get(&text) + 1);
    buffer_free(&text);
}

/* Free text is left out of the search, which does not measure it, and every recipe scrubs it. */
static Status take_notes(Plan *plan, const Table *named, Table **data) {
    Status status = OK;
    Buffer text = { 0 };
    TRY(columns_by_role(plan, named, "notes", false, &plan->notes));
    TRY(roles_drop_notes(plan->work, &plan->roles, named, data));
    for (int64_t c = 0; c < (*data)->columns; c++)
        plan->dates |= (*data)->column[c]->type == DATE_TYPE || (*data)->column[c]->type == DATETIME_TYPE;
    for (int64_t i = 0; i < plan->notes.count; i++) buffer_print(&text, "%s%s", i ? ", " : "", plan->notes.at[i]->name);
    if (text.count)
        result_note(plan->run->result,
                    "Free text (%s): every recipe scrubs it first. Risk and information loss do not include it. Measure how many "
                    "identifiers remain with scrub review or scrub evaluate.",
                    buffer_get(&text));
done:
    buffer_free(&text);
    return status;
}

static Status plan_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    Plan plan = { .run = run, .work = &run->work };
    Table *data = NULL, *named = NULL;
    int64_t dropped;
    TRY(read_budget(&run->work, a->budget, &plan.deadline));
    TRY(roles_read(&run->work, a->roles, &plan.roles));
    TRY(roles_check(&run->work, &plan.roles, a->data, true));
    TRY(refuse_unless_answered(&run->work, a->data, &plan.roles));
    TRY(roles_drop(&run->work, &plan.roles, a->data, &named, &dropped));
    note_undecided(&plan, a->data);
    TRY(take_notes(&plan, named, &data));
    plan.data = data;
    plan.has_policy = a->policy;
    if (a->policy) TRY(policy_read(&run->work, a->policy, &plan.policy));
    for (int64_t i = 0; plan.has_policy && i < plan.policy.rules; i++)
        if (plan.policy.rule[i].at) {
            fail(run->work.error, BAD, "'%s' is judged after a step of one recipe: a plan tries many", plan.policy.rule[i].text);
            TRY(error_parameter(run->work.error, "policy"));
        }
    if (!data->rows) TRY(fail(run->work.error, BAD, "the table has no records"));
    plan.k = policy_k(&plan);
    TRY(take_columns(&plan));
    TRY(plan_keeps(&plan, a->keep));
    plan.grid = a->search == 1;
    plan.hides = a->hide.count;
    plan.hide = a->hide.at;
    TRY(plan_check(&plan));
    TRY(read_givens(&plan, a->against));
    TRY(draw_sample(&plan));
    TRY(plan_space(&plan));
    TRY(plan_search(&plan, a->candidates));
    TRY(plan_say(&plan, a->output));
done:
    plan_clear(&plan);
    table_release(named);
    table_release(plan.sample);
    table_release(data);
    return status;
}

static const Return values[] = {
    VALUE(candidates, INTEGER, "Releases that the search made and measured", .flags = PUBLIC),
    VALUE(ruled_out, INTEGER, "Candidate recipes skipped because they cannot satisfy the policy", .flags = PUBLIC),
    VALUE(measured_whole, INTEGER, "Releases measured on all records", .flags = PUBLIC),
    VALUE(feasible, INTEGER, "Of those, releases that satisfy every rule", .flags = PUBLIC),
    VALUE(front_size, INTEGER, "Releases on the Pareto front: no other has less risk and less loss", .flags = PUBLIC),
    VALUE(best_loss, REAL, "Smallest information loss of a release that satisfies every rule", .flags = PUBLIC),
    VALUE(best_risk, REAL, "Its risk: the share of people whom the best simulated intruder re-identifies", .flags = PUBLIC),
    VALUE(best, TEXT, "Its steps"),
    VALUE(recipe, TEXT, "Its recipe"),
    VALUE(rules_broken, INTEGER, "Rules that the best, or the nearest, violates", .flags = PUBLIC),
    VALUE(rules_broken_names, TEXT, "If no release satisfies every rule: how close the search came"),
    TABLE_OUT(front, "recipe:text steps:text risk:real loss:real", "The Pareto front, by increasing information loss"),
    TABLE_OUT(intervals, "recipe:text seeds:integer risk_low:real risk_high:real loss_low:real loss_high:real",
              "Number of seeds of each release, with the smallest and largest risk and loss"),
    TABLE_OUT(parts,
              "recipe:text by_keys:real by_joining:real values_lost:real distributions_moved:real pairs_moved:real "
              "analyses_moved:real",
              "Components of their risk and loss"),
    TABLE_OUT(against, "recipe:text steps:text risk:real loss:real rules_broken:integer beaten_by:text",
              "The recipes given with --against, and the first on the front with less risk and less loss"),
    TABLE_OUT(candidates, "steps:text records:text risk:real loss:real rules_broken:integer", "All measured releases"),
    TABLE_OUT(recipes, "recipe:text yaml:text", "Without -o: the recipes"),
    END,
};

const Method verb_plan = {
    .group = "verb",
    .name = "plan",
    .summary = "Search for the recipes with the best trade-off of disclosure risk and information loss",
    .source = "Duncan, Keller-McNulty & Stokes 2001; Matloff & Tendick",
    .params = params,
    .size = sizeof(args),
    .traits = RANDOM | KEYED,
    .run = plan_run,
    .values = values,
    .example = "scrim plan examples/clinic.csv --roles examples/roles.yaml --policy examples/policy.yaml --keep 'income ~ age + sex' "
               "--candidates 60",
};
