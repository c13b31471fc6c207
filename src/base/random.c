/* Keyed streams (ChaCha20 under BLAKE2b-derived keys) and the system's generator. */
#include "base/random.h"
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include "base/elementary.h"

Status system_random(void *out, size_t count, Error *error) {
    char *at = out;
    while (count) {
        ssize_t got =
            getrandom(at, count < 256 ? count : 256, 0); /* straight from the kernel: nothing is buffered, so fork shares nothing */
        if (got <= 0) return fail(error, FAILED, "the system's random generator does not answer");
        at += got;
        count -= (size_t)got;
    }
    return OK;
}

Status seed_fresh(Seed *seed, Error *error) {
    *seed = (Seed){ 0 };
    return system_random(seed->bytes, sizeof seed->bytes, error);
}

Seed seed_from_number(uint64_t number) {
    Seed seed = { .guessable = true };
    for (int i = 0; i < 8; i++) seed.bytes[i] = (uint8_t)(number >> (8 * i));
    return seed;
}

void seed_to_hex(const Seed *seed, char out[65]) { sodium_bin2hex(out, 65, seed->bytes, 32); }

Status seed_from_hex(const char *hex, Seed *seed, Error *error) {
    size_t count = 0;
    *seed = (Seed){ 0 };
    if (sodium_hex2bin(seed->bytes, 32, hex, strlen(hex), " \r\n\t", &count, NULL) || count != 32)
        return fail(error, BAD, "a seed file holds 64 hexadecimal digits");
    return OK;
}

static void hash_text(crypto_generichash_state *state, const char *text) {
    uint64_t length = text ? strlen(text) : UINT64_MAX; /* lengths first: no two sequences of names hash alike */
    crypto_generichash_update(state, (const unsigned char *)&length, sizeof length);
    if (text) crypto_generichash_update(state, (const unsigned char *)text, strlen(text));
}

Stream stream_make(const Seed *seed, const char *method, int64_t step, const char *column, const char *purpose) {
    Stream stream;
    crypto_generichash_state state;
    crypto_generichash_init(&state, seed->bytes, sizeof seed->bytes, sizeof stream.key);
    hash_text(&state, "scrim stream 1");
    hash_text(&state, method);
    crypto_generichash_update(&state, (const unsigned char *)&step, sizeof step);
    hash_text(&state, column);
    hash_text(&state, purpose);
    crypto_generichash_final(&state, stream.key, sizeof stream.key);
    return stream;
}

/* Eight words of 64 bits to a ChaCha20 block; the block's number is its counter. */
void stream_words(const Stream *stream, uint64_t first, size_t count, uint64_t *out) {
    static const unsigned char nonce[8] = { 0 };
    uint64_t skip = first & 7, block = first >> 3, edge[8];
    if (skip && count) {
        memset(edge, 0, sizeof edge);
        crypto_stream_chacha20_xor_ic((unsigned char *)edge, (const unsigned char *)edge, 64, nonce, block++, stream->key);
        size_t some = 8 - skip < count ? 8 - skip : count;
        memcpy(out, edge + skip, some * 8);
        out += some;
        count -= some;
    }
    if (!count) return;
    memset(out, 0, count * 8);
    crypto_stream_chacha20_xor_ic((unsigned char *)out, (const unsigned char *)out, count * 8, nonce, block, stream->key);
}

typedef struct {
    uint64_t word;
    int64_t row;
} Ticket;
static int by_ticket(const void *a, const void *b) {
    const Ticket *x = a, *y = b;
    if (x->word != y->word) return x->word < y->word ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

Status stream_permutation(Work *work, const Stream *stream, int64_t n, int64_t *out) {
    Status status = OK;
    uint64_t *words = NULL;
    Ticket *tickets = NULL, *sorted = NULL;
    int64_t *start = NULL;
    NEW(work, words, n);
    NEW(work, tickets, n);
    stream_words(stream, 0, (size_t)n, words);
    if (n < 4096) {
        for (int64_t i = 0; i < n; i++) tickets[i] = (Ticket){ words[i], i };
        qsort(tickets, (size_t)n, sizeof *tickets, by_ticket);
        for (int64_t i = 0; i < n; i++) out[i] = tickets[i].row;
    } else { /* words are uniform: bucket by their top bits, then sort each small bucket */
        enum { TOP = 14 };
        NEW(work, start, (1 << TOP) + 1);
        NEW(work, sorted, n);
        for (int64_t i = 0; i < n; i++) start[(words[i] >> (64 - TOP)) + 1]++;
        for (int64_t b = 0; b < 1 << TOP; b++) start[b + 1] += start[b];
        for (int64_t i = 0; i < n; i++) sorted[start[words[i] >> (64 - TOP)]++] = (Ticket){ words[i], i };
        for (int64_t b = 0, from = 0; b < 1 << TOP; from = start[b++])
            qsort(sorted + from, (size_t)(start[b] - from), sizeof *sorted, by_ticket);
        for (int64_t i = 0; i < n; i++) out[i] = sorted[i].row;
    }
done:
    arena_drop(work->arena, words);
    arena_drop(work->arena, tickets);
    arena_drop(work->arena, sorted);
    arena_drop(work->arena, start);
    return status;
}

Reader reader_make(const Stream *stream) { return (Reader){ .stream = *stream, .at = 32 }; }

uint64_t reader_word(Reader *reader) {
    if (reader->at == 32) {
        stream_words(&reader->stream, reader->next, 32, reader->words);
        reader->next += 32;
        reader->at = 0;
    }
    return reader->words[reader->at++];
}

double reader_uniform(Reader *reader) { return word_uniform(reader_word(reader)); }

/* Marsaglia's polar method, one of the pair kept out for simplicity of state. */
double reader_normal(Reader *reader) {
    for (;;) {
        double u = 2 * reader_uniform(reader) - 1, v = 2 * reader_uniform(reader) - 1, s = u * u + v * v;
        if (s > 0 && s < 1) return u * sqrt(-2 * log(s) / s);
    }
}

uint64_t reader_below(Reader *reader, uint64_t n) {
    uint64_t limit = UINT64_MAX - UINT64_MAX % n, word;
    do word = reader_word(reader);
    while (word >= limit);
    return word % n;
}
