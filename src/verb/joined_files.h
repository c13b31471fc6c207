/* Several files that share their people, as one table of what is known of each person: what risk of linked files is measured on. */
#ifndef SCRIM_VERB_JOINED_FILES_H
#define SCRIM_VERB_JOINED_FILES_H
#include "recipe/recipe.h"

/* Equal values of several columns have equal numbers, 0 … count − 1, whatever the columns' types; -1 where missing. */
MUST_CHECK Status codes_in_common(Work *work, const Column *const *column, int64_t columns, int64_t **code, int64_t *count);
/* Records of `child` whose value is there and is none of `parent`'s. */
MUST_CHECK Status records_without_parent(Work *work, const Column *child, const Column *parent, int64_t *out);

/* Records of the joined table: one for each record of a file in which people have several, beside the person's record in each file in which
 * everybody has one at most, and beside the record of another file that a parent key of its own names; and one for each person who has records
 * in such files alone. */
typedef struct PersonLinks {
    int64_t files, people, rows;
    const int64_t *const *who; /* file → record → person; -1: nobody's, a person of its own */
    const int64_t *records;    /* file → how many */
    bool *single;              /* file: has each person one record at most, which is of no single record of another file? */
    int64_t several;           /* files that are not */
    int64_t **row_of;          /* single files: person → record or -1 */
    int64_t *first;            /* files + 1: the joined rows of a file that is not single; from first[files] on those of the people left */
    int64_t *left;             /* those people; rows − first[files] of them */
    int64_t **above;           /* child × files + parent → the child's record → the parent's, or -1; NULL where no key links them */
    const char **label;        /* which files have a record beside each other: "visits", "visits without surgery" */
    int64_t labels;
    uint16_t *label_of; /* joined row → label */
} PersonLinks;
/* Files are linked by parent keys as far as `table`, one per file, still has them: an intruder can join them by these. */
MUST_CHECK Status person_links_make(Work *work, const Recipe *recipe, Table *const *table, const int64_t *const *who,
                                    const int64_t *records, int64_t people, PersonLinks *out);

/* The joined table: `table` per file, `via` a table's record for each record of the links (NULL, or a NULL in it: the same). Columns have
 * their own names where no other file of `named` has it, else FILE.COLUMN; the persons' columns are one, by the name that the first file has. Where
 * not all records stand beside records of the same files, the column `file` says of which: the released files show it, and a missing value would
 * not. */
MUST_CHECK Status person_links_join(Work *work, const PersonLinks *links, const Recipe *recipe, Table *const *named, Table *const *table,
                                    const int64_t *const *via, Table **out);
/* The roles of all files as roles of the joined table; columns that it lacks are left out. */
MUST_CHECK Status person_links_roles(Work *work, const PersonLinks *links, const Recipe *recipe, Table *const *named, const Table *joined,
                                     Roles *out);
#endif
