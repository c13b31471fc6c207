/* Columns of words: a dictionary per chunk, all of them merged and sorted, or text where words hardly repeat. */
#include <stdlib.h>
#include <string.h>
#include "base/digits.h"
#include "io/csv_inside.h"

enum { POOL = 1 << 16, MANY = 65536, FEW_ROWS = 1000 };

/* ---- one chunk ---- */

static uint32_t hash_word(const char *at, size_t length) {
    uint64_t hash = length * 0x9E3779B97F4A7C15u, part = 0;
    for (; length > 8; at += 8, length -= 8) {
        hash = (hash ^ load_eight(at)) * 0xFF51AFD7ED558CCDu;
        hash ^= hash >> 32;
    }
    for (size_t i = 0; i < length; i++) part |= (uint64_t)(unsigned char)at[i] << (8 * i);
    hash = (hash ^ part) * 0xC4CEB9FE1A85EC53u;
    return (uint32_t)(hash >> 32);
}

static bool same_word(const Word *word, const char *at, size_t length) { return word->length == length && !memcmp(word->at, at, length); }

/* The place of a word in an open-addressed index (index + 1; 0 = free), or of the free slot where it belongs. */
static uint32_t *find_slot(const Word *words, uint32_t *slot, int64_t slots, uint32_t hash, const char *at, size_t length) {
    uint64_t mask = (uint64_t)slots - 1, i = hash & mask;
    while (slot[i] && (words[slot[i] - 1].hash != hash || !same_word(&words[slot[i] - 1], at, length))) i = (i + 1) & mask;
    return &slot[i];
}

static bool grow_index(Words *words) {
    int64_t slots = words->slots ? words->slots * 4 : 64, capacity = slots / 2;
    uint32_t *slot = calloc((size_t)slots, sizeof *slot);
    Word *word = slot ? realloc(words->word, (size_t)capacity * sizeof *word) : NULL;
    if (!word) { free(slot); return false; }
    uint64_t mask = (uint64_t)slots - 1;
    for (int64_t i = 0; i < words->count; i++) {
        uint64_t j = word[i].hash & mask;
        while (slot[j]) j = (j + 1) & mask;
        slot[j] = (uint32_t)i + 1;
    }
    free(words->slot);
    *words = (Words){ word, words->count, capacity, slot, slots, words->pool, words->free, words->left };
    return true;
}

int32_t words_code(Words *words, const char *at, size_t length) {
    uint32_t hash = hash_word(at, length);
    if (words->count >= words->capacity && !grow_index(words)) return -1;
    uint32_t *slot = find_slot(words->word, words->slot, words->slots, hash, at, length);
    if (!*slot) {
        words->word[words->count++] = (Word){ at, (uint32_t)length, hash };
        *slot = (uint32_t)words->count;
    }
    return (int32_t)*slot - 1;
}

char *words_room(Words *words, size_t length) {
    if (length > words->left) {
        size_t size = length > POOL ? length : POOL;
        Pool *pool = malloc(sizeof *pool + size);
        if (!pool) return NULL;
        pool->next = words->pool;
        words->pool = pool;
        words->free = (char *)(pool + 1);
        words->left = size;
    }
    char *room = words->free;
    words->free += length;
    words->left -= length;
    return room;
}

void words_close(Words *words) {
    free(words->slot);
    words->slot = NULL;
    words->slots = 0;
}

void words_free(Words *words) {
    while (words->pool) {
        Pool *next = words->pool->next;
        free(words->pool);
        words->pool = next;
    }
    free(words->word);
    free(words->slot);
    *words = (Words){ 0 };
}

/* ---- all chunks ---- */

static int64_t last_row(const Csv *csv, int64_t chunk) { return chunk + 1 < csv->chunks ? csv->chunk[chunk + 1].first_row : csv->rows; }

/* Distinct words of the column, in order of appearance; false in *few where there are so many that it is text. */
static Status merge(Csv *csv, int64_t column, Words *all, bool *few) {
    const Field *field = &csv->field[column];
    int64_t most = field->declared ? INT32_MAX - 1 : MANY;
    if (!field->declared && csv->rows > FEW_ROWS && csv->rows / 2 < most) most = csv->rows / 2;
    *few = true;
    for (int64_t i = 0; i < csv->chunks && *few; i++) {
        const Words *words = &field->words[i];
        for (int64_t j = 0; j < words->count && *few; j++) {
            if (words_code(all, words->word[j].at, words->word[j].length) < 0) return fail(csv->work.error, FAILED, "out of memory");
            *few = all->count <= most;
        }
    }
    if (!*few && field->declared) return csv_fail(csv, csv->work.error, NULL, "column '%s' has too many categories", field->name);
    return OK;
}

static int by_bytes(const void *a, const void *b) {
    const Word *x = a, *y = b;
    int order = memcmp(x->at, y->at, x->length < y->length ? x->length : y->length);
    return order ? order : (x->length > y->length) - (x->length < y->length);
}

/* Sorts the words and makes the dictionary; afterwards words_code on `all` gives the code. */
static Status make_dictionary(Csv *csv, Words *all, Dictionary **out) {
    Status status = OK;
    const char **words = NULL;
    char *bytes = NULL, *p;
    int64_t count = all->count, size = 0;
    if (count) qsort(all->word, (size_t)count, sizeof *all->word, by_bytes);
    for (int64_t i = 0; i < count; i++) size += all->word[i].length + 1;
    NEW(&csv->work, words, count);
    NEW(&csv->work, bytes, size);
    p = bytes;
    for (int64_t i = 0; i < count; i++) {
        words[i] = p;
        memcpy(p, all->word[i].at, all->word[i].length);
        p += all->word[i].length + 1;
    }
    TRY(dictionary_new(words, (int32_t)count, false, out, csv->work.error));
    memset(all->slot, 0, (size_t)all->slots * sizeof *all->slot);
    for (int64_t i = 0; i < count; i++)
        *find_slot(all->word, all->slot, all->slots, all->word[i].hash, all->word[i].at, all->word[i].length) = (uint32_t)i + 1;
done:
    arena_drop(csv->work.arena, words);
    arena_drop(csv->work.arena, bytes);
    return status;
}

typedef struct Mapping { const Csv *csv; int64_t column; const Words *all; Column *text; uint64_t *bytes; } Mapping;

/* A chunk's own codes become the column's. */
static Status map_chunk(void *self, int64_t chunk, int64_t first, int64_t last, Error *error) {
    (void)first, (void)last;
    const Mapping *m = self;
    const Words *words = &m->csv->field[m->column].words[chunk];
    int32_t *map = malloc((size_t)(words->count + 1) * sizeof *map), *code = m->csv->field[m->column].column->code;
    if (!map) return fail(error, FAILED, "out of memory");
    for (int64_t i = 0; i < words->count; i++) {
        const Word *word = &words->word[i];
        map[i] = (int32_t)*find_slot(m->all->word, m->all->slot, m->all->slots, word->hash, word->at, word->length) - 1;
    }
    for (int64_t row = m->csv->chunk[chunk].first_row; row < last_row(m->csv, chunk); row++)
        if (words->count) code[row] = map[code[row]];
    free(map);
    return OK;
}

static Status measure_chunk(void *self, int64_t chunk, int64_t first, int64_t last, Error *error) {
    (void)first, (void)last, (void)error;
    const Mapping *m = self;
    const Column *codes = m->csv->field[m->column].column;
    const Words *words = &m->csv->field[m->column].words[chunk];
    uint64_t bytes = 0;
    for (int64_t row = m->csv->chunk[chunk].first_row; row < last_row(m->csv, chunk); row++)
        bytes += 1 + (column_missing(codes, row) ? 0 : words->word[codes->code[row]].length);
    m->bytes[chunk] = bytes;
    return OK;
}

static Status fill_chunk(void *self, int64_t chunk, int64_t first, int64_t last, Error *error) {
    (void)first, (void)last, (void)error;
    const Mapping *m = self;
    const Column *codes = m->csv->field[m->column].column;
    const Words *words = &m->csv->field[m->column].words[chunk];
    uint64_t at = m->bytes[chunk];
    for (int64_t row = m->csv->chunk[chunk].first_row; row < last_row(m->csv, chunk); row++) {
        m->text->offset[row] = at;
        if (!column_missing(codes, row)) {
            const Word *word = &words->word[codes->code[row]];
            memcpy(m->text->bytes + at, word->at, word->length);
            at += word->length;
        }
        m->text->bytes[at++] = 0;
    }
    return OK;
}

/* Codes and words become one run of bytes with offsets. */
static Status make_text(Csv *csv, Mapping *m) {
    Status status = OK;
    Field *field = &csv->field[m->column];
    uint64_t total = 0;
    NEW(&csv->work, m->bytes, csv->chunks);
    TRY(parallel_for(&csv->work, csv->chunks, 1, measure_chunk, m));
    for (int64_t i = 0; i < csv->chunks; i++) {
        uint64_t bytes = m->bytes[i];
        m->bytes[i] = total;
        total += bytes;
    }
    TRY(memory_fits(total, csv->work.error));
    TRY(column_unfilled(TEXT_TYPE, field->name, csv->rows, &m->text, csv->work.error));
    m->text->bytes = malloc(total ? total : 1);
    if (!m->text->bytes) TRY(fail(csv->work.error, FAILED, "out of memory"));
    TRY(parallel_for(&csv->work, csv->chunks, 1, fill_chunk, m));
    m->text->offset[csv->rows] = total;
    m->text->valid = field->column->valid;
    field->column->valid = NULL;
    column_release(field->column);
    field->column = m->text;
    m->text = NULL;
done:
    column_release(m->text);
    return status;
}

Status csv_words(Csv *csv, int64_t column) {
    Status status = OK;
    Field *field = &csv->field[column];
    Words all = { 0 };
    bool few = false;
    Mapping mapping = { csv, column, &all, NULL, NULL };
    if (!(field->declared && field->type == TEXT_TYPE)) TRY(merge(csv, column, &all, &few));
    if (few) {
        TRY(make_dictionary(csv, &all, &field->column->words));
        TRY(parallel_for(&csv->work, csv->chunks, 1, map_chunk, &mapping));
    } else {
        TRY(make_text(csv, &mapping));
    }
done:
    words_free(&all);
    return status;
}
