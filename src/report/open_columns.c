/* Direct identifiers that are still in a table, and columns that no role names, as sentences list them. */
#include "report/open_columns.h"

static void put_name(const char *name, int64_t before, Buffer *out) { buffer_print(out, "%s%s", before ? ", " : "", name); }

int64_t put_identifying(const Result *measured, const Roles *roles, const Table *table, Buffer *out) {
    const Result *detail = result_within(measured, "risk.detail");
    const Table *found = detail ? result_find_table(detail, "identifying") : NULL;
    char cell[33];
    int64_t count = 0;
    for (int64_t i = 0; found && i < found->rows; i++) put_name(table_cell(found, "column", i, cell), count++, out);
    for (int64_t i = 0; !found && roles && i < roles->identifiers; i++)
        if (table_column(table, roles->identifier[i])) put_name(roles->identifier[i], count++, out);
    return count;
}

int64_t put_undecided(const Roles *roles, const Table *table, Buffer *out) {
    int64_t count = 0;
    for (int64_t j = 0; roles && j < table->columns; j++)
        if (!roles_decide(roles, table->column[j]->name)) put_name(table->column[j]->name, count++, out);
    return count;
}

void put_undecided_sentence(const Roles *roles, const Table *table, Buffer *out) {
    Buffer names = { 0 };
    int64_t count = put_undecided(roles, table, &names);
    if (count == 1) buffer_print(out, " Column %s has no role, so that its risk is not judged.", buffer_get(&names));
    else if (count)
        buffer_print(out, " %lld columns have no role, so that their risk is not judged: %s.", (long long)count, buffer_get(&names));
    buffer_free(&names);
}
