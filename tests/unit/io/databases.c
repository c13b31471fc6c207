/* SQLite and PostgreSQL: what is written is read, in one transaction; what fails says so in the database's words and leaves the old table.
 */
#include <libpq-fe.h>
#include <math.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include "files.h"
#include "io/format.h"
#include "postgres_server.h"

static char file[128];
static Server server;

static const char *sqlite(const char *rest) {
    static char text[4][512];
    static int next;
    char *out = text[next++ % 4];
    snprintf(out, 512, "sqlite:%s%s", file, rest);
    return out;
}
static const char *postgres(const char *rest) {
    static char text[4][512];
    static int next;
    char *out = text[next++ % 4];
    snprintf(out, 512, "postgresql:///postgres?host=%s/data&user=scrim%s", server.folder, rest);
    return out;
}

static Table *mixed(void) {
    Column *columns[] = { column_of("n:integer 3 -7 NA 9223372036854775807"), column_of("x:real 1.5 NA -2.25 1e300"),
                          column_of("a_\"name\":category a NA it's a"), column_of("born:date 1790-02-03 2024-02-29 NA 1899-12-31"),
                          moments_of("seen at") };
    return table_from(columns, 5);
}

static void refuses_to_write(const Table *table, const char *name, const char *message) {
    Work work = tables_work(1);
    char text[2048];
    assert_int_equal(table_save(&work, table, name, NULL), BAD);
    error_text(&tables_error, text, sizeof text);
    if (!strstr(text, message)) fail_msg("%s", text);
    arena_free(work.arena);
}

static void round_trip(const char *name) {
    Table *table = mixed(), *again;
    save_as(table, name);
    save_as(table, name); /* what was there is replaced */
    again = open_as(name);
    assert_true(table_equal(table, again));
    table_release(table);
    table_release(again);
}

/* A release stays one, and what was perturbed in it stays known; also through a view or a query, of all that it makes. A table that is none
 * is not marked. */
static void marks_stay(const char *target, const char *query, const char *view) {
    Table *table = table_of("n*/:integer 1 2 3", "a'\"b:real 1 2 3", NULL), *again;
    save_as(table, target);
    again = open_as(target);
    assert_true(!again->perturbed && !again->released);
    table_release(again);
    table->released = true;
    save_as(table, target);
    again = open_as(target);
    assert_true(!again->perturbed && again->released);
    table_release(again);
    table_perturb(table, "n*/");
    save_as(table, target);
    again = open_as(target);
    assert_true(again->perturbed && again->released && table_altered(again, "n*/") && !table_altered(again, "a'\"b"));
    assert_true(table_equal(table, again));
    table_release(again);
    for (int i = 0; i < 2; i++) {
        again = open_as(i ? view : query);
        assert_true(again->perturbed && again->released && again->altered[0]);
        table_release(again);
    }
    table_release(table);
}

/* ---- SQLite ---- */

static void run_sqlite(const char *sql) {
    sqlite3 *db;
    assert_int_equal(sqlite3_open(file, &db), SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK) fail_msg("%s", sqlite3_errmsg(db));
    sqlite3_close(db);
}

static void sqlite_holds_a_table(void **state) {
    (void)state;
    round_trip(sqlite("#people"));
    round_trip(sqlite("#main.people"));
    Table *asked = open_as(sqlite("?query=select n, count(*) as c from people where x is not null group by n order by n;"));
    assert_true(asked->rows == 3 && asked->columns == 2 && asked->column[1]->type == INTEGER_TYPE);
    table_release(asked);
}

static void sqlite_marks(void **state) {
    (void)state;
    run_sqlite("create table other (\"a /* {\"\"scrim\"\": \"\"x */\" int)");
    Table *other = open_as(sqlite("#other"));
    assert_false(other->released);
    table_release(other);
    marks_stay(sqlite("#marked"), sqlite("?query=select count(*) as c from Marked"),
               sqlite("?query=select 1 as c from (select \"n*/\" from marked)"));
    run_sqlite("create view derived as select \"a'\"\"b\" as m, 1 as \"n*/\" from marked");
    Table *seen = open_as(sqlite("#derived"));
    assert_true(seen->altered[0] && seen->altered[1]);
    table_release(seen);
    run_sqlite("drop view derived; alter table marked rename to moved");
    seen = open_as(sqlite("#moved"));
    assert_true(seen->altered[0] && !seen->altered[1]);
    table_release(seen);
    run_sqlite("pragma writable_schema = on; update sqlite_master set sql = replace(sql, 'true', 'treu') where name = 'moved'");
    refuses(sqlite("#moved"), "mark of a release");
    run_sqlite("drop table moved");
}

/* Any cell may be of any kind there: a column is what all its cells are. */
static void sqlite_mixed_cells(void **state) {
    (void)state;
    run_sqlite("create table m (a, b, c date, d timestamp, e); insert into m values (null, 1, '2020-01-02', '2020-01-02 10:20:30', null), "
               "(1, 2.5, 'never', null, null), ('x', null, null, '2020-01-02T00:00', null)");
    Table *table = open_as(sqlite("#m"));
    assert_int_equal(table->column[0]->type, CATEGORY_TYPE);
    assert_string_equal(table->column[0]->words->word[0], "1");
    assert_true(table->column[1]->type == REAL_TYPE && table->column[1]->real[0] == 1 && table->column[1]->real[1] == 2.5);
    assert_int_equal(table->column[2]->type, CATEGORY_TYPE);
    assert_string_equal(table->column[2]->words->word[0], "2020-01-02");
    assert_true(table->column[3]->type == DATETIME_TYPE && table->column[3]->missing == 1);
    assert_int_equal(table->column[4]->missing, 3);
    table_release(table);
    run_sqlite("create table bytes (a); insert into bytes values (x'00ff')");
    refuses(sqlite("#bytes"), "not text");
}

/* In parts, too, a record is told by its place in the table. */
static void sqlite_names_the_record(void **state) {
    (void)state;
    run_sqlite("create table late (a); insert into late values ('a'), ('b'), ('c'), ('d'), ('e'), (x'00ff')");
    Work work = tables_work(1);
    Chunks chunks;
    Table *part = NULL;
    Status status = OK;
    tables_ok(format_sqlite.chunks(&work, sqlite("#late"), NULL, 2, &chunks));
    for (int i = 0; i < 3 && !status; i++) {
        assert_int_equal((status = chunks.next(chunks.self, &work, &part)), i < 2 ? OK : BAD);
        table_release(part);
    }
    chunks.close(chunks.self);
    arena_free(work.arena);
    assert_int_equal(tables_error.row, 5);
}

static void sqlite_errors(void **state) {
    (void)state;
    Table *table = mixed();
    refuses(sqlite("#nope"), "there is no table 'nope'");
    refuses(sqlite("?query=select absent from people"), "no such column");
    refuses(sqlite("?query=delete from people"), "gives no table");
    refuses(sqlite("?query=select 1 as a; select 2 as b"), "another statement");
    table_release(open_as(sqlite("?query=select 1 as a; -- with a comment")));
    refuses(sqlite(""), "names no table");
    refuses("sqlite:/nowhere/at.db#a", "no such file");
    refuses_to_write(table, sqlite("?query=select 1"), "is a query");
    refuses_to_write(table, "sqlite:/nowhere/at.db#a", "unable to open");
    run_sqlite("create table kept (a); insert into kept values (7); create view looks as select * from kept");
    refuses_to_write(table, sqlite("#looks"), "view");
    table_release(table);
}

/* A write that fails half-way leaves the old table: here it is interrupted after the old one was dropped within the transaction. */
static void sqlite_write_fails_half_way(void **state) {
    (void)state;
    char tiny[160], name[192];
    snprintf(tiny, sizeof tiny, "%s/text.db", folder);
    snprintf(name, sizeof name, "sqlite:%s#t", tiny);
    FILE *text = fopen(tiny, "w");
    fputs("this is no database, but it is long enough to look at: ........................................................................",
          text);
    fclose(text);
    refuses(name, "not a SQLite database");
    Table *table = mixed();
    refuses_to_write(table, name, "not a SQLite database");
    run_sqlite("drop table if exists old; create table old (a integer); insert into old values (42)");
    Work work = tables_work(1);
    atomic_int cancel = 1;
    Progress progress = { .cancel = &cancel };
    work.progress = &progress;
    assert_int_equal(table_save(&work, table, sqlite("#old"), NULL), INTERRUPTED);
    arena_free(work.arena);
    Table *old = open_as(sqlite("#old"));
    assert_true(old->rows == 1 && column_integer(old->column[0], 0) == 42);
    table_release(old);
    table_release(table);
}

static void in_chunks(const char *name, int64_t rows, int64_t size, int64_t parts) {
    Work work = tables_work(1);
    Chunks chunks;
    int64_t total = 0, count = 0;
    tables_ok(format_of(name, NULL)->chunks(&work, name, NULL, size, &chunks));
    for (Table *part = NULL;; count++) {
        tables_ok(chunks.next(chunks.self, &work, &part));
        if (!part) break;
        total += part->rows;
        table_release(part);
    }
    chunks.close(chunks.self);
    assert_true(total == rows && count == parts);
    arena_free(work.arena);
}
static void sqlite_in_chunks(void **state) {
    (void)state;
    in_chunks(sqlite("#people"), 4, 3, 2);
    in_chunks(sqlite("#people"), 4, 2, 2);
}

/* ---- PostgreSQL ---- */

static void run_postgres(const char *sql) {
    PGconn *connection = PQconnectdb(postgres(""));
    PGresult *result = PQexec(connection, sql);
    ExecStatusType answer = PQresultStatus(result);
    if (answer != PGRES_COMMAND_OK && answer != PGRES_TUPLES_OK) fail_msg("%s", PQerrorMessage(connection));
    PQclear(result);
    PQfinish(connection);
}

static void postgres_types(void) {
    run_postgres("create type mood as enum ('low', 'high'); create table kinds (b bool, s int2, i int4, r real, m numeric(10,2), c "
                 "char(5), v varchar, u uuid, e mood, z timestamptz, d date, a int[], w numeric);"
                 "insert into kinds values (true, -3, 70000, 1.5, 12.25, 'ab', 'é', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', 'high', "
                 "'2020-01-01 12:00+02', 'infinity', '{1,2}', 9), (null,null,null,null,null,null,null,null,null,null,null,null,null)");
    Table *table = open_as(postgres("#public.kinds"));
    static const char *const cells[] = {
        "1",  "-3",    "70000", "1.5", "12.25", "ab", "é", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", "high", "2020-01-01T10:00:00",
        NULL, "{1,2}", "9"
    };
    char text[33];
    for (int64_t j = 0; j < table->columns; j++) {
        const char *cell = column_cell(table->column[j], 0, text);
        if (!cell != !cells[j] || (cell && strcmp(cell, cells[j]))) fail_msg("column %lld: %s", (long long)j, cell ? cell : "missing");
        assert_true(column_missing(table->column[j], 1));
    }
    table_release(table);
}

static void postgres_errors(void) {
    Table *table = mixed(), *old;
    refuses(postgres("#nope"), "relation \"nope\" does not exist");
    refuses(postgres("&query=select 1/0 as a"), "division by zero");
    refuses(postgres("&query=select ('no number ' || 5)::int as a"), "invalid input syntax for type integer: …"); /* no value is told */
    refuses(postgres("&query=select 10/(500-g) as a from generate_series(1, 1000) g"), "division by zero");
    refuses(postgres("&query=selec"), "syntax error");
    table_release(open_as(postgres("&query=select 1.5 as a -- with a comment")));
    refuses("postgresql://scrim:secret@localhost/db#t", "must not hold a password");
    assert_null(strstr(tables_error.file, "secret"));
    refuses("postgresql:///db?host=/nowhere&user=scrim#t", "No such file");
    run_postgres("create table held (a int); insert into held values (42); create view uses as select a from held");
    refuses_to_write(table, postgres("#held"), "depend");
    old = open_as(postgres("#held"));
    assert_int_equal(column_integer(old->column[0], 0), 42);
    table_release(old);
    run_postgres("create table broken (a int); insert into broken values (43)");
    Column *bytes = column_of("a:text ok bad");
    bytes->bytes[bytes->offset[1]] =
        (char)0xFF; /* not UTF-8: the server refuses it, after the old table was dropped within the transaction */
    Table *bad = table_from(&bytes, 1);
    refuses_to_write(bad, postgres("#broken"), "invalid byte sequence");
    old = open_as(postgres("#broken"));
    assert_int_equal(column_integer(old->column[0], 0), 43);
    table_release(old);
    table_release(bad);
    table_release(table);
}

/* The server dies while rows come: the rows so far are no table. */
static void postgres_dies(void) {
    Work work = tables_work(1);
    Chunks chunks;
    Table *part = NULL;
    char text[2048];
    const char *name = postgres("&query=select g as a, repeat('x', 1000) as b from generate_series(1, 1000000) g");
    tables_ok(format_of(name, NULL)->chunks(&work, name, NULL, 1000, &chunks));
    tables_ok(chunks.next(chunks.self, &work, &part));
    assert_int_equal(part->rows, 1000);
    table_release(part);
    server_stop(&server);
    Status status = OK;
    for (int i = 0; i < 1001 && !status; i++) {
        part = NULL;
        status = chunks.next(chunks.self, &work, &part);
        table_release(part);
    }
    assert_int_equal(status, BAD);
    error_text(&tables_error, text, sizeof text);
    assert_non_null(strstr(text, "PostgreSQL says"));
    chunks.close(chunks.self);
    arena_free(work.arena);
    refuses(postgres("#people"), "PostgreSQL says");
}

static void on_postgres(void **state) {
    (void)state;
    if (!server_start(&server)) {
        print_message("no PostgreSQL here\n");
        skip();
    }
    round_trip(postgres("#people"));
    run_postgres("create schema \"Odd one\"");
    round_trip(postgres("#Odd one.a table"));
    in_chunks(postgres("#people"), 4, 3, 2);
    run_postgres("create table marked (n int); comment on table marked is 'people of the town'");
    marks_stay(postgres("#marked"), postgres("&query=select count(*) as c from marked"),
               postgres("&query=select \"n*/\" + 1 as c from marked where true"));
    run_postgres("create view derived as select \"a'\"\"b\" as m, 1 as \"n*/\" from marked");
    Table *seen = open_as(postgres("#derived"));
    assert_true(seen->altered[0] && seen->altered[1]);
    table_release(seen);
    postgres_types();
    postgres_errors();
    postgres_dies();
}

static int set_up(void **state) {
    if (make_folder(state)) return -1;
    snprintf(file, sizeof file, "%s/p.db", folder);
    return 0;
}
static int tear_down(void **state) {
    server_remove(&server);
    return drop_folder(state);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(sqlite_holds_a_table), cmocka_unit_test(sqlite_marks),
                                        cmocka_unit_test(sqlite_mixed_cells),   cmocka_unit_test(sqlite_names_the_record),
                                        cmocka_unit_test(sqlite_errors),        cmocka_unit_test(sqlite_write_fails_half_way),
                                        cmocka_unit_test(sqlite_in_chunks),     cmocka_unit_test(on_postgres) };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
