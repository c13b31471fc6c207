/* Names of columns: taken apart into words, and looked up in the lists of share/columns. */
#include "profile/column_names.h"
#include <ctype.h>
#include <string.h>
#include "prose/token.h"

static const struct {
    const char *name, *text;
} files[] = {
#include "column_lists.h"
    { NULL, NULL }
};

static const char *const concept_words[CONCEPTS] = {
    [CALLED_NOTHING] = "",
    [CALLED_NAME] = "name",
    [CALLED_PHONE] = "phone",
    [CALLED_FAX] = "fax",
    [CALLED_EMAIL] = "email",
    [CALLED_URL] = "url",
    [CALLED_IP] = "ip",
    [CALLED_ADDRESS] = "address",
    [CALLED_COORDINATES] = "coordinates",
    [CALLED_NATIONAL_ID] = "nationalid",
    [CALLED_PLAN] = "plan",
    [CALLED_ACCOUNT] = "account",
    [CALLED_LICENCE] = "licence",
    [CALLED_VEHICLE] = "vehicle",
    [CALLED_DEVICE] = "device",
    [CALLED_BIOMETRIC] = "biometric",
    [CALLED_PHOTO] = "photo",
    [CALLED_USERNAME] = "username",
    [CALLED_RECORD] = "record",
    [CALLED_BIRTHDATE] = "birthdate",
    [CALLED_PERSON_WEIGHT] = "personweight",
    [CALLED_HOUSEHOLD_WEIGHT] = "householdweight",
    [CALLED_REPLICATE_WEIGHT] = "replicateweight",
    [CALLED_WEIGHT] = "weight",
    [CALLED_BODY_WEIGHT] = "bodyweight",
    [CALLED_HOUSEHOLD] = "household",
    [CALLED_DISABILITY] = "disability",
    [CALLED_AGE] = "age",
    [CALLED_BIRTH_YEAR] = "birthyear",
    [CALLED_SEX] = "sex",
    [CALLED_POSTCODE] = "postcode",
    [CALLED_NATIONALITY] = "nationality",
    [CALLED_ORIGIN] = "origin",
    [CALLED_RELIGION] = "religion",
    [CALLED_LANGUAGE] = "language",
    [CALLED_PLACE] = "place",
    [CALLED_EDUCATION] = "education",
    [CALLED_OCCUPATION] = "occupation",
    [CALLED_INDUSTRY] = "industry",
    [CALLED_MARITAL] = "marital",
    [CALLED_RELATIONSHIP] = "relationship",
    [CALLED_HOUSEHOLD_SIZE] = "householdsize",
    [CALLED_HOUSING] = "housing",
    [CALLED_VETERAN] = "veteran",
    [CALLED_BODY] = "body",
    [CALLED_EVENT] = "event",
    [CALLED_DATE] = "date",
    [CALLED_DIAGNOSIS] = "diagnosis",
    [CALLED_TREATMENT] = "treatment",
    [CALLED_OUTCOME] = "outcome",
    [CALLED_MENTAL] = "mental",
    [CALLED_HEALTH] = "health",
    [CALLED_SUBSTANCE] = "substance",
    [CALLED_SEXUAL] = "sexual",
    [CALLED_CRIME] = "crime",
    [CALLED_POLITICS] = "politics",
    [CALLED_ATTITUDE] = "attitude",
    [CALLED_WELFARE] = "welfare",
    [CALLED_AMOUNT] = "amount",
    [CALLED_LAB] = "lab",
    [CALLED_TEXT] = "text",
    [CALLED_OTHER] = "other",
    [CALLED_WEAK_NAME] = "weakname",
    [CALLED_WEAK_RECORD] = "weakrecord",
};

const char *concept_word(Concept concept) { return concept < CONCEPTS ? concept_words[concept] : ""; }

const char *column_list(const char *name) {
    for (int i = 0; files[i].name; i++)
        if (!strcmp(files[i].name, name)) return files[i].text;
    return NULL;
}

/* ---- A name's words ---- */

enum { MOST_WORDS = 12, LONGEST = 64, LABEL_WORDS = 6, FEWEST_LETTERS = 3, SHORTEST_ENDING = 4 };
typedef struct NameWords {
    int count;
    char at[MOST_WORDS][LONGEST];
} NameWords;

static bool is_letter(uint32_t code) { return code_is_letter(code) || code - '0' < 10; }

/* A word ends at what is no letter and no digit, and before a capital behind a small letter. */
static void split_name(const char *name, NameWords *out) {
    const char *end = name + strlen(name), *start = NULL;
    bool small = false;
    out->count = 0;
    for (const char *at = name; out->count < MOST_WORDS;) {
        int length = 1;
        uint32_t code = at < end ? code_point(at, end, &length) : ' ';
        bool letter = is_letter(code), capital = letter && code_lower(code) != code;
        if (start && (!letter || (capital && small))) {
            word_fold(start, (size_t)(at - start), out->at[out->count], LONGEST);
            out->count++;
            start = NULL;
        }
        if (at >= end) break;
        if (letter && !start) start = at;
        small = letter && !capital && code - '0' >= 10;
        at += length;
    }
}

/* Words i to i + length − 1 as one, which is `whole` the name; false where it is too long. */
static bool join_words(const NameWords *words, int i, int length, char out[LONGEST]) {
    size_t used = 0;
    for (int w = i; w < i + length; w++) {
        size_t size = strlen(words->at[w]);
        if (used + size + 1 > LONGEST) return false;
        memcpy(out + used, words->at[w], size + 1);
        used += size;
    }
    return used > 0;
}

/* ---- The lists ---- */

/* The concept of the line on which this is, by the line's first word. */
static Concept concept_of_line(const char *text, const char *at) {
    while (at > text && at[-1] != '\n') at--;
    size_t size = strcspn(at, " \n");
    for (int c = 1; c < CONCEPTS; c++)
        if (strlen(concept_words[c]) == size && !memcmp(concept_words[c], at, size)) return (Concept)c;
    return CALLED_NOTHING;
}

/* Lines of comments begin with #: their words are none of the lists'. */
static bool in_comment(const char *text, const char *at) {
    while (at > text && at[-1] != '\n') at--;
    return *at == '#';
}

/* " word " with a mark before it: a word ends at a blank or at the line's end. */
static Concept look_up(const char *word, char mark) {
    char key[LONGEST + 3];
    size_t size = strlen(word), n = 0;
    key[n++] = ' ';
    if (mark) key[n++] = mark;
    memcpy(key + n, word, size + 1);
    n += size;
    for (int f = 0; files[f].name; f++) {
        if (!strcmp(files[f].name, "values")) continue;
        for (const char *at = files[f].text; (at = strstr(at, key)); at++) {
            if ((at[n] != ' ' && at[n] != '\n' && at[n]) || in_comment(files[f].text, at)) continue;
            Concept found = concept_of_line(files[f].text, at);
            if (found) return found;
        }
    }
    return CALLED_NOTHING;
}

/* A compound by its end: Hauptstrasse. */
static Concept look_up_ending(const char *word) {
    size_t size = strlen(word);
    for (size_t from = 1; from + SHORTEST_ENDING - 1 < size; from++) {
        Concept found = look_up(word + from, '*');
        if (found) return found;
    }
    return CALLED_NOTHING;
}

/* The word, and the word without the digits behind it (zip3, phone2). */
static Concept look_up_word(const char *word, bool whole) {
    char plain[LONGEST];
    size_t size = strlen(word), letters = size;
    Concept found = look_up(word, 0);
    if (!found && whole) found = look_up(word, '=');
    if (!found) found = look_up(word, '*');
    if (found) return found;
    while (letters && isdigit((unsigned char)word[letters - 1])) letters--;
    if (letters < FEWEST_LETTERS) return CALLED_NOTHING;
    if (letters < size) {
        memcpy(plain, word, letters);
        plain[letters] = 0;
        found = look_up(plain, 0);
        if (found) return found;
        word = plain;
    }
    return look_up_ending(word);
}

static void add_concept(NameConcepts *out, Concept concept) {
    for (int i = 0; i < out->count; i++)
        if (out->at[i] == concept) return;
    if (out->count < (int)(sizeof out->at / sizeof *out->at)) out->at[out->count++] = concept;
}

static void concepts_of_words(const NameWords *words, NameConcepts *out) {
    char joined[LONGEST];
    out->count = 0;
    for (int length = words->count; length > 0; length--) {
        bool found[CONCEPTS] = { false };
        for (int i = 0; i + length <= words->count; i++)
            if (join_words(words, i, length, joined)) found[look_up_word(joined, length == words->count)] = true;
        for (int c = 1; c < CONCEPTS; c++)
            if (found[c]) add_concept(out, (Concept)c);
    }
}

void concepts_of_name(const char *name, NameConcepts *out) {
    NameWords words;
    split_name(name, &words);
    concepts_of_words(&words, out);
}

void concepts_of_label(const char *label, NameConcepts *out) {
    static const char skipped[] =
        " of the a an in at for by to s r respondent respondents patient patients person persons individual der die "
        "das des von du de la le les del el di il lo van het do da years year months ";
    NameWords words, kept = { 0 };
    char key[LONGEST + 2];
    split_name(label, &words);
    for (int i = 0; i < words.count; i++) {
        size_t size = strlen(words.at[i]);
        key[0] = ' ';
        memcpy(key + 1, words.at[i], size);
        memcpy(key + 1 + size, " ", 2);
        if (!strstr(skipped, key)) memcpy(kept.at[kept.count++], words.at[i], size + 1);
    }
    out->count = 0;
    if (words.count < MOST_WORDS && kept.count <= LABEL_WORDS) concepts_of_words(&kept, out);
}

/* Is the word on one of the lines of the list that begin so? */
static bool on_line(const char *file, const char *begins, const char *word) {
    const char *text = column_list(file);
    size_t lead = strlen(begins), size = strlen(word);
    char key[LONGEST + 2] = " ";
    memcpy(key + 1, word, size + 1);
    for (const char *at = text; size && at && (at = strstr(at, key)); at++) {
        const char *line = at;
        if (at[size + 1] != ' ' && at[size + 1] != '\n' && at[size + 1]) continue;
        while (line > text && line[-1] != '\n') line--;
        if (!strncmp(line, begins, lead) && line[lead] == ' ') return true;
    }
    return false;
}

bool name_of_person_number(const char *name) {
    NameWords words;
    char whole[LONGEST];
    bool person = false, other = false;
    split_name(name, &words);
    for (int i = 0; i < words.count; i++) {
        if (on_line("people", "person", words.at[i])) person = true;
        else if (!on_line("people", "number", words.at[i])) other = true;
    }
    return (person && !other) || (join_words(&words, 0, words.count, whole) && on_line("people", "person", whole));
}

/* ---- Values ---- */

bool values_say_sex(const char *a, const char *b) {
    char pair[LONGEST * 2 + 2], one[LONGEST], other[LONGEST];
    word_fold(a, strlen(a), one, LONGEST);
    word_fold(b, strlen(b), other, LONGEST);
    for (int turn = 0; turn < 2; turn++) {
        size_t first = strlen(turn ? other : one), second = strlen(turn ? one : other);
        memcpy(pair, turn ? other : one, first);
        pair[first] = '/';
        memcpy(pair + first + 1, turn ? one : other, second + 1);
        if (on_line("values", "sex", pair)) return true;
    }
    return false;
}

bool value_says_neither(const char *value) {
    char word[LONGEST];
    word_fold(value, strlen(value), word, LONGEST);
    return on_line("values", "neither", word);
}

bool word_names_street(const char *word) {
    char plain[LONGEST];
    size_t size = word_fold(word, strlen(word), plain, LONGEST);
    if (on_line("values", "street", plain)) return true;
    for (size_t from = 1; from + 3 <= size; from++)
        if (on_line("values", "streetend", plain + from)) return true;
    return false;
}
