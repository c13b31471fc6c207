/* The true keys of the people in a release, in the words of the release. */
#ifndef SCRIM_CLASSES_TRUE_KEYS_H
#define SCRIM_CLASSES_TRUE_KEYS_H
#include "table/table.h"

/* Released record → record of the original: by an id that both have, else by position. */
MUST_CHECK Status true_keys_pairs(Work *work, const Table *released, const Table *original, const char *id, int64_t **out);

/* The true keys as a table, record for record of the release; `keys` are those of the release, and their namesakes are looked up in the
 * original. Numbers that stayed numbers as they were, all else in the release's words.
 * Free with table_release. */
MUST_CHECK Status true_keys_table(Work *work, const Table *released, Columns keys, const Table *original, const char *id, Table **out);
#endif
