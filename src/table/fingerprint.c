/* Names, types, which cells are missing, and the values of the rest. */
#include "table/fingerprint.h"
#include <sodium.h>
#include <string.h>

typedef crypto_generichash_state Hash;

static void put(Hash *hash, const void *bytes, size_t count) {
    uint64_t length = count; /* lengths first: no two sequences hash alike */
    crypto_generichash_update(hash, (const unsigned char *)&length, sizeof length);
    crypto_generichash_update(hash, bytes, count);
}

/* Cells of a fixed width, what is missing as zeros: its bytes mean nothing. */
static void put_cells(Hash *hash, const Column *column, const char *cells, size_t width) {
    enum { AT_ONCE = 512 };
    char some[AT_ONCE * 8];
    for (int64_t first = 0; first < column->rows; first += AT_ONCE) {
        int64_t count = column->rows - first < AT_ONCE ? column->rows - first : AT_ONCE;
        memcpy(some, cells + (size_t)first * width, (size_t)count * width);
        for (int64_t i = 0; column->missing && i < count; i++)
            if (column_missing(column, first + i)) memset(some + (size_t)i * width, 0, width);
        put(hash, some, (size_t)count * width);
    }
}

static void put_column(Hash *hash, const Column *column) {
    unsigned char type = (unsigned char)column->type;
    put(hash, column->name, strlen(column->name));
    put(hash, &type, 1);
    for (int64_t i = 0; column->missing && i < column->rows; i++) {
        unsigned char bit = column_missing(column, i);
        crypto_generichash_update(hash, &bit, 1);
    }
    switch (column->type) {
    case CATEGORY_TYPE:
        for (int32_t w = 0; w < column->words->count; w++) put(hash, column->words->word[w], strlen(column->words->word[w]));
        put_cells(hash, column, (const char *)column->code, sizeof *column->code);
        return;
    case DATE_TYPE: put_cells(hash, column, (const char *)column->date, sizeof *column->date); return;
    case TEXT_TYPE:
        for (int64_t i = 0; i < column->rows; i++)
            if (!column_missing(column, i)) put(hash, column->bytes + column->offset[i], column->offset[i + 1] - column->offset[i]);
        return;
    default: put_cells(hash, column, (const char *)column->integer, sizeof *column->integer); return;
    }
}

void table_fingerprint(const Table *table, unsigned char out[FINGERPRINT]) {
    Hash hash;
    crypto_generichash_init(&hash, NULL, 0, FINGERPRINT);
    put(&hash, &table->rows, sizeof table->rows);
    for (int64_t j = 0; j < table->columns; j++) put_column(&hash, table->column[j]);
    crypto_generichash_final(&hash, out, FINGERPRINT);
}
