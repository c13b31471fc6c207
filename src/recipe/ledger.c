/* scrim ledger create, show, head, verify. */
#include "ledger/ledger.h"
#include <string.h>
#include "base/elementary.h"
#include "base/number.h"
#include "math/privacy/compose.h"
#include "recipe/ledger_total.h"
#include "recipe/verbs.h"

typedef struct {
    const char *ledger, *budget, *name;
    unsigned unit;
    Pairs analysts;
} create_args;
static const Param create_params[] = {
    TEXT(create_args, ledger, NULL, "Where it is kept: a file, or postgresql://…", .flags = REQUIRED | POSITIONAL | SECRET),
    TEXT(create_args, budget, NULL,
         "The whole budget: epsilon=1, zcdp=0.5, gdp=1, noncentrality=0.1 or privacy-loss=1; with ,delta=1e-6 where a δ may be spent",
         .flags = REQUIRED),
    CHOICE(create_args, unit, "first-release", "One person: replaced by another, or added and removed; else as the first release has it",
           WORDS("first-release", "replace-one", "add-remove")),
    TEXT(create_args, name, NULL, "What the data set is called; else the name of the first release's input"),
    PAIRS(create_args, analysts, 1, "Budgets of single analysts within it, name:amount; whoever is not listed has none"),
    END,
};

static Status bad_budget(Error *error) {
    fail(error, BAD,
         "expects epsilon=AMOUNT, zcdp=AMOUNT, gdp=AMOUNT, noncentrality=AMOUNT or privacy-loss=AMOUNT, and ,delta=AMOUNT behind it if "
         "need be");
    return error_parameter(error, "budget");
}

/* The largest ρ that is (ε, δ/2)-differentially private: what a budget of privacy loss lets through, whatever is asked after what. The
 * other half of δ is for thresholds. */
static double loss_zcdp(double epsilon, double delta) {
    double low = 0, high = epsilon + 1;
    for (int turn = 0; turn < 200; turn++) {
        double middle = (low + high) / 2;
        if (zcdp_epsilon(middle, delta / 2) <= epsilon) low = middle;
        else high = middle;
    }
    return low;
}

/* In units of what the currency adds up: μ² for gdp, ρ for privacy loss. */
static Status amount_units(Currency currency, double amount, double delta, int64_t *units, Error *error) {
    double added = currency == CURRENCY_GDP                   ? amount * amount
                   : currency == CURRENCY_LOSS && amount >= 0 ? loss_zcdp(amount, delta)
                                                              : amount;
    return ledger_units(currency == CURRENCY_LOSS ? floor(added * LEDGER_UNIT) / LEDGER_UNIT : added, units, error);
}

static Status read_budget(const char *text, LedgerBudget *out, double *delta, Error *error) {
    const char *equals = strchr(text, '='), *comma = strchr(text, ','), *end = comma ? comma : text + strlen(text);
    double amount;
    *delta = 0;
    if (comma && (strncmp(comma, ",delta=", 7) || !read_real(comma + 7, comma + strlen(comma), '.', delta) || !(*delta >= 0 && *delta < 1)))
        return bad_budget(error);
    if (!equals || equals > end || !read_real(equals + 1, end, '.', &amount)) return bad_budget(error);
    for (out->currency = CURRENCY_EPSILON; out->currency < CURRENCIES; out->currency++) {
        const char *name = currency_name(out->currency);
        if (strncmp(text, name, (size_t)(equals - text)) || strlen(name) != (size_t)(equals - text)) continue;
        if (out->currency == CURRENCY_LOSS && !(*delta > 0)) {
            fail(error, BAD, "privacy-loss needs a delta: privacy-loss=1,delta=1e-6");
            return error_parameter(error, "budget");
        }
        Status status = ledger_delta(out->currency == CURRENCY_LOSS ? *delta / 2 : *delta, &out->delta, error);
        return status ? status : amount_units(out->currency, amount, *delta, &out->units, error);
    }
    return bad_budget(error);
}

static Status create(Run *run, const void *p) {
    const create_args *a = p;
    Status status = OK;
    LedgerBudget budget = { .name = a->name, .unit = a->unit ? create_params[2].words[a->unit] : NULL };
    AnalystBudget *own = NULL;
    double delta;
    TRY(read_budget(a->budget, &budget, &delta, run->work.error));
    NEW(&run->work, own, a->analysts.count + 1);
    for (int64_t i = 0; i < a->analysts.count; i++) {
        own[i].name = a->analysts.at[i].name;
        TRY(amount_units(budget.currency, a->analysts.at[i].number[0], delta, &own[i].units, run->work.error));
    }
    TRY(work_files(&run->work));
    TRY(ledger_make(a->ledger, &budget, own, a->analysts.count, run->work.error));
    result_text(run->result, "currency", currency_name(budget.currency));
    result_text(run->result, "budget", strchr(a->budget, '=') + 1);
    if (budget.currency == CURRENCY_LOSS) {
        char rho[40];
        result_note(run->result,
                    "Spending is limited by ρ = %s of zero-concentrated differential privacy, which implies the budget however queries are "
                    "chosen after answers; half of δ is kept for thresholds.",
                    real_short((double)budget.units / LEDGER_UNIT, 8, rho));
    }
done:
    return status;
}

const Method ledger_create_verb = {
    .group = "ledger",
    .name = "create",
    .summary = "Make a ledger with a budget",
    .params = create_params,
    .size = sizeof(create_args),
    .run = create,
    .values = (const Return[]){ VALUE(currency, TEXT, "What the budget is counted in"), VALUE(budget, TEXT, "The whole budget"), END },
    .example = "scrim ledger create clinic.ledger --budget epsilon=1",
};

/* Amounts as they were asked for: gdp is kept squared. */
static const char *amount_text(Currency currency, int64_t units, char out[33]) {
    if (currency != CURRENCY_GDP) return units_text(units, out);
    return real_short(sqrt(fmax((double)units, 0) / LEDGER_UNIT), 8, out);
}

typedef struct {
    const char *ledger;
    double delta;
    bool brief;
} show_args;
static const Param show_params[] = {
    TEXT(show_args, ledger, NULL, "Where it is kept: a file, or postgresql://…", .flags = REQUIRED | POSITIONAL | SECRET),
    REAL(show_args, delta, 1e-6, 0, 1, "δ at which the ε of everything together is told", .flags = EXCLUSIVE),
    FLAG(show_args, brief,
         "Budgets alone: neither the debits nor what all of them promise together, which takes long where there are many"),
    END,
};

static void show_debits(Run *run, Currency currency, const LedgerEntries *entries) {
    char text[33];
    Grid *grid =
        grid_new(run->result, "debits", "entry:integer at:text analyst:text request:text cost:text delta:real unit:text query:text");
    for (int64_t i = 0; i < entries->count; i++) {
        const LedgerEntry *e = &entries->entry[i];
        if (strcmp(e->kind, "debit")) continue;
        grid_integer(grid, e->number);
        grid_text(grid, e->at);
        grid_text(grid, e->analyst);
        grid_text(grid, e->request);
        grid_text(grid, amount_text(currency, e->units, text));
        grid_real(grid, (double)e->delta / LEDGER_DELTA);
        grid_text(grid, e->unit);
        grid_text(grid, e->query);
    }
    grid_done(grid);
}

/* Budgets of single analysts, where there are such: each with what it has left, which the data set's may still cut short. */
static void show_analysts(Run *run, Currency currency, const LedgerEntries *entries) {
    char text[33];
    Grid *grid = NULL;
    for (int64_t i = 0; i < entries->count; i++) {
        const LedgerEntry *own = &entries->entry[i];
        int64_t spent = 0;
        if (strcmp(own->kind, "analyst")) continue;
        for (int64_t j = 0; j < entries->count; j++) {
            const LedgerEntry *e = &entries->entry[j];
            if (!strcmp(e->kind, "debit") && same_text(e->analyst, own->analyst)) spent += e->units;
        }
        if (!grid) grid = grid_new(run->result, "analysts", "analyst:text budget:text spent:text left:text");
        grid_text(grid, own->analyst);
        grid_text(grid, amount_text(currency, own->units, text));
        grid_text(grid, amount_text(currency, spent, text));
        grid_text(grid, amount_text(currency, own->units - spent, text));
    }
    if (grid) grid_done(grid);
}

static Status show(Run *run, const void *p) {
    const show_args *a = p;
    Status status = OK;
    Ledger *ledger = NULL;
    LedgerEntries entries = { 0 };
    char text[33];
    TRY(work_files(&run->work));
    TRY(ledger_open(a->ledger, &ledger, run->work.error));
    TRY(ledger_entries(ledger, &entries, run->work.error));
    Currency currency = ledger_currency(ledger);
    result_text(run->result, "currency", currency_name(currency));
    result_text(run->result, "budget", amount_text(currency, entries.budget, text));
    result_text(run->result, "spent", amount_text(currency, entries.spent, text));
    result_text(run->result, "left", amount_text(currency, entries.budget - entries.spent, text));
    result_real(run->result, "delta_budget", (double)entries.delta_budget / LEDGER_DELTA);
    result_real(run->result, "delta_spent", (double)entries.delta_spent / LEDGER_DELTA);
    if (entries.name) result_text(run->result, "name", entries.name);
    if (entries.unit) result_text(run->result, "unit", entries.unit);
    if (currency == CURRENCY_LOSS)
        result_note(run->result, "The budget of privacy loss is counted in ρ: the zCDP bound is the filter that holds for queries chosen "
                                 "after answers; the exact ε below is what was spent if they were not.");
    if (currency == CURRENCY_GDP) result_note(run->result, "μ adds up by squares: budget, spent and left are the roots of what is kept.");
    show_analysts(run, currency, &entries);
    if (a->brief) goto done;
    TRY(ledger_total(run, &entries, a->delta));
    show_debits(run, currency, &entries);
done:
    ledger_entries_free(&entries);
    ledger_close(ledger);
    return status;
}

const Method ledger_show_verb = {
    .group = "ledger",
    .name = "show",
    .summary = "What a ledger holds: budget, spent, left, every debit, and what all of them promise together",
    .params = show_params,
    .size = sizeof(show_args),
    .run = show,
    .values =
        (const Return[]){ VALUE(currency, TEXT, "What the budget is counted in"), VALUE(budget, TEXT, "The whole budget"),
                          VALUE(spent, TEXT, "Debited so far"), VALUE(left, TEXT, "What is left"),
                          VALUE(delta_budget, REAL, "The budget of δ"), VALUE(delta_spent, REAL, "δ debited so far"),
                          VALUE(name, TEXT, "The data set that the ledger is bound to"), VALUE(unit, TEXT, "What a neighbour is"),
                          LEDGER_TOTALS,
                          TABLE_OUT(analysts, "analyst:text budget:text spent:text left:text",
                                    "Each analyst who has a budget: it, and what is left of it"),
                          TABLE_OUT(debits, "entry:integer at:text analyst:text request:text cost:text delta:real unit:text query:text",
                                    "Every debit, in order"),
                          END },
    .example = "scrim ledger show clinic.ledger",
};

typedef struct {
    const char *ledger;
} open_args;
static const Param open_params[] = {
    TEXT(open_args, ledger, NULL, "Where it is kept: a file, or postgresql://…", .flags = REQUIRED | POSITIONAL | SECRET),
    END,
};

static Status head(Run *run, const void *p) {
    const open_args *a = p;
    Status status = OK;
    Ledger *ledger = NULL;
    int64_t entry;
    char hash[65];
    TRY(work_files(&run->work));
    TRY(ledger_open(a->ledger, &ledger, run->work.error));
    TRY(ledger_head(ledger, &entry, hash, run->work.error));
    result_integer(run->result, "entry", entry);
    result_text(run->result, "head", hash);
    result_note(run->result,
                "Keep this elsewhere: `scrim ledger verify --head` then sees whether the ledger was cut short or rolled back.");
done:
    ledger_close(ledger);
    return status;
}

const Method ledger_head_verb = {
    .group = "ledger",
    .name = "head",
    .summary = "The hash at the end of a ledger, to keep elsewhere",
    .params = open_params,
    .size = sizeof(open_args),
    .run = head,
    .values = (const Return[]){ VALUE(entry, INTEGER, "The last entry"), VALUE(head, TEXT, "Its hash, over all before it"), END },
    .example = "scrim ledger head clinic.ledger",
};

typedef struct {
    const char *ledger, *head;
} verify_args;
static const Param verify_params[] = {
    TEXT(verify_args, ledger, NULL, "Where it is kept: a file, or postgresql://…", .flags = REQUIRED | POSITIONAL | SECRET),
    TEXT(verify_args, head, NULL, "A hash that `scrim ledger head` printed: it must be that of an entry that is still there"),
    END,
};

static Status verify(Run *run, const void *p) {
    const verify_args *a = p;
    Status status = OK;
    Ledger *ledger = NULL;
    int64_t entries = 0;
    TRY(work_files(&run->work));
    TRY(ledger_open(a->ledger, &ledger, run->work.error));
    TRY(ledger_verify(ledger, a->head, &entries, run->work.error));
    result_integer(run->result, "entries", entries);
    result_note(run->result, a->head
                                 ? "Every entry is there and unaltered, that of the kept hash among them: nothing up to it was cut off."
                                 : "Every entry is unaltered: the chain of hashes holds. Only --head shows that none was cut off its end.");
done:
    ledger_close(ledger);
    return status;
}

const Method ledger_verify_verb = {
    .group = "ledger",
    .name = "verify",
    .summary = "Check that no entry of a ledger was lost or altered",
    .params = verify_params,
    .size = sizeof(verify_args),
    .run = verify,
    .values = (const Return[]){ VALUE(entries, INTEGER, "Entries checked"), END },
    .example = "scrim ledger verify clinic.ledger",
};
