/* Words that depend on a secret key. */
#include "base/secret_key.h"
#include <sodium.h>
#include "base/random.h"

uint64_t secret_word(const SecretKey *key, uint64_t number, const void *bytes, size_t count) {
    crypto_generichash_state state;
    uint8_t head[8], hash[16];
    uint64_t word = 0;
    for (int i = 0; i < 8; i++) head[i] = (uint8_t)(number >> (8 * i));
    crypto_generichash_init(&state, key->bytes, sizeof key->bytes, sizeof hash);
    crypto_generichash_update(&state, head, sizeof head);
    crypto_generichash_update(&state, bytes, count);
    crypto_generichash_final(&state, hash, sizeof hash);
    for (int i = 0; i < 8; i++) word |= (uint64_t)hash[i] << (8 * i);
    return word;
}

int64_t secret_shift(const SecretKey *key, uint64_t number, const void *bytes, size_t count, int64_t days) {
    int64_t shift = (int64_t)word_below(secret_word(key, number, bytes, count), (uint64_t)(2 * days)) - days;
    return shift >= 0 ? shift + 1 : shift;
}
