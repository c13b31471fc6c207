/* Many cells of a column as text at once, each in a room of its own: writing rows is then only copying. */
#ifndef SCRIM_IO_CSV_NUMBER_CELLS_H
#define SCRIM_IO_CSV_NUMBER_CELLS_H
#include "base/status.h"

enum { CELL_TEXT = 31, CELL_LONG = 255, CELLS_SPARE = 2, CELLS_AT_ONCE = 128 };
/* The cell with the separator behind it, `count` bytes in all; CELL_LONG: it does not fit, and must be written from its column. */
typedef struct TextCell {
    char text[CELL_TEXT];
    uint8_t count;
} TextCell;

static inline void cell_close(TextCell *cell, size_t count, char separator) {
    cell->text[count] = separator;
    cell->count = (uint8_t)(count + 1);
}

typedef struct CellLook {
    char separator, decimal;
    bool point; /* a column of whole numbers: written 1.0, so that it stays real */
} CellLook;

/* NaN is an empty cell. `out` has room for CELLS_SPARE more cells: a store may reach beyond the last one. */
void csv_real_cells(const double *values, int64_t count, CellLook look, TextCell *out);
void csv_integer_cells(const int64_t *values, int64_t count, CellLook look, TextCell *out);
#endif
