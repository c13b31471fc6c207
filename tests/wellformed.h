/* Is text well-formed XML (or HTML as this project writes it)? Tags nest, attributes are quoted, & begins an entity. */
#ifndef SCRIM_WELLFORMED_H
#define SCRIM_WELLFORMED_H
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Past the attributes of a tag, or NULL. */
static inline const char *wellformed_attributes(const char *p) {
    for (;;) {
        while (isspace((unsigned char)*p)) p++;
        if (*p == '>' || (*p == '/' && p[1] == '>') || (*p == '?' && p[1] == '>')) return p;
        while (isalnum((unsigned char)*p) || strchr("-_:", *p)) {
            if (!*p) return NULL;
            p++;
        }
        if (*p++ != '=' || *p++ != '"') return NULL;
        for (; *p != '"'; p++)
            if (!*p || *p == '<') return NULL;
        p++;
    }
}

/* NULL where it is; else where it stops being so. */
static inline const char *wellformed(const char *text) {
    static const char *const empty[] = { "meta", "br", "hr", "img", NULL };
    char stack[64][32];
    int depth = 0;
    for (const char *p = text; *p;) {
        if (*p == '&') {
            size_t length = 1 + strcspn(p + 1, ";<& ");
            if (p[length] != ';' || length < 2) return p;
            p += length;
        } else if (*p == '<' && p[1] == '!') {
            p += strcspn(p, ">");
        } else if (*p == '<' && p[1] == '/') {
            size_t length = strcspn(p + 2, ">");
            if (!depth || strlen(stack[depth - 1]) != length || strncmp(stack[depth - 1], p + 2, length)) return p;
            depth--;
            p += 2 + length;
        } else if (*p == '<') {
            const char *start = p++;
            size_t length = strspn(p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-?");
            if (!length || length > 31 || depth > 63) return start;
            snprintf(stack[depth], sizeof stack[depth], "%.*s", (int)length, p);
            p = wellformed_attributes(p + length);
            if (!p) return start;
            bool closed = *p != '>';
            for (int i = 0; empty[i]; i++) closed |= !strcmp(stack[depth], empty[i]);
            if (*p != '>') p++;
            depth += !closed;
        } else if ((unsigned char)*p < 0x20 && !isspace((unsigned char)*p)) return p;
        if (*p) p++;
    }
    return depth ? "an element stays open" : NULL;
}
#define assert_wellformed(text)                                                                                                            \
    do {                                                                                                                                   \
        const char *at = wellformed(text);                                                                                                 \
        if (at) fail_msg("not well-formed at: %.80s", at);                                                                                 \
    } while (0)
#endif
