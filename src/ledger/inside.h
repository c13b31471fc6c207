/* What the ledger's own files share. */
#ifndef SCRIM_LEDGER_INSIDE_H
#define SCRIM_LEDGER_INSIDE_H
#include "ledger/database.h"
#include "ledger/ledger.h"

struct Ledger { Database database; Currency currency; int64_t budget; };

/* One entry as it is hashed and stored; NULL texts are null. */
typedef struct Entry { int64_t number; const char *kind, *at, *analyst, *request, *identity, *query, *answer; int64_t units, of; } Entry;
/* BLAKE2b over the previous hash and every field, each with its length first. */
void entry_hash(const Entry *entry, const char *previous, char out[65]);
#define ENTRY_COLUMNS "entry, kind, at, analyst, request, identity, query, answer, units, of, hash"
#endif
