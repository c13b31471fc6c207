/* Parquet, JSON lines and queries through DuckDB, where its library is at hand (scripts/duckdb fetches it; SCRIM_DUCKDB names it). */
#include <unistd.h>
#include "files.h"
#include "io/format.h"

static Table *mixed(void) {
    Column *columns[] = { column_of("n:integer 3 -7 NA 900"), column_of("x:real 1.5 NA -2.25 1e300"),
                          column_of("a_\"word\":category a NA it's a"), column_of("born:date 1790-02-03 2024-02-29 NA 1899-12-31"),
                          moments_of("seen") };
    return table_from(columns, 5);
}
static void files_hold_a_table(void **state) {
    (void)state;
    const char *names[] = { path("a.parquet"), path("a.jsonl"), in_folder("duckdb:", "d.duckdb#t"), path("it's.parquet") };
    for (int i = 0; i < 4; i++) {
        Table *table = mixed(), *back;
        save_as(table, names[i]);
        save_as(table, names[i]);
        back = open_as(names[i]);
        for (int64_t j = 0; j < (i == 1 ? 4 : 5); j++) /* JSON has no times: some with and some without fractions DuckDB takes for text */
            if (!column_equal(table->column[j], back->column[j]))
                fail_msg("%s: %s differs (%s)", names[i], table->column[j]->name, type_name(back->column[j]->type));
        table_release(table);
        table_release(back);
    }
}

static void queries_and_globs(void **state) {
    (void)state;
    Table *table = mixed();
    save_as(table, path("g1.parquet"));
    save_as(table, path("g2.parquet"));
    Table *both = open_as(in_folder("duckdb:", "g*.parquet"));
    assert_int_equal(both->rows, 8);
    char query[512];
    snprintf(query, sizeof query,
             "duckdb:?query=select n, 1.50::decimal(5,2) as d, true as b, 'x'::varchar as v, [1, 2] as l, timestamp_ms '2020-01-01 "
             "00:00:00' as t from '%s/g*.parquet' where n > 0 order by n;",
             folder);
    Table *asked = open_as(query);
    static const char *const cells[] = { "3", "1.5", "1", "x", "[1, 2]", "2020-01-01T00:00:00" };
    char text[33];
    assert_true(asked->rows == 4 && asked->columns == 6);
    for (int j = 0; j < 6; j++) assert_string_equal(column_cell(asked->column[j], 0, text), cells[j]);
    table_release(table);
    table_release(both);
    table_release(asked);
}

/* Whole numbers of 128 bits (sums, JSON's with a sign) keep every digit where they fit; infinite times are missing. */
static void every_digit(void **state) {
    (void)state;
    Table *table = open_as("duckdb:?query=select sum(n) as fits, sum(n) * 4 as beyond, min(d) as d, max(d) as none, min(t) as never from "
                           "(values (9007199254740993, date '1850-01-01', '-infinity'::timestamp), (9214364837600034814, 'infinity', "
                           "'2020-01-01'), (null, null, null)) as v(n, d, t) -- with a comment");
    static const char *const cells[] = { "9223372036854775807", "36893488147419103000", "1850-01-01" };
    char text[33];
    for (int j = 0; j < 3; j++) assert_string_equal(column_cell(table->column[j], 0, text), cells[j]);
    assert_true(column_missing(table->column[3], 0) && column_missing(table->column[4], 0));
    table_release(table);
}

/* What stands behind a query in a name is not run. */
static void one_statement(void **state) {
    (void)state;
    char name[512];
    snprintf(name, sizeof name, "duckdb:?query=select 1 as a; copy (select 1) to '%s/more.csv'", folder);
    refuses(name, "DuckDB says");
    snprintf(name, sizeof name, "duckdb:?query=select 1 as a); copy (select 1) to '%s/more.csv'; select * from (select 2 as a", folder);
    refuses(name, "DuckDB says");
    assert_true(access(path("more.csv"), F_OK) != 0);
}

/* Rows in the order of the file, parts of about the size asked for. */
static void in_chunks(void **state) {
    (void)state;
    Work work = tables_work(2);
    Chunks chunks;
    int64_t rows = 0, parts = 0;
    const char *name = "duckdb:?query=select range as n from range(300000)";
    tables_ok(format_of(name, NULL)->chunks(&work, name, NULL, 50000, &chunks));
    for (Table *part = NULL;; parts++) {
        tables_ok(chunks.next(chunks.self, &work, &part));
        if (!part) break;
        for (int64_t i = 0; i < part->rows; i++) assert_int_equal(column_integer(part->column[0], i), rows + i);
        rows += part->rows;
        table_release(part);
    }
    chunks.close(chunks.self);
    assert_true(rows == 300000 && parts >= 5 && parts <= 6);
    arena_free(work.arena);
}

static void errors(void **state) {
    (void)state;
    refuses(path("none.parquet"), "none.parquet");
    refuses(in_folder("duckdb:", "none.duckdb#t"), "no such file");
    refuses(in_folder("duckdb:", "d.duckdb#none"), "none does not exist");
    refuses("duckdb:?query=selec 1", "syntax error");
    refuses("duckdb:?query=select concat('no number ', range)::int as a from range(3)",
            "Could not convert string …"); /* no value is told */
    refuses("duckdb:?query=select case when range > 200000 then error('half-way') end as a from range(300000)", "half-way");
    FILE *file = fopen(path("twice.jsonl"), "w");
    fputs("{\"a\":1,\"a\":2}\n", file);
    fclose(file);
    refuses(path("twice.jsonl"), "JSON transform error in file …");
    file = fopen(path("cut.parquet"), "w");
    fputs("PAR1 and no more", file);
    fclose(file);
    refuses(path("cut.parquet"), "cut.parquet");
    Table *table = mixed();
    Work work = tables_work(1);
    assert_int_equal(table_save(&work, table, "/nowhere/at/a.parquet", NULL), BAD);
    arena_free(work.arena);
    table_release(table);
}

int main(void) {
    const char *scrim = getenv("SCRIM");
    char beside[512];
    snprintf(beside, sizeof beside, "%.*s/duckdb/libduckdb.so", scrim && strrchr(scrim, '/') ? (int)(strrchr(scrim, '/') - scrim) : 0,
             scrim ? scrim : "");
    if (!getenv("SCRIM_DUCKDB") && !access(beside, F_OK)) setenv("SCRIM_DUCKDB", beside, 1);
    Work work = tables_work(1);
    Table *probe = NULL;
    bool absent = table_open(&work, "duckdb:?query=select 1 as a", NULL, &probe) != OK;
    char text[2048];
    error_text(&tables_error, text, sizeof text);
    arena_free(work.arena);
    table_release(probe);
    if (absent) {
        print_message("%s\n", text);
        return strstr(text, "SCRIM_DUCKDB") ? 77 : 1;
    }
    const struct CMUnitTest tests[] = { cmocka_unit_test(files_hold_a_table), cmocka_unit_test(queries_and_globs),
                                        cmocka_unit_test(every_digit),        cmocka_unit_test(one_statement),
                                        cmocka_unit_test(in_chunks),          cmocka_unit_test(errors) };
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
