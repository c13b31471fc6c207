/* Requests and replies. */
#include "http.h"
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

double clock_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

const char *request_header(const Request *request, const char *name) {
    return MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND, name);
}
const char *request_query(const Request *request, const char *name) {
    return MHD_lookup_connection_value(request->connection, MHD_GET_ARGUMENT_KIND, name);
}

bool request_is_local(const Request *request, uint16_t port) {
    static const char *const names[] = { "127.0.0.1", "localhost" };
    const char *host = request_header(request, "Host"), *origin = request_header(request, "Origin");
    char own[64], page[80];
    for (size_t i = 0; host && i < 2; i++) {
        snprintf(own, sizeof own, "%s:%u", names[i], port);
        snprintf(page, sizeof page, "http://%s", own);
        if (!strcmp(host, own)) return !origin || !strcmp(origin, page);
    }
    return false;
}

const char *request_token(const Request *request) {
    const char *given = request_header(request, "Authorization");
    return given && !strncmp(given, "Bearer ", 7) ? given + 7 : NULL;
}

/* Hashes of equal length are compared, so that not even the length is told by the time it takes. */
bool tokens_equal(const char *a, const char *b) {
    unsigned char x[32], y[32];
    crypto_generichash(x, sizeof x, (const unsigned char *)a, strlen(a), NULL, 0);
    crypto_generichash(y, sizeof y, (const unsigned char *)b, strlen(b), NULL, 0);
    return !sodium_memcmp(x, y, sizeof x);
}

/* ---- replies ---- */

void reply_json(Reply *reply, int status, json_t *json) {
    char *text = json ? json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
    reply->status = text ? status : 500;
    buffer_text(&reply->body, text ? text : "{}");
    free(text);
    json_decref(json);
}

void reply_error(Reply *reply, int status, const char *format, ...) {
    char text[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    reply_json(reply, status, json_pack("{s:{s:s}}", "error", "message", text));
}

static void add_text(json_t *object, const char *name, const char *text) {
    if (text[0]) json_object_set_new(object, name, json_string(text));
}

json_t *error_json(const scrim_error *error) {
    char all[2048];
    scrim_error_text(error, all, sizeof all);
    json_t *object = json_object();
    add_text(object, "message", all[0] ? all : "It failed.");
    add_text(object, "parameter", error->parameter);
    add_text(object, "column", error->column);
    add_text(object, "advice", error->advice);
    if (error->row >= 0) json_object_set_new(object, "row", json_integer(error->row));
    return object;
}

json_t *result_json(const scrim_result *result) {
    char *text = NULL;
    if (scrim_result_render(result, "json", 0, 0, &text, NULL)) return json_null();
    json_t *json = json_loads(text, 0, NULL);
    scrim_text_free(text);
    return json ? json : json_null();
}

scrim_status args_typed(scrim_args *args, const char *method, const char *name, const char *text, scrim_error *error) {
    char *word = NULL;
    if (asprintf(&word, "--%s=%s", name, text) < 0) return fail(error, SCRIM_FAILED, "out of memory");
    scrim_status status = scrim_args_words(args, method, 1, (const char *const[]){ word }, error);
    free(word);
    return status;
}

int error_status(scrim_status status) { return status == SCRIM_BAD ? 400 : status == SCRIM_REFUSED ? 409 : 500; }

json_t *json_of(const Request *request, Reply *reply) {
    json_t *json = json_loadb(request->body.bytes ? request->body.bytes : "", request->body.count, JSON_REJECT_DUPLICATES, NULL);
    if (json_is_object(json)) return json;
    json_decref(json);
    reply_error(reply, 400, "the body is no JSON object");
    return NULL;
}

/* Nothing is loaded from elsewhere, framed, guessed at, kept or told to others. */
static void add_headers(struct MHD_Response *response, const Reply *reply) {
    static const char page[] = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
                               "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    static const char nothing[] = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";
    char text[512];
    MHD_add_response_header(response, "Content-Security-Policy", reply->may_load ? page : nothing);
    MHD_add_response_header(response, "Content-Type", reply->type ? reply->type : "application/json; charset=utf-8");
    MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
    MHD_add_response_header(response, "X-Frame-Options", "DENY");
    MHD_add_response_header(response, "Referrer-Policy", "no-referrer");
    MHD_add_response_header(response, "Cache-Control", "no-store");
    MHD_add_response_header(response, "Cross-Origin-Resource-Policy", "same-origin");
    MHD_add_response_header(response, "Cross-Origin-Opener-Policy", "same-origin");
    if (reply->status == 401) MHD_add_response_header(response, "WWW-Authenticate", "Bearer");
    if (reply->retry_after) {
        snprintf(text, sizeof text, "%d", reply->retry_after);
        MHD_add_response_header(response, "Retry-After", text);
    }
    if (!reply->download) return;
    snprintf(text, sizeof text, "attachment; filename=\"%s\"", reply->download);
    for (char *c = text + strlen("attachment; filename=\""); *c && c[1]; c++)
        if (*c == '"' || *c == '\\' || (unsigned char)*c < 32 || (unsigned char)*c > 126) *c = '_';
    MHD_add_response_header(response, "Content-Disposition", text);
}

static enum MHD_Result send_reply(struct MHD_Connection *connection, Reply *reply) {
    struct MHD_Response *response = NULL;
    struct stat about;
    if (reply->body.failed) reply->status = 500;
    if (reply->file >= 0 && !fstat(reply->file, &about)) response = MHD_create_response_from_fd64((uint64_t)about.st_size, reply->file);
    else response = MHD_create_response_from_buffer(reply->body.count, (void *)(uintptr_t)buffer_get(&reply->body), MHD_RESPMEM_MUST_COPY);
    buffer_free(&reply->body);
    if (!response) return MHD_NO;
    add_headers(response, reply);
    enum MHD_Result sent = MHD_queue_response(connection, (unsigned)reply->status, response);
    MHD_destroy_response(response);
    return sent;
}

/* ---- connections that keep others out ---- */

/* A connection that is in no request: it has sent no whole header yet, or is kept for the next one. Such a one is closed after a while, and
 * the oldest of them at once where three quarters of the places are taken, so that half-sent requests shut nobody out. */
enum { HEADER_SECONDS = 10 };
typedef struct Guest {
    int socket;
    bool busy; /* in a request that was let in */
    double since;
    struct Guest *next;
} Guest;
static struct {
    pthread_mutex_t lock;
    pthread_cond_t ends;
    pthread_t sweeper;
    Guest *first;
    unsigned count, most;
    bool running;
} guests = { .lock = PTHREAD_MUTEX_INITIALIZER, .ends = PTHREAD_COND_INITIALIZER };

static void turn_away_oldest(void) {
    Guest *oldest = NULL;
    for (Guest *g = guests.first; g; g = g->next)
        if (!g->busy && g->socket >= 0 && (!oldest || g->since < oldest->since)) oldest = g;
    if (!oldest) return;
    shutdown(oldest->socket, SHUT_RDWR); /* its thread then ends it */
    oldest->socket = -1;
}

static void on_connection(void *self, struct MHD_Connection *connection, void **kept, enum MHD_ConnectionNotificationCode code) {
    (void)self;
    pthread_mutex_lock(&guests.lock);
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
        Guest *guest = calloc(1, sizeof *guest);
        if (guest) *guest = (Guest){ .socket = info ? info->connect_fd : -1, .since = clock_now(), .next = guests.first };
        if (guest) guests.first = guest;
        guests.count += guest != NULL;
        *kept = guest;
        if (guests.count > guests.most / 4 * 3) turn_away_oldest();
    } else if (*kept) {
        Guest **at = &guests.first;
        while (*at != *kept) at = &(*at)->next;
        *at = (*at)->next;
        guests.count--;
        free(*kept);
        *kept = NULL;
    }
    pthread_mutex_unlock(&guests.lock);
}

static void mark_busy(struct MHD_Connection *connection, bool busy) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    Guest *guest = info ? info->socket_context : NULL;
    if (!guest) return;
    pthread_mutex_lock(&guests.lock);
    guest->busy = busy;
    guest->since = clock_now();
    pthread_mutex_unlock(&guests.lock);
}

static void *sweep(void *self) {
    struct timespec at;
    (void)self;
    pthread_mutex_lock(&guests.lock);
    while (guests.running) {
        double now = clock_now();
        for (Guest *g = guests.first; g; g = g->next)
            if (!g->busy && g->socket >= 0 && now - g->since > HEADER_SECONDS) {
                shutdown(g->socket, SHUT_RDWR);
                g->socket = -1;
            }
        clock_gettime(CLOCK_REALTIME, &at);
        at.tv_sec++;
        pthread_cond_timedwait(&guests.ends, &guests.lock, &at);
    }
    pthread_mutex_unlock(&guests.lock);
    return NULL;
}

void http_stop(struct MHD_Daemon *daemon) {
    MHD_stop_daemon(daemon);
    pthread_mutex_lock(&guests.lock);
    guests.running = false;
    pthread_cond_broadcast(&guests.ends);
    pthread_mutex_unlock(&guests.lock);
    pthread_join(guests.sweeper, NULL);
}

/* ---- requests ---- */

static void request_free(Request *request) {
    if (request->file >= 0) close(request->file);
    buffer_free(&request->body);
    free(request);
}

static void on_end(void *self, struct MHD_Connection *connection, void **kept, enum MHD_RequestTerminationCode code) {
    (void)self, (void)code;
    mark_busy(connection, false);
    Request *request = *kept;
    if (request && request->upload[0]) unlink(request->upload); /* anyone who wanted it has moved it away */
    if (request) request_free(request);
    *kept = NULL;
}

static bool too_large(const Site *site, const Request *request) {
    const char *length = request_header(request, "Content-Length");
    int64_t most = request->file >= 0 ? site->most_upload : site->most_body;
    return (length && strtoll(length, NULL, 10) > most) || request->taken > most;
}

/* The first call: who asks, and where the body goes. */
static enum MHD_Result begin(const Site *site, struct MHD_Connection *connection, const char *path, const char *method, void **kept) {
    Reply reply = { .status = 200, .file = -1 };
    Request *request = calloc(1, sizeof *request);
    if (!request) return MHD_NO;
    *request = (Request){ .connection = connection, .method = method, .path = path, .file = -1 };
    *kept = request;
    if (!site->admit(site->self, request, &reply)) return send_reply(connection, &reply);
    mark_busy(connection, true);
    if (site->keep) request->file = site->keep(site->self, request, request->upload);
    if (too_large(site, request)) {
        reply_error(&reply, 413, "more than this server takes");
        return send_reply(connection, &reply);
    }
    return MHD_YES;
}

static void take_body(const Site *site, Request *request, const char *bytes, size_t count) {
    request->taken += (int64_t)count;
    if (too_large(site, request)) request->refusal = 413;
    if (request->refusal) return;
    if (request->file < 0) {
        buffer_add(&request->body, bytes, count);
        return;
    }
    for (size_t done = 0; done < count;) {
        ssize_t wrote = write(request->file, bytes + done, count - done);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote <= 0) {
            request->refusal = 507;
            return;
        }
        done += (size_t)wrote;
    }
    request->uploaded = request->taken;
}

static enum MHD_Result on_request(void *self, struct MHD_Connection *connection, const char *path, const char *method, const char *version,
                                  const char *bytes, size_t *count, void **kept) {
    const Site *site = self;
    Request *request = *kept;
    (void)version;
    if (!request) return begin(site, connection, path, method, kept);
    if (*count) {
        take_body(site, request, bytes, *count);
        *count = 0;
        return MHD_YES;
    }
    Reply reply = { .status = 200, .file = -1 };
    request->came = clock_now(); /* whole: anyone who sends it slowly must not choose where in the answer time the work falls */
    if (request->refusal == 413) reply_error(&reply, 413, "more than this server takes");
    else if (request->refusal) reply_error(&reply, request->refusal, "there is no room to keep it");
    else site->answer(site->self, request, &reply);
    return send_reply(connection, &reply);
}

struct MHD_Daemon *http_start(const Site *site, uint16_t port, scrim_error *error) {
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    errno = 0;
    guests.most = site->connections;
    guests.running = true;
    struct MHD_Daemon *daemon =
        MHD_start_daemon(MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION | MHD_USE_POLL, port, NULL, NULL, on_request,
                         (void *)(uintptr_t)site, MHD_OPTION_SOCK_ADDR, &address, MHD_OPTION_NOTIFY_COMPLETED, on_end, NULL,
                         MHD_OPTION_NOTIFY_CONNECTION, on_connection, NULL, MHD_OPTION_CONNECTION_LIMIT, site->connections,
                         MHD_OPTION_CONNECTION_TIMEOUT, 120u, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)65536, MHD_OPTION_END);
    if (!daemon) {
        fail(error, SCRIM_FAILED, "cannot listen on 127.0.0.1, port %u: %s", port, errno ? strerror(errno) : "no reason was given");
        if (port) advise(error, "Another program may have the port; --port 0 takes a free one.");
        return NULL;
    }
    if (!pthread_create(&guests.sweeper, NULL, sweep, NULL)) return daemon;
    MHD_stop_daemon(daemon);
    fail(error, SCRIM_FAILED, "no thread could be started");
    return NULL;
}

uint16_t http_port(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
    return info ? info->port : 0;
}
