/* scrim tune GROUP METHOD DATA: a method's parameters tried on a grid, each release measured, and risk drawn against utility. */
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "base/number_text.h"
#include "verb/measure_expression.h"
#include "verb/parameter_grid.h"
#include "recipe/recipe.h"
#include "verb/verbs.h"
#include "table/measurement_level.h"

typedef struct {
    const char *group, *what;
    const Table *data;
    Texts over, risk, utility;
    const char *roles;
    int64_t repeats;
} args;
static const Param params[] = {
    TEXT(args, group, NULL, "Group: protect or synth", .flags = REQUIRED | POSITIONAL),
    TEXT(args, what, NULL, "Method to tune. Its own parameters may be given too", .flags = REQUIRED | POSITIONAL),
    TABLE(args, data, "The original file", .flags = REQUIRED | POSITIONAL),
    TEXTS(args, over, "Parameter and its values: eps=0.1:1:0.1 (from, to, step) or metric=euclidean,gower. Repeat for several parameters",
          .flags = REQUIRED | WHOLE),
    TEXTS(args, risk, "Measure of risk, from the groups risk, attack and utility: linkage, track(age > 90). Repeat for several",
          .flags = REQUIRED | WHOLE),
    TEXTS(args, utility,
          "Measure of utility: regression(y ~ a + b), compare.hellinger. A leading '-' means that less is better. own.VALUE is a value of "
          "the method itself. Repeat for several",
          .flags = REQUIRED | WHOLE),
    TEXT(args, roles, NULL, "Roles of the columns: a YAML file, for the method and for measures that need them"),
    INT(args, repeats, 1, 1, 1000, "Releases drawn at each point, whose measures are averaged"),
    END,
};

static const Method *tuned(const Args *given) {
    const Arg *group = args_find(given, "group"), *what = args_find(given, "what");
    return group && what && group->count && what->count ? method_find(group->items[0], what->items[0]) : NULL;
}

typedef struct Tuning {
    Run *run;
    Work *work;
    const args *a;
    const Method *method;
    TuneGrid grid;
    int64_t calls, risks; /* risks come first */
    MeasureExpression *call;
    double *value;                        /* points × calls; NaN where there is none */
    bool *best;                           /* not dominated */
    bool *silent;                         /* a call that gave no number anywhere: it cannot judge */
    Args fixed, roles, measured, linking; /* the method's own; the roles file's; what fills the measures, and linkage */
    bool any_changed;                     /* a release that changed something has been met: `measured` names it */
    uint8_t *early;                       /* a point measured before that, by columns that stood in */
    int64_t failed;
    TablePrint print; /* of the data */
} Tuning;

/* ---- Arguments ---- */

static Status find_tuned(Tuning *t) {
    Status status = OK;
    Error *error = t->work->error;
    TRY(method_need(arena_print(t->work->arena, "%s.%s", t->a->group, t->a->what), &t->method, error));
    if (!returns_release(t->method->values)) {
        fail(error, BAD, "%s %s does not make a release", t->method->group, t->method->name);
        TRY(error_advice(error, "tune tries the methods of protect and synth that make one."));
    }
done:
    return status;
}

/* What is the tuned method's own, and `where`, which is for it too. */
static Status fixed_args(Tuning *t) {
    Status status = OK;
    const Args *given = t->run->given;
    Arg *list = NULL;
    Table **handle = NULL;
    int64_t count = 0;
    NEW(t->work, list, given->count + 2);
    NEW(t->work, handle, 1);
    *handle = (Table *)(uintptr_t)t->a->data;
    for (int64_t i = 0; i < given->count; i++)
        if (!method_param(t->run->method, given->at[i].name) || !strcmp(given->at[i].name, "where")) list[count++] = given->at[i];
    const Param *data = step_subject(t->method);
    if (!data) return fail(t->work->error, BAD, "%s %s takes no table", t->method->group, t->method->name);
    list[count++] = (Arg){ .name = data->name, .count = 1, .tables = handle };
    t->fixed = (Args){ count, list };
done:
    return status;
}

static Status read_roles(Tuning *t) {
    Status status = OK;
    Roles roles = { 0 };
    if (t->a->roles) TRY(roles_read(t->work, t->a->roles, &roles));
    t->roles = roles.args;
done:
    return status;
}

enum { CHANGED_NUMBERS, CHANGED, ALL_NUMBERS, LISTS };
typedef struct Names {
    const char **name;
    int64_t count;
} Names;

static void add_name(Names *list, const char *name) { list->name[list->count++] = name; }

static Status sort_columns(Tuning *t, const Table *released, Names list[LISTS]) {
    Status status = OK;
    const Table *data = t->a->data;
    for (int i = 0; i < LISTS; i++) NEW(t->work, list[i].name, data->columns + 1);
    for (int64_t j = 0; j < data->columns; j++) {
        const Column *before = data->column[j], *after = table_column(released, before->name);
        bool number = column_numeric(before) && !column_is_codes(before);
        bool changed = after && !column_equal(before, after);
        if (number) add_name(&list[ALL_NUMBERS], before->name);
        if (changed) add_name(&list[CHANGED], before->name);
        if (changed && number) add_name(&list[CHANGED_NUMBERS], before->name);
    }
done:
    return status;
}

static void fill(Args *args, Arg *list, const char *name, const Names *columns) {
    if (columns->count && !args_find(args, name))
        list[args->count++] = (Arg){ .name = name, .count = columns->count, .items = columns->name };
}

/* Linkage is by what the method was told to change, else by what it changed, whatever else a file's roles call numbers. */
static Status linking_roles(Tuning *t, const Names names[LISTS]) {
    Status status = OK;
    const Arg *given = args_find(&t->fixed, "vars");
    Arg *list = NULL;
    int64_t count = 0;
    NEW(t->work, list, t->measured.count + 2);
    for (int64_t i = 0; i < t->measured.count; i++)
        if (strcmp(t->measured.at[i].name, "numeric")) list[count++] = t->measured.at[i];
    t->linking = (Args){ count, list };
    if (given) list[t->linking.count++] = (Arg){ .name = "numeric", .count = given->count, .items = given->items };
    fill(&t->linking, list, "numeric", &names[CHANGED]);
    fill(&t->linking, list, "numeric", &names[ALL_NUMBERS]);
done:
    return status;
}

/* Measures take what the roles say, else what the method was given under the same name, else what it changed: its numbers, or other
 * columns where it changed no number; all numbers where it changed nothing. */
static Status measure_roles(Tuning *t, const Table *released) {
    Status status = OK;
    Arg *list = NULL;
    Names names[LISTS] = { 0 };
    int64_t count = 0;
    NEW(t->work, list, t->roles.count + t->fixed.count + 3);
    for (int64_t i = 0; i < t->roles.count; i++) list[count++] = t->roles.at[i];
    for (int64_t i = 0; i < t->fixed.count; i++) {
        const Param *p = method_param(t->method, t->fixed.at[i].name);
        if (p && (p->kind == KIND_COLUMN || p->kind == KIND_COLUMNS) && !args_find(&t->roles, p->name)) list[count++] = t->fixed.at[i];
    }
    TRY(sort_columns(t, released, names));
    t->measured = (Args){ count, list };
    fill(&t->measured, list, "vars", &names[CHANGED_NUMBERS]);
    fill(&t->measured, list, "vars", &names[CHANGED]);
    fill(&t->measured, list, "vars", &names[ALL_NUMBERS]);
    fill(&t->measured, list, "numeric", &names[CHANGED_NUMBERS]);
    fill(&t->measured, list, "numeric", &names[ALL_NUMBERS]);
    t->any_changed = names[CHANGED].count > 0;
    TRY(linking_roles(t, names));
done:
    return status;
}

static const Args *roles_of(const Tuning *t, const MeasureExpression *call) {
    return !strcmp(call->method->group, "risk") && !strcmp(call->method->name, "linkage") ? &t->linking : &t->measured;
}

/* own.VALUE: what the tuned method says of its own release. */
static Status parse_call(Tuning *t, const char *text, bool less) {
    static const char *const risks[] = { "risk", "attack", "utility", NULL }, *const utilities[] = { "utility", "risk", "attack", NULL };
    MeasureExpression *call = &t->call[t->calls++];
    bool turned = *text == '-';
    if (strncmp(text + turned, "own.", 4)) return measure_expression_parse(t->work, text, less ? risks : utilities, less, call);
    *call =
        (MeasureExpression){ .text = text, .method = t->method, .value = text + turned + 4, .less = turned ? !less : less, .own = true };
    for (const Return *r = t->method->values; returns_more(r); r++)
        if (r->kind == RETURN_VALUE && !strcmp(r->name, call->value)) return OK;
    return fail(t->work->error, BAD, "%s.%s gives no value '%s'", t->method->group, t->method->name, call->value);
}

static Status parse_calls(Tuning *t) {
    Status status = OK;
    NEW(t->work, t->call, t->a->risk.count + t->a->utility.count + 1);
    for (int64_t i = 0; i < t->a->risk.count; i++) TRY(parse_call(t, t->a->risk.at[i], true));
    t->risks = t->calls;
    for (int64_t i = 0; i < t->a->utility.count; i++) TRY(parse_call(t, t->a->utility.at[i], false));
    for (int64_t c = 0; c < t->calls; c++) t->call[c].force = t->run->common.force;
done:
    return status;
}

/* A measure that counts classes of records says nothing of people who have several. */
static Status check_people(Tuning *t) {
    Status status = OK;
    const Arg *person = args_find(&t->roles, "person");
    Codes codes;
    if (!person) person = args_find(&t->fixed, "person");
    const Column *column = person && person->count == 1 ? table_column(t->a->data, person->items[0]) : NULL;
    if (!column) return OK;
    TRY(column_codes(t->work, column, &codes));
    if (codes.count >= column->rows - column->missing) return OK;
    for (int64_t c = 0; c < t->calls; c++) {
        const Method *method = t->call[c].method;
        if (t->call[c].own || !(method->traits & FREQUENCY) || method_param(method, "person")) continue;
        fail(t->work->error, BAD, "%s.%s counts records, and people have several by %s", method->group, method->name, column->name);
        return error_advice(t->work->error, "Use a measure that counts people, such as risk.k-anonymity or risk.individual.");
    }
done:
    return status;
}

/* ---- One point ---- */

static Status make_release(Tuning *t, int64_t point, int64_t repeat, Result **out, Error *error) {
    Status status = OK;
    Work work = { .arena = arena_new(), .error = error };
    Arg *list = NULL;
    Session session = *t->run->session;
    int64_t count = t->fixed.count;
    if (!work.arena) return out_of_memory(error);
    session.step = repeat;
    session.print = &t->print;
    NEW(&work, list, count + t->grid.axes);
    memcpy(list, t->fixed.at, (size_t)count * sizeof *list);
    for (int64_t a = 0; a < t->grid.axes; a++)
        list[count++] = (Arg){ .name = t->grid.axis[a].param->name, .count = 1, .items = grid_text_at(&t->grid, point, a) };
    TRY(method_run(&session, t->method, &(Args){ count, list }, &t->roles, out, error));
    if (!(*out)->outputs) status = fail(error, BAD, "%s %s made no table", t->method->group, t->method->name);
done:
    arena_free(work.arena);
    return status;
}

/* A mistake in the call itself shows at once, and ends the tuning; later failures belong to the point. */
static Status measure_point(Tuning *t, int64_t point) {
    Status status = OK;
    double *value = t->value + point * t->calls;
    Result *release = NULL;
    Error error = ERROR_NONE;
    for (int64_t repeat = 0; repeat < t->a->repeats; repeat++) {
        status = make_release(t, point, repeat, &release, &error);
        if (!status && !t->any_changed && (status = measure_roles(t, release->output[0]))) error = *t->work->error;
        t->early[point] |= !t->any_changed && !status;
        for (int64_t c = 0; !status && c < t->calls; c++) {
            double one;
            if (t->call[c].own) one = value_number(result_find(release, t->call[c].value));
            else
                status = measure_expression_run(t->run->session, &t->call[c], t->a->data, release->output[0], roles_of(t, &t->call[c]),
                                                &one, &error);
            value[c] += one / (double)t->a->repeats;
        }
        result_free(release);
        release = NULL;
        if (status) break;
    }
    if (!status) return OK;
    if (status == INTERRUPTED || status == FAILED || point == 0) {
        *t->work->error = error;
        return status;
    }
    for (int64_t c = 0; c < t->calls; c++) value[c] = NAN;
    t->early[point] = 0;
    if (!t->failed++) {
        char why[2048];
        error_text(&error, why, sizeof why);
        result_note(t->run->result, "At %s: %s", grid_label(t->work, &t->grid, point), why);
    }
    return OK;
}

/* Points that changed nothing were measured before it was known what a release changes: once more, by the columns of all others. */
static Status measure_early(Tuning *t) {
    Status status = OK;
    for (int64_t p = 0; p < t->grid.points && t->any_changed; p++) {
        if (!t->early[p]) continue;
        for (int64_t c = 0; c < t->calls; c++) t->value[p * t->calls + c] = 0;
        TRY(measure_point(t, p));
    }
done:
    return status;
}

/* ---- What no other point beats ---- */

static double judged(const Tuning *t, int64_t point, int64_t c) {
    double value = t->value[point * t->calls + c];
    return t->call[c].less ? -value : value;
}

/* b is at least as good as a in everything, and better in something. */
static bool beats(const Tuning *t, int64_t b, int64_t a) {
    bool better = false;
    for (int64_t c = 0; c < t->calls; c++) {
        if (t->silent[c]) continue;
        if (!(judged(t, b, c) >= judged(t, a, c))) return false;
        better |= judged(t, b, c) > judged(t, a, c);
    }
    return better;
}

static void find_silent(Tuning *t) {
    for (int64_t c = 0; c < t->calls; c++) {
        t->silent[c] = true;
        for (int64_t p = 0; p < t->grid.points; p++) t->silent[c] &= isnan(t->value[p * t->calls + c]) != 0;
        if (t->silent[c]) result_note(t->run->result, "%s gave no number at any point and was ignored.", t->call[c].text);
    }
}

static Status find_best(Tuning *t) {
    Status status = OK;
    NEW(t->work, t->best, t->grid.points + 1);
    NEW(t->work, t->silent, t->calls + 1);
    find_silent(t);
    for (int64_t a = 0; a < t->grid.points; a++) {
        t->best[a] = true;
        for (int64_t c = 0; c < t->calls; c++) t->best[a] &= t->silent[c] || !isnan(t->value[a * t->calls + c]);
        for (int64_t b = 0; b < t->grid.points && t->best[a]; b++) t->best[a] = !beats(t, b, a);
    }
done:
    return status;
}

/* ---- What it says ---- */

static const char *call_label(Work *work, const MeasureExpression *call) {
    return arena_print(work->arena, "%s %s%s", call->method->name, call->value ? call->value : "", call->less ? " (less is better)" : "");
}

/* A column of a table is named by its measure; two alike are numbered. */
static const char *column_name(Tuning *t, int64_t c) {
    int64_t same = 0;
    for (int64_t i = 0; i < c; i++) same += t->call[i].method == t->call[c].method && same_text(t->call[i].value, t->call[c].value);
    Buffer name = { 0 };
    buffer_print(&name, "%s_%s", t->call[c].method->name, t->call[c].value ? t->call[c].value : "value");
    if (same) buffer_print(&name, "_%lld", (long long)same + 1);
    for (size_t i = 0; i < name.count; i++)
        if (name.bytes[i] == '-' || name.bytes[i] == ' ') name.bytes[i] = '_';
    const char *copy = arena_text(t->work->arena, buffer_get(&name));
    buffer_free(&name);
    return copy ? copy : "value";
}

static void say_points(Tuning *t) {
    Buffer columns = { 0 };
    for (int64_t a = 0; a < t->grid.axes; a++)
        buffer_print(&columns, "%s:%s ", t->grid.axis[a].param->name, t->grid.axis[a].numbers ? "real" : "text");
    for (int64_t c = 0; c < t->calls; c++) buffer_print(&columns, "%s:real ", column_name(t, c));
    buffer_text(&columns, "non_dominated:integer");
    Grid *grid = grid_new(t->run->result, "points", buffer_get(&columns));
    buffer_free(&columns);
    for (int64_t p = 0; p < t->grid.points; p++) {
        for (int64_t a = 0; a < t->grid.axes; a++) {
            const char *text = *grid_text_at(&t->grid, p, a);
            if (t->grid.axis[a].numbers) grid_real(grid, grid_number_at(&t->grid, p, a));
            else grid_text(grid, text);
        }
        for (int64_t c = 0; c < t->calls; c++) grid_real(grid, t->value[p * t->calls + c]);
        grid_integer(grid, t->best[p]);
    }
    grid_done(grid);
}

static Status say_chart(Tuning *t, int64_t risk, int64_t utility) {
    Status status = OK;
    Chart *chart = result_chart(t->run->result, CHART_SCATTER, "Risk and utility", call_label(t->work, &t->call[risk]),
                                call_label(t->work, &t->call[utility]));
    chart_of(chart, "points");
    double *x = NULL, *y = NULL;
    const char **text = NULL;
    NEW(t->work, x, t->grid.points + 1);
    NEW(t->work, y, t->grid.points + 1);
    NEW(t->work, text, t->grid.points + 1);
    for (int best = 0; best < 2; best++) {
        int64_t count = 0;
        for (int64_t p = 0; p < t->grid.points; p++) {
            if (t->best[p] != best || isnan(t->value[p * t->calls + risk]) || isnan(t->value[p * t->calls + utility])) continue;
            x[count] = t->value[p * t->calls + risk];
            y[count] = t->value[p * t->calls + utility];
            text[count++] = grid_label(t->work, &t->grid, p);
        }
        if (!count) continue;
        chart_series(chart, best ? "not dominated" : "dominated", count, x, y, NULL, text);
        chart->series[chart->series_count - 1].emphasised = best;
    }
done:
    return status;
}

/* What was handed on is part of what was asked. */
static void say_fixed(Tuning *t) {
    for (int64_t i = 0; i < t->fixed.count; i++) {
        const Arg *arg = &t->fixed.at[i];
        const Param *param = method_param(t->method, arg->name);
        Buffer text = { 0 };
        char name[64];
        if (arg->tables || !param) continue;
        param_dashed(param, name);
        for (int64_t k = 0; k < arg->count; k++) buffer_print(&text, "%s%s", k ? "," : "", arg->items[k]);
        result_param(t->run->result, name, arg->count ? buffer_get(&text) : "true", param->flags & SECRET, false,
                     kind_is_list(param->kind));
        buffer_free(&text);
    }
}

static Status say_all(Tuning *t) {
    Status status = OK;
    int64_t best = 0;
    TRY(find_best(t));
    for (int64_t p = 0; p < t->grid.points; p++) best += t->best[p];
    result_integer(t->run->result, "points", t->grid.points);
    result_integer(t->run->result, "non_dominated", best);
    result_integer(t->run->result, "failed", t->failed);
    say_fixed(t);
    say_points(t);
    for (int64_t risk = 0; risk < t->risks; risk++)
        for (int64_t utility = t->risks; utility < t->calls; utility++) TRY(say_chart(t, risk, utility));
    for (int64_t c = 0; c < t->calls; c++)
        result_note(t->run->result, "%s, by %s of %s.%s: the %s the better.", c < t->risks ? "Risk" : "Utility",
                    t->call[c].value ? t->call[c].value : "?", t->call[c].method->group, t->call[c].method->name,
                    t->call[c].less ? "less" : "more");
    if (t->method->traits & RANDOM)
        result_note(t->run->result,
                    t->a->repeats > 1 ? "Each point is the mean of %lld releases."
                                      : "Each point is one release, so small differences are random. --repeats averages several.",
                    (long long)t->a->repeats);
done:
    return status;
}

static Status tune_run(Run *run, const void *p) {
    Status status = OK;
    Tuning t = { .run = run, .work = &run->work, .a = p };
    TRY(find_tuned(&t));
    TRY(grid_parse(t.work, t.method, t.a->over, &t.grid));
    TRY(parse_calls(&t));
    TRY(fixed_args(&t));
    TRY(read_roles(&t));
    TRY(check_people(&t));
    TRY(session_print(run->session, t.work, t.method, t.a->data, &t.print));
    NEW(t.work, t.value, t.grid.points * t.calls + 1);
    NEW(t.work, t.early, t.grid.points + 1);
    for (int64_t point = 0; point < t.grid.points; point++) {
        TRY(work_check(t.work));
        work_show(t.work, "points", (double)point / (double)t.grid.points);
        TRY(measure_point(&t, point));
    }
    TRY(measure_early(&t));
    TRY(say_all(&t));
done:
    return status;
}

const Method verb_tune = {
    .group = "verb",
    .name = "tune",
    .summary = "Tune a method: evaluate its parameters on a grid, and chart risk against utility",
    .params = params,
    .size = sizeof(args),
    .traits = OWN_WHERE | RANDOM,
    .run = tune_run,
    .passes = tuned,
    .values =
        (const Return[]){ VALUE(points, INTEGER, "Points of the grid, and each with its measures", .flags = PUBLIC),
                          VALUE(non_dominated, INTEGER,
                                "Points on the efficient frontier: no other point is at least as good in every measure and better in one",
                                .flags = PUBLIC),
                          VALUE(failed, INTEGER, "Points at which no release could be made or measured", .flags = PUBLIC),
                          TABLE_OUT(points, NULL, "Each point: its parameters, every measure, and whether it is on the efficient frontier"),
                          END },
    .example = "scrim tune protect nbrs examples/clinic.csv --vars sex,age,income,bmi --over eps=0.5:2:0.5 --utility \"regression(income ~ "
               "age + sex)\" --risk \"track(age > 85)\" --seed 1"
};
