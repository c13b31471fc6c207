/* scrim ledger create, show, verify. */
#include "ledger/ledger.h"
#include <string.h>
#include "base/number.h"
#include "recipe/verbs.h"

typedef struct { const char *ledger, *budget; Pairs analysts; } create_args;
static const Param create_params[] = {
    TEXT(create_args, ledger, NULL, "Where it is kept: a file, or postgresql://…", .flags = REQUIRED | POSITIONAL | SECRET),
    TEXT(create_args, budget, NULL, "The whole budget: epsilon=1, zcdp=0.5 or noncentrality=0.1", .flags = REQUIRED),
    PAIRS(create_args, analysts, 1, "Budgets of single analysts within it, name:amount"),
    END
};

static Status read_budget(const char *text, Currency *currency, int64_t *units, Error *error) {
    const char *equals = strchr(text, '=');
    double amount;
    for (*currency = CURRENCY_EPSILON; equals && *currency <= CURRENCY_NONCENTRALITY; (*currency)++) {
        const char *name = currency_name(*currency);
        if (strncmp(text, name, (size_t)(equals - text)) || strlen(name) != (size_t)(equals - text)) continue;
        if (!read_real(equals + 1, equals + strlen(equals), '.', &amount)) break;
        return ledger_units(amount, units, error);
    }
    fail(error, BAD, "expects epsilon=AMOUNT, zcdp=AMOUNT or noncentrality=AMOUNT");
    return error_parameter(error, "budget");
}

static Status create(Run *run, const void *p) {
    const create_args *a = p;
    Status status = OK;
    Currency currency;
    int64_t units;
    AnalystBudget *own = NULL;
    char text[33];
    TRY(read_budget(a->budget, &currency, &units, run->work.error));
    NEW(&run->work, own, a->analysts.count + 1);
    for (int64_t i = 0; i < a->analysts.count; i++) {
        own[i].name = a->analysts.at[i].name;
        TRY(ledger_units(a->analysts.at[i].number[0], &own[i].units, run->work.error));
    }
    TRY(ledger_create(a->ledger, currency, units, own, a->analysts.count, run->work.error));
    result_text(run->result, "currency", currency_name(currency));
    result_text(run->result, "budget", units_text(units, text));
done:
    return status;
}

const Method ledger_create_verb = {
    .group = "ledger", .name = "create", .summary = "Make a ledger with a budget", .params = create_params, .size = sizeof(create_args), .run = create,
    .values = (const Return[]){ VALUE(currency, TEXT, "What the budget is counted in"),
    VALUE(budget, TEXT, "The whole budget"), END },
    .example = "scrim ledger create clinic.ledger --budget epsilon=1"
};

typedef struct { const char *ledger; } open_args;
static const Param open_params[] = { TEXT(open_args, ledger, NULL, "Where it is kept: a file, or postgresql://…", .flags = REQUIRED | POSITIONAL | SECRET), END };

static Status show(Run *run, const void *p) {
    const open_args *a = p;
    Status status = OK;
    Ledger *ledger = NULL;
    LedgerEntries entries = { 0 };
    char text[33];
    TRY(ledger_open(a->ledger, &ledger, run->work.error));
    TRY(ledger_entries(ledger, &entries, run->work.error));
    result_text(run->result, "currency", currency_name(ledger_currency(ledger)));
    result_text(run->result, "budget", units_text(entries.budget, text));
    result_text(run->result, "spent", units_text(entries.spent, text));
    result_text(run->result, "left", units_text(entries.budget - entries.spent, text));
    Grid *grid = grid_new(run->result, "debits", "entry:integer at:text analyst:text request:text cost:text query:text");
    for (int64_t i = 0; i < entries.count; i++) {
        const LedgerEntry *e = &entries.entry[i];
        if (strcmp(e->kind, "debit")) continue;
        grid_integer(grid, e->number);
        grid_text(grid, e->at);
        grid_text(grid, e->analyst);
        grid_text(grid, e->request);
        grid_text(grid, units_text(e->units, text));
        grid_text(grid, e->query);
    }
    grid_done(grid);
done:
    ledger_entries_free(&entries);
    ledger_close(ledger);
    return status;
}

const Method ledger_show_verb = {
    .group = "ledger", .name = "show", .summary = "What a ledger holds: budget, spent, left, and every debit", .params = open_params, .size = sizeof(open_args), .run = show,
    .values = (const Return[]){ VALUE(currency, TEXT, "What the budget is counted in"),
    VALUE(budget, TEXT, "The whole budget"),
    VALUE(spent, TEXT, "Debited so far"),
    VALUE(left, TEXT, "What is left"),
    TABLE_OUT(debits, "entry:integer at:text analyst:text request:text cost:text query:text", "Every debit, in order"), END },
    .example = "scrim ledger show clinic.ledger"
};

static Status verify(Run *run, const void *p) {
    const open_args *a = p;
    Status status = OK;
    Ledger *ledger = NULL;
    int64_t entries = 0;
    TRY(ledger_open(a->ledger, &ledger, run->work.error));
    TRY(ledger_verify(ledger, &entries, run->work.error));
    result_integer(run->result, "entries", entries);
    result_note(run->result, "Every entry is there and unaltered: the chain of hashes holds.");
done:
    ledger_close(ledger);
    return status;
}

const Method ledger_verify_verb = {
    .group = "ledger", .name = "verify", .summary = "Check that no entry of a ledger was lost or altered", .params = open_params, .size = sizeof(open_args), .run = verify,
    .values = (const Return[]){ VALUE(entries, INTEGER, "Entries checked", .flags = PUBLIC), END }, .example = "scrim ledger verify clinic.ledger"
};
