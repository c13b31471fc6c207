/* Steps of a recipe on several files, and the links between these. */
#ifndef SCRIM_VERB_LINKED_STEPS_H
#define SCRIM_VERB_LINKED_STEPS_H
#include "verb/run_private.h"

/* Each step on every file that has one of its columns; one without columns on every file whose roles fill it. BAD where no file has a
 * column, or has only some of those that must be together. */
MUST_CHECK Status linked_steps(RecipeRun *k, RecipeRun *file);

/* A reference from a column of one file to that of another. */
typedef struct LinkCheck {
    int64_t child, parent; /* files */
    const char *column, *key;
    int64_t without[2]; /* records whose value the other file lacks, before and after; -1 where a column is gone */
} LinkCheck;
/* Every file's persons in the first file in which nobody has two records, and every parent key. Ends with a link whose column is NULL. */
MUST_CHECK Status links_before(RecipeRun *k, const RecipeRun *file, LinkCheck **out);
/* BAD where the steps broke a link; table `links`. */
MUST_CHECK Status links_after(RecipeRun *k, const RecipeRun *file, LinkCheck *links);
#endif
