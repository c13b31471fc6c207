/* scrim ledger plan: what a list of planned releases costs together and how accurate each is, before anything is spent; and the other way
 * round, the smallest budget for which each reaches the accuracy that is asked for. */
#include <string.h>
#include "base/elementary.h"
#include "base/number_text.h"
#include "ledger/ledger.h"
#include "verb/verbs.h"

typedef struct {
    const char *ledger;
    const Table *data, *releases;
} plan_args;
static const Param params[] = {
    TEXT(plan_args, ledger, NULL, "Ledger that would pay: a file, or postgresql://…", .flags = REQUIRED | POSITIONAL | SECRET),
    TABLE(plan_args, data, "The confidential table. No cell of it is read", .flags = REQUIRED | POSITIONAL),
    TABLE(plan_args, releases,
          "Planned releases, one per row: columns are parameters of `release` (query, bounds, epsilon, zcdp, …), empty cells are ignored. "
          "With a column `within`, a row without a guarantee gets the weakest one whose 95% error is at most this",
          .flags = REQUIRED),
    END,
};

#define RELEASES "release:integer query:text promise:text amount:real cost:text delta:real half_width:real ranks:real within:real"
static const Return values[] = {
    VALUE(cost, TEXT, "Joint charge of all releases; if accuracies are given, the smallest budget for them"),
    VALUE(delta, REAL, "δ charged for all releases"),
    VALUE(left, TEXT, "Remaining budget in the ledger now"),
    VALUE(left_after, TEXT, "Remaining budget after them. Negative: the budget is too small"),
    VALUE(enough, TEXT, "yes: the budget and its δ suffice; no: they do not"),
    VALUE(currency, TEXT, "Unit of the ledger's budget"),
    TABLE_OUT(releases, RELEASES, "Each answer: its guarantee, its charge, and its error with probability 0.95, as a number or in ranks"),
    END,
};

/* The parameter of release that promises in each currency; what is wanted is found as an amount of it. */
static const char *const promises[CURRENCIES] = { "epsilon", "zcdp", "gdp", "noncentrality", "zcdp" };

typedef struct Planner {
    Run *run;
    const plan_args *a;
    const Method *method;
    Currency currency;
    const Column *within;
    int64_t units, delta; /* of all releases so far */
    const char **seen;    /* the request of each, which is charged once */
    int64_t seen_count;
    Grid *grid;
} Planner;

static Status add_arg(Planner *p, const Param *param, const char *text, Arg *out) {
    Status status = OK;
    const char **items = NULL;
    *out = (Arg){ .name = param->name };
    if (param->kind == KIND_FLAG) return OK;
    if (kind_is_list(param->kind)) {
        TRY(args_split(&p->run->work, text, &out->count, &items));
    } else {
        NEW(&p->run->work, items, 1);
        items[0] = text;
        out->count = 1;
    }
    out->items = items;
done:
    return status;
}

static bool says_no(const char *text) { return !strcmp(text, "no") || !strcmp(text, "false") || !strcmp(text, "0"); }

/* The row's own arguments, beside the data, the ledger and --dry-run; `promise` (or NULL) with this amount. */
static Status row_args(Planner *p, int64_t row, const char *promise, double amount, Args *out) {
    Status status = OK;
    const Table *plan = p->a->releases;
    Arg *list = NULL;
    char cell[33], number[33];
    NEW(&p->run->work, list, plan->columns + 4);
    out->at = list;
    out->count = 0;
    for (int64_t j = 0; j < plan->columns; j++) {
        const Column *column = plan->column[j];
        const char *text = column == p->within ? NULL : column_cell(column, row, cell);
        const Param *param = method_param(p->method, column->name);
        if (!text) continue;
        if (!param || param->kind == KIND_LEDGER) {
            fail(p->run->work.error, BAD, "release has no parameter '%s' that can be planned", column->name);
            TRY(error_column(p->run->work.error, column->name));
        }
        if (param->kind == KIND_FLAG && says_no(text)) continue;
        TRY(add_arg(p, param, arena_text(p->run->work.arena, text), &list[out->count++]));
    }
    if (promise)
        TRY(add_arg(p, method_param(p->method, promise), arena_text(p->run->work.arena, real_text(amount, number)), &list[out->count++]));
    Table **data = NULL;
    NEW(&p->run->work, data, 1);
    data[0] = (Table *)(uintptr_t)p->a->data;
    list[out->count++] = (Arg){ .name = "data", .count = 1, .tables = data };
    TRY(add_arg(p, method_param(p->method, "ledger"), p->a->ledger, &list[out->count++]));
    list[out->count++] = (Arg){ .name = "dry_run" };
done:
    return status;
}

/* What one release would be, if it were asked for. */
static Status try_release(Planner *p, int64_t row, const char *promise, double amount, Result **out) {
    Status status = OK;
    Args args;
    char text[2048];
    TRY(row_args(p, row, promise, amount, &args));
    status = run_method(p->run, "release.query", &args, out);
    if (status == BAD || status == REFUSED) {
        error_text(p->run->work.error, text, sizeof text);
        return fail(p->run->work.error, status, "planned release %lld: %s", (long long)row + 1, text);
    }
done:
    return status;
}

static double cell_of(const Table *table, int64_t row, const char *name) {
    const Column *column = table_column(table, name);
    return !column || column_missing(column, row) ? NAN : column_number(column, row);
}

/* The largest error of its answers: the half-width, or the ranks of what is chosen by rank. NAN where one cannot be told beforehand. */
static double worst_error(const Result *made) {
    const Table *expected = result_find_table(made, "expected");
    double worst = expected && expected->rows ? 0 : NAN;
    for (int64_t i = 0; expected && i < expected->rows; i++) {
        double half = cell_of(expected, i, "half_width"), ranks = cell_of(expected, i, "ranks"), here = isnan(half) ? ranks : half;
        worst = isnan(here) || isnan(worst) ? NAN : fmax(worst, here);
    }
    return worst;
}

/* Does this much of the promise reach the accuracy? */
static Status reaches(Planner *p, int64_t row, double amount, double within, bool *out) {
    Status status = OK;
    Result *made = NULL;
    TRY(try_release(p, row, promises[p->currency], amount, &made));
    double worst = worst_error(made);
    if (isnan(worst)) {
        fail(p->run->work.error, BAD, "planned release %lld: its error cannot be predicted, so no budget can be found for it",
             (long long)row + 1);
        TRY(error_advice(p->run->work.error, "Leave `within` empty there, and state the guarantee."));
    }
    *out = worst <= within;
done:
    result_free(made);
    return status;
}

/* The smallest amount with four digits, rounded up: errors fall as the promise grows. */
static Status smallest_amount(Planner *p, int64_t row, double within, double *out) {
    Status status = OK;
    double low = 1e-9, high = 1;
    bool enough = false;
    if (!(within > 0)) TRY(fail(p->run->work.error, BAD, "planned release %lld: within must be above 0", (long long)row + 1));
    TRY(reaches(p, row, high, within, &enough));
    while (!enough && high < 900) {
        low = high;
        high = fmin(high * 4, 900);
        TRY(reaches(p, row, high, within, &enough));
    }
    if (!enough) TRY(fail(p->run->work.error, BAD, "planned release %lld: no guarantee reaches this accuracy", (long long)row + 1));
    for (int turn = 0; turn < 40 && high / low > 1.0001; turn++) {
        double middle = sqrt(low * high);
        TRY(reaches(p, row, middle, within, &enough));
        if (enough) high = middle;
        else low = middle;
    }
    double places = 3 - floor(log10(high)), digits = ceil(high * pow(10, places) * (1 - 1e-12));
    *out = places >= 0 ? digits / pow(10, places) : digits * pow(10, -places); /* the decimal itself: 0.2996 */
done:
    return status;
}

/* A request that stands in an earlier row is answered from the ledger. */
static Status is_repeated(Planner *p, const Result *made, bool *out) {
    const Value *hash = result_find(made, "request_hash");
    if (!hash) return fail(p->run->work.error, FAILED, "a planned release cannot be told from others");
    for (int64_t i = 0; i < p->seen_count; i++)
        if ((*out = !strcmp(p->seen[i], hash->text))) return OK;
    p->seen[p->seen_count] = arena_text(p->run->work.arena, hash->text);
    return p->seen[p->seen_count++] ? OK : out_of_memory(p->run->work.error);
}

static Status add_release(Planner *p, int64_t row) {
    Status status = OK;
    Result *made = NULL;
    double within = p->within && !column_missing(p->within, row) ? column_number(p->within, row) : NAN, amount = NAN, price, delta = 0;
    const char *promise = NULL;
    int64_t units, delta_units;
    static const char *const any[] = { "epsilon", "zcdp", "gdp", "auc", "noncentrality", "identifiability", NULL };
    bool given = false, again = false;
    for (int i = 0; any[i]; i++) {
        const Column *column = table_column(p->a->releases, any[i]);
        given |= column && !column_missing(column, row);
        if (column && !column_missing(column, row)) promise = any[i];
    }
    if (!given && !isnan(within)) {
        promise = promises[p->currency];
        TRY(smallest_amount(p, row, within, &amount));
    } else if (given && column_numeric(table_column(p->a->releases, promise)))
        amount = column_number(table_column(p->a->releases, promise), row);
    TRY(try_release(p, row, given ? NULL : promise, amount, &made));
    const Value *cost = result_find(made, "cost"), *cost_delta = result_find(made, "cost_delta");
    if (!cost || !read_real(cost->text, cost->text + strlen(cost->text), '.', &price))
        TRY(fail(p->run->work.error, FAILED, "the price of a planned release cannot be read"));
    if (cost_delta) delta = cost_delta->real;
    TRY(ledger_units(price, &units, p->run->work.error));
    TRY(ledger_delta(delta, &delta_units, p->run->work.error));
    TRY(is_repeated(p, made, &again));
    if (again) delta = 0;
    else p->units += units, p->delta += delta_units;
    const Table *expected = result_find_table(made, "expected");
    for (int64_t i = 0; expected && i < expected->rows; i++) {
        char cell[33];
        grid_integer(p->grid, row + 1);
        grid_text(p->grid, column_cell(table_column(expected, "query"), i, cell));
        grid_text(p->grid, promise);
        grid_real(p->grid, amount);
        grid_text(p->grid, again ? "0" : cost->text);
        grid_real(p->grid, delta);
        grid_real(p->grid, cell_of(expected, i, "half_width"));
        grid_real(p->grid, cell_of(expected, i, "ranks"));
        grid_real(p->grid, within);
    }
done:
    result_free(made);
    return status;
}

/* The first release binds a ledger: what the others say of it must be the same. `otherwise`: what an empty cell means. */
static Status need_one(Planner *p, const char *name, const char *otherwise) {
    const Table *plan = p->a->releases;
    char first[33], here[33];
    for (int64_t j = 0; j < plan->columns; j++) {
        const Param *param = method_param(p->method, plan->column[j]->name);
        for (int64_t row = 1; param && param_is(param, name) && row < plan->rows; row++) {
            const char *one = column_cell(plan->column[j], 0, first), *two = column_cell(plan->column[j], row, here);
            if (!strcmp(one ? one : otherwise, two ? two : otherwise)) continue;
            fail(p->run->work.error, REFUSED, "the planned releases 1 and %lld differ, and the first one binds the ledger",
                 (long long)row + 1);
            error_advice(p->run->work.error,
                         "A ledger belongs to one schema, one neighbouring relation and one definition of a person. State "
                         "the relation with `scrim ledger create --unit`, or plan such releases with a ledger each.");
            return error_column(p->run->work.error, plan->column[j]->name);
        }
    }
    return OK;
}

/* A ledger that says its unit converts the others into it. */
static Status need_one_binding(Planner *p, const LedgerEntries *state) {
    Status status = OK;
    TRY(need_one(p, "schema", ""));
    TRY(need_one(p, "person", ""));
    TRY(need_one(p, "max_records", "1"));
    if (!state->unit) TRY(need_one(p, "unit", "replace-one"));
done:
    return status;
}

static Status plan(Run *run, const void *args) {
    Status status = OK;
    Planner p = { .run = run, .a = args };
    Ledger *ledger = NULL;
    LedgerEntries state = { 0 };
    char text[33];
    TRY(work_files(&run->work));
    TRY(ledger_open(p.a->ledger, &ledger, run->work.error));
    TRY(ledger_state(ledger, &state, run->work.error));
    TRY(method_need("release.query", &p.method, run->work.error));
    p.currency = ledger_currency(ledger);
    p.within = table_column(p.a->releases, "within");
    if (p.within && !column_numeric(p.within)) TRY(fail(run->work.error, BAD, "the column 'within' must hold numbers"));
    TRY(need_one_binding(&p, &state));
    NEW(&run->work, p.seen, p.a->releases->rows + 1);
    p.grid = grid_new(run->result, "releases", RELEASES);
    for (int64_t row = 0; row < p.a->releases->rows; row++) {
        TRY(work_check(&run->work));
        TRY(add_release(&p, row));
    }
    grid_done(p.grid);
    bool enough = p.units <= state.budget - state.spent && p.delta <= state.delta_budget - state.delta_spent;
    result_text(run->result, "cost", units_text(p.units, text));
    result_real(run->result, "delta", (double)p.delta / LEDGER_DELTA);
    result_text(run->result, "left", units_text(state.budget - state.spent, text));
    result_text(run->result, "left_after", units_text(state.budget - state.spent - p.units, text));
    result_text(run->result, "enough", enough ? "yes" : "no");
    result_text(run->result, "currency", p.currency == CURRENCY_GDP ? "gdp (squared)" : currency_name(p.currency));
    result_note(run->result,
                "Nothing was released or charged, and no cell of the table was read. A release that was charged before costs nothing, "
                "and neither does a row that repeats an earlier one.");
done:
    ledger_entries_free(&state);
    ledger_close(ledger);
    return status;
}

const Method ledger_plan_verb = {
    .group = "ledger",
    .name = "plan",
    .summary = "Plan releases: their joint charge and accuracy, or the smallest budget for wanted accuracies",
    .params = params,
    .size = sizeof(plan_args),
    .run = plan,
    .values = values,
    .example = "scrim ledger plan clinic.ledger examples/clinic.csv --releases examples/planned-releases.csv",
};
