/* What words are known as: names, places, titles, ordinary words, and the cues that announce a number. Read once from the built-in lists.
 */
#ifndef SCRIM_PROSE_LISTS_H
#define SCRIM_PROSE_LISTS_H
#include "prose/token.h"

typedef enum {
    LIST_FEMALE = 1,
    LIST_MALE = 2,
    LIST_SURNAME = 4,
    LIST_CITY = 8,
    LIST_REGION = 16,
    LIST_CODE = 32, /* CODE: TX, NY */
    LIST_STREET_BEFORE = 64,
    LIST_STREET_AFTER = 128,
    LIST_UNIT = 256,
    LIST_BOX = 512,
    LIST_TITLE = 1024,
    LIST_MONTH = 2048,
    LIST_DAY = 4096,
    LIST_ORGANISATION = 8192,
    LIST_ORDINARY = 16384,
    LIST_STREET_SUFFIX = 32768,
    LIST_TLD = 131072,    /* .com, .de */
    LIST_FIRST = 65536,   /* begins a place of several words */
    LIST_WOMAN = 1 << 18, /* a title of women, of men */
    LIST_MAN = 1 << 19,
    LIST_ROLE = 1 << 20,       /* what somebody is: a name may follow */
    LIST_DAY_NUMBER = 1 << 21, /* first … thirty-first, in letters */
    LIST_PARTICLE = 1 << 22,   /* van, de: begins a surname; der, la: goes on with one */
    LIST_PARTICLE_MORE = 1 << 23,
    LIST_RULE = 1 << 24 /* in one of the sets from SET_STREET on, which are asked of every word: nothing else is said of it */
} ListBit;
enum { LIST_GIVEN = LIST_FEMALE | LIST_MALE };

typedef enum {
    CUE_PHONE = 1,
    CUE_FAX = 2,
    CUE_ZIP = 4,
    CUE_AGE = 8,
    CUE_SSN = 16,
    CUE_RECORD = 32,
    CUE_PLAN = 64,
    CUE_ACCOUNT = 128,
    CUE_LICENCE = 256,
    CUE_VEHICLE = 512,
    CUE_DEVICE = 1024,
    CUE_CARD = 2048,
    CUE_BIOMETRIC = 4096,
    CUE_DATE = 8192,
    CUE_JOINT = 16384 /* between a cue and its number: "is", "no", ":" */
} CueBit;

/* Sets of words that single rules ask for ("set" in share/scrub/cues.txt, by these names in small letters). */
typedef enum {
    SET_YEARS_OLD,
    SET_OLD,
    SET_YEARS,
    SET_YEARS_ALONE, /* say an age without "old" */
    SET_AGE_TAIL,
    SET_PATIENT,
    SET_NOT_AGE,
    SET_AGE_AFTER,
    SET_GOES_ON,
    SET_DECADE,
    SET_DIED,
    SET_NOW,
    SET_HAS,
    SET_BE,
    SET_WHO,
    SET_SINCE,
    SET_TENTH,
    SET_ADDRESS,
    SET_SHORT_DAYS,
    SET_ID,
    SET_ONES,
    SET_NUMBERS,
    SET_THOUSAND,
    SET_MONTH_AFTER,
    SET_SMALL_MONTHS,
    SET_OF,
    SET_Y,
    SET_O,
    SET_WWW,
    SET_DIGITS, /* digits in letters */
    SET_AND,
    SET_SAYS,
    SET_SMALL_ADDRESS,
    SET_LEADS_TERM,
    SET_STREET,      /* words before a street's name */
    SET_STREET_SURE, /* those that are nothing else */
    SET_EPONYM_HEAD, /* "syndrome of": a name behind it is no person's */
    SET_EPONYM_TAIL, /* "syndrome": nor is one before it */
    SET_COURSE,      /* "years of": no age */
    SETS
} SetName;
enum { SET_ROOM = 128 };
typedef struct WordSet {
    uint64_t at[SET_ROOM];
    int count;
} WordSet;

typedef enum { LANGUAGE_ANY, LANGUAGE_EN, LANGUAGE_ES, LANGUAGE_DE, LANGUAGE_FR } Language;

typedef struct WordPool {
    const char **at;
    int64_t count, capacity;
} WordPool; /* words to draw pseudonyms from */
typedef struct Known {
    uint64_t hash;
    uint32_t lists;
    uint16_t cues;
    uint8_t language;
} Known; /* language: of the name, where it is one */
typedef struct Nickname {
    uint64_t hash;
    const char *name, *given;
} Nickname;

enum { POOL_FEMALE, POOL_MALE, POOL_SURNAME, POOL_CITY, POOL_KINDS };
typedef struct Lists {
    Known *table; /* open addressing by hash */
    uint64_t mask;
    Known *phrases; /* places of several words, by the hash of their words joined; open addressing, too */
    int64_t phrase_count;
    WordPool pool[POOL_KINDS][5]; /* by Language; 0: other languages */
    Nickname *nickname;
    int64_t nicknames, nickname_capacity;
    WordSet set[SETS];
    const char *ending[256]; /* of words that name nobody, in lower case */
    uint8_t ending_size[256], ending_last[256];
    int endings;
} Lists;

MUST_CHECK Status lists_read(Work *work, Language language, Lists *out); /* lives as long as the arena */
int language_named(const char *code);                                    /* "en" → LANGUAGE_EN; LANGUAGE_ANY for any other */
const char *lists_file(const char *name);                                /* the text of share/scrub/NAME.txt; NULL where there is none */
MUST_CHECK Status lists_read_trained(Work *work, Lists *out);            /* without what was added since the model was trained */
const Known *lists_find(const Lists *lists, uint64_t hash);              /* NULL where no list has it */
static inline bool set_has(const Lists *lists, SetName set, uint64_t hash) {
    for (int i = 0; i < lists->set[set].count; i++)
        if (lists->set[set].at[i] == hash) return true;
    return false;
}
/* Sets lists and cues of each token. */
void lists_mark(const Lists *lists, const char *text, Tokens *tokens);
#endif
