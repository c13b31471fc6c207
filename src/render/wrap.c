/* Words wrapped to a width. */
#include <string.h>
#include "base/escape.h"
#include "render/text.h"

static void styled(const Page *page, const char *code, const char *text) {
    if (page->colour) buffer_text(page->out, code);
    plain_text(page->out, text);
    if (page->colour) buffer_text(page->out, "\x1b[0m");
}
void page_bold(const Page *page, const char *text) { styled(page, "\x1b[1m", text); }
void page_dim(const Page *page, const char *text) { styled(page, "\x1b[2m", text); }

void page_spaces(const Page *page, int count) {
    for (int i = 0; i < count; i++) buffer_char(page->out, ' ');
}

/* Puts one piece at column *at, on a new line where it does not fit. */
static void place(const Page *page, const char *piece, const char *gap, bool first, int *at, int indent) {
    int width = utf8_width(piece), space = first ? 0 : utf8_width(gap);
    if (!first && *at + space + width > page->width && *at > indent) {
        size_t trimmed = strlen(gap);
        while (trimmed && gap[trimmed - 1] == ' ') trimmed--;
        buffer_add(page->out, gap, trimmed);
        buffer_char(page->out, '\n');
        page_spaces(page, indent);
        *at = indent;
    } else if (!first) {
        buffer_text(page->out, gap);
        *at += space;
    }
    buffer_text(page->out, piece);
    *at += width;
}

void page_items(const Page *page, const char *const *items, int64_t count, const char *separator, int at, int indent) {
    for (int64_t i = 0; i < count; i++) {
        Buffer safe = { 0 };
        plain_text(&safe, items[i]);
        place(page, buffer_get(&safe), separator, !i, &at, indent);
        buffer_free(&safe);
    }
    buffer_char(page->out, '\n');
}

void page_wrap(const Page *page, const char *text, int at, int indent) {
    Buffer safe = { 0 };
    bool first = true;
    plain_text(&safe, text);
    buffer_get(&safe);
    char *copy = safe.failed ? NULL : safe.bytes, *state = NULL;
    for (char *word = copy ? strtok_r(copy, " ", &state) : NULL; word; word = strtok_r(NULL, " ", &state), first = false)
        place(page, word, " ", first, &at, indent);
    buffer_char(page->out, '\n');
    buffer_free(&safe);
}

int page_cut(const Page *page, const char *text, int width) {
    Buffer safe = { 0 };
    plain_text(&safe, text);
    const char *p = buffer_get(&safe), *end = p + strlen(p);
    int taken = utf8_width(p);
    if (taken <= width) buffer_text(page->out, p);
    for (int at = 0; taken > width && p < end;) {
        int length = utf8_length(p, end);
        char one[5] = { 0 };
        memcpy(one, p, (size_t)length);
        int wide = utf8_width(one);
        if (at + wide > width - 1) {
            buffer_text(page->out, "…");
            taken = at + 1;
            break;
        }
        buffer_text(page->out, one);
        at += wide;
        p += length;
    }
    buffer_free(&safe);
    return taken;
}
