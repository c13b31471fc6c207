/* A published table of cells as a cube: a number for every combination of codes, as PX and JSON-stat have it. */
#ifndef SCRIM_IO_CUBE_CUBE_H
#define SCRIM_IO_CUBE_CUBE_H
#include "base/work.h"
#include "table/cell_structure.h"

typedef struct Cube {
    Structure s;
    const char *measure; /* value, else count */
    int64_t cells;       /* combinations of codes, the last dimension fastest */
    double *value;       /* NaN where the table has no cell */
    uint8_t *hidden;     /* suppressed, primary and secondary cells alike: their values are not here, whatever the table holds */
} Cube;
/* BAD for a table of named cells, for a combination that occurs twice, and where there are more than 100 million. */
MUST_CHECK Status cube_make(Work *work, const Table *table, const char *path, Cube *out);
#endif
