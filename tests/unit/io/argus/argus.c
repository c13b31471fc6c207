/* τ-Argus' tables: columns by what the .rda says of them, codes by .hrc files and by digits, and files that do not fit together. */
#include <unistd.h>
#include "base/file.h"
#include "io/open.h"
#include "table/cell_structure.h"
#include "tables.h"

static char folder[] = "/tmp/scrim-argus-XXXXXX";

static void put(Work *work, const char *name, const char *text) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(file_write(path, text, strlen(text), false, work->error), OK);
}

static Status read_table(Work *work, const char *rda, const char *tab, Table **out) {
    char path[128];
    put(work, "t.rda", rda);
    put(work, "t.tab", tab);
    snprintf(path, sizeof path, "%s/t.rda", folder);
    return table_open(work, path, NULL, out);
}

static const char rda[] =
    "<SEPARATOR> \",\"\n<UNSAFE> X\ngeo\n  <RECODEABLE>\n  <TOTCODE> \"All of it\"\n  <HIERARCHICAL>\n"
    "  <HIERCODELIST> \"C:\\old\\geo.hrc\"\n  <HIERLEADSTRING> \"@\"\nsize\n\t<RECODEABLE>\r\n\t<TOTCODE> T\n"
    "to\n  <NUMERIC>\n  <DECIMALS> 1\nn\n  <FREQUENCY>\nm\n  <MAXSCORE>\nm2\n  <MAXSCORE>\npl\n  <NUMERIC> <LOWERPL>\n"
    "st\n  <STATUS>\n";
static const char hrc[] = "N\n@N1\n@N2\r\nS\n";

static void reads(void **state) {
    (void)state;
    Work work = tables_work(1);
    Table *table = NULL;
    Structure s;
    Relations r;
    char number[33];
    put(&work, "geo.hrc", hrc);
    tables_ok(read_table(
        &work, rda, "\"All of it\",T,100.5,20,30,9,0,S\n N ,T,70,12,30,8,0,S\nN1,T,30,6,20,5,0,x\nN2,T,40,6,30,4,2,S\nS,T,30.5,8,5,1,,P\n",
        &table));
    assert_int_equal(table->rows, 5);
    assert_string_equal(column_cell(table_column(table, "geo"), 0, number), "Total");
    assert_string_equal(column_cell(table_column(table, "status"), 2, number), "primary");
    assert_true(table_column(table, "value")->real[4] == 30.5 && table_column(table, "count")->real[1] == 12);
    assert_true(table_column(table, "max2")->real[1] == 8 && table_column(table, "protection_lower")->real[3] == 2);
    assert_true(column_missing(table_column(table, "upper"), 0) && table_column(table, "upper")->real[4] == 0);
    tables_ok(structure_read(&work, table, NULL, &s));
    assert_true(s.dims == 2 && s.dim[0].sums == 2 && !s.whole);
    tables_ok(structure_relations(&work, &s, table, &r));
    assert_int_equal(r.count, 2); /* Total = N + S, N = N1 + N2 */
    table_release(table);
    arena_free(work.arena);
}

/* 1.1 lies under 1: two digits and two more. */
static void digits(void **state) {
    (void)state;
    Work work = tables_work(1);
    Table *table = NULL;
    Structure s;
    tables_ok(read_table(&work, "<SEPARATOR> ;\nnace\n<RECODEABLE>\n<HIERARCHICAL>\n<HIERLEVELS> 2 2 0\nn\n<FREQUENCY>\n",
                         "Total;9\n01;5\n0101;2\n0102;3\n0201;4\n", &table));
    tables_ok(structure_read(&work, table, NULL, &s));
    assert_true(s.whole && s.dim[0].codes == 6 && s.dim[0].sums == 3); /* 02 is a code, though no cell has it */
    table_release(table);
    arena_free(work.arena);
}

/* As τ-Argus' own sample has it: decimal commas, codes for missing values, empty cells, codes with blanks before them. */
static void sample(void **state) {
    (void)state;
    Work work = tables_work(1);
    Table *table = NULL;
    Structure s;
    Relations r;
    put(&work, "geo.hrc", "Nr\n@ 1\n@10\nOs \n");
    tables_ok(
        read_table(&work,
                   "<SEPARATOR> \";\"\nSize \"99\"\n<RECODEABLE>\n<TOTCODE> \"Total\"\nRegion \"99\"\n<RECODEABLE>\n<DISTANCE> 2 4\n"
                   "<CODELIST> \"R.CDL\"\n<HIERARCHICAL>\n<HIERCODELIST> \"geo.hrc\"\n<HIERLEADSTRING> \"@\"\nv\n<NUMERIC>\n<DECIMALS> 2\n"
                   "w\n<NUMERIC> <SHADOW>\ns\n<STATUS>\n",
                   "\"Total\";\"Total\";16,84;1,5;S\n\" 2\";\"Total\";16,84;1,5;S\n\"Total\";\"Nr\";10,25;1,5;U\n"
                   "\"Total\";\" 1\";10,25;1,5;U\n\"Total\";\"10\";0,00;0,00;E\n\"Total\";\"Os\";5,59;0;P\n\"Total\";\"99\";1,00;0;e\n",
                   &table));
    assert_true(table_column(table, "value")->real[2] == 10.25);
    char number[33];
    assert_string_equal(column_cell(table_column(table, "status"), 4, number), "open");
    tables_ok(structure_read(&work, table, NULL, &s));
    assert_true(s.dim[1].sums == 2 && s.dim[1].sum[0].count == 3); /* Nr, Os and 99 */
    tables_ok(structure_relations(&work, &s, table, &r));
    assert_int_equal(r.count, 3);
    table_release(table);
    arena_free(work.arena);
}

static void check_cells(const Table *table, const char *name, const char *const *cells) {
    const Column *column = table_column(table, name);
    char number[33];
    if (!column) fail_msg("no column %s", name);
    for (int64_t i = 0; i < table->rows; i++) {
        const char *cell = column_cell(column, i, number);
        if (!cells[i]) assert_null(cell);
        else assert_string_equal(cell, cells[i]);
    }
}

/* Records of fixed width, and with a separator: levels above a code in columns of their own. */
static void microdata(void **state) {
    (void)state;
    static const char *const files[][2] = {
        { "nace 1 4 9999\n<RECODEABLE>\n<HIERARCHICAL>\n<HIERLEVELS> 2 1 1 0\ngeo 6 2 \"99\"\n<RECODEABLE>\n<HIERCODELIST> geo.hrc\n"
          "<HIERLEADSTRING> @\nw 8 4\n<WEIGHT>\nv 13 6 9999\n<NUMERIC>\n<DECIMALS> 1\nask 20 1\n<REQUEST> \"1\" \"2\"\n",
          "1511 N1 1.5   12,5 1\r\n9999 99 2.0   9999\r\n1512  S   3\r\n" },
        { "<SEPARATOR> ;\nnace 4 9999\n<RECODEABLE>\n<HIERLEVELS> 2 1 1 0\ngeo 2 99\n<RECODEABLE>\n<HIERCODELIST> geo.hrc\n"
          "w 4\n<WEIGHT>\nv 6 9999\n<NUMERIC>\nask 1\n<REQUEST> \"1\" \"2\"\n",
          "1511;N1;1.5;12,5;1\n9999;99;2.0;9999;\n1512;S;3;;\n" },
    };
    Work work = tables_work(1);
    char path[128];
    for (int k = 0; k < 2; k++) {
        Table *table = NULL;
        put(&work, "geo.hrc", hrc);
        put(&work, "m.rda", files[k][0]);
        put(&work, "m.asc", files[k][1]);
        snprintf(path, sizeof path, "%s/m.rda", folder);
        tables_ok(table_open(&work, path, NULL, &table));
        assert_true(table->rows == 3 && table->columns == 8);
        check_cells(table, "nace_1", (const char *[]){ "15", NULL, "15" });
        check_cells(table, "nace_2", (const char *[]){ "151", NULL, "151" });
        check_cells(table, "nace", (const char *[]){ "1511", NULL, "1512" });
        check_cells(table, "geo_1", (const char *[]){ "N", NULL, "S" });
        check_cells(table, "geo", (const char *[]){ "N1", NULL, "S" });
        check_cells(table, "ask", (const char *[]){ "1", NULL, NULL });
        assert_true(table_column(table, "v")->real[0] == 12.5 && column_missing(table_column(table, "v"), 1));
        assert_true(table_column(table, "w")->real[2] == 3);
        table_release(table);
    }
    put(&work, "m.asc", "1511;Z;1.5;12,5;1\n");
    Table *table = NULL;
    assert_int_equal(table_open(&work, path, NULL, &table), BAD);
    assert_non_null(strstr(work.error->message, "not in its .hrc"));
    *work.error = ERROR_NONE;
    put(&work, "m.rda", "nace 1\n");
    assert_int_equal(table_open(&work, path, NULL, &table), BAD);
    assert_non_null(strstr(work.error->message, "a position and a width"));
    *work.error = ERROR_NONE;
    put(&work, "n.rda", "nace 1 2\n");
    snprintf(path, sizeof path, "%s/n.rda", folder);
    assert_int_equal(table_open(&work, path, NULL, &table), BAD);
    assert_non_null(strstr(work.error->message, "no data beside"));
    arena_free(work.arena);
}

static void bad(void **state) {
    (void)state;
    static const char tab[] = "Total,T,100,20,30,9,0,S\n";
    static const struct {
        const char *rda, *tab, *hrc, *says;
    } wrong[] = {
        { "geo 1 2\n", tab, hrc, "fixed width" },
        { "<SEPARATOR> ,\n<RECODEABLE>\n", tab, hrc, "before what is said" },
        { "<SEPARATOR> ,\ngeo\n<WONDERFUL>\n", tab, hrc, "not known" },
        { "<SEPARATOR> ,\ngeo\n<RECODEABLE>\n", "a\n", hrc, "needs a <RECODEABLE>" },
        { "<SEPARATOR> ,\ngeo\n<RECODEABLE>\nn\n<FREQUENCY>\n", "a,1,2\n", hrc, "as many columns" },
        { "<SEPARATOR> ,\ngeo\n<RECODEABLE>\nn\n<FREQUENCY>\n", "a,b\n", hrc, "a number is expected" },
        { "<SEPARATOR> ,\ngeo\n<RECODEABLE>\n<TOTCODE> all\nn\n<FREQUENCY>\n", "Total,1\n", hrc, "the <TOTCODE> another" },
        { "<SEPARATOR> ,\nvalue\n<RECODEABLE>\nn\n<FREQUENCY>\n", "a,1\n", hrc, "name of a column" },
        { "<SEPARATOR> ,\ngeo\n<RECODEABLE>\nn\n<FREQUENCY>\nm\n<FREQUENCY>\n", "a,1,2\n", hrc, "two columns of one kind" },
        { "<SEPARATOR> ,\ngeo\n<RECODEABLE>\n<HIERLEVELS> 2 2\nn\n<FREQUENCY>\n", "012,1\n", hrc, "as long as" },
        { "<SEPARATOR> ,\ngeo\n<RECODEABLE>\n<HIERCODELIST> ../../etc/passwd\nn\n<FREQUENCY>\n", "a,1\n", hrc, ".hrc file" },
        { "<SEPARATOR> ,\ngeo\n<RECODEABLE>\n<HIERCODELIST> geo.hrc\nn\n<FREQUENCY>\n", "Z,1\n", hrc, "not in its .hrc" },
        { "<SEPARATOR> ,\ngeo\n<RECODEABLE>\n<HIERCODELIST> geo.hrc\nn\n<FREQUENCY>\n", "N,1\n", "N\n@@N1\n", "more than one level" },
        { "<SEPARATOR> ,\ngeo\n<RECODEABLE>\n<HIERCODELIST> geo.hrc\nn\n<FREQUENCY>\n", "N,1\n", "N\n@A\nA\n", "twice" },
        { "<SEPARATOR> ,\ngeo\n<RECODEABLE>\nn\n<FREQUENCY>\ns\n<STATUS>\n", "N,1,Q\n", hrc, "a status is none" },
        { "\n", tab, hrc, "no variable" },
    };
    Work work = tables_work(1);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        Table *table = NULL;
        put(&work, "geo.hrc", wrong[i].hrc);
        assert_int_equal(read_table(&work, wrong[i].rda, wrong[i].tab, &table), BAD);
        if (!strstr(work.error->message, wrong[i].says)) fail_msg("file %zu: %s", i, work.error->message);
        *work.error = ERROR_NONE;
    }
    arena_free(work.arena);
}

int main(void) {
    if (!mkdtemp(folder)) return 1;
    const struct CMUnitTest tests[] = { cmocka_unit_test(reads), cmocka_unit_test(digits), cmocka_unit_test(sample),
                                        cmocka_unit_test(microdata), cmocka_unit_test(bad) };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    char path[128];
    static const char *const names[] = { "t.rda", "t.tab", "geo.hrc", "m.rda", "m.asc", "n.rda" };
    for (int i = 0; i < 6; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    rmdir(folder);
    return failed;
}
