/* Dates that only their surroundings tell: years, months and weekdays alone, days in letters, short weekdays beside a date. */
#include <string.h>
#include "prose/context.h"

/* A bare year: by the word before it, and by what is counted after it. */
Status year_at(const Context *c, int64_t i) {
    const Tokens *k = &c->search->tokens;
    const Token *t = &k->at[i], *b1 = token_at(k, i - 1), *a1 = token_at(k, i + 1);
    int value = value_of(c->text, t);
    bool old = value >= 1700 && value < 1900 && is_in(c, b1, SET_SINCE); /* more often a number than a year */
    if ((value < 1900 && !old) || value > 2099 || c->search->tags[i][TAG_STREET] + c->search->tags[i][TAG_ZIP] > 0.5f) return OK;
    char before = t->start ? c->text[t->start - 1] : ' ', after = t->end < c->size ? c->text[t->end] : ' ';
    if (strchr("$#.,/-_", before) || strchr("/_%$", after) ||
        (strchr(".,-:", after) && t->end + 1 < c->size && c->text[t->end + 1] >= '0' && c->text[t->end + 1] <= '9'))
        return OK;
    double sure = 0.5;
    if (shape_is_number(b1->shape) || shape_is_number(a1->shape)) sure = 0.2;
    else if (is_in(c, b1, SET_SINCE)) sure = 0.8;
    else if (b1->cues & CUE_DATE || b1->lists & (LIST_MONTH | LIST_DAY)) sure = 0.85;
    else if (is_in(c, b1, SET_TENTH)) sure = 0.65;
    else if (a1->shape == SHAPE_LOWER) sure = 0.35;
    bool joins = a1->lists & LIST_ORDINARY && (!old || a1->end - a1->start <= 4); /* "1889 pour", not "1800 bytes" */
    if (a1->shape == SHAPE_LOWER && !joins && sure > 0.6) sure = old ? 0.25 : 0.6;
    return context_add(c, t->start, t->end, sure, TRACE_DATE);
}

Status weekday_at(const Context *c, int64_t i) {
    const Token *t = &c->search->tokens.at[i];
    if (t->end - t->start <= 4) return OK; /* "Sat", "Wed": more often other words */
    return context_add(c, t->start, t->end, 0.6, TRACE_DATE);
}

/* "in June", "last March", "im November", "en février": a month alone, after a word that leads to a time. Short forms, and months in small
 * letters where they have capitals, are other words as often. */
Status month_at(const Context *c, int64_t i) {
    const Tokens *k = &c->search->tokens;
    const Token *t = &k->at[i], *b1 = token_at(k, i - 1);
    bool small = t->shape == SHAPE_LOWER, led = is_in(c, b1, SET_MONTH_AFTER);
    if (t->end - t->start < (small ? 4 : 3) || t->shape == SHAPE_UPPER || !led) return OK;
    if (small && !is_in(c, t, SET_SMALL_MONTHS)) return OK;
    return context_add(c, t->start, t->end, 0.6, TRACE_DATE);
}

/* "two thousand nineteen", "de dos mil veinte", "deux mille vingt et un": the last token of a year in letters from token i on; i − 1 where
 * there is none. */
static int64_t year_in_letters(const Context *c, int64_t i) {
    const Tokens *k = &c->search->tokens;
    int64_t last = i - 1;
    bool thousand = false;
    for (int64_t n = i; n < i + 8; n++) {
        const Token *t = token_at(k, n);
        bool number = is_in(c, t, SET_NUMBERS), mil = is_in(c, t, SET_THOUSAND), joint = t->shape == SHAPE_LOWER && is_in(c, t, SET_OF);
        if (!number && !mil && !joint) break;
        thousand |= mil;
        if (!joint) last = n;
    }
    return thousand ? last : i - 1;
}

/* "the twenty-second of May, 2019", "quince de enero", "quatre mars", "zweiten Mai": a day in letters before a month. */
Status day_word_at(const Context *c, int64_t i) {
    const Tokens *k = &c->search->tokens;
    int64_t n = i + 1;
    while (n < i + 4 && (is_in(c, token_at(k, n), SET_OF) || is_in(c, token_at(k, n), SET_NUMBERS) || is_in(c, token_at(k, n), SET_Y))) n++;
    const Token *month = token_at(k, n), *before = token_at(k, i - 2);
    bool follows = before->lists & LIST_MONTH && shape_is_cased(before->shape) && is_in(c, token_at(k, i - 1), SET_OF);
    if (follows) return context_add(c, before->start, k->at[i].end, 0.9, TRACE_DATE); /* "October the ninth" */
    if (!(month->lists & LIST_MONTH) || !shape_is_word(month->shape) || month->end - month->start < 3) return OK;
    int64_t last = year_in_letters(c, n + 1);
    int64_t year = n + 1;
    if (is_mark(c->text, token_at(k, year), ',') || is_in(c, token_at(k, year), SET_OF)) year++;
    if (last == n && token_at(k, year)->shape == SHAPE_4) last = year;
    return context_add(c, k->at[i].start, k->at[last].end, 0.9, TRACE_DATE);
}

/* The first token that begins at this byte or after it. */
static int64_t token_from(const Tokens *tokens, uint32_t byte) {
    int64_t low = 0, high = tokens->count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (tokens->at[middle].start < byte) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* "Fri 14 March", "Mo., 03.05.2021": two letters are other words too ("So 3 May …"), and need a mark after them. */
static const Token *short_day_before(const Context *c, uint32_t start) {
    const Tokens *k = &c->search->tokens;
    int64_t i = token_from(k, start) - 1, last = i;
    while (i >= 0 && i > last - 2 && (is_mark(c->text, &k->at[i], '.') || is_mark(c->text, &k->at[i], ','))) i--;
    const Token *t = token_at(k, i);
    bool day = shape_is_word(t->shape) && is_in(c, t, SET_SHORT_DAYS);
    return day && (t->end - t->start > 2 || i < last) ? t : NULL;
}

/* "14 March 2019 (Fri)", "03.05.2021, Mon": in brackets, or with a capital behind a comma. */
static const Token *short_day_after(const Context *c, uint32_t end) {
    const Tokens *k = &c->search->tokens;
    int64_t i = token_from(k, end);
    const Token *mark = token_at(k, i), *t = token_at(k, i + 1), *close = token_at(k, i + 2);
    bool brackets = is_mark(c->text, mark, '(') && (is_mark(c->text, close, ')') || is_mark(c->text, close, '.'));
    bool comma = is_mark(c->text, mark, ',') && t->shape == SHAPE_CAPITAL && t->end - t->start > 2;
    return (brackets || comma) && is_in(c, t, SET_SHORT_DAYS) ? t : NULL;
}

/* A short weekday beside a date goes with it: if it stayed while the date moves, it would tell the shift but for whole weeks. */
Status short_days(const Context *c) {
    Status status = OK;
    for (int64_t f = 0, count = c->search->candidates.count; f < count; f++) {
        Find find = c->search->candidates.at[f];
        if (find.kind != TRACE_DATE) continue;
        const Token *before = short_day_before(c, find.start), *after = short_day_after(c, find.end);
        if (before) TRY(context_add(c, before->start, before->end, (double)find.confidence, TRACE_DATE));
        if (after) TRY(context_add(c, after->start, after->end, (double)find.confidence, TRACE_DATE));
    }
done:
    return status;
}
