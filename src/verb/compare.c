/* scrim report compare A B: two releases of one table, side by side, by their manifests. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "base/compare.h"
#include "base/elementary.h"
#include "base/file.h"
#include "base/number_text.h"
#include "report/findings.h"
#include "recipe/yaml_args.h"
#include "verb/verbs.h"

typedef struct {
    const char *a, *b;
} args;
static const Param params[] = {
    TEXT(args, a, NULL, "A release or its manifest", .flags = REQUIRED | POSITIONAL),
    TEXT(args, b, NULL, "The other release or its manifest", .flags = REQUIRED | POSITIONAL),
    END,
};

typedef struct Side {
    const char *path;
    const YamlNode *root;
} Side;

/* A release goes by the manifest beside it. */
static Status open_side(Work *work, const char *path, Side *out) {
    Status status = OK;
    static const char tail[] = ".manifest.json";
    size_t length = strlen(path), end = sizeof tail - 1;
    bool manifest = yaml_inline(path) || (length > end && !strcmp(path + length - end, tail));
    out->path = manifest ? path : arena_print(work->arena, "%s%s", path, tail);
    if (!out->path) TRY(out_of_memory(work->error));
    TRY(yaml_open(work, out->path, "the manifest", &out->root));
    TRY(yaml_need_kind(work, out->root, YAML_MAP, "the manifest"));
    if (!yaml_find(out->root, "risk") || !yaml_find(out->root, "version")) {
        fail(work->error, BAD, "this is not a manifest of a recipe: it has no measures");
        error_advice(work->error, "`scrim run` writes one beside the release.");
        TRY(error_file(work->error, yaml_inline(path) ? "the manifest" : path));
    }
done:
    return status;
}

/* Measures are of the bytes that the run wrote. */
static Status check_unchanged(Work *work, const Side *side) {
    static const char tail[] = ".manifest.json";
    const size_t length = strlen(side->path), end = sizeof tail - 1;
    const YamlNode *output = yaml_find(side->root, "output"),
                   *known = output && output->kind == YAML_MAP ? yaml_find(output, "blake2b") : NULL;
    char hash[65];
    struct stat about;
    if (yaml_inline(side->path) || length <= end || work->no_files || !known || known->kind != YAML_TEXT) return OK;
    const char *release = arena_print(work->arena, "%.*s", (int)(length - end), side->path);
    if (!release) return out_of_memory(work->error);
    if (stat(release, &about)) return OK; /* the manifest alone is at hand */
    const Status status = file_hash(release, hash, work->error);
    if (status || !strcmp(hash, known->text)) return status;
    fail(work->error, BAD, "was changed after the run that measured it");
    error_advice(work->error, "Run the recipe again.");
    return error_file(work->error, release);
}

/* The columns of a role, in the order of their names. */
static Status role_columns(Work *work, const Side *side, const char *role, const char **out) {
    Status status = OK;
    const YamlNode *roles = yaml_find(side->root, "roles"), *list = roles && roles->kind == YAML_MAP ? yaml_find(roles, role) : NULL;
    const char **name = NULL;
    int64_t count = 0;
    Buffer text = { 0 };
    NEW(work, name, list ? list->count + 1 : 1);
    if (list && list->kind == YAML_TEXT) name[count++] = list->text;
    for (int64_t i = 0; list && list->kind == YAML_LIST && i < list->count; i++)
        if (list->item[i]->kind == YAML_TEXT) name[count++] = list->item[i]->text;
    qsort(name, (size_t)count, sizeof *name, compare_texts);
    for (int64_t i = 0; i < count; i++) buffer_print(&text, "%s%s", i ? ", " : "", name[i]);
    if (!(*out = arena_text(work->arena, count ? buffer_get(&text) : "none"))) status = out_of_memory(work->error);
done:
    buffer_free(&text);
    return status;
}

/* A risk by other quasi-identifiers is another risk. */
static Status check_alike(Work *work, const Side *a, const Side *b) {
    Status status = OK;
    static const char *const roles[] = { "keys", "sensitive", "numeric", "person", "household", "weight" };
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++) {
        const char *x, *y;
        TRY(role_columns(work, a, roles[i], &x));
        TRY(role_columns(work, b, roles[i], &y));
        if (!strcmp(x, y)) continue;
        fail(work->error, BAD, "the releases were measured with different roles (%s): A with %s, B with %s", roles[i], x, y);
        return error_advice(work->error, "Run both recipes with the same roles.");
    }
done:
    return status;
}

/* One value under risk.after or utility; NaN where there is none. */
static double measured(const Side *side, const char *part, const char *method, const char *value) {
    const YamlNode *node = yaml_find(side->root, part);
    double number = NAN;
    if (node && !strcmp(part, "risk")) node = yaml_find(node, "after");
    node = node ? yaml_find(node, method) : NULL;
    node = node ? yaml_find(node, value) : NULL;
    if (!node || node->kind != YAML_TEXT || !node->text) return NAN;
    return read_real(node->text, node->text + strlen(node->text), '.', &number) ? number : NAN;
}

/* ---- each measure ---- */

typedef struct {
    int64_t a, b, same;
} Tally;

static void compare_method(Grid *grid, const Method *method, const Side *a, const Side *b, Tally *tally) {
    char name[160];
    bool utility = !strcmp(method->group, "utility");
    const Return *r = measure_headline(method);
    if (!r) return;
    snprintf(name, sizeof name, "%s.%s", method->group, method->name);
    double x = measured(a, utility ? "utility" : "risk", name, r->name), y = measured(b, utility ? "utility" : "risk", name, r->name);
    int way = measure_direction(method, r);
    if (isnan(x) && isnan(y)) return;
    grid_text(grid, utility ? "utility" : kind_of_disclosure(method));
    grid_text(grid, name);
    grid_text(grid, r->name);
    grid_real(grid, x);
    grid_real(grid, y);
    const char *better = isnan(x) || isnan(y) || !way ? NULL : x == y ? "same" : (x - y) * way > 0 ? "A" : "B";
    grid_text(grid, better);
    grid_text(grid, r->meaning);
    if (!better || utility) return;
    tally->a += *better == 'A';
    tally->b += *better == 'B';
    tally->same += *better == 's';
}

static void compare_all(Result *result, const Side *a, const Side *b, Tally *tally) {
    static const char *const groups[] = { "risk", "attack", "utility" };
    Grid *grid = grid_new(result, "measures", "kind:text measure:text value:text a:real b:real better:text meaning:text");
    for (int g = 0; g < 3; g++)
        for (int64_t i = 0; i < methods_count(); i++)
            if (!strcmp(methods_at(i)->group, groups[g])) compare_method(grid, methods_at(i), a, b, tally);
    grid_done(grid);
}

/* ---- steps, rules ---- */

static void put_steps(const Side *side, Buffer *text) {
    const YamlNode *steps = yaml_find(side->root, "steps");
    for (int64_t i = 0; steps && steps->kind == YAML_LIST && i < steps->count; i++) {
        const YamlNode *method = yaml_find(steps->item[i], "method"), *given = yaml_find(steps->item[i], "params");
        if (!method || method->kind != YAML_TEXT || !method->text) continue;
        buffer_print(text, "%s%s", text->count ? ", " : "", method->text);
        for (int64_t p = 0; given && given->kind == YAML_MAP && p < given->count; p++)
            if (given->item[p]->kind == YAML_TEXT && given->item[p]->text)
                buffer_print(text, " %s=%s", given->name[p], given->item[p]->text);
    }
}

/* How many of its policy's rules a release broke; -1 where it had no policy. */
static int64_t broken(const Side *side) {
    const YamlNode *rules = yaml_find(side->root, "rules");
    int64_t count = 0;
    if (!rules || rules->kind != YAML_LIST) return -1;
    for (int64_t i = 0; i < rules->count; i++) {
        const YamlNode *met = yaml_find(rules->item[i], "met");
        count += !met || met->kind != YAML_TEXT || !met->text || strcmp(met->text, "true");
    }
    return count;
}

static void say_side(Grid *grid, const char *letter, const Side *side) {
    const YamlNode *output = yaml_find(side->root, "output"),
                   *file = output && output->kind == YAML_MAP ? yaml_find(output, "file") : output;
    Buffer steps = { 0 };
    put_steps(side, &steps);
    grid_text(grid, letter);
    grid_text(grid, file && file->kind == YAML_TEXT ? file->text : side->path);
    grid_text(grid, buffer_get(&steps));
    if (broken(side) < 0) grid_missing(grid);
    else grid_integer(grid, broken(side));
    grid_real(grid, measured(side, "risk", "risk.reidentification", "share"));
    grid_real(grid, measured(side, "utility", "utility.loss", "loss"));
    buffer_free(&steps);
}

/* ---- what it says ---- */

static const char *lesser(double x, double y) { return isnan(x) || isnan(y) || x == y ? NULL : x < y ? "A" : "B"; }

static void say_verdict(Result *result, const Side *a, const Side *b, const Tally *tally) {
    double risk[2] = { measured(a, "risk", "risk.reidentification", "share"), measured(b, "risk", "risk.reidentification", "share") };
    double loss[2] = { measured(a, "utility", "utility.loss", "loss"), measured(b, "utility", "utility.loss", "loss") };
    const char *safer = lesser(risk[0], risk[1]), *better = lesser(loss[0], loss[1]);
    char x[33], y[33];
    Buffer text = { 0 };
    if (safer && better && *safer == *better) buffer_print(&text, "%s has both lower risk and lower information loss.", safer);
    else if (safer && better)
        buffer_print(&text, "%s has lower risk, %s lower information loss. Neither dominates the other.", safer, better);
    else buffer_text(&text, "Neither dominates the other on risk and information loss.");
    if (!isnan(risk[0]) && !isnan(risk[1])) {
        buffer_print(&text, " The strongest simulated intruder re-identifies %s%% of the people in A", real_short(100 * risk[0], 3, x));
        buffer_print(&text, " and %s%% in B.", real_short(100 * risk[1], 3, y));
    }
    if (!isnan(loss[0]) && !isnan(loss[1])) {
        buffer_print(&text, " The information loss is %s%% in A", real_short(100 * loss[0], 3, x));
        buffer_print(&text, " and %s%% in B.", real_short(100 * loss[1], 3, y));
    }
    buffer_print(&text, " Of the risk measures, %lld are better in A, %lld in B, and %lld are equal.", (long long)tally->a,
                 (long long)tally->b, (long long)tally->same);
    result_text(result, "comparison", buffer_get(&text));
    buffer_free(&text);
}

static void say_chart(Result *result, const Side *a, const Side *b) {
    const Side *const side[] = { a, b };
    static const char *const names[] = { "A", "B" };
    Chart *chart = result_chart(result, CHART_SCATTER, "Risk and information loss of the two releases",
                                "risk: share of people re-identified (lower is better)", "information loss (lower is better)");
    for (int i = 0; i < 2; i++) {
        double x = measured(side[i], "risk", "risk.reidentification", "share"), y = measured(side[i], "utility", "utility.loss", "loss");
        if (!isnan(x) && !isnan(y)) chart_series(chart, names[i], 1, &x, &y, NULL, &names[i]);
    }
    chart_of(chart, "releases");
}

/* The file's name as the manifest has it, whose paths are relative to the folder that it names. Where one says nothing, nothing is known. */
static const char *input_file(const YamlNode *root) {
    const YamlNode *input = yaml_find(root, "input"), *file = input && input->kind == YAML_MAP ? yaml_find(input, "file") : NULL;
    return file ? file->text : NULL;
}
static bool same_input(const YamlNode *a, const YamlNode *b) {
    const char *x = input_file(a), *y = input_file(b);
    return !x || !y || !strcmp(x, y);
}

static Status compare_run(Run *run, const void *p) {
    Status status = OK;
    const args *arg = p;
    Side a, b;
    Tally tally = { 0 };
    TRY(open_side(&run->work, arg->a, &a));
    TRY(open_side(&run->work, arg->b, &b));
    TRY(check_unchanged(&run->work, &a));
    TRY(check_unchanged(&run->work, &b));
    TRY(check_alike(&run->work, &a, &b));
    Grid *grid = grid_new(run->result, "releases", "release:text file:text steps:text rules_broken:integer risk:real loss:real");
    say_side(grid, "A", &a);
    say_side(grid, "B", &b);
    grid_done(grid);
    compare_all(run->result, &a, &b, &tally);
    say_verdict(run->result, &a, &b, &tally);
    result_integer(run->result, "better_in_a", tally.a);
    result_integer(run->result, "better_in_b", tally.b);
    result_integer(run->result, "same", tally.same);
    say_chart(run->result, &a, &b);
    if (!same_input(a.root, b.root))
        result_note(run->result, "Warning: the releases were made from different files. The comparison is only partly valid.");
done:
    return status;
}

static const Return values[] = {
    VALUE(comparison, TEXT, "Which release is better, in words"),
    VALUE(better_in_a, INTEGER, "Risk measures that are better in A", .flags = PUBLIC),
    VALUE(better_in_b, INTEGER, "Risk measures that are better in B", .flags = PUBLIC),
    VALUE(same, INTEGER, "Risk measures that are equal", .flags = PUBLIC),
    TABLE_OUT(releases, "release:text file:text steps:text rules_broken:integer risk:real loss:real", "The two releases"),
    TABLE_OUT(measures, "kind:text measure:text value:text a:real b:real better:text meaning:text",
              "Headline value of each measure in both releases, and which is better"),
    END,
};

const Method report_compare_verb = {
    .group = "report",
    .name = "compare",
    .summary = "Compare two releases by their manifests",
    .params = params,
    .size = sizeof(args),
    .run = compare_run,
    .values = values,
    .example = "scrim report compare examples/release-a.manifest.json examples/release-b.manifest.json",
};
