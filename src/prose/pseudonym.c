/* Pseudonyms: a name for a name, a number for a number, each a keyed function of the subject and of what stood there. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include "prose/check_digits.h"
#include "prose/known_names.h"
#include "prose/replace.h"

/* Each part of what is hashed is told from the next by its length, so that no two cases fall together. */
uint64_t keyed(const Replacer *r, const char *purpose, const char *subject, const char *bytes, size_t size) {
    crypto_generichash_state state;
    uint8_t out[16];
    uint64_t word, lengths[3] = { strlen(purpose), subject ? strlen(subject) : 0, size };
    crypto_generichash_init(&state, r->key, sizeof r->key, sizeof out);
    crypto_generichash_update(&state, (const uint8_t *)lengths, sizeof lengths);
    crypto_generichash_update(&state, (const uint8_t *)purpose, lengths[0]);
    if (subject) crypto_generichash_update(&state, (const uint8_t *)subject, lengths[1]);
    crypto_generichash_update(&state, (const uint8_t *)bytes, size);
    crypto_generichash_final(&state, out, sizeof out);
    memcpy(&word, out, sizeof word);
    return word;
}

static void put_like(Buffer *out, const char *word, const Token *like) {
    char low[64], upper[4];
    int length;
    size_t n = strlen(word);
    if (like->shape == SHAPE_LOWER) {
        n = word_lower(word, n, low, sizeof low);
        buffer_add(out, low, n);
    } else if (like->shape == SHAPE_UPPER) {
        for (const char *p = word, *end = word + n; p < end; p += length) {
            uint32_t code = code_point(p, end, &length);
            buffer_add(out, upper, (size_t)code_put(code_upper(code), upper));
        }
    } else buffer_text(out, word);
}

/* A word of a pool, never the one it stands for. */
static const char *draw(const WordPool *pool, uint64_t word, const char *not_this) {
    if (!pool->count) return "Doe";
    uint64_t at = word_below(word, (uint64_t)pool->count);
    if (!strcasecmp(pool->at[at], not_this)) at = (at + 1) % (uint64_t)pool->count;
    return pool->at[at];
}

static const WordPool *pool_of(const Replacer *r, int kind, const Known *known) {
    int language = known && known->language ? known->language : r->language ? (int)r->language : LANGUAGE_EN;
    const WordPool *pool = &r->finder->lists.pool[kind][language];
    return pool->count ? pool : &r->finder->lists.pool[kind][0];
}

/* ---- People ---- */

static bool is_particle(const char *folded) {
    static const char *const particles[] = { "van", "von", "der", "den", "de", "del", "della", "di",  "da",  "dos", "das", "la", "le",
                                             "las", "los", "ter", "ten", "zu", "zum", "af",    "bin", "ibn", "al",  "el",  "y",  "e" };
    for (size_t i = 0; i < sizeof particles / sizeof *particles; i++)
        if (!strcmp(folded, particles[i])) return true;
    return false;
}

static bool is_suffix(const char *folded) {
    static const char *const suffixes[] = { "jr", "sr", "ii", "iii", "iv", "md", "phd", "rn", "esq" };
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (!strcmp(folded, suffixes[i])) return true;
    return false;
}

enum { NAME_WORDS = 12 };
typedef enum { PART_GIVEN, PART_SURNAME, PART_INITIAL, PART_PARTICLE, PART_SUFFIX } Role;
typedef struct Name {
    int count;
    Token token[NAME_WORDS];
    char folded[NAME_WORDS][32]; /* as the known name has it, where it is near one */
    uint64_t letters[NAME_WORDS];
    Role role[NAME_WORDS];
    const Known *known[NAME_WORDS];
} Name;

/* Which words are given names: by the lists, by a comma ("Smith, John"), else all but the last. */
static void name_roles(Name *name, bool comma) {
    int words = 0, last = -1, first = -1;
    for (int i = 0; i < name->count; i++) {
        if (name->role[i] != PART_GIVEN) continue;
        words++;
        last = i;
        if (first < 0) first = i;
    }
    for (int i = 0; i < name->count; i++) {
        if (name->role[i] != PART_GIVEN) continue;
        uint32_t lists = name->known[i] ? name->known[i]->lists : 0;
        bool given = lists & LIST_GIVEN, surname = lists & LIST_SURNAME, place = comma ? i == first : i == last;
        bool led = i && (name->role[i - 1] == PART_INITIAL || name->role[i - 1] == PART_PARTICLE);
        if (words == 1 ? (surname && !given) || led : given == surname ? place : surname || (!given && place)) name->role[i] = PART_SURNAME;
    }
}

/* A misspelt name is the known one that it is near to. */
static void as_known(const People *people, Name *name, int n) {
    for (int k = 0; k < 2; k++) {
        int64_t which = names_nearest(people->known[k], name->folded[n]);
        if (which < 0) continue;
        memcpy(name->folded[n], people->known[k]->word[which], 32);
        name->letters[n] = people->known[k]->letters[which];
        return;
    }
}

static void name_read(const People *people, const Lists *lists, const char *text, const Find *find, Name *out) {
    Tokens tokens = { 0 };
    Error error = ERROR_NONE;
    bool comma = false;
    out->count = 0;
    if (tokens_cut(text + find->start, find->end - find->start, &tokens, &error)) return;
    for (int64_t i = 0; i < tokens.count && out->count < NAME_WORDS; i++) {
        Token t = tokens.at[i];
        const char *at = text + find->start + t.start;
        if (t.shape == SHAPE_MARK && *at == ',') comma = true;
        if (!shape_is_word(t.shape)) continue;
        int n = out->count++;
        memset(out->folded[n], 0, sizeof out->folded[n]); /* they are compared whole */
        word_fold(at, t.end - t.start, out->folded[n], 32);
        out->letters[n] = t.hash;
        as_known(people, out, n);
        out->known[n] = lists_find(lists, out->letters[n]);
        out->role[n] = t.shape == SHAPE_INITIAL                              ? PART_INITIAL
                       : is_suffix(out->folded[n])                           ? PART_SUFFIX
                       : is_particle(out->folded[n]) && i + 1 < tokens.count ? PART_PARTICLE
                                                                             : PART_GIVEN;
        t.start += find->start;
        t.end += find->start;
        out->token[n] = t;
    }
    tokens_free(&tokens);
    name_roles(out, comma);
}

/* What a title before the name says of the sex: 1 a woman's, −1 a man's, 0 nothing. */
static int title_sex(const Lists *lists, const char *text, size_t start) {
    size_t end = start, from;
    while (end && (text[end - 1] == ' ' || text[end - 1] == '.')) end--;
    for (from = end; from && text[from - 1] != ' ' && text[from - 1] != '\n' && end - from < 16;) from--;
    if (from == end || end == start) return 0;
    const Known *known = lists_find(lists, letters_hash(text + from, end - from));
    if (!known || !(known->lists & (LIST_WOMAN | LIST_MAN))) return 0;
    return known->lists & LIST_WOMAN ? 1 : -1;
}

Status people_note(People *people, const Lists *lists, const char *text, const Find *find, Error *error) {
    Name name;
    Person person = { .hash = 0 };
    name_read(people, lists, text, find, &name);
    for (int i = 0; i < name.count; i++) {
        if (name.role[i] == PART_GIVEN && !person.given[0]) {
            memcpy(person.given, name.folded[i], 32);
            person.hash = name.letters[i];
        }
        if (name.role[i] == PART_SURNAME) memcpy(person.surname, name.folded[i], 32);
    }
    if (!person.given[0] && !person.surname[0]) return OK;
    if (person.given[0]) person.sex = title_sex(lists, text, find->start);
    for (int64_t i = 0; i < people->count; i++)
        if (!memcmp(&people->at[i], &person, sizeof person)) return OK;
    if (people->count >= 256) return OK; /* enough to know a subject's people by */
    if (people->count == people->capacity) {
        int64_t capacity = people->capacity ? people->capacity * 2 : 8;
        Person *more = realloc(people->at, (size_t)capacity * sizeof *more);
        if (!more) return out_of_memory(error);
        people->at = more;
        people->capacity = capacity;
    }
    people->at[people->count++] = person;
    return OK;
}

void people_free(People *people) {
    free(people->at);
    people->at = NULL;
    people->count = people->capacity = 0;
}

/* Bob is Robert; he who is not a short form is himself. */
static const char *formal(const Lists *lists, uint64_t hash, const char *word) {
    for (int64_t i = 0; i < lists->nicknames; i++)
        if (lists->nickname[i].hash == hash) return lists->nickname[i].given;
    return word;
}

/* The first short form that the lists have of a name, else the name. */
static const char *informal(const Lists *lists, const char *given) {
    for (int64_t i = 0; i < lists->nicknames; i++)
        if (!strcmp(lists->nickname[i].given, given)) return lists->nickname[i].name;
    return given;
}

static const char *new_given(const Spot *s, const char *folded, uint64_t hash, const Known *known, bool *short_form) {
    const Lists *lists = &s->replacer->finder->lists;
    char full[40];
    const char *form = formal(lists, hash, folded);
    *short_form = form != folded;
    size_t size = word_fold(form, strlen(form), full, 32);
    const Known *of = *short_form ? lists_find(lists, letters_hash(form, strlen(form))) : known;
    uint64_t word = keyed(s->replacer, "given", s->people->subject, full, size);
    bool female = of && of->lists & LIST_FEMALE, male = of && of->lists & LIST_MALE;
    for (int64_t p = 0; female == male && p < s->people->count; p++) { /* a title says it, wherever it stands */
        const Person *person = &s->people->at[p];
        if (!person->sex || strcmp(person->given, folded)) continue;
        female = person->sex > 0;
        male = !female;
    }
    if (female == male) female = !female && !male ? size && full[size - 1] == 'a' : word >> 63;
    const char *name = draw(pool_of(s->replacer, female ? POOL_FEMALE : POOL_MALE, of), word, form);
    return *short_form ? informal(lists, name) : name;
}

static const char *new_surname(const Spot *s, const char *folded, const Known *known) {
    return draw(pool_of(s->replacer, POOL_SURNAME, known), keyed(s->replacer, "surname", s->people->subject, folded, strlen(folded)),
                folded);
}

/* "J. Smith" where the subject has a John Smith: the first letter of John's new name. */
static void put_initial(const Spot *s, const Name *name, int i) {
    const char *surname = "";
    const Person *found = NULL;
    bool short_form;
    char letter[4];
    int length;
    for (int j = 0; j < name->count; j++)
        if (name->role[j] == PART_SURNAME) surname = name->folded[j];
    for (int64_t p = 0; p < s->people->count; p++) {
        const Person *person = &s->people->at[p];
        if (person->given[0] != name->folded[i][0]) continue;
        if (!found || !strcmp(person->surname, surname)) found = person;
        if (!strcmp(person->surname, surname)) break;
    }
    if (found) {
        const char *given = new_given(s, found->given, found->hash, lists_find(&s->replacer->finder->lists, found->hash), &short_form);
        uint32_t code = code_point(given, given + strlen(given), &length);
        buffer_add(s->out, letter, (size_t)code_put(code, letter));
    } else
        buffer_char(
            s->out,
            (char)('A' + word_below(keyed(s->replacer, "initial", s->people->subject, name->folded[i], strlen(name->folded[i])), 26)));
}

/* A single word that this subject's people have as a surname is one. */
static void settle_single(const Spot *s, Name *name) {
    for (int i = 0; i < name->count; i++)
        for (int64_t p = 0; name->count == 1 && p < s->people->count; p++) {
            if (!strcmp(s->people->at[p].surname, name->folded[i]) && s->people->at[p].given[0]) name->role[i] = PART_SURNAME;
            if (!strcmp(s->people->at[p].given, name->folded[i]) && s->people->at[p].surname[0]) name->role[i] = PART_GIVEN;
        }
}

void pseudonym_person(const Spot *s) {
    Name name;
    bool short_form;
    uint32_t at = s->find->start;
    name_read(s->people, &s->replacer->finder->lists, s->text, s->find, &name);
    settle_single(s, &name);
    if (!name.count) {
        buffer_text(s->out, "[PERSON]");
        return;
    }
    for (int i = 0; i < name.count; i++) {
        const Token *t = &name.token[i];
        if (t->start > at) buffer_add(s->out, s->text + at, t->start - at);
        at = t->end;
        if (name.role[i] == PART_PARTICLE) { /* it would tell where the name is from */
            while (at < s->find->end && s->text[at] == ' ') at++;
        } else if (name.role[i] == PART_SUFFIX) buffer_add(s->out, s->text + t->start, t->end - t->start);
        else if (name.role[i] == PART_INITIAL) put_initial(s, &name, i);
        else if (name.role[i] == PART_SURNAME) put_like(s->out, new_surname(s, name.folded[i], name.known[i]), t);
        else put_like(s->out, new_given(s, name.folded[i], name.letters[i], name.known[i], &short_form), t);
    }
    if (at < s->find->end) buffer_add(s->out, s->text + at, s->find->end - at);
}

/* ---- Places and addresses ---- */

void pseudonym_place(const Spot *s) {
    char folded[64];
    const char *at = s->text + s->find->start;
    size_t size = word_fold(at, s->find->end - s->find->start, folded, sizeof folded);
    const Known *known = lists_find(&s->replacer->finder->lists, letters_hash(at, s->find->end - s->find->start));
    bool upper = false;
    int length;
    if (size > 1) upper = code_is_upper(code_point(at, at + size, &length)) && code_is_upper(code_point(at + length, at + size, &length));
    Token like = { .shape = upper ? SHAPE_UPPER : SHAPE_CAPITAL };
    put_like(s->out, draw(pool_of(s->replacer, POOL_CITY, known), keyed(s->replacer, "place", s->people->subject, folded, size), folded),
             &like);
}

static void put_digits(const Spot *s, const char *at, size_t size) {
    uint64_t word = keyed(s->replacer, "digits", s->people->subject, at, size);
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)at[i];
        if (i % 12 == 11) word = keyed(s->replacer, "more", s->people->subject, at + i, size - i);
        if (c >= '0' && c <= '9')
            buffer_char(s->out, (char)((!i || at[i - 1] < '0' || at[i - 1] > '9') && c != '0' ? '1' + word % 9 : '0' + word % 10));
        else if (c >= 'a' && c <= 'z') buffer_char(s->out, (char)('a' + word % 26));
        else if (c >= 'A' && c <= 'Z') buffer_char(s->out, (char)('A' + word % 26));
        else if (c < 0x80) buffer_char(s->out, (char)c);
        word /= 26;
    }
}

/* Words of streets stay ("Street", "rue de la"), names in them are drawn, digits are drawn. */
void pseudonym_address(const Spot *s) {
    Tokens tokens = { 0 };
    Error error = ERROR_NONE;
    const char *text = s->text + s->find->start;
    uint32_t at = 0;
    if (tokens_cut(text, s->find->end - s->find->start, &tokens, &error)) return;
    lists_mark(&s->replacer->finder->lists, text, &tokens);
    for (int64_t i = 0; i < tokens.count; i++) {
        const Token *t = &tokens.at[i];
        buffer_add(s->out, text + at, t->start - at);
        at = t->end;
        bool stays = t->shape >= SHAPE_MARK || t->lists & (LIST_STREET_AFTER | LIST_STREET_BEFORE | LIST_UNIT | LIST_BOX) ||
                     (t->shape == SHAPE_LOWER && t->lists & LIST_ORDINARY);
        if (stays) buffer_add(s->out, text + t->start, t->end - t->start);
        else if (!shape_is_word(t->shape)) put_digits(s, text + t->start, t->end - t->start);
        else {
            char folded[40];
            word_fold(text + t->start, t->end - t->start, folded, 32);
            put_like(s->out, new_surname(s, folded, NULL), t);
            if (t->lists & LIST_STREET_SUFFIX) buffer_text(s->out, "straße");
        }
    }
    buffer_add(s->out, text + at, s->find->end - s->find->start - at);
    tokens_free(&tokens);
}

void pseudonym_email(const Spot *s) {
    const char *at = s->text + s->find->start;
    size_t size = s->find->end - s->find->start;
    char folded[256], first[48], last[48];
    size = word_fold(at, size, folded, sizeof folded);
    uint64_t word = keyed(s->replacer, "email", s->people->subject, folded, size);
    const char *given = draw(pool_of(s->replacer, (int)(word & 1), NULL), word, "");
    const char *surname = draw(pool_of(s->replacer, POOL_SURNAME, NULL), word * 0x9e3779b97f4a7c15u, "");
    word_fold(given, strlen(given), first, 40);
    word_fold(surname, strlen(surname), last, 40);
    buffer_print(s->out, "%s.%s%02u@example.org", first, last, (unsigned)(word >> 8 & 127) % 100);
}

/* ---- Numbers ---- */

/* The last digit is chosen so that Luhn's sum is right: a card that looks like one. */
static void mend_luhn(char *at, size_t size) {
    int sum = 0, places = 0;
    char *last = NULL;
    for (size_t i = size; i-- > 0;) {
        if (at[i] < '0' || at[i] > '9') continue;
        if (!last) last = &at[i];
        else {
            int v = at[i] - '0';
            if (places & 1) v = v * 2 > 9 ? v * 2 - 9 : v * 2;
            sum += v;
        }
        places++;
    }
    if (last) *last = (char)('0' + (10 - sum % 10) % 10);
}

static void mend_iban(char *at, size_t size) {
    char *digit[2] = { NULL, NULL };
    int n = 0;
    for (size_t i = 2; i < size && n < 2; i++)
        if (at[i] >= '0' && at[i] <= '9') digit[n++] = &at[i];
    for (int check = 2; n == 2 && check < 99; check++) {
        *digit[0] = (char)('0' + check / 10);
        *digit[1] = (char)('0' + check % 10);
        if (check_iban(at, size)) return;
    }
}

void pseudonym_number(const Spot *s) {
    const char *at = s->text + s->find->start;
    size_t size = s->find->end - s->find->start, from = s->out->count;
    size_t keep = s->find->kind == TRACE_IBAN && size > 2 ? 2 : 0; /* its country; what a surer find left of one may be a single letter */
    if (s->find->kind == TRACE_IP && size) {
        uint64_t word = keyed(s->replacer, "ip", s->people->subject, at, size);
        if (memchr(at, '.', size)) buffer_print(s->out, "192.0.2.%u", (unsigned)(word % 254 + 1));
        else buffer_print(s->out, "2001:db8::%x", (unsigned)(word & 0xffff));
        return;
    }
    if (s->find->kind == TRACE_URL) {
        buffer_print(s->out, "https://example.org/%08x", (unsigned)keyed(s->replacer, "url", s->people->subject, at, size));
        return;
    }
    buffer_add(s->out, at, keep);
    put_digits(s, at + keep, size - keep);
    if (s->out->failed) return;
    if (s->find->kind == TRACE_CARD) mend_luhn(s->out->bytes + from, s->out->count - from);
    if (s->find->kind == TRACE_IBAN) mend_iban(s->out->bytes + from, s->out->count - from);
    if (s->find->kind == TRACE_SSN && s->out->count > from) s->out->bytes[from] = '9'; /* never given out */
}
