/* Words wrapped to a width, and tables aligned; for pages of text. Private to render/. */
#ifndef SCRIM_RENDER_TEXT_H
#define SCRIM_RENDER_TEXT_H
#include "render/render.h"

typedef struct Page {
    Buffer *out;
    int width;
    bool colour;
} Page;

/* Escape sequences where the page has colour. */
void page_bold(const Page *page, const char *text);
void page_dim(const Page *page, const char *text);
void page_spaces(const Page *page, int count);
/* Words from column `at` on, further lines indented by `indent`; ends the line. */
void page_wrap(const Page *page, const char *text, int at, int indent);
/* Unbreakable items set apart by `separator`. */
void page_items(const Page *page, const char *const *items, int64_t count, const char *separator, int at, int indent);
/* `text` safe for the terminal, cut to `width` columns with an ellipsis; returns the columns taken. */
int page_cut(const Page *page, const char *text, int width);
void page_values(const Page *page, const Result *result);
void page_table(const Page *page, const Table *table);
void page_result(const Page *page, const Result *result, const char *name);
#endif
