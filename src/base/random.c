/* Keyed streams (ChaCha20 under BLAKE2b-derived keys) and the system's generator. */
#include "base/random.h"
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include "base/elementary.h"
#include "base/sort.h"

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

RandomStream stream_make(const Seed *seed, const char *method, int64_t step, const char *column, const char *purpose) {
    RandomStream stream;
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
void stream_words(const RandomStream *stream, uint64_t first, size_t count, uint64_t *out) {
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

enum { BLOCK = 1 << 16, TOP = 14 };
typedef struct {
    const RandomStream *stream;
    uint64_t *word;
} Draw;

static Status draw_block(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    (void)block, (void)error;
    const Draw *d = self;
    stream_words(d->stream, (uint64_t)first, (size_t)(last - first), d->word + first);
    return OK;
}

Status stream_permutation(Work *work, const RandomStream *stream, int64_t n, int64_t *out) {
    Status status = OK;
    Keyed keyed = { 0 };
    if (n > INT32_MAX) return fail(work->error, FAILED, "more than 2^31 records cannot be shuffled at once");
    TRY(keyed_new(work, n, &keyed));
    TRY(parallel_for(work, n, BLOCK, draw_block, &(Draw){ stream, keyed.key }));
    for (int64_t i = 0; i < n; i++) keyed.row[i] = (int32_t)i;
    TRY(keyed_sort(work, keyed, n));
    for (int64_t i = 0; i < n; i++) out[i] = keyed.row[i];
done:
    keyed_drop(work, &keyed);
    return status;
}

/* Words are uniform: the last place is found among those few that share its leading bits. */
static Status last_chosen(Work *work, const uint64_t *word, int64_t n, int64_t count, uint64_t *most, int64_t *row) {
    Status status = OK;
    Keyed few = { 0 };
    int64_t *size = NULL, before = 0, bucket = 0, used = 0;
    NEW(work, size, 1 << TOP);
    for (int64_t i = 0; i < n; i++) size[word[i] >> (64 - TOP)]++;
    while (before + size[bucket] < count) before += size[bucket++];
    TRY(keyed_new(work, size[bucket], &few));
    for (int64_t i = 0; i < n; i++)
        if ((int64_t)(word[i] >> (64 - TOP)) == bucket) {
            few.key[used] = word[i];
            few.row[used++] = (int32_t)i;
        }
    TRY(keyed_sort(work, few, used));
    *most = few.key[count - before - 1];
    *row = few.row[count - before - 1];
done:
    arena_drop(work->arena, size);
    keyed_drop(work, &few);
    return status;
}

Status stream_choose(Work *work, const RandomStream *stream, int64_t n, int64_t count, uint64_t *chosen) {
    Status status = OK;
    uint64_t *word = NULL, most = 0;
    int64_t row = 0;
    if (n > INT32_MAX) return fail(work->error, FAILED, "more than 2^31 records cannot be chosen from at once");
    memset(chosen, 0, (size_t)blocks_of(n, 64) * sizeof *chosen);
    if (count <= 0) return OK;
    NEW(work, word, n);
    TRY(parallel_for(work, n, BLOCK, draw_block, &(Draw){ stream, word }));
    TRY(last_chosen(work, word, n, count, &most, &row));
    for (int64_t i = 0; i < n; i++) chosen[i >> 6] |= (uint64_t)(word[i] < most || (word[i] == most && i <= row)) << (i & 63);
done:
    arena_drop(work->arena, word);
    return status;
}

RandomReader reader_make(const RandomStream *stream) { return (RandomReader){ .stream = *stream, .at = 32 }; }

uint64_t reader_word(RandomReader *reader) {
    if (reader->at == 32) {
        stream_words(&reader->stream, reader->next, 32, reader->words);
        reader->next += 32;
        reader->at = 0;
    }
    return reader->words[reader->at++];
}

double reader_uniform(RandomReader *reader) { return word_uniform(reader_word(reader)); }

/* Marsaglia's polar method, one of the pair kept out for simplicity of state. */
double reader_normal(RandomReader *reader) {
    for (;;) {
        double u = 2 * reader_uniform(reader) - 1, v = 2 * reader_uniform(reader) - 1, s = u * u + v * v;
        if (s > 0 && s < 1) return u * sqrt(-2 * log(s) / s);
    }
}

uint64_t reader_below(RandomReader *reader, uint64_t n) {
    uint64_t limit = UINT64_MAX - UINT64_MAX % n, word;
    do word = reader_word(reader);
    while (word >= limit);
    return word % n;
}
