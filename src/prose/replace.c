/* One text, its finds replaced; the rest is copied byte for byte. */
#include <string.h>
#include "prose/replace.h"

Replacer replacer_make(const Finder *finder, const Seed *seed, How how, Language language, int64_t shift_days) {
    Replacer r = { .finder = finder, .language = language, .shift_days = shift_days };
    RandomStream stream =
        stream_make(seed, "scrub.text", 0, "", "pseudonyms"); /* not by step or column: the same person is the same in all of them */
    memcpy(r.key, stream.key, sizeof r.key);
    memcpy(r.shift.bytes, stream.key, sizeof r.shift.bytes);
    memset(r.how, (int)how, sizeof r.how);
    return r;
}

static void put_label(const Spot *s) { buffer_print(s->out, "[%s]", trace_name(s->replacer->finder, s->find->kind)); }

/* A star for each code point, blanks and line ends as they are. */
static void put_mask(const Spot *s) {
    int length;
    for (const char *p = s->text + s->find->start, *end = s->text + s->find->end; p < end; p += length) {
        (void)code_point(p, end, &length);
        buffer_char(s->out, *p == ' ' || *p == '\n' || *p == '\r' || *p == '\t' ? *p : '*');
    }
}

static void put_hash(const Spot *s) {
    char folded[512];
    const char *at = s->text + s->find->start;
    size_t size = s->find->end - s->find->start;
    if (size < 120) size = word_fold(at, size, folded, sizeof folded); /* case and accents do not make another person */
    else memcpy(folded, at, size = size < sizeof folded ? size : sizeof folded);
    uint64_t word = keyed(s->replacer, trace_name(s->replacer->finder, s->find->kind), s->people->subject, folded, size);
    buffer_print(s->out, "[%s-%012llx]", trace_name(s->replacer->finder, s->find->kind), (unsigned long long)(word >> 16));
}

static int number_in(const char *at, size_t size) {
    int value = 0;
    for (size_t i = 0; i < size; i++)
        if (at[i] >= '0' && at[i] <= '9' && value < 10000) value = value * 10 + (at[i] - '0');
    return value;
}

/* HIPAA's safe harbour: ages over 89 fall together. */
static void put_age(const Spot *s, const char *over) {
    const char *at = s->text + s->find->start;
    size_t size = s->find->end - s->find->start;
    bool letters = size && (*at < '0' || *at > '9'); /* found only where they say 90 or more */
    if (letters || number_in(at, size) > 89) buffer_text(s->out, over);
    else buffer_add(s->out, at, size);
}

/* Three digits of the zip stay, unless fewer than 20,000 people live there (Census 2000, 45 CFR 164.514(b)(2)(i)(B)). */
static void put_zip(const Spot *s) {
    static const char *const few[] = { "036", "059", "063", "102", "203", "556", "692", "790", "821",
                                       "823", "830", "831", "878", "879", "884", "890", "893" };
    const char *at = s->text + s->find->start;
    size_t size = s->find->end - s->find->start, kept = 0;
    bool small = size < 5;
    for (size_t i = 0; i < sizeof few / sizeof *few; i++) small |= size >= 3 && !memcmp(at, few[i], 3);
    for (size_t i = 0; i < size && i < 3; i++) small |= at[i] < '0' || at[i] > '9';
    if (small) buffer_text(s->out, size < 5 || at[0] > '9' ? "[ZIP]" : "000**");
    else {
        for (; kept < 3; kept++) buffer_char(s->out, at[kept]);
        buffer_text(s->out, "**");
    }
}

static void put_coarse(const Spot *s) {
    char year[5];
    const char *at = s->text + s->find->start;
    size_t size = s->find->end - s->find->start;
    switch (s->find->kind) {
    case TRACE_DATE:
        if (date_year(at, size, year)) buffer_text(s->out, year);
        else put_label(s);
        return;
    case TRACE_AGE: put_age(s, "90+"); return;
    case TRACE_ZIP: put_zip(s); return;
    case TRACE_REGION: buffer_add(s->out, at, size); return;
    default: put_label(s);
    }
}

/* A number in letters, "oh seven seven …": none is made up in its place. */
static bool is_spoken(const Spot *s) {
    bool blank = false;
    for (uint32_t i = s->find->start; i < s->find->end; i++) {
        if (s->text[i] >= '0' && s->text[i] <= '9') return false;
        blank |= s->text[i] == ' ';
    }
    return blank && s->find->kind < TRACES;
}

static void put_pseudo(const Spot *s) {
    size_t size = s->find->end - s->find->start;
    switch (s->find->kind) {
    case TRACE_PERSON: pseudonym_person(s); return;
    case TRACE_ADDRESS: pseudonym_address(s); return;
    case TRACE_PLACE: pseudonym_place(s); return;
    case TRACE_REGION: buffer_add(s->out, s->text + s->find->start, size); return; /* states and countries may stand */
    case TRACE_DATE:
        if (!shift_date(s, subject_shift(s->replacer, s->people))) put_label(s);
        return;
    case TRACE_AGE: put_age(s, "90"); return;
    case TRACE_EMAIL: pseudonym_email(s); return;
    case TRACE_ORGANISATION: put_label(s); return;
    default:
        if (is_spoken(s)) put_label(s);
        else pseudonym_number(s);
    }
}

static void put_find(const Spot *s) {
    switch (s->replacer->how[s->find->kind]) {
    case REPLACE_PSEUDO: put_pseudo(s); return;
    case REPLACE_LABEL: put_label(s); return;
    case REPLACE_MASK: put_mask(s); return;
    case REPLACE_HASH: put_hash(s); return;
    case REPLACE_REMOVE: return;
    case REPLACE_GENERALISE: put_coarse(s); return;
    default: buffer_add(s->out, s->text + s->find->start, s->find->end - s->find->start);
    }
}

void replace_text(const Replacer *r, const People *people, const char *text, size_t size, const Find *finds, int64_t count, Buffer *out,
                  Made *made) {
    size_t at = 0;
    for (int64_t i = 0; i < count; i++) {
        Spot spot = { r, people, text, size, &finds[i], out };
        buffer_add(out, text + at, finds[i].start - at);
        size_t from = out->count;
        put_find(&spot);
        if (made) made[i] = (Made){ from, out->count };
        at = finds[i].end;
    }
    buffer_add(out, text + at, size - at);
}
