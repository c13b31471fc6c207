/* What the ledger's own files share. */
#ifndef SCRIM_LEDGER_INSIDE_H
#define SCRIM_LEDGER_INSIDE_H
#include "ledger/database.h"
#include "ledger/ledger.h"

struct Ledger {
    Database database;
    Currency currency;
    int64_t budget, delta;
    char unit[16];
    unsigned char key[32];
    bool by_analyst;
};

/* One entry as it is hashed and stored; NULL texts are null. */
typedef struct Entry {
    int64_t number;
    const char *kind, *at, *analyst, *request, *identity, *query, *answer, *unit, *detail;
    int64_t units, delta, of;
} Entry;
void entry_from(const Rows *rows, int64_t row, Entry *out); /* columns as ENTRY_COLUMNS has them */
/* A transaction that no other writer enters; its end, durable where status is OK, and otherwise with nothing of it left; and an entry at
 * the end of the chain. */
MUST_CHECK Status ledger_begin(Ledger *ledger, Error *error);
MUST_CHECK Status ledger_end(Ledger *ledger, Status status, Error *error);
MUST_CHECK Status ledger_read_unit(Ledger *ledger, Error *error); /* what a neighbour is, from the entries */
MUST_CHECK Status ledger_append(Ledger *ledger, Entry *entry, Error *error);
/* BLAKE2b over the previous hash and every field, each with its length first. */
void entry_hash(const Entry *entry, const char *previous, char out[65]);
#define ENTRY_COLUMNS "entry, kind, at, analyst, request, identity, query, answer, unit, detail, units, delta, of, hash"
enum { ENTRY_HASH = 13 }; /* the hash's place among them */
#endif
