/* scrim audit DATA: every risk and attack that fits the roles, judged by a policy. */
#include "verb/explain.h"
#include "report/open_columns.h"
#include "report/findings.h"
#include "verb/data_holders.h"
#include "verb/measure.h"
#include "report/verdict.h"
#include "verb/verbs.h"
#include "verb/whose.h"

typedef struct {
    const Table *data, *original, *holdout, *population, *auxiliary;
    const char *roles, *policy, *holders, *knows, *author, *date;
    Tables hierarchies, previous;
    Texts only, by;
    double time;
    bool all;
} args;
static const Param params[] = {
    TABLE(args, data, "The table to audit", .flags = REQUIRED | POSITIONAL),
    TEXT(args, roles, NULL, "Roles of the columns: a YAML file (keys, sensitive, numeric, weight, household, person, identifiers)",
         .flags = REQUIRED),
    TEXT(args, policy, NULL,
         "Rules that the table must satisfy: a YAML file, or a built-in policy: cenex, cenex-research, cms, ema, fcsm, ferpa, hipaa, "
         "identifiability, template, unece"),
    TEXT(args, holders, NULL,
         "Parties that already hold parts of the data: a YAML file. Also reports what each holder, and each coalition of holders, would "
         "learn"),
    TABLE(args, original, "The original file, for attacks and measures that compare with it"),
    TABLE(args, holdout, "Holdout: similar people who are not in the original, the baseline of some attacks"),
    TABLE(args, population, "The population, or a register of it"),
    TABLE(args, auxiliary, "An identified file that an intruder may hold"),
    HIERARCHIES(args, 0),
    PREVIOUS(args),
    KNOWS(args),
    TEXTS(args, only, "Run only these methods (risk.k-anonymity, utility.compare) and those of the policy"),
    TEXTS(args, by, "Columns of the original: also report the risk of each group as well, so that no small group disappears in an average"),
    REAL(args, time, 60, 0, INFINITY, "Skip a method that would take longer than this many seconds", .flags = EXCLUSIVE),
    FLAG(args, all, "Print every measure and note, not only the findings"),
    TEXT(args, author, NULL, "Person who prepared the report, for its sign-off"),
    TEXT(args, date, NULL, "Date of the report, for its sign-off"),
    END,
};

/* The tables given beside the one audited, by the names that methods know them by. */
static Status at_hand(Run *run, const args *a, Args *out) {
    Status status = OK;
    const struct {
        const char *name;
        const Table *table;
    } all[] = { { "original", a->original }, { "holdout", a->holdout }, { "population", a->population }, { "auxiliary", a->auxiliary } };
    Arg *list = NULL;
    Table **handle = NULL;
    int64_t count = 0;
    const struct {
        const char *name;
        const Tables *tables;
    } several[] = { { "hierarchies", &a->hierarchies }, { "previous", &a->previous } };
    NEW(&run->work, list, 10);
    NEW(&run->work, handle, 8 + a->hierarchies.count + a->previous.count);
    for (int i = 0; i < 4; i++) {
        if (!all[i].table) continue;
        handle[i] = (Table *)(uintptr_t)all[i].table;
        list[count++] = (Arg){ .name = all[i].name, .count = 1, .tables = &handle[i] };
    }
    Table **at = handle + 8;
    for (int k = 0; k < 2; k++) {
        const Tables *tables = several[k].tables;
        if (!tables->count) continue;
        list[count++] = (Arg){ .name = several[k].name, .count = tables->count, .items = tables->name, .tables = at };
        for (int64_t i = 0; i < tables->count; i++) *at++ = (Table *)(uintptr_t)tables->at[i];
    }
    if (a->by.count) list[count++] = (Arg){ .name = "by", .count = a->by.count, .items = a->by.at };
    if (a->knows) {
        const char **knows = NULL;
        NEW(&run->work, knows, 1);
        knows[0] = a->knows;
        list[count++] = (Arg){ .name = "knows", .count = 1, .items = knows };
    }
    *out = (Args){ count, list };
done:
    return status;
}

/* Groups are those of people, whose true values the original has. */
static Status check_groups(Run *run, const args *a) {
    Status status = OK;
    const Column *column;
    if (a->by.count && !a->original) {
        fail(run->work.error, BAD, "the risk of groups is measured with the original at hand");
        error_advice(run->work.error, "Give --original.");
        TRY(error_parameter(run->work.error, "by"));
    }
    for (int64_t i = 0; i < a->by.count; i++) TRY(table_need(a->original, a->by.at[i], &column, run->work.error));
done:
    return status;
}

/* A table with names in it needs no attack. */
static void note_identifiers(Result *result, const Roles *roles, const Table *data) {
    Buffer names = { 0 };
    int64_t count = put_identifying(result, roles, data, &names);
    if (count) result_urgent(result, "The table still has direct identifiers (%s). Remove them before a release.", buffer_get(&names));
    result_integer(result, "identifiers", count);
    buffer_free(&names);
}

static void count_undecided(Result *result, const Roles *roles, const Table *data) {
    Buffer names = { 0 };
    result_integer(result, "undecided", put_undecided(roles, data, &names));
    buffer_free(&names);
}

static Status audit_run(Run *run, const void *p) {
    static const char *const groups[] = { "risk", "attack", NULL };
    Status status = OK;
    const args *a = p;
    Roles roles;
    Policy policy;
    Measuring m = { .work = &run->work, .session = *run->session, .data = a->data, .roles = &roles, .into = run->result, .only = a->only };
    m.session.time_limit = a->time;
    TRY(roles_read(&run->work, a->roles, &roles));
    TRY(roles_check(&run->work, &roles, a->data, false));
    if (a->policy) {
        TRY(policy_read(&run->work, a->policy, &policy));
        m.policy = &policy;
    }
    TRY(ask_whose(&run->work, a->data, &roles, run->result));
    TRY(check_groups(run, a));
    TRY(at_hand(run, a, &m.extra));
    Grid *files = grid_new(run->result, "files", "file:text blake2b:text rows:integer columns:integer");
    TRY(report_file(&run->work, files, a->data->name, a->data->name, a->data));
    grid_done(files);
    m.skipped = grid_new(run->result, "skipped", "method:text why:text lacks:text");
    TRY(measure(&m, groups));
    grid_done(m.skipped);
    if (a->holders) TRY(data_holders_measure(run, a->data, &roles, a->holders));
    report_summary(run->result, NULL, run->result, NULL);
    const char *title = arena_print(run->work.arena, "Audit of %s", a->data->name ? a->data->name : "a table");
    result_text(run->result, "title", title);
    report_verdict(&run->work, run->result, m.policy, run->result, &roles, a->data, a->data->name ? a->data->name : "The table");
    TRY(explain_riskiest(run, a->data, &roles, run->result, run->result));
    report_tables(&run->work, run->result, NULL, run->result, NULL, &roles, m.policy, a->data, false);
    kinds_table(&run->work, run->result, run->result, result_find_table(run->result, "skipped"), &roles, m.policy, a->data);
    if (m.policy) report_rules(run->result, m.policy);
    result_integer(run->result, "methods_run", m.done);
    result_integer(run->result, "methods_skipped", m.left_out);
    note_identifiers(run->result, &roles, a->data);
    count_undecided(run->result, &roles, a->data);
    if (m.policy && policy.title) result_note(run->result, "The policy: %s", policy.title);
done:
    return status;
}

static const Return values[] = {
    VALUE(title, TEXT, "The audited file"),
    VALUE(state, TEXT, "ready, residual risk (the rules are satisfied, but a risk remains), not ready, or not judged", .flags = PUBLIC),
    QUESTION_OUT,
    VALUE(verdict, TEXT, "The verdict in plain sentences: first the highest risk from any simulated intruder"),
    VALUE(rules, INTEGER, "Number of rules of the policy, and each rule with its observed value", .flags = PUBLIC),
    VALUE(rules_broken, INTEGER, "Rules that are violated or could not be computed", .flags = PUBLIC),
    VALUE(rules_broken_names, TEXT, "Those rules, with the observed value"),
    VALUE(residual_risks, INTEGER, "For a release, or under a policy: residual risks that were found (risk.residual)", .flags = PUBLIC),
    VALUE(methods_run, INTEGER, "Methods that were run", .flags = PUBLIC),
    VALUE(methods_skipped, INTEGER, "Methods that could not be run, or were too costly", .flags = PUBLIC),
    VALUE(identifiers, INTEGER, "Columns that are direct identifiers by their role, name or values", .flags = PUBLIC),
    VALUE(undecided, INTEGER, "Columns that no role names", .flags = PUBLIC),
    TABLE_OUT(rules, "rule:text met:text seen:text why:text words:text",
              "Each rule of the policy: whether it is satisfied, the observed value, and the rule in words"),
    EXPOSURE_OUT,
    TABLE_OUT(kinds, KINDS_COLUMNS,
              "The four kinds of disclosure: number of methods that measured each, the most severe finding, and what was not measured"),
    VALUE(holders_certain, INTEGER, "With --holders: people about whom the best-informed holder would be certain, other than its own",
          .flags = PUBLIC),
    VALUE(holders_worst, TEXT, "That holder or coalition"),
    TABLE_OUT(holders, HOLDERS_COLUMNS,
              "With --holders: what each holder and coalition would learn about others, by which attack, what any intruder would learn, "
              "and about whom most"),
    TABLE_OUT(skipped, "method:text why:text lacks:text", "Methods that were not run, with the reason"),
    TABLE_OUT(files, "file:text blake2b:text rows:integer columns:integer", "The audited file"),
    END,
};

const Method verb_audit = {
    .group = "verb",
    .name = "audit",
    .summary = "Audit a table: run every applicable risk measure and attack, and judge the table by a policy",
    .params = params,
    .size = sizeof(args),
    .run = audit_run,
    .values = values,
    .example = "scrim audit examples/clinic.csv --roles examples/roles.yaml --policy examples/policy.yaml",
};
