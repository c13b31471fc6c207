/* Debits and answers: who may spend what, of which data set, and what was paid before. */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/number.h"
#include "base/random.h"
#include "ledger/inside.h"

static const char *number_text(int64_t value, char out[33]) {
    out[write_integer(value, out)] = 0;
    return out;
}

static int64_t number_of(const char *text) {
    int64_t value = 0;
    return text && read_integer(text, text + strlen(text), &value) ? value : 0;
}

static Status run(Ledger *l, const char *sql, int count, const char *const *values, Rows *out, Error *error) {
    return l->database.query(&l->database, sql, count, values, out, error);
}

static Status one_number(Ledger *l, const char *sql, int count, const char *const *values, int64_t *out, bool *there, Error *error) {
    Rows rows = { 0 };
    Status status = run(l, sql, count, values, &rows, error);
    if (there) *there = !status && rows.rows > 0;
    *out = !status && rows.rows > 0 ? number_of(rows_at(&rows, 0, 0)) : 0;
    rows_free(&rows);
    return status;
}

/* What is left: of the data set's budget, and of the analyst's own. Where analysts have budgets, whoever is not listed, or does not say who
 * asks, has none. */
static Status budget_left(Ledger *l, const char *analyst, LedgerReceipt *receipt, bool *own, Error *error) {
    Status status = OK;
    int64_t spent, mine = 0, used = 0;
    const char *who[] = { analyst };
    *own = false;
    TRY(one_number(l, "SELECT CAST(COALESCE(SUM(units), 0) AS BIGINT) FROM scrim_ledger_entry WHERE kind = 'debit'", 0, NULL, &spent, NULL,
                   error));
    receipt->left = l->budget - spent;
    TRY(one_number(l, "SELECT CAST(COALESCE(SUM(delta), 0) AS BIGINT) FROM scrim_ledger_entry WHERE kind = 'debit'", 0, NULL, &spent, NULL,
                   error));
    receipt->left_delta = l->delta - spent;
    if (!l->by_analyst) goto done;
    if (analyst)
        TRY(one_number(l, "SELECT units FROM scrim_ledger_entry WHERE kind = 'analyst' AND analyst = $1", 1, who, &mine, NULL, error));
    if (analyst)
        TRY(one_number(l, "SELECT CAST(COALESCE(SUM(units), 0) AS BIGINT) FROM scrim_ledger_entry WHERE kind = 'debit' AND analyst = $1", 1,
                       who, &used, NULL, error));
    *own = mine - used < receipt->left;
    if (*own) receipt->left = mine - used;
done:
    return status;
}

/* An id that came before with another identity. What is drawn anew has one of its own each time, and is told by its words. */
static Status used_before(const LedgerRequest *r, const char *query, Error *error) {
    if (!r->anew || !query || !r->query || strcmp(query, r->query))
        return fail(error, BAD, "the request id was used before, for another query");
    fail(error, BAD, "the request id was used before, and the ledger does not keep what was drawn for it");
    return error_advice(error, "Nothing was charged or released. Use what was released then; another id draws anew, and pays.");
}

/* The debit that this request repeats, if any: by its id first, then by its identity. */
static Status find_paid(Ledger *l, const LedgerRequest *r, const char *identity, int64_t *entry, Error *error) {
    Status status = OK;
    Rows rows = { 0 };
    const char *by_request[] = { r->request }, *by_identity[] = { identity };
    *entry = 0;
    if (r->request)
        TRY(run(l, "SELECT entry, identity, query FROM scrim_ledger_entry WHERE kind = 'debit' AND request = $1 ORDER BY entry LIMIT 1", 1,
                by_request, &rows, error));
    if (rows.rows) {
        if (strcmp(rows_at(&rows, 0, 1), identity)) TRY(used_before(r, rows_at(&rows, 0, 2), error));
        *entry = number_of(rows_at(&rows, 0, 0));
        goto done;
    }
    rows_free(&rows);
    TRY(run(l, "SELECT entry FROM scrim_ledger_entry WHERE kind = 'debit' AND identity = $1 ORDER BY entry LIMIT 1", 1, by_identity, &rows,
            error));
    if (rows.rows) *entry = number_of(rows_at(&rows, 0, 0));
done:
    rows_free(&rows);
    return status;
}

static Status find_answer(Ledger *l, int64_t entry, char **answer, Error *error) {
    Status status = OK;
    Rows rows = { 0 };
    char number[33];
    const char *of[] = { number_text(entry, number) };
    *answer = NULL;
    TRY(run(l, "SELECT answer FROM scrim_ledger_entry WHERE kind = 'answer' AND of = $1", 1, of, &rows, error));
    if (!rows.rows) goto done;
    if (!rows_at(&rows, 0, 0) || !(*answer = strdup(rows_at(&rows, 0, 0))))
        TRY(fail(error, FAILED, "out of memory")); /* never taken for an answer that is not there: a second one would be drawn */
done:
    rows_free(&rows);
    return status;
}

/* The end of the chain as the head says it is: a file that lost its last entries, or whose last one was altered, is found before anything
 * more is spent. */
static Status check_end(Ledger *l, Error *error) {
    Status status = OK;
    Rows last = { 0 };
    Entry e;
    int64_t entry;
    char head[65], hash[65];
    TRY(ledger_head(l, &entry, head, error));
    TRY(run(l, "SELECT " ENTRY_COLUMNS " FROM scrim_ledger_entry ORDER BY entry DESC LIMIT 2", 0, NULL, &last, error));
    if (last.rows) entry_from(&last, 0, &e);
    if (last.rows) entry_hash(&e, last.rows > 1 ? rows_at(&last, 1, ENTRY_HASH) : "", hash);
    if (!last.rows || e.number != entry || strcmp(hash, head)) {
        fail(error, FAILED, "the end of the ledger was lost or altered");
        TRY(error_advice(error, "Nothing was charged or released. `scrim ledger verify` says where."));
    }
done:
    rows_free(&last);
    return status;
}

static bool differs(const char *bound, const char *asked) { return asked ? !bound || strcmp(bound, asked) : bound != NULL; }

static Status other(const char *what, Error *error) {
    fail(error, REFUSED, "this ledger is bound to %s", what);
    return error_advice(
        error, "Nothing was charged or released. A ledger counts for one data set, one schema and one unit: keep another for another.");
}

/* The first debit that says what data it is of binds the ledger to them. */
static Status check_bound(Ledger *l, const LedgerRequest *r, Error *error) {
    Status status = OK;
    Rows bound = { 0 };
    if (!r->data) return OK;
    TRY(run(l, "SELECT identity, detail, unit FROM scrim_ledger_entry WHERE kind = 'bind' ORDER BY entry LIMIT 1", 0, NULL, &bound, error));
    if (!bound.rows) {
        Entry bind = { .kind = "bind", .identity = r->data, .query = r->name, .detail = r->schema, .unit = r->unit };
        TRY(ledger_append(l, &bind, error));
        if (r->unit && !l->unit[0] && strlen(r->unit) < sizeof l->unit) strcpy(l->unit, r->unit);
        goto done;
    }
    if (differs(rows_at(&bound, 0, 1), r->schema))
        TRY(other(rows_at(&bound, 0, 1) ? "another schema" : "its data set without a schema", error));
    if (strcmp(rows_at(&bound, 0, 0), r->data)) TRY(other("another data set", error));
done:
    rows_free(&bound);
    return status;
}

/* A price was reckoned in the unit that the ledger had when it was opened; somebody else may have been the first to say it since. */
static Status check_unit(Ledger *l, Error *error) {
    Status status = OK;
    char seen[sizeof l->unit];
    memcpy(seen, l->unit, sizeof seen);
    TRY(ledger_read_unit(l, error));
    if (strcmp(seen, l->unit)) {
        fail(error, REFUSED, "another release has said just now what one person is in this ledger");
        TRY(error_advice(error, "Nothing was charged or released. Ask again."));
    }
done:
    return status;
}

static Status refuse(const Ledger *l, const LedgerReceipt *left, bool own, const LedgerRequest *r, Error *error) {
    char has[33], asks[33];
    if (r->delta > left->left_delta)
        fail(error, REFUSED, l->delta ? "the budget of δ does not suffice" : "this has a δ, and the ledger has no budget of δ");
    else if (own && l->by_analyst && !r->analyst) fail(error, REFUSED, "this ledger has budgets by analyst, and nobody says who asks");
    else
        fail(error, REFUSED, "the budget does not suffice: this costs %s and %s is left%s%s", units_text(r->price, asks),
             units_text(left->left, has), own ? " for " : "", own ? r->analyst : "");
    return error_advice(error, "Nothing was charged or released.");
}

static void identity_of(const Ledger *l, const char *text, char out[65]) {
    unsigned char hash[32];
    crypto_generichash(hash, sizeof hash, (const unsigned char *)text, strlen(text), l->key, sizeof l->key);
    sodium_bin2hex(out, 65, hash, sizeof hash);
}

static Status pay(Ledger *l, const LedgerRequest *r, const char *identity, LedgerReceipt *receipt, Error *error) {
    Status status = OK;
    bool own;
    TRY(check_end(l, error));
    TRY(find_paid(l, r, identity, &receipt->entry, error));
    TRY(budget_left(l, r->analyst, receipt, &own, error));
    if (receipt->entry) return find_answer(l, receipt->entry, &receipt->answer, error);
    TRY(check_unit(l, error));
    TRY(check_bound(l, r, error));
    if (r->price > receipt->left || r->delta > receipt->left_delta) TRY(refuse(l, receipt, own, r, error));
    Entry debit = { .kind = "debit",
                    .analyst = r->analyst,
                    .request = r->request,
                    .identity = identity,
                    .query = r->query,
                    .unit = r->unit,
                    .detail = r->detail,
                    .units = r->price,
                    .delta = r->delta };
    TRY(ledger_append(l, &debit, error));
    receipt->entry = debit.number;
    receipt->charged = true;
    receipt->price = r->price;
    receipt->left -= r->price;
    receipt->left_delta -= r->delta;
    if (r->unit && !l->unit[0]) snprintf(l->unit, sizeof l->unit, "%s", r->unit);
done:
    return status;
}

Status ledger_debit(Ledger *l, const LedgerRequest *r, LedgerReceipt *receipt, Error *error) {
    Status status = OK;
    char identity[65];
    *receipt = (LedgerReceipt){ 0 };
    if (memory_lost()) return fail(error, FAILED, "out of memory"); /* what is asked for may have lost a part of itself */
    if (r->price < 0 || r->delta < 0) return fail(error, BAD, "a price is not negative");
    if (!r->identity || !r->identity[0]) return fail(error, FAILED, "a request without an identity cannot be told from others");
    identity_of(l, r->identity, identity);
    TRY(ledger_begin(l, error));
    status = ledger_end(l, pay(l, r, identity, receipt, error), error);
    if (status) {
        free(receipt->answer);
        *receipt = (LedgerReceipt){ 0 };
    }
done:
    return status;
}

Status ledger_record(Ledger *l, int64_t entry, const char *answer, char **recorded, Error *error) {
    Status status = OK;
    *recorded = NULL;
    TRY(ledger_begin(l, error));
    status = find_answer(l, entry, recorded, error);
    if (!status && !*recorded) {
        Entry e = { .kind = "answer", .answer = answer, .of = entry };
        *recorded = strdup(answer); /* before it is written: an answer that cannot be shown is not recorded either */
        status = *recorded ? ledger_append(l, &e, error) : fail(error, FAILED, "out of memory");
    }
    status = ledger_end(l, status, error);
    if (status) {
        free(*recorded);
        *recorded = NULL;
    }
done:
    return status;
}

Status ledger_or_none(const Ledger *ledger, bool none_wanted, Error *error) {
    if (ledger || none_wanted) return OK;
    fail(error, REFUSED, "a release is debited to a ledger, and there is none");
    return error_advice(error, "Name yours with --ledger, or create one with `scrim ledger create`; --no-ledger releases without.");
}

/* Who is replaced is taken out and another put in: twice the distance, four times ρ. The other way round nothing follows. */
static Status in_unit(const Ledger *l, const char *unit, double *zcdp, Error *error) {
    const char *own = ledger_unit(l);
    if (!own || !strcmp(own, unit)) return OK;
    if (!strcmp(own, "add-remove")) {
        fail(error, REFUSED, "this ledger's unit is add-remove, and this promise is of what one person reported");
        return error_advice(error, "Nothing was charged or released. Keep a ledger of replace-one for it.");
    }
    *zcdp *= 4;
    return OK;
}

Status ledger_charge_zcdp(Ledger *ledger, double zcdp, const char *unit, const char *identity, const char *query, const char *analyst,
                          const char *request, LedgerReceipt *receipt, Error *error) {
    Status status = OK;
    unsigned char nonce[16];
    char hex[33], named[512];
    int64_t units;
    if (ledger_currency(ledger) != CURRENCY_ZCDP) {
        fail(error, REFUSED, "this ledger counts in %s, and this promise is of zero-concentrated differential privacy",
             currency_name(ledger_currency(ledger)));
        return error_advice(error, "Nothing was charged or released. Keep a ledger in zcdp for it.");
    }
    TRY(in_unit(ledger, unit, &zcdp, error));
    TRY(ledger_units(zcdp, &units, error));
    TRY(system_random(nonce, sizeof nonce, error));
    sodium_bin2hex(hex, sizeof hex, nonce, sizeof nonce);
    snprintf(named, sizeof named, "%s|%s", identity, hex);
    LedgerRequest r = { .query = query, .identity = named, .request = request, .analyst = analyst, .price = units };
    r.unit = unit;
    r.anew = true;
    TRY(ledger_debit(ledger, &r, receipt, error));
done:
    return status;
}
