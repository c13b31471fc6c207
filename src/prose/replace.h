/* What takes a find's place: a plausible value from a secret key, a label, a mask, a keyed hash, nothing, or a coarser value. */
#ifndef SCRIM_PROSE_REPLACE_H
#define SCRIM_PROSE_REPLACE_H
#include "base/random.h"
#include "base/secret_key.h"
#include "base/text.h"
#include "prose/find.h"

typedef enum {
    REPLACE_PSEUDO,
    REPLACE_LABEL,
    REPLACE_MASK,
    REPLACE_HASH,
    REPLACE_REMOVE,
    REPLACE_GENERALISE,
    REPLACE_KEEP,
    REPLACEMENTS
} How;

typedef struct Replacer {
    const Finder *finder;
    uint8_t key[32];
    uint8_t how[TRACE_ROOM];
    Language language;  /* of the words of dates */
    int64_t shift_days; /* dates move by at most this */
    SecretKey shift;    /* and by how much, a caller may set: the key of the dates of its columns (method/secret_key.h) */
} Replacer;
/* `how` for every kind of find; single kinds may be changed after. The key is of the seed alone: a person is the same in every column and
 * step. */
Replacer replacer_make(const Finder *finder, const Seed *seed, How how, Language language, int64_t shift_days);

/* Which comes first in a date of numbers, such as 03/01/2023. MIXED: some dates of the subject say the one, some the other. */
typedef enum { ORDER_UNKNOWN, ORDER_DAY, ORDER_MONTH, ORDER_MIXED } DateOrder;
typedef struct DateEvidence {
    int64_t day, month; /* dates that can only be read day first; month first */
} DateEvidence;
/* What the dates among the finds of one text say of their order: a number above 12, or the same date in words beside it. Adds to `out`. */
void date_evidence(const char *text, const Find *finds, int64_t count, DateEvidence *out);
/* One order where all evidence agrees, but for one date in a hundred: MIXED where it does not, UNKNOWN where there is none. */
DateOrder date_order_by(const DateEvidence *evidence);
/* The order that a language has: day first, but in English, where it is UNKNOWN (American or British). */
DateOrder date_order_of(Language language);

/* The people of one subject, so that an initial becomes the initial of the same person's new name. */
typedef struct Person {
    char given[32], surname[32]; /* folded */
    uint64_t hash;               /* of the given name as it stands: the lists know it with its accents */
    int64_t sex;                 /* what a title says: 1 a woman, −1 a man, 0 nothing */
} Person;
typedef struct People {
    const char *subject;
    int64_t nobody;        /* 0, or a number for a record without a subject: its dates move by themselves */
    DateOrder order;       /* of the subject's dates; unknown or mixed: a date that could be read either way becomes a label */
    const Names *known[2]; /* a name that is misspelt is that of the known name it is near; either may be NULL */
    Person *at;
    int64_t count, capacity;
} People;
/* Notes the person that a find names; copied. A find without a name is let be. */
MUST_CHECK Status people_note(People *people, const Lists *lists, const char *text, const Find *find, Error *error);
void people_free(People *people);

/* The text with its finds replaced, everything else byte for byte. `made`, where it is not NULL, gets for each find the bytes [from, to) of
 * `out` that took its place. */
typedef struct Made {
    size_t from, to;
} Made;
void replace_text(const Replacer *replacer, const People *people, const char *text, size_t size, const Find *finds, int64_t count,
                  Buffer *out, Made *made);

/* Between the files of this room. */
typedef struct Spot {
    const Replacer *replacer;
    const People *people;
    const char *text;
    size_t size;
    const Find *find;
    Buffer *out;
} Spot;
/* 64 bits that depend on the key, the purpose, the subject and the bytes, and on nothing else. */
uint64_t keyed(const Replacer *replacer, const char *purpose, const char *subject, const char *bytes, size_t size);
/* Each writes what takes the place of its find into spot->out, the same for the same subject and text. */
void pseudonym_person(const Spot *spot);
void pseudonym_address(const Spot *spot);
void pseudonym_place(const Spot *spot);
void pseudonym_email(const Spot *spot);
void pseudonym_number(const Spot *spot);                    /* digits for digits, letters for letters; check digits made right */
bool shift_date(const Spot *spot, int64_t days);            /* false where it is no date that can be read */
bool date_year(const char *text, size_t size, char out[5]); /* its year of four digits, where it has one */
/* Days by which all dates of the subject move: from −shift_days to shift_days, and never 0. shift_days is at least 1. */
int64_t subject_shift(const Replacer *replacer, const People *people);
#endif
