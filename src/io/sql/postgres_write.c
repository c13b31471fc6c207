/* Writing to PostgreSQL: the old table goes and the new one comes in one transaction; rows are copied in, in binary. */
#include <string.h>
#include "io/release_mark.h"
#include "io/sql/postgres.h"

enum { FULL = 1 << 20 }; /* bytes that are sent at once */

static void put_big(Buffer *out, uint64_t value, int count) {
    for (int i = count - 1; i >= 0; i--) buffer_char(out, (char)(value >> (8 * i)));
}

static void put_cell(Buffer *out, const Column *column, int64_t row) {
    char number[33];
    uint64_t bits;
    if (column_missing(column, row)) {
        put_big(out, UINT32_MAX, 4);
        return;
    }
    switch (column->type) {
    case REAL_TYPE:
        memcpy(&bits, &column->real[row], 8);
        put_big(out, 8, 4);
        put_big(out, bits, 8);
        return;
    case INTEGER_TYPE:
        put_big(out, 8, 4);
        put_big(out, (uint64_t)column_integer(column, row), 8);
        return;
    case DATE_TYPE:
        put_big(out, 4, 4);
        put_big(out, (uint32_t)(column->date[row] - POSTGRES_DAYS), 4);
        return;
    case DATETIME_TYPE:
        put_big(out, 8, 4);
        put_big(out, (uint64_t)(column->moment[row] - POSTGRES_MICROS), 8);
        return;
    case CATEGORY_TYPE:
    case TEXT_TYPE: {
        const char *text = column_cell(column, row, number);
        size_t length = strlen(text);
        put_big(out, length, 4);
        buffer_add(out, text, length);
    }
    }
}

static Status send(Work *work, PGconn *connection, Buffer *bytes, const char *name) {
    if (bytes->failed) return out_of_memory(work->error);
    if (bytes->count && PQputCopyData(connection, bytes->bytes, (int)bytes->count) != 1)
        return postgres_trouble(work, connection, NULL, name);
    bytes->count = 0;
    return OK;
}

static Status copy_rows(Work *work, PGconn *connection, const Table *table, const char *name) {
    Status status = OK;
    Buffer bytes = { 0 };
    buffer_add(&bytes, "PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0\0", 19);
    for (int64_t row = 0; row < table->rows; row++) {
        put_big(&bytes, (uint64_t)table->columns, 2);
        for (int64_t i = 0; i < table->columns; i++) put_cell(&bytes, table->column[i], row);
        if (bytes.count >= FULL) {
            TRY(send(work, connection, &bytes, name));
            work_show(work, "writing", (double)row / (double)table->rows);
            TRY(work_check(work));
        }
    }
    put_big(&bytes, 0xFFFF, 2);
    TRY(send(work, connection, &bytes, name));
done:
    buffer_free(&bytes);
    return status;
}

static Status end_copy(Work *work, PGconn *connection, bool whole, const char *name) {
    Status status = OK;
    if (PQputCopyEnd(connection, whole ? NULL : "stopped") != 1) return postgres_trouble(work, connection, NULL, name);
    for (PGresult *result; (result = PQgetResult(connection)); PQclear(result))
        if (PQresultStatus(result) != PGRES_COMMAND_OK && !status && whole) status = postgres_trouble(work, connection, result, name);
    return status;
}

/* Two columns that differ only beyond 63 bytes would become one: the server would cut the names. */
static Status create(Work *work, PGconn *connection, const Table *table, const char *target, const char *name) {
    static const char *const types[] = { "double precision", "bigint", "text", "text", "date", "timestamp" };
    Buffer text = { 0 };
    buffer_print(&text, "create table %s (", target);
    for (int64_t i = 0; i < table->columns; i++) {
        const char *column = table_name_quoted(work, table->column[i]->name);
        buffer_print(&text, "%s%s %s", i ? ", " : "", column ? column : "", types[table->column[i]->type]);
    }
    buffer_char(&text, ')');
    Status status = text.failed ? out_of_memory(work->error) : postgres_do(work, connection, buffer_get(&text), name);
    buffer_free(&text);
    return status;
}

/* A release says so in the comment of its table (mark.h). */
static Status comment(Work *work, PGconn *connection, const Table *table, const char *target, const char *name) {
    Status status = OK;
    const char *mark, *sql;
    char *quoted = NULL;
    TRY(release_mark_text(work, table, &mark));
    if (!mark) goto done;
    if (!(quoted = PQescapeLiteral(connection, mark, strlen(mark)))) TRY(postgres_trouble(work, connection, NULL, name));
    sql = arena_print(work->arena, "comment on table %s is %s", target, quoted);
    TRY(sql ? postgres_do(work, connection, sql, name) : out_of_memory(work->error));
done:
    PQfreemem(quoted);
    return status;
}

static Status replace(Work *work, PGconn *connection, const Table *table, const char *target, const char *name) {
    Status status = OK;
    const char *drop = arena_print(work->arena, "drop table if exists %s", target),
               *copy = arena_print(work->arena, "copy %s from stdin (format binary)", target);
    if (!drop || !copy) TRY(out_of_memory(work->error));
    TRY(postgres_do(work, connection, "begin", name));
    TRY(postgres_do(work, connection, drop, name));
    TRY(create(work, connection, table, target, name));
    TRY(comment(work, connection, table, target, name));
    TRY(postgres_do(work, connection, copy, name));
    status = copy_rows(work, connection, table, name);
    Status ended = end_copy(work, connection, !status, name);
    TRY(status ? status : ended);
    TRY(postgres_do(work, connection, "commit", name));
done:
    return status; /* closing the connection rolls back what was not committed */
}

Status postgres_write(Work *work, const Table *table, const char *name, const CsvOptions *options) {
    (void)options;
    Status status = OK;
    TableName source;
    PGconn *connection = NULL;
    if (table->columns < 1 || table->columns > 1600) {
        fail(work->error, BAD,
             table->columns ? "a table of PostgreSQL has at most 1,600 columns" : "a table without columns cannot be written");
        return error_file(work->error, name);
    }
    TRY(postgres_open(work, name, true, &source, &connection));
    const char *table_name = table_name_quoted(work, source.table), *schema = source.schema ? table_name_quoted(work, source.schema) : NULL;
    const char *target = arena_print(work->arena, "%s%s%s", schema ? schema : "", schema ? "." : "", table_name ? table_name : "");
    if (!target) TRY(out_of_memory(work->error));
    TRY(replace(work, connection, table, target, name));
done:
    PQfinish(connection);
    return status;
}
