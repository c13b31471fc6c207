/* Excel workbooks: what is written is read, codes stay text, dates are dates; sheets that are no table are refused. The workbooks are made
 * here, part by part. */
#include <math.h>
#include <unistd.h>
#include "base/file.h"
#include "files.h"
#include "io/excel/xlsx.h"
#include "stored_zip.h"
#include "table/display_layout.h"

static Buffer book_of(const char *rows, const char *after) {
    static char sheet[8192];
    snprintf(sheet, sizeof sheet, "<worksheet xmlns=\"m\"><sheetData>%s</sheetData>%s</worksheet>", rows, after);
    const char *const parts[][2] = {
        { "xl/workbook.xml", "<workbook xmlns:r=\"r\"><sheets><sheet name=\"One\" sheetId=\"1\" r:id=\"rId1\"/></sheets></workbook>" },
        { "xl/_rels/workbook.xml.rels", "<Relationships><Relationship Id=\"rId1\" Target=\"worksheets/sheet1.xml\"/></Relationships>" },
        { "xl/sharedStrings.xml", "<sst><si><t>name</t></si><si><r><t>ri</t></r><r><t>ch</t></r><rPh><t>no</t></rPh></si></sst>" },
        { "xl/styles.xml", "<styleSheet><numFmts><numFmt numFmtId=\"164\" formatCode=\"000\"/><numFmt numFmtId=\"165\" "
                           "formatCode=\"[$-409]d\\-mmm\\-yy;@\"/><numFmt numFmtId=\"166\" formatCode=\"0.00&quot; days&quot;\"/><numFmt "
                           "numFmtId=\"167\" formatCode=\"[mm]:ss\"/></numFmts>"
                           "<cellStyleXfs><xf numFmtId=\"14\"/></cellStyleXfs><cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"164\"/><xf "
                           "numFmtId=\"165\"/><xf numFmtId=\"22\"/><xf numFmtId=\"166\"/><xf numFmtId=\"46\"/><xf "
                           "numFmtId=\"167\"/></cellXfs></styleSheet>" },
        { "xl/worksheets/sheet1.xml", sheet }
    };
    ZipPart all[5];
    for (int i = 0; i < 5; i++) all[i] = (ZipPart){ parts[i][0], parts[i][1], strlen(parts[i][1]) };
    return zip_of(all, 5);
}

static Status read_rows(Work *work, const char *rows, const char *after, Table **out) {
    Buffer book = book_of(rows, after);
    Status status = xlsx_read_bytes(work, "book.xlsx", book.bytes, book.count, NULL, out);
    buffer_free(&book);
    return status;
}

static void cells_are_what_excel_shows(void **state) {
    (void)state;
    Work work = tables_work(1);
    Table *table = NULL;
    tables_ok(read_rows(
        &work,
        "<row r=\"1\"><c r=\"A1\" t=\"inlineStr\"><is><t>A title</t></is></c></row>"
        "<row r=\"3\"><c r=\"A3\" t=\"s\"><v>0</v></c><c r=\"B3\" t=\"str\"><v>code</v></c><c r=\"C3\" t=\"str\"><v>day</v></c><c r=\"D3\" "
        "t=\"str\"><v>at</v></c><c r=\"E3\" t=\"str\"><v>x</v></c><c r=\"F3\" t=\"str\"><v>ok</v></c></row>"
        "<row r=\"4\"><c r=\"A4\" t=\"s\"><v>1</v></c><c r=\"B4\" s=\"1\"><v>7</v></c><c r=\"C4\" s=\"2\"><v>59</v></c><c r=\"D4\" "
        "s=\"3\"><v>43831.5</v></c><c r=\"E4\" s=\"4\"><v>1.5</v></c><c r=\"F4\" t=\"b\"><v>1</v></c></row>"
        "<row r=\"5\"><c r=\"B5\" s=\"1\"><v>1234</v></c><c r=\"C5\" s=\"2\"><v>61</v></c><c r=\"D5\" "
        "t=\"d\"><v>2020-01-02T03:04:05</v></c><c r=\"E5\" t=\"e\"><v>#DIV/0!</v></c></row>",
        "", &table));
    static const char *const cells[2][6] = { { "rich", "007", "1900-02-28", "2020-01-01T12:00:00", "1.5", "TRUE" },
                                             { NULL, "1234", "1900-03-01", "2020-01-02T03:04:05", NULL, NULL } };
    char text[33];
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 6; j++) {
            const char *cell = column_cell(table->column[j], i, text);
            if (!cell != !cells[i][j] || (cell && strcmp(cell, cells[i][j])))
                fail_msg("row %d, column %d: %s", i, j, cell ? cell : "missing");
        }
    assert_true(table->column[2]->type == DATE_TYPE && table->column[3]->type == DATETIME_TYPE);
    table_release(table);
    arena_free(work.arena);
}

static void sheets_that_are_no_table(void **state) {
    (void)state;
#define HEAD "<row r=\"1\"><c r=\"A1\" t=\"str\"><v>a</v></c><c r=\"B1\" t=\"str\"><v>b</v></c></row>"
    static const struct {
        const char *rows, *after, *message;
    } bad[] = {
        { "", "", "the sheet is empty" },
        { "<row r=\"1\"><c r=\"A1\"><v>1</v></c><c r=\"B1\"><v>2</v></c></row>", "", "row 1 would be it, but A1 is no text" },
        { "<row r=\"1\"><c r=\"A1\" t=\"str\"><v>a</v></c><c r=\"B1\" t=\"str\"><v>a</v></c></row>", "",
          "row 1 has the same name in A1 and B1" },
        { "<row r=\"1\"><c r=\"B1\" t=\"str\"><v>a</v></c></row><row r=\"2\"><c r=\"A2\"><v>1</v></c><c r=\"B2\"><v>1</v></c></row>", "",
          "row 1 has no name for column A" },
        { HEAD "<row r=\"2\"><c r=\"A2\"><v>1</v></c><c r=\"B2\"><f>A2+1</f><v></v></c></row>", "",
          "cell B2 holds a formula without its result" },
        { HEAD "<row r=\"2\"><c r=\"A2\"><v>1</v></c></row>", "<mergeCells><mergeCell ref=\"A1:B1\"/></mergeCells>",
          "A1:B1 are merged, and a header" },
        { HEAD "<row r=\"2\"><c r=\"A2\"><v>1</v></c></row>", "<mergeCells><mergeCell ref=\"A2:A3\"/></mergeCells>", "A2:A3 are merged" },
        { HEAD "<row r=\"2\"><c r=\"A2\"><v>1</v></c></row><row r=\"5\"><c r=\"A5\"><v>1</v></c></row>", "", "row 3 is empty" },
        { HEAD "<row r=\"2\"><c r=\"A2\" t=\"s\"><v>99</v></c></row>", "", "refers to a text that is not there" },
        { HEAD "<row r=\"2\"><c r=\"ZZZZ2\"><v>1</v></c></row>", "", "more columns than Excel knows" },
        { "<row r=\"1\"><c r=\"A1\"", "", "not XML" }
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        Work work = tables_work(1);
        Table *table = NULL;
        assert_int_equal(read_rows(&work, bad[i].rows, bad[i].after, &table), BAD);
        if (!strstr(work.error->message, bad[i].message)) fail_msg("%s", work.error->message);
        assert_string_equal(work.error->file, "book.xlsx");
        arena_free(work.arena);
    }
    /* a value beside the table, below the rows that the header was looked for in */
    Buffer rows = { 0 };
    buffer_text(&rows, HEAD);
    for (int i = 2; i < 80; i++) buffer_print(&rows, "<row r=\"%d\"><c r=\"%s%d\"><v>1</v></c></row>", i, i == 79 ? "D" : "A", i);
    Work work = tables_work(1);
    Table *table = NULL;
    assert_int_equal(read_rows(&work, buffer_get(&rows), "", &table), BAD);
    assert_non_null(strstr(work.error->message, "cell D79 has a value"));
    arena_free(work.arena);
    buffer_free(&rows);
}

static Column *recent_moments(void) {
    Column *column;
    tables_ok(column_new(DATETIME_TYPE, "seen", 4, &column, &tables_error));
    const int64_t micros[] = { 0, 946729815250000, 1700000000000000, 951782400000000 };
    memcpy(column->moment, micros, sizeof micros);
    return column;
}

static void a_table_comes_back(void **state) {
    (void)state;
    Column *columns[] = { column_of("n:integer 3 -7 NA 123456789012345"), column_of("x:real 1.5 NA -2.25 1e300"),
                          column_of("code:category 007 NA 1e5 <&\">"), column_of("born:date 1900-03-01 2024-02-29 NA 1999-12-31"),
                          recent_moments() };
    Table *table = table_from(columns, 5), *back = NULL, *out = NULL;
    Work work = tables_work(1);
    tables_ok(table_save(&work, table, path("a.xlsx"), NULL));
    tables_ok(table_open(&work, path("a.xlsx"), NULL, &back));
    assert_true(table_equal(table, back));
    CsvOptions sheet = { .sheet = "absent" };
    assert_int_equal(table_open(&work, path("a.xlsx"), &sheet, &out), BAD);
    assert_non_null(strstr(work.error->message, "has no sheet 'absent'"));
    Table *old = table_of("born:date 1790-01-01 1899-12-31", NULL), *again = NULL; /* before Excel's time: text */
    tables_ok(table_save(&work, old, path("b.xlsx"), NULL));
    tables_ok(table_open(&work, path("b.xlsx"), NULL, &again));
    assert_string_equal(again->column[0]->words->word[0], "1790-01-01");
    table->column[1]->real[0] = INFINITY;
    assert_int_equal(table_save(&work, table, path("c.xlsx"), NULL), BAD);
    assert_int_equal(access(path("c.xlsx"), F_OK), -1);
    arena_free(work.arena);
    table_release(table);
    table_release(back);
    table_release(old);
    table_release(again);
}

/* Control characters are escaped in a workbook (_x000D_), and so is text that looks so. */
static void escapes(void **state) {
    (void)state;
    Work work = tables_work(1);
    Table *table = NULL, *back = NULL, *shown = NULL;
    FILE *file = fopen(path("e.csv"), "w");
    fputs("_x0041_\na\001b\n_x0041_\n_x0041_x0042_\n_x005F_\n_x004\n_xD800_\n\"c\rd\"\n", file);
    fclose(file);
    tables_ok(table_open(&work, path("e.csv"), NULL, &table));
    tables_ok(table_save(&work, table, path("e.xlsx"), NULL));
    tables_ok(table_open(&work, path("e.xlsx"), NULL, &back));
    assert_string_equal(back->column[0]->name, "_x0041_");
    char text[2][33];
    for (int64_t i = 0; i < 7; i++)
        assert_string_equal(column_cell(back->column[0], i, text[0]), column_cell(table->column[0], i, text[1]));
    tables_ok(read_rows(&work,
                        "<row r=\"1\"><c r=\"A1\" t=\"str\"><v>a</v></c></row><row r=\"2\"><c r=\"A2\" "
                        "t=\"str\"><v>_x00e9__x20AC__x0041</v></c></row>",
                        "", &shown));
    assert_string_equal(column_cell(shown->column[0], 0, text[0]), "é€_x0041");
    table_release(table);
    table_release(back);
    table_release(shown);
    arena_free(work.arena);
}

/* Records without any value come back, also the first and the last; in a table of one column, too. */
static void empty_records_come_back(void **state) {
    (void)state;
    Table *wide = table_of("n:integer NA 1 NA 2 NA", "c:category NA a NA NA NA", NULL), *narrow = table_of("n:integer NA 1 NA NA", NULL);
    Work work = tables_work(1);
    for (int i = 0; i < 2; i++) {
        Table *back = NULL;
        tables_ok(table_save(&work, i ? narrow : wide, path("e.xlsx"), NULL));
        tables_ok(table_open(&work, path("e.xlsx"), NULL, &back));
        assert_true(table_equal(i ? narrow : wide, back));
        table_release(back);
    }
    arena_free(work.arena);
    table_release(wide);
    table_release(narrow);
}

/* What is hidden is read only where it is asked for, or where nothing else is there. */
static void the_first_sheet_that_is_shown(void **state) {
    (void)state;
    static const char *const books[] = {
        "<workbook><sheets><sheet name=\"h\" state=\"hidden\" id=\"1\"/><sheet name=\"s\" id=\"2\"/></sheets></workbook>",
        "<workbook><sheets><sheet name=\"h\" state=\"veryHidden\" id=\"1\"/></sheets></workbook>"
    };
    static const char rels[] = "<r><Relationship Id=\"1\" Target=\"a.xml\"/><Relationship Id=\"2\" Target=\"b.xml\"/></r>",
                      hidden[] = "<worksheet><row><c t=\"str\"><v>secret</v></c></row></worksheet>",
                      shown[] = "<worksheet><row><c t=\"str\"><v>open</v></c></row></worksheet>";
    static const struct {
        int book;
        const char *sheet, *name;
    } all[] = { { 0, NULL, "open" }, { 0, "h", "secret" }, { 1, NULL, "secret" } };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        Work work = tables_work(1);
        Table *table = NULL;
        const char *book = books[all[i].book];
        Buffer zip = zip_of((ZipPart[]){ { "xl/workbook.xml", book, strlen(book) },
                                         { "xl/_rels/workbook.xml.rels", rels, strlen(rels) },
                                         { "xl/a.xml", hidden, strlen(hidden) },
                                         { "xl/b.xml", shown, strlen(shown) } },
                            4);
        tables_ok(xlsx_read_bytes(&work, "book.xlsx", zip.bytes, zip.count, all[i].sheet, &table));
        assert_string_equal(table->column[0]->name, all[i].name);
        table_release(table);
        buffer_free(&zip);
        arena_free(work.arena);
    }
}

/* Bytes flipped and archives cut: an error with a message, or a table. */
static void broken_bytes(void **state) {
    (void)state;
    uint64_t seed = 3;
    Buffer book = book_of(HEAD "<row r=\"2\"><c r=\"A2\"><v>1</v></c><c r=\"B2\" t=\"s\"><v>1</v></c></row>", "");
    for (int round = 0; round < 3000; round++) {
        Work work = tables_work(1);
        Table *out = NULL;
        size_t count = book.count;
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        if (round % 3 == 0) count = (seed >> 33) % book.count;
        char *copy = malloc(count + 1);
        memcpy(copy, book.bytes, count);
        for (int k = 0; round % 3 && k <= round % 4; k++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            copy[(seed >> 33) % count] = (char)(seed >> 20);
        }
        if (xlsx_read_bytes(&work, "broken", copy, count, NULL, &out)) assert_true(work.error->message[0] && !out);
        table_release(out);
        arena_free(work.arena);
        free(copy);
    }
    buffer_free(&book);
}

/* [h] counts hours beyond a day, and is no moment of 1900. */
static void spans_of_time(void **state) {
    (void)state;
    Work work = tables_work(1);
    Table *table = NULL;
    char text[33];
    tables_ok(read_rows(&work,
                        "<row r=\"1\"><c r=\"A1\" t=\"str\"><v>a</v></c><c r=\"B1\" t=\"str\"><v>b</v></c></row>"
                        "<row r=\"2\"><c r=\"A2\" s=\"5\"><v>1.25</v></c><c r=\"B2\" s=\"6\"><v>0.00001157407407407407</v></c></row>"
                        "<row r=\"3\"><c r=\"A3\" s=\"5\"><v>0.25</v></c><c r=\"B3\" s=\"6\"><v>100</v></c></row>",
                        "", &table));
    assert_string_equal(column_cell(table->column[0], 0, text), "30:00:00");
    assert_string_equal(column_cell(table->column[0], 1, text), "06:00:00");
    assert_string_equal(column_cell(table->column[1], 0, text), "00:00:01");
    assert_string_equal(column_cell(table->column[1], 1, text), "2400:00:00");
    table_release(table);
    arena_free(work.arena);
}

static bool gather(void *self, const char *bytes, size_t count) {
    buffer_add(self, bytes, count);
    return true;
}

/* The sheet of a workbook as it lies in the file; freed by the caller. */
static char *sheet_text(const char *name) {
    Bytes bytes;
    Zip zip;
    ZipFile file;
    Buffer text = { 0 };
    Error error = ERROR_NONE;
    assert_int_equal(bytes_open(name, &bytes, &error), OK);
    assert_true(zip_open(&zip, bytes.at, bytes.count) && zip_find(&zip, "xl/worksheets/sheet1.xml", &file) &&
                zip_read(&file, gather, &text));
    bytes_close(&bytes);
    buffer_get(&text);
    return text.bytes;
}

/* A table that is laid out: numbers are numbers, heads are set in, marks stand out by their kind, the note is below a free row. */
static void laid_out(void **state) {
    (void)state;
    Work work = tables_work(1);
    Table *table = table_of("r:text Total a b", "u:text 1234 P 7", "v:text S 2.5 NA", NULL);
    uint8_t depth[] = { 0, 1, 40 };
    const DisplayLayout layout = { .sides = 1, .depth = depth, .mark = "P", .note = "P: a < b." };
    tables_ok(display_layout_give(&layout, table, work.error));
    tables_ok(table_save(&work, table, path("l.xlsx"), NULL));
    char *text = sheet_text(path("l.xlsx"));
    static const char *const parts[] = { "xSplit=\"1\" ySplit=\"1\"",
                                         "<c r=\"B2\" s=\"3\"><v>1234</v></c>",
                                         "<v>2.5</v></c>",
                                         "<c r=\"B4\" s=\"3\"><v>7</v></c>",
                                         "<t>P: a &lt; b.</t>",
                                         "r=\"A6\"" };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!strstr(text, parts[i])) fail_msg("%s is not in %s", parts[i], text);
    assert_non_null(strstr(text, "t=\"inlineStr\"><is><t>P</t>"));
    assert_null(strstr(text, "r=\"C4\"")); /* missing */
    const char *primary = strstr(text, "<c r=\"B3\" s="), *secondary = strstr(text, "<c r=\"C2\" s=");
    assert_true(primary && secondary && primary[13] != secondary[13]);
    free(text);
    table_release(table);
    arena_free(work.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(cells_are_what_excel_shows),
                                        cmocka_unit_test(sheets_that_are_no_table),
                                        cmocka_unit_test(a_table_comes_back),
                                        cmocka_unit_test(escapes),
                                        cmocka_unit_test(empty_records_come_back),
                                        cmocka_unit_test(the_first_sheet_that_is_shown),
                                        cmocka_unit_test(spans_of_time),
                                        cmocka_unit_test(laid_out),
                                        cmocka_unit_test(broken_bytes) };
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
