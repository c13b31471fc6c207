/* One column in a release and its original, and what the numbers that one record alone has in either say of who is who. */
#ifndef SCRIM_RISK_LOOSE_ENDS_COLUMN_PAIR_H
#define SCRIM_RISK_LOOSE_ENDS_COLUMN_PAIR_H
#include "method/method.h"
#include "classes/joint_codes.h"

/* Release and original, and who is who: by an id, by what the table says of itself, or by position, unless the values show that the
 * records were put into another order. */
typedef struct Kept {
    Work *work;
    const Table *data, *original; /* original: NULL where it is not at hand */
    int64_t *row;                 /* released record → record of the original; NULL where that is not known */
    int64_t *likely; /* in its place: the one that the values lead to, -1 where they lead to none; NULL where it is not needed */
    bool certain;    /* not by position */
} Kept;

/* The record of the original that a released one is of; -1: unknown. */
static inline int64_t kept_whose(const Kept *kept, int64_t i) { return kept->row ? kept->row[i] : kept->likely ? kept->likely[i] : -1; }

typedef struct Both {
    JointCodes codes;  /* [0] original, [1] release */
    int64_t *times[2]; /* records of each code */
    int64_t *where;    /* a record of the original that has the code; NULL where the original lacks the column */
} Both;
MUST_CHECK Status both_make(const Kept *kept, const Column *column, Both *out);
void both_drop(const Kept *kept, Both *both);

bool both_as_often(const Both *both);   /* every value occurs as often in either */
bool both_no_oftener(const Both *both); /* none occurs oftener in the release */

/* Has one record alone this value, in the original and in the release? An intruder who knows it finds one record. */
static inline bool both_alone(const Both *both, int32_t code) {
    return code >= 0 && both->times[0][code] == 1 && both->times[1][code] == 1;
}

/* What an intruder who goes by such values meets: records of those whom he looks for, and of others. */
typedef struct Found {
    int64_t right, wrong;
} Found;
/* A record whose owner is not known is another's. */
Found both_found(const Kept *kept, const Both *both);
#endif
