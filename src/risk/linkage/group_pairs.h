/* What the pairs of one group of tuples agree on, of all sets of some columns at once. Columns are told by their places. */
#ifndef SCRIM_RISK_LINKAGE_GROUP_PAIRS_H
#define SCRIM_RISK_LINKAGE_GROUP_PAIRS_H
#include "risk/linkage/packed_tuples.h"

/* Columns by place. Those from place `cube` on make up a cube of few cells; a line says which cell it is in. */
typedef struct Layout {
    const TupleSet *tuples;
    int columns, cube;
    bool single;   /* every line stands for one record */
    int64_t apart; /* of arrays that count together */
    Field field[AGREE_COLUMNS];
    int32_t values[AGREE_COLUMNS];
} Layout;

/* Tuples that agree on some columns: lines of the original [0] and of the release [1]. The first word of a line is how many records it
 * stands for (low half) and its cell in the cube (high half); codes follow, as in the tuples' lines. Memory goes on for LINE_PAD bytes
 * after the last line: lanes are read at once. */
enum { LINE_PAD = 64 };
typedef struct Group {
    const uint64_t *line[2];
    int64_t count[2];
} Group;

/* Pair by pair, lanes side by side: pairs[set >> first], for each set of columns from place `first` on, counts those that agree on it and
 * on no other of these columns. Counts are parted among ABREAST such arrays, `apart` from one another. */
enum { ABREAST = 4 };
void agree_pairwise(const Layout *layout, const Group *group, int first, uint64_t *pairs);

/* The same of those pairs alone that agree on some column from place `first` to before `stop`: which released lines have a code is kept as
 * bits. `bits`, all 0 before and after: BIT_WORDS for each code of these columns, those of a place from codes[place]·BIT_WORDS on. */
enum { BIT_WORDS = 4 };
void agree_by_bits(const Layout *layout, const Group *group, int first, int stop, const int64_t *codes, uint64_t *bits, uint64_t *pairs);

/* By a cube of counts: pairs[set], for each set of columns from place `first` on, the empty one too, counts those that agree on it at
 * least. `cell` has room for cube_cells numbers. */
int64_t cube_cells(const Layout *layout, int first, int64_t most); /* above `most`: how many, does not matter */
uint32_t cube_cell(const Layout *layout, const uint64_t *line);    /* in the common cube */
void agree_by_cube(const Layout *layout, const Group *group, int first, uint64_t *cell, uint64_t *pairs);
void agree_all_by_cube(const Layout *layout, int first, uint64_t *cell, uint64_t *pairs); /* of all tuples */
#endif
