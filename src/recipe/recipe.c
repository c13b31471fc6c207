/* A recipe, read and checked as far as can be without its data. */
#include "recipe/recipe.h"
#include <string.h>

static const char *const recipe_names[] = { "schema", "input",  "files",  "reading",  "roles", "steps",
                                            "policy", "output", "report", "releases", NULL };
static const char *const not_with_files[] = { "input", "reading", "roles", "output", NULL };
static const char *const manifest_names[] = { "schema",    "input",  "reading", "roles",      "steps",      "policy",
                                              "output",    "report", "version", "folder",     "perturbed",  "perturbed_columns",
                                              "missing",   "rules",  "risk",    "utility",    "skipped",    "notes",
                                              "reordered", "files",  "links",   "pseudonyms", "treatments", NULL };

static Status check_schema(Work *work, const YamlNode *root) {
    const YamlNode *schema = yaml_find(root, "schema");
    if (!schema || (schema->kind == YAML_TEXT && !strcmp(schema->text, "1"))) return OK;
    yaml_fail(work, schema, "has a schema other than 1");
    return error_advice(work->error, "A later version of scrim wrote it; this is %s.", SCRIM_VERSION);
}

const Param *step_subject(const Method *method) {
    for (const Param *p = method->params; p && p->kind; p++)
        if (p->kind == KIND_TABLE && strcmp(p->name, "original") && (p->flags & (POSITIONAL | REQUIRED))) return p;
    return NULL;
}

/* "- protect.suppress: {k: 3}", "- protect.suppress", or a manifest's {"method": …, "params": {…}}. */
Status step_read(Work *work, const YamlNode *node, Step *out) {
    Status status = OK;
    const YamlNode *named = yaml_find(node, "method");
    int64_t line = node->line;
    if (node->kind == YAML_TEXT && node->text) out->name = node->text;
    else if (named) {
        TRY(yaml_known(work, node, "a step", (const char *const[]){ "method", "params", "roles", "defaults", "values", "notes", NULL }));
        TRY(yaml_need_text(work, named, "method", &out->name));
        out->node = yaml_find(node, "params");
    } else if (node->kind == YAML_MAP && node->count == 1) {
        out->name = node->name[0];
        out->node = node->item[0];
        line = node->name_line[0];
    } else TRY(yaml_fail(work, node, "a step is one method with its parameters, such as: - protect.suppress: {k: 3}"));
    status = method_need(out->name, &out->method, work->error);
    if (status) {
        error_file(work->error, node->file);
        TRY(error_line(work->error, line, -1));
    }
    if (!out->node || (out->node->kind == YAML_TEXT && !out->node->text)) out->node = node;
    if (out->node != node) TRY(node_args(work, out->node, out->method, &out->args));
    if (args_find(&out->args, "roles")) TRY(yaml_fail(work, out->node, "roles hold for all steps: they stand at the head of the recipe"));
    if (!step_subject(out->method)) TRY(yaml_fail(work, node, "%s takes no table, so that it cannot be a step", out->name));
done:
    return status;
}

/* The table at hand is the step's table, whatever a manifest of a single method says; other tables are files beside the recipe. */
static void settle_tables(Work *work, const char *folder, Step *step) {
    const Param *subject = step_subject(step->method);
    Arg *list = (Arg *)(uintptr_t)step->args.at;
    int64_t kept = 0;
    for (int64_t i = 0; i < step->args.count; i++) {
        const Param *param = method_param(step->method, list[i].name);
        if (param == subject) continue;
        const char **items = (const char **)(uintptr_t)list[i].items;
        for (int64_t j = 0; kind_is_file(param->kind) && j < list[i].count; j++) items[j] = path_beside(work, folder, items[j]);
        list[kept++] = list[i];
    }
    step->args.count = kept;
}

static Status read_steps(Work *work, const YamlNode *root, Recipe *out) {
    Status status = OK;
    const YamlNode *steps = yaml_find(root, "steps");
    if (!steps && out->files) return OK; /* linked files, measured as they are */
    if (!steps) TRY(yaml_fail(work, root, "the recipe has no steps"));
    TRY(yaml_need_kind(work, steps, YAML_LIST, "steps"));
    NEW(work, out->step, steps->count + 1);
    for (; out->steps < steps->count; out->steps++) {
        TRY(step_read(work, steps->item[out->steps], &out->step[out->steps]));
        settle_tables(work, out->folder, &out->step[out->steps]);
    }
done:
    return status;
}

/* Roles and policy: a path, or written out. */
static Status read_parts(Work *work, const YamlNode *root, Recipe *out) {
    Status status = OK;
    const YamlNode *roles = yaml_find(root, "roles"), *policy = yaml_find(root, "policy");
    if (roles && roles->kind == YAML_TEXT) out->beside[0] = path_beside(work, out->folder, roles->text);
    if (policy && policy->kind == YAML_TEXT) out->beside[1] = policy_path(work, out->folder, policy->text);
    if (out->beside[0]) TRY(roles_read(work, out->beside[0], &out->roles));
    else if (roles) TRY(roles_make(work, roles, out->folder, &out->roles));
    out->reading = yaml_find(root, "reading");
    out->has_policy = policy;
    if (out->beside[1]) TRY(policy_read(work, out->beside[1], &out->policy));
    else if (policy) TRY(policy_make(work, policy, &out->policy));
done:
    return status;
}

/* The step that a rule names: "step 2", or a method, whose last step it is. */
static int64_t find_step(const Recipe *r, const char *at) {
    int64_t number = 0;
    const char *digit = strncmp(at, "step ", 5) ? NULL : at + 5;
    for (; digit && *digit >= '0' && *digit <= '9' && number < 1000000; digit++) number = number * 10 + (*digit - '0');
    if (digit && !*digit && number >= 1 && number <= r->steps) return number - 1;
    for (int64_t i = r->steps - 1; i >= 0; i--)
        if (!strcmp(r->step[i].name, at)) return i;
    return -1;
}

static Status place_rules(Work *work, Recipe *r) {
    for (int64_t i = 0; r->has_policy && i < r->policy.rules; i++) {
        Rule *rule = &r->policy.rule[i];
        if (!rule->at) continue;
        rule->step = find_step(r, rule->at);
        if (rule->step >= 0) continue;
        yaml_fail(work, rule->node, "the rule is to be judged at '%.60s', and the recipe has no such step", rule->at);
        return error_advice(work->error, "Name one of its steps, or its number: risk.k-anonymity.k >= 3 at step 1");
    }
    return OK;
}

/* A path, or a manifest's {"file": …}. */
static Status read_file(Work *work, const YamlNode *node, const char *what, const char **path) {
    Status status = OK;
    if (!node) return OK;
    if (node->kind == YAML_TEXT) {
        *path = node->text;
        return OK;
    }
    const YamlNode *file = yaml_find(node, "file");
    if (!file) TRY(yaml_fail(work, node, "%s must be a path", what));
    TRY(yaml_need_text(work, file, what, path));
done:
    return status;
}

/* What every file says for itself does not stand at the head of the recipe. */
static Status check_files(Work *work, const YamlNode *root) {
    for (int i = 0; not_with_files[i]; i++) {
        const YamlNode *node = yaml_find(root, not_with_files[i]);
        if (node) return yaml_fail(work, node, "a recipe with files has '%s' in each of its files", not_with_files[i]);
    }
    return OK;
}

static Status read_paths(Work *work, const YamlNode *root, const char *beside, Recipe *out) {
    Status status = OK;
    TRY(read_file(work, yaml_find(root, "report"), "report", &out->report));
    if (out->report) out->report = path_beside(work, beside, out->report);
    TRY(read_file(work, yaml_find(root, "releases"), "releases", &out->releases));
    if (out->releases) out->releases = path_beside(work, beside, out->releases);
    if (yaml_find(root, "files")) {
        TRY(check_files(work, root));
        return recipe_read_files(work, yaml_find(root, "files"), out);
    }
    TRY(read_file(work, yaml_find(root, "input"), "input", &out->input));
    TRY(read_file(work, yaml_find(root, "output"), "output", &out->output));
    if (!out->input) TRY(yaml_fail(work, root, "the recipe has no input"));
    out->input = path_beside(work, out->folder, out->input);
    if (out->output) out->output = path_beside(work, beside, out->output);
done:
    return status;
}

Status recipe_read(Work *work, const char *path, Recipe *out) {
    Status status = OK;
    const YamlNode *root;
    *out = (Recipe){ .file = yaml_inline(path) ? "the recipe" : path, .folder = yaml_inline(path) ? "" : path_folder(work, path) };
    const char *beside = out->folder;
    TRY(yaml_open(work, path, "the recipe", &root));
    TRY(check_schema(work, root));
    out->again = yaml_find(root, "version");
    TRY(yaml_known(work, root, "a recipe", out->again ? manifest_names : recipe_names));
    const YamlNode *folder = yaml_find(root, "folder"); /* a manifest's: from where it lies to where its recipe lay */
    if (folder) {
        TRY(yaml_need_text(work, folder, "folder", &out->folder));
        out->folder = path_beside(work, beside, out->folder);
    }
    TRY(read_paths(work, root, beside, out));
    TRY(read_parts(work, root, out));
    TRY(read_steps(work, root, out));
    TRY(place_rules(work, out));
done:
    return status;
}
