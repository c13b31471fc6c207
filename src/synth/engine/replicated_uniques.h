/* --protect replicated-uniques: no synthetic record has the keys of an original record that is unique on them. */
#ifndef SCRIM_SYNTH_ENGINE_REPLICATED_UNIQUES_H
#define SCRIM_SYNTH_ENGINE_REPLICATED_UNIQUES_H
#include "method/method.h"

typedef struct ReplicatedUniques {
    int64_t columns;       /* 0: nothing is protected */
    const Column **column; /* of the data: the keys */
    Column *tuples;        /* the keys of each record of the data, as one category; owned */
    uint8_t *unique;       /* by tuple: one record has it */
    int64_t redrawn;       /* synthetic records that had one, in all draws */
} ReplicatedUniques;

/* Of these columns of a table; given back by replicated_uniques_free. */
MUST_CHECK Status replicated_uniques_make(Work *work, Columns columns, int64_t rows, ReplicatedUniques *out);
void replicated_uniques_free(ReplicatedUniques *uniques);
/* Adds 1 to broken[i] for each of these rows of a synthetic table that has the keys of a unique record. */
MUST_CHECK Status replicated_uniques_mark(Work *work, ReplicatedUniques *uniques, const Table *made, const int64_t *rows, int64_t count,
                                          int32_t *broken);
#endif
