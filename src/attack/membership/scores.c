/* Attacks by distance: to the nearest released record, the same less the distance to the nearest of the population, and local densities. */
#include "attack/membership/membership.h"
#include "base/elementary.h"
#include "math/ranks.h"

enum { NEAREST = 5 }; /* reference records within the radius in which released records are counted */

Status tie_equal(Run *run, double *score, int64_t count) {
    Status status = OK;
    int64_t *order = NULL, placed;
    NEW(&run->work, order, count + 1);
    TRY(order_reals(&run->work, score, count, order, &placed));
    for (int64_t i = 1; i < placed; i++)
        if (score[order[i]] <= measure_as_near(score[order[i - 1]])) score[order[i]] = score[order[i - 1]];
done:
    return status;
}

Status score_distance(Targets *t, double *score) {
    memcpy(score, t->distance, (size_t)targets_count(t) * sizeof *score);
    return OK;
}

/* The difference of the distances relative to both, which has no unit, plus the difference itself: among exact matches (−1) those that are
 * far from the population come first. */
static double nearer_than_usual(double distance, double usual) {
    double difference = snap_to_zero(distance - usual, usual), sum = distance + usual;
    return sum > 0 ? difference / sum + difference : 0;
}

/* A record of a dense region is near to the release without having been in the data; it is near to others of the population too. */
Status score_calibrated(Targets *t, double *score) {
    Status status = OK;
    Work *work = &t->run->work;
    int64_t members = t->a->original->rows, count = targets_count(t);
    double *usual = NULL;
    NEW(work, usual, count + 1);
    for (int64_t i = 0; i < count; i++) usual[i] = NAN;
    for (int k = 0; k < 2; k++)
        TRY(neighbours_nearest(work, t->from[k], t->population, false, (Nearest){ .measure = usual + (k ? members : 0) }));
    for (int64_t i = 0; i < count; i++) score[i] = nearer_than_usual(t->distance[i], usual[i]);
    arena_drop(work->arena, usual);
done:
    return status;
}

/* Released records and reference records as near as the fifth nearest of the reference: the more released ones, the likelier a member. */
static Status densities(Targets *t, int kind, double *score) {
    Status status = OK;
    Work *work = &t->run->work;
    int64_t rows = kind ? t->others->rows : t->a->original->rows, *released = NULL, *usual = NULL;
    double *radius = NULL;
    NEW(work, radius, rows + 1);
    NEW(work, released, rows + 1);
    NEW(work, usual, rows + 1);
    TRY(neighbours_kth(work, t->from[kind], t->population, false, NEAREST, radius));
    for (int64_t i = 0; i < rows; i++) radius[i] = measure_as_near(radius[i]);
    TRY(neighbours_within_count(work, t->from[kind], t->near.index, false, radius, true, released));
    TRY(neighbours_within_count(work, t->from[kind], t->population, false, radius, true, usual));
    for (int64_t i = 0; i < rows; i++) score[i] = -((double)released[i] + 0.5) / ((double)usual[i] + 0.5);
    arena_drop(work->arena, radius);
    arena_drop(work->arena, released);
    arena_drop(work->arena, usual);
done:
    return status;
}

Status score_density(Targets *t, double *score) {
    Status status = OK;
    TRY(densities(t, 0, score));
    TRY(densities(t, 1, score + t->a->original->rows));
done:
    return status;
}
