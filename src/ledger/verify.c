/* Reading a ledger back: its entries, and whether any was lost or altered. */
#include <stdlib.h>
#include <string.h>
#include "base/number.h"
#include "ledger/inside.h"

static int64_t number_of(const char *text) {
    int64_t value = 0;
    return text && read_integer(text, text + strlen(text), &value) ? value : 0;
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
        LedgerEntry *e = &out->entry[i];
        *e = (LedgerEntry){ .number = number_of(rows_at(rows, i, 0)), .kind = rows_at(rows, i, 1), .at = rows_at(rows, i, 2), .analyst = rows_at(rows, i, 3),
                            .request = rows_at(rows, i, 4), .query = rows_at(rows, i, 6), .answer = rows_at(rows, i, 7), .units = number_of(rows_at(rows, i, 8)),
                            .of = number_of(rows_at(rows, i, 9)) };
        if (!strcmp(e->kind, "debit")) out->spent += e->units;
    }
    out->count = rows->rows;
    out->budget = l->budget;
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

Status ledger_verify(Ledger *l, int64_t *entries, Error *error) {
    Status status = OK;
    Rows rows = { 0 }, head = { 0 };
    char hash[65] = "";
    TRY(all_rows(l, &rows, error));
    TRY(l->database.query(&l->database, "SELECT entry, hash FROM scrim_ledger_head", 0, NULL, &head, error));
    for (int64_t i = 0; i < rows.rows; i++) {
        const Entry e = { .number = number_of(rows_at(&rows, i, 0)), .kind = rows_at(&rows, i, 1), .at = rows_at(&rows, i, 2), .analyst = rows_at(&rows, i, 3),
                          .request = rows_at(&rows, i, 4), .identity = rows_at(&rows, i, 5), .query = rows_at(&rows, i, 6), .answer = rows_at(&rows, i, 7),
                          .units = number_of(rows_at(&rows, i, 8)), .of = number_of(rows_at(&rows, i, 9)) };
        if (e.number != i + 1) TRY(broken(i + 1, "lost", error));
        entry_hash(&e, hash, hash);
        if (strcmp(hash, rows_at(&rows, i, 10))) TRY(broken(i + 1, "altered, or the one before it was", error));
    }
    if (head.rows != 1 || number_of(rows_at(&head, 0, 0)) > rows.rows) TRY(broken(rows.rows + 1, "lost", error));
    if (strcmp(rows_at(&head, 0, 1), hash)) TRY(broken(rows.rows, "altered", error));
    *entries = rows.rows;
done:
    rows_free(&rows);
    rows_free(&head);
    return status;
}
