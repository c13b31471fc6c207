/* ISO 8859-1, ISO 8859-15 and Windows code page 1252. Bytes that 1252 leaves open are taken for the control characters of the same number.
 */
#include <string.h>
#include <strings.h>
#include "prose/charset.h"
#include "prose/token.h"

/* Code page 1252 from 0x80 to 0x9f. */
static const uint16_t windows[32] = { 0x20ac, 0x81,   0x201a, 0x192,  0x201e, 0x2026, 0x2020, 0x2021, 0x2c6,  0x2030, 0x160,
                                      0x2039, 0x152,  0x8d,   0x17d,  0x8f,   0x90,   0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
                                      0x2013, 0x2014, 0x2dc,  0x2122, 0x161,  0x203a, 0x153,  0x9d,   0x17e,  0x178 };
static const struct {
    unsigned char byte;
    uint16_t code;
} latin9[] = { { 0xa4, 0x20ac }, { 0xa6, 0x160 }, { 0xa8, 0x161 }, { 0xb4, 0x17d },
               { 0xb8, 0x17e },  { 0xbc, 0x152 }, { 0xbd, 0x153 }, { 0xbe, 0x178 } };

Charset charset_named(const char *name) {
    static const struct {
        const char *name;
        Charset charset;
    } names[] = { { "utf-8", CHARSET_UTF8 },          { "utf8", CHARSET_UTF8 },         { "latin1", CHARSET_LATIN1 },
                  { "latin-1", CHARSET_LATIN1 },      { "iso-8859-1", CHARSET_LATIN1 }, { "iso8859-1", CHARSET_LATIN1 },
                  { "latin9", CHARSET_LATIN9 },       { "latin-9", CHARSET_LATIN9 },    { "iso-8859-15", CHARSET_LATIN9 },
                  { "iso8859-15", CHARSET_LATIN9 },   { "cp1252", CHARSET_WINDOWS },    { "windows-1252", CHARSET_WINDOWS },
                  { "windows1252", CHARSET_WINDOWS }, { "ascii", CHARSET_UTF8 },        { "us-ascii", CHARSET_UTF8 } };
    if (!name || !*name) return CHARSET_UTF8;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcasecmp(names[i].name, name)) return names[i].charset;
    return CHARSET_UNKNOWN;
}

static uint32_t code_of(Charset charset, unsigned char byte) {
    if (charset == CHARSET_WINDOWS && byte >= 0x80 && byte < 0xa0) return windows[byte - 0x80];
    for (size_t i = 0; charset == CHARSET_LATIN9 && i < sizeof latin9 / sizeof *latin9; i++)
        if (latin9[i].byte == byte) return latin9[i].code;
    return byte;
}

/* The byte of a code point; −1 where there is none. */
static int byte_of(Charset charset, uint32_t code) {
    if (code < 0x80) return (int)code;
    for (int byte = 0x80; byte < 0x100; byte++)
        if (code_of(charset, (unsigned char)byte) == code) return byte;
    return -1;
}

void charset_decode(Charset charset, const char *bytes, size_t size, Buffer *out) {
    char letter[4];
    if (charset == CHARSET_UTF8) {
        buffer_add(out, bytes, size);
        return;
    }
    for (size_t i = 0; i < size;) {
        size_t plain = i;
        while (plain < size && (unsigned char)bytes[plain] < 0x80) plain++;
        buffer_add(out, bytes + i, plain - i);
        if (plain < size) buffer_add(out, letter, (size_t)code_put(code_of(charset, (unsigned char)bytes[plain]), letter));
        i = plain + 1;
    }
}

/* Without its accent, in its own case. */
static void put_bare(const char *letter, size_t size, uint32_t code, Buffer *out) {
    char bare[8];
    size_t count = word_fold(letter, size, bare, sizeof bare);
    if (!count || (unsigned char)bare[0] >= 0x80) {
        buffer_char(out, '?');
        return;
    }
    for (size_t i = 0; i < count; i++)
        buffer_char(out, (char)(code_is_upper(code) && i == 0 ? code_upper((unsigned char)bare[i]) : (unsigned char)bare[i]));
}

void charset_encode(Charset charset, const char *text, size_t size, Buffer *out) {
    const char *end = text + size;
    if (charset == CHARSET_UTF8) {
        buffer_add(out, text, size);
        return;
    }
    for (int length; text < end; text += length) {
        const char *plain = text;
        while (plain < end && (unsigned char)*plain < 0x80) plain++;
        buffer_add(out, text, (size_t)(plain - text));
        text = plain;
        if (text == end) break;
        uint32_t code = code_point(text, end, &length);
        int byte = byte_of(charset, code);
        if (byte >= 0) buffer_char(out, (char)byte);
        else put_bare(text, (size_t)length, code, out);
    }
}
