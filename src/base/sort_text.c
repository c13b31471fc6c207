/* Words in the order of their bytes: eight bytes at a time as a key, after those that all of them share. */
#include "base/sort.h"

/* How far all words agree from byte `from` on, their ends not counted. */
static size_t common_bytes(const char *const *text, const int32_t *row, int64_t count, size_t from) {
    const char *first = text[row[0]] + from;
    size_t common = strlen(first);
    for (int64_t i = 1; i < count && common; i++) {
        const char *other = text[row[i]] + from;
        size_t same = 0;
        while (same < common && other[same] == first[same]) same++;
        common = same;
    }
    return common;
}

/* Eight bytes as a number that is ordered as they are; zeros after the end. */
static uint64_t text_key(const char *text) {
    uint64_t key = 0;
    for (int i = 0; i < 8; i++) {
        key = key << 8 | (uint8_t)*text;
        text += *text != 0;
    }
    return key;
}

static void sort_from(const char *const *text, Keyed here, Keyed there, int64_t count, size_t from) {
    if (count < 2) return;
    from += common_bytes(text, here.row, count, from);
    for (int64_t i = 0; i < count; i++) here.key[i] = text_key(text[here.row[i]] + from);
    keyed_sort_here(here, there, count);
    for (int64_t first = 0, last; first < count; first = last) {
        for (last = first + 1; last < count && here.key[last] == here.key[first];) last++;
        if (here.key[first] & 255) sort_from(text, keyed_from(here, first), keyed_from(there, first), last - first, from + 8);
    }
}

void text_sort_here(const char *const *text, Keyed here, Keyed there, int64_t count) { sort_from(text, here, there, count, 0); }
