/* PC-Axis and JSON-stat files of tables of cells: values that are open, one mark for the others. */
#include <unistd.h>
#include "base/file.h"
#include "io/open.h"
#include "table/cell_structure.h"
#include "tables.h"

static char folder[] = "/tmp/scrim-cube-XXXXXX";

static const char *written(Work *work, const Table *table, const char *name) {
    static char path[128];
    const char *text;
    size_t count;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    tables_ok(table_save(work, table, path, NULL));
    tables_ok(bytes_read(work->arena, path, &text, &count, work->error));
    unlink(path);
    return text;
}

/* b,v is in no row; a,u and a,v are hidden, though their values are there. */
static Table *cells(void) {
    return table_of("r:category Total Total Total a a a b b", "c:category Total u v Total u v Total u",
                    "value:real 10.5 6.5 4 5.5 1.5 4 5 5", "status:category open open open open primary secondary open open", NULL);
}

static void px(void **state) {
    (void)state;
    Work work = tables_work(1);
    Table *table = cells();
    const char *text = written(&work, table, "t.px");
    assert_non_null(strstr(text, "DECIMALS=1;"));
    assert_non_null(strstr(text, "STUB=\"r\";\nHEADING=\"c\";\nVALUES(\"r\")=\"Total\",\n\"a\",\n\"b\";\n"));
    assert_non_null(strstr(text, "DATA=\n10.5 6.5 4\n5.5 \"..\" \"..\"\n5 5 \".\"\n;\n"));
    table_release(table);
    arena_free(work.arena);
}

static void jsonstat(void **state) {
    (void)state;
    Work work = tables_work(1);
    Table *table = cells();
    const char *text = written(&work, table, "t.jsonstat");
    assert_non_null(strstr(text, "\"id\":[\"r\",\"c\"],\"size\":[3,3]"));
    assert_non_null(strstr(text, "\"index\":[\"Total\",\"a\",\"b\"],\"child\":{\"Total\":[\"a\",\"b\"]}"));
    assert_non_null(strstr(text, "\"value\":[10.5,6.5,4,5.5,null,null,5,5,null]"));
    assert_non_null(strstr(text, "\"status\":{\"4\":\"c\",\"5\":\"c\"}"));
    table_release(table);
    arena_free(work.arena);
}

static void bad(void **state) {
    (void)state;
    Work work = tables_work(1);
    char path[128];
    Table *read = NULL, *twice = table_of("r:category a a", "count:integer 1 2", NULL), *other = table_of("r:category a b", NULL);
    snprintf(path, sizeof path, "%s/t.px", folder);
    assert_int_equal(table_save(&work, twice, path, NULL), BAD);
    *work.error = ERROR_NONE;
    assert_int_equal(table_save(&work, other, path, NULL), BAD);
    assert_non_null(strstr(work.error->message, "needs a table of cells"));
    *work.error = ERROR_NONE;
    tables_ok(file_write(path, "x", 1, false, work.error));
    assert_int_equal(table_open(&work, path, NULL, &read), BAD); /* written only */
    assert_non_null(strstr(work.error->message, "only written"));
    unlink(path);
    table_release(twice);
    table_release(other);
    arena_free(work.arena);
}

int main(void) {
    if (!mkdtemp(folder)) return 1;
    const struct CMUnitTest tests[] = { cmocka_unit_test(px), cmocka_unit_test(jsonstat), cmocka_unit_test(bad) };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rmdir(folder);
    return failed;
}
