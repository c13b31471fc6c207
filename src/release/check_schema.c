/* What reading a table under a schema changes, for the data custodian, before anything is released. */
#include "base/elementary.h"
#include "method/method.h"

typedef struct {
    const Table *data;
    const Schema *schema;
} args;
static const Param params[] = {
    TABLE(args, data, "The confidential table", .flags = REQUIRED | POSITIONAL),
    SCHEMA(args, schema, data, "Public description of the table that is checked", .flags = REQUIRED | UNAPPLIED),
    END,
};
static const Return values[] = {
    VALUE(misfits, INTEGER, "Cells that the schema changes. Confidential. 0 = the schema fits the table"),
    VALUE(columns, INTEGER, "Columns that the schema describes", .flags = PUBLIC),
    TABLE_OUT(cells, "column:text misfits:integer missing:integer words:integer outside:integer rounded:integer unknown:integer",
              "Cells that the schema changes, by column: missing where none can be, words for a number, outside the bounds, rounded to the "
              "steps, of no category. Confidential"),
    END,
};

static Status check_schema_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    int64_t total = 0;
    Grid *grid = grid_new(run->result, "cells",
                          "column:text misfits:integer missing:integer words:integer outside:integer rounded:integer unknown:integer");
    for (int64_t j = 0; j < a->schema->columns; j++) {
        const SchemaColumn *declared = &a->schema->column[j];
        const Column *column;
        SchemaMisfits m;
        TRY(table_need(a->data, declared->name, &column, run->work.error));
        TRY(schema_misfits(&run->work, declared, column, &m));
        const int64_t count[] = {
            m.missing + m.words + m.outside + m.rounded + m.unknown, m.missing, m.words, m.outside, m.rounded, m.unknown
        };
        grid_text(grid, declared->name);
        for (size_t k = 0; k < sizeof count / sizeof *count; k++) grid_integer(grid, count[k]);
        total += count[0];
    }
    grid_done(grid);
    result_integer(run->result, "misfits", total);
    result_integer(run->result, "columns", a->schema->columns);
    result_note(run->result, "Confidential: these are counts of the table's cells without noise, for the data custodian only. Nothing is "
                             "charged to a ledger. A release does not show them.");
done:
    return status;
}

const Method release_check_schema = {
    .group = "release",
    .name = "check-schema",
    .summary = "Schema check: number of cells that a schema changes, before a release",
    .source = "Dwork & Roth 2014",
    .params = params,
    .size = sizeof(args),
    .traits = UNAUDITED,
    .run = check_schema_run,
    .values = values,
    .example = "scrim release check-schema examples/clinic.csv --schema examples/schema.yaml",
};
