/* Any text at all: expressions and formulas give an answer or an error that says something, and what parses can be evaluated. */
#include <stdlib.h>
#include <string.h>
#include "io/csv/csv.h"
#include "table/expr.h"
#include "table/formula.h"

static const char *const csv = "x,y-z,g,when,hours per week\n1,2.5,a,2020-01-01,3\n,0,b,2021-02-03,\n3,-1,,,5\n4,1e3,a,1999-12-31,7\n";

static void try_expression(Work *work, const Table *table, const char *text) {
    const Expr *expr;
    uint8_t *mask;
    double *values;
    Status status = expr_parse(work, table, text, &expr);
    if (status == BAD && !work->error->message[0]) abort();
    if (status) return;
    status = expr_logical(expr)   ? expr_mask(work, expr, table, &mask, NULL)
             : expr_is_text(expr) ? OK
                                  : expr_reals(work, expr, table, &values);
    if (status) abort();
}

static void try_formula(Work *work, const Table *table, const char *text) {
    const Formula *formula;
    Design design;
    Status status = formula_parse(work, table, text, &formula);
    if (!status) status = formula_design(work, formula, table, NULL, &design);
    if (status != OK && !work->error->message[0]) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Error error = ERROR_NONE;
    Work work = { .arena = arena_new(), .error = &error, .threads = 1 };
    Table *table = NULL;
    char *text = malloc(size + 1);
    if (!text || !work.arena || csv_read_bytes(&work, "fuzz", csv, strlen(csv), &(CsvOptions){ 0 }, &table)) abort();
    memcpy(text, data, size);
    text[size] = 0;
    try_expression(&work, table, text);
    try_formula(&work, table, text);
    table_release(table);
    arena_free(work.arena);
    free(text);
    return 0;
}
