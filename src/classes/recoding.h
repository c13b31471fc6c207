/* An original in the words of its release: the coarsest level that both tables know. */
#ifndef SCRIM_CLASSES_RECODING_H
#define SCRIM_CLASSES_RECODING_H
#include "classes/joint_codes.h"

/* One column that the release recoded. `after` 0: no common level was found (a value lies in several released ones), and it stays as it
 * was. */
typedef struct RecodedColumn {
    const char *name;
    int64_t before, after; /* levels of the original, and as recoded */
} RecodedColumn;

/* How one column may have been recoded, step by step: read, then by_record where that is asked, then end. Rows are records, or values that
 * stand for several. Zero-initialise. */
typedef struct ColumnRecoding {
    JointCodes joint;
    struct Level *level; /* of each joint code */
    int32_t *map;        /* joint code → what it belongs to */
    int64_t intervals;
    bool never; /* magnitudes on both sides */
    bool found; /* the map is known */
} ColumnRecoding;
/* times: of the original's rows (NULL: one record each). What became of values in the records is asked where it was not `found`, nor
 * `never`. */
MUST_CHECK Status recoding_read(Work *work, const Column *before, const Column *after, const int64_t *times, ColumnRecoding *out);
/* home: what each joint code became in every record that has it; -1 where none has. borne_out: records beyond the first of each. */
void recoding_by_record(ColumnRecoding *c, const int32_t *home, int64_t borne_out);
/* *out stays NULL where it is not recoded; what->name stays NULL where nothing is to be said. */
MUST_CHECK Status recoding_end(Work *work, const ColumnRecoding *c, const Column *before, RecodedColumn *what, Column **out);
/* The original's record that a released one stems from, or -1 where that is not known. */
int64_t recoding_pair(const Table *original, const Table *released, int64_t row);

/* The original with each named column recoded as the release has it, where each of its values belongs to exactly one released value: the
 * only interval that holds it, else, record by record, what became of it, unless that is a value of the original too. Values that belong to
 * none stay. Numbers against numbers are
 * never recoded, but for codes (table/measurement_level.h). `out` is the caller's to release. */
MUST_CHECK Status recode_original(Work *work, const Table *original, const Table *released, const char *const *names, int64_t count,
                                  Table **out, RecodedColumn **what, int64_t *recoded);
#endif
