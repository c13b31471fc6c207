/* What only its surroundings tell: numbers after a cue ("MRN 00482913"), post codes, e-mail and web addresses, names after a title. */
#include <string.h>
#include "prose/check_digits.h"
#include "prose/context.h"

static bool is_head(const Token *t) { return t->shape == SHAPE_UPPER || t->shape == SHAPE_INITIAL; }

/* A few capitals before a number, a blank between them, are its head: "KXR 4471". */
static bool leads_number(const Token *t, const Token *number) {
    return is_head(t) && t->end - t->start <= 6 && number->start == t->end + 1 && number->flags & TOKEN_SPACED &&
           (t->lists & (LIST_ORDINARY | LIST_CODE)) != LIST_ORDINARY;
}

/* "dl" in mg/dl: a word tight behind a mark that is tight behind another. */
static bool is_unit_of(const Tokens *tokens, int64_t i) {
    const Token *t = &tokens->at[i], *mark = token_at(tokens, i - 1), *before = token_at(tokens, i - 2);
    return mark->shape == SHAPE_MARK && mark->end == t->start && before->end == mark->start && shape_is_word(before->shape);
}

unsigned cues_chain(const Tokens *tokens, int64_t at) {
    unsigned found = 0;
    for (int64_t i = at - 1; i >= 0 && i >= at - 7; i--) {
        const Token *t = &tokens->at[i];
        if (t->end - t->start <= 2 && t->start && i && is_unit_of(tokens, i)) break; /* "mg/dl" is no licence */
        bool cue = (t->cues & ~(unsigned)CUE_JOINT) != 0, joint = (t->cues & CUE_JOINT) || t->shape == SHAPE_MARK || t->shape == SHAPE_LINE;
        bool head = is_head(t) && i + 1 < at && t->end == tokens->at[i + 1].start; /* HX in HX-2291 */
        head |= i + 1 == at && leads_number(t, &tokens->at[at]);                   /* KXR in KXR 4471 */
        if (t->shape == SHAPE_PARAGRAPH || (!cue && !joint && !head)) break;
        found |= t->cues;
    }
    return found & ~(unsigned)CUE_JOINT;
}

/* A full stop between cue and number parts them, unless a short word stands before it ("Tel. 555…"). */
static bool parts(const Tokens *tokens, int64_t i) {
    const Token *t = &tokens->at[i], *before = token_at(tokens, i - 1), *after = token_at(tokens, i + 1);
    if (t->shape == SHAPE_PARAGRAPH) return true;
    return t->shape == SHAPE_MARK && t->end - t->start == 1 && after->flags & TOKEN_SENTENCE && before->end - before->start > 4 &&
           !(before->cues);
}

unsigned cues_near(const Tokens *tokens, int64_t at) {
    unsigned found = 0;
    for (int64_t i = at - 1; i >= 0 && i >= at - 9 && !parts(tokens, i); i--) found |= tokens->at[i].cues;
    for (int64_t i = at + 1; i < tokens->count && i <= at + 8; i++) {
        const Token *t = &tokens->at[i];
        if (t->shape == SHAPE_LINE || t->shape == SHAPE_PARAGRAPH || (t->shape == SHAPE_MARK && t->word == MARK_COMMA)) break;
        if (shape_is_word(t->shape)) {
            found |= t->cues & (CUE_PHONE | CUE_FAX);
            break;
        }
    }
    return found & ~(unsigned)CUE_JOINT;
}

/* Records, accounts, licences: the kind is the cue's. */
static unsigned cue_kind(unsigned cues) {
    static const struct {
        unsigned cue, kind;
    } order[] = { { CUE_SSN, TRACE_NATIONAL_ID }, { CUE_LICENCE, TRACE_LICENCE }, { CUE_VEHICLE, TRACE_VEHICLE },
                  { CUE_DEVICE, TRACE_DEVICE },   { CUE_PLAN, TRACE_PLAN },       { CUE_BIOMETRIC, TRACE_BIOMETRIC },
                  { CUE_CARD, TRACE_CARD },       { CUE_ACCOUNT, TRACE_ACCOUNT }, { CUE_RECORD, TRACE_RECORD } };
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (cues & order[i].cue) return order[i].kind;
    return TRACES;
}

/* The number goes on over letters, digits and single marks between them: AB-12/345. */
static uint32_t number_end(const Context *c, uint32_t at) {
    while (at < c->size) {
        char x = c->text[at];
        bool in = (x >= '0' && x <= '9') || ((x | 32) >= 'a' && (x | 32) <= 'z');
        bool mark = (x == '-' || x == '/' || x == '.') && at + 1 < c->size &&
                    ((c->text[at + 1] >= '0' && c->text[at + 1] <= '9') || (c->text[at + 1] >= 'A' && c->text[at + 1] <= 'Z'));
        if (!in && !mark) break;
        at++;
    }
    return at;
}

/* "ID XJH123456789", "id no. FP-8832119": a number that somebody is known by, whatever gave it. */
static bool called_id(const Context *c, int64_t at) {
    const Tokens *k = &c->search->tokens;
    for (int64_t i = at - 1; i >= 0 && i >= at - 5; i--) {
        const Token *t = &k->at[i];
        if (is_in(c, t, SET_ID)) return true;
        bool head = is_head(t) && t->end == k->at[i + 1].start;
        if (t->shape >= SHAPE_LINE || (!(t->cues & CUE_JOINT) && t->shape != SHAPE_MARK && !head)) return false;
    }
    return false;
}

/* A group of a number in several: 3309, 118B, or letters with more of it behind them (Cs 447/21). Small letters end it. */
static bool group_goes_on(const Context *c, uint32_t from, uint32_t to) {
    int digits = 0, small = 0;
    for (uint32_t i = from; i < to; i++) {
        digits += c->text[i] >= '0' && c->text[i] <= '9';
        small += c->text[i] >= 'a' && c->text[i] <= 'z';
    }
    if (digits) return !small;
    bool more = to + 1 < c->size && (c->text[to] == ' ' || c->text[to] == '-') && c->text[to + 1] >= '0' && c->text[to + 1] <= '9';
    return more && to - from <= 3 && small < (int)(to - from);
}

/* Where a number that a cue announces ends: over groups with single blanks between them. */
static uint32_t groups_end(const Context *c, uint32_t start) {
    uint32_t end = number_end(c, start);
    for (int group = 0; group < 6 && end + 1 < c->size && c->text[end] == ' '; group++) {
        uint32_t next = number_end(c, end + 1);
        if (next == end + 1 || !group_goes_on(c, end + 1, next)) break;
        end = next;
    }
    return end;
}

/* Where it begins: with the capitals before it. */
static uint32_t number_start(const Context *c, int64_t i) {
    const Tokens *k = &c->search->tokens;
    const Token *t = &k->at[i], *b1 = token_at(k, i - 1), *b2 = token_at(k, i - 2), *b3 = token_at(k, i - 3);
    bool dashed = is_mark(c->text, b1, '-') && b1->end == t->start && is_head(b2) && b2->end == b1->start;
    if (dashed) return b2->start;
    if (!leads_number(b1, t) || b1->cues) return t->start;
    return is_mark(c->text, b2, '-') && b2->end == b1->start && is_head(b3) && b3->end == b2->start ? b3->start : b1->start;
}

static Status cued_number_at(const Context *c, int64_t i) {
    const Tokens *k = &c->search->tokens;
    const Token *t = &k->at[i];
    unsigned kind = cue_kind(cues_chain(k, i));
    bool id = kind == TRACES && called_id(c, i);
    if (kind == TRACES && !id) return OK;
    uint32_t start = number_start(c, i), end = groups_end(c, t->start), first = number_end(c, t->start);
    char digits[64];
    int n = digits_of(c->text + start, end - start, digits, 64);
    bool mixed = n<(int)(end - start), groups = end> first;
    if (n < 4 && !(n >= 3 && mixed)) return OK;
    bool long_enough = n >= 9 && mixed; /* "SS 28/12345678/40": more digits than a date has */
    if (t->shape < SHAPE_3 && (n < 5 || (c->text[t->end] != '-' && !groups && !long_enough)))
        return OK; /* "88-771-2", not "patients 18-24" or a day */
    if (id) return n >= 5 ? context_add(c, start, end, 0.8, TRACE_ID) : OK;
    int value = n == 4 && !mixed ? value_of(c->text, t) : 0;
    double sure = value >= 1900 && value < 2100 ? 0.25 : n >= 6 ? 0.93 : 0.85;
    return context_add(c, start, end, sure, kind);
}

/* "C.P." */
static bool cp_before(const Context *c, int64_t i) {
    const Tokens *k = &c->search->tokens;
    const Token *first = token_at(k, i - 4), *second = token_at(k, i - 2);
    return is_mark(c->text, token_at(k, i - 1), '.') && is_mark(c->text, token_at(k, i - 3), '.') && first->shape == SHAPE_INITIAL &&
           second->shape == SHAPE_INITIAL && c->text[first->start] == 'C' && c->text[second->start] == 'P';
}

/* Five digits after a state or a place are its post code; before a place, in Spain, Germany and France. */
static Status zip_at(const Context *c, int64_t i) {
    const Tokens *k = &c->search->tokens;
    const Token *t = &k->at[i], *b1 = token_at(k, i - 1), *a1 = token_at(k, i + 1);
    bool code = b1->lists & LIST_CODE && b1->shape == SHAPE_UPPER,
         place = b1->lists & (LIST_CITY | LIST_REGION) && shape_is_cased(b1->shape);
    code |= cp_before(c, b1->shape == SHAPE_MARK && c->text[b1->start] == ':' ? i - 1 : i);
    bool after = a1->lists & LIST_CITY && shape_is_cased(a1->shape) && a1->flags & TOKEN_SPACED;
    if ((!code && !place && !after) || (t->start && strchr(".,", c->text[t->start - 1])) ||
        (t->end < c->size && strchr(".,", c->text[t->end]) && shape_is_number(token_at(k, i + 2)->shape)))
        return OK;
    return context_add(c, t->start, t->end, code ? 0.93 : 0.8, TRACE_ZIP);
}

static const Token *after_marks(const Context *c, int64_t i) {
    const Tokens *k = &c->search->tokens;
    while (token_at(k, i + 1)->shape == SHAPE_MARK && strchr(",.-(", c->text[k->at[i + 1].start])) i++;
    return token_at(k, i + 1);
}

static Status number_at(const Context *c, int64_t i) {
    Status status = OK;
    const Token *t = &c->search->tokens.at[i];
    if (t->shape <= SHAPE_3) TRY(age_at(c, i));
    if (t->shape == SHAPE_4) TRY(year_at(c, i));
    if (t->shape == SHAPE_5) TRY(zip_at(c, i));
    if (t->shape == SHAPE_5 && shape_is_cased(after_marks(c, i)->shape)) TRY(street_before_zip(c, i));
    TRY(cued_number_at(c, i));
done:
    return status;
}

static bool local_char(unsigned char c) {
    return c >= 0x80 || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') || (c && strchr("._%+-'", c));
}
static bool domain_char(unsigned char c) {
    return c >= 0x80 || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') || c == '.' || c == '-';
}

/* Around an @: the local part before it, a domain with a dot after it. An @ at the head of a word is a handle. */
static Status mail_at(const Context *c, int64_t i) {
    const Token *t = &c->search->tokens.at[i];
    uint32_t start = t->start, end = t->end;
    bool dot = false;
    while (start && t->start - start < 64 && local_char((unsigned char)c->text[start - 1])) start--;
    while (start < t->start && strchr(".'-", c->text[start])) start++;
    while (end < c->size && end - t->end < 253 && domain_char((unsigned char)c->text[end])) end++;
    while (end > t->end && (c->text[end - 1] == '.' || c->text[end - 1] == '-')) end--;
    for (uint32_t j = t->end; j < end; j++) dot |= c->text[j] == '.' && j > t->end;
    if (start < t->start && dot) return context_add(c, start, end, 0.99, TRACE_EMAIL);
    if (start == t->start && end > t->end + 2) return context_add(c, start, end, 0.6, TRACE_ID);
    return OK;
}

/* At most 2,048 bytes of it: what is longer names no one, and text of nothing but "://" must not be read over and over. */
static uint32_t url_end(const Context *c, uint32_t at) {
    uint32_t most = c->size - at > 2048 ? at + 2048 : (uint32_t)c->size;
    while (at < most && (unsigned char)c->text[at] > ' ' && !strchr("<>\"{}|\\^`", c->text[at])) at++;
    while (at && strchr(".,;:!?)'\"]", c->text[at - 1])) at--;
    return at;
}

/* http://…, www.…, and name.com where the ending is one that is in use. */
static Status url_at(const Context *c, int64_t i) {
    const Tokens *k = &c->search->tokens;
    const Token *t = &k->at[i];
    if (shape_is_word(t->shape) && t->end + 3 < c->size && !memcmp(c->text + t->end, "://", 3))
        return context_add(c, t->start, url_end(c, t->end + 3), 0.99, TRACE_URL);
    if (is_in(c, t, SET_WWW) && t->end + 1 < c->size && c->text[t->end] == '.')
        return context_add(c, t->start, url_end(c, t->end), 0.98, TRACE_URL);
    const Token *next = token_at(k, i + 1);
    if (!is_mark(c->text, t, '.') || !i || !(next->lists & LIST_TLD) || next->start != t->end || (next->shape != SHAPE_LOWER)) return OK;
    uint32_t start = t->start, end = next->end;
    while (start && t->start - start < 253 && domain_char((unsigned char)c->text[start - 1])) start--;
    if (t->start - start < 2 || (start && strchr("@/", c->text[start - 1])) ||
        (end < c->size && (c->text[end] == '@' || c->text[end] == '.')))
        return OK;
    if (end < c->size && c->text[end] == '/') end = url_end(c, end);
    return context_add(c, start, end, 0.85, TRACE_URL);
}

/* Is a capitalised word still of the name that began at `first`? An ordinary one is where a given name stands before it ("Jörg Grün"). */
static bool goes_on_as_name(const Context *c, int64_t first, int64_t i) {
    const Token *t = token_at(&c->search->tokens, i), *before = token_at(&c->search->tokens, i - 1);
    if (!shape_is_cased(t->shape)) return false;
    if (i == first || !(t->lists & LIST_ORDINARY)) return true;
    unsigned other = LIST_TITLE | LIST_ROLE | LIST_DAY | LIST_MONTH | LIST_ORGANISATION | LIST_STREET_AFTER;
    return before->lists & LIST_GIVEN && !(t->lists & other) && !t->cues && t->shape == SHAPE_CAPITAL && t->flags & TOKEN_SPACED;
}

/* "Mrs. Hall", "Herr Dr. Baumann", "M. Petit", "the witness Okafor", "Oma Lisbeth": up to four capitalised words after a form of address,
 * or after what somebody is; there the first must be no ordinary word. */
static Status title_at(const Context *c, int64_t i) {
    const Tokens *k = &c->search->tokens;
    const Token *t = &k->at[i];
    bool address = is_in(c, t, SET_ADDRESS), role = t->lists & LIST_ROLE;
    int64_t n = i + 1, last;
    if ((!address && !role) || (t->shape == SHAPE_UPPER && !role) || (t->shape == SHAPE_INITIAL && !is_mark(c->text, token_at(k, n), '.')))
        return OK;
    unsigned named = LIST_GIVEN | LIST_SURNAME;
    if (is_mark(c->text, token_at(k, n), '.')) n++;
    if (address && (token_at(k, n)->lists & (LIST_ROLE | named)) == LIST_ROLE) n++; /* "Herr Kollege Brandt" */
    const Token *first = token_at(k, n);
    unsigned other = LIST_TITLE | LIST_STREET_AFTER | LIST_ORGANISATION | LIST_ROLE;
    if (!(first->flags & TOKEN_SPACED) || first->lists & (LIST_TITLE | LIST_STREET_AFTER)) return OK;
    if (is_in(c, first, SET_LEADS_TERM)) return OK; /* "14 Hollow Dr. The …" */
    if (!address &&
        (n > i + 1 || first->lists & other || first->shape == SHAPE_INITIAL || (first->lists & LIST_ORDINARY && !(first->lists & named))))
        return OK;
    if (t->shape == SHAPE_UPPER && !(first->lists & named)) return OK;
    for (last = n; last < n + 4 && goes_on_as_name(c, n, last); last++) continue;
    if (last == n || (first->shape == SHAPE_INITIAL && last == n + 1)) return OK;
    bool acronym = first->shape == SHAPE_UPPER && !(first->lists & named) && t->shape != SHAPE_UPPER && !address;
    return acronym ? OK : context_add(c, first->start, k->at[last - 1].end, address ? 0.88 : 0.7, TRACE_PERSON);
}

/* "mr fitzroy": in chats and searches without capitals. */
static Status small_title_at(const Context *c, int64_t i) {
    const Tokens *k = &c->search->tokens;
    int64_t n = is_mark(c->text, token_at(k, i + 1), '.') ? i + 2 : i + 1;
    const Token *name = token_at(k, n);
    bool other = name->lists & LIST_ORDINARY || name->cues || name->lists & (LIST_TITLE | LIST_ROLE | LIST_MONTH | LIST_DAY);
    if (name->shape != SHAPE_LOWER || !(name->flags & TOKEN_SPACED) || name->end - name->start < 3 || other) return OK;
    return context_add(c, name->start, name->end, 0.75, TRACE_PERSON);
}

/* "su hija lucía", "nonna carmela", "son daniel,": a given name in small letters behind what somebody is, perhaps with a surname. */
static Status small_relative_at(const Context *c, int64_t i) {
    const Tokens *k = &c->search->tokens;
    const Token *name = token_at(k, i + 1), *more = token_at(k, i + 2);
    unsigned other = LIST_ORDINARY | LIST_TITLE | LIST_ROLE | LIST_MONTH | LIST_DAY | LIST_ORGANISATION;
    if (name->shape != SHAPE_LOWER || !(name->flags & TOKEN_SPACED) || !(name->lists & LIST_GIVEN) || name->lists & other || name->cues)
        return OK;
    bool surname = more->shape == SHAPE_LOWER && more->flags & TOKEN_SPACED && more->lists & LIST_SURNAME && !(more->lists & other);
    return context_add(c, name->start, surname ? more->end : name->end, 0.75, TRACE_PERSON);
}

/* "oh seven seven, double oh nine …": seven digits or more in letters, over blanks, commas and hyphens, are a number that someone says. */
static Status spoken_at(const Context *c, int64_t i) {
    enum { FEWEST = 7, MOST = 64 };
    const Tokens *k = &c->search->tokens;
    int64_t last = i, count = 1;
    for (int64_t n = i + 1; n < i + MOST; n++) {
        const Token *t = token_at(k, n);
        if (is_in(c, t, SET_DIGITS)) {
            count++;
            last = n;
        } else if (!is_mark(c->text, t, ',') && !is_mark(c->text, t, '-')) break;
    }
    if (count < FEWEST) return OK;
    unsigned kind = cue_kind(cues_near(k, i));
    return context_add(c, k->at[i].start, k->at[last].end, 0.9, kind == TRACES ? TRACE_PHONE : kind);
}

/* What a word announces or is part of, apart from names. */
static Status word_at(const Context *c, int64_t i) {
    Status status = OK;
    const Token *t = &c->search->tokens.at[i];
    size_t size = t->end - t->start;
    const char *word = c->text + t->start; /* ninety, noventa, quatre-vingt-dix, …neunzig */
    if (size >= 6 && (strchr("nNqQ", *word) || (word[size - 1] | 32) == 'g' || memchr(word, '-', size))) TRY(age_word_at(c, i));
    if (t->lists & (LIST_TITLE | LIST_ROLE)) TRY(title_at(c, i));
    if (t->shape == SHAPE_LOWER && is_in(c, t, SET_SMALL_ADDRESS)) TRY(small_title_at(c, i));
    if (t->lists & LIST_ROLE) TRY(small_relative_at(c, i));
    if (is_in(c, t, SET_DIGITS) && !is_in(c, token_at(&c->search->tokens, i - 1), SET_DIGITS)) TRY(spoken_at(c, i));
    if (t->lists & LIST_DAY) TRY(weekday_at(c, i));
    if (t->lists & LIST_MONTH) TRY(month_at(c, i));
    if (t->lists & LIST_DAY_NUMBER) TRY(day_word_at(c, i));
    if (t->lists & LIST_RULE && is_in(c, t, SET_STREET)) TRY(street_at(c, i));
done:
    return status;
}

Status contexts_run(Search *search, const char *text, size_t size, Error *error) {
    Status status = OK;
    Context c = { search, text, size, &search->finder->lists, error };
    for (int64_t i = 0; i < search->tokens.count; i++) {
        const Token *t = &search->tokens.at[i];
        if (shape_is_number(t->shape)) TRY(number_at(&c, i));
        else if (t->shape == SHAPE_ALNUM) {
            TRY(cued_number_at(&c, i));
            TRY(age_tight_at(&c, i));
        } else if (t->shape == SHAPE_MARK) {
            if (text[t->start] == '@') TRY(mail_at(&c, i));
            else if (text[t->start] == '.') TRY(url_at(&c, i));
        } else if (t->end < size && (text[t->end] == ':' || text[t->end] == '.')) TRY(url_at(&c, i));
        if (shape_is_word(t->shape)) TRY(word_at(&c, i));
    }
    TRY(labels_run(&c));
    TRY(short_days(&c));
done:
    return status;
}
