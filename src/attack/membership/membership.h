/* Membership inference by several attacks: parts of attack.membership. */
#ifndef SCRIM_ATTACK_MEMBERSHIP_H
#define SCRIM_ATTACK_MEMBERSHIP_H
#include "attack/near_release.h"
#include "math/proportion.h"

typedef struct MembershipArgs {
    const Table *released, *original, *holdout, *reference;
    Texts vars, attacks, set;
    const char *method;
    int64_t shadows;
} MembershipArgs;

/* What all attacks look at. The targets are the members and those records of the holdout that are no reference. Every score is a function
 * of the target, the release and the reference alone, so that without disclosure members and others are exchangeable. */
typedef struct Targets {
    Run *run;
    const MembershipArgs *a;
    NearRelease near;
    const Table *reference; /* NULL: there are too few records for one */
    const Table *others;    /* the holdout, or the part of it that is no reference */
    Neighbours *from[2];    /* members and others as queries */
    Neighbours *population; /* the reference on the release's scale */
    double *distance;       /* to the nearest released record, of the members and then of the others */
} Targets;
static inline int64_t targets_count(const Targets *t) { return t->a->original->rows + t->others->rows; }

/* Scores of the members and then of the others: the smaller, the more a record looks like a member. */
MUST_CHECK Status score_distance(Targets *t, double *score);
MUST_CHECK Status score_calibrated(Targets *t, double *score);
MUST_CHECK Status score_density(Targets *t, double *score);
MUST_CHECK Status score_classifier(Targets *t, double *score);
MUST_CHECK Status score_shadow(Targets *t, double *score);
/* Makes scores that are equal in exact arithmetic equal, each run of them to its least. */
MUST_CHECK Status tie_equal(Run *run, double *score, int64_t count);

enum { RATES = 3 };
extern const double FALSE_POSITIVES[RATES]; /* 0.001, 0.01, 0.1 */

/* How well a score finds members. */
typedef struct Curve {
    double members, others; /* that have a score */
    double area, variance, low, high, advantage;
    double rate[RATES];      /* true positive rates */
    Interval between[RATES]; /* of the rates of the whole population, at least 95% */
    double first;            /* members before every other record */
    double chance;           /* p-value of the area and of the three rates together, before the number of attacks is allowed for */
} Curve;
/* least: of each member, the share of the others that look at least as much like a member; or NULL. */
MUST_CHECK Status curve_make(Run *run, const double *score, int64_t members, int64_t others, Curve *out, double *least);
/* P(at least `hits` members come before the place-th other record) where the order is random. */
double before_by_chance(double hits, double place, double members, double others);
/* The share of trials with this many hits at which the tail beyond them has probability `tail` (Clopper & Pearson 1934). */
Interval exact_interval(double hits, double trials, double tail);
#endif
