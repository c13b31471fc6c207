/* Columns of words: a dictionary per chunk, all of them merged and sorted, or text where words hardly repeat. */
#include <stdlib.h>
#include <string.h>
#include "base/digits.h"
#include "io/csv/private.h"

enum { POOL = 1 << 16 };

/* ---- one chunk ---- */

/* A word of up to sixteen bytes is its length, its first eight bytes and its last eight (short ones filled up with zeros). */
typedef struct Key {
    uint64_t head, tail;
    uint32_t length, hash;
} Key;

static inline uint64_t mix(uint64_t a, uint64_t b) {
    unsigned __int128 product = (unsigned __int128)(a ^ 0x9E3779B97F4A7C15u) * (b ^ 0xE7037ED1A0B428DBu);
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline Key key_of(const char *at, size_t length, bool roomy) {
    Key key = { 0, 0, (uint32_t)length, 0 };
    if (length >= 8) {
        key.head = load_eight(at);
        key.tail = load_eight(at + length - 8);
    } else if (roomy && length) {
        key.head = load_eight(at + length - 8) >> (64 - 8 * length);
    } else {
        for (size_t i = 0; i < length; i++) key.head |= (uint64_t)(unsigned char)at[i] << (8 * i);
    }
    uint64_t hash = mix(key.head + length, key.tail);
    for (size_t i = 8; i + 8 < length; i += 8) hash = mix(hash, load_eight(at + i));
    key.hash = (uint32_t)(hash >> 32);
    return key;
}

/* Where the word is, or the free slot where it belongs. */
static inline Slot *find_slot(const Words *words, const Key *key, const char *at) {
    uint64_t mask = (uint64_t)words->slots - 1, i = key->hash & mask;
    for (;; i = (i + 1) & mask) {
        Slot *slot = &words->slot[i];
        if (!slot->index) return slot;
        if (slot->head != key->head || slot->tail != key->tail || slot->length != key->length) continue;
        if (key->length <= 16 || !memcmp(words->word[slot->index - 1].at, at, key->length)) return slot;
    }
}

static void fill_slots(Words *words) {
    memset(words->slot, 0, (size_t)words->slots * sizeof *words->slot);
    for (int64_t i = 0; i < words->count; i++) {
        Key key = key_of(words->word[i].at, words->word[i].length, false);
        *find_slot(words, &key, words->word[i].at) = (Slot){ key.head, key.tail, key.length, (uint32_t)i + 1 };
    }
}

/* Words that hardly repeat are not worth an index: after the first thousand it is seen. */
static bool grow(Words *words) {
    enum { ENOUGH = 1024 };
    words->listed |= !words->indexed && words->count >= ENOUGH && words->count > words->asked - words->asked / 8;
    int64_t capacity = words->capacity ? words->capacity * 2 : 64;
    Word *word = realloc(words->word, (size_t)capacity * sizeof *word);
    if (!word) return false;
    words->word = word;
    words->capacity = capacity;
    if (words->listed) return true;
    Slot *slot = realloc(words->slot, (size_t)capacity * 2 * sizeof *slot);
    if (!slot) return false;
    words->slot = slot;
    words->slots = capacity * 2;
    fill_slots(words);
    return true;
}

int32_t words_code(Words *words, const char *at, size_t length, bool roomy) {
    if (words->count >= words->capacity && !grow(words)) return -1;
    words->asked++;
    if (words->listed) {
        words->word[words->count] = (Word){ at, (uint32_t)length, 0 };
        return (int32_t)words->count++;
    }
    Key key = key_of(at, length, roomy);
    Slot *slot = find_slot(words, &key, at);
    if (!slot->index) {
        words->word[words->count++] = (Word){ at, (uint32_t)length, key.hash };
        *slot = (Slot){ key.head, key.tail, key.length, (uint32_t)words->count };
    }
    return (int32_t)slot->index - 1;
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

/* Distinct words of the column, in order of appearance; false in *few where there are so many that it is text. */
static Status merge(Csv *csv, int64_t column, Words *all, bool *few) {
    const Field *field = &csv->field[column];
    *few = true;
    for (int64_t i = 0; i < csv->chunks && *few; i++) {
        const Words *words = &field->words[i];
        for (int64_t j = 0; j < words->count && *few; j++) {
            if (words_code(all, words->word[j].at, words->word[j].length, false) < 0) return out_of_memory(csv->work.error);
            *few = field->declared ? all->count < INT32_MAX : !words_are_many(all->count, csv->rows);
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

/* Sorts the words and makes the dictionary; afterwards a word's slot has its code. */
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
    if (count) fill_slots(all);
done:
    arena_drop(csv->work.arena, words);
    arena_drop(csv->work.arena, bytes);
    return status;
}

typedef struct Mapping {
    const Csv *csv;
    int64_t column;
    const Words *all;
    Column *text;
    uint64_t *bytes;
} Mapping;

/* A chunk's own codes become the column's. */
static Status map_chunk(void *self, int64_t chunk, int64_t first, int64_t last, Error *error) {
    (void)first, (void)last;
    const Mapping *m = self;
    const Words *words = &m->csv->field[m->column].words[chunk];
    int32_t *map = malloc((size_t)(words->count + 1) * sizeof *map), *code = m->csv->field[m->column].column->code;
    bool gone = false;
    if (!map) return out_of_memory(error);
    for (int64_t i = 0; i < words->count; i++) {
        const Word *word = &words->word[i];
        Key key = key_of(word->at, word->length, false);
        map[i] = (int32_t)find_slot(m->all, &key, word->at)->index - 1;
        gone |= map[i] < 0;
    }
    for (int64_t row = m->csv->chunk[chunk].first_row; row < csv_last_row(m->csv, chunk); row++)
        if (words->count) code[row] = map[code[row]];
    free(map);
    return gone ? file_changed(m->csv->file, error) : OK;
}

static Status measure_chunk(void *self, int64_t chunk, int64_t first, int64_t last, Error *error) {
    (void)first, (void)last, (void)error;
    const Mapping *m = self;
    const Column *codes = m->csv->field[m->column].column;
    const Words *words = &m->csv->field[m->column].words[chunk];
    uint64_t bytes = 0;
    for (int64_t row = m->csv->chunk[chunk].first_row; row < csv_last_row(m->csv, chunk); row++)
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
    for (int64_t row = m->csv->chunk[chunk].first_row; row < csv_last_row(m->csv, chunk); row++) {
        m->text->offset[row] = at;
        if (!column_missing(codes, row)) {
            const Word *word = &words->word[codes->code[row]];
            memcpy(m->text->bytes + at, word->at, word->length);
            at += word->length;
        }
        m->text->bytes[at++] = 0;
    }
    bytes_let_go(m->csv->from, m->csv->chunk[chunk].at, m->csv->chunk[chunk].end);
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
    if (!m->text->bytes) TRY(out_of_memory(csv->work.error));
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
    Words all = { .indexed = true };
    bool few = false;
    Mapping mapping = { csv, column, &all, NULL, NULL };
    if (!(field->declared && field->type == TEXT_TYPE)) TRY(merge(csv, column, &all, &few));
    if (few) {
        TRY(make_dictionary(csv, &all, &field->column->words));
        TRY(parallel_for(&csv->work, csv->chunks, 1, map_chunk, &mapping));
    } else {
        TRY(make_text(csv, &mapping));
    }
    field->column->by_number = !field->declared;
done:
    words_free(&all);
    return status;
}
