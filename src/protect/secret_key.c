/* Keys: the file's bytes hashed; words by BLAKE2b. */
#include "protect/secret_key.h"
#include <sodium.h>
#include <string.h>

Status secret_key(Run *run, const char *file, const char *purpose, SecretKey *out) {
    Status status = OK;
    const Host *host = run->session->host;
    const char *bytes = NULL;
    size_t count = 0;
    if (!file) {
        RandomStream stream = run_stream(run, "", purpose);
        memcpy(out->bytes, stream.key, sizeof out->bytes);
        return OK;
    }
    if (!host || !host->bytes) TRY(fail(run->work.error, BAD, "this caller lends no files"));
    TRY(host->bytes(host->self, file, &run->work, &bytes, &count, run->work.error));
    if (count < 16) {
        fail(run->work.error, BAD, "a secret of %zu bytes can be guessed", count);
        error_advice(run->work.error, "head -c 32 /dev/urandom > FILE makes one. Protect it like the data.");
        TRY(error_parameter(run->work.error, "key"));
    }
    crypto_generichash_state state; /* one file, and yet a key of its own for each purpose */
    crypto_generichash_init(&state, NULL, 0, sizeof out->bytes);
    crypto_generichash_update(&state, (const uint8_t *)purpose, strlen(purpose) + 1);
    crypto_generichash_update(&state, (const uint8_t *)bytes, count);
    crypto_generichash_final(&state, out->bytes, sizeof out->bytes);
done:
    return status;
}

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
