/* utility.edits: records that break edit rules. Defined after Fellegi & Holt 1976: docs/methods/utility-edits.md. */
#include "base/elementary.h"
#include "method/method.h"
#include "table/edit_rules.h"

typedef struct {
    const Table *released, *rules;
} args;

static const Param params[] = {
    TABLE(args, released, "The protected file", .flags = REQUIRED | POSITIONAL),
    TABLE(args, rules,
          "Edit rules, one per row, in a column `rule` (and optionally `name`): expressions that are true for every valid record",
          .flags = REQUIRED),
    END,
};

/* Records where a missing value leaves a rule open. */
static Status count_open(Work *work, const EditRules *rules, const Table *table, int64_t *open) {
    Status status = OK;
    for (int64_t r = 0; r < rules->count; r++) {
        double *denied = NULL;
        TRY(expr_reals(work, rules->denied[r], table, &denied));
        for (int64_t i = 0; i < table->rows; i++) open[r] += isnan(denied[i]);
        arena_drop(work->arena, denied);
    }
done:
    return status;
}

static Status say(Run *run, const EditRules *rules, const int64_t *tally, const int64_t *open) {
    Status status = OK;
    double *height = NULL;
    int64_t broken = 0, undecided = 0;
    NEW(&run->work, height, rules->count);
    Grid *grid = grid_new(run->result, "rules", "rule:text broken:integer undecided:integer");
    for (int64_t r = 0; r < rules->count; r++) {
        grid_text(grid, rules->name[r]);
        grid_integer(grid, tally[r]);
        grid_integer(grid, open[r]);
        height[r] = (double)tally[r];
        broken += tally[r] > 0;
        undecided += open[r];
    }
    grid_done(grid);
    result_integer(run->result, "edits_broken", broken);
    Chart *chart = result_chart(run->result, CHART_BAR, "Records that violate each rule", "rule", "records");
    chart_of(chart, "rules");
    chart_series(chart, "records", rules->count, NULL, height, NULL, rules->name);
    if (undecided)
        result_note(run->result, "A rule that is undecided because of a missing value is not violated. This occurred %lld times.",
                    (long long)undecided);
done:
    return status;
}

static Status edits_run(Run *run, const void *p) {
    const args *a = p;
    Status status = OK;
    Work *work = &run->work;
    EditRules rules;
    int32_t *broken = NULL;
    int64_t *tally = NULL, *open = NULL, records = 0;
    Column *column = NULL;
    TRY(edit_rules_make(work, a->rules, a->released, &rules));
    if (!rules.count) {
        fail(work->error, BAD, "the file has no rules");
        TRY(error_parameter(work->error, "rules"));
    }
    NEW(work, broken, a->released->rows);
    NEW(work, tally, rules.count);
    NEW(work, open, rules.count);
    TRY(edit_rules_broken(work, &rules, a->released, broken, tally));
    TRY(count_open(work, &rules, a->released, open));
    TRY(column_new(INTEGER_TYPE, "broken", a->released->rows, &column, work->error));
    for (int64_t i = 0; i < a->released->rows; i++) {
        column->integer[i] = broken[i];
        records += broken[i] > 0;
    }
    column_seal(column);
    put_record(run, "released", column);
    result_integer(run->result, "broken", records);
    TRY(say(run, &rules, tally, open));
done:
    return status;
}

static const Return values[] = {
    VALUE(broken, INTEGER, "Records that violate a rule. 0 = consistent", .flags = PUBLIC | LESS),
    VALUE(edits_broken, INTEGER, "Rules that some record violates. 0 = consistent", .flags = PUBLIC),
    TABLE_OUT(rules, "rule:text broken:integer undecided:integer",
              "Each rule: records that violate it, and records where a missing value leaves it undecided", .flags = PUBLIC),
    RECORD(broken, INTEGER, "Rules that the record violates", .of = "released"),
    END,
};

const Method utility_edits = {
    .group = "utility",
    .name = "edits",
    .summary = "Edit checks: records that violate logical edit rules",
    .source = "Fellegi & Holt 1976",
    .params = params,
    .size = sizeof(args),
    .run = edits_run,
    .headline = "-broken",
    .values = values,
    .example = "scrim utility edits examples/clinic-released.csv --rules examples/rules.csv",
};
