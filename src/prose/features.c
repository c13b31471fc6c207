/* What the tagger sees of a token: buckets of its weights, by hashing (Weinberger et al. 2009: a hashed feature space needs no dictionary).
 */
#include <string.h>
#include "prose/tagger.h"

static uint32_t bucket(uint64_t a, uint64_t b, uint64_t c) {
    uint64_t h = (a * 0x9e3779b97f4a7c15u) ^ (b * 0xc2b2ae3d27d4eb4fu) ^ (c * 0x165667b19e3779f9u);
    h ^= h >> 29;
    h *= 0xbf58476d1ce4e5b9u;
    h ^= h >> 32;
    return (uint32_t)(h >> 8) & (MODEL_BUCKETS - 1);
}

static uint64_t bytes_hash(const char *p, size_t size) {
    uint64_t h = 14695981039346656037u;
    for (size_t i = 0; i < size; i++) h = (h ^ (unsigned char)p[i]) * 1099511628211u;
    return h;
}

/* The first byte of the last n letters of lower-case text, or the whole. */
static size_t tail_at(const char *lower, size_t size, int n) {
    size_t at = size;
    while (at && n) {
        at--;
        if (((unsigned char)lower[at] & 0xc0) != 0x80) n--;
    }
    return at;
}

static size_t head_of(const char *lower, size_t size, int n) {
    size_t at = 0;
    while (at < size && n) {
        at++;
        while (at < size && ((unsigned char)lower[at] & 0xc0) == 0x80) at++;
        n--;
    }
    return at;
}

/* The lists that matter together, packed: names, places, and whether it is an ordinary word. */
static uint32_t list_mask(const Token *t) {
    return t->lists & (LIST_GIVEN | LIST_SURNAME | LIST_CITY | LIST_REGION | LIST_CODE | LIST_ORDINARY | LIST_TITLE | LIST_STREET_AFTER |
                       LIST_STREET_BEFORE | LIST_STREET_SUFFIX | LIST_MONTH | LIST_DAY | LIST_ORGANISATION | LIST_UNIT | LIST_BOX);
}

int word_features(const char *text, const Token *t, int role, uint32_t out[WORD_FEATURES]) {
    int n = 0;
    uint64_t r = (uint64_t)(role + 8);
    char lower[128];
    out[n++] = bucket(1, r, t->word);
    out[n++] = bucket(2, r, t->shape);
    if (role < -1 || role > 1) return n;
    out[n++] = bucket(3, r, list_mask(t));
    for (uint32_t bit = 1; bit <= LIST_STREET_SUFFIX; bit <<= 1)
        if (t->lists & bit && n < WORD_FEATURES - 8) out[n++] = bucket(4, r, bit);
    if (!shape_is_word(t->shape)) return n;
    size_t size = word_lower(text + t->start, t->end - t->start, lower, sizeof lower);
    out[n++] = bucket(5, r, bytes_hash(lower + tail_at(lower, size, 3), size - tail_at(lower, size, 3)));
    if (role) return n;
    out[n++] = bucket(6, t->shape, bytes_hash(lower + tail_at(lower, size, 2), size - tail_at(lower, size, 2)));
    out[n++] = bucket(7, r, bytes_hash(lower + tail_at(lower, size, 4), size - tail_at(lower, size, 4)));
    out[n++] = bucket(8, r, bytes_hash(lower, head_of(lower, size, 3)));
    out[n++] = bucket(9, t->shape, size > 12 ? 12 : size);
    out[n++] = bucket(10, t->shape, list_mask(t));
    out[n++] = bucket(11, memchr(lower, '-', size) != NULL, memchr(lower, '\'', size) != NULL);
    return n;
}

static const Token edge = { .word = 1, .shape = SHAPE_EDGE };
static const Token *near(const Tokens *tokens, int64_t at) { return at < 0 || at >= tokens->count ? &edge : &tokens->at[at]; }

int pair_features(const Tokens *tokens, int64_t at, uint32_t out[PAIR_FEATURES]) {
    const Token *b2 = near(tokens, at - 2), *b1 = near(tokens, at - 1), *t = near(tokens, at), *a1 = near(tokens, at + 1),
                *a2 = near(tokens, at + 2);
    uint64_t mask = list_mask(t), open = t->flags & (TOKEN_SENTENCE | TOKEN_LINE_START), ends = t->flags & TOKEN_LINE_END;
    bool known = t->lists & (LIST_GIVEN | LIST_SURNAME | LIST_CITY | LIST_REGION);
    int n = 0;
    out[n++] = bucket(20, b1->word, t->shape);
    out[n++] = bucket(21, a1->word, t->shape);
    out[n++] = bucket(22, (uint64_t)b1->shape << 8 | t->shape, a1->shape);
    out[n++] = bucket(23, b1->word, mask);
    out[n++] = bucket(24, (uint64_t)b2->shape << 8 | b1->shape, t->shape);
    out[n++] = bucket(25, list_mask(b1), mask);
    out[n++] = bucket(26, mask, list_mask(a1));
    out[n++] = bucket(27, b2->word ^ (b1->word << 1 | b1->word >> 63), t->shape);
    out[n++] = bucket(28, open << 8 | t->shape, mask);
    out[n++] = bucket(29, a1->word ^ (a2->word << 1 | a2->word >> 63), t->shape);
    out[n++] = bucket(30, open | ends << 4 | (uint64_t)(t->flags & TOKEN_POSSESSIVE), t->shape);
    out[n++] = bucket(31, b2->word, (uint64_t)t->shape << 8 | b1->shape);
    out[n++] = bucket(32, (uint64_t)t->shape << 8 | a1->shape, a2->shape);
    out[n++] = bucket(33, (uint64_t)known << 1 | (t->lists & LIST_ORDINARY ? 1 : 0),
                      (uint64_t)b1->shape << 16 | (uint64_t)t->shape << 8 | a1->shape);
    return n;
}
