/* What tables hold, as a keyed hash: whoever sees it cannot try data out without the ledger's key. */
#include <sodium.h>
#include <string.h>
#include "ledger/inside.h"

static void hash_bytes(crypto_generichash_state *state, const void *bytes, size_t count) {
    uint64_t length = count;
    crypto_generichash_update(state, (const unsigned char *)&length, sizeof length);
    if (count) crypto_generichash_update(state, bytes, count);
}

static void hash_column(crypto_generichash_state *state, const Column *c) {
    size_t rows = (size_t)c->rows, width = type_wide(c->type) ? 8 : c->type == TEXT_TYPE ? 0 : 4;
    hash_bytes(state, c->name, strlen(c->name));
    hash_bytes(state, &c->type, sizeof c->type);
    if (width) hash_bytes(state, c->real, rows * width);
    if (c->type == TEXT_TYPE) {
        hash_bytes(state, c->offset, (rows + 1) * sizeof *c->offset);
        hash_bytes(state, c->bytes, (size_t)c->offset[rows]);
    }
    if (c->valid) hash_bytes(state, c->valid, (rows + 63) / 64 * 8);
    for (int32_t i = 0; c->type == CATEGORY_TYPE && i < c->words->count; i++)
        hash_bytes(state, c->words->word[i], strlen(c->words->word[i]));
}

void ledger_fingerprint(const Ledger *l, const Table *const *tables, int64_t count, char out[65]) {
    crypto_generichash_state state;
    unsigned char hash[32];
    crypto_generichash_init(&state, l->key, sizeof l->key, sizeof hash);
    for (int64_t t = 0; t < count; t++) {
        int64_t shape[] = { tables[t] ? tables[t]->rows : -1, tables[t] ? tables[t]->columns : -1 };
        hash_bytes(&state, shape, sizeof shape);
        for (int64_t i = 0; tables[t] && i < tables[t]->columns; i++) hash_column(&state, tables[t]->column[i]);
    }
    crypto_generichash_final(&state, hash, sizeof hash);
    sodium_bin2hex(out, 65, hash, sizeof hash);
}
