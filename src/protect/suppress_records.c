/* protect.suppress-records: records that a rule names, or that are too risky, are dropped or blanked. Defined after Cox 1980; Matthews &
 * Harel 2011, section 2.1: docs/methods/protect-suppress-records.md. */
#include <string.h>
#include "base/elementary.h"
#include "protect/changed_table.h"

typedef struct {
    const Table *data;
    const Expr *where;
    double risk_above;
    Columns keys, vars;
    const Column *weight, *household;
    unsigned action;
} args;
enum { DROP, BLANK };

static const Param params[] = {
    TABLE(args, data, "Table to protect", .flags = REQUIRED | POSITIONAL),
    EXPR(args, where, data, "Suppress the records for which this is true"),
    REAL(args, risk_above, NAN, 0, 1, "Suppress the records whose individual risk is above this, 0 to 1. Smaller = more protection"),
    ONE_OF("where", "risk-above"),
    KEYS(args, data),
    WEIGHT(args, data),
    COLUMN(args, household, data, "Household: a record has the risk of its household"),
    CHOICE(args, action, "drop", "drop: remove the record; blank: make its cells missing", WORDS("drop", "blank")),
    COLUMNS(args, vars, data, "blank: columns to suppress (default: all)"),
    ONLY_IF("vars", "action", "blank"),
    END,
};

static const char *name_of(const Column *column) { return column ? column->name : NULL; }

/* Individual risk as risk.individual measures it, on the same table. */
static Status risky(Run *run, const args *a, uint8_t *mask) {
    Status status = OK;
    Result *measured = NULL;
    const char **keys = NULL, *weight = name_of(a->weight), *household = name_of(a->household);
    Table *data = (Table *)(uintptr_t)a->data;
    Arg arg[4] = { { .name = "data", .count = 1, .tables = &data } };
    int64_t count = 1;
    if (!a->keys.count) {
        fail(run->work.error, BAD, "needs --keys, from which risk is computed");
        TRY(error_parameter(run->work.error, "risk-above"));
    }
    NEW(&run->work, keys, a->keys.count + 1);
    for (int64_t k = 0; k < a->keys.count; k++) keys[k] = a->keys.at[k]->name;
    arg[count++] = (Arg){ .name = "keys", .count = a->keys.count, .items = keys };
    if (weight) arg[count++] = (Arg){ .name = "weight", .count = 1, .items = &weight };
    if (household) arg[count++] = (Arg){ .name = "household", .count = 1, .items = &household };
    TRY(run_method(run, "risk.individual", &(Args){ count, arg }, &measured));
    for (int64_t c = 0; c < measured->columns; c++) {
        const Column *risk = measured->column[c].column;
        if (strcmp(risk->name, household ? "household_risk" : "risk")) continue;
        for (int64_t i = 0; i < a->data->rows; i++) mask[i] = column_number(risk, i) > a->risk_above;
    }
done:
    result_free(measured);
    return status;
}

static Status drop(Run *run, const args *a, const uint8_t *mask, int64_t suppressed) {
    Status status = OK;
    int64_t *rows = NULL, kept = 0;
    Table *table = NULL;
    NEW(&run->work, rows, a->data->rows - suppressed + 1);
    for (int64_t i = 0; i < a->data->rows; i++)
        if (!mask[i]) rows[kept++] = i;
    TRY(table_take(a->data, rows, kept, &table, run->work.error));
    result_output(run->result, table);
done:
    return status;
}

static Status blank(Run *run, const args *a, const uint8_t *mask, PartState *did) {
    Status status = OK;
    int64_t count = a->vars.count ? a->vars.count : a->data->columns;
    Column **made = NULL;
    NEW(&run->work, made, count + 1);
    for (int64_t j = 0; j < count; j++) {
        const Column *column = a->vars.count ? a->vars.at[j] : a->data->column[j];
        TRY(column_blank(column, mask, &made[j], run->work.error));
    }
    TRY(output_part(run, a->data, made, count, did));
done:
    columns_release(made, count);
    return status;
}

/* ---- in parts ---- */

enum { SUPPRESSED = STATE_COUNTS - 1 }; /* a place in PartState.count */
enum { ALL_WEIGHTS, GONE_WEIGHTS, SUMS };

static Status add_weights(Run *run, const args *a, const uint8_t *mask, PartState *did) {
    Status status = OK;
    TupleCounts *roll;
    int64_t *place;
    TRY(state_tuple_counts(did, 0, 0, SUMS, false, &roll, run->work.error));
    TRY(tuple_counts_add(&run->work, roll, (Columns){ 0 }, NULL, a->data->rows, run->first_row, &place));
    for (int64_t i = 0; i < a->data->rows; i++) {
        double weight = column_number(a->weight, i);
        if (isnan(weight)) continue;
        exact_sum_add(&roll->sum[ALL_WEIGHTS], weight);
        if (mask[i]) exact_sum_add(&roll->sum[GONE_WEIGHTS], weight);
    }
done:
    return status;
}

static Status suppress_part(Run *run, const void *p, const PartState *fit, PartState *did) {
    const args *a = p;
    Status status = OK;
    uint8_t *mask = NULL;
    int64_t suppressed = 0;
    (void)fit;
    if (a->where) TRY(expr_mask(&run->work, a->where, a->data, &mask, &suppressed));
    else {
        NEW(&run->work, mask, a->data->rows + 1);
        TRY(risky(run, a, mask));
        for (int64_t i = 0; i < a->data->rows; i++) suppressed += mask[i];
    }
    did->count[SUPPRESSED] += suppressed;
    if (a->weight) TRY(add_weights(run, a, mask, did));
    TRY(a->action == DROP ? drop(run, a, mask, suppressed) : blank(run, a, mask, did));
done:
    return status;
}

static Status suppress_say(Run *run, const void *p, const PartState *fit, const PartState *did) {
    const args *a = p;
    int64_t suppressed = did->count[SUPPRESSED];
    const TupleCounts *roll = did->roll[0];
    (void)fit;
    result_integer(run->result, "suppressed", suppressed);
    result_real(run->result, "suppressed_share", did->rows ? (double)suppressed / (double)did->rows : NAN);
    if (a->weight) {
        double all = roll && roll->count ? exact_sum_real(&roll->sum[ALL_WEIGHTS]) : 0,
               gone = all != 0 ? exact_sum_real(&roll->sum[GONE_WEIGHTS]) : 0;
        result_real(run->result, "population_share", all != 0 ? gone / all : NAN);
    }
    if (suppressed)
        result_note(run->result, "The suppressed records are not a random part of the table. Totals and shares of the remaining records "
                                 "are biased unless the analyst adjusts for it.");
    if (suppressed == did->rows && suppressed) result_note(run->result, "Warning: every record was suppressed.");
    if (a->action == BLANK) say_changed(run, did);
    if (a->where) result_note(run->result, "Records for which the rule is missing are kept.");
    return OK;
}

static const char *suppress_whole(const void *p) { return ((const args *)p)->where ? NULL : "--risk-above measures each record among all"; }
static const InParts in_parts = { .shape = BY_ROW, .whole = suppress_whole, .apply = suppress_part, .say = suppress_say };

static const Return values[] = {
    VALUE(suppressed, INTEGER, "Records dropped or suppressed", .flags = PUBLIC),
    VALUE(suppressed_share, REAL, "Their share of the records", .flags = PUBLIC),
    VALUE(population_share, REAL, "Their share of the weights", .flags = PUBLIC),
    CHANGED_VALUES,
    RELEASED("The protected table"),
    END,
};

/* A condition looks at one record; a risk at its class. */
static bool looks_at_one(const Args *given) { return args_find(given, "where") && !args_any(given, WORDS("risk_above", "household")); }

const Method protect_suppress_records = {
    .group = "protect",
    .name = "suppress-records",
    .summary = "Record suppression: remove whole records by a rule or by individual risk",
    .source = "Cox 1980; Matthews & Harel 2011, section 2.1",
    .params = params,
    .size = sizeof(args),
    .record_by_record = looks_at_one,
    .traits = OWN_WHERE | IDENTITY | ATTRIBUTE,
    .parts = &in_parts,
    .values = values,
    .example = "scrim protect suppress-records examples/clinic.csv --where 'diagnosis == \"HIV\"'",
};
