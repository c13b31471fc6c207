/* The query server: analysts ask noisy statistics of data they never see, each with a token, and a ledger counts. */
#ifndef SCRIM_SERVER_QUERIES_H
#define SCRIM_SERVER_QUERIES_H
#include <pthread.h>
#include "http.h"

enum { MOST_DATA = 64 };

/* One data set: its table, what is public about it, and its ledger. */
typedef struct Asked {
    char *name;   /* as analysts call it */
    char *ledger; /* where it is */
    char *schema; /* the text itself; NULL: none */
    scrim_table *table;
} Asked;

/* A question that is being worked on. An analyst has one at a time, so that nobody keeps others waiting; it is cancelled at its deadline and
 * when the server ends. */
typedef struct Question {
    char analyst[128];
    scrim_cancel *cancel;
    double deadline; /* on the clock of clock_now */
    struct Question *next;
} Question;

typedef struct Tokens {
    pthread_mutex_t lock;
    const char *path;
    size_t count;
    struct Token {
        char analyst[128], account[128]; /* account "": none */
        unsigned char hash[32];
    } * at;
} Tokens;

/* What is counted: nothing of it depends on a record. */
typedef enum { COUNT_ANSWERED, COUNT_REFUSED, COUNT_BAD, COUNT_FAILED, COUNT_STRANGERS, COUNT_CANCELLED, COUNT_LATE, COUNTS } Counted;

typedef struct Queries {
    _Atomic(uint16_t) port;   /* known once the server listens */
    const char *const *hosts; /* names that a proxy may pass on, beside our own; NULL ends them */
    double answer_time;       /* seconds: every answer leaves at a whole multiple of it after its question came */
    int threads;
    const scrim_reading *reading;
    size_t data_count;
    Asked data[MOST_DATA];
    Tokens tokens;
    double started;
    int64_t counts[COUNTS];
    pthread_mutex_t lock; /* over the counts */
    double time_limit;    /* seconds that a question may take */
    struct {
        pthread_mutex_t lock;
        pthread_cond_t changed;
        Question *first;
        bool ending;
    } work;
} Queries;

scrim_status queries_open(Queries *queries, const char *data, const char *ledger, const char *schema, scrim_error *error);
void queries_close(Queries *queries);
/* Cancels what is being worked on, and lets nothing new begin: the server ends. */
void queries_stop(Queries *queries);
/* Cancels questions whose time is over; called every now and then. */
void queries_tick(Queries *queries);
bool queries_admit(void *self, const Request *request, Reply *reply);
void queries_answer(void *self, Request *request, Reply *reply);

/* ---- tokens.c ---- */
/* A file of lines "ANALYST HASH", or "ANALYST HASH ACCOUNT". Only its owner may write it. */
scrim_status tokens_read(Tokens *tokens, const char *path, scrim_error *error);
/* Who has this token; false: nobody. */
bool tokens_find(Tokens *tokens, const char *token, char analyst[128], char account[128]);
/* A new token for the analyst, printed once; the file keeps its hash. */
scrim_status tokens_add(const char *path, const char *analyst, const char *account, char token[65], scrim_error *error);

/* ---- openapi.c: what may be asked, as the registry declares it ---- */
bool may_ask(const char *parameter); /* of release.query: may an analyst give it? */
bool is_flag(const char *parameter); /* of release.query: is it said by true? */
json_t *openapi(const Queries *queries);
#endif
