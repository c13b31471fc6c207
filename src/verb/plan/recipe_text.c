/* A candidate as the recipe that `scrim run` carries out. */
#include <stdlib.h>
#include <string.h>
#include "base/escape.h"
#include "base/file.h"
#include "base/number_text.h"
#include "verb/plan/plan.h"

/* Both absolute: "../data/people.csv". */
static const char *between(Work *work, const char *from, const char *to) {
    size_t same = 0;
    for (size_t i = 0; from[i] && from[i] == to[i]; i++)
        if (from[i] == '/') same = i + 1;
    size_t length = strlen(from);
    if (!strncmp(from, to, length) && to[length] == '/') same = length + 1; /* below it */
    Buffer path = { 0 };
    for (const char *at = same <= length ? from + same : ""; *at; at++)
        if (*at != '/' && (at[1] == '/' || !at[1])) buffer_text(&path, "../");
    buffer_text(&path, to + same);
    const char *copy = arena_text(work->arena, buffer_get(&path));
    buffer_free(&path);
    return copy;
}

/* Both as they were written, from the working folder: "../examples/clinic.csv" from "plan". NULL where links lead elsewhere. */
static const char *as_written(Work *work, const char *folder, const char *path) {
    if (folder[0] == '/' || path[0] == '/' || strstr(folder, "..") || strstr(path, "..")) return NULL;
    const char *made = between(work, arena_print(work->arena, "/%s", folder), arena_print(work->arena, "/%s", path));
    const char *there = made ? arena_print(work->arena, "%s/%s", folder, made) : NULL;
    return there && file_same(there, path) ? made : NULL;
}

/* Where one file lies, seen from a folder. */
static const char *relative(Work *work, const char *folder, const char *path) {
    const char *made = folder ? as_written(work, folder, path) : NULL;
    if (made) return made;
    char *there = folder ? realpath(folder, NULL) : NULL, *file = realpath(path, NULL);
    if (there && file) made = between(work, there, file);
    free(there);
    free(file);
    return made ? made : path;
}

/* A word that YAML reads as itself stays bare; a number, too. */
static void put_scalar(Buffer *out, const char *text) {
    static const char *const meant[] = { "true", "false", "null", "yes", "no", "on", "off", "y", "n", NULL };
    bool bare = *text && *text != '-';
    double number;
    for (const char *at = text; *at; at++)
        bare &= (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || (*at >= '0' && *at <= '9') || *at == '_' || *at == '.' ||
                *at == '/' || *at == '-';
    for (int i = 0; meant[i]; i++) bare &= strcmp(text, meant[i]) != 0;
    if (bare && text[0] >= '0' && text[0] <= '9') bare = read_real(text, text + strlen(text), '.', &number);
    if (bare) buffer_text(out, text);
    else put_json_text(out, text); /* which is YAML too */
}

static void put_step(Buffer *out, const Step *step) {
    buffer_print(out, "  - %s", step->name);
    for (int64_t i = 0; i < step->args.count; i++) {
        const Arg *arg = &step->args.at[i];
        const Param *param = method_param(step->method, arg->name);
        bool list = param && kind_is_list(param->kind);
        buffer_text(out, i ? ", " : ": {");
        buffer_print(out, "%s: ", arg->name);
        if (!arg->count) buffer_text(out, "true");
        if (list && arg->count) buffer_char(out, '[');
        for (int64_t k = 0; k < arg->count; k++) {
            if (k) buffer_text(out, ", ");
            put_scalar(out, arg->items[k]);
        }
        if (list && arg->count) buffer_char(out, ']');
    }
    buffer_text(out, step->args.count ? "}\n" : "\n");
}

/* A file by its path from the folder; what was given as text, as that text. */
static void put_part(Plan *plan, const char *name, const char *given, const char *folder, Buffer *out) {
    buffer_print(out, "%s:", name);
    if (!yaml_inline(given)) {
        buffer_char(out, ' ');
        put_scalar(out, relative(plan->work, folder, given));
        buffer_char(out, '\n');
        return;
    }
    bool flow = given[0] == '{' || given[0] == '[';
    buffer_text(out, flow ? " " : "\n  ");
    for (const char *at = given; *at; at++) {
        if (*at == '\n' && !at[1]) break;
        buffer_char(out, *at);
        if (*at == '\n') buffer_text(out, "  ");
    }
    buffer_char(out, '\n');
}

static const char *given_text(const Plan *plan, const char *name) {
    const Arg *arg = args_find(plan->run->given, name);
    return arg && arg->count && arg->items ? arg->items[0] : NULL;
}

/* The step that scrubs free text: before dates are shifted, so that those in the text move with them; where columns keep their dates, those in
 * the text do not move, since both together would give the shift away. */
static void put_scrub(const Plan *plan, bool shifted, Buffer *out) {
    buffer_text(out, "  - scrub.text: {columns: [");
    for (int64_t i = 0; i < plan->notes.count; i++) {
        if (i) buffer_text(out, ", ");
        put_scalar(out, plan->notes.at[i]->name);
    }
    buffer_text(out, plan->dates && !shifted ? "], each: [\"DATE:label\"]}\n" : "]}\n");
}

static bool shifts(const Step *step) { return !strcmp(step->name, "protect.shift-dates"); }

Status plan_recipe(Plan *plan, const Candidate *candidate, const char *folder, const char *note, Buffer *out) {
    Status status = OK;
    const Step *steps;
    int64_t count;
    const char *data = given_text(plan, "data"), *policy = given_text(plan, "policy"), *roles = given_text(plan, "roles");
    TRY(plan_candidate_steps(plan, plan->work, candidate, &steps, &count));
    buffer_print(out, "# %s\n", note);
    buffer_text(out, "input: ");
    put_scalar(out, data ? relative(plan->work, folder, data) : plan->data->name ? plan->data->name : "data.csv");
    buffer_char(out, '\n');
    if (roles) put_part(plan, "roles", roles, folder, out);
    int64_t first = 0; /* the step before which free text is scrubbed */
    while (first < count && !shifts(&steps[first])) first++;
    bool shifted = first<count, notes = plan->notes.count> 0;
    buffer_text(out, count || notes ? "steps:\n" : "steps: []\n");
    if (notes && !shifted) put_scrub(plan, false, out);
    for (int64_t i = 0; i < count; i++) {
        if (notes && shifted && i == first) put_scrub(plan, true, out);
        put_step(out, &steps[i]);
    }
    if (policy && policy_is_built_in(policy)) buffer_print(out, "policy: %s\n", policy);
    else if (policy) put_part(plan, "policy", policy, folder, out);
done:
    return status;
}
