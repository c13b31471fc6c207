/* Finding where records and fields end: 64 bytes at a time, as bit masks. */
#include <stdlib.h>
#include <string.h>
#include "io/csv_inside.h"
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum { CHUNK = 1 << 20 };

/* Bit i of each: byte i is that character. `odd`: some byte is NUL or not ASCII. */
typedef struct Masks { uint64_t separator, newline, quote; } Masks;

#if defined(__SSE2__)
static inline uint64_t equal64(const __m128i *block, char c) {
    __m128i want = _mm_set1_epi8(c);
    uint64_t mask = 0;
    for (int i = 0; i < 4; i++) mask |= (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(block[i], want)) << (16 * i);
    return mask;
}
static inline Masks masks_of(const char *p, char separator) {
    __m128i block[4];
    for (int i = 0; i < 4; i++) block[i] = _mm_loadu_si128((const __m128i *)(const void *)(p + 16 * i));
    return (Masks){ equal64(block, separator), equal64(block, '\n'), equal64(block, '"') };
}
static inline uint64_t high_bytes(const char *p) {
    uint64_t mask = 0;
    for (int i = 0; i < 4; i++) mask |= (uint64_t)(unsigned)_mm_movemask_epi8(_mm_loadu_si128((const __m128i *)(const void *)(p + 16 * i))) << (16 * i);
    return mask;
}
#else
static inline Masks masks_of(const char *p, char separator) {
    Masks masks = { 0, 0, 0 };
    for (int i = 0; i < 64; i++) {
        masks.separator |= (uint64_t)(p[i] == separator) << i;
        masks.newline |= (uint64_t)(p[i] == '\n') << i;
        masks.quote |= (uint64_t)(p[i] == '"') << i;
    }
    return masks;
}
static inline uint64_t high_bytes(const char *p) {
    uint64_t mask = 0;
    for (int i = 0; i < 64; i++) mask |= (uint64_t)((unsigned char)p[i] >> 7) << i;
    return mask;
}
#endif

/* Bit i: the number of quotes up to and with byte i is odd, given whether the block begins inside quotes. */
static inline uint64_t inside_quotes(uint64_t quote, bool *within) {
    uint64_t inside = quote;
    for (int shift = 1; shift < 64; shift *= 2) inside ^= inside << shift;
    if (*within) inside = ~inside;
    *within = inside >> 63;
    return inside;
}

/* The 64 bytes at p, or fewer at the end of the file, where they are copied and filled up with 'x'. */
static inline const char *whole_block(const char *p, const char *end, char spare[64]) {
    if (end - p >= 64) return p;
    memset(spare, 'x', 64);
    memcpy(spare, p, (size_t)(end - p));
    return spare;
}
static inline uint64_t first_bits(int64_t count) { return count >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << count) - 1; }

/* ---- chunks ---- */

/* What is in one stretch of bytes: newlines, by whether an even or odd number of quotes stands before them in the stretch. */
typedef struct Count { int64_t even, odd; bool flips, high; } Count;
typedef struct Counting { const Csv *csv; Count *count; } Counting;

static Status count_stretch(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    const Csv *csv = ((Counting *)self)->csv;
    Count count = { 0, 0, false, false };
    uint64_t high = 0;
    const char *at = csv->data + first, *end = csv->data + last;
    char spare[64];
    const char *nul = memchr(at, 0, (size_t)(end - at));
    if (nul) {
        csv_fail(csv, error, nul, "there is a NUL byte");
        return error_advice(error, "This is not plain text; if it is UTF-16, say --encoding utf-16.");
    }
    for (; at < end; at += 64) {
        const char *p = whole_block(at, end, spare);
        Masks masks = masks_of(p, ',');
        high |= high_bytes(p);
        if (masks.quote || count.flips) {
            uint64_t inside = inside_quotes(masks.quote, &count.flips);
            count.odd += __builtin_popcountll(masks.newline & inside);
            count.even += __builtin_popcountll(masks.newline & ~inside);
        } else {
            count.even += __builtin_popcountll(masks.newline);
        }
    }
    count.high = high != 0;
    ((Counting *)self)->count[block] = count;
    return OK;
}

/* After the first line's end at or after p that is not within quotes. */
static const char *next_record(const char *p, const char *end, bool within) {
    for (; p < end; p++) {
        within ^= *p == '"';
        if (*p == '\n' && !within) return p + 1;
    }
    return end;
}

static bool any_high(const Count *count, const Csv *csv, const Chunk *chunk) {
    if (chunk->end <= chunk->at) return false;
    for (int64_t i = (chunk->at - csv->data) / CHUNK; i <= (chunk->end - 1 - csv->data) / CHUNK; i++)
        if (count[i].high) return true;
    return false;
}

Status csv_chunks(Csv *csv) {
    Status status = OK;
    int64_t bytes = csv->end - csv->data, chunks = blocks_of(bytes, CHUNK);
    Counting counting = { csv, NULL };
    NEW(&csv->work, counting.count, chunks);
    NEW(&csv->work, csv->chunk, chunks);
    TRY(parallel_for(&csv->work, bytes, CHUNK, count_stretch, &counting));
    bool within = false;
    int64_t newlines = 0;
    for (int64_t i = 0; i < chunks; i++) {
        const Count *count = &counting.count[i];
        csv->chunk[i].at = i ? next_record(csv->data + i * CHUNK, csv->end, within) : csv->data;
        csv->chunk[i].first_row = i ? newlines + 1 : 0;
        if (i) csv->chunk[i - 1].end = csv->chunk[i].at;
        newlines += within ? count->odd : count->even;
        within ^= count->flips;
    }
    if (chunks) csv->chunk[chunks - 1].end = csv->end;
    for (int64_t i = 0; i < chunks; i++) csv->chunk[i].high = any_high(counting.count, csv, &csv->chunk[i]);
    csv->chunks = chunks;
    csv->rows = newlines + (bytes && csv->end[-1] != '\n'); /* a quote that never closes is found when the records are read */
    arena_drop(csv->work.arena, counting.count);
done:
    return status;
}

/* ---- pieces ---- */

void piece_free(Piece *piece) {
    free(piece->ends);
    *piece = (Piece){ 0 };
}

static Status piece_room(Piece *piece, int64_t need, Error *error) {
    if (need <= piece->capacity) return OK;
    int64_t capacity = need + need / 2 + 4096;
    uint32_t *ends = realloc(piece->ends, (size_t)capacity * sizeof *ends);
    if (!ends) return fail(error, FAILED, "out of memory");
    piece->ends = ends;
    piece->capacity = capacity;
    return OK;
}

/* The quotes of a cell are in order: none, or around it and doubled within. */
static bool quotes_right(const Cell *cell) {
    const char *at = cell->at, *end = cell->end;
    if (at == end) return true;
    if (*at != '"') return !memchr(at, '"', (size_t)(end - at));
    if (end - at < 2 || end[-1] != '"') return false;
    for (at++, end--; (at = memchr(at, '"', (size_t)(end - at))); at += 2)
        if (at + 1 == end || at[1] != '"') return false;
    return true;
}

static Status check_quotes(const Csv *csv, const Piece *piece, Error *error) {
    for (int64_t row = 0; row < piece->rows; row++)
        for (int64_t column = 0; column < csv->columns; column++) {
            Cell cell = piece_cell(csv, piece, row, column);
            if (!quotes_right(&cell)) return csv_explain(csv, piece->base, piece->next, error);
        }
    return OK;
}

/* Appends the positions of the set bits; eight at a time, so that the loop ends mostly as predicted. */
static inline uint32_t *put_positions(uint32_t *out, uint64_t bits, uint32_t offset) {
    uint32_t *last = out + __builtin_popcountll(bits);
    while (bits) {
        for (int i = 0; i < 8; i++) {
            out[i] = offset + (uint32_t)__builtin_ctzll(bits | (uint64_t)1 << 63);
            bits &= bits - 1;
        }
        out += 8;
    }
    return last;
}

/* Counts the records that end in this block; false where one has a wrong number of fields. */
static inline bool count_records(Piece *piece, int64_t columns, int64_t before, uint64_t ends, uint64_t newlines) {
    for (; newlines; newlines &= newlines - 1) {
        int64_t place = before + __builtin_popcountll(ends & ((newlines & -newlines) - 1));
        if (place + 1 != (piece->rows + 1) * columns) return false;
        piece->rows++;
    }
    return true;
}

Status piece_next(const Csv *csv, Piece *piece, const char *at, const char *limit, size_t want, Error *error) {
    piece->base = piece->next = at;
    piece->rows = 0;
    piece->quotes = false;
    int64_t count = 0;
    bool within = false, right = true;
    const char *p = at;
    char spare[64];
    for (; right && p < limit && ((size_t)(p - at) < want || !piece->rows); p += 64) {
        if ((uint64_t)(p - at) > UINT32_MAX - 64) return csv_explain(csv, at, limit, error);
        Status status = piece_room(piece, count + 80, error);
        if (status) return status;
        Masks masks = masks_of(whole_block(p, csv->end, spare), csv->separator);
        uint64_t use = first_bits(limit - p), ends = (masks.separator | masks.newline) & use, newlines = masks.newline & use;
        if (masks.quote || within) {
            uint64_t outside = ~inside_quotes(masks.quote & use, &within);
            ends &= outside;
            newlines &= outside;
            piece->quotes = true;
        }
        right = count_records(piece, csv->columns, count, ends, newlines);
        count = put_positions(piece->ends + count, ends, (uint32_t)(p - at)) - piece->ends;
    }
    bool unfinished = p >= limit && limit == csv->end && limit > at && limit[-1] != '\n';
    if (right && !within && unfinished) { /* the last line has no newline */
        piece->ends[count] = (uint32_t)(limit - at);
        right = count + 1 == (piece->rows + 1) * csv->columns;
        piece->rows += right;
    }
    if (!right || (within && p >= limit)) return csv_explain(csv, at, limit, error);
    if (piece->rows) piece->next = at + piece->ends[piece->rows * csv->columns - 1] + 1;
    if (piece->next > limit) piece->next = limit;
    return csv->first_pass && piece->quotes ? check_quotes(csv, piece, error) : OK;
}
