/* What tables hold, as a keyed hash: anyone who sees it cannot try data out without the ledger's key. */
#include <sodium.h>
#include <string.h>
#include "ledger/private.h"
#include "table/table.h"

static void hash_bytes(crypto_generichash_state *state, const void *bytes, size_t count) {
    uint64_t length = count;
    crypto_generichash_update(state, (const unsigned char *)&length, sizeof length);
    if (count) crypto_generichash_update(state, bytes, count);
}

void ledger_row_key(const Ledger *l, unsigned char out[ROW_PRINT_KEY]) {
    static const char purpose[] = "scrim ledger rows 1";
    crypto_generichash(out, ROW_PRINT_KEY, (const unsigned char *)purpose, sizeof purpose, l->key, sizeof l->key);
}

void ledger_fingerprint(const Ledger *l, const Printed *tables, int64_t count, char out[65]) {
    crypto_generichash_state state;
    unsigned char hash[32];
    crypto_generichash_init(&state, l->key, sizeof l->key, sizeof hash);
    for (int64_t t = 0; t < count; t++) {
        const Table *table = tables[t].table;
        int64_t shape[] = { table ? tables[t].rows : -1, table ? table->columns : -1 };
        hash_bytes(&state, shape, sizeof shape);
        for (int64_t i = 0; table && i < table->columns; i++) {
            int64_t type = plain_type(table->column[i]->type);
            hash_bytes(&state, table->column[i]->name, strlen(table->column[i]->name));
            hash_bytes(&state, &type, sizeof type);
        }
        hash_bytes(&state, &tables[t].print, sizeof tables[t].print);
    }
    crypto_generichash_final(&state, hash, sizeof hash);
    sodium_bin2hex(out, 65, hash, sizeof hash);
}

Status ledger_print(Work *work, const Ledger *l, const Table *table, char out[65]) {
    Status status = OK;
    unsigned char key[ROW_PRINT_KEY];
    Printed printed = { .table = table, .rows = table->rows };
    ledger_row_key(l, key);
    TRY(rows_print(work, table, 0, key, &printed.print));
    ledger_fingerprint(l, &printed, 1, out);
done:
    return status;
}
