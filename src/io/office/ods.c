/* OpenDocument spreadsheets (.ods, ISO/IEC 26300): one sheet, numbers as numbers, words as text. Written only. */
#include <string.h>
#include "base/elementary.h"
#include "base/escape.h"
#include "base/file.h"
#include "base/number_text.h"
#include "io/format.h"
#include "io/office/zip_write.h"
#include "table/display_layout.h"

static const char mime[] = "application/vnd.oasis.opendocument.spreadsheet";
static const char manifest[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<manifest:manifest "
    "xmlns:manifest=\"urn:oasis:names:tc:opendocument:xmlns:manifest:1.0\" manifest:version=\"1.3\"><manifest:file-entry "
    "manifest:full-path=\"/\" manifest:version=\"1.3\" manifest:media-type=\"application/vnd.oasis.opendocument.spreadsheet\"/>"
    "<manifest:file-entry manifest:full-path=\"content.xml\" manifest:media-type=\"text/xml\"/></manifest:manifest>";
static const char head[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<office:document-content "
    "xmlns:office=\"urn:oasis:names:tc:opendocument:xmlns:office:1.0\" xmlns:table=\"urn:oasis:names:tc:opendocument:xmlns:table:1.0\" "
    "xmlns:text=\"urn:oasis:names:tc:opendocument:xmlns:text:1.0\" xmlns:style=\"urn:oasis:names:tc:opendocument:xmlns:style:1.0\" "
    "xmlns:fo=\"urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0\" office:version=\"1.3\"><office:automatic-styles>"
    "<style:style style:name=\"head\" style:family=\"table-cell\"><style:text-properties fo:font-weight=\"bold\"/></style:style>"
    "<style:style style:name=\"hidden\" style:family=\"table-cell\"><style:table-cell-properties "
    "fo:background-color=\"#e4e7eb\"/><style:paragraph-properties fo:text-align=\"end\"/></style:style></office:automatic-styles>"
    "<office:body><office:spreadsheet><table:table table:name=\"Sheet1\">";
static const char tail[] = "</table:table></office:spreadsheet></office:body></office:document-content>";

static void put_words(Buffer *out, const char *text, const char *style) {
    buffer_text(out, "<table:table-cell office:value-type=\"string\"");
    if (style) buffer_print(out, " table:style-name=\"%s\"", style);
    buffer_text(out, "><text:p>");
    xml_text(out, text);
    buffer_text(out, "</text:p></table:table-cell>");
}

/* Numbers of the table, and what a table laid out for people shows as a number. */
static void put_cell(const Table *table, int64_t j, int64_t i, Buffer *out) {
    const Column *column = table->column[j];
    char number[33];
    double value;
    const char *text = column_cell(column, i, number);
    DisplayKind kind = display_layout_kind(table, j, text);
    if (!text) {
        buffer_text(out, "<table:table-cell/>");
        return;
    }
    bool is_number = column_numeric(column) || kind == LAID_NUMBER;
    if (is_number && read_real(text, text + strlen(text), '.', &value) && isfinite(value)) {
        buffer_print(out, "<table:table-cell office:value-type=\"float\" office:value=\"%s\"><text:p>%s</text:p></table:table-cell>", text,
                     text);
        return;
    }
    put_words(out, text, kind == LAID_HIDDEN ? "hidden" : table->layout && !display_layout_depth(table, j, i) ? "head" : NULL);
}

static Status ods_write(Work *work, const Table *table, const char *path, const CsvOptions *options) {
    (void)options;
    Status status = OK;
    Buffer text = { 0 };
    ZipWriter zip = { 0 };
    if (!table->columns || table->columns > 16384 || table->rows > 1048575) {
        fail(work->error, BAD, "a sheet has from 1 to 16,384 columns and at most 1,048,575 records");
        return error_file(work->error, path);
    }
    buffer_text(&text, head);
    buffer_print(&text, "<table:table-column table:number-columns-repeated=\"%lld\"/><table:table-row>", (long long)table->columns);
    for (int64_t j = 0; j < table->columns; j++) put_words(&text, table->column[j]->name, "head");
    buffer_text(&text, "</table:table-row>\n");
    for (int64_t i = 0; i < table->rows; i++) {
        buffer_text(&text, "<table:table-row>");
        for (int64_t j = 0; j < table->columns; j++) put_cell(table, j, i, &text);
        buffer_text(&text, "</table:table-row>\n");
        if (!(i & 0xFFFF)) TRY(work_check(work));
    }
    if (table->layout && table->layout->note) {
        buffer_text(&text, "<table:table-row/><table:table-row>");
        put_words(&text, table->layout->note, NULL);
        buffer_text(&text, "</table:table-row>");
    }
    buffer_text(&text, tail);
    zip_write_file(&zip, "mimetype", mime, strlen(mime));
    zip_write_file(&zip, "META-INF/manifest.xml", manifest, strlen(manifest));
    if (!text.failed) zip_write_file(&zip, "content.xml", text.bytes, text.count);
    if (!zip_write_end(&zip) || text.failed) TRY(out_of_memory(work->error));
    TRY(file_write(path, zip.bytes.bytes, zip.bytes.count, false, work->error));
done:
    buffer_free(&text);
    zip_write_free(&zip);
    return status;
}

const Format format_ods = { .name = "OpenDocument spreadsheet", .suffixes = (const char *const[]){ ".ods", NULL }, .write = ods_write };
