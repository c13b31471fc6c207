/* Writing Excel workbooks by libxlsxwriter: one sheet, a header, numbers as numbers, words as text whatever they look like. */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xlsxwriter.h>
#include "base/helper_process.h"
#include "base/elementary.h"
#include "base/extremes.h"
#include "base/file.h"
#include "base/number_text.h"
#include "io/format.h"
#include "io/excel/xlsx.h"
#include "io/excel/zip.h"
#include "table/display_layout.h"

typedef struct Writing {
    Work *work;
    const Table *table;
    const char *path;
    char name[64]; /* of the file in memory */
    lxw_workbook *book;
    lxw_worksheet *sheet;
    lxw_format *day, *moment, *part, *nothing;
    lxw_format *title, *total, *whole, *laid[4]; /* of a table that is laid out: laid[] by what a cell is */
    int64_t cells;                               /* that were put into the sheet */
} Writing;

static Status refuse(const Writing *w, const char *what, int64_t column, int64_t row) {
    fail(w->work->error, BAD, "a sheet of Excel does not hold %s", what);
    if (column >= 0) error_column(w->work->error, w->table->column[column]->name);
    if (row >= 0) error_row(w->work->error, row);
    return error_file(w->work->error, w->path);
}

/* Excel's days begin with 1900, and are right from March of it on; earlier ones are written as text. */
static bool excel_date(int64_t day) { return day >= -25508 && day < 2932897; }
/* Milliseconds are kept: what they round to counts. */
static bool excel_moment(int64_t moment) {
    return moment >= -25508 * INT64_C(86400000000) && moment < 2932897 * INT64_C(86400000000) - 500;
}

/* It keeps fifteen digits. */
static bool excel_integer(int64_t value) { return value > -1000000000000000 && value < 1000000000000000; }

/* Text that looks like an escaped character: its first letter is escaped. */
static const char *escaped(Work *work, const char *text) {
    Buffer out = { 0 };
    for (; *text; text++) {
        if (xlsx_escaped(text)) buffer_text(&out, "_x005F");
        buffer_char(&out, *text);
    }
    const char *copy = out.failed ? NULL : arena_text(work->arena, buffer_get(&out));
    buffer_free(&out);
    return copy;
}

static lxw_error put_words(Writing *w, uint32_t row, uint16_t column, const char *text, lxw_format *format) {
    if (!*text && !format) w->cells--; /* it makes no cell of nothing */
    if (strstr(text, "_x") && !(text = escaped(w->work, text))) return LXW_ERROR_MEMORY_MALLOC_FAILED;
    return worksheet_write_string(w->sheet, row, column, text, format);
}

static lxw_error put_text(Writing *w, uint32_t row, uint16_t column, const char *text) { return put_words(w, row, column, text, NULL); }

static lxw_error put_cell(Writing *w, uint32_t row, uint16_t j, const Column *column, int64_t i) {
    char text[33];
    switch (column->type) {
    case REAL_TYPE: return worksheet_write_number(w->sheet, row, j, column->real[i], NULL);
    case INTEGER_TYPE:
        if (excel_integer(column_integer(column, i)))
            return worksheet_write_number(w->sheet, row, j, (double)column_integer(column, i), NULL);
        return put_text(w, row, j, column_cell(column, i, text));
    case DATE_TYPE:
        if (!excel_date(column->date[i])) return put_text(w, row, j, column_cell(column, i, text));
        return worksheet_write_number(w->sheet, row, j, column->date[i] + 25569, w->day);
    case DATETIME_TYPE:
        if (!excel_moment(column->moment[i])) return put_text(w, row, j, column_cell(column, i, text));
        return worksheet_write_number(w->sheet, row, j, (double)column->moment[i] / 86400e6 + 25569,
                                      column->moment[i] % 1000000 ? w->part : w->moment);
    default: return put_text(w, row, j, column_cell(column, i, text));
    }
}

/* ---- a table that is laid out for people ---- */

enum { MOST_WIDE = 40, LEAST_WIDE = 8, DEEPEST = 15 };

static Status laid_formats(Writing *w) {
    Status status = OK;
    lxw_format **const all[] = { &w->title, &w->total, &w->whole, &w->laid[0], &w->laid[1], &w->laid[2], &w->laid[3] };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!(*all[i] = workbook_add_format(w->book))) TRY(out_of_memory(w->work->error));
    format_set_bold(w->title);
    format_set_text_wrap(w->title);
    format_set_bottom(w->title, LXW_BORDER_THIN);
    format_set_bold(w->total);
    format_set_align(w->laid[LAID_NUMBER], LXW_ALIGN_RIGHT);
    format_set_align(w->whole, LXW_ALIGN_RIGHT);
    format_set_num_format(w->whole, "#,##0");
    format_set_align(w->laid[LAID_HIDDEN], LXW_ALIGN_RIGHT);
    format_set_italic(w->laid[LAID_HIDDEN]);
    format_set_bg_color(w->laid[LAID_HIDDEN], 0xE4E7EB);
done:
    return status;
}

/* As wide as its longest cell, within reason. */
static double laid_width(const Writing *w, int64_t j) {
    char text[33];
    double widest = LEAST_WIDE;
    for (int64_t i = -1; i < w->table->rows; i++) {
        const char *cell = i < 0 ? w->table->column[j]->name : column_cell(w->table->column[j], i, text);
        if (cell) widest = larger(widest, (double)utf8_width(cell) + 2 + 2 * (i < 0 ? 0 : display_layout_depth(w->table, j, i)));
    }
    return fmin(widest, MOST_WIDE);
}

/* What heads a row is set in by the library's own indents: one format for each depth. */
static lxw_format *head_format(Writing *w, lxw_format **by_depth, int depth) {
    if (!depth) return w->total;
    if (depth > DEEPEST) depth = DEEPEST;
    if (!by_depth[depth] && (by_depth[depth] = workbook_add_format(w->book))) format_set_indent(by_depth[depth], (uint8_t)depth);
    return by_depth[depth];
}

/* A number as a number, a mark as what it is. */
static lxw_error laid_cell(Writing *w, uint32_t row, uint16_t j, const char *text, lxw_format *head) {
    DisplayKind kind = display_layout_kind(w->table, j, text);
    double number;
    if (kind == LAID_NUMBER && read_real(text, text + strlen(text), '.', &number))
        return worksheet_write_number(w->sheet, row, j, number, number == floor(number) ? w->whole : w->laid[kind]);
    return put_words(w, row, j, text, kind == LAID_HEAD ? head : w->laid[kind]);
}

static Status laid_note(Writing *w) {
    if (!w->table->layout->note) return OK;
    w->cells++;
    lxw_error answer = put_words(w, (uint32_t)w->table->rows + 2, 0, w->table->layout->note, NULL);
    return answer ? fail(w->work->error, FAILED, "cannot be written: %s", lxw_strerror(answer)) : OK;
}

/* Rows and columns as they are read: titles and heads stay in sight, numbers are numbers, hidden cells stand out, the note is below. */
static Status write_laid(Writing *w) {
    Status status = OK;
    lxw_format *by_depth[DEEPEST + 1] = { NULL };
    char number[33];
    TRY(laid_formats(w));
    worksheet_freeze_panes(w->sheet, 1, (uint16_t)w->table->layout->sides);
    for (int64_t j = 0; j < w->table->columns; j++) {
        worksheet_set_column(w->sheet, (uint16_t)j, (uint16_t)j, laid_width(w, j), NULL);
        w->cells++;
        if (put_words(w, 0, (uint16_t)j, w->table->column[j]->name, w->title))
            TRY(refuse(w, "names of more than 32,767 characters", j, -1));
    }
    for (int64_t i = 0; i < w->table->rows; i++)
        for (int64_t j = 0; j < w->table->columns; j++) {
            const char *text = column_cell(w->table->column[j], i, number);
            if (!text) continue;
            w->cells++;
            lxw_error answer =
                laid_cell(w, (uint32_t)i + 1, (uint16_t)j, text, head_format(w, by_depth, display_layout_depth(w->table, j, i)));
            if (answer) TRY(fail(w->work->error, FAILED, "cannot be written: %s", lxw_strerror(answer)));
        }
    TRY(laid_note(w));
done:
    return status;
}

static Status write_rows(Writing *w) {
    Status status = OK;
    for (int64_t i = 0; i < w->table->rows; i++) {
        int64_t values = 0;
        for (int64_t j = 0; j < w->table->columns; j++) {
            const Column *column = w->table->column[j];
            if (column_missing(column, i)) continue;
            char number[33];
            values += *column_cell(column, i, number) != 0; /* a record of empty text alone would not be in the sheet */
            w->cells++;
            if (column->type == REAL_TYPE && !isfinite(column->real[i])) TRY(refuse(w, "infinite numbers", j, i));
            lxw_error answer = put_cell(w, (uint32_t)i + 1, (uint16_t)j, column, i);
            if (answer == LXW_ERROR_MAX_STRING_LENGTH_EXCEEDED) TRY(refuse(w, "texts of more than 32,767 characters", j, i));
            if (answer) TRY(fail(w->work->error, FAILED, "cannot be written: %s", lxw_strerror(answer)));
        }
        if (!values && worksheet_write_blank(w->sheet, (uint32_t)i + 1, 0, w->nothing))
            TRY(fail(w->work->error, FAILED, "cannot be written"));
        w->cells += !values;
        if (!(i & 0xFFFF)) {
            work_show(w->work, "writing", (double)i / (double)w->table->rows);
            TRY(work_check(w->work));
        }
    }
done:
    return status;
}

static Status fill(Writing *w) {
    Status status = OK;
    lxw_doc_properties about = { .created = 315532800 }; /* the same table gives the same bytes */
    workbook_set_properties(w->book, &about);
    w->sheet = workbook_add_worksheet(w->book, NULL);
    w->day = workbook_add_format(w->book);
    w->moment = workbook_add_format(w->book);
    w->part = workbook_add_format(w->book);
    w->nothing = workbook_add_format(w->book);
    if (!w->sheet || !w->day || !w->moment || !w->part || !w->nothing) TRY(out_of_memory(w->work->error));
    format_set_num_format(w->day, "yyyy-mm-dd");
    format_set_num_format(w->moment, "yyyy-mm-dd hh:mm:ss");
    format_set_num_format(w->part, "yyyy-mm-dd hh:mm:ss.000");
    format_set_num_format(w->nothing, XLSX_NOTHING);
    if (w->table->layout) return write_laid(w);
    worksheet_freeze_panes(w->sheet, 1, 0);
    for (int64_t j = 0; j < w->table->columns; j++)
        if (put_text(w, 0, (uint16_t)j, w->table->column[j]->name)) TRY(refuse(w, "names of more than 32,767 characters", j, -1));
    w->cells = w->table->columns;
    TRY(write_rows(w));
done:
    return status;
}

/* How often a cell begins; what is text in it has no such sign. */
typedef struct Count {
    int64_t cells;
    char last; /* of the bytes before */
    bool second;
} Count;
static bool count_cells(void *self, const char *bytes, size_t count) {
    Count *c = self;
    for (size_t i = 0; i < count; i++) {
        if (c->second) c->cells += bytes[i] == ' ';
        c->second = c->last == '<' && bytes[i] == 'c';
        c->last = bytes[i];
    }
    return true;
}

/* The library looks neither at what its memory nor at what its temporary file gave it, and goes on with fewer cells: they are counted. */
static Status is_whole(const Writing *w, const Bytes *bytes) {
    Zip zip;
    ZipFile sheet;
    Count count = { 0 };
    if (zip_open(&zip, bytes->count ? bytes->at : "", bytes->count) && zip_find(&zip, "xl/styles.xml", &sheet) &&
        zip_find(&zip, "xl/worksheets/sheet1.xml", &sheet) && zip_read(&sheet, count_cells, &count) && count.cells == w->cells)
        return OK;
    fail(w->work->error, FAILED, "cannot be written whole: memory or room for temporary files ran out");
    return error_file(w->work->error, w->path);
}

/* What the library does: it ends the program where it gets no memory for some parts of a workbook, so that it works apart. */
static Status make_book(void *self) {
    Writing *w = self;
    Bytes bytes = { 0 };
    lxw_workbook_options options = { .constant_memory = LXW_TRUE };
    w->book = workbook_new_opt(w->name, &options);
    Status status = w->book ? fill(w) : out_of_memory(w->work->error);
    lxw_error answer = w->book ? workbook_close(w->book) : LXW_NO_ERROR;
    if (!status && answer) status = fail(w->work->error, FAILED, "cannot be written: %s", lxw_strerror(answer));
    if (!status) status = bytes_open(w->name, &bytes, w->work->error);
    if (!status) status = is_whole(w, &bytes);
    bytes_close(&bytes);
    return status;
}

/* The library wants a name to write to: a file in memory has one, so that nothing confidential lies beside the target. */
static Status make(Writing *w, Bytes *out) {
    int memory = past_standard(memfd_create("scrim", MFD_CLOEXEC));
    if (memory < 0) return out_of_memory(w->work->error);
    snprintf(w->name, sizeof w->name, "/proc/self/fd/%d", memory);
    Status status = helper_run(w->work, "writing", make_book, w);
    if (!status) status = bytes_open(w->name, out, w->work->error);
    close(memory);
    return status;
}

static Status xlsx_write(Work *work, const Table *table, const char *path, const CsvOptions *options) {
    (void)options;
    Status status = OK;
    Writing w = { .work = work, .table = table, .path = path };
    Bytes bytes = { 0 };
    if (!table->columns || table->columns > 16384)
        return refuse(&w, table->columns ? "more than 16,384 columns" : "a table without columns", -1, -1);
    if (table->rows > 1048575) return refuse(&w, "more than 1,048,575 records", -1, -1);
    for (int64_t j = 0; j < table->columns; j++)
        if (!*table->column[j]->name) return refuse(&w, "a column without a name", -1, -1);
    TRY(make(&w, &bytes));
    TRY(file_write(path, bytes.at, bytes.count, false, work->error));
done:
    bytes_close(&bytes);
    return status;
}

static Status xlsx_read(Work *work, const char *path, const CsvOptions *options, Table **out) {
    Bytes bytes;
    Status status = bytes_open(path, &bytes, work->error);
    if (status) return status;
    status = xlsx_read_bytes(work, path, bytes.count ? bytes.at : "", bytes.count, options ? options->sheet : NULL, out);
    bytes_close(&bytes);
    return status;
}

static bool has_early_days(const Column *column, const void *self, int64_t index) {
    (void)self, (void)index;
    for (int64_t i = 0; (column->type == DATE_TYPE || column->type == DATETIME_TYPE) && i < column->rows; i++)
        if (!column_missing(column, i) && !(column->type == DATE_TYPE ? excel_date(column->date[i]) : excel_moment(column->moment[i])))
            return true;
    return false;
}

static bool has_fine_times(const Column *column, const void *self, int64_t index) {
    (void)self, (void)index;
    for (int64_t i = 0; column->type == DATETIME_TYPE && i < column->rows; i++)
        if (!column_missing(column, i) && column->moment[i] % 1000 && excel_moment(column->moment[i])) return true;
    return false;
}

static bool has_long_numbers(const Column *column, const void *self, int64_t index) {
    (void)self, (void)index;
    for (int64_t i = 0; column->type == INTEGER_TYPE && i < column->rows; i++)
        if (!column_missing(column, i) && !excel_integer(column_integer(column, i))) return true;
    return false;
}

static Status xlsx_losses(Work *work, const Table *table, const char *name, Buffer *out) {
    (void)work, (void)name;
    format_say(table, has_early_days, NULL, "It has no days before March 1900: they are written as text in", out);
    format_say(table, has_fine_times, NULL, "It keeps milliseconds: times are rounded in", out);
    format_say(table, has_long_numbers, NULL, "It keeps fifteen digits: longer whole numbers are written as text in", out);
    return OK;
}

const Format format_excel = { .name = "Excel",
                              .suffixes = (const char *const[]){ ".xlsx", NULL },
                              .holds = MIXES_CELLS,
                              .read = xlsx_read,
                              .write = xlsx_write,
                              .losses = xlsx_losses };
