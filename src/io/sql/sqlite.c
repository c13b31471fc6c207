/* Tables in SQLite: sqlite:people.db#table, or sqlite:people.db?query=select …. Written in one transaction. */
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include "base/number_text.h"
#include "io/format.h"
#include "io/release_mark.h"
#include "io/sql/row_builder.h"
#include "io/sql/table_name.h"

static Status trouble(sqlite3 *db, Error *error, const char *name) {
    int code = sqlite3_errcode(db) & 0xFF;
    bool failed = code == SQLITE_NOMEM || code == SQLITE_FULL || code == SQLITE_IOERR; /* the machine's fault, not the user's */
    fail(error, failed ? FAILED : code == SQLITE_INTERRUPT ? INTERRUPTED : BAD, "SQLite says: %s", sqlite3_errmsg(db));
    if (code == SQLITE_NOTADB) error_advice(error, "It is not a SQLite database.");
    if (code == SQLITE_BUSY || code == SQLITE_LOCKED) error_advice(error, "Another program is writing to it; try again when it is done.");
    return error_file(error, name);
}

static Status open_database(Work *work, const char *name, const TableName *source, int flags, sqlite3 **out) {
    if ((flags & SQLITE_OPEN_READONLY) && access(source->where, F_OK)) {
        fail(work->error, BAD, "cannot open: there is no such file");
        return error_file(work->error, source->where);
    }
    Status status = OK;
    if (sqlite3_open_v2(source->where, out, flags | SQLITE_OPEN_FULLMUTEX, NULL) != SQLITE_OK) status = trouble(*out, work->error, name);
    else sqlite3_busy_timeout(*out, 10000);
    if (status) {
        sqlite3_close(*out);
        *out = NULL;
    }
    return status;
}

/* ---- reading ---- */

/* Marks of the tables that a query reads (mark.h): each stands as a comment at the end of its table's create statement, which SQLite keeps.
 */
typedef struct Marked {
    Work *work;
    const char **table;
    int64_t count, capacity;
    bool failed;
} Marked;
typedef struct Reading {
    RowBuilder rows;
    sqlite3 *db;
    sqlite3_stmt *statement;
    Type *declared;
    bool odd_missing; /* bytes that are no text are a missing cell, not an error */
    Marked read;
} Reading;

static bool holds(const char *text, const char *part) {
    for (size_t length = strlen(part); *text; text++)
        if (!strncasecmp(text, part, length)) return true;
    return false;
}

/* Declared DATE and DATETIME or TIMESTAMP hold texts that are days and moments; all else follows from the cells. INTEGER_TYPE: no more is
 * known. */
static Type declared_type(const char *text) {
    if (!text) return INTEGER_TYPE;
    if (holds(text, "DATETIME") || holds(text, "TIMESTAMP")) return DATETIME_TYPE;
    return holds(text, "DATE") ? DATE_TYPE : INTEGER_TYPE;
}

static bool put_text(ColumnBuilder *build, Type declared, const char *text, size_t length) {
    int32_t day;
    int64_t moment;
    bool dates = declared == DATE_TYPE && read_date(text, text + length, &day),
         moments = declared == DATETIME_TYPE && read_datetime(text, text + length, &moment);
    if (dates && builder_convert(build, DATE_TYPE)) return builder_date(build, day);
    if (moments && builder_convert(build, DATETIME_TYPE)) return builder_moment(build, moment);
    return builder_convert(build, TEXT_TYPE) && builder_text(build, text, length);
}

static bool put_cell(ColumnBuilder *build, Type declared, sqlite3_stmt *statement, int column) {
    switch (sqlite3_column_type(statement, column)) {
    case SQLITE_NULL: return builder_missing(build, MISSING_CODE_NONE);
    case SQLITE_INTEGER: return builder_number(build, sqlite3_column_int64(statement, column));
    case SQLITE_FLOAT:
        return builder_convert(build, REAL_TYPE) ? builder_real(build, sqlite3_column_double(statement, column))
                                                 : builder_words(build, sqlite3_column_double(statement, column));
    default: {
        const char *text = sqlite3_column_blob(statement, column); /* for texts: their bytes */
        int length = sqlite3_column_bytes(statement, column);
        return put_text(build, declared, text ? text : "", (size_t)length);
    }
    }
}

static bool is_text(const Reading *r, int column) {
    const char *text = sqlite3_column_blob(r->statement, column), *end = text + sqlite3_column_bytes(r->statement, column);
    bool good = sqlite3_column_type(r->statement, column) == SQLITE_TEXT && !memchr(text ? text : "", 0, (size_t)(end - text));
    while (good && text < end) {
        int length = utf8_length(text, end);
        good = length > 0;
        text += length;
    }
    return good;
}

static Status no_text(const Reading *r, Work *work, int column, int64_t row) {
    fail(work->error, BAD, "holds bytes that are not text");
    error_column(work->error, sqlite3_column_name(r->statement, column));
    error_row(work->error, row);
    return error_file(work->error, r->rows.name);
}

static Status open_column(void *self, Work *work, int64_t column) {
    Reading *r = self;
    Status status = builder_open(&r->rows.build[column], sqlite3_column_name(r->statement, (int)column), INTEGER_TYPE, 0, work->error);
    r->rows.build[column].undecided = true;
    return status;
}

/* SQLite asks about every column of every table that a statement reads, through views too. */
static int note_table(void *self, int action, const char *table, const char *column, const char *schema, const char *view) {
    (void)column, (void)schema, (void)view;
    Marked *m = self;
    if (action != SQLITE_READ || !table || m->failed) return SQLITE_OK;
    for (int64_t i = 0; i < m->count; i++)
        if (!strcmp(m->table[i], table)) return SQLITE_OK;
    if (m->count == m->capacity) {
        int64_t capacity = m->capacity ? m->capacity * 2 : 8;
        const char **more = NULL;
        if (arena_array(m->work->arena, capacity, sizeof *more, &more, m->work->error)) {
            m->failed = true;
            return SQLITE_OK;
        }
        if (m->count) memcpy(more, m->table, (size_t)m->count * sizeof *more);
        m->table = more;
        m->capacity = capacity;
    }
    if (!(m->table[m->count++] = arena_text(m->work->arena, table))) m->failed = true;
    return SQLITE_OK;
}

static Status find_mark(Work *work, Reading *r, const char *table) {
    Status status = OK;
    sqlite3_stmt *statement = NULL;
    static const char select[] = "select sql from sqlite_master where type = 'table' and name = ? collate nocase";
    if (sqlite3_prepare_v2(r->db, select, -1, &statement, NULL) != SQLITE_OK) TRY(trouble(r->db, work->error, r->rows.name));
    sqlite3_bind_text(statement, 1, table, -1, SQLITE_STATIC);
    if (sqlite3_step(statement) != SQLITE_ROW) goto done;
    const char *sql = (const char *)sqlite3_column_text(statement, 0);
    const char *mark = sql ? strstr(sql, "/* " MARK_START) : NULL, *end = mark ? strstr(mark, " */") : NULL;
    if (!end) goto done;
    r->rows.mark[r->rows.marks] = arena_print(work->arena, "%.*s", (int)(end - mark - 3), mark + 3);
    if (!r->rows.mark[r->rows.marks++]) TRY(out_of_memory(work->error));
done:
    sqlite3_finalize(statement);
    return status;
}

static Status find_marks(Work *work, Reading *r) {
    Status status = OK;
    if (r->read.failed) return out_of_memory(work->error);
    NEW(work, r->rows.mark, r->read.count + 1);
    for (int64_t i = 0; i < r->read.count; i++) TRY(find_mark(work, r, r->read.table[i]));
done:
    return status;
}

static Status take_rows(void *self, Work *work, int64_t *rows) {
    Status status = OK;
    Reading *r = self;
    for (int answer; *rows < r->rows.limit; ++*rows) {
        if ((answer = sqlite3_step(r->statement)) == SQLITE_DONE) {
            r->rows.done = true;
            break;
        }
        if (answer != SQLITE_ROW) TRY(trouble(r->db, work->error, r->rows.name));
        for (int i = 0; i < r->rows.columns; i++) {
            int type = sqlite3_column_type(r->statement, i);
            bool odd = (type == SQLITE_TEXT || type == SQLITE_BLOB) && !is_text(r, i);
            if (odd && !r->odd_missing) TRY(no_text(r, work, i, *rows));
            if (odd ? !builder_missing(&r->rows.build[i], MISSING_CODE_NONE)
                    : !put_cell(&r->rows.build[i], r->declared[i], r->statement, i))
                TRY(out_of_memory(work->error));
        }
        if (!(*rows & 0xFFFF)) TRY(work_check(work));
    }
done:
    return status;
}

static void close_reading(void *self) {
    Reading *r = self;
    if (!r) return;
    sqlite3_finalize(r->statement);
    sqlite3_close(r->db);
}

/* Why a query could not be prepared: SQLite has one code for all reasons, and its schema says whether the table is there. */
static Status no_table(Work *work, const Reading *r, const TableName *source) {
    trouble(r->db, work->error, r->rows.name);
    sqlite3_stmt *look = NULL;
    sqlite3_set_authorizer(r->db, NULL, NULL);
    bool none = source->table &&
                sqlite3_prepare_v2(r->db, "SELECT 1 FROM sqlite_master WHERE name = ?1 COLLATE NOCASE", -1, &look, NULL) == SQLITE_OK &&
                sqlite3_bind_text(look, 1, source->table, -1, SQLITE_STATIC) == SQLITE_OK && sqlite3_step(look) == SQLITE_DONE;
    sqlite3_finalize(look);
    if (!none) return work->error ? work->error->status : FAILED;
    fail(work->error, BAD, "there is no table '%s' in it", source->table);
    return error_file(work->error, r->rows.name);
}

/* Behind a query may be no other, which would be passed over in silence. */
static Status one_statement(Work *work, const Reading *r, const char *rest) {
    sqlite3_stmt *second = NULL;
    bool alone = sqlite3_prepare_v2(r->db, rest, -1, &second, NULL) == SQLITE_OK && !second;
    sqlite3_finalize(second);
    if (alone) return OK;
    fail(work->error, BAD, "the query is followed by another statement, and one is read");
    return error_file(work->error, r->rows.name);
}

static Status sqlite_chunks(Work *work, const char *name, const CsvOptions *options, int64_t rows, Chunks *out) {
    Status status = OK;
    TableName source;
    const char *select, *rest;
    Reading *r = NULL;
    NEW(work, r, 1);
    *r = (Reading){ .odd_missing = options && options->odd_bytes != ODD_BYTES_REFUSED,
                    .rows = { .name = name, .limit = rows_limit(rows), .open = open_column, .take = take_rows } };
    TRY(table_name_parse(work, name, name + strlen("sqlite:"), false, &source));
    TRY(table_name_select(work, &source, &select));
    TRY(open_database(work, name, &source, SQLITE_OPEN_READONLY, &r->db));
    r->read = (Marked){ .work = work };
    sqlite3_set_authorizer(r->db, note_table, &r->read);
    if (sqlite3_prepare_v2(r->db, select, -1, &r->statement, &rest) != SQLITE_OK) TRY(no_table(work, r, &source));
    sqlite3_set_authorizer(r->db, NULL, NULL);
    TRY(one_statement(work, r, rest));
    r->rows.whole = source.table && r->read.count == 1 && !strcasecmp(r->read.table[0], source.table);
    TRY(find_marks(work, r));
    r->rows.columns = r->statement ? sqlite3_column_count(r->statement) : 0;
    if (!r->rows.columns) {
        fail(work->error, BAD, "the query gives no table");
        TRY(error_file(work->error, name));
    }
    NEW(work, r->declared, r->rows.columns);
    for (int i = 0; i < r->rows.columns; i++) r->declared[i] = declared_type(sqlite3_column_decltype(r->statement, i));
    *out = (Chunks){ r, row_builder_next, close_reading };
done:
    if (status) close_reading(r);
    return status;
}

static Status sqlite_read(Work *work, const char *name, const CsvOptions *options, Table **out) {
    return row_builder_whole(work, name, options, sqlite_chunks, out);
}

/* ---- writing ---- */

static Status do_sql(Work *work, sqlite3 *db, const char *name, const char *sql) {
    return sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK ? OK : trouble(db, work->error, name);
}

/* drop, create and insert for a table. */
static Status statements(Work *work, const Table *table, const TableName *source, const char **drop, const char **create,
                         const char **insert) {
    static const char *const types[] = { "REAL", "INTEGER", "TEXT", "TEXT", "DATE", "TIMESTAMP" };
    const char *target = table_name_quoted(work, source->table),
               *schema = source->schema ? table_name_quoted(work, source->schema) : "\"main\"";
    const char *mark;
    Buffer columns = { 0 }, places = { 0 };
    if (release_mark_text(work, table, &mark)) return FAILED;
    for (int64_t i = 0; i < table->columns; i++) {
        const char *column = table_name_quoted(work, table->column[i]->name);
        buffer_print(&columns, "%s%s %s", i ? ", " : "", column ? column : "", types[table->column[i]->type]);
        buffer_text(&places, i ? ", ?" : "?");
    }
    if (mark) buffer_print(&columns, " /* %s */", mark);
    *drop = arena_print(work->arena, "drop table if exists %s.%s", schema, target);
    *create = arena_print(work->arena, "create table %s.%s (%s)", schema, target, buffer_get(&columns));
    *insert = arena_print(work->arena, "insert into %s.%s values (%s)", schema, target, buffer_get(&places));
    bool failed = columns.failed || places.failed || !*drop || !*create || !*insert;
    buffer_free(&columns);
    buffer_free(&places);
    return failed ? out_of_memory(work->error) : OK;
}

static void bind(sqlite3_stmt *statement, int place, const Column *column, int64_t row) {
    char text[33];
    if (column_missing(column, row)) {
        sqlite3_bind_null(statement, place);
        return;
    }
    switch (column->type) {
    case INTEGER_TYPE: sqlite3_bind_int64(statement, place, column_integer(column, row)); return;
    case REAL_TYPE: sqlite3_bind_double(statement, place, column->real[row]); return;
    case CATEGORY_TYPE:
    case TEXT_TYPE: sqlite3_bind_text(statement, place, column_cell(column, row, text), -1, SQLITE_STATIC); return;
    case DATE_TYPE:
    case DATETIME_TYPE: {
        column_cell(column, row, text);
        char *mark = strchr(text, 'T');
        if (mark) *mark = ' '; /* as SQLite's own functions write it */
        sqlite3_bind_text(statement, place, text, -1, SQLITE_TRANSIENT);
    }
    }
}

static Status write_rows(Work *work, sqlite3 *db, const char *name, const Table *table, const char *insert) {
    Status status = OK;
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(db, insert, -1, &statement, NULL) != SQLITE_OK) return trouble(db, work->error, name);
    for (int64_t row = 0; row < table->rows; row++) {
        for (int64_t i = 0; i < table->columns; i++) bind(statement, (int)i + 1, table->column[i], row);
        if (sqlite3_step(statement) != SQLITE_DONE) TRY(trouble(db, work->error, name));
        sqlite3_reset(statement);
        if (!(row & 0xFFFF)) {
            work_show(work, "writing", (double)row / (double)table->rows);
            TRY(work_check(work));
        }
    }
done:
    sqlite3_finalize(statement);
    return status;
}

static Status replace(Work *work, sqlite3 *db, const char *name, const Table *table, const TableName *source) {
    Status status = OK;
    const char *drop, *create, *insert;
    TRY(statements(work, table, source, &drop, &create, &insert));
    TRY(do_sql(work, db, name, "begin immediate"));
    TRY(do_sql(work, db, name, drop));
    TRY(do_sql(work, db, name, create));
    TRY(write_rows(work, db, name, table, insert));
    TRY(do_sql(work, db, name, "commit"));
done:
    if (status) sqlite3_exec(db, "rollback", NULL, NULL, NULL);
    return status;
}

static Status sqlite_write(Work *work, const Table *table, const char *name, const CsvOptions *options) {
    (void)options;
    Status status = OK;
    sqlite3 *db = NULL;
    TableName source = { 0 };
    TRY(table_name_parse(work, name, name + strlen("sqlite:"), true, &source));
    if (!table->columns) {
        fail(work->error, BAD, "a table without columns cannot be written");
        TRY(error_file(work->error, name));
    }
    int made = open(source.where, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600); /* its maker's alone, as what it holds may be */
    if (made >= 0) close(made);
    status = open_database(work, name, &source, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, &db);
    if (!status) status = replace(work, db, name, table, &source);
    sqlite3_close(db);
    if (status && made >= 0) unlink(source.where); /* nothing is left of a database that was made for this */
done:
    return status;
}

/* The database, and what was written to it last. */
static Behind sqlite_behind(const char *name, int n, char path[BEHIND_PATH]) {
    static const char *const parts[] = { "", "-wal", "-journal" };
    const char *after = name + strlen("sqlite:");
    const size_t length = table_name_where(after, NULL);
    if (n > 2 || length + strlen("-journal") >= BEHIND_PATH) return BEHIND_NONE;
    snprintf(path, BEHIND_PATH, "%.*s%s", (int)length, after, parts[n]);
    return BEHIND_FILE;
}

const Format format_sqlite = { .name = "SQLite",
                               .suffixes = (const char *const[]){ NULL },
                               .prefixes = (const char *const[]){ "sqlite:", NULL },
                               .form = "sqlite:FILE#TABLE",
                               .read = sqlite_read,
                               .write = sqlite_write,
                               .chunks = sqlite_chunks,
                               .behind = sqlite_behind };
