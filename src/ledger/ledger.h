/* Privacy budgets: every release is debited here, durably, before its noise is drawn. SQLite files, or PostgreSQL. */
#ifndef SCRIM_LEDGER_LEDGER_H
#define SCRIM_LEDGER_LEDGER_H
#include "base/text.h"
#include "table/fingerprint.h"

/* One currency to a ledger; every promise is charged in it. Amounts are whole units of 10^-12. What is added up: ε; ρ; μ² of Gaussian
 * differential privacy; Σl of ROC privacy; and, for a budget of (ε, δ) kept by privacy loss, ρ again. Sums of each are filters: they hold
 * however later queries were chosen after earlier answers (Rogers et al. 2016; Feldman & Zrnic 2021; Smith & Thakurta 2022). δ is added up
 * beside them. */
typedef enum { CURRENCY_EPSILON, CURRENCY_ZCDP, CURRENCY_GDP, CURRENCY_NONCENTRALITY, CURRENCY_LOSS } Currency;
#define CURRENCIES 5
const char *currency_name(Currency currency); /* "epsilon", "zcdp", "gdp", "noncentrality", "privacy-loss" */
#define LEDGER_UNIT 1000000000000             /* units in 1 */
/* The shortest decimal that reads back equal, in units, rounded up: 0.1 costs exactly 0.1. BAD where negative, not finite or over nine
 * million. */
MUST_CHECK Status ledger_units(double amount, int64_t *units, Error *error);
const char *units_text(int64_t units, char out[33]);                        /* "0.1" */
#define LEDGER_DELTA 1000000000000000000                                    /* units of δ in 1 */
MUST_CHECK Status ledger_delta(double delta, int64_t *units, Error *error); /* rounded up; BAD where it is not from 0 to 1 */

typedef struct Ledger Ledger;
typedef struct AnalystBudget {
    const char *name;
    int64_t units;
} AnalystBudget;
typedef struct LedgerBudget {
    Currency currency;
    int64_t units, delta;         /* delta 0: nothing that has a δ of its own is let through */
    const char *unit;             /* "replace-one", "add-remove", or NULL: the first release says */
    const char *name;             /* of the data set, or NULL: likewise */
    const char *person;           /* who is protected (ledger_person), or NULL: likewise */
    const AnalystBudget *account; /* budgets of projects within this one; may be NULL */
    int64_t accounts;
} LedgerBudget;
/* A new ledger with all that can be said of it beforehand; else as ledger_create. */
MUST_CHECK Status ledger_make(const char *where, const LedgerBudget *budget, const AnalystBudget *analysts, int64_t count, Error *error);
/* A new ledger: a file that must not exist (mode 0600), or postgresql://… whose tables must not. */
MUST_CHECK Status ledger_create(const char *where, Currency currency, int64_t budget, const AnalystBudget *analysts, int64_t count,
                                Error *error);
MUST_CHECK Status ledger_open(const char *where, Ledger **out, Error *error);
void ledger_close(Ledger *ledger);
Currency ledger_currency(const Ledger *ledger);
const char *ledger_unit(const Ledger *ledger); /* what a neighbour is, or NULL where no release has said so yet */
/* What the tables hold, under the ledger's own secret key: anyone who sees it cannot try data out. A table is its names, its types, its number
 * of records and the sum of their prints (rows_print with ledger_row_key), so that it may come in parts. */
typedef struct Printed {
    const Table *table; /* names and types; NULL: there is none */
    int64_t rows;
    RowPrint print;
} Printed;
void ledger_row_key(const Ledger *ledger, unsigned char out[ROW_PRINT_KEY]);
void ledger_fingerprint(const Ledger *ledger, const Printed *tables, int64_t count, char out[65]);
/* The same of one table that is all there. */
MUST_CHECK Status ledger_print(Work *work, const Ledger *ledger, const Table *table, char out[65]);

/* Who is protected, as a ledger keeps it: "record", or "id, 5 records" for a person that column `id` names, with at most so many records.
 * `column` NULL with several records: persons whom no column names. */
const char *ledger_person(const char *column, int64_t records, char out[160]);

typedef struct LedgerRequest {
    const char *query;      /* what is asked, in words, for people */
    const char *identity;   /* what makes two requests the same: query, promise, parameters and data, in any fixed form */
    const char *request;    /* the caller's id of this request, or NULL */
    const char *analyst;    /* or NULL */
    const char *account;    /* the project that pays, or NULL */
    int64_t price;          /* units */
    int64_t delta;          /* units of δ */
    const char *detail;     /* what was released with what noise, as JSON, for composition later; or NULL */
    const char *data;       /* fingerprint of the data set; the first debit binds the ledger to it, to the schema, to the unit and to who is
                               protected, and what differs later is REFUSED. NULL: not said */
    const char *name;       /* what the data set is called, for people; or NULL */
    const char *schema;     /* the schema's hash; or NULL */
    const char *unit;       /* "replace-one", "add-remove"; or NULL */
    const char *person;     /* as ledger_person has it; or NULL */
    const char *neighbours; /* "global", "leave-one-out", "worlds": which tables the promise compares; or NULL */
    bool anew;              /* drawn again each time, and not kept as an answer */
} LedgerRequest;
typedef struct LedgerReceipt {
    int64_t entry;      /* the debit's number */
    bool charged;       /* false: it had been paid before */
    int64_t price;      /* units that were debited now: 0 where it had been paid before */
    char *answer;       /* the recorded answer (free() it), or NULL: draw one and record it */
    int64_t left;       /* units left after this: of the data set's budget, the account's and the analyst's the least */
    int64_t left_delta; /* of the data set */
} LedgerReceipt;
/* Debits, durable when this returns OK; or finds that the same request was paid. REFUSED, with nothing changed, where the budget does not
 * suffice; the message says what is left. BAD where a request id comes back with another query. It takes the same time however many entries
 * there are. Releases go through ledger_charge. */
MUST_CHECK Status ledger_debit(Ledger *ledger, const LedgerRequest *request, LedgerReceipt *receipt, Error *error);

/* What a release costs in each currency, counted in the release's own unit; NAN where it makes no promise of that kind, and then `why` says
 * so after "this ledger counts in X, and ". `delta` goes with the amount of the same currency. */
typedef struct LedgerLoss {
    double amount[CURRENCIES], delta[CURRENCIES];
    const char *why[CURRENCIES];
} LedgerLoss;
/* The loss of ρ-zero-concentrated differential privacy alone. */
LedgerLoss loss_of_zcdp(double zcdp);
/* The loss for who may be replaced, of a release that promises for who may be added or removed: that is two steps, which makes ε and μ
 * twice, ρ, μ² and l four times as much, and (ε, δ) to (2ε, (1 + e^ε)δ). Other amounts with a δ become NAN. */
void loss_of_replacing(LedgerLoss *loss);
/* The price in the ledger's currency and unit. REFUSED where the loss cannot be told in them; BAD where it is no amount. */
MUST_CHECK Status ledger_price(const Ledger *ledger, const LedgerLoss *loss, const char *unit, int64_t *price, int64_t *delta,
                               Error *error);
/* The one way on which a release is paid for: prices the loss, checks what the ledger is bound to, and debits. request->data, unit, person
 * and neighbours must be there; price and delta are set here. `again`: the identity gets a nonce, so that it is never taken for one before;
 * a request id that comes back is then BAD. */
MUST_CHECK Status ledger_charge(Ledger *ledger, LedgerRequest *request, const LedgerLoss *loss, LedgerReceipt *receipt, Error *error);
/* The same for a file that is drawn again each time (a table of noisy counts, synthetic records) and keeps a ρ: `request` says query,
 * analyst, account, request id, schema, unit, person and detail; the data are `table`. */
MUST_CHECK Status ledger_charge_file(Work *work, Ledger *ledger, LedgerRequest *request, const Table *table, double zcdp,
                                     LedgerReceipt *receipt);
/* Says that these bytes (a fingerprint) are another version of the ledger's data set, or one made of it: releases of them add up with the
 * others. REFUSED where they protect somebody else. */
MUST_CHECK Status ledger_bind(Ledger *ledger, const LedgerRequest *version, Error *error);
/* REFUSED where the ledger protects another person than `person` (as ledger_person has it). */
MUST_CHECK Status ledger_check_person(Ledger *ledger, const char *person, Error *error);
/* Opens an account: a project's budget within that of the data set. BAD where there is one of that name. */
MUST_CHECK Status ledger_open_account(Ledger *ledger, const char *name, int64_t units, Error *error);
/* REFUSED where there is no ledger and nobody said that there need be none; BAD where both are said. */
MUST_CHECK Status ledger_or_none(const Ledger *ledger, bool none_wanted, Error *error);
/* Records the answer of a debit and gives back what stands in the ledger: another process may have been first, and its answer is the one to
 * show. */
MUST_CHECK Status ledger_record(Ledger *ledger, int64_t entry, const char *answer, char **recorded, Error *error);

/* What the ledger holds, in order. Texts live until ledger_entries_free. */
typedef struct LedgerEntry {
    int64_t number;
    const char *kind, *at, *analyst, *account, *request, *query, *answer, *unit, *person, *neighbours, *detail;
    int64_t units, delta, of;
} LedgerEntry;
typedef struct LedgerEntries {
    int64_t count;
    LedgerEntry *entry;
    int64_t budget, spent, delta_budget, delta_spent;
    const char *name, *unit, *person;
    void *owned;
} LedgerEntries;
/* As much of it as follows from the entries that say what the ledger is, and the head's totals: in constant time. */
MUST_CHECK Status ledger_state(Ledger *ledger, LedgerEntries *out, Error *error);
/* What an analyst or account has debited so far; `column` is "analyst" or "account". */
MUST_CHECK Status ledger_spent_by(Ledger *ledger, const char *column, const char *name, int64_t *spent, Error *error);
/* All of them, and the sums; ends with ledger_entries_free, for which a zeroed one is harmless. */
MUST_CHECK Status ledger_entries(Ledger *ledger, LedgerEntries *out, Error *error);
void ledger_entries_free(LedgerEntries *entries);
/* The last entry's number and hash: what to keep elsewhere, to see later that nothing was cut off. */
MUST_CHECK Status ledger_head(Ledger *ledger, int64_t *entry, char out[65], Error *error);
/* Recomputes the chain of hashes and the sums: FAILED with the first entry that was lost or altered, or where no entry has the hash `head`
 * (or NULL) that was kept: the ledger was cut short or rolled back. */
MUST_CHECK Status ledger_verify(Ledger *ledger, const char *head, int64_t *entries, Error *error);
/* The entries as JSON lines that anyone who has no scrim can verify (docs/ledger.md): the secret key is left out, and so are answers unless
 * `answers`; their hashes stand in their place. */
MUST_CHECK Status ledger_export(Ledger *ledger, bool answers, Buffer *out, Error *error);
#endif
