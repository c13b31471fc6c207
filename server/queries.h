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
    pthread_mutex_t lock; /* one question at a time: debits are one after the other anyhow, and the answer before waits for the disk */
} Asked;

typedef struct Tokens {
    pthread_mutex_t lock;
    const char *path;
    size_t count;
    struct Token {
        char analyst[128];
        unsigned char hash[32];
    } * at;
} Tokens;

/* What is counted: nothing of it depends on a record. */
typedef enum { COUNT_ANSWERED, COUNT_REFUSED, COUNT_BAD, COUNT_FAILED, COUNT_STRANGERS, COUNT_LATE, COUNTS } Counted;

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
} Queries;

scrim_status queries_open(Queries *queries, const char *data, const char *ledger, const char *schema, scrim_error *error);
void queries_close(Queries *queries);
bool queries_admit(void *self, const Request *request, Reply *reply);
void queries_answer(void *self, Request *request, Reply *reply);

/* ---- tokens.c ---- */
/* A file of lines "ANALYST HASH". Only its owner may write it. */
scrim_status tokens_read(Tokens *tokens, const char *path, scrim_error *error);
/* Who has this token; false: nobody. */
bool tokens_find(Tokens *tokens, const char *token, char analyst[128]);
/* A new token for the analyst, printed once; the file keeps its hash. */
scrim_status tokens_add(const char *path, const char *analyst, char token[65], scrim_error *error);

/* ---- openapi.c: what may be asked, as the registry declares it ---- */
bool may_ask(const char *parameter); /* of release.query: may an analyst give it? */
bool is_flag(const char *parameter); /* of release.query: is it said by true? */
json_t *openapi(const Queries *queries);
#endif
