/* Reading a ledger back: its entries, and whether any was lost or altered. */
#include <stdlib.h>
#include <string.h>
#include "base/number.h"
#include "ledger/inside.h"

static int64_t number_of(const char *text) {
    int64_t value = 0;
    return text && read_integer(text, text + strlen(text), &value) ? value : 0;
}

void entry_from(const Rows *rows, int64_t i, Entry *out) {
    *out = (Entry){ .number = number_of(rows_at(rows, i, 0)),
                    .kind = rows_at(rows, i, 1),
                    .at = rows_at(rows, i, 2),
                    .analyst = rows_at(rows, i, 3),
                    .request = rows_at(rows, i, 4),
                    .identity = rows_at(rows, i, 5),
                    .query = rows_at(rows, i, 6),
                    .answer = rows_at(rows, i, 7),
                    .unit = rows_at(rows, i, 8),
                    .detail = rows_at(rows, i, 9),
                    .units = number_of(rows_at(rows, i, 10)),
                    .delta = number_of(rows_at(rows, i, 11)),
                    .of = number_of(rows_at(rows, i, 12)) };
}

static Status all_rows(Ledger *l, Rows *out, Error *error) {
    return l->database.query(&l->database, "SELECT " ENTRY_COLUMNS " FROM scrim_ledger_entry ORDER BY entry", 0, NULL, out, error);
}

Status ledger_entries(Ledger *l, LedgerEntries *out, Error *error) {
    Status status = OK;
    Rows *rows = calloc(1, sizeof *rows);
    *out = (LedgerEntries){ 0 };
    if (!rows) return fail(error, FAILED, "out of memory");
    TRY(all_rows(l, rows, error));
    out->entry = calloc((size_t)rows->rows + 1, sizeof *out->entry);
    if (!out->entry) TRY(fail(error, FAILED, "out of memory"));
    for (int64_t i = 0; i < rows->rows; i++) {
        Entry e;
        entry_from(rows, i, &e);
        out->entry[i] =
            (LedgerEntry){ e.number, e.kind, e.at, e.analyst, e.request, e.query, e.answer, e.unit, e.detail, e.units, e.delta, e.of };
        if (!e.kind) TRY(fail(error, FAILED, "this file is not a ledger"));
        if (!strcmp(e.kind, "budget")) {
            out->unit = e.unit;
            out->name = e.detail;
        }
        if (!strcmp(e.kind, "bind")) {
            out->unit = out->unit ? out->unit : e.unit;
            out->name = out->name ? out->name : e.query;
        }
        if (strcmp(e.kind, "debit")) continue;
        out->unit = out->unit ? out->unit : e.unit;
        out->spent += e.units;
        out->delta_spent += e.delta;
    }
    out->count = rows->rows;
    out->budget = l->budget;
    out->delta_budget = l->delta;
    out->owned = rows;
    rows = NULL;
done:
    rows_free(rows);
    free(rows);
    return status;
}

void ledger_entries_free(LedgerEntries *entries) {
    rows_free(entries->owned);
    free(entries->owned);
    free(entries->entry);
    *entries = (LedgerEntries){ 0 };
}

static Status broken(int64_t entry, const char *how, Error *error) {
    fail(error, FAILED, "entry %lld of the ledger was %s", (long long)entry, how);
    return error_advice(error, "Its budget can no longer be trusted: stop releasing from this data.");
}

Status ledger_head(Ledger *l, int64_t *entry, char out[65], Error *error) {
    Status status = OK;
    Rows head = { 0 };
    TRY(l->database.query(&l->database, "SELECT entry, hash FROM scrim_ledger_head", 0, NULL, &head, error));
    if (head.rows != 1 || !rows_at(&head, 0, 1) || strlen(rows_at(&head, 0, 1)) != 64)
        TRY(fail(error, FAILED, "the ledger has lost its head"));
    *entry = number_of(rows_at(&head, 0, 0));
    memcpy(out, rows_at(&head, 0, 1), 65);
done:
    rows_free(&head);
    return status;
}

static Status rolled_back(Error *error) {
    fail(error, FAILED, "no entry of this ledger has the hash that was kept: it was cut short, rolled back, or is another one");
    return error_advice(error, "What was spent after that is not in it: stop releasing from this data.");
}

Status ledger_verify(Ledger *l, const char *kept, int64_t *entries, Error *error) {
    Status status = OK;
    Rows rows = { 0 };
    char hash[65] = "", head[65];
    int64_t last;
    bool found = !kept;
    TRY(all_rows(l, &rows, error));
    TRY(ledger_head(l, &last, head, error));
    for (int64_t i = 0; i < rows.rows; i++) {
        Entry e;
        entry_from(&rows, i, &e);
        if (e.number != i + 1) TRY(broken(i + 1, "lost", error));
        entry_hash(&e, hash, hash);
        if (!rows_at(&rows, i, ENTRY_HASH) || strcmp(hash, rows_at(&rows, i, ENTRY_HASH)))
            TRY(broken(i + 1, "altered, or the one before it was", error));
        found |= kept && !strcmp(kept, hash);
    }
    if (last > rows.rows) TRY(broken(rows.rows + 1, "lost", error));
    if (strcmp(head, hash)) TRY(broken(rows.rows, "altered", error));
    if (!found) TRY(rolled_back(error));
    *entries = rows.rows;
done:
    rows_free(&rows);
    return status;
}
