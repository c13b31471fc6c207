/* Reading a ledger back: its entries, and whether any was lost or altered. */
#include <stdlib.h>
#include <string.h>
#include "base/escape.h"
#include "base/number_text.h"
#include "ledger/private.h"

static int64_t number_of(const char *text) {
    int64_t value = 0;
    return text && read_integer(text, text + strlen(text), &value) ? value : 0;
}

void entry_from(const Rows *rows, int64_t i, Entry *out) {
    *out = (Entry){ .number = number_of(rows_at(rows, i, 0)),
                    .kind = rows_at(rows, i, 1),
                    .at = rows_at(rows, i, 2),
                    .analyst = rows_at(rows, i, 3),
                    .account = rows_at(rows, i, 4),
                    .request = rows_at(rows, i, 5),
                    .identity = rows_at(rows, i, 6),
                    .query = rows_at(rows, i, 7),
                    .answer = rows_at(rows, i, 8),
                    .unit = rows_at(rows, i, 9),
                    .person = rows_at(rows, i, 10),
                    .neighbours = rows_at(rows, i, 11),
                    .detail = rows_at(rows, i, 12),
                    .units = number_of(rows_at(rows, i, 13)),
                    .delta = number_of(rows_at(rows, i, 14)),
                    .of = number_of(rows_at(rows, i, 15)),
                    .total = { number_of(rows_at(rows, i, 16)), number_of(rows_at(rows, i, 17)), number_of(rows_at(rows, i, 18)),
                               number_of(rows_at(rows, i, 19)) } };
}

static Status all_rows(Ledger *l, Rows *out, Error *error) {
    return l->database.query(&l->database, "SELECT " ENTRY_COLUMNS " FROM scrim_ledger_entry ORDER BY entry", 0, NULL, out, error);
}

/* What these entries say of the ledger. */
static Status take_entries(Ledger *l, const char *sql, LedgerEntries *out, Error *error) {
    Status status = OK;
    Rows *rows = calloc(1, sizeof *rows);
    *out = (LedgerEntries){ 0 };
    if (!rows) return out_of_memory(error);
    TRY(l->database.query(&l->database, sql, 0, NULL, rows, error));
    out->entry = calloc((size_t)rows->rows + 1, sizeof *out->entry);
    if (!out->entry) TRY(out_of_memory(error));
    for (int64_t i = 0; i < rows->rows; i++) {
        Entry e;
        entry_from(rows, i, &e);
        out->entry[i] = (LedgerEntry){ e.number, e.kind,   e.at,         e.analyst, e.account, e.request, e.query, e.answer,
                                       e.unit,   e.person, e.neighbours, e.detail,  e.units,   e.delta,   e.of };
        if (!e.kind) TRY(fail(error, FAILED, "this file is not a ledger"));
        bool budget = !strcmp(e.kind, "budget"), bind = !strcmp(e.kind, "bind"), debit = !strcmp(e.kind, "debit");
        if (budget) out->name = e.detail;
        if (bind && !out->name) out->name = e.query;
        if ((budget || bind) && !out->unit) out->unit = e.unit;
        if ((budget || bind) && !out->person) out->person = e.person;
        if (!debit) continue;
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

Status ledger_entries(Ledger *l, LedgerEntries *out, Error *error) {
    return take_entries(l, "SELECT " ENTRY_COLUMNS " FROM scrim_ledger_entry ORDER BY entry", out, error);
}

Status ledger_state(Ledger *l, LedgerEntries *out, Error *error) {
    Status status = OK;
    Head head;
    TRY(take_entries(l, "SELECT " ENTRY_COLUMNS " FROM scrim_ledger_entry WHERE " STATE_ENTRIES " ORDER BY entry", out, error));
    TRY(ledger_read_head(l, &head, error));
    out->spent = head.units;
    out->delta_spent = head.delta;
done:
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
    return error_advice(error, "Its budget can no longer be trusted. Stop releasing from this data set.");
}

Status ledger_head(Ledger *l, int64_t *entry, char out[65], Error *error) {
    Head head;
    Status status = ledger_read_head(l, &head, error);
    if (!status && strlen(head.hash) != 64) status = fail(error, FAILED, "the head of the ledger is missing");
    *entry = head.entry;
    memcpy(out, head.hash, sizeof head.hash);
    return status;
}

static Status rolled_back(Error *error) {
    fail(error, FAILED, "no entry of this ledger has the recorded hash: the ledger was cut short, rolled back, or is another one");
    return error_advice(error, "Later charges are missing from it. Stop releasing from this data set.");
}

/* Totals as they must stand after an entry: those of its analyst and account follow from the last one of the same. */
typedef struct Sum {
    const char *name;
    int64_t units;
} Sum;
typedef struct Sums {
    Sum *at;
    int64_t count, room;
} Sums;

static int64_t *sum_of(Sums *sums, const char *name) {
    static int64_t nothing;
    for (int64_t i = 0; i < sums->count; i++)
        if (!strcmp(sums->at[i].name, name)) return &sums->at[i].units;
    if (sums->count == sums->room) {
        Sum *more = realloc(sums->at, (size_t)(sums->room = 2 * sums->room + 8) * sizeof *more);
        if (!more) {
            nothing = INT64_MIN; /* no total is that: the chain is then not said to hold */
            return &nothing;
        }
        sums->at = more;
    }
    sums->at[sums->count] = (Sum){ name, 0 };
    return &sums->at[sums->count++].units;
}

typedef struct Books {
    Totals total;
    Sums analysts, accounts;
} Books;

static bool totals_hold(Books *books, const Entry *e) {
    bool debit = !strcmp(e->kind ? e->kind : "", "debit");
    Totals *t = &books->total;
    t->analyst = t->account = 0;
    if (debit) {
        t->units += e->units;
        t->delta += e->delta;
        if (e->analyst) t->analyst = *sum_of(&books->analysts, e->analyst) += e->units;
        if (e->account) t->account = *sum_of(&books->accounts, e->account) += e->units;
    }
    return t->units == e->total.units && t->delta == e->total.delta && t->analyst == e->total.analyst && t->account == e->total.account;
}

Status ledger_verify(Ledger *l, const char *kept, int64_t *entries, Error *error) {
    Status status = OK;
    Rows rows = { 0 };
    Head head;
    Books books = { 0 };
    char hash[65] = "";
    bool found = !kept;
    TRY(all_rows(l, &rows, error));
    TRY(ledger_read_head(l, &head, error));
    for (int64_t i = 0; i < rows.rows; i++) {
        Entry e;
        entry_from(&rows, i, &e);
        if (e.number != i + 1) TRY(broken(i + 1, "lost", error));
        entry_hash(&e, hash, hash);
        if (!rows_at(&rows, i, ENTRY_HASH) || strcmp(hash, rows_at(&rows, i, ENTRY_HASH)))
            TRY(broken(i + 1, "altered, or the entry before it was", error));
        if (!totals_hold(&books, &e)) TRY(broken(i + 1, "altered: its running total is not the sum of the charges", error));
        found |= kept && !strcmp(kept, hash);
    }
    if (head.entry > rows.rows) TRY(broken(rows.rows + 1, "lost", error));
    if (strcmp(head.hash, hash) || head.units != books.total.units || head.delta != books.total.delta)
        TRY(broken(rows.rows, "altered", error));
    if (!found) TRY(rolled_back(error));
    *entries = rows.rows;
done:
    free(books.analysts.at);
    free(books.accounts.at);
    rows_free(&rows);
    return status;
}

/* One entry as a line: every field by its name, null where it is null. The secret ones by their hash alone. */
static void export_entry(const Rows *rows, int64_t i, bool answers, Buffer *out) {
    static const char *const names[] = { "entry", "kind",   "at",    "analyst",     "account",       "request",       "identity",
                                         "query", "answer", "unit",  "person",      "neighbours",    "detail",        "units",
                                         "delta", "of",     "total", "total_delta", "total_analyst", "total_account", "hash" };
    char hash[65];
    const char *kind = rows_at(rows, i, 1);
    for (int j = 0; j <= ENTRY_HASH; j++) {
        const char *text = rows_at(rows, i, j);
        bool number = j == 0 || (j >= 13 && j < ENTRY_HASH), key = j == 6 && kind && !strcmp(kind, "budget");
        bool secret = key || (j == 8 && !answers);
        buffer_print(out, "%s\"%s%s\":", j ? "," : "{", names[j], secret ? "_hash" : "");
        if (number && text) buffer_text(out, text);
        else put_json_text(out, secret ? field_hash(text, hash) : text);
    }
    buffer_text(out, "}\n");
}

Status ledger_export(Ledger *l, bool answers, Buffer *out, Error *error) {
    Status status = OK;
    Rows rows = { 0 };
    TRY(all_rows(l, &rows, error));
    for (int64_t i = 0; i < rows.rows; i++) export_entry(&rows, i, answers, out);
    if (out->failed) TRY(out_of_memory(error));
done:
    rows_free(&rows);
    return status;
}
