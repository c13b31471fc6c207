/* Grids of parameters. */
#include "verb/parameter_grid.h"
#include <string.h>
#include "base/elementary.h"
#include "base/number_text.h"

enum { MOST_POINTS = 10000 };

static Status bad_over(Work *work, const char *text, const char *what) {
    fail(work->error, BAD, "'%s': %s", text, what);
    error_advice(work->error, "Write eps=0.1:1:0.1 for a range with its step, metric=euclidean,gower for a list.");
    return error_parameter(work->error, "over");
}

static bool is_real(const char *text, double *out) { return read_real(text, text + strlen(text), '.', out); }

/* 0.1:1:0.1 has ten points: i steps from the first, to 12 digits, so that 0.1 + 2·0.1 is 0.3. */
static Status range_values(Work *work, const char *whole, const char *text, TuneAxis *axis) {
    Status status = OK;
    char *copy = arena_text(work->arena, text), *second = copy ? strchr(copy, ':') : NULL, *third = second ? strchr(second + 1, ':') : NULL;
    double from, to, step;
    if (!third) return bad_over(work, whole, "a range is from:to:step");
    *second++ = *third++ = 0;
    if (!is_real(copy, &from) || !is_real(second, &to) || !is_real(third, &step))
        return bad_over(work, whole, "a range is made of numbers");
    if (!(step > 0) || to < from) return bad_over(work, whole, "a range goes up, by a step above 0");
    double count = floor((to - from) / step + 1e-9) + 1;
    if (count > MOST_POINTS) return bad_over(work, whole, "this makes more than 10,000 points");
    axis->count = (int64_t)count;
    NEW(work, axis->text, axis->count);
    for (int64_t i = 0; i < axis->count; i++) {
        char number[33];
        real_short(from + (double)i * step, 12, number);
        axis->text[i] = arena_text(work->arena, number);
        if (!axis->text[i]) TRY(out_of_memory(work->error));
    }
done:
    return status;
}

static Status list_values(Work *work, const char *text, TuneAxis *axis) {
    Status status = OK;
    char *at = arena_text(work->arena, text);
    NEW(work, axis->text, strlen(text) + 1);
    while (at) axis->text[axis->count++] = strsep(&at, ",");
done:
    return status;
}

static Status find_param(Work *work, const Method *method, const char *name, const Param **out) {
    const char *names[128];
    size_t count = 0;
    for (const Param *p = method->params; p && p->kind; p++) {
        if (p->kind >= RULE_ONE_OF || p->kind == KIND_TABLE || p->kind == KIND_TABLES) continue;
        if (count < 128) names[count++] = p->name;
        if (param_is(p, name)) {
            *out = p;
            return OK;
        }
    }
    const char *near = nearest_name(name, names, count);
    fail(work->error, BAD, "%s %s has no parameter '%s' to try", method->group, method->name, name);
    if (near) error_advice(work->error, "Did you mean '%s'?", near);
    return error_parameter(work->error, "over");
}

static Status parse_axis(Work *work, const Method *method, const char *text, TuneAxis *axis) {
    Status status = OK;
    const char *equals = strchr(text, '=');
    if (!equals || !equals[1]) return bad_over(work, text, "this gives no values");
    TRY(find_param(work, method, arena_print(work->arena, "%.*s", (int)(equals - text), text), &axis->param));
    bool number = axis->param->kind == KIND_INT || axis->param->kind == KIND_REAL;
    TRY(number && strchr(equals, ':') ? range_values(work, text, equals + 1, axis) : list_values(work, equals + 1, axis));
    NEW(work, axis->number, axis->count + 1);
    axis->numbers = number;
    for (int64_t i = 0; number && i < axis->count; i++)
        if (!is_real(axis->text[i], &axis->number[i])) return bad_over(work, text, "this parameter takes numbers");
done:
    return status;
}

Status grid_parse(Work *work, const Method *method, Texts over, TuneGrid *out) {
    Status status = OK;
    *out = (TuneGrid){ .points = 1 };
    NEW(work, out->axis, over.count + 1);
    for (int64_t i = 0; i < over.count; i++) {
        TRY(parse_axis(work, method, over.at[i], &out->axis[i]));
        for (int64_t j = 0; j < i; j++)
            if (out->axis[j].param == out->axis[i].param) TRY(bad_over(work, over.at[i], "this parameter is tried already"));
        out->axes++;
        if (out->axis[i].count > MOST_POINTS / out->points) TRY(bad_over(work, over.at[i], "the grid has more than 10,000 points"));
        out->points *= out->axis[i].count;
    }
done:
    return status;
}

static int64_t place(const TuneGrid *grid, int64_t point, int64_t axis) {
    for (int64_t a = grid->axes - 1; a > axis; a--) point /= grid->axis[a].count;
    return point % grid->axis[axis].count;
}

const char *const *grid_text_at(const TuneGrid *grid, int64_t point, int64_t axis) {
    return &grid->axis[axis].text[place(grid, point, axis)];
}
double grid_number_at(const TuneGrid *grid, int64_t point, int64_t axis) { return grid->axis[axis].number[place(grid, point, axis)]; }

const char *grid_label(Work *work, const TuneGrid *grid, int64_t point) {
    Buffer text = { 0 };
    for (int64_t a = 0; a < grid->axes; a++)
        buffer_print(&text, "%s%s=%s", a ? ", " : "", grid->axis[a].param->name, *grid_text_at(grid, point, a));
    const char *copy = arena_text(work->arena, buffer_get(&text));
    buffer_free(&text);
    return copy ? copy : "";
}
