/* Dense codes of any column, in the order of its values. */
#include <stdlib.h>
#include <string.h>
#include "table/column.h"
#include "table/group.h"

/* Values within a small range are numbered through a table of that range; the rest by sorting the distinct ones, found through a hash
 * table. */
enum { DIRECT = 1 << 20, BLOCK = 1 << 16 };
#define TOP (UINT64_C(1) << 63)

static inline bool whole_wide(Type type) { return type == INTEGER_TYPE || type == DATETIME_TYPE; }

/* Orders doubles and 64-bit integers alike: an unsigned key with the same order. */
static inline uint64_t order_key(const Column *column, int64_t row) {
    if (column->type == REAL_TYPE) {
        double value = column->real[row] == 0 ? 0 : column->real[row]; /* -0 is 0 */
        uint64_t bits;
        memcpy(&bits, &value, 8);
        return bits >> 63 ? ~bits : bits | TOP;
    }
    if (type_wide(column->type)) return (uint64_t)column->integer[row] ^ TOP; /* dates with times share its place */
    return (uint64_t)(int64_t)column->code[row] ^ TOP;                        /* codes and dates share their place in the union */
}

typedef struct {
    const Column *column;
    uint64_t least, range;
    uint64_t *low, *high;  /* per block */
    const int32_t *number; /* key − least → code; NULL where they are the same */
    int32_t *at;
} Span;

/* Runs without missing values, the common case, go without a test per row; the compiler then makes wide loops of them. */
static Status span_block(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    (void)error;
    Span *s = self;
    const Column *column = s->column;
    uint64_t low = UINT64_MAX, high = 0;
    if (!column->valid && whole_wide(column->type)) {
        int64_t least = INT64_MAX, most = INT64_MIN;
        for (int64_t i = first; i < last; i++) {
            least = column->integer[i] < least ? column->integer[i] : least;
            most = column->integer[i] > most ? column->integer[i] : most;
        }
        low = (uint64_t)least ^ TOP;
        high = (uint64_t)most ^ TOP;
    } else if (!column->valid && column->type != REAL_TYPE) {
        int32_t least = INT32_MAX, most = INT32_MIN;
        for (int64_t i = first; i < last; i++) {
            least = column->code[i] < least ? column->code[i] : least;
            most = column->code[i] > most ? column->code[i] : most;
        }
        low = (uint64_t)(int64_t)least ^ TOP;
        high = (uint64_t)(int64_t)most ^ TOP;
    } else {
        for (int64_t i = first; i < last; i++) {
            if (column_missing(column, i)) continue;
            uint64_t key = order_key(column, i);
            if (key < low) low = key;
            if (key > high) high = key;
        }
    }
    s->low[block] = low;
    s->high[block] = high;
    return OK;
}

static Status number_block(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    (void)block, (void)error;
    const Span *s = self;
    const Column *column = s->column;
    int64_t least = (int64_t)(s->least ^ TOP);
    if (!column->valid && whole_wide(column->type) && !s->number)
        for (int64_t i = first; i < last; i++) s->at[i] = (int32_t)(column->integer[i] - least);
    else if (!column->valid && whole_wide(column->type))
        for (int64_t i = first; i < last; i++) s->at[i] = s->number[column->integer[i] - least];
    else if (!column->valid && column->type != REAL_TYPE)
        for (int64_t i = first; i < last; i++)
            s->at[i] = s->number ? s->number[column->code[i] - least] : (int32_t)(column->code[i] - least);
    else
        for (int64_t i = first; i < last; i++) {
            if (column_missing(column, i)) {
                s->at[i] = -1;
                continue;
            }
            uint64_t place = order_key(column, i) - s->least;
            s->at[i] = s->number ? s->number[place] : (int32_t)place;
        }
    return OK;
}

/* The first row of each value, and how many there are; stops as soon as every value of the range has been met. */
static int32_t find_first(const Span *s, int64_t *seen) {
    int64_t left = (int64_t)s->range + 1;
    for (int64_t i = 0; i < s->column->rows && left; i++) {
        if (column_missing(s->column, i)) continue;
        uint64_t place = order_key(s->column, i) - s->least;
        if (seen[place]) continue;
        seen[place] = i + 1;
        left--;
    }
    return (int32_t)((int64_t)s->range + 1 - left);
}

static Status codes_direct(Work *work, Span *s, Codes *out) {
    Status status = OK;
    int32_t *number = NULL, count = 0;
    int64_t *seen = NULL;
    NEW(work, seen, s->range + 1);
    out->count = find_first(s, seen);
    bool dense = (uint64_t)out->count == s->range + 1;
    NEW(work, out->first_row, out->count);
    if (!dense) NEW(work, number, s->range + 1);
    for (uint64_t v = 0; v <= s->range; v++) {
        if (!seen[v]) continue;
        if (number) number[v] = count;
        out->first_row[count++] = seen[v] - 1;
    }
    s->number = number;
    if (dense && s->column->type == CATEGORY_TYPE && !s->column->valid && s->least == TOP) {
        out->at = s->column->code; /* the codes are the column's own */
        goto done;
    }
    NEW(work, s->at, s->column->rows);
    TRY(parallel_for(work, s->column->rows, BLOCK, number_block, s));
    out->at = s->at;
done:
    arena_drop(work->arena, number);
    arena_drop(work->arena, seen);
    return status;
}

/* A distinct value: a number by its order key, a text by its hash and its first cell. */
typedef struct {
    uint64_t key;
    int64_t row;
    int32_t slot;
    const char *text;
} Distinct;

static int by_value(const void *a, const void *b) {
    const Distinct *x = a, *y = b;
    if (x->text) return strcmp(x->text, y->text);
    return (x->key > y->key) - (x->key < y->key);
}

static uint64_t text_hash(const char *text) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (; *text; text++) hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return hash;
}

typedef struct {
    Distinct *distinct;
    int64_t count, capacity;
    int32_t *slot;
    uint64_t slots;
} Set;

static Status set_double(Work *work, Set *set) {
    Status status = OK;
    arena_drop(work->arena, set->slot);
    set->slots = set->slots ? set->slots * 2 : 4096;
    NEW(work, set->slot, set->slots);
    for (int64_t i = 0; i < set->count; i++) {
        uint64_t h = word_hash(set->distinct[i].key) >> 20 & (set->slots - 1);
        while (set->slot[h]) h = (h + 1) & (set->slots - 1);
        set->slot[h] = (int32_t)(i + 1);
    }
done:
    return status;
}

static Status set_find(Work *work, Set *set, uint64_t key, const char *text, int64_t row, int32_t *out) {
    Status status = OK;
    if ((uint64_t)set->count * 2 >= set->slots) TRY(set_double(work, set));
    uint64_t h = word_hash(key) >> 20 & (set->slots - 1);
    for (; set->slot[h]; h = (h + 1) & (set->slots - 1)) {
        const Distinct *known = &set->distinct[set->slot[h] - 1];
        if (known->key == key && (!text || !strcmp(known->text, text))) break;
    }
    if (!set->slot[h]) {
        GROW(work, set->distinct, set->capacity, set->count + 1);
        set->distinct[set->count] = (Distinct){ key, row, (int32_t)set->count, text };
        set->slot[h] = (int32_t)++set->count;
    }
    *out = set->slot[h] - 1;
done:
    return status;
}

static Status codes_hashed(Work *work, const Column *column, Codes *out) {
    Status status = OK;
    Set set = { 0 };
    int32_t *rank = NULL, *at = NULL;
    NEW(work, at, column->rows);
    for (int64_t i = 0; i < column->rows; i++) {
        if (column_missing(column, i)) {
            at[i] = -1;
            continue;
        }
        const char *text = column->type == TEXT_TYPE ? column->bytes + column->offset[i] : NULL;
        TRY(set_find(work, &set, text ? text_hash(text) : order_key(column, i), text, i, &at[i]));
    }
    NEW(work, rank, set.count);
    NEW(work, out->first_row, set.count);
    if (set.count) qsort(set.distinct, (size_t)set.count, sizeof *set.distinct, by_value);
    for (int64_t i = 0; i < set.count; i++) {
        rank[set.distinct[i].slot] = (int32_t)i;
        out->first_row[i] = set.distinct[i].row;
    }
    for (int64_t i = 0; i < column->rows; i++)
        if (at[i] >= 0) at[i] = rank[at[i]];
    out->count = (int32_t)set.count;
    out->at = at;
done:
    arena_drop(work->arena, set.slot);
    arena_drop(work->arena, set.distinct);
    arena_drop(work->arena, rank);
    return status;
}

static Status find_span(Work *work, Span *s) {
    Status status = OK;
    int64_t blocks = blocks_of(s->column->rows, BLOCK);
    uint64_t high = 0;
    s->least = UINT64_MAX;
    NEW(work, s->low, blocks);
    NEW(work, s->high, blocks);
    TRY(parallel_for(work, s->column->rows, BLOCK, span_block, s));
    for (int64_t b = 0; b < blocks; b++) {
        if (s->low[b] < s->least) s->least = s->low[b];
        if (s->high[b] > high) high = s->high[b];
    }
    if (s->least > high) s->least = high = TOP; /* nothing but missing values */
    s->range = high - s->least;
done:
    return status;
}

Status column_codes(Work *work, const Column *column, Codes *out) {
    Status status = OK;
    Span span = { .column = column };
    *out = (Codes){ 0 };
    if (column->rows > INT32_MAX) return fail(work->error, FAILED, "more than 2^31 records cannot be coded at once");
    if (column->type == TEXT_TYPE) return codes_hashed(work, column, out);
    TRY(find_span(work, &span));
    if (span.range < DIRECT && (span.range < 4096 || span.range < (uint64_t)column->rows * 4)) return codes_direct(work, &span, out);
    return codes_hashed(work, column, out);
done:
    return status;
}
