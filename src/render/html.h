/* Pieces of a page that results and reports share. Private to render/. */
#ifndef SCRIM_RENDER_HTML_H
#define SCRIM_RENDER_HTML_H
#include "render/render.h"

void html_begin(const char *title, Buffer *out); /* head, style sheet, <main> */
/* Ends what html_begin began. */
void html_end(Buffer *out);
/* <tag class="class">text</tag>; class may be NULL. */
void html_element(Buffer *out, const char *tag, const char *class, const char *text);
/* Text for people who use no command line: --name becomes name. */
void html_text(Buffer *out, const char *text);
void html_notes(Buffer *out, const char *const *notes, int64_t count);
/* Everything in a result but its title; headings of its parts are <h{level}>. */
void html_result(const Result *result, int level, Buffer *out);
#endif
