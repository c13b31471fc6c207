/* Growing text, nearest names, UTF-8. */
#include "base/text.h"
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool buffer_room(Buffer *buffer, size_t more) {
    if (buffer->failed) return false;
    if (buffer->capacity - buffer->count > more) return true;
    size_t capacity = buffer->capacity ? buffer->capacity * 2 : 256;
    while (capacity - buffer->count <= more) capacity *= 2;
    char *bytes = realloc(buffer->bytes, capacity);
    if (!bytes) {
        buffer->failed = true;
        memory_lost_note();
        return false;
    }
    buffer->bytes = bytes;
    buffer->capacity = capacity;
    return true;
}

void buffer_add(Buffer *buffer, const char *bytes, size_t count) {
    if (!count || !buffer_room(buffer, count)) return;
    memcpy(buffer->bytes + buffer->count, bytes, count);
    buffer->count += count;
}
void buffer_text(Buffer *buffer, const char *text) {
    if (text) buffer_add(buffer, text, strlen(text));
}
void buffer_char(Buffer *buffer, char c) { buffer_add(buffer, &c, 1); }

void buffer_print(Buffer *buffer, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    if (length > 0 && buffer_room(buffer, (size_t)length + 1)) {
        vsnprintf(buffer->bytes + buffer->count, (size_t)length + 1, format, again);
        buffer->count += (size_t)length;
    }
    va_end(args);
    va_end(again);
}

void buffer_free(Buffer *buffer) {
    free(buffer->bytes);
    *buffer = (Buffer){ 0 };
}

const char *buffer_get(Buffer *buffer) {
    if (!buffer_room(buffer, 1)) return "";
    buffer->bytes[buffer->count] = 0;
    return buffer->bytes;
}

bool same_text(const char *a, const char *b) { return a == b || (a && b && !strcmp(a, b)); }

/* Damerau–Levenshtein with adjacent transpositions, on folded bytes; names longer than 63 bytes are compared by their start. */
static int edit_distance(const char *a, const char *b) {
    int n = (int)strnlen(a, 63), m = (int)strnlen(b, 63), d[64][64];
    for (int i = 0; i <= n; i++) d[i][0] = i;
    for (int j = 0; j <= m; j++) d[0][j] = j;
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            char x = (char)tolower((unsigned char)a[i - 1]), y = (char)tolower((unsigned char)b[j - 1]);
            if (x == '_') x = '-';
            if (y == '_') y = '-';
            int best = d[i - 1][j - 1] + (x != y);
            if (d[i - 1][j] + 1 < best) best = d[i - 1][j] + 1;
            if (d[i][j - 1] + 1 < best) best = d[i][j - 1] + 1;
            if (i > 1 && j > 1 && x == (char)tolower((unsigned char)b[j - 2]) && (char)tolower((unsigned char)a[i - 2]) == y &&
                d[i - 2][j - 2] + 1 < best)
                best = d[i - 2][j - 2] + 1;
            d[i][j] = best;
        }
    return d[n][m];
}

const char *nearest_name(const char *name, const char *const *candidates, size_t count) {
    const char *best = NULL;
    int least = 0;
    size_t length = strlen(name);
    for (size_t i = 0; i < count; i++) {
        int distance = edit_distance(name, candidates[i]);
        bool begins = length >= 2 && !strncasecmp(candidates[i], name, length);
        if (begins && distance > 1) distance = 1;
        if (!best || distance < least) {
            best = candidates[i];
            least = distance;
        }
    }
    int allowed = length <= 1 ? 0 : length <= 2 ? 1 : length <= 5 ? 2 : (int)(length / 3) + 1;
    return best && least <= allowed ? best : NULL;
}

int utf8_length(const char *p, const char *end) {
    const unsigned char *s = (const unsigned char *)p;
    ptrdiff_t left = end - p;
    if (left < 1) return 0;
    if (s[0] < 0x80) return 1;
    if (s[0] >= 0xC2 && s[0] < 0xE0) return left > 1 && (s[1] & 0xC0) == 0x80 ? 2 : 0;
    if ((s[0] & 0xF0) == 0xE0) {
        if (left < 3 || (s[1] & 0xC0) != 0x80 || (s[2] & 0xC0) != 0x80) return 0;
        return (s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xED && s[1] >= 0xA0) ? 0 : 3;
    }
    if (s[0] >= 0xF0 && s[0] <= 0xF4) {
        if (left < 4 || (s[1] & 0xC0) != 0x80 || (s[2] & 0xC0) != 0x80 || (s[3] & 0xC0) != 0x80) return 0;
        return (s[0] == 0xF0 && s[1] < 0x90) || (s[0] == 0xF4 && s[1] >= 0x90) ? 0 : 4;
    }
    return 0;
}

const char *text_fault(const char *at, size_t length) {
    const char *end = at + length;
    while (at < end) {
        uint64_t eight;
        while (end - at >= 8) { /* eight bytes of 1…127 at a time */
            memcpy(&eight, at, 8);
            if ((eight | (eight - UINT64_C(0x0101010101010101))) & UINT64_C(0x8080808080808080)) break;
            at += 8;
        }
        if (at == end) break;
        if (!*at) return "holds a NUL byte";
        int step = utf8_length(at, end);
        if (!step) return "is not UTF-8";
        at += step;
    }
    return NULL;
}

int64_t utf8_count(const char *text) {
    int64_t count = 0;
    for (; *text; text++) count += ((unsigned char)*text & 0xC0) != 0x80;
    return count;
}

/* Wide blocks (CJK, Hangul, kana, emoji) take two columns. */
int utf8_width(const char *text) {
    int width = 0;
    for (const char *p = text, *end = text + strlen(text); p < end;) {
        int length = utf8_length(p, end);
        const unsigned char *s = (const unsigned char *)p;
        width += (length == 3 && s[0] >= 0xE3 && s[0] <= 0xED) || (length == 4 && s[0] == 0xF0 && s[1] >= 0x9F) ? 2 : 1;
        p += length ? length : 1;
    }
    return width;
}

bool text_cut_fields(char *line, int fields, char **field) {
    int count = 0;
    for (char *at = line; at; count++) {
        char *tab = strchr(at, '\t');
        if (tab) *tab++ = 0;
        if (count == fields || !*at) return false;
        field[count] = at;
        at = tab;
    }
    return count == fields;
}
