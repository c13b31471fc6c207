/* scrim ledger create, account, bind, show. */
#include "ledger/ledger.h"
#include <string.h>
#include "base/elementary.h"
#include "base/number_text.h"
#include "math/privacy/compose.h"
#include "verb/ledger_total.h"
#include "verb/verbs.h"

typedef struct {
    const char *ledger, *budget, *name, *person;
    unsigned unit;
    int64_t max_records;
    Pairs analysts, accounts;
} create_args;
static const Param create_params[] = {
    TEXT(create_args, ledger, NULL, "Place of the ledger: a file, or postgresql://…", .flags = REQUIRED | POSITIONAL | SECRET),
    TEXT(create_args, budget, NULL,
         "The whole budget: epsilon=1, zcdp=0.5, gdp=1, noncentrality=0.1 or privacy-loss=1; with ,delta=1e-6 if a δ may be spent",
         .flags = REQUIRED),
    CHOICE(create_args, unit, "first-release",
           "Neighbouring relation: replace-one (one person is replaced by another), add-remove (one person is added or removed), or that "
           "of the first release",
           WORDS("first-release", "replace-one", "add-remove")),
    TEXT(create_args, person, NULL, "Column that identifies the person who is protected (default: as in the first release)"),
    INT(create_args, max_records, 1, 1, 1000000, "Records of one person that count in a release"),
    ONLY_WITH("max_records", "person"),
    TEXT(create_args, name, NULL, "Name of the data set (default: name of the first release's input)"),
    PAIRS(create_args, analysts, 1, "Budgets of analysts within the whole budget, name:amount. An analyst who is not listed has none"),
    PAIRS(create_args, accounts, 1, "Budgets of projects within the whole budget, name:amount. A release then names the account that pays"),
    END,
};

static Status bad_budget(Error *error) {
    fail(error, BAD,
         "expects epsilon=AMOUNT, zcdp=AMOUNT, gdp=AMOUNT, noncentrality=AMOUNT or privacy-loss=AMOUNT, optionally followed by "
         ",delta=AMOUNT");
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

/* Budgets within the budget, each under a name of its own. */
static Status own_budgets(Work *work, const Pairs *list, Currency currency, double delta, const char *parameter, AnalystBudget **out) {
    Status status = OK;
    NEW(work, *out, list->count + 1);
    for (int64_t i = 0; i < list->count; i++) {
        (*out)[i].name = list->at[i].name;
        TRY(amount_units(currency, list->at[i].number[0], delta, &(*out)[i].units, work->error));
        for (int64_t j = 0; j < i; j++)
            if (!strcmp(list->at[i].name, list->at[j].name)) TRY(fail(work->error, BAD, "names '%s' twice", list->at[i].name));
    }
done:
    if (status) error_parameter(work->error, parameter);
    return status;
}

static Status create(Run *run, const void *p) {
    const create_args *a = p;
    Status status = OK;
    LedgerBudget budget = { .name = a->name, .unit = a->unit ? create_params[2].words[a->unit] : NULL, .accounts = a->accounts.count };
    AnalystBudget *own = NULL, *accounts = NULL;
    char person[160];
    double delta;
    TRY(read_budget(a->budget, &budget, &delta, run->work.error));
    TRY(own_budgets(&run->work, &a->analysts, budget.currency, delta, "analysts", &own));
    TRY(own_budgets(&run->work, &a->accounts, budget.currency, delta, "accounts", &accounts));
    if (a->person) budget.person = ledger_person(a->person, a->max_records, person);
    budget.account = accounts;
    TRY(work_files(&run->work));
    TRY(ledger_make(a->ledger, &budget, own, a->analysts.count, run->work.error));
    result_text(run->result, "currency", currency_name(budget.currency));
    result_text(run->result, "budget", strchr(a->budget, '=') + 1);
    if (budget.currency == CURRENCY_LOSS) {
        char rho[40];
        result_note(run->result,
                    "Spending is limited by ρ = %s of zero-concentrated differential privacy. This implies the budget even if queries are "
                    "chosen after earlier answers. Half of δ is reserved for thresholds.",
                    real_short((double)budget.units / LEDGER_UNIT, 8, rho));
    }
done:
    return status;
}

const Method ledger_create_verb = {
    .group = "ledger",
    .name = "create",
    .summary = "Create a privacy-loss ledger with a budget",
    .params = create_params,
    .size = sizeof(create_args),
    .run = create,
    .values = (const Return[]){ VALUE(currency, TEXT, "Unit of the budget"), VALUE(budget, TEXT, "The whole budget"), END },
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
    TEXT(show_args, ledger, NULL, "Place of the ledger: a file, or postgresql://…", .flags = REQUIRED | POSITIONAL | SECRET),
    REAL(show_args, delta, 1e-6, 0, 1, "δ at which the ε of all charges together is reported", .flags = EXCLUSIVE),
    FLAG(show_args, brief, "Show budgets only, without the charges and their joint guarantee, which takes long if there are many"),
    END,
};

#define DEBITS                                                                                                                             \
    "entry:integer at:text analyst:text account:text request:text cost:text delta:real unit:text neighbours:text person:text "             \
    "steward:text query:text"
static void show_debits(Run *run, Currency currency, const LedgerEntries *entries) {
    char text[33];
    Grid *grid = grid_new(run->result, "debits", DEBITS);
    for (int64_t i = 0; i < entries->count; i++) {
        const LedgerEntry *e = &entries->entry[i];
        if (strcmp(e->kind, "debit")) continue;
        grid_integer(grid, e->number);
        grid_text(grid, e->at);
        grid_text(grid, e->analyst);
        grid_text(grid, e->account);
        grid_text(grid, e->request);
        grid_text(grid, amount_text(currency, e->units, text));
        grid_real(grid, (double)e->delta / LEDGER_DELTA);
        grid_text(grid, e->unit);
        grid_text(grid, e->neighbours);
        grid_text(grid, e->person);
        grid_text(grid, e->detail && strstr(e->detail, "\"steward\":true") ? "yes" : NULL);
        grid_text(grid, e->query);
    }
    grid_done(grid);
}

/* Budgets of analysts, or of accounts, where there are such: each with what it has left, which the data set's may still cut short. */
static Status show_own(Run *run, Ledger *ledger, const LedgerEntries *entries, const char *kind, const char *table, const char *columns) {
    Status status = OK;
    Currency currency = ledger_currency(ledger);
    char text[33];
    Grid *grid = NULL;
    for (int64_t i = 0; i < entries->count; i++) {
        const LedgerEntry *own = &entries->entry[i];
        const char *name = own->analyst ? own->analyst : own->account;
        int64_t spent;
        if (strcmp(own->kind, kind)) continue;
        TRY(ledger_spent_by(ledger, kind, name, &spent, run->work.error));
        if (!grid) grid = grid_new(run->result, table, columns);
        grid_text(grid, name);
        grid_text(grid, amount_text(currency, own->units, text));
        grid_text(grid, amount_text(currency, spent, text));
        grid_text(grid, amount_text(currency, own->units - spent, text));
    }
done:
    if (grid) grid_done(grid);
    return status;
}

static void show_versions(Run *run, const LedgerEntries *entries) {
    Grid *grid = grid_new(run->result, "versions", "entry:integer at:text name:text schema:text");
    for (int64_t i = 0; i < entries->count; i++) {
        const LedgerEntry *e = &entries->entry[i];
        if (strcmp(e->kind, "bind")) continue;
        grid_integer(grid, e->number);
        grid_text(grid, e->at);
        grid_text(grid, e->query);
        grid_text(grid, e->detail);
    }
    grid_done(grid);
}

static void show_budget(Run *run, Currency currency, const LedgerEntries *entries) {
    char text[33];
    result_text(run->result, "currency", currency_name(currency));
    result_text(run->result, "budget", amount_text(currency, entries->budget, text));
    result_text(run->result, "spent", amount_text(currency, entries->spent, text));
    result_text(run->result, "left", amount_text(currency, entries->budget - entries->spent, text));
    result_real(run->result, "delta_budget", (double)entries->delta_budget / LEDGER_DELTA);
    result_real(run->result, "delta_spent", (double)entries->delta_spent / LEDGER_DELTA);
    if (entries->name) result_text(run->result, "name", entries->name);
    if (entries->unit) result_text(run->result, "unit", entries->unit);
    if (entries->person) result_text(run->result, "person", entries->person);
    if (currency == CURRENCY_LOSS)
        result_note(run->result, "The privacy-loss budget is kept in ρ, because the zCDP bound holds for queries that are chosen after "
                                 "earlier answers. The exact ε below is the privacy loss if they were not.");
    if (currency == CURRENCY_GDP)
        result_note(run->result, "μ adds up by squares. Budget, spent and left are square roots of the recorded amounts.");
}

static Status show(Run *run, const void *p) {
    const show_args *a = p;
    Status status = OK;
    Ledger *ledger = NULL;
    LedgerEntries entries = { 0 };
    TRY(work_files(&run->work));
    TRY(ledger_open(a->ledger, &ledger, run->work.error));
    TRY(a->brief ? ledger_state(ledger, &entries, run->work.error) : ledger_entries(ledger, &entries, run->work.error));
    Currency currency = ledger_currency(ledger);
    show_budget(run, currency, &entries);
    TRY(show_own(run, ledger, &entries, "analyst", "analysts", "analyst:text budget:text spent:text left:text"));
    TRY(show_own(run, ledger, &entries, "account", "accounts", "account:text budget:text spent:text left:text"));
    if (a->brief) goto done;
    show_versions(run, &entries);
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
    .summary = "Show a ledger: budget, charges, remaining budget, and the joint guarantee of all charges",
    .params = show_params,
    .size = sizeof(show_args),
    .run = show,
    .values =
        (const Return[]){
            VALUE(currency, TEXT, "Unit of the budget"), VALUE(budget, TEXT, "The whole budget"), VALUE(spent, TEXT, "Charged so far"),
            VALUE(left, TEXT, "Remaining budget"), VALUE(delta_budget, REAL, "Budget of δ"), VALUE(delta_spent, REAL, "δ charged so far"),
            VALUE(name, TEXT, "Data set that the ledger is bound to"), VALUE(unit, TEXT, "Neighbouring relation"),
            VALUE(person, TEXT, "Who is protected: a record, or a person (by a column, with a number of records)"), LEDGER_TOTALS,
            TABLE_OUT(analysts, "analyst:text budget:text spent:text left:text", "Budget and remaining budget of each analyst"),
            TABLE_OUT(accounts, "account:text budget:text spent:text left:text", "Budget and remaining budget of each project"),
            TABLE_OUT(versions, "entry:integer at:text name:text schema:text",
                      "Files that the ledger is bound to: the first, and each later version"),
            TABLE_OUT(debits, DEBITS, "Every charge, in order. `steward` = the answer was for the data custodian only"), END },
    .example = "scrim ledger show clinic.ledger",
};

typedef struct {
    const char *ledger, *name;
    double budget;
} account_args;
static const Param account_params[] = {
    TEXT(account_args, ledger, NULL, "Place of the ledger: a file, or postgresql://…", .flags = REQUIRED | POSITIONAL | SECRET),
    TEXT(account_args, name, NULL, "Name of the account", .flags = REQUIRED | POSITIONAL),
    REAL(account_args, budget, NAN, 0, 9e6, "Its budget, in the ledger's unit, within that of the data set", .flags = REQUIRED),
    END,
};

/* A privacy-loss account is counted in ρ as the ledger is, by the ledger's own δ. */
static Status open_account(Run *run, const void *p) {
    const account_args *a = p;
    Status status = OK;
    Ledger *ledger = NULL;
    LedgerEntries state = { 0 };
    int64_t units;
    TRY(work_files(&run->work));
    TRY(ledger_open(a->ledger, &ledger, run->work.error));
    TRY(ledger_state(ledger, &state, run->work.error));
    TRY(amount_units(ledger_currency(ledger), a->budget, 2 * (double)state.delta_budget / LEDGER_DELTA, &units, run->work.error));
    TRY(ledger_open_account(ledger, a->name, units, run->work.error));
    result_text(run->result, "account", a->name);
    result_real(run->result, "budget", a->budget);
    result_note(run->result, "From now on every release must name an account that pays for it.");
done:
    ledger_entries_free(&state);
    ledger_close(ledger);
    return status;
}

const Method ledger_account_verb = {
    .group = "ledger",
    .name = "account",
    .summary = "Open an account: the budget of a project within the budget of the data set",
    .params = account_params,
    .size = sizeof(account_args),
    .run = open_account,
    .values = (const Return[]){ VALUE(account, TEXT, "The account"), VALUE(budget, REAL, "Its budget"), END },
    .example = "scrim ledger account clinic.ledger census --budget 0.3",
};

typedef struct {
    const char *ledger;
    const Table *data;
    const Schema *schema;
} bind_args;
static const Param bind_params[] = {
    TEXT(bind_args, ledger, NULL, "Place of the ledger: a file, or postgresql://…", .flags = REQUIRED | POSITIONAL | SECRET),
    TABLE(bind_args, data, "The new version of the data, or a table derived from them", .flags = REQUIRED | POSITIONAL),
    SCHEMA(bind_args, schema, data, "Schema with which it will be read, if releases use one"),
    END,
};

static Status bind_version(Run *run, const void *p) {
    const bind_args *a = p;
    Status status = OK;
    Ledger *ledger = NULL;
    char data[65], person[160];
    LedgerRequest version = { .data = data, .name = a->data->name, .schema = a->schema ? a->schema->hash : NULL };
    TRY(work_files(&run->work));
    TRY(ledger_open(a->ledger, &ledger, run->work.error));
    TRY(ledger_print(&run->work, ledger, a->data, data));
    if (a->schema) {
        version.unit = a->schema->unit == SCHEMA_ADD_REMOVE ? "add-remove" : a->schema->unit == SCHEMA_REPLACE_ONE ? "replace-one" : NULL;
        version.person = ledger_person(a->schema->person, a->schema->person ? a->schema->max_records : 1, person);
    }
    TRY(ledger_bind(ledger, &version, run->work.error));
    result_text(run->result, "name", a->data->name);
    result_note(run->result, "Releases of it are charged to the same budget. Charges add up over all versions.");
done:
    ledger_close(ledger);
    return status;
}

const Method ledger_bind_verb = {
    .group = "ledger",
    .name = "bind",
    .summary = "Register a file as a new version of a ledger's data set, or as a table derived from it",
    .params = bind_params,
    .size = sizeof(bind_args),
    .run = bind_version,
    .values = (const Return[]){ VALUE(name, TEXT, "The file"), END },
    .example = "scrim ledger bind clinic.ledger examples/clinic.csv",
};
