/* A ladder: the numbers of a column in ascending order, each with how many records have it. What is counted in parts adds up to the same
 * ladder, whatever the parts and their order. Sixteen bytes a number, of which a roll takes a hundred. */
#ifndef SCRIM_TABLE_LADDER_H
#define SCRIM_TABLE_LADDER_H
#include <string.h>
#include "base/text.h"
#include "table/table.h"

typedef struct Rung {
    uint64_t key; /* as real_key or integer_key has it */
    int64_t times;
} Rung;
/* Numbers that ascend. */
typedef struct RungRun {
    Rung *rung;
    int64_t count;
} RungRun;
enum { LADDER_RUNS = 64 };
typedef struct Ladder {
    bool known, whole; /* of whole numbers: set by the first part */
    int64_t missing;
    int64_t runs; /* one, once settled; each is at least twice as long as the next, or long enough to be let be */
    RungRun run[LADDER_RUNS];
    struct Shelf *shelf; /* what was laid aside on disk; NULL: nothing */
    void *mapped;        /* the one run lies in a file, and nothing can be added */
    size_t mapped_size;
} Ladder;

MUST_CHECK Status ladder_new(Ladder **out, Error *error); /* empty; ends with ladder_free */
void ladder_free(Ladder *ladder);                         /* NULL is harmless */
/* A column of numbers, all of one type; -0 is 0. */
MUST_CHECK Status ladder_add(Work *work, Ladder *ladder, const Column *column);
MUST_CHECK Status ladder_merge(Ladder *ladder, const Ladder *other, Error *error);
MUST_CHECK Status ladder_settle(Ladder *ladder, Error *error);
/* Once settled. */
static inline int64_t ladder_count(const Ladder *ladder) { return ladder->runs ? ladder->run[0].count : 0; }
static inline const Rung *ladder_rungs(const Ladder *ladder) { return ladder->run[0].rung; }
static inline int64_t ladder_whole(const Ladder *ladder, int64_t rung) { /* of whole numbers */
    return (int64_t)(ladder->run[0].rung[rung].key ^ UINT64_C(1) << 63);
}
static inline double ladder_real(const Ladder *ladder, int64_t rung) {
    uint64_t key = ladder->run[0].rung[rung].key, bits = key >> 63 ? key ^ UINT64_C(1) << 63 : ~key;
    double value;
    if (ladder->whole) return (double)ladder_whole(ladder, rung);
    memcpy(&value, &bits, 8);
    return value;
}
int64_t ladder_present(const Ladder *ladder); /* records whose number is not missing */
size_t ladder_size(const Ladder *ladder);     /* bytes that it takes, and as many again while runs are merged */

/* As bytes: equal ladders give equal bytes. Of the numbers those of one of `pieces` alone, and of the first what is missing. */
void ladder_save_piece(Ladder *ladder, int64_t piece, int64_t pieces, Buffer *out);
MUST_CHECK Status ladder_load(const char **at, const char *end, Ladder **out, Error *error);

/* Lays the runs aside on disk, in a file without a name in this folder; ladder_gather merges all of them into one that is read from there.
 */
MUST_CHECK Status ladder_spill(Ladder *ladder, const char *folder, Error *error);
MUST_CHECK Status ladder_gather(Ladder *ladder, Error *error);
void ladder_rest(const Ladder *ladder); /* lets go of its pages, which are read again as they are needed; of others nothing */
#endif
