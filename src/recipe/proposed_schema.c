/* The schema that `inspect --schema` proposes, as a file. */
#include "recipe/proposed_schema.h"
#include "base/escape.h"

static const char opening[] =
    "# A schema proposed by scrim inspect. A schema is public: nothing in it may be known from the data alone.\n"
    "# A line with `confirm` was derived from the data. Compare it with what is public (the questionnaire, the codebook),\n"
    "# correct it, and remove `confirm`. Commands refuse the schema until then.\n"
    "# Write `missing: impossible` where no value can be missing.\n"
    "unit: add-remove  # the number of records is confidential; replace-one takes it as public\n";

static void put_person(const Table *profile, Buffer *out) {
    char a[33], b[33];
    for (int64_t i = 0; i < profile->rows; i++) {
        if (!same_text(table_cell(profile, "role", i, a), "person")) continue;
        buffer_text(out, "person: ");
        put_json_text(out, table_cell(profile, "column", i, b));
        buffer_text(out, "\n");
        return;
    }
}

bool schema_proposed(const Result *result, Buffer *out) {
    const Table *schema = result_find_table(result, "schema"), *profile = result_find_table(result, "profile");
    char a[33], b[33], c[33];
    bool left_out = false;
    if (!schema || !profile || !table_column(schema, "declaration")) return false;
    buffer_text(out, opening);
    put_person(profile, out);
    buffer_text(out, "columns:\n");
    for (int64_t i = 0; i < schema->rows; i++) {
        const char *line = table_cell(schema, "declaration", i, a);
        left_out |= !line;
        if (!line) continue;
        buffer_text(out, "  ");
        put_json_text(out, table_cell(schema, "column", i, b));
        buffer_print(out, ": %s  # %s\n", line, table_cell(schema, "source", i, c));
    }
    if (left_out) buffer_text(out, "# Left out:\n");
    for (int64_t i = 0; i < schema->rows; i++)
        if (!table_cell(schema, "declaration", i, a))
            buffer_print(out, "#   %s %s\n", table_cell(schema, "column", i, b), table_cell(schema, "source", i, c));
    return true;
}
