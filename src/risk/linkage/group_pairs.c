/* Pairs of one group by what they agree on. All counts are whole numbers below the square of the records: a word holds them. */
#include "risk/linkage/group_pairs.h"
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum { LANES = 16, WIDEST = LANES * sizeof(uint32_t) };
_Static_assert((int)AGREE_COLUMNS <= (int)LANES, "a set of columns is a mask of lanes");
_Static_assert((int)WIDEST <= (int)LINE_PAD, "lanes of the last line are read to the end");

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

/* ---- Pair by pair ---- */

static inline const uint8_t *codes_of(const uint64_t *line) { return (const uint8_t *)(line + 1); }

static inline void next_place(uint64_t **in) {
    uint64_t *first = in[0];
    in[0] = in[1], in[1] = in[2], in[2] = in[3], in[3] = first;
}
_Static_assert((int)ABREAST == 4, "as many places as are written out");

/* One original with all released lines, or with those whose bits are set. `counted`: lanes that count, after the first `skip`. Pairs that
 * follow one another are counted in turn in ABREAST places, for they are often of one set, and a count that was just stored is long in
 * coming back. */
typedef struct Counts {
    uint32_t counted;
    int skip;
    uint64_t *in[ABREAST];
} Counts;
#define PAIRS_OF_WIDTH(WIDTH)                                                                                                              \
    __attribute__((always_inline)) static inline void one_with_one_##WIDTH(const uint64_t *a, const uint64_t *b, bool single, Counts *c) { \
        const uint64_t records = single ? 1 : (uint64_t)(uint32_t)a[0] * (uint32_t)b[0];                                                   \
        c->in[0][(same_##WIDTH(codes_of(a), codes_of(b)) & c->counted) >> c->skip] += records;                                             \
        next_place(c->in);                                                                                                                 \
    }                                                                                                                                      \
    static void one_with_all_##WIDTH(const uint64_t *a, const uint64_t *b, int64_t count, int stride, Counts c) {                          \
        c.counted &= ~same_##WIDTH(codes_of(a), missing);                                                                                  \
        for (int64_t i = 0; i < count; i++, b += stride) one_with_one_##WIDTH(a, b, false, &c);                                            \
    }                                                                                                                                      \
    __attribute__((always_inline)) static inline void one_with_bits_##WIDTH(const uint64_t *a, const uint64_t *b, const uint64_t *bits,    \
                                                                            int stride, bool single, Counts c) {                           \
        c.counted &= ~same_##WIDTH(codes_of(a), missing);                                                                                  \
        for (int w = 0; w < BIT_WORDS; w++, b += 64 * stride)                                                                              \
            for (uint64_t left = bits[w]; left; left &= left - 1) one_with_one_##WIDTH(a, b + __builtin_ctzll(left) * stride, single, &c); \
    }                                                                                                                                      \
    static void one_with_some_##WIDTH(const uint64_t *a, const uint64_t *b, const uint64_t *bits, int stride, bool single, Counts c) {     \
        if (single && stride == 3) one_with_bits_##WIDTH(a, b, bits, 3, true, c);                                                          \
        else if (single && stride == 2) one_with_bits_##WIDTH(a, b, bits, 2, true, c);                                                     \
        else one_with_bits_##WIDTH(a, b, bits, stride, single, c);                                                                         \
    }
static const uint8_t missing[WIDEST];
PAIRS_OF_WIDTH(8)
PAIRS_OF_WIDTH(16)
PAIRS_OF_WIDTH(32)

static Counts counts_from(const Layout *l, int first, uint64_t *pairs) {
    return (Counts){ (UINT32_C(1) << l->columns) - (UINT32_C(1) << first),
                     first,
                     { pairs, pairs + l->apart, pairs + 2 * l->apart, pairs + 3 * l->apart } };
}

void agree_pairwise(const Layout *l, const Group *g, int first, uint64_t *pairs) {
    const int stride = l->tuples->stride, width = l->tuples->width;
    const Counts counts = counts_from(l, first, pairs);
    for (const uint64_t *a = g->line[0], *end = a + g->count[0] * stride; a < end; a += stride)
        (width == 8 ? one_with_all_8 : width == 16 ? one_with_all_16 : one_with_all_32)(a, g->line[1], g->count[1], stride, counts);
}

/* ---- By bits ---- */

static inline uint64_t *bits_of(const Field *f, int64_t codes, const uint64_t *line, uint64_t *bits) {
    return bits + (codes + (int64_t)((line[f->word] & f->mask) >> f->shift)) * BIT_WORDS;
}

/* Some released lines, BIT_WORDS·64 at most, with all originals. A missing cell has bits as well: no line sets them. */
static void some_by_bits(const Layout *l, const Group *g, int first, int stop, const int64_t *codes, uint64_t *bits, uint64_t *pairs) {
    const int stride = l->tuples->stride, width = l->tuples->width;
    const Counts counts = counts_from(l, first, pairs);
    const uint64_t *released = g->line[1];
    for (int j = first; j < stop; j++)
        for (int64_t i = 0; i < g->count[1]; i++)
            if (released[i * stride + l->field[j].word] & l->field[j].mask)
                bits_of(&l->field[j], codes[j], released + i * stride, bits)[i / 64] |= UINT64_C(1) << i % 64;
    for (const uint64_t *a = g->line[0], *end = a + g->count[0] * stride; a < end; a += stride) {
        uint64_t which[BIT_WORDS] = { 0 }, any = 0;
        for (int j = first; j < stop; j++) {
            const uint64_t *own = bits_of(&l->field[j], codes[j], a, bits);
            for (int w = 0; w < BIT_WORDS; w++) any |= which[w] |= own[w];
        }
        if (!any) continue;
        (width == 8 ? one_with_some_8 : width == 16 ? one_with_some_16 : one_with_some_32)(a, released, which, stride, l->single, counts);
    }
    for (int j = first; j < stop; j++)
        if (l->values[j] < g->count[1]) memset(bits + codes[j] * BIT_WORDS, 0, ((size_t)l->values[j] + 1) * BIT_WORDS * sizeof *bits);
        else
            for (int64_t i = 0; i < g->count[1]; i++)
                memset(bits_of(&l->field[j], codes[j], released + i * stride, bits), 0, BIT_WORDS * sizeof *bits);
}

void agree_by_bits(const Layout *l, const Group *g, int first, int stop, const int64_t *codes, uint64_t *bits, uint64_t *pairs) {
    enum { AT_ONCE = BIT_WORDS * 64 };
    for (int64_t i = 0; i < g->count[1]; i += AT_ONCE) {
        Group some = *g;
        some.line[1] += i * l->tuples->stride;
        some.count[1] = g->count[1] - i < AT_ONCE ? g->count[1] - i : AT_ONCE;
        some_by_bits(l, &some, first, stop, codes, bits, pairs);
    }
}

/* ---- By a cube: a cell for every combination of codes ---- */

int64_t cube_cells(const Layout *l, int first, int64_t most) {
    int64_t cells = 1;
    for (int j = first; j < l->columns && cells <= most; j++) cells *= (int64_t)l->values[j] + 1;
    return cells;
}

/* The columns of a cube, first the one whose codes stand side by side. A cube that holds the common one has its columns first, so that a
 * line's cell there is a part of its cell here. */
typedef struct Cube {
    int columns, place[AGREE_COLUMNS];
    int64_t codes[AGREE_COLUMNS], step[AGREE_COLUMNS], cells;
} Cube;
static Cube cube_of(const Layout *l, int first) {
    const int inner = first < l->cube ? l->cube : first;
    Cube cube = { .cells = 1 };
    for (int j = inner; j < l->columns; j++) cube.place[cube.columns++] = j;
    for (int j = inner - 1; j >= first; j--) cube.place[cube.columns++] = j;
    for (int d = 0; d < cube.columns; d++) {
        cube.codes[d] = (int64_t)l->values[cube.place[d]] + 1;
        cube.step[d] = cube.cells;
        cube.cells *= cube.codes[d];
    }
    return cube;
}

static inline uint64_t cell_from(const Layout *l, const Cube *cube, int from, const uint64_t *line, uint64_t cell) {
    for (int d = from; d < cube->columns; d++) {
        const Field *f = &l->field[cube->place[d]];
        cell += (uint64_t)cube->step[d] * ((line[f->word] & f->mask) >> f->shift);
    }
    return cell;
}

/* Code 0 of every column is missing, which agrees with nothing: its cells become the sums over the column, where it is not asked for. Of
 * the column whose codes stand side by side they are taken row by row. */
static void add_up(const Cube *cube, uint64_t *cell) {
    for (int d = 1; d < cube->columns; d++) {
        const int64_t step = cube->step[d], length = step * cube->codes[d];
        for (uint64_t *block = cell; block < cell + cube->cells; block += length)
            for (int64_t i = 0; i < step; i++) {
                uint64_t sum = block[i];
                for (int64_t at = i + step; at < length; at += step) sum += block[at];
                block[i] = sum;
            }
    }
}

static inline uint64_t pairs_in(uint64_t cell) { return (cell & UINT32_MAX) * (cell >> 32); }

static void count_cells(const Cube *cube, uint64_t *cell, uint64_t *pairs) {
    const int64_t codes = cube->codes[0];
    int64_t code[AGREE_COLUMNS] = { 0 };
    uint32_t set = 0;
    if (!cube->columns) {
        pairs[0] += pairs_in(cell[0]);
        return;
    }
    add_up(cube, cell);
    for (const uint64_t *row = cell; row < cell + cube->cells; row += codes) {
        uint64_t sum = 0, total = row[0];
        for (int64_t c = 1; c < codes; c++) {
            sum += pairs_in(row[c]);
            total += row[c];
        }
        pairs[set | UINT32_C(1) << cube->place[0]] += sum;
        pairs[set] += pairs_in(total);
        for (int d = 1; d < cube->columns; d++) { /* the next row's codes */
            if (++code[d] < cube->codes[d]) {
                set |= UINT32_C(1) << cube->place[d];
                break;
            }
            code[d] = 0;
            set &= ~(UINT32_C(1) << cube->place[d]);
        }
    }
}

/* Counts of originals and released records are added up in one word: neither comes to 2³¹. */
void agree_by_cube(const Layout *l, const Group *g, int first, uint64_t *cell, uint64_t *pairs) {
    const int stride = l->tuples->stride, known = first <= l->cube ? l->columns - l->cube : 0;
    const Cube cube = cube_of(l, first);
    memset(cell, 0, (size_t)cube.cells * sizeof *cell);
    for (int side = 0; side < 2; side++) {
        const uint64_t *line = g->line[side];
        for (const uint64_t *end = line + g->count[side] * stride; line < end; line += stride)
            cell[cell_from(l, &cube, known, line, known ? line[0] >> 32 : 0)] += (line[0] & UINT32_MAX) << 32 * side;
    }
    count_cells(&cube, cell, pairs);
}

void agree_all_by_cube(const Layout *l, int first, uint64_t *cell, uint64_t *pairs) {
    const TupleSet *t = l->tuples;
    const Cube cube = cube_of(l, first);
    memset(cell, 0, (size_t)cube.cells * sizeof *cell);
    for (int64_t g = 0; g < t->count; g++) cell[cell_from(l, &cube, 0, tuple_line(t, g), 0)] += tuple_line(t, g)[0];
    count_cells(&cube, cell, pairs);
}

uint32_t cube_cell(const Layout *l, const uint64_t *line) {
    uint64_t at = 0;
    for (int j = l->columns - 1; j >= l->cube; j--)
        at = at * ((uint64_t)l->values[j] + 1) + ((line[l->field[j].word] & l->field[j].mask) >> l->field[j].shift);
    return (uint32_t)at;
}
