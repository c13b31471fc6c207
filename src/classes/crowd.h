/* The crowd that a record hides in: those that share its keys, or, where the original is at hand, the candidates of its person's true keys.
 */
#ifndef SCRIM_CLASSES_CROWD_H
#define SCRIM_CLASSES_CROWD_H
#include "classes/agreeing.h"
#include "classes/true_keys.h"

typedef struct Crowd {
    Classes classes; /* of the records: by what was released, or by the true keys */
    MissingRule rule;
    const TrueKeys *truth; /* NULL: only the release is at hand */
    bool blanks;           /* a release alone, with missing keys: what its intruder faces cannot be seen */
    bool unpaired;         /* an original was given whose records cannot be told from one another's */
} Crowd;
/* original, id: NULL where there is none. An original of other length without an id is left aside, and the note says so. */
MUST_CHECK Status crowd_make(Work *work, const Table *data, Columns keys, MissingRule rule, const Table *original, const Column *id,
                             Crowd *out);
MUST_CHECK Status crowd_frequencies(Work *work, const Crowd *crowd, const Column *weight, Frequencies *out);
MUST_CHECK Status crowd_spread(Work *work, const Crowd *crowd, const Codes *sensitive, ClassTallies *out);
const char *crowd_note(const Crowd *crowd); /* which count this is: every count says so */
#endif
