/* Requests and replies over libmicrohttpd: one thread to a connection, on the loopback address alone. */
#ifndef SCRIM_SERVER_HTTP_H
#define SCRIM_SERVER_HTTP_H
#include <jansson.h>
#include <microhttpd.h>
#include "text.h"

typedef struct Request {
    struct MHD_Connection *connection;
    const char *method, *path;
    Buffer body;       /* where it was kept in memory; NUL-terminated by buffer_get */
    char upload[4096]; /* the file that it was kept in; "" where it was not */
    int64_t uploaded;  /* bytes in it */
    double came;       /* all of it, on the clock of clock_now */
    /* ---- of http.c ---- */
    int file;
    int64_t taken;
    int refusal; /* the status of a body that is too large, or could not be kept */
} Request;

typedef struct Reply {
    int status;
    const char *type;     /* of its content; NULL: JSON */
    const char *download; /* a name to keep it under, or NULL */
    Buffer body;
    int file;        /* an open file in place of the body; -1: none */
    bool may_load;   /* a page: it may load its own scripts, styles and pictures */
    int retry_after; /* seconds; 0: nothing is said */
} Reply;

/* What a kind of server adds to http.c. */
typedef struct Site {
    void *self;
    /* May this request be answered at all? Before its body is read. Fills the reply where not. */
    bool (*admit)(void *self, const Request *request, Reply *reply);
    /* A new file, open for writing, that the body is kept in, and its name; -1: in memory. */
    int (*keep)(void *self, const Request *request, char path[4096]);
    void (*answer)(void *self, Request *request, Reply *reply);
    int64_t most_body, most_upload; /* bytes */
    unsigned connections;
} Site;

struct MHD_Daemon *http_start(const Site *site, uint16_t port, scrim_error *error);
/* Waits until every connection has ended; ends with http_start's daemon. */
void http_stop(struct MHD_Daemon *daemon);
uint16_t http_port(struct MHD_Daemon *daemon);

double clock_now(void); /* seconds, monotonic */
const char *request_header(const Request *request, const char *name);
const char *request_query(const Request *request, const char *name); /* behind the question mark; NULL where it is not */
/* Is the name that the browser asked for ours ("127.0.0.1:PORT", "localhost:PORT"), and the page that asks, where it says which, our own?
 */
bool request_is_local(const Request *request, uint16_t port);
/* The token behind "Authorization: Bearer "; NULL where there is none. */
const char *request_token(const Request *request);
bool tokens_equal(const char *a, const char *b); /* in a time that does not depend on where they differ */

void reply_json(Reply *reply, int status, json_t *json); /* takes the object over */
void reply_error(Reply *reply, int status, const char *format, ...) FORMAT(3, 4);
/* An error of the library's, with where it is and what to do, as JSON. */
json_t *error_json(const scrim_error *error);
json_t *result_json(const scrim_result *result); /* as the program prints it with --format json */
/* A text that was typed for a parameter, taken as on a command line: for a list it is split at commas. */
scrim_status args_typed(scrim_args *args, const char *method, const char *name, const char *text, scrim_error *error);
int error_status(scrim_status status);                 /* 400, 409 or 500 */
json_t *json_of(const Request *request, Reply *reply); /* the body; NULL and a reply where it is no JSON object */
#endif
