/* Code points: which are letters, their case, their base letter; enough of Unicode for the scripts that have case. */
#include <string.h>
#include "base/text.h"
#include "prose/token.h"

uint32_t code_point(const char *p, const char *end, int *length) {
    const unsigned char *u = (const unsigned char *)p;
    *length = 1;
    if (u[0] < 0x80) return u[0];
    switch (*length = utf8_length(p, end)) {
    case 2: return (uint32_t)(u[0] & 31) << 6 | (u[1] & 63);
    case 3: return (uint32_t)(u[0] & 15) << 12 | (uint32_t)(u[1] & 63) << 6 | (u[2] & 63);
    case 4: return (uint32_t)(u[0] & 7) << 18 | (uint32_t)(u[1] & 63) << 12 | (uint32_t)(u[2] & 63) << 6 | (u[3] & 63);
    default: *length = 1; return 0x80000000u | u[0];
    }
}

int code_put(uint32_t code, char out[4]) {
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        out[0] = (char)(0xc0 | code >> 6);
        out[1] = (char)(0x80 | (code & 63));
        return 2;
    }
    if (code < 0x10000) {
        out[0] = (char)(0xe0 | code >> 12);
        out[1] = (char)(0x80 | (code >> 6 & 63));
        out[2] = (char)(0x80 | (code & 63));
        return 3;
    }
    out[0] = (char)(0xf0 | code >> 18);
    out[1] = (char)(0x80 | (code >> 12 & 63));
    out[2] = (char)(0x80 | (code >> 6 & 63));
    out[3] = (char)(0x80 | (code & 63));
    return 4;
}

/* Marks, signs and symbols among what is not ASCII; the rest of a block counts as letters. */
bool code_is_letter(uint32_t c) {
    if (c < 0x80) return (c | 32) - 'a' < 26;
    if (c < 0xc0) return c == 0xaa || c == 0xb5 || c == 0xba;
    if (c == 0xd7 || c == 0xf7 || c & 0x80000000u) return false;
    if (c >= 0x2000 && c < 0x2c00) return false;
    if (c >= 0x2e00 && c < 0x2e80) return false;
    if (c >= 0x3000 && c < 0x3040) return false;
    if (c >= 0xe000 && c < 0xf900) return false;
    if ((c >= 0xfe00 && c < 0xfe70) || (c >= 0xff00 && c < 0xff21) || c >= 0xfff0) return c >= 0x20000 && c < 0x32000;
    return true;
}

/* The alphabets with case: Latin with its extensions, Greek, Cyrillic, Armenian. Pairs lie beside each other or at a fixed distance. */
uint32_t code_lower(uint32_t c) {
    if (c < 0x80) return c - 'A' < 26 ? c + 32 : c;
    if (c < 0x100) return c >= 0xc0 && c <= 0xde && c != 0xd7 ? c + 32 : c;
    if (c == 0x130) return 'i';
    if (c == 0x178) return 0xff;
    if ((c >= 0x139 && c <= 0x148) || (c >= 0x179 && c <= 0x17e)) return c & 1 ? c + 1 : c;
    if (c < 0x180) return c & 1 || c == 0x138 ? c : c + 1;
    if (c == 0x218 || c == 0x21a || (c >= 0x1e00 && c < 0x1f00 && (c < 0x1e96 || c > 0x1e9f))) return c | 1;
    if (c == 0x386) return 0x3ac;
    if (c >= 0x388 && c <= 0x38a) return c + 37;
    if (c == 0x38c) return 0x3cc;
    if (c == 0x38e || c == 0x38f) return c + 63;
    if (c >= 0x391 && c <= 0x3ab) return c + 32;
    if (c >= 0x400 && c < 0x410) return c + 80;
    if (c >= 0x410 && c < 0x430) return c + 32;
    if (c >= 0x531 && c < 0x557) return c + 48;
    return c;
}

bool code_is_upper(uint32_t c) { return code_lower(c) != c; }

uint32_t code_upper(uint32_t c) {
    if (c < 0x80) return c - 'a' < 26 ? c - 32 : c;
    static const uint8_t steps[] = { 32, 1, 80, 37, 63, 48 };
    if (c == 0xdf || c == 0xff || c == 'i') return c == 0xff ? 0x178 : c;
    for (size_t i = 0; i < sizeof steps; i++)
        if (c > steps[i] && code_lower(c - steps[i]) == c) return c - steps[i];
    return c;
}

/* The letter below the accents: enough for names as they are typed without them. */
static const char *base_letters(uint32_t c) {
    static const char latin1[] = "aaaaaaaceeeeiiiidnooooo_ouuuuybsaaaaaaaceeeeiiiidnooooo_ouuuuyby";
    static const char extended[] = "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkkllllllllll"
                                   "nnnnnnnnnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";
    if (c >= 0xc0 && c < 0x100) return c == 0xdf ? "ss" : c == 0xe6 || c == 0xc6 ? "ae" : c == 0xfe || c == 0xde ? "th" : &latin1[c - 0xc0];
    if (c == 0x152 || c == 0x153) return "oe";
    if (c >= 0x100 && c < 0x180) return &extended[c - 0x100];
    return NULL;
}

size_t word_lower(const char *word, size_t size, char *out, size_t room) {
    const char *end = word + size;
    size_t used = 0;
    for (int length; word < end && used + 4 < room; word += length) {
        if ((unsigned char)*word < 0x80) { /* nearly all of most text */
            out[used++] = (char)code_lower((unsigned char)*word);
            length = 1;
            continue;
        }
        uint32_t code = code_point(word, end, &length);
        if (code & 0x80000000u) out[used++] = *word;
        else used += (size_t)code_put(code_lower(code), out + used);
    }
    if (room) out[used] = 0;
    return used;
}

size_t word_fold(const char *word, size_t size, char *out, size_t room) {
    const char *end = word + size;
    size_t used = 0;
    for (int length; word < end && used + 4 < room; word += length) {
        uint32_t code = code_point(word, end, &length);
        const char *base = code >= 0xc0 ? base_letters(code) : NULL;
        bool pair =
            base && (code == 0xdf || code == 0xe6 || code == 0xc6 || code == 0xfe || code == 0xde || code == 0x152 || code == 0x153);
        if (code & 0x80000000u) out[used++] = *word;
        else if (pair) {
            out[used++] = base[0];
            out[used++] = base[1];
        } else if (base) out[used++] = *base;
        else used += (size_t)code_put(code_lower(code), out + used);
    }
    if (room) out[used] = 0;
    return used;
}
