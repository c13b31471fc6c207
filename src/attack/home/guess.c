/* Four ways to guess a home from a track (Krumm 2007). */
#include <stdlib.h>
#include "attack/home/home.h"
#include "base/elementary.h"

typedef struct Weighted {
    double x, weight;
} Weighted;

static int by_x(const void *a, const void *b) {
    const Weighted *p = a, *q = b;
    return (p->x > q->x) - (p->x < q->x);
}

/* The least x that half of the weight is at or below; halfway to the next where it is exactly half. */
static double median_of(Weighted *at, int64_t count) {
    double total = 0, below = 0;
    qsort(at, (size_t)count, sizeof *at, by_x);
    for (int64_t i = 0; i < count; i++) total += at[i].weight;
    for (int64_t i = 0; i < count; i++) {
        below += at[i].weight;
        if (2 * below < total || at[i].weight <= 0) continue;
        int64_t next = i + 1;
        while (next < count && at[next].weight <= 0) next++;
        return 2 * below > total || next == count ? at[i].x : (at[i].x + at[next].x) / 2;
    }
    return count ? at[count - 1].x : NAN;
}

Status home_median(Work *work, const Fix *fix, int64_t count, MapPoint *out) {
    Status status = OK;
    Weighted *at = NULL;
    NEW(work, at, count + 1);
    for (int64_t i = 0; i < count; i++) at[i] = (Weighted){ fix[i].east, fix[i].weight };
    out->east = median_of(at, count);
    for (int64_t i = 0; i < count; i++) at[i] = (Weighted){ fix[i].north, fix[i].weight };
    out->north = median_of(at, count);
    arena_drop(work->arena, at);
done:
    return status;
}

/* The last fix of each day counts, the others do not. */
static void weigh_last(Track track) {
    for (int64_t i = 0; i < track.count; i++) {
        bool last =
            i + 1 == track.count || floor((track.fix[i].hours - DAY_BEGINS) / 24) < floor((track.fix[i + 1].hours - DAY_BEGINS) / 24);
        track.fix[i].weight = last;
    }
}

/* A fix counts by the time until the next one: how long the subject stayed, or how long the receiver was off there. */
static void weigh_stay(Track track) {
    double total = 0;
    for (int64_t i = 0; i < track.count; i++) {
        track.fix[i].weight = i + 1 < track.count ? track.fix[i + 1].hours - track.fix[i].hours : 0;
        total += track.fix[i].weight;
    }
    for (int64_t i = 0; total <= 0 && i < track.count; i++) track.fix[i].weight = 1;
}

/* Each day's fix nearest to the hour counts, where it is within NEAR_HOUR of it; where none is on any day, all count. */
static void weigh_hour(Track track, double hour) {
    int64_t best = -1;
    for (int64_t i = 0; i < track.count; i++) {
        double turn = (track.fix[i].hours - hour) / 24, off = fabs(turn - floor(turn + 0.5));
        double before = best < 0 ? 0 : (track.fix[best].hours - hour) / 24;
        bool same = best >= 0 && floor(before + 0.5) == floor(turn + 0.5);
        track.fix[i].weight = 0;
        if (24 * off > NEAR_HOUR || (same && fabs(before - floor(before + 0.5)) <= off)) continue;
        if (same) track.fix[best].weight = 0;
        track.fix[i].weight = 1;
        best = i;
    }
    for (int64_t i = 0; best < 0 && i < track.count; i++) track.fix[i].weight = 1;
}

/* ---- the largest cluster ---- */

enum { MOST_POINTS = 4000 }; /* what is merged pair by pair; longer tracks are first gathered in small squares */
typedef struct Square {
    int64_t across, up, order;
    Fix fix;
} Square;

static int by_square(const void *a, const void *b) {
    const Square *p = a, *q = b;
    if (p->across != q->across) return p->across < q->across ? -1 : 1;
    if (p->up != q->up) return p->up < q->up ? -1 : 1;
    return (p->order > q->order) - (p->order < q->order);
}

static Fix merged(Fix a, Fix b) {
    double weight = a.weight + b.weight;
    return (Fix){ (a.east * a.weight + b.east * b.weight) / weight, (a.north * a.weight + b.north * b.weight) / weight, a.hours, weight };
}

/* Squares of 10 m, twice as wide until few enough hold a fix; a square's fixes become their centroid. Deterministic; the order within is
 * time's. */
static Status gather(Work *work, Track *track) {
    Status status = OK;
    Square *square = NULL;
    double side = 10;
    NEW(work, square, track->count + 1);
    for (; track->count > MOST_POINTS; side *= 2) {
        int64_t kept = 0;
        for (int64_t i = 0; i < track->count; i++) {
            const Fix *fix = &track->fix[i];
            square[i] = (Square){ (int64_t)floor(fix->east / side), (int64_t)floor(fix->north / side), i, *fix };
        }
        qsort(square, (size_t)track->count, sizeof *square, by_square);
        for (int64_t i = 0; i < track->count; i++) {
            bool same = i && square[i].across == square[i - 1].across && square[i].up == square[i - 1].up;
            if (same) track->fix[kept - 1] = merged(track->fix[kept - 1], square[i].fix);
            else track->fix[kept++] = square[i].fix;
        }
        track->count = kept;
    }
    arena_drop(work->arena, square);
done:
    return status;
}

static double squared(const Fix *a, const Fix *b) {
    return (a->east - b->east) * (a->east - b->east) + (a->north - b->north) * (a->north - b->north);
}

/* The cluster nearest to i among those still there (weight above 0). */
static void find_nearest(Track track, int64_t i, int64_t *nearest, double *distance) {
    nearest[i] = -1;
    distance[i] = INFINITY;
    for (int64_t j = 0; j < track.count; j++) {
        if (j == i || track.fix[j].weight <= 0) continue;
        double d = squared(&track.fix[i], &track.fix[j]);
        if (d < distance[i]) {
            distance[i] = d;
            nearest[i] = j;
        }
    }
}

/* The two nearest clusters become one, by their centroids, until all are more than APART from one another; the one with most fixes is the
 * home. */
static Status largest_cluster(Work *work, Track track, MapPoint *out) {
    Status status = OK;
    int64_t *nearest = NULL;
    double *distance = NULL;
    for (int64_t i = 0; i < track.count; i++) track.fix[i].weight = 1;
    TRY(gather(work, &track));
    NEW(work, nearest, track.count + 1);
    NEW(work, distance, track.count + 1);
    for (int64_t i = 0; i < track.count; i++) find_nearest(track, i, nearest, distance);
    for (int64_t step = 0;; step++) {
        int64_t a = -1;
        for (int64_t i = 0; i < track.count; i++)
            if (track.fix[i].weight > 0 && nearest[i] >= 0 && (a < 0 || distance[i] < distance[a])) a = i;
        if (a < 0 || distance[a] > APART * APART) break;
        int64_t b = nearest[a];
        if (step % 256 == 0) TRY(work_check(work));
        track.fix[a] = merged(track.fix[a], track.fix[b]);
        track.fix[b].weight = 0;
        find_nearest(track, a, nearest, distance);
        for (int64_t k = 0; k < track.count; k++) {
            if (k == a || track.fix[k].weight <= 0) continue;
            if (nearest[k] == a || nearest[k] == b) {
                find_nearest(track, k, nearest, distance);
                continue;
            }
            double d = squared(&track.fix[k], &track.fix[a]);
            if (d < distance[k]) {
                distance[k] = d;
                nearest[k] = a;
            }
        }
    }
    const Fix *most = &track.fix[0];
    for (int64_t i = 1; i < track.count; i++)
        if (track.fix[i].weight > most->weight) most = &track.fix[i];
    *out = (MapPoint){ most->east, most->north };
done:
    return status;
}

Status home_guess(Work *work, HomeMethod method, double hour, Track track, MapPoint *out) {
    if (method == LARGEST_CLUSTER) return largest_cluster(work, track, out);
    if (method == LAST_DESTINATION) weigh_last(track);
    if (method == WEIGHTED_MEDIAN) weigh_stay(track);
    if (method == BEST_TIME) weigh_hour(track, hour);
    return home_median(work, track.fix, track.count, out);
}
