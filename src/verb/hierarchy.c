/* scrim hierarchy build DATA --var age --intervals 5,10,20,*: a hierarchy made by rule. */
#include <string.h>
#include "base/number_text.h"
#include "verb/verbs.h"
#include "table/hierarchy_build.h"

typedef struct {
    const Table *data;
    const Column *var;
    Texts intervals, order, periods;
    const char *group;
    unsigned mask;
    double from, to;
} args;

enum { NO_MASK, MASK_RIGHT, MASK_LEFT };

static const Param params[] = {
    TABLE(args, data, "Table that has the column", .flags = REQUIRED | POSITIONAL),
    COLUMN(args, var, data, "Column for which the hierarchy is built", .flags = REQUIRED),
    TEXTS(args, intervals, "Numbers: width of the intervals at each level, each a multiple of the one before: 5,10,20,*"),
    CHOICE(args, mask, "none", "Codes: mask one more character at each level, from the right or the left", WORDS("none", "right", "left")),
    TEXTS(args, order, "Categories: their order, all of them, for --group"),
    TEXT(args, group, NULL, "Categories: number of neighbours that are merged at each level (2,3), or named groups (north=a,b;south=c,d)"),
    TEXTS(args, periods, "Dates: month, quarter, year, decade, in rising order"),
    REAL(args, from, NAN, -1e15, 1e15, "Whole numbers: first value of the hierarchy, even if the data lack it"),
    REAL(args, to, NAN, -1e15, 1e15, "Whole numbers: last value of the hierarchy, even if the data lack it"),
    END,
};

static const Return values[] = {
    VALUE(values, INTEGER, "Values in the hierarchy"),
    VALUE(levels, INTEGER, "Levels, including the values themselves and *", .flags = PUBLIC),
    TABLE_OUT(level, "level:integer values:integer example:text", "Number of values at each level"),
    OUTPUT("The hierarchy: a row per value, a column per level"),
    END,
};

static Status parameter(Run *run, Status status, const char *name) { return status ? error_parameter(run->work.error, name) : OK; }

static Status add_intervals(Run *run, const args *a, HierarchyBuilder *b) {
    double before = 0;
    for (int64_t i = 0; i < a->intervals.count; i++) {
        const char *text = a->intervals.at[i];
        double width;
        if (!strcmp(text, "*")) continue; /* the top is added in any case */
        if (!read_real(text, text + strlen(text), '.', &width))
            return parameter(run, fail(run->work.error, BAD, "expects widths, not '%s'", text), "intervals");
        if (before > 0 && (width <= before || fmod(width, before) > 1e-9 * before))
            return parameter(run, fail(run->work.error, BAD, "each width must be a multiple of the one before"), "intervals");
        Status status = build_intervals(&run->work, b, width);
        if (status) return parameter(run, status, "intervals");
        before = width;
    }
    return OK;
}

static Status add_groups(Run *run, const args *a, HierarchyBuilder *b) {
    Status status = OK;
    char *copy = arena_text(run->work.arena, a->group), *state = NULL;
    if (!copy) return out_of_memory(run->work.error);
    if (strchr(a->group, '=')) return build_named_groups(&run->work, b, a->group);
    for (char *part = strtok_r(copy, ",", &state); part; part = strtok_r(NULL, ",", &state)) {
        int64_t size;
        if (!strcmp(part, "*")) continue;
        if (!read_integer(part, part + strlen(part), &size))
            TRY(fail(run->work.error, BAD, "expects numbers of neighbours, or NAME=value,value;…, not '%s'", part));
        TRY(build_groups(&run->work, b, size));
    }
done:
    return status;
}

static Status add_periods(Run *run, const args *a, HierarchyBuilder *b) {
    static const char *const usual[] = { "month", "quarter", "year" };
    int64_t count = a->periods.count ? a->periods.count : 3;
    for (int64_t i = 0; i < count; i++) {
        const char *period = a->periods.count ? a->periods.at[i] : usual[i];
        if (!strcmp(period, "*")) continue;
        Status status = build_period(&run->work, b, period);
        if (status) return status;
    }
    return OK;
}

static Status choose(Run *run, const args *a, HierarchyBuilder *b) {
    int rules = (a->intervals.count > 0) + (a->mask != NO_MASK) + (a->group != NULL) + (a->periods.count > 0);
    if (rules > 1) return fail(run->work.error, BAD, "give one rule: --intervals, --mask, --group or --periods");
    if (a->order.count && !a->group) return parameter(run, fail(run->work.error, BAD, "has a meaning only with --group"), "order");
    if (a->intervals.count) return add_intervals(run, a, b);
    if (a->mask != NO_MASK) return parameter(run, build_masks(&run->work, b, a->mask == MASK_RIGHT), "mask");
    if (a->order.count) {
        Status status = build_order(&run->work, b, a->order.count, a->order.at);
        if (status) return parameter(run, status, "order");
    }
    if (a->group) return parameter(run, add_groups(run, a, b), "group");
    if (a->periods.count || a->var->type == DATE_TYPE) return parameter(run, add_periods(run, a, b), "periods");
    fail(run->work.error, BAD, "no rule is given for the hierarchy of %s", a->var->name);
    return error_advice(run->work.error, "Numbers: --intervals 5,10,20,*. Codes: --mask right. Categories: --group 2,2 with --order, or "
                                         "--group \"north=a,b;south=c,d\". Dates: --periods month,year.");
}

static Status hierarchy_build_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    HierarchyBuilder build;
    Hierarchy made;
    Table *table = NULL;
    if (isnan(a->from) != isnan(a->to)) TRY(fail(run->work.error, BAD, "--from and --to must be given together"));
    TRY(build_start(&run->work, a->var, a->from, a->to, &build));
    TRY(choose(run, a, &build));
    TRY(build_top(&run->work, &build));
    TRY(build_table(&run->work, &build, a->var->name, &table));
    result_integer(run->result, "values", build.leaves);
    result_integer(run->result, "levels", build.levels);
    Grid *grid = grid_new(run->result, "level", "level:integer values:integer example:text");
    if (build.leaves) TRY(hierarchy_from_table(&run->work, table, a->var->name, &made));
    for (int64_t level = 0; level < build.levels; level++) {
        grid_integer(grid, level);
        grid_integer(grid, build.leaves ? made.level[level].count : 0);
        grid_text(grid, level && build.leaves ? build.cell[level][0] : NULL); /* level 0 are cells of the data */
    }
    grid_done(grid);
    result_output(run->result, table);
    table = NULL;
done:
    table_release(table);
    return status;
}

const Method hierarchy_build_verb = { .group = "hierarchy",
                                      .name = "build",
                                      .summary = "Build a generalisation hierarchy of a column by rule",
                                      .source = "Sweeney 2002",
                                      .params = params,
                                      .size = sizeof(args),
                                      .run = hierarchy_build_run,
                                      .values = values,
                                      .example = "scrim hierarchy build examples/clinic.csv --var age --intervals 5,10,20,*" };
