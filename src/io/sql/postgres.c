/* Tables in PostgreSQL: postgresql://user@host/db#schema.table, or …?query=select …. Read and written by binary COPY, each in one
 * transaction. */
#include "io/sql/postgres.h"
#include <stdlib.h>
#include <string.h>

static void no_notice(void *self, const PGresult *result) { (void)self, (void)result; }

/* The server's first line, without what it calls detail: that may quote rows. */
Status postgres_trouble(Work *work, PGconn *connection, const PGresult *result, const char *name) {
    const char *said = result ? PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY) : NULL;
    char line[400];
    snprintf(line, sizeof line, "%s", said ? said : PQerrorMessage(connection));
    for (size_t length = strlen(line); length && line[length - 1] == '\n'; length--) line[length - 1] = 0;
    for (char *c = line; *c; c++)
        if (*c == '\n' || *c == '\t') *c = ' ';
    const char *code = result ? PQresultErrorField(result, PG_DIAG_SQLSTATE) : NULL;
    bool of_a_value = code && (!strncmp(code, "22", 2) || !strncmp(code, "23", 2)); /* data exceptions, broken constraints */
    int shown = of_a_value ? table_name_shown(line) : (int)strlen(line);
    fail(work->error, BAD, "PostgreSQL says: %.*s%s", shown, line, line[shown] ? "…" : "");
    if (line[shown]) error_value(work->error, line + shown);
    return error_file(work->error, name);
}

Status postgres_do(Work *work, PGconn *connection, const char *sql, const char *name) {
    PGresult *result = PQexec(connection, sql);
    ExecStatusType state = PQresultStatus(result);
    Status status = state == PGRES_COMMAND_OK || state == PGRES_TUPLES_OK || state == PGRES_COPY_IN || state == PGRES_COPY_OUT
                        ? OK
                        : postgres_trouble(work, connection, result, name);
    PQclear(result);
    return status;
}

/* A password in a name would be in every result, manifest and shell history: none is taken. */
static Status no_password(Work *work, const char *where) {
    char *problem = NULL;
    PQconninfoOption *options = PQconninfoParse(where, &problem), *option = options;
    bool password = false;
    for (; option && option->keyword; option++)
        password |= option->val && (!strcmp(option->keyword, "password") || !strcmp(option->keyword, "sslpassword"));
    if (!options) fail(work->error, BAD, "this name of a PostgreSQL database cannot be understood");
    else if (password) fail(work->error, BAD, "a name that is kept in results must not hold a password");
    if (!options) error_advice(work->error, "Write postgresql://user@host:port/database#schema.table.");
    else if (password) error_advice(work->error, "Put the password into ~/.pgpass or PGPASSWORD.");
    bool bad = !options || password;
    PQconninfoFree(options);
    PQfreemem(problem);
    return bad ? error_file(work->error, "postgresql://…") : OK;
}

Status postgres_open(Work *work, const char *name, bool writing, TableName *source, PGconn **out) {
    Status status = OK;
    *out = NULL;
    TRY(table_name_parse(work, name, name, writing, source));
    TRY(no_password(work, source->where));
    const char *const keywords[] = { "connect_timeout", "application_name", "dbname", "client_encoding", NULL };
    const char *const values[] = { "10", "scrim", source->where, "UTF8", NULL };
    *out = PQconnectdbParams(keywords, values, 1);
    if (PQstatus(*out) != CONNECTION_OK) TRY(postgres_trouble(work, *out, NULL, name));
    PQsetNoticeReceiver(*out, no_notice, NULL);
done:
    if (status) {
        PQfinish(*out);
        *out = NULL;
    }
    return status;
}

/* A server's, which has its own say in who reads them. */
static Behind postgres_behind(const char *name, int n, char path[BEHIND_PATH]) {
    (void)name, (void)n, (void)path;
    return BEHIND_NONE;
}

const Format format_postgres = { .name = "PostgreSQL",
                                 .suffixes = (const char *const[]){ NULL },
                                 .prefixes = (const char *const[]){ "postgresql://", "postgres://", NULL },
                                 .form = "postgresql://USER@HOST/DB#TABLE",
                                 .read = postgres_read,
                                 .write = postgres_write,
                                 .chunks = postgres_chunks,
                                 .behind = postgres_behind };
