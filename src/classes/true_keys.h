/* The true keys of the people in a release, in the words of the release, and what each of them faces there. */
#ifndef SCRIM_CLASSES_TRUE_KEYS_H
#define SCRIM_CLASSES_TRUE_KEYS_H
#include "classes/candidates.h"

/* Released record → record of the original: by an id that both have, else by position. */
MUST_CHECK Status true_keys_pairs(Work *work, const Table *released, const Table *original, const char *id, int64_t **out);

typedef struct TrueKeys {
    Classes truth;         /* of released records, by the true keys of whom they are of: recoded as the release recodes */
    Classes released;      /* of released records, by what was released; the same codes */
    Candidates candidates; /* of each class of `truth`, as classes of `released` */
    bool by_set;    /* whose record is whose is not known (table_places): true keys are those of the original, each person's some one */
    int64_t unlike; /* keys whose values were not recoded one and the same way: taken as each record has them */
} TrueKeys;
/* `keys` of the release; their namesakes are looked up in the original. */
MUST_CHECK Status true_keys_make(Work *work, const Table *released, Columns keys, const Table *original, const char *id, TrueKeys *out);
/* The same keys as a table, record for record of the release: numbers that stayed numbers as they were, all else in the release's words.
 * Free with table_release. */
MUST_CHECK Status true_keys_table(Work *work, const Table *released, Columns keys, const Table *original, const char *id, Table **out);
#endif
