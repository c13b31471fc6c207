/* Names, types, which cells are missing, and the values of the rest. */
#include "table/fingerprint.h"
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include "base/text.h"

typedef crypto_generichash_state Hash;

static void put(Hash *hash, const void *bytes, size_t count) {
    uint64_t length = count; /* lengths first: no two sequences hash alike */
    crypto_generichash_update(hash, (const unsigned char *)&length, sizeof length);
    crypto_generichash_update(hash, bytes, count);
}

/* Cells of four bytes or, however narrow they are held, eight; what is missing as zeros: its bytes mean nothing. */
static void put_cells(Hash *hash, const Column *column) {
    enum { AT_ONCE = 512 };
    char some[AT_ONCE * 8];
    int64_t room[AT_ONCE];
    bool wide = type_wide(column->type);
    size_t width = wide ? 8 : 4;
    for (int64_t first = 0; first < column->rows; first += AT_ONCE) {
        int64_t count = column->rows - first < AT_ONCE ? column->rows - first : AT_ONCE;
        const void *cells = wide ? (const void *)column_integers(column, first, count, room) : column->code + first;
        memcpy(some, cells, (size_t)count * width);
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
        put_cells(hash, column);
        return;
    case TEXT_TYPE:
        for (int64_t i = 0; i < column->rows; i++)
            if (!column_missing(column, i)) put(hash, column->bytes + column->offset[i], column->offset[i + 1] - column->offset[i]);
        return;
    default: put_cells(hash, column); return;
    }
}

void table_fingerprint(const Table *table, unsigned char out[FINGERPRINT]) {
    Hash hash;
    crypto_generichash_init(&hash, NULL, 0, FINGERPRINT);
    put(&hash, &table->rows, sizeof table->rows);
    for (int64_t j = 0; j < table->columns; j++) put_column(&hash, table->column[j]);
    crypto_generichash_final(&hash, out, FINGERPRINT);
}

/* ---- record by record ---- */

/* A cell is its presence, and its eight bytes or its length and letters. `fixed`: bytes that must stay free behind it for the others. */
static bool add_cell(Buffer *out, const Column *column, int64_t row, size_t fixed) {
    int64_t value = 0;
    bool missing = column_missing(column, row);
    const char *text = NULL;
    out->bytes[out->count++] = (char)!missing;
    if (missing) return true;
    if (column->type == TEXT_TYPE) text = column->bytes + column->offset[row];
    else if (column->type == CATEGORY_TYPE) text = column->words->word[column->code[row]];
    value = text ? (int64_t)strlen(text) : column->type == DATE_TYPE ? column->date[row] : column_integer(column, row);
    memcpy(out->bytes + out->count, &value, 8);
    out->count += 8;
    if (!text) return true;
    if (out->capacity - out->count < (size_t)value + fixed) {
        size_t capacity = out->capacity * 2 + (size_t)value + fixed;
        char *bytes = realloc(out->bytes, capacity);
        if (!bytes) return false;
        out->bytes = bytes;
        out->capacity = capacity;
    }
    memcpy(out->bytes + out->count, text, (size_t)value);
    out->count += (size_t)value;
    return true;
}

typedef struct {
    const Table *table;
    int64_t first_row;
    const unsigned char *key;
    RowPrint *sum; /* of each block */
    int64_t *lot;  /* of each record, or NULL */
} Printing;

static Status print_block(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    const Printing *p = self;
    size_t fixed = 8 + 9 * (size_t)p->table->columns;
    Buffer record = { .bytes = malloc(2 * fixed + 256), .capacity = 2 * fixed + 256 };
    bool failed = !record.bytes;
    for (int64_t i = first; i < last && !failed; i++) {
        unsigned char hash[crypto_shorthash_siphashx24_BYTES];
        RowPrint word;
        int64_t number = p->first_row + i;
        memcpy(record.bytes, &number, 8);
        record.count = 8;
        for (int64_t j = 0; j < p->table->columns && !failed; j++) failed = !add_cell(&record, p->table->column[j], i, fixed);
        if (failed) break;
        crypto_shorthash_siphashx24(hash, (const unsigned char *)record.bytes, record.count, p->key);
        memcpy(&word, hash, sizeof word);
        p->sum[block] += word;
        if (p->lot) p->lot[i] = (int64_t)((uint64_t)word >> 1);
    }
    buffer_free(&record);
    return failed ? out_of_memory(error) : OK;
}

static Status print_rows(Work *work, Printing p, RowPrint *sum) {
    enum { BLOCK = 1 << 13 };
    Status status = OK;
    const Table *table = p.table;
    NEW(work, p.sum, blocks_of(table->rows, BLOCK) + 1);
    TRY(parallel_for(work, table->rows, BLOCK, print_block, &p));
    for (int64_t b = 0; b < blocks_of(table->rows, BLOCK); b++) *sum += p.sum[b];
done:
    return status;
}

Status rows_print(Work *work, const Table *table, int64_t first_row, const unsigned char key[ROW_PRINT_KEY], RowPrint *sum) {
    return print_rows(work, (Printing){ .table = table, .first_row = first_row, .key = key }, sum);
}

Status rows_lots(Work *work, const Table *table, int64_t first_row, const unsigned char key[ROW_PRINT_KEY], int64_t *out) {
    RowPrint sum = 0;
    return print_rows(work, (Printing){ .table = table, .first_row = first_row, .key = key, .lot = out }, &sum);
}
