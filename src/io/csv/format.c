/* CSV as a format. */
#include "io/csv/csv.h"
#include "io/format.h"

static bool begins_formulas(const Column *column, const void *self, int64_t index) {
    (void)self, (void)index;
    if (csv_begins_formula(column->name)) return true;
    if (column->type == CATEGORY_TYPE)
        for (int32_t i = 0; i < column->words->count; i++)
            if (csv_begins_formula(column->words->word[i])) return true;
    for (int64_t i = 0; column->type == TEXT_TYPE && i < column->rows; i++)
        if (!column_missing(column, i) && csv_begins_formula(column->bytes + column->offset[i])) return true;
    return false;
}

void csv_formulas(const Table *table, Buffer *out) {
    format_say(table, begins_formulas, NULL,
               "Spreadsheet programs read cells and names that begin with =, +, -, @ or a tab as formulas, unless they are escaped "
               "(spreadsheet-safe). Such cells are in",
               out);
}

/* Nothing that CSV cannot hold, but what its readers must know. */
static Status csv_losses(Work *work, const Table *table, const char *name, Buffer *out) {
    (void)work, (void)name;
    csv_formulas(table, out);
    return OK;
}

const Format format_csv = { .name = "CSV",
                            .suffixes = (const char *const[]){ ".csv", ".tsv", ".txt", NULL },
                            .packed = true,
                            .read = csv_read,
                            .write = csv_write,
                            .losses = csv_losses };
