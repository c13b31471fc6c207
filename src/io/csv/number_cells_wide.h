/* Numbers as cells, eight at a time, for processors that can: the same text as io/csv/number_cells.h gives without it. */
#ifndef SCRIM_IO_CSV_NUMBER_CELLS_WIDE_H
#define SCRIM_IO_CSV_NUMBER_CELLS_WIDE_H
#include "io/csv/number_cells.h"

/* What a batch of reals was like. */
typedef struct Seen {
    int64_t fit;    /* how many had at most fifteen digits */
    int decimals;   /* at most, of these */
    double largest; /* of these */
} Seen;

/* `eights` times eight numbers. Bit i of odd[j]: cell 8·j + i is still to be written. */
void csv_wide_cells(const double *values, int64_t eights, CellLook look, TextCell *out, uint8_t *odd, Seen *seen);
void csv_wide_integers(const int64_t *values, int64_t eights, char separator, TextCell *out, uint8_t *odd);
#endif
