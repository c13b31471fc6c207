/* Reading from PostgreSQL: the query's columns are described first, then copied out in binary, row by row into builders. */
#include <string.h>
#include "base/elementary.h"
#include "io/sql/row_builder.h"
#include "io/release_mark.h"
#include "io/sql/postgres.h"

/* How a column's bytes are to be understood. What is none of these the server casts to text. */
typedef enum {
    AS_TEXT_CAST,
    AS_BOOL,
    AS_INT2,
    AS_INT4,
    AS_INT8,
    AS_FLOAT4,
    AS_FLOAT8,
    AS_TEXT,
    AS_PADDED,
    AS_DATE,
    AS_TIMESTAMP,
    AS_NUMERIC
} Coding;

typedef struct Reading {
    RowBuilder rows;
    PGconn *connection;
    Coding *coding;
    char **column;
    bool begun;
} Reading;

static Coding coding_of(Oid type) {
    static const struct {
        Oid type;
        Coding coding;
    } known[] = { { 16, AS_BOOL },    { 21, AS_INT2 },   { 23, AS_INT4 },        { 20, AS_INT8 },        { 700, AS_FLOAT4 },
                  { 701, AS_FLOAT8 }, { 25, AS_TEXT },   { 1043, AS_TEXT },      { 1042, AS_PADDED },    { 19, AS_TEXT },
                  { 114, AS_TEXT },   { 1082, AS_DATE }, { 1114, AS_TIMESTAMP }, { 1184, AS_TIMESTAMP }, { 1700, AS_NUMERIC } };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].type == type) return known[i].coding;
    return AS_TEXT_CAST;
}

static Type type_of(Coding coding) {
    switch (coding) {
    case AS_BOOL:
    case AS_INT2:
    case AS_INT4:
    case AS_INT8: return INTEGER_TYPE;
    case AS_FLOAT4:
    case AS_FLOAT8:
    case AS_NUMERIC: return REAL_TYPE;
    case AS_DATE: return DATE_TYPE;
    case AS_TIMESTAMP: return DATETIME_TYPE;
    default: return TEXT_TYPE;
    }
}

/* ---- what the query gives ---- */

static Status describe(Work *work, Reading *r, const char *select) {
    Status status = OK;
    PGresult *prepared = PQprepare(r->connection, "", select, 0, NULL), *about = NULL;
    if (PQresultStatus(prepared) != PGRES_COMMAND_OK) TRY(postgres_trouble(work, r->connection, prepared, r->rows.name));
    about = PQdescribePrepared(r->connection, "");
    if (PQresultStatus(about) != PGRES_COMMAND_OK) TRY(postgres_trouble(work, r->connection, about, r->rows.name));
    r->rows.columns = PQnfields(about);
    if (!r->rows.columns) {
        fail(work->error, BAD, "the query gives no table");
        TRY(error_file(work->error, r->rows.name));
    }
    NEW(work, r->coding, r->rows.columns);
    NEW(work, r->column, r->rows.columns);
    for (int i = 0; i < r->rows.columns; i++) {
        r->coding[i] = coding_of(PQftype(about, i));
        if (!(r->column[i] = arena_text(work->arena, PQfname(about, i)))) TRY(out_of_memory(work->error));
    }
done:
    PQclear(prepared);
    PQclear(about);
    return status;
}

/* The query itself, or around it one that casts what has no binary form here. */
static Status copy_command(Work *work, const Reading *r, const char *select, const char **out) {
    Buffer text = { 0 };
    bool casts = false;
    for (int i = 0; i < r->rows.columns; i++) casts |= r->coding[i] == AS_TEXT_CAST || r->coding[i] == AS_NUMERIC;
    buffer_text(&text, "copy (");
    for (int i = 0; casts && i < r->rows.columns; i++) {
        const char *name = table_name_quoted(work, r->column[i]), *cast = r->coding[i] == AS_TEXT_CAST ? "::text"
                                                                          : r->coding[i] == AS_NUMERIC ? "::float8"
                                                                                                       : "";
        buffer_print(&text, "%s%s%s", i ? ", " : "select ", name ? name : "", cast);
    }
    if (casts) buffer_print(&text, " from (%s) as scrim", select);
    else buffer_text(&text, select);
    buffer_text(&text, ") to stdout (format binary)");
    *out = text.failed ? NULL : arena_text(work->arena, buffer_get(&text));
    buffer_free(&text);
    return *out ? OK : out_of_memory(work->error);
}

/* ---- rows ---- */

static uint64_t big(const char *at, int count) {
    uint64_t value = 0;
    for (int i = 0; i < count; i++) value = value << 8 | (unsigned char)at[i];
    return value;
}

static double as_double(const char *at, int count) {
    uint64_t bits = big(at, count);
    double real;
    if (count == 4) {
        uint32_t half = (uint32_t)bits;
        float single;
        memcpy(&single, &half, 4);
        return single;
    }
    memcpy(&real, &bits, 8);
    return real;
}

/* Infinite dates are no dates. */
static bool put_date(ColumnBuilder *build, const char *at) {
    int32_t day = (int32_t)(uint32_t)big(at, 4);
    return day == INT32_MAX || day == INT32_MIN || day > INT32_MAX - POSTGRES_DAYS ? builder_missing(build, MISSING_CODE_NONE)
                                                                                   : builder_date(build, day + POSTGRES_DAYS);
}
static bool put_moment(ColumnBuilder *build, const char *at) {
    int64_t moment = (int64_t)big(at, 8);
    return moment == INT64_MAX || moment == INT64_MIN || moment > INT64_MAX - POSTGRES_MICROS
               ? builder_missing(build, MISSING_CODE_NONE)
               : builder_moment(build, moment + POSTGRES_MICROS);
}

/* -1: memory is out; 0: the bytes are not of this type. */
static int put_cell(ColumnBuilder *build, Coding coding, const char *at, int32_t length) {
    static const int8_t sizes[] = { -1, 1, 2, 4, 8, 4, 8, -1, -1, 4, 8, 8 };
    if (sizes[coding] >= 0 && length != sizes[coding]) return 0;
    bool kept = true;
    switch (coding) {
    case AS_BOOL: kept = builder_integer(build, *at != 0); break;
    case AS_INT2: kept = builder_integer(build, (int16_t)(uint16_t)big(at, 2)); break;
    case AS_INT4: kept = builder_integer(build, (int32_t)(uint32_t)big(at, 4)); break;
    case AS_INT8: kept = builder_integer(build, (int64_t)big(at, 8)); break;
    case AS_FLOAT4:
    case AS_FLOAT8:
    case AS_NUMERIC: kept = builder_real(build, as_double(at, length)); break;
    case AS_DATE: kept = put_date(build, at); break;
    case AS_TIMESTAMP: kept = put_moment(build, at); break;
    case AS_PADDED:
        while (length > 0 && at[length - 1] == ' ') length--; /* fall through */
    case AS_TEXT:
    case AS_TEXT_CAST: kept = builder_text(build, at, (size_t)length); break;
    }
    return kept ? 1 : -1;
}

/* One row: a count of fields, then each with its length. */
static int put_row(Reading *r, const char *at, const char *end) {
    if (end - at < 2 || (int16_t)(uint16_t)big(at, 2) != r->rows.columns) return 0;
    at += 2;
    for (int i = 0; i < r->rows.columns; i++) {
        if (end - at < 4) return 0;
        int32_t length = (int32_t)(uint32_t)big(at, 4);
        at += 4;
        if (length > end - at) return 0;
        int kept = length < 0 ? (builder_missing(&r->rows.build[i], MISSING_CODE_NONE) ? 1 : -1)
                              : put_cell(&r->rows.build[i], r->coding[i], at, length);
        if (kept != 1) return kept;
        if (length > 0) at += length;
    }
    return 1;
}

/* The first message begins with the signature, flags and an extension; rows follow, in it or in messages of their own; -1 fields end it. */
static Status take_message(Work *work, Reading *r, const char *at, int count, bool *row) {
    static const char signature[] = "PGCOPY\n\377\r\n\0";
    const char *end = at + count;
    *row = false;
    if (!r->begun) {
        if (count < 19 || memcmp(at, signature, 11)) return fail(work->error, BAD, "the server's copy is not what was asked for");
        at += 19 + big(at + 15, 4);
        r->begun = true;
    }
    if (at >= end) return OK;
    if (end - at == 2 && big(at, 2) == 0xFFFF) return OK;
    int kept = put_row(r, at, end);
    *row = kept == 1;
    return kept == 1 ? OK : kept ? out_of_memory(work->error) : fail(work->error, BAD, "the server's copy is not what was asked for");
}

/* The end of the copy: only if the server says so is it whole. */
static Status end_copy(Work *work, Reading *r, int answer) {
    Status status = OK;
    r->rows.done = true;
    if (answer == -2) return postgres_trouble(work, r->connection, NULL, r->rows.name);
    for (PGresult *result; (result = PQgetResult(r->connection)); PQclear(result))
        if (PQresultStatus(result) != PGRES_COMMAND_OK && !status) status = postgres_trouble(work, r->connection, result, r->rows.name);
    return status ? status : postgres_do(work, r->connection, "commit", r->rows.name);
}

/* The marks of releases among the comments of all tables that the query reads, through views too: this transaction holds a lock on each.
 * 16384 is the first relation that is not the server's own. */
static Status find_marks(Work *work, Reading *r, bool whole) {
    Status status = OK;
    PGresult *result = PQexec(
        r->connection,
        "select c.said, c.locks from (select pg_catalog.obj_description(relation, 'pg_class') as said, count(*) over () as locks"
        " from pg_catalog.pg_locks where pid = pg_catalog.pg_backend_pid() and locktype = 'relation' and relation::bigint >= 16384) as c"
        " where pg_catalog.starts_with(c.said, '" MARK_START "') order by 1");
    if (PQresultStatus(result) != PGRES_TUPLES_OK) TRY(postgres_trouble(work, r->connection, result, r->rows.name));
    r->rows.whole = whole && PQntuples(result) && !strcmp(PQgetvalue(result, 0, 1), "1");
    NEW(work, r->rows.mark, PQntuples(result) + 1);
    for (; r->rows.marks < PQntuples(result); r->rows.marks++)
        if (!(r->rows.mark[r->rows.marks] = arena_text(work->arena, PQgetvalue(result, (int)r->rows.marks, 0))))
            TRY(out_of_memory(work->error));
done:
    PQclear(result);
    return status;
}

static Status open_column(void *self, Work *work, int64_t column) {
    Reading *r = self;
    Status status = builder_open(&r->rows.build[column], r->column[column], type_of(r->coding[column]), 0, work->error);
    r->rows.build[column].whole = r->coding[column] == AS_NUMERIC;
    return status;
}

static Status take_rows(void *self, Work *work, int64_t *rows) {
    Status status = OK;
    Reading *r = self;
    while (*rows < r->rows.limit && !status) {
        char *message = NULL;
        bool row = false;
        int count = PQgetCopyData(r->connection, &message, 0);
        if (count < 0) return end_copy(work, r, count);
        status = take_message(work, r, message, count, &row);
        PQfreemem(message);
        if (status) return error_file(work->error, r->rows.name);
        *rows += row;
        if (!(*rows & 0xFFFF)) status = work_check(work);
    }
    return status;
}

static void close_reading(void *self) {
    Reading *r = self;
    if (r) PQfinish(r->connection);
}

Status postgres_chunks(Work *work, const char *name, const CsvOptions *options, int64_t rows, Chunks *out) {
    (void)options;
    Status status = OK;
    TableName source;
    const char *select, *copy;
    Reading *r = NULL;
    NEW(work, r, 1);
    *r = (Reading){ .rows = { .name = name, .limit = rows_limit(rows), .open = open_column, .take = take_rows } };
    TRY(postgres_open(work, name, false, &source, &r->connection));
    TRY(table_name_select(work, &source, &select));
    TRY(postgres_do(work, r->connection, "begin isolation level repeatable read read only", name));
    TRY(describe(work, r, select));
    TRY(find_marks(work, r, !source.query));
    TRY(copy_command(work, r, select, &copy));
    TRY(postgres_do(work, r->connection, copy, name));
    *out = (Chunks){ r, row_builder_next, close_reading };
done:
    if (status) close_reading(r);
    return status;
}

Status postgres_read(Work *work, const char *name, const CsvOptions *options, Table **out) {
    return row_builder_whole(work, name, options, postgres_chunks, out);
}
