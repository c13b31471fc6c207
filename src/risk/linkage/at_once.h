/* What the pairs of one group of tuples agree on, of all sets of some columns at once. Columns are told by their places. */
#ifndef SCRIM_RISK_LINKAGE_AT_ONCE_H
#define SCRIM_RISK_LINKAGE_AT_ONCE_H
#include "risk/linkage/tuples.h"

/* Some released tuples: their codes, lane by lane, and how many records each stands for. */
enum { LANES = 16, CHUNK = 256 };
typedef struct Chunk {
    int64_t count;
    uint8_t code[CHUNK * LANES * sizeof(uint32_t)];
    uint32_t records[CHUNK];
} Chunk;

/* Pair by pair, lanes side by side: pairs[set >> first], for each set of columns from place `first` on, counts those that agree on it and
 * on no other of these columns. `chunk`: scratch, all 0 at first. */
void agree_pairwise(const TupleSet *tuples, const uint64_t *line, int64_t count, int first, Chunk *chunk, uint64_t *pairs);

/* By a cube of counts: pairs[set], for each set of columns from place `first` on but the empty one, counts those that agree on it at
 * least. `values`: of the column at a place. `cell` has room for cube_cells numbers. */
int64_t cube_cells(const TupleSet *tuples, const int32_t *values, int first, int64_t most); /* above `most`: how many, does not matter */
void agree_by_cube(const TupleSet *tuples, const int32_t *values, const uint64_t *line, int64_t count, int first, uint64_t *cell,
                   uint64_t *pairs);
#endif
