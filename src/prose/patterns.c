/* Patterns: what numbers and addresses look like, by PCRE2 with its compiler, tried only where a token could begin one. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdlib.h>
#include <string.h>
#include "prose/check_digits.h"
#include "prose/find.h"
#include "prose/national_numbers.h"

/* Bytes, not code points: every class here is ASCII, and what follows must be no letter of any alphabet. */
#define STOP "(?![0-9A-Za-z\\x80-\\xff])"
#define MONTHS                                                                                                                             \
    "(?i:jan(?:uary|uari|uar|v(?:ier)?|eiro)?|j\xc3\xa4nner|ene(?:ro)?|gennaio|feb(?:ruary|ruari|ruar|rero|braio)?|f\xc3\xa9v(?:r(?:ier)?" \
    ")?|"                                                                                                                                  \
    "fevereiro|mar(?:ch|zo|\xc3\xa7o|s)?|maart|m\xc3\xa4r(?:z)?|apr(?:il|ile)?|abr(?:il)?|avr(?:il)?"                                      \
    "|may(?:o)?|mai|mei|maio|maggio|june?|juni(?:o)?|juin|junho|giugno|july?|juli(?:o)?|julho|luglio|juil(?:let)?|aug(?:ust|ustus)?|"      \
    "ago(?:sto)?|ao\xc3\xbbt|sept?(?:ember|iembre|embre)?|setiembre|setembro|settembre|oct(?:ober|ubre|obre)?|okt(?:ober)?|ottobre|"       \
    "outubro|nov(?:ember|iembre|embre|embro)?|dec(?:ember)?|dic(?:iembre|embre)?|dez(?:ember|embro)?|d\xc3\xa9"                            \
    "c(?:embre)?)"
#define CLOCK "(?:[T ,]{1,2}\\d{1,2}:\\d{2}(?::\\d{2}(?:\\.\\d{1,6})?)?(?: ?[AaPp][Mm])?(?:Z|[+-]\\d{2}:?\\d{2})?)?"
#define CLOCK_NEXT "[ ,]{1,2}\\d{1,2}:\\d{2}"
#define YEAR "(?:(?:1[89]|20)\\d\\d|(?:'|\xe2\x80\x99)\\d\\d)"               /* 2019, '19 */
#define TO "\\s?(?:[-/]|\xe2\x80\x93|bis(?: zum)?\\s|au\\s|al\\s|to\\s)\\s?" /* 2.–11., 12 au 19 */
#define ROMAN "(?:I{1,3}|IV|VI{0,3}|IX|XI{0,2}|X)"
#define EXT "(?:\\s{0,2}(?:x|ext\\.?|extension)\\s?\\d{1,6})?"
#define STREETS                                                                                                                            \
    "(?:Street|St|Avenue|Ave|Road|Rd|Lane|Ln|Drive|Dr|Boulevard|Blvd|Court|Ct|Place|Pl|Square|Sq|Terrace|Way|Highway|Hwy|Parkway|Pkwy|"    \
    "Circle|Cir|Close|Crescent|Mews|Row|Trail|Grove|Gardens|Alley)\\.?"

enum { AT_DIGIT = 1, AT_OPEN = 2, AT_ALNUM = 4, AT_MONTH = 8, AT_WORD = 16, AT_STREET = 32 };
enum { SLASH = 1, DASH = 2, DOT = 4, COLON = 8, SPACE = 16 };
typedef struct Pattern {
    const char *regex;
    uint8_t kind, at;
    uint8_t digits; /* fewest in the run of digits and separators here; where it is not met the pattern is not tried */
    uint8_t marks;  /* one of these separators must be in the run; 0: none need be */
    uint16_t cues;
    bool chain; /* the cue must lead straight to it */
    Check *check;
    float bare, cued, failed; /* confidence: alone; with a cue; with a cue and a check digit that fails. 0: no find */
} Pattern;

static const Pattern table[] = {
    { "\\d{4}[-/.]\\d{1,2}[-/.]\\d{1,2}" CLOCK STOP, TRACE_DATE, AT_DIGIT, 6, SLASH | DASH | DOT, CUE_DATE, false, check_date, .97f, .99f,
      0 },
    { "\\d{1,2}([-/.])\\d{1,2}\\1\\d{4}" CLOCK STOP, TRACE_DATE, AT_DIGIT, 6, SLASH | DASH | DOT, CUE_DATE, false, check_date, .97f, .99f,
      0 },
    { "\\d{1,2}/\\d{1,2}/\\d{2}" CLOCK STOP, TRACE_DATE, AT_DIGIT, 4, SLASH, CUE_DATE, false, check_date, .9f, .97f, 0 },
    { "\\d{1,2}([-.])\\d{1,2}\\1\\d{2}(?![-.]?\\d)" CLOCK STOP, TRACE_DATE, AT_DIGIT, 4, DASH | DOT, CUE_DATE, false, check_date, .6f, .95f,
      0 },
    { "(?:0?[1-9]|1[0-2])[/-](?:19|20)\\d\\d" STOP, TRACE_DATE, AT_DIGIT, 5, SLASH | DASH, CUE_DATE, false, NULL, .75f, .9f, 0 },
    { "(?:19|20)\\d\\d/(?:0[1-9]|1[0-2])(?!/|\\.?\\d)" STOP, TRACE_DATE, AT_DIGIT, 6, SLASH, CUE_DATE, false, NULL, .7f, .9f, 0 },
    { "(?:19|20)\\d\\d-(?:0[1-9]|1[0-2])(?!-|\\.?\\d)" STOP, TRACE_DATE, AT_DIGIT, 6, DASH, CUE_DATE, false, NULL, .5f, .9f, 0 },
    { "(?:19|20)\\d{6}(?:T\\d{4}(?:\\d{2})?)?" STOP, TRACE_DATE, AT_DIGIT | AT_ALNUM, 8, 0, CUE_DATE, false, check_compact, .6f, .95f, 0 },
    { "(?:0?[1-9]|1[0-2])/(?:0?[1-9]|[12]\\d|3[01])(?!/|\\.?\\d)" STOP, TRACE_DATE, AT_DIGIT, 2, SLASH, CUE_DATE, false, NULL, .2f, .6f,
      0 },
    { "(?:0?[1-9]|[12]\\d|3[01])/(?:0?[1-9]|1[0-2])(?!/|\\.?\\d)" STOP, TRACE_DATE, AT_DIGIT, 2, SLASH, CUE_DATE, true, NULL, 0, .8f, 0 },
    { "(?:0?[1-9]|[12]\\d|3[01])\\. ?(?:0?[1-9]|1[0-2])\\.(?! ?\\d)", TRACE_DATE, AT_DIGIT, 2, DOT, CUE_DATE, true, NULL, 0, .93f, 0 },
    { "(?:0?[1-9]|[12]\\d|3[01])(?:-|\\. ?|/)" ROMAN "(?:-|\\. ?|/)(?:(?:1[89]|20)\\d\\d|\\d\\d)" STOP, TRACE_DATE, AT_DIGIT | AT_ALNUM, 1,
      DASH | DOT | SLASH, CUE_DATE, false, NULL, .9f, .95f, 0 },
    { "(?:0?[1-9]|[12]\\d|3[01])([-/.])(?!x\\.)(?i:" ROMAN ")\\1(?:1[89]|20)\\d\\d" STOP, TRACE_DATE, AT_DIGIT | AT_ALNUM, 1,
      DASH | DOT | SLASH, CUE_DATE, false, NULL, .9f, .95f, 0 },
    { "KW ?(?:0?[1-9]|[1-4]\\d|5[0-3])(?:/(?:20)?\\d\\d)?" STOP, TRACE_DATE, AT_WORD, 0, 0, CUE_DATE, false, NULL, .8f, .9f, 0 },
    { "(?:19|20)\\d\\d-?W(?:0[1-9]|[1-4]\\d|5[0-3])(?:-?[1-7])?" STOP, TRACE_DATE, AT_DIGIT | AT_ALNUM, 4, 0, CUE_DATE, false, check_week,
      .97f, .99f, 0 },
    { "(?:19|20)\\d\\d-(?:00[1-9]|0[1-9]\\d|[12]\\d\\d|3[0-5]\\d|36[0-6])(?!-)" STOP, TRACE_DATE, AT_DIGIT, 7, DASH, CUE_DATE, false, NULL,
      .6f, .93f, 0 },
    { "(?:0?[1-9]|[12]\\d|3[01])(?:st|nd|rd|th|er|\\.|\xc2\xba)?(?:" TO
      "\\d{1,2}(?:st|nd|rd|th|\\.)?)?[\\s-]{1,3}(?:of\\s|de\\s)?" MONTHS STOP "(?:\\.?,?[\\s-](?:of\\s|del?\\s)?" YEAR STOP
      "|\\.?-\\d\\d" STOP ")?(?:\\.(?=" CLOCK_NEXT "))?" CLOCK, /* a full stop behind it is the sentence's */
      TRACE_DATE, AT_DIGIT | AT_ALNUM, 1, 0, CUE_DATE, false, NULL, .95f, .98f, 0 },
    { MONTHS "\\.?[\\s-]\\d{1,2}(?:st|nd|rd|th)?(?:\\s?[-\xe2]\\S{0,2}\\d{1,2}(?:st|nd|rd|th)?)?(?:,?[\\s-]" YEAR ")?" CLOCK STOP,
      TRACE_DATE, AT_MONTH, 0, 0, CUE_DATE, false, NULL, .9f, .96f, 0 },
    { "(?:0?[1-9]|[12]\\d|3[01])" MONTHS "(?:(?:1[89]|20)\\d\\d|\\d\\d)" STOP, TRACE_DATE, AT_ALNUM | AT_DIGIT, 1, 0, CUE_DATE, false, NULL,
      .93f, .97f, 0 },
    { "(?:\\d{1,2}|1[01]\\d)(?=[ -]?(?:yo\\b|y/o|y\\.o))", TRACE_AGE, AT_ALNUM | AT_DIGIT, 1, 0, CUE_AGE, false, NULL, .9f, .96f, 0 },
    { MONTHS "\\.?,?\\s(?:of\\s|del?\\s)?" YEAR STOP, TRACE_DATE, AT_MONTH, 0, 0, CUE_DATE, false, NULL, .9f, .96f, 0 },
    { "\\d{3}-\\d{2}-\\d{4}(?!-)" STOP, TRACE_SSN, AT_DIGIT, 9, DASH, CUE_SSN, false, check_ssn, .93f, .99f, .85f },
    { "\\d{3} \\d{2} \\d{4}" STOP, TRACE_SSN, AT_DIGIT, 9, SPACE, CUE_SSN, false, check_ssn, .55f, .96f, .6f },
    { "\\d{9}" STOP, TRACE_SSN, AT_DIGIT, 9, 0, CUE_SSN, true, NULL, 0, .93f, 0 },
    { "\\d{1,3}(?:\\.\\d{1,3}){3}(?:/\\d{1,2}|:\\d{1,5})?(?!\\.?\\d)" STOP, TRACE_IP, AT_DIGIT, 4, DOT, 0, false, check_ipv4, .96f, 0, 0 },
    { "\\d{13,19}" STOP, TRACE_CARD, AT_DIGIT, 13, 0, CUE_CARD, false, check_card, .9f, .99f, .8f },
    { "\\d{12}" STOP, TRACE_CARD, AT_DIGIT, 12, 0, CUE_CARD, false, check_card, .55f, .97f, .75f },
    { "\\d{4}([ -])\\d{4}\\1\\d{4}\\1\\d{1,7}" STOP, TRACE_CARD, AT_DIGIT, 13, SPACE | DASH, CUE_CARD, false, check_card, .97f, .99f, .8f },
    { "\\d{4}[ -]\\d{6}[ -]\\d{4,5}" STOP, TRACE_CARD, AT_DIGIT, 14, SPACE | DASH, CUE_CARD, false, check_card, .97f, .99f, .7f },
    { "(?:1[-. ])?[2-9]\\d{2}([-. ])\\d{3}\\1\\d{4}" EXT STOP, TRACE_PHONE, AT_DIGIT, 10, DASH | DOT | SPACE, CUE_PHONE, false, NULL, .92f,
      .98f, 0 },
    { "(?:1[-. ]?)?\\([2-9]\\d{2}\\) ?\\d{3}[-. ]\\d{4}" EXT STOP, TRACE_PHONE, AT_OPEN | AT_DIGIT, 10, 0, CUE_PHONE, false, NULL, .95f,
      .98f, 0 },
    { "00[1-9]\\d{0,2}(?:[-. ]\\(?\\d{1,4}\\)?){2,5}" EXT STOP, TRACE_PHONE, AT_DIGIT, 9, DASH | DOT | SPACE, CUE_PHONE, false, NULL, .93f,
      .98f, 0 },
    { "\\(?0\\d{1,4}\\)?[-/ .]{1,3}\\d{2,8}(?:[-/ .]\\d{2,4}){0,4}" EXT STOP, TRACE_PHONE, AT_DIGIT | AT_OPEN, 8, 0, CUE_PHONE, false, NULL,
      .82f, .96f, 0 },
    { "0[1-9]\\d{8,9}" STOP, TRACE_PHONE, AT_DIGIT, 10, 0, CUE_PHONE, false, NULL, .65f, .95f, 0 },
    { "[6789]\\d{2}[ .-]\\d{3}[ .-]\\d{3}" STOP, TRACE_PHONE, AT_DIGIT, 9, SPACE | DOT | DASH, CUE_PHONE, false, NULL, .6f, .95f, 0 },
    { "[6789]\\d{1,2}[ .-]\\d{2,3}[ .-]\\d{2}[ .-]\\d{2}" STOP, TRACE_PHONE, AT_DIGIT, 9, SPACE | DOT | DASH, CUE_PHONE, false, NULL, .75f,
      .95f, 0 },
    { "[2-9]\\d{2}[-. ]\\d{4}(?![-./ ]\\d)" EXT STOP, TRACE_PHONE, AT_DIGIT, 7, DASH | DOT | SPACE, CUE_PHONE, false, NULL, .52f, .94f, 0 },
    { "(?!(?:19|20)\\d\\d[- ](?:19|20)\\d\\d" STOP ")\\d{2,4}(?:([- ])\\d{2,4})(?:\\1\\d{2,4}){0,4}" EXT STOP, TRACE_PHONE, AT_DIGIT, 7,
      DASH | SPACE, CUE_PHONE, false, NULL, .5f, .92f, 0 },
    { "\\d{7,12}" EXT STOP, TRACE_PHONE, AT_DIGIT, 7, 0, CUE_PHONE, false, NULL, 0, .8f, 0 },
    { "\\+\\d{1,3}[-. ]?(?:\\(\\d{0,4}\\)[-. ]?)?\\d{1,5}(?:[-. /]?\\d{1,5}){1,6}" EXT STOP, TRACE_PHONE, AT_OPEN, 7, 0, CUE_PHONE, false,
      NULL, .97f, .99f, 0 },
    { "\\(\\+?\\d{2,5}\\)[-. ]?\\d{2,8}(?:[-. /]?\\d{2,6}){0,3}" EXT STOP, TRACE_PHONE, AT_OPEN, 7, 0, CUE_PHONE, false, NULL, .8f, .96f,
      0 },
    { "\\d{5}-\\d{4}" STOP, TRACE_ZIP, AT_DIGIT, 9, DASH, CUE_ZIP, false, NULL, .7f, .98f, 0 },
    { "\\d{3,6}(?:[- ]\\d{2,4}| [A-Z]{2})?" STOP, TRACE_ZIP, AT_DIGIT, 3, 0, CUE_ZIP, true, NULL, 0, .97f, 0 },
    { "[A-PR-UWYZ][A-HK-Y]?\\d[A-HJKMNP-Y\\d]? ?\\d[ABD-HJLNP-UW-Z]{2}" STOP, TRACE_ZIP, AT_ALNUM, 0, 0, CUE_ZIP, false, NULL, .85f, .98f,
      0 },
    { "[A-Z]\\d[A-Z]\\d[A-Z]\\d" STOP, TRACE_ZIP, AT_ALNUM, 0, 0, CUE_ZIP, true, NULL, 0, .98f, 0 },
    { "[ABCEGHJ-NPRSTVXY]\\d[A-Z][ -]\\d[A-Z]\\d" STOP, TRACE_ZIP, AT_ALNUM, 0, 0, CUE_ZIP, false, NULL, .8f, .98f, 0 },
    { "[A-Za-z]{2}\\d{2}(?:[A-Za-z0-9]{11,30}|(?: [A-Za-z0-9]{4}){2,7}(?: [A-Za-z0-9]{1,4})?)" STOP, TRACE_IBAN, AT_ALNUM, 0, 0,
      CUE_ACCOUNT, false, check_iban, .97f, .99f, .7f },
    { "[A-HJ-NPR-Z0-9]{17}" STOP, TRACE_VEHICLE, AT_ALNUM | AT_DIGIT, 0, 0, CUE_VEHICLE, false, check_vin, .93f, .98f, .8f },
    { "[A-Z]{2}\\d{2} ?[A-Z]{3}" STOP, TRACE_VEHICLE, AT_ALNUM, 0, 0, CUE_VEHICLE, true, NULL, 0, .95f, 0 }, /* a British plate */
    { "[A-Z][A-Z9]\\d{7}" STOP, TRACE_LICENCE, AT_ALNUM, 0, 0, CUE_LICENCE, false, check_dea, .8f, .96f, .7f },
    { "\\d{10}" STOP, TRACE_LICENCE, AT_DIGIT, 10, 0, CUE_LICENCE, true, check_npi, 0, .96f, .7f },
    { "\\d{9}" STOP, TRACE_ACCOUNT, AT_DIGIT, 9, 0, CUE_ACCOUNT, true, check_routing, 0, .95f, .85f },
    { "[0-9A-Fa-f]{2}([:-])(?:[0-9A-Fa-f]{2}\\1){4}[0-9A-Fa-f]{2}" STOP, TRACE_MAC, AT_DIGIT | AT_ALNUM | AT_WORD, 0, COLON | DASH, 0,
      false, NULL, .97f, 0, 0 },
    { "(?:[0-9A-Fa-f]{1,4}:){2,7}:?(?:[0-9A-Fa-f]{1,4}:){0,5}[0-9A-Fa-f]{1,4}(?!:)" STOP, TRACE_IP, AT_DIGIT | AT_ALNUM | AT_WORD, 0, COLON,
      0, false, NULL, .9f, 0, 0 },
    { "[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}" STOP, TRACE_ID, AT_DIGIT | AT_ALNUM | AT_WORD, 0, DASH,
      0, false, NULL, .95f, 0, 0 },
    { "\\d{1,6}[A-Za-z]?,?\\s(?:[NSEW]\\.?\\s)?(?:[A-Z0-9][\\w'.\\x80-\\xff-]{0,24}\\s){1,4}?" STREETS STOP, TRACE_ADDRESS,
      AT_DIGIT | AT_ALNUM, 1, 0, 0, false, NULL, .92f, 0, 0 },
    { "(?:P\\.? ?O\\.? ?)?Box\\s#?\\d{1,6}" STOP, TRACE_ADDRESS, AT_WORD, 0, 0, 0, false, NULL, .85f, 0, 0 },
    { "(?i:calle|c/|avda\\.?|avenida|plaza|paseo|camino|ronda|rue|avenue|boulevard|place|chemin|all\xc3\xa9"
      "e|impasse|quai|via|viale|piazza|rua)\\s(?:(?:de|del|la|las|los|el|du|des|de l'|da|do)\\s){0,3}"
      "[A-Z\\xc3][\\w'.\\x80-\\xff-]{1,24}(?:\\s(?:(?:de|y|la|et)\\s)?[A-Z\\xc3][\\w'.\\x80-\\xff-]{1,24}){0,3},?\\s(?:n[\xc2\xba.o]{1,3}"
      "\\s?)?\\d{1,5}" STOP,
      TRACE_ADDRESS, AT_STREET, 0, 0, 0, false, NULL, .9f, 0, 0 },
    { "[A-Z\\xc3][\\w\\x80-\\xff-]{1,30}(?:stra\xc3\x9f"
      "e|strasse|str\\.|weg|gasse|platz|allee|damm|ufer)\\s\\d{1,4} ?[a-z]?" STOP,
      TRACE_ADDRESS, AT_STREET, 0, 0, 0, false, NULL, .93f, 0, 0 },
};
enum { PATTERNS = sizeof table / sizeof *table, WINDOW = 160 };

struct Patterns {
    bool jit[PATTERNS]; /* compiled to machine code: may be run without the checks of pcre2_match */
    pcre2_code *code[PATTERNS], *user[USER_PATTERNS], *national[NATIONAL_MOST];
    NationalNumber number[NATIONAL_MOST];
    int digits[NATIONAL_MOST]; /* fewest in the run of digits and separators; 0: it begins with a letter */
    int users, nationals;
    pcre2_match_context *limits, *user_limits;
};

/* A pattern that would run away is stopped: the built-in ones see a window of text, the caller's have a bounded number of steps. */
static Status limits_make(Patterns *p, Error *error) {
    p->limits = pcre2_match_context_create(NULL);
    p->user_limits = pcre2_match_context_create(NULL);
    if (!p->limits || !p->user_limits) return out_of_memory(error);
    pcre2_set_match_limit(p->limits, 20000);
    pcre2_set_depth_limit(p->limits, 1000);
    pcre2_set_match_limit(p->user_limits, 1000000);
    pcre2_set_depth_limit(p->user_limits, 10000);
    pcre2_set_heap_limit(p->user_limits, 20000);
    return OK;
}

static Status compile(const char *regex, const char *name, uint32_t options, pcre2_code **out, Error *error) {
    int code;
    PCRE2_SIZE at;
    *out = pcre2_compile((PCRE2_SPTR)regex, PCRE2_ZERO_TERMINATED, options, &code, &at, NULL);
    if (*out) {
        (void)pcre2_jit_compile(*out, PCRE2_JIT_COMPLETE); /* without it the same answers come, slower */
        return OK;
    }
    PCRE2_UCHAR why[128] = "";
    pcre2_get_error_message(code, why, sizeof why);
    fail(error, BAD, "is no regular expression: %s at character %zu of %s", (const char *)why, (size_t)at, name);
    return error_parameter(error, "pattern");
}

/* The digits and separators from here on: what says quickly which patterns can be tried. */
typedef struct Digits {
    int count;
    unsigned marks;
} Digits;

static Digits digits_ahead(const char *p, const char *end);

/* The numbers of share/scrub/national.txt. */
static Status open_national(Work *work, Patterns *p) {
    Status status = OK;
    TRY(national_numbers_read(work, lists_file("national"), p->number, &p->nationals));
    for (int i = 0; i < p->nationals; i++) {
        const char *example = p->number[i].example, *regex = arena_print(work->arena, "(?:%s)" STOP, p->number[i].regex);
        if (!regex) TRY(out_of_memory(work->error));
        TRY(compile(regex, p->number[i].name, PCRE2_ANCHORED, &p->national[i], work->error));
        p->digits[i] = digits_ahead(example, example + strlen(example)).count;
        if (*example < '0' || *example > '9') p->digits[i] = 0;
    }
done:
    return status;
}

Status patterns_open(Work *work, const UserPattern *user, int count, Patterns **out) {
    Status status = OK;
    Patterns *p = *out = calloc(1, sizeof *p);
    if (!p) return out_of_memory(work->error);
    TRY(limits_make(p, work->error));
    for (int i = 0; i < PATTERNS; i++) {
        size_t size = 0;
        TRY(compile(table[i].regex, "a built-in pattern", PCRE2_ANCHORED, &p->code[i], work->error));
        p->jit[i] = !pcre2_pattern_info(p->code[i], PCRE2_INFO_JITSIZE, &size) && size > 0;
    }
    TRY(open_national(work, p));
    for (int i = 0; i < count; i++) {
        TRY(compile(user[i].regex, user[i].name, PCRE2_UTF | PCRE2_UCP | PCRE2_MATCH_INVALID_UTF | PCRE2_NEVER_BACKSLASH_C, &p->user[i],
                    work->error));
        p->users = i + 1;
    }
done:
    return status;
}

void patterns_close(Patterns *p) {
    if (!p) return;
    for (int i = 0; i < PATTERNS; i++) pcre2_code_free(p->code[i]);
    for (int i = 0; i < USER_PATTERNS; i++) pcre2_code_free(p->user[i]);
    for (int i = 0; i < NATIONAL_MOST; i++) pcre2_code_free(p->national[i]);
    pcre2_match_context_free(p->limits);
    pcre2_match_context_free(p->user_limits);
    free(p);
}

Status patterns_scratch(void **match, Error *error) {
    *match = pcre2_match_data_create(8, NULL);
    return *match ? OK : out_of_memory(error);
}

void patterns_scratch_free(void *match) { pcre2_match_data_free(match); }

static Digits digits_ahead(const char *p, const char *end) {
    Digits run = { 0 };
    for (const char *stop = end - p > 48 ? p + 48 : end; p < stop; p++) {
        switch (*p) {
        case '/': run.marks |= SLASH; break;
        case '-': run.marks |= DASH; break;
        case '.': run.marks |= DOT; break;
        case ':': run.marks |= COLON; break;
        case ' ': run.marks |= SPACE; break;
        case '(':
        case ')':
        case '+': break;
        default:
            if (*p >= '0' && *p <= '9') run.count++;
            else if (!((*p | 32) >= 'a' && (*p | 32) <= 'f')) return run;
        }
    }
    return run;
}

typedef struct Place {
    Search *search;
    const char *text;
    size_t size;
    int64_t token;
    unsigned at;
    Digits run;
} Place;

/* An IBAN in groups of four may have taken the next word with it: it is shortened by a group until it checks. */
static size_t shorten(const Pattern *pattern, const char *start, size_t length) {
    for (size_t cut = length; pattern->kind == TRACE_IBAN && cut > 15; cut--)
        if (start[cut - 1] == ' ' && pattern->check(start, cut - 1)) return cut - 1;
    return 0;
}

static float confidence(const Pattern *pattern, const Tokens *tokens, int64_t at, bool passed) {
    unsigned cues = !pattern->cues ? 0 : pattern->chain ? cues_chain(tokens, at) : cues_near(tokens, at);
    bool cued = (cues & pattern->cues) != 0;
    if (!passed) return cued ? pattern->failed : 0;
    return cued ? pattern->cued : pattern->bare;
}

static Status try_one(const Place *w, int which, Error *error) {
    const Pattern *pattern = &table[which];
    const Token *token = &w->search->tokens.at[w->token];
    const char *start = w->text + token->start;
    size_t left = w->size - token->start, length = left < WINDOW ? left : WINDOW;
    const Patterns *p = w->search->finder->patterns;
    int n = (p->jit[which] ? pcre2_jit_match : pcre2_match)(p->code[which], (PCRE2_SPTR)start, length, 0, 0, w->search->match, p->limits);
    if (n < 0) return OK;
    size_t end = pcre2_get_ovector_pointer(w->search->match)[1];
    bool passed = !pattern->check || pattern->check(start, end);
    if (!passed && shorten(pattern, start, end)) {
        passed = true;
        end = shorten(pattern, start, end);
    }
    float sure = confidence(pattern, &w->search->tokens, w->token, passed);
    if (sure <= 0) return OK;
    unsigned kind = pattern->kind;
    if (kind == TRACE_PHONE && cues_near(&w->search->tokens, w->token) & CUE_FAX) kind = TRACE_FAX;
    Find find = { token->start, token->start + (uint32_t)end, sure, (uint8_t)kind,
                  pattern->check && passed ? FOUND_CHECKED : FOUND_PATTERN };
    return finds_add(&w->search->candidates, find, error);
}

/* One of the national numbers: with its check satisfied it counts alone where its form says enough, else beside a word that announces one. */
static Status try_national(const Place *w, int which, Error *error) {
    const Patterns *p = w->search->finder->patterns;
    const NationalNumber *number = &p->number[which];
    const Token *token = &w->search->tokens.at[w->token];
    const char *start = w->text + token->start;
    size_t left = w->size - token->start, length = left < WINDOW ? left : WINDOW;
    if (pcre2_match(p->national[which], (PCRE2_SPTR)start, length, 0, 0, w->search->match, p->limits) < 0) return OK;
    size_t end = pcre2_get_ovector_pointer(w->search->match)[1];
    bool passed = national_check(number->check, start, end), cued = cues_near(&w->search->tokens, w->token) & CUE_SSN;
    float sure = passed ? (cued ? .98f : number->alone ? .93f : 0) : cued ? .7f : 0;
    if (sure <= 0) return OK;
    Find find = { token->start, token->start + (uint32_t)end, sure, TRACE_NATIONAL_ID, passed ? FOUND_CHECKED : FOUND_PATTERN };
    return finds_add(&w->search->candidates, find, error);
}

/* Which patterns can begin at a token. */
static unsigned starts(const char *text, size_t size, const Token *t) {
    unsigned char first = (unsigned char)text[t->start];
    if (t->start && (text[t->start - 1] & 0x80)) return t->shape == SHAPE_ALNUM ? AT_ALNUM : 0;
    if (shape_is_number(t->shape)) return AT_DIGIT;
    if (t->shape == SHAPE_ALNUM) return first <= '9' ? AT_DIGIT | AT_ALNUM : AT_ALNUM;
    if ((first == '+' || first == '(') && t->start + 1 < size &&
        ((text[t->start + 1] >= '0' && text[t->start + 1] <= '9') || text[t->start + 1] == '+'))
        return AT_OPEN;
    if (t->lists & LIST_MONTH) return AT_MONTH;
    if (t->lists & (LIST_STREET_BEFORE | LIST_STREET_SUFFIX)) return AT_STREET;
    if (t->lists & LIST_BOX) return AT_WORD;
    if (shape_is_word(t->shape) && t->end - t->start <= 8 && t->end < size && (text[t->end] == ':' || text[t->end] == '-') &&
        t->end + 1 < size && text[t->end + 1] != ' ')
        return AT_WORD;
    return t->shape == SHAPE_UPPER && t->end - t->start <= 2 && t->end + 1 < size && text[t->end + 1] >= '0' && text[t->end + 1] <= '9'
               ? AT_WORD
               : 0;
}

/* Digits alone, few, with nothing of a number after them: no pattern is tried. */
static bool idle(const Place *w) { return w->at == AT_DIGIT && w->run.count <= 2 && !w->run.marks; }

/* "01" and "03" in 2023-01-03: the later parts of a date of numbers begin nothing of their own ("01-03. Jan"). */
static bool within_a_date(const char *text, size_t size, uint32_t at) {
    uint32_t next = at;
    int groups = 0;
    bool year = false;
    while (groups < 2 && at > 1 && strchr("-/.", text[at - 1]) && text[at - 2] >= '0' && text[at - 2] <= '9') {
        uint32_t from = --at;
        while (at && text[at - 1] >= '0' && text[at - 1] <= '9') at--;
        if (from - at > 4) return false;
        year = from - at == 4;
        groups++;
    }
    if (groups == 2) return true;
    while (next < size && text[next] >= '0' && text[next] <= '9') next++;
    return groups && year && next + 1 < size && text[next] == '-' && text[next + 1] >= '0' && text[next + 1] <= '9';
}

Status patterns_run(Search *search, const char *text, size_t size, Error *error) {
    Status status = OK;
    Place w = { .search = search, .text = text, .size = size };
    for (w.token = 0; w.token < search->tokens.count; w.token++) {
        const Token *t = &search->tokens.at[w.token];
        if (t->shape == SHAPE_LOWER && !(t->lists & (LIST_MONTH | LIST_STREET_BEFORE)) &&
            (t->end >= size || (text[t->end] != ':' && text[t->end] != '-')))
            continue;
        w.at = starts(text, size, t);
        if (!w.at) continue;
        if (t->start > 1 && w.at & AT_DIGIT && (text[t->start - 1] == '.' || text[t->start - 1] == ',') && text[t->start - 2] >= '0' &&
            text[t->start - 2] <= '9')
            continue; /* within a number */
        if (w.at & AT_DIGIT && within_a_date(text, size, t->start)) continue;
        w.run = digits_ahead(text + t->start, text + size);
        if (idle(&w)) continue;
        for (int i = 0; i < PATTERNS; i++) {
            if (!(table[i].at & w.at) || w.run.count < table[i].digits || (table[i].marks && !(table[i].marks & w.run.marks))) continue;
            TRY(try_one(&w, i, error));
        }
        const Patterns *p = search->finder->patterns;
        for (int i = 0; i < p->nationals; i++)
            if (p->digits[i] ? w.at & AT_DIGIT && w.run.count >= p->digits[i] : w.at & (AT_ALNUM | AT_WORD) && !(w.at & AT_DIGIT))
                TRY(try_national(&w, i, error));
    }
done:
    return status;
}

/* The caller's own patterns, searched through the whole text. One that needs more steps than the limit is an error, not a miss. */
static Status user_one(Search *search, int which, const char *text, size_t size, Error *error) {
    Status status = OK;
    const Patterns *p = search->finder->patterns;
    for (size_t at = 0; at <= size;) {
        int n = pcre2_match(p->user[which], (PCRE2_SPTR)text, size, at, 0, search->match, p->user_limits);
        if (n == PCRE2_ERROR_NOMATCH) return OK;
        if (n < 0) {
            fail(error, BAD, "'%s' needs more steps than the limit on this text", search->finder->user_name[which]);
            error_advice(error, "Write it so that it does not try the same letters over and over: no nested repeats such as (a+)+.");
            return error_parameter(error, "pattern");
        }
        const PCRE2_SIZE *found = pcre2_get_ovector_pointer(search->match);
        if (found[1] > found[0])
            TRY(finds_add(&search->candidates,
                          (Find){ (uint32_t)found[0], (uint32_t)found[1], .99f, (uint8_t)(TRACE_USER + which), FOUND_USER }, error));
        int step = 1;
        if (at < size) (void)code_point(text + at, text + size, &step);
        at = found[1] > at ? found[1] : at + (size_t)step;
    }
done:
    return status;
}

Status patterns_user(Search *search, const char *text, size_t size, Error *error) {
    Status status = OK;
    for (int i = 0; i < search->finder->patterns->users; i++) TRY(user_one(search, i, text, size, error));
done:
    return status;
}
