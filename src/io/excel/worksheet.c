/* A sheet's cells into a table: the header is found among the first rows, every row below it is a record. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "base/number_text.h"
#include "io/excel/xlsx.h"

enum { COLUMNS_MOST = 16384, ROWS_MOST = 1048576, SAMPLE = 64 };
typedef enum { CELL_NUMBER, CELL_SHARED, CELL_TEXT, CELL_FLAG, CELL_ERROR, CELL_ISO } CellKind;
typedef struct SheetCell {
    int column;
    CellKind kind;
    int style;
    char *text;
} SheetCell;
typedef struct SheetRow {
    int64_t number;
    int64_t cells, room;
    SheetCell *cell;
    bool marked; /* a record, though it may have no value */
} SheetRow;

typedef struct ChunkWriter {
    const Workbook *book;
    Status status;
    bool stop, in_value, quiet, formula; /* quiet: how a text is pronounced; the cell has a formula */
    SheetRow row, early[SAMPLE];         /* the row now read; the first ones, until the header is known */
    int64_t early_count, last_row, empty_row;
    SheetCell cell;
    int next_column;
    Buffer text;
    bool headed, headless;
    int64_t header_row, rows;
    int columns, *place; /* how many are named; which builder each of the sheet's columns is, or -1 */
    ColumnBuilder *build;
    char merged[24]; /* the first range that spans several cells in the header or below it */
    int64_t merged_row;
} ChunkWriter;

static void stop(ChunkWriter *s, Status status) {
    if (!s->status) s->status = status;
    s->stop = true;
}
static void no_memory(ChunkWriter *s) { stop(s, out_of_memory(s->book->work->error)); }

/* "BC23" → column 54, row 23; false where it is no such name. */
static bool read_reference(const char *text, int *column, int64_t *row) {
    int letters = 0;
    int64_t number = 0;
    for (; isupper((unsigned char)*text) && letters <= COLUMNS_MOST; text++) letters = letters * 26 + (*text - 'A' + 1);
    for (; isdigit((unsigned char)*text) && number <= ROWS_MOST; text++) number = number * 10 + (*text - '0');
    *column = letters - 1;
    *row = number;
    return letters > 0 && letters <= COLUMNS_MOST && number > 0 && number <= ROWS_MOST;
}

static const char *column_letters(int column, char out[8]) {
    char *p = out + 7;
    *p = 0;
    for (column++; column; column = (column - 1) / 26) *--p = (char)('A' + (column - 1) % 26);
    return p;
}

/* ---- what a cell shows ---- */

/* Excel counts days from 1899-12-30, and before March 1900 from a day later, because it takes 1900 for a leap year. */
static int64_t moment_of(const Workbook *book, double serial) {
    double days = book->since_1904 ? serial + 1462 : serial < 60 ? serial + 1 : serial;
    return (int64_t)rint((days - 25569) * 86400e3) * 1000;
}

static bool put_words(ColumnBuilder *build, const char *text) {
    return builder_convert(build, TEXT_TYPE) && builder_text(build, text, strlen(text));
}

/* 30:00:00, to the second or to the millisecond. */
static bool put_span(ColumnBuilder *build, double serial) {
    int64_t thousandths = (int64_t)rint(serial * 86400e3), seconds = thousandths / 1000;
    char text[64];
    int count = snprintf(text, sizeof text, "%02lld:%02d:%02d", (long long)(seconds / 3600), (int)(seconds / 60 % 60), (int)(seconds % 60));
    if (thousandths % 1000) snprintf(text + count, sizeof text - (size_t)count, ".%03d", (int)(thousandths % 1000));
    return put_words(build, text);
}

static bool put_moment(const Workbook *book, ColumnBuilder *build, double serial, Shown shown) {
    int64_t day = INT64_C(86400000000), moment = moment_of(book, serial), left = moment % day;
    char text[33];
    if (shown == SHOWN_TIME && serial >= 0 && serial < 1) { /* a time of no day */
        text[write_datetime((int64_t)rint(serial * 86400e3) * 1000 % day, text)] = 0;
        return put_words(build, strchr(text, 'T') + 1);
    }
    if (shown == SHOWN_DATE && !left && builder_convert(build, DATE_TYPE)) return builder_date(build, (int32_t)(moment / day));
    if (builder_convert(build, DATETIME_TYPE)) return builder_moment(build, moment);
    text[shown == SHOWN_DATE && !left ? write_date((int32_t)(moment / day), text) : write_datetime(moment, text)] = 0;
    return put_words(build, text);
}

static XlsxStyle style_of_cell(const Workbook *book, const SheetCell *cell) {
    return cell->style >= 0 && cell->style < book->styles ? book->style[cell->style] : (XlsxStyle){ SHOWN_NUMBER, 0 };
}

static bool put_number(const Workbook *book, ColumnBuilder *build, const SheetCell *cell) {
    XlsxStyle style = style_of_cell(book, cell);
    const char *end = cell->text + strlen(cell->text);
    double value;
    char text[64];
    if (!read_real(cell->text, end, '.', &value)) return put_words(build, cell->text);
    if (style.shown == SHOWN_CODE && value == floor(value) && value >= 0 && value < 1e15) {
        snprintf(text, sizeof text, "%0*lld", style.digits < 32 ? style.digits : 32, (long long)value);
        return put_words(build, text);
    }
    if (style.shown == SHOWN_SPAN && value >= 0 && value < 1e9) return put_span(build, value);
    if (style.shown >= SHOWN_DATE && style.shown <= SHOWN_DATETIME && value >= 0 && value < 2958466)
        return put_moment(book, build, value, style.shown);
    if (style.shown == SHOWN_TEXT) return put_words(build, real_text(value, text));
    return builder_convert(build, REAL_TYPE) ? builder_real(build, value) : builder_words(build, value);
}

static bool put_iso(ColumnBuilder *build, const char *text) {
    int32_t day;
    int64_t moment;
    const char *end = text + strlen(text);
    if (read_date(text, end, &day) && builder_convert(build, DATE_TYPE)) return builder_date(build, day);
    if (read_datetime(text, end, &moment) && builder_convert(build, DATETIME_TYPE)) return builder_moment(build, moment);
    return put_words(build, text);
}

/* The text of a cell that holds one; NULL for the others. */
static const char *cell_words(const ChunkWriter *s, const SheetCell *cell) {
    int64_t index;
    if (cell->kind == CELL_TEXT) return cell->text;
    if (cell->kind != CELL_SHARED) return NULL;
    bool known = read_integer(cell->text, cell->text + strlen(cell->text), &index) && index >= 0 && index < s->book->texts;
    return known ? s->book->text[index] : NULL;
}

static bool put_cell(ChunkWriter *s, ColumnBuilder *build, const SheetCell *cell) {
    const char *words = cell_words(s, cell);
    switch (cell->kind) {
    case CELL_SHARED:
    case CELL_TEXT:
        if (!words) {
            stop(s, xlsx_broken(s->book, "a cell refers to a text that is not there"));
            return false;
        }
        return *words ? put_words(build, words) : builder_missing(build, MISSING_CODE_NONE);
    case CELL_FLAG: return put_words(build, cell->text[0] == '1' ? "TRUE" : "FALSE");
    case CELL_ERROR: return builder_missing(build, MISSING_CODE_NONE); /* #N/A, #DIV/0!: there is no value */
    case CELL_ISO: return put_iso(build, cell->text);
    case CELL_NUMBER: return put_number(s->book, build, cell);
    }
    return false;
}

/* ---- rows ---- */

static void row_clear(SheetRow *row) {
    for (int64_t i = 0; i < row->cells; i++) free(row->cell[i].text);
    row->cells = 0;
    row->marked = false;
}
static void row_free(SheetRow *row) {
    row_clear(row);
    free(row->cell);
    *row = (SheetRow){ 0 };
}

static Status beyond(ChunkWriter *s, const SheetCell *cell, int64_t row) {
    char letters[8];
    fail(s->book->work->error, BAD, "cell %s%lld has a value, and its column has no name in row %lld",
         column_letters(cell->column, letters), (long long)row, (long long)s->header_row);
    error_advice(s->book->work->error, "Name every column in one row, and keep nothing beside the table.");
    return error_file(s->book->work->error, s->book->name);
}

static Status gap(ChunkWriter *s, int64_t row) {
    fail(s->book->work->error, BAD, "row %lld is empty, and there are rows below it", (long long)row);
    error_advice(s->book->work->error, "A sheet holds one table: remove empty rows, and what stands below them.");
    return error_file(s->book->work->error, s->book->name);
}

/* A row of records: cells that it lacks are missing. */
static void take_record(ChunkWriter *s, const SheetRow *row) {
    if (s->stop || (!row->cells && !row->marked)) return;
    if (s->rows && row->number > s->last_row + 1) {
        stop(s, gap(s, s->last_row + 1));
        return;
    }
    s->last_row = row->number;
    for (int64_t i = 0; i < row->cells && !s->stop; i++) {
        const SheetCell *cell = &row->cell[i];
        int place = cell->column < COLUMNS_MOST ? s->place[cell->column] : -1;
        if (place < 0) {
            stop(s, beyond(s, cell, row->number));
            return;
        }
        ColumnBuilder *build = &s->build[place];
        if (build->rows > s->rows) continue; /* the cell stands there twice */
        if (!put_cell(s, build, cell) && !s->stop) no_memory(s);
    }
    s->rows++;
    for (int j = 0; j < s->columns && !s->stop; j++)
        if (s->build[j].rows < s->rows && !builder_missing(&s->build[j], MISSING_CODE_NONE)) no_memory(s);
    if (!(s->rows & 0xFFFF)) {
        Status status = work_check(s->book->work);
        if (status) stop(s, status);
    }
}

/* ---- the header ---- */

static bool is_header(const ChunkWriter *s, const SheetRow *row, int64_t widest) {
    if (!row->cells || row->cells != widest) return false;
    for (int64_t i = 0; i < row->cells; i++) {
        const char *words = cell_words(s, &row->cell[i]);
        if (!words || !*words) return false;
        for (int64_t j = 0; j < i; j++)
            if (!strcmp(words, cell_words(s, &row->cell[j]))) return false;
    }
    return true;
}

static void name_columns(ChunkWriter *s, const SheetRow *row) {
    Status status = arena_array(s->book->work->arena, row->cells + 1, sizeof *s->build, &s->build, s->book->work->error);
    for (int64_t i = 0; !status && i < row->cells; i++) {
        status = builder_open(&s->build[i], cell_words(s, &row->cell[i]), INTEGER_TYPE, 0, s->book->work->error);
        s->build[i].undecided = s->build[i].whole = true;
        s->place[row->cell[i].column] = (int)i;
        s->columns = (int)i + 1;
    }
    if (status) stop(s, status);
}

/* The header is the first row that is as wide as any of the first rows and holds nothing but names, each once. Titles above it are
 * narrower. */
static void find_header(ChunkWriter *s) {
    int64_t widest = 0, at = 0;
    s->headed = true;
    for (int64_t i = 0; i < s->early_count; i++)
        if (s->early[i].cells > widest) widest = s->early[i].cells;
    while (at < s->early_count && !is_header(s, &s->early[at], widest)) at++;
    s->headless = at == s->early_count;
    if (s->headless) return; /* what to say of it depends on merged cells, which come at the sheet's end */
    s->header_row = s->last_row = s->early[at].number;
    name_columns(s, &s->early[at]);
    for (int64_t i = at + 1; i < s->early_count && !s->stop; i++) take_record(s, &s->early[i]);
}

static void end_row(ChunkWriter *s) {
    if (s->headless || s->stop) {
        row_clear(&s->row);
        return;
    }
    if (s->headed) {
        take_record(s, &s->row);
        row_clear(&s->row);
        return;
    }
    if (!s->row.cells && !s->row.marked) return;
    s->early[s->early_count++] = s->row;
    s->row = (SheetRow){ 0 };
    if (s->early_count == SAMPLE) find_header(s);
}

/* ---- XML ---- */

static void begin_cell(ChunkWriter *s, const char **attributes) {
    const char *type = xlsx_attribute(attributes, "t"), *style = xlsx_attribute(attributes, "s"), *at = xlsx_attribute(attributes, "r");
    int64_t row;
    int column = s->next_column;
    if (at && !read_reference(at, &column, &row)) stop(s, xlsx_broken(s->book, "a cell has a name that no cell has"));
    s->next_column = column + 1;
    s->text.count = 0;
    s->formula = false;
    s->cell = (SheetCell){ .column = column, .style = style ? atoi(style) : 0 };
    if (column >= COLUMNS_MOST) stop(s, xlsx_broken(s->book, "it has more columns than Excel knows"));
    if (!type || !strcmp(type, "n")) s->cell.kind = CELL_NUMBER;
    else
        s->cell.kind = !strcmp(type, "s")   ? CELL_SHARED
                       : !strcmp(type, "b") ? CELL_FLAG
                       : !strcmp(type, "e") ? CELL_ERROR
                       : !strcmp(type, "d") ? CELL_ISO
                                            : CELL_TEXT;
}

static Status no_result(ChunkWriter *s) {
    char letters[8];
    fail(s->book->work->error, BAD, "cell %s%lld holds a formula without its result", column_letters(s->cell.column, letters),
         (long long)s->row.number);
    error_advice(s->book->work->error, "Open the workbook in Excel or LibreOffice and save it: that works the formulas out.");
    return error_file(s->book->work->error, s->book->name);
}

static void end_cell(ChunkWriter *s) {
    if (s->stop) return;
    if (s->formula && !s->text.count && s->cell.kind == CELL_NUMBER) stop(s, no_result(s));
    if (!s->text.count) s->row.marked |= style_of_cell(s->book, &s->cell).shown == SHOWN_NOTHING;
    if (s->stop || !s->text.count) return;
    if (s->row.cells == s->row.room) {
        int64_t room = s->row.room ? 2 * s->row.room : 16;
        SheetCell *cell = realloc(s->row.cell, (size_t)room * sizeof *cell);
        if (!cell) {
            no_memory(s);
            return;
        }
        s->row.cell = cell;
        s->row.room = room;
    }
    s->cell.text = s->text.failed ? NULL : strdup(buffer_get(&s->text));
    if (!s->cell.text) {
        no_memory(s);
        return;
    }
    if (s->cell.kind == CELL_TEXT) xlsx_unescape(s->cell.text);
    s->row.cell[s->row.cells++] = s->cell;
}

static void take_merge(ChunkWriter *s, const char *range) {
    int column;
    int64_t row;
    const char *colon = range ? strchr(range, ':') : NULL;
    if (!colon || s->merged[0] || !read_reference(colon + 1, &column, &row)) return;
    if (!s->headless && row < s->header_row) return; /* a title above */
    snprintf(s->merged, sizeof s->merged, "%.20s", range);
    s->merged_row = row;
}

static void start_element(void *self, const char *element, const char **attributes) {
    ChunkWriter *s = self;
    const char *name = xlsx_local(element);
    if (s->stop) return;
    if (!strcmp(name, "row")) {
        const char *number = xlsx_attribute(attributes, "r");
        int64_t given, last = s->row.number;
        row_clear(&s->row);
        s->row.number = number && read_integer(number, number + strlen(number), &given) ? given : last + 1;
        if (s->row.number <= 0 || s->row.number > ROWS_MOST) stop(s, xlsx_broken(s->book, "it has more rows than Excel knows"));
        s->next_column = 0;
    } else if (!strcmp(name, "c")) begin_cell(s, attributes);
    else if (!strcmp(name, "v") || !strcmp(name, "t")) s->in_value = true;
    else if (!strcmp(name, "f")) s->formula = true;
    else if (!strcmp(name, "rPh")) s->quiet = true;
    else if (!strcmp(name, "mergeCell")) take_merge(s, xlsx_attribute(attributes, "ref"));
}

static void take_text(void *self, const char *bytes, int count) {
    ChunkWriter *s = self;
    if (s->in_value && !s->quiet && !s->stop) buffer_add(&s->text, bytes, (size_t)count);
}

static void end_element(void *self, const char *element) {
    ChunkWriter *s = self;
    const char *name = xlsx_local(element);
    if (!strcmp(name, "v") || !strcmp(name, "t")) s->in_value = false;
    else if (!strcmp(name, "rPh")) s->quiet = false;
    else if (!strcmp(name, "c")) end_cell(s);
    else if (!strcmp(name, "row")) {
        int64_t number = s->row.number;
        end_row(s);
        s->row.number = number;
    } else if (!strcmp(name, "sheetData") && !s->headed && !s->stop) find_header(s);
}

/* ---- the whole sheet ---- */

static int64_t texts_in(const ChunkWriter *s, const SheetRow *row) {
    int64_t count = 0;
    for (int64_t i = 0; i < row->cells; i++) count += cell_words(s, &row->cell[i]) != NULL;
    return count;
}

/* Of what is written in a column, one that the row does not name; -1 where there is none. */
static int unnamed(const ChunkWriter *s, const SheetRow *row) {
    for (int64_t i = 0; i < s->early_count; i++)
        for (int64_t j = 0; j < s->early[i].cells; j++) {
            int64_t k = 0;
            while (k < row->cells && row->cell[k].column != s->early[i].cell[j].column) k++;
            if (k == row->cells) return s->early[i].cell[j].column;
        }
    return -1;
}

/* What keeps the row with the most texts, the first of them, from being the header. */
static void say_headless(const ChunkWriter *s) {
    Error *error = s->book->work->error;
    const SheetRow *row = &s->early[0];
    char a[8], b[8];
    for (int64_t i = 1; i < s->early_count; i++)
        if (texts_in(s, &s->early[i]) > texts_in(s, row)) row = &s->early[i];
    long long number = (long long)row->number;
    int none = unnamed(s, row);
    for (int64_t i = 0; i < row->cells && none < 0; i++) {
        const char *words = cell_words(s, &row->cell[i]), *other;
        const char *cell = column_letters(row->cell[i].column, a);
        for (int64_t j = 0; j < i && words; j++)
            if ((other = cell_words(s, &row->cell[j])) && !strcmp(words, other)) {
                fail(error, BAD, "no header was found: row %lld has the same name in %s%lld and %s%lld", number,
                     column_letters(row->cell[j].column, b), number, cell, number);
                return;
            }
        if (words) continue;
        fail(error, BAD, "no header was found: row %lld would be it, but %s%lld is no text", number, cell, number);
        return;
    }
    if (none < 0) fail(error, BAD, "no header was found in the sheet: a row that names every column once");
    else fail(error, BAD, "no header was found: row %lld has no name for column %s", number, column_letters(none, a));
}

static Status check_shape(const ChunkWriter *s) {
    Error *error = s->book->work->error;
    if (s->merged[0]) {
        fail(error, BAD, "cells %s are merged%s", s->merged,
             s->headless || s->merged_row == s->header_row ? ", and a header must have a name for every column" : "");
        error_advice(error, "Unmerge them: names stand in one row, a cell for every column, and records below it.");
    } else if (!s->early_count) fail(error, BAD, "the sheet is empty");
    else if (s->headless) {
        say_headless(s);
        error_advice(error, "Put a name for every column above the records, in one row: texts, each once.");
    } else return OK;
    return error_file(error, s->book->name);
}

Status xlsx_sheet(const Workbook *book, Table **out) {
    Status status = OK;
    ChunkWriter s = { .book = book };
    NEW(book->work, s.place, COLUMNS_MOST);
    for (int i = 0; i < COLUMNS_MOST; i++) s.place[i] = -1;
    status = xlsx_parse(book, book->sheet, &(XlsxHandlers){ start_element, end_element, take_text }, &s, &s.stop);
    if (!status && !s.headed && !s.stop) find_header(&s); /* rows outside of sheetData */
    if (s.status) status = s.status;
    if (!status) status = check_shape(&s);
    if (!status) {
        status = builders_table(book->work, book->name, s.build, s.columns, s.rows, out);
        s.columns = 0;
    }
done:
    for (int j = 0; j < s.columns; j++) builder_free(&s.build[j]);
    for (int64_t i = 0; i < s.early_count; i++) row_free(&s.early[i]);
    row_free(&s.row);
    buffer_free(&s.text);
    return status;
}

Status xlsx_read_bytes(Work *work, const char *name, const char *bytes, size_t count, const char *sheet, Table **out) {
    Workbook book;
    Status status = xlsx_open(work, name, bytes, count, sheet, &book);
    return status ? status : xlsx_sheet(&book, out);
}
