/* What the detectors by surroundings share: contexts.c, ages.c, days.c. */
#ifndef SCRIM_PROSE_CONTEXT_H
#define SCRIM_PROSE_CONTEXT_H
#include "prose/find.h"

typedef struct Context {
    Search *search;
    const char *text;
    size_t size;
    const Lists *lists;
    Error *error;
} Context;

static inline const Token *token_at(const Tokens *tokens, int64_t i) {
    static const Token edge = { .hash = 1, .shape = SHAPE_EDGE };
    return i < 0 || i >= tokens->count ? &edge : &tokens->at[i];
}
static inline bool is_mark(const char *text, const Token *t, char c) { return t->shape == SHAPE_MARK && text[t->start] == c; }
/* Is the token's word in this set of share/scrub/cues.txt? */
static inline bool is_in(const Context *c, const Token *t, SetName set) {
    return (shape_is_word(t->shape) || t->shape == SHAPE_ALNUM) && set_has(c->lists, set, t->hash);
}
static inline int value_of(const char *text, const Token *t) {
    int value = 0;
    for (uint32_t i = t->start; i < t->end && value < 100000 && text[i] >= '0' && text[i] <= '9'; i++) value = value * 10 + (text[i] - '0');
    return value;
}
static inline Status context_add(const Context *c, uint32_t start, uint32_t end, double confidence, unsigned kind) {
    return finds_add(&c->search->candidates, (Find){ start, end, (float)confidence, (uint8_t)kind, FOUND_CUE }, c->error);
}

/* ages.c */
MUST_CHECK Status age_at(const Context *c, int64_t i);       /* a number of its own */
MUST_CHECK Status age_tight_at(const Context *c, int64_t i); /* 93F, 93yo, 90s */
MUST_CHECK Status age_word_at(const Context *c, int64_t i);  /* ninety-three */
/* label_values.c */
MUST_CHECK Status labels_run(const Context *c);
/* streets.c */
MUST_CHECK Status street_at(const Context *c, int64_t i);         /* at the word before a street's name */
MUST_CHECK Status street_before_zip(const Context *c, int64_t i); /* at five digits */
MUST_CHECK Status streets_extend(const Context *c);               /* after all other detectors */
/* stop_words.c */
void doubt_stop_words(const Context *c); /* before the tagger's spans are taken */
/* days.c */
MUST_CHECK Status year_at(const Context *c, int64_t i);
MUST_CHECK Status weekday_at(const Context *c, int64_t i);
MUST_CHECK Status month_at(const Context *c, int64_t i);
MUST_CHECK Status day_word_at(const Context *c, int64_t i); /* "the twenty-second of May" */
MUST_CHECK Status short_days(const Context *c);             /* after all others of this room */
#endif
