/* protect.drop: columns that have no place in a release. Defined after Cox 1980: docs/methods/protect-drop.md. */
#include "method/method.h"

typedef struct {
    const Table *data;
    Columns vars;
} args;

static const Param params[] = {
    TABLE(args, data, "Table to protect", .flags = REQUIRED | POSITIONAL),
    COLUMNS(args, vars, data, "Columns to remove: direct identifiers, free text, columns that no analyst needs", .flags = REQUIRED),
    END,
};

static const Return values[] = {
    VALUE(dropped, INTEGER, "Columns removed", .flags = PUBLIC),
    VALUE(columns, INTEGER, "Columns kept", .flags = PUBLIC),
    RELEASED("The table without them"),
    END,
};

static Status drop_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    const char **names = NULL;
    Table *left = NULL;
    NEW(&run->work, names, a->vars.count + 1);
    for (int64_t i = 0; i < a->vars.count; i++) names[i] = a->vars.at[i]->name;
    TRY(table_without(a->data, names, a->vars.count, &left, run->work.error));
    result_integer(run->result, "dropped", a->vars.count);
    result_integer(run->result, "columns", left->columns);
    if (!left->columns) result_note(run->result, "Warning: no column is left.");
    result_output(run->result, left);
done:
    return status;
}

const Method protect_drop = { .group = "protect",
                              .name = "drop",
                              .summary = "Removal of columns, such as direct identifiers",
                              .source = "Cox 1980",
                              .params = params,
                              .size = sizeof(args),
                              .record_by_record = always_record_by_record,
                              .traits = IDENTITY,
                              .run = drop_run,
                              .values = values,
                              .example = "scrim protect drop examples/clinic.csv --vars name,phone" };
