/* Releases over time: the records of a release and of earlier releases of the same people, linked.
 *
 * Several releases of the same people are one release with more columns: k counts the people who are alike in all of them, and intruders
 * intersect what each of them leaves possible. A person who is not in a release has the value "absent" there. */
#ifndef SCRIM_INTRUDER_EARLIER_RELEASES_H
#define SCRIM_INTRUDER_EARLIER_RELEASES_H
#include "intruder/ownership.h"

/* Tables by number: 0 is the release at hand, 1 and above are the earlier ones. */
typedef struct LinkedReleases {
    int64_t tables, units; /* units: whose records they are, people or records of the original */
    int64_t *rows;         /* table -> its records */
    int32_t **unit;        /* table -> row -> unit; a record that no link covers is a unit of its own */
    bool several;          /* some unit has several records in some table */
} LinkedReleases;

/* link: a column that says whose a record is (an id or the person), or NULL. Every table is linked by it, or through the original, where one
 * is given (intruder/ownership.h), or by position where manifests say that both were made of one file and kept its order. BAD where a table
 * cannot be linked. All in the arena. */
MUST_CHECK Status releases_link(Work *work, const Table *released, const Table *const *earlier, int64_t count, const Table *original,
                                const char *link, LinkedReleases *out);

/* The classes of alike records of each release as columns: first those of the release at hand, then, for each earlier one, those of all
 * records that the unit has there. Rows: the records at hand, then a row for each unit that only earlier releases have. A missing cell is
 * "absent". keys: of the release at hand; an earlier one has those of the same names. unit: whose each row is. The columns are the
 * caller's. */
MUST_CHECK Status releases_classes(Work *work, const LinkedReleases *linked, Columns keys, const Table *const *earlier, Column **column,
                                   Column **unit);

/* Records of all releases side by side, one for each unit: row[table][record] is its row there, or -1. The first ones are the records at
 * hand in their order. BAD where a unit has several records in a table. */
typedef struct JointRecords {
    int64_t records;
    int64_t **row;
    int32_t *unit; /* record -> unit */
} JointRecords;
MUST_CHECK Status releases_side_by_side(Work *work, const LinkedReleases *linked, int64_t rows, JointRecords *out);
#endif
