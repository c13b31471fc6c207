/* Ledgers in PostgreSQL: a row lock on the head serialises writers; commits wait for the log to reach the disk. */
#include <libpq-fe.h>
#include <stdlib.h>
#include <string.h>
#include "ledger/database.h"

static Status take_rows(const PGresult *result, Rows *out, Error *error) {
    out->rows = PQntuples(result);
    out->columns = PQnfields(result);
    out->cell = calloc((size_t)(out->rows * out->columns + 1), sizeof *out->cell);
    if (!out->cell) return out_of_memory(error);
    bool lost = false;
    for (int i = 0; i < (int)out->rows; i++)
        for (int j = 0; j < (int)out->columns; j++)
            if (!PQgetisnull(result, i, j)) lost |= !(out->cell[i * out->columns + j] = strdup(PQgetvalue(result, i, j)));
    return lost ? out_of_memory(error) : OK; /* memory that runs out must never look like a cell that is empty */
}

static Status query(Database *self, const char *sql, int count, const char *const *values, Rows *out, Error *error) {
    if (out) *out = (Rows){ 0 };
    PGresult *result = PQexecParams(self->handle, sql, count, NULL, values, NULL, NULL, 0);
    ExecStatusType state = PQresultStatus(result);
    Status status = OK;
    if (state != PGRES_COMMAND_OK && state != PGRES_TUPLES_OK) {
        const char *state_code = PQresultErrorField(result, PG_DIAG_SQLSTATE);
        bool absent = state_code && !strcmp(state_code, "42P01");
        status = fail(error, absent ? BAD : FAILED, "the ledger cannot be used: %s",
                      absent ? "the database holds no ledger" : PQerrorMessage(self->handle));
        size_t length = strlen(error ? error->message : "");
        while (length && error->message[length - 1] == '\n') error->message[--length] = 0;
        if (absent) error_advice(error, "`scrim ledger create` makes one.");
        else error_advice(error, "Nothing was released.");
    } else if (out) status = take_rows(result, out, error);
    PQclear(result);
    if (status && out) rows_free(out);
    return status;
}

static void close_database(Database *self) { PQfinish(self->handle); }

static void no_notice(void *self, const PGresult *result) {
    (void)self;
    (void)result;
}

Status database_postgres(const char *address, Database *out, Error *error) {
    PGconn *connection = PQconnectdb(address);
    if (PQstatus(connection) != CONNECTION_OK) {
        PQfinish(connection); /* the server's words may repeat the password: none of them are passed on */
        fail(error, FAILED, "cannot connect to the ledger's PostgreSQL server");
        return error_advice(error, "Check the address, the user, and that the server runs. Nothing was released.");
    }
    PQsetNoticeReceiver(connection, no_notice, NULL);
    *out = (Database){ .handle = connection,
                       .query = query,
                       .close = close_database,
                       .begin = "BEGIN",
                       .lock = "SELECT entry FROM scrim_ledger_head FOR UPDATE" };
    Status status = query(out, "SET synchronous_commit = on", 0, NULL, NULL, error);
    if (status) PQfinish(connection);
    return status;
}
