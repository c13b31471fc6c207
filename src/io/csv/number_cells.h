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
    bool wide;  /* eight numbers at a time: only how long it takes depends on it */
} CellLook;
bool csv_cells_wide(void); /* whether this processor can */

/* How most reals of a column were written last, which those that come are likely to be, too: with at most so many decimals; with at most
 * fifteen digits; with any number of them. Only how long it takes depends on it: begin with FIFTEEN_DIGITS. */
enum { ANY_DIGITS = -1, FIFTEEN_DIGITS = 0, MOST_DECIMALS = 6 };

/* At most CELLS_AT_ONCE of them; needs CELLS_SPARE more cells of room behind. Not a number is an empty cell. */
void csv_real_cells(const double *values, int64_t count, CellLook look, int *digits, TextCell *out);
void csv_integer_cells(const int64_t *values, int64_t count, CellLook look, TextCell *out);
#endif
