/* Original and release at the level that both know. */
#ifndef SCRIM_UTILITY_COMMON_LEVEL_H
#define SCRIM_UTILITY_COMMON_LEVEL_H
#include "method/method.h"
#include "classes/recoding.h"

/* Original and release as they are compared: [0] and [1], the caller's to release by common_release, which takes what is there. */
typedef struct CommonTables {
    Table *at[2];
} CommonTables;
void common_release(CommonTables *tables);
/* The original recoded as the release was (classes/recoding.h), for the columns named, else all that both have, and what is codes and not
 * numbers (table/measurement_level.h) as categories in both; notes and the table `coarsened` say which. */
MUST_CHECK Status common_tables(Run *run, const Table *original, const Table *released, Columns vars, CommonTables *out);
/* Only the latter: values keep their level. `least`: codes of fewer values stay numbers, where a model may take them as either. */
MUST_CHECK Status typed_tables(Run *run, const Table *original, const Table *released, Columns vars, int64_t least, CommonTables *out);
/* Both, of columns by name. */
MUST_CHECK Status common_named(Run *run, const Table *original, const Table *released, const char *const *name, int64_t count,
                               int64_t least, CommonTables *out);
/* One variable in both tables: codes of whole numbers as categories; made[t] stays NULL where they are none. times: of the original's rows
 * (NULL: one record each). */
MUST_CHECK Status typed_pair(Work *work, const Column *const column[2], const int64_t *times, int64_t least, Column *made[2]);
/* What is said of both. */
void common_say(Run *run, const RecodedColumn *what, int64_t recoded);
void common_say_codes(Run *run, const char *list);

#define COARSENED_COLUMNS "variable:text levels_original:integer levels_common:integer lost:real"
#define COARSENED_OUT                                                                                                                      \
    TABLE_OUT(coarsened, COARSENED_COLUMNS,                                                                                                \
              "Columns that are coarser in the release: distinct values of the original, values at the release's level, share lost",       \
              .flags = PUBLIC)
#endif
