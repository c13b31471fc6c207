/* Privacy budgets: every release is debited here, durably, before its noise is drawn. SQLite files, or PostgreSQL. */
#ifndef SCRIM_LEDGER_LEDGER_H
#define SCRIM_LEDGER_LEDGER_H
#include "base/work.h"

/* One currency to a ledger; every promise is charged in it. Amounts are whole units of 10^-12. */
typedef enum { CURRENCY_EPSILON, CURRENCY_ZCDP, CURRENCY_NONCENTRALITY } Currency;
const char *currency_name(Currency currency); /* "epsilon", "zcdp", "noncentrality" */
#define LEDGER_UNIT 1000000000000 /* units in 1 */
/* The shortest decimal that reads back equal, in units, rounded up: 0.1 costs exactly 0.1. BAD where negative, not finite or over nine million. */
MUST_CHECK Status ledger_units(double amount, int64_t *units, Error *error);
const char *units_text(int64_t units, char out[33]); /* "0.1" */

typedef struct Ledger Ledger;
typedef struct AnalystBudget { const char *name; int64_t units; } AnalystBudget;
/* A new ledger: a file that must not exist (mode 0600), or postgresql://… whose tables must not. */
MUST_CHECK Status ledger_create(const char *where, Currency currency, int64_t budget, const AnalystBudget *analysts, int64_t count, Error *error);
MUST_CHECK Status ledger_open(const char *where, Ledger **out, Error *error);
void ledger_close(Ledger *ledger);
Currency ledger_currency(const Ledger *ledger);

typedef struct LedgerRequest {
    const char *query;    /* what is asked, in words, for people */
    const char *identity; /* what makes two requests the same: query, promise, parameters and data, in any fixed form */
    const char *request;  /* the caller's id of this request, or NULL */
    const char *analyst;  /* or NULL */
    int64_t price;        /* units */
} LedgerRequest;
typedef struct LedgerReceipt {
    int64_t entry;        /* the debit's number */
    bool charged;         /* false: it had been paid before */
    char *answer;         /* the recorded answer (free() it), or NULL: draw one and record it */
    int64_t left;         /* units left after this, for this analyst and the data set */
} LedgerReceipt;
/* Debits, durable when this returns OK; or finds that the same request was paid. REFUSED, with nothing changed, where the budget does not suffice; the
 * message says what is left. BAD where a request id comes back with another query. */
MUST_CHECK Status ledger_debit(Ledger *ledger, const LedgerRequest *request, LedgerReceipt *receipt, Error *error);
/* Records the answer of a debit and gives back what stands in the ledger: another process may have been first, and its answer is the one to show. */
MUST_CHECK Status ledger_record(Ledger *ledger, int64_t entry, const char *answer, char **recorded, Error *error);

/* What the ledger holds, in order. Texts live until ledger_entries_free. */
typedef struct LedgerEntry { int64_t number; const char *kind, *at, *analyst, *request, *query, *answer; int64_t units, of; } LedgerEntry;
typedef struct LedgerEntries { int64_t count; LedgerEntry *entry; int64_t budget, spent; void *owned; } LedgerEntries;
MUST_CHECK Status ledger_entries(Ledger *ledger, LedgerEntries *out, Error *error);
void ledger_entries_free(LedgerEntries *entries);
/* Recomputes the chain of hashes and the sums: FAILED with the first entry that was lost or altered. */
MUST_CHECK Status ledger_verify(Ledger *ledger, int64_t *entries, Error *error);
#endif
