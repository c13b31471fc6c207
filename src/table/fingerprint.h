/* What a table holds, as one hash: the same for the same cells, whatever file or place they came from. */
#ifndef SCRIM_TABLE_FINGERPRINT_H
#define SCRIM_TABLE_FINGERPRINT_H
#include "table/table.h"

enum { FINGERPRINT = 32 };
void table_fingerprint(const Table *table, unsigned char out[FINGERPRINT]); /* BLAKE2b-256 of names, types and cells; libsodium is up */
/* The same of a table that may come in parts: a sum over its records, each with its number in the table, so that any cut into parts and any
 * order of them gives the same. `key` is secret, that no two tables can be made to agree. Words count alike as categories and as text. */
typedef unsigned __int128 RowPrint;
enum { ROW_PRINT_KEY = 16 };
/* Each record's own, from 0 to 2⁶³ − 1: lots that are drawn by the key, and that anyone who has it and the record can draw again. */
MUST_CHECK Status rows_lots(Work *work, const Table *table, int64_t first_row, const unsigned char key[ROW_PRINT_KEY], int64_t *out);
MUST_CHECK Status rows_print(Work *work, const Table *table, int64_t first_row, const unsigned char key[ROW_PRINT_KEY], RowPrint *sum);
#endif
