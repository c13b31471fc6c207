/* Local suppression against an intruder who knows true keys: everyone's true keys must be equal to k released records, or to none and fit k
 * of them (classes/candidates.h). Blanking alone then keeps k on the released side as well: a record agrees with all that its own person's
 * keys fit. */
#ifndef SCRIM_PROTECT_HIDE_H
#define SCRIM_PROTECT_HIDE_H
#include "protect/suppress/suppress.h"

typedef struct Hidden {
    int64_t unsafe;      /* records whose true keys fewer than k records shared */
    int64_t lower_bound; /* cells that any such suppression takes */
    int64_t k;           /* the least number of candidates that anyone is left with */
    int64_t one, few;    /* people with one candidate, and with fewer than k, before */
} Hidden;
/* From a problem as made (its tuples, strata, combinations and order of keys) to cells: blank[row] has a bit per key. What blank holds
 * already stays. */
MUST_CHECK Status hide_cells(Work *work, const Problem *problem, uint64_t *blank, Hidden *out);
/* The counts of `out` but for its bound, of these blanks as they are. */
MUST_CHECK Status hide_count(Work *work, const Problem *problem, const uint64_t *blank, Hidden *out);

/* ---- inside ---- */

/* All combinations at a glance: what a blank for one does to the others. */
typedef struct Board {
    int64_t count;
    const Combination *at;
    int32_t **of;    /* combination → row → class */
    int64_t **whole; /* combination → class → records that lack no more than their people */
} Board;
MUST_CHECK Status board_make(Work *work, const Problem *problem, const uint64_t *lost, Board *out);
/* If row r came to lack `now`: combinations in which a class would then have too few whole rows, and those in which it must lose a key
 * anyhow. */
void board_judge(const Board *board, const Problem *problem, int64_t r, uint64_t lost, uint64_t now, int64_t *harm, int64_t *help);
void board_note(Board *board, const Problem *problem, int64_t r, uint64_t lost, uint64_t now);

/* The open classes that records fit once they have lost a set of keys, for a set that many have lost. */
typedef struct View {
    uint64_t lost;
    int32_t *of;    /* class → group by the keys outside the set */
    int64_t *first; /* group → its open classes, in member */
    int32_t *member;
} View;

/* One combination of keys under way. A class is the records that share their true values of these keys (a missing one is a value). */
typedef struct Hide {
    const Problem *problem;
    Board *board;   /* NULL: this is the only combination */
    uint64_t among; /* the keys of the combination */
    int64_t k;
    double price[TUPLE_KEYS]; /* key → what a blank in it costs: spared keys dear */
    uint64_t *lost;           /* row → keys it lacks: missing from the start, or blanked */
    uint64_t *before;         /* row → what it lacked when this combination came up */
    int64_t rows, classes;
    int32_t *of;    /* row → class */
    int64_t *start; /* class → its rows, in row[] */
    int32_t *row;
    uint64_t *lacks; /* class → keys that its people do not have */
    int64_t *size;   /* class → its records */
    int64_t *whole;  /* class → those that lack no more than that */
    int64_t *light;  /* class → the rows among these that stand for one record: only such are lent */
    uint8_t *open;   /* class → too few are whole, so that none may be */
    int64_t *need;   /* open class → candidates that it still wants */
    int32_t *guest;  /* row → the class that it was blanked to look like, or -1; NULL: none was */
    uint8_t *hosts;  /* class → does it stay whole by such */
    int64_t opens;
    int32_t *want; /* the open classes that want candidates */
    int64_t wants;
    int words;        /* of a class's codes, packed */
    uint64_t *packed; /* class → its codes */
    uint64_t *field;  /* key → the bits of its code */
    int64_t views;
    View *view;
    int32_t *found; /* scratch: the members that no view lists */
    int sets;       /* sets of keys to give up, without the empty one and all of them */
    uint64_t *set;  /* ascending */
    double *cost;
    int32_t **group;   /* set → class → its group by the keys outside the set, or -1 where no open class is in it; NULL: not at hand */
    int32_t **wanting; /* set → group → open classes in it that want candidates */
    int32_t **alike;   /* set → group → 1 + the open class that lacks this very set: nobody must look like it; NULL: there is none */
} Hide;

MUST_CHECK Status hide_start(Work *work, const Problem *problem, Combination combination, Board *board, uint64_t *lost, Hide *out);
void hide_set(Hide *h, int64_t r, uint64_t lost); /* row r lacks these keys from now on */
void hide_count_whole(Hide *h);                   /* whole, light and open, from what is lost */
static inline int64_t hide_times(const Hide *h, int64_t r) { return problem_times(h->problem, r); }
/* How many rows of a class that is not open can be lent. */
static inline int64_t hide_spare(const Hide *h, int64_t c) {
    int64_t spare = h->whole[c] - h->k;
    return spare < h->light[c] ? spare : h->light[c];
}
MUST_CHECK Status hide_classes(Work *work, const Problem *problem, uint64_t keys, int32_t **of,
                               int64_t *count);    /* row → class by its true keys */
MUST_CHECK Status hide_begin(Work *work, Hide *h); /* packed codes, sets of keys, and who wants what: before any move */
MUST_CHECK Status hide_pack(Work *work, Hide *h);
/* Two classes agree on the keys (and the stratum) outside a set: where their packed codes do under its mask. */
void hide_outside(const Hide *h, uint64_t set, uint64_t *mask);
static inline bool hide_fits(const Hide *h, int64_t a, int64_t b, const uint64_t *mask) {
    const uint64_t *x = h->packed + a * h->words, *y = h->packed + b * h->words;
    uint64_t differs = 0;
    for (int w = 0; w < h->words; w++) differs |= (x[w] ^ y[w]) & mask[w];
    return !differs;
}
/* Classes by the keys (and the stratum) outside a set. */
MUST_CHECK Status hide_group(Work *work, const Hide *h, uint64_t set, int32_t **of, int64_t *count);
/* Views of the sets that many rows have lost by now; and the open classes that a row of class c without these keys fits. */
MUST_CHECK Status hide_views(Work *work, Hide *h);
int64_t hide_members(const Hide *h, int64_t c, uint64_t lost, const int32_t **out);
uint64_t hide_differs(const Hide *h, int64_t a, int64_t b); /* keys of the combination, and the stratum, in which two classes differ */
int hide_find(const Hide *h, uint64_t set);                 /* its number, or -1 */
double hide_price(const Hide *h, uint64_t keys);
/* Row r loses up to `now`: those it newly fits want one less. */
void hide_move(Hide *h, int64_t r, uint64_t now);
/* A class loses its last whole rows: every row of it must lose a key. */
void hide_open(Hide *h, int64_t c);
MUST_CHECK Status hide_join(Work *work, Hide *h); /* people who lack keys stay as they are where others can look alike */
static inline bool hide_is_guest(const Hide *h, int64_t r) { return h->guest && h->guest[r] >= 0; }
MUST_CHECK Status hide_greedily(Work *work, Hide *h);     /* cells where they serve most */
MUST_CHECK Status hide_side_by_side(Work *work, Hide *h); /* the same where other combinations look on */
/* Would a record of class c without set s look like people whose own records must not be seen? They would have too few that equal them. */
bool hide_alike(const Hide *h, int s, int64_t c);
MUST_CHECK Status hide_rest(Work *work, Hide *h);                   /* those that are still wanting, one by one */
MUST_CHECK Status hide_trim(Work *work, Hide *h);                   /* cells given back that nobody misses */
MUST_CHECK Status hide_settle(Work *work, Hide *h, int64_t *moved); /* counts as the definition says, and mends what does not hold */
/* Cells given back that no combination misses; `floor`: what each row lacks in any case. Left out where there are too many sets of keys. */
MUST_CHECK Status hide_return(Work *work, const Problem *problem, const uint64_t *floor, uint64_t *lost);
/* Raises the bound by Lagrangian relaxation, from the sets of keys at hand; `cells` is what was found. On a table as started. */
MUST_CHECK Status hide_bound(Work *work, const Hide *h, int64_t cells, int64_t *bound);
/* Small tables: fewer cells by a whole-number program, or the proof that there are none. */
MUST_CHECK Status hide_exactly(Work *work, Hide *h, int64_t *bound);
#endif
