/* The built-in lists (share/scrub): "key words: word word …", one group a line. */
#include <string.h>
#include "base/text.h"
#include "prose/lists.h"

static const struct {
    const char *name, *text;
} files[] = {
#include "scrub_lists.h"
};

static const struct {
    const char *key;
    uint32_t bit;
} list_keys[] = { { "city", LIST_CITY },
                  { "region", LIST_REGION },
                  { "code", LIST_CODE },
                  { "street before", LIST_STREET_BEFORE },
                  { "street after", LIST_STREET_AFTER },
                  { "unit", LIST_UNIT },
                  { "box", LIST_BOX },
                  { "title", LIST_TITLE },
                  { "month", LIST_MONTH },
                  { "day", LIST_DAY },
                  { "org", LIST_ORGANISATION },
                  { "woman", LIST_WOMAN },
                  { "man", LIST_MAN },
                  { "role", LIST_ROLE },
                  { "day number", LIST_DAY_NUMBER },
                  { "particle", LIST_PARTICLE },
                  { "particle more", LIST_PARTICLE_MORE },
                  { "tld", LIST_TLD } };
static const struct {
    const char *key;
    uint16_t bit;
} cue_keys[] = { { "cue phone", CUE_PHONE },
                 { "cue fax", CUE_FAX },
                 { "cue zip", CUE_ZIP },
                 { "cue age", CUE_AGE },
                 { "cue ssn", CUE_SSN },
                 { "cue record", CUE_RECORD },
                 { "cue plan", CUE_PLAN },
                 { "cue account", CUE_ACCOUNT },
                 { "cue licence", CUE_LICENCE },
                 { "cue vehicle", CUE_VEHICLE },
                 { "cue device", CUE_DEVICE },
                 { "cue card", CUE_CARD },
                 { "cue biometric", CUE_BIOMETRIC },
                 { "cue date", CUE_DATE },
                 { "cue joint", CUE_JOINT } };
static const char *const set_keys[SETS] = {
    [SET_YEARS_OLD] = "set years_old",
    [SET_OLD] = "set old",
    [SET_YEARS] = "set years",
    [SET_YEARS_ALONE] = "set years_alone",
    [SET_AGE_TAIL] = "set age_tail",
    [SET_PATIENT] = "set patient",
    [SET_NOT_AGE] = "set not_age",
    [SET_AGE_AFTER] = "set age_after",
    [SET_GOES_ON] = "set goes_on",
    [SET_DECADE] = "set decade",
    [SET_DIED] = "set died",
    [SET_NOW] = "set now",
    [SET_HAS] = "set has",
    [SET_BE] = "set be",
    [SET_WHO] = "set who",
    [SET_SINCE] = "set since",
    [SET_TENTH] = "set tenth",
    [SET_ADDRESS] = "set address",
    [SET_SHORT_DAYS] = "set short_days",
    [SET_ID] = "set id",
    [SET_ONES] = "set ones",
    [SET_NUMBERS] = "set numbers",
    [SET_THOUSAND] = "set thousand",
    [SET_MONTH_AFTER] = "set month_after",
    [SET_SMALL_MONTHS] = "set small_months",
    [SET_OF] = "set of",
    [SET_Y] = "set y",
    [SET_O] = "set o",
    [SET_WWW] = "set www",
    [SET_DIGITS] = "set digits",
    [SET_AND] = "set and",
    [SET_SAYS] = "set says",
    [SET_SMALL_ADDRESS] = "set small_address",
    [SET_LEADS_TERM] = "set leads_term",
    [SET_STREET] = "set street",
    [SET_STREET_SURE] = "set street_sure",
    [SET_EPONYM_HEAD] = "set eponym_head",
    [SET_EPONYM_TAIL] = "set eponym_tail",
    [SET_COURSE] = "set course",
};
static const char *const languages[] = { "xx", "en", "es", "de", "fr" };

int language_named(const char *code) {
    for (int i = 1; i < (int)(sizeof languages / sizeof *languages); i++)
        if (!strcmp(code, languages[i])) return i;
    return LANGUAGE_ANY;
}

const char *lists_file(const char *name) {
    for (size_t f = 0; f < sizeof files / sizeof *files; f++)
        if (!strcmp(files[f].name, name)) return files[f].text;
    return NULL;
}

/* One line of a file: which file, its key, its language, and what its words are. */
typedef struct Group {
    const char *file, *key;
    int language;
    uint32_t lists;
    uint16_t cues;
    int pool, set; /* −1: none */
} Group;
typedef struct Reading {
    bool trained; /* only what the model was trained with */
    Work *work;
    Lists *lists;
    Group group;
    int64_t used;
} Reading;

static const Known *slot_of(const Lists *lists, uint64_t hash) {
    uint64_t at = hash & lists->mask;
    while (lists->table[at].hash && lists->table[at].hash != hash) at = (at + 1) & lists->mask;
    return &lists->table[at];
}

const Known *lists_find(const Lists *lists, uint64_t hash) {
    const Known *slot = slot_of(lists, hash);
    return slot->hash ? slot : NULL;
}

enum { PHRASES = 1024 };
static const Known *phrase_slot(const Lists *lists, uint64_t hash) {
    uint64_t at = hash % PHRASES;
    while (lists->phrases[at].hash && lists->phrases[at].hash != hash) at = (at + 1) % PHRASES;
    return &lists->phrases[at];
}

static uint64_t phrase_hash(uint64_t hash, uint64_t next) { return (hash ^ next) * 0x9e3779b97f4a7c15u + 1; }

/* A dot at the end is a token of its own in text: "Mr." is known as "mr". */
static size_t bare_size(const char *word) {
    size_t size = strlen(word);
    return size > 1 && word[size - 1] == '.' ? size - 1 : size;
}

static Status add_word(Reading *r, const char *word) {
    Status status = OK;
    uint64_t hash = letters_hash(word, bare_size(word));
    Known *slot = (Known *)(uintptr_t)slot_of(r->lists, hash);
    if (!slot->hash && ++r->used * 4 > (int64_t)r->lists->mask * 3)
        TRY(fail(r->work->error, FAILED, "the built-in lists outgrew their table"));
    slot->hash = hash;
    slot->lists |= r->group.lists;
    slot->cues |= r->group.cues;
    if (r->group.pool >= 0) slot->language = (uint8_t)r->group.language;
done:
    return status;
}

static Status add_phrase(Reading *r, char *word) {
    Status status = OK;
    uint64_t hash = 0;
    int words = 0;
    char *state = NULL;
    Lists *lists = r->lists;
    for (char *part = strtok_r(word, "_", &state); part; part = strtok_r(NULL, "_", &state), words++) {
        uint64_t next = letters_hash(part, strlen(part));
        if (!words) {
            Known *slot = (Known *)(uintptr_t)slot_of(lists, next);
            if (!slot->hash) r->used++;
            slot->hash = next;
            slot->lists |= LIST_FIRST;
        }
        hash = words ? phrase_hash(hash, next) : next;
    }
    if (++lists->phrase_count * 2 > PHRASES) TRY(fail(r->work->error, FAILED, "the built-in places outgrew their table"));
    Known *slot = (Known *)(uintptr_t)phrase_slot(lists, hash);
    *slot = (Known){ .hash = hash, .lists = slot->lists | r->group.lists };
done:
    return status;
}

static Status add_nickname(Reading *r, char *word) {
    Status status = OK;
    Lists *lists = r->lists;
    char *equal = strchr(word, '=');
    if (!equal) return OK;
    *equal = 0;
    const Known *given = lists_find(lists, letters_hash(equal + 1, strlen(equal + 1)));
    r->group.lists = given ? given->lists & LIST_GIVEN : 0;
    TRY(add_word(r, word));
    GROW(r->work, lists->nickname, lists->nickname_capacity, lists->nicknames + 1);
    lists->nickname[lists->nicknames++] = (Nickname){ letters_hash(word, strlen(word)), word, equal + 1 };
done:
    return status;
}

static Status add_item(Reading *r, char *word) {
    Status status = OK;
    Group *g = &r->group;
    if (!strcmp(g->key, "nick")) return add_nickname(r, word);
    if (!strcmp(g->key, "ending")) {
        if (r->lists->endings == (int)(sizeof r->lists->ending / sizeof *r->lists->ending))
            TRY(fail(r->work->error, FAILED, "the built-in endings outgrew their room"));
        r->lists->ending_size[r->lists->endings] = (uint8_t)strlen(word);
        r->lists->ending_last[r->lists->endings] = (uint8_t)word[strlen(word) - 1];
        r->lists->ending[r->lists->endings++] = word;
        return OK;
    }
    if (g->set >= 0) {
        WordSet *set = &r->lists->set[g->set];
        if (set->count == SET_ROOM) TRY(fail(r->work->error, FAILED, "a built-in set of words outgrew its room"));
        set->at[set->count++] = letters_hash(word, bare_size(word));
        if (g->set < SET_STREET) return OK;
        g->lists = LIST_RULE;
        return add_word(r, word);
    }
    if (g->pool >= 0 && !strchr(word, '_')) {
        WordPool *pool = &r->lists->pool[g->pool][g->language];
        GROW(r->work, pool->at, pool->capacity, pool->count + 1);
        pool->at[pool->count++] = word;
    }
    if (strchr(word, '_')) TRY(add_phrase(r, word));
    else TRY(add_word(r, word));
done:
    return status;
}

/* Words that came after the model was trained: `lists_read_trained` leaves them out. */
#define SINCE "since "

/* What the key of a line says; false where the line is of a language that was not asked for. */
static bool read_key(Group *g, char *key, Language wanted) {
    char *last = strrchr(key, ' ');
    *g = (Group){ .file = g->file, .pool = -1, .set = -1 };
    if (!strncmp(key, SINCE, sizeof SINCE - 1)) key += sizeof SINCE - 1;
    const char *tail = last ? last + 1 : key;
    for (int i = 0; i < 5; i++)
        if (!strcmp(tail, languages[i])) {
            g->language = i;
            if (last) *last = 0;
        }
    g->key = key;
    if (!strcmp(g->file, "words")) g->lists = LIST_ORDINARY;
    if (!strcmp(g->file, "surnames")) {
        g->lists = LIST_SURNAME;
        g->pool = POOL_SURNAME;
    }
    if (!strcmp(key, "f")) {
        g->lists = LIST_FEMALE;
        g->pool = POOL_FEMALE;
    }
    if (!strcmp(key, "m")) {
        g->lists = LIST_MALE;
        g->pool = POOL_MALE;
    }
    if (!strcmp(key, "city")) g->pool = POOL_CITY;
    for (size_t i = 0; i < sizeof list_keys / sizeof *list_keys; i++)
        if (!strcmp(key, list_keys[i].key)) g->lists = list_keys[i].bit;
    for (size_t i = 0; i < sizeof cue_keys / sizeof *cue_keys; i++)
        if (!strcmp(key, cue_keys[i].key)) {
            g->cues = cue_keys[i].bit;
            g->lists = LIST_ORDINARY; /* "Phone", "Account": words like any other */
        }
    for (int i = 0; i < SETS; i++)
        if (!strcmp(key, set_keys[i])) g->set = i;
    return wanted == LANGUAGE_ANY || !g->language || g->language == (int)wanted;
}

static Status read_line(Reading *r, char *line, Language language) {
    Status status = OK;
    char *colon = strchr(line, ':'), *state = NULL;
    if (line[0] == '#' || !colon || (r->trained && !strncmp(line, SINCE, sizeof SINCE - 1))) return OK;
    *colon = 0;
    if (!read_key(&r->group, line, language)) return OK;
    if (!strcmp(r->group.key, "street suffix")) return OK;
    for (char *word = strtok_r(colon + 1, " ", &state); word; word = strtok_r(NULL, " ", &state)) TRY(add_item(r, word));
done:
    return status;
}

static Status read_all(Work *work, Language language, bool trained, Lists *out) {
    Status status = OK;
    Reading r = { .work = work, .lists = out, .trained = trained };
    *out = (Lists){ .mask = 65535 };
    NEW(work, out->table, 65536);
    NEW(work, out->phrases, PHRASES);
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        bool other = !strcmp(files[f].name, "labels") || !strcmp(files[f].name, "national"); /* labels.c, national_numbers.c */
        char *text = arena_text(work->arena, other ? "" : files[f].text), *state = NULL;
        if (!text) TRY(out_of_memory(work->error));
        r.group.file = files[f].name;
        for (char *line = strtok_r(text, "\n", &state); line; line = strtok_r(NULL, "\n", &state)) TRY(read_line(&r, line, language));
    }
done:
    return status;
}

Status lists_read(Work *work, Language language, Lists *out) { return read_all(work, language, false, out); }
Status lists_read_trained(Work *work, Lists *out) { return read_all(work, LANGUAGE_ANY, true, out); }

/* Hauptstraße, Puistokatu: a word that ends as streets do. */
static bool street_suffix(const char *word, size_t size) {
    static const char *const ends[] = { "straße", "strasse", "gasse", "platz", "allee", "damm",  "ufer", "straat",
                                        "laan",   "plein",   "gatan", "vägen", "gata",  "veien", "gade", "katu",
                                        "kuja",   "stræti",  "weg",   "vej",   "tie",   "ulica" };
    char lower[64];
    size_t count = word_lower(word, size, lower, sizeof lower);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        size_t n = strlen(ends[i]);
        if (count > n + 2 && !memcmp(lower + count - n, ends[i], n)) return true;
    }
    return false;
}

/* A word that is an ordinary one with an ending, in any of the four languages: "copies", "running", "worden". */
static bool derived(const Lists *lists, const char *word, size_t size) {
    static const struct {
        const char *end, *instead;
    } endings[] = { { "ies", "y" },  { "ied", "y" },  { "ing", "" },  { "ing", "e" }, { "ed", "" },     { "ed", "e" },  { "es", "" },
                    { "s", "" },     { "ly", "" },    { "er", "" },   { "er", "e" },  { "ers", "" },    { "ers", "e" }, { "ment", "" },
                    { "ments", "" }, { "ness", "" },  { "al", "" },   { "ion", "e" }, { "ation", "e" }, { "able", "" }, { "en", "" },
                    { "or", "" },    { "or", "e" },   { "ors", "" },  { "ors", "e" }, { "ion", "" },    { "ions", "" }, { "ions", "e" },
                    { "ive", "e" },  { "ity", "" },   { "ity", "e" }, { "ance", "" }, { "ful", "" },    { "less", "" }, { "e", "" },
                    { "n", "" },     { "mente", "" }, { "a", "o" },   { "as", "o" },  { "os", "o" } };
    char lower[64];
    size_t n = word_lower(word, size, lower, sizeof lower);
    if (n + 8 > sizeof lower) return false;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t end = strlen(endings[i].end);
        char base[72];
        if (n < end + 3 || memcmp(lower + n - end, endings[i].end, end)) continue;
        memcpy(base, lower, n - end);
        strcpy(base + n - end, endings[i].instead);
        const Known *known = lists_find(lists, letters_hash(base, strlen(base)));
        if (known && known->lists & LIST_ORDINARY && !(known->lists & (LIST_GIVEN | LIST_SURNAME))) return true;
    }
    return false;
}

/* Is it an ordinary word, and no name? */
static bool is_ordinary(const Lists *lists, const char *word, size_t size) {
    const Known *known = lists_find(lists, letters_hash(word, size));
    if (!known) return size > 4 && derived(lists, word, size);
    return known->lists & LIST_ORDINARY && !(known->lists & (LIST_GIVEN | LIST_SURNAME | LIST_CITY));
}

/* "Hilfeinformationen", "Speicherplatz": two ordinary words in one, an s between them perhaps, as German writes them. */
static bool compound(const Lists *lists, const char *word, size_t size) {
    enum { HEAD = 4, TAIL = 5 };
    for (size_t at = HEAD; at + TAIL <= size; at++) {
        if (((unsigned char)word[at] & 0xc0) == 0x80) continue;
        const Known *tail = lists_find(lists, letters_hash(word + at, size - at));
        if (!tail || !(tail->lists & LIST_ORDINARY) || tail->lists & (LIST_GIVEN | LIST_SURNAME | LIST_CITY)) continue;
        if (is_ordinary(lists, word, at) || (at > HEAD && (word[at - 1] | 32) == 's' && is_ordinary(lists, word, at - 1))) return true;
    }
    return false;
}

/* What a word with hyphens is: by its parts a name ("Jean-Baptiste"), or an ordinary word by its last ("Linux-Kernel", "C-x"). */
static uint32_t hyphened(const Lists *lists, const char *word, size_t size) {
    uint32_t sex = 0;
    bool given = true, surname = true;
    size_t from = 0, first = 0;
    for (size_t i = 0; i <= size; i++) {
        if (i < size && word[i] != '-') continue;
        const Known *known = lists_find(lists, letters_hash(word + from, i - from));
        given &= known && known->lists & LIST_GIVEN;
        surname &= known && known->lists & LIST_SURNAME;
        if (!first && known) sex = known->lists & LIST_GIVEN;
        if (!first) first = i;
        if (i < size) from = i + 1;
    }
    if (given || surname) return (given ? sex : 0) | (surname ? LIST_SURNAME : 0);
    bool small = word[0] >= 'a' && word[0] <= 'z', acronym = from && size - from >= 2; /* "beta-HCG", "anti-DNA" */
    for (size_t i = from; i < size; i++) acronym &= word[i] < 'a' || word[i] > 'z';
    if (small && acronym) return LIST_ORDINARY;
    return first == 1 || is_ordinary(lists, word + from, size - from) ? LIST_ORDINARY : 0;
}

/* "Gemcitabina", "tonsillitis": drugs, diseases and methods by their endings. */
static bool ends_as_terms(const Lists *lists, const char *word, size_t size) {
    enum { LEAST = 7 };
    char lower[64];
    size_t n = word_lower(word, size, lower, sizeof lower);
    if (n < LEAST || size > 40) return false;
    for (int i = 0; i < lists->endings; i++) {
        size_t end = lists->ending_size[i];
        if (lists->ending_last[i] == (uint8_t)lower[n - 1] && n >= end + 2 && !memcmp(lower + n - end, lists->ending[i], end)) return true;
    }
    return false;
}

/* What can be told of a word that no list has, by its form. */
static uint32_t told_by_form(const Lists *lists, const char *word, size_t size, unsigned shape) {
    if (memchr(word, '-', size)) {
        uint32_t found = hyphened(lists, word, size);
        if (found) return found;
    }
    uint32_t found = shape != SHAPE_LOWER && street_suffix(word, size) ? LIST_STREET_SUFFIX : 0;
    if (!found && (derived(lists, word, size) || ends_as_terms(lists, word, size))) return LIST_ORDINARY;
    if (shape == SHAPE_CAPITAL && size >= 9 && size < 64 && compound(lists, word, size)) found |= LIST_ORDINARY;
    return found;
}

static uint32_t remembered(const Lists *lists, const char *word, const Token *t, Memo *memo) {
    uint64_t key = (t->hash ^ (uint64_t)t->shape << 60) | 1;
    Memo *slot = memo ? &memo[(key * 0x9e3779b97f4a7c15u) >> 52] : NULL;
    if (slot && slot->key == key) return slot->lists;
    uint32_t found = told_by_form(lists, word, t->end - t->start, t->shape);
    if (slot) *slot = (Memo){ key, found };
    return found;
}

/* The longest place of several words that begins here, of at most four. */
static void mark_phrase(const Lists *lists, Tokens *tokens, int64_t first) {
    uint64_t hash = tokens->at[first].hash;
    int64_t last = first;
    uint32_t found = 0;
    for (int64_t i = first + 1; i < tokens->count && i < first + 4 && shape_is_word(tokens->at[i].shape); i++) {
        hash = phrase_hash(hash, tokens->at[i].hash);
        const Known *phrase = phrase_slot(lists, hash);
        if (!phrase->hash) continue;
        last = i;
        found = phrase->lists;
    }
    for (int64_t i = first; i <= last && found; i++) tokens->at[i].lists |= found;
}

void lists_mark(const Lists *lists, const char *text, Tokens *tokens) {
    for (int64_t i = 0; i < tokens->count; i++) {
        Token *t = &tokens->at[i];
        if (!shape_is_word(t->shape)) continue;
        const Known *known = lists_find(lists, t->hash);
        bool only_rule = known && known->lists == LIST_RULE && !known->cues;
        if (only_rule) t->lists |= LIST_RULE;
        if (known && !only_rule) {
            t->lists |= known->lists;
            t->word = t->hash;
            t->cues |= known->cues;
        } else t->lists |= remembered(lists, text + t->start, t, tokens->memo);
    }
    for (int64_t i = 0; i < tokens->count; i++)
        if (tokens->at[i].lists & LIST_FIRST) mark_phrase(lists, tokens, i);
}
