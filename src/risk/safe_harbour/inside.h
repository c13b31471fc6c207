/* HIPAA's eighteen kinds of identifiers, and what the columns of a table tell of each: between the files of this room. */
#ifndef SCRIM_RISK_SAFE_HARBOUR_INSIDE_H
#define SCRIM_RISK_SAFE_HARBOUR_INSIDE_H
#include "method/method.h"
#include "prose/find.h"
#include "table/guess.h"

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
    Columns geography, state_level, codes;
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
    bool settled; /* a judge knows what it is: it is no unnamed code */
} Suspect;

void harbour_broken(Harbour *h, HarbourKind kind, Suspect *s, const char *why);
void harbour_untold(Harbour *h, HarbourKind kind, const Suspect *s, const char *why);

void judge_name(Harbour *h, Suspect *s);                /* names.c: what the column is called */
MUST_CHECK Status judge_values(Harbour *h, Suspect *s); /* values.c: what its cells look like */
MUST_CHECK Status judge_area(Harbour *h, Suspect *s);   /* areas.c */
void judge_dates(Harbour *h, Suspect *s);               /* dates.c: dates finer than a year, great ages */
#endif
