/* Several published tables as one system of cells: the same cell in two of them is one cell, and a dimension that a table lacks stands at
 * its total. */
#ifndef SCRIM_TABULAR_MERGE_H
#define SCRIM_TABULAR_MERGE_H
#include "tabular/model.h"

/* A cell that any table shows is known. Two tables that show different values for one cell are BAD. One table alone comes back as it is (a
 * new reference). */
MUST_CHECK Status tables_merge(Work *work, const Tables *tables, const char *total_code, Table **out);
#endif
