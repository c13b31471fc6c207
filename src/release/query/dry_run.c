/* A release before it is made: the whole plan on a table of the same shape in which nothing stands, so that no cell can be looked at. */
#include <string.h>
#include "base/elementary.h"
#include "base/number_text.h"
#include "release/query/query.h"

/* The same name, type and length, every value 0; categories as the schema declares them, or none. */
static Status blank_column(const ReleaseArgs *a, const Column *from, Column **out, Error *error) {
    static const char *const nothing[] = { "" };
    const SchemaColumn *declared = schema_find(a->schema, from->name);
    Status status = OK;
    if (from->type == TEXT_TYPE || (from->type == CATEGORY_TYPE && !declared)) {
        TRY(column_new(CATEGORY_TYPE, from->name, from->rows, out, error));
        TRY(dictionary_new(nothing, 1, true, &(*out)->words, error));
        return OK;
    }
    TRY(column_new(from->type, from->name, from->rows, out, error));
    if (from->type == CATEGORY_TYPE) (*out)->words = dictionary_retain(from->words); /* the schema's own list */
done:
    return status;
}

Status blank_arguments(Run *run, const ReleaseArgs *a, ReleaseArgs *out, Table **table) {
    Status status = OK;
    Column **made = NULL;
    int64_t count = 0;
    *out = *a;
    if (a->smooth || a->show_scales) {
        fail(run->work.error, BAD, "%s takes its scale from the records, and a dry run reads no records",
             a->smooth ? "--smooth" : "--show-scales");
        return error_parameter(run->work.error, "dry-run");
    }
    NEW(&run->work, made, a->data->columns + 1);
    for (; count < a->data->columns; count++) TRY(blank_column(a, a->data->column[count], &made[count], run->work.error));
    TRY(table_new(a->data->name, made, count, a->data->rows, table, run->work.error));
    out->data = *table;
    if (a->person) out->person = table_column(*table, a->person->name);
done:
    for (int64_t i = 0; made && i < count + (status != OK) && i < a->data->columns; i++) column_release(made[i]);
    return status;
}

/* One answer's error: of one noisy number as it is; of a mean over records whose number is not public, where that number can be told at
 * all, to first order. */
static double expected_half(const Plan *plan, const Answer *answer) {
    const Measure *b = &plan->measure[answer->measure[0]];
    double unit = answer->form == FORM_COUNT ? 1 : ldexp(1, b->exponent) / b->divisor;
    Noise noise = { .family = plan->noise, .scale = b->scale / unit };
    if (b->exact) return 0;
    if (b->choice || answer->measures > 2 || answer->form >= FORM_ROOT) return NAN;
    double half = noise_half_width(&noise, 0.95) * unit;
    for (int64_t depth = 0; b->reach && depth <= b->levels; depth++) half = depth ? fmax(half, b->reach[depth]) : b->reach[0];
    const Query *q = &plan->query[answer->query];
    if (answer->measures == 1) return half;
    bool whole = plan->unit == REPLACE_ONE && !plan->person && !q->where && !plan->args->where &&
                 !q->by.count; /* but for values that may be missing */
    return answer->form == FORM_RATIO && whole && plan->rows ? half / (double)plan->rows : NAN;
}

Status report_expected(Plan *plan) {
    Status status = OK;
    Result *result = plan->run->result;
    LedgerLoss loss = plan_loss(plan);
    int64_t units, delta, last = -1;
    char text[33], same[33], person[160];
    TRY(report_values(plan));
    if (plan->args->ledger) {
        TRY(ledger_check_person(plan->args->ledger,
                                ledger_person(plan->person ? plan->person->name : NULL, plan->person ? plan->max_records : 1, person),
                                plan->work->error));
        TRY(ledger_price(plan->args->ledger, &loss, plan->unit == ADD_REMOVE ? "add-remove" : "replace-one", &units, &delta,
                         plan->work->error));
        result_text(result, "cost", units_text(units, text));
        if (delta) result_real(result, "cost_delta", (double)delta / LEDGER_DELTA);
        TRY(request_hash(plan, same));
        result_text(result, "request_hash", same);
        result_text(result, "currency", currency_name(ledger_currency(plan->args->ledger)));
    }
    bool terms = false;
    for (int64_t i = 0; i < plan->measures; i++)
        if (plan->measure[i].levels) TRY(tree_reach(plan, &plan->measure[i]));
    for (int64_t q = 0; q < plan->queries; q++) terms |= plan->query[q].kind == QUERY_REGRESSION;
    Grid *grid =
        grid_new(result, "expected", terms ? "query:text term:text half_width:real ranks:real" : "query:text half_width:real ranks:real");
    for (int64_t i = 0; i < plan->answers; i++) {
        const Answer *answer = &plan->answer[i];
        bool term = answer->form == FORM_COEFFICIENT;
        double half = expected_half(plan, answer);
        if (answer->query == last && !term) continue; /* groups are alike */
        if (term) TRY(expected_coefficient(plan, answer, &half));
        last = answer->query;
        grid_text(grid, plan->query[last].text);
        if (terms) grid_text(grid, term ? answer->group : NULL);
        grid_real(grid, half);
        grid_real(grid, by_rank(&plan->measure[answer->measure[0]]) ? ceil(choice_ranks(&plan->measure[answer->measure[0]])) : NAN);
    }
    grid_done(grid);
    report_parts(plan);
    if (terms)
        result_note(result, "The half-width of a coefficient assumes records that are spread evenly between the bounds, independently in "
                            "each variable. Concentrated data have more noise.");
    result_note(result, "Nothing was released or charged. Only the header, the types and the number of records were read.");
done:
    return status;
}
