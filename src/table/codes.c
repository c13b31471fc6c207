/* Dense codes of any column, in the order of its values. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "table/column.h"

/* Values that fit a table of their range are numbered without sorting; the rest by sorting distinct values found through a hash table. */
enum { DIRECT = 1 << 20 };

/* Orders doubles and 64-bit integers alike: an unsigned key with the same order. */
static uint64_t order_key(const Column *column, int64_t row) {
    if (column->type == REAL_TYPE) {
        double value = column->real[row] == 0 ? 0 : column->real[row]; /* -0 is 0 */
        uint64_t bits;
        memcpy(&bits, &value, 8);
        return bits >> 63 ? ~bits : bits | (UINT64_C(1) << 63);
    }
    if (column->type == INTEGER_TYPE) return (uint64_t)column->integer[row] ^ (UINT64_C(1) << 63);
    return (uint64_t)(int64_t)column->code[row] ^ (UINT64_C(1) << 63); /* codes and dates share their place in the union */
}

static Status codes_direct(Work *work, const Column *column, uint64_t least, uint64_t range, int32_t *at, Codes *out) {
    Status status = OK;
    int32_t *number = NULL;
    int64_t *seen = NULL, rows = column->rows;
    int32_t count = 0;
    NEW(work, number, range + 1);
    NEW(work, seen, range + 1);
    for (int64_t i = rows - 1; i >= 0; i--)
        if (!column_missing(column, i)) seen[order_key(column, i) - least] = i + 1;
    for (uint64_t v = 0; v <= range; v++)
        if (seen[v]) number[v] = count++;
    NEW(work, out->first_row, count ? count : 1);
    for (uint64_t v = 0; v <= range; v++)
        if (seen[v]) out->first_row[number[v]] = seen[v] - 1;
    for (int64_t i = 0; i < rows; i++) at[i] = column_missing(column, i) ? -1 : number[order_key(column, i) - least];
    out->count = count;
    out->at = at;
done:
    arena_drop(work->arena, number);
    arena_drop(work->arena, seen);
    return status;
}

typedef struct { uint64_t key; int64_t row; int32_t slot; } Distinct;
static int by_key(const void *a, const void *b) {
    const Distinct *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

static uint64_t mix(uint64_t x) {
    x ^= x >> 32; x *= UINT64_C(0xd6e8feb86659fd93);
    x ^= x >> 32; x *= UINT64_C(0xd6e8feb86659fd93);
    return x ^ x >> 32;
}

static Status codes_hashed(Work *work, const Column *column, int32_t *at, Codes *out) {
    Status status = OK;
    int64_t rows = column->rows, capacity = 0, count = 0;
    uint64_t size = 1024;
    int32_t *slot = NULL, *rank = NULL;
    Distinct *distinct = NULL;
    while (size < (uint64_t)rows * 2) size *= 2;
    NEW(work, slot, size);
    for (int64_t i = 0; i < rows; i++) {
        if (column_missing(column, i)) { at[i] = -1; continue; }
        uint64_t key = order_key(column, i), h = mix(key) & (size - 1);
        while (slot[h] && distinct[slot[h] - 1].key != key) h = (h + 1) & (size - 1);
        if (!slot[h]) {
            GROW(work, distinct, capacity, count + 1);
            distinct[count] = (Distinct){ key, i, (int32_t)count };
            slot[h] = (int32_t)++count;
        }
        at[i] = slot[h] - 1;
    }
    NEW(work, rank, count + 1);
    NEW(work, out->first_row, count + 1);
    qsort(distinct, (size_t)count, sizeof *distinct, by_key);
    for (int64_t i = 0; i < count; i++) { rank[distinct[i].slot] = (int32_t)i; out->first_row[i] = distinct[i].row; }
    for (int64_t i = 0; i < rows; i++)
        if (at[i] >= 0) at[i] = rank[at[i]];
    out->count = (int32_t)count;
    out->at = at;
done:
    arena_drop(work->arena, slot);
    arena_drop(work->arena, rank);
    arena_drop(work->arena, distinct);
    return status;
}

typedef struct { const char *text; int64_t row; } Cell;
static int by_cell(const void *a, const void *b) {
    const Cell *x = a, *y = b;
    int order = strcmp(x->text, y->text);
    return order ? order : (x->row > y->row) - (x->row < y->row);
}

static Status codes_text(Work *work, const Column *column, int32_t *at, Codes *out) {
    Status status = OK;
    Cell *cells = NULL;
    int64_t count = 0;
    int32_t code = -1;
    NEW(work, cells, column->rows + 1);
    for (int64_t i = 0; i < column->rows; i++) {
        at[i] = -1;
        if (!column_missing(column, i)) cells[count++] = (Cell){ column->bytes + column->offset[i], i };
    }
    qsort(cells, (size_t)count, sizeof *cells, by_cell);
    NEW(work, out->first_row, count + 1);
    for (int64_t i = 0; i < count; i++) {
        if (!i || strcmp(cells[i].text, cells[i - 1].text)) out->first_row[++code] = cells[i].row;
        at[cells[i].row] = code;
    }
    out->count = code + 1;
    out->at = at;
done:
    arena_drop(work->arena, cells);
    return status;
}

Status column_codes(Work *work, const Column *column, Codes *out) {
    Status status = OK;
    int32_t *at = NULL;
    *out = (Codes){ 0 };
    if (column->rows > INT32_MAX) return fail(work->error, FAILED, "more than 2^31 records cannot be coded at once");
    NEW(work, at, column->rows);
    if (column->type == TEXT_TYPE) return codes_text(work, column, at, out);
    uint64_t least = UINT64_MAX, most = 0;
    for (int64_t i = 0; i < column->rows; i++) {
        if (column_missing(column, i)) continue;
        uint64_t key = order_key(column, i);
        if (key < least) least = key;
        if (key > most) most = key;
    }
    if (least > most) least = most = 0;
    if (most - least < DIRECT) return codes_direct(work, column, least, most - least, at, out);
    return codes_hashed(work, column, at, out);
done:
    return status;
}
