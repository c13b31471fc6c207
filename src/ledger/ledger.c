/* The ledger: create, open, debit, record. An append-only list of entries, each hashed over the one before it. */
#include "ledger/ledger.h"
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "base/number.h"
#include "ledger/inside.h"

const char *currency_name(Currency currency) {
    static const char *const names[] = { "epsilon", "zcdp", "noncentrality" };
    return names[currency];
}

static const char *number_text(int64_t value, char out[33]) { out[write_integer(value, out)] = 0; return out; }

static int64_t number_of(const char *text) {
    int64_t value = 0;
    return text && read_integer(text, text + strlen(text), &value) ? value : 0;
}

static void hash_field(crypto_generichash_state *state, const char *text) {
    int64_t length = text ? (int64_t)strlen(text) : -1;
    crypto_generichash_update(state, (const unsigned char *)&length, sizeof length);
    if (text) crypto_generichash_update(state, (const unsigned char *)text, (size_t)length);
}

void entry_hash(const Entry *e, const char *previous, char out[65]) {
    crypto_generichash_state state;
    unsigned char hash[32];
    char number[33], units[33], of[33];
    const char *fields[] = { previous, number_text(e->number, number), e->kind, e->at, e->analyst, e->request, e->identity, e->query, e->answer,
                             number_text(e->units, units), number_text(e->of, of) };
    crypto_generichash_init(&state, NULL, 0, sizeof hash);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) hash_field(&state, fields[i]);
    crypto_generichash_final(&state, hash, sizeof hash);
    sodium_bin2hex(out, 65, hash, sizeof hash);
}

static Status run(Ledger *l, const char *sql, int count, const char *const *values, Rows *out, Error *error) {
    return l->database.query(&l->database, sql, count, values, out, error);
}
static void leave(Ledger *l) { if (l->database.leave) l->database.leave(&l->database); }
static void rollback(Ledger *l) {
    Status ignored = run(l, "ROLLBACK", 0, NULL, NULL, NULL);
    (void)ignored;
    leave(l);
}

static Status begin(Ledger *l, Error *error) {
    Status status = OK;
    if (l->database.enter) TRY(l->database.enter(&l->database, error));
    status = run(l, l->database.begin, 0, NULL, NULL, error);
    if (status) leave(l);
    else if (l->database.lock && (status = run(l, l->database.lock, 0, NULL, NULL, error))) rollback(l);
done:
    return status;
}

/* OK: durable. Otherwise nothing of the transaction is left. */
static Status end(Ledger *l, Status status, Error *error) {
    if (!status) status = run(l, "COMMIT", 0, NULL, NULL, error);
    if (status) rollback(l);
    else leave(l);
    return status;
}

/* Appends one entry under the lock: its number and hash follow the head's, and the head moves. */
static Status append(Ledger *l, Entry *e, Error *error) {
    Status status = OK;
    Rows head = { 0 };
    char at[32], hash[65], number[33], units[33], of[33];
    time_t now = time(NULL);
    struct tm utc;
    strftime(at, sizeof at, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    TRY(run(l, "SELECT entry, hash FROM scrim_ledger_head", 0, NULL, &head, error));
    if (head.rows != 1) TRY(fail(error, FAILED, "the ledger has lost its head"));
    e->number = number_of(rows_at(&head, 0, 0)) + 1;
    e->at = at;
    entry_hash(e, rows_at(&head, 0, 1), hash);
    const char *values[] = { number_text(e->number, number), e->kind, e->at, e->analyst, e->request, e->identity, e->query, e->answer, number_text(e->units, units), number_text(e->of, of), hash };
    TRY(run(l, "INSERT INTO scrim_ledger_entry (" ENTRY_COLUMNS ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)", 11, values, NULL, error));
    const char *moved[] = { number, hash };
    TRY(run(l, "UPDATE scrim_ledger_head SET entry = $1, hash = $2", 2, moved, NULL, error));
done:
    e->at = NULL;
    rows_free(&head);
    return status;
}

static Status connect_to(const char *where, bool create, Ledger *l, Error *error) {
    bool postgres = !strncmp(where, "postgresql://", 13) || !strncmp(where, "postgres://", 11);
    if (sodium_init() < 0) return fail(error, FAILED, "libsodium does not start");
    return postgres ? database_postgres(where, &l->database, error) : database_sqlite(where, create, &l->database, error);
}

static Status make_tables(Ledger *l, Error *error) {
    static const char *const sql[] = {
        ("CREATE TABLE scrim_ledger_entry (entry BIGINT PRIMARY KEY, kind TEXT NOT NULL, at TEXT NOT NULL, analyst TEXT, request TEXT, identity TEXT, "
         "query TEXT, answer TEXT, units BIGINT NOT NULL, of BIGINT NOT NULL, hash TEXT NOT NULL)"),
        "CREATE TABLE scrim_ledger_head (entry BIGINT NOT NULL, hash TEXT NOT NULL)",
        "CREATE INDEX scrim_ledger_identity ON scrim_ledger_entry (identity)",
        "CREATE INDEX scrim_ledger_request ON scrim_ledger_entry (request)",
        "CREATE UNIQUE INDEX scrim_ledger_answer ON scrim_ledger_entry (of) WHERE kind = 'answer'",
        "INSERT INTO scrim_ledger_head (entry, hash) VALUES (0, '')",
    };
    Status status = OK;
    for (size_t i = 0; i < sizeof sql / sizeof *sql; i++) TRY(run(l, sql[i], 0, NULL, NULL, error));
done:
    return status;
}

Status ledger_create(const char *where, Currency currency, int64_t budget, const AnalystBudget *analysts, int64_t count, Error *error) {
    Status status = OK;
    Ledger ledger = { .currency = currency };
    TRY(connect_to(where, true, &ledger, error));
    Ledger *l = &ledger;
    status = run(l, l->database.lock ? "BEGIN" : l->database.begin, 0, NULL, NULL, error);
    if (!status) status = make_tables(l, error);
    Entry first = { .kind = "budget", .query = currency_name(currency), .units = budget };
    if (!status) status = append(l, &first, error);
    for (int64_t i = 0; !status && i < count; i++) {
        Entry own = { .kind = "analyst", .analyst = analysts[i].name, .units = analysts[i].units };
        status = append(l, &own, error);
    }
    status = end(l, status, error);
    l->database.close(&l->database);
done:
    return status;
}

Status ledger_open(const char *where, Ledger **out, Error *error) {
    Status status = OK;
    Rows rows = { 0 };
    Ledger *l = calloc(1, sizeof *l);
    if (!l) return fail(error, FAILED, "out of memory");
    TRY(connect_to(where, false, l, error));
    status = run(l, "SELECT query, units FROM scrim_ledger_entry WHERE kind = 'budget' ORDER BY entry", 0, NULL, &rows, error);
    if (!status && rows.rows != 1) status = fail(error, BAD, "this file is not a ledger");
    if (status && error && strstr(error->message, "no such table")) status = fail(error, BAD, "this file is not a ledger");
    if (status) { l->database.close(&l->database); goto done; }
    for (l->currency = CURRENCY_EPSILON; l->currency < CURRENCY_NONCENTRALITY && strcmp(currency_name(l->currency), rows_at(&rows, 0, 0)); l->currency++) {}
    l->budget = number_of(rows_at(&rows, 0, 1));
    *out = l;
done:
    rows_free(&rows);
    if (status) free(l);
    return status;
}

void ledger_close(Ledger *ledger) {
    if (!ledger) return;
    ledger->database.close(&ledger->database);
    free(ledger);
}

Currency ledger_currency(const Ledger *ledger) { return ledger->currency; }

static Status one_number(Ledger *l, const char *sql, int count, const char *const *values, int64_t *out, bool *there, Error *error) {
    Rows rows = { 0 };
    Status status = run(l, sql, count, values, &rows, error);
    if (there) *there = !status && rows.rows > 0;
    *out = !status && rows.rows > 0 ? number_of(rows_at(&rows, 0, 0)) : 0;
    rows_free(&rows);
    return status;
}

/* What is left: of the data set's budget, and of the analyst's own where there is one. */
static Status budget_left(Ledger *l, const char *analyst, int64_t *left, bool *own, Error *error) {
    Status status = OK;
    int64_t spent, mine, used;
    *own = false;
    TRY(one_number(l, "SELECT CAST(COALESCE(SUM(units), 0) AS BIGINT) FROM scrim_ledger_entry WHERE kind = 'debit'", 0, NULL, &spent, NULL, error));
    *left = l->budget - spent;
    const char *who[] = { analyst };
    bool limited = false;
    if (analyst) TRY(one_number(l, "SELECT units FROM scrim_ledger_entry WHERE kind = 'analyst' AND analyst = $1", 1, who, &mine, &limited, error));
    if (!limited) goto done;
    TRY(one_number(l, "SELECT CAST(COALESCE(SUM(units), 0) AS BIGINT) FROM scrim_ledger_entry WHERE kind = 'debit' AND analyst = $1", 1, who, &used, NULL, error));
    *own = mine - used < *left;
    if (*own) *left = mine - used;
done:
    return status;
}

/* The debit that this request repeats, if any: by its id first, then by its identity. */
static Status find_paid(Ledger *l, const LedgerRequest *r, const char *identity, int64_t *entry, Error *error) {
    Status status = OK;
    Rows rows = { 0 };
    const char *by_request[] = { r->request }, *by_identity[] = { identity };
    *entry = 0;
    if (r->request) TRY(run(l, "SELECT entry, identity FROM scrim_ledger_entry WHERE kind = 'debit' AND request = $1 ORDER BY entry LIMIT 1", 1, by_request, &rows, error));
    if (rows.rows) {
        if (strcmp(rows_at(&rows, 0, 1), identity)) TRY(fail(error, BAD, "the request id was used before, for another query"));
        *entry = number_of(rows_at(&rows, 0, 0));
        goto done;
    }
    rows_free(&rows);
    TRY(run(l, "SELECT entry FROM scrim_ledger_entry WHERE kind = 'debit' AND identity = $1 ORDER BY entry LIMIT 1", 1, by_identity, &rows, error));
    if (rows.rows) *entry = number_of(rows_at(&rows, 0, 0));
done:
    rows_free(&rows);
    return status;
}

static Status find_answer(Ledger *l, int64_t entry, char **answer, Error *error) {
    Rows rows = { 0 };
    char number[33];
    const char *of[] = { number_text(entry, number) };
    *answer = NULL;
    Status status = run(l, "SELECT answer FROM scrim_ledger_entry WHERE kind = 'answer' AND of = $1", 1, of, &rows, error);
    if (!status && rows.rows && rows_at(&rows, 0, 0)) *answer = strdup(rows_at(&rows, 0, 0));
    rows_free(&rows);
    return status;
}

static Status refuse(int64_t left, bool own, const LedgerRequest *r, Error *error) {
    char has[33], asks[33];
    fail(error, REFUSED, "the budget does not suffice: this costs %s and %s is left%s%s", units_text(r->price, asks), units_text(left, has), own ? " for " : "", own ? r->analyst : "");
    return error_advice(error, "Nothing was charged or released.");
}

Status ledger_debit(Ledger *l, const LedgerRequest *r, LedgerReceipt *receipt, Error *error) {
    Status status = OK;
    bool own;
    char identity[65];
    unsigned char hash[32];
    *receipt = (LedgerReceipt){ 0 };
    if (r->price < 0) return fail(error, BAD, "a price is not negative");
    crypto_generichash(hash, sizeof hash, (const unsigned char *)r->identity, strlen(r->identity), NULL, 0);
    sodium_bin2hex(identity, sizeof identity, hash, sizeof hash);
    TRY(begin(l, error));
    status = find_paid(l, r, identity, &receipt->entry, error);
    if (!status) status = budget_left(l, r->analyst, &receipt->left, &own, error);
    if (!status && receipt->entry) status = find_answer(l, receipt->entry, &receipt->answer, error);
    if (!status && !receipt->entry && r->price > receipt->left) status = refuse(receipt->left, own, r, error);
    if (!status && !receipt->entry) {
        Entry debit = { .kind = "debit", .analyst = r->analyst, .request = r->request, .identity = identity, .query = r->query, .units = r->price };
        status = append(l, &debit, error);
        receipt->entry = debit.number;
        receipt->charged = true;
        receipt->left -= r->price;
    }
    status = end(l, status, error);
    if (status) { free(receipt->answer); *receipt = (LedgerReceipt){ 0 }; }
done:
    return status;
}

Status ledger_record(Ledger *l, int64_t entry, const char *answer, char **recorded, Error *error) {
    Status status = OK;
    *recorded = NULL;
    TRY(begin(l, error));
    status = find_answer(l, entry, recorded, error);
    if (!status && !*recorded) {
        Entry e = { .kind = "answer", .answer = answer, .of = entry };
        status = append(l, &e, error);
    }
    status = end(l, status, error);
    if (status) { free(*recorded); *recorded = NULL; goto done; }
    if (!*recorded && !(*recorded = strdup(answer))) TRY(fail(error, FAILED, "out of memory"));
done:
    return status;
}
