/* Joining: what its parts share (intruder/joining.c, intruder/joining_known.c). */
#ifndef SCRIM_INTRUDER_JOINING_PRIVATE_H
#define SCRIM_INTRUDER_JOINING_PRIVATE_H
#include "base/elementary.h"
#include "intruder/beliefs.h"

enum { JOIN_COLUMNS = 64, JOIN_SETS = 3 * (JOIN_COLUMNS + 1) + 1 };

typedef enum { AS_THEY_ARE, BY_RANK, STANDARDISED, BY_AXES, VIEWS } View;

/* Numbers of both tables under one view: [0] original, [1] release; column by column. */
typedef struct {
    int64_t columns;
    double *x[2][JOIN_COLUMNS];
    double scale[JOIN_COLUMNS]; /* 1/(2 s^2), s the deviation of a released number from its own */
    double most[JOIN_COLUMNS];  /* a difference speaks against a pair by no more than this: values are also swapped, or drawn again */
    double lost[JOIN_COLUMNS], lacked[JOIN_COLUMNS]; /* log of how much likelier it is that the release lacks a number than for anybody: of
                                                      * a person who has one, and of one who lacks it too */
    double absent[2][JOIN_COLUMNS];                  /* what either speaks against a pair */
    double step[JOIN_COLUMNS];                       /* the smallest difference between released numbers; kept where owners are not known */
    double density[JOIN_COLUMNS];                    /* log of the density of an equal number */
} Numbers;

/* The sum of the weights exp(score) of one record: of its `best`, in units of which `sum` is. */
typedef struct {
    double best, sum;
} Total;

typedef struct {
    Work *work;
    const KeyGraph *graph; /* or NULL */
    const double *weight;  /* edge -> log of its weight */
    const Ownership *owner;
    bool described;    /* the release says what was done to its numbers: to a column without a treatment, nothing */
    int views;         /* views that are tried: the first ones */
    bool tells[VIEWS]; /* numbers under this view tell something of whose they are */
    bool sampled;      /* owners are not known, and not everybody is in the release */
    int64_t people, records;
    Numbers view[VIEWS];
    int64_t *member_start; /* released class -> its records: member[start] ...; without a graph they are all in one class */
    int32_t *member;
    int64_t tries, step;             /* every `step`th person is tried: records of the release with owners, of the original without */
    bool singly;                     /* each column alone is a set, too */
    int64_t sets, chosen;            /* sets of columns under a view; the one whose beliefs are kept, or -1 */
    double *right, *squares, *worst; /* block x set -> sums of right guesses, of their squares; the largest belief */
    Total *total;                    /* sampled: set x record, over the people tried */
    double *own_right, *own_belief;  /* record of the release -> of the chosen set */
    int32_t *order[2][JOIN_COLUMNS]; /* known owners: each class's records by a column as it is, and along an axis; those without it last */
} Join;

static inline double against(const Numbers *n, int64_t j, double truth, double released) {
    double d = released - truth, cost = d * d * n->scale[j];
    if (isnan(released)) return n->absent[isnan(truth)][j];
    return cost < n->most[j] ? cost : n->most[j]; /* a number that the person lacks fits none: NaN falls to `most` */
}

/* The best score of one set of columns so far. */
typedef struct {
    double best, ties, sum, own;
} Score;

static inline void score_add(Score *s, double score, bool own) {
    if (score > s->best + 1e-9) {
        s->sum *= s->best > -INFINITY ? exp(s->best - score) : 0;
        s->best = score;
        s->ties = 0;
    }
    if (score >= s->best - 1e-9) s->ties++;
    if (score > s->best - 40) s->sum += exp(score - s->best);
    if (own) s->own = score;
}

/* How far numbers are from their own, and which views tell something. */
MUST_CHECK Status join_scale(Join *join, Columns after);
/* Owners are known. Every set's right guesses: records that are likelier than the own one are looked for in each class that fits, in the
 * order of a column, and one is enough. */
MUST_CHECK Status join_order_records(Join *join);
Status join_guess_known(void *join, int64_t block, int64_t first, int64_t last, Error *error); /* for parallel_for */
/* The chosen set's guesses and beliefs, by person. */
Status join_believe_known(void *join, int64_t block, int64_t first, int64_t last, Error *error);
#endif
