/* The ledger: create, open, close. An append-only list of entries, each hashed over the one before it. */
#include "ledger/ledger.h"
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "base/number_text.h"
#include "ledger/private.h"

void rows_free(Rows *rows) {
    for (int64_t i = 0; rows && i < rows->rows * rows->columns; i++) free(rows->cell[i]);
    if (rows) {
        free(rows->cell);
        *rows = (Rows){ 0 };
    }
}

const char *currency_name(Currency currency) {
    static const char *const names[] = { "epsilon", "zcdp", "gdp", "noncentrality", "privacy-loss" };
    return names[currency];
}

static const char *number_text(int64_t value, char out[33]) {
    out[write_integer(value, out)] = 0;
    return out;
}

static int64_t number_of(const char *text) {
    int64_t value = 0;
    return text && read_integer(text, text + strlen(text), &value) ? value : 0;
}

static void hash_field(crypto_generichash_state *state, const char *text) {
    int64_t length = text ? (int64_t)strlen(text) : -1;
    crypto_generichash_update(state, (const unsigned char *)&length, sizeof length);
    if (text) crypto_generichash_update(state, (const unsigned char *)text, (size_t)length);
}

/* What is hashed and kept of an entry, in the order of its columns; numbers are written into `text`. */
enum { FIELDS = 20, IDENTITY_FIELD = 6, ANSWER_FIELD = 8 };
typedef struct Fields {
    const char *at[FIELDS + 1]; /* and room for the hash */
    char text[8][33];
} Fields;
static void entry_fields(const Entry *e, Fields *out) {
    const char *fields[FIELDS] = { number_text(e->number, out->text[0]),
                                   e->kind,
                                   e->at,
                                   e->analyst,
                                   e->account,
                                   e->request,
                                   e->identity,
                                   e->query,
                                   e->answer,
                                   e->unit,
                                   e->person,
                                   e->neighbours,
                                   e->detail,
                                   number_text(e->units, out->text[1]),
                                   number_text(e->delta, out->text[2]),
                                   number_text(e->of, out->text[3]),
                                   number_text(e->total.units, out->text[4]),
                                   number_text(e->total.delta, out->text[5]),
                                   number_text(e->total.analyst, out->text[6]),
                                   number_text(e->total.account, out->text[7]) };
    memcpy(out->at, fields, sizeof fields);
}

const char *field_hash(const char *text, char out[65]) {
    unsigned char hash[32];
    if (!text) return NULL;
    crypto_generichash(hash, sizeof hash, (const unsigned char *)text, strlen(text), NULL, 0);
    sodium_bin2hex(out, 65, hash, sizeof hash);
    return out;
}

void entry_hash(const Entry *e, const char *previous, char out[65]) {
    crypto_generichash_state state;
    unsigned char hash[32];
    Fields fields;
    char secret[2][65];
    entry_fields(e, &fields);
    fields.at[IDENTITY_FIELD] = field_hash(e->identity, secret[0]);
    fields.at[ANSWER_FIELD] = field_hash(e->answer, secret[1]);
    crypto_generichash_init(&state, NULL, 0, sizeof hash);
    hash_field(&state, previous);
    for (size_t i = 0; i < FIELDS; i++) hash_field(&state, fields.at[i]);
    crypto_generichash_final(&state, hash, sizeof hash);
    sodium_bin2hex(out, 65, hash, sizeof hash);
}

static Status run(Ledger *l, const char *sql, int count, const char *const *values, Rows *out, Error *error) {
    return l->database.query(&l->database, sql, count, values, out, error);
}
static void leave(Ledger *l) {
    if (l->database.leave) l->database.leave(&l->database);
}
static void rollback(Ledger *l) {
    Status ignored = run(l, "ROLLBACK", 0, NULL, NULL, NULL);
    (void)ignored;
    leave(l);
}

/* A transaction in its turn; without one, nothing is held. */
static Status enter(Ledger *l, const char *begin, Error *error) {
    Status status = l->database.enter ? l->database.enter(&l->database, error) : OK;
    if (status) return status;
    status = run(l, begin, 0, NULL, NULL, error);
    if (status) leave(l);
    return status;
}

Status ledger_begin(Ledger *l, Error *error) {
    Status status = enter(l, l->database.begin, error);
    if (!status && l->database.lock && (status = run(l, l->database.lock, 0, NULL, NULL, error))) rollback(l);
    return status;
}

/* OK: durable. Otherwise nothing of the transaction is left. */
Status ledger_end(Ledger *l, Status status, Error *error) {
    if (!status) status = run(l, "COMMIT", 0, NULL, NULL, error);
    if (status) rollback(l);
    else leave(l);
    return status;
}

Status ledger_read_head(Ledger *l, Head *out, Error *error) {
    Status status = OK;
    Rows head = { 0 };
    *out = (Head){ 0 };
    TRY(run(l, "SELECT entry, hash, total, total_delta FROM scrim_ledger_head", 0, NULL, &head, error));
    if (head.rows != 1 || !rows_at(&head, 0, 1) || strlen(rows_at(&head, 0, 1)) >= sizeof out->hash)
        TRY(fail(error, FAILED, "the head of the ledger is missing"));
    out->entry = number_of(rows_at(&head, 0, 0));
    strcpy(out->hash, rows_at(&head, 0, 1));
    out->units = number_of(rows_at(&head, 0, 2));
    out->delta = number_of(rows_at(&head, 0, 3));
done:
    rows_free(&head);
    return status;
}

Status ledger_spent_by(Ledger *l, const char *column, const char *name, int64_t *spent, Error *error) {
    Rows rows = { 0 };
    char sql[256];
    const char *who[] = { name };
    *spent = 0;
    if (!name) return OK;
    snprintf(sql, sizeof sql, "SELECT total_%s FROM scrim_ledger_entry WHERE %s = $1 AND kind = 'debit' ORDER BY entry DESC LIMIT 1",
             column, column);
    Status status = run(l, sql, 1, who, &rows, error);
    if (!status && rows.rows) *spent = number_of(rows_at(&rows, 0, 0));
    rows_free(&rows);
    return status;
}

/* Appends one entry under the lock: its number, totals and hash follow the head's, and the head moves. */
Status ledger_append(Ledger *l, Entry *e, Error *error) {
    Status status = OK;
    Head head;
    Fields fields;
    char at[32], hash[65];
    time_t now = time(NULL);
    struct tm utc;
    bool debit = !strcmp(e->kind, "debit");
    strftime(at, sizeof at, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    TRY(ledger_read_head(l, &head, error));
    e->number = head.entry + 1;
    e->at = at;
    e->total = (Totals){ head.units + (debit ? e->units : 0), head.delta + (debit ? e->delta : 0), 0, 0 };
    if (debit) TRY(ledger_spent_by(l, "analyst", e->analyst, &e->total.analyst, error));
    if (debit) TRY(ledger_spent_by(l, "account", e->account, &e->total.account, error));
    if (debit && e->analyst) e->total.analyst += e->units;
    if (debit && e->account) e->total.account += e->units;
    entry_hash(e, head.hash, hash);
    entry_fields(e, &fields);
    fields.at[FIELDS] = hash;
    TRY(run(l,
            "INSERT INTO scrim_ledger_entry (" ENTRY_COLUMNS
            ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)",
            FIELDS + 1, fields.at, NULL, error));
    const char *moved[] = { fields.text[0], hash, fields.text[4], fields.text[5] };
    TRY(run(l, "UPDATE scrim_ledger_head SET entry = $1, hash = $2, total = $3, total_delta = $4", 4, moved, NULL, error));
done:
    e->at = NULL;
    return status;
}

static Status connect_to(const char *where, bool create, Ledger *l, Error *error) {
    bool words = strstr(where, "host=") || strstr(where, "dbname=") || strstr(where, "password="); /* libpq's other way to say it */
    bool postgres = words || !strncmp(where, "postgresql://", 13) || !strncmp(where, "postgres://", 11);
    if (sodium_init() < 0) return fail(error, FAILED, "libsodium does not start");
    return postgres ? database_postgres(where, &l->database, error) : database_sqlite(where, create, &l->database, error);
}

/* Every query that a debit makes is answered from one of these indices: a debit takes the same time however long the ledger is. */
static Status make_tables(Ledger *l, Error *error) {
    static const char *const sql[] = {
        ("CREATE TABLE scrim_ledger_entry (entry BIGINT PRIMARY KEY, kind TEXT NOT NULL, at TEXT NOT NULL, analyst TEXT, account TEXT, "
         "request TEXT, identity TEXT, query TEXT, answer TEXT, unit TEXT, person TEXT, neighbours TEXT, detail TEXT, units BIGINT NOT "
         "NULL, delta BIGINT NOT NULL, of BIGINT NOT NULL, total BIGINT NOT NULL, total_delta BIGINT NOT NULL, total_analyst BIGINT NOT "
         "NULL, total_account BIGINT NOT NULL, hash TEXT NOT NULL)"),
        "CREATE TABLE scrim_ledger_head (entry BIGINT NOT NULL, hash TEXT NOT NULL, total BIGINT NOT NULL, total_delta BIGINT NOT NULL)",
        "CREATE INDEX scrim_ledger_identity ON scrim_ledger_entry (identity, entry) WHERE kind = 'debit'",
        "CREATE INDEX scrim_ledger_request ON scrim_ledger_entry (request, entry) WHERE request IS NOT NULL",
        "CREATE INDEX scrim_ledger_analyst ON scrim_ledger_entry (analyst, entry) WHERE kind = 'debit' AND analyst IS NOT NULL",
        "CREATE INDEX scrim_ledger_account ON scrim_ledger_entry (account, entry) WHERE kind = 'debit' AND account IS NOT NULL",
        "CREATE INDEX scrim_ledger_state ON scrim_ledger_entry (entry) WHERE kind <> 'debit' AND kind <> 'answer'",
        "CREATE UNIQUE INDEX scrim_ledger_answer ON scrim_ledger_entry (of) WHERE kind = 'answer'",
        "INSERT INTO scrim_ledger_head (entry, hash, total, total_delta) VALUES (0, '', 0, 0)",
    };
    Status status = OK;
    for (size_t i = 0; i < sizeof sql / sizeof *sql; i++) TRY(run(l, sql[i], 0, NULL, NULL, error));
done:
    return status;
}

/* The first entry holds the budget, the unit, who is protected, the data set's name, and the key under which data and requests are
 * fingerprinted. */
static Status first_entries(Ledger *l, const char *key, const LedgerBudget *budget, const AnalystBudget *analysts, int64_t count,
                            Error *error) {
    Status status = make_tables(l, error);
    Entry first = { .kind = "budget",
                    .identity = key,
                    .query = currency_name(budget->currency),
                    .unit = budget->unit,
                    .person = budget->person,
                    .detail = budget->name,
                    .units = budget->units,
                    .delta = budget->delta };
    if (!status) status = ledger_append(l, &first, error);
    for (int64_t i = 0; !status && i < count; i++) {
        Entry own = { .kind = "analyst", .analyst = analysts[i].name, .units = analysts[i].units };
        status = ledger_append(l, &own, error);
    }
    for (int64_t i = 0; !status && i < budget->accounts; i++) {
        Entry own = { .kind = "account", .account = budget->account[i].name, .units = budget->account[i].units };
        status = ledger_append(l, &own, error);
    }
    return status;
}

Status ledger_make(const char *where, const LedgerBudget *budget, const AnalystBudget *analysts, int64_t count, Error *error) {
    Status status = OK;
    Ledger ledger = { .currency = budget->currency };
    char key[65];
    TRY(connect_to(where, true, &ledger, error));
    Ledger *l = &ledger;
    randombytes_buf(l->key, sizeof l->key);
    sodium_bin2hex(key, sizeof key, l->key, sizeof l->key);
    status = enter(l, l->database.lock ? "BEGIN" : l->database.begin, error);
    if (!status) status = ledger_end(l, first_entries(l, key, budget, analysts, count, error), error);
    l->database.close(&l->database);
    if (status && l->database.remove) l->database.remove(where);
    sodium_memzero(&ledger.key, sizeof ledger.key);
    sodium_memzero(key, sizeof key);
done:
    return status;
}

Status ledger_create(const char *where, Currency currency, int64_t budget, const AnalystBudget *analysts, int64_t count, Error *error) {
    return ledger_make(where, &(LedgerBudget){ .currency = currency, .units = budget }, analysts, count, error);
}

/* What a neighbour is: as the ledger was made, or as its first release said. */
Status ledger_read_unit(Ledger *l, Error *error) {
    Rows rows = { 0 };
    Status status = run(l, "SELECT unit FROM scrim_ledger_entry WHERE " STATE_ENTRIES " AND unit IS NOT NULL ORDER BY entry LIMIT 1", 0,
                        NULL, &rows, error);
    if (!status && rows.rows) snprintf(l->unit, sizeof l->unit, "%s", rows_at(&rows, 0, 0));
    rows_free(&rows);
    return status;
}

/* A ledger that lacks columns which this version needs. */
static Status check_format(Ledger *l, Error *error) {
    Status status = OK;
    Rows rows = { 0 };
    TRY(run(l, "SELECT * FROM scrim_ledger_entry LIMIT 1", 0, NULL, &rows, error));
    if (rows.rows == 1 && rows.columns != ENTRY_HASH + 1) {
        fail(error, BAD, "this ledger was made by another version of scrim, with other columns");
        TRY(error_advice(error, "Read the remaining budget with that version's `scrim ledger show`, and create a new ledger with it."));
    }
done:
    rows_free(&rows);
    return status;
}

static Status read_budget(Ledger *l, Error *error) {
    Status status = OK;
    Rows rows = { 0 };
    size_t length = 0;
    status = check_format(l, error);
    if (!status)
        status = run(l, "SELECT query, units, delta, identity FROM scrim_ledger_entry WHERE " STATE_ENTRIES " AND kind = 'budget'", 0, NULL,
                     &rows, error);
    if (status) goto done;
    if (rows.rows != 1 || !rows_at(&rows, 0, 0) || !rows_at(&rows, 0, 3)) TRY(fail(error, BAD, "this file is not a ledger"));
    for (l->currency = CURRENCY_EPSILON; l->currency < CURRENCIES && strcmp(currency_name(l->currency), rows_at(&rows, 0, 0));
         l->currency++) {}
    if (l->currency == CURRENCIES ||
        sodium_hex2bin(l->key, sizeof l->key, rows_at(&rows, 0, 3), strlen(rows_at(&rows, 0, 3)), NULL, &length, NULL) ||
        length != sizeof l->key)
        TRY(fail(error, BAD, "this file is not a ledger"));
    l->budget = number_of(rows_at(&rows, 0, 1));
    l->delta = number_of(rows_at(&rows, 0, 2));
    TRY(ledger_read_unit(l, error));
done:
    rows_free(&rows);
    return status;
}

Status ledger_open(const char *where, Ledger **out, Error *error) {
    Status status = OK;
    Ledger *l = calloc(1, sizeof *l);
    if (!l) return out_of_memory(error);
    TRY(connect_to(where, false, l, error));
    status = read_budget(l, error);
    if (status) {
        l->database.close(&l->database);
        goto done;
    }
    *out = l;
done:
    if (status) free(l);
    return status;
}

void ledger_close(Ledger *ledger) {
    if (!ledger) return;
    ledger->database.close(&ledger->database);
    sodium_memzero(ledger, sizeof *ledger);
    free(ledger);
}

Currency ledger_currency(const Ledger *ledger) { return ledger->currency; }
const char *ledger_unit(const Ledger *ledger) { return ledger->unit[0] ? ledger->unit : NULL; }
