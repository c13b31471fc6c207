/* The little of SQL that a ledger needs, the same for SQLite and PostgreSQL: parameters $1, $2, … in order of appearance, everything as
 * text. */
#ifndef SCRIM_LEDGER_DATABASE_H
#define SCRIM_LEDGER_DATABASE_H
#include "base/status.h"

typedef struct Rows {
    int64_t rows, columns;
    char **cell;
} Rows; /* cell[row * columns + column]; NULL = null */
/* Gives the cells back; harmless when zeroed. */
void rows_free(Rows *rows);
/* A cell, or NULL. */
static inline const char *rows_at(const Rows *rows, int64_t row, int64_t column) { return rows->cell[row * rows->columns + column]; }

typedef struct Database {
    void *handle;
    struct WriterQueue *turn; /* SQLite: the queue of writers; NULL otherwise */
    Status (*query)(struct Database *self, const char *sql, int count, const char *const *values, Rows *out,
                    Error *error); /* out may be NULL */
    void (*close)(struct Database *self);
    const char *begin; /* starts a transaction that no other writer enters */
    const char *lock;  /* run after begin, or NULL */
    Status (*enter)(struct Database *self,
                    Error *error); /* waits for this writer's turn before begin; NULL where the database queues by itself */
    void (*leave)(struct Database *self);
    void (*remove)(const char *path); /* what was created and could not be finished; NULL where that goes by itself */
} Database;
/* create: the file must not exist and is made with mode 0600; else it must. */
MUST_CHECK Status database_sqlite(const char *path, bool create, Database *out, Error *error);
MUST_CHECK Status database_postgres(const char *address, Database *out, Error *error);
#endif
