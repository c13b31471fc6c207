/* Finding what could name a person in text: patterns with check digits and cues, lists, known names, and the tagger, put together. */
#ifndef SCRIM_PROSE_FIND_H
#define SCRIM_PROSE_FIND_H
#include "prose/labels.h"
#include "prose/lists.h"
#include "prose/tagger.h"

/* What a find is. HIPAA's eighteen kinds (45 CFR 164.514(b)(2)), and a few that others ask for. */
typedef enum {
    TRACE_PERSON,
    TRACE_ADDRESS,
    TRACE_PLACE,
    TRACE_REGION,
    TRACE_ZIP,
    TRACE_DATE,
    TRACE_AGE,
    TRACE_PHONE,
    TRACE_FAX,
    TRACE_EMAIL,
    TRACE_SSN,
    TRACE_NATIONAL_ID,
    TRACE_RECORD,
    TRACE_PLAN,
    TRACE_ACCOUNT,
    TRACE_LICENCE,
    TRACE_VEHICLE,
    TRACE_DEVICE,
    TRACE_BIOMETRIC,
    TRACE_CARD,
    TRACE_IBAN,
    TRACE_IP,
    TRACE_MAC,
    TRACE_URL,
    TRACE_ID,
    TRACE_ORGANISATION,
    TRACES,
    TRACE_USER = 32 /* and on: patterns of the caller */
} Trace;
enum { USER_PATTERNS = 32, TRACE_ROOM = TRACE_USER + USER_PATTERNS };
typedef enum { FOUND_PATTERN, FOUND_CHECKED, FOUND_CUE, FOUND_TAGGER, FOUND_KNOWN, FOUND_AGAIN, FOUND_USER } Detector;

typedef struct Find {
    uint32_t start, end; /* bytes */
    float confidence;    /* of a find: the share of such finds that are right; of a candidate: what its detector says */
    uint8_t kind, detector;
} Find;
#define SURE_ENOUGH 0.6 /* the threshold where none is given */
typedef struct Finds {
    Find *at;
    int64_t count, capacity;
} Finds;

typedef struct Names Names; /* known names (prose/known_names.h) */
typedef struct Patterns Patterns;
typedef struct Announced Announced; /* prose/announced.h */
typedef struct UserPattern {
    const char *name, *regex;
} UserPattern;

/* Fixed for a run, shared by threads. */
typedef struct Finder {
    Lists lists;
    LabelTable labels;
    Patterns *patterns;
    Announced *announced;
    double threshold;
    uint64_t kinds;     /* bit by Trace: what is wanted */
    const Model *model; /* NULL: the one within the library */
    const char *user_name[USER_PATTERNS];
    int user_patterns;
    const Names *known; /* of another table; may be NULL */
} Finder;
/* `threshold` and `kinds` may be changed after. Free with finder_close; the arena keeps the lists. */
MUST_CHECK Status finder_open(Work *work, Language language, const UserPattern *patterns, int count, Finder *out);
void finder_close(Finder *finder);
const char *trace_name(const Finder *finder, unsigned kind); /* "PERSON" */
int trace_named(const Finder *finder, const char *name);     /* −1 where there is none */

#define SCRUB_LANGUAGES WORDS("any", "en", "es", "de", "fr")
/* What one thread needs. */
typedef struct Search {
    const Finder *finder;
    Tokens tokens;
    float (*tags)[TAG_ROOM];
    int64_t tag_room;
    Tagger *tagger;
    bool small;  /* the text has hardly any capitals */
    void *match; /* of the patterns */
    Finds candidates, finds, misses;
} Search;
/* The finder must stay. Ends with search_close; harmless when zeroed. */
MUST_CHECK Status search_open(const Finder *finder, Search *out, Error *error);
void search_close(Search *search);
/* Finds of one record, in order, none overlapping, each at or above the threshold; and in `misses` what came near. `known`: names of this
 * record. */
MUST_CHECK Status search_text(Search *search, const char *text, size_t size, const Names *known, Error *error);

/* Between the files of this room. */
MUST_CHECK Status finds_add(Finds *finds, Find find, Error *error);
MUST_CHECK Status patterns_open(Work *work, const UserPattern *user, int count, Patterns **out);
void patterns_close(Patterns *patterns);
MUST_CHECK Status patterns_scratch(void **match, Error *error);
void patterns_scratch_free(void *match);
MUST_CHECK Status patterns_run(Search *search, const char *text, size_t size, Error *error);
MUST_CHECK Status patterns_user(Search *search, const char *text, size_t size, Error *error);
MUST_CHECK Status contexts_run(Search *search, const char *text, size_t size, Error *error);
unsigned cues_chain(const Tokens *tokens, int64_t at); /* cues that lead to this token with nothing but joints between */
unsigned cues_near(const Tokens *tokens, int64_t at);  /* cues in the same sentence, a few tokens before, or just after */
MUST_CHECK Status resolve_overlaps(Search *search, const char *text, size_t size, Error *error);
#endif
