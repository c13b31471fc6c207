/* scrim_run: any method by its name. */
#include <stdlib.h>
#include <string.h>
#include "api/api.h"
#include "base/file.h"
#include "io/open.h"
#include "ledger/ledger.h"

typedef struct { scrim_host lent; Work *work; atomic_int cancel; Ledger *ledger; } Lender;

static void show(void *self, const char *what, double share) {
    Lender *lender = self;
    if (lender->lent.progress && lender->lent.progress(lender->lent.self, what, share)) atomic_store(&lender->cancel, 1);
}

static Status lend_table(void *self, const char *name, Table **out, Error *error) {
    Lender *lender = self;
    if (!lender->lent.table) {
        if (lender->lent.no_files) return fail(error, BAD, "there is no table '%s': this caller opens no files", name);
        Work work = *lender->work;
        work.error = error;
        return table_open(&work, name, &(CsvOptions){ .decimal = '.', .threads = work.threads }, out);
    }
    scrim_error told = { .size = sizeof told, .row = -1, .line = -1, .place = -1 };
    scrim_table *table = NULL;
    scrim_status status = lender->lent.table(lender->lent.self, name, &table, &told);
    if (status == SCRIM_OK && !table) return fail(error, BAD, "there is no table '%s'", name);
    *out = api_table(table);
    if (status != SCRIM_OK) api_error_back(&told, error);
    return (Status)status;
}

static Status lend_tables(void *self, const char *name, Work *work, Tables *out, Error *error) {
    Lender *lender = self;
    if (lender->lent.no_files || lender->lent.table) return fail(error, BAD, "give several tables one by one: this caller opens no folders");
    Work with = *work;
    with.error = error;
    return folder_open(&with, name, &(CsvOptions){ .decimal = '.', .threads = work->threads }, &out->count, &out->name, &out->at);
}

static Status lend_ledger(void *self, const char *name, Ledger **out, Error *error) {
    Lender *lender = self;
    if (lender->lent.no_files) return fail(error, BAD, "this caller opens no ledgers");
    if (lender->ledger) return fail(error, BAD, "one ledger at a time");
    Status status = ledger_open(name, &lender->ledger, error);
    *out = lender->ledger;
    return status;
}

static Status lend_bytes(void *self, const char *name, Work *work, const char **out, size_t *count, Error *error) {
    Lender *lender = self;
    if (lender->lent.no_files || lender->lent.table) return fail(error, BAD, "this caller opens no files: give the schema itself");
    return bytes_read(work->arena, name, out, count, error);
}

static Status run(Call *call, const scrim_host *host, const char *name, const scrim_args *args, Result **out) {
    Status status = OK;
    const Method *method;
    Lender lender = { .work = &call->work };
    if (host) memcpy(&lender.lent, host, host->size < sizeof lender.lent ? host->size : sizeof lender.lent);
    if (lender.lent.threads > 0) call->work.threads = lender.lent.threads;
    const Progress progress = { .show = show, .self = &lender, .cancel = &lender.cancel };
    const Host inner = { .self = &lender, .table = lend_table, .tables = lend_tables, .ledger = lend_ledger, .bytes = lend_bytes };
    Session session = { .host = &inner, .threads = call->work.threads, .progress = &progress, .seed_given = lender.lent.seed };
    TRY(method_need(name, &method, &call->error));
    TRY(lender.lent.seed ? seed_from_hex(lender.lent.seed, &session.seed, &call->error) : seed_fresh(&session.seed, &call->error));
    TRY(method_run(&session, method, api_args(args), NULL, out, &call->error));
done:
    ledger_close(lender.ledger);
    return status;
}

scrim_status scrim_run(const scrim_host *host, const char *method, const scrim_args *args, scrim_result **out, scrim_error *error) {
    Call call;
    Result *result = NULL;
    Status status = !method || !out ? fail(NULL, BAD, "no method") : call_begin(&call) ? run(&call, host, method, args, &result) : FAILED;
    if (!method || !out) return SCRIM_BAD;
    *out = (scrim_result *)result;
    scrim_status answer = api_error(status, &call.error, error);
    call_end(&call);
    return answer;
}

const char *scrim_version(void) { return SCRIM_VERSION; }
int64_t scrim_methods_count(void) { return methods_count(); }

const char *scrim_methods_name(int64_t index) {
    static _Thread_local char name[128];
    if (index < 0 || index >= methods_count()) return NULL;
    const Method *m = methods_at(index);
    size_t group = strlen(m->group), length = strlen(m->name);
    if (group + length + 2 > sizeof name) return NULL;
    memcpy(name, m->group, group);
    name[group] = '.';
    memcpy(name + group + 1, m->name, length + 1);
    return name;
}

scrim_status scrim_methods_describe(const char *method, char **out, scrim_error *error) {
    Error local = ERROR_NONE;
    const Method *found;
    Buffer text = { 0 };
    *out = NULL;
    Status status = method_need(method, &found, &local);
    if (!status) method_describe(found, &text);
    if (!status && text.failed) status = fail(&local, FAILED, "out of memory");
    if (!status) *out = strdup(buffer_get(&text));
    buffer_free(&text);
    return api_error(status, &local, error);
}

void scrim_text_free(char *text) { free(text); }
