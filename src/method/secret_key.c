/* Keys: a file's bytes hashed, or a stream of the seed. */
#include "method/secret_key.h"
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

Status shift_key(Run *run, const char *file, int64_t days, const Table *apart, SecretKey *out) {
    Status status = OK;
    unsigned char table[FINGERPRINT] = { 0 };
    uint64_t word[4];
    if (file) TRY(secret_key(run, file, "shift-dates", out));
    else {
        RandomStream stream = stream_make(&run->session->seed, "protect.shift-dates", 0, "", "shift-dates");
        memcpy(out->bytes, stream.key, sizeof out->bytes);
    }
    if (apart && !file) table_fingerprint(apart, table);
    for (uint64_t i = 0; i < 4; i++) word[i] = secret_word(out, (uint64_t)days << 8 | i, table, sizeof table);
    _Static_assert(sizeof word == sizeof out->bytes, "a key is four words");
    memcpy(out->bytes, word, sizeof out->bytes);
done:
    return status;
}
