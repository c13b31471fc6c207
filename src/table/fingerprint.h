/* What a table holds, as one hash: the same for the same cells, whatever file or place they came from. */
#ifndef SCRIM_TABLE_FINGERPRINT_H
#define SCRIM_TABLE_FINGERPRINT_H
#include "table/table.h"

enum { FINGERPRINT = 32 };
void table_fingerprint(const Table *table, unsigned char out[FINGERPRINT]); /* BLAKE2b-256 of names, types and cells; libsodium is up */
#endif
