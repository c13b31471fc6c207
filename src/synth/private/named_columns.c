/* Columns that name people, by what a schema says of them. */
#include <string.h>
#include "synth/engine/direct_columns.h"
#include "synth/private/private.h"

enum { FEW_VALUES = 64 }; /* records share them: they number nobody */

/* What the schema says that the column holds: its categories, or its bounds; twice where so few numbers must repeat. */
static Status declared_values(const SchemaColumn *c, Column **out, Error *error) {
    if (c->kind == SCHEMA_CATEGORIES) return column_category(c->name, c->category, c->categories, out, error);
    const bool few = c->step > 0 && (c->high - c->low) / c->step < FEW_VALUES;
    Status status = column_new(c->kind == SCHEMA_INTEGER ? INTEGER_TYPE : REAL_TYPE, c->name, few ? 4 : 2, out, error);
    for (int i = 0; !status && i < (few ? 4 : 2); i++) {
        double bound = i % 2 ? c->high : c->low;
        if (c->kind == SCHEMA_INTEGER) (*out)->integer[i] = (int64_t)bound;
        else (*out)->real[i] = bound;
    }
    if (!status) column_seal(*out);
    return status;
}

static Status refuse_column(Run *run, const PrivateArgs *a, const SchemaColumn *c) {
    Status status = OK;
    Column *values = NULL;
    Table *table = NULL;
    DirectColumns direct;
    TRY(declared_values(c, &values, run->work.error));
    TRY(table_new("schema", &values, 1, values->rows, &table, run->work.error));
    TRY(direct_guess(run, &a->roles, table, &direct));
    bool person = a->schema->person && !strcmp(a->schema->person, c->name);
    if (!direct.why[0] && !person) goto done;
    fail(run->work.error, BAD, "names people or is free text: its values are not drawn");
    error_column(run->work.error, c->name);
    error_parameter(run->work.error, "schema");
    TRY(error_advice(run->work.error, person ? "Remove the column from the schema's columns. The line `person` is enough."
                                             : "Remove the column from the schema, or name it in --other if it is harmless."));
done:
    table_release(table);
    column_release(values);
    return status;
}

Status refuse_named(Run *run, const PrivateArgs *a) {
    Status status = OK;
    for (int64_t j = 0; j < a->schema->columns; j++) TRY(refuse_column(run, a, &a->schema->column[j]));
done:
    return status;
}
