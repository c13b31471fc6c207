/* Whole numbers in as few bytes as hold them. */
#include <stdlib.h>
#include <string.h>
#include "table/column.h"

#define INLINE static inline __attribute__((always_inline))
enum { AT_ONCE = 1024 };

Status column_of_width(const char *name, int64_t rows, int width, Column **out, Error *error) {
    Status status = OK;
    Column *column = NULL;
    size_t bytes = (size_t)rows * (size_t)width;
    if (width == 8) return column_unfilled(INTEGER_TYPE, name, rows, out, error);
    if (bytes > ((size_t)1 << 25)) TRY(memory_fits(bytes, error));
    TRY(column_unfilled(INTEGER_TYPE, name, 0, &column, error));
    free(column->integer);
    column->integer = NULL;
    column->rows = rows;
    column->width = width;
    if (!(column->narrow = memory_new(bytes))) TRY(out_of_memory(error));
    *out = column;
    column = NULL;
done:
    column_release(column);
    return status;
}

#define WIDEN(type)                                                                                                                        \
    {                                                                                                                                      \
        const type *from = (const type *)column->narrow + first;                                                                           \
        for (int64_t i = 0; i < count; i++) room[i] = from[i];                                                                             \
        return room;                                                                                                                       \
    }

const int64_t *column_integers(const Column *column, int64_t first, int64_t count, int64_t *room) {
    switch (column->width) {
    case 1: WIDEN(int8_t)
    case 2: WIDEN(int16_t)
    case 4: WIDEN(int32_t)
    default: return column->integer + first;
    }
}

Status column_widen(Column *column, Error *error) {
    if (!column->width) return OK;
    int64_t *wide = memory_new((size_t)column->rows * sizeof *wide);
    if (!wide) return out_of_memory(error);
    column_integers(column, 0, column->rows, wide);
    free(column->narrow);
    column->narrow = NULL;
    column->width = 0;
    column->integer = wide;
    return OK;
}

/* In the place where they lie: what is written stands before what is still to be read. */
INLINE void shrink(Column *column, char *cells, int width) {
    int64_t room[AT_ONCE];
    union {
        int8_t one[AT_ONCE];
        int16_t two[AT_ONCE];
        int32_t four[AT_ONCE];
    } small;
    for (int64_t first = 0; first < column->rows; first += AT_ONCE) {
        int64_t count = column->rows - first < AT_ONCE ? column->rows - first : AT_ONCE;
        const int64_t *wide = column_integers(column, first, count, room);
        if (width == 1)
            for (int64_t i = 0; i < count; i++) small.one[i] = (int8_t)wide[i];
        else if (width == 2)
            for (int64_t i = 0; i < count; i++) small.two[i] = (int16_t)wide[i];
        else
            for (int64_t i = 0; i < count; i++) small.four[i] = (int32_t)wide[i];
        memcpy(cells + (size_t)first * (size_t)width, &small, (size_t)count * (size_t)width);
    }
}

void column_narrow_to(Column *column, int width) {
    size_t bytes = (size_t)column->rows * (size_t)width;
    void *cells = column->width ? column->narrow : column->integer, *fitted;
    if (column->type != INTEGER_TYPE || column->drop || width >= (column->width ? column->width : 8)) return;
    if (width == 1) shrink(column, cells, 1);
    else if (width == 2) shrink(column, cells, 2);
    else shrink(column, cells, 4);
    fitted = realloc(cells, bytes ? bytes : 1);
    column->narrow = fitted ? fitted : cells;
    column->integer = NULL;
    column->width = width;
}

void column_narrow(Column *column) {
    int64_t room[AT_ONCE];
    uint64_t reach = 0;
    if (column->type != INTEGER_TYPE) return;
    for (int64_t first = 0; first < column->rows; first += AT_ONCE) {
        int64_t count = column->rows - first < AT_ONCE ? column->rows - first : AT_ONCE;
        const int64_t *wide = column_integers(column, first, count, room);
        for (int64_t i = 0; i < count; i++) reach |= integer_reach(wide[i]);
    }
    column_narrow_to(column, reach_width(reach));
}
