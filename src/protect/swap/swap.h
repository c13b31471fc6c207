/* Data swapping: the state of the exchange, the moves, the report. */
#ifndef SCRIM_PROTECT_SWAP_H
#define SCRIM_PROTECT_SWAP_H
#include "method/method.h"
#include "table/group.h"
#include "table/edit_rules.h"
#include "classes/strata.h"

enum { MOST_ORDER = 4, MOST_RECORDS = 1 << MOST_ORDER };

/* A move of order t: 2^t records; row[2k] and row[2k+1] exchange their values. */
typedef struct Move {
    int32_t order;
    int64_t row[MOST_RECORDS];
} Move;

typedef struct Swap {
    Run *run;
    const Table *data;
    Columns vars, against, strata_columns; /* swapped; unswapped whose tables are kept; strata */
    const Column *weight;
    int64_t rows, order; /* order: tables of this many columns are kept */
    Strata strata;
    const int32_t *value; /* row → number of its tuple of swapped values; -1: one is missing, and the record takes no part */
    int64_t values;
    const int32_t **code; /* per column of `against` */
    Grouping classes;     /* records that agree on stratum and all of `against` */
    int64_t *class_start, *class_row;
    int64_t *slot, slots; /* hash table: class + 1 */
    Grouping alike;       /* records of one stratum with the same swapped values */
    int64_t *alike_start, *alike_row;
    uint8_t *used;
    int64_t *from; /* where each record's swapped values come from */
    Move *move;
    int64_t moves, room;
} Swap;

MUST_CHECK Status swap_prepare(Swap *s);
/* Moves of this order within a stratum until `need` more records have moved or no more moves are found; returns how many moved in *moved.
 */
MUST_CHECK Status swap_stratum(Swap *s, RandomReader *reader, int64_t stratum, int order, int64_t need, int64_t *moved);
void swap_revert(Swap *s, const Move *move);
/* Values and tables of the result: distances of the t-way tables, weighted counts, moves by order. */
MUST_CHECK Status swap_report(Swap *s);
#endif
