/* scrim run RECIPE: identifiers dropped, steps taken, the release measured, judged and written, with its manifest, seed and report. */
#include <string.h>
#include <unistd.h>
#include "base/file.h"
#include "base/file_transaction.h"
#include "io/format.h"
#include "io/open.h"
#include "recipe/read_options.h"
#include "verb/explain.h"
#include "report/findings.h"
#include "recipe/manifest.h"
#include "recipe/formal_guarantee.h"
#include "verb/measure.h"
#include "report/verdict.h"
#include "verb/run_private.h"
#include "verb/whose.h"
#include "verb/verbs.h"

typedef RunArgs args;
static const Param params[] = {
    TEXT(args, recipe, NULL, "The recipe: a YAML file, or the manifest of an earlier run", .flags = REQUIRED | POSITIONAL),
    TEXT(args, output, NULL, "Output file of the release (-o), instead of the recipe's"),
    TEXT(args, report, NULL, "HTML report, instead of the recipe's"),
    TEXT(args, releases, NULL, "Register of releases: a folder with the earlier releases of this input, which are judged together"),
    FLAG(args, public, "Make the report a public edition, without the parts for the data custodian"),
    FLAG(args, keep, "Write the release even if it is not ready"),
    FLAG(args, all, "Print every measure and note, not only the findings"),
    TEXT(args, author, NULL, "Person who prepared the report, for its sign-off"),
    TEXT(args, date, NULL, "Date of the report, for its sign-off"),
    REAL(args, time, 60, 0, INFINITY, "Skip a measure that would take longer than this many seconds", .flags = EXCLUSIVE),
    END,
};

Status run_open_input(RecipeRun *k, int64_t *identifiers) {
    Status status = OK;
    Recipe *r = &k->recipe;
    const Host *host = k->run->session->host;
    if (!host || !host->table) TRY(fail(k->work->error, BAD, "this caller lends no tables"));
    TRY(read_options_make(k->work, host->reading, r->reading, &k->reading));
    k->reading.empty = k->promise >= 0; /* to refuse it would tell */
    if (k->promise >= 0) k->reading.odd_bytes = ODD_BYTES_MISSING;
    if (host->table_as && (k->reading.empty || (r->reading && host->reading)))
        TRY(host->table_as(host->self, r->input, &k->reading, &k->original, k->work->error));
    else TRY(host->table(host->self, r->input, &k->original, k->work->error));
    k->run->result->closed |= k->original->closed;
    TRY(roles_check(k->work, &r->roles, k->original, true));
    TRY(roles_drop(k->work, &r->roles, k->original, &k->input, identifiers));
    k->current = table_retain(k->input);
done:
    return status;
}

/* The step's own arguments, the table at hand, and the original where the method compares with it, unless a promise hides that. */
Status run_step_args(RecipeRun *k, const Step *step, const Args *own, Args *out) {
    Status status = OK;
    bool hidden = k->promise >= 0 && step > &k->recipe.step[k->promise];
    Arg *list = NULL;
    Table **handle = NULL;
    int64_t count = own->count;
    const Param *original = method_param(step->method, "original");
    NEW(k->work, list, count + 2);
    NEW(k->work, handle, 2);
    if (count) memcpy(list, own->at, (size_t)count * sizeof *list);
    table_release(k->aligned);
    k->aligned = NULL;
    TRY(table_aligned(k->input, k->current, &k->aligned, k->work->error));
    handle[0] = k->current;
    handle[1] = k->aligned;
    list[count++] = (Arg){ .name = step_subject(step->method)->name, .count = 1, .tables = &handle[0] };
    if (original && original->kind == KIND_TABLE && !hidden && method_takes(step->method, "original", own, &k->recipe.roles.args))
        list[count++] = (Arg){ .name = "original", .count = 1, .tables = &handle[1] };
    *out = (Args){ count, list };
done:
    return status;
}

/* A method that makes no table measures in passing; one that makes several ends the recipe. */
Status run_take_outputs(RecipeRun *k, int64_t number, const Result *made) {
    const Step *step = &k->recipe.step[number];
    if (made->outputs > 1 && number + 1 < k->recipe.steps)
        return fail(k->work->error, BAD, "%s makes %lld tables, so it can only be the last step", step->name, (long long)made->outputs);
    if (!made->outputs) return OK;
    table_release(k->current);
    k->current = table_retain(made->output[0]);
    k->outputs = made->output;
    k->output_count = made->outputs;
    return OK;
}

Status run_measure(RecipeRun *k, const char *name, const Table *data, Table *beside, Policy *policy, const char *const *groups,
                   Grid *skipped) {
    Status status = OK;
    Table **handle = NULL;
    Arg *extra = NULL;
    int64_t extras = 0;
    Result *into = result_new(name);
    if (!into) return out_of_memory(k->work->error);
    NEW(k->work, handle, 1);
    NEW(k->work, extra, 2);
    *handle = beside;
    if (beside) extra[extras++] = (Arg){ .name = "original", .count = 1, .tables = handle };
    if (beside && k->earlier.count)
        extra[extras++] = (Arg){ .name = "previous",
                                 .count = k->earlier.count,
                                 .items = k->earlier.name,
                                 .tables = (Table *const *)(uintptr_t)k->earlier.at };
    Measuring m = { .work = k->work,
                    .session = *k->run->session,
                    .data = data,
                    .extra = { extras, extra },
                    .roles = &k->recipe.roles,
                    .except = k->except,
                    .policy = policy,
                    .into = into,
                    .skipped = skipped };
    m.session.time_limit = k->args->time;
    TRY(measure(&m, groups));
done:
    result_result(k->run->result, name, into);
    return status;
}

static Status measure_into(RecipeRun *k, const char *name, const Table *data, Policy *policy, const char *const *groups, Grid *skipped) {
    return run_measure(k, name, data, k->promise < 0 ? k->input : NULL, policy, groups, skipped);
}

/* Rules that name this step are judged by the table as it leaves it: k before noise is added to what k counts, say. */
static Status judge_step(RecipeRun *k, int64_t step) {
    static const char *const none[] = { NULL };
    Status status = OK;
    Policy here;
    if (!k->recipe.has_policy) return OK;
    TRY(policy_at(k->work, &k->recipe.policy, step, &here));
    if (!here.rules) return OK;
    const char *name = arena_print(k->work->arena, "after step %lld", (long long)step + 1);
    if (!name) TRY(out_of_memory(k->work->error));
    TRY(measure_into(k, name, k->current, &here, none, NULL));
    policy_finish(&k->recipe.policy, step, &here);
done:
    return status;
}

static void settle_promise(RecipeRun *k, int64_t number, Result *made) {
    if (recipe_step_tells(&k->recipe, number)) {
        result_redact(made); /* its table is at hand; how many records that has, too, is hidden */
        k->outputs = NULL;
        k->output_count = 0;
        result_note(made, "The results of this step are not shown: they depend on records that the formal guarantee hides.");
    }
    if (number == k->promise && recipe_makes_table(&k->recipe, number)) {
        Buffer names = { 0 };
        for (int64_t i = 0; i < number; i++)
            if (recipe_one_by_one(&k->recipe.step[i])) buffer_print(&names, "%s%s", names.count ? ", " : "", k->recipe.step[i].name);
        for (int copy = 0; names.count && copy < 2; copy++) /* beside the step, and of the whole run */
            result_note(copy ? made : k->run->result,
                        "The guarantee holds for the records of the input: each earlier step (%s) makes each of its records from one "
                        "record, so one changed record changes one record of the protected table.",
                        buffer_get(&names));
        buffer_free(&names);
    }
}

static Status take_steps(RecipeRun *k) {
    Status status = OK;
    int64_t i = 0;
    Result *steps = result_new("steps"), *made = NULL;
    if (!steps) return out_of_memory(k->work->error);
    for (; i < k->recipe.steps; i++) {
        const Step *step = &k->recipe.step[i];
        Session session = *k->run->session;
        Args given;
        session.step = i;
        TRY(run_step_args(k, step, &step->args, &given));
        TRY(method_run(&session, step->method, &given, &k->recipe.roles.all, &made, k->work->error));
        result_result(steps, step->name, made);
        TRY(run_take_outputs(k, i, made));
        settle_promise(k, i, made);
        k->random |= (step->method->traits & RANDOM) && !method_promises(step->method);
        TRY(judge_step(k, i));
    }
done:
    if (status && status != INTERRUPTED) node_place(k->work, k->recipe.step[i].node, status);
    result_result(k->run->result, "steps", steps);
    return status;
}

/* Risk before and after, and utility; after a promise what comes out alone, as everyone may. The policy judges what comes
 * out; what went in is measured by a copy of it. */
static Status measure_all(RecipeRun *k) {
    static const char *const risks[] = { "risk", "attack", NULL }, *const utilities[] = { "utility", NULL };
    Status status = OK;
    Policy *policy = k->recipe.has_policy ? &k->recipe.policy : NULL, before = { 0 };
    if (policy) {
        before = *policy;
        before.rule = NULL;
        NEW(k->work, before.rule, policy->rules + 1);
        memcpy(before.rule, policy->rule, (size_t)policy->rules * sizeof *before.rule);
    }
    if (k->answers) {
        Result *none = result_new("after");
        if (!none) TRY(out_of_memory(k->work->error));
        result_result(k->run->result, "after", none);
        return OK;
    }
    if (k->promise < 0) TRY(measure_into(k, "before", k->input, policy ? &before : NULL, risks, NULL));
    Grid *skipped = grid_new(k->run->result, "skipped", "method:text why:text lacks:text");
    TRY(measure_into(k, "after", k->current, policy, risks, skipped));
    if (k->promise < 0) TRY(measure_into(k, "utility", k->current, NULL, utilities, skipped));
    grid_done(skipped);
    if (k->promise >= 0)
        result_note(k->run->result, "Nothing here compares with the input, because the guarantee would not cover it. The data custodian "
                                    "can compare with utility compare, utility contingency or audit --original.");
    Result *all = k->run->result;
    report_summary(all, result_within(all, "before"), result_within(all, "after"), result_within(all, "utility"));
done:
    return status;
}

Status run_write_seed(RecipeRun *k, const char *output) {
    Status status = OK;
    char hex[66];
    const char *path = arena_print(k->work->arena, "%s.seed", output), *now;
    if (!path) return out_of_memory(k->work->error);
    TRY(transaction_path(k->stage, k->work->arena, path, 0077, &now, k->work->error));
    seed_to_hex(&k->run->session->seed, hex);
    strcat(hex, "\n");
    TRY(transaction_restore_path(k->work->error, now, path, file_write(now, hex, strlen(hex), true, k->work->error)));
    result_note(k->run->result, "The seed is in %s. Keep it secret: with it the randomness %scan be removed%s.", path,
                k->promise < 0 ? "" : "of steps without a guarantee ",
                k->promise < 0 ? ", and with the manifest the same release can be reproduced" : "");
done:
    memset(hex, 0, sizeof hex);
    return status;
}

/* Only CSV is opened without a question. */
static Status note_formulas(RecipeRun *k, const Table *table, const char *path) {
    Buffer text = { 0 };
    const Format *format = format_of(path, NULL);
    if (k->reading.spreadsheet_safe || (format && format != &format_csv)) return OK;
    csv_formulas(table, &text);
    if (text.count) result_note(k->run->result, "%.*s", (int)text.count - 1, text.bytes);
    const Status status = text.failed ? out_of_memory(k->work->error) : OK;
    buffer_free(&text);
    return status;
}

/* Put in place in the reverse order: the data last, so that until then the manifest is not of what lies beside it, and readers refuse. */
Status run_write_tables(RecipeRun *k, const char *output, Grid *files) {
    Status status = OK;
    CsvOptions csv = { .decimal = k->reading.decimal,
                       .separator = k->reading.separator,
                       .threads = k->work->threads,
                       .spreadsheet_safe = k->reading.spreadsheet_safe }; /* as it was read */
    if (k->promise < 0) TRY(report_file(k->work, files, k->recipe.input, k->recipe.input, k->original));
    for (int64_t i = 0; i < (k->output_count > 1 ? k->output_count : 1); i++) {
        const Table *table = k->output_count > 1 ? k->outputs[i] : k->current;
        const char *path = file_numbered(k->work->arena, output, i + 1);
        const char *now = path;
        if (!path) TRY(out_of_memory(k->work->error));
        TRY(table_save_staged(k->work, k->stage, table, path, &csv, &now));
        if (now != path) TRY(manifest_write_recipe(k->work, k->stage, path, now, k->run->result, table, &k->recipe, &k->reading));
        TRY(report_file(k->work, files, path, now, table));
        TRY(note_formulas(k, table, path));
    }
done:
    return status;
}

static Status write_release(RecipeRun *k, const char *output) {
    Status status = OK;
    Grid *files = grid_new(k->run->result, "files", "file:text blake2b:text rows:integer columns:integer");
    TRY(run_write_tables(k, output, files));
    if (k->random && !file_is_stream(output) && !table_in_database(output)) TRY(run_write_seed(k, output));
    TRY(run_enter(k, output));
done:
    grid_done(files);
    return status;
}

/* The result `distributions`, of charts alone. */
static Status draw_distributions(RecipeRun *k) {
    Result *into = result_new("distributions");
    if (!into) return out_of_memory(k->work->error);
    Status status = OK;
    if (k->output_count <= 1 && k->promise < 0) /* several tables have no one distribution */
        status = distribution_charts(k->work, k->input, k->current, &k->recipe.roles, result_within(k->run->result, "utility"), into);
    result_result(k->run->result, "distributions", into);
    return status;
}

static void tables_of(RecipeRun *k, bool public) {
    Result *result = k->run->result;
    report_tables(k->work, result, result_within(result, "before"), result_within(result, "after"), result_within(result, "utility"),
                  &k->recipe.roles, k->recipe.has_policy ? &k->recipe.policy : NULL, k->current, public);
}

Status run_write_report(RecipeRun *k, const char *path) {
    Status status = OK;
    Report report;
    Buffer text = { 0 };
    result_text(k->run->result, "report", path);
    if (k->args->public) { /* the last thing made of it; the findings again, from what is left */
        describe_returns(k->run->method, k->run->result);
        result_public(k->run->result);
        tables_of(k, true);
    }
    if (!report_from(k->work, k->run->result, false, &report)) TRY(out_of_memory(k->work->error));
    render_report(&report, &text);
    if (text.failed) TRY(out_of_memory(k->work->error));
    const char *now;
    TRY(transaction_path(k->stage, k->work->arena, path, k->args->public ? 0 : k->run->result->closed, &now, k->work->error));
    TRY(transaction_restore_path(k->work->error, now, path, file_write(now, text.bytes, text.count, false, k->work->error)));
done:
    buffer_free(&text);
    return status;
}

/* A seed that is a number is soon guessed, and then the randomness of the release undone. */
void run_warn_of_seed(RecipeRun *k) {
    const Session *session = k->run->session;
    Result *result = k->run->result;
    const Value *verdict = result_find(result, "verdict");
    if (!k->random || !session->seed_given || !session->seed.guessable || !verdict || !verdict->text) return;
    result_text(
        result, "verdict",
        arena_print(k->work->arena,
                    "%s Warning: the seed was given as a number. Anyone who guesses it can remove the randomness. Leave --seed out.",
                    verdict->text));
}

/* Of the input nothing goes out. */
static Status deliver_answers(RecipeRun *k) {
    Result *result = k->run->result;
    const char *report = k->args->report ? k->args->report : k->recipe.report;
    result_text(result, "verdict", "Only the answers of its steps are released: no step makes a table.");
    if (k->recipe.has_policy) report_rules(result, &k->recipe.policy);
    result_integer(result, "steps", k->recipe.steps);
    return report ? run_write_report(k, report) : OK;
}

static Status deliver_all(RecipeRun *k) {
    Status status = OK;
    Result *result = k->run->result;
    const Policy *policy = k->recipe.has_policy ? &k->recipe.policy : NULL;
    const char *output = k->args->output ? k->args->output : k->recipe.output,
               *report = k->args->report ? k->args->report : k->recipe.report;
    const char *what = output && strcmp(output, "-") ? output : "The release";
    bool broken =
        report_verdict(k->work, result, policy, result_within(result, "after"), &k->recipe.roles, k->current, what) == STATE_NOT_READY;
    if (output) run_warn_of_seed(k);
    TRY(draw_distributions(k));
    TRY(explain_riskiest(k->run, k->current, &k->recipe.roles, result_within(result, "after"), result));
    tables_of(k, false);
    if (policy) report_rules(result, policy);
    result_integer(result, "steps", k->recipe.steps);
    result_integer(result, "records", k->current->rows);
    if (broken && !k->args->keep) {
        const char *where = output ? output : "the output";
        result_note(result, "Nothing was written to %s, because the release is not ready. --keep writes it nevertheless.", where);
    } else if (output) {
        result_text(result, "output", output);
        TRY(write_release(k, output));
    } else /* written nowhere, it is the caller's */
        for (int64_t i = 0; i < (k->output_count > 1 ? k->output_count : 1); i++)
            result_output(result, table_retain(k->output_count > 1 ? k->outputs[i] : k->current));
    if (report) TRY(run_write_report(k, report));
done:
    return status;
}

static Status protect_args(RecipeRun *k, const Step *step) {
    Status status = OK;
    for (int64_t i = 0; i < step->args.count; i++) {
        const Arg *arg = &step->args.at[i];
        for (int64_t j = 0; kind_is_file(method_param(step->method, arg->name)->kind) && j < arg->count && !status; j++)
            if (arg->items[j]) status = table_protect(k->stage, arg->items[j], k->work->error);
    }
    return status;
}

/* Everything that the recipe names, whatever it is: roles, policy, and the files of its steps. */
Status run_guard_inputs(RecipeRun *k) {
    Status status = OK;
    TRY(table_protect(k->stage, k->recipe.input, k->work->error));
    for (int i = 0; i < 2; i++)
        if (k->recipe.beside[i]) TRY(transaction_guard_input(k->stage, k->recipe.beside[i], k->work->error));
    for (int64_t i = 0; i < k->recipe.roles.args.count; i++) {
        const Arg *role = &k->recipe.roles.args.at[i]; /* columns, which name no file, and tables */
        for (int64_t j = 0; j < role->count; j++)
            if (role->items[j] && (!strcmp(role->name, "hierarchies") || file_is_regular(role->items[j])))
                TRY(table_protect(k->stage, role->items[j], k->work->error));
    }
    for (int64_t i = 0; i < k->recipe.steps; i++) TRY(protect_args(k, &k->recipe.step[i]));
done:
    return status;
}

/* Before anything is done: what the run would destroy. */
static Status check_places(RecipeRun *k) {
    Status status = OK;
    const char *output = k->args->output ? k->args->output : k->recipe.output;
    bool random = false;
    if (output || k->args->report || k->recipe.report) TRY(work_files(k->work));
    for (int64_t i = 0; i < k->recipe.steps; i++) random |= (k->recipe.step[i].method->traits & RANDOM) != 0;
    if (output && table_replaces(k->recipe.input, output)) {
        fail(k->work->error, BAD, "is the input, and would be overwritten");
        error_advice(k->work->error, "Choose another output file.");
        return error_file(k->work->error, output);
    }
    const char *report = k->args->report ? k->args->report : k->recipe.report,
               *beside = output ? arena_print(k->work->arena, "%s.manifest.json", output) : NULL;
    TRY(transaction_new(&k->stage, k->work->error));
    TRY(run_guard_inputs(k));
    if (!beside || !file_same(beside, k->args->recipe))
        TRY(transaction_guard_input(k->stage, k->args->recipe, k->work->error)); /* a manifest that runs again is renewed */
    if (output) TRY(transaction_check(k->stage, output, k->work->error));
    if (report) TRY(transaction_check(k->stage, report, k->work->error));
    if (k->recipe.again && random && !k->run->session->seed_given && !k->args->output && output && file_is_regular(output)) {
        bool seeded = k->promise < 0;
        fail(k->work->error, BAD, "draws random numbers, and %s a repeated run would replace it by another release",
             seeded ? "without its seed" : "with noise that has no seed");
        if (seeded) error_advice(k->work->error, "--seed-file %s.seed makes the same again; -o writes a new one elsewhere.", output);
        else error_advice(k->work->error, "-o writes a new one elsewhere, at the price of a new release.");
        TRY(error_file(k->work->error, output));
    }
done:
    return status;
}

static Status check_promise(RecipeRun *k) {
    const Recipe *r = &k->recipe;
    k->promise = recipe_guarantee(r);
    k->answers = recipe_answers(r);
    if (k->answers && (k->args->output || r->output)) {
        fail(k->work->error, BAD, "no step makes a table: the output would be the unprotected input");
        error_advice(k->work->error, "The answers stand in the report (--report) and in --format json.");
        return error_file(k->work->error, r->file);
    }
    return recipe_check_guarantee(k->work, r);
}

void run_close(RecipeRun *k) {
    run_drop_earlier(k);
    table_release(k->original);
    table_release(k->aligned);
    table_release(k->input);
    table_release(k->current);
}

static Status run_run(Run *run, const void *p) {
    Status status = OK;
    RecipeRun k = { .run = run, .work = &run->work, .args = p };
    int64_t identifiers = 0;
    TRY(recipe_read(k.work, k.args->recipe, &k.recipe));
    result_text(run->result, "title", arena_print(run->work.arena, "Release by %s", k.recipe.file));
    if (k.recipe.files && (k.args->releases || k.recipe.releases)) {
        fail(k.work->error, BAD, "a register of releases is for recipes of one file");
        TRY(error_parameter(k.work->error, "releases"));
    }
    if (k.recipe.files) {
        TRY(run_linked(&k));
        goto done;
    }
    TRY(check_promise(&k));
    TRY(check_places(&k));
    TRY(run_open_input(&k, &identifiers));
    if (k.promise < 0 && !k.answers) TRY(ask_whose(k.work, k.original, &k.recipe.roles, run->result));
    result_integer(run->result, "identifiers_dropped", identifiers);
    TRY(run_find_earlier(&k));
    TRY(take_steps(&k));
    TRY(measure_all(&k));
    TRY(k.answers ? deliver_answers(&k) : deliver_all(&k));
    status = transaction_commit(k.stage, k.work->error);
    k.stage = NULL;
done:
    transaction_rollback(k.stage);
    run_close(&k);
    return status;
}

static const Return values[] = {
    VALUE(title, TEXT, "The recipe"),
    VALUE(state, TEXT, "ready, residual risk (the rules are satisfied, but a risk remains), not ready, or not judged", .flags = PUBLIC),
    QUESTION_OUT,
    VALUE(verdict, TEXT, "The verdict in plain sentences: first the highest risk from any simulated intruder"),
    VALUE(rules, INTEGER, "Number of rules of the policy, and each rule with its observed value", .flags = PUBLIC),
    VALUE(rules_broken, INTEGER, "Rules that are violated or could not be computed", .flags = PUBLIC),
    VALUE(rules_broken_names, TEXT, "Those rules, with the observed value"),
    VALUE(residual_risks, INTEGER, "Residual risks (risk.residual)", .flags = PUBLIC),
    VALUE(identifiers_dropped, INTEGER, "Direct identifiers removed first", .flags = PUBLIC),
    VALUE(steps, INTEGER, "Steps", .flags = PUBLIC),
    VALUE(records, INTEGER, "Records of the release", .flags = PUBLIC),
    VALUE(people, INTEGER, "People in the files of a recipe with files", .flags = PUBLIC),
    VALUE(output, TEXT, "File of the release"),
    VALUE(report, TEXT, "File of the report"),
    TABLE_OUT(rules, "rule:text met:text seen:text why:text words:text",
              "Each rule of the policy: whether it is satisfied, the observed value, and the rule in words"),
    EXPOSURE_OUT,
    TABLE_OUT(costs, COSTS_COLUMNS, "Information loss: suppressed cells, lost levels, lost information"),
    TABLE_OUT(skipped, "method:text why:text lacks:text", "Measures that were skipped, with the reason"),
    TABLE_OUT(files, "file:text blake2b:text rows:integer columns:integer", "Input and output files"),
    TABLE_OUT(links, "file:text column:text refers_to:text key:text without_before:integer without_after:integer",
              "Several files: references between them, and records with a broken reference, before and after"),
    OUTPUT("The release, if neither -o nor the recipe names a file"),
    END,
};

const Method verb_run = {
    .group = "verb",
    .name = "run",
    .summary = "Run a recipe: make the release, measure it, judge it by a policy, and write it with its manifest",
    .params = params,
    .size = sizeof(args),
    .run = run_run,
    .values = values,
    .example = "scrim run examples/recipe.yaml -o released.csv --report report.html",
};
