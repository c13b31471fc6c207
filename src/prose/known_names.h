/* Names that are known beforehand: found in any case, without accents, and with a slip of the pen. */
#ifndef SCRIM_PROSE_KNOWN_NAMES_H
#define SCRIM_PROSE_KNOWN_NAMES_H
#include "prose/find.h"

/* Words of names, folded; an index by letters that may be missing (Mor & Fraenkel 1982) finds near-copies without comparing with each. */
struct Names {
    int64_t count, capacity;
    char (*word)[32];
    uint64_t *letters; /* of each word as it stands: what the lists know it by */
    int64_t lettered;
    int32_t *same; /* the word that each is a spelling of: itself, but for "oneill" of "o'neill", "joerg" of "jörg" */
    int64_t spelt;
    bool own;      /* names of the record's own people: found also where they are common words, inflected, and with their initials */
    int64_t slots; /* a power of two */
    uint64_t *key; /* hash of a word, or of it with one letter left out */
    int32_t *which;
};
/* Adds every word of a name ("O'Neill, Margaret" gives two). Short words and particles are left out. */
MUST_CHECK Status names_add(Work *work, Names *names, const char *text);
MUST_CHECK Status names_index(Work *work, Names *names); /* after the last */
/* For each token of a text what it has of the record's own names: names_run calls it where names->own. */
MUST_CHECK Status names_run_own(Search *search, const Names *names, const char *text, Error *error);
/* Marks tokens that are a known name, or one slip from it (letters left out, put in, changed or swapped; from five letters on; two slips
 * from nine). */
MUST_CHECK Status names_run(Search *search, const Names *names, const char *text, Error *error);
/* The known name that a folded word is, or is a slip or two from (as names_run has it); −1 where there is none. `names` may be NULL. */
int64_t names_nearest(const Names *names, const char *folded);
bool names_exact(const Names *names, const char *folded);  /* a known name as it stands, or as it is also spelt */
int slips_between(const char *a, const char *b, int most); /* Damerau's edit distance, counted up to most + 1 */
#endif
