/* Rolls that outgrow memory: laid aside on disk as runs, each sorted by the hashes of its tuples, and merged at the end into one that is
 * read from the disk. */
#ifndef SCRIM_AGGREGATE_TUPLE_COUNTS_SPILL_H
#define SCRIM_AGGREGATE_TUPLE_COUNTS_SPILL_H
#include "aggregate/tuple_counts.h"

typedef struct Spill Spill;
/* In files without a name in this folder: nothing is left of them, however the process ends. */
MUST_CHECK Status spill_new(const char *folder, Spill **out, Error *error);
/* The roll as one more run: it may be freed then. Not of rolls with sums. */
MUST_CHECK Status spill_run(Spill *spill, TupleCounts *roll, Error *error);
/* All runs as one roll, whose tuples lie in the file: it can be read and looked up in, and not added to. */
MUST_CHECK Status spill_merge(Spill *spill, TupleCounts **out, Error *error);
/* Lets go of the pages of such a roll, which are read again as they are needed; of others nothing. */
void spill_rest(const TupleCounts *roll);
void spill_free(Spill *spill); /* NULL is harmless; what spill_merge gave stays */
#endif
