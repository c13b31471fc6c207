/* Ages: a number with "years", "y/o" or a sex beside it, after a word that announces one, or between commas behind a name. */
#include <string.h>
#include <strings.h>
#include "prose/context.h"

enum { OLDEST = 125 };

/* Nothing of the sentence goes on: a mark, a line end, the end. */
static bool ends_at(const Context *c, int64_t i) {
    const Tokens *k = &c->search->tokens;
    const Token *t = token_at(k, i);
    return t->shape >= SHAPE_LINE ||
           (t->shape == SHAPE_MARK && strchr(".,;!?)-", c->text[t->start]) && !shape_is_number(token_at(k, i + 1)->shape));
}

/* "58 Jahre", "95 ans", "91 años", "77 J.": years of age and years gone by are the same words; what stands before tells them apart. */
static double age_by_years(const Context *c, int64_t i, int64_t unit) {
    const Tokens *k = &c->search->tokens;
    const Token *before = token_at(k, i - 1);
    bool brief = k->at[unit].end - k->at[unit].start == 1; /* J., a. */
    if (brief && !is_mark(c->text, token_at(k, unit + 1), '.')) return 0;
    if (is_in(c, token_at(k, unit + 1), SET_OF) && is_in(c, token_at(k, unit + 2), SET_COURSE)) return 0; /* "de 2 años de evolución" */
    if (is_in(c, before, SET_PATIENT)) return 0.9;
    if (is_in(c, before, SET_NOT_AGE) || (is_in(c, before, SET_HAS) && is_in(c, token_at(k, i - 2), SET_NOT_AGE))) return 0;
    if (before->shape >= SHAPE_MARK) return is_mark(c->text, before, ',') || ends_at(c, unit + 1 + brief) || brief ? 0.8 : 0;
    return shape_is_word(before->shape) && !brief && (is_in(c, before, SET_AGE_AFTER) || ends_at(c, unit + 1)) ? 0.8 : 0;
}

/* "79 years old", "79-year-old", "79 y/o", "de 79 años", "79-jährige": how sure that the number of tokens i to last is an age by what
 * follows. */
static double age_by_next(const Context *c, int64_t i, int64_t last) {
    const Tokens *k = &c->search->tokens;
    int64_t n = last + 1;
    if (is_mark(c->text, token_at(k, n), '-')) n++;
    const Token *a = token_at(k, n), *b = token_at(k, n + 1), *d = token_at(k, n + 2);
    if (is_in(c, a, SET_YEARS_OLD)) return 0.98;
    if (is_in(c, a, SET_Y) && is_mark(c->text, b, '/') && is_in(c, d, SET_O)) return 0.98;
    bool alone = is_in(c, a, SET_YEARS_ALONE);
    if (!alone && !is_in(c, a, SET_YEARS)) return 0;
    if (is_mark(c->text, b, '-')) b = d;
    if (is_in(c, b, SET_OLD) || (is_in(c, b, SET_OF) && is_in(c, d, SET_OLD))) return 0.98;
    if (is_mark(c->text, token_at(k, i - 1), '(') && is_mark(c->text, b, ')')) return 0.8; /* "(93 y)" */
    return alone ? age_by_years(c, i, n) : 0;
}

static double age_by_before(const Context *c, int64_t i) {
    const Tokens *k = &c->search->tokens;
    const Token *b1 = token_at(k, i - 1), *b2 = token_at(k, i - 2), *a1 = token_at(k, i + 1);
    bool of = is_in(c, b1, SET_OF) && (b2->cues & CUE_AGE || is_in(c, b2, SET_DIED)); /* "at the age of 93", "died at 93" */
    if ((of || cues_chain(k, i) & CUE_AGE) && !(shape_is_word(a1->shape) && a1->cues & CUE_PHONE)) return 0.93;
    bool ends = a1->shape >= SHAPE_LINE ||
                (a1->shape == SHAPE_MARK && strchr(".,;!?)", c->text[a1->start]) && !shape_is_number(token_at(k, i + 2)->shape));
    ends |= is_in(c, a1, SET_NOW); /* "is 93 now" */
    if (ends && is_in(c, b1, SET_BE) && (is_in(c, b2, SET_WHO) || b2->shape == SHAPE_CAPITAL)) return 0.65;
    return is_mark(c->text, b1, '\'') && is_in(c, b2, SET_WHO) && ends ? 0.6 : 0;
}

/* "John Smith, 42, of Leeds": by the tagger, a person before it. */
static double age_by_name(const Context *c, int64_t i) {
    const Tokens *k = &c->search->tokens;
    if (i < 2) return 0;
    const Token *b1 = token_at(k, i - 1), *a1 = token_at(k, i + 1);
    bool brackets = is_mark(c->text, b1, '(') && is_mark(c->text, a1, ')') && b1->flags & TOKEN_SPACED; /* not the page ls(1) */
    bool between = brackets || (is_mark(c->text, b1, ',') && is_mark(c->text, a1, ','));
    return between && c->search->tags[i - 2][TAG_PERSON] > 0.5f ? 0.85 : 0;
}

Status age_at(const Context *c, int64_t i) {
    const Token *t = &c->search->tokens.at[i];
    int value = value_of(c->text, t);
    if (value > OLDEST || (t->start && c->text[t->start - 1] == '.')) return OK;
    double sure = age_by_next(c, i, i), other = age_by_before(c, i);
    if (other > sure) sure = other;
    other = age_by_name(c, i);
    if (other > sure) sure = other;
    return sure > 0 ? context_add(c, t->start, t->end, sure, TRACE_AGE) : OK;
}

/* "93F", "58M": a capital for the sex, behind what opens a note or a sentence, and before what goes on as notes do. Sizes ("48M") and
 * grades ("90F") stand otherwise. */
static double age_by_sex(const Context *c, int64_t i, int value) {
    const Token *before = token_at(&c->search->tokens, i - 1), *after = token_at(&c->search->tokens, i + 1);
    bool opens = before->shape >= SHAPE_MARK || is_in(c, before, SET_TENTH) || is_in(c, before, SET_PATIENT);
    return value >= 10 && opens && (ends_at(c, i + 1) || is_in(c, after, SET_GOES_ON)) ? 0.8 : 0;
}

Status age_tight_at(const Context *c, int64_t i) {
    const Token *t = &c->search->tokens.at[i], *before = token_at(&c->search->tokens, i - 1);
    uint32_t digits = t->start;
    int value = value_of(c->text, t);
    while (digits < t->end && c->text[digits] >= '0' && c->text[digits] <= '9') digits++;
    if (digits == t->start || digits - t->start > 3 || digits == t->end || value > OLDEST) return OK;
    uint64_t tail = letters_hash(c->text + digits, t->end - digits);
    char last = c->text[digits];
    double sure = 0;
    if (set_has(c->lists, SET_AGE_TAIL, tail)) sure = 0.95;
    else if (set_has(c->lists, SET_YEARS_ALONE, tail) && is_in(c, before, SET_PATIENT)) sure = 0.9;
    else if (t->end - digits == 1 && (last == 'F' || last == 'M')) sure = age_by_sex(c, i, value);
    else if (t->end - digits == 1 && last == 's' && value >= 90 && is_in(c, before, SET_DECADE)) sure = 0.9; /* "in her 90s" */
    return sure > 0 ? context_add(c, t->start, digits, sure, TRACE_AGE) : OK;
}

/* ---- In letters ---- */

/* How many bytes of a word are a number from 90 to 99 in letters: "ninety-three" of "ninety-three-year-old", "dreiundneunzig". */
static size_t ninety_in(const char *word, size_t size) {
    static const char *const heads[] = { "ninety",
                                         "noventa",
                                         "quatre-vingt-dix",
                                         "quatre-vingt-onze",
                                         "quatre-vingt-douze",
                                         "quatre-vingt-treize",
                                         "quatre-vingt-quatorze",
                                         "quatre-vingt-quinze",
                                         "quatre-vingt-seize" };
    static const char *const ones[] = { "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "sept", "huit", "neuf" };
    for (size_t at = 0; at + 7 <= size && at <= 13; at++) /* "neunundneunzig" has the longest head */
        if (!strncasecmp(word + at, "neunzig", 7)) return at + 7;
    for (size_t h = 0; h < sizeof heads / sizeof *heads; h++) {
        size_t n = strlen(heads[h]);
        if (size < n || strncasecmp(word, heads[h], n)) continue;
        for (size_t o = 0; o < sizeof ones / sizeof *ones; o++) {
            size_t more = strlen(ones[o]);
            if (size > n + more && word[n] == '-' && !strncasecmp(word + n + 1, ones[o], more)) return n + 1 + more;
        }
        return n;
    }
    return 0;
}

/* "ninety three", "noventa y dos": the token that the number ends with. */
static int64_t ninety_end(const Context *c, int64_t i) {
    const Tokens *k = &c->search->tokens;
    int64_t n = is_in(c, token_at(k, i + 1), SET_Y) ? i + 2 : i + 1;
    return is_in(c, token_at(k, n), SET_ONES) ? n : i;
}

/* "I am ninety-one and …", "I'm …": said of somebody. */
static bool says_age(const Context *c, int64_t i) {
    const Tokens *k = &c->search->tokens;
    const Token *be = token_at(k, i - 1);
    return is_in(c, be, SET_SAYS) || (is_in(c, be, SET_BE) && is_in(c, token_at(k, i - 2), SET_WHO));
}

/* Ages over 89 in letters; those below may stand, and are left. */
Status age_word_at(const Context *c, int64_t i) {
    const Token *t = &c->search->tokens.at[i];
    const char *word = c->text + t->start;
    size_t size = t->end - t->start, number = ninety_in(word, size);
    if (!number) return OK;
    if (number < size) {
        size_t from = number + (word[number] == '-');
        bool old = set_has(c->lists, SET_YEARS_OLD, letters_hash(word + from, size - from));
        return old ? context_add(c, t->start, t->start + (uint32_t)number, 0.98, TRACE_AGE) : OK;
    }
    int64_t last = ninety_end(c, i);
    const Tokens *k = &c->search->tokens;
    if (is_in(c, token_at(k, last + 1), SET_AND) && says_age(c, i)) return context_add(c, t->start, k->at[last].end, 0.65, TRACE_AGE);
    double after = age_by_next(c, i, last), before = last == i                                     ? age_by_before(c, i)
                                                     : cues_chain(&c->search->tokens, i) & CUE_AGE ? 0.93
                                                                                                   : 0;
    double sure = after > before ? after : before;
    return sure > 0 ? context_add(c, t->start, c->search->tokens.at[last].end, sure, TRACE_AGE) : OK;
}
