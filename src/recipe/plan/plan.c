/* scrim plan DATA: searches methods, parameters and sequences of them for the releases that no other beats on risk and loss. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/elementary.h"
#include "base/file.h"
#include "base/number.h"
#include "base/stage.h"
#include "recipe/plan/plan.h"
#include "recipe/verbs.h"
#include "render/render.h"

enum { SAMPLE = 3000 };

typedef struct {
    const Table *data;
    const char *roles, *policy, *budget, *output;
    Texts keep, hide, against;
    int64_t candidates;
} args;

static const Param params[] = {
    TABLE(args, data, "The original table", .flags = REQUIRED | POSITIONAL),
    TEXT(args, roles, NULL, "What its columns are: a YAML file (keys, sensitive, numeric, weight, household, identifiers)",
         .flags = REQUIRED),
    TEXT(args, policy, NULL, "Rules that the release must keep: a YAML file, or one that comes with the program (unece, hipaa, …)"),
    TEXTS(args, keep,
          "An analysis whose estimates are to stay, \"income ~ age + sex\", or a table, \"table(region, sex)\"; with \"… within 1\" no "
          "coefficient may move by more standard errors, no table by more total variation; once for each",
          .flags = WHOLE),
    TEXTS(args, hide, "Rare people who must not be seen in the release as they are: \"age > 90 & sex == 'f'\"; once for each",
          .flags = WHOLE),
    TEXTS(args, against, "Recipes to measure beside the search and to draw in the map", .flags = WHOLE),
    INT(args, candidates, 300, 10, 100000, "Releases that the search makes and measures, before those made again with other seeds"),
    TEXT(args, budget, NULL, "Time after which the best so far is taken: 90s, 10m, 1h"),
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

static Status columns_by_role(Plan *plan, const char *role, bool numeric, Columns *out) {
    Status status = OK;
    const Arg *arg = args_find(&plan->roles.args, role);
    if (!arg) return OK;
    NEW(plan->work, out->at, arg->count + 1);
    for (int64_t i = 0; i < arg->count; i++) {
        const Column *column;
        TRY(table_need(plan->data, arg->items[i], &column, plan->work->error));
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
    TRY(columns_by_role(plan, "keys", false, &plan->keys));
    TRY(columns_by_role(plan, "numeric", true, &numbers));
    TRY(columns_by_role(plan, "sensitive", false, &sensitive));
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
    Stream stream = run_stream(plan->run, NULL, "sample");
    Stream search = run_stream(plan->run, NULL, "search");
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

/* ---- what it says ---- */

static const char *number(double x, int digits, char out[33]) { return isnan(x) ? "–" : real_short(x, digits, out); }

static const char *steps_text(Plan *plan, const Candidate *c) {
    Step steps[PLAN_STEPS];
    int64_t count = 0;
    if (c->given >= 0) {
        const Recipe *recipe = &plan->given[c->given];
        return plan_said(plan, plan->work, recipe->step, recipe->steps);
    }
    if (plan_steps(plan, plan->work, &c->gene, c->full ? plan->data->rows : plan->sample->rows, steps, &count)) return "";
    return plan_said(plan, plan->work, steps, count);
}

/* The front by growing loss, in the arena. */
static Status front_of(Plan *plan, const Candidate ***out, int64_t *count) {
    Status status = OK;
    const Candidate **list = NULL;
    *count = 0;
    NEW(plan->work, list, plan->count + 1);
    for (int64_t i = 0; i < plan->count; i++) {
        if (!plan->candidate[i].front) continue;
        int64_t at = (*count)++;
        for (; at > 0 && list[at - 1]->score.loss > plan->candidate[i].score.loss; at--) list[at] = list[at - 1];
        list[at] = &plan->candidate[i];
    }
    *out = list;
done:
    return status;
}

static const char *recipe_name(Work *work, int64_t i) { return arena_print(work->arena, "front/%02lld.yaml", (long long)i + 1); }

static void say_front(Plan *plan, const Candidate *const *front, int64_t count) {
    Result *result = plan->run->result;
    Grid *grid = grid_new(result, "front", "recipe:text steps:text risk:real loss:real");
    for (int64_t i = 0; i < count; i++) {
        grid_text(grid, recipe_name(plan->work, i));
        grid_text(grid, steps_text(plan, front[i]));
        grid_real(grid, front[i]->score.risk);
        grid_real(grid, front[i]->score.loss);
    }
    grid_done(grid);
    grid = grid_new(result, "intervals", "recipe:text seeds:integer risk_low:real risk_high:real loss_low:real loss_high:real");
    for (int64_t i = 0; i < count; i++) {
        grid_text(grid, recipe_name(plan->work, i));
        grid_integer(grid, front[i]->seeds);
        grid_real(grid, front[i]->risk_low);
        grid_real(grid, front[i]->risk_high);
        grid_real(grid, front[i]->loss_low);
        grid_real(grid, front[i]->loss_high);
    }
    grid_done(grid);
    grid = grid_new(result, "parts",
                    "recipe:text found_by_keys:real found_by_numbers:real values_lost:real distributions_moved:real pairs_moved:real "
                    "analyses_moved:real");
    for (int64_t i = 0; i < count; i++) {
        const Score *s = &front[i]->score;
        grid_text(grid, recipe_name(plan->work, i));
        grid_real(grid, s->by_keys);
        grid_real(grid, s->by_numbers);
        grid_real(grid, s->values_lost);
        grid_real(grid, s->moved);
        grid_real(grid, s->pairs);
        grid_real(grid, s->analyses);
    }
    grid_done(grid);
}

/* Recipes that were given: where they lie, and whether the search found better. */
static void say_against(Plan *plan, const Candidate *const *front, int64_t count) {
    if (!plan->givens) return;
    Grid *grid = grid_new(plan->run->result, "against", "recipe:text steps:text risk:real loss:real rules_broken:integer beaten_by:text");
    for (int64_t i = 0; i < plan->count; i++) {
        const Candidate *c = &plan->candidate[i];
        const char *by = NULL;
        if (c->given < 0) continue;
        for (int64_t f = 0; f < count && !by; f++)
            if (c->score.ran && front[f]->score.risk < c->score.risk && front[f]->score.loss < c->score.loss)
                by = recipe_name(plan->work, f);
        grid_text(grid, plan->given[c->given].file);
        grid_text(grid, steps_text(plan, c));
        grid_real(grid, c->score.risk);
        grid_real(grid, c->score.loss);
        grid_integer(grid, c->score.broken);
        grid_text(grid, by);
    }
    grid_done(grid);
}

/* Fewest broken rules first, then least loss. */
static int by_worth(const void *a, const void *b) {
    const Candidate *x = *(const Candidate *const *)a, *y = *(const Candidate *const *)b;
    if (x->score.ran != y->score.ran) return x->score.ran ? -1 : 1;
    if (x->score.broken != y->score.broken) return x->score.broken < y->score.broken ? -1 : 1;
    if (x->score.ran && x->score.loss != y->score.loss) return x->score.loss < y->score.loss ? -1 : 1;
    return x < y ? -1 : x > y;
}

static Status say_candidates(Plan *plan, int64_t *feasible) {
    Status status = OK;
    const Candidate **list = NULL;
    int64_t count = 0;
    Grid *grid = grid_new(plan->run->result, "candidates", "steps:text records:text risk:real loss:real rules_broken:integer");
    *feasible = 0;
    NEW(plan->work, list, plan->count + 1);
    for (int64_t i = 0; i < plan->count; i++)
        if (plan->candidate[i].given < 0) list[count++] = &plan->candidate[i];
    if (count) qsort(list, (size_t)count, sizeof *list, by_worth);
    for (int64_t i = 0; i < count; i++) {
        const Candidate *c = list[i];
        *feasible += c->full && c->score.ran && !c->score.broken;
        grid_text(grid, steps_text(plan, c));
        grid_text(grid, c->full ? "all" : "sample");
        grid_real(grid, c->score.ran ? c->score.risk : NAN);
        grid_real(grid, c->score.ran ? c->score.loss : NAN);
        if (c->score.ran) grid_integer(grid, c->score.broken);
        else grid_missing(grid);
    }
done:
    grid_done(grid);
    return status;
}

typedef enum { BROKEN, BEATEN, GIVEN, FRONT } Kind_of_point;

static Kind_of_point kind_of(const Candidate *c) { return c->given >= 0 ? GIVEN : c->front ? FRONT : c->score.broken ? BROKEN : BEATEN; }

static Status say_map(Plan *plan) {
    static const char *const names[] = { "breaks a rule", "keeps the rules, beaten by another", "given recipe",
                                         "best: no other has less of both" };
    Status status = OK;
    double *x = NULL, *y = NULL;
    const char **text = NULL;
    Chart *chart = result_chart(plan->run->result, CHART_SCATTER, "Risk and loss of the releases measured",
                                "risk: share of people found (less is better)", "loss: share of the information (less is better)");
    NEW(plan->work, x, plan->count + 1);
    NEW(plan->work, y, plan->count + 1);
    NEW(plan->work, text, plan->count + 1);
    for (int kind = BROKEN; kind <= FRONT; kind++) {
        int64_t count = 0;
        for (int64_t i = 0; i < plan->count; i++) {
            const Candidate *c = &plan->candidate[i];
            if (!c->full || !c->score.ran || (int)kind_of(c) != kind) continue;
            x[count] = c->score.risk;
            y[count] = c->score.loss;
            text[count++] = kind >= GIVEN ? steps_text(plan, c) : NULL;
        }
        if (!count) continue;
        chart_series(chart, names[kind], count, x, y, NULL, kind >= GIVEN ? text : NULL);
        chart->series[chart->series_count - 1].emphasised = kind == FRONT;
    }
done:
    return status;
}

static void say_values(Plan *plan, int64_t feasible, int64_t front) {
    Result *result = plan->run->result;
    const Candidate *best = plan_best(plan), *near = plan_nearest(plan);
    char risk[33], loss[33];
    int64_t full = 0;
    for (int64_t i = 0; i < plan->count; i++) full += plan->candidate[i].full && plan->candidate[i].given < 0;
    result_integer(result, "candidates", plan->count - plan->givens);
    result_integer(result, "measured_whole", full);
    result_integer(result, "feasible", feasible);
    result_integer(result, "front_size", front);
    if (best) {
        result_real(result, "best_loss", best->score.loss);
        result_real(result, "best_risk", best->score.risk);
        result_text(result, "best", steps_text(plan, best));
        result_integer(result, "rules_broken", 0);
        result_note(result,
                    "The release that costs least and keeps every rule: %s. An intruder of the two that were tried finds %s%% of the "
                    "people in it, and %s%% of the information is lost.",
                    steps_text(plan, best), number(100 * best->score.risk, 3, risk), number(100 * best->score.loss, 3, loss));
    } else {
        result_null(result, "best_loss", "No release that was tried keeps every rule.");
        result_null(result, "best_risk", "No release that was tried keeps every rule.");
        result_integer(result, "rules_broken", near ? near->score.broken : 1);
        if (near)
            result_text(result, "rules_broken_names",
                        arena_print(plan->work->arena, "the nearest release (%s) still breaks %lld", steps_text(plan, near),
                                    (long long)near->score.broken));
    }
}

static void say_how(Plan *plan) {
    Result *result = plan->run->result;
    if (plan->sample)
        result_note(
            result,
            "Candidates were raced on a sample of %lld records; the best of them, and what was bred from those, were measured on all %lld.",
            (long long)plan->sample->rows, (long long)plan->data->rows);
    if (plan->cut)
        result_note(result, "The time ran out before the search was done: this is the best so far, and another machine may get farther. A "
                            "longer --budget, or none, gives the same plan everywhere.");
    result_note(result,
                "Risk: the share of people whom the better of two intruders finds (risk found). Loss: the mean of values lost, "
                "distributions moved and pairs of columns moved (utility loss)%s.",
                plan->keeps ? ", and of what --keep names" : "");
    if (plan->has_policy) return;
    result_note(result, "No policy was given: every release that could be made counts as keeping the rules.");
}

/* ---- files ---- */

static Status write_text(Plan *plan, Stage *stage, const char *path, Buffer *text) {
    Status status = OK;
    const char *aside;
    if (text->failed || !path) TRY(fail(plan->work->error, FAILED, "out of memory"));
    TRY(stage_path(stage, plan->work->arena, path, false, &aside, plan->work->error));
    TRY(stage_told(plan->work->error, aside, path, file_write(aside, text->bytes, text->count, false, plan->work->error)));
done:
    buffer_free(text);
    return status;
}

static Status make_folder(Work *work, const char *path) {
    struct stat there;
    if (!mkdir(path, 0777) || (!stat(path, &there) && S_ISDIR(there.st_mode))) return OK;
    fail(work->error, BAD, "cannot be made, or is no folder");
    return error_file(work->error, path);
}

static const char *note_of(Plan *plan, const Candidate *c) {
    char risk[33], loss[33];
    return arena_print(plan->work->arena, "%s: risk %s, loss %s, by scrim plan %s", steps_text(plan, c), number(c->score.risk, 3, risk),
                       number(c->score.loss, 3, loss), SCRIM_VERSION);
}

/* An earlier plan's recipes that this one has no more. */
static void remove_old(Plan *plan, const char *folder, int64_t count) {
    for (int64_t i = count; i < 1000; i++) {
        const char *path = arena_print(plan->work->arena, "%s/%s", folder, recipe_name(plan->work, i));
        if (!path || unlink(path)) return;
    }
}

static Status write_files(Plan *plan, const char *folder, const Candidate *const *front, int64_t count) {
    Status status = OK;
    Stage *stage = NULL;
    Arena *arena = plan->work->arena;
    const char *sub = arena_print(arena, "%s/front", folder);
    const Candidate *best = plan_best(plan);
    TRY(work_files(plan->work));
    TRY(make_folder(plan->work, folder));
    TRY(make_folder(plan->work, sub));
    TRY(stage_new(&stage, plan->work->error));
    for (int64_t i = 0; i < count; i++) {
        Buffer text = { 0 };
        TRY(plan_recipe(plan, front[i], sub, note_of(plan, front[i]), &text));
        buffer_print(&text, "output: %02lld.csv\nreport: %02lld.html\n", (long long)i + 1, (long long)i + 1);
        TRY(write_text(plan, stage, arena_print(arena, "%s/%s", folder, recipe_name(plan->work, i)), &text));
    }
    if (best) {
        Buffer text = { 0 };
        TRY(plan_recipe(plan, best, folder, note_of(plan, best), &text));
        buffer_text(&text, "output: released.csv\nreport: report.html\n");
        TRY(write_text(plan, stage, arena_print(arena, "%s/best.yaml", folder), &text));
    }
    Buffer page = { 0 };
    render_html(plan->run->result, "The plan of a release", &page);
    TRY(write_text(plan, stage, arena_print(arena, "%s/plan.html", folder), &page));
    status = stage_commit(stage, plan->work->error);
    stage = NULL;
    if (!status) remove_old(plan, folder, count);
done:
    stage_abandon(stage);
    return status;
}

static Status say_recipes(Plan *plan, const Candidate *const *front, int64_t count) {
    Status status = OK;
    Grid *grid = grid_new(plan->run->result, "recipes", "recipe:text yaml:text");
    for (int64_t i = 0; i < count; i++) {
        Buffer text = { 0 };
        status = plan_recipe(plan, front[i], NULL, note_of(plan, front[i]), &text);
        grid_text(grid, recipe_name(plan->work, i));
        grid_text(grid, buffer_get(&text));
        buffer_free(&text);
        TRY(status);
    }
done:
    grid_done(grid);
    return status;
}

static Status say_all(Plan *plan, const char *folder) {
    Status status = OK;
    const Candidate **front;
    int64_t count, feasible;
    TRY(front_of(plan, &front, &count));
    say_front(plan, front, count);
    say_against(plan, front, count);
    TRY(say_candidates(plan, &feasible));
    say_values(plan, feasible, count);
    say_how(plan);
    TRY(say_map(plan));
    if (folder) TRY(write_files(plan, folder, front, count));
    if (folder && plan_best(plan)) result_text(plan->run->result, "recipe", arena_print(plan->work->arena, "%s/best.yaml", folder));
    if (!folder) TRY(say_recipes(plan, front, count));
done:
    return status;
}

static Status plan_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    Plan plan = { .run = run, .work = &run->work };
    Table *data = NULL;
    int64_t dropped;
    TRY(read_budget(&run->work, a->budget, &plan.deadline));
    TRY(roles_read(&run->work, a->roles, &plan.roles));
    TRY(roles_check(&run->work, &plan.roles, a->data, true));
    TRY(roles_drop(&run->work, &plan.roles, a->data, &data, &dropped));
    plan.data = data;
    plan.has_policy = a->policy;
    if (a->policy) TRY(policy_read(&run->work, a->policy, &plan.policy));
    if (!data->rows) TRY(fail(run->work.error, BAD, "the table has no records"));
    plan.k = policy_k(&plan);
    TRY(take_columns(&plan));
    TRY(plan_keeps(&plan, a->keep));
    plan.hides = a->hide.count;
    plan.hide = a->hide.at;
    TRY(read_givens(&plan, a->against));
    TRY(draw_sample(&plan));
    TRY(plan_space(&plan));
    TRY(plan_search(&plan, a->candidates));
    TRY(say_all(&plan, a->output));
done:
    plan_clear(&plan);
    table_release(plan.sample);
    table_release(data);
    return status;
}

static const Return values[] = {
    VALUE(candidates, INTEGER, "Releases that the search made and measured", .flags = PUBLIC),
    VALUE(measured_whole, INTEGER, "Those measured on all records", .flags = PUBLIC),
    VALUE(feasible, INTEGER, "Those of them that keep every rule", .flags = PUBLIC),
    VALUE(front_size, INTEGER, "Those that no other beats on risk and loss at once", .flags = PUBLIC),
    VALUE(best_loss, REAL, "Loss of the one that costs least", .flags = PUBLIC),
    VALUE(best_risk, REAL, "Its risk: the share of people found", .flags = PUBLIC),
    VALUE(best, TEXT, "Its steps"),
    VALUE(recipe, TEXT, "Its recipe"),
    VALUE(rules_broken, INTEGER, "Rules that the best, or the nearest, still breaks", .flags = PUBLIC),
    VALUE(rules_broken_names, TEXT, "Where no release keeps every rule: how near the search came"),
    TABLE_OUT(front, "recipe:text steps:text risk:real loss:real", "Releases that no other beats, by growing loss"),
    TABLE_OUT(intervals, "recipe:text seeds:integer risk_low:real risk_high:real loss_low:real loss_high:real",
              "How many seeds each was drawn with, and the least and the most that came of it"),
    TABLE_OUT(parts,
              "recipe:text found_by_keys:real found_by_numbers:real values_lost:real distributions_moved:real pairs_moved:real "
              "analyses_moved:real",
              "What their risk and loss are made of"),
    TABLE_OUT(against, "recipe:text steps:text risk:real loss:real rules_broken:integer beaten_by:text",
              "The recipes given, and the first of the front that has less risk and less loss"),
    TABLE_OUT(candidates, "steps:text records:text risk:real loss:real rules_broken:integer", "Everything that was measured"),
    TABLE_OUT(recipes, "recipe:text yaml:text", "Without -o: the recipes themselves"),
    END,
};

const Method verb_plan = {
    .group = "verb",
    .name = "plan",
    .summary = "Search methods and parameters for the releases that no other beats on risk and loss",
    .source = "Duncan, Keller-McNulty & Stokes 2001; Matloff & Tendick",
    .params = params,
    .size = sizeof(args),
    .traits = RANDOM | KEYED,
    .run = plan_run,
    .values = values,
    .example = "scrim plan examples/clinic.csv --roles examples/roles.yaml --policy examples/policy.yaml --keep 'income ~ age + sex' "
               "--candidates 60",
};
