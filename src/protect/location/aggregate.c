/* Points of a box become their common centre; a box is as small as k subjects in it allow. */
#include <stdlib.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "protect/location/location.h"

typedef struct {
    int64_t first, last;
} Box; /* points[first…last-1] */
typedef struct {
    double at;
    int64_t row;
} Coordinate;
typedef struct {
    Location *l;
    GeoPlace centre;
    MapPoint *flat;  /* by row */
    int64_t *points; /* rows, those of a box together */
    Coordinate *sorted;
    int64_t *seen, stamp; /* per subject: the last stamp under which it was counted */
    int64_t groups, fewest;
    double largest;
} Tree;

static int64_t subjects_in(Tree *t, int64_t first, int64_t last) {
    int64_t count = 0;
    t->stamp++;
    for (int64_t r = first; r < last; r++) {
        int32_t s = t->l->subject[t->points[r]];
        count += t->seen[s] != t->stamp;
        t->seen[s] = t->stamp;
    }
    return count;
}

static int by_coordinate(const void *a, const void *b) {
    const Coordinate *x = a, *y = b;
    if (x->at != y->at) return x->at < y->at ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

static double along(MapPoint p, int axis) { return axis ? p.north : p.east; }

static double extent(const Tree *t, Box box, int axis) {
    double least = INFINITY, most = -INFINITY;
    for (int64_t r = box.first; r < box.last; r++) {
        least = smaller(least, along(t->flat[t->points[r]], axis));
        most = larger(most, along(t->flat[t->points[r]], axis));
    }
    return most - least;
}

/* Cuts at the median along an axis, never between points at one coordinate. False where a side would have fewer than k subjects. */
static bool cut(Tree *t, Box box, int axis, int64_t *where) {
    int64_t count = box.last - box.first, middle = count / 2;
    for (int64_t r = 0; r < count; r++)
        t->sorted[r] = (Coordinate){ along(t->flat[t->points[box.first + r]], axis), t->points[box.first + r] };
    qsort(t->sorted, (size_t)count, sizeof *t->sorted, by_coordinate);
    for (int64_t r = 0; r < count; r++) t->points[box.first + r] = t->sorted[r].row;
    while (middle > 0 && t->sorted[middle].at == t->sorted[middle - 1].at) middle--;
    if (!middle)
        for (middle = count / 2; middle < count && t->sorted[middle].at == t->sorted[0].at;) middle++;
    *where = box.first + middle;
    return middle > 0 && middle < count && subjects_in(t, box.first, *where) >= t->l->a->k &&
           subjects_in(t, *where, box.last) >= t->l->a->k;
}

static void finish(Tree *t, Box box, double side) {
    double east = 0, north = 0, count = (double)(box.last - box.first);
    int64_t subjects = subjects_in(t, box.first, box.last);
    for (int64_t r = box.first; r < box.last; r++) {
        east += t->flat[t->points[r]].east;
        north += t->flat[t->points[r]].north;
    }
    GeoPlace common = geo_round(t->centre, (MapPoint){ east / count, north / count });
    for (int64_t r = box.first; r < box.last; r++) t->l->masked[t->points[r]] = common;
    t->groups++;
    if (subjects < t->fewest || t->groups == 1) t->fewest = subjects;
    t->largest = fmax(t->largest, side);
}

/* A box is halved across its longer side, else across the other, as long as that side is longer than `cell` and each half keeps k subjects.
 */
static Status divide(Tree *t, Box whole) {
    Status status = OK;
    int64_t depth = 0, room = 0, where = 0;
    Box *stack = NULL;
    GROW(&t->l->run->work, stack, room, 1);
    stack[depth++] = whole;
    while (depth) {
        Box box = stack[--depth];
        double side[2] = { extent(t, box, 0), extent(t, box, 1) };
        int longer = side[1] > side[0];
        TRY(work_check(&t->l->run->work));
        bool cuts = side[longer] > t->l->a->cell && cut(t, box, longer, &where);
        if (!cuts) cuts = side[!longer] > t->l->a->cell && cut(t, box, !longer, &where);
        if (!cuts) {
            finish(t, box, side[longer]);
            continue;
        }
        GROW(&t->l->run->work, stack, room, depth + 2);
        stack[depth++] = (Box){ box.first, where };
        stack[depth++] = (Box){ where, box.last };
    }
done:
    return status;
}

Status location_aggregate(Location *l) {
    Status status = OK;
    Work *work = &l->run->work;
    Tree t = { .l = l, .centre = geo_centre(l->place, NULL, l->rows) };
    int64_t count = 0, subjects = 0;
    NEW(work, t.flat, l->rows + 1);
    NEW(work, t.points, l->rows + 1);
    NEW(work, t.sorted, l->rows + 1);
    NEW(work, t.seen, l->subjects + 1);
    for (int64_t i = 0; i < l->rows; i++) {
        if (!place_known(l->place[i])) continue;
        t.flat[i] = geo_flat(t.centre, l->place[i]);
        t.points[count++] = i;
    }
    subjects = subjects_in(&t, 0, count);
    if (count && subjects < l->a->k) {
        fail(work->error, BAD, "asks for %lld subjects in a box, and the file has %lld", (long long)l->a->k, (long long)subjects);
        TRY(error_parameter(work->error, "k"));
    }
    if (count) TRY(divide(&t, (Box){ 0, count }));
    result_integer(l->run->result, "groups", t.groups);
    result_integer(l->run->result, "fewest_subjects", t.fewest);
    result_real(l->run->result, "largest_box", t.largest);
    result_note(l->run->result,
                "Points of one box are replaced by their mean, so the mean of all points is unchanged. Every box has points of at least "
                "%lld subjects.",
                (long long)l->a->k);
done:
    return status;
}
