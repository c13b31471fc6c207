/* Remedies: what scrim recommends for the residual risks of a release, taken as further steps until the policy is satisfied. */
#include <stdlib.h>
#include <string.h>
#include "verb/plan/plan.h"

enum { STARTS = 10, ROUNDS = 5, ENOUGH = 3 };

/* The same method on the same columns: tried before, whatever its amounts. */
static bool same_columns(const Step *a, const Step *b) {
    const Arg *x = args_find(&a->args, "vars"), *y = args_find(&b->args, "vars");
    if (strcmp(a->name, b->name) || !x != !y) return false;
    if (!x) return true;
    if (x->count != y->count) return false;
    for (int64_t i = 0; i < x->count; i++)
        if (strcmp(x->items[i], y->items[i])) return false;
    return true;
}

static bool is_taken(const Candidate *c, const Step *step) {
    for (int64_t i = 0; i < c->remedies; i++)
        if (same_columns(&c->remedy[i], step)) return true;
    return false;
}

static bool is_kept(const Plan *plan, const char *name) {
    for (int64_t i = 0; i < plan->vars.count; i++)
        if (!strcmp(plan->vars.at[i]->name, name)) return true;
    return false;
}

/* One line, "protect.round: {vars: [w], base: 10}"; false where it is advice in words. */
static bool parse_step(Plan *plan, const char *line, Step *out) {
    Error error = ERROR_NONE;
    Work work = *plan->work;
    const YamlNode *node;
    char *text = arena_text(work.arena, line), *end = text ? strchr(text, '}') : NULL;
    if (end) end[1] = 0; /* what stands behind it is another way */
    work.error = &error;
    *out = (Step){ 0 };
    return text && strchr(text, ':') && !yaml_parse(&work, "a recommendation", text, strlen(text), &node) && !step_read(&work, node, out);
}

/* A recommendation that was taken and did not help: the column is dropped, unless it is one that the analysis needs. */
static bool drop_instead(Plan *plan, const Step *step, Step *out) {
    const Arg *vars = args_find(&step->args, "vars");
    if (!vars || vars->count != 1 || is_kept(plan, vars->items[0])) return false;
    const char *line = arena_print(plan->work->arena, "protect.drop: {vars: [\"%s\"]}", vars->items[0]);
    return line && parse_step(plan, line, out);
}

/* Takes the recommendations for this candidate; false where there is none that it has not taken. */
static Status take_recommended(Plan *plan, Candidate *c, bool *more) {
    Status status = OK;
    Buffer lines = { 0 };
    const Step *steps;
    Step step, *remedy = NULL;
    int64_t count, lines_count = 1;
    char *state = NULL, *text;
    *more = false;
    TRY(plan_candidate_steps(plan, plan->work, c, &steps, &count));
    TRY(plan_recommended(plan, steps, count, &c->gene, &lines));
    if (!lines.count) goto done;
    text = arena_text(plan->work->arena, buffer_get(&lines));
    if (!text) TRY(out_of_memory(plan->work->error));
    for (const char *at = text; *at; at++) lines_count += *at == '\n';
    NEW(plan->work, remedy, c->remedies + lines_count);
    if (c->remedies) memcpy(remedy, c->remedy, (size_t)c->remedies * sizeof *remedy);
    c->remedy = remedy;
    for (char *line = strtok_r(text, "\n", &state); line; line = strtok_r(NULL, "\n", &state)) {
        if (!parse_step(plan, line, &step)) continue;
        if (is_taken(c, &step) && (!drop_instead(plan, &step, &step) || is_taken(c, &step))) continue;
        c->remedy[c->remedies++] = step;
        *more = true;
    }
done:
    buffer_free(&lines);
    return status;
}

/* This candidate, and what scrim recommends for what comes out, round by round. */
static Status remedy_one(Plan *plan, const Candidate *start, bool *kept) {
    Status status = OK;
    Candidate c = { .gene = start->gene, .given = -1, .full = true };
    bool more = true;
    *kept = false;
    for (int round = 0; round < ROUNDS && !*kept; round++) {
        TRY(take_recommended(plan, &c, &more));
        if (!more) break;
        TRY(plan_add(plan, &c));
        const Score *score = &plan->candidate[plan->count - 1].score;
        *kept = score->ran && !score->broken;
    }
done:
    return status;
}

typedef struct Start {
    int64_t at, hard, broken;
    double loss;
} Start;

static int by_nearness(const void *a, const void *b) {
    const Start *x = a, *y = b;
    if (x->hard != y->hard) return x->hard < y->hard ? -1 : 1;
    if (x->broken != y->broken) return x->broken < y->broken ? -1 : 1;
    if (x->loss != y->loss) return x->loss < y->loss ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

Status plan_remedies(Plan *plan) {
    Status status = OK;
    Start *start = NULL;
    int64_t starts = 0, kept_by = 0;
    if (!plan->has_policy) return OK;
    for (int64_t i = 0; i < plan->count; i++) {
        const Candidate *c = &plan->candidate[i];
        if (c->full && c->given < 0 && c->score.ran && !c->score.broken) return OK; /* the search itself found one */
    }
    TRY(plan_strong(plan, true));
    NEW(plan->work, start, plan->count + 1);
    for (int64_t i = 0; i < plan->count; i++) {
        const Candidate *c = &plan->candidate[i];
        if (!c->full || c->given >= 0 || !c->score.ran) continue;
        start[starts++] = (Start){ i, c->score.hard, c->score.broken, c->score.loss };
    }
    if (starts) qsort(start, (size_t)starts, sizeof *start, by_nearness);
    for (int64_t s = 0; s < starts && s < STARTS && kept_by < ENOUGH; s++) {
        const Candidate from = plan->candidate[start[s].at]; /* the list may move as it grows */
        bool kept = false;
        TRY(work_check(plan->work));
        TRY(remedy_one(plan, &from, &kept));
        kept_by += kept;
    }
done:
    return status;
}
