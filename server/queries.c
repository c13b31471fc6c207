/* The query server. What leaves it follows from the question's text, the ledger, and noisy answers that were paid for; and it leaves at a
 * time that does not tell how long the answer took. */
#include "queries.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "place.h"

/* ---- opening ---- */

static scrim_status show_ledger(const Asked *data, scrim_result **out, scrim_error *error) {
    const scrim_host host = { .size = sizeof host };
    scrim_args *args = scrim_args_new();
    if (!args) return fail(error, SCRIM_FAILED, "out of memory");
    scrim_status status = scrim_args_text(args, "ledger", data->ledger);
    if (!status) status = scrim_args_flag(args, "brief");
    if (!status) status = scrim_run(&host, "ledger.show", args, out, error);
    scrim_args_free(args);
    return status;
}

/* Comments of the schema are the custodian's own, and anyone who asks is shown the schema: a # that begins a line or follows a space, outside
 * quotes, with what is behind it. */
static void drop_comments(char *text) {
    char quote = 0, before = '\n', *to = text;
    for (const char *at = text; *at; at++) {
        if (!quote && *at == '#' && strchr(" \t\n", before)) at += strcspn(at, "\n");
        if (!*at) break;
        if (quote ? *at == quote : (*at == '"' || *at == '\'') && strchr(" \t\n:[{,-", before)) quote = quote ? 0 : *at;
        before = *at;
        *to++ = *at;
    }
    *to = 0;
}

scrim_status queries_open(Queries *queries, const char *data, const char *ledger, const char *schema, scrim_error *error) {
    scrim_status status = SCRIM_OK;
    scrim_result *shown = NULL;
    scrim_reading reading = *queries->reading;
    const char *slash = strrchr(data, '/');
    char beside[4200];
    Buffer text = { 0 };
    if (queries->data_count == MOST_DATA) return fail(error, SCRIM_BAD, "there are %d data sets already", MOST_DATA);
    Asked *out = &queries->data[queries->data_count];
    snprintf(beside, sizeof beside, "%.4000s.ledger", data);
    *out = (Asked){ .name = strdup(slash && !strchr(data, ':') ? slash + 1 : data), .ledger = strdup(ledger ? ledger : beside) };
    queries->data_count++;
    if (!out->name || !out->ledger) TRY(fail(error, SCRIM_FAILED, "out of memory"));
    for (size_t i = 0; i + 1 < queries->data_count; i++)
        if (!strcmp(queries->data[i].name, out->name)) TRY(fail(error, SCRIM_BAD, "two data sets are called %s", out->name));
    if (schema && !file_load(schema, &text)) {
        fail(error, SCRIM_BAD, "%s", strerror(errno));
        TRY(of_file(error, schema));
    }
    if (schema) {
        buffer_char(&text, '\n'); /* with a line's end it is the schema itself */
        out->schema = strdup(buffer_get(&text));
        if (out->schema) drop_comments(out->schema);
    }
    reading.need_records = 1;
    TRY(scrim_table_read(data, &reading, &out->table, error));
    TRY(show_ledger(out, &shown, error));
done:
    buffer_free(&text);
    scrim_result_free(shown);
    return status;
}

void queries_close(Queries *queries) {
    for (size_t i = 0; i < queries->data_count; i++) {
        Asked *data = &queries->data[i];
        free(data->name);
        free(data->ledger);
        free(data->schema);
        scrim_table_free(data->table);
    }
    free(queries->tokens.at);
}

/* ---- who asks ---- */

static void count(Queries *queries, Counted what) {
    pthread_mutex_lock(&queries->lock);
    queries->counts[what]++;
    pthread_mutex_unlock(&queries->lock);
}

static bool is_our_host(const Queries *queries, const Request *request) {
    const char *host = request_header(request, "Host");
    if (request_is_local(request, queries->port)) return true;
    for (const char *const *name = queries->hosts; host && name && *name; name++)
        if (!strcasecmp(*name, host)) return true;
    return false;
}

static bool needs_token(const char *path) {
    static const char *const open[] = { "/v1/openapi.json", "/metrics", "/healthz" };
    for (size_t i = 0; i < sizeof open / sizeof *open; i++)
        if (!strcmp(path, open[i])) return false;
    return true;
}

typedef struct Asker {
    char analyst[128], account[128];
} Asker;
static bool who(Queries *queries, const Request *request, Asker *out) {
    const char *token = request_token(request);
    return token && tokens_find(&queries->tokens, token, out->analyst, out->account);
}

bool queries_admit(void *self, const Request *request, Reply *reply) {
    Queries *queries = self;
    Asker asker;
    if (!is_our_host(queries, request)) {
        reply_error(reply, 403, "this server has another name");
        return false;
    }
    if (!needs_token(request->path) || who(queries, request, &asker)) return true;
    count(queries, COUNT_STRANGERS);
    reply_error(reply, 401, "a token is needed: Authorization: Bearer …");
    return false;
}

/* ---- asking ---- */

static Asked *data_named(Queries *queries, const json_t *asked) {
    const char *name = json_string_value(json_object_get(asked, "data"));
    if (!name && !json_object_get(asked, "data") && queries->data_count == 1) return &queries->data[0];
    for (size_t i = 0; name && i < queries->data_count; i++)
        if (!strcmp(queries->data[i].name, name)) return &queries->data[i];
    return NULL;
}

static scrim_status add_value(scrim_args *args, const char *name, const json_t *value, scrim_error *error) {
    bool flag = is_flag(name);
    if (flag && json_is_boolean(value)) return json_is_true(value) ? scrim_args_flag(args, name) : SCRIM_OK;
    if (!flag && json_is_string(value)) return args_typed(args, "release.query", name, json_string_value(value), error);
    if (!flag && json_is_number(value)) return scrim_args_number(args, name, json_number_value(value));
    fail(error, SCRIM_BAD, flag ? "expects true or false" : "expects a text, a number, or a list of texts or numbers");
    return of_parameter(error, name);
}

/* The analyst's own words; request ids are each analyst's own. */
static scrim_status question_args(const json_t *asked, const char *analyst, scrim_args *args, scrim_error *error) {
    scrim_status status = SCRIM_OK;
    const char *name;
    json_t *value, *item;
    size_t i;
    char id[400];
    json_object_foreach ((json_t *)(uintptr_t)asked, name, value) {
        if (!strcmp(name, "data")) continue;
        if (!may_ask(name)) {
            fail(error, SCRIM_BAD, "there is no such parameter here");
            TRY(of_parameter(error, name));
        }
        if (!strcmp(name, "request")) {
            const char *given = json_string_value(value);
            if (!given || strlen(given) > 200) TRY(fail(error, SCRIM_BAD, "a request's id is a text of at most 200 bytes"));
            snprintf(id, sizeof id, "%s %s", analyst, given); /* no name holds a space: no two analysts can have one id */
            TRY(scrim_args_text(args, "request", id));
        } else if (json_is_array(value)) {
            json_array_foreach (value, i, item) {
                if (json_is_string(item)) TRY(scrim_args_text(args, name, json_string_value(item)));
                else TRY(add_value(args, name, item, error));
            }
        } else TRY(add_value(args, name, value, error));
    }
done:
    return status;
}

static scrim_status lend(void *self, const char *name, scrim_table **out, scrim_error *error) {
    const Asked *data = self;
    if (strcmp(name, data->name)) return fail(error, SCRIM_BAD, "there is no such table here");
    *out = scrim_table_share(data->table);
    return SCRIM_OK;
}

/* ---- one question of an analyst at a time, each with its end ---- */

static Question *question_of(Queries *queries, const char *analyst) {
    Question *q = queries->work.first;
    while (q && strcmp(q->analyst, analyst)) q = q->next;
    return q;
}

/* Waits until the analyst's question before is done. False where the server ends. */
static bool question_begin(Queries *queries, const char *analyst, Question *own) {
    snprintf(own->analyst, sizeof own->analyst, "%s", analyst);
    pthread_mutex_lock(&queries->work.lock);
    double until = clock_now() + queries->time_limit; /* queries_tick wakes those who wait */
    while (!queries->work.ending && question_of(queries, analyst) && clock_now() < until)
        pthread_cond_wait(&queries->work.changed, &queries->work.lock);
    bool go = !queries->work.ending && !question_of(queries, analyst);
    own->deadline = clock_now() + queries->time_limit;
    own->next = queries->work.first;
    if (go) queries->work.first = own;
    pthread_mutex_unlock(&queries->work.lock);
    return go;
}

static void question_end(Queries *queries, Question *own) {
    pthread_mutex_lock(&queries->work.lock);
    Question **at = &queries->work.first;
    while (*at && *at != own) at = &(*at)->next;
    if (*at) *at = own->next;
    pthread_cond_broadcast(&queries->work.changed);
    pthread_mutex_unlock(&queries->work.lock);
}

static void cancel_until(Queries *queries, double now, bool ending) {
    pthread_mutex_lock(&queries->work.lock);
    queries->work.ending |= ending;
    for (Question *q = queries->work.first; q; q = q->next)
        if (q->deadline <= now) scrim_cancel_set(q->cancel);
    pthread_cond_broadcast(&queries->work.changed);
    pthread_mutex_unlock(&queries->work.lock);
}

void queries_tick(Queries *queries) { cancel_until(queries, clock_now(), false); }
void queries_stop(Queries *queries) { cancel_until(queries, INFINITY, true); }

static scrim_status run_question(Queries *queries, Asked *data, const Asker *asker, const json_t *asked, Buffer *out, scrim_error *error) {
    scrim_status status = SCRIM_OK;
    Question question = { .cancel = scrim_cancel_new() };
    scrim_host host = { .size = sizeof host, .self = data, .table = lend, .threads = queries->threads, .cancel = question.cancel };
    scrim_args *args = scrim_args_new();
    scrim_result *result = NULL;
    char *text = NULL;
    if (!args || !question.cancel) TRY(fail(error, SCRIM_FAILED, "out of memory"));
    TRY(question_args(asked, asker->analyst, args, error));
    TRY(scrim_args_text(args, "data", data->name));
    TRY(scrim_args_text(args, "ledger", data->ledger));
    TRY(scrim_args_text(args, "analyst", asker->analyst));
    if (asker->account[0]) TRY(scrim_args_text(args, "account", asker->account));
    if (data->schema) TRY(scrim_args_text(args, "schema", data->schema));
    if (!question_begin(queries, asker->analyst, &question))
        TRY(fail(error, SCRIM_INTERRUPTED, "the previous query exceeded the time limit, or the server is ending"));
    status = scrim_run(&host, "release.query", args, &result, error);
    question_end(queries, &question);
    if (!status) status = scrim_result_render(result, "json", 0, 0, &text, error);
    if (!status) buffer_text(out, text);
done:
    scrim_text_free(text);
    scrim_result_free(result);
    scrim_args_free(args);
    scrim_cancel_free(question.cancel);
    return status;
}

/* What went wrong, as far as the question's text and the ledger tell it; of anything else only that it failed. */
static void tell_error(Queries *queries, scrim_status status, scrim_error *error, Reply *reply) {
    buffer_free(&reply->body);
    if (status == SCRIM_INTERRUPTED) {
        count(queries, COUNT_CANCELLED);
        reply_error(reply, 503,
                    "the query exceeded the time limit and was not answered; repeated with the same request id it is charged once");
        return;
    }
    if (status != SCRIM_BAD && status != SCRIM_REFUSED) {
        count(queries, COUNT_FAILED);
        reply_error(reply, 500, "the query failed and was not answered; repeated with the same request id it is charged once");
        return;
    }
    scrim_error told = { .size = sizeof told, .status = status, .row = -1, .line = -1, .place = error->place };
    memcpy(told.message, error->message, sizeof told.message);
    memcpy(told.advice, error->advice, sizeof told.advice);
    memcpy(told.parameter, error->parameter, sizeof told.parameter);
    count(queries, status == SCRIM_BAD ? COUNT_BAD : COUNT_REFUSED);
    reply_json(reply, status == SCRIM_BAD ? 400 : 403, json_pack("{s:o}", "error", error_json(&told)));
}

static void ask(Queries *queries, const Request *request, Reply *reply) {
    scrim_error error = { .size = sizeof error, .row = -1, .line = -1, .place = -1 };
    Asker asker = { 0 };
    json_t *asked = json_of(request, reply);
    Asked *data = asked ? data_named(queries, asked) : NULL;
    if (!asked) count(queries, COUNT_BAD);
    else if (!who(queries, request, &asker)) reply_error(reply, 401, "a token is needed: Authorization: Bearer …");
    else if (!data) {
        fail(&error, SCRIM_BAD, "there is no such data set");
        of_parameter(&error, "data");
        tell_error(queries, SCRIM_BAD, &error, reply);
    } else {
        scrim_status status = run_question(queries, data, &asker, asked, &reply->body, &error);
        if (status) tell_error(queries, status, &error, reply);
        else count(queries, COUNT_ANSWERED);
    }
    json_decref(asked);
}

/* ---- what is left ---- */

/* {"currency", "budget", "spent", "left"} of the data set, and the same of anyone who asks, where the ledger has budgets by analyst. */
static json_t *budget_of(Asked *data, const char *analyst) {
    static const char *const names[] = { "currency", "budget", "spent", "left" };
    scrim_result *shown = NULL;
    json_t *one = json_object(), *row;
    size_t i;
    scrim_status status = show_ledger(data, &shown, NULL);
    json_t *all = status ? json_null() : result_json(shown);
    for (size_t n = 0; n < 4; n++) json_object_set(one, names[n], json_object_get(json_object_get(all, "values"), names[n]));
    json_array_foreach (json_object_get(json_object_get(json_object_get(all, "tables"), "analysts"), "rows"), i, row) {
        const char *name = json_string_value(json_array_get(row, 0));
        if (!name || strcmp(name, analyst)) continue; /* others' budgets are not told */
        json_object_set_new(one, "own",
                            json_pack("{s:O, s:O, s:O}", "budget", json_array_get(row, 1), "spent", json_array_get(row, 2), "left",
                                      json_array_get(row, 3)));
    }
    json_decref(all);
    scrim_result_free(shown);
    return one;
}

static void tell_budgets(Queries *queries, const Request *request, Reply *reply) {
    json_t *all = json_object();
    Asker asker = { 0 };
    who(queries, request, &asker);
    const char *analyst = asker.analyst;
    for (size_t i = 0; i < queries->data_count; i++) json_object_set_new(all, queries->data[i].name, budget_of(&queries->data[i], analyst));
    reply_json(reply, 200, json_pack("{s:s, s:o}", "analyst", analyst, "data", all));
}

/* Counts alone: of questions and how they ended, which follow from their text, the tokens and the ledger. No times: those tell of the data.
 */
static void tell_metrics(Queries *queries, Reply *reply) {
    static const char *const names[] = { "answered", "refused", "bad", "failed", "strangers", "cancelled", "late" };
    Buffer *out = &reply->body;
    reply->type = "text/plain; version=0.0.4; charset=utf-8";
    buffer_text(out, "# HELP scrim_questions_total Queries by outcome.\n# TYPE scrim_questions_total counter\n");
    pthread_mutex_lock(&queries->lock);
    for (int i = 0; i < COUNT_LATE; i++)
        buffer_print(out, "scrim_questions_total{outcome=\"%s\"} %lld\n", names[i], (long long)queries->counts[i]);
    buffer_print(out,
                 "# HELP scrim_late_total Answers that exceeded the answer time and were sent at a multiple of it.\n# TYPE "
                 "scrim_late_total counter\nscrim_late_total %lld\n",
                 (long long)queries->counts[COUNT_LATE]);
    pthread_mutex_unlock(&queries->lock);
    buffer_print(
        out,
        "# HELP scrim_uptime_seconds Seconds since the server started.\n# TYPE scrim_uptime_seconds gauge\nscrim_uptime_seconds %.0f\n",
        floor(clock_now() - queries->started));
}

/* ---- answering ---- */

/* Every answer and every refusal leaves a whole number of answer times after its question came. */
static void wait_for_time(Queries *queries, const Request *request) {
    double times = ceil((clock_now() - request->came) / queries->answer_time);
    double until = request->came + fmax(1, times) * queries->answer_time;
    struct timespec at = { .tv_sec = (time_t)until, .tv_nsec = (long)((until - floor(until)) * 1e9) };
    if (times > 1) count(queries, COUNT_LATE);
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) == EINTR) {}
}

void queries_answer(void *self, Request *request, Reply *reply) {
    Queries *queries = self;
    const char *path = request->path;
    bool get = !strcmp(request->method, "GET");
    if (!strcmp(path, "/v1/query") && !strcmp(request->method, "POST")) {
        ask(queries, request, reply);
        wait_for_time(queries, request);
    } else if (get && !strcmp(path, "/v1/budget")) {
        tell_budgets(queries, request, reply); /* the ledger may be busy with a debit, and that must not be told */
        wait_for_time(queries, request);
    } else if (get && !strcmp(path, "/v1/openapi.json")) reply_json(reply, 200, openapi(queries));
    else if (get && !strcmp(path, "/metrics")) tell_metrics(queries, reply);
    else if (get && !strcmp(path, "/healthz")) reply_json(reply, 200, json_object());
    else reply_error(reply, 404, "this address does not exist; see /v1/openapi.json");
}
