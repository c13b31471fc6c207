/* One variable in two tables, coded alike: the same code is the same value in both. */
#ifndef SCRIM_CLASSES_JOINT_CODES_H
#define SCRIM_CLASSES_JOINT_CODES_H
#include "table/table.h"

typedef struct JointCodes {
    int32_t count; /* codes 0…count-1; missing is -1 */
    const int32_t *at[2];
    const char **label; /* of each code, where they were asked for (joint_labelled); else NULL */
    bool binned;        /* numbers with too many values, in intervals that hold equally many records of the first table */
} JointCodes;
/* Numbers of which either table has more than `few` distinct values go into `bins` intervals cut at the first table's quantiles (bins 0:
 * never). Numbers and dates in both tables are coded by value, ascending; all else by the text of its cells, in the order of bytes (an
 * ordered category of the first table keeps its order). */
MUST_CHECK Status joint_codes(Work *work, const Column *first, const Column *second, int64_t few, int32_t bins, JointCodes *out);
/* The same with labels: a text for every distinct value. */
MUST_CHECK Status joint_labelled(Work *work, const Column *first, const Column *second, int64_t few, int32_t bins, JointCodes *out);
void joint_drop(Work *work, JointCodes *codes); /* gives their memory back early; labels go with it */

/* The names of the columns that both tables have: `vars` where some are given, else all, in the order of the first table. */
MUST_CHECK Status common_columns(Work *work, const Table *first, const Table *second, Columns vars, const char ***names, int64_t *count);
#endif
