/* Word documents and OpenDocument spreadsheets: archives with the parts that they must have, and the cells in them. */
#include <unistd.h>
#include "base/file.h"
#include "base/text.h"
#include "io/excel/zip.h"
#include "io/open.h"
#include "table/display_layout.h"
#include "tables.h"

static char folder[] = "/tmp/scrim-office-XXXXXX";

static bool take(void *self, const char *bytes, size_t count) {
    buffer_add(self, bytes, count);
    return true;
}

/* One part of the archive that the table is written to. */
static const char *part_of(Work *work, const Table *table, const char *name, const char *part, Buffer *out) {
    char path[128];
    const char *bytes;
    size_t count;
    Zip zip;
    ZipFile file;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    tables_ok(table_save(work, table, path, NULL));
    tables_ok(bytes_read(work->arena, path, &bytes, &count, work->error));
    unlink(path);
    assert_true(zip_open(&zip, bytes, count) && zip_find(&zip, part, &file) && zip_read(&file, take, out));
    return buffer_get(out);
}

static Table *laid_out(Work *work) {
    Table *table = table_of("r:category Total a", "u:category 12.5 x", NULL);
    uint8_t depth[] = { 0, 1 };
    DisplayLayout layout = { .sides = 1, .depth = depth, .mark = "x", .note = "x: hidden <&>" };
    tables_ok(display_layout_give(&layout, table, work->error));
    return table;
}

static void word(void **state) {
    (void)state;
    Work work = tables_work(1);
    Buffer text = { 0 }, types = { 0 };
    Table *table = laid_out(&work);
    const char *document = part_of(&work, table, "t.docx", "word/document.xml", &text);
    assert_non_null(strstr(document, "<w:jc w:val=\"right\"/></w:pPr><w:r><w:t xml:space=\"preserve\">12.5</w:t>"));
    assert_non_null(strstr(document, "E4E7EB"));
    assert_non_null(strstr(document, "<w:ind w:left=\"200\"/>"));
    assert_non_null(strstr(document, "x: hidden &lt;&amp;&gt;"));
    assert_non_null(strstr(part_of(&work, table, "t.docx", "[Content_Types].xml", &types), "wordprocessingml"));
    buffer_free(&text);
    buffer_free(&types);
    table_release(table);
    arena_free(work.arena);
}

static void spreadsheet(void **state) {
    (void)state;
    Work work = tables_work(1);
    Buffer text = { 0 }, mime = { 0 }, plain = { 0 };
    Table *table = laid_out(&work), *numbers = table_of("n:integer 1 NA", "w:category 007 b", NULL);
    const char *content = part_of(&work, table, "t.ods", "content.xml", &text);
    assert_non_null(strstr(content, "office:value=\"12.5\""));
    assert_non_null(strstr(content, "table:style-name=\"hidden\"><text:p>x</text:p>"));
    assert_string_equal(part_of(&work, table, "t.ods", "mimetype", &mime), "application/vnd.oasis.opendocument.spreadsheet");
    content = part_of(&work, numbers, "t.ods", "content.xml", &plain);
    assert_non_null(strstr(content, "office:value=\"1\""));
    assert_non_null(strstr(content, "value-type=\"string\"><text:p>007</text:p>"));
    buffer_free(&text);
    buffer_free(&mime);
    buffer_free(&plain);
    table_release(table);
    table_release(numbers);
    arena_free(work.arena);
}

int main(void) {
    if (!mkdtemp(folder)) return 1;
    const struct CMUnitTest tests[] = { cmocka_unit_test(word), cmocka_unit_test(spreadsheet) };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rmdir(folder);
    return failed;
}
