/* Original and release at the level that both know. */
#ifndef SCRIM_UTILITY_COMMON_H
#define SCRIM_UTILITY_COMMON_H
#include "method/method.h"

/* The original recoded as the release was (table/coarsen.h), for the columns named, else all that both have; notes and the table
 * `coarsened` say which. The caller's to release. */
MUST_CHECK Status common_original(Run *run, const Table *original, const Table *released, Columns vars, Table **out);

#define COARSENED_COLUMNS "variable:text levels_original:integer levels_common:integer lost:real"
#define COARSENED_OUT                                                                                                                      \
    TABLE_OUT(                                                                                                                             \
        coarsened, COARSENED_COLUMNS,                                                                                                      \
        "Columns that the release has coarser: distinct values of the original, how many are left at the release's level, share lost",     \
        .flags = PUBLIC)
#endif
