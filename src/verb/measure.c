/* Measuring: driven by the registry alone, so that a method added later joins by itself. */
#include "verb/measure.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include "method/parts.h"
#include "report/findings.h"
#include "table/column_cache.h"

static bool in_groups(const Method *method, const char *const *groups) {
    for (; *groups; groups++)
        if (!strcmp(method->group, *groups)) return true;
    return false;
}

/* The parameter that the judged table fills. */
static const Param *subject(const Method *method) {
    static const char *const names[] = { "data", "released", NULL };
    for (int i = 0; names[i]; i++) {
        const Param *param = method_param(method, names[i]);
        if (param && param->kind == KIND_TABLE) return param;
    }
    return NULL;
}

/* What the policy says of the method, and the table. */
static Status given_args(Measuring *m, const Method *method, Args *out) {
    Status status = OK;
    Arg *list = NULL;
    Table **handle = NULL;
    Args own;
    const Param *param = subject(method);
    TRY(policy_args(m->work, m->policy, method, &own));
    NEW(m->work, list, own.count + 1);
    NEW(m->work, handle, 1);
    if (own.count) memcpy(list, own.at, (size_t)own.count * sizeof *list);
    *handle = (Table *)(uintptr_t)m->data;
    if (param) list[own.count++] = (Arg){ .name = param->name, .count = 1, .tables = handle };
    *out = (Args){ own.count, list };
done:
    return status;
}

/* Names of those columns that the table has: a step may have dropped some, and rules are about what is there. */
static Status names_there(Measuring *m, int64_t count, const char *const *items, Arg *out) {
    Status status = OK;
    const char **list = NULL;
    NEW(m->work, list, out->count + count + 1);
    for (int64_t i = 0; i < out->count; i++) list[i] = out->items[i];
    for (int64_t i = 0; i < count; i++)
        if (table_column(m->data, items[i])) list[out->count++] = items[i];
    out->items = list;
done:
    return status;
}

/* Roles and tables at hand, one list for the binder: with the identifiers that are still there, and all columns that have a role. */
static Status role_args(Measuring *m, Args *out) {
    Status status = OK;
    Arg *list = NULL, decided = { .name = "decided" }, identifiers = { .name = "identifiers" }, other = { .name = "other" };
    int64_t count = m->extra.count;
    NEW(m->work, list, (m->roles ? m->roles->args.count : 0) + count + 4);
    if (count) memcpy(list, m->extra.at, (size_t)count * sizeof *list); /* first: what is at hand wins over what a file names */
    for (int64_t i = 0; m->roles && i < m->roles->args.count; i++) {
        Arg arg = m->roles->args.at[i];
        const Kind kind = role_kind(arg.name);
        if (arg.items && (kind == KIND_COLUMN || kind == KIND_COLUMNS)) {
            Arg there = { .name = arg.name };
            TRY(names_there(m, arg.count, arg.items, &there));
            TRY(names_there(m, arg.count, arg.items, &decided));
            arg = there;
            if (!arg.count) continue;
        }
        list[count++] = arg;
    }
    if (m->roles) TRY(names_there(m, m->roles->identifiers, m->roles->identifier, &identifiers));
    if (m->roles) TRY(names_there(m, m->roles->others, m->roles->other, &other));
    if (other.count) TRY(names_there(m, other.count, other.items, &decided));
    if (other.count) list[count++] = other;
    if (identifiers.count) list[count++] = identifiers;
    if (decided.count) list[count++] = decided;
    *out = (Args){ count, list };
done:
    return status;
}

/* The parameter that the roles did not fill; one of several where each of them would do. */
static const char *what_lacks(Work *work, const Param *param) {
    char name[64];
    Buffer text = { 0 };
    if (param->kind == RULE_ONE_OF)
        for (int i = 0; param->words[i]; i++) buffer_print(&text, "%s%s", i ? " or " : "", param->words[i]);
    else {
        param_dashed(param, name);
        buffer_text(&text, name);
    }
    const char *copy = arena_text(work->arena, buffer_get(&text));
    buffer_free(&text);
    return copy ? copy : "more";
}

/* lacks: NULL where the method ran and failed, as `why` says. */
static Status leave_out(Measuring *m, const Method *method, const char *lacks, const char *why) {
    char name[160];
    if (same_text(lacks, "original")) why = "needs the original file, to compare the release with it";
    else if (lacks) why = arena_print(m->work->arena, "needs %s", lacks);
    if (!why) return out_of_memory(m->work->error);
    snprintf(name, sizeof name, "%s.%s", method->group, method->name);
    m->left_out++;
    if (m->skipped) {
        grid_text(m->skipped, name);
        grid_text(m->skipped, why);
        grid_text(m->skipped, lacks);
    }
    return policy_judge(m->work, m->policy, method, NULL, why);
}

/* One method: what it is given, and what came of it. */
typedef struct {
    const Method *method;
    Args given;
    const Param *lacks;
    int64_t number; /* of those that run */
    bool here;      /* it asks the host for a table, which only the caller's own thread may do */
    bool ran;
    Status status;
    Error error;
    Result *result;
} Turn;
typedef struct {
    Measuring *m;
    const Args *roles;
    Turn *turn;
    Turn **order; /* as they run */
    int64_t count;
    pthread_t caller;
} Round;

static bool asks_host(const Method *method, const Args *args) {
    for (int64_t i = 0; args && i < args->count; i++) {
        const Param *param = method_param(method, args->at[i].name);
        bool table = param && (param->kind == KIND_TABLE || param->kind == KIND_TABLES || param->kind == KIND_LEDGER);
        if (table && !args->at[i].tables) return true;
    }
    return false;
}

/* Does it count classes of records, where people have several? Its figures would be said of people, and would be false. */
static bool counts_records(const Measuring *m, const Method *method) {
    return m->histories && !m->person_gone && method->traits & FREQUENCY && !method_param(method, "person");
}

/* Of what a method says of each record the report needs this alone (verb/explain.h); all of it together would be as large as the table.
 */
#define RECORD_KEPT "suda_score"

static void take_turn(const Round *round, Turn *turn) {
    Session session = round->m->session;
    bool caller = pthread_equal(pthread_self(), round->caller);
    Progress quiet = progress_quiet(session.progress);
    if (caller) {
        char what[128];
        snprintf(what, sizeof what, "method %lld of %lld: %s %s", (long long)turn->number, (long long)round->count, turn->method->group,
                 turn->method->name);
        work_show(round->m->work, what, (double)turn->number / (double)round->count);
    } else session.progress = &quiet;
    session.record = RECORD_KEPT;
    session.memo = cache_borrow(session.memo);
    turn->ran = true;
    turn->status = method_run(&session, turn->method, &turn->given, round->roles, &turn->result, &turn->error);
    cache_free(session.memo);
    if (turn->result) result_forget_records(turn->result, RECORD_KEPT);
}

static bool ends_all(const Turn *turn) { return turn->status == INTERRUPTED || (turn->status && error_of_machine(&turn->error)); }

static Status take_turns(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    const Round *round = self;
    (void)block;
    for (int64_t i = first; i < last; i++) {
        Turn *turn = round->order[i];
        if (turn->lacks || turn->here || counts_records(round->m, turn->method)) continue;
        take_turn(round, turn);
        if (!ends_all(turn)) continue;
        *error = turn->error;
        return turn->status;
    }
    return OK;
}

/* The column that says whose a record is, where people have several records: of the table, else of the original. */
static Status find_histories(Measuring *m) {
    Status status = OK;
    const Arg *person = m->roles ? args_find(&m->roles->args, "person") : NULL;
    const Table *table = m->data;
    const char *name = person && person->items && person->count == 1 ? person->items[0] : NULL;
    Codes codes;
    m->histories = false;
    for (int64_t i = 0; name && !table_column(table, name) && i < m->extra.count; i++)
        if (!strcmp(m->extra.at[i].name, "original") && m->extra.at[i].tables) table = m->extra.at[i].tables[0];
    const Column *column = name ? table_column(table, name) : NULL;
    if (!column) return OK;
    TRY(column_codes(m->work, column, &codes));
    m->histories = codes.count < column->rows - column->missing;
    m->person_gone = !table_column(m->data, name);
done:
    return status;
}

/* Where people have several records, a method that does not know it counts records. */
static void note_records(const Measuring *m, const Turn *turn) {
    static const char *const about_people[] = { "risk", "attack", NULL };
    const unsigned kinds = turn->method->traits & (IDENTITY | ATTRIBUTE | INFERENTIAL | POPULATION);
    const bool by_person = method_param(turn->method, "person") && !m->person_gone;
    if (!m->histories || by_person || !in_groups(turn->method, about_people)) return;
    if ((kinds && method_param(turn->method, "keys")) || (kinds & IDENTITY && method_param(turn->method, "vars"))) {
        turn->result->of_records = true;
        result_note(turn->result, "Counts records, not people, though people have several records.");
    }
}

/* What came of a turn goes into the result, and is judged. */
static Status settle_turn(const Round *round, Turn *turn) {
    static const char refused[] = "it counts records, and people have several: run it on a file with one record per person";
    Status status = OK;
    Measuring *m = round->m;
    char name[160], why[2048];
    snprintf(name, sizeof name, "%s.%s", turn->method->group, turn->method->name);
    if (turn->lacks) return leave_out(m, turn->method, what_lacks(m->work, turn->lacks), NULL);
    if (counts_records(m, turn->method)) return leave_out(m, turn->method, NULL, refused);
    if (!turn->ran) take_turn(round, turn);
    if (ends_all(turn)) {
        *m->work->error = turn->error;
        return turn->status;
    }
    if (turn->status) {
        error_text(&turn->error, why, sizeof why);
        const char *kept = arena_text(m->work->arena, why);
        return leave_out(m, turn->method, NULL, kept ? kept : "failed");
    }
    TRY(policy_judge(m->work, m->policy, turn->method, turn->result, NULL));
    note_records(m, turn);
    result_result(m->into, name, turn->result);
    turn->result = NULL;
    m->done++;
done:
    return status;
}

static bool is_named(const Measuring *m, const Method *method) {
    char name[160];
    snprintf(name, sizeof name, "%s.%s", method->group, method->name);
    for (int64_t i = 0; i < m->only.count; i++)
        if (!strcmp(m->only.at[i], name)) return true;
    return false;
}

/* Each must be a method that measures; one that makes a table or a release is none. */
static Status check_only(Measuring *m) {
    static const char *const measures[] = { "risk", "attack", "utility", NULL };
    Status status = OK;
    for (int64_t i = 0; i < m->only.count; i++) {
        const Method *method;
        TRY(method_need(m->only.at[i], &method, m->work->error));
        if (in_groups(method, measures)) continue;
        fail(m->work->error, BAD, "%s measures nothing: a method of risk, attack or utility does", m->only.at[i]);
        TRY(error_parameter(m->work->error, "only"));
    }
done:
    return status;
}

static bool is_excepted(const Measuring *m, const Method *method) {
    char name[160];
    snprintf(name, sizeof name, "%s.%s", method->group, method->name);
    for (const char *const *at = m->except; at && *at; at++)
        if (!strcmp(*at, name)) return true;
    return false;
}

static bool is_wanted(const Measuring *m, const Method *method, const char *const *groups) {
    if (is_excepted(m, method)) return false;
    bool audited = m->only.count ? is_named(m, method) : in_groups(method, groups) && !(method->traits & UNAUDITED);
    return audited || policy_names(m->policy, method);
}

/* Records of the release that stand elsewhere are compared with their own: an original in the release's order takes the place of the one at
 * hand. By place, a reordered release would seem safe and useless. */
static Status align_original(Measuring *m, Table **aligned) {
    Status status = OK;
    Arg *extra = NULL;
    NEW(m->work, extra, m->extra.count + 1);
    for (int64_t i = 0; i < m->extra.count; i++) {
        extra[i] = m->extra.at[i];
        if (*aligned || strcmp(extra[i].name, "original") || !extra[i].tables || extra[i].count != 1) continue;
        TRY(table_aligned(extra[i].tables[0], m->data, aligned, m->work->error));
        extra[i].tables = aligned;
    }
    m->extra.at = extra;
done:
    return status;
}

/* Those columns of a table that some role names. */
static void add_role_columns(const Measuring *m, const Table *table, Columns *out) {
    for (int64_t i = 0; m->roles && i < m->roles->args.count; i++)
        for (int64_t k = 0; m->roles->args.at[i].items && k < m->roles->args.at[i].count; k++) {
            const Column *column = table_column(table, m->roles->args.at[i].items[k]);
            if (column) out->at[out->count++] = column;
        }
}

/* What methods make of the columns that the roles name, which nearly all of them look at, is made once. Of the others it would be kept for
 * the two or three that look at every column: as much memory as the table has. */
static Status keep_memo(Measuring *m) {
    Status status = OK;
    Columns columns = { 0 };
    int64_t tables = 1, named = 0;
    for (int64_t i = 0; i < m->extra.count; i++) tables += m->extra.at[i].tables ? m->extra.at[i].count : 0;
    for (int64_t i = 0; m->roles && i < m->roles->args.count; i++) named += m->roles->args.at[i].count;
    NEW(m->work, columns.at, tables * named + 1);
    add_role_columns(m, m->data, &columns);
    for (int64_t i = 0; i < m->extra.count; i++)
        for (int64_t t = 0; m->extra.at[i].tables && t < m->extra.at[i].count; t++) add_role_columns(m, m->extra.at[i].tables[t], &columns);
    TRY(cache_make(m->work, columns, &m->session.memo));
done:
    return status;
}

/* First those that count classes: all of them want the same ones, which may go when the last has run. */
static Status put_in_order(Round *round) {
    Status status = OK;
    int64_t count = 0;
    NEW(round->m->work, round->order, round->count + 1);
    for (int later = 0; later < 2; later++)
        for (int64_t i = 0; i < round->count; i++) {
            const InParts *parts = round->turn[i].method->parts;
            bool classes = parts && parts->shape == BY_CLASS;
            if (classes == later) continue;
            round->order[count++] = &round->turn[i];
            round->turn[i].number = count;
        }
done:
    return status;
}

/* Two at once: much of a method is the work of one core. They are settled in the registry's order, and each gives the same bytes beside
 * whatever runs. More would hold more memory than they save time. */
Status measure(Measuring *m, const char *const *groups) {
    enum { AT_ONCE = 2 };
    Status status = OK;
    Args roles;
    Round round = { .m = m, .roles = &roles, .caller = pthread_self() };
    Table *aligned = NULL;
    const Args extra = m->extra;
    TRY(check_only(m));
    TRY(align_original(m, &aligned));
    TRY(role_args(m, &roles));
    TRY(find_histories(m));
    NEW(m->work, round.turn, methods_count() + 1);
    for (int64_t i = 0; i < methods_count(); i++) {
        Turn *turn = &round.turn[round.count];
        if (!is_wanted(m, methods_at(i), groups)) continue;
        *turn = (Turn){ .method = methods_at(i), .error = ERROR_NONE };
        round.count++;
        TRY(given_args(m, turn->method, &turn->given));
        turn->lacks = method_unfilled(turn->method, &turn->given, &roles);
        turn->here = asks_host(turn->method, &turn->given) || asks_host(turn->method, &roles);
    }
    TRY(put_in_order(&round));
    TRY(keep_memo(m));
    Work here = *m->work;
    if (here.threads > AT_ONCE) here.threads = AT_ONCE;
    TRY(parallel_for(&here, round.count, 1, take_turns, &round));
    for (int64_t i = 0; i < round.count; i++) TRY(settle_turn(&round, &round.turn[i]));
    TRY(work_check(m->work));
done:
    for (int64_t i = 0; i < round.count; i++) result_free(round.turn[i].result);
    cache_free(m->session.memo);
    m->session.memo = NULL;
    m->extra = extra;
    table_release(aligned);
    return status;
}
