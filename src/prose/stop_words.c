/* What names nobody though it looks like a name: eponyms of diseases and methods, products, headings and units. */
#include <string.h>
#include "prose/context.h"

/* What a site has marked as a number or a date of its own stays. */
static void set_other(Search *s, int64_t i) {
    if (s->tags[i][TAG_NUMBER] + s->tags[i][TAG_DATE] > 0.5f) return;
    memset(s->tags[i], 0, sizeof s->tags[i]);
    s->tags[i][TAG_OTHER] = 1;
}

static bool is_eponym(const Search *s, int64_t i) {
    const Token *t = &s->tokens.at[i], *next = i + 1 < s->tokens.count ? t + 1 : NULL;
    if (!shape_is_cased(t->shape)) return false;
    return !(t->lists & LIST_GIVEN && next && next->shape == SHAPE_CAPITAL && next->lists & (LIST_SURNAME | LIST_GIVEN));
}

/* "síndrome de Cowden", "test de Schirmer", "escala de Korttila y Linnolia", "Morbus Crohn". */
static void after_head(const Context *c, int64_t i) {
    Search *s = c->search;
    int64_t n = i + 1;
    while (n < i + 3 && n < s->tokens.count && is_in(c, &s->tokens.at[n], SET_OF)) n++;
    if (n == i + 1 && s->tokens.at[i].shape == SHAPE_LOWER && !(n < s->tokens.count && s->tokens.at[n].start == s->tokens.at[i].end + 1))
        return;
    for (int words = 0; n < s->tokens.count && words < 4; n++) {
        const Token *t = &s->tokens.at[n];
        bool joint = (t->shape == SHAPE_MARK && strchr("-'", c->text[t->start])) || is_in(c, t, SET_Y) || is_in(c, t, SET_AND) ||
                     t->lists & (LIST_PARTICLE | LIST_PARTICLE_MORE);
        if (!joint && !is_eponym(s, n)) return;
        words += !joint;
        if (s->tags[n][TAG_OTHER] < 0.9f) set_other(s, n);
    }
}

/* "Cowden syndrome", "Parkinson's disease". */
static void before_tail(const Context *c, int64_t i) {
    Search *s = c->search;
    for (int64_t n = i - 1, words = 0; n >= 0 && words < 2; n--) {
        const Token *t = &s->tokens.at[n];
        bool joint = t->shape == SHAPE_MARK && strchr("-'\xe2", c->text[t->start]);
        if (!joint && (!is_eponym(s, n) || t->lists & (LIST_TITLE | LIST_ROLE))) return;
        words += !joint;
        set_other(s, n);
    }
}

/* "Durogesic® Matrix": what stands before the mark is a product. */
static bool is_product_mark(const Context *c, const Token *t) {
    const char *p = c->text + t->start;
    return t->shape == SHAPE_MARK && t->end - t->start >= 2 && (!memcmp(p, "®", 2) || (t->end - t->start == 3 && !memcmp(p, "™", 3)));
}

static void before_product_mark(const Context *c, int64_t i) {
    Search *s = c->search;
    for (int64_t n = i - 1; n >= 0 && n >= i - 2 && shape_is_word(s->tokens.at[n].shape); n--) set_other(s, n);
    if (i + 1 < s->tokens.count && s->tokens.at[i + 1].start == s->tokens.at[i].end + 1 && shape_is_cased(s->tokens.at[i + 1].shape))
        set_other(s, i + 1);
}

/* A heading names nobody, nor does the first of what stands behind one that is followed by no person ("Servicio: Urología"). */
static void at_colon(const Context *c, int64_t i) {
    Search *s = c->search;
    size_t start;
    Label label = label_before(&s->finder->labels, c->text, s->tokens.at[i].start, &start);
    if (label == LABEL_NONE) return;
    for (int64_t n = i - 1; n >= 0 && s->tokens.at[n].start >= start; n--) set_other(s, n);
    for (int64_t n = i + 1; label == LABEL_NOT && n < s->tokens.count && n < i + 5 && shape_is_word(s->tokens.at[n].shape); n++)
        if (!(s->tokens.at[n].lists & (LIST_GIVEN | LIST_TITLE))) set_other(s, n);
        else return;
}

void doubt_stop_words(const Context *c) {
    Search *s = c->search;
    for (int64_t i = 0; i < s->tokens.count; i++) {
        const Token *t = &s->tokens.at[i];
        if (t->shape == SHAPE_MARK) {
            if (c->text[t->start] == ':') at_colon(c, i);
            else if (is_product_mark(c, t)) before_product_mark(c, i);
        } else if (t->lists & LIST_RULE && shape_is_word(t->shape) && t->end - t->start >= 3) {
            if (is_in(c, t, SET_EPONYM_HEAD)) after_head(c, i);
            if (is_in(c, t, SET_EPONYM_TAIL)) before_tail(c, i);
        }
    }
}
