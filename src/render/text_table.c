/* A table as aligned text: numbers right with points under one another, at most 40 rows, as many columns as fit. */
#include <string.h>
#include "base/escape.h"
#include "render/human_numbers.h"
#include "render/text.h"
#include "table/display_layout.h"

enum { MOST_ROWS = 40, MOST_SHOWN = 256, LEAST_TEXT = 8, MARGIN = 2, GAP = 2, INDENT = 2 };
typedef struct {
    bool number;
    int width, fraction, least; /* least: what the column may be cut to */
} Shape;

static int safe_width(const char *text) {
    Buffer safe = { 0 };
    plain_text(&safe, text);
    int width = utf8_width(buffer_get(&safe));
    buffer_free(&safe);
    return width;
}

static Shape shape_of(const Table *table, int64_t j, int64_t rows) {
    const Column *column = table->column[j];
    Shape shape = { .number = column_numeric(column) || display_layout_kind(table, j, NULL) != LAID_HEAD };
    char number[33];
    int before = 0;
    for (int64_t i = 0; i < rows; i++) {
        const char *cell = human_cell(column, i, number);
        int fraction = cell && shape.number ? human_fraction(cell) : 0;
        int width = (cell ? safe_width(cell) - fraction : 1) + INDENT * display_layout_depth(table, j, i);
        if (width > before) before = width;
        if (fraction > shape.fraction) shape.fraction = fraction;
    }
    int title = safe_width(column->name);
    shape.width = before + shape.fraction > title ? before + shape.fraction : title;
    shape.least = column_numeric(column) ? shape.width
                  : shape.number         ? before + shape.fraction
                                         : LEAST_TEXT; /* marked numbers: the title gives way */
    return shape;
}

/* Takes from the widest columns that may be cut until the table fits; returns how many columns are shown. */
static int64_t fit(Shape *shapes, int64_t count, int room) {
    for (;;) {
        int total = -GAP, widest = -1;
        for (int64_t j = 0; j < count; j++) {
            total += shapes[j].width + GAP;
            if (shapes[j].width > shapes[j].least && (widest < 0 || shapes[j].width > shapes[widest].width)) widest = (int)j;
        }
        if (total <= room) return count;
        if (widest >= 0) shapes[widest].width--;
        else if (count > 1) count--;
        else return count;
    }
}

static void put_cell(const Page *page, const char *text, const Shape *shape, bool last) {
    int fraction = shape->number && text ? human_fraction(text) : 0;
    if (!text) text = "–";
    if (shape->number) {
        page_spaces(page, shape->width - shape->fraction + fraction - safe_width(text));
        page_cut(page, text, shape->width);
        if (!last) page_spaces(page, shape->fraction - fraction);
    } else {
        int taken = page_cut(page, text, shape->width);
        if (!last) page_spaces(page, shape->width - taken);
    }
}

static void put_header(const Page *page, const Table *table, const Shape *shapes, int64_t shown) {
    page_spaces(page, MARGIN);
    if (page->colour) buffer_text(page->out, "\x1b[2m");
    for (int64_t j = 0; j < shown; j++) {
        int space = shapes[j].width - safe_width(table->column[j]->name);
        if (j) page_spaces(page, GAP);
        if (shapes[j].number) page_spaces(page, space);
        page_cut(page, table->column[j]->name, shapes[j].width);
        if (!shapes[j].number && j + 1 < shown) page_spaces(page, space);
    }
    if (page->colour) buffer_text(page->out, "\x1b[0m");
    buffer_char(page->out, '\n');
}

static void put_left_out(const Page *page, const Table *table, int64_t rows, int64_t shown) {
    Buffer more = { 0 };
    if (rows < table->rows) {
        buffer_text(&more, "… and ");
        human_count(&more, table->rows - rows, "more row", "more rows");
        buffer_text(&more, " (use -o or --format json)");
        page_spaces(page, MARGIN);
        page_dim(page, buffer_get(&more));
        buffer_char(page->out, '\n');
    }
    buffer_free(&more);
    if (shown == table->columns) return;
    buffer_text(&more, "… and ");
    human_count(&more, table->columns - shown, "more column", "more columns");
    for (int64_t j = shown; j < table->columns && j < shown + MOST_ROWS; j++)
        buffer_print(&more, "%s %s", j == shown ? ":" : ",", table->column[j]->name);
    if (table->columns > shown + MOST_ROWS) buffer_text(&more, ", …");
    page_spaces(page, MARGIN);
    page_wrap(page, buffer_get(&more), MARGIN, MARGIN + 2);
    buffer_free(&more);
}

void page_table(const Page *page, const Table *table) {
    Shape shapes[MOST_SHOWN];
    char number[33];
    int64_t rows = table->rows > MOST_ROWS ? MOST_ROWS : table->rows, columns = table->columns > MOST_SHOWN ? MOST_SHOWN : table->columns;
    if (!table->rows || !columns) {
        page_spaces(page, MARGIN);
        page_dim(page, "(empty)");
        buffer_char(page->out, '\n');
        return;
    }
    for (int64_t j = 0; j < columns; j++) shapes[j] = shape_of(table, j, rows);
    int64_t shown = fit(shapes, columns, page->width - MARGIN);
    put_header(page, table, shapes, shown);
    for (int64_t i = 0; i < rows; i++) {
        page_spaces(page, MARGIN);
        for (int64_t j = 0; j < shown; j++) {
            Shape rest = shapes[j];
            int indent = INDENT * display_layout_depth(table, j, i);
            rest.width -= indent < rest.width ? indent : 0;
            page_spaces(page, (j ? GAP : 0) + shapes[j].width - rest.width);
            put_cell(page, human_cell(table->column[j], i, number), &rest, j + 1 == shown);
        }
        buffer_char(page->out, '\n');
    }
    put_left_out(page, table, rows, shown);
}
