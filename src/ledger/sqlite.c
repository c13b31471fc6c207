/* Ledgers in SQLite: durable on commit (synchronous=EXTRA), one writer at a time. */
#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/password.h"
#include "ledger/database.h"
#include "ledger/writer_queue.h"

static Status trouble(sqlite3 *db, Error *error) {
    int code = sqlite3_extended_errcode(db);
    fail(error, FAILED, "the ledger cannot be used: %s", sqlite3_errmsg(db));
    if ((code & 0xFF) == SQLITE_NOTADB) {
        fail(error, BAD, "this file is not a ledger");
        return BAD;
    }
    return error_advice(error, "Nothing was released.");
}

/* SQLite has one code for every statement that it cannot prepare: its own schema says whether it is for want of the ledger's table. */
static Status not_prepared(sqlite3 *db, Error *error) {
    Status status = trouble(db, error);
    sqlite3_stmt *look = NULL;
    bool none = sqlite3_prepare_v2(db, "SELECT 1 FROM sqlite_master WHERE name = 'scrim_ledger_entry'", -1, &look, NULL) == SQLITE_OK &&
                sqlite3_step(look) == SQLITE_DONE;
    sqlite3_finalize(look);
    return none ? fail(error, BAD, "this file is not a ledger") : status;
}

static Status add_row(sqlite3_stmt *statement, Rows *out, Error *error) {
    int columns = sqlite3_column_count(statement);
    bool lost = false;
    char **cell = out->cell;
    if (!(out->rows & (out->rows - 1)))
        cell = realloc(out->cell, (size_t)((out->rows ? 2 * out->rows : 1) * columns) * sizeof *cell); /* doubled at 0, 1, 2, 4, … */
    if (!cell) return out_of_memory(error);
    out->cell = cell;
    out->columns = columns;
    for (int i = 0; i < columns; i++) {
        bool null = sqlite3_column_type(statement, i) == SQLITE_NULL;
        const char *text = (const char *)sqlite3_column_text(statement, i);
        cell[out->rows * columns + i] = text ? strdup(text) : NULL;
        lost |= !null && !cell[out->rows * columns + i]; /* memory that runs out must never look like a cell that is empty */
    }
    out->rows++;
    return lost ? out_of_memory(error) : OK;
}

static Status query(Database *self, const char *sql, int count, const char *const *values, Rows *out, Error *error) {
    sqlite3 *db = self->handle;
    sqlite3_stmt *statement = NULL;
    Status status = OK;
    if (out) *out = (Rows){ 0 };
    if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK) return not_prepared(db, error);
    int code = SQLITE_OK;
    for (int i = 0; i < count && code == SQLITE_OK; i++) /* a value that is not bound would be looked for as null, and not be found */
        if (values[i]) code = sqlite3_bind_text(statement, i + 1, values[i], -1, SQLITE_STATIC);
    if (code != SQLITE_OK) status = trouble(db, error);
    while (!status && (code = sqlite3_step(statement)) == SQLITE_ROW)
        if (out && !status) status = add_row(statement, out, error);
    if (code != SQLITE_DONE && !status) status = trouble(db, error);
    sqlite3_finalize(statement);
    if (status && out) rows_free(out);
    return status;
}

static void close_database(Database *self) {
    sqlite3_close(self->handle);
    writer_queue_leave(self->turn);
}

static Status enter(Database *self, Error *error) { return writer_queue_wait(self->turn, error); }
static void leave(Database *self) { writer_queue_pass(self->turn); }

static void remove_file(const char *path) {
    char journal[4200];
    snprintf(journal, sizeof journal, "%s-journal", path);
    unlink(path);
    unlink(journal);
}

Status database_sqlite(const char *path, bool create, Database *out, Error *error) {
    WriterQueue *turn = writer_queue_open(path, create);
    if (!turn) {
        fail(error, BAD, "%s",
             create && errno == EEXIST ? "a ledger exists here already"
             : errno == ENOENT         ? "there is no ledger at this place"
                                       : strerror(errno));
        if (!create && errno == ENOENT)
            error_advice(error, "`scrim ledger create %s --budget epsilon=1` makes one.", holds_password(path) ? "FILE" : path);
        return error_file(error, path);
    }
    sqlite3 *db = NULL;
    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_FULLMUTEX, NULL) != SQLITE_OK) {
        Status status = trouble(db, error);
        sqlite3_close(db);
        writer_queue_leave(turn);
        if (create) remove_file(path);
        return status;
    }
    sqlite3_busy_timeout(db, 60000);
    *out = (Database){ .handle = db,
                       .turn = turn,
                       .query = query,
                       .close = close_database,
                       .begin = "BEGIN IMMEDIATE",
                       .enter = enter,
                       .leave = leave,
                       .remove = create ? remove_file : NULL };
    Status status = query(out, "PRAGMA synchronous=EXTRA", 0, NULL, NULL, error);
    if (!status) status = query(out, "PRAGMA fullfsync=ON", 0, NULL, NULL, error);
    if (status) close_database(out);
    if (status && create) remove_file(path);
    return status;
}
