/* The plan as a result: the front, the map, everything that was measured; and as a folder of recipes. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/elementary.h"
#include "base/file.h"
#include "base/number_text.h"
#include "base/file_transaction.h"
#include "verb/plan/plan.h"
#include "render/render.h"

/* ---- what it says ---- */

static const char *number(double x, int digits, char out[33]) { return isnan(x) ? "–" : real_short(x, digits, out); }

static const char *steps_text(Plan *plan, const Candidate *c) {
    const Step *steps;
    int64_t count = 0;
    if (plan_candidate_steps(plan, plan->work, c, &steps, &count)) return "";
    return plan_said(plan->work, steps, count);
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
                    "recipe:text by_keys:real by_joining:real values_lost:real distributions_moved:real pairs_moved:real "
                    "analyses_moved:real");
    for (int64_t i = 0; i < count; i++) {
        const Score *s = &front[i]->score;
        grid_text(grid, recipe_name(plan->work, i));
        grid_real(grid, s->by_keys);
        grid_real(grid, s->by_joining);
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

/* Its number on the front, and its methods by name: what fits beside a mark. */
static const char *short_name(Plan *plan, const Candidate *c) {
    const Step *steps;
    int64_t count = 0, rank = 1;
    Buffer text = { 0 };
    for (int64_t i = 0; i < plan->count; i++) rank += plan->candidate[i].front && plan->candidate[i].score.loss < c->score.loss;
    if (plan_candidate_steps(plan, plan->work, c, &steps, &count)) return NULL;
    buffer_print(&text, "%lld", (long long)rank);
    for (int64_t s = 0; s < count; s++) {
        const char *dot = strchr(steps[s].name, '.');
        if (strcmp(steps[s].name, "protect.recode")) buffer_print(&text, "%s%s", text.count < 4 ? " " : "+", dot ? dot + 1 : steps[s].name);
    }
    const char *copy = arena_text(plan->work->arena, buffer_get(&text));
    buffer_free(&text);
    return copy;
}

typedef enum { BROKEN, BEATEN, GIVEN, FRONT } Kind_of_point;

static Kind_of_point kind_of(const Candidate *c) { return c->given >= 0 ? GIVEN : c->front ? FRONT : c->score.broken ? BROKEN : BEATEN; }

/* The least and the most over the seeds, of the points of one kind. */
static Status say_spread(Plan *plan, Chart *chart, Kind_of_point kind) {
    Status status = OK;
    double *part[4] = { 0 };
    int64_t n = 0;
    for (int i = 0; i < 4; i++) NEW(plan->work, part[i], plan->count + 1);
    for (int64_t i = 0; i < plan->count; i++) {
        const Candidate *c = &plan->candidate[i];
        if (!c->full || !c->score.ran || kind_of(c) != kind) continue;
        part[0][n] = c->risk_low;
        part[1][n] = c->risk_high;
        part[2][n] = c->loss_low;
        part[3][n++] = c->loss_high;
    }
    chart_spread(chart, part[0], part[1], part[2], part[3]);
done:
    return status;
}

static void say_finding(Plan *plan, Chart *chart) {
    const Candidate *best = plan_best(plan);
    char risk[33], loss[33];
    if (!best) chart_finding(chart, "No release that was tried keeps every rule.");
    else
        chart_finding(chart,
                      arena_print(plan->work->arena, "The release that costs least and keeps every rule (%s) has risk %s and loss %s.",
                                  steps_text(plan, best), number(best->score.risk, 3, risk), number(best->score.loss, 3, loss)));
}

static Status say_map(Plan *plan) {
    static const char *const names[] = { "breaks a rule", "keeps the rules, beaten by another", "given recipe",
                                         "best: no other has less of both" };
    Status status = OK;
    double *x = NULL, *y = NULL;
    const char **text = NULL;
    Chart *chart = result_chart(plan->run->result, CHART_SCATTER, "Risk and loss of the releases measured",
                                "risk: share of people re-identified (less is better)", "information loss (lower is better)");
    NEW(plan->work, x, plan->count + 1);
    NEW(plan->work, y, plan->count + 1);
    NEW(plan->work, text, plan->count + 1);
    say_finding(plan, chart);
    for (int kind = BROKEN; kind <= FRONT; kind++) {
        int64_t count = 0;
        for (int64_t i = 0; i < plan->count; i++) {
            const Candidate *c = &plan->candidate[i];
            if (!c->full || !c->score.ran || (int)kind_of(c) != kind) continue;
            x[count] = c->score.risk;
            y[count] = c->score.loss;
            text[count++] = kind == FRONT ? short_name(plan, c) : kind == GIVEN ? "given" : NULL;
        }
        if (!count) continue;
        chart_series(chart, names[kind], count, x, y, NULL, kind >= GIVEN ? text : NULL);
        chart->series[chart->series_count - 1].emphasised = kind == FRONT;
        if (kind >= GIVEN) TRY(say_spread(plan, chart, (Kind_of_point)kind));
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
    result_integer(result, "ruled_out", plan->ruled_out);
    result_integer(result, "measured_whole", full);
    result_integer(result, "feasible", feasible);
    result_integer(result, "front_size", front);
    if (best) {
        result_real(result, "best_loss", best->score.loss);
        result_real(result, "best_risk", best->score.risk);
        result_text(result, "best", steps_text(plan, best));
        result_integer(result, "rules_broken", 0);
        result_note(
            result,
            "The release that satisfies every rule with the least information loss: %s. The best of four simulated intruders re-identifies "
            "%s%% of the people, and the information loss is %s%%.",
            steps_text(plan, best), number(100 * best->score.risk, 3, risk), number(100 * best->score.loss, 3, loss));
    } else {
        result_null(result, "best_loss", "No release that was tried keeps every rule.");
        result_null(result, "best_risk", "No release that was tried keeps every rule.");
        result_integer(result, "rules_broken", near ? near->score.broken : 1);
        if (near)
            result_text(result, "rules_broken_names",
                        arena_print(plan->work->arena, "the nearest release (%s) violates %lld%s%s", steps_text(plan, near),
                                    (long long)near->score.broken, near->score.violated ? ": " : "",
                                    near->score.violated ? near->score.violated : ""));
    }
}

static void say_how(Plan *plan) {
    Result *result = plan->run->result;
    if (plan->sample)
        result_note(
            result,
            "Candidates were raced on a sample of %lld records; the best of them, and what was bred from those, were measured on all %lld.",
            (long long)plan->sample->rows, (long long)plan->data->rows);
    if (plan->ended)
        result_note(result, "The search ended before all %lld candidates were made, because the last ones brought no clear improvement.",
                    (long long)plan->most);
    if (plan->cut)
        result_note(result, "The time ran out before the search was done: this is the best so far, and another machine may get farther. A "
                            "longer --budget, or none, gives the same plan everywhere.");
    result_note(result,
                "Risk: the share of people whom the best of four simulated intruders re-identifies (risk reidentification). Loss: the mean "
                "of values lost, "
                "distributions moved and pairs of columns moved (utility loss)%s.",
                plan->keeps ? ", and of what --keep names" : "");
    if (plan->has_policy) return;
    result_note(result, "No policy was given: every release that could be made counts as keeping the rules.");
}

/* ---- files ---- */

static Status write_text(Plan *plan, Transaction *stage, const char *path, Buffer *text) {
    Status status = OK;
    const char *aside;
    if (text->failed || !path) TRY(out_of_memory(plan->work->error));
    TRY(transaction_path(stage, plan->work->arena, path, plan->run->result->closed, &aside, plan->work->error));
    TRY(transaction_restore_path(plan->work->error, aside, path, file_write(aside, text->bytes, text->count, false, plan->work->error)));
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
    Transaction *stage = NULL;
    Arena *arena = plan->work->arena;
    const char *sub = arena_print(arena, "%s/front", folder);
    const Candidate *best = plan_best(plan);
    TRY(work_files(plan->work));
    TRY(make_folder(plan->work, folder));
    TRY(make_folder(plan->work, sub));
    TRY(transaction_new(&stage, plan->work->error));
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
    if (best) result_summary(plan->run->result, plan->run->result->note[0]); /* the lead of the page; the runner puts the verb's own */
    describe_returns(plan->run->method, plan->run->result);
    render_html(plan->run->result, "The plan of a release", &page);
    TRY(write_text(plan, stage, arena_print(arena, "%s/plan.html", folder), &page));
    status = transaction_commit(stage, plan->work->error);
    stage = NULL;
    if (!status) remove_old(plan, folder, count);
done:
    transaction_rollback(stage);
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

Status plan_say(Plan *plan, const char *folder) {
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
