/* The parts of the ROC curve attack: points as published, the grid they lie on, and the ways to solve for what is missing. */
#ifndef SCRIM_ATTACK_ROC_ROC_H
#define SCRIM_ATTACK_ROC_ROC_H
#include "math/roc/roc.h"
#include "method/method.h"

typedef struct {
    const Table *roc, *known;
    const Column *score, *status;
    int64_t n, positives, digits, max_steps, draws;
    double tolerance, prevalence;
    unsigned method, curve, collinear, direction;
    const char *positive;
} RocArgs;
enum { EXACT, MCMC };
enum { EMPIRICAL, BINORMAL, KERNEL };
enum { COLLINEAR_AUTO, COLLINEAR_KEPT, COLLINEAR_DROPPED, COLLINEAR_THINNED };
enum { HIGHER, LOWER };

/* The curve as published, from (0, 0) to (1, 1), neither rate falling. Thresholds are NULL where there are none. */
typedef struct {
    int64_t count;
    double *fpr, *tpr, *threshold;
    int64_t *row; /* in the file; -1 for an end that was added */
} Points;
MUST_CHECK Status read_points(Work *work, const Table *table, bool lower_is_positive, double error, Points *out);

typedef enum {
    AS_GIVEN,
    UNIT_STEPS,
    SPLIT_TIES,
    THINNED
} Reading; /* each point a score; runs along an axis of single records; and a diagonal may be several equal ties; points left out anywhere */
/* What the points were found to be: multiples of 1/positives and 1/negatives. */
typedef struct {
    int64_t positives, negatives;
    int64_t *tp, *fp; /* at each point */
    double error;     /* how far a point may lie from the grid */
    int digits;       /* decimals found in the file where they explain it, else -1 */
    Reading reading;
    bool joined;        /* a run goes on through the points on it: they need not be every point */
    bool coarse;        /* some number of positives was left out because a rate may stand for several counts there */
    int64_t others;     /* other numbers of positives with the same n that fit as well */
    int64_t staircases; /* of points with errors: how many fit equally well; 0 where the points are exact */
    double deviation;   /* the sum of the points' absolute deviations from the grid */
    bool scores_known;  /* thresholds gave them away */
    bool chained;       /* … by the rule that each lies halfway between two scores, and known records bore it out */
} RocGrid;
/* Finds the grid and the steps into which the known records fit; else says which point cannot be, and why. */
MUST_CHECK Status find_grid(Work *work, const RocArgs *a, const Points *points, const RocKnown *known, RocGrid *grid, RocSteps *steps);
/* With points read off a picture: the staircase nearest to them, of those with the fewest ties. */
MUST_CHECK Status find_staircase(Work *work, const RocArgs *a, const Points *points, const RocKnown *known, RocGrid *grid);
/* Known groups placed, each as early as it goes, after a way of so many positives and negatives more: along an axis each pure group takes
 * as many records as it has; a tie holds one group. */
int64_t groups_placed(const RocKnown *known, int64_t groups, int64_t positives, int64_t negatives);
/* The same where points may have been left out of the way: as many groups as there is room for. */
int64_t groups_in_bag(const RocKnown *known, int64_t groups, int64_t positives, int64_t negatives);
/* The steps between the points, under grid->reading; thresholds, where given, bound each step's score or are the score. */
MUST_CHECK Status make_steps(Work *work, const Points *points, const RocKnown *known, RocGrid *grid, RocSteps *out);
/* The ways between the points as bags of records in no known order. `counted`: a threshold that is a score belongs to the bag that it ends;
 * else bounds include both ends, for what holds in every case. */
MUST_CHECK Status make_bags(Work *work, const Points *points, const RocKnown *known, const RocGrid *grid, bool counted, RocSteps *out);
/* The first known group that finds no place, or -1. *after: the steps up to the one before. */
MUST_CHECK Status find_misfit(Work *work, Reading reading, const RocSteps *steps, const RocKnown *known, int64_t *group, int64_t *after);

static const double ROC_FLOATING = 2e-12;  /* what arithmetic and fifteen printed digits may do to a rate */
int points_decimals(const Points *points); /* the fewest decimals with which every rate can be written, or -1 above eleven */
double points_error(const RocArgs *a, const Points *points); /* how far a published rate may lie from the true one */
bool thresholds_are_scores(const Points *points,
                           const RocKnown *known); /* else they lie halfway between two scores, and no score can equal one */
/* What the points and the known records admit: every number of positives, rounding, order and tie. */
typedef struct {
    bool plain;                   /* the likeliest reading is the only one */
    int64_t fitting, least, most; /* numbers of positives that fit: how many, and between which they lie */
    RocMissing *at;               /* not where plain */
    const char *why;              /* what leaves everything open, or NULL */
} Admissible;
MUST_CHECK Status find_admissible(Work *work, const RocArgs *a, const Points *points, const RocKnown *known, const RocGrid *grid,
                                  const RocSteps *steps, Admissible *out);
/* Makes of an answer under the likeliest reading one that claims only what holds in all that is admissible. */
void claim_admissible(const Admissible *all, const RocGrid *grid, RocAnswer *answer);

/* The paper's random search. */
MUST_CHECK Status search_at_random(Run *run, const RocArgs *a, const RocSteps *steps, const RocKnown *known);
/* A binormal or kernel-smoothed curve. */
MUST_CHECK Status attack_smooth(Run *run, const RocArgs *a, const Points *points, const RocKnown *known);
#endif
