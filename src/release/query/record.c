/* Answers as the ledger keeps them, and what makes two requests the same. */
#include <sodium.h>
#include <string.h>
#include "base/escape.h"
#include "release/query/inside.h"

/* {"answers":[[query, group, answer, lower, upper],…]}: what was drawn, and nothing that can be computed again. */
Status answers_write(Plan *plan, Buffer *out) {
    const char *comma = "";
    buffer_text(out, "{\"answers\":[");
    for (int64_t i = 0; i < plan->answers; i++) {
        const Answer *a = &plan->answer[i];
        if (!a->shown) continue;
        buffer_print(out, "%s[%lld,", comma, (long long)a->query);
        put_json_text(out, a->group);
        const double number[] = { a->value, a->lower, a->upper };
        for (int k = 0; k < 3; k++) {
            buffer_char(out, ',');
            put_json_real(out, number[k]);
        }
        buffer_char(out, ']');
        comma = ",";
    }
    buffer_text(out, "]}");
    return out->failed ? fail(plan->work->error, FAILED, "out of memory") : OK;
}

static void hash_bytes(crypto_generichash_state *state, const void *bytes, size_t count) {
    uint64_t length = count;
    crypto_generichash_update(state, (const unsigned char *)&length, sizeof length);
    if (count) crypto_generichash_update(state, bytes, count);
}

static void hash_column(crypto_generichash_state *state, const Column *c) {
    size_t rows = (size_t)c->rows, width = c->type == REAL_TYPE || c->type == INTEGER_TYPE ? 8 : c->type == TEXT_TYPE ? 0 : 4;
    hash_bytes(state, c->name, strlen(c->name));
    hash_bytes(state, &c->type, sizeof c->type);
    if (width) hash_bytes(state, c->real, rows * width);
    if (c->type == TEXT_TYPE) {
        hash_bytes(state, c->offset, (rows + 1) * sizeof *c->offset);
        hash_bytes(state, c->bytes, (size_t)c->offset[rows]);
    }
    if (c->valid) hash_bytes(state, c->valid, (rows + 63) / 64 * 8);
    for (int32_t i = 0; c->type == CATEGORY_TYPE && i < c->words->count; i++) hash_bytes(state, c->words->word[i], strlen(c->words->word[i]));
}

static void hash_table(crypto_generichash_state *state, const Table *table) {
    int64_t shape[] = { table ? table->rows : -1, table ? table->columns : -1 };
    hash_bytes(state, shape, sizeof shape);
    for (int64_t i = 0; table && i < table->columns; i++) hash_column(state, table->column[i]);
}

/* The tables that an answer depends on. */
Status data_fingerprint(Plan *plan, char out[65]) {
    const ReleaseArgs *a = plan->args;
    const Table *tables[] = { a->data, a->universe, a->priors, a->public_keys };
    crypto_generichash_state state;
    unsigned char hash[32];
    crypto_generichash_init(&state, NULL, 0, sizeof hash);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        hash_table(&state, tables[i]);
        Status status = work_check(plan->work);
        if (status) return status;
    }
    crypto_generichash_final(&state, hash, sizeof hash);
    sodium_bin2hex(out, 65, hash, sizeof hash);
    return OK;
}
