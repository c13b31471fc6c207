/* Columns that stand in the way of a release: direct identifiers that are still there, and columns that nobody decided on. */
#ifndef SCRIM_REPORT_OPEN_COLUMNS_H
#define SCRIM_REPORT_OPEN_COLUMNS_H
#include "recipe/roles.h"
#include "result/result.h"

/* Appends their names, separated by commas; how many there are. Where risk.detail was measured, what it found counts. */
int64_t put_identifying(const Result *measured, const Roles *roles, const Table *table, Buffer *out);
int64_t put_undecided(const Roles *roles, const Table *table, Buffer *out);
/* " 2 columns have no role: colour, region. …"; nothing where every column has one. */
void put_undecided_sentence(const Roles *roles, const Table *table, Buffer *out);
#endif
