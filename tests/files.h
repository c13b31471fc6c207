/* A folder of a test's own, and tables read from and written to files: for tests of formats. */
#ifndef SCRIM_TESTS_FILES_H
#define SCRIM_TESTS_FILES_H
#include <stdlib.h>
#include <unistd.h>
#include "io/open.h"
#include "tables.h"

static char folder[] = "/tmp/scrim-test-XXXXXX";
__attribute__((unused)) static int make_folder(void **state) {
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}
__attribute__((unused)) static int drop_folder(void **state) {
    (void)state;
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}
/* The name of a file in it, behind a prefix ("duckdb:"); good for the next seven calls. */
__attribute__((unused)) static const char *in_folder(const char *before, const char *name) {
    static char text[8][256];
    static int next;
    char *out = text[next++ % 8];
    snprintf(out, sizeof *text, "%s%s/%s", before, folder, name);
    return out;
}
__attribute__((unused)) static const char *path(const char *name) { return in_folder("", name); }

/* Moments far from now, with and without parts of a second. */
__attribute__((unused)) static Column *moments_of(const char *name) {
    Column *column;
    tables_ok(column_new(DATETIME_TYPE, name, 4, &column, &tables_error));
    const int64_t micros[] = { 0, 946729815250000, -12219379200000000, -2208988800500000 };
    memcpy(column->moment, micros, sizeof micros);
    return column;
}

__attribute__((unused)) static Table *open_as(const char *name) {
    Work work = tables_work(2);
    Table *out = NULL;
    tables_ok(table_open(&work, name, NULL, &out));
    arena_free(work.arena);
    return out;
}
__attribute__((unused)) static void save_as(const Table *table, const char *name) {
    Work work = tables_work(2);
    tables_ok(table_save(&work, table, name, NULL));
    arena_free(work.arena);
}
/* It cannot be read, and this is said. */
__attribute__((unused)) static void refuses(const char *name, const char *message) {
    Work work = tables_work(1);
    Table *out = NULL;
    char text[2048];
    assert_int_equal(table_open(&work, name, NULL, &out), BAD);
    error_text(&tables_error, text, sizeof text);
    if (!strstr(text, message)) fail_msg("%s", text);
    assert_null(out);
    arena_free(work.arena);
}
#endif
