/* Names that are not repeated. */
#include "base/password.h"
#include <string.h>

static int nibble(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The letter at `at`, %XX undone, small; `next` is where the one after it begins. */
static char letter(const char *at, const char **next) {
    char c = *at;
    *next = at + 1;
    if (c == '%' && nibble(at[1]) >= 0 && nibble(at[2]) >= 0) {
        c = (char)(nibble(at[1]) * 16 + nibble(at[2]));
        *next = at + 3;
    }
    return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

/* WORD = */
static bool sets(const char *at, const char *word) {
    while (*word && *at && letter(at, &at) == *word) word++;
    if (*word) return false;
    at += strspn(at, " \t\n");
    return *at && letter(at, &at) == '=';
}

bool holds_password(const char *name) {
    for (const char *at = name; *at; at++)
        if (sets(at, "password") || sets(at, "passwd") || sets(at, "pwd")) return true;
    const char *scheme = strstr(name, ":/"), *colon = scheme ? strchr(scheme + 1, ':') : NULL, *host = colon ? strchr(colon, '@') : NULL;
    return host && strncmp(colon, ":…@", strlen(":…@")) != 0;
}
