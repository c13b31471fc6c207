/* Whose record each released record is: by an id, by what the recipe knows, or by position where that can be trusted. */
#ifndef SCRIM_INTRUDER_OWNERSHIP_H
#define SCRIM_INTRUDER_OWNERSHIP_H
#include "table/table.h"

typedef struct Ownership {
    bool known;
    const char *how; /* "id", "recipe", "position"; NULL where it is not known */
    int64_t *row;    /* released record -> record of the original; NULL where it is not known; in the arena */
} Ownership;

/* id: the name of a column of both tables that numbers the records; NULL: none. BAD where two records of the original have one id or a
 * released id is not in the original. Without an id the tables' own origins count (a recipe's steps), then the position, if the tables
 * have equally many records and no step changed the order: a release with a manifest is believed; without one some column must agree by
 * position more often than in a random order by ten standard errors. */
MUST_CHECK Status ownership_find(Work *work, const Table *released, const Table *original, const char *id, Ownership *out);
#endif
