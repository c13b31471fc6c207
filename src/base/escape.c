/* Escaping for JSON, XML, CSV and terminals. */
#include "base/escape.h"
#include <string.h>
#include "base/elementary.h"
#include "base/number_text.h"

/* The next code point: its length, 0 at the end; *code is 0xFFFD where the bytes are no UTF-8 (one byte is then passed over). */
static int next_code(const char *p, const char *end, uint32_t *code) {
    const unsigned char *s = (const unsigned char *)p;
    int length = utf8_length(p, end);
    if (p >= end) return 0;
    if (!length) {
        *code = 0xFFFD;
        return 1;
    }
    *code = length == 1 ? s[0] : s[0] & (0xFFu >> (length + 1));
    for (int i = 1; i < length; i++) *code = (*code << 6) | (s[i] & 0x3Fu);
    return length;
}

static const char *const replacement = "\xEF\xBF\xBD";

/* U+2400…U+241F and U+2421 picture the control characters. */
static void control_picture(Buffer *out, uint32_t code) {
    unsigned low = code == 0x7F ? 0x21 : code;
    char bytes[3] = { (char)0xE2, (char)0x90, (char)(0x80 + low) };
    buffer_add(out, bytes, 3);
}

static void json_code(Buffer *out, uint32_t code, const char *bytes, int length) {
    switch (code) {
    case '"': buffer_text(out, "\\\""); return;
    case '\\': buffer_text(out, "\\\\"); return;
    case '\n': buffer_text(out, "\\n"); return;
    case '\r': buffer_text(out, "\\r"); return;
    case '\t': buffer_text(out, "\\t"); return;
    default: break;
    }
    if (code < 0x20 || code == 0x7F || code == 0x2028 || code == 0x2029) buffer_print(out, "\\u%04x", (unsigned)code);
    else if (code == 0xFFFD) buffer_text(out, replacement);
    else buffer_add(out, bytes, (size_t)length);
}

void put_json_text(Buffer *out, const char *text) {
    if (!text) {
        buffer_text(out, "null");
        return;
    }
    uint32_t code = 0;
    int length;
    buffer_char(out, '"');
    for (const char *p = text, *end = text + strlen(text); (length = next_code(p, end, &code)) > 0; p += length)
        json_code(out, code, p, length);
    buffer_char(out, '"');
}

static const int64_t largest_exact = (int64_t)1 << 53;

void put_json_integer(Buffer *out, int64_t value) {
    char digits[33];
    size_t count = write_integer(value, digits);
    bool quoted = value > largest_exact || value < -largest_exact;
    if (quoted) buffer_char(out, '"');
    buffer_add(out, digits, count);
    if (quoted) buffer_char(out, '"');
}

void put_json_real(Buffer *out, double value) {
    if (isnan(value)) {
        buffer_text(out, "null");
        return;
    }
    if (isinf(value)) {
        buffer_text(out, value > 0 ? "\"Infinity\"" : "\"-Infinity\"");
        return;
    }
    char digits[33];
    size_t count = write_real(value, digits);
    buffer_add(out, digits, count);
    /* A long row of digits without point or exponent would be read as an integer, and overflow. */
    if (fabs(value) > 0x1p53 && !memchr(digits, '.', count) && !memchr(digits, 'e', count)) buffer_text(out, ".0");
}

void xml_text(Buffer *out, const char *text) {
    uint32_t code = 0;
    int length;
    if (!text) return;
    for (const char *p = text, *end = text + strlen(text); (length = next_code(p, end, &code)) > 0; p += length) {
        if (code == '<') buffer_text(out, "&lt;");
        else if (code == '>') buffer_text(out, "&gt;");
        else if (code == '&') buffer_text(out, "&amp;");
        else if (code == '"') buffer_text(out, "&quot;");
        else if (code == '\'') buffer_text(out, "&#39;");
        else if ((code < 0x20 && code != '\n' && code != '\t') || code == 0x7F) control_picture(out, code);
        else if (code >= 0xFFFD && code <= 0xFFFF) buffer_text(out, replacement);
        else buffer_add(out, p, (size_t)length);
    }
}

void csv_text(Buffer *out, const char *text) {
    if (!text) return;
    size_t count = strlen(text);
    bool quoted = !count || strpbrk(text, ",\"\r\n") || text[0] == ' ' || text[count - 1] == ' ';
    if (!quoted) {
        buffer_add(out, text, count);
        return;
    }
    buffer_char(out, '"');
    for (; *text; text++) {
        if (*text == '"') buffer_char(out, '"');
        buffer_char(out, *text);
    }
    buffer_char(out, '"');
}

static bool misleading(uint32_t code) {
    return (code >= 0x80 && code < 0xA0) || code == 0x2028 || code == 0x2029 || (code >= 0x202A && code <= 0x202E) ||
           (code >= 0x2066 && code <= 0x2069);
}

void plain_text(Buffer *out, const char *text) {
    uint32_t code = 0;
    int length;
    if (!text) return;
    for (const char *p = text, *end = text + strlen(text); (length = next_code(p, end, &code)) > 0; p += length) {
        if (code < 0x20 || code == 0x7F) control_picture(out, code);
        else if (code == 0xFFFD || misleading(code)) buffer_text(out, replacement);
        else buffer_add(out, p, (size_t)length);
    }
}
