/* Pairs of one group by what they agree on. All counts are whole numbers below the square of the records: a word holds them. */
#include "risk/linkage/at_once.h"
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum { WIDEST = LANES * sizeof(uint32_t) };
_Static_assert((int)AGREE_COLUMNS <= (int)LANES, "a set of columns is a mask of lanes");

/* Bit i: the codes of lane i are the same. */
#if defined(__SSE2__)
static inline __m128i load(const uint8_t *at, int i) { return _mm_loadu_si128((const __m128i *)(const void *)at + i); }
static inline uint32_t same_8(const uint8_t *a, const uint8_t *b) {
    return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(load(a, 0), load(b, 0)));
}
static inline __m128i halves(const uint8_t *a, const uint8_t *b, int i) { return _mm_cmpeq_epi16(load(a, i), load(b, i)); }
static inline uint32_t same_16(const uint8_t *a, const uint8_t *b) {
    return (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(halves(a, b, 0), halves(a, b, 1)));
}
static inline __m128i words(const uint8_t *a, const uint8_t *b, int i) {
    return _mm_packs_epi32(_mm_cmpeq_epi32(load(a, i), load(b, i)), _mm_cmpeq_epi32(load(a, i + 1), load(b, i + 1)));
}
static inline uint32_t same_32(const uint8_t *a, const uint8_t *b) {
    return (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(words(a, b, 0), words(a, b, 2)));
}
#else
static inline uint32_t same_lanes(const uint8_t *a, const uint8_t *b, int bytes) {
    uint32_t same = 0;
    for (int i = 0; i < LANES; i++) same |= (uint32_t)!memcmp(a + i * bytes, b + i * bytes, (size_t)bytes) << i;
    return same;
}
static inline uint32_t same_8(const uint8_t *a, const uint8_t *b) { return same_lanes(a, b, 1); }
static inline uint32_t same_16(const uint8_t *a, const uint8_t *b) { return same_lanes(a, b, 2); }
static inline uint32_t same_32(const uint8_t *a, const uint8_t *b) { return same_lanes(a, b, 4); }
#endif

/* One original with all of them; `counted`: lanes that count, after the first `skip`. */
#define ONE_WITH_ALL(WIDTH)                                                                                                                \
    static void one_with_all_##WIDTH(const Chunk *c, const uint8_t *code, uint64_t records, uint32_t counted, int skip, uint64_t *pairs) { \
        static const uint8_t missing[WIDEST];                                                                                              \
        const int64_t count = c->count;                                                                                                    \
        counted &= ~same_##WIDTH(code, missing);                                                                                           \
        for (int64_t i = 0; i < count; i++)                                                                                                \
            pairs[(same_##WIDTH(code, c->code + i * (LANES * WIDTH / 8)) & counted) >> skip] += records * c->records[i];                   \
    }
ONE_WITH_ALL(8)
ONE_WITH_ALL(16)
ONE_WITH_ALL(32)

void agree_pairwise(const TupleSet *t, const uint64_t *line, int64_t count, int first, Chunk *c, uint64_t *pairs) {
    const uint64_t *end = line + count * t->stride;
    const size_t codes = (size_t)(t->stride - 1) * sizeof *line, bytes = (size_t)(LANES * t->width / 8);
    const uint32_t counted = (UINT32_C(1) << t->columns) - (UINT32_C(1) << first);
    uint8_t code[WIDEST] = { 0 };
    for (const uint64_t *b = line; b < end;) {
        for (c->count = 0; b < end && c->count < CHUNK; b += t->stride) {
            if (!line_released(b)) continue;
            memcpy(c->code + (size_t)c->count * bytes, b + 1, codes);
            c->records[c->count++] = line_released(b);
        }
        for (const uint64_t *a = line; a < end; a += t->stride) {
            if (!line_originals(a)) continue;
            memcpy(code, a + 1, codes);
            if (t->width == 8) one_with_all_8(c, code, line_originals(a), counted, first, pairs);
            else if (t->width == 16) one_with_all_16(c, code, line_originals(a), counted, first, pairs);
            else one_with_all_32(c, code, line_originals(a), counted, first, pairs);
        }
    }
}

/* ---- By a cube: a cell for every combination of codes ---- */

int64_t cube_cells(const TupleSet *t, const int32_t *values, int first, int64_t most) {
    int64_t cells = 1;
    for (int64_t j = first; j < t->columns && cells <= most; j++) cells *= (int64_t)values[j] + 1;
    return cells;
}

/* Counts of originals and released records are added up in one word: neither comes to 2³¹. */
static void fill(const TupleSet *t, const int32_t *values, const uint64_t *line, int64_t count, int first, uint64_t *cell) {
    const uint64_t mask = UINT64_MAX >> (64 - t->width);
    int word[AGREE_COLUMNS], shift[AGREE_COLUMNS], columns = 0;
    uint64_t size[AGREE_COLUMNS];
    for (int place = first; place < t->columns; place++, columns++) {
        word[columns] = 1 + place * t->width / 64;
        shift[columns] = place * t->width % 64;
        size[columns] = (uint64_t)values[place] + 1;
    }
    for (const uint64_t *end = line + count * t->stride; line < end; line += t->stride) {
        uint64_t at = 0;
        for (int j = 0; j < columns; j++) at = at * size[j] + (line[word[j]] >> shift[j] & mask);
        cell[at] += line[0];
    }
}

/* Code 0 of every column is missing, which agrees with nothing: its cells become the sums over the column, where it is not asked for. */
static void add_up(const TupleSet *t, const int32_t *values, int first, int64_t cells, uint64_t *cell) {
    int64_t step = 1;
    for (int64_t j = t->columns - 1; j >= first; j--) {
        int64_t codes = (int64_t)values[j] + 1;
        for (uint64_t *block = cell; block < cell + cells; block += codes * step)
            for (int64_t c = 1; c < codes; c++)
                for (int64_t i = 0; i < step; i++) block[i] += block[c * step + i];
        step *= codes;
    }
}

static inline uint64_t pairs_in(uint64_t cell) { return (cell & UINT32_MAX) * (cell >> 32); }

void agree_by_cube(const TupleSet *t, const int32_t *values, const uint64_t *line, int64_t count, int first, uint64_t *cell,
                   uint64_t *pairs) {
    const int last = (int)t->columns - 1;
    const int64_t cells = cube_cells(t, values, first, INT64_MAX / INT32_MAX), codes = (int64_t)values[last] + 1;
    int32_t code[AGREE_COLUMNS] = { 0 };
    uint32_t set = 0;
    memset(cell, 0, (size_t)cells * sizeof *cell);
    fill(t, values, line, count, first, cell);
    add_up(t, values, first, cells, cell);
    for (const uint64_t *row = cell; row < cell + cells; row += codes) {
        uint64_t sum = 0;
        for (int64_t c = 1; c < codes; c++) sum += pairs_in(row[c]);
        pairs[set | UINT32_C(1) << last] += sum;
        if (set) pairs[set] += pairs_in(row[0]);
        for (int j = last - 1; j >= first; j--) { /* the next row's codes */
            if (++code[j] <= values[j]) {
                set |= UINT32_C(1) << j;
                break;
            }
            code[j] = 0;
            set &= ~(UINT32_C(1) << j);
        }
    }
}
