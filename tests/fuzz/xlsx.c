/* Any bytes at all, as an Excel workbook: a table or an error with a message. */
#include <stdlib.h>
#include <string.h>
#include "../stored_zip.h"
#include "io/excel/xlsx.h"

/* As an archive, checksums would stop nearly every change. So where the first byte is odd the rest is XML: the sheet, and behind a NUL
 * byte each the shared texts, the styles, the workbook and its relations, stored in an archive whose checksums are right. */
enum { PARTS = 5 };
static const char *const part_name[PARTS] = { "xl/worksheets/sheet1.xml", "xl/sharedStrings.xml", "xl/styles.xml", "xl/workbook.xml",
                                              "xl/_rels/workbook.xml.rels" };
static const char *const part_else[PARTS] = {
    "<worksheet/>", "<sst><si><t>a</t></si><si><t>b</t></si></sst>",
    "<styleSheet><numFmts><numFmt numFmtId=\"164\" formatCode=\"00000\"/></numFmts><cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"14\"/>"
    "<xf numFmtId=\"164\"/><xf numFmtId=\"22\"/></cellXfs></styleSheet>",
    "<workbook><sheets><sheet name=\"a\" id=\"r1\"/></sheets></workbook>",
    "<Relationships><Relationship Id=\"r1\" Target=\"worksheets/sheet1.xml\"/></Relationships>"
};

static Buffer archive(const char *data, size_t size) {
    ZipPart parts[PARTS];
    const char *at = data, *end = data + size;
    for (int i = 0; i < PARTS; i++) {
        const char *stop = at < end ? memchr(at, 0, (size_t)(end - at)) : NULL;
        parts[i] = at < end ? (ZipPart){ part_name[i], at, (size_t)((stop ? stop : end) - at) }
                            : (ZipPart){ part_name[i], part_else[i], strlen(part_else[i]) };
        at = stop ? stop + 1 : end;
    }
    return zip_of(parts, PARTS);
}

static void read_one(const char *bytes, size_t size) {
    Error error = ERROR_NONE;
    Work work = { .arena = arena_new(), .error = &error, .threads = 1 };
    if (!work.arena) abort();
    Table *table = NULL;
    Status status = xlsx_read_bytes(&work, "fuzz", bytes, size, NULL, &table);
    if (status && (!error.message[0] || table)) abort();
    for (int64_t j = 0; !status && j < table->columns; j++)
        if (table->column[j]->rows != table->rows) abort();
    table_release(table);
    arena_free(work.arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1) return 0;
    Buffer made = { 0 };
    bool xml = data[0] & 1;
    if (xml) made = archive((const char *)data + 1, size - 1);
    size_t count = xml ? made.count : size - 1;
    char *bytes = malloc(count + !count); /* exactly as long as it is, so that reading beyond is seen */
    if (!bytes) abort();
    if (count) memcpy(bytes, xml ? made.bytes : (const char *)data + 1, count);
    read_one(bytes, count);
    free(bytes);
    buffer_free(&made);
    return 0;
}
