/* Dense codes of any column, in the order of its values. */
#include "base/sort.h"
#include "table/column_cache.h"

/* Values within a small range are numbered through a table of that range; the rest by sorting them (base/sort.h). */
enum { DIRECT = 1 << 20, BLOCK = 1 << 16, AT_ONCE = 1024 };
#define TOP (UINT64_C(1) << 63)

static inline bool whole_wide(Type type) { return type == INTEGER_TYPE || type == DATETIME_TYPE; }

/* Orders doubles and 64-bit integers alike: an unsigned key with the same order. */
static inline uint64_t order_key(const Column *column, int64_t row) {
    if (column->type == REAL_TYPE) return real_key(column->real[row]);
    if (type_wide(column->type)) return integer_key(column_integer(column, row)); /* dates with times share its place */
    return integer_key(column->code[row]);                                        /* codes and dates share their place in the union */
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
        for (int64_t at = first; at < last; at += AT_ONCE) {
            int64_t room[AT_ONCE], count = last - at < AT_ONCE ? last - at : AT_ONCE;
            const int64_t *value = column_integers(column, at, count, room);
            for (int64_t i = 0; i < count; i++) {
                least = value[i] < least ? value[i] : least;
                most = value[i] > most ? value[i] : most;
            }
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

static void number_whole(const Span *s, int64_t first, int64_t last, int64_t least) {
    for (int64_t at = first; at < last; at += AT_ONCE) {
        int64_t room[AT_ONCE], count = last - at < AT_ONCE ? last - at : AT_ONCE;
        const int64_t *value = column_integers(s->column, at, count, room);
        if (s->number)
            for (int64_t i = 0; i < count; i++) s->at[at + i] = s->number[value[i] - least];
        else
            for (int64_t i = 0; i < count; i++) s->at[at + i] = (int32_t)(value[i] - least);
    }
}

static Status number_block(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    (void)block, (void)error;
    const Span *s = self;
    const Column *column = s->column;
    int64_t least = (int64_t)(s->least ^ TOP);
    if (!column->valid && whole_wide(column->type)) number_whole(s, first, last, least);
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
        out->first_row[count++] = (int32_t)(seen[v] - 1);
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

/* ---- many values: sorted, and numbered as they come ---- */

typedef struct {
    const Column *column;
    Keyed keyed;
    int64_t count;  /* of the rows that have a value */
    int64_t *fresh; /* per block: values that are first met in it; then the number of the first of them */
    int32_t *at;
    int32_t *first_row;
} Sorted;

static Status no_code_block(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    (void)block, (void)error;
    const Sorted *s = self;
    for (int64_t i = first; i < last; i++) s->at[i] = -1;
    return OK;
}

static bool is_fresh(const Sorted *s, int64_t i) { return !i || s->keyed.key[i] != s->keyed.key[i - 1]; }

static Status fresh_block(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    (void)error;
    const Sorted *s = self;
    int64_t fresh = 0;
    for (int64_t i = first; i < last; i++) fresh += is_fresh(s, i);
    s->fresh[block] = fresh;
    return OK;
}

static Status name_block(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    (void)error;
    const Sorted *s = self;
    int64_t next = s->fresh[block];
    for (int64_t i = first; i < last; i++) {
        if (is_fresh(s, i)) s->first_row[next++] = s->keyed.row[i];
        s->at[s->keyed.row[i]] = (int32_t)(next - 1);
    }
    return OK;
}

/* Equal keys get one code; keys ascend. */
static Status number_sorted(Work *work, Sorted *s, Codes *out) {
    Status status = OK;
    int64_t blocks = blocks_of(s->count, BLOCK), sum = 0;
    NEW(work, s->fresh, blocks + 1);
    NEW(work, s->at, s->column->rows);
    if (s->count < s->column->rows) TRY(parallel_for(work, s->column->rows, BLOCK, no_code_block, s));
    TRY(parallel_for(work, s->count, BLOCK, fresh_block, s));
    for (int64_t b = 0; b < blocks; b++) {
        int64_t here = s->fresh[b];
        s->fresh[b] = sum;
        sum += here;
    }
    NEW(work, s->first_row, sum);
    TRY(parallel_for(work, s->count, BLOCK, name_block, s));
    *out = (Codes){ .count = (int32_t)sum, .at = s->at, .first_row = s->first_row };
done:
    arena_drop(work->arena, s->fresh);
    return status;
}

/* ---- texts: by eight bytes at a time ---- */

static inline uint64_t eight_bytes(const char *text) {
    uint64_t key = 0;
    for (int i = 0; i < 8; i++) {
        key = key << 8 | (unsigned char)*text;
        text += *text != 0;
    }
    return key;
}

typedef struct {
    Sorted *sorted;
    Keyed scratch;
    const int64_t *run; /* where each run of equal keys that go on begins, and where it ends */
} Ties;

/* Texts that agree so far, by their next eight bytes and on; in the end equal texts have one key, their first place. */
static void settle(const Ties *t, int64_t first, int64_t last, uint64_t depth) {
    const Column *column = t->sorted->column;
    Keyed here = t->sorted->keyed;
    bool tied = true;
    while (tied) {
        for (int64_t i = first; i < last; i++) here.key[i] = eight_bytes(column->bytes + column->offset[here.row[i]] + depth);
        keyed_sort_here(keyed_from(here, first), keyed_from(t->scratch, first), last - first);
        tied = here.key[first] == here.key[last - 1] && here.key[first] & 0xff;
        depth += 8;
    }
    for (int64_t start = first, end; start < last; start = end) {
        uint64_t key = here.key[start];
        for (end = start + 1; end < last && here.key[end] == key;) end++;
        if (end > start + 1 && key & 0xff) settle(t, start, end, depth);
        else
            for (int64_t i = start; i < end; i++) here.key[i] = (uint64_t)start;
    }
}

static Status settle_runs(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    (void)block, (void)error;
    const Ties *t = self;
    for (int64_t r = first; r < last; r++) {
        int64_t start = t->run[2 * r], end = t->run[2 * r + 1];
        uint64_t key = t->sorted->keyed.key[start];
        if (end > start + 1 && key & 0xff) settle(t, start, end, 8);
        else
            for (int64_t i = start; i < end; i++) t->sorted->keyed.key[i] = (uint64_t)start;
    }
    return OK;
}

static Status settle_texts(Work *work, Sorted *s) {
    Status status = OK;
    int64_t *run = NULL, runs = 0;
    Ties ties = { .sorted = s };
    for (int64_t i = 0; i < s->count; i++) runs += is_fresh(s, i);
    NEW(work, run, 2 * runs + 1);
    runs = 0;
    for (int64_t i = 0; i < s->count; i++) {
        if (is_fresh(s, i)) run[2 * runs++] = i;
        run[2 * runs - 1] = i + 1;
    }
    ties.run = run;
    TRY(keyed_new(work, s->count, &ties.scratch));
    TRY(parallel_for(work, runs, 256, settle_runs, &ties));
done:
    keyed_drop(work, &ties.scratch);
    arena_drop(work->arena, run);
    return status;
}

static Status codes_sorted(Work *work, const Column *column, Codes *out) {
    Status status = OK;
    Sorted s = { .column = column };
    TRY(keyed_new(work, column->rows, &s.keyed));
    for (int64_t i = 0; i < column->rows; i++) {
        if (column_missing(column, i)) continue;
        s.keyed.key[s.count] = column->type == TEXT_TYPE ? eight_bytes(column->bytes + column->offset[i]) : order_key(column, i);
        s.keyed.row[s.count++] = (int32_t)i;
    }
    TRY(keyed_sort(work, s.keyed, s.count));
    if (column->type == TEXT_TYPE) TRY(settle_texts(work, &s));
    TRY(number_sorted(work, &s, out));
done:
    keyed_drop(work, &s.keyed);
    return status;
}

/* ---- which of them ---- */

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

static Status make_codes(Work *work, Columns columns, int how, void *made) {
    Status status = OK;
    const Column *column = columns.at[0];
    Codes *out = made;
    Span span = { .column = column };
    (void)how;
    *out = (Codes){ 0 };
    if (column->rows > INT32_MAX) return fail(work->error, FAILED, "more than 2^31 records cannot be coded at once");
    if (column->type == TEXT_TYPE) return codes_sorted(work, column, out);
    TRY(find_span(work, &span));
    if (span.range < DIRECT && (span.range < 4096 || span.range < (uint64_t)column->rows * 4)) return codes_direct(work, &span, out);
    return codes_sorted(work, column, out);
done:
    return status;
}

Status column_codes(Work *work, const Column *column, Codes *out) {
    return cache_take(work, CACHE_CODES, (Columns){ .count = 1, .at = &column }, 0, make_codes, out, sizeof *out);
}

/* ---- what they are for ---- */

enum { FEW_CODES = 1 << 12 };
typedef struct {
    const Codes *codes;
    int64_t *size; /* block × code */
} Sizes;

static Status size_block(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    (void)error;
    const Sizes *s = self;
    int64_t *size = s->size + block * (s->codes->count + 1) + 1; /* a place before for what is missing */
    for (int64_t i = first; i < last; i++) size[s->codes->at[i]]++;
    return OK;
}

Status codes_sizes(Work *work, const Codes *codes, int64_t rows, int64_t **out) {
    Status status = OK;
    int64_t block = codes->count <= FEW_CODES ? BLOCK : rows + 1, blocks = blocks_of(rows, block), *total = NULL;
    Sizes s = { .codes = codes };
    NEW(work, total, codes->count + 1);
    NEW(work, s.size, blocks * (codes->count + 1));
    TRY(parallel_for(work, rows, block, size_block, &s));
    for (int64_t b = 0; b < blocks; b++)
        for (int64_t c = 0; c < codes->count; c++) total[c] += s.size[b * (codes->count + 1) + 1 + c];
    *out = total;
done:
    arena_drop(work->arena, s.size);
    return status;
}

void codes_drop(Work *work, const Column *column, Codes *codes) {
    if (codes->at != (column->type == CATEGORY_TYPE ? column->code : NULL)) arena_drop(work->arena, (int32_t *)(uintptr_t)codes->at);
    arena_drop(work->arena, codes->first_row);
    *codes = (Codes){ 0 };
}
