/* Pixels and words of a picture. */
#include <string.h>
#include "base/elementary.h"
#include "base/escape.h"
#include "base/number_text.h"
#include "render/chart/plot.h"

void put(Buffer *out, double pixels) {
    char digits[33];
    double tenths = round(pixels * 10) / 10;
    buffer_add(out, digits, write_real(isfinite(tenths) && tenths != 0 ? tenths : 0, digits));
}

void put_point(Buffer *out, double x, double y) {
    put(out, x);
    buffer_char(out, ' ');
    put(out, y);
}

void put_box(Buffer *out, double x, double y, double width, double height) {
    buffer_char(out, 'M');
    put_point(out, x, y);
    buffer_char(out, 'h');
    put(out, width);
    buffer_char(out, 'v');
    put(out, height);
    buffer_char(out, 'h');
    put(out, -width);
    buffer_char(out, 'z');
}

/* In thousandths of the font's size; the widest of the common sans-serif faces, near enough. */
static double letter_width(const char *p, int length) {
    if (length == 1) {
        if (strchr("ijl.,:;'|!", *p)) return 0.30;
        if (strchr("frt()[]-/ I", *p)) return 0.38;
        if (strchr("mwMW@%", *p)) return 0.92;
        return *p >= 'A' && *p <= 'Z' ? 0.70 : 0.60;
    }
    return length >= 3 && (unsigned char)*p >= 0xE3 ? 1.0 : 0.62;
}

double text_width(const char *text, double size) {
    double width = 0;
    for (const char *p = text, *end = text + strlen(text); p < end;) {
        int length = utf8_length(p, end);
        width += letter_width(p, length);
        p += length ? length : 1;
    }
    return width * size;
}

/* The start of `text` that fits with an ellipsis. */
static void cut_text(const char *text, double room, double size, Buffer *out) {
    double width = 0.7 * size;
    for (const char *p = text, *end = text + strlen(text); p < end;) {
        int length = utf8_length(p, end);
        if (!length) length = 1;
        width += letter_width(p, length) * size;
        if (width > room && p > text) break;
        buffer_add(out, p, (size_t)length);
        p += length;
    }
    buffer_text(out, "…");
}

void put_label(Buffer *out, double x, double y, const char *class, const char *anchor, const char *text, double room) {
    bool whole = room <= 0 || text_width(text, FONT) <= room;
    buffer_text(out, "<text x=\"");
    put(out, x);
    buffer_text(out, "\" y=\"");
    put(out, y);
    buffer_print(out, "\" class=\"%s\"", class);
    if (strcmp(anchor, "start")) buffer_print(out, " text-anchor=\"%s\"", anchor);
    buffer_char(out, '>');
    if (whole) xml_text(out, text);
    else {
        Buffer cut = { 0 };
        cut_text(text, room, FONT, &cut);
        xml_text(out, buffer_get(&cut));
        buffer_text(out, "<title>");
        xml_text(out, text);
        buffer_text(out, "</title>");
        buffer_free(&cut);
    }
    buffer_text(out, "</text>\n");
}
