/* What the files of ladders share. */
#ifndef SCRIM_AGGREGATE_VALUE_COUNTS_PRIVATE_H
#define SCRIM_AGGREGATE_VALUE_COUNTS_PRIVATE_H
#include "aggregate/value_counts.h"

typedef struct Shelf Shelf; /* runs on disk */
void shelf_free(Shelf *shelf);
void value_counts_drop_runs(ValueCounts *ladder);
#endif
