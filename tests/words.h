/* Commands cut into words. */
#ifndef SCRIM_TESTS_WORDS_H
#define SCRIM_TESTS_WORDS_H
#include <stdbool.h>
#include <string.h>

/* A command as a shell would cut it, in place. */
static inline int words_of(char *text, char **words) {
    int count = 0;
    while (*text) {
        while (*text == ' ') text++;
        if (!*text) break;
        char stop = *text == '\'' || *text == '"' ? *text++ : ' ';
        words[count++] = text;
        while (*text && *text != stop) text++;
        if (*text) *text++ = 0;
    }
    return count;
}

/* Without what the program takes for itself (-o FILE, --seed N, …), in place: how many are left. */
static inline int words_of_method(int count, char **words) {
    static const char *const with_value[] = { "-o", "--output", "--format", "--seed", "--seed-file", "--threads", "--types", "--na", NULL };
    int kept = 0;
    for (int at = 0; at < count; at++) {
        bool skip = false;
        for (int i = 0; with_value[i]; i++) skip |= !strcmp(words[at], with_value[i]);
        if (skip) at++;
        else words[kept++] = words[at];
    }
    return kept;
}
#endif
