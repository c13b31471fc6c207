/* An original in the words of its release: the coarsest level that both tables know. */
#ifndef SCRIM_TABLE_COARSEN_H
#define SCRIM_TABLE_COARSEN_H
#include "table/table.h"

/* One column that the release recoded. `after` 0: no common level was found (a value lies in several released ones), and it stays as it
 * was. */
typedef struct Coarsened {
    const char *name;
    int64_t before, after; /* levels of the original, and as recoded */
} Coarsened;

/* The original with each named column recoded as the release has it, where each of its values belongs to exactly one released value: the
 * only interval that holds it, else, record by record, what became of it. Values that belong to none stay. Numbers against numbers are
 * never recoded, but for codes (table/guess.h). `out` is the caller's to release. */
MUST_CHECK Status coarsen_original(Work *work, const Table *original, const Table *released, const char *const *names, int64_t count,
                                   Table **out, Coarsened **what, int64_t *recoded);
#endif
