/* What the ledger's own files share. */
#ifndef SCRIM_LEDGER_PRIVATE_H
#define SCRIM_LEDGER_PRIVATE_H
#include "ledger/database.h"
#include "ledger/ledger.h"

struct Ledger {
    Database database;
    Currency currency;
    int64_t budget, delta;
    char unit[16];
    unsigned char key[32];
};

/* Running totals after an entry: of the whole ledger, and of the entry's own analyst and account. */
typedef struct Totals {
    int64_t units, delta, analyst, account;
} Totals;

/* One entry as it is hashed and stored; NULL texts are null. */
typedef struct Entry {
    int64_t number;
    const char *kind, *at, *analyst, *account, *request, *identity, *query, *answer, *unit, *person, *neighbours, *detail;
    int64_t units, delta, of;
    Totals total;
} Entry;
void entry_from(const Rows *rows, int64_t row, Entry *out); /* columns as ENTRY_COLUMNS has them */
/* The end of the chain: the last entry's number and hash, and the totals after it. */
typedef struct Head {
    int64_t entry;
    char hash[65];
    int64_t units, delta;
} Head;
MUST_CHECK Status ledger_read_head(Ledger *ledger, Head *out, Error *error);
/* A transaction that no other writer enters; its end, durable where status is OK, and otherwise with nothing of it left; and an entry at
 * the end of the chain. */
MUST_CHECK Status ledger_begin(Ledger *ledger, Error *error);
MUST_CHECK Status ledger_end(Ledger *ledger, Status status, Error *error);
MUST_CHECK Status ledger_read_unit(Ledger *ledger, Error *error); /* what a neighbour is, from the entries */
MUST_CHECK Status ledger_append(Ledger *ledger, Entry *entry, Error *error);
/* BLAKE2b-256 over the previous hash and every field, each with its length (8 bytes, least first; -1 for null) before it. The secret key
 * (the budget's identity) and answers enter as their own hash, so that an export can leave them out and still be verified. */
void entry_hash(const Entry *entry, const char *previous, char out[65]);
/* The hash by which a field that an export leaves out enters; NULL for null. */
const char *field_hash(const char *text, char out[65]);
#define ENTRY_COLUMNS                                                                                                                      \
    "entry, kind, at, analyst, account, request, identity, query, answer, unit, person, neighbours, detail, units, delta, of, total, "     \
    "total_delta, total_analyst, total_account, hash"
/* Entries that say what the ledger is: budget, binding, analysts, accounts. Few, and indexed under exactly these words. */
#define STATE_ENTRIES "kind <> 'debit' AND kind <> 'answer'"
enum { ENTRY_HASH = 20 }; /* the hash's place among them */
#endif
