/* scrim_run: any method or verb by its name; and what there is. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "api/api.h"
#include "recipe/roles.h"
#include "base/file.h"
#include "verb/verbs.h"

/* ---- names ---- */

enum { MOST_METHODS = 512 }; /* far more than there are; what is beyond has no name */
static int64_t all_count(void) {
    int64_t count = methods_count() + verbs_count();
    return count < MOST_METHODS ? count : MOST_METHODS;
}
const Method *api_method_at(int64_t index) { return index < methods_count() ? methods_at(index) : verbs_at(index - methods_count()); }

static pthread_once_t named = PTHREAD_ONCE_INIT;
static char names[MOST_METHODS][96]; /* made once, and without asking for memory: callers keep what they are given */

static void make_names(void) {
    for (int64_t i = 0; i < all_count(); i++) {
        const Method *m = api_method_at(i);
        if (method_is_verb(m)) snprintf(names[i], sizeof *names, "%s", m->name);
        else snprintf(names[i], sizeof *names, "%s.%s", m->group, m->name);
    }
}

int64_t scrim_methods_count(void) { return all_count(); }

const char *scrim_methods_name(int64_t index) {
    pthread_once(&named, make_names);
    return index < 0 || index >= all_count() ? NULL : names[index];
}

Status api_method(const char *name, const Method **out, Error *error) {
    pthread_once(&named, make_names);
    for (int64_t i = 0; i < all_count(); i++)
        if (!strcmp(names[i], name)) {
            *out = api_method_at(i);
            return OK;
        }
    return method_need(name, out, error);
}

scrim_status scrim_methods_describe(const char *method, char **out, scrim_error *error) {
    Error local = ERROR_NONE;
    const Method *found;
    Buffer text = { 0 };
    if (!method || !out) return api_absent(error);
    Status status = api_method(method, &found, &local);
    if (!status) method_describe(found, &text);
    return api_text(status, &text, out, &local, error);
}

/* ---- seeds ---- */

static Status read_seed(const char *path, Seed *out, Error *error) {
    Status status = OK;
    Bytes bytes = { 0 };
    char text[80];
    struct stat about;
    if (!stat(path, &about) && S_ISREG(about.st_mode) && (about.st_mode & 0077)) {
        fail(error, BAD, "others can read this seed, and with it undo the randomness");
        error_advice(error, "chmod 600 %s, or let another be made where there is none.", path);
        TRY(error_file(error, path));
    }
    TRY(bytes_open(path, &bytes, error));
    snprintf(text, sizeof text, "%.*s", (int)(bytes.count < 70 ? bytes.count : 70), bytes.at ? bytes.at : "");
    status = seed_from_hex(text, out, error);
    memset(text, 0, sizeof text);
    if (status) error_file(error, path);
done:
    bytes_close(&bytes);
    return status;
}

static Status make_seed(const char *path, Seed *out, Error *error) {
    Status status = OK;
    char hex[66];
    TRY(seed_fresh(out, error));
    seed_to_hex(out, hex);
    strcat(hex, "\n");
    TRY(file_write(path, hex, strlen(hex), true, error));
done:
    memset(hex, 0, sizeof hex);
    return status;
}

static Status take_seed(const scrim_host *host, Session *session, Error *error) {
    if (!!host->seed + !!host->seed_number + !!host->seed_file > 1)
        return fail(error, BAD, "only one seed can be given: digits, a number, or a file");
    session->seed_given = host->seed || host->seed_number;
    if (host->seed) return seed_from_hex(host->seed, &session->seed, error);
    if (host->seed_number) {
        session->seed = seed_from_number((uint64_t)*host->seed_number);
        return OK;
    }
    if (!host->seed_file) return seed_fresh(&session->seed, error);
    if (access(host->seed_file, F_OK)) return make_seed(host->seed_file, &session->seed, error);
    session->seed_given = true;
    return read_seed(host->seed_file, &session->seed, error);
}

/* ---- running ---- */

/* --roles of a method that has no such parameter itself: what they say goes to the binder, and the rest of the arguments stay. */
Status api_roles(Call *call, const Method *method, const Args **args, const Args **roles) {
    Status status = OK;
    const Arg *given = *args ? args_find(*args, "roles") : NULL;
    Roles *read = NULL;
    Arg *list = NULL;
    Args *rest = NULL;
    for (const Param *p = method->params; p && p->kind; p++)
        if (p->kind < RULE_ONE_OF && param_is(p, "roles")) return OK;
    if (!given) return OK;
    if (!strcmp(method->group, "verb")) return fail(&call->error, BAD, "%s has no parameter --roles", method->name);
    if (given->count != 1 || !given->items || !given->items[0]) {
        fail(&call->error, BAD, "expects one file of roles");
        return error_parameter(&call->error, "roles");
    }
    NEW(&call->work, read, 1);
    NEW(&call->work, rest, 1);
    NEW(&call->work, list, (*args)->count + 1);
    TRY(roles_read(&call->work, given->items[0], read));
    for (int64_t i = 0; i < (*args)->count; i++)
        if (&(*args)->at[i] != given) list[rest->count++] = (*args)->at[i];
    rest->at = list;
    *args = rest;
    *roles = &read->all;
done:
    return status;
}

Status api_session(HostAdapter *lender, const Work *work, const scrim_args *args, Session *out, Error *error) {
    if (lender->lent.size < sizeof lender->lent.size) return fail(error, BAD, "the size of a scrim_host is not set");
    Status sized = api_sized(lender->lent.reading, error);
    if (sized) return sized;
    *out = (Session){ .host = &lender->host,
                      .threads = work->threads,
                      .progress = &lender->progress,
                      .no_files = lender->lent.no_files,
                      .time_limit = lender->lent.time_limit,
                      .step = lender->lent.step,
                      .show_values = api_shows_values(lender->lent.reading) || args_find(api_args(args), "show_values") };
    return take_seed(&lender->lent, out, error);
}

static Status run(Call *call, const scrim_host *host, const char *name, const scrim_args *args, Result **out) {
    Status status = OK;
    const Method *method;
    HostAdapter lender;
    host_adapter_open(&lender, host, &call->work);
    Session session = { 0 };
    TRY(host_adapter_method(&lender, name, &method, &call->error));
    TRY(api_session(&lender, &call->work, args, &session, &call->error));
    const Args *given = api_args(args), *roles = api_args(lender.lent.roles);
    TRY(api_roles(call, method, &given, &roles));
    TRY(method_run(&session, method, given, roles, out, &call->error));
done:
    memset(&session.seed, 0, sizeof session.seed);
    host_adapter_close(&lender);
    return status;
}

scrim_status scrim_run(const scrim_host *host, const char *method, const scrim_args *args, scrim_result **out, scrim_error *error) {
    Call call;
    Result *result = NULL;
    if (!method || !out) return api_absent(error);
    Status status = call_begin(&call) ? run(&call, host, method, args, &result) : FAILED;
    *out = (scrim_result *)result;
    scrim_status answer = api_error(status, &call.error, error);
    call_end(&call);
    return answer;
}
