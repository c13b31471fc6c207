/* Debits and answers: who may spend what, of which data set, and what was paid before. */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/number_text.h"
#include "base/random.h"
#include "ledger/private.h"

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

/* The remainder of an analyst's or an account's own budget, if the ledger has such budgets. A request whose name is not listed, or that gives
 * no name, has none. */
typedef struct Own {
    const char *column, *name, *words; /* of whom; `words`: of nobody */
    bool some;                         /* there are such budgets */
    bool account_only;                 /* a name is an error where there are none; an analyst may be named for the record alone */
    int64_t left;
} Own;

static Status own_left(Ledger *l, Own *own, Error *error) {
    Status status = OK;
    Rows rows = { 0 };
    char sql[256];
    const char *who[] = { own->name };
    int64_t spent;
    snprintf(sql, sizeof sql, "SELECT units FROM scrim_ledger_entry WHERE " STATE_ENTRIES " AND kind = '%s' LIMIT 1", own->column);
    TRY(run(l, sql, 0, NULL, &rows, error));
    own->some = rows.rows > 0;
    own->left = 0;
    if (!own->some || !own->name) goto done;
    rows_free(&rows);
    snprintf(sql, sizeof sql, "SELECT units FROM scrim_ledger_entry WHERE " STATE_ENTRIES " AND kind = '%s' AND %s = $1", own->column,
             own->column);
    TRY(run(l, sql, 1, who, &rows, error));
    TRY(ledger_spent_by(l, own->column, own->name, &spent, error));
    own->left = rows.rows ? number_of(rows_at(&rows, 0, 0)) - spent : 0;
done:
    rows_free(&rows);
    return status;
}

/* The remainders of the data set's budget, the analyst's own and the account's; receipt->left is the least. `short_of`: whose that is,
 * where it is not the data set's. */
static Status budget_left(Ledger *l, const LedgerRequest *r, const Head *head, LedgerReceipt *receipt, Own *short_of, Error *error) {
    Status status = OK;
    Own own[] = { { .column = "analyst",
                    .name = r->analyst,
                    .words = "this ledger has a budget for each analyst, and the request does not name its analyst" },
                  { .column = "account",
                    .name = r->account,
                    .words = "this ledger has accounts, and the request does not name the one that pays",
                    .account_only = true } };
    *short_of = (Own){ 0 };
    receipt->left = l->budget - head->units;
    receipt->left_delta = l->delta - head->delta;
    for (int i = 0; i < 2; i++) {
        TRY(own_left(l, &own[i], error));
        if (own[i].account_only && own[i].name && !own[i].some) {
            fail(error, BAD, "this ledger has no accounts, and the request names one");
            error_parameter(error, "account");
            TRY(error_advice(error, "Leave --account out, or open the account with `scrim ledger account`."));
        }
        if (!own[i].some || own[i].left >= receipt->left) continue;
        receipt->left = own[i].left;
        *short_of = own[i];
    }
done:
    return status;
}

/* An id that came before with another identity. What is drawn again has one of its own each time, and is told by its words. */
static Status used_before(const LedgerRequest *r, const char *query, Error *error) {
    if (!r->anew || !query || !r->query || strcmp(query, r->query))
        return fail(error, BAD, "the request id was used before for another query");
    fail(error, BAD, "the request id was used before, and the ledger does not hold the answer");
    return error_advice(error, "Nothing was charged or released. Use the earlier answer. Another id draws new noise and is charged.");
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
        TRY(out_of_memory(error)); /* never taken for an answer that is not there: a second one would be drawn */
done:
    rows_free(&rows);
    return status;
}

/* The end of the chain as the head says it is: a file that lost its last entries, or whose last one was altered, is found before anything
 * more is spent. */
static Status check_end(Ledger *l, Head *head, Error *error) {
    Status status = OK;
    Rows last = { 0 };
    Entry e;
    char hash[65];
    TRY(ledger_read_head(l, head, error));
    TRY(run(l, "SELECT " ENTRY_COLUMNS " FROM scrim_ledger_entry ORDER BY entry DESC LIMIT 2", 0, NULL, &last, error));
    if (last.rows) entry_from(&last, 0, &e);
    if (last.rows) entry_hash(&e, last.rows > 1 ? rows_at(&last, 1, ENTRY_HASH) : "", hash);
    if (!last.rows || e.number != head->entry || strcmp(hash, head->hash) || e.total.units != head->units || e.total.delta != head->delta) {
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
        error, "Nothing was charged or released. A ledger belongs to one data set, one schema and one definition of a person. Use another "
               "ledger for another data set. If this is a new version of the same data set, register it with `scrim ledger bind`.");
}

const char *ledger_person(const char *column, int64_t records, char out[160]) {
    if (!column && records == 1) return "record";
    snprintf(out, 160, "%s%.100s%s%lld record%s", column ? "" : "persons of ", column ? column : "", column ? ", " : "", (long long)records,
             records == 1 ? "" : "s");
    return out;
}

/* Who the ledger protects, as it was made or as the first release said. */
Status ledger_check_person(Ledger *l, const char *person, Error *error) {
    Status status = OK;
    Rows said = { 0 };
    if (!person) return OK;
    TRY(run(l, "SELECT person FROM scrim_ledger_entry WHERE " STATE_ENTRIES " AND person IS NOT NULL ORDER BY entry LIMIT 1", 0, NULL,
            &said, error));
    if (!said.rows || !strcmp(rows_at(&said, 0, 0), person)) goto done;
    const char *who = rows_at(&said, 0, 0);
    bool single = !strcmp(who, "record"), records = !strcmp(person, "record");
    fail(error, REFUSED, "this ledger protects %s%s%s, and this release %s%s%s", single ? "single records" : "a person (",
         single ? "" : who, single ? "" : ")", records ? "single records" : "a person (", records ? "" : person, records ? "" : ")");
    TRY(error_advice(error,
                     "Nothing was charged or released. A ledger belongs to one definition of a person. Use another ledger for another."));
done:
    rows_free(&said);
    return status;
}

/* One of its versions: the same bytes, read by the same schema. `some`: is there any? */
static Status find_version(Ledger *l, const LedgerRequest *r, bool *some, bool *found, bool *same_schema, Error *error) {
    Rows bound = { 0 };
    Status status = run(l,
                        "SELECT identity, detail FROM scrim_ledger_entry WHERE " STATE_ENTRIES
                        " AND kind = 'bind' AND identity IS NOT NULL ORDER BY entry",
                        0, NULL, &bound, error);
    *some = bound.rows > 0;
    *found = *same_schema = false;
    for (int64_t i = 0; !status && i < bound.rows; i++) {
        bool schema = !differs(rows_at(&bound, i, 1), r->schema);
        *same_schema |= schema;
        *found |= schema && !strcmp(rows_at(&bound, i, 0), r->data);
    }
    rows_free(&bound);
    return status;
}

static Status add_version(Ledger *l, const LedgerRequest *r, Error *error) {
    Entry bind = { .kind = "bind", .identity = r->data, .query = r->name, .detail = r->schema, .unit = r->unit, .person = r->person };
    return ledger_append(l, &bind, error);
}

/* The first debit that says what data it is of binds the ledger to them, and to who is protected in them. */
static Status check_bound(Ledger *l, const LedgerRequest *r, Error *error) {
    Status status = OK;
    bool some, found, same_schema;
    if (!r->data) return OK;
    TRY(ledger_check_person(l, r->person, error));
    TRY(find_version(l, r, &some, &found, &same_schema, error));
    if (some && !found && !same_schema) TRY(other(r->schema ? "another schema, or none" : "its data set with a schema", error));
    if (some && !found) TRY(other("another data set", error));
    if (!some) TRY(add_version(l, r, error));
    if (r->unit && !l->unit[0]) snprintf(l->unit, sizeof l->unit, "%s", r->unit);
done:
    return status;
}

/* A price was reckoned in the unit that the ledger had when it was opened; somebody else may have been the first to say it since. */
static Status check_unit(Ledger *l, Error *error) {
    Status status = OK;
    char seen[sizeof l->unit];
    memcpy(seen, l->unit, sizeof seen);
    TRY(ledger_read_unit(l, error));
    if (strcmp(seen, l->unit)) {
        fail(error, REFUSED, "another release has just declared what a person is in this ledger");
        TRY(error_advice(error, "Nothing was charged or released. Repeat the request."));
    }
done:
    return status;
}

static Status refuse(const Ledger *l, const LedgerReceipt *left, const Own *own, const LedgerRequest *r, Error *error) {
    char has[33], asks[33];
    if (r->delta > left->left_delta)
        fail(error, REFUSED, l->delta ? "the budget of δ is too small" : "this release has a δ, and the ledger has no budget of δ");
    else if (own->column && !own->name) fail(error, REFUSED, "%s", own->words);
    else
        fail(error, REFUSED, "the budget is too small: this release costs %s, and %s remains%s%s", units_text(r->price, asks),
             units_text(left->left, has), own->column ? " for " : "", own->column ? own->name : "");
    return error_advice(error, "Nothing was charged or released.");
}

static void identity_of(const Ledger *l, const char *text, char out[65]) {
    unsigned char hash[32];
    crypto_generichash(hash, sizeof hash, (const unsigned char *)text, strlen(text), l->key, sizeof l->key);
    sodium_bin2hex(out, 65, hash, sizeof hash);
}

static Status pay(Ledger *l, const LedgerRequest *r, const char *identity, LedgerReceipt *receipt, Error *error) {
    Status status = OK;
    Head head;
    Own short_of;
    TRY(check_end(l, &head, error));
    TRY(find_paid(l, r, identity, &receipt->entry, error));
    TRY(budget_left(l, r, &head, receipt, &short_of, error));
    if (receipt->entry) return find_answer(l, receipt->entry, &receipt->answer, error);
    TRY(check_unit(l, error));
    TRY(check_bound(l, r, error));
    if (r->price > receipt->left || r->delta > receipt->left_delta) TRY(refuse(l, receipt, &short_of, r, error));
    Entry debit = { .kind = "debit",
                    .analyst = r->analyst,
                    .account = r->account,
                    .request = r->request,
                    .identity = identity,
                    .query = r->query,
                    .unit = r->unit,
                    .person = r->person,
                    .neighbours = r->neighbours,
                    .detail = r->detail,
                    .units = r->price,
                    .delta = r->delta };
    TRY(ledger_append(l, &debit, error));
    receipt->entry = debit.number;
    receipt->charged = true;
    receipt->price = r->price;
    receipt->left -= r->price;
    receipt->left_delta -= r->delta;
done:
    return status;
}

Status ledger_debit(Ledger *l, const LedgerRequest *r, LedgerReceipt *receipt, Error *error) {
    Status status = OK;
    char identity[65];
    *receipt = (LedgerReceipt){ 0 };
    if (memory_lost()) return out_of_memory(error); /* what is asked for may have lost a part of itself */
    if (r->price < 0 || r->delta < 0) return fail(error, BAD, "a price cannot be negative");
    if (!r->identity || !r->identity[0]) return fail(error, FAILED, "a request needs an identity that distinguishes it from others");
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
        status = *recorded ? ledger_append(l, &e, error) : out_of_memory(error);
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
    if (ledger && none_wanted) {
        fail(error, BAD, "excludes --ledger");
        error_parameter(error, "no-ledger");
        return error_advice(error, "Leave --no-ledger or --ledger out.");
    }
    if (ledger || none_wanted) return OK;
    fail(error, REFUSED, "a release is charged to a ledger, and no ledger was given");
    return error_advice(error, "Name one with --ledger, or create one with `scrim ledger create`. With --no-ledger nothing is recorded.");
}

Status ledger_charge(Ledger *l, LedgerRequest *r, const LedgerLoss *loss, LedgerReceipt *receipt, Error *error) {
    Status status = OK;
    unsigned char nonce[16];
    char hex[33];
    Buffer named = { 0 };
    if (!r->data || !r->unit || !r->person || !r->neighbours) return fail(error, FAILED, "a charge does not say what it is for");
    TRY(ledger_price(l, loss, r->unit, &r->price, &r->delta, error));
    buffer_text(&named, r->identity);
    if (r->anew) {
        TRY(system_random(nonce, sizeof nonce, error));
        sodium_bin2hex(hex, sizeof hex, nonce, sizeof nonce);
        buffer_print(&named, "|%s", hex);
    }
    if (named.failed) TRY(out_of_memory(error));
    LedgerRequest asked = *r;
    asked.identity = buffer_get(&named);
    TRY(ledger_debit(l, &asked, receipt, error));
done:
    buffer_free(&named);
    return status;
}

Status ledger_charge_file(Work *work, Ledger *l, LedgerRequest *r, const Table *table, double zcdp, LedgerReceipt *receipt) {
    Status status = OK;
    char data[65];
    const LedgerLoss loss = loss_of_zcdp(zcdp);
    TRY(ledger_print(work, l, table, data));
    r->data = data;
    r->name = table->name;
    r->identity = r->query;
    r->neighbours = "global";
    r->anew = true;
    status = ledger_charge(l, r, &loss, receipt, work->error);
done:
    r->data = NULL;
    return status;
}

static Status bind_version(Ledger *l, const LedgerRequest *r, Error *error) {
    Status status = OK;
    bool some, found, same_schema;
    Head head;
    TRY(check_end(l, &head, error));
    TRY(ledger_check_person(l, r->person, error));
    TRY(find_version(l, r, &some, &found, &same_schema, error));
    if (found) TRY(fail(error, BAD, "this ledger is bound to this file already"));
    TRY(add_version(l, r, error));
done:
    return status;
}

Status ledger_bind(Ledger *l, const LedgerRequest *r, Error *error) {
    Status status = ledger_begin(l, error);
    return status ? status : ledger_end(l, bind_version(l, r, error), error);
}

static Status add_account(Ledger *l, const char *name, int64_t units, Error *error) {
    Status status = OK;
    Rows rows = { 0 };
    Head head;
    const char *who[] = { name };
    TRY(check_end(l, &head, error));
    TRY(run(l, "SELECT units FROM scrim_ledger_entry WHERE " STATE_ENTRIES " AND kind = 'account' AND account = $1", 1, who, &rows, error));
    if (rows.rows) TRY(fail(error, BAD, "an account of this name exists already"));
    Entry own = { .kind = "account", .account = name, .units = units };
    TRY(ledger_append(l, &own, error));
done:
    rows_free(&rows);
    return status;
}

Status ledger_open_account(Ledger *l, const char *name, int64_t units, Error *error) {
    Status status = ledger_begin(l, error);
    return status ? status : ledger_end(l, add_account(l, name, units, error), error);
}
