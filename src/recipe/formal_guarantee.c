/* What would tell of the records that a promise hides: found in the recipe alone, before any data is read. */
#include "recipe/formal_guarantee.h"
#include "io/open.h"

static bool makes_table(const Method *method) {
    for (const Return *r = method->values; r && r->kind; r++)
        if (r->kind == RETURN_OUTPUT) return true;
    return false;
}

bool recipe_makes_table(const Recipe *recipe, int64_t steps) {
    for (int64_t i = 0; i < steps; i++)
        if (makes_table(recipe->step[i].method)) return true;
    return false;
}

int64_t recipe_guarantee(const Recipe *recipe) {
    const bool table = recipe_makes_table(recipe, recipe->steps);
    for (int64_t i = recipe->steps - 1; i >= 0; i--)
        if (method_promises(recipe->step[i].method) && makes_table(recipe->step[i].method) == table) return i;
    return -1;
}

bool recipe_answers(const Recipe *recipe) { return recipe_guarantee(recipe) >= 0 && !recipe_makes_table(recipe, recipe->steps); }

static bool names_input(const Recipe *recipe, const Arg *arg) {
    for (int64_t i = 0; arg->items && i < arg->count; i++)
        if (arg->items[i] && table_same(arg->items[i], recipe->input)) return true;
    return false;
}

/* Is the input one of the files that the method is given? */
static bool reads_input(const Recipe *recipe, const Method *method, const Args *args) {
    for (int64_t i = 0; i < args->count; i++)
        if (kind_is_file(method_param(method, args->at[i].name)->kind) && names_input(recipe, &args->at[i])) return true;
    return false;
}

bool recipe_step_tells(const Recipe *recipe, int64_t step) {
    return step < recipe_guarantee(recipe) && !method_promises(recipe->step[step].method);
}

/* A rule on a table before the promise is kept or broken by confidential records, and the exit code would tell which. */
static Status check_rules(Work *work, const Recipe *r, int64_t promise) {
    for (int64_t i = 0; r->has_policy && i < r->policy.rules; i++) {
        const Rule *rule = &r->policy.rule[i];
        if (!rule->at || (rule->step >= promise && !recipe_answers(r))) continue;
        yaml_fail(work, rule->node, "the rule would judge %s%s and disclose what the formal guarantee hides",
                  recipe_answers(r) ? "the table that is asked by " : "a table before ", r->step[promise].name);
        return error_advice(work->error,
                            recipe_answers(r) ? "Leave the rule out: no table is released." : "Judge what comes out: leave 'at' out.");
    }
    return OK;
}

/* A policy's parameters, and roles, fill those of whatever is measured. */
static Status check_files(Work *work, const Recipe *r, int64_t promise) {
    Status status = OK;
    const YamlNode *params = r->has_policy ? r->policy.params : NULL, *at = NULL;
    for (int64_t i = 0; params && i < params->count; i++) {
        const Method *method;
        Args args;
        TRY(method_need(params->name[i], &method, work->error));
        TRY(node_args(work, params->item[i], method, &args));
        if (reads_input(r, method, &args)) at = params->item[i];
    }
    for (int64_t i = 0; i < r->roles.args.count; i++)
        if (names_input(r, &r->roles.args.at[i])) at = r->roles.node;
    if (at) {
        yaml_fail(work, at, "the recipe names the input, and its result would disclose what %s hides", r->step[promise].name);
        TRY(error_advice(work->error, "Leave it out, and compare with the input separately."));
    }
done:
    return status;
}

/* What is made of the input after the promise is no more of it than the input itself; and what is found in it could not be told, though
 * that it was found or refused would be. */
static Status check_steps(Work *work, const Recipe *r, int64_t promise) {
    for (int64_t i = 0; i < r->steps; i++) {
        const Step *step = &r->step[i];
        const char *hides = r->step[promise].name;
        bool table = makes_table(step->method), input = recipe_answers(r) || reads_input(r, step->method, &step->args);
        if (method_promises(step->method) || (i < promise ? table : !input)) continue;
        if (table) {
            yaml_fail(work, step->node, "%s would make the release from the input, which %s hides", step->name, hides);
            return error_advice(work->error, "Leave the input out: only the protected table may be used.");
        }
        yaml_fail(work, step->node, "%s would compute what %s hides, and its result could not be shown", step->name, hides);
        return error_advice(work->error, "Leave the step out, and measure the input separately.");
    }
    return OK;
}

/* A promise is about single records of the input only where every table on the way to it has records that follow from one record of the
 * input each. A microaggregation before it moves hundreds of records with one, and none of them would be hidden. */
static Status check_records(Work *work, const Recipe *r, int64_t promise) {
    for (int64_t i = 0; i < promise && !recipe_answers(r); i++) {
        const Step *step = &r->step[i];
        if (method_promises(step->method) && makes_table(step->method)) return OK; /* what comes after looks at its release alone */
        if (!makes_table(step->method) || recipe_one_by_one(step)) continue;
        yaml_fail(work, step->node,
                  "%s, with these arguments, makes a record from several: one changed record of the input could change many, which %s does "
                  "not cover",
                  step->name, r->step[promise].name);
        return error_advice(work->error, "Leave the step out, move it behind the formal guarantee, or make it use one record at a time "
                                         "(recode --breaks, top-bottom --top).");
    }
    return OK;
}

bool recipe_one_by_one(const Step *step) { return step->method->record_by_record && step->method->record_by_record(&step->args); }

Status recipe_check_guarantee(Work *work, const Recipe *recipe) {
    int64_t promise = recipe_guarantee(recipe);
    if (promise < 0) return OK;
    Status status = check_rules(work, recipe, promise);
    if (!status) status = check_files(work, recipe, promise);
    if (!status) status = check_steps(work, recipe, promise);
    return status ? status : check_records(work, recipe, promise);
}
