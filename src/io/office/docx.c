/* Word documents (.docx, ECMA-376): one table as it is read, its heads bold, its numbers at the right, its note below. Written only. */
#include <string.h>
#include "base/escape.h"
#include "base/file.h"
#include "io/format.h"
#include "io/office/zip_write.h"
#include "table/display_layout.h"

enum { MOST_COLUMNS = 63, INDENT = 200 /* twentieths of a point */ };

static const char types[] = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
                            "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\"><Default Extension=\"rels\" "
                            "ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/><Default Extension=\"xml\" "
                            "ContentType=\"application/xml\"/><Override PartName=\"/word/document.xml\" "
                            "ContentType=\"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml\"/></Types>";
static const char relations[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
    "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"><Relationship Id=\"rId1\" "
    "Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument\" "
    "Target=\"word/document.xml\"/></Relationships>";

static void put_paragraph(Buffer *out, const char *text, bool bold, bool right, int depth) {
    buffer_text(out, "<w:p><w:pPr><w:spacing w:after=\"0\"/>");
    if (depth) buffer_print(out, "<w:ind w:left=\"%d\"/>", depth * INDENT);
    if (right) buffer_text(out, "<w:jc w:val=\"right\"/>");
    buffer_text(out, "</w:pPr>");
    if (text) {
        buffer_print(out, "<w:r>%s<w:t xml:space=\"preserve\">", bold ? "<w:rPr><w:b/></w:rPr>" : "");
        xml_text(out, text);
        buffer_text(out, "</w:t></w:r>");
    }
    buffer_text(out, "</w:p>");
}

static void put_cell(Buffer *out, const char *text, DisplayKind kind, bool bold, bool right, int depth) {
    buffer_text(out, "<w:tc><w:tcPr>");
    if (kind == LAID_HIDDEN) buffer_text(out, "<w:shd w:val=\"clear\" w:color=\"auto\" w:fill=\"E4E7EB\"/>");
    buffer_text(out, "</w:tcPr>");
    put_paragraph(out, text, bold, right, depth);
    buffer_text(out, "</w:tc>");
}

static void put_table(const Table *table, Buffer *out) {
    static const char *const sides[] = { "top", "bottom", "insideH" };
    char number[33];
    buffer_text(out, "<w:tbl><w:tblPr><w:tblW w:w=\"0\" w:type=\"auto\"/><w:tblBorders>");
    for (int k = 0; k < 3; k++) buffer_print(out, "<w:%s w:val=\"single\" w:sz=\"4\" w:space=\"0\" w:color=\"808080\"/>", sides[k]);
    buffer_text(out, "</w:tblBorders></w:tblPr><w:tblGrid>");
    for (int64_t j = 0; j < table->columns; j++) buffer_text(out, "<w:gridCol/>");
    buffer_text(out, "</w:tblGrid><w:tr><w:trPr><w:tblHeader/></w:trPr>");
    for (int64_t j = 0; j < table->columns; j++) {
        bool right = column_numeric(table->column[j]) || display_layout_kind(table, j, NULL) != LAID_HEAD;
        put_cell(out, table->column[j]->name, LAID_HEAD, true, right, 0);
    }
    buffer_text(out, "</w:tr>");
    for (int64_t i = 0; i < table->rows; i++) {
        buffer_text(out, "<w:tr>");
        for (int64_t j = 0; j < table->columns; j++) {
            const char *text = column_cell(table->column[j], i, number);
            DisplayKind kind = display_layout_kind(table, j, text);
            int depth = display_layout_depth(table, j, i);
            bool head = table->layout && kind == LAID_HEAD;
            put_cell(out, text, kind, head && !depth, !head && (kind != LAID_HEAD || column_numeric(table->column[j])), depth);
        }
        buffer_text(out, "</w:tr>\n");
    }
    buffer_text(out, "</w:tbl>");
}

static Status docx_write(Work *work, const Table *table, const char *path, const CsvOptions *options) {
    (void)options;
    Status status = OK;
    Buffer text = { 0 };
    ZipWriter zip = { 0 };
    if (!table->columns || table->columns > MOST_COLUMNS) {
        fail(work->error, BAD, "a table in Word has from 1 to 63 columns");
        return error_file(work->error, path);
    }
    buffer_text(&text, "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n<w:document "
                       "xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\"><w:body>");
    put_table(table, &text);
    put_paragraph(&text, table->layout ? table->layout->note : NULL, false, false, 0);
    buffer_text(&text, "<w:sectPr><w:pgSz w:w=\"11906\" w:h=\"16838\"/></w:sectPr></w:body></w:document>");
    zip_write_file(&zip, "[Content_Types].xml", types, strlen(types));
    zip_write_file(&zip, "_rels/.rels", relations, strlen(relations));
    if (!text.failed) zip_write_file(&zip, "word/document.xml", text.bytes, text.count);
    if (!zip_write_end(&zip) || text.failed) TRY(out_of_memory(work->error));
    TRY(file_write(path, zip.bytes.bytes, zip.bytes.count, false, work->error));
done:
    buffer_free(&text);
    zip_write_free(&zip);
    return status;
}

const Format format_docx = { .name = "Word", .suffixes = (const char *const[]){ ".docx", NULL }, .write = docx_write };
