/* HIPAA's eighteen kinds of identifiers, and what the columns of a table tell of each: between the files of this room. */
#ifndef SCRIM_RISK_SAFE_HARBOUR_SAFE_HARBOUR_H
#define SCRIM_RISK_SAFE_HARBOUR_SAFE_HARBOUR_H
#include "method/method.h"
#include "prose/find.h"
#include "profile/column_role.h"
#include "table/measurement_level.h"

/* 45 CFR 164.514(b)(2)(i), (A) to (R). */
typedef enum {
    NAMES,
    AREAS,
    DATES,
    PHONES,
    FAXES,
    EMAILS,
    SOCIAL_SECURITY,
    RECORD_NUMBERS,
    PLAN_NUMBERS,
    ACCOUNTS,
    LICENCES,
    VEHICLES,
    DEVICES,
    URLS,
    IP_ADDRESSES,
    BIOMETRICS,
    PHOTOGRAPHS,
    OTHER_CODES,
    KINDS
} HarbourKind;

typedef struct {
    const Table *data, *population;
    Columns geography, state_level, codes, harmless;
    const Column *age;
    int64_t oldest;
} HarbourArgs;

/* What was seen of one kind: columns that have it, and columns of which it cannot be told. */
typedef struct Seen {
    int64_t broken, untold;
    const char *why; /* the first reason why it cannot be told */
} Seen;

typedef struct Harbour {
    Run *run;
    Work *work;
    const HarbourArgs *a;
    Grid *grid;
    Finder finder;
    Search search;
    Seen seen[KINDS];
} Harbour;

/* One column, with its profile, as the judges below meet it. */
typedef struct Suspect {
    const Column *column;
    Profile profile;
    Codes codes;
    bool prose;
    bool blank;   /* its name tells nothing: v, x1 */
    bool settled; /* a judge knows what it is: it is no unnamed code */
} Suspect;

/* The column is of this kind, and so not removed; or, untold, may be, and a person must look. `why` is for people. */
void harbour_broken(Harbour *h, HarbourKind kind, Suspect *s, const char *why);
void harbour_untold(Harbour *h, HarbourKind kind, const Suspect *s, const char *why);

/* Four fifths of the distinct cells. */
bool most_distinct(const Suspect *s, bool (*fits)(const char *));
enum { LATELY = 2026 }; /* nothing in a table tells what year it is: a birth is at least as long ago as from then */

void judge_name(Harbour *h, Suspect *s);                /* names.c: what the column is called */
MUST_CHECK Status judge_values(Harbour *h, Suspect *s); /* values.c: what its cells look like */
MUST_CHECK Status judge_area(Harbour *h, Suspect *s);   /* areas.c */
void judge_dates(Harbour *h, Suspect *s);               /* dates.c: dates finer than a year, great ages */
/* Distinct cells whose words are known as this; strange: no list knows a word of four letters and more. */
typedef struct WordsSeen {
    int64_t months, towns, sure_towns, counties, people, strange;
} WordsSeen;
/* Adds one cell. */
void words_see(WordsSeen *seen, const char *cell, const Tokens *tokens);
void judge_words(Harbour *h, Suspect *s, const WordsSeen *seen, int64_t names); /* names: cells in which a person was found */
void judge_forms(Harbour *h, Suspect *s);                                       /* forms.c: what the form alone says */
/* A state of the US as the list has it, letters folded. */
bool is_state(const char *cell);
/* Is the column one of these? */
bool is_among(Columns columns, const Column *column);
#endif
