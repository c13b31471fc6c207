/* Finding where records and fields end: 64 bytes at a time, as bit masks. */
#include <stdlib.h>
#include <string.h>
#include "base/digits.h"
#include "io/csv/private.h"
#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum { CHUNK = 1 << 20 };

/* Bit i of each: byte i is that character. */
typedef struct Masks {
    uint64_t separator, newline, quote;
} Masks;
typedef Masks MaskReader(const char *p, char separator);
#define INLINE static inline __attribute__((always_inline))

#if defined(__x86_64__)
INLINE uint64_t equal64(const __m128i *block, char c) {
    __m128i want = _mm_set1_epi8(c);
    uint64_t mask = 0;
    for (int i = 0; i < 4; i++) mask |= (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(block[i], want)) << (16 * i);
    return mask;
}
INLINE Masks masks_plain(const char *p, char separator) {
    __m128i block[4];
    for (int i = 0; i < 4; i++) block[i] = _mm_loadu_si128((const __m128i *)(const void *)(p + 16 * i));
    return (Masks){ equal64(block, separator), equal64(block, '\n'), equal64(block, '"') };
}
#else
INLINE Masks masks_plain(const char *p, char separator) {
    Masks masks = { 0, 0, 0 };
    for (int i = 0; i < 64; i++) {
        masks.separator |= (uint64_t)(p[i] == separator) << i;
        masks.newline |= (uint64_t)(p[i] == '\n') << i;
        masks.quote |= (uint64_t)(p[i] == '"') << i;
    }
    return masks;
}
#endif

/* Writes the positions of the set bits and returns how many; may write up to 15 more. Eight at a time, so that the loop ends mostly as
 * predicted. */
INLINE int64_t write_positions(uint32_t *out, uint64_t bits, uint32_t offset) {
    int64_t count = __builtin_popcountll(bits);
    for (int64_t done = 0; done < count; done += 8)
        for (int i = 0; i < 8; i++) {
            out[done + i] = offset + (uint32_t)__builtin_ctzll(bits | (uint64_t)1 << 63);
            bits &= bits - 1;
        }
    return count;
}

/* The same loops again for processors with wider registers and bit instructions, chosen while running. */
#if defined(__x86_64__)
#define WIDE __attribute__((target("avx2,bmi,popcnt")))
#define WIDE_INLINE static inline __attribute__((always_inline, target("avx2,bmi,popcnt")))
WIDE_INLINE uint64_t equal64_wide(__m256i low, __m256i high, char c) {
    __m256i want = _mm256_set1_epi8(c);
    return (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, want)) |
           (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(high, want)) << 32;
}
WIDE_INLINE Masks masks_wide(const char *p, char separator) {
    __m256i low = _mm256_loadu_si256((const __m256i *)(const void *)p), high = _mm256_loadu_si256((const __m256i *)(const void *)(p + 32));
    return (Masks){ equal64_wide(low, high, separator), equal64_wide(low, high, '\n'), equal64_wide(low, high, '"') };
}

int csv_width(void) { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("popcnt"); }
#else
int csv_width(void) { return 0; }
#endif

/* Bit i: the number of quotes up to and with byte i is odd, given whether the block begins inside quotes. */
INLINE uint64_t inside_quotes(uint64_t quote, bool *within) {
    uint64_t inside = quote;
    for (int shift = 1; shift < 64; shift *= 2) inside ^= inside << shift;
    if (*within) inside = ~inside;
    *within = inside >> 63;
    return inside;
}

/* The 64 bytes at p, or fewer at the end of the file, where they are copied and filled up with 'x'. */
INLINE const char *whole_block(const char *p, const char *end, char spare[64]) {
    if (end - p >= 64) return p;
    memset(spare, 'x', 64);
    memcpy(spare, p, (size_t)(end - p));
    return spare;
}
INLINE uint64_t first_bits(int64_t count) { return count >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << count) - 1; }

/* ---- chunks ---- */

/* What is in one stretch of bytes: newlines, by whether an even or odd number of quotes stands before them in the stretch. */
typedef struct Count {
    int64_t even, odd;
    bool flips, high, nul;
} Count;
typedef struct Counting {
    const Csv *csv;
    Count *count;
} Counting;

INLINE Count count_with(const char *at, const char *end, MaskReader *masks_of) {
    Count count = { 0 };
    uint64_t high = 0;
    char spare[64];
    for (; at < end; at += 64) {
        const char *p = whole_block(at, end, spare);
        Masks masks = masks_of(p, '\0');
        count.nul |= masks.separator != 0;
        for (int i = 0; i < 64; i += 8) high |= load_eight(p + i);
        if (masks.quote || count.flips) {
            uint64_t inside = inside_quotes(masks.quote, &count.flips);
            count.odd += __builtin_popcountll(masks.newline & inside);
            count.even += __builtin_popcountll(masks.newline & ~inside);
        } else {
            count.even += __builtin_popcountll(masks.newline);
        }
    }
    count.high = high & 0x8080808080808080u;
    return count;
}
typedef Count Counter(const char *at, const char *end);
static Count count_plain(const char *at, const char *end) { return count_with(at, end, masks_plain); }
#if defined(__x86_64__)
WIDE static Count count_wide(const char *at, const char *end) { return count_with(at, end, masks_wide); }
static Counter *const counters[] = { count_plain, count_wide };
#else
static Counter *const counters[] = { count_plain };
#endif

static Status count_stretch(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    const Csv *csv = ((Counting *)self)->csv;
    const char *at = csv->data + first, *end = csv->data + last;
    Count count = counters[csv->width](at, end);
    if (count.nul) {
        csv_fail(csv, error, memchr(at, 0, (size_t)(end - at)), "there is a NUL byte");
        return error_advice(error, "This is not plain text; if it is UTF-16, say --encoding utf-16.");
    }
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

int64_t csv_last_row(const Csv *csv, int64_t chunk) { return chunk + 1 < csv->chunks ? csv->chunk[chunk + 1].first_row : csv->rows; }

/* ---- pieces ---- */

void piece_free(Piece *piece) {
    free(piece->room);
    *piece = (Piece){ 0 };
}

static Status piece_room(Piece *piece, int64_t need, Error *error) {
    if (need <= piece->capacity) return OK;
    int64_t capacity = need + need / 2 + (1 << 16);
    uint32_t *room = realloc(piece->room, (size_t)(capacity + 1) * sizeof *room);
    if (!room) return out_of_memory(error);
    piece->room = room;
    piece->ends = room + 1;
    room[0] = UINT32_MAX; /* so that the first cell, too, begins one after the end before it */
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

/* Counts the records that end in this block; false where one has a wrong number of fields. */
INLINE bool count_records(Piece *piece, int64_t columns, int64_t before, uint64_t ends, uint64_t newlines) {
    for (; newlines; newlines &= newlines - 1) {
        int64_t place = before + __builtin_popcountll(ends & ((newlines & -newlines) - 1));
        if (place + 1 != (piece->rows + 1) * columns) return false;
        piece->rows++;
    }
    return true;
}

/* How far the cutting of a piece has come. */
typedef struct Cut {
    const char *p;
    int64_t count;
    bool within, wrong;
} Cut;

typedef void Cutter(const Csv *csv, Piece *piece, const char *limit, size_t want, Cut *cut);
/* Cuts until there is no more room for ends, enough was read, or something is wrong. */
INLINE void cut_with(const Csv *csv, Piece *piece, const char *limit, size_t want, Cut *cut, MaskReader *masks_of) {
    char spare[64];
    const char *p = cut->p, *base = piece->base;
    int64_t count = cut->count, columns = csv->columns, most = piece->capacity - 96;
    for (; p < limit && count <= most && ((size_t)(p - base) < want || !piece->rows); p += 64) {
        Masks masks = masks_of(whole_block(p, csv->end, spare), csv->separator);
        uint64_t use = first_bits(limit - p), ends = (masks.separator | masks.newline) & use, newlines = masks.newline & use;
        if (masks.quote || cut->within) {
            uint64_t outside = ~inside_quotes(masks.quote & use, &cut->within);
            ends &= outside;
            newlines &= outside;
            piece->quotes = true;
        }
        if (!count_records(piece, columns, count, ends, newlines)) {
            cut->wrong = true;
            return;
        }
        count += write_positions(piece->ends + count, ends, (uint32_t)(p - base));
        if (p - base > (int64_t)UINT32_MAX - 192) {
            cut->wrong = true;
            return;
        }
    }
    cut->p = p;
    cut->count = count;
}
static void cut_plain(const Csv *csv, Piece *piece, const char *limit, size_t want, Cut *cut) {
    cut_with(csv, piece, limit, want, cut, masks_plain);
}
#if defined(__x86_64__)
WIDE static void cut_wide(const Csv *csv, Piece *piece, const char *limit, size_t want, Cut *cut) {
    cut_with(csv, piece, limit, want, cut, masks_wide);
}
static Cutter *const cutters[] = { cut_plain, cut_wide };
#else
static Cutter *const cutters[] = { cut_plain };
#endif

Status piece_next(const Csv *csv, Piece *piece, const char *at, const char *limit, size_t want, Error *error) {
    piece->base = piece->next = at;
    piece->rows = 0;
    piece->quotes = false;
    Cut cut = { at, 0, false, false };
    do {
        Status status = piece_room(piece, cut.count + 96, error);
        if (status) return status;
        cutters[csv->width](csv, piece, limit, want, &cut);
    } while (!cut.wrong && cut.p < limit && ((size_t)(cut.p - at) < want || !piece->rows));
    bool done = cut.p >= limit, unfinished = done && limit == csv->end && limit > at && limit[-1] != '\n';
    if (!cut.wrong && !cut.within && unfinished) { /* the last line has no newline */
        piece->ends[cut.count] = (uint32_t)(limit - at);
        cut.wrong = cut.count + 1 != (piece->rows + 1) * csv->columns;
        piece->rows += !cut.wrong;
    }
    if (cut.wrong || (cut.within && done)) return csv_explain(csv, at, limit, error);
    if (!piece->rows) return file_changed(csv->file, error); /* chunks are whole records */
    piece->next = at + piece->ends[piece->rows * csv->columns - 1] + 1;
    if (piece->next > limit) piece->next = limit;
    return csv->first_pass && piece->quotes ? check_quotes(csv, piece, error) : OK;
}
