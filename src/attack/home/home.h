/* Where a subject lives, guessed from its track: what reading, guessing and judging share. */
#ifndef SCRIM_ATTACK_HOME_H
#define SCRIM_ATTACK_HOME_H
#include "math/geo.h"
#include "method/method.h"

typedef enum { LAST_DESTINATION, WEIGHTED_MEDIAN, LARGEST_CLUSTER, BEST_TIME } HomeMethod;

/* One fix: where on the subject's own flat map (metres), when (hours since 1970, local), and how much it counts. */
typedef struct Fix {
    double east, north, hours, weight;
} Fix;
typedef struct Track {
    Fix *fix;
    int64_t count;
} Track; /* in the order of time */

static const double DAY_BEGINS = 3; /* o'clock: who comes home after midnight comes home on the day before (Krumm 2007) */
static const double NEAR_HOUR = 6;  /* hours: best-time passes over what is farther from its hour */
static const double APART = 100;    /* metres: clusters this near are one (Krumm 2007) */

/* The guess on the flat map. `hour`: best-time's. The track's weights are the guesser's to use. */
MUST_CHECK Status home_guess(Work *work, HomeMethod method, double hour, Track track, MapPoint *out);
/* Medians of the coordinates, each on its own; a fix counts by its weight. */
MUST_CHECK Status home_median(Work *work, const Fix *fix, int64_t count, MapPoint *out);
#endif
