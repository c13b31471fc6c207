/* Columns as a design matrix. */
#include "risk/design_matrix.h"

Status design_of_columns(Work *work, const Table *table, const Column *response, Columns columns, Design *out) {
    Status status = OK;
    const Formula *formula;
    const char *text = response ? arena_print(work->arena, "`%s` ~", response->name) : "~";
    for (int64_t j = 0; text && j < columns.count; j++)
        text = arena_print(work->arena, "%s%s `%s`", text, j ? " +" : "", columns.at[j]->name);
    if (!text) TRY(out_of_memory(work->error));
    TRY(formula_parse(work, table, text, &formula));
    TRY(formula_design_unfilled(work, formula, table, NULL, out));
done:
    return status;
}
