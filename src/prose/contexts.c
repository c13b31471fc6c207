/* What only its surroundings tell: ages, years, weekdays, numbers after a cue ("MRN 00482913"), e-mail and web addresses. */
#include <string.h>
#include <strings.h>
#include "prose/checks.h"
#include "prose/find.h"

static uint64_t hash_of(const char *word) { return letters_hash(word, strlen(word)); }

/* Sets of words, by hash; small enough to be searched through. */
enum { SET = 48 };
typedef struct WordSet {
    uint64_t at[SET];
    int count;
} WordSet;
static WordSet set_of(const char *words) {
    WordSet set = { .count = 0 };
    while (*words && set.count < SET) {
        size_t n = strcspn(words, " ");
        set.at[set.count++] = letters_hash(words, n);
        words += n + (words[n] == ' ');
    }
    return set;
}
static bool in_set(const WordSet *set, uint64_t hash) {
    for (int i = 0; i < set->count; i++)
        if (set->at[i] == hash) return true;
    return false;
}

typedef struct Words {
    WordSet years_old, old, years, not_age, be, who, since, tenth, titles, short_days, id, ones;
} Words;
static Words words_make(void) {
    return (Words){
        .years_old =
            set_of("year-old years-old yr-old month-old week-old day-old months-old yo y.o y.o. jährige jähriger jährigen jähriges jährig"),
        .old = set_of("old alt age"),
        .years = set_of("years year yrs yr y months month weeks años año ans jahre jahren j"),
        .not_age = set_of("hace durante depuis pendant dans en por seit vor après últimos pour sur for last past next over the every each "
                          "within after in about y"),
        .be = set_of("was is am be m tiene tengo cumple cumplió tenía ist bin war a ai avait"),
        .who = set_of("he she i who that it él ella er sie ich il elle je j"),
        .since = set_of("in since of during from until by around circa before after to year early late mid summer winter spring fall "
                        "autumn en de desde hasta del año seit im jahr um bis ab anno depuis avant après jusqu'en fin dès"),
        .tenth = set_of("a an the this that el la un une le der die das ein eine"),
        .titles = set_of("mr mrs ms dr prof sr sra srta dra dña doña herr herrn frau mme mlle m monsieur madame mx"),
        .short_days = set_of(
            "mon tue tues wed thu thur thurs fri sat sun mo di mi do fr sa so lun mar mié mie jue vie sáb sab dom mer jeu ven sam dim"),
        .id = set_of("id ids identifier identification"),
        .ones = set_of("one two three four five six seven eight nine uno un una dos tres cuatro cinco seis siete ocho nueve")
    };
}

static const Token *token_at(const Tokens *tokens, int64_t i) {
    static const Token edge = { .hash = 1, .shape = SHAPE_EDGE };
    return i < 0 || i >= tokens->count ? &edge : &tokens->at[i];
}

static bool is_mark(const char *text, const Token *t, char c) { return t->shape == SHAPE_MARK && text[t->start] == c; }

static bool is_head(const Token *t) { return t->shape == SHAPE_UPPER || t->shape == SHAPE_INITIAL; }

unsigned cues_chain(const Tokens *tokens, int64_t at) {
    unsigned found = 0;
    for (int64_t i = at - 1; i >= 0 && i >= at - 7; i--) {
        const Token *t = &tokens->at[i];
        bool cue = (t->cues & ~(unsigned)CUE_JOINT) != 0, joint = (t->cues & CUE_JOINT) || t->shape == SHAPE_MARK || t->shape == SHAPE_LINE;
        bool head = is_head(t) && i + 1 < at && t->end == tokens->at[i + 1].start; /* HX in HX-2291 */
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
    const uint64_t comma = hash_of(",");
    unsigned found = 0;
    for (int64_t i = at - 1; i >= 0 && i >= at - 9 && !parts(tokens, i); i--) found |= tokens->at[i].cues;
    for (int64_t i = at + 1; i < tokens->count && i <= at + 8; i++) {
        const Token *t = &tokens->at[i];
        if (t->shape == SHAPE_LINE || t->shape == SHAPE_PARAGRAPH || (t->shape == SHAPE_MARK && t->word == comma)) break;
        if (shape_is_word(t->shape)) {
            found |= t->cues & (CUE_PHONE | CUE_FAX);
            break;
        }
    }
    return found & ~(unsigned)CUE_JOINT;
}

static int value_of(const char *text, const Token *t) {
    int value = 0;
    for (uint32_t i = t->start; i < t->end && value < 100000; i++) value = value * 10 + (text[i] - '0');
    return value;
}

typedef struct Context {
    Search *search;
    const char *text;
    size_t size;
    const Words *words;
    Error *error;
} Context;

static Status add(const Context *c, uint32_t start, uint32_t end, double confidence, unsigned kind) {
    return finds_add(&c->search->candidates, (Find){ start, end, (float)confidence, (uint8_t)kind, FOUND_CUE }, c->error);
}

/* "79 years old", "79-year-old", "79 y/o", "de 79 años", "79-jährige": how sure that the number of tokens i to last is an age by what
 * follows. */
static double age_by_next(const Context *c, int64_t i, int64_t last) {
    const Tokens *k = &c->search->tokens;
    int64_t n = last + 1;
    if (is_mark(c->text, token_at(k, n), '-')) n++;
    const Token *a = token_at(k, n), *b = token_at(k, n + 1), *d = token_at(k, n + 2);
    if (in_set(&c->words->years_old, a->hash)) return 0.98;
    if (a->hash == hash_of("y") && is_mark(c->text, b, '/') && d->hash == hash_of("o")) return 0.98;
    if (!in_set(&c->words->years, a->hash)) return 0;
    if (is_mark(c->text, b, '-')) b = d;
    if (in_set(&c->words->old, b->hash) || (b->hash == hash_of("of") && d->hash == hash_of("age"))) return 0.98;
    bool spanish = a->hash == hash_of("años") || a->hash == hash_of("ans") || a->hash == hash_of("jahre") || a->hash == hash_of("jahren");
    const Token *before = token_at(k, i - 1);
    if (spanish && !in_set(&c->words->not_age, before->hash) && shape_is_word(before->shape)) return 0.8;
    return spanish && is_mark(c->text, before, ',') ? 0.8 : 0;
}

static double age_by_before(const Context *c, int64_t i) {
    const Tokens *k = &c->search->tokens;
    const Token *b1 = token_at(k, i - 1), *b2 = token_at(k, i - 2), *a1 = token_at(k, i + 1);
    bool of = (b1->hash == hash_of("of") || b1->hash == hash_of("von") || b1->hash == hash_of("at")) && b2->cues & CUE_AGE;
    if ((of || cues_chain(k, i) & CUE_AGE) && !(shape_is_word(a1->shape) && a1->cues & CUE_PHONE)) return 0.93;
    bool ends = a1->shape >= SHAPE_LINE ||
                (a1->shape == SHAPE_MARK && strchr(".,;!?)", c->text[a1->start]) && !shape_is_number(token_at(k, i + 2)->shape));
    if (ends && in_set(&c->words->be, b1->hash) && (in_set(&c->words->who, b2->hash) || b2->shape == SHAPE_CAPITAL)) return 0.65;
    if (is_mark(c->text, b1, '\'') && in_set(&c->words->who, b2->hash) && ends) return 0.6;
    return 0;
}

/* "John Smith, 42, of Leeds": by the tagger, a person before it. */
static double age_by_name(const Context *c, int64_t i) {
    const Tokens *k = &c->search->tokens;
    if (i < 2 || !is_mark(c->text, token_at(k, i - 1), ',') || !is_mark(c->text, token_at(k, i + 1), ',')) return 0;
    return c->search->tags[i - 2][TAG_PERSON] > 0.5f ? 0.85 : 0;
}

static Status age_at(const Context *c, int64_t i) {
    const Token *t = &c->search->tokens.at[i];
    int value = value_of(c->text, t);
    if (value > 125 || (t->start && c->text[t->start - 1] == '.')) return OK;
    double sure = age_by_next(c, i, i), other = age_by_before(c, i);
    if (other > sure) sure = other;
    other = age_by_name(c, i);
    if (other > sure) sure = other;
    return sure > 0 ? add(c, t->start, t->end, sure, TRACE_AGE) : OK;
}

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
    if (size >= 7 && !strncasecmp(word + size - 7, "neunzig", 7)) return size;
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
    int64_t n = token_at(k, i + 1)->hash == hash_of("y") ? i + 2 : i + 1;
    return in_set(&c->words->ones, token_at(k, n)->hash) ? n : i;
}

/* Ages over 89 in letters; those below may stand, and are left. */
static Status age_word_at(const Context *c, int64_t i) {
    const Token *t = &c->search->tokens.at[i];
    const char *word = c->text + t->start;
    size_t size = t->end - t->start, number = strchr("nNqQ", *word) || (word[size - 1] | 32) == 'g' ? ninety_in(word, size) : 0;
    if (!number) return OK;
    if (number < size) {
        bool old = word[number] == '-' && in_set(&c->words->years_old, letters_hash(word + number + 1, size - number - 1));
        return old ? add(c, t->start, t->start + (uint32_t)number, 0.98, TRACE_AGE) : OK;
    }
    int64_t last = ninety_end(c, i);
    double after = age_by_next(c, i, last), before = last == i                                     ? age_by_before(c, i)
                                                     : cues_chain(&c->search->tokens, i) & CUE_AGE ? 0.93
                                                                                                   : 0;
    double sure = after > before ? after : before;
    return sure > 0 ? add(c, t->start, c->search->tokens.at[last].end, sure, TRACE_AGE) : OK;
}

/* A bare year: by the word before it, and by what is counted after it. */
static Status year_at(const Context *c, int64_t i) {
    const Tokens *k = &c->search->tokens;
    const Token *t = &k->at[i], *b1 = token_at(k, i - 1), *a1 = token_at(k, i + 1);
    int value = value_of(c->text, t);
    if (value < 1900 || value > 2099 || c->search->tags[i][TAG_STREET] + c->search->tags[i][TAG_ZIP] > 0.5f) return OK;
    char before = t->start ? c->text[t->start - 1] : ' ', after = t->end < c->size ? c->text[t->end] : ' ';
    if (strchr("$#.,/-_", before) || strchr("/_%$", after) ||
        (strchr(".,-:", after) && t->end + 1 < c->size && c->text[t->end + 1] >= '0' && c->text[t->end + 1] <= '9'))
        return OK;
    double sure = 0.5;
    if (shape_is_number(b1->shape) || shape_is_number(a1->shape)) sure = 0.2;
    else if (in_set(&c->words->since, b1->hash)) sure = 0.8;
    else if (b1->cues & CUE_DATE || b1->lists & (LIST_MONTH | LIST_DAY)) sure = 0.85;
    else if (in_set(&c->words->tenth, b1->hash)) sure = 0.65;
    else if (a1->shape == SHAPE_LOWER) sure = 0.35;
    if (a1->shape == SHAPE_LOWER && !(a1->lists & LIST_ORDINARY) && sure > 0.6) sure = 0.6;
    return add(c, t->start, t->end, sure, TRACE_DATE);
}

static Status weekday_at(const Context *c, int64_t i) {
    const Token *t = &c->search->tokens.at[i];
    if (t->end - t->start <= 4) return OK; /* "Sat", "Wed": more often other words */
    return add(c, t->start, t->end, 0.6, TRACE_DATE);
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
    bool day = shape_is_word(t->shape) && in_set(&c->words->short_days, t->hash);
    return day && (t->end - t->start > 2 || i < last) ? t : NULL;
}

/* "14 March 2019 (Fri)", "03.05.2021, Mon": in brackets, or with a capital behind a comma. */
static const Token *short_day_after(const Context *c, uint32_t end) {
    const Tokens *k = &c->search->tokens;
    int64_t i = token_from(k, end);
    const Token *mark = token_at(k, i), *t = token_at(k, i + 1), *close = token_at(k, i + 2);
    bool brackets = is_mark(c->text, mark, '(') && (is_mark(c->text, close, ')') || is_mark(c->text, close, '.'));
    bool comma = is_mark(c->text, mark, ',') && t->shape == SHAPE_CAPITAL && t->end - t->start > 2;
    return (brackets || comma) && shape_is_word(t->shape) && in_set(&c->words->short_days, t->hash) ? t : NULL;
}

/* A short weekday beside a date goes with it: if it stayed while the date moves, it would tell the shift but for whole weeks. */
static Status short_days(const Context *c) {
    Status status = OK;
    for (int64_t f = 0, count = c->search->candidates.count; f < count; f++) {
        Find find = c->search->candidates.at[f];
        if (find.kind != TRACE_DATE) continue;
        const Token *before = short_day_before(c, find.start), *after = short_day_after(c, find.end);
        if (before) TRY(add(c, before->start, before->end, find.confidence, TRACE_DATE));
        if (after) TRY(add(c, after->start, after->end, find.confidence, TRACE_DATE));
    }
done:
    return status;
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
        if (in_set(&c->words->id, t->hash)) return true;
        bool head = is_head(t) && t->end == k->at[i + 1].start;
        if (t->shape >= SHAPE_LINE || (!(t->cues & CUE_JOINT) && t->shape != SHAPE_MARK && !head)) return false;
    }
    return false;
}

static Status cued_number_at(const Context *c, int64_t i) {
    const Tokens *k = &c->search->tokens;
    const Token *t = &k->at[i];
    unsigned cues = cues_chain(k, i), kind = cue_kind(cues);
    bool id = kind == TRACES && called_id(c, i);
    if (kind == TRACES && !id) return OK;
    uint32_t start = t->start;
    const Token *b1 = token_at(k, i - 1), *b2 = token_at(k, i - 2);
    if (is_mark(c->text, b1, '-') && b1->end == t->start && is_head(b2) && b2->end == b1->start) start = b2->start;
    uint32_t end = number_end(c, t->start);
    char digits[64];
    int n = digits_of(c->text + start, end - start, digits, 64);
    bool mixed = n < (int)(end - start);
    if (n < 4 && !(n >= 3 && mixed)) return OK;
    if (t->shape < SHAPE_3 && (n < 5 || c->text[t->end] != '-')) return OK; /* "88-771-2", not "patients 18-24" or a day */
    if (id) return n >= 5 ? add(c, start, end, 0.8, TRACE_ID) : OK;
    int value = n == 4 && !mixed ? value_of(c->text, t) : 0;
    double sure = value >= 1900 && value < 2100 ? 0.4 : n >= 6 ? 0.93 : 0.85;
    return add(c, start, end, sure, kind);
}

/* Five digits after a state or a place are its post code; before a place, in Spain, Germany and France. */
static Status zip_at(const Context *c, int64_t i) {
    const Tokens *k = &c->search->tokens;
    const Token *t = &k->at[i], *b1 = token_at(k, i - 1), *a1 = token_at(k, i + 1);
    bool code = b1->lists & LIST_CODE && b1->shape == SHAPE_UPPER,
         place = b1->lists & (LIST_CITY | LIST_REGION) && shape_is_cased(b1->shape);
    bool after = a1->lists & LIST_CITY && shape_is_cased(a1->shape) && a1->flags & TOKEN_SPACED;
    if ((!code && !place && !after) || (t->start && strchr(".,", c->text[t->start - 1])) ||
        (t->end < c->size && strchr(".,", c->text[t->end]) && shape_is_number(token_at(k, i + 2)->shape)))
        return OK;
    return add(c, t->start, t->end, code ? 0.93 : 0.8, TRACE_ZIP);
}

static Status number_at(const Context *c, int64_t i) {
    Status status = OK;
    const Token *t = &c->search->tokens.at[i];
    if (t->shape <= SHAPE_3) TRY(age_at(c, i));
    if (t->shape == SHAPE_4) TRY(year_at(c, i));
    if (t->shape == SHAPE_5) TRY(zip_at(c, i));
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
    if (start < t->start && dot) return add(c, start, end, 0.99, TRACE_EMAIL);
    if (start == t->start && end > t->end + 2) return add(c, start, end, 0.6, TRACE_ID);
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
        return add(c, t->start, url_end(c, t->end + 3), 0.99, TRACE_URL);
    if (t->hash == hash_of("www") && t->end + 1 < c->size && c->text[t->end] == '.')
        return add(c, t->start, url_end(c, t->end), 0.98, TRACE_URL);
    const Token *next = token_at(k, i + 1);
    if (!is_mark(c->text, t, '.') || !i || !(next->lists & LIST_TLD) || next->start != t->end || (next->shape != SHAPE_LOWER)) return OK;
    uint32_t start = t->start, end = next->end;
    while (start && t->start - start < 253 && domain_char((unsigned char)c->text[start - 1])) start--;
    if (t->start - start < 2 || (start && strchr("@/", c->text[start - 1])) ||
        (end < c->size && (c->text[end] == '@' || c->text[end] == '.')))
        return OK;
    if (end < c->size && c->text[end] == '/') end = url_end(c, end);
    return add(c, start, end, 0.85, TRACE_URL);
}

/* "Mrs. Hall", "Herr Dr. Baumann", "M. Petit": up to four capitalised words after a form of address. */
static Status title_at(const Context *c, int64_t i) {
    const Tokens *k = &c->search->tokens;
    const Token *t = &k->at[i];
    int64_t n = i + 1, last;
    if (!in_set(&c->words->titles, t->hash) || t->shape == SHAPE_UPPER ||
        (t->shape == SHAPE_INITIAL && !is_mark(c->text, token_at(k, n), '.')))
        return OK;
    if (is_mark(c->text, token_at(k, n), '.')) n++;
    const Token *first = token_at(k, n);
    if (!(first->flags & TOKEN_SPACED) || first->lists & (LIST_TITLE | LIST_STREET_AFTER)) return OK;
    for (last = n; last < n + 4 && shape_is_cased(token_at(k, last)->shape) && !(last > n && token_at(k, last)->lists & LIST_ORDINARY);
         last++)
        continue;
    if (last == n || (first->shape == SHAPE_INITIAL && last == n + 1)) return OK;
    return add(c, first->start, k->at[last - 1].end, 0.88, TRACE_PERSON);
}

Status contexts_run(Search *search, const char *text, size_t size, Error *error) {
    Status status = OK;
    Words words = words_make();
    Context c = { search, text, size, &words, error };
    for (int64_t i = 0; i < search->tokens.count; i++) {
        const Token *t = &search->tokens.at[i];
        if (shape_is_number(t->shape)) TRY(number_at(&c, i));
        else if (t->shape == SHAPE_ALNUM) TRY(cued_number_at(&c, i));
        else if (t->shape == SHAPE_MARK) {
            if (text[t->start] == '@') TRY(mail_at(&c, i));
            else if (text[t->start] == '.') TRY(url_at(&c, i));
        } else if (t->end < size && (text[t->end] == ':' || text[t->end] == '.')) TRY(url_at(&c, i));
        if (shape_is_word(t->shape) && t->end - t->start >= 6) TRY(age_word_at(&c, i));
        if (t->lists & LIST_TITLE) TRY(title_at(&c, i));
        if (t->lists & LIST_DAY && shape_is_word(t->shape)) TRY(weekday_at(&c, i));
    }
    TRY(short_days(&c));
done:
    return status;
}
