/* Names, types, which cells are missing, and the values of the rest. */
#include "table/fingerprint.h"
#include <sodium.h>
#include <string.h>
#include "base/text.h"

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

/* ---- record by record ---- */

/* Room for the texts of a record is made as they come; a cell is its presence, and its eight bytes or its length and letters. */
static void add_cell(Buffer *out, const Column *column, int64_t row) {
    int64_t value = 0;
    bool missing = column_missing(column, row);
    buffer_char(out, (char)!missing);
    if (missing) return;
    if (column->type == TEXT_TYPE || column->type == CATEGORY_TYPE) {
        const char *text = column->type == TEXT_TYPE ? column->bytes + column->offset[row] : column->words->word[column->code[row]];
        value = (int64_t)strlen(text);
        buffer_add(out, (const char *)&value, 8);
        buffer_add(out, text, (size_t)value);
        return;
    }
    value = column->type == DATE_TYPE ? column->date[row] : column->integer[row];
    buffer_add(out, (const char *)&value, 8);
}

typedef struct {
    const Table *table;
    int64_t first_row;
    const unsigned char *key;
    RowPrint *sum; /* of each block */
} Printing;

static Status print_block(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    const Printing *p = self;
    Buffer record = { 0 };
    for (int64_t i = first; i < last; i++) {
        unsigned char hash[crypto_shorthash_siphashx24_BYTES];
        RowPrint word;
        int64_t number = p->first_row + i;
        record.count = 0;
        buffer_add(&record, (const char *)&number, 8);
        for (int64_t j = 0; j < p->table->columns; j++) add_cell(&record, p->table->column[j], i);
        if (record.failed) break;
        crypto_shorthash_siphashx24(hash, (const unsigned char *)record.bytes, record.count, p->key);
        memcpy(&word, hash, sizeof word);
        p->sum[block] += word;
    }
    bool failed = record.failed;
    buffer_free(&record);
    return failed ? fail(error, FAILED, "out of memory") : OK;
}

Status rows_print(Work *work, const Table *table, int64_t first_row, const unsigned char key[ROW_PRINT_KEY], RowPrint *sum) {
    enum { BLOCK = 1 << 13 };
    Status status = OK;
    Printing p = { .table = table, .first_row = first_row, .key = key };
    NEW(work, p.sum, blocks_of(table->rows, BLOCK) + 1);
    TRY(parallel_for(work, table->rows, BLOCK, print_block, &p));
    for (int64_t b = 0; b < blocks_of(table->rows, BLOCK); b++) *sum += p.sum[b];
done:
    return status;
}
