/* scrim inspect: what its files share. */
#ifndef SCRIM_RECIPE_INSPECT_H
#define SCRIM_RECIPE_INSPECT_H
#include "method/method.h"

#define INSPECT_VALUES "column:text least:text mean:real most:text commonest:text picture:text"
/* A row of the grid for one column; size: the records of each code. */
void inspect_values(Grid *grid, const Column *column, const Codes *codes, const int64_t *size);
/* The sets of suggested keys that single out most, small ones first. */
#define INSPECT_KEYS "keys:text alone:integer share:real"
MUST_CHECK Status inspect_keys(Run *run, const Table *data, const char *const *role);
#endif
